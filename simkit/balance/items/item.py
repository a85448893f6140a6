"""What is judged for balance: something that some legal builds have, and what else its price buys."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simkit.balance.equilibrium import chosen
from simkit.stats.checks import BoolArray, FloatArray, IntArray, whole


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """What is to be judged: an item, a rule option, a unit; whatever some legal builds have and others have not.

    Attributes
    ----------
    name
        What to call it.
    holders
        bool, shape ``(builds,)``: the builds that have it.
    swaps
        int64, shape ``(swaps, 2)``: positions of a build with it and of the one that it becomes when the item is
        given for something else of the same price. Empty if every build with it may become every other one without.

    Raises
    ------
    ValueError
        If all builds have the item or none, or a swap does not lead from one that has it to one that has it not.

    Examples
    --------
    >>> Item("sails", [True, False, False]).weights().tolist()
    [1.0, -0.5, -0.5]
    """

    name: str
    holders: BoolArray
    swaps: IntArray

    def __init__(self, name: str, holders: ArrayLike, swaps: ArrayLike = ()) -> None:
        held = chosen(f"holders of {name}", holders, np.size(holders))
        if held.all() or not held.any():
            found = f"{np.count_nonzero(held)} of {held.size} builds have {name}"
            raise ValueError(f"{found}; allowed are some with it and some without")
        pairs = whole(f"swaps of {name}", np.reshape(swaps, (-1, 2)) if np.size(swaps) else np.zeros((0, 2), int))
        if (pairs >= held.size).any():
            raise ValueError(f"swaps of {name} holds {pairs.max()}; allowed are positions of {held.size} builds from 0")
        if (~held[pairs[:, 0]] | held[pairs[:, 1]]).any():
            wrong = pairs[~held[pairs[:, 0]] | held[pairs[:, 1]]][0].tolist()
            raise ValueError(f"swaps of {name} holds {wrong}; allowed is from a build with it to one without")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "holders", held)
        object.__setattr__(self, "swaps", pairs)

    def pairs(self) -> IntArray:
        """Return all swaps, shape ``(swaps, 2)``: those stated, or else every one from with to without."""
        if len(self.swaps):
            return self.swaps
        with_it, without = np.flatnonzero(self.holders), np.flatnonzero(~self.holders)
        return np.stack([np.repeat(with_it, without.size), np.tile(without, with_it.size)], axis=1)

    def weights(self) -> FloatArray:
        """Return what each build counts in the lift, shape ``(builds,)``; they add to 0.

        Every build with swaps counts the same, however many swaps it has.
        """
        pairs, found = self.pairs(), np.zeros(self.holders.size)
        starts, number = np.unique(pairs[:, 0], return_counts=True)
        found[starts] = 1.0 / starts.size
        each = np.zeros(self.holders.size)
        each[starts] = 1.0 / (starts.size * number)
        np.subtract.at(found, pairs[:, 1], each[pairs[:, 0]])
        return found
