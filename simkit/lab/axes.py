"""Axes of a sweep: what may vary, and every combination of their values."""

import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from simkit.lab.experiment import MOST_CELLS, Range, Sweep, count_range
from simkit.lab.house import toml_text
from simkit.lab.problems import Problem, Span
from simkit.lab.toml import Document

HOUSE_RULES = "house_rules"
"""The axis whose values are lists of house rules."""

Point = dict[str, Any]
"""One combination: axis to value."""


def shape_problems(sweep: Sweep, document: Document) -> list[Problem]:
    """Return what is wrong with the shape of a sweep; sizes are counted before anything is built."""
    found: list[Problem] = []

    def at(*path: str | int, part: Literal["key", "value"] = "key") -> Span:
        return document.where(("sweep", *path), part)

    sampling = sweep.mode in ("random", "sobol")
    for name, axis in sweep.axes.items():
        if isinstance(axis, Range) and axis.sampled and not sampling:
            found.append(
                Problem(
                    "shape",
                    f"axis '{name}' is an interval to sample, but mode is \"{sweep.mode}\"",
                    document.path,
                    at("axes", name),
                    'mode = "random" or "sobol" samples intervals; {range = [lo, hi, step]} lists values',
                )
            )
    if sampling and sweep.samples is None:
        found.append(
            Problem("shape", f'mode = "{sweep.mode}" needs samples = ...', document.path, at("mode", part="value"))
        )
    if not sampling and sweep.samples is not None:
        found.append(
            Problem(
                "shape",
                f'samples goes with mode = "random" or "sobol", not "{sweep.mode}"',
                document.path,
                at("samples"),
            )
        )
    if not sweep.axes and sampling:
        found.append(Problem("shape", "there is no axis to sample", document.path, at("mode")))
    if found:
        return found
    sizes = {name: size(axis) for name, axis in sweep.axes.items() if not sampling}
    if sweep.mode == "zip" and len(set(sizes.values())) > 1:
        said = ", ".join(f"{name} has {count:,}" for name, count in sizes.items())
        found.append(
            Problem(
                "shape",
                f"zip axes differ in length: {said}",
                document.path,
                at("mode", part="value"),
                f'mode = "grid" tries all {math.prod(sizes.values()):,} combinations',
            )
        )
    elif sweep.mode == "grid" and math.prod(sizes.values()) > MOST_CELLS:
        found.append(
            Problem(
                "limit",
                f"this sweep has {math.prod(sizes.values()):,} cells, at most {MOST_CELLS:,} are allowed",
                document.path,
                at("axes"),
                'fewer values, or mode = "sobol" with samples = 256',
            )
        )
    return found or list(_repeated(sweep, document))


def _repeated(sweep: Sweep, document: Document) -> Iterator[Problem]:
    """Return the first value of an axis that stands there twice, or with zip the first combination.

    The values of a range all differ, and so do combinations with one of them.
    """
    lists = {name: axis for name, axis in sweep.axes.items() if not isinstance(axis, Range)}
    found: list[tuple[str, int | None, str]] = []
    if sweep.mode != "zip":
        for name, axis in lists.items():
            again = _first_again(map(_by_id, axis) if name == HOUSE_RULES else axis)
            found.append((name, again, f"axis '{name}' has {toml_text(axis[again or 0])} twice"))
    elif len(lists) == len(sweep.axes):
        rows = [list(row) for row in zip(*lists.values(), strict=True)]
        again = _first_again(rows)
        found += [(name, again, f"zip gives the combination {toml_text(rows[again or 0])} twice") for name in lists][:1]
    for name, again, said in found:
        if again is not None:
            place = document.where(("sweep", "axes", name, again), "value")
            help = "its cells would be the same: leave one of them out"
            yield Problem("shape", said, document.path, place, help)


def _by_id(value: Any) -> Any:
    """Name house rules by their ids, where it is house rules that an axis has."""
    return [Path(one).stem if isinstance(one, str) else one for one in value] if isinstance(value, list) else value


def _first_again(values: Iterable[Any]) -> int | None:
    """Return the place of the first value that was there before, or None; 1, 1.0 and true are three values."""
    seen = set()
    for i, value in enumerate(values):
        mark = json.dumps(value, sort_keys=True)
        if mark in seen:
            return i
        seen.add(mark)
    return None


def size(axis: Range | Sequence[Any]) -> int:
    """Count the values of an axis."""
    return count_range(*[*(axis.range or []), 1][:3]) if isinstance(axis, Range) else len(axis)


def points(sweep: Sweep, seed: int) -> Iterator[Point]:
    """List every combination that a sweep plays, the last axis fastest; a sweep without axes is one point.

    Parameters
    ----------
    sweep
        Of a shape without problems.
    seed
        Seed of a random or sobol sweep. The first points of a longer sobol sweep are those of a shorter one.
    """
    names = list(sweep.axes)
    if sweep.mode in ("random", "sobol"):
        for row in _unit_rows(sweep, seed, len(names)):
            yield {name: _at(sweep.axes[name], float(u)) for name, u in zip(names, row, strict=True)}
        return
    lists = [axis.values() if isinstance(axis, Range) else axis for axis in sweep.axes.values()]
    combine = zip(*lists, strict=True) if sweep.mode == "zip" and lists else itertools.product(*lists)
    for values in combine:
        yield dict(zip(names, values, strict=True))


def _unit_rows(sweep: Sweep, seed: int, dimensions: int) -> Any:
    samples = sweep.samples or 0
    if sweep.mode == "random":
        return np.random.default_rng(seed).random((samples, dimensions))
    from scipy.stats import qmc  # half a second to import: only for a sobol sweep

    engine = qmc.Sobol(dimensions, rng=np.random.default_rng(seed))
    return engine.random_base2(max(samples - 1, 0).bit_length())[:samples]


def _at(axis: Range | Sequence[Any], u: float) -> Any:
    """Return the value of an axis at a place between 0 and 1."""
    if isinstance(axis, Range) and axis.sampled:
        low, high = axis.min or 0, axis.max or 0
        if axis.dist == "log":
            return low * (high / low) ** u
        if axis.dist == "int":
            return min(math.floor(low + u * (high - low + 1)), int(high))
        return low + u * (high - low)
    values = axis.values() if isinstance(axis, Range) else axis
    return values[min(int(u * len(values)), len(values) - 1)]


def value_place(document: Document, sweep: Sweep, name: str, value: Any) -> tuple[str | int, ...]:
    """Find where the value of an axis stands in the file: what an error points at."""
    axis: Range | Sequence[Any] | None = sweep.axes.get(name)
    if isinstance(axis, list) and value in axis:
        return ("sweep", "axes", name, axis.index(value))
    return ("sweep", "axes", name)


def varied(points: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """List the different values of every axis, in the order of their first use."""
    found: dict[str, list[Any]] = {}
    for point in points:
        for name, value in point.items():
            seen = found.setdefault(name, [])
            if value not in seen:
                seen.append(value)
    return found
