"""The page and the table of ``simkit tune``, from its document alone."""

from collections.abc import Callable

from simkit.report import tuneplot
from simkit.report.plots import Plot
from simkit.report.sheet import Figure, Section, Sheet, Table, Value
from simkit.report.style import MARKS, settings
from simkit.report.words import Document, counted, value_and_interval

BADGES = {"unfair": MARKS["lower"], "fair": MARKS["fair"], "undecided": MARKS["undecided"]}
MEANINGS = {
    "unfair": "plain weights play somebody badly",
    "fair": "plain weights play nobody badly",
    "undecided": "more games on fresh dice are needed",
}
HEADERS = ("who", "plain", "tuned", "gain", "interval")


def lines(document: Document) -> tuple[list[str], list[list[str]]]:
    """Return the table on the screen."""
    rows = []
    for row in tuneplot.rows(document):
        gain, interval = _gain(row)
        rows.append([row["title"], _share(row["before"]), _share(row["after"]), gain, interval])
    return list(HEADERS), rows


def sheet(document: Document) -> Sheet:
    """Return the page."""
    word = document["verdict"]["word"]
    tuned = document["tuned"]
    kept = sum(row["kept"] for row in tuned)
    games = sum(row["games"] for row in tuned)
    facts = [
        ("tuned", counted(len(tuned), "table") + f", {kept} with a gain that is sure"),
        ("opponents", str(len(document["opponents"]))),
        ("games", f"{games:,}"),
        ("weights", f"{document['written']} in this folder"),
    ]
    sections = [_gains(document), _weights(document), _search(document), _use(document)]
    return Sheet(BADGES[word], word, MEANINGS[word], facts, sections, ["t"])


def _share(number: Document) -> str:
    return value_and_interval(number, "share", units="games")[0]


def _gain(row: Document) -> tuple[str, str]:
    return value_and_interval(row["gain"], "points", difference=True, units="games")


def _gains(document: Document) -> Section:
    says = [
        "Everybody was played by the plain weights and by those that were found, against the same opponents on the "
        "same dice, none of which the search had seen. Designs meet all opponents; of a family other builds are "
        "drawn than those the search knew, so that the interval holds for builds like them.",
        "Whoever gains nothing that is sure keeps the plain weights.",
    ]
    rows = []
    for row in tuneplot.rows(document):
        gain, interval = _gain(row)
        before, after = (Value(*value_and_interval(row[key], "share", units="games")) for key in ("before", "after"))
        word = {tuneplot.SURE: "gains", tuneplot.UNSURE: "not resolved", tuneplot.LOSES: "loses"}
        sign = tuneplot.mark(row)
        rows.append([row["title"], before, after, Value(gain, interval, sign, word[sign]), f"{row['games']:,}"])
    table = Table(["who", "plain weights", "tuned weights", "gain", "games"], rows, numbers=[1, 2, 3, 4])
    plot = figure("gains", tuneplot.gain_title, tuneplot.gain_alt, tuneplot.gains, document)
    return Section("What tuning gains", says, [plot], [table])


def _weights(document: Document) -> Section:
    names = [weight["name"] for weight in document["weights"]]
    plain = {weight["name"]: weight["default"] for weight in document["weights"]}
    rows: list[list[Value | str]] = [["plain", *(str(plain[name]) for name in names)]]
    for row in tuneplot.rows(document):
        shown = [row["values"][name] for name in names]
        rows.append([row["title"], *(_cell(value, plain[name]) for value, name in zip(shown, names, strict=True))])
    first = document["weights"][0]
    says = [
        f"Weights are hundredths of '{first['name']}', which stays at {first['default']}. Where one differs from the "
        "plain weight by more than a factor of two, this factor stands below it. What a design cannot do, it does not "
        "care about: such weights are where the search left them by chance.",
    ]
    title = "Weights that were found"
    values = Table(["who", *names], rows, numbers=range(1, len(names) + 1), title=title, folded=True)
    about = Table(["weight", "plain", "what it is put on"], _about(document), numbers=[1], folded=True, title="Weights")
    return Section("How they play", says, [], [values, about])


def _about(document: Document) -> list[list[Value | str]]:
    return [[one["name"], str(one["default"]), one["says"]] for one in document["weights"]]


def _cell(value: int, plain: int) -> Value | str:
    changed = value > 2 * plain + 5 or 2 * value + 5 < plain
    return Value(str(value), f"× {value / plain:.2g}") if changed and plain else str(value)


def _search(document: Document) -> Section:
    plot = figure("searches", tuneplot.search_title, tuneplot.search_alt, tuneplot.searches, document)
    asked = document["settings"]
    says = [
        f"The cross-entropy method: {asked['generations']} generations of {asked['population']} draws, "
        f"{asked['games']:,} games each, everybody in a generation on the same dice. The mean of the last "
        "distribution is the answer.",
    ]
    return Section("The search", says, [plot])


def _use(document: Document) -> Section:
    says = [
        f'An experiment uses these weights with tuned = ["{document["written"]}"] at its head, once the file lies '
        'beside it, and policy = "tuned" in [run] or for a side; weights = "NAME" names one table. They were tuned '
        f"against {counted(len(document['opponents']), 'opponent')} under the rules below (hash "
        f"{document['rules_hash']}); under other rules they are as good a guess as any.",
        "Opponents: " + ", ".join(document["opponents"]) + ".",
    ]
    return Section("Using them", says)


def figure(
    name: str,
    title: Callable[[Document], str],
    alt: Callable[[Document], str],
    draw: Callable[[Document, bool], str],
    document: Document,
) -> Figure:
    """Draw a plot in both its forms, from a document alone."""
    with settings():
        wide, narrow = (Plot(name, title(document), draw(document, form), alt(document)) for form in (False, True))
    return Figure(wide, narrow)
