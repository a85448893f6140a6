"""Two sides that fight one another many times: who is better, from which seat, how it ends and how long it takes.

A duel is a plan of a single cell. Where a game swaps seats, every pair of games has the same dice, with the seats as
they are set up and swapped. It is played in memory: nothing is written. Beside the outcomes of the game it counts what
only whole games can tell, such as who lost in which way.
"""

import itertools
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.balance.document import build
from simkit.balance.edges import EVEN, Edge, edges
from simkit.balance.retelling import SEARCHED
from simkit.balance.verdict import judge
from simkit.core import trials
from simkit.core.trials import BATCHES
from simkit.games.protocol import Fight, Metric, fight_of
from simkit.lab.estimates import CellResult, reduce
from simkit.lab.plan import Plan
from simkit.lab.runner import Progress
from simkit.lab.trial import Trial
from simkit.stats import Estimate, format_estimate, format_interval

RESULTS = ("a", "b", "draw")
"""How a game goes, in the order of their numbers: who wins, if anybody."""

DAMAGE = ("damage_a", "damage_b")
"""Columns that are counted beside those of the game: all damage that each side has done."""

Rows = NDArray[np.int64]


class Bin(NamedTuple):
    """Games that took so many turns."""

    first: int
    last: int
    share: Estimate
    results: tuple[int, int, int]
    """How many of them ended in each of ``RESULTS``."""


class End(NamedTuple):
    """Games that ended in one way."""

    how: str
    """The game's word for it."""
    result: str
    """One of ``RESULTS``."""
    share: Estimate


@dataclass(frozen=True)
class Duel:
    """A duel that was played."""

    plan: Plan
    fight: Fight
    both: CellResult
    """Everything that was counted, the game's outcomes first."""
    seats: tuple[CellResult, ...]
    """The games in which side A has the first seat, and those in which it has the second: each has dice of its own.
    Nothing where seats are not swapped."""
    turns: NDArray[np.int32]
    """Shape (units, games): how long every game took."""
    results: NDArray[np.int8]
    """Shape (units, games): number of its result in ``RESULTS``."""
    told: Mapping[str, Trial]
    """Games worth telling among the first ones: ``typical`` in the middle, and side A's ``worst`` and ``luckiest``."""

    @property
    def score(self) -> Estimate:
        """What side A scores, 1 for a win and half for a draw; the share that it wins where no end counts half."""
        return self.both.metrics[self.fight.score or self.fight.wins[0]]

    @property
    def better(self) -> str | None:
        """The side that is better, ``"a"`` or ``"b"``; None where that is not resolved.

        By the score; where the game keeps none by whose wins have the higher interval.
        """
        if not self.fight.score:
            a, b = (self.both.metrics[name] for name in self.fight.wins)
            return "a" if a.low > b.high else "b" if b.low > a.high else None
        if self.score.low > EVEN:
            return "a"
        return "b" if self.score.high < EVEN else None

    def edges(self) -> list[Edge]:
        """Judge what a seat, and the first move, are worth."""
        return edges(self.plan, [self.both])

    def ends(self) -> list[End]:
        """List the ways in which a game ended, the commonest first."""
        found = [
            End(self.fight.ends[column], result, self.both.metrics[name]) for column, result, name in _ends(self.fight)
        ]
        return sorted((end for end in found if end.share.estimate), key=lambda end: -end.share.estimate)

    def bins(self, most: int) -> list[Bin]:
        """Sort the games by their turns into at most so many bins of equal width; rare long ones go into the last."""
        turns = self.turns
        low, high = int(turns.min()), int(np.quantile(turns, TAIL, method="higher"))
        wide = next(step for step in _round_numbers() if high // step - low // step < most)
        edges = [*range(low // wide * wide, high + 1, wide)]
        found = []
        for first in edges:
            last = int(turns.max()) if first == edges[-1] else first + wide - 1
            inside = (turns >= first) & (turns <= last)
            counts = np.bincount(self.results[inside], minlength=len(RESULTS)).tolist()
            share = self._share(inside.sum(axis=1, dtype=np.int64))
            found.append(Bin(max(first, low), max(first, last), share, (counts[0], counts[1], counts[2])))
        return found

    def _share(self, units: NDArray[np.int64]) -> Estimate:
        """Estimate a share of the games from how many of each unit belong to it."""
        metric = Metric("share", "share", "of games", "", 1)
        counts = _batched(units[:, np.newaxis])
        plan, n = self.plan, len(units)
        found = reduce(counts, None, n, [metric], "share", plan.level, sequential=False, games=plan.game.GAMES_A_UNIT)
        return found.metrics["share"]


TAIL = 0.99
"""Share of the games whose turns set the width of the bins."""


@dataclass
class _Counted:
    """What is kept while a duel is played."""

    counts: NDArray[np.int64]
    """Shape (1 + games, 256, columns, 4): of all games of a unit, and of each alone."""
    turns: NDArray[np.int32]
    results: NDArray[np.int8]
    first_rows: dict[int, Rows] = field(default_factory=dict)


def play(plan: Plan, progress: Progress, *, jobs: int) -> Duel:
    """Play a plan of one cell in memory.

    Parameters
    ----------
    plan
        Of a game that says by ``FIGHT`` what its columns tell.
    progress
        Hears how it goes.
    jobs
        Threads.

    Raises
    ------
    ValueError
        The game has no two sides.
    KeyboardInterrupt
        Ctrl-C; nothing is kept.

    Examples
    --------
    >>> play(plan, Silent(), jobs=2).better  # doctest: +SKIP
    'a'
    """
    game, cell, units = plan.game, plan.cells[0], plan.units
    fight = fight_of(game)
    if fight is None:
        raise ValueError(f"{game.TITLE} has no two sides that could fight one another")
    metrics = [*game.OUTCOMES, *_end_metrics(game.OUTCOMES, fight), *_damage_metrics(game.OUTCOMES, fight)]
    each = game.GAMES_A_UNIT
    left = _Counted(
        np.zeros((1 + each, BATCHES, len(metrics), 4), np.int64),
        np.zeros((units, each), np.int32),
        np.zeros((units, each), np.int8),
    )
    local = threading.local()

    def block(job: tuple[int, int]) -> Rows:
        if not hasattr(local, "state"):
            local.state = game.new_state()
        rows = np.zeros((each * (job[1] - job[0]), len(game.OUTCOMES)), np.int64)
        game.play_rows(cell.setup, local.state, plan.key, *job, rows)
        return rows.reshape(-1, each, len(game.OUTCOMES))

    def done(job: tuple[int, int], rows: Rows) -> None:
        _take(plan, fight, left, job[0], rows)
        progress.advance(each * len(rows), 0, None)

    progress.start(plan.trials, 0, 1)
    try:
        game.ready(progress.compiling)
        size = trials.block_size(each * game.nanoseconds(cell.setup))
        trials.run(trials.blocks(0, units, size), block, done, threads=jobs)
    finally:
        progress.stop()

    def reduced(k: int, games: int) -> CellResult:
        keep = plan.kept if games > 1 else ()
        name = fight.score or fight.wins[0]
        return reduce(left.counts[k], None, units, metrics, name, plan.level, sequential=False, games=games, keep=keep)

    seats = tuple(reduced(1 + seat, 1) for seat in range(each if each > 1 else 0))
    return Duel(plan, fight, reduced(0, each), seats, left.turns, left.results, _worth_telling(plan, left))


def _take(plan: Plan, fight: Fight, left: _Counted, first: int, rows: Rows) -> None:
    """Count the games of a block that begins with unit `first`, a multiple of 256; shape (units, games, columns)."""
    column = {metric.name: rows[:, :, i] for i, metric in enumerate(plan.game.OUTCOMES)}
    a, b = (column[name] for name in fight.wins)
    results = dict(zip(RESULTS, (a, b, 1 - a - b), strict=True))
    further = [column[end] * results[result] for end, result, _ in _ends(fight)]
    further += [np.sum([column[pair[side]] for pair in fight.damage.values()], axis=0) for side in (0, 1)]
    games = np.concatenate([rows, np.stack(further, axis=2)], axis=2)
    for k, units in enumerate((games.sum(axis=1), *(games[:, seat] for seat in range(games.shape[1])))):
        left.counts[k] += _batched(units)
    place = slice(first, first + len(rows))
    left.turns[place] = column[fight.length]
    left.results[place] = np.argmax([*results.values()], axis=0)
    if rows.shape[1] * first < SEARCHED:
        left.first_rows[first] = rows


def _batched(units: Rows) -> NDArray[np.int64]:
    """Count units into batches: shapes (units, columns) and (256, columns, 4); the first has a multiple of 256."""
    whole = np.zeros((-(-len(units) // BATCHES) * BATCHES, units.shape[1]), np.int64)
    whole[: len(units)] = units
    parts = whole.reshape(-1, BATCHES, units.shape[1])
    counts = np.zeros((BATCHES, units.shape[1], 4), np.int64)
    counts[:, :, 0], counts[:, :, 1] = parts.sum(axis=0), (parts**2).sum(axis=0)
    return counts


def _ends(fight: Fight) -> Iterator[tuple[str, str, str]]:
    """List every end with every result, and the name of the column that counts both together."""
    for end, result in itertools.product(fight.ends, RESULTS):
        yield end, result, f"{end}_{result}"


def _end_metrics(outcomes: Sequence[Metric], fight: Fight) -> Iterator[Metric]:
    known = {metric.name: metric for metric in outcomes}
    drawn = known[fight.draw].says if fight.draw else "nobody has won"
    says = dict(zip(RESULTS, (*(known[name].says for name in fight.wins), drawn), strict=True))
    for end, result, name in _ends(fight):
        yield Metric(name, "share", known[end].unit, f"{known[end].says}, and {says[result]}", 1)


def _damage_metrics(outcomes: Sequence[Metric], fight: Fight) -> Iterator[Metric]:
    known = {metric.name: metric for metric in outcomes}
    for side, name in enumerate(DAMAGE):
        columns = [pair[side] for pair in fight.damage.values()]
        yield Metric(name, "count", known[columns[0]].unit, f"the sum of {', '.join(columns)}")


def _worth_telling(plan: Plan, left: _Counted) -> dict[str, Trial]:
    """Choose a typical game of the first ones, side A's worst and its luckiest."""
    games = plan.game.GAMES_A_UNIT
    rows = np.concatenate([left.first_rows[first] for first in sorted(left.first_rows)])[: SEARCHED // games]
    fortunes = [plan.game.fortune(row) for row in rows.reshape(-1, rows.shape[2]).tolist()]
    order = sorted(range(len(fortunes)), key=fortunes.__getitem__)
    chosen = {"typical": order[(len(order) - 1) // 2], "worst": order[0], "luckiest": fortunes.index(max(fortunes))}
    return {kind: Trial(*divmod(i, games)) for kind, i in chosen.items()}


def _round_numbers() -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50 and so on."""
    for power in itertools.count():
        yield from (10**power, 2 * 10**power, 5 * 10**power)


# What it means


def answer(duel: Duel, a: str, b: str, *, noun: str = "duels", several: tuple[bool, bool] = (False, False)) -> str:
    """Say in a sentence who beats whom, or that it is not resolved.

    Parameters
    ----------
    duel
        What was played.
    a, b
        Names of the sides.
    noun
        What the games are called.
    several
        Whether the name of side A, and of side B, is a plural.
    """
    if not duel.fight.score:
        return _without_score(duel, a, b, noun, several)
    level = f"{100 * duel.plan.level:g} % interval"
    pairs = f"n = {duel.both.n:,} pairs of {noun} with seats swapped"
    score, metrics, fight = duel.score, duel.both.metrics, duel.fight
    names, wins = {"a": a, "b": b}, dict(zip("ab", (metrics[name] for name in fight.wins), strict=True))
    drawn = metrics[fight.draw]
    if duel.better is None:
        verb = "score" if several[0] else "scores"
        draws = ""
        if drawn.estimate == 1:
            draws = f", and every one of the {duel.both.trials:,} {noun} was a draw"
        return (
            f"Not resolved: {a} {verb} {format_estimate(score)} against {b} "
            f"({level} {format_interval(score)}, which reaches over 50 %; {pairs}){draws}."
        )
    other = "b" if duel.better == "a" else "a"
    verb = "beat" if several["ab".index(duel.better)] else "beats"
    won, lost = wins[duel.better], wins[other]
    share = f"in all {duel.both.trials:,} {noun}" if won.estimate == 1 else f"in {format_estimate(won)} of {noun}"
    said = f"{names[duel.better]} {verb} {names[other]} {share} ({level} {format_interval(won)}, {pairs})"
    if drawn.estimate == 0:
        return f"{said}."
    own = score if duel.better == "a" else mirrored(score)
    defeats = f"{'lose' if verb == 'beat' else 'loses'} {format_estimate(lost) if lost.estimate else 'none of them'}"
    return (
        f"{said} and {defeats} ({format_interval(lost)}); "
        f"with a draw as half a win, the score is {format_estimate(own)} ({format_interval(own)})."
    )


def _without_score(duel: Duel, a: str, b: str, noun: str, several: tuple[bool, bool]) -> str:
    """Say who beats whom where no end is half a win: both sides' wins, and every end that nobody has won."""
    level, metrics, fight = f"{100 * duel.plan.level:g} % interval", duel.both.metrics, duel.fight
    names, wins = (a, b), [metrics[name] for name in fight.wins]
    nobody = [
        f"{words} {_with_interval(metrics[name])}"
        for name, words in fight.ends.items()
        if name not in fight.wins and metrics[name].estimate
    ]
    rest = "".join(f"; {said}" for said in nobody)
    count = f"n = {duel.both.n:,} {noun}"
    if duel.better is None:
        verbs = ["win" if many else "wins" for many in several]
        shares = [f"{name} {verb} {_with_interval(won)}" for name, verb, won in zip(names, verbs, wins, strict=True)]
        return f"Not resolved: {' and '.join(shares)} of {noun}{rest} ({level}s, {count})."
    best = "ab".index(duel.better)
    beat, lose = ("beat", "lose") if several[best] else ("beats", "loses")
    return (
        f"{names[best]} {beat} {names[1 - best]} in {_with_interval(wins[best])} of {noun} "
        f"and {lose} {_with_interval(wins[1 - best])}{rest} ({level}s, {count})."
    )


def _with_interval(value: Estimate) -> str:
    return f"{format_estimate(value)} ({format_interval(value)})"


def mirrored(score: Estimate) -> Estimate:
    """Return what the other side scores."""
    return replace(score, estimate=1 - score.estimate, low=1 - score.high, high=1 - score.low)


def document(duel: Duel, answer: str) -> dict[str, Any]:
    """Return a duel as the document of a run, with what only a duel tells under ``duel``.

    Parameters
    ----------
    duel
        What was played.
    answer
        The sentence that says who beats whom.
    """
    plan = duel.plan
    outcomes = {metric.name: duel.both.metrics[metric.name] for metric in plan.game.OUTCOMES}
    result = replace(duel.both, metrics=outcomes)
    made = build(plan, [result], replace(judge(plan, [result]), answer=answer))
    wanted = [*duel.fight.wins, duel.fight.draw, duel.fight.score]
    seats = [{name: seat.metrics[name].to_json() for name in wanted} for seat in duel.seats]
    made["duel"] = {
        **{f"a_in_seat_{number}": seat for number, seat in enumerate(seats)},
        "ends": [{"how": end.how, "winner": end.result, **end.share.to_json()} for end in duel.ends()],
        "turns": [
            {"first": one.first, "last": one.last} | one.share.to_json() | dict(zip(RESULTS, one.results, strict=True))
            for one in duel.bins(MOST_BINS)
        ],
        "told": {kind: trial.text for kind, trial in duel.told.items()},
    }
    return made


MOST_BINS = 16
"""Bins into which the turns of the games are sorted."""
