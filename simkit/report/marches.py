"""The chart of ``simkit march --plot``: where every unit is after each round, over the ground that it crosses."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from simkit.report.canvas import LINE, TITLE, WIDE, Box, Canvas, Frame, bars, dots, key_rows, scale, text_width, wrapped
from simkit.report.export import form_of, save
from simkit.report.style import BLUE, GREEN, INK, MUTED, PURPLE, SERIES, VERMILLION, Mark, settings

Data = Mapping[str, Any]

MARKS = (
    *SERIES,
    Mark("s", "■", INK),
    Mark("o", "○", VERMILLION, filled=False),
    Mark("^", "△", GREEN, filled=False),
    Mark("D", "◇", PURPLE, filled=False),
    Mark("v", "▽", BLUE, filled=False),
    Mark("s", "□", INK, filled=False),
)
"""Courses, in order: shape and colour together are told apart; what is not filled is dashed, too."""

TINTS = {
    "road": "#e4e4e4",
    "woods": "#cfe9dd",
    "rough": "#f4e3d2",
    "swamp": "#e4dff0",
    "water": "#cde3f3",
    "ford": "#e4f0f8",
}
OBSTACLE: Mapping[str, Any] = {"linewidths": 1.4, "zorder": 1}
RAISED = "#f4f1dc"
"""Clear ground that is higher than the lane."""

HIGH = 380
NAMED = 5
"""Most units that the key names for one course."""

LEAST_BAND = 12
"""Height in pixels below which a stretch of ground has no name beside it."""


class Course(NamedTuple):
    """Units that are at the same place after every round, and these places in inches from side a."""

    names: tuple[str, ...]
    places: tuple[Fraction, ...]
    rounds: int | None


def draw(document: Data, path: str | Path) -> None:
    """Draw a march over a lane into a file.

    Parameters
    ----------
    document
        What ``simkit march --json`` prints, with a lane.
    path
        Where to; ``.svg`` or ``.png``. The same march gives the same bytes.

    Raises
    ------
    ValueError
        For any other ending, and for a march without a lane.
    OSError
        If the file cannot be written.
    """
    path = Path(path)
    form_of(path)
    if document["lane"] is None:
        raise ValueError("a march without a lane cannot be drawn")
    with settings():
        save(_Chart(document).draw().figure, path)


def courses(document: Data) -> list[Course]:
    """Return the different courses, the fastest first, those that never arrive last."""
    length = Fraction(document["lane"]["length"])
    sides = len({unit["side"] for unit in document["units"]}) > 1
    found: dict[tuple[Fraction, ...], Course] = {}
    for unit in document["units"]:
        own = [Fraction(0), *(Fraction(leg["place"]) for leg in unit["legs"])]
        places = tuple(own if unit["side"] == "a" else [length - place for place in own])
        known = found.get(places, Course((), places, unit["rounds"]))
        name = f"{unit['title']} ({unit['side'].upper()})" if sides else unit["title"]
        found[places] = known._replace(names=(*known.names, name) if name not in known.names else known.names)
    return sorted(found.values(), key=lambda one: (one.rounds is None, one.rounds or 0))


class _Chart:
    """The measures of one chart, and how it is drawn."""

    def __init__(self, document: Data) -> None:
        self.lane = document["lane"]
        self.length = float(Fraction(self.lane["length"]))
        self.title = document["question"] or f"A march of {self.length:g} inches"
        every = courses(document)
        self.courses = every[: len(MARKS)]
        self.left_out = len(every) - len(self.courses)
        self.notes = ["place of the front after each round; shaded: ground; behind a name: rounds to cross"]
        if self.left_out:
            self.notes[0] += f"; {self.left_out} slower courses not shown"

    def draw(self) -> Canvas:
        """Return the sheet with everything on it."""
        notes = [line for text in self.notes for line in wrapped(text, WIDE)]
        titles = wrapped(self.title, WIDE, TITLE * 1.2)
        keyed = 34 + 19 * (len(titles) - 1) + LINE * len(notes)
        entries = [(mark, _named(course)) for mark, course in zip(MARKS, self.courses, strict=False)]
        top = keyed + LINE * key_rows(WIDE, [word for _, word in entries]) + 26
        words = [_ground_words(one) for one in self.lane["ground"]] + ["9 obstacles"] * bool(self.lane["points"])
        left, right = 34.0, 12 + max(map(text_width, words), default=0.0)
        sheet = Canvas(WIDE, top + HIGH + 46)
        for k, line in enumerate(titles):
            sheet.text(0, 12 + 19 * k, line, fontsize=TITLE, fontweight="bold")
        for k, line in enumerate(notes):
            sheet.text(0, 12 + 19 * len(titles) + LINE * k, line, color=MUTED)
        sheet.key(keyed, entries)
        sheet.text(0, top - 14, "inches from the start of side A", color=MUTED)
        rounds = max((len(one.places) - 1 for one in self.courses), default=1) or 1
        room = 0.02 * self.length
        box = Box(left, top, WIDE - left - right, HIGH)
        frame = sheet.frame(box, (-0.15, rounds + 0.15), (-room, self.length + room))
        self._ground(frame)
        ticks = list(range(0, rounds + 1, -(-rounds // 20)))
        frame.upright_grid(ticks)
        frame.below(ticks, [str(tick) for tick in ticks])
        inches = scale(0.0, self.length, "count", 8, pad=0.0)
        spread = [tick for tick in inches.ticks if frame.y(tick) - frame.y(self.length) >= LINE]
        frame.beside([*spread, self.length], [*(f"{tick:g}" for tick in spread), f"{self.length:g}"])
        sheet.text(left + box.width / 2, top + HIGH + 32, "rounds", color=MUTED, ha="center")
        for mark, course in reversed(list(zip(MARKS, self.courses, strict=False))):
            _line(frame, course, mark)
        return sheet

    def _ground(self, frame: Frame) -> None:
        """Shade the stretches of ground and draw what lies across, each with its name at the right."""
        x = frame.box.left + frame.box.width + 8
        taken: list[float] = []
        for middle, word in _obstacles(self.lane, frame):
            frame.sheet.text(x, middle, word, color=INK)
            taken.append(middle)
        across = [float(Fraction(point["at"])) for point in self.lane["points"]]
        bars(frame.axes, [((frame.across[0], at), (frame.across[1], at)) for at in across], colors=INK, **OBSTACLE)
        for one in self.lane["ground"]:
            start, end = (float(Fraction(one[key])) for key in ("from", "to"))
            tint = TINTS.get(one["kind"], RAISED if one["height"] else None)
            if tint is not None:
                frame.axes.axhspan(start, end, facecolor=tint, linewidth=0, zorder=0)
            bars(
                frame.axes, [((frame.across[0], end), (frame.across[1], end))], colors=MUTED, linewidths=0.4, zorder=0.5
            )
            place = _clear_of(taken, frame.y(end), frame.y(start))
            if place is not None and tint is not None:
                frame.sheet.text(x, place, _ground_words(one), color=MUTED)
                taken.append(place)


def _obstacles(lane: Data, frame: Frame) -> list[tuple[float, str]]:
    """Return the names of obstacles with their heights on the sheet; those that lie near each other have one name."""
    near: list[list[tuple[float, str]]] = []
    for point in lane["points"]:
        place = frame.y(float(Fraction(point["at"])))
        if near and near[-1][-1][0] - place < LINE:
            near[-1].append((place, str(point["kind"])))
        else:
            near.append([(place, str(point["kind"]))])
    return [
        (sum(place for place, _ in some) / len(some), some[0][1] if len(some) == 1 else f"{len(some)} obstacles")
        for some in near
    ]


def _clear_of(taken: Sequence[float], top: float, bottom: float) -> float | None:
    """Return a height for a name between two heights of the sheet that no other name has, or None."""
    if bottom - top < LEAST_BAND:
        return None
    middle = (top + bottom) / 2
    for step in (0, 1, -1, 2, -2):
        place = middle + step * (bottom - top) / 5
        if all(abs(place - other) >= LINE - 2 for other in taken):
            return place
    return None


def _line(frame: Frame, course: Course, mark: Mark) -> None:
    rounds, places = range(len(course.places)), [float(place) for place in course.places]
    style = "-" if mark.filled else (0, (4, 2))
    frame.axes.plot(rounds, places, color=mark.colour, linewidth=1.8, linestyle=style, zorder=2)
    frame.axes.plot(rounds, places, **dots(mark, 6.5), zorder=3, clip_on=False)


def _named(course: Course) -> str:
    names = list(course.names)
    shown = names if len(names) <= NAMED else [*names[: NAMED - 1], f"{len(names) - NAMED + 1} more"]
    return f"{', '.join(shown)}: {'never' if course.rounds is None else course.rounds}"


def _ground_words(ground: Data) -> str:
    high = f"{ground['height']} ft up" if ground["height"] else ""
    if ground["kind"] == "clear":
        return high or "clear"
    return f"{ground['kind']}, {high}" if high else str(ground["kind"])
