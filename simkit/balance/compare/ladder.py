"""Which number would be right: the numbers of a house rule at other values, on the same dice.

A house rule that changes one number is tried at values between that of record and its own and beyond both, in steps in
proportion to the change; one that changes several of them with other strengths, of which 0 are the rules of record and
1 the house rule. Nearest is the value under which what is judged lies least far from its line; others may not be told
apart from it. Values between these, and confirmation on fresh dice, are a matter for ``simkit solve``.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.balance.bands import held_together
from simkit.balance.compare.crossfit import distances
from simkit.balance.compare.measures import judged, says_what_is_fair
from simkit.lab.estimates import Value, reach_of
from simkit.lab.house import toml_text
from simkit.lab.ledger import Ledger
from simkit.lab.rulesets import Field, RuleChange, changes
from simkit.lab.variants import CannotBeError, Changed, Variant, Variants, distinct

BUDGET = 20e9
"""Nanoseconds of one processor for each ladder."""

MOST_RULES = 3
"""Most numbers of one house rule that are tried one by one."""

FEWEST = 64
"""Units of every cell at each value, however many cells there are: what is told is their average."""

QUARTERS = (-2, 1, 2, 3, 6, 8)
"""Values that are tried beside that of record (0) and that of the house rule (4), in quarters of the change."""

FARTHEST = 8.0
"""From this ratio of the two numbers on the change says nothing of the steps: one of them stands for no limit."""

AROUND = (-0.5, -0.25, 0.25, 0.5, 1.0, 3.0)
"""Values around the house rule's number that are tried then, as steps in shares of it."""

STRENGTHS = (-1, 0, 1, 2, 3)


class Rung(NamedTuple):
    """One value that is tried."""

    label: str
    changed: Mapping[str, Any]
    is_was: bool
    is_now: bool


def ladder(field: Field, ledger: Ledger, matters: float, most: int) -> list[dict[str, Any]]:
    """Play the numbers of the second rule set at other values.

    Parameters
    ----------
    field
        Cells and rule sets; the first holds what was, the second the house rule.
    ledger
        Keeps all outcomes.
    matters
        How much of a share matters.
    most
        Units of every cell at each value, at most.

    Returns
    -------
    list of dict
        One a number, or one for the strength of all of them; none where no number was changed.
    """
    found = []
    for path, title, rungs in _ladders(changes(field.plan.game, field.sets[1])):
        made = _made(field, rungs)
        if len(made) > 2:
            found.append({"path": path, "title": title, **_played(field, made, ledger, most), "matters": matters})
    return found


def settings_of(field: Field) -> int:
    """Return about how many settings of every cell a ladder plays: as many as would be tried if all were allowed."""
    return sum(len(rungs) for _, _, rungs in _ladders(changes(field.plan.game, field.sets[1])))


def _ladders(every: Sequence[RuleChange]) -> list[tuple[str, str, list[Rung]]]:
    """Return what is tried: the strength of several whole numbers, else every number by itself."""
    numbers = [one for one in every if _is_number(one.was) and _is_number(one.now)]
    whole = all(isinstance(one.was, int) and isinstance(one.now, int) for one in numbers)
    if len(numbers) > 1 and len(numbers) == len(every) and whole:
        rungs = []
        for strength in STRENGTHS:
            values = {one.path: one.was + strength * (one.now - one.was) for one in numbers}
            label = {0: "0: as of record", 1: "1: the house rule"}.get(strength, str(strength))
            rungs.append(Rung(label, values, strength == 0, strength == 1))
        return [("", "strength", rungs)]
    return [(one.path, one.title, beside(one)) for one in numbers[:MOST_RULES]]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def beside(one: RuleChange) -> list[Rung]:
    """Return the values that are tried of one number, in their order: that of record and of the house rule among them.

    Parameters
    ----------
    one
        The number as it was and as it is now. Whole numbers are tried beside whole numbers.
    """
    whole = isinstance(one.was, int) and isinstance(one.now, int)
    values = {one.was, one.now, *(_stepped(start, step, whole) for start, step in _steps(one.was, one.now))}
    return [Rung(toml_text(value), {one.path: value}, value == one.was, value == one.now) for value in sorted(values)]


def _steps(was: float, now: float) -> Iterator[tuple[float, float]]:
    """Yield where the values beside two numbers begin, and how far they lie from there."""
    least, most = sorted((abs(was), abs(now)))
    if was * now > 0 and most >= FARTHEST * least:
        yield from ((now, share * now) for share in AROUND)
    else:
        yield from ((was, quarter * (now - was) / 4) for quarter in QUARTERS)


def _stepped(start: float, step: float, whole: bool) -> float:
    """Return a value so far from another: a whole number where the rule takes such, halves away from the start."""
    if whole:
        return int(start) + int(math.copysign(math.floor(abs(step) + 0.5), step))
    return float(f"{start + step:.10g}")  # 0.3, not 0.30000000000000004


def _made(field: Field, rungs: Sequence[Rung]) -> list[tuple[Rung, list[Variant]]]:
    """Set all cells up at every value that the rules allow."""
    room = Variants(field.plan, instead=field.sets[1].loaded)
    found = []
    for rung in rungs:
        try:
            found.append((rung, [room.make(cell, Changed(rung.changed)) for cell in field.cells]))
        except CannotBeError:
            continue
    return found


def _played(field: Field, made: Sequence[tuple[Rung, list[Variant]]], ledger: Ledger, most: int) -> dict[str, Any]:
    plan = field.plan
    games = plan.game.GAMES_A_UNIT
    cost = games * sum(plan.game.nanoseconds(one.setup) for _, row in made for one in row)
    units = int(min(most, max(FEWEST, BUDGET / cost)))
    step = 10 ** max(0, len(str(units)) - 2)
    units = max(2, units // step * step)
    subjects, where = distinct(one for _, row in made for one in row)
    column = ledger.columns.index(plan.metric)
    sums = ledger.play(subjects, 0, units)[where][:, :, column].reshape(len(made), len(field.cells), -1)
    metric = next(one for one in plan.game.OUTCOMES if one.name == plan.metric)
    value, count = Value.of(metric, games, difference=False), len(field.cells)
    over = sums.sum(axis=1)
    reach = count * reach_of(metric, games, float(over.max()) / units / count)
    averages = held_together(
        over, units, plan.level, [value._replace(parts=value.parts * count)] * len(made), [reach] * len(made)
    )
    rows = [
        {
            "label": rung.label,
            "value": next(iter(rung.changed.values())) if len(rung.changed) == 1 else None,
            "is_was": rung.is_was,
            "is_now": rung.is_now,
            "average": one.to_json(),
            "distance": None,
            "near": False,
        }
        for (rung, _), one in zip(made, averages, strict=True)
    ]
    found = judged(field, sums, units) if says_what_is_fair(plan) else None
    if found is not None:
        _near(field, rows, found[1], units)
    return {"rows": rows, "n": units, "each": units * games, "level": plan.level}


def _near(field: Field, rows: list[dict[str, Any]], apart: NDArray[np.float64], units: int) -> None:
    """Note how far from its line every value leaves what is judged, and which of them are nearest."""
    plan = field.plan
    metric = next(one for one in plan.game.OUTCOMES if one.name == plan.metric)
    games, count = plan.game.GAMES_A_UNIT, apart.shape[1]
    value = Value.of(metric, games, difference=True)
    value = value._replace(parts=value.parts * count)
    far = distances(apart).sum(axis=1)
    reach = count * reach_of(metric, games, float(np.abs(far.sum(axis=1)).max()) / units / count)
    made = held_together(far, units, plan.level, [value] * len(rows), [reach] * len(rows))
    best = min(range(len(rows)), key=lambda k: made[k].estimate)
    others = [k for k in range(len(rows)) if k != best]
    beyond = held_together(far[others] - far[best], units, plan.level, [value] * len(others), [reach] * len(others))
    rows[best]["near"] = True
    for k, one in zip(others, beyond, strict=True):
        rows[k]["near"] = bool(one.low <= 0)
    for row, one in zip(rows, made, strict=True):
        row["distance"] = one.to_json()
