"""A match as pictures: the table with the track of every lancer and of the pig, whole or turn by turn."""

from collections.abc import Sequence
from typing import NamedTuple

from simkit.games.pigtable.kinds import Gone, What
from simkit.games.pigtable.mapdraw import INK, MARGIN, SEATS, Canvas
from simkit.games.pigtable.retrace import Row, Trace
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.scenario import Scenario, ground_of
from simkit.games.pigtable.shapes import Point


class Turn(NamedTuple):
    """What moved in one turn, and where everybody is at its end."""

    number: int
    seat: int
    ways: tuple[tuple[int, tuple[Point, ...]], ...]
    """By seat, -1 the pig, the points of a track."""
    places: tuple[tuple[int, Point], ...]
    rumps: tuple[int, ...]


def turns(rows: Sequence[Row], seats: int) -> list[Turn]:
    """Read the tracks of a match off its events; turn 0 is the set-up."""
    places: dict[int, Point] = {}
    rumps = [0] * seats
    found: list[Turn] = []
    ways: dict[int, list[Point]] = {}
    number, seat = 0, -1

    def close() -> None:
        tracks = tuple((who, tuple(points)) for who, points in ways.items() if len(points) > 1)
        found.append(Turn(number, seat, tracks, tuple(sorted(places.items())), tuple(rumps)))

    for row in rows:
        if row.turn != number and row.what not in (What.ROUND, What.OVER):
            close()
            number, seat, ways = row.turn, row.seat, {}
        point = (row.value, row.extra)
        who = -1 if row.what == What.PIG else row.seat
        if row.what in (What.RIDES, What.PIG):
            ways.setdefault(who, [places[who]] if who in places else []).append(point)
            places[who] = point
        elif row.what in (What.START, What.FRESH, What.TURN):
            places[who] = point
        elif row.what == What.OUT and row.value in list(Gone):
            places.pop(row.seat, None)
        elif row.what == What.HIT:
            rumps[row.seat] += row.extra & 1
    close()
    return found


class Drawing:
    """The pictures of one match."""

    def __init__(self, scenario: Scenario, rules: Rules, events: Trace) -> None:
        self.ground = ground_of(scenario, rules)
        self.rules = rules
        route = scenario.route
        self.seats = scenario.match.seats if route is None else 1 + len(route.lancers)
        self.turns = turns(events.rows, self.seats)

    def canvas(self) -> Canvas:
        """Begin a picture with the table."""
        canvas = Canvas(self.ground)
        canvas.table()
        canvas.pieces()
        return canvas

    def ways(self, canvas: Canvas, turn: Turn, width: float) -> None:
        """Draw what moved in a turn."""
        for who, points in turn.ways:
            colour, dash = (INK, "3 4") if who < 0 else (SEATS[who], "")
            name = "the pig" if who < 0 else f"lancer {who + 1}"
            canvas.line(points, colour, width, dash, f"turn {turn.number}: {name}")

    def figures(self, canvas: Canvas, turn: Turn) -> None:
        """Draw where everybody is at the end of a turn."""
        for who, point in turn.places:
            if who < 0:
                canvas.figure(point, self.rules.base_pig, "P", INK, "the pig")
            else:
                canvas.figure(point, self.rules.base_lancer, str(who + 1), SEATS[who], f"lancer {who + 1}")

    def score(self, canvas: Canvas, turn: Turn) -> None:
        """Write who has how many hits on the pig."""
        x, y = canvas.size + 4, MARGIN + 12
        canvas.words(x, y, self.ground.title, 15)
        for seat, rumps in enumerate(turn.rumps):
            y += 18
            canvas.words(x, y, f"lancer {seat + 1}: {rumps} hit{'s' * (rumps != 1)}", 12)

    def whole(self) -> str:
        """Draw the whole match in one picture."""
        canvas = self.canvas()
        for turn in self.turns:
            self.ways(canvas, turn, 1.2)
        self.figures(canvas, self.turns[-1])
        self.score(canvas, self.turns[-1])
        return canvas.svg(f"A match on {self.ground.title}: the tracks of the lancers and of the pig")

    def one(self, turn: Turn) -> str:
        """Draw one turn."""
        canvas = self.canvas()
        self.ways(canvas, turn, 2.5)
        self.figures(canvas, turn)
        self.score(canvas, turn)
        return canvas.svg(f"Turn {turn.number} on {self.ground.title}")


def picture(scenario: Scenario, rules: Rules, events: Trace) -> str:
    """Draw one match: the table to scale, the track of every lancer (coloured and numbered) and the pig's (dotted).

    Returns
    -------
    str
        The text of an SVG file, the same every time; pointing at a track tells its turn.
    """
    return Drawing(scenario, rules, events).whole()
