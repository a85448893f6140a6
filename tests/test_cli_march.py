"""``simkit march``: exact tables of terrain and lanes, the JSON document, the chart, and what is refused."""

import doctest
import json
from fractions import Fraction
from pathlib import Path

import pytest

import simkit
from simkit.cli import march as command
from simkit.games.battlesystem import marching
from simkit.lab.shipped import shipped_folder
from simkit.report.marches import courses
from tests.commandline import QUESTIONS, fits, ran, said, settle
from tests.test_startup import HEAVY, loaded

SHIPPED = shipped_folder() / "marches" / "woods_and_hill.toml"

HEAD = 'schema = 1\ngame = "battlesystem"\n'
WOODS = f"""{HEAD}
units = ["militia", "elves"]
[lane]
length = 20
ground = [{{ from = 10, to = 18, kind = "woods" }}]
"""
FIGHT = f"""{HEAD}
name = "fight"
question = "Who wins?"
[run]
policy = "advance"
[sides.a]
design = "knights"
[sides.b]
units = [{{ design = "orcs", formation = "open" }}, {{ design = "Orcs", formation = "open" }}]
[designs.knights]
rider = {{ ar = 20, ac = 4, hd = 1, damage = ["2d4+1"] }}
mount = "heavy-warhorse"
[scenario]
lane = {{ length = 20, ground = [{{ from = 15, to = 20, height = 10 }}], points = [{{ at = 4, kind = "ditch" }}] }}
[sweep.axes]
terrain_stack = ["add", "multiply"]
"""


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    settle(tmp_path, monkeypatch)


def file(text, name="march.toml"):
    Path(name).write_text(text, encoding="utf-8")
    return name


def worked_out(capsys, *arguments):
    out, err = ran(capsys, "march", *arguments, "--json")
    assert err == "" and out.count("\n") == 1
    return json.loads(out)


def by_name(document):
    return {unit["name"]: unit for unit in document["units"]}


def places(unit):
    return [leg["place"] for leg in unit["legs"]]


# Every kind of ground


def test_worked_example_7(capsys):
    """B-TER-2 to B-TER-6: MV 12 on a road, in woods, uphill, and in rough ground uphill."""
    units = by_name(worked_out(capsys))
    wanted = {"clear": 12, "road": 16, "woods": 8, "up 20 ft": 4, "up 30 ft": 0, "rough, up 10 ft": 2}
    assert units["militia"]["mv"] == units["elves"]["mv"] == 12
    assert {kind: units["militia"]["terrain"][kind] for kind in wanted} == wanted
    assert units["elves"]["terrain"]["woods"] == 12
    multiplied = by_name(worked_out(capsys, "--set", "terrain_stack=multiply"))
    assert multiplied["militia"]["terrain"]["rough, up 10 ft"] == 4


def test_the_table_of_terrain(capsys):
    """B-TER-1 to B-TER-8, for foot, horse and chariots, and for those to whom some ground is free."""
    document = worked_out(capsys)
    units, kinds = by_name(document), {kind["name"]: kind for kind in document["terrain"]}
    assert document["lane"] is None and document["changed"] == [] and document["stack"] == "add"
    assert {name: unit["terrain"]["rough"] for name, unit in units.items()} == {
        "militia": 6, "elves": 6, "dwarves": 6, "lizard-men": 3, "heavy-cavalry": "15/2", "two-horse-chariots": 6,
    }  # fmt: skip
    assert [unit["terrain"]["water"] for unit in units.values()] == [None, None, None, 12, None, None]
    assert units["lizard-men"]["terrain"]["swamp"] == 6
    assert kinds["woods"] == {
        "name": "woods", "id": "B-TER-3", "shares": ["-1/3"], "closed": "never", "charge": "no; single creatures may",
    }  # fmt: skip
    assert kinds["road"]["shares"] == ["+1/3"] and kinds["up 30 ft"]["shares"] == ["-1/3"] * 3
    out = ran(capsys, "march").out
    assert "Heavy cavalry       15     15    20     10        10     10      5      0  7 1/2   2 1/2" in out
    assert "obstacle         -1/3                  opens at once  not across" in out
    assert "costs are multiplied" in ran(capsys, "march", "--set", "terrain_stack=multiply").out


def test_presets_and_rules_can_be_chosen_without_a_file(capsys):
    arguments = ("--unit", "Worg riders", "--unit", "elves", "--set", "woods_cost=1/2")
    document = worked_out(capsys, *arguments)
    assert [(unit["name"], unit["terrain"]["woods"]) for unit in document["units"]] == [
        ("worg-riders", 9),
        ("elves", 12),
    ]
    assert document["changed"] == [{"path": "woods_cost", "id": "B-TER-3", "record": "1/3", "values": ["1/2"]}]
    assert 'woods_cost = "1/2", of record "1/3"   [B-TER-3]' in ran(capsys, "march", *arguments).out


# Lanes


def test_a_lane_of_a_file(capsys):
    """B-LAN-9: woods are paid by the militia and by no elf."""
    document = worked_out(capsys, file(WOODS))
    units = by_name(document)
    assert {name: (places(unit), unit["rounds"]) for name, unit in units.items()} == {
        "militia": ([10, 18, 20], 3),
        "elves": ([12, 20], 2),
    }
    assert units["militia"]["legs"][1]["paid"] == [{"kind": "woods", "place": 10, "share": "1/3"}]
    assert document["lane"]["ground"][1] == {"from": 10, "to": 18, "kind": "woods", "height": 0}
    out = ran(capsys, "march", file(WOODS)).out
    assert out.startswith("First across, in 2 rounds: Elves; last, in 3 rounds: Militia.\n")
    assert "clear to 10, woods to 18, clear to 20." in out
    assert "Militia  12  10  18  20         3  woods" in out
    assert out.endswith("next: simkit march march.toml --plot march.svg\n")


def test_every_preset_marches_where_nobody_is_named_and_own_designs_where_there_are_some(capsys):
    assert len(worked_out(capsys, file(WOODS.replace('units = ["militia", "elves"]', "")))["units"]) == 22
    own = WOODS.replace('units = ["militia", "elves"]', "") + '[designs.us]\nar=20\nac=5\nhd=1\nmv=7\ndamage="d6"\n'
    assert [(one["name"], one["mv"]) for one in worked_out(capsys, file(own))["units"]] == [("us", 7)]
    chosen = worked_out(capsys, file(own), "--unit", "us", "--unit", "orcs")
    assert [one["name"] for one in chosen["units"]] == ["us", "orcs"]


def test_closed_units_and_the_other_side(capsys):
    """B-LAN-11: woods break a closed unit up; behind them it closes again, at half a move."""
    closed = WOODS.replace("units =", 'formation = "closed"\nside = "b"\nunits =')
    elves = by_name(worked_out(capsys, file(closed)))["elves"]
    assert [(leg["place"], leg["closed"], leg["reformed"]) for leg in elves["legs"]] == [
        (12, False, False),
        (18, True, True),
        (20, True, False),
    ]
    out = ran(capsys, "march", file(closed)).out
    assert "o: a closed unit is open there" in out and "12o" in out


def test_rules_of_a_file_hold(capsys):
    changed = worked_out(capsys, file(WOODS.replace("[lane]", '[set]\nwoods_cost = "1"\n[lane]')))
    militia = by_name(changed)["militia"]
    assert (militia["crossed"], militia["rounds"], places(militia)) == (False, None, [10])
    out = ran(capsys, "march", "march.toml").out
    assert out.startswith("Everybody who gets across takes 2 rounds; never: Militia.\n")
    assert "Militia  12  10         never" in out


def test_an_experiment_marches_from_both_sides(capsys):
    """Each unit once, from its own side and in its own formation, under the rules of the cell that is asked for."""
    document = worked_out(capsys, file(FIGHT))
    assert [(one["name"], one["side"], one["formation"], places(one)) for one in document["units"]] == [
        ("knights", "a", "closed", [10, 15, 20]),
        ("orcs", "b", "open", [9, 16, 20]),
    ]
    knights, orcs = document["units"]
    assert [one["kind"] for leg in knights["legs"] for one in leg["paid"]] == ["ditch", "rise"]
    assert [one["kind"] for leg in orcs["legs"] for one in leg["paid"]] == ["ditch"]
    assert worked_out(capsys, "march.toml", "--cell", "2")["stack"] == "multiply"
    assert [one["name"] for one in worked_out(capsys, "march.toml", "--unit", "orcs")["units"]] == ["orcs"]


def test_the_shipped_march(capsys):
    units = by_name(worked_out(capsys, SHIPPED))
    assert {name: unit["rounds"] for name, unit in units.items()} == {
        "men-at-arms": 9, "militia": 8, "dwarves": 10, "elves": 7, "halflings": 8, "heavy-cavalry": 6,
        "light-cavalry": 5, "worg-riders": 5, "two-horse-chariots": 8,
    }  # fmt: skip
    assert f"{SHIPPED}: fine: a march of 9 units of Battlesystem" in ran(capsys, "check", SHIPPED).out


@pytest.mark.parametrize("columns", [60, 80])
def test_a_narrow_window(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert fits(ran(capsys, "march").out, columns)
    out = ran(capsys, "march", SHIPPED).out
    assert fits("\n".join(line for line in out.splitlines() if "next: " not in line), columns)


# The chart


@pytest.mark.parametrize("name", ["march.svg", "march.png"])
def test_a_chart(capsys, name):
    assert ran(capsys, "march", SHIPPED, "--plot", name).out.endswith(f"\nwrote {name}\n")
    first = Path(name).read_bytes()
    json.loads(ran(capsys, "march", SHIPPED, "--plot", name, "--json").out)
    assert Path(name).read_bytes() == first
    if name.endswith("svg"):
        text = first.decode()
        words = ("rounds", "inches from the start of side A", "woods", "ditch", "20 ft up", "Light cavalry: 5")
        assert [word for word in words if word not in text] == []


def test_a_crowded_chart(capsys):
    """Obstacles that lie near each other have one name, and a long question takes several lines."""
    points = ", ".join(f'{{ at = "{at}", kind = "ditch" }}' for at in ("4", "17/4", "9/2", "19"))
    crowded = WOODS.replace("length = 20", f"length = 20\npoints = [{points}]")
    question = "Who is first across a wood that lies behind three ditches, and in front of a fourth? \u65e5\u672c"
    ran(capsys, "march", file(crowded.replace("units", f'question = "{question}"\nunits')), "--plot", "crowded.svg")
    text = Path("crowded.svg").read_text(encoding="utf-8")
    assert "3 obstacles" in text and text.count(">ditch<") == 1
    assert question not in text and "Who is first across a wood" in text


def test_units_alike_are_one_course(capsys):
    document = worked_out(capsys, file(WOODS.replace('"elves"', '"archers", "elves"')))
    assert [(one.names, one.rounds) for one in courses(document)] == [(("Elves",), 2), (("Militia", "Archers"), 3)]
    both = courses(worked_out(capsys, file(FIGHT)))
    assert [one.names for one in both] == [("Knights (A)",), ("Orcs (B)",)]
    assert both[1].places[:1] == (Fraction(20),) and both[1].places[-1] == 0


# From Python


def test_from_python(capsys):
    assert simkit.march(file(WOODS)) == worked_out(capsys, file(WOODS))
    assert simkit.march(file(FIGHT), cell=2, units=["Orcs"])["stack"] == "multiply"
    assert simkit.march(units=["elves"], set={"woods_cost": "1/2"})["units"][0]["terrain"]["woods"] == 12
    with pytest.raises(ValueError, match="a cell goes with an experiment"):
        simkit.march(cell=1)
    with pytest.raises(ValueError, match="a file names its house rules itself"):
        simkit.march(file(WOODS), house=["long-wall"])


# What is refused


def test_what_is_refused(capsys):
    assert "no unit is called 'elfs' (B-UNI-1)" in said(capsys, "march", file(WOODS.replace('"elves"', '"elfs"')))
    assert "did you mean 'elves'?" in said(capsys, "march", "--unit", "elfs")
    assert "--plot draws a march over a lane" in said(capsys, "march", "--plot", "x.svg")
    assert "A plot is .svg or .png, not '.pdf'." in said(capsys, "march", file(WOODS), "--plot", "x.pdf")
    assert "Cannot write" in said(capsys, "march", file(WOODS), "--plot", "no/such/x.svg")
    assert "--house goes without FILE" in said(capsys, "march", file(WOODS), "--house", "x")
    assert "A cell goes with an experiment. This is a march." in said(capsys, "march", file(WOODS), "--cell", "2")
    assert "A cell goes with an experiment. There is no file." in said(capsys, "march", "--cell", "2")
    assert "no cell is called '9'" in said(capsys, "march", file(FIGHT), "--cell", "9")
    assert "there is no such file" in said(capsys, "march", "none.toml")
    assert "did you mean 'woods_cost'" in said(capsys, "march", "--set", "wood_cost=1/2")
    assert "is called 'orks'. Did you mean 'orcs'? There are: knights, orcs." in said(
        capsys, "march", file(FIGHT), "--unit", "orks"
    )


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (WOODS.replace("to = 18", "to = 28"), "ground to 28 inches (B-LAN-8)", 7),
        (WOODS.replace("woods", "wood"), "did you mean 'woods'?", 7),
        (WOODS.replace("length", "lenght"), "did you mean 'length'?", 6),
        (WOODS.replace("units", "unit"), "did you mean 'units'?", 4),
        (WOODS.replace("length = 20", "length = 0\n"), "a lane of no length (B-LAN-8)", 6),
        (WOODS.replace("from = 10", "from = 0").replace("woods", "water"), "militia would begin in water (B-TER-8)", 4),
        (
            WOODS.replace("from = 10", "from = 0").replace("[lane]", 'formation = "closed"\n[lane]'),
            "closed units would begin in woods (B-TER-3)",
            5,
        ),
        (WOODS.replace("battlesystem", "battlesytem"), "did you mean 'battlesystem'?", 2),
        (WOODS.replace("battlesystem", "pigtickler"), "nothing marches in Pig Tickler", 2),
        (WOODS.replace("[lane]", 'house_rules = ["mudd"]\n[lane]'), "no house rule is called 'mudd'", 5),
        (WOODS.replace("[lane]", "[set]\nwods_cost = 1\n[lane]"), "did you mean 'woods_cost' (now \"1/3\")?", 6),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) and "\n" not in value else None,
)
def test_a_wrong_file_is_told_where(capsys, text, message, line):
    err = said(capsys, "march", file(text))
    assert message in err
    assert f"march.toml:{line}:" in err


def test_other_files_say_what_they_are(capsys):
    assert "this is a house rule, not a march" in said(capsys, "march", QUESTIONS / "house" / "soft-bogs.toml")
    assert "this is a march, not an experiment" in said(capsys, "run", file(WOODS))
    assert "nothing marches in Pig Tickler" in said(capsys, "march", QUESTIONS / "altered_odds.toml")
    assert "Nothing marches in Jugger" in said(capsys, "march", QUESTIONS / "legs_tamed.toml")
    assert "march.toml: fine: a march of 2 units of Battlesystem" in ran(capsys, "check", file(WOODS)).out
    assert "no unit is called 'elfs'" in ran(capsys, "check", file(WOODS.replace("elves", "elfs")), code=2).err


def test_marches_load_neither_numpy_nor_kernels():
    assert loaded("march", str(SHIPPED)) & (HEAVY | {"numpy", "scipy", "simkit.core.jit"}) == set()


@pytest.mark.parametrize("module", [command, marching])
def test_examples(module):
    found = doctest.testmod(module)
    assert found.attempted > 0 and found.failed == 0
