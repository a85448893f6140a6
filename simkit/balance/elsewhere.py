"""Rulings that do not touch what stands for the answer, played where they count.

One comparison, or cell, stands for the answer of many, and most rulings are played there. How far a bow reaches moves
nothing where nobody shoots: such a rule is played in another cell that rests on it, so that no ruling of a question
goes without a line. The movements of each of these cells hold together by themselves.
"""

from collections.abc import Callable, Sequence
from typing import Any

from simkit.balance.swings import Play, swung, typical, unplayed, weighed
from simkit.balance.verdict import Verdict
from simkit.balance.wording import Row
from simkit.games.readings import swings_of
from simkit.lab import swings as room
from simkit.lab.estimates import CellResult
from simkit.lab.plan import Cell, Plan

MOST_PLACES = 6
"""Most further cells in which readings are played."""


def swung_everywhere(
    plan: Plan,
    results: Sequence[CellResult],
    verdict: Verdict,
    *,
    jobs: int,
    note: Callable[[str], None] = lambda _: None,
) -> dict[str, Any] | None:
    """Play other readings of all rules that a question rests on (see :func:`simkit.balance.swings.swung`).

    Returns
    -------
    dict or None
        What :func:`~simkit.balance.swings.swung` returns, and in ``elsewhere`` what :func:`elsewhere` does.
    """
    found = swung(plan, results, verdict, jobs=jobs, note=note)
    if found is None or not found["n"]:
        return found
    known = {row["path"] for row in [*found["rows"], *found["left_out"]]}
    units: int = found["n"]
    further = elsewhere(plan, verdict.rows, known, units, lambda setups: room.play(plan, setups, units, jobs=jobs))
    return found | {"elsewhere": further}


def elsewhere(plan: Plan, rows: Sequence[Row], known: set[str], units: int, play: Play) -> list[dict[str, Any]]:
    """Play the readings of rules that other judged cells rest on, each in a cell that many of them touch.

    Parameters
    ----------
    plan
        What was asked; its game states alternatives.
    rows
        The verdict on single cells.
    known
        Paths of the rules that are played already.
    units
        Units of every setup that `play` plays.
    play
        Who plays them.

    Returns
    -------
    list of dict
        For each of the cells the same as for the one that stands for the answer (see
        :func:`simkit.balance.swings.swung`).
    """
    found, known = [], set(known)
    touched = _touched(plan, rows)
    for _ in range(MOST_PLACES):
        counts = {number: len(paths - known) for number, paths in touched.items()}
        most = max(counts.values(), default=0)
        if not most:
            break
        alike = [row for row in rows if counts[row.cell] == most]
        asked = typical(plan, alike)
        readings = [one for one in room.readings(plan, asked.cells) if one.swing.path not in known]
        known |= touched[asked.row.cell]
        if readings:
            found.append({**unplayed(plan, asked, len(rows)), **weighed(plan, asked, readings, units, play)})
    return found


def _touched(plan: Plan, rows: Sequence[Row]) -> dict[int, set[str]]:
    """Return for every judged cell the rules that it or its baseline rests on and that have another reading."""
    hook = swings_of(plan.game)
    if hook is None:
        return {}
    seen: dict[tuple[int, int], set[str]] = {}

    def paths(cell: Cell) -> set[str]:
        pair = (id(cell.scenario), id(cell.rules))
        if pair not in seen:
            seen[pair] = {swing.path for swing in hook(cell.scenario, cell.rules)}
        return seen[pair]

    found = {}
    for row in rows:
        cell = plan.cells[row.cell - 1]
        base = set() if cell.baseline is None else paths(plan.cells[cell.baseline])
        found[row.cell] = paths(cell) | base
    return found
