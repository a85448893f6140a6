"""Rule options judged by what they change: words, intervals that hold together, and what is not resolved."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

import simkit
from simkit.balance.items.options import Pair, judged
from simkit.games.protocol import Metric

SHARE = Metric("finished", "share", "", "who finishes", 1)


@dataclass
class Cells:
    """A cell without a game."""

    chance: float


class Counted:
    """A ledger of trials of known chances on common dice."""

    games = 1

    def __init__(self, seed):
        self.seed = seed

    def play(self, subjects, first, end):
        dice = np.random.default_rng(self.seed).random(end - first)
        sums = [np.bincount(np.arange(first, end) % 256, dice < one.chance, 256).astype(int) for one in subjects]
        return np.stack(sums)[:, :, None]


def change(without, having, *, units=40_000, delta=0.02, level=0.99, seed=1, pairs=1):
    found = [Pair("o", {}, Cells(without), Cells(having), units) for _ in range(pairs)]
    return judged(Counted(seed), found, SHARE, delta, level)[0]


@pytest.mark.parametrize(
    ("having", "word"),
    [(0.55, "raises"), (0.45, "lowers"), (0.505, "fair"), (0.5, "fair"), (0.521, "undecided")],
)
def test_words(having, word):
    found = change(0.5, having)
    assert found.word == word
    assert found.change.low < having - 0.5 < found.change.high or found.change.method == "rare-bound"
    assert (found.units > 0) == (word == "undecided")
    assert found.plain == pytest.approx(0.5, abs=0.02)


def test_what_is_not_resolved_says_how_many_units_resolve_it():
    few = change(0.5, 0.53, units=768)
    assert few.word == "undecided"
    assert 768 < few.units < 50_000
    assert change(0.5, 0.53, units=2 * few.units).word == "raises"


def test_more_options_widen_every_interval():
    alone, among = change(0.5, 0.55), change(0.5, 0.55, pairs=20)
    assert among.change.high - among.change.low > alone.change.high - alone.change.low
    assert among.change.level == 0.99


def test_nothing_that_changes_is_no_interval_without_width():
    found = change(0.5, 0.5)
    assert found.change.method == "rare-bound"
    assert found.change.low < 0 < found.change.high < 0.001


def test_the_interval_holds_as_often_as_it_says():
    missed = 0
    for seed in range(200):
        found = change(0.5, 0.52, units=2_560, level=0.95, seed=seed).change
        missed += not found.low <= 0.02 <= found.high
    assert missed <= stats.binom.ppf(0.9999, 200, 0.05)


def test_an_edited_house_rule_is_another_question_and_is_kept(tmp_path):
    (tmp_path / "house").mkdir()
    own = tmp_path / "house" / "own.toml"
    question = tmp_path / "q.toml"
    question.write_text(
        'schema = 1\nname = "own"\ngame = "pigtickler"\n[course]\nsteps = [{ bog = "swamp" }]\n'
        '[balance]\ntrials = 2_000\n[balance.options]\nown = { house_rules = ["house/own.toml"] }\n'
    )
    folders = []
    for value in (-4, -2):
        own.write_text(
            f'schema = 1\nfor = "pigtickler"\ntitle = "Own"\nwhy = "To see."\n[set]\n"bogs.swamp" = {value}\n'
        )
        folders.append(simkit.balance(question, out=tmp_path / "results").folder)
    assert folders[0] != folders[1]
    for folder, value in zip(folders, (-4, -2), strict=True):
        assert f'"bogs.swamp" = {value}' in (folder / "house" / "own.toml").read_text()
        assert simkit.balance(folder / "experiment.resolved.toml", out=tmp_path / "results").folder == folder
