"""A match of the twin: set-up, turns, order of jugs, goals, replacement, line-up, end (J-BALL-21 to J-BALL-24)."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from simkit.core.rng import Key
from tests.naive.jugger import tables as t
from tests.naive.jugger.battle import Battle
from tests.naive.jugger.board import Hex, distance, pack
from tests.naive.jugger.design import Jug
from tests.naive.jugger.follow import Event, TraceDivergedError
from tests.naive.jugger.motion import can_move, play_move
from tests.naive.jugger.settle import part
from tests.naive.juggerball import tables as b
from tests.naive.juggerball.field import Field
from tests.naive.juggerball.outcome import outcome_of
from tests.naive.juggerball.policies import BallFollow, BallHold, BallRandom
from tests.naive.juggerball.pushes import clear_way, forced_hit, kick_held, look, may_kick, swing
from tests.naive.juggerball.restart import restart
from tests.naive.juggerball.teams import ALL_RANDOM, NOTHING_CERTAIN, TEAM, Certain, Team, full_teams
from tests.naive.juggerball.zones import in_zone, legal_actions


class Match(Battle):
    """Everything that is known during one match, beyond what is known during a battle."""

    ball: Hex | None = None
    board: Field
    policies: list[BallHold]  # type: ignore[assignment]

    def __init__(
        self,
        teams: Sequence[Team],
        rules: Any,
        field: Field,
        policies: Sequence[str],
        max_turns: int,
        key: Key,
        trial: int,
        swap: bool,
        trace: Sequence[Event] | None,
        *,
        mirror: bool = False,
        certain: Sequence[Certain] = NOTHING_CERTAIN,
    ) -> None:
        dice = b.Dice(key, trial)
        self.thrown: Counter[tuple[str, int]] = Counter()
        """Dice of a purpose thrown at a seat this turn."""
        designs, self.rolled = full_teams(
            teams, lambda seat: self.thrower(dice, 0, seat), rules, mirror=mirror, certain=certain
        )
        starts = [field.starts_of(side) for side in (0, 1)]
        super().__init__(designs, rules, field, starts, policies, max_turns, 0, key, trial, swap, trace)
        self.dice: b.Dice = dice
        self.board.goals_are_solid = rules.goal_hex == "obstacle"
        ways = {"hold": BallHold, "random": BallRandom}
        names = (policies[self.seat_of_a], policies[1 - self.seat_of_a])
        self.policies = [ways.get(name, BallFollow)(self) for name in names]
        self.certain = [self.certain_of(teams, certain, jug, mirror=mirror) for jug in self.jugs]
        self.holder: Jug | None = None
        self.held_velocity = 0
        self.last: Jug | None = None
        """Who set the ball moving, or held it, last."""
        self.still = {jug.slot for jug in self.jugs}
        """Jugs whose velocity was 0 at the end of last turn (J-BALL-13)."""
        self.kicked: set[int] = set()
        self.disturbed = False
        """Whether the ball was moved this turn."""
        self.stuck_for = 0
        self.just_scored = False
        self.scored_this_turn = False
        self.forced = False
        """Whether a contact is going on that is played to its end, even if a goal decides the match."""
        self.conceder: int | None = None
        self.goals = [0, 0]
        self.goals_by = [Counter[str](), Counter[str]()]
        self.own_goals = [0, 0]
        self.first_scorer: int | None = None
        self.goals_by_first = 0
        self.first_mover = 0
        self.hits, self.kicks, self.catches = [0, 0], [0, 0], [0, 0]
        self.lost, self.replaced, self.holds_turns, self.forced_stops = [0, 0], [0, 0], [0, 0], [0, 0]
        self.bounces = 0
        self.stuck_balls = 0

    def certain_of(self, teams: Sequence[Team], certain: Sequence[Certain], jug: Jug, *, mirror: bool) -> Sequence[str]:
        """Return the items that a jug has for certain whenever it is rolled."""
        side, place = divmod(jug.seat, 12)
        number = 0 if mirror or side == self.seat_of_a else 1
        items, jugs = certain[number]
        return items if teams[number][place] is None and place < jugs else ()

    def thrower(self, dice: b.Dice, time: int, seat: int) -> Callable[[str], int]:
        """Return what throws the dice of a random jug at a seat, given their purpose."""

        def throw(purpose: str) -> int:
            i = self.thrown[purpose, seat]
            self.thrown[purpose, seat] += 1
            return dice.roll(b.D10, purpose, time, seat, i)

        return throw

    # Small things

    @property
    def field(self) -> Field:
        """The field with what has changed on it."""
        return self.board

    @property
    def actor(self) -> Jug:
        """The jug in whose move something happens to the ball; outside of moves the one that lets it roll."""
        jug = self.mover or self.last
        assert jug is not None
        return jug

    def ball_roll(self, expression: str, purpose: str) -> int:
        """Throw dice about the ball."""
        seat = self.actor.seat
        i = self.thrown[purpose, seat]
        self.thrown[purpose, seat] += 1
        return self.roll(expression, purpose, seat, i)

    def player(self, jug: Jug) -> BallHold:
        """Return who decides for a jug."""
        return self.policies[jug.side]

    def free(self, place: Hex) -> bool:
        """Tell whether a jug could be put into a hex: the ball shares its hex with nothing (J-BALL-8)."""
        return place != self.ball and super().free(place)

    def soft(self, place: Hex) -> bool:
        """The ball does no damage to a jug that is forced at it."""
        return place == self.ball

    # What the battle asks

    def chosen(self, jug: Jug) -> None:
        """A holder that chose to slow down lets the ball roll before it turns or moves (J-BALL-13)."""
        look(self, chosen=True)

    def event_over(self, jug: Jug | None) -> None:
        """See what became of the holder."""
        look(self)

    def actions(self, jug: Jug, options: list[str]) -> list[str]:
        """Add the kicks out of one's own hold (J-BALL-14); leave out what ends too near the own goal (J-BALL-19)."""
        options = legal_actions(self, jug, options)
        if self.holder is jug and may_kick(self, jug):
            options = [*options, "kick", "kick left", "kick right"]
        return options

    def acts(self, jug: Jug, action: str) -> bool:
        """Kick the ball out of one's own hold."""
        if not action.startswith("kick"):
            return False
        kick_held(self, jug, action)
        return True

    def clears_way(self, jug: Jug) -> bool:
        """Deal with a ball in the hex ahead."""
        return clear_way(self, jug)

    def turned(self, jug: Jug, turn: int) -> None:
        """Swing the held ball."""
        if self.holder is jug:
            swing(self, jug)

    def fights(self) -> bool:
        """After a goal there is no moment (J-BALL-21)."""
        return not self.over and not self.just_scored

    def forced_step(self, jug: Jug, direction: int, hexes: int) -> None:
        """A jug that is forced at the ball may hit it (J-BALL-8)."""
        forced_hit(self, jug, direction, hexes)

    # The ball

    def put_ball(self, why: int) -> None:
        """Put the ball down at its start."""
        self.ball, self.holder, self.stuck_for = self.field.ball_start, None, 0
        self.write(b.BALL, value=pack(self.ball), extra=why)

    def hold_ball(self, jug: Jug, how: int) -> None:
        """Let a jug hold the ball where it is."""
        assert self.ball is not None
        self.holder = self.last = jug
        self.held_velocity, self.disturbed = jug.velocity, True
        self.catches[jug.side] += how in (b.BY_CATCH, b.BY_BOUNCE)
        self.write(b.HOLD_BALL, jug, value=pack(self.ball), extra=how)

    def lose_ball(self, jug: Jug) -> None:
        """Leave the ball where it is, free."""
        assert self.ball is not None
        self.holder = None
        self.write(b.PART, jug, value=pack(self.ball))

    def score(self, goal: Hex, cause: str) -> None:
        """Count a goal for the side that attacks it, whoever touched the ball last (J-BALL-16, J-BALL-21)."""
        defender = self.field.goal_of(goal)
        assert defender is not None and self.last is not None
        side = 1 - defender
        own = self.last.side == defender
        self.write(b.GOAL, self.last, side, value=b.CAUSES.index(cause), extra=own)
        self.goals[side] += 1
        self.goals_by[side][cause] += 1
        self.own_goals[defender] += own
        self.goals_by_first += side == self.first_sides[0]
        if self.first_scorer is None:
            self.first_scorer = side
        self.ball = self.holder = None
        self.running, self.just_scored, self.scored_this_turn, self.conceder = False, True, True, defender
        if not self.forced:
            self.check_over()

    # The game

    def set_up(self) -> None:
        """Tell the random teams, roll walls and crews, put down the ball."""
        for number, results in self.rolled:
            place = number % TEAM
            side = self.seat_of_a if number < TEAM else 1 - self.seat_of_a
            for result in results:
                self.write(b.ITEM, self.jugs[TEAM * side + place], **result._asdict())
        self.roll_walls()
        self.roll_crews()
        if self.rules.line_up == "policy":
            self.roll_deployment()
        self.put_ball(b.AT_SET_UP)

    def begin_turn(self) -> None:
        """Make everything ready for a new turn."""
        super().begin_turn()
        self.thrown.clear()
        self.kicked.clear()
        self.just_scored = self.scored_this_turn = False
        self.disturbed = self.holder is not None

    def sides_by_initiative(self) -> list[int]:
        """Roll, unless it is given who moves first (J-BALL-23)."""
        first, conceder = self.rules.first_initiative, self.conceder
        self.conceder = None
        if self.turn == 1 and first != "roll":
            seat = self.seat_of_a if first == "a" else 1 - self.seat_of_a
            order = [seat, 1 - seat]
        elif conceder is not None and self.rules.kick_off == "conceder":
            order = [conceder, 1 - conceder]
        else:
            order = super().sides_by_initiative()
        if self.turn == 1:
            self.first_mover = order[0]
        return order

    def play_segment(self, side: int, jugs: list[Jug]) -> None:
        """Play a segment, if there is movement yet (J-BALL-21)."""
        if not self.halted():
            super().play_segment(side, jugs)

    def halted(self) -> bool:
        """Tell whether a goal has ended all movement of the turn."""
        return self.scored_this_turn and self.rules.after_goal == "end_phase"

    def play_moves(self, side: int, jugs: list[Jug]) -> None:
        """Play the moves of a segment, the jug nearest the ball first (J-BALL-23)."""
        left = list(jugs)
        while not self.over and not self.halted():
            able = [jug for jug in left if jug.in_play and jug.side == side and can_move(self, jug)]
            if not able:
                return
            jug = self.next_jug(side, able)
            left.remove(jug)
            self.just_scored = False
            play_move(self, jug)

    def next_jug(self, side: int, able: list[Jug]) -> Jug:
        """Return the jug that moves next."""
        if self.rules.jug_order == "number":
            return able[0]
        asked = self.policies[side].next_jug(able) if self.rules.jug_order == "policy" else None
        if asked is not None:
            return asked
        ball = self.ball
        return able[0] if ball is None else min(able, key=lambda jug: (distance(jug.place, ball), jug.slot))

    def play_turn(self) -> None:
        """Play a turn, then what is done about the ball and after a goal."""
        super().play_turn()
        if self.over:
            return
        look(self)
        self.free_stuck_ball()
        self.remove_stopped()
        if self.holder is not None:
            self.holds_turns[self.holder.side] += 1
        self.still = {jug.slot for jug in self.jugs if jug.velocity == 0}
        if self.scored_this_turn:
            restart(self)

    def free_stuck_ball(self) -> None:
        """Put a ball that lay too long back to its start (J-BALL-18)."""
        self.stuck_for = 0 if self.disturbed else self.stuck_for + 1
        start = self.field.ball_start
        if self.ball in (None, start) or self.holder is not None or self.stuck_for < self.rules.stuck_turns:
            return
        if self.free(start):
            self.stuck_balls += 1
            self.put_ball(b.WHEN_STUCK)

    def remove_stopped(self) -> None:
        """Put jugs that were stopped too near their own goal back on their X, if the rules say so (J-BALL-19)."""
        for jug in self.jugs:
            if not jug.in_play or jug.velocity or not in_zone(self, jug, jug.place):
                continue
            self.forced_stops[jug.side] += 1
            q, r, facing, _ = self.start_of(jug)
            if self.rules.forced_stop == "removed" and self.free((q, r)):
                jug.place, jug.facing = (q, r), facing
                self.write(b.REMOVED, jug, value=pack(jug.place))
                part(self)
        look(self)

    def start_of(self, jug: Jug) -> tuple[int, int, int, int]:
        """Return the X of a jug."""
        side, number = divmod(jug.seat, 12)
        return self.field.starts_of(side)[number]

    def check_over(self) -> None:
        """The side with enough goals wins; one without a jug in play loses (J-BALL-24)."""
        for side in (0, 1):
            if not self.over and self.goals[side] >= self.rules.goals_to_win:
                self.end(side, b.GOALS)
        lost = [not self.of_side(side) for side in (0, 1)]
        if not self.over and any(lost) and self.rules.no_jugs == "lose":
            self.end(-1 if all(lost) else int(lost[0]), b.NO_JUGS)

    def end_at_cap(self) -> None:
        """End at the cap: a draw, or by goals (J-BALL-24)."""
        ahead = self.goals[0] - self.goals[1]
        by_goals = self.rules.at_cap == "more_goals" and ahead != 0
        self.end((0 if ahead > 0 else 1) if by_goals else -1, t.TURN_CAP)

    def outcome(self) -> dict[str, int]:
        """Return the metrics of the match."""
        return outcome_of(self)


def play(
    field: Field,
    key: Key,
    trial: int,
    *,
    teams: Sequence[Team] = (ALL_RANDOM, ALL_RANDOM),
    mirror: bool = False,
    certain: Sequence[Certain] = NOTHING_CERTAIN,
    rules: Any = None,
    policies: Sequence[str] = ("hold", "hold"),
    max_turns: int = 200,
    swap: bool = False,
    trace: Sequence[Event] | None = None,
) -> tuple[dict[str, int], list[Event]]:
    """Play one match and return its outcome and its events; with `mirror` both teams are the first.

    `teams` and `policies` belong to the lists a and b; with `swap` list a plays seat 1. Policies other than hold and
    random need the `trace` of a kernel: decisions are taken from it, and every event is held against it.
    """
    rules = b.rules_of() if rules is None else rules
    match = Match(teams, rules, field, policies, max_turns, key, trial, swap, trace, mirror=mirror, certain=certain)
    match.play()
    if trace is not None and len(trace) > len(match.events):
        raise TraceDivergedError(len(match.events), None, tuple(trace[len(match.events)]))  # type: ignore[arg-type]
    return match.outcome(), match.events
