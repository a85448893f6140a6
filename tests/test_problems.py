"""Problems as values, pydantic's errors in our words, and how they are drawn."""

import io
import pickle
import unicodedata
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    RootModel,
    Tag,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError, core_schema
from rich.console import Console

from simkit.lab import toml
from simkit.lab.problems import (
    KINDS,
    Problem,
    ProblemError,
    Span,
    coloured,
    did_you_mean,
    from_pydantic,
    render,
)
from simkit.lab.snippets import visible


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Run(Strict):
    trials: int = Field(default=100_000, ge=1, le=1_000_000_000)
    precision: float | None = Field(default=None, gt=0, lt=0.5)
    max_trials: int | None = Field(default=None, multiple_of=2)
    raw: bool = False


class Step(Strict):
    down: int = Field(ge=0)
    terrain: Literal["open", "bog", "hill"] = "open"
    hazard: str = "1d6"

    @field_validator("hazard")
    @classmethod
    def _is_dice(cls, value: str) -> str:
        column = value.find("++")
        if column >= 0:
            context = {"column": column + 2, "note": "expected a number or dice such as 2d6 after '+'"}
            raise PydanticCustomError("dice", "'hazard' is not dice I can read", context)
        if value == "0d6":
            raise ValueError("no dice at all")
        return value


class Course(Strict):
    steps: list[Step] = Field(min_length=1, max_length=3)
    turns: Annotated[int, Field(ge=1, description="turns until night falls")] = 20


class Range(Strict):
    range: list[int | float] = Field(min_length=2)


def axis_form(value: object) -> str | None:
    return {list: "list", dict: "range"}.get(type(value))


Axis = Annotated[
    Annotated[list[int | float | str | list[str]], Tag("list")] | Annotated[Range, Tag("range")],
    Discriminator(axis_form),
]


class Mode(Enum):
    GRID = "grid"
    ZIP = "zip"


class Sweep(Strict):
    mode: Annotated[Mode, Field(strict=False)] = Mode.GRID
    axes: dict[str, Axis] = {}


class Bog(Strict):
    kind: Literal["bog"]
    depth: int


class Hill(Strict):
    kind: Literal["hill"]
    height: int


class Names(RootModel[dict[Annotated[str, Field(pattern="^[a-z]+$", max_length=8)], int]]):
    pass


class Experiment(Strict):
    name: str = Field(pattern="^[a-z-]+$", description="small letters and -")
    seed: int = 1
    game: str = Field(default="pigtickler", validation_alias=AliasChoices("for", "game"))
    run: Run = Run()
    course: Course | None = None
    sweep: Sweep = Sweep()
    land: Annotated[Bog | Hill, Field(discriminator="kind")] | None = None
    pace: int | Literal["fast", "slow"] | list[int] | None = None
    spot: list[int] | Bog | None = None
    names: Names | None = None
    pair: Annotated[tuple[int, str], Field(strict=False)] | None = None

    @model_validator(mode="after")
    def _agrees(self) -> "Experiment":
        if self.seed == 13:
            raise PydanticCustomError("meaning", "seed 13 is unlucky", {"at": ("seed",), "help": "try 14"})
        if self.seed == 14:
            raise ValueError("so is 14")
        if self.seed == 15:
            raise PydanticCustomError("rule", "rule P-CRS-1 wants another seed {here}", {"here": 5})
        if self.seed == 16:
            raise PydanticCustomError("odd_word", "16 is odd", {"at": ("run", "trials"), "column": 1})
        return self


def problems_of(text: str, model: type[BaseModel] | None = Experiment, path: str = "experiments/bogs.toml") -> list:
    """Return the problems that the demo model has with a text; `model` None hides the model from the translation."""
    document = toml.parse(text, path)
    with pytest.raises(ValidationError) as caught:
        Experiment.model_validate(document.data)
    return from_pydantic(caught.value, document, model=model)


def problem_of(text: str, model: type[BaseModel] | None = Experiment) -> Problem:
    (problem,) = problems_of(text, model)
    return problem


IDEAL = """\
name = "bogs-and-legs"
[run]
trails = 2000
[[course.steps]]
down = 3
hazard = "1d6++1"
[sweep]
mode = "zip"
[sweep.axes]
"bog.swamp.pass" = [2, 3, 4]
"hills.up.speed" = [1, 2]
"""

IDEAL_RENDERED = """\
1 error: unknown setting 'trails' in [run]                         [typo]
   --> experiments/bogs.toml:3:1
   3 | trails = 2000
     | ^^^^^^ help: did you mean 'trials'?   ([run] has: trials, precision, max_trials, raw)
2 error: 'hazard' is not dice I can read                           [dice]
   --> experiments/bogs.toml:6:15
   6 | hazard = "1d6++1"
     |               ^ expected a number or dice such as 2d6 after '+'
3 error: game 'pigtickler' has no parameter 'bog.swamp.pass'       [override]
   --> experiments/bogs.toml:10:1
  10 | "bog.swamp.pass" = [2, 3, 4]
     | ^^^^^^^^^^^^^^^^ help: did you mean 'bogs.swamp.pass' (now 3)? All names: simkit rules pigtickler
4 error: step 1 breaks rule P-DN-4 in 1 of 6 cells                 [meaning]
   --> experiments/bogs.toml:5:8
   5 | down = 3
     |        ^ needs 4 when swamps pass at 4
  10 | "bog.swamp.pass" = [2, 3, 4]
     |                           ^ from here
     = help: drop 4, use down = 4, or set on_illegal = "skip" in [sweep] to leave that cell out
5 error: zip axes differ in length: bog.swamp.pass has 3 values, hills.up.speed has 2  [shape]
   --> experiments/bogs.toml
     = help: mode = "grid" tries all 6 combinations
  warning: this plan is 40,000 cells x 2,000 trials, about 5 h     [limit]
     = help: go on with --yes, or mode = "sobol", samples = 256
5 errors and 1 warning in experiments/bogs.toml; nothing was run
"""


def test_ideal_messages() -> None:
    path = "experiments/bogs.toml"
    document = toml.parse(IDEAL, path)
    axis = ("sweep", "axes", "bog.swamp.pass")
    problems = [
        *problems_of(IDEAL),
        Problem(
            "override",
            "game 'pigtickler' has no parameter 'bog.swamp.pass'",
            path,
            document.where(axis),
            help="did you mean 'bogs.swamp.pass' (now 3)? All names: simkit rules pigtickler",
        ),
        Problem(
            "meaning",
            "step 1 breaks rule P-DN-4 in 1 of 6 cells",
            path,
            document.where(("course", "steps", 0, "down"), "value"),
            note="needs 4 when swamps pass at 4",
            also=((document.where((*axis, 2)), "from here"),),
            help='drop 4, use down = 4, or set on_illegal = "skip" in [sweep] to leave that cell out',
        ),
        Problem(
            "shape",
            "zip axes differ in length: bog.swamp.pass has 3 values, hills.up.speed has 2",
            path,
            help='mode = "grid" tries all 6 combinations',
        ),
        Problem(
            "limit",
            "this plan is 40,000 cells x 2,000 trials, about 5 h",
            help='go on with --yes, or mode = "sobol", samples = 256',
            severity="warning",
        ),
    ]
    assert render(problems, document.sources) == IDEAL_RENDERED


def test_ideal_syntax_message() -> None:
    with pytest.raises(ProblemError) as caught:
        toml.parse('schema = 1\n\nname = "legs-cost\ngame = "pigtickler"\n', "experiments/legs-cost.toml")
    assert (
        render(caught.value.problems, caught.value.sources)
        == """\
1 error: this is not valid TOML                                    [syntax]
   --> experiments/legs-cost.toml:3:18
   3 | name = "legs-cost
     |                  ^ the text needs a closing quote on the same line
1 error in experiments/legs-cost.toml; nothing was run
"""
    )


GOOD = 'name = "bogs"\n'
TOP = "the top level has: name, seed, for, run, course, sweep, land, pace, spot, names, pair"


@pytest.mark.parametrize(
    ("text", "kind", "message", "place", "help_text"),
    [
        ("nmae = 'x'", "typo", "unknown setting 'nmae' at the top level", "nmae",
         "did you mean 'name'?   (" + TOP + ")"),
        ("[rnu]", "typo", "unknown table 'rnu' at the top level", "rnu",
         "did you mean 'run'?   (" + TOP + ")"),
        ("[run]\nmax-trials = 2", "typo", "unknown setting 'max-trials' in [run]", "max-trials",
         "did you mean 'max_trials'?   ([run] has: trials, precision, max_trials, raw)"),
        ("[run]\nqqq = 2", "typo", "unknown setting 'qqq' in [run]", "qqq",
         "[run] has: trials, precision, max_trials, raw"),
        ("[run]\nseed = 2", "typo", "unknown setting 'seed' in [run]", "seed", "'seed' belongs at the top level"),
        ("trials = 2", "typo", "unknown setting 'trials' at the top level", "trials", "'trials' belongs in [run]"),
        ("turns = 2", "typo", "unknown setting 'turns' at the top level", "turns", "'turns' belongs in [course]"),
        ("[course]\nsteps = [{down = 1}, {down = 1, mud = 2}]", "typo", "unknown setting 'mud' in step 2 of [course]",
         "mud", "step 2 of [course] has: down, terrain, hazard"),
        ("[course]\nsteps = [{down = 1, mud = [{}]}]", "typo", "unknown table 'mud' in step 1 of [course]",
         "mud", "step 1 of [course] has: down, terrain, hazard"),
        ("[sweep.axes]\n'a b' = {range = [1, 2], stop = 3}", "typo", "unknown setting 'stop' in [sweep.axes.\"a b\"]",
         "stop", '[sweep.axes."a b"] has: range'),
        ("[run]\ntrials = 0", "value", "'trials' in [run] must be from 1 to 1,000,000,000, found 0", "0", None),
        ("[run]\ntrials = true", "value", "'trials' in [run] must be a whole number, found true", "true", None),
        ("[run]\ntrials = '20'", "value", "'trials' in [run] must be a whole number, found the text '20'", "'20'",
         "write 20 without quotes"),
        ("[run]\ntrials = 1e3", "value", "'trials' in [run] must be a whole number, found 1000", "1e3", "write 1000"),
        ("[run]\ntrials = 1.5", "value", "'trials' in [run] must be a whole number, found 1.5", "1.5", None),
        ("[run]\nmax_trials = 3", "value", "'max_trials' in [run] must be a multiple of 2, found 3", "3", None),
        ("[run]\nprecision = 0.5", "value",
         "'precision' in [run] must be more than 0 and less than 0.5, found 0.5", "0.5", None),
        ("[run]\nraw = 'TRUE'", "value", "'raw' in [run] must be true or false, found the text 'TRUE'", "'TRUE'",
         "write true without quotes"),
        ("run = 3", "value", "'run' must be a table, found 3", "3", None),
        ("seed = ''", "value", "'seed' must be a whole number, found an empty text", "''", None),
        ("for = []", "value", "'for' must be text in quotes, found an empty list", "[]", None),
        ("[course]", "value", "[course] needs 'steps'", "course", None),
        ("[course]\nsteps = []", "value",
         "'steps' in [course] must be at least 1 value long, found an empty list", "[]", None),
        ("[course]\nsteps = {}", "value",
         "'steps' in [course] must be a list in [ ], found an empty table", "{}", None),
        ("[course]\nsteps = [1]", "value", "value 1 of 'steps' in [course] must be a table, found 1", "1", None),
        ("[[course.steps]]\ndown = 1\n[[course.steps]]", "value", "step 2 of [course] needs 'down'", "steps", None),
        ("course.steps = [{down = 1, terrain = 'Bog'}]", "value",
         """'terrain' in step 1 of [course] must be one of "open", "bog", "hill", found the text 'Bog'""", "'Bog'",
         "did you mean 'bog'?"),
        ("[sweep]\nmode = 'gird'", "value",
         """'mode' in [sweep] must be one of "grid", "zip", found the text 'gird'""", "'gird'", "did you mean 'grid'?"),
        ("[sweep.axes]\nbogs = 3", "value", "'bogs' in [sweep.axes] must be a list in [ ] or a table, found 3", "3",
         "put it in brackets: [3]"),
        ("[sweep.axes]\nbogs = [1, 2, true]", "value",
         "value 3 of 'bogs' in [sweep.axes] must be a number, text in quotes or a list in [ ], found true", "true",
         None),
        ("[sweep.axes]\nbogs = [[], ['a', 1]]", "value",
         "value 2 of value 2 of 'bogs' in [sweep.axes] must be text in quotes, found 1", "1", 'write "1"'),
        ("[sweep.axes]\nbogs = {range = [1]}", "value",
         "'range' in [sweep.axes.bogs] must be at least 2 values long, found a list of 1", "[1]", None),
        ("[sweep.axes]\nbogs = {range = [1, 'x']}", "value",
         "value 2 of 'range' in [sweep.axes.bogs] must be a number, found the text 'x'", "'x'", None),
        ("[land]\ndepth = 1", "value", "[land] needs 'kind'", "land", None),
        ("[land]\nkind = 'bgo'", "value", "'kind' in [land] must be one of bog, hill, found the text 'bgo'", "'bgo'",
         "did you mean 'bog'?"),
        ("[land]\nkind = 'bog'\ndepth = 'x'", "value", "'depth' in [land] must be a whole number, found the text 'x'",
         "'x'", None),
        ("[land]\nkind = 'bog'\ndepht = 2", "typo", "unknown setting 'depht' in [land]", "depht",
         "did you mean 'depth'?   ([land] has: kind, depth)"),
        ("land = 3", "value", "'land' must be a table, found 3", "3", None),
        ("pace = 'fats'", "value", """'pace' must be one of "fast", "slow", found the text 'fats'""", "'fats'",
         "did you mean 'fast'?"),
        ("pace = 1.5", "value", """'pace' must be a whole number, one of "fast", "slow" or a list in [ ], found 1.5""",
         "1.5", None),
        ("pace = [1, 'x']", "value", "value 2 of 'pace' must be a whole number, found the text 'x'", "'x'", None),
        ("spot = 'x'", "value", "'spot' must be a list in [ ] or a table, found the text 'x'", "'x'", None),
        ("spot = {kind = 'bog', depth = false}", "value",
         "'depth' in [spot] must be a whole number, found false", "false", None),
        ("spot = 7", "value", "'spot' must be a list in [ ] or a table, found 7", "7", "put it in brackets: [7]"),
        ("[names]\nA = 1", "value", "the name 'A' in [names] is not allowed", "A", "the form is ^[a-z]+$"),
        ("[names]\nabcdefghi = 1", "value", "the name 'abcdefghi' in [names] is not allowed", "abcdefghi",
         "it must be at most 8 characters long"),
        ("[names]\nabc = 'x'", "value", "'abc' in [names] must be a whole number, found the text 'x'", "'x'", None),
        ("pair = ['a', 'b']", "value", "value 1 of 'pair' must be a whole number, found the text 'a'", "'a'", None),
        ("seed = 13", "meaning", "seed 13 is unlucky", "13", "try 14"),
        ("seed = 14", "value", "so is 14", None, None),
        ("seed = 15", "rule", "rule P-CRS-1 wants another seed 5", None, None),
        ("seed = 16\n[run]\ntrials = 12", "value", "16 is odd", "12", None),
        ("course.steps = [{down = 1, hazard = '0d6'}]", "value",
         "'hazard' in step 1 of [course]: no dice at all", "'0d6'", None),
    ],
)  # fmt: skip
def test_our_words(text: str, kind: str, message: str, place: str | None, help_text: str | None) -> None:
    text = text if text.startswith("nmae") else GOOD + text
    problem = problem_of(text)
    assert (problem.kind, problem.message, problem.help) == (kind, message, help_text)
    if place is None:
        assert problem.span is None
    else:
        assert problem.span is not None
        line = text.split("\n")[problem.span.line - 1]
        assert line[problem.span.column - 1 : problem.span.end_column - 1] == place


def test_a_form_is_told_by_the_description() -> None:
    problem = problem_of("name = 'Tickler Bogs'")
    assert problem.message == "'name' cannot be the text 'Tickler Bogs'"
    assert (problem.span, problem.help) == (Span(1, 8, 22), "small letters and -")


def test_a_missing_setting_of_the_file_has_no_place() -> None:
    problem = problem_of("seed = 2")
    assert problem == Problem("value", "the file needs 'name'", "experiments/bogs.toml", help="small letters and -")


def test_all_problems_come_at_once_in_the_order_of_the_file() -> None:
    text = "seed = 'x'\n[sweep]\nmode = 'x'\n[run]\nraw = 1\ntrial = 3\n[[course.steps]]\ndown = 'x'\n"
    problems = problems_of(text)
    assert [problem.span and problem.span.line for problem in problems] == [None, 1, 3, 5, 6, 8]


def test_a_misspelled_setting_is_not_reported_missing_too() -> None:
    problem = problem_of(GOOD + "[[course.steps]]\ndwon = 3")
    assert problem.help == "did you mean 'down'?   (step 1 of [course] has: down, terrain, hazard)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[run]\ntrails = 1", "unknown setting 'trails' in [run]"),
        ("[run]\ntrials = 0", "'trials' in [run] must be at least 1, found 0"),
        ("[[course.steps]]", "step 1 of [course] needs 'down'"),
        ("course.steps = [{down = 1, terrain = 'x'}]",
         "'terrain' in step 1 of [course] must be one of open, bog, hill, found the text 'x'"),
        ("[sweep.axes]\nbogs = 3", "'bogs' in [sweep.axes] cannot be 3"),
        ("[sweep.axes]\nbogs = [1, true]",
         "value 2 of 'bogs' in [sweep.axes] must be a number, text in quotes or a list in [ ], found true"),
        ("[sweep.axes]\nbogs = {range = [1, 2], step = 1}", "unknown setting 'step' in [sweep.axes.bogs]"),
        ("spot = 'x'", "'spot' must be a list in [ ] or a table, found the text 'x'"),
        ("[land]\nkind = 'bog'", "[land] needs 'depth'"),
    ],
)  # fmt: skip
def test_without_the_model_the_data_tells_keys_from_labels(text: str, message: str) -> None:
    assert problem_of(GOOD + text, None).message == message


def test_a_part_of_a_document() -> None:
    document = toml.parse("[sides.a.course]\nturns = 0\nturn = 1\nsteps = [{down = 1}]\nseed = 1", "x.toml")
    at = ("sides", "a", "course")
    with pytest.raises(ValidationError) as caught:
        Course.model_validate(document.data["sides"]["a"]["course"])
    problems = from_pydantic(caught.value, document, at=at, model=Course)
    assert [(problem.message, problem.span) for problem in problems] == [
        ("'turns' in [sides.a.course] must be at least 1, found 0", Span(2, 9, 10)),
        ("unknown setting 'turn' in [sides.a.course]", Span(3, 1, 5)),
        ("unknown setting 'seed' in [sides.a.course]", Span(5, 1, 5)),
    ]
    with pytest.raises(ValidationError) as caught:
        Course.model_validate({})
    (problem,) = from_pydantic(caught.value, document, at=at, model=Course)
    assert (problem.message, problem.span) == ("[sides.a.course] needs 'steps'", Span(1, 10, 16))


def test_an_error_of_a_parser_may_carry_its_place() -> None:
    class Dice(BaseModel):
        odds: str

        @field_validator("odds")
        @classmethod
        def _parse(cls, value: str) -> str:
            error = ValueError(f"{value} is not dice")
            error.column, error.kind, error.help = 3, "dice", "write 2d6"  # type: ignore[attr-defined]
            raise error

    document = toml.parse("odds = '2dx'")
    with pytest.raises(ValidationError) as caught:
        Dice.model_validate(document.data)
    (problem,) = from_pydantic(caught.value, document, model=Dice)
    assert problem == Problem("dice", "'odds': 2dx is not dice", "<text>", Span(1, 11, 12), help="write 2d6")


def test_no_error_of_pydantic_speaks_for_itself() -> None:
    context: dict[str, Any] = dict.fromkeys(("ge", "gt", "le", "lt", "multiple_of"), Fraction(1, 2))
    context |= dict.fromkeys(("min_length", "max_length", "actual_length", "max_digits", "decimal_places"), 7)
    context |= dict.fromkeys(("whole_digits", "tz_expected", "tz_actual", "expected_version"), 7)
    context |= dict.fromkeys(("field_type", "class_name", "method_name", "name", "attribute", "class"), "Thing")
    context |= dict.fromkeys(("encoding", "encoding_error", "expected_schemes", "function_name", "pattern"), "Thing")
    context |= {"expected": "'a' or 'b'", "discriminator": "'kind'", "tag": "z", "expected_tags": "'p', 'q'"}
    document = toml.parse("[table]\nsetting = 1")
    seen = set()
    for kind in get_args(core_schema.ErrorType):
        own = context | {"error": ValueError("ours") if kind in ("value_error", "assertion_error") else "theirs"}
        details = InitErrorDetails(type=kind, loc=("table", "setting"), input=1, ctx=own)
        error = ValidationError.from_exception_data("Thing", [details])
        (problem,) = from_pydantic(error, document)
        theirs = error.errors()[0]["msg"]
        assert theirs not in problem.message, kind
        assert not any(word in problem.message for word in ("Input", "Thing", "theirs", "pydantic", "http")), kind
        assert problem.span is not None, kind
        seen.add(problem.message)
    assert "'setting' in [table] must be at least 1/2, found 1" in seen
    assert "'setting' in [table] cannot be 1" in seen


def test_hostile_numbers_of_problems_are_cut() -> None:
    problems = problems_of(GOOD + "".join(f"k{i} = 1\n" for i in range(20_000)))
    assert len(problems) == 51
    assert problems[-1] == Problem("limit", "19,950 more problems are not shown", "experiments/bogs.toml")


def test_hostile_names_and_values_are_cut() -> None:
    name = "k" * 5000
    problem = problem_of(GOOD + f"{name} = 1")
    assert problem.message == f"unknown setting '{'k' * 59}…' at the top level"
    assert problem.help is not None
    assert problem.help.startswith("the top level has: ")
    text = GOOD + f"seed = '{name}'"
    problem = problem_of(text)
    assert problem.message == f"'seed' must be a whole number, found the text '{'k' * 59}…'"
    assert max(map(len, render([problem], {problem.path: text}).split("\n"))) < 130


@pytest.mark.parametrize(
    ("word", "choice"),
    [
        ("gmaes", "games"),
        ("Games", "games"),
        ("max-trials", "max_trials"),
        ("equipment.leg.slots", "equipment.legs.slots"),
        ("zzz", None),
        ("", None),
        ("g" * 101, None),
    ],
)
def test_did_you_mean(word: str, choice: str | None) -> None:
    choices = ["games", "seed", "max_trials", "equipment.legs.slots", "g" * 100_000]
    assert did_you_mean(word, choices) == choice
    assert did_you_mean(word, []) is None


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn(kind: str) -> None:
    text = render([Problem(kind, "something", "x.toml", Span(1, 3, 5))], {"x.toml": "a bc"})
    assert text == (
        f"1 error: something{' ' * 49}[{kind}]\n   --> x.toml:1:3\n   1 | a bc\n     |   ^^\n"
        "1 error in x.toml; nothing was run\n"
    )


def test_problems_of_no_kind() -> None:
    with pytest.raises(ValueError, match="kind 'oops' is not one of syntax, typo"):
        Problem("oops", "x")
    with pytest.raises(ValueError, match="severity 'fatal' is not one of error, warning"):
        Problem("typo", "x", severity="fatal")  # type: ignore[arg-type]


def test_summary_line() -> None:
    error, warning = Problem("shape", "e", "a.toml"), Problem("limit", "w", "a.toml", severity="warning")
    last = [
        render(problems, {}).splitlines()[-1]
        for problems in ([error], [error] * 3, [error, warning, warning], [warning])
    ]
    assert last == [
        "1 error in a.toml; nothing was run",
        "3 errors in a.toml; nothing was run",
        "1 error and 2 warnings in a.toml; nothing was run",
        "1 warning in a.toml",
    ]
    two = [error, Problem("shape", "e", "b.toml"), Problem("shape", "e")]
    assert render(two, {}).splitlines()[-1] == "3 errors in 2 files; nothing was run"
    assert render([Problem("shape", "e")], {}).splitlines()[-1] == "1 error; nothing was run"
    assert render([error], {}, closing="nothing was checked").endswith("1 error in a.toml; nothing was checked\n")
    assert render([error], {}, closing="").endswith("1 error in a.toml\n")
    assert render([], {}) == ""


def drawn(source: str, span: Span, **fields: Any) -> list[str]:
    """Lines of a problem between the place and the summary."""
    text = render([Problem("value", "m", "x", span, **fields)], {"x": source})
    return text.split("\n")[2:-2]


def test_tabs_and_wide_characters_keep_the_carets_in_place() -> None:
    assert drawn("\ta = \t1", Span(1, 7, 8)) == ["   1 |     a =     1", "     |             ^"]
    assert drawn("漢字 = 字", Span(1, 6, 7)) == ["   1 | 漢字 = 字", "     |        ^^"]
    assert drawn("'Ａ' = 1", Span(1, 5, 6)) == ["   1 | 'Ａ' = 1", "     |      ^"]
    assert drawn("e\u0301é = 1", Span(1, 7, 8)) == ["   1 | e\u0301é = 1", "     |      ^"]
    assert drawn("🎲 = 1", Span(1, 1, 2)) == ["   1 | 🎲 = 1", "     | ^^"]


def test_places_beyond_the_text() -> None:
    assert drawn("ab", Span(1, 3, 4)) == ["   1 | ab", "     |   ^"]
    assert drawn("ab\n", Span(9, 1, 2)) == ["   9 |", "     | ^"]
    assert drawn("\n" * 123_455 + "ab", Span(123_456, 1, 3), note="here") == ["123456 | ab", "       | ^^ here"]


def test_long_lines_are_cut_around_the_carets() -> None:
    source = "a" * 3000 + "BAD" + "z" * 3000
    line, carets = drawn(source, Span(1, 3001, 3004))
    assert line == "   1 | …" + "a" * 50 + "BAD" + "z" * 47 + "…"
    assert carets == "     | " + " " * 51 + "^^^"
    line, carets = drawn(source, Span(1, 1, 6004))
    assert line == "   1 | " + "a" * 50 + "…"
    assert carets == "     | " + "^" * 50
    line, carets = drawn(source, Span(1, 6003, 6004))
    assert line == "   1 | …" + "z" * 51
    assert carets == "     | " + " " * 51 + "^"


@given(
    line=st.text(alphabet="ab漢é\u0301\t\x00\u202e", max_size=400),
    start=st.integers(1, 420),
    length=st.integers(1, 420),
    note=st.none() | st.text(max_size=5),
)
def test_any_line_fits_and_shows_something(line: str, start: int, length: int, note: str | None) -> None:
    source, carets = drawn(line, Span(1, start, start + length), note=note)
    width = sum(unicodedata.east_asian_width(c) in "WF" for c in source) + sum(c != "\u0301" for c in source)
    assert width <= 7 + 102
    assert "^" in carets
    assert carets.index("^") <= 7 + 51


def test_several_places_of_a_line_share_it() -> None:
    also = ((Span(1, 1, 2), "first"), (Span(2, 1, 2), "then"))
    assert drawn("a b\na b", Span(1, 3, 4), note="here", also=also) == [
        "   1 | a b",
        "     |   ^ here",
        "     | ^ first",
        "   2 | a b",
        "     | ^ then",
    ]


def test_without_the_source_the_place_and_the_words_remain() -> None:
    problem = Problem("dice", "m", "x.toml", Span(2, 3, 4), help="do", note="look", also=((Span(1, 1, 2), "there"),))
    assert render([problem], {}).split("\n")[1:-2] == [
        "   --> x.toml:2:3",
        "     = look",
        "     = there",
        "     = help: do",
    ]


def test_nothing_of_a_strangers_text_reaches_the_terminal_as_a_command() -> None:
    evil = "\x1b]0;pwned\x07\u202e\u200b\x9b31m\ud800"
    assert visible(evil) == "<U+001B>]0;pwned<U+0007><U+202E><U+200B><U+009B>31m<U+D800>"
    problem = Problem("value", evil, f"{evil}.toml", Span(1, 1, 2), help=evil, note=evil, also=((Span(1, 2, 3), evil),))
    sources = {f"{evil}.toml": f"x = '{evil}'"}
    for text in (render([problem], sources), coloured([problem], sources).plain, str(ProblemError([problem], sources))):
        assert not set(text) & set(evil) - set("]0;pwned31m")
        assert text.count("<U+001B>") >= 6


def test_colours_are_styles_and_never_markup() -> None:
    problem = Problem("value", "[bold]no[/bold] [link=http://x]", "[red].toml", Span(1, 1, 5), help="[/]")
    sources = {"[red].toml": "[run] # :smile:"}
    plain = render([problem], sources)
    text = coloured([problem], sources)
    assert text.plain == plain
    assert {str(span.style) for span in text.spans} >= {"bold red", "blue"}
    screen = io.StringIO()
    Console(file=screen, width=40).print(text, soft_wrap=True, end="")
    assert screen.getvalue() == plain


def test_problem_error_tells_everything_and_can_be_pickled() -> None:
    with pytest.raises(ProblemError) as caught:
        toml.parse("x = True", "x.toml")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.problems == caught.value.problems
    assert copy.sources == {"x.toml": "x = True"}
    assert str(copy) == render(copy.problems, copy.sources).rstrip("\n")
    assert "write true" in str(copy)
