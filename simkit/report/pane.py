"""A box of a sheet with scales of its own, to which lines, areas and patches are added.

It has the methods of matplotlib's axes that the plots here use, under the same names. Axes without their ticks would
do, but to make one takes as long as to draw what lies in it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle
from matplotlib.transforms import Affine2D, Bbox

UNDER = 0.1
"""Factor that puts everything in a pane below the sheet's own lines and words, in its own order."""


class Pane:
    """A box of a figure in which numbers have their places; what reaches beyond it is cut off.

    Parameters
    ----------
    figure
        Whose unit is one pixel (72 dots an inch).
    left, bottom, width, height
        The box in pixels, from the lower left corner of the figure.
    across, down
        Numbers at its left and right ends, and at its lower and upper ones.
    """

    def __init__(
        self,
        figure: Figure,
        left: float,
        bottom: float,
        width: float,
        height: float,
        across: tuple[float, float],
        down: tuple[float, float],
    ) -> None:
        self._figure, self._across, self._down = figure, across, down
        self._box = Bbox.from_bounds(left, bottom, width, height)
        wide, high = width / (across[1] - across[0]), height / (down[1] - down[0])
        self._places = Affine2D().translate(-across[0], -down[0]).scale(wide, high).translate(left, bottom)

    def add_artist(self, artist: Artist, *, clip_on: bool = True) -> None:
        """Add something whose coordinates are numbers of the pane."""
        artist.set_transform(self._places)
        artist.set_zorder(artist.get_zorder() * UNDER)
        if clip_on:
            artist.set_clip_box(self._box)
        self._figure.add_artist(artist)

    def add_collection(self, collection: LineCollection | PolyCollection, autolim: bool = False) -> None:
        """Add many lines or areas at once; the limits of a pane are fixed, whatever is asked for."""
        self.add_artist(collection)

    def plot(self, xs: Sequence[float], ys: Sequence[float], *, clip_on: bool = True, **look: Any) -> None:
        """Draw a line through points, or a mark at each."""
        self.add_artist(Line2D(xs, ys, **look), clip_on=clip_on)

    def fill_between(self, xs: Sequence[float], low: Any, high: Any, **look: Any) -> None:
        """Fill what lies between two lines, given by their heights, or one height for all."""
        along = np.asarray(xs, float)
        below, above = np.broadcast_to(low, along.shape), np.broadcast_to(high, along.shape)
        around = np.column_stack([np.r_[along, along[::-1]], np.r_[below, above[::-1]]])
        self.add_artist(Polygon(around, closed=True, **look))

    def fill_betweenx(self, ys: Sequence[float], low: float, high: float, **look: Any) -> None:
        """Fill a rectangle from one number to another along the bottom, between two heights."""
        self.add_artist(Rectangle((low, ys[0]), high - low, ys[-1] - ys[0], **look))

    def axvspan(self, low: float, high: float, **look: Any) -> None:
        """Fill what lies between two numbers along the bottom, from the lower end to the upper."""
        self.fill_betweenx(self._down, low, high, **look)

    def axhspan(self, low: float, high: float, **look: Any) -> None:
        """Fill what lies between two heights, from the left end to the right."""
        self.fill_betweenx((low, high), *self._across, **look)
