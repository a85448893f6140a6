"""Lift, need and regret on a real game: all 29 builds of the smallest jugs, which shoot until one falls."""

import numpy as np
import pytest
from scipy import stats

from simkit.balance.equilibrium import regrets, solve
from simkit.balance.items.case import measured
from simkit.balance.items.cases import Asked
from simkit.balance.items.contest import Contest
from simkit.balance.items.power import measure_exact
from simkit.lab import plan as planning
from simkit.lab.runner import Silent
from simkit.lab.study import Study

QUESTION = {
    "schema": 1,
    "name": "smallest",
    "game": "jugger",
    "sides": {"a": {"design": "warbuggy"}, "b": {"design": "warbuggy"}},
    "scenario": {"distance": 3, "max_turns": 20},
    "run": {"policy": "hold"},
    "balance": {"items": ["catapult", "legs"], "budgets": [1], "trials": 150_000},
}
TRUE_UNITS = 20_480
SLACK = 0.004
"""How far the long run itself may be off, in the maximum over 29 builds."""
LEVEL = 0.9


def contest_of(study, asked):
    return Contest(study.ledger(("win_a", "win_b")), asked.game, asked.cases[0].condition)


def matrix_of(contest, builds, units):
    i, j = np.triu_indices(len(builds), 1)
    pairs = [(builds[a], builds[b]) for a, b in zip(i, j, strict=True)]
    means = contest.scores(pairs, 0, units, 64, replication=7).mean(axis=1)
    matrix = np.full((len(builds), len(builds)), 0.5)
    matrix[i, j], matrix[j, i] = means, 1 - means
    return matrix


def missed(seeds, folder, units):
    """How often any of lift, need and regret of two items lies outside its interval, on other dice each time."""
    asked = Asked(planning.make(QUESTION))
    frame = asked.cases[0].frame
    assert len(frame.builds) == 29
    with Study.opened("long", asked.plan, {}, out=folder, jobs=2, progress=Silent(), trials=1) as study:
        contest = contest_of(study, asked)
        truth = matrix_of(contest, frame.builds, units)
        exact = measure_exact(truth, frame.items, crowd=frame.crowd).powers
        errors = 0
        for seed in range(seeds):
            contest.ledger.seed = 100 + seed
            made = measured(contest, frame, (), strongest=0, trials=150_000, level=LEVEL, delta=0.02, says=str).measured
            lost, right = regrets(truth, made.field), True
            for item, power, known in zip(frame.items, made.powers, exact, strict=True):
                true = {
                    "lift_uniform": known.lift_uniform.estimate,
                    "lift_field": float(item.weights() @ truth @ made.field),
                    "need": 0.5 - solve(truth, ~item.holders).value,
                    "regret": max(0.0, float(lost[item.holders].min())),
                }
                for name, value in true.items():
                    found = getattr(power, name)
                    right &= found.low - SLACK <= value <= found.high + SLACK
            errors += not right
    return errors


def test_a_matchup_is_the_same_from_both_sides_and_however_it_is_cut(tmp_path):
    asked = Asked(planning.make(QUESTION))
    by = {build.name: build for build in asked.cases[0].frame.builds}
    a, b = by["catapult"], by["ballista"]
    with Study.opened("short", asked.plan, {}, out=tmp_path, jobs=1, progress=Silent(), trials=1) as study:
        contest = contest_of(study, asked)
        there = contest.scores([(a, b)], 0, 128, 64)[0]
        again = contest.scores([(a, b)], 0, 128, 64)[0]
        parts = [contest.scores([(a, b)], first, first + 64, 64)[0] for first in (0, 64)]
        back = contest.scores([(b, a)], 0, 128, 64)[0]
    assert (there == again).all() and there.std() > 0
    np.testing.assert_allclose(there, (parts[0] + parts[1]) / 2)
    # not the same dice (each seat has its own), but the same duel
    assert abs(there.mean() + back.mean() - 1) < 0.15


@pytest.mark.slow
def test_the_intervals_hold_together_on_a_real_game(tmp_path):
    assert missed(60, tmp_path, TRUE_UNITS) <= stats.binom.ppf(0.9999, 60, 1 - LEVEL)
