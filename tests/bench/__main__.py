"""``make bench``: every figure in one run, printed and written to results/bench.json."""

import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from simkit.cli import collect_seldom
from simkit.core import trials as pool
from simkit.core.rng import make_key
from simkit.core.trials import BATCHES
from simkit.games.pigtickler import game
from simkit.lab.plan import make
from simkit.lab.runner import Runner, Silent
from simkit.lab.store import Store
from tests.bench import duels, fights, matches, tables
from tests.bench.measure import Figure, cpu, figure, interleaved, median_ratio, wall
from tests.bench.rivals import BRANCHING, STRAIGHT, play_numpy, play_plain, play_twin

KEY = make_key(1)
BLOCK = 2**20

SMALL = """
schema = 1
name = "small"
question = "What do altered odds do for a charge at the pig?"
game = "pigtickler"
[run]
trials = 10_000
[course]
steps = [{ down = 1 }, { turn = 1 }, { pig = true }]
turns = 2
[sweep.axes]
altered_odds = [false, true]
[compare]
baseline = { altered_odds = false }
[report]
metric = "rump"
"""
"""A first question: one course, two sets of odds."""


def kernel(course: dict[str, Any], trials: int) -> Callable[[], Any]:
    """Return a bare call of the kernel."""
    scenario = game.Scenario.model_validate({"course": course})
    setups = game.pack([game.compile(scenario, game.Rules())])
    state = game.new_state()
    out = np.zeros((1, BATCHES, len(game.OUTCOMES), 4), np.int64)
    return lambda: game.play_block(setups, state, KEY, 0, trials, out)


def against_rivals() -> list[Figure]:
    """Measure the kernel against the twin, plain Python and plain numpy."""
    rng = np.random.default_rng(1)
    many, few, some = 2_000_000, 1_000, 200_000
    taken = interleaved(
        9,
        kernel=kernel(BRANCHING, many),
        twin=lambda: play_twin(few),
        plain=lambda: play_plain(20_000),
        straight=kernel(STRAIGHT, many),
        numpy=lambda: play_numpy(some, rng),
    )
    each = {"kernel": many, "twin": few, "plain": 20_000, "straight": many, "numpy": some}
    ns = {name: [1e9 * seconds / each[name] for seconds in values] for name, values in taken.items()}
    middle = {name: statistics.median(values) for name, values in ns.items()}
    return [
        figure("branching course: kernel against its plain-Python twin", median_ratio(ns["twin"], ns["kernel"]), 80),
        figure(
            "branching course: kernel against hand-written plain Python", median_ratio(ns["plain"], ns["kernel"]), 0
        ),
        figure("six checks: kernel against plain vectorised numpy", median_ratio(ns["numpy"], ns["straight"]), 4),
        {"what": "nanoseconds a trial (median)", "value": {name: round(value, 1) for name, value in middle.items()}},
    ]


def experiment(course: dict[str, Any], trials: int) -> dict[str, Any]:
    """Return a small experiment with one cell."""
    return {"schema": 1, "name": "bench", "game": "pigtickler", "run": {"trials": trials}, "course": course}


def overhead(trials: int) -> list[Figure]:
    """Measure what planning, blocks, store and estimates add to the bare kernel."""
    found = []
    for name, course in ("branching course", BRANCHING), ("six checks", STRAIGHT):

        def whole(course: dict[str, Any] = course) -> None:
            with tempfile.TemporaryDirectory() as folder:
                plan = make(experiment(course, trials))
                Runner(plan, Store(Path(folder), "bench", plan.fingerprint), jobs=1, progress=Silent()).run()

        taken = interleaved(12, whole=whole, bare=kernel(course, trials))
        ratio = median_ratio(taken["whole"], taken["bare"])
        what = f"planning, blocks, store and estimates over the bare kernel, {name}, {trials:.0e} trials"
        found.append(figure(what, ratio, at_most=1.05))
    return found


def threads(blocks: int) -> list[Figure]:
    """Measure what two threads cost in processor time, and gain in time where the cores are idle."""
    scenario = game.Scenario.model_validate({"course": BRANCHING})
    setups = game.pack([game.compile(scenario, game.Rules())])

    def play(job: int) -> Any:
        out = np.zeros((1, BATCHES, len(game.OUTCOMES), 4), np.int64)
        game.play_block(setups, game.new_state(), KEY, job * BLOCK, (job + 1) * BLOCK, out)
        return out

    def with_threads(count: int) -> Callable[[], None]:
        return lambda: pool.run(range(blocks), play, lambda job, out: None, threads=count)

    taken = interleaved(5, two=with_threads(2), one=with_threads(1))
    found = [figure("processor time of two threads over one", median_ratio(taken["two"], taken["one"]), at_most=1.05)]
    probe = idle_probe()
    if pool.cpus() >= 2 and probe <= 1.03:
        walls = {count: statistics.median(wall(with_threads(count)) for _ in range(5)) for count in (1, 2)}
        found.append(figure("speed-up of two threads (cores idle)", walls[1] / walls[2]))
    else:
        found.append({"what": "speed-up of two threads", "value": f"not measured: the cores are busy ({probe:.2f})"})
    return found


def idle_probe() -> float:
    """Return wall time over processor time of one thread: above 1.03 somebody else is using the cores."""
    work = kernel(BRANCHING, 1_000_000)
    work()
    begun = time.perf_counter()
    return (lambda seconds: (time.perf_counter() - begun) / seconds)(cpu(work))


def memory(least: int, most: int) -> list[Figure]:
    """Measure how the memory of a run grows with its trials, in processes of their own."""
    script = (
        "import resource, sys, tempfile; from pathlib import Path\n"
        "from simkit.lab.plan import make; from simkit.lab.runner import Runner, Silent\n"
        "from simkit.lab.store import Store\n"
        "from tests.bench.__main__ import experiment\n"
        "plan = make(experiment({'steps': [{'turn': 1}]}, int(sys.argv[1])))\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    Runner(plan, Store(Path(folder), 'bench', plan.fingerprint), jobs=2, progress=Silent()).run()\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    scale = 1024 if sys.platform != "darwin" else 1
    peaks = [
        int(subprocess.run([sys.executable, "-c", script, str(n)], capture_output=True, text=True, check=True).stdout)
        for n in (least, most)
    ]
    grown = (peaks[1] - peaks[0]) * scale / 1e6
    return [figure(f"memory growth from {least:.0e} to {most:.0e} trials", grown, at_most=50, unit="MB")]


def child(*command: str, **environment: str) -> float:
    """Return the processor seconds of a whole process; it may keep its byte code, as a user's does."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env={**kept, **environment})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def starting() -> list[Figure]:
    """Measure starts: the help, a small experiment with everything compiled, and the first compilation."""
    simkit = [sys.executable, "-m", "simkit"]
    pairs = [(child(*simkit, "--help"), child(sys.executable, "-c", "pass")) for _ in range(11)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "small.toml"
        file.write_text(SMALL, encoding="utf-8")
        warm, clock, cold = [], [], []
        for i in range(8):
            begun = time.perf_counter()
            warm.append(child(*simkit, "run", str(file), "-q", "--out", f"{folder}/{i}"))
            clock.append(time.perf_counter() - begun)
        duel = []
        for _ in range(8):
            begun = time.perf_counter()
            child(*simkit, "duel", "walker", "windrammer", "--trials", "2000")
            duel.append(time.perf_counter() - begun)
        games = ("pigtickler", "jugger", "battlesystem", "juggerball", "pigtable")
        for i in range(2 * len(games)):
            script = (
                f"import time; from simkit.games.{games[i % len(games)]} import game\n"
                "begun = time.process_time(); game.ready(); print(time.process_time() - begun)"
            )
            done = subprocess.run(
                [sys.executable, "-c", script],
                capture_output=True,
                text=True,
                check=True,
                env={**os.environ, "SIMKIT_CACHE_DIR": f"{folder}/cache{i}"},
            )
            cold.append(float(done.stdout))
    first = "first compilation of {}, processor time"
    return [
        figure("simkit --help over a bare Python start", statistics.median(a / b for a, b in pairs), at_most=8),
        figure("a warm small run with its report, on the clock", statistics.median(clock[1:]), at_most=2, unit="s"),
        figure("the same, processor time", statistics.median(warm[1:]), unit="s"),
        figure("a warm duel of Jugger, 2,000 trials, on the clock", statistics.median(duel[1:]), at_most=2, unit="s"),
        figure(first.format("Pig Tickler"), statistics.median(cold[::5]), at_most=10, unit="s"),
        figure(first.format("Jugger"), statistics.median(cold[1::5]), at_most=25, unit="s"),
        figure(first.format("Battlesystem"), statistics.median(cold[2::5]), at_most=15, unit="s"),
        figure(first.format("Juggerball"), statistics.median(cold[3::5]), at_most=40, unit="s"),
        figure(first.format("Pig Tickler on a table"), statistics.median(cold[4::5]), at_most=40, unit="s"),
    ]


PARTS: dict[str, Callable[[bool], list[Figure]]] = {
    "rivals": lambda quick: against_rivals(),
    "overhead": lambda quick: overhead(10**7 if quick else 10**8),
    "threads": lambda quick: threads(8 if quick else 24),
    "starting": lambda quick: starting(),
    "duels": duels.measure,
    "fights": fights.measure,
    "matches": matches.measure,
    "tables": tables.measure,
    "memory": lambda quick: memory(10**6, 10**7 if quick else 10**9),
}


def tell(one: Figure) -> None:
    """Print a figure."""
    value = one["value"]
    shown = f"{value:.3g} {one.get('unit', '')}" if isinstance(value, float) else value
    mark = "" if "holds" not in one else ("   holds" if one["holds"] else "   DOES NOT HOLD")
    print(f"{one['what']:<78} {shown!s:>12}   {one.get('bound', '')}{mark}", flush=True)


def main(words: list[str]) -> None:
    """Measure everything, or the parts that are named; only the former is written down."""
    quick, chosen = "--quick" in words, [word for word in words if word in PARTS]
    game.ready()
    duels.game.ready()
    fights.game.ready()
    matches.game.ready()
    collect_seldom()  # as the command line does
    figures: list[Figure] = []
    for name in chosen or PARTS:
        found = PARTS[name](quick)
        figures += found
        for one in found:
            tell(one)
    if chosen:
        return
    report = {
        "schema": 1,
        "machine": {"processor": platform.processor() or platform.machine(), "cpus": pool.cpus()},
        "python": platform.python_version(),
        "numpy": np.__version__,
        "figures": figures,
    }
    target = Path("results/bench.json")
    target.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {target}")


if __name__ == "__main__":
    main(sys.argv[1:])
