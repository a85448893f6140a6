"""What a trace tells, why dice are thrown, how jugs and battles end, where damage comes from: the numbers of events."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple

KICK = 40
"""Item number of the legs' kick; weapons are numbered by their place in the list of weapons."""

FIREBALL = 41
"""Item number of the spell fireball."""

BOLT = 42
"""Item number of the spell lightning bolt."""


class What(IntEnum):
    """What an event tells. ``jug`` and ``foe`` are slots, places are packed (see :func:`place`)."""

    TURN = 0
    """A turn begins; value: its number."""
    INITIATIVE = 1
    """Initiative die of a side (foe) or of a jug; value: the total, extra: round of rerolls."""
    SEGMENT = 2
    """The segment of a side (foe), or of one jug, begins."""
    BREAK = 3
    """A held jug tries to break free of a foe; item: one weapon or -1 for all, value: 1 if it is free."""
    LET_GO = 4
    """A jug lets a foe go that a weapon held."""
    CAST_HASTE = 5
    """Haste is cast; roll: its turns."""
    CAST_RESTORE = 6
    """Restoration is cast; value: hits regained."""
    MOVE = 7
    """A jug begins its move; value: velocity chosen, extra: velocity before."""
    TURN_TO = 8
    """A jug turns; roll: 1 right, -1 left, value: its new facing."""
    ENTER = 9
    """A jug enters a hex; value: the place, extra: velocity after the loss."""
    STOP = 10
    """A jug stops without harm before legs, a friend (foe) or where it cannot drag on; value: the place it stays in."""
    COLLIDE = 11
    """A jug hits a wall (extra: its index), an obstacle or the rim; value: damage."""
    WALL_DOWN = 12
    """A stone wall falls; extra: its index."""
    EXIT = 13
    """A jug leaves the map."""
    DECLARE = 14
    """An attack is declared; foe -1 for wheel spikes."""
    TO_HIT = 15
    """Roll to hit; value: most that hits, extra: 1 if it hits."""
    REROLL = 16
    """The roll before is thrown again for a jug; extra: 0 luck, 1 fate."""
    BOARDERS_LOST = 17
    """A boarding party is lost."""
    DODGE = 18
    """A jug tries to dodge a foe's item (-1: its ram); value: 1 if it does."""
    DAMAGE = 19
    """Damage roll of an attack; roll: the dice, value: damage."""
    FIRE = 20
    """A fire; roll: turns, value: points, extra: 1 lit or prolonged, 0 nothing."""
    ROPE = 21
    """Roll for a rope; value: 0 topples, 1 holds, 2 snaps, extra: 1 for one that was out before."""
    SHIELD = 22
    """A spell of shield stops a foe's item (-1: its ram)."""
    TOPPLE = 23
    """An attack topples a foe unless its balance holds."""
    BALANCE = 24
    """A jug keeps its balance or not; value: 1 if it does."""
    CONTROL = 25
    """Damage control of an attack; value: damage that is left."""
    CUT = 26
    """A scythe cuts a foe in half."""
    CREW = 27
    """An attack kills a foe's crew."""
    CAPTURE = 28
    """Boarders take a foe."""
    GRAB = 29
    """A weapon takes hold of a foe."""
    FREED = 30
    """A hold of a jug on a foe ends."""
    ROPE_ENDS = 31
    """A rope of a jug on a foe ends."""
    HURT = 32
    """A jug loses hits; value: the sum of the moment, extra: hits left."""
    OUT = 33
    """A jug is out or taken; value: a :class:`Cause`, foe: the side that did it, extra: the place."""
    CRITICAL = 34
    """A critical roll; extra: the side that chooses a piece, -1 for none."""
    LOSE = 35
    """A jug loses a piece; item: its index, value: its kind, extra: the side that chose."""
    RAM = 36
    """A jug rams a foe; value: damage, extra: 0 head-on, 1 from the side, 2 from behind."""
    RAM_BACK = 37
    """The rammed jug (jug) damages the rammer (foe) head-on; value: damage."""
    PUSH = 38
    """A rammed jug is pushed; value: hexes moved, extra: the place."""
    BOUNCE = 39
    """A rammed jug is bounced forward; value: hexes moved, extra: the place."""
    FOLLOW = 40
    """A rammer follows what it pushes; value: hexes, extra: the place."""
    DRIVE_THROUGH = 41
    """A rammer drives on through a wreck; value: its velocity."""
    BURN = 42
    """A fire of a foe burns a jug; value: damage, extra: turns left."""
    SQUEEZE = 43
    """A hold of a jug damages a foe; value: damage."""
    PUT_OUT = 44
    """Damage control of a fire of a foe; value: 1 if it is out."""
    REPAIR = 45
    """A mechanic repairs; value: hits regained."""
    OVER = 46
    """The battle is over; foe: the side that won, -1 for a draw, value: the cause."""
    DEPLOY = 47
    """Deployment die of a side (foe); extra: round of rerolls."""
    SPELLS = 48
    """A wizard's number of spells; roll: how many."""
    SPELL = 49
    """One spell of a wizard; roll: its number on the D6."""
    CAPTAIN = 50
    """A captain is drawn; roll: his number in the table."""
    MOVE_TO = 51
    """A jug is moved without its doing (evasion, dragged); value: the place."""
    WALL_HITS = 52
    """Hits of a stone wall; extra: its index, value: hits."""
    NEW_SIDE = 53
    """A captured jug fights for another side; value: the side."""


class Purpose(IntEnum):
    """Why dice are thrown. The numbers are part of every address: they never change."""

    INITIATIVE = 0
    """D10 of a side or jug."""
    DEPLOY = 1
    """D10 of a side."""
    BREAK = 2
    """D6 to break free of a hold."""
    TO_HIT = 3
    """D6 of an attack."""
    DAMAGE = 4
    """The weapon's dice."""
    FIRE_TURNS = 5
    """D6 turns of a fire."""
    ROPE = 6
    """D6 of a rope at the ballista's hit."""
    ROPE_LATER = 7
    """D6 of a rope in an end phase."""
    BALANCE = 8
    """D6 against a topple."""
    EVADE = 9
    """D6 to dodge an attack or ram."""
    CONTROL = 10
    """D6 of damage control."""
    CRITICAL = 11
    """D6 for twenty hits lost."""
    REPAIR = 12
    """D3 of a mechanic."""
    WALL = 13
    """10D10 hits of a stone wall."""
    SPELL_COUNT = 14
    """2D6 spells of a wizard."""
    SPELL = 15
    """D6 for one spell."""
    HASTE_TURNS = 16
    """D3 turns of haste."""
    RESTORE = 17
    """3D10 hits of restoration."""
    RAM = 18
    """D6 of a ram."""
    RAM_BACK = 19
    """D6 of the rammed jug's own ram, head-on."""
    BOUNCE = 20
    """D3 hexes of a bounce."""
    COLLISION = 21
    """D6 of a collision."""
    HOLD = 22
    """The dice of a weapon that holds."""
    FIRE_DAMAGE = 23
    """A cauldron's dice, where they are thrown anew each turn."""
    CHOICE = 24
    """A choice of a jug whose policy is random."""
    CAPTAIN = 25
    """D10 for a random captain."""


class Cause(IntEnum):
    """How a jug goes out of play (or, captured, out of its side); and how a battle ends.

    A battle ends with the way in which the last jug of a side went, or with one of the last three.
    """

    DESTROYED = 1
    """No hits left."""
    TOPPLED = 2
    """Lever or rope."""
    CUT = 3
    """Cut in half by a scythe."""
    CREW = 4
    """Crew killed."""
    CAPTURED = 5
    """Taken by boarders."""
    EXIT = 6
    """Left the map."""
    ROUT = 7
    """A side is routed (J-ARM-2)."""
    OBJECTIVE = 8
    """A side has reached what the scenario asks (J-ARM-2)."""
    CAP = 9
    """All turns are used up (J-ARM-4)."""


class Source(IntEnum):
    """What damage comes from."""

    RAM = 0
    """A ram, also the rammed jug's own."""
    KICK = 1
    """The kick of legs."""
    WEAPON = 2
    """Direct damage of a weapon's attack."""
    SPELL = 3
    """Fireball and lightning bolt."""
    FIRE = 4
    """Continuing damage."""
    HOLD = 5
    """A weapon that holds."""
    COLLISION = 6
    """The jug's own collision with an obstacle, wall or rim."""


class Happening(NamedTuple):
    """One event of a trace in plain numbers; see :class:`What`."""

    what: int
    turn: int
    jug: int
    foe: int
    item: int
    roll: int
    value: int
    extra: int


def happened(rows: Any) -> Sequence[Happening]:
    """Return events as plain numbers: a record array's, or any sequence of rows.

    Notes
    -----
    The field ``item`` of a numpy record hides behind a method of that name.
    """
    if isinstance(rows, tuple) and all(isinstance(row, Happening) for row in rows):
        return rows
    return tuple(Happening(*row) for row in (rows.tolist() if hasattr(rows, "tolist") else rows))


def place(q: int, r: int) -> int:
    """Pack axial coordinates from -64 to 63 into one number.

    Examples
    --------
    >>> place(0, 0), where(place(3, -5))
    (8256, (3, -5))
    """
    return (q + 64) * 128 + (r + 64)


def where(packed: int) -> tuple[int, int]:
    """Unpack axial coordinates: q and r."""
    return packed // 128 - 64, packed % 128 - 64
