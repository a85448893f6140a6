"""The tables and lists of a report, every number in it already printed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simkit.games.protocol import SOURCES
from simkit.lab.estimates import SUFFIX
from simkit.report.facets import several
from simkit.report.story import SAVES, chosen_cell, commonness, fits_exact
from simkit.report.style import MARKS
from simkit.report.swings import covered
from simkit.report.verdicts import band, said, shade
from simkit.report.words import (
    METHODS,
    PAIRS,
    Document,
    baseline,
    compared,
    exact_difference,
    exact_value,
    further_trials,
    is_bare,
    judged_unit,
    label,
    percent,
    place,
    setting,
    spelt,
    spread,
    target,
    unit,
    units_of,
    value_and_interval,
)

MOST_CELLS = 200
"""Rows of the table of cells; a longer sweep shows those of the most extreme judged values."""

MOST_FURTHER = 100
"""Cells up to which every other metric has its own table."""

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
        ``verdicts``, ``solved``, ``gained`` (whether exact differences are known), ``played`` (whether trials differ),
        ``rows`` and ``left_out``.
    """
    axes = several(document)
    by_number = {cell["cell"]: cell for cell in document["cells"]}
    judged = {row["cell"]: row for row in document["verdict"]["rows"]}
    chosen = shown_cells(document, most)
    metric = document["metric"]
    twice = not compared(document) and len(judged) == 1
    rows = []
    first = None
    for cell in chosen:
        units = units_of(cell)
        value, interval = value_and_interval(cell["metrics"][metric], unit(document, metric), units=units)
        exact, fraction = exact_value(cell["exact"].get(metric), unit(document, metric))
        row = judged.get(cell["cell"])
        beside = ("", "")
        if row is not None:
            beside = value_and_interval(row, judged_unit(document), difference=compared(document), units=units)
        word = None if row is None else shade(document, row)
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
                "gain": exact_difference(cell, by_number.get(cell["baseline"]), metric, judged_unit(document)),
                "word": None if word is None else said(document, word),
                "mark": None if word is None else MARKS[word],
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
        "gained": any(row["gain"] for row in rows),
        "played": len({cell["trials"] for cell in document["cells"]}) > 1,
        "rows": rows,
        "left_out": len(document["cells"]) - len(chosen),
    }


def further(document: Document) -> list[Row]:
    """Return a table for every other metric that was ever seen; none for a sweep of very many cells."""
    if len(document["cells"]) > MOST_FURTHER:
        return []
    found = []
    for metric in document["metrics"]:
        name = metric["name"]
        if name == document["metric"] or _unseen(document, name):
            continue
        rows = list(_further_rows(document, name))
        found.append(
            {
                "name": name,
                "says": metric["says"],
                "unit": metric["unit"],
                "compared": compared(document),
                "solved": any(row["exact"] for row in rows),
                "gained": any(row["gain"] for row in rows),
                "rows": rows,
            }
        )
    return found


def _further_rows(document: Document, name: str) -> Iterator[Row]:
    paths = [axis["path"] for axis in several(document)]
    by_number = {cell["cell"]: cell for cell in document["cells"]}
    other = name + SUFFIX
    for cell in document["cells"]:
        units = units_of(cell)
        value, interval = value_and_interval(cell["metrics"][name], unit(document, name), units=units)
        exact, fraction = exact_value(cell["exact"].get(name), unit(document, name))
        difference = ("", "")
        if cell["baseline"] is not None:
            entry = cell["metrics"][other]
            difference = value_and_interval(entry, unit(document, other), difference=True, units=units)
        yield {
            "cell": cell["cell"],
            "place": place(document, cell, paths),
            "value": value,
            "interval": interval,
            "exact": exact,
            "fraction": fraction,
            "difference": difference[0],
            "difference_interval": difference[1],
            "gain": exact_difference(cell, by_number.get(cell["baseline"]), name, unit(document, other)),
        }


def never_seen(document: Document) -> list[Row]:
    """List the other metrics that no trial of any cell showed, with the weakest bound over the cells."""
    found = []
    for metric in document["metrics"]:
        name = metric["name"]
        if name != document["metric"] and _unseen(document, name):
            entries = [cell["metrics"][name] for cell in document["cells"]]
            widest = max(entries, key=lambda entry: (entry["high"], -entry["n"]))
            units = units_of(document["cells"][0])
            value, interval = value_and_interval(widest, unit(document, name), units=units)
            scope = "in every cell" if interval else "of any cell"
            found.append({"name": name, "says": metric["says"], "bound": f"{value} {scope}"})
    return found


def _unseen(document: Document, name: str) -> bool:
    entries = [cell["metrics"][name] for cell in document["cells"]]
    return all(entry["estimate"] == entry["low"] == 0 for entry in entries)


def facts(document: Document) -> list[tuple[str, str]]:
    """Return what a reader wants to know first about how the answer was found."""
    found = []
    if compared(document):
        judged = len(document["verdict"]["rows"])
        found.append((f"comparison{'s' * (judged > 1)}", f"{judged:,} among {len(document['cells']):,} cells"))
    elif len(document["cells"]) > 1:
        found.append(("cells", f"{len(document['cells']):,}"))
    each = " a cell" if len(document["cells"]) > 1 else ""
    found.append((f"trials{each}", spread([cell["trials"] for cell in document["cells"]])))
    found.append(("confidence", percent(document["level"])))
    if document["fair_within"]:
        found.append(("fair within", band(document)))
    if document["check"] is not None:
        found.append(("checked against the exact solution", "agrees" if fits_exact(document) else "does not agree"))
    if document["pairing"] is not None and document["pairing"]["variance_ratio"] >= SAVES:
        found.append(("shared dice are worth", f"{document['pairing']['variance_ratio']:.2g} times the trials"))
    return found


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
    """Return every ruling and assumption that has no line among other readings, its value and source in words."""
    told = covered(document)
    return [
        {**row, "lead": _lead(row["value"]), "tail": _lowered(row["says"]), "value": setting(row["value"]),
         "source": SOURCES[row["source"]]}
        for row in document["assumptions"]
        if row["path"] not in told
    ]  # fmt: skip


def _lead(value: Any) -> str:
    """Return the word with which an assumption begins: whether it is on, or which value it has."""
    if isinstance(value, bool):
        return "On" if value else "Off"
    return "Varies" if value == "varies" else setting(value).replace("_", " ")


def _lowered(text: str) -> str:
    """Begin a sentence with a small letter, so that it can follow a colon; a name of capitals keeps them."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


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
        cell = by_number[replay["cell"]]
        found.append(
            {
                **replay,
                "why": commonness(document, replay["why"]),
                "chosen": chosen_cell(document, cell),
                "turns": turns,
                "scenario": cell["scenario"],
            }
        )
    return found


def methods(document: Document) -> list[tuple[str, str]]:
    """Return the kinds of interval that the report uses, in plain words."""
    used = {row["method"] for row in document["verdict"]["rows"]}
    for cell in document["cells"]:
        used |= {entry["method"] for entry in cell["metrics"].values()}
        if cell["exact"]:
            used.add("exact")
    paired = units_of(document["cells"][0]) == PAIRS
    found = [(name, words) for name, words in METHODS.items() if name in used]
    return [(name, words.replace("trials", PAIRS)) for name, words in found] if paired else found


def unresolved(document: Document, most: int = MOST_CELLS) -> list[Row]:
    """Return what is not resolved, with roughly how many more trials it would take."""
    rows = [row for row in document["verdict"]["rows"] if row["word"] == "undecided"]
    by_number = {cell["cell"]: cell for cell in document["cells"]}
    paths = _telling(document)
    found = []
    for row in rows[:most]:
        cell = by_number[row["cell"]]
        kind, word = judged_unit(document), shade(document, row)
        value, interval = value_and_interval(row, kind, difference=compared(document), units=units_of(cell))
        found.append(
            {
                "cell": row["cell"],
                "place": place(document, cell, paths),
                "said": spelt(value, interval),
                "leans": "" if word == "undecided" else said(document, word),
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
    version, cells = document["version"], document["cells"]
    found = [
        ("game", f"{document['title']} ({document['game']}), {document['edition']}"),
        ("version of the game's behaviour", str(version["game"])),
        ("version of the dice", str(version["dice"])),
        ("seed", str(document["seed"])),
        ("replication", str(document["replication"])),
        ("experiment", document["name"]),
        ("run", document["run"]),
        ("confidence level", percent(document["level"])),
        ("trials a cell", spread([cell["trials"] for cell in cells])),
    ]
    if units_of(cells[0]) == PAIRS:
        found.append(("pairs a cell (the second game on the dice of the first)", spread([cell["n"] for cell in cells])))
    return found
