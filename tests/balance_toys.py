"""Toy games of building: builds with known scores, played with dice that any seed repeats."""

import numpy as np

from simkit.balance.items.case import measured
from simkit.balance.items.frames import Frame
from simkit.balance.items.item import Item
from simkit.balance.items.power import measure_exact
from simkit.games.protocol import Build


class ToyContest:
    """Plays builds whose chances are known, in place of the kernels of a game."""

    def __init__(self, chances, seed=1):
        self.chances, self.seed, self.units = np.asarray(chances), seed, 0

    def scores(self, pairs, first, end, batches, *, replication=0):
        """Return mean scores by batch, the same for the same dice."""
        each = (end - first) // batches
        assert each * batches == end - first
        found = np.empty((len(pairs), batches))
        for k, (a, b) in enumerate(pairs):
            i, j = int(a.name[1:]), int(b.name[1:])
            rng = np.random.default_rng([self.seed, replication, first, end, min(i, j), max(i, j)])
            wins = rng.binomial(each, self.chances[min(i, j), max(i, j)], batches) / each
            found[k] = wins if i < j else 1 - wins
        self.units += len(pairs) * (end - first)
        return found


def build(place, items=()):
    return Build(f"b{place}", 1, tuple(items), {})


def builds_of(holders, name="x"):
    return tuple(build(i, [name] if held else []) for i, held in enumerate(holders))


def frame_of(holders, swaps=(), crowd=None, name="x"):
    """Return a frame of builds, all of whom stand for everybody unless a crowd is given."""
    held = np.asarray(holders, bool)
    shares = np.full(held.size, 1 / held.size) if crowd is None else np.asarray(crowd, float)
    item = Item(name, held, swaps)
    instead = tuple("something else" for _ in item.swaps)
    return Frame(builds_of(held, name), shares, (item,), (instead,), ("a toy",))


def toy_case(chances, frame, trials, seed=1, level=0.9, delta=0.02, pool=(), strongest=0, **more):
    """Play a case of a toy."""
    contest = ToyContest(chances, seed)
    return measured(
        contest,
        frame,
        pool,
        strongest=strongest,
        trials=trials,
        level=level,
        delta=delta,
        says=lambda tried: f"the {strongest} strongest of {tried}",
        **more,
    )


def truth(chances, frame, field):
    """Return lift, need and regret of the only item as they are, against a given field."""
    matrix = np.asarray(chances, float)
    item = frame.items[0]
    exact = measure_exact(matrix, [item], crowd=frame.crowd).powers[0]
    gaps = item.weights() @ matrix
    lost = 0.5 - matrix @ field
    return {
        "lift_uniform": exact.lift_uniform.estimate,
        "lift_field": float(gaps @ field),
        "need": exact.need.estimate,
        "regret": max(0.0, float(lost[item.holders].min())),
    }
