"""What a design is worth on paper: movement, ram, and the damage it may expect to do a turn, all from the rules.

The damage is that of a turn in which every weapon and the kick that reach the target attack it, no weapon is
lost and none is busy holding; fires count with the share of turns in which they burn in the long run.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import prod
from typing import Any, NamedTuple

from simkit.core.dice import mean, parse
from simkit.core.dicetable import faces
from simkit.games.jugger.designs import Design, hits, load
from simkit.games.jugger.items import Item, written
from simkit.games.jugger.rules import Rules

RANGES = (1, 2, 5, 10, 15)
"""Ranges that the ratings show: those of the weapon tables."""

ARCS = ("front", "side", "rear")
"""Where the target may lie: ahead, in a side hex or beyond it, behind."""


class Ratings(NamedTuple):
    """A design in figures."""

    hits: int
    """Hits that it fights with."""
    printed_hits: int | None
    """Hits that its list prints, where they are others."""
    acceleration: int
    deceleration: int
    turn_rate: int
    """Turns of 60 degrees a turn."""
    top_velocity: int | None
    """Highest velocity it may choose, or None without legs."""
    ram: str
    """What is multiplied by the velocity in a side ram, such as ``"1d6+7"``; empty with legs."""
    kick: str
    """Damage of its kick; empty without legs."""
    damage: Mapping[str, Mapping[int, Fraction]]
    """Expected damage a turn by arc and range."""
    kills: Mapping[str, Mapping[int, Fraction]]
    """Chance a turn to end a target at once by topple, boarders, crew or scythe, by arc and range."""


def ratings(design: Design, rules: Rules) -> Ratings:
    """Rate a legal design under these rules, its captain included.

    Examples
    --------
    >>> from simkit.games.jugger.designs import find
    >>> windrammer = ratings(find("Windrammer"), Rules())
    >>> windrammer.acceleration, windrammer.deceleration, windrammer.ram
    (3, 3, '1d6+7')
    >>> ratings(find("Miner"), Rules()).damage["front"][1]
    Fraction(28, 3)
    """
    have, able = design.count, set(design.abilities)
    legs = have("legs") > 0
    derived = hits(design, rules.model_copy(update={"printed_hits": False}))
    attacks = {
        arc: {away: [_attack(design, rules, shot) for shot in _shots(design, rules, arc, away)] for away in RANGES}
        for arc in ARCS
    }
    return Ratings(
        hits=hits(design, rules),
        printed_hits=None if design.printed_hits in (None, derived) else design.printed_hits,
        acceleration=rules.base_acceleration
        + have("gears") * rules.gears_acceleration
        + have("sails") * rules.sails_acceleration
        + ("speed" in able) * rules.speed_acceleration,
        deceleration=rules.base_deceleration
        + have("brakes") * rules.brakes_deceleration
        + have("sails") * rules.sails_deceleration
        + legs * rules.legs_deceleration
        + ("balance" in able) * rules.balance_deceleration,
        turn_rate=rules.base_turn_rate
        + have("steering") * rules.steering_turns
        + legs * rules.legs_turns
        + ("cornering" in able) * rules.cornering_turns,
        top_velocity=rules.legs_top_velocity if legs else None,
        ram="" if legs else _plus(rules.ram_dice, design.size + have("reinforced_ram") * rules.ram_bonus),
        kick=_plus(rules.kick_dice, design.size * rules.kick_adds_size) if legs else "",
        damage={
            arc: {away: sum((shot.damage for shot in shots), Fraction(0)) for away, shots in row.items()}
            for arc, row in attacks.items()
        },
        kills={arc: {away: _any(shots) for away, shots in row.items()} for arc, row in attacks.items()},
    )


def _plus(dice: str, bonus: int) -> str:
    return str(parse(f"{dice}+{bonus}")) if bonus else dice


class _Shot(NamedTuple):
    """A weapon that reaches the target, or the kick, and its to-hit number, the captain's bonus included."""

    item: Item
    to_hit: int
    winch: bool = False


class _Attack(NamedTuple):
    """What a turn's attack of one weapon may be expected to do."""

    damage: Fraction
    kill: Fraction


KICK = Item("kick")


def _shots(design: Design, rules: Rules, arc: str, away: int) -> list[_Shot]:
    """List the attacks that reach a target, and what each has to roll (J-ATK-3, J-CAP-5)."""
    bonuses = {"missile": 0, "close": 0}
    if "artillerist" in design.abilities:
        bonuses["missile"] = rules.artillerist_bonus
    if "meleer" in design.abilities:
        bonuses["close"] = rules.meleer_bonus
    winches = design.count("winch")
    shots = []
    for item in design.weapons:
        weapon = rules.weapons[item.kind]
        winch = item.kind == "ballista" and winches > 0
        winches -= winch
        ahead = {"all": ARCS, "forward": ("front",), "side": ("side",)}[weapon.arc]
        if arc in ahead and away <= weapon.range:
            bonus, bonuses = _take(bonuses, "missile" if weapon.range >= rules.missile_from else "close")
            shots.append(_Shot(item, _needed(weapon.to_hit, bonus, rules), winch))
    if design.count("legs") and arc == "front" and away == 1:
        shots.append(_Shot(KICK, _needed(rules.kick_to_hit, 0, rules)))
    return shots


def _take(bonuses: dict[str, int], what: str) -> tuple[int, dict[str, int]]:
    """Give the captain's bonus to the first attack of its kind."""
    return bonuses[what], {**bonuses, what: 0}


def _needed(to_hit: int, bonus: int, rules: Rules) -> int:
    return min(rules.to_hit_max, to_hit + bonus) if rules.to_hit == "at_most" else max(1, to_hit - bonus)


def _attack(design: Design, rules: Rules, shot: _Shot) -> _Attack:
    at_least = rules.to_hit == "at_least"
    hit = _chance(rules.to_hit_dice, lambda roll: roll >= shot.to_hit if at_least else roll <= shot.to_hit)
    if shot.item is KICK:
        return _Attack(hit * (mean(parse(rules.kick_dice)) + design.size * rules.kick_adds_size), Fraction(0))
    weapon = rules.weapons[shot.item.kind]
    dice, times = rules.damage(*shot.item)
    points = mean(dice) * times
    if weapon.special in ("boarders", "topple", "crew"):
        return _Attack(Fraction(0), hit)
    if weapon.special in ("fire", "cauldron"):
        return _Attack(points * _fires(hit, weapon.special == "cauldron", rules), Fraction(0))
    if weapon.special == "scythe":
        cut = _chance(str(dice), lambda roll: roll >= rules.scythe_cuts_from)
        left = sum((roll * chance for roll, chance in _faces(str(dice)) if roll < rules.scythe_cuts_from), Fraction(0))
        return _Attack(hit * left * times, hit * cut)
    topple = _chance(rules.rope_dice, lambda roll: roll <= rules.rope_topples_at_most) if shot.winch else Fraction(0)
    return _Attack(hit * points, hit * topple)


def _fires(hit: Fraction, cauldron: bool, rules: Rules) -> Fraction:
    """Return how many fires of one weapon burn in an end phase of the long run (J-WPN-3, J-WPN-15).

    A fire of T turns that was lit k turns ago burns if T > k; without stacking it is all one fire, which is out only if
    every attack of the last turns missed or has burnt down. A cauldron attacks in every third turn alone.
    """
    turns = _faces(rules.fire_turns_dice)
    every = rules.cauldron_every if cauldron else 1
    if rules.fire_stacks:
        return hit * sum((count * chance for count, chance in turns), Fraction(0)) / every
    longest = max(count for count, _ in turns)
    burns = [hit * sum(chance for count, chance in turns if count > age) for age in range(longest)]
    out = [prod((1 - burn for burn in burns[phase::every]), start=Fraction(1)) for phase in range(every)]
    return 1 - sum(out, Fraction(0)) / every


def _any(attacks: list[_Attack]) -> Fraction:
    return 1 - prod((1 - attack.kill for attack in attacks), start=Fraction(1))


def _chance(dice: str, wanted: Callable[[int], bool]) -> Fraction:
    return sum((chance for roll, chance in _faces(dice) if wanted(roll)), Fraction(0))


@cache
def _faces(dice: str) -> list[tuple[int, Fraction]]:
    """Return what dice show and how often, as kernels roll them."""
    return faces(parse(dice))


def presets() -> list[dict[str, Any]]:
    """List the published designs with their ratings by the rules of record, the 22 Warbuggies after them."""
    return [_row(id, design, Rules()) for id, design in load().items()]


def _row(id: str, design: Design, rules: Rules) -> dict[str, Any]:
    rated = ratings(design, rules)
    printed = f" (printed {rated.printed_hits})" if rated.printed_hits else ""
    return {
        "design": id,
        "race": design.race or "all",
        "SC": design.size,
        "hits": f"{rated.hits}{printed}",
        "up": rated.acceleration,
        "down": rated.deceleration,
        "turns": rated.turn_rate,
        "top speed": "none" if rated.top_velocity is None else rated.top_velocity,
        "ram, times speed": rated.ram or "none",
        **{f"damage at {away}": f"{float(rated.damage['front'][away]):.1f}" for away in RANGES},
        "kills at 1": f"{float(rated.kills['front'][1]):.0%}",
        "equipment": ", ".join(written(design.items)),
    }
