"""What the page of ``simkit solve`` shows."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.report import solveplot
from simkit.report.plots import Plot
from simkit.report.sheet import Figure, Section, Sheet, Table, Value
from simkit.report.style import MARKS, Mark, settings
from simkit.report.words import Document, cleaned, counted, percent, spelt, value_and_interval

Case = Mapping[str, Any]

BADGES: Mapping[str, Mark] = {
    "found": MARKS["fair"],
    "several": MARKS["measured"],
    "none": MARKS["lower"],
    "not confirmed": MARKS["lower"],
    "not resolved": MARKS["undecided"],
    "depends": MARKS["measured"],
}

MEANINGS = {
    "found": "one value meets the target",
    "several": "more than one value meets the target",
    "none": "no value that was tried meets the target",
    "not confirmed": "fresh dice contradict the answer",
    "not resolved": "more games are needed",
    "depends": "not the same for every combination",
}

SIDES = {
    "below": (MARKS["lower"], "below the target"),
    "above": (MARKS["higher"], "above the target"),
    "open": (MARKS["undecided"], "not resolved"),
}

BEHIND = {
    "mixing": "An answer between two values is where the straight line through the games behind it meets the target. "
    "Other games had found out between which values it does.",
    "curve": "An answer among many values is where a parabola through the games behind it meets the target; of shares "
    "it is one on the probit scale. Its bend is in the interval whether it shows or not.",
}
"""How an answer comes from the games behind it, by its method."""

STATUS = {
    "found": "found",
    "several": "several",
    "fair": "found, without a crossing",
    "beyond": "none in this range",
    "unresolved": "not resolved",
}


def sheet(document: Document) -> Sheet:
    """Return what a page shows of a document of ``simkit solve``."""
    shown = cleaned(document)
    methods = [one["estimate"]["method"] for case in shown["cases"] for one in _estimates(case)]
    word = shown["verdict"]["word"]
    return Sheet(
        badge=BADGES[word],
        word=word,
        meaning=MEANINGS[word],
        facts=_facts(shown),
        sections=[_answers(shown), _tried(shown)],
        methods=list(dict.fromkeys(methods)),
    )


def _estimates(case: Case) -> Sequence[Mapping[str, Any]]:
    return [*case["tried"], *(one for answer in case["answers"] for one in (*answer["behind"], *answer["checks"]))]


def _facts(document: Document) -> list[tuple[str, str]]:
    parameter = document["parameter"]
    facts = [("what is sought", parameter["path"] + (f" ({parameter['id']})" if parameter["id"] else ""))]
    if parameter["now"]:
        facts.append(("now", parameter["now"]))
    if document["like"]:
        facts.append(("target", f"as with {document['like']}"))
    facts.append(("games", f"{document['trials']:,}"))
    return facts


def _answers(document: Document) -> Section:
    parameter = document["parameter"]
    says = [parameter["says"]] if parameter["says"] else []
    says += [
        "Between two values that can be played there is a mixture: so many of the games at either. That is what a "
        "number between them stands for; it is on the straight line between their points."
    ] * (not parameter["continuous"])
    says += [f"{_place(case)}: {case['says']}." for case in document["cases"] if not case["answers"]]
    return Section("Where the metric meets its target", says, [_figure(document)], [_found(document)])


def _figure(document: Document) -> Figure:
    with settings():
        drawn = [solveplot.draw(document, narrow) for narrow in (False, True)]
    named = ("solve", solveplot.title(document))
    wide, narrow = (Plot(*named, svg, solveplot.alt(document)) for svg in drawn)
    return Figure(wide, narrow)


def _found(document: Document) -> Table:
    """Return the answers of all cases."""
    rows: list[list[Value | str]] = []
    for case in document["cases"]:
        head = [_place(case), _spelt(case["target"], case["kind"])]
        if not case["answers"]:
            rows.append([*head, STATUS[case["status"]], "", "", ""])
        for answer in case["answers"]:
            last = answer["checks"][-1] if answer["checks"] else None
            fresh: Value | str = "" if last is None else Value(*value_and_interval(last["estimate"], case["kind"]))
            rows.append([*head, answer["says"], _nearest(case, answer), fresh, _confirmed(answer)])
    columns = ["where", "target", "answer", "nearest value", "on fresh dice", "confirmed"]
    return Table(columns, rows, numbers=(1,), title="Answers", note=_note(document))


def answer_lines(document: Document) -> list[list[str]]:
    """Return the table of the screen: where, the target, the answer, and what fresh dice say."""
    rows = []
    for case in cleaned(document)["cases"]:
        head = [_place(case), _spelt(case["target"], case["kind"])]
        if not case["answers"]:
            rows.append([*head, case["says"].split(":")[0], "", ""])
        for answer in case["answers"]:
            last = answer["checks"][-1]["estimate"] if answer["checks"] else None
            fresh = "" if last is None else spelt(*value_and_interval(last, case["kind"]))
            rows.append(
                [
                    *head,
                    answer["says"],
                    _nearest(case, answer),
                    "; ".join(part for part in (fresh, answer["word"]) if part),
                ]
            )
    return rows


def _place(case: Case) -> str:
    return case["where"] or "the scenario"


def _spelt(value: float, kind: str) -> str:
    return f"{value:.6g}" if kind == "count" else f"{100 * value:.4g} {'%' if kind == 'share' else 'pp'}"


def _nearest(case: Case, answer: Mapping[str, Any]) -> str:
    """Name the value next to an answer that is nearer to the target, and say whether it is fair itself."""
    name = answer["nearest"]
    seen = [*case["tried"], *answer["checks"]]
    fair = any(one["value"] == name and one["fair"] for one in seen)
    return f"{name}, which is fair" if fair else str(name)


def _confirmed(answer: Mapping[str, Any]) -> str:
    more = f", about {answer['further']:,} more games" if answer["further"] else ""
    return f"{answer['word']}{more}"


def _note(document: Document) -> str:
    within = document["within"]
    near = "" if not within else f"{within:g}" if document["cases"][0]["kind"] == "count" else f"{100 * within:g} pp"
    band = f"; confirmed: the whole interval on fresh dice lies within {near} of the target" if within else ""
    return f"Intervals {percent(document['level'])} each{band}."


def _tried(document: Document) -> Section:
    tables = []
    for case in document["cases"]:
        rows: list[list[Value | str]] = []
        behind = {(one["place"], one["estimate"]["n"]) for answer in case["answers"] for one in answer["behind"]}
        for one in case["tried"]:
            if (one["place"], one["estimate"]["n"]) in behind:
                continue
            mark, word = SIDES[one["side"]]
            fair = {True: "; fair", False: "", None: ""}[one["fair"]]
            shown = value_and_interval(one["estimate"], case["kind"], difference=case["kind"] == "points")
            games = "exact" if case["exact"] else f"{one['estimate']['n']:,}"
            rows.append([one["value"], Value(*shown, mark, word + fair), games])
        for answer in case["answers"]:
            rows += [_played(one, case, "behind the answer") for one in answer["behind"]]
            rows += [_played(one, case, "fresh dice") for one in answer["checks"]]
        columns = [document["parameter"]["title"], f"'{document['metric']}'", "units"]
        tables.append(
            Table(
                columns,
                rows,
                numbers=(1, 2),
                title=_place(case),
                note=case["why"] and f"Not solved exactly: {case['why']}.",
                folded=len(document["cases"]) > 2,
            )
        )
    says = [
        f"{counted(len(document['cases']), 'case')}; intervals of values that were tried hold together, those behind "
        "an answer and on fresh dice each by itself."
    ]
    methods = {answer["method"] for case in document["cases"] for answer in case["answers"] if answer["behind"]}
    says += [BEHIND[method] for method in BEHIND if method in methods]
    return Section("What was tried", says, [], tables)


def _played(one: Mapping[str, Any], case: Case, why: str) -> list[Value | str]:
    """Return a row on games that were played for an answer."""
    shown = value_and_interval(one["estimate"], case["kind"], difference=case["kind"] == "points")
    return [f"{one['value']}, {why}", Value(*shown), f"{one['estimate']['n']:,}"]
