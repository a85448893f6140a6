"""Names of equipment: how a list may call a thing, and how an entry such as ``"2 size 2 axe arms"`` is read (J-WPN-1).

Every name has one canonical form, with spaces in words and underscores in the rules (``claw_arm``). Case, hyphens,
underscores and a plural do not matter.
"""

import difflib
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

WEAPONS = (
    "catapult",
    "ballista",
    "jaws",
    "wheel_spikes",
    "battering_ram",
    "claw_arm",
    "saw_arm",
    "flail",
    "mace_arm",
    "shield_arm",
    "trebuchet",
    "boarders",
    "fire_pump",
    "cauldron",
    "scythe",
    "lever",
    "mirror",
    "demon_eye",
    "acid_spitter",
    "tongue",
    "slingshot",
    "fang",
)
"""The 22 weapons in the order of the tables: ten standard ones, six of wartime, six exotic ones."""

STANDARD = WEAPONS[:10]
"""The weapons of the standard table in the order of its D10: the only ones in regulation juggerball (J-DES-2)."""

EQUIPMENT = (
    "gears",
    "brakes",
    "steering",
    "armor",
    "reinforced_ram",
    "legs",
    "sails",
    "winch",
    "wizard",
    "deflector",
    "catcher",
)
"""What fills spaces and is no weapon. A "catcher" is a claw arm in a military list (J-EQ-4)."""

KINDS = EQUIPMENT + WEAPONS

RACES = ("meddian", "dwarf", "orc", "goblin", "gnome", "elf", "voorlock", "kurdashi")

ALSO = {
    "ballista": "ballistae",
    "jaws": "jaw pincer pincers mandible mandibles",
    "wheel_spikes": "wheel_spike spikes",
    "battering_ram": "screw_ram",
    "claw_arm": "claw jaw_arm pincer_arm tentacle catcher catcher_arm",
    "saw_arm": "saw screw_arm scissor_arm",
    "flail": "dropper wrecking_ball",
    "mace_arm": "mace hammer hammer_arm sword sword_arm axe axe_arm",
    "shield_arm": "shield",
    "boarders": "boarder boarding_party",
    "lever": "jack push_pole pushpole",
    "mirror": "mirrors",
    "slingshot": "sling_shot sling",
    "gears": "gear",
    "brakes": "brake",
    "armor": "armour",
    "reinforced_ram": "main_ram ram",
    "legs": "leg",
    "sails": "sail",
    "catcher": "ball_catcher",
    "dwarf": "dwarves dwarfs dwarven",
    "elf": "elves elven elvish",
}
"""Other names of a thing, plurals left out where an s makes them."""

WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
COUNTS = {word: number for number, word in enumerate(WORDS, start=1)}


class Named(NamedTuple):
    """An entry of an equipment list as it was read: a name, a size, and how many."""

    name: str
    size: int
    times: int


def plain(text: str) -> str:
    """Return a name with small letters and single underscores.

    Examples
    --------
    >>> plain("Screw Ram"), plain("push-pole")
    ('screw_ram', 'push_pole')
    """
    return re.sub(r"[\s_-]+", "_", text.strip().lower())


@cache
def _names(kinds: tuple[str, ...]) -> dict[str, str]:
    """Map every spelling of the names of `kinds` to its canonical name; a name itself comes before others' aliases."""
    found: dict[str, str] = {}
    for spelled in (lambda kind: [kind], lambda kind: ALSO.get(kind, "").split()):
        for kind in kinds:
            for name in spelled(kind):
                for form in (name, f"{name}s", f"{name}es"):
                    found.setdefault(form, kind)
    return found


def weapon(name: str) -> str | None:
    """Return the canonical name of a weapon, or None if no weapon is called so.

    Examples
    --------
    >>> weapon("Axe Arms"), weapon("catcher"), weapon("gears")
    ('mace_arm', 'claw_arm', None)
    """
    return _names(WEAPONS).get(plain(name))


def equipment(name: str) -> str | None:
    """Return the canonical name of equipment that is no weapon, or None.

    Examples
    --------
    >>> equipment("Main Ram"), equipment("catchers"), equipment("flail")
    ('reinforced_ram', 'catcher', None)
    """
    return _names(EQUIPMENT).get(plain(name))


def race(name: str) -> str | None:
    """Return the canonical name of a race, or None.

    Examples
    --------
    >>> race("Meddians"), race("Dwarves"), race("human")
    ('meddian', 'dwarf', None)
    """
    return _names(RACES).get(plain(name))


def closest(name: str, choices: Iterable[str]) -> str | None:
    """Return the choice that is spelled most like a name, or None if none is like it."""
    folded = {plain(choice): choice for choice in choices}
    found = difflib.get_close_matches(plain(name), folded, n=1) if len(name) <= 64 else []
    return folded[found[0]] if found else None


def suggestion(name: str, choices: Iterable[str]) -> str:
    """Say which choice a misspelled name may have meant, and which there are.

    Examples
    --------
    >>> suggestion("orkz", ["orc", "elf"]), suggestion("drawf", ["orc", "dwarf"])
    ('there are: orc, elf', "did you mean 'dwarf'? there are: orc, dwarf")
    """
    there = list(choices)
    close = closest(name, there)
    hint = f"did you mean '{close}'? " if close else ""
    return f"{hint}there are: {', '.join(there)}"


def closest_kind(name: str) -> str | None:
    """Return the equipment or weapon that a misspelled name may have meant, as its list would call it.

    Examples
    --------
    >>> closest_kind("balista"), closest_kind("axe am"), closest_kind("cannon of doom")
    ('ballista', 'axe arm', None)
    """
    found = closest(name, [name for kind in KINDS for name in (kind, *ALSO.get(kind, "").split())])
    return found and found.replace("_", " ")


_NUMBER = rf"(?:[0-9]{{1,9}}|{'|'.join(COUNTS)})"
_BEFORE = re.compile(rf"(?:\+([0-9]{{1,9}})|({_NUMBER})\s*x|({_NUMBER}))\s+", re.I)
_BEHIND = re.compile(r"\s*(?:\+|\bx)\s*([0-9]{1,9})$", re.I)
_SIZE = re.compile(r"size[\s-]*([0-9]{1,9})\s+", re.I)


@lru_cache(1024)
def read(text: str) -> Named | None:
    """Read an entry of an equipment list as the published lists print them.

    Parameters
    ----------
    text
        A name, before it how many (``2``, ``two``, ``2x``, ``+2``) and the size (``size 2``) where they are not 1;
        how many may also follow (``+2``, ``x2``).

    Returns
    -------
    Named or None
        None if no name is left, or if it is said twice how many.

    Examples
    --------
    >>> read("two size 2 flails"), read("Main Ram+2")
    (Named(name='flails', size=2, times=2), Named(name='Main Ram', size=1, times=2))
    """
    rest = text.strip()
    counts = []
    size = 1
    if found := _BEFORE.match(rest):
        counts.append(_count(next(group for group in found.groups() if group)))
        rest = rest[found.end() :]
    if found := _SIZE.match(rest):
        size, rest = int(found[1]), rest[found.end() :]
    if found := _BEHIND.search(rest):
        counts.append(int(found[1]))
        rest = rest[: found.start()]
    rest = rest.strip()
    if len(counts) > 1 or not rest:
        return None
    return Named(rest, size, counts[0] if counts else 1)


def _count(word: str) -> int:
    return COUNTS[word.lower()] if word.lower() in COUNTS else int(word)
