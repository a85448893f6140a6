"""What goes on by itself from turn to turn: holds, ropes, fires, cauldrons that get ready (J-WPN-7 to 9, J-END-1)."""

from fractions import Fraction

import numpy as np

from simkit.games.jugger.attack import CONTROLLED, Effect
from simkit.games.jugger.happenings import Cause, Source
from simkit.games.jugger.kinds import Ability, Special
from simkit.games.jugger.standing import Arms, Blaze
from simkit.games.jugger.volley import Gunnery, Outcome, Volley, spread


class Upkeep:
    """What holds, ropes and fires of one jug do to another."""

    def __init__(self, gunnery: Gunnery) -> None:
        self.own, self.foe = gunnery.own, gunnery.attacks
        self.chances, self.rules = self.foe.chances, self.foe.rules
        self._shaken: dict[Arms, list[tuple[float, Arms]]] = {}
        self._burnt: dict[tuple[Arms, int], Volley | None] = {}
        self._rested: dict[Arms, Arms] = {}

    def shaken(self, arms: Arms) -> list[tuple[float, Arms]]:
        """Return what still holds after the foe has tried to break free: one roll, or one a weapon (J-WPN-7)."""
        if arms not in self._shaken:
            self._shaken[arms] = self._shake(arms)
        return self._shaken[arms]

    def _shake(self, arms: Arms) -> list[tuple[float, Arms]]:
        held = [1 << gun.item for gun in self.own.guns if gun.is_weapon and arms.holding >> gun.item & 1]
        if not held:
            return [(1.0, arms)]
        found = {arms: Fraction(1)}
        for part in held if self.rules.break_roll == "weapon" else [sum(held)]:
            after = dict[Arms, Fraction]()
            for left, chance in found.items():
                slack = left._replace(holding=left.holding & ~part, fresh=left.fresh & ~(part & ~left.roped))
                for next, likely in ((slack, self.chances.freed), (left, 1 - self.chances.freed)):
                    after[next] = after.get(next, Fraction(0)) + chance * likely
            found = after
        return [(float(chance), left) for left, chance in found.items() if chance]

    def pulled(self, arms: Arms) -> list[tuple[float, Arms, int]]:
        """Return what the ropes that were out before this turn do (J-WPN-9): chance, arms, how the foe goes out."""
        topples, holds, snaps = self.chances.rope
        found = {(arms, 0): Fraction(1)}
        for gun in self.own.guns:
            if not gun.is_weapon or not arms.roped & ~arms.fresh & 1 << gun.item:
                continue
            after = dict[tuple[Arms, int], Fraction]()
            for (left, doom), chance in found.items():
                snapped = left._replace(lost=left.lost | 1 << gun.winch, roped=left.roped & ~(1 << gun.item))
                for next, likely in (
                    ((left, int(Cause.TOPPLED)), topples * self.foe.falls),
                    ((left, doom), topples * (1 - self.foe.falls) + holds),
                    ((snapped, doom), snaps),
                ):
                    after[next] = after.get(next, Fraction(0)) + chance * likely
            found = after
        return [(float(chance), left, doom) for (left, doom), chance in found.items() if chance]

    def put_out(self, arms: Arms, tried: int) -> list[tuple[float, Arms]]:
        """Return what burns on after the foe's damage control: of the fires the one with most damage left (J-CAP-4)."""
        if not arms.fires or tried & CONTROLLED or not self.foe.has(Ability.CONTROL):
            return [(1.0, arms)]
        worst = max(range(len(arms.fires)), key=lambda k: (self._damage_left(arms.fires[k]), -k))
        chance = self.chances.control
        out = arms._replace(fires=arms.fires[:worst] + arms.fires[worst + 1 :])
        return [(float(likely), left) for likely, left in ((chance, out), (1 - chance, arms)) if likely]

    def _damage_left(self, fire: Blaze) -> Fraction:
        """Return what a fire is expected to do until it has burnt out."""
        return fire.left * sum((loss * chance for loss, chance in self._burns(fire).items()), Fraction(0))

    def burnt(self, arms: Arms, tried: int) -> Volley | None:
        """Return what fires and older holds do in the end phase (J-WPN-3, J-WPN-8); None when there are none."""
        if (arms, tried) not in self._burnt:
            self._burnt[arms, tried] = self._burn(arms, tried)
        return self._burnt[arms, tried]

    def _burn(self, arms: Arms, tried: int) -> Volley | None:
        damage, means = np.ones(1), dict[int, float]()
        older = 0 if self.rules.grab_damage == "attack" else arms.holding & ~arms.fresh
        holds = [gun for gun in self.own.guns if gun.is_weapon and older >> gun.item & 1]
        if not arms.fires and not holds:
            return None
        for source, tables in (
            (Source.FIRE, [self._burns(fire) for fire in arms.fires]),
            (Source.HOLD, [{gun.damage(shown): chance for shown, chance in gun.rolls} for gun in holds]),
        ):
            for table in tables:
                damage = np.convolve(damage, spread(table))
                mean = sum((loss * chance for loss, chance in table.items()), Fraction(0))
                means[source] = means.get(source, 0.0) + float(mean)
        fires = tuple(fire._replace(left=fire.left - 1) for fire in arms.fires if fire.left > 1)
        return Volley([Outcome(Effect(arms._replace(fires=fires), tried, 0), damage)], means)

    def _burns(self, fire: Blaze) -> dict[int, Fraction]:
        """Return the damage of one fire this turn: its points, unless cauldrons are rolled anew (J-WPN-4)."""
        gun = self.own.by_item[fire.item]
        if self.rules.cauldron_reroll and gun.special == Special.CAULDRON:
            return {gun.damage(shown): chance for shown, chance in gun.rolls}
        return {fire.points: Fraction(1)}

    def rested(self, arms: Arms) -> Arms:
        """Return what is left as the next turn finds it: attacks are ready again (J-END-1, J-WPN-15)."""
        if arms not in self._rested:
            waits = tuple(max(0, wait - 1) for wait in arms.waits)
            self._rested[arms] = self.own.tidied(arms._replace(fresh=0, used=0, helped=0, waits=waits))
        return self._rested[arms]
