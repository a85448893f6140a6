"""What other readings of the rules move, in sentences and as a table: all of it from the document."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.balance.wording import listed
from simkit.report.style import BLUE, GREEN, INK, MUTED, VERMILLION, Mark
from simkit.report.verdicts import said
from simkit.report.words import Document, compared, counted, judged_unit, setting, spelt, value_and_interval
from simkit.stats.estimate import Unit

Row = Mapping[str, Any]

MARKS: Mapping[str, Mark] = {
    "flips": Mark("X", "✖", VERMILLION),
    "decides": Mark("D", "◆", BLUE),
    "undecided": Mark("o", "○", MUTED, filled=False),
    "holds": Mark("s", "■", GREEN),
    "measured": Mark("o", "●", INK),
}
"""How a movement looks, by what becomes of the verdict."""

MOST_NAMED = 4
"""Readings that a sentence names; of more it says how many there are."""


def of(document: Document) -> Mapping[str, Any] | None:
    """Return what a document tells of other readings, or None where it tells nothing."""
    found: Mapping[str, Any] | None = document.get("swings")
    return found


def rows(document: Document) -> list[Row]:
    """Return the readings that were played, those first that move the answer most."""
    found = of(document)
    return [] if found is None else list(found["rows"])


def unit(document: Document) -> Unit:
    """Return the unit of a movement."""
    return "count" if judged_unit(document) == "count" else "points"


def what(document: Document) -> str:
    """Name what moves."""
    metric = f"'{document['metric']}'"
    return f"the difference in {metric}" if compared(document) else metric


def moved(document: Document, row: Row) -> tuple[str, str]:
    """Print a movement and its interval; where a reading changes nothing in the scenario the interval says so."""
    if row["method"] == "exact":
        return "0", "it changes nothing here"
    return value_and_interval(row, unit(document), difference=True)


def reading(row: Row) -> str:
    """Name a reading: its other value and the one it has, with the rule where the words do not speak for themselves."""
    if row["named"]:
        return f"'{row['label']}' instead of '{row['now_label']}'"
    return f"'{row['title']}' {row['label']} instead of {row['now_label']}"


def verdict(document: Document, row: Row) -> str:
    """Say what becomes of the verdict."""
    if row["word"] in ("flips", "decides"):
        return f"would {'flip' if row['word'] == 'flips' else 'be decided'}: {said(document, row['becomes']['word'])}"
    return {"holds": "holds", "undecided": "not resolved", "measured": ""}[str(row["word"])]


def summary(document: Document) -> list[str]:
    """Say how much the answer rests on the rulings; nothing where the game states no other readings.

    Returns
    -------
    list of str
        What was played, what moves the answer most, and what becomes of the verdict.
    """
    found = of(document)
    if found is None or not (found["rows"] or found["left_out"] or found["not_played"]):
        return []
    if found["not_played"]:
        return [f"What other readings of these rules would change was not played: {found['not_played']}."]
    if not found["rows"]:
        return [f"None of the {counted(len(found['left_out']), 'other reading')} can be played here."]
    count = len(found["rows"])
    played = f"{counted(count, 'other reading')} of these rules {'was' if count == 1 else 'were'} played on the dice "
    played += f"of the run, one change at a time, {found['trials']:,} trials each"
    played += f" ({found['where']})." if found["where"] else "."
    widest = most(document)
    return [played, widest[:1].upper() + widest[1:], *([fate(document)] if fate(document) else []), *_further(document)]


def _further(document: Document) -> list[str]:
    """Say the same of the rules that other cells alone rest on, in a sentence or two for each of the cells."""
    said = []
    for place in (of(document) or {}).get("elsewhere", ()):
        there = {**document, "swings": place}
        if place["rows"]:
            count = counted(len(place["rows"]), "reading")
            verb = "was" if len(place["rows"]) == 1 else "were"
            said.append(
                f"{count} of rules that this does not rest on {verb} played in {place['where']}: "
                f"{most(there)} {fate(there)}".rstrip()
            )
    return said


def most(document: Document) -> str:
    """Say which reading moves the answer most, in a sentence that begins with a small letter."""
    shown = [row for row in rows(document) if row["low"] > 0 or row["high"] < 0]
    if not shown:
        return f"none of them is shown to move {what(document)}."
    first = max(shown, key=lambda row: abs(row["estimate"]))
    return f"{what(document)} moves most with {reading(first)}: by {spelt(*moved(document, first))}."


def fate(document: Document) -> str:
    """Say with how many of the readings the verdict holds; empty where there is no verdict."""
    found = rows(document)
    by_word = {word: [row for row in found if row["word"] == word] for word in MARKS}
    if by_word["measured"]:
        return ""
    unsure, subject = by_word["undecided"], f"T{_subject(document)[1:]}"
    if (of(document) or {})["held"]["word"] == "undecided":
        return _undecided(subject, by_word["decides"], unsure)
    parts = [f"it would flip with {_named(by_word['flips'])}"] if by_word["flips"] else []
    parts += [f"it would not be resolved with {_named(unsure)}"] if unsure else []
    holds = len(by_word["holds"])
    if holds == len(found):
        return f"{subject} holds with {'each of them' if holds > 1 else 'it'}."
    parts += [f"it holds with the other {holds:,}"] if holds else []
    none = f"No other reading flips {_subject(document)}"
    opens = f"{subject} does not always stand" if by_word["flips"] else none
    return f"{opens}: {'; '.join(parts)}."


def _subject(document: Document) -> str:
    """Name the verdict that stands for the answer: of several judgements that on one cell."""
    found = of(document) or {}
    return f"the verdict on cell {found['cell']}" if found["where"] else "the verdict"


def _undecided(subject: str, decides: Sequence[Row], unsure: Sequence[Row]) -> str:
    """Say which readings would decide a verdict that is not resolved."""
    if not decides:
        return f"{subject} is not resolved as the rules stand, and no other reading decides it."
    rest = f"; with the other {len(unsure):,} it stays not resolved" if unsure else ""
    return f"{subject} is not resolved as the rules stand; it would be decided with {_named(decides)}{rest}."


def _named(some: Sequence[Row]) -> str:
    """Name a few readings, or count many."""
    if len(some) > MOST_NAMED:
        return f"{len(some):,} of them"
    return listed([reading(row) for row in some])


def line(document: Document) -> str:
    """Say in one line for the screen which ruling moves the answer most and whether any flips the verdict.

    Empty where the game states no other readings, or none that matters here.
    """
    found = of(document)
    if found is None or not (found["rows"] or found["not_played"]):
        return ""
    if found["not_played"]:
        return f"Rulings: other readings were not played: {found['not_played']}."
    flips = [row for row in found["rows"] if row["word"] == "flips"]
    unsure = [row for row in found["rows"] if row["word"] == "undecided"]
    count = len(found["rows"])
    text = f"Rulings: {most(document)}"
    if found["rows"][0]["word"] == "measured":
        return text
    if flips:
        return f"{text} T{_subject(document)[1:]} would flip with {_named(flips)}."
    if found["held"]["word"] == "undecided":
        return f"{text} {fate(document)}"
    rest = f", but with {len(unsure):,} it would not be resolved" if unsure else ""
    return f"{text} None of {counted(count, 'other reading')} flips {_subject(document)}{rest}."


def table(document: Document) -> list[dict[str, Any]]:
    """Return a line for every reading that was played; the first of a rule carries its sentence."""
    return _lines(document, rows(document))


def elsewhere(document: Document) -> list[dict[str, Any]]:
    """Return the same for the rules that other cells alone rest on: where they were played, and their lines."""
    found = (of(document) or {}).get("elsewhere", ())
    return [
        {"where": one["where"], "family": one["family"], "lines": _lines(document, one["rows"])}
        for one in found
        if one["rows"]
    ]


def _lines(document: Document, some: Sequence[Row]) -> list[dict[str, Any]]:
    lines = []
    last = ""
    for row in some:
        value, interval = moved(document, row)
        lines.append(
            {
                "opens": row["path"] != last,
                "path": row["path"],
                "title": row["title"],
                "id": row["id"],
                "says": row["says"],
                "source": row["source"],
                "now": row["now_label"],
                "label": row["label"],
                "setting": setting(row["value"]),
                "value": value,
                "interval": interval,
                "verdict": verdict(document, row),
                "mark": MARKS[str(row["word"])],
            }
        )
        last = row["path"]
    return lines


def left_out(document: Document) -> list[str]:
    """Say which readings cannot be played, and why."""
    found = of(document)
    if found is None:
        return []
    further = [row for one in found.get("elsewhere", ()) for row in one["left_out"]]
    return [f"{reading(row)}: {row['why_not']}" for row in [*found["left_out"], *further]]


def covered(document: Document) -> set[str]:
    """Return the rules that the tables of readings tell of."""
    further = (row for one in (of(document) or {}).get("elsewhere", ()) for row in one["rows"])
    return {row["path"] for row in [*rows(document), *further]}
