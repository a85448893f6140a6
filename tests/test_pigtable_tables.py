"""Tables: what a file may say, and every mistake by its code (P-TAB-1 to P-TAB-5, P-TAB-7)."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from simkit.games.pigtable.game import Rules, Scenario, complaints
from simkit.games.pigtable.kinds import Form
from simkit.games.pigtable.shapes import Outline, anticlockwise, near, overlap, within
from simkit.games.pigtable.tables import Ground, Mistake, read_table, shipped

CASES = json.loads((Path(__file__).parent / "cases" / "pig_tables.json").read_text(encoding="utf-8"))
SQUARE = [[2, 2], [4, 2], [4, 4], [2, 4]]


def read(*pieces: dict[str, Any], **more: Any) -> tuple[Ground, list[Mistake]]:
    """Read a square table with these pieces."""
    named = [{"name": f"piece {k + 1}", **piece} for k, piece in enumerate(pieces)]
    return read_table({"schema": 1, "shape": "square", "size": 24, **more, "piece": named}, Rules())


def codes(*pieces: dict[str, Any], **more: Any) -> list[str]:
    """Return the codes of what is wrong."""
    return [mistake.code for mistake in read(*pieces, **more)[1]]


@pytest.mark.parametrize("case", CASES["errors"], ids=[case["why"] for case in CASES["errors"]])
def test_every_public_mistake_has_its_code(case: dict[str, Any]) -> None:
    """P-TAB-5."""
    mistakes = read_table(case["table"], Rules())[1]
    assert [mistake.code for mistake in mistakes] == [case["error"]]


@pytest.mark.parametrize("name", CASES["tables"])
def test_the_shipped_tables_are_those_of_record(name: str) -> None:
    """P-TAB-7: and they are the same after half a turn."""
    ground, mistakes = read_table(shipped()[name], Rules())
    wanted = read_table(CASES["tables"][name], Rules())[0]
    assert (mistakes, ground.pieces, ground.starts, ground.pig) == ([], wanted.pieces, wanted.starts, wanted.pig)

    def turned(shape: Outline) -> Any:
        points = [(-x, -y) for x, y in shape.points]
        return shape.form, frozenset(points), shape.radius

    for piece in ground.pieces:
        shapes = [{turned(one) for one in (other.outline, *other.levels)} for other in ground.pieces]
        own = {(one.form, frozenset(one.points), one.radius) for one in (piece.outline, *piece.levels)}
        assert own in shapes


def test_a_number_off_the_grid_names_the_nearest_two() -> None:
    """P-TAB-1: one unit is 1/64 inch."""
    (mistake,) = read({"kind": "obstacle", "disc": [0.3, 5, 1]})[1]
    assert "0.296875 and 0.3125" in mistake.message and mistake.piece == "piece 1"
    assert read({"kind": "obstacle", "disc": [0.296875, 5, 1]})[0].pieces[0].outline.points == ((19, 320),)


@pytest.mark.parametrize(
    ("piece", "code"),
    [
        ({"kind": "swamp", "disc": [0, 5, 1]}, "unknown_kind"),
        ({"kind": "bog", "bog": "mire", "disc": [0, 5, 1]}, "unknown_bog"),
        ({"kind": "wall", "disc": [0, 5, 1]}, "wrong_shape"),
        ({"kind": "obstacle", "disc": [0, 5]}, "wrong_shape"),
        ({"kind": "obstacle", "disc": [0, 5, 0]}, "wrong_shape"),
        ({"kind": "obstacle"}, "wrong_shape"),
        ({"kind": "wall", "line": [[1, 5], [1, 5]]}, "wrong_shape"),
        ({"kind": "obstacle", "polygon": [[2, 2], [4, 2]]}, "wrong_shape"),
        ({"kind": "obstacle", "polygon": [[2, 2], [4, 2], [3, 3], [4, 4], [2, 4]]}, "not_convex"),
        ({"kind": "obstacle", "polygon": [[2, 2], [3, 2], [4, 2], [4, 4]]}, "not_convex"),
        ({"kind": "obstacle", "polygon": SQUARE, "bog": "ford"}, "wrong_shape"),
        ({"kind": "obstacle", "disc": [11.5, 5, 1]}, "off_table"),
        ({"kind": "hill", "polygon": SQUARE, "levels": [{"polygon": [[1, 2], [4, 2], [4, 4]]}]}, "not_nested"),
        ({"kind": "hill", "polygon": SQUARE, "top": "rounded"}, "wrong_shape"),
        ({"kind": "hill", "disc": [6, 6, 5], "levels": [{"disc": [6, 6, 4]}] * 5}, "too_many"),
        ({"kind": "ramp", "line": [[2, 5], [4, 5]]}, "ramp_without_chasm"),
    ],
)
def test_mistakes_of_one_piece(piece: dict[str, Any], code: str) -> None:
    """P-TAB-3 to P-TAB-5."""
    assert codes(piece) == [code]


def test_everything_wrong_is_told_at_once_by_name() -> None:
    """P-TAB-5."""
    ground = [
        {"kind": "bog", "bog": "mire", "disc": [0.3, 5, 1]},
        {"kind": "rock"},
        {"kind": "wall", "line": [[9, 9], [20, 9]]},
    ]
    found = read(*ground, pig=[30, 0], starts=[[0, 0]] * 7)[1]
    assert {one.code for one in found} == {
        "unknown_bog", "not_on_grid", "unknown_kind", "off_table", "bad_start", "too_many"
    }  # fmt: skip
    assert {one.piece for one in found} >= {"piece 1", "piece 2", "piece 3", "the pig", "start 2", "the table"}
    assert codes(*[{"kind": "wall", "line": [[k / 2, 3], [k / 2, 4]]} for k in range(17)]) == ["too_many"]


def test_what_may_touch_and_what_may_not() -> None:
    """P-TAB-5: interiors must not overlap; solids may stand on hills, shared ends and sides are legal."""
    bog = {"kind": "bog", "bog": "ford", "polygon": SQUARE}
    beside = {"kind": "bog", "bog": "swamp", "polygon": [[4, 2], [6, 2], [6, 4], [4, 4]]}
    assert codes(bog, beside) == []
    assert codes(bog, {"kind": "obstacle", "disc": [4.5, 3, 0.5]}) == []
    assert codes(bog, {"kind": "obstacle", "disc": [4.5, 3, 0.515625]}) == ["overlap"]
    assert codes(bog, {"kind": "wall", "line": [[0, 2], [9, 2]]}) == []
    assert codes(bog, {"kind": "wall", "line": [[0, 3], [9, 3]]}) == ["overlap"]
    hill = {"kind": "hill", "polygon": SQUARE, "levels": [{"polygon": SQUARE}]}
    assert codes(hill, {"kind": "wall", "line": [[0, 3], [9, 3]]}) == []
    assert codes(hill, bog) == ["overlap"] and codes({"kind": "hill", "polygon": SQUARE}, bog) == []
    cross = [{"kind": "wall", "line": [[5, 5], [7, 7]]}, {"kind": "fence", "line": [[5, 7], [7, 5]]}]
    assert codes(*cross) == ["overlap"]
    assert codes(cross[0], {"kind": "fence", "line": [[7, 7], [9, 5]]}) == []
    assert codes(cross[0], {"kind": "fence", "line": [[6, 6], [9, 9]]}) == ["overlap"]


def test_a_ramp_bridges_a_gap_that_is_wide_enough() -> None:
    """P-TAB-4, P-TAB-5: at least two radii and two units."""

    def gap(wide: float) -> list[str]:
        chasms = [[[-4, 5], [0, 5]], [[wide, 5], [6, 5]]]
        lines = [{"kind": "chasm", "line": line} for line in chasms]
        return codes(*lines, {"kind": "ramp", "line": [[0, 5], [wide, 5]]})

    assert gap(66 / 64) == [] and gap(65 / 64) == ["ramp_too_narrow"]


def test_levels_of_hills() -> None:
    """P-TAB-4, P-UP-3: a rounded top rises every two inches; a hill that says nothing of levels has none."""
    dome = read({"kind": "hill", "disc": [6, 6, 5], "top": "rounded"})[0].pieces[0]
    assert [level.radius for level in dome.levels] == [3 * 64, 64]
    assert read({"kind": "hill", "disc": [6, 6, 5]})[0].pieces[0].levels == ()
    higher = read_table({"shape": "square", "piece": [{"kind": "hill", "disc": [6, 6, 5], "top": "rounded"}]},
                        Rules(level_every=4))[0]  # fmt: skip
    assert [level.radius for level in higher.pieces[0].levels] == [64]


def test_shapes() -> None:
    """P-TAB-3: nearer than the reach is near, touching is not."""
    disc = Outline(Form.DISC, ((0, 0),), 10)
    line = Outline(Form.LINE, ((0, 0), (100, 0)))
    assert near(disc, (0, 41), 32) and not near(disc, (0, 42), 32)
    assert near(line, (50, 31), 32) and not near(line, (50, 32), 32) and near(line, (-31, 0), 32)
    corners = [(0, 0), (0, 8), (8, 8), (8, 0)]
    square = Outline(Form.POLYGON, anticlockwise(corners) or ())
    assert set(square.points) == set(corners)
    assert near(square, (4, 4), 1) and not near(square, (4, 9), 1)
    assert within(Outline(Form.DISC, ((4, 4),), 4), square) and not within(Outline(Form.DISC, ((4, 4),), 5), square)
    assert overlap(square, Outline(Form.DISC, ((12, 4),), 5)) and not overlap(square, Outline(Form.DISC, ((12, 4),), 4))
    pentagram = [(0, 10), (6, -8), (-10, 3), (10, 3), (-6, -8)]
    assert anticlockwise(pentagram) is None


def test_complaints_of_a_scenario_lead_to_the_place() -> None:
    """P-TAB-5, P-TAB-7, P-GAM-5, P-GAM-15."""

    def told(rules: dict[str, Any] | None = None, **data: Any) -> list[tuple[Any, str]]:
        found = complaints(Scenario.model_validate(data), Rules(**(rules or {})))
        return [(one.path, one.message) for one in found]

    assert told() == []
    ((path, message),) = told(scenario={"table": "meadow"})
    assert path == ("scenario", "table") and "meadow" in message
    assert "fords" in told(scenario={"table": "desert", "without": ["fords"]})[0][1]
    assert "4 starts for 6 lancers" in told(scenario={"table": "desert", "seats": 6})[0][1]
    table = {"shape": "round", "piece": [{"kind": "obstacle", "name": "shed", "disc": [0.3, 5, 1]}]}
    assert told(scenario={"table": table, "seats": 2})[0][0] == ("scenario", "table", "piece", 0, "disc")
    assert "free" in told({"free_facing": False})[0][1]
    blocked = told(route={"table": "paddock", "from": [-10, 0], "via": [[-4, 0]]})
    assert blocked[0][0] == ("route", "via", 0) and "[blocked_point]" in blocked[0][1]
    assert "[bad_start]" in told(route={"table": "paddock", "from": [-4, 0]})[0][1]
    assert "[not_on_grid]" in told(route={"table": "paddock", "from": [-4.3, 0]})[0][1]
    assert re.search("stop needs a point", told(route={"table": "paddock", "from": [-9, 0], "target": "stop"})[0][1])
