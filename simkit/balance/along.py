"""Where along an axis of numbers values lie above and below a target: ``below 50 % at 2 and 5, above at 10 to 20``."""

from collections.abc import Mapping, Sequence

from simkit.balance.wording import Row, listed, spoken
from simkit.lab.plan import Plan

LEAST = 3
"""Values an axis needs for its course to be told."""

MOST_COURSES = 12
"""Combinations of the other axes up to which the course of each is told."""

LEAST_RUN = 3
"""Values next to each other that are named by the first and the last of them."""

Runs = tuple[tuple[str, tuple[str, ...]], ...]
"""Words with the values along the axis that have them, in the order in which a word comes first."""


def along(plan: Plan, rows: Sequence[Row], phrases: Mapping[str, str]) -> str:
    """Say at which values of the only axis of numbers the rows have which word, for each combination of the others.

    Parameters
    ----------
    plan
        What was asked.
    rows
        The verdict on single cells.
    phrases
        What every word is called.

    Returns
    -------
    str
        Empty where there is no such axis or more than one, where every row has the same word, or where there are more
        than ``MOST_COURSES`` combinations of the others.
    """
    cells = [plan.cells[row.cell - 1] for row in rows]
    varied = [path for path in cells[0].labels if len({cell.labels[path] for cell in cells}) > 1]
    numbers = [path for path in varied if all(_is_number(cell.factors[path]) for cell in cells)]
    if len(numbers) != 1 or len({cell.labels[numbers[0]] for cell in cells}) < LEAST or len({r.word for r in rows}) < 2:
        return ""
    axis = numbers[0]
    courses: dict[tuple[str, ...], list[tuple[float, str, str]]] = {}
    for row, cell in zip(rows, cells, strict=True):
        rest = tuple(cell.labels[path] for path in varied if path != axis)
        courses.setdefault(rest, []).append((float(cell.factors[axis]), cell.labels[axis], row.word))
    if len(courses) > MOST_COURSES:
        return ""
    others = [path for path in varied if path != axis]
    alike: dict[Runs, list[str]] = {}
    for rest, course in courses.items():
        name = spoken(plan, dict(zip(others, rest, strict=True)), ", ")
        alike.setdefault(_runs(course), []).append(f"for {name}" if name else "")
    told = [f"{listed(names)}{': ' if names[0] else ''}{_told(runs, phrases)}" for runs, names in alike.items()]
    return f"by {plan.title(axis)}: {'; '.join(told)}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _runs(course: Sequence[tuple[float, str, str]]) -> Runs:
    found: dict[str, list[list[str]]] = {}
    last = ""
    for _, label, word in sorted(course):
        runs = found.setdefault(word, [])
        if word == last:
            runs[-1].append(label)
        else:
            runs.append([label])
        last = word
    return tuple((word, tuple(one for run in runs for one in _ends(run))) for word, runs in found.items())


def _ends(run: Sequence[str]) -> Sequence[str]:
    return run if len(run) < LEAST_RUN else [f"{run[0]} to {run[-1]}"]


def _told(runs: Runs, phrases: Mapping[str, str]) -> str:
    if len(runs) == 1:
        return f"{phrases[runs[0][0]]} at each"
    return ", ".join(f"{phrases[word]} at {listed(labels)}" for word, labels in runs)
