"""Rule sets side by side on every measure, paired on the same dice, over the cells of an experiment.

The first rule set is what the others are compared with. Three families of intervals hold together, each at the level of
the experiment: the changes of all measures (averages over the cells), those of the report metric in every cell, and
those of the report metric at every value of an axis. "Better" is said of no rule set; a measure rises, falls, keeps to
within what matters, or is not resolved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit import stats
from simkit.balance.bands import held_together
from simkit.balance.compare import words
from simkit.balance.compare.ladder import ladder
from simkit.balance.compare.measures import Measure, judged, measures
from simkit.balance.family import spoken_methods
from simkit.balance.place import FEWEST
from simkit.balance.wording import spoken, word_of
from simkit.lab.axes import varied
from simkit.lab.estimates import Value, differing_batches, reach_of
from simkit.lab.rulesets import Field, RuleSet, changes
from simkit.lab.study import Study
from simkit.lab.variants import distinct
from simkit.stats import Estimate

BUDGET = 40e9
"""Nanoseconds of one processor for all cells under all rule sets, unless somebody says how many trials."""

WITHIN = 0.02
"""A share that moves by less does not matter, unless the experiment says otherwise."""

COUNTS_WITHIN = 0.1
"""A count matters from this share of itself on."""

ENOUGH_DIFFERING = 10
"""Units that differ from which on Tango's interval of a rare difference is the sharper one."""

MOST_VALUES = 60
"""Values of axes up to which every one is told apart."""


def units_for(field: Field, trials: int | None) -> int:
    """Return how many units of every cell are played under every rule set.

    Parameters
    ----------
    field
        Cells and rule sets.
    trials
        Trials of every cell; None for those of the experiment, as far as they take no longer than a minute or so.
    """
    game = field.plan.game
    if trials is not None:
        return max(2, -(-trials // game.GAMES_A_UNIT))
    cost = game.GAMES_A_UNIT * sum(game.nanoseconds(one.setup) for row in field.variants for one in row)
    units = int(min(field.plan.units, max(FEWEST, BUDGET / cost)))
    step = 10 ** max(0, len(str(units)) - 2)
    return max(2, int(units // step * step))


def compared(
    field: Field, study: Study, *, units: int, within: float | None = None, report: bool = False
) -> dict[str, Any]:
    """Play all cells under all rule sets and return what differs, as a part of a document.

    Parameters
    ----------
    field
        Cells and rule sets, of which the first is what the others are compared with.
    study
        Its ledger plays them.
    units
        Units of every cell.
    within
        How much of a share matters; None for what the experiment calls fair, or two points.
    report
        Whether it is a report on one house rule: then its numbers are tried at other values too.
    """
    plan = field.plan
    matters = plan.experiment.report.fair_within or WITHIN if within is None else within
    ledger = study.ledger([metric.name for metric in plan.game.OUTCOMES])
    subjects, where = distinct(one for row in field.variants for one in row)
    played = ledger.play(subjects, 0, units)
    sums = played[where].reshape(len(field.sets), len(field.cells), *played.shape[1:])
    column = [metric.name for metric in plan.game.OUTCOMES].index(plan.metric)
    document: dict[str, Any] = {
        "sets": [_set(field, one) for one in field.sets],
        "question": words.question(field.sets, report=report),
        "on": {
            "question": plan.experiment.question,
            "cells": len(field.cells),
            "left_out": [dict(one._asdict()) for one in field.left_out],
            "overruled": list(field.overruled),
        },
        "matters": {"share": matters, "count": COUNTS_WITHIN},
        "n": units,
        "each": units * plan.game.GAMES_A_UNIT,
        "never": [metric.name for i, metric in enumerate(plan.game.OUTCOMES) if not sums[..., i].any()],
        "measures": _measured(field, measures(field, sums, units), units, matters),
        "cells": _cells(field, sums[:, :, :, column], units, matters),
        "gains": _gains(field, sums[:, :, :, column], units, matters),
        "judged": _judged(field, sums[:, :, :, column], units, matters),
        "ladders": ladder(field, ledger, matters, units) if report else [],
    }
    return {**document, "verdict": words.verdict(plan, document)}


def _set(field: Field, one: RuleSet) -> dict[str, Any]:
    return {
        "id": one.id,
        "title": one.title,
        "why": one.why,
        "changes": [change.to_json() for change in changes(field.plan.game, one)],
        "files": [loaded.id for loaded in one.loaded],
    }


def _measured(field: Field, rows: Sequence[Measure], units: int, matters: float) -> list[dict[str, Any]]:
    """Return every measure under every rule set, and what changes."""
    level, others = field.plan.level, len(field.sets) - 1
    own = [one for row in rows for one in row.sums]
    values = held_together(
        own, units, level, [row.value for row in rows for _ in row.sums], [row.reach for row in rows for _ in row.sums]
    )
    moved = [row.sums[k] - row.sums[0] for row in rows for k in range(1, others + 1)]
    changed = _moved(moved, units, level, [row for row in rows for _ in range(others)])
    found = []
    for i, row in enumerate(rows):
        mine = values[i * (others + 1) : (i + 1) * (others + 1)]
        within = limit(row.kind, [one.estimate for one in mine], matters)
        change = changed[i * others : (i + 1) * others]
        found.append(
            {
                "name": row.name,
                "group": row.group,
                "kind": row.kind,
                "unit": row.unit,
                "says": row.says,
                "cells": row.cells,
                "matters": within,
                "values": [one.to_json() for one in mine],
                "changes": [{"word": word(one, within), **one.to_json()} for one in change],
                "family": spoken_methods([one for one in changed if one.method != "exact"]),
            }
        )
    return found


def _moved(moved: Sequence[NDArray[Any]], units: int, level: float, rows: Sequence[Measure]) -> list[Estimate]:
    """Return changes of averages with intervals that hold together."""
    wide = [Value(row.value.parts, -np.inf, np.inf) for row in rows]
    capped = [
        Value(row.value.parts, -1.0, 1.0) if row.kind == "share" else one for row, one in zip(rows, wide, strict=True)
    ]
    return differences(moved, units, level, capped, [row.reach for row in rows])


def differences(
    rows: Sequence[NDArray[Any]],
    units: int,
    level: float,
    values: Sequence[Value],
    reaches: Sequence[float],
    *,
    binary: bool = False,
) -> list[Estimate]:
    """Return differences on the same dice with intervals that hold together, each end by itself where little differs.

    Where too few batches differ for a band, those above 0 bound how far up the mean may lie, and those below 0 how far
    down: what differs to one side says nothing for the other.

    Parameters
    ----------
    rows
        Each of shape (256,): sums of the differences by batch.
    units, level, values, reaches
        As :func:`simkit.balance.bands.held_together` takes them.
    binary
        True where a unit is 0 or 1 under either rule set: from :data:`ENOUGH_DIFFERING` on they get Tango's interval.
        Where so few units differ hardly any two of one batch cancel.

    Examples
    --------
    >>> sums = np.zeros(256); sums[:20] = -1
    >>> one, = differences([sums], 400, 0.99, [Value(1, -1.0, 1.0)], [1.0], binary=True)
    >>> f"{one.estimate:.3f} {one.low:.3f} {one.high:.3f} {one.method}"
    '-0.050 -0.086 -0.029 tango'
    """
    made = held_together(rows, units, level, values, reaches)
    each = stats.sidak_level(max(1, len(made)), level)
    found = []
    for own, one, value, reach in zip(rows, made, values, reaches, strict=True):
        if one.method != "rare-bound" or differing_batches(own, units)[1] != 0:
            found.append(one)
        elif binary and np.abs(own).sum() >= ENOUGH_DIFFERING:
            low, high = stats.tango(int(own[own > 0].sum()), int(-own[own < 0].sum()), units, each)
            found.append(replace(one, low=float(low), high=float(high), method="tango"))
        else:
            shares = stats.clopper_pearson([int((own < 0).sum()), int((own > 0).sum())], units, each)[1]
            width = max(reach, float(np.abs(own).max()), value.parts) / value.parts
            below, above = max(-width * float(shares[0]), value.least), min(width * float(shares[1]), value.most)
            found.append(replace(one, low=min(below, one.estimate), high=max(above, one.estimate)))
    return found


def limit(kind: str, values: Sequence[float], matters: float) -> float:
    """Return from which change on a measure has moved: points of a share, or a tenth of a count."""
    return matters if kind == "share" else COUNTS_WITHIN * max(abs(value) for value in values)


def word(change: Estimate, within: float) -> str:
    """Return the word for a change: ``rises``, ``falls``, ``keeps`` or ``undecided``."""
    found = word_of(change, 0.0, within)
    keeps = -within <= change.low and change.high <= within
    return {"higher": "rises", "lower": "falls"}.get(found, "keeps" if keeps else "undecided")


def _cells(field: Field, sums: NDArray[np.int64], units: int, matters: float) -> list[dict[str, Any]]:
    """Return the report metric in every cell."""
    plan, others = field.plan, len(field.sets) - 1
    metric = next(one for one in plan.game.OUTCOMES if one.name == plan.metric)
    games = plan.game.GAMES_A_UNIT
    count = len(field.cells)
    value, moves = (Value.of(metric, games, difference=difference) for difference in (False, True))
    reach = reach_of(metric, games, float(sums.sum(axis=2).max()) / units)
    values = held_together(
        sums.reshape(-1, sums.shape[2]), units, plan.level, [value] * sums[..., 0].size, [reach] * sums[..., 0].size
    )
    moved = (sums[1:] - sums[0]).reshape(-1, sums.shape[2])
    binary = metric.is_binary(games)
    changed = differences(moved, units, plan.level, [moves] * len(moved), [reach] * len(moved), binary=binary)
    same = [field.moved(k) for k in range(1, others + 1)]
    found = []
    for i, cell in enumerate(field.cells):
        mine = [values[k * count + i] for k in range(others + 1)]
        within = limit(metric.kind, [one.estimate for one in mine], matters)
        change = [changed[k * count + i] if same[k][i] else Estimate.exact(0.0) for k in range(others)]
        found.append(
            {
                "cell": cell.number,
                "title": spoken(plan, cell.labels, ", ") or cell.title,
                "labels": dict(cell.labels),
                "values": [one.to_json() for one in mine],
                "changes": [{"word": word(one, within), **one.to_json()} for one in change],
            }
        )
    return found


def _gains(field: Field, sums: NDArray[np.int64], units: int, matters: float) -> list[dict[str, Any]]:
    """Return what changes at every value of an axis that has several, averaged over the other axes: who gains."""
    plan, others = field.plan, len(field.sets) - 1
    metric = next(one for one in plan.game.OUTCOMES if one.name == plan.metric)
    games = plan.game.GAMES_A_UNIT
    found, rows, values, reaches = [], [], [], []
    for axis, known in varied([cell.labels for cell in field.cells]).items():
        if len(known) < 2 or len(known) > MOST_VALUES:
            continue
        for label in known:
            some = [i for i, cell in enumerate(field.cells) if cell.labels[axis] == label]
            over = sums[:, some].sum(axis=1)
            parts = Value.of(metric, games, difference=True)
            rows += [over[k] - over[0] for k in range(1, others + 1)]
            values += [parts._replace(parts=parts.parts * len(some))] * others
            reaches += [len(some) * reach_of(metric, games, float(over.max()) / units)] * others
            mean = float(over[0].sum()) / units / (parts.parts * len(some))
            found.append({"axis": axis, "title": plan.title(axis), "label": label, "cells": len(some), "before": mean})
    changed = differences(rows, units, plan.level, values, reaches)
    for i, row in enumerate(found):
        change = changed[i * others : (i + 1) * others]
        within = limit(metric.kind, [row["before"], *(row["before"] + one.estimate for one in change)], matters)
        row["changes"] = [{"word": word(one, within), **one.to_json()} for one in change]
    return found


def _judged(field: Field, sums: NDArray[np.int64], units: int, matters: float) -> dict[str, Any] | None:
    """Return what the experiment itself says under every rule set, cell by cell."""
    plan = field.plan
    found = judged(field, sums, units)
    if found is None:
        return None
    cells, apart = found
    metric = next(one for one in plan.game.OUTCOMES if one.name == plan.metric)
    value = Value.of(metric, plan.game.GAMES_A_UNIT, difference=True)
    flat = apart.reshape(-1, apart.shape[-1])
    reach = 2 * reach_of(metric, plan.game.GAMES_A_UNIT, float(np.abs(flat.sum(axis=1)).max()) / units)
    made = held_together(flat, units, plan.level, [value] * len(flat), [reach] * len(flat))
    within = plan.experiment.report.fair_within or 0.0
    count = len(cells)
    each = [[word_of(one, 0.0, within) for one in made[k * count : (k + 1) * count]] for k in range(len(field.sets))]
    return {
        "against": "baseline" if plan.experiment.compare is not None else "target",
        "cells": [field.cells[i].number for i in cells],
        "words": each,
        "distances": [[one.to_json() for one in made[k * count : (k + 1) * count]] for k in range(len(field.sets))],
        "tally": [{word: some.count(word) for word in ("higher", "fair", "lower", "undecided")} for some in each],
    }


def conditions(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the measures of every rule set as the cells of a condition.

    Each has its own value by the name of a measure, and its change to the first rule set by ``<name>_minus_baseline``.
    """
    found = []
    for k, _ in enumerate(document["sets"][1:]):
        metrics = {row["name"]: row["values"][k + 1] for row in document["measures"]}
        metrics |= {f"{row['name']}_minus_baseline": row["changes"][k] for row in document["measures"]}
        found.append({"cell": k + 1, "metrics": metrics})
    return found
