"""Exact solutions of two units that fight where they stand (B-LAN-19 to B-LAN-25)."""

from collections import defaultdict
from fractions import Fraction
from typing import Any

import numpy as np

from simkit.games.battlesystem import compile as room
from simkit.games.battlesystem.chain import Chain, Chances
from simkit.games.battlesystem.kinds import Policy
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario
from simkit.games.protocol import Solution

MOST = 60_000
"""Most pairs of what the two units can be that are solved."""

ROUNDING = 1e-9
"""Most that a share is off by adding up rounded chances."""


def solve(scenario: Scenario, rules: Rules) -> Solution:
    """Return the exact chances of a fight of one unit against one that begins in contact; else why there are none.

    Parameters
    ----------
    scenario, rules
        A legal fight.

    Returns
    -------
    Solution
        Shares and means of the outcomes of melee and morale; nothing where units move or shoot first, where there are
        more than two, where one acts in contact, or where the figures and wounds are too many.
    """
    setup = room.compile(scenario, rules)
    why = _beyond(setup)
    if why:
        return Solution({}, 0, why=why)
    chain = Chain(setup, rules.rolled("attack_dice"), rules.rolled("morale_dice"))
    found = follow(chain, int(setup.rules.max_rounds))
    return Solution(
        {name: Fraction(value) for name, value in found.items()},
        chain.units[0].dead * chain.units[1].dead,
        error=ROUNDING,
    )


def _beyond(setup: Any) -> str:
    """Say what lies beyond the chain, or nothing."""
    if setup.count != 2:
        return "only one unit against one is solved exactly"
    if not setup.in_contact:
        return "only fights that begin in contact (in_contact = true) are solved exactly"
    acting = {Policy.WALL, Policy.WALL_ADVANCE, Policy.BEST}
    if any(int(unit.policy) in acting for unit in setup.units[:2]):
        return "a unit that declares a wall in contact, or chooses, is not solved exactly"
    if setup.rules.lasts_to_round_end and any(int(unit.declared) for unit in setup.units[:2]):
        return "declarations that end with the round are not solved exactly"
    states = 1
    for unit in setup.units[:2]:
        states *= int(unit.figures) * (int(unit.pool) if setup.rules.carry_wounds else 1) * 2
    return f"{states:,} situations are more than the {MOST:,} that are solved" if states > MOST else ""


def follow(chain: Chain, cap: int) -> dict[str, float]:
    """Carry the chances of all situations forward, round by round, and return the metrics of the fights that end."""
    found: dict[str, float] = defaultdict(float)
    now = chain.begin()
    for round in range(1, cap + 1):
        now = chain.after(now, first=round == 1)
        for name, value in ended(chain, now, round, capped=round == cap).items():
            found[name] += value
        a, b = chain.units
        now[a.dead :, :] = 0
        now[:, b.dead :] = 0
    return dict(found)


def ended(chain: Chain, now: Chances, round: int, *, capped: bool) -> dict[str, float]:
    """Return what the fights count that end in a round."""
    a, b = chain.units
    found: dict[str, float] = {}
    stands = [[*(1.0 for _ in unit.kinds), 0.0, 0.0] for unit in (a, b)]
    figures = [[*(float(kind.figures) for kind in unit.kinds), 0.0, 0.0] for unit in (a, b)]
    up_a, up_b = np.array(stands[0]), np.array(stands[1])
    over = 1 - np.outer(up_a, up_b) if not capped else np.ones_like(now)
    now = now * over
    found["win_a"] = float(up_a @ now @ (1 - up_b))
    found["win_b"] = float((1 - up_a) @ now @ up_b)
    found["mutual"] = float((1 - up_a) @ now @ (1 - up_b))
    found["cap"] = float(up_a @ now @ up_b)
    found["rounds"] = round * float(now.sum())
    found["figures_a"] = float(np.array(figures[0]) @ now.sum(axis=1))
    found["figures_b"] = float(np.array(figures[1]) @ now.sum(axis=0))
    found["dead_a"], found["rout_a"] = float(now[a.dead].sum()), float(now[a.routed].sum())
    found["dead_b"], found["rout_b"] = float(now[:, b.dead].sum()), float(now[:, b.routed].sum())
    return found
