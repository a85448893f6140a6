"""How much an answer rests on the rulings: every other reading of a rule played on the same dice, one at a time.

What moves is what the verdict judges: the difference to the baseline, or the report metric itself. A movement is a
paired difference (of two differences, where the question compares), estimated from the sums of 256 common batches. The
intervals of all movements hold together: a max-T band, or Sidak's intervals and bounds where too little varied (see
:mod:`simkit.balance.family`). The verdict under another reading is judged by the interval of the answer itself, moved
by the whole interval of the movement: both ends of the one are added to those of the other, which errs on the safe
side.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit import stats
from simkit.balance.family import all_of, outcome, spoken_methods
from simkit.balance.verdict import Verdict
from simkit.balance.wording import Row, at, variant, where, word_of
from simkit.games.readings import swings_of
from simkit.lab import swings as room
from simkit.lab.estimates import FEW_BATCHES, CellResult, Value, differing_batches, rare_bound
from simkit.lab.foresight import spoken
from simkit.lab.house import toml_text
from simkit.lab.plan import Cell, Plan
from simkit.lab.store import units_per_batch
from simkit.lab.swings import Alternative, Reading, Sums
from simkit.stats import Estimate

FEWEST_TRIALS = 2_000
"""With fewer trials a cell than this no other reading is played, unless the experiment says how many."""

MOST_TRIALS = 20_000
"""Most trials of every reading, unless the experiment says how many."""

FEWEST_UNITS = 500
"""Fewer units than this tell too little to be worth playing."""

LONGEST = 8e9
"""Most nanoseconds of one processor that all readings take together, unless the experiment says how many trials."""

SHORTEST = 0.05e9
"""So many are spent at any rate; between the two they take as long as the run itself."""

SETTLED = 0.02
"""A share nearer than this to never or always is played under other readings only where there is no other."""

NOTED = 1e9
"""From so many nanoseconds on it is said that they are being played."""

WORDS = {
    "holds": "the verdict holds",
    "flips": "the verdict would flip",
    "decides": "the verdict would be decided",
    "undecided": "not resolved",
    "measured": "there is no verdict",
}


class Asked(NamedTuple):
    """What is played again: the comparison, or the cell, that stands for the answer."""

    row: Row
    cells: tuple[Cell, ...]
    """The cell, and behind it its baseline where there is one."""
    alike: int
    """How many judgements have the same word."""
    left_out: bool
    """Whether others of that word were left out, since they come out nearly never or nearly always."""


def swung(
    plan: Plan,
    results: Sequence[CellResult],
    verdict: Verdict,
    *,
    jobs: int,
    note: Callable[[str], None] = lambda _: None,
) -> dict[str, Any] | None:
    """Play other readings of the rules and return what they move, as plain data for a document.

    Parameters
    ----------
    plan, results, verdict
        What was asked, what was counted, and what it means.
    jobs
        Threads; they change no number.
    note
        Hears what is played, if it takes a while.

    Returns
    -------
    dict or None
        None where the game states no alternatives. ``cell``, ``baseline`` and ``where`` name what was played again;
        ``not_played`` says why nothing was; ``rows`` has an entry a reading, those that move it most first.
    """
    if swings_of(plan.game) is None:
        return None
    asked = typical(plan, verdict.rows)
    found = unplayed(plan, asked, len(verdict.rows))
    most = min(results[cell.number - 1].n for cell in asked.cells)
    wanted, games = plan.experiment.run.swings, plan.game.GAMES_A_UNIT
    if wanted == 0:
        return found | {"not_played": "the experiment switches it off (swings = 0)"}
    if (wanted is None and most * games < FEWEST_TRIALS) or most < 2:
        return found | {"not_played": f"the run has fewer than {FEWEST_TRIALS:,} trials a cell"}
    readings = room.readings(plan, asked.cells)
    if not readings:
        return found
    cost = games * (1 + len(readings)) * sum(plan.game.nanoseconds(cell.setup) for cell in asked.cells)
    units = min(most, max(2, wanted // games)) if wanted is not None else _affordable(plan, results, cost, most)
    if units < FEWEST_UNITS and wanted is None:
        seconds = spoken(cost * FEWEST_UNITS * 1e-9)
        why = f"{len(readings):,} other readings of {FEWEST_UNITS * games:,} trials each would take {seconds} of one "
        why += f"processor, longer than the run itself; [run] swings = {FEWEST_TRIALS} plays them all the same"
        return found | {"not_played": why}
    if cost * units > NOTED:
        note(f"{len(readings):,} other readings of the rules, {units * games:,} trials each")
    return found | weighed(plan, asked, readings, units, lambda setups: room.play(plan, setups, units, jobs=jobs))


def unplayed(plan: Plan, asked: Asked, count: int) -> dict[str, Any]:
    """Return what is known before any reading is played.

    Parameters
    ----------
    plan, asked
        What was asked, and what stands for its answer.
    count
        How many judgements there are.
    """
    return {
        "cell": asked.row.cell,
        "baseline": asked.cells[1].number if len(asked.cells) > 1 else None,
        "where": _where(plan, asked, count),
        "level": plan.level,
        "trials": 0,
        "n": 0,
        "family": "",
        "not_played": "",
        "held": {"word": asked.row.word, **asked.row.value.to_json()},
        "rows": [],
        "left_out": [],
        "elsewhere": [],
    }


def typical(plan: Plan, rows: Sequence[Row]) -> Asked:
    """Return what stands for the answer: what is judged.

    Of several judgements it is the one in the middle of those that have the commonest word: where some are higher and
    more are lower, a typical one of the lower. What is not resolved stands for the answer only where nothing is, and
    what happens always or never only where nothing else does: there nothing shows how much a rule weighs.
    """
    found = Counter(row.word for row in rows if row.word != "undecided")
    common = found.most_common(1)[0][0] if found else "undecided"
    alike = sorted((row for row in rows if row.word == common), key=lambda row: (row.value.estimate, row.cell))
    apart = [row for row in alike if not _settled(plan, row)]
    alike, left_out = apart or alike, bool(apart) and len(apart) < len(alike)
    row = alike[(len(alike) - 1) // 2]
    cell = plan.cells[row.cell - 1]
    base = () if cell.baseline is None else (plan.cells[cell.baseline],)
    return Asked(row, (cell, *base), len(alike), left_out)


def _settled(plan: Plan, row: Row) -> bool:
    """Tell whether a judged share is nearly never or nearly always."""
    share = outcome(plan).kind == "share" and plan.cells[row.cell - 1].baseline is None
    return share and not SETTLED <= row.value.estimate <= 1 - SETTLED


def _where(plan: Plan, asked: Asked, count: int) -> str:
    """Say which of several judgements was taken; empty where there is one."""
    if count == 1:
        return ""
    number, compared = asked.row.cell, len(asked.cells) > 1
    place = where(plan, number)
    if compared:
        names = f"{variant(plan, number)} against {variant(plan, asked.cells[1].number)}"
        place = f"{names}{at(plan, number, list(plan.baseline))}"
    nouns = "comparisons" if compared else "cells"
    if asked.alike == 1 and not asked.left_out:
        return f"cell {number}: {place}, the only one of {count:,} {nouns} with its verdict"
    group = f"{all_of(count)} {nouns}" if asked.alike == count else f"the {asked.alike:,} {nouns} with its verdict"
    if asked.left_out:
        group += f" between {100 * SETTLED:g} % and {100 - 100 * SETTLED:g} %"
    return f"cell {number}: {place}, in the middle of {group}"


def _affordable(plan: Plan, results: Sequence[CellResult], cost: float, most: int) -> int:
    """Return how many units of every reading take no longer than the run itself, in two significant digits."""
    games = plan.game.GAMES_A_UNIT
    work = sum(result.n * plan.game.nanoseconds(cell.setup) for cell, result in zip(plan.cells, results, strict=True))
    budget = min(LONGEST, max(SHORTEST, games * work))
    units: int = min(MOST_TRIALS // games, int(budget / cost))
    step: int = 10 ** max(0, len(str(units)) - 2)
    return min(most, units // step * step)


Play = Callable[[Mapping[bytes, Any]], Mapping[bytes, Sums]]
"""Plays setups, each by its bytes, and returns the batch sums of the report metric."""


def weighed(plan: Plan, asked: Asked, readings: Sequence[Reading], units: int, play: Play) -> dict[str, Any]:
    """Play all readings and return what they have shown, as the part of a document that :func:`swung` returns.

    Parameters
    ----------
    plan, asked
        What was asked, and what stands for its answer.
    readings
        Other readings of the rules.
    units
        Units of every setup that `play` plays.
    play
        Who plays them.
    """
    made = [room.set_up(plan, asked.cells, reading) for reading in readings]
    ours = tuple(cell.setup for cell in asked.cells)
    known = [one for one in made if one.setups]
    setups = room.distinct([*ours, *(setup for one in known for setup in one.setups)])
    sums = play(setups)
    moves = _moves(plan, sums, ours, known, units)
    family = [move for move in moves if move.method != "exact"]
    rows = [_row(plan, asked, one, move) for one, move in zip(known, moves, strict=True)]
    return {
        "trials": units * plan.game.GAMES_A_UNIT,
        "n": units,
        "family": _family(plan, family, units),
        "rows": _sorted(rows),
        "left_out": [about(plan, one.reading) | {"why_not": one.why_not} for one in made if not one.setups],
    }


def _moves(
    plan: Plan,
    sums: Mapping[bytes, Sums],
    ours: tuple[Any, ...],
    known: Sequence[Alternative],
    units: int,
) -> list[Estimate]:
    """Estimate how far every reading moves what is judged; one that sets up the very same moves nothing."""

    def judged(setups: Sequence[Any]) -> NDArray[np.int64]:
        own, *base = [sums[setup.tobytes()] for setup in setups]
        return own - base[0] if base else own

    same = [all(a.tobytes() == b.tobytes() for a, b in zip(one.setups, ours, strict=True)) for one in known]
    others = [one for one, alike in zip(known, same, strict=True) if not alike]
    here = judged(ours)
    moved = np.array([judged(one.setups) - here for one in others]).reshape(len(others), here.size)
    reaches = [
        reach_of_judged(plan, [int(sums[s.tobytes()].sum()) / units for s in (*ours, *one.setups)]) for one in others
    ]
    made = iter(_together(plan, moved, reaches, units, compared=len(ours) > 1))
    return [Estimate.exact(0.0) if alike else next(made) for alike in same]


def reach_of_judged(plan: Plan, means: Sequence[float]) -> float:
    """Return how far what is judged may well move in a unit, where too few differ to tell.

    Parameters
    ----------
    plan
        The report metric.
    means
        Means of the sums a unit of all setups that it is made of.
    """
    metric = outcome(plan)
    single = plan.game.GAMES_A_UNIT * metric.scale if metric.kind == "share" else max(abs(mean) for mean in means)
    return float(single * len(means) / 2)


def _together(
    plan: Plan, moved: NDArray[np.int64], reaches: Sequence[float], units: int, *, compared: bool
) -> list[Estimate]:
    """Return the movements with intervals that hold together."""
    if not len(moved):
        return []
    metric, games, level = outcome(plan), plan.game.GAMES_A_UNIT, plan.level
    value = Value.of(metric, games, difference=True)
    if compared:
        value = value._replace(least=2 * value.least, most=2 * value.most)
    each = stats.sidak_level(len(moved), level)
    bands = stats.simultaneous_bands(moved, units_per_batch(units), level)
    made = []
    for k, sums in enumerate(moved):
        if differing_batches(sums, units)[0] < FEW_BATCHES:
            bound = rare_bound(sums, units, each, reaches[k], value, sequential=False)
            made.append(Estimate(bound.estimate, bound.low, bound.high, level, units, bound.method))
        else:
            low, high = float(bands.low[k]), float(bands.high[k])
            made.append(value.estimate(int(sums.sum()) / units, low, high, level, units, bands.critical.method))
    return made


def _family(plan: Plan, family: Sequence[Estimate], units: int) -> str:
    """Say which intervals hold together, and how that was done."""
    if not family:
        return ""
    noun = {1: "", 2: " pairs"}[plan.game.GAMES_A_UNIT]
    count = len(family)
    scope = f" for {all_of(count)} together" if count > 1 else " confidence"
    each = " each" if count > 1 else ""
    return f"{100 * plan.level:g} %{scope}, {spoken_methods(family)}, n = {units:,}{noun}{each}"


def _row(plan: Plan, asked: Asked, one: Alternative, move: Estimate) -> dict[str, Any]:
    """Return what a reading moves, and what becomes of the verdict."""
    held = asked.row.value
    low, high = held.low + move.low, held.high + move.high
    becomes = Estimate(held.estimate + move.estimate, low, high, plan.level, max(1, move.n), held.method)
    after = asked.row.word if move.method == "exact" else word_under(plan, becomes)
    return {
        **about(plan, one.reading),
        "word": _outcome(asked.row.word, after),
        "becomes": {"word": after, "estimate": becomes.estimate, "low": becomes.low, "high": becomes.high},
        **move.to_json(),
    }


def word_under(plan: Plan, becomes: Estimate) -> str:
    """Return the word that a verdict on what is judged has: the difference to the baseline, or the metric itself."""
    report = plan.experiment.report
    if plan.experiment.compare is None and report.target is None:
        return "measured"
    target = 0.0 if plan.experiment.compare is not None else report.target or 0.0
    return word_of(becomes, target, report.fair_within or 0.0)


def _outcome(before: str, after: str) -> str:
    """Say in a word what becomes of a verdict."""
    if before == "measured":
        return "measured"
    if after == "undecided":
        return "undecided"
    if before == "undecided":
        return "decides"
    return "holds" if after == before else "flips"


def about(plan: Plan, reading: Reading) -> dict[str, Any]:
    """Return what a document tells of a reading: the rule, its two values, and where it comes from."""
    swing, rule = reading
    return {
        "path": swing.path,
        "title": plan.game.axis_title(swing.path),
        "value": swing.value,
        "label": _spelt(plan, swing.path, swing.value),
        "now": rule.value,
        "now_label": _spelt(plan, swing.path, rule.value),
        "named": plan.game.label(swing.path, swing.value) is not None,
        "id": rule.id,
        "source": rule.source,
        "says": rule.says,
        "why": swing.why,
        "pinned": swing.pinned,
    }


def _spelt(plan: Plan, path: str, value: Any) -> str:
    """Write the value of a rule as a player would."""
    word = plan.game.label(path, value)
    if word is not None:
        return word
    if isinstance(value, bool):
        return "on" if value else "off"
    return value.replace("_", " ") if isinstance(value, str) else toml_text(value)


def _sorted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put the rules first that move it most; the readings of a rule stay together, in their order."""
    widest: dict[str, float] = {}
    for row in rows:
        widest[row["path"]] = max(widest.get(row["path"], 0.0), abs(row["estimate"]))
    found = sorted(rows, key=lambda row: -widest[row["path"]])  # a stable sort: rules alike in width keep their order
    order = {path: i for i, path in enumerate(dict.fromkeys(row["path"] for row in found))}
    found = sorted(found, key=lambda row: order[row["path"]])
    plain: list[dict[str, Any]] = json.loads(json.dumps(found))  # a document has lists, no tuples
    return plain
