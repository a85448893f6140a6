"""The report on rule sets side by side, and on one house rule, from its document alone."""

import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from simkit.balance.compare import words
from simkit.balance.compare.words import WORDS, named
from simkit.balance.solve.question import DEFAULT_TRIALS
from simkit.games import protocol
from simkit.lab.asked.solve import LEAST_UNITS
from simkit.report import dumbbell
from simkit.report.sensitivity import figure
from simkit.report.sheet import Section, Sheet, Table, Value
from simkit.report.style import BLUE, GREEN, INK, MUTED, PURPLE, VERMILLION, Mark
from simkit.report.words import Document, counted, is_bare, number, spelt, value_and_interval
from simkit.stats.estimate import Unit

BADGES: Mapping[str, Mark] = {
    "fairer": Mark("D", "◆", GREEN),
    "unfairer": Mark("v", "▼", VERMILLION),
    "moves": Mark("^", "▲", BLUE),
    "keeps": Mark("s", "■", INK),
    "undecided": Mark("o", "○", MUTED, filled=False),
    "depends": Mark("d", "◐", PURPLE),
}

MARKS: Mapping[str, Mark] = {
    "rises": Mark("^", "▲", BLUE),
    "falls": Mark("v", "▼", VERMILLION),
    "keeps": Mark("s", "■", GREEN),
    "undecided": Mark("o", "○", MUTED, filled=False),
}

SAID = {"rises": "rises", "falls": "falls", "keeps": "does not matter", "undecided": "not resolved"}

MOST_ROWS = 12
"""Rows from which on a table is folded."""


class Listed(NamedTuple):
    """A row of a table: something under every rule set, and by how much it changes."""

    name: str
    values: Sequence[Value]
    changes: Sequence[Mapping[str, Any]]
    moves: Unit


def sheet(document: Document) -> Sheet:
    """Return what the page of a comparison of rule sets shows; a report on one house rule says more of it."""
    word = document["verdict"]["word"]
    sections = [_changes(document), _gains(document), _fair(document), _else(document)]
    sections += [_right(document)] if document["ladders"] else []
    sections += [_where(document)]
    methods = [one["method"] for row in document["measures"] for one in (*row["values"], *row["changes"])]
    return Sheet(BADGES[word], WORDS[word], _meaning(document), _facts(document), sections, methods=methods)


def _meaning(document: Document) -> str:
    word = document["verdict"]["word"]
    first = document["sets"][0]["title"]
    return {
        "fairer": f"than {first}, as far as these cells tell",
        "unfairer": f"than {first}, as far as these cells tell",
        "moves": "by more than matters",
        "keeps": "in any measure, on average over these cells",
        "undecided": "nothing is shown to move by more than matters",
        "depends": "the rule sets do not all do the same",
    }[str(word)]


def _facts(document: Document) -> list[tuple[str, str]]:
    game, metric = protocol.load(document["game"]), document["metric"]
    sets = document["sets"][1:]
    moving = [len(words.besides(document, game, metric, k)) for k in range(len(sets))]
    under = [f" under {one['title']}" if len(sets) > 1 else "" for one in sets]
    told = [f"{count:,}{where}" for count, where in zip(moving, under, strict=True)]
    return [
        ("played on", f"{counted(document['on']['cells'], 'cell')} of {document['name']}"),
        ("games of every cell", f"{document['each']:,} under each rule set"),
        (f"measures that move besides '{metric}'", "; ".join(told)),
    ]


def _changes(document: Document) -> Section:
    """Say what every rule set changes, in sentences and as a table."""
    says, tables = [], []
    for one in document["sets"]:
        if not one["changes"]:
            continue
        count = counted(len(one["changes"]), "rule")
        verb = "changes" if len(document["sets"]) > 2 or document["sets"][0]["changes"] else "It changes"
        lead = (
            f"{one['title'][:1].upper()}{one['title'][1:]} {verb} {count}." if verb == "changes" else f"{verb} {count}."
        )
        says.append(" ".join(part for part in (one["why"], lead) if part))
        rows = [
            [
                f"{row['title']} ({row['id']})" if row["id"] else row["title"],
                row["was_label"],
                row["now_label"],
                row["says"],
            ]
            for row in one["changes"]
        ]
        tables.append(Table(["rule", "was", "now", "what it says"], rows, title=str(one["title"])))
    if document["on"]["overruled"]:
        names = ", ".join(f"'{path}'" for path in document["on"]["overruled"])
        says.append(f"The experiment sets {names} itself, whatever the rule sets say.")
    return Section("What changes", says, tables=tables)


def _gains(document: Document) -> Section:
    metric = f"'{document['metric']}'"
    says = []
    for k, one in enumerate(document["sets"][1:]):
        rows = words.gainers(document, k)
        text = f"Under {one['title']}, " if len(document["sets"]) > 2 else ""
        if rows:
            row = rows[0]
            where = f"{row['title']} {row['label']}" if is_bare(row["label"]) else f"{row['label']} ({row['title']})"
            text += f"{metric} moves most with {where}: by {spelt(*_change(document, row, k))}."
        else:
            text += f"{metric} is not shown to move by more than matters at any value of an axis."
        says.append(text[:1].upper() + text[1:])
    axes: dict[str, list[Any]] = {}
    for row in document["gains"]:
        axes.setdefault(row["title"], []).append(row)
    tables = []
    for title, rows in axes.items():
        lines = [[row["label"], *_changed(document, row["changes"], _moves(document))] for row in rows]
        wide = _why_wide(document, [one for row in rows for one in row["changes"]])
        note = f"averaged over all that is beside it{f'. {wide}' if wide else ''}"
        tables.append(
            Table(
                [title, *_headers(document)],
                lines,
                numbers=_numbers(document),
                title=f"{metric} by {title}",
                note=note,
                folded=len(rows) > MOST_ROWS,
            )
        )
    if not tables:
        return Section("Who gains", ["The experiment has no axes: the answer is all there is to say."])
    return Section("Who gains", says, tables=tables)


def _headers(document: Document) -> list[str]:
    """Return the titles of the changes, each with its word in a column of its own: a phone has no room beside it."""
    sets = document["sets"][1:]
    named_ = ["changes by"] if len(sets) == 1 else [f"under {one['title']}" for one in sets]
    return [title for one in named_ for title in (one, "")]


def _changed(document: Document, changes: Sequence[Mapping[str, Any]], kind: Unit) -> list[Value | str]:
    """Return changes as fields, each with the field of its word behind it."""
    return [
        field
        for one in changes
        for field in (Value(*_printed(one, kind)), Value("", mark=MARKS[one["word"]], word=_said(document, one)))
    ]


def _tables(document: Document, name: str, rows: Sequence[Listed], title: str, *, folded: bool) -> list[Table]:
    """Return what rows are under every rule set and by how much they change: two tables where there are several."""
    under = [name, *(f"under {one['title']}" for one in document["sets"])]
    note = _why_wide(document, [one for row in rows for one in row.changes])
    changed = [_changed(document, row.changes, row.moves) for row in rows]
    if len(document["sets"]) == 2:
        whole = [[row.name, *row.values, *fields] for row, fields in zip(rows, changed, strict=True)]
        return [Table([*under, *_headers(document)], whole, numbers=(1, 2, 3), title=title, note=note, folded=folded)]
    held: list[list[Value | str]] = [[row.name, *row.values] for row in rows]
    lines = [[row.name, *fields] for row, fields in zip(rows, changed, strict=True)]
    return [
        Table(under, held, numbers=range(1, len(under)), title=title, folded=folded),
        Table(
            [name, *_headers(document)],
            lines,
            numbers=_numbers(document),
            title=f"{title}: what changes against {document['sets'][0]['title']}",
            note=note,
            folded=folded,
        ),
    ]


def _numbers(document: Document) -> range:
    return range(1, 2 * len(document["sets"]) - 1, 2)


def _said(document: Document, one: Mapping[str, Any]) -> str:
    """Return the word for a change; where too little differed, why it is not resolved."""
    if not _too_few(one):
        return SAID[one["word"]]
    return f"{SAID[one['word']]}: too few of {one['n']:,} {_units(document)} differed to tell"


def _too_few(one: Mapping[str, Any]) -> bool:
    return one["word"] == "undecided" and one["method"] in ("rare-bound", "tango")


def _units(document: Document) -> str:
    return "games" if document["each"] == document["n"] else "pairs"


def _why_wide(document: Document, changes: Sequence[Mapping[str, Any]]) -> str:
    """Say why an interval is widest where next to nothing happens; empty where none is."""
    if not any(_too_few(one) for one in changes):
        return ""
    text = f"Where too few {_units(document)} differ, an interval reaches as far as what so few may have missed"
    return f"{text}; ten times the trials bring it to about a tenth."


def _change(document: Document, row: Mapping[str, Any], which: int) -> tuple[str, str]:
    return _printed(row["changes"][which], _moves(document))


def _moves(document: Document) -> Unit:
    """Return the unit of a change of the report metric."""
    return "points" if words.document_kind(document) == "share" else "count"


def _printed(entry: Mapping[str, Any], kind: Unit) -> tuple[str, str]:
    if entry["method"] == "exact":
        return "0", "it changes nothing here"
    return value_and_interval(entry, kind, difference=True)


def _fair(document: Document) -> Section:
    """Say whether it is fairer: by the distance from what would be fair, the edges, and upsets."""
    says = words.tallied(document)
    rows = [row for row in words.shown(document) if row["group"] in ("fairness", "edge")]
    if not rows:
        missing = "Nothing says what would be fair here: the experiment has no target and compares nothing."
        return Section("Is it fairer?", [missing])
    for k, one in enumerate(document["sets"][1:]):
        fair = words.fairness(document, k)
        told = {
            "fairer": f"{one['title']} brings the rules nearer to what would be fair",
            "unfairer": f"{one['title']} takes the rules further from what would be fair",
            "keeps": f"{one['title']} leaves the distance from what would be fair within what matters",
            "undecided": f"Whether {one['title']} brings the rules nearer to what would be fair by what matters is not "
            "resolved",
        }
        row = words.measure(document, "distance") or words.measure(document, "faction_edge")
        if row is not None and fair:
            says.append(f"{told[fair]}: {named(row)} changes by {words.change(row, k)}.")
    says += words.edges(document)
    share = 100 * document["matters"]["share"]
    says.append(f"Fair is within {share:g} points; 'better' is said of no rule set, but of every measure by itself.")
    return Section("Is it fairer?", says, tables=_measured(document, rows, "Fairness"))


def _measured(document: Document, rows: Sequence[Mapping[str, Any]], title: str) -> list[Table]:
    """Return the tables of some measures."""
    found = []
    for row in rows:
        kind: Unit = "share" if row["kind"] == "share" else "count"
        name = words.says(document, row) if row["group"] != "outcome" else f"{row['name']}: {row['says']}"
        values = [Value(*_value(one, row, kind)) for one in row["values"]]
        found.append(Listed(name, values, row["changes"], words.unit_of_change(row)))
    return _tables(document, "measure", found, title, folded=len(found) > 2 * MOST_ROWS)


def _value(entry: Mapping[str, Any], row: Mapping[str, Any], kind: Unit) -> tuple[str, str]:
    """Print a value; a distance is a difference of shares."""
    if row["name"] in ("distance", "faction_edge") and kind == "share":
        value, interval = value_and_interval(entry, "points")
        return value.removeprefix("+"), interval.replace("+", "")
    return value_and_interval(entry, kind)


def _else(document: Document) -> Section:
    rows = dumbbell.shares(document) + dumbbell.counts(document)
    rows = [row for row in rows if row["group"] == "outcome"]
    game = protocol.load(document["game"])
    says = []
    for k, one in enumerate(document["sets"][1:]):
        moving = words.besides(document, game, document["metric"], k)
        also = words.uncounted(document, game, document["metric"], k)
        if moving:
            text = f"{one['title']} moves {counted(len(moving), 'other measure')} by more than matters"
            text += f" (not counting '{document['metric']}'{f', and {also}' if also else ''})"
            names = "; ".join(f"{_told(row)} by {words.change(row, k)}" for row in moving[:5])
            says.append(f"{text}: {names}{' and more' if len(moving) > 5 else ''}.")
        else:
            says.append(f"Nothing else is shown to move by more than matters under {one['title']}.")
    says.append(f"What matters was set before anything was played: {words.matters(document)}.")
    if document["never"]:
        says.append(f"Never seen under any of them: {', '.join(document['never'])}.")
    figures = [
        figure(
            "shares", dumbbell.title(document), dumbbell.alt(document), lambda narrow: dumbbell.draw(document, narrow)
        )
    ]
    if any(row["values"][0]["estimate"] > 0 for row in dumbbell.counts(document)):
        title, alt = dumbbell.counts_title(document), dumbbell.counts_alt(document)
        figures.append(figure("counts", title, alt, lambda narrow: dumbbell.draw_counts(document, narrow)))
    tables = _measured(document, rows, "Every outcome, averaged over the cells")
    return Section("What else moves", says, figures, tables)


def _told(row: Mapping[str, Any]) -> str:
    return named(row) if row["group"] == "edge" else f"{named(row)} ({row['says']})"


def _right(document: Document) -> Section:
    """Say which number would be right, as far as a few values tell."""
    tables = []
    kind: Unit = "share" if words.document_kind(document) == "share" else "count"
    for row in document["ladders"]:
        lines: list[list[Value | str]] = []
        for one in row["rows"]:
            what = " (the rules of record)" if one["is_was"] else " (the house rule)" if one["is_now"] else ""
            far = one["distance"]
            off: Value | str = "" if far is None else Value(*_value(far, {"name": "distance"}, kind))
            label = one["label"] if ":" in one["label"] else f"{one['label']}{what}"
            near = words.nearness(row, one)
            lines.append([label, Value(*value_and_interval(one["average"], kind)), off, near])
        title = row["title"] if row["path"] else "strength of the house rule"
        columns = [title, f"'{document['metric']}'", "off what would be fair", ""]
        note = f"{row['each']:,} games of every cell at each value"
        tables.append(Table(columns, lines, numbers=(1, 2), title=f"Other values of {title}", note=note))
    says = [*words.right(document)]
    commands = [_solving(document, row) for row in document["ladders"] if _solvable(document, row)]
    if commands:
        says.append(
            f"The value with which '{document['metric']}' would be {number(document['target'], kind)} on average over "
            "the cells, confirmed on fresh dice (a command for the folder of this report):"
        )
        says += commands
    drawn = []
    for k, row in enumerate(document["ladders"]):
        if words.nearest(row):
            title, alt = dumbbell.ladder_title(row), dumbbell.ladder_alt(row)
            draw = partial(dumbbell.draw_ladder, document, row)
            drawn.append(figure(f"ladder-{k + 1}", title, alt, draw))
    return Section("Which number would be right?", says, drawn, tables)


def _solvable(document: Document, row: Mapping[str, Any]) -> bool:
    """Tell whether simkit solve answers the same question: one number is all that changes, and is held to a target."""
    alone = len(document["sets"][1]["changes"]) == 1 and not document["on"]["left_out"]
    return bool(row["path"]) and document["target"] is not None and alone


def _solving(document: Document, row: Mapping[str, Any]) -> str:
    """Return the command that looks for the value with which the average over the cells meets the target."""
    tried = [one["value"] for one in row["rows"] if not one["is_was"]]
    parts = ["simkit", "solve", document["file"], "--vary", row["path"], "--min", f"{min(tried):.10g}"]
    parts += ["--max", f"{max(tried):.10g}", "--target", f"{document['target']:.10g}"]
    for axis in document["axes"]:
        parts += ["--over", axis["path"]]
    least = LEAST_UNITS * document["on"]["cells"] * document["each"] // document["n"]
    return shlex.join([*parts, *(["--trials", str(least)] if least > DEFAULT_TRIALS else [])])


def _where(document: Document) -> Section:
    metric = f"'{document['metric']}'"
    kind: Unit = "share" if words.document_kind(document) == "share" else "count"
    rows = [
        Listed(
            row["title"],
            [Value(*value_and_interval(one, kind)) for one in row["values"]],
            row["changes"],
            _moves(document),
        )
        for row in document["cells"]
    ]
    asked = document["on"]["question"]
    says = [f"Played on {document['name']}, whose own question is: {asked}"] if asked else []
    out = document["on"]["left_out"]
    if out:
        first = out[0]
        says.append(
            f"{counted(len(out), 'cell')} cannot be played under all rule sets and "
            f"{'are' if len(out) > 1 else 'is'} left out: cell "
            f"{first['cell']} ({first['title']}) under {first['under']}: {first['why']}."
        )
    title, alt = dumbbell.cells_title(document), dumbbell.cells_alt(document)
    drawn = [figure("cells", title, alt, lambda narrow: dumbbell.draw_cells(document, narrow))]
    tables = _tables(document, "cell", rows, f"{metric} in every cell", folded=len(rows) > MOST_ROWS)
    return Section("Cell by cell", says, drawn if len(rows) > 1 else [], tables)


def lines(document: Document) -> tuple[list[str], list[list[str]]]:
    """Return the table for a screen: a row a measure, what moves most first."""
    sets = document["sets"]
    headers = ["measure", f"under {sets[0]['id']}", ""]
    headers += ["changes by", "", ""] if len(sets) == 2 else [f"{one['id']} changes it by" for one in sets[1:]]
    found = []
    order = dumbbell.shares(document) + dumbbell.counts(document)
    for row in sorted(order, key=lambda one: all(each["word"] in ("keeps", "undecided") for each in one["changes"])):
        kind: Unit = "share" if row["kind"] == "share" else "count"
        changes = [_printed(one, words.unit_of_change(row)) for one in row["changes"]]
        if len(sets) == 2:
            only = row["changes"][0]
            told = [*changes[0], f"{SAID[only['word']]}{' (too few differ)' if _too_few(only) else ''}"]
        else:
            told = [spelt(value, interval) for value, interval in changes]
        found.append([row["name"], *_value(row["values"][0], row, kind), *told])
    return headers, found
