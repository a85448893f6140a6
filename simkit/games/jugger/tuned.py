"""Whose weights a side plays by: the plain ones, its own, or those that were tuned for its design or its family.

Whoever plays a strange design by plain weights may play it badly, and a design that is played badly looks weak. The
player ``tuned`` therefore looks up what was found by trial for this design; where nothing was, for its family; and
plays by the plain weights only where neither is known. The weights of an experiment come before those that are
shipped. Designs are told apart by what they are, not by their names.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from simkit.games.jugger import aliases, designs
from simkit.games.jugger.designs import DATA, Design, UnknownDesignError
from simkit.games.jugger.roster import likely, roster
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import SIDES, Scenario, SideName, Tuning
from simkit.games.jugger.weights import AHEAD, TABLE, WEIGHTS
from simkit.games.protocol import Complaint, Weight

WEIGHED = "greedy"
"""The policy whose weights can be tuned."""

TUNED = "tuned"
"""The policy that looks its weights up, and what a side calls those that it would find."""

FAR = 4
"""Range in hexes from which a weapon is one that shoots."""

DRIVES = {"legs": "on legs", "sails": "under sail", "plain": "without legs or sails"}
REACHES = {"far": "that shoot", "near": "that fight at close quarters"}


class Choice(NamedTuple):
    """The weights of a side, and in a few words which they are."""

    values: Mapping[str, int]
    words: str
    """Empty for the plain weights of a policy that was not asked for others."""


def chosen(scenario: Scenario, side: SideName) -> Choice:
    """Return the weights that a side of a legal battle plays by.

    Examples
    --------
    >>> duel = {"sides": {"a": {"design": "archer", "weights": {"aim": 3}}, "b": {"design": "axer"}}}
    >>> first, second = (chosen(Scenario.model_validate(duel), side) for side in SIDES)
    >>> first.words, first.values["aim"], second.words, second.values["aim"]
    ('weights of its own', 3, '', 10)
    """
    policy, given = scenario.policy_of(side), scenario.side(side).weights
    plain = WEIGHTS[policy]
    if given is None and policy != TUNED:
        return Choice(plain, "")
    if isinstance(given, str) and given != TUNED:
        found = scenario.weights.get(given) or shipped()[given]
        return Choice({**plain, **_values(found.values)}, f"the weights {found.title or given}")
    if given is not None and given != TUNED:
        return Choice({**plain, **_values(given)}, "weights of its own")
    name, tuned = _looked_up(scenario, side)
    if tuned is None:
        return Choice(plain, f"plain weights, as none are tuned for {FAMILIES[family(_leader(scenario, side))]}")
    return Choice({**plain, **_values(tuned.values)}, f"weights tuned for {tuned.title or name}")


def _values(given: Any) -> dict[str, int]:
    return dict(given.model_dump(exclude_none=True))


def _looked_up(scenario: Scenario, side: SideName) -> tuple[str, Tuning | None]:
    """Find tuned weights: for the design of a side, own or shipped, then for its family."""
    leader = _leader(scenario, side)
    own = {_mark(_design(scenario, one)): name for name, one in scenario.weights.items() if one.design is not None}
    families = {one.family: name for name, one in scenario.weights.items() if one.family is not None}
    there = _shipped_for()
    lookups: list[tuple[Any, dict[Any, str], dict[Any, str]]] = [
        (_mark(leader), own, there[0]),
        (family(leader), families, there[1]),
    ]
    for key, mine, theirs in lookups:
        if key in mine:
            return mine[key], scenario.weights[mine[key]]
        if key in theirs:
            return theirs[key], shipped()[theirs[key]]
    return "", None


def _leader(scenario: Scenario, side: SideName) -> Design:
    """Return the design of which a side has most size classes, first of equals: a side has one player."""
    jugs = roster(scenario, side)
    classes: Counter[tuple[Any, ...]] = Counter()
    for design in jugs:
        classes[_mark(design)] += design.size
    most = max(classes, key=lambda mark: classes[mark])
    return next(design for design in jugs if _mark(design) == most)


def _design(scenario: Scenario, tuning: Tuning) -> Design:
    design = tuning.design
    if isinstance(design, Design):
        return design
    return scenario.designs.get(str(design)) or designs.find(str(design))


def _mark(design: Design) -> tuple[Any, ...]:
    """Return what makes two designs the same: size, items and captain, in whatever order."""
    return design.size, tuple(sorted(design.items)), tuple(sorted(design.abilities))


# Families


def family(design: Design) -> str:
    """Return the family of a design: how it moves, and whether it shoots.

    Examples
    --------
    >>> [family(designs.find(name)) for name in ("archer", "cutter", "windrammer", "desert-rat")]
    ['plain-far', 'legs-near', 'sails-near', 'legs-far']
    """
    drive = next((kind for kind in ("legs", "sails") if design.count(kind)), "plain")
    return f"{drive}-{'far' if any(item.kind in _shooting() for item in design.weapons) else 'near'}"


@cache
def _shooting() -> frozenset[str]:
    """The weapons that shoot, by the rules of record: the family of a design does not change with the rules."""
    return frozenset(kind for kind, row in Rules().weapons.items() if row.range >= FAR)


FAMILIES: Mapping[str, str] = {
    f"{drive}-{reach}": f"jugs {on} {what}" for drive, on in DRIVES.items() for reach, what in REACHES.items()
}
"""Every family, and what its designs have in common."""


# What is shipped


@cache
def shipped() -> Mapping[str, Tuning]:
    """Return the tuned weights that are shipped, by name."""
    files = sorted((DATA / "tuned").glob("*.toml"))
    tables = [tomllib.loads(path.read_text(encoding="utf-8"))["weights"] for path in files]
    return {name: Tuning.model_validate(table) for found in tables for name, table in found.items()}


@cache
def _shipped_for() -> tuple[dict[Any, str], dict[Any, str]]:
    """Return the names of the shipped weights, by what makes their design, and by family."""
    designs_of = {name: one.design for name, one in shipped().items() if one.design is not None}
    marks = {_mark(one if isinstance(one, Design) else designs.find(one)): name for name, one in designs_of.items()}
    return marks, {one.family: name for name, one in shipped().items() if one.family is not None}


# The door


def complaints(scenario: Scenario) -> Iterator[Complaint]:
    """List what is wrong with the weights of a battle."""
    for name, tuning in scenario.weights.items():
        if tuning.family is not None and tuning.family not in FAMILIES:
            hint = aliases.suggestion(tuning.family, FAMILIES)
            yield Complaint(("weights", name, "family"), f"no family of designs is called '{tuning.family}'", help=hint)
        if isinstance(tuning.design, str):
            try:
                _design(scenario, tuning)
            except UnknownDesignError:
                hint = likely(scenario, tuning.design)
                yield Complaint(("weights", name, "design"), f"no design is called '{tuning.design}'", "J-ARM-1", hint)
        elif tuning.design is not None:
            yield from designs.complaints(tuning.design, Rules(), ("weights", name, "design"))
    for side in SIDES:
        given, policy, path = scenario.side(side).weights, scenario.policy_of(side), ("sides", side, "weights")
        if given is None:
            continue
        if policy in ("hold", "random"):
            message = f"side {side} has weights, and a player who weighs nothing: '{policy}'"
            yield Complaint(path, message, help='policy = "greedy", or one of those above it')
        elif policy == TUNED:
            message = f"side {side} has weights, and a player who looks them up: '{TUNED}'"
            yield Complaint(path, message, help='policy = "greedy", or leave weights out')
        elif isinstance(given, str) and given not in (TUNED, *scenario.weights, *shipped()):
            hint = aliases.suggestion(given, [TUNED, *scenario.weights, *shipped()])
            yield Complaint(path, f"no weights are called '{given}'", help=hint)


# What the game offers to whoever tunes


def weights() -> list[Weight]:
    """List the weights of a greedy player."""
    return [weight for weight in TABLE if weight.name not in AHEAD]


def weigh(setup: Any, side: int, values: Mapping[str, int]) -> Any:
    """Return a copy of a setup in which a side weighs by other values."""
    made = setup.copy()
    for name, value in values.items():
        made["weights"][side][name] = value
    return made


def weighed_by(scenario: Scenario, side: SideName) -> str:
    """Say by which weights a side plays; empty for the plain ones."""
    return chosen(scenario, side).words


def families() -> dict[str, str]:
    """Return every family of designs, and what they have in common."""
    return dict(FAMILIES)


def family_of(scenario: Scenario, side: SideName) -> str:
    """Return the family of the design of which a side has most size classes."""
    return family(_leader(scenario, side))
