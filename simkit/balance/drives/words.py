"""What drives an answer, in words: the first line of the report, its word, and what is not resolved."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.balance.family import all_of, spoken_methods
from simkit.balance.wording import at, listed, metric_name, number, spelt, unit_of, variant
from simkit.lab.plan import Cell, Plan
from simkit.stats import Estimate
from simkit.stats.estimate import Unit

WORDS = {
    "holds": "the verdict holds",
    "flips": "the verdict would flip",
    "decides": "the verdict would be decided",
    "undecided": "not resolved",
    "measured": "there is no verdict",
}
"""By the word of the whole, which ``--fail-if`` takes."""

RULE = (
    "a verdict flips where its interval under another reading, or in a combination, lies wholly on another side of the "
    "same line; it holds where all of them lie on the same side"
)

MOST_NAMED = 3
"""Readings that the answer names."""

MOST_SETS = 1
"""Combinations that the answer names; the report has all."""

Row = Mapping[str, Any]


def verdict(plan: Plan, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict of a study of what drives an answer.

    Parameters
    ----------
    plan
        What was asked.
    document
        Its findings, as :func:`simkit.balance.drives.sensitivity.driven` makes them.
    """
    swings, combined = document["swings"], document["factorial"]
    held = swings["held"]
    unit, difference = unit_of(plan, difference=_compared(plan)), _compared(plan)
    parts = [_held(plan, document, held, unit, difference)]
    moving = _moves_most(plan, swings, combined, unit)
    parts += [moving] if moving else []
    word = _word(swings, combined)
    fate = _fate(swings, combined, word)
    parts += [fate] if fate else []
    share = _share(document["sobol"])
    parts += [share] if share else []
    answer = f"{'; '.join(parts)} ({_family(plan, swings, combined)})."
    return {"answer": answer, "word": word, "rule": RULE, "not_resolved": _unresolved(plan, document, unit)}


def _compared(plan: Plan) -> bool:
    return plan.experiment.compare is not None


def estimate_of(row: Row) -> Estimate:
    """Return the estimate of a row of a document."""
    return Estimate(*(row[name] for name in ("estimate", "low", "high", "level", "n", "method")))


def _held(plan: Plan, document: Mapping[str, Any], held: Row, unit: Unit, difference: bool) -> str:
    """Say what the answer is as the rules stand."""
    place = f" {document['cell']['title']}" if document["cell"]["title"] else ""
    what = f"the difference in {metric_name(plan)}" if difference else metric_name(plan)
    text = f"{what[:1].upper()}{what[1:]}{place} is {spelt(estimate_of(held), unit, difference=difference)}"
    said = side(plan, held["word"])
    return f"{text}, {said}" if said else text


def titled(plan: Plan, cells: Sequence[Cell]) -> str:
    """Name the cell that is examined, as it goes on behind the name of what is judged; empty where it is the only one.

    Parameters
    ----------
    plan
        What was asked.
    cells
        The cell, and behind it its baseline where it has one.
    """
    number = cells[0].number
    if len(cells) > 1:
        theirs = variant(plan, cells[1].number)
        return f"with {variant(plan, number)} instead of {theirs}{at(plan, number, list(plan.baseline))}"
    return at(plan, number).strip()


def side(plan: Plan, word: str) -> str:
    """Say on which side of the line a verdict lies; empty where there is no line."""
    report = plan.experiment.report
    if word == "measured":
        return ""
    if _compared(plan):
        band = number(report.fair_within or 0.0, unit_of(plan, difference=True))
        more = f" by more than {band}" if report.fair_within else ""
        words = {"higher": f"higher{more}", "lower": f"lower{more}", "fair": f"within {band}"}
        return words.get(word, "not resolved")
    goal = number(report.target or 0.0, unit_of(plan, difference=False))
    words = {"higher": f"above {goal}", "lower": f"below {goal}", "fair": f"fair (about {goal})"}
    return words.get(word, f"not resolved against {goal}")


def reading(row: Row) -> str:
    """Name another reading of a rule."""
    if row["named"]:
        return f"'{row['label']}' instead of '{row['now_label']}'"
    return f"'{row['title']}' {row['label']} instead of {row['now_label']}"


def turned(one: Row, *, back: bool = False) -> str:
    """Name a factor as it is turned on, or off."""
    if one["house_rule"]:
        return f"{'without ' if back else ''}the house rule '{one['title']}'"
    to, was = (one["off"], one["on"]) if back else (one["on"], one["off"])
    bare = all(len(text) < 12 or not any(char.isalpha() for char in text) for text in (to, was))
    return f"'{one['title']}' {to} instead of {was}" if bare else f"'{to}' instead of '{was}'"


def _moves_most(plan: Plan, swings: Row, combined: Row, unit: Unit) -> str:
    """Say what moves the answer most, and the strongest interaction."""
    moves: Unit = "count" if unit == "count" else "points"
    shown = [row for row in swings["rows"] if row["low"] > 0 or row["high"] < 0]
    factors = {one["name"]: one for one in combined["factors"]}
    effects = [row for row in combined["effects"] if row["low"] > 0 or row["high"] < 0]
    mains = [row for row in effects if len(row["factors"]) == 1]
    text = ""
    if mains and not combined["chosen"]:
        row = max(mains, key=lambda one: abs(one["estimate"]))
        move = spelt(estimate_of(row), moves, difference=True)
        text = f"of what was combined, {turned(factors[row['factors'][0]])} moves it most, by {move} on average"
    elif shown:
        row = max(shown, key=lambda one: abs(one["estimate"]))
        text = f"it moves most with {reading(row)}, by {spelt(estimate_of(row), moves, difference=True)}"
    elif swings["rows"]:
        text = f"none of {len(swings['rows']):,} other readings is shown to move it"
    pairs = [row for row in effects if len(row["factors"]) > 1]
    if pairs:
        row = max(pairs, key=lambda one: abs(one["estimate"]))
        names = listed([f"'{factors[name]['title']}'" for name in row["factors"]])
        text += f", and {names} together by {spelt(estimate_of(row), moves, difference=True)} beyond their sum"
    return text


def _word(swings: Row, combined: Row) -> str:
    """Return the word of the whole."""
    held = swings["held"]["word"]
    if held == "measured":
        return "measured"
    rows = {row["word"] for row in swings["rows"]}
    corners = combined["combinations"]
    if held == "undecided":
        return "decides" if "decides" in rows else "undecided"
    if "flips" in rows or combined["flips"]:
        return "flips"
    unsure = "undecided" in rows or any(row["word"] == "undecided" for row in corners)
    return "undecided" if unsure or not (rows or corners) else "holds"


def _fate(swings: Row, combined: Row, word: str) -> str:
    """Say which rulings would flip the verdict."""
    if word == "measured":
        return ""
    rows = swings["rows"]
    if word == "decides":
        return f"it would be decided with {_named([row for row in rows if row['word'] == 'decides'])}"
    alone = [row for row in rows if row["word"] == "flips"]
    known = {row["path"] for row in alone}  # whatever goes with one of these adds nothing
    sets = [some for some in combined["flips"] if not known & set(some)]
    parts = [_named(alone)] if alone else []
    parts += [_together(combined, some) for some in sets[:MOST_SETS]]
    if parts:
        more = f"; or with {len(sets) - MOST_SETS:,} further combinations" if len(sets) > MOST_SETS else ""
        return f"the verdict would flip with {'; or with '.join(parts)}{more}"
    readings, corners = len(rows), len(combined["combinations"])
    tried = [f"{readings:,} other readings"] if readings else []
    tried += [f"{corners:,} combinations"] if corners else []
    if not tried:
        return ""
    unsure = sum(row["word"] == "undecided" for row in (*rows, *combined["combinations"]))
    rest = f", but with {unsure:,} it would not be resolved" if unsure and swings["held"]["word"] != "undecided" else ""
    verb = "decides" if swings["held"]["word"] == "undecided" else "flips"
    return f"none of {' and '.join(tried)} {verb} the verdict{rest}"


def _turned(combined: Row, some: Sequence[str]) -> list[str]:
    factors = {one["name"]: (one, bool(combined["start"] >> k & 1)) for k, one in enumerate(combined["factors"])}
    return [turned(one, back=back) for one, back in (factors[name] for name in some)]


def sets_spelt(combined: Row) -> list[str]:
    """Name every set of factors that flips the verdict, from a part ``factorial`` of a document."""
    return [_together(combined, some) for some in combined["flips"]]


def _together(combined: Row, some: Sequence[str]) -> str:
    """Name factors that are turned together."""
    turns = _turned(combined, some)
    return turns[0] if len(turns) == 1 else f"{listed(turns)} together"


def _named(rows: Sequence[Row]) -> str:
    if len(rows) > MOST_NAMED:
        return f"{listed([reading(row) for row in rows[:MOST_NAMED]])} and {len(rows) - MOST_NAMED:,} others"
    return " or ".join(reading(row) for row in rows)


def _share(spread: Row | None) -> str:
    """Say which number accounts for most of the variance."""
    if spread is None:
        return ""
    if not spread["resolved"] or spread["first"][0]["estimate"] is None:
        return "over the ranges nothing was shown to vary"
    k = max(range(len(spread["total"])), key=lambda i: float(spread["total"][i]["estimate"]))
    first, total = ({**spread[name][k]} for name in ("first", "total"))
    return (
        f"over the ranges '{spread['ranges'][k]['title']}' accounts for {percent(first)} of the variance alone, "
        f"and for {percent(total)} with what it takes part in"
    )


def percent(row: Row) -> str:
    """Write a share of the variance with its interval; one that strays outside 0 to 100 % by its error is not cut."""
    low, high = (round(100 * row[name]) for name in ("low", "high"))
    return f"{100 * row['estimate']:.0f} % ({low} to {high} %)"


def _family(plan: Plan, swings: Row, combined: Row) -> str:
    parts = [swings["family"]] if swings["family"] else []
    if combined["effects"]:
        count = len(combined["effects"])
        scope = f"for {all_of(count)} effects" if count > 1 else "for the effect"
        noun = {1: "", 2: " pairs"}[plan.game.GAMES_A_UNIT]
        parts.append(f"{100 * plan.level:g} % {scope}, {combined['family']}, n = {combined['n']:,}{noun}")
    if not parts:
        held = swings["held"]
        method = spoken_methods([estimate_of(held)])
        parts.append(f"{100 * plan.level:g} % confidence, {method}, n = {held['n']:,}")
    return "; ".join(dict.fromkeys(parts))


def _unresolved(plan: Plan, document: Mapping[str, Any], unit: Unit) -> list[str]:
    """Say what these trials cannot tell, a sentence each."""
    swings, combined, spread = document["swings"], document["factorial"], document["sobol"]
    moves: Unit = "count" if unit == "count" else "points"
    found = []
    still = [row for row in swings["rows"] if row["low"] <= 0 <= row["high"] and row["method"] != "exact"]
    if still:
        most = max(max(-row["low"], row["high"]) for row in still)
        limit = number(float(f"{most:.2g}"), moves)
        names = f"{len(still):,} other reading{'s move' if len(still) > 1 else ' moves'}"
        found.append(f"Whether {names} the answer at all: by no more than {limit}.")
    unsure = [row for row in combined["combinations"] if row["word"] == "undecided"]
    if unsure:
        found.append(f"What the verdict is in {len(unsure):,} of {len(combined['combinations']):,} combinations.")
    effects = [row for row in combined["effects"] if row["low"] <= 0 <= row["high"]]
    if effects:
        found.append(f"Whether {len(effects):,} of {len(combined['effects']):,} effects and interactions are there.")
    if spread is not None and spread["first"][0]["estimate"] is not None:
        weak = [i for i, row in enumerate(spread["total"]) if row["low"] <= 0]
        names = listed([f"'{spread['ranges'][i]['title']}'" for i in weak])
        found += [f"Whether {names} account{'s' * (len(weak) == 1)} for anything over the ranges."] if weak else []
    return found
