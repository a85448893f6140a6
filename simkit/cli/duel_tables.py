"""The tables with which a duel ends on the screen."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from simkit.balance.duel import DAMAGE, MOST_BINS, RESULTS, Bin, Duel
from simkit.balance.edges import BAND, EVEN
from simkit.cli.layout import fits, room, side_by_side, table, wrapped
from simkit.report import words
from simkit.stats import Estimate
from simkit.stats.estimate import Unit

if TYPE_CHECKING:
    from simkit.balance.wording import Row
    from simkit.lab.matchup import Names
    from simkit.lab.plan import Plan

EDGES = {"win_seat_0": "western seat", "win_first": "first to move"}
"""Whose wins a column counts, in fewer words than a report has room for."""

FURTHER = {
    "hits": "hits left", "rams": "rams made", "criticals": "critical rolls",
    "figures": "figures left", "missiles": "volleys", "charges": "charges", "first_strikes": "first strikes",
    "checks": "morale checks", "failed": "  failed",
}  # fmt: skip
"""Further columns of each side that are shown where a game counts them, by the name before ``_a`` and ``_b``."""

BARS = ("█", "▒", "░")
ASCII_BARS = ("#", "=", ".")
"""What bars are made of, by result: side A won, side B won, a draw."""

LONGEST_BAR = 40
MOST_CHANGES = 8


def lines(duel: Duel, names: "Names") -> Iterator[str]:
    """Yield what is printed below the answer."""
    plan = duel.plan
    yield ""
    yield wrapped(plan.game.story(plan.cells[0].scenario))
    yield wrapped(f"Rules: {plan.game.EDITION}. Seed {plan.experiment.seed}.")
    yield from _changes(plan)
    if names.short != names[:2]:
        yield wrapped(f"A: {names.a}. B: {names.b}.")
    yield ""
    yield from _winners(duel, names)
    yield ""
    yield _ends(duel, names)
    yield ""
    yield from _turns(duel, names)
    yield ""
    yield _averages(duel, names)
    yield ""


def _changes(plan: "Plan") -> Iterator[str]:
    """Say which rules are not those of record."""
    from simkit.cli.common import printable
    from simkit.games.protocol import rule_fields

    for loaded in plan.house_rules.values():
        yield wrapped(printable(f"House rule: {loaded.rule.title}."))
    rows = [row for row in rule_fields(plan.cells[0].rules) if row.value != row.default]
    for row in rows[:MOST_CHANGES]:
        known = f" (rules of record: {words.setting(row.default)})"
        yield wrapped(printable(f"{row.path} = {words.setting(row.value)}{known}"), first="  ", further="    ")
    if len(rows) > MOST_CHANGES:
        yield f"  ... and {len(rows) - MOST_CHANGES:,} more changed rules"


def _headed(duel: Duel, title: str, unit: str) -> str:
    """Return the header of a column of values beside their intervals."""
    return f"{title}, {unit}\n{words.percent(duel.plan.level)} interval"


def _winners(duel: Duel, names: "Names") -> Iterator[str]:
    """Lay out who wins, from both seats and from each, and what seats and the first move are worth.

    Where no end is half a win, the ends that nobody has won have rows of their own instead.
    """
    metrics, (a, b) = duel.both.metrics, names.short
    several = names.several if names.short == names[:2] else (False, False)
    wins = [f"{name} {'win' if many else 'wins'}" for name, many in zip((a, b), several, strict=True)]
    rows = [
        (wins[0], metrics[duel.fight.wins[0]], ""),
        (wins[1], metrics[duel.fight.wins[1]], ""),
    ]
    if not duel.fight.score:
        nobody = [name for name in duel.fight.ends if name not in duel.fight.wins]
        rows += [(duel.fight.ends[name], metrics[name], "") for name in nobody]
        values = _column([entry for _, entry, _ in rows], "share")
        cells = [[label, value] for (label, _, _), value in zip(rows, values, strict=True)]
        yield table(["who wins", _headed(duel, "share", "%")], cells, right=(1,))
        return
    rows += [
        ("draw", metrics[duel.fight.draw], ""),
        ("  as turns are used up", metrics[duel.fight.capped], ""),
        (f"score of {a}", duel.score, "a draw is half"),
        ("  from the west", duel.seats[0].metrics[duel.fight.score], ""),
        ("  from the east", duel.seats[1].metrics[duel.fight.score], ""),
    ]
    edges = [(EDGES.get(edge.metric, edge.who), edge.rows[0]) for edge in duel.edges() if edge.rows]
    rows += [(f"decided for the {who}", row.value, _edge(row)) for who, row in edges]
    values = _column([entry for _, entry, _ in rows], "share")
    cells = [[label, value, note] for (label, _, note), value in zip(rows, values, strict=True)]
    headers = ["who wins", _headed(duel, "share", "%"), ""]
    if fits(headers, cells):
        yield table(headers, cells, right=(1,))
    else:
        yield table(headers[:2], [cell[:2] for cell in cells], right=(1,))
        yield wrapped("; ".join(f"{label.strip()}: {note}" for label, _, note in cells if note))


def _edge(row: "Row") -> str:
    """Say what is known of a share of the decided games that should be one half."""
    if row.word == "fair":
        return f"within {BAND} of 50 %"
    if row.word == "undecided":
        clear = row.value.low > EVEN or row.value.high < EVEN
        return f"may be {BAND} off 50 %" if clear else "not resolved from 50 %"
    return "an advantage" if row.word == "higher" else "a handicap"


def _ends(duel: Duel, names: "Names") -> str:
    losers = dict(zip(RESULTS, (*names.short[::-1], "nobody wins"), strict=True))
    ends = duel.ends()
    values = _column([end.share for end in ends], "share")
    rows = [[end.how, losers[end.result], value] for end, value in zip(ends, values, strict=True)]
    return table(["how it ends", "who loses", _headed(duel, "share", "%")], rows, right=(2,))


def _turns(duel: Duel, names: "Names") -> Iterator[str]:
    bins = duel.bins(MOST_BINS)
    values = _column([one.share for one in bins], "share")
    spans = [str(one.first) if one.first == one.last else f"{one.first}-{one.last}" for one in bins]
    headers = [_length(duel), _headed(duel, "share", "%")]
    used = max(map(len, [headers[0], *spans])) + max(map(len, [*headers[1].split("\n"), *values])) + 4
    most = min(LONGEST_BAR, (room() or 80) - used)
    signs = BARS if _can_show("".join(BARS)) else ASCII_BARS
    rows = [list(row) for row in zip(spans, values, _bars(bins, most, signs), strict=True)]
    nobody = "draw" if duel.fight.draw else "nobody wins"
    whose = zip(signs, (*names.short, nobody), map(any, zip(*(one.results for one in bins), strict=True)), strict=True)
    mean = duel.both.metrics[duel.fight.length]
    yield f"{_length(duel)} on average: {words.spelt(*_said(mean, 'count'))}"
    yield ""
    legend = [f"{sign} {who}" for sign, who, seen in whose if seen]
    yield table([*headers, "  ".join(legend)], rows, right=(0, 1))


def _length(duel: Duel) -> str:
    """Return what the length of a game is counted in."""
    return next(metric.unit for metric in duel.plan.game.OUTCOMES if metric.name == duel.fight.length)


def _bars(bins: Sequence[Bin], most: int, signs: Sequence[str]) -> list[str]:
    tallest = max(sum(one.results) for one in bins)
    bars = []
    for one in bins:
        bar, reached = "", 0
        for sign, count in zip(signs, one.results, strict=True):
            reached += count
            bar += sign * (round(most * reached / tallest) - len(bar))
        bars.append(bar)
    return bars


def _can_show(signs: str) -> bool:
    try:
        signs.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _averages(duel: Duel, names: "Names") -> str:
    """Lay out damage by where it comes from, and what is left in the end."""
    metrics = duel.both.metrics
    sources = duel.fight.damage.items()
    rows = [("damage done", DAMAGE), *((f"  {word}", pair) for word, pair in sources if len(sources) > 1)]
    further = ((says, (f"{name}_a", f"{name}_b")) for name, says in FURTHER.items() if f"{name}_a" in metrics)
    rows += [*duel.fight.mishaps.items(), *further]
    shown = [(says, pair) for says, pair in rows if any(metrics[name].estimate for name in pair)]
    columns = [_column([metrics[pair[side]] for _, pair in shown], "count") for side in (0, 1)]
    cells = [[says, *values] for (says, _), *values in zip(shown, *columns, strict=True)]
    interval = f"{words.percent(duel.plan.level)} interval"
    headers = [f"a {names.noun[:-1]},\non average", *(f"{name}\n{interval}" for name in names.short)]
    return table(headers, cells, right=(1, 2))


def _column(entries: Sequence[Estimate], unit: Unit) -> list[str]:
    """Write values beside their intervals; the unit stands in the header."""
    pairs = [_said(entry, unit) for entry in entries]
    return side_by_side([value for value, _ in pairs], [interval for _, interval in pairs])


def _said(entry: Estimate, unit: Unit) -> tuple[str, str]:
    """Write a value and its interval; a count that was seen too seldom has none that could be relied on."""
    if unit == "count" and entry.method == "rare-bound" and not entry.low < entry.estimate < entry.high:
        return (f"about {entry.estimate:.2g}", "too few to tell") if entry.estimate else ("never", "")
    value, interval = words.value_and_interval(entry.to_json(), unit, units=words.PAIRS)
    return value.removesuffix(" %"), interval.removesuffix(" %")
