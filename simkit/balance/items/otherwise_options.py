"""What would flip the verdict on a rule option: the condition that stands for it, under every other reading."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from simkit import stats
from simkit.balance.items import options
from simkit.balance.items.cases import Asked
from simkit.balance.items.options import LOWERS, RAISES, Changed, Pair
from simkit.balance.items.otherwise import SHARE, Moved, Otherwise, fate, unmoved
from simkit.games.protocol import Metric
from simkit.lab import swings
from simkit.lab.estimates import FEW_BATCHES, Value, differing_batches, rare_bound, reach_of
from simkit.lab.ledger import Ledger
from simkit.lab.plan import Cell
from simkit.lab.store import units_per_batch
from simkit.lab.swings import Alternative
from simkit.stats import Estimate

FEWEST_PAIRED = 2
"""Units that a spread takes."""
FEWEST = 1_000
"""Fewer units than this tell too little to be worth playing, unless the file says how many games."""


def standing_change(found: Sequence[Changed]) -> Changed:
    """Return the condition that stands for the verdict on an option: the largest change of those that are resolved."""
    resolved = [one for one in found if one.word in (RAISES, LOWERS)] or found
    return max(resolved, key=lambda one: abs(one.change.estimate))


def read_otherwise(asked: Asked, ledger: Ledger, found: Changed, metric: Metric) -> Otherwise:
    """Judge an option under other readings of its rules.

    Parameters
    ----------
    asked, ledger
        The question, and what plays it.
    found
        The condition that stands for the verdict, and what it has shown.
    metric
        What is judged.
    """
    pair = found.pair
    title = ", ".join(pair.labels.values()) or "as the file has it"
    known = [
        one
        for one in swings.readings(asked.plan, [pair.without, pair.having])
        if one.swing.path not in asked.asked.conditions
    ]
    wanted = asked.asked.readings
    games = asked.game.GAMES_A_UNIT
    units = int(SHARE * pair.units) if wanted is None else min(pair.units, wanted // (2 * games))
    if wanted == 0 or not known or units < (FEWEST if wanted is None else FEWEST_PAIRED):
        why = "the game states none that this rests on"
        if wanted == 0:
            why = "the file switches it off (readings = 0)"
        elif known:
            why = f"a quarter of the games is too few: readings = {FEWEST * 2 * games:_} plays them"
        return Otherwise(pair.option, title, found.word, not_played=why)
    made = [swings.set_up(asked.plan, [pair.without, pair.having], reading) for reading in known]
    left_out = tuple((one.reading, one.why_not) for one in made if not one.setups)
    able = [one for one in made if one.setups]
    same = [_alike(one, pair) for one in able]
    pairs = [_pair(pair, one, units) for one, alike in zip(able, same, strict=True) if not alike]
    changes = iter(options.judged(ledger, pairs, metric, asked.option_delta, asked.plan.level))
    moves = iter(_moves(ledger, replace(pair, units=units), pairs, metric, asked.plan.level))
    rows = []
    for one, alike in zip(able, same, strict=True):
        if alike:
            rows.append(unmoved(one.reading, found.word))
        else:
            then = next(changes)
            word = fate(found.word, then.word)
            likely = options.word_of(then.change.estimate, asked.option_delta)
            rows.append(Moved(one.reading, word, then.word, likely, next(moves), {"change": then.change}))
    rows.sort(key=lambda row: -abs(row.moves.estimate))
    return Otherwise(pair.option, title, found.word, units, tuple(rows), left_out)


def _alike(one: Alternative, pair: Pair) -> bool:
    ours = (pair.without.setup, pair.having.setup)
    return all(a.tobytes() == b.tobytes() for a, b in zip(one.setups, ours, strict=True))


def _pair(pair: Pair, one: Alternative, units: int) -> Pair:
    """Return a condition without and with its option under another reading."""
    without, having = (_cell(cell, setup) for cell, setup in zip((pair.without, pair.having), one.setups, strict=True))
    return replace(pair, without=without, having=having, units=units)


def _cell(cell: Cell, setup: Any) -> Cell:
    return replace(cell, setup=setup, fingerprint=hashlib.sha256(setup.tobytes()).hexdigest()[:16])


def _moves(ledger: Ledger, pair: Pair, pairs: Sequence[Pair], metric: Metric, level: float) -> list[Estimate]:
    """Return what every reading adds to the change of the metric; their intervals hold together."""
    if not pairs:
        return []
    plain, having = options.played(ledger, pair)
    rows = []
    for other in pairs:
        without, with_it = options.played(ledger, other)
        rows.append((with_it - without) - (having - plain))
    moved, n = np.stack(rows), pair.units
    bands = stats.simultaneous_bands(moved, units_per_batch(n), level)
    value = Value.of(metric, ledger.games, difference=True)
    value = value._replace(least=2 * value.least, most=2 * value.most)
    each, reach = stats.sidak_level(len(moved), level), 2 * reach_of(metric, ledger.games, int(having.sum()) / n, 0.0)
    found = []
    for sums, low, high in zip(moved, bands.low, bands.high, strict=True):
        if differing_batches(sums, n)[0] < FEW_BATCHES:
            bound = rare_bound(sums, n, each, reach, value, sequential=False)
            found.append(Estimate(bound.estimate, bound.low, bound.high, level, n, bound.method))
        else:
            mean = int(sums.sum()) / n
            found.append(value.estimate(mean, float(low), float(high), level, n, bands.critical.method))
    return found
