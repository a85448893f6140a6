"""Plot of divisions: how many of its seasons each entrant spends in which of them."""

from simkit.balance.league.said import titles_of
from simkit.report import stacks
from simkit.report.canvas import LINE, NARROW, WIDE, Box, Canvas, text_width, wrapped
from simkit.report.plots import Plot
from simkit.report.stacks import Part
from simkit.report.style import settings
from simkit.report.words import Document, short


def divisions(document: Document, *, narrow: bool = False) -> Plot:
    """Draw the seasons of each entrant as a bar that is parted by division, the favourite on top.

    Parameters
    ----------
    document
        What ``report.json`` holds, cleaned; it has divisions.
    narrow
        The form for a phone.
    """
    titles, found = titles_of(document), document["divisions"]
    names = [titles[row["entrant"]] for row in document["rows"]]
    width = NARROW if narrow else WIDE
    title = "Seasons in each division, in %"
    notes = wrapped("in the long run, from a fixed start; the intervals stand in the table", width)
    words = [one["name"] for one in found]
    looks = stacks.fills(words)
    step = 34.0 if narrow else 22.0
    left = 0.0 if narrow else min(max(map(text_width, names)) * 0.94 + 12, 240.0)
    top = 34 + LINE * len(notes)
    high = step * len(names)
    with settings():
        sheet = Canvas(width, top + high + 40 + stacks.key_height(width, words))
        sheet.heading(title, notes)
        frame = sheet.frame(Box(left, top, width - left - 14, high), (0.0, 1.0), (high, 0.0))
        ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
        frame.upright_grid(ticks)
        frame.below(ticks, [f"{100 * tick:.0f}" for tick in ticks])
        for k, name in enumerate(names):
            sheet.text(0, top + step * (k + (0.28 if narrow else 0.5)), short(name, 40 if narrow else int(left / 6.2)))
            shares = [one["shares"][k]["estimate"] for one in found]
            parts = [Part(f"{100 * share:.0f}", share, looks[word]) for word, share in zip(words, shares, strict=True)]
            stacks.draw(frame, step * (k + (0.74 if narrow else 0.5)), parts)
        stacks.key(sheet, top + high + 42, [(looks[word], word) for word in words])
        svg = sheet.svg()
    said = "; ".join(
        f"{name} {100 * found[0]['shares'][k]['estimate']:.0f} % in {words[0]}" for k, name in enumerate(names[:8])
    )
    return Plot("divisions", title, svg, f"Stacked bars. {title}: {said}{' and so on' if len(names) > 8 else ''}.")
