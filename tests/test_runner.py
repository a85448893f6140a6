"""Playing a plan: the same bytes however it is cut up, and nothing is played twice."""

import errno
import json
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit
from simkit import stats
from simkit.balance.verdict import judge
from simkit.core.trials import BATCHES
from simkit.lab import plan as planning
from simkit.lab import runner as room
from simkit.lab.plan import Plan
from simkit.lab.problems import ProblemError
from simkit.lab.runner import Interrupted, Played, Runner, Silent
from simkit.lab.store import BLOCK_NAME
from tests.laboratory import COMPARED, COURSE, OFF, files, made, play, question, store_of

pytestmark = pytest.mark.usefixtures("pigtickler")

GRID = {"sweep": {"axes": {"altered_odds": [False, True], "course.turns": [1, 2]}}, "compare": {"baseline": OFF}}
TRIALS = {"trials": 5000}
PRECISE = {"precision": 0.012, "max_trials": 60_000}


def left(plan: Plan, out: Path) -> dict[str, bytes]:
    """Return the files that playing a plan left."""
    return files(store_of(plan, out).folder)


def numbers(played: Played) -> list[tuple[int, bool, dict[str, Any]]]:
    """Return what a run has shown, for comparison."""
    return [(result.n, result.sequential, result.metrics) for result in played.results]


def blocks(plan: Plan, out: Path) -> list[str]:
    return sorted(
        str(path.relative_to(store_of(plan, out).folder)) for path in store_of(plan, out).folder.glob("blocks/*/*")
    )


class StopError(Exception):
    """Ends a run early."""


class StopAfter(Silent):
    """Raises in the middle of a run, after so many trials."""

    def __init__(self, trials: int, error: BaseException) -> None:
        self.left = trials
        self.error = error

    def advance(self, trials: int, cells_done: int, widest: float | None) -> None:
        self.left -= trials
        if self.left <= 0:
            raise self.error


# The same bytes


@pytest.mark.parametrize("run", [TRIALS, PRECISE], ids=["trials", "precision"])
def test_the_same_bytes_for_any_jobs_and_blocks(tmp_path: Path, run: dict[str, Any]) -> None:
    plan = made(run=run, **GRID)
    play(plan, tmp_path / "first", jobs=1, publish=True)
    first = left(plan, tmp_path / "first")
    for jobs, block in ((1, 256), (2, 1000), (3, 4096), (2, None)):
        out = tmp_path / f"{jobs}-{block}"
        play(plan, out, jobs=jobs, block=block, publish=True)
        assert left(plan, out) == first
        shutil.rmtree(out)


@pytest.mark.parametrize("run", [TRIALS, PRECISE], ids=["trials", "precision"])
@pytest.mark.parametrize("error", [StopError("no"), KeyboardInterrupt()], ids=["error", "interrupt"])
def test_the_same_bytes_after_any_number_of_interruptions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: dict[str, Any], error: BaseException
) -> None:
    plan = made(run=run, **GRID)
    play(plan, tmp_path / "first", publish=True)
    out, kept = tmp_path / "second", []
    monkeypatch.setattr(room, "FLUSH_SECONDS", 0.0)
    for after, jobs, block in ((1, 1, 300), (2000, 2, 256), (3000, 2, 300), (2000, 1, 256)):
        with pytest.raises((StopError, Interrupted)) as stopped:
            play(plan, out, jobs=jobs, block=block, publish=True, progress=StopAfter(after, error))
        if isinstance(stopped.value, Interrupted):
            kept.append(stopped.value.kept)
    played = play(plan, out, jobs=2, block=900, publish=True)
    assert left(plan, out) == left(plan, tmp_path / "first")
    assert played.kept > 0
    assert kept == sorted(kept)


def test_playing_again_plays_nothing_and_changes_nothing(tmp_path: Path) -> None:
    for run in (TRIALS, PRECISE):
        plan = made(run=run, **GRID)
        first = play(plan, tmp_path, publish=True)
        before = left(plan, tmp_path)
        again = play(plan, tmp_path, publish=True)
        assert (again.played, again.kept) == (0, first.played + first.kept)
        assert numbers(again) == numbers(first) and left(plan, tmp_path) == before
    assert first.kept == 4 * 5000  # a precise run begins with what a plain one of the same name has left


def test_a_whole_folder_of_results_is_the_same_everywhere(tmp_path: Path) -> None:
    plan = made(run=TRIALS, question="Is it so?", **GRID)
    one = simkit.run(plan, out=tmp_path / "one", jobs=1, block=512)
    two = simkit.run(plan, out=tmp_path / "two", jobs=3)
    assert files(one.folder) == files(two.folder)
    kinds = {"experiment.resolved.toml", "cells.csv", "cells.parquet", "report.html", "report.json", "manifest.json"}
    assert kinds < set(files(one.folder))
    assert any(name.startswith("plots/") and name.endswith(".svg") for name in files(one.folder))
    again = simkit.run(plan, out=tmp_path / "one", jobs=2)
    assert files(again.folder) == files(two.folder) and again.document == two.document
    assert len((one.folder / "runs.jsonl").read_text().splitlines()) == 2


def test_the_resolved_experiment_plays_into_the_same_folder(tmp_path: Path) -> None:
    first = simkit.run(question(run=TRIALS, **GRID), set={"wreck_at": 4, "course.ahead": "pig"}, out=tmp_path)
    before = files(first.folder)
    again = simkit.run(first.folder / "experiment.resolved.toml", out=tmp_path)
    assert again.folder == first.folder and files(first.folder) == before


def test_twins_are_played_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells with the same counts share their blocks, in a random sweep as beside an axis that changes nothing."""
    monkeypatch.setattr(room, "FLUSH_SECONDS", 0.0)
    sweep = {"mode": "random", "samples": 12, "axes": {"altered_odds": [False, True]}}
    plan = made(run=TRIALS, sweep=sweep)
    played = play(plan, tmp_path, block=256)
    assert played.played == 2 * 5000
    shown = {cell.fingerprint: result.metrics for cell, result in zip(plan.cells, played.results, strict=True)}
    assert len(shown) == 2 and len(played.results) == 12
    assert all(
        result.metrics == shown[cell.fingerprint] for cell, result in zip(plan.cells, played.results, strict=True)
    )
    axes = {"level_every": [2, 3], "altered_odds": [False, True]}
    twice = made(run=TRIALS, sweep={"axes": axes}, compare={"baseline": OFF})
    played = play(twice, tmp_path / "twice", block=256)
    assert played.played == 2 * 5000
    assert (
        played.results[0].metrics == played.results[2].metrics
        and played.results[1].metrics == played.results[3].metrics
    )
    lone = play(made(run=TRIALS, **COMPARED), tmp_path / "lone")
    assert numbers(lone) == numbers(played)[:2]


def test_a_group_of_many_is_played_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    axis = {"axes": {"bogs.swamp": {"range": [-8, 0]}}}
    plan = made(run=TRIALS, sweep=axis, compare={"baseline": {"bogs.swamp": -3}})
    whole = play(plan, tmp_path / "whole", publish=True)
    monkeypatch.setattr(room, "TOGETHER", 4)
    parts = play(plan, tmp_path / "parts", block=600, publish=True)
    assert numbers(parts) == numbers(whole) and left(plan, tmp_path / "parts") == left(plan, tmp_path / "whole")


def test_many_blocks_of_a_long_run_are_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "FLUSH_SECONDS", 0.0)
    monkeypatch.setattr(room, "MANY", 5)
    plan, most = made(run=TRIALS), 0

    class Watch(Silent):
        def advance(self, *_: Any) -> None:
            nonlocal most
            most = max(most, len(blocks(plan, tmp_path)))

    play(plan, tmp_path, jobs=1, block=64, progress=Watch())
    assert 5 < most <= 5 + 3 and len(blocks(plan, tmp_path)) == 1
    fresh = play(plan, tmp_path / "fresh")
    assert numbers(play(plan, tmp_path)) == numbers(fresh)


# Only what is new


def counts(plan: Plan, out: Path) -> list[np.ndarray]:
    """Return the counts of every cell, read from the blocks of a finished plan."""
    runner = Runner(plan, store_of(plan, out), jobs=1, progress=Silent())
    for cellar in runner.cellars:
        cellar.scan(lambda path: None)
    return [cellar.total(plan.trials) for cellar in runner.cellars]


def test_more_trials_play_only_what_is_new(tmp_path: Path) -> None:
    less, more = (made(run={"trials": n}, **GRID) for n in (3000, 5000))
    play(less, tmp_path, publish=True)
    played = play(more, tmp_path, publish=True)
    assert (played.played, played.kept) == (4 * 2000, 4 * 3000)
    play(more, tmp_path / "fresh")
    assert all((a == b).all() for a, b in zip(counts(more, tmp_path), counts(more, tmp_path / "fresh"), strict=True))


def test_fewer_trials_are_played_from_the_start(tmp_path: Path) -> None:
    """The counts of the first trials cannot be told from those of all."""
    more, less = (made(run={"trials": n}, **GRID) for n in (5000, 3000))
    play(more, tmp_path, publish=True)
    played = play(less, tmp_path, publish=True)
    assert (played.played, played.kept) == (4 * 3000, 0)
    assert numbers(played) == numbers(play(less, tmp_path / "fresh"))


def test_one_more_value_of_an_axis_plays_only_its_cells(tmp_path: Path) -> None:
    def plan(*turns: int) -> Plan:
        axes = {"altered_odds": [False, True], "course.turns": list(turns)}
        return made(run=TRIALS, sweep={"axes": axes}, compare={"baseline": OFF})

    play(plan(1, 2), tmp_path, publish=True)
    played = play(plan(1, 2, 3), tmp_path, publish=True)
    assert (played.played, played.kept) == (2 * 5000, 4 * 5000)
    assert numbers(played) == numbers(play(plan(1, 2, 3), tmp_path / "fresh"))
    assert not any(result.sequential for result in played.results)


def test_an_extended_cell_prints_a_confidence_sequence_and_goes_on_to(tmp_path: Path) -> None:
    less, more, most = (made(run={"trials": n}, **GRID) for n in (3000, 20_000, 30_000))
    play(less, tmp_path, publish=True)
    for plan in (more, more, most, most):
        played = play(plan, tmp_path, publish=True)
        for result in played.results:
            assert result.sequential
            assert {m.method for m in result.metrics.values() if m is not None} <= {
                "beta-binomial",
                "asymptotic",
                "rare-bound",
            }
            finished = result.metrics["finished"]
            assert finished is not None
            low, high = stats.beta_binomial(int(result.sums.sum()), plan.trials, 0.99)
            assert (finished.low, finished.high, finished.method) == (float(low), float(high), "beta-binomial")
    manifest = json.loads((store_of(most, tmp_path).folder / "manifest.json").read_text())
    assert {(cell["n"], cell["first_shown"]) for cell in manifest["cells"]} == {(30_000, 3000)}


def test_a_finished_plan_stays_as_it_is_whatever_else_is_played(tmp_path: Path) -> None:
    more, less = (made(run={"trials": n}, **COMPARED) for n in (5000, 1000))
    play(more, tmp_path, publish=True)
    before = left(more, tmp_path)
    play(less, tmp_path, publish=True)
    assert not any(result.sequential for result in play(more, tmp_path, publish=True).results)
    assert left(more, tmp_path) == before


def test_a_run_that_was_never_shown_does_not_count_as_a_look(tmp_path: Path) -> None:
    plan = made(run=TRIALS, **GRID)
    with pytest.raises(StopError):
        play(
            made(run={"trials": 3000}, **GRID), tmp_path, block=256, publish=True, progress=StopAfter(5000, StopError())
        )
    played = play(plan, tmp_path, publish=True)
    assert played.kept > 0 and not any(result.sequential for result in played.results)


# Precision


def test_a_precise_run_stops_at_a_look(tmp_path: Path) -> None:
    plan = made(run=PRECISE, **GRID)
    played = play(plan, tmp_path)
    looks = stats.looks(last=60_000)
    for group in plan.groups:
        (n,) = {played.results[i].n for i in group}
        assert n in looks and n < 60_000
        for i in group:
            for name in ("finished", *(["finished_minus_baseline"] if i != group[0] else [])):
                estimate = played.results[i].metrics[name]
                assert estimate is not None and (estimate.high - estimate.low) / 2 <= 0.012
        earlier = looks[looks.index(n) - 1]
        before = play(made(run={"trials": earlier}, **GRID), tmp_path / str(n))
        shown = [before.results[i] for i in group]
        widths = [stats.beta_binomial(int(result.sums.sum()), earlier, 0.99) for result in shown]
        assert (
            n == looks[0] or any(high - low > 0.024 for low, high in widths) or _difference_is_wide(shown[1], earlier)
        )
    assert len({result.n for result in played.results}) > 1


def _difference_is_wide(result: room.CellResult, n: int) -> bool:
    assert result.differing is not None
    more, fewer = result.differing
    low, high = stats.asymptotic(n, more - fewer, more + fewer, 0.99)
    return bool(high - low > 0.024)


def test_a_precise_run_keeps_what_it_looked_at_and_lends_it(tmp_path: Path) -> None:
    plan = made(run=PRECISE, **GRID)
    first = play(plan, tmp_path, publish=True)
    assert all(name.split("/")[-1].startswith("000000000000000-") for name in blocks(plan, tmp_path))
    ends = {int(BLOCK_NAME.fullmatch(Path(name).name)[2]) for name in blocks(plan, tmp_path)}  # type: ignore[index]
    assert ends <= set(stats.looks(last=60_000))
    finer = made(run=PRECISE | {"precision": 0.011}, **GRID)
    played = play(finer, tmp_path, publish=True)
    assert played.kept == first.played
    assert numbers(played) == numbers(play(finer, tmp_path / "fresh", publish=True))
    assert left(finer, tmp_path) == left(finer, tmp_path / "fresh")
    coarser = made(run=PRECISE | {"precision": 0.05}, **GRID)
    played = play(coarser, tmp_path, publish=True)
    assert played.played == 0 and {result.n for result in played.results} == {stats.looks(last=60_000)[0]}
    assert left(coarser, tmp_path) == left(coarser, tmp_path) and len(blocks(coarser, tmp_path)) == 4
    longer = made(run=PRECISE | {"max_trials": 80_000}, **GRID)
    assert play(longer, tmp_path, publish=True).played == 0


def test_an_axis_that_changes_nothing_is_as_precise_as_its_trials(tmp_path: Path) -> None:
    axes = {"axes": {"level_every": [2, 3]}}
    plan = made(run={"precision": 0.3, "max_trials": 15_000}, sweep=axes, compare={"baseline": {"level_every": 2}})
    played = play(plan, tmp_path)
    gain = played.results[1].metrics["finished_minus_baseline"]
    assert gain is not None and (gain.estimate, gain.method) == (0.0, "rare-bound")
    assert 0.0005 < gain.high == -gain.low < 0.3


def test_max_trials_ends_a_run_that_is_not_precise(tmp_path: Path) -> None:
    plan = made(run={"precision": 1e-6, "max_trials": 12_000})
    played = play(plan, tmp_path)
    assert [(result.n, result.sequential) for result in played.results] == [(12_000, True)]
    answer = judge(plan, played.results).answer
    assert answer.endswith("beta-binomial confidence sequence, n = 12,000, short of the precision 1e-06).")
    several = made(run={"precision": 0.012, "max_trials": 12_000}, sweep={"axes": {"course.turns": [1, 2, 3]}})
    results = play(several, tmp_path).results
    wide = sum(metric.high - metric.low > 0.024 for metric in (one.metrics["finished"] for one in results))
    assert 0 < wide < 3
    assert f"short of the precision 0.012 in {wide} of 3 cells)." in judge(several, results).answer


def test_a_precise_count(tmp_path: Path) -> None:
    plan = made(run={"precision": 0.05, "max_trials": 60_000}, report={"metric": "turns_used"}, **GRID)
    played = play(plan, tmp_path)
    for cell, result in zip(plan.cells, played.results, strict=True):
        estimate = result.metrics["turns_used"]
        assert estimate is not None and (estimate.high - estimate.low) / 2 <= 0.05
        alike = cell.factors["course.turns"] == 1  # one turn in every trial: nothing varied
        assert (estimate.method == "rare-bound") == alike


# Damage


@pytest.mark.parametrize("how", ["flipped", "truncated", "renamed"])
def test_damaged_blocks_are_named_and_played_again(tmp_path: Path, how: str) -> None:
    said: list[str] = []

    class Listening(Silent):
        def say(self, message: str) -> None:
            said.append(message)

    for run in (TRIALS, PRECISE):
        plan = made(run=run, **GRID)
        play(plan, tmp_path, publish=True)
        before = left(plan, tmp_path)
        folder = store_of(plan, tmp_path).folder
        path = folder / blocks(plan, tmp_path)[0]
        if how == "flipped":
            path.write_bytes(path.read_bytes()[:-1] + b"?")
        elif how == "truncated":
            path.write_bytes(path.read_bytes()[:100])
        else:
            path.rename(path.with_name("000000000000000-000000000000700.npz"))
        said.clear()
        played = play(plan, tmp_path, publish=True, progress=Listening())
        (name,) = said
        assert name.endswith("is damaged: its units are played again") and path.parent.name in name
        assert played.damaged == 1 and left(plan, tmp_path) == before
    log = (folder / "runs.jsonl").read_text().splitlines()
    assert [json.loads(line)["damaged"] for line in log] == [0, 1]


def test_strangers_in_a_folder_of_results_are_left_alone(tmp_path: Path) -> None:
    plan = made(run=TRIALS, **GRID)
    play(plan, tmp_path, publish=True)
    before = left(plan, tmp_path)
    folder = store_of(plan, tmp_path).folder
    strangers = {"notes.txt": b"mine", "blocks/notes.txt": b"mine", f"{blocks(plan, tmp_path)[0]}.bak": b"mine"}
    stale = [".tmp-1-report.json", f"{Path(blocks(plan, tmp_path)[0]).parent}/.tmp-99-x.npz"]
    for name in [*strangers, *stale]:
        (folder / name).write_bytes(b"mine")
    (tmp_path / "small" / "notes").mkdir()
    (tmp_path / "small" / "manifest.json").write_text("{")
    (tmp_path / "small" / "notes" / "manifest.json").write_text('{"cells": [3]}')
    play(plan, tmp_path, publish=True)
    assert left(plan, tmp_path) == before | strangers


# A disk that fails


def test_a_full_disk_is_explained_and_the_same_command_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = made(run=TRIALS, **GRID)
    play(plan, tmp_path / "first", publish=True)
    sync, calls = os.fsync, 0

    def full(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls > 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(ProblemError, match="cannot write results: No space left on device"):
            play(plan, tmp_path, jobs=1, publish=True)
    assert not list(store_of(plan, tmp_path).folder.rglob(".tmp-*"))
    assert not (store_of(plan, tmp_path).folder / "manifest.json").exists()
    played = play(plan, tmp_path, publish=True)
    assert played.kept == 2 * 5000
    assert left(plan, tmp_path) == left(plan, tmp_path / "first")


def test_an_error_in_a_worker_comes_out_and_what_was_played_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = made(run=TRIALS, **GRID)
    whole, calls = Runner._play, iter(range(100))

    def failing(self: Runner, job: room.Job) -> Any:
        if next(calls) == 5:
            raise StopError("a bug in a rule")
        return whole(self, job)

    with monkeypatch.context() as patch:
        patch.setattr(Runner, "_play", failing)
        with pytest.raises(StopError, match="a bug in a rule"):
            play(plan, tmp_path, jobs=1, block=1000, publish=True)
    assert play(plan, tmp_path, publish=True).kept >= 5 * 1000


def test_a_run_holds_its_folder_against_others(tmp_path: Path) -> None:
    plan = made(run=TRIALS, **GRID)
    refusals = []

    class Meanwhile(Silent):
        def start(self, trials: int, kept: int, cells: int) -> None:
            with pytest.raises(ProblemError, match="another simkit is playing this plan right now") as refusal:
                play(plan, tmp_path)
            refusals.append(refusal)

    play(plan, tmp_path, progress=Meanwhile())
    assert len(refusals) == 1


# Progress, time and memory


def test_progress_hears_everything(tmp_path: Path) -> None:
    heard: list[tuple[str, Any]] = []

    class Hearing(Silent):
        def start(self, trials: int, kept: int, cells: int) -> None:
            heard.append(("start", (trials, kept, cells)))

        def advance(self, trials: int, cells_done: int, widest: float | None) -> None:
            heard.append(("advance", (trials, cells_done, widest)))

        def stop(self) -> None:
            heard.append(("stop", None))

    plan = made(run=TRIALS, **GRID)
    play(made(run={"trials": 2000}, **GRID), tmp_path, publish=True)
    play(plan, tmp_path, jobs=1, block=1000, progress=Hearing())
    assert heard[0] == ("start", (4 * 5000, 4 * 2000, 4)) and heard[-1] == ("stop", None)
    steps = [value for name, value in heard if name == "advance"]
    assert sum(step[0] for step in steps) == 4 * 3000
    assert [step[1] for step in steps] == sorted(step[1] for step in steps) and steps[-1][1] == 4
    assert steps[-1][2] == pytest.approx(0.02, rel=0.5)


def test_an_interruption_counts_what_is_kept(tmp_path: Path) -> None:
    plan = made(run=TRIALS, **GRID)
    with pytest.raises(Interrupted) as stopped:
        play(plan, tmp_path, jobs=1, block=1000, progress=StopAfter(6000, KeyboardInterrupt()))
    assert (stopped.value.kept, stopped.value.wanted) == (0, 20_000)
    assert 6000 <= stopped.value.played <= 12_000
    with pytest.raises(Interrupted) as again:
        play(plan, tmp_path, jobs=1, block=1000, progress=StopAfter(1, KeyboardInterrupt()))
    assert again.value.kept == stopped.value.played


def test_workers_have_a_state_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = made(run={"trials": 50_000}, **GRID)
    made_in: list[int] = []
    new_state = plan.game.new_state

    def counted() -> Any:
        made_in.append(threading.get_ident())
        return new_state()

    monkeypatch.setattr(plan.game, "new_state", counted)
    play(plan, tmp_path, jobs=3, block=512)
    assert len(made_in) == len(set(made_in)) <= 3


@pytest.fixture
def three_hundred() -> Iterator[Plan]:
    axes = {"course.steps.1.down": {"range": [0, 4]}, "course.turns": {"range": [1, 6]}, "wreck_at": {"range": [1, 5]}}
    yield made(run={"trials": 1000}, sweep={"axes": axes | {"altered_odds": [False, True]}}, compare={"baseline": OFF})


@pytest.mark.thorough
def test_three_hundred_cells_are_small(tmp_path: Path, three_hundred: Plan) -> None:
    played = play(three_hundred, tmp_path)
    whole = BATCHES * len(three_hundred.game.OUTCOMES) * 4 * 8
    assert len(played.results) == 300
    for result in played.results:
        for array in (result.sums, result.gains):
            assert array is None or (array.base is None and array.nbytes < whole / 50)


def test_raw_rows_add_up_to_the_counts(tmp_path: Path) -> None:
    import pandas as pd

    result = simkit.run(question(run={"trials": 3000}, **COMPARED), out=tmp_path, raw=True, block=256)
    for number, cell in enumerate(result.document["cells"], start=1):
        rows = pd.read_parquet(result.folder / "raw" / f"cell-{number:06d}.parquet")
        assert list(rows["trial"]) == list(range(3000))
        for metric in result.document["metrics"]:
            assert cell["metrics"][metric["name"]]["estimate"] == rows[metric["name"]].sum() / 3000
    before = files(result.folder)
    plain = simkit.run(question(run={"trials": 3000}, **COMPARED), out=tmp_path / "plain")
    without = {name: content for name, content in before.items() if not name.startswith("raw/")}
    assert files(plain.folder) == without


def test_a_deep_course_is_played_like_any_other(tmp_path: Path) -> None:
    steps = [{"turn": 1}] * 64
    plan = planning.make(question(course=COURSE | {"steps": steps, "turns": 1000}, run={"trials": 50}))
    assert play(plan, tmp_path).results[0].metrics["turns_used"] is not None
