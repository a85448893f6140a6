"""Intervals of several cells that hold together at the stated level: the cells of the report metric are one family.

Cells on common dice get a max-T band, others Sidak's. Where too little varied for a band, a share of independent games
gets the exact interval of its cell at Sidak's level and a mean its rare-event bound; sequential cells get their
confidence sequences at Bonferroni's.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from simkit import stats
from simkit.games.protocol import Metric
from simkit.lab.estimates import (
    FEW_BATCHES,
    SUFFIX,
    CellResult,
    Value,
    differing_batches,
    is_precise,
    rare_bound,
    reach_of,
)
from simkit.lab.plan import Plan
from simkit.lab.store import units_per_batch
from simkit.stats import Estimate

FEW = 100
"""With fewer differing units than this the bands of a share are exact, not normal."""


def outcome(plan: Plan) -> Metric:
    """Return the report metric of a plan."""
    return next(metric for metric in plan.game.OUTCOMES if metric.name == plan.metric)


def together(
    plan: Plan, results: Sequence[CellResult], chosen: Sequence[int], *, difference: bool
) -> tuple[list[Estimate], str]:
    """Return the report metric of several cells with intervals that hold together, and how they were made.

    Parameters
    ----------
    plan, results
        What was asked, and what every cell has shown.
    chosen
        Positions of the cells.
    difference
        True for the differences to their baselines.
    """
    name = plan.metric + SUFFIX if difference else plan.metric
    level, count = plan.level, len(chosen)
    ns = {results[i].n for i in chosen}
    units = _units(plan, ns, count)
    scope = f" for {all_of(count)} together" if count > 1 else " confidence"
    if any(results[i].sequential for i in chosen) or len(ns) > 1:
        made = [_sequence(plan, results[i], name, difference, count) for i in chosen]
        how = f"{spoken_methods(made)} confidence sequence{'s'[: count - 1]}"
        return made, f"{_percent(level)}{scope}, {how}, {units}{_shortfall(plan, results)}"
    if count == 1:
        single = results[chosen[0]].metrics[name]
        return [single], f"{_percent(level)} confidence, {single.method}, {units}"
    each = stats.sidak_level(count, level)
    if ns == {1}:
        made = [_exact_interval(results[i], difference, each, level) for i in chosen]
        return made, f"{_percent(level)}{scope}, {spoken_methods(made)}, {units}"
    made = _bands(plan, [results[i] for i in chosen], difference, each)
    return made, f"{_percent(level)}{scope}, {spoken_methods(made)}, {units}"


def _bands(plan: Plan, results: Sequence[CellResult], difference: bool, each: float) -> list[Estimate]:
    """Return one band for all cells, and intervals at Sidak's level for those of which too little varied."""
    sums = np.array([result.gains if difference else result.sums for result in results])
    n, metric, games = results[0].n, outcome(plan), plan.game.GAMES_A_UNIT
    bands = stats.simultaneous_bands(sums, units_per_batch(n), plan.level)
    value, binary = Value.of(metric, games, difference=difference), metric.is_binary(games)
    made = []
    for k, result in enumerate(results):
        if binary and _rare(result, difference):
            made.append(_exact_interval(result, difference, each, plan.level))
        elif not binary and differing_batches(sums[k], n)[0] < FEW_BATCHES:
            made.append(_rare_mean(plan, result, difference, each))
        else:
            low, high, method = float(bands.low[k]), float(bands.high[k]), bands.critical.method
            made.append(value.estimate(int(sums[k].sum()) / n, low, high, plan.level, n, method))
    return made


def _units(plan: Plan, ns: set[int], count: int) -> str:
    """Say how many units stand behind several intervals."""
    noun = {1: "", 2: " pairs"}[plan.game.GAMES_A_UNIT]
    if len(ns) > 1:
        return f"n = {min(ns):,} to {max(ns):,}{noun}"
    return f"n = {min(ns):,}{noun}{' each' if count > 1 else ''}"


def _shortfall(plan: Plan, results: Sequence[CellResult]) -> str:
    """Say where all trials there may be did not give the precision that was asked for."""
    wanted = plan.experiment.run.precision
    if wanted is None:
        return ""
    short = sum(not is_precise(result, plan.metric, wanted) for result in results)
    where = f" in {all_of(short) if short == len(results) else f'{short:,} of {len(results):,}'} cells"
    return f", short of the precision {wanted:g}{where if len(results) > 1 else ''}" if short else ""


def _rare_mean(plan: Plan, result: CellResult, difference: bool, each: float) -> Estimate:
    """Return a mean, or a difference, of which too little varied, with the bound that is left."""
    metric, games = outcome(plan), plan.game.GAMES_A_UNIT
    sums = result.gains if difference and result.gains is not None else result.sums
    own = int(result.sums.sum()) / result.n
    reach = reach_of(metric, games, own, int(sums.sum()) / result.n if difference else 0.0)
    value = Value.of(metric, games, difference=difference)
    bound = rare_bound(sums, result.n, each, reach, value, sequential=result.sequential)
    return replace(bound, level=plan.level)


def _rare(result: CellResult, difference: bool) -> bool:
    """Tell whether too few units show, or do not show, a share for its batches to be normal."""
    shown = int(result.sums.sum())
    return sum(result.differing or (0, 0)) < FEW if difference else min(shown, result.n - shown) < FEW


def _exact_interval(result: CellResult, difference: bool, each: float, level: float) -> Estimate:
    """Return a share, or a difference of shares, with an interval that needs no normal batches."""
    if difference:
        more, fewer = result.differing or (0, 0)
        low, high = stats.tango(more, fewer, result.n, each)
        return Estimate((more - fewer) / result.n, float(low), float(high), level, result.n, "tango")
    shown = int(result.sums.sum())
    low, high = stats.clopper_pearson(shown, result.n, each)
    return Estimate(shown / result.n, float(low), float(high), level, result.n, "clopper-pearson")


def _sequence(plan: Plan, result: CellResult, name: str, difference: bool, count: int) -> Estimate:
    """Return a confidence sequence at the level that several cells share (Bonferroni)."""
    each = stats.bonferroni_level(count, plan.level)
    metric, games = outcome(plan), plan.game.GAMES_A_UNIT
    single = result.metrics[name]
    if metric.is_binary(games) and not difference:
        total = int(result.sums.sum())
        low, high = stats.beta_binomial(total, result.n, each)
        return Estimate(total / result.n, float(low), float(high), plan.level, result.n, "beta-binomial")
    if single.method == "rare-bound":
        return _rare_mean(plan, result, difference, each)
    scale = float(
        stats.asymptotic_half_width(1.0, result.n, each) / stats.asymptotic_half_width(1.0, result.n, plan.level)
    )
    least, most = Value.of(metric, games, difference=difference)[1:]
    half = (single.high - single.low) / 2
    if single.low <= least or single.high >= most:  # cut off at an end: the longer side is the half-width
        half = max(single.high - single.estimate, single.estimate - single.low)
    below, above = max(single.estimate - half * scale, least), min(single.estimate + half * scale, most)
    return Estimate(single.estimate, below, above, plan.level, result.n, "asymptotic")


def spoken_methods(made: Sequence[Estimate]) -> str:
    """Name the methods of several intervals, each once."""
    spoken = {"max-t": "max-T", "sidak": "Sidak"}
    return " and ".join(dict.fromkeys(spoken.get(value.method, value.method) for value in made))


def all_of(number: int) -> str:
    """Say that all of so many are meant."""
    return "both" if number == 2 else f"all {number:,}"


def _percent(level: float) -> str:
    return f"{100 * level:g} %"
