"""What must balance in every battle, by its trace alone: hits, attacks, velocities, places, fires, holds, criticals."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from simkit.games.jugger import game
from simkit.games.jugger.happenings import Cause, Happening, What
from simkit.games.jugger.records import EVENTS
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import POLICIES, Scenario
from tests.jugger_audit import Audit
from tests.jugger_battles import KEY, Case, fresh
from tests.jugger_ledger import SOURCES

NEVER = {What.LET_GO}
"""No player lets go of its own will."""


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    game.ready()


def follow(case: Case, events: Any) -> Audit:
    """Follow a battle to its end."""
    audit = Audit(case.setup, int(case.swap))
    for number, event in enumerate(events):
        try:
            audit.follow(Happening(*event))
        except (AssertionError, LookupError, StopIteration, ValueError) as error:
            error.add_note(f"battle {case.seed}, event {number}: {What(event[0]).name}{tuple(event[1:])}")
            raise
    assert audit.ended
    return audit


def compare(audit: Audit, state: Any) -> None:
    """Compare the books with what is left in the memory of the kernels."""
    for slot, jug in enumerate(audit.jugs):
        fighter = state.jugs[slot]
        kept = (jug.side, jug.fate, jug.q, jug.r, jug.facing, jug.hits, sum(1 << piece for piece in jug.lost))
        assert kept == tuple(int(fighter[key]) for key in ("side", "fate", "q", "r", "facing", "hits", "lost"))
        if not jug.fate:
            assert [jug.spells[spell] for spell in range(7)] == fighter["spells"].tolist()
            assert sum(1 << item for item in jug.spent) == fighter["spent"]
    held = {(int(hold["holder"]), int(hold["attack"])) for hold in state.holds[: state.hold_count]}
    assert held == set(audit.holds)


def balance(case: Case, state: Any) -> Audit:
    """Fight a battle, follow it, and compare what the books say in the end with what was counted."""
    outcome, events = case.kernel(state)
    audit = follow(case, events)
    starts = [jug.full for jug in audit.jugs]
    for name, seat in (("a", int(case.swap)), ("b", 1 - int(case.swap))):
        mine = [jug for jug in audit.jugs if not jug.fate and jug.side == seat]
        assert outcome[f"hits_{name}"] == sum(jug.hits for jug in mine)
        for total in ("lost", "rams", "criticals"):
            assert outcome[f"{total}_{name}"] == audit.tally[seat, total], total
        for source in SOURCES:
            assert outcome[f"{source}_{name}"] == audit.damage[seat, source], source
    hurt, healed, overkill = Counter[int](), Counter[int](), 0
    for event in map(Happening._make, events):
        hurt[event.jug] += event.value if event.what == What.HURT else 0
        healed[event.jug] += event.value if event.what in (What.REPAIR, What.CAST_RESTORE) else 0
    for slot, jug in enumerate(audit.jugs):
        assert starts[slot] - hurt[slot] + healed[slot] == jug.hits <= jug.full
        assert (jug.hits <= 0) == (jug.fate == Cause.DESTROYED)
        overkill += max(0, -jug.hits)
    compare(audit, state)
    booked = sum(outcome[f"{source}_{side}"] for source in SOURCES for side in "ab")
    regained = sum(healed.values())
    assert booked == sum(starts) + regained - sum(max(0, jug.hits) for jug in audit.jugs) + overkill
    assert outcome["turns"] == audit.turn
    return audit


KINDS = {"hold": 47, "random": 49, "greedy": 51, "tuned": 51, "lookahead": 51}
"""Kinds of events in the battles of each player."""

MANY = range(80)
FEW = (*range(20), 25, 34, 36, 41, 42, 45, 47, 52, 59, 60, 65, 75)
"""Those that show as many kinds."""


@pytest.mark.parametrize("seeds", [FEW, pytest.param(MANY, marks=pytest.mark.slow)], ids=["few", "many"])
@pytest.mark.parametrize("policy", POLICIES)
def test_the_books_balance(policy: str, seeds: Sequence[int]) -> None:
    """Whoever plays, under any rules: nothing comes from nowhere, nothing goes nowhere, nobody does too much."""
    state = fresh()
    seen: Counter[int] = Counter()
    for seed in seeds:
        seen += balance(Case(seed, (policy, policy, "random")), state).seen
    assert seen[What.OVER] == len(seeds)
    assert len(seen) == KINDS[policy]


EXTREMES: dict[str, dict[str, Any]] = {
    "haste that may not last": {"haste_turns_dice": "1d2-1"},
    "fires that may not burn": {"fire_turns_dice": "1d2-1"},
    "bounces that may not move": {"bounce_dice": "1d3-1"},
    "initiative of many faces": {"initiative": "jug", "initiative_dice": "1d100", "tactics_bonus": 100},
    "initiative of ties": {"initiative": "jug", "initiative_dice": "1d2"},
    "a critical for every hit": {"critical_every": 1, "critical_attacker": 2},
    "many spells": {"spell_count_dice": "10d6", "spells_per_turn": 20},
    "walls that may not stand": {"wall_hits": "1d2-1", "wreckage_loss": 5, "forest_loss": 9, "drive_through_loss": 0},
    "legs that do not walk": {"legs_top_velocity": 0, "damage_velocity_cap": 2},
    "spinning": {"base_turn_rate": 6, "base_acceleration": 0, "base_deceleration": 0, "haste_gain": 6},
    "nobody is hit": {"to_hit_max": 0, "kick_to_hit": 0, "boarders_lost_from": 100, "scythe_cuts_from": 0},
}


@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.thorough
def test_the_books_balance_under_extreme_rules(name: str) -> None:
    """So they do under house rules that nobody would play by, but may."""
    state = fresh()
    for seed in range(8, 26):
        case = Case(seed, POLICIES)
        case.rules = Rules.model_validate({**case.changes, **EXTREMES[name]})
        case.setup = game.compile(case.scenario, case.rules)
        balance(case, state)


MAGES = {"size": 20, "equipment": ["19 slingshots", "wizard"]}
ARMIES: dict[str, tuple[Any, int, str, dict[str, Any]]] = {
    "holds": ("hydra", 1, "hold", {}),
    "fires": ({"size": 20, "equipment": ["20 mirrors"]}, 5, "hold", {}),
    "ropes": ({"size": 20, "equipment": ["10 ballistas", "10 winches"]}, 3, "hold", {}),
    "spells": (MAGES, 1, "greedy", {"declare": "rounds", "spell_count_dice": "30", "spells_per_turn": 20}),
}
"""What all have, how far the sides are apart, who plays, by which rules: the most that there can be of something."""


@pytest.mark.parametrize("name", ARMIES)
def test_the_greatest_battles_have_room(name: str) -> None:
    """Twelve a side: no grip is no hold, no hit no fire, no rope not out, no spell in vain (J-WPN-2, 3, 9, J-WIZ-1)."""
    design, distance, policy, house = ARMIES[name]
    sides = {side: {"design": design, "count": 12} for side in "ab"}
    scene = {"distance": distance, "max_turns": 2}
    scenario = Scenario.model_validate({"sides": sides, "scenario": scene, "policy": policy})
    rules = Rules.model_validate(house)
    assert game.complaints(scenario, rules) == []
    setup, state = game.compile(scenario, rules), fresh()
    for trial in range(3):
        state.room, audit = EVENTS, Audit(setup, 0)
        game.play_one(setup, state, KEY, trial)
        for event in state.events[: state.noted].tolist():
            audit.follow(Happening(*event))
        assert audit.ended and audit.seen[What.DECLARE] > 150
        compare(audit, state)


@pytest.mark.parametrize("turns", [1, 3, 20])
def test_haste_that_adds_up_lasts_as_long_as_was_rolled(turns: int) -> None:
    """Each cast counts for its own number of turns, the turn of casting included (J-WIZ-4)."""
    rules = Rules(haste_stacks=True, haste_turns_dice=str(turns), spell_count_dice="40", damage_velocity_cap=0)
    sides = {"a": {"design": {"size": 1, "equipment": ["wizard"]}, "policy": "random"}, "b": {"design": "lobber"}}
    scene = {"distance": 40, "max_turns": 12}
    setup = game.compile(Scenario.model_validate({"sides": sides, "scenario": scene, "policy": "hold"}), rules)
    for trial in range(5):
        state = fresh()
        state.room = EVENTS
        game.play_one(setup, state, KEY, trial)
        casts = [int(event["turn"]) for event in state.events[: state.noted] if event["what"] == What.CAST_HASTE]
        assert casts and int(state.jugs[0].haste_level) == sum(turn + turns - 1 > 12 for turn in casts)


@pytest.mark.slow
def test_the_books_of_thousands_balance() -> None:
    """So do those of many more battles, in which everything happens that can."""
    state = fresh()
    seen: Counter[int] = Counter()
    for seed in range(10**6, 10**6 + 2500):
        seen += balance(Case(seed, POLICIES), state).seen
    assert set(What) - set(seen) == NEVER


# The ledger itself


def changed(event: tuple[int, ...], **fields: int) -> tuple[int, ...]:
    """Return an event with other numbers."""
    return tuple(Happening(*event)._replace(**fields))


FORGERIES: dict[str, tuple[What, Any]] = {
    "more damage": (What.HURT, lambda e: [changed(e, value=e[6] + 1, extra=e[7] - 1)]),
    "damage that nobody takes": (What.HURT, lambda e: []),
    "an attack twice": (What.DECLARE, lambda e: [e, e]),
    "a roll without an attack": (What.TO_HIT, lambda e: [e, e]),
    "too fast": (What.MOVE, lambda e: [changed(e, value=e[6] + 40)]),
    "a velocity out of nothing": (What.MOVE, lambda e: [changed(e, extra=e[7] + 1)]),
    "a turn too many": (What.TURN_TO, lambda e: [e, *[changed(e, value=(e[6] + e[5] * k) % 6) for k in range(1, 9)]]),
    "a hex left out": (What.ENTER, lambda e: []),
    "a hex too many": (What.ENTER, lambda e: [e, e]),
    "an act of the fallen": (What.OUT, lambda e: [e, (What.MOVE, *e[1:3], -1, -1, 0, 0, 0)]),
    "a fall left out": (What.OUT, lambda e: []),
    "a critical too many": (What.CRITICAL, lambda e: [e, e]),
    "a critical left out": (What.CRITICAL, lambda e: []),
    "a fire that waits": (What.BURN, lambda e: []),
    "a fire that burns twice": (What.BURN, lambda e: [e, e]),
    "a hold that waits": (What.SQUEEZE, lambda e: []),
    "a hold without a grab": (What.GRAB, lambda e: []),
    "a hold that never ends": (What.FREED, lambda e: []),
    "a ram that is too strong": (What.RAM, lambda e: [changed(e, value=e[6] + 1)]),
    "a collision that is too weak": (What.COLLIDE, lambda e: [changed(e, value=e[6] - 1)]),
    "a piece twice": (What.LOSE, lambda e: [e, e]),
    "a push too far": (What.PUSH, lambda e: [changed(e, value=e[6] + 1)]),
    "a repair too good": (What.REPAIR, lambda e: [changed(e, value=e[5] + 1)]),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_the_ledger_finds_what_is_wrong(name: str) -> None:
    """Whatever is forged in a trace, the books do not balance any more."""
    what, forge = FORGERIES[name]
    state, found = fresh(), 0
    for seed in range(400):
        case = Case(seed, ("random", "greedy"), most=3)
        _, events = case.kernel(state)
        places = [place for place, event in enumerate(events) if event[0] == what]
        if not places:
            continue
        place = random.Random(seed).choice(places)
        forged = [*events[:place], *forge(events[place]), *events[place + 1 :]]
        if forged == events:
            continue
        with pytest.raises((AssertionError, LookupError, StopIteration, ValueError)):
            follow(case, forged)
        found += 1
        if found == 3:
            return
    raise AssertionError(f"no battle with {what.name}")
