"""Legs, routes and what they are worth, exactly (P-TAB-2, P-TAB-6, P-GAM-6 to P-GAM-11, P-GAM-13, P-GAM-22)."""

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.core import jit
from simkit.games.pigtable import game, routes
from simkit.games.pigtable.compile import nearest
from simkit.games.pigtable.exact import Turn
from simkit.games.pigtable.judge import CERTAIN
from simkit.games.pigtable.kinds import Mark, Thing
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.scenario import Laid, Scenario
from simkit.games.pigtable.tables import Ground, read_table, shipped
from simkit.games.pigtickler.records import Kind

CASES = json.loads((Path(__file__).parent / "cases" / "pig_tables.json").read_text(encoding="utf-8"))
MARKS = {Mark.DOWN: "down", Mark.LEAVE: "leave", Mark.UP: "up", Mark.ENTER: "enter", Mark.CROSS: "cross",
         Mark.RAMP: "ramp"}  # fmt: skip
TASKS = {"up": Kind.LEVEL, "down": Kind.DOWN, "ramp": Kind.RAMP, "enter": Kind.ENTER, "leave": Kind.LEAVE,
         "cross": Kind.CROSS, "turn": Kind.TURN, "beside": Kind.BESIDE, "pig": Kind.PIG, "stop": Kind.STOP}  # fmt: skip
Event = tuple[int, tuple[int, int], str]


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    jit.ready("simkit.games.pigtable")


def turn_of(case: dict[str, Any]) -> Turn:
    """Return the turn of a public case."""
    rules = Rules(**case["rules"])
    ground, mistakes = read_table(CASES["tables"][case["table"]], rules)
    assert mistakes == []
    start, *via = map(tuple, case["route"])
    laid = Laid(start=start, via=tuple(via), pig=tuple(case["pig"]), lancers=tuple(map(tuple, case["lancers"])))
    return Turn(ground, rules, laid, case["target"], case["damage"])


def events(turn: Turn, number: int) -> list[Event]:
    """Return the events of a leg as it is ridden where all goes well: index, point, what."""
    routes.lay_out(turn.setup, turn.state, turn.damage, turn.via, turn.aim, number)
    leg = turn.state.leg

    def point(i: int) -> tuple[int, int]:
        n = int(leg.n)
        return int(leg.ax) + nearest(int(leg.dx) * i, n), int(leg.ay) + nearest(int(leg.dy) * i, n)

    found = []
    for k in range(int(leg.count)):
        mark = leg.marks[k]
        found.append((int(mark.index), point(int(mark.index)), MARKS[Mark(int(mark.kind))]))
    if leg.end != Thing.NOTHING:
        found.append((int(leg.stop), point(int(leg.stop)), f"contact {Thing(int(leg.end)).name.lower()}"))
    return found


each_case = pytest.mark.parametrize("case", CASES["cases"], ids=[case["name"] for case in CASES["cases"]])


@each_case
def test_the_events_of_public_legs(case: dict[str, Any]) -> None:
    """P-TAB-2, P-TAB-6: index, point and event of every one, in order."""
    turn = turn_of(case)
    for number, wanted in enumerate(case["events"]):
        found = events(turn, number)
        assert [(i, list(at)) for i, at, _ in found] == [(i, at) for i, at, _ in wanted]
        for (_, _, what), (_, _, words) in zip(found, wanted, strict=True):
            assert what == words or words.split()[0] == what


@each_case
def test_the_tasks_of_public_routes(case: dict[str, Any]) -> None:
    """P-GAM-6, P-GAM-7: a row of tasks; a contact on the flat, where he simply stops, asks for none."""
    turn, kinds = turn_of(case), []
    for number in range(len(case["events"])):
        routes.lay_out(turn.setup, turn.state, turn.damage, turn.via, turn.aim, number)
        kinds += [int(turn.state.course.tasks[t].kind) for t in range(int(turn.state.course.length))]
    wanted = []
    for task in case["tasks"]:
        name, value = (task, None) if isinstance(task, str) else next(iter(task.items()))
        if name == "avoid":
            wanted.append(Kind[str(value).upper()])
        elif name != "contact":
            wanted.append(TASKS[name])
        elif value == "pig":
            wanted.append(Kind.PIG)
    assert kinds == [int(kind) for kind in wanted]


@each_case
def test_public_routes_are_worth_what_they_should_be(case: dict[str, Any]) -> None:
    """P-TAB-7, P-GAM-8 to P-GAM-11, P-GAM-13: to the last digit."""
    values, situations = turn_of(case).solve()
    assert {name: str(values[name]) for name in case["values"]} == case["values"] and situations >= 1


@each_case
def test_what_players_think_of_a_route_is_what_it_is_worth(case: dict[str, Any]) -> None:
    """P-GAM-20, P-GAM-22: one product; harm is the sum over tasks."""
    turn = turn_of(case)
    values = turn.solve()[0]
    routes.judge_route(turn.setup, turn.state, turn.damage, turn.via, turn.aim)
    state = turn.state
    for name, thought in (("rump", state.rump), ("wounded", state.wounded), ("killed", state.dead)):
        assert abs(int(thought) - values[name] * CERTAIN) < 16, name


def random_turn(dice: random.Random) -> Turn | None:
    """Return a turn along a route on a shipped table, by chance; None where a point is blocked."""
    rules = Rules()
    ground = read_table(shipped()[dice.choice(list(shipped()))], rules)[0]
    points = [(dice.randint(-700, 700), dice.randint(-700, 700)) for _ in range(4)]
    free = [point for point in points if not ground.blocked_by(point, 32)]
    if len(free) < 4 or any((x - a) ** 2 + (y - b) ** 2 < 64**2 for x, y in free for a, b in free if (a, b) != (x, y)):
        return None
    start, pig, *via = free
    return Turn(ground, rules, Laid(start=start, via=tuple(via[: dice.randint(0, 2)]), pig=pig, lancers=()))


def test_thought_and_worth_agree_by_chance() -> None:
    """P-GAM-22: the product of the players beside the chain of all dice."""
    dice, played = random.Random(8), 0
    while played < 40:
        turn = random_turn(dice)
        if turn is not None:
            values = turn.solve()[0]
            routes.judge_route(turn.setup, turn.state, 0, turn.via, turn.aim)
            assert abs(int(turn.state.rump) - values["rump"] * CERTAIN) < 64
            assert abs(int(turn.state.wounded) - values["wounded"] * CERTAIN) < 256
            assert abs(int(turn.state.dead) - values["killed"] * CERTAIN) < 256
            played += 1


def moved(ground: Ground, change: Any) -> Ground:
    """Return a table with all points changed by a half turn or mirror."""

    def outline(shape: Any) -> Any:
        points = tuple(change(point) for point in shape.points)
        flipped = len(points) > 2 and change((1, 0))[0] * change((0, 1))[1] < 0
        return shape._replace(points=points[::-1] if flipped else points)

    pieces = tuple(
        piece._replace(outline=outline(piece.outline), levels=tuple(map(outline, piece.levels)))
        for piece in ground.pieces
    )
    return ground._replace(pieces=pieces, pig=change(ground.pig), starts=tuple(map(change, ground.starts)))


@pytest.mark.parametrize(
    "change",
    [lambda p: (-p[0], -p[1]), lambda p: (p[0], -p[1]), lambda p: (-p[0], p[1])],
    ids=["half turn", "mirror", "other mirror"],
)
def test_a_turned_or_mirrored_table_gives_the_same_ride(change: Any) -> None:
    """P-TAB-2: halves are rounded away from zero, so that no side of the table is preferred."""
    dice, played = random.Random(3), 0
    while played < 25:
        one = random_turn(dice)
        if one is None:
            continue
        played += 1
        figures = one.setup
        laid = Laid(
            start=change((int(figures.start_x[0]), int(figures.start_y[0]))),
            via=tuple(change(tuple(map(int, point))) for point in one.via),
            pig=change((int(figures.pig_x), int(figures.pig_y))),
            lancers=(),
        )
        ground = next(
            table
            for data in shipped().values()
            if int((table := read_table(data, Rules())[0]).round) == int(figures.round_table)
            and len([row for piece in table.pieces for row in (piece.levels or (piece.outline,))]) == int(figures.count)
            and int(figures.shapes[0].x[0]) == (table.pieces[0].levels or (table.pieces[0].outline,))[0].points[0][0]
        )
        other = Turn(moved(ground, change), Rules(), laid)
        assert one.solve() == other.solve()
        for number in range(len(one.via) + 1):
            turned = [(i, change(at), what) for i, at, what in events(one, number)]
            assert sorted(turned) == sorted(events(other, number))


def test_a_route_is_solved_and_played_alike() -> None:
    """P-TAB-7: `simkit exact` beside the kernel."""
    route = {"table": "hill-and-swamp", "from": [-9, 0], "via": [[-171 / 64, 414 / 64]]}
    scenario = Scenario.model_validate({"route": route})
    solved = game.exact(scenario, Rules()).metrics
    assert (solved["rump"], solved["runaway"]) == (Fraction(65, 216), Fraction(7, 12))
    from simkit.core.rng import make_key

    rows = np.zeros((4000, len(game.OUTCOMES)), np.int64)
    game.play_rows(game.compile(scenario, Rules()), game.new_state(), make_key(1), 0, 4000, rows)
    names = [metric.name for metric in game.OUTCOMES]
    for name, value in solved.items():
        assert value is not None
        mean = rows[:, names.index(name)].mean() / 60
        assert abs(mean - float(value)) < 0.04, name
