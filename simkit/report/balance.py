"""The report of what is overpowered, from its document alone."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simkit.balance.items.overpowered import OVER, TABLE, UNDER
from simkit.balance.items.sayings import price_says
from simkit.report import needplot, otherwise, rangeplot
from simkit.report.plots import Plot
from simkit.report.rangeplot import Row, Rows, Span
from simkit.report.sheet import Figure, Section, Sheet, Table, Value
from simkit.report.style import MARKS, PURPLE, SERIES, Mark, settings
from simkit.report.words import Document, counted
from simkit.stats import Estimate, format_estimate, format_interval
from simkit.stats.estimate import Unit

BADGE = Mark("d", "◐", PURPLE)
LOOKS: Mapping[str, Mark] = {
    **dict.fromkeys(OVER, MARKS["higher"]),
    **dict.fromkeys(UNDER, MARKS["lower"]),
    "fair": MARKS["fair"],
    "undecided": MARKS["undecided"],
    "raises": MARKS["higher"],
    "lowers": MARKS["lower"],
    "strong on average": MARKS["leans higher"],
    "niche": MARKS["leans lower"],
}
MEANINGS = {
    **{row.word: row.meaning for row in TABLE},
    "undecided": "the intervals leave it open, or no row of the verdict table fits",
    "depends": "it is sure that no one word fits all cases",
    "raises": "a rule option raises the metric by more than matters",
    "lowers": "a rule option lowers the metric by more than matters",
}
EVERYBODY, FIELD = SERIES[0], SERIES[1]


def mark(word: str) -> Mark:
    """Return how a verdict looks."""
    return LOOKS.get(word, BADGE)


def sheet(document: Document) -> Sheet:
    """Return what the page of a question about balance shows."""
    word = str(document["verdict"]["word"])
    sections = [
        *_judged(document),
        *_prices(document),
        *_options(document),
        *otherwise.sections(document, _unit(document)),
        *_frames(document),
        Section("What the words mean", _glossary(document)),
    ]
    numbers = [row["lift_uniform"] for one in document["cases"] for row in one["items"]]
    numbers += [one["change"] for one in document["options"]]
    return Sheet(
        mark(word),
        word,
        MEANINGS.get(word, ""),
        _facts(document),
        sections,
        methods=[str(number["method"]) for number in numbers],
    )


def _facts(document: Document) -> list[tuple[str, str]]:
    found = [(one["item"], str(one["word"])) for one in document["items"]]
    plain = [one for one in document["cases"] if one["price"] is None]
    if plain:
        found.append(("cases", f"{len(plain):,}"))
        if players := [one["policy"] for one in plain if one["policy"]]:
            found.append(("played by", ", ".join(dict.fromkeys(players))))
        found.append(("builds that met in each", _span([len(one["builds"]) for one in plain])))
    found.append(
        (
            "a gap matters",
            f"from {100 * document['delta']:g} points of score, is severe from {100 * document['severe']:g}",
        )
    )
    return found


def _span(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _figure(name: str, title: str, alt: str, draw: Callable[[bool], str]) -> Figure:
    with settings():
        return Figure(Plot(name, title, draw(False), alt), Plot(name, title, draw(True), alt))


def _points(number: Mapping[str, Any], unit: Unit = "points") -> Value:
    value = Estimate(**number)
    if value.low == value.high == 0.0 and value.method != "exact":
        return Value("0 pp", "resolved: none")
    return Value(format_estimate(value, unit), format_interval(value, unit))


def _plain(document: Document) -> list[Mapping[str, Any]]:
    return [one for one in document["cases"] if one["price"] is None]


def _judged(document: Document) -> list[Section]:
    cases = _plain(document)
    if not cases:
        return []
    figures = [
        _figure("lifts", LIFTS, _alt(document, LIFTS), lambda narrow: rangeplot.draw(_lifts(document), narrow)),
        _figure("need", needplot.TITLE, needplot.alt(document), lambda narrow: needplot.draw(document, narrow)),
        _figure("usage", USAGE, _alt(document, USAGE), lambda narrow: rangeplot.draw(_usage(document), narrow)),
    ]
    names = [one["item"] for one in document["items"]]
    tables = [*_summary(document), _words(document), *(_numbers(document, name) for name in names)]
    tables += [_exchanges(document, name) for name in names]
    return [Section("Item by item", [f"{one['says']}." for one in document["items"]], figures, tables)]


LIFTS = "What an item gains over what else its price buys"
USAGE = "How often an item can be taken where nobody can do better"


def _alt(document: Document, title: str) -> str:
    return f"{title}: a row for every item and case. {document['verdict']['answer']}"


def _rows(document: Document, spans: Callable[[Mapping[str, Any]], Sequence[Span]]) -> list[Row]:
    return [
        Row(name, one["title"], spans(row))
        for name in (item["item"] for item in document["items"])
        for one in _plain(document)
        for row in one["items"]
        if row["item"] == name
    ]


def _lifts(document: Document) -> Rows:
    delta = float(document["delta"])

    def spans(row: Mapping[str, Any]) -> list[Span]:
        pair = (row["lift_uniform"], row["lift_field"])
        return [Span(one["low"], one["estimate"], one["high"], look) for look, one in enumerate(pair)]

    note = f"Shaded: gains and losses that do not matter, within {100 * delta:g} points of score."
    key = ((EVERYBODY, "against everybody"), (FIELD, "against the field: builds that nobody can do better than"))
    return Rows(LIFTS, [note], _rows(document, spans), "points", "percentage points of score", key, (-delta, delta))


def _usage(document: Document) -> Rows:
    def spans(row: Mapping[str, Any]) -> list[Span]:
        at = min(max(row["usage_field"], row["usage_low"]), row["usage_high"])
        return [Span(row["usage_low"], at, row["usage_high"], 0)]

    note = "Bars: least and largest share over all near-equilibria that the intervals leave possible."
    key = ((EVERYBODY, "share in the field"),)
    return Rows(
        USAGE,
        [note],
        _rows(document, spans),
        "share",
        "per cent of builds",
        key,
        None,
        None,
        thick=True,
        reach=(0.0, 1.0),
    )


def _summary(document: Document) -> list[Table]:
    """Return what the items are called over the cases of one budget or condition alone, where there are several."""
    names = [one["item"] for one in document["items"]]
    labels = list(document["items"][0]["by"])
    if len(labels) < 2 or len(labels) >= len(_plain(document)):
        return []
    by = [one["by"] for one in document["items"]]
    rows = [[label, *(Value(words[label], mark=mark(words[label])) for words in by)] for label in labels]
    note = "Overpowered where it is so in any of these cases, underpowered only where it is so in all of them."
    return [Table(["all cases with", *names], rows, title="In short", note=note)]


def _words(document: Document) -> Table:
    """Return the verdicts: a row for every case, a column for every item."""
    names = [one["item"] for one in document["items"]]
    rows: list[list[Value | str]] = []
    for one in _plain(document):
        by = {row["item"]: row for row in one["items"]}
        rows.append([one["title"], *(_word(by[name]) for name in names)])
    return Table(
        ["case", *names],
        rows,
        title="Verdicts",
        note="Severe: the verdict would stand with the severe gap. Hollow: not resolved, or on average only.",
    )


def _word(row: Mapping[str, Any]) -> Value:
    severe = ", severe" if row["severe"] else ""
    becomes = ", ".join(part for part in (row["becomes"], f"with {row['trials']:,} trials?") if part)
    becomes = becomes if row["trials"] else ""
    return Value(row["word"] + severe, becomes, mark=mark(row["word"]))


def _numbers(document: Document, name: str) -> Table:
    columns = [
        "case", "verdict", "gain against everybody", "gain against the field", "need", "regret", "usage", "best with it"
    ]  # fmt: skip
    rows: list[list[Value | str]] = []
    for one in _plain(document):
        row = next(row for row in one["items"] if row["item"] == name)
        rows.append(
            [
                one["title"],
                Value(row["word"], mark=mark(row["word"])),
                *(_points(row[key]) for key in ("lift_uniform", "lift_field", "need", "regret")),
                f"{100 * row['usage_low']:.0f} to {100 * row['usage_high']:.0f} %",
                row["best"],
            ]
        )
    return Table(columns, rows, numbers=(2, 3, 4, 5, 6), title=name, folded=len(rows) > 8)


def _exchanges(document: Document, name: str) -> Table:
    """Return what single exchanges of an item gain, those that gain and lose most of every case."""
    rows: list[list[Value | str]] = []
    for one in _plain(document):
        every = next(row for row in one["items"] if row["item"] == name)["exchanges"]
        shown = every if len(every) <= 2 * MOST_ENDS else [*every[:MOST_ENDS], *every[-MOST_ENDS:]]
        rows += [[one["title"], swap["build"], swap["instead"], _points(swap["lift"])] for swap in shown]
    title = f"{name}: exchanged for what?"
    note = (
        f"The {MOST_ENDS} that gain and lose most in every case, against everybody. Here the intervals hold together "
        "for the exchanges of one case alone: look here for what to ask next."
    )
    return Table(["case", "build", "without it", "gain of having it"], rows[:MOST_ROWS], (3,), title, note, folded=True)


MOST_ENDS = 3
MOST_ROWS = 120


def _prices(document: Document) -> list[Section]:
    found: Sequence[Mapping[str, Any]] = document["prices"]
    if not found:
        return []
    rows: list[list[Value | str]] = []
    for one in found:
        rows.append(
            [
                one["item"],
                one["title"],
                price_says(one),
                ", ".join(map(str, one["fair"])) or "none resolved",
                ", ".join(map(str, one["unfair"])) or "none resolved",
                "; ".join(f"{row['price']}: {_points(row['lift_uniform']).text}" for row in one["tried"]),
            ]
        )
    columns = ["item", "case", "fair price", "need and regret do not matter at", "one matters at", "gain by price"]
    says = [
        "At the fair price having the item gains nothing over what else it buys. Between two whole prices budgets are "
        "mixed: some pay the one, some the other. Strength comes in steps, so that need and regret say at which of the "
        "whole prices the game is fair.",
    ]
    figures = []
    known = [one for one in found if one["price"] is not None]
    if known:
        names = list(dict.fromkeys(one["item"] for one in known))
        key = [(needplot.mark_of(k), name) for k, name in enumerate(names)]
        lines = [
            Row(
                one["item"],
                one["title"],
                [Span(one["price"]["low"], one["price"]["estimate"], one["price"]["high"], names.index(one["item"]))],
            )
            for one in known
        ]
        plot = Rows("Fair prices", [], lines, "count", "price", key, line=None)
        figures = [
            _figure("prices", "Fair prices", _alt(document, "Fair prices"), lambda narrow: rangeplot.draw(plot, narrow))
        ]
    return [Section("Fair prices", says, figures, [Table(columns, rows, numbers=(2,))])]


def _unit(document: Document) -> Unit:
    """Return the unit of changes of the report metric."""
    kind = next(one["kind"] for one in document["metrics"] if one["name"] == document["metric"])
    return "points" if kind == "share" else "count"


def _options(document: Document) -> list[Section]:
    found: Sequence[Mapping[str, Any]] = document["options"]
    if not found:
        return []
    unit = _unit(document)
    share = unit == "points"
    rows: list[list[Value | str]] = [
        [
            one["option"],
            one["title"],
            Value(one["word"], mark=mark(one["word"])),
            f"{100 * one['without']:.4g} %" if share else f"{one['without']:.4g}",
            _points(one["change"], unit),
        ]
        for one in found
    ]
    says = [f"What each option changes in '{document['metric']}', on the same dice as without it."]
    lines = [
        Row(
            one["option"],
            one["title"],
            [Span(one["change"]["low"], one["change"]["estimate"], one["change"]["high"], 0)],
        )
        for one in found
    ]
    gap = float(document["fair_within"] or document["delta"])
    label = "percentage points" if share else str(document["metric"])
    plot = Rows("What the options change", [], lines, unit, label, ((EVERYBODY, "change"),), (-gap, gap))
    title = "What the options change"
    drawn = _figure("options", title, _alt(document, title), lambda narrow: rangeplot.draw(plot, narrow))
    table = Table(["option", "case", "verdict", "without it", "change"], rows, numbers=(3, 4))
    return [Section("Rule options", says, [drawn], [table])]


def _frames(document: Document) -> list[Section]:
    cases = _plain(document)
    if not cases:
        return []
    says = [
        "A verdict holds for the builds that met, as they were played. What was chosen, such as strong builds and the "
        "field, was chosen on dice of its own; fresh dice judged.",
        *dict.fromkeys("; ".join(one["frame"]) + "." for one in cases),
    ]
    tables = [_builds(one) for one in cases[:12]]
    if len(cases) > len(tables):
        says.append(f"The builds of {counted(len(cases) - len(tables), 'further case')} are in report.json.")
    return [Section("Which builds met", says, (), tables)]


def _builds(one: Mapping[str, Any]) -> Table:
    ordered = sorted(one["builds"], key=lambda build: (-build["field"], -build["against_field"]["estimate"]))[:12]
    rows = [
        [
            build["build"],
            ", ".join(build["items"]) or "-",
            f"{100 * build['field']:.1f} %" if build["field"] >= 5e-4 else "-",
            "yes" if build["crowd"] > 0 else "-",
            *(_points(build[key], "share") for key in ("against_crowd", "against_field")),
        ]
        for build in ordered
    ]
    note = (
        f"{len(one['builds'])} builds, the first {len(rows)} by share; {one['units'][0]:,} to {one['units'][1]:,} "
        f"units a matchup, {one['games']:,} games; the best answer to the field gains at most "
        f"{100 * one['exploitability']:.1f} points. The intervals of the scores hold together for this case alone."
        + (" Judged twice: the first look left something undecided, and games were left." if one["looks"] > 1 else "")
    )
    columns = ["build", "judged items", "share of the field", "stands for everybody", "score against everybody"]
    columns.append("against the field")
    return Table(columns, rows, numbers=(2, 4, 5), title=one["title"], note=note, folded=True)


def _glossary(document: Document) -> list[str]:
    if not document["cases"]:
        return []
    used = {row["word"] for one in document["cases"] for row in one["items"]}
    return [
        "Gain: what having the item scores more than what else its price buys, builds otherwise alike. Need: what a "
        "player loses who alone may not take it. Regret: what one loses who must. Field: a mixture of builds that no "
        "single build beats by more than the error.",
        *(f"{word}: {meaning}." for word, meaning in MEANINGS.items() if word in used),
        str(document["verdict"]["rule"]) + ".",
    ]


def lines(document: Document) -> tuple[list[str], list[list[str]]]:
    """Return headers and rows of the table on the screen."""
    if document["items"]:
        names = [one["item"] for one in document["items"]]
        rows = []
        for one in _plain(document):
            by = {row["item"]: row for row in one["items"]}
            rows.append([one["title"], *(f"{by[name]['word']} {_gain(by[name])}" for name in names)])
        return ["case", *names], rows
    unit = _unit(document)
    changes = [(one, _points(one["change"], unit)) for one in document["options"]]
    rows = [[one["option"], one["title"], one["word"], f"{to.text} ({to.interval})"] for one, to in changes]
    return ["option", "case", "verdict", f"change of {document['metric']}"], rows


def _gain(row: Mapping[str, Any]) -> str:
    value = _points(row["lift_uniform"])
    return f"{value.text} ({value.interval})"
