"""Dice by address: known answers, no two addresses with one draw, and every field put to statistical tests.

Each p value is two-sided and has to stay above 1e-6. The fast checks make 223 of them, the slow
battery 88, so that on fresh seeds one run in 3,000 would raise a false alarm; the seeds are fixed, so that
a failure means changed code and not bad luck.
"""

import hashlib
import tomllib
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from simkit.core.dice import parse
from simkit.core.dicetable import dice_table
from simkit.core.rng import DICE_VERSION, draw, make_key, mix, stream

CASES = tomllib.loads((Path(__file__).parent / "cases" / "rng.toml").read_text(encoding="utf-8"))
RARE = 1e-6

WORD = 2**64
U = np.uint64
BITS = {"trial": 63, "time": 32, "seat": 8, "purpose": 8, "i": 16}
SHIFT = {"time": 32, "seat": 24, "purpose": 16, "i": 0}
PLACE = {"trial": 9, "time": 3, "seat": 1, "purpose": 2, "i": 0}
KEYED = {"seed": 64, "replication": 16}
TWO_DICE = np.asarray(dice_table(parse("2d6")).bounds)[:10]
TWO_DICE_WAYS = np.array([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])


# The same bits twice over: in plain whole numbers, and for arrays.


def plain_mix(z, tweak=0):
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) % WORD ^ tweak
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) % WORD
    return z ^ z >> 31


def plain_key(seed, replication):
    text = f"simkit dice 1 seed {seed} replication {replication}"
    digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


def plain_draw(stream, tweak, time, seat, purpose, i):
    address = time * 2**32 + seat * 2**24 + purpose * 2**16 + i
    return plain_mix((stream + address * 0x9E3779B97F4A7C15) % WORD, tweak)


def mixes(z, tweak):
    z = (z ^ z >> U(30)) * U(0xBF58476D1CE4E5B9) ^ tweak
    z = (z ^ z >> U(27)) * U(0x94D049BB133111EB)
    return z ^ z >> U(31)


def draws(keys, **place):
    """Draw for whole arrays of addresses; `keys` are the two words of a key, or two arrays of words."""
    at = {name: np.atleast_1d(np.asarray(place.get(name, PLACE[name]), U)) for name in PLACE}
    address = at["time"] << U(32) | at["seat"] << U(24) | at["purpose"] << U(16) | at["i"]
    golden = U(0x9E3779B97F4A7C15)
    word, tweak = (np.atleast_1d(k) for k in keys)
    return mixes(mixes(word + at["trial"] * golden, U(0)) + address * golden, tweak)


def keys_of(field, numbers):
    """Make the keys of many seeds or replications, as two arrays of words."""
    made = [make_key(n) if field == "seed" else make_key(1, n) for n in numbers]
    return np.array(made, U).T


def sequence(field, start, count, keys=None):
    """Draw along one field, in the order of a game that counts it up fastest and starts a trial when it is used up."""
    j = np.arange(start, start + count, dtype=U)
    if keys is not None:
        size = U(keys.shape[1])
        return draws(keys[:, (j % size).astype(np.int64)], trial=j // size)
    if field == "throws":
        return draws(make_key(1), trial=j >> U(3), time=j >> U(1) & U(3), purpose=j & U(1))
    if field == "trial":
        return draws(make_key(1), trial=j)
    return draws(make_key(1), **{"trial": j >> U(BITS[field]), field: j & U(2 ** BITS[field] - 1)})


def two_sided(low, high):
    return min(1.0, 2 * min(low, high))


def chi_square(counts, shares):
    expected = counts.sum() * np.asarray(shares, float).ravel() / np.sum(shares)
    assert expected.min() >= 20
    value = ((counts.ravel() - expected) ** 2 / expected).sum()
    freedom = expected.size - 1
    return two_sided(stats.chi2.cdf(value, freedom), stats.chi2.sf(value, freedom))


def g_test(counts, shares):
    expected = counts.sum() * np.asarray(shares, float) / np.sum(shares)
    assert expected.min() >= 20
    p = stats.power_divergence(counts, expected, lambda_="log-likelihood").pvalue
    return two_sided(1 - p, p)


def two_dice(bits):
    return np.searchsorted(TWO_DICE, bits)


# Known answers


@pytest.mark.parametrize("case", CASES["keys"], ids=lambda c: f"{c['seed']}/{c['replication']}")
def test_known_keys(case):
    seed, replication = int(case["seed"], 16), case["replication"]
    words = int(case["stream"], 16), int(case["tweak"], 16)
    assert make_key(seed, replication) == words
    assert plain_key(seed, replication) == words


@pytest.mark.parametrize("case", CASES["draws"], ids=lambda c: "-".join(str(v) for v in list(c.values())[:-1]))
def test_known_draws(case):
    key = make_key(int(case["seed"], 16), case["replication"])
    place = {name: case[name] for name in ("time", "seat", "purpose", "i")}
    known = int(case["bits"], 16)
    assert int(draw(U(stream(key.stream, case["trial"])), key.tweak, **place)) == known
    word = plain_mix((int(key.stream) + case["trial"] * 0x9E3779B97F4A7C15) % WORD)
    assert plain_draw(word, int(key.tweak), **place) == known
    assert draws(key, trial=case["trial"], **place) == known


def test_known_answers_reach_every_end_of_every_field():
    assert CASES["dice_version"] == DICE_VERSION
    for name, bits in BITS.items():
        found = {case[name] for case in CASES["draws"]}
        assert {0, 2**bits - 1} <= found, name


def test_finaliser_equals_the_plain_one():
    words = np.random.default_rng(1).integers(0, WORD, 2000, U, endpoint=False)
    for word in [U(0), U(1), U(WORD - 1), *words]:
        assert int(mix(word)) == plain_mix(int(word))


def test_arrays_draw_the_same_bits():
    rng = np.random.default_rng(2)
    key = make_key(3)
    place = {name: rng.integers(0, 2**bits, 2000, U) for name, bits in BITS.items()}
    expected = draws(key, **place)
    for k in range(2000):
        at = {name: int(values[k]) for name, values in place.items()}
        word = U(stream(key.stream, at.pop("trial")))
        assert draw(word, key.tweak, **at) == expected[k]


# No two addresses share a draw: every step of the hash can be undone


def undo_xor_shift(z, n):
    """Find x in ``z = x ^ x >> n``: the top n bits are plain, each further piece needs the one above."""
    x = z
    for _ in range(64 // n):
        x = z ^ x >> n
    return x


def undo_mix(z, tweak=0):
    z = undo_xor_shift(z, 31) * pow(0x94D049BB133111EB, -1, WORD) % WORD
    z = (undo_xor_shift(z, 27) ^ tweak) * pow(0xBF58476D1CE4E5B9, -1, WORD) % WORD
    return undo_xor_shift(z, 30)


def test_a_draw_tells_its_address():
    """Within a trial all addresses inside the limits have different draws, and at one address all trials have."""
    rng = np.random.default_rng(3)
    ends = [dict(zip(SHIFT, at, strict=True)) for at in product(*((0, 2 ** BITS[n] - 1) for n in SHIFT))]
    inner = [{n: int(rng.integers(0, 2 ** BITS[n])) for n in SHIFT} for _ in range(500)]
    unit = pow(0x9E3779B97F4A7C15, -1, WORD)
    for place in ends + inner:
        key = make_key(int(rng.integers(0, WORD, dtype=U)))
        trial = int(rng.integers(0, 2**63))
        word = U(stream(key.stream, trial))
        bits = int(draw(word, key.tweak, **place))
        address = (undo_mix(bits, int(key.tweak)) - int(word)) * unit % WORD
        assert {n: address >> SHIFT[n] & 2 ** BITS[n] - 1 for n in SHIFT} == place
        assert (undo_mix(int(word)) - int(key.stream)) * unit % WORD == trial


def test_keys_differ_in_both_words():
    made = keys_of("seed", range(2000)), keys_of("replication", range(2000))
    words = np.concatenate([m.ravel() for m in made])
    assert len(np.unique(words)) == len(words) - 2  # replication 0 of seed 1 is in both lists


# Uniform along every field


@pytest.mark.parametrize("field", [*BITS, *KEYED, "throws"])
def test_uniform(field):
    """Shares that are off by 3 % of themselves all over would be found in nine tests out of ten."""
    keys = keys_of(field, range(2**14)) if field in KEYED else None
    bits = sequence(field, 0, 2**18, keys)
    values = {
        "top": np.bincount((bits >> U(56)).astype(int), minlength=256),
        "low": np.bincount((bits & U(255)).astype(int), minlength=256),
    }
    found = {
        f"{part} {name}": test(counts, np.ones(256))
        for part, counts in values.items()
        for name, test in (("G", g_test), ("chi-square", chi_square))
    }
    found["2d6 G"] = g_test(np.bincount(two_dice(bits), minlength=11), TWO_DICE_WAYS)
    set_bits = [np.count_nonzero(bits >> U(b) & U(1)) for b in range(64)]
    found["each bit"] = 64 * min(
        two_sided(stats.binom.cdf(k, 2**18, 0.5), stats.binom.sf(k - 1, 2**18, 0.5)) for k in set_bits
    )
    assert min(found.values()) > RARE, found


# Avalanche: any one bit of an address changes every bit of the draw in half of all cases


def flipped(field, bit, count, spread):
    """Return the bits that change in `count` draws when one bit of a field does.

    The other fields, and the other bits of this one, are random (`spread`) or small, as in a game.
    """
    rng = np.random.default_rng([bit, count, spread])
    counter = np.arange(count, dtype=U)
    counter = counter >> U(bit) << U(bit + 1) | counter & U(2**bit - 1)  # without this bit: no pair comes twice
    if field in KEYED:
        numbers = rng.integers(0, 2 ** KEYED[field], count, U) if spread else counter
        here, there = keys_of(field, numbers.tolist()), keys_of(field, (numbers ^ U(1 << bit)).tolist())
        return draws(here) ^ draws(there)
    place = {name: rng.integers(0, 2**bits if spread else 16, count, U) for name, bits in BITS.items()}
    if not spread:
        place["trial"] = counter if field == "trial" else np.arange(count, dtype=U)
    other = place | {field: place[field] ^ U(1 << bit)}
    key = make_key(4)
    return draws(key, **place) ^ draws(key, **other)


@pytest.mark.parametrize("spread", [True, False], ids=["random", "small"])
@pytest.mark.parametrize("field", [*BITS, *KEYED])
def test_avalanche(field, spread):
    """Each of 26,911 counts, one for a pair of an address bit and a bit of the draw, has a false alarm rate of 1e-10.

    A bit that changes in 47 % of all cases, not in 50 %, would be found in nine tests out of ten.
    """
    count = 2**10 if field in KEYED else 2**14
    bound = stats.norm.isf(0.5e-10) * np.sqrt(count) / 2
    for bit in range((BITS | KEYED)[field]):
        changed = flipped(field, bit, count, spread)
        per_bit = np.unpackbits(changed.view(np.uint8).reshape(count, 8), axis=1).sum(axis=0)
        assert np.abs(per_bit - count / 2).max() < bound, (bit, per_bit)
        mean = np.bitwise_count(changed).mean()
        assert abs(mean - 32) < stats.norm.isf(0.5e-10) * 4 / np.sqrt(count), (bit, mean)


# Neighbours: a draw says nothing about the next one in any direction


def neighbours(field, step, count):
    """Draw pairs whose addresses differ by `step` in one field, over many trials."""
    j = np.arange(count, dtype=U)
    if field in KEYED:
        keys = keys_of(field, range(2**12 + step))
        first = (j % U(2**12)).astype(np.int64)
        trial = j // U(2**12)
        return draws(keys[:, first], trial=trial), draws(keys[:, first + step], trial=trial)
    key = make_key(5)
    if field == "trial":
        return draws(key, trial=j * U(2 * step)), draws(key, trial=j * U(2 * step) + U(step))
    return draws(key, trial=j), draws(key, **{"trial": j, field: PLACE[field] + step})


@pytest.mark.parametrize("field", [*BITS, *KEYED])
def test_neighbours(field):
    """A correlation of 0.013, or pairs of dice off by 3 % of their shares, would be found in nine tests out of ten."""
    found = {}
    for step in (1, 2, 8, 64, 250):
        a, b = neighbours(field, step, 2**18)
        r = np.corrcoef(a.astype(float), b.astype(float))[0, 1]
        found[step, "correlation"] = 2 * stats.norm.sf(abs(r) * 2**9)
        for name, shift in (("top", U(60)), ("low", U(0))):
            cell = (a >> shift & U(15)) << U(4) | b >> shift & U(15)
            found[step, name] = chi_square(np.bincount(cell.astype(int), minlength=256), np.ones(256))
        pair = np.bincount(11 * two_dice(a) + two_dice(b), minlength=121)
        found[step, "2d6"] = chi_square(pair, np.outer(TWO_DICE_WAYS, TWO_DICE_WAYS))
        found[step, "distance"] = chi_square(weights(a ^ b), WEIGHT_SHARES)
    assert min(found.values()) > RARE, found
    assert len(found) == 25


WEIGHT_CLASSES = [0, 27, 29, 31, 32, 33, 35, 37, 65]
WEIGHT_SHARES = np.diff(stats.binom.cdf(np.array(WEIGHT_CLASSES) - 1, 64, 0.5))


def weights(bits):
    """Count how many words have so many bits set, in the classes above."""
    return np.histogram(np.bitwise_count(bits), WEIGHT_CLASSES)[0]


# The slow battery: 2**26 draws in a row along every field

CHUNK = 2**20
CHUNKS = 64
RANKED = 8
HASHED = 16
BIRTHDAYS = 2**12


def gaps(hits):
    """Count the distances between hits, from 1 up; 130 and more are one class."""
    return np.bincount(np.minimum(np.diff(np.flatnonzero(hits)), 130), minlength=131)[1:]


GAP_SHARES = np.append((15 / 16) ** np.arange(129) / 16, (15 / 16) ** 129)


def equal_spacings(days):
    """Count equal spacings among batches of birthdays in a year of 2**32 days (Marsaglia's birthday spacings)."""
    days = np.sort(days.astype(np.uint32).reshape(-1, BIRTHDAYS), axis=1)
    spacings = np.sort(np.diff(days, axis=1), axis=1)
    return np.count_nonzero(spacings[:, 1:] == spacings[:, :-1])


def ranks(bits):
    """Count the ranks of 64 x 64 matrices over GF(2): 64, 63, 62, and less."""
    rows = bits.reshape(-1, 64).copy()
    rank = np.zeros(len(rows), int)
    for column in range(64):
        has = (rows >> U(column) & U(1)).astype(bool)
        pivot = np.take_along_axis(rows, has.argmax(axis=1)[:, None], axis=1)
        rows ^= np.where(has, pivot, U(0))
        rank += has.any(axis=1)
    return np.bincount(np.minimum(64 - rank, 3), minlength=4)


def rank_share(r):
    i = np.arange(r)
    return 2.0 ** (r * (128 - r) - 64 * 64) * np.prod((1 - 2.0 ** (i - 64)) ** 2 / (1 - 2.0 ** (i - r)))


def repeats(values):
    """Count hash collisions: values that were there before."""
    values = np.sort(values)
    return np.count_nonzero(values[1:] == values[:-1])


def battery(field):
    """Return the p values of 2**26 draws along a field (matrix ranks: the first 2**23, collisions: 2**24)."""
    keys = keys_of(field, range(CHUNK)) if field in KEYED else None
    tally = {(name, end): 0 for name in ("pairs", "gaps", "birthdays") for end in ("top", "low")}
    tally |= {"bits": np.zeros(64, int), "weights": 0, "ranks": 0}
    hashed = {"top": [], "low": []}
    for chunk in range(CHUNKS):
        bits = sequence(field, chunk * CHUNK, CHUNK, keys)
        tally["bits"] += [np.count_nonzero(bits & U(1 << b)) for b in range(64)]
        for end, down in (("top", U(56)), ("low", U(0))):
            byte = (bits >> down & U(255)).astype(int)
            tally["pairs", end] += np.bincount(byte[::2] << 8 | byte[1::2], minlength=65536)
            tally["gaps", end] += gaps(byte & (240 if end == "top" else 15) == 0)
            word = (bits >> (U(32) if end == "top" else U(0))).astype(np.uint32)
            tally["birthdays", end] += equal_spacings(word)
            if chunk < HASHED:
                hashed[end].append(word)
        quarter = np.digitize(np.bitwise_count(bits[: CHUNK // 6 * 6]), [29, 32, 35]).reshape(-1, 6)
        tally["weights"] += np.bincount(quarter @ 4 ** np.arange(6), minlength=4**6)
        if chunk < RANKED:
            tally["ranks"] += ranks(bits)
    n = CHUNK * CHUNKS
    z = (tally["bits"] - n / 2) / np.sqrt(n / 4)
    quarters = np.diff(stats.binom.cdf([-1, 28, 31, 34, 64], 64, 0.5))
    sixes = [np.prod(quarters[list(digits)]) for digits in product(range(4), repeat=6)]
    spacings = n / BIRTHDAYS * BIRTHDAYS * (BIRTHDAYS - 1) * (BIRTHDAYS - 2) / 4 / 2**32
    balls, urns = HASHED * CHUNK, 2**32
    collisions = balls + urns * np.expm1(balls * np.log1p(-1 / urns))
    full = [rank_share(r) for r in (64, 63, 62)]
    found = {
        "bits": two_sided(stats.chi2.cdf(z @ z, 64), stats.chi2.sf(z @ z, 64)),
        "weights": chi_square(tally["weights"], sixes),
        "ranks": chi_square(tally["ranks"], [*full, 1 - sum(full)]),
    }
    for end in ("top", "low"):
        found[f"pairs {end}"] = chi_square(tally["pairs", end], np.ones(65536))
        found[f"gaps {end}"] = chi_square(tally["gaps", end], GAP_SHARES)
        found[f"birthdays {end}"] = poisson(tally["birthdays", end], spacings)
        found[f"collisions {end}"] = poisson(repeats(np.concatenate(hashed[end])), collisions)
    return found


def poisson(count, mean):
    return two_sided(stats.poisson.cdf(count, mean), stats.poisson.sf(count - 1, mean))


@pytest.mark.slow
def test_battery():
    """Prints its table with ``pytest -s``."""
    table = {field: battery(field) for field in [*BITS, *KEYED, "throws"]}
    names = list(table["trial"])
    print(f"\ntwo-sided p values, 2**26 draws along each field, alarm below {RARE:g}")
    print(f"{'':>12}", *(f"{name:>14}" for name in names))
    for field, found in table.items():
        print(f"{field:>12}", *(f"{found[name]:>14.6f}" for name in names))
    values = np.array([list(found.values()) for found in table.values()])
    print(f"smallest of {values.size}: {values.min():.2g}; chance alone shows {1 / (values.size + 1):.2g} on average")
    assert values.size == 88
    assert values.min() > RARE


@pytest.mark.slow
def test_battery_finds_a_poor_generator(monkeypatch):
    """The raw counter times the golden ratio, without the finaliser, fails every test."""
    monkeypatch.setitem(globals(), "mixes", lambda z, tweak: z)
    found = battery("trial")
    assert max(found.values()) < RARE, found
