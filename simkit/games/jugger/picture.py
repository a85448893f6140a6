"""A whole battle in one picture: the map with the track of every jug, shots, rams and wrecks."""

import math
from collections import Counter
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

from simkit.games.jugger import phrases as say
from simkit.games.jugger.cast import Cast
from simkit.games.jugger.happenings import Cause, Happening, What, happened
from simkit.games.jugger.mapdraw import BALL_COLOUR, INK, LINE, MARGIN, MUTED, PAPER, SIDES, TEXT_SIZE, Canvas
from simkit.games.jugger.maps import Place
from simkit.games.jugger.track import Scene, track

Point = tuple[float, float]

RAM_COLOUR = "#a6508a"
"""Of rams and collisions: neither side's."""

MOST_NAMED = 4
"""Jugs up to which the picture writes their names; above, their codes, which the legend spells out."""

MOST_DESIGNS = 2
"""Designs up to which a side is named after them."""

MOST_NUMBERS = 3
"""Turn numbers that a hex shows for a jug; later ones are left to whoever points at it."""

STAR = tuple(
    (radius * math.cos(math.pi * k / 8), radius * math.sin(math.pi * k / 8)) for k, radius in enumerate([1.0, 0.45] * 8)
)
"""Corners of a star with eight rays of length 1."""


def distance(start: Place, end: Place) -> int:
    """Return how many hexes apart two places are."""
    q, r = end[0] - start[0], end[1] - start[1]
    return max(abs(q), abs(r), abs(q + r))


FORCED = (What.PUSH, What.BOUNCE, What.FOLLOW, What.MOVE_TO)


class Leg(NamedTuple):
    """A straight piece of a track."""

    start: Place
    end: Place
    forced: bool


class Shot(NamedTuple):
    """Attacks of one side from one hex at another that ended alike."""

    start: Place
    end: Place
    side: int
    hit: bool


def picture(cast: Cast, events: tuple[Any, int]) -> str:
    """Draw a battle as an SVG file.

    Parameters
    ----------
    cast
        Who fights where.
    events
        What ``game.trace`` returns: the rows kept, and how many events there were.

    Returns
    -------
    str
        One ``<svg>`` element, 720 CSS pixels wide, without ids, scripts or links; the same text every time. Sides
        differ in shape and dashes as well as in colour, and pointing at a mark tells what it is.
    """
    rows, noted = happened(events[0]), events[1]
    return Picture(cast, rows, noted > len(rows)).svg()


def headline(cast: Cast, rows: Any) -> str:
    """Return who fought whom, and how it ended.

    Examples
    --------
    >>> from simkit.games.jugger.cast import Member, Start
    >>> from simkit.games.jugger.maps import HexMap
    >>> pair = [Member("Ram", "Ram", 0, 3, 60, Start(-3, 0, 0)), Member("Saw", "Saw", 1, 2, 40, Start(3, 0, 3))]
    >>> headline(Cast(pair, ("A", "B"), HexMap(half_length=3, half_rows=1)), [])
    'Ram against Saw: the end is not in the trace'
    """
    last = happened(rows[-1:])
    return f"{matchup(cast)}: {ending(cast, last[-1] if last else None)}"


def matchup(cast: Cast) -> str:
    """Name the two sides, a first: by their designs, or by their own titles if they have some."""
    names = {}
    for side, title in enumerate(cast.sides):
        designs = Counter(jug.design for jug in cast.jugs if jug.side == side)
        name = say.listed([design if n == 1 else f"{design} x{n}" for design, n in designs.items()])
        if title not in ("A", "B"):
            name = title
        elif len(designs) > MOST_DESIGNS:
            name = say.counted(designs.total(), "jug")
        names[cast.mark(side)] = name
    return f"{names[0]} against {names[1]}"


def ending(cast: Cast, last: Happening | None) -> str:
    """Say how a battle ended by its last event."""
    if last is None or last.what != What.OVER:
        return "the end is not in the trace"
    return f"victory for {cast.sides[last.foe]} in turn {last.turn}" if last.foe >= 0 else f"a draw in turn {last.turn}"


class Picture:
    """A battle being drawn."""

    def __init__(self, cast: Cast, rows: Sequence[Happening], broken_off: bool) -> None:
        self.cast = cast
        self.rows = rows
        self.scenes = track(cast, rows)
        says = self.says()
        if broken_off:
            says += " The trace ran out of room: the end is missing."
        self.sheet = Canvas(cast.map, self.title(), says)
        self.size = self.sheet.size
        self.drawn: dict[str, str] = {}
        """Kinds of marks that were drawn, with what the legend says of them."""

    def title(self) -> str:
        """Return the heading."""
        return headline(self.cast, self.rows)

    def says(self) -> str:
        """Return the sentences below the heading."""
        says = f"Map: {self.cast.map.title or 'unnamed'}, hexes by [q, r]; a velocity of 1 is one hex a turn."
        return f"{says} Numbers along a track: where the jug stood when that turn ended."

    def svg(self) -> str:
        """Draw everything, the most important on top."""
        self.shots()
        self.tracks()
        self.contacts()
        self.wrecks()
        self.ball()
        self.jugs()
        self.numbers()
        self.names()
        self.legend()
        return self.sheet.svg()

    # Places

    def at(self, place: Place, slot: int, apart: float = 0.24) -> Point:
        """Return where a jug's track passes a hex: beside those of other jugs."""
        x, y = self.sheet.xy(*place)
        apart *= self.size
        angle = 2 * math.pi * slot / max(2, len(self.cast.jugs)) - math.pi / 2
        return x + apart * math.cos(angle), y + apart * math.sin(angle)

    def mark(self, slot: int) -> int:
        """Return how a jug's side looks."""
        return self.cast.mark(self.cast.jugs[slot].side)

    def add(self, element: str, says: str) -> None:
        """Draw an element that tells what it is when it is pointed at."""
        self.sheet.add(f"<g><title>{escape(says)}</title>{element}</g>")

    # Marks

    def tracks(self) -> None:
        """Draw the way of every jug."""
        for slot in range(len(self.cast.jugs)):
            for leg in self.legs(slot):
                ends = (self.at(leg.start, slot), self.at(leg.end, slot))
                dashes = "1 5" if leg.forced else "9 5" if self.mark(slot) else ""
                self.sheet.add(line(*ends, SIDES[self.mark(slot)], 3, dashes, round_=leg.forced))
                if leg.forced:
                    self.drawn["forced"] = "moved by force"

    def legs(self, slot: int) -> list[Leg]:
        """List the straight pieces of a jug's track."""
        legs = []
        for row, before, after in zip(self.rows, self.scenes, self.scenes[1:], strict=False):
            start, end = before.jugs[slot].place, after.jugs[slot].place
            if start != end and row.what not in self.cast.placing:
                legs.append(Leg(start, end, row.what in FORCED))
        return legs

    def shots(self) -> None:
        """Draw a line for every attack: of those between the same hexes one, with their number."""
        counts: Counter[Shot] = Counter()
        for i, row in enumerate(self.rows):
            again = i + 1 < len(self.rows) and self.rows[i + 1].what == What.REROLL
            if row.what == What.TO_HIT and not again:
                jugs = self.scenes[i].jugs
                shot = Shot(jugs[row.jug].place, jugs[row.foe].place, jugs[row.jug].side, bool(row.extra))
                counts[shot] += 1
        for shot, n in sorted(counts.items(), key=lambda entry: entry[0].hit):
            (x1, y1), (x2, y2) = self.sheet.xy(*shot.start), self.sheet.xy(*shot.end)
            long = math.hypot(x2 - x1, y2 - y1) or 1.0
            short = 0.3 * self.size / long
            tip = (x2 - short * (x2 - x1), y2 - short * (y2 - y1))
            colour = SIDES[self.cast.mark(shot.side)]
            element = line((x1, y1), tip, colour, 1.5 if shot.hit else 1, "" if shot.hit else "2 4")
            if shot.hit:
                element += f'<circle cx="{tip[0]:.1f}" cy="{tip[1]:.1f}" r="{self.size * 0.12:.1f}" fill="{colour}"/>'
            ended = "hit" if shot.hit else "missed"
            self.add(element, f"{say.counted(n, 'attack')} that {ended}, {say.at(shot.start)} to {say.at(shot.end)}")
            self.drawn[ended] = f"attack that {ended}"

    def contacts(self) -> None:
        """Draw a star for every ram and collision."""
        for row, scene in zip(self.rows, self.scenes, strict=False):
            if row.what == What.RAM:
                (x1, y1), (x2, y2) = (self.sheet.xy(*scene.jugs[slot].place) for slot in (row.jug, row.foe))
                words = (
                    f"turn {row.turn}: {self.cast.name(row.jug)} rams {self.cast.name(row.foe)} {say.RAMS[row.extra]}"
                )
                self.add(
                    star((x1 + x2) / 2, (y1 + y2) / 2, self.size * 0.5, RAM_COLOUR), f"{words}, {row.value} damage"
                )
                self.drawn["ram"] = "ram"
            elif row.what == What.COLLIDE:
                x, y = self.sheet.xy(*scene.jugs[row.jug].place)
                angle = math.pi * scene.jugs[row.jug].facing / 3
                x, y = x + self.size * 0.7 * math.cos(angle), y + self.size * 0.7 * math.sin(angle)
                words = f"turn {row.turn}: collision of {self.cast.name(row.jug)}, {row.value} damage"
                self.add(star(x, y, self.size * 0.35, PAPER), words)
                self.drawn["collision"] = "collision"

    def wrecks(self) -> None:
        """Draw a cross where a jug fell."""
        for row, scene in zip(self.rows, self.scenes[1:], strict=False):
            if row.what == What.OUT and row.value not in (Cause.CAPTURED, Cause.EXIT):
                name = self.cast.name(row.jug)
                place = next(wreck.place for wreck in scene.wrecks if wreck.slot == row.jug)
                x, y = self.sheet.xy(*place)
                element = cross(x, y, self.size * 0.5)
                self.add(element, f"turn {row.turn}: {name} {say.FATES[Cause(row.value)]} at {say.at(place)}")
                self.drawn["wreck"] = "wreck"

    def ball(self) -> None:
        """Draw the way of the ball, and the ball where it is in the end (J-BALL-8)."""
        for before, after in pairwise(self.scenes):
            if before.ball and after.ball and before.ball != after.ball and distance(before.ball, after.ball) == 1:
                self.sheet.add(
                    line(self.sheet.xy(*before.ball), self.sheet.xy(*after.ball), BALL_COLOUR, 5, "", round_=True)
                )
                self.drawn["ball"] = "way of the ball"
        if self.scenes[-1].ball:
            self.sheet.ball(*self.scenes[-1].ball, f"the ball, {say.at(self.scenes[-1].ball)}")

    def jugs(self) -> None:
        """Draw every jug where it began, and those in play where they stand at the end."""
        for slot, member in enumerate(self.cast.jugs):
            first, last = self.scenes[0].jugs[slot], self.scenes[-1].jugs[slot]
            x, y = self.sheet.xy(*first.place)
            self.add(
                ring(x, y, self.size * 0.72, SIDES[self.mark(slot)]), f"start of {member.name}, {say.at(first.place)}"
            )
            self.drawn["start"] = "start"
            if first.place == last.place or last.fate in (0, Cause.CAPTURED):
                self.sheet.jug(
                    *last.place,
                    last.facing,
                    self.cast.mark(last.side),
                    f"{member.name}, {last.hits} of {member.hits} hits",
                )

    def names(self) -> None:
        """Write the name of every jug where it began, and of those that fell where they lie; of many, their codes."""
        many = len(self.cast.jugs) > MOST_NAMED
        names = self.cast.codes if many else [member.name for member in self.cast.jugs]
        for slot, name in enumerate(names):
            x, y = self.sheet.xy(*self.scenes[0].jugs[slot].place)
            self.label(x, y - self.size * (0.6 if many else 1.45), name, SIDES[self.mark(slot)])
        for wreck in self.scenes[-1].wrecks:
            name = names[wreck.slot] if many else f"wreck of {names[wreck.slot]}"
            self.label(*self.beside(wreck.place), name, INK)

    def beside(self, place: Place) -> Point:
        """Return where the name of a wreck hides no jug: below it, else above."""
        x, y = self.sheet.xy(*place)
        jugs = [self.sheet.xy(*jug.place) for jug in self.scenes[-1].jugs if jug.fate in (0, Cause.CAPTURED)]
        below, above = y + self.size * 1.5, y - self.size * 1.2
        hidden = [any(math.hypot(x - jx, line - jy) < 1.5 * self.size for jx, jy in jugs) for line in (below, above)]
        return x, above if hidden[0] and not hidden[1] else below

    def numbers(self) -> None:
        """Write turn numbers along the tracks."""
        for slot, member in enumerate(self.cast.jugs):
            if len({scene.jugs[slot].place for scene in self.scenes}) == 1:
                continue
            for place, turns in self.stays(slot).items():
                x, y = self.at(place, slot, 0.75)
                shown = turns[:MOST_NUMBERS]
                text = ",".join(shown) + ("…" if len(turns) > MOST_NUMBERS else "")
                words = f"{member.name} at the end of turn {', '.join(turns)}"
                self.add(number(x, y, text, SIDES[self.mark(slot)], hollow=bool(self.mark(slot))), words)

    def stays(self, slot: int) -> dict[Place, list[str]]:
        """Return where a jug stood at the ends of turns, several in a row as one range; only while it is in play."""
        found: list[tuple[Place, int, int]] = []
        for turn, scene in self.ends().items():
            jug = scene.jugs[slot]
            if jug.fate not in (0, Cause.CAPTURED):
                break
            if found and found[-1][0] == jug.place and found[-1][2] == turn - 1:
                found[-1] = (jug.place, found[-1][1], turn)
            else:
                found.append((jug.place, turn, turn))
        stays: dict[Place, list[str]] = {}
        for place, first, last in found:
            stays.setdefault(place, []).append(str(first) if first == last else f"{first}-{last}")
        return stays

    def ends(self) -> dict[int, Scene]:
        """Return the scene at the end of each turn."""
        return {scene.turn: scene for scene in self.scenes if scene.turn}

    def label(self, x: float, y: float, text: str, colour: str) -> None:
        """Write a name so that it can be read on any ground."""
        wide = len(text) * TEXT_SIZE * 0.3
        x = min(max(x, wide + 4), self.sheet.width - wide - 4)
        self.sheet.add(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{TEXT_SIZE}" font-weight="bold" text-anchor="middle"'
            f' fill="{colour}" stroke="{PAPER}" stroke-width="3" stroke-linejoin="round" paint-order="stroke">'
            f"{escape(text)}</text>"
        )

    def legend(self) -> None:
        """Say below the map what the marks mean."""
        signs = {
            "forced": line((-9, 0), (9, 0), INK, 3, "1 5", round_=True),
            "hit": line((-9, 0), (7, 0), INK, 1.5) + f'<circle cx="7" cy="0" r="3" fill="{INK}"/>',
            "missed": line((-9, 0), (9, 0), INK, 1, "2 4"),
            "ram": star(0, 0, 9, RAM_COLOUR),
            "collision": star(0, 0, 8, PAPER),
            "wreck": cross(0, 0, 7),
            "start": ring(0, 0, 8, INK),
            "ball": line((-9, 0), (9, 0), BALL_COLOUR, 5, round_=True),
        }
        entries = [
            (line((-9, 0), (9, 0), SIDES[mark], 3, "9 5" if mark else ""), f"track, {title}")
            for mark, title in sorted((self.cast.mark(side), title) for side, title in enumerate(self.cast.sides))
        ]
        entries += [(sign, self.drawn[kind]) for kind, sign in signs.items() if kind in self.drawn]
        if len(self.cast.jugs) > MOST_NAMED:
            entries += [("", f"{code} {self.cast.bare_name(slot)}") for slot, code in enumerate(self.cast.codes)]
        self.explain(entries)

    def explain(self, entries: Sequence[tuple[str, str]]) -> None:
        """Draw signs, each with its words, below the map."""
        x, y = MARGIN, self.sheet.height + LINE / 2
        for sign, words in entries:
            indent = 25 if sign else 0
            wide = indent + len(words) * TEXT_SIZE * 0.55 + 14
            if x > MARGIN and x + wide > self.sheet.width:
                x, y = MARGIN, y + LINE * 1.4
            if sign:
                self.sheet.add(f'<g transform="translate({x + 10:.1f},{y:.1f})">{sign}</g>')
            self.sheet.add(
                f'<text x="{x + indent:.1f}" y="{y + TEXT_SIZE * 0.36:.1f}" font-size="{TEXT_SIZE}" fill="{MUTED}">'
                f"{escape(words)}</text>"
            )
            x += wide
        self.sheet.height = y + LINE / 2 + MARGIN


def line(start: Point, end: Point, colour: str, width: float, dashes: str = "", *, round_: bool = False) -> str:
    """Return a straight line."""
    style = f' stroke-dasharray="{dashes}"' if dashes else ""
    style += ' stroke-linecap="round"' if round_ else ""
    return (
        f'<path d="M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}" stroke="{colour}"'
        f' stroke-width="{width:g}" fill="none"{style}/>'
    )


def star(x: float, y: float, size: float, fill: str) -> str:
    """Return a star."""
    corners = " ".join(f"{x + size * dx:.1f},{y + size * dy:.1f}" for dx, dy in STAR)
    return f'<polygon points="{corners}" fill="{fill}" stroke="{RAM_COLOUR}" stroke-width="1.5"/>'


def cross(x: float, y: float, size: float) -> str:
    """Return a cross on a light ground."""
    arms = (
        f"M{x - size:.1f} {y - size:.1f}l{2 * size:.1f} {2 * size:.1f}m0 {-2 * size:.1f}l{-2 * size:.1f} {2 * size:.1f}"
    )
    return (
        f'<path d="{arms}" stroke="{PAPER}" stroke-width="7" stroke-linecap="round" fill="none"/>'
        f'<path d="{arms}" stroke="{INK}" stroke-width="3.5" stroke-linecap="round" fill="none"/>'
    )


def ring(x: float, y: float, size: float, colour: str) -> str:
    """Return a thin ring."""
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" fill="none" stroke="{colour}" stroke-width="1.5"'
        ' stroke-dasharray="3 2"/>'
    )


def number(x: float, y: float, text: str, colour: str, *, hollow: bool) -> str:
    """Return a turn number in a pill: filled for one side, hollow for the other."""
    wide = 6.2 * len(text) + 7
    fill, ink = (PAPER, colour) if hollow else (colour, PAPER)
    return (
        f'<rect x="{x - wide / 2:.1f}" y="{y - 7:.1f}" width="{wide:.1f}" height="14" rx="7" fill="{fill}"'
        f' stroke="{colour}" stroke-width="1.5"/>'
        f'<text x="{x:.1f}" y="{y + 3.7:.1f}" font-size="10" font-weight="bold" text-anchor="middle" fill="{ink}">'
        f"{text}</text>"
    )
