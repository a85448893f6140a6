"""Strangers' fights, marches and house rules: refused in words that name the place and what is allowed, or played."""

import contextlib
import io
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from simkit.cli import call
from simkit.core.rng import make_key
from simkit.games.battlesystem import game
from simkit.games.battlesystem.legality import complaints
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario
from simkit.lab import marches, rated
from simkit.lab import plan as planning
from simkit.lab.problems import Problem
from tests.laboratory import messages, wrong

Fields = dict[str, Any]
ORCS: Fields = {"design": "orcs"}
MEN: Fields = {"design": "men-at-arms"}
FOOT: Fields = {"ar": 20, "ac": 5, "hd": 1, "mv": 9, "damage": "1d8"}
LISTED = 'put it in brackets and quotes: ["5"]'
FALLING = list(range(20, -1, -1))


def fight(**tables: Any) -> Fields:
    """Return the tables of a small fight, some of them replaced."""
    sides = {"a": tables.pop("a", ORCS), "b": tables.pop("b", ORCS)}
    return {"schema": 1, "name": "x", "game": "battlesystem", "sides": sides} | tables


def own(**fields: Any) -> Fields:
    """Return a fight of a design of its own."""
    return fight(a={"design": "mine"}, designs={"mine": FOOT | fields})


def stands(figures: int, ranks: int) -> bool:
    """Tell whether so many figures stand so many ranks deep."""
    deep = Scenario.model_validate({"sides": {"a": ORCS | {"figures": figures, "ranks": ranks}, "b": ORCS}})
    return not complaints(deep, Rules())


def only(source: Fields) -> Problem:
    """Return the one thing that is wrong with a source."""
    (problem,) = wrong(source)
    return problem


def said(*arguments: str) -> tuple[int, str]:
    """Call, and return the exit code and what was said about it on the side, in one line."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = call(list(arguments))
    assert "Traceback" not in err.getvalue()
    return code, " ".join(err.getvalue().split())


# Numbers


@pytest.mark.parametrize(
    ("dice", "says"),
    [
        ("1d3-5", "'1d3-5': -3 damage on average, more than 0 and at most 1,000 are allowed"),
        ("0", "'0': 0 damage on average, more than 0 and at most 1,000 are allowed"),
        ("2001", "'2001': 2,001 damage on average, more than 0 and at most 1,000 are allowed"),
        ("1d6!", "'1d6!': 4.2 damage on average, no whole number of halves"),
        ("0d6", "the count of dice must be 1 to 1,000, found 0"),
        ("100d100", "these dice need a table of 9,901 rows, at most 128 are allowed"),
    ],
)
def test_damage_that_is_none_says_why(dice: str, says: str) -> None:
    assert only(own(damage=dice)).message == says


@pytest.mark.parametrize(
    ("source", "message", "help"),
    [
        (own(hd=0.5), "'0.5' are no hit dice", '1 to 40, or text such as "4+1", "1-1" or "1/2"'),
        (own(hd=True), "'hd' in [designs.mine] must be text in quotes, found true", None),
        (own(damage=5), "'damage' in [designs.mine] must be a list in [ ], found 5", LISTED),
        (fight(set={"chariot_width": 2}), "'chariot_width' must be text in quotes, found 2", 'write "2"'),
        (fight(set={"woods_cost": 0.5}), "'woods_cost' must be text in quotes, found 0.5", None),
        (fight(set={"woods_cost": "1/7"}), "expected a fraction in twelfths, found '1/7'", None),
        (fight(set={"woods_cost": "3/0"}), "expected a fraction in twelfths, found '3/0'", None),
        (fight(a=ORCS | {"figures": 10**9}), "'figures' in [sides.a] must be from 1 to 48, found 1,000,000,000", None),
        (fight(scenario={"distance": "1/37"}), "1/37 inches is no multiple of 1/36; the nearest is 1/36", None),
        (fight(scenario={"max_rounds": 0}), "'max_rounds' in [scenario] must be from 1 to 1,000, found 0", None),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_numbers_of_a_wrong_kind_say_what_to_write(source: Fields, message: str, help: str | None) -> None:
    problem = only(source)
    assert problem.message == message
    assert help is None or problem.help == help


# Shapes and declarations (B-LAN-4, B-SHW-3)


def test_ranks_that_no_files_make_are_refused() -> None:
    """Five figures stand one, two, three or five deep: four ranks would quietly have become three."""
    problem = only(fight(a=ORCS | {"figures": 5, "ranks": 4}))
    assert problem.message == "5 figures do not stand 4 deep: 2 abreast they are 3 ranks (B-LAN-4)"
    assert problem.help == "ranks = 3, or other figures"
    refused = [(n, k) for n in range(1, 13) for k in range(1, n + 1) if not stands(n, k)]
    deep = {n: {-(-n // files) for files in range(1, n + 1)} for n in range(1, 13)}
    assert refused == [(n, k) for n in deep for k in range(1, n + 1) if k not in deep[n]]


@pytest.mark.parametrize(("side", "key"), [("a", "contact_b"), ("b", "contact")])
def test_the_help_names_the_key_that_is_wrong(side: str, key: str) -> None:
    found = only(fight(a=MEN, b=MEN, scenario={"start": {side: "wall_round"}, key: "rear"}))
    assert found.message.endswith("cannot strike the rear of a wall all round: it has none (B-SHW-3)")
    assert found.help == f'{key} = "front"'


# Pasted tables (B-MEL-1)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"1d8": FALLING, "d8": FALLING}, "crt_table has the results of 1d8 twice: as '1d8' and as 'd8'"),
        ({"1d8": FALLING[1:]}, "the results of 1d8 are 20; crt_clamp_top = 20 needs 21"),
        ({"1d8": FALLING[::-1]}, f"each from 0 to 1,000, found {FALLING[:2:-1]}".replace("]", ", ...]")),
        ({"1d8": [1001, 0]}, "each from 0 to 1,000, found [1001, 0]"),
        ({}, 'crt = "table" needs results in crt_table'),
        ({"1d6": FALLING}, "crt_table has no results for 1d8 (B-MEL-1)"),
    ],
    ids=["twice", "short", "rising", "high", "none", "another"],
)  # fmt: skip
def test_tables_that_are_pasted_wrongly(table: Fields, says: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    columns = "\n".join(f'"{dice}" = {column}' for dice, column in table.items())
    added = f"[add.crt_table]\n{columns}\n" if table else ""
    head = 'schema = 1\ntitle = "T"\nfor = "battlesystem"\nwhy = "w"\n[set]\ncrt = "table"\n'
    Path("pasted.toml").write_text(head + added)
    problems = wrong(fight(house_rules=["pasted.toml"]))
    assert says in problems[0].message
    assert table or (problems[0].help or "").startswith("a house rule with [add.crt_table]")


# Command lines


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["", "orcs"], "'' is no side: such as men-at-arms, 12xmen-at-arms or 12xmen-at-arms+militia."),
        (["1000000000xorcs", "orcs"], "'1000000000xorcs' is 1000000000 figures; a unit has 1 to 48."),
        (["0xorcs", "orcs"], "'0xorcs' is 0 figures; a unit has 1 to 48."),
        (["+".join(["orcs"] * 13), "orcs"], "is 13 units; a side has 1 to 12."),
        (["+".join(["orcs"] * 7), "orcs"], "a side has 6 slots (B-LAN-27)"),
        (["orcs", "orcs", "--distance", "0"], "'0' is not a whole number from 1 to 50"),
        (["orcs", "orcs", "--policy", "set"], "spears or pikes are needed to set them (B-SET-1)"),
    ],
)
def test_duels_that_cannot_be(arguments: list[str], says: str) -> None:
    code, text = said("duel", "--game", "battlesystem", *arguments)
    assert code == 2
    assert says in text


def test_a_march_is_known_by_any_of_its_settings(tmp_path: Path) -> None:
    """A file with a side or a formation alone marched, but was no march to rate and check."""
    file = tmp_path / "m.toml"
    for setting in ('side = "b"', 'formation = "closed"', 'units = ["orcs"]', "lane = { length = 9 }"):
        file.write_text(f'schema = 1\ngame = "battlesystem"\n{setting}\n')
        assert [said(command, str(file))[0] for command in ("check", "march", "rate")] == [0, 0, 0]


def test_the_name_of_a_file_is_left_as_it_is(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.toml").write_text('schema = 1\nname = "x"\ngame = "battlesystem"\n[sides]\na = { design = "orcs" }\n')
    with Path("x.toml").open("a") as file:
        file.write('b = { design = "elves" }\n')
    there = "x.toml is called 'orks'. Did you mean 'orcs'? There are: orcs, elves."
    assert said("march", "x.toml", "--unit", "orks") == (2, f"error: No unit of {there}")
    assert said("rate", "x.toml", "orks") == (2, f"error: No design of {there}")


@pytest.mark.parametrize("names", ["orcs", [3], (["orcs"],)])
def test_names_that_are_no_list_of_texts(names: Any) -> None:
    """A text alone would be taken for the names of its letters."""
    for asked in (lambda: marches.document(units=names), lambda: rated.of_presets("battlesystem", names)):
        with pytest.raises(ValueError, match=r"names are texts in a list, such as \['orcs', 'elves'\], not"):
            asked()


# Sweeps


CREW: Fields = {"crew": ["archers", "orcs"], "team": ["worg", "worg"]}


@pytest.mark.parametrize(
    ("path", "values", "says"),
    [
        ("designs.car.crew.2", ["goblins", "elves"], ""),
        ("designs.car.team.1", ["medium-warhorse"], ""),
        ("scenario.lane.ground.1", [{"from": 1, "to": 2, "kind": "rough"}], ""),
        ("designs.car.crew.2", [[["x"]]], "'crew' in [designs.car] must be text in quotes or a table"),
        ("designs.car.crew.3", ["goblins"], "'3' is not a place in a list of 2, counted from 1"),
        ("scenario.lane", [True], "'lane' in [scenario] must be a table, found true"),
        ("scenario.lane.length", ["1/37"], "1/37 inches is no multiple of 1/36"),
        ("sides.a.units.1.figures", [4], "'units' is not there; there is: design"),
    ],
)
def test_axes_into_lists_and_tables(path: str, values: list[Any], says: str) -> None:
    """A place in a list has no table around it from which another setting would have to go."""
    lane = {"ground": [{"from": 3, "to": 4}]}
    tables = fight(a={"design": "car"}, designs={"car": CREW}, scenario={"lane": lane}, sweep={"axes": {path: values}})
    if not says:
        assert len(planning.make(tables).cells) == len(values)
    else:
        assert says in " ".join(messages(tables))


def test_a_distance_beside_a_lane_that_is_no_table() -> None:
    tables = fight(scenario={"lane": True}, sweep={"axes": {"scenario.distance": [5]}})
    assert "'lane' in [scenario] must be a table, found true" in messages(tables)


# Absurd and legal


EXTREMES: tuple[Fields, ...] = (
    {"a": {"design": "mine", "figures": 48, "files": 48}, "b": {"design": "mine", "figures": 1}},
    {"a": {"design": "mine", "figures": 48, "files": 1}, "b": ORCS, "scenario": {"distance": "1/36"}},
    {"a": {"units": [ORCS] * 6 + [ORCS | {"reserve": True, "slot": k} for k in range(6)]}, "b": ORCS},
    {
        "a": {"design": "mine", "formation": "mob"},
        "b": {"design": "archers", "policy": "skirmish"},
        "scenario": {
            "max_rounds": 60,
            "lane": {
                "length": 240,
                "ground": [{"from": f"{k}/36", "to": f"{k + 1}/36", "height": 500 * (k % 2)} for k in range(32)],
                "points": [{"at": f"{k}/36", "kind": "ditch"} for k in range(32)],
            },
        },
    },
)
HUGE: Fields = {"ar": -20, "ac": -30, "hd": "39+9", "mv": 99, "damage": ["999"] * 8, "ml": 40, "ratio": 20}


@pytest.mark.parametrize("tables", EXTREMES, ids=["thousands", "file", "all", "stairs"])
def test_absurd_fights_are_played_and_told(tables: Fields) -> None:
    tables = dict(tables)
    sides = {"a": tables.pop("a"), "b": tables.pop("b")}
    scenario = Scenario.model_validate({"sides": sides, "designs": {"mine": HUGE}} | tables)
    rules = Rules()
    assert complaints(scenario, rules) == []
    setup, key = game.compile(scenario, rules), make_key(1)
    rows = np.zeros((40, len(game.OUTCOMES)), np.int64)
    game.play_rows(setup, game.new_state(), key, 0, len(rows), rows)
    assert (rows >= 0).all()
    assert (rows[:, :4].sum(axis=1) == 1).all()
    told = game.trace(setup, key, 0)
    assert game.narrate(scenario, rules, told)
    assert game.picture(scenario, rules, told).startswith("<svg")
    assert "<html" in game.player(scenario, rules, told)


# The exact solution against played fights

TRIALS = 40_000
BODIES: tuple[Fields, ...] = (
    {"ar": 16, "ac": 5, "hd": "1", "damage": ["1d8"]},
    {"ar": 20, "ac": 0, "hd": "2+4", "damage": ["2d4+1", "1d3"], "doubles": True},
    {"ar": 10, "ac": 8, "hd": "1/2", "damage": ["1d6"], "ml": 8},
    {"ar": 19, "ac": 4, "hd": "4+1", "damage": ["1d10"], "ml": 15, "in_command": False},
)
CHANGES: tuple[Fields, ...] = (
    {},
    {"checks": "each", "first_strike_morale": "between"},
    {"carry_wounds": False, "frontage": "figures"},
    {"set_first_strike": "always", "turn_to_face": True},
    {"morale_dice": "1d20", "attack_dice": "3d4", "crt_clamp_top": 12},
)


def duel_in_contact(dice: random.Random) -> tuple[Fields, Rules]:
    """Return a fight of two units where they stand, and rules for it; it may be illegal."""

    def unit() -> Fields:
        figures = dice.choice([1, 2, 3, 6, 9])
        body = dice.choice(BODIES) | {"mv": 9, "arm": dice.choice(["pike", "other"]), "large_shields": True}
        formation = dice.choice(["closed", "closed", "open", "mob"])
        policy = dice.choice(["hold", "charge", "set"])
        files = dice.randint(1, figures)
        return {"design": body, "figures": figures, "files": files, "formation": formation, "policy": policy}

    a, b = unit(), unit()
    start = {side: dice.choice(["none", "set", "wall", "wall_round", "charge"]) for side in "ab"}
    sides = {key: dice.choice(["front", "front", "flank", "rear"]) for key in ("contact", "contact_b")}
    battle = {"in_contact": True, "start": start, "max_rounds": dice.choice([1, 3, 30])} | sides
    return {"sides": {"a": a, "b": b}, "scenario": battle}, Rules.model_validate(dice.choice(CHANGES))


@pytest.mark.parametrize("count", [1, pytest.param(30, marks=pytest.mark.thorough)])
def test_the_exact_solution_is_what_is_played(count: int) -> None:
    """Shares and means of random legal fights lie where they must: no p value is below 1e-6, all tests together."""
    dice = random.Random(1985)
    names = [metric.name for metric in game.OUTCOMES]
    least, tests, solved = 1.0, 0, 0
    while solved < count:
        tables, rules = duel_in_contact(dice)
        scenario = Scenario.model_validate(tables)
        if complaints(scenario, rules):
            continue
        solution = game.exact(scenario, rules)
        if solution.why:
            continue
        solved += 1
        rows = np.zeros((TRIALS, len(names)), np.int64)
        game.play_rows(game.compile(scenario, rules), game.new_state(), make_key(solved), 0, TRIALS, rows)
        for name, value in solution.metrics.items():
            column, wanted = rows[:, names.index(name)], float(value or 0)
            tests += 1
            if column.max() <= 1:
                p = binomtest(int(column.sum()), TRIALS, min(max(wanted, 0.0), 1.0)).pvalue
            elif column.std():
                p = 2 * norm.sf(abs(column.mean() - wanted) / column.std(ddof=1) * TRIALS**0.5)
            else:
                p = float(abs(column.mean() - wanted) < 1e-2 * wanted)
            least = min(least, p)
    assert least * tests > 1e-6
