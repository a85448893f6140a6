"""The small files of a results folder: the resolved experiment, the manifest, the log of runs, raw rows."""

import hashlib
import json
import platform
import socket
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from simkit.core.rng import DICE_VERSION
from simkit.lab.plan import Plan
from simkit.lab.runner import Played
from simkit.lab.store import Store

DISTRIBUTION = "wargame-simkit"
PACKAGES = ("numpy", "numba", "scipy", "pandas", "pyarrow", "matplotlib")
RAW_ROWS = 2**18
"""Trials in a row group of raw outcomes."""


def simkit_version() -> str:
    """Return the version of the installed distribution."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"


def resolved(plan: Plan, overrides: dict[str, Any]) -> dict[str, Any]:
    """Return the experiment with everything spelt out that was given elsewhere or left to defaults.

    It stands alone beside the house rules it names, and planning it gives the same plan.
    """
    experiment = plan.experiment
    data: dict[str, Any] = {
        key: plan.document.data[key] for key in plan.document.data if key in ("sweep", "compare", "designs", "scenario")
    }
    scenario = {name: value for name, value in overrides.items() if name.split(".")[0] in plan.game.Scenario.model_fields}
    data |= plan.game.vary(experiment.scenario_data, scenario)
    rules = {path: value for path, value in overrides.items() if path not in scenario}
    run: dict[str, Any] = {"level": experiment.run.level, "policy": experiment.run.policy}
    if experiment.run.precision is None:
        run["trials"] = plan.trials
    else:
        run |= {"precision": experiment.run.precision, "max_trials": plan.trials}
    report = {"metric": plan.metric} | experiment.report.model_dump(exclude_none=True)
    head: dict[str, Any] = {
        "schema": 1,
        "name": experiment.name,
        "question": experiment.question,
        "game": experiment.game,
        "seed": experiment.seed,
        "house_rules": [Path(reference).stem for reference in experiment.house_rules],
        "run": run,
    }
    changed = dict(plan.document.data.get("set", {})) | rules
    if changed:
        head["set"] = changed
    axes = data.get("sweep", {}).get("axes", {}).get("house_rules")
    if axes is not None:
        named = [[Path(reference).stem for reference in references] for references in axes]
        data["sweep"] = data["sweep"] | {"axes": data["sweep"]["axes"] | {"house_rules": named}}
    return head | data | {"report": report}


def write_plan(plan: Plan, store: Store, overrides: dict[str, Any]) -> None:
    """Write the resolved experiment and the house rules it rests on."""
    store.write("experiment.resolved.toml", tomli_w.dumps(resolved(plan, overrides)))
    for loaded in plan.house_rules.values():
        store.write(f"house/{loaded.id}.toml", loaded.document.text)


def write_manifest(plan: Plan, played: Played, store: Store) -> None:
    """Write what the folder holds, last of all: a folder with a manifest is complete."""
    cells = []
    for cell, result in zip(plan.cells, played.results, strict=True):
        shown = min(result.n, played.first_shown.get(cell.fingerprint, result.n))
        cells.append({"cell": cell.number, "fingerprint": cell.fingerprint, "n": result.n, "first_shown": shown})
    files = {
        path.relative_to(store.folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(store.folder.rglob("*"))
        if path.is_file() and path.name not in ("runs.jsonl", "manifest.json", ".lock")
    }
    manifest = {
        "schema": 1,
        "name": plan.experiment.name,
        "run": plan.fingerprint,
        "question": plan.experiment.question,
        "game": plan.game.NAME,
        "edition": plan.game.EDITION,
        "version": {"game": plan.game.VERSION.number, "dice": DICE_VERSION},
        "seed": plan.experiment.seed,
        "replication": plan.replication,
        "trials": plan.trials,
        "cells": cells,
        "files": files,
    }
    store.write("manifest.json", json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")


def log_run(plan: Plan, played: Played, store: Store) -> None:
    """Add who ran what, when and on what to the log of runs."""
    versions = {"simkit": simkit_version(), "python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    line = {
        "when": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "argv": sys.argv[1:],
        "host": socket.gethostname(),
        "jobs": played.threads,
        "seconds": round(played.seconds, 3),
        "played": played.played,
        "kept": played.kept,
        "damaged": played.damaged,
        "versions": versions,
    }
    store.append_run(json.dumps(line))


def write_raw(plan: Plan, played: Played, store: Store) -> None:
    """Write every outcome of every trial as Parquet, one file a cell, in row groups."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = [metric.name for metric in plan.game.OUTCOMES]
    schema = pa.schema([("trial", pa.int64()), *((name, pa.int64()) for name in names)])
    state = plan.game.new_state()
    folder = store.folder / "raw"
    folder.mkdir(exist_ok=True)
    for cell, result in zip(plan.cells, played.results, strict=True):
        target = folder / f"cell-{cell.number:06d}.parquet"
        temporary = target.with_name(f".tmp-{target.name}")
        with pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
            for first in range(0, result.n, RAW_ROWS):
                end = min(first + RAW_ROWS, result.n)
                rows = np.zeros((end - first, len(names)), np.int64)
                plan.game.play_rows(cell.setup, state, plan.key, first, end, rows)
                columns = [np.arange(first, end), *rows.T]
                writer.write_table(pa.table([pa.array(column) for column in columns], schema=schema))
        temporary.replace(target)
