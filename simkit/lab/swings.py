"""Playing other readings of the rules: the same cells, one rule changed, on the same dice.

What is kept is only what a movement is made of: the sums of the report metric by batch. They are whole numbers, so
that neither threads nor blocks change a bit of them.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from simkit.core import trials
from simkit.core.trials import BATCHES
from simkit.games.protocol import RuleField, rule_fields
from simkit.games.readings import Hook, Swing, swings_of
from simkit.lab import house
from simkit.lab.plan import Cell, Plan
from simkit.lab.problems import from_pydantic
from simkit.lab.toml import Document

TOGETHER = 16
"""Setups that are played in one block: their counts are in memory at once."""

Sums = NDArray[np.int64]
"""Shape (256,): batch sums of the report metric."""


class Reading(NamedTuple):
    """One rule with another value."""

    swing: Swing
    rule: RuleField
    """The rule with the value that it has in the cells."""


@dataclass(frozen=True)
class Alternative:
    """Another reading, set up in all the cells in question."""

    reading: Reading
    setups: tuple[Any, ...]
    """What is played, a setup a cell; empty where it cannot be."""
    why_not: str = ""
    """Why it cannot be played."""


def readings(plan: Plan, cells: Sequence[Cell]) -> list[Reading]:
    """List the other readings of all rules that some of the cells rest on.

    A rule in which the cells differ is left out: it is what the question is about.

    Parameters
    ----------
    plan
        What was asked; its game may state no alternatives.
    cells
        The cells in question.
    """
    hook = swings_of(plan.game)
    return [] if hook is None else readings_of(hook, [(cell.scenario, cell.rules) for cell in cells])


def readings_of(hook: Hook, places: Sequence[tuple[Any, Any]]) -> list[Reading]:
    """List the other readings of all rules that some scenarios rest on; rules in which they differ are left out.

    Parameters
    ----------
    hook
        How the game lists alternatives.
    places
        Scenarios, each with its rules.
    """
    rules = {id(rules): {row.path: row for row in rule_fields(rules)} for _, rules in places}
    tables = list(rules.values())
    found: dict[str, Reading] = {}
    for scenario, known in places:
        for swing in hook(scenario, known):
            rows = [table.get(swing.path) for table in tables]
            first = rows[0]
            if first is not None and all(row is not None and row.value == first.value for row in rows):
                found.setdefault(f"{swing.path} {swing.value!r}", Reading(swing, first))
    return list(found.values())


def set_up(plan: Plan, cells: Sequence[Cell], reading: Reading) -> Alternative:
    """Compile the cells under another reading of the rules, or say why that cannot be."""
    setups = []
    for cell in cells:
        data = cell.rules.model_dump()
        house.place(data, reading.swing.path, reading.swing.value)
        try:
            rules = plan.game.Rules.model_validate(data)
        except ValidationError as error:
            problem = next(iter(from_pydantic(error, Document(data, "", ""), model=plan.game.Rules)))
            return Alternative(reading, (), problem.message)
        complaints = plan.game.complaints(cell.scenario, rules)
        if complaints:
            return Alternative(reading, (), complaints[0].message)
        setups.append(plan.game.compile(cell.scenario, rules))
    return Alternative(reading, tuple(setups))


def distinct(setups: Sequence[Any]) -> dict[bytes, Any]:
    """Return setups by their bytes: what is alike is played once."""
    return {setup.tobytes(): setup for setup in setups}


class Job(NamedTuple):
    """Some setups, and the units that are played of them."""

    setups: tuple[bytes, ...]
    first: int
    end: int


def play(plan: Plan, setups: Mapping[bytes, Any], units: int, *, jobs: int) -> dict[bytes, Sums]:
    """Play the first units of several setups on the dice of a plan.

    Parameters
    ----------
    plan
        Its game, dice and report metric.
    setups
        By their bytes.
    units
        How many of each.
    jobs
        Threads; they change nothing.

    Returns
    -------
    dict
        By the bytes of a setup the batch sums of the report metric.
    """
    game, local = plan.game, threading.local()
    columns = len(game.OUTCOMES)
    column = next(i for i, metric in enumerate(game.OUTCOMES) if metric.name == plan.metric)
    names = list(setups)
    groups = [tuple(names[i : i + TOGETHER]) for i in range(0, len(names), TOGETHER)]
    packed = {group: game.pack([setups[name] for name in group]) for group in groups}
    found = {name: np.zeros(BATCHES, np.int64) for name in names}

    def played(job: Job) -> NDArray[np.int64]:
        if not hasattr(local, "state"):
            local.state = game.new_state()
        out = np.zeros((len(job.setups), BATCHES, columns, 4), np.int64)
        game.play_block(packed[job.setups], local.state, plan.key, job.first, job.end, out)
        return np.array(out[:, :, column, 0])

    def done(job: Job, sums: NDArray[np.int64]) -> None:
        for name, batch in zip(job.setups, sums, strict=True):
            found[name] += batch

    trials.run(_jobs(plan, packed, setups, units), played, done, threads=jobs)
    return found


def _jobs(
    plan: Plan, packed: Mapping[tuple[bytes, ...], Any], setups: Mapping[bytes, Any], units: int
) -> Sequence[Job]:
    games = plan.game.GAMES_A_UNIT
    jobs = []
    for group in packed:
        pace = sum(plan.game.nanoseconds(setups[name]) for name in group)
        jobs += [Job(group, a, b) for a, b in trials.blocks(0, units, trials.block_size(pace * games))]
    return jobs
