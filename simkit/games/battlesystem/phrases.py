"""The phrases in which a battle is retold: how inches, sums, dice, declarations and endings are spoken of."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from simkit.games.battlesystem.kinds import Declaration, Formation
from simkit.games.battlesystem.reckoning import Change, Hit, Term
from simkit.games.battlesystem.tables import GRID

DECLARED = {
    Declaration.WALL: "shield wall",
    Declaration.WALL_ROUND: "shield wall to all sides",
    Declaration.SET: "set {arm}",
    Declaration.SET_ROUND: "{arm} set to all sides",
    Declaration.CHARGE: "charge",
}
"""What a declaration in force is called; ``{arm}`` is what is set."""

CHOICES = {0: "nothing", 1: "a shield wall", 3: "to set {arm}", 5: "to charge", 7: "to advance"}
"""What ``best`` picks, by the value of its event."""

FORMATIONS = {
    Formation.CLOSED: "closed",
    Formation.OPEN: "open",
    Formation.SKIRMISH: "skirmishers",
    Formation.MOB: "a mob",
}

GROUND = {
    "clear": "clear ground",
    "road": "the road",
    "woods": "the woods",
    "rough": "the rough ground",
    "swamp": "the swamp",
    "water": "the water",
    "ford": "the ford",
}
THINGS = {**GROUND, "barrier": "the barrier", "ditch": "the ditch", "rise": "the rise"}


def decimal(n: int) -> str:
    """Write 36ths of an inch as inches.

    Examples
    --------
    >>> decimal(432), decimal(810), decimal(1), decimal(0)
    ('12', '22 1/2', '1/36', '0')
    """
    return mixed(Fraction(n, GRID))


def mixed(value: Fraction) -> str:
    """Write a number with its fraction, if it has one.

    Examples
    --------
    >>> mixed(Fraction(3, 2)), mixed(Fraction(-1, 3))
    ('1 1/2', '-1/3')
    """
    whole, rest = divmod(abs(value), 1)
    parts = [str(one) for one in (whole, rest) if one]
    return ("-" if value < 0 else "") + (" ".join(parts) or "0")


def inches(n: int) -> str:
    """Write 36ths of an inch as inches, with the word."""
    return long(Fraction(n, GRID))


def long(value: Fraction) -> str:
    """Write inches, with the word."""
    return f"{mixed(value)} {'inch' if 0 < value <= 1 else 'inches'}"


def counted(n: int, one: str, many: str | None = None) -> str:
    """Write a count with its noun."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def listed(things: Sequence[str]) -> str:
    """Join things as in a sentence."""
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"


def total(terms: Sequence[Term], stated: int) -> str:
    """Write a sum with its parts, or the stated number alone where the parts do not lead to it.

    Examples
    --------
    >>> total([Term(20, "AR"), Term(-2, "charging"), Term(-5, "AC"), Term(2, "shield wall")], 15)
    'AR 20 - 2 (charging) - AC 5 + 2 (shield wall) = 15'
    >>> total([Term(20, "AR"), Term(2, "AC")], 21), total([Term(12, "morale")], 12)
    ('21', 'morale 12')
    """
    if sum(term.value for term in terms) != stated:
        return str(stated)
    first, *others = terms
    text = f"{first.why} {first.value}"
    if not any(term.value for term in others):
        return text
    for term in others:
        if term.why == "AC":
            text += f" - AC {-term.value}"
        elif term.value:
            text += f" {'-' if term.value < 0 else '+'} {abs(term.value)} ({term.why})"
    return f"{text} = {stated}"


def part(changes: Sequence[Change], *, multiply: bool) -> str:
    """Write how the share of a move comes about; empty where nothing changes it.

    Examples
    --------
    >>> part([Change(Fraction(1, 2), "charge"), Change(Fraction(-1, 3), "woods")], multiply=False)
    'x (1 + 1/2 charge - 1/3 woods)'
    >>> part([Change(Fraction(-1, 3), "woods")], multiply=True)
    'x 2/3 woods'
    """
    if multiply:
        return " ".join(f"x {mixed(1 + change.by)} {change.why}" for change in changes)
    terms = "".join(f" {'-' if change.by < 0 else '+'} {mixed(abs(change.by))} {change.why}" for change in changes)
    return f"x (1{terms})" if terms else ""


def dice(text: str) -> str:
    """Write damage dice as a list does: ``"1d8"`` as d8."""
    return text[1:] if text.startswith("1d") else text


def killed(hits: Sequence[Hit], stated: int) -> str:
    """Write what one roll kills with its parts, or the stated hit dice alone where the parts do not lead to them.

    Examples
    --------
    >>> from simkit.games.battlesystem.ratings import Part
    >>> lance, hooves = Part("2d4+1", True, Fraction(6)), Part("1d8", False, Fraction(9, 2))
    >>> killed([Hit(lance, 4, 2), Hit(hooves, 3, 1), Hit(hooves, 3, 1)], 14)
    '2 x 4 (2d4+1, doubled) + 2 x 3 (d8) = 14'
    >>> killed([Hit(hooves, 3, 2)], 6), killed([Hit(hooves, 3, 1)], 3), killed([Hit(hooves, 0, 1)], 0)
    ('2 x 3 = 6', '3', 'none')
    """
    there = Counter(hit for hit in hits if hit.hit_dice)
    if not stated or sum(hit.hit_dice * hit.factor * n for hit, n in there.items()) != stated:
        return str(stated) if stated else "none"
    if len(hits) == 1:
        hit = hits[0]
        return f"{hit.factor} x {hit.hit_dice} = {stated}" if hit.factor > 1 else str(stated)
    terms = []
    for hit, n in there.items():
        often = n * hit.factor
        twice = ", doubled" if hit.factor > 1 else ""
        terms.append(f"{f'{often} x ' if often > 1 else ''}{hit.hit_dice} ({dice(hit.part.dice)}{twice})")
    return f"{' + '.join(terms)} = {stated}"


def ends(declaration: int) -> str:
    """Return the verb with which a declaration ends: a wall ends, set spears end."""
    return "end" if declaration in (Declaration.SET, Declaration.SET_ROUND) else "ends"


def times(n: int) -> str:
    """Say how often."""
    return {1: "once", 2: "twice"}.get(n, f"{n} times")
