"""A tiny game between two sides, for tests of the laboratory: whoever rolls higher wins, twice on the same dice.

Two games make a unit, the second with the seats swapped; dice belong to the seats. Skill adds to a side's roll, an edge
to that of the first seat, and what lies no farther apart than ``draw_within`` is a draw. Everything is numpy.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from simkit.core.layout import Record
from simkit.core.trials import BATCHES
from simkit.games import protocol
from simkit.games.protocol import Complaint, Line, Metric, RuleSet, Solution, Version, number, put_at
from simkit.lab import plan as planning
from simkit.lab.plan import Plan

FACES = 100
POLICIES = ("hold", "random", "greedy")
DESIGNS = {"plain": 0, "fine": 10, "grand": 30}
STRICT = ConfigDict(extra="forbid", frozen=True, strict=True)

OUTCOMES = (
    Metric("win_a", "share", "of games", "side A has won"),
    Metric("win_b", "share", "of games", "side B has won"),
    Metric("draw", "share", "of games", "nobody has won"),
    Metric("score_a", "share", "of the points", "what side A scored", 2, scale=2),
    Metric("turns", "count", "turns", "turns played"),
    Metric("margin_a", "count", "points", "how far side A is ahead, in hundredths", scale=10, lowest=None),
    Metric("never", "share", "of games", "never seen"),
)
NAMES = [metric.name for metric in OUTCOMES]


class Rules(RuleSet):
    """The rules of the tiny game."""

    edge: int = number(0, "What is added to the roll of the first seat.", id="D-1", source="R", ge=-50, le=50)
    draw_within: int = number(0, "How far apart two rolls may be for a draw.", id="D-2", source="Q", ge=0, le=99)


class Design(BaseModel):
    """What a side may bring along."""

    model_config = STRICT
    skill: int


class Side(BaseModel):
    """One side."""

    model_config = STRICT
    design: str | Design = "plain"
    policy: str | None = None
    count: int = 1
    equipment: dict[str, int] = Field(default_factory=dict)


class Sides(BaseModel):
    """Both sides."""

    model_config = STRICT
    a: Side
    b: Side


class Battle(BaseModel):
    """Where they meet."""

    model_config = STRICT
    map: str = "open"
    hill: int = 0


class Scenario(BaseModel):
    """What an experiment sets up."""

    model_config = STRICT
    sides: Sides
    designs: dict[str, Design] = Field(default_factory=dict)
    scenario: Battle = Field(default_factory=Battle)
    policy: str = "greedy"

    def skill(self, side: Side) -> int:
        """Return what a side adds to its roll; without a greedy player half of it."""
        known = DESIGNS | {name: design.skill for name, design in self.designs.items()}
        own = known[side.design] if isinstance(side.design, str) else side.design.skill
        total = (own + sum(side.equipment.values())) * side.count
        return total if (side.policy or self.policy) == "greedy" else total // 2


class Setup(Record):
    """What is played."""

    skill_a: int
    skill_b: int
    edge: int
    draw_within: int


def fates(setup: Any, rolls: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the outcomes of both games for rolls of shape (units, seats): shape (units, 2, columns)."""
    a, b = int(setup.skill_a), int(setup.skill_b)
    games = []
    for seat_of_a in (0, 1):
        own, other = rolls[:, seat_of_a] + a, rolls[:, 1 - seat_of_a] + b
        ahead = own - other + int(setup.edge) * (1 - 2 * seat_of_a)
        draw = np.abs(ahead) <= int(setup.draw_within)
        win_a, win_b = (ahead > 0) & ~draw, (ahead < 0) & ~draw
        turns = 1 + rolls[:, 0] % 3
        games.append(np.column_stack([win_a, win_b, draw, 2 * win_a + draw, turns, 50 * ahead, 0 * ahead]))
    return np.stack(games, axis=1).astype(np.int64)


def rolled(key: Any, first: int, end: int) -> NDArray[np.int64]:
    """Return the rolls of some units by seat (splitmix64)."""
    place = np.arange(2 * first, 2 * end, dtype=np.uint64).reshape(-1, 2)
    with np.errstate(over="ignore"):
        bits = np.uint64(key.stream) + (place + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        bits = bits ^ (bits >> np.uint64(31))
    return (bits % np.uint64(FACES)).astype(np.int64)


def played(setup: Any, key: Any, first: int, end: int) -> NDArray[np.int64]:
    """Return the outcomes of units: shape (units, 2, columns)."""
    return fates(setup, rolled(key, first, end))


def count(units: NDArray[np.int64], base: NDArray[np.int64] | None, first: int, out: NDArray[np.int64]) -> None:
    """Add units to the counts of a setup: shapes (units, columns) and (256, columns, 4)."""
    gains = np.zeros_like(units) if base is None else units - base
    batches = np.arange(first, first + len(units)) % BATCHES
    for k, values in enumerate((units, units**2, gains, gains**2)):
        np.add.at(out[:, :, k], batches, values)


def play_block(setups: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
    base = played(setups[0], key, first, end).sum(axis=1)
    for s, setup in enumerate(setups):
        units = played(setup, key, first, end).sum(axis=1)
        count(units, base if s else None, first, out[s])


def play_rows(setup: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
    out[:] = played(setup, key, first, end).reshape(-1, len(OUTCOMES))


def play_one(setup: Any, state: Any, key: Any, trial: int, seat: int = 0) -> tuple[int, ...]:
    return tuple(played(setup, key, trial, trial + 1)[0, seat].tolist())


def trace(setup: Any, key: Any, trial: int, seat: int = 0) -> Any:
    return rolled(key, trial, trial + 1)[0].tolist(), seat, play_one(setup, None, key, trial, seat)


def narrate(scenario: Any, rules: Any, events: Any) -> list[Line]:
    rolls, seat, outcome = events
    result = "A wins" if outcome[0] else "B wins" if outcome[1] else "a draw"
    return [
        Line("Turn 1.", "turn"),
        Line(f"A in seat {seat} rolls {rolls[seat]}, B rolls {rolls[1 - seat]}", "throw", ("D-1",)),
        Line(result, "end"),
    ]


def exact(scenario: Any, rules: Any) -> Solution:
    """Return the shares, and of a battle in the fog nothing; nobody has worked out the rest."""
    if scenario.scenario.map == "fog":
        return Solution({}, 0)
    every = np.stack(np.meshgrid(np.arange(FACES), np.arange(FACES)), axis=-1).reshape(-1, 2)
    sums = fates(compile_(scenario, rules), every).sum(axis=(0, 1)).tolist()
    ways = 2 * FACES**2
    known = {
        metric.name: Fraction(total, ways * metric.scale)
        for metric, total in zip(OUTCOMES, sums, strict=True)
        if metric.kind == "share"
    }
    return Solution(known, len(every))


def compile_(scenario: Any, rules: Any) -> Any:
    sides, hill = scenario.sides, scenario.scenario.hill
    return Setup.pack(
        {
            "skill_a": scenario.skill(sides.a) + hill,
            "skill_b": scenario.skill(sides.b),
            "edge": rules.edge,
            "draw_within": rules.draw_within,
        }
    )


def complaints(scenario: Any, rules: Any) -> list[Complaint]:
    known = {*DESIGNS, *scenario.designs}
    return [
        Complaint(("sides", name, "design"), f"no design is called '{side.design}'", "D-3", f"there are {len(known)}")
        for name, side in (("a", scenario.sides.a), ("b", scenario.sides.b))
        if isinstance(side.design, str) and side.design not in known
    ]


def vary(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    varied = dict(data)
    for path, value in changes.items():
        first, *rest = path.split(".")
        if first == "scenario" and rest:
            varied.setdefault("scenario", {})
        varied = put_at(varied, [first, *rest], value)
    return varied


def label(path: str, value: Any) -> str | None:
    return f"skill {value['skill']}" if isinstance(value, dict) and set(value) == {"skill"} else None


def new_state() -> None:
    return None


def ready(progress: Callable[[int, int], None] | None = None) -> None:
    return None


GAME = SimpleNamespace(
    NAME="duels",
    TITLE="Duels",
    SUMMARY="two sides roll",
    EDITION="first",
    VERSION=Version(1, {1: "Two sides roll, twice."}),
    GAMES_A_UNIT=2,
    POLICIES=POLICIES,
    OUTCOMES=OUTCOMES,
    HEADLINE="score_a",
    UNLIMITED={},
    MODEL=(("D-1", "Both sides roll at once."),),
    PRESETS_ARE="designs",
    Rules=Rules,
    Scenario=Scenario,
    presets=lambda: [{"design": name, "skill": skill} for name, skill in DESIGNS.items()],
    complaints=complaints,
    unplayable=lambda scenario: "",
    compile=compile_,
    assumed=lambda scenario, rules: ["draw_within"],
    describe=lambda scenario: f"{scenario.sides.a.design} against {scenario.sides.b.design}",
    story=lambda scenario: "Two sides meet.",
    label=label,
    axis_title=lambda path: path.rpartition(".")[2].replace("_", " "),
    vary=vary,
    nanoseconds=lambda setup: 100.0,
    ready=ready,
    new_state=new_state,
    pack=lambda setups: list(setups),
    play_block=play_block,
    play_rows=play_rows,
    play_one=play_one,
    trace=trace,
    fortune=lambda outcome: (outcome[3], outcome[5]),
    exact=exact,
    narrate=narrate,
)
"""The game, with every name of the protocol."""


@contextmanager
def known() -> Iterator[None]:
    """Let the laboratory find the game beside those there are."""
    find, load = protocol.find, protocol.load
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocol, "find", lambda: sorted([*find(), "duels"]))
        patch.setattr(protocol, "load", lambda name: GAME if name == "duels" else load(name))
        yield


def duel(**tables: Any) -> dict[str, Any]:
    """Return the tables of a small duel, some of them replaced; None leaves one out."""
    sides = {"a": {"design": "fine"}, "b": {"design": "plain"}}
    data = {"schema": 1, "name": "duel", "game": "duels", "sides": sides} | tables
    return {key: value for key, value in data.items() if value is not None}


def made(**tables: Any) -> Plan:
    """Plan a small duel."""
    return planning.make(duel(**tables))


def written(folder: Path, **tables: Any) -> Path:
    """Write a small duel to a file."""
    import tomli_w

    path = folder / "duel.toml"
    path.write_text(tomli_w.dumps(duel(**tables)))
    return path


def units_of(plan: Plan, cell: int) -> NDArray[np.int64]:
    """Return what the units of a cell count, one row a unit."""
    found: NDArray[np.int64] = played(plan.cells[cell].setup, plan.key, 0, plan.units).sum(axis=1)
    return found


def values_of(rows: Sequence[Sequence[int]] | NDArray[np.int64], name: str) -> NDArray[np.float64]:
    """Return the values a game of a metric, one a unit."""
    column = NAMES.index(name)
    return np.asarray(rows)[:, column] / (2 * OUTCOMES[column].scale)
