"""Duels in which nobody moves (J-HLD-1), solved instead of played, as far as they are small enough.

Chances are floating-point numbers that are only added and multiplied, so that a bound of their error is known.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from simkit.games.jugger.chances import Chances
from simkit.games.jugger.compile import compile as compile_battle
from simkit.games.jugger.events import event as event
from simkit.games.jugger.kinds import Ability
from simkit.games.jugger.outcomes import OUTCOMES
from simkit.games.jugger.records import Outcome
from simkit.games.jugger.roster import roster
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import SIDES, Scenario
from simkit.games.jugger.standing import Stage, Standing
from simkit.games.jugger.standoff import MOST_STEPS, Standoff
from simkit.games.jugger.wear import Effort, TooLargeError
from simkit.games.protocol import Solution

STANDING = (
    Ability.BALANCE,
    Ability.TACTICS,
    Ability.ARTILLERIST,
    Ability.MELEER,
    Ability.EVASION,
    Ability.CONTROL,
    Ability.MECHANIC,
)
"""Abilities that count for a jug that neither moves nor chooses."""

SHARES = {metric.name for metric in OUTCOMES if metric.kind == "share"}


class Solved(NamedTuple):
    """A duel between given captains, or the mean of several."""

    metrics: dict[str, float]
    situations: int
    error: float


def solve(scenario: Scenario, rules: Rules) -> Solution:
    """Return every metric of a duel in which nobody moves.

    Parameters
    ----------
    scenario
        A legal battle.
    rules
        The rule set.

    Returns
    -------
    Solution
        Values of which no share is off by more than `error`; without any, `why` says why there are none.

    Notes
    -----
    One jug a side, both played by ``hold``. A duel is too large where a turn can end in more than two million
    situations, or leads through more than twenty million; what is left of the jugs, condition by condition, counts.

    Ties for initiative are rolled again until they are broken; a battle that is played rolls nine times and then lets
    seat 0 move first. Where a roll ties with the chance t, a turn differs with the chance t^9 at most, and a share of a
    duel of n turns by n t^9: less than 10^-7 over 60 turns of D10, where t = 1/10. Where the order of the segments
    makes no difference (no weapon grabs), only ``win_first`` differs, by t^9 at most.
    """
    return solve_within(scenario, rules)[0]


def solve_within(scenario: Scenario, rules: Rules, steps: int | None = None) -> tuple[Solution, int]:
    """Solve as :func:`solve` does, but give up when that turns out to be too much work.

    Parameters
    ----------
    scenario, rules
        As for :func:`solve`.
    steps
        Most work: about as many numbers are looked at. None: no limit.

    Returns
    -------
    Solution
        Without values where the work was too much; `why` says so.
    int
        Steps that were taken. The same battle takes the same steps every time.

    Examples
    --------
    >>> still = {"sides": {"a": {"design": "archer"}, "b": {"design": "axer"}}, "policy": "hold"}
    >>> solution, _ = solve_within(Scenario.model_validate(still), Rules(), steps=1000)
    >>> solution.why
    'its solution takes more than 1,000 steps'
    """
    effort = Effort(steps)
    why = unsolved(scenario)
    if why:
        return Solution({}, 0, why=why), 0
    try:
        found = list(_cases(scenario, rules, effort))
    except TooLargeError as reason:
        return Solution({}, 0, why=str(reason)), effort.done
    metrics = {
        name: sum((weight * Fraction(solved.metrics[name]) for weight, solved in found), Fraction(0))
        for name in Outcome._fields
    }
    metrics |= {name: min(metrics[name], Fraction(1)) for name in SHARES}  # rounding may have led above
    situations, error = sum(solved.situations for _, solved in found), max(solved.error for _, solved in found)
    return Solution(metrics, situations, error=error), effort.done


def unsolved(scenario: Scenario) -> str:
    """Say why a battle has no exact solution; empty when it may have one.

    Examples
    --------
    >>> unsolved(Scenario.model_validate({"sides": {"a": {"design": "archer"}, "b": {"design": "axer"}}}))
    'side a is played by greedy; solved are duels in which both sides hold'
    """
    for side in SIDES:
        if scenario.policy_of(side) != "hold":
            return f"side {side} is played by {scenario.policy_of(side)}; solved are duels in which both sides hold"
        jugs = scenario.side(side).count_of_jugs
        if jugs != 1:
            return f"side {side} has {jugs} jugs; solved are duels of one against one"
    victory = scenario.scenario.victory
    if victory.occupy is not None or victory.break_through is not None:
        return "an aim besides destruction and delay is in play; solved are duels to the end"
    return ""


def _cases(scenario: Scenario, rules: Rules, effort: Effort) -> Iterator[tuple[Fraction, Solved]]:
    """Yield the duels that a battle can be, with chances: by seats, and by captains where they are drawn by lot."""
    setup, chances = compile_battle(scenario, rules), Chances(rules)
    stages = [Stage(setup, swapped) for swapped in (False, True)]
    designs = [roster(scenario, side)[0] for side in SIDES]
    guns = [[[gun for gun in chances.guns(designs[k]) if stage.bears(k, gun)] for k in (0, 1)] for stage in stages]
    views = [(0, Fraction(1))] if guns[0] == guns[1] else [(0, Fraction(1, 2)), (1, Fraction(1, 2))]
    captains = [_captains(rules, int(setup.jugs[k].captain)) for k in (0, 1)]
    cases = list(product(views, captains[0].items(), captains[1].items()))
    for (view, weight), (a, first), (b, second) in cases:
        jugs = (
            Standing(stages[view], 0, designs[0], chances, a),
            Standing(stages[view], 1, designs[1], chances, b),
        )
        turns, defender = int(setup.victory.max_turns), int(setup.victory.delay_side)
        standoff = Standoff(jugs, chances, turns, defender, MOST_STEPS // len(cases), effort)
        yield weight * first * second, _solved(standoff, None if len(views) == 1 else view)


def _captains(rules: Rules, captain: int) -> dict[int, Fraction]:
    """Return the abilities that a jug may have, as bits, with chances (J-CAP-1); those that do not count left out."""
    counts = sum(1 << ability for ability in STANDING)
    if captain or rules.captains != "random":
        return {captain & counts: Fraction(1)}
    found: dict[int, Fraction] = {}
    for ability in Ability:
        bits = 1 << ability & counts
        found[bits] = found.get(bits, Fraction(0)) + Fraction(1, len(Ability))
    return found


def _solved(standoff: Standoff, seat_of_a: int | None) -> Solved:
    """Solve one duel; None: it is the same from both seats."""
    ahead = float(standoff.ahead(1))
    if standoff.order_matters:
        by_first = [standoff.play(first) for first in (0, 1)]
        metrics = {name: ahead * by_first[0][name] + (1 - ahead) * by_first[1][name] for name in Outcome._fields}
        first_wins = ahead * by_first[0]["win_a"] + (1 - ahead) * by_first[1]["win_b"]
    else:
        metrics = standoff.play()
        first_wins = ahead * metrics["win_a"] + (1 - ahead) * metrics["win_b"]
    win_a, win_b = metrics["win_a"], metrics["win_b"]
    draw = metrics["draw_both"] + metrics["draw_cap"]
    seat_0 = (win_a + win_b) / 2 if seat_of_a is None else (win_a, win_b)[seat_of_a]
    more = {"draw": draw, "score_a": win_a + draw / 2, "win_first": first_wins, "win_seat_0": seat_0}
    return Solved(metrics | more, standoff.situations, standoff.error)
