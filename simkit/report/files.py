"""Writing a report: the document, its tables, its plots and its page."""

import json
from collections.abc import Mapping
from typing import Any

from simkit.lab import frame
from simkit.lab.store import Store
from simkit.report import page, plots


def write_report(document: Mapping[str, Any], store: Store) -> None:
    """Write report.json, swings.json, cells.csv, cells.parquet, plots/*.svg and report.html of a finished run.

    What other readings of the rules move has a file of its own where any were played.
    """
    store.write("report.json", json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    if document.get("swings", {}).get("rows"):
        about = {key: document[key] for key in ("schema", "name", "run", "metric")}
        store.write("swings.json", json.dumps(about | document["swings"], indent=1, ensure_ascii=False) + "\n")
    table = frame.rows(document)
    store.write("cells.csv", frame.to_csv(table))
    store.write("cells.parquet", frame.to_parquet(table))
    figures = plots.available(document)
    for plot in figures:
        store.write(f"plots/{plot.name}.svg", plot.svg)
    store.write("report.html", page.html(document, figures=figures))
