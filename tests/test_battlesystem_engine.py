"""The engine of Battlesystem in its smallest whole fight: its exact chain, and battles that are played."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit import stats
from simkit.core import jit
from simkit.core.rng import make_key
from simkit.core.trials import BATCHES
from simkit.games.battlesystem import compile as room
from simkit.games.battlesystem.exact import solve
from simkit.games.battlesystem.legality import complaints
from simkit.games.battlesystem.records import Outcome, Setup, State
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario

CASES = json.loads((Path(__file__).parent / "cases/battlesystem.json").read_text(encoding="utf-8"))["cases"]
SMALLEST = next(case for case in CASES if case["id"] == "bs-15")
NAMES = {"left_a": "figures_a", "left_b": "figures_b"}
TRIALS = 1_000_000


def smallest() -> Scenario:
    """Return the public fight of two figures against two, in contact from the first round (B-LAN-20, B-LAN-25)."""
    sides = {}
    for side in "ab":
        given = SMALLEST["given"][side]
        design = {key: given[key] for key in ("ar", "ac", "hd", "mv", "ml", "damage", "base", "ratio")}
        sides[side] = {"design": design} | {key: given[key] for key in ("figures", "files", "formation", "policy")}
    return Scenario.model_validate({"sides": sides, "scenario": {"in_contact": True}})


def counted(scenario: Scenario, rules: Rules, trials: int) -> dict[str, tuple[int, int]]:
    """Play battles; return sum and sum of squares of every column."""
    from simkit.games.battlesystem.play import play_units

    jit.ready("simkit.games.battlesystem")
    setups = Setup.array(1)
    setups[0] = room.compile(scenario, rules)
    out = np.zeros((1, BATCHES, len(Outcome._fields), 4), np.int64)
    key = make_key(20_261_130)
    nothing = np.zeros((0, len(Outcome._fields)), np.int64)
    play_units(setups, State.scratch(), key.stream, key.tweak, 0, trials, out, nothing)
    return {name: (int(s), int(q)) for name, (s, q) in zip(Outcome._fields, out[0].sum(axis=0)[:, :2], strict=True)}


def test_the_exact_chain_has_the_public_values() -> None:
    """B-LAN-19 to B-LAN-25 on figures, wounds and formations, to 1e-9 (bs-15)."""
    scenario = smallest()
    assert complaints(scenario, Rules()) == []
    found = solve(scenario, Rules())
    assert found.why == ""
    for name, value in SMALLEST["want"].items():
        assert float(found.metrics[NAMES.get(name, name)] or 0) == pytest.approx(value, abs=1e-9), name


def test_a_million_battles_agree_with_the_chain() -> None:
    """No share is off with p below 1e-6 for all six together; a bias of 0.3 points would show."""
    found = solve(smallest(), Rules())
    played = counted(smallest(), Rules(), TRIALS)
    shares = ("win_a", "win_b", "mutual", "dead_a", "dead_b", "rout_a")
    for name in shares:
        exact = float(found.metrics[name] or 0)
        assert stats.binomial_tail(played[name][0], TRIALS, exact) > 1e-6 / len(shares), name
    mean = played["rounds"][0] / TRIALS
    error = float(np.sqrt(played["rounds"][1] / TRIALS - mean**2) / np.sqrt(TRIALS))
    assert abs(mean - float(found.metrics["rounds"] or 0)) < 5 * error


@pytest.mark.parametrize("change", [{"in_contact": False}, {"policy": "best"}])
def test_what_is_not_solved_says_why(change: dict[str, Any]) -> None:
    data = smallest().model_dump(by_alias=True, exclude_none=True)
    if "policy" in change:
        data["sides"]["a"]["policy"] = change["policy"]
    else:
        data["scenario"] |= change
    found = solve(Scenario.model_validate(data), Rules())
    assert found.metrics == {}
    assert "solved exactly" in found.why
