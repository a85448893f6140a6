"""Weights of Jugger's players: the plain ones, a side's own, those of a table, and those that were tuned."""

import tomllib
from typing import Any

import pytest

from simkit.core.layout import fields
from simkit.games import protocol
from simkit.games.jugger import game, tuned
from simkit.games.jugger.designs import DATA, Design, find, load
from simkit.games.jugger.records import CANDIDATES, Policy, Weights
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import POLICIES, Scenario
from simkit.games.jugger.weights import GREEDY, MOST_BREADTH, TABLE, WEIGHTS
from simkit.games.protocol import Complaint
from simkit.lab.weights import TunedFile
from tests.test_jugger_scenario import refused

RULES = Rules()
FANGS = {"size": 3, "equipment": ["3 fangs"]}


def read(a: Any = "archer", b: Any = "axer", **more: Any) -> Scenario:
    sides = {name: side if isinstance(side, dict) else {"design": side} for name, side in (("a", a), ("b", b))}
    return Scenario.model_validate({"sides": sides, **more})


def weights(scenario: Scenario, side: int) -> dict[str, int]:
    made = game.compile(scenario, RULES).weights[side]
    return {name: int(made[name]) for name in GREEDY}


@pytest.fixture
def nothing_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuned, "shipped", dict)
    monkeypatch.setattr(tuned, "_shipped_for", lambda: ({}, {}))


def test_every_weight_has_a_name_a_range_and_a_sentence() -> None:
    assert [one.name for one in TABLE] == [*fields(Weights)]
    assert all(one.low <= one.default <= one.high and one.says.endswith(".") for one in TABLE)
    assert set(WEIGHTS) == set(POLICIES)
    assert MOST_BREADTH == CANDIDATES


def test_without_a_word_of_weights_a_battle_is_what_it_was() -> None:
    for policy in ("hold", "random", "greedy", "lookahead"):
        plain = game.compile(read(policy=policy), RULES)
        assert plain.policies.tolist() == [Policy[policy.upper()]] * 2
        assert weights(read(policy=policy), 0) == WEIGHTS[policy]
    assert game.describe(read()) == "Archer against Axer"


def test_a_side_has_weights_of_its_own() -> None:
    battle = read({"design": "archer", "weights": {"approach": 40, "aim": 0}})
    assert weights(battle, 0) == {**GREEDY, "approach": 40, "aim": 0}
    assert weights(battle, 1) == GREEDY
    ahead = read({"design": "archer", "policy": "lookahead", "weights": {"aim": 3}})
    assert weights(ahead, 0) == {**WEIGHTS["lookahead"], "aim": 3}
    assert game.describe(battle) == "Archer against Axer; weights of its own against plain weights"
    assert "A plays by weights of its own." in game.story(battle)


def test_a_side_names_a_table() -> None:
    tables = {"bold": {"title": "the bold", "values": {"taken": 10}}}
    battle = read({"design": "archer", "weights": "bold"}, weights=tables)
    assert weights(battle, 0) == {**GREEDY, "taken": 10}
    assert game.weighed_by(battle, "a") == "the weights the bold"
    assert game.weighed_by(battle, "b") == ""


@pytest.mark.usefixtures("nothing_shipped")
def test_tuned_weights_are_looked_up_by_design_then_by_family() -> None:
    tables = {
        "shooters": {"family": "plain-far", "values": {"aim": 1}},
        "mine": {"design": "archer", "values": {"aim": 2}},
        "fangs": {"design": {"size": 3, "equipment": ["fang", "2 fangs"], "title": "Biter"}, "values": {"aim": 3}},
    }

    def aim(side: Any) -> int:
        return weights(read({"design": side, "policy": "tuned"}, weights=tables), 0)["aim"]

    assert aim("archer") == 2
    assert aim({"size": 3, "equipment": ["winch", "size 2 ballista"]}) == 2  # the same, by what it is
    assert aim("backbiter") == 3
    assert aim({"size": 2, "equipment": ["2 catapults"]}) == 1
    assert aim("cutter") == GREEDY["aim"]
    lost = read({"design": "cutter", "policy": "tuned"}, weights=tables)
    said = "plain weights, as none are tuned for jugs on legs that fight at close quarters"
    assert game.weighed_by(lost, "a") == said


@pytest.mark.usefixtures("nothing_shipped")
def test_a_mixed_side_is_played_as_most_of_it() -> None:
    tables = {"x": {"design": "archer", "values": {"aim": 2}}}
    two = {"units": [{"design": "axer"}, {"design": "archer", "count": 3}], "policy": "tuned"}
    one = {"units": [{"design": "axer"}, {"design": "archer", "count": 2}], "policy": "tuned"}
    assert weights(read(two, weights=tables), 0)["aim"] == 2
    assert weights(read(one, weights=tables), 0)["aim"] == GREEDY["aim"]


def test_the_tuned_player_is_greedy_by_other_weights() -> None:
    """Trial for trial the same as a greedy player who is given these weights; lookahead can have them too."""
    tables = {"mine": {"design": "archer", "values": {"approach": 90, "aim": 60}}}
    by_name = {"design": "archer", "weights": "mine"}
    made = [
        game.compile(read(side, weights=tables), RULES).tobytes()
        for side in ({"design": "archer", "policy": "tuned"}, by_name, {"design": "archer", "weights": "tuned"})
    ]
    assert made[0] == made[1] == made[2]
    ahead = read({"design": "archer", "policy": "lookahead", "weights": "tuned"}, weights=tables)
    assert weights(ahead, 0) == {**WEIGHTS["lookahead"], "approach": 90, "aim": 60}


def complaints(a: Any = "archer", **more: Any) -> list[Complaint]:
    return game.complaints(read(a, **more), RULES)


@pytest.mark.parametrize(
    ("side", "tables", "path", "message"),
    [
        ({"weights": "bld"}, {"bold": {}}, ("sides", "a", "weights"), "no weights are called 'bld'"),
        ({"weights": {}, "policy": "hold"}, {}, ("sides", "a", "weights"), "a player who weighs nothing: 'hold'"),
        ({"weights": "tuned", "policy": "tuned"}, {}, ("sides", "a", "weights"), "a player who looks them up"),
        ({}, {"x": {"family": "legs"}}, ("weights", "x", "family"), "no family of designs is called 'legs'"),
        ({}, {"x": {"design": "archr"}}, ("weights", "x", "design"), "no design is called 'archr'"),
        ({}, {"x": {"design": {"size": 1, "equipment": ["legs", "flail"]}}}, ("weights", "x"), "fills 2 spaces"),
    ],
)
def test_what_is_wrong_with_weights(side: Any, tables: Any, path: tuple[str, ...], message: str) -> None:
    tables = {name: {"values": {}, **table} for name, table in tables.items()}
    (found,) = complaints({"design": "archer", **side}, weights=tables)
    assert found.path[: len(path)] == path
    assert message in found.message


@pytest.mark.parametrize("values", [{"aim": -1}, {"aim": 1001}, {"aim": 1.5}, {"aim": True}, {"breadth": 0}, {"am": 3}])
def test_weights_out_of_range_are_refused(values: Any) -> None:
    found = refused(weights={"x": {"values": values}})
    assert found[0][0][:3] == ("weights", "x", "values")


def test_a_table_is_for_a_design_or_a_family() -> None:
    both = {"values": {}, "design": "archer", "family": "legs-far"}
    assert "exclude each other" in refused(weights={"x": both})[0][2]


# What the game offers


def test_the_hook_of_those_who_weigh() -> None:
    weighing = protocol.weighing_of(game)
    assert weighing is not None
    assert [one.name for one in weighing.weights()] == [name for name in GREEDY if name not in ("reply", "breadth")]
    setup = game.compile(read(), RULES)
    other = weighing.weigh(setup, 1, {"aim": 77})
    assert int(other.weights[1]["aim"]) == 77
    assert int(setup.weights[1]["aim"]) == GREEDY["aim"]
    assert other.weights[0].tobytes() == setup.weights[0].tobytes()
    assert protocol.weighing_of(protocol.load("pigtickler")) is None
    assert protocol.weighing_of(protocol.load("battlesystem")) is None


def test_every_design_has_a_family() -> None:
    there = game.families()
    assert all(tuned.family(design) in there for design in load().values())
    assert {tuned.family(find(name)) for name in ("gorger", "windrammer", "walker")} == {
        "plain-near",
        "sails-near",
        "legs-near",
    }
    assert tuned.family(Design(size=3, equipment=["sails", "catapult"])) == "sails-far"


def test_the_shipped_weights_say_where_they_come_from() -> None:
    """If this fails the game plays otherwise than when they were tuned: tune them anew (experiments/tune_jugs.toml)."""
    for path in (DATA / "tuned").glob("*.toml"):
        file = TunedFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        assert file.tuned == "jugger"
        assert file.provenance["version"] == game.VERSION.number
        assert {"seed", "games", "method", "opponents", "edition", "rules"} <= set(file.provenance)


def test_the_shipped_weights_are_for_designs_and_families_that_there_are() -> None:
    there = tuned.shipped()
    assert {one.family for one in there.values() if one.family} <= set(game.families())
    for name, one in there.items():
        assert not complaints(weights={name: one.model_dump(exclude_none=True)})
        assert set(one.values.model_dump(exclude_none=True)) == set(GREEDY) - {"reply", "breadth"}
        assert one.gain is None or one.gain.low > 0
