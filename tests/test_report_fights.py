"""What a report tells of battles: who wins, how they end, how long they last, seats, damage and skill."""

import copy
import functools
import re
import xml.etree.ElementTree as ET
from typing import Any

import matplotlib as mpl
import pytest

from simkit import stats
from simkit.balance.document import estimate_of
from simkit.report import (
    damage,
    edges,
    ends,
    heatmap,
    length,
    page,
    plots,
    skill,
    stacks,
    style,
    tallies,
    winrates,
    words,
)
from simkit.report.canvas import NARROW, WIDE, Box, Canvas, text_width
from simkit.report.pane import UNDER
from simkit.report.told import Table
from tests import report_documents
from tests.report_battles import BY_SKILL, DESIGNS, by_skill, fought, shapes

SHAPES = shapes()
OTHERS = report_documents.shapes()
ROOMS = (skill, winrates, ends, length, edges, damage)
SVG = "{http://www.w3.org/2000/svg}"
EVERY = ["ends", "length", "edges", "damage"]
EXPECTED = {
    "designs": ["winrates", *EVERY],
    "one battle": EVERY,
    "never decided": ["ends", "length"],
    "skill": ["skill", "winrates", *EVERY],
    "skill of one side": ["skill", "winrates", "ends", "length", "damage"],
    "against a rung": ["skill", "ends", "length", "damage"],
    "many cells": ["winrates", "ends", "length", "damage"],
    "many sources": ["ends", "length", "damage"],
    "at the limit": ["ends", "length", "damage"],
}
"""The plots of battles that every shape has; edges need rows, win rates two axes."""


@functools.cache
def drawn(name: str, narrow: bool = False) -> list[plots.Plot]:
    return plots.available(SHAPES[name], narrow=narrow)


def told(name: str, narrow: bool = False) -> dict[str, plots.Plot]:
    """Return the plots of a shape that come with sentences, by name."""
    return {plot.name: plot for plot in drawn(name, narrow) if plot.section}


def drawn_by(room: Any, document: Any) -> str:
    """Return the plot of one room alone."""
    with style.settings():
        return str(room.draw(words.cleaned(document), False))


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ET.fromstring(svg).iter(f"{SVG}text")]


def table_of(plot: plots.Plot) -> Table:
    assert plot.table is not None
    return plot.table


@pytest.mark.parametrize("narrow", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_has_its_plots_with_sentences_and_numbers(name: str, narrow: bool) -> None:
    found = told(name, narrow)
    assert list(found) == EXPECTED[name]
    for plot in found.values():
        root = ET.fromstring(plot.svg)
        left, top, width, height = (float(x) for x in root.attrib["viewBox"].split())
        assert (left, top, width) == (0, 0, NARROW if narrow else WIDE)
        assert 40 < height < 2600
        assert plot.alt.endswith(".") and plot.says and all(text.endswith(".") for text in plot.says)
        assert not re.search(r"\b(nan|inf)\b", plot.svg, re.IGNORECASE)
        assert {len(fields) for _, _, fields in table_of(plot).rows} == {len(table_of(plot).columns)}
        assert table_of(plot).note


@pytest.mark.parametrize("narrow", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", SHAPES)
def test_text_stays_on_the_sheet(name: str, narrow: bool) -> None:
    width = NARROW if narrow else WIDE
    for plot in told(name, narrow).values():
        for node in ET.fromstring(plot.svg).iter(f"{SVG}text"):
            css = dict(part.split(": ", 1) for part in node.attrib["style"].split("; "))
            long = text_width("".join(node.itertext()), float(css["font-size"].removesuffix("px"))) * 0.9
            at = float(node.attrib["x"])
            start = {"start": at, "middle": at - long / 2, "end": at - long}[css["text-anchor"]]
            assert start > -6 and start + long < width + 6, (plot.name, node.text)


@pytest.mark.parametrize("name", ["one battle", "skill"])
def test_plots_repeat_to_the_byte_and_need_no_settings(name: str) -> None:
    usual = drawn(name)
    with mpl.rc_context({"hatch.color": "red", "hatch.linewidth": 9, "font.size": 30}):
        assert plots.available(SHAPES[name]) == usual


@pytest.mark.parametrize("name", OTHERS)
def test_a_game_without_sides_has_none_of_this(name: str) -> None:
    document = OTHERS[name]
    assert plots.told(document) == []
    assert not any(room.fits(document) for room in ROOMS)


def test_the_page_of_a_game_without_sides_has_no_sentences_at_its_plots() -> None:
    text = page.html(OTHERS["baseline"])
    assert not re.search(r"The numbers|<h2>How battles", text)
    assert text.count('<h2 class="aside">') == text.count('<section id="plot-') == 2


@pytest.mark.parametrize("room", ROOMS)
def test_a_plot_that_does_not_fit_says_what_it_needs(room: Any) -> None:
    document = report_documents.made({"down": [0, 1]}, target=0.5)
    with style.settings(), pytest.raises(ValueError, match=r"need.*this document has none"):
        room.draw(document, False)


# Stacked bars


def test_parts_differ_in_hatching_and_not_only_in_colour() -> None:
    assert len({fill.hatch for fill in style.FILLS}) == len(style.FILLS)
    assert all(fill.colour in style.VARIABLES for fill in (*style.FILLS, style.APART))
    names = [f"part {i}" for i in range(len(style.FILLS) + 3)]
    looks = stacks.fills(names)
    assert list(looks) == names and looks[names[0]] == style.FILLS[0] and looks[names[-1]] == style.FILLS[-1]


def test_a_bar_is_as_long_as_its_parts_together() -> None:
    with style.settings():
        sheet = Canvas(400, 100)
        frame = sheet.frame(Box(0, 0, 200, 50), (0.0, 1.0), (50, 0))
        parts = [stacks.Part(name, size, style.FILLS[i]) for i, (name, size) in enumerate([("destroyed", 0.5),
                 ("nothing", 0.0), ("toppled", 0.4), ("a name too long", 0.1)])]  # fmt: skip
        assert stacks.draw(frame, 25, parts) == pytest.approx(1.0)
        widths = [patch.get_width() for patch in sheet.figure.artists if patch.get_zorder() == 2 * UNDER]
        assert widths == [0.5, 0.4, 0.1]
        assert texts(sheet.svg()) == ["destroyed", "toppled"]


def test_causes_stack_up_to_all_battles_and_the_key_has_those_that_were_seen() -> None:
    plot = told("designs")["ends"]
    assert {"destroyed", "toppled", "turns used up"} <= set(texts(plot.svg))
    assert "cut" not in texts(plot.svg)
    for cell in SHAPES["designs"]["cells"]:
        causes = ends._causes(SHAPES["designs"])
        assert sum(cell["metrics"][name]["estimate"] for name in causes) == pytest.approx(1)
    assert "% of battles" in texts(plot.svg)


@pytest.mark.parametrize("name", ["ends", "length", "damage", "winrates"])
def test_tables_have_every_number_with_its_interval(name: str) -> None:
    document = SHAPES["skill"]
    table = table_of(told("skill")[name])
    assert [label for label, _, _ in table.rows] == [str(cell["cell"]) for cell in document["cells"]]
    columns = {
        "ends": ["win_a", "draw", "win_b", "score_a", "cause_destroyed", "cause_toppled", "cause_cap"],
        "length": ["turns", "draw_cap"],
        "damage": [f"{source}_{side}" for source in ("rams", "flails", "fire", "collision") for side in "ab"],
        "winrates": ["score_a"],
    }[name]
    for cell, (_, what, fields) in zip(document["cells"], table.rows, strict=True):
        assert all(label in what for label in cell["labels"].values() if label.isalpha())
        for column, field in zip(columns, fields, strict=True):
            estimate, unit = estimate_of(cell["metrics"][column]), words.unit(document, column)
            assert (field.text, field.interval) == (
                stats.format_estimate(estimate, unit),
                stats.format_interval(estimate, unit),
            )


def test_of_many_cells_some_are_drawn_and_it_is_said_which() -> None:
    found = told("many cells")
    for name in ("ends", "length", "damage"):
        assert len(table_of(found[name]).rows) == 40
        assert "the 40 most extreme of 60 cells" in table_of(found[name]).note
        assert "the 40 most extreme of 60 cells" in " ".join(texts(found[name].svg))


# How long


def test_length_names_the_ends_and_the_draws_at_the_limit() -> None:
    plot = told("many cells")["length"]
    assert plot.says[0].startswith("A battle lasts on average from 2.00 (1.80 to 2.20) turns for size 0, u to 11.00")
    assert plot.says[1] == "Drawn because the turns were used up: 2.0 % (1.0 to 3.0 %) of battles in every cell."


@pytest.mark.parametrize("narrow", [False, True])
def test_means_that_the_limit_cuts_off_are_called_out(narrow: bool) -> None:
    plot = told("at the limit", narrow)["length"]
    assert "That is 5 % or more in 1 cell: without the limit its mean is longer" in plot.says[1]
    assert length.CUT in texts(plot.svg) and length.FREE in texts(plot.svg)
    beside = [text for text in texts(plot.svg) if "; limit" in text and "intervals" not in text]
    assert beside == ([] if narrow else ["8.00 (7.80 to 8.20); limit 30.0 % (29.0 to 31.0 %)"])
    assert length.CUT not in texts(told("designs")["length"].svg)


# Who wins


def test_win_rates_are_a_table_of_designs_even_beside_a_comparison() -> None:
    plot = told("designs")["winrates"]
    assert plot.title == "Score of A, by design and design"
    said = texts(plot.svg)
    assert said.count("60.0 %") == said.count("59.0 to 61.0 %") == 6
    by_policy = told("skill")["winrates"]
    assert by_policy.title == "Score of A, by design and policy"  # designs, then who decides, then the rest
    assert {"size: 3", "size: 5"} <= set(texts(by_policy.svg))


def test_win_rates_are_not_drawn_twice() -> None:
    document = copy.deepcopy(SHAPES["designs"])
    document["metric"] = document["verdict"]["metric"] = "score_a"
    assert heatmap.fits(document) and not winrates.fits(document)


def test_fields_that_reach_over_one_half_are_hatched() -> None:
    def score(point: Any) -> float:
        return 0.505 if point["sides.b.design"] == "Axer" else 0.3

    def hatchings(document: Any) -> int:
        return len(re.findall(r"fill: url\(#", drawn_by(winrates, document)))

    assert hatchings(fought(DESIGNS)) == 0
    assert hatchings(fought(DESIGNS, score=score)) == 2


def test_colours_of_win_rates_are_none_that_the_page_swaps_in_the_dark() -> None:
    for won in (0.0, 1.0):
        svg = drawn_by(winrates, fought(DESIGNS, score=lambda point, won=won: won, capped=lambda point: 0.0))  # type: ignore[misc]
        assert not {style.BLUE, style.VERMILLION} & set(re.findall(r"fill: (#[0-9a-f]{6})", svg))


def test_win_rates_of_more_tables_than_there_is_room_for_say_so() -> None:
    document = fought({**DESIGNS, "size": list(range(1, 10))})
    assert "3 further tables not shown" in texts(drawn_by(winrates, document))


# Seats


def test_seats_are_held_against_one_half_with_a_verdict_of_their_own() -> None:
    plot = told("designs")["edges"]
    assert plot.says == [
        "What the western seat wins is told here.",
        "What the side that moves first wins is told here.",
    ]
    table = table_of(plot)
    assert table.columns == ["won by the western seat", "won by the side that moves first"]
    assert [label for label, _, _ in table.rows][:3] == ["", "1", "2"]
    first, second, third = (fields for _, _, fields in table.rows[:3])
    assert [field.word for field in (*first, *second, *third)] == [
        "within the band", "within the band", "ahead", "behind", "not resolved", "not resolved",
    ]  # fmt: skip
    assert (second[0].text, second[0].interval) == ("55.0 %", "53.0 to 57.0 %")
    assert [field.text for field in table.rows[3][2]] == ["no battle was decided"] * 2
    said = texts(plot.svg)
    assert "all cells together" in said and said.count("no battle was decided") == 4
    assert "shaded: within 2 pp" in " ".join(said) and "% of decided battles" in said
    assert style.BAND in plot.svg


def test_of_one_battle_there_is_no_row_for_all_together() -> None:
    assert [label for label, _, _ in table_of(told("one battle")["edges"]).rows] == ["1"]


# Damage


def test_most_damage_is_named_for_either_side() -> None:
    def done(point: Any, source: str, side: str) -> float:
        return {"rams": 20.0, "fire": 30.0 if side == "b" else 0.0}.get(source, 1.0)

    document = fought({"size": [3, 5]}, damage=done)
    assert damage.says(document) == [
        "A does most by rams: 20.00 (19.50 to 20.50) hits in every cell.",
        "B does most by fire: 30.00 (29.50 to 30.50) hits in every cell.",
    ]
    said = texts(drawn_by(damage, document))
    assert "own collisions" in said and "set apart: what it does to itself (own collisions)" in " ".join(said)


def test_a_side_that_does_no_damage_is_said_to_do_none() -> None:
    document = fought({"size": [3, 5]}, damage=lambda point, source, side: 0.0 if side == "a" else 2.0)
    assert damage.says(document)[0] == "A does no damage."


def test_sources_there_is_no_look_for_are_gathered_and_all_in_the_table() -> None:
    document = SHAPES["many sources"]
    shown = damage._shown(document)
    assert len(shown) == len(style.FILLS) and list(shown)[-1] == damage.REST
    gathered = {name for columns in shown.values() for part in columns for name in part}
    assert gathered == {name for columns in document["fight"]["damage"].values() for name in columns}
    assert len(table_of(told("many sources")["damage"]).columns) == 2 * 15
    plot = told("many sources")["damage"]
    assert damage.REST in texts(plot.svg)


# Skill


def test_skill_has_a_panel_a_combination_and_a_mark_a_rung() -> None:
    plot = told("skill")["skill"]
    assert plot.section == "Does the answer depend on skill?"
    said = texts(plot.svg)
    assert said.count("hold") == said.count("random") == said.count("greedy") == 2
    assert {"size 3", "size 5", "level line: Wheels; shaded: within 2 pp"} <= set(said)
    table = table_of(plot)
    assert table.columns == ["difference", "change up to greedy"]
    assert [what.rpartition(", ")[2] for _, what, _ in table.rows] == ["hold", "random", "greedy"] * 2
    rows = {row["cell"]: row for row in SHAPES["skill"]["verdict"]["rows"]}
    for label, _, fields in table.rows:
        value = stats.format_estimate(estimate_of(rows[int(label)]), "points")
        assert fields[0].text.lstrip("+") == value.lstrip("+") and fields[0].interval and fields[0].word
    assert [bool(fields[1].text) for _, _, fields in table.rows] == [True, True, False] * 2


def test_skill_of_one_side_says_whose() -> None:
    plot = told("skill of one side")["skill"]
    assert plot.title == "'finished' against the target of 50 %, by rung of skill (policy)"
    assert table_of(plot).columns == ["finished", "change up to greedy"]


def test_skill_against_one_rung_has_no_changes() -> None:
    plot = told("against a rung")["skill"]
    assert table_of(plot).columns == ["difference"]
    assert "greedy" not in [text for text in texts(plot.svg) if text in ("hold", "random", "greedy")]


def test_more_combinations_than_there_is_room_for_are_counted() -> None:
    """Their verdicts as bars of counts; where there are none the panels that are left out."""
    axes = {**BY_SKILL, "size": list(range(14))}
    document = by_skill(fought(axes, baseline={"sides.a.design": "Wheels"}))
    said = texts(drawn_by(skill, document))
    assert {"all 42 together", "hold", "random", "greedy", "comparisons"} <= set(said)
    assert not [text for text in said if text.startswith("size")]
    assert skill.alt(document).startswith("Bars of counts.")
    measured = by_skill(fought({key: axes[key] for key in ("size", "policy")}))
    assert "2 further panels not shown" in texts(drawn_by(skill, measured))
    assert skill.alt(measured).startswith("14 panels.")


def test_bars_of_counts_have_a_row_a_variant_and_count_every_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    axes = {"sides.a.design": ["Wheels", "Legs", "Sails"], "size": list(range(14)), "policy": ["hold", "greedy"]}
    document = by_skill(fought(axes, baseline={"sides.a.design": "Wheels"}, within=0.05))
    bars: list[list[stacks.Part]] = []
    monkeypatch.setattr(stacks, "draw", lambda frame, y, parts: bars.append(list(parts)))
    said = texts(drawn_by(skill, document))
    assert {"Legs", "Sails"} <= set(said) and "Wheels" not in said
    assert [sum(part.size for part in bar) for bar in bars] == [14.0] * 4
    words_of = [row["word"] for row in document["verdict"]["rows"]]
    higher = sum(part.size for bar in bars for part in bar if part.name == "higher")
    assert higher == words_of.count("higher") > 0
    assert len({(fill.colour, fill.hatch) for fill in tallies.LOOKS.values()}) == len(tallies.LOOKS)
