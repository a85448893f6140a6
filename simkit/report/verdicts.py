"""What a verdict is called on the page: one word for one thing, in badge, tables, plots and legends."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from simkit.report.style import MARKS
from simkit.report.words import WORDS, Document, compared, judged_unit, number, target

LEANS_HIGHER, LEANS_LOWER = "leans higher", "leans lower"
"""Not resolved against the fair band, but surely on one side of the line within it."""

_AGAINST_A_TARGET = {"higher": "above", "lower": "below", "raises": "above", "lowers": "below"}


def against_target(document: Document) -> bool:
    """Tell whether the cells are held against a target, not against each other."""
    return not compared(document) and document["target"] is not None


def shade(document: Document, row: Mapping[str, Any]) -> str:
    """Return the word of a judged cell, a key of ``MARKS``: with a fair band, what is not resolved may still lean."""
    line = target(document)
    if row["word"] == "undecided" and document["fair_within"] and line is not None:
        if row["low"] > line:
            return LEANS_HIGHER
        if row["high"] < line:
            return LEANS_LOWER
    return str(row["word"])


def said(document: Document, word: str) -> str:
    """Return a word of the verdict, of a cell or of the whole, as the reader sees it."""
    if word in (LEANS_HIGHER, LEANS_LOWER):
        return f"{said(document, word.removeprefix('leans '))}, but not surely by {band(document)}"
    return _AGAINST_A_TARGET.get(word, WORDS[word]) if against_target(document) else WORDS[word]


def shades(document: Document) -> dict[str, int]:
    """Count the judged cells by their word, in the order of a legend."""
    found = Counter(shade(document, row) for row in document["verdict"]["rows"])
    return {word: found[word] for word in MARKS if word in found}


def band(document: Document) -> str:
    """Print the half-width of the fair band."""
    return number(document["fair_within"] or 0.0, "count" if judged_unit(document) == "count" else "points")


def meaning(document: Document) -> str:
    """Say behind the badge how many cells have which word."""
    if document["verdict"]["word"] == "measured":
        return "no baseline and no target were given: the numbers speak for themselves"
    noun = "comparison" if compared(document) else "combination"
    found = shades(document)
    total = sum(found.values())
    if total == 1:
        return _alone(document, next(iter(found)), noun)
    if len(found) > 1:
        parts = [f"{count:,} {_short(document, word)}" for word, count in found.items()]
        return ("; " if any("," in part for part in parts) else ", ").join(parts)
    word = next(iter(found))
    if word == "undecided":
        return f"in none of the {total:,} {noun}s can these trials tell"
    comma = "," if word in (LEANS_HIGHER, LEANS_LOWER) else ""
    return f"{_short(document, word)}{comma} in {f'both {noun}s' if total == 2 else f'every {noun}'}"


def _short(document: Document, word: str) -> str:
    return f"within {band(document)}" if word == "fair" else said(document, word)


def _alone(document: Document, word: str, noun: str) -> str:
    """Say what the badge leaves unsaid where there is only one cell to judge."""
    if word == "undecided":
        return "these trials cannot tell: the interval reaches over the line"
    if word in (LEANS_HIGHER, LEANS_LOWER, "fair"):
        return _short(document, word)
    return f"by more than {band(document)}" if document["fair_within"] else f"in the only {noun}"


def rule(document: Document) -> str:
    """Return the rule of the verdict, in the page's word for what is not resolved, and with what pp stands for."""
    text = re.sub(r"\bundecided\b", WORDS["undecided"], str(document["verdict"]["rule"]))
    if judged_unit(document) == "count":
        return text
    spelt = re.sub(r" pp\b", " pp (percentage points)", text, count=1)
    return f"{text}; pp: percentage points" if spelt == text and compared(document) else spelt
