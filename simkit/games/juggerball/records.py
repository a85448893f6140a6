"""What crosses into the kernels: a match is a battle with a ball, so a setup and a state hold one of a battle each."""

from collections.abc import MutableSequence, Sequence
from typing import Annotated, NamedTuple

from simkit.core.dicetable import DiceTable
from simkit.core.layout import Record, Table
from simkit.games.jugger.limits import ACROSS, JUGS, STEPS
from simkit.games.jugger.records import Frame, Jug, Weapon
from simkit.games.jugger.records import Setup as Battle
from simkit.games.jugger.records import State as BattleState

TEAM = 7
"""Jugs of a side (J-BALL-1)."""

ITEMS = 3
"""Improvements of a regulation jug (J-BALL-1)."""

STANDARD = 10
"""Standard weapons (J-WPN-1)."""

SEATS = 24
"""Dice seats: 12 a side."""

PURPOSES = 7
"""Purposes of dice for the ball."""

HEXES = ACROSS * ACROSS
FACES = 6
WAYS = 8
TALLIES = 16
COLUMNS = 52
"""Room for the columns of an outcome."""


class Rulings(Record):
    """The fields of the rule set about the ball that the kernels read; switches as flags or small numbers."""

    headings: int
    right_angle: int
    """Sixths of a turn of a right angle where there are six headings; 0: by a coin."""
    spine_at_most: int
    bounce_limit: int
    bounces: Annotated[Sequence[int], FACES]
    """By the die less one: turn in twelfths clockwise, 0 for a dead stop."""
    ball_collides: bool
    """A jug that is stopped by the ball collides with it (J-BALL-9)."""
    terrain_slows: bool
    forced_hits: bool
    caught_by_jug: bool
    push_choice: bool
    roll_chosen_only: bool
    catcher_brakes: bool
    steal: bool
    legs_kick: bool
    standing_kick: bool
    deflector_hits: bool
    deflector_turns: bool
    """A ball that hits the front arc of a deflector leaves 30 degrees aside (J-BALL-14)."""
    head_on_sum: bool
    legs_catch: bool
    catcher_catches: bool
    catch_hits: bool
    """Only a ball that would hit the front arc can be caught (J-BALL-17)."""
    stuck_turns: int
    no_stop_within: int
    no_stop_end: bool
    """No move may end near the own goal, instead of no choice of velocity 0 there (J-BALL-19)."""
    removed: bool
    finish: bool
    """After a goal the turn is played to its end (J-BALL-21)."""
    replace: int
    fresh_rolled: bool
    illegal: int
    one_of_three: bool
    legs_per_team: int
    """Most jugs of a team on legs, where they are rolled."""
    line_up_policy: bool
    kick_off_conceder: bool
    first_initiative: int
    """Side of the scenario that moves first in turn 1, or -1: by dice."""
    jug_order: int
    goals_to_win: int
    play_on: bool
    more_goals: bool
    all_ram: bool
    """Every jug without legs has a ram (J-RAM-4)."""
    armor_hits: int
    shield_arm_hits: int


class Values(Record):
    """What the players ``chase`` and ``greedy`` value, in hundredths (J-BALL-25)."""

    goal: int
    own_goal: int
    way: int
    """A step of the ball nearer to the enemy's goal."""
    chase: int
    """A hex or turn between a chaser and the hex behind the ball."""
    guard: int
    guards: int
    """Jugs that guard, beside those who chase."""
    hunt: int
    hits: int
    doubled: int
    """How many times hits dealt near the ball, or to its holder, count."""
    near: int
    """How near to the ball that is."""
    cover: int
    """How many steps before the ball the guard stands."""
    chasers: int
    crash: int
    """A hit that next turn's collision would cost."""


class Setup(Record):
    """One match under one rule set, compiled to plain numbers. Side 0 is side a of the scenario."""

    battle: Battle
    ball: Rulings
    goal: int
    """Distance of either goal from the middle (J-BALL-7)."""
    start_q: int
    start_r: int
    minds: Annotated[Sequence[int], 2]
    """Who decides for each side of the scenario."""
    values: Annotated[Sequence[Values], 2]
    dice: Annotated[Sequence[DiceTable], PURPOSES]
    origins: Annotated[Sequence[int], JUGS]
    """Where each jug comes from, by its row."""
    given: Annotated[Table[int], JUGS, ITEMS]
    """Improvements that a random jug has for certain, ahead of those that are rolled; weapons are 8 + their number."""
    blank: Jug
    """A regulation jug without improvements."""
    weapons: Annotated[Sequence[Weapon], STANDARD]


class Outcome(NamedTuple):
    """What one match counts, in the order of the game's ``OUTCOMES``."""

    goals_a: int
    goals_b: int
    win_a: int
    win_b: int
    draw: int
    draw_cap: int
    cause_goals: int
    cause_no_jugs: int
    cause_cap: int
    score_a: int
    win_first: int
    win_seat_0: int
    turns: int
    goals_hit_a: int
    goals_hit_b: int
    goals_kick_a: int
    goals_kick_b: int
    goals_push_a: int
    goals_push_b: int
    goals_roll_a: int
    goals_roll_b: int
    goals_head_on_a: int
    goals_head_on_b: int
    goals_bounce_a: int
    goals_bounce_b: int
    own_goals_a: int
    own_goals_b: int
    lost_a: int
    lost_b: int
    replaced_a: int
    replaced_b: int
    hits_left_a: int
    hits_left_b: int
    hits_a: int
    hits_b: int
    kicks_a: int
    kicks_b: int
    catches_a: int
    catches_b: int
    holds_turns_a: int
    holds_turns_b: int
    stopped_forced_a: int
    stopped_forced_b: int
    first_initiative: int
    first_goal: int
    goals_by_first: int
    bounces: int
    stuck: int


class Trail(Record):
    """What a move that is being thought out has done to the ball."""

    fit: int
    """Actions that are legal there for the sake of the own goal, as bits."""
    held: bool
    touched: bool
    q: int
    r: int
    worth: int
    """What became of the ball so far, in the unit of the scores."""


class State(Record):
    """Scratch memory of one worker: a match, and the trace of the trial."""

    battle: BattleState
    minds: Annotated[MutableSequence[int], 2]
    """By seat."""
    alive: bool
    """There is a ball: none from a goal to the next line-up."""
    q: int
    r: int
    holder: int
    """Slot of the jug that holds the ball, or -1."""
    pace: int
    """The holder's velocity when it was last looked at."""
    toucher: int
    """Slot of the jug that touched the ball last, or -1."""
    heading: int
    side: int
    """Side of the hex by which the ball goes on."""
    means: int
    bounced: int
    """Bounces of this move of the ball."""
    stirred: bool
    """The ball was moved or held in this turn."""
    still: int
    """Whole turns for which it has been neither."""
    scored: int
    """Seat that has scored in this turn, or -1."""
    conceder: int
    """Seat that conceded and has not kicked off yet, or -1."""
    first_goal: int
    """Seat that scored the first goal, or -1."""
    by_first: int
    bounces: int
    stuck: int
    altered: int
    """Bit k: row k of the jugs is not as it was compiled."""
    goals: Annotated[MutableSequence[int], 2]
    kicked: Annotated[MutableSequence[int], JUGS]
    """1 for a jug that has kicked the ball this turn."""
    rested: Annotated[MutableSequence[int], JUGS]
    """1 for a jug whose velocity was 0 at the end of last turn, or at the line-up."""
    thrown: Annotated[Table[int], SEATS, PURPOSES]
    """Dice thrown this turn."""
    tally: Annotated[Table[int], 2, TALLIES]
    """Counts by seat, see :mod:`~simkit.games.juggerball.tally`."""
    can: int
    """Bit k: the jug that thinks can do :class:`~simkit.games.juggerball.kinds.Way` k with the ball."""
    ways: Annotated[MutableSequence[int], WAYS]
    way_count: int
    items: Annotated[MutableSequence[int], ITEMS]
    spare: Annotated[MutableSequence[Jug], JUGS]
    """Rows of the jugs as they were compiled, where they are altered."""
    outcome: Annotated[MutableSequence[int], COLUMNS]
    """What the match counts, in the order of :class:`Outcome`."""
    unit: Annotated[MutableSequence[int], COLUMNS]
    """Sum over the two matches of a unit."""
    first_unit: Annotated[MutableSequence[int], COLUMNS]
    """The same of the first setup."""
    stand: Annotated[MutableSequence[int], HEXES]
    """Who stands where while a move is thought out: slot + 1."""
    far: Annotated[Table[int], 2, HEXES]
    """Steps of the ball from each hex to the goal of each seat."""
    queue: Annotated[MutableSequence[int], HEXES]
    known_walls: int
    """Stone walls that stood when the steps were worked out, or -1."""
    trails: Annotated[MutableSequence[Trail], STEPS]
    ways_out: Annotated[MutableSequence[Frame], STEPS]
    """A way out of the hexes near the own goal, while it is looked for."""
    end_q: int
    """Where a run that was judged is expected to end."""
    end_r: int
    aim_q: int
    """Where the jug that thinks would like to be."""
    aim_r: int
    aim_facing: int
    """Which way it would like to go on from there, or -1 where that does not matter."""
    aim_weight: int
    """What a hex from there costs."""
