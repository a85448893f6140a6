"""Sums taken apart for those who retell a battle: AR', AC', morale, movement, and what one roll kills.

Every function returns the parts of a number that an event states. Who tells them compares their sum with the event's
number and says the parts only where both agree.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from simkit.games.battlesystem.crt import killed
from simkit.games.battlesystem.ratings import Part
from simkit.games.battlesystem.staging import Cast, Member
from simkit.games.battlesystem.tables import GRID
from simkit.games.battlesystem.track import FLANK, FRONT, REAR, Contact, Standing, View, walled


class Term(NamedTuple):
    """One part of a sum."""

    value: int
    why: str
    id: str = ""


def melee_index(cast: Cast, view: View, contact: Contact, side: int) -> list[Term]:
    """Return AR and what changes it, then AC and what changes that, with their signs in AR' - AC' (B-LAN-19)."""
    rules = cast.rules
    mine, other = (cast.member(contact.units[k]) for k in (side, 1 - side))
    enemy = view.unit(other.seat)
    struck = view.struck_on(contact, side)
    terms = [Term(mine.rating.ar, "AR")]
    if contact.charging(side, view.scene.round) and mine.mounted and not contact.met_set[1 - side]:
        terms.append(Term(-rules.charge_bonus, "charging", "B-CHG-1"))
    if struck != FRONT:
        bonus = {FLANK: rules.flank_bonus, REAR: rules.rear_bonus}[struck]
        terms.append(Term(-bonus, f"on the {struck}", "B-MEL-4"))
    if contact.bogged[side]:
        terms.append(Term(rules.ditch_penalty, "out of low ground", "B-TER-10"))
    terms.append(Term(-other.rating.ac, "AC"))
    if walled(enemy, struck):
        terms.append(Term(rules.wall_melee, "shield wall", "B-SHW-2"))
    return terms


def missile_index(cast: Cast, view: View, seat: int, foe: int) -> list[Term]:
    """Return the same of a volley: AR, range and cover, AC and a wall (B-LAN-18)."""
    rules = cast.rules
    mine, other = cast.member(seat), cast.member(foe)
    target = view.unit(foe)
    terms = [Term(mine.rating.ar, "AR")]
    _, penalty, name = in_range(cast, view, seat, foe)
    if penalty:
        terms.append(Term(penalty, f"{name} range", "B-MIS-1"))
    stands, ahead = cast.stands(target.place, other.side), cast.ahead(target.place, other.side)
    if stands.kind == "woods" and ahead.kind != "woods":
        terms.append(Term(rules.cover_woods, "cover of woods", "B-MIS-2"))
    if view.ditch(foe):
        terms.append(Term(rules.cover_obstacle, "cover of an obstacle", "B-MIS-2"))
    terms.append(Term(-other.rating.ac, "AC"))
    if walled(target, FRONT if target.all_round else view.strikes(seat, foe)):
        terms.append(Term(rules.wall_missile, "shield wall", "B-SHW-2"))
    return terms


def in_range(cast: Cast, view: View, seat: int, foe: int) -> tuple[int, int, str]:
    """Return the distance of a shot in 36ths, the penalty of its range, and what that range is called."""
    rules, gap = cast.rules, view.gap(seat, foe)
    bands = zip(cast.member(seat).ranges, (0, rules.medium_penalty, rules.long_penalty), strict=True)
    for (most, penalty), name in zip(bands, ("short", "medium", "long"), strict=True):
        if gap <= most * GRID:
            return gap, penalty, name
    return gap, 0, "no"


def morale(cast: Cast, seat: int, unit: Standing) -> list[Term]:
    """Return morale and what changes it (B-LAN-24)."""
    rules, member = cast.rules, cast.member(seat)
    lost, start = member.figures - unit.figures, member.figures
    terms = [Term(member.design.ml, "morale")]
    if unit.closed:
        terms.append(Term(rules.morale_closed, "closed"))
    if lost * 4 >= start * 3:
        terms.append(Term(-rules.morale_three_quarters, "three quarters lost"))
    elif lost * 2 >= start:
        terms.append(Term(-rules.morale_half, "half lost"))
    if unit.rear:
        terms.append(Term(-rules.morale_rear, "attacked in the rear"))
    if not member.design.in_command:
        terms.append(Term(-rules.morale_command, "out of command"))
    if member.design.commander_killed:
        terms.append(Term(-rules.morale_commander, "commander killed"))
    return terms


class Hit(NamedTuple):
    """What one part of an attack kills."""

    part: Part
    hit_dice: int
    """Before doubling."""
    factor: int


def hits(parts: Sequence[Part], ratio: int, n: int, cast: Cast, *, charging: bool, twice: bool) -> list[Hit]:
    """Return what every part of an attack kills with a roll that comes to `n` (B-MEL-1, B-MEL-3, B-LAN-1)."""
    return [
        Hit(part, killed(n, part, ratio, cast.rules), 2 if twice or (charging and part.doubles) else 1)
        for part in parts
    ]


def doubled(cast: Cast, view: View, contact: Contact, side: int) -> tuple[bool, bool]:
    """Tell whether weapons that double in a charge do, and whether set spears double everything (B-CHG-2, B-SET-2)."""
    now = view.scene.round
    twice = cast.rules.set_doubles and contact.met_set[side] and contact.charging(1 - side, now)
    return contact.charging(side, now), twice


# Movement


class Change(NamedTuple):
    """What changes the share of its normal move that a unit has."""

    by: Fraction
    why: str


def share(changes: Sequence[Change], cast: Cast) -> Fraction:
    """Return the share of its normal move that is left (B-LAN-9)."""
    part = Fraction(1)
    for change in changes:
        part = part * (1 + change.by) if cast.rules.terrain_stack == "multiply" else part + change.by
    return part


def cost(kind: str, cast: Cast) -> Fraction:
    """Return the share of a move that a kind of ground, obstacle or rise costs."""
    field = {"barrier": "obstacle_cost", "ditch": "obstacle_cost"}.get(kind, f"{kind}_cost")
    return cast.rules.fraction(field)


def spent(cast: Cast, member: Member, start: int, end: int) -> Fraction:
    """Return what a way takes of the allowance, in 36ths: its length, in water at the swimmer's rate (B-LAN-10)."""
    low, high = sorted((start, end))
    swim = member.rating.swim
    total = Fraction(high - low)
    if swim:
        wet = sum(max(0, min(high, one.end) - max(low, one.start)) for one in cast.lane.segments if one.kind == "water")
        total += wet * (member.rating.move / swim - 1)
    return total
