"""The page of a league, from its document alone."""

from collections.abc import Mapping
from typing import Any

from simkit.balance.league.said import SURELY, dashed, round_words, titles_of
from simkit.report import ladderplot, leagueplot
from simkit.report.sheet import Figure, Section, Sheet, Table, Value
from simkit.report.style import BADGES, MARKS, Mark
from simkit.report.words import Document, number, percent, value_and_interval

Row = Mapping[str, Any]
Fields = list[list[Value | str]]

BADGE: Mapping[str, tuple[Mark, str, str]] = {
    "favourite": (MARKS["higher"], "a favourite", "one has better title odds than every other"),
    "level": (MARKS["fair"], "level", "nobody has better title odds than these"),
    "undecided": (BADGES["undecided"], "not resolved", "these seasons cannot tell whose title odds are best"),
    "moves": (BADGES["raises"], "it moves", "title odds change on the same seasons"),
    "holds": (MARKS["fair"], "it holds", "title odds stay within the fair band on the same seasons"),
    "unmoved": (BADGES["undecided"], "not resolved", "these seasons cannot tell whether title odds change"),
}
HOW = {"played": "every match played", "matrix": "drawn from the games of each pair", "exact": "solved in fractions"}
CRITERIA = {
    "points": "points",
    "direct": "points among the tied",
    "difference": "difference over the season",
    "roll": "a roll",
}


def sheet(document: Document) -> Sheet:
    """Say what the page shows.

    Parameters
    ----------
    document
        What ``report.json`` holds, in which every text is harmless to look at.
    """
    mark, word, meaning = BADGE[document["verdict"]["word"]]
    sections = [_instead(document)] if document["instead"] is not None else []
    sections += [_places(document), _points(document), _luck(document), _ties(document)]
    if document["divisions"]:
        sections.insert(1, _divisions(document))
    if document["longer"]:
        sections.append(_longer(document))
    if document["meetings"]:
        sections.append(_meetings(document))
    return Sheet(mark, word, meaning, _facts(document), sections, _methods(document))


def _facts(document: Document) -> list[tuple[str, str]]:
    facts = [("entrants", f"{len(document['entrants']):,}"), ("a season", _season(document))]
    if document["how"] == "exact":
        facts.append(("seasons", f"solved: {document['tables']:,} tables"))
    else:
        facts.append(("seasons", f"{document['seasons']:,}, {HOW[document['how']]}"))
        facts.append(("games", f"{document['trials']:,}"))
    facts.append(("points", f"{dashed(document['points'])}; ties by {', '.join(document['tie_break'])}"))
    return facts


def _season(document: Document) -> str:
    return f"{document['matches']:,} matches, {round_words(document['rounds'])}"


def _methods(document: Document) -> list[str]:
    used = [row[key]["method"] for row in document["rows"] for key in ("title", "points", "spread")]
    used += [value["method"] for row in document["rows"] for value in row["places"]]
    if document["instead"] is not None:
        used += [row["moves"]["method"] for row in document["instead"]["rows"]]
    return list(dict.fromkeys(used))


def _figure(draw: Any, document: Document) -> Figure:
    return Figure(draw(document), draw(document, narrow=True))


def _value(entry: Row | None, kind: Any, *, units: str = "seasons") -> Value | str:
    return "" if entry is None else Value(*value_and_interval(entry, kind, units=units))


def _signed(entry: Row | None, kind: Any = "points") -> Value | str:
    return "" if entry is None else Value(*value_and_interval(entry, kind, difference=True, units="seasons"))


def _places(document: Document) -> Section:
    titles, level = titles_of(document), percent(document["level"])
    says = []
    if document["how"] == "matrix":
        says.append(
            f"Seasons were drawn from {document['pair_games']:,} games of each pair at each home: each of 256 batches "
            "of games has its own seasons, so that the intervals hold the error of the games as well as that of the "
            "draws."
        )
    elif document["how"] == "played":
        says.append(
            "Every match of every season was played, on dice that belong to the season and the match: other rules of "
            "points, ties or fighting meet the same luck."
        )
    if document["rerolled"]:
        says.append(
            "Armies are drawn at random for every season: a design of the race that still fits into the budget, again "
            "and again, until none does. So this is about the race, not about one army of it."
        )
    titled = document["rows"][0]["title"]["method"]
    count = len(document["rows"][0]["places"])
    shown = min(count, 10)
    rows: Fields = [
        [titles[row["entrant"]], *(_value(value, "share") for value in row["places"][:shown])]
        for row in document["rows"]
    ]
    more = f" The first {shown} of {count} places." if shown < count else ""
    note = f"Each by itself, {level}.{more}" if titled != "exact" else f"Exact.{more}"
    columns = ["entrant", *(f"{k + 1}." for k in range(shown))]
    table = Table(columns, rows, tuple(range(1, shown + 1)), title="Shares of seasons", note=note, folded=True)
    return Section("Who wins the title", says, [_figure(leagueplot.places, document)], [table])


def _points(document: Document) -> Section:
    titles, level, exact = titles_of(document), percent(document["level"]), document["how"] == "exact"
    rows: Fields = [
        [
            titles[row["entrant"]],
            _value(row["points"], "count"),
            _value(row["spread"], "count"),
            *([] if exact else [_signed(row["difference"], "count")]),
            _value(row["won"], "count"),
            _value(row["drawn"], "count"),
            _value(row["lost"], "count"),
        ]
        for row in sorted(document["rows"], key=lambda row: -row["points"]["estimate"])
    ]
    note = f"A season. {level} for each column together, the standard deviation for each by itself."
    if document["counted"]:
        note += f" Differences are of {document['counted']}."
    note = "A season, exactly." if exact else note
    columns = ["entrant", "points", "sd", *([] if exact else ["difference"]), "won", "drawn", "lost"]
    says = [
        f"Most points on average go to {titles[document['best']]}, and {_text(document['proves'], 'share')} of the "
        "titles: so often a season proves who is best."
    ]
    return Section(
        "Points",
        says,
        [_figure(leagueplot.points, document)],
        [Table(columns, rows, range(1, len(columns)), note=note)],
    )


def _text(entry: Row, kind: Any) -> str:
    value, interval = value_and_interval(entry, kind, units="seasons")
    return f"{value} ({interval})" if interval and entry["method"] != "exact" else value


def _luck(document: Document) -> Section:
    level = percent(document["level"])
    rows: Fields = []
    for name, says in (
        ("upsets", "upsets: decided matches that go to the side of the pair which scores less over both homes"),
        ("home", "score of the home side, a draw one half"),
        ("drawn", "matches that nobody wins"),
        ("capped", "of all matches, drawn because the turns were used up"),
    ):
        if document[name] is not None:
            rows.append([says, _value(document[name], "share")])
    home = document["home"]
    says_ = []
    if home is not None and home["method"] != "exact":
        if home["low"] > 0.5 or home["high"] < 0.5:
            side = "worth" if home["low"] > 0.5 else "a burden of"
            away = abs(home["estimate"] - 0.5)
            says_.append(f"The home seat is {side} {number(round(away, 4), 'points')} of the score.")
        else:
            says_.append("Whether the home seat is worth anything is not resolved.")
    note = (
        f"{level}, each by itself, from how 256 batches of seasons differ" if document["how"] != "exact" else "Exact."
    )
    return Section("Home and luck", says_, (), [Table(["what", "share"], rows, (1,), note=note)])


def _ties(document: Document) -> Section:
    rows: Fields = [
        [
            CRITERIA[one["by"]],
            _value(one["title"], "share"),
            "" if one["by"] == "points" else _value(one["any"], "share"),
        ]
        for one in document["settled"]
    ]
    note = (
        "The first column: seasons in which this parts the champion from the next; they add up to 100 %. The second: "
        "seasons in which it has the last word on somebody. Parts of the table that a tie-break splits begin again "
        "with the first one, among themselves."
    )
    columns = ["parted by", "the champion", "anybody"]
    return Section("Ties", (), (), [Table(columns, rows, (1, 2), note=note)])


def _longer(document: Document) -> Section:
    best = titles_of(document)[document["best"]]
    rows: Fields = [
        [f"{one['rounds']}", f"{one['matches']:,}", _value(one["proves"], "share")] for one in document["longer"]
    ]
    enough = [one["rounds"] for one in document["longer"] if one["proves"]["low"] >= SURELY]
    some = f"{enough[0]} double round{'s' * (enough[0] > 1)}" if enough else "more rounds than these"
    says = [f"Surely {number(SURELY, 'share')} of the titles go to {best} after {some}."]
    note = f"Seasons drawn from the same games; {percent(document['level'])}, each by itself."
    table = Table(["double rounds", "matches", f"titles of {best}"], rows, (0, 1, 2), note=note)
    return Section("How many rounds until the best wins", says, (), [table])


def _divisions(document: Document) -> Section:
    titles, level, promoted = titles_of(document), percent(document["level"]), document["settings"]["promoted"]
    some = f" {promoted}" if promoted > 1 else ""
    says = [
        f"256 histories begin alike; the first {document['burn_in']:,} seasons of each do not count. After every "
        f"season the last{some} of a division and the first{some} of the next change places."
    ]
    moving = {row["entrant"]: row for row in document["moving"]}
    rows: Fields = []
    for k, row in enumerate(document["rows"]):
        spent = [_value(division["shares"][k], "share") for division in document["divisions"]]
        own = moving[row["entrant"]]
        rows.append([titles[row["entrant"]], *spent, _value(own["up"], "share"), _value(own["down"], "share")])
    names = [division["name"] for division in document["divisions"]]
    starts = "; ".join(
        f"{division['name']} began with {', '.join(titles[id] for id in division['start'])}"
        for division in document["divisions"]
    )
    note = f"Shares of seasons, {level} for each column together. {starts[0].upper()}{starts[1:]}."
    columns = ["entrant", *(f"in {name}" for name in names), "rises", "falls"]
    return Section(
        "Divisions",
        says,
        [_figure(ladderplot.divisions, document)],
        [Table(columns, rows, range(1, len(columns)), note=note)],
    )


def _instead(document: Document) -> Section:
    titles, instead, level = titles_of(document), document["instead"], percent(document["level"])
    title = {row["entrant"]: row["title"] for row in document["rows"]}
    rows: Fields = [
        [
            titles[row["entrant"]],
            _value(title[row["entrant"]], "share"),
            _value(row["title"], "share"),
            _signed(row["moves"]),
        ]
        for row in instead["rows"]
    ]
    says = []
    if instead["changed"] is not None:
        says.append(
            f"{instead['words']}, on the same seasons, the champion is another in {_text(instead['changed'], 'share')} "
            "of them. Title odds may stay all the same, when what one loses in some seasons it gains in others."
        )
    note = f"{level} for each column together; moves on the same seasons."
    table = Table(["entrant", "title odds", "instead", "move"], rows, (1, 2, 3), note=note)
    return Section("In the other way", says, (), [table])


def _meetings(document: Document) -> Section:
    titles, level = titles_of(document), percent(document["level"])
    rows: Fields = [
        [
            f"{titles[one['home']]} at home to {titles[one['away']]}",
            *(_value(one[name], "share", units="matches") for name in ("won", "drawn", "lost")),
        ]
        for one in document["meetings"]
    ]
    note = f"From the side of the home team; each by itself, {level}."
    table = Table(["match", "won", "drawn", "lost"], rows, (1, 2, 3), title="By pair and home", note=note, folded=True)
    return Section("All matches", (), (), [table])
