"""Builds of a size class by number, and what they become when an item is given up (J-DES-3)."""

from itertools import islice

import numpy as np
import pytest
from scipy import stats

from simkit.games import protocol
from simkit.games.jugger import game
from simkit.games.jugger.builds import builds
from simkit.games.jugger.catalogue import EVERY, catalogue
from simkit.games.jugger.designs import Design, complaints, spaces
from simkit.games.jugger.items import Item
from simkit.games.jugger.rules import Rules

RULES = Rules()
DEAR = Rules(legs_spaces=3, winch_spaces=2, sails_spaces=2)
FREE = Rules(legs_spaces=0, winch_spaces=0)


def named(build):
    return build.side["design"]["equipment"]


def design(build):
    return Design.model_validate(build.side["design"])


@pytest.mark.parametrize(("size", "rules"), [(1, RULES), (2, RULES), (3, RULES), (3, DEAR), (2, FREE)])
def test_the_number_of_a_build_is_its_place_in_the_list(size, rules):
    there = catalogue(size, rules)
    assert [there.at(i) for i in range(there.count)] == list(builds(size, rules))


def test_a_build_of_a_large_jug_is_found_without_listing_those_before_it():
    last = game.build_count(20, RULES) - 1
    assert last > 10**15
    for number in (0, last // 3, last):
        build = game.build_at(20, RULES, number)
        assert sum(spaces(item, RULES) for item in design(build).items) == 20
    with pytest.raises(IndexError, match="allowed are 0 to 28"):
        game.build_at(1, RULES, 29)
    assert list(islice(builds(6, RULES), 3)) == [catalogue(6, RULES).at(i) for i in range(3)]


def test_more_room_than_can_be_counted_is_refused():
    with pytest.raises(ValueError, match="40 spaces to fill; builds of up to 24 are counted"):
        game.build_count(20, Rules(spaces_per_size=2))


def test_all_builds_are_legal_and_have_names_of_their_own():
    made = [game.build_at(2, RULES, i) for i in range(game.build_count(2, RULES))]
    assert len({build.name for build in made}) == len(made) == 456
    assert not any(complaints(design(build), RULES) for build in made)
    assert all(len(set(build.items)) == len(build.items) <= 2 for build in made)
    legs = next(build for build in made if set(build.items) == {"legs", "mace arm"})
    assert (legs.name, legs.budget) == ("legs, mace arm", 2)
    assert legs.side == {"design": {"size": 2, "equipment": ["legs", "mace arm"]}}


def test_drawn_builds_are_as_frequent_as_each_other():
    rng = np.random.default_rng(1)
    drawn = rng.integers(game.build_count(1, RULES), size=29 * 100)
    names = [game.build_at(1, RULES, int(number)).name for number in drawn]
    counts = [names.count(name) for name in sorted(set(names))]
    assert len(counts) == 29
    assert stats.chisquare(counts).pvalue > 1e-6


def swaps_by_hand(build, kind, rules):
    """All builds of the same size without an item that keep everything else of a build."""
    size = build.budget
    kept = [item for item in design(build).items if item.kind != kind]
    if kind == "ballista":
        kept = [item for item in kept if item.kind != "winch"]
    found = set()
    for other in builds(size, rules):
        rest = list(other)
        if any(item.kind == kind for item in rest) or not all(item in rest for item in kept):
            continue
        if all(rest.count(item) >= kept.count(item) for item in kept):
            found.add(tuple(sorted(rest)))
    return found


@pytest.mark.parametrize(
    ("equipment", "item"),
    [
        (["legs", "gears", "flail"], "legs"),
        (["sails", "sails", "flail"], "sails"),
        (["ballista", "winch", "armor"], "ballista"),
        (["ballista", "winch", "armor"], "winch"),
        (["ballista", "ballista", "winch"], "winch"),
        (["armor x2", "sails"], "armor"),
        (["size 2 flail", "legs"], "flail"),
        (["gears +3"], "gears"),
    ],
)
def test_swaps_are_all_legal_builds_that_keep_everything_else(equipment, item):
    table = {"size": 3, "equipment": equipment}
    items = tuple(dict.fromkeys(one.kind.replace("_", " ") for one in Design(**table).items))
    build = protocol.Build(", ".join(equipment), 3, items, {"design": table})
    made = [game.swap_at(build, item, RULES, i) for i in range(game.swap_count(build, item, RULES))]
    assert all(item not in swapped.build.items for swapped in made)
    found = [tuple(sorted(design(swapped.build).items)) for swapped in made]
    assert len(set(found)) == len(found)
    assert set(found) == swaps_by_hand(build, item.replace(" ", "_"), RULES)


def test_a_swap_says_what_was_got_and_costs_what_was_given():
    build = next(
        build
        for build in (game.build_at(5, DEAR, game.build_count(5, DEAR) - 1 - i) for i in range(99))
        if "legs" in build.items
    )
    made = [game.swap_at(build, "legs", DEAR, i) for i in range(0, game.swap_count(build, "legs", DEAR), 97)]
    assert len({swapped.instead for swapped in made}) == len(made)
    for swapped in made:
        assert swapped.build.budget == 5
        assert sum(spaces(item, DEAR) for item in design(swapped.build).items) == 5
    free = next(build for build in (game.build_at(1, FREE, i) for i in range(60)) if "legs" in build.items)
    assert [game.swap_at(free, "legs", FREE, 0).instead, game.swap_count(free, "legs", FREE)] == ["nothing", 1]


def test_items_go_by_any_name():
    assert game.build_items() == [kind.replace("_", " ") for kind in EVERY]
    assert (game.build_item("Axe Arm"), game.build_item("leg"), game.build_item("wizard")) == ("mace arm", "legs", None)
    assert protocol.building_of(game) is game
    assert protocol.building_of(protocol.load("pigtickler")) is None
    assert Item("legs") in catalogue(1, FREE).at(catalogue(1, FREE).count - 1)
