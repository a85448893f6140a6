"""What a matrix comes to, as plain data: the part of the document that is its own."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from simkit import stats
from simkit.balance.document import assumed_of, assumptions_of
from simkit.balance.matrix import said as matrix_said
from simkit.balance.matrix import standing
from simkit.balance.matrix.meetings import FAIR, FIRST_WINS, OPEN, SECOND_WINS, Known, Meetings, further
from simkit.balance.matrix.played import Played
from simkit.games.protocol import Budget
from simkit.lab.lists import Group
from simkit.lab.store import units_per_batch
from simkit.stats import Estimate
from simkit.stats.checks import FloatArray, IntArray

MOST_OF = 0.5
"""Share of the games from which it is most of them."""

THREE = 3
"""Fewest sides among which something can go round in circles."""


def found(played: Played) -> dict[str, Any]:
    """Return everything that a matrix has shown, with its verdict.

    Parameters
    ----------
    played
        All meetings.
    """
    lists, met = played.lists, played.met
    plan, asked = lists.plan, lists.asked
    words = played.known.words(asked.fair_within)
    pairs = _pairs(played, words)
    told = {
        "sides": [
            {"id": one.id, "title": one.title, "budget": _budget(one.budget), "table": dict(one.a)}
            for one in lists.entrants
        ],
        "fair_within": asked.fair_within,
        "games_a_unit": met.games,
        "both_orders": played.both,
        "uneven": [lists.entrants[i].id for i in played.uneven],
        "least_trials": int(played.first.units[0]) * met.games,
        "cost": _cost(met, played.looks),
        "counts": {word: Counter(words)[word] for word in (FIRST_WINS, SECOND_WINS, FAIR, OPEN)},
        "edges": _edges(played),
        "pairs": pairs,
        "draws": {
            "capped": sum(pair["capped"]["estimate"] > MOST_OF for pair in pairs),
            "on_draws": sum(pair["on_draws"] for pair in pairs),
        },
        "groups": [_group(played, group, words) for group in lists.groups],
        "notes": lists.notes,
        "setting": matrix_said.setting(lists),
        "assumptions": assumptions_of(played.mirrors, assumed_of(played.mirrors)),
    }
    return {**told, "verdict": matrix_said.verdict(told, plan.level)}


def _budget(budget: Budget | None) -> dict[str, Any] | None:
    return None if budget is None else {"amount": budget.amount, "unit": budget.unit}


def _cost(met: Meetings, looks: int) -> dict[str, Any]:
    """Return what was played, and what it takes to play all pairs as long as the one that took longest."""
    games = met.units * met.games
    uniform = int(games.max()) * len(games)
    return {
        "games": int(games.sum()),
        "uniform": uniform,
        "times": uniform / int(games.sum()),
        "longest": int(games.max()),
        "looks": looks,
    }


def _numbers(
    estimate: Iterable[float], low: Iterable[float], high: Iterable[float], level: float, n: IntArray, method: Any
) -> list[dict[str, Any]]:
    methods = [method] * len(n) if isinstance(method, str) else method
    return [
        Estimate(float(e), float(a), float(b), level, int(k), str(m)).to_json()
        for e, a, b, k, m in zip(estimate, low, high, n, methods, strict=True)
    ]


def _shares(met: Meetings, part: IntArray, level: float) -> list[dict[str, Any]]:
    """Return shares of the games of each pair, with bounds that hold at every look, each by itself."""
    total, games = part.sum(axis=1), met.games
    low = stats.beta_binomial(total // games, met.units, level)[0]
    high = stats.beta_binomial(-(-total // games), met.units, level)[1]
    share = met.shares(part)
    return _numbers(share, np.minimum(low, share), np.maximum(high, share), level, met.units, "beta-binomial")


def _advantage(wins: IntArray, met: Meetings) -> FloatArray:
    """Return batch sums of what an edge is worth, in units: how much more than one half its holder scores."""
    return np.asarray((2 * wins - met.won - met.lost) / (2.0 * met.games))


def _pairs(played: Played, words: Sequence[str]) -> list[dict[str, Any]]:
    """Tell of every pair, from the side of the first of the two."""
    met, known, lists = played.met, played.known, played.lists
    level, first = lists.plan.level, played.first
    methods = ["beta-binomial" if exact else "asymptotic" for exact in known.exact]
    score = _numbers(known.score, known.low, known.high, level, met.units, methods)
    drawn = met.games * met.batch_units - met.won - met.lost
    won, lost, drawn_, capped = (_shares(met, part, level) for part in (met.won, met.lost, drawn, met.capped))
    edge = _advantage(first.edges[:, :, 0], first)
    low, high = stats.batch_mean(edge, first.batch_units, level)
    seat = _numbers(edge.sum(axis=1) / first.units, low, high, level, first.units, "batch-t")
    more = further(met, known, lists.asked.fair_within)
    return [
        {
            "a": lists.entrants[int(i)].id,
            "b": lists.entrants[int(j)].id,
            "word": words[k],
            "score": score[k],
            "won": won[k],
            "lost": lost[k],
            "drawn": drawn_[k],
            "capped": capped[k],
            "seat": seat[k],
            "on_draws": _is_on_draws(words[k], won[k], lost[k]),
            "games": int(met.units[k]) * met.games,
            "further": int(more[k]),
        }
        for k, (i, j) in enumerate(met.pairs)
    ]


def _is_on_draws(word: str, won: Mapping[str, Any], lost: Mapping[str, Any]) -> bool:
    """Tell whether the better side wins less than half of the games: scored otherwise, draws might change that."""
    shares = {FIRST_WINS: won, SECOND_WINS: lost}
    return word in shares and bool(shares[word]["estimate"] < MOST_OF)


def _edges(played: Played) -> list[dict[str, Any]]:
    """Tell what everything is worth that no side has earned, over all pairs alike."""
    first, level = played.first, played.lists.plan.level
    sums = np.array([_advantage(first.edges[:, :, k], first).mean(axis=0) for k in range(len(played.edges))])
    n = int(first.units[0])
    bands = stats.simultaneous_bands(sums, units_per_batch(n), level)
    values = _numbers(sums.sum(axis=1) / n, bands.low, bands.high, level, np.full(len(sums), n), bands.critical.method)
    return [
        {"name": edge.name, "who": edge.who, "value": value} for edge, value in zip(played.edges, values, strict=True)
    ]


def _group(played: Played, group: Group, words: Sequence[str]) -> dict[str, Any]:
    """Tell how those stand who all met each other."""
    lists, level, within = played.lists, played.lists.plan.level, played.lists.asked.fair_within
    size, place = len(group.members), {member: k for k, member in enumerate(group.members)}
    rows = np.array([k for k, (i, j) in enumerate(lists.pairs) if i in place and j in place])
    met, first = (_renumbered(part.only(rows), place) for part in (played.met, played.first))
    known = Known(*(np.asarray(part)[rows] for part in played.known))
    table = standing.table_of(met.pairs, known, size)
    ratings = standing.ratings_of(first, size, level)
    choice = standing.choice_of(table, within)
    several = size >= THREE
    layers = standing.layers_of(table, standing.pair_factor(met), met.pairs, within)
    scores = standing.pair_scores(first, size) if several else None
    circles = standing.circles_of(table, scores, level)
    unexplained = None if scores is None else standing.unexplained(scores, ratings.fitted, level)
    units = units_per_batch(int(first.units[0]))
    points = first.points / (2.0 * first.games)
    edge = _advantage(first.edges[:, :, 0], first)
    means = standing.means_of(first.pairs, np.stack([points, units - points]), units, size, level)
    seat = standing.means_of(first.pairs, np.stack([edge, edge]), units, size, level)
    n = np.full(size, first.units[0])
    rated = _numbers(ratings.rating, ratings.low, ratings.high, level, n, ratings.method)
    regret = _numbers(choice.regret, choice.regret_low, choice.regret_high, level, n, "asymptotic")
    record = _records(met, [words[k] for k in rows], size)
    order = sorted(range(size), key=lambda i: (-ratings.rating[i], i))
    ids = [lists.entrants[member].id for member in group.members]
    told = []
    for i in order:
        budget = lists.entrants[group.members[i]].budget
        told.append(
            {
                "side": ids[i],
                "rating": rated[i],
                "mean": means[i].to_json(),
                "per_budget": None if budget is None or not budget.amount else _per(means[i], budget.amount),
                "seat": seat[i].to_json(),
                **record[i],
                "share": float(choice.share[i]),
                "least": float(choice.least[i]),
                "most": float(choice.most[i]),
                "regret": regret[i],
                "layer": int(layers.layer[i]),
                "layer_first": int(layers.first[i]),
                "layer_last": int(layers.last[i]),
                "layer_often": float(layers.often[i]),
            }
        )
    winner = next((k for k in order if table.beats[k].sum() == size - 1), None)
    return {
        "name": group.name,
        "budget": _budget(group.budget),
        "rows": told,
        "best": None if winner is None else ids[winner],
        "beatable": [ids[i] for i in order if record[i]["loses"] or record[i]["even"]],
        "effective": _effective(choice.effective, layers, int(met.units.min())),
        "seat": ratings.seat.to_json(),
        "prior": ratings.prior,
        "cycles": [[ids[i] for i in trio] for trio in circles.found],
        "cycles_undecided": circles.undecided,
        "unexplained": None if unexplained is None else unexplained.to_json(),
        "cyclic": _cyclic(circles.share, int(first.units[0])),
    }


def _renumbered(met: Meetings, place: Mapping[int, int]) -> Meetings:
    pairs = np.array([[place[int(i)], place[int(j)]] for i, j in met.pairs], np.int64)
    return Meetings(pairs, met.units, met.games, met.won, met.lost, met.capped, met.edges)


def _per(mean: Estimate, amount: int) -> dict[str, Any]:
    """Return points, a hundred for a win, for what a side costs."""
    value, low, high = (100.0 * end / amount for end in (mean.estimate, mean.low, mean.high))
    return Estimate(value, low, high, mean.level, mean.n, mean.method).to_json()


def _records(met: Meetings, words: Sequence[str], sides: int) -> list[dict[str, int]]:
    """Count how many others each side is known to beat, to lose to and to be even with, and what is open."""
    counts = np.zeros((4, sides), np.int64)
    kinds = {FIRST_WINS: (0, 1), SECOND_WINS: (1, 0), FAIR: (2, 2), OPEN: (3, 3)}
    for (i, j), word in zip(met.pairs, words, strict=True):
        one, other = kinds[word]
        counts[one, i] += 1
        counts[other, j] += 1
    return [dict(zip(("beats", "loses", "even", "open"), map(int, counts[:, i]), strict=True)) for i in range(sides)]


def _effective(number: float, layers: standing.Layers, n: int) -> dict[str, Any]:
    low, high = min(layers.effective[0], number), max(layers.effective[1], number)
    return {
        "estimate": number,
        "low": low,
        "high": high,
        "level": 1.0 - 2.0 * standing.RARE,
        "n": n,
        "method": "resampled batches",
    }


def _cyclic(share: Any, n: int) -> dict[str, Any] | None:
    if share is None:
        return None
    return Estimate(share.share, share.low, share.high, share.level, n, "batch-t").to_json()
