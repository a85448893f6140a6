"""The door for Jugger battles: what is read, what is refused and what is said to be illegal, and what axes may vary."""

from typing import Any

import pytest
from pydantic import ValidationError

from simkit.games.jugger import game
from simkit.games.jugger.deployment import field, is_alike, posts
from simkit.games.jugger.legality import MOST_DICE
from simkit.games.jugger.maps import load
from simkit.games.jugger.records import DICE, DiceRow, Outcome
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import FARTHEST, POLICIES, Scenario
from simkit.games.protocol import Complaint
from simkit.lab import plan as planning
from simkit.lab.problems import ProblemError

ARCHER = {"design": "archer"}
TOY = {"size": 1, "equipment": ["ballista"]}
RULES = Rules()


def read(a: Any = "archer", b: Any = "thrasher", **more: Any) -> Scenario:
    """Read a battle; `more` are tables, and fields of [scenario] where no table is called so."""
    tables = {name: more.pop(name) for name in ("designs", "policy") if name in more}
    sides = {name: side if isinstance(side, dict) else {"design": side} for name, side in (("a", a), ("b", b))}
    return Scenario.model_validate({"sides": sides, "scenario": more, **tables})


def refused(**data: Any) -> list[tuple[tuple[Any, ...], str, str]]:
    """Return where, of what kind and why a battle is not read."""
    with pytest.raises(ValidationError) as caught:
        Scenario.model_validate({"sides": {"a": ARCHER, "b": ARCHER}, **data})
    return [(error["loc"], error["type"], error["msg"]) for error in caught.value.errors(include_url=False)]


def complaints(*sides: Any, rules: Rules = RULES, **more: Any) -> list[Complaint]:
    return game.complaints(read(*sides, **more), rules)


# What is refused at the door


@pytest.mark.parametrize(
    ("side", "message"),
    [
        ({}, "a side has a design, or units; this one has neither"),
        ({"count": 2}, "a side has a design, or units; this one has neither"),
        ({"design": "archer", "units": [ARCHER]}, "design and units exclude each other"),
        ({"units": [ARCHER], "count": 2}, "count goes with design"),
        ({"units": [{"design": "archer", "count": 12}, ARCHER]}, "13 jugs; a side has at most 12"),
    ],
)
def test_a_side_has_one_form(side: dict[str, Any], message: str) -> None:
    assert refused(sides={"a": side, "b": ARCHER}) == [(("sides", "a"), "meaning", message)]


@pytest.mark.parametrize(
    ("table", "where", "kind"),
    [
        ({"max_turns": 0}, ("max_turns",), "greater_than_equal"),
        ({"max_turns": 1001}, ("max_turns",), "less_than_equal"),
        ({"max_turns": True}, ("max_turns",), "int_type"),
        ({"distance": 0}, ("distance",), "greater_than_equal"),
        ({"distance": FARTHEST + 1}, ("distance",), "less_than_equal"),
        ({"distance": 5, "a_arc": 6}, ("a_arc",), "less_than_equal"),
        ({"velocity": -1}, ("velocity",), "greater_than_equal"),
        ({"density": 1.5}, ("density",), "less_than_equal"),
        ({"deployment": "middle"}, ("deployment",), "value"),
        ({"deployment": {"a": [{"q": 0, "r": 0}]}}, ("deployment", "Deployment", "b"), "missing"),
        ({"deployment": {"a": [], "b": []}}, ("deployment", "Deployment", "a"), "too_short"),
        ({"speed": 3}, ("speed",), "extra_forbidden"),
        ({"victory": {"rout_below": 101}}, ("victory", "rout_below"), "less_than_equal"),
        ({"victory": {"occupy": [0]}}, ("victory", "occupy"), "too_short"),
        ({"victory": {"defender": "c", "delay": 3}}, ("victory", "defender"), "literal_error"),
    ],
)
def test_values_of_a_battle(table: dict[str, Any], where: tuple[str, ...], kind: str) -> None:
    assert (("scenario", *where), kind) in [error[:2] for error in refused(scenario=table)]


@pytest.mark.parametrize(
    ("table", "where", "message"),
    [
        ({"distance": 5, "deployment": "ends"}, (), "distance and deployment exclude each other"),
        ({"a_arc": 1}, (), "a_arc goes with distance"),
        ({"b_arc": 1}, (), "b_arc goes with distance"),
        ({"max_turns": 5, "victory": {"delay": 4, "defender": "a"}}, (), "max_turns and delay exclude each other"),
        ({"victory": {"turns": 2}}, ("victory",), "turns goes with occupy"),
        ({"victory": {"within": 2}}, ("victory",), "within goes with occupy"),
        ({"victory": {"far_end": 2}}, ("victory",), "far_end goes with break_through"),
        ({"victory": {"defender": "a"}}, ("victory",), "defender goes with delay"),
        ({"victory": {"delay": 9}}, ("victory",), "delay needs a defender"),
        (
            {"victory": {"within": 2, "far_end": 1, "delay": 9}},
            ("victory",),
            "within goes with occupy; far_end goes with break_through; delay needs a defender",
        ),
        ({"a_arc": 1, "b_arc": 2}, (), "a_arc goes with distance; b_arc goes with distance"),
    ],
)
def test_settings_that_do_not_go_together(table: dict[str, Any], where: tuple[str, ...], message: str) -> None:
    assert refused(scenario=table) == [(("scenario", *where), "meaning", message)]


@pytest.mark.parametrize("name", ["Toy", "-toy", "to y", "t" * 65, "../toy", ""])
def test_own_designs_have_names_that_files_can_have(name: str) -> None:
    assert refused(designs={name: TOY})[0][1] == "string_pattern_mismatch"


def test_all_mistakes_at_once() -> None:
    errors = refused(policy="chase", scenario={"max_turns": 0, "velocity": 99}, designs={"toy": {"size": 0}})
    assert [error[0] for error in errors] == [
        ("designs", "toy", "size"), ("scenario", "velocity"), ("scenario", "max_turns"), ("policy",),
    ]  # fmt: skip


def test_battles_are_read() -> None:
    """What stands where nothing is said, designs by name or as tables, and who decides."""
    plain = Scenario.model_validate({"sides": {"a": ARCHER, "b": {"units": [{"design": TOY, "count": 3}, ARCHER]}}})
    assert (plain.policy, plain.scenario.limit, plain.sides.b.count_of_jugs) == ("greedy", 60, 4)
    assert game.complaints(plain, RULES) == []
    assert read(victory={"delay": 7, "defender": "b"}).scenario.limit == 7
    mixed = read(a={"design": "archer", "policy": "hold"}, policy="random")
    assert [mixed.policy_of(side) for side in ("a", "b")] == ["hold", "random"]
    assert POLICIES == ("hold", "random", "greedy", "tuned", "lookahead") == game.POLICIES


# What is illegal under the rules


@pytest.mark.parametrize(
    ("battle", "path", "message", "help"),
    [
        ({"a": "thrashr"}, ("sides", "a", "design"), "no design is called 'thrashr'", "did you mean 'thrasher'?"),
        (
            {"b": {"units": [ARCHER, {"design": "tyo"}]}, "designs": {"toy": TOY}},
            ("sides", "b", "units", 1, "design"), "no design is called 'tyo'", "did you mean 'toy'? own designs: toy;",
        ),
        (
            {"a": {"design": {"size": 1, "equipment": ["flail", "saw arm"]}}},
            ("sides", "a", "design", "equipment"), "the equipment fills 2 spaces; size 1 gives 1", "take 1 away",
        ),
        (
            {"designs": {"toy": {"size": 2, "equipment": ["legs", "sails"]}}},
            ("designs", "toy", "equipment"), "legs cannot be combined with sails", "",
        ),
        ({"map": "opne"}, ("scenario", "map"), "no map is called 'opne'", "did you mean 'open'? there are: open, "),
        (
            {"map": {"half_length": 9, "half_rows": 4, "forests": [[1, 1], [2, 0], [1, 1]]}},
            ("scenario", "map", "forests", 2), "[1, 1] stands there twice", "once is enough",
        ),
        ({"map_seed": 3}, ("scenario", "map_seed"), "map_seed sows a forest, and this map has none", "give a density"),
        (
            {"map": {"half_length": 2, "half_rows": 1, "walls": [[9, 9]]}},
            ("scenario", "map", "walls", 0), "the hex [9, 9] lies beyond the rim", "abs(r) <= 1",
        ),
        (
            {"map": "open", "distance": 30}, ("scenario", "distance"),
            "at distance 30 a jug would begin on [-15, 0], beyond the rim", "without map there is room",
        ),
        (
            {"map": {"half_length": 1, "half_rows": 0}, "a": {"design": "archer", "count": 2}},
            ("sides", "a", "design"), "2 jugs on side a; the map has room for 1 a side", "fewer jugs,",
        ),
        (
            {"deployment": {"a": [{"q": 0, "r": 0}], "b": [{"q": 1, "r": 0}, {"q": 2, "r": 0}]}},
            ("scenario", "deployment", "b"), "2 places for 1 jug", "every jug needs one place",
        ),
        (
            {"deployment": {"a": [{"q": 1, "r": 0}], "b": [{"q": 1, "r": 0}]}},
            ("scenario", "deployment", "b", 0), "a jug would begin on [1, 0], where another jug stands", "one jug",
        ),
        (
            {"deployment": {"a": [{"q": 13, "r": 0}], "b": [{"q": 1, "r": 0}]}},
            ("scenario", "deployment", "a", 0), "a jug would begin on [13, 0], beyond the rim", "on this map",
        ),
        (
            {"map": "ruins", "deployment": {"a": [{"q": -1, "r": -2}], "b": [{"q": 1, "r": 0}]}},
            ("scenario", "deployment", "a", 0), "a jug would begin on [-1, -2], on an obstacle", "one jug a hex",
        ),
        ({"a": "cutter", "velocity": 6}, ("scenario", "velocity"), "a jug with legs begins at velocity 6", "a velo"),
        (
            {"b": "cutter", "deployment": {"a": [{"q": 0, "r": 0}], "b": [{"q": 1, "r": 0, "velocity": 7}]}},
            ("scenario", "deployment", "b", 0), "a jug with legs begins at velocity 7; legs allow 5", "a velocity of 0",
        ),
        (
            {"victory": {"target_b": 2}}, ("scenario", "victory", "target_b"),
            "side b has 1 jug; there is no number 2", "",
        ),
        (
            {"victory": {"occupy": [20, 0]}}, ("scenario", "victory", "occupy"),
            "[20, 0] lies beyond the rim", "on this map abs(r) <= 7 and abs(2 q + r) <= 24",
        ),
        (
            {"map": "ruins", "victory": {"occupy": [-1, -2]}},
            ("scenario", "victory", "occupy"), "nobody can stand on [-1, -2]", "give within too",
        ),
        (
            {"victory": {"break_through": 2}},
            ("scenario", "victory", "break_through"), "no side has 2 jugs", "at most 1",
        ),
        (
            {"victory": {"break_through": 1, "far_end": 13}},
            ("scenario", "victory", "far_end"), "13 hexes are more than half of the map", "at most 12",
        ),
        (
            {"map": {"half_length": 9, "half_rows": 2, "forests": [[3, 0]]}, "victory": {"occupy": [2, 0]}},
            ("scenario", "victory", "occupy"), "a place to be occupied beside the middle needs a map that", "symmetric",
        ),
        (
            {
                "map": {"half_length": 9, "half_rows": 2, "forests": [[3, 0]]}, "victory": {"break_through": 1},
                "deployment": {"a": [{"q": 0, "r": 0}], "b": [{"q": 1, "r": 0}]},
            },
            ("scenario", "victory", "break_through"), "break_through with listed places needs a map that", "symmetric",
        ),
    ],
)  # fmt: skip
def test_illegal_battles(battle: dict[str, Any], path: tuple[Any, ...], message: str, help: str) -> None:
    """One complaint each: at its place, with what was found, the rule or reason, and what would help."""
    (found,) = complaints(battle.pop("a", "archer"), battle.pop("b", "archer"), **battle)
    assert found.path == path and found.message.startswith(message) and found.help.startswith(help), found
    assert found.id or path[-1] == "map_seed" or "twice" in message


def test_both_sides_are_told_what_is_wrong_with_their_places() -> None:
    """Too many jugs for the map, places that are missing or too many, and each jug with legs that would be too fast."""
    squads, small = {"design": "archer", "count": 5}, {"half_length": 2, "half_rows": 0}
    crowded = complaints(squads, squads, map=small)
    assert [one.path for one in crowded] == [("sides", "a", "design"), ("sides", "b", "design")]
    assert crowded[1].message == "5 jugs on side b; the map has room for 2 a side"
    two = [{"q": 1, "r": 0}, {"q": 2, "r": 0}]
    uneven = complaints("archer", {"design": "axer", "count": 3}, deployment={"a": two, "b": two[:1]})
    assert [one.message for one in uneven] == ["2 places for 1 jug", "1 place for 3 jugs"]
    fast = [{"q": q, "r": 0, "velocity": 9} for q in (3, 5)]
    legs = complaints("cutter", "cutter", deployment={"a": fast[:1], "b": fast[1:]})
    assert [one.path[-2:] for one in legs] == [("a", 0), ("b", 0)]


def test_a_hex_may_be_listed_beside_its_image() -> None:
    """What a symmetric map adds is no second entry; a hex that is listed twice is, whatever is added."""
    map = {"half_length": 9, "half_rows": 4, "walls": [[1, 1], [-1, -1]], "symmetric": True}
    assert complaints(map=map) == []
    (found,) = complaints(map={**map, "walls": [*map["walls"], [-1, -1]]})
    assert found.path[-1] == 2


def test_a_published_design_can_be_illegal_under_a_house_rule() -> None:
    """It is said once, at the name, and of which rule it breaks."""
    (found,) = complaints("archer", "cutter", rules=Rules(legs_spaces=2))
    assert found.path == ("sides", "b", "design") and "'cutter' is not legal: the equipment fills 4" in found.message


def test_dice_that_no_table_holds_are_illegal() -> None:
    heavy = {"design": {"size": 20, "equipment": ["size 20 flail"]}}
    (found,) = complaints(heavy, rules=Rules(oversize="more_dice"))
    assert found.path == ("sides", "a", "design", "equipment") and found.id == "J-SC-2"
    assert complaints(heavy) == []
    assert MOST_DICE <= DICE - DiceRow.FIRST_WEAPON


# Where a battle begins


def test_distance_lies_along_a_row_with_the_enemy_in_the_arc() -> None:
    battle = read(distance=5, a_arc=1, b_arc=3, velocity=2)
    assert [post[:3] for post in posts(battle, field(battle), swapped=False)] == [(-2, 0, 5), (3, 0, 0)]
    assert [post[:3] for post in posts(battle, field(battle), swapped=True)] == [(3, 0, 2), (-2, 0, 3)]
    assert {post.velocity for post in posts(battle, field(battle), swapped=True)} == {2}


@pytest.mark.parametrize("distance", [1, 15, 24, 25, FARTHEST])
def test_there_is_room_for_every_distance(distance: int) -> None:
    squads = {"design": "archer", "count": 12}
    for sides in (("archer", "archer"), (squads, squads), (squads, "archer")):
        assert complaints(*sides, distance=distance) == []
    battle = read(squads, squads, distance=distance)
    places = posts(battle, field(battle), swapped=False)
    for west, east in zip(places[:12], places[12:], strict=True):
        assert (east.q - west.q, east.r) == (distance, west.r)


@pytest.mark.parametrize("name", list(load()))
@pytest.mark.parametrize("deployment", ["ends", "close"])
def test_sides_swap_places_with_their_seats(name: str, deployment: str) -> None:
    battle = read({"design": "archer", "count": 3}, {"design": "axer", "count": 3}, map=name, deployment=deployment)
    first, second = (posts(battle, field(battle), swapped) for swapped in (False, True))
    assert second == [*first[3:], *first[:3]] and len({post[:2] for post in first}) == 6
    assert complaints("archer", map=name, deployment=deployment) == []


def test_listed_places_turn_with_the_seats_on_a_map_that_looks_alike() -> None:
    places = {"a": [{"q": -3, "r": 1, "facing": 2, "velocity": 1}], "b": [{"q": 4, "r": 0}]}
    battle = read(deployment=places, velocity=3)
    assert posts(battle, field(battle), swapped=False) == [(-3, 1, 2, 1), (4, 0, 3, 3)]
    assert posts(battle, field(battle), swapped=True) == [(3, -1, 5, 1), (-4, 0, 0, 3)]
    lopsided = read(deployment=places, map={"half_length": 9, "half_rows": 4, "houses": [[1, 1]]})
    assert not is_alike(field(lopsided))
    assert posts(lopsided, field(lopsided), True) == posts(lopsided, field(lopsided), False)


def test_density_and_seed_replace_the_forest() -> None:
    sown = [field(read(map="woods", **more)).places("forest") for more in ({}, {"map_seed": 2}, {"density": 0.4})]
    assert len({*sown}) == 3 and len(sown[0]) == len(sown[1]) and set(sown[0]) < set(sown[2])
    assert field(read(map="ruins", density=0.1)).places("house") == load()["ruins"].places("house")


# What axes may vary, and words


def test_vary_replaces_what_a_path_names() -> None:
    data = {"sides": {"a": {"design": "archer", "count": 2}, "b": ARCHER}, "policy": "greedy"}
    kept = repr(data)
    varied = game.vary(data, {"sides.a.units": [ARCHER], "scenario.victory.rout_below": 50, "policy": "hold"})
    assert varied["sides"]["a"] == {"units": [ARCHER]} and varied["policy"] == "hold"
    assert varied["scenario"] == {"victory": {"rout_below": 50}}
    assert game.vary(varied, {"sides.a.design": "axer"})["sides"]["a"] == {"design": "axer"}
    assert game.vary(data, {"scenario.deployment": "close", "scenario.map": "woods"})["scenario"]["map"] == "woods"
    assert game.vary(varied, {"sides.a.units.1.count": 3})["sides"]["a"] == {"units": [{**ARCHER, "count": 3}]}
    assert repr(data) == kept
    for path in ("sides.c.design", "sides.a.units.2.count", "course.steps"):
        with pytest.raises(KeyError):
            game.vary(data, {path: 1})


def test_values_on_axes_have_words() -> None:
    for path, value, word in (
        ("sides.a.design", "thrasher", "Thrasher"),
        ("sides.b.design", TOY, "1 SC: ballista"),
        ("sides.b.design", "my-own", None),
        ("sides.a.units", [{"design": "archer", "count": 2}, {"design": "my-own"}], "2 x Archer, my-own"),
        ("sides.a", {"design": "axer", "title": "The axes"}, "The axes"),
        ("sides", {"a": {"design": TOY}, "b": {"design": "axer"}}, "1 SC: ballista against Axer"),
        ("sides.a.design.captain", ["speed", "morg-orgus"], "Speed demon, Morg Orgus"),
        ("designs.toy.captain", [], "no captain"),
        ("scenario.map", "ruins", "Ruins"),
        ("scenario.map", {"half_length": 3, "half_rows": 1}, "7 by 3 hexes"),
        ("scenario.density", 0.3, "30 %"),
        ("scenario.distance", 5, None),
        ("map_edge", "exit", "rim is open"),
        ("line_of_sight", True, "line of sight"),
    ):
        assert game.label(path, value) == word
    for path, title in (
        ("sides.b.policy", "policy of B"), ("scenario.distance", "distance"), ("house_rules", "house rules"),
        ("designs.toy.size", "toy size"), ("weapons.flail.to_hit", "flail to hit"), ("sides", "battle"),
        ("sides.a.design.equipment.1", "item 1"),
    ):  # fmt: skip
        assert game.axis_title(path) == title


def test_a_battle_is_told() -> None:
    battle = read(
        {"units": [{"design": "archer", "count": 2}, {"design": TOY}], "policy": "hold"}, "axer",
        distance=5, a_arc=1, density=0.1,
        victory={"rout_below": 50, "occupy": [0, 0], "within": 1, "break_through": 1, "target_b": 1, "delay": 9,
                 "defender": "b"},
    )  # fmt: skip
    assert game.describe(battle) == (
        '2 x Archer and ballista against Axer, 5 hexes apart, the map "Open field" with forest on 10% of it'
    )
    told = game.story(battle)
    for part in (
        "2 x Archer (each 3 SC: size 2 ballista, winch) and ballista (1 SC: ballista) fight Axer (8 SC: legs,",
        "beginning 5 hexes apart (A has B in its arc 1), for at most 9 turns.", "below 50 %",
        "holds [0, 0], or 1 hex round it, at the ends of 1 turn in a row", "brings a jug to the enemy's end",
        "B has lost without its jug number 1.", "B has won if it is not beaten by then.",
        "A stands still and attacks whatever comes within reach; B takes the move that looks best at once.",
    ):  # fmt: skip
        assert part in told
    for deployment, words in ((None, "opposite ends"), ("close", "near its middle")):
        assert words in game.story(read(deployment=deployment, map={"half_length": 9, "half_rows": 4}))


# What is counted


def test_outcomes_are_those_of_the_kernel() -> None:
    assert tuple(metric.name for metric in game.OUTCOMES) == Outcome._fields
    assert [metric.scale for metric in game.OUTCOMES if metric.scale != 1] == [2]
    assert all(metric.highest == metric.scale for metric in game.OUTCOMES if metric.kind == "share")


def test_fortune_prefers_what_is_better_for_side_a() -> None:
    names = [metric.name for metric in game.OUTCOMES]

    def battle(**found: int) -> tuple[int, ...]:
        return game.fortune([found.get(name, 0) for name in names])

    ladder = [
        battle(win_b=1, hits_b=60, turns=3), battle(win_b=1, hits_b=60, turns=9), battle(win_b=1, hits_b=5),
        battle(draw=1, score_a=1), battle(win_a=1, score_a=2, hits_a=9, turns=8),
        battle(win_a=1, score_a=2, hits_a=9, turns=7),
    ]  # fmt: skip
    assert ladder == sorted(ladder) and len(set(ladder)) == len(ladder)


# Through the lab


def problems(**tables: Any) -> str:
    """Return what the lab says of an experiment that it does not plan."""
    sides = {"a": {"design": "archer"}, "b": {"design": "axer"}}
    with pytest.raises(ProblemError) as caught:
        planning.make({"schema": 1, "name": "x", "game": "jugger", "sides": sides, **tables})
    return str(caught.value)


def test_the_lab_says_what_was_found_and_what_is_allowed() -> None:
    text = problems(
        run={"policy": "chase"},
        sides={"a": {"design": "archer", "policy": "hodl"}, "b": {"design": 7}, "c": {}},
        scenario={"distance": 99, "deploy": "ends", "rout_below": 50},
        sweep={"axes": {"policy": ["greedy", "lookback"]}},
    )
    for part in (
        "found the text 'chase'", "did you mean 'hold'?", "found 7", "unknown table 'c'", "from 1 to 50, found 99",
        "did you mean 'deployment'?", "'rout_below' belongs in [scenario.victory]", "found the text 'lookback'",
    ):  # fmt: skip
        assert part in text, (part, text)


def test_the_lab_shows_what_is_illegal_at_its_place() -> None:
    text = problems(
        designs={"toy": {"size": 1, "equipment": ["flial"]}},
        sweep={"axes": {"sides.b.design": ["axer", "toy", "Hydrant"], "scenario.distance": [5, 40]}},
        scenario={"map": "open"},
    )
    for part in ("did you mean 'flail'?", "no design is called 'Hydrant' (J-ARM-1)", "did you mean 'hydra'?"):
        assert part in text, (part, text)
    assert "at distance 40 a jug would begin on [-20, 0], beyond the rim (J-MAP-5)" in text


def test_axes_and_settings_need_no_tables() -> None:
    """What a file leaves out can be given on an axis and outside it, illegal values among them."""
    tables = {"sides": {"a": {"design": "archer"}, "b": {"design": "axer"}}}
    experiment = {"schema": 1, "name": "x", "game": "jugger", **tables}
    axes = {"scenario.distance": [5, 6], "policy": ["hold", "greedy"], "sides.a.policy": ["hold", "random"]}
    plan = planning.make({**experiment, "sweep": {"axes": axes}}, overrides={"scenario.victory.rout_below": 50})
    assert len(plan.cells) == 8 and {cell.scenario.scenario.victory.rout_below for cell in plan.cells} == {50}
    assert {tuple(cell.setup.policies) for cell in plan.cells} == {(0, 0), (0, 2), (1, 0), (1, 2)}
    assert "beyond the rim" in problems(sweep={"axes": {"scenario.victory.occupy": [[0, 0], [30, 0]]}})
