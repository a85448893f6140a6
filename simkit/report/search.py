"""The page and the table of ``simkit search``, from its document alone."""

from simkit.report import searchplot
from simkit.report.sheet import Figure, Section, Sheet, Table, Value
from simkit.report.style import MARKS
from simkit.report.tune import figure
from simkit.report.words import Document, counted, value_and_interval

BADGES = {
    "settled": MARKS["fair"],
    "open": MARKS["undecided"],
    "countered": MARKS["higher"],
    "safe": MARKS["fair"],
    "undecided": MARKS["undecided"],
}
MEANINGS = {
    "settled": "nothing that was found beats the equilibrium by what matters",
    "open": "the rounds ran out before that",
    "countered": "there is an answer",
    "safe": "no answer was found",
    "undecided": "more games are needed",
}
LEAST = 0.005
"""Share of the equilibrium from which a build is named."""

MOST_POOL = 12
"""Builds of the equilibrium whose scores against each other are shown."""


def lines(document: Document) -> tuple[list[str], list[list[str]]]:
    """Return the table on the screen: the equilibrium, or the best counters."""
    if document["counter"]:
        rows = []
        for row in searchplot.last(document)["finalists"] if document["rounds"][0]["finalists"] else []:
            score, interval = value_and_interval(row["fresh"], "share", units="games")
            rows.append([row["name"], score, interval])
        return ["counter", f"scores against {document['counter']}", "interval"], rows
    rounds = {row["number"]: row for row in document["rounds"]}
    rows = []
    for one in document["pool"]:
        if one["share"] < LEAST:
            continue
        joined = rounds.get(one["round"])
        gained = "" if joined is None else " ".join(_gain(joined))
        rows.append([one["name"], _per_cent(one["share"]), _when(one["round"]), gained])
    return ["build", "share", "joined", "gained then"], rows


def sheet(document: Document) -> Sheet:
    """Return the page."""
    word = document["verdict"]["word"]
    looked = max((row["looked_at"] for row in document["rounds"]), default=0)
    facts = [
        (document["budget_is"], str(document["budget"])),
        ("builds there are", f"{document['builds']:,}"),
        ("looked at", f"{looked:,}"),
        ("games", f"{document['trials']:,}"),
    ]
    sections = [_counters(document)] if document["counter"] else [_equilibrium(document), _rounds(document)]
    if any(row["finalists"] for row in document["rounds"]) and not document["counter"]:
        sections.append(_finalists(document))
    return Sheet(BADGES[word], word, MEANINGS[word], facts, [*sections, _how(document)], ["batch-t"])


def _points(share: float) -> str:
    return counted(1, "point") if share == 0.01 else f"{100 * share:g} points"


def _per_cent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _when(number: int) -> str:
    return f"round {number}" if number else "at the start"


def _gain(row: Document) -> tuple[str, str]:
    value, interval = value_and_interval(row["gain"], "points", difference=True, units="games")
    return value, f"({interval})" if interval else ""


def _equilibrium(document: Document) -> Section:
    pool = [one for one in document["pool"] if one["share"] >= LEAST]
    rest = len(document["pool"]) - len(pool)
    says = [
        "Who is strong depends on what the others bring. These are the builds of the equilibrium, and how often it "
        "picks each: nobody in the pool scores more than one half against this mixture, which is worth "
        f"{_effective(document)}."
        + (f" {counted(rest, 'other build')} of the pool {'is' if rest == 1 else 'are'} not picked." if rest else ""),
    ]
    rounds = {row["number"]: row for row in document["rounds"]}
    rows: list[list[Value | str]] = []
    for one in pool:
        joined = rounds.get(one["round"])
        value: Value | str = ""
        if joined is not None:
            value = Value(*value_and_interval(joined["gain"], "points", difference=True, units="games"))
        rows.append([one["name"], _per_cent(one["share"]), _when(one["round"]), value])
    shares = Table(["build", "share", "joined", "gained on the pool then"], rows, numbers=[1, 3])
    tables = [shares]
    shown = min(len(pool), MOST_POOL)
    if shown > 1:
        scores = [
            [document["pool"][i]["name"], *(_score(document["matrix"][i][j], i == j) for j in range(shown))]
            for i in range(shown)
        ]
        heads = ["scores against", *(document["pool"][j]["name"] for j in range(shown))]
        note = "Per cent, of the row against the column, on fresh dice."
        tables.append(
            Table(heads, scores, numbers=range(1, shown + 1), title="Against each other", note=note, folded=shown > 5)
        )
    return Section("The strongest builds", says, [], tables)


def _effective(document: Document) -> str:
    count = document["effective"]
    return "one build" if count < 1.05 else f"{count:.1f} builds that were picked equally often"


def _score(share: float, own: bool) -> str:
    return "–" if own else f"{100 * share:.1f}"


def _rounds(document: Document) -> Section:
    says = [
        "Every round solves the game of choosing over the pool, and looks for the best answer to that mixture among "
        "all builds that are looked at. An answer joins the pool if its gain on fresh dice is surely above "
        f"{100 * document['delta']:g} points. That nothing better was found is no proof that there is nothing: a "
        "longer search may find more.",
    ]
    figures = []
    if searchplot.answered(document):
        figures = [figure("rounds", searchplot.rounds_title, searchplot.rounds_alt, searchplot.rounds, document)]
    rows: list[list[Value | str]] = []
    for row in document["rounds"]:
        gain = Value(*value_and_interval(row["gain"], "points", difference=True, units="games")) if row["gain"] else ""
        word = "joined" if row["joined"] else "the search ended"
        rows.append([f"{row['number']}", row["answer"] or "nothing left", gain, word, f"{row['looked_at']:,}"])
    table = Table(["round", "best answer", "gains", "and then", "builds looked at"], rows, numbers=[2, 4])
    return Section("Round by round", says, figures, [table])


def _finalists(document: Document) -> Section:
    return Section("The last race", [_chosen(document)], [_race(document)], [_race_table(document)])


def _counters(document: Document) -> Section:
    if not document["rounds"][0]["finalists"]:
        return Section("The best counters", ["There was nothing to look at."])
    return Section("The best counters", [_chosen(document)], [_race(document)], [_race_table(document)])


def _chosen(document: Document) -> str:
    return (
        "Those who came to the race were chosen for what they scored on the dice of the search: that is luck too, and "
        f"what is told here was played on dice that chose nobody. They met {searchplot.against(document)}."
    )


def _race(document: Document) -> Figure:
    return figure("race", searchplot.race_title, searchplot.race_alt, searchplot.race, document)


def _race_table(document: Document) -> Table:
    rows: list[list[Value | str]] = []
    for row in searchplot.last(document)["finalists"]:
        score = Value(*value_and_interval(row["fresh"], "share", units="games"))
        rows.append([row["name"], score, f"{100 * row['looked']:.1f} %", "in" if row["alive"] else "out"])
    heads = ["build", "score on fresh dice", "when it was chosen", "at the end of the race"]
    return Table(heads, rows, numbers=[1, 2], folded=True, title="All finalists")


def _how(document: Document) -> Section:
    asked = document["settings"]
    frame = [text[0].upper() + text[1:] + "." for text in document["frame"]]
    says = [
        *frame,
        f"Every build met everybody in the pool in {asked['first']} games; the better quarter was played four times "
        f"as long, and so on, until {asked['finalists']} were left. These raced, for {asked['last']:,} games each at "
        f"most, until it was clear who is best to within {_points(document['delta'] / 2)}; nobody was dropped who is "
        "not surely worse than another. All on one seed's dice, and what is told was played again on others.",
    ]
    if asked["tune"]:
        says.append(
            f"The best finalists also got weights of their own, by {asked['tune']} generations of the cross-entropy "
            "method against the same field, and raced by both; whose name says so is played by them."
        )
    return Section("How it was searched", says)
