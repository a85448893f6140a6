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
from simkit.games.battlesystem.appraise import Begin, Kind, Morale, Pair, begin_of, morale_of, pair_of
from simkit.games.battlesystem.kinds import Formation
from simkit.games.battlesystem.records import State

Chances = NDArray[np.float64]
NOBODY = -1


class Blows(NamedTuple):
    """The blows of one side."""

    side: int
    number: int
    against: int
    """AR' - AC'."""
    blow: int


class Unit:
    """What one unit can be."""

    def __init__(self, setup: Any, k: int, formation: int) -> None:
        self.numbers = setup.units[k]
        self.pool = int(self.numbers.pool)
        self.begins = Kind(int(self.numbers.figures), 0, formation)
        formations = (formation, int(Formation.OPEN)) if formation == Formation.CLOSED else (formation,)
        self.wounds = self.pool if setup.rules.carry_wounds else 1
        self.kinds = [
            Kind(figures, wound, one)
            for one in formations
            for figures in range(self.begins.figures, 0, -1)
            for wound in range(self.wounds)
        ]
        self.place = {kind: i for i, kind in enumerate(self.kinds)}
        self.dead, self.routed = len(self.kinds), len(self.kinds) + 1

    @property
    def size(self) -> int:
        """Kinds, and the two ways of being gone."""
        return len(self.kinds) + 2


class Judge:
    """The rules of one fight, asked of the kernels."""

    def __init__(self, setup: Any, attack: Dice, check: Dice) -> None:
        self.setup = setup
        self.state = State.new()
        self.attack = faces(attack)
        self.check = faces(check)
        self.pairs: dict[Any, Pair] = {}

    def begin(self) -> Begin:
        """Return how the fight begins."""
        return begin_of(self.setup, self.state)

    def pair(self, pair: tuple[Kind, Kind], *, first: bool, late: int = NOBODY, lost: int = 0) -> Pair:
        """Return the blows of both units, in the first round or a later one, maybe after a first strike."""
        key = (pair[0][::2], pair[1][::2], first, late, lost)
        if key not in self.pairs:
            self.pairs[key] = pair_of(self.setup, self.state, not first, *pair, late, lost)
        return self.pairs[key]

    def blows(self, pair: Pair) -> tuple[Blows, Blows]:
        """Return what each side strikes with."""
        return Blows(0, *pair[1:4]), Blows(1, *pair[4:7])

    def results(self, blows: Blows) -> list[int]:
        """Return what one attack kills on every value of the attack dice (B-MEL-1)."""
        rules, kills = self.setup.rules, self.setup.units[blows.side].kills[blows.blow]
        top, most = int(rules.crt_top), int(rules.crt_steps)
        return [int(kills[min(max(top - blows.against - roll, 0), most)]) for roll, _ in self.attack]

    def morale(self, side: int, before: int, kind: Kind, *, first: bool) -> Morale:
        """Return the checks that a unit owes after a phase, and the most that passes."""
        return morale_of(self.setup, self.state, not first, side, before, kind)

    def passes(self, most: int) -> Any:
        """Return the chance to pass a check."""
        return sum(chance for value, chance in self.check if value <= most)


class Chain:
    """The chain of one fight; all units of the setup are two that begin in contact."""

    def __init__(self, judge: Judge, formations: tuple[int, int]) -> None:
        self.judge = judge
        self.carries = bool(judge.setup.rules.carry_wounds)
        self.between = bool(judge.setup.rules.strike_between_checks)
        self.units = [Unit(judge.setup, k, formations[k]) for k in (0, 1)]
        self.damages: dict[Blows, Chances] = {}
        self.rows: dict[Any, Chances] = {}

    def begin(self) -> Chances:
        """Return the chances of all situations at the start, shape (kinds of a, kinds of b): one of them is sure."""
        a, b = self.units
        now = np.zeros((a.size, b.size))
        now[a.place[a.begins], b.place[b.begins]] = 1
        return now

    def after(self, now: Chances, *, first: bool) -> Chances:
        """Return the chances of all situations a round later; whoever is gone stays so."""
        then = np.zeros_like(now)
        a, b = self.units
        for i in range(0, a.dead, a.wounds):
            for j in range(0, b.dead, b.wounds):
                here = now[i : i + a.wounds, j : j + b.wounds]
                if here.any():
                    then += self.together(i, j, here, first=first)
        return then

    def together(self, i: int, j: int, here: Chances, *, first: bool) -> Chances:
        """Return where situations lead that differ in wounds alone: these do not change who strikes how."""
        a, b = self.units
        told = self.judge.pair((a.kinds[i], b.kinds[j]), first=first)
        if told.early != NOBODY:
            places = np.argwhere(here > 0).tolist()
            pairs = [((a.kinds[i + k], b.kinds[j + m]), here[k, m]) for k, m in places]
            return np.asarray(sum(chance * self.exchange(pair, first=first) for pair, chance in pairs))
        by_a, by_b = self.judge.blows(told)
        rows_a = np.stack([self.row(0, kind, by_b, first=first) for kind in a.kinds[i : i + a.wounds]])
        rows_b = np.stack([self.row(1, kind, by_a, first=first) for kind in b.kinds[j : j + b.wounds]])
        return np.asarray(rows_a.T @ here @ rows_b)

    def exchange(self, pair: tuple[Kind, Kind], *, first: bool) -> Chances:
        """Return where one situation leads in which set spears strike first, as chances of all situations."""
        told = self.judge.pair(pair, first=first)
        blows = self.judge.blows(told)
        early, late = told.early, 1 - told.early
        before = pair[late].figures
        total = np.zeros((self.units[0].size, self.units[1].size))
        struck = self.row(late, pair[late], blows[early], first=first, checked=self.between)
        for i in np.flatnonzero(struck).tolist():
            answer = None
            if i < self.units[late].dead:
                now = self.units[late].kinds[i]
                both = (now, pair[1]) if late == 0 else (pair[0], now)
                again = self.judge.pair(both, first=first, late=late, lost=before - now.figures)
                answer = self.judge.blows(again)[late]
            mine = self.row(early, pair[early], answer, first=first)
            theirs = self.sure(late, i) if self.between else self.checked(late, before, i, first=first)
            total += struck[i] * (np.outer(mine, theirs) if early == 0 else np.outer(theirs, mine))
        return total

    def sure(self, k: int, place: int) -> Chances:
        """Return a row in which one thing is sure."""
        found = np.zeros(self.units[k].size)
        found[place] = 1
        return found

    def damage(self, blows: Blows | None) -> Chances:
        """Return the chances of every sum of hit dice that some blows kill."""
        if blows is None or blows.number == 0:
            return np.ones(1)
        if blows not in self.damages:
            one = np.bincount(self.judge.results(blows), [float(chance) for _, chance in self.judge.attack])
            self.damages[blows] = np.convolve(one, self.damage(blows._replace(number=blows.number - 1)))
        return self.damages[blows]

    def row(self, k: int, kind: Kind, blows: Blows | None, *, first: bool, checked: bool = True) -> Chances:
        """Return what becomes of a unit that some blows strike, before or after its checks."""
        key = (k, kind, blows, first, checked)
        if key not in self.rows:
            unit = self.units[k]
            found = np.zeros(unit.size)
            for hurt, chance in enumerate(self.damage(blows).tolist()):
                figures = kind.figures - (kind.wound + hurt) // unit.pool
                wound = (kind.wound + hurt) % unit.pool if self.carries else 0
                place = unit.place[Kind(figures, wound, kind.formation)] if figures > 0 else unit.dead
                if checked:
                    found += chance * self.checked(k, kind.figures, place, first=first)
                else:
                    found[place] += chance
            self.rows[key] = found
        return self.rows[key]

    def checked(self, k: int, before: int, place: int, *, first: bool) -> Chances:
        """Return what becomes of a unit after its losses of a phase (B-LAN-23, B-LAN-24)."""
        unit = self.units[k]
        key = ("check", k, before, place, first)
        if place >= unit.dead:
            return self.sure(k, place)
        if key not in self.rows:
            chances: dict[int, float] = {place: 1.0}
            for _ in range(self.judge.morale(k, before, unit.kinds[place], first=first).due):
                later: dict[int, float] = defaultdict(float)
                for one, chance in chances.items():
                    passes = 1.0
                    if one < unit.dead:
                        most = self.judge.morale(k, before, unit.kinds[one], first=first).needed
                        passes = float(self.judge.passes(most))
                        later[self._failed(k, one)] += chance * (1 - passes)
                    later[one] += chance * passes
                chances = later
            found = np.zeros(unit.size)
            found[list(chances)] = list(chances.values())
            self.rows[key] = found
        return self.rows[key]

    def _failed(self, k: int, place: int) -> int:
        unit = self.units[k]
        kind = unit.kinds[place]
        if kind.formation != Formation.CLOSED:
            return unit.routed
        return unit.place[kind._replace(formation=int(Formation.OPEN))]
