"""The cells of a run as a tidy table: one row a cell, for pandas, Parquet and spreadsheets."""

import io
from collections.abc import Mapping
from typing import Any

import pandas as pd

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins like this would be run as a formula by a spreadsheet."""


def frame(document: Mapping[str, Any]) -> pd.DataFrame:
    """Return the cells of a document as a table.

    Parameters
    ----------
    document
        What ``report.json`` holds.

    Returns
    -------
    DataFrame
        One row a cell. ``cell`` (from 1), one column for every axis, ``trials`` (games played), ``n`` (independent
        units), ``level``; for every metric ``<metric>`` with ``<metric>_low``, ``<metric>_high``, ``<metric>_method`` and, where
        the exact solution is known, ``<metric>_exact``.
    """
    rows = []
    for cell in document["cells"]:
        row: dict[str, Any] = {"cell": cell["cell"], **cell["factors"], "trials": cell["trials"], "n": cell["n"]}
        row["level"] = document["level"]
        for name, value in cell["metrics"].items():
            for column, key in ((name, "estimate"), (f"{name}_low", "low"), (f"{name}_high", "high")):
                row[column] = None if value is None else value[key]
            row[f"{name}_method"] = None if value is None else value["method"]
            if name in cell["exact"]:
                row[f"{name}_exact"] = cell["exact"][name]["value"]
        rows.append(row)
    return pd.DataFrame(rows)


def to_csv(table: pd.DataFrame) -> str:
    """Write the table for a spreadsheet; no text in it can act as a formula."""

    def guarded(value: Any) -> Any:
        return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value

    safe = table.map(guarded).rename(columns=guarded)
    return safe.to_csv(index=False, lineterminator="\n")


def to_parquet(table: pd.DataFrame) -> bytes:
    """Write the table as Parquet; a column that mixes kinds of values becomes text."""
    plain = table.copy()
    for name in plain.columns:
        if plain[name].map(type).nunique() > 1 and not pd.api.types.is_numeric_dtype(plain[name]):
            plain[name] = plain[name].map(str)
    buffer = io.BytesIO()
    plain.to_parquet(buffer, index=False, compression="zstd")
    return buffer.getvalue()
