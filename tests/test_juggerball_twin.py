"""The kernel of juggerball against the twin that was written from the rules of record alone: the same events and dice.

``hold`` and ``random`` are decided by the twin too; of ``chase`` and ``greedy`` it takes every decision from the
kernel's trace, checks that it was legal, and derives everything else.
"""

import random
import secrets
from collections import Counter
from collections.abc import Sequence

import pytest

from simkit.games.juggerball import game
from simkit.games.juggerball.exact import Ends, Pitch
from simkit.games.juggerball.fields import PlayField
from simkit.games.juggerball.rules import Rules
from tests.juggerball_matches import Meeting, field_table, fresh, random_meeting, regulation_meeting
from tests.naive.jugger.board import Hex, step
from tests.naive.jugger.tables import NAMES
from tests.naive.juggerball import Flights, exact
from tests.naive.juggerball.exact import Spread
from tests.naive.juggerball.matches import random_field
from tests.naive.juggerball.pushes import ANGLES

FEW = {False: [*range(60), 210], True: [*range(40), 65]}
"""Matches that show every event, by whether the twin follows: the rarest are in the last of them."""

ARMY = {
    *("LET_GO", "CAST_HASTE", "CAST_RESTORE", "BOARDERS_LOST", "FIRE", "ROPE", "SHIELD", "TOPPLE", "BALANCE", "CUT"),
    *("CREW", "CAPTURE", "ROPE_ENDS", "BURN", "PUT_OUT", "SPELLS", "SPELL", "NEW_SIDE"),
}
"""Events of weapons and wizards that no jug of a team has (J-BALL-20)."""

ONLY_CLEVER = {"REROLL"}


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    game.ready()


def compare(meeting: Meeting, *, follow: bool, seen: Counter[str], state: object) -> None:
    outcome, told = meeting.kernel(state)
    why = f"match {meeting.arguments['trial']}: {meeting.arguments['changes']}"
    own, derived = meeting.twin(told if follow else None)
    assert derived == told, why
    assert {name: own[name] for name in outcome} == outcome, why
    seen.update(NAMES[event[0]] for event in told)


def missing(seen: Counter[str], follow: bool) -> set[str]:
    """Return the events that were not seen, and could have been."""
    return set(NAMES.values()) - set(seen) - ARMY - (set() if follow else ONLY_CLEVER)


@pytest.mark.parametrize("follow", [False, pytest.param(True, marks=pytest.mark.thorough)], ids=["decides", "follows"])
def test_kernel_and_twin_play_the_same_matches(follow: bool) -> None:
    """Random fields, teams and house rules: every event, every column of J-BALL-26, legal moves of J-BALL-25."""
    state = fresh()
    seen: Counter[str] = Counter()
    for seed in FEW[follow]:
        compare(random_meeting(seed, clever=follow), follow=follow, seen=seen, state=state)
    assert seen["OVER"] == len(FEW[follow])
    assert missing(seen, follow) == set()


@pytest.mark.parametrize("matches", [9, pytest.param(180, marks=pytest.mark.slow)])
def test_regulation_matches(matches: int) -> None:
    """Whole matches as the rules have them: random teams, the three fields, 200 turns."""
    state = fresh()
    seen: Counter[str] = Counter()
    for seed in range(matches):
        compare(regulation_meeting(seed), follow=True, seen=seen, state=state)
    assert {"GOAL", "REPLACE", "KICK", "HEAD_ON", "RAM"} <= set(seen)


def spread(found: Ends, goals: Sequence[Hex]) -> Spread:
    """Write how a move of the ball ends as the twin does."""
    told = {(how, place): chance for how in ("end", "caught") for place, chance in getattr(found, how).items()}
    scores = {("goal", goals[1]): found.score_a, ("goal", goals[0]): found.score_b}
    return {what: chance for what, chance in (told | scores).items() if chance}


@pytest.mark.parametrize(
    "scenes", [6, pytest.param(60, marks=pytest.mark.thorough), pytest.param(400, marks=pytest.mark.slow)]
)
def test_two_enumerations_of_the_ball_agree(scenes: int) -> None:
    """J-BALL-9 to J-BALL-17: the package's and the twin's, in fractions, among random jugs on random fields."""
    for seed in range(scenes):
        rng = random.Random(seed)
        field = random_field(rng).fresh()
        field.wall_hits = [1] * len(field.walls)
        free = sorted(place for place in field.inside if place not in field.terrain and place not in field.goals)
        ball, *jugs = rng.sample(free, min(len(free), rng.randint(3, 14)))
        jugs += [one for one in (step(ball, rng.randrange(6)),) if one in free and one not in jugs]
        catchers = rng.sample([place for place in free if place not in jugs], rng.randint(0, 2))
        headings, right_angle = rng.choice((12, 12, 6)), rng.choice(("coin", "60", "120"))
        rules = Rules.model_validate({"ball_headings": headings, "right_angle": right_angle})
        facing, hexes, kick = rng.randrange(6), rng.randint(1, 4), rng.random() < 0.2
        angle = rng.choice([*ANGLES])
        ground = PlayField.model_validate(field_table(field))
        pitch = Pitch(ground, rules, jugs, catchers)
        flights = Flights(field, frozenset(jugs), headings, right_angle, frozenset(catchers))
        if seed % 3 == 0:
            found, own = pitch.roll(ball, facing), exact.roll(flights, ball, facing)
        elif seed % 3 == 1:
            found, own = pitch.head_on(ball, facing, hexes), exact.head_on(flights, ball, facing, hexes)
        else:
            found = pitch.hit(ball, facing, hexes, angle.strip() or "straight", kick=kick)
            own = exact.hit(flights, ball, facing, hexes, ANGLES[angle], kick=kick)
        assert spread(found, field.goals) == {what: chance for what, chance in own.items() if chance}, seed


@pytest.mark.slow
@pytest.mark.parametrize("follow", [False, True], ids=["decides", "follows"])
def test_hundreds_of_the_same_matches(follow: bool) -> None:
    """The same seeds every time, so that whatever is found can be found again."""
    state = fresh()
    seen: Counter[str] = Counter()
    for seed in range(100, 700):
        compare(random_meeting(seed, clever=follow), follow=follow, seen=seen, state=state)
    assert missing(seen, follow) == set()


@pytest.mark.slow
@pytest.mark.parametrize("follow", [False, True], ids=["decides", "follows"])
def test_thousands_of_fresh_matches(follow: bool) -> None:
    """Seeds that nobody has seen."""
    first = secrets.randbelow(2**31)
    state = fresh()
    seen: Counter[str] = Counter()
    for seed in range(first, first + 3000):
        compare(random_meeting(seed, clever=follow), follow=follow, seen=seen, state=state)
    assert missing(seen, follow) == set()
