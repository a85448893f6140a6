"""What takes effect together: hurts, grabs, fires, ropes, jugs that go out or change sides, criticals (J-DMG-6)."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.naive.jugger import tables as t
from tests.naive.jugger.board import distance, pack
from tests.naive.jugger.design import Fire, Grip, Jug

if TYPE_CHECKING:
    from tests.naive.jugger.battle import Battle


@dataclass
class Effects:
    """Everything that a moment, a contact or a part of the end phase does at once."""

    hurts: dict[int, list[int]] = field(default_factory=dict)
    """Damage of each victim by the two sides that did it."""
    toppled: dict[int, int] = field(default_factory=dict)
    cut: dict[int, int] = field(default_factory=dict)
    captured: dict[int, int] = field(default_factory=dict)
    crew_killed: dict[int, int] = field(default_factory=dict)
    grabs: list[tuple[Jug, int, Jug]] = field(default_factory=list)
    ropes: list[tuple[Jug, int, Jug]] = field(default_factory=list)
    fires: list[tuple[Jug, Fire]] = field(default_factory=list)
    snapped: list[tuple[Jug, int]] = field(default_factory=list)
    rolls: dict[int, int] = field(default_factory=dict)
    """Critical rolls of each victim."""

    def hurt(self, victim: Jug, side: int, amount: int) -> None:
        """Add damage that a side does to a jug."""
        if amount > 0:
            self.hurts.setdefault(victim.slot, [0, 0])[side] += amount

    def blame(self, battle: "Battle", slot: int) -> int:
        """Return the side that did most of the damage, of equals the first in initiative (J-DMG-8)."""
        by_side = self.hurts.get(slot, [0, 0])
        return max(battle.first_sides, key=lambda side: by_side[side])


def settle(battle: "Battle", effects: Effects) -> None:
    """Let everything take effect, then roll criticals."""
    land(battle, effects)
    roll_criticals(battle, effects)


def land(battle: "Battle", effects: Effects) -> None:
    """Let everything take effect but the criticals."""
    for slot in sorted(effects.hurts):
        take_damage(battle, battle.jugs[slot], effects)
    fates = {slot: fate(battle, slot, effects) for slot in range(len(battle.jugs))}
    gone = {slot: cause_side for slot, cause_side in fates.items() if cause_side is not None}
    for jug, item, target in effects.grabs:
        if jug.slot not in gone and target.slot not in gone:
            attach(battle, jug, item, target)
    for victim, fire in effects.fires:
        light(battle, victim, fire)
    for jug, item, target in effects.ropes:
        if jug.slot not in gone and target.slot not in gone:
            jug.ropes[item] = Grip(target, battle.turn)
    for jug, item in effects.snapped:
        winch = jug.winch(item)
        assert winch is not None
        winch.alive = False
    sides_after = {slot: side for slot, (cause, side) in gone.items() if cause == t.CAPTURED}
    for slot, (cause, side) in sorted(gone.items()):
        if cause == t.CAPTURED:
            capture(battle, battle.jugs[slot], side, sides_after)
        else:
            go_out(battle, battle.jugs[slot], cause, side)


def take_damage(battle: "Battle", jug: Jug, effects: Effects) -> None:
    """Take all damage of the moment, and count the critical rolls that it asks for (J-DMG-1, J-DMG-2)."""
    amount, every = sum(effects.hurts[jug.slot]), battle.rules.critical_every
    before = jug.taken if battle.rules.critical_counts == "taken" else jug.full - jug.hits
    effects.rolls[jug.slot] = (before + amount) // every - before // every
    jug.taken += amount
    jug.hits -= amount
    battle.write(t.HURT, jug, value=amount, extra=jug.hits)


def fate(battle: "Battle", slot: int, effects: Effects) -> tuple[int, int] | None:
    """Return how a jug goes out and by which side: destroyed beats captured beats crew killed (J-WPN-11)."""
    jug = battle.jugs[slot]
    if not jug.in_play:
        return None
    if jug.hits <= 0:
        return t.DESTROYED, effects.blame(battle, slot)
    for cause, by in (
        (t.TOPPLED, effects.toppled), (t.CUT_IN_HALF, effects.cut), (t.CAPTURED, effects.captured),
        (t.CREW_KILLED, effects.crew_killed),
    ):  # fmt: skip
        if slot in by:
            return cause, by[slot]
    return None


def attach(battle: "Battle", jug: Jug, item: int, target: Jug) -> None:
    """Attach two jugs (J-WPN-2, J-WPN-13)."""
    jug.holds[item] = Grip(target, battle.turn)
    battle.write(t.GRAB, jug, target, item)
    mover = battle.mover
    if battle.running and mover in (jug, target) and not battle.rules.grab_stops:
        other = target if mover is jug else jug
        other.velocity = 0
        if mover is not None and battle.attached(mover) == [other] and mover.sc > other.sc:
            mover.velocity = min(mover.velocity, battle.rules.drag_top_velocity)
            return
    jug.velocity = target.velocity = 0
    if mover in (jug, target):
        battle.running = False


def old_fire(victim: Jug, firer: Jug, item: int) -> Fire | None:
    """Return the fire of a weapon that burns on a jug."""
    return next((fire for fire in victim.fires if fire.firer is firer and fire.item == item), None)


def light(battle: "Battle", victim: Jug, fire: Fire) -> None:
    """Light a fire, or let it replace the old one of its weapon if its turns are at least those left (J-WPN-3)."""
    old = None if battle.rules.fire_stacks else old_fire(victim, fire.firer, fire.item)
    if old is None:
        victim.fires.append(fire)
        victim.fires.sort(key=lambda one: (one.firer.slot, one.item))
    elif fire.turns >= old.turns:
        victim.fires[victim.fires.index(old)] = fire


def capture(battle: "Battle", jug: Jug, side: int, sides_after: dict[int, int]) -> None:
    """Let a jug change sides; its captain, wizard and spells die (J-WPN-16)."""
    if battle.duel:
        battle.captured_in_duel.add(jug.side)
    note_out(battle, jug, t.CAPTURED, side)
    for holder, hold in all_holds(battle):
        ends = {sides_after.get(one.slot, one.side) for one in (holder, hold.target)}
        if jug in (holder, hold.target) and len(ends) == 1:
            end_hold(battle, holder, hold)
    jug.side = side
    jug.captain = ()
    jug.spells.clear()
    for piece in jug.pieces:
        piece.alive = piece.alive and piece.kind != "wizard"
    if jug is battle.mover:
        battle.running = False
    battle.write(t.NEW_SIDE, jug, value=side)


def go_out(battle: "Battle", jug: Jug, cause: int, side: int) -> None:
    """Put a jug out of play; unless it left the map, it leaves wreckage (J-DMG-5)."""
    note_out(battle, jug, cause, side)
    jug.in_play = False
    jug.velocity = 0
    if battle.rules.wreckage and cause != t.LEFT:
        battle.board.wrecks.add(jug.place)
    if jug is battle.mover:
        battle.running = False
    for holder, hold in all_holds(battle):
        if jug in (holder, hold.target):
            end_hold(battle, holder, hold)


def note_out(battle: "Battle", jug: Jug, cause: int, side: int) -> None:
    """Write OUT, and remember how the last jug of a side went."""
    battle.last_out[jug.side] = battle.last_cause = cause
    battle.write(t.OUT, jug, side, value=cause, extra=pack(jug.place))


def all_holds(battle: "Battle") -> list[tuple[Jug, Grip]]:
    """Return all grabs and ropes with who holds: in slot order, then in the order of the weapons."""
    return [(jug, {**jug.holds, **jug.ropes}[item]) for jug in battle.jugs for item in sorted({*jug.holds, *jug.ropes})]


def end_hold(battle: "Battle", holder: Jug, hold: Grip) -> None:
    """End a grab or a rope."""
    for holds, what in ((holder.holds, t.FREED), (holder.ropes, t.ROPE_ENDS)):
        for item in [item for item, one in holds.items() if one is hold]:
            del holds[item]
            battle.write(what, holder, hold.target, item)


def part(battle: "Battle") -> None:
    """End holds of jugs that are no longer adjacent, and ropes that are too long (J-WPN-14, J-WPN-9)."""
    for holder, hold in all_holds(battle):
        ropes = [item for item, rope in holder.ropes.items() if rope is hold]
        longest = holder.weapon(ropes[0], battle.rules).range if ropes else 1
        if distance(holder.place, hold.target.place) > longest:
            end_hold(battle, holder, hold)


def roll_criticals(battle: "Battle", effects: Effects) -> None:
    """Roll the criticals of all jugs that are still in play, in slot order (J-DMG-2, J-DMG-6)."""
    rules = battle.rules
    for slot, rolls in sorted(effects.rolls.items()):
        jug = battle.jugs[slot]
        for _ in range(rolls if jug.in_play else 0):
            roll = battle.roll(rules.critical_dice, "critical", jug.seat, jug.critical_rolls)
            jug.critical_rolls += 1
            battle.critical_dice[jug.side] += 1
            attacker = roll == rules.critical_attacker
            side = effects.blame(battle, slot) if attacker else jug.side if roll == rules.critical_defender else -1
            battle.write(t.CRITICAL, jug, roll=roll, extra=side)
            pieces = jug.losable(rules)
            if side >= 0 and pieces:
                index = battle.policy(side).lose(jug, pieces, attacker=attacker)
                battle.write(t.LOSE, jug, item=index, value=t.KINDS.index(jug.pieces[index].kind), extra=side)
                lose(battle, jug, index)


def lose(battle: "Battle", jug: Jug, index: int) -> None:
    """Destroy a piece: its hold or rope ends at once, a wizard's spells go (J-DMG-3, J-DMG-4, J-DMG-7)."""
    piece = jug.pieces[index]
    piece.alive = False
    if piece.kind == "wizard":
        jug.spells.clear()
    for item, hold in [*sorted(jug.holds.items()), *sorted(jug.ropes.items())]:
        if jug.weapons[item] == index or (item in jug.ropes and jug.winch(item) is piece):
            end_hold(battle, jug, hold)
