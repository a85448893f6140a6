"""Bisection over whole arrays: slow per step, but it cannot run away."""

from collections.abc import Callable

import numpy as np

from simkit.stats.checks import BoolArray, FloatArray

STEPS = 1100  # enough to reach the smallest positive double from 1; nearly every call ends after about 60


def bisect(inside: Callable[[FloatArray], BoolArray], good: FloatArray, bad: FloatArray) -> FloatArray:
    """Edge of a set between a point inside it and a point outside it, elementwise.

    Parameters
    ----------
    inside
        Maps float64 points to bool of the same shape. Along the way from ``good`` to ``bad`` it must be true up to
        one edge and false beyond it.
    good, bad
        Start points of one shape, inside and outside. ``bad`` is never tried itself.

    Returns
    -------
    float64 array
        The outermost double that is still inside.
    """
    good, bad = np.array(good, dtype=np.float64), np.array(bad, dtype=np.float64)
    for _ in range(STEPS):
        middle = 0.5 * (good + bad)
        if ((middle == good) | (middle == bad)).all():
            break
        keep = inside(middle)
        good, bad = np.where(keep, middle, good), np.where(keep, bad, middle)
    return good
