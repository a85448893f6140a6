"""The small files of a results folder: the resolved experiment, the manifest, the log of runs, raw rows."""

import hashlib
import json
import platform
import socket
import sys
import time
from importlib.metadata import PackageNotFoundError, version

import numpy as np
import tomli_w

from simkit.core.key import DICE_VERSION
from simkit.lab import resolve
from simkit.lab.plan import Plan
from simkit.lab.runner import Played
from simkit.lab.store import Store

DISTRIBUTION = "wargame-simkit"
PACKAGES = ("numpy", "numba", "scipy", "pandas", "pyarrow", "matplotlib")
RAW_ROWS = 2**18
"""Units in a row group of raw outcomes."""


def simkit_version() -> str:
    """Return the version of the installed distribution."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"


def write_plan(plan: Plan, store: Store) -> None:
    """Write the resolved experiment and the house rules it rests on."""
    store.write(resolve.FILE, resolve.dumps(resolve.resolved(plan)))
    for loaded in plan.house_rules.values():
        store.write(f"house/{loaded.id}.toml", tomli_w.dumps(resolve.house_rule(loaded)))


def write_manifest(plan: Plan, played: Played, store: Store) -> None:
    """Write what the folder holds, last of all: a folder with a manifest is complete."""
    cells = []
    for cell, result in zip(plan.cells, played.results, strict=True):
        shown = played.first_shown[cell.fingerprint]
        entry = {"cell": cell.number, "fingerprint": cell.fingerprint, "n": result.n, "first_shown": shown}
        cells.append(entry if result.games == 1 else entry | {"trials": result.trials})
    files = {name: hashlib.sha256((store.folder / name).read_bytes()).hexdigest() for name in store.listed()}
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
    """Write every outcome of every game as Parquet, one file a cell, in row groups.

    Of games in pairs ``trial`` is the number of the pair and ``seat`` is 1 for the game with the seats swapped.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    outcomes, games = plan.game.OUTCOMES, plan.game.GAMES_A_UNIT
    places = ["trial"] if games == 1 else ["trial", "seat"]
    kinds = [(metric.name, pa.int64() if metric.scale == 1 else pa.float64()) for metric in outcomes]
    schema = pa.schema([*((name, pa.int64()) for name in places), *kinds])
    state = plan.game.new_state()
    folder = store.folder / "raw"
    folder.mkdir(exist_ok=True)
    for cell, result in zip(plan.cells, played.results, strict=True):
        target = folder / f"cell-{cell.number:06d}.parquet"
        temporary = target.with_name(f".tmp-{target.name}")
        with pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
            for first in range(0, result.n, RAW_ROWS):
                end = min(first + RAW_ROWS, result.n)
                rows = np.zeros(((end - first) * games, len(outcomes)), np.int64)
                plan.game.play_rows(cell.setup, state, plan.key, first, end, rows)
                numbers = divmod(np.arange(first * games, end * games), games)
                values = [
                    column if metric.scale == 1 else column / metric.scale
                    for metric, column in zip(outcomes, rows.T, strict=True)
                ]
                columns = [*numbers[: len(places)], *values]
                writer.write_table(pa.table([pa.array(column) for column in columns], schema=schema))
        temporary.replace(target)
