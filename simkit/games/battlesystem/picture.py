"""A whole battle in one picture: both lines on the lane, round by round."""

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from simkit.games.battlesystem import draw
from simkit.games.battlesystem import phrases as say
from simkit.games.battlesystem.chronicle import NOTHING, Round, ending, headline, matchup, rounds, stood
from simkit.games.battlesystem.draw import INK, MARGIN, MUTED, SIDES, SMALL_SIZE, WIDE, Sheet
from simkit.games.battlesystem.frontage import files_of
from simkit.games.battlesystem.happenings import What
from simkit.games.battlesystem.kinds import Declaration, Formation
from simkit.games.battlesystem.legend import legend
from simkit.games.battlesystem.staging import Cast, Member
from simkit.games.battlesystem.tables import GRID
from simkit.games.battlesystem.track import Happening, Scene, Standing, happened, track

__all__ = ["picture"]

LARGEST = 10.0
"""Size of a figure at most."""

DEEPEST = 96.0
"""Room for a unit behind its front."""

TALLEST, OF_MANY = 96.0, 60.0
"""Room for the files of a unit: where the battle has one or two slots, and where it has more."""

MOST_ROUNDS = 60
"""Rounds with a panel of their own; of those beyond, the headlines alone are written."""

WALLS = (Declaration.WALL, Declaration.WALL_ROUND)
SETS = (Declaration.SET, Declaration.SET_ROUND)
GAP = 7.0


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
        One ``<svg>`` element, 720 CSS pixels wide, without ids, scripts or links; the same text every time. A panel for
        every round shows the lane from side a's start on the left to side b's on the right, the units of each slot
        below each other, as they stand when the round is over; rounds in which nothing is done share a line. Sides
        differ in shape as well as in colour, and pointing at a mark tells what it is.
    """
    rows = happened(events[0])
    return Picture(cast, rows, events[1] > len(rows)).svg()


class Picture:
    """A battle being drawn."""

    def __init__(self, cast: Cast, rows: Sequence[Happening], broken_off: bool = False) -> None:
        self.cast = cast
        self.rows = rows
        self.scenes = track(cast, rows)
        self.rounds = rounds(rows, self.scenes)
        self.slots = sorted({member.slot for member in cast.members})
        self.broken_off = broken_off
        self.drawn: set[str] = set()
        """Kinds of marks that were drawn, for the legend."""
        self.sizes = {member.seat: self._size(member) for member in cast.members}
        rooms = {member.seat: self._room(member) for member in cast.members}
        self.tall = {slot: max(rooms[one.seat][0] for one in cast.members if one.slot == slot) for slot in self.slots}
        self.left = MARGIN + max(deep for _, deep in rooms.values()) + 12
        self.scale = (WIDE - 2 * self.left) / max(cast.lane.length, GRID)

    # Sizes

    def _formations(self, member: Member) -> set[int]:
        return {scene.units[self.cast.index[member.seat]].formation for scene in self.scenes} | {member.formation}

    def _extent(self, member: Member, figures: int, formation: int) -> tuple[float, float]:
        """Return height and depth of a unit in sizes of a figure."""
        files = max(1, min(member.files, figures))
        apart = draw.SPACING[Formation(formation)]
        ranks = -(-figures // files) if figures else 1
        return (files - 1) * apart + 1, (ranks - 1) * apart + 1

    def _size(self, member: Member) -> float:
        """Return how large the figures of a unit are drawn, so that it has room in every formation it comes to."""
        size, most = LARGEST, TALLEST if len(self.slots) <= 2 else OF_MANY
        for formation in self._formations(member):
            tall, deep = self._extent(member, member.figures, formation)
            size = min(size, most / tall, DEEPEST / deep)
        return size

    def _room(self, member: Member) -> tuple[float, float]:
        """Return the height and depth that a unit takes at most."""
        extents = [self._extent(member, member.figures, formation) for formation in self._formations(member)]
        size = self.sizes[member.seat]
        return size * max(tall for tall, _ in extents), size * max(deep for _, deep in extents)

    def x(self, place: float) -> float:
        """Return where a place of the lane is drawn."""
        return self.left + place * self.scale

    # The whole

    def svg(self) -> str:
        """Draw everything."""
        sheet = Sheet(f"{matchup(self.cast)}: {ending(self.cast, self.rows)}", self._says())
        sheet.write(sheet.title, draw.TITLE_SIZE, INK, "bold")
        sheet.write(f"{self._ground()}. Inches along the lane from side {self.cast.sides[0]}'s start.", colour=MUTED)
        if self.broken_off:
            sheet.write("The trace ran out of room: the end is missing.", colour=MUTED)
        self.heading(sheet, "Start", "")
        self.panel(sheet, self.scenes[0], None)
        shown = 0
        for quiet, group in groupby(self.rounds, key=lambda one: one.quiet):
            played = list(group)
            if quiet:
                first, last = played[0].number, played[-1].number
                self.heading(sheet, f"Round {first}" if first == last else f"Rounds {first} to {last}", NOTHING)
                continue
            for one in played:
                shown += 1
                self.heading(sheet, f"Round {one.number}", headline(self.cast, one))
                if shown <= MOST_ROUNDS:
                    self.panel(sheet, one.after, one)
        legend(sheet, self.cast, self.drawn)
        return sheet.svg()

    def _says(self) -> str:
        told = [f"{self._ground()}."]
        told += [f"{member.name}: {say.counted(member.figures, 'figure')}." for member in self.cast.members]
        told += [f"Round {one.number}: {headline(self.cast, one)}." for one in self.rounds if not one.quiet]
        return " ".join(told)

    def _ground(self) -> str:
        lane = self.cast.lane
        parts = [
            f"{one.kind} {say.decimal(one.start)} to {say.decimal(one.end)}"
            + (f" ({one.height} feet up)" if one.height else "")
            for one in lane.segments
            if one.kind != "clear" or one.height
        ]
        parts += [f"{point.kind} at {say.decimal(point.at)}" for point in lane.points]
        return f"Lane of {say.inches(lane.length)}: {', '.join(parts) or 'clear and level'}"

    def heading(self, sheet: Sheet, title: str, words: str) -> None:
        """Write the heading of a round."""
        sheet.height += GAP
        sheet.write(words, lead=f"{title}: " if words else title)

    # A panel

    def panel(self, sheet: Sheet, scene: Scene, one: Round | None) -> None:
        """Draw the lane with all units as they stand in a scene; a round adds what happened in it."""
        top = sheet.height
        ground: list[str] = []
        marker = len(sheet.parts)
        middles: dict[int, float] = {}
        labels: list[str] = []
        for slot in self.slots:
            labels += self._label(sheet, slot, scene, one)
            for member in self._there(slot, scene, one):
                middles[member.seat] = sheet.height + self.tall[slot] / 2 + 3
            sheet.height += self.tall[slot] + 6
        bottom = sheet.height + 4
        self._backdrop(ground, top, bottom)
        sheet.parts[marker:marker] = ground
        if one is not None:
            self._ways(sheet, one, middles)
        for slot in self.slots:
            for member in self._there(slot, scene, one):
                self._unit(sheet, member, scene, one, middles[member.seat])
        if one is not None:
            self._shots(sheet, one, middles)
            self._meetings(sheet, one, middles)
        sheet.parts += labels
        sheet.height = bottom
        self._axis(sheet)

    def _there(self, slot: int, scene: Scene, one: Round | None) -> list[Member]:
        """Return the units of a slot that stand in its line, or fell in this round."""
        found = []
        for member in self.cast.members:
            i = self.cast.index[member.seat]
            before = scene if one is None else one.before
            if member.slot == slot and before.units[i].in_play and not scene.units[i].waiting:
                found.append(member)
        return found

    def _label(self, sheet: Sheet, slot: int, scene: Scene, one: Round | None) -> list[str]:
        """Make room above a slot, and return what stands there: who is in it, side a on the left, b on the right."""
        found = []
        there = {member.seat for member in self._there(slot, scene, one)}
        told: list[list[str]] = [[], []]
        for member in self.cast.members:
            unit = scene.units[self.cast.index[member.seat]]
            if member.slot != slot:
                continue
            if member.seat in there:
                fate = {1: ", destroyed", 2: ", routed"}.get(unit.fate, "")
                wound = f", wound {unit.wound}" if unit.wound and not unit.fate else ""
                told[member.side].append(f"{member.name} {unit.figures} of {member.figures}{wound}{fate}")
            elif unit.waiting and unit.in_play:
                told[member.side].append(f"{member.name} in reserve")
        left, right = "; ".join(told[0]), "; ".join(told[1])
        y, x = sheet.height + 11, MARGIN
        if len(self.slots) > 1:
            found.append(draw.text_at(MARGIN, y, f"Slot {slot}", SMALL_SIZE, MUTED))
            x += 36
        if left:
            found.append(draw.text_at(x, y, left, SMALL_SIZE, SIDES[0], weight="bold", halo=True))
        if right and draw.wide(left, SMALL_SIZE) + draw.wide(right, SMALL_SIZE) > WIDE - 2 * MARGIN - x:
            y += 13
            sheet.height += 13
        if right:
            found.append(draw.text_at(WIDE - MARGIN, y, right, SMALL_SIZE, SIDES[1], "end", "bold", halo=True))
        sheet.height += 15
        return found

    def _backdrop(self, parts: list[str], top: float, bottom: float) -> None:
        """Tint the lane behind the units and mark its obstacles."""
        lane = self.cast.lane
        for one in lane.segments:
            if draw.GROUND[one.kind].tint:
                x = self.x(one.start)
                width = (one.end - one.start) * self.scale
                parts.append(draw.box(x, top, width, bottom - top, draw.GROUND[one.kind].tint))
        for point in lane.points:
            x = self.x(point.at)
            dashes = "" if point.kind == "barrier" else "4 3"
            drawn = draw.line((x - 1.5, top), (x - 1.5, bottom), MUTED, 1.2, dashes)
            drawn += draw.line((x + 1.5, top), (x + 1.5, bottom), MUTED, 1.2, dashes)
            parts.append(f"<g><title>{point.kind} at {say.decimal(point.at)}</title>{drawn}</g>")
            self.drawn.add(point.kind)

    def _axis(self, sheet: Sheet) -> None:
        """Draw the ground with its heights, and the inches below it."""
        lane, high = self.cast.lane, max(one.height for one in self.cast.lane.segments)
        base = sheet.height + 13 + min(18.0, high * 0.3)
        for one in lane.segments:
            rise = one.height * 0.3 if high <= 60 else one.height * 18 / high
            x, width = self.x(one.start), (one.end - one.start) * self.scale
            words: str = one.kind if one.kind != "clear" else ""
            words += f" {one.height} ft" if one.height else ""
            about = f"{one.kind} from {say.decimal(one.start)} to {say.decimal(one.end)} inches"
            about += f", {one.height} feet up" if one.height else ""
            sheet.add(draw.box(x, base - 12 - rise, width, 12 + rise, draw.GROUND[one.kind].fill), about)
            if words and draw.wide(words, SMALL_SIZE) < width:
                sheet.add(draw.text_at(x + width / 2, base - 3, words.strip(), SMALL_SIZE, INK, "middle"))
        inches = lane.length / GRID
        step = next(step for step in (1, 2, 3, 6, 12, 24, 60, 120, 600) if inches / step <= 16 or step == 600)
        ticks = "".join(
            f"M{self.x(k * GRID):.1f} {base:.1f}v{5 if k % step == 0 else 3}" for k in range(math.floor(inches) + 1)
        )
        sheet.add(f'<path d="{ticks}" stroke="{MUTED}" stroke-width="1" fill="none"/>')
        for k in range(0, math.floor(inches) + 1, step):
            sheet.add(draw.text_at(self.x(k * GRID), base + 14, str(k), SMALL_SIZE, MUTED, "middle"))
        sheet.height = base + 18

    # Units

    def _unit(self, sheet: Sheet, member: Member, scene: Scene, one: Round | None, middle: float) -> None:
        """Draw a unit as a block of figures behind its front, with what it has declared."""
        unit = scene.units[self.cast.index[member.seat]]
        lost = 0 if one is None else one.lost(member.seat)
        x, gone = self.x(unit.place), unit.fate == 2
        files = max(1, min(files_of(member, unit), member.figures))
        cells = self._cells(member, unit, lost, files)
        size = self.sizes[member.seat]
        tall = max((y for _, y, _ in cells), default=0.0) + size
        drawn = []
        for dx, dy, state in cells:
            left = x - dx - size if member.side == 0 else x + dx
            drawn.append(draw.figure(left, middle - tall / 2 + dy, size, member.side, unit.formation, state))
            self.drawn.add(state if state != "stands" else f"{state}{member.side}")
        self.drawn.add(f"order{int(unit.formation)}")
        words = f"{member.name}: {unit.figures} of {say.counted(member.figures, 'figure')},"
        words += f" {say.FORMATIONS[Formation(unit.formation)]}, front at {say.decimal(unit.place)}"
        look = f'<g opacity="0.35">{"".join(drawn)}</g>' if gone else "".join(drawn)
        sheet.add(look, words + (", routed" if gone else ", destroyed" if unit.fate else ""))
        front = [middle - tall / 2 + dy + size / 2 for dx, dy, state in cells if dx == 0 and state == "stands"]
        self._declared(sheet, member, unit, one, (x, front))
        if gone:
            way = -member.way
            deep = max((dx for dx, _, _ in cells), default=0.0) + size
            edge = min(max(x + way * (deep + 24), 4.0), WIDE - 4.0)
            sheet.add(draw.arrow((x + way * 6, middle), (edge, middle), INK, 2), f"{member.name} rout")
            self.drawn.add("rout")

    def _cells(self, member: Member, unit: Standing, lost: int, files: int) -> list[tuple[float, float, str]]:
        """Return every figure that began: depth and height of its cell, and whether it stands, falls or fell before."""
        size = self.sizes[member.seat]
        apart = draw.SPACING[Formation(unit.formation)] * size
        states = ["stands"] * unit.figures + ["falls"] * lost
        states += ["fell"] * (member.figures - len(states))
        found = []
        for k, state in enumerate(states):
            r, f = divmod(k, files)
            shift = 0.45 * size * (r % 2) if unit.formation == Formation.MOB else 0.0
            found.append((r * apart, f * apart + shift, state))
        return found

    def _declared(
        self, sheet: Sheet, member: Member, unit: Standing, one: Round | None, at: tuple[float, list[float]]
    ) -> None:  # fmt: skip
        """Draw a shield wall as a thick line along what it covers, set spears as spikes.

        Parameters
        ----------
        at
            Where the front is drawn, and the middles of its files.
        """
        x, files = at
        if unit.fate or not files:
            return
        declared = unit.declared if one is None else stood(self.cast, one, member.seat)
        way, size = member.way, self.sizes[member.seat]
        top, tall = min(files) - size / 2, max(files) - min(files) + size
        if declared in WALLS:
            drawn = draw.line((x + way, top - 2), (x + way, top + tall + 2), INK, 3)
            if declared == Declaration.WALL_ROUND:
                deep = -(-unit.figures // files_of(member, unit)) * size + 4
                drawn = draw.frame(x - deep if member.side == 0 else x, top - 3, deep, tall + 6)
            sheet.add(drawn, f"{member.name}: {say.DECLARED[Declaration(declared)]}")
            self.drawn.add("wall")
        elif declared in SETS:
            arm = "pikes" if member.design.arm == "pike" else "spears"
            sheet.add(draw.spikes(x, files, way), f"{member.name}: {arm} set")
            self.drawn.add("set")

    # What happened

    def _ways(self, sheet: Sheet, one: Round, middles: dict[int, float]) -> None:
        """Draw an arrow for the way of every unit that moved, thick where it charged."""
        charged = {row.unit for row in one.of(What.CONTACT) if row.extra}
        for member in self.cast.members:
            i = self.cast.index[member.seat]
            start, end = one.before.units[i].place, one.after.units[i].place
            if start == end or member.seat not in middles:
                continue
            charge = member.seat in charged
            words = f"{member.name} {'charge' if charge else 'move'} {say.inches(abs(end - start))}"
            y, tall = middles[member.seat], self.tall[member.slot]
            y += tall / 2 + 1
            ends = ((self.x(start), y), (self.x(end), y))
            sheet.add(draw.arrow(*ends, SIDES[member.side], 3 if charge else 1.2), words)
            self.drawn.add("charge" if charge else "move")

    def _shots(self, sheet: Sheet, one: Round, middles: dict[int, float]) -> None:
        """Draw a dotted line for every volley."""
        units = one.after.units
        for k, row in enumerate(one.rows):
            if row.what != What.SHOOT or row.unit not in middles or row.foe not in middles:
                continue
            harm = next((after.value for after in one.rows[k:] if after.what == What.DAMAGE), 0)
            ends = [(self.x(units[self.cast.index[seat]].place), middles[seat]) for seat in (row.unit, row.foe)]
            words = f"{self.cast.name(row.unit)} shoot at {self.cast.name(row.foe)}"
            dice = say.counted(harm, "hit die", "hit dice")
            sheet.add(draw.line(ends[0], ends[1], INK, 1.4, "1.5 3.5"), f"{words}: {dice}")
            self.drawn.add("shot")

    def _meetings(self, sheet: Sheet, one: Round, middles: dict[int, float]) -> None:
        """Draw a line between the fronts of those who struck each other across slots."""
        units = one.after.units
        pairs = dict.fromkeys((min(row.unit, row.foe), max(row.unit, row.foe)) for row in one.of(What.STRIKE))
        for a, b in pairs:
            if a in middles and b in middles and self.cast.member(a).slot != self.cast.member(b).slot:
                ends = [(self.x(units[self.cast.index[seat]].place), middles[seat]) for seat in (a, b)]
                words = f"{self.cast.name(a)} in contact with {self.cast.name(b)}"
                sheet.add(draw.arc(ends[0], ends[1]), words)
                self.drawn.add("contact")
