"""The policies of the twin that decide by themselves: `hold` (J-HLD-1) and `random` (dice of the purpose choice)."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tests.naive.jugger import tables as t
from tests.naive.jugger.board import Hex
from tests.naive.jugger.design import Jug

if TYPE_CHECKING:
    from tests.naive.jugger.battle import Battle


class Hold:
    """Nobody moves; everything that bears is fired at the start of each segment, at the first jug that it bears on."""

    def __init__(self, battle: "Battle") -> None:
        self.battle = battle

    def let_go(self, jug: Jug, item: int) -> bool:
        """Whether to let go with a weapon."""
        return False

    def haste(self, jug: Jug) -> bool:
        """Whether to cast haste."""
        return False

    def restore(self, jug: Jug) -> bool:
        """Whether to cast restoration."""
        return False

    def velocity(self, jug: Jug, low: int, high: int) -> int:
        """Return the velocity of this turn."""
        return 0

    def action(self, jug: Jug, options: list[str]) -> str:
        """Return one of the options F, L, R, stop."""
        return "stop" if "stop" in options else "F"

    def target(self, jug: Jug, item: int, targets: list[Jug]) -> Jug | None:
        """Return whom to attack with a weapon or the kick, if at all."""
        return targets[0] if self.battle.at_start else None

    def spikes(self, jug: Jug, item: int) -> bool:
        """Whether to use the wheel spikes."""
        return self.battle.at_start

    def spell(self, jug: Jug, options: list[tuple[int, Jug]]) -> tuple[int, Jug] | None:
        """Return one of the attack spells and its target, if any."""
        return None

    def reroll(self, jug: Jug, foe: Jug, item: int, ways: list[int]) -> int | None:
        """Return 0 for luck or 1 for fate to throw a roll again, if at all."""
        return None

    def shield(self, jug: Jug, foe: Jug, item: int) -> bool:
        """Whether to stop a hit with the spell shield."""
        return False

    def evade(self, jug: Jug, places: list[Hex]) -> Hex:
        """Return the hex to which a dodged ram moves a jug."""
        return places[0]

    def lose(self, jug: Jug, pieces: list[int], *, attacker: bool) -> int:
        """Return which piece of a jug is destroyed (J-DMG-9)."""
        worths = {index: worth(self.battle, jug, index) for index in pieces}
        if attacker:
            return next(index for index in pieces if worths[index] == max(worths.values()))
        return next(index for index in reversed(pieces) if worths[index] == min(worths.values()))


class Random(Hold):
    """Every choice is uniform among what is legal, except that nothing is let go and no reaction is used."""

    def haste(self, jug: Jug) -> bool:
        """Yes or no."""
        return self.battle.choose(jug, 2) == 0

    def restore(self, jug: Jug) -> bool:
        """Yes or no, if damaged."""
        return jug.hits < jug.full and self.battle.choose(jug, 2) == 0

    def velocity(self, jug: Jug, low: int, high: int) -> int:
        """Any legal velocity."""
        return low + self.battle.choose(jug, high - low + 1)

    def action(self, jug: Jug, options: list[str]) -> str:
        """Any legal action."""
        return options[self.battle.choose(jug, len(options))]

    def target(self, jug: Jug, item: int, targets: list[Jug]) -> Jug | None:
        """Any target, or none."""
        chosen = self.battle.choose(jug, len(targets) + 1)
        return targets[chosen] if chosen < len(targets) else None

    def spikes(self, jug: Jug, item: int) -> bool:
        """Yes or no."""
        return self.battle.choose(jug, 2) == 0

    def spell(self, jug: Jug, options: list[tuple[int, Jug]]) -> tuple[int, Jug] | None:
        """Any spell at any target, or none."""
        chosen = self.battle.choose(jug, len(options) + 1)
        return options[chosen] if chosen < len(options) else None

    def evade(self, jug: Jug, places: list[Hex]) -> Hex:
        """Any free hex."""
        return places[self.battle.choose(jug, len(places))]

    def lose(self, jug: Jug, pieces: list[int], *, attacker: bool) -> int:
        """Any living piece."""
        return pieces[self.battle.choose(jug, len(pieces))]


def hit_chance(needed: int, rules: Any) -> Fraction:
    """Return the chance of a roll to hit without a bonus (J-ATK-2)."""
    dice = t.faces(rules.to_hit_dice)
    at_most = rules.to_hit == "at_most"
    return sum((p for face, p in dice.items() if (face <= needed if at_most else face >= needed)), Fraction(0))


def worth(battle: "Battle", jug: Jug, index: int) -> Fraction:
    """Return the expected hits a turn of a piece where the jugs stand now (J-DMG-9); 0 for all that is no attack."""
    rules, piece = battle.rules, jug.pieces[index]
    if piece.kind == "legs":
        if not battle.enemies(jug, t.KICK):
            return Fraction(0)
        damage = t.mean(t.faces(rules.kick_dice).items()) + jug.sc * bool(rules.kick_adds_size)
        return Fraction(min(6, rules.kick_to_hit), 6) * damage  # at most, whatever is said of weapons (J-EQ-5)
    if piece.kind not in t.WEAPONS:
        return Fraction(0)
    item = jug.weapons.index(index)
    enemies = battle.enemies(jug, item)
    if not enemies or item in jug.lost_boarders:
        return Fraction(0)
    weapon = jug.weapon(item, rules)
    mean = t.mean(t.faces(weapon.damage).items()) * piece.size
    most = max(enemy.full for enemy in enemies)
    if weapon.special in ("boarders", "topple", "crew"):
        result = Fraction(most)
    elif weapon.special in ("fire", "cauldron"):
        result = mean * t.mean(t.faces(rules.fire_turns_dice).items())
    elif weapon.special == "scythe":
        faces = t.faces(weapon.damage).items()
        result = t.mean((most if face >= rules.scythe_cuts_from else face * piece.size, p) for face, p in faces)
    elif weapon.special == "spikes":
        result = mean * len(enemies)  # it attacks every one of them
    else:
        result = mean
    return hit_chance(weapon.to_hit, rules) * result
