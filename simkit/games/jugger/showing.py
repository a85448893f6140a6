"""Jugs as people look them up: published designs, and any design with its ratings and how they came about."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, cast

from simkit.games.jugger import aliases, designs, roster
from simkit.games.jugger.designs import Design
from simkit.games.jugger.items import written
from simkit.games.jugger.ratings import ARCS, RANGES, Ratings, ratings
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import SIDES, Scenario, SideName, Unit
from simkit.games.protocol import Rated


def preset_names() -> list[str]:
    """List the ids of the published designs."""
    return list(designs.load())


def preset_table(name: str) -> dict[str, Any]:
    """Return a published design as the table of a design in a file.

    Raises
    ------
    simkit.games.jugger.designs.UnknownDesignError
        No published design has that name.

    Examples
    --------
    >>> preset_table("archer")["size"]
    3
    """
    return designs.find(name).model_dump(exclude_unset=True)


def rate_preset(name: str, rules: Rules) -> Rated:
    """Rate a published design.

    Raises
    ------
    simkit.games.jugger.designs.UnknownDesignError
        No published design has that name.

    Examples
    --------
    >>> rated = rate_preset("Windrammer", Rules())
    >>> rated.row["ram"], rated.steps[1]
    ('1d6+7', 'Acceleration 3: 1 (J-ACC-1) + 2 sails x 1 (J-EQ-2).')
    """
    design = designs.find(name)
    id = next(id for id, known in designs.load().items() if known is design)
    return _rated(id, design.title or id, design, rules)


def rate_scenario(scenario: Scenario, rules: Rules) -> list[Rated]:
    """Rate every design of a legal battle once: those of its file, then those that the sides bring."""
    found = {name: _rated(name, design.title or name, design, rules) for name, design in scenario.designs.items()}
    for side in SIDES:
        for name, unit in _brought(scenario, side):
            if name not in found:
                design = roster.design_of(scenario, unit)
                found[name] = _rated(name, roster.title(scenario, unit), design, rules)
    return list(found.values())


def _brought(scenario: Scenario, side: SideName) -> Iterator[tuple[str, Unit]]:
    """Yield the units of a side with the names of their designs; one that stands in the unit goes by its place."""
    every = scenario.side(side).every_unit
    for i, unit in enumerate(every):
        if isinstance(unit.design, str):
            own = unit.design in scenario.designs
            yield unit.design if own else aliases.plain(unit.design).replace("_", "-"), unit
        else:
            yield f"side {side}" + (f", unit {i + 1}" if len(every) > 1 else ""), unit


def _rated(name: str, title: str, design: Design, rules: Rules) -> Rated:
    found = ratings(design, rules)
    row = {
        "hits": str(found.hits),
        "up": str(found.acceleration),
        "down": str(found.deceleration),
        "turns": str(found.turn_rate),
        "top speed": "none" if found.top_velocity is None else str(found.top_velocity),
        "ram": found.ram or "none",
        **{f"damage at {away}": f"{float(found.damage['front'][away]):.1f}" for away in RANGES},
        "kills at 1": f"{float(found.kills['front'][1]):.0%}",
    }
    numbers = {
        "size": design.size,
        "equipment": list(written(design.items)),
        "hits": found.hits,
        "printed_hits": found.printed_hits,
        "acceleration": found.acceleration,
        "deceleration": found.deceleration,
        "turn_rate": found.turn_rate,
        "top_velocity": found.top_velocity,
        "ram": found.ram,
        "kick": found.kick,
        **{what: _by_place(getattr(found, what)) for what in ("damage", "kills")},
    }
    illegal = tuple(f"{one.message} ({one.id})" for one in designs.complaints(design, rules))
    return Rated(name, title, row, numbers, tuple(_steps(design, found, rules)), illegal)


def _by_place(table: Any) -> dict[str, dict[str, int | str]]:
    """Return expected values by arc and range as plain data."""
    return {arc: {str(away): _exactly(table[arc][away]) for away in RANGES} for arc in ARCS}


def _exactly(value: Fraction) -> int | str:
    return int(value) if value.denominator == 1 else str(value)


# How it came about

ADDED: dict[str, list[tuple[str, str]]] = {
    "acceleration": [("gears", "gears_acceleration"), ("sails", "sails_acceleration"), ("speed", "speed_acceleration")],
    "deceleration": [
        ("brakes", "brakes_deceleration"),
        ("sails", "sails_deceleration"),
        ("legs", "legs_deceleration"),
        ("balance", "balance_deceleration"),
    ],
    "turn_rate": [("steering", "steering_turns"), ("legs", "legs_turns"), ("cornering", "cornering_turns")],
}
"""What adds to a rate of movement: an item or an ability of the captain, and the rule that says how much."""


def _steps(design: Design, found: Ratings, rules: Rules) -> Iterator[str]:
    have = Counter(item.kind for item in design.items) + Counter(design.abilities)
    yield _hits(design, found, rules)
    for what, word in (("acceleration", "Acceleration"), ("deceleration", "Deceleration"), ("turn_rate", "Turns")):
        base = f"base_{what}"
        terms = [f"{getattr(rules, base)} ({_id(base)})"]
        terms += [_term(have[kind], kind, rules, field) for kind, field in ADDED[what] if have[kind]]
        yield f"{word} {getattr(found, what)}: {' + '.join(terms)}."
    if found.top_velocity is not None:
        yield f"Top speed {found.top_velocity}: with legs ({_id('legs_top_velocity')})."
    if found.ram:
        terms = [f"{rules.ram_dice} and the size {design.size} ({_id('ram_dice')})"]
        if have["reinforced_ram"]:
            terms.append(_term(have["reinforced_ram"], "reinforced_ram", rules, "ram_bonus"))
        yield f"Ram {found.ram}, times the velocity in a side ram: {' + '.join(terms)}."
    if found.kick:
        size = f" and the size {design.size}" if rules.kick_adds_size else ""
        yield f"Kick {found.kick}: {rules.kick_dice}{size} ({_id('kick_dice')})."
    if design.weapons or found.kick:
        arms = [*written(design.weapons), *(["the kick"] if found.kick else [])]
        yield (
            f"Damage a turn, ahead at 1 hex: {float(found.damage['front'][1]):.4g} expected of {', '.join(arms)}, "
            "if all that reach attack and none is lost (J-ATK-1, J-ATK-3)."
        )
    if design.abilities:
        yield f"Its captain: {', '.join(design.abilities)} (J-CAP-1)."


def _hits(design: Design, found: Ratings, rules: Rules) -> str:
    if rules.printed_hits and design.printed_hits is not None:
        return f"Hits {found.hits}: as printed ({_id('printed_hits')})."
    have = Counter(item.kind for item in design.items)
    terms = [f"size {design.size} x {rules.hits_per_size} ({_id('hits_per_size')})"]
    if have["armor"]:
        terms.append(_term(have["armor"], "armor", rules, "armor_hits"))
    shields = sum(item.size for item in design.items if item.kind == "shield_arm")
    if shields:
        terms.append(f"size {shields} of shield arms x {rules.shield_arm_hits} ({_id('shield_arm_hits')})")
    other = f"; its list prints {found.printed_hits} ({_id('printed_hits')})" if found.printed_hits else ""
    return f"Hits {found.hits}: {' + '.join(terms)}{other}."


def _term(count: int, kind: str, rules: Rules, field: str) -> str:
    times = f"{count} " if count > 1 else ""
    return f"{times}{kind.replace('_', ' ')} x {getattr(rules, field)} ({_id(field)})"


def _id(field: str) -> str:
    extra = cast(dict[str, str], Rules.model_fields[field].json_schema_extra)
    return extra["id"]
