"""Duels in which nobody moves, for tests of the exact solution: how to write, solve and play them."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from scipy import stats

from simkit.core.key import Key
from simkit.games.jugger.chances import Chances
from simkit.games.jugger.compile import compile as compile_battle
from simkit.games.jugger.exact import solve
from simkit.games.jugger.legality import complaints
from simkit.games.jugger.outcomes import OUTCOMES
from simkit.games.jugger.records import COLUMNS, Setup
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario
from simkit.games.jugger.standing import Stage, Standing
from simkit.games.protocol import Solution

FALSE_ALARM = 1e-6
FEW = 100
"""With fewer events expected than this a share is held against its binomial tail."""


def jug(size: int, *equipment: str, captain: tuple[str, ...] = ()) -> dict[str, Any]:
    """Write a design shortly."""
    return {"size": size, "equipment": list(equipment), "captain": list(captain)}


def duel(a: Any, b: Any, **scenario: Any) -> Scenario:
    """Write a duel of two jugs that hold; side by side unless the scenario says otherwise."""
    sides = {"a": {"design": a}, "b": {"design": b}}
    return Scenario.model_validate({"sides": sides, "policy": "hold", "scenario": {"distance": 1, **scenario}})


def solved(a: Any, b: Any, house: dict[str, Any] | None = None, **scenario: Any) -> Solution:
    """Return the solution of a duel."""
    found = solve(duel(a, b, **scenario), Rules(**(house or {})))
    assert found.why == ""
    assert set(found.metrics) == {metric.name for metric in OUTCOMES}
    return found


def values(*args: Any, **more: Any) -> dict[str, float]:
    """Return every metric of a duel."""
    return {name: float(value) for name, value in solved(*args, **more).metrics.items()}  # type: ignore[arg-type]


PAIRS: dict[str, tuple[Any, Any, dict[str, Any], dict[str, Any]]] = {
    "grabs": (
        jug(2, "claw arm", "jaws", captain=("tactics",)), jug(1, "claw arm", captain=("evasion",)),
        {"max_turns": 4}, {},
    ),
    "ropes": (
        jug(3, "ballista", "ballista", "winch", captain=("artillerist",)), jug(1, "ballista", captain=("balance",)),
        {"distance": 4, "max_turns": 6}, {},
    ),
    "ropes and fires": (
        jug(3, "fire pump", "ballista", "winch", captain=("balance",)),
        jug(3, "ballista", "winch", "mirror", captain=("damage control",)),
        {"max_turns": 5}, {"hits_per_size": 3, "rope_holds_at_most": 5},
    ),
    "fires": (jug(1, "fire pump"), jug(2, "mirror", "flail", captain=("damage control",)), {"max_turns": 5}, {}),
    "cauldrons": (jug(1, "cauldron"), jug(1, "trebuchet"), {"max_turns": 6}, {}),
    "boarders": (
        jug(3, "boarders", "boarders", "boarders", captain=("meleer",)), jug(2, "boarders", "fang"), {}, {},
    ),
    "topple and cut": (
        jug(3, "size 2 scythe", "lever"), jug(3, "battering ram", "gears", "scythe", captain=("balance",)), {}, {},
    ),
    "crews": (jug(2, "demon eye", "wizard"), jug(2, "size 2 tongue"), {"distance": 2}, {}),
    "sides": (
        jug(2, "wheel spikes", "wheel spikes", captain=("meleer",)), jug(2, "shield arm", "wheel spikes"),
        {"a_arc": 1, "b_arc": 4, "max_turns": 5}, {},
    ),
    "legs": (
        jug(3, "legs", "saw arm", "gears"), jug(2, "mace arm", "legs", captain=("evasion", "damage control")), {}, {},
    ),
    "repairs": (
        jug(1, "slingshot", captain=("mechanic",)), jug(2, "catapult", "acid spitter"),
        {"distance": 9, "max_turns": 5}, {},
    ),
    "house rules of grabs": (
        jug(2, "claw arm", "jaws"), jug(1, "jaws", captain=("evasion",)), {"max_turns": 3},
        {"grab_damage": "attack", "evasion": "declared", "break_roll": "weapon", "strategic_roll": True},
    ),
    "house rules of dice": (
        jug(2, "flail", "cauldron"), jug(2, "saw arm", "mace arm", captain=("damage control",)), {"max_turns": 4},
        {"to_hit": "at_least", "critical_every": 7, "cauldron_reroll": True, "control_divides": 3,
         "oversize": "more_dice", "critical_attacker": 2, "critical_defender": 5},
    ),
}  # fmt: skip


def standing(name: str) -> Iterator[Standing]:
    """Yield both jugs of a pair."""
    a, b, scenario, house = PAIRS[name]
    battle, rules = duel(a, b, **scenario), Rules(**house)
    assert complaints(battle, rules) == []
    setup = compile_battle(battle, rules)
    stage = Stage(setup, False)
    for side, design in enumerate((battle.sides.a.design, battle.sides.b.design)):
        yield Standing(stage, side, design, Chances(rules), int(setup.jugs[side].captain))  # type: ignore[arg-type]


def hold_equal(jugger: Any, battle: Scenario, rules: Rules, right: Mapping[str, float], games: int, key: Key) -> None:
    """Hold what so many games count against the right values; rare events by their binomial tail.

    A share s has the standard error ``sqrt(s (1 - s) / games)`` where both games of a pair fall independently, at
    most 0.05 points at a million games and 0.016 points at ten million; it is measured, pair by pair.
    """
    units = games // jugger.GAMES_A_UNIT
    setups = Setup.array(1)
    setups[0] = compile_battle(battle, rules)
    out = np.zeros((1, 256, COLUMNS, 4), np.int64)
    jugger.play_block(setups, jugger.new_state(), key, 0, units, out)
    sums, squares = out[0, :, :, 0].sum(axis=0).tolist(), out[0, :, :, 1].sum(axis=0).tolist()
    for metric, total, square in zip(OUTCOMES, sums, squares, strict=True):
        if metric.name not in right:
            continue
        expected = right[metric.name] * metric.scale * jugger.GAMES_A_UNIT
        variance = square / units - (total / units) ** 2
        if variance == 0 or (metric.kind == "share" and expected * units < FEW):
            rare = min(1.0, abs(expected - round(total / units)) / jugger.GAMES_A_UNIT)
            seen = abs(total - round(total / units) * units)
            tail = stats.binom.sf(seen - 1, games, rare) if seen else stats.binom.cdf(0, games, rare)
            assert tail > FALSE_ALARM, metric.name
        else:
            error = (units * variance) ** 0.5
            z = (total - units * expected) / error
            scale = metric.scale * games
            assert 2 * stats.norm.sf(abs(z)) > FALSE_ALARM, f"{metric.name}: {total / scale}, s.e. {error / scale}"
