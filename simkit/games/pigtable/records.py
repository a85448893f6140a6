"""What crosses into the kernels: a table and a rule set as numbers, the state of a match, its outcome.

A turn is ridden by the kernels of courses (:mod:`simkit.games.pigtickler.ride`): the events of a leg become the tasks
of a course, which lies in the state.
"""

from collections.abc import MutableSequence, Sequence
from typing import Annotated

from simkit.core.dicetable import DiceTable
from simkit.core.layout import Record, Table
from simkit.games.pigtickler.records import Rider
from simkit.games.pigtickler.records import Setup as Course
from simkit.games.pigtickler.records import State as CourseState

PIECES = 16
"""Most pieces on a table (P-TAB-5)."""

LEVELS = 4
"""Most levels of a hill (P-TAB-5)."""

SEATS = 6
"""Most lancers (P-TAB-5, P-GAM-15)."""

CORNERS = 8
"""Most corners of a polygon (P-TAB-3)."""

SHAPES = PIECES * LEVELS
"""Most shapes on a table: every level of a hill is one."""

MARKS = 2 * SHAPES + PIECES
"""Most events of a leg."""

SOLIDS = PIECES + SEATS + 2
"""Most solids: pieces, lancers, the pig, the edge."""

POINTS = 4
"""Most points of a route, where it begins left out."""

CHANCES = 128
"""Rows of a table of chances."""

CANDIDATES = 512
"""Most points that a router looks at."""

EVENTS = 4096
"""Rows of a trace that one run keeps; a longer match is played again for the next ones."""

COLUMNS = 112
"""Room for the columns of an outcome."""

PURPOSES = 8


class Shape(Record):
    """One convex shape: a hill's level, a bog, an obstacle or a line, in units of 1/64 inch."""

    thing: int
    piece: int
    form: int
    modifier: int
    """Of a bog."""
    corners: int
    radius: int
    x: Annotated[Sequence[int], CORNERS]
    """Corners anticlockwise; of a disc the middle comes first, of a line its two ends."""
    y: Annotated[Sequence[int], CORNERS]
    lengths: Annotated[Sequence[int], CORNERS]
    """Of the sides, rounded up."""
    west: int
    east: int
    south: int
    north: int
    """The box around it."""


class Chances(Record):
    """Dice as whole fractions of one scale: the chance to throw at least so much, and to throw just that."""

    lowest: int
    count: int
    scale: int
    at_least: Annotated[Sequence[int], CHANCES]
    """By what is thrown less the lowest throw."""
    exactly: Annotated[Sequence[int], CHANCES]


class Odds(Record):
    """Chances that a rider may count on, as whole fractions (P-GAM-22)."""

    goes_on: int
    wounded: int
    hit: Annotated[MutableSequence[int], 2]
    """Without and with the bonus after a descent."""
    fumble: Annotated[MutableSequence[int], 2]


class Rulings(Record):
    """The fields of the rule set about the table that the kernels read."""

    base_lancer: int
    base_pig: int
    avoid_within: int
    edge_collides: bool
    max_legs: int
    lost_add: bool
    wounds_to_retire: int
    substitute: bool
    initiative: int
    pig_crosses: bool
    pig_tramples: bool
    rumps_to_win: int
    downhill_rumps: int
    last_side_wins: bool
    max_rounds: int
    router_legs: int
    harm: int
    cautious_harm: int


class Setup(Record):
    """One match on one table under one rule set, compiled to plain numbers."""

    course: Course
    """Numbers and dice of the terrain rules; its tasks are one of each kind, from which legs are made."""
    rulings: Rulings
    manoeuvre: Chances
    collision: Chances
    hit: Chances
    direction: DiceTable
    inches: DiceTable
    round_table: bool
    half: int
    pig_x: int
    pig_y: int
    seats: int
    sides: int
    share: int
    """What a game adds to a unit for every one that it counts: SCALE / seats."""
    start_x: Annotated[Sequence[int], SEATS]
    start_y: Annotated[Sequence[int], SEATS]
    side: Annotated[Sequence[int], SEATS]
    minds: Annotated[Sequence[int], SEATS]
    count: int
    shapes: Annotated[Sequence[Shape], SHAPES]
    aim: int
    """Of a route that is ridden instead of a match, else 0."""
    damage: int
    turns: int
    """Turning points of the route."""
    via: Annotated[Table[int], POINTS, 2]
    options: int
    option_x: Annotated[Sequence[int], CANDIDATES]
    """Points that routers look at because of the pieces; blocked ones are left out."""
    option_y: Annotated[Sequence[int], CANDIDATES]


class Happening(Record):
    """One event of a leg."""

    index: int
    kind: int
    shape: int
    clear: int
    """Where he is past a line that he crosses; of an area, the same if its border lies on the way across (P-TAB-6)."""


class Solid(Record):
    """Where a leg is blocked by something."""

    first: int
    last: int
    thing: int
    ref: int
    """Row of a shape, or seat of a lancer."""
    met: bool


class Leg(Record):
    """A straight leg as a row of lattice points, and what happens on it (P-TAB-2, P-TAB-6)."""

    ax: int
    ay: int
    dx: int
    dy: int
    n: int
    end: int
    """What ends it, a Thing."""
    end_ref: int
    stop: int
    """Index of its last point."""
    count: int
    marks: Annotated[MutableSequence[Happening], MARKS]
    solids: int
    blocks: Annotated[MutableSequence[Solid], SOLIDS]


class Stage(Record):
    """What the table knows of a task of the present leg."""

    index: int
    clear: int
    piece: int
    other: int
    sure: bool
    """A contact without a change of direction: a collision without a roll before it (P-GAM-8)."""
    lancer_rolls: bool
    at_end: bool
    """The task is asked for at the end of the leg."""
    x: int
    y: int
    """Where a collision after a failed change of direction leaves him."""


class Plan(Record):
    """A route that was planned: its points after the one where it begins (P-GAM-7)."""

    aim: int
    count: int
    x: Annotated[MutableSequence[int], POINTS]
    y: Annotated[MutableSequence[int], POINTS]


class Figure(Record):
    """One lancer of a match, and what he has counted."""

    x: int
    y: int
    gone: int
    waiting: bool
    lost: int
    hurt: int
    """Wounds of the present man."""
    broken: int
    """Damage of the present unicycle."""
    rumps: int
    attempts: int
    wounds: int
    damage: int
    lost_turns: int
    runaways: int
    killed: int
    wrecked: int
    retired: int
    distance: int
    pig_contacts: int


class Event(Record):
    """One row of a trace."""

    what: int
    turn: int
    seat: int
    other: int
    piece: int
    roll: int
    value: int
    extra: int


class State(Record):
    """Scratch memory of one worker: a match, the turn that is being ridden, the trace of the trial."""

    course: Course
    ride: CourseState
    odds: Odds
    kept: Rider
    after: Rider
    figures: Annotated[MutableSequence[Figure], SEATS]
    blank: Figure
    first_start: int
    """Start at which seat 0 begins."""
    pig_x: int
    pig_y: int
    turn: int
    round: int
    seat: int
    order: Annotated[MutableSequence[int], SEATS]
    thrown: Annotated[MutableSequence[int], PURPOSES]
    over: bool
    winner: int
    cause: int
    first_seat: int
    plan: Plan
    best: Plan
    leg_number: int
    legs: int
    riding: bool
    """Dice are called for."""
    runaway: bool
    runs_on: bool
    fixed: bool
    """A route is ridden that nobody plans anew: for exact solutions."""
    ended: bool
    """The route was ridden to its end, for exact solutions."""
    arrived: bool
    judging: bool
    """A plan is weighed, not ridden."""
    left: bool
    """Whose turn it is has left the table in it."""
    then: int
    x: int
    y: int
    end_x: int
    end_y: int
    ray_x: int
    ray_y: int
    """Direction of the last leg."""
    leg: Leg
    ray: Leg
    stages: Annotated[MutableSequence[Stage], 128]
    chance: int
    """Of a route that is judged: still riding, in the scale of P-GAM-20."""
    rump: int
    stray: int
    """A rump by luck, of a route that is judged: steered into the pig."""
    wounded: int
    dead: int
    reached: bool
    downhill: int
    """Levels descended at the end of a route that is judged."""
    ramps: bool
    """A route that is judged rides over a ramp."""
    asks_downhill: bool
    """A route that is judged turns or stops after a descent."""
    factors: int
    numerators: Annotated[MutableSequence[int], 128]
    denominators: Annotated[MutableSequence[int], 128]
    candidates: int
    option_x: Annotated[MutableSequence[int], CANDIDATES]
    option_y: Annotated[MutableSequence[int], CANDIDATES]
    outcome: Annotated[MutableSequence[int], COLUMNS]
    unit: Annotated[MutableSequence[int], COLUMNS]
    first_unit: Annotated[MutableSequence[int], COLUMNS]
    room: int
    since: int
    noted: int
    events: Annotated[MutableSequence[Event], EVENTS]
