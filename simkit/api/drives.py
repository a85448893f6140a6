"""What drives an answer, and rule sets side by side, from Python."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.api.runs import Source, _planned
from simkit.api.studies import Findings, conducted

if TYPE_CHECKING:
    from simkit.lab.plan import Plan
    from simkit.lab.rulesets import Field
    from simkit.lab.runner import Progress

MOST_TRIALS = 10**10
"""Most trials of a cell under a rule set."""


def sensitivity(
    source: "Source | Plan",
    *,
    cell: int | str | None = None,
    trials: int | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    out: str | Path = "results",
    progress: "Progress | None" = None,
) -> Findings:
    """Say what drives the answer of an experiment, and which rulings would flip its verdict.

    Parameters
    ----------
    source
        A TOML file, the same tables as a dictionary or an Experiment, or a plan. Its table ``[sensitivity]`` names
        factors, house rules and ranges; without one the readings that weigh most are combined.
    cell
        The cell that is examined: its row, or ``"axis=value,axis=value"``; a typical one when left out.
    trials
        Trials of every combination; as many as take about a minute when left out.
    set, seed
        Values by dotted path, and the seed, in place of the file's.
    jobs
        Threads; they change no number.
    out
        Folder of all results.
    progress
        Hears how it goes.

    Returns
    -------
    Findings
        Its document has ``swings``, ``factorial`` and ``sobol``.

    Raises
    ------
    ProblemError
        The file is wrong, or the folder cannot be written.
    simkit.lab.runner.Interrupted
        Ctrl-C; what was played is kept and the same call goes on.

    Examples
    --------
    >>> simkit.sensitivity("experiments/altered_odds.toml").verdict["word"]  # doctest: +SKIP
    'holds'
    """
    from simkit.balance.drives.sensitivity import driven, expected
    from simkit.lab.drivers import drivers, with_choice
    from simkit.report.sensitivity import sheet

    made = with_choice(_planned(source, overrides=set, seed=seed), cell=cell, trials=trials)
    asked = drivers(made)
    return conducted(
        "sensitivity",
        asked.plan,
        asked.settings,
        lambda study: driven(asked, study),
        sheet,
        trials=expected(asked),
        jobs=jobs,
        out=out,
        progress=progress,
    )


def compare(
    *rules: str | Path,
    on: str | Path | Mapping[str, Any] | None = None,
    within: float | None = None,
    trials: int | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    out: str | Path = "results",
    progress: "Progress | None" = None,
) -> Findings:
    """Put rule sets side by side on every measure, paired on the same dice.

    Parameters
    ----------
    rules
        House rules by file or id, ``"none"`` for the rules of record, ``"a+b"`` for several that hold together. The
        others are compared with the first.
    on
        The experiment on whose cells they are played: its file or its tables; a fitting shipped one when left out. Its
        own house rules are left aside.
    within
        A share that moves by less does not matter; what the experiment calls fair, or two points, when left out.
    trials
        Trials of every cell; those of the experiment, or as many as take a minute or so, when left out.
    set, seed, jobs, out, progress
        As in :func:`sensitivity`.

    Returns
    -------
    Findings
        Its document has ``measures``, ``cells``, ``gains`` and ``judged``.

    Raises
    ------
    ProblemError
        A house rule or the experiment is wrong, or nothing differs between the rule sets there.
    ValueError
        Fewer than two rule sets, or `within` or `trials` is out of range.

    Examples
    --------
    >>> simkit.compare("none", "soft-bogs").answer  # doctest: +SKIP
    "Under 'Soft bogs' instead of the rules of record, ..."
    """
    if len(rules) < 2:
        raise ValueError(f"there are {len(rules)} rule sets; allowed are two or more")
    field = field_for([str(one) for one in rules], on=on, set=set, seed=seed)
    return compared_on(field, within=within, trials=trials, jobs=jobs, out=out, progress=progress)


def house(
    rule: str | Path,
    *,
    on: str | Path | Mapping[str, Any] | None = None,
    within: float | None = None,
    trials: int | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    out: str | Path = "results",
    progress: "Progress | None" = None,
) -> Findings:
    """Report on one house rule: what changes, who gains, whether it is fairer, what else moves, which number is right.

    Parameters
    ----------
    rule
        A house rule by file or id; it is compared with the rules of record.
    on, within, trials, set, seed, jobs, out, progress
        As in :func:`compare`.

    Returns
    -------
    Findings
        As of :func:`compare`, with ``ladders``: its numbers at other values.
    """
    field = field_for(["record", str(rule)], on=on, set=set, seed=seed)
    return compared_on(field, report=True, within=within, trials=trials, jobs=jobs, out=out, progress=progress)


def field_for(
    rules: Sequence[str],
    *,
    on: str | Path | Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
) -> "Field":
    """Read rule sets and lay them over the cells of an experiment.

    Parameters
    ----------
    rules, on, set, seed
        As in :func:`compare`.
    """
    from dataclasses import replace

    from simkit.lab import plan as planning
    from simkit.lab import resolve, toml
    from simkit.lab.plainly import plainly
    from simkit.lab.rulesets import check_moving, field_of, fitting, game_of, laid, read

    if isinstance(on, Mapping):
        document = toml.parse(resolve.dumps(plainly(on)), "experiment")
    elif on is not None:
        document = toml.read(Path(on))
    else:
        document = None
    game = str(document.data.get("game", "")) if document is not None else game_of(rules)
    sets = read(rules, game or None)
    if document is None:
        document = toml.read(fitting(sets, game))
    plan = planning.make(field_of(document), seed=seed, overrides=set)
    known = {loaded.id: loaded for one in sets for loaded in one.loaded}
    found = laid(replace(plan, house_rules=known), sets)
    check_moving(found)
    return found


def compared_on(
    field: "Field",
    *,
    report: bool = False,
    within: float | None = None,
    trials: int | None = None,
    jobs: int | None = None,
    out: str | Path = "results",
    progress: "Progress | None" = None,
) -> Findings:
    """Play rule sets side by side and write the report.

    Parameters
    ----------
    field
        What is compared, and on what.
    report
        Whether it is the report on one house rule.
    within, trials, jobs, out, progress
        As in :func:`compare`.

    Raises
    ------
    ValueError
        `within`, `trials` or `jobs` is out of range.
    """
    from simkit.balance.compare.comparing import compared, units_for
    from simkit.balance.compare.ladder import settings_of
    from simkit.lab.resolve import FILE
    from simkit.report.compare import sheet

    if within is not None and not 0.0 < within <= 1.0:
        raise ValueError(f"within is {within}; allowed are numbers above 0 and up to 1, such as 0.02")
    if trials is not None and not 2 <= trials <= MOST_TRIALS:
        raise ValueError(f"trials is {trials}; allowed are 2 to {MOST_TRIALS:,}")
    command = "house" if report else "compare"
    units = units_for(field, trials)
    games = units * field.plan.game.GAMES_A_UNIT
    names = [one.id for one in field.sets]
    settings: dict[str, Any] = {"sets": names, "trials": games}
    settings |= {} if within is None else {"within": within}
    spoken = names[1:] if report else names
    again = f"simkit {command} {' '.join(spoken)} --on {FILE} --trials {games}"
    again += "" if within is None else f" --within {within:g}"
    return conducted(
        command,
        field.plan,
        settings,
        lambda study: compared(field, study, units=units, within=within, report=report) | {"again": again},
        sheet,
        trials=games * len(field.cells) * (len(field.sets) + (settings_of(field) if report else 0)),
        jobs=jobs,
        out=out,
        progress=progress,
    )
