"""Trials worth telling again, and how one is told."""

from collections import Counter
from typing import Any

import numpy as np

from simkit.balance.verdict import Verdict
from simkit.games.protocol import Line, fight_of
from simkit.lab.plan import Cell, Plan
from simkit.lab.trial import Trial

SEARCHED = 2000
"""Trials among which those worth telling again are looked for."""


def replays(plan: Plan, verdict: Verdict) -> list[dict[str, Any]]:
    """Retell three trials of the cell that the verdict turns on: a typical one, the worst and the luckiest.

    Battles of two sides hardly ever end alike in all that is counted: typical of them is the one in the middle.
    """
    widest = max(verdict.rows, key=lambda row: abs(row.value.estimate))
    cell = plan.cells[widest.cell - 1]
    games = plan.game.GAMES_A_UNIT
    units = min(SEARCHED // games, plan.units)
    trials = [Trial(unit, seat) for unit in range(units) for seat in range(games)]
    rows = np.zeros((len(trials), len(plan.game.OUTCOMES)), np.int64)
    plan.game.play_rows(cell.setup, plan.game.new_state(), plan.key, 0, units, rows)
    seen = [tuple(row) for row in rows.tolist()]
    fortunes = [plan.game.fortune(outcome) for outcome in seen]
    if games == 1 and fight_of(plan.game) is None:
        common = Counter(seen).most_common(1)[0][0]
        typical, why = seen.index(common), f"the commonest outcome: {seen.count(common):,} of {len(seen):,} trials"
    else:
        typical = sorted(range(len(seen)), key=fortunes.__getitem__)[(len(seen) - 1) // 2]
        why = f"the middle of the first {len(seen):,} trials, from the worst to the luckiest"
    chosen = (
        ("typical", typical, why),
        ("worst", fortunes.index(min(fortunes)), f"the worst of the first {len(seen):,} trials"),
        ("luckiest", fortunes.index(max(fortunes)), f"the luckiest of the first {len(seen):,} trials"),
    )
    return [
        {
            "kind": kind,
            "cell": cell.number,
            "trial": trials[i].unit if games == 1 else trials[i].text,
            "why": why,
            "lines": lines(plan, cell, trials[i]),
        }
        for kind, i, why in chosen
    ]


def lines(plan: Plan, cell: Cell, trial: Trial) -> list[dict[str, Any]]:
    """Retell one trial as lines of text with their kind and the rules they cite."""
    events = plan.game.trace(cell.setup, plan.key, *trial)
    told: list[Line] = plan.game.narrate(cell.scenario, cell.rules, events)
    return [{"text": line.text, "kind": line.kind, "ids": list(line.ids)} for line in told]
