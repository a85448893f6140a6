"""The key that all dice of a run hang on, and the version of the dice.

The draws themselves are in :mod:`simkit.core.rng`; nothing here is compiled, so that an experiment can be
checked and planned without numba.
"""

import hashlib
from typing import NamedTuple

import numpy as np

DICE_VERSION = 1
"""Changes when the bits at an address, or the way dice are read from them, change."""


class Key(NamedTuple):
    """Two secret-free words that seed one replication of an experiment."""

    stream: np.uint64
    tweak: np.uint64


def make_key(seed: int, replication: int = 0) -> Key:
    """Derive the two key words from a seed and a replication number.

    Neither the variant, the cell nor the game enters, so that all cells of a sweep share their dice.

    Parameters
    ----------
    seed
        Any whole number from 0 to 2**64 - 1.
    replication
        0 for the run itself, 1, 2, ... for confirmations on fresh dice.

    Examples
    --------
    >>> make_key(1) == make_key(1), make_key(1) == make_key(2)
    (True, False)
    """
    text = f"simkit dice {DICE_VERSION} seed {seed} replication {replication}"
    digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
    words = np.frombuffer(digest, "<u8")
    return Key(np.uint64(words[0]), np.uint64(words[1]))
