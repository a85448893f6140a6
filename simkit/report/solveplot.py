"""The curve along a parameter, the target, where the two meet, and what fresh dice said there."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.report.canvas import LINE, NARROW, WIDE, Box, Canvas, Frame, Scale, bars, dots, key_rows, scale, text_width
from simkit.report.style import BAND, BLUE, GREEN, INK, MUTED, VERMILLION, Mark
from simkit.report.words import Document, counted, percent, short
from simkit.stats.estimate import Unit

Case = Mapping[str, Any]

MOST_PANELS = 12
"""Most cases that are drawn; the table has all."""

CROWDED = 30
"""With more values than this they stand without marks."""

HIGH = 210.0
SOLVED = Mark("o", "●", BLUE)
PLAYED = Mark("o", "○", BLUE, filled=False)
ANSWER = Mark("D", "◆", VERMILLION)
CHECK = Mark("s", "■", GREEN)


def title(document: Document) -> str:
    """Return the title of the plot."""
    return f"'{document['metric']}' by {document['parameter']['title']}"


def alt(document: Document) -> str:
    """Say the plot in words."""
    said = "; ".join(f"{case['where']}: {case['says']}" if case["where"] else case["says"] for case in _shown(document))
    return f"Curves in {counted(len(_shown(document)), 'panel')}. {title(document)}. {said}."


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG: a panel a case."""
    return _Panels(document, narrow).svg()


def _shown(document: Document) -> Sequence[Case]:
    cases: Sequence[Case] = document["cases"]
    return cases[:MOST_PANELS]


class _Panels:
    """The measures of the figure, and how it is drawn."""

    def __init__(self, document: Document, narrow: bool) -> None:
        self.document, self.cases = document, _shown(document)
        self.width = NARROW if narrow else WIDE
        self.narrow = narrow
        self.columns = 1 if narrow or len(self.cases) == 1 else 2
        self.kind: Unit = self.cases[0]["kind"]
        self.within = document["within"] or 0.0
        self.y = self._scale()
        self.words = bool(document["parameter"]["words"])

    def _scale(self) -> Scale:
        ends = [
            end
            for case in self.cases
            for entry in [*case["tried"], *(check for answer in case["answers"] for check in answer["checks"])]
            for end in (entry["estimate"]["low"], entry["estimate"]["high"])
        ]
        ends += [case["target"] + off for case in self.cases for off in (-self.within, self.within)]
        low, high = min(ends), max(ends)
        if self.kind == "share" and high - low > 0.4:
            low, high = 0.0, 1.0
        return scale(low, high, self.kind, 5, pad=0.07)

    def _key(self) -> list[tuple[Mark | None, str]]:
        exact = [case["exact"] for case in self.cases]
        found = [answer for case in self.cases for answer in case["answers"]]
        entries: list[tuple[Mark | None, str]] = []
        if any(exact):
            entries.append((SOLVED, "solved exactly"))
        if not all(exact):
            entries.append((PLAYED, "tried, all intervals together"))
        entries.append((None, "target"))
        if any(answer["place"] is not None for answer in found):
            entries.append((ANSWER, "answer, with its interval"))
        if any(answer["checks"] for answer in found):
            entries.append((CHECK, "played there on fresh dice"))
        return entries

    def _notes(self) -> list[str]:
        left_out = len(self.document["cases"]) - len(self.cases)
        within = f"; shaded: within {self._amount(self.within)} of the target" if self.within else ""
        notes = [f"intervals {percent(self.document['level'])}{within}"]
        return notes + ([f"{counted(left_out, 'further case')} not shown"] if left_out else [])

    def _amount(self, value: float) -> str:
        return f"{value:g}" if self.kind == "count" else f"{100 * value:g} pp"

    def svg(self) -> str:
        """Draw it."""
        entries, notes = self._key(), self._notes()
        sheet_title = title(self.document)
        top = 34.0 + LINE * len(notes)
        keyed = LINE * key_rows(self.width, [word for _, word in entries]) + 10
        left, gap = 8 + max(text_width(label) for label in self.y.labels), 28.0
        each = (self.width - left - gap * (self.columns - 1) - 4) / self.columns
        head = 22.0 if any(case["where"] for case in self.cases) else 8.0
        tilt = self._tilt(each)
        rows = -(-len(self.cases) // self.columns)
        first, foot = top + keyed + 18, 46 + tilt
        sheet = Canvas(self.width, first + rows * (head + HIGH + foot))
        sheet.heading(sheet_title, notes)
        sheet.key(top, entries)
        sheet.text(0, top + keyed + 4, short(self._side_label(), int(self.width / 6)), color=MUTED)
        for i, case in enumerate(self.cases):
            row, column = divmod(i, self.columns)
            x, y = left + column * (each + gap), first + row * (head + HIGH + foot) + head
            if case["where"]:
                sheet.text(x, y - 12, short(case["where"], int(each / 6.8)), fontweight="bold")
            self._panel(sheet, case, Box(x, y, each, HIGH), labels=column == 0, tilt=tilt)
            sheet.text(x, y + HIGH + 29 + tilt, short(self.document["parameter"]["path"], int(each / 6)), color=MUTED)
        return sheet.svg()

    def _side_label(self) -> str:
        metric = next(one for one in self.document["metrics"] if one["name"] == self.document["metric"])
        if self.kind == "points":
            return f"'{metric['name']}', percentage points above {self.document['like']}"
        text = f"'{metric['name']}', {'% ' if self.kind == 'share' else ''}{metric['unit']}"
        absolute = all(case["exact"] for case in self.cases)
        return f"{text} above {self.document['like']}" if self.document["like"] and not absolute else text

    def _tilt(self, each: float) -> float:
        if not self.words:
            return 0.0
        names = [short(one["value"], 20) for case in self.cases for one in case["tried"]]
        longest = max(map(text_width, names))
        slots = max(len(case["tried"]) for case in self.cases)
        return longest * 0.64 + 2 if longest > each / slots else 0.0

    def _bottom(self, case: Case, wide: float) -> tuple[tuple[float, float], list[float], list[str]]:
        """Return the ends of the axis along the bottom, its ticks and their labels."""
        tried = case["tried"]
        places = [one["place"] for one in tried]
        room = (places[-1] - places[0]) * 0.05
        across = (places[0] - room, places[-1] + room)
        names = [short(one["value"], 20) for one in tried]
        if self.words or sum(text_width(name) + 10 for name in names) < wide:
            near = [b - a for a, b in itertools.pairwise(places)]
            if self.words or min(near) / (across[1] - across[0]) * wide > max(map(text_width, names)) + 6:
                return across, places, names
        ticks = scale(places[0], places[-1], "count", max(3, int(wide / 60)), pad=0.0)
        return across, list(ticks.ticks), list(ticks.labels)

    def _panel(self, sheet: Canvas, case: Case, box: Box, *, labels: bool, tilt: float) -> None:
        across, ticks, words = self._bottom(case, box.width)
        frame = sheet.frame(box, across, (self.y.low, self.y.high))
        frame.level_grid([*self.y.ticks, self.y.low])
        frame.below(ticks, words, tilted=tilt > 0)
        if labels:
            frame.beside(self.y.ticks, self.y.labels)
        if self.within:
            ends = (case["target"] - self.within, case["target"] + self.within)
            frame.axes.fill_between(across, *ends, color=BAND, linewidth=0, zorder=0)
        target = case["target"]
        bars(frame.axes, [((across[0], target), (across[1], target))], colors=INK, linewidths=1.2, zorder=1)
        self._line(frame, case)
        for answer in case["answers"]:
            self._answer(frame, answer, target)

    def _line(self, frame: Frame, case: Case) -> None:
        tried = case["tried"]
        xs = [one["place"] for one in tried]
        values = [one["estimate"]["estimate"] for one in tried]
        lows, highs = ([one["estimate"][end] for one in tried] for end in ("low", "high"))
        mark = SOLVED if case["exact"] else PLAYED
        if not case["exact"]:
            frame.axes.fill_between(xs, lows, highs, color=BLUE, alpha=0.14, linewidth=0, zorder=1)
            bars(frame.axes, [((x, a), (x, b)) for x, a, b in zip(xs, lows, highs, strict=True)], colors=BLUE)
        frame.axes.plot(xs, values, color=BLUE, linewidth=1.5, zorder=2)
        if len(xs) <= CROWDED:
            frame.axes.plot(xs, values, **dots(mark, 6), zorder=3)

    def _answer(self, frame: Frame, answer: Mapping[str, Any], target: float) -> None:
        place = answer["place"]
        if place is None:
            return
        low, high = answer["low"], answer["high"]
        if high > low:
            ends = (self.y.low, self.y.high)
            frame.axes.fill_betweenx(ends, low, high, color=VERMILLION, alpha=0.18, linewidth=0, zorder=1)
        bars(frame.axes, [((place, self.y.low), (place, target))], colors=VERMILLION, linewidths=1.2, zorder=2)
        for check in answer["checks"][-1:]:
            found = check["estimate"]
            reach = [((check["place"], found["low"]), (check["place"], found["high"]))]
            bars(frame.axes, reach, colors=GREEN, linewidths=3.0, zorder=4)
            frame.axes.plot([check["place"]], [found["estimate"]], **dots(CHECK, 8), zorder=4)
        frame.axes.plot([place], [target], **dots(ANSWER, 4), zorder=5)
        if not self.words:
            middle = frame.box.left + frame.box.width / 2
            right = frame.x(place) > middle
            x, side = frame.x(place) + (-6 if right else 6), "right" if right else "left"
            text = answer["says"].split(" (")[0]
            frame.sheet.text(
                x, frame.box.top + frame.box.height - 10, text, color=VERMILLION, ha=side, fontweight="bold"
            )
