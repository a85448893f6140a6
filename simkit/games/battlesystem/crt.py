"""The combat results table: how many hit dice one attack kills (B-MEL-1, B-LAN-1)."""

import math
from collections.abc import Sequence
from fractions import Fraction

from simkit.core.dice import parse, pmf
from simkit.games.battlesystem.ratings import AVERAGED, Part
from simkit.games.battlesystem.rules import Rules

FULL = Fraction(90)
"""Steps times damage at which a creature kills its mean damage over this: 20 steps of a hit die of 4.5 points."""


def killed(n: int, part: Part, ratio: int, rules: Rules) -> int:
    """Return the hit dice that one part of an attack kills.

    Parameters
    ----------
    n
        AR less AC plus the dice: the lower the better.
    part
        What does the damage.
    ratio
        Creatures in the attacking figure.
    rules
        The rules in force. With ``crt = "table"`` there must be a column for the dice of the part.

    Examples
    --------
    >>> lance = Part("2d4+1", True, Fraction(6))
    >>> killed(25, lance, 10, Rules()), killed(28, lance, 10, Rules())
    (2, 0)
    """
    steps = min(max(rules.crt_zero_at - n, 0), rules.crt_clamp_top)
    if rules.crt == "table":
        return column(part.dice, rules)[rules.crt_clamp_top - steps] * ratio // 10
    return math.floor(ratio * steps * part.mean / FULL)


def column(dice: str, rules: Rules) -> list[int]:
    """Return the column of the pasted table for damage dice, however they are written.

    Raises
    ------
    KeyError
        There is none.
    """
    wanted = str(parse(dice))
    for name, results in rules.crt_table.items():
        if str(parse(name)) == wanted:
            return results
    raise KeyError(dice)


def missing(parts: Sequence[Part], rules: Rules) -> list[str]:
    """Return the damage dice for which the pasted table has no column; none without such a table."""
    if rules.crt != "table":
        return []
    there = {str(parse(name)) for name in rules.crt_table}
    dice = dict.fromkeys(part.dice for part in parts)
    return [one for one in dice if one == AVERAGED or str(parse(one)) not in there]


def blow(n: int, parts: Sequence[Part], ratio: int, rules: Rules, *, charging: bool = False) -> int:
    """Return the hit dice that one attack kills: all parts on one roll, doubled ones after rounding (B-MEL-3, B-CHG-2).

    Examples
    --------
    >>> from simkit.games.battlesystem.ratings import rate
    >>> from simkit.games.battlesystem.units import find
    >>> blow(22, rate(find("heavy cavalry"), Rules()).parts, 10, Rules(), charging=True)
    15
    """
    return sum(killed(n, part, ratio, rules) * (2 if charging and part.doubles else 1) for part in parts)


def blow_pmf(
    index: int, parts: Sequence[Part], ratio: int, rules: Rules, *, charging: bool = False
) -> dict[int, Fraction]:
    """Return the exact chance of every number of hit dice that one attack kills.

    Parameters
    ----------
    index
        AR less AC, all modifiers included.
    parts, ratio
        As in :func:`blow`.
    rules
        The rules in force.
    charging
        Whether the attacker charged, so that weapons double.

    Examples
    --------
    >>> d8 = [Part("1d8", False, Fraction(9, 2))]
    >>> sum(hd * chance for hd, chance in blow_pmf(15, d8, 10, Rules()).items())
    Fraction(11, 4)
    """
    found: dict[int, Fraction] = {}
    for roll, chance in pmf(rules.rolled("attack_dice")).items():
        hd = blow(index + roll, parts, ratio, rules, charging=charging)
        found[hd] = found.get(hd, Fraction(0)) + chance
    return dict(sorted(found.items()))
