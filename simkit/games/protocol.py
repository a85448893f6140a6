"""What a game offers to the rooms above it.

A game is a folder with a ``game.py`` whose module-level names are those of :class:`Game`. There is no
list to add it to: :func:`find` looks into the folder, and one contract test runs over every game it
finds.
"""

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from pydantic import BaseModel

from simkit.games.hooks import Budget as Budget
from simkit.games.hooks import Build as Build
from simkit.games.hooks import Building as Building
from simkit.games.hooks import Forces as Forces
from simkit.games.hooks import Marching as Marching
from simkit.games.hooks import Rated as Rated
from simkit.games.hooks import Ratings as Ratings
from simkit.games.hooks import Spread as Spread
from simkit.games.hooks import Swapped as Swapped
from simkit.games.hooks import Views as Views
from simkit.games.hooks import Weighing as Weighing
from simkit.games.hooks import Weight as Weight
from simkit.games.hooks import budget_of as budget_of
from simkit.games.hooks import building_of as building_of
from simkit.games.hooks import default_policy as default_policy
from simkit.games.hooks import exchange_of as exchange_of
from simkit.games.hooks import fight_of as fight_of
from simkit.games.hooks import force_of as force_of
from simkit.games.hooks import is_ladder as is_ladder
from simkit.games.hooks import marching_of as marching_of
from simkit.games.hooks import ratings_of as ratings_of
from simkit.games.hooks import solver_of as solver_of
from simkit.games.hooks import views as views
from simkit.games.hooks import weighing_of as weighing_of
from simkit.games.rulefields import SOURCES as SOURCES
from simkit.games.rulefields import RuleField as RuleField
from simkit.games.rulefields import RuleSet as RuleSet
from simkit.games.rulefields import allowed as allowed
from simkit.games.rulefields import number as number
from simkit.games.rulefields import rule_fields as rule_fields


class Metric(NamedTuple):
    """One outcome column of a game."""

    name: str
    kind: str
    """``"share"``: from 0 to 1 in every game, shown in per cent; ``"count"``: a number."""
    unit: str
    says: str
    highest: int | None = None
    """Greatest whole number a game can deliver, or None when nothing bounds it."""
    scale: int = 1
    """What the whole numbers of the column are divided by: 2 for a score of which a draw is half."""
    lowest: int | None = 0
    """Least whole number a game can deliver, or None when nothing bounds it."""

    def is_binary(self, games: int) -> bool:
        """Tell whether it is 0 or 1 in every unit of so many games: a share, each game with dice of its own."""
        return self.kind == "share" and games * self.scale == 1


class Fight(NamedTuple):
    """Which columns tell how a battle of two sides went: what a game offers as ``FIGHT`` so that reports can tell it.

    All columns are names of ``OUTCOMES``. Sides are told apart as A and B, in this order wherever there are two.
    """

    score: str
    """What side A scored: 1 for a win, half for a draw. Empty for a game in which half a win means nothing."""
    wins: tuple[str, str]
    draw: str
    """Games that nobody has won; empty where the ends without a winner have names of their own."""
    capped: str
    """Games that nobody has won because the turns or rounds were used up."""
    length: str
    """How many turns or rounds were played."""
    ends: Mapping[str, str]
    """Column to the word for that end: exactly one of them is 1 in every game."""
    edges: Mapping[str, str]
    """Wins of whoever has what no side has earned, such as a seat: column to who that is."""
    damage: Mapping[str, tuple[str, str]]
    """What damage comes from: word to what each side did."""
    mishaps: Mapping[str, tuple[str, str]]
    """The same of the damage that the jugs, units or men of a side did to themselves."""
    cut: str = "Drawn because the turns were used up"
    """What a game is that the limit ends."""

    @property
    def contested(self) -> tuple[str, ...]:
        """The columns of which a share of the decided games is made; none where there are no edges."""
        return (*self.edges, self.draw) if self.edges else ()


class Complaint(NamedTuple):
    """Why a scenario is illegal: where (a key path), what, and what would help."""

    path: tuple[str | int, ...]
    message: str
    id: str = ""
    help: str = ""


class Line(NamedTuple):
    """One line of a retold trial."""

    text: str
    kind: str
    """``"turn"`` opens a turn, ``"throw"`` tells dice, ``"ride"`` something without dice, ``"end"`` the outcome."""
    ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Solution:
    """The exact values of one scenario."""

    metrics: Mapping[str, Fraction | None]
    """Metric name to its exact value a game; None is an infinite mean. What cannot be solved is left out."""
    states: int
    """Situations that the chain distinguishes."""
    error: float = 0.0
    """Most that a share can be off because it was not worked out in fractions; 0: not at all."""
    why: str = ""
    """Why nothing is solved, where that is so."""


@dataclass(frozen=True)
class Version:
    """Behaviour version of a game: counts may change only together with it."""

    number: int
    history: Mapping[int, str] = field(default_factory=dict)


class Game(Protocol):
    """The names a ``game.py`` defines."""

    NAME: str
    TITLE: str
    SUMMARY: str
    EDITION: str
    """Which edition of the rules this is; every result shows it."""
    VERSION: Version
    GAMES_A_UNIT: int
    """Games on the same dice, which make one unit of the statistics: 1; or 2, the second with the seats swapped."""
    POLICIES: Sequence[str]
    """Who can decide, by name: what ``run.policy`` and the ``policy`` of a side may be.

    Who decides where nobody is named is the default of the field ``policy`` of the scenario (:func:`default_policy`).
    """
    OUTCOMES: Sequence[Metric]
    """The columns that are counted, as whole numbers a game; a unit counts the sum over its games."""
    HEADLINE: str
    """Metric a report turns to when the experiment names none."""
    UNLIMITED: Mapping[str, Any]
    """Scenario values, by dotted path, that take every limit away for an exact solution."""
    MODEL: Sequence[tuple[str, str]]
    """Rulings that every scenario takes for granted and that are no numbers: rule id and sentence."""
    PRESETS_ARE: str
    """What the presets of this game are, in a sentence."""
    Rules: type[RuleSet]
    Scenario: type[BaseModel]

    def presets(self) -> list[dict[str, Any]]:
        """List the designs or presets that an experiment can name: columns by title."""

    def complaints(self, scenario: Any, rules: Any) -> list[Complaint]:
        """Return every reason why a scenario is illegal under these rules; empty when it is legal."""

    def unplayable(self, scenario: Any) -> str:
        """Say why a legal scenario can be solved but not played; empty when it can be played."""

    def compile(self, scenario: Any, rules: Any) -> Any:
        """Return the Setup record that the kernels play. The scenario must be legal."""

    def assumed(self, scenario: Any, rules: Any) -> list[str]:
        """Return the paths of the rulings and base-game assumptions that this scenario rests on."""

    def describe(self, scenario: Any) -> str:
        """Return the scenario in a few words, for tables."""

    def story(self, scenario: Any) -> str:
        """Return the scenario told in a sentence or two."""

    def label(self, path: str, value: Any) -> str | None:
        """Return a word for the value of an axis, or None where the value speaks for itself."""

    def axis_title(self, path: str) -> str:
        """Return what a player would call an axis."""

    def vary(self, data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
        """Return scenario data with the values at dotted paths replaced (KeyError: the path leads nowhere).

        A table that a file may leave out is made where a path leads into it.
        """

    def nanoseconds(self, setup: Any) -> float:
        """Return about how long one game takes on one processor."""

    def ready(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Compile the kernels, or load them."""

    def new_state(self) -> Any:
        """Return scratch memory for one worker."""

    def pack(self, setups: list[Any]) -> Any:
        """Return several setups as the one array that a block plays."""

    def play_block(self, setups: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
        """Play the units ``first <= unit < end`` of every setup and add them to the counts `out`.

        `out` has the shape (setups, 256, columns, 4): by batch (unit modulo 256) and column the sum of what the units
        count, the sum of its squares, and both for the difference to the first setup on the same dice.
        """

    def play_rows(self, setup: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
        """Play the units ``first <= unit < end`` and keep every game as a row of `out`, those of a unit in a row."""

    def play_one(self, setup: Any, state: Any, key: Any, trial: int, seat: int = 0) -> Any:
        """Play one game and return its outcome, a tuple in the order of OUTCOMES.

        `trial` is the number of its unit; `seat` is 1 for the game with the seats swapped.
        """

    def trace(self, setup: Any, key: Any, trial: int, seat: int = 0) -> Any:
        """Return the events of one game, addressed as in :meth:`play_one`."""

    def fortune(self, outcome: Sequence[int]) -> tuple[int, ...]:
        """Return how well a trial went, to be compared: the luckiest is the greatest."""

    def exact(self, scenario: Any, rules: Any) -> Solution:
        """Return the exact solution of a scenario, as far as there is one."""

    def narrate(self, scenario: Any, rules: Any, events: Any) -> list[Line]:
        """Retell one trial in words."""


class UnknownGameError(LookupError):
    """No folder of that name holds a game."""


def find() -> list[str]:
    """Return the names of the games there are, sorted."""
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/game.py"))


def load(name: str) -> Game:
    """Return a game by name.

    Raises
    ------
    UnknownGameError
        Naming the games there are.
    """
    if name not in find():
        raise UnknownGameError(f"no game is called {name!r}; there are: {', '.join(find())}")
    return cast(Game, importlib.import_module(f"simkit.games.{name}.game"))


def rulebook(name: str) -> str:
    """Return the numbered rules of record of a game as Markdown.

    The rulebook of a game that is built on another may end with a comment ``then: GAME until HEADING``: it goes on with
    that of the other game, up to a heading.
    """
    own = Path(__file__).parent.joinpath(name, "rulebook.md").read_text(encoding="utf-8")
    further = re.search(r"^<!-- then: ([a-z]+) until (.+) -->\s*\Z", own, re.MULTILINE)
    if further is None:
        return own
    other = rulebook(further[1]).split(f"\n{further[2]}\n")[0]
    return own[: further.start()] + other.replace("# ", "## The rules it is built on: ", 1)


def put_at(data: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """Return scenario data with the value at a path replaced; items of lists are counted from 1.

    Parameters
    ----------
    data
        Tables and lists as read from a file; left as they are.
    path
        Such as ``("course", "steps", "2", "down")``.
    value
        The new value.

    Raises
    ------
    KeyError
        The path leads nowhere; the text says what there is.
    """

    def put(node: Any, rest: Sequence[str]) -> Any:
        if not rest:
            return value
        key, *further = rest
        if isinstance(node, list):
            if not (key.isascii() and key.isdigit() and 1 <= int(key) <= len(node)):
                raise KeyError(f"'{key}' is not a place in a list of {len(node)}, counted from 1")
            i = int(key) - 1
            return [*node[:i], put(node[i], further), *node[i + 1 :]]
        if node is None and not further:
            return {key: value}
        if not isinstance(node, Mapping) or (further and key not in node):
            there = (", ".join(node) if isinstance(node, Mapping) else "") or "nothing"
            raise KeyError(f"'{key}' is not there; there is: {there}")
        return {**node, key: put(node.get(key), further)}

    return cast(dict[str, Any], put(data, path))
