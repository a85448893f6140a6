"""Small made-up documents of every shape a report meets; one test holds their keys equal to those of a real run."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from simkit import stats
from simkit.stats import Estimate

METRICS = [
    {"name": "finished", "kind": "share", "unit": "of attempts", "says": "every task done", "highest": None},
    {"name": "wounded", "kind": "share", "unit": "of attempts", "says": "wounded at least once", "highest": None},
    {"name": "killed", "kind": "share", "unit": "of attempts", "says": "dead in a chasm", "highest": None},
    {"name": "turns_used", "kind": "count", "unit": "turns", "says": "turns used", "highest": None},
]
RULES = [
    {"path": "dice", "values": ["2d6"], "default": "2d6", "id": "P-MAN-2", "source": "Q", "says": "Dice of a roll."},
    {
        "path": "altered_odds",
        "values": [False, True],
        "default": False,
        "id": "P-MAN-1",
        "source": "R",
        "says": "Altered odds.",
    },
]
LINES = [
    {"text": "Turn 1.", "kind": "turn", "ids": []},
    {"text": "to turn he needs 7 or more on 2d6, rolls 9: he turns", "kind": "throw", "ids": ["P-MAN-3", "P-DN-1"]},
    {"text": "finished in turn 1 with 1 throw", "kind": "end", "ids": ["P-CRS-4"]},
]


WHY = "nobody knows how"
"""Why made-up cells have no exact solution."""


def share_of(point: Mapping[str, Any]) -> float:
    """Return some share that depends on every axis."""
    text = "|".join(f"{name}={value}" for name, value in point.items())
    return 0.1 + 0.8 * (sum(ord(char) * (i + 1) for i, char in enumerate(text)) % 997) / 997


def made(
    axes: Mapping[str, Sequence[Any]] | None = None,
    *,
    points: Sequence[Mapping[str, Any]] | None = None,
    baseline: Mapping[str, Any] | None = None,
    target: float | None = None,
    within: float | None = None,
    metric: str = "finished",
    n: int = 4000,
    exact: bool = True,
    precision: float | None = None,
    share: Callable[[Mapping[str, Any]], float] = share_of,
    labels: Mapping[Any, str] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return a document as a run would leave it; ``more`` replaces whole entries."""
    axes = axes or {}
    points = (
        [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]
        if points is None
        else points
    )
    words = labels or {}

    def label(value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, int):  # 0 is no False
            return words.get(value, str(value).lower() if isinstance(value, bool) else str(value))
        return str(value)

    kind = next(entry["kind"] for entry in METRICS if entry["name"] == metric)
    cells = []
    heads: dict[Any, int] = {}
    for i, point in enumerate(points):
        others = tuple((k, str(v)) for k, v in point.items() if k not in (baseline or {}))
        if baseline is not None and all(point[k] == v for k, v in baseline.items()):
            heads[others] = i
    for i, point in enumerate(points):
        others = tuple((k, str(v)) for k, v in point.items() if k not in (baseline or {}))
        head = heads.get(others)
        head = None if head == i else head
        cells.append(_cell(i, point, label, head, points, share, n, exact))
    rows = [_row(document_metric, kind, cell, baseline is not None, target, within, n) for cell in cells
            for document_metric in [metric] if baseline is None or cell["baseline"] is not None]  # fmt: skip
    found = {
        "schema": 1,
        "name": "made-up",
        "run": "0123456789abcdef",
        "question": "What happens?",
        "game": "pigtickler",
        "title": "Pig Tickler",
        "edition": "terrain rules, first reading",
        "setting": "A lancer rides down one level and turns, in at most 2 turns.",
        "model": [{"id": "P-CRS-4", "says": "A failed last roll costs one more turn."}],
        "version": {"game": 1, "dice": 1},
        "seed": 1,
        "replication": 0,
        "level": 0.99,
        "precision": precision,
        "trials": n,
        "metric": metric,
        "target": target,
        "fair_within": within,
        "metrics": METRICS,
        "axes": [_axis(name, [point[name] for point in points], label) for name in (points[0] if points else {})],
        "baseline": None if baseline is None else {name: label(value) for name, value in baseline.items()},
        "changes": [],
        "house_rules": [],
        "file": "made_up.toml",
        "cells": cells,
        "rules": RULES,
        "experiment": 'schema = 1\nname = "made-up"\n',
        "assumptions": [
            {
                "path": "dice",
                "value": "2d6",
                "default": "2d6",
                "id": "P-MAN-2",
                "source": "Q",
                "says": "Dice of a roll.",
            }
        ],
        "verdict": {
            "answer": f"'{metric}' is what it is (99 % for all {len(rows)} together, max-T, n = {n:,} each).",
            "word": _word_of_all([row["word"] for row in rows]),
            "meaning": "said in a few words",
            "rule": "an interval wholly on one side of the line decides; else undecided",
            "metric": metric,
            "not_resolved": [row["cell"] for row in rows if row["word"] == "undecided"],
            "family": f"99 % for all {len(rows)} together, max-T, n = {n:,} each",
            "rows": rows,
        },
        "unsolved": [] if exact else [{"why": WHY, "cells": [cell["cell"] for cell in cells]}],
        "check": {"compared": 3 * len(cells), "smallest": 0.02, "where": "wounded of cell 1", "corrected": 0.4}
        if exact
        else None,
        "pairing": None if baseline is None else {"comparisons": len(rows), "variance_ratio": 3.25},
        "swings": swung("the run has fewer than 2,000 trials a cell"),
        "replays": [
            {"kind": kind, "cell": 1, "trial": trial, "why": "the first that came", "lines": LINES}
            for kind, trial in (("typical", 0), ("worst", 3), ("luckiest", 94))
        ],
    }
    return found | more


def swung(
    why_not: str = "", moves: Sequence[tuple[str, float, str]] = (), *, held: str = "higher", half: float = 0.01
) -> dict[str, Any]:
    """Return what other readings of the rules move: a rule, how far, and what becomes of the verdict."""
    rows = []
    for path, move, word in moves:
        after = {"holds": held, "flips": "lower", "decides": "higher", "measured": "measured"}.get(word, "undecided")
        value = Estimate(move, move - half, move + half, 0.99, 4000, "max-t") if move else Estimate.exact(0.0)
        becomes = {"word": after, "estimate": 0.1 + move, "low": 0.08 + move, "high": 0.12 + move}
        rows.append(_reading(path) | {"word": word, "becomes": becomes, **value.to_json()})
    return {
        "cell": 1,
        "baseline": None,
        "where": "",
        "level": 0.99,
        "trials": 4000 if rows else 0,
        "n": 4000 if rows else 0,
        "family": f"99 % for all {len(rows)} together, max-T, n = 4,000 each" if rows else "",
        "not_played": why_not,
        "held": {"word": held, **Estimate(0.1, 0.09, 0.11, 0.99, 4000, "max-t").to_json()},
        "rows": rows,
        "left_out": [_reading("wreck_at") | {"why_not": "so it cannot be"}] if rows else [],
        "elsewhere": [],
    }


def _reading(path: str) -> dict[str, Any]:
    return {
        "path": path,
        "title": path.replace("_", " "),
        "value": "other",
        "label": "the other",
        "now": "one",
        "now_label": "the one",
        "named": False,
        "id": "P-MAN-2",
        "source": "Q",
        "says": "How a sentence of some length says what the rule is about, in the words of the rules.",
        "why": "the other reading",
        "pinned": path == "pig_bonus",
    }


def _axis(name: str, values: Sequence[Any], label: Callable[[Any], str]) -> dict[str, Any]:
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    title = name.rpartition(".")[2].replace("_", " ")
    distinct = list(dict.fromkeys(values))
    return {
        "path": name,
        "title": title,
        "values": [label(v) for v in distinct],
        "numbers": distinct if numbers else None,
    }


def _cell(
    i: int, point: Mapping[str, Any], label: Callable[[Any], str], head: int | None,
    points: Sequence[Mapping[str, Any]], share: Callable[[Mapping[str, Any]], float], n: int, exact: bool,
) -> dict[str, Any]:  # fmt: skip
    p = share(point)
    metrics = {
        "finished": _share(p, n),
        "wounded": _share(1 - p, n),
        "killed": _share(0.0, n),
        "turns_used": Estimate(1 + p, 1 + p - 0.01, 1 + p + 0.01, 0.99, n, "batch-t").to_json(),
    }
    if head is not None:
        q = share(points[head])
        for name, gain, method in (
            ("finished", p - q, "tango"),
            ("wounded", q - p, "tango"),
            ("killed", 0.0, "tango"),
            ("turns_used", p - q, "paired-t"),
        ):
            metrics[f"{name}_minus_baseline"] = Estimate(gain, gain - 0.02, gain + 0.02, 0.99, n, method).to_json()
    fraction = Fraction(p).limit_denominator(100_000)
    solved = {
        "finished": {"fraction": str(fraction), "value": float(fraction)},
        "wounded": {"fraction": str(1 - fraction), "value": float(1 - fraction)},
        "killed": {"fraction": "0", "value": 0.0},
        "turns_used": {"fraction": "infinite", "value": None},
    }
    return {
        "cell": i + 1,
        "factors": dict(point),
        "labels": {name: label(value) for name, value in point.items()},
        "scenario": "down 1, turn 1; obstacle ahead",
        "hash": f"{i:016x}",
        "baseline": None if head is None else head + 1,
        "trials": n,
        "n": n,
        "stopped": "as planned",
        "metrics": metrics,
        "exact": solved if exact else {},
        "solved": {"error": 0.0, "why": "" if exact else WHY},
        "assumed": ["dice"],
    }


def _share(p: float, n: int) -> dict[str, Any]:
    count = round(p * n)
    low, high = stats.clopper_pearson(count, n, 0.99)
    return Estimate(count / n, float(low), float(high), 0.99, n, "clopper-pearson").to_json()


def _row(
    metric: str, kind: str, cell: Mapping[str, Any], compared: bool, target: float | None, within: float | None, n: int
) -> dict[str, Any]:
    single = cell["metrics"][metric + ("_minus_baseline" if compared else "")]
    half = 1.3 * (single["high"] - single["low"]) / 2
    low, high = single["estimate"] - half, single["estimate"] + half
    if kind == "share" and not compared:
        low, high = max(low, 0.0), min(high, 1.0)
    value = Estimate(single["estimate"], low, high, 0.99, n, "max-t")
    line, band = (0.0, within or 0.0) if compared else (target if target is not None else math.nan, within or 0.0)
    word = "undecided"
    if math.isnan(line):
        word = "measured"
    elif low > line + band:
        word = "higher"
    elif high < line - band:
        word = "lower"
    elif band and low >= line - band and high <= line + band:
        word = "fair"
    return {"cell": cell["cell"], "word": word, **value.to_json()}


def _word_of_all(words: Sequence[str]) -> str:
    found = set(words) - {"undecided"}
    if not found:
        return "undecided"
    if len(found) > 1:
        return "depends"
    return {"higher": "raises", "lower": "lowers", "fair": "fair", "measured": "measured"}[found.pop()]


@cache
def shapes() -> Mapping[str, dict[str, Any]]:
    """Return a document of every shape, by name; nobody may change them."""
    odds = {False: "standard odds", True: "altered odds"}
    down, bog = [0, 1, 2, 3], ["ford", "shallow", "deep sand", "swamp"]
    return {
        "one cell": made(),
        "one cell against a target": made(target=0.5, within=0.05),
        "one cell never": made(share=lambda point: 0.0),
        "baseline": made(
            {"course.down": down, "bog": bog, "odds": [False, True]}, baseline={"odds": False}, labels=odds, within=0.01
        ),
        "no baseline": made({"course.down": down, "bog": bog}),
        "target": made({"course.down": down}, target=0.5, within=0.05),
        "two cells": made({"odds": [False, True]}, baseline={"odds": False}, labels=odds),
        "numbers": made({"target": [4, 5, 6, 7, 8]}, baseline={"target": 6}),
        "words": made({"bog": bog}, baseline={"bog": "ford"}),
        "two axes of words": made({"ahead": ["edge", "obstacle", "lancer"], "bog": bog}, target=0.5),
        "two axes of words, compared": made(
            {"ahead": ["edge", "obstacle"], "bog": bog, "odds": [False, True]}, baseline={"odds": False}, labels=odds
        ),
        "three axes": made({"a": [1, 2, 3], "b": ["x", "y"], "c": ["u", "v", "w"]}),
        "count": made(
            {"course.down": down, "odds": [False, True]},
            baseline={"odds": False},
            labels=odds,
            metric="turns_used",
            within=0.1,
        ),
        "not solved": made({"course.down": down}, exact=False),
        "many": made({"a": list(range(12)), "bog": bog, "odds": [False, True]}, baseline={"odds": False}, labels=odds),
        "many measured": made({"a": list(range(30)), "b": list(range(10))}),
        "long line": made({"a": [x / 10 for x in range(120)]}, target=0.5),
        "scattered": made(points=[{"x": i / 7, "y": (i * 5) % 8, "z": "uv"[i % 2]} for i in range(16)]),
        "house rules": made(
            {"house_rules": ["none", "soft-bogs", "soft-bogs + steady-nerves"], "bog": bog},
            baseline={"house_rules": "none"},
            house_rules=[
                {
                    "id": "soft-bogs",
                    "title": "Soft bogs",
                    "why": "Every bog is one easier.",
                    "changes": {"bogs.swamp": -2, "dice": "3d6kh2", "bogs.snow": None},
                    "text": 'for = "pigtickler"\n',
                }
            ],
            changes=[
                {
                    "path": "dice",
                    "value": "3d6kh2",
                    "default": "2d6",
                    "id": "P-MAN-2",
                    "source": "Q",
                    "says": "Dice of a roll.",
                }
            ],
        ),
        "precision": _precision(),
        "other readings": made(
            {"odds": [False, True]},
            baseline={"odds": False},
            labels=odds,
            swings=swung(moves=[("dice", -0.2, "flips"), ("failed_stop", 0.08, "holds"), ("pig_bonus", 0.0, "holds")]),
        ),
    }


def _precision() -> dict[str, Any]:
    document = made({"course.down": [0, 1, 2]}, target=0.5, precision=0.01)
    for cell, n in zip(document["cells"], (10240, 16384, 40000), strict=True):
        cell["trials"] = cell["n"] = n
        cell["stopped"] = "at a look"
        for entry in cell["metrics"].values():
            entry["n"] = n
            entry["method"] = "beta-binomial" if entry["method"] == "clopper-pearson" else "asymptotic"
    for row in document["verdict"]["rows"]:
        row["method"] = "beta-binomial"
    document["verdict"]["family"] = "99 % together, confidence sequences, n = 10,240 to 40,000"
    return document
