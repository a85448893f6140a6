"""What only the game can tell of an experiment's settings: its tables, its outcomes, its policies."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from simkit.lab import words
from simkit.lab.experiment import POLICY
from simkit.lab.house import Origin
from simkit.lab.problems import Problem, did_you_mean

if TYPE_CHECKING:
    from simkit.lab.planner import Planner

FIRST_LOOK = 10_000
"""Units of a cell before the precision of a mean is looked at for the first time."""


def check(planner: "Planner", trials: int) -> None:
    """Note what is wrong with the settings of an experiment, in its file or beside it.

    Parameters
    ----------
    planner
        Whose experiment it is.
    trials
        The most that a cell will play.
    """
    _check_tables(planner)
    _check_metric(planner)
    _check_report(planner)
    _check_trials(planner, trials)
    _check_policies(planner)


def _check_tables(planner: "Planner") -> None:
    game, given = planner.game, planner.experiment.scenario_data
    tables = {name: info for name, info in game.Scenario.model_fields.items() if name != POLICY}
    for table in given:
        if table not in tables:
            planner.complain(
                "typo", f"[{table}] is not for {game.NAME}", (table,), f"its tables are: {', '.join(tables)}"
            )
    for table, info in tables.items():
        if info.is_required() and table not in given:
            planner.scenarios.missing = True
            planner.complain("value", f"[{table}] is missing", (), f"{game.NAME} needs it: simkit new shows one")


def _check_metric(planner: "Planner") -> None:
    names = [metric.name for metric in planner.game.OUTCOMES]
    metric = planner.experiment.report.metric
    if metric is not None and metric not in names:
        close = did_you_mean(metric, names)
        hint = f"did you mean '{close}'? " if close else ""
        planner.complain(
            "value",
            f"{planner.game.NAME} counts nothing called '{metric}'",
            ("report", "metric"),
            f"{hint}it counts: {', '.join(names)}",
            part="value",
        )


def _check_report(planner: "Planner") -> None:
    report = planner.experiment.report
    metric = planner.outcome
    if metric is not None and metric.kind == "share":
        for name, value in (("target", report.target), ("fair_within", report.fair_within)):
            if value is not None and not 0 <= value <= 1:
                said = f"'{name}' in [report] must be from 0 to 1, as '{metric.name}' is a share, found {value:g}"
                hint = f"{value / 100:g} is {value:g} %" if 1 < value <= 100 else None
                planner.complain("value", said, ("report", name), hint, part="value")
    if planner.experiment.compare is not None and report.target is not None:
        said = "target is not used: with [compare] the question is how the cells differ from the baseline"
        planner.complain("meaning", said, ("report", "target"), severity="warning")


def _check_trials(planner: "Planner", trials: int) -> None:
    """Complain of so few trials that nobody could say how sure a mean is."""
    metric, games = planner.outcome, planner.game.GAMES_A_UNIT
    if metric is None or metric.is_binary(games):
        return
    units, precise = -(-trials // games), planner.experiment.run.precision is not None
    if precise and units < FIRST_LOOK:
        what = "a mean" if metric.kind == "count" else f"'{metric.name}'"
        said = f"the precision of {what} can be told after {games * FIRST_LOOK:,} trials; {trials:,} end before that"
        planner.complain("meaning", said, ("run", "max_trials"), "more max_trials, or trials in place of precision")
    elif units < 2:
        what = f"the mean of '{metric.name}'" if metric.kind == "count" else f"'{metric.name}'"
        said = f"one {'trial' if games == 1 else 'pair of games'} cannot tell how sure {what} is"
        planner.complain("meaning", said, ("run", "trials"), f"at least {2 * games}")


def _check_policies(planner: "Planner") -> None:
    known = planner.game.POLICIES
    for origin, value in _policies(planner):
        if isinstance(value, str) and value not in known:
            document, path = origin.document, origin.key_path
            outside = document is planner.settings
            subject = words.place_of(document.data, tuple(str(path[0]).split(".")) if outside else path)
            message = f"{subject} must be {words.one_of(known)}, found {words.found(value)}"
            close = did_you_mean(value, known)
            hint = f"did you mean '{close}'?" if close else None
            planner.gather(Problem("value", message, document.path, document.where(path, "value"), hint))
            if path[:2] == ("sweep", "axes"):
                planner.wrong_axes.add(str(path[2]))


def _policies(planner: "Planner") -> Iterator[tuple[Origin, Any]]:
    """List every policy that is named: for all, for a side, on an axis or outside the file; and where."""
    document, experiment = planner.document, planner.experiment
    yield Origin(document, ("run", POLICY)), experiment.run.policy
    for name, side in (experiment.sides or {}).items():
        if isinstance(side, dict) and POLICY in side:
            yield Origin(document, ("sides", name, POLICY)), side[POLICY]
    for path, value in planner.scenario_overrides.items():
        if _is_policy(path):
            yield Origin(planner.settings, (path,)), value
    for path in filter(_is_policy, planner.scenario_axes):
        axis = experiment.sweep.axes[path]
        for i, value in enumerate(axis if isinstance(axis, list) else []):
            yield Origin(document, ("sweep", "axes", path, i)), value


def _is_policy(path: str) -> bool:
    first, *rest = path.split(".")
    return path == POLICY or (first == "sides" and len(rest) == 2 and rest[1] == POLICY)
