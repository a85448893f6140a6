"""What crosses into the kernels: the setup of a battle, the state of a trial, its outcome.

No field is called as an attribute of numpy's records is (size, mean, item): uncompiled code would read that instead.
"""

from collections.abc import MutableSequence, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from simkit.core.dicetable import DiceTable
from simkit.core.layout import Record, Table
from simkit.games.jugger.kinds import Ability as Ability
from simkit.games.jugger.kinds import Arc as Arc
from simkit.games.jugger.kinds import DiceRow as DiceRow
from simkit.games.jugger.kinds import MapEdge as MapEdge
from simkit.games.jugger.kinds import PieceKind as PieceKind
from simkit.games.jugger.kinds import Policy as Policy
from simkit.games.jugger.kinds import Special as Special
from simkit.games.jugger.kinds import Spell as Spell
from simkit.games.jugger.limits import ACROSS as ACROSS
from simkit.games.jugger.limits import CANDIDATES as CANDIDATES
from simkit.games.jugger.limits import DICE as DICE
from simkit.games.jugger.limits import EDGE as EDGE
from simkit.games.jugger.limits import EVENTS as EVENTS
from simkit.games.jugger.limits import FIRES as FIRES
from simkit.games.jugger.limits import FIRST_WALL as FIRST_WALL
from simkit.games.jugger.limits import FOES as FOES
from simkit.games.jugger.limits import HASTES as HASTES
from simkit.games.jugger.limits import HOLDS as HOLDS
from simkit.games.jugger.limits import JUGS as JUGS
from simkit.games.jugger.limits import OBSTACLE as OBSTACLE
from simkit.games.jugger.limits import OPAQUE as OPAQUE
from simkit.games.jugger.limits import OUTSIDE as OUTSIDE
from simkit.games.jugger.limits import PIECES as PIECES
from simkit.games.jugger.limits import REACH as REACH
from simkit.games.jugger.limits import ROPES as ROPES
from simkit.games.jugger.limits import SHOTS as SHOTS
from simkit.games.jugger.limits import SIDE as SIDE
from simkit.games.jugger.limits import STEPS as STEPS
from simkit.games.jugger.limits import WALLS as WALLS
from simkit.games.jugger.limits import WEAPONS as WEAPONS
from simkit.games.jugger.limits import WRECKS as WRECKS
from simkit.games.jugger.scratch import Event as Event
from simkit.games.jugger.scratch import Fighter as Fighter
from simkit.games.jugger.scratch import Fire as Fire
from simkit.games.jugger.scratch import Frame as Frame
from simkit.games.jugger.scratch import Hold as Hold
from simkit.games.jugger.scratch import Plan as Plan
from simkit.games.jugger.scratch import Rope as Rope
from simkit.games.jugger.scratch import Scan as Scan
from simkit.games.jugger.scratch import Shot as Shot


class Weapon(Record):
    """One weapon of a jug, by the weapon tables (J-WPN-1)."""

    kind: int
    piece: int
    winch: int
    """Piece number of its winch, or -1 (J-WPN-6)."""
    reach: int
    to_hit: int
    dice: int
    """Row of its damage dice."""
    times: int
    """What the roll is multiplied by (J-SC-2)."""
    arc: int
    special: int
    expected: int
    """Expected damage of a hit in twelfths, size included; of a fire a turn's; of a scythe what does not cut."""
    points: int
    """Damage a turn of a fire; 0 for others (a cauldron rolls its own)."""
    missile: bool
    """Range 2 or more (J-CAP-2)."""
    spaces: int


class Piece(Record):
    """A piece of equipment that can be lost (J-DMG-7)."""

    kind: int
    weapon: int
    """Number of the weapon it is, or -1."""


class Jug(Record):
    """One jug as it enters the battle, derived from its design and the rules."""

    size_class: int
    hits: int
    acceleration: int
    """Without captain, pieces and haste: the base value."""
    deceleration: int
    turns: int
    legged: bool
    """Legs were ever fitted: it cannot ram and keeps its velocity limit (J-DMG-4)."""
    rams: bool
    """It has a ram of its own to meet a head-on ram with (J-RAM-4)."""
    wizard: int
    """How many wizards are aboard."""
    captain: int
    """Bit k: it has :class:`Ability` k."""
    armed: int
    """Attacks that it has at all, as bits."""
    longest: int
    """Its longest reach."""
    weapon_count: int
    piece_count: int
    weapons: Annotated[Sequence[Weapon], WEAPONS]
    pieces: Annotated[Sequence[Piece], PIECES]


class Numbers(Record):
    """The fields of the rule set that the kernels read; switches as flags or small numbers."""

    map_edge: int
    half_cone: bool
    """Forward means the front half plane instead of the 60-degree cone (J-MAP-3)."""
    line_of_sight: bool
    turn_in_place: bool
    gears_acceleration: int
    sails_acceleration: int
    sails_deceleration: int
    brakes_deceleration: int
    legs_deceleration: int
    legs_turns: int
    steering_turns: int
    ram_bonus: int
    legs_top_velocity: int
    kick_to_hit: int
    kick_adds_size: bool
    to_hit_at_least: bool
    to_hit_max: int
    rounds_of_declarations: bool
    initiative_by_jug: bool
    tactics_bonus: int
    critical_every: int
    critical_attacker: int
    """A critical die of exactly this: the attacker chooses."""
    critical_defender: int
    critical_missing: bool
    wreckage: bool
    wreckage_loss: int
    rubble_loss: int
    collision_size: bool
    """Own size class counts in a collision (J-COL-1)."""
    reinforced_only: bool
    push_collides: bool
    side_kill_drives_through: bool
    damage_velocity_cap: int
    drive_through_loss: int
    break_at_most: int
    break_by_weapon: bool
    hold_attacks: bool
    """A hold does its damage as an automatic attack instead of in the end phase (J-WPN-8)."""
    grab_stops: bool
    drag_top_velocity: int
    fire_stacks: bool
    cauldron_every: int
    cauldron_reroll: bool
    rope_topples_at_most: int
    rope_holds_at_most: int
    boarders_lost_from: int
    scythe_cuts_from: int
    spells_per_turn: int
    fireball_range: int
    fireball_to_hit: int
    bolt_range: int
    bolt_to_hit: int
    haste_stacks: bool
    haste_gain: int
    shield_from: int
    restoration_from: int
    speed_acceleration: int
    cornering_turns: int
    balance_deceleration: int
    balance_at_most: int
    artillerist_bonus: int
    meleer_bonus: int
    evasion_at_most: int
    evasion_declared: bool
    control_at_most: int
    control_divides: int
    fire_turns_mean: int
    """Expected turns of a fire, in twelfths; the next ones are expected values of dice, in twelfths too."""
    kick_mean: int
    fireball_mean: int
    bolt_mean: int
    ram_mean: int
    collision_mean: int
    random_captains: bool
    strategic_roll: bool


class Victory(Record):
    """When a battle is over, beside the destruction of a side (J-ARM-2). A field of 0 or -1 is not in play."""

    max_turns: int
    rout_below: int
    """A side whose size classes in play are below this percentage of its start has lost; by side of the scenario."""
    occupy_q: int
    occupy_r: int
    occupy_turns: int
    """Side that alone stands within reach of the place for so many turn ends in a row wins; 0: not in play."""
    occupy_within: int
    target_a: int
    """Index (within side a) of the jug whose loss loses the battle, or -1."""
    target_b: int
    breakthrough: int
    """Jugs that a side must bring to the far rim columns to win; 0: not in play."""
    breakthrough_column: int
    """Distance from the centre line (2q + r, half hexes) that counts as through."""
    delay_side: int
    """Side (0 = a, 1 = b) that wins when the turn cap is reached, or -1."""


class Weights(Record):
    """What the players ``greedy`` and ``lookahead`` value, in hundredths; hits are expected ones (see thinking.py)."""

    dealt: int
    """A hit dealt by weapons and kicks on the way."""
    taken: int
    """A hit taken from them on the way."""
    ram: int
    """A hit dealt by a ram."""
    rammed: int
    """A hit taken in the own head-on ram."""
    crash: int
    """A hit lost to the own collision."""
    kill: int
    """A hit of the enemy's full hits, when the move is expected to finish him."""
    next_dealt: int
    """A hit that weapons could deal next turn from where the move ends."""
    next_taken: int
    """A hit that they could take there."""
    threat: int
    """A hit of ram damage threatened for next turn."""
    exposed: int
    """A hit of ram damage that an enemy threatens."""
    approach: int
    """A hex farther from the distance at which it fights best, as hits."""
    aim: int
    """A sixth of a turn away from facing the enemy, as hits."""
    dead_end: int
    """A hit lost to a collision next turn that no turn avoids."""
    reply: int
    """A point of the opponent's best reply (lookahead)."""
    breadth: int
    """How many of its best moves it thinks through (lookahead), at most 8."""


class Setup(Record):
    """One battle under one rule set, compiled to plain numbers. Side 0 is side a of the scenario."""

    count_a: int
    count_b: int
    rules: Numbers
    victory: Victory
    policies: Annotated[Sequence[int], 2]
    """Who decides for each side of the scenario."""
    weights: Annotated[Sequence[Weights], 2]
    half_rows: int
    half_length: int
    wall_count: int
    dice: Annotated[Sequence[DiceTable], DICE]
    jugs: Annotated[Sequence[Jug], JUGS]
    """Side a's, then side b's. Places are those of seat 0 for a and seat 1 for b; swapped seats swap the places."""
    places: Annotated[Table[int], 2, JUGS, 4]
    """Where the jugs start: as the seats are given and with seats swapped, by row of ``jugs``; columns q, r, facing,
    velocity. A side that changes seats takes the other's places, but keeps its own arcs (``a_arc``, ``b_arc``)."""
    walls: Annotated[Sequence[int], WALLS]
    """Grid index of each stone wall."""
    grid: Annotated[Sequence[int], ACROSS * ACROSS]


class Outcome(NamedTuple):
    """What one battle counts, in the order of the game's ``OUTCOMES``."""

    win_a: int
    win_b: int
    draw: int
    draw_both: int
    draw_cap: int
    win_first: int
    win_seat_0: int
    cause_destroyed: int
    cause_toppled: int
    cause_cut: int
    cause_crew: int
    cause_captured: int
    cause_exit: int
    cause_rout: int
    cause_objective: int
    cause_cap: int
    score_a: int
    turns: int
    hits_a: int
    hits_b: int
    lost_a: int
    lost_b: int
    rams_a: int
    rams_b: int
    criticals_a: int
    criticals_b: int
    ram_a: int
    ram_b: int
    kick_a: int
    kick_b: int
    weapons_a: int
    weapons_b: int
    spells_a: int
    spells_b: int
    fire_a: int
    fire_b: int
    hold_a: int
    hold_b: int
    collision_a: int
    collision_b: int


COLUMNS = len(Outcome._fields)


class State(Record):
    """Scratch memory of one worker: a battle, and the trace of the trial (room 0: none is kept)."""

    stream: np.uint64
    tweak: np.uint64
    room: int
    noted: int
    swapped: bool
    turn: int
    count: int
    over: bool
    winner: int
    """Seat that has won, or -1."""
    cause: int
    first: int
    """Seat with the initiative in turn 1."""
    mover: int
    """Slot of the jug that is moving, or -1."""
    hold_count: int
    fire_count: int
    rope_count: int
    shot_count: int
    wreck_count: int
    segments: int
    counts: Annotated[MutableSequence[int], 2]
    """Jugs at the start, by seat."""
    policies: Annotated[MutableSequence[int], 2]
    """By seat."""
    strength: Annotated[MutableSequence[int], 2]
    """Size classes at the start, by seat."""
    lost_by: Annotated[MutableSequence[int], 2]
    """How each side lost its last jug."""
    higher: int
    """Seat with the higher deployment roll."""
    occupied: Annotated[MutableSequence[int], 2]
    """Turn ends in a row for which a seat has held the place to be occupied."""
    order: Annotated[MutableSequence[int], JUGS]
    """Seats, or slots, in order of initiative."""
    damage: Annotated[Table[int], 2, 8]
    """Damage done by a seat, by source (:class:`~simkit.games.jugger.happenings.Source`)."""
    tally: Annotated[Table[int], 2, 4]
    """Rams, criticals, size classes lost, spare; by seat."""
    jugs: Annotated[MutableSequence[Fighter], JUGS]
    holds: Annotated[MutableSequence[Hold], HOLDS]
    fires: Annotated[MutableSequence[Fire], FIRES]
    ropes: Annotated[MutableSequence[Rope], ROPES]
    shots: Annotated[MutableSequence[Shot], SHOTS]
    wrecks: Annotated[MutableSequence[int], WRECKS]
    """Grid index of each wreck."""
    wall_hits: Annotated[MutableSequence[int], WALLS]
    outcome: Annotated[MutableSequence[int], COLUMNS]
    """What the battle counts, in the order of :class:`Outcome`."""
    unit: Annotated[MutableSequence[int], COLUMNS]
    """Sum over the two battles of a unit."""
    baseline: Annotated[MutableSequence[int], COLUMNS]
    """The same of the baseline."""
    plan: Plan
    """The move that was decided on."""
    scans: Annotated[MutableSequence[Scan], 2]
    """What the jug that moves expects, and what its opponent does when replies are thought out."""
    frames: Annotated[MutableSequence[Frame], STEPS]
    path: Annotated[MutableSequence[int], STEPS]
    candidates: Annotated[MutableSequence[Plan], CANDIDATES]
    candidate_count: int
    ball: int
    """Grid index of the hex that a ball keeps jugs out of; -1 where there is none, as in every battle (J-BALL-8)."""
    play_on: bool
    """A side without a jug has not lost yet (J-BALL-24)."""
    forced: int
    """Hexes that the last ram forces its target to move; 0 for none."""
    forced_gone: int
    """How many of them it has moved."""
    forced_what: int
    """Whether that is a push or a bounce: the number of its event."""
    forced_roll: int
    """The die behind it."""
    forced_code: int
    """What the hex is that stopped it."""
    since: int
    """Number of the first event that the trace keeps."""
    peaceful: Annotated[MutableSequence[int], 2]
    """1 for a seat that attacks nobody (J-BALL-25)."""
    events: Annotated[MutableSequence[Event], EVENTS]
