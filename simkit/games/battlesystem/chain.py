"""The fight of two units in contact as a chain of exchanges, solved without dice (B-LAN-19 to B-LAN-25).

A situation is what both units are at the start of a round: figures, wound, formation. Once blows are counted, what
becomes of one unit no longer depends on the other: damage and check of each give a row of chances, and a round is the
product of two rows. Who strikes how often, at which index and with which results is asked of the very functions that
the kernels play.
"""

from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.core.dice import Dice
from simkit.core.dicetable import faces
from simkit.games.battlesystem.battle import begin_round, meet, set_up
from simkit.games.battlesystem.kinds import Formation
from simkit.games.battlesystem.melee import blow_of, index_of, left_in_front, result, strikes_first
from simkit.games.battlesystem.morale import checks_due, needed
from simkit.games.battlesystem.records import State
from simkit.games.battlesystem.shape import attacks, front

Chances = NDArray[np.float64]
PAIR = (0, 1)


class Kind(NamedTuple):
    """A unit at the start of a round."""

    figures: int
    wound: int
    formation: int


class Blows(NamedTuple):
    """What the blows of unit `k` are."""

    k: int
    number: int
    against: int
    """AR less AC."""
    blow: int


class Unit:
    """What one unit can be."""

    def __init__(self, setup: Any, k: int) -> None:
        self.numbers = setup.units[k]
        self.pool = int(self.numbers.pool)
        begins = int(self.numbers.formation)
        formations = (begins, int(Formation.OPEN)) if begins == Formation.CLOSED else (begins,)
        wounds = self.pool if setup.rules.carry_wounds else 1
        self.kinds = [
            Kind(figures, wound, formation)
            for formation in formations
            for figures in range(int(self.numbers.figures), 0, -1)
            for wound in range(wounds)
        ]
        self.place = {kind: i for i, kind in enumerate(self.kinds)}
        self.dead, self.routed = len(self.kinds), len(self.kinds) + 1

    @property
    def size(self) -> int:
        """Kinds, and the two ways of being gone."""
        return len(self.kinds) + 2


class Chain:
    """The chain of one fight of two units."""

    def __init__(self, setup: Any, attack: Dice, check: Dice) -> None:
        self.setup = setup
        self.attack = [(value, float(chance)) for value, chance in faces(attack)]
        self.check = [(value, float(chance)) for value, chance in faces(check)]
        self.state = State.new()
        self.units = [Unit(setup, k) for k in PAIR]
        self.struck: dict[Any, tuple[Blows, Blows, int]] = {}
        self.damages: dict[Blows, Chances] = {}
        self.rows: dict[Any, Chances] = {}

    def begin(self) -> Chances:
        """Return the chances of all situations at the start, shape (kinds of a, kinds of b): one of them is sure."""
        now = np.zeros((self.units[0].size, self.units[1].size))
        whole = [Kind(int(unit.numbers.figures), 0, int(unit.numbers.formation)) for unit in self.units]
        now[self.units[0].place[whole[0]], self.units[1].place[whole[1]]] = 1
        return now

    def after(self, now: Chances, *, first: bool) -> Chances:
        """Return the chances of all situations a round later; whoever is gone stays so."""
        then = np.zeros_like(now)
        for i, j in np.argwhere(now[: self.units[0].dead, : self.units[1].dead] > 0).tolist():
            pair = (self.units[0].kinds[i], self.units[1].kinds[j])
            then += now[i, j] * self.exchange(pair, first=first)
        return then

    def exchange(self, pair: tuple[Kind, Kind], *, first: bool) -> Chances:
        """Return where one situation leads, as chances of all situations."""
        by_a, by_b, early = self.blows(pair, first=first)
        if early < 0:
            return np.outer(self.row(0, pair[0], by_b), self.row(1, pair[1], by_a))
        late, against = 1 - early, (by_a, by_b)[early]
        lost = self.row(late, pair[late], against, checked=False)
        total = np.zeros((self.units[0].size, self.units[1].size))
        for i in np.flatnonzero(lost).tolist():
            answer = None if i == self.units[late].dead else self.answer(pair, late, self.units[late].kinds[i])
            mine = self.row(early, pair[early], answer)
            theirs = self.checked(late, pair[late].figures, i)
            total += lost[i] * (np.outer(mine, theirs) if early == 0 else np.outer(theirs, mine))
        return total

    # What the kernels' functions say

    def put(self, pair: tuple[Kind, Kind], *, first: bool) -> None:
        """Make the memory of the kernels show a situation in the melee phase."""
        set_up(self.setup, self.state)
        meet(self.setup, self.state)
        begin_round(self.setup, self.state)
        for k, kind in zip(PAIR, pair, strict=True):
            stand = self.state.units[k]
            stand.figures, stand.wound, stand.formation = kind
            stand.before = kind.figures
            stand.declared = 0  # what was declared lapses in the own movement phase, before any blow
            if not first:
                stand.came_charging = stand.met_set = False

    def blows(self, pair: tuple[Kind, Kind], *, first: bool) -> tuple[Blows, Blows, int]:
        """Return the blows of both units, and who strikes first: 0, 1, or -1 for both at once."""
        key = (pair[0][::2], pair[1][::2], first)
        if key not in self.struck:
            self.put(pair, first=first)
            setup, state = self.setup, self.state
            early = [k for k in PAIR if strikes_first(setup, state, k, 1 - k)]
            fronts = [int(front(setup.units[k], state.units[k])) for k in PAIR]
            by = [self._blows(k, fronts[k]) for k in PAIR]
            self.struck[key] = (by[0], by[1], early[0] if len(early) == 1 else -1)
        return self.struck[key]

    def _blows(self, k: int, abreast: int) -> Blows:
        setup, state, foe = self.setup, self.state, 1 - k
        number = attacks(setup, state, k, foe, abreast)
        return Blows(k, int(number), int(index_of(setup, state, k, foe)), int(blow_of(setup, state, k, foe)))

    def answer(self, pair: tuple[Kind, Kind], late: int, left: Kind) -> Blows:
        """Return the blows of a unit that was struck first (B-LAN-21)."""
        self.put(pair, first=True)
        had = int(front(self.setup.units[late], self.state.units[late]))
        self.state.units[late].figures = left.figures
        killed = pair[late].figures - left.figures
        return self._blows(late, int(left_in_front(self.setup, self.state, late, had, killed)))

    def damage(self, blows: Blows | None) -> Chances:
        """Return the chances of every sum of hit dice that some blows kill."""
        if blows is None or blows.number == 0:
            return np.ones(1)
        if blows not in self.damages:
            hits = [int(result(self.setup, blows.k, blows.blow, blows.against, roll)) for roll, _ in self.attack]
            one = np.bincount(hits, [chance for _, chance in self.attack])
            self.damages[blows] = np.convolve(one, self.damage(blows._replace(number=blows.number - 1)))
        return self.damages[blows]

    # Losses and checks of one unit

    def row(self, k: int, kind: Kind, blows: Blows | None, *, checked: bool = True) -> Chances:
        """Return what becomes of a unit that some blows strike, before or after its check."""
        key = (k, kind, blows, checked)
        if key not in self.rows:
            unit = self.units[k]
            found = np.zeros(unit.size)
            for hurt, chance in enumerate(self.damage(blows).tolist()):
                total = kind.wound + hurt
                figures = kind.figures - total // unit.pool
                wound = total % unit.pool if self.setup.rules.carry_wounds else 0
                place = unit.place[Kind(figures, wound, kind.formation)] if figures > 0 else unit.dead
                if checked:
                    found += chance * self.checked(k, kind.figures, place)
                else:
                    found[place] += chance
            self.rows[key] = found
        return self.rows[key]

    def checked(self, k: int, before: int, place: int) -> Chances:
        """Return what becomes of a unit after its losses of a phase (B-LAN-23, B-LAN-24)."""
        unit = self.units[k]
        found = np.zeros(unit.size)
        if place >= unit.dead:
            found[place] = 1
            return found
        key = ("check", k, before, place)
        if key not in self.rows:
            kind = unit.kinds[place]
            due = int(checks_due(self.setup.rules, int(unit.numbers.figures), before, kind.figures))
            chances: dict[int, float] = {place: 1.0}
            for _ in range(due):
                later: dict[int, float] = defaultdict(float)
                for one, chance in chances.items():
                    passes = self._passes(k, unit.kinds[one]) if one < unit.dead else 1.0
                    later[one] += chance * passes
                    if passes < 1:
                        later[self._failed(k, one)] += chance * (1 - passes)
                chances = later
            found[list(chances)] = list(chances.values())
            self.rows[key] = found
        return self.rows[key]

    def _failed(self, k: int, place: int) -> int:
        unit = self.units[k]
        kind = unit.kinds[place]
        if kind.formation != Formation.CLOSED:
            return unit.routed
        return unit.place[kind._replace(formation=int(Formation.OPEN))]

    def _passes(self, k: int, kind: Kind) -> float:
        set_up(self.setup, self.state)
        meet(self.setup, self.state)
        stand = self.state.units[k]
        stand.figures, stand.formation = kind.figures, kind.formation
        stand.rear = bool(stand.struck == 2)
        number = int(needed(self.setup.rules, self.setup.units[k], stand))
        return sum(chance for value, chance in self.check if value <= number)
