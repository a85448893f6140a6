"""The page of everybody against everybody, from its document alone."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.balance.matrix.said import FAIR, FIRST, OPEN, SECOND, noun, pairs_of, titles_of, word_of
from simkit.report import matrixplot
from simkit.report.sheet import Figure, Section, Sheet, Table, Value
from simkit.report.style import BADGES, MARKS, Mark
from simkit.report.words import Document, number, percent, value_and_interval

Row = Mapping[str, Any]
Fields = list[list[Value | str]]

BADGE: Mapping[str, tuple[Mark, str, str]] = {
    "one-best": (MARKS["higher"], "one best", "one beats every other"),
    "none-best": (MARKS["fair"], "none best", "each has another that beats it or is even with it"),
    "undecided": (BADGES["undecided"], "not resolved", "these games cannot tell whether one beats every other"),
    "depends": (BADGES["depends"], "it depends", "in some groups one is best, in others none or nothing is resolved"),
}

PAIR = {FIRST: ("higher", "first"), SECOND: ("lower", "second"), FAIR: ("fair", "even"), OPEN: ("undecided", "open")}
MOST_CIRCLES = 40
MATTERS = 0.02
"""From this advantage on a seat needs a remedy."""


def sheet(document: Document) -> Sheet:
    """Say what the page shows.

    Parameters
    ----------
    document
        What ``report.json`` holds, in which every text is harmless to look at.
    """
    mark, word, meaning = BADGE[document["verdict"]["word"]]
    groups = document["groups"]
    whole = groups[0] if groups[0]["name"] == "all" else None
    some = [group for group in groups if group is not whole]
    sections = [_who_beats_whom(document, [whole] if whole else groups)]
    sections += [_strength(document, group) for group in ([whole] if whole else groups)]
    if whole is not None and all(row["per_budget"] for row in whole["rows"]) and whole["budget"] is None:
        sections.append(_bargains(document, whole))
    if some:
        sections.append(_groups(document, some, equal=whole is not None))
    sections += [_picks(document, group) for group in ([whole] if whole else groups)]
    sections.append(_circles(document, [whole] if whole else groups))
    sections.append(_seat(document, whole))
    sections.append(_pairs(document))
    return Sheet(mark, word, meaning, _facts(document), sections, _methods(document))


def _facts(document: Document) -> list[tuple[str, str]]:
    cost, counts = document["cost"], document["counts"]
    total = sum(counts.values())
    return [
        (noun(document), f"{len(document['sides']):,}"),
        (
            "pairs",
            f"{total:,}: {counts[FIRST] + counts[SECOND]:,} decided, {counts[FAIR]:,} even, {counts[OPEN]:,} open",
        ),
        ("games", f"{cost['games']:,}"),
        ("as good as", f"{cost['uniform']:,} spread evenly ({cost['times']:.1f} times)"),
        ("even means", f"within {number(document['fair_within'], 'points')} of 50 %"),
    ]


def _methods(document: Document) -> list[str]:
    used = [pair[key]["method"] for pair in document["pairs"] for key in ("score", "won", "seat")]
    used += [row[key]["method"] for group in document["groups"] for row in group["rows"] for key in ("rating", "mean")]
    return list(dict.fromkeys(used))


def _figure(draw: Any, document: Document, *what: Any) -> Figure:
    return Figure(draw(document, *what), draw(document, *what, narrow=True))


def _who_beats_whom(document: Document, groups: Sequence[Row]) -> Section:
    cost, games = document["cost"], document["games_a_unit"]
    orders = "in both orders, since side A and side B are not alike" if document["both_orders"] else "with both seats"
    says = [
        f"Every pair met {orders}, {games} games on the same dice making one unit. All pairs played "
        f"{document['least_trials']:,} games; those not yet decided went on, and were looked at after numbers of games "
        "that were fixed beforehand, until the interval lay on one side of 50 % or inside the fair band. "
        f"The longest took {cost['longest']:,} games. To play them all as long would have taken "
        f"{cost['uniform']:,} games, {cost['times']:.1f} times as many.",
        "A score that stopped as soon as its side was clear lies, on average, a little too far from 50 %; its interval "
        "holds all the same.",
    ]
    on_draws = document["draws"]["on_draws"]
    if on_draws:
        says.append(
            f"A draw is half a win here. In {on_draws:,} of the decided pairs the better side wins less than half of "
            "all games, so that it may hang on what a draw is worth; the table of all pairs marks them."
        )
    says += [f"{note}." for note in document["notes"]]
    return Section("Who beats whom", says, [_figure(matrixplot.heat, document, groups)])


def _value(entry: Row, kind: Any) -> Value:
    return Value(*value_and_interval(entry, kind, units="units"))


def _signed(entry: Row) -> Value:
    return Value(*value_and_interval(entry, "points", difference=True, units="units"))


def _elo(entry: Row) -> Value:
    return Value(f"{entry['estimate']:+.0f}", f"{entry['low']:+.0f} to {entry['high']:+.0f}")


def _layer(row: Row) -> str:
    if row["layer_first"] == row["layer_last"]:
        return str(row["layer"])
    return f"{row['layer']} ({row['layer_first']} to {row['layer_last']})"


def _strength(document: Document, group: Row) -> Section:
    titles, level = titles_of(document), percent(document["level"])
    rows: Fields = [
        [
            titles[row["side"]],
            _elo(row["rating"]),
            _value(row["mean"], "share"),
            f"{row['beats']} / {row['even']} / {row['open']} / {row['loses']}",
            _layer(row),
        ]
        for row in group["rows"]
    ]
    columns = ["side", "rating", "mean score", "beats / even / open / loses", "layer"]
    note = (
        f"{level} for each column together. Ratings are those of Davidson and Beaver, with draws and the first seat; "
        "they and the means rest on the first "
        f"{document['least_trials']:,} games of every pair, the same for all, and on how 256 batches of these differ. "
        "Layers: what players would pick who know all scores, then what they would pick without those, and so on; in "
        "brackets where a layer is not firm when the batches are resampled (90 %)."
    )
    if group["prior"]:
        note += " Some never lost or never won: pseudo-games give their ratings an end, which is no more than that."
    return Section(
        f"How strong{_of(group)}",
        (),
        [_figure(matrixplot.ratings, document, group)],
        [Table(columns, rows, (1, 2), note=note)],
    )


def _of(group: Row) -> str:
    return "" if group["name"] == "all" else f": {group['name']}"


def _bargains(document: Document, group: Row) -> Section:
    unit = matrixplot.unit_of(document)
    says = [
        f"The mean score against all others, in points of a hundred, for each of the {unit} of a side. Small sides "
        "score little but cost little; what counts is who gets most for its price."
    ]
    return Section(f"Points for the {unit}", says, [_figure(matrixplot.bargains, document, group)])


def _groups(document: Document, groups: Sequence[Row], *, equal: bool) -> Section:
    titles = titles_of(document)
    marks = {"one-best": "higher", "none-best": "fair", "undecided": "undecided"}
    rows: Fields = []
    for group in groups:
        word = word_of(group)
        order = [f"{titles[row['side']]} {_within(row['mean'])}" for row in group["rows"]]
        picked = [
            f"{titles[row['side']]} {100 * row['share']:.0f} % ({100 * row['least']:.0f} to {100 * row['most']:.0f})"
            for row in sorted(group["rows"], key=lambda row: -row["share"])
            if row["share"] >= 0.05
        ]
        best = titles[group["best"]] if group["best"] is not None else BADGE[word][1]
        rows.append([group["name"], Value(best, mark=MARKS[marks[word]]), ", ".join(order), ", ".join(picked)])
    title = "Equal budgets" if equal else "The groups"
    note = "The second column: who beats all others of its group. Mean scores in %, against those of the group alone."
    columns = ["group", "beats all", "by rating, with mean score", "what players would pick"]
    return Section(title, (), (), [Table(columns, rows, note=note)])


def _within(mean: Row) -> str:
    """Write a mean score in % with the larger side of its interval."""
    half = max(mean["high"] - mean["estimate"], mean["estimate"] - mean["low"])
    return f"{100 * mean['estimate']:.1f} ±{100 * half:.1f}"


def _picks(document: Document, group: Row) -> Section:
    titles, band = titles_of(document), number(document["fair_within"], "points")
    effective = group["effective"]
    says = [
        "Players who know all scores mix what they pick so that nobody gains on them. Of all mixtures on which nobody "
        f"gains more than {band} this is the most even one, as diverse as {effective['estimate']:.1f} "
        f"({effective['low']:.1f} to {effective['high']:.1f}, 90 % of resampled batches) picked alike. Regret is what "
        "a side falls short of 50 % against it: what playing it costs."
    ]
    rows: Fields = [
        [
            titles[row["side"]],
            Value(f"{100 * row['share']:.1f} %", f"{100 * row['least']:.1f} to {100 * row['most']:.1f} %"),
            _signed(row["regret"]),
        ]
        for row in sorted(group["rows"], key=lambda row: (-row["share"], row["regret"]["estimate"]))
    ]
    table = Table(["side", "share", "regret"], rows, (1, 2), title="Shares and regrets", folded=True)
    return Section(f"What players would pick{_of(group)}", says, [_figure(matrixplot.picks, document, group)], [table])


def _circles(document: Document, groups: Sequence[Row]) -> Section:
    titles, pairs = titles_of(document), pairs_of(document)

    def score(one: str, other: str) -> str:
        pair = pairs.get((one, other))
        value = pair["score"]["estimate"] if pair else 1.0 - pairs[other, one]["score"]["estimate"]
        return f"{titles[one]} {100 * value:.0f}"

    says, rows = [], []
    for group in groups:
        name = "" if group["name"] == "all" else f"{group['name']}: "
        if len(group["rows"]) < 3:
            continue
        count = len(group["cycles"])
        open_ = f", and {group['cycles_undecided']:,} more may" if group["cycles_undecided"] else ""
        parts = [f"{count:,} three{'s beat' if count != 1 else ' beats'} each other in a circle{open_}"]
        if group["unexplained"] is not None:
            parts.append(f"{_part(group['unexplained'])} of how far scores lie from 50 % no rating explains")
        if group["cyclic"] is not None:
            parts.append(f"on the logit scale {_part(group['cyclic'])} goes round in circles")
        says.append(f"{name}{'; '.join(parts)}. That of noise is taken off.")
        for trio in group["cycles"][:MOST_CIRCLES]:
            rows.append([" > ".join(score(one, other) for one, other in zip(trio, (*trio[1:], trio[0]), strict=True))])
    note = (
        "Each scores so many % against the next, and the last against the first; the clearest first. That each beats "
        "the next is known for all pairs together; how well stands in the table of all pairs."
    )
    tables = [Table(["circle"], rows, title="The circles", note=note, folded=True)] if rows else []
    return Section("Rock, paper, scissors", says or ["Too few sides for a circle."], (), tables)


def _part(share: Row) -> str:
    level = percent(share["level"])
    low, high = 100 * share["low"], 100 * share["high"]
    return f"{100 * share['estimate']:.1f} % ({low:.1f} to {high:.1f} %, {level})"


def _seat(document: Document, whole: Row | None) -> Section:
    titles = titles_of(document)
    rows: Fields = [[edge["who"], _signed(edge["value"])] for edge in document["edges"]]
    first = document["edges"][0]
    large = max(abs(first["value"]["low"]), abs(first["value"]["high"]))
    says = [
        "How much more than 50 % of the points goes to whoever has what no side has earned, over all pairs alike, from "
        f"the first {document['least_trials']:,} games of each."
    ]
    if (
        min(abs(first["value"]["low"]), abs(first["value"]["high"])) > MATTERS
        and first["value"]["low"] * first["value"]["high"] > 0
    ):
        says.append("That is more than 2 pp: the rules need a remedy, such as an initiative that alternates.")
    elif large < MATTERS:
        says.append("That is surely less than 2 pp.")
    if document["uneven"]:
        says.append(
            "Against themselves these do not score 50 % from both seats, as side A and side B are not alike here: "
            + ", ".join(titles[id] for id in document["uneven"][:8])
            + (" and others." if len(document["uneven"]) > 8 else ".")
        )
    tables = [Table(["who", "advantage"], rows, (1,), note=f"{percent(document['level'])} together")]
    if whole is not None:
        by_side = sorted(whole["rows"], key=lambda row: -abs(row["seat"]["estimate"]))
        sides: Fields = [[titles[row["side"]], _signed(row["seat"])] for row in by_side]
        note = f"{percent(document['level'])} for all together; how much more a side scores with the first seat"
        tables.append(Table(["side", "first seat"], sides, (1,), title="By side", note=note, folded=True))
    return Section("The seat and the first move", says, (), tables)


def _pairs(document: Document) -> Section:
    titles = titles_of(document)
    rows: Fields = []
    for pair in sorted(document["pairs"], key=lambda pair: abs(pair["score"]["estimate"] - 0.5)):
        mark, word = PAIR[pair["word"]]
        shown = {"first": titles[pair["a"]], "second": titles[pair["b"]]}.get(pair["word"], word)
        rows.append(
            [
                f"{titles[pair['a']]} against {titles[pair['b']]}",
                _value(pair["score"], "share"),
                Value(shown + (" (by draws)" if pair["on_draws"] else ""), mark=MARKS[mark]),
                _value(pair["drawn"], "share"),
                _value(pair["capped"], "share"),
                f"{pair['games']:,}",
                f"{pair['further']:,}" if pair["further"] else "",
            ]
        )
    level = percent(document["level"])
    note = (
        f"Scores: {level} for all pairs together, at every look. Draws and turns used up: {level} each. The last "
        "column: about how many games more it would take."
    )
    columns = ["pair", "score of the first", "better", "drawn", "turns used up", "games", "more"]
    return Section(
        "All pairs", (), (), [Table(columns, rows, (1, 3, 4, 5, 6), title="The closest first", note=note, folded=True)]
    )
