"""Moving along the lane (B-LAN-8 to B-LAN-11): what a move costs, where it ends, and what it does to a formation."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.happenings import Opens, What
from simkit.games.battlesystem.kinds import Declaration, Formation, Ground, Step
from simkit.games.battlesystem.records import Setup, Stand, State, Unit
from simkit.games.battlesystem.throw import note

TWELFTHS = 12
MANY = 2**40
"""Above this a product of fractions is halved until it fits: its share of a move is below what a 36th of an inch is."""


@rule
def allowance(move: int, part: int, whole: int) -> int:
    """Return how far a unit may go with a part of its move, in 36ths of an inch, rounded down (B-LAN-9)."""
    return max(0, move * part // whole)


@rule
def opens(kind: int) -> bool:
    """Tell whether a closed unit that moves inside, or passes it, is open at once (B-LAN-11)."""
    soft = kind == Ground.WOODS or kind == Ground.ROUGH or kind == Ground.SWAMP or kind == Ground.WATER
    return soft or kind == Step.BARRIER or kind == Step.DITCH


@rule
def bars_charge(kind: int) -> bool:
    """Tell whether no charge goes over, into or out of it (B-LAN-16): woods, water, a ford, an obstacle, a rise."""
    return kind == Ground.WOODS or kind == Ground.WATER or kind == Ground.FORD or kind >= Step.BARRIER


@rule
def is_step(kind: int) -> bool:
    """Tell whether it lies at one place: an obstacle or a rise, not ground."""
    return kind >= Step.BARRIER


@rule
def cost_of(setup: Setup, unit: Unit, kind: int) -> int:
    """Return what passing or entering something costs, in twelfths of a move (B-TER-3 to B-TER-8)."""
    if kind == Step.RISE:
        return setup.rules.rise_cost
    if is_step(kind):
        return setup.rules.obstacle_cost
    return 0 if unit.exempt >> kind & 1 else setup.rules.ground_cost[kind]


@rule
def enemy_front(setup: Setup, state: State, k: int, foe: int) -> int:
    """Return where the front of an enemy stands, from the own side's start."""
    return setup.length - state.units[foe].place


@rule
def ground_ahead(setup: Setup, state: State, k: int) -> int:
    """Return what the front would move into: the ground that begins at its place, or that on which it stands."""
    stand = state.units[k]
    lane = setup.lanes[setup.units[k].side]
    kind = stand.ground
    for i in range(stand.passed, lane.count):
        feature = lane.features[i]
        if feature.at != stand.place:
            break
        if not is_step(feature.kind):
            kind = feature.kind
    return kind


@kernel
def road_end(setup: Setup, state: State, k: int) -> int:
    """Return how far the road goes on that a unit stands on with its front, or -1 if it is on none (B-LAN-10)."""
    stand = state.units[k]
    lane = setup.lanes[setup.units[k].side]
    if ground_ahead(setup, state, k) != Ground.ROAD:
        return -1
    if stand.place > 0 and stand.ground != Ground.ROAD:
        return -1
    for i in range(stand.passed, lane.count):
        feature = lane.features[i]
        if feature.at > stand.place and not is_step(feature.kind) and feature.kind != Ground.ROAD:
            return feature.at
    return setup.length


@kernel
def travel(setup: Setup, state: State, k: int, part: int, limit: int, touch: bool, real: bool) -> int:
    """Move a front on, and return where it ends (B-LAN-9).

    Parameters
    ----------
    part
        Twelfths of its normal move that the unit has.
    limit
        Place at which it stops at the latest.
    touch
        True where it makes contact at `limit`: obstacles and rises exactly there are paid, too (B-LAN-17).
    real
        False only looks where it would end.
    """
    unit, stand = setup.units[k], state.units[k]
    lane = setup.lanes[unit.side]
    whole, place, passed, ground, paid = TWELFTHS, stand.place, stand.passed, stand.ground, stand.paid
    begun = place
    move = unit.swim if ground == Ground.WATER else unit.move
    going = True
    while going:
        going = False
        blocked = False
        while passed < lane.count and lane.features[passed].at == place and not blocked:
            kind = lane.features[passed].kind
            if place >= limit and (not touch or not is_step(kind)):
                break
            if not is_step(kind) and place >= limit:
                break
            if kind == Ground.WATER and unit.swim == 0:
                blocked = True
                break
            cost = cost_of(setup, unit, kind)
            if is_step(kind) or not paid >> kind & 1:
                lower = part - cost
                below = whole
                if setup.rules.multiply:
                    lower, below = part * (TWELFTHS - cost), whole * TWELFTHS
                far = allowance(move, lower, below)
                if cost > 0 and (far < place - begun or (not is_step(kind) and far <= place - begun)):
                    blocked = True
                    break
                if cost > 0:
                    part, whole = lower, below
                    while whole > MANY:
                        part, whole = part // 2, whole // 2
                    if real:
                        note(state, What.PAY + 0, unit.seat, -1, 0, kind, place)
            if not is_step(kind):
                if allowance(move, part, whole) <= place - begun:
                    blocked = True
                    break
                paid |= 1 << kind
                ground = kind
            passed += 1
            if real and stand.formation == Formation.CLOSED and opens(kind):
                stand.formation = Formation.OPEN + 0
                stand.fresh = True
                cause = Opens.GROUND + 0
                if is_step(kind):
                    cause = Opens.OBSTACLE + 0
                note(state, What.OPEN + 0, unit.seat, -1, 0, cause, 0)
        if blocked or place >= limit:
            break
        if not paid >> ground & 1:  # it begins its move inside
            cost = cost_of(setup, unit, ground)
            if cost > 0:
                lower, below = part - cost, whole
                if setup.rules.multiply:
                    lower, below = part * (TWELFTHS - cost), whole * TWELFTHS
                if allowance(move, lower, below) <= place - begun:
                    break
                part, whole = lower, below
                if real:
                    note(state, What.PAY + 0, unit.seat, -1, 0, ground, place)
            paid |= 1 << ground
        target = limit
        if passed < lane.count:
            target = min(target, lane.features[passed].at)
        step = min(target - place, allowance(move, part, whole) - (place - begun))
        if step > 0:
            place += step
            going = place == target
    if real:
        stand.place = place
        stand.passed = passed
        stand.ground = ground
        stand.paid = paid
        if place > begun:
            stand.moved = True
            note(state, What.MOVE + 0, unit.seat, -1, 0, place, place - begun)
    return place


@kernel
def reach(setup: Setup, state: State, k: int, part: int, limit: int, touch: bool) -> int:
    """Return where a move would end: the better of the one without the road and the one that stays on it (B-LAN-10)."""
    plain = travel(setup, state, k, part, limit, touch, False)
    end = road_end(setup, state, k)
    if end < 0:
        return plain
    by_road = travel(setup, state, k, part + setup.rules.road_move, min(limit, end), touch and limit <= end, False)
    return max(plain, by_road)


@kernel
def go(setup: Setup, state: State, k: int, part: int, limit: int, touch: bool) -> int:
    """Move, by the road where that leads farther, and return where the front stands now."""
    end = road_end(setup, state, k)
    if end >= 0:
        plain = travel(setup, state, k, part, limit, touch, False)
        more = part + setup.rules.road_move
        if travel(setup, state, k, more, min(limit, end), touch and limit <= end, False) > plain:
            return travel(setup, state, k, more, min(limit, end), touch and limit <= end, True)
    return travel(setup, state, k, part, limit, touch, True)


@kernel
def barred(setup: Setup, state: State, k: int, foe: int) -> bool:
    """Tell whether something between two fronts, both ends included, lets no charge through (B-LAN-16)."""
    unit, stand = setup.units[k], state.units[k]
    lane = setup.lanes[unit.side]
    end = enemy_front(setup, state, k, foe)
    woods_bar = not unit.single
    if bars_charge(stand.ground) and (stand.ground != Ground.WOODS or woods_bar):
        return True
    for i in range(stand.passed, lane.count):
        feature = lane.features[i]
        if feature.at > end:
            break
        if bars_charge(feature.kind) and (feature.kind != Ground.WOODS or woods_bar):
            return True
    other = state.units[foe].ground
    return bars_charge(other) and (other != Ground.WOODS or woods_bar)


@rule
def may_reform(setup: Setup, state: State, k: int) -> bool:
    """Tell whether a unit that was opened may close again (B-LAN-11)."""
    unit, stand = setup.units[k], state.units[k]
    return (
        setup.rules.reform
        and stand.fresh
        and stand.formation == Formation.OPEN
        and not stand.shot
        and stand.foe < 0
        and unit.in_command
        and not opens(stand.ground)
    )


@rule
def walled(stand: Stand) -> bool:
    """Tell whether a shield wall is in force."""
    return stand.declared == Declaration.WALL or stand.declared == Declaration.WALL_ROUND


@rule
def is_set(stand: Stand) -> bool:
    """Tell whether spears or pikes are set."""
    return stand.declared == Declaration.SET or stand.declared == Declaration.SET_ROUND
