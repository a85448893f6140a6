"""The plots of a report, one function a figure, each from the document alone.

Every function returns an SVG file as text. ``narrow=True`` gives the form for a phone: the same numbers on a sheet less
than half as wide, so that the letters keep their size.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from simkit.report import averages as _averages
from simkit.report import curves as _curves
from simkit.report import damage as _damage
from simkit.report import edges as _edges
from simkit.report import ends as _ends
from simkit.report import forest as _forest
from simkit.report import heatmap as _heatmap
from simkit.report import length as _length
from simkit.report import profile as _profile
from simkit.report import skill as _skill
from simkit.report import tornado as _tornado
from simkit.report import winrates as _winrates
from simkit.report.style import settings
from simkit.report.told import Table
from simkit.report.words import Document, cleaned

_FIRST = (("averages", _averages),)
_PLAIN = (("forest", _forest), ("curves", _curves), ("heatmap", _heatmap), ("outcomes", _profile))
_LAST = (("tornado", _tornado),)
_TOLD = (
    ("skill", _skill),
    ("winrates", _winrates),
    ("ends", _ends),
    ("length", _length),
    ("edges", _edges),
    ("damage", _damage),
)


class Plot(NamedTuple):
    """A finished plot."""

    name: str
    """Stem of its file."""
    title: str
    svg: str
    alt: str
    """What it shows, in words, for those who cannot see it."""
    section: str = ""
    """Heading above it on the page; empty where its title is enough."""
    says: Sequence[str] = ()
    """What it shows, in paragraphs."""
    table: Table | None = None
    """Its numbers, where no other table has them."""


def forest(document: Document, *, narrow: bool = False) -> str:
    """Draw the judged value of every cell with its simultaneous interval, and the line and band it is held against.

    Differences from the baseline where there is one, else the report metric itself. What is not resolved is hollow. Of
    more than 60 cells the 40 most extreme are shown, and the plot says so.

    Parameters
    ----------
    document
        What ``report.json`` holds.
    narrow
        The form for a phone.

    Returns
    -------
    str
        An SVG file.
    """
    with settings():
        return _forest.draw(cleaned(document), narrow)


def curves(document: Document, *, narrow: bool = False) -> str:
    """Draw the report metric along an axis of the sweep: exact values as lines, played ones as points with intervals.

    An axis of numbers runs along the bottom if there is one; the baseline and what is compared with it are lines of
    their own; a further axis becomes small panels.

    Parameters
    ----------
    document, narrow
        As in :func:`forest`.

    Raises
    ------
    ValueError
        Nothing varies in this document.
    """
    with settings():
        return _curves.draw(cleaned(document), narrow)


def heatmap(document: Document, *, narrow: bool = False) -> str:
    """Draw two axes of words as a table of colours with its numbers; what is not resolved is hatched.

    Parameters
    ----------
    document, narrow
        As in :func:`forest`.

    Raises
    ------
    ValueError
        The document is not a grid of two axes (see :func:`simkit.report.heatmap.fits`).
    """
    with settings():
        return _heatmap.draw(cleaned(document), narrow)


def outcomes(document: Document, *, narrow: bool = False) -> str:
    """Draw every outcome that is a share, for documents of one or two cells.

    Parameters
    ----------
    document, narrow
        As in :func:`forest`.

    Raises
    ------
    ValueError
        The document has more than two cells.
    """
    with settings():
        return _profile.draw(cleaned(document), narrow)


def tornado(document: Document, *, narrow: bool = False) -> str:
    """Draw how far other readings of the rules move the answer, the widest on top, with what becomes of the verdict.

    Parameters
    ----------
    document, narrow
        As in :func:`forest`.

    Raises
    ------
    ValueError
        No other reading was played, or none changes anything.
    """
    with settings():
        return _tornado.draw(cleaned(document), narrow)


def available(document: Document, *, narrow: bool = False) -> list[Plot]:
    """Draw the plots that fit a document.

    Parameters
    ----------
    document, narrow
        As in :func:`forest`.

    Returns
    -------
    list of Plot
        ``averages`` where the verdict has some, ``forest`` always; ``curves``, ``heatmap`` and ``outcomes`` where the
        sweep gives them something to show. Of battles between two sides ``skill``, ``winrates``, ``ends``, ``length``,
        ``edges`` and ``damage`` too. Last ``tornado``, where other readings of the rules were played.

    Examples
    --------
    >>> [plot.name for plot in available(document)]  # doctest: +SKIP
    ['forest', 'curves']
    """
    shown = cleaned(document)
    with settings():
        plain, last = (
            [
                Plot(name, room.title(shown), room.draw(shown, narrow), room.alt(shown))
                for name, room in rooms
                if room.fits(shown)
            ]
            for rooms in (_PLAIN, _LAST)
        )
        first, battles = (
            [_told(shown, name, room, narrow) for name, room in rooms if room.fits(shown)] for rooms in (_FIRST, _TOLD)
        )
        return [*first, *plain, *battles, *last]


def _told(shown: Document, name: str, room: Any, narrow: bool) -> Plot:
    """Draw a plot that comes with sentences and a table."""
    drawn = room.title(shown), room.draw(shown, narrow), room.alt(shown)
    return Plot(name, *drawn, room.section(shown), room.says(shown), room.table(shown))


def told(document: Document) -> list[tuple[str, Sequence[str]]]:
    """Return what the plots that come with sentences say, by section, without drawing them.

    Parameters
    ----------
    document
        What ``report.json`` holds.
    """
    shown = cleaned(document)
    return [(room.section(shown), room.says(shown)) for _, room in (*_FIRST, *_TOLD) if room.fits(shown)]
