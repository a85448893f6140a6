"""The clever players' moves: every legal velocity and path of this turn is judged, and the best one made.

A path is judged by the hits that unused weapons and the kick deal and take on the way, by what a ram or
collision at its end gives and costs, and by where it ends: what weapons could do next turn, whose ram
threatens whom, whether a wall is in the way, how far it is from the range at which the jug fights best.
All scores are whole numbers (hundredths of 72nds of a hit), so that a choice never differs between
machines; of equal moves the first found is made (forward before left before right, the shorter path first).
``lookahead`` takes its best moves one by one and subtracts what the enemy's best answer would be worth to him.
"""

from simkit.core.hexgrid import DIRECTIONS, arc_of, distance, facings_in_front, step_q, step_r, turned
from simkit.core.jit import kernel, rule
from simkit.games.jugger.board import cell, loss, occupant
from simkit.games.jugger.damage import PER_DIE, TWELFTHS
from simkit.games.jugger.motion import fastest, may_turn, slowest
from simkit.games.jugger.ramming import HEAD_ON, approach, ram_velocity
from simkit.games.jugger.records import CANDIDATES, FOES, REACH, STEPS, Frame, Policy, Setup, State, Weights
from simkit.games.jugger.scan import fire, look, ram_worth, risk
from simkit.games.jugger.weapons import aims

FORWARD = 0
LEFT = -1
RIGHT = 1

OPTIONS = 3
"""Actions at every point of a path: forward, left, right."""

TURNS = 4
"""Most turns of one move that are thought of: every facing can be reached, and the paths stay few."""

HIT = TWELFTHS * PER_DIE
"""A hit point in the unit of the scores before weights."""

NOTHING = -(2**60)

LAST_RESORT = -(2**50)
"""Score of what is done only if every path leads to it."""


@kernel
def think(setup: Setup, state: State, slot: int, least: int, most: int, dragging: bool) -> None:
    """Decide on a move and leave it in ``state.plan``."""
    fighter = state.jugs[slot]
    weights = setup.weights[fighter.side if not state.swapped else 1 - fighter.side]
    clever = state.policies[fighter.side] == Policy.LOOKAHEAD
    breadth = min(CANDIDATES, max(1, weights.breadth)) if clever else 1
    search(setup, state, slot, least, most, dragging, 0, breadth, weights)
    chosen = 0
    if breadth > 1 and state.candidate_count > 1:
        chosen = answer(setup, state, slot, weights)
    state.plan = state.candidates[chosen]


@kernel
def search(
    setup: Setup,
    state: State,
    slot: int,
    least: int,
    most: int,
    dragging: bool,
    depth: int,
    breadth: int,
    weights: Weights,
) -> int:
    """Judge every velocity and path of a jug; keep the best ones, best first, and return the best score."""
    look(setup, state, slot, depth)
    if depth == 0:
        state.candidate_count = 0
    fighter = state.jugs[slot]
    start = state.frames[0]
    start.option = 0
    start.q = fighter.q
    start.r = fighter.r
    start.facing = fighter.facing
    start.slowest = 0
    start.spent = 0
    start.moved = 0
    start.turned = 0
    start.dealt = 0
    start.taken = 0
    bearings(setup, state, start, depth)
    meet(state, start, depth)
    return walk(setup, state, slot, least, most, dragging, depth, breadth, weights)


@kernel
def walk(
    setup: Setup,
    state: State,
    slot: int,
    least: int,
    most: int,
    dragging: bool,
    depth: int,
    breadth: int,
    weights: Weights,
) -> int:
    """Judge every path by going through them step by step and back.

    A path is gone once for all velocities: ``spent`` is what it has cost so far, hexes and losses. With a velocity that
    is spent here, but was not before the last hex, the path can end here.
    """
    fighter, in_place = state.jugs[slot], setup.rules.turn_in_place
    best = NOTHING
    at = 0
    while at >= 0:
        frame = state.frames[at]
        option = frame.option
        frame.option += 1
        if option == 0:
            for velocity in range(max(least, frame.slowest), min(most, frame.spent) + 1):
                frame.velocity = max(0, velocity - frame.spent + frame.moved)
                if in_place or frame.velocity > 0 or frame.turned == 0:
                    best = max(best, judge(setup, state, slot, velocity, at, depth, breadth, -1, 0, weights))
        if option >= OPTIONS or at >= STEPS - 1:
            at -= 1
            continue
        if option > 0:
            action = LEFT if option == 1 else RIGHT
            back = at > 0 and state.path[at - 1] == -action
            if back or dragging or not may_turn(frame.turned, min(fighter.turns, TURNS), most, in_place):
                continue
            state.path[at] = action
            following = state.frames[at + 1]
            copy(frame, following)
            following.facing = turned(frame.facing, action)
            following.turned += 1
            for e in range(FOES):
                following.far[e] = frame.far[e]
                following.aims[e] = frame.aims[e]
        else:
            if frame.spent >= most:
                continue
            state.path[at] = FORWARD
            q, r = frame.q + step_q(frame.facing), frame.r + step_r(frame.facing)
            code = cell(setup, state, q, r)
            foe = occupant(state, q, r) if code >= 0 else -1
            if code < 0 or (foe >= 0 and foe != slot and not dragging):
                for velocity in range(max(least, frame.spent + 1), most + 1):
                    frame.velocity = velocity - frame.spent + frame.moved
                    best = max(best, judge(setup, state, slot, velocity, at, depth, breadth, foe, code, weights))
                continue
            following = state.frames[at + 1]
            copy(frame, following)
            following.q = q
            following.r = r
            following.moved += 1
            following.slowest = frame.spent + 1
            following.spent = frame.spent + 1 + loss(setup, state, q, r)
            bearings(setup, state, following, depth)
        following.option = 0
        meet(state, following, depth)
        at += 1
    return best


@rule
def copy(frame: Frame, following: Frame) -> None:
    """Start a point of a path from the one before."""
    following.q = frame.q
    following.r = frame.r
    following.facing = frame.facing
    following.slowest = frame.slowest
    following.spent = frame.spent
    following.moved = frame.moved
    following.turned = frame.turned
    following.dealt = frame.dealt
    following.taken = frame.taken


@rule
def bearings(setup: Setup, state: State, frame: Frame, depth: int) -> None:
    """Note how far the nearest enemies are from a point of a path, and where."""
    scan = state.scans[depth]
    for e in range(scan.count):
        other = state.jugs[scan.slots[e]]
        dq, dr = other.q - frame.q, other.r - frame.r
        frame.far[e] = distance(dq, dr)
        frame.aims[e] = aims(dq, dr, setup.rules.half_cone)


@rule
def faces(aims: int, facing: int) -> bool:
    """Tell whether one who faces that way has the enemy in the forward arc."""
    return (aims >> facing & 1) > 0


@rule
def meet(state: State, frame: Frame, depth: int) -> None:
    """Note what could be dealt and taken at a point of a path, where that is more than before."""
    scan = state.scans[depth]
    dealt, taken = 0, 0
    for e in range(scan.count):
        d = frame.far[e]
        if d <= scan.farthest[e]:
            other = state.jugs[scan.slots[e]]
            dq, dr = other.q - frame.q, other.r - frame.r
            value = fire(scan, e, d, frame.facing, dq, dr, faces(frame.aims[e], frame.facing))
            dealt = max(dealt, min(value, HIT * other.hits))
            taken += risk(scan, e, d, -dq, -dr, other.facing, faces(frame.aims[e], turned(other.facing, 3)))
    frame.dealt = max(frame.dealt, dealt)
    frame.taken = max(frame.taken, taken)


@kernel
def judge(
    setup: Setup,
    state: State,
    slot: int,
    velocity: int,
    at: int,
    depth: int,
    breadth: int,
    foe: int,
    code: int,
    weights: Weights,
) -> int:
    """Score a whole path that ends here: in the open, in a jug (``foe``), or in something hard (``code`` below 0)."""
    frame = state.frames[at]
    score = weights.dealt * frame.dealt - weights.taken * frame.taken
    speed = frame.velocity
    contact = foe >= 0 or code < 0
    if code < 0:
        fighter = state.jugs[slot]
        size = setup.jugs[fighter.row].size_class if setup.rules.collision_size else 0
        counts = min(frame.velocity, setup.rules.damage_velocity_cap)
        harm = PER_DIE * (setup.rules.collision_mean + TWELFTHS * size) * counts
        score -= weights.crash * harm
        if harm >= HIT * fighter.hits:
            score -= weights.kill * HIT * setup.jugs[fighter.row].hits
        speed = 0
    elif foe >= 0:
        score += ram_score(setup, state, slot, foe, frame, weights)
        speed = 0
    score += outlook(setup, state, slot, frame, speed, depth, weights)
    if depth == 0:
        keep(state, score, velocity, at, breadth, speed, contact)
    return score


@kernel
def ram_score(setup: Setup, state: State, slot: int, foe: int, frame: Frame, weights: Weights) -> int:
    """Score a contact: what the ram gives and what it costs head-on; legs only stop (J-RAM).

    Friends are never run into on purpose (J-RAM-8): any other path is better.
    """
    own, other, rules = state.jugs[slot], state.jugs[foe], setup.rules
    mine, theirs = setup.jugs[own.row], setup.jugs[other.row]
    if own.side == other.side:
        return LAST_RESORT
    if mine.legged:
        return 0
    kind = approach(arc_of(other.facing, frame.q - other.q, frame.r - other.r))
    counts = ram_velocity(kind, frame.velocity, other.velocity, rules.damage_velocity_cap)
    given = PER_DIE * (rules.ram_mean + TWELFTHS * (own.ram + mine.size_class)) * counts
    score = weights.ram * min(given, HIT * other.hits)
    if given >= HIT * other.hits:
        score += weights.kill * HIT * theirs.hits
    if kind == HEAD_ON and theirs.rams:
        got = PER_DIE * ram_worth(setup, state, foe, other.velocity)
        score -= weights.rammed * min(got, HIT * own.hits)
        if got >= HIT * own.hits:
            score -= weights.kill * HIT * mine.hits
    return score


@kernel
def outlook(setup: Setup, state: State, slot: int, frame: Frame, speed: int, depth: int, weights: Weights) -> int:
    """Score where a move ends: next turn's fire and rams, walls ahead, range and aim (against the nearest enemies)."""
    own, scan = state.jugs[slot], state.scans[depth]
    score = 0
    for e in range(scan.count):
        other = state.jugs[scan.slots[e]]
        d = frame.far[e]
        in_aim = faces(frame.aims[e], frame.facing)
        in_sights = faces(frame.aims[e], turned(other.facing, 3))
        share = 2 if e == 0 else 1
        gain, harm = 0, 0
        if d < REACH:
            gain = scan.later[e, d] + (scan.later_ahead[e, d] if in_aim else 0)
            harm = scan.suffer[e, d] + (scan.suffer_ahead[e, d] if in_sights else 0)
        value = weights.next_dealt * min(gain, HIT * other.hits) - weights.next_taken * harm
        reach = speed + own.acceleration
        if in_aim and d > 0 and reach >= d:
            value += weights.threat * min(PER_DIE * ram_worth(setup, state, slot, reach), HIT * other.hits)
        if in_sights and scan.charge[e] >= d:
            value -= weights.exposed * scan.charge_worth[e]
        off = abs(d - scan.best_range[e])
        value -= weights.approach * HIT * off
        if not in_aim:
            value -= weights.aim * HIT * misaim(frame.facing, other.q - frame.q, other.r - frame.r)
        score += value * share // 2
    coming = slowest(speed, own.deceleration)
    if coming > 0:
        score -= weights.dead_end * dead_end(setup, state, slot, frame, coming)
    return score


@rule
def misaim(facing: int, dq: int, dr: int) -> int:
    """Return how many sixths of a turn away a target that is not ahead is, 1 to 3."""
    ahead = facings_in_front(dq, dr)
    turns = (ahead | ahead << DIRECTIONS) >> facing  # bit k: ahead after k sixths clockwise
    if turns & 0b100010:
        return 1
    return 2 if turns & 0b010100 else 3


@kernel
def dead_end(setup: Setup, state: State, slot: int, frame: Frame, coming: int) -> int:
    """Return the collision damage that next turn's least velocity cannot avoid by one turn, in 72nds of a hit."""
    own = state.jugs[slot]
    turns = int(own.turns > 0)
    for k in range(-turns, turns + 1):
        if clear(setup, state, frame, turned(frame.facing, k), coming):
            return 0
    size = setup.jugs[own.row].size_class if setup.rules.collision_size else 0
    return PER_DIE * (setup.rules.collision_mean + TWELFTHS * size) * min(coming, setup.rules.damage_velocity_cap)


@kernel
def clear(setup: Setup, state: State, frame: Frame, direction: int, hexes: int) -> bool:
    """Tell whether nothing hard stands within so many hexes in a direction."""
    q, r = frame.q, frame.r
    for _ in range(hexes):
        q += step_q(direction)
        r += step_r(direction)
        if cell(setup, state, q, r) < 0:
            return False
    return True


@kernel
def keep(state: State, score: int, velocity: int, at: int, breadth: int, speed: int, contact: bool) -> None:
    """Keep a path among the best ones, best first; of equals the one that was found first stays ahead."""
    count = state.candidate_count
    if count >= breadth and score <= state.candidates[count - 1].score:
        return
    frame = state.frames[at]
    for k in range(count):  # other ways to the same place are not thought through again
        plan = state.candidates[k]
        if plan.q == frame.q and plan.r == frame.r and plan.facing == frame.facing and plan.speed == speed:
            if plan.score >= score:
                return
            for later in range(k + 1, count):
                state.candidates[later - 1] = state.candidates[later]
            count -= 1
            break
    place = min(count, breadth - 1)
    while place > 0 and state.candidates[place - 1].score < score:
        state.candidates[place] = state.candidates[place - 1]
        place -= 1
    plan = state.candidates[place]
    plan.score = score
    plan.velocity = velocity
    plan.q = frame.q
    plan.r = frame.r
    plan.facing = frame.facing
    plan.speed = speed
    plan.contact = contact
    plan.length = at + int(contact)
    for k in range(plan.length):
        plan.actions[k] = state.path[k]
    state.candidate_count = min(breadth, count + 1)


@kernel
def answer(setup: Setup, state: State, slot: int, weights: Weights) -> int:
    """Return the best of the moves kept, when the nearest enemy answers each as well as it can (lookahead)."""
    own = state.jugs[slot]
    foe = state.scans[0].slots[0]
    q, r, facing, velocity = own.q, own.r, own.facing, own.velocity
    other = state.jugs[foe]
    jug = setup.jugs[other.row]
    least = slowest(other.velocity, other.deceleration)
    most = fastest(other.velocity, other.acceleration, jug.legged, setup.rules.legs_top_velocity, least)
    used, other_velocity = other.used, other.velocity
    other.used = 0
    best, value = 0, NOTHING
    for k in range(state.candidate_count):
        plan = state.candidates[k]
        score = plan.score
        own.q = plan.q
        own.r = plan.r
        own.facing = plan.facing
        own.velocity = plan.speed
        if not plan.contact:
            reply = search(setup, state, foe, least, most, other.attached > 0, 1, 1, weights)
            score -= weights.reply * reply // 100
        else:  # both stand still after a ram
            other.velocity = 0
            reply = search(setup, state, foe, 0, other.acceleration, other.attached > 0, 1, 1, weights)
            other.velocity = other_velocity
            score -= weights.reply * reply // 100
        if score > value:
            best, value = k, score
    own.q = q
    own.r = r
    own.facing = facing
    own.velocity = velocity
    other.used = used
    return best
