"""What a figure is worth: its ratings out of those of riders, mounts, crews and teams, and how each came about.

Foot is rated as it is printed (B-UNI-1, B-LAN-2), cavalry by B-CAV-1 and B-CAV-2, chariots by B-CHA-1 and B-CHA-2, and
the bases of all by B-LAN-3. Everything is exact.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from simkit.core.dice import mean, parse
from simkit.games.battlesystem import hitdice
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.units import ON_FOOT, Design, Mount, Rider, mounts, riders

AVERAGED = "average"
"""Written for the dice of a chariot whose damage is averaged (chariot_damage)."""


class Part(NamedTuple):
    """One of the things that a figure does damage with; one attack roll serves all of them (B-MEL-3)."""

    dice: str
    """Damage dice as they were written; ``"average"`` where several creatures' damage is averaged."""
    doubles: bool
    """Whether the hit dice it kills are doubled in a charge (B-CHG-2)."""
    mean: Fraction
    """Mean damage, on which the hit dice killed depend (B-LAN-1)."""


class Rating(NamedTuple):
    """The ratings of one figure."""

    ar: int
    """Attack rating; the lower the better."""
    ac: int
    """Armour class; the lower the better."""
    hd: Fraction
    """Hit dice of one creature, of cavalry and chariots of the whole."""
    ratio: int
    """Creatures that a figure stands for."""
    pool: int
    """Hit dice that a figure takes before it is removed."""
    move: Fraction
    """Normal movement in inches a round."""
    parts: tuple[Part, ...]
    """What it does damage with, the rider's or crew's first."""
    width: Fraction
    """Width of its base in inches."""
    depth: Fraction
    """Depth of its base in inches."""
    defences: tuple[str, ...]
    """Special defences: of cavalry and chariots those that all creatures share."""
    attacks: tuple[str, ...]
    """Special attacks of any of its creatures."""
    swim: Fraction | None
    """Movement in water in inches a round, or None for whoever cannot enter it."""
    exempt: frozenset[str]
    """Kinds of ground that cost it nothing (B-LAN-10)."""
    steps: tuple[str, ...]
    """How each number came about, a sentence each."""


class _Numbers(NamedTuple):
    """The ratings that the kinds of figure find in different ways, with their sentences."""

    ar: int
    ac: int
    hd: Fraction
    ratio: int
    move: Fraction
    parts: tuple[Part, ...]
    why_ratio: str
    """Why a figure is so many creatures."""
    steps: tuple[str, ...]


def rate(design: Design, rules: Rules) -> Rating:
    """Rate a figure under these rules.

    Parameters
    ----------
    design
        The figure; riders and mounts may be names of presets.
    rules
        The rules in force.

    Raises
    ------
    simkit.games.battlesystem.units.UnknownUnitError
        A rider or mount is named that is no preset.

    Examples
    --------
    >>> from simkit.games.battlesystem.units import find
    >>> knight = rate(find("heavy cavalry"), Rules())
    >>> knight.ar, knight.ac, int(knight.hd), knight.ratio, knight.pool, int(knight.move)
    (20, 7, 2, 10, 20, 15)
    >>> knight.steps[2]
    'AC 7: the poorer of the 4 of the rider and the 7 of the mount (B-CAV-1).'
    """
    kind = design.kind_of_figure
    rate_kind = {"foot": _foot, "cavalry": _cavalry, "chariot": _chariot}[kind]
    found = rate_kind(design, rules)
    ratio, ratio_says = _ratio(design, found)
    pool = math.ceil(found.hd * ratio)
    exact = f"{found.hd} x {ratio}" + ("" if pool == found.hd * ratio else ", rounded up")
    steps = [*found.steps, ratio_says, f"A figure takes {pool} hit dice: {exact} (B-LAN-2)."]
    width, depth = _base(design, rules)
    steps.append(f"Base {width} wide and {depth} deep, in inches: {_base_words(design)} (B-LAN-3).")
    defences, attacks, special = _special(design)
    swim, exempt, grounds = _grounds(design, found.move)
    steps += special + grounds
    return Rating(
        found.ar, found.ac, found.hd, ratio, pool, found.move, found.parts,
        width, depth, defences, attacks, swim, exempt, tuple(steps),
    )  # fmt: skip


def _foot(design: Design, rules: Rules) -> _Numbers:
    ar, ac, printed, mv, damage = (getattr(design, key) for key in ON_FOOT)
    read = hitdice.read(printed)
    hd = hitdice.counted(read, rules.hd_plus)
    parts = _parts(damage, bool(design.doubles))
    above = "of more than 8" if read >= (9, 0) else "above 4" if read >= (4, 1) else "of at most 4"
    steps = (
        f"AR {ar}: as printed.",
        _hit_dice_words(read, hd),
        f"AC {ac}: as printed.",
        f"MV {mv}: as printed.",
        _damage_words(parts),
    )
    return _Numbers(ar, ac, hd, hitdice.ratio_of(read), Fraction(mv), parts, f"hit dice {above} (B-UNI-1)", steps)


def _cavalry(design: Design, rules: Rules) -> _Numbers:
    (rider,), (mount,) = riders(design), mounts(design)
    on, below = (_counted(one, rules) for one in (rider, mount))
    mean_hd = (on + below) / 2
    hd = Fraction(math.ceil(mean_hd))
    ac = max(rider.ac, mount.ac)
    parts = _parts(rider.damage, rider.doubles) + _parts(mount.damage, False)
    steps = (
        f"AR {rider.ar}: the rider's (B-CAV-1).",
        f"HD {hd}: the mean of {_counts(rider, on)} for the rider and {_counts(mount, below)} for the mount is "
        f"{_decimal(mean_hd)}{_rounded(mean_hd, 'up')} (B-CAV-1).",
        f"AC {ac}: the poorer of the {rider.ac} of the rider and the {mount.ac} of the mount (B-CAV-1).",
        f"MV {mount.mv}: the mount's (B-CAV-1).",
        _damage_words(parts),
    )
    return _Numbers(rider.ar, ac, hd, _rated(hd), Fraction(mount.mv), parts, f"hit dice of {hd} (B-LAN-2)", steps)


def _chariot(design: Design, rules: Rules) -> _Numbers:
    crew, team = riders(design), mounts(design)
    everybody: list[Rider | Mount] = [*crew, *team]
    ars = [*(one.ar for one in crew), *(_ar(one) for one in team)]
    acs = [one.ac for one in everybody]
    crew_hd, team_hd = ([_counted(one, rules) for one in those] for those in (crew, team))
    mean_ar, mean_ac = _mean(ars), _mean(acs) - rules.chariot_ac
    mean_hd = _mean(team_hd) + _mean(crew_hd)
    ar, ac, hd = math.floor(mean_ar), math.floor(mean_ac), Fraction(math.ceil(mean_hd))
    slowest = min(one.mv for one in team)
    full = sum(team_hd) >= rules.chariot_full_from * sum(crew_hd)
    move = Fraction(slowest) if full else rules.fraction("chariot_move") * slowest
    parts = _chariot_parts(crew, team, rules)
    totals = f"its {sum(team_hd)} hit dice are {'at least' if full else 'less than'} {rules.chariot_full_from} x "
    totals += f"{sum(crew_hd)} of the crew"
    share = "all" if full else rules.chariot_move
    steps = (
        f"AR {ar}: the mean of {_sum(ars)} is {_decimal(mean_ar)}{_rounded(mean_ar, 'down')} (B-CHA-1).",
        f"HD {hd}: the mean {_decimal(_mean(team_hd))} of the team and the mean {_decimal(_mean(crew_hd))} of the crew "
        f"are {_decimal(mean_hd)}{_rounded(mean_hd, 'up')} (B-CHA-1).",
        f"AC {ac}: the mean of {_sum(acs)} less {rules.chariot_ac} is {_decimal(mean_ac)}"
        f"{_rounded(mean_ac, 'down')} (B-CHA-1).",
        f"MV {_decimal(move)}: {share} of the {slowest} of the team; {totals} (B-CHA-1).",
        _damage_words(parts),
    )
    return _Numbers(ar, ac, hd, _rated(hd), move, parts, f"hit dice of {hd} (B-CHA-2)", steps)


# Parts of the sums


def _counted(creature: Rider | Mount, rules: Rules) -> Fraction:
    return hitdice.counted(hitdice.read(creature.hd), rules.hd_plus)


def _ar(mount: Mount) -> int:
    return hitdice.monster_ar(hitdice.read(mount.hd)) if mount.ar is None else mount.ar


def _mean(values: Sequence[int | Fraction]) -> Fraction:
    return Fraction(sum(values, Fraction(0))) / len(values)


def _parts(damage: Sequence[str], doubles: bool) -> tuple[Part, ...]:
    return tuple(Part(dice, doubles, mean(parse(dice))) for dice in damage)


def _chariot_parts(crew: list[Rider], team: list[Mount], rules: Rules) -> tuple[Part, ...]:
    """Return the parts of a chariot: everybody's, or one whose mean is that of the team and of the crew together."""
    parts = [_parts(one.damage, one.doubles) for one in crew] + [_parts(one.damage, False) for one in team]
    if rules.chariot_damage == "sum":
        return tuple(part for of_one in parts for part in of_one)
    each = [sum((part.mean for part in of_one), Fraction(0)) for of_one in parts]
    average = _mean(each[: len(crew)]) + _mean(each[len(crew) :])
    return (Part(AVERAGED, False, average),) if average else ()


def _ratio(design: Design, found: _Numbers) -> tuple[int, str]:
    """Return how many creatures a figure is, and the sentence that says why."""
    if design.single:
        return 1, "A figure is 1 creature: it is a single one (B-UNI-1)."
    if design.ratio is not None:
        return design.ratio, f"A figure is {design.ratio} creature{'' if design.ratio == 1 else 's'}: as given."
    return found.ratio, f"A figure is {found.ratio} creatures: {found.why_ratio}."


def _rated(hd: Fraction) -> int:
    """Return the ratio of cavalry and chariots, by their rated hit dice (B-LAN-2)."""
    return hitdice.ratio_of(hitdice.HitDice(int(hd)))


def _base(design: Design, rules: Rules) -> tuple[Fraction, Fraction]:
    width = rules.fraction(f"{design.base_of_figure}_width")
    kind = design.kind_of_figure
    return width, width if kind == "foot" else rules.fraction(f"{kind}_depth")


def _base_words(design: Design) -> str:
    base, kind = design.base_of_figure, design.kind_of_figure
    size = {"man": "man-sized"}.get(base, base)
    return size if kind in ("foot", base) else f"{size}, as deep as {kind}"


def _special(design: Design) -> tuple[tuple[str, ...], tuple[str, ...], list[str]]:
    """Return special defences, special attacks, and what is to be said of them (B-CAV-2)."""
    everybody: list[Rider | Mount | Design] = [*riders(design), *mounts(design)] or [design]
    attacks = tuple(dict.fromkeys(name for one in everybody for name in one.attacks))
    any_defences = dict.fromkeys(name for one in everybody for name in one.defences)
    defences = tuple(name for name in any_defences if all(name in one.defences for one in everybody))
    lost = [name for name in any_defences if name not in defences]
    steps = [f"Special attacks, of any of them: {', '.join(attacks)} (B-CAV-2)."] if attacks else []
    steps += [f"Special defences, shared by all: {', '.join(defences)} (B-CAV-2)."] if defences else []
    steps += [f"Special defences that not all share do not count: {', '.join(lost)} (B-CAV-2)."] if lost else []
    return defences, attacks, steps


def _grounds(design: Design, move: Fraction) -> tuple[Fraction | None, frozenset[str], list[str]]:
    """Return movement in water, kinds of ground that cost nothing, and what is to be said of them (B-LAN-10)."""
    carriers = mounts(design)
    shared = [frozenset(one.exempt) | ({"water"} if one.swim else set()) for one in carriers]
    exempt = frozenset.intersection(*shared) if shared else frozenset()
    if design.exempt is not None:
        exempt = frozenset(design.exempt)
    swim: Fraction | None = None
    if design.swim is not None:
        exempt, swim = exempt | {"water"}, Fraction(design.swim)
    elif "water" in exempt:
        rates = [one.swim or one.mv for one in carriers]
        swim = Fraction(min(rates)) if any(one.swim for one in carriers) else move
    free = [kind for kind in ("woods", "rough", "swamp", "ford") if kind in exempt]
    steps = [f"It pays nothing for {' and '.join(free)} (B-LAN-10)."] if free else []
    steps += [f"It moves {_decimal(swim)} inches in water (B-LAN-10)."] if swim is not None else []
    return swim, exempt, steps


# Words


def _decimal(value: Fraction) -> str:
    """Write a number as people do: whole, with two decimals, or as a fraction where these are not exact."""
    if (value * 100).denominator == 1:
        return f"{float(value):g}"
    return f"{value.numerator}/{value.denominator}"


def _rounded(value: Fraction, way: str) -> str:
    return "" if value.denominator == 1 else f", rounded {way}"


def _sum(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))


def _counts(creature: Rider | Mount, hd: Fraction) -> str:
    return creature.hd if creature.hd == str(hd) else f"{creature.hd}, which counts {hd},"


def _hit_dice_words(printed: hitdice.HitDice, hd: Fraction) -> str:
    if str(printed) == str(hd):
        return f"HD {hd}: as printed."
    return f"HD {hd}: what {printed} counts (B-LAN-2)."


def _damage_words(parts: Sequence[Part]) -> str:
    if not parts:
        return "Damage: none."
    if parts[0].dice == AVERAGED:
        return f"Damage {_decimal(parts[0].mean)} on average: the means of team and crew together (B-CHA-1)."
    doubled = " and ".join(dict.fromkeys(part.dice for part in parts if part.doubles))
    text = f"Damage {', '.join(part.dice for part in parts)}: of all, on one attack roll (B-MEL-3)"
    return f"{text}; {doubled} counts double in a charge (B-CHG-2)." if doubled else f"{text}."
