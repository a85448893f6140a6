"""Many short bouts: a few games each of very many sides, for whoever looks for the best of them.

A ledger keeps every setup by batches, which is right for some hundred setups that are played for long. A search tries
ten thousand sides for a few games each; of these only the sum of one outcome is kept, and a setup is made when it is
played and forgotten. What is asked for together is kept together, in parcels of the same folder.
"""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.core import trials
from simkit.core.key import DICE_VERSION, make_key
from simkit.games import protocol
from simkit.lab.ledger import FOLDER, Ledger, Parcel
from simkit.lab.plan import Plan
from simkit.lab.runner import Interrupted
from simkit.lab.study import Study
from simkit.lab.variants import Variant, fingerprint

TOGETHER = 64
"""Most bouts that one processor plays before it hands them over."""

PARCEL = 2048
"""Most bouts of a parcel."""

REMEMBERED = 160
"""Setups that are kept in memory: whoever weighs otherwise plays the same ones again."""

FORMAT = 1


class Bout(NamedTuple):
    """Two sides, and the units that they play."""

    a: Mapping[str, Any]
    """Table of side A, as a file has it."""
    b: Mapping[str, Any]
    first: int
    end: int
    weights: Mapping[str, int] | None = None
    """What the player of side A values, where it is not what the game says."""


class Arena:
    """Sets up sides against each other under the rules and on the ground of an experiment.

    Parameters
    ----------
    plan
        The experiment: its first cell says the rules, everything but the sides comes from its file.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan, self.game, self.rules = plan, plan.game, plan.cells[0].rules
        overrides = {path: v for path, v in plan.scenario_overrides.items() if path.split(".")[0] != "sides"}
        self.data = plan.game.vary(plan.scenario_data, overrides)
        self._kept: OrderedDict[str, Any] = OrderedDict()
        self._lock = Lock()

    def scenario(self, a: Mapping[str, Any], b: Mapping[str, Any]) -> Any:
        """Return the scenario of two sides."""
        return self.game.Scenario.model_validate({**self.data, "sides": {"a": dict(a), "b": dict(b)}})

    def setup(self, a: Mapping[str, Any], b: Mapping[str, Any], *, keep: bool = False) -> Any:
        """Return the setup of two sides that are legal."""
        if not keep:
            return self.game.compile(self.scenario(a, b), self.rules)
        mark = json.dumps([a, b], sort_keys=True)
        with self._lock:
            made = self._kept.get(mark)
            if made is not None:
                self._kept.move_to_end(mark)
                return made
        made = self.game.compile(self.scenario(a, b), self.rules)
        with self._lock:
            self._kept[mark] = made
            while len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)
        return made

    def subject(self, a: Mapping[str, Any], b: Mapping[str, Any], weights: Mapping[str, int] | None = None) -> Variant:
        """Return two sides as a ledger plays them."""
        scenario = self.scenario(a, b)
        setup = self.game.compile(scenario, self.rules)
        if weights is not None:
            setup = _weighing(self.game).weigh(setup, 0, weights)
        return Variant(self.rules, scenario, setup, fingerprint(self.plan, setup))


def _weighing(game: protocol.Game) -> protocol.Weighing:
    found = protocol.weighing_of(game)
    if found is None:
        raise LookupError(f"the players of {game.TITLE} have no weights")
    return found


class Bouts(Ledger):
    """Plays short bouts in an arena, and remembers what they summed up to.

    Parameters
    ----------
    study
        Whose folder keeps them.
    arena
        Where they are played.
    column
        The outcome that is summed.
    """

    def __init__(self, study: Study, arena: Arena, column: str) -> None:
        super().__init__(study.plan, study.store, (column,), jobs=study.jobs, progress=study.progress)
        study.ledgers.append(self)
        self.arena, self.place = arena, self.places[0]
        self.parts = self.values[column].parts
        sides = {key: value for key, value in arena.data.items() if key != "sides"}
        ground = [arena.rules.model_dump(mode="json"), sides, column]
        self.ground = hashlib.sha256(json.dumps(ground, sort_keys=True, default=str).encode()).hexdigest()

    def scores(self, bouts: Sequence[Bout], *, replication: int = 0) -> NDArray[np.float64]:
        """Return the mean of the outcome a game of every bout; what is missing is played.

        Parameters
        ----------
        bouts
            All sides must be legal.
        replication
            0 for the dice of the question, another number for fresh ones.

        Returns
        -------
        float64, shape (len(bouts),)

        Raises
        ------
        simkit.lab.runner.Interrupted
            After Ctrl-C; parcels that were finished are kept.
        ProblemError
            The disk is full or not to be written.
        """
        found = np.zeros(len(bouts), np.int64)
        for first in range(0, len(bouts), PARCEL):
            part = bouts[first : first + PARCEL]
            found[first : first + PARCEL] = self._parcel(part, replication)
        units = np.array([bout.end - bout.first for bout in bouts])
        return np.asarray(found / (units * self.parts))

    def _parcel(self, bouts: Sequence[Bout], replication: int) -> NDArray[np.int64]:
        version = [FORMAT, self.game.NAME, self.game.VERSION.number, DICE_VERSION, self.seed, replication]
        asked = json.dumps([version, self.ground, bouts], sort_keys=True)
        name = hashlib.sha256(asked.encode()).hexdigest()[:32]
        parcel = Parcel(tuple(range(len(bouts))), 0, 0, name)
        self.parcels.add(f"{FOLDER}/{name}.npz")
        units = sum(bout.end - bout.first for bout in bouts)
        self.units += units
        there = self._read(parcel)
        if there is not None:
            self.kept += units * self.games
            self.progress.advance(units * self.games, 0, None)
            return there
        there = self._fought(bouts, replication)
        self._write(parcel, there)
        self.played += units * self.games
        return there

    def _fought(self, bouts: Sequence[Bout], replication: int) -> NDArray[np.int64]:
        if not self._ready:
            self.game.ready(self.progress.compiling)
            self._ready = True
        key = make_key(self.seed, replication)
        sums = np.zeros(len(bouts), np.int64)
        columns = len(self.game.OUTCOMES)

        def jobs() -> Iterator[tuple[int, int]]:
            for first in range(0, len(bouts), TOGETHER):
                yield first, min(first + TOGETHER, len(bouts))

        def play(job: tuple[int, int]) -> list[int]:
            if not hasattr(self._local, "state"):
                self._local.state = self.game.new_state()
            made = []
            for bout in bouts[slice(*job)]:
                setup = self.arena.setup(bout.a, bout.b, keep=bout.weights is not None)
                if bout.weights is not None:
                    setup = _weighing(self.game).weigh(setup, 0, bout.weights)
                rows = np.zeros(((bout.end - bout.first) * self.games, columns), np.int64)
                self.game.play_rows(setup, self._local.state, key, bout.first, bout.end, rows)
                made.append(int(rows[:, self.place].sum()))
            return made

        def done(job: tuple[int, int], made: list[int]) -> None:
            sums[slice(*job)] = made
            self.progress.advance(sum(b.end - b.first for b in bouts[slice(*job)]) * self.games, 0, None)

        try:
            trials.run(jobs(), play, done, threads=self.jobs)
        except KeyboardInterrupt:
            raise Interrupted(self.played, self.kept, 0) from None
        return sums

    def _shape(self, parcel: Parcel) -> tuple[int, ...]:
        return (len(parcel.rows),)
