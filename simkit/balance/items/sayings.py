"""What a question about balance comes to, in sentences: every number in them has its interval."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.balance.items.overpowered import OVER, UNDER
from simkit.games.protocol import Metric
from simkit.stats import Estimate, format_estimate, format_interval
from simkit.stats.estimate import Unit

MOST_NAMED = 4
"""Cases that a sentence names."""

Row = Mapping[str, Any]


def points(number: Mapping[str, Any]) -> str:
    """Write a difference of scores with its interval."""
    value = Estimate(**number)
    return f"{format_estimate(value, 'points')} ({format_interval(value, 'points')})"


def lost(number: Mapping[str, Any]) -> str:
    """Write a loss of score with its interval; what it is says that it is one."""
    return points(number).replace("+", "")


def item_says(item: str, word: str, where: Sequence[str], rows: Mapping[str, Row]) -> str:
    """Say what an item is called over all cases, and by how much.

    Parameters
    ----------
    item, word, where
        Its name, its word, and the cases that have it.
    rows
        What every case says of it, by the title of the case.
    """
    some = f"{item}: {_called(word, where, rows)}"
    if word in OVER:
        title, row = max(((title, rows[title]) for title in where), key=lambda one: float(one[1]["need"]["low"]))
        return f"{some}; who goes without loses {lost(row['need'])}{_in(title, rows)}"
    if word in UNDER:
        title, row = max(rows.items(), key=lambda one: float(one[1]["regret"]["low"]))
        return f"{some}; who must take it loses {lost(row['regret'])}{_in(title, rows)}"
    low = min(rows.items(), key=lambda one: float(one[1]["lift_uniform"]["estimate"]))
    high = max(rows.items(), key=lambda one: float(one[1]["lift_uniform"]["estimate"]))
    worth = f"having it gains {points(low[1]['lift_uniform'])}{_in(low[0], rows)}"
    if high[0] != low[0]:
        worth += f" to {points(high[1]['lift_uniform'])}{_in(high[0], rows)}"
    return f"{some}; {worth}"


def _called(word: str, where: Sequence[str], rows: Mapping[str, Row]) -> str:
    """Say what an item is called: where it is so, or in how many cases it is called what."""
    counts: dict[str, int] = {}
    for row in rows.values():
        counts[row["word"]] = counts.get(row["word"], 0) + 1
    if len(counts) == 1:
        return word if len(rows) == 1 else f"{word} {_every(len(rows))}"
    if word in OVER and len(where) <= MOST_NAMED:
        return f"{word} in {len(where)} of {len(rows)} cases ({'; '.join(where)})"
    told = ", ".join(f"{kind} in {count}" for kind, count in sorted(counts.items(), key=lambda one: -one[1]))
    surely = _surely_not(rows) if word == "depends" else ""
    return f"{word} ({told} of {len(rows)} cases{surely})"


def _surely_not(rows: Mapping[str, Row]) -> str:
    """Say in how many undecided cases an item is surely none of what it is called in the others."""
    decided = sorted({row["word"] for row in rows.values()} - {"undecided"})
    ruled = [row for row in rows.values() if row["word"] == "undecided" and not set(decided) & set(row["possible"])]
    return f", in {len(ruled)} of those undecided surely not {' or '.join(decided)}" if ruled else ""


def _in(title: str, rows: Mapping[str, Row]) -> str:
    return f" in {title}" if len(rows) > 1 else ""


def answer(
    items: Sequence[Row],
    every: Sequence[Row],
    prices: Sequence[Row],
    options: Sequence[Row],
    metric: str,
    level: float,
    games: int,
) -> str:
    """Say everything in a line: items, fair prices, options, and how sure it is."""
    parts = [one["says"] for one in items]
    for item in dict.fromkeys(one["item"] for one in prices):
        own = [one for one in prices if one["item"] == item]
        parts.append(f"the fair price of {item} is {_prices(own)}")
    for option in dict.fromkeys(one["option"] for one in options):
        own = [one for one in options if one["option"] == option]
        parts.append(_options(option, own, metric))
    least = min((one["units"][0] for one in every), default=min((one["change"]["n"] for one in options), default=0))
    how = f"{level:.4%}".rstrip("0%").rstrip(".") + " % for all of it together"
    methods = sorted(
        {number["method"] for one in every for row in one["items"] for number in (row["lift_uniform"], row["need"])}
        | {one["change"]["method"] for one in options}
    )
    text = ". ".join(part[:1].upper() + part[1:] for part in parts)
    return f"{text} ({how}, {', '.join(methods)}, n = {least:,} units a matchup at least, {games:,} games)."


def _prices(own: Sequence[Row]) -> str:
    told = [f"{one['says']} in {one['title']}" for one in own[:MOST_NAMED]]
    rest = len(own) - len(told)
    return "; ".join(told) + (f"; and {rest} more" if rest else "")


def _options(option: str, own: Sequence[Row], metric: str) -> str:
    words: dict[str, list[Row]] = {}
    for one in own:
        words.setdefault(one["word"], []).append(one)
    told = []
    for word, rows in words.items():
        strongest = max(rows, key=lambda one: abs(float(one["change"]["estimate"])))
        where = f"in {len(rows)} of {len(own)} cases" if len(rows) < len(own) else _every(len(own))
        such = ", such as" if len(rows) > 1 else ","
        told.append(" ".join(f"{SAID[word].format(metric=metric)} {where}".split()) + f"{such} by {strongest['says']}")
    return f"{option}: " + "; ".join(told)


def _every(number: int) -> str:
    return {1: "", 2: "in both cases"}.get(number, f"in all {number} cases")


SAID = {
    "raises": "it raises '{metric}' by more than matters",
    "lowers": "it lowers '{metric}' by more than matters",
    "fair": "it changes '{metric}' by nothing that matters",
    "undecided": "it is not resolved whether it changes '{metric}' by what matters",
}


def option_says(found: Row, metric: Metric) -> str:
    """Say by how much an option changes a metric under one condition."""
    value = Estimate(**found["change"])
    unit: Unit = "points" if metric.kind == "share" else "count"
    where = f" in {found['title']}" if found["conditions"] else ""
    return f"{format_estimate(value, unit)} ({format_interval(value, unit)}){where}"


def price_says(found: Row) -> str:
    """Say the fair price of an item in one case."""
    first, last = found["tried"][0]["price"], found["tried"][-1]["price"]
    if found["price"] is None:
        return {
            "below": f"below {first}, the lowest that was tried",
            "above": f"above {last}, the highest that was tried",
        }.get(str(found["word"]), "not resolved")
    value = Estimate(**found["price"])
    return f"{value.estimate:.2f} ({value.low:.2f} to {value.high:.2f})"


def unresolved(every: Sequence[Row], options: Sequence[Row]) -> list[str]:
    """List what these trials cannot tell, and how many it would take."""
    found = []
    for one in every:
        for row in one["items"]:
            if row["word"] == "undecided":
                price = f" at price {one['price']['price']}" if one["price"] else ""
                takes = row["reason"].removeprefix("not resolved; ")
                if row["trials"]:
                    named = row["becomes"] or "decided"
                    takes = f"if the estimates stay, {named} with about {row['trials']:,} trials"
                found.append(f"{row['item']}{price} in {one['title']}: {takes}")
    for one in options:
        if one["word"] == "undecided":
            takes = f"about {one['trials']:,} trials" if one["trials"] else "more trials than can be told"
            found.append(f"{one['option']} in {one['title']}: {takes}")
    return found


def readings_say(found: Row) -> str:
    """Say in a sentence what becomes of a verdict under the other readings of the rules.

    Parameters
    ----------
    found
        One entry of ``readings`` of a document.
    """
    subject = f"{found['subject']} in {found['title']}, {found['held']}"
    if found["not_played"]:
        return f"{subject}: other readings of the rules were not played: {found['not_played']}"
    by: dict[str, list[Row]] = {}
    for row in found["rows"]:
        by.setdefault(str(row["word"]), []).append(row)
    count = len(found["rows"])
    parts = []
    if changed := [*by.get("flips", ()), *by.get("decides", ())]:
        named = "; ".join(f"{row['becomes']} with {_reading(row)}" for row in changed[:MOST_NAMED])
        rest = f"; another verdict with {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
        parts.append(f"it would be {named}{rest}")
    if unsure := by.get("undecided", []):
        parts.append(f"not resolved with {_some(unsure)}{_likely(unsure, str(found['held']))}")
    if holds := by.get("holds", []):
        parts.append(f"the verdict holds with {'each of them' if len(holds) == count else f'the other {len(holds)}'}")
    return f"{subject}: of {count} other reading{'s' * (count != 1)} of the rules, " + ", ".join(parts)


def _likely(rows: Sequence[Row], held: str) -> str:
    """Say what the estimates alone would make of what is not resolved: the readings to play more of."""
    other = [row for row in rows if row["likely"] not in (held, "undecided")]
    if not other:
        return ""
    named = "; ".join(f"{row['likely']} with {_reading(row)}" for row in other[:MOST_NAMED])
    rest = f"; another with {len(other) - MOST_NAMED} more" if len(other) > MOST_NAMED else ""
    return f" (by the estimates alone {named}{rest})"


def _reading(row: Row) -> str:
    """Name a reading: its other value and the one it has, with the rule where the words do not speak for themselves."""
    if row["named"]:
        return f"'{row['label']}' instead of '{row['now_label']}'"
    return f"'{row['title']}' {row['label']} instead of {row['now_label']}"


def _some(rows: Sequence[Row]) -> str:
    return ", ".join(_reading(row) for row in rows) if len(rows) <= 2 else str(len(rows))
