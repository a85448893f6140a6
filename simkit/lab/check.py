"""Checking one file, whatever it is: an experiment or a house rule."""

from pathlib import Path

from pydantic import ValidationError

from simkit.games import protocol
from simkit.lab import house, toml
from simkit.lab import plan as planning
from simkit.lab.house import Change, HouseRule, Origin
from simkit.lab.plan import Plan
from simkit.lab.problems import Problem, ProblemError, from_pydantic


def check_file(path: Path) -> tuple[str, Plan | None]:
    """Check an experiment or a house rule and say what it is.

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
    if "for" in document.data and "game" not in document.data:
        return _house_rule(path, document), None
    made = planning.make(document)
    cells = f"{len(made.cells):,} cell{'' if len(made.cells) == 1 else 's'}"
    return f"fine: {cells} of {made.game.TITLE}, {made.trials:,} trials each", made


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
    if not house.NAME.fullmatch(path.stem):
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
