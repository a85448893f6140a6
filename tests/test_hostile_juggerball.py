"""Strangers' matches of juggerball: fields, teams and rules refused in words, and odd ones played to their end."""

import json
import re
from pathlib import Path

import pytest

from simkit.cli import call
from tests.commandline import ran

pytestmark = pytest.mark.thorough

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
HEAD = 'schema = 1\nname = "ball"\ngame = "juggerball"\n[run]\ntrials = 512\npolicy = "{}"\n'
FIELD = """
[scenario.field]
half_length = 12
half_rows = 6
goal = 10
starts = [[-4, 0], [-2, -4], [-6, 4], [-6, 0], [-4, -2], [-6, 2], [-8, 4]]
"""
SEVEN = "[sides.a]\njugs = [{}]\n"


def seven(jug):
    """Return a side of seven alike."""
    return SEVEN.format(", ".join([jug] * 7))


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    return tmp_path


def refused(capsys, text, *more, policy="random"):
    """Run a file that is to be refused, and return all that is said in one line."""
    Path("j.toml").write_text(HEAD.format(policy) + text, encoding="utf-8")
    assert call(["run", "j.toml", "--out", "out", "-q", *more]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err and "pydantic" not in err and "bug in simkit" not in err
    assert STEERING.search(err) is None
    assert not Path("out").exists()
    return " ".join(err.split())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("goal = 10", "goal = 0", "'goal' in [scenario.field] must be from 1 to 32, found 0"),
        ("goal = 10", "goal = nan", "'goal' in [scenario.field] is not a finite number"),
        ("goal = 10", "goal = true", "must be a whole number, found true"),
        ("goal = 10", "goal = 12", "the goals must be on the field, and free on all six sides (J-BALL-7)"),
        ("goal = 10", "goal = 25", "the goals must be on the field, and free on all six sides (J-BALL-7)"),
        ("goal = 10", "goal = 10\nobstacles = [[-9, 0], [9, 0]]", "free on all six sides (J-BALL-7)"),
        ("half_length = 12", "half_length = 100_000", "must be from 1 to 32, found 100,000"),
        ("half_length = 12", "half_length = 32", "half_length 32 and half_rows 6 reach to coordinate 35"),
        (", [-8, 4]", "", "must be at least 7 values long, found a list of 6"),
        (", [-8, 4]", ", [-8, 4], [-9, 4]", "must be at most 7 values long, found a list of 8"),
        ("[-8, 4]", "[-4, 0]", "[-4, 0] is the place of another jug (J-BALL-23)"),
        ("[-8, 4]", "[4, 0]", "[4, 0] is the place of another jug (J-BALL-23)"),
        ("[-8, 4]", "[0, 0]", "[0, 0] is the place of the ball (J-BALL-23)"),
        ("[-8, 4]", "[10, 0]", "[10, 0] is the place of a goal (J-BALL-23)"),
        ("[-8, 4]", "[-8, 4, 1]", "value 7 of 'starts' in [scenario.field] must be at most 2 values long"),
        ("[-8, 4]", "[-8.0, 4]", "help: write -8"),
        ("goal = 10", "goal = 10\nobstacles = [[1, 2]]", "[1, 2] has no image at [-1, -2]"),
        ("goal = 10", "goal = 10\nobstacles = [[0, 0]]", "the ball must start on a free hex of the field (J-BALL-7)"),
        ("goal = 10", "goal = 10\nobstacles = [[-4, 0], [4, 0]]", "[-4, 0] is no place for a jug (J-BALL-23)"),
        ("goal = 10", "goal = 10\nball_start = [-10, 0]", "the ball must start on a free hex of the field"),
        ("goal = 10", "goal = 10\nball_start = [-4, 0]", "[-4, 0] is the place of the ball"),
        ("goal = 10", "goal = 10\nobstacle = [[1, 2]]", "did you mean 'obstacles'?"),
        ("goal = 10", 'goal = 10\ntitle = "a\\u202eb"', "U+202E"),
    ],
)
def test_fields_that_are_none(old, new, said, here, capsys):
    text = FIELD.replace(old, new)
    assert text != FIELD
    err = refused(capsys, text)
    assert said in err and "put it in brackets" not in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[scenario]\nfield = "pich"\n', "did you mean 'pitch'?"),
        ("[scenario]\nfield = 3\n", "'field' in [scenario] must be text in quotes or a table, found 3"),
        ('[scenario]\nmap = "open"\n', "unknown setting 'map' in [scenario]"),
        ("[scenario]\nmax_turns = 1001\n", "must be from 1 to 1,000, found 1,001"),
        ('[sides.a]\nteam = "mirror"\n[sides.b]\nteam = "mirror"\n', "side a cannot mirror"),
        ('[sides.b]\nteam = "mirror"\nfixed = { items = ["legs"] }\n', "fixed goes with random jugs"),
        ('[sides.a]\nteam = "randm"\n', "did you mean 'random'?"),
        ('[sides.c]\nteam = "random"\n', "unknown table 'c' in [sides]"),
        (SEVEN.format(", ".join(['"random"'] * 200)), "must be at most 7 values long, found a list of 200"),
        (SEVEN.format(""), "must be at least 7 values long, found an empty list"),
        (seven("{ size = 25, equipment = [] }"), "'size' in jug 1 of [sides.a] must be from 1 to 20, found 25"),
        (seven('{ size = 1, equipment = ["catapult", "catapult"] }'), "J-DES-1"),
        (seven('"archr"'), "did you mean 'archer'?"),
        ('[sides.a]\nfixed = { items = ["lever"] }\n', "no improvement is called 'lever' (J-BALL-22)"),
        ('[sides.a]\nfixed = { items = ["legs", "legs"] }\n', "a jug cannot have legs and legs together (J-BALL-22)"),
        ('[sides.a]\nfixed = { items = ["legs"], jugs = 8 }\n', "'jugs' in [sides.a.fixed] must be from 0 to 7"),
        ("[sides.a]\nvalues = { guards = 1 }\n", "a player who values nothing: 'random' (J-BALL-25)"),
        ('[sides.a]\npolicy = "chase"\nvalues = { goall = 1 }\n', "did you mean 'goal'?"),
        ('[set]\nlegs_per_team = 0\n[sides.a]\nfixed = { items = ["legs"] }\n', "a team may have 0 (J-BALL-22)"),
        ("[set]\ngoals_to_win = 0\n", "'goals_to_win' must be from 1 to 99, found 0"),
        ("[set]\nball_headings = 7\n", "'ball_headings' must be"),
        ("[set]\nbounce_table = [1, 2]\n", "'bounce_table'"),
        ('[set]\nball_kick_dice = "1d6-10"\n', "an amount is never below 0"),
        ('[set]\nball_roll_dice = "100d100"\n', "these dice need a table of 9,901 rows"),
        ("[set]\ngoal_to_win = 1\n", "did you mean 'goals_to_win'"),
    ],
)
def test_matches_that_are_none(text, said, here, capsys):
    assert said in refused(capsys, text)


@pytest.mark.parametrize("path", ["scenario.field.goal=99", "sides.a.jugs=[]", "ball.__class__=1", "bounce_limit=1e9"])
def test_set_nonsense(path, here, capsys):
    assert "1 error" in refused(capsys, FIELD, "--set", path)


@pytest.mark.parametrize(
    ("method", "text", "said"),
    [
        ("", '[league.sides.x]\nteam = "random"\n[league.sides.y]\nteam = "mirror"\n', "side a cannot mirror"),
        ("budget = 3\n", "", "Juggerball does not tell what a side costs"),
        ("", '[league.armies.z]\nrace = "elf"\nbudget = 9\n', "the presets of Juggerball have no race"),
        ('method = "exact"\n', "", "x at home to y has no exact odds"),
        ('home_field = "map"\n', '[league.home.x]\nfield = "pitch"\n[league.home.y]\nfield = "gats"\n', "'gates'?"),
        ("carry_damage = true\n", "", "(J-LEA-3)"),
    ],
)
def test_leagues_that_are_none(method, text, said, here, capsys):
    teams = "" if "sides" in text else '[league.sides.x]\nteam = "random"\n[league.sides.y]\nteam = "random"\n'
    Path("j.toml").write_text(HEAD.format("random") + "[league]\nseasons = 512\n" + method + teams + text)
    assert call(["league", "j.toml", "--out", "out", "-q"]) == 2
    err = " ".join(capsys.readouterr().err.split())
    assert said in err and "bug in simkit" not in err


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("policy", "text"),
    [
        ("greedy", FIELD.replace("goal = 10", "goal = 1")),
        ("chase", FIELD.replace("goal = 10", "goal = 10\nball_start = [3, 0]")),
        (
            "greedy",  # two halves that nobody can pass between
            FIELD
            + "obstacles = ["
            + ", ".join(f"[{-(r // 2) if r else 1}, {r}], [{r // 2 if r else -1}, {-r}]" for r in range(7))
            + "]\n",
        ),
        (
            "greedy",  # a jug of each side walled in
            FIELD + "symmetric = true\nwalls = [[-3, 0], [-4, 1], [-5, 1], [-5, 0], [-4, -1], [-3, -1]]\n",
        ),
        ("greedy", seven('"landship"') + seven('"landship"').replace("sides.a", "sides.b")),
        ("random", "[set]\nbounce_table = [180, 180, 180, 180, 180, 180]\nbounce_limit = 1_000\nball_headings = 6\n"),
        ("random", '[set]\nball_kick_dice = "0"\nball_roll_dice = "0"\nno_stop_within = 20\n'),
        ("random", '[set]\nball_kick_dice = "1d100+900"\n'),
        ("chase", "[set]\nlegs_per_team = 0\nbounce_table = [0, 0, 0, 0, 0, 0]\n"),
    ],
)
def test_odd_matches_end(policy, text, here, capsys):
    Path("j.toml").write_text(HEAD.format(policy) + text)
    document = json.loads(ran(capsys, "run", "j.toml", "--out", "out", "-q", "--json").out)
    outcomes = {name: value["estimate"] for name, value in document["cells"][0]["metrics"].items()}
    assert outcomes["win_a"] + outcomes["win_b"] + outcomes["draw"] == pytest.approx(1)
    assert 1 <= outcomes["turns"] <= 200


@pytest.mark.thorough
def test_titles_are_harmless_wherever_they_are_shown(here, capsys):
    evil = "<script>alert(1)</script>"
    text = FIELD + f'title = "{evil}"\nsays = "{evil}"\n[sides.a]\ntitle = "{evil}"\n'
    Path("j.toml").write_text(HEAD.format("random") + text)
    ran(capsys, "run", "j.toml", "--out", "out", "-q")
    assert evil not in next(Path("out/ball").glob("*/report.html")).read_text()
    for name in ("match.svg", "match.html"):
        option = "--svg" if name.endswith("svg") else "--html"
        ran(capsys, "replay", "j.toml", option, name)
        shown = Path(name).read_text()
        assert evil not in shown
        assert re.search(r"(src|href)=[\"']?(https?:)?//", shown) is None
