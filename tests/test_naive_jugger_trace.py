"""The plain twin of Jugger follows a trace: it derives the same events, and refuses what is not allowed."""

from collections import Counter
from typing import Any

import pytest

from simkit.core.rng import make_key
from simkit.games.jugger.aliases import KINDS
from simkit.games.jugger.rules import Rules
from tests.naive.jugger import (
    RULINGS,
    Battle,
    Board,
    Design,
    Hold,
    IllegalDecisionError,
    Random,
    TraceDivergedError,
    play,
)
from tests.naive.jugger import tables as t
from tests.naive.jugger.battles import CHOICES, random_battle
from tests.naive.jugger.board import DIRECTIONS, distance, pack, unpack
from tests.naive.jugger.design import Jug

KEY = make_key(20)
FIELD = Board([(q, r) for q in range(-12, 21) for r in range(-6, 7)], {})


def design(sc: int, *kinds: str) -> Design:
    """Write a design shortly."""
    return Design(sc, tuple((kind, 1) for kind in kinds))


class Reactor(Random):
    """Random also in reactions and in letting go."""

    def let_go(self, jug: Jug, item: int) -> bool:
        return self.battle.choose(jug, 2) == 0

    def reroll(self, jug: Jug, foe: Jug, item: int, ways: list[int]) -> int | None:
        chosen = self.battle.choose(jug, len(ways) + 1)
        return ways[chosen] if chosen < len(ways) else None

    def shield(self, jug: Jug, foe: Jug, item: int) -> bool:
        return self.battle.choose(jug, 2) == 0


def reacted(policy: type[Hold], arguments: dict[str, Any]) -> tuple[Battle, dict[str, int]]:
    """Play a battle with a policy of the tests on both sides."""
    given = {name: value for name, value in arguments.items() if name != "policies"}
    battle = Battle(**given, policies=("random", "random"), rout_below=0, trace=None)
    battle.policies = [policy(battle), policy(battle)]
    battle.play()
    return battle, battle.outcome()


@pytest.mark.thorough
def test_following_comes_to_the_same() -> None:
    """Battles under random rules: who follows the events derives them again, and no rule of the board is broken."""
    seen = Counter[int]()
    for seed in range(250):
        arguments = random_battle(seed)
        arguments["rules"].rout_below = 0
        battle, outcome = reacted(Reactor, arguments)
        seen.update(event[0] for event in battle.events)
        followed = play(**{**arguments, "policies": ("greedy", "lookahead")}, trace=battle.events)
        assert followed == (outcome, battle.events), seed
        places = [jug.place for jug in battle.jugs if jug.in_play]
        assert len(places) == len(set(places)) and not any(battle.board.solid(place) for place in places)
        assert all(0 < jug.hits <= jug.full for jug in battle.jugs if jug.in_play)
        assert outcome["win_a"] + outcome["win_b"] + outcome["draw"] == 1
    assert set(seen) == set(range(54)), f"never seen: {[t.EVENTS[what] for what in range(54) if what not in seen]}"


def test_swap_mirrors_nothing_but_seats() -> None:
    """Side a is the first list in either seat; the dice belong to the seat."""
    lists = [[design(3, "flail", "flail", "flail")], [design(1, "ballista")]]
    starts = [[(0, 0, 0, 0)], [(1, 0, 3, 0)]]
    straight, events = play(lists, FIELD, starts, KEY, 4)
    swapped, same = play(lists[::-1], FIELD, starts, KEY, 4, swap=True)
    assert events == same
    assert all(straight[f"{name}_a"] == swapped[f"{name}_b"] for name in ("win", "hits", "weapons", "criticals"))


DUEL: dict[str, Any] = {
    "designs": [[design(5, "ballista", "claw_arm", "wizard", "gears")], [design(4, "flail", "legs")]],
    "board": FIELD, "starts": [[(0, 0, 0, 0)], [(1, 0, 3, 0)]], "key": KEY, "trial": 7, "max_turns": 3,
}  # fmt: skip


def event(what: int, jug: int, foe: int = -1, item: int = -1, roll: int = 0, value: int = 0) -> Any:
    """Write an event of the first turn."""
    return what, 1, jug, foe, item, roll, value, 0


@pytest.mark.parametrize(
    ("after", "wrong", "words"),
    [
        ((t.SEGMENT, -1), event(t.LET_GO, 0, 1, 1), "J-WPN-14"),
        ((t.SEGMENT, -1), event(t.CAST_HASTE, 1, roll=2), "J-WIZ-2"),
        ((t.DECLARE, 0), event(t.DECLARE, 0, 1, 0), "J-ATK-1"),
        ((t.TO_HIT, 0), event(t.REROLL, 0, 1, 0), "J-CAP-6"),
        ((t.DAMAGE, 0), event(t.SHIELD, 1, 0, 0), "J-WIZ-3"),
        ((t.MOVE, 0), event(t.ENTER, 0, value=pack((1, 0))), r"allowed: \['L', 'R', 'stop'\]"),
    ],
)
def test_decisions_out_of_place_are_refused(after: tuple[int, int], wrong: Any, words: str) -> None:
    """A decision that is not allowed where it stands is named, with its rule."""
    _, events = play(**DUEL)
    at = next(at for at, told in enumerate(events) if (told[0], told[2]) == after)
    events.insert(at + 1, wrong)
    with pytest.raises(IllegalDecisionError, match=words):
        play(**DUEL, policies=("trace", "trace"), trace=events)


class Speeding(Hold):
    """Too fast by one."""

    def velocity(self, jug: Jug, low: int, high: int) -> int:
        return high + 1


class Spinning(Hold):
    """Two turns, whatever the turn rate."""

    def action(self, jug: Jug, options: list[str]) -> str:
        return "R" if jug.turned < 2 else "stop"


@pytest.mark.parametrize(
    ("policy", "words"),
    [(Speeding, "velocity of 0 to 2 .J-ACC-2"), (Spinning, r"turned 1 times; allowed: \['stop'\] .J-ACC-1")],
)
def test_illegal_moves_are_refused(policy: type[Hold], words: str) -> None:
    """J-ACC-1, J-ACC-2: a velocity above the legal one, a second turn of 60 degrees."""
    two = [[design(5, "gears")], [design(4, "gears")]]
    arguments = {**DUEL, "designs": two, "rules": t.rules_of(), "swap": False}
    battle, _ = reacted(policy, arguments)
    with pytest.raises(IllegalDecisionError, match=words):
        play(**arguments, policies=("trace", "trace"), trace=battle.events)


def test_other_events_are_told() -> None:
    """An event that cannot be derived, one too many and one too few stop the twin."""
    _, events = play(**DUEL)
    at = next(at for at, told in enumerate(events) if told[0] == t.TO_HIT)
    wrong = [*events[:at], (*events[at][:5], 7 - events[at][5], *events[at][6:]), *events[at + 1 :]]
    for trace in (wrong, events[:-1], [*events, events[-1]]):
        with pytest.raises(TraceDivergedError, match="the twin derives"):
            play(**DUEL, trace=trace)


def test_names() -> None:
    """Rules, items and places are called as in the package; every ruling has an id of its own."""
    rules = Rules()
    unread = {name for name in Rules.model_fields if name.endswith("_spaces")} | {
        *("spaces_per_size", "shield_from", "restoration_from")
    }
    assert set(t.DEFAULTS) | unread == set(Rules.model_fields)
    for name, value in t.DEFAULTS.items():
        if name != "weapons":
            assert getattr(rules, name) == value, name
    for kind, weapon in t.WEAPONS.items():
        assert all(getattr(rules.weapons[kind], name) == value for name, value in weapon._asdict().items()), kind
    assert tuple(KINDS) == t.KINDS
    assert set(CHOICES) <= set(t.DEFAULTS)
    assert [name.split()[0] for name in RULINGS] == [f"T-{n}" for n in range(1, len(RULINGS) + 1)]
    assert unpack(pack((-7, 5))) == (-7, 5)
    assert [distance((0, 0), place) for place in DIRECTIONS] == [1] * 6
