"""``simkit exchange``: one exchange of blows in full distribution."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.commandline import QUESTIONS, ran, said, settle

PUSH = QUESTIONS / "push_of_pikes.toml"

SMALL = """
schema = 1
name = "small"
game = "battlesystem"
[sides.a]
design = "men-at-arms"
figures = 2
files = 2
[sides.b]
design = "men-at-arms"
figures = 2
files = 2
[scenario]
in_contact = true
"""


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(tmp_path, monkeypatch)


def test_every_chance_is_a_fraction_and_they_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    """Two figures against two: d8 against AC 4 is 9/4 hit dice a blow on average (B-MEL-1, B-LAN-5)."""
    Path("small.toml").write_text(SMALL)
    document = json.loads(ran(capsys, "exchange", "small.toml", "--json").out)
    assert [spread["name"] for spread in document["spreads"]] == ["figures_a", "hit_dice_a", "figures_b", "hit_dice_b"]
    for spread in document["spreads"]:
        chances = [(one["value"], Fraction(one["fraction"])) for one in spread["chances"]]
        assert sum(chance for _, chance in chances) == 1
        assert Fraction(spread["mean_fraction"]) == sum(value * chance for value, chance in chances)
    assert {spread["mean_fraction"] for spread in document["spreads"] if "hit_dice" in spread["name"]} == {"9/2"}


def test_the_screen_shows_chances_of_so_many_and_of_more(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ran(capsys, "exchange", PUSH, "--cell", "3").out.splitlines()
    assert lines[0] == "The first exchange of blows, exactly: 12 Pikemen against 12 Men-at-arms, in contact"
    first = lines.index("Figures that side A loses, on average 1.4988:")
    rows = [line.split() for line in lines[first + 4 : first + 8]]
    assert [row[0] for row in rows] == ["0", "1", "2", "3"]
    assert sum(float(row[1]) for row in rows) == pytest.approx(100, abs=3e-4)
    assert rows[0][2] == "100.0000"
    assert float(rows[2][2]) == pytest.approx(float(rows[2][1]) + float(rows[3][1]), abs=2e-4)


def test_what_has_no_exchange_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert "has no exchanges of blows to work out" in said(capsys, "exchange", QUESTIONS / "ram_or_shoot.toml")
    err = said(capsys, "exchange", QUESTIONS / "pikes_vs_cavalry.toml")
    assert err.startswith("error: the exchange of cell 1 cannot be worked out: ")
    assert "in contact" in err
