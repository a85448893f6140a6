"""What drives an answer: every ruling read another way, factors in all combinations, and numbers over their ranges.

Three questions about one cell of an experiment (with its baseline, where it has one), each with a family of intervals
that hold together:

- one rule at a time, on the dice of the question: a tornado (see :mod:`simkit.balance.swings`);
- on/off factors in all combinations: effects, interactions, and the fewest factors that flip the verdict
  (see :mod:`simkit.balance.drives.effects`). Where no factors are named, the readings that move the answer most are
  taken. They were chosen by what they did, so the combinations are played on fresh dice;
- numbers over their ranges: Sobol indices with the noise of the dice taken out (see :mod:`simkit.stats.sobol`).
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from simkit.balance.bands import held_together
from simkit.balance.drives import words
from simkit.balance.drives.effects import Factorial, factorial
from simkit.balance.drives.spreads import spread
from simkit.balance.elsewhere import elsewhere
from simkit.balance.family import outcome
from simkit.balance.place import BUDGET, FEWEST, Corner, Place, played, reach_of, units_for
from simkit.balance.swings import Asked, typical, unplayed, weighed, word_under
from simkit.balance.wording import Row
from simkit.games.protocol import rule_fields
from simkit.lab import swings as room
from simkit.lab.drivers import Drivers, Factor, corner, factor, factors_of
from simkit.lab.estimates import Value
from simkit.lab.ledger import Ledger
from simkit.lab.plan import Cell, Plan
from simkit.lab.problems import Problem, ProblemError
from simkit.lab.study import Study
from simkit.lab.variants import CannotBeError, Variant, Variants, distinct, fingerprint

PILOT = 4e9
"""Nanoseconds of one processor for finding a typical cell."""

MOST_PILOT = 2_000
"""Units of every cell for finding a typical one."""

CHOSEN = 6
"""Most readings that are combined where no factors are named."""

FACTORS_REPLICATION = 1
"""Dice of the combinations: fresh ones."""


def expected(asked: Drivers) -> int:
    """Return about how many games will be played, for a bar that moves evenly: an estimate that nothing hangs on."""
    plan, table = asked.plan, asked.table
    games = plan.game.GAMES_A_UNIT
    cell = asked.named or next((one for one in plan.cells if one.baseline is not None), plan.cells[0])
    cells = (cell, *(() if cell.baseline is None else (plan.cells[cell.baseline],)))
    cost = games * sum(plan.game.nanoseconds(one.setup) for one in cells)
    readings = 1 + (len(room.readings(plan, cells)) if table.readings else 0)
    factors = len(table.factors) + len(table.house_rules) or (min(CHOSEN, readings - 1) if table.readings else 0)
    parts = [readings, 2**factors if factors else 0]
    parts += [min(table.points * (len(asked.spans) + 2), prod(one.size or 10**6 for one in asked.spans))] * bool(
        asked.spans
    )
    return sum(games * len(cells) * count * units_for(asked, count, cost) for count in parts if count)


def driven(asked: Drivers, study: Study) -> dict[str, Any]:
    """Play what was asked through the ledger of a study and return its part of the document.

    Raises
    ------
    ProblemError
        A combination cannot be set up in the cell that stands for the answer.
    """
    plan, ledger = asked.plan, study.ledger((asked.plan.metric,))
    rows = _pilot(asked, ledger)
    chosen = typical(plan, rows)
    here = Place(plan, chosen.cells, Variants(plan), ledger)
    found = _readings(asked, here, chosen, rows)
    combined = _combined(asked, here, found)
    document = {
        "cell": {
            "number": chosen.cells[0].number,
            "title": words.titled(plan, chosen.cells),
            "labels": dict(chosen.cells[0].labels),
        },
        "swings": found,
        "factorial": combined,
        "sobol": spread(asked, here) if asked.spans else None,
    }
    return {**document, "verdict": words.verdict(plan, document)}


def _pilot(asked: Drivers, ledger: Ledger) -> list[Row]:
    """Judge the cell that was named, or every cell, by a few units: one of them is examined."""
    plan = asked.plan
    judged = [cell for cell in plan.cells if not plan.baseline or cell.baseline is not None]
    if asked.named is not None:
        if plan.baseline and asked.named.baseline is None:
            message = f"cell {asked.named.number} is what the others are compared with: it has no answer of its own"
            span = plan.document.where(("sensitivity", "cell"), "value")
            raise ProblemError([Problem("meaning", message, plan.document.path, span)], plan.document.sources)
        judged = [asked.named]
    cost = plan.game.GAMES_A_UNIT * sum(plan.game.nanoseconds(cell.setup) for cell in plan.cells)
    units = min(MOST_PILOT, max(FEWEST, int(PILOT / cost)))
    return _judged(plan, judged, ledger, units)


def _judged(plan: Plan, cells: Sequence[Cell], ledger: Ledger, units: int) -> list[Row]:
    """Judge some cells by their first units."""
    pairs = [(cell, *(() if cell.baseline is None else (plan.cells[cell.baseline],))) for cell in cells]
    subjects, where = distinct(played(plan, one) for pair in pairs for one in pair)
    sums = ledger.play(subjects, 0, units)[:, :, 0]
    rows, at = [], 0
    for pair in pairs:
        own = [sums[where[at + k]] for k in range(len(pair))]
        rows.append(own[0] - own[1] if len(own) > 1 else own[0])
        at += len(pair)
    value = Value.of(outcome(plan), plan.game.GAMES_A_UNIT, difference=bool(plan.baseline))
    reaches = [reach_of(plan, float(abs(row.sum())) / units, len(pairs[0])) for row in rows]
    made = held_together(rows, units, plan.level, [value] * len(rows), reaches)
    return [Row(cell.number, word_under(plan, one), one) for cell, one in zip(cells, made, strict=True)]


def _readings(asked: Drivers, here: Place, chosen: Asked, rows: Sequence[Row]) -> dict[str, Any]:
    """Judge the cell anew with as many units as its readings get, and play them; those of other cells in those."""
    plan = asked.plan
    readings = room.readings(plan, here.cells) if asked.table.readings else []
    units = units_for(asked, 1 + len(readings), here.cost)
    held = _judged(plan, [here.cells[0]], here.ledger, units)[0]
    anew = chosen._replace(row=held)
    found = unplayed(plan, anew, len(rows))
    if not asked.table.readings:
        return found | {"not_played": "the table switches it off (readings = false)", "n": units}
    if not readings:
        return found | {"not_played": "the game states no other readings of the rules that this rests on", "n": units}

    def play(setups: Mapping[bytes, Any]) -> dict[bytes, Any]:
        subjects = [Variant(None, None, setup, fingerprint(plan, setup)) for setup in setups.values()]
        sums = here.ledger.play(subjects, 0, units)[:, :, 0]
        return dict(zip(setups, sums, strict=True))

    found |= weighed(plan, anew, readings, units, play)
    known = {row["path"] for row in [*found["rows"], *found["left_out"]]}
    return found | {"elsewhere": elsewhere(plan, rows, known, units, play)}


def _combined(asked: Drivers, here: Place, found: Mapping[str, Any]) -> dict[str, Any]:
    """Play the factors in all combinations."""
    named = factors_of(asked, here.cells[0])
    factors = named or _widest(asked, here, found)
    corners, inert, why_not = _corners(here, factors, strict=bool(named))
    factors = [one for one in factors if one not in inert]
    document: dict[str, Any] = {
        "chosen": not named,
        "factors": [_factor(one) for one in factors],
        "inert": [_factor(one) for one in inert],
        "start": sum(1 << k for k, one in enumerate(factors) if one.is_on),
        "effects": [],
        "combinations": [],
        "flips": [],
        "higher_order": 0.0,
        "order": min(asked.table.order, max(1, len(factors))),
        "level": asked.plan.level,
        "trials": 0,
        "n": 0,
        "family": "",
        "why_not": why_not,
    }
    if not corners:
        return document
    units = units_for(asked, len(corners), here.cost)
    sums = here.judged(corners, units, FACTORS_REPLICATION)
    made = factorial(
        sums,
        units,
        [one.name for one in factors],
        here.value,
        here.reach(sums, units),
        asked.plan.level,
        order=document["order"],
        start=document["start"],
        judge=lambda value: word_under(asked.plan, value),
    )
    return document | _effects(made) | {"n": units, "trials": units * asked.plan.game.GAMES_A_UNIT}


def _widest(asked: Drivers, here: Place, found: Mapping[str, Any]) -> list[Factor]:
    """Return the readings that are shown to move the answer most, one a rule, as many as the budget allows."""
    best: dict[str, Mapping[str, Any]] = {}
    for row in found["rows"]:
        if row["low"] > 0 or row["high"] < 0:
            known = best.get(row["path"])
            if known is None or abs(row["estimate"]) > abs(known["estimate"]):
                best[row["path"]] = row
    most = CHOSEN
    while most > 1 and 2**most * FEWEST * here.cost > 2 * BUDGET:
        most -= 1
    rows = sorted(best.values(), key=lambda row: -abs(row["estimate"]))[:most]
    fields = {row.path: row for row in rule_fields(here.cells[0].rules)}
    return [factor(asked.plan, row["path"], row["now"], row["value"], fields.get(row["path"])) for row in rows]


def _corners(here: Place, factors: Sequence[Factor], *, strict: bool) -> tuple[list[Corner], list[Factor], str]:
    """Set all combinations up; factors that change nothing in any of them are left out.

    Raises
    ------
    ProblemError
        Factors that were named cannot be combined.
    """
    if not factors or (not strict and len(factors) < 2):
        few = "no reading" if not factors else "only one reading"
        return [], [], f"{few} is shown to move the answer, so that there is nothing to combine"
    corners = []
    for bits in range(2 ** len(factors)):
        try:
            corners.append(here.made(corner(factors, bits)))
        except CannotBeError as error:
            on = [one.title for k, one in enumerate(factors) if bits >> k & 1]
            message = f"not all combinations can be played: with {' and '.join(on) or 'all factors off'}, {error}"
            if strict:
                plan = here.plan
                span = plan.document.where(("sensitivity",))
                raise ProblemError([Problem("meaning", message, plan.document.path, span)]) from error
            return [], [], message
    prints = [tuple(one.fingerprint for one in each.subjects) for each in corners]
    inert = [k for k in range(len(factors)) if all(prints[i] == prints[i ^ (1 << k)] for i in range(len(corners)))]
    kept = [k for k in range(len(factors)) if k not in inert]
    left = [corners[sum(1 << k for i, k in enumerate(kept) if bits >> i & 1)] for bits in range(2 ** len(kept))]
    if not kept:
        return [], [factors[k] for k in inert], "none of the factors changes anything here"
    return left, [factors[k] for k in inert], ""


def _factor(one: Factor) -> dict[str, Any]:
    house = bool(one.on.house)
    return {
        "name": one.name,
        "title": one.title,
        "off": one.off_label,
        "on": one.on_label,
        "id": one.id,
        "source": one.source,
        "says": one.says,
        "house_rule": house,
    }


def _effects(made: Factorial) -> dict[str, Any]:
    return {
        "effects": [{"factors": list(one.factors), **one.value.to_json()} for one in made.effects],
        "combinations": [{"on": list(one.on), "word": one.word, **one.value.to_json()} for one in made.combinations],
        "flips": [list(one) for one in made.flips],
        "higher_order": made.higher_order,
        "family": made.family,
    }
