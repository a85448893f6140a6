"""The phrases in which a battle is retold: how places, attacks, rams and endings are spoken of."""

import re

from simkit.games.jugger.happenings import KICK, Cause
from simkit.games.jugger.records import PieceKind, Spell

COMPASS = ("east", "south-east", "south-west", "west", "north-west", "north-east")
"""What each of the six facings is called."""

FATES = {
    Cause.DESTROYED: "destroyed",
    Cause.TOPPLED: "toppled",
    Cause.CUT: "cut in half",
    Cause.CREW: "without a crew",
    Cause.CAPTURED: "captured",
    Cause.EXIT: "off the map",
}
"""How a jug went out of play."""

ENDINGS = {
    Cause.DESTROYED: "the last jug of {loser} is destroyed",
    Cause.TOPPLED: "the last jug of {loser} is toppled",
    Cause.CUT: "the last jug of {loser} is cut in half",
    Cause.CREW: "the last crew of {loser} is killed",
    Cause.CAPTURED: "the last jug of {loser} is captured",
    Cause.EXIT: "the last jug of {loser} has left the map",
    Cause.ROUT: "rout of {loser}",
    Cause.OBJECTIVE: "the objective is reached",
    Cause.CAP: "all turns are used up",
}
"""Why a battle is over, for the side that has won."""

DRAWN = {
    Cause.ROUT: "both sides are routed",
    Cause.OBJECTIVE: "both sides have reached the objective",
    Cause.CAP: "all turns are used up",
    Cause.CAPTURED: "each side has captured the other's jug",
}
"""Why a battle is drawn; every other cause leaves nobody."""

ENDING_IDS = {Cause.ROUT: "J-ARM-2", Cause.OBJECTIVE: "J-ARM-2"}

RAMS = ("head-on", "from the side", "from behind")
RAM_IDS = ("J-RAM-4", "J-RAM-2", "J-RAM-3")

SPELLS = {
    Spell.FIREBALL: "fireball",
    Spell.BOLT: "lightning bolt",
    Spell.SHIELD: "shield",
    Spell.HASTE: "haste",
    Spell.RESTORATION: "restoration",
    Spell.FATE: "fate",
}

KINDS = {
    PieceKind.WEAPON: "weapon",
    PieceKind.LEGS: "legs",
    PieceKind.GEARS: "gears",
    PieceKind.BRAKES: "brakes",
    PieceKind.STEERING: "steering",
    PieceKind.SAILS: "sails",
    PieceKind.RAM: "reinforced ram",
    PieceKind.WINCH: "winch",
    PieceKind.WIZARD: "wizard",
    PieceKind.DEFLECTOR: "deflector",
    PieceKind.CATCHER: "catcher",
}
"""What a piece is called where its own title is not known."""


def at(place: tuple[int, int]) -> str:
    """Write the coordinates of a hex."""
    return f"[{place[0]}, {place[1]}]"


def counted(n: int, one: str, many: str | None = None) -> str:
    """Write a count with its noun."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def hexes(n: int) -> str:
    """Write a number of hexes."""
    return counted(n, "hex", "hexes")


def listed(things: list[str]) -> str:
    """Join things as in a sentence."""
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"


def pace(name: str, before: int, after: int) -> str:
    """Say what a jug does with its velocity as its move begins."""
    if after > before:
        return f"{name} speeds up from {before} to {after}"
    if after < before:
        return f"{name} slows down from {before} to {after}"
    return f"{name} keeps velocity {after}" if after else f"{name} stays at velocity 0"


def turned(times: int) -> str:
    """Say how often and where a jug turns; right is positive."""
    way, n = ("right" if times > 0 else "left"), abs(times)
    return f"a turn {way}" if n == 1 else f"{n} turns {way}"


def die(dice: str, roll: int) -> str:
    """Write a roll with its dice, if they are known.

    Examples
    --------
    >>> die("1d6", 4), die("2d6+1", 9), die("", 3)
    ('D6 4', '2D6+1 9', '3')
    """
    return f"{titled(dice)} {roll}" if dice else f"{roll}"


def titled(dice: str) -> str:
    """Write dice as a rule book does: ``"1d6"`` as D6."""
    return re.sub(r"\b1D(?=\d)", "D", dice.upper())


def needs(number: int, roll: int, hit: int, bonus: str, *, at_least: bool) -> str:
    """Write a roll to hit, with what it needed, the bonus that is in it, and what it led to."""
    way = "more" if at_least else "less"
    told = f" ({bonus})" if bonus else ""
    return f"needed {number} or {way}{told}, rolled {roll}, {'a hit' if hit else 'a miss'}"


def damage(dice: str, roll: int, size: int, value: int, item: int, body: int) -> str:
    """Write a damage roll and how it comes to its sum.

    Parameters
    ----------
    dice, roll
        What was thrown, and the throw.
    size
        Size of the weapon.
    value
        The damage that the event states. Where the parts do not lead to it, under rules that were changed, they are
        left out.
    item
        Number of the attack.
    body
        Size class of the jug that attacks.
    """
    thrown = die(dice, roll)
    if not value:
        return thrown
    if value == roll:
        return f"{thrown} damage" if not dice else f"{thrown} = {value} damage"
    if item == KICK and value == roll + body:
        return f"{thrown} + {body} (size) = {value} damage"
    if item != KICK and value == roll * size:
        return f"{thrown} x {size} (size) = {value} damage"
    return f"{thrown}, {value} damage"


def ram(die: str, roll: int, bonus: int, size: int, speed: int, lead: int, value: int) -> str:
    """Write the damage of a ram and how it comes to its sum.

    Parameters
    ----------
    die, roll
        The roll as it is written, and as a number.
    bonus, size
        The reinforced ram and the size class of the rammer.
    speed, lead
        Its velocity, and what it is faster than the target; `lead` counts from behind only, otherwise it is `speed`.
    value
        The damage that the event states; parts that do not lead to it are left out.
    """
    total = roll + bonus + size
    reinforced = f" + {bonus} (reinforced ram)" if bonus else ""
    parts = f"{die}{reinforced} + {size} (size) = {total}"
    if value != total * max(0, lead):
        return f"{die}, {value} damage"
    if lead == speed:
        return f"{parts}, times velocity {speed} = {value} damage"
    return f"{parts}, times velocity {speed} less {speed - lead} = {value} damage"


def crash(die: str, roll: int, size: int, speed: int, value: int) -> str:
    """Write the damage of a collision and how it comes to its sum, if it does by the rules of record."""
    if value == (roll + size) * speed:
        return f"{die} + {size} (size) = {roll + size}, times velocity {speed} = {value} damage"
    if value == roll * speed:
        return f"{die} times velocity {speed} = {value} damage"
    return f"{die}, {value} damage"


def spells(numbers: list[int]) -> str:
    """List spells by name, with how often each is there."""
    names = [(SPELLS[spell], numbers.count(spell)) for spell in SPELLS if spell in numbers]
    return listed([name if n == 1 else f"{name} x{n}" for name, n in names]) if names else "none"
