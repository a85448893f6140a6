"""Rule sets side by side, in words: what moves, by how much, whether it is fairer, and what is not resolved."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.balance.drives.words import estimate_of
from simkit.balance.wording import listed, number, spelt, word_of
from simkit.games.protocol import Game, fight_of
from simkit.lab.plan import Plan
from simkit.stats.estimate import Unit

WORDS = {
    "fairer": "fairer",
    "unfairer": "less fair",
    "moves": "something moves",
    "keeps": "nothing moves that matters",
    "undecided": "not resolved",
    "depends": "it depends",
}
"""By the word of the whole, which ``--fail-if`` takes."""

RULE = (
    "a measure moves when the interval of its change lies wholly beyond what matters, and keeps when it lies wholly "
    "within it; the rules are fairer when the distance from what would be fair falls, on average over the cells"
)

MOST_NAMED = 3

Row = Mapping[str, Any]


def question(sets: Sequence[Any], *, report: bool) -> str:
    """Return what is asked about rule sets.

    Parameters
    ----------
    sets
        With their titles; the first is what the others are compared with.
    report
        Whether it is a report on one house rule.
    """
    names = listed([str(one.title) for one in sets[1:]])
    if report:
        return f"The house rule {names}: what does it change, who gains, and is it fairer?"
    return f"What {'do' if len(sets) > 2 else 'does'} {names} change against {sets[0].title}?"


def unit_of_change(row: Row) -> Unit:
    """Return the unit of a change of a measure."""
    return "points" if row["kind"] == "share" else "count"


def change(row: Row, which: int = 0) -> str:
    """Write by how much a measure changes."""
    return spelt(estimate_of(row["changes"][which]), unit_of_change(row), difference=True)


def named(row: Row) -> str:
    """Name a measure in a sentence."""
    names = {
        "distance": "the distance from what would be fair",
        "faction_edge": "the edge of the better side",
        "upset": "the chance of an upset",
    }
    if row["group"] == "edge":
        return f"the share of {row['says']}"
    return names.get(row["name"], f"'{row['name']}'")


def weight(row: Row, which: int = 0) -> float:
    """Return how many times what matters a measure moves."""
    moved = abs(float(row["changes"][which]["estimate"]))
    return moved / row["matters"] if row["matters"] > 0 else 0.0


def movers(document: Row, which: int = 0) -> list[Row]:
    """Return the measures that are shown to move by more than matters, shares first, and those that move most."""
    rows = [row for row in document["measures"] if row["changes"][which]["word"] in ("rises", "falls")]
    return sorted(rows, key=lambda row: (row["kind"] != "share", -weight(row, which)))


def going_with(game: Game, metric: str) -> list[str]:
    """Return the outcomes that say the same as the report metric: who wins, where it is about that."""
    fight = fight_of(game)
    winning = [] if fight is None else [fight.score, *fight.wins]
    return [name for name in winning if name and name != metric] if metric in winning else []


def besides(document: Row, game: Game, metric: str, which: int = 0) -> list[Row]:
    """Return the measures that are counted as moving besides the report metric.

    These are all :func:`movers` but itself, what goes with it, and what tells whether the rules are fairer.
    """
    told = {metric, *going_with(game, metric), "distance", "faction_edge"}
    return [row for row in movers(document, which) if row["name"] not in told]


def uncounted(document: Row, game: Game, metric: str, which: int = 0) -> str:
    """Name the outcomes that move but are not counted, since they go with the report metric; empty without any."""
    same = going_with(game, metric)
    names = [named(row) for row in movers(document, which) if row["name"] in same]
    return f"{listed(names)}, which go{'es' * (len(names) == 1)} with it" if names else ""


def shown(document: Row) -> list[Row]:
    """Return the measures as a report shows them: one fact, one row.

    How far the better side is ahead is left out where that is how far the report metric lies from its target.
    """
    ahead, far = measure(document, "faction_edge"), measure(document, "distance")
    twins = ahead is not None and far is not None and _alike(ahead, far)
    return [row for row in document["measures"] if not (twins and row["name"] == "faction_edge")]


def says(document: Row, row: Row) -> str:
    """Say what a measure is; the distance from the target says so where it is the edge of the better side as well."""
    twins = row["name"] == "distance" and len(shown(document)) < len(document["measures"])
    return f"{row['says']}; the better side is ahead by as much" if twins else str(row["says"])


def _alike(one: Row, other: Row) -> bool:
    """Tell whether two measures are the same number under every rule set."""
    pairs = [(a, b) for key in ("values", "changes") for a, b in zip(one[key], other[key], strict=True)]
    return all(math.isclose(a[part], b[part], abs_tol=1e-9) for a, b in pairs for part in ("estimate", "low", "high"))


def fairness(document: Row, which: int = 0) -> str:
    """Say in a word whether a rule set is fairer than the first: as a change, or empty where nothing says what is."""
    row = measure(document, "distance") or measure(document, "faction_edge")
    if row is None:
        return ""
    return {"rises": "unfairer", "falls": "fairer"}.get(
        row["changes"][which]["word"], str(row["changes"][which]["word"])
    )


def measure(document: Row, name: str) -> Row | None:
    """Return a measure by name, or None."""
    found: Row | None = next((row for row in document["measures"] if row["name"] == name), None)
    return found


def _word_of(document: Row, which: int) -> str:
    fair = fairness(document, which)
    if fair in ("fairer", "unfairer"):
        return fair
    words = {row["changes"][which]["word"] for row in document["measures"]}
    if words & {"rises", "falls"}:
        return "moves"
    return "undecided" if "undecided" in words else "keeps"


def verdict(plan: Plan, document: Row) -> dict[str, Any]:
    """Return the verdict on rule sets side by side.

    Parameters
    ----------
    plan
        The experiment on which they were played.
    document
        What was found, as :func:`simkit.balance.compare.comparing.compared` makes it.
    """
    words = [_word_of(document, k) for k in range(len(document["sets"]) - 1)]
    answers = [_answer(plan, document, k) for k in range(len(words))]
    rows = document["measures"]
    cells = document["on"]["cells"]
    where = f"average of {cells:,} cells, " if cells > 1 else ""
    changes = len(rows) * len(words)
    how = f"{100 * plan.level:g} % for all {changes:,} changes together, {rows[0]['family']}, "
    how += f"n = {document['n']:,}{' pairs' if plan.game.GAMES_A_UNIT > 1 else ''} a cell"
    return {
        "answer": f"{'. '.join(answers)} ({where}{how}).",
        "word": words[0] if len(set(words)) == 1 else "depends",
        "rule": RULE,
        "not_resolved": _unresolved(document),
    }


def _answer(plan: Plan, document: Row, which: int) -> str:
    """Say of one rule set what it does."""
    ours, theirs = document["sets"][which + 1], document["sets"][0]
    headline = measure(document, plan.metric)
    text = f"Under {titled(ours)} instead of {titled(theirs)}, "
    said = {
        "rises": "rises:",
        "falls": "falls:",
        "keeps": "keeps to within what matters:",
        "undecided": "is not resolved:",
    }
    if headline is not None:
        verb = said[headline["changes"][which]["word"]]
        text += f"'{plan.metric}' ({headline['says']}) {verb} {change(headline, which)}"
    fair = fairness(document, which)
    row = measure(document, "distance") or measure(document, "faction_edge")
    if row is not None and fair:
        told = {
            "fairer": "it is fairer",
            "unfairer": "it is less fair",
            "keeps": "it is as fair",
            "undecided": f"whether it is fairer is not resolved{leaning(row['changes'][which], document)}",
        }[fair]
        text += f"; {told}: {named(row)} changes by {change(row, which)}"
    others = besides(document, plan.game, plan.metric, which)
    fight = fight_of(plan.game)
    length = "" if fight is None else fight.length
    some = [one for one in others if one["kind"] == "share" or one["name"] == length][:MOST_NAMED]
    if others:
        names = listed([f"{named(one)} by {change(one, which)}" for one in some])
        also = uncounted(document, plan.game, plan.metric, which)
        text += f"; besides it moves {_others(len(others))}{f' (not counting {also})' if also else ''}"
        text += f"{', among them' if len(some) < len(others) else ':'} {names}" if names else ""
    else:
        text += "; nothing else is shown to move by more than matters"
    return text


def _others(count: int) -> str:
    return f"{count:,} other measure{'s' * (count > 1)}"


def titled(one: Row) -> str:
    """Name a rule set in a sentence."""
    return str(one["title"])


def gainers(document: Row, which: int = 0) -> list[Row]:
    """Return the values of axes at which the report metric is shown to move, those first that move most."""
    rows = [row for row in document["gains"] if row["changes"][which]["word"] in ("rises", "falls")]
    return sorted(rows, key=lambda row: -abs(float(row["changes"][which]["estimate"])))


def leaning(row: Row, document: Row) -> str:
    """Say that a change surely has a sign, but not surely the size that matters; empty where it has none."""
    if row["low"] <= 0 <= row["high"]:
        return ""
    side = "nearer" if row["high"] < 0 else "further"
    return f" (it is {side}, but not surely by {number(document['matters']['share'], 'points')})"


def tallied(document: Row) -> list[str]:
    """Say under every rule set how many cells have which verdict."""
    found = document["judged"]
    if found is None:
        return []
    line = "than the baseline" if found["against"] == "baseline" else "than the target"
    names = {"higher": f"higher {line}", "fair": "fair", "lower": f"lower {line}", "undecided": "not resolved"}
    lines = []
    for one, tally in zip(document["sets"], found["tally"], strict=True):
        parts = [f"{count:,} {names[key]}" for key, count in tally.items() if count]
        noun = "comparisons" if found["against"] == "baseline" else "cells"
        lines.append(f"Under {one['title']}, of {len(found['cells']):,} {noun} {listed(parts)}.")
    return lines


def edges(document: Row) -> list[str]:
    """Say under every rule set whether those are fair that have what no side has earned, such as a seat."""
    within = float(document["matters"]["share"])
    lines = []
    for row in document["measures"]:
        if row["group"] != "edge":
            continue
        parts = []
        for one, value in zip(document["sets"], row["values"], strict=True):
            word = word_of(estimate_of(value), 0.5, within)
            said = {"fair": "fair", "higher": "too many", "lower": "too few"}.get(word, "not resolved against one half")
            parts.append(f"{spelt(estimate_of(value), 'share', difference=False)} under {one['title']}, {said}")
        lines.append(f"Of the {row['says']}: {'; '.join(parts)}.")
    return [*lines, *_ahead(document, within)]


def _ahead(document: Row, within: float) -> list[str]:
    """Say under every rule set whether the sides are even: the better one is ahead by no more than matters."""
    row = measure(document, "faction_edge")
    if row is None:
        return []
    parts = []
    for one, value in zip(document["sets"], row["values"], strict=True):
        word = word_of(estimate_of(value), 0.0, within)
        said = {"fair": "fair", "higher": "not fair"}.get(word, "not resolved against what matters")
        off = spelt(estimate_of(value), "points", difference=False).replace("+", "")
        parts.append(f"{off} under {one['title']}, {said}")
    return [f"The better side is ahead of even by {'; '.join(parts)}."]


def nearest(row: Row) -> list[Row]:
    """Return the values of a ladder under which what is judged lies nearest to its line; empty without a line."""
    return [one for one in row["rows"] if one["near"]]


def nearness(row: Row, one: Row) -> str:
    """Say of a value of a ladder whether it is the nearest, or not told apart from that."""
    near = nearest(row)
    if not one["near"]:
        return ""
    if len(near) == len(row["rows"]):
        return "not told apart"
    best = min(near, key=lambda each: float(each["distance"]["estimate"]))
    return "nearest" if one is best else "not told apart from the nearest"


def right(document: Row) -> list[str]:
    """Say which number would be right, a sentence a ladder."""
    lines = []
    for row in document["ladders"]:
        near = nearest(row)
        name = f"'{row['title']}'" if row["path"] else "the strength of the house rule"
        tried = listed([one["label"] for one in row["rows"]])
        if not near:
            lines.append(
                f"Of {name}, {tried} were tried. Nothing says what would be fair here, so none of them is right."
            )
            continue
        best = min(near, key=lambda one: float(one["distance"]["estimate"]))
        unit: Unit = "points" if document_kind(document) == "share" else "count"
        off = spelt(estimate_of(best["distance"]), unit, difference=False)
        text = f"Of {name}, {tried} were tried: {best['label']} leaves '{document['metric']}' nearest to what would be "
        text += f"fair, {off} off on average"
        others = [one["label"] for one in near if one is not best]
        if len(near) == len(row["rows"]):
            text = f"Of {name}, {tried} were tried: in so few games they are not told apart by how far they leave "
            text += f"'{document['metric']}' from what would be fair ({off} under {best['label']})"
        elif others:
            text += f"; {listed(others)} {'are' if len(others) > 1 else 'is'} not told apart from it"
        lines.append(f"{text}.")
    return lines


def document_kind(document: Row) -> str:
    """Return the kind of the report metric."""
    return next(str(row["kind"]) for row in document["metrics"] if row["name"] == document["metric"])


def _unresolved(document: Row) -> list[str]:
    """Say what these trials cannot tell, a sentence each."""
    found = []
    for k, one in enumerate(document["sets"][1:]):
        rows = [row for row in document["measures"] if row["changes"][k]["word"] == "undecided"]
        if rows:
            names = listed([named(row) for row in rows[:MOST_NAMED]])
            rest = f" and {_others(len(rows) - MOST_NAMED)}" if len(rows) > MOST_NAMED else ""
            found.append(f"Whether {one['title']} moves {names}{rest} by more than matters.")
    return found


def matters(document: Row) -> str:
    """Say what matters."""
    share = number(document["matters"]["share"], "points")
    return f"a share matters from {share} on, a count from {100 * document['matters']['count']:g} % of itself"
