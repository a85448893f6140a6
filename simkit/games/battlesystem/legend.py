"""What the marks of a picture mean, written below it."""

from collections.abc import Set

from simkit.games.battlesystem import draw
from simkit.games.battlesystem.draw import INK, MARGIN, MUTED, TEXT_SIZE, WIDE, Sheet
from simkit.games.battlesystem.kinds import Formation
from simkit.games.battlesystem.staging import Cast

SIZE = 8.0
ORDERS = {
    Formation.CLOSED: "closed",
    Formation.OPEN: "open order",
    Formation.SKIRMISH: "skirmishers",
    Formation.MOB: "mob",
}


def legend(sheet: Sheet, cast: Cast, drawn: Set[str]) -> None:
    """Write what every kind of mark that was drawn means."""
    sheet.height += 10
    x, y = MARGIN, sheet.height + 8
    for sign, width, words in _entries(cast, drawn):
        room = width + 6 + draw.wide(words) + 10
        if x > MARGIN and x + room > WIDE - MARGIN:
            x, y = MARGIN, y + 20
        sheet.add(f'<g transform="translate({x:.1f},{y:.1f})">{sign}</g>')
        sheet.add(draw.text_at(x + width + 6, y + TEXT_SIZE * 0.36, words, TEXT_SIZE, MUTED))
        x += room
    sheet.height = y + 10


def _entries(cast: Cast, drawn: Set[str]) -> list[tuple[str, float, str]]:
    """Return the signs with their widths, centred at height 0, and what they mean."""
    found = []
    for side, name in enumerate(cast.sides):
        if f"stands{side}" in drawn:
            found.append((draw.figure(0, -SIZE / 2, SIZE, side, Formation.CLOSED, "stands"), SIZE, f"figure, {name}"))
    for state, words in (("falls", "lost this round"), ("fell", "lost before")):
        if state in drawn:
            found.append((draw.figure(0, -SIZE / 2, SIZE, 0, Formation.CLOSED, state), SIZE, words))
    side = 0 if "stands0" in drawn else 1
    for order, words in ORDERS.items():
        if f"order{int(order)}" in drawn:
            found.append((_order(order, side), 26.0, words))
    signs = {
        "wall": (draw.line((4, -8), (4, 8), INK, 3), 8.0, "shield wall"),
        "set": (draw.spikes(0, (-5, 0, 5), 1), 10.0, "set spears or pikes"),
        "move": (draw.arrow((0, 0), (26, 0), INK, 1.2), 26.0, "move"),
        "charge": (draw.arrow((0, 0), (26, 0), INK, 3), 26.0, "charge"),
        "rout": (draw.arrow((26, 0), (0, 0), INK, 2), 26.0, "rout"),
        "shot": (draw.line((0, 0), (26, 0), INK, 1.4, "1.5 3.5"), 26.0, "missiles"),
        "contact": (draw.arc((2, -8), (2, 8)), 14.0, "contact across slots"),
        "barrier": (_feature(""), 6.0, "barrier"),
        "ditch": (_feature("4 3"), 6.0, "ditch"),
    }
    return found + [sign for name, sign in signs.items() if name in drawn]


def _order(order: Formation, side: int) -> str:
    """Return three files of two figures in some order."""
    size, apart = 4.0, draw.SPACING[order] * 4.0
    shift = 1.8 if order == Formation.MOB else 0.0
    cells = [(r * apart, (f - 1) * apart - size / 2 + shift * r) for r in range(2) for f in range(3)]
    return "".join(draw.figure(x, y, size, side, order, "stands") for x, y in cells)


def _feature(dashes: str) -> str:
    return draw.line((1, -8), (1, 8), MUTED, 1.2, dashes) + draw.line((4, -8), (4, 8), MUTED, 1.2, dashes)
