"""What would flip a verdict: planted readings are found, and the command tells of those of a real game."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from simkit.balance.items import otherwise
from simkit.balance.items.case import Table
from simkit.balance.items.otherwise import BATCHES, REPLICATION, fate, standing_case
from simkit.balance.items.overpowered import judge_item
from tests.balance_toys import ToyContest, frame_of, toy_case
from tests.commandline import ran
from tests.test_case import PLANTED, chances

UNITS = 2 * BATCHES * 2_000


class Played(ToyContest):
    """A toy whose matchups are told apart by their chances."""

    def print_of(self, a, b):
        return f"{self.chances[int(a.name[1:]), int(b.name[1:])]:.6f}"


def read(word, other, level=0.99):
    """Play a planted item, and then with other chances; return its verdict and what a reading adds to its lift."""
    gains, held, swaps = PLANTED[word]
    frame = frame_of(np.isin(np.arange(len(gains)), held), swaps)
    made = toy_case(chances(gains), frame, 2_000_000, level=level)
    assert judge_item(made.measured.powers[0], 0).word == word
    base, then = (
        Table(Played(chances(one)), frame.builds, 2 * BATCHES, REPLICATION) for one in (gains, np.asarray(other))
    )
    base.all_to(UNITS)
    change = otherwise._changes(base, then, made, UNITS)
    powers = otherwise._measured(made, base, change, UNITS, level)
    moves = otherwise._moves(made, 0, [change], UNITS, level)[0]
    return powers and judge_item(powers[0], 0).word, moves, then.spent


def test_a_reading_that_takes_the_strength_away_flips_the_verdict():
    gains = np.asarray(PLANTED["must-pick"][0], float)
    even = gains.copy()
    even[3, :] = even[:, 3] = 0.0
    word, moves, spent = read("must-pick", even)
    assert word == "fair"
    # it had scored 0.6 against every other build, 0.1 more than they score among each other
    assert moves.low <= -0.1 <= moves.high
    assert spent == 3 * UNITS  # the three matchups that differ, no others


def test_a_reading_that_changes_nothing_is_known_exactly():
    word, moves, spent = read("fair", PLANTED["fair"][0])
    assert word is None and spent == 0
    assert (moves.estimate, moves.low, moves.high, moves.method) == (0.0, 0.0, 0.0, "exact")


def test_a_fair_item_that_a_reading_makes_too_strong():
    gains = np.zeros((4, 4))
    gains[:2, 2:], gains[2:, :2] = 0.3, -0.3
    word, moves, _ = read("fair", gains)
    assert word in ("must-pick", "overpowered")
    assert moves.low > 0


@pytest.mark.parametrize(
    ("held", "becomes", "word"),
    [
        ("fair", "fair", "holds"),
        ("fair", "dominated", "flips"),
        ("undecided", "dominated", "decides"),
        ("fair", "undecided", "undecided"),
        ("undecided", "undecided", "undecided"),
    ],
)
def test_what_becomes_of_a_verdict(held, becomes, word):
    assert fate(held, becomes) == word


def row(word, lift=0.0, need=0.0, regret=0.0):
    return {
        "word": word,
        **{name: {"estimate": value} for name, value in (("lift_uniform", lift), ("need", need), ("regret", regret))},
    }


def test_the_clearest_case_of_the_word_stands_for_it():
    rows = [row("fair"), row("dominated", lift=-0.1), row("dominated", regret=0.3), row("undecided", lift=-0.9)]
    assert standing_case("dominated", rows) == 2
    assert standing_case("depends", rows) == 2  # no case depends: the strongest claim of the verdict table
    assert standing_case("undecided", rows) == 3


def test_games_are_given_by_the_file_or_are_a_quarter_of_those_of_the_case():
    case = SimpleNamespace(trials=400_000)
    asked = SimpleNamespace(asked=SimpleNamespace(readings=None))
    assert otherwise.units_of(asked, case, 10) == 1_088  # 100,000 games, 45 matchups, two games a unit, whole batches
    asked.asked.readings = 0
    assert otherwise.units_of(asked, case, 10) == 0
    asked.asked.readings = 45 * 2 * 64
    assert otherwise.units_of(asked, case, 10) == 64
    asked.asked.readings -= 1
    assert otherwise.units_of(asked, case, 10) == 0


DUELS = """
schema = 1
name = "which-weapon"
question = "Legs or weapons, three hexes apart?"
game = "jugger"
[sides]
a = { design = "archer" }
b = { design = "archer" }
[scenario]
distance = 3
[balance]
items = ["catapult"]
budgets = [1]
trials = 40_000
readings = 12_000
without = ["lever", "boarders", "fang", "demon eye", "trebuchet", "sails"]
frame = { sample = 6, holders = 1, swaps = 2, strongest = 0 }
[balance.conditions]
policy = ["hold"]
"""
COURSE = """
schema = 1
name = "which-odds"
question = "Do altered odds help?"
game = "pigtickler"
[course]
steps = [{ down = 2 }, { turn = 1 }, { bog = "swamp" }]
turns = 3
[report]
metric = "finished"
fair_within = 0.01
[balance]
trials = 200_000
[balance.options]
altered-odds = { set = { altered_odds = true } }
"""


@pytest.mark.thorough
def test_every_reading_of_a_duel_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "duels.toml").write_text(DUELS, encoding="utf-8")
    found = json.loads(ran(capsys, "balance", "duels.toml", "--json", "-q").out)
    (told,) = found["readings"]
    assert (told["subject"], told["not_played"]) == ("catapult", "")
    rows = {(one["path"], str(one["value"])): one for one in told["rows"]}
    assert {one["word"] for one in told["rows"]} <= {"holds", "flips", "decides", "undecided"}
    # a catapult hits on 2 of 6, and on 5 of 6 where the dice are read the other way round
    then = rows["to_hit", "at_least"]
    plain = found["cases"][0]["items"][0]["lift_uniform"]
    assert then["numbers"]["lift_uniform"]["n"] == told["n"] // 2
    assert then["moves"]["method"] != "exact"
    added = plain["estimate"] + then["moves"]["estimate"] - then["numbers"]["lift_uniform"]["estimate"]
    assert abs(added) < plain["high"] - plain["low"] + then["moves"]["high"] - then["moves"]["low"]
    for one in told["rows"]:
        for number in (one["moves"], *one["numbers"].values()):
            assert number["low"] <= number["estimate"] <= number["high"]
        assert bool(one["numbers"]) is (one["moves"]["method"] != "exact")
    assert told["says"].startswith("catapult in size class 1, hold, ")
    page = next(tmp_path.glob("results/which-weapon/balance-*/report.html")).read_text(encoding="utf-8")
    assert "What would flip the verdicts" in page and "catapult: what other readings of the rules move" in page


@pytest.mark.thorough
def test_every_reading_of_an_option_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "course.toml").write_text(COURSE, encoding="utf-8")
    found = json.loads(ran(capsys, "balance", "course.toml", "--json", "-q").out)
    (told,) = found["readings"]
    assert (told["subject"], told["held"]) == ("altered-odds", found["options"][0]["word"])
    assert told["n"] == 25_000 and len(told["rows"]) >= 4
    largest = [abs(one["moves"]["estimate"]) for one in told["rows"]]
    assert largest == sorted(largest, reverse=True)
    again = json.loads(ran(capsys, "balance", "course.toml", "--json", "-q", "-j", "1").out)
    assert again["readings"] == found["readings"]
    (tmp_path / "off.toml").write_text(COURSE.replace("[balance]", "[balance]\nreadings = 0"), encoding="utf-8")
    off = json.loads(ran(capsys, "balance", "off.toml", "--json", "-q").out)
    assert off["readings"][0]["not_played"].startswith("the file switches it off")
