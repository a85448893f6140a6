"""Other ways to read a rule: what a report plays to see how much an answer rests on a ruling or an assumed value.

A switch has its other named values, a yes or no the other one. A number has only the values that its game states: how
far it may well lie from the one that was chosen is a judgement, and belongs beside the rules.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast, get_args, get_origin

from pydantic.fields import FieldInfo

from simkit.games.protocol import Game, RuleSet


class Swing(NamedTuple):
    """One rule with another value."""

    path: str
    """Dotted path of the rule."""
    value: Any
    """The other value."""
    why: str
    """What kind of alternative it is, in words."""
    pinned: bool = False
    """True for a rule that every report shows, however little it moves."""


class Step(NamedTuple):
    """A whole number that may well lie so much lower or higher."""

    size: int


Numbers = Mapping[str, Step | Sequence[Any]]
"""By path what a game states of a number, of dice or of another value that has no names: a step, or other values."""

Hook = Callable[[Any, Any], list[Swing]]


def swings_of(game: Game) -> Hook | None:
    """Return how a game lists alternatives to its rulings, or None for one that states none.

    A game may offer ``swings(scenario, rules)`` beside what :class:`~simkit.games.protocol.Game` asks for: alternatives
    to the rulings and assumed values that a scenario rests on.
    """
    return cast(Hook | None, getattr(game, "swings", None))


def readings(rules: RuleSet, paths: Iterable[str], numbers: Numbers, pinned: Sequence[str] = ()) -> list[Swing]:
    """List the alternatives to the values that some rules have now.

    Parameters
    ----------
    rules
        The rule set in force.
    paths
        Dotted paths of the rules in question.
    numbers
        What the game states of those that have no named values; a rule that is not in it has no alternative.
    pinned
        Paths that every report shows: they come first, whether they are in question or not.

    Returns
    -------
    list of Swing
        In the order of the paths; values that the rule does not allow or has already are left out.

    Examples
    --------
    >>> from simkit.games.pigtickler.rules import Rules
    >>> [swing.value for swing in readings(Rules(), ["failed_stop", "hit_target"], {"hit_target": Step(1)})]
    ['runs_on', 'stops', 6, 8]
    """
    found = []
    for path in dict.fromkeys([*pinned, *paths]):
        value, info = _looked_up(rules, path)
        for other, why in _others(value, info, numbers.get(path, ())):
            if other != value:
                found.append(Swing(path, other, why, path in pinned))
    return found


def _others(value: Any, info: FieldInfo | None, stated: Step | Sequence[Any]) -> list[tuple[Any, str]]:
    hint = None if info is None else info.annotation
    if hint is bool:
        return [(not value, "the other reading")]
    if get_origin(hint) is Literal:
        named = [choice for choice in get_args(hint) if choice != value]
        return [(choice, "the other reading" if len(named) == 1 else "another reading") for choice in named]
    if isinstance(stated, Step):
        steps = ((value - stated.size, "a step lower"), (value + stated.size, "a step higher"))
        return [(other, why) for other, why in steps if _within(other, info)]
    return [(other, "another value") for other in stated]


def _within(value: int, info: FieldInfo | None) -> bool:
    """Tell whether a number lies between the limits of its field."""
    limits = [] if info is None else info.metadata
    return all(value >= getattr(limit, "ge", value) and value <= getattr(limit, "le", value) for limit in limits)


def _looked_up(rules: RuleSet, path: str) -> tuple[Any, FieldInfo | None]:
    """Return the value at a path, and the field that declares it; an entry of a table has none."""
    value: Any = rules
    info: FieldInfo | None = None
    for part in path.split("."):
        if isinstance(value, Mapping):
            value, info = value[part], None
        else:
            value, info = getattr(value, part), type(value).model_fields[part]
    return value, info
