"""The end phase, in the order of J-END-1, and the victory conditions (J-ARM-2, J-ARM-4)."""

from simkit.core.hexgrid import distance
from simkit.core.jit import kernel
from simkit.games.jugger.aboard import end_rope, has, refresh
from simkit.games.jugger.damage import TWELFTHS
from simkit.games.jugger.happenings import Cause, Purpose, Source, What
from simkit.games.jugger.moment import SEATS, squeeze, topple
from simkit.games.jugger.records import HASTES, Ability, DiceRow, Setup, Special, State
from simkit.games.jugger.settle import check_over, criticals, fall, hurt, wound
from simkit.games.jugger.throw import note, throw

LATER = 2048
"""Added to the address of the balance roll against a rope that was out before."""


@kernel
def end_phase(setup: Setup, state: State) -> None:
    """Play the end phase; a battle that is over in one of its parts ends there."""
    if state.rope_count:
        ropes(setup, state)
    if state.fire_count:
        put_out_fires(setup, state)
    if state.fire_count + state.hold_count > 0:
        fires_and_holds(setup, state)
    check_over(setup, state)
    if not state.over:
        objectives(setup, state)
    if not state.over:
        repair(setup, state)
        fade(setup, state)


@kernel
def ropes(setup: Setup, state: State) -> None:
    """Roll for ropes that were out before this turn (J-WPN-9): in the order of jugs and weapons, together."""
    for slot in range(state.count):
        for item in range(setup.jugs[state.jugs[slot].row].weapon_count):
            k = 0
            while k < state.rope_count:
                rope = state.ropes[k]
                if rope.jug == slot and rope.attack == item and rope.turn < state.turn and pull(setup, state, k):
                    end_rope(state, k)
                else:
                    k += 1
    fall(setup, state)


@kernel
def pull(setup: Setup, state: State, k: int) -> bool:
    """Roll for one rope; tell whether it snaps, and the winch is lost."""
    rope, rules = state.ropes[k], setup.rules
    own = state.jugs[rope.jug]
    die = throw(setup, state, DiceRow.ROPE + 0, own.seat, Purpose.ROPE_LATER + 0, rope.attack)
    if die <= rules.rope_topples_at_most:
        note(state, What.ROPE + 0, rope.jug, rope.foe, rope.attack, die, 0, 1)
        topple(setup, state, rope.jug, rope.foe, rope.attack, LATER + SEATS * own.seat + rope.attack)
        return False
    if die <= rules.rope_holds_at_most:
        note(state, What.ROPE + 0, rope.jug, rope.foe, rope.attack, die, 1, 1)
        return False
    note(state, What.ROPE + 0, rope.jug, rope.foe, rope.attack, die, 2, 1)
    own.lost |= 1 << setup.jugs[own.row].weapons[rope.attack].winch
    return True


@kernel
def put_out_fires(setup: Setup, state: State) -> None:
    """Let damage control that was not tried this turn put out the fire with most damage left (J-CAP-4)."""
    for slot in range(state.count):
        fighter = state.jugs[slot]
        if fighter.fate or fighter.burning == 0 or fighter.controlled or not has(fighter, Ability.CONTROL + 0):
            continue
        worst, left = -1, 0
        for k in range(state.fire_count):
            fire = state.fires[k]
            if fire.victim != slot or fire.left <= 0:
                continue
            damage = TWELFTHS * fire.points * fire.left
            if setup.rules.cauldron_reroll and is_cauldron(setup, state, k):
                damage = setup.jugs[state.jugs[fire.firer].row].weapons[fire.attack].expected * fire.left
            if worst < 0 or damage > left or (damage == left and earlier(state, k, worst)):
                worst, left = k, damage
        if worst < 0:
            continue
        fighter.controlled = True
        die = throw(setup, state, DiceRow.CONTROL + 0, fighter.seat, Purpose.CONTROL + 0, 0)
        out = die <= setup.rules.control_at_most
        fire = state.fires[worst]
        note(state, What.PUT_OUT + 0, slot, fire.firer, fire.attack, die, int(out), 0)
        if out:
            fire.left = 0
    sweep(state)


@kernel
def is_cauldron(setup: Setup, state: State, k: int) -> bool:
    """Tell whether a fire is a cauldron's."""
    fire = state.fires[k]
    return setup.jugs[state.jugs[fire.firer].row].weapons[fire.attack].special == Special.CAULDRON


@kernel
def earlier(state: State, a: int, b: int) -> bool:
    """Tell whether one fire comes before another: by the slot of who lit it, then by weapon."""
    one, other = state.fires[a], state.fires[b]
    return one.firer < other.firer or (one.firer == other.firer and one.attack < other.attack)


@kernel
def sweep(state: State) -> None:
    """Take burnt-out fires off the list."""
    kept = 0
    for k in range(state.fire_count):
        fire = state.fires[k]
        if fire.left > 0 and state.jugs[fire.victim].fate == 0:
            if kept != k:
                state.fires[kept] = state.fires[k]
            kept += 1
        else:
            state.jugs[fire.victim].burning -= 1
    state.fire_count = kept


@kernel
def fires_and_holds(setup: Setup, state: State) -> None:
    """Let continuing damage and holds of all jugs do their damage together (J-END-1, J-WPN-3, J-WPN-8)."""
    for slot in range(state.count):
        fighter = state.jugs[slot]
        if fighter.fate or fighter.burning == 0:
            continue
        last = -1
        for _ in range(fighter.burning):
            chosen = -1
            for k in range(state.fire_count):
                fire = state.fires[k]
                if fire.victim == slot and after(state, k, last) and (chosen < 0 or before(state, k, chosen)):
                    chosen = k
            if chosen < 0:
                break
            last = chosen
            burn_once(setup, state, chosen)
    for slot in range(state.count):
        for item in range(setup.jugs[state.jugs[slot].row].weapon_count):
            for k in range(state.hold_count):
                hold = state.holds[k]
                if (
                    hold.holder == slot
                    and hold.attack == item
                    and hold.turn < state.turn
                    and not setup.rules.hold_attacks
                ):
                    squeeze(setup, state, slot, hold.held, item)
    sweep(state)
    hurt(setup, state)
    fall(setup, state)
    criticals(setup, state)


@kernel
def before(state: State, a: int, b: int) -> bool:
    """Tell whether one fire burns before another: by who lit it, weapon, and place in the list."""
    return earlier(state, a, b) or (a < b and not earlier(state, b, a))


@kernel
def after(state: State, k: int, last: int) -> bool:
    """Tell whether a fire comes after the last one that burned (-1: none has)."""
    return last < 0 or before(state, last, k)


@kernel
def burn_once(setup: Setup, state: State, k: int) -> None:
    """Let one fire burn for a turn."""
    fire = state.fires[k]
    firer = state.jugs[fire.firer]
    damage = fire.points
    if setup.rules.cauldron_reroll:
        weapon = setup.jugs[firer.row].weapons[fire.attack]
        if is_cauldron(setup, state, k):
            i = SEATS * state.jugs[fire.victim].seat + fire.attack
            damage = throw(setup, state, weapon.dice, firer.seat, Purpose.FIRE_DAMAGE + 0, i) * weapon.times
    fire.left -= 1
    note(state, What.BURN + 0, fire.victim, fire.firer, fire.attack, 0, damage, fire.left)
    wound(state, fire.victim, damage, fire.by, Source.FIRE + 0)


@kernel
def repair(setup: Setup, state: State) -> None:
    """Let mechanics repair (J-CAP-1, J-CAP-2): 1D3, never above the starting hits."""
    for slot in range(state.count):
        fighter = state.jugs[slot]
        missing = setup.jugs[fighter.row].hits - fighter.hits
        if fighter.fate or missing <= 0 or not has(fighter, Ability.MECHANIC + 0):
            continue
        die = throw(setup, state, DiceRow.REPAIR + 0, fighter.seat, Purpose.REPAIR + 0, 0)
        regained = min(die, missing)
        fighter.hits += regained
        note(state, What.REPAIR + 0, slot, -1, -1, die, regained, 0)


@kernel
def fade(setup: Setup, state: State) -> None:
    """Make attacks ready again and let haste run out (J-END-1, J-WIZ-4)."""
    for slot in range(state.count):
        fighter = state.jugs[slot]
        if fighter.haste == 0:
            continue
        fighter.haste -= 1
        if setup.rules.haste_stacks:
            ended = state.turn % HASTES
            fighter.haste_level -= setup.rules.haste_gain * fighter.hastes[ended]
            fighter.hastes[ended] = 0
        elif fighter.haste == 0:
            fighter.haste_level = 0
        refresh(setup, state, slot)


@kernel
def finish(state: State, winner: int, cause: int) -> None:
    """End the battle."""
    state.over = True
    state.winner = winner
    state.cause = cause


@kernel
def strength(setup: Setup, state: State, side: int) -> int:
    """Return the size classes that a side has in play."""
    total = 0
    for slot in range(state.count):
        fighter = state.jugs[slot]
        if fighter.fate == 0 and fighter.side == side:
            total += setup.jugs[fighter.row].size_class
    return total


@kernel
def objectives(setup: Setup, state: State) -> None:
    """See whether a side is routed or an aim of the scenario is reached (J-ARM-2); for both sides at once: a draw."""
    victory = setup.victory
    lost, won = 0, 0
    for side in range(2):
        if victory.rout_below > 0 and 100 * strength(setup, state, side) < victory.rout_below * state.strength[side]:
            lost |= 1 << side
    if lost:
        finish(state, -1 if lost == 3 else (0 if lost == 2 else 1), Cause.ROUT + 0)
        return
    for side in range(2):
        target = victory.target_b if (side == 1) != state.swapped else victory.target_a
        row = target + (setup.count_a if (side == 1) != state.swapped else 0)
        for slot in range(state.count):
            fighter = state.jugs[slot]
            if target >= 0 and fighter.row == row and (fighter.fate != 0 or fighter.side != side):
                won |= 1 << (1 - side)
        if victory.occupy_turns > 0 and occupies(setup, state, side):
            won |= 1 << side
        if victory.breakthrough > 0 and through(setup, state, side) >= victory.breakthrough:
            won |= 1 << side
    if won:
        finish(state, -1 if won == 3 else won - 1, Cause.OBJECTIVE + 0)


@kernel
def occupies(setup: Setup, state: State, side: int) -> bool:
    """Tell whether a side alone has held the place for long enough; count this turn."""
    victory = setup.victory
    own, enemies = 0, 0
    sign = -1 if state.swapped else 1
    for slot in range(state.count):
        fighter = state.jugs[slot]
        q, r = fighter.q - sign * victory.occupy_q, fighter.r - sign * victory.occupy_r
        if fighter.fate == 0 and distance(q, r) <= victory.occupy_within:
            own += int(fighter.side == side)
            enemies += int(fighter.side != side)
    state.occupied[side] = state.occupied[side] + 1 if own > 0 and enemies == 0 else 0
    return state.occupied[side] >= victory.occupy_turns


@kernel
def through(setup: Setup, state: State, side: int) -> int:
    """Count the jugs of a side that have reached the far end: seat 0 goes east, seat 1 west."""
    count = 0
    for slot in range(state.count):
        fighter = state.jugs[slot]
        column = 2 * fighter.q + fighter.r
        if fighter.fate == 0 and fighter.side == side:
            count += int((column if side == 0 else -column) >= setup.victory.breakthrough_column)
    return count
