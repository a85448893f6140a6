"""The page of a study: a question, its answer, and sections of words, tables and plots.

A command says what its sections are, from its document alone; everything around them, from the rules in force to the
command that plays it again, is the same for all.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simkit.lab.store import Store
from simkit.report import tables
from simkit.report.page import MOST_MARKDOWN, POLICY, drawn, embedded, environment
from simkit.report.plots import Plot
from simkit.report.style import DARK, LIGHT, Mark
from simkit.report.words import METHODS, Document, cleaned, percent


@dataclass(frozen=True)
class Value:
    """One field of a table: a number with its interval, or a word.

    Attributes
    ----------
    text
        As it is shown.
    interval
        Stands below the number; empty for a word.
    mark
        A shape and colour before `word`.
    word
        A verdict behind the number.
    """

    text: str
    interval: str = ""
    mark: Mark | None = None
    word: str = ""


@dataclass(frozen=True)
class Table:
    """A table of a section.

    Attributes
    ----------
    columns
        Titles; the first names the rows.
    rows
        As many fields each as there are columns; a plain text is a field without an interval.
    numbers
        Columns of numbers, which stand to the right.
    title, note
        Above it.
    folded
        True for a table that the page shows when it is asked for.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Value | str]]
    numbers: Sequence[int] = ()
    title: str = ""
    note: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Figure:
    """A plot in its wide form, and in the one for a phone."""

    wide: Plot
    narrow: Plot


@dataclass(frozen=True)
class Section:
    """A part of a page with a heading.

    Attributes
    ----------
    title
        Its heading.
    says
        Paragraphs.
    figures, tables
        In the order in which they are shown.
    """

    title: str
    says: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()


@dataclass(frozen=True)
class Sheet:
    """What a command shows of its document.

    Attributes
    ----------
    badge
        How the word of the verdict looks.
    word
        The word as a reader sees it.
    meaning
        What it means, in half a sentence.
    facts
        What a reader wants to know first: name and value.
    sections
        In their order.
    methods
        Kinds of interval that are used, by name.
    """

    badge: Mark
    word: str
    meaning: str
    facts: Sequence[tuple[str, str]]
    sections: Sequence[Section]
    methods: Sequence[str] = ()


def html(document: Document, sheet: Sheet, footer: Mapping[str, Any] | None = None) -> str:
    """Return the page as one self-contained HTML file.

    Parameters
    ----------
    document
        What ``report.json`` holds.
    sheet
        What is shown of it.
    footer
        Who ran it and when; without it nothing in the page depends on anything but the document.
    """
    shown = cleaned(document)
    return (
        environment()
        .get_template("study.html.j2")
        .render(
            **_common(shown, sheet),
            policy=POLICY,
            light=LIGHT,
            dark=DARK,
            sections=[_section(section, k) for k, section in enumerate(sheet.sections)],
            rules=tables.rules(shown),
            house_rules=tables.house_rules(shown),
            assumptions=tables.assumptions(shown),
            rests=[],
            tornado=None,
            readings=[],
            further_readings=[],
            unplayable=[],
            provenance=_provenance(shown),
            methods=[(name, METHODS[name]) for name in dict.fromkeys(sheet.methods) if name in METHODS],
            embedded=embedded(document),
            footer=None if footer is None else {cleaned(str(k)): cleaned(str(v)) for k, v in footer.items()},
        )
    )


def markdown(document: Document, sheet: Sheet) -> str:
    """Return the question, the answer, the words and the tables as Markdown, for a forum post."""
    shown = cleaned(document)
    template = environment().get_template("study.md.j2")
    return template.render(**_common(shown, sheet), sections=[_told(one) for one in sheet.sections], most=MOST_MARKDOWN)


def write(document: Document, sheet: Sheet, store: Store) -> None:
    """Write report.json, report.md, report.html and plots/*.svg of a study."""
    store.write("report.json", json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    for section in sheet.sections:
        for figure in section.figures:
            store.write(f"plots/{figure.wide.name}.svg", figure.wide.svg)
    store.write("report.md", markdown(document, sheet))
    store.write("report.html", html(document, sheet))


def _common(document: Document, sheet: Sheet) -> dict[str, Any]:
    return {
        "document": document,
        "question": document["question"].strip() or document["name"],
        "answer": document["verdict"]["answer"],
        "rule": document["verdict"]["rule"],
        "unresolved": document["verdict"]["not_resolved"],
        "badge": {"word": sheet.word, "glyph": sheet.badge.glyph, "css": sheet.badge.css},
        "meaning": sheet.meaning,
        "facts": sheet.facts,
        "level": percent(document["level"]),
        "command": document.get("again") or f"simkit {document['command']} {document['file']}",
        "compared": False,
    }


def _section(section: Section, place: int) -> dict[str, Any]:
    figures = [
        {
            "name": figure.wide.name,
            "title": figure.wide.title,
            "wide": drawn(figure.wide, f"{figure.wide.name}-wide"),
            "narrow": drawn(figure.narrow, f"{figure.wide.name}-narrow"),
        }
        for figure in section.figures
    ]
    return {
        "id": f"part-{place + 1}",
        "title": section.title,
        "says": section.says,
        "figures": figures,
        "tables": [_table(table) for table in section.tables],
    }


def _table(table: Table) -> dict[str, Any]:
    rows = [[field if isinstance(field, Value) else Value(field) for field in row] for row in table.rows]
    return {
        "columns": table.columns,
        "rows": rows,
        "numbers": set(table.numbers),
        "title": table.title,
        "note": table.note,
        "folded": table.folded,
    }


def _told(section: Section) -> dict[str, Any]:
    """Return a section as Markdown shows it: fields in one line each, and no plots."""
    told = [replace(table, rows=[[_plain(field) for field in row] for row in table.rows]) for table in section.tables]
    return {"title": section.title, "says": section.says, "tables": told}


def _plain(field: Value | str) -> str:
    """Return a field as text in one line."""
    if isinstance(field, str):
        return field
    parts = [field.text, f"({field.interval})" if field.interval else "", field.word]
    return " ".join(part for part in parts if part)


def _provenance(document: Document) -> list[tuple[str, str]]:
    version = document["version"]
    return [
        ("game", f"{document['title']} ({document['game']}), {document['edition']}"),
        ("version of the game's behaviour", str(version["game"])),
        ("version of the dice", str(version["dice"])),
        ("seed", str(document["seed"])),
        ("experiment", document["name"]),
        ("folder", document["run"]),
        ("confidence level", percent(document["level"])),
        ("games played", f"{document['trials']:,}"),
    ]
