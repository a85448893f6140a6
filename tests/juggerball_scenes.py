"""Small situations of a match, set by hand and played action by action with loaded dice."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from simkit.core.dice import parse
from simkit.core.dicetable import dice_table
from simkit.core.hexgrid import step_q, step_r, turned
from simkit.core.jit import entry
from simkit.core.rng import make_key, stream
from simkit.games.jugger.battle import begin_turn, roll_initiative
from simkit.games.jugger.happenings import Happening, happened
from simkit.games.jugger.happenings import What as BattleWhat
from simkit.games.jugger.happenings import place as packed
from simkit.games.jugger.kinds import DiceRow as BattleRow
from simkit.games.jugger.moment import moment
from simkit.games.jugger.records import EVENTS
from simkit.games.jugger.throw import note
from simkit.games.juggerball import game, match
from simkit.games.juggerball.ball import hold, put
from simkit.games.juggerball.happenings import DiceRow, What
from simkit.games.juggerball.move import go_forward
from simkit.games.juggerball.records import Setup, State
from simkit.games.juggerball.touch import kick, swing

KEY = make_key(2**61 + 91)
FORWARD, TURN, KICK, VELOCITY, END, SET_UP, BEGIN, MOVE, PUT, HOLD, SEGMENT = range(11)
TEAM = 7
OUT = 1
NAMES = {int(what): what.name for kinds in (BattleWhat, What) for what in kinds}
PLAIN = {"title": "Plain", "size": 3, "equipment": ["3x armor"], "regulation": True}


def perform(setup: Setup, state: State, slot: int, action: int, value: int) -> None:
    """Do one thing; one procedure for all, because each one that Python can call is compiled with all that it calls."""
    now = state.battle
    if action == SET_UP:
        match.set_up(setup, state, value == 1)
    elif action == BEGIN:
        begin_turn(setup.battle, now)
        match.begin(state)
        roll_initiative(setup.battle, now)
    elif action == PUT:
        put(state, value // 128 - 64, value % 128 - 64)
    elif action == HOLD:
        hold(state, slot, value)
    elif action == END:
        match.end_turn(setup, state)
    elif action == SEGMENT:
        match.segment(setup, state, value)
    elif action == MOVE:
        match.move(setup, state, slot)
    else:
        fighter = now.jugs[slot]
        now.mover = slot
        fighter.moving = True
        if action == VELOCITY:
            note(now, BattleWhat.MOVE + 0, slot, -1, -1, 0, value, fighter.velocity)
            fighter.velocity = value
            match.look(setup, state, True)
        elif action == FORWARD:
            go_forward(setup, state, slot)
        elif action == KICK:
            kick(setup, state, slot, value)
        else:
            fighter.facing = turned(fighter.facing, value)
            note(now, BattleWhat.TURN_TO + 0, slot, -1, -1, value, fighter.facing, 0)
            if state.holder == slot:
                swing(setup, state, slot, value)
        if action != VELOCITY:
            match.look(setup, state, False)
            if value == 99:
                moment(setup.battle, now, fighter.side, False)
        now.mover = -1


perform.__module__ = match.__name__  # so that it is kept with the game, and forgotten with it
perform = entry(perform)


@cache
def scratch() -> Any:
    """Return the one state that all scenes are played in."""
    game.ready()
    return game.new_state()


class Scene:
    """A pitch with a few jugs, the others out of play.

    Parameters
    ----------
    jugs
        By name, ``"a1"`` to ``"b7"``: q, r, facing, velocity.
    ball
        Where the ball lies.
    items
        What jugs have, by name; plain ones have nothing but armor.
    dice
        What the dice of the ball show, by the name of their row, and those of battles.
    policy
        Who decides.
    rules
        Rules that are other than those of record.
    """

    def __init__(
        self,
        jugs: Mapping[str, Sequence[int]],
        ball: tuple[int, int] = (0, 0),
        items: Mapping[str, Sequence[str]] | None = None,
        dice: Mapping[str, Any] | None = None,
        policy: str = "greedy",
        field: Any = "pitch",
        **rules: Any,
    ) -> None:
        own = {name: {"size": 3, "equipment": [*has], "regulation": True} for name, has in (items or {}).items()}
        data = {
            "sides": {side: {"jugs": [self._jug(f"{side}{k + 1}", own) for k in range(TEAM)]} for side in "ab"},
            "designs": {"plain": PLAIN, **own},
            "policy": policy,
            "scenario": {"field": field},
        }
        self.scenario = game.Scenario.model_validate(data)
        self.rules = game.Rules(**rules)
        assert game.complaints(self.scenario, self.rules) == []
        self.setups = game.pack([game.compile(self.scenario, self.rules)])
        self.setup = self.setups[0]
        for name, shown in (dice or {}).items():
            if name.upper() in DiceRow.__members__:
                self.setup.dice[DiceRow[name.upper()]] = dice_table(parse(str(shown)))
            else:
                self.setup.battle.dice[BattleRow[name.upper()]] = dice_table(parse(str(shown)))
        self.state = scratch()
        now = self.state.battle
        now.room, now.since = EVENTS, 0
        now.stream, now.tweak = stream(KEY.stream, 0), KEY.tweak
        self.do("a1", SET_UP)
        for slot in range(2 * TEAM):
            now.jugs[slot].fate = OUT
        for name, (q, r, facing, velocity) in jugs.items():
            fighter = now.jugs[self.slot(name)]
            fighter.fate, fighter.q, fighter.r, fighter.facing, fighter.velocity = 0, q, r, facing, velocity
            self.state.rested[self.slot(name)] = int(velocity == 0)
        self.do("a1", PUT, packed(*ball))
        self.do("a1", BEGIN)
        now.noted = 0

    @staticmethod
    def _jug(name: str, own: Mapping[str, Any]) -> str:
        return name if name in own else "plain"

    @staticmethod
    def slot(name: str) -> int:
        """Return the slot of a jug."""
        return TEAM * "ab".index(name[0]) + int(name[1:]) - 1

    def do(self, name: str, action: int, value: int = 0) -> "Scene":
        """Let a jug do something."""
        perform(self.setup, self.state, self.slot(name), action, value)
        return self

    def jug(self, name: str) -> Any:
        """Return a jug as it is now."""
        return self.state.battle.jugs[self.slot(name)]

    def at(self, name: str) -> tuple[int, int]:
        """Return where a jug is."""
        return int(self.jug(name).q), int(self.jug(name).r)

    @property
    def ball(self) -> tuple[int, int] | None:
        """Where the ball is, or None."""
        return (int(self.state.q), int(self.state.r)) if self.state.alive else None

    @property
    def holder(self) -> str:
        """Name of the jug that holds the ball, or nothing."""
        slot = int(self.state.holder)
        return "" if slot < 0 else f"{'ab'[slot // TEAM]}{slot % TEAM + 1}"

    @property
    def events(self) -> list[Happening]:
        """The events so far."""
        return [*happened(self.state.battle.events[: int(self.state.battle.noted)])]

    def kinds(self) -> list[str]:
        """Return the names of the events so far."""
        return [NAMES[row.what] for row in self.events]

    def of(self, kind: str) -> list[Happening]:
        """Return the events of a kind."""
        return [row for row in self.events if NAMES[row.what] == kind]


def ahead(place: tuple[int, int], facing: int, hexes: int = 1) -> tuple[int, int]:
    """Return a hex so many steps in a direction."""
    return place[0] + hexes * step_q(facing), place[1] + hexes * step_r(facing)
