"""Speed of Pig Tickler on a table: turns a second by policy and by table, kernel and plain-Python twin."""

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from simkit.games.pigtable import game
from simkit.games.pigtable.maps import work_out
from simkit.games.pigtable.outcomes import FIELDS, SCALE
from simkit.games.pigtable.play import play_units
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.tables import read_table, shipped
from simkit.lab.plan import make
from tests.bench import added
from tests.bench.measure import Figure, figure, interleaved, median_ratio
from tests.naive import pigtable as twin

POLICIES = {"straight": (400, 200_000), "router": (60, 20_000), "cautious": (60, 0)}
"""Units a measurement, and the turns a second that are wished for at least; 0 for none."""

AGAIN = 20
"""How often the kernel plays what the twin plays once."""


def question(policy: str, units: int, table: str = "desert") -> dict[str, Any]:
    """Return the experiment: four lancers on a table."""
    run = {"trials": units, "policy": policy}
    return {"schema": 1, "name": "bench", "game": "pigtable", "run": run, "scenario": {"table": table}}


def turns(policy: str, units: int, table: str) -> int:
    """Count the turns of a measurement: a unit is four matches and counts as one."""
    plan = make(question(policy, units, table))
    rows = np.zeros((units, len(FIELDS)), np.int64)
    game.play_rows(plan.cells[0].setup, game.new_state(), plan.key, 0, units, rows)
    return int(rows[:, FIELDS.index("turns")].sum()) * 4 // SCALE


def speed() -> list[Figure]:
    """Measure turns a second on one core, on the table where they take longest."""
    found = []
    for policy, (units, wished) in POLICIES.items():
        works: dict[str, Callable[[], Any]] = {
            table: added.kernel(game, question(policy, units, table)) for table in shipped()
        }
        taken = interleaved(5, **works)
        paces = {table: turns(policy, units, table) / statistics.median(taken[table]) for table in works}
        slowest = min(paces, key=paces.__getitem__)
        what = f"Pig Tickler on a table, {policy}: turns a second on one core, {slowest}"
        found.append(figure(what, paces[slowest], at_least=wished, unit=""))
    return found


def against_twin(policy: str) -> list[Figure]:
    """Measure one match by both."""
    plan = make(question(policy, 2))
    setups, state = game.pack([plan.cells[0].setup]), game.new_state()
    none, rows = np.zeros((0, 256, len(FIELDS), 4), np.int64), np.zeros((0, len(FIELDS)), np.int64)
    rules = twin.rules_of({})
    table = twin.read_table(shipped()["desert"], rules)

    def kernel() -> None:
        for _ in range(AGAIN):
            play_units(setups, state, plan.key.stream, plan.key.tweak, 0, 1, none, rows)

    def plain() -> None:
        for number in range(4):
            twin.play(table, rules, [policy] * 4, plan.key, 0, number)

    taken = interleaved(3, twin=plain, kernel=kernel)
    ratio = AGAIN * median_ratio(taken["twin"], taken["kernel"])
    return [figure(f"Pig Tickler on a table, {policy}: kernel against its plain-Python twin", ratio, 60)]


def maps() -> list[Figure]:
    """Measure the map of a table with one turn."""
    ground = read_table(shipped()["hill-and-swamp"], Rules())[0]
    work_out(ground, Rules())
    begun = time.perf_counter()
    work_out(ground, Rules(), 2)
    return [figure("the map of hill-and-swamp with one turn, on the clock", time.perf_counter() - begun, unit="s")]


def measure(quick: bool) -> list[Figure]:
    """Measure everything of Pig Tickler on a table."""
    asked = question("straight", 2_000 if quick else 10_000)
    return [
        *speed(),
        *against_twin("straight"),
        *against_twin("router"),
        *maps(),
        *added.overhead(game, "matches of Pig Tickler on a table", asked),
        *added.threads(game, asked, 8 if quick else 24, 100),
    ]
