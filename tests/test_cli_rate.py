"""``simkit rate`` and ``simkit designs GAME NAME``: ratings, how they come about, what changed rules do to them."""

import doctest
import json
import tomllib
from pathlib import Path

import pytest

import simkit
from simkit import api
from simkit.games.battlesystem import presets, showing
from simkit.games.battlesystem.units import load
from simkit.games.jugger import showing as jugs
from simkit.lab import inforce
from tests.commandline import QUESTIONS, fits, ran, said, settle
from tests.test_startup import HEAVY, loaded

HEAD = 'schema = 1\nname = "mine"\nquestion = "Who?"\ngame = "battlesystem"\n'
WORKED = f"""{HEAD}
[sides.a]
design = "lancer"
[sides.b]
units = [{{ design = "worg" }}, {{ design = "two" }}, {{ design = "three" }}, {{ design = "four" }}]
[designs]
lancer = {{ rider = {{ ar = 20, ac = 4, hd = 1, damage = "d8" }}, mount = "heavy-warhorse" }}
worg = {{ rider = {{ ar = 20, ac = 6, hd = 1, damage = "d6" }}, mount = "worg" }}
[designs.two]
crew = [{{ ar = 20, ac = 5, hd = 1, damage = "d6" }}, {{ ar = 20, ac = 5, hd = 1, damage = "d6" }}]
team = [{{ ar = 16, ac = 7, hd = 2, mv = 18, damage = "d6" }}, "medium-warhorse"]
[designs.three]
crew = [{{ ar = 20, ac = 5, hd = 1, damage = "d6" }}, {{ ar = 20, ac = 5, hd = 1, damage = "d6" }}]
team = ["medium-warhorse", "medium-warhorse", "medium-warhorse"]
[designs.four]
crew = [{{ ar = 20, ac = 5, hd = 1, damage = "d6" }}, {{ ar = 20, ac = 5, hd = 1, damage = "d6" }}]
team = ["medium-warhorse", "medium-warhorse", "medium-warhorse", "medium-warhorse"]
"""
MARCH = HEAD + 'units = ["orcs", "us"]\n[designs.us]\nar = 20\nac = 5\nhd = "4+4"\nmv = 7\ndamage = "d6"\n'
WHEELS = """
schema = 1
for = "battlesystem"
title = "Wide wheels"
why = "Chariots need room for their wheels."
[set]
chariot_width = "2"
chariot_damage = { was = "sum", now = "average" }
"""


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    settle(tmp_path, monkeypatch)


def file(text, name="mine.toml"):
    Path(name).write_text(text, encoding="utf-8")
    return name


def rated(capsys, *arguments):
    out, err = ran(capsys, "rate", *arguments, "--json")
    assert err == "" and out.count("\n") == 1
    document = json.loads(out)
    assert document["schema"] == 1
    return document


def by_name(document):
    return {one["name"]: one["ratings"] for one in document["designs"]}


# Battlesystem


def test_worked_examples_1_to_3(capsys):
    """B-CAV-1, B-CHA-1, B-CHA-2: a lancer, a rider on a worg, chariots of two, three and four horses."""
    found = by_name(rated(capsys, file(WORKED)))
    assert {name: tuple(one[key] for key in ("ar", "ac", "hd", "mv")) for name, one in found.items()} == {
        "lancer": (20, 7, 2, 15),
        "worg": (20, 6, 3, 18),
        "two": (18, 4, 3, 12),
        "three": (17, 4, 3, 18),
        "four": (17, 4, 3, 18),
    }
    assert {name: (one["ratio"], one["pool"]) for name, one in found.items()} == {
        "lancer": (10, 20), "worg": (10, 30), "two": (10, 30), "three": (10, 30), "four": (10, 30),
    }  # fmt: skip


def test_every_number_is_explained_with_its_rule(capsys):
    out = ran(capsys, "rate", "battlesystem", "Heavy cavalry", "worg-riders").out
    assert "heavy-cavalry  10      20  7   2   20     15  2d4+1 (x2 charging), 2 x 1d8, 1d3  3/4 x 3/2" in out
    assert "  HD 2: the mean of 1 for the rider and 3+3, which counts 3, for the mount is 2 (B-CAV-1)." in out
    assert "  HD 3: the mean of 1-1, which counts 1, for the rider and 4+4, which counts 5," in out
    assert "  AC 7: the poorer of the 4 of the rider and the 7 of the mount (B-CAV-1)." in out
    assert "(B-CAV-1)" not in ran(capsys, "rate", "battlesystem", "heavy-cavalry", "--no-steps").out


def test_all_presets(capsys):
    assert list(by_name(rated(capsys, "battlesystem"))) == list(load())
    out = ran(capsys, "rate", "battlesystem").out
    assert len(out.splitlines()) == len(load()) + 3
    assert "B-LAN-2" not in out and "B-LAN-2" in ran(capsys, "rate", "battlesystem", "--steps").out


def test_what_house_rules_change(capsys):
    """B-CHA-1, B-LAN-3: averaged damage and wider bases, for chariots alone."""
    house = file(WHEELS, "wheels.toml")
    sheet = rated(capsys, house)
    assert [one["name"] for one in sheet["designs"]] == [f"{n}-horse-chariots" for n in ("two", "three", "four")]
    for one in sheet["designs"]:
        assert one["ratings"]["damage"] == [{"dice": "average", "mean": "25/2", "doubles": False}]
        assert (one["ratings"]["width"], one["record"]["width"]) == (2, 1)
        assert set(one["record"]) == {"damage", "width"}
    assert [(one["path"], one["record"], one["values"]) for one in sheet["changed"]] == [
        ("chariot_damage", "sum", ["average"]),
        ("chariot_width", "1", ["2"]),
    ]
    out = ran(capsys, "rate", "battlesystem", "two-horse-chariots", "--house", house, "--no-steps").out
    assert 'chariot_width = "2", of record "1"   [B-LAN-3]' in out
    assert "two-horse-chariots  damage  6 x 1d6, 2 x 1d3  12.5 on average" in out
    assert "two-horse-chariots  base    1 x 2             2 x 2" in out
    assert ran(capsys, "rate", house, "elves").out.count("that changes none of these ratings") == 1
    averaged = rated(capsys, "battlesystem", "four-horse chariots", "--house", "averaged-chariots")
    assert averaged["designs"][0]["ratings"]["damage"][0]["mean"] == "25/2"
    assert rated(capsys, "battlesystem", "--set", "wall_move=1/3")["designs"][0]["record"] == {}


def test_a_file_is_rated_by_its_own_rules(capsys):
    own = file(MARCH.replace("units", 'set = { hd_plus = "drop" }\nunits'))
    sheet = rated(capsys, own)
    assert [one["name"] for one in sheet["designs"]] == ["us", "orcs"]
    (us, orcs) = sheet["designs"]
    assert (us["ratings"]["hd"], us["record"], orcs["record"]) == (4, {"hd": 5, "pool": 25}, {})
    assert [one["name"] for one in rated(capsys, own, "Orcs")["designs"]] == ["orcs"]
    assert by_name(rated(capsys, own, "us", "--set", "hd_plus=plus4_next_die"))["us"]["hd"] == 5


def test_cells_that_rate_a_design_otherwise(capsys):
    swept = file(WORKED + '[sweep.axes]\nchariot_width = ["1", "2"]\n"sides.a.policy" = ["hold", "charge"]\n')
    found = [(one["name"], one["cells"], one["where"]) for one in rated(capsys, swept, "two", "lancer")["designs"]]
    assert found == [
        ("two", [1, 2], {"chariot width in inches": "1"}),
        ("two", [3, 4], {"chariot width in inches": "2"}),
        ("lancer", [1, 2, 3, 4], {}),
    ]
    out = ran(capsys, "rate", swept, "--no-steps").out
    assert "two     chariot width in inches 1  10      18  4   3" in out
    assert out.count("chariot width in inches 2") == 6  # three chariots, in the table and below it


# Jugger


def test_a_jug_is_rated(capsys):
    """J-SC-1, J-ACC-1, J-EQ-1 to J-EQ-3."""
    sheet = rated(capsys, "jugger", "windrammer", "walker")
    rammer, walker = (one["ratings"] for one in sheet["designs"])
    assert (rammer["hits"], rammer["acceleration"], rammer["deceleration"], rammer["ram"]) == (100, 3, 3, "1d6+7")
    assert (walker["top_velocity"], walker["turn_rate"], walker["kick"]) == (5, 2, "1d10+7")
    out = ran(capsys, "rate", "jugger", "walker", "windrammer").out
    assert "  Acceleration 3: 1 (J-ACC-1) + 2 sails x 1 (J-EQ-2)." in out
    assert "  Turns 2: 1 (J-ACC-1) + legs x 1 (J-EQ-3)." in out
    assert "  Top speed 5: with legs (J-EQ-3)." in out


def test_every_published_jug_is_explained(capsys):
    for one in rated(capsys, "jugger")["designs"]:
        ratings = one["ratings"]
        for key, word in (("hits", "Hits"), ("acceleration", "Acceleration"), ("turn_rate", "Turns")):
            step = next(step for step in one["steps"] if step.startswith(f"{word} {ratings[key]}: "))
            terms = [term.split(" (")[0] for term in step.split(": ", 1)[1].split("; ")[0].split(" + ")]
            assert sum(worth(term) for term in terms) == ratings[key], step


def worth(term):
    """Return what a term such as ``2 sails x 1``, ``size 4 x 20`` or ``1`` adds."""
    words = term.split()
    each = int(words[-1])
    if "x" not in words:
        return each
    return each * (int(words[0]) if words[0].isdigit() else int(words[1]) if words[0] == "size" else 1)


def test_the_designs_of_a_jugger_file_and_rules_that_change_them(capsys):
    duel = '[sides.a]\ndesign = "Walker"\n[sides.b]\ndesign = { size = 2, equipment = ["armor"] }\n'
    own = file(HEAD.replace("battlesystem", "jugger") + duel + '[designs.tub]\nsize = 3\nequipment = ["sails"]\n')
    found = by_name(rated(capsys, own, "--set", "armor_hits=5"))
    assert {name: one["hits"] for name, one in found.items()} == {"tub": 60, "walker": 140, "side b": 45}
    sheet = rated(capsys, "jugger", "battlemaster", "--set", "printed_hits=true")
    assert (sheet["designs"][0]["ratings"]["hits"], sheet["designs"][0]["record"]["hits"]) == (220, 200)
    out = ran(capsys, "rate", "jugger", "battlemaster", "--set", "printed_hits=true").out
    assert "battlemaster  hits    200        220" in out and "Hits 220: as printed (J-DES-1)." in out
    none = ran(capsys, "rate", QUESTIONS / "house" / "capped-rams.toml").out.splitlines()
    assert none[0] == "none of the presets of Jugger is rated otherwise by this house rule" and len(none) > 1


def test_presets_that_changed_rules_forbid(capsys):
    """J-DES-1: legs that take two spaces leave no room for the rest; they are rated as before."""
    house = QUESTIONS / "house" / "heavy-legs.toml"
    sheet = rated(capsys, house)
    assert "walker" in by_name(sheet) and all(one["record"] == {} and one["illegal"] for one in sheet["designs"])
    out = ran(capsys, "rate", house, "--no-steps").out
    assert "not legal by these rules:\n" in out
    assert "  walker: the equipment fills 8 spaces; size 7 gives 7 (J-DES-1)" in out
    assert rated(capsys, "jugger", "walker")["designs"][0]["illegal"] == []


# One design


def test_one_preset_with_its_table_to_copy(capsys):
    out = ran(capsys, "designs", "battlesystem", "Worg riders").out
    assert "  MV 18: the mount's (B-CAV-1)." in out
    table = tomllib.loads(out[out.index("[designs.") :])["designs"]["my-worg-riders"]
    assert table["rider"] == "goblins" and table["mount"] == "worg"
    document = json.loads(ran(capsys, "designs", "battlesystem", "worg-riders", "--json").out)
    assert document["table"] == table == tomllib.loads(document["toml"])["designs"]["my-worg-riders"]
    assert document["design"]["ratings"]["hd"] == 3


@pytest.mark.parametrize("name", ["two-horse-chariots", "lizard-men", "elves", "heavy-cavalry"])
def test_a_copied_table_is_rated_as_its_preset(capsys, name):
    text = json.loads(ran(capsys, "designs", "battlesystem", name, "--json").out)["toml"]
    sides = f'[sides.a]\ndesign = "my-{name}"\n[sides.b]\ndesign = "{name}"\n'
    one, other = rated(capsys, file(HEAD + sides + text))["designs"]
    assert one["ratings"] == other["ratings"] and one["steps"] == other["steps"]


def test_a_copied_jug(capsys):
    text = json.loads(ran(capsys, "designs", "jugger", "Thrasher", "--json").out)["toml"]
    sides = '[sides.a]\ndesign = "my-thrasher"\n[sides.b]\ndesign = "thrasher"\n'
    one, other = rated(capsys, file(HEAD.replace("battlesystem", "jugger") + sides + text))["designs"]
    assert one["ratings"] == other["ratings"]


# From Python


def test_from_python(capsys):
    assert simkit.rate("jugger", "walker") == rated(capsys, "jugger", "walker")
    assert simkit.rate(file(MARCH), "us", set={"hd_plus": "drop"})["designs"][0]["ratings"]["hd"] == 4
    averaged = simkit.rate("battlesystem", "four-horse-chariots", house=["averaged-chariots"])
    assert averaged["designs"][0]["ratings"]["damage"][0]["dice"] == "average"
    with pytest.raises(ValueError, match="a file names its house rules itself"):
        simkit.rate(file(MARCH), house=["averaged-chariots"])
    with pytest.raises(LookupError, match="did you mean 'elves'"):
        simkit.rate("battlesystem", "elfs")


# What is refused


def test_what_is_refused(capsys):
    assert "No unit is called 'elfs'. Did you mean 'elves'? There are: men-at" in said(
        capsys, "rate", "battlesystem", "elfs"
    )
    assert "Did you mean 'walker'?" in said(capsys, "designs", "jugger", "walkr")
    assert "Pig Tickler rates no designs. Games that do: battlesystem, jugger." in said(capsys, "rate", "pigtickler")
    assert "Pig Tickler rates no designs" in said(capsys, "designs", "pigtickler", "ford")
    assert "Pig Tickler rates no designs" in said(capsys, "rate", QUESTIONS / "altered_odds.toml")
    assert "'juger' is neither a game nor a file. Did you mean 'jugger'?" in said(capsys, "rate", "juger")
    assert "Games: battlesystem, jugger, juggerball, pigt" in said(capsys, "rate", "chess")
    assert "there is no such file" in said(capsys, "rate", "none.toml")
    assert "No design of mine.toml is called 'orks'. Did you mean 'orcs'?" in said(capsys, "rate", file(MARCH), "orks")
    assert "--house goes with a game" in said(capsys, "rate", "mine.toml", "--house", "x")
    assert "there is no such file" in said(capsys, "rate", "battlesystem", "--house", "none.toml")
    assert "did you mean 'averaged-chariots'?" in said(capsys, "rate", "battlesystem", "--house", "averaged-chariot")
    assert "is for pigtickler, not for battlesystem" in said(capsys, "rate", "battlesystem", "--house", "soft-bogs")
    assert "did you mean 'chariot_width'" in said(capsys, "rate", "battlesystem", "--set", "chariots_width=2")
    assert "expected a fraction in twelfths, found 'x'" in said(
        capsys, "rate", "battlesystem", "--set", "chariot_width=x"
    )


@pytest.mark.parametrize("columns", [60, 80])
def test_a_narrow_window(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    for arguments in (["battlesystem", "elves", "four-horse-chariots"], ["jugger", "walker"]):
        assert fits(ran(capsys, "rate", *arguments).out, columns)


def test_ratings_load_neither_numpy_nor_kernels():
    assert loaded("rate", "battlesystem", "elves") & (HEAVY | {"numpy", "scipy", "simkit.core.jit"}) == set()


@pytest.mark.parametrize("module", [showing, presets, jugs, inforce, api])
def test_examples(module):
    found = doctest.testmod(module)
    assert found.attempted > 0 and found.failed == 0
