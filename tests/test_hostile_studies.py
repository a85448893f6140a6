"""Strangers' questions to matrix, sensitivity, search, tune and compare: refused in words, or answered rightly."""

import csv
import json
import re
from pathlib import Path

import pytest

import simkit
from simkit.balance import condition
from simkit.cli import call
from simkit.lab import ledger, lists, searching, store
from simkit.lab.problems import ProblemError
from simkit.lab.runner import Interrupted, Silent
from simkit.lab.study import Study
from tests.laboratory import files, made

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
HEAD = 'schema = 1\nname = "standoff"\ngame = "jugger"\n[run]\npolicy = "greedy"\n[scenario]\ndistance = 3\n'
RIDE = """
schema = 1
name = "ride"
game = "pigtickler"
[run]
trials = 512
[course]
steps = [{ down = 1 }, { turn = 1 }, { bog = "swamp" }]
turns = 3
[sweep.axes]
altered_odds = [false, true]
[compare]
baseline = { altered_odds = false }
[report]
metric = "finished"
[sensitivity]
trials = 512
readings = false
"""
HOUSE = 'schema = 1\nfor = "pigtickler"\ntitle = "{}"\nwhy = "{}"\n[set]\n"bogs.swamp" = {{ was = -3, now = {} }}\n'
THREE = '[matrix]\ndesigns = ["archer", "axer", "sniper"]\n'
FEW = "least_trials = 512\nmax_trials = 512\n"
SMALL = "[search]\nbudget = 3\ntried = 16\nfinalists = 2\nfirst = 2\nlast = 1024\nrounds = 1\n"
WEIGHTS = 'schema = 1\ntuned = "jugger"\n[weights.archer]\ndesign = "archer"\nvalues = { dealt = 90 }\n'
SHORT = '[tune]\ngenerations = 1\npopulation = 8\ngames = 16\nconfirm = 512\nopponents = ["axer"]\n'


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    return tmp_path


def asked(capsys, command, text, *more):
    """Ask a question of a file that is to be refused, and return all that is said."""
    if text is not None:
        Path("q.toml").write_text(text, encoding="utf-8")
    named = [] if text is None else ["q.toml"]
    assert call([command, *named, "--out", "out", "-q", *more]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err and "pydantic" not in err and "bug in simkit" not in err
    assert STEERING.search(err) is None
    assert not Path("out").exists()
    return " ".join(err.split())


def answered(capsys, command, *arguments):
    """Ask a question that is answered, and return its document."""
    assert call([command, *map(str, arguments), "--out", "out", "-q", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def house(name, title="Own", why="So it is.", now=-2):
    """Write a house rule."""
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(HOUSE.format(title, why, now), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("fair_within = nan\n", ["'fair_within' in [matrix] is not a finite number"]),
        ("fair_within = true\nlest_trials = 5\n", ["found true", "did you mean 'least_trials'?", "2 errors"]),
        ("least_trials = 5_000\nmax_trials = 600\n", ["max_trials is less than least_trials"]),
        ("groups = {}\n", ["'groups' in [matrix] must be at least 1 value long"]),
        ('groups = { all = ["archer", "axer"] }\n', ["no group can be called 'all'"]),
        (
            'groups = { x = ["archr", "axer"], y = ["foo", "axer"] }\n',
            ["did you mean 'archer'?", "'foo' does not", "2 e"],
        ),
        ('[matrix.sides."<b>"]\ndesign = "axer"\n', ["the name '<b>' in [matrix.sides] is not allowed"]),
        (
            '[matrix.sides.own]\ndesign = "axer"\npolicy = "hld"\nfoo = 1\n',
            ["'foo' in [matrix.sides.own]", "'policy' in [matrix.sides.own]", "did you mean 'hold'?", "2 errors"],
        ),
    ],
)
def test_matrices_that_are_none(table, said, here, capsys):
    err = asked(capsys, "matrix", HEAD + THREE + table)
    assert [one for one in said if one not in err] == []
    assert "[sides] is missing" not in err and "[sides.a" not in err


@pytest.mark.parametrize(
    ("designs", "said"),
    [
        (
            '"archer", "Archer", "axer", "AXER"',
            ["'Archer' stands there twice", "'AXER' stands there twice", "2 errors"],
        ),
        ('"archer", "axer", "<script>"', ["no design is called '<script>'"]),
        ('"archer", {foo = 1}, "axer"', ["value 2 of 'designs' in [matrix] needs 'size'", "2 errors"]),
        ('"archer", "axer", {size = 1, equipment = ["catapult", "catapult"]}', ["J-DES-1"]),
        ('"archer", "axer"', ["a matrix needs three sides or more"]),
        ('"archer", "axer", "a\\u202eb"', ["U+202E"]),
    ],
)
def test_designs_that_are_none(designs, said, here, capsys):
    err = asked(capsys, "matrix", f"{HEAD}[matrix]\ndesigns = [{designs}]\n")
    assert [one for one in said if one not in err] == []


def test_a_design_is_told_where_it_stands_also_by_tuned_weights(here, capsys):
    text = (HEAD + THREE).replace("[run]", 'tuned = ["w.toml"]\n[run]').replace("sniper", "snipr")
    assert "there is no file of tuned weights" in asked(capsys, "matrix", text)
    Path("w.toml").write_text(WEIGHTS)
    assert "--> q.toml:10:30" in asked(capsys, "matrix", text)


def test_a_precision_that_nobody_reaches_ends_at_the_most_trials():
    data = {"schema": 1, "name": "x", "game": "jugger", "matrix": {"designs": ["archer", "axer", "sniper"]}}
    from simkit.api.matrices import _expected

    data["matrix"] |= {"precision": 1e-300, "least_trials": 512, "max_trials": 1000}
    assert _expected(lists.read(data)) == 3000


def test_who_is_in_no_group_is_told():
    groups = {"left": ["archer", "desert-rat"], "right": ["cutter", "archer"]}
    designs = ["archer", "desert-rat", "cutter", "axer"]
    data = {"schema": 1, "name": "x", "game": "jugger", "matrix": {"designs": designs, "groups": groups}}
    assert lists.read(data).notes == ["Axer met nobody and is in no group"]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("budget = true\n", ["'budget' in [search] must be a whole number, found true"]),
        ("budget = 1_000_000_000\n", ["size class 1000000000; there are 1 to 20"]),
        ("budget = 3\ndelta = inf\n", ["not a finite number"]),
        ("budget = 3\nfirst = 10_000\nlast = 1024\n", ["first is more than last"]),
        ('budget = 3\nfield = ["archer", "Archer"]\n', ["'Archer' stands there twice"]),
        (
            'budget = 3\nfield = ["thrasher", "warbah"]\n',
            ["Thrasher has size class 5, not 3", "Warbah has size class 4"],
        ),
        ('budget = 3\nwithout = ["sails", "Sails"]\n', ["'sails' stands in without twice"]),
        ('budget = 3\nonly = ["sails"]\nwithout = ["sails"]\n', ["every one of the only items is forbidden"]),
        ("budget = 3\ncounter = {}\n", ["[search.counter] needs 'size'", "1 error in"]),
        ('budget = 3\nneeds = ["legz"]\nwithout = ["foo"]\n', ["did you mean 'legs'?", "'foo'", "2 errors"]),
    ],
)
def test_searches_that_are_none(table, said, here, capsys):
    err = asked(capsys, "search", f"{HEAD}[search]\n{table}")
    assert [one for one in said if one not in err] == []


def test_few_trials_shorten_the_first_look():
    data = {"schema": 1, "name": "x", "game": "jugger", "search": {"budget": 3, "first": 5000}}
    assert searching.read(data, trials=2048).table.first == 2048


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('designs = ["archer", "Archer", "axer", "axer"]\n', ["'Archer' stands there twice", "'axer' st", "2 errors"]),
        ("designs = [{size = 3, equipment = []}, {size = 3, equipment = []}]\n", ["stands there twice", "1 error in"]),
        ('families = ["leg", "foo"]\nbudgets = [99, 3, 3]\n', ["'leg'", "'foo'", "class 99", "3 stands", "4 errors"]),
        ('families = ["legs-far", "legs-far"]\nbudgets = [3]\n', ["'legs-far' stands there twice"]),
        ('designs = ["archr"]\nopponents = ["nope"]\n', ["did you mean 'archer'?", "'nope'", "2 errors"]),
        ("designs = []\n", ["nobody is to be tuned"]),
    ],
)
def test_tunings_that_are_none(table, said, here, capsys):
    err = asked(capsys, "tune", f"{HEAD}[tune]\n{table}")
    assert [one for one in said if one not in err] == []


def test_weights_are_not_tuned_for_a_folder_that_is_not_there(here, capsys):
    text = HEAD + SHORT + 'designs = ["archer"]\n'
    assert "there is no folder nowhere" in asked(capsys, "tune", text, "--write", "nowhere/x.toml")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('metric = ""\n', ["'metric' in [sensitivity] must be at least 1 character long"]),
        ("cell = true\n", ["found true"]),
        ('house_rules = ["soft-bog", "capped-rams"]\n', ["did you mean 'soft-bogs'?", "is for jugger", "2 errors"]),
        ('house_rules = ["altered-odds"]\n', ["changes 'altered_odds', which the question compares"]),
        (
            'house_rules = ["soft-bogs"]\nfactors = { bogs.swamp = [-3, -4] }\n',
            ["changes 'bogs.swamp', which is a factor"],
        ),
        ("factors = { bogs.swamp = [-1, -4] }\n", ["neither off nor on is what 'bogs.swamp' is", "which is -3"]),
        ("factors = { course.turns = [2, 4] }\n", ["neither off nor on is what 'course.turns' is"]),
        (
            'factors = { "course.steps" = [[{down = 1}], [{down = 2}]], "course.steps.1.down" = [1, 2] }\n',
            ["'course.steps.1.down' lies inside 'course.steps'"],
        ),
        (
            "factors = { uphill_rerol = [false, true], foo = [1, 2] }\n",
            ["did you mean 'uphill_reroll'", "'foo'", "2 e"],
        ),
        ("ranges = { bogs.swamp = { min = 0, max = inf } }\n", ["not a finite number"]),
    ],
)
def test_sensitivities_that_are_none(table, said, here, capsys):
    err = asked(capsys, "sensitivity", RIDE + table)
    assert [one for one in said if one not in err] == []


def test_what_a_scenario_has_counts_as_asked(here, capsys):
    Path("q.toml").write_text(RIDE + "factors = { course.turns = [2, 3] }\n")
    combined = answered(capsys, "sensitivity", "q.toml")["factorial"]
    assert combined["start"] == 1


def test_a_house_rule_that_was_changed_is_another_question(here, capsys):
    Path("q.toml").write_text(RIDE + 'house_rules = ["own"]\n')
    runs = []
    for now in (-2, 0):
        house("house/own.toml", now=now)
        runs.append(answered(capsys, "sensitivity", "q.toml")["run"])
    assert runs[0] != runs[1]
    again = Path("out/ride") / runs[1] / "experiment.resolved.toml"
    assert answered(capsys, "sensitivity", again)["run"] == runs[1]


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (["none", "record"], ["a rule set stands there twice: the rules of record"]),
        (["none", "steady-nerves", "steady-nerves"], ["a rule set stands there twice: 'Steady nerves'"]),
        (["none", "soft-bogs+soft-bogs"], ["'soft-bogs' is joined to itself"]),
        (["none", "", "soft-bogs+"], ["'' lacks the name", "'soft-bogs+' lacks the name", "2 errors"]),
        (["soft-bog", "steady-nervs"], ["did you mean 'soft-bogs'?", "did you mean 'steady-nerves'?", "2 errors"]),
        (["none", "altered-odds", "soft-bog", "nervs"], ["'soft-bog'", "'nervs'", "2 errors"]),
        (["none", "a.toml", "b.toml"], ["--> a.toml", "--> b.toml", "2 errors"]),
        (["none", "soft-bogs", "capped-rams"], ["is for jugger, not for pigtickler"]),
        (["none", "\x1b[31m"], ["U+001B"]),
        (["none", "house/r1.toml"], ["go in a circle: r1 -> r2 -> r1"]),
        (["soft-bogs", "house/soft-bogs.toml"], ["a rule set stands there twice"]),
        (["house/own.toml", "other/own.toml"], ["two house rules go by the id 'own'"]),
    ],
)
def test_rule_sets_that_are_none(rules, said, here, capsys):
    Path("ride.toml").write_text(RIDE)
    for name in ("house/own.toml", "other/own.toml", "house/soft-bogs.toml"):
        house(name)
    for name, base in (("r1", "r2"), ("r2", "r1")):
        text = HOUSE.format("T", "W", -2).replace("[set]", f'house_rules = ["{base}"]\n[set]')
        Path(f"house/{name}.toml").write_text(text)
    err = asked(capsys, "compare", None, *rules, "--on", "ride.toml")
    assert [one for one in said if one not in err] == []


@pytest.mark.parametrize("within", ["0", "nan", "-1", "2", "inf"])
def test_no_share_moves_by_more_than_itself(within, here, capsys):
    assert f"'{within}' is not a number above 0 and up to 1" in asked(
        capsys, "compare", None, "none", "soft-bogs", "--within", within
    )
    with pytest.raises(ValueError, match="within is"):
        simkit.compare(
            "none", "soft-bogs", on={"schema": 1, "name": "x", "game": "pigtickler", **COURSE}, within=float(within)
        )


COURSE = {"course": {"steps": [{"bog": "swamp"}], "turns": 2}}


@pytest.mark.parametrize(
    ("command", "table", "trials"),
    [("matrix", THREE, 511), ("search", SMALL, 5), ("tune", SHORT + 'designs = ["axer"]\n', 5)],
)
def test_trials_have_their_bounds_from_python_too(command, table, trials, here):
    Path("q.toml").write_text(HEAD + table)
    with pytest.raises(ValueError, match=f"trials is {trials}; allowed are"):
        getattr(simkit, command)("q.toml", trials=trials)


@pytest.mark.parametrize("text", ["win_a > 1e999", "win_a.high < -1e999"])
def test_no_bound_is_endless(text):
    with pytest.raises(ValueError, match="too large"):
        condition.read(text, ["win_a"])


def test_titles_are_harmless_wherever_they_are_shown(here, capsys):
    sides = '[matrix.sides.own]\ndesign = "archer"\ntitle = "<script>alert(1)</script>"\n'
    own = ', {title = "=cmd|x", size = 1, equipment = ["ballista"]}]'
    Path("q.toml").write_text(
        (HEAD + THREE + FEW + sides).replace("]\nleast", own + "\nleast").replace("greedy", "hold")
    )
    run = answered(capsys, "matrix", "q.toml")["run"]
    folder = Path("out/standoff") / run
    with (folder / "pairs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert "'=cmd|x" in {row["b"] for row in rows}
    assert not any(row[key].startswith(("=", "+", "-", "@")) for row in rows for key in "ab")
    assert "<script>alert" not in (folder / "report.html").read_text()
    prose = (folder / "report.md").read_text().split("```")[0]
    assert "script" in prose and "<script>alert" not in prose


def test_a_full_disk_is_told_and_what_was_played_goes_on(here, capsys, monkeypatch):
    house("house/own.toml")
    Path("ride.toml").write_text(RIDE)
    arguments = ["compare", "none", "own", "--on", "ride.toml", "-q"]
    written, real = [], store.write_atomic

    def full(path, content):
        written.append(path)
        if len(written) > 1:
            raise OSError(28, "No space left on device", str(path))
        real(path, content)

    with monkeypatch.context() as patch:
        for module in (store, ledger):
            patch.setattr(module, "write_atomic", full)
        assert call([*arguments, "--out", "out"]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert call([*arguments, "--out", "out", "-j", "3"]) == 0
    assert call([*arguments, "--out", "whole", "-j", "1"]) == 0
    assert files(Path("out")) == files(Path("whole"))


def test_an_interruption_tells_of_all_that_is_kept(tmp_path):
    plan = made()
    opened = Study.opened("compare", plan, {}, out=tmp_path, jobs=1, progress=Silent(), trials=2000)
    with pytest.raises(Interrupted) as caught, opened as study:
        for replication in (0, 1):
            study.ledger().play(plan.cells, 0, 256, replication=replication)
        raise KeyboardInterrupt
    assert (caught.value.played, caught.value.kept, caught.value.wanted) == (512, 0, 2000)


def test_an_interruption_beyond_what_was_guessed_tells_no_share(here, capsys, monkeypatch):
    def interrupted(*_, **__):
        raise Interrupted(1500, 500, 1000)

    monkeypatch.setattr("simkit.api.drives.compared_on", interrupted)
    Path("ride.toml").write_text(RIDE)
    assert call(["compare", "none", "soft-bogs", "--on", "ride.toml", "-q"]) == 130
    said = capsys.readouterr().err.splitlines()[-1]
    assert said == "interrupted: 2,000 trials are kept; the same command goes on from there"


def test_a_problem_of_two_plans_is_told_once():
    data = {"schema": 1, "name": "x", "game": "jugger", "search": {"budget": 3, "field": [{"size": 3, "x": 1}]}}
    with pytest.raises(ProblemError) as caught:
        searching.read(data)
    assert [one.message for one in caught.value.problems] == ["unknown setting 'x' in value 1 of 'field' in [search]"]
