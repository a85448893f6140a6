"""The battle of the twin: set-up, the order of a turn, the end, and the outcome (J-INI-1 to J-SEG-1, J-ARM-4)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.core.rng import Key
from tests.naive.jugger import tables as t
from tests.naive.jugger.board import Board, Hex, direction_to, distance
from tests.naive.jugger.design import Design, Jug, Piece
from tests.naive.jugger.endphase import end_phase
from tests.naive.jugger.follow import Event, Follow, IllegalDecisionError, TraceDivergedError
from tests.naive.jugger.hooks import Hooks
from tests.naive.jugger.moment import moment
from tests.naive.jugger.motion import can_move, play_move
from tests.naive.jugger.openings import break_free, enhance
from tests.naive.jugger.policies import Hold, Random

Start = tuple[int, int, int, int]
SOURCES = ("ram", "weapons", "kick", "spell", "burning", "squeeze", "collision")
MOST_JUGS = 12


class Battle(Hooks):
    """Everything that is known during one battle. Sides are seats 0 and 1."""

    def __init__(
        self,
        designs: Sequence[Sequence[Design]],
        rules: Any,
        board: Board,
        starts: Sequence[Sequence[Start]],
        policies: Sequence[str],
        max_turns: int,
        rout_below: int,
        key: Key,
        trial: int,
        swap: bool,
        trace: Sequence[Event] | None,
    ) -> None:
        self.rules = rules
        self.board = board.fresh()
        self.dice = t.Dice(key, trial)
        self.max_turns = max_turns
        self.rout_below = rout_below
        self.seat_of_a = int(swap)
        self.events: list[Event] = []
        self.trace = trace
        self.turn = 0
        self.over = False
        self.winner = -1
        self.cause = 0
        self.first_sides = [0, 1]  # sides by initiative
        self.moving_side = 0
        self.mover: Jug | None = None
        self.running = False
        self.at_start = False
        self.high_deployer = 0
        self.last_cause = 0
        self.last_out = [0, 0]
        self.damage = [Counter[str](), Counter[str]()]
        self.rams = [0, 0]
        self.critical_dice = [0, 0]
        if rules.walls_targetable:
            raise ValueError("walls_targetable = true; allowed: false (nothing says how a wall is aimed at)")

        by_seat = (designs[self.seat_of_a], designs[1 - self.seat_of_a])
        names = (policies[self.seat_of_a], policies[1 - self.seat_of_a])
        self.jugs: list[Jug] = []
        for side in (0, 1):
            if not 1 <= len(by_seat[side]) <= min(MOST_JUGS, len(starts[side])):
                raise ValueError(f"{len(by_seat[side])} jugs, {len(starts[side])} places; allowed: 1 to {MOST_JUGS}")
            for index, design in enumerate(by_seat[side]):
                design.check()
                q, r, facing, velocity = starts[side][index]
                pieces = [Piece(kind, size) for kind, size in design.items]
                jug = Jug(
                    len(self.jugs), 12 * side + index, side, design.sc, design.hits(rules), pieces, design.captain,
                    (q, r), facing, velocity,
                )  # fmt: skip
                if not self.free(jug.place):
                    raise ValueError(f"jug {jug.slot} starts at {jug.place}; allowed: a free hex inside the map")
                self.jugs.append(jug)
        self.start_sc = [sum(jug.sc for jug in self.jugs if jug.side == side) for side in (0, 1)]
        self.duel = len(self.jugs) == 2
        self.captured_in_duel: set[int] = set()
        if trace is None and not set(names) <= {"hold", "random"}:
            raise ValueError(f"policies {names} need the events of a kernel; without them allowed: hold, random")
        self.policies = [{"hold": Hold, "random": Random}.get(name, Follow)(self) for name in names]

    # Small things that every part uses

    def write(
        self,
        what: int,
        jug: Jug | None = None,
        foe: Jug | int | None = None,
        item: int = -1,
        roll: int = 0,
        value: int = 0,
        extra: int = 0,
    ) -> None:
        """Write an event; with a trace, stop at the first event that is not the same."""
        other = foe.slot if isinstance(foe, Jug) else -1 if foe is None else foe
        event = (what, self.turn, -1 if jug is None else jug.slot, other, item, roll, int(value), int(extra))
        self.events.append(event)
        if self.trace is not None:
            told = self.next_told(-1)
            if told != event:
                raise TraceDivergedError(len(self.events) - 1, event, told)

    def next_told(self, ahead: int = 0) -> Event | None:
        """Return the event of the trace that comes next."""
        at = len(self.events) + ahead
        return tuple(self.trace[at]) if self.trace is not None and at < len(self.trace) else None  # type: ignore[return-value]

    def nothing_left(self, whats: tuple[int, ...], where: str, jug: Jug | None = None) -> None:
        """Refuse decisions of the trace (of one jug, or of any) that are not allowed where they stand."""
        told = self.next_told()
        if told is not None and told[0] in whats and (jug is None or told[2] == jug.slot):
            raise IllegalDecisionError(f"event {len(self.events)}, {describe(told)}: not allowed {where}")

    def roll(self, expression: str, purpose: str, seat: int, i: int) -> int:
        """Throw dice of this turn."""
        return self.dice.roll(expression, purpose, self.turn, seat, i)

    def choose(self, jug: Jug, options: int) -> int:
        """Choose one of so many options by the dice; a single option needs no choice."""
        if options < 2:
            return 0
        bits = self.dice.bits("choice", self.turn, jug.seat, jug.choices)
        jug.choices += 1
        return (bits >> 32) * options >> 32

    def policy(self, side: int) -> Hold:
        """Return who decides for a side."""
        return self.policies[side]

    def jug_at(self, place: Hex) -> Jug | None:
        """Return the jug in play in a hex."""
        return next((jug for jug in self.jugs if jug.in_play and jug.place == place), None)

    def free(self, place: Hex) -> bool:
        """Tell whether a jug could be put into a hex (J-MAP-5)."""
        return place in self.board.inside and not self.board.solid(place) and self.jug_at(place) is None

    def of_side(self, side: int) -> list[Jug]:
        """Return the jugs in play that a side controls, in slot order."""
        return [jug for jug in self.jugs if jug.in_play and jug.side == side]

    def bears(self, jug: Jug, item: int, target: Jug) -> bool:
        """Tell whether an attack can be aimed at a jug where both stand (J-ATK-3, J-MAP-3, J-MAP-4)."""
        if item in (t.FIREBALL, t.BOLT):
            reach, arc = (self.rules.fireball_range if item == t.FIREBALL else self.rules.bolt_range), "all"
        elif item == t.KICK:
            reach, arc = 1, "forward"
        else:
            reach, arc = jug.weapon(item, self.rules).range, jug.weapon(item, self.rules).arc
        if arc == "side":
            return self.in_spikes(jug, target)
        if not jug.reaches(target.place, reach, forward=arc == "forward", rules=self.rules):
            return False
        return not self.rules.line_of_sight or self.board.sees(jug.place, target.place)

    def in_spikes(self, jug: Jug, other: Jug) -> bool:
        """Tell whether a jug stands in one of the four side hexes."""
        return distance(jug.place, other.place) == 1 and (direction_to(jug.place, other.place) - jug.facing) % 6 in (
            1, 2, 4, 5,
        )  # fmt: skip

    def enemies(self, jug: Jug, item: int) -> list[Jug]:
        """Return the enemies at which an attack can be aimed, in slot order."""
        return [other for other in self.of_side(1 - jug.side) if self.bears(jug, item, other)]

    def attached(self, jug: Jug) -> list[Jug]:
        """Return the jugs that a hold attaches to this one, in slot order."""
        return [other for other in self.jugs if jug.tied_to(other)]

    # The battle

    def play(self) -> None:
        """Play to the end."""
        self.set_up()
        while not self.over and self.turn < self.max_turns:
            self.turn += 1
            self.begin_turn()
            self.write(t.TURN, value=self.turn)
            self.play_turn()
        if not self.over:
            self.end_at_cap()

    def begin_turn(self) -> None:
        """Make everything ready for a new turn."""
        for jug in self.jugs:
            jug.new_turn()

    def end_at_cap(self) -> None:
        """End a battle that is undecided after the last turn (J-ARM-4)."""
        self.end(-1, t.TURN_CAP)

    def set_up(self) -> None:
        """Throw the dice of the set-up (time 0)."""
        self.roll_walls()
        self.roll_crews()
        self.high_deployer = self.roll_deployment()

    def roll_walls(self) -> None:
        """Roll what each stone wall can take (J-COL-2, J-COL-4)."""
        rules = self.rules
        for number in range(len(self.board.walls)):
            self.board.wall_hits[number] = self.roll(rules.wall_hits, "wall", 255, number)
            self.write(t.WALL_HITS, value=self.board.wall_hits[number], extra=number)

    def roll_crews(self) -> None:
        """Roll captains and spells (J-CAP-1, J-WIZ-1)."""
        rules = self.rules
        for jug in self.jugs:
            if rules.captains == "random" and not jug.captain:
                roll = self.roll("1d10", "captain", jug.seat, 0)
                jug.captain = (t.ABILITIES[roll - 1],)
                self.write(t.CAPTAIN, jug, roll=roll)
            if jug.count("wizard"):
                count = self.roll(rules.spell_count_dice, "spell_count", jug.seat, 0)
                self.write(t.SPELL_COUNT, jug, roll=count)
                for i in range(1, count + 1):
                    roll = self.roll("1d6", "spell", jug.seat, i)
                    jug.spells[t.SPELLS[roll - 1]] += 1
                    self.write(t.SPELL, jug, roll=roll)

    def roll_deployment(self) -> int:
        """Roll who sets up first; return the side with the higher roll (J-DEP-1)."""
        rolls, number = [0, 0], 0
        while rolls[0] == rolls[1]:
            for side in (0, 1):
                rolls[side] = self.roll(self.rules.deploy_dice, "deploy", side, number)
                self.write(t.DEPLOY, foe=side, roll=rolls[side], extra=number)
            number += 1
        return int(rolls[1] > rolls[0])

    def play_turn(self) -> None:
        """Play one turn (the turn sequence of the source)."""
        if self.rules.initiative == "side":
            order: list[Any] = self.sides_by_initiative()
        else:
            order = self.jugs_by_initiative()
        if self.rules.strategic_roll and self.turn == 1:
            order.sort(key=lambda who: (who.side if isinstance(who, Jug) else who) != self.high_deployer)
        first = order[0].side if isinstance(order[0], Jug) else order[0]
        self.first_sides = [first, 1 - first]
        for who in order:
            if isinstance(who, Jug):
                if who.in_play:
                    self.play_segment(who.side, [who])
            else:
                self.play_segment(who, self.of_side(who))
            if self.over:
                return
        self.mover, self.running = None, False
        end_phase(self)

    def sides_by_initiative(self) -> list[int]:
        """Roll for each side, ties again; highest first (J-INI-1, J-INI-2, J-INI-3)."""
        totals, number = [0, 0], 0
        while totals[0] == totals[1]:
            for side in (0, 1):
                tactics = any(jug.able("tactics") for jug in self.of_side(side))
                roll = self.roll(self.rules.initiative_dice, "initiative", side, number)
                totals[side] = roll + self.rules.tactics_bonus * tactics
                self.write(t.INITIATIVE, foe=side, roll=roll, value=totals[side], extra=number)
            number += 1
        return [0, 1] if totals[0] > totals[1] else [1, 0]

    def jugs_by_initiative(self) -> list[Jug]:
        """Roll for each jug, only those that tie again; highest first (J-INI-3)."""
        totals: dict[int, tuple[int, ...]] = {jug.slot: () for jug in self.jugs if jug.in_play}
        number = 0
        while tied := [slot for slot in totals if list(totals.values()).count(totals[slot]) > 1 or not totals[slot]]:
            for slot in tied:
                jug = self.jugs[slot]
                roll = self.roll(self.rules.initiative_dice, "initiative", jug.seat, number)
                total = roll + self.rules.tactics_bonus * jug.able("tactics")
                totals[slot] += (total,)
                self.write(t.INITIATIVE, jug, roll=roll, value=total, extra=number)
            number += 1
        return [self.jugs[slot] for slot in sorted(totals, key=lambda slot: totals[slot], reverse=True)]

    def play_segment(self, side: int, jugs: list[Jug]) -> None:
        """Play a segment: break rolls, letting go, enhancements, the first attack moment, then the moves."""
        rules, policy = self.rules, self.policy(side)
        self.moving_side, self.mover, self.running = side, None, False
        self.write(t.SEGMENT, jugs[0] if rules.initiative == "jug" else None, foe=side)
        for jug in jugs:
            break_free(self, jug)
        for jug in jugs:
            for item, hold in sorted(jug.holds.items()):
                if policy.let_go(jug, item):
                    del jug.holds[item]
                    self.write(t.LET_GO, jug, hold.target, item)
        self.nothing_left((t.LET_GO,), "(J-WPN-14): nothing more can be let go here")
        for jug in jugs:
            enhance(self, jug)
        self.nothing_left((t.CAST_HASTE, t.CAST_RESTORE), "(J-WIZ-2, J-WIZ-3): no such spell can be cast here")
        moment(self, at_start=True)
        self.play_moves(side, jugs)

    def play_moves(self, side: int, jugs: list[Jug]) -> None:
        """Play the moves of a segment."""
        for jug in jugs:
            if not self.over and jug.in_play and jug.side == side and can_move(self, jug):
                play_move(self, jug)

    def check_over(self) -> None:
        """End the battle if a side controls no jug (J-ARM-4, J-WPN-11)."""
        if self.over:
            return
        lost = [not self.of_side(side) for side in (0, 1)]
        if self.captured_in_duel == {0, 1}:
            lost = [True, True]
        if all(lost):
            self.end(-1, self.last_cause)
        elif any(lost):
            self.end(int(lost[0]), self.last_out[lost.index(True)])

    def end(self, winner: int, cause: int) -> None:
        """End the battle."""
        self.over, self.winner, self.cause = True, winner, cause
        self.write(t.OVER, foe=winner, value=cause)

    def outcome(self) -> dict[str, int]:
        """Return the metrics: `a` is the side of the first design list, whichever seat it has."""
        seats = {"a": self.seat_of_a, "b": 1 - self.seat_of_a}
        values = {f"win_{name}": int(self.winner == seat) for name, seat in seats.items()}
        values |= {"draw": int(self.winner < 0), "turns": self.turn, "cause": self.cause}
        for name, seat in seats.items():
            values[f"hits_{name}"] = sum(jug.hits for jug in self.of_side(seat))
            values |= {f"{source}_{name}": self.damage[seat][source] for source in SOURCES}
            values[f"rams_{name}"] = self.rams[seat]
            values[f"criticals_{name}"] = self.critical_dice[seat]
        return values


def describe(event: Event) -> str:
    """Write an event for a reader."""
    names = ("turn", "jug", "foe", "item", "roll", "value", "extra")
    return f"{t.NAMES[event[0]]} " + " ".join(f"{n}={v}" for n, v in zip(names, event[1:], strict=True))


def play(
    designs: Sequence[Sequence[Design]],
    board: Board,
    starts: Sequence[Sequence[Start]],
    key: Key,
    trial: int,
    *,
    rules: Any = None,
    policies: Sequence[str] = ("hold", "hold"),
    max_turns: int = 60,
    victory: Mapping[str, int] | None = None,
    swap: bool = False,
    trace: Sequence[Event] | None = None,
) -> tuple[dict[str, int], list[Event]]:
    """Play one battle and return its outcome and its events.

    `designs` and `policies` belong to the lists a and b, `starts` (q, r, facing, velocity) to the seats 0 and 1; with
    `swap` list a sits in seat 1. `victory` may hold `rout_below`, which goes before the rules' own. Policies other
    than hold and random need the `trace` of a kernel: decisions are taken from it, and every event is held against it.
    """
    rules = t.rules_of() if rules is None else rules
    allowed = {"rout_below"}
    if victory is not None and not set(victory) <= allowed:
        raise ValueError(f"victory {sorted(victory)}; allowed: {sorted(allowed)}")
    rout_below = (victory or {}).get("rout_below", rules.rout_below)
    battle = Battle(designs, rules, board, starts, policies, max_turns, rout_below, key, trial, swap, trace)
    battle.play()
    if trace is not None and len(trace) > len(battle.events):
        raise TraceDivergedError(len(battle.events), None, tuple(trace[len(battle.events)]))  # type: ignore[arg-type]
    return battle.outcome(), battle.events
