"""Games between two sides: pairs on the same dice, from the plan to the page."""

import csv
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit
from simkit import stats
from simkit.cli import call
from simkit.games import protocol
from simkit.games.protocol import Game
from simkit.lab import foresight, resolve
from simkit.lab import plan as planning
from simkit.lab.check import check_file
from simkit.lab.estimates import SUFFIX
from simkit.lab.plan import Plan
from simkit.lab.problems import ProblemError
from simkit.lab.runner import Interrupted, Played, Silent
from simkit.lab.trial import Trial
from tests import duels
from tests.commandline import ran, said
from tests.duels import duel, made, units_of, values_of, written
from tests.laboratory import files, play, refused, store_of

A = "sides.a.design"
DESIGNS = {"sweep": {"axes": {A: ["plain", "fine", "grand"]}}, "compare": {"baseline": {A: "plain"}}}
PRECISE = {"precision": 0.01, "max_trials": 100_001}


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    with duels.known():
        yield


def test_the_tiny_game_offers_every_name_of_the_protocol() -> None:
    names = [key for key in [*Game.__annotations__, *vars(Game)] if not key.startswith("_")]
    assert [key for key in names if key != "no_init_or_replace_init" and not hasattr(duels.GAME, key)] == []


# Trials are games, n counts pairs


@pytest.mark.parametrize(("asked", "trials"), [(4, 4), (4999, 5000), (5000, 5000), (5001, 5002)])
def test_trials_are_rounded_up_to_whole_pairs(asked: int, trials: int) -> None:
    plan = made(run={"trials": asked})
    assert (plan.trials, plan.units) == (trials, trials // 2)
    assert plan.fingerprint == made(run={"trials": trials}).fingerprint
    assert resolve.resolved(plan)["run"] == {"level": 0.99, "policy": "greedy", "trials": trials}
    precise = made(run={"precision": 0.01, "max_trials": 20_000 + asked})
    assert resolve.resolved(precise)["run"]["max_trials"] == precise.trials == 20_000 + trials
    assert plan.seconds(1) == pytest.approx(trials * 100e-9)


def test_everything_that_shows_trials_counts_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, run={"trials": 5001}, **DESIGNS)
    assert check_file(path)[0] == "fine: 3 cells of Duels, 5,002 trials each"
    run = simkit.run(path, out=tmp_path / "out")
    for cell in run.document["cells"]:
        assert (cell["trials"], cell["n"]) == (5002, 2501)
        assert {entry["n"] for entry in cell["metrics"].values()} == {2501}
    assert run.document["trials"] == 5002 and "n = 2,501 pairs each)" in run.answer
    (first, *_) = csv.DictReader((run.folder / "cells.csv").read_text().splitlines())
    assert (first["trials"], first["n"]) == ("5002", "2501")
    manifest = json.loads((run.folder / "manifest.json").read_text())
    assert manifest["trials"] == 5002
    assert {(c["trials"], c["n"], c["first_shown"]) for c in manifest["cells"]} == {(5002, 2501, 2501)}
    (entry,) = json.loads(ran(capsys, "results", "--out", tmp_path / "out", "--json").out)["runs"]
    assert entry["trials"] == 5002
    page = (run.folder / "report.html").read_text()
    assert "5,002" in page and "the second game on the dice of the first" in page and "2,501" in page
    assert "the pairs of games are dealt into 256 batches" in page
    assert "n = 2,501 pairs each" in ran(capsys, "report", run.folder, "--format", "md").out
    err = ran(capsys, "run", path, "--out", tmp_path / "out").err
    assert err == "duel: 15,006 of 15,006 trials are there already\n"


def test_a_plan_foresees_games_and_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = made(run={"trials": 20_000}, **DESIGNS)
    expected = foresight.foresee(plan, 2)
    assert (expected.trials, expected.total, expected.games) == (20_000, 60_000, 2)
    assert expected.half_width == pytest.approx(float(stats.half_width_for(10_000, 0.5, 0.99)))
    words = expected.words().split("\n")
    assert words[0].startswith("3 cells x 20,000 trials = 60,000; ")
    assert words[1] == "Each cell plays 10,000 pairs of games, the second on the same dice with the seats swapped."
    assert words[2].endswith("(widest near 50 % where both games of a pair end alike).")
    needed = foresight.foresee(made(run=PRECISE), 2).needed
    assert needed == 2 * int(2.6 * float(stats.units_for_half_width(0.5, 0.01, 0.99)))
    path = written(tmp_path, run={"trials": 20_000})
    document = json.loads(ran(capsys, "plan", path, "--json").out)
    assert (document["trials"], document["pairs"], document["total"]) == (20_000, 10_000, 20_000)
    assert "games" not in document


def test_estimates_are_those_of_the_pairs(tmp_path: Path) -> None:
    plan = made(run={"trials": 6000}, **DESIGNS)
    results = play(plan, tmp_path).results
    base = units_of(plan, 0)
    for i, result in enumerate(results):
        rows = units_of(plan, i)
        for name in ("win_a", "score_a", "turns", "margin_a"):
            values = values_of(rows, name)
            assert result.metrics[name].estimate == pytest.approx(values.mean())
            if i:
                gains = values - values_of(base, name)
                assert result.metrics[name + SUFFIX].estimate == pytest.approx(gains.mean(), abs=1e-12)
    score = results[1].metrics["score_a"]
    sums = np.array([values_of(units_of(plan, 1), "score_a")[batch::256].sum() for batch in range(256)])
    low, high = stats.batch_mean(sums, np.bincount(np.arange(3000) % 256), 0.99)
    assert (score.low, score.high, score.method) == (
        pytest.approx(float(low)), pytest.approx(float(high)), "batch-t",
    )  # fmt: skip
    assert results[2].metrics["win_a_minus_baseline"].method == "paired-t"


def test_an_even_match_is_even_in_every_pair(tmp_path: Path) -> None:
    sides = {"a": {"design": "grand"}, "b": {"design": "grand"}}
    plan = made(sides=sides, set={"edge": 20}, run={"trials": 4000}, report={"target": 0.5, "fair_within": 0.01})
    run = simkit.run(plan, out=tmp_path)
    score = run.document["cells"][0]["metrics"]["score_a"]
    assert (score["estimate"], score["method"]) == (0.5, "rare-bound")
    assert 0.49 < score["low"] < 0.5 < score["high"] < 0.51
    assert run.verdict["word"] == "fair"


# The runner


def left(plan: Plan, out: Path) -> dict[str, bytes]:
    return files(store_of(plan, out).folder)


@pytest.mark.parametrize("run", [{"trials": 9001}, PRECISE], ids=["trials", "precision"])
def test_the_same_bytes_for_any_jobs_and_blocks(tmp_path: Path, run: dict[str, Any]) -> None:
    plan = made(run=run, **DESIGNS)
    play(plan, tmp_path / "first", jobs=1, publish=True)
    for jobs, block in ((1, 300), (2, 1000)):
        play(plan, tmp_path / f"{block}", jobs=jobs, block=block, publish=True)
        assert left(plan, tmp_path / f"{block}") == left(plan, tmp_path / "first")


def test_more_trials_play_only_new_pairs_and_count_games(tmp_path: Path) -> None:
    heard: list[tuple[int, ...]] = []

    class Hearing(Silent):
        def start(self, trials: int, kept: int, cells: int) -> None:
            heard.append((trials, kept, cells))

        def advance(self, trials: int, cells_done: int, widest: float | None) -> None:
            heard.append((trials,))

    play(made(run={"trials": 3000}, **DESIGNS), tmp_path, publish=True)
    plan = made(run={"trials": 5001}, **DESIGNS)
    played = play(plan, tmp_path, publish=True, progress=Hearing())
    assert (played.played, played.kept) == (3 * 2002, 3 * 3000)
    assert heard[0] == (3 * 5002, 3 * 3000, 3) and sum(step[0] for step in heard[1:]) == 3 * 2002
    for result in played.results:
        assert result.sequential and {m.method for m in result.metrics.values()} <= {"asymptotic", "rare-bound"}
    manifest = json.loads((store_of(plan, tmp_path).folder / "manifest.json").read_text())
    assert {(cell["n"], cell["first_shown"]) for cell in manifest["cells"]} == {(2501, 1500)}


def test_an_interruption_counts_games(tmp_path: Path) -> None:
    class Stopping(Silent):
        def advance(self, trials: int, cells_done: int, widest: float | None) -> None:
            raise KeyboardInterrupt

    plan = made(run={"trials": 5000})
    with pytest.raises(Interrupted) as stopped:
        play(plan, tmp_path, jobs=1, block=1000, progress=Stopping())
    error = stopped.value
    assert error.kept == 0 and error.played % 2000 == 0 and 2000 <= error.played < error.wanted == 5000


def short(played: Played, wanted: float) -> list[bool]:
    names = [[name for name in ("score_a", "score_a" + SUFFIX) if name in one.metrics] for one in played.results]
    return [
        any((one.metrics[name].high - one.metrics[name].low) / 2 > wanted for name in own)
        for one, own in zip(played.results, names, strict=True)
    ]


def test_a_precise_run_looks_at_pairs(tmp_path: Path) -> None:
    plan = made(run=PRECISE, **DESIGNS)
    played = play(plan, tmp_path)
    (n,) = {result.n for result in played.results}
    assert n in stats.looks(last=50_001) and n < 50_001 and not any(short(played, 0.01))
    assert {result.metrics["score_a"].method for result in played.results} == {"asymptotic", "rare-bound"}
    assert all(result.trials == 2 * n for result in played.results)


def test_a_precision_that_was_not_reached_is_said(tmp_path: Path) -> None:
    run = {"precision": 1e-3, "max_trials": 30_001}
    one = simkit.run(made(run=run), out=tmp_path)
    assert one.answer.endswith(
        "(99 % confidence, asymptotic confidence sequence, n = 15,001 pairs, short of the precision 0.001)."
    )
    plan = made(run=run, **DESIGNS)
    several = simkit.run(plan, out=tmp_path)
    assert short(play(plan, tmp_path), 1e-3) == [False, True, True]
    assert several.answer.endswith("n = 15,001 pairs each, short of the precision 0.001 in 2 of 3 cells).")
    both = simkit.run(made(run=run, sweep={"axes": {A: ["fine", "grand"]}}), out=tmp_path)
    assert both.answer.endswith("short of the precision 0.001 in both cells).")
    reached = simkit.run(made(run=PRECISE), out=tmp_path)
    assert "short of" not in reached.answer


@pytest.mark.parametrize(
    ("tables", "says", "help"),
    [
        ({"run": {"trials": 2}}, "one pair of games cannot tell how sure 'score_a' is", "at least 4"),
        (
            {"run": {"trials": 1}, "report": {"metric": "turns"}},
            "one pair of games cannot tell how sure the mean of 'turns' is",
            "at least 4",
        ),
        (
            {"run": {"precision": 0.1, "max_trials": 19_998}},
            "the precision of 'score_a' can be told after 20,000 trials; 19,998 end before that",
            "more max_trials, or trials in place of precision",
        ),
    ],
)
def test_too_few_pairs_are_refused(tables: dict[str, Any], says: str, help: str) -> None:
    (problem,) = refused(duel(**tables)).problems
    assert (problem.message, problem.help) == (says, help)


def test_raw_rows_are_games_with_their_seats(tmp_path: Path) -> None:
    import pandas as pd

    run = simkit.run(duel(run={"trials": 3000}), out=tmp_path, raw=True)
    rows = pd.read_parquet(run.folder / "raw" / "cell-000001.parquet")
    assert list(rows.columns) == ["trial", "seat", *duels.NAMES]
    assert list(rows["trial"]) == [unit for unit in range(1500) for _ in range(2)]
    assert list(rows["seat"]) == [0, 1] * 1500
    metrics = run.document["cells"][0]["metrics"]
    for name in duels.NAMES:
        assert metrics[name]["estimate"] == pytest.approx(rows[name].mean(), abs=1e-12)
    assert set(rows["score_a"]) == {0.0, 0.5, 1.0} and rows["win_a"].dtype == np.int64


# Exact solutions


def test_shares_of_pairs_are_held_against_their_exact_values(tmp_path: Path) -> None:
    plan = made(run={"trials": 40_000}, set={"draw_within": 9, "edge": 5}, **DESIGNS)
    run = simkit.run(plan, out=tmp_path)
    check = run.document["check"]
    assert check["compared"] == 5 * 3 and check["corrected"] > 1e-6
    cell = run.document["cells"][1]
    assert set(cell["exact"]) == {"win_a", "win_b", "draw", "score_a", "never"}
    for name, known_ in cell["exact"].items():
        found = cell["metrics"][name]
        assert found["low"] <= known_["value"] <= found["high"]
    solved = simkit.exact(plan)["cells"][1]["metrics"]
    assert "turns" not in solved and solved["score_a"]["estimate"] == cell["exact"]["score_a"]["value"]


def test_a_simulation_of_pairs_that_is_wrong_is_found(tmp_path: Path) -> None:
    from simkit.balance.document import build
    from simkit.balance.verdict import judge

    plan = made(run={"trials": 40_000})
    other = play(made(run={"trials": 40_000}, set={"draw_within": 3}), tmp_path)
    found = build(plan, other.results, judge(plan, other.results))["check"]
    assert found["corrected"] < 1e-6 and found["where"] == "draw of cell 1"


def test_what_nobody_can_solve_is_played_without_a_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, scenario={"map": "fog"}, run={"trials": 400})
    run = simkit.run(path, out=tmp_path / "out")
    assert run.document["check"] is None and run.document["cells"][0]["exact"] == {}
    assert "No exact solution: it is not known." in (run.folder / "report.html").read_text()
    with pytest.raises(ProblemError, match=re.escape("'score_a' of cell 1 (the only cell) has no exact solution")):
        simkit.exact(path)
    assert "help: simkit run plays it" in said(capsys, "exact", path)


# Replays


def test_a_trial_is_a_pair_and_b_its_swapped_seats() -> None:
    game = protocol.load("duels")
    assert [Trial.read(wanted, game) for wanted in (0, "12", "12b", 2**62 - 1)] == [
        (0, 0), (12, 0), (12, 1), (2**62 - 1, 0),
    ]  # fmt: skip
    assert [Trial(3).text, Trial(3, 1).text] == ["3", "3b"]


@pytest.mark.parametrize("wanted", [-1, "", "b", "12bb", "b12", "1.5", "٣", 2**62, "9" * 40])
def test_a_trial_that_is_not_there_is_explained(wanted: int | str) -> None:
    with pytest.raises(ProblemError, match="trials are counted from 0; there is no trial") as refusal:
        Trial.read(wanted, protocol.load("duels"))
    assert "12b with the seats swapped" in str(refusal.value.problems[0].help)


def test_a_game_without_seats_has_no_b() -> None:
    with pytest.raises(ProblemError, match="there is no trial 12b: Pig Tickler has no seats to swap") as refusal:
        Trial.read("12b", protocol.load("pigtickler"))
    assert refusal.value.problems[0].help == "trial 12 is the only one of that number"


def test_replays_tell_both_games_of_a_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, run={"trials": 400}, set={"edge": 30})
    run = simkit.run(path, out=tmp_path / "out")
    assert run.replay(1, 7) == run.replay(1, "7") != run.replay(1, "7b")
    one, other = (re.search(r"A in seat (\d) rolls (\d+), B rolls (\d+)", run.replay(1, t)) for t in ("7", "7b"))
    assert one is not None and other is not None
    assert (one[1], other[1]) == ("0", "1") and (one[2], one[3]) == (other[3], other[2])
    out, err = ran(capsys, "replay", run.folder, "--trial", "7b")
    assert out.splitlines()[1] == "cell 1: the only one; trial 7b (seats swapped), seed 1" and err == ""
    assert json.loads(ran(capsys, "replay", path, "--trial", "1b", "--json").out)["trial"] == "1b"
    assert json.loads(ran(capsys, "replay", path, "--json").out)["trial"] == "0"
    for replay in run.document["replays"]:
        assert run.replay(1, replay["trial"]) == "\n".join(line["text"] for line in replay["lines"])
    typical, worst, luckiest = run.document["replays"]
    assert typical["why"] == "the middle of the first 400 trials, from the worst to the luckiest"
    assert worst["why"] == "the worst of the first 400 trials"
    plan = planning.make(path)
    scores = {
        (unit, seat): plan.game.fortune(duels.play_one(plan.cells[0].setup, None, plan.key, unit, seat))
        for unit in range(200)
        for seat in (0, 1)
    }
    assert scores[Trial.read(worst["trial"], plan.game)] == min(scores.values())
    assert scores[Trial.read(luckiest["trial"], plan.game)] == max(scores.values())
    assert sorted(scores.values())[199] == scores[Trial.read(typical["trial"], plan.game)]
    assert "the middle of the first 400 trials" in (run.folder / "report.html").read_text()


def test_a_trial_beyond_the_run_is_told_and_said_to_be_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, run={"trials": 400})
    run = simkit.run(path, out=tmp_path / "out")
    assert ran(capsys, "replay", run.folder, "--trial", "199b").err == ""
    out, err = ran(capsys, "replay", run.folder, "--trial", "200b")
    assert err == "trial 200b was not played (this run played trials 0 to 199): told as it would have gone\n"
    assert out.splitlines()[1] == "cell 1: the only one; trial 200b (seats swapped), seed 1"
    err = ran(capsys, "replay", path, "--trial", "5000").err
    assert err == ("trial 5000 was not played (a run of this file plays trials 0 to 199): told as it would have gone\n")


def test_the_whole_command_line_plays_a_duel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(
        tmp_path, question="Does training pay?", run={"trials": 3001}, report={"fair_within": 0.02}, **DESIGNS
    )
    out, err = ran(capsys, "run", path, "--out", tmp_path / "out")
    assert out.splitlines()[0] == "Does training pay?" and "score_a, %" in out and "higher" in out
    assert err.splitlines()[-1].startswith("duel: 100 %, 9,006 of 9,006 trials, widest ±")
    one = written(tmp_path, run={"trials": 3000})
    out = ran(capsys, "run", one, "--out", tmp_path / "out", "-q").out
    assert re.search(r"score_a +59\.\d+ %", out) and re.search(r"margin_a +\d", out) and "never" not in out
    assert call(["run", str(one), "--trials", "1", "--out", str(tmp_path / "out")]) == 2
    low, high = (float(x) for x in re.findall(r"([\d.]+) to ([\d.]+) %", out)[0])
    assert 0 < low < 59.5 < high < 100 and math.isfinite(high)
