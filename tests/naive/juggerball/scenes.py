"""Scenes for tests: a few jugs and a ball put down by hand, with dice that fall as written and moves as planned."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from simkit.core.rng import make_key
from tests.naive.jugger import tables as t
from tests.naive.jugger.board import Hex
from tests.naive.jugger.design import Jug
from tests.naive.jugger.motion import play_move
from tests.naive.juggerball import tables as b
from tests.naive.juggerball.field import FIELDS, Field
from tests.naive.juggerball.match import Match
from tests.naive.juggerball.policies import BallHold
from tests.naive.juggerball.teams import TEAM, design_of

KEY = make_key(6)
A, B = 0, 1


class MoreDiceError(Exception):
    """The script has no more dice of a purpose."""

    def __init__(self, expression: str, purpose: str) -> None:
        super().__init__(f"{expression} for {purpose}")
        self.expression = expression


class Script:
    """Dice that fall as written, by purpose; under the purpose `any` for all."""

    def __init__(self, **falls: Iterable[int]) -> None:
        self.falls = {purpose: list(values) for purpose, values in falls.items()}

    def roll(self, expression: str, purpose: str, time: int, seat: int, i: int) -> int:
        """Return the next value."""
        values = self.falls.get(purpose) or self.falls.get("any")
        if not values:
            raise MoreDiceError(expression, purpose)
        return values.pop(0)

    def left(self) -> dict[str, list[int]]:
        """Return what was not thrown."""
        return {purpose: values for purpose, values in self.falls.items() if values}


class Plan(BallHold):
    """Do what a test has planned."""

    def __init__(self, match: Match, velocity: int, actions: str = "", **choices: Any) -> None:
        super().__init__(match)
        self.planned_velocity = velocity
        words = {"F": "F", "L": "L", "R": "R", "k": "kick", "l": "kick left", "r": "kick right"}
        self.planned = [words[letter] for letter in actions]
        self.choices = choices
        self.offered: list[list[str]] = []

    def velocity(self, jug: Jug, low: int, high: int) -> int:
        """As planned."""
        return self.planned_velocity

    def action(self, jug: Jug, options: list[str]) -> str:
        """As planned, then straight on to the end of the velocity."""
        if self.planned:
            action = self.planned.pop(0)
            assert action in options, (action, options)
            return action
        return "stop" if "stop" in options else "F"

    def contact(self, jug: Jug, options: list[str]) -> str:
        """As planned, a plain hit by default."""
        self.offered.append(options)
        return str(self.choices.get("contact", "hit"))

    def catch(self, jug: Jug) -> bool:
        """As planned, what an enemy touched last by default."""
        catch = self.choices.get("catch")
        return BallHold.catch(self, jug) if catch is None else bool(catch)

    def deflect(self, jug: Jug) -> int:
        """As planned, left by default."""
        return int(self.choices.get("deflect", -1))


Someone = tuple[Any, ...]
"""Side, hex, facing, velocity, kinds of items (also none)."""


def scene(
    *jugs: Someone, ball: Hex | None = (0, 0), field: str | Field = "pitch", dice: Script | None = None, **changes: Any
) -> Match:
    """Return a match in its first turn with these jugs in play and no others; slots go by side and order."""
    teams = []
    for side in (A, B):
        team = [design_of(one[4:]) for one in jugs if one[0] == side]
        teams.append(team + [design_of(())] * (TEAM - len(team)))
    rules = b.rules_of(**{"no_jugs": "play_on", "critical_every": 10_000, **changes})
    ground = FIELDS[field] if isinstance(field, str) else field
    match = Match(teams, rules, ground, ("hold", "hold"), 200, KEY, 0, False, None)
    match.turn = 1
    match.ball = ball
    for jug in match.jugs:
        jug.in_play = False
    for side in (A, B):
        own = [one for one in jugs if one[0] == side]
        for jug, (_, place, facing, velocity, *_) in zip(match.jugs[TEAM * side :], own, strict=False):
            jug.in_play, jug.place, jug.facing, jug.velocity = True, place, facing, velocity
    match.still = {jug.slot for jug in match.jugs if jug.velocity == 0}
    match.dice = dice or Script()  # type: ignore[assignment]
    return match


def holds(match: Match, slot: int = 0) -> Match:
    """Let a jug of a scene hold the ball."""
    match.hold_ball(match.jugs[slot], b.BY_PUSH)
    match.events.clear()
    return match


def move(match: Match, slot: int, velocity: int, actions: str = "", **choices: Any) -> Plan:
    """Let a jug of a scene move as planned."""
    jug = match.jugs[slot]
    plan = Plan(match, velocity, actions, **choices)
    match.policies[jug.side] = plan
    match.moving_side = jug.side
    play_move(match, jug)
    return plan


def told(match: Match, *names: str) -> list[tuple[int, ...]]:
    """Return the events of some names, without the turn: jug, foe, item, roll, value, extra."""
    return [event[2:] for event in match.events if t.NAMES[event[0]] in names]


def names(match: Match) -> list[str]:
    """Return the names of all events."""
    return [t.NAMES[event[0]] for event in match.events]


def chances(make: Any, most: int = 99) -> dict[Any, Fraction]:
    """Return the exact chances of what `make(dice)` returns; what needs more than `most` throws counts as "open"."""
    found: dict[Any, Fraction] = defaultdict(Fraction)
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        falls, chance = waiting.pop()
        try:
            found[make(Script(any=falls))] += chance
        except MoreDiceError as error:
            if len(falls) == most:
                found["open"] += chance
            else:
                waiting += [((*falls, face), chance * p) for face, p in t.faces(error.expression).items()]
    return dict(found)
