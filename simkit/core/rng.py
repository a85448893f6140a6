"""Dice by address: every draw is a pure function of who throws what, when and why.

There is no "next" random number. A draw is named by its address

    (key, trial, time, seat, purpose, i)

and its 64 bits are a hash of that address. Two rule variants that ask for the same address get the
same bits (common random numbers), a single trial can be replayed alone, and neither threads, the
size of blocks, their order nor an interrupted run can change a bit.

The generator is a two-level hash built on the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast
splittable pseudorandom number generators", OOPSLA 2014; constants "Mix13" by David Stafford): one
finaliser turns (key, trial) into a stream, a second one turns (stream, place in the trial) into the draw,
with a second key word, the tweak, mixed in between its rounds.

Stream guarantee
----------------
The bits at an address are part of simkit's contract: they change only together with
``DICE_VERSION``, which enters the fingerprint of every stored result. The known answers in
``tests/cases/rng.toml`` hold them fixed.

Not for secrets: a reader of a few draws can compute the key.
"""

import hashlib
from typing import NamedTuple

import numpy as np

from simkit.core.jit import rule

DICE_VERSION = 1
"""Changes when the bits at an address, or the way dice are read from them, change."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_A = np.uint64(0xBF58476D1CE4E5B9)
MIX_B = np.uint64(0x94D049BB133111EB)
S16, S24, S27, S30, S31, S32 = (np.uint64(n) for n in (16, 24, 27, 30, 31, 32))


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


@rule
def mix(z: np.uint64) -> np.uint64:
    """Scramble 64 bits (the SplitMix64 finaliser); a bijection."""
    z = np.uint64(z)
    z = (z ^ (z >> S30)) * MIX_A
    z = (z ^ (z >> S27)) * MIX_B
    return z ^ (z >> S31)


@rule
def stream(key: np.uint64, trial: int) -> np.uint64:
    """Return the stream of one trial: computed once, then handed to every draw of it."""
    return mix(np.uint64(key) + np.uint64(trial) * GOLDEN)


@rule
def draw(stream: np.uint64, tweak: np.uint64, time: int, seat: int, purpose: int, i: int) -> np.uint64:
    """Return the 64 bits at an address.

    Parameters
    ----------
    stream
        From :func:`stream`.
    tweak
        Second word of the key.
    time
        When, 0 to 2**32 - 1 (a turn, a segment, a place on a course).
    seat
        Who, 0 to 255.
    purpose
        Why, 0 to 255, from a game's stable list of purposes.
    i
        Which of several throws with all else alike, 0 to 65535.
    """
    address = np.uint64(time) << S32 | np.uint64(seat) << S24 | np.uint64(purpose) << S16 | np.uint64(i)
    z = np.uint64(stream) + address * GOLDEN  # in Python a stream may be a plain int, which must not become signed
    z = (z ^ (z >> S30)) * MIX_A
    z = z ^ np.uint64(tweak)
    z = (z ^ (z >> S27)) * MIX_B
    return z ^ (z >> S31)
