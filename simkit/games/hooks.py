"""What a game may offer beside :class:`simkit.games.protocol.Game`: nothing of it is needed to play.

Whoever asks gets what there is, or None. All names are to be had from :mod:`simkit.games.protocol` too.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from pydantic import BaseModel

if TYPE_CHECKING:
    from simkit.games.protocol import Complaint, Fight, Game, Solution


def fight_of(game: "Game") -> "Fight | None":
    """Return which columns tell how a battle went, or None for a game that has no two sides."""
    return cast("Fight | None", getattr(game, "FIGHT", None))


Forces = Callable[[Sequence[tuple[str, int | None]]], dict[str, Any]]


def force_of(game: "Game") -> Forces | None:
    """Return how a game makes the table of a side out of designs and how many of each, or None where it says nothing.

    A game may offer ``force(units)`` beside :class:`Game`; it raises a ValueError that goes on where the text of the
    side ends, such as ``"is 60 figures; a unit has 1 to 48"``.
    """
    return cast(Forces | None, getattr(game, "force", None))


class Budget(NamedTuple):
    """What a side costs, by the measure in which its game counts equal means."""

    amount: int
    unit: str
    """What is counted, in the plural: ``"size classes"``."""


def budget_of(game: "Game") -> Callable[[Any, str], Budget] | None:
    """Return how a game tells what a side costs, or None where sides have no price.

    A game may offer ``budget(scenario, side)`` beside :class:`Game`, with a legal scenario and ``"a"`` or ``"b"``.
    """
    return cast(Callable[[Any, str], Budget] | None, getattr(game, "budget", None))


def default_policy(game: "Game") -> str:
    """Return who decides where nobody is named: the scenario says it, or the first one there is."""
    field = game.Scenario.model_fields.get("policy")
    return str(game.POLICIES[0] if field is None else field.default)


def is_ladder(game: "Game") -> bool:
    """Tell whether policies are players of rising skill, so that an answer may depend on who plays.

    They are, unless a game says ``LADDER = False`` beside :class:`Game`: then they are orders like any other setting.
    """
    return bool(getattr(game, "LADDER", True))


class Views(Protocol):
    """What a game may offer beside :class:`Game`: a trial to look at. It offers both or none."""

    def picture(self, scenario: Any, rules: Any, events: Any) -> str:
        """Draw one trial as the text of an SVG file."""

    def player(self, scenario: Any, rules: Any, events: Any, says: str = "") -> str:
        """Return one trial as a self-contained HTML page to step through; `says` is a line below its heading."""


def views(game: "Game") -> Views | None:
    """Return what a game offers to look at, or None."""
    return cast(Views, game) if hasattr(game, "picture") and hasattr(game, "player") else None


def solver_of(game: "Game") -> "Callable[[Any, Any, int], tuple[Solution, int]] | None":
    """Return how a game solves a scenario with so many steps at most, or None for one whose solutions are quick.

    A game may offer ``solve_within(scenario, rules, steps)`` beside :meth:`Game.exact`. It returns the solution, or why
    there is none, and the steps that it took: the same on every machine, so that reports are.
    """
    return cast("Callable[[Any, Any, int], tuple[Solution, int]] | None", getattr(game, "solve_within", None))


class Spread(NamedTuple):
    """How something comes out in one exchange of blows."""

    name: str
    says: str
    """What is counted, as the heading of a table."""
    chances: Mapping[int, Fraction]


def exchange_of(game: "Game") -> Callable[[Any, Any], list[Spread]] | None:
    """Return how a game works out one exchange of blows in full, or None for a game that does not.

    A game may offer ``exchange(scenario, rules)``, which raises a ValueError that says why there is no such solution.
    """
    return cast(Callable[[Any, Any], list[Spread]] | None, getattr(game, "exchange", None))


class Rated(NamedTuple):
    """A design in figures."""

    name: str
    """What it goes by: the id of a preset, its name in a file, or where it stands in one."""
    title: str
    row: Mapping[str, str]
    """Its ratings as a table shows them, by column."""
    numbers: Mapping[str, Any]
    """The same, and more, as plain data; a number that is not whole is text such as ``"14/3"``."""
    steps: tuple[str, ...]
    """How the numbers came about: sentences with the ids of their rules."""
    illegal: tuple[str, ...] = ()
    """Why the design breaks these rules, with their ids; empty where it does not."""


class Ratings(Protocol):
    """What a game whose designs have ratings may offer beside :class:`Game`. It offers all or none."""

    def preset_names(self) -> list[str]:
        """List the ids of the presets."""

    def preset_table(self, name: str) -> dict[str, Any]:
        """Return a preset as the table of a design in a file (LookupError: none has that name; the text says more)."""

    def rate_preset(self, name: str, rules: Any) -> Rated:
        """Rate a preset under some rules (LookupError as above)."""

    def rate_scenario(self, scenario: Any, rules: Any) -> list[Rated]:
        """Rate every design of a legal scenario once: those of the file, then those that the sides bring."""


def ratings_of(game: "Game") -> Ratings | None:
    """Return how a game rates designs, or None where designs have no ratings."""
    return cast(Ratings, game) if hasattr(game, "rate_preset") else None


class Marching(Protocol):
    """What a game may offer beside :class:`Game` whose units cross ground. It offers all or none."""

    MarchTables: type[BaseModel]
    """What the file of a march has beside what every file has."""

    def march_complaints(self, tables: Any, rules: Any) -> "list[Complaint]":
        """Return every reason why a march is illegal under these rules; empty when it is legal."""

    def march(self, tables: Any, rules: Any) -> dict[str, Any]:
        """Return a legal march worked out, as plain data."""

    def march_scenario(self, scenario: Any, rules: Any) -> dict[str, Any]:
        """Return the march of all units of a scenario over its ground, as :meth:`march` does."""

    def march_ratings(self, tables: Any, rules: Any) -> list[Rated]:
        """Rate every design of a legal march once."""


def marching_of(game: "Game") -> Marching | None:
    """Return how units of a game march, or None where nothing does."""
    return cast(Marching, game) if hasattr(game, "march_scenario") else None


class Build(NamedTuple):
    """A legal design of a budget."""

    name: str
    """What it has, in a few words: the same for equal builds, another for every other."""
    budget: int
    items: tuple[str, ...]
    """The items that it has, each once, as :meth:`Building.build_items` calls them."""
    side: dict[str, Any]
    """The table of a side of it, as a file has it."""


class Swapped(NamedTuple):
    """A build in which an item was exchanged."""

    build: Build
    instead: str
    """What it got for the item, in a few words."""


class Building(Protocol):
    """What a game whose designs are built to a budget may offer beside :class:`Game`. It offers all or none.

    Builds are numbered, so that a uniform draw from all of them is a uniform draw of a number.
    """

    BUDGETS: tuple[int, int]
    """Least and largest budget."""
    BUDGET_IS: str
    """What a player calls the budget."""

    def build_items(self) -> list[str]:
        """List the items that builds are made of."""

    def build_item(self, name: str) -> str | None:
        """Return the item that a name means, spelt as in :meth:`build_items`, or None."""

    def build_count(self, budget: int, rules: Any) -> int:
        """Count the legal builds of a budget."""

    def build_at(self, budget: int, rules: Any, number: int) -> Build:
        """Return the legal build of a number, from 0."""

    def swap_count(self, build: Build, item: str, rules: Any) -> int:
        """Count the legal builds that a build becomes when an item goes for something else of the same price."""

    def swap_at(self, build: Build, item: str, rules: Any, number: int) -> Swapped:
        """Return the one of a number, from 0."""


def building_of(game: "Game") -> Building | None:
    """Return how a game builds designs to a budget, or None where designs have no common price."""
    return cast(Building, game) if hasattr(game, "build_at") else None


class Weight(NamedTuple):
    """Something that the players of a game value, as a whole number."""

    name: str
    default: int
    low: int
    high: int
    says: str
    """What it is put on."""


class Weighing(Protocol):
    """What a game may offer beside :class:`Game` whose players weigh what they do. It offers all or none.

    A side of a file then has ``weights``: a table of them, or the name of one; a file has tables ``[weights.NAME]``,
    each with ``values`` and whom they are for, a ``design`` or a ``family``.
    """

    WEIGHED: str
    """The policy whose weights can be tuned."""
    TUNED: str
    """The policy that is the same by weights which were tuned for the design that it plays."""

    def weights(self) -> list[Weight]:
        """List the weights that the policy uses; the first is what the others are measured by."""

    def weigh(self, setup: Any, side: int, values: Mapping[str, int]) -> Any:
        """Return a copy of a setup in which a side (0 or 1) weighs by other values; weights not named stay."""

    def weighed_by(self, scenario: Any, side: str) -> str:
        """Say in a few words by which weights a side plays, ``"a"`` or ``"b"``; empty for the plain ones."""

    def families(self) -> dict[str, str]:
        """Return the families of designs that weights can be tuned for: name to what they have in common."""

    def family_of(self, scenario: Any, side: str) -> str:
        """Return the family of what a side plays, by its name."""


def weighing_of(game: "Game") -> Weighing | None:
    """Return how the players of a game weigh, or None where they have no weights."""
    return cast(Weighing, game) if hasattr(game, "weigh") else None


class Settling(Protocol):
    """What a game may offer whose sides can be random: how they are in one trial, so that they can stay so."""

    def settled(self, scenario: Any, rules: Any, key: Any, trial: int) -> dict[str, list[dict[str, Any]]]:
        """Return what is rolled of the sides ``"a"`` and ``"b"`` in one unit of trials, each as tables of a file."""


def settling_of(game: "Game") -> Settling | None:
    """Return how a game settles random sides, or None where none of its sides are random."""
    return cast(Settling, game) if hasattr(game, "settled") else None


class SeatAlone(Protocol):
    """What a game may offer whose units are two games with the seats swapped: one of the two alone."""

    def play_seat(self, setup: Any, state: Any, key: Any, first: int, end: int, seat: int, out: Any) -> None:
        """Play one seat of some units of a setup: a row of outcomes for each."""


def seat_alone_of(game: "Game") -> SeatAlone | None:
    """Return how a game plays one seat alone, or None where it plays whole units only."""
    return cast(SeatAlone, game) if hasattr(game, "play_seat") else None
