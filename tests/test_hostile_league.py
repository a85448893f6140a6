"""Strangers' leagues: refused in words before anything is played, or held rightly and shown harmless."""

import csv
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from simkit.api.tables import check_without_sides
from simkit.balance.league import figures
from simkit.balance.league.figures import Kind
from simkit.balance.league.fixtures import fixtures
from simkit.balance.league.matches import Results
from simkit.balance.league.sources import played
from simkit.balance.league.tally import Way, count
from simkit.cli import call
from tests.commandline import ran
from tests.league_toys import files

pytestmark = pytest.mark.thorough

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
HEAD = 'schema = 1\nname = "seasons"\ngame = "jugger"\n[run]\npolicy = "hold"\n[scenario]\ndistance = 3\n'
THREE = '[league]\ndesigns = ["archer", "sniper", "lobber"]\n'
EXACT = THREE + 'method = "exact"\n'
NAMES = ("archer", "sniper", "lobber")
RACES = '[league]\nbudget = 8\nseasons = 512\n{}[league.armies.x]\nrace = "elf"\n[league.armies.y]\nrace = "orc"\n'


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    return tmp_path


def refused(capsys, table, *more, head=HEAD):
    """Ask for a league that is to be refused, and return all that is said in one line."""
    Path("q.toml").write_text(head + table, encoding="utf-8")
    assert call(["league", "q.toml", "--out", "out", "-q", *more]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err and "pydantic" not in err and "bug in simkit" not in err
    assert STEERING.search(err) is None
    assert not Path("out").exists()
    return " ".join(err.split())


def homes(field, *values):
    """Give everybody a home."""
    tables = (f"[league.home.{id}]\n{field} = {value}\n" for id, value in zip(NAMES, values, strict=False))
    return 'home_field = "map"\n' + "".join(tables)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("seasons = 511\n", ["'seasons' in [league] must be from 512 to 100,000,000, found 511"]),
        ("seasons = 512.0\n", ["found 512", "write 512"]),
        ("fair_within = nan\n", ["'fair_within' in [league] is not a finite number"]),
        ("points = [3, 1]\n", ["at least 3 values long, found a list of 2"]),
        ("points = [true, 1, 0]\n", ["value 1 of 'points'", "found true"]),
        ("points = [1, 1, 1]\n", ["points 1-1-1 do not fall from win to loss"]),
        ('tie_break = ["dircet", "roll"]\n', ["did you mean 'direct'?"]),
        ('tie_break = ["roll", "direct"]\n', ["a tie ends with 'roll'"]),
        ("rounds = 9\n", ["'rounds' in [league] must be from 1 to 8, found 9"]),
        ('metod = "played"\n', ["unknown setting 'metod'", "did you mean 'method'?"]),
        ("promoted = 1\n", ["promoted goes with divisions"]),
        ('divisions = [["archer", "snipr"], ["lobber", "archer"]]\n', ["did you mean 'sniper'?", "twice", "3 errors"]),
        ("budget = 2\n", ["'archer' has 3 size classes, at most 2 are allowed (J-ARM-1)"]),
        ('difference = "hitss"\n', ["did you mean 'hits'?"]),
        ("carry_damage = true\n", ["begin undamaged", "(J-LEA-3)"]),
        ('reroll = "season"\n', ["is for armies of a race, and none takes part (J-LEA-3)"]),
        ("[league.instead]\n", ["nothing is otherwise in [league.instead]"]),
        ('[league.instead]\nset = { "weapons.balista.to_hit" = 3 }\n', ["no value called 'weapons.balista.to_hit'"]),
        ('[league.instead]\nset = { "sides.a.policy" = "hold" }\n', ["no value called 'sides.a.policy'"]),
        ('[league.instead]\nhouse_rules = ["soft-bogs"]\n', ["is for pigtickler, not for jugger"]),
        ('[league.sides."<b>"]\ndesign = "axer"\n', ["the name '<b>' in [league.sides] is not allowed"]),
        ('[league.sides.own]\ndesign = "axer"\ntitle = "a\\u202eb"\n', ["U+202E"]),
        ('[league.sides.archer]\ndesign = "axer"\n', ["'archer' stands there twice"]),
        ('[league.armies.x]\nrace = "elff"\nbudget = 20\n', ["did you mean 'elf'?"]),
        ('[league.armies.x]\nrace = "elf"\n', ["the random army 'x' has no budget"]),
        ('[league.armies.x]\nrace = "elf"\nbudget = 1\n', ["no design of race 'elf' fits into a budget of 1"]),
    ],
)
def test_leagues_that_are_none(table, said, here, capsys):
    err = refused(capsys, THREE + table)
    assert [one for one in said if one not in err] == []


@pytest.mark.parametrize(
    ("designs", "said"),
    [
        ('["archer"]', "a league has 2 to 32 entrants, this file has Archer (J-LEA-1)"),
        ('"all"', "a league has 2 to 32 entrants, this file has 54 sides"),
        ("[" + '{size = 1, equipment = ["ballista"]},' * 33 + "]", "this file has 33 sides"),
        ('["archer", "Archer"]', "'Archer' stands there twice"),
        ('["archer", "axr"]', "did you mean 'axer'?"),
        ("[]", "'designs' in [league] must be at least 1 value long, found an empty list"),
    ],
)
def test_entrants_that_are_none(designs, said, here, capsys):
    assert said in refused(capsys, f"[league]\ndesigns = {designs}\n")


def test_a_list_that_is_too_short_is_not_to_be_put_in_brackets(here, capsys):
    assert "brackets" not in refused(capsys, THREE + 'divisions = [["archer", "sniper"]]\n')


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (homes("map", '"open"', '"opn"', '"open"'), ["--> q.toml:14:7", "did you mean 'open'?", "1 error in"]),
        (homes("foo", "1", "2", "3"), ["--> q.toml:12:7", "unknown setting 'foo'", "3 errors"]),
        (homes("sides", "1", "2", "3"), ["unknown setting 'sides' in [scenario]"]),
        (homes("distance", "3", "4", "-5"), ["--> q.toml:16:12", "must be from 1 to 50, found -5"]),
        (homes("map", "{}", '"open"', '"open"'), ["--> q.toml:12:7", "[scenario.map] needs 'half_length'"]),
        (homes("map", '"open"', '"open"'), ["the home of 'lobber' lacks map"]),
        ('home_field = "map"\n', ["go together"]),
    ],
)
def test_a_home_that_is_none_is_told_where_it_stands(table, said, here, capsys):
    err = refused(capsys, THREE + table)
    assert [one for one in said if one not in err] == []


@pytest.mark.parametrize("field", ['map = "opn"', "foo = 1", "distance = 0", "map = {}"])
def test_the_home_of_a_random_army_too(field, here, capsys):
    table = RACES.format('reroll = "season"\nhome_field = "map"\n')
    table += f"[league.home.x]\n{field}\n[league.home.y]\n{field}\n"
    assert "--> q.toml:18:" in refused(capsys, table)


def test_what_every_home_says_is_not_set_from_outside(here, capsys):
    table = THREE + homes("distance", "3", "4", "5")
    said = "--set scenario.distance: where they meet is said by [league.home]"
    assert said in refused(capsys, table, "--set", "scenario.distance=7")


@pytest.mark.parametrize(
    ("rounds", "odds", "said"),
    [
        ("double", 'archer = ["1", "0", "0"]', "'archer' does not play against itself"),
        ("double", "sniper = [1, 1, 0]", "the odds of 'archer' at home to 'sniper' add up to 2, not to 1"),
        ("double", "snipr = [1, 0, 0]", "did you mean 'sniper'?"),
        ("double", 'sniper = ["1/0", 0, 0]', "'1/0' is not a chance"),
        ("double", 'sniper = ["-1/2", 1, "1/2"]', "'-1/2' is not a chance"),
        ("double", 'sniper = ["\u0661/2", 0, "1/2"]', "is not a chance"),
    ],
)
def test_odds_that_are_none(rounds, odds, said, here, capsys):
    assert said in refused(capsys, f'{EXACT}rounds = "{rounds}"\n[league.odds.archer]\n{odds}\n')


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("seasons = 100_000_000\n", "600,000,000 results, at most 20,000,000 fit"),
        ('method = "matrix"\ngames = 100_000_000\n', "600,000,000 results, at most 20,000,000 fit"),
        ('method = "matrix"\ngames = 512\nrounds = 8\n', "512 games of a pair at each home are too few for 8 rounds"),
    ],
)
@pytest.mark.parametrize("yes", [[], ["--yes"]])
def test_too_much_is_refused_whoever_says_yes(table, said, yes, here, capsys):
    assert said in refused(capsys, THREE + table, *yes)


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        ("sides.a.policy=hold", "who fights is said by [league]"),
        ("league.seasons=1024", "no value called 'league.seasons'"),
        ("weapons.ballista.__class__=1", "no value called 'weapons.ballista.__class__'"),
        ("weapons.ballista.to_hit=nan", "is not a finite number"),
        ("scenario.distance=0", "must be from 1 to 50, found 0"),
        ("x", "--set takes PATH=VALUE"),
    ],
)
def test_set_nonsense(pair, said, here, capsys):
    assert said in refused(capsys, THREE, "--set", pair)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title > nan", "is no condition"),
        ("title > 1e999", "too large"),
        ("title.low.high > 3", "is no condition"),
        ("", "takes a word of the verdict"),
        ("__import__('os') > 1", "is no condition"),
    ],
)
def test_conditions_that_are_none(text, said, here, capsys):
    assert said in refused(capsys, THREE, "--fail-if", text)


def test_a_file_without_sides_is_checked_for_what_it_asks(here, capsys):
    Path("q.toml").write_text(HEAD + THREE + '[matrix]\ndesigns = ["archer", "axer", "tug"]\n')
    said = ran(capsys, "check", "q.toml").out
    assert said == "q.toml: fine: [league], [matrix]; without [sides] there is nothing for simkit run\n"
    Path("q.toml").write_text(
        HEAD + THREE.replace("sniper", "snipr") + '[matrix]\ndesigns = ["archer", "axr", "tug"]\n'
    )
    err = ran(capsys, "check", "q.toml", code=2).err
    assert "[sides] is missing" not in err
    assert "did you mean 'sniper'?" in err and "did you mean 'axer'?" in err and "2 errors" in err
    for more in ("", "[sweep.axes]\nmap = [1]\n", '[balance]\nitems = ["legs"]\n'):
        Path("q.toml").write_text(HEAD + (more and THREE + more))
        assert check_without_sides(Path("q.toml")) == []
        assert "[sides] is missing" in ran(capsys, "check", "q.toml", code=2).err
    Path("q.toml").write_text(HEAD.replace("jugger", "chess") + THREE)
    assert "no game is called 'chess'" in ran(capsys, "check", "q.toml", code=2).err


def test_a_check_plays_nothing_and_sees_odds_and_limits(here, capsys):
    for table, said in (
        (EXACT + "[league.odds.archer]\nsniper = [1, 1, 0]\n", "add up to 2"),
        (THREE + "seasons = 100_000_000\n", "at most 20,000,000 fit"),
        (THREE + homes("map", '"opn"', '"open"', '"open"'), "no map is called 'opn'"),
    ):
        Path("q.toml").write_text(HEAD + table)
        assert said in ran(capsys, "check", "q.toml", code=2).err


def seasons_of(odds, size, seasons, seed):
    """Count seasons whose matches are won, drawn and lost by the odds, whoever plays."""
    matches = fixtures(size, "double")
    results = np.random.default_rng(seed).choice([2, 1, 0], (seasons, len(matches)), p=odds).astype(np.int8)
    none = np.zeros(results.shape, np.int64)
    way = Way(matches, size, [3, 1, 0], ["direct", "difference", "roll"], seed)
    return count([way], [played(Results(results, none, none.astype(np.int8)))], seasons).tallies[0]


def test_entrants_that_are_one_have_even_titles_and_upsets():
    """J-LEA-8: each of eight alike wins one title in eight, and half of the decided matches are upsets."""
    kind = Kind(True, 512, 0.99)
    within = {"titles": 0, "upsets": 0, "home": 0}
    for seed in range(20):
        tally = seasons_of([0.4, 0.2, 0.4], 8, 512, seed)
        titles = figures.shares(tally.titles, 512, kind, together=True)
        within["titles"] += all(one["low"] <= 1 / 8 <= one["high"] for one in titles)
        upsets = figures.upsets(tally, kind)
        within["upsets"] += upsets["low"] <= 0.5 <= upsets["high"]
        halves, matches = figures.homes(tally)
        home = figures.ratio(halves, 2 * matches, kind)
        within["home"] += home["low"] <= 0.5 <= home["high"]
    assert min(within.values()) >= 18, within


def test_who_scores_less_is_no_matter_of_luck_where_it_is_resolved():
    """J-LEA-8: where every pair is resolved the interval of upsets is that of the batches, and home share is known."""
    tally = seasons_of([1.0, 0.0, 0.0], 4, 512, 1)
    halves, matches = figures.homes(tally)
    assert (halves == 2 * matches).all()
    won, kind = figures.decided(tally), Kind(True, 512, 0.99)
    assert won[0].sum() == won[1].sum()  # each has won every match at home: half an upset each
    tally.met[:] = 0
    tally.met[0, 1, 2] = tally.met[1, 0, 0] = 9  # the first wins nine of ten at either seat
    tally.met[0, 1, 0] = tally.met[1, 0, 2] = 1
    tally.met[0, 1, :, ::2], tally.met[1, 0, :, ::2] = [[2], [0], [8]], [[8], [0], [2]]
    found, decided = figures.decided(tally)
    assert figures.upsets(tally, kind) == figures.ratio(found, 2 * decided, kind)
    assert figures.upsets(tally, kind)["estimate"] == pytest.approx(0.15)


@pytest.mark.thorough
def test_titles_are_harmless_wherever_they_are_shown(here, capsys):
    sides = (
        '[league.sides.one]\ndesign = "archer"\ntitle = "<script>alert(1)</script>"\n'
        '[league.sides.two]\ndesign = "sniper"\ntitle = "=cmd|x"\n'
        '[league.sides.three]\ndesign = "lobber"\ntitle = "[x](javascript:1) \u6f22\u5b57"\n'
    )
    Path("q.toml").write_text(HEAD + "[league]\nseasons = 512\n" + sides, encoding="utf-8")
    said = ran(capsys, "league", "q.toml", "--out", "out", "-q", "--json")
    folder = Path("out/seasons") / json.loads(said.out)["run"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert re.search(r"(src|href)=[\"']?(https?:)?//", page) is None
    assert not any("<script>" in plot.read_text(encoding="utf-8") for plot in (folder / "plots").iterdir())
    prose = (folder / "report.md").read_text(encoding="utf-8").split("```")[0]
    assert "<script>alert" not in prose and "[x](javascript" not in prose
    with (folder / "table.csv").open(newline="", encoding="utf-8") as file:
        assert not any(cell.startswith(("=", "+", "@")) for row in csv.reader(file) for cell in row)


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGKILL, -9)])
@pytest.mark.parametrize("way", ['method = "matrix"\ngames = 8_192\nseasons = 25_600\n', "seasons = 4_096\n"])
def test_a_killed_league_goes_on_to_the_same_bytes(number, code, way, here, capsys):
    table = THREE + way + '[league.instead]\nset = { "weapons.ballista.to_hit" = 5 }\n'
    Path("q.toml").write_text(HEAD.replace("hold", "greedy").replace("= 3", "= 6") + table)
    ran(capsys, "league", "q.toml", "--out", "whole", "-q", "-j", "2")
    arguments = [sys.executable, "-m", "simkit", "league", "q.toml", "--out", "out", "-q", "-j", "2"]
    wake = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)  # noqa: E731
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=wake) as process:
        until = time.monotonic() + 60
        while not list(Path().glob("out/seasons/*/blocks/parcels/[0-9a-f]*.npz")) and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert process.returncode == code and b"Traceback" not in err
    ran(capsys, "league", "q.toml", "--out", "out", "-q", "-j", "1")
    assert files(Path("out")) == files(Path("whole"))
