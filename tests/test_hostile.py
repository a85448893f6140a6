"""Strangers' files and command lines: refused in words or shown harmless, and never a file outside ``--out``."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simkit.cli import call

FOLDER = Path(__file__).parent / "hostile"
FILES = sorted(FOLDER.glob("*.toml"))
PLAIN = (FOLDER / "question_script.toml").read_text(encoding="utf-8").replace("<script>", "")
FENCES = Path(__file__).parents[1] / "experiments" / "fences_or_bogs.toml"
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def hermit(tmp_path, monkeypatch):
    """Work in an empty folder, and see in the end that nothing was written into it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    yield tmp_path
    assert sorted(path.name for path in tmp_path.iterdir() if path.name not in ("given", "out")) == []


def refused(capsys, *arguments):
    """Call, expect a refusal that steers no terminal, and return its first line without number and padding."""
    assert call([str(argument) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    assert "pydantic" not in err
    assert STEERING.search(err) is None
    return " ".join(re.sub(r"^(1 )?error: ", "", err.splitlines()[0]).split())


def given(folder, content, name="x.toml"):
    """Put a file into a folder of its own."""
    path = folder / "given" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_every_file_says_what_is_expected(file, hermit, capsys):
    expected = file.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    if expected == "fine":
        assert call(["check", str(file)]) == 0
    else:
        for command in ("check", "plan", "exact"):
            assert refused(capsys, command, file) == expected
        assert refused(capsys, "run", file, "--out", "out") == expected
        assert not Path("out").exists()


def test_the_folder_is_what_it_was():
    assert len(FILES) > 140
    assert {path.name for path in FOLDER.iterdir()} == {"house", *(path.name for path in FILES)}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"schema = 1\x00\n", "the character U+0000 (NUL) is not allowed [syntax]"),
        (b'schema = 1\nname = "\x1b[2J"\n', "the character U+001B (escape) is not allowed [syntax]"),
        (b'name = "\xff"\n', "this file is not UTF-8 text: byte 0xff cannot stand here [file]"),
        ("schema = 1\n".encode("utf-16"), "this file is UTF-16 text [file]"),
        (b"x = " + b"[" * 100_000, "this is nested more than 32 levels deep [limit]"),
        (b"x = " + b"{a=" * 5_000, "this is nested more than 32 levels deep [limit]"),
        (b".".join([b"a"] * 100_000) + b" = 1", "this is nested more than 32 levels deep [limit]"),
        (b"seed = " + b"9" * 5_000, "a number of 5,000 digits is too long [limit]"),
        (b"#" * 1_000_001, "a TOML file may have 1,000,000 bytes, this one has 1,000,001 bytes [limit]"),
        (b"a = 1\n" * 100_000, "'a' is set twice [syntax]"),
        (b"", "the file needs 'schema' [value]"),
        (b"\n" * 900_000 + b"x = ", "this is not valid TOML [syntax]"),
    ],
    ids=["nul", "escape", "latin", "utf16", "arrays", "tables", "dots", "digits", "size", "twice", "empty", "lines"],
)
def test_generated_files(content, expected, hermit, capsys):
    file = given(hermit, content)
    assert call(["check", str(file)]) == 2
    first = capsys.readouterr().err.splitlines()[0]
    assert " ".join(re.sub(r"^\d+ error: ", "", first).split()) == expected


def test_many_mistakes_are_counted_and_not_all_shown(hermit, capsys):
    file = given(hermit, PLAIN + "".join(f"x{i} = 1\n" for i in range(20_000)))
    assert call(["check", str(file)]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) < 400
    assert "more problems are not shown" in err


@pytest.mark.parametrize(
    "name", ["folder", "fifo", "/dev/zero", "/dev/null", "missing.toml", "\x1b[31m", "a" * 5000, "a\0b"]
)
def test_a_file_that_is_none(name, hermit, capsys):
    (hermit / "given").mkdir()
    os.mkfifo(hermit / "given" / "fifo")
    (hermit / "given" / "folder").mkdir()
    file = name if name.startswith("/") else hermit / "given" / name
    kinds = {"folder": "this is a folder, not a TOML file [file]", "missing.toml": "there is no such file [file]"}
    kinds |= {
        "\x1b[31m": "there is no such file [file]",
        "a" * 5000: "this file cannot be read: File name too long [file]",
    }
    kinds |= {"a\0b": "Invalid value for 'FILE': a name holds no NUL."}
    assert refused(capsys, "run", file) == kinds.get(name, "this is not a regular file [file]")


def test_a_house_rule_behind_a_link_out_of_the_folder(hermit, capsys):
    outside = given(hermit, (FOLDER / "house" / "chess.toml").read_bytes(), "outside.toml")
    file = given(hermit, PLAIN.replace("game =", 'house_rules = ["house/linked.toml"]\ngame ='))
    house = file.parent / "house"
    house.mkdir()
    outside = outside.rename(hermit / "out")
    (house / "linked.toml").symlink_to(outside)
    assert refused(capsys, "check", file) == "no house rule is called 'house/linked.toml' [file]"


def test_house_rules_that_build_on_one_another_without_end(hermit, capsys):
    file = given(hermit, PLAIN.replace("game =", 'house_rules = ["r0"]\ngame ='))
    (file.parent / "house").mkdir()
    rule = 'schema = 1\nfor = "pigtickler"\ntitle = "T"\nwhy = "W"\nhouse_rules = ["r{}"]\n'
    for i in range(80):
        (file.parent / "house" / f"r{i}.toml").write_text(rule.format(i + 1))
    assert "64" in refused(capsys, "check", file)


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("x", "--set takes PATH=VALUE, such as bogs.swamp=-4, not 'x'."),
        ("", "--set takes PATH=VALUE, such as bogs.swamp=-4, not ''."),
        ("=1", "--set takes PATH=VALUE, such as bogs.swamp=-4, not '=1'."),
        ("__class__=1", "the rules of pigtickler have no value called '__class__' [override]"),
        ("bogs.__class__.x=1", "the rules of pigtickler have no value called 'bogs.__class__.x' [override]"),
        ("bogs.swmp=1", "the rules of pigtickler have no value called 'bogs.swmp' [override]"),
        ("bogs.swamp=true", "'swamp' in [bogs] must be a whole number, found true [value]"),
        ("bogs.swamp=1.5", "'swamp' in [bogs] must be a whole number, found 1.5 [value]"),
        ("bogs.swamp=", "'swamp' in [bogs] must be a whole number, found an empty text [value]"),
        ("bogs.swamp=2**9", "'swamp' in [bogs] must be a whole number, found the text '2**9' [value]"),
        ("standard_target=inf", "'standard_target' is not a finite number [value]"),
        ("standard_target=2020-01-01", "'standard_target' is a date or time; these are not used here [value]"),
        ("standard_target=1" + "0" * 30, "'standard_target' is a whole number beyond 64 bits [value]"),
        ("standard_target=" + "9" * 5000, "must be a whole number"),
        ("standard_target=" + "[" * 3000, "must be a whole number"),
        ("standard_target=1\nseed=2", "must be a whole number"),
        ("dice=$(id)", "expected a number or dice such as 2d6, found '$' [dice]"),
        ("dice=\x1b[31m", "the character U+001B (escape) is not allowed in a text [value]"),
        ("bogs.\x1b=1", "the character U+001B (escape) is not allowed in a name [value]"),
        ('bogs={ "=1+1" = 1 }', "the rules of pigtickler have no value called 'bogs.=1+1' [override]"),
        ("name=../../x", "the rules of pigtickler have no value called 'name' [override]"),
        ("course.turns=0", "'turns' in [course] must be from 1 to 1,000, found 0 [value]"),
    ],
)
def test_set_nonsense(pair, expected, hermit, capsys):
    assert expected in refused(capsys, "run", FENCES, "--set", pair)


def test_one_path_is_set_once(hermit, capsys):
    assert refused(capsys, "plan", FENCES, "--set", "dice=1d10", "--set", "dice=1d12") == "--set dice is given twice."


@pytest.mark.parametrize(
    "cell", ["0", "-1", "99", "x", "", "=", "a=b", "course.steps=swamp,", "9" * 30, "\x1b[31m", "1,2"]
)
def test_cell_nonsense(cell, hermit, capsys):
    assert refused(capsys, "replay", FENCES, "--cell", cell).startswith("no cell is called '")
    assert refused(capsys, "exact", FENCES, "--cell", cell).startswith("no cell is called '")


@pytest.mark.parametrize("trial", ["-1", "x", "1e3", "", "b", "12bb", "12a", "9" * 20, "٣", "9" * 10_000])
def test_trial_nonsense(trial, hermit, capsys):
    assert "is not a whole number from 0 to" in refused(capsys, "replay", FENCES, "--trial", trial)


def test_a_trial_with_seats_that_are_not_there(hermit, capsys):
    said = refused(capsys, "replay", FENCES, "--trial", "12b")
    assert said == "there is no trial 12b: Pig Tickler has no seats to swap [value]"


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("--trials", value) for value in ("0", "-5", "1" + "0" * 30, "1e6", "x", "", "true", "nan")),
        *(("--seed", value) for value in ("-1", "9223372036854775808", "x")),
        *(("--jobs", value) for value in ("0", "1025", "x")),
        *(("--precision", value) for value in ("0", "-1", "nan", "inf", "x", "1e400")),
    ],
)
def test_number_nonsense(option, value, hermit, capsys):
    first = refused(capsys, "run", FENCES, option, value)
    assert first.startswith(f"Invalid value for '{option}'") or "'--jobs'" in first


@pytest.mark.parametrize("out", ["/proc/nowhere", "/dev/null/x", str(FENCES), ""])
def test_a_place_that_cannot_be_written(out, hermit, capsys):
    first = refused(capsys, "run", FENCES, "--trials", "100", "--out", out)
    assert (
        first.startswith("cannot write results: ") or first == "Invalid value for '--out': an empty name names nothing."
    )


@pytest.mark.parametrize(
    ("expression", "says"),
    [
        ("d1!", "a die with one side would explode for ever"),
        ("1000000d1000000", "the sides of a die must be 1 to 10,000, found 1,000,000"),
        ("999d9999kh500", "the bits handled to sort out the kept dice may be at most"),
        ("__import__('os')", "expected a number or dice such as 2d6, found '_'"),
        ("1d6+" * 100_000 + "1", "a comparison may be"),
        ("((((1d6))))" * 3, "expected"),
        ("\x1b[31m", "expected a number or dice such as 2d6"),
        ("2d6 > 1 > 2", "expected one comparison, found a second: '>'"),
        ("", "expected a number or dice such as 2d6, found the end"),
        ("1d6/0", "expected"),
        ("9" * 5000, "expected"),
    ],
)
def test_dice_nonsense(expression, says, hermit, capsys):
    first = refused(capsys, "odds", expression)
    assert first.startswith(says) or says == "expected"


def test_a_question_is_only_text(hermit, capsys):
    assert call(["run", str(FOLDER / "question_script.toml"), "--trials", "1000", "--out", "out"]) == 0
    question = "<script>alert(1)</script> {{ 7 * 7 }} ${jndi:x} $x^ [red]x[/red] =1+1"
    assert capsys.readouterr().out.splitlines()[0] == question
    pages = list(Path("out").glob("h/*/report.html"))
    assert len(pages) == 1
    page = pages[0].read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {{ 7 * 7 }}" in page
    assert {path.name for path in Path("out").iterdir()} == {"h"}


def test_no_label_is_a_formula_of_a_spreadsheet(hermit, capsys):
    assert call(["run", str(FOLDER / "axis_labels.toml"), "--trials", "300", "--out", "out", "-q"]) == 0
    (table,) = Path("out").glob("h/*/cells.csv")
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [row["dice"] for row in rows] == ["9-1d6", "'-1d6+9", "2d6"]
    for row in rows:
        for value in row.values():
            assert not value.startswith(("=", "+", "@", "\t")) or re.fullmatch(r"[+-]?[0-9.e+-]+", value)


def test_results_of_strangers_are_looked_at_before_use(hermit, capsys):
    folder = hermit / "given" / "h" / "0123456789abcdef"
    (folder / "blocks").mkdir(parents=True)
    (folder / "manifest.json").write_text("{}")
    for content in ("", "[]", "{}", '{"schema": 2}', '{"schema": 1}', '{"schema": 1, "verdict": 7}', "[" * 100_000):
        (folder / "report.json").write_text(content)
        for command in ("report", "replay"):
            refused(capsys, command, folder)
        assert call(["report", str(folder), "--format", "md"]) == 2
        assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "link", ["h", "h/{}", "h/{}/blocks", "h/{}/plots", "h/{}/blocks/0123456789abcdef", "h/{}/cells.csv"]
)
def test_links_in_a_folder_of_results_lead_nowhere(link, hermit, capsys):
    question = str(FOLDER / "question_script.toml")
    assert call(["plan", question, "--trials", "100", "--json"]) == 0
    run = json.loads(capsys.readouterr().out)["run"]
    precious = hermit / "given"
    precious.mkdir()
    (precious / "thesis.txt").write_text("years of work")
    path = hermit / "out" / link.format(run)
    path.parent.mkdir(parents=True)
    path.symlink_to(precious)
    first = refused(capsys, "run", question, "--trials", "100", "--out", "out")
    assert first == "this is a link: results are kept only inside the folder of all results [file]"
    assert [entry.name for entry in precious.iterdir()] == ["thesis.txt"]


def test_pruning_deletes_nothing_that_simkit_did_not_write(hermit, capsys):
    out = hermit / "out"
    precious = hermit / "given" / "0123456789abcdef"
    (precious / "blocks").mkdir(parents=True)
    (precious / "thesis.txt").write_text("years of work")
    for mine in (out / "h" / "fedcba9876543210", out / "Photos" / "0123456789abcdef", out / "h" / "holiday"):
        (mine / "blocks").mkdir(parents=True)
    (out / "linked").symlink_to(precious.parent, target_is_directory=True)
    (out / "h" / "0123456789abcdee").symlink_to(precious, target_is_directory=True)
    assert call(["results", "--out", str(out), "--prune", "0"]) == 0
    assert (precious / "thesis.txt").read_text() == "years of work"
    assert (out / "Photos" / "0123456789abcdef" / "blocks").is_dir()
    assert (out / "h" / "holiday" / "blocks").is_dir()
    assert not (out / "h" / "fedcba9876543210").exists()


def test_the_whole_thing_in_a_process_of_its_own(tmp_path):
    """What the tests above call in this process is what a shell starts."""
    shutil.copy(FOLDER / "name_parent.toml", tmp_path / "x.toml")
    done = subprocess.run(
        [sys.executable, "-m", "simkit", "run", "x.toml", "--out", "out"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0].startswith("1 error: '../../x' cannot be a name")
    assert [path.name for path in tmp_path.iterdir()] == ["x.toml"]
