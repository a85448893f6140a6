"""The numbers of a battle on a lane, and the memory of one that is played."""

from collections.abc import MutableSequence, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from simkit.core.dicetable import DiceTable
from simkit.core.layout import Record, Table

SIDE = 12
"""Most units a side: six slots, each with a reserve."""

UNITS = 24
"""Most units in a battle."""

SLOTS = 6
FEATURES = 4096 // 4
"""Room for what lies on the lane, as one side meets it."""

INDEX = 41
"""Most entries of a table of results: steps above the index at which nothing is killed (B-MEL-1)."""

GROUNDS = 7
FORMATIONS = 4
BLOWS = 4
WORTHS = 64
"""Entries of a table of expected results: the index AR' - AC' from -16 up to 47."""

LEAST_INDEX = -16
EVENTS = 8192
"""Room for the events of one trial that is traced."""


class Numbers(Record):
    """The rules that kernels read; fractions of a move in twelfths, places in 36ths of an inch."""

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
    turn_move: int
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
    """Ranks that fight in closed formation."""
    bow: int
    ranges: Annotated[Sequence[int], 3]
    move: int
    """36ths of an inch a round."""
    swim: int
    width: int
    """Of a figure, in 36ths of an inch."""
    depth: int
    spacing: Annotated[Sequence[int], FORMATIONS]
    """Of files, by formation."""
    exempt: int
    """Kinds of ground that it pays nothing for, a bit each."""
    kills: Annotated[Table[int], BLOWS, INDEX]
    """Hit dice that one attack kills, by blow and by steps."""
    worth: Annotated[Table[int], BLOWS, WORTHS]
    """Hit dice that one attack kills on average, in 1/2^20, by blow and index."""
    struck: int
    """Where its enemies strike it."""
    declared: int
    """What is in force at the start."""


class Feature(Record):
    """Something on the lane, as one side meets it."""

    at: int
    kind: int


class Lane(Record):
    """The lane as one side sees it from its own start."""

    count: int
    start: int
    """Kind of the ground at the start."""
    features: Annotated[Sequence[Feature], FEATURES]


class Setup(Record):
    """A battle ready to be played."""

    rules: Numbers
    length: int
    in_contact: bool
    count: int
    units: Annotated[Sequence[Unit], UNITS]
    lanes: Annotated[Sequence[Lane], 2]
    places: Annotated[Sequence[int], 2]
    """Where the fronts of both sides begin, each from its own start."""
    initiative: DiceTable
    attack: DiceTable
    check: DiceTable


class Stand(Record):
    """A unit in the battle."""

    figures: int
    wound: int
    formation: int
    declared: int
    place: int
    """Of its front, from its own side's start."""
    passed: int
    """Features of its lane that lie behind its front."""
    ground: int
    """What it stands on."""
    fate: int
    slot: int
    reserve: bool
    foe: int
    """Whom it is in contact with, or -1."""
    struck: int
    """Where that enemy strikes it."""
    fresh: bool
    """It was opened by ground or obstacles, or a check, and may close again."""
    charged: bool
    """It has charged this round."""
    came_charging: bool
    """The contact was made by its charge this round."""
    met_set: bool
    """Spears were set against it when it made this contact (B-LAN-15)."""
    shot: bool
    """It shot in phase 3."""
    moved: bool
    ditch: bool
    """It fights from a ditch, ford or swamp (B-TER-10)."""
    paid: int
    """Kinds of ground paid this round, a bit each."""
    checks: int
    before: int
    """Figures at the start of the phase."""
    rear: bool
    """It was struck in the rear."""
    spent: int
    """36ths that its charge has used."""


class Event(Record):
    """One row of a trace; see :class:`~simkit.games.battlesystem.happenings.What`."""

    what: int
    round: int
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
    round: int
    first: int
    """Side that has the initiative."""
    over: int
    units: Annotated[MutableSequence[Stand], UNITS]
    tally: Annotated[Table[int], 2, 16]
    """By side and column, see :class:`Tally`."""
    outcome: Annotated[MutableSequence[int], COLUMNS]
    baseline: Annotated[MutableSequence[int], COLUMNS]
    kept: Annotated[MutableSequence[Stand], 2]
    """Two units as they were, while somebody thinks."""
    room: int
    noted: int
    events: Annotated[Sequence[Event], EVENTS]
