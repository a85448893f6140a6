"""Frames: which of the legal builds of a budget meet each other, and what may be said from them.

Swap lifts are means over exchanges, need and regret are maxima over builds. A frame therefore holds three kinds:
builds drawn uniformly from all, which stand for everybody; builds drawn uniformly from those with an item, each with
exchanges drawn uniformly from all there are; and strong builds, without which a maximum over builds says little. A
verdict holds for its frame, which is said in words.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simkit.balance.items.item import Item
from simkit.games.protocol import Build, Building
from simkit.stats.checks import FloatArray

LISTED = 5_000
"""Builds up to which those with an item are listed; of more they are drawn until enough have it."""

MOST_DRAWN = 20_000
"""Builds that are drawn in search of those with an item."""


class FrameError(ValueError):
    """There is no frame that could answer; the text says why."""


@dataclass(frozen=True, eq=False)
class Frame:
    """Some builds that all meet each other.

    Attributes
    ----------
    builds
        All of them, each once.
    crowd
        float64, shape ``(builds,)``: shares of those that stand for everybody.
    items
        What is judged: who has it, and the exchanges.
    instead
        For every item and exchange, what was got for it; parallel to the swaps of the item.
    says
        Sentences: what was drawn, how, and of how many.
    """

    builds: tuple[Build, ...]
    crowd: FloatArray
    items: tuple[Item, ...]
    instead: tuple[tuple[str, ...], ...]
    says: tuple[str, ...]


@dataclass(frozen=True)
class Sizes:
    """How many builds of each kind a frame holds."""

    sample: int
    holders: int
    swaps: int


class Drawer:
    """Draws builds of one budget; the same seed draws the same.

    Parameters
    ----------
    game
        Whose builds they are.
    budget, rules
        Which of them, under which rules.
    without
        Items that no build may have.
    seed
        Of the draws.
    """

    def __init__(self, game: Building, budget: int, rules: Any, without: Sequence[str], seed: int) -> None:
        self.game, self.budget, self.rules = game, budget, rules
        self.without = frozenset(without)
        self.count = game.build_count(budget, rules)
        self.rng = np.random.Generator(np.random.PCG64([seed, budget]))
        self._all: list[Build] | None = None

    def every(self) -> list[Build]:
        """List all builds that are allowed."""
        if self._all is None:
            made = (self.game.build_at(self.budget, self.rules, i) for i in range(self.count))
            self._all = [build for build in made if self.allows(build)]
        return self._all

    def allows(self, build: Build) -> bool:
        """Tell whether a build has nothing that is forbidden."""
        return not self.without.intersection(build.items)

    def some(self, wanted: int, fits: Callable[[Build], bool] = lambda build: True) -> list[Build]:
        """Draw builds uniformly from all that fit, each at most once; fewer where there are no more."""
        if self.count <= LISTED:
            there = [build for build in self.every() if fits(build)]
            return [there[int(i)] for i in self.rng.permutation(len(there))[:wanted]]
        found: dict[int, Build] = {}
        for _ in range(MOST_DRAWN):
            if len(found) == wanted:
                break
            number = below(self.rng, self.count)
            build = self.game.build_at(self.budget, self.rules, number)
            if self.allows(build) and fits(build):
                found.setdefault(number, build)
        return list(found.values())

    def exchanges(self, build: Build, item: str, wanted: int) -> list[tuple[Build, str]]:
        """Draw exchanges of an item uniformly from all there are, each at most once, with what was got for it."""
        count = self.game.swap_count(build, item, self.rules)
        found: dict[int, tuple[Build, str]] = {}
        if count <= LISTED:
            for i in self.rng.permutation(count):
                swapped = self.game.swap_at(build, item, self.rules, int(i))
                if self.allows(swapped.build):
                    found[int(i)] = (swapped.build, swapped.instead)
                if len(found) == wanted:
                    break
            return list(found.values())
        for _ in range(MOST_DRAWN):
            number = below(self.rng, count)
            swapped = self.game.swap_at(build, item, self.rules, number)
            if self.allows(swapped.build):
                found.setdefault(number, (swapped.build, swapped.instead))
            if len(found) == wanted:
                break
        return list(found.values())


def below(rng: np.random.Generator, count: int) -> int:
    """Draw a whole number below another, however large, uniformly."""
    if count <= 2**63:
        return int(rng.integers(count))
    size = (count.bit_length() + 7) // 8
    while True:
        number = int.from_bytes(rng.bytes(size), "little") >> (8 * size - count.bit_length())
        if number < count:
            return number


def drawn(drawer: Drawer, names: Sequence[str], sizes: Sizes, budget_is: str) -> Frame:
    """Draw a frame, or take all builds where there are few.

    Parameters
    ----------
    drawer
        Draws the builds.
    names
        Items that are judged.
    sizes
        How many of each kind. Where there are no more builds than a frame would hold, all play, with all exchanges.
    budget_is
        What a player calls the budget.

    Returns
    -------
    Frame

    Raises
    ------
    FrameError
        No build has an item, or all have it.
    """
    room = sizes.sample + len(names) * sizes.holders * (1 + sizes.swaps)
    of = f"all {drawer.count:,} legal builds of {budget_is} {drawer.budget}"
    if drawer.without:
        of += f" that have no {' and no '.join(sorted(drawer.without))}"
    if drawer.count <= room:
        return _all(drawer, names, of)
    crowd = drawer.some(sizes.sample)
    if len(crowd) < 2:
        raise FrameError(f"{len(crowd)} of {of} found; allowed are at least 2")
    rows = {build.name: build for build in crowd}
    swaps: dict[str, list[tuple[str, str, str]]] = {}
    for name in names:
        held = drawer.some(sizes.holders, lambda build, name=name: name in build.items)  # type: ignore[misc]
        if not held:
            raise FrameError(f"none of {of} has {name}, as far as they were looked at")
        swaps[name] = []
        for build in held:
            for other, got in drawer.exchanges(build, name, sizes.swaps):
                rows |= {build.name: build, other.name: other}
                swaps[name].append((build.name, other.name, got))
    says = (
        f"{len(crowd)} builds drawn uniformly from {of} stand for everybody",
        *(
            f"{len({a for a, _, _ in swaps[name]})} with {name}, drawn uniformly from all that have it, and "
            f"{len(swaps[name])} exchanges of it for something else of the same price, drawn uniformly from all"
            for name in names
        ),
    )
    return _framed(rows, [build.name for build in crowd], swaps, says)


def _all(drawer: Drawer, names: Sequence[str], of: str) -> Frame:
    every = drawer.every()
    rows = {build.name: build for build in every}
    swaps: dict[str, list[tuple[str, str, str]]] = {}
    for name in names:
        swaps[name] = []
        for build in every:
            if name in build.items:
                for other, got in drawer.exchanges(build, name, LISTED):
                    rows.setdefault(other.name, other)
                    swaps[name].append((build.name, other.name, got))
    return _framed(rows, [build.name for build in every], swaps, (f"{of} play, with all exchanges",))


def _framed(
    rows: Mapping[str, Build],
    crowd: Sequence[str],
    swaps: Mapping[str, Sequence[tuple[str, str, str]]],
    says: tuple[str, ...],
) -> Frame:
    builds = tuple(rows.values())
    place = {name: i for i, name in enumerate(rows)}
    shares = np.zeros(len(builds))
    shares[[place[name] for name in crowd]] = 1.0 / len(crowd)
    items = []
    for name, pairs in swaps.items():
        holders = np.array([name in build.items for build in builds])
        if holders.all() or not holders.any():
            raise FrameError(
                f"{np.count_nonzero(holders)} of {len(builds)} builds have {name}; some must, and some not"
            )
        items.append(Item(name, holders, [[place[a], place[b]] for a, b, _ in pairs]))
    instead = tuple(tuple(got for _, _, got in pairs) for pairs in swaps.values())
    return Frame(builds, shares, tuple(items), instead, says)


def joined(frame: Frame, strong: Sequence[Build], says: str) -> Frame:
    """Return a frame with further builds, which stand for nobody but themselves.

    Parameters
    ----------
    frame
        What there is.
    strong
        Builds to add; those that are there already change nothing.
    says
        What they are, in a sentence.
    """
    have = {build.name for build in frame.builds}
    new = {build.name: build for build in strong if build.name not in have}
    builds = (*frame.builds, *new.values())
    items = tuple(Item(item.name, [item.name in build.items for build in builds], item.swaps) for item in frame.items)
    crowd = np.concatenate([frame.crowd, np.zeros(len(new))])
    return replace(frame, builds=builds, crowd=crowd, items=items, says=(*frame.says, says))


def listed(builds: Sequence[Build], names: Sequence[str], swaps: Mapping[str, Sequence[Sequence[str]]]) -> Frame:
    """Return the frame of builds that a file lists; all alike stand for everybody.

    Parameters
    ----------
    builds
        Builds of one budget.
    names
        Items that are judged.
    swaps
        By item, pairs of names of builds; those of other builds are left out. An item without them goes from every
        build that has it to every one that has it not.

    Raises
    ------
    FrameError
        No build has an item, or all have it.
    """
    rows = {build.name: build for build in builds}
    found: dict[str, list[tuple[str, str, str]]] = {}
    for name in names:
        given = swaps.get(name)
        pairs = (
            [(pair[0], pair[1]) for pair in given if set(pair) <= set(rows)]
            if given is not None
            else [(a.name, b.name) for a in builds for b in builds if name in a.items and name not in b.items]
        )
        if not pairs:
            raise FrameError(f"no build with {name} has another one of its budget without it")
        found[name] = [(a, b, b) for a, b in pairs]
    says = (f"{len(builds)} builds of the file stand for everybody, all alike",)
    return _framed(rows, list(rows), found, says)
