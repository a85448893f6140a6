"""The report of what drives an answer, from its document alone."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simkit.balance.drives.words import WORDS, percent, sets_spelt, turned
from simkit.report import effectplot, swings, tornado
from simkit.report.plots import Plot
from simkit.report.sheet import Figure, Section, Sheet, Table, Value
from simkit.report.style import settings
from simkit.report.swings import MARKS
from simkit.report.verdicts import said
from simkit.report.words import Document, counted, judged_unit, value_and_interval

MORE = (
    "Name factors and ranges in the experiment, and they are combined instead: a table [sensitivity] with "
    "factors = { RULE = [OFF, ON] }, house_rules = [ID], and ranges = { RULE = { min = 1, max = 6 } }."
)


def sheet(document: Document) -> Sheet:
    """Return what the page of a study of what drives an answer shows."""
    word = document["verdict"]["word"]
    sections = [_readings(document), _combined(document), _spread(document)]
    methods = [row["method"] for row in (*document["swings"]["rows"], *document["factorial"]["effects"])]
    return Sheet(
        MARKS[word],
        WORDS[word],
        _meaning(document),
        _facts(document),
        [one for one in sections if one is not None],
        methods=[*methods, document["swings"]["held"]["method"], "sidak"],
    )


def _meaning(document: Document) -> str:
    word = document["verdict"]["word"]
    return {
        "holds": "under every other reading and in every combination that was played",
        "flips": "under another reading, or in a combination",
        "decides": "under another reading; as the rules stand it is not resolved",
        "undecided": "under some of the readings or combinations",
        "measured": "no baseline and no target were given",
    }[str(word)]


def _facts(document: Document) -> list[tuple[str, str]]:
    swing, combined, spread = document["swings"], document["factorial"], document["sobol"]
    held = swing["held"]
    kind = judged_unit(document)
    value, interval = value_and_interval(held, kind, difference=document["baseline"] is not None)
    facts = [("as the rules stand", f"{value} ({interval})" if interval else value)]
    if swing["rows"]:
        facts.append(("other readings", f"{len(swing['rows']):,}, {swing['trials']:,} games each"))
    if combined["combinations"]:
        facts.append(("combinations", f"{len(combined['combinations']):,}, {combined['trials']:,} games each"))
    if spread is not None:
        facts.append(("settings of the ranges", f"{spread['settings']:,}, {spread['trials']:,} games each"))
    return facts


def figure(name: str, title: str, alt: str, draw: Callable[[bool], str]) -> Figure:
    """Return a plot in both of its forms.

    Parameters
    ----------
    name, title, alt
        As of a :class:`~simkit.report.plots.Plot`.
    draw
        Draws it; True for the form for a phone.
    """
    with settings():
        return Figure(Plot(name, title, draw(False), alt), Plot(name, title, draw(True), alt))


def _readings(document: Document) -> Section:
    lines = swings.summary(document)
    if not swings.rows(document):
        return Section("One ruling at a time", lines)
    figures = []
    if tornado.fits(document):
        title, alt = tornado.title(document), tornado.alt(document)
        figures.append(figure("tornado", title, alt, lambda narrow: tornado.draw(document, narrow)))
    note = "; ".join(f"not played: {text}" for text in swings.left_out(document))
    tables = [_swings("Every other reading", swings.table(document), note)]
    tables += [_swings(f"In {one['where']}", one["lines"], one["family"]) for one in swings.elsewhere(document)]
    return Section("One ruling at a time", lines, figures, tables)


def _swings(title: str, lines: Sequence[Mapping[str, Any]], note: str) -> Table:
    """Return a table of readings."""
    rows: list[list[Value | str]] = [
        [
            f"{line['title']} ({line['id']})" if line["id"] else line["title"],
            line["now"],
            line["label"],
            Value(line["value"], line["interval"]),
            Value(line["verdict"], mark=line["mark"]),
        ]
        for line in lines
    ]
    columns = ["rule", "as it stands", "read another way", "moves the answer by", "the verdict"]
    return Table(columns, rows, numbers=(3,), title=title, note=note, folded=len(rows) > 12)


def _combined(document: Document) -> Section:
    combined = document["factorial"]
    if not combined["combinations"]:
        return Section("In all combinations", [f"Nothing was combined: {combined['why_not']}.", MORE])
    says = [_how(document)]
    if combined["inert"]:
        names = ", ".join(f"'{one['title']}'" for one in combined["inert"])
        says.append(
            f"Left out, since {'they change' if len(combined['inert']) > 1 else 'it changes'} nothing here: {names}."
        )
    says.append(_flips(document))
    left = combined["higher_order"]
    if left >= 0.005:
        says.append(f"Interactions of more factors than are shown account for {100 * left:.1f} % of what varies.")
    title, alt = effectplot.title(document), effectplot.alt(document)
    drawn = figure("effects", title, alt, lambda narrow: effectplot.draw(document, narrow))
    kind = effectplot.unit(document)
    rows = [
        [
            effectplot.named(document, row),
            Value(*value_and_interval(row, kind, difference=True)),
            "" if effectplot.resolved(row) else "not resolved",
        ]
        for row in effectplot.effects(document)
    ]
    tables = [
        Table(
            ["factor", "off", "on", "rule"], [_factor(one) for one in combined["factors"]], title="What was combined"
        ),
        Table(
            ["effect", "moves the answer by", ""],
            rows,
            numbers=(1,),
            title="Effects and interactions",
            note="A main effect is an average over all settings of the others; an interaction is half of what one "
            "factor's effect gains when the other is turned on.",
            folded=len(rows) > 12,
        ),
        _corners(document),
    ]
    return Section("In all combinations", says, [drawn], tables)


def _how(document: Document) -> str:
    combined = document["factorial"]
    count = len(combined["factors"])
    text = f"{counted(len(combined['combinations']), 'combination')} of {counted(count, 'factor')}"
    if combined["chosen"]:
        weigh = "the readings that were shown to weigh most" if count > 1 else "the reading that weighs most"
        return f"{text}, {weigh}, on dice of their own: what chose them does not flatter them. {MORE}"
    return f"{text}, all on the same dice."


def _flips(document: Document) -> str:
    combined = document["factorial"]
    start = combined["combinations"][combined["start"]]
    if start["word"] == "measured":
        return "There is no verdict that could flip."
    if start["word"] == "undecided":
        return "As it is asked, the verdict is not resolved on these dice, so that nothing can flip it."
    sets = sets_spelt(combined)
    if sets:
        return f"The verdict flips with {'; or with '.join(sets)}."
    unsure = sum(row["word"] == "undecided" for row in combined["combinations"])
    rest = f"; in {unsure:,} of them it is not resolved" if unsure else ""
    return f"No combination flips the verdict{rest}."


def _factor(one: Mapping[str, Any]) -> list[str]:
    about = "a house rule" if one["house_rule"] else one["id"]
    return [one["title"], one["off"], one["on"], about]


def _corners(document: Document) -> Table:
    combined = document["factorial"]
    factors = {one["name"]: one for one in combined["factors"]}
    kind = judged_unit(document)
    rows: list[list[Value | str]] = []
    for i, row in enumerate(combined["combinations"]):
        names = ", ".join(turned(factors[name]) for name in row["on"]) or "all off"
        here = " (as it is asked)" if i == combined["start"] else ""
        value = Value(*value_and_interval(row, kind, difference=document["baseline"] is not None))
        rows.append([f"{names}{here}", value, "" if row["word"] == "measured" else said(document, row["word"])])
    columns = ["combination", f"'{document['metric']}'", "verdict"]
    return Table(columns, rows, numbers=(1,), title="Every combination", folded=True)


def _spread(document: Document) -> Section | None:
    spread = document["sobol"]
    if spread is None:
        return None
    kind = judged_unit(document)
    scale, unit = (1.0, "") if kind == "count" else (100.0, " pp")
    says = [
        f"{counted(spread['settings'], 'setting')}: "
        + ("every combination of the ranges." if spread["design"] == "grid" else f"{spread['points']:,} base points.")
        + f" Over them '{document['metric']}' has a standard deviation of {scale * spread['deviation']:.3g}{unit}; "
        f"{100 * max(0.0, spread['noise_share']):.2g} % of the variance that was seen is noise, and was taken out.",
    ]
    if spread["first"][0]["estimate"] is None:
        return Section("Numbers over their ranges", [*says, "Nothing was shown to vary, so that there are no shares."])
    title, alt = effectplot.share_title(document), effectplot.share_alt(document)
    drawn = figure("sobol", title, alt, lambda narrow: effectplot.draw_shares(document, narrow))
    rows: list[list[Value | str]] = [
        [f"{one['title']}: {one['low']:g} to {one['high']:g}", _percent(first), _percent(total)]
        for one, first, total in zip(spread["ranges"], spread["first"], spread["total"], strict=True)
    ]
    table = Table(
        ["number", "alone", "with what it takes part in"], rows, numbers=(1, 2), title="Shares of the variance"
    )
    return Section("Numbers over their ranges", says, [drawn], [table])


def _percent(row: Mapping[str, Any]) -> Value:
    value, _, interval = percent(row).partition(" (")
    return Value(value, interval.rstrip(")"))


def lines(document: Document) -> tuple[list[str], list[list[str]]]:
    """Return the table for a screen: headings, and a row for what was shown to move the answer, the widest first."""
    kind = effectplot.unit(document)
    factors = {one["name"]: one for one in document["factorial"]["factors"]}
    found: list[tuple[float, list[str]]] = []
    for row in swings.rows(document):
        if row["low"] > 0 or row["high"] < 0:
            value, interval = value_and_interval(row, kind, difference=True)
            told = [swings.reading(row), value, interval, swings.verdict(document, row)]
            found.append((abs(float(row["estimate"])), told))
    for row in document["factorial"]["effects"]:
        alone = len(row["factors"]) == 1
        if effectplot.resolved(row) and not (alone and document["factorial"]["chosen"]):
            value, interval = value_and_interval(row, kind, difference=True)
            name = turned(factors[row["factors"][0]]) if alone else effectplot.named(document, row)
            told = [name, value, interval, "on average" if alone else "interaction"]
            found.append((abs(float(row["estimate"])), told))
    found.sort(key=lambda pair: -pair[0])
    return ["what moves it", "by", "interval", "the verdict"], [told for _, told in found]
