"""The rules of Pig Tickler: worked examples rule by rule, and what must stay equal when a course is told otherwise."""

import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from simkit.core.dicetable import draw_of
from simkit.games import protocol
from simkit.games.pigtickler.hills import hill_levels
from simkit.games.pigtickler.play import outcome
from simkit.games.pigtickler.records import EVENTS, Fate, Purpose, What
from simkit.games.pigtickler.ride import advance, begin_course, begin_turn
from simkit.games.pigtickler.rules import Rules
from tests.pigtickler_courses import HIGH_KEY, HOUSE_BOG, courses, house_rules, rules_of, scenario_of, setup_of

PACKAGE = Path(protocol.__file__).parent / "pigtickler"
CASES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "cases" / "pigtickler.toml").read_text(encoding="utf-8")
)["case"]
ID = re.compile(r"\bP-[A-Z]+-\d+\b")
DEFINED = set(re.findall(r"^- (P-[A-Z]+-\d+) ", protocol.rulebook("pigtickler"), re.MULTILINE))
ON_A_TABLE = {id for id in DEFINED if id.startswith("P-TAB-")} | {
    f"P-GAM-{n}" for n in range(1, 25) if n not in (2, 3, 5)
}
"""Rules of the match on a table, which courses do not meet."""

# Worked examples


def course_of(case: dict[str, Any]) -> dict[str, Any]:
    """Return the course of a case."""
    turns = case.get("turns", 1)
    return {
        "steps": case["steps"],
        "ahead": case.get("ahead", "edge"),
        "turns": None if turns == "unlimited" else turns,
    }


def fraction(text: str) -> Fraction | None:
    """Read sums of products such as ``"21/36 + 15/36 * 3/36"``."""
    if text == "infinite":
        return None
    terms = text.replace("- ", "+ -1 * ").split(" + ")
    return sum((prod(map(Fraction, term.split(" * ")), start=Fraction(1)) for term in terms), Fraction(0))


def scripted(case: dict[str, Any], game: Any) -> tuple[dict[str, int], list[int]]:
    """Play one trial on dice that fall as written; return what is not 0, and the modifiers of all throws."""
    setup, state = setup_of(course_of(case), case.get("rules")), game.new_state()
    dice: dict[str, Iterator[int]] = {purpose: iter(totals) for purpose, totals in case["dice"].items()}
    state.room = EVENTS
    begin_course(state)
    rider = state.rider
    while rider.fate == Fate.RIDING and rider.turn < setup.turns:
        begin_turn(setup, state)
        while rider.riding:
            purpose = Purpose(int(rider.throws_next))
            fallen = next(dice[purpose.name.lower()])
            advance(setup, state, draw_of(setup.dice[purpose], fallen))
    assert not [purpose for purpose, left in dice.items() if next(left, None) is not None], "dice are left over"
    modifiers = [int(event.modifier) for event in state.events[: state.noted] if event.what == What.THROW]
    return {name: int(value) for name, value in outcome(setup, rider)._asdict().items() if value}, modifiers


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']}: {case['says']}" for case in CASES])
def test_worked_example(pigtickler: Any, case: dict[str, Any]) -> None:
    """What the rule says comes out."""
    if "hill" in case:
        assert hill_levels(**case["hill"]) == case["levels"]
    elif "refused" in case:
        with pytest.raises(ValidationError, match=re.escape(case["refused"])):
            scenario_of(course_of(case))
    elif "dice" in case:
        counted, modifiers = scripted(case, pigtickler)
        assert counted == case["outcome"]
        assert modifiers == case.get("modifiers", modifiers)
    else:
        exact = pigtickler.exact(scenario_of(course_of(case)), rules_of(case.get("rules", {}))).metrics
        assert {name: exact[name] for name in case["exact"]} == {
            name: fraction(text) for name, text in case["exact"].items()
        }


def test_sums_of_fractions_are_read() -> None:
    """The small notation of the examples."""
    assert fraction("21/36 + 15/36 * 3/36") == Fraction(89, 144)
    assert fraction("1 - 1/2 * 1/2") == Fraction(3, 4)


def test_every_rule_has_an_example() -> None:
    """The rules that courses meet, and no others, are the rules with examples and those that the code cites."""
    ids = {case["id"] for case in CASES}
    assert ids == DEFINED - ON_A_TABLE
    assert len(ids) == 44


def test_every_field_is_changed_in_an_example() -> None:
    """No number, switch or ruling of the rule set goes without an example of its alternative."""
    changed = {field for case in CASES for field in case.get("rules", {})}
    assert changed | {"level_every"} == set(Rules.model_fields)
    assert {case["hill"]["level_every"] for case in CASES if "hill" in case} > {Rules().level_every}


def test_the_code_cites_rules_that_exist() -> None:
    """Every id in the package stands in the rulebook, and every rule that courses meet is cited."""
    cited = {id for path in PACKAGE.rglob("*.py") for id in ID.findall(path.read_text(encoding="utf-8"))}
    assert cited - DEFINED == set()
    assert DEFINED - ON_A_TABLE - cited == set()


def test_fields_cite_rules_that_exist() -> None:
    """Every field carries the id of a rule and one of the three sources."""
    fields = protocol.rule_fields(Rules())
    assert {field.id for field in fields} <= DEFINED
    assert {field.source for field in fields} == set(protocol.SOURCES)
    assert {field.path.split(".")[0] for field in fields} == set(Rules.model_fields)


# The same told otherwise


class Player:
    """Plays trials of courses on common dice."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.state = game.new_state()

    def __call__(self, course: dict[str, Any], house: dict[str, Any] | None = None, trials: int = 20) -> list[Any]:
        """Return the outcomes of some trials."""
        setup = setup_of(course, house)
        return [self.game.play_one(setup, self.state, HIGH_KEY, trial) for trial in range(trials)]


@pytest.fixture(scope="module")
def played(pigtickler: Any) -> Player:
    """Return what plays courses."""
    return Player(pigtickler)


def with_steps(course: dict[str, Any], replace: Any) -> dict[str, Any]:
    """Replace every step by some others."""
    return {**course, "steps": [new for step in course["steps"] for new in replace(step)]}


def test_altered_odds_are_a_target_of_5_and_dice_one_higher(played: Player) -> None:
    """Altered odds, a standard target of 5, and 2d6+1 are the same, trial by trial (P-MAN-1)."""

    @settings(max_examples=100)
    @given(courses(), house_rules(translated=False))
    def check(course: dict[str, Any], house: dict[str, Any]) -> None:
        house = {name: value for name, value in house.items() if name not in ("altered_odds", "dice")}
        altered = played(course, {**house, "altered_odds": True})
        assert altered == played(course, {**house, "standard_target": 5})
        assert altered == played(course, {**house, "dice": "2d6+1"})

    check()


def test_a_bog_is_its_modifier(played: Player) -> None:
    """A house bog at -3 is a swamp, ridden through or lying ahead (P-BOG-1)."""

    @settings(max_examples=100)
    @given(courses(), house_rules())
    def check(course: dict[str, Any], house: dict[str, Any]) -> None:
        house = {**house, "bogs": {**house["bogs"], HOUSE_BOG: -3, "swamp": -3}}

        def renamed(name: str) -> dict[str, Any]:
            return with_steps(
                {**course, "ahead": name},
                lambda step: [{key: name if value in ("swamp", HOUSE_BOG) else value for key, value in step.items()}],
            )

        assert played(renamed(HOUSE_BOG), house) == played(renamed("swamp"), house)

    check()


def test_a_hedge_is_a_fence_and_both_turn_as_at_a_wall(played: Player) -> None:
    """What a linear obstacle is made of does not matter (P-LIN-1)."""

    @settings(max_examples=100)
    @given(courses(), house_rules(), st.sampled_from(("fence", "hedge")), st.sampled_from(("wall", "fence", "hedge")))
    def check(course: dict[str, Any], house: dict[str, Any], crossed: str, beside: str) -> None:
        words = {"cross": crossed, "beside": beside}
        changed = with_steps(course, lambda step: [{key: words.get(key, value) for key, value in step.items()}])
        assert played(changed, house) == played(course, house)

    check()


def test_a_count_is_so_many_steps(played: Player) -> None:
    """``turn = 3`` is three steps of one turn, and ``up`` likewise (P-CRS-1)."""

    def single(step: dict[str, Any]) -> list[dict[str, Any]]:
        key = next(iter(step))
        return [{**step, key: 1}] * step[key] if key in ("up", "turn") else [step]

    @settings(max_examples=100)
    @given(courses(), house_rules())
    def check(course: dict[str, Any], house: dict[str, Any]) -> None:
        assert played(with_steps(course, single), house) == played(course, house)

    check()


def test_descents_add_up(pigtickler: Any) -> None:
    """Three levels down are one level three times: the chances are equal, though not the dice (P-DN-1)."""

    @settings(max_examples=40)
    @given(courses(2, (1, 2)), house_rules())
    def check(course: dict[str, Any], house: dict[str, Any]) -> None:
        levels = with_steps(course, lambda step: [{"down": 1}] * step["down"] if "down" in step else [step])
        metrics = [pigtickler.exact(scenario_of(told), rules_of(house)).metrics for told in (course, levels)]
        assert metrics[0] == metrics[1]

    check()


def test_ways_to_end_exclude_one_another(played: Player) -> None:
    """Finished, stopped, runaway, or else killed or wrecked: exactly one of them in every trial (P-CRS-11)."""

    @settings(max_examples=100)
    @given(courses(), house_rules())
    def check(course: dict[str, Any], house: dict[str, Any]) -> None:
        for one in played(course, house):
            lost = (one.killed or one.wrecked) and not one.runaway
            assert one.finished + one.stopped + one.runaway + lost == 1
            assert one.finished <= one.reached <= one.finished + one.stopped
            assert one.turns_used <= course["turns"]
            shares = (one.wounded, one.damaged, one.rump, one.other_wounded, one.other_damaged)
            counts = (one.wounds, one.damage, one.rumps, one.other_wounds, one.other_damages)
            assert shares == tuple(int(count > 0) for count in counts)

    check()


def test_no_damage_without_unicycle_damage(played: Player) -> None:
    """Without unicycle damage no point of it exists, and nobody is wrecked (P-COL-2, P-CRS-9)."""

    @settings(max_examples=100)
    @given(courses(), house_rules())
    def check(course: dict[str, Any], house: dict[str, Any]) -> None:
        for one in played(course, {**house, "unicycle_damage": False, "wreck_at": 1}):
            assert not (one.damage or one.damaged or one.other_damages or one.wrecked)

    check()


def test_in_one_turn_an_easier_roll_never_hurts(played: Player) -> None:
    """Within a single turn a lower target finishes at least the trials that a higher one finishes.

    Whoever still rides at a task has the same L, leg and spent, whatever he threw before, so that on the same dice
    the easier roll passes wherever the harder one does. (Over several turns it may hurt: who fails early starts his
    next turn with the descent forgotten.)
    """

    @settings(max_examples=100)
    @given(courses(4, (1,)), house_rules())
    def check(course: dict[str, Any], house: dict[str, Any]) -> None:
        house = {name: value for name, value in house.items() if name != "altered_odds"}
        target = house.get("standard_target", 6)
        for easier, harder in zip(
            played(course, {**house, "standard_target": target - 2}), played(course, house), strict=True
        ):
            assert easier.finished >= harder.finished

    check()


def test_on_the_flat_an_easier_roll_never_costs_time(played: Player) -> None:
    """Without hills and ramps a lower target never uses more turns, and finishes at least as often.

    On the flat every task costs him turns of its own, a failed roll one more, and nothing is left behind; the cost
    of a task can only fall with the target.
    """

    @settings(max_examples=100)
    @given(courses(4, (1, 3, 6)), house_rules())
    def check(course: dict[str, Any], house: dict[str, Any]) -> None:
        flat = with_steps(course, lambda step: [] if "down" in step or "ramp" in step else [step])
        flat["steps"].append({"turn": 1})
        house = {name: value for name, value in house.items() if name != "altered_odds"}
        target = house.get("standard_target", 6)
        for easier, harder in zip(
            played(flat, {**house, "standard_target": target - 2}), played(flat, house), strict=True
        ):
            assert easier.turns_used <= harder.turns_used
            assert easier.finished >= harder.finished

    check()
