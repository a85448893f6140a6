"""Moving along the lane (B-LAN-9 to B-LAN-11): what a move costs, where it ends, and what it does to a formation."""

from typing import NamedTuple

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.ground import ahead, behind, loosens, stretch_ahead
from simkit.games.battlesystem.happenings import Opens, Paid, What
from simkit.games.battlesystem.kinds import Declaration, Formation, Ground, Step
from simkit.games.battlesystem.records import Lane, Numbers, Setup, State, Unit
from simkit.games.battlesystem.throw import note, told

TWELFTHS = 12
MANY = 2**40
"""Above this both parts of a fraction are halved, which changes it by less than one part in 2^39."""


class Share(NamedTuple):
    """A fraction of the normal move."""

    parts: int
    whole: int


@rule
def changed(rules: Numbers, share: Share, twelfths: int) -> Share:
    """Return a fraction of the move after a gain, or a cost below 0: added up, or each multiplied (B-LAN-9).

    What is added up stays in twelfths.
    """
    parts, whole = share.parts, share.whole
    if not rules.multiply:
        return Share(parts + twelfths, whole)
    while whole > MANY:
        parts, whole = parts // 2, whole // 2
    return Share(parts * (TWELFTHS + twelfths), whole * TWELFTHS)


@rule
def allowance(move: int, share: Share) -> int:
    """Return how far a unit may go with a fraction of its move, in 36ths of an inch, rounded down (B-LAN-9)."""
    return move * share.parts // share.whole


@rule
def paid_for(kind: int) -> int:
    """Return how a trace names what slows a move."""
    name = Paid.RISE + 0
    if kind == Ground.WOODS:
        name = Paid.WOODS + 0
    elif kind == Ground.ROUGH:
        name = Paid.ROUGH + 0
    elif kind == Ground.SWAMP:
        name = Paid.SWAMP + 0
    elif kind == Ground.FORD:
        name = Paid.FORD + 0
    elif kind == Step.BARRIER:
        name = Paid.BARRIER + 0
    elif kind == Step.DITCH:
        name = Paid.DITCH + 0
    return name


@rule
def hurdle_cost(rules: Numbers, kind: int) -> int:
    """Return what passing an obstacle or a rise costs (B-TER-4, B-TER-5)."""
    return rules.rise_cost if kind == Step.RISE else rules.obstacle_cost


@rule
def is_paid(unit: Unit, paid: int, kind: int) -> bool:
    """Tell whether ground costs no more in this round: paid already, exempt, or free (B-LAN-9, B-LAN-10)."""
    costs = kind == Ground.WOODS or kind == Ground.ROUGH or kind == Ground.SWAMP or kind == Ground.FORD
    return not costs or bool((unit.exempt | paid) >> kind & 1)


@kernel
def lapse(setup: Setup, state: State, k: int) -> None:
    """End a wall or set spears (B-LAN-13)."""
    stand = state.units[k]
    if stand.declared != Declaration.NONE:
        note(state, What.LAPSE + 0, setup.units[k].seat, -1, -1, stand.declared, -1)
        stand.declared = Declaration.NONE + 0


@kernel
def open_ranks(setup: Setup, state: State, k: int, why: int) -> None:
    """Open a closed unit; what needs closed ranks ends at once (B-LAN-11, B-LAN-13)."""
    stand = state.units[k]
    if stand.formation == Formation.CLOSED:
        stand.formation = Formation.OPEN + 0
        stand.opened = True
        note(state, What.OPEN + 0, setup.units[k].seat, -1, -1, why, -1)
        lapse(setup, state, k)


@kernel
def travel(
    setup: Setup, state: State, k: int, begin: Share, used: int, already: int, limit: int, touch: bool, real: bool
) -> int:
    """Move a front on as far as its allowance goes (B-LAN-9).

    Each obstacle or rise is paid when the front passes it, a kind of ground once a round when the front first moves
    inside it. Where the lower allowance would be less than the distance moved (for ground: not more), the front stops
    there and that payment is not made. Water takes of the allowance by the rate of swimming.

    Parameters
    ----------
    begin, used, already
        The fraction of its move that the unit has, the 36ths of an inch used of it, the kinds of ground paid.
        36ths are multiplied by the rate in water where there is one, so that they stay whole.
    limit
        Place at which it stops at the latest.
    touch
        True where it makes contact at `limit`: hurdles exactly there are paid, too (B-LAN-17).
    real
        False only looks where it would end.

    Returns
    -------
    int
        Twice the place of the front, plus 1 if it has come to `limit` and passed everything that must be passed.
    """
    unit, stand = setup.units[k], state.units[k]
    rules, lane = setup.rules, setup.lanes[unit.side]
    scale = max(unit.swim, 1)
    share, spent, paid = begin, used, already
    place, passed = stand.place, stand.passed
    met, going = False, True
    s = stretch_ahead(lane, place)
    while going:
        going = False
        stuck = False
        while passed < lane.count and lane.hurdles[passed].at == place and not stuck:
            hurdle = lane.hurdles[passed].kind
            lower = changed(rules, share, -hurdle_cost(rules, hurdle))
            stuck = (place == limit and not touch) or allowance(unit.move, lower) * scale < spent
            if not stuck:
                share = lower
                passed += 1
                if real:
                    note(state, What.PAY + 0, unit.seat, -1, -1, paid_for(hurdle), told(setup, k, place))
                    if hurdle != Step.RISE:
                        open_ranks(setup, state, k, Opens.OBSTACLE + 0)
        if stuck:
            break
        if place >= limit:
            met = True
            break
        while s + 1 < lane.grounds and lane.stretches[s + 1].begin <= place:
            s += 1
        kind = lane.stretches[s].kind
        if kind == Ground.WATER and unit.swim == 0:
            break
        if not is_paid(unit, paid, kind):
            lower = changed(rules, share, -rules.ground_cost[kind])
            if allowance(unit.move, lower) * scale <= spent:
                break
            share = lower
            paid |= 1 << kind
            if real:
                note(state, What.PAY + 0, unit.seat, -1, -1, paid_for(kind), told(setup, k, place))
        rate = unit.move if kind == Ground.WATER else scale
        most = (allowance(unit.move, share) * scale - spent) // rate
        if most <= 0:
            break
        if real and loosens(kind):
            open_ranks(setup, state, k, Opens.GROUND + 0)
        end = limit
        if passed < lane.count:
            end = min(end, lane.hurdles[passed].at)
        if s + 1 < lane.grounds:
            end = min(end, lane.stretches[s + 1].begin)
        far = min(most, end - place)
        place += far
        spent += far * rate
        going = place == end
    if real:
        moved = place - stand.place
        stand.place = place
        stand.passed = passed
        stand.parts = share.parts
        stand.whole = share.whole
        stand.spent = spent
        stand.paid = paid
        if moved > 0:
            stand.moved = True
            note(state, What.MOVE + 0, unit.seat, -1, -1, told(setup, k, place), moved)
    return 2 * place + int(met)


@kernel
def road_end(lane: Lane, place: int) -> int:
    """Return how far the road goes on that lies behind and ahead of a front; -1 if it is on none (B-LAN-10)."""
    if ahead(lane, place) != Ground.ROAD or behind(lane, place) != Ground.ROAD:
        return -1
    for s in range(stretch_ahead(lane, place), lane.grounds):
        if lane.stretches[s].kind != Ground.ROAD:
            return lane.stretches[s].begin
    return MANY


@kernel
def march(setup: Setup, state: State, k: int, share: Share, limit: int, touch: bool, real: bool) -> int:
    """Move with a fraction of the move, by the road where that leads further, or into contact (B-LAN-10).

    Returns
    -------
    int
        As :func:`travel`.
    """
    road = road_end(setup.lanes[setup.units[k].side], state.units[k].place)
    if road < 0:
        return travel(setup, state, k, share, 0, 0, limit, touch, real)
    end = min(limit, road)
    faster = changed(setup.rules, share, setup.rules.road_move)
    plain = travel(setup, state, k, share, 0, 0, limit, touch, False)
    by_road = travel(setup, state, k, faster, 0, 0, end, touch and end == limit, False)
    if end != limit:
        by_road = by_road // 2 * 2
    if by_road <= plain:
        return travel(setup, state, k, share, 0, 0, limit, touch, real)
    if real:
        travel(setup, state, k, faster, 0, 0, end, touch and end == limit, True)
    return by_road
