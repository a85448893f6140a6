"""Which builds play: drawn uniformly, with exchanges of the same price, or all; and the strong ones that join."""

import numpy as np
import pytest
from scipy import stats

from simkit.balance.items.frames import MOST_DRAWN, Drawer, FrameError, Sizes, below, drawn, joined, listed
from simkit.games.jugger import game
from simkit.games.jugger.rules import Rules
from simkit.games.protocol import Build

RULES = Rules()
SIZES = Sizes(12, 6, 2)


def drawer(size=4, *, without=(), seed=1, rules=RULES):
    return Drawer(game, size, rules, without, seed)


def frame(size=4, names=("legs", "sails"), sizes=SIZES, **more):
    return drawn(drawer(size, **more), names, sizes, "size class")


def test_a_frame_holds_everybody_holders_and_their_exchanges():
    made = frame()
    names = [build.name for build in made.builds]
    assert len(set(names)) == len(names) <= 12 + 2 * 6 * 3
    assert np.count_nonzero(made.crowd) == 12
    assert made.crowd.sum() == pytest.approx(1)
    assert (made.crowd[made.crowd > 0] == 1 / 12).all()
    for item, got in zip(made.items, made.instead, strict=True):
        assert len(got) == len(item.swaps) == 12
        assert len(set(map(tuple, item.swaps.tolist()))) == 12
        for (a, b), instead in zip(item.swaps, got, strict=True):
            has, lost = made.builds[a], made.builds[b]
            assert item.name in has.items and item.name not in lost.items
            assert lost.budget == has.budget == 4
            assert instead
        assert [item.name in build.items for build in made.builds] == item.holders.tolist()
    assert "12 builds drawn uniformly from all 46,043 legal builds of size class 4" in made.says[0]
    assert made.says[1].startswith("6 with legs")


def test_the_same_seed_draws_the_same_and_another_one_others():
    names = [[build.name for build in frame(seed=seed).builds] for seed in (1, 1, 2)]
    assert names[0] == names[1] != names[2]


def test_what_is_forbidden_is_in_no_build():
    made = frame(names=["legs"], without=["sails", "lever"])
    assert not any({"sails", "lever"} & set(build.items) for build in made.builds)
    assert "that have no lever and no sails" in made.says[0]


def test_where_there_are_few_all_play_with_all_exchanges():
    made = frame(1)
    assert len(made.builds) == 29 == np.count_nonzero(made.crowd)
    assert [len(item.swaps) for item in made.items] == [28, 28]  # for everything else there is
    assert made.says == ("all 29 legal builds of size class 1 play, with all exchanges",)


def test_holders_are_drawn_uniformly():
    # of the builds of two size classes with legs: each as often as another
    draws = drawer(2)
    counts = {build.name: 0 for build in draws.every() if "legs" in build.items}
    for _ in range(300):
        for build in draws.some(3, lambda build: "legs" in build.items):
            counts[build.name] += 1
    assert sum(counts.values()) == 900
    assert stats.chisquare(list(counts.values())).pvalue > 1e-6


def test_of_many_builds_a_draw_is_uniform_as_well():
    # share of the builds with sails among those drawn, against that of all
    made = drawer(4)
    share = sum("sails" in game.build_at(4, RULES, i).items for i in range(0, made.count, 7)) / len(
        range(0, made.count, 7)
    )
    have = sum("sails" in build.items for build in made.some(2_000))
    assert stats.binomtest(have, 2_000, share).pvalue > 1e-6


def test_an_item_that_no_build_has_is_told():
    with pytest.raises(FrameError, match="none of all 5,128 legal builds of size class 3 that have no legs has legs"):
        frame(3, names=["legs"], without=["legs"])


def test_an_item_that_all_have_is_told():
    builds = [Build(f"b{i}", 1, ("x",), {}) for i in range(3)]
    with pytest.raises(FrameError, match="no build with x has another one of its budget without it"):
        listed(builds, ["x"], {})


def test_listed_builds_swap_for_all_others_or_for_those_that_are_named():
    builds = [Build("a", 1, ("x",), {}), Build("b", 1, ("x",), {}), Build("c", 1, (), {}), Build("d", 1, (), {})]
    every = listed(builds, ["x"], {})
    assert every.items[0].swaps.tolist() == [[0, 2], [0, 3], [1, 2], [1, 3]]
    assert every.instead == (("c", "d", "c", "d"),)
    some = listed(builds, ["x"], {"x": [["a", "d"], ["a", "elsewhere"]]})
    assert some.items[0].swaps.tolist() == [[0, 3]]
    assert (every.crowd == 0.25).all()


def test_strong_builds_join_once_and_stand_for_nobody():
    made = frame()
    strong = [made.builds[0], *drawer(4, seed=99).some(3)]
    more = joined(made, strong, "the strongest")
    assert len(more.builds) == len(made.builds) + 3
    assert (more.crowd[: len(made.builds)] == made.crowd).all() and not more.crowd[len(made.builds) :].any()
    assert more.says[-1] == "the strongest"
    for item, had in zip(more.items, made.items, strict=True):
        assert (item.swaps == had.swaps).all() and item.holders.size == len(more.builds)


def test_a_number_below_another_is_uniform_however_large():
    rng = np.random.default_rng(1)
    assert {below(rng, 3) for _ in range(100)} == {0, 1, 2}
    large = 3 * 2**80
    thirds = np.bincount([below(rng, large) >> 80 for _ in range(3_000)], minlength=3)
    assert thirds.size == 3
    assert stats.chisquare(thirds).pvalue > 1e-6


@pytest.mark.thorough
def test_rare_holders_end_the_search_in_time():
    # an item that one build in ten thousand has: the search ends, with those that were found
    rare = Rules(sails_spaces=5)
    made = drawer(5, rules=rare)
    found = made.some(50, lambda build: "sails" in build.items)
    assert MOST_DRAWN <= 20_000
    assert len(found) <= 1
