"""Records that live for one battle: fighters, holds, fires, ropes, shots, and what a player thinks of."""

from collections.abc import MutableSequence
from typing import Annotated

from simkit.core.layout import Record, Table
from simkit.games.jugger.limits import FOES, HASTES, REACH, STEPS, WEAPONS


class Fighter(Record):
    """One jug in play. Its place in ``State.jugs`` is its slot; see :class:`Jug` for what it was built as."""

    row: int
    """Row of ``Setup.jugs``."""
    side: int
    """Seat that controls it now: 0 or 1."""
    seat: int
    """Seat of its dice: 12 x seat of its first side + place among its fellows."""
    fate: int
    """0 in play, otherwise a :class:`~simkit.games.jugger.happenings.Cause`."""
    q: int
    r: int
    facing: int
    velocity: int
    hits: int
    taken: int
    """All damage so far, whatever was repaired (J-DMG-2)."""
    lost: int
    """Bit k: piece k is gone."""
    acceleration: int
    deceleration: int
    turns: int
    ram: int
    """Reinforced ram bonus left."""
    kicks: bool
    moved: int
    """Hexes of this turn's move."""
    turned: int
    """Turns made this turn."""
    moving: bool
    contacts: int
    choices: int
    critical_rolls: int
    used: int
    """Bit k: weapon k, or attack number k, has attacked this turn."""
    spent: int
    """Bit k: the boarders of weapon k are lost."""
    holding: int
    """Bit k: weapon k holds an enemy."""
    roped: int
    """Bit k: the rope of weapon k is out."""
    evaded: bool
    controlled: bool
    lucky: bool
    """Luck was used this turn."""
    missile_bonus: bool
    close_bonus: bool
    """The artillerist's or meleer's attack of this turn was made."""
    crewed: bool
    """Its own crew is still aboard: it was never captured."""
    captain: int
    """Abilities at work, as bits."""
    cast: int
    spells: Annotated[MutableSequence[int], 7]
    """Spells left, by their number on the D6."""
    haste: int
    """Turns of haste left."""
    haste_level: int
    hastes: Annotated[MutableSequence[int], HASTES]
    """Casts that run out at the end of a turn (modulo ``HASTES``), where haste adds up."""
    ordered: bool
    """It is to move in this segment."""
    attached: int
    """Holds that it is part of, as holder or held."""
    burning: int
    """Fires on it."""
    due: int
    """Critical rolls that are due."""
    hurt: int
    """Damage of the present moment."""
    hurt_by: Annotated[MutableSequence[int], 2]
    """The same by the side that did it."""
    doom: int
    """What the present moment does beside damage: a Cause, or 0."""
    captor: int
    """Side that takes it over, or puts it out, at this moment; -1 for none."""
    slayer: int
    """Side that did it most of the present damage."""
    ready: Annotated[MutableSequence[int], WEAPONS]
    """First turn in which a cauldron may be used again."""


class Hold(Record):
    """A weapon that has grabbed."""

    holder: int
    attack: int
    held: int
    turn: int


class Fire(Record):
    """Continuing damage on a jug."""

    victim: int
    firer: int
    attack: int
    points: int
    left: int
    by: int
    """Side that lit it."""


class Rope(Record):
    """A winch's rope that is out."""

    jug: int
    attack: int
    foe: int
    turn: int


class Shot(Record):
    """An attack that was declared at the present moment; foe -1: every unit in the side hexes."""

    jug: int
    foe: int
    attack: int
    address: int
    """Where its dice are: the last part of their address."""
    bonus: int
    side: int
    grabs: bool
    """It hit and takes hold."""
    ropes: bool
    """Its winch's rope holds."""


class Event(Record):
    """One row of a trace; see :class:`~simkit.games.jugger.happenings.What`."""

    what: int
    turn: int
    jug: int
    foe: int
    item: int
    roll: int
    value: int
    extra: int


class Plan(Record):
    """A move that was thought out: a velocity and what to do, in order (0 forward, 1 right, -1 left)."""

    velocity: int
    length: int
    score: int
    q: int
    """Where it is expected to end."""
    r: int
    facing: int
    speed: int
    contact: bool
    """It is expected to end in a ram or collision."""
    actions: Annotated[MutableSequence[int], STEPS]


class Scan(Record):
    """What a player expects of the nearest enemies, by range, in 72nds of a hit (sixths times twelfths)."""

    count: int
    slots: Annotated[MutableSequence[int], FOES]
    farthest: Annotated[MutableSequence[int], FOES]
    """Longest range at which an unused attack of either bears."""
    best_range: Annotated[MutableSequence[int], FOES]
    """Range at which it fights this enemy best."""
    dealt: Annotated[Table[int], FOES, REACH]
    """By weapons of all arcs, still unused this turn."""
    dealt_ahead: Annotated[Table[int], FOES, REACH]
    """By those of the forward arc, kicks included."""
    dealt_beside: Annotated[MutableSequence[int], FOES]
    taken: Annotated[Table[int], FOES, REACH]
    taken_ahead: Annotated[Table[int], FOES, REACH]
    taken_beside: Annotated[MutableSequence[int], FOES]
    later: Annotated[Table[int], FOES, REACH]
    """As ``dealt``, of all weapons that still work."""
    later_ahead: Annotated[Table[int], FOES, REACH]
    suffer: Annotated[Table[int], FOES, REACH]
    """As ``taken``, of all weapons that still work."""
    suffer_ahead: Annotated[Table[int], FOES, REACH]
    charge: Annotated[MutableSequence[int], FOES]
    """How far each enemy can go next turn."""
    charge_worth: Annotated[MutableSequence[int], FOES]
    """What his ram at that velocity is worth, in 72nds."""


class Frame(Record):
    """Where a move that is being thought out has come to."""

    option: int
    """Next action to try at this point."""
    q: int
    r: int
    facing: int
    velocity: int
    """Velocity left of the one that is being judged."""
    slowest: int
    """Least velocity with which a path gets here."""
    spent: int
    """Velocity that it has cost so far: hexes, and what their terrain takes."""
    moved: int
    turned: int
    dealt: int
    """Most hits dealt so far, in 72nds."""
    taken: int
    far: Annotated[MutableSequence[int], FOES]
    """How far away the nearest enemies are."""
    aims: Annotated[MutableSequence[int], FOES]
    """From which facings they lie in the forward arc, a bit each."""
