"""Armies of a league by what they are made of: named designs with counts, or a race and a budget (J-ARM-1, J-LEA-3)."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from simkit.games import protocol
from simkit.games.protocol import Game
from simkit.lab.asked.league import Army
from simkit.lab.modelpath import KeyPath
from simkit.lab.problems import Problem, did_you_mean
from simkit.lab.toml import Document

MOST_JUGS = 12
"""Most of an army that is filled at random: a side has no more."""


class Unit(NamedTuple):
    """A published design of a race."""

    design: str
    cost: int


class Pool(NamedTuple):
    """What random armies are drawn from."""

    stream: str
    """Stands for the race and the number of the draw: another stream is another army."""
    units: tuple[Unit, ...]
    budget: int


def mustered(
    document: Document, game: Game, armies: Mapping[str, Army], budget: int | None, seed: int, table: str
) -> tuple[dict[str, dict[str, Any]], dict[str, Pool], list[Problem]]:
    """Return the armies of a file as tables of sides, what the random ones are drawn from, and what is wrong.

    Parameters
    ----------
    document
        The file.
    game
        Whose presets are known by race.
    armies
        As the file has them.
    budget
        For armies that have none of their own.
    seed
        Of the experiment: it chooses the random armies.
    table
        Name of the table in which they stand.
    """
    found: dict[str, dict[str, Any]] = {}
    pools: dict[str, Pool] = {}
    problems: list[Problem] = []
    for name, army in armies.items():
        at: KeyPath = (table, "armies", name)
        title = {"title": army.title or name.replace("-", " ").replace("_", " ").capitalize()}
        if army.units is not None:
            found[name] = {**title, "units": [dict(unit) for unit in army.units]}
            continue
        most = army.budget or budget
        if most is None:
            help = "budget = 20 in [league], or in the army"
            span = document.where(at)
            problems.append(Problem("meaning", f"the random army '{name}' has no budget", document.path, span, help))
            continue
        wrong, units = _of_race(game, army.race or "")
        if wrong:
            where = document.where((*at, "race"), "value")
            problems.append(Problem("value", wrong[0], document.path, where, wrong[1]))
            continue
        pool = Pool(f"{army.race} {army.draw}", tuple(units), most)
        chosen = muster(pool, seed)
        if not chosen:
            least = min(unit.cost for unit in units)
            said = f"no design of race '{army.race}' fits into a budget of {most}"
            problems.append(Problem("value", said, document.path, document.where(at), f"at least {least}"))
            continue
        found[name] = title | side_of(game, chosen)
        pools[name] = pool
    return found, pools, problems


def _of_race(game: Game, race: str) -> tuple[tuple[str, str] | None, list[Unit]]:
    """List the presets of a race with what they cost, or say why there are none."""
    rows = game.presets()
    if not rows or not {"design", "race", "SC"} <= set(rows[0]):
        return (f"the presets of {game.TITLE} have no race", "designs, sides, or armies of units"), []
    races = {str(row["race"]) for row in rows}
    if race not in races:
        close = did_you_mean(race, races)
        hint = f"did you mean '{close}'? " if close else ""
        return (f"no preset is of race '{race}'", f"{hint}there are: {', '.join(sorted(races))}"), []
    return None, [Unit(str(row["design"]), int(row["SC"])) for row in rows if str(row["race"]) == race]


def muster(pool: Pool, seed: int) -> list[str]:
    """Fill a budget at random: again and again a design is drawn of those that still fit, each as likely (J-LEA-3).

    Parameters
    ----------
    pool
        Designs with what they cost, and the budget.
    seed
        With the stream of the pool it decides which army it is.

    Examples
    --------
    >>> pool = Pool("toy", (Unit("big", 6), Unit("small", 2)), 20)
    >>> sum({"big": 6, "small": 2}[name] for name in muster(pool, 1))
    20
    """
    words = hashlib.blake2b(f"simkit muster {pool.stream} seed {seed}".encode(), digest_size=16).digest()
    draws = np.random.Generator(np.random.PCG64([*np.frombuffer(words, "<u4").tolist()]))
    found: list[str] = []
    left = pool.budget
    while len(found) < MOST_JUGS and (fits := [unit for unit in pool.units if unit.cost <= left]):
        unit = fits[int(draws.integers(len(fits)))]
        found.append(unit.design)
        left -= unit.cost
    return found


def side_of(game: Game, designs: Sequence[str]) -> dict[str, Any]:
    """Return the table of a side that has these designs."""
    counts = Counter(designs)
    force = protocol.force_of(game)
    if force is not None:
        return force([(name, number) for name, number in counts.items()])
    return {"units": [{"design": name, "count": number} for name, number in sorted(counts.items())]}
