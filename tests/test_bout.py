"""Duels from Python: the same figures as on the command line, sides as tables, and what is refused."""

import inspect
import json
from pathlib import Path

import pytest

import simkit
from simkit.cli import duel
from simkit.games.jugger import game
from simkit.lab.problems import ProblemError
from simkit.lab.resolve import dumps
from tests.commandline import ran, settle


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    settle(tmp_path, monkeypatch)


@pytest.fixture(scope="module", autouse=True)
def _ready():
    game.ready()


@pytest.mark.parametrize(
    ("sides", "options", "more"),
    [
        (["walker", "windrammer"], [], {}),
        (["2xarcher", "axer + lobber"], ["--map", "ruins", "--seed", "7"], {"map": "ruins", "seed": 7}),
        (
            ["walker", "walker"],
            ["--policy", "hold", "--policy-b", "greedy", "--distance", "3"],
            {"policy": "hold", "policy_b": "greedy", "distance": 3},
        ),
        (
            ["axer", "walker"],
            ["--house", "capped-rams", "--set", "weapons.flail.to_hit=5", "--set", "scenario.max_turns=9"],
            {"house": ["capped-rams"], "set": {"weapons.flail.to_hit": 5, "scenario.max_turns": 9}},
        ),
    ],
    ids=["plain", "battle", "policies", "rules"],
)
def test_it_is_the_duel_of_the_command_line(capsys, sides, options, more):
    bout = simkit.duel(*sides, trials=200, jobs=1, **more)
    assert bout.document == json.loads(ran(capsys, "duel", *sides, "--trials", "200", *options, "--json").out)
    assert bout.answer == bout.document["verdict"]["answer"]
    assert bout.cells["n"].tolist() == [100]
    trial = bout.document["duel"]["told"]["typical"]
    told = json.loads(ran(capsys, "duel", *sides, "--trials", "200", *options, "--replay", trial, "--json").out)
    assert bout.replay() == bout.replay(trial) == "\n".join(line["text"] for line in told["lines"])
    assert repr(bout) == f"<simkit.Bout: {bout.answer}>"


def test_sides_may_be_tables_and_house_rules_files():
    Path("sure.toml").write_text(
        'schema = 1\nfor = "jugger"\ntitle = "Sure"\nwhy = "For a test."\n[set]\n"weapons.flail.to_hit" = 5\n'
    )
    design = {"size": 3, "equipment": ["2 flails", "gears"]}
    sides = {"a": {"design": design, "count": 2}, "b": {"units": [{"design": "axer"}], "title": "The axe"}}
    bout = simkit.duel(sides["a"], sides["b"], trials=200, house=[Path("sure.toml")])
    report = {"metric": "score_a", "target": 0.5}
    tables = {"schema": 1, "name": "duel", "game": "jugger", "run": {"trials": 200}, "sides": sides, "report": report}
    Path("house").mkdir()
    Path("sure.toml").rename("house/sure.toml")
    Path("x.toml").write_text(dumps({**tables, "house_rules": ["sure"]}))
    run = simkit.run("x.toml", out="results")
    assert bout.document["cells"][0]["metrics"] == run.document["cells"][0]["metrics"]
    assert bout.answer.startswith("2 x 2 flails, gears") or "The axe" in bout.answer
    assert "battles" in bout.answer


@pytest.mark.parametrize(
    ("a", "more", "says"),
    [
        ("13xaxer", {}, "'13xaxer' is 13 jugs; a side has 1 to 12"),
        ("", {}, "'' is no side: such as walker"),
        (7, {}, "a side is a text or a table, not 7"),
        ({"count": 2}, {}, "a side has a design, or units; this one has neither"),
        ({"units": 3}, {}, "'units' in [sides.a] must be a list in [ ], found 3"),
        ({"units": [3, {"design": 5}]}, {}, "value 1 of 'units' in [sides.a] must be a table, found 3"),
        ("wlaker", {}, "did you mean 'walker'?"),
        ("axer", {"policy": "gredy"}, "did you mean 'greedy'?"),
        ("axer", {"policy_b": 3}, 'must be one of "hold", "random", "greedy", "tuned", "lookahead", found 3'),
        ("axer", {"trials": 0}, "'trials' in [run] must be from 1 to"),
        ("axer", {"trials": 2}, "one pair of games cannot tell how sure 'score_a' is"),
        ("axer", {"seed": -1}, "'seed' must be"),
        ("axer", {"distance": 51}, "must be from 1 to 50, found 51"),
        ("axer", {"map": "opne"}, "did you mean 'open'?"),
        ("axer", {"jobs": 0}, "jobs is 0; allowed are 1 to 1024"),
        ("axer", {"house": ["no.toml"]}, "'no.toml' is no house rule: neither a file nor an id"),
        ("axer", {"set": {"sides.a.count": 2}}, "sides.a.count: who fights is said by a and b"),
        ("axer", {"set": {"weapons.flial.to_hit": 2}}, "did you mean 'weapons.flail.to_hit' (now 2)?"),
    ],
)
def test_what_is_wrong_is_said_in_words(a, more, says):
    with pytest.raises((ProblemError, ValueError)) as refusal:
        simkit.duel(a, "walker", **more)
    assert says in " ".join(str(refusal.value).split())


def test_what_is_left_out_is_as_on_the_command_line():
    wanted = {"policy": None, "policy_b": None, "trials": duel.TRIALS, "map": None, "distance": None, "seed": 1}
    found = inspect.signature(simkit.duel).parameters
    assert {name: found[name].default for name in wanted} == wanted
