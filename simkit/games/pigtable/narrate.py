"""One match retold roll by roll, with the rules behind each roll.

Only what the trace holds is put into words: no rule is decided here a second time.
"""

from collections.abc import Callable

from simkit.games.pigtable.kinds import EDGE_PIECE, Aim, Cause, Gone, What
from simkit.games.pigtable.retrace import Row, Trace
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.scenario import Scenario, ground_of
from simkit.games.pigtable.tables import UNITS
from simkit.games.pigtickler.phrases import HITS, INJURIES, OTHER_INJURIES, levels
from simkit.games.pigtickler.records import Injury, Kind
from simkit.games.protocol import Line

DIRECTIONS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")

TRIES = {
    Kind.LEVEL: ("to climb {it}", "up he goes", "he stops at the level line", "P-UP-1"),
    Kind.TURN: ("to turn", "he turns", "he does not turn", "P-MAN-3"),
    Kind.ENTER: ("to enter {it}", "in he rides", "he stops just inside", "P-BOG-1"),
    Kind.BEND: ("to turn in {it}", "he turns", "he sticks there", "P-BOG-1"),
    Kind.LEAVE: ("to leave {it}", "out he rides", "he stops just outside", "P-BOG-1"),
    Kind.OBSTACLE: ("to go round {it}", "past it", "he does not get past", "P-MAN-5"),
    Kind.LANCER: ("to go round {it}", "past him", "he does not get past", "P-MAN-5"),
    Kind.BESIDE: ("to turn at {it}", "he turns", "he does not turn", "P-LIN-1"),
    Kind.CROSS: ("to cross {it}", "over he goes", "he does not get over", "P-LIN-2"),
    Kind.RAMP: ("to ride over {it}", "across he rides", "he misses it", "P-SPC-2"),
    Kind.CHASM: ("to turn away from {it}", "he turns", "he does not turn", "P-SPC-1"),
    Kind.STOP: ("to stop", "he stops", "he does not stop", "P-DN-7"),
}
"""What is tried, what became of it either way, and the rule that asks for the roll."""

ENDS = {
    Cause.RUMPS: "with the rumps that it takes",
    Cause.LAST_SIDE: "as the last side in play",
    Cause.NOBODY: "nobody is left in play",
    Cause.ROUNDS: "the rounds are used up",
}
LEAVES = {Gone.KILLED: ("dead", "P-SPC-1"), Gone.WRECKED: ("his unicycle is wrecked", "P-GAM-3"),
          Gone.RETIRED: ("he has had enough wounds", "P-GAM-14")}  # fmt: skip


def place(x: int, y: int) -> str:
    """Write a point in inches.

    Examples
    --------
    >>> place(-640, 33)
    '(-10, 0.52)'
    """
    return f"({round(x / UNITS, 2):g}, {round(y / UNITS, 2):g})"


def tell(scenario: Scenario, rules: Rules, events: Trace) -> list[Line]:
    """Retell one match of a unit in words.

    Parameters
    ----------
    scenario, rules
        The match or route and the rule set that were played.
    events
        What ``game.trace`` returns.

    Returns
    -------
    list of Line
        A line of kind ``"turn"`` opens every turn, each throw of dice has one of kind ``"throw"``, and the last line
        is of kind ``"end"``.
    """
    return Teller(scenario, rules, events).lines()


class Teller:
    """Puts the events of one match into words."""

    def __init__(self, scenario: Scenario, rules: Rules, events: Trace) -> None:
        self.rules = rules
        self.rows = events.rows
        self.pieces = [piece.name for piece in ground_of(scenario, rules).pieces]
        self.teams = None if scenario.route is not None else scenario.match.teams
        self.route = scenario.route is not None

    def lines(self) -> list[Line]:
        """Tell everything."""
        found = [line for i in range(len(self.rows)) if (line := self.line(i)) is not None]
        if self.route:
            last = self.rows[-1]
            at = next((row for row in reversed(self.rows) if row.what in (What.RIDES, What.TURN)), last)
            found.append(Line(f"the turn is over, he is at {place(at.value, at.extra)}", "end"))
        return found

    def line(self, i: int) -> Line | None:
        """Tell event `i`; None where another line tells it."""
        row = self.rows[i]
        tellers: dict[int, Callable[[Row], Line | None]] = {
            What.START: lambda row: None,
            What.ROUND: lambda row: None,
            What.VIA: lambda row: None,
            What.TURN: self.turn,
            What.LOST: self.lost,
            What.WAITS: self.waits,
            What.PLAN: lambda row: self.plan(i),
            What.RIDES: self.rides,
            What.DOWN: self.down,
            What.MANOEUVRE: self.manoeuvre,
            What.FENCE: self.fence,
            What.COLLISION: self.collision,
            What.OTHER: self.other,
            What.HIT: self.hit,
            What.STEERED: self.steered,
            What.LIMIT: self.limit,
            What.OUT: self.out,
            What.FRESH: self.fresh,
            What.PIG: self.pig,
            What.TRAMPLED: self.trampled,
            What.OVER: self.over,
        }
        return tellers[row.what](row)

    def who(self, seat: int) -> str:
        """Name a lancer."""
        return f"lancer {seat + 1}"

    def thing(self, row: Row) -> str:
        """Name the piece or the lancer of an event."""
        if row.other >= 0:
            return self.who(row.other)
        if row.piece == EDGE_PIECE:
            return "the edge of the table"
        return f"the {self.pieces[row.piece]}" if row.piece >= 0 else "it"

    def turn(self, row: Row) -> Line:
        """Open a turn."""
        return Line(f"Turn {row.turn}: {self.who(row.seat)} at {place(row.value, row.extra)}", "turn")

    def lost(self, row: Row) -> Line:
        """Tell of a turn that is lost."""
        return Line(f"Turn {row.turn}: {self.who(row.seat)} loses it to a wound", "turn", ("P-GAM-3",))

    def waits(self, row: Row) -> Line:
        """Tell of a fresh man who cannot come."""
        return Line(f"Turn {row.turn}: a fresh {self.who(row.seat)} waits for a free start", "turn", ("P-GAM-14",))

    def plan(self, i: int) -> Line:
        """Tell of a plan with its points."""
        row = self.rows[i]
        if row.extra == Aim.STAY:
            return Line("he stays where he is", "ride")
        points = [place(one.value, one.extra) for one in self.rows[i + 1 : i + 1 + row.value]]
        end = "at the pig" if row.extra == Aim.PIG else f"to stop at {points[-1]}"
        by = points[:-1]
        return Line(f"he rides {f'by {chr(32).join(by)} ' if by else ''}{end}", "ride")

    def rides(self, row: Row) -> Line:
        """Tell how far he has come."""
        way = f"{row.roll / UNITS:.1f} inches" if row.roll else "no way"
        return Line(f"{way}, to {place(row.value, row.extra)}", "ride")

    def down(self, row: Row) -> Line:
        """Tell of a descent."""
        return Line(f"down {self.thing(row)}: {levels(row.value)} this turn", "ride", ("P-DN-1",))

    def manoeuvre(self, row: Row) -> Line:
        """Tell of a manoeuvre roll."""
        kind, passed = divmod(row.extra, 2)
        tried, done, failed, id = TRIES[Kind(kind)]
        needed = self.rules.target - row.value
        change = f" ({self.rules.target} {'less' if row.value > 0 else 'and'} {abs(row.value)})" if row.value else ""
        text = f"{tried.format(it=self.thing(row))} he needs {needed} or more{change}, rolls {row.roll}: "
        return Line(text + (done if passed else failed), "throw", (id,))

    def fence(self, row: Row) -> Line:
        """Tell on which side of a fence he is left."""
        side = "the far side" if row.extra else "the near side"
        return Line(f"he rolls {row.roll}: left on {side} of {self.thing(row)}", "throw", ("P-LIN-2",))

    def collision(self, row: Row) -> Line:
        """Tell of his throw on the collision table."""
        with_what = self.thing(row) if row.other >= 0 or row.piece != -1 else "what is ahead"
        text = f"collision with {with_what}: rolls {row.roll}, {INJURIES[Injury(row.value)]}"
        return Line(text, "throw", ("P-COL-1",))

    def other(self, row: Row) -> Line:
        """Tell of the other lancer's throw."""
        text = f"{self.who(row.other)} rolls {row.roll} for the collision: {OTHER_INJURIES[Injury(row.value)]}"
        return Line(text, "throw", ("P-DN-3", "P-GAM-14"))

    def hit(self, row: Row) -> Line:
        """Tell of the roll at the pig."""
        bonus = f" (plus {row.value} for the descent)" if row.value > 0 else ""
        text = f"at the pig he needs {self.rules.hit_target} or more, rolls {row.roll}{bonus}: {HITS[row.extra]}"
        return Line(text, "throw", ("P-GAM-2", *(("P-DN-5",) if row.value else ())))

    def steered(self, row: Row) -> Line:
        """Tell who steers him."""
        by = f"{self.who(row.other)} steers him" if row.other >= 0 else "he runs on"
        return Line(f"{by} from {place(row.value, row.extra)}", "ride", ("P-DN-4", "P-GAM-13"))

    def limit(self, row: Row) -> Line:
        """Tell that he may ride no more legs."""
        return Line("he has ridden as many legs as a turn allows and stops", "ride", ("P-GAM-11",))

    def out(self, row: Row) -> Line:
        """Tell who leaves the table."""
        why, id = LEAVES[Gone(row.value)]
        return Line(f"{self.who(row.seat)} leaves the table: {why}", "ride", (id,))

    def fresh(self, row: Row) -> Line:
        """Tell of a fresh man."""
        return Line(f"a fresh {self.who(row.seat)} comes to {place(row.value, row.extra)}", "ride", ("P-GAM-14",))

    def pig(self, row: Row) -> Line:
        """Tell how the pig moves."""
        way, inches = divmod(row.roll, 100)
        text = f"the pig runs {inches} inches {DIRECTIONS[way]}"
        if row.other >= 0 or row.piece != -1:
            text += f", up to {self.thing(row)}"
        return Line(f"{text}: {place(row.value, row.extra)}", "throw", ("P-GAM-4", "P-GAM-16"))

    def trampled(self, row: Row) -> Line:
        """Tell of a lancer under the pig."""
        text = f"it tramples {self.who(row.seat)}: rolls {row.roll}, {OTHER_INJURIES[Injury(row.value)]}"
        return Line(text, "throw", ("P-GAM-16",))

    def over(self, row: Row) -> Line:
        """Tell how the match ended."""
        side = "team" if self.teams else "lancer"
        how = ENDS[Cause(row.extra)]
        text = f"{side} {row.value} wins, {how}" if row.value else f"a draw: {how}"
        return Line(f"{text}, in round {row.roll}", "end", ("P-GAM-17",))
