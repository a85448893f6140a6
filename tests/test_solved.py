"""Exact solutions in a report: what they cost, how far they are off, and which cells go without them."""

import json
from pathlib import Path
from typing import Any

import pytest

from simkit.balance import solved
from simkit.balance.document import build, exact_document
from simkit.balance.solved import solve_some, without
from simkit.balance.verdict import judge
from simkit.games.protocol import Solution
from simkit.lab import plan as planning
from simkit.lab.plan import Plan
from tests.laboratory import made, play

CLAW = {"design": {"size": 2, "equipment": ["claw arm", "saw arm"]}}
GREEDY = "side a is played by greedy; solved are duels in which both sides hold"
POLICIES = {"sweep": {"axes": {"policy": ["hold", "greedy"]}}}


@pytest.fixture(scope="module", autouse=True)
def jugger() -> Any:
    """Return the game of Jugger with its kernels compiled or loaded."""
    from simkit.games.jugger import game

    game.ready()
    return game


def duel(**tables: Any) -> Plan:
    """Plan a duel of equals that hold."""
    battle = {"distance": 1, "max_turns": 6}
    run = {"trials": 2000, "policy": "hold"}
    data = {"schema": 1, "name": "claws", "game": "jugger", "sides": {"a": CLAW, "b": CLAW}, "scenario": battle}
    return planning.make({**data, "run": run, **tables})


def told(plan: Plan, out: Path) -> dict[str, Any]:
    """Play a plan and return its document."""
    played = play(plan, out)
    return build(plan, played.results, judge(plan, played.results))


def test_a_report_tells_how_far_a_solution_is_off_and_why_there_is_none(tmp_path: Path) -> None:
    plan = duel(**POLICIES)
    document = told(plan, tmp_path)
    first, second = document["cells"]
    assert 0 < first["solved"]["error"] < 1e-11
    assert first["solved"]["why"] == ""
    assert first["exact"]["win_a"]["value"] == pytest.approx(first["metrics"]["win_a"]["estimate"], abs=0.06)
    assert (second["exact"], second["solved"]) == ({}, {"error": 0.0, "why": GREEDY})
    assert document["unsolved"] == [{"why": GREEDY, "cells": [2]}]
    assert document["check"]["compared"] > 5
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_fractions_have_no_error(tmp_path: Path) -> None:
    document = told(made(run={"trials": 300}), tmp_path)
    assert document["cells"][0]["solved"] == {"error": 0.0, "why": ""}
    assert document["unsolved"] == []


def test_reasons_are_told_once() -> None:
    def lacks(why: str) -> solved.Solved:
        return solved.Solved({}, 0.0, why)

    assert without([1, 2, 3, 4], [lacks("a"), lacks(""), lacks("b"), lacks("a")]) == [
        {"why": "a", "cells": [1, 4]},
        {"why": "b", "cells": [3]},
    ]
    assert solved.of(Solution({}, 0)).why == "it is not known"


# The budget


@pytest.mark.thorough
def test_a_cell_that_is_too_much_work_goes_without(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plan = duel(sweep={"axes": {"scenario.max_turns": [1, 6]}})
    costs = [_steps(plan, i) for i in (0, 1)]
    assert 0 < costs[0] < costs[1] < solved.CELL_STEPS
    monkeypatch.setattr(solved, "CELL_STEPS", costs[0])
    document = told(plan, tmp_path / "one")
    why = f"its solution takes more than {costs[0]:,} steps"
    assert document["unsolved"] == [{"why": why, "cells": [2]}]
    assert [bool(cell["exact"]) for cell in document["cells"]] == [True, False]
    assert json.dumps(told(plan, tmp_path / "two")) == json.dumps(document)
    assert len(exact_document(plan)["cells"][1]["metrics"]) > 20  # whoever asks for it gets it


@pytest.mark.thorough
def test_all_cells_together_have_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = duel(sweep={"axes": {"scenario.max_turns": [4, 5, 6, 7]}})
    costs = [_steps(plan, i) for i in range(4)]
    monkeypatch.setattr(solved, "REPORT_STEPS", costs[0] + costs[1] + 1000)
    whys = [one.why for one in solve_some(plan)]
    assert whys[:2] == ["", ""]
    assert whys[2] == "its solution takes more than 1,000 steps"
    assert whys[3] == f"the solutions before took the {costs[0] + costs[1] + 1000:,} steps that a report spends"


def test_a_report_never_waits_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """However large the duels: no cell is given more than its part, and all together no more than the whole."""
    given: list[int] = []

    def greedy(scenario: Any, rules: Any, steps: int) -> tuple[Solution, int]:
        given.append(steps)
        return Solution({}, 0, why="too much"), steps

    monkeypatch.setattr(solved, "_solver", lambda game: greedy)
    plan = duel(sweep={"axes": {"scenario.max_turns": list(range(1, 31))}})
    assert len(solve_some(plan)) == 30
    assert given == [solved.CELL_STEPS] * (solved.REPORT_STEPS // solved.CELL_STEPS)


def _steps(plan: Plan, i: int) -> int:
    from simkit.games.jugger.exact import solve_within

    return solve_within(plan.cells[i].scenario, plan.cells[i].rules)[1]


# What rounding may have decided


@pytest.mark.parametrize(
    ("report", "judged"),
    [
        ({"target": 0.5}, False),
        ({"target": 0.5, "fair_within": 0.01}, True),
        ({"target": 0.49}, True),
        ({"target": 0.49, "fair_within": 0.01}, False),
        ({}, True),
    ],
)
@pytest.mark.thorough
def test_no_verdict_rests_on_rounding(report: dict[str, Any], judged: bool) -> None:
    """Equals score one half within the error: neither above nor below it."""
    document = exact_document(duel(report={"metric": "score_a", **report}))
    assert abs(document["cells"][0]["metrics"]["score_a"]["estimate"] - 0.5) < document["cells"][0]["solved"]["error"]
    assert (document["verdict"] is not None) == judged


@pytest.mark.parametrize(("axis", "judged"), [("scenario.max_turns", True), ("wreckage_loss", False)])
@pytest.mark.thorough
def test_no_difference_rests_on_rounding(axis: str, judged: bool) -> None:
    """A difference within both errors is none that is known: nobody moves into a wreck here."""
    sweep = {"sweep": {"axes": {axis: [4, 6]}}, "compare": {"baseline": {axis: 4}}}
    document = exact_document(duel(report={"metric": "draw"}, **sweep))
    assert (document["verdict"] is not None) == judged
