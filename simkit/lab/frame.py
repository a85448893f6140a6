"""The cells of a run as a tidy table: one row a cell, for pandas, Parquet and spreadsheets."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins like this would be run as a formula by a spreadsheet."""

AXIS = "axis:"
"""Before the name of an axis that an outcome has too, such as ``first_initiative`` of Juggerball."""

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
    taken = {"cell", "trials", "n", "level", *(name for cell in document["cells"] for name in cell["metrics"])}
    for cell in document["cells"]:
        factors = {f"{AXIS}{axis}" if axis in taken else axis: value for axis, value in cell["factors"].items()}
        row: Row = {"cell": cell["cell"], **factors, "trials": cell["trials"], "n": cell["n"]}
        row["level"] = document["level"]
        for name, value in cell["metrics"].items():
            for column, key in ((name, "estimate"), (f"{name}_low", "low"), (f"{name}_high", "high")):
                row[column] = value[key]
            row[f"{name}_method"] = value["method"]
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
        One row a cell. ``cell`` (from 1), one column for every axis (``axis:<axis>`` where an outcome has the same
        name), ``trials`` (games played), ``n`` (independent
        units), ``level``; for every metric ``<metric>`` with ``<metric>_low``, ``<metric>_high``,
        ``<metric>_method`` and, where the exact solution is known, ``<metric>_exact``.
    """
    import pandas as pd  # a quarter of a second to import: not for writing the files

    return pd.DataFrame(rows(document))


def to_csv(table: Sequence[Row]) -> str:
    """Write rows for a spreadsheet; no text in them can act as a formula."""

    def guarded(value: Any) -> Any:
        return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value

    return _written([{guarded(name): guarded(value) for name, value in row.items()} for row in table])


def _written(table: Sequence[Row]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(table[0])
    writer.writerows(row.values() for row in table)
    return buffer.getvalue()


def to_parquet(table: Sequence[Row]) -> bytes:
    """Write rows as Parquet; a column that mixes kinds of values becomes text.

    The rows go through Arrow's reader of CSV with the type of each column named: to take Python values Arrow would
    import pandas, which takes a quarter of a second.
    """
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet as pq

    types = {name: _arrow_type([row[name] for row in table]) for name in table[0]}
    options = pa.csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=True)
    parsing = pa.csv.ParseOptions(newlines_in_values=True)
    content = pa.py_buffer(_written(table).encode())
    arrow = pa.csv.read_csv(pa.BufferReader(content), parse_options=parsing, convert_options=options)
    buffer = io.BytesIO()
    pq.write_table(arrow, buffer, compression="zstd")
    return buffer.getvalue()


def _arrow_type(values: Sequence[Any]) -> Any:
    """Return the type of a column of Python values."""
    import pyarrow as pa

    kinds = {type(value) for value in values} - {type(None)}
    if kinds == {bool}:
        return pa.bool_()
    if kinds == {int}:
        return pa.int64()
    return pa.float64() if kinds and kinds <= {int, float} else pa.string()
