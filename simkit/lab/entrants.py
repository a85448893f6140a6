"""Who takes part where everybody meets everybody: designs and sides by name, from wherever a file lists them.

A file says it in its table ``[matrix]`` or ``[league]``: designs, each of which takes the place of the design of
``[sides.a]`` and of ``[sides.b]``, and whole sides. Without one, those take part that the axes of its sweep put against
each other, or else its own designs.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from simkit.games import protocol
from simkit.games.protocol import Budget, Game
from simkit.lab.asked.matrix import Matrix
from simkit.lab.asks import spoken_at
from simkit.lab.experiment import Experiment
from simkit.lab.modelpath import KeyPath
from simkit.lab.problems import Problem, ProblemError
from simkit.lab.toml import Document

TABLE = "matrix"
TABLES = (TABLE, "league")
OWN = ("design", "units", "title")
"""What a side has of its own; everything else goes with whoever takes its place."""

AXES = ("sides.a", "sides.b", "sides.a.design", "sides.b.design")
"""Axes of a sweep that put sides against each other."""


class Entrant(NamedTuple):
    """One who takes part."""

    id: str
    title: str
    a: Mapping[str, Any]
    """Its table as side A."""
    b: Mapping[str, Any]
    at: KeyPath
    """Where the file has it."""
    whole: bool
    """Whether the file has a whole side there, not only its design."""
    budget: Budget | None = None

    def places(self, a: KeyPath, b: KeyPath) -> dict[KeyPath, KeyPath]:
        """Return where in the file that stands which stands at these places of the data."""
        return {(*path, *(() if self.whole else ("design",))): self.at for path in (a, b)}

    def spoken(self, letter: str) -> dict[str, str]:
        """Return what the file calls that which a plan has as one of its two sides."""
        if self.at[0] not in TABLES:
            return {}
        if not self.whole:
            return spoken_at(self.at, letter)
        return {f"[sides.{letter}{end}": f"[{'.'.join(map(str, self.at))}{end}" for end in ".]"}


def refused(
    document: Document, kind: str, message: str, at: KeyPath, help: str, part: Literal["key", "value"] = "key"
) -> ProblemError:
    """Return what is wrong at a place of the file, as an error of its own."""
    return ProblemError([Problem(kind, message, document.path, document.where(at, part), help)], document.sources)


def listed(document: Document, experiment: Experiment, game: Game, asked: Matrix) -> list[Entrant]:
    """List those who take part, each once, designs before whole sides.

    Raises
    ------
    ProblemError
        They are fewer than three, or one stands there twice; what is wrong with one of them shows when it is planned.
    """
    found = gathered(document, experiment, game, asked, TABLE)
    if len(found) < 3:
        who = " and ".join(one.title for one in found) or "nobody"
        help = 'add [matrix] with designs = ["one", "another", "third"] or designs = "all", or [matrix.sides.NAME]'
        if len(found) == 2:
            help += "; two alone: simkit duel"
        raise refused(document, "meaning", f"a matrix needs three sides or more, this file has {who}", (TABLE,), help)
    return found


def gathered(document: Document, experiment: Experiment, game: Game, asked: Matrix, table: str) -> list[Entrant]:
    """List those who take part, however few, each once, designs before whole sides.

    Parameters
    ----------
    document, experiment, game
        The file.
    asked
        Designs and sides by name.
    table
        Name of the table of the file in which they stand.

    Raises
    ------
    ProblemError
        One stands there twice.
    """
    sides = experiment.sides or {}
    found: list[Entrant] = []
    listed: Sequence[Any] = asked.designs
    if asked.designs == "all":
        listed = _presets(document, game, table)
    for k, design in enumerate(listed):
        at = (table, "designs") if asked.designs == "all" else (table, "designs", k)
        found.append(_of_design(game, design, sides, at, k))
    for name, own in asked.sides.items():
        titled = {"title": name} | own
        found.append(Entrant(name, str(titled["title"]), titled, titled, (table, "sides", name), True))
    found = found or _of_sweep(document, experiment, game, sides) or _of_own(experiment, game, sides)
    return _told_apart(document, found)


def _presets(document: Document, game: Game, table: str) -> list[str]:
    rated = protocol.ratings_of(game)
    if rated is None:
        raise refused(document, "meaning", f"{game.TITLE} has no presets", (table, "designs"), "name them")
    return rated.preset_names()


def _of_design(game: Game, design: Any, sides: Mapping[str, Any], at: KeyPath, number: int) -> Entrant:
    a, b = ({**_shared(sides.get(letter)), "design": design} for letter in "ab")
    own = design.get("title") if isinstance(design, Mapping) else design
    name = own if isinstance(own, str) else f"design {number + 1}"
    return Entrant(name, _title(game, "sides.a.design", design) or name, a, b, at, False)


def _shared(side: Any) -> dict[str, Any]:
    """Return what of a side goes with whoever takes its place."""
    if not isinstance(side, Mapping) or "units" in side:
        return {}
    return {key: value for key, value in side.items() if key not in OWN}


def _title(game: Game, path: str, value: Any) -> str | None:
    """Return what a game calls a side or a design; None where it is wrong, which is told with everything else."""
    try:
        return game.label(path, value)
    except (ValueError, TypeError, LookupError, AttributeError):
        return None


def _of_sweep(document: Document, experiment: Experiment, game: Game, sides: Mapping[str, Any]) -> list[Entrant]:
    """List the sides that the axes of a sweep put against each other."""
    found: list[Entrant] = []
    for path in AXES:
        axis = experiment.sweep.axes.get(path)
        for k, value in enumerate(axis if isinstance(axis, list) else []):
            at = ("sweep", "axes", path, k)
            if path.endswith(".design"):
                one = _of_design(game, value, sides, at, len(found))
            elif isinstance(value, dict):
                title = _title(game, path, value) or f"side {len(found) + 1}"
                table = {"title": title} | value
                one = Entrant(_slug(title, len(found)), title, table, table, at, True)
            else:
                message = f"a side is a table, not {value!r:.40}"
                raise refused(document, "value", message, at, 'such as {design = "NAME"}', "value")
            if all(one.a != other.a for other in found):
                found.append(one)
    return sorted(found, key=lambda one: one.whole)


def _slug(title: str, number: int) -> str:
    """Return a title as a name that a table of a file can have."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:64] or f"side-{number + 1}"


def _of_own(experiment: Experiment, game: Game, sides: Mapping[str, Any]) -> list[Entrant]:
    """List the designs of the file itself."""
    own = experiment.designs or {}
    return [_of_design(game, name, sides, ("designs", name), k) for k, name in enumerate(own)]


def _told_apart(document: Document, found: list[Entrant]) -> list[Entrant]:
    """Return them with titles that differ, or say who stands there twice."""
    seen: dict[str, Entrant] = {}
    problems = []
    for one in found:
        if one.id.casefold() in seen:
            message, span = f"'{one.id}' stands there twice", document.where(one.at, "value")
            problems.append(Problem("shape", message, document.path, span, "leave one of them out"))
        seen[one.id.casefold()] = one
    if problems:
        raise ProblemError(problems, document.sources)
    often = Counter(one.title for one in found)
    return [one if often[one.title] == 1 else one._replace(title=f"{one.title} ({one.id})") for one in found]
