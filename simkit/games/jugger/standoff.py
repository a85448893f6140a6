"""Duels in which nobody moves: the chances of all situations, carried forward turn by turn.

A situation is what both jugs have left to fight with and the condition of each. For every pair of arms there is a
matrix of chances, one axis for the condition of each jug; what one jug does to the other depends on arms alone, so a
moment is a product of two losses, one an axis. All numbers are sums and products of chances: nothing is subtracted, so
that the rounding error of a number stays small relative to that number.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from simkit.games.jugger.attack import Effect
from simkit.games.jugger.chances import Chances
from simkit.games.jugger.happenings import Cause
from simkit.games.jugger.kinds import Ability
from simkit.games.jugger.standing import Arms, Standing
from simkit.games.jugger.totals import SIDES, Totals
from simkit.games.jugger.upkeep import Upkeep
from simkit.games.jugger.volley import Gunnery, Outcome, Volley
from simkit.games.jugger.wear import MATRIX_STEPS, Body, Effort, Matrix, TooLargeError

NOTHING = 1e-20
"""What is less likely than this is not followed up: it counts as undecided, and is added to the error."""

MOST_SITUATIONS = 2_000_000
"""Most situations at the end of a turn."""

MOST_STEPS = 20_000_000
"""Most situations that are looked at in a turn."""

ULP = 2.0**-53
"""Largest relative error of one addition or product; that of n in a row is at most n ULP / (1 - n ULP) (Higham,
*Accuracy and Stability of Numerical Algorithms*, 2002, lemma 3.1)."""

LAST_SUMS = 64
"""Roundings of numpy's sum by pairs over all conditions."""


class Pair(NamedTuple):
    """What both jugs have left, and what each has tried this turn."""

    arms: tuple[Arms, Arms]
    tried: tuple[int, int] = (0, 0)
    doom: tuple[int, int] = (0, 0)
    """How each goes out at this moment beside damage: a Cause, or 0."""

    def after(self, side: int, effect: Effect) -> "Pair":
        """Return the pair after the attacks of a side: its arms, and what has become of the other jug."""
        if side == 0:
            return Pair((effect.arms, self.arms[1]), (self.tried[0], effect.tried), (self.doom[0], effect.doom))
        return Pair((self.arms[0], effect.arms), (effect.tried, self.tried[1]), (effect.doom, self.doom[1]))


class Field:
    """Chances by pair of arms; a matrix has an axis for each jug, and what is missing at its ends is 0."""

    def __init__(self) -> None:
        self.chances: dict[Pair, Matrix] = {}
        self.adds: dict[Pair, int] = {}

    def __iter__(self) -> Iterator[tuple[Pair, Matrix]]:
        return iter(self.chances.items())

    def add(self, pair: Pair, more: Matrix, weight: float = 1.0) -> None:
        """Add chances to a pair; `more` is left as it is."""
        self.put(pair, weight * more)

    def put(self, pair: Pair, more: Matrix) -> None:
        """Add chances to a pair; `more` is given away."""
        if pair not in self.chances:
            self.chances[pair] = more
            self.adds[pair] = 1
            return
        sum = self.chances[pair]
        if sum.shape == more.shape:
            sum += more
        else:
            grown = np.zeros(np.maximum(sum.shape, more.shape))
            for part in (sum, more):
                grown[: len(part), : part.shape[1]] += part
            self.chances[pair] = grown
        self.adds[pair] += 1


class Standoff:
    """A duel between two jugs that stand still.

    Parameters
    ----------
    jugs
        Both jugs in their places.
    chances
        The rule set.
    turns
        The turn cap.
    defender
        Side that has won when the turns are used up, or -1.
    most
        Most situations that are looked at in a turn.
    effort
        Counts the work; default: as much as it takes.
    """

    def __init__(
        self,
        jugs: tuple[Standing, Standing],
        chances: Chances,
        turns: int,
        defender: int = -1,
        most: int = MOST_STEPS,
        effort: Effort | None = None,
    ) -> None:
        self.jugs, self.chances, self.rules, self.turns, self.defender = jugs, chances, chances.rules, turns, defender
        self.most, self.effort = most, effort or Effort()
        self.gunnery = Gunnery(jugs[0], jugs[1], self.effort), Gunnery(jugs[1], jugs[0], self.effort)
        self.upkeep = Upkeep(self.gunnery[0]), Upkeep(self.gunnery[1])
        self.bodies = self._body(0), self._body(1)
        self.turn = 0
        self.totals = Totals((jugs[0].size, jugs[1].size))
        self.seen: set[Pair] = set()
        self.steps = 0
        self.rounding = 0
        """Additions and products that a chance may have gone through."""
        self.left_out = 0.0
        """Chance of what was not followed up."""
        self.error = 0.0
        """Bound of the error of a share, by rounding and by what was left out."""

    def _body(self, side: int) -> Body:
        own, foe, rules = self.jugs[side], self.jugs[1 - side], self.rules
        losses = set[int]()
        for gun in foe.guns:
            losses |= {gun.points} | {gun.damage(shown) for shown, _ in gun.rolls}
        if own.has(Ability.CONTROL):
            losses |= {loss // rules.control_divides for loss in losses}
        gains = [gain for gain, _ in self.chances.rolls("repair_dice")] if own.has(Ability.MECHANIC) else []
        missing = rules.critical_counts == "missing"
        return Body(own.hits, losses, gains, rules.critical_every, missing=missing)

    @property
    def situations(self) -> int:
        """Situations that the beginning of a turn can be."""
        return len(self.seen) * len(self.bodies[0]) * len(self.bodies[1])

    @property
    def order_matters(self) -> bool:
        """Whether it matters whose segment comes first (J-HLD-1): with weapons that grab."""
        return any(jug.grabs for jug in self.jugs)

    def ahead(self, turn: int) -> Fraction:
        """Return the chance that side 0 moves first in a turn (J-INI-1 to J-INI-3, J-DEP-3)."""
        if turn == 1 and self.rules.strategic_roll:
            return Fraction(1, 2)
        bonus = [self.rules.tactics_bonus * int(jug.has(Ability.TACTICS)) for jug in self.jugs]
        return self.chances.first(*bonus)

    def play(self, first: int | None = None) -> dict[str, float]:
        """Play from the start to the turn cap.

        Parameters
        ----------
        first
            Side that has the initiative in turn 1; None: as it falls.

        Returns
        -------
        dict
            Expected values of the columns of an outcome that do not ask who was first.

        Raises
        ------
        TooLargeError
            There are too many situations.
        """
        self.totals, self.rounding, self.left_out = Totals((self.jugs[0].size, self.jugs[1].size)), 0, 0.0
        start = np.zeros((len(self.bodies[0]), len(self.bodies[1])))
        start[self.bodies[0].start, self.bodies[1].start] = 1.0
        field = Field()
        field.add(Pair((self.jugs[0].fresh, self.jugs[1].fresh)), start)
        for turn in range(1, self.turns + 1):
            self.turn = turn
            self.seen |= set(field.chances)
            self.steps = 0
            field = self._close(self._fight(field, self._orders(first if self.turn == 1 else None)))
            if len(field.chances) * start.size > MOST_SITUATIONS:
                raise TooLargeError(f"a turn of this duel can end in more than {MOST_SITUATIONS:,} situations")
        for _, chances in field:
            hits = self._hits(0, chances.sum(axis=1)), self._hits(1, chances.sum(axis=0))
            self.totals.undecided(float(chances.sum()), self.turns, hits, self.defender)
        self.totals.undecided(self.left_out, self.turns, (0.0, 0.0), self.defender)
        rounded = (self.rounding + 2 * sum(start.shape) + LAST_SUMS) * ULP
        self.error = max(self.error, rounded / (1 - rounded) + self.left_out)
        return self.totals.columns()

    def _orders(self, first: int | None) -> list[tuple[int, Fraction]]:
        """Return who may move first, with chances; where it does not matter, side 0."""
        if not self.order_matters:
            return [(0, Fraction(1))]
        ahead = self.ahead(self.turn)
        return [(0, ahead), (1, 1 - ahead)] if first is None else [(first, Fraction(1))]

    def _fight(self, field: Field, orders: list[tuple[int, Fraction]]) -> Field:
        """Play both segments: break rolls, and all attacks at the start of each (J-SEG-1, J-HLD-1)."""
        fought = Field()
        for side, chance in orders:
            now = field
            if chance != 1:
                now = Field()
                for pair, chances in field:
                    now.add(pair, chances, float(chance))
            for segment in (side, 1 - side):
                now = self._moment(self._shake_off(now, 1 - segment))
            for pair, chances in now:
                fought.add(pair, chances)
        return self._done(fought)

    def _close(self, field: Field) -> Field:
        """Play the end phase in its parts (J-END-1)."""
        return self._rest(self._repair(self._burn(self._put_out(self._pull(field)))))

    def _done(self, field: Field, roundings: int = 2) -> Field:
        """Note how many roundings a step has brought, and the work that it was."""
        self.rounding += roundings + max(field.adds.values(), default=0)
        self.effort.spend(sum(field.adds[pair] * (chances.size + MATRIX_STEPS) for pair, chances in field))
        return field

    # Parts of a turn

    def _shake_off(self, field: Field, holder: int) -> Field:
        def options(pair: Pair, side: int) -> list[tuple[float, Arms]]:
            arms = pair.arms[side]
            return self.upkeep[side].shaken(arms) if side == holder else [(1.0, arms)]

        return self._branch(field, options) if self.jugs[holder].grabs else field

    def _moment(self, field: Field) -> Field:
        def attacks(pair: Pair, side: int) -> Volley | None:
            return self.gunnery[side].volley(pair.arms[side], pair.tried[1 - side])

        return self._clash(field, attacks)

    def _pull(self, field: Field) -> Field:
        if not any(jug.ropes for jug in self.jugs):
            return field
        after = Field()
        for pair, chances in field:
            for chance, own, doom in self.upkeep[0].pulled(pair.arms[0]):
                for likely, other, back in self.upkeep[1].pulled(pair.arms[1]):
                    if doom or back:
                        self._outlive(Pair((own, other), pair.tried, (back, doom)), chance * likely * chances)
                    else:
                        after.add(Pair((own, other), pair.tried), chances, chance * likely)
        return self._done(after)

    def _outlive(self, pair: Pair, chances: Matrix) -> None:
        """Play the turn out where a rope has toppled a jug: the fires that it lit burn on (J-END-1, J-WPN-3).

        No more roundings than in a turn that nobody ends: it is one loss on the same way.
        """
        by_side = chances.sum(axis=1), chances.sum(axis=0)
        if all(pair.doom):
            self._end(pair.doom, *by_side)
            return
        side = pair.doom.index(0)
        upkeep, tried = self.upkeep[1 - side], pair.tried[side]
        for likely, left in upkeep.put_out(pair.arms[1 - side]._replace(holding=0), tried):
            part = likely * by_side[side]
            volley = upkeep.burnt(left, tried)
            lived = part[None]
            if volley:
                for source, mean in volley.means.items():
                    self.totals.damage(1 - side, source, mean * float(part.sum()))
                burnt = self.bodies[side].loss(volley.outcomes[0].damage).of(part[:, None])[:, 0]
                destroyed, lived = int(Cause.DESTROYED), burnt[1:]
                both = (pair.doom[0] or destroyed, pair.doom[1] or destroyed)
                self.totals.end(both, float(burnt[0]), self.turn, (0.0, 0.0), last=destroyed)
            self._end(pair.doom, None if side else lived, lived if side else None)

    def _put_out(self, field: Field) -> Field:
        def options(pair: Pair, side: int) -> list[tuple[float, Arms]]:
            return self.upkeep[side].put_out(pair.arms[side], pair.tried[1 - side])

        return self._branch(field, options) if any(jug.has(Ability.CONTROL) for jug in self.jugs) else field

    def _burn(self, field: Field) -> Field:
        def burning(pair: Pair, side: int) -> Volley | None:
            return self.upkeep[side].burnt(pair.arms[side], pair.tried[1 - side])

        return self._clash(field, burning)

    def _repair(self, field: Field) -> Field:
        if not any(jug.has(Ability.MECHANIC) for jug in self.jugs):
            return field
        after = Field()
        gains = [(gain, float(chance)) for gain, chance in self.chances.rolls("repair_dice")]
        for pair, chances in field:
            if self.jugs[0].has(Ability.MECHANIC):
                chances = self.bodies[0].repaired(chances, gains)
            if self.jugs[1].has(Ability.MECHANIC):
                chances = self.bodies[1].repaired(chances.T, gains).T
            after.add(pair, chances)
        return self._done(after, 4 * len(gains))

    def _rest(self, field: Field) -> Field:
        after, kept = Field(), Field()
        for pair, chances in field:
            first, second = (self.upkeep[side].rested(pair.arms[side]) for side in SIDES)
            after.add(Pair((first, second)), chances)
        for pair, chances in after:
            chance = float(chances.sum())
            if chance < NOTHING:
                self.left_out += chance
            else:
                kept.chances[pair] = chances
        self._done(after)
        return kept

    # What one jug does to the other

    def _branch(self, field: Field, options: Callable[[Pair, int], list[tuple[float, Arms]]]) -> Field:
        """Let what happens to the arms of both jugs happen together, with chances."""
        after = Field()
        for pair, chances in field:
            for chance, own in options(pair, 0):
                for likely, other in options(pair, 1):
                    after.add(Pair((own, other), pair.tried), chances, chance * likely)
        return self._done(after)

    def _clash(self, field: Field, volleys: Callable[[Pair, int], Volley | None]) -> Field:
        """Let what both jugs do take effect together (J-DMG-6).

        The volley of a side depends on its own arms and on what the other has tried, so that one side's can be worked
        out after the other's. Between the two the matrices have the axis of jug 1 first.
        """
        after, halfway, settled = Field(), Field(), Field()
        for pair, chances in field:
            if volleys(pair, 0) or volleys(pair, 1):
                self._strike(halfway, pair, 0, np.ascontiguousarray(chances.T), volleys(pair, 0))
            else:
                after.add(pair, chances)
        self._done(halfway, self._roundings())
        for pair, chances in halfway:
            self._strike(settled, pair, 1, np.ascontiguousarray(chances.T), volleys(pair, 1))
        self._done(settled, self._roundings())
        for pair, chances in settled:
            self._settle(after, pair, chances)
        return self._done(after)

    def _strike(self, after: Field, pair: Pair, side: int, chances: Matrix, volley: Volley | None) -> None:
        """Let one jug's attacks of a moment hit the other, whose conditions are the first axis."""
        chance = float(chances.sum())
        for source, mean in volley.means.items() if volley else ():
            self.totals.damage(side, source, chance * mean)
        idle = Outcome(Effect(pair.arms[side], pair.tried[1 - side], 0), np.ones(1))
        for effect, damage in volley.outcomes if volley else [idle]:
            loss = self.bodies[1 - side].loss(damage)
            if chance * loss.worth < NOTHING:
                self.left_out += chance * loss.worth
                continue
            both = loss.of(chances)
            self.steps += both.size
            if self.steps > self.most:
                raise TooLargeError(f"a turn of this duel leads through more than {self.most:,} situations")
            after.put(pair.after(side, effect), both)

    def _settle(self, after: Field, pair: Pair, both: Matrix) -> None:
        """See who is out, and take away what critical rolls cost the others (J-DMG-2, J-DMG-6)."""
        sizes, doom = [len(body) for body in self.bodies], pair.doom
        self._end((int(Cause.DESTROYED), doom[1]), None, both[0, 1:])
        self._end((doom[0], int(Cause.DESTROYED)), both[1:, 0], None)
        if both[0, 0]:
            self.totals.end((int(Cause.DESTROYED),) * 2, float(both[0, 0]), self.turn, (0.0, 0.0))
        left = both[1:, 1:]
        if any(doom):
            self._end(doom, left.sum(axis=1), left.sum(axis=0))
            return
        parts = left.reshape(-1, sizes[0], left.shape[1] // sizes[1], sizes[1])
        masses = parts.sum(axis=(1, 3)).tolist()
        for i, row in enumerate(masses):
            for j, chance in enumerate(row):
                if chance < NOTHING:
                    self.left_out += chance
                    continue
                self.totals.criticals(0, i * chance)
                self.totals.criticals(1, j * chance)
                for likely, own in self.jugs[0].losses(pair.arms[0], i):
                    for rarely, other in self.jugs[1].losses(pair.arms[1], j):
                        after.add(Pair((own, other), pair.tried), parts[i, :, j, :], likely * rarely)

    def _end(self, causes: tuple[int, int], first: Matrix | None, second: Matrix | None) -> None:
        """Add an end of the duel; `first` and `second`: chances of a jug's rolls and conditions, None if it is out."""
        chance = float((second if first is None else first).sum())  # type: ignore[union-attr]
        if not chance:
            return
        hits = [0.0, 0.0]
        for side, found in enumerate((first, second)):
            if found is None:
                continue
            by_rolls = found.reshape(-1, len(self.bodies[side]))
            hits[side] = self._hits(side, by_rolls.sum(axis=0))
            if causes[side] in (0, Cause.CAPTURED) and len(by_rolls) > 1:
                fights_for = 1 - side if causes[side] else side
                self.totals.criticals(fights_for, float(np.arange(len(by_rolls)) @ by_rolls.sum(axis=1)))
        self.totals.end(causes, chance, self.turn, (hits[0], hits[1]))

    def _hits(self, side: int, chances: Matrix) -> float:
        """Return hits times chances."""
        return float(chances @ self.bodies[side].hits)

    def _roundings(self) -> int:
        """Return a bound of the roundings of one loss: a sum over a block, over blocks, and behind its chances."""
        return sum(max(body.widest, len(body.borders)) for body in self.bodies) + sum(g.depth for g in self.gunnery) + 8
