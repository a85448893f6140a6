"""Checking one file, whatever it is: an experiment, a house rule, a march or tuned weights."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from simkit.games import protocol
from simkit.lab import axes, house, marches, toml, weights
from simkit.lab import plan as planning
from simkit.lab.experiment import MOST_CELLS, NAME, Range, Sweep
from simkit.lab.house import Change, HouseRule, Origin
from simkit.lab.plan import Plan
from simkit.lab.problems import Problem, ProblemError, from_pydantic

PATIENCE = 10_000
"""Cells that are planned without asking."""

CELL_SECONDS, CELL_BYTES = 0.0015, 40_000
"""What planning one cell takes."""


def check_file(path: Path, *, patient: bool = False) -> tuple[str, Plan | None]:
    """Check an experiment, a house rule, a march or tuned weights and say what it is.

    Parameters
    ----------
    path
        The file.
    patient
        True plans a sweep of any size, False refuses one of more than ``PATIENCE`` cells.

    Returns
    -------
    (str, Plan or None)
        A sentence, and the plan of an experiment.

    Raises
    ------
    ProblemError
        With every problem of the file.
    """
    document = toml.read(path)
    if is_house_rule(document.data):
        return _house_rule(path, document), None
    if marches.is_march(document.data):
        return _march(document), None
    if weights.is_tuned(document.data):
        return weights.check(document), None
    if not patient:
        refuse_many_cells(document)
    made = planning.make(document)
    cells = f"{len(made.cells):,} cell{'' if len(made.cells) == 1 else 's'}"
    return f"fine: {cells} of {made.game.TITLE}, {made.trials:,} trials each", made


def is_house_rule(data: Mapping[str, Any]) -> bool:
    """Tell whether the data of a file are those of a house rule."""
    return "for" in data and "game" not in data


def refuse_many_cells(document: toml.Document) -> None:
    """Refuse a sweep whose cells would take long and much memory only to plan, before the first is made.

    Raises
    ------
    ProblemError
        With the number of cells. A sweep that is wrong in itself passes: planning says what is wrong.
    """
    try:
        sweep = Sweep.model_validate(document.data.get("sweep", {}))
    except ValidationError:
        return
    sampled = sweep.mode in ("random", "sobol")
    count = sweep.samples or 0
    if not sampled:
        sizes = [axes.size(axis) for axis in sweep.axes.values() if not (isinstance(axis, Range) and axis.sampled)]
        count = math.prod(sizes) if sweep.mode == "grid" else max(sizes, default=1)
    if PATIENCE < count <= MOST_CELLS:
        takes = f"about {count * CELL_SECONDS / 60:.1f} minutes and {count * CELL_BYTES / 1e9:.1f} GB of memory"
        message = f"this sweep has {count:,} cells: only to plan them takes {takes}"
        span = document.where(("sweep", "samples" if sampled else "axes"))
        hint = 'fewer values, mode = "sobol" with samples = 256, or go on with --yes'
        raise ProblemError([Problem("limit", message, document.path, span, hint)], document.sources)


def _march(document: toml.Document) -> str:
    march = marches.read(document)
    count = len(march.worked_out()["units"])
    return f"fine: a march of {count} unit{'' if count == 1 else 's'} of {march.game.TITLE}"


def _house_rule(path: Path, document: toml.Document) -> str:
    try:
        rule = HouseRule.model_validate(document.data)
    except ValidationError as error:
        raise ProblemError(from_pydantic(error, document, model=HouseRule), document.sources) from error
    try:
        game = protocol.load(rule.for_)
    except protocol.UnknownGameError as error:
        place = document.where(("for",), "value")
        message, _, choices = str(error).partition("; ")
        raise ProblemError([Problem("value", message, document.path, place, choices)], document.sources) from error
    change = Change.of(game)
    if not NAME.fullmatch(path.stem):
        raise ProblemError(
            [
                Problem(
                    "value",
                    f"'{path.stem[:80]}' cannot be the id of a house rule",
                    document.path,
                    help="name the file with small letters, digits, - and _",
                )
            ],
            document.sources,
        )
    for i, base in enumerate(rule.house_rules):
        for loaded in house.load(base, path.parent, rule.for_, Origin(document, ("house_rules", i)), (path.resolve(),)):
            change.apply(loaded)
    change.apply(house.Loaded(path.stem, rule, document))
    change.rules()
    count = len(change.origins)
    return f"fine: the house rule '{rule.title}' changes {count} value{'' if count == 1 else 's'} of {game.TITLE}"
