"""What crosses into the kernels: the setup of a course, the state of a trial, its outcome."""

from collections.abc import MutableSequence, Sequence
from enum import IntEnum
from typing import Annotated, NamedTuple

from simkit.core.dicetable import DiceTable
from simkit.core.layout import Record

TASKS = 128
"""Most tasks a course may have (P-CRS-1)."""

EVENTS = 512
"""Room for the events of one trial that is traced."""


class Purpose(IntEnum):
    """Why dice are thrown. The numbers are part of every address: they never change."""

    MANOEUVRE = 0
    FENCE = 1
    COLLISION = 2
    OTHER = 3
    HIT = 4


class Kind(IntEnum):
    """The tasks of a course (P-CRS-1)."""

    DOWN = 0
    LEVEL = 1
    TURN = 2
    ENTER = 3
    BEND = 4
    LEAVE = 5
    OBSTACLE = 6
    LANCER = 7
    BESIDE = 8
    CROSS = 9
    RAMP = 10
    CHASM = 11
    STOP = 12
    PIG = 13


class Ahead(IntEnum):
    """What lies straight ahead of a lancer who is steered by another player (P-CRS-6)."""

    EDGE = 0
    OBSTACLE = 1
    LANCER = 2
    CHASM = 3
    PIG = 4
    BOG = 5


class Fate(IntEnum):
    """How a course ended; RIDING while it has not."""

    RIDING = 0
    FINISHED = 1
    RUNAWAY = 2
    KILLED = 3
    WRECKED = 4


class Injury(IntEnum):
    """What the collision table says (P-COL-1)."""

    BOTH = 0
    WOUND = 1
    DAMAGE = 2
    NOTHING = 3
    GOES_ON = 4


class NeighbourPolicy(IntEnum):
    """Values of ``neighbour_policy`` (P-DN-4)."""

    WORST = 0
    STRAIGHT_ON = 1


class FailedStop(IntEnum):
    """Values of ``failed_stop`` (P-DN-7)."""

    OPPONENT_CONTROL = 0
    RUNS_ON = 1
    STOPS = 2


class DownhillCross(IntEnum):
    """Values of ``downhill_cross`` (P-LIN-4)."""

    COLLISION = 0
    D6 = 1
    FORBIDDEN = 2


class What(IntEnum):
    """What an event tells."""

    TURN_BEGINS = 0
    LOST_TURN = 1
    EXCUSED = 2
    DESCENDS = 3
    STOPS = 4
    THROW = 5
    STEERED = 6
    OVER = 7


class Hit(IntEnum):
    """What the roll at the pig says (P-CRS-8)."""

    MISS = 0
    RUMP = 1
    FUMBLE = 2


class Task(Record):
    """One task of the course."""

    kind: int
    asks_manoeuvre: bool
    in_bog: bool
    redirects: bool
    levels: int
    modifier: int
    ahead: int
    ahead_modifier: int


class Numbers(Record):
    """The fields of the rule set that the kernels read."""

    target: int
    free_facing: bool
    uphill_reroll: bool
    downhill_modifier: int
    downhill_whole_turn: bool
    neighbour_policy: int
    steered_lancer_rolls: bool
    pig_any_descent: bool
    downhill_hit_bonus: int
    steered_hit_bonus: bool
    failed_stop: int
    bog_edge_reroll: bool
    downhill_bog_modifier: int
    crooked_bog_minus: bool
    downhill_cross: int
    chasm_turn_kills: bool
    ramp_downhill: bool
    collision_both: int
    collision_wound: int
    collision_damage: int
    collision_nothing: int
    unicycle_damage: bool
    damage_ends_turn: bool
    hit_target: int
    hit_fumble: int
    wound_costs_turn: bool
    damage_modifier: int
    wreck_at: int


class Setup(Record):
    """One course under one rule set, compiled to plain numbers."""

    length: int
    turns: int
    rules: Numbers
    dice: Annotated[Sequence[DiceTable], 5]
    tasks: Annotated[Sequence[Task], TASKS]


class Rider(Record):
    """The lancer on his course.

    ``descended``, ``leg`` and ``spent`` are the L, leg and spent of P-CRS-2 and live for one turn;
    ``thrown`` counts the throws at the present task, for the dice addresses.
    """

    task: int
    fate: int
    descended: int
    leg: int
    spent: bool
    riding: bool
    excused: bool
    lost: bool
    steered: bool
    throws_next: int
    damage: int
    turn: int
    wounds: int
    rumps: int
    other_wounds: int
    other_damages: int
    rolls: int
    thrown: int


class Event(Record):
    """One row of a trace."""

    what: int
    turn: int
    task: int
    purpose: int
    roll: int
    modifier: int
    result: int
    descended: int
    leg: int
    steered: bool
    damage: int
    fate: int


class State(Record):
    """Scratch memory of one worker: the rider, and the trace of the trial (room 0: none is kept)."""

    rider: Rider
    fresh: Rider
    room: int
    noted: int
    events: Annotated[MutableSequence[Event], EVENTS]


class Outcome(NamedTuple):
    """What one trial counts (P-CRS-11), in the order of the game's ``OUTCOMES``."""

    finished: int
    reached: int
    stopped: int
    runaway: int
    killed: int
    wrecked: int
    wounded: int
    damaged: int
    rump: int
    other_wounded: int
    other_damaged: int
    turns_used: int
    wounds: int
    damage: int
    rumps: int
    other_wounds: int
    other_damages: int
    rolls: int
