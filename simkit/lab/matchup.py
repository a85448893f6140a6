"""One side against another: who they are, what they are called, and the experiment of one cell that asks who wins.

The command line and Python both ask for a duel this way, so that they fight the same one.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from simkit.games import protocol
from simkit.lab import plan, resolve, toml
from simkit.lab.experiment import SCHEMA
from simkit.lab.plan import Plan
from simkit.lab.problems import ProblemError

GAME = "jugger"
LONGEST_NAME = 20
HOUSE_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
MEMBER = re.compile(r"(?:([0-9]{1,18})\s*[*x]\s*)?([^*+]*?)(?:\s*[*]\s*([0-9]{1,18}))?")
"""One design of a force, and how many of it: ``walker``, ``walker*2`` or ``2xwalker``."""


class Force(NamedTuple):
    """A side as it was asked for, and its table as an experiment would have it."""

    text: str
    table: Mapping[str, Any]

    @property
    def is_several(self) -> bool:
        """Whether it has more than one jug, or figure; False for a table that has not the form of a side."""
        units = self.table.get("units", [self.table])
        counts = [_number(unit) for unit in units if isinstance(unit, Mapping)] if _is_list(units) else []
        return sum(count for count in counts if isinstance(count, int)) > 1


def _number(unit: Mapping[str, Any]) -> Any:
    """Return of how many jugs or figures a unit is."""
    return unit.get("figures", unit.get("count", 1))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def read_force(text: str, game: str = GAME) -> Force:
    """Read a design by name, several of it, or several designs; whether the designs are there is not looked at.

    Raises
    ------
    ValueError
        The text has not this form, or tells of more jugs, or figures, than a side can have, or of none.

    Examples
    --------
    >>> read_force("2xarcher + axer").table
    {'units': [{'design': 'archer', 'count': 2}, {'design': 'axer', 'count': 1}]}
    """
    units: list[tuple[str, int | None]] = []
    for part in text.split("+"):
        found = MEMBER.fullmatch(part.strip())
        if found is None or not found[2] or (found[1] and found[3]):
            raise ValueError(f"is no side: such as {_such_as(game)}")
        number = found[1] or found[3]
        units.append((found[2].strip(), None if number is None else int(number)))
    own = protocol.force_of(protocol.load(game))
    return Force(" ".join(text.split()), _jugs(units) if own is None else own(units))


def _such_as(game: str) -> str:
    """Give examples of sides of a game."""
    loaded = protocol.load(game)
    rating = protocol.ratings_of(loaded)
    if protocol.force_of(loaded) is None or rating is None:
        return "walker, 2xwalker or 2xarcher+axer"
    one, other, *_ = rating.preset_names()
    return f"{one}, 12x{one} or 12x{one}+{other}"


def _jugs(units: Sequence[tuple[str, int | None]]) -> dict[str, Any]:
    """Return the table of a side of Jugger."""
    from simkit.games.jugger.maps import SIDE

    counts = [1 if number is None else number for _, number in units]
    if not all(counts) or sum(counts) > SIDE:
        raise ValueError(f"is {sum(counts) if all(counts) else 0} jugs; a side has 1 to {SIDE}")
    tables = [{"design": design, "count": count} for (design, _), count in zip(units, counts, strict=True)]
    return tables[0] if len(tables) == 1 else {"units": tables}


def as_force(side: str | Mapping[str, Any], game: str = GAME) -> Force:
    """Return a side that is given as text or as the table of an experiment.

    Raises
    ------
    ValueError
        It is neither, or the text cannot be read.
    """
    if isinstance(side, str):
        try:
            return read_force(side, game)
        except ValueError as error:
            raise ValueError(f"{side[:80]!r} {error}") from error
    if not isinstance(side, Mapping):
        raise ValueError(f"a side is a text or a table, not {side!r:.80}")
    return Force("", side)


class Names(NamedTuple):
    """What the sides and their games are called."""

    a: str
    b: str
    several: tuple[bool, bool]
    """Whether side a, and side b, has more than one jug or figure."""

    @property
    def short(self) -> tuple[str, str]:
        """What the sides are called in tables and tales: by letter where a name is long."""
        return ("A", "B") if max(len(self.a), len(self.b)) > LONGEST_NAME else (self.a, self.b)

    @property
    def noun(self) -> str:
        """What the games are called: duels of one against one, else battles."""
        return "battles" if any(self.several) else "duels"


@dataclass(frozen=True)
class Matchup:
    """What is to be fought.

    Attributes
    ----------
    a, b
        The sides.
    policy, policy_b
        Who decides for both sides, and for B if another; None leaves it to the game.
    trials, seed
        As in an experiment.
    map, distance
        Where, and how many hexes, or inches, apart they begin; None leaves it to the scenario.
    house
        House rules, by id or by file.
    overrides
        Rules, or fields of the scenario, by dotted path.
    game
        Whose rules.
    """

    a: Force
    b: Force
    policy: str | None
    policy_b: str | None
    trials: int
    seed: int
    map: str | None = None
    distance: int | None = None
    house: tuple[str, ...] = ()
    overrides: Mapping[str, Any] = field(default_factory=dict)
    game: str = GAME

    @property
    def decides(self) -> str:
        """Who decides for both sides."""
        return self.policy or protocol.default_policy(protocol.load(self.game))

    def sides(self) -> dict[str, dict[str, Any]]:
        """Return both sides as an experiment would have them."""
        policy_b = {} if self.policy_b is None else {"policy": self.policy_b}
        return {"a": {**self.a.table}, "b": {**self.b.table, **policy_b}}

    def names(self) -> Names:
        """Name the sides by their designs; where these are the same, by policy or letter too."""
        found = []
        for letter, side in self.sides().items():
            try:
                found.append(protocol.load(self.game).label(f"sides.{letter}", side) or letter.upper())
            except (ValueError, TypeError, LookupError, AttributeError):
                found.append(letter.upper())  # what is wrong with it is told with everything else
        if found[0] == found[1]:
            other = self.policy_b not in (None, self.decides)
            marks = (f"({self.decides})", f"({self.policy_b})") if other else ("A", "B")
            found = [f"{name} {mark}" for name, mark in zip(found, marks, strict=True)]
        return Names(found[0], found[1], (self.a.is_several, self.b.is_several))

    def plan(self) -> Plan:
        """Plan it as an experiment that nobody wrote down.

        Raises
        ------
        ProblemError
            With everything that is wrong; what concerns the experiment has no place in a file.
        ValueError
            A side is to be changed by an override, or a house rule is no file.
        """
        for path in self.overrides:
            if path.split(".")[0] in ("sides", "policy"):
                raise ValueError(f"{path}: who fights is said by a and b, and who decides by policy and policy_b")
        folder, house = _house(self.house)
        names, sides = self.names(), self.sides()
        if names.short == names[:2]:
            sides = {letter: {"title": name} | side for (letter, side), name in zip(sides.items(), names, strict=False)}
        scenario = {"map": self.map, "distance": self.distance}
        fight = protocol.fight_of(protocol.load(self.game))
        metric = None if fight is None else fight.score or fight.wins[0]
        data = {
            "schema": SCHEMA,
            "name": "duel",
            "question": f"{'Do' if names.several[0] else 'Does'} {names.a} beat {names.b}?",
            "game": self.game,
            "seed": self.seed,
            "house_rules": house,
            "run": {"trials": self.trials, "policy": self.decides},
            "sides": sides,
            "scenario": {key: value for key, value in scenario.items() if value is not None},
            "report": {"metric": metric, "target": 0.5} if metric else {},
        }
        nowhere = str(folder / "duel")
        try:
            return plan.make(toml.parse(resolve.dumps(data), nowhere), overrides=self.overrides)
        except ProblemError as error:
            placed = (
                replace(problem, path=None, span=None) if problem.path == nowhere else problem
                for problem in error.problems
            )
            raise ProblemError(dict.fromkeys(placed), error.sources) from error


def _house(wanted: tuple[str, ...]) -> tuple[Path, list[str]]:
    """Return a folder, and what house rules are called from there: an id, or a file below it."""
    files = {text: Path(text).resolve() for text in wanted if not HOUSE_ID.fullmatch(text)}
    for text, file in files.items():
        if not text or not file.is_file():
            raise ValueError(f"{text[:80]!r} is no house rule: neither a file nor an id such as capped-rams")
    folder = Path(os.path.commonpath([file.parent for file in files.values()])) if files else Path()
    return folder, [files[text].relative_to(folder).as_posix() if text in files else text for text in wanted]
