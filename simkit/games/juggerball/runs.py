"""Runs of the ball retold: hexes, spines and bounces, until it stops, is caught or is in a goal."""

from simkit.games.jugger import phrases as say
from simkit.games.jugger.happenings import Happening, where
from simkit.games.jugger.maps import Place
from simkit.games.jugger.reader import Reader
from simkit.games.juggerball.happenings import Purpose, Thing, What

SIXTH = 2
"""Headings in a sixth of a turn (J-BALL-11)."""

HEADINGS = 12
DEGREES = 360 // HEADINGS
DIRECTIONS = 6

BETWEEN = ("east-south-east", "south", "west-south-west", "west-north-west", "north", "east-north-east")
"""What the six headings between two sides are called."""

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The neighbours of a hex, by side."""

THINGS = {Thing.OBSTACLE: "the obstacle", Thing.WALL: "the stone wall", Thing.CLOSED: "the back of the goal"}
RUNNING = (What.SPINE, What.BALL_STEP, What.BALL_BOUNCE, What.BALL_STOP)
BY_THE_TABLE = 1
"""How a run ends that a dead stop on the bounce table ends."""


class Run:
    """One run of the ball being told; `way` is its heading, `six` whether there are only six."""

    def __init__(self, reader: Reader, way: int, six: bool) -> None:
        self.reader = reader
        self.way = way
        self.six = six
        self.side = way // SIXTH
        self.steps = 0
        self.parts: list[str] = []

    def tell(self, told: str, ids: list[str]) -> tuple[str, list[str]]:
        """Tell the run after the words that tell how it began, with the ids of the rules behind both."""
        while row := self.reader.peek(*RUNNING):
            if row.what == What.BALL_BOUNCE:
                self._settle()
                self.parts.append(self._bounce(row))
                ids.append("J-BALL-12" if row.roll else "J-BALL-14")
            elif row.what == What.SPINE:
                self.parts.append(f"{say.COMPASS[row.value]} first on {self.reader.die(Purpose.SPINE, row.roll)}")
                ids.append("J-BALL-11")
                self.side = row.value
                if self.six:
                    self.way = SIXTH * row.value
            self.reader.take()
            if row.what == What.BALL_STEP:
                self.steps += 1
                self._turn_side()
            elif row.what == What.BALL_STOP:
                self._settle()
                self._rest(row)
        self._settle()
        return f"{told}: {', '.join(self.parts)}" if self.parts else told, ids

    def _turn_side(self) -> None:
        """Along a spine the ball goes through its two sides by turns."""
        if self.way % SIXTH:
            both = (self.way // SIXTH, (self.way // SIXTH + 1) % DIRECTIONS)
            self.side = both[1] if self.side == both[0] else both[0]

    def _settle(self) -> None:
        if self.steps:
            self.parts.append(f"runs {say.hexes(self.steps)} to {say.at(self.reader.scene.ball or (0, 0))}")
        self.steps = 0

    def _rest(self, row: Happening) -> None:
        place = say.at(where(row.value))
        if row.extra == BY_THE_TABLE:
            self.parts.append(f"lies dead at {place}")
        else:
            self.parts.append(f"rests{' after too many bounces' if row.extra else ''} at {place}")

    def _bounce(self, row: Happening) -> str:
        """Tell a bounce: off what, the die, and where the ball goes."""
        thing = self._thing(row)
        if not row.roll:
            turned = f"is turned aside by the deflector of {thing}, {_turn(row.value - self.way)}"
            self._head(row.value)
            return f"{turned}, {heading(row.value)}"
        die = self.reader.die(Purpose.BOUNCE, row.roll)
        if row.value < 0:
            return f"meets {thing}: caught on {die}" if row.foe >= 0 else f"meets {thing}: stops on {die}"
        told = f"bounces off {thing}, {die}: {_turn(row.value - self.way)}, {heading(row.value)}"
        self._head(row.value)
        return told

    def _head(self, way: int) -> None:
        self.way, self.side = way, way // SIXTH

    def _thing(self, row: Happening) -> str:
        """Name what the ball meets, and its hex where it is no jug."""
        if row.foe >= 0:
            return self.reader.name(row.foe)
        if row.extra == Thing.RIM:
            return "the rim"
        place = step(self.reader.scene.ball or (0, 0), self.side)
        return f"{THINGS[Thing(row.extra)]} at {say.at(place)}"


def step(place: Place, side: int) -> Place:
    """Return the hex beyond a side of a hex."""
    return place[0] + STEPS[side][0], place[1] + STEPS[side][1]


def heading(value: int) -> str:
    """Name a heading of the ball.

    Examples
    --------
    >>> heading(0), heading(3), heading(11)
    ('east', 'south', 'east-north-east')
    """
    return BETWEEN[value // SIXTH] if value % SIXTH else say.COMPASS[value // SIXTH]


def aside(way: int, facing: int) -> str:
    """Say by how much a heading is beside a facing, where it leads between two sides; else nothing.

    Examples
    --------
    >>> aside(11, 0), aside(7, 3), aside(6, 3)
    ('30 degrees left', '30 degrees right', '')
    """
    return _turn(way - SIXTH * facing) if way % SIXTH else ""


def _turn(twelfths: int) -> str:
    """Say by how much the ball turns; right is positive.

    >>> _turn(6), _turn(-3), _turn(9), _turn(4)
    ('straight back', '90 degrees left', '90 degrees left', '120 degrees right')
    """
    turn = (twelfths + HEADINGS // 2) % HEADINGS - HEADINGS // 2
    if turn == -HEADINGS // 2:
        return "straight back"
    if not turn:
        return "straight on"
    return f"{DEGREES * abs(turn)} degrees {'right' if turn > 0 else 'left'}"
