"""A unit's own movement phase: tests, declarations, policies, the move (B-LAN-11, B-LAN-13 to 17, B-LAN-26)."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tests.naive.battlesystem import movement
from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.follow import chosen
from tests.naive.battlesystem.lane import way
from tests.naive.battlesystem.missiles import ranges
from tests.naive.battlesystem.unit import Unit

if TYPE_CHECKING:
    from tests.naive.battlesystem.battle import Battle


def may_wall(unit: Unit, closed: bool) -> bool:
    """Tell whether a unit may declare a shield wall (B-SHW-1)."""
    return closed and unit.design.in_command and unit.design.large_shields and unit.declaration == t.NONE


def may_set(unit: Unit, closed: bool) -> bool:
    """Tell whether a unit may set spears or pikes (B-SET-1)."""
    return closed and unit.design.in_command and unit.design.arm in ("spear", "pike") and unit.declaration == t.NONE


def may_close(battle: "Battle", unit: Unit) -> bool:
    """Tell whether a unit that was opened closes again in this phase, if it does not charge (B-LAN-11)."""
    ground = battle.lane.stands(unit.place, unit.side).kind
    return (
        battle.rules.reform and unit.opened and not unit.shot_early and unit.design.in_command
        and not battle.contacts_of(unit) and ground not in t.LOOSENING
    )  # fmt: skip


def charge_of(battle: "Battle", unit: Unit, foe: Unit | None) -> movement.March | None:
    """Return a unit's charge if it is legal (B-LAN-16)."""
    if foe is None or battle.contacts_of(unit) or unit.shot_early or unit.declaration in t.STANDS:
        return None
    return movement.charge(battle.lane, unit, foe, battle.rules)


def legal(battle: "Battle", unit: Unit, closed: bool, foe: Unit | None) -> list[str]:
    """Return what `best` may choose."""
    choices = ["none"]
    choices += ["wall"] * may_wall(unit, closed) + ["set"] * may_set(unit, closed)
    if not battle.contacts_of(unit):
        choices += ["charge"] * (charge_of(battle, unit, foe) is not None) + ["advance"] * (not unit.shot_early)
    return choices


def act(battle: "Battle", unit: Unit) -> None:
    """Play a unit's own movement phase, a to d (B-LAN-13)."""
    if battle.rules.declaration_lasts == "own_next_move":
        battle.lapse(unit)
    closed = unit.closed
    if battle.contacts_of(unit):
        act_in_contact(battle, unit, closed)
        return
    foe = battle.foe_of(unit)
    order = chosen(battle, unit, legal(battle, unit, closed, foe)) if unit.policy == "best" else unit.policy
    charge = charge_of(battle, unit, foe) if order == "charge" else None
    if charge is not None and foe is not None:
        battle.charges[unit.side] += 1
        battle.write(t.DECLARE, unit, value=t.CHARGE)
        battle.carry_out(unit, charge)
        unit.charge = (charge.f, charge.spent, charge.paid)
        battle.meet(unit, foe, charged=True)
        return
    f = declare(battle, unit, order, closed)
    if foe is not None and not unit.shot_early:
        walk(battle, unit, foe, order, f)


def act_in_contact(battle: "Battle", unit: Unit, closed: bool) -> None:
    """Declare in contact, where nobody moves; under `turn_to_face` face the only enemy first (B-LAN-6, B-LAN-26)."""
    contacts = battle.contacts_of(unit)
    if battle.rules.turn_to_face and len(contacts) == 1 and contacts[0].round < battle.round:
        how = contacts[0].how
        contacts[0].how = (how[0], "front") if unit.side == 0 else ("front", how[1])
    order = chosen(battle, unit, legal(battle, unit, closed, None)) if unit.policy == "best" else unit.policy
    if order == "set" and unit.policy != "best":
        order = "none"
    declare(battle, unit, order, closed)
    if unit.declaration not in t.SETS:  # setting them again later gains nothing (B-LAN-15)
        for contact in contacts:
            contact.dropped[unit.side] = True


def declare(battle: "Battle", unit: Unit, order: str, closed: bool) -> Fraction:
    """Close again, or declare what the order asks for and the rules allow; return the fraction of movement left."""
    rules = battle.rules
    f = Fraction(1)
    if may_close(battle, unit):
        battle.write(t.DECLARE, unit, value=t.REFORM)
        battle.write(t.CLOSE, unit)
        unit.formation, unit.opened = "closed", False
        return movement.change(f, -rules.reform_move, rules)
    if order in ("wall", "wall_advance") and may_wall(unit, closed):
        unit.declaration = t.WALL
        battle.write(t.DECLARE, unit, value=t.WALL)
    elif order == "set" and may_set(unit, closed):
        unit.declaration = t.SET
        battle.write(t.DECLARE, unit, value=t.SET)
        f = movement.change(f, -rules.set_move, rules)
    if unit.declaration == t.WALL:
        f = movement.change(f, -rules.wall_move, rules)
    return Fraction(0) if unit.declaration == t.WALL_ROUND else f


def goal_of(battle: "Battle", unit: Unit, foe: Unit, order: str) -> tuple[int, bool] | None:
    """Return how far an order leads a unit, and whether into contact; nothing if it stays (B-LAN-26)."""
    rules: Any = battle.rules
    there = unit.place + way(unit.side) * unit.gap(foe)
    if order in ("advance", "wall_advance", "charge"):
        stop_short = order == "charge" and not movement.barred(battle.lane, unit, foe)
        into = rules.walk_in and not stop_short and unit.declaration not in t.SETS
        keep = 0 if into else int(rules.charge_least * t.INCH)
    elif order == "skirmish" and unit.design.bow != "none":
        into, keep = False, ranges(unit, rules)[2] * t.INCH
    else:
        return None
    goal = there - way(unit.side) * keep
    return (goal, into) if into or way(unit.side) * (goal - unit.place) > 0 else None


def walk(battle: "Battle", unit: Unit, foe: Unit, order: str, f: Fraction) -> None:
    """Make an ordinary move (B-LAN-9, B-LAN-17)."""
    where = goal_of(battle, unit, foe, order)
    if where is None:
        return
    goal, into = where
    march = movement.move(battle.lane, unit, f, goal, into, battle.rules)
    battle.carry_out(unit, march)
    if into and march.met:
        battle.meet(unit, foe, charged=False)
