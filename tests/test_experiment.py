"""The tables of an experiment: every field, its range and its default, and ranges of an axis."""

import itertools
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from simkit.lab import plan as planning
from simkit.lab.experiment import DEFAULT_TRIALS, Experiment, Range, count_range, flatten
from tests.laboratory import made, messages, question, refused, text, wrong

HEAD = 'schema = 1\nname = "small"\ngame = "pigtickler"\n'
COURSE = "[course]\nsteps = [{ turn = 1 }]\n"


def only(source: str) -> str:
    """Return the one problem of a file as it is shown, without the summary."""
    error = refused(text(source))
    assert len(error.problems) == 1, [problem.message for problem in error.problems]
    return str(error).rpartition("\n")[0]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("trials = 0", "'trials' in [run] must be from 1 to 10,000,000,000,000, found 0"),
        ("trials = 10000000000001", "'trials' in [run] must be from 1 to 10,000,000,000,000, found 10,000,000,000,001"),
        ("trials = true", "'trials' in [run] must be a whole number, found true"),
        ("trials = 1.5", "'trials' in [run] must be a whole number, found 1.5"),
        ('trials = "5"', "'trials' in [run] must be a whole number, found the text '5'"),
        ("precision = 0", "'precision' in [run] must be more than 0 and at most 1,000, found 0"),
        ("precision = 1000.5", "'precision' in [run] must be more than 0 and at most 1000, found 1000.5"),
        ("precision = true", "'precision' in [run] must be a number, found true"),
        ("level = 0.49", "'level' in [run] must be at least 0.5 and less than 1, found 0.49"),
        ("level = 1.0", "'level' in [run] must be at least 0.5 and less than 1, found 1"),
        ("max_trials = 0\nprecision = 0.1", "'max_trials' in [run] must be from 1 to 10,000,000,000,000, found 0"),
        ("max_trials = 5", "max_trials goes with precision"),
        ("trials = 5\nprecision = 0.1", "trials and precision exclude each other"),
        ('policy = "bold"', "'policy' in [run] must be \"greedy\", found the text 'bold'"),
        ("trails = 5", "unknown setting 'trails' in [run]"),
    ],
)
def test_a_wrong_run_setting_is_refused_where_it_stands(line: str, says: str) -> None:
    problems = wrong(text(f"{HEAD}{COURSE}[run]\n{line}\n"))
    assert [problem.message for problem in problems] == [says]
    span = problems[0].span
    assert span is not None and span.line == 7 + line.count("\n") * ("precision" in says.split()[0:3])


@pytest.mark.parametrize(
    ("run", "field", "value"),
    [
        ({"trials": 1}, "trials", 1),
        ({"trials": 10**13}, "trials", 10**13),
        ({"precision": 1e-9}, "precision", 1e-9),
        ({"precision": 1000}, "precision", 1000.0),
        ({"level": 0.5}, "level", 0.5),
        ({"level": 0.999999}, "level", 0.999999),
        ({"precision": 0.1, "max_trials": 1}, "max_trials", 1),
        ({"policy": "greedy"}, "policy", "greedy"),
    ],
)
def test_the_ends_of_every_range_are_allowed(run: dict[str, Any], field: str, value: Any) -> None:
    assert getattr(made(run=run).experiment.run, field) == value


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("seed = -1", "'seed' must be at least 0 and less than 9,223,372,036,854,775,808, found -1"),
        ("seed = true", "'seed' must be a whole number, found true"),
        ("question = 5", "'question' must be text in quotes, found 5"),
        (
            f'question = "{"?" * 2001}"',
            f"'question' must be at most 2,000 characters long, found the text '{'?' * 59}…'",
        ),
        ("sede = 3", "unknown setting 'sede' at the top level"),
        ("trials = 3", "unknown setting 'trials' at the top level"),
        ('[report]\nmetric = "finishd"', "pigtickler counts nothing called 'finishd'"),
        ("[report]\nfair_within = -0.1", "'fair_within' in [report] must be at least 0, found -0.1"),
        ('[report]\ntarget = "x"', "'target' in [report] must be a number, found the text 'x'"),
        ("[compare]\nbaseline = {}", "'baseline' in [compare] must be at least 1 value long, found an empty table"),
        ("[compare]", "[compare] needs 'baseline'"),
        (
            '[sweep]\nmode = "gird"',
            '\'mode\' in [sweep] must be one of "grid", "zip", "random", "sobol", found the text \'gird\'',
        ),
        ('[sweep]\nmode = "sobol"\nsamples = 0', "'samples' in [sweep] must be from 1 to 1,000,000, found 0"),
        ("[sweep.axes]\ndice = []", "'dice' in [sweep.axes] must be at least 1 value long, found an empty list"),
        ("[sweep.axes]\ndice = 3", "an axis is a list of values or a range, not 3"),
        ("[sides]\na = 1", "[sides] is not for pigtickler"),
        ('[designs.x]\nsize = 1', "[designs] is not for pigtickler"),
        ("[cuorse]\nturns = 3", "unknown table 'cuorse' at the top level"),
    ],
)  # fmt: skip
def test_a_wrong_setting_elsewhere_is_refused(line: str, says: str) -> None:
    first, rest = (line, "") if not line.startswith("[") else ("", line)
    assert messages(text(f"{HEAD}{first}\n{COURSE}{rest}\n")) == [says]


@pytest.mark.parametrize("name", ["a", "7", "a-b_c", "x" * 64, "com", "nul0", "console"])
def test_names_that_can_be_folders_everywhere_are_allowed(name: str) -> None:
    assert made(name=name).experiment.name == name


@pytest.mark.parametrize(
    "name", ["", "A", "-a", "_a", "a b", "a.b", "../a", "a/b", "ä", "x" * 65, "con", "nul", "com1", "lpt9"]
)
def test_names_that_cannot_be_folders_are_refused(name: str) -> None:
    (problem,) = wrong(question(name=name))
    assert problem.message == f"{name[:80]!r} cannot be a name"
    assert problem.help == "small letters, digits, - and _, at most 64 of them, beginning with a letter or digit"


@pytest.mark.parametrize(("schema", "found"), [(2, "2"), (0, "0"), (True, "true"), ("1", "the text '1'")])
def test_an_unknown_schema_says_which_version_reads_it(schema: Any, found: str) -> None:
    (problem,) = wrong(question(schema=schema))
    assert problem.message == f"this simkit reads schema 1, not {found}"
    assert problem.help == "a file of a later schema needs the later simkit that wrote it"


@pytest.mark.parametrize("key", ["schema", "name", "game", "course"])
def test_what_every_experiment_needs(key: str) -> None:
    assert messages(question(**{key: None})) == [
        f"[{key}] is missing" if key == "course" else f"the file needs '{key}'"
    ]


def test_an_unknown_game_lists_the_games() -> None:
    (problem,) = wrong(question(game="pigtikler"))
    assert problem.message == "no game is called 'pigtikler'"
    assert problem.help is not None and problem.help.startswith("did you mean 'pigtickler'? there are: ")


def test_at_most_64_house_rules() -> None:
    assert messages(question(house_rules=["soft-bogs"] * 65)) == [
        "'house_rules' must be at most 64 values long, found a list of 65"
    ]


def test_defaults() -> None:
    experiment = made().experiment
    assert (experiment.seed, experiment.question, experiment.house_rules) == (1, "", [])
    assert (experiment.run.level, experiment.run.policy) == (0.99, None)
    assert made().trials == DEFAULT_TRIALS == 100_000
    assert made(run={"precision": 0.01}).trials == 10_000_000
    assert made().metric == "finished"


def test_a_misspelt_setting_shows_what_was_meant() -> None:
    assert only(f"{HEAD}{COURSE}[run]\ntrails = 5\n") == (
        "1 error: unknown setting 'trails' in [run]                         [typo]\n"
        "   --> question.toml:7:1\n"
        "   7 | trails = 5\n"
        "     | ^^^^^^ help: did you mean 'trials'?   ([run] has: trials, precision, level, max_trials, policy, swings)"
    )


def test_a_setting_in_the_wrong_table_is_sent_home() -> None:
    assert only(f"{HEAD}trials = 5\n{COURSE}").endswith("| ^^^^^^ help: 'trials' belongs in [run]")


def test_an_experiment_can_be_written_in_python() -> None:
    tables = question(run={"trials": 500}, sweep={"axes": {"course.turns": {"range": [1, 3]}, "dice": ["2d6", "1d12"]}})
    model = Experiment(**tables)
    assert planning.make(model).fingerprint == planning.make(tables).fingerprint
    with pytest.raises(ValidationError):
        Experiment(**(tables | {"sede": 3}))


def test_problems_of_all_tables_are_shown_together_in_the_order_of_the_file() -> None:
    source = """schema = 2
naem = "small"
game = "pigtickler"

[run]
trails = 5
level = 2

[course]
steps = [{ turn = 0 }, { bog = "mire" }]

[set]
dise = "1d6"

[sweep]
mode = "gird"
[sweep.axes]
wreck_at = 3
[compare]
baseline = { dice = "2d6" }
[report]
metric = "x"
"""
    assert [(problem.span and problem.span.line, problem.message) for problem in wrong(text(source))] == [
        (1, "this simkit reads schema 1, not 2"),
        (2, "unknown setting 'naem' at the top level"),
        (6, "unknown setting 'trails' in [run]"),
        (7, "'level' in [run] must be at least 0.5 and less than 1, found 2"),
        (10, "'turn' in step 1 of [course] must be from 1 to 99, found 0"),
        (13, "the rules of pigtickler have no value called 'dise'"),
        (16, '\'mode\' in [sweep] must be one of "grid", "zip", "random", "sobol", found the text \'gird\''),
        (18, "an axis is a list of values or a range, not 3"),
        (22, "pigtickler counts nothing called 'x'"),
    ]  # what a wrong sweep would be compared with is not asked


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ('game = "pigtickler"\n[cuorse]\nsteps = []', "unknown table 'cuorse' at the top level"),
        (
            'game = "pigtickler"\nhouse_rules = "soft-bogs"',
            "'house_rules' must be a list in [ ], found the text 'soft-bogs'",
        ),
        ("game = 3", "'game' must be text in quotes, found 3"),
    ],
)
def test_what_hides_the_rest_is_shown_alone(table: str, says: str) -> None:
    assert messages(text(f'schema = 1\nname = "small"\n{table}\n[report]\nmetric = "x"\n')) == [says]


# Ranges of an axis


@pytest.mark.parametrize(
    ("given_range", "values"),
    [
        ([0, 3], [0, 1, 2, 3]),
        ([2, 2], [2]),
        ([-2, 1], [-2, -1, 0, 1]),
        ([0, 10, 4], [0, 4, 8]),
        ([0, 8, 4], [0, 4, 8]),
        ([0, 1, 0.25], [0.0, 0.25, 0.5, 0.75, 1.0]),
        ([0, 0.3, 0.1], [0.0, 0.1, 0.2, 0.3]),
        ([0.1, 0.7, 0.1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]),
        ([1e-13, 3e-13, 1e-13], [1e-13, 2e-13, 3e-13]),
        ([0.5, 2], [0.5, 1.5]),
    ],
)
def test_a_range_includes_both_ends(given_range: list[float], values: list[float]) -> None:
    axis = Range(range=given_range)
    assert axis.values() == values
    assert [type(value) for value in axis.values()] == [type(value) for value in values]
    assert count_range(*[*given_range, 1][:3]) == len(values)


@given(st.integers(-1000, 1000), st.integers(0, 300), st.sampled_from([1, 2, 7, 0.1, 0.25, 0.3, 1e-3]))
def test_a_range_of_so_many_steps_ends_where_it_should(low: int, steps: int, step: float) -> None:
    high = float(f"{low + steps * step:.9f}")
    values = Range(range=[low, high, step]).values()
    assert len(values) == steps + 1
    assert values[0] == low and values[-1] == high
    assert all(math.isclose(b - a, step, abs_tol=1e-9) for a, b in itertools.pairwise(values))


@pytest.mark.parametrize(
    ("axis", "says"),
    [
        ("{ range = [3, 1] }", "a range goes up: [low, high] or [low, high, step] with a step above 0"),
        ("{ range = [1, 3, 0] }", "a range goes up: [low, high] or [low, high, step] with a step above 0"),
        ("{ range = [1, 3, -1] }", "a range goes up: [low, high] or [low, high, step] with a step above 0"),
        ("{ range = [0, 1_000_000] }", "this range has more than 1,000,000 values"),
        ("{ range = [0, 9007199254740992, 1e-308] }", "this range has more than 1,000,000 values"),
        ("{ range = [0, 1e17] }", "the numbers of a range end at 2**53"),
        (
            "{ range = [1] }",
            "'range' in [sweep.axes.\"course.turns\"] must be at least 2 values long, found a list of 1",
        ),
        (
            "{ range = [1, 2, 3, 4] }",
            "'range' in [sweep.axes.\"course.turns\"] must be at most 3 values long, found a list of 4",
        ),
        (
            "{ range = [1, 3], min = 1 }",
            "an axis is a list, {range = [lo, hi, step]} or {min = .., max = .., dist = ..}",
        ),
        ("{}", "an axis is a list, {range = [lo, hi, step]} or {min = .., max = .., dist = ..}"),
        ("{ min = 1 }", "an interval to sample needs min and max"),
        ("{ min = 3, max = 3 }", 'an interval to sample goes up, and above 0 for dist = "log"'),
        ('{ min = 0, max = 3, dist = "log" }', 'an interval to sample goes up, and above 0 for dist = "log"'),
        ('{ min = 0.5, max = 3, dist = "int" }', 'the ends of an interval with dist = "int" are whole numbers'),
        ("{ min = 0, max = 1e17 }", "the numbers of an interval end at 2**53"),
        ("{ stop = 3 }", "unknown setting 'stop' in [sweep.axes.\"course.turns\"]"),
    ],
)
def test_a_range_that_is_none_is_refused(axis: str, says: str) -> None:
    source = f'{HEAD}{COURSE}[sweep]\nmode = "random"\nsamples = 3\n[sweep.axes]\n"course.turns" = {axis}\n'
    problems = wrong(text(source))
    assert says in [problem.message for problem in problems]
    assert all(problem.span is not None and problem.span.line == 10 for problem in problems)


def test_flatten_lists_settings_by_path_and_keeps_guards_whole() -> None:
    table = {"bogs": {"swamp": -4, "ford": {"was": 0, "now": 1}}, "bogs.snow": -1, "dice": "1d10"}
    assert dict(flatten(table)) == {
        "bogs.swamp": -4,
        "bogs.ford": {"was": 0, "now": 1},
        "bogs.snow": -1,
        "dice": "1d10",
    }
