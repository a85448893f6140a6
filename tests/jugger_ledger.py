"""A ledger of a battle: it follows the events of a trace and stops where they take or give more than there is.

It knows what each jug has (place, velocity, hits, pieces, fires, holds, ropes, spells, attacks of the turn) and decides
nothing. What happens together is booked together: at the next event that begins something new, all damage must have
been taken, all critical rolls made, and all who are to be out must be out.
"""

from collections import Counter
from typing import Any

from simkit.core.hexgrid import distance, step_q, step_r
from simkit.games.jugger.happenings import KICK, Cause, Happening, What, where
from simkit.games.jugger.records import (
    ACROSS,
    EDGE,
    FIRST_WALL,
    OUTSIDE,
    Ability,
    PieceKind,
    Special,
)

Hex = tuple[int, int]
BEGINNINGS = {
    What.TURN, What.SEGMENT, What.BREAK, What.CAST_HASTE, What.CAST_RESTORE, What.MOVE, What.TURN_TO, What.DECLARE,
    What.RAM, What.REPAIR, What.PUT_OUT, What.OVER,
}  # fmt: skip
"""Events before which everything must be settled."""

ENDINGS = {What.TURN, What.SEGMENT, What.MOVE, What.PUT_OUT, What.REPAIR}
"""Events before which a move must be finished, with rolls for old ropes and damage of the end phase."""

ACTS = {
    What.BREAK, What.CAST_HASTE, What.CAST_RESTORE, What.MOVE, What.TURN_TO, What.ENTER, What.STOP, What.COLLIDE,
    What.EXIT, What.DECLARE, What.TO_HIT, What.REROLL, What.DODGE, What.DAMAGE, What.FIRE, What.ROPE, What.SHIELD,
    What.TOPPLE, What.BALANCE, What.CONTROL, What.CUT, What.CREW, What.CAPTURE, What.GRAB, What.CRITICAL, What.LOSE,
    What.RAM, What.RAM_BACK, What.BURN, What.SQUEEZE, What.PUT_OUT, What.REPAIR, What.MOVE_TO, What.FOLLOW,
}  # fmt: skip
"""Events of a jug in play: nobody else acts, or is acted upon."""

SOURCES = ("ram", "kick", "weapons", "spells", "fire", "hold", "collision")


class Burning:
    """A fire."""

    def __init__(self, firer: int, item: int, points: int, left: int, by: int) -> None:
        self.firer, self.item, self.points, self.left, self.by, self.burned = firer, item, points, left, by, 0


class Jug:
    """What one jug has."""

    def __init__(self, built: Any, side: int, start: Any) -> None:
        self.built, self.side, self.fate = built, side, 0
        self.q, self.r, self.facing, self.velocity = (int(value) for value in start)
        self.size, self.hits, self.full = int(built.size_class), int(built.hits), int(built.hits)
        self.pieces = [int(piece.kind) for piece in built.pieces[: built.piece_count]]
        self.weapons = list(built.weapons[: built.weapon_count])
        self.captain, self.taken, self.due = int(built.captain), 0, 0
        self.lost: set[int] = set()
        self.spent: set[int] = set()
        self.ready: dict[int, int] = {}
        self.spells = Counter[int]()
        self.haste: list[int] = []
        self.fires: list[Burning] = []
        self.marks: set[int] = set()
        self.refresh()

    def refresh(self) -> None:
        """Begin a turn."""
        self.used: set[int] = set()
        self.once: set[str] = set()
        self.cast = self.moves = 0

    @property
    def hex(self) -> Hex:
        """Where it is."""
        return self.q, self.r

    def count(self, kind: int) -> int:
        """Count the pieces of a kind that are left."""
        return sum(1 for k, one in enumerate(self.pieces) if one == kind and k not in self.lost)

    def has(self, ability: int) -> bool:
        """Tell whether its captain can do something."""
        return bool(self.captain >> ability & 1)

    def does_once(self, what: str) -> None:
        """Note what is possible once a turn."""
        assert what not in self.once, f"{what} twice a turn"
        self.once.add(what)


class Ledger:
    """The books of one battle."""

    def __init__(self, setup: Any, seat: int) -> None:
        self.setup, self.rules, self.seat = setup, setup.rules, seat
        count_a, count_b = int(setup.count_a), int(setup.count_b)
        rows = [list(range(count_a)), list(range(count_a, count_a + count_b))]
        order = [(row, side) for side, own in enumerate(rows[::-1] if seat else rows) for row in own]
        self.jugs = [Jug(setup.jugs[row], side, setup.places[seat, row]) for row, side in order]
        self.policies = [int(policy) for policy in setup.policies][:: -1 if seat else 1]
        self.walls: dict[int, int] = {}
        self.wrecks: set[Hex] = set()
        self.holds: dict[tuple[int, int], list[int]] = {}
        self.ropes: dict[tuple[int, int], list[int]] = {}
        self.thrown: dict[tuple[int, int], int] = {}
        self.gripped: dict[tuple[int, int], int] = {}
        self.pending: list[list[int]] = []
        self.open: dict[tuple[int, int], list[int]] = {}
        self.turn = self.mover = -1
        self.moved = self.turned = 0
        self.stopped, self.at_start, self.ended = True, False, False
        self.segment: tuple[int, int] = (-1, -1)
        self.deployed, self.rolled = Counter[int](), dict[int, list[int]]()
        self.order: list[int] = []
        self.contact: dict[str, Any] = {}
        self.damage, self.tally = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
        self.seen = Counter[int]()
        self.last = Happening(*[-1] * 8)

    # The board

    def step(self, hex: Hex, facing: int, hexes: int = 1) -> Hex:
        """Go straight on."""
        return hex[0] + hexes * step_q(facing), hex[1] + hexes * step_r(facing)

    def cell(self, hex: Hex) -> int:
        """Return the code of a hex; a fallen wall is rubble."""
        if max(map(abs, hex)) > EDGE:
            return OUTSIDE
        code = int(self.setup.grid[(hex[0] + EDGE) * ACROSS + hex[1] + EDGE])
        fallen = code <= FIRST_WALL and self.walls[FIRST_WALL - code] <= 0
        return int(self.rules.rubble_loss) if fallen else code

    def here(self, hex: Hex) -> list[int]:
        """List the jugs in play on a hex."""
        return [slot for slot, jug in enumerate(self.jugs) if not jug.fate and jug.hex == hex]

    def put(self, jug: Jug, packed: int, expected: Hex) -> None:
        """Move a jug to a hex, which must be the expected one and free."""
        assert where(packed) == expected
        assert self.cell(expected) >= 0 and not self.here(expected)
        jug.q, jug.r = expected

    def rates(self, jug: Jug) -> tuple[int, int, int]:
        """Return acceleration, deceleration and turn rate."""
        rules, built = self.rules, jug.built
        haste = len(jug.haste) if rules.haste_stacks else bool(jug.haste)
        sails, gain = jug.count(PieceKind.SAILS), int(rules.haste_gain) * int(haste)
        legs = jug.count(PieceKind.LEGS)
        faster = built.acceleration + rules.gears_acceleration * jug.count(PieceKind.GEARS)
        slower = built.deceleration + rules.brakes_deceleration * jug.count(PieceKind.BRAKES)
        turns = built.turns + rules.steering_turns * jug.count(PieceKind.STEERING) + rules.legs_turns * legs
        faster += rules.sails_acceleration * sails + rules.speed_acceleration * jug.has(Ability.SPEED)
        slower += rules.sails_deceleration * sails + rules.balance_deceleration * jug.has(Ability.BALANCE)
        slower += rules.legs_deceleration * legs
        turns += rules.cornering_turns * jug.has(Ability.CORNERING)
        return int(faster) + gain, int(slower) + gain, int(turns) + gain

    def partners(self, slot: int) -> set[int]:
        """Return whom a jug is attached to."""
        both = [{holder, foe} for (holder, _), (foe, *_) in self.holds.items() if slot in (holder, foe)]
        return set().union(*both) - {slot}

    # Bookkeeping

    def follow(self, event: Happening) -> None:
        """Book one event."""
        what = What(event.what)
        self.seen[what] += 1
        assert not self.ended
        assert event.turn == max(self.turn, 0) or what == What.TURN
        end_phase = self.is_of_the_end_phase(event)
        if (what in BEGINNINGS or end_phase) and not self.goes_on(event):
            self.settle()
        if what in ENDINGS or end_phase:
            self.finish_move()
        if what in ACTS:
            assert not self.jugs[event.jug].fate, "it is out"
        getattr(self, f"on_{what.name.lower()}", self.ignore)(event)
        in_play = [jug.hex for jug in self.jugs if not jug.fate]
        assert len(set(in_play)) == len(in_play), "two jugs in a hex"
        self.last = event

    def is_of_the_end_phase(self, event: Happening) -> bool:
        """Tell whether an event belongs to what burns, holds and pulls in an end phase."""
        if event.what == What.ROPE:
            return event.extra == 1
        return event.what == What.BURN or (event.what == What.SQUEEZE and not self.rules.hold_attacks)

    def goes_on(self, event: Happening) -> bool:
        """Tell whether an event belongs to what the last one began."""
        last = self.last.what
        if event.what == What.DECLARE:
            return last == What.DECLARE
        if event.what == What.ROPE:
            return last in (What.ROPE, What.TOPPLE, What.BALANCE)
        return event.what in (What.BURN, What.SQUEEZE) and last in (What.BURN, What.SQUEEZE)

    def ignore(self, event: Happening) -> None:
        """Events that change nothing by themselves."""
        assert event.what in (What.SPELLS, What.BALANCE, What.EXIT, What.LET_GO)

    def settle(self) -> None:
        """See that what happened together is over."""
        assert not any(value for _, _, _, value in self.pending), "damage that nobody took"
        assert not self.gripped, "a grip that is no hold"
        self.pending = []
        self.resolve()
        self.contact = {}
        for jug in self.jugs:
            assert jug.fate or (jug.due == 0 and jug.hits > 0 and not jug.marks), "something that did not happen"
        for (slot, item), (foe, _, _) in [*self.holds.items(), *self.ropes.items()]:
            jug, other = self.jugs[slot], self.jugs[foe]
            assert not jug.fate and not other.fate and jug.side != other.side
            assert int(jug.weapons[item].piece) not in jug.lost
        for (slot, item), (foe, _, _) in self.holds.items():
            assert distance(self.jugs[foe].q - self.jugs[slot].q, self.jugs[foe].r - self.jugs[slot].r) == 1
            assert self.jugs[slot].weapons[item].special == Special.GRAB
        self.ropes |= {key: [foe, self.turn, 0] for key, foe in self.thrown.items()}
        self.thrown, self.open = {}, {}

    def finish_move(self) -> None:
        """See that the last move went as far as it had to."""
        if self.mover >= 0 and not self.stopped and not self.jugs[self.mover].fate:
            assert self.moved >= self.jugs[self.mover].velocity, "a move that stopped short"
        self.mover = -1

    def book(self, victim: int, by: int, item: int, value: int, source: str, side: int) -> None:
        """Note damage that is to be taken."""
        self.pending.append([victim, by, item, value])
        self.damage[side, source] += value

    def loosen(self, slot: int) -> None:
        """Forget ropes and grips of this moment of who goes out."""
        for grips in (self.thrown, self.gripped):
            for key in [key for key, foe in grips.items() if slot in (key[0], foe)]:
                del grips[key]

    def lessen(self, event: Happening, value: int) -> None:
        """Note that the last damage of an attack was stopped or controlled."""
        for k in range(len(self.pending) - 1, -1, -1):
            victim, by, item, before = self.pending[k]
            if (victim, by, item) == (event.jug, event.foe, event.item):
                assert 0 <= value <= before
                self.pending[k][3] = value
                source = "ram" if item < 0 else "weapons" if item < KICK else "kick" if item == KICK else "spells"
                self.damage[self.jugs[by].side, source] -= before - value
                return
        assert event.what == What.SHIELD, "damage control without damage"

    # Turns

    def on_turn(self, event: Happening) -> None:
        """End a turn, begin another."""
        assert event.value == max(self.turn, 0) + 1
        for jug in self.jugs:
            for fire in jug.fires:
                assert jug.fate or fire.burned == self.turn, "a fire that did not burn"
            jug.haste = [turns - 1 for turns in jug.haste if turns > 1]
            jug.refresh()
        for _, begun, squeezed in self.holds.values():
            assert squeezed == (self.turn if begun < self.turn else 0), "a hold that did nothing"
        for _, begun, rolled in self.ropes.values():
            assert rolled == (self.turn if begun < self.turn else 0), "a rope that was not rolled for"
        self.turn, self.rolled, self.order = event.value, {}, []

    def on_deploy(self, event: Happening) -> None:
        """Roll who sets up first; ties again."""
        assert event.extra == 0 or self.deployed[0] == self.deployed[1] or event.foe == 1
        self.deployed[event.foe] = event.roll

    def on_initiative(self, event: Happening) -> None:
        """Roll for a side, or for a jug; tacticians who live add to it (J-INI-1 to 3)."""
        by_jug = bool(self.rules.initiative_by_jug)
        who = event.jug if by_jug else event.foe
        mine = [jug for slot, jug in enumerate(self.jugs) if who == (slot if by_jug else jug.side) and not jug.fate]
        clever = any(jug.has(Ability.TACTICS) for jug in mine)
        assert mine and event.value == event.roll + int(self.rules.tactics_bonus) * clever
        rolls = self.rolled.setdefault(who, [])
        assert len(rolls) == event.extra and (not rolls or self.level(who, event.extra))
        rolls.append(event.value)

    def level(self, who: int, rounds: int) -> bool:
        """Tell whether somebody else rolled the same in all rounds so far."""
        mine = self.rolled[who][:rounds]
        return any(other[:rounds] == mine for one, other in self.rolled.items() if one != who)

    def ranked(self) -> list[int]:
        """Return who moves when: the highest first; favoured in turn 1 is who deployed last (J-DEP-3)."""
        order = sorted(self.rolled, key=lambda who: ([-roll for roll in self.rolled[who]], who))
        if self.rules.strategic_roll and self.turn == 1:
            higher = int(self.deployed[1] > self.deployed[0])
            side = {who: self.jugs[who].side if self.rules.initiative_by_jug else who for who in order}
            order.sort(key=lambda who: side[who] != higher)
        return order

    def on_segment(self, event: Happening) -> None:
        """Begin a segment: each side or jug has one, in order, but those who are out by then."""
        who = event.jug if self.rules.initiative_by_jug else event.foe
        order = self.order or self.ranked()
        at = order.index(who)
        assert all(self.jugs[slot].fate for slot in order[:at])
        self.order = [*order[at + 1 :], -1]
        self.segment, self.at_start = (event.foe, event.jug), True
        for jug in self.jugs if event.jug < 0 else [self.jugs[event.jug]]:
            if jug.side == event.foe:
                jug.moves = 0

    def on_over(self, event: Happening) -> None:
        """End the battle."""
        self.ended = True
        sides = {jug.side for jug in self.jugs if not jug.fate}
        if event.value in (Cause.ROUT, Cause.OBJECTIVE, Cause.CAP):
            assert sides == {0, 1}
        elif event.foe >= 0:
            assert sides == {event.foe}
