"""The numbers of a battle on a lane, and the memory of one that is played."""

from collections.abc import MutableSequence, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from simkit.core.dicetable import ROWS, DiceTable
from simkit.core.layout import Record, Table

SIDES = 2
SIDE = 12
"""Most units a side: six slots, each with a reserve."""

UNITS = SIDES * SIDE
SLOTS = 6
CONTACTS = 2 * UNITS
"""Most contacts at once: whoever makes one is in no other, and makes one more at most in a phase, breaking through."""

STRETCHES = 68
"""Most stretches of ground of a lane: 32 pieces and what lies between them."""

HURDLES = 2048
"""Most obstacles and rises of a lane: 32 obstacles, and 32 slopes of 50 rises."""

INDEX = 41
"""Most entries of a table of results: steps above the index at which nothing is killed (B-MEL-1)."""

GROUNDS = 7
FORMATIONS = 4
BLOWS = 4
TALLIES = 6
EVENTS = 2**15
"""Room for the events of one trial that is traced."""

SUMS = 2**17
"""More hit dice than a unit can have: 48 figures of 20 creatures with 82 hit dice; room for the chances of all sums."""

BLOWS_AT_ONCE = 64
"""More attacks than a unit can have at one enemy: it has 48 figures, and each attacks once."""


class Numbers(Record):
    """The rules that kernels read; fractions of a move in twelfths, distances in 36ths of an inch."""

    charge_bonus: int
    flank_bonus: int
    rear_bonus: int
    ditch_penalty: int
    wall_missile: int
    wall_melee: int
    medium_penalty: int
    long_penalty: int
    cover_woods: int
    cover_obstacle: int
    missile_ranks: int
    charge_least: int
    overlap: int
    set_first_strike: int
    set_doubles: bool
    strike_between_checks: bool
    """A check between first strike and answer (``first_strike_morale = "between"``)."""
    lasts_to_round_end: bool
    walk_in: bool
    by_figures: bool
    """``frontage = "figures"``."""
    carry_wounds: bool
    multiply: bool
    """``terrain_stack = "multiply"``."""
    check_each: bool
    reform: bool
    turn_to_face: bool
    check_first: int
    check_second: int
    morale_closed: int
    morale_half: int
    morale_three_quarters: int
    morale_rear: int
    morale_command: int
    morale_commander: int
    crt_top: int
    """Nothing is killed from this index on."""
    crt_steps: int
    """Steps below it after which no more is killed."""
    charge_move: int
    wall_move: int
    set_move: int
    reform_move: int
    road_move: int
    obstacle_cost: int
    rise_cost: int
    ground_cost: Annotated[Sequence[int], GROUNDS]
    max_rounds: int


class Unit(Record):
    """One unit as it enters the battle."""

    seat: int
    side: int
    slot: int
    reserve: bool
    policy: int
    figures: int
    files: int
    formation: int
    pool: int
    """Hit dice of one figure."""
    ar: int
    ac: int
    morale: int
    mounted: bool
    """Cavalry or a chariot."""
    single: bool
    in_command: bool
    commander_killed: bool
    spears: bool
    large_shields: bool
    ranks: int
    """Ranks that fight in closed formation; 1 for cavalry and chariots."""
    bow: int
    ranges: Annotated[Sequence[int], 3]
    move: int
    """36ths of an inch a round."""
    swim: int
    """The same in water; 0 for whoever cannot enter it."""
    width: int
    """Of a figure, in 36ths of an inch."""
    depth: int
    spacing: Annotated[Sequence[int], FORMATIONS]
    """Of files, by formation."""
    exempt: int
    """Kinds of ground that it pays nothing for, a bit each."""
    kills: Annotated[Table[int], BLOWS, INDEX]
    """Hit dice that one attack kills, by blow and by steps."""
    declared: int
    """What is in force at the start."""


class Stretch(Record):
    """A stretch of ground, as one side meets it."""

    begin: int
    kind: int


class Hurdle(Record):
    """An obstacle, or one rise of ten feet, as one side meets it."""

    at: int
    kind: int


class Lane(Record):
    """The lane as one side sees it from its own start."""

    grounds: int
    stretches: Annotated[Sequence[Stretch], STRETCHES]
    count: int
    hurdles: Annotated[Sequence[Hurdle], HURDLES]


class Setup(Record):
    """A battle ready to be played."""

    rules: Numbers
    length: int
    in_contact: bool
    slots: int
    """Slots that are in use, from the first."""
    count: int
    units: Annotated[Sequence[Unit], UNITS]
    lanes: Annotated[Sequence[Lane], SIDES]
    places: Annotated[Sequence[int], SIDES]
    """Where the fronts of both sides begin, each from its own start."""
    strikes: Annotated[Sequence[int], SIDES]
    """Where a side strikes its enemy (B-LAN-6)."""
    initiative: DiceTable
    attack: DiceTable
    check: DiceTable
    faces: int
    chances: Annotated[Sequence[int], ROWS]
    """Chance of every value of the attack dice, from the lowest, in 1/2^30."""


class Stand(Record):
    """A unit in the battle."""

    figures: int
    wound: int
    formation: int
    declared: int
    fate: int
    waiting: bool
    """In reserve."""
    opened: bool
    """It was closed, and is open for the time being."""
    contacts: int
    """Enemies it is in contact with."""
    place: int
    """Of its front, from its own side's start."""
    passed: int
    """Hurdles of its lane that lie behind its front."""
    shot: bool
    """It shot in phase 3."""
    moved: bool
    rear: bool
    """It was struck in the rear in this phase."""
    marked: int
    """Figures when its morale was last looked at."""
    checks: int
    """Of this round."""
    blows: Annotated[MutableSequence[int], 2]
    """Of this round, in the melee and in breakthroughs."""
    broke: bool
    """It has broken through in this round."""
    going: bool
    """It has charged in this round; what is left of that charge follows."""
    parts: int
    whole: int
    spent: int
    paid: int
    """Kinds of ground paid, a bit each."""


class Contact(Record):
    """A unit of side a and one of side b whose fronts touch; pairs of numbers belong to the sides."""

    on: bool
    """Both are in play."""
    made: int
    """Round of its making."""
    pair: Annotated[MutableSequence[int], SIDES]
    how: Annotated[MutableSequence[int], SIDES]
    """Where a side strikes the other's unit."""
    charged: Annotated[MutableSequence[int], SIDES]
    """1: it was made by this side's charge."""
    met_set: Annotated[MutableSequence[int], SIDES]
    """1: this side's spears were set, and covered the side that is struck, when it was made."""
    held: Annotated[MutableSequence[int], SIDES]
    """1: and it has set them anew in every movement phase since."""
    bogged: Annotated[MutableSequence[int], SIDES]
    """1: this side fights from a ditch, ford or swamp."""


class Event(Record):
    """One row of a trace; see :class:`~simkit.games.battlesystem.happenings.What`."""

    what: int
    when: int
    """Round."""
    unit: int
    foe: int
    roll: int
    value: int
    extra: int


class Outcome(NamedTuple):
    """What one battle counts, in the order of the game's ``OUTCOMES``."""

    win_a: int
    win_b: int
    mutual: int
    cap: int
    rounds: int
    figures_a: int
    figures_b: int
    dead_a: int
    dead_b: int
    rout_a: int
    rout_b: int
    killed_a: int
    killed_b: int
    missiles_a: int
    missiles_b: int
    charges_a: int
    charges_b: int
    first_strikes_a: int
    first_strikes_b: int
    checks_a: int
    checks_b: int
    failed_a: int
    failed_b: int


COLUMNS = len(Outcome._fields)


class State(Record):
    """Everything that one battle changes."""

    stream: np.uint64
    tweak: np.uint64
    now: int
    """Round."""
    first: int
    """Side that has the initiative."""
    over: int
    units: Annotated[MutableSequence[Stand], UNITS]
    line: Annotated[Table[int], SIDES, SLOTS]
    """The unit in each slot, or -1."""
    reserve: Annotated[Table[int], SIDES, SLOTS]
    """The unit that waits behind each slot, or -1."""
    touching: int
    """Rows of contacts in use."""
    contacts: Annotated[MutableSequence[Contact], CONTACTS]
    tally: Annotated[Table[int], SIDES, TALLIES]
    """By side and :class:`~simkit.games.battlesystem.kinds.Tally`."""
    outcome: Annotated[MutableSequence[int], COLUMNS]
    baseline: Annotated[MutableSequence[int], COLUMNS]
    kept: Annotated[MutableSequence[Stand], UNITS]
    """All units as they were, while somebody thinks; the contacts and lines likewise."""
    kept_contacts: Annotated[MutableSequence[Contact], CONTACTS]
    kept_line: Annotated[Table[int], SIDES, SLOTS]
    kept_reserve: Annotated[Table[int], SIDES, SLOTS]
    sums: Annotated[MutableSequence[int], SUMS]
    """While somebody thinks: the chance of each sum of hit dice."""
    hits: Annotated[MutableSequence[int], ROWS]
    """Likewise: what one attack kills, by value of the dice."""
    means: Annotated[MutableSequence[int], BLOWS_AT_ONCE]
    """Likewise: what so many attacks kill on average."""
    fallen: Annotated[MutableSequence[int], BLOWS_AT_ONCE]
    """Likewise: the chance of so many figures to fall."""
    room: int
    noted: int
    events: Annotated[Sequence[Event], EVENTS]
