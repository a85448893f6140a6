"""The fight of the twin: set-up, the round, contacts, losses, the end, the outcome (B-LAN-12, B-LAN-25, B-LAN-27)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from simkit.core.rng import Key
from tests.naive.battlesystem import missiles, morale, orders
from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.follow import TraceDivergedError
from tests.naive.battlesystem.lane import Lane, touching
from tests.naive.battlesystem.melee import melee_phase
from tests.naive.battlesystem.movement import March
from tests.naive.battlesystem.unit import Contact, Troop, Unit, covers


class Played(NamedTuple):
    """What a fight came to."""

    outcome: dict[str, int]
    events: list[t.Event]


class Battle:
    """Everything that is known during one fight."""

    def __init__(
        self,
        sides: Sequence[Sequence[Troop]],
        lane: Lane,
        rules: Any,
        dice: Any,
        trace: Sequence[t.Event] | None = None,
    ) -> None:
        self.lane = touching(lane) if lane.in_contact else lane
        self.rules = rules
        self.dice = dice
        self.trace = trace
        self.events: list[t.Event] = []
        self.round = 1
        self.first = 0
        self.over = False
        self.winner = -1
        self.cause = 0
        self.killed = [0, 0]
        self.missiles = [0, 0]
        self.charges = [0, 0]
        self.first_strikes = [0, 0]
        self.checks = [0, 0]
        self.failed = [0, 0]
        self.units = [Unit(side, index, troop, self.lane) for side in (0, 1) for index, troop in enumerate(sides[side])]
        self.contacts: list[Contact] = []
        self.set_up(sides)

    def set_up(self, sides: Sequence[Sequence[Troop]]) -> None:
        """Check the slots; put start declarations into force, open who stands on bad ground, make first contacts."""
        for side, troops in enumerate(sides):
            slots = [(troop.slot, troop.reserve) for troop in troops]
            if not troops or len(slots) != len(set(slots)):
                raise ValueError(f"side {side}, slots and reserves {slots}; allowed: one unit at least, each once")
            if any(troop.policy == "best" for troop in troops) and self.trace is None:
                raise ValueError("the policy best needs the events of another engine")
        for unit in self.units:
            if unit.closed and self.lane.stands(unit.place, unit.side).kind in t.LOOSENING:
                unit.formation, unit.opened = "open", True
            declared = t.STARTS[self.lane.start[unit.side]]
            if not unit.waiting and (unit.closed or declared not in t.STANDS):
                unit.declaration = declared
        if self.lane.in_contact:
            for unit in self.lined(0):
                for foe in self.lined(1):
                    if unit.slot == foe.slot:
                        charged = tuple(one.declaration == t.CHARGE for one in (unit, foe))
                        self.join(unit, foe, unit.place, (charged[0], charged[1]))
        for unit in self.units:
            if unit.declaration == t.CHARGE:
                unit.declaration = t.NONE

    # Small things that every part uses

    def write(
        self,
        what: int,
        unit: Unit | None = None,
        foe: Unit | int = -1,
        roll: int = -1,
        value: int = -1,
        extra: int = -1,
    ) -> None:
        """Write an event; with a trace, stop at the first event that is not the same."""
        other = foe.seat if isinstance(foe, Unit) else foe
        event = (what, self.round, -1 if unit is None else unit.seat, other, roll, value, extra)
        told = self.next_told()
        self.events.append(event)
        if self.trace is not None and told != event:
            raise TraceDivergedError(len(self.events) - 1, event, told)

    def next_told(self) -> t.Event | None:
        """Return the event of the trace that comes next."""
        at = len(self.events)
        return tuple(self.trace[at]) if self.trace is not None and at < len(self.trace) else None  # type: ignore[return-value]

    def lined(self, side: int) -> list[Unit]:
        """Return a side's units in play that stand in a slot, by slot."""
        units = [unit for unit in self.units if unit.side == side and unit.in_play and not unit.waiting]
        return sorted(units, key=lambda unit: unit.slot)

    def contacts_of(self, unit: Unit) -> list[Contact]:
        """Return a unit's contacts, by the enemy's slot."""
        found = [contact for contact in self.contacts if contact.on and unit in contact.units]
        return sorted(found, key=lambda contact: contact.units[1 - unit.side].slot)

    def foe_of(self, unit: Unit) -> Unit | None:
        """Return whom a unit meets: the enemy of its slot, else of the nearest one occupied (B-LAN-27)."""
        foes = [foe for foe in self.units if foe.side != unit.side and foe.in_play]
        front = [foe for foe in foes if not foe.waiting]
        foes = front + [foe for foe in foes if foe.waiting and foe.slot not in [other.slot for other in front]]
        return min(foes, key=lambda foe: (abs(foe.slot - unit.slot), foe.slot), default=None)

    def strikes(self, unit: Unit, foe: Unit) -> str:
        """Return the side on which a unit would strike an enemy (B-LAN-6, B-LAN-27)."""
        if foe.slot != unit.slot and self.contacts_of(foe):
            return "flank"
        return self.lane.contact[unit.side]

    # Events that several phases share

    def lapse(self, unit: Unit) -> None:
        """End a wall or set spears (B-LAN-13)."""
        if unit.declaration != t.NONE:
            self.write(t.LAPSE, unit, value=unit.declaration)
            unit.declaration = t.NONE

    def open_ranks(self, unit: Unit, cause: int) -> None:
        """Open a closed unit; what needs closed ranks ends (B-LAN-11, B-LAN-13)."""
        unit.formation, unit.opened = "open", True
        self.write(t.OPEN, unit, value=cause)
        self.lapse(unit)

    def carry_out(self, unit: Unit, march: March) -> None:
        """Make a move."""
        for step, kind, place in march.steps:
            if step == "pay":
                self.write(t.PAY, unit, value=kind, extra=place)
            else:
                self.open_ranks(unit, kind)
        moved = abs(march.place - unit.place)
        unit.place, unit.passed = march.place, march.passed
        if moved:
            unit.moved = True
            self.write(t.MOVE, unit, value=unit.place, extra=moved)

    def meet(self, unit: Unit, foe: Unit, charged: bool) -> Contact:
        """Make contact (B-LAN-15, B-LAN-17); a reserve that is met has come up."""
        if foe.waiting:
            self.come_up(foe)
        self.write(t.CONTACT, unit, foe, value=unit.place, extra=int(charged))
        pair = (unit, foe) if unit.side == 0 else (foe, unit)
        return self.join(*pair, unit.place, (charged and unit.side == 0, charged and unit.side == 1), unit)

    def join(
        self, a: Unit, b: Unit, place: int, charged: tuple[bool, bool], maker: Unit | None = None
    ) -> Contact:  # fmt: skip
        """Put two units into contact and note what counts at this moment (B-TER-10, B-LAN-15)."""
        pair = (a, b)
        how = [
            self.strikes(pair[side], pair[1 - side]) if maker is pair[side] else self.lane.contact[side]
            for side in (0, 1)
        ]
        how = ["front" if pair[1 - side].all_round else how[side] for side in (0, 1)]
        met = [covers(pair[side].declaration, t.SETS, how[1 - side]) for side in (0, 1)]
        kinds = [self.lane.stands(unit.place, unit.side).kind for unit in pair]
        in_ditch = [
            maker is unit and any(point.at == place and point.kind == "ditch" for point in self.lane.points)
            for unit in pair
        ]
        bogged = [
            in_ditch[side] or (kinds[side] in ("swamp", "ford") and kinds[1 - side] != kinds[side]) for side in (0, 1)
        ]
        contact = Contact(pair, self.round, (how[0], how[1]), charged, (met[0], met[1]), (bogged[0], bogged[1]))
        self.contacts.append(contact)
        return contact

    def come_up(self, unit: Unit) -> None:
        """Bring a reserve into its slot (B-LAN-27)."""
        unit.waiting = False
        self.write(t.ADVANCE, unit, value=unit.slot)

    def hurt(self, unit: Unit, damage: int) -> int:
        """Put damage on a unit and return the figures that it kills (B-LAN-7)."""
        self.killed[1 - unit.side] += damage
        kills = unit.wounded(damage)
        self.write(t.DAMAGE, unit, value=damage, extra=unit.wound)
        return kills

    def lose(self, unit: Unit, kills: int) -> None:
        """Take killed figures off (B-LAN-7)."""
        if not kills:
            return
        dead = min(kills, unit.figures)
        unit.figures -= dead
        self.write(t.LOSE, unit, value=dead, extra=unit.figures)
        if not unit.figures:
            self.write(t.DESTROYED, unit)

    # The round

    def play(self) -> None:
        """Play to the end."""
        for number in range(1, self.rules.max_rounds + 1):
            self.round = number
            self.play_round()
            if self.over:
                return
        self.end(-1, t.CAP)

    def play_round(self) -> None:
        """Play one round (B-LAN-12)."""
        for unit in self.units:
            unit.new_round()
        self.write(t.ROUND, value=self.round)
        self.roll_initiative()
        missiles.missile_phase(self, late=False)
        morale.check_all(self)
        if self.phase_ends():
            return
        for side in (self.first, 1 - self.first):
            self.move_side(side)
        missiles.missile_phase(self, late=True)
        morale.check_all(self)
        if self.phase_ends():
            return
        melee_phase(self)
        if not self.phase_ends() and self.rules.declaration_lasts == "round_end":
            for unit in self.units:
                self.lapse(unit)

    def roll_initiative(self) -> None:
        """Roll for both sides until they differ; the higher is first."""
        rolls, number = [0, 0], 0
        while rolls[0] == rolls[1]:
            for side in (0, 1):
                rolls[side] = self.dice.roll(self.rules.initiative_dice, "initiative", self.round, side, number)
                self.write(t.INITIATIVE, foe=side, roll=rolls[side], extra=number)
            number += 1
        self.first = int(rolls[1] > rolls[0])

    def move_side(self, side: int) -> None:
        """Play a side's movement phase: units in slots, then reserves whose slot is empty (B-LAN-27)."""
        for unit in self.lined(side):
            orders.act(self, unit)
        held = [unit.slot for unit in self.lined(side)]
        reserves = [unit for unit in self.units if unit.side == side and unit.in_play and unit.waiting]
        for unit in sorted(reserves, key=lambda one: one.slot):
            if unit.slot not in held:
                self.come_up(unit)
                orders.act(self, unit)

    def phase_ends(self) -> bool:
        """Take away who is gone; tell whether the fight is over (B-LAN-25)."""
        for unit in self.units:
            unit.struck_rear = False
            unit.wound *= self.rules.carry_wounds
            if not unit.in_play:
                unit.declaration = t.NONE
        self.contacts = [contact for contact in self.contacts if contact.on]
        left = [any(unit.in_play for unit in self.units if unit.side == side) for side in (0, 1)]
        if not any(left):
            self.end(-1, t.MUTUAL)
        elif not all(left):
            self.end(left.index(True), t.WIN)
        return self.over

    def end(self, winner: int, cause: int) -> None:
        """End the fight."""
        self.over, self.winner, self.cause = True, winner, cause
        self.write(t.OVER, foe=winner, value=cause)

    def outcome(self) -> dict[str, int]:
        """Return the columns of a fight."""
        values = {"win_a": int(self.winner == 0), "win_b": int(self.winner == 1)}
        values |= {"mutual": int(self.cause == t.MUTUAL), "cap": int(self.cause == t.CAP), "rounds": self.round}
        for side, name in enumerate("ab"):
            units = [unit for unit in self.units if unit.side == side]
            values[f"figures_{name}"] = sum(unit.figures for unit in units if unit.in_play)
            values[f"dead_{name}"] = sum(not unit.figures for unit in units)
            values[f"rout_{name}"] = sum(unit.routed for unit in units)
            for column in ("killed", "missiles", "charges", "first_strikes", "checks", "failed"):
                values[f"{column}_{name}"] = getattr(self, column)[side]
        return values


def play(
    sides: Sequence[Sequence[Troop]],
    lane: Lane,
    key: Key,
    trial: int,
    *,
    rules: Any = None,
    trace: Sequence[t.Event] | None = None,
) -> Played:
    """Play one fight and return its outcome and its events.

    With the `trace` of another engine, every event is held against it, and what units under `best` choose is taken
    from it and checked to be legal; without one nobody may have that policy.
    """
    battle = Battle(sides, lane, t.rules_of() if rules is None else rules, t.Dice(key, trial), trace)
    battle.play()
    if trace is not None and len(trace) > len(battle.events):
        raise TraceDivergedError(len(battle.events), None, tuple(trace[len(battle.events)]))  # type: ignore[arg-type]
    return Played(battle.outcome(), battle.events)
