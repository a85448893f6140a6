"""Real processes that are killed, interrupted and started twice: the final bytes are those of an undisturbed run."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import tomli_w

import simkit
from simkit.cli import call
from simkit.lab import plan as planning
from simkit.lab.plan import Plan
from simkit.lab.runner import Interrupted, Silent
from tests.laboratory import COURSE, OFF, files, play, question

pytestmark = pytest.mark.usefixtures("pigtickler")

GRID = {"sweep": {"axes": {"altered_odds": [False, True], "course.turns": [2, 3]}}, "compare": {"baseline": OFF}}
LONG = {"course": COURSE | {"steps": [*COURSE["steps"], {"up": 3}, {"beside": "wall"}]}}


@pytest.fixture
def experiment(tmp_path: Path) -> Path:
    """Return a question that takes some seconds to play."""
    path = tmp_path / "question.toml"
    rewrite(path, 12_000_000)
    return path


def rewrite(file: Path, trials: int) -> None:
    """Write the question down with so many trials a cell."""
    file.write_text(tomli_w.dumps(question(**GRID, **LONG, run={"trials": trials})))


def started(file: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    """Start ``simkit run`` in small blocks."""
    command = [sys.executable, "-m", "simkit", "run", str(file), "--out", str(out), "--block", "4096", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def blocks(out: Path) -> set[Path]:
    return set(out.glob("small/*/blocks/*/*.npz"))


def until_more_blocks(process: subprocess.Popen[str], out: Path, seconds: float = 60) -> bool:
    """Wait until the process has written a block; False when it has ended before that."""
    before, end = blocks(out), time.monotonic() + seconds
    while process.poll() is None:
        if blocks(out) != before:
            return True
        assert time.monotonic() < end, "nothing was written in a minute"
        time.sleep(0.01)
    return False


def killed(process: subprocess.Popen[str], number: int = signal.SIGKILL) -> tuple[int, str, str]:
    """Send a signal and return the exit code and what was said."""
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def finished(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


def check_kills(file: Path, tmp_path: Path, kills: int, *more: str) -> None:
    """Kill a run so many times at random moments, let it end, and compare it with an undisturbed one."""
    moments, out, codes = random.Random(1), tmp_path / "killed", []
    for _ in range(kills):
        process = started(file, out, *more)
        if until_more_blocks(process, out):
            time.sleep(moments.random() * 0.3)
        codes.append(killed(process)[0])
    # a machine that is very fast may have ended before the last of them
    assert codes[0] == -signal.SIGKILL and set(codes) <= {-signal.SIGKILL, 0}
    assert blocks(out)
    said = finished(started(file, out, *more))
    assert "altered odds" in said
    calm = simkit.run(file, out=tmp_path / "calm", jobs=2, **({"precision": 0.0008} if "--precision" in more else {}))
    assert files(out / "small" / calm.folder.name) == files(calm.folder)


def test_killed_twice_it_ends_with_the_same_bytes(experiment: Path, tmp_path: Path) -> None:
    rewrite(experiment, 4_000_000)
    check_kills(experiment, tmp_path, 2, "-j", "1")


@pytest.mark.slow
@pytest.mark.parametrize("more", [("-j", "2"), ("-j", "2", "--precision", "0.0008")], ids=["trials", "precision"])
def test_killed_many_times_it_ends_with_the_same_bytes(experiment: Path, tmp_path: Path, more: tuple[str, ...]) -> None:
    rewrite(experiment, 24_000_000)
    check_kills(experiment, tmp_path, 5, *more)


@pytest.mark.thorough
def test_interrupted_it_says_what_is_kept_and_a_second_run_is_refused_meanwhile(
    experiment: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    process = started(experiment, out, "-j", "1")
    assert until_more_blocks(process, out)
    assert call(["run", str(experiment), "--out", str(out)]) == 2
    refusal = capsys.readouterr()
    assert refusal.out == "" and "another simkit is playing this plan right now" in refusal.err
    code, said, told = killed(process, signal.SIGINT)
    assert (code, said) == (130, "")
    last = told.splitlines()[-1]
    assert last.startswith("interrupted: ") and last.endswith("the same command goes on from there")
    kept = int(last.split()[1].replace(",", ""))
    assert " of 48,000,000 trials are kept (" in last and 0 < kept < 48_000_000
    assert not list(out.rglob(".tmp-*")) and not list(out.rglob("manifest.json"))

    assert StockTaking.of(planning.make(experiment), out) == kept


class StockTaking(Silent):
    """Hears how many trials are kept, and stops before one is played."""

    @classmethod
    def of(cls, plan: Plan, out: Path) -> int:
        with pytest.raises(Interrupted) as stopped:
            play(plan, out, progress=cls())
        return stopped.value.kept

    def start(self, trials: int, kept: int, cells: int) -> None:
        raise Interrupted(0, kept, trials)
