"""What is wrong with a fight under the rules: designs, units in their slots, lane, declarations (B-LAN-13)."""

from collections import Counter
from collections.abc import Callable, Iterator

from simkit.games.battlesystem import crt, lane
from simkit.games.battlesystem.lane import LaneTable
from simkit.games.battlesystem.march import BROKEN
from simkit.games.battlesystem.ratings import AVERAGED, rate
from simkit.games.battlesystem.roster import design_of, likely, slots
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import SIDES, SLOTS, Policy, Scenario, SideName, Unit
from simkit.games.battlesystem.tables import KeyPath
from simkit.games.battlesystem.units import MOST_PARTS, Design, UnknownUnitError, mount_of, rider_of
from simkit.games.protocol import Complaint

BATTLE: KeyPath = ("scenario",)
DECLARES: dict[Policy, str] = {"set": "set", "wall": "wall", "wall_advance": "wall"}
"""What policies declare whenever they may."""

BANS = {"woods": "B-TER-3", "rough": "B-TER-6", "swamp": "B-TER-7", "water": "B-TER-8"}
"""Which rule keeps a unit from being closed on a ground."""


def complaints(scenario: Scenario, rules: Rules) -> list[Complaint]:
    """Return every reason why a fight is illegal under these rules; empty when it is legal.

    Examples
    --------
    >>> fight = {"sides": {"a": {"design": "pikeman"}, "b": {"design": "orcs", "policy": "set"}}}
    >>> [(one.message, one.id) for one in complaints(Scenario.model_validate(fight), Rules())]
    [("no design is called 'pikeman'", 'B-LAN-26'), ('spears or pikes are needed to set them', 'B-SET-1')]
    """
    found: list[Complaint] = []
    for name, design in scenario.designs.items():
        found += design_complaints(design, rules, ("designs", name))
    for side in SIDES:
        found += _places(scenario, side)
        for i, unit in enumerate(scenario.side(side).every_unit):
            found += _unit(scenario, rules, side, i, unit)
    found += _lane(scenario)
    return found


def _path(scenario: Scenario, side: SideName, i: int, *key: str | int) -> KeyPath:
    """Return where a setting of a unit stands in the file."""
    listed = scenario.side(side).units is not None
    return ("sides", side, "units", i, *key) if listed else ("sides", side, *key)


# Designs


def design_complaints(design: Design, rules: Rules, at: KeyPath) -> list[Complaint]:
    """Complain about names that are no presets, and about damage that cannot be looked up."""
    found = []
    named: list[tuple[KeyPath, Callable[[str], object], object]] = [
        (("rider",), rider_of, design.rider),
        (("mount",), mount_of, design.mount),
        *((("crew", i), rider_of, one) for i, one in enumerate(design.crew or [])),
        *((("team", i), mount_of, one) for i, one in enumerate(design.team or [])),
    ]
    for path, look_up, name in named:
        try:
            if isinstance(name, str):
                look_up(name)
        except UnknownUnitError as error:
            message, _, help = str(error).partition("; ")
            found.append(Complaint((*at, *path), message, "B-UNI-4", help))
    return found or list(_damage(design, rules, at))


def _damage(design: Design, rules: Rules, at: KeyPath) -> Iterator[Complaint]:
    rating = rate(design, rules)
    if len(rating.parts) > MOST_PARTS:
        message = f"{len(rating.parts)} damage dice; a figure has room for {MOST_PARTS}"
        yield Complaint(at, message, "B-MEL-3", "write dice that are alike as one, such as 2d6")
    parts = rating.parts
    for dice in crt.missing(parts, rules):
        yield _no_column(at, dice)
    if design.bow_damage is not None and rules.crt == "table":
        for dice in crt.missing([parts[0]._replace(dice=design.bow_damage)] if parts else [], rules):
            yield _no_column((*at, "bow_damage"), dice)


def _no_column(at: KeyPath, dice: str) -> Complaint:
    if dice == AVERAGED:
        return Complaint(at, "crt_table has no results for averaged damage", "B-MEL-1", 'chariot_damage = "sum"')
    message = f"crt_table has no results for {dice}"
    return Complaint(at, message, "B-MEL-1", f'add "{dice}" to crt_table, or use crt = "expected_linear"')


# Units


def _places(scenario: Scenario, side: SideName) -> Iterator[Complaint]:
    """Complain about units that share a place, or have none (B-LAN-27)."""
    units = scenario.side(side).every_unit
    where = list(zip(slots(scenario.side(side)), [unit.reserve for unit in units], strict=True))
    for i, (slot, reserve) in enumerate(where):
        path = _path(scenario, side, i, "slot")
        if slot < 0:
            message = "a reserve stands behind a unit" if reserve else f"a side has {SLOTS} slots"
            help = "name its slot, or list it after the unit before it" if reserve else "reserve = true"
            yield Complaint(path, message, "B-LAN-27", help)
        elif (slot, reserve) in where[:i]:
            message = f"two {'reserves' if reserve else 'units'} in slot {slot}"
            yield Complaint(path, message, "B-LAN-27", "one unit and one reserve behind it")
        elif reserve and (slot, False) not in where:
            yield Complaint(path, f"a reserve in slot {slot}, and no unit before it", "B-LAN-27", "leave reserve out")


def _unit(scenario: Scenario, rules: Rules, side: SideName, i: int, unit: Unit) -> Iterator[Complaint]:
    if unit.abreast > unit.figures:
        message = f"{unit.abreast} files of {unit.figures} figures"
        yield Complaint(_path(scenario, side, i, "files"), message, "B-LAN-4", f"at most {unit.figures} files")
    if unit.ranks is not None and unit.ranks > unit.figures:
        message = f"{unit.ranks} ranks of {unit.figures} figures"
        yield Complaint(_path(scenario, side, i, "ranks"), message, "B-LAN-4", f"at most {unit.figures} ranks")
    deep = -(-unit.figures // unit.abreast)
    if unit.ranks is not None and unit.ranks <= unit.figures and unit.ranks != deep:
        message = f"{unit.figures} figures do not stand {unit.ranks} deep: {unit.abreast} abreast they are {deep} ranks"
        yield Complaint(_path(scenario, side, i, "ranks"), message, "B-LAN-4", f"ranks = {deep}, or other figures")
    path = _path(scenario, side, i, "design")
    try:
        design = design_of(scenario, unit)
    except UnknownUnitError:
        name = str(unit.design)
        yield Complaint(path, f"no design is called '{name}'", "B-LAN-26", likely(scenario, name))
        return
    if not isinstance(unit.design, str) or unit.design not in scenario.designs:
        yield from design_complaints(design, rules, path)
    try:
        swims = rate(design, rules).swim is not None
    except UnknownUnitError:
        return  # told of the design above
    yield from _standing(scenario, side, i, unit, swims)
    yield from _declared(scenario, side, i, unit, design)


def _standing(scenario: Scenario, side: SideName, i: int, unit: Unit, swims: bool) -> Iterator[Complaint]:
    """Complain about units that begin where they cannot stand, or cannot stand closed (B-TER-3, B-TER-8)."""
    battle = scenario.scenario
    if lane.complaints(battle.lane or LaneTable(), length=battle.length):
        return
    ground = battle.ground if side == "a" else battle.ground.mirrored()
    place = battle.fronts[0] if side == "a" else battle.length - battle.fronts[1]
    kind = ground.behind(place).kind
    if kind == "water" and not swims:
        message = f"side {side} would begin in water"
        yield Complaint(_path(scenario, side, i, "design"), message, "B-TER-8", 'exempt = ["water"], or swim = 12')
    elif kind in BROKEN and unit.formation == "closed":
        message = f"a closed unit would begin in {'rough ground' if kind == 'rough' else kind}"
        path = _path(scenario, side, i, "formation")
        yield Complaint(path, message, BANS[kind], 'formation = "open", or another lane')


def _declared(scenario: Scenario, side: SideName, i: int, unit: Unit, design: Design) -> Iterator[Complaint]:
    """Complain about policies and declarations that the unit can never have (B-SHW-1, B-SET-1, B-LAN-26)."""
    policy = scenario.policy_of(side, unit)
    start = scenario.scenario.start.a if side == "a" else scenario.scenario.start.b
    at: KeyPath = ("policy",)
    if unit.policy is not None:
        at = _path(scenario, side, i, "policy")
    elif scenario.side(side).policy is not None:
        at = ("sides", side, "policy")
    declared = [(at, DECLARES[policy])] if policy in DECLARES else []
    declared.append(((*BATTLE, "start", side), start.removesuffix("_round")))
    for path, what in declared:
        if what in ("set", "wall"):
            yield from _unable(path, what, unit, design)
    if policy == "skirmish" and design.bow == "none":
        yield Complaint(at, "skirmishing needs a bow", "B-LAN-26", 'bow = "short" and bow_damage = "1d6"')
    other, contact = ("b", scenario.scenario.contact_b) if side == "a" else ("a", scenario.scenario.contact)
    if start == "wall_round" and contact != "front":
        key = "contact_b" if side == "a" else "contact"
        message = f"side {other} cannot strike the {contact} of a wall all round: it has none"
        yield Complaint((*BATTLE, key), message, "B-SHW-3", f'{key} = "front"')


def _unable(path: KeyPath, what: str, unit: Unit, design: Design) -> Iterator[Complaint]:
    name, id = ("a shield wall", "B-SHW-1") if what == "wall" else ("set spears", "B-SET-1")
    if what == "wall" and not design.large_shields:
        yield Complaint(path, "large shields are needed for a shield wall", id, "large_shields = true")
    if what == "set" and design.arm not in ("spear", "pike"):
        yield Complaint(path, "spears or pikes are needed to set them", id, 'arm = "spear" or "pike"')
    if unit.formation != "closed":
        yield Complaint(path, f"{name} needs a closed unit, not {unit.formation}", id, 'formation = "closed"')
    if not design.in_command:
        yield Complaint(path, f"{name} needs a unit in command", id, "in_command = true")


# Lane


def _lane(scenario: Scenario) -> Iterator[Complaint]:
    battle = scenario.scenario
    yield from lane.complaints(battle.lane or LaneTable(), (*BATTLE, "lane"), battle.length)
    if not battle.length and not battle.in_contact:
        key: KeyPath = ("lane", "length") if battle.distance is None else ("distance",)
        yield Complaint((*BATTLE, *key), "the fronts would touch at once", "B-LAN-17", "in_contact = true says so")
    for side, start in zip(SIDES, (battle.start.a, battle.start.b), strict=True):
        if start == "charge" and not battle.in_contact:
            path = (*BATTLE, "start", side)
            yield Complaint(path, "a charge at the start needs fronts that touch", "B-LAN-15", "in_contact = true")
    if Counter((battle.start.a, battle.start.b))["charge"] > 1:
        message = "both sides have charged: one of them made the contact"
        yield Complaint((*BATTLE, "start", "b"), message, "B-LAN-17", 'b = "none"')
