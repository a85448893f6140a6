"""The exact solutions of a plan's cells, as far as a report waits for them.

The budget counts work, never time, so that the same run has the same report on every machine.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from simkit.core.written import read, written
from simkit.games.protocol import Game, Solution, solver_of
from simkit.lab.plan import Plan

MOST_EXACT = 200
"""With more cells than this the report goes without the exact solutions."""

CELL_STEPS = 250_000_000
"""Most work on one cell: about a second. Most duels of published designs of size class 3 and less take less."""

REPORT_STEPS = 1_000_000_000
"""Most work on all cells of a report together: a few seconds."""


class Solved(NamedTuple):
    """The exact solution of a cell."""

    values: dict[str, dict[str, Any]]
    """By metric its ``fraction`` as text and its ``value``; ``"infinite"`` and None for an infinite mean.

    Values that are off by an error have no fraction: its text is empty.
    """
    error: float
    """Most that a share is off by; 0 for fractions."""
    why: str
    """Why there are no values; empty where there are."""

    @property
    def told(self) -> dict[str, Any]:
        """What a document tells beside the values."""
        return {"error": self.error, "why": self.why}


def of(solution: Solution) -> Solved:
    """Return a game's solution as a document writes it."""
    values = {
        name: {
            "fraction": "infinite" if value is None else "" if solution.error else written(value),
            "value": None if value is None else float(value),
        }
        for name, value in solution.metrics.items()
    }
    return Solved(values, solution.error, solution.why or ("" if values else "it is not known"))


def amount(entry: Mapping[str, Any]) -> Fraction:
    """Return a solved value, all of its digits: its fraction, or the number that it was rounded to.

    Examples
    --------
    >>> amount({"fraction": "1/3", "value": 0.333}), amount({"fraction": "", "value": 0.5})
    (Fraction(1, 3), Fraction(1, 2))
    """
    return read(entry["fraction"]) if entry["fraction"] else Fraction(entry["value"])


def reach(value: float | None, error: float) -> tuple[float | None, float | None]:
    """Return between what a solved value lies: an error is one of a share, and in proportion that of a greater mean.

    Examples
    --------
    >>> reach(0.5, 0.25), reach(4.0, 0.25), reach(0.5, 0.0), reach(None, 0.0)
    ((0.25, 0.75), (3.0, 5.0), (0.5, 0.5), (None, None))
    """
    if value is None:
        return None, None
    off = error * max(1.0, abs(value))
    return max(0.0, value - off) if value >= 0 else value - off, value + off


def solve_some(plan: Plan) -> list[Solved]:
    """Solve the cells of a plan one after the other, with as much work as a report may take.

    A cell that takes more than ``CELL_STEPS`` goes without; so do all that are left when ``REPORT_STEPS`` are used up,
    and all of a plan with more than ``MOST_EXACT`` cells.
    """
    if len(plan.cells) > MOST_EXACT:
        why = f"a report of more than {MOST_EXACT:,} cells goes without exact solutions"
        return [Solved({}, 0.0, why)] * len(plan.cells)
    solver, found, left = _solver(plan.game), list[Solved](), REPORT_STEPS
    for cell in plan.cells:
        if left <= 0:
            found.append(Solved({}, 0.0, f"the solutions before took the {REPORT_STEPS:,} steps that a report spends"))
            continue
        solution, steps = solver(cell.scenario, cell.rules, min(CELL_STEPS, left))
        left -= steps
        found.append(of(solution))
    return found


def _solver(game: Game) -> Callable[[Any, Any, int], tuple[Solution, int]]:
    """Return what solves a battle with so much work at most: of a game whose solutions may take long its own."""

    def at_once(scenario: Any, rules: Any, steps: int) -> tuple[Solution, int]:
        return game.exact(scenario, rules), 0

    return solver_of(game) or at_once


def without(numbers: Sequence[int], solved: Sequence[Solved]) -> list[dict[str, Any]]:
    """List why cells go without an exact solution: each reason once, with the numbers of its cells."""
    found: dict[str, list[int]] = {}
    for number, one in zip(numbers, solved, strict=True):
        if one.why:
            found.setdefault(one.why, []).append(number)
    return [{"why": why, "cells": cells} for why, cells in found.items()]
