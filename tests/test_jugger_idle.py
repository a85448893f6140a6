"""What does nothing in a battle, and what can only help: idle items, armor, hits, and jugs beyond all reach."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from simkit.games.jugger import game
from simkit.games.jugger.happenings import What
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import POLICIES, Scenario
from tests.jugger_battles import table
from tests.jugger_frays import Fray, fought, fray, post, units


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    game.ready()


QUIET = {"critical_defender": 0}
"""The defender never gives up a piece: an idle one in last place would be given up instead of a weapon (J-DMG-9)."""

FIGHTERS = [
    ["flail", "size 2 saw arm", "shield arm"],
    ["2 catapults", "mirror", "scythe"],
    ["jaws", "cauldron", "claw arm"],
    ["ballista", "winch", "wheel spikes"],
    ["lever", "boarders", "fire pump"],
    ["legs", "mace arm", "acid spitter"],
]


def duel(own: Any, other: Any, scene: dict[str, Any], rules: Rules, policy: str = "hold") -> Any:
    """Compile a duel of legal designs."""
    designs = [{"size": 6, "equipment": equipment} for equipment in (own, other)]
    sides = {side: {"design": design} for side, design in zip("ab", designs, strict=True)}
    scenario = Scenario.model_validate({"sides": sides, "scenario": {"max_turns": 40, **scene}, "policy": policy})
    assert game.complaints(scenario, rules) == []
    return game.compile(scenario, rules)


def duels() -> Iterator[tuple[list[str], list[str], dict[str, Any]]]:
    """List duels of the fighters above, close and far."""
    for i, own in enumerate(FIGHTERS):
        for j, other in enumerate(FIGHTERS):
            yield own, other, {"distance": 1 if (i + j) % 3 else 4, "a_arc": (i * j) % 6, "b_arc": i % 6}


@pytest.mark.parametrize("policy", POLICIES)
def test_armor_without_hits_does_nothing(policy: str) -> None:
    """Whoever plays, not a bit of the battle changes."""
    rules = Rules(armor_hits=0)
    for own, other, scene in duels():
        scene = {**scene, "max_turns": 12}
        bare, armored = (duel([*own, *extra], other, scene, rules, policy) for extra in ([], ["armor"]))
        for trial in range(3):
            assert fought(armored, trial) == fought(bare, trial)


@pytest.mark.parametrize("item", ["gears", "brakes", "steering", "main ram +1", "wizard", "deflector", "spare"])
@pytest.mark.thorough
def test_an_idle_item_does_nothing_where_nobody_moves(item: str) -> None:
    """In last place an item that is no use under ``hold`` changes no outcome; nor does a weapon that never hits."""
    rules = Rules.model_validate({**QUIET, "weapons": {**Rules().weapons, "slingshot": never()}})
    lost = 0
    for own, other, scene in [*duels()][::3]:
        if item == "deflector" and "legs" in own:
            continue
        extra = "slingshot" if item == "spare" else item
        plain, laden = (duel([*own, *more], other, scene, rules) for more in ([], [extra]))
        assert plain.tobytes() != laden.tobytes()
        for trial in range(12):
            for seat in (0, 1):
                outcome, events = fought(plain, trial, seat)
                assert fought(laden, trial, seat)[0] == outcome
                lost += sum(event[0] == What.LOSE for event in events)
    assert lost > 30


def never() -> Any:
    """Return a weapon that never hits."""
    return Rules().weapons["slingshot"].model_copy(update={"to_hit": 0})


LETHAL = {"lever", "boarders", "scythe"}
"""What is worth the more the more hits a target has: an attacker who chooses a piece may choose another one then."""


def test_more_hits_never_cost_a_point_where_nobody_moves() -> None:
    """In a duel under ``hold`` hits decide nothing but when one falls: no unit of trials scores less with more."""
    gained = 0
    for own, other, scene in duels():
        if LETHAL & {*own, *other}:
            continue
        setup = duel(own, other, scene, Rules())
        for row, sign in ((0, 1), (1, -1)):
            before: list[int] = []
            for more in (0, 1, 2, 5, 20, 80):
                tougher = setup.copy()
                tougher.jugs[row].hits += more
                scores = [sign * sum(battle["score_a"] for battle in unit) for unit in units(tougher, 25)]
                assert not before or all(now >= then for now, then in zip(scores, before, strict=True))
                gained += bool(before) and scores != before
                before = scores
    assert gained > 30


def test_armor_and_shields_never_lower_the_score_where_nobody_moves() -> None:
    """The same of armor and, out of its own reach, a shield arm; and on average of hits for all of one side."""
    rules = Rules.model_validate(QUIET)
    for own, other, scene in duels():
        if LETHAL & {*own, *other}:
            continue
        shield = ["shield arm"] if scene["distance"] > 1 else ["armor"]
        bare, armored = (duel([*own, *extra], other, scene, rules) for extra in ([], shield))
        for less, more in zip(units(bare, 25), units(armored, 25), strict=True):
            assert sum(battle["score_a"] for battle in more) >= sum(battle["score_a"] for battle in less)
    sides = {side: {"units": [{"design": "axer"}, {"design": "landship"}, {"design": "lobber"}]} for side in "ab"}
    battle = Scenario.model_validate({"sides": sides, "scenario": {"distance": 3}, "policy": "hold"})
    setup, means = game.compile(battle, Rules()), []
    for more in (0, 20, 40, 60):
        for row in range(3):
            setup.jugs[row].hits = game.compile(battle, Rules()).jugs[row].hits + more
        means.append(sum(one["score_a"] for unit in units(setup, 400) for one in unit))
    assert means[0] == 800 and means == sorted(set(means))


# Far away

SIDES_IN_FOE = {What.INITIATIVE, What.SEGMENT, What.OUT, What.OVER, What.DEPLOY}
"""Events whose foe is a side, not a jug."""


def with_others(battle: Fray, others: tuple[int, int]) -> Any:
    """Compile a battle without terrain in the west of a long field, with so many idle jugs of each side in the east."""
    sides, starts = [], []
    for side in (0, 1):
        idle = battle.designs[side][0]._replace(captain=())
        designs = [*battle.designs[side], *[idle] * others[side]]
        sides.append({"units": [{"design": table(design)} for design in designs]})
        near = [post(q - 20, *rest) for q, *rest in battle.starts[side]]
        starts.append([*near, *(post(18 + k, 3 * side, 0, 0) for k in range(others[side]))])
    scene = {
        "map": {"half_length": 28, "half_rows": 5},
        "deployment": dict(zip("ab", starts, strict=True)),
        "max_turns": 40,
    }
    written = {"sides": dict(zip("ab", sides, strict=True)), "scenario": scene, "policy": "hold"}
    rules = battle.rules.model_copy(update={"initiative": "side", "captains": "none"})
    return game.compile(Scenario.model_validate(written), rules)


@pytest.mark.thorough
def test_jugs_beyond_all_reach_do_not_matter() -> None:
    """Under ``hold`` a battle with others on the far side of the field is, to its end, the one without them."""
    prolonged = 0
    for seed in range(40):
        battle, luck = fray(500 + seed), random.Random(seed)
        others = (luck.randint(0, 2), luck.randint(0, 2))
        core, whole = (fought(with_others(battle, counts), seed)[1] for counts in ((0, 0), others))
        a, b = (len(designs) for designs in battle.designs)
        slots = {-1: -1} | {k: k for k in range(a)} | {a + others[0] + k: a + k for k in range(b)}
        inner = [
            (what, turn, slots[jug], foe if what in SIDES_IN_FOE else slots[foe], *rest)
            for what, turn, jug, foe, *rest in whole
            if jug in slots
        ]
        assert inner[: len(core) - 1] == core[:-1], seed
        prolonged += len(inner) > len(core)
    assert prolonged > 5
