"""Lots of seasons: random bits by address, the same whoever asks for them, in whatever blocks.

They part entrants that are tied in everything (J-LEA-5) and choose games for seasons that are drawn (J-LEA-6). The bits
are those of Philox (Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", SC 2011), a counter-based
generator whose stream numpy holds stable.
"""

import hashlib

import numpy as np
from numpy.typing import NDArray

from simkit.core.trials import BATCHES

Bits = NDArray[np.uint64]

TIES, GAMES = "ties", "games"
"""What lots are for."""


def lots(seed: int, purpose: str, first: int, end: int, width: int) -> Bits:
    """Return random bits of seasons.

    Parameters
    ----------
    seed
        Of the experiment.
    purpose
        What they are for: other bits for other purposes.
    first, end
        The seasons ``first <= season < end``, from and up to a multiple of 256.
    width
        How many lots a season has.

    Returns
    -------
    uint64, shape (end - first, width)

    Raises
    ------
    ValueError
        The seasons are no whole blocks.

    Examples
    --------
    >>> bool((lots(1, TIES, 0, 512, 3)[256:] == lots(1, TIES, 256, 512, 3)).all())
    True
    """
    if first % BATCHES or end % BATCHES or not 0 <= first <= end:
        raise ValueError(f"seasons {first} to {end}; allowed are multiples of {BATCHES}, rising")
    text = f"simkit league lots {purpose} of {width} seed {seed}"
    key = np.frombuffer(hashlib.blake2b(text.encode(), digest_size=16).digest(), "<u8")
    found = np.empty((end - first, width), np.uint64)
    for block in range(first // BATCHES, end // BATCHES):
        bits = np.random.Philox(key=key.astype(np.uint64), counter=np.array([0, block, 0, 0], np.uint64))
        at = block * BATCHES - first
        found[at : at + BATCHES] = bits.random_raw(BATCHES * width).reshape(BATCHES, width)
    return found


def below(bits: Bits, count: int) -> NDArray[np.int64]:
    """Return whole numbers below a count of at most 2**31, all as likely as each other but for one part in 2**32.

    Examples
    --------
    >>> below(np.array([0, 2**63, 2**64 - 1], np.uint64), 6).tolist()
    [0, 3, 5]
    """
    return ((bits >> np.uint64(32)) * np.uint64(count) >> np.uint64(32)).astype(np.int64)
