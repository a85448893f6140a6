"""Maps, pictures and words (P-GAM-24)."""

import json
import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from simkit.core.rng import make_key
from simkit.games.pigtable import game
from simkit.games.pigtable.kinds import What
from simkit.games.pigtable.mapdraw import blend, draw_table, draw_worth
from simkit.games.pigtable.maps import Eye, averaged, wandering, work_out
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.scenario import Scenario
from simkit.games.pigtable.tables import Ground, read_table, shipped
from simkit.lab import rulebook
from tests.commandline import ran, said

MEANS = {
    "desert": ("80947/174528", 404),
    "hill-and-swamp": ("21607055/60046272", 572),
    "paddock": ("63/286", 572),
    "chasm": ("6055/21816", 404),
}
"""Mean chance by straight ways, and places where a lancer may stand."""

STARTS = {
    "desert": (["169/324", "169/324", "175/1728", "175/1728"], None),
    "hill-and-swamp": (["455/3888", "455/3888", "7/12", "7/12"], ["65/216", "65/216", "7/12", "7/12"]),
    "paddock": (["91/216", "91/216", "0", "0"], ["91/216", "91/216", "1183/3888", "1183/3888"]),
    "chasm": (["91/216", "91/216", "7/12", "7/12"], None),
}
"""Chances from the starts, straight and with a turn."""


def ground(name: str) -> Ground:
    """Return a shipped table."""
    return read_table(shipped()[name], Rules())[0]


@pytest.mark.parametrize("name", MEANS)
def test_maps_of_record(name: str) -> None:
    """P-GAM-24: means, places and starts, exactly; a turn may only help."""
    straight, turned = (work_out(ground(name), Rules(), legs) for legs in (1, 2))
    assert (str(straight.mean), len(straight.cells)) == MEANS[name]
    assert [str(start.chance) for start in straight.starts] == STARTS[name][0]
    if STARTS[name][1] is not None:
        assert [str(start.chance) for start in turned.starts] == STARTS[name][1]
    assert all(two.chance >= one.chance for one, two in zip(straight.cells, turned.cells, strict=True))
    chances = {cell.point: cell.chance for cell in turned.cells}
    assert all(chances[-x, -y] == chance for (x, y), chance in chances.items())
    assert straight.difficulty == 1 - straight.mean / Fraction(7, 12) > turned.difficulty
    assert straight.unfairness == max(s.chance for s in straight.starts) - min(s.chance for s in straight.starts)


def test_what_a_piece_adds() -> None:
    """P-GAM-24: sand costs, a dune helps whoever rides down it; an open table has difficulty 0."""
    whole = work_out(ground("desert"), Rules())
    sand = work_out(ground("desert").without(["north sand"]), Rules())
    assert sand.mean > whole.mean
    bare = work_out(ground("desert").without([piece.name for piece in ground("desert").pieces]), Rules())
    assert (bare.mean, bare.difficulty, bare.unfairness) == (Fraction(7, 12), 0, 0)
    dome = {"kind": "hill", "name": "dome", "disc": [6, 6, 5], "top": "rounded"}
    hill = read_table({"shape": "square", "piece": [dome]}, Rules())[0]
    top = Eye(hill, Rules()).best((384, 384))
    assert top.chance == Fraction(26, 36)


def test_the_pig_may_be_moved_about() -> None:
    """P-GAM-16, P-GAM-24: places of the pig are free, and the mean is taken over them."""
    paddock = ground("paddock")
    places = wandering(paddock, Rules(), 40)
    assert len(set(places)) > 15 and not any(paddock.blocked_by(place, 32) for place in places)
    few = wandering(paddock, Rules(), 3)
    one = averaged(paddock, Rules(), 1, 256, 3)
    means = [work_out(paddock, Rules(), 1, 256, pig) for pig in few]
    assert few == places[:3]
    for cell in one.cells:
        chances = [other.chance for worth in means for other in worth.cells if other.point == cell.point]
        assert cell.chance == sum(chances) / len(chances)


def drawn(text: str) -> set[str]:
    """Return the titles in an SVG file, which must be well-formed."""
    root = ET.fromstring(text)
    return {node.text or "" for node in root.iter() if node.tag.endswith("title")}


def test_pictures_of_tables() -> None:
    """P-TAB-4: every piece, start and the pig by name; a heat map with every place."""
    found = ground("hill-and-swamp")
    titles = drawn(draw_table(found))
    assert {"west swamp: swamp", "west hill: level 2", "start 4", "the pig"} <= titles
    worth = work_out(found, Rules())
    titles = drawn(draw_worth(found, worth))
    assert sum(title.startswith("(") for title in titles) == len(worth.cells)
    lacking = work_out(found.without(["west swamp"]), Rules())
    assert any(re.fullmatch(r"\(.*\): -0\.\d+", title) for title in drawn(draw_worth(found, worth, lacking)))
    assert blend(0) != blend(1) and blend(2) == blend(1)


SCENES: dict[str, dict[str, Any]] = {
    "straight": {"scenario": {"table": "desert"}},
    "router": {"scenario": {"table": "chasm"}, "policy": "router"},
    "teams": {"scenario": {"table": "hill-and-swamp", "teams": [1, 2, 1, 2]}, "policy": "cautious"},
    "route": {"route": {"table": "desert", "from": [-10, 0], "via": [[-3.5, 0], [-3.5, 2]], "lancers": [[-2.5, 0]]}},
}


@pytest.mark.parametrize("name", SCENES)
def test_every_match_can_be_told_drawn_and_stepped_through(name: str) -> None:
    """Words cite rules that there are; pictures are well-formed; the page loads nothing."""
    game.ready()
    scenario, rules = Scenario.model_validate(SCENES[name]), Rules(unicycle_damage=True, pig_meets="tramples")
    known = set(rulebook.ids("pigtable"))
    for trial in range(4):
        events = game.trace(game.compile(scenario, rules), make_key(2), trial)
        lines = game.narrate(scenario, rules, events)
        assert lines[-1].kind == "end" and all(line.text and not line.text.endswith(".") for line in lines)
        assert {id for line in lines for id in line.ids} <= known
        throws = (What.MANOEUVRE, What.FENCE, What.COLLISION, What.OTHER, What.HIT, What.PIG, What.TRAMPLED)
        assert sum(line.kind == "throw" for line in lines) == sum(row.what in throws for row in events.rows)
        assert any("lancer 1" in title for title in drawn(game.picture(scenario, rules, events)))
    page = game.player(scenario, rules, events, "trial 3 of <this>")
    assert "&lt;this&gt;" in page and "<script" not in page and "default-src &#x27;none&#x27;" in page
    assert page.count("<section") == page.count("</section>") == len({row.turn for row in events.rows})


def test_a_match_is_described() -> None:
    """P-GAM-19 to P-GAM-21: who plays is told in words."""
    match = {"seats": 2, "policies": ["router", "straight"], "without": ["west dune"]}
    mixed = Scenario.model_validate({"scenario": match})
    assert game.describe(mixed) == "2 lancers on Desert without west dune"
    assert "seat 1: weigh routes" in game.story(mixed)


def test_assumptions_are_those_of_the_table() -> None:
    """P-GAM-1 to P-GAM-4: only what can matter is shown, and the three pinned ones always."""
    paddock = Scenario.model_validate({"scenario": {"table": "paddock"}})
    desert = Scenario.model_validate({"scenario": {"table": "desert"}, "policy": "router"})
    assert {"pig_bonus", "bog_edge_reroll", "harm"} & set(game.assumed(paddock, Rules())) == set()
    assert {"pig_bonus", "bog_edge_reroll", "harm", "base_lancer"} <= set(game.assumed(desert, Rules()))
    pinned = [swing.path for swing in game.swings(desert, Rules()) if swing.pinned]
    assert set(pinned) == {"hit_target", "pig_dice", "wound_effect"}


def test_the_command(capsys: Any, tmp_path: Path) -> None:
    """``simkit map`` with tables, and with tables of one's own."""
    listed = json.loads(ran(capsys, "map", "--json").out)
    assert [one["table"] for one in listed["tables"]] == sorted(MEANS)
    file = tmp_path / "paddock.svg"
    assert "1183/3888" in ran(capsys, "map", "paddock", "--legs", "2", "--svg", file).out
    assert drawn(file.read_text(encoding="utf-8"))
    found = json.loads(ran(capsys, "map", "desert", "--without", "north sand", "--json").out)
    assert found["mean"]["fraction"] == MEANS["desert"][0] and Fraction(found["without"]["adds"]) < 0
    own = tmp_path / "own.toml"
    own.write_text('shape = "round"\n[[piece]]\nkind = "wall"\nname = "moat"\nline = [[0, 3], [0.3, 5]]\n', "utf-8")
    refused = said(capsys, "map", own)
    assert "not_on_grid" in refused and "moat" in refused
    assert "no piece" in said(capsys, "map", "desert", "--without", "moat")
    assert "go with a table" in said(capsys, "map", "ruins", "--legs", "1")
