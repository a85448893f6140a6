"""The rest of the ledger of a battle: attacks, and all that harms or heals."""

from simkit.core.hexgrid import arc_of, distance, in_front, in_half
from simkit.games.jugger.happenings import FIREBALL, KICK, Cause, Happening, What, where
from simkit.games.jugger.records import Ability, Arc, PieceKind, Policy, Special, Spell
from tests.jugger_ledger import Burning, Jug
from tests.jugger_moves import Moves

SIDE_ARCS = (1, 2, 4, 5)
DOOMS = {What.TOPPLE: Cause.TOPPLED, What.CUT: Cause.CUT, What.CREW: Cause.CREW, What.CAPTURE: Cause.CAPTURED}


class Audit(Moves):
    """The whole ledger."""

    # Attacks

    def on_declare(self, event: Happening) -> None:
        """Attack once a turn with what is there, ready and bears (J-ATK-1, J-ATK-3)."""
        slot, item = event.jug, event.item
        jug, half = self.jugs[slot], bool(self.rules.half_cone)
        assert item not in jug.used or item > KICK
        assert self.at_start or self.policies[jug.side] != Policy.HOLD
        jug.used.add(item)
        reach, arc = 1, Arc.FORWARD
        if item == KICK:
            assert jug.count(PieceKind.LEGS)
        elif item > KICK:
            spell = Spell.FIREBALL if item == FIREBALL else Spell.BOLT
            reach, arc = int(self.rules.fireball_range if item == FIREBALL else self.rules.bolt_range), Arc.ALL
            self.cast(jug, spell)
        else:
            weapon = jug.weapons[item]
            reach, arc = int(weapon.reach), Arc(int(weapon.arc))
            assert int(weapon.piece) not in jug.lost and item not in jug.spent
            assert (slot, item) not in self.holds and (slot, item) not in self.ropes
            assert jug.ready.get(item, 0) <= self.turn
            if weapon.special == Special.CAULDRON:
                jug.ready[item] = self.turn + int(self.rules.cauldron_every)
        away = {k: (other.q - jug.q, other.r - jug.r) for k, other in enumerate(self.jugs) if not other.fate}
        if event.foe < 0:
            beside = [k for k, offset in away.items() if arc_of(jug.facing, *offset) in SIDE_ARCS]
            assert arc == Arc.SIDE and any(self.jugs[k].side != jug.side for k in beside)
            self.open.setdefault((slot, item), []).extend(beside)
            return
        assert self.jugs[event.foe].side != jug.side
        assert 1 <= distance(*away[event.foe]) <= reach
        ahead = in_half if half else in_front
        assert arc == Arc.ALL or (arc == Arc.FORWARD and ahead(jug.facing, *away[event.foe]))
        self.open.setdefault((slot, item), []).append(event.foe)

    def cast(self, jug: Jug, spell: int) -> None:
        """Cast a spell: only so many attack and enhancement spells a turn (J-WIZ-2)."""
        self.spend(jug, spell)
        jug.cast += 1
        assert jug.cast <= self.rules.spells_per_turn

    def spend(self, jug: Jug, spell: int) -> None:
        """Use a spell up."""
        assert jug.spells[spell] > 0
        jug.spells[spell] -= 1

    def on_to_hit(self, event: Happening) -> None:
        """Roll for an attack that was declared."""
        self.open[event.jug, event.item].remove(event.foe)
        at_least = self.rules.to_hit_at_least and event.item != KICK
        assert event.extra == (event.roll >= event.value if at_least else event.roll <= event.value)

    def on_reroll(self, event: Happening) -> None:
        """Roll again for who is unlucky."""
        roll, jug = self.last, self.jugs[event.jug]
        assert roll.what == What.TO_HIT and event.jug == (roll.foe if roll.extra else roll.jug)
        if event.extra:
            self.spend(jug, Spell.FATE)
        else:
            assert jug.has(Ability.LUCK)
            jug.does_once("luck")
        self.open[roll.jug, roll.item].append(roll.foe)

    def on_dodge(self, event: Happening) -> None:
        """Try to dodge."""
        assert self.jugs[event.jug].has(Ability.EVASION)
        self.jugs[event.jug].does_once("evasion")

    def on_boarders_lost(self, event: Happening) -> None:
        """Lose a party."""
        assert self.jugs[event.jug].weapons[event.item].special == Special.BOARDERS
        self.jugs[event.jug].spent.add(event.item)

    def on_damage(self, event: Happening) -> None:
        """Hit: the dice times the size of the weapon (J-SC-2)."""
        jug, item = self.jugs[event.jug], event.item
        assert self.last.what in (What.TO_HIT, What.BOARDERS_LOST, What.DODGE)
        source, times, plus = "weapons", 1, 0
        if item == KICK:
            source, plus = "kick", jug.size if self.rules.kick_adds_size else 0
        elif item > KICK:
            source = "spells"
        else:
            times = int(jug.weapons[item].times)
            if jug.weapons[item].special == Special.GRAB:
                self.gripped[event.jug, item] = event.foe
            if jug.weapons[item].special == Special.SCYTHE and event.roll >= self.rules.scythe_cuts_from:
                times = 0
        assert event.value == event.roll * times + plus
        self.book(event.foe, event.jug, item, event.value, source, jug.side)

    def on_shield(self, event: Happening) -> None:
        """Stop a hit, and the rope that comes with it."""
        self.spend(self.jugs[event.jug], Spell.SHIELD)
        self.lessen(event, 0)
        self.thrown.pop((event.foe, event.item), None)
        self.gripped.pop((event.foe, event.item), None)
        if self.last.what == What.ROPE and self.last.value == 2:
            foe = self.jugs[event.foe]
            foe.lost.discard(int(foe.weapons[event.item].winch))

    def on_control(self, event: Happening) -> None:
        """Control damage once a turn."""
        jug = self.jugs[event.jug]
        assert jug.has(Ability.CONTROL)
        jug.does_once("control")
        whole = next(v for victim, by, item, v in self.pending[::-1] if (victim, by, item) == event[2:5])
        works = event.roll <= self.rules.control_at_most
        assert event.value == (whole // int(self.rules.control_divides) if works else whole) and whole > 0
        self.lessen(event, event.value)

    def on_grab(self, event: Happening) -> None:
        """Take hold: both stand, unless the bigger may go on (J-WPN-13)."""
        jug, foe = self.jugs[event.jug], self.jugs[event.foe]
        assert not foe.fate and (event.jug, event.item) not in self.holds
        assert self.gripped.pop((event.jug, event.item)) == event.foe
        self.holds[event.jug, event.item] = [event.foe, self.turn, 0]
        for one, other, slot in ((jug, foe, event.jug), (foe, jug, event.foe)):
            goes_on = slot == self.mover and one.size > other.size and not self.rules.grab_stops
            one.velocity = min(one.velocity, int(self.rules.drag_top_velocity)) if goes_on else 0
            self.stopped = self.stopped or (slot == self.mover and not goes_on)

    def on_freed(self, event: Happening) -> None:
        """End a hold."""
        assert self.holds.pop((event.jug, event.item))[0] == event.foe

    def on_break(self, event: Happening) -> None:
        """Try to break free of one weapon, or of all of a jug, at the start of the own segment (J-WPN-7)."""
        gripped = [key for key, (foe, *_) in self.holds.items() if foe == event.jug and key[0] == event.foe]
        mine = [key for key in gripped if event.item in (-1, key[1])]
        assert mine and self.jugs[event.jug].side == self.segment[0]
        assert event.value == (event.roll <= self.rules.break_at_most)
        for key in mine if event.value else []:
            del self.holds[key]

    def on_rope(self, event: Happening) -> None:
        """Roll for a rope, at the hit or in every later end phase (J-WPN-9)."""
        jug, key = self.jugs[event.jug], (event.jug, event.item)
        winch = int(jug.weapons[event.item].winch)
        assert winch >= 0 and winch not in jug.lost
        if event.extra:
            foe, begun, rolled = self.ropes[key]
            assert foe == event.foe and rolled < self.turn > begun
            self.ropes[key][2] = self.turn
            if event.value == 2:
                del self.ropes[key]
        elif event.value < 2:
            self.thrown[key] = event.foe
        if event.value == 2:
            jug.lost.add(winch)

    def on_rope_ends(self, event: Happening) -> None:
        """End a rope."""
        key = (event.jug, event.item)
        assert (self.ropes.pop(key)[0] if key in self.ropes else self.thrown.pop(key)) == event.foe

    def doom(self, event: Happening) -> None:
        """Note what happens to a foe beside damage."""
        self.jugs[event.foe].marks.add(DOOMS[What(event.what)])
        self.thrown.pop((event.jug, event.item), None)

    on_topple = on_cut = on_crew = on_capture = doom

    # Harm

    def on_hurt(self, event: Happening) -> None:
        """Take all damage of the moment, and owe a critical roll for every multiple crossed (J-DMG-2, J-DMG-6)."""
        jug, every = self.jugs[event.jug], int(self.rules.critical_every)
        assert event.value == sum(value for victim, _, _, value in self.pending if victim == event.jug) > 0
        self.pending = [row for row in self.pending if row[0] != event.jug]
        before = jug.full - jug.hits if self.rules.critical_missing else jug.taken
        jug.due += (before + event.value) // every - before // every
        jug.taken += event.value
        jug.hits -= event.value
        assert event.extra == jug.hits

    def on_out(self, event: Happening) -> None:
        """Go out for a reason, and leave a wreck."""
        jug = self.jugs[event.jug]
        assert not jug.fate and where(event.extra) == jug.hex
        assert (jug.hits <= 0) == (event.value == Cause.DESTROYED)
        assert event.value in (Cause.DESTROYED, Cause.EXIT) or event.value in jug.marks
        assert event.value != Cause.CAPTURED or not jug.marks & {Cause.TOPPLED, Cause.CUT}
        jug.fate = event.value
        jug.marks.clear()
        self.tally[jug.side, "lost"] += jug.size
        self.loosen(event.jug)
        if event.value != Cause.CAPTURED:
            jug.fires, jug.due = [], 0
        if event.value not in (Cause.CAPTURED, Cause.EXIT) and self.rules.wreckage:
            self.wrecks.add(jug.hex)

    def on_new_side(self, event: Happening) -> None:
        """Change sides (J-WPN-16)."""
        jug = self.jugs[event.jug]
        assert jug.fate == Cause.CAPTURED and event.value == 1 - jug.side
        jug.side, jug.fate, jug.captain = event.value, 0, 0
        jug.spells.clear()
        jug.lost |= {k for k, kind in enumerate(jug.pieces) if kind == PieceKind.WIZARD}
        self.stopped = self.stopped or event.jug == self.mover

    def on_critical(self, event: Happening) -> None:
        """Roll once for each multiple."""
        jug = self.jugs[event.jug]
        assert jug.due > 0
        jug.due -= 1
        self.tally[jug.side, "criticals"] += 1
        chosen = event.roll in (self.rules.critical_attacker, self.rules.critical_defender)
        assert (event.extra >= 0) == chosen

    def on_lose(self, event: Happening) -> None:
        """Lose a piece that was there."""
        jug = self.jugs[event.jug]
        assert self.last.what == What.CRITICAL and self.last.extra == event.extra >= 0
        assert event.item not in jug.lost and jug.pieces[event.item] == event.value
        jug.lost.add(event.item)
        if event.value == PieceKind.WIZARD and not jug.count(PieceKind.WIZARD):
            jug.spells.clear()

    def on_fire(self, event: Happening) -> None:
        """Burn from now on, anew if that is longer (J-WPN-3)."""
        victim, jug = self.jugs[event.foe], self.jugs[event.jug]
        same = [fire for fire in victim.fires if (fire.firer, fire.item) == (event.jug, event.item)]
        if self.rules.fire_stacks or not same:
            assert event.extra == 1
            victim.fires.append(Burning(event.jug, event.item, event.value, event.roll, jug.side))
        else:
            assert event.extra == (event.roll >= same[0].left)
            if event.extra:
                same[0].points, same[0].left, same[0].by = event.value, event.roll, jug.side
        victim.fires = [fire for fire in victim.fires if fire.left > 0]

    def on_burn(self, event: Happening) -> None:
        """Burn once in each end phase, for as many as were rolled."""
        jug = self.jugs[event.jug]
        fire = next(
            fire
            for fire in jug.fires
            if (fire.firer, fire.item, fire.left - 1) == (event.foe, event.item, event.extra)
            and fire.burned < self.turn
            and (self.rules.cauldron_reroll or fire.points == event.value)
        )
        fire.burned, fire.left = self.turn, event.extra
        jug.fires = [fire for fire in jug.fires if fire.left > 0]
        self.book(event.jug, event.foe, event.item, event.value, "fire", fire.by)

    def on_squeeze(self, event: Happening) -> None:
        """Hold on: once a turn, from the turn after the grab (J-WPN-8)."""
        jug, hold = self.jugs[event.jug], self.holds[event.jug, event.item]
        assert hold[0] == event.foe and hold[1] < self.turn and hold[2] < self.turn and event.item not in jug.used
        hold[2] = self.turn
        jug.used.add(event.item)
        assert event.value == event.roll * int(jug.weapons[event.item].times)
        self.book(event.foe, event.jug, -3, event.value, "hold", jug.side)

    def on_put_out(self, event: Happening) -> None:
        """Put out the fire with most damage left."""
        jug = self.jugs[event.jug]
        assert jug.has(Ability.CONTROL)
        jug.does_once("control")
        mine = [fire for fire in jug.fires if (fire.firer, fire.item) == (event.foe, event.item)]
        worst = max(mine, key=lambda fire: fire.left if self.rules.cauldron_reroll else fire.points * fire.left)
        if event.value:
            jug.fires.remove(worst)

    def heal(self, event: Happening) -> None:
        """Regain hits, never more than at the start (J-CAP-2)."""
        jug = self.jugs[event.jug]
        assert 0 <= event.value <= event.roll and jug.hits + event.value <= jug.full
        jug.hits += event.value

    def on_repair(self, event: Happening) -> None:
        """Let a mechanic repair."""
        assert self.jugs[event.jug].has(Ability.MECHANIC)
        self.heal(event)

    def on_cast_restore(self, event: Happening) -> None:
        """Cast restoration."""
        self.cast(self.jugs[event.jug], Spell.RESTORATION)
        self.heal(event)

    def on_cast_haste(self, event: Happening) -> None:
        """Cast haste, for so many turns, this one included."""
        jug = self.jugs[event.jug]
        self.cast(jug, Spell.HASTE)
        jug.haste = [*jug.haste, event.roll] if self.rules.haste_stacks else [max([event.roll, *jug.haste])]

    def on_spell(self, event: Happening) -> None:
        """Know a spell."""
        self.jugs[event.jug].spells[event.roll] += 1

    def on_captain(self, event: Happening) -> None:
        """Have a captain."""
        self.jugs[event.jug].captain = 1 << (event.roll - 1)
