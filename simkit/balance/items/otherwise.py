"""What would flip a verdict: the case that stands for it, played again under every other reading of the rules.

A verdict rests on rulings and assumed values. Each of them is read another way, one at a time, and the builds of the
case meet again on common dice, with it and without. What the reading changes in a matchup is added to what the case
had shown; the two come from dice of their own, so that the spread of their sum is the spread of both. Half of the
batches choose what the other half judges, as everywhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from pydantic import ValidationError

from simkit import stats
from simkit.balance.items.bounds import bounds_of, heaviest_pair
from simkit.balance.items.case import Measurement, Table
from simkit.balance.items.cases import Asked, Case
from simkit.balance.items.contest import GAMES, Contest
from simkit.balance.items.options import UNDECIDED
from simkit.balance.items.overpowered import WORDS, judge_item, word_of_estimates
from simkit.balance.items.power import Power, measure
from simkit.games.readings import swings_of
from simkit.lab import house
from simkit.lab.ledger import Ledger
from simkit.lab.problems import from_pydantic
from simkit.lab.swings import Reading, readings_of
from simkit.lab.toml import Document
from simkit.stats import Estimate
from simkit.stats.checks import FloatArray

REPLICATION = 3
"""Dice of the other readings: none that chose or judged a case."""
BATCHES = 32
"""Batches that choose, and as many that judge."""
NUMBERS = ("lift_uniform", "lift_field", "need", "regret")
"""What a verdict on an item rests on, besides usage."""
SHARE = 0.25
"""Games of a reading, as a share of those that its case may have, unless the file says how many."""


@dataclass(frozen=True)
class Moved:
    """What becomes of a verdict under one other reading of the rules.

    Attributes
    ----------
    reading
        The rule and its other value.
    word
        ``"holds"``, ``"flips"``, ``"decides"`` or ``"undecided"``: what becomes of the verdict.
    becomes
        The verdict under this reading.
    likely
        What the estimates alone would make of it, where it is not resolved; the verdict where it is.
    moves
        What the reading adds to the lift against everybody, or to the change of an option, on the same dice.
    numbers
        By name the estimates that the verdict rests on; none where the reading changes nothing that is played.
    """

    reading: Reading
    word: str
    becomes: str
    likely: str
    moves: Estimate
    numbers: Mapping[str, Estimate]


@dataclass(frozen=True)
class Otherwise:
    """An item or option in the case that stands for its verdict, under all other readings.

    Attributes
    ----------
    subject
        Its name.
    title
        The case in words.
    held
        The verdict as the rules stand.
    n
        Units behind every matchup, with a reading and without; half of them chose.
    rows
        The readings that were played, those first that move the lift most.
    left_out
        Readings that cannot be played, each with the reason.
    not_played
        Why none was played; empty where they were.
    """

    subject: str
    title: str
    held: str
    n: int = 0
    rows: tuple[Moved, ...] = ()
    left_out: tuple[tuple[Reading, str], ...] = ()
    not_played: str = ""


def standing_case(word: str, rows: Sequence[Mapping[str, Any]]) -> int:
    """Return which of several cases stands for the verdict on an item: the first that has its word most clearly.

    Parameters
    ----------
    word
        What the item is called over all cases.
    rows
        What every case says of it, as a document has it.

    Returns
    -------
    int
        Position of a row with that word, else with the first word of the verdict table that some row has; of several
        the one whose largest number lies farthest from nothing.
    """
    order = {name: k for k, name in enumerate(dict.fromkeys([word, *WORDS]))}
    numbers = ("lift_uniform", "need", "regret")

    def rank(k: int) -> tuple[int, float]:
        row = rows[k]
        return order[row["word"]], -max(abs(float(row[name]["estimate"])) for name in numbers)

    return min(range(len(rows)), key=rank)


def units_of(asked: Asked, case: Case, builds: int) -> int:
    """Return the units of every matchup under a reading; 0 where the games do not reach, or none are wanted."""
    wanted = asked.asked.readings
    games = SHARE * case.trials if wanted is None else wanted
    pairs = builds * (builds - 1) // 2
    return int(games / (GAMES * pairs)) // (2 * BATCHES) * (2 * BATCHES)


def read_otherwise(
    asked: Asked, ledger: Ledger, case: Case, made: Measurement, words: Mapping[str, str]
) -> list[Otherwise]:
    """Play a case under other readings of its rules.

    Parameters
    ----------
    asked, ledger
        The question, and what plays it.
    case, made
        The case, and what it has shown.
    words
        Items that it stands for, and what each is called in it.

    Returns
    -------
    list of Otherwise
        One for every item.
    """
    contest = Contest(ledger, asked.game, case.condition)
    known = found_readings(contest, made) if asked.asked.readings != 0 else []
    known = [reading for reading in known if reading.swing.path not in asked.asked.conditions]
    units = units_of(asked, case, len(made.frame.builds))
    if not known or not units:
        needed = GAMES * BATCHES * 2 * (len(made.frame.builds) * (len(made.frame.builds) - 1) // 2)
        why = "the game states none that this rests on"
        if asked.asked.readings == 0:
            why = "the file switches it off (readings = 0)"
        elif known:
            why = f"each of the {len(known)} takes {needed:,} games at least: readings = {needed:_} plays them"
        return [Otherwise(item, asked.title(case), word, not_played=why) for item, word in words.items()]
    base = _table(contest, made)
    base.all_to(units)
    contests, left_out = _contests(asked, ledger, case, made, known)
    level = stats.bonferroni_level(len(contests), asked.plan.level) if contests else asked.plan.level
    changes = [_changes(base, _table(other, made), made, units) for _, other in contests]
    powers = [_measured(made, base, change, units, level) for change in changes]
    found = []
    for item, word in words.items():
        k = [one.name for one in made.frame.items].index(item)
        moves = _moves(made, k, changes, units, asked.plan.level)
        rows = [
            _moved(asked, reading, word, move, None if power is None else power[k])
            for (reading, _), move, power in zip(contests, moves, powers, strict=True)
        ]
        rows.sort(key=lambda row: -abs(row.moves.estimate))
        found.append(Otherwise(item, asked.title(case), word, units, tuple(rows), tuple(left_out)))
    return found


def found_readings(contest: Contest, made: Measurement) -> list[Reading]:
    """List the other readings of all rules that some matchup of a frame rests on."""
    hook = swings_of(contest.game)
    if hook is None:
        return []
    builds = made.frame.builds
    pairs = zip(builds, (*builds[1:], builds[0]), strict=True)
    return readings_of(hook, [(contest.scenario(a, b), contest.condition.rules) for a, b in pairs])


def _contests(
    asked: Asked, ledger: Ledger, case: Case, made: Measurement, known: Sequence[Reading]
) -> tuple[list[tuple[Reading, Contest]], list[tuple[Reading, str]]]:
    """Return who plays every reading, and which cannot be played: where the rules or a build become illegal."""
    able, left_out = list[tuple[Reading, Contest]](), list[tuple[Reading, str]]()
    for reading in known:
        data = case.condition.rules.model_dump()
        house.place(data, reading.swing.path, reading.swing.value)
        try:
            rules = asked.game.Rules.model_validate(data)
        except ValidationError as error:
            problem = next(iter(from_pydantic(error, Document(data, "", ""), model=asked.game.Rules)))
            left_out.append((reading, problem.message))
            continue
        contest = Contest(ledger, asked.game, replace(case.condition, rules=rules))
        complaints = next((wrong for build in made.frame.builds if (wrong := contest.complaints(build, build))), [])
        if complaints:
            left_out.append((reading, complaints[0].message))
        else:
            able.append((reading, contest))
    return able, left_out


def _table(contest: Contest, made: Measurement) -> Table:
    return Table(contest, made.frame.builds, 2 * BATCHES, REPLICATION)


def _changes(base: Table, other: Table, made: Measurement, units: int) -> FloatArray | None:
    """Return by how much a reading changes every score, by batch; None where nothing that is played differs.

    Matchups that are set up alike are not played again.
    """
    builds = made.frame.builds
    differs = np.zeros(other.units.shape, dtype=bool)
    for i, j in np.argwhere(np.triu(np.ones(other.units.shape), 1)):
        a, b = builds[int(i)], builds[int(j)]
        differs[i, j] = differs[j, i] = base.contest.print_of(a, b) != other.contest.print_of(a, b)
    if not differs.any():
        return None
    other.play_to(np.where(differs, units, 0))
    return np.where(differs[:, :, np.newaxis], other.values - base.values, 0.0)


def _measured(
    made: Measurement, base: Table, change: FloatArray | None, units: int, level: float
) -> tuple[Power, ...] | None:
    """Return what the items are with what a reading changes: even batches choose, odd ones judge.

    What the case had shown is pooled with what the same matchups show on these dice, by the units of each: where the
    case played little, the reading stands on its own dice.
    """
    if change is None:
        return None
    half = units // 2
    share = (made.units / (made.units + half))[:, :, np.newaxis]
    judged = share * made.batches.reshape(*made.units.shape, BATCHES, -1).mean(axis=3)
    judged += (1.0 - share) * base.values[:, :, 1::2]
    pilot = share[:, :, 0] * made.pilot + (1.0 - share[:, :, 0]) * base.values[:, :, ::2].mean(axis=2)
    return measure(
        np.clip(pilot + change[:, :, ::2].mean(axis=2), 0.0, 1.0),
        judged + change[:, :, 1::2],
        half,
        made.frame.items,
        level,
        crowd=made.frame.crowd,
        epsilon=made.epsilon,
        bounded=False,
    ).powers


def _moves(made: Measurement, k: int, changes: Sequence[FloatArray | None], units: int, level: float) -> list[Estimate]:
    """Return what every reading adds to the lift of an item against everybody; their intervals hold together."""
    item = made.frame.items[k]
    weights = item.weights()
    rows = [
        np.tensordot(made.frame.crowd, np.tensordot(weights, change, axes=1), axes=1)
        for change in changes
        if change is not None
    ]
    if not rows:
        return [Estimate.exact(0.0) for _ in changes]
    behind = np.full(made.units.shape, float(units))
    heaviest = np.full(len(rows), 2.0 * heaviest_pair(weights, made.frame.crowd, behind))  # from -1 to 1, not 0 to 1
    bands = bounds_of(np.stack(rows), heaviest, level)
    found = iter(
        Estimate(float(mean), float(low), float(high), level, units, bands.method)
        for mean, low, high in zip(bands.mean, bands.low, bands.high, strict=True)
    )
    return [Estimate.exact(0.0) if change is None else next(found) for change in changes]


def _moved(asked: Asked, reading: Reading, held: str, moves: Estimate, power: Power | None) -> Moved:
    """Say what becomes of the verdict on an item."""
    if power is None:
        return unmoved(reading, held)
    becomes = judge_item(power, 0, asked.asked.delta, asked.asked.severe).word
    numbers = {name: getattr(power, name) for name in NUMBERS}
    likely = word_of_estimates(power, asked.asked.delta) if becomes == UNDECIDED else becomes
    return Moved(reading, fate(held, becomes), becomes, likely, moves, numbers)


def unmoved(reading: Reading, held: str) -> Moved:
    """Return what becomes of a verdict under a reading that changes nothing that is played."""
    return Moved(reading, UNDECIDED if held == UNDECIDED else "holds", held, held, Estimate.exact(0.0), {})


def fate(held: str, becomes: str) -> str:
    """Say in a word what becomes of a verdict.

    Examples
    --------
    >>> fate("dominated", "fair"), fate("undecided", "fair"), fate("fair", "undecided"), fate("fair", "fair")
    ('flips', 'decides', 'undecided', 'holds')
    """
    if becomes == UNDECIDED:
        return UNDECIDED
    if held == UNDECIDED:
        return "decides"
    return "holds" if becomes == held else "flips"
