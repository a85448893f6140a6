"""The page of a report: one self-contained HTML file, and a short Markdown form for a forum.

Both are made from the document alone and say the same words and numbers as the JSON beside them. Text that comes from
files is text: it is escaped on its way in, and a policy in the page allows no script and no network at all.
"""

import functools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import jinja2
from markupsafe import Markup, escape

from simkit.report import plots, story, swings, tables, verdicts
from simkit.report.plots import Plot
from simkit.report.style import BADGES, DARK, LIGHT, inline
from simkit.report.words import Document, cleaned, command, compared, percent

MOST_EMBEDDED = 4_000_000
"""Characters of JSON up to which the page carries the whole document; above, the cells are left to report.json."""

TORNADO = "tornado"
"""The plot that stands beside the rulings, not with the others."""

MOST_MARKDOWN = 40
"""Rows of the table in the Markdown form."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""What the page may load: nothing."""


def html(document: Document, footer: Mapping[str, Any] | None = None, figures: Sequence[Plot] | None = None) -> str:
    """Return the report as one self-contained HTML file.

    Parameters
    ----------
    document
        What ``report.json`` holds.
    footer
        Who ran it and when: ``when``, ``simkit``, ``python``, ``jobs``, ``seconds`` or any other keys. Nothing else in
        the page depends on anything but the document; without it there is no footer.
    figures
        The plots in their wide form, if they are drawn already.

    Returns
    -------
    str
        The same text for the same document, on every machine.

    Examples
    --------
    >>> Path("report.html").write_text(html(document), encoding="utf-8")  # doctest: +SKIP
    """
    shown = cleaned(document)
    wide = plots.available(shown) if figures is None else figures
    narrow = plots.available(shown, narrow=True)
    pairs = [_figure(a, b) for a, b in zip(wide, narrow, strict=True)]
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            **_common(shown),
            policy=POLICY,
            light=LIGHT,
            dark=DARK,
            figures=[figure for figure in pairs if figure["name"] != TORNADO],
            tornado=next((figure for figure in pairs if figure["name"] == TORNADO), None),
            readings=swings.table(shown),
            further_readings=swings.elsewhere(shown),
            unplayable=swings.left_out(shown),
            rests=swings.summary(shown),
            facts=tables.facts(shown),
            further=tables.further(shown),
            never_seen=tables.never_seen(shown),
            rules=tables.rules(shown),
            house_rules=tables.house_rules(shown),
            assumptions=tables.assumptions(shown),
            replays=tables.replays(shown),
            methods=tables.methods(shown),
            provenance=tables.provenance(shown),
            check=story.check(shown),
            fits=document["check"] is None or story.fits_exact(shown),
            shared_dice=story.shared_dice(shown),
            together=story.together(shown),
            embedded=embedded(document),
            footer=None
            if footer is None
            else {cleaned(str(key)): cleaned(str(value)) for key, value in footer.items()},
            cells=tables.cells(shown),
            unresolved=tables.unresolved(shown),
        )
    )


def markdown(document: Document) -> str:
    """Return the question, the answer, the table and the command as Markdown, for a forum post.

    Parameters
    ----------
    document
        What ``report.json`` holds.

    Returns
    -------
    str
        Text from files is escaped, so that it stays text.
    """
    shown = cleaned(document)
    return (
        environment()
        .get_template("report.md.j2")
        .render(
            **_common(shown),
            told=plots.told(shown),
            rests=swings.summary(shown),
            cells=tables.cells(shown, MOST_MARKDOWN),
            unresolved=tables.unresolved(shown, MOST_MARKDOWN),
        )
    )


def _common(document: Document) -> dict[str, Any]:
    word = document["verdict"]["word"]
    answer, family = story.answer(document)
    lead, rungs = story.parts(document, answer)
    return {
        "document": document,
        "question": document["question"].strip() or document["name"],
        "answer": lead,
        "rungs": rungs,
        "family": family,
        "badge": {"word": verdicts.said(document, word), "glyph": BADGES[word].glyph, "css": BADGES[word].css},
        "meaning": verdicts.meaning(document),
        "rule": verdicts.rule(document),
        "varies": story.varies(document),
        "combinations": story.combinations(document),
        "command": command(document),
        "compared": compared(document),
        "level": percent(document["level"]),
    }


def _figure(wide: Plot, narrow: Plot) -> dict[str, Any]:
    return {
        "name": wide.name,
        "title": wide.title,
        "section": wide.section,
        "says": wide.says,
        "table": wide.table,
        "wide": drawn(wide, f"{wide.name}-wide"),
        "narrow": drawn(narrow, f"{wide.name}-narrow"),
    }


def drawn(plot: Plot, name: str) -> Markup:
    """Return a plot for the page; its text was escaped when it was drawn."""
    body = inline(plot.svg, name)
    return Markup(body.replace("<svg", f'<svg role="img" aria-label="{escape(plot.alt)}"', 1))


def embedded(document: Document) -> Markup:
    """Return the document as JSON in which no text can end the element it stands in."""
    text = json.dumps(document, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    if len(text) > MOST_EMBEDDED:
        short = {**document, "cells": [], "cells_left_to": "report.json"}
        text = json.dumps(short, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)


_SPECIAL = re.compile(r"[\\`*_\[\]<>|~#$&@]")


def _in_markdown(text: object) -> Markup:
    """Escape a text for Markdown: what could act stands behind a backslash."""
    return Markup(_SPECIAL.sub(lambda found: "\\" + found.group(), str(text)))


def _code(text: object) -> Markup:
    """Set a text as Markdown code between fences that it cannot close."""
    body = str(text).rstrip()
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", body)), 3)
    return Markup(f"{fence}\n{body}\n{fence}")


@functools.cache
def environment() -> jinja2.Environment:
    """Return what fills the templates: everything is escaped, and what is missing is an error."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("simkit.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["md"] = _in_markdown
    made.filters["code"] = _code
    return made
