"""What an experiment can write down about Pig Tickler, as one table."""

from collections.abc import Sequence
from typing import Any

from simkit.games.pigtickler.course import KEYS, Step
from simkit.games.pigtickler.rules import BOGS, Rules
from simkit.games.pigtickler.story import AHEAD
from simkit.games.protocol import Metric

WRITTEN = {
    "down": "{ down = 2 }",
    "up": "{ up = 1 }",
    "turn": "{ turn = 1 }",
    "bog": '{ bog = "swamp", bends = 1 }',
    "avoid": '{ avoid = "obstacle" } or "lancer"',
    "beside": '{ beside = "wall" }, "fence" or "hedge"',
    "cross": '{ cross = "fence" } or "hedge"',
    "ramp": "{ ramp = true }",
    "chasm": "{ chasm = true }",
    "stop": "{ stop = true }",
    "pig": "{ pig = true }",
}
"""Each kind of step as a file has it."""


def vocabulary(rules: Rules, outcomes: Sequence[Metric]) -> list[dict[str, Any]]:
    """List the steps of a course, what may lie ahead, the bogs, the named sets of rules and the metrics."""
    steps = [_row("step", WRITTEN[key], str(Step.model_fields[key].description)) for key in KEYS]
    ahead = [
        _row("ahead", f'ahead = "{name}"', f"{words}, if another player steers him") for name, words in AHEAD.items()
    ]
    ahead.append(_row("ahead", 'ahead = "swamp"', "or any other kind of bog"))
    bogs = [
        _row("bog", f'bog = "{name}"', f"{words}: {rules.bogs[name]:+d}".replace("+0", "no modifier"))
        for name, (_, _, words) in BOGS.items()
    ]
    switches = [
        _row(
            "rules",
            "altered_odds = true",
            f"{rules.altered_target} or more instead of {rules.standard_target} (P-MAN-1)",
        ),
        _row("rules", "unicycle_damage = true", f"damage weighs on later rolls; wrecked at {rules.wreck_at} (P-COL-2)"),
    ]
    metrics = [_row("metric", f'metric = "{metric.name}"', metric.says) for metric in outcomes]
    return [*steps, *ahead, *bogs, *switches, *metrics]


def _row(kind: str, written: str, what: str) -> dict[str, Any]:
    return {"kind": kind, "in the file": written, "what it is": what}
