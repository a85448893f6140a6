"""What a league comes to in words: who wins the title, and how sure that is."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.balance.document import estimate_of
from simkit.balance.wording import listed, number, spelt
from simkit.lab.leagues import Leagues
from simkit.stats import format_interval

Told = Mapping[str, Any]

RULES = {
    "favourite": "A favourite: the title odds of one entrant lie above those of every other, by intervals that hold "
    "for all of them together.",
    "level": "Level: two or more have exactly the same title odds, and nobody has better ones.",
    "undecided": "Not resolved: the intervals of the best title odds overlap.",
    "moves": "It moves: on the same seasons the title odds of some entrant surely change, by intervals that hold for "
    "all of them together.",
    "holds": "It holds: on the same seasons the title odds of nobody change by more than the fair band.",
    "unmoved": "Not resolved: these seasons cannot tell whether title odds change.",
}
"""The words of the verdict, and when each of them is said."""

MOST_NAMED = 3
SURELY = 0.9
"""Share of titles from which a season proves who is best (J-LEA-9)."""


def titles_of(told: Told) -> dict[str, str]:
    """Return the titles of all entrants by id."""
    return {one["id"]: one["title"] for one in told["entrants"]}


def setting(league: Leagues, matches: int) -> str:
    """Tell what was played."""
    asked, game = league.asked, league.plan.game
    rounds = round_words(asked.rounds)
    if league.pools:
        names = [one.title for one in league.entrants if one.id in league.pools]
        rounds += f"; the {'army' if len(names) == 1 else 'armies'} of {listed(names)} drawn anew for every season"
    if asked.odds:
        rounds += "; the odds of the matches are those that the file gives"
    story = game.story(league.plan.cells[0].scenario)
    return f"{len(league.entrants)} entrants, {rounds}, {matches} matches a season. One of them: {story}"


def round_words(rounds: Any) -> str:
    """Say how often everybody meets everybody.

    Examples
    --------
    >>> round_words("double"), round_words(3)
    ('each at home to each once', 'each at home to each 3 times')
    """
    if rounds == "single":
        return "each against each once"
    return "each at home to each once" if rounds in ("double", 1) else f"each at home to each {rounds} times"


def otherwise(league: Leagues, points: Sequence[int], tie_break: Sequence[str], rules: Sequence[str]) -> str:
    """Say what is otherwise, as the beginning of a sentence."""
    asked, parts = league.asked, []
    if list(points) != list(asked.points):
        parts.append(f"{dashed(points)} instead of {dashed(asked.points)}")
    if list(tie_break) != list(asked.tie_break):
        parts.append(f"ties by {', '.join(tie_break)} instead of {', '.join(asked.tie_break)}")
    instead = asked.instead
    if instead is not None:
        parts += [f"{path} = {value}" for path, value in instead.set.items()]
    if rules:
        parts.append(f"the house rule{'s' * (len(rules) > 1)} {listed(list(rules))}")
    return f"With {listed(parts)}" if parts else "With nothing changed"


def dashed(points: Sequence[int]) -> str:
    """Write points as players do: 3-1-0."""
    return "-".join(map(str, points))


def percent(value: Told) -> str:
    """Write a share with its interval."""
    return spelt(estimate_of(value), "share", difference=False)


def odds_of(row: Told) -> str:
    """Write title odds: with their interval, or as a fraction as well."""
    return percent(row["title"]) + (f" ({row['fraction']})" if row["fraction"] else "")


def points(value: Told) -> str:
    """Write a difference of shares with its interval."""
    return spelt(estimate_of(value), "points", difference=True)


def count(value: Told) -> str:
    """Write a number with its interval."""
    return spelt(estimate_of(value), "count", difference=False)


def verdict(told: Told, level: float, within: float) -> dict[str, Any]:
    """Return answer, word, rule, and what is not resolved.

    Parameters
    ----------
    told
        What was found, all but the verdict.
    level
        Confidence level of all title odds together.
    within
        Moves of title odds that are smaller than this are said to hold.
    """
    word = word_of(told)
    sentences = [_champion(told, word, level), *_proof(told)]
    if told["instead"] is not None:
        moved, said = _moved(told, within)
        sentences, word = [said, *sentences], moved
    return {
        "answer": " ".join(sentences),
        "word": word,
        "rule": RULES[word],
        "not_resolved": _unresolved(told, within),
    }


def word_of(told: Told) -> str:
    """Return the word for who wins the title."""
    first, *others = (row["title"] for row in told["rows"])
    if all(first["low"] > other["high"] for other in others):
        return "favourite"
    return "level" if first["method"] == "exact" else "undecided"


def how(told: Told, level: float) -> str:
    """Say how seasons were come by, and how sure their numbers are."""
    title = told["rows"][0]["title"]
    if told["how"] == "exact":
        return f"exact, {told['tables']:,} tables"
    kind = {"clopper-pearson": "Clopper-Pearson", "sidak": "Sidak"}.get(title["method"], title["method"])
    sure = f"{100 * level:g} % for all {len(told['rows'])} together, {kind}"
    if told["rerolled"]:
        return f"{sure}, n = {told['seasons']:,} seasons played with armies drawn anew"
    if told["how"] == "matrix":
        return f"{sure}, {told['seasons']:,} seasons drawn from {told['pair_games']:,} games of each pair at each home"
    return f"{sure}, n = {told['seasons']:,} seasons played"


def _champion(told: Told, word: str, level: float) -> str:
    """Say who wins the title, with interval, n and method."""
    titles, rows = titles_of(told), told["rows"]
    first, second = rows[0], rows[1]
    share = odds_of(first)
    title = "the title of the first division" if told["divisions"] else "the title"
    if word == "favourite":
        others = [f"to {titles[row['entrant']]} in {odds_of(row)}" for row in rows[1:MOST_NAMED]]
        joint = " and" if len(others) == 1 else ","
        said = f"{title} goes to {titles[first['entrant']]} in {share} of seasons{joint} {listed(others)}"
    elif word == "level":
        same = [row for row in rows if row["title"]["estimate"] == first["title"]["estimate"]]
        said = f"{title} goes to {listed([titles[row['entrant']] for row in same])} alike, in {share} of seasons each"
    else:
        close = [row for row in rows[1:] if row["title"]["high"] >= first["title"]["low"]]
        named = listed([titles[row["entrant"]] for row in close[:MOST_NAMED]])
        more = f" and {len(close) - MOST_NAMED} more" if len(close) > MOST_NAMED else ""
        said = f"{title} goes most often to {titles[first['entrant']]}, in {share} of seasons, but whether more often "
        said += f"than to {named}{more} is not resolved (to {titles[second['entrant']]} in {percent(second['title'])})"
    return f"{said[0].upper()}{said[1:]} ({how(told, level)})."


def _proof(told: Told) -> list[str]:
    """Say what a season proves, and what home and luck are worth."""
    titles = titles_of(told)
    best, sentences = titles[told["best"]], []
    sentences.append(
        f"Most points on average go to {best}, but only {percent(told['proves'])} of titles."
        if told["best"] != told["rows"][0]["entrant"]
        else f"Most points on average go there too, {count(told['rows'][0]['points'])} a season."
    )
    rest = []
    if told["upsets"] is not None:
        rest.append(f"{percent(told['upsets'])} of decided matches are upsets")
    if told["home"] is not None:
        rest.append(f"the home side scores {percent(told['home'])}")
    if rest:
        text = "; ".join(rest)
        sentences.append(f"{text[0].upper()}{text[1:]}.")
    return sentences


def moves_of(told: Told, within: float) -> str:
    """Return the word for what the other way does to title odds."""
    moves = [row["moves"] for row in told["instead"]["rows"]]
    if all(-within <= move["low"] and move["high"] <= within for move in moves):
        return "holds"
    return "moves" if any(move["low"] > 0 or move["high"] < 0 for move in moves) else "unmoved"


def _moved(told: Told, within: float) -> tuple[str, str]:
    """Say what the other way does to the champion."""
    titles, instead = titles_of(told), told["instead"]
    word = moves_of(told, within)
    most = max(instead["rows"], key=lambda row: abs(row["moves"]["estimate"]))
    which = f"those of {titles[most['entrant']]} move most, by {points(most['moves'])}"
    if most["moves"]["estimate"] == 0.0:
        which = f"none was seen to move ({points(most['moves'])})"
    said = {
        "moves": f"title odds move: {which}",
        "holds": f"nobody's title odds move by {number(within, 'points')}: {which}",
        "unmoved": f"whether title odds move is not resolved: {which}",
    }[word]
    first = f"{instead['words']} "
    if instead["changed"] is not None:
        changed = instead["changed"]
        often = f"the same season has another champion in {percent(changed)} of {told['seasons']:,}"
        if changed["estimate"] == 0.0:
            interval = format_interval(estimate_of(changed), "share")
            often = f"none of {told['seasons']:,} seasons has another champion ({interval})"
        first += f"{often}; "
    top = max(instead["rows"], key=lambda row: row["title"]["estimate"])
    same = top["entrant"] == told["rows"][0]["entrant"]
    last = f"most titles go to {titles[top['entrant']]} {'both times' if same else 'then'}"
    return word, f"{first}{said}; {last}."


def _unresolved(told: Told, within: float) -> list[str]:
    """List what these seasons cannot tell."""
    titles, found = titles_of(told), []
    rows = told["rows"]
    if word_of(told) == "undecided":
        first = rows[0]
        for row in rows[1:]:
            if row["title"]["high"] >= first["title"]["low"]:
                found.append(
                    f"whether {titles[first['entrant']]} ({percent(first['title'])}) wins more titles than "
                    f"{titles[row['entrant']]} ({percent(row['title'])})"
                )
    if told["instead"] is not None:
        for row in told["instead"]["rows"]:
            move = row["moves"]
            if move["low"] <= 0 <= move["high"] and not (-within <= move["low"] and move["high"] <= within):
                found.append(f"whether the title odds of {titles[row['entrant']]} move ({points(move)})")
    return found
