"""Battlesystem as its reader meets it: odd moments of a battle retold, rulings in plain words, rounded solutions."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from simkit.balance import solved
from simkit.core.key import make_key
from simkit.games.battlesystem import game
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario
from simkit.games.protocol import Solution
from simkit.report import swings
from tests.commandline import ran

PIKES = {"design": "pikemen", "figures": 24, "files": 8, "policy": "set"}
KNIGHTS = {"design": "heavy-cavalry", "figures": 12, "policy": "charge"}
WADERS = {"lane": {"length": 20, "ground": [{"from": 3, "to": 6, "kind": "water"}]}}
HILL = {"lane": {"length": 12, "ground": [{"from": 4, "to": 12, "kind": "woods", "height": 25}]}}


def fight(a: dict[str, Any], b: dict[str, Any], scenario: dict[str, Any]) -> dict[str, Any]:
    """Return a fight of two units."""
    return {"sides": {"a": a, "b": b}, "scenario": scenario}


PAST = fight(
    {
        "units": [
            {"design": "heavy-cavalry", "figures": 8, "policy": "charge"},
            {"design": "militia", "figures": 6},
        ]
    },
    {"units": [{"design": "militia", "figures": 6, "policy": "hold"}, {"design": "gnolls", "figures": 10}]},
    {"distance": 16},
)
"""The cavalry rides down what stands before it; who comes through next to it has it in his back."""


@pytest.mark.parametrize(
    ("battle", "wanted"),
    [
        (fight({"design": "lizard-men"}, {"design": "orcs", "policy": "hold"}, WADERS), "(of MV 6, in water 12)"),
        (fight({"design": "orcs"}, {"design": "elves", "formation": "open"}, HILL), "stop before its next ten feet"),
        (fight(PIKES, KNIGHTS | {"formation": "open"}, {"distance": 24}), "with no figure; of 6 files in front none"),
        (fight(PIKES, KNIGHTS, {"distance": 24}), "but they count against the charge that has come in"),
        (PAST, "their fronts are past each other"),
    ],
)
def test_odd_moments_are_told(battle: dict[str, Any], wanted: str) -> None:
    scenario = Scenario.model_validate(battle)
    setup, key = game.compile(scenario, Rules()), make_key(7)
    texts = [
        line.text for trial in range(40) for line in game.narrate(scenario, Rules(), game.trace(setup, key, trial))
    ]
    assert any(wanted in text for text in texts)


def test_readings_are_told_as_what_they_say() -> None:
    row = {
        "title": "walk in",
        "label": "only a charge may end in contact",
        "now_label": "a plain move may",
        "named": True,
    }
    assert swings.reading(row) == "'only a charge may end in contact' instead of 'a plain move may'"
    assert swings.reading({"title": "gain", "label": "1/4", "now_label": "1/2", "named": False}) == (
        "'gain' 1/4 instead of 1/2"
    )


# Rounded solutions


def test_a_rounded_value_has_no_fraction() -> None:
    third = Fraction(1, 3)
    rounded = solved.of(Solution({"win_a": third, "rounds": None}, 1, error=1e-9))
    assert rounded.values == {
        "win_a": {"fraction": "", "value": float(third)},
        "rounds": {"fraction": "infinite", "value": None},
    }
    assert solved.of(Solution({"win_a": third}, 1)).values["win_a"]["fraction"] == "1/3"


QUESTION = """
schema = 1
name = "press"
question = "Who wins?"
game = "battlesystem"
[sides.a]
design = "men-at-arms"
figures = 4
[sides.b]
design = "orcs"
figures = 4
[scenario]
in_contact = true
"""


def test_exact_says_how_far_it_can_be_off(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    file = tmp_path / "press.toml"
    file.write_text(QUESTION)
    document = json.loads(ran(capsys, "exact", file, "--json").out)
    (cell,) = document["cells"]
    error = cell["solved"]["error"]
    assert 0 < error <= 1e-9
    shares = [cell["metrics"][name] for name in ("win_a", "win_b", "mutual", "cap")]
    assert sum(share["estimate"] for share in shares) == pytest.approx(1, abs=4 * error)
    for share in shares[:3]:
        assert (share["method"], share["fraction"]) == ("rounded", "")
        assert share["high"] - share["low"] == pytest.approx(2 * error, rel=1e-3)
    assert "solved, off by no more than 1e-09" in document["verdict"]["answer"]
    shown = " ".join(ran(capsys, "exact", file).out.split())
    assert f"win_a rounded {100 * shares[0]['estimate']:.4f} %" in shown
    assert "no share is off by more than 1.0e-09" in shown
    assert "not solved: killed_a, killed_b" in shown
