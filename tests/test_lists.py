"""Who takes part where everybody meets everybody, who meets whom, and what is wrong at the door."""

import itertools
from pathlib import Path

import pytest

from simkit.games.protocol import Budget, Complaint
from simkit.lab import lists, toml
from simkit.lab.problems import ProblemError

EXPERIMENTS = Path(__file__).parents[1] / "experiments"
HEAD = 'schema = 1\nname = "toy"\ngame = "jugger"\n'
BATTLE = HEAD.replace("jugger", "battlesystem")


def read(text, **more):
    return lists.read(toml.parse(text, "toy.toml"), **more)


def refused(text, **more):
    """Return everything that is said of a file."""
    with pytest.raises(ProblemError) as error:
        read(text, **more)
    return str(error.value)


def test_designs_meet_as_they_are_listed():
    found = read(HEAD + '[matrix]\ndesigns = ["archer", "horny-toad", {size = 2, equipment = ["size 2 flail"]}]\n')
    assert [one.title for one in found.entrants] == ["Archer", "Horny Toad", "2 SC: size 2 flail"]
    assert [one.budget for one in found.entrants] == [Budget(k, "size classes") for k in (3, 4, 2)]
    assert found.pairs == [(0, 1), (0, 2), (1, 2)]
    (group,) = found.groups[:1]
    assert (group.name, group.members, group.budget) == ("all", (0, 1, 2), None)
    assert len(found.groups) == 1
    cells = found.meetings([(0, 1), (1, 0), (2, 2)]).cells
    assert [cell.scenario.sides.a.design for cell in cells[:2]] == ["archer", "horny-toad"]
    assert cells[2].scenario.sides.a == cells[2].scenario.sides.b
    assert len({cell.fingerprint for cell in cells}) == 3


def test_a_design_takes_the_place_of_that_of_its_side():
    text = BATTLE + '[matrix]\ndesigns = ["orcs", "ogres", "elves"]\n'
    text += '[sides.a]\ndesign = "pikemen"\nfigures = 24\npolicy = "hold"\n[sides.b]\nunits = [{design = "orcs"}]\n'
    found = read(text)
    assert dict(found.entrants[1].a) == {"figures": 24, "policy": "hold", "design": "ogres"}
    assert dict(found.entrants[1].b) == {"design": "ogres"}
    assert found.entrants[1].budget == Budget(24, "figures")
    assert found.plan.cells[0].scenario.sides.a.figures == 24


def test_whole_sides():
    text = HEAD + "[matrix.sides]\n"
    text += 'two = {design = "archer", count = 2}\n'
    text += 'red = {title = "Red", units = [{design = "axer"}, {design = "lobber"}]}\n'
    text += 'one = {design = "archer"}\n'
    found = read(text)
    assert [(one.id, one.title) for one in found.entrants] == [("two", "two"), ("red", "Red"), ("one", "one")]
    assert [one.budget.amount for one in found.entrants] == [6, 10, 3]


def test_everybody():
    found = read(HEAD + '[matrix]\ndesigns = "all"\nclasses = "equal"\n')
    assert len(found.entrants) == 54
    budgets = [one.budget for one in found.entrants]
    assert all(budgets[i] == budgets[j] for i, j in found.pairs)
    assert found.notes == ["Crusher met nobody: no other side has the same budget"]
    sizes = [len(group.members) for group in found.groups]
    assert len(found.pairs) == sum(size * (size - 1) // 2 for size in sizes)
    assert found.groups[0].name == "1 size classes"
    assert found.settings["designs"][0] == "warbuggy"


def test_classes_stand_beside_the_whole():
    found = lists.read(EXPERIMENTS / "published_designs.toml")
    assert len(found.entrants) == 32 and len(found.pairs) == 496
    assert [(group.name, len(group.members)) for group in found.groups] == [
        ("all", 32),
        ("2 size classes", 5),
        ("3 size classes", 5),
        ("4 size classes", 3),
        ("5 size classes", 8),
        ("6 size classes", 2),
        ("7 size classes", 3),
        ("8 size classes", 4),
    ]
    assert [problem.severity for problem in found.plan.warnings] == ["warning"]
    assert "the sweep over 'distance' belongs to simkit run" in found.plan.warnings[0].message


def test_groups_say_who_meets():
    text = HEAD + '[matrix]\ndesigns = ["archer", "axer", "lobber", "sniper"]\n[matrix.groups]\n'
    found = read(text + 'near = ["axer", "archer"]\nfar = ["lobber", "sniper", "archer"]\n')
    assert [(group.name, group.members) for group in found.groups] == [("near", (0, 1)), ("far", (0, 2, 3))]
    assert found.pairs == [(0, 1), (0, 2), (0, 3), (2, 3)]
    assert "classes" not in found.settings


def test_a_sweep_of_sides_says_who_takes_part():
    found = lists.read(EXPERIMENTS / "army_20sc.toml")
    assert [one.id for one in found.entrants] == ["dwarves", "goblins", "orcs"]
    assert found.settings["sides"]["orcs"]["units"][0] == {"design": "gorger"}
    assert found.plan.warnings == []
    text = HEAD + '[sides]\na = {design = "archer", policy = "hold"}\nb = {design = "axer"}\n[sweep.axes]\n'
    text += '"sides.a.design" = ["archer", "axer"]\n"sides.b.design" = ["axer", "lobber"]\n'
    found = read(text)
    assert [one.id for one in found.entrants] == ["archer", "axer", "lobber"]
    assert dict(found.entrants[1].a) == {"policy": "hold", "design": "axer"}
    assert dict(found.entrants[1].b) == {"design": "axer"}


def test_designs_of_the_file_take_part_where_nothing_else_is_said():
    own = "".join(f"[designs.toy{k}]\nsize = {k}\n" for k in (1, 2, 3))
    found = read(HEAD + own)
    assert [one.id for one in found.entrants] == ["toy1", "toy2", "toy3"]
    assert [one.budget.amount for one in found.entrants] == [1, 2, 3]


def test_what_is_spelt_out_asks_the_same():
    own = '[matrix]\ndesigns = ["archer", "axer", {size = 2, equipment = ["size 2 flail"]}]\nprecision = 0.02\n'
    sides = "".join(f'{name} = {{design = "archer", count = {k}}}\n' for k, name in enumerate("xyz", start=1))
    for text in (HEAD + own, f"{HEAD}[matrix.sides]\n{sides}"):
        once = read(text)
        again = lists.read({"schema": 1, "name": "toy", "game": "jugger", "matrix": once.settings})
        assert again.settings == once.settings
        assert again.plan.fingerprint == once.plan.fingerprint


def test_games_of_the_caller():
    text = HEAD + '[matrix]\ndesigns = ["archer", "axer", "lobber"]\nleast_trials = 4000\n'
    asked = read(text, trials=1_000, seed=9).asked
    assert (asked.least_trials, asked.max_trials) == (1_000, 1_000)
    asked = read(text, trials=9_000).asked
    assert (asked.least_trials, asked.max_trials) == (4_000, 9_000)
    assert read(text, seed=9).plan.experiment.seed == 9


# At the door


def test_a_game_without_sides():
    said = refused('schema = 1\nname = "toy"\ngame = "pigtickler"\n[matrix]\ndesigns = ["a", "b", "c"]\n')
    assert "Pig Tickler has no two sides that could meet" in said
    assert "toy.toml:3:8" in said and "games that have: battlesystem, jugger" in said


def test_everything_wrong_with_designs_is_told_at_its_place():
    said = refused(HEAD + '[matrix]\ndesigns = ["archr", "axer", {size = 1, equipment = ["2 flails"]}, {sise = 2}]\n')
    assert "no design is called 'archr'" in said and "did you mean 'archer'?" in said
    assert "toy.toml:5:12" in said
    assert "the equipment fills 2 spaces; size 1 gives 1" in said
    assert "did you mean 'size'?" in said
    assert said.count("toy.toml:5:") == 3


def test_what_is_wrong_beside_the_designs_is_told_once():
    text = HEAD + '[matrix]\ndesigns = ["archer", "axer", "lobber"]\n[scenario]\nmap = "nowhere"\n'
    said = refused(text)
    assert said.count("nowhere") == 2  # the message, and the line of the file
    assert "1 error" in said


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("desings = [1]", "did you mean 'designs'?"),
        ('designs = ["archer", "axer"]', "needs three sides or more, this file has Archer and Axer"),
        ('designs = ["archer", "axer", "archer"]', "'archer' stands there twice"),
        ('designs = ["archer", "axer", "lobber"]\nfair_within = 0.5', "fair_within"),
        ('designs = ["archer", "axer", "lobber"]\nleast_trials = 100', "least_trials"),
        ('designs = ["archer", "axer", "lobber"]\nmax_trials = 1000', "max_trials is less than least_trials"),
        (
            'designs = ["archer", "axer", "lobber"]\nclasses = "all"\ngroups = {x = ["archer", "axer"]}',
            "exclude each other",
        ),
        ('designs = ["archer", "axer", "lobber"]\ngroups = {x = ["archer", "axr"]}', "did you mean 'axer'?"),
        ('designs = ["archer", "axer", "lobber"]\ngroups = {x = ["archer", "archer"]}', "'archer' stands there twice"),
        ('designs = ["archer", "axer", "lobber"]\nclasses = "equal"', "no two of these sides have the same budget"),
        ('designs = "every"', "designs"),
        ("designs = [3, 4, 5]", "designs"),
    ],
)
def test_mistakes_of_the_table(table, said):
    found = refused(HEAD + f"[matrix]\n{table}\n")
    assert said in found
    assert "toy.toml:" in found


def test_a_file_that_says_nothing_of_it():
    said = refused(HEAD + '[sides]\na = {design = "archer"}\nb = {design = "axer"}\n')
    assert "this file has nobody" in said and "designs = " in said


def test_sides_are_not_set_outside():
    text = HEAD + '[matrix]\ndesigns = ["archer", "axer", "lobber"]\n'
    said = refused(text, overrides={"sides.a.policy": "hold"})
    assert "--set sides.a.policy: who fights is said by [matrix]" in said


def test_too_many_pairs(monkeypatch):
    monkeypatch.setattr("simkit.lab.lists.MOST_PAIRS", 5)
    said = refused(HEAD + '[matrix]\ndesigns = ["archer", "axer", "lobber", "sniper"]\n')
    assert "4 sides make 6 pairs, at most 5 are allowed" in said


def test_two_that_cannot_meet_are_told_by_their_place(monkeypatch):
    text = HEAD + '[matrix]\ndesigns = ["archer", "axer", "lobber"]\n'
    found = read(text)

    def complaints(scenario, rules):
        met = (scenario.sides.a.design, scenario.sides.b.design) == ("archer", "lobber")
        return [Complaint(("sides", "b", "design"), "these two do not speak")] if met else []

    monkeypatch.setattr(found.plan.game, "complaints", complaints)
    with pytest.raises(ProblemError, match="these two do not speak") as error:
        found.meetings(list(itertools.combinations(range(3), 2)))
    assert "toy.toml:5:30" in str(error.value)
