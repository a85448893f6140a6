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

Quality
-------
*Published.* Over a plain counter the finaliser is SplitMix64. It passes BigCrush of TestU01
(https://prng.di.unimi.it/splitmix64.c), and in D. Lemire's collection
(https://github.com/lemire/testingRNG) BigCrush with four seeds on either half of its words, in plain,
bit-reversed and byte-reversed order, and 512 GB of PractRand. That does not cover addresses: counters in
other steps than the golden ratio can be poor (https://www.pcg-random.org/posts/bugs-in-splitmix.html).

*Our own measurements.* SmallCrush of TestU01 1.2.3, on the upper, the lower and the bit-reversed upper
half of the words: all tests passed for a plain counter, for one address in trial after trial, for eight
draws in each trial, and for the first draw under 1,024 keys. PractRand 0.94 on 8 GB: nothing suspicious for
eight draws in each trial (least p value 1.6e-5 of 294) or for one address in trial after trial; a plain
counter showed one p value of 5.6e-7 among some 2,000 of seven runs, and none under two other seeds.
``tests/test_rng.py`` puts each of trial, time, seat, purpose, i, seed and replication to tests of
uniformity, avalanche (each bit of an address against each bit of a draw) and neighbours, and 2**26 draws
in a row to tests of bits, pairs, gaps, birthday spacings, weights, matrix ranks and collisions; some
of these were run once on 2**28 draws. The least of 88 p values was 0.011, as chance has it.

*Known limits.* Not for secrets: a reader of a few draws can compute the key. No draw comes twice within a
trial, nor at one address in all trials, because both maps can be undone; chance would show a first
repeat after some 2**32 draws (https://www.pcg-random.org/posts/birthday-test.html). Under one key the streams of
two trials may overlap, so that one shows draws of the other at shifted addresses: about T**2 L / 2**64
pairs of T trials with L addresses each, 5 pairs in 10**9 trials with 100, and a few times more where several
fields vary. Keys must come from :func:`~simkit.core.key.make_key`: the tweak enters half-way, so that tweaks
which differ in a single bit, under one stream, would give related draws.

*Not done yet.* BigCrush on these draws, and PractRand on 256 GB or more of them.
"""

import numpy as np

from simkit.core.jit import rule
from simkit.core.key import DICE_VERSION as DICE_VERSION
from simkit.core.key import Key as Key
from simkit.core.key import make_key as make_key

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_A = np.uint64(0xBF58476D1CE4E5B9)
MIX_B = np.uint64(0x94D049BB133111EB)
S16, S24, S27, S30, S31, S32 = (np.uint64(n) for n in (16, 24, 27, 30, 31, 32))


@rule
def mix(z: np.uint64) -> np.uint64:
    """Scramble 64 bits (the SplitMix64 finaliser); a bijection."""
    z = np.uint64(z)
    z = (z ^ (z >> S30)) * MIX_A
    z = (z ^ (z >> S27)) * MIX_B
    return z ^ (z >> S31)


@rule
def stream(key: np.uint64, trial: int) -> np.uint64:
    """Return the stream of one trial: computed once, then handed to every draw of it.

    Python gets it as a plain int from compiled code; hand it on as ``np.uint64(stream(...))``.
    """
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
