"""Random armies that are drawn anew for every season (J-LEA-3): who fights in a match hangs on the season.

An army belongs to its entrant and its season, so that it is the same in all matches of the season and under other
rules. Seasons in which both armies of a match are alike share a setup.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.balance.league.fixtures import Match
from simkit.balance.league.lots import below, lots
from simkit.lab.bouts import Arena
from simkit.lab.leagues import TABLE, Leagues
from simkit.lab.musters import MOST_JUGS, Pool, side_of
from simkit.lab.plan import Plan
from simkit.lab.problems import Problem, ProblemError

Army = tuple[str, ...]
"""Designs in order, each as often as it is there."""


def armies(pool: Pool, seed: int, seasons: int) -> list[Army]:
    """Return the army of every season: again and again a design is drawn of those that still fit (J-LEA-3).

    Parameters
    ----------
    pool
        Designs with what they cost, and the budget.
    seed
        Of the experiment.
    seasons
        How many, a multiple of 256.

    Examples
    --------
    >>> from simkit.lab.musters import Unit
    >>> made = armies(Pool("toy", (Unit("big", 6), Unit("small", 2)), 8), 1, 256)
    >>> sorted(set(made))
    [('big', 'small'), ('small', 'small', 'small', 'small')]
    """
    bits = lots(seed, f"armies of {pool.stream}", 0, seasons, MOST_JUGS)
    draws = {count: below(bits, count).tolist() for count in range(1, len(pool.units) + 1)}
    found = []
    for season in range(seasons):
        army: list[str] = []
        left = pool.budget
        while len(army) < MOST_JUGS and (fits := [unit for unit in pool.units if unit.cost <= left]):
            unit = fits[draws[len(fits)][season][len(army)]]
            army.append(unit.design)
            left -= unit.cost
        found.append(tuple(sorted(army)))
    return found


class Group(NamedTuple):
    """Seasons of a match in which both sides are alike."""

    setup: Any
    seasons: NDArray[np.int64]


class Rerolled:
    """The matches of a league whose armies are drawn anew.

    Parameters
    ----------
    league
        Who plays.
    plan
        The experiment, or that of the rules that hold instead.
    seasons
        How many, a multiple of 256.
    """

    def __init__(self, league: Leagues, plan: Plan, seasons: int) -> None:
        self.league, self.arena = league, Arena(plan)
        seed = league.plan.experiment.seed
        self.sides: list[list[Army] | None] = [
            None if one.id not in league.pools else armies(league.pools[one.id], seed, seasons)
            for one in league.entrants
        ]

    def fingerprint(self, match: Match) -> str:
        """Return what stands for everything that can change the results of a match but the seed."""
        pools, entrants = self.league.pools, self.league.entrants
        data = {key: value for key, value in self.arena.data.items() if key != "sides"}
        parts = [
            self.arena.rules.model_dump(mode="json"),
            data,
            [pools[entrants[i].id] if entrants[i].id in pools else entrants[i].a for i in match[:2]],
            [self._more(i) for i in match[:2]],
            self.league.asked.home.get(entrants[match.home].id),
            match,
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()

    def groups(self, match: Match, first: int, end: int) -> Iterator[Group]:
        """Part the seasons ``first <= season < end`` by who fights, and set each fight up."""
        home, away = self.sides[match.home], self.sides[match.away]
        found: dict[tuple[Army | None, Army | None], list[int]] = defaultdict(list)
        for season in range(first, end):
            armies_ = None if home is None else home[season], None if away is None else away[season]
            found[armies_].append(season)
        for (one, other), seasons in found.items():
            tables = self._table(match.home, one), self._table(match.away, other)
            yield Group(self._setup(match.home, *tables), np.array(seasons))

    def check(self) -> None:
        """Refuse races of which a design breaks the rules.

        Raises
        ------
        ProblemError
            With the first reason of each.
        """
        document, game, problems = self.league.plan.document, self.arena.game, []
        for i, one in enumerate(self.league.entrants):
            pool = self.league.pools.get(one.id)
            for unit in pool.units if pool is not None else ():
                table = self._table(i, (unit.design,))
                complaints = game.complaints(self._scenario(i, table, table), self.arena.rules)
                if complaints:
                    said = f"'{unit.design}' may be drawn for '{one.id}', but {complaints[0].message}"
                    span = document.where((TABLE, "armies", one.id))
                    help = complaints[0].help or "an army of units that are legal"
                    problems.append(Problem("rule", said, document.path, span, help))
        if problems:
            raise ProblemError(problems, document.sources)

    def _more(self, entrant: int) -> dict[str, Any]:
        """Return what a side has beside its army."""
        return {key: value for key, value in self.league.entrants[entrant].a.items() if key != "units"}

    def _table(self, entrant: int, army: Army | None) -> dict[str, Any]:
        if army is None:
            return dict(self.league.entrants[entrant].a)
        return {**self._more(entrant), **side_of(self.arena.game, army)}

    def _scenario(self, home: int, a: Mapping[str, Any], b: Mapping[str, Any]) -> Any:
        fields = self.league.asked.home.get(self.league.entrants[home].id, {})
        data = self.arena.game.vary(self.arena.data, {f"scenario.{name}": value for name, value in fields.items()})
        return self.arena.game.Scenario.model_validate({**data, "sides": {"a": dict(a), "b": dict(b)}})

    def _setup(self, home: int, a: Mapping[str, Any], b: Mapping[str, Any]) -> Any:
        return self.arena.game.compile(self._scenario(home, a, b), self.arena.rules)
