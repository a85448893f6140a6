"""Absorbing chains: textbook answers, loops of every kind, and random chains against one plain linear system."""

import doctest
from fractions import Fraction
from functools import partial
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.core import chain
from simkit.core.chain import absorb
from simkit.core.dice import parse, pmf

HALF = Fraction(1, 2)


def walk(p, top, at):
    """Win a coin with chance p or lose one, until there are none or `top`."""
    return {at + 1: p, at - 1: 1 - p} if 0 < at < top else {}


# Textbook answers


@pytest.mark.parametrize(("p", "start", "top"), [(Fraction(49, 100), 10, 20), (Fraction(2, 3), 1, 7), (HALF, 3, 8)])
def test_gamblers_ruin(p, start, top):
    """Feller, *An Introduction to Probability Theory and Its Applications* I, chapter XIV."""
    solved = absorb({start: Fraction(1)}, partial(walk, p, top))
    q = 1 - p
    win = Fraction(start, top) if p == q else (1 - (q / p) ** start) / (1 - (q / p) ** top)
    length = start * (top - start) if p == q else (start - top * win) / (q - p)
    assert solved.visits[top] == win
    assert solved.visits[0] == 1 - win
    assert sum(solved.visits[at] for at in range(1, top)) == length
    assert solved.trapped == {}


def test_gamblers_ruin_in_figures():
    assert float(absorb({10: Fraction(1)}, partial(walk, Fraction(49, 100), 20)).visits[20]) == pytest.approx(
        0.4012995230, abs=5e-11
    )
    fair = absorb({10: Fraction(1)}, partial(walk, HALF, 20)).visits
    assert sum(fair[at] for at in range(1, 20)) == 100


@pytest.mark.parametrize(("target", "crash"), [(11, 0.3681240527), (12, 0.1132402468)])
def test_ten_rolls(target, crash):
    """Ten rolls of 3d6 up to a target: a miss costs one of three levels, a margin of 4 wins one back."""
    dice = pmf(parse("3d6"))

    def follow(state):
        rolls, level = state
        found = {}
        for total, chance in dice.items() if rolls < 10 and level >= 0 else ():
            after = level - 1 if total > target else min(3, level + 1) if total <= target - 4 else level
            found[rolls + 1, after] = found.get((rolls + 1, after), 0) + chance
        return found

    visits = absorb({(0, 3): Fraction(1)}, follow).visits
    ends = {state: chance for state, chance in visits.items() if state[0] == 10 or state[1] < 0}
    assert sum(ends.values()) == 1
    assert float(sum(c for (_, level), c in ends.items() if level < 0)) == pytest.approx(crash, abs=5e-11)
    if target == 11:
        levels = [float(ends[10, level]) for level in range(4)]
        assert levels == pytest.approx([0.15822788, 0.19772289, 0.16850454, 0.10742063], abs=5e-9)


# Loops


@pytest.mark.parametrize("stay", [Fraction(0), Fraction(1, 6), Fraction(35, 36)])
def test_geometric_loop(stay):
    solved = absorb({"try": Fraction(1)}, lambda s: {"try": stay, "done": 1 - stay} if s == "try" else {})
    assert solved.visits == {"try": 1 / (1 - stay), "done": 1}


def test_two_cycle():
    """Two players in turn until one of them hits: who begins hits with p / (1 - q * r)."""
    p, r = Fraction(1, 3), Fraction(3, 4)
    follow = {"a": {"a hits": p, "b": 1 - p}, "b": {"b hits": 1 - r, "a": r}}
    visits = absorb({"a": Fraction(1)}, lambda s: follow.get(s, {})).visits
    times = 1 / (1 - (1 - p) * r)
    assert visits == {"a": times, "b": times * (1 - p), "a hits": times * p, "b hits": times * (1 - p) * (1 - r)}


def test_a_chain_of_loops():
    def follow(k):
        return {k: HALF, k + 1: HALF} if k < 3000 else {}

    visits = absorb({0: Fraction(1)}, follow).visits
    assert set(visits.values()) == {1, 2}
    assert visits[3000] == 1


def test_start_may_be_many_states_or_the_end():
    start = {1: Fraction(1, 4), 2: Fraction(1, 4), 3: HALF}
    visits = absorb(start, partial(walk, HALF, 3)).visits
    assert visits[3] == HALF + Fraction(1, 4) * Fraction(1, 3) + Fraction(1, 4) * Fraction(2, 3)
    assert absorb({0: Fraction(1)}, partial(walk, HALF, 3)).visits == {0: 1}
    assert absorb({}, partial(walk, HALF, 3)).visits == {}


# Loops without a way out


def test_trapped_in_one_state():
    follow = {"ride": {"stuck": Fraction(1, 3), "home": Fraction(2, 3)}, "stuck": {"stuck": Fraction(1)}}
    solved = absorb({"ride": Fraction(1)}, lambda s: follow.get(s, {}))
    assert solved.visits == {"ride": 1, "home": Fraction(2, 3)}
    assert solved.trapped == {"stuck": Fraction(1, 3)}


def test_trapped_in_a_ring():
    follow = {
        "ride": {"x": Fraction(1, 6), "y": Fraction(1, 6), "ride": Fraction(1, 3), "home": Fraction(1, 3)},
        "x": {"y": Fraction(1)},
        "y": {"z": Fraction(1)},
        "z": {"x": HALF, "y": HALF},
    }
    solved = absorb({"ride": Fraction(1)}, lambda s: follow.get(s, {}))
    assert solved.visits == {"ride": Fraction(3, 2), "home": HALF}
    assert list(solved.trapped.values()) == [HALF]
    assert set(solved.trapped) < {"x", "y", "z"}


def test_a_way_out_with_chance_zero_is_none():
    follow = {"x": {"y": Fraction(1), "home": Fraction(0)}, "y": {"x": Fraction(1)}}
    solved = absorb({"x": Fraction(1)}, lambda s: follow.get(s, {}))
    assert solved.visits == {}
    assert list(solved.trapped.values()) == [1]


def test_a_trap_nobody_enters_is_not_listed():
    solved = absorb({"a": Fraction(1), "b": Fraction(0)}, lambda s: {s: Fraction(1)} if s == "b" else {})
    assert solved.visits == {"a": 1}
    assert solved.trapped == {}


# Bad input, and how often it is asked


@pytest.mark.parametrize("total", [Fraction(5, 6), Fraction(7, 6)])
def test_chances_must_add_up(total):
    with pytest.raises(ValueError, match=f"the chances after 'a' add up to {total}, not to 1"):
        absorb({"a": Fraction(1)}, lambda s: {"b": total} if s == "a" else {})


def test_every_state_is_asked_once():
    asked = []

    def follow(at):
        asked.append(at)
        return walk(HALF, 30, at)

    absorb({15: Fraction(1)}, follow)
    assert sorted(asked) == list(range(31))


# Random chains against one linear system over all states


@st.composite
def chains(draw):
    size = draw(st.integers(1, 7))
    weights = draw(st.lists(st.lists(st.integers(0, 3), min_size=size, max_size=size), min_size=size, max_size=size))
    rows = [[Fraction(w, sum(row)) for w in row] if sum(row) else [] for row in weights]
    start = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size).filter(any))
    return [Fraction(w, sum(start)) for w in start], rows


def reached_from(rows, state):
    found, pending = set(), [state]
    while pending:
        now = pending.pop()
        if now not in found:
            found.add(now)
            pending.extend(j for j, chance in enumerate(rows[now]) if chance)
    return found


def solve_plain(matrix, right):
    """Solve a linear system by elimination, in fractions."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, len(rows)):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    found = [Fraction(0)] * len(rows)
    for i in reversed(range(len(rows))):
        known = sum(rows[i][j] * found[j] for j in range(i + 1, len(rows)))
        found[i] = (rows[i][-1] - known) / rows[i][i]
    return found


@given(chains())
def test_random_chains(made):
    start, rows = made
    asked = {i: chance for i, chance in enumerate(start) if chance}
    solved = absorb(asked, lambda s: dict(enumerate(rows[s])) if rows[s] else {})

    reach = [reached_from(rows, s) for s in range(len(rows))]
    seen = set().union(*(reach[s] for s in asked))
    ends = {s for s in seen if not rows[s]}
    loops = {s for s in seen - ends if all(s in reach[t] for t in reach[s])}
    passing = sorted(seen - ends - loops)
    system = [[Fraction(int(i == j)) - rows[j][i] for j in passing] for i in passing]
    times = dict(zip(passing, solve_plain(system, [start[i] for i in passing]), strict=True))
    enter = {s: start[s] + sum(times[t] * rows[t][s] for t in passing) for s in ends | loops}

    assert solved.visits == times | {s: enter[s] for s in ends}
    rings = {frozenset(reach[s]) for s in loops}
    entered = {ring: sum(enter[s] for s in ring) for ring in rings}
    found = {next(ring for ring in rings if s in ring): chance for s, chance in solved.trapped.items()}
    assert found == {ring: chance for ring, chance in entered.items() if chance}
    assert sum(solved.trapped.values()) + sum(enter[s] for s in ends) == 1


def test_a_large_random_chain_in_floats():
    """Forty states in one loop: the exact solution against the same system in floating point."""
    rng = np.random.default_rng(5)
    weights = rng.integers(0, 4, (40, 41))
    weights[:, -1] = 1
    rows = [[Fraction(int(w), int(row.sum())) for w in row] for row in weights]
    solved = absorb({0: Fraction(1)}, lambda s: dict(enumerate(rows[s])) if s < 40 else {})
    step = np.array(rows, float)[:, :40]
    times = np.linalg.solve(np.eye(40) - step.T, np.eye(40)[0])
    assert [float(solved.visits[s]) for s in range(40)] == pytest.approx(times.tolist())
    assert solved.visits[40] == 1


def test_examples():
    assert doctest.testmod(chain).failed == 0


# Fights of many, and duels: figures of a survey of exact methods


def volleys(chances, units):
    """Both sides fire at once; each unit that is left kills one with its side's chance."""

    def hits(count, p):
        return [comb(count, k) * p**k * (1 - p) ** (count - k) for k in range(count + 1)]

    mine, yours = units
    if not (mine and yours):
        return {}
    found = {}
    for dead_b, p in enumerate(hits(mine, chances[0])):
        for dead_a, q in enumerate(hits(yours, chances[1])):
            after = max(0, mine - dead_a), max(0, yours - dead_b)
            found[after] = found.get(after, 0) + p * q
    return found


@pytest.mark.parametrize(
    ("units", "chances", "wins", "mutual"),
    [
        ((5, 5), ("1/2", "1/2"), 0.470153614, 0.0596927719),
        ((10, 10), ("1/6", "1/6"), 0.4980344147, 0.0039311707),
        ((10, 10), ("1/3", "1/6"), 0.9451851315, 0.0019363258),
        ((10, 8), ("1/3", "1/3"), 0.8481913856, 0.0077510503),
    ],
)
def test_two_units_fire_until_one_is_gone(units, chances, wins, mutual):
    solved = absorb({units: Fraction(1)}, partial(volleys, [Fraction(p) for p in chances])).visits
    assert float(sum(solved.get((left, 0), 0) for left in range(1, units[0] + 1))) == pytest.approx(wins, abs=5e-10)
    assert float(solved[0, 0]) == pytest.approx(mutual, abs=5e-10)


def shots(chances, needs, state):
    """Take turns to shoot; `state` is who shoots, and the hits that each has."""
    shooter, hits = state
    if any(have == need for have, need in zip(hits, needs, strict=True)):
        return {}
    hit = tuple(have + (k == shooter) for k, have in enumerate(hits))
    return {(1 - shooter, hit): chances[shooter], (1 - shooter, hits): 1 - chances[shooter]}


@pytest.mark.parametrize(
    ("chances", "needs", "first_wins"),
    [
        (("1/6", "1/6"), (1, 1), "6/11"),
        (("1/2", "1/2"), (3, 3), "46/81"),
        (("5/12", "5/12"), (2, 2), "3912/6859"),
        (("1/3", "1/2"), (2, 3), "19/32"),
    ],
)
def test_who_shoots_first(chances, needs, first_wins):
    first = absorb({(0, (0, 0)): Fraction(1)}, partial(shots, [Fraction(p) for p in chances], needs)).visits
    assert sum(chance for (_, hits), chance in first.items() if hits[0] == needs[0]) == Fraction(first_wins)
