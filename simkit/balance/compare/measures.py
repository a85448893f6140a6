"""What is read off a game under a rule set: its outcomes, its edges, how far it is from fair, and upsets.

Every measure is an average over the cells of an experiment, kept as sums by batch: cells and rule sets share their
dice, so that sums of common batches carry everything that an interval of a difference needs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.balance.compare.crossfit import distances, underdogs
from simkit.games.protocol import Fight, Metric, fight_of
from simkit.lab.estimates import Value, reach_of
from simkit.lab.plan import Plan
from simkit.lab.rulesets import Field
from simkit.lab.store import units_per_batch

Sums = NDArray[np.int64]
"""Shape (sets, cells, 256, columns)."""


@dataclass(frozen=True)
class Measure:
    """One thing that is read off every rule set.

    Attributes
    ----------
    name
        Of an outcome, or ``edge_<outcome>``, ``distance``, ``faction_edge``, ``upset``.
    group
        ``outcome``, ``edge`` or ``fairness``.
    kind, unit, says
        As of an outcome.
    sums
        float64, shape (sets, 256): sums by batch over all cells that it is about.
    value
        What becomes of them.
    reach
        How far the sum of a unit may well lie from the commonest.
    cells
        How many cells it is about.
    """

    name: str
    group: str
    kind: str
    unit: str
    says: str
    sums: NDArray[np.float64]
    value: Value
    reach: float
    cells: int


def measures(field: Field, sums: Sums, units: int) -> list[Measure]:
    """Return everything that is compared between the rule sets of a field; outcomes that were never seen are left out.

    Parameters
    ----------
    field
        Cells and rule sets.
    sums
        Of all outcomes of the game, in their order.
    units
        Units behind every cell.
    """
    fight = fight_of(field.plan.game)
    seen = [(i, metric) for i, metric in enumerate(field.plan.game.OUTCOMES) if sums[..., i].any()]
    found = [_outcome(field.plan, metric, sums[:, :, :, i], units) for i, metric in seen]
    found += _distance(field, sums, units)
    if fight is not None:
        found += _edges(field.plan, fight, sums, units)
        found += _sides(field, fight, sums)
    return found


def _outcome(plan: Plan, metric: Metric, sums: NDArray[np.int64], units: int) -> Measure:
    """Return an outcome, averaged over the cells."""
    games, cells = plan.game.GAMES_A_UNIT, sums.shape[1]
    value = _averaged(Value.of(metric, games, difference=False), cells)
    over = np.asarray(sums.sum(axis=1), dtype=np.float64)
    reach = cells * reach_of(metric, games, float(over.sum(axis=1).max()) / units / cells)
    return Measure(metric.name, "outcome", metric.kind, metric.unit, metric.says, over, value, reach, cells)


def _averaged(value: Value, cells: int) -> Value:
    return value._replace(parts=value.parts * cells)


def judged(field: Field, sums: NDArray[np.int64], units: int) -> tuple[list[int], NDArray[np.float64]] | None:
    """Return what a verdict is about, as it differs from its line: value less target, or less that of its baseline.

    Parameters
    ----------
    field
        Cells and rule sets.
    sums
        Shape (sets, cells, 256): of the report metric.
    units
        Units behind every cell.

    Returns
    -------
    tuple or None
        Positions of the cells that are judged, and float64 of shape (sets, judged cells, 256); None where there is
        neither a target nor a comparison.
    """
    plan = field.plan
    if plan.experiment.compare is not None:
        place = {cell.number: i for i, cell in enumerate(field.cells)}
        pairs = [
            (i, place[plan.cells[cell.baseline].number])
            for i, cell in enumerate(field.cells)
            if cell.baseline is not None
        ]
        if not pairs:
            return None
        ours, theirs = ([pair[k] for pair in pairs] for k in (0, 1))
        return ours, np.asarray(sums[:, ours] - sums[:, theirs], dtype=np.float64)
    target = plan.experiment.report.target
    if target is None:
        return None
    metric = next(one for one in plan.game.OUTCOMES if one.name == plan.metric)
    parts = Value.of(metric, plan.game.GAMES_A_UNIT, difference=False).parts
    return list(range(len(field.cells))), sums - target * parts * units_per_batch(units)


def says_what_is_fair(plan: Plan) -> bool:
    """Tell whether an experiment says what would be fair: a target, or how far from its baseline is still fair."""
    report = plan.experiment.report
    return report.fair_within is not None if plan.experiment.compare is not None else report.target is not None


def _distance(field: Field, sums: Sums, units: int) -> Iterator[Measure]:
    """Yield how far what is judged lies from its line, averaged over the judged cells."""
    plan = field.plan
    column = [metric.name for metric in plan.game.OUTCOMES].index(plan.metric)
    metric = plan.game.OUTCOMES[column]
    found = judged(field, sums[:, :, :, column], units) if says_what_is_fair(plan) else None
    if found is None:
        return
    cells, apart = found
    games = plan.game.GAMES_A_UNIT
    value = _averaged(Value.of(metric, games, difference=True), len(cells))
    line = "its baseline" if plan.experiment.compare is not None else "its target"
    says = f"how far '{metric.name}' lies from {line}, to either side"
    over = distances(apart).sum(axis=1)
    reach = len(cells) * reach_of(metric, games, float(np.abs(apart.sum(axis=-1)).max()) / units)
    yield Measure("distance", "fairness", metric.kind, metric.unit, says, over, value, reach, len(cells))


def _edges(plan: Plan, fight: Fight, sums: Sums, units: int) -> Iterator[Measure]:
    """Yield the share of the decided battles that goes to a seat, or to whoever is first."""
    names = [metric.name for metric in plan.game.OUTCOMES]
    games, counts = plan.game.GAMES_A_UNIT, units_per_batch(units)
    for column, who in fight.edges.items():
        wins = sums[:, :, :, names.index(column)].sum(axis=1).astype(np.float64)
        decided = games * counts * sums.shape[1] - sums[:, :, :, names.index(fight.draw)].sum(axis=1)
        if not decided.sum(axis=1).all():
            continue
        share = wins.sum(axis=1, keepdims=True) / decided.sum(axis=1, keepdims=True)
        # The linear part of the ratio: a mean of such sums is the share, and their spread is its error.
        linear = share * counts + (wins - share * decided) * units / decided.sum(axis=1, keepdims=True)
        says = f"decided battles that go to {who}"
        yield Measure(
            f"edge_{column}", "edge", "share", "of the decided", says, linear, Value(1, 0.0, 1.0), 1.0, sums.shape[1]
        )


def _sides(field: Field, fight: Fight, sums: Sums) -> Iterator[Measure]:
    """Yield how uneven the two sides are, and how often the weaker wins, over the cells in which they differ."""
    some = [i for i, cell in enumerate(field.cells) if _differ(cell.scenario)]
    if not some:
        return
    names = [metric.name for metric in field.plan.game.OUTCOMES]
    games = field.plan.game.GAMES_A_UNIT
    ours, theirs = (sums[:, some][:, :, :, names.index(column)].astype(np.float64) for column in fight.wins)
    value = Value(2 * games * len(some), -1.0, 1.0)
    says = "half of what the wins of the better side are ahead by"
    apart = distances(ours - theirs).sum(axis=1)
    reach = float(games * len(some))
    yield Measure("faction_edge", "fairness", "share", "of the games", says, apart, value, reach, len(some))
    says = "games that the weaker side wins"
    upset = underdogs(ours, theirs).sum(axis=1)
    plain = Value(games * len(some), 0.0, 1.0)
    yield Measure("upset", "fairness", "share", "of the games", says, upset, plain, reach, len(some))


def _differ(scenario: Any) -> bool:
    """Tell whether the sides of a scenario are not the same."""
    sides = scenario.model_dump().get("sides")
    if not isinstance(sides, dict) or len(sides) != 2:
        return False
    first, second = sides.values()
    return bool(first != second)
