"""Plans: cells, labels, baselines, warnings, everything that can be wrong, and fingerprints."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w

from simkit.games.pigtickler.course import Scenario
from simkit.lab import plan as planning
from simkit.lab import resolve, toml
from simkit.lab.house import toml_text
from simkit.lab.plan import Plan, make
from simkit.lab.problems import ProblemError, Span
from tests.laboratory import COMPARED, COURSE, OFF, made, messages, question, refused, text, wrong

HEAD = 'schema = 1\nname = "small"\ngame = "pigtickler"\n'
STEP = "course.steps.1.down"


def course_of(plan: Plan) -> list[str]:
    """Return the course of every cell in a few words."""
    return [plan.game.describe(cell.scenario) for cell in plan.cells]


def courses(*steps: dict[str, Any], turns: int = 1, **axes: Any) -> list[str]:
    return course_of(made(course={"steps": list(steps), "turns": turns}, sweep={"axes": axes}))


# Cells


def test_an_experiment_without_a_sweep_is_one_cell() -> None:
    plan = made()
    (cell,) = plan.cells
    assert (cell.number, dict(cell.factors), cell.title, cell.baseline) == (1, {}, "the only cell", None)
    assert plan.groups == [[0]] and plan.changes == {} and plan.warnings == []


def test_cells_are_numbered_from_one_and_labelled_in_words() -> None:
    plan = made(sweep={"axes": {"altered_odds": [False, True], STEP: [0, 2], "free_facing": [True], "dice": ["2d6"]}})
    assert [cell.number for cell in plan.cells] == [1, 2, 3, 4]
    assert [cell.title for cell in plan.cells] == [
        "standard odds, 0, true, 2d6",
        "standard odds, 2, true, 2d6",
        "altered odds, 0, true, 2d6",
        "altered odds, 2, true, 2d6",
    ]


def test_axes_of_one_title_go_by_their_paths() -> None:
    plan = made(
        course={"steps": [{"down": 1}, {"down": 1}, {"turn": 1}]},
        sweep={"axes": {STEP: [1], "course.steps.2.down": [1]}},
    )
    assert [plan.title(name) for name in plan.experiment.sweep.axes] == [STEP, "course.steps.2.down"]
    assert made(sweep={"axes": {STEP: [1]}}).title(STEP) == "levels down"


@pytest.mark.parametrize("nothing", [0, "none"])
def test_a_swept_step_of_nothing_is_left_out(nothing: Any) -> None:
    assert courses({"down": 1}, {"turn": 1}, **{STEP: [nothing, 1, 2]}) == [
        "turn 1",
        "down 1, turn 1",
        "down 2, turn 1",
    ]


def test_a_bog_of_none_is_left_out_and_the_others_keep_their_numbers() -> None:
    axes = {STEP: [0, 1], "course.steps.2.bog": ["none", "swamp"], "course.steps.3.turn": [2]}
    assert courses({"down": 1}, {"bog": "ford"}, {"turn": 1}, **axes) == [
        "turn 2",
        "swamp, turn 2",
        "down 1, turn 2",
        "down 1, swamp, turn 2",
    ]


def test_false_does_not_leave_a_step_out() -> None:
    assert messages(
        question(course={"steps": [{"ramp": True}, {"turn": 1}]}, sweep={"axes": {"course.steps.1.ramp": [False]}})
    ) == ["a flag is true or left out (P-CRS-12), not false"]


def test_nothing_may_be_left_of_a_course() -> None:
    (problem,) = wrong(text(f'{HEAD}[course]\nsteps = [{{ down = 1 }}]\n[sweep.axes]\n"{STEP}" = [1, 0]\n'))
    assert problem.message == "'steps' in [course] must be at least 1 value long, found an empty list"
    assert problem.span is not None and problem.span[:2] == (7, 29)


def test_whole_courses_can_be_an_axis() -> None:
    steps = [[{"turn": 1}], [{"down": 2}, {"bog": "ford", "bends": 1}]]
    plan = made(sweep={"axes": {"course.steps": steps, "course.turns": {"range": [1, 2]}}})
    assert course_of(plan) == [
        "turn 1",
        "turn 1; 2 turns",
        "down 2, ford with 1 bend",
        "down 2, ford with 1 bend; 2 turns",
    ]
    assert plan.cells[2].labels["course.steps"] == "down 2, ford with 1 bend"


def test_a_step_of_a_swept_course_can_be_an_axis_too() -> None:
    axes = {
        "course.steps": [[{"turn": 1}, {"down": 1}], [{"down": 3}, {"turn": 2}, {"down": 1}]],
        "course.ahead": ["edge", "pig"],
    }
    assert courses({"turn": 1}, **axes) == [
        "turn 1, down 1",
        "turn 1, down 1; pig ahead",
        "down 3, turn 2, down 1",
        "down 3, turn 2, down 1; pig ahead",
    ]


def test_rules_are_made_once_for_all_cells_that_share_them() -> None:
    plan = made(sweep={"axes": {"altered_odds": [False, True], "course.turns": [1, 2, 3]}})
    assert len({id(cell.rules) for cell in plan.cells}) == 2
    assert len({id(cell.scenario) for cell in plan.cells}) == 3


def test_changes_are_what_differs_from_the_rules_of_record_in_every_cell(tmp_path: Path) -> None:
    axis = {"axes": {"altered_odds": [False, True], "course.turns": [1, 2]}}
    plan = made(set={"dice": "1d12", "bogs.ford": 1, "bogs.swamp": -3}, sweep=axis)
    assert dict(plan.changes) == {"dice": "1d12", "bogs.ford": 1}
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "less.toml").write_text(
        'for = "pigtickler"\ntitle = "Less"\nwhy = "x"\n[add.bogs]\nfen = -2\n[remove]\nbogs = ["rocks"]\n'
    )
    (tmp_path / "q.toml").write_text(tomli_w.dumps(question(house_rules=["less"])))
    assert dict(planning.make(tmp_path / "q.toml").changes) == {"bogs.rocks": None, "bogs.fen": -2}


# Baselines


def test_every_combination_of_the_other_axes_has_its_baseline() -> None:
    plan = made(sweep={"axes": {"altered_odds": [True, False], "course.turns": [1, 2]}}, compare={"baseline": OFF})
    assert [cell.baseline for cell in plan.cells] == [2, 3, None, None]
    assert plan.groups == [[2, 0], [3, 1]]


def test_a_baseline_may_name_several_axes() -> None:
    axes = {"altered_odds": [False, True], "unicycle_damage": [False, True], "course.turns": [1, 2]}
    plan = made(sweep={"axes": axes}, compare={"baseline": {"unicycle_damage": False, "altered_odds": False}})
    assert [cell.baseline for cell in plan.cells] == [None, None, 0, 1, 0, 1, 0, 1]
    assert list(plan.baseline) == ["altered_odds", "unicycle_damage"]  # in the order of the axes


def test_a_baseline_of_lists() -> None:
    plan = made(sweep={"axes": {"house_rules": [[], ["soft-bogs"]]}}, compare={"baseline": {"house_rules": []}})
    assert [cell.baseline for cell in plan.cells] == [None, 0]
    steps = [[{"turn": 1}], [{"up": 1}]]
    plan = made(sweep={"axes": {"course.steps": steps}}, compare={"baseline": {"course.steps": steps[1]}})
    assert [cell.baseline for cell in plan.cells] == [1, None]


@pytest.mark.parametrize(
    ("axes", "baseline", "says"),
    [
        (
            {"altered_odds": [False, True]},
            {"altered_odds": 0},
            "the baseline matches 0 cells, not one, beside the cell 'standard odds'",
        ),
        ({"wreck_at": [1, 2]}, {"wreck_at": 1.0}, "the baseline matches 0 cells, not one, beside the cell '1'"),
        ({"wreck_at": [1, 2]}, {"wrek_at": 1}, "'wrek_at' is not an axis of the sweep"),
        ({"wreck_at": [1]}, {"wreck_at": 1}, "there is nothing beside the baseline to compare with it"),
    ],
)
def test_a_baseline_matches_exactly_one_cell(axes: dict[str, Any], baseline: dict[str, Any], says: str) -> None:
    assert messages(question(sweep={"axes": axes}, compare={"baseline": baseline})) == [says]


def test_a_baseline_that_was_drawn_twice_is_none() -> None:
    sweep = {"mode": "random", "samples": 9, "axes": {"altered_odds": [False, True]}}
    (said,) = messages(question(sweep=sweep, compare={"baseline": OFF}))
    assert re.fullmatch("the baseline matches [2-9] cells, not one, beside the cell '(standard|altered) odds'", said)


def test_zip_seldom_has_a_baseline_for_everything() -> None:
    zipped = {"mode": "zip", "axes": {"altered_odds": [False, True], "course.turns": [1, 2]}}
    assert messages(question(sweep=zipped, compare={"baseline": OFF})) == [
        "the baseline matches 0 cells, not one, beside the cell 'altered odds, 2'"
    ]
    both = {"baseline": OFF | {"course.turns": 1}}
    assert [cell.baseline for cell in made(sweep=zipped, compare=both).cells] == [None, 0]


# Targets


@pytest.mark.parametrize(
    ("report", "says", "help"),
    [
        ({"target": 50}, "'target' in [report] must be from 0 to 1, as 'finished' is a share, found 50", "0.5 is 50 %"),
        ({"target": -0.5}, "'target' in [report] must be from 0 to 1, as 'finished' is a share, found -0.5", None),
        (
            {"metric": "killed", "target": 0.5, "fair_within": 2.5},
            "'fair_within' in [report] must be from 0 to 1, as 'killed' is a share, found 2.5",
            "0.025 is 2.5 %",
        ),
    ],
)
def test_a_share_has_a_target_from_0_to_1(report: dict[str, Any], says: str, help: str | None) -> None:
    (problem,) = wrong(question(report=report))
    assert (problem.message, problem.help) == (says, help)


def test_the_ends_of_a_share_and_every_count_are_targets() -> None:
    for report in ({"target": 0}, {"target": 1, "fair_within": 1}, {"metric": "turns_used", "target": 50}):
        assert made(report=report).warnings == []


# Warnings


def warned(**tables: Any) -> list[str]:
    return [warning.message for warning in made(**tables).warnings]


def test_an_axis_that_changes_nothing_is_named() -> None:
    axes = {"axes": {"level_every": [2, 3], "altered_odds": [False, True]}}
    (warning,) = made(sweep=axes).warnings
    assert warning.message == "the axis 'level_every' changes nothing in this scenario"
    assert (warning.severity, warning.help) == ("warning", "its cells will show equal numbers")
    assert warned(sweep={"axes": {"altered_odds": [False, True]}}) == []
    assert warned(sweep={"axes": {"level_every": [3]}}) == []
    assert warned(sweep={"axes": {"standard_target": [4, 5]}}) == []
    (warning,) = made(set={"altered_odds": True}, sweep={"axes": {"standard_target": [4, 5]}}).warnings
    assert "'standard_target' changes nothing" in warning.message


def test_an_axis_that_matters_in_one_combination_is_not_named() -> None:
    axes = {"altered_odds": [False, True], "standard_target": [4, 5]}
    assert warned(sweep={"axes": axes}) == []


# What is wrong, all at once


def test_the_six_kinds_of_error() -> None:
    """A syntax error hides the rest, so it has a file of its own."""
    with pytest.raises(planning.ProblemError) as refusal:
        text('schema = 1\nname = "odds\n')
    assert str(refusal.value) == (
        "1 error: this is not valid TOML                                    [syntax]\n"
        "   --> question.toml:2:13\n"
        '   2 | name = "odds\n'
        "     |             ^ the text needs a closing quote on the same line\n"
        "1 error in question.toml; nothing was run"
    )


def test_the_other_five_kinds_of_error_are_shown_at_once(tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    rule = 'for = "pigtickler"\ntitle = "Heavy"\nwhy = "x"\n\n[set]\n"dice" = "2d6++1"\n"bogs.swamp" = -4\n'
    (tmp_path / "house" / "heavy.toml").write_text(rule)
    file = tmp_path / "question.toml"
    file.write_text(
        """schema = 1
name = "odds"
game = "pigtickler"
house_rules = ["heavy"]

[run]
trails = 2000

[course]
steps = [{ down = 1 }, { bog = "mire" }, { turn = 1 }]

[sweep]
mode = "zip"

[sweep.axes]
"bog.swamp" = [-3, -2, -1]
"course.turns" = [1, 2]
"""
    )
    assert str(refused(file)).replace(str(tmp_path), "") == (
        """\
1 error: unknown setting 'trails' in [run]                         [typo]
   --> /question.toml:7:1
   7 | trails = 2000
     | ^^^^^^ help: did you mean 'trials'?   ([run] has: trials, precision, level, max_trials, policy, swings)
2 error: zip axes differ in length: bog.swamp has 3, course.turns has 2  [shape]
   --> /question.toml:13:8
  13 | mode = "zip"
     |        ^^^^^ help: mode = "grid" tries all 6 combinations
3 error: rules 'pigtickler' have no parameter 'bog.swamp'          [override]
   --> /question.toml:16:1
  16 | "bog.swamp" = [-3, -2, -1]
     | ^^^^^^^^^^^ help: did you mean 'bogs.swamp' (now -3)? all names: simkit rules pigtickler
4 error: expected a number or dice such as 2d6, found '+'          [dice]
   --> /house/heavy.toml:6:15
   6 | "dice" = "2d6++1"
     |               ^
4 errors in 2 files; nothing was run"""
    )
    file.write_text(
        file.read_text().replace("bog.swamp", "bogs.swamp").replace('"zip"', '"grid"').replace("trails", "trials")
    )
    (tmp_path / "house" / "heavy.toml").write_text(rule.replace("++", "+"))
    assert str(refused(file)).replace(str(tmp_path), "") == (
        """\
1 error: no kind of bog is called 'mire' (P-BOG-1)                 [rule]
   --> /question.toml:10:32
  10 | steps = [{ down = 1 }, { bog = "mire" }, { turn = 1 }]
     |                                ^^^^^^ help: ford, shallow, grass, rocks, deep_sand, snow, dunes, swamp
1 error in /question.toml; nothing was run"""
    )


def test_every_place_of_the_file_is_right_whatever_the_sweep_leaves_out() -> None:
    source = f"""{HEAD}[course]
steps = [
    {{ down = 1 }},
    {{ turn = 0 }},
    {{ bog = "swamp", bends = 300 }},
    {{ stop = true, ahead = "nowhere" }},
]
ahead = "somewhere"
turns = 0
[sweep.axes]
"{STEP}" = [0, 1, 100]
"course.steps.5.up" = [1]
"""
    found = [(problem.message, problem.span and problem.span[:2]) for problem in wrong(text(source))]
    assert found == [
        ("'turn' in step 2 of [course] must be from 1 to 99, found 0", (7, 14)),
        ("'bends' in step 3 of [course] must be from 0 to 99, found 300", (8, 30)),
        ("'turns' in [course] must be from 1 to 1,000, found 0", (12, 9)),
        ("'course.steps.5.up' leads nowhere: '5' is not a place in a list of 4, counted from 1", (15, 1)),
    ]
    source = source.replace('"course.steps.5.up" = [1]\n', '"course.steps.3.bends" = [1, 200]\n')
    found = [(problem.message, problem.span and problem.span[:2]) for problem in wrong(text(source))]
    assert found == [
        ("'turn' in step 2 of [course] must be from 1 to 99, found 0", (7, 14)),
        ("'turns' in [course] must be from 1 to 1,000, found 0", (12, 9)),
        ("'down' in step 1 of [course] must be from 1 to 99, found 100", (14, 32)),
        ("'bends' in step 3 of [course] must be from 0 to 99, found 200", (15, 30)),
    ]
    source = (
        source.replace("turn = 0", "turn = 1")
        .replace("turns = 0", "turns = 2")
        .replace("100", "10")
        .replace("200", "20")
    )
    found = [(problem.message, problem.span and problem.span[:2]) for problem in wrong(text(source))]
    assert found == [
        ("nothing called 'nowhere' can lie ahead (P-CRS-6)", (9, 28)),
        ("nothing called 'somewhere' can lie ahead (P-CRS-6)", (11, 9)),
    ]


def test_an_axis_value_that_is_illegal_is_the_place() -> None:
    axes = '[sweep.axes]\n"course.steps.1.bog" = ["ford", "mire"]\nwreck_at = [1, 0]\n'
    source = f'{HEAD}[course]\nsteps = [{{ bog = "ford" }}]\n{axes}'
    found = [(problem.message, problem.span and problem.span[:2]) for problem in wrong(text(source))]
    assert found == [
        ("no kind of bog is called 'mire' (P-BOG-1)", (7, 33)),
        ("'wreck_at' must be from 1 to 1,000, found 0", (8, 16)),
    ]


def test_axes_that_contradict_each_other() -> None:
    axes = {"course.steps": [[{"turn": 1}]], "course.steps.2.bog": ["swamp"]}
    assert messages(question(sweep={"axes": axes})) == [
        "'course.steps.2.bog' leads nowhere: '2' is not a place in a list of 1, counted from 1"
    ]
    axes = {STEP: [1], "course.steps.1.turn": [1]}
    assert messages(question(sweep={"axes": axes})) == [
        "a step has exactly one kind (P-CRS-12); this one has down and turn"
    ]


def test_trials_enough_for_a_mean() -> None:
    assert messages(question(run={"trials": 1}, report={"metric": "wounds"})) == [
        "one trial cannot tell how sure the mean of 'wounds' is"
    ]
    assert made(run={"trials": 1}).trials == 1
    assert made(run={"trials": 2}, report={"metric": "wounds"}).trials == 2


# Values given outside the file


def test_values_from_outside_win() -> None:
    plan = planning.make(
        question(set={"dice": "1d12"}), overrides={"dice": "3d6kh2", "course.turns": 7, STEP: 3, "bogs": {"swamp": -1}}
    )
    (cell,) = plan.cells
    assert (cell.rules.dice, cell.rules.bogs["swamp"]) == ("3d6kh2", -1)
    assert plan.game.describe(cell.scenario) == "down 3, turn 1, swamp; 7 turns"


@pytest.mark.parametrize(
    ("outside", "says", "place"),
    [
        ({"dise": "1d6"}, "the rules of pigtickler have no value called 'dise'", (1, 1)),
        ({"dice": "1d"}, "expected the sides of the die, a number or %, found the end", (1, 13)),
        ({STEP: 500}, "'down' in step 1 of [course] must be from 1 to 99, found 500", (1, 25)),
        (
            {"course.steps.9.down": 1},
            "'course.steps.9.down' leads nowhere: '9' is not a place in a list of 3, counted from 1",
            (1, 1),
        ),
        ({"course.turns": "many"}, "'turns' in [course] must be \"unlimited\", found the text 'many'", (1, 18)),
        ({"course.ahead": "there"}, "nothing called 'there' can lie ahead (P-CRS-6)", (1, 18)),
        ({"wreck_at": 5, "course.steps.3.bog": "mire"}, "no kind of bog is called 'mire' (P-BOG-1)", (2, 24)),
    ],
)
def test_a_wrong_value_from_outside_is_shown_as_given(
    outside: dict[str, Any], says: str, place: tuple[int, int]
) -> None:
    (problem,) = wrong(question(), overrides=outside)
    assert (problem.message, problem.path) == (says, "--set")
    assert problem.span is not None and problem.span[:2] == place


def test_what_is_given_outside_may_not_cross_an_axis() -> None:
    swept = question(sweep={"axes": {STEP: [0, 1], "course.steps.3.bog": ["ford"], "dice": ["2d6", "1d12"]}})
    assert messages(swept, overrides={"dice": "2d6"}) == ["--set dice and the axis 'dice' exclude each other"]
    assert messages(swept, overrides={STEP: 1}) == [f"--set {STEP} and the axis '{STEP}' exclude each other"]
    assert messages(swept, overrides={"course.steps.2.turn": 0}) == [
        "--set course.steps.2.turn and the axis 'course.steps.3.bog' do not go together"
    ]
    assert messages(swept, overrides={"course.steps": [{"down": 5}, {"turn": 1}, {"bog": "snow"}]}) == [
        "--set course.steps and the axis 'course.steps.1.down' do not go together",
        "--set course.steps and the axis 'course.steps.3.bog' do not go together",
    ]
    assert len(planning.make(swept, overrides={"course.steps.2.turn": 2}).cells) == 4


def test_trials_seed_and_precision_from_outside() -> None:
    assert planning.make(question(), trials=5).trials == 5
    assert planning.make(question(run={"trials": 7}), trials=5).trials == 5
    assert planning.make(question(), seed=9).experiment.seed == 9
    precise = planning.make(question(run={"trials": 7000}), precision=0.1)
    assert (precise.trials, precise.experiment.run.precision) == (7000, 0.1)
    assert planning.make(question(run={"trials": 7000}), precision=0.1, trials=500).trials == 500
    assert planning.make(question(run={"precision": 0.1}), trials=500).trials == 500
    assert planning.make(question(run={"precision": 0.1}), precision=0.2).experiment.run.precision == 0.2
    assert messages(question(), trials=0) == ["'trials' in [run] must be from 1 to 10,000,000,000,000, found 0"]
    assert messages(question(), seed=-1) == [
        "'seed' must be at least 0 and less than 9,223,372,036,854,775,808, found -1"
    ]


# Fingerprints

BASE = question(question="Is it?", run={"trials": 1000}, set={"dice": "1d12", "bogs.ford": 1}, **COMPARED)


def fingerprint(data: Any = BASE, **more: Any) -> str:
    return planning.make(data, **more).fingerprint


@pytest.mark.parametrize(
    "change",
    [
        {"name": "other"},
        {"question": "Or not?"},
        {"seed": 2},
        {"run": {"trials": 1001}},
        {"run": {"trials": 1000, "level": 0.95}},
        {"run": {"precision": 0.01, "max_trials": 1000}},
        {"set": {"dice": "1d12"}},
        {"set": {"dice": "1d12", "bogs.ford": 1, "level_every": 3}},  # shown in the report, though no kernel reads it
        {"course": COURSE | {"turns": 3}},
        {"course": COURSE | {"ahead": "pig"}},
        {"sweep": {"axes": {"altered_odds": [True, False]}}},
        {"sweep": {"axes": {"altered_odds": [False, True], "wreck_at": [3]}}},
        {"compare": None},
        {"compare": {"baseline": {"altered_odds": True}}},
        {"report": {"metric": "reached"}},
        {"report": {"target": 0.5}},
        {"report": {"fair_within": 0.01}},
        {"house_rules": ["soft-bogs"]},
    ],
)
def test_a_fingerprint_changes_with_whatever_can_change_a_number_or_the_text(change: dict[str, Any]) -> None:
    assert fingerprint({key: value for key, value in (BASE | change).items() if value is not None}) != fingerprint()


def test_a_fingerprint_changes_with_fresh_dice_and_with_the_words_of_a_house_rule(tmp_path: Path) -> None:
    assert fingerprint(replication=1) != fingerprint()
    (tmp_path / "house").mkdir()
    found = set()
    for why in ("Because.", "Why not?"):
        rule = {"for": "pigtickler", "title": "Mine", "why": why, "set": {"wreck_at": 4}}
        (tmp_path / "house" / "mine.toml").write_text(tomli_w.dumps(rule))
        (tmp_path / "q.toml").write_text(tomli_w.dumps(BASE | {"house_rules": ["mine"]}))
        plan = planning.make(tmp_path / "q.toml")
        found.add(plan.fingerprint)
        assert {cell.fingerprint for cell in plan.cells} == {
            cell.fingerprint for cell in made(**(BASE | {"set": BASE["set"] | {"wreck_at": 4}})).cells
        }
    assert len(found) == 2


def test_a_fingerprint_does_not_change_with_what_is_only_form(tmp_path: Path) -> None:
    plain = tomli_w.dumps(BASE)
    (tmp_path / "deep").mkdir()
    for path, source in (
        (tmp_path / "one.toml", plain),
        (tmp_path / "deep" / "two.toml", f"# a comment\r\n{plain}# and another"),
        (tmp_path / "three.toml", tomli_w.dumps(dict(reversed(BASE.items())))),
        (tmp_path / "four.toml", plain.replace('"bogs.ford" = 1', "bogs.ford = 1")),
    ):
        path.write_text(source)
        assert fingerprint(path) == fingerprint()
    assert fingerprint(BASE | {"set": {"bogs": {"ford": 1}, "dice": "1d12"}}) == fingerprint()
    assert fingerprint(BASE | {"course": dict(reversed(COURSE.items()))}) == fingerprint()
    assert fingerprint(BASE | {"run": {"level": 0.99, "trials": 1000}, "house_rules": []}) == fingerprint()
    assert fingerprint(BASE | {"report": {"metric": "finished"}, "seed": 1}) == fingerprint()
    assert (
        fingerprint({key: value for key, value in BASE.items() if key != "set"}, overrides=BASE["set"]) == fingerprint()
    )
    assert fingerprint({key: value for key, value in BASE.items() if key != "run"}, trials=1000) == fingerprint()
    two = {"sweep": {"axes": {"altered_odds": [False, True], "unicycle_damage": [False, True]}}}
    ways = ({"altered_odds": False, "unicycle_damage": False}, {"unicycle_damage": False, "altered_odds": False})
    assert len({fingerprint(BASE | two | {"compare": {"baseline": way}}) for way in ways}) == 1


def test_quotes_around_a_path_are_only_form() -> None:
    head = f"{HEAD}[course]\nsteps = [{{ down = 1 }}, {{ turn = 1 }}]\n"
    quoted = '[sweep.axes]\n"course.steps.1.down" = [0, 1]\n"course.turns" = { range = [1, 2] }\n"bogs.ford" = [0, 1]\n'
    quoted += '[compare]\nbaseline = { "course.steps.1.down" = 0 }\n'
    bare = quoted.replace('"', "")
    assert fingerprint(text(head + quoted)) == fingerprint(text(head + bare))
    same(planning.make(text(head + quoted)), planning.make(text(head + bare)))


def test_comments_and_key_order_of_a_house_rule_are_only_form(tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    found = set()
    head = 'for = "pigtickler"\ntitle = "Mine"\nwhy = "x"\n'
    for body in ("[set]\nwreck_at = 4\nbogs.ford = 1\n", '# why\n[set]\n"bogs.ford" = 1 # more\nwreck_at = 4\n'):
        (tmp_path / "house" / "mine.toml").write_text(head + body)
        (tmp_path / "q.toml").write_text(tomli_w.dumps(BASE | {"house_rules": ["mine"]}))
        found.add(fingerprint(tmp_path / "q.toml"))
        (tmp_path / "q.toml").write_text(tomli_w.dumps(BASE | {"house_rules": ["house/mine.toml"]}))
        found.add(fingerprint(tmp_path / "q.toml"))
    assert len(found) == 1


def test_cells_with_equal_setups_are_equal_and_all_else_differs() -> None:
    axes = {"level_every": [2, 3], "altered_odds": [False, True], "course.turns": [1, 2]}
    prints = [cell.fingerprint for cell in made(sweep={"axes": axes}).cells]
    assert prints[:4] == prints[4:] and len(set(prints)) == 4
    assert set(prints).isdisjoint(cell.fingerprint for cell in made(seed=2, sweep={"axes": axes}).cells)


# The resolved experiment


def resolved(plan: Plan, folder: Path) -> Plan:
    """Write a resolved experiment with its house rules, as a folder of results has it, and plan it again."""
    (folder / "house").mkdir(parents=True, exist_ok=True)
    (folder / resolve.FILE).write_text(resolve.dumps(resolve.resolved(plan)))
    for loaded in plan.house_rules.values():
        (folder / "house" / f"{loaded.id}.toml").write_text(tomli_w.dumps(resolve.house_rule(loaded)))
    return planning.make(folder / resolve.FILE, replication=plan.replication)


def same(plan: Plan, again: Plan) -> None:
    """Compare two plans that must lead to the same bytes."""
    assert again.fingerprint == plan.fingerprint
    assert resolve.resolved(again) == resolve.resolved(plan)
    assert list(resolve.resolved(again)) == list(resolve.resolved(plan))
    assert [(c.number, c.fingerprint, c.baseline, dict(c.labels)) for c in again.cells] == [
        (c.number, c.fingerprint, c.baseline, dict(c.labels)) for c in plan.cells
    ]
    assert [cell.rules for cell in again.cells] == [cell.rules for cell in plan.cells]
    assert [cell.scenario for cell in again.cells] == [cell.scenario for cell in plan.cells]
    assert dict(again.changes) == dict(plan.changes)
    assert (again.trials, again.level, again.metric) == (plan.trials, plan.level, plan.metric)


@pytest.mark.parametrize(
    ("tables", "outside"),
    [
        ({}, {}),
        (COMPARED, {}),
        (COMPARED | {"run": {"precision": 0.01, "level": 0.95}, "report": {"target": 0.5, "fair_within": 0}}, {}),
        ({"set": {"bogs": {"ford": {"was": 0, "now": 2}}, "dice": "1d12"}}, {"dice": "2d8", "bogs.ford": 1}),
        ({"sweep": {"mode": "sobol", "samples": 5, "axes": {"bogs.ford": {"min": -3, "max": 3, "dist": "int"}}}}, {}),
        ({"sweep": {"mode": "zip", "axes": {"bogs.ford": {"range": [0, 2]}, "dice": ["2d6", "1d12", "1d8"]}}}, {}),
        (
            {"sweep": {"axes": {STEP: [0, "none", 2], "course.steps.3.bog": ["none", "ford"]}}},
            {"course.steps.2.turn": 3},
        ),
        ({"sweep": {"axes": {STEP: {"range": [0, 1]}}}}, {"course.steps.3.bog": "none"}),
        ({"sweep": {"axes": {STEP: [0, 1]}}}, {"course.ahead": "pig", "course.turns": 5, "course.steps.3.bends": 2}),
        (
            {"sweep": {"axes": {"course.steps": [[{"bog": "ford", "bends": 1}], [{"bends": 1, "bog": "swamp"}]]}}},
            {"course.turns": 3},
        ),
        ({}, {"course.turns": "unlimited"}),
        (
            {"house_rules": ["soft-bogs"], "sweep": {"axes": {"house_rules": [[], ["altered-odds", "steady-nerves"]]}}},
            {"bogs.snow": 0},
        ),
    ],
)
def test_the_resolved_experiment_is_the_same_plan(
    tmp_path: Path, tables: dict[str, Any], outside: dict[str, Any]
) -> None:
    plan = planning.make(question(**tables), overrides=outside, seed=11, replication=3)
    same(plan, resolved(plan, tmp_path))


def test_the_resolved_experiment_stands_alone_beside_house_rules_from_anywhere(tmp_path: Path) -> None:
    head = 'for = "pigtickler"\ntitle = "Mine"\nwhy = "x"\n'
    (tmp_path / "mine" / "deep").mkdir(parents=True)
    (tmp_path / "mine" / "deep" / "base.toml").write_text(f"{head}[set]\nwreck_at = 4\n[add.bogs]\nfen = -2\n")
    (tmp_path / "mine" / "top.toml").write_text(
        f'{head}house_rules = ["deep/base.toml", "soft-bogs"]\n[remove]\nbogs = ["rocks"]\n'
    )
    data = question(
        house_rules=["steady-nerves"],
        sweep={"axes": {"house_rules": [[], ["mine/top.toml"], ["altered-odds", "mine/deep/base.toml"]]}},
        compare={"baseline": {"house_rules": ["mine/top.toml"]}},
    )
    (tmp_path / "q.toml").write_text(tomli_w.dumps(data))
    plan = planning.make(tmp_path / "q.toml")
    assert [cell.labels["house_rules"] for cell in plan.cells] == ["none", "top", "altered-odds + base"]
    same(plan, resolved(plan, tmp_path / "elsewhere"))


def test_resolved_spells_everything_out() -> None:
    plan = planning.make(
        question(sweep={"axes": {STEP: [1, 2]}}), overrides={"wreck_at": 5, "course.turns": 9}, trials=70
    )
    assert json.loads(json.dumps(resolve.resolved(plan))) == {
        "schema": 1,
        "name": "small",
        "question": "",
        "game": "pigtickler",
        "seed": 1,
        "house_rules": [],
        "run": {"level": 0.99, "policy": "greedy", "trials": 70},
        "set": {"wreck_at": 5},
        "course": {"steps": COURSE["steps"], "turns": 9},
        "sweep": {"mode": "grid", "axes": {STEP: [1, 2]}},
        "report": {"metric": "finished"},
    }


# Time


def test_seconds_count_a_baseline_once_for_every_cell_beside_it() -> None:
    alone = made()
    trio = made(sweep={"axes": {"wreck_at": [1, 2, 3]}}, compare={"baseline": {"wreck_at": 1}})
    assert trio.seconds(1) == pytest.approx(4 * alone.seconds(1))
    assert trio.seconds(2) == pytest.approx(2 * alone.seconds(1))
    assert replace(alone, trials=10 * alone.trials).seconds(1) == pytest.approx(10 * alone.seconds(1))


def test_a_thousand_cells_share_what_is_equal() -> None:
    """What cells have in common is made once: that is what keeps a large plan quick."""
    axes = {
        STEP: {"range": [0, 4]},
        "course.steps.3.bog": ["ford", "snow", "swamp", "dunes"],
        "course.turns": {"range": [1, 5]},
    }
    plan = made(
        sweep={"axes": axes | {"wreck_at": {"range": [1, 5]}, "altered_odds": [False, True]}}, compare={"baseline": OFF}
    )
    assert len(plan.cells) == 1000
    assert len({id(cell.rules) for cell in plan.cells}) == 10
    assert isinstance(plan.cells[0].scenario, Scenario)
    assert toml_text(plan.cells[-1].factors[STEP]) == "4"


def test_an_axis_may_be_written_without_quotes() -> None:
    """TOML reads a dotted name without quotes as nested tables; it means the same path."""
    head = f'{HEAD}[course]\nsteps = [{{ down = 1 }}, {{ bog = "ford" }}]\n[sweep.axes]\n'
    plain = make(toml.parse(f"{head}course.steps.1.down = [0, 1]\nbogs.ford = [0, -1]\n"))
    quoted = make(toml.parse(f'{head}"course.steps.1.down" = [0, 1]\n"bogs.ford" = [0, -1]\n'))
    assert plain.fingerprint == quoted.fingerprint
    with pytest.raises(ProblemError) as wrong:
        make(toml.parse(f"{head}course.steps.2.bog = ['ford', 'swmp']\n"))
    assert [problem.span for problem in wrong.value.problems] == [Span(7, 31, 37)]


def test_a_house_rule_is_no_experiment() -> None:
    """One sentence says so, not a list of missing settings."""
    with pytest.raises(ProblemError, match="this is a house rule, not an experiment"):
        make(toml.parse('schema = 1\nfor = "pigtickler"\ntitle = "t"\nwhy = "w"\n'))


def test_the_precision_of_a_mean_needs_its_first_look() -> None:
    tables = {"run": {"precision": 0.1, "max_trials": 9_999}, "report": {"metric": "wounds"}}
    assert messages(question(**tables)) == [
        "the precision of a mean can be told after 10,000 trials; 9,999 end before that"
    ]
    assert make(question(**(tables | {"report": {"metric": "wounded"}}))).trials == 9_999


def test_trials_from_outside_take_the_place_of_a_precision() -> None:
    plan = make(question(run={"precision": 0.1, "max_trials": 50_000}), trials=300)
    assert (plan.trials, plan.experiment.run.precision) == (300, None)
    both = make(question(run={"precision": 0.1}), trials=20_000, precision=0.2)
    assert (both.trials, both.experiment.run.precision) == (20_000, 0.2)


def test_warnings_say_so_and_stop_nothing() -> None:
    """A range whose steps miss its end, and a target beside a comparison, are played all the same."""
    axes = {"bogs.swamp": {"range": [-4, 0, 3]}, "altered_odds": [False, True]}
    tables = {"sweep": {"axes": axes}, "compare": {"baseline": OFF}, "report": {"target": 0.5}}
    plan = make(question(course={"steps": [{"bog": "swamp"}], "turns": 1}, **tables))
    assert [problem.message for problem in plan.warnings] == [
        "target is not used: with [compare] the question is how the cells differ from the baseline",
        "axis 'bogs.swamp' ends at -1: the steps do not lead to 0",
    ]
    assert all(problem.severity == "warning" for problem in plan.warnings)
    assert len(plan.cells) == 4 and all(cell.setup is not None for cell in plan.cells)


def test_numbers_of_numpy_are_numbers() -> None:
    """What a notebook computes may stand in its tables, and is planned like the same numbers written out."""
    plain = {"schema": 1, "name": "x", "game": "pigtickler", "course": {"steps": [{"down": 1}, {"pig": True}]}}
    axes = {"sweep": {"axes": {"course.turns": [1, 2]}}, "run": {"trials": 500}}
    same = {"sweep": {"axes": {"course.turns": np.arange(1, 3)}}, "run": {"trials": np.int64(500)}}
    made = make(plain | same, overrides={"hit_target": np.int64(6)})
    assert made.fingerprint == make(plain | axes, overrides={"hit_target": 6}).fingerprint
    for odd in (None, object(), {1}, [3 + 4j]):
        with pytest.raises(TypeError, match=r"^run\.trials(\.1)? is .*; allowed are texts, numbers, true, false"):
            make(plain | {"run": {"trials": odd}})
