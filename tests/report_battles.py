"""Made-up documents of battles between two sides, in every shape the sections on battles meet."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from simkit.stats import Estimate
from tests.report_documents import METRICS, made

ENDS = {"cause_destroyed": "destroyed", "cause_toppled": "toppled", "cause_cut": "cut", "cause_cap": "turns used up"}
SOURCES = ("rams", "flails", "fire")
SHARES = ("win_a", "draw", "win_b", "draw_cap", *ENDS)
POLICIES = ("hold", "random", "greedy")
DESIGNS = {"sides.a.design": ["Walker", "Thrasher"], "sides.b.design": ["Archer", "Axer", "Lobber"]}
BY_SKILL = {"sides.a.design": ["Wheels", "Legs"], "size": [3, 5], "policy": ["greedy", "hold", "random"]}

Point = Mapping[str, Any]


def metric(name: str, kind: str, unit: str) -> dict[str, Any]:
    """Return a metric as a document has it."""
    return {"name": name, "kind": kind, "unit": unit, "says": f"what {name} is", "highest": None}


def battles_metrics(sources: Sequence[str]) -> list[dict[str, Any]]:
    """Return the metrics of a game with these sources of damage."""
    found = [metric(name, "share", "of battles") for name in SHARES]
    found += [metric("score_a", "share", "of the points"), metric("turns", "count", "turns")]
    names = [*sources, "collision"]
    return [*METRICS, *found, *(metric(f"{name}_{side}", "count", "hits") for name in names for side in "ab")]


def entry(value: float, half: float, *, share: bool = True, n: int = 2000) -> dict[str, Any]:
    """Return an estimate with an interval."""
    low, high = value - half, value + half
    if share:
        low, high = max(low, 0.0), min(high, 1.0)
    return Estimate(value, max(low, 0.0), high, 0.99, n, "batch-t").to_json()


def fought(
    axes: Mapping[str, Sequence[Any]] | None = None,
    *,
    score: Callable[[Point], float] = lambda point: 0.6,
    capped: Callable[[Point], float] = lambda point: 0.02,
    toppled: Callable[[Point], float] = lambda point: 0.25,
    turns: Callable[[Point], float] = lambda point: 8.0,
    damage: Callable[[Point, str, str], float] = lambda point, source, side: 10.0,
    sources: Sequence[str] = SOURCES,
    edges: Sequence[Mapping[int, tuple[float, float, float, str]]] = (),
    **more: Any,
) -> dict[str, Any]:
    """Return a document of battles: every cell counts what the functions say of its point.

    ``edges`` has for two questions the rows by cell: share, bounds and word; 0 is all cells together.
    """
    document = made(axes, exact=False, **more)
    document |= {"game": "battles", "title": "Battles", "check": None, "metrics": battles_metrics(sources)}
    for cell in document["cells"]:
        point = cell["factors"]
        cap, won = capped(point), score(point)
        shares = {
            "win_a": won - cap / 2,
            "draw": cap,
            "win_b": 1 - won - cap / 2,
            "draw_cap": cap,
            "score_a": won,
            "cause_destroyed": 1 - cap - toppled(point),
            "cause_toppled": toppled(point),
            "cause_cut": 0.0,
            "cause_cap": cap,
        }
        cell["trials"], cell["n"] = 4000, 2000
        cell["metrics"] |= {name: entry(value, 0.01) for name, value in shares.items()}
        cell["metrics"]["turns"] = entry(turns(point), 0.2, share=False)
        for source in (*sources, "collision"):
            for side in "ab":
                cell["metrics"][f"{source}_{side}"] = entry(damage(point, source, side), 0.5, share=False)
    for cell in document["cells"]:
        if cell["baseline"] is not None:
            base = document["cells"][cell["baseline"] - 1]["metrics"]
            for made_up in document["metrics"]:
                name = made_up["name"]
                change = cell["metrics"][name]["estimate"] - base[name]["estimate"]
                value = Estimate(change, change - 0.02, change + 0.02, 0.99, 2000, "paired-t").to_json()
                cell["metrics"].setdefault(f"{name}_minus_baseline", value)
    document["fight"] = {
        "score": "score_a",
        "wins": ["win_a", "win_b"],
        "draw": "draw",
        "capped": "draw_cap",
        "length": "turns",
        "ends": dict(ENDS),
        "damage": {source: [f"{source}_a", f"{source}_b"] for source in sources},
        "mishaps": {"own collisions": ["collision_a", "collision_b"]},
        "cut": "Drawn because the turns were used up",
        "edges": [
            edge("win_seat_0", "the western seat", edges[0] if edges else {}),
            edge("win_first", "the side that moves first", edges[1] if edges else {}),
        ],
    }
    return document


def edge(name: str, who: str, rows: Mapping[int, tuple[float, float, float, str]]) -> dict[str, Any]:
    """Return the verdict on one edge."""
    made_rows = [
        {"cell": cell, "word": word, **Estimate(share, low, high, 0.99, 2000, "max-t").to_json()}
        for cell, (share, low, high, word) in rows.items()
    ]
    word = "undecided" if rows else ""
    return {"metric": name, "who": who, "answer": f"What {who} wins is told here.", "word": word, "rows": made_rows}


def by_skill(document: dict[str, Any], axis: str = "policy", *, changes: bool = True) -> dict[str, Any]:
    """Give a document the verdict on skill along one of its axes."""
    rows = {row["cell"]: row for row in document["verdict"]["rows"]}
    cells = {cell["cell"]: cell for cell in document["cells"] if cell["cell"] in rows}
    rungs = [
        {"rung": policy, "cells": [number for number, cell in cells.items() if cell["factors"][axis] == policy]}
        for policy in POLICIES
    ]
    rungs = [rung for rung in rungs if rung["cells"]]
    others = {n: tuple(v for k, v in cell["factors"].items() if k != axis) for n, cell in cells.items()}
    top = {others[number]: number for number in rungs[-1]["cells"]}
    found = []
    for number in (number for rung in rungs[:-1] for number in rung["cells"] if changes):
        change = rows[top[others[number]]]["estimate"] - rows[number]["estimate"]
        value = Estimate(change, change - 0.03, change + 0.03, 0.99, 2000, "max-t").to_json()
        found.append({"cell": number, "top": top[others[number]], "word": "undecided", **value})
    answer = "Whether the answer depends on skill is told here."
    document["verdict"]["skill"] = {"axis": axis, "rungs": rungs, "changes": found, "word": "size", "answer": answer}
    return document


EDGES: Any = (
    {0: (0.503, 0.49, 0.516, "fair"), 1: (0.55, 0.53, 0.57, "higher"), 2: (0.5, 0.45, 0.55, "undecided")},
    {0: (0.497, 0.486, 0.508, "fair"), 1: (0.44, 0.42, 0.46, "lower"), 2: (0.51, 0.495, 0.525, "undecided")},
)


@cache
def shapes() -> Mapping[str, dict[str, Any]]:
    """Return a document of every shape, by name; nobody may change them."""
    many = [f"weapon {i}" for i in range(14)]
    return {
        "designs": fought(DESIGNS, target=0.5, metric="finished", edges=EDGES),
        "one battle": fought(edges=({1: EDGES[0][1]}, {1: EDGES[1][1]})),
        "never decided": fought({"size": [3, 5]}, score=lambda p: 0.5, capped=lambda p: 1.0, toppled=lambda p: 0.0,
                                damage=lambda point, source, side: 0.0),
        "skill": by_skill(fought(BY_SKILL, baseline={"sides.a.design": "Wheels"}, within=0.02, edges=EDGES)),
        "skill of one side": by_skill(
            fought({"sides.b.policy": ["greedy", "random"], "size": [3, 5, 7]}, target=0.5), "sides.b.policy"
        ),
        "against a rung": by_skill(fought({"policy": list(POLICIES)}, baseline={"policy": "greedy"}), changes=False),
        "many cells": fought({"size": list(range(10)), "map": list("uvwxyz")}, turns=lambda p: 2.0 + p["size"]),
        "many sources": fought({"size": [3, 5]}, sources=many, damage=lambda p, source, side: 1.0 + len(source)),
        "at the limit": fought({"size": [3, 5]}, capped=lambda p: 0.3 if p["size"] == 5 else 0.0),
    }  # fmt: skip
