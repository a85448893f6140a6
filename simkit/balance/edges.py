"""Edges that no side has earned: how many of the decided battles go to a seat, or to whoever moves first.

The share is one of two sums over the same battles, so its interval is that of a ratio of batch sums. Each question is
a family of its own: the intervals of all cells, and that of all battles together, hold at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit import stats
from simkit.balance.family import all_of
from simkit.balance.wording import Row, at_most, number, spelt, where, word_of
from simkit.games.protocol import Fight, fight_of
from simkit.lab.estimates import FEW_BATCHES, CellResult
from simkit.lab.plan import Plan
from simkit.lab.store import units_per_batch
from simkit.stats import Estimate

EVEN = 0.5
MATTERS = 0.02
"""From this advantage on, in shares of the decided battles, a rule needs a remedy."""

BAND = number(MATTERS, "points")

EVERYWHERE = 0
"""Number of the row that takes all cells together."""

Sums = NDArray[np.int64]


@dataclass(frozen=True)
class Edge:
    """The verdict on one advantage."""

    metric: str
    who: str
    answer: str
    word: str
    """``higher``, ``lower``, ``depends``, ``fair`` or ``undecided``; empty where no battle was decided."""
    rows: list[Row]
    """One a cell in which some battle was decided, and one for all cells together, if there are several."""

    def to_json(self) -> dict[str, Any]:
        """Return it for the report."""
        rows = [{"cell": row.cell, "word": row.word, **row.value.to_json()} for row in self.rows]
        return {"metric": self.metric, "who": self.who, "answer": self.answer, "word": self.word, "rows": rows}


def edges(plan: Plan, results: Sequence[CellResult]) -> list[Edge]:
    """Judge every advantage that the game tells of; none where what it takes was not kept.

    Parameters
    ----------
    plan, results
        What was asked, and what every cell has shown.
    """
    fight = fight_of(plan.game)
    if fight is None or not plan.kept:
        return []
    return [_edge(plan, results, fight, metric, who) for metric, who in fight.edges.items()]


def _edge(plan: Plan, results: Sequence[CellResult], fight: Fight, metric: str, who: str) -> Edge:
    games = plan.game.GAMES_A_UNIT
    wins = {cell.number: result.kept[metric] for cell, result in zip(plan.cells, results, strict=True)}
    decided = {
        cell.number: units_per_batch(result.n) * games - result.kept[fight.draw]
        for cell, result in zip(plan.cells, results, strict=True)
    }
    units = {cell.number: result.n for cell, result in zip(plan.cells, results, strict=True)}
    if len(results) > 1:
        wins[EVERYWHERE], decided[EVERYWHERE] = (np.sum([*one.values()], axis=0) for one in (wins, decided))
        units[EVERYWHERE] = max(units.values())  # the cells have their dice in common
    cells = sorted(k for k, battles in decided.items() if battles.sum())
    if not cells:
        return Edge(metric, who, f"No battle was decided, so that {who} had no part in it.", "", [])
    sequential = any(result.sequential for result in results) or len({result.n for result in results}) > 1
    values = _values(plan, [(wins[k], decided[k], units[k]) for k in cells], sequential)
    rows = [Row(k, word_of(value, EVEN, MATTERS), value) for k, value in zip(cells, values, strict=True)]
    return Edge(metric, who, _answer(plan, who, rows, sequential), _overall(rows), rows)


def _values(plan: Plan, counted: Sequence[tuple[Sums, Sums, int]], sequential: bool) -> list[Estimate]:
    """Return shares with intervals that hold together."""
    level, games, count = plan.level, plan.game.GAMES_A_UNIT, len(counted)
    each = (stats.bonferroni_level if sequential else stats.sidak_level)(count, level)
    usual = [k for k, (wins, decided, _) in enumerate(counted) if _differing(wins, decided)[0] >= FEW_BATCHES]
    bands = None
    if usual:
        sums, of = (np.array([counted[k][i] for k in usual]) for i in (0, 1))
        bands = stats.simultaneous_bands(sums, of, each ** len(usual))
    found = []
    for k, (wins, decided, n) in enumerate(counted):
        share, method = int(wins.sum()) / int(decided.sum()), "rare-bound"
        if k not in usual or bands is None:
            low, high = _rare_bounds(wins, decided, games, each, sequential)
        elif sequential:
            below, above = stats.batch_mean(wins, decided, each)
            half = float(above - below) / 2 * _stretch(n, each)
            low, high, method = share - half, share + half, "asymptotic"
        else:
            i = usual.index(k)
            low, high, method = float(bands.low[i]), float(bands.high[i]), bands.critical.method
        found.append(Estimate(share, max(low, 0.0), min(high, 1.0), level, n, method))
    return found


def _differing(wins: Sums, decided: Sums) -> tuple[int, float]:
    """Count the batches whose share differs from the commonest, and return that share."""
    filled = decided > 0
    shares, often = np.unique(wins[filled] / decided[filled], return_counts=True)
    return int(filled.sum() - often.max()), float(shares[often.argmax()])


def _rare_bounds(wins: Sums, decided: Sums, games: int, level: float, sequential: bool) -> tuple[float, float]:
    """Return bounds that hold where next to all units have the same share, as when one side always wins.

    The part of the units that differs is bounded from the batches that do, with as few units as the decided games can
    make; each of them moves the share by no more than its part.
    """
    interval = stats.beta_binomial if sequential else stats.clopper_pearson
    differing, common = _differing(wins, decided)
    units = -(-int(decided.sum()) // games)
    width = float(interval(min(differing, units), units, level)[1])
    share = int(wins.sum()) / int(decided.sum())
    return min(common - width, share), max(common + width, share)


def _stretch(n: int, level: float) -> float:
    """Return how much wider than an interval for a fixed number of units one is that holds at every look."""
    return float(stats.asymptotic_half_width(1.0, n, level)) * float(np.sqrt(n)) / stats.sidak_z(1, level)


def _overall(rows: Sequence[Row]) -> str:
    found = {row.word for row in rows}
    beyond = found & {"higher", "lower"}
    if beyond:
        return "depends" if len(beyond) > 1 else beyond.pop()
    return "fair" if found == {"fair"} else "undecided"


def _answer(plan: Plan, who: str, rows: Sequence[Row], sequential: bool) -> str:
    """Say in a sentence what was found, and how sure it is."""
    cells = [row for row in rows if row.cell != EVERYWHERE]
    whole = next((row for row in rows if row.cell == EVERYWHERE), rows[0])
    said = f"Of all decided battles {who} has won {spelt(whole.value, 'share', difference=False)}{_against_even(whole)}"
    clear = [row for row in cells if _against_even(row)]
    if len(cells) > 1 and clear:
        said += f"; {' and '.join(_clear(plan, cells, word) for word in _words(clear))}"
    elif len(cells) > 1 and _against_even(whole):
        said += "; in no cell alone is that resolved"
    if not clear and not _against_even(whole):
        limit = max(max(abs(row.value.low - EVEN), abs(row.value.high - EVEN)) for row in rows)
        said += f": no advantage is resolved, and none larger than {at_most(limit, 'points')} is left unresolved"
    elif any(row.word in ("higher", "lower") for row in rows):
        said += f"; an advantage of more than {BAND} calls for a remedy, such as an initiative that alternates"
    elif all(row.word == "fair" for row in rows):
        said += f"; everywhere the advantage is less than {BAND}"
    else:
        said += f"; nowhere is it resolved to be more than {BAND}"
    methods = {"max-t": "max-T", "sidak": "Sidak"}
    used = " and ".join(dict.fromkeys(methods.get(row.value.method, row.value.method) for row in rows))
    scope = f" for {all_of(len(rows))} together" if len(rows) > 1 else " confidence"
    how = f"{used} confidence sequence{'s'[: len(rows) - 1]}" if sequential else used
    return f"{said} ({100 * plan.level:g} %{scope}, {how})."


def _against_even(row: Row) -> str:
    """Say on which side of one half a share surely lies; empty where that is not resolved."""
    if row.value.low > EVEN:
        return ", surely more than half"
    return ", surely less than half" if row.value.high < EVEN else ""


def _words(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(_against_even(row) for row in rows))


def _clear(plan: Plan, cells: Sequence[Row], word: str) -> str:
    """Say in how many cells a share lies on one side, and where the most."""
    found = [row for row in cells if _against_even(row) == word]
    widest = max(found, key=lambda row: abs(row.value.estimate - EVEN))
    place, value = where(plan, widest.cell), spelt(widest.value, "share", difference=False)
    most = f"{'most for ' if len(found) > 1 else 'for '}{place}: {value}"
    return f"{word.removeprefix(', surely ')} in {len(found):,} of {len(cells):,} cells, {most}"
