"""The plain twin of a table: published cases, geometry in lattice points, errors of tables (P-TAB-1 to P-TAB-7)."""

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.naive.pigtable.exact import (
    METRICS,
    begin_route,
    best_chance,
    ground_of,
    mean_chance,
    plan_of,
    values_of_route,
)
from tests.naive.pigtable.fields import DEFAULTS, rules_of
from tests.naive.pigtable.lines import Event, Ground, row
from tests.naive.pigtable.rulings import RULINGS
from tests.naive.pigtable.scenes import errors_of, file_of, table_of
from tests.naive.pigtable.shapes import Disc, Line, Polygon, is_convex
from tests.naive.pigtable.table import Table, TableError, read_table
from tests.naive.pigtable.tasks import tasks_of
from tests.naive.pigtable.worth import Rider, Walk, exact

FILE = json.loads((Path(__file__).parent / "cases" / "pig_tables.json").read_text(encoding="utf-8"))
RULES = rules_of({})
WEST = (-640, 0)


def published(name: str, *, bare: bool = False) -> Table:
    """Return a published table."""
    told = FILE["tables"][name]
    return read_table({**told, "starts": []} if bare else told, RULES)


def spelled(event: Event) -> list[Any]:
    """Write an event as the file does."""
    word = event.what
    if word in ("enter", "leave", "contact"):
        word += f" {event.kind}"
    elif word in ("cross", "ramp"):
        word += f" (clear again at index {event.clear})"
    return [event.index, [*event.end], word]


def across(west: float, east: float) -> list[list[float]]:
    """Return a box 4 inches high."""
    return [[west, -2], [east, -2], [east, 2], [west, 2]]


def words(ground: Ground, a: tuple[int, int], b: tuple[int, int]) -> list[str]:
    """Return the events of a leg shortly."""
    return [f"{event.index} {event.what} {event.kind}".strip() for event in ground.events(a, b)]


# Published values


def test_defaults_are_those_of_the_file() -> None:
    assert {name: DEFAULTS[name] for name in FILE["defaults"]} == FILE["defaults"]
    assert (len(FILE["cases"]), len(FILE["errors"])) == (11, 6)


@pytest.mark.parametrize("case", FILE["cases"], ids=[case["name"] for case in FILE["cases"]])
def test_routes_of_the_file(case: dict[str, Any]) -> None:
    """Events, tasks and exact values of every published route (P-TAB-2, P-TAB-6, P-TAB-7, P-GAM-6, P-GAM-7)."""
    rules = rules_of(case["rules"])
    table = published(case["table"], bare=True)
    pig, lancers, route = tuple(case["pig"]), [tuple(p) for p in case["lancers"]], [tuple(p) for p in case["route"]]
    ground = ground_of(table, rules, pig, lancers)
    plan = plan_of(route, case["target"], pig)
    ends = [route[0], *plan.points]
    events = [[spelled(event) for event in ground.events(a, b)] for a, b in pairwise(ends)]
    assert events == case["events"]
    tasks = tasks_of(ground, rules, route[0], plan)
    assert tasks == case["tasks"]
    values = values_of_route(table, case["rules"], pig, lancers, route, case["target"], case["damage"])
    assert values == {name: Fraction(case["values"][name]) for name in METRICS}
    # P-GAM-22: one product comes to the same.
    worth = exact(Walk(ground, rules, Rider(), route[0], plan).steps)
    assert worth == tuple(values[name] for name in ("rump", "wounded", "killed"))


@pytest.mark.parametrize("case", FILE["errors"], ids=[case["why"] for case in FILE["errors"]])
def test_errors_of_the_file(case: dict[str, Any]) -> None:
    """The code of every published error (P-TAB-5)."""
    with pytest.raises(TableError) as caught:
        read_table(case["table"], RULES)
    assert [error.code for error in caught.value.errors] == [case["error"]]


@pytest.mark.parametrize(
    ("name", "mean", "cells"),
    [
        ("desert", "80947/174528", 404),
        ("hill-and-swamp", "21607055/60046272", 572),
        ("paddock", "63/286", 572),
        ("chasm", "6055/21816", 404),
    ],
)
def test_mean_chances_of_the_tables(name: str, mean: str, cells: int) -> None:
    """The mean chance with one leg over the cells where a lancer may stand (P-GAM-24)."""
    assert mean_chance(published(name), RULES) == (Fraction(mean), cells)


@pytest.mark.parametrize(
    ("name", "start", "straight", "one_turn"),
    [
        ("desert", (640, 0), "169/324", "169/324"),
        ("desert", (0, 640), "175/1728", "2197/5832"),
        ("hill-and-swamp", (576, 0), "455/3888", "65/216"),
        ("hill-and-swamp", (0, -640), "7/12", "7/12"),
        ("paddock", (640, 0), "91/216", "91/216"),
        ("paddock", (0, 640), "0", "1183/3888"),
        ("chasm", (0, 640), "91/216", "91/216"),
        ("chasm", (640, 0), "7/12", "7/12"),
    ],
)
def test_chances_of_the_starts(name: str, start: tuple[int, int], straight: str, one_turn: str) -> None:
    """The straight ride, and the best one with up to two legs (P-GAM-20, P-GAM-24)."""
    table = published(name)
    assert values_of_route(table, {}, (0, 0), [], [start], "pig")["rump"] == Fraction(straight)
    assert best_chance(table, RULES, start) == Fraction(one_turn)


# Geometry


def test_a_leg_is_its_row_of_lattice_points() -> None:
    """P-TAB-2: halves are rounded away from zero, so that turned and mirrored legs are the same legs."""
    xs, ys = row((0, 0), (4, 2))
    assert list(zip(xs.tolist(), ys.tolist(), strict=True)) == [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)]
    for dx, dy in ((7, 3), (5, -4), (-6, 1), (0, 9), (12, 12)):
        xs, ys = row((0, 0), (dx, dy))
        back = row((0, 0), (-dx, -dy))
        assert (-xs).tolist() == back[0].tolist()
        assert (-ys).tolist() == back[1].tolist()
        mirrored = row((0, 0), (dx, -dy))
        assert (-ys).tolist() == mirrored[1].tolist()
    # Carried on by whole multiples the row goes on as it began (T-1).
    near, far = row((0, 0), (7, 3)), row((0, 0), (21, 9))
    assert far[1][:8].tolist() == near[1].tolist()
    assert (far[1][7:15] - 3).tolist() == near[1].tolist()


def test_the_ray_ends_off_the_table() -> None:
    """P-TAB-2: the least whole multiple."""
    ground = ground_of(table_of(), RULES, (0, 0))
    assert ground.ray((0, -600), (100, -600)) == (800, -600)
    assert ground.ray((0, 300), (0, 364)) == (0, 812)


def test_borders_belong_to_levels_but_not_to_bogs() -> None:
    """P-TAB-3: areas go by the middle of the base, solids by the base, and touching is free."""
    square = Polygon(((0, 0), (64, 0), (64, 64), (0, 64)))
    assert square.holds(0, 30, border=True)
    assert not square.holds(0, 30, border=False)
    assert Disc(0, 0, 64).holds(64, 0, border=True)
    assert not Disc(0, 0, 64).holds(64, 0, border=False)
    assert not square.nearer(32, -32, 30)
    assert square.nearer(32, -31, 30)
    assert square.nearer(32, -22, -22)  # 31.1 off the corner
    assert not square.nearer(32, -23, -23)
    line = Line((0, 0), (30, 40))
    assert line.nearer(5, 10, 20) is (abs(30 * 20 - 40 * 10) < 5 * 50)
    assert not line.nearer(32, 30, 72)
    assert Disc(0, 0, 32).nearer(32, 63, 0)
    assert not Disc(0, 0, 32).nearer(32, 64, 0)
    assert Polygon(square.corners[::-1]).holds(1, 1, border=False)


def test_the_edge_of_round_and_square_tables() -> None:
    """P-TAB-3: a base may touch the edge."""
    assert not table_of().beyond(32, 736, -736)
    assert table_of().beyond(32, 737, 0)
    assert not table_of(shape="round").beyond(32, 0, 736)
    assert table_of(shape="round").beyond(32, 521, 521)


def test_levels_of_hills() -> None:
    """P-TAB-4: a rounded hill has a level every 2 inches; the height is the number of levels that hold a point."""
    table = table_of({"kind": "hill", "disc": [0, 5, 5], "top": "rounded"}, pig=[-8, 0])
    assert table.pieces[0].levels == (Disc(0, 320, 192), Disc(0, 320, 64))
    assert [table.height(0, y) for y in (320, 256, 255, 128, 127)] == [2, 2, 1, 1, 0]


def test_events_at_one_index_have_an_order() -> None:
    """P-TAB-6: down, leave, up, enter, then contacts; levels and bogs that touch are left and entered together."""
    boxes = across(-8, -4), across(-2, 2)
    hill, top = ({"kind": "hill", "polygon": box, "levels": [{"polygon": box}]} for box in boxes)
    bog = {"kind": "bog", "bog": "ford", "polygon": across(-4, -2)}
    table = table_of(bog, hill, top, pig=[8, 0])
    ground = ground_of(table, RULES, (512, 0))
    assert words(ground, (-512, 0), (512, 0)) == [
        "257 down", "257 enter ford", "384 leave ford", "384 up", "641 down", "960 contact pig"
    ]  # fmt: skip
    # What holds the first point is no event (T-6).
    assert words(ground, (-200, 0), (-150, 0)) == []
    assert words(ground, (-129, 0), (-100, 0)) == ["1 leave ford", "1 up"]


def test_contact_is_at_the_last_free_point() -> None:
    """P-TAB-6: pig before lancer, lancer before obstacle, each at the point before its base is met."""
    rock = {"kind": "obstacle", "disc": [0, 0, 1]}
    ground = ground_of(table_of(rock, pig=[8, 0]), RULES, (512, 0), [(-640, 200)])
    assert words(ground, (-640, 0), (512, 0)) == ["544 contact obstacle"]
    assert words(ground, (-640, 100), (-640, 300)) == ["36 contact lancer"]
    both = Ground(
        ground.table, 32, [*ground.figures[:1], *[s._replace(shape=Disc(0, 64, 32)) for s in ground.figures[1:]]]
    )
    assert words(both, (0, 300), (0, 0)) == ["172 contact lancer"]


def test_passable_lines_need_room() -> None:
    """P-TAB-6: met before the first and clear after the last point; without room a fence is a wall, a ramp a chasm."""
    fence = {"kind": "fence", "line": [[-4, -2], [-4, 2]]}
    free = ground_of(table_of(fence), RULES, (0, 0))
    assert words(free, (-640, 0), (-100, 0)) == ["352 cross fence"]
    assert free.events((-640, 0), (-100, 0))[0].clear == 416
    assert words(free, (-640, 0), (-224, 0)) == ["352 cross fence"]
    assert words(free, (-640, 0), (-225, 0)) == ["352 contact wall"]  # the leg ends before he is clear
    assert words(free, (-640, 150), (-100, 150)) == [
        "360 cross fence"
    ]  # only its end is brushed: 22 aside, 23.2 before it
    assert words(free, (-640, 0), (0, 0)) == ["352 cross fence", "576 contact pig"]
    close = ground_of(table_of(fence), RULES, (-184, 0))
    assert words(close, (-640, 0), (-184, 0)) == ["352 contact wall"]  # the pig behind it leaves no room
    behind = ground_of(table_of(fence), RULES, (0, 0), [(-190, 40)])
    assert words(behind, (-640, 0), (-100, 0)) == ["352 contact wall"]
    ends = [{"kind": "chasm", "line": [[-4, -6], [-4, -1]]}, {"kind": "chasm", "line": [[-4, 1], [-4, 6]]}]
    ramp = {"kind": "ramp", "line": [[-4, -1], [-4, 1]]}
    bridge = ground_of(table_of(*ends, ramp), RULES, (0, 0))
    assert words(bridge, (-640, 0), (-100, 0)) == ["352 ramp ramp"]
    assert words(bridge, (-640, 40), (-100, 40)) == ["352 contact chasm"]
    assert bridge.events((-640, 40), (-100, 40))[0].number == 2  # the ramp itself


def test_areas_between_the_sides_of_a_fence() -> None:
    """P-TAB-6: area events with index in (j, k] happen at k; T-4: both of an area that lies between."""
    fence = {"kind": "fence", "line": [[-4, -2], [-4, 2]]}
    bog = {"kind": "bog", "bog": "ford", "polygon": [[-4, -2], [-2, -2], [-2, 2], [-4, 2]]}
    wide = ground_of(table_of(fence, bog), RULES, (640, 0))
    assert words(wide, (-640, 0), (0, 0)) == ["352 cross fence", "416 enter ford", "512 leave ford"]
    assert [event.moved for event in wide.events((-640, 0), (0, 0))] == [False, True, False]
    ditch = {"kind": "bog", "bog": "ford", "polygon": [[-4, -2], [-3.75, -2], [-3.75, 2], [-4, 2]]}
    thin = ground_of(table_of(fence, ditch), RULES, (640, 0))
    assert words(thin, (-640, 0), (0, 0)) == ["352 cross fence", "416 leave ford", "416 enter ford"]


def test_walls_of_a_leg_and_lines_of_a_ray() -> None:
    """T-3: what comes first where wall, chasm and fence are met at once."""
    fence = {"kind": "fence", "line": [[-4, 0], [-4, 2]]}
    chasm = {"kind": "chasm", "line": [[-4, -2], [-4, 0]]}
    ground = ground_of(table_of(chasm, fence), RULES, (640, 0))
    assert words(ground, (-640, 0), (0, 0)) == ["352 contact wall"]
    assert ground.first_contact((-641, 0), (-640, 0)).kind == "chasm"
    assert [event.kind for event in ground.runaway((-641, 0), (-640, 0))] == ["chasm"]


def test_mirrored_and_turned_tables_have_the_same_events() -> None:
    """P-TAB-2: the published tables lie still under a half turn, and so do their legs."""
    for name in FILE["tables"]:
        ground = ground_of(published(name), RULES, (0, 0))
        for k in range(12):
            a, b = (-640 + 31 * k, 300 - 17 * k), (500 - 77 * k, -410 + 13 * k)
            if not (ground.free(a) and ground.free((-a[0], -a[1]))):
                continue
            one = ground.events(a, b)
            other = ground.events((-a[0], -a[1]), (-b[0], -b[1]))
            assert [(e.index, e.what, e.kind, e.clear) for e in one] == [
                (e.index, e.what, e.kind, e.clear) for e in other
            ]
            assert [(-e.end[0], -e.end[1]) for e in one] == [e.end for e in other]


# Errors (P-TAB-1, P-TAB-5)

BOX = [[2, 2], [4, 2], [4, 4], [2, 4]]


def bog(*corners: list[float]) -> dict[str, Any]:
    """Return a bog."""
    return {"kind": "bog", "bog": "ford", "polygon": [*corners]}


def hill(*levels: dict[str, Any]) -> dict[str, Any]:
    """Return a hill in the box."""
    return {"kind": "hill", "polygon": BOX, "levels": [*levels]}


def line(kind: str, *points: list[float]) -> dict[str, Any]:
    """Return a line."""
    return {"kind": kind, "line": [*points]}


@pytest.mark.parametrize(
    ("pieces", "codes"),
    [
        ([{"kind": "tree", "disc": [3, 3, 1]}], ["unknown_kind"]),
        ([{"kind": "bog", "bog": "mire", "disc": [3, 3, 1]}], ["unknown_bog"]),
        ([{"kind": "wall", "disc": [3, 3, 1]}], ["wrong_shape"]),
        ([{"kind": "bog", "bog": "ford", "line": [[1, 1], [2, 2]]}], ["wrong_shape"]),
        ([{"kind": "obstacle", "disc": [3, 3, 1], "polygon": BOX}], ["wrong_shape"]),
        ([{"kind": "obstacle", "disc": [3, 3, 0]}], ["wrong_shape"]),
        ([bog([2, 2], [4, 4])], ["wrong_shape"]),
        ([bog(*[[k, k * k / 4] for k in range(-4, 5)])], ["wrong_shape"]),
        ([line("wall", [3, 3], [3, 3])], ["wrong_shape"]),
        ([{"kind": "hill", "polygon": BOX, "top": "rounded"}], ["wrong_shape"]),
        ([bog([2, 2], [6, 2], [3, 3], [2, 6])], ["not_convex"]),
        ([bog([2, 2], [4, 2], [6, 2], [4, 4])], ["not_convex"]),
        ([{"kind": "obstacle", "disc": [11, 3, 1.015625]}], ["off_table"]),
        ([hill({"disc": [3, 3, 1]}, {"disc": [3.5, 3, 0.515625]})], ["not_nested"]),
        ([hill({"disc": [3, 3, 1.015625]})], ["not_nested"]),
        ([{"kind": "hill", "disc": [3, 3, 1], "levels": [{"polygon": BOX}]}], ["not_nested"]),
        ([{"kind": "hill", "disc": [0, 0, 11], "top": "rounded"}], ["too_many"]),
        ([bog(*BOX), bog([3, 3], [6, 3], [6, 6])], ["overlap"]),
        ([bog(*BOX), bog([4, 2], [6, 2], [6, 4], [4, 4])], []),
        ([bog(*BOX), {"kind": "obstacle", "disc": [4.5, 3, 0.5]}], []),
        ([bog(*BOX), {"kind": "obstacle", "disc": [4.5, 3, 0.515625]}], ["overlap"]),
        ([bog(*BOX), line("fence", [1, 3], [3, 3])], ["overlap"]),
        ([bog(*BOX), line("fence", [4, 1], [4, 5])], []),
        ([{"kind": "obstacle", "disc": [3, 3, 1]}, line("wall", [4, 1], [4, 6])], []),
        ([{"kind": "obstacle", "disc": [3, 3, 1]}, line("wall", [3.984375, 1], [3.984375, 6])], ["overlap"]),
        ([line("wall", [2, 2], [4, 4]), line("fence", [2, 4], [4, 2])], ["overlap"]),
        ([line("wall", [2, 2], [4, 4]), line("fence", [3, 3], [4, 2])], []),
        ([line("wall", [2, 2], [4, 4]), line("fence", [4, 4], [4, 2])], []),
        ([line("wall", [2, 2], [4, 4]), line("fence", [3, 3], [5, 5])], ["overlap"]),
        ([line("wall", [2, 2], [4, 4]), line("fence", [4, 4], [5, 5])], []),
        ([hill(), {"kind": "hill", "disc": [4.5, 3, 1]}], ["overlap"]),
        ([hill({"disc": [3, 3, 0.5]}), bog([2, 2], [4, 2], [3, 2.5])], []),
        ([hill({"disc": [3, 3, 0.5]}), line("wall", [1, 3], [5, 3])], []),
        ([line("ramp", [2, 3], [4, 3])], ["ramp_without_chasm"]),
        ([line("chasm", [0, 3], [2, 3]), line("ramp", [2, 3], [4, 3])], ["ramp_without_chasm"]),
        ([line("chasm", [1, 3], [2, 3]), line("ramp", [2, 3], [4, 3]), line("chasm", [4, 3], [5, 3])], []),
        (
            [line("chasm", [1, 3], [2, 3]), line("ramp", [2, 3], [3.015625, 3]), line("chasm", [3.015625, 3], [5, 3])],
            ["ramp_too_narrow"],
        ),
        ([{"kind": "obstacle", "disc": [-11 + 1.25 * k, 11, 0.5]} for k in range(16)], []),
        (
            [{"kind": "obstacle", "disc": [-11 + 1.25 * k, 11, 0.5]} for k in range(17)],
            ["too_many"],
        ),
    ],
)  # fmt: skip
def test_errors_of_pieces(pieces: list[dict[str, Any]], codes: list[str]) -> None:
    """What makes a piece, or two of them, wrong."""
    assert [code for code, _ in errors_of(*pieces)] == codes


def test_errors_of_figures_and_numbers() -> None:
    """Starts, the pig and numbers off the grid; all errors of a file at once, each with its piece."""
    assert errors_of(starts=[[0, 0.984375]]) == [("bad_start", "start 1")]
    assert errors_of(starts=[[0, 1], [1, 0]]) == []
    assert errors_of(starts=[[5, 5], [5.5, 5]]) == [("bad_start", "start 2")]
    assert errors_of(pig=[11.75, 0]) == [("bad_start", "pig")]
    assert errors_of(starts=[[k, 5] for k in range(7)]) == [("too_many", "starts")]
    found = errors_of(
        {"kind": "tree", "name": "oak"}, {"kind": "bog", "name": "mire", "bog": "ford", "disc": [0.3, 3, 1]}
    )
    assert found == [("unknown_kind", "oak"), ("not_on_grid", "mire")]
    with pytest.raises(TableError, match=r"0\.296875 and 0\.3125"):
        read_table(file_of(pig=[0.3, 0]), RULES)


def test_convex() -> None:
    """A star turns to one hand all the way, but twice round."""
    assert is_convex([(0, 0), (4, 0), (4, 4), (0, 4)])
    assert is_convex([(0, 4), (4, 4), (4, 0), (0, 0)])
    assert not is_convex([(0, 10), (-6, -8), (10, 3), (-10, 3), (6, -8)])
    assert not is_convex([(0, 0), (4, 0), (0, 0), (0, 4)])


def test_routes_have_damage_of_their_own() -> None:
    """P-TAB-7: damage from before weighs on rolls and isn't counted as damage of this turn."""
    table = published("paddock")
    values = values_of_route(table, {"unicycle_damage": True}, (0, 0), [], [WEST], "pig", damage=1)
    assert values["rump"] == Fraction(21, 36) ** 2
    assert values["damaged"] == 0
    assert begin_route(table, {}, (0, 0), [], [WEST], "pig", 2).man.damage == 2


def test_rulings_name_rules() -> None:
    """Every reading is of a rule, and is numbered."""
    assert [name.split()[0] for name in RULINGS] == [f"T-{k}" for k in range(1, len(RULINGS) + 1)]
    assert all(name.split()[1].startswith("P-") for name in RULINGS)
