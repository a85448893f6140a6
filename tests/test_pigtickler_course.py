"""The door for Pig Tickler courses: every mistake is refused, with what was found and what is allowed (P-CRS-12)."""

from typing import Any

import pytest
from pydantic import ValidationError

from simkit.games.pigtickler.course import KEYS, MOST_STEPS, MOST_TASKS, MOST_TURNS, Scenario, Step, complaints, expand
from simkit.games.pigtickler.rules import Rules

KINDS = "the kinds are down, up, turn, bog, avoid, beside, cross, ramp, chasm, stop, pig"


def read(*steps: dict[str, Any], **course: Any) -> Scenario:
    """Read a course."""
    return Scenario.model_validate({"course": {"steps": list(steps), **course}})


def refused(data: dict[str, Any]) -> list[Any]:
    """Return the errors of a course that is not read."""
    with pytest.raises(ValidationError) as caught:
        Scenario.model_validate({"course": data})
    return caught.value.errors(include_url=False)


@pytest.mark.parametrize(
    ("step", "where", "message", "help"),
    [
        ({}, (), "a step has exactly one kind (P-CRS-12); this one has none", KINDS),
        ({"ahead": "pig"}, (), "a step has exactly one kind (P-CRS-12); this one has none", KINDS),
        ({"turn": 1, "up": 1}, (), "a step has exactly one kind (P-CRS-12); this one has up and turn", KINDS),
        (
            {"pig": True, "down": 1, "bog": "ford"}, (),
            "a step has exactly one kind (P-CRS-12); this one has down and bog and pig", KINDS,
        ),
        ({"turn": 1, "bends": 0}, (), "bends belong to a bog (P-CRS-12)", '{bog="swamp", bends=1}'),
        *[
            (
                {**step, "ahead": "pig"}, (), "ahead stands only beside turn and stop (P-CRS-12)",
                "elsewhere nobody steers him; put ahead into [course] to say it for all steps",
            )
            for step in (
                {"down": 1}, {"up": 1}, {"bog": "ford"}, {"avoid": "lancer"}, {"beside": "wall"}, {"cross": "fence"},
                {"ramp": True}, {"chasm": True}, {"pig": True},
            )
        ],
        (
            {"cross": "wall"}, ("cross",), "a wall cannot be crossed (P-LIN-3)",
            'only "fence" and "hedge" can; {beside="wall"} turns at one',
        ),
        *[
            (
                {flag: value}, (flag,), f"a flag is true or left out (P-CRS-12), not {shown}",
                "write true, or leave the step out",
            )
            for flag in ("ramp", "chasm", "stop", "pig")
            for value, shown in ((False, "false"), (1, "1"), ("yes", "'yes'"))
        ],
    ],
)  # fmt: skip
def test_rules_of_a_step(step: dict[str, Any], where: tuple[str, ...], message: str, help: str) -> None:
    """Our own errors: of the kind ``rule``, at their place, with a help."""
    (error,) = refused({"steps": [{"up": 1}, step]})
    assert (error["type"], error["loc"], error["msg"]) == ("rule", ("course", "steps", 1, *where), message)
    assert error["ctx"]["help"] == help


@pytest.mark.parametrize(
    ("step", "key", "kind", "message"),
    [
        ({"up": 0}, "up", "greater_than_equal", "Input should be greater than or equal to 1"),
        ({"down": -1}, "down", "greater_than_equal", "Input should be greater than or equal to 1"),
        ({"turn": 100}, "turn", "less_than_equal", "Input should be less than or equal to 99"),
        ({"turn": True}, "turn", "int_type", "Input should be a valid integer"),
        ({"turn": 1.0}, "turn", "int_type", "Input should be a valid integer"),
        ({"down": "2"}, "down", "int_type", "Input should be a valid integer"),
        ({"bog": "ford", "bends": -1}, "bends", "greater_than_equal", "Input should be greater than or equal to 0"),
        ({"bog": "ford", "bends": 100}, "bends", "less_than_equal", "Input should be less than or equal to 99"),
        ({"bog": True}, "bog", "string_type", "Input should be a valid string"),
        ({"bog": "f" * 33}, "bog", "string_too_long", "String should have at most 32 characters"),
        ({"cross": "stile"}, "cross", "literal_error", "Input should be 'fence' or 'hedge'"),
        ({"cross": True}, "cross", "literal_error", "Input should be 'fence' or 'hedge'"),
        ({"beside": "ditch"}, "beside", "literal_error", "Input should be 'wall', 'fence' or 'hedge'"),
        ({"avoid": "pig"}, "avoid", "literal_error", "Input should be 'obstacle' or 'lancer'"),
        ({"swim": 1}, "swim", "extra_forbidden", "Extra inputs are not permitted"),
    ],
)
def test_values_of_a_step(step: dict[str, Any], key: str, kind: str, message: str) -> None:
    """Wrong values, each with the range or the words that are allowed."""
    (error,) = refused({"steps": [step]})
    assert (error["type"], error["loc"], error["msg"]) == (kind, ("course", "steps", 0, key), message)


@pytest.mark.parametrize(
    ("course", "where", "kind"),
    [
        ({}, ("steps",), "missing"),
        ({"steps": []}, ("steps",), "too_short"),
        ({"steps": [{"up": 1}] * (MOST_STEPS + 1)}, ("steps",), "too_long"),
        ({"steps": [{"up": 1}], "turn": 3}, ("turn",), "extra_forbidden"),
        ({"steps": [{"up": 1}], "ahead": 1}, ("ahead",), "string_type"),
    ],
)
def test_values_of_a_course(course: dict[str, Any], where: tuple[str, ...], kind: str) -> None:
    """A course has at least one step and no unknown keys."""
    (error,) = refused(course)
    assert (error["type"], error["loc"]) == (kind, ("course", *where))


@pytest.mark.parametrize(
    ("turns", "kind"),
    [
        (0, "greater_than_equal"),
        (MOST_TURNS + 1, "less_than_equal"),
        ("none", "int_type"),
        (True, "int_type"),
        (1.0, "int_type"),
    ],
)
def test_turns(turns: Any, kind: str) -> None:
    """A number of turns, or the one word for no limit; the error names both."""
    number, word = refused({"steps": [{"up": 1}], "turns": turns})
    assert number["type"] == kind
    assert (word["type"], word["msg"]) == ("literal_error", "Input should be 'unlimited'")
    assert {error["loc"][:2] for error in (number, word)} == {("course", "turns")}


def test_all_mistakes_at_once() -> None:
    """A reader is told of every wrong step in one go."""
    errors = refused({"steps": [{"up": 0}, {"turn": 1}, {"cross": "wall"}, {}], "turns": 3})
    assert [error["loc"][2] for error in errors] == [0, 2, 3]


def test_courses_are_read() -> None:
    """Every kind of step, the ends of every range, and what stands where nothing is said."""
    scenario = read(
        {"down": 1}, {"up": 99}, {"turn": 1, "ahead": "swamp"}, {"bog": "ford"}, {"bog": "swamp", "bends": 0},
        {"avoid": "obstacle"}, {"avoid": "lancer"}, {"beside": "wall"}, {"beside": "fence"}, {"beside": "hedge"},
        {"cross": "fence"}, {"cross": "hedge"}, {"ramp": True}, {"chasm": True}, {"stop": True, "ahead": "pig"},
        {"pig": True},
    )  # fmt: skip
    assert {step.kind for step in scenario.course.steps} == set(KEYS)
    assert (scenario.course.ahead, scenario.course.turns) == ("edge", 1)
    assert complaints(scenario, Rules()) == []
    assert read({"up": 1}, turns=MOST_TURNS).course.turns == MOST_TURNS
    assert read({"up": 1}, turns="unlimited").course.turns == "unlimited"
    assert len(read(*[{"up": 1}] * MOST_STEPS).course.steps) == MOST_STEPS
    for ahead in ("edge", "obstacle", "lancer", "chasm", "pig", *Rules().bogs):
        assert complaints(read({"up": 1}, ahead=ahead), Rules()) == []


def test_courses_do_not_change() -> None:
    """A course is a value."""
    scenario = read({"up": 1})
    with pytest.raises(ValidationError, match="frozen"):
        scenario.course.turns = 2  # type: ignore[misc]


# What only the rules can tell


def test_unknown_bog() -> None:
    """The kinds of bog are those of the rules, the players' own included (P-BOG-1)."""
    scenario = read({"up": 1}, {"bog": "mud"})
    (complaint,) = complaints(scenario, Rules())
    assert complaint.path == ("course", "steps", 1, "bog")
    assert complaint.message == "no kind of bog is called 'mud'"
    assert complaint.id == "P-BOG-1"
    assert complaint.help == "ford, shallow, grass, rocks, deep_sand, snow, dunes, swamp"
    assert complaints(scenario, Rules(bogs={"mud": -2})) == []


def test_nothing_of_that_name_ahead() -> None:
    """What may lie ahead: five words and the kinds of bog (P-CRS-6)."""
    scenario = read({"turn": 1, "ahead": "wall"}, {"stop": True, "ahead": "swamp"}, ahead="fence")
    first, second = complaints(scenario, Rules())
    assert first.path == ("course", "steps", 0, "ahead")
    assert first.message == "nothing called 'wall' can lie ahead"
    assert second.path == ("course", "ahead")
    assert second.message == "nothing called 'fence' can lie ahead"
    assert first.id == second.id == "P-CRS-6"
    assert first.help.startswith("edge, obstacle, lancer, chasm, pig, ford, shallow")
    assert [complaint.path[2] for complaint in complaints(scenario, Rules(bogs={"wall": 0, "fence": 0}))] == [1]


def test_too_many_tasks() -> None:
    """A course has room for so many tasks, however they are written (P-CRS-1)."""
    full = ({"turn": 99}, {"bog": "ford", "bends": 20}, {"up": MOST_TASKS - 121})
    assert complaints(read(*full), Rules()) == []
    (complaint,) = complaints(read(*full, {"down": 9}), Rules())
    assert complaint.path == ("course", "steps")
    assert complaint.message == "the course has 129 tasks; at most 128 are played"
    assert complaint.id == "P-CRS-1"


@pytest.mark.parametrize(
    ("step", "tasks"),
    [
        ({"down": 3}, ["down"]),
        ({"up": 3}, ["level"] * 3),
        ({"turn": 2}, ["turn"] * 2),
        ({"bog": "ford"}, ["enter", "leave"]),
        ({"bog": "ford", "bends": 2}, ["enter", "bend", "bend", "leave"]),
        ({"avoid": "lancer"}, ["lancer"]),
        ({"avoid": "obstacle"}, ["obstacle"]),
        ({"beside": "hedge"}, ["beside"]),
        ({"cross": "hedge"}, ["cross"]),
        ({"stop": True}, ["stop"]),
    ],
)
def test_tasks_of_a_step(step: dict[str, Any], tasks: list[str]) -> None:
    """Steps are read as one row of single tasks (P-CRS-1)."""
    assert list(expand(Step.model_validate(step))) == tasks


# House rules


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bogs": {"deep mud": -1}}, "a kind of bog needs a plain name such as deep_sand, not 'deep mud'"),
        ({"bogs": {"": 0}}, "a kind of bog needs a plain name such as deep_sand, not ''"),
        ({"bogs": {"pig": 0}}, "a kind of bog cannot be called 'pig': that is what may lie ahead"),
        ({"bogs": {"mud": -21}}, "greater than or equal to -20"),
        ({"collision_dice": "2d6+9"}, "the collision table would let every lancer go on for ever"),
        ({"dice": "2d"}, "dice"),
        ({"failed_stop": "falls"}, "'opponent_control', 'runs_on' or 'stops'"),
        ({"wreck_at": 0}, "greater than or equal to 1"),
        ({"altered_odds": 1}, "valid boolean"),
        ({"odds": True}, "Extra inputs are not permitted"),
    ],
)
def test_house_rules_are_refused(changes: dict[str, Any], message: str) -> None:
    """Rules that could not be played, or do not exist."""
    with pytest.raises(ValidationError) as caught:
        Rules(**changes)
    (error,) = caught.value.errors(include_url=False)
    assert message in error["msg"] or message == error["type"]


def test_collisions_may_end_in_any_row() -> None:
    """The last rows of the collision table may be empty, as long as somebody's turn ends (P-COL-1)."""
    assert Rules(collision_nothing=0).collision_nothing == 0
    assert Rules(collision_dice="2d6+8").collision_dice == "2d6+8"
