"""A whole match in one picture: the way of the ball, the goals that were scored, and where everybody is in the end."""

from html import escape
from typing import Any

from simkit.games.jugger import phrases as say
from simkit.games.jugger.cast import Cast
from simkit.games.jugger.happenings import Happening, happened
from simkit.games.jugger.mapdraw import BALL_COLOUR, INK, PAPER, SIDES, closed
from simkit.games.jugger.picture import Picture, cross, ending, line
from simkit.games.jugger.track import track
from simkit.games.juggerball.happenings import What


def result(cast: Cast, rows: Any) -> str:
    """Return the goals of a match between the names of the sides, side a's first, as in ``"A 2 : 0 B"``."""
    score = track(cast, rows)[-1].score
    a, b = sorted(range(2), key=cast.mark)
    return f"{cast.sides[a]} {score[a]} : {score[b]} {cast.sides[b]}"


def picture(cast: Cast, events: tuple[Any, int]) -> str:
    """Draw a match as an SVG file.

    Parameters
    ----------
    cast
        Who plays where.
    events
        The rows kept, and how many events there were.
    """
    rows, noted = happened(events[0]), events[1]
    return MatchPicture(cast, rows, noted > len(rows)).svg()


class MatchPicture(Picture):
    """A match being drawn."""

    def title(self) -> str:
        """Return the score, and how it ended."""
        return f"{result(self.cast, self.rows)}: {ending(self.cast, self.rows[-1] if self.rows else None)}"

    def says(self) -> str:
        """Say what is drawn."""
        field = self.cast.map.title or "unnamed"
        return f"Field: {field}, hexes by [q, r]. The way of the ball, and where everybody is in the end."

    def svg(self) -> str:
        """Draw everything, the most important on top."""
        self.sheet.style = "max-width:100%;height:auto"
        self.goals()
        self.ball()
        self.wrecks()
        self.jugs()
        self.names()
        self.scored()
        self.legend()
        return self.sheet.svg()

    def goals(self) -> None:
        """Draw the closed sides of both goals in the colours of their owners (J-BALL-7)."""
        for (q, r), kind in self.cast.map.kinds().items():
            if str(kind) == "goal":
                owner = int(q > 0)
                x, y = self.sheet.xy(q, r)
                colour = SIDES[self.cast.mark(owner)]
                path = (
                    f'<path d="{closed(self.size, q < 0)}" transform="translate({x:.1f},{y:.1f})" fill="none"'
                    f' stroke="{colour}" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>'
                )
                self.add(path, f"goal of {self.cast.sides[owner]}, {say.at((q, r))}")

    def wrecks(self) -> None:
        """Draw a cross where a jug lies in the end."""
        for wreck in self.scenes[-1].wrecks:
            x, y = self.sheet.xy(*wreck.place)
            name = self.cast.name(wreck.slot)
            self.add(cross(x, y, self.size * 0.5), f"wreck of {name}, {say.at(wreck.place)}")
            self.drawn["wreck"] = "wreck"

    def jugs(self) -> None:
        """Draw every jug in play where it stands at the end."""
        for slot, member in enumerate(self.cast.jugs):
            jug = self.scenes[-1].jugs[slot]
            if not jug.fate:
                words = f"{member.name}, {jug.hits} of {member.hits} hits, {say.at(jug.place)}"
                self.sheet.jug(*jug.place, jug.facing, self.cast.mark(jug.side), words)

    def names(self) -> None:
        """Write the code of every jug where it is in the end."""
        for slot, code in enumerate(self.cast.codes):
            jug = self.scenes[-1].jugs[slot]
            if not jug.fate:
                x, y = self.sheet.xy(*jug.place)
                self.label(x, y - self.size * 0.75, code, SIDES[self.cast.mark(jug.side)])
        for wreck in self.scenes[-1].wrecks:
            self.label(*self.beside(wreck.place), self.cast.codes[wreck.slot], INK)

    def scored(self) -> None:
        """Write beside each goal which ones were scored there, with their turns."""
        at: dict[tuple[int, int], list[tuple[int, Happening]]] = {}
        found = [(row, scene.ball) for row, scene in zip(self.rows, self.scenes, strict=False) if row.what == What.GOAL]
        for number, (row, place) in enumerate(found, start=1):
            at.setdefault(place or (0, 0), []).append((number, row))
        for place, goals in at.items():
            x, y = self.sheet.xy(*place)
            for k, (number, row) in enumerate(goals):
                colour = SIDES[self.cast.mark(row.foe)]
                words = f"goal {number} for {self.cast.sides[row.foe]}, turn {row.turn}, by {self.cast.name(row.jug)}"
                self.add(plate(x, y + self.size * 1.9 + 18 * k, f"{number}: turn {row.turn}", colour), words)
            self.drawn["goal"] = "a goal: its number and turn, in the colour of who scored it"

    def legend(self) -> None:
        """Say below the map what the marks mean."""
        signs = {
            "ball": line((-9, 0), (9, 0), BALL_COLOUR, 5, round_=True),
            "goal": plate(0, 0, "1", INK),
            "wreck": cross(0, 0, 7),
        }
        entries = [(sign, self.drawn[kind]) for kind, sign in signs.items() if kind in self.drawn]
        named = [(code, self.cast.bare_name(slot)) for slot, code in enumerate(self.cast.codes)]
        self.explain([*entries, *(("", f"{code} {name}") for code, name in named if name)])


def plate(x: float, y: float, text: str, colour: str) -> str:
    """Return a few words on a plate."""
    wide = 6.4 * len(text) + 8
    return (
        f'<rect x="{x - wide / 2:.1f}" y="{y - 8:.1f}" width="{wide:.1f}" height="16" rx="4" fill="{PAPER}"'
        f' stroke="{colour}" stroke-width="2"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" font-size="11" font-weight="bold" text-anchor="middle" fill="{colour}">'
        f"{escape(text)}</text>"
    )
