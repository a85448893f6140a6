"""What one jug's attacks of a moment can do to another: every roll, weighted by its chance.

The attacks are rolled in the order of their declaration, because evasion and damage control are tried against the
first of a turn; their damage is added up and takes effect together (J-ATK-1, J-DMG-6).
"""

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.games.jugger.attack import Attacks, Effect, Shot, graver
from simkit.games.jugger.happenings import Source
from simkit.games.jugger.kinds import Ability
from simkit.games.jugger.standing import CLOSE, MISSILE, Arms, Standing
from simkit.games.jugger.wear import BRANCH_STEPS, MATRIX_STEPS, Effort, TooLargeError

Damage = NDArray[np.float64]
"""Chance of each damage from 0 on."""

MOST_EFFECTS = 10_000
"""Most different effects of one jug's attacks of a moment."""


class Outcome(NamedTuple):
    """An effect with the damage that goes with it."""

    effect: Effect
    damage: Damage


class Volley(NamedTuple):
    """All that can come of the attacks of one moment."""

    outcomes: list[Outcome]
    means: dict[int, float]
    """Expected damage by source."""


class Gunnery:
    """The attacks of one jug on another."""

    def __init__(self, own: Standing, foe: Standing, effort: Effort) -> None:
        self.own, self.rules, self.effort = own, own.chances.rules, effort
        self.attacks = Attacks(own.chances, foe.captain)
        self.depth = 0
        """Most roundings behind a chance of a volley."""
        self._volleys: dict[tuple[Arms, int], Volley | None] = {}
        self._rolled: dict[tuple[Shot, Effect], tuple[list[Outcome], float]] = {}

    def volley(self, arms: Arms, tried: int) -> Volley | None:
        """Return what all attacks that may be declared now lead to; None when there are none."""
        if (arms, tried) not in self._volleys:
            self._volleys[arms, tried] = self._roll_all(arms, tried)
        return self._volleys[arms, tried]

    def _roll_all(self, arms: Arms, tried: int) -> Volley | None:
        shots, declared = self._declare(arms)
        if not shots:
            return None
        found = {Effect(declared, tried, 0): np.ones(1)}
        means: dict[int, float] = {}
        depth = 0
        for shot in shots:
            after, adds, longest = dict[Effect, Damage](), Counter[Effect](), 0
            source = Source.HOLD if shot.squeezes else Source.WEAPON if shot.gun.is_weapon else Source.KICK
            for effect, damage in found.items():
                outcomes, mean = self._roll(shot, effect)
                means[source] = means.get(source, 0.0) + mean * float(damage.sum())
                for next, more in outcomes:
                    doom = graver(effect.doom, next.doom)
                    key = Effect(declared if doom else next.arms, next.tried, doom)
                    _add(after, key, np.convolve(damage, more))
                    adds[key] += 1
                    longest = max(longest, len(more))
            found = after
            self.effort.spend(MATRIX_STEPS * sum(adds.values()))
            if len(found) > MOST_EFFECTS:
                raise TooLargeError(f"the attacks of one moment can have more than {MOST_EFFECTS:,} effects")
            depth += 1 + longest + max(adds.values())
        self.depth = max(self.depth, depth)
        return Volley([Outcome(effect, damage) for effect, damage in found.items()], means)

    def _declare(self, arms: Arms) -> tuple[list[Shot], Arms]:
        """Return the attacks of ``hold``: all that bear, are ready and unused (J-HLD-1, J-ATK-1)."""
        own, shots = self.own, list[Shot]()
        used, helped, waits = arms.used, arms.helped, list(arms.waits)
        if self.rules.grab_damage == "attack":
            for gun in own.guns:
                if arms.holding >> gun.item & 1 and not (arms.fresh | used) >> gun.item & 1:
                    shots.append(Shot(gun, 0, squeezes=True))
                    used |= 1 << gun.item
        for gun in own.guns:
            busy = used | arms.holding | arms.roped
            if not own.works(arms, gun) or busy >> gun.item & 1:
                continue
            if gun.item in own.cauldrons:
                k = own.cauldrons.index(gun.item)
                if waits[k]:
                    continue
                waits[k] = self.rules.cauldron_every
            bonus = 0
            if gun.is_weapon:
                kind, ability = (MISSILE, Ability.ARTILLERIST) if gun.missile else (CLOSE, Ability.MELEER)
                if own.has(ability) and not helped & kind:
                    helped |= kind
                    bonus = self.rules.artillerist_bonus if gun.missile else self.rules.meleer_bonus
            shots.append(Shot(gun, bonus, squeezes=False))
            used |= 1 << gun.item
        return shots, arms._replace(used=used, helped=helped, waits=tuple(waits))

    def _roll(self, shot: Shot, effect: Effect) -> tuple[list[Outcome], float]:
        """Return what one attack leads to, and its expected damage; effects of others before it stay."""
        start = effect._replace(doom=0)
        if (shot, start) not in self._rolled:
            tables: dict[Effect, dict[int, Fraction]] = {}
            mean = Fraction(0)
            for chance, next, damage in self.attacks.branches(shot, start):
                self.effort.spend(BRANCH_STEPS)
                if not chance:
                    continue
                table = tables.setdefault(next, {})
                table[damage] = table.get(damage, Fraction(0)) + chance
                mean += chance * damage
            outcomes = [Outcome(next, spread(table)) for next, table in tables.items()]
            self._rolled[shot, start] = outcomes, float(mean)
        return self._rolled[shot, start]


def spread(table: dict[int, Fraction]) -> Damage:
    """Return chances by damage as an array."""
    found = np.zeros(max(table) + 1)
    for damage, chance in table.items():
        found[damage] = float(chance)
    return found


def _add(tables: dict[Effect, Damage], key: Effect, more: Damage) -> None:
    """Add to the damage of an effect."""
    if key in tables and len(tables[key]) >= len(more):
        tables[key][: len(more)] += more
    else:
        old, tables[key] = tables.get(key), more
        if old is not None:
            more[: len(old)] += old
