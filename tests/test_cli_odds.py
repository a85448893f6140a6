"""``simkit odds``: every worked example to the last digit, the table, the JSON document, the plot."""

import json
import re
import tomllib
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from simkit.cli import call
from simkit.core.odds import odds
from simkit.core.written import read
from simkit.report.dice import draw

CASES = tomllib.loads((Path(__file__).parent / "cases" / "odds.toml").read_text(encoding="utf-8"))
EVERYTHING = "3d6kh2+1 > 2d6"
TEXT = "{http://www.w3.org/2000/svg}text"


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)


def shown(capsys, *arguments):
    assert call(["odds", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def rows(text):
    """Read the table: value to the percentages (or fractions) behind it."""
    lines = text[text.index("\n---") if "\n---" in text else 0 :].splitlines()[2:]
    cells = [re.split(r"\s{2,}", line.strip()) for line in lines if re.match(r"\s*-?\d+  ", line)]
    return {int(row[0]): row[1:] for row in cells}


@pytest.mark.parametrize("case", CASES["odds"], ids=lambda case: case["expr"])
def test_worked_examples(case, capsys):
    value = Fraction(case["value"])
    found = json.loads(shown(capsys, case["expr"], "--json"))
    assert Fraction(found["fraction"]) == value
    assert found["decimal"] == float(value)
    lines = shown(capsys, case["expr"]).splitlines()
    assert lines[0] == case["expr"]
    assert lines[1].startswith(f"{value}, which is " if value not in (0, 1) else f"{value}: ")


def test_the_document_has_the_keys_of_the_contract(capsys):
    out = shown(capsys, "2d6 > 2d6", "--json")
    assert out.count("\n") == 1
    found = json.loads(out)
    assert {key: found[key] for key in ("schema", "expr", "fraction", "exact")} == {
        "schema": 1,
        "expr": "2d6 > 2d6",
        "fraction": "575/1296",
        "exact": True,
    }
    assert found["at_least"][0] == [-10, "1"]
    assert found["at_least"][-1] == [10, "1/1296"]
    assert "bound" not in found


def test_an_endless_series_says_what_it_leaves_out(capsys):
    found = json.loads(shown(capsys, "1d6! > 1d6!", "--json"))
    assert (found["exact"], found["fraction"]) == (False, None)
    assert 0 < found["bound"] < 1e-12
    assert "throws with very many explosions are left out" in shown(capsys, "1d6! > 1d6!")


def test_a_fraction_of_thousands_of_digits(capsys):
    expression = "+".join(["1000d2kh1"] * 15) + " >= 30"
    found = json.loads(shown(capsys, expression, "--json"))
    assert read(found["fraction"]) == (1 - Fraction(1, 2**1000)) ** 15
    lines = shown(capsys, expression).splitlines()
    assert lines[1] == f"a fraction of {len(found['fraction']):,} characters (--json), which is > 99.9999 % (1)"


def test_one_expression_may_come_in_several_words(capsys):
    assert shown(capsys, "2d6", ">=", "8") == shown(capsys, "2d6 >= 8")
    assert shown(capsys, "2d6 = 7").splitlines()[1:] == shown(capsys, "2d6 == 7").splitlines()[1:]


@pytest.mark.parametrize("expression", ["-1d6 > -3", "- 1d6", "-d6+7", "-3 < -1d4"])
def test_dice_that_begin_with_a_minus_are_no_option(expression, capsys):
    assert shown(capsys, expression).splitlines()[0].startswith("-")


def test_an_option_that_does_not_exist_is_no_dice(capsys):
    assert call(["odds", "--plto", "x.svg", "2d6"]) == 2
    assert "Did you mean '--plot'?" in capsys.readouterr().err


def test_the_table_holds_both_curves(capsys):
    table = rows(shown(capsys, "2d6"))
    assert list(table) == list(range(2, 13))
    assert table[7] == ["7/12", "58.3333 %", "16.6667 %"]
    assert table[2] == ["1", "100.0000 %", "2.7778 %"]


def test_an_opposed_roll_is_shown_as_a_margin(capsys):
    out = shown(capsys, "2d6+2 > 2d6")
    assert "Margin: the left side minus the right, 2d6-2d6+2." in out
    assert rows(out)[1] == ["287/432", "66.4352 %", "10.8025 %"]
    assert "Margin" not in shown(capsys, "2d6 > 7")


@pytest.mark.parametrize(("expression", "said"), [("1d6 = 9", "0: never"), ("1d6 > 0", "1: always")])
def test_never_and_always(expression, said, capsys):
    assert shown(capsys, expression).splitlines()[1] == said


def test_what_is_possible_never_reads_0_and_what_is_not_certain_never_reads_100(capsys):
    assert "> 99.9999 %" in shown(capsys, "10d10 >= 11").splitlines()[1]
    assert "< 0.0001 %" in shown(capsys, "10d10 <= 10").splitlines()[1]
    for expression in ("10d10", "1d6! > 1d6!", "100d6"):
        for value, cells in rows(shown(capsys, expression)).items():
            assert "0.0000 %" not in cells, value
            assert value == min(dict(odds(expression).at_least)) or "100.0000 %" not in cells


@pytest.mark.thorough
@pytest.mark.parametrize("expression", ["d%", "100d6", "1d1000", "1d8!", "1d10000-1d10000"])
def test_a_long_table_shows_round_values_and_counts_the_rest(expression, capsys):
    out = shown(capsys, expression)
    table, full = rows(out), dict(odds(expression).at_least)
    step = int(re.search(r"only multiples of ([\d,]+) are shown", out)[1].replace(",", ""))
    assert 10 <= len(table) <= 40
    assert all(value in full and value % step == 0 for value in table)
    assert f"{len(full) - len(table):,} more values: --json" in out


def test_a_table_keeps_to_a_narrow_window(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    out = shown(capsys, "10d10")
    assert max(map(len, out.splitlines()[2:-1])) <= 40


@pytest.mark.parametrize(
    ("text", "first", "caret"),
    [("1d6++1", "error: expected a number or dice such as 2d6, found '+'", "  |     ^"), ("2d6 >", None, None)],
)
def test_a_mistake_is_pointed_at(text, first, caret, capsys):
    assert call(["odds", text, "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert first is None or (err.splitlines()[0], err.splitlines()[2]) == (first, caret)


def drawn(expression, path):
    draw(odds(expression), path)
    return path.read_bytes()


def test_a_plot_is_the_same_every_time(tmp_path):
    for form in ("svg", "png"):
        first = drawn(EVERYTHING, tmp_path / f"a.{form}")
        assert first == drawn(EVERYTHING, tmp_path / f"b.{form}")
        assert first != drawn("2d6", tmp_path / f"c.{form}")
    assert (tmp_path / "a.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert b"date" not in (tmp_path / "a.svg").read_bytes()


def test_a_plot_says_what_it_shows(tmp_path):
    texts = [element.text for element in ElementTree.fromstring(drawn("2d6 >= 8", tmp_path / "x.svg")).iter(TEXT)]
    assert {"2d6 >= 8", "5/12 = 41.6667 %", "at least, % of throws", "exactly, % of throws"} <= set(texts)
    assert "total of 2d6, in points" in texts
    opposed = [e.text for e in ElementTree.fromstring(drawn("2d6 > 2d6", tmp_path / "y.svg")).iter(TEXT)]
    assert "margin in points: the left side minus the right, 2d6-2d6" in opposed


def test_the_bars_are_as_high_as_the_chances(tmp_path):
    from simkit.report.dice import _figure

    for expression in ("2d6", "1d8!", "2d6 > 2d6", "1d1"):
        upper, lower = _figure(odds(expression)).axes
        exactly = dict(odds(expression).exactly)
        bars = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in lower.patches}
        assert bars == {value: 100 * float(exactly[value]) for value in bars}
        steps = upper.patches[0].get_data()
        at_least = dict(odds(expression).at_least)
        assert list(steps.values) == [100 * float(at_least[value]) for value in bars]
        assert list(steps.edges[1:]) == [value + 0.5 for value in bars]
        assert sum(bars.values()) > 99.8


def test_the_two_curves_differ_in_more_than_colour(tmp_path):
    svg = drawn("2d6", tmp_path / "x.svg").decode()
    assert {"#0072b2", "#d55e00"} <= set(re.findall("#[0-9a-f]{6}", svg))


@pytest.mark.thorough
@pytest.mark.parametrize("expression", ["10d10+3 > 5d20", "+".join(["1d6"] * 20), "1d6! > 1d6!", "5", "1d10000"])
def test_every_answer_can_be_drawn(expression, tmp_path):
    assert drawn(expression, tmp_path / "x.SVG").startswith(b"<?xml")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x.pdf", "error: A plot is .svg or .png, not '.pdf'."),
        ("x", "error: A plot is .svg or .png, not a name without an ending."),
        ("x.svg.exe", "error: A plot is .svg or .png, not '.exe'."),
        ("missing/x.svg", "error: Cannot write {}: No such file or directory."),
        ("folder.svg", "error: Cannot write {}: Is a directory."),
    ],
)
def test_a_plot_that_cannot_be(name, said, tmp_path, capsys):
    (tmp_path / "folder.svg").mkdir()
    path = tmp_path / name
    assert call(["odds", "2d6", "--plot", str(path), "--json"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", said.format(path) + "\n")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder.svg"]


def test_a_plot_beside_the_answer(tmp_path, capsys):
    path = tmp_path / "curve.svg"
    assert shown(capsys, "2d6 >= 8", "--plot", str(path)).splitlines()[-1] == f"wrote {path}"
    assert call(["odds", "2d6 >= 8", "--json", "--plot", str(path)]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["fraction"] == "5/12"
    assert err == f"wrote {path}\n"
