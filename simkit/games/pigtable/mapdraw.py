"""Tables as pictures, to scale: levels, bogs, lines, starts, the pig; heat maps and routes (P-GAM-24)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape

from simkit.games.pigtable.kinds import Form, Thing
from simkit.games.pigtable.maps import Worth
from simkit.games.pigtable.shapes import Outline, Point
from simkit.games.pigtable.tables import UNITS, Ground, Piece

SCALE = 0.4
"""CSS pixels of a unit of 1/64 inch."""

MARGIN = 28.0
KEY = 208.0
SEATS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#b8860b")
"""Colours of the lancers, told apart by the colour-blind too; they are numbered as well."""

GROUND, RIM, HILL, BOG, ROCK, LINE, INK = (
    "#f4efdf", "#8a7f66", "#e4d3a4", "#a9c6c0", "#9a938a", "#5d4a33", "#222222"
)  # fmt: skip
LEVELS = ("#d9c28a", "#cbae69", "#b9974e", "#a5813a")
"""Of the levels of a hill, from below."""

STROKES = {Thing.WALL: "", Thing.FENCE: "6 4", Thing.HEDGE: "2 3", Thing.CHASM: "", Thing.RAMP: ""}
COLOURS = {Thing.WALL: LINE, Thing.FENCE: LINE, Thing.HEDGE: "#3f7d3a", Thing.CHASM: "#111111", Thing.RAMP: "#c98a2b"}
WIDTHS = {Thing.WALL: 6, Thing.FENCE: 3, Thing.HEDGE: 7, Thing.CHASM: 9, Thing.RAMP: 9}
HEAT = ("#fff7ec", "#fdd49e", "#fdbb84", "#ef6548", "#b30000")
WORST, EVEN, BEST = "#2166ac", "#f7f7f7", "#b2182b"


def number(value: float) -> str:
    """Write a coordinate: the same text on every machine."""
    return f"{round(value, 1):g}"


class Canvas:
    """A table on its way to an SVG file."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.size = 2 * MARGIN + 2 * ground.half * SCALE
        self.parts: list[str] = []

    def x(self, value: int) -> float:
        """Return where something so far east is drawn."""
        return MARGIN + (value + self.ground.half) * SCALE

    def y(self, value: int) -> float:
        """Return where something so far north is drawn."""
        return MARGIN + (self.ground.half - value) * SCALE

    def add(self, text: str) -> None:
        """Add an element."""
        self.parts.append(text)

    def shape(self, outline: Outline, fill: str, stroke: str, says: str = "") -> None:
        """Draw a disc or a polygon."""
        title = f"<title>{escape(says)}</title>" if says else ""
        style = f'fill="{fill}" stroke="{stroke}"'
        if outline.form == Form.DISC:
            (x, y), r = outline.points[0], outline.radius
            at = f'cx="{number(self.x(x))}" cy="{number(self.y(y))}" r="{number(r * SCALE)}"'
            self.add(f"<circle {at} {style}>{title}</circle>")
        else:
            points = " ".join(f"{number(self.x(x))},{number(self.y(y))}" for x, y in outline.points)
            self.add(f'<polygon points="{points}" {style}>{title}</polygon>')

    def line(self, points: Sequence[Point], colour: str, width: float, dash: str = "", says: str = "") -> None:
        """Draw a line through points."""
        title = f"<title>{escape(says)}</title>" if says else ""
        at = " ".join(f"{number(self.x(x))},{number(self.y(y))}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(f'<polyline points="{at}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dashes} '
                 f'stroke-linejoin="round">{title}</polyline>')  # fmt: skip

    def words(self, x: float, y: float, text: str, size: int = 12, anchor: str = "start") -> None:
        """Write a line of text."""
        self.add(f'<text x="{number(x)}" y="{number(y)}" font-size="{size}" text-anchor="{anchor}">'
                 f"{escape(text)}</text>")  # fmt: skip

    def figure(self, point: Point, base: int, mark: str, colour: str, says: str) -> None:
        """Draw the base of a figure."""
        x, y = self.x(point[0]), self.y(point[1])
        at = f'cx="{number(x)}" cy="{number(y)}" r="{number(base * SCALE)}"'
        self.add(f'<circle {at} fill="{colour}" stroke="{INK}"><title>{escape(says)}</title></circle>')
        self.add(f'<text x="{number(x)}" y="{number(y + 4)}" font-size="12" text-anchor="middle" '
                 f'fill="#ffffff">{escape(mark)}</text>')  # fmt: skip

    def table(self, ground_colour: str = GROUND) -> None:
        """Draw the table itself with a scale in inches."""
        half = self.ground.half
        if self.ground.round:
            self.shape(Outline(Form.DISC, ((0, 0),), half), ground_colour, RIM)
        else:
            self.shape(Outline(Form.POLYGON, ((-half, -half), (half, -half), (half, half), (-half, half))),
                       ground_colour, RIM)  # fmt: skip
        bottom = self.size - MARGIN / 2 + 8
        left, right = self.x(-half), self.x(-half + 6 * UNITS)
        self.add(f'<path d="M{number(left)} {number(bottom - 10)}H{number(right)}" stroke="{INK}"/>')
        self.words(left, bottom + 3, "6 inches", 11)

    def piece(self, piece: Piece) -> None:
        """Draw a piece."""
        if piece.thing == Thing.LEVEL:
            self.shape(piece.outline, HILL, RIM, f"{piece.name}: a hill")
            for k, level in enumerate(piece.levels):
                self.shape(level, LEVELS[k], RIM, f"{piece.name}: level {k + 1}")
        elif piece.thing == Thing.BOG:
            self.shape(piece.outline, BOG, RIM, f"{piece.name}: {piece.bog.replace('_', ' ')}")
        elif piece.thing == Thing.OBSTACLE:
            self.shape(piece.outline, ROCK, INK, f"{piece.name}: an obstacle")
        else:
            says = f"{piece.name}: a {piece.thing.name.lower()}"
            self.line(piece.outline.points, COLOURS[piece.thing], WIDTHS[piece.thing], STROKES[piece.thing], says)

    def pieces(self) -> None:
        """Draw all pieces, areas first."""
        for piece in sorted(self.ground.pieces, key=lambda one: (one.solid, one.thing != Thing.LEVEL)):
            self.piece(piece)

    def names(self) -> None:
        """Write the name of every piece beside the table, with what it is."""
        x, y = self.size + 4, MARGIN + 12
        self.words(x, y, self.ground.title, 15)
        for piece in self.ground.pieces:
            y += 18
            kind = piece.bog.replace("_", " ") if piece.bog else piece.thing.name.lower().replace("level", "hill")
            levels = f", {len(piece.levels)} level{'s' * (len(piece.levels) != 1)}" if piece.levels else ""
            self.words(x, y, f"{piece.name}: {kind}{levels}", 12)

    def svg(self, title: str, key: bool = True) -> str:
        """Return the picture as the text of an SVG file."""
        wide = self.size + (KEY if key else 0)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(wide)} {number(self.size)}" '
            f'width="{number(wide)}" height="{number(self.size)}" role="img" font-family="sans-serif">'
        )
        return f"{head}\n<title>{escape(title)}</title>\n" + "\n".join(self.parts) + "\n</svg>\n"


def blend(share: float, colours: Sequence[str] = HEAT) -> str:
    """Return the colour of a share from 0 to 1."""
    scaled = min(max(share, 0.0), 1.0) * (len(colours) - 1)
    k = min(int(scaled), len(colours) - 2)
    parts = [(int(colours[j][i : i + 2], 16)) for j in (k, k + 1) for i in (1, 3, 5)]
    mixed = [round(low + (scaled - k) * (high - low)) for low, high in zip(parts[:3], parts[3:], strict=True)]
    return "#" + "".join(f"{value:02x}" for value in mixed)


def draw_table(ground: Ground, base: int = 32, pig: int = 32) -> str:
    """Draw a table to scale: its pieces by name, numbered starts and the pig."""
    canvas = Canvas(ground)
    canvas.table()
    canvas.pieces()
    _figures(canvas, base, pig)
    canvas.names()
    return canvas.svg(f"The table {ground.title}")


def _figures(canvas: Canvas, base: int, pig: int) -> None:
    for k, start in enumerate(canvas.ground.starts):
        canvas.figure(start, base, str(k + 1), SEATS[k], f"start {k + 1}")
    canvas.figure(canvas.ground.pig, pig, "P", INK, "the pig")


def _squares(worth: Worth) -> Iterator[tuple[Point, Fraction]]:
    for cell in worth.cells:
        yield cell.point, cell.chance


def draw_worth(ground: Ground, worth: Worth, without: Worth | None = None, base: int = 32, pig: int = 32) -> str:
    """Draw the chance of a rump from every place as a heat map, with the best ways from the starts.

    With `without`, the same table without a piece, the map shows what the piece adds: red where it helps.
    """
    canvas = Canvas(ground)
    canvas.table("#ffffff")
    side = worth.grid * SCALE
    lacking = dict(_squares(without)) if without is not None else {}
    for (x, y), chance in _squares(worth):
        if without is None:
            colour, says = blend(float(chance)), f"{chance} = {float(chance):.3f}"
        else:
            gain = float(chance - lacking.get((x, y), chance))
            colour, says = blend(0.5 + gain, (WORST, EVEN, BEST)), f"{gain:+.3f}"
        at = f'x="{number(canvas.x(x) - side / 2)}" y="{number(canvas.y(y) - side / 2)}"'
        canvas.add(f'<rect {at} width="{number(side)}" height="{number(side)}" fill="{colour}">'
                   f"<title>({x / UNITS:g}, {y / UNITS:g}): {says}</title></rect>")  # fmt: skip
    for piece in ground.pieces:
        outlines = piece.levels if piece.thing == Thing.LEVEL else (piece.outline,)
        for outline in outlines:
            if outline.form == Form.LINE:
                canvas.piece(piece)
            else:
                canvas.shape(outline, "none", INK, piece.name)
    for k, start in enumerate(worth.starts):
        canvas.line(
            (start.point, *start.via, ground.pig), SEATS[k % len(SEATS)], 2, "4 3", f"best way of start {k + 1}"
        )
    _figures(canvas, base, pig)
    _key(canvas, worth, without)
    return canvas.svg(f"The table {ground.title}: the chance of a rump from every place")


def _key(canvas: Canvas, worth: Worth, without: Worth | None) -> None:
    x, y = canvas.size + 4, MARGIN + 12
    canvas.words(x, y, canvas.ground.title, 15)
    legs = "straight ways" if worth.legs == 1 else "ways with one turn"
    lines = [f"best of {legs}"]
    if without is None:
        lines += [f"mean chance {float(worth.mean):.3f}", f"difficulty {float(worth.difficulty):.3f}"]
        lines += [f"start {k + 1}: {float(start.chance):.3f}" for k, start in enumerate(worth.starts)]
        shades = [(f"{share:g}", blend(share)) for share in (0, 0.25, 0.5, 0.75, 1)]
    else:
        lines += ["with it less without it:", f"mean {float(worth.mean - without.mean):+.4f}"]
        shades = [(f"{gain:+g}", blend(0.5 + gain, (WORST, EVEN, BEST))) for gain in (-0.5, -0.25, 0, 0.25, 0.5)]
    for line in lines:
        y += 18
        canvas.words(x, y, line, 12)
    for text, colour in shades:
        y += 18
        canvas.add(
            f'<rect x="{number(x)}" y="{number(y - 11)}" width="22" height="14" fill="{colour}" stroke="{RIM}"/>'
        )
        canvas.words(x + 28, y, text, 12)
