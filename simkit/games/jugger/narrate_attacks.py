"""Attacks retold: the roll to hit, the reactions to it, and what a hit does."""

from functools import cache

from simkit.games.jugger import phrases as say
from simkit.games.jugger.happenings import BOLT, FIREBALL, KICK, Happening, Purpose, What
from simkit.games.jugger.reader import Reader
from simkit.games.jugger.records import Special
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.weapons_table import Weapon

OF_AN_ATTACK = (
    What.REROLL,
    What.BOARDERS_LOST,
    What.DODGE,
    What.DAMAGE,
    What.FIRE,
    What.ROPE,
    What.SHIELD,
    What.TOPPLE,
    What.BALANCE,
    What.CONTROL,
    What.CUT,
    What.CREW,
    What.CAPTURE,
)
"""What may follow a roll to hit and belongs to the same attack."""

SPECIAL_IDS = {
    Special.SPIKES: "J-WPN-12",
    Special.BOARDERS: "J-WPN-16",
    Special.CAULDRON: "J-WPN-15",
    Special.SCYTHE: "J-WPN-17",
}
ITEM_IDS = {KICK: "J-EQ-5", FIREBALL: "J-WIZ-1", BOLT: "J-WIZ-1"}
IDS = {
    What.DODGE: "J-CAP-1",
    What.FIRE: "J-WPN-3",
    What.ROPE: "J-WPN-9",
    What.SHIELD: "J-WIZ-1",
    What.BALANCE: "J-CAP-1",
    What.CONTROL: "J-CAP-2",
    What.CREW: "J-WPN-5",
    What.CAPTURE: "J-WPN-5",
}
OF_THE_TARGET = (What.DODGE, What.SHIELD, What.BALANCE, What.CONTROL)
"""What the target of an attack does: these events name it first, and the attacker second."""

ROPES = ("the rope pulls", "the rope holds", "the rope snaps and the winch is lost")


def attack(reader: Reader) -> tuple[str, list[str]]:
    """Tell one attack from its roll to hit to what stops it or what it does."""
    row = reader.take()
    parts = [f"{strike(reader, row.jug, row.foe, row.item)}: {_roll(reader, row)}"]
    ids = ["J-ATK-2", *_of_item(reader, row)]
    while (following := reader.peek(*OF_AN_ATTACK)) and _belongs(following, row):
        what = What(following.what)
        ids += [IDS[what]] if what in IDS else []
        parts.append(reaction(reader))
    return "; ".join(parts), ids


def _belongs(row: Happening, attack: Happening) -> bool:
    """Tell whether an event belongs to an attack, and not to a ram, a rope of the end phase or another attack."""
    if row.item != attack.item or (row.what == What.ROPE and row.extra):
        return False
    if row.what == What.REROLL:
        return row.jug in (attack.jug, attack.foe)
    if row.what == What.BOARDERS_LOST:
        return row.jug == attack.jug
    attacker, target = (row.foe, row.jug) if row.what in OF_THE_TARGET else (row.jug, row.foe)
    return (attacker, target) == (attack.jug, attack.foe)


def strike(reader: Reader, jug: int, foe: int, item: int) -> str:
    """Name an attack: whose, with what, at whom."""
    return f"{reader.name(jug)}'s {reader.cast.item(jug, item)} at {reader.name(foe)}"


def reaction(reader: Reader) -> str:
    """Tell one event that belongs to an attack or a ram."""
    row = reader.take()
    what, name = row.what, reader.name(row.jug)
    foe = reader.name(row.foe) if row.foe >= 0 else ""
    if what == What.REROLL:
        again = f"{name} has the die thrown again by {'fate' if row.extra else 'luck'}"
        if reader.peek(What.TO_HIT):
            again += f", {_roll(reader, reader.take(), again=True)}"
        return again
    if what == What.BOARDERS_LOST:
        return "these boarders are killed"
    if what == What.DODGE:
        return f"{name} dodges on {row.roll}" if row.value else f"{name} fails to dodge on {row.roll}"
    if what == What.DAMAGE:
        return _damage(reader, row)
    if what == What.FIRE:
        return _fire(reader, row)
    if what == What.ROPE:
        rope = f"rope {reader.die(Purpose.ROPE, row.roll)}"
        # A shield that stops the hit stops its rope too: then nothing comes of the roll (J-WIZ-1).
        return rope if reader.peek(What.SHIELD) else f"{rope}: {ROPES[row.value]}"
    if what == What.SHIELD:
        # A ram is a contact all the same: push, bounce and stop remain (J-WIZ-3).
        return f"{name}'s spell of shield stops the {'hit' if row.item >= 0 else 'damage'}"
    if what == What.TOPPLE:
        return f"{foe} is toppled"
    if what == What.BALANCE:
        return (
            f"{name} keeps its balance on {row.roll}"
            if row.value
            else f"{name} fails to keep its balance on {row.roll}"
        )
    if what == What.CONTROL:
        fails = " fails" if row.value == _uncontrolled(reader, row) else ""
        return f"{name}'s damage control on {row.roll}{fails}: {row.value} damage left"
    if what == What.CUT:
        return f"{foe} is cut in half"
    if what == What.CREW:
        return f"the crew of {foe} is killed"
    return f"{foe} is boarded"


def _roll(reader: Reader, row: Happening, *, again: bool = False) -> str:
    told = say.needs(row.value, row.roll, row.extra, _captain(reader, row), at_least=reader.cast.at_least)
    return told.split(", ", 1)[1] if again else told


def _fire(reader: Reader, row: Happening) -> str:
    """Tell what goes on doing damage, how much and for how long; a cauldron's dice, too."""
    burning, weapon = reader.cast.burning(row.jug, row.item), reader.cast.jugs[row.jug].weapon(row.item)
    turns = f"{say.counted(row.roll, 'turn')} ({reader.dice(Purpose.FIRE_TURNS)})"
    one = burning if burning == "acid" else f"a {burning}"
    if not row.extra:
        return f"{one} for {turns}, but the old {burning} lasts longer"
    if weapon is None or weapon.special != Special.CAULDRON:
        return f"{one} of {say.counted(row.value, 'point')} for {turns}"
    if reader.cast.cauldron_reroll:
        times = f" x {row.value} (size)" if row.value > 1 else ""
        return f"{one} of {say.titled(weapon.dice)}{times} a turn for {turns}"
    size = weapon.size if reader.cast.multiplies else 1
    times = f" x {size} (size)" if size > 1 else ""
    dice = f"{say.die(weapon.dice, row.value // size)}{times}"
    return f"{one} of {dice} = {say.counted(row.value, 'point')} for {turns}"


def _uncontrolled(reader: Reader, row: Happening) -> int | None:
    """Return the damage that damage control was tried on; None if it was not told."""
    for k in range(reader.i - 2, -1, -1):
        dealt = reader.rows[k]
        if dealt.what in (What.DAMAGE, What.RAM, What.RAM_BACK) and dealt.foe == row.jug:
            return dealt.value
    return None


def _captain(reader: Reader, row: Happening) -> str:
    """Name the captain whose bonus a number to hit holds (J-CAP-5).

    That is the first missile or close weapon which a jug declares in a turn, with a number above the table of record by
    just the bonus of record; under other numbers nothing is named.
    """
    entry = _entry(reader, row)
    if entry is None:
        return ""
    rules, missile = _record(), entry.range > 1
    ability, bonus = ("artillerist", rules.artillerist_bonus) if missile else ("meleer", rules.meleer_bonus)
    above = entry.to_hit - row.value if reader.cast.at_least else row.value - entry.to_hit
    if above != bonus or ability not in reader.scene.jugs[row.jug].abilities:
        return ""
    first = None
    for k in range(reader.i - 1, -1, -1):
        event = reader.rows[k]
        if event.what == What.TURN:
            break
        if event.what == What.DECLARE and event.jug == row.jug:
            other = _entry(reader, event)
            first = event.item if other and (other.range > 1) == missile else first
    return f"{ability} +{bonus}" if first == row.item else ""


@cache
def _record() -> Rules:
    """Return the rules of record."""
    return Rules()


def _entry(reader: Reader, row: Happening) -> Weapon | None:
    """Return the line of the weapon tables of record for the weapon of an attack; None for kicks and spells."""
    weapon = reader.cast.jugs[row.jug].weapon(row.item)
    return _record().weapons.get(weapon.weapon) if weapon else None


def _damage(reader: Reader, row: Happening) -> str:
    member = reader.cast.jugs[row.jug]
    weapon = member.weapon(row.item)
    dice = weapon.dice if weapon else reader.cast.bare_dice.get(row.item, "")
    return say.damage(dice, row.roll, weapon.size if weapon else 1, row.value, row.item, member.size)


def _of_item(reader: Reader, row: Happening) -> list[str]:
    """Cite the rules of a weapon that is out of the ordinary."""
    weapon = reader.cast.jugs[row.jug].weapon(row.item)
    if weapon is None:
        return [ITEM_IDS[row.item]] if row.item in ITEM_IDS else []
    ids = [SPECIAL_IDS[Special(weapon.special)]] if weapon.special in SPECIAL_IDS else []
    return [*ids, "J-SC-2"] if weapon.size > 1 else ids
