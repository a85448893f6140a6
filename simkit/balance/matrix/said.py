"""What a matrix comes to in words: the answer, the word of the verdict, and what is not resolved."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.balance.document import estimate_of
from simkit.balance.wording import listed, number, spelt
from simkit.lab.lists import Lists

Told = Mapping[str, Any]

RULES = {
    "one-best": "One best: one side is known to beat every other, by intervals that hold for all pairs together.",
    "none-best": "None best: for every side there is another that is known to beat it, or to be even with it.",
    "undecided": "Undecided: some side may still turn out to beat every other, or not to.",
    "depends": "It depends: there is one best in some groups and none, or nothing decided, in others.",
}
"""The words of the verdict, and when each of them is said."""

MOST_NAMED = 4
MOST_UNRESOLVED = 12
SHOWN = 0.05
"""Share of an equilibrium from which a side is named."""

FIRST, SECOND, FAIR, OPEN = "first", "second", "fair", "undecided"


def setting(lists: Lists) -> str:
    """Tell what was played."""
    game = lists.plan.game
    everybody = lists.groups[0].name == "all" and len(lists.groups[0].members) == len(lists.entrants)
    who = (
        "everybody meets everybody" if everybody else f"everybody meets everybody in each of {len(lists.groups)} groups"
    )
    return f"{len(lists.entrants)} sides; {who}. One of the meetings: {game.story(lists.plan.cells[0].scenario)}"


def verdict(told: Told, level: float) -> dict[str, Any]:
    """Return answer, word, rule, and what is not resolved.

    Parameters
    ----------
    told
        What was found (see :func:`simkit.balance.matrix.found.found`), all but the verdict.
    level
        Confidence level of all pairs together.
    """
    groups = told["groups"]
    own = [group for group in groups if group["name"] == "all"] or groups
    found = {word_of(group) for group in own}
    word = found.pop() if len(found) == 1 else "depends"
    sentences = [_of_all(told, own[0]), *_of_bargains(told, own[0])] if len(own) == 1 else []
    sentences += _of_groups(told, [group for group in groups if group not in own or len(own) > 1])
    sentences.append(_resolved(told, level))
    return {
        "answer": " ".join(sentences),
        "word": word,
        "rule": RULES[word],
        "not_resolved": _unresolved(told),
    }


def word_of(group: Told) -> str:
    """Return the word for one group."""
    if group["best"] is not None:
        return "one-best"
    return "none-best" if len(group["beatable"]) == len(group["rows"]) else "undecided"


def titles_of(told: Told) -> dict[str, str]:
    """Return the titles of all sides by id."""
    return {side["id"]: side["title"] for side in told["sides"]}


def noun(told: Told) -> str:
    """Return what the sides are called."""
    return "designs" if all("design" in side["table"] for side in told["sides"]) else "sides"


def pairs_of(told: Told) -> dict[tuple[str, str], Told]:
    """Return all pairs by the ids of the two, the first first."""
    return {(pair["a"], pair["b"]): pair for pair in told["pairs"]}


def score_of(told: Told, one: str, other: str) -> dict[str, Any]:
    """Return what one side scores against another, with its interval.

    Raises
    ------
    KeyError
        The two have not met.
    """
    pairs = pairs_of(told)
    if (one, other) in pairs:
        return dict(pairs[one, other]["score"])
    value = pairs[other, one]["score"]
    return {
        **value,
        "estimate": 1.0 - value["estimate"],
        "low": 1.0 - value["high"],
        "high": 1.0 - value["low"],
    }


def percent(value: Told) -> str:
    """Write a share with its interval."""
    return spelt(estimate_of(value), "share", difference=False)


def share(row: Told) -> str:
    """Write the share of a side in an equilibrium, with its range over all near ones."""
    return f"{100 * row['share']:.0f} %, from {100 * row['least']:.0f} to {100 * row['most']:.0f} %"


def elo(value: Told) -> str:
    """Write a rating with its interval."""
    return f"{value['estimate']:+.0f} Elo ({value['low']:+.0f} to {value['high']:+.0f})"


def _of_all(told: Told, group: Told) -> str:
    """Say who is best of a group, or why nobody is."""
    titles, rows = titles_of(told), group["rows"]
    top, others, word = rows[0], len(rows) - 1, word_of(group)
    if word == "one-best":
        best = group["best"]
        hardest = min((row["side"] for row in rows if row["side"] != best), key=lambda one: _low(told, best, one))
        beaten = f"all {others} others, least clearly {titles[hardest]}" if others > 1 else titles[hardest]
        said = f"Of {len(rows)} {noun(told)} {titles[best]} is best: it beats {beaten}, "
        said += f"against which it scores {percent(score_of(told, best, hardest))}"
        if best != top["side"]:
            said += f"; {titles[top['side']]} is rated highest, {elo(top['rating'])}, for what it does to the others"
    else:
        said = f"Of {len(rows)} {noun(told)} {titles[top['side']]} is rated highest, {elo(top['rating'])}"
        said += f", {_but(told, group, top)}"
    return f"{said}{_picked(told, group)}."


def _low(told: Told, one: str, other: str) -> float:
    return float(score_of(told, one, other)["low"])


def _but(told: Told, group: Told, top: Told) -> str:
    """Say why the side that is rated highest is not known to be best."""
    titles, id = titles_of(told), top["side"]
    words = {row["side"]: _word(told, id, row["side"]) for row in group["rows"] if row["side"] != id}
    worse = sorted((other for other, word in words.items() if word == SECOND), key=lambda other: _low(told, id, other))
    even = [other for other, word in words.items() if word == FAIR]
    if worse:
        first = f"but {titles[worse[0]]} beats it: it scores {percent(score_of(told, id, worse[0]))}"
        return first + (f", and {len(worse) - 1} more do" if len(worse) > 1 else "")
    if even:
        band = number(told["fair_within"], "points")
        return f"but is even with {listed([titles[other] for other in even[:MOST_NAMED]])} within {band}"
    open_ = [titles[other] for other, word in words.items() if word == OPEN]
    return f"but whether it beats {listed(open_[:MOST_NAMED])} is not resolved"


def _word(told: Told, one: str, other: str) -> str:
    """Return what is known of two sides, from the side of the first."""
    pairs = pairs_of(told)
    if (one, other) in pairs:
        return str(pairs[one, other]["word"])
    word = str(pairs[other, one]["word"])
    return {FIRST: SECOND, SECOND: FIRST}.get(word, word)


def _picked(told: Told, group: Told) -> str:
    """Say what players would pick."""
    titles = titles_of(told)
    rows = sorted((row for row in group["rows"] if row["share"] >= SHOWN), key=lambda row: -row["share"])
    if len(rows) == 1:
        return f"; whoever knows this picks {titles[rows[0]['side']]} ({share(rows[0])})"
    if group["best"] is not None:  # nobody needs to mix; a near-equilibrium may, since so little is within the band
        others = [titles[row["side"]] for row in rows if row["side"] != group["best"]]
        rest = len(others) - MOST_NAMED
        few = listed([*others[:MOST_NAMED], *([f"{rest} more"] if rest > 0 else [])])
        return f"; whoever mixes in {few} may give away less than {number(told['fair_within'], 'points')}"
    named = [f"{titles[row['side']]} ({share(row)})" for row in rows[:MOST_NAMED]]
    more = f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
    together = ", ".join(named) + more if more else listed(named)
    return f"; whoever knows this mixes {together}"


def _of_groups(told: Told, groups: Sequence[Told]) -> list[str]:
    """Say who is best in each of several groups: of equal budgets by what they cost, of others by name."""
    if not groups:
        return []
    titles, units = titles_of(told), {_class_unit(group) for group in groups}
    unit = units.pop() if len(units) == 1 else ""
    best: list[str] = []
    none: list[str] = []
    open_: list[str] = []
    for group in groups:
        name, top = str(group["budget"]["amount"]) if unit else group["name"], titles[group["rows"][0]["side"]]
        word = word_of(group)
        if word == "one-best":
            best.append(f"{titles[group['best']]} ({name})")
        else:
            (none if word == "none-best" else open_).append(f"{name} ({top} is rated highest)")
    parts = [", ".join(best)] if best else []
    parts += [f"nobody of {listed(none)}"] if none else []
    parts += [f"not resolved for {listed(open_)}"] if open_ else []
    return [f"Who beats all others of {f'as many {unit}' if unit else 'a group'}: {'; '.join(parts)}."]


def _class_unit(group: Told) -> str:
    """Return what the budget of a class is counted in; of a group that somebody named nothing, budget or no."""
    budget = group["budget"]
    return budget["unit"] if budget and group["name"] == f"{budget['amount']} {budget['unit']}" else ""


def _of_bargains(told: Told, group: Told) -> list[str]:
    """Say who gets most for what it costs, where sides cost more and less."""
    rows = [row for row in group["rows"] if row["per_budget"] is not None]
    if group["budget"] is not None or len(rows) < len(group["rows"]):
        return []
    unit = next(side["budget"]["unit"] for side in told["sides"] if side["budget"] is not None)
    row = max(rows, key=lambda row: float(row["per_budget"]["estimate"]))
    points = spelt(estimate_of(row["per_budget"]), "count", difference=False)
    return [f"Most for its {unit} gets {titles_of(told)[row['side']]}: {points} points for each, a hundred for a win."]


def _resolved(told: Told, level: float) -> str:
    """Say how much is resolved, and how it was played."""
    counts, cost = told["counts"], told["cost"]
    total = sum(counts.values())
    decided = counts[FIRST] + counts[SECOND]
    parts = [f"{decided:,} {'has' if decided == 1 else 'have'} a better side"]
    if counts[FAIR]:
        band = number(told["fair_within"], "points")
        parts.append(f"{counts[FAIR]:,} {'is' if counts[FAIR] == 1 else 'are'} even within {band}")
    if counts[OPEN]:
        parts.append(f"{counts[OPEN]:,} {'is' if counts[OPEN] == 1 else 'are'} not resolved")
    capped = told["draws"]["capped"]
    if capped:
        parts[-1] += f"; in {capped:,} of them most games ended because the turns were used up"
    how = f"{100 * level:g} % for all {total:,} together, confidence sequences, {cost['games']:,} games from both seats"
    return f"Of {total:,} pair{'s' * (total != 1)} {listed(parts)} ({how})."


def _unresolved(told: Told) -> list[str]:
    """List the pairs that are not resolved, with the games that they would take."""
    titles = titles_of(told)
    rows = sorted((pair for pair in told["pairs"] if pair["word"] == OPEN), key=lambda pair: pair["further"])
    found = [
        f"{titles[pair['a']]} against {titles[pair['b']]}: {percent(pair['score'])}, "
        f"about {pair['further']:,} games more"
        for pair in rows[:MOST_UNRESOLVED]
    ]
    rest = rows[MOST_UNRESOLVED:]
    if rest:
        found.append(f"{len(rest):,} more pairs, together about {sum(pair['further'] for pair in rest):,} games more")
    return found
