"""The plain twin of a Pig Tickler course against the published values and against hand-made trials."""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest

from tests.naive.pigtickler import DEFAULTS, METRICS, chances, enumerate_exact, play

FILE = json.loads((Path(__file__).parent / "cases" / "pig_courses.json").read_text(encoding="utf-8"))
CASES = FILE["cases"]
UNICYCLE = {"unicycle_damage": True}


def course(*steps: dict[str, Any], ahead: str = "edge", turns: int | None = 1) -> dict[str, Any]:
    """Write a course shortly."""
    return {"steps": list(steps), "ahead": ahead, "turns": turns}


def scripted(*throws: tuple[str, int]) -> tuple[Callable[[str, int, int], int], Iterator[tuple[str, int]]]:
    """Dice that fall as written, each for the purpose written beside it; the iterator shows what was left over."""
    left = iter(throws)

    def throw(purpose: str, task: int, attempt: int) -> int:
        expected, total = next(left, ("no more dice", 0))
        assert purpose == expected
        return total

    return throw, left


def trial(steps: dict[str, Any], dice: list[tuple[str, int]], **rules: Any) -> dict[str, int]:
    """Play scripted dice and return the metrics that are not 0; every scripted throw must have been asked for."""
    throw, left = scripted(*dice)
    outcome = play(steps, rules, throw)
    assert next(left, None) is None
    assert tuple(outcome) == METRICS
    exclusive = ("finished", "stopped", "runaway")
    lost = (outcome["killed"] or outcome["wrecked"]) and not outcome["runaway"]
    assert sum(outcome[name] for name in exclusive) + bool(lost) == 1  # P-CRS-11
    return {name: value for name, value in outcome.items() if value}


def finished(turns: int, rolls: int, **more: int) -> dict[str, int]:
    """Write the metrics of a finished trial."""
    return {"finished": 1, "reached": 1, "turns_used": turns, "rolls": rolls, **more}


WOUND = {"wounded": 1, "wounds": 1}
DAMAGE = {"damaged": 1, "damage": 1}
OTHER_WOUND = {"other_wounded": 1, "other_wounds": 1}
OTHER_DAMAGE = {"other_damaged": 1, "other_damages": 1}


# Published values


def test_defaults_are_those_of_the_file() -> None:
    """The twin knows the rule fields and metrics of the file."""
    assert FILE["defaults"] == DEFAULTS
    assert list(FILE["metrics"]) == list(METRICS)
    assert len(CASES) == 15


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_courses_of_the_file(case: dict[str, Any]) -> None:
    """All values of the file, for the course's own turns and without a limit."""
    values = {name: Fraction(value) for name, value in case["values"].items()}
    assert enumerate_exact(case["course"], case["rules"]) == values
    # Where the file leaves the unlimited chain out, nothing changes without a limit.
    unlimited = {name: Fraction(value) for name, value in case.get("unlimited", case["values"]).items()}
    assert enumerate_exact({**case["course"], "turns": None}, case["rules"]) == unlimited


@pytest.mark.parametrize(
    ("steps", "values"),
    [
        (
            course({"down": 1}, {"turn": 1}, {"bog": "ford"}),
            {"finished": Fraction(21, 36) * Fraction(21, 36) * Fraction(26, 36)},
        ),
        (
            course({"down": 1}, {"turn": 1}, {"down": 1}, {"bog": "ford"}),
            {"finished": Fraction(21, 36) * Fraction(30, 36) * Fraction(26, 36)},
        ),
        (course({"down": 1}, {"cross": "fence"}), {"finished": Fraction(84, 139)}),
        (
            course({"down": 2}, {"avoid": "obstacle"}),
            {"finished": Fraction(67, 144), "wounded": Fraction(21, 36) ** 2},
        ),
        (course({"cross": "fence"}, turns=None), {"turns_used": Fraction(41, 31)}),
        (course({"bog": "shallow"}, turns=3), {"finished": Fraction(1), "turns_used": Fraction(11, 6)}),
        (
            course({"down": 2}, {"turn": 1}, ahead="swamp"),
            {"finished": Fraction(15, 36), "runaway": Fraction(21, 36), "rolls": 1 + Fraction(21, 36)},
        ),
    ],
)
def test_worked_values(steps: dict[str, Any], values: dict[str, Fraction]) -> None:
    """The table of worked values."""
    exact = enumerate_exact(steps, {})
    assert {name: exact[name] for name in values} == values


@pytest.mark.parametrize(
    ("altered_odds", "row"),
    [(False, [0, 1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36]), (True, [1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36, 36])],
)
def test_exact_values_of_a_roll(altered_odds: bool, row: list[int]) -> None:
    """The table of exact values of a manoeuvre roll."""
    for modifier, share in zip(range(-7, 5), row, strict=True):
        rules = {"altered_odds": altered_odds, "bogs": {"ford": modifier}}
        assert enumerate_exact(course({"bog": "ford"}), rules)["rolls"] - 1 == Fraction(share, 36)  # entered
        if modifier <= 0:
            steps = course({"down": -modifier}, {"turn": 1}) if modifier else course({"turn": 1})
            assert enumerate_exact(steps, {"altered_odds": altered_odds})["finished"] == Fraction(share, 36)


def test_exact_values_of_collisions() -> None:
    """The shares of the collision table, for one lancer and for two."""
    steps = course({"down": 7}, {"avoid": "obstacle"})  # 6+ at -7 never comes: always a collision
    plain, damaging = enumerate_exact(steps, {}), enumerate_exact(steps, UNICYCLE)
    assert plain["wounded"] == Fraction(21, 36)
    assert plain["damaged"] == 0
    assert damaging["wounded"] == Fraction(15, 36)
    assert damaging["damaged"] == Fraction(9, 36)
    assert plain["finished"] == damaging["finished"] == Fraction(3, 36)

    both = exactly_one = Fraction(0)
    for mine, my_chance in chances("2d6").items():
        for theirs, their_chance in chances("2d6").items():
            fallen = {"manoeuvre": 2, "collision": mine, "other": theirs}
            outcome = play(course({"down": 1}, {"avoid": "lancer"}), UNICYCLE, lambda purpose, *_, f=fallen: f[purpose])
            hurt = outcome["wounded"] + outcome["other_wounded"]
            both += my_chance * their_chance * (hurt == 2)
            exactly_one += my_chance * their_chance * (hurt == 1)
    assert both == Fraction(225, 1296)
    assert exactly_one == Fraction(630, 1296)


def test_exact_values_of_terrain() -> None:
    """The values written below the table of exact values."""
    crossed = {"ford": "0.52160", "shallow": "0.34028", "deep_sand": "0.17361", "swamp": "0.07716"}
    for bog, value in crossed.items():
        assert f"{float(enumerate_exact(course({'bog': bog}), {})['finished']):.5f}" == value
    for levels in (1, 2, 3, 4):
        assert enumerate_exact(course({"up": levels}), {})["finished"] == Fraction(26, 36) ** levels
    down_into_swamp = enumerate_exact(course({"down": 2}, {"bog": "swamp"}), {})
    assert down_into_swamp["rolls"] - 1 == Fraction(21, 36)
    fence = enumerate_exact(course({"cross": "fence"}), {})
    assert (fence["finished"], fence["reached"]) == (Fraction(26, 36), Fraction(31, 36))


# One row of the step table after the other, with scripted dice

M, C, F, OTHER, H = "manoeuvre", "collision", "fence", "other", "hit"
SCRIPTS: list[tuple[str, dict[str, Any], list[tuple[str, int]], dict[str, Any], dict[str, int]]] = [
    ("down asks for nothing", course({"down": 3}), [], {}, {"finished": 1, "reached": 1, "turns_used": 1}),
    ("level passed", course({"up": 1}), [(M, 6)], {}, finished(1, 1)),
    ("level missed", course({"up": 1}), [(M, 5)], {}, {"reached": 1, "stopped": 1, "turns_used": 1, "rolls": 1}),
    ("level missed, finished next turn", course({"up": 1}, turns=2), [(M, 5)], {}, finished(2, 1)),
    ("level missed after a descent", course({"down": 1}, {"up": 1}, turns=2), [(M, 6)], {}, finished(2, 1)),
    (
        "level again", course({"up": 1}, turns=3), [(M, 5), (M, 5), (M, 6)], {"uphill_reroll": True}, finished(3, 3),
    ),
    (
        "a level to be rolled again isn't reached", course({"up": 1}), [(M, 5)], {"uphill_reroll": True},
        {"stopped": 1, "turns_used": 1, "rolls": 1},
    ),
    ("turn missed on the flat", course({"turn": 1}), [(M, 5)], {}, {"stopped": 1, "turns_used": 1, "rolls": 1}),
    ("a missed turn is free, the next isn't", course({"turn": 2}, turns=2), [(M, 5), (M, 6)], {}, finished(2, 2)),
    ("facing not free", course({"turn": 1}, turns=2), [(M, 5), (M, 6)], {"free_facing": False}, finished(2, 2)),
    (
        "turn missed after a descent", course({"down": 2}, {"turn": 1}, turns=9), [(M, 7)], {},
        {"runaway": 1, "turns_used": 1, "rolls": 1},
    ),
    ("altered odds", course({"down": 2}, {"turn": 1}), [(M, 7)], {"altered_odds": True}, finished(1, 1)),
    ("bog straight from the hill", course({"down": 2}, {"bog": "swamp"}), [(M, 7), (M, 9)], {}, finished(1, 2)),
    (
        "bog entry missed", course({"down": 2}, {"bog": "swamp"}, turns=2), [(M, 6), (M, 8)], {},
        {"reached": 1, "stopped": 1, "turns_used": 2, "rolls": 2},
    ),
    (
        "bog edge again", course({"bog": "ford"}, turns=3), [(M, 5), (M, 6), (M, 5), (M, 6)], {"bog_edge_reroll": True},
        finished(3, 4),
    ),
    (
        "a bend missed after a descent is no runaway", course({"down": 4}, {"bog": "ford", "bends": 2}, turns=2),
        [(M, 2), (M, 6), (M, 5), (M, 6)], {}, finished(2, 4),
    ),
    (
        "a bog spends the descent for later bogs, not for turns",
        course({"down": 1}, {"bog": "ford"}, {"down": 1}, {"bog": "ford"}, {"turn": 1}),
        [(M, 5), (M, 6), (M, 6), (M, 6), (M, 8)], {}, finished(1, 5),
    ),
    (
        "a bog roll without a descent doesn't spend it", course({"bog": "ford"}, {"down": 1}, {"bog": "ford"}),
        [(M, 6), (M, 6), (M, 5), (M, 6)], {}, finished(1, 4),
    ),
    (
        "a level climbed breaks the line", course({"down": 1}, {"up": 1}, {"bog": "ford"}, turns=2),
        [(M, 7), (M, 6), (M, 6)], {}, finished(2, 3),
    ),
    (
        "a bend breaks the line", course({"down": 1}, {"bog": "ford", "bends": 1}, {"pig": True}),
        [(M, 5), (M, 6), (M, 6), (H, 6)], {"pig_bonus": "straight_leg"}, finished(1, 4),
    ),
    (
        "a bog without bends keeps the line", course({"down": 1}, {"bog": "ford"}, {"pig": True}),
        [(M, 5), (M, 6), (H, 6)], {"pig_bonus": "straight_leg"}, finished(1, 3, rump=1, rumps=1),
    ),
    (
        "an evaded obstacle breaks the line", course({"down": 1}, {"avoid": "obstacle"}, {"pig": True}),
        [(M, 6), (C, 11), (H, 6)], {"pig_bonus": "straight_leg"}, finished(1, 3),
    ),
    (
        "a new turn clears the line", course({"down": 1}, {"stop": True}, {"pig": True}, turns=2),
        [(M, 7), (H, 6)], {"pig_bonus": "straight_leg"}, finished(2, 2),
    ),
    (
        "a new turn may take a descent again",
        course({"down": 1}, {"bog": "ford"}, {"down": 1}, {"bog": "ford"}, turns=2),
        [(M, 5), (M, 5), (M, 5), (M, 6)], {}, finished(2, 4),
    ),
    (
        "ahead the pig, stopped short", course({"down": 1}, {"turn": 1}, ahead="pig"), [(M, 6)], {},
        {"runaway": 1, "turns_used": 1, "rolls": 1},
    ),
    ("obstacle missed on the flat", course({"avoid": "obstacle"}, turns=2), [(M, 5)], {}, finished(2, 1)),
    ("obstacle evaded at 11", course({"down": 1}, {"avoid": "obstacle"}), [(M, 6), (C, 11)], {}, finished(1, 2)),
    (
        "obstacle hit: the lost turn comes before the free facing", course({"down": 1}, {"avoid": "obstacle"}, turns=3),
        [(M, 6), (C, 7)], {}, finished(3, 2, **WOUND),
    ),
    (
        "a wound that only counts", course({"down": 1}, {"avoid": "obstacle"}, turns=3), [(M, 6), (C, 4)],
        {"wound_effect": "count"}, finished(2, 2, **WOUND),
    ),
    (
        "a wound in the last turn", course({"down": 1}, {"avoid": "obstacle"}), [(M, 6), (C, 4)], {},
        {"stopped": 1, "turns_used": 1, "rolls": 2, **WOUND},
    ),
    (
        "damage weighs on later turns", course({"down": 1}, {"avoid": "obstacle"}, {"bog": "ford"}, turns=2),
        [(M, 6), (C, 7), (M, 7), (M, 6)], UNICYCLE,
        {"reached": 1, "stopped": 1, "turns_used": 2, "rolls": 4, **DAMAGE},
    ),
    (
        "wrecked", course({"down": 1}, {"avoid": "obstacle"}, turns=9), [(M, 6), (C, 3)], {**UNICYCLE, "wreck_at": 1},
        {"wrecked": 1, "turns_used": 1, "rolls": 2, **WOUND, **DAMAGE},
    ),
    ("lancer missed on the flat", course({"avoid": "lancer"}, turns=2), [(M, 5)], {}, finished(2, 1)),
    (
        "lancer: both roll, one evades", course({"down": 1}, {"avoid": "lancer"}), [(M, 6), (OTHER, 3), (C, 12)],
        UNICYCLE, finished(1, 2, **OTHER_WOUND, **OTHER_DAMAGE),
    ),
    (
        "lancer: the other is unhurt", course({"down": 1}, {"avoid": "lancer"}), [(M, 6), (OTHER, 11), (C, 8)], {},
        {"stopped": 1, "turns_used": 1, "rolls": 2},
    ),
    ("wall missed on the flat", course({"beside": "wall"}, turns=2), [(M, 5)], {}, finished(2, 1)),
    ("wall evaded", course({"down": 1}, {"beside": "wall"}), [(M, 6), (C, 11)], {}, finished(1, 2)),
    (
        "wall hit, never a runaway", course({"down": 1}, {"beside": "hedge"}, ahead="chasm"), [(M, 6), (C, 10)], {},
        {"stopped": 1, "turns_used": 1, "rolls": 2},
    ),
    ("fence: near side, again", course({"cross": "fence"}, turns=2), [(M, 5), (F, 3), (M, 6)], {}, finished(2, 3)),
    (
        "fence: far side", course({"cross": "hedge"}), [(M, 5), (F, 4)], {},
        {"reached": 1, "stopped": 1, "turns_used": 1, "rolls": 2},
    ),
    (
        "fence after a descent: 12, 11, over, line kept", course({"down": 1}, {"cross": "fence"}, {"bog": "ford"}),
        [(M, 6), (C, 12), (M, 6), (C, 11), (M, 7), (M, 5), (M, 6)], {}, finished(1, 7),
    ),
    (
        "fence after a descent: near side", course({"down": 1}, {"cross": "fence"}, turns=2), [(M, 6), (C, 8), (M, 6)],
        {}, finished(2, 3),
    ),
    (
        "fence by the d6", course({"down": 1}, {"cross": "fence"}), [(M, 6), (F, 2)], {"downhill_cross": "d6"},
        {"reached": 1, "stopped": 1, "turns_used": 1, "rolls": 2},
    ),
    (
        "fence forbidden", course({"down": 1}, {"cross": "fence"}, turns=2), [(C, 11), (C, 9), (M, 6)],
        {"downhill_cross": "forbidden"}, finished(2, 3),
    ),
    ("ramp keeps the line", course({"down": 1}, {"ramp": True}, {"bog": "ford"}), [(M, 7), (M, 5), (M, 6)], {},
        finished(1, 3)),
    ("ramp missed", course({"ramp": True}, turns=2), [(M, 5)], {}, {"killed": 1, "turns_used": 1, "rolls": 1}),
    ("brink on the flat", course({"chasm": True}, turns=2), [(M, 5)], {}, finished(2, 1)),
    (
        "brink after a descent", course({"down": 1}, {"chasm": True}), [(M, 6)], {},
        {"killed": 1, "turns_used": 1, "rolls": 1},
    ),
    ("stop on the flat, then on", course({"stop": True}, {"turn": 1}, turns=2), [(M, 6)], {}, finished(2, 1)),
    ("stop ends the descent", course({"down": 1}, {"stop": True}, {"turn": 1}, turns=2), [(M, 7), (M, 6)], {},
        finished(2, 2)),
    (
        "stop missed: his own ahead", course({"down": 1}, {"stop": True, "ahead": "pig"}, ahead="chasm"), [(M, 6)], {},
        {"runaway": 1, "turns_used": 1, "rolls": 1},
    ),
    (
        "stop missed: runs on", course({"down": 1}, {"stop": True}, ahead="pig"), [(M, 6), (H, 6)],
        {"failed_stop": "runs_on"}, {"runaway": 1, "rump": 1, "rumps": 1, "turns_used": 1, "rolls": 2},
    ),
    ("stop missed: stops", course({"down": 1}, {"stop": True}, ahead="chasm"), [(M, 6)], {"failed_stop": "stops"},
        finished(1, 1)),
    ("pig on the flat, finished though wounded", course({"pig": True}), [(H, 3)], {}, finished(1, 1, **WOUND)),
    ("pig on the flat, hit", course({"pig": True}), [(H, 7)], {}, finished(1, 1, rump=1, rumps=1)),
    ("pig after a descent", course({"down": 3}, {"pig": True}), [(H, 3)], {}, finished(1, 1)),
    (
        "pig after a descent and a turn", course({"down": 1}, {"turn": 1}, {"pig": True}), [(M, 7), (H, 6)],
        {"pig_bonus": "straight_leg"}, finished(1, 2),
    ),
    (
        "pig, then on", course({"pig": True}, {"turn": 1}, turns=3), [(H, 2), (M, 6)], {}, finished(3, 2, **WOUND),
    ),
    (
        "ahead an obstacle, no way back", course({"down": 1}, {"turn": 1}, ahead="obstacle", turns=3),
        [(M, 6), (C, 12)], {}, {"runaway": 1, "turns_used": 1, "rolls": 2},
    ),
    (
        "ahead an obstacle, wrecked", course({"down": 1}, {"turn": 1}, ahead="obstacle"), [(M, 6), (C, 2)],
        {**UNICYCLE, "wreck_at": 1}, {"runaway": 1, "wrecked": 1, "turns_used": 1, "rolls": 2, **WOUND, **DAMAGE},
    ),
    (
        "ahead a lancer", course({"down": 1}, {"turn": 1}, ahead="lancer"), [(M, 6), (OTHER, 7), (C, 8)], {},
        {"runaway": 1, "turns_used": 1, "rolls": 2, **OTHER_WOUND},
    ),
    (
        "ahead the pig, straight on", course({"down": 1}, {"turn": 1}, ahead="pig"), [(M, 6), (H, 6)],
        {"neighbour_policy": "straight_on"}, {"runaway": 1, "rump": 1, "rumps": 1, "turns_used": 1, "rolls": 2},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "dice", "rules", "expected"), [s[1:] for s in SCRIPTS], ids=[s[0] for s in SCRIPTS])
def test_step_table(
    steps: dict[str, Any], dice: list[tuple[str, int]], rules: dict[str, Any], expected: dict[str, int]
) -> None:
    """Each row of the step table, passed and missed, on the flat and after a descent."""
    assert trial(steps, dice, **rules) == expected


# The twin's own machinery


def test_throws_are_addressed_by_purpose_task_and_attempt() -> None:
    """Attempts are counted for each purpose at each task, over turns and in the runaway."""
    dice = {
        (M, 1, 0): 6, (C, 1, 0): 11, (M, 1, 1): 6, (C, 1, 1): 8,  # first turn, at -1
        (M, 1, 2): 5, (F, 1, 0): 1,  # second turn
        (M, 1, 3): 6, (M, 3, 0): 6, (M, 3, 1): 2,  # third turn: over, the turn missed at -1, steered into the ford
    }  # fmt: skip
    steps = course({"down": 1}, {"cross": "fence"}, {"down": 1}, {"turn": 1}, ahead="ford", turns=4)
    outcome = play(steps, {}, lambda *address: dice.pop(address))
    assert not dice
    assert (outcome["runaway"], outcome["turns_used"], outcome["rolls"]) == (1, 3, 9)


class OutOfDice(Exception):  # noqa: N818
    """Raised with the purpose of the throw for which no dice were laid out."""


def all_trials(
    steps: dict[str, Any], rules: dict[str, Any], laid: list[int]
) -> Iterator[tuple[Fraction, dict[str, int]]]:
    """Lay out every row of dice, one throw after the other, with nothing merged."""
    left = iter(laid)

    def throw(purpose: str, task: int, attempt: int) -> int:
        for total in left:
            return total
        raise OutOfDice(purpose)

    try:
        yield Fraction(1), play(steps, rules, throw)
    except OutOfDice as missing:
        for total, chance in chances("1d6" if missing.args == (F,) else "2d6").items():
            for further, outcome in all_trials(steps, rules, [*laid, total]):
                yield chance * further, outcome


@pytest.mark.parametrize(
    "steps",
    [
        course({"down": 1}, {"avoid": "lancer"}, {"up": 1}, turns=2),
        course({"cross": "fence"}, {"stop": True}, {"pig": True}, turns=3),
        course({"down": 2}, {"turn": 1}, {"bog": "ford"}, ahead="obstacle", turns=2),
    ],
)
@pytest.mark.thorough
def test_merging_changes_nothing(steps: dict[str, Any]) -> None:
    """The exact means are those of the whole tree of throws."""
    means = dict.fromkeys(METRICS, Fraction(0))
    for chance, outcome in all_trials(steps, UNICYCLE, []):
        for name in METRICS:
            means[name] += chance * outcome[name]
    assert enumerate_exact(steps, UNICYCLE) == means


def test_other_dice() -> None:
    """A ten- or twelve-sider for manoeuvre rolls (P-MAN-2)."""
    assert enumerate_exact(course({"turn": 1}), {"dice": "1d10"})["finished"] == Fraction(5, 10)
    assert enumerate_exact(course({"turn": 1}), {"dice": "1d12", "altered_odds": True})["finished"] == Fraction(8, 12)


def test_a_state_that_cannot_be_left() -> None:
    """A chain without a limit that cannot go on counts as stopped (P-CRS-10)."""
    steps = course({"bog": "ford"}, turns=None)
    exact = enumerate_exact(steps, {"bog_edge_reroll": True, "bogs": {"ford": -7}})
    assert (exact["stopped"], exact["finished"], exact["turns_used"]) == (1, 0, inf)
    # Who falls off the ramp never sees the bog; all others are stuck at its edge.
    steps = course({"turn": 1}, {"ramp": True}, {"bog": "ford"}, turns=None)
    exact = enumerate_exact(steps, {"bog_edge_reroll": True, "bogs": {"ford": -7}})
    assert (exact["stopped"], exact["killed"], exact["turns_used"]) == (Fraction(26, 36), Fraction(10, 36), inf)


@pytest.mark.thorough
def test_a_high_limit_comes_near_no_limit() -> None:
    """Turn by turn up to a far limit, and in one chain, the same comes out."""
    steps: list[dict[str, Any]] = [{"down": 1}, {"cross": "fence"}, {"avoid": "obstacle"}, {"up": 1}]
    limited, unlimited = (enumerate_exact(course(*steps, turns=turns), UNICYCLE) for turns in (30, None))
    assert limited != unlimited
    assert [float(limited[name]) for name in METRICS] == pytest.approx([float(unlimited[name]) for name in METRICS])


@pytest.mark.parametrize(
    ("steps", "rules", "message"),
    [
        (course({"cross": "wall"}), {}, "P-LIN-3"),
        (course({"up": 0}), {}, "1 or more"),
        (course({"turn": 1, "up": 1}), {}, "one of 11 keys"),
        (course({"up": 1, "ahead": "pig"}), {}, "ahead only beside turn and stop"),
        (course({"bog": "ford", "bends": -1}), {}, "bends = -1"),
        (course({"bog": "mud"}), {}, "bog = 'mud'"),
        (course({"ramp": 1}), {}, "ramp = 1; allowed"),
        (course({"turn": 1}, ahead="wall"), {}, "ahead = 'wall'"),
        (course({"swim": 1}), {}, "one of 11 keys"),
        (course(), {}, "at least one step"),
        (course({"turn": 1}, turns=0), {}, "turns = 0"),
        ({"steps": [{"turn": 1}], "turn": 3}, {}, "course fields"),
        (course({"turn": 1}), {"odds": 1}, "unknown rule fields"),
        (course({"turn": 1}), {"failed_stop": "falls"}, "failed_stop = 'falls'"),
    ],
)
def test_bad_input(steps: dict[str, Any], rules: dict[str, Any], message: str) -> None:
    """Bad courses and rules are refused by name (P-CRS-12)."""
    with pytest.raises(ValueError, match=message):
        enumerate_exact(steps, rules)
