"""A match retold: what becomes of the ball, beside all that battles tell."""

from collections.abc import Callable, Sequence

from simkit.games.jugger import narrate_moves as moves
from simkit.games.jugger import phrases as say
from simkit.games.jugger.aliases import STANDARD
from simkit.games.jugger.happenings import Cause as BattleCause
from simkit.games.jugger.happenings import Happening, where
from simkit.games.jugger.happenings import What as BattleWhat
from simkit.games.jugger.narrate import Teller
from simkit.games.jugger.reader import Reader
from simkit.games.jugger.reader import Told as Line
from simkit.games.juggerball.happenings import Cause, Hold, Means, Purpose, What
from simkit.games.juggerball.kinds import ILLEGAL, Improvement
from simkit.games.juggerball.runs import SIXTH, Run, aside, heading, step

Told = tuple[str, list[str]]

MEANS = {
    Means.HIT: "hit in by {name}",
    Means.KICK: "kicked in by {name}",
    Means.PUSH: "pushed in by {name}",
    Means.ROLL: "rolled in, last touched by {name}",
    Means.HEAD_ON: "out of a head-on, last touched by {name}",
    Means.BOUNCE: "off a bounce, last touched by {name}",
}
HOLDS = {
    Hold.PUSH: ("begins to push the ball", "J-BALL-13"),
    Hold.CATCH: ("catches the ball", "J-BALL-17"),
    Hold.TAKE: ("takes the ball up", "J-BALL-17"),
    Hold.BOUNCE: ("holds the ball", "J-BALL-12"),
}
PUT = ("at the kick-off", "after the goal", "because it was stuck")
ENDINGS = {
    Cause.GOALS: ("{winner} has scored as often as it takes", "J-BALL-24"),
    Cause.NO_JUGS: ("{loser} has no jug left", "J-BALL-24"),
    Cause.CAP: ("all turns are used up", "J-BALL-24"),
}


class Announcer(Teller):
    """Puts the events of one match into words.

    Parameters
    ----------
    reader
        The events.
    policies
        Who decides for the sides, by seat.
    house
        Which rules differ from those of record, and their ids.
    six
        The ball has six headings, not twelve (J-BALL-11).
    """

    def __init__(
        self,
        reader: Reader,
        policies: Sequence[str] = (),
        house: tuple[str, Sequence[str]] = ("", ()),
        *,
        six: bool = False,
    ) -> None:
        super().__init__(reader)
        self.policies, self.house, self.six = policies, house, six
        throws: dict[int, Callable[[Reader], Told]] = {
            What.ITEM: self.items,
            What.KICK: self.kick,
            What.ROLL: self.roll,
            What.HEAD_ON: self.head_on,
            What.BALL_BOUNCE: self.goes_on,
            What.SPINE: self.goes_on,
        }
        rides: dict[int, Callable[[Reader], Told]] = {
            BattleWhat.STOP: self.stops,
            What.BALL: self.ball,
            What.HIT: self.hit,
            What.HOLD_BALL: self.holds,
            What.BALL_AHEAD: self.pushes,
            What.SWING: self.pushes,
            What.BALL_STEP: self.goes_on,
            What.BALL_STOP: self.goes_on,
            What.GOAL: self.goal,
            What.PART: self.parts,
            What.REPLACE: self.replaces,
            What.LINE_UP: self.lines_up,
            What.REMOVED: self.removed,
        }
        self.kinds.update({what: ("throw", teller) for what, teller in throws.items()})
        self.kinds.update({what: ("ride", teller) for what, teller in rides.items()})

    def opening(self) -> list[Line]:
        """Tell whose end is which, who decides, which rules differ, and who plays where."""
        lines = super().opening()
        ends = ("defends the west goal and plays east", "defends the east goal and plays west")
        sides = [f"{title} {end}" for title, end in zip(self.cast.sides, ends, strict=True)]
        if self.policies:
            sides = [f"{side}, policy {policy}" for side, policy in zip(sides, self.policies, strict=True)]
        order = sorted(range(2), key=self.cast.mark)
        said = [Line("; ".join(sides[seat] for seat in order), "ride", ("J-BALL-7", "J-BALL-25"), 0, 0)]
        if self.house[0]:
            said.append(Line(f"House rules: {self.house[0]}", "ride", tuple(self.house[1]), 0, 0))
        return [lines[0], *said, *(lines[1 + seat] for seat in order), *lines[3:]]

    def stops(self, reader: Reader) -> Told:
        """Tell a stop; of one without another jug, whether it is the ball that is in the way."""
        row = reader.rows[reader.i]
        jug = reader.scene.jugs[row.jug]
        if row.foe >= 0 or reader.scene.ball != step(jug.place, jug.facing):
            return moves.stop(reader)
        reader.take()
        told = f"{reader.name(row.jug)} finds the ball still in its way and stops at {say.at(where(row.value))}"
        return f"{told}, velocity 0", ["J-BALL-9"]

    def items(self, reader: Reader) -> Told:
        """Tell what a random jug rolls."""
        slot, parts = reader.rows[reader.i].jug, []
        while (row := reader.peek(What.ITEM)) and row.jug == slot:
            reader.take()
            parts.append(f"{row.roll} {self._item(row)}")
        return f"{reader.name(slot)} rolls {', '.join(parts)}", ["J-BALL-22"]

    def _item(self, row: Happening) -> str:
        name = Improvement(row.value).name.lower().replace("_", " ")
        if row.value == Improvement.WEAPON:
            name = STANDARD[row.extra % ILLEGAL - 1].replace("_", " ")
        return f"{name} (not allowed)" if row.extra >= ILLEGAL else name

    def ball(self, reader: Reader) -> Told:
        """Tell where the ball is put."""
        row = reader.take()
        ids = ["J-BALL-18"] if row.extra == 2 else ["J-BALL-7"]
        return f"The ball lies at {say.at(where(row.value))} {PUT[row.extra]}", ids

    # Runs

    def hit(self, reader: Reader) -> Told:
        """Tell a hit."""
        row = reader.take()
        name, far = reader.name(row.jug), say.hexes(row.extra)
        if turned := aside(row.value, reader.scene.jugs[row.jug].facing):
            told = f"{name} turns the ball aside with its deflector, {turned}, {heading(row.value)}, for {far}"
            return Run(reader, row.value, self.six).tell(told, ["J-BALL-14"])
        return Run(reader, row.value, self.six).tell(
            f"{name} hits the ball {heading(row.value)} for {far}", ["J-BALL-9"]
        )

    def kick(self, reader: Reader) -> Told:
        """Tell a kick."""
        row = reader.take()
        turned = aside(row.value, reader.scene.jugs[row.jug].facing)
        way = f"{turned}, {heading(row.value)}" if turned else heading(row.value)
        told = f"{reader.name(row.jug)} kicks the ball {way}, {reader.die(Purpose.KICK, row.roll)}"
        return Run(reader, row.value, self.six).tell(f"{told}: {say.hexes(row.extra)}", ["J-BALL-14"])

    def roll(self, reader: Reader) -> Told:
        """Tell that the ball rolls away."""
        row = reader.take()
        die = reader.die(Purpose.ROLL, row.roll)
        told = f"{reader.name(row.jug)} has slowed down, and the ball rolls {heading(row.value)}, {die}"
        return Run(reader, row.value, self.six).tell(told, ["J-BALL-13"])

    def head_on(self, reader: Reader) -> Told:
        """Tell a head-on with the ball between."""
        row = reader.take()
        dice = [reader.die(Purpose.HEAD_ON, row.roll)]
        while row.value < 0 and reader.peek(What.HEAD_ON):
            row = reader.take()
            dice.append(f"again {row.roll}")
        way = f"{heading(SIXTH * row.value)} for {say.hexes(row.extra)}" if row.value >= 0 else "nowhere"
        met = f"{reader.name(row.jug)} meets {reader.name(row.foe)} with the ball between"
        told = f"{met}, {', '.join(dice)}: it goes {way}"
        return Run(reader, SIXTH * max(0, row.value), self.six).tell(told, ["J-BALL-15"])

    def goes_on(self, reader: Reader) -> Told:
        """Tell a run of the ball that nothing else began: from an object ahead of its pusher."""
        jug = reader.rows[reader.i].jug
        way = SIXTH * reader.scene.jugs[jug].facing if jug >= 0 else 0
        return Run(reader, way, self.six).tell("The ball", ["J-BALL-13"])

    # Holds and goals

    def holds(self, reader: Reader) -> Told:
        """Tell that a jug holds the ball."""
        row = reader.take()
        does, id = HOLDS[Hold(row.extra)]
        return f"{reader.name(row.jug)} {does} at {say.at(where(row.value))}", [id]

    def pushes(self, reader: Reader) -> Told:
        """Tell that the held ball is taken along."""
        row = reader.take()
        does = "pushes the ball ahead" if row.what == What.BALL_AHEAD else "swings the ball round"
        return f"{reader.name(row.jug)} {does} to {say.at(where(row.value))}", ["J-BALL-13"]

    def goal(self, reader: Reader) -> Told:
        """Tell a goal, and how it stands."""
        row = reader.take()
        own = ", an own goal" if row.extra else ""
        means = MEANS[Means(row.value)].format(name=reader.name(row.jug))
        return f"GOAL for {reader.side(row.foe)}, {self._stands()}, {means}{own}", ["J-BALL-16"]

    def _stands(self) -> str:
        """Return the goals so far, side a's first."""
        return " : ".join(str(self.reader.scene.score[seat]) for seat in sorted(range(2), key=self.cast.mark))

    def parts(self, reader: Reader) -> Told:
        """Tell that a jug loses the ball."""
        row = reader.take()
        return f"{reader.name(row.jug)} loses the ball, which stays at {say.at(where(row.value))}", ["J-BALL-13"]

    def replaces(self, reader: Reader) -> Told:
        """Tell that a jug is replaced: what it was, and by what."""
        slot = reader.rows[reader.i].jug
        was = reader.scene.jugs[slot]
        hits = f"{was.hits} of {self.cast.jugs[slot].hits} hits"
        state = say.FATES[BattleCause(was.fate)] if was.fate else hits
        reader.take()
        rolled = (row := reader.peek(What.ITEM)) is not None and row.jug == slot
        fresh = "a new random jug" if rolled else f"an undamaged copy, {self.cast.jugs[slot].hits} hits"
        return f"{reader.name(slot)} ({state}) is replaced by {fresh}", ["J-BALL-21"]

    def lines_up(self, reader: Reader) -> Told:
        """Tell that everybody lines up."""
        count = 0
        while reader.peek(What.LINE_UP):
            reader.take()
            count += 1
        out = [self.cast.codes[slot] for slot, jug in enumerate(reader.scene.jugs) if jug.fate]
        told = f"All {say.counted(count, 'jug')} in play go back to their places at velocity 0"
        return f"{told}; out: {', '.join(out)}" if out else told, ["J-BALL-21", "J-BALL-23"]

    def removed(self, reader: Reader) -> Told:
        """Tell that a jug that was stopped near its own goal is put back."""
        row = reader.take()
        return f"{reader.name(row.jug)} stopped near its own goal and is put to {say.at(where(row.value))}", [
            "J-BALL-19"
        ]

    def over(self, reader: Reader) -> Told:
        """Tell how the match has ended."""
        row = reader.take()
        words, id = ENDINGS[Cause(row.value)]
        turn = reader.scene.turn
        if row.foe < 0:
            why = words if row.value == Cause.CAP else "no side has a jug left"
            told = f"A draw in turn {turn}: {why}"
        else:
            words = words.format(winner=reader.side(row.foe), loser=reader.side(1 - row.foe))
            told = f"Victory for {reader.side(row.foe)} in turn {turn}: {words}"
        a, b = (self.cast.sides[seat] for seat in sorted(range(2), key=self.cast.mark))
        return f"{told}. {a} {self._stands()} {b}. {self._left()}", [id]
