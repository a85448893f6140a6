"""One attack of a jug on another: every way in which it can go, with its chance (J-ATK, J-WPN, J-CAP)."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from simkit.games.jugger.aboard import is_fire
from simkit.games.jugger.chances import Chances, Gun, plain
from simkit.games.jugger.happenings import Cause
from simkit.games.jugger.kinds import Ability, Special
from simkit.games.jugger.settle import gravity
from simkit.games.jugger.standing import Arms, Blaze

EVADED, CONTROLLED = 1, 2
"""Bits of what a target has tried this turn."""


class Shot(NamedTuple):
    """A declared attack."""

    gun: Gun
    bonus: int
    squeezes: bool
    """A weapon that holds, where holds attack (J-WPN-8)."""


class Effect(NamedTuple):
    """What attacks lead to beside damage."""

    arms: Arms
    """What the attacker has left."""
    tried: int
    """What the target has tried."""
    doom: int
    """How the target goes out beside damage: a Cause, or 0."""


class Attacks:
    """The attacks on one jug under one rule set.

    Parameters
    ----------
    chances
        The rule set.
    captain
        Abilities of the target's captain, as bits.
    """

    def __init__(self, chances: Chances, captain: int = 0) -> None:
        self.chances, self.rules, self.captain = chances, chances.rules, captain

    def has(self, ability: Ability) -> bool:
        """Tell whether the target's captain has an ability (J-CAP-1)."""
        return bool(self.captain >> ability & 1)

    def branches(self, shot: Shot, effect: Effect) -> Iterator[tuple[Fraction, Effect, int]]:
        """Yield chance, effect and damage of every way in which an attack can go (J-ATK-2, J-CAP-3)."""
        if shot.squeezes:
            for shown, chance in shot.gun.rolls:
                yield chance, effect, shot.gun.damage(shown)
            return
        declared = self.rules.evasion == "declared"
        for dodged, likely, tried in self._dodges(effect) if declared else [(False, Fraction(1), effect)]:
            if dodged:
                yield likely, tried, 0
                continue
            for roll in self.chances.hit_rolls(shot.gun, shot.bonus):
                now = tried
                if roll.boarders_lost:
                    now = tried._replace(arms=tried.arms._replace(spent=tried.arms.spent | 1 << shot.gun.item))
                if not roll.hits:
                    yield likely * roll.chance, now, 0
                    continue
                for missed, rarely, met in [(False, Fraction(1), now)] if declared else self._dodges(now):
                    if missed:
                        yield likely * roll.chance * rarely, met, 0
                        continue
                    for chance, after, damage in self.strikes(shot.gun, met):
                        yield likely * roll.chance * rarely * chance, after, damage

    def _dodges(self, effect: Effect) -> list[tuple[bool, Fraction, Effect]]:
        """Return whether evasion saves the target (J-CAP-3): one try a turn."""
        if not self.has(Ability.EVASION) or effect.tried & EVADED:
            return [(False, Fraction(1), effect)]
        tried, chance = effect._replace(tried=effect.tried | EVADED), self.chances.dodge
        return [(True, chance, tried), (False, 1 - chance, tried)]

    def strikes(self, gun: Gun, effect: Effect) -> Iterator[tuple[Fraction, Effect, int]]:
        """Yield chance, effect and damage of what a hit does (J-WPN-1)."""
        special = gun.special
        if special == Special.BOARDERS or special == Special.CREW:
            cause = Cause.CAPTURED if special == Special.BOARDERS else Cause.CREW
            yield Fraction(1), effect._replace(doom=int(cause)), 0
        elif special == Special.TOPPLE:
            yield self.falls, effect._replace(doom=int(Cause.TOPPLED)), 0
            yield 1 - self.falls, effect, 0
        elif plain(is_fire)(special):
            for points, turns, chance in self.chances.fires(gun):
                fires = self.lit(effect.arms.fires, Blaze(gun.item, points, turns))
                yield chance, effect._replace(arms=effect.arms._replace(fires=fires)), 0
        else:
            for shown, chance in gun.rolls:
                cuts = special == Special.SCYTHE and shown >= self.rules.scythe_cuts_from
                hit = effect._replace(doom=int(Cause.CUT)) if cuts else effect
                for likely, beside in self._seizes(gun, hit):
                    for rarely, after, damage in self._controls(beside, 0 if cuts else gun.damage(shown)):
                        yield chance * likely * rarely, after, damage

    def _seizes(self, gun: Gun, effect: Effect) -> Iterator[tuple[Fraction, Effect]]:
        """Yield whether a hit takes hold, and what its rope does (J-WPN-2, J-WPN-9)."""
        if gun.special == Special.GRAB:
            effect = self._with(effect, "holding", gun)
        if gun.winch < 0 or effect.arms.lost >> gun.winch & 1:
            yield Fraction(1), effect
            return
        topples, holds, snaps = self.chances.rope
        roped = self._with(effect, "roped", gun)
        yield topples * self.falls, effect._replace(doom=graver(effect.doom, int(Cause.TOPPLED)))
        yield topples * (1 - self.falls) + holds, roped
        yield snaps, effect._replace(arms=effect.arms._replace(lost=effect.arms.lost | 1 << gun.winch))

    def _with(self, effect: Effect, what: str, gun: Gun) -> Effect:
        """Return an effect with a weapon that took hold or threw its rope this turn."""
        arms: Any = effect.arms
        bit = 1 << gun.item
        return effect._replace(arms=arms._replace(**{what: getattr(arms, what) | bit, "fresh": arms.fresh | bit}))

    @cached_property
    def falls(self) -> Fraction:
        """Chance that a topple succeeds, which balance may avoid (J-CAP-1)."""
        return 1 - self.chances.balance if self.has(Ability.BALANCE) else Fraction(1)

    def _controls(self, effect: Effect, damage: int) -> Iterator[tuple[Fraction, Effect, int]]:
        """Yield the damage that is left after damage control (J-CAP-4): one try a turn."""
        if damage <= 0 or not self.has(Ability.CONTROL) or effect.tried & CONTROLLED:
            yield Fraction(1), effect, damage
            return
        tried, chance = effect._replace(tried=effect.tried | CONTROLLED), self.chances.control
        yield chance, tried, damage // self.rules.control_divides
        yield 1 - chance, tried, damage

    def lit(self, fires: tuple[Blaze, ...], new: Blaze) -> tuple[Blaze, ...]:
        """Return the fires after a hit (J-WPN-3): it replaces the weapon's old fire unless that burns longer."""
        if new.left <= 0:
            return fires
        if not self.rules.fire_stacks:
            if any(fire.item == new.item and fire.left > new.left for fire in fires):
                return fires
            fires = tuple(fire for fire in fires if fire.item != new.item)
        return tuple(sorted([*fires, new], key=lambda fire: fire.item))


def graver(one: int, other: int) -> int:
    """Return the graver of two causes, of equals the first (J-WPN-11)."""
    if not one or not other:
        return one or other
    return other if plain(gravity)(other) > plain(gravity)(one) else one
