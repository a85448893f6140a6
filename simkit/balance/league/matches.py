"""Every single match of many seasons, played and kept.

A ledger keeps sums by batch; a season needs the result of each of its matches. So what is kept of a match is one whole
number: its difference, whether the turns were used up, and its result, from the side of the home team. All else about
the parcels is that of a ledger: whole files only, the same bytes on any number of threads, and what is there is read.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.balance.league.fixtures import Match
from simkit.balance.league.rerolls import Rerolled
from simkit.balance.league.table import DRAW, LOSS, WIN, Small
from simkit.core import trials
from simkit.core.key import DICE_VERSION, make_key
from simkit.games.hooks import seat_alone_of
from simkit.games.protocol import Game, fight_of
from simkit.lab.ledger import FOLDER, Ledger, Parcel
from simkit.lab.plan import Cell
from simkit.lab.runner import Interrupted, collector_at_rest
from simkit.lab.study import Study

FORMAT = 1

REROLLED = 4_096
"""Seasons of a parcel whose sides are drawn anew."""

Whole = NDArray[np.int64]


class Fixture(NamedTuple):
    """A match as a ledger plays it."""

    match: Match
    setup: Any
    """Of which the pace is known; what is played where sides are not drawn anew."""
    fingerprint: str
    rerolled: Rerolled | None = None
    """Who fights in which season, where sides are drawn anew."""


class Results(NamedTuple):
    """Results of matches by season and match, from the side of the home team; shape (seasons, matches) each."""

    results: Small
    """2 a win, 1 a draw, 0 a loss."""
    differences: Whole
    capped: Small
    """1 for a draw because the turns were used up."""


class Matches(Ledger):
    """Plays the matches of seasons, and remembers each.

    Parameters
    ----------
    study
        Whose folder keeps them.
    difference
        Columns whose difference is that of a match: the home side's, the away side's.
    """

    def __init__(self, study: Study, difference: tuple[str, str]) -> None:
        fight = fight_of(study.plan.game)
        if fight is None:
            raise ValueError(f"{study.plan.game.TITLE} has no two sides that could meet")
        columns = (*fight.wins, fight.capped, *difference)
        super().__init__(
            study.plan, study.store, tuple(dict.fromkeys(columns)), jobs=study.jobs, progress=study.progress
        )
        self.wanted = study.wanted
        self.used = [self.places[self.columns.index(name)] for name in columns]
        self.counted = 0
        """Matches that were asked for, whether they were there or not."""
        study.ledgers.append(self)

    def fixtures(self, matches: Sequence[Match], cells: Mapping[tuple[int, int], Cell]) -> list[Fixture]:
        """Return matches with the setups of their cells, which are by (home, away)."""
        found = []
        for match in matches:
            cell = cells[match.home, match.away]
            found.append(Fixture(match, cell.setup, f"{cell.fingerprint} match {match.number}"))
        return found

    def rerolled(self, matches: Sequence[Match], setup: Any, rerolled: Rerolled) -> list[Fixture]:
        """Return matches whose sides are drawn anew for every season; `setup` is one of them, to tell the pace."""
        return [Fixture(match, setup, rerolled.fingerprint(match), rerolled) for match in matches]

    def results(self, fixtures: Sequence[Fixture], seasons: int) -> Results:
        """Return the results of the first seasons; what is missing is played.

        Parameters
        ----------
        fixtures
            The matches of a season.
        seasons
            How many.

        Raises
        ------
        simkit.lab.runner.Interrupted
            After Ctrl-C; every parcel that was finished is kept.
        ProblemError
            The disk is full or not to be written.
        """
        found = np.zeros((len(fixtures), seasons), np.int64)
        missing = []
        for parcel in self._parcels(fixtures, 0, seasons, 0):
            self.parcels.add(f"{FOLDER}/{parcel.name}.npz")
            there = self._read(parcel)
            if there is None:
                missing.append(parcel)
            else:
                found[list(parcel.rows), parcel.first : parcel.end] = there
                self._count(parcel, kept=True)
        if missing:
            self._play_matches(fixtures, missing, found)
        return unpacked(found.T)

    def _play_matches(self, fixtures: Sequence[Fixture], missing: Sequence[Parcel], found: Whole) -> None:
        key = make_key(self.seed)
        if not self._ready:
            self.game.ready(self.progress.compiling)
            self._ready = True

        def play(parcel: Parcel) -> Whole:
            if not hasattr(self._local, "state"):
                self._local.state = self.game.new_state()
            made = np.empty(self._shape(parcel), np.int64)
            for row, k in enumerate(parcel.rows):
                one = fixtures[k]
                first, found = one.match.first_unit, made[row]
                if one.rerolled is None:
                    found[:] = self._packed(one.setup, key, first + parcel.first, first + parcel.end)
                    continue
                for setup, seasons in one.rerolled.groups(one.match, parcel.first, parcel.end):
                    for season in seasons.tolist():
                        unit = first + season
                        found[season - parcel.first] = self._packed(setup, key, unit, unit + 1)[0]
            return made

        def done(parcel: Parcel, made: Whole) -> None:
            self._write(parcel, made)
            found[list(parcel.rows), parcel.first : parcel.end] = made
            self._count(parcel, kept=False)

        try:
            with collector_at_rest():
                trials.run(missing, play, done, threads=self.jobs)
        except KeyboardInterrupt:
            raise Interrupted(self.played, self.kept, self.wanted) from None

    def _packed(self, setup: Any, key: Any, first: int, end: int) -> Whole:
        """Play one game of each unit, with the seats as set up."""
        rows = played(self.game, setup, self._local.state, key, first, end)
        return packed(*rows[:, self.used].T)

    def _parcels(self, subjects: Sequence[Any], first: int, end: int, replication: int) -> Iterator[Parcel]:
        """Cut what is asked for; a match whose sides are drawn anew stays in large parts, which share their setups."""
        if not any(one.rerolled is not None for one in subjects):
            yield from super()._parcels(subjects, first, end, replication)
            return
        for k, one in enumerate(subjects):
            for a, b in trials.blocks(first, end, REROLLED):
                yield Parcel((k,), a, b, self._name([one.fingerprint], a, b, replication))

    def _count(self, parcel: Parcel, *, kept: bool) -> None:
        games = len(parcel.rows) * (parcel.end - parcel.first)
        self.counted += games
        self.units = -(-self.counted // self.games)
        if kept:
            self.kept += games
        else:
            self.played += games
        self.progress.advance(games, 0, None)

    def _name(self, fingerprints: Sequence[str], first: int, end: int, replication: int) -> str:
        version = [FORMAT, self.game.NAME, self.game.VERSION.number, DICE_VERSION, self.seed, replication]
        columns = [self.game.OUTCOMES[k].name for k in self.used]
        parts = ["league", version, columns, fingerprints, first, end]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]

    def _shape(self, parcel: Parcel) -> tuple[int, ...]:
        return len(parcel.rows), parcel.end - parcel.first


def played(game: Game, setup: Any, state: Any, key: Any, first: int, end: int) -> Whole:
    """Play the units ``first <= unit < end`` of a setup with the seats as set up, and return their outcomes as rows.

    Two games on the same dice would be two matches that share their luck, so of a unit of two games the first counts.
    A game may play it alone (see :class:`simkit.games.hooks.SeatAlone`).
    """
    alone = seat_alone_of(game)
    games = game.GAMES_A_UNIT if alone is None else 1
    rows = np.zeros(((end - first) * games, len(game.OUTCOMES)), np.int64)
    if alone is None:
        game.play_rows(setup, state, key, first, end, rows)
    else:
        alone.play_seat(setup, state, key, first, end, 0, rows)
    return rows[::games]


def packed(home: Whole, away: Whole, capped: Whole, own: Whole, other: Whole) -> Whole:
    """Pack matches into whole numbers, from wins and differences of the two sides.

    Examples
    --------
    >>> one, none = np.array([1]), np.array([0])
    >>> unpacked(packed(one, none, none, np.array([2]), np.array([5])))
    Results(results=array([2], dtype=int8), differences=array([-3]), capped=array([0], dtype=int8))
    """
    results = np.where(home > 0, WIN, np.where(away > 0, LOSS, DRAW))
    return np.asarray((own - other) * 8 + (capped > 0) * 4 + results, np.int64)


def unpacked(found: Whole) -> Results:
    """Undo :func:`packed`."""
    return Results((found & 3).astype(np.int8), found >> 3, ((found >> 2) & 1).astype(np.int8))
