"""Reading strangers' TOML: places of everything, and refusal of everything else."""

import io
import os
import pathlib
import random
import sysconfig
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.lab import toml
from simkit.lab.positions import character_offsets, decode
from simkit.lab.problems import Problem, ProblemError, Span, render

NASTY = '''\
# a comment with "quotes, [brackets] and = signs
title = "a # that is no comment"
"quoted key" = 'C:\\no\\escapes'   # behind a value
  indented.dotted . "with.dot".last=1
'' = "empty key"
multi = """
[not a table]
x = 1 \\
   folded""""
literal = \'\'\'
'one' ''two'' # no comment\'\'\'
"caf\\u00e9" = true
numbers = [ 1, -2.5e3, 0xff, ]
arrays = [   # comment ] in here
  [1, 2],
  [ "a,b]", 'c}' , { k = [3, 4], "l.m".n = {} } ], # trailing
]
inline = { a = 1, b.c = "}", d = { e = [ { f = 5 } ] } }

[run]   # header comment
trials = 100_000
\ttabbed\t=\t"tab"

[ sweep . axes ]
"bogs.swamp" = [0, 1, 2]

[[course.steps]]
down = 3
[course.steps.hill]
up = 1

[[course.steps]]
down = 4
  [[course.steps.mud]]
  deep = true
  [[course.steps.mud]]
  deep = false

[a.b.c]
x = 1
[a]
y = 2
'''


def text_at(document: toml.Document, span: Span) -> str:
    """Text of a span."""
    return document.text.split("\n")[span.line - 1][span.column - 1 : span.end_column - 1]


def key_paths(value: object, path: tuple = ()):
    """Yield every key path of the data with its value."""
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, key), item
            yield from key_paths(item, (*path, key))


def check_places(text: str) -> int:
    """Check that each key path leads to its key and, on one line, to text that reads as its value; count them."""
    document = toml.parse(text)
    count = 0
    for path, value in key_paths(document.data):
        count += 1
        if isinstance(path[-1], str):
            raw = text_at(document, document.where(path))
            assert (decode(raw) if raw[:1] in ("'", '"') else raw) == path[-1], path
        raw = text_at(document, document.where(path, "value"))
        if raw.startswith("[") and isinstance(value, dict):
            assert raw.endswith("]"), path  # a header
        elif isinstance(value, bool | int | float | str) and '"""' not in raw and "'''" not in raw:
            assert tomllib.loads(f"v = {raw}")["v"] == value, path
    return count


def refusal(text: str) -> Problem:
    """Return the only problem of a text."""
    with pytest.raises(ProblemError) as caught:
        toml.parse(text, "x.toml")
    (problem,) = caught.value.problems
    assert problem.path == "x.toml"
    assert problem.severity == "error"
    return problem


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        (("title",), "title", '"a # that is no comment"'),
        (("quoted key",), '"quoted key"', r"'C:\no\escapes'"),
        (("indented",), "indented", "indented"),
        (("indented", "dotted", "with.dot"), '"with.dot"', '"with.dot"'),
        (("indented", "dotted", "with.dot", "last"), "last", "1"),
        (("",), "''", '"empty key"'),
        (("multi",), "multi", '"""'),
        (("literal",), "literal", "'''"),
        (("café",), r'"caf\u00e9"', "true"),
        (("numbers", 1), "-2.5e3", "-2.5e3"),
        (("arrays",), "arrays", "[   # comment ] in here"),
        (("arrays", 0), "[1, 2]", "[1, 2]"),
        (("arrays", 0, 1), "2", "2"),
        (("arrays", 1, 0), '"a,b]"', '"a,b]"'),
        (("arrays", 1, 1), "'c}'", "'c}'"),
        (("arrays", 1, 2), '{ k = [3, 4], "l.m".n = {} }', '{ k = [3, 4], "l.m".n = {} }'),
        (("arrays", 1, 2, "k", 0), "3", "3"),
        (("arrays", 1, 2, "l.m", "n"), "n", "{}"),
        (("inline", "b", "c"), "c", '"}"'),
        (("inline", "d", "e", 0, "f"), "f", "5"),
        (("run",), "run", "[run]"),
        (("run", "trials"), "trials", "100_000"),
        (("run", "tabbed"), "tabbed", '"tab"'),
        (("sweep",), "sweep", "sweep"),
        (("sweep", "axes"), "axes", "[ sweep . axes ]"),
        (("sweep", "axes", "bogs.swamp", 2), "2", "2"),
        (("course", "steps", 0, "down"), "down", "3"),
        (("course", "steps", 0, "hill"), "hill", "[course.steps.hill]"),
        (("course", "steps", 0, "hill", "up"), "up", "1"),
        (("course", "steps", 1), "steps", "[[course.steps]]"),
        (("course", "steps", 1, "down"), "down", "4"),
        (("course", "steps", 1, "mud", 1, "deep"), "deep", "false"),
        (("a",), "a", "[a]"),
        (("a", "b", "c", "x"), "x", "1"),
        (("a", "y"), "y", "2"),
    ],
)
def test_places_in_a_nasty_file(path: tuple, key: str, value: str) -> None:
    document = toml.parse(NASTY)
    assert text_at(document, document.where(path)) == key
    assert text_at(document, document.where(path, "value")) == value


def test_every_place_of_the_nasty_file() -> None:
    assert check_places(NASTY) == 62


def test_lines_and_columns_count_from_one() -> None:
    document = toml.parse("[run]\ntrials = 100\n[[course.steps]]\n[[course.steps]]\n")
    assert document.where(("run", "trials")) == Span(2, 1, 7)
    assert document.where(("run", "trials"), part="value") == Span(2, 10, 13)
    assert document.where(("course", "steps", 0)) == Span(3, 10, 15)
    assert document.where(("course", "steps", 1), "value") == Span(4, 1, 17)
    assert document.where(("course", "steps")) == Span(3, 10, 15)


def test_an_unknown_path_gives_the_nearest_known_ancestor() -> None:
    document = toml.parse("x = 1\n[run]\ntrials = [1]\n")
    assert document.where(("run", "trails")) == document.where(("run",)) == Span(2, 2, 5)
    assert document.where(("run", "trials", 7, "deep"), "value") == document.where(("run", "trials"), "value")
    assert document.where(("nothing", 3)) == document.where(()) == Span(1, 1, 2)


def test_real_project_files() -> None:
    root = pathlib.Path(__file__).parent.parent
    packages = pathlib.Path(sysconfig.get_paths()["purelib"])
    files = [root / "pyproject.toml", *packages.glob("*/pyproject.toml"), *root.glob("experiments/**/*.toml")]
    counts = [check_places(file.read_text("utf-8")) for file in files]
    assert sum(counts) > 50


NAMES = st.sampled_from(["a", "b-c", "d_1", "7", "two words", "dot.ted", "é", 'quo"te', "", "#", "[x]", "tr'ue"])
LEAVES = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "plain", "ha#sh", "]", "}", ",", "back\\slash", 'q"q', "s's", "é漢", "line\nbreak", "tab\t"]),
)
TREES = st.dictionaries(
    NAMES,
    st.recursive(
        LEAVES,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
        max_leaves=8,
    ),
    max_size=5,
)


class Writer:
    """Write data as TOML in a style that dice choose."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def text(self, value: str) -> str:
        forms = [self.basic(value)]
        if "'" not in value and "\n" not in value:
            forms += [f"'{value}'", f"'''{value}'''"]
        if "\\" not in value and '"""' not in value and not value.endswith('"'):
            forms += [f'"""{value}"""', f'"""\n{value}"""', f'"""\\\n  \n {value}"""' if value[:1].isalpha() else '""']
        return self.dice.choice([form for form in forms if tomllib.loads(f"v={form}")["v"] == value])

    def basic(self, value: str) -> str:
        return '"' + "".join(c if c.isalnum() and c.isascii() else f"\\U{ord(c):08x}" for c in value) + '"'

    def key(self, name: str) -> str:
        forms = [self.basic(name)] + [f"'{name}'"] * ("'" not in name)
        if name and all(c.isascii() and (c.isalnum() or c in "-_") for c in name):
            forms.append(name)
        return self.dice.choice(forms)

    def value(self, value: object) -> str:
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return "{" + ", ".join(self.pair(k, v) for k, v in value.items()) + "}"
        if isinstance(value, list):
            gap = self.dice.choice(["", " ", "\n", " # ] no end\n\t"])
            return "[" + gap + f",{gap}".join(self.value(v) for v in value) + gap + "]"
        return repr(value)

    def pair(self, name: str, value: object) -> str:
        key = self.key(name)
        while isinstance(value, dict) and len(value) == 1 and self.dice.random() < 0.5:
            ((name, value),) = value.items()
            key += self.dice.choice([".", " . "]) + self.key(name)
        return key + self.dice.choice(["=", " = ", "\t=  "]) + self.value(value)

    def tables(self, data: dict, header: str = "") -> str:
        plain, later = "", ""
        for name, value in data.items():
            path = header + ("." if header else "") + self.key(name)
            if isinstance(value, dict) and self.dice.random() < 0.7:
                later += f"[{path}] # header\n{self.tables(value, path)}"
            elif isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
                later += "".join(f"[[ {path} ]]\n{self.tables(item, path)}" for item in value)
            else:
                indent, end = self.dice.choice(["", "  "]), self.dice.choice(["\n", "  # = no\n\n"])
                plain += indent + self.pair(name, value) + end
        return plain + later


@pytest.mark.thorough
@settings(max_examples=300, deadline=None)
@given(data=TREES, seed=st.integers(0, 2**32))
def test_every_place_of_generated_files(data: dict, seed: int) -> None:
    text = Writer(seed).tables(data)
    assert toml.parse(text).data == data
    check_places(text)


@settings(max_examples=300, deadline=None)
@given(data=TREES, seed=st.integers(0, 2**32), marks=st.lists(st.sampled_from("[]{}=\"'.,#\n\\ 0x-é\x00"), max_size=3))
def test_broken_files_never_raise_anything_else(data: dict, seed: int, marks: list[str]) -> None:
    text = Writer(seed).tables(data)
    dice = random.Random(seed)
    for mark in marks:
        at = dice.randrange(len(text) + 1)
        text = text[:at] + mark + text[at + dice.randrange(2) :]
    try:
        document = toml.parse(text)
    except ProblemError as error:
        message = render(error.problems, error.sources)
        assert "nothing was run" in message
        assert all(problem.span for problem in error.problems)
    else:
        assert document.data == tomllib.loads(text)
        check_places(text)


@pytest.mark.parametrize(
    ("raw", "column", "found"),
    [
        ('"1d6++1"', 5, "+"),
        ("'1d6'", 2, "d"),
        (r'"\u0031d6"', 1, r"\u0031"),
        (r'"\t\\d6"', 3, "d"),
        (r'"\U0001F3B2 d6"', 3, "d"),
        ('"1d6"', 4, '"'),
        ('"1d6"', 99, '"'),
        ('"1d6"', -1, "1"),
        ('""', 1, '"'),
        ('"""2d6"""', 2, "d"),
        ("12", 2, "12"),
        ("[1, 2]", 2, "[1, 2]"),
    ],
)
def test_columns_inside_a_text(raw: str, column: int, found: str) -> None:
    document = toml.parse(f"x = {raw}")
    assert text_at(document, document.inside(("x",), column)) == found


def test_columns_inside_a_text_of_several_lines() -> None:
    document = toml.parse('x = """\n1d6\\\n   +2d?"""')
    assert document.inside(("x",), 4) == Span(3, 4, 5)
    assert text_at(document, document.inside(("x",), 7)) == "?"
    assert document.inside(("y",), 3) == Span(1, 1, 2)


def test_short_escapes_of_newer_toml_count_as_one_character() -> None:
    assert character_offsets(r'"\x41b"') == [1, 5, 6]


@given(st.text(alphabet="ab\\\"'\n\té漢", max_size=12), st.integers(0, 2**32))
def test_one_offset_for_each_character(value: str, seed: int) -> None:
    raw = Writer(seed).text(value)
    assert decode(raw) == value
    offsets = character_offsets(raw)
    assert len(offsets) == len(value) + 1
    assert all(raw[at] in (c, "\\") for at, c in zip(offsets, value, strict=False))
    assert raw[offsets[-1] :] in ('"', "'", '"""', "'''")


@pytest.mark.parametrize(
    ("text", "line", "column", "note"),
    [
        ('name = "legs\nx = 1', 1, 13, "the text needs a closing quote on the same line"),
        ("name = 'legs\n", 1, 13, "the text needs a closing quote on the same line"),
        ("name = 'le'gs'\n", 1, 12, "nothing may follow the value on its line"),
        ('name = "legs', 1, 13, "the text needs a closing quote on the same line"),
        ('a = 1\nname = """legs\n\n', 2, 8, 'nothing closes this """'),
        ("name = '''legs\n\n", 1, 8, "nothing closes this '''"),
        ("trials 100", 1, 8, "= is missing here"),
        ("trials: 100", 1, 7, "write = instead of :"),
        ("trials # 5", 1, 8, "a name needs = and a value"),
        ("my trials = 1", 1, 4, "a name may not hold spaces or other signs, unless it stands in quotes"),
        ("trials =\nseed = 1", 1, 9, "a value is missing here"),
        ("x = [1,,2]", 1, 8, "a value is missing here"),
        ("x = True", 1, 5, "write true"),
        ("x = off", 1, 5, "write false"),
        ("x = None", 1, 5, "TOML has no empty value: leave the setting out"),
        ("x = -.5", 1, 5, "a number needs a digit before the point"),
        ("x = 5.", 1, 6, "a number needs a digit behind the point"),
        ("x = 007", 1, 5, "a number may not begin with 0"),
        ("x = 1__0", 1, 6, "_ in a number needs a digit on both sides"),
        ("x = 10,000", 1, 7, "write a large number without commas, or with _ between the digits"),
        ("x = 1, 2", 1, 6, "several values are a list and need [ ]"),
        ("x = +-1", 1, 5, "this is not a value (a number, text in quotes, true, false, a list or a table)"),
        ("x = grid", 1, 5, "text needs quotes"),
        ("x = 3rd", 1, 5, "text needs quotes"),
        ("x == 1", 1, 4, "one = is enough"),
        ("x = 2d6+1", 1, 5, 'dice need quotes: "2d6+1"'),
        ("x = [1, 2d6]", 1, 9, 'dice need quotes: "2d6"'),
        ("x = 1 2", 1, 7, "nothing may follow the value on its line"),
        ("x = [1 2]", 1, 8, "a comma or ] is missing here"),
        ("x = [1,\n2\ny = 3", 3, 1, "a comma or ] is missing here"),
        ("x = {a = 1 b = 2}", 1, 12, "a comma or } is missing here"),
        ("x = {a = 1\n}", 1, 11, "a table in { } must end on the line where it begins"),
        ("x = {\na = 1}", 1, 6, "a table in { } must end on the line where it begins"),
        ("x = {a = 1,}", 1, 12, "no comma may stand before }"),
        ("x = {é = 1}", 1, 6, "a name with such letters needs quotes"),
        ("é = 1", 1, 1, "a name with such letters needs quotes"),
        ("a..b = 1", 1, 3, "a name is missing here"),
        ("[]", 1, 2, "a name is missing here"),
        ("[run\nx = 1", 1, 5, "the table header needs ] here (a name with spaces or other signs needs quotes)"),
        ("[[run]\nx = 1", 1, 6, "the header of a list of tables needs ]] here"),
        ("[run] x = 1", 1, 7, "nothing may follow a table header on its line"),
        ("// hello", 1, 1, "a comment begins with #"),
        ("= 1", 1, 1, "a line begins with a name, a [table] or a # comment"),
        (r'x = "C:\data"', 1, 8, "in double quotes a backslash is written \\\\ (or use single quotes)"),
        (r'x = "\u12"', 1, 6, r"\u takes 4 and \U 8 hexadecimal digits of a Unicode character"),
        (r'x = "\ud800"', 1, 6, r"\u takes 4 and \U 8 hexadecimal digits of a Unicode character"),
        ("x = 2023-02-30", 1, 5, "there is no such date"),
    ],
)
def test_syntax_in_our_words(text: str, line: int, column: int, note: str) -> None:
    problem = refusal(text)
    assert (problem.kind, problem.message) == ("syntax", "this is not valid TOML")
    assert problem.span is not None
    assert (problem.span.line, problem.span.column) == (line, column)
    assert problem.note == note


def test_the_opening_bracket_is_shown() -> None:
    assert refusal("x = [1,\n2\ny = 3").also == ((Span(1, 5, 6), "opened here"),)
    assert refusal("x = [[1], [2 3]]").also == ((Span(1, 11, 12), "opened here"),)


@pytest.mark.parametrize(
    ("text", "message", "again", "first"),
    [
        ("[run]\ntrials = 1\nseed = 2\ntrials = 3", "'trials' in [run] is set twice", Span(4, 1, 7), Span(2, 1, 7)),
        ('"a" = 1\na = 2', "'a' is set twice", Span(2, 1, 2), Span(1, 1, 4)),
        ("[run]\nx=1\n[run]\ny=2", "[run] is set twice", Span(3, 2, 5), Span(1, 2, 5)),
        ("x = {a=1, a=2}", "'a' in [x] is set twice", Span(1, 11, 12), Span(1, 6, 7)),
        ("x = {a=1}\n[x.b]", "'x' is complete already, so 'b' cannot be added", Span(2, 4, 5), Span(1, 1, 2)),
        ("x = 1\nx.b = 2", "'x' is complete already, so 'b' cannot be added", Span(2, 3, 4), Span(1, 1, 2)),
        ("x = {a=1}\nx.b = 2", "'x' is complete already, so 'b' cannot be added", Span(2, 3, 4), Span(1, 1, 2)),
        ("[x]\n[[x]]", "[x] is set twice", Span(2, 3, 4), Span(1, 2, 3)),
        ("[[x]]\n[[x]]\n[x]", "[x] is set twice", Span(3, 2, 3), Span(1, 3, 4)),
        ("[a.b]\n[a]\nb.c = 2", "'b' in [a] is complete already, so 'c' cannot be added", Span(3, 3, 4), Span(1, 4, 5)),
    ],
)
def test_what_is_set_twice_shows_both_places(text: str, message: str, again: Span, first: Span) -> None:
    problem = refusal(text)
    assert (problem.kind, problem.message, problem.span) == ("syntax", message, again)
    assert problem.also == ((first, "first here"),)


@pytest.mark.parametrize(
    ("text", "kind", "message", "span"),
    [
        ("x = 1\n\x00", "syntax", "the character U+0000 (NUL) is not allowed", Span(2, 1, 2)),
        ("x = '\x1b[31m'", "syntax", "the character U+001B (escape) is not allowed", Span(1, 6, 7)),
        ("x = 1 # \u202e", "syntax", "the character U+202E (right-to-left override) is not allowed", Span(1, 9, 10)),
        ("x = 1\ry = 2", "syntax", "the character U+000D (carriage return) is not allowed", Span(1, 6, 7)),
        ("x = '\x85'", "syntax", "the character U+0085 (control character) is not allowed", Span(1, 6, 7)),
        ("x = '\ud800'", "syntax", "the character U+D800 (control character) is not allowed", Span(1, 6, 7)),
        ("x = 'a\ufeff'", "syntax", "the character U+FEFF (zero width no-break space) is not allowed", Span(1, 7, 8)),
        (r'x = "a\u001b"', "value", "the character U+001B (escape) is not allowed in a text", Span(1, 7, 13)),
        (r'"\u061c" = 1', "value", "the character U+061C (arabic letter mark) is not allowed in a name", Span(1, 1, 9)),
        (r'x = ["", "\b"]', "value", "the character U+0008 (backspace) is not allowed in a text", Span(1, 11, 13)),
        (r'x = "\r"', "value", "the character U+000D (carriage return) is not allowed in a text", Span(1, 6, 8)),
        (r'"a\nb" = 1', "value", "the character U+000A (line feed) is not allowed in a name", Span(1, 1, 7)),
        ("x = {'a\tb' = 1}", "value", "the character U+0009 (tab) is not allowed in a name", Span(1, 6, 11)),
        ("[r]\nx = 1979-05-27", "value", "'x' in [r] is a date or time; these are not used here", Span(2, 5, 15)),
        ("x = [1, 07:32:00]", "value", "value 2 of 'x' is a date or time; these are not used here", Span(1, 9, 17)),
        ("x = 1979-05-27 07:32:00Z", "value", "'x' is a date or time; these are not used here", Span(1, 5, 25)),
        ("x = -inf", "value", "'x' is not a finite number", Span(1, 5, 9)),
        ("x = {y = [nan]}", "value", "value 1 of 'y' in [x] is not a finite number", Span(1, 11, 14)),
        ("x = 1e999", "value", "'x' is not a finite number", Span(1, 5, 10)),
        ("x = 9223372036854775808", "value", "'x' is a whole number beyond 64 bits", Span(1, 5, 24)),
        (f"x = 0x{'f' * 9000}", "value", "'x' is a whole number beyond 64 bits", Span(1, 5, 9007)),
        (f"s = '{'1' * 5000}'\nx=[{'9' * 5000}]", "limit", "a number of 5,000 digits is too long", Span(2, 4, 5004)),
        (f"x = {'[' * 500}", "limit", "this is nested more than 32 levels deep", Span(1, 37, 38)),
        (f"x = {'{a=' * 500}", "limit", "this is nested more than 32 levels deep", Span(1, 101, 102)),
        (f"{'a.' * 500}a = 1", "limit", "this is nested more than 32 levels deep", Span(1, 66, 67)),
        (f'x = """a"""""\ny = {"[" * 500}', "limit", "this is nested more than 32 levels deep", Span(2, 37, 38)),
        (f"x = '''a''''\ny = {'[' * 500}", "limit", "this is nested more than 32 levels deep", Span(2, 37, 38)),
        (f"[{'a.' * 31}a]\nx = {{y = 1}}", "limit", "this is nested more than 32 levels deep", Span(2, 1, 2)),
    ],
)
def test_refused_at_the_door(text: str, kind: str, message: str, span: Span) -> None:
    problem = refusal(text)
    assert (problem.kind, problem.message, problem.span) == (kind, message, span)


def test_what_is_allowed_at_the_door() -> None:
    text = f"x = 'tab\there'\nn = [-9223372036854775808, 9223372036854775807]\nd = {'[' * 32}{']' * 32}"
    data = toml.parse(text + '\ns = """two\nlines"""\nflag = "🎲 שלום"').data
    assert data["s"] == "two\nlines"
    assert data["flag"] == "🎲 שלום"
    assert data["n"][1] == 2**63 - 1
    assert toml.parse("").data == {}


def test_all_objections_are_collected_up_to_twenty() -> None:
    with pytest.raises(ProblemError) as caught:
        toml.parse("a = inf\nb = 1979-05-27\nc = [nan, 1]")
    assert [problem.span.line for problem in caught.value.problems if problem.span] == [1, 2, 3]
    with pytest.raises(ProblemError) as caught:
        toml.parse(f"x = [{'inf,' * 1000}]")
    assert len(caught.value.problems) == 20
    assert refusal("x\x00\x01\x02").note == "the first of 3 such characters"


def test_file_with_byte_order_mark_and_windows_lines(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(b'\xef\xbb\xbfname = "x"\r\n[run]\r\ntrials = 7\r\nwhy = """a\r\nb"""\r\n')
    document = toml.read(path)
    assert document.data == {"name": "x", "run": {"trials": 7, "why": "a\nb"}}
    assert document.path == str(path)
    assert document.where(("name",)) == Span(1, 1, 5)
    assert document.where(("run", "trials"), "value") == Span(3, 10, 11)
    assert document.sources == {str(path): document.text}
    assert "\r" not in document.text


def unreadable(path: str | os.PathLike[str]) -> Problem:
    """Return the only problem of a file that cannot be read."""
    with pytest.raises(ProblemError) as caught:
        toml.read(path)
    (problem,) = caught.value.problems
    assert problem.path == os.fspath(path)
    return problem


def test_missing_file_suggests_a_neighbour(tmp_path: pathlib.Path) -> None:
    (tmp_path / "legs-cost.toml").write_text("x = 1")
    problem = unreadable(tmp_path / "legs-cots.toml")
    assert (problem.kind, problem.message) == ("file", "there is no such file")
    assert problem.help == f"did you mean '{tmp_path / 'legs-cost.toml'}'?"
    assert unreadable(tmp_path / "legs-cost").help == problem.help
    assert unreadable(tmp_path / "other").help is None
    assert unreadable(tmp_path / "no" / "such.toml").message == "there is no such file"
    assert unreadable(tmp_path / "legs-cost.toml" / "x").message == "there is no such file"


def test_what_is_no_readable_file(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert unreadable(tmp_path).message == "this is a folder, not a TOML file"
    assert unreadable(os.devnull).message == "this is not a regular file"
    assert unreadable("a\0b").message == "this file cannot be read: its name is not allowed here"
    assert unreadable("a" * 5000).message.startswith("this file cannot be read: ")
    path = tmp_path / "x.toml"
    path.write_text("x = 1")

    def forbidden(*_: object) -> io.BytesIO:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(pathlib.Path, "open", forbidden)
    problem = unreadable(path)
    assert (problem.kind, problem.message) == ("file", "this file may not be read by you")


def test_invalid_utf8_has_a_place(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes("é = 1\nnä".encode() + b"\xff = 2")
    problem = unreadable(path)
    assert problem.message == "this file is not UTF-8 text: byte 0xff cannot stand here"
    assert (problem.kind, problem.span, problem.help) == ("file", Span(2, 3, 4), "save it as UTF-8")
    path.write_bytes(b"\xff = 2")
    assert unreadable(path).span == Span(1, 1, 2)
    path.write_text("x = 1", encoding="utf-16")
    assert unreadable(path).message == "this file is UTF-16 text"


def test_size_limit_holds_before_and_while_reading(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.toml"
    path.write_text("x = 1\n" + "#" * (toml.SIZE_LIMIT - 6))
    assert toml.read(path).data == {"x": 1}
    path.write_bytes(b"#" * 2_000_000)
    opened = []
    real_open = pathlib.Path.open
    with monkeypatch.context() as patch:
        patch.setattr(pathlib.Path, "open", lambda self, *rest: opened.append(self) or real_open(self, *rest))
        problem = unreadable(path)
    assert problem.message == "a TOML file may have 1,000,000 bytes, this one has 2,000,000 bytes"
    assert (problem.kind, opened) == ("limit", [])
    path.write_text("x = 1")
    # The file grows between the look at its size and the reading.
    monkeypatch.setattr(pathlib.Path, "open", lambda *_: io.BytesIO(b"#" * 2_000_000))
    assert unreadable(path).message == "a TOML file may have 1,000,000 bytes, this one has more"
    assert refusal("é" * 500_001).message == "a TOML file may have 1,000,000 bytes, this one has more"
    assert toml.parse("#" + "é" * 499_999).data == {}


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 400_000,
        "x = [" + "1," * 150_000 + "]",
        "x = '''" + "''a" * 120_000,
        'x = "' + "\\" * 400_000,
        ("[" + "a." * 31 + "b]\n") * 6_000,
        "[[x]]\n" * 60_000,
        "x = " + "_1" * 200_000,
        "'" * 400_000,
    ],
)
@pytest.mark.thorough
def test_a_long_text_is_read_or_refused_in_one_go(text: str) -> None:
    """Each of these would keep a reader with a square in its time busy for minutes; here it is over at once."""
    try:
        said = str(toml.parse(text).where(("x", 1)))
    except ProblemError as error:
        said = render(error.problems, error.sources)
    assert 0 < len(said) < 2_000
