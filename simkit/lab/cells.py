"""Finding one cell of a plan by what people call it."""

import re
from typing import Any

from simkit.lab.house import toml_text
from simkit.lab.plan import Cell, Plan
from simkit.lab.problems import Problem, ProblemError


def find_cell(plan: Plan, wanted: int | str) -> Cell:
    """Return a cell by its number, the beginning of its hash, or ``axis=value,axis=value``.

    An axis goes by its path or its title, a value as the file has it or in words.

    Raises
    ------
    ProblemError
        No cell, or more than one, fits.
    """
    text = str(wanted)
    if "=" in text:
        pairs = [part.partition("=") for part in re.split(r",(?=[^,=]*=)", text)]
        named = {name.strip(): value.strip() for name, _, value in pairs}
        found = [cell for cell in plan.cells if all(_is_at(plan, cell, name, value) for name, value in named.items())]
    elif text.isascii() and text.isdigit() and len(text) < 10:
        found = plan.cells[int(text) - 1 : int(text)] if int(text) > 0 else []
        if not found and len(text) >= 4:  # a hash may begin with digits alone; a row that is not there is no hash
            found = [cell for cell in plan.cells if cell.fingerprint.startswith(text)]
    else:
        found = [cell for cell in plan.cells if text and cell.fingerprint.startswith(text)]
    if len(found) != 1:
        number = "no cell is" if not found else f"{len(found)} cells are"
        message = f"{number} called '{text[:80]}'"
        hint = f"a row from 1 to {len(plan.cells):,}, the beginning of a hash, or axis=value,axis=value"
        raise ProblemError([Problem("value", message, plan.document.path, help=hint)])
    return found[0]


def _is_at(plan: Plan, cell: Cell, name: str, value: str) -> bool:
    """Tell whether an axis, called by its path or its title, has a value in a cell, as written or in words."""
    return any(
        name in (path, plan.game.axis_title(path)) and value in (label, _spelt(cell.factors[path]))
        for path, label in cell.labels.items()
    )


def _spelt(value: Any) -> str:
    return value if isinstance(value, str) else toml_text(value)
