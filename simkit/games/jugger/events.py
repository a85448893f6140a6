"""Single events exactly, in fractions: a ram, a collision, critical rolls, one attack, a topple, a fire.

They rest on the same rules as the kernels, asked for every throw of the dice.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from simkit.games.jugger.aboard import is_fire
from simkit.games.jugger.attack import Attacks, Effect, Shot
from simkit.games.jugger.chances import Chances, Gun, plain
from simkit.games.jugger.damage import critical_rolls
from simkit.games.jugger.designs import Design, captains
from simkit.games.jugger.happenings import Cause
from simkit.games.jugger.items import Item
from simkit.games.jugger.ramming import HEAD_ON, REAR, SIDE, collision_damage, push, ram_damage, ram_velocity
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.standing import Arms

RAMS = {"head-on": HEAD_ON, "side": SIDE, "rear": REAR}
"""Rams by name."""

WORDS = {
    int(Cause.TOPPLED): "toppled",
    int(Cause.CUT): "cut in half",
    int(Cause.CREW): "crew killed",
    int(Cause.CAPTURED): "captured",
}
"""What an attack does beside damage."""

Odds = dict[Any, Fraction]


class Rammer(NamedTuple):
    """One of two jugs that meet in a ram."""

    size: int
    bonus: int
    """Reinforced ram left."""
    velocity: int
    hits: int
    has_ram: bool
    """It meets a head-on ram with a ram of its own (J-RAM-4)."""


class Ram(NamedTuple):
    """How a ram goes."""

    damage: int
    damage_to_rammer: int
    target_destroyed: bool
    rammer_destroyed: bool
    target_moved: int
    """Hexes that the target is pushed or bounced."""
    rammer_velocity: int
    target_velocity: int
    rammer_hexes_left: int
    """Hexes that a rammer who drives through still has to go, the wreck's among them."""


def ram(
    kind: str, rammer: Rammer, target: Rammer, moved: int, free: int, rules: Rules | None = None
) -> dict[Ram, Fraction]:
    """Return the joint odds of all that a ram does (J-RAM-2 to J-RAM-4, J-RAM-9 to J-RAM-13).

    Parameters
    ----------
    kind
        ``"side"``, ``"rear"`` or ``"head-on"``.
    rammer, target
        The jugs; a rammer is never legged.
    moved
        Hexes that the rammer has moved before.
    free
        Hexes behind the target into which it can be forced.
    rules
        Default: the rules of record.

    Examples
    --------
    >>> heavy, light = Rammer(5, 2, 4, 100, True), Rammer(5, 0, 0, 100, True)
    >>> odds = ram("side", heavy, light, 2, 99)
    >>> sum(chance * one.damage for one, chance in odds.items())
    Fraction(42, 1)
    """
    chances = Chances(rules or Rules())
    found: dict[Ram, Fraction] = {}
    for one, chance in _rams(RAMS[kind], rammer, target, moved, free, chances):
        found[one] = found.get(one, Fraction(0)) + chance
    return found


def _rams(
    kind: int, rammer: Rammer, target: Rammer, moved: int, free: int, chances: Chances
) -> Iterator[tuple[Ram, Fraction]]:
    rules, once = chances.rules, ((0, Fraction(1)),)
    cap, rolls = rules.damage_velocity_cap, chances.rolls("ram_dice")
    both = kind == HEAD_ON and rammer.has_ram and target.has_ram
    counts = plain(ram_velocity)(kind, rammer.velocity, target.velocity, cap)
    back_counts = plain(ram_velocity)(kind, target.velocity, 0, cap)
    for shown, chance in rolls:
        damage = plain(ram_damage)(shown, rammer.bonus, rammer.size, counts)
        for answer, likely in rolls if both else once:
            back = plain(ram_damage)(answer, target.bonus, target.size, back_counts) if both else 0
            falls, fallen = damage >= target.hits, back >= rammer.hits
            bounced = kind == REAR and not falls
            for hexes, rarely in chances.rolls("bounce_dice") if bounced else once:
                after = _after(kind, rammer, target, (moved, free, hexes), (both, falls, fallen), rules)
                yield Ram(damage, back, falls, fallen, *after), chance * likely * rarely


def _after(
    kind: int,
    rammer: Rammer,
    target: Rammer,
    hexes: tuple[int, int, int],
    ends: tuple[bool, bool, bool],
    rules: Rules,
) -> tuple[int, int, int, int]:
    """Return how far the target is forced, both velocities and the hexes that the rammer has left.

    `hexes` are those moved before, those free behind the target and those of the bounce; `ends` are whether both have
    rams, whether the target falls, and whether the rammer does.
    """
    (moved, free, bounce), (both, falls, fallen) = hexes, ends
    slower = max(0, rammer.velocity - rules.drive_through_loss)
    if falls and not fallen and (both or rules.side_kill_drives_through):
        return 0, slower, 0, max(0, slower - moved)
    if both:
        return 0, 0, max(0, target.velocity - rules.drive_through_loss) if fallen and not falls else 0, 0
    if kind == REAR:
        return min(bounce, free), moved, 0 if falls else target.velocity, 0
    return 0 if falls else min(plain(push)(rammer.velocity, moved, target.size), free), 0, 0, 0


def collision(size: int, velocity: int, rules: Rules | None = None) -> Odds:
    """Return the odds of the damage of a collision (J-COL-1).

    Examples
    --------
    >>> collision(4, 3)[15]
    Fraction(1, 6)
    """
    rules = rules or Rules()
    own, cap = rules.collision_sc == "own", rules.damage_velocity_cap
    return _counted(
        (plain(collision_damage)(shown, size, velocity, own, cap), chance)
        for shown, chance in Chances(rules).rolls("collision_dice")
    )


def rolls_due(taken: int, damage: int, rules: Rules | None = None) -> int:
    """Return how many critical rolls a damage brings after what was taken before (J-DMG-2).

    Examples
    --------
    >>> rolls_due(15, 4), rolls_due(15, 25)
    (0, 2)
    """
    return plain(critical_rolls)(taken, taken + damage, (rules or Rules()).critical_every)


def pieces_lost(taken: int, damage: int, pieces: int, rules: Rules | None = None) -> Odds:
    """Return the odds of how many of so many pieces a damage costs a jug that survives it (J-DMG-2, J-DMG-6).

    Examples
    --------
    >>> pieces_lost(0, 45, 2)
    {0: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)}
    """
    rules = rules or Rules()
    loses = sum(Chances(rules).critical)
    found: Odds = {0: Fraction(1)}
    for _ in range(rolls_due(taken, damage, rules)):
        found = _counted(
            (min(pieces, lost + more), chance * likely)
            for lost, chance in found.items()
            for more, likely in ((0, 1 - loses), (1, loses))
        )
    return found


def attack(
    weapon: str, size: int = 1, plus: int = 0, captain: tuple[str, ...] = (), rules: Rules | None = None
) -> Odds:
    """Return the odds of one attack: its damage, a word of ``WORDS``, ``"avoided"`` or ``"miss"`` (J-ATK-2, J-WPN-1).

    Parameters
    ----------
    weapon
        Name in the weapon tables, or ``"kick"``.
    size
        Size of the weapon; of the kicker.
    plus
        Added to its to-hit number.
    captain
        Abilities of the target's captain.
    rules
        Default: the rules of record.

    Notes
    -----
    A fire counts as all the damage it does until it has burnt out.

    Examples
    --------
    >>> attack("lever", captain=("balance",))["toppled"]
    Fraction(1, 12)
    """
    chances = Chances(rules or Rules())
    gun = _gun(weapon, size, chances)
    order = list(captains()["abilities"])
    abilities = Design(size=1, captain=list(captain)).abilities
    attacks = Attacks(chances, sum(1 << order.index(ability) for ability in abilities))
    hits = sum((roll.chance for roll in chances.hit_rolls(gun, plus) if roll.hits), Fraction(0))
    ways = attacks.branches(Shot(gun, plus, squeezes=False), Effect(Arms(), 0, 0))
    found = _counted((_told(effect, damage), chance) for chance, effect, damage in ways)
    if 1 - hits < found.get("miss", Fraction(0)):  # hits that did nothing
        found["avoided"] = found["miss"] - (1 - hits)
        found["miss"] = 1 - hits
    return {name: chance for name, chance in found.items() if chance}


def _told(effect: Effect, damage: int) -> int | str:
    """Return what an attack has done."""
    burns = sum(fire.points * fire.left for fire in effect.arms.fires)
    return WORDS.get(effect.doom) or damage + burns or "miss"


def _gun(weapon: str, size: int, chances: Chances) -> Gun:
    item = Item("legs") if weapon == "kick" else Item(weapon.replace(" ", "_"), size)
    (gun,) = chances.guns(Design.of(size, [item]))
    return gun


def _counted(ways: Iterator[tuple[Any, Fraction]]) -> Odds:
    found: Odds = {}
    for what, chance in ways:
        found[what] = found.get(what, Fraction(0)) + chance
    return found


def event(inputs: Mapping[str, Any], rules: Rules | None = None) -> dict[str, Any]:
    """Return the odds of an event that is described by plain values, as files of cases do.

    Parameters
    ----------
    inputs
        A ram: ``kind``, ``rammer``, ``target``, ``hexes_moved_before_contact``, ``free_hexes_behind``; a collision:
        ``sc``, ``velocity``; pieces lost: ``taken``, ``damage``, ``pieces``; critical rolls: ``pairs`` of damage taken
        and damage; an attack: ``weapon``, ``size``, ``plus``.
    rules
        Default: the rules of record.

    Returns
    -------
    dict
        Odds by name; results are written as text, chances are fractions.

    Raises
    ------
    ValueError
        The inputs describe none of these.
    """
    have = set(inputs)
    if have >= {"kind", "rammer", "target"}:
        return _ram_event(inputs, rules)
    if have >= {"sc", "velocity"}:
        damage = collision(inputs["sc"], inputs["velocity"], rules)
        return {"damage": _written(damage), "mean": _mean(damage)}
    if have >= {"taken", "damage", "pieces"}:
        lost = pieces_lost(inputs["taken"], inputs["damage"], inputs["pieces"], rules)
        return {"lost": _written(lost), "mean": _mean(lost)}
    if "pairs" in have:
        return {"rolls": [rolls_due(taken, damage, rules) for taken, damage in inputs["pairs"]]}
    if "weapon" in have:
        return _attack_event(inputs, rules)
    raise ValueError(f"no event has {', '.join(map(repr, inputs)) or 'nothing'}; see the parameters of event()")


def _ram_event(inputs: Mapping[str, Any], rules: Rules | None) -> dict[str, Any]:
    jugs = [
        Rammer(*(inputs[side][name] for name in ("sc", "bonus", "velocity", "hits", "has_ram")))
        for side in ("rammer", "target")
    ]
    moved, free = inputs["hexes_moved_before_contact"], inputs["free_hexes_behind"]
    joint = ram(inputs["kind"], jugs[0], jugs[1], moved, free, rules)
    found: dict[str, Any] = {
        name: _written(_counted((one[k], chance) for one, chance in joint.items()))
        for k, name in enumerate(Ram._fields)
    }
    found["mean_damage"] = sum((one.damage * chance for one, chance in joint.items()), Fraction(0))
    found["joint_order"] = "|".join(Ram._fields)
    found["joint"] = {"|".join(map(_word, one)): chance for one, chance in joint.items()}
    return found


def _attack_event(inputs: Mapping[str, Any], rules: Rules | None) -> dict[str, Any]:
    weapon, size, plus = inputs["weapon"], inputs.get("size", 1), inputs.get("plus", 0)
    result = attack(weapon, size, plus, rules=rules)
    if set(result) == {"miss", "toppled"}:
        return {"plain": result, "balance": attack(weapon, size, plus, ("balance",), rules)}
    gun = _gun(weapon, size, Chances(rules or Rules()))
    mean = sum((damage * chance for damage, chance in result.items() if isinstance(damage, int)), Fraction(0))
    if plain(is_fire)(gun.special):
        total = _counted((0 if damage == "miss" else damage, chance) for damage, chance in result.items())
        return {"total": _written(total), "mean": mean}
    return {"result": _written(result), "mean": mean}


def _mean(odds: Odds) -> Fraction:
    return sum((value * chance for value, chance in odds.items()), Fraction(0))


def _written(odds: Odds) -> dict[str, Fraction]:
    return {_word(value): chance for value, chance in odds.items()}


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
