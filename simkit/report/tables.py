"""The tables and lists of a report, every number in it already printed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simkit.games.protocol import SOURCES
from simkit.lab.estimates import SUFFIX
from simkit.report.facets import several
from simkit.report.style import MARKS
from simkit.report.words import (
    METHODS,
    WORDS,
    Document,
    baseline,
    compared,
    exact_value,
    further_trials,
    is_bare,
    judged_unit,
    label,
    number,
    percent,
    place,
    setting,
    spread,
    target,
    unit,
    value_and_interval,
)

MOST_CELLS = 200
"""Rows of the table of cells; a longer sweep shows those of the most extreme judged values."""

MOST_FURTHER = 100
"""Cells up to which every other metric has its own table."""

FITS = 0.001
"""Below this corrected tail probability the page says that simulation and exact solution do not fit."""

Row = dict[str, Any]


def shown_cells(document: Document, most: int = MOST_CELLS) -> list[Mapping[str, Any]]:
    """Return the cells that a table shows, in their order: all, or those of the most extreme judged values."""
    cells: list[Mapping[str, Any]] = list(document["cells"])
    if len(cells) <= most:
        return cells
    line = target(document)
    rows = document["verdict"]["rows"]
    middle = sum(row["estimate"] for row in rows) / len(rows) if line is None else line
    ranked = sorted(rows, key=lambda row: abs(row["estimate"] - middle), reverse=True)[:most]
    wanted = {row["cell"] for row in ranked}
    return [cell for cell in cells if cell["cell"] in wanted]


def cells(document: Document, most: int = MOST_CELLS) -> dict[str, Any]:
    """Return the table of cells.

    Returns
    -------
    dict
        ``axes`` (titles), ``metric``, ``judged`` (title of the column of judged values, empty where it repeats),
        ``verdicts``, ``solved``, ``played`` (whether trials differ), ``rows`` and ``left_out``.
    """
    axes = several(document)
    judged = {row["cell"]: row for row in document["verdict"]["rows"]}
    chosen = shown_cells(document, most)
    metric = document["metric"]
    twice = not compared(document) and len(judged) == 1
    rows = []
    first = None
    for cell in chosen:
        value, interval = value_and_interval(cell["metrics"][metric], unit(document, metric))
        exact, fraction = exact_value(cell["exact"].get(metric), unit(document, metric))
        row = judged.get(cell["cell"])
        beside = (
            ("", "") if row is None else value_and_interval(row, judged_unit(document), difference=compared(document))
        )
        head = cell["labels"][axes[0]["path"]] if len(axes) > 1 else None
        rows.append(
            {
                "cell": cell["cell"],
                "labels": [
                    {"text": text, "bare": is_bare(text)} for text in (label(cell, axis["path"]) for axis in axes)
                ],
                "trials": f"{cell['trials']:,}",
                "value": value,
                "interval": interval,
                "exact": exact,
                "fraction": fraction,
                "judged": beside[0],
                "judged_interval": beside[1],
                "word": None if row is None else WORDS[row["word"]],
                "mark": None if row is None else MARKS[row["word"]],
                "opens": head != first and first is not None,
            }
        )
        first = head
    title = f"difference from {baseline(document)}" if compared(document) else "all together"
    return {
        "axes": [axis["title"] for axis in axes],
        "metric": metric,
        "judged": "" if twice else title,
        "verdicts": any(row["word"] != "measured" for row in document["verdict"]["rows"]),
        "solved": any(row["exact"] for row in rows),
        "played": len({cell["trials"] for cell in document["cells"]}) > 1,
        "rows": rows,
        "left_out": len(document["cells"]) - len(chosen),
    }


def further(document: Document) -> list[Row]:
    """Return a table for every other metric that was ever seen; none for a sweep of very many cells."""
    if len(document["cells"]) > MOST_FURTHER:
        return []
    return [
        {
            "name": metric["name"],
            "says": metric["says"],
            "unit": metric["unit"],
            "compared": compared(document),
            "solved": any(cell["exact"].get(metric["name"]) for cell in document["cells"]),
            "rows": list(_further_rows(document, metric["name"])),
        }
        for metric in document["metrics"]
        if metric["name"] != document["metric"]
        and metric["name"] not in silent(document)
        and not _unseen(document, metric["name"])
    ]


def _further_rows(document: Document, name: str) -> Iterator[Row]:
    paths = [axis["path"] for axis in several(document)]
    for cell in document["cells"]:
        value, interval = value_and_interval(cell["metrics"][name], unit(document, name))
        exact, fraction = exact_value(cell["exact"].get(name), unit(document, name))
        difference = ("", "")
        if cell["baseline"] is not None:
            other = name + SUFFIX
            difference = value_and_interval(cell["metrics"].get(other), unit(document, other), difference=True)
        yield {
            "cell": cell["cell"],
            "place": place(document, cell, paths),
            "value": value,
            "interval": interval,
            "exact": exact,
            "fraction": fraction,
            "difference": difference[0],
            "difference_interval": difference[1],
        }


def never_seen(document: Document) -> list[Row]:
    """List the other metrics that no trial of any cell showed, with the weakest bound over the cells."""
    found = []
    for metric in document["metrics"]:
        name = metric["name"]
        if name != document["metric"] and _unseen(document, name):
            entries = [cell["metrics"][name] for cell in document["cells"]]
            widest = max(entries, key=lambda entry: (entry["high"], -entry["n"]))
            value, _ = value_and_interval(widest, unit(document, name))
            found.append({"name": name, "says": metric["says"], "bound": value})
    return found


def silent(document: Document) -> list[str]:
    """List the other metrics of which no cell can say anything yet: all trials were alike, or too few differ."""
    return [
        metric["name"]
        for metric in document["metrics"]
        if metric["name"] != document["metric"]
        and all(cell["metrics"][metric["name"]] is None for cell in document["cells"])
    ]


def _unseen(document: Document, name: str) -> bool:
    entries = [cell["metrics"][name] for cell in document["cells"]]
    return all(entry is not None and entry["estimate"] == 0 for entry in entries)


def facts(document: Document) -> list[tuple[str, str]]:
    """Return what a reader wants to know first about how the answer was found."""
    found = [
        ("cells", f"{len(document['cells']):,}"),
        ("trials a cell", spread([cell["trials"] for cell in document["cells"]])),
        ("confidence", percent(document["level"])),
    ]
    if compared(document):
        found.insert(0, ("comparisons", f"{len(document['verdict']['rows']):,}"))
    if document["fair_within"]:
        kind = "count" if judged_unit(document) == "count" else "points"
        found.append(("fair within", number(document["fair_within"], "count" if kind == "count" else "points")))
    if document["check"] is not None:
        found.append(("exact solution", "fits" if fits_exact(document) else "does not fit"))
    if document["pairing"] is not None:
        found.append(("common dice are worth", f"{document['pairing']['variance_ratio']:.2g} times"))
    return found


def fits_exact(document: Document) -> bool:
    """Tell whether the simulation fits the exact solution, as far as luck reaches."""
    return float(document["check"]["corrected"]) >= FITS


def rules(document: Document) -> dict[str, list[Row]]:
    """Return the rules in force: those changed in every cell, those the sweep varies, and all."""
    changed = {row["path"] for row in document["changes"]}
    everything = []
    for row in document["rules"]:
        values = [setting(value) for value in row["values"]]
        everything.append(
            {
                **row,
                "values": values,
                "default": setting(row["default"]),
                "source": SOURCES[row["source"]],
                "state": "varied" if len(values) > 1 else ("changed" if row["path"] in changed else ""),
            }
        )
    return {
        "changed": [row for row in everything if row["state"] == "changed"],
        "varied": [row for row in everything if row["state"] == "varied"],
        "all": everything,
    }


def house_rules(document: Document) -> list[Row]:
    """Return the house rules with what each changes."""
    record = {row["path"]: row["default"] for row in document["rules"]}
    found = []
    for rule in document["house_rules"]:
        changes = [
            {"path": path, "was": setting(record.get(path)), "now": "taken out" if now is None else setting(now)}
            for path, now in rule["changes"].items()
        ]
        found.append({**rule, "changes": changes})
    return found


def assumptions(document: Document) -> list[Row]:
    """Return every ruling and assumption, its value and source in words."""
    return [
        {**row, "value": setting(row["value"]), "source": SOURCES[row["source"]]} for row in document["assumptions"]
    ]


def replays(document: Document) -> list[Row]:
    """Return the trials worth replaying, their lines gathered by turn."""
    by_number = {cell["cell"]: cell for cell in document["cells"]}
    found = []
    for replay in document["replays"]:
        turns: list[Row] = []
        for line in replay["lines"]:
            if line["kind"] == "turn" or not turns:
                turns.append({"title": line["text"] if line["kind"] == "turn" else "", "lines": []})
            if line["kind"] != "turn":
                turns[-1]["lines"].append(line)
        found.append({**replay, "turns": turns, "scenario": by_number[replay["cell"]]["scenario"]})
    return found


def methods(document: Document) -> list[tuple[str, str]]:
    """Return the kinds of interval that the report uses, in plain words."""
    used = {row["method"] for row in document["verdict"]["rows"]}
    for cell in document["cells"]:
        used |= {entry["method"] for entry in cell["metrics"].values() if entry is not None}
        if cell["exact"]:
            used.add("exact")
    return [(name, words) for name, words in METHODS.items() if name in used]


def unresolved(document: Document, most: int = MOST_CELLS) -> list[Row]:
    """Return what is not resolved, with roughly how many more trials it would take."""
    rows = [row for row in document["verdict"]["rows"] if row["word"] == "undecided"]
    by_number = {cell["cell"]: cell for cell in document["cells"]}
    paths = _telling(document)
    found = []
    for row in rows[:most]:
        cell = by_number[row["cell"]]
        value, interval = value_and_interval(row, judged_unit(document), difference=compared(document))
        found.append(
            {
                "cell": row["cell"],
                "place": place(document, cell, paths),
                "value": value,
                "interval": interval,
                "further": further_trials(document, row, cell),
            }
        )
    return found


def _telling(document: Document) -> Sequence[str]:
    """Return the axes that tell the judged cells apart."""
    judged = {row["cell"] for row in document["verdict"]["rows"]}
    cells = [cell for cell in document["cells"] if cell["cell"] in judged]
    return [axis["path"] for axis in several(document) if len({cell["labels"][axis["path"]] for cell in cells}) > 1]


def provenance(document: Document) -> list[tuple[str, str]]:
    """Return where every number comes from."""
    version = document["version"]
    return [
        ("game", f"{document['title']} ({document['game']}), {document['edition']}"),
        ("version of the game's behaviour", str(version["game"])),
        ("version of the dice", str(version["dice"])),
        ("seed", str(document["seed"])),
        ("replication", str(document["replication"])),
        ("experiment", document["name"]),
        ("run", document["run"]),
        ("confidence level", percent(document["level"])),
        ("trials a cell", spread([cell["trials"] for cell in document["cells"]])),
        ("units a cell (what has its own dice)", spread([cell["n"] for cell in document["cells"]])),
    ]
