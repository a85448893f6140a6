"""The cells of a run as a tidy table: one row a cell, for pandas, Parquet and spreadsheets."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins like this would be run as a formula by a spreadsheet."""

Row = dict[str, Any]


def rows(document: Mapping[str, Any]) -> list[Row]:
    """Return the cells of a document as rows with the same columns.

    Parameters
    ----------
    document
        What ``report.json`` holds.

    Returns
    -------
    list of dict
        As the columns of :func:`frame`.
    """
    found = []
    for cell in document["cells"]:
        row: Row = {"cell": cell["cell"], **cell["factors"], "trials": cell["trials"], "n": cell["n"]}
        row["level"] = document["level"]
        for name, value in cell["metrics"].items():
            for column, key in ((name, "estimate"), (f"{name}_low", "low"), (f"{name}_high", "high")):
                row[column] = None if value is None else value[key]
            row[f"{name}_method"] = None if value is None else value["method"]
            if name in cell["exact"]:
                row[f"{name}_exact"] = cell["exact"][name]["value"]
        found.append(row)
    columns = dict.fromkeys(name for row in found for name in row)
    return [{name: row.get(name) for name in columns} for row in found]


def frame(document: Mapping[str, Any]) -> "pd.DataFrame":
    """Return the cells of a document as a table.

    Parameters
    ----------
    document
        What ``report.json`` holds.

    Returns
    -------
    DataFrame
        One row a cell. ``cell`` (from 1), one column for every axis, ``trials`` (games played), ``n`` (independent
        units), ``level``; for every metric ``<metric>`` with ``<metric>_low``, ``<metric>_high``,
        ``<metric>_method`` and, where the exact solution is known, ``<metric>_exact``.
    """
    import pandas as pd  # a quarter of a second to import: not for writing the files

    return pd.DataFrame(rows(document))


def to_csv(table: Sequence[Row]) -> str:
    """Write rows for a spreadsheet; no text in them can act as a formula."""

    def guarded(value: Any) -> Any:
        return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value

    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([guarded(name) for name in table[0]])
    writer.writerows([guarded(value) for value in row.values()] for row in table)
    return buffer.getvalue()


def to_parquet(table: Sequence[Row]) -> bytes:
    """Write rows as Parquet; a column that mixes kinds of values becomes text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {}
    for name in table[0]:
        values = [row[name] for row in table]
        kinds = {type(value) for value in values} - {type(None)}
        mixed = len(kinds) > 1 and not kinds <= {int, float}
        columns[name] = pa.array([None if v is None else str(v) for v in values] if mixed else values)
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer, compression="zstd")
    return buffer.getvalue()
