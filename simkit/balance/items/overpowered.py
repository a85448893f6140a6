"""What to call an item: the verdict table over lift, need, regret and usage.

The rows of :data:`TABLE` are tried from the top, and the first that holds is the verdict. Every bound is one of
intervals that hold together, so that what a verdict claims is wrong no more often than their level says. Only that a
niche item has a place in some equilibrium cannot be shown, since a regret of nothing cannot: more trials may find a
small one, and the item underpowered.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from simkit.balance.items.power import Power
from simkit.stats import Estimate
from simkit.stats.checks import share_between

MATTERS = 0.02
"""Gap of score that matters, unless the reader says otherwise."""
SEVERE = 0.05
"""Gap of score that is severe."""
ALWAYS = 0.9
"""Least share of builds from which an item is in nearly every one."""
HARDLY = 0.1
"""Largest share of builds below which an item is in hardly any."""
NOTHING = 1e-6
"""Regret up to which a build counts as one of the best, by the rounding of equilibria that are computed."""
STEP = 1.25
"""Factor between the numbers of trials that are tried in thought."""
MOST = 1e4
"""Largest factor of trials that is tried in thought."""
LIKELY = 4.0
"""Largest factor of trials for which it is said what an item would be called.

Beyond it the estimates will not stay: a planted pillar, played at the minimum, was called in thought what it is not.
"""
ROUGHLY = 256.0
"""Largest factor of trials for which it is said how many it would take."""
TOO_LITTLE = "no forecast: too little was played"

OVER = ("must-pick", "overpowered")
UNDER = ("dominated", "underpowered")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the verdict table."""

    word: str
    meaning: str
    holds: Callable[[Power, float], bool]


TABLE = (
    Row(
        "must-pick",
        "going without costs more than matters, and hardly any build of an equilibrium does",
        lambda found, delta: found.need.low > delta and found.usage[0] >= ALWAYS,
    ),
    Row(
        "overpowered",
        "it gains more than matters over what else its price buys, in both fields, and going without costs as much",
        lambda found, delta: min(lift.low for lift in _lifts(found)) > delta and found.need.low > delta,
    ),
    Row(
        "pillar of a counter-cycle",
        "it gains nothing that matters, but without it others have no counter",
        lambda found, delta: found.need.low > delta and found.usage[0] < ALWAYS and _level(found, delta),
    ),
    Row(
        "strong on average",
        "it gains more than matters over what else its price buys, yet the best builds do as well or better without",
        lambda found, delta: found.lift_uniform.low > delta and found.need.high <= delta,
    ),
    Row(
        "dominated",
        "its best build falls behind by more than matters, and no equilibrium has a use for it",
        lambda found, delta: found.regret.low > delta and found.usage[1] < HARDLY,
    ),
    Row(
        "underpowered",
        "it loses more than matters against what else its price buys, in both fields, and its best build falls behind",
        lambda found, delta: max(lift.high for lift in _lifts(found)) < -delta and found.regret.low > NOTHING,
    ),
    Row(
        "niche",
        "worse on the whole, yet some build with it keeps up with the best",
        lambda found, delta: found.lift_uniform.high < 0.0 and found.regret.high <= delta and found.usage[1] > HARDLY,
    ),
    Row(
        "fair",
        "it gains or loses nothing that matters, and both taking it and leaving it keep up with the best",
        lambda found, delta: _level(found, delta) and max(found.need.high, found.regret.high) <= delta,
    ),
)
"""The verdicts, strongest claim first.

Where scores are exact nothing that is dominated or underpowered is niche as well: no equilibrium picks what has
regret. Where they are estimated the upper end of usage says what their error leaves possible, so that falling behind
is asked before keeping up. What is strong on average is asked before both: most builds are better with it, and only
the best have no need of it.
"""

WORDS = (*(row.word for row in TABLE), "undecided")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an item is called, and why.

    Attributes
    ----------
    word
        One of :data:`WORDS`.
    reason
        What the row of the table says; for "undecided" what would come of more trials.
    severe
        True if what makes it over- or underpowered is resolved to be above the severe gap as well.
    becomes
        For "undecided": what it will probably be called with more trials, if the estimates stay; empty if that
        takes more than :data:`LIKELY` times as many, or no row fits the estimates as they stand.
    units
        For "undecided": units a matchup that a verdict takes, roughly, those played included; 0 if that is more than
        :data:`ROUGHLY` times as many, or no row fits.
    factor
        For "undecided": how many times as many units a verdict takes, if the estimates stay; 0 if no row fits.
    """

    word: str
    reason: str
    severe: bool = False
    becomes: str = ""
    units: int = 0
    factor: float = 0.0


def judge_item(found: Power, units: int, delta: float = MATTERS, severe: float = SEVERE) -> Judgement:
    """Call an item what the verdict table calls it.

    Parameters
    ----------
    found
        What was measured.
    units
        Units behind each matchup, all that were played for it; 0 if scores are exact.
    delta
        Gap of score that matters, a share between 0 and 1; 0.02 is two percentage points.
    severe
        Gap of score that is severe, ``delta`` at least.

    Returns
    -------
    Judgement

    Raises
    ------
    ValueError
        On other numbers.

    Examples
    --------
    >>> from simkit.balance.items.item import Item
    >>> from simkit.balance.items.power import measure_exact
    >>> beats = [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]
    >>> judge_item(measure_exact(beats, [Item("rock", [True, False, False])]).powers[0], 0).word
    'pillar of a counter-cycle'
    """
    gap, much = share_between("delta", delta), share_between("severe", severe)
    if much < gap:
        raise ValueError(f"severe is {severe!r}, below delta = {delta!r}; allowed is delta at least")
    row = _first(found, gap)
    if row is not None:
        return Judgement(row.word, _reason(row, found), _is_severe(row.word, found, much))
    for factor, later in _with_more(found) if units else ():
        then = _first(later, gap)
        if then is not None:
            return _forecast(then.word, units, factor)
    return Judgement("undecided", f"no row of the table fits the estimates as they stand: {_between(found, gap)}")


def word_of_estimates(found: Power, delta: float = MATTERS) -> str:
    """Return what the estimates alone would call an item, as if they were known; nothing of it is shown.

    Parameters
    ----------
    found
        What was measured.
    delta
        Gap of score that matters, a share between 0 and 1.

    Examples
    --------
    >>> open_ = Estimate(0.1, -0.3, 0.5, 0.99, 100, "sidak")
    >>> nothing = Estimate(0.0, 0.0, 0.4, 0.99, 100, "sidak")
    >>> word_of_estimates(Power("legs", open_, open_, nothing, nothing, (0.0, 1.0), 0.5, False))
    'strong on average'
    """

    def known(value: Estimate) -> Estimate:
        return replace(value, low=value.estimate, high=value.estimate)

    lifts = known(found.lift_uniform), known(found.lift_field)
    least = replace(
        found,
        lift_uniform=lifts[0],
        lift_field=lifts[1],
        need=known(found.need),
        regret=known(found.regret),
        usage=(found.usage_field, found.usage_field),
    )
    row = _first(least, share_between("delta", delta))
    return "undecided" if row is None else row.word


def _forecast(word: str, units: int, factor: float) -> Judgement:
    """Say no more of what would come of more trials than so few can tell."""
    if factor > ROUGHLY:
        return Judgement("undecided", f"not resolved; {TOO_LITTLE}", factor=factor)
    needs = _rough(math.ceil(units * factor))
    named = word if factor <= LIKELY else ""
    reason = f"not resolved: if the estimates stay, {named or 'decided'} with about {needs:,} units a matchup"
    return Judgement("undecided", reason, becomes=named, units=needs, factor=factor)


def possible_words(found: Power, delta: float = MATTERS) -> frozenset[str]:
    """List what more trials may yet call an item: the words that its intervals do not rule out.

    Besides the bounds of its row a verdict needs that no row before it holds. What gains more than matters against
    everybody is never called dominated: if going without costs something, every equilibrium has a use for it, and if
    not, it is strong on average.

    Parameters
    ----------
    found
        What was measured.
    delta
        Gap of score that matters, a share between 0 and 1.

    Returns
    -------
    frozenset of str
        The word of the row that holds, alone; else all of :data:`TABLE` that are not ruled out, which may be none.

    Raises
    ------
    ValueError
        On another gap.

    Examples
    --------
    >>> sure, open_ = (Estimate(0.2, low, high, 0.99, 100, "sidak") for low, high in ((0.1, 0.3), (0.0, 0.5)))
    >>> sorted(possible_words(Power("legs", sure, open_, open_, open_, (0.0, 1.0), 0.5, False)))
    ['must-pick', 'overpowered', 'strong on average']
    """
    gap = share_between("delta", delta)
    row = _first(found, gap)
    if row is not None:
        return frozenset({row.word})
    lifts, level = _lifts(found), all(lift.low <= gap and lift.high >= -gap for lift in _lifts(found))
    needed, spared = found.need.high > gap, found.need.low <= gap
    gains = found.lift_uniform.low > gap
    may = {
        "must-pick": needed and found.usage[1] >= ALWAYS,
        "overpowered": needed and min(lift.high for lift in lifts) > gap,
        "pillar of a counter-cycle": needed and found.usage[0] < ALWAYS and level,
        "strong on average": spared and found.lift_uniform.high > gap,
        "dominated": found.regret.high > gap and found.usage[0] < HARDLY and not gains,
        "underpowered": max(lift.low for lift in lifts) < -gap and found.regret.high > NOTHING,
        "niche": found.lift_uniform.low < 0.0 and found.regret.low <= gap and found.usage[1] > HARDLY,
        "fair": level and spared and found.regret.low <= gap,
    }
    return frozenset(word for word, left in may.items() if left)


def over_conditions(
    words: Mapping[str, str], possible: Mapping[str, Collection[str]] | None = None
) -> tuple[str, list[str]]:
    """Call an item one thing over several conditions, such as rungs of skill or maps.

    Overpowered if it is so under any of them, underpowered only if it is so under all: what dominates for some
    players spoils their game, what is weak may be waiting for better ones.

    Parameters
    ----------
    words
        The verdict under each condition, by its name.
    possible
        What an undecided one may yet be called, by the name of its condition; anything where it is left out.

    Returns
    -------
    word : str
        The strongest of ``must-pick`` and ``overpowered`` that was found anywhere; else the common word; else
        ``underpowered`` where all are dominated or underpowered; else ``undecided`` where one word may yet fit all;
        else ``depends``.
    conditions : list of str
        Those that have the word; all of them for ``depends``.

    Raises
    ------
    ValueError
        If there are no conditions, or a word is not one of :data:`WORDS`.

    Examples
    --------
    >>> over_conditions({"greedy": "fair", "lookahead": "overpowered"})
    ('overpowered', ['lookahead'])
    >>> over_conditions({"greedy": "dominated", "lookahead": "fair", "random": "undecided"})[0]
    'depends'
    """
    wrong = [word for word in words.values() if word not in WORDS]
    if wrong or not words:
        raise ValueError(f"words holds {wrong[0] if wrong else 'nothing'!r}; allowed are {', '.join(WORDS)}")
    kinds = set(words.values())
    for word in OVER:
        if word in kinds:
            return word, [name for name, found in words.items() if found == word]
    if len(kinds) == 1:
        return kinds.pop(), list(words)
    if kinds <= set(UNDER):
        return "underpowered", list(words)
    unsure = [name for name, found in words.items() if found == "undecided"]
    decided = kinds - {"undecided"}
    if not unsure or (len(decided) > 1 and not decided <= set(UNDER)):
        return "depends", list(words)
    fitting = set(UNDER) if decided & set(UNDER) else decided
    open_ = [set((possible or {}).get(name, WORDS)) for name in unsure]
    if decided and any(not left & fitting for left in open_):
        return "depends", list(words)
    return "undecided", unsure


def _lifts(found: Power) -> tuple[Estimate, Estimate]:
    return found.lift_uniform, found.lift_field


def _level(found: Power, delta: float) -> bool:
    """Tell whether both lifts are inside the band that does not matter."""
    return all(-delta <= lift.low and lift.high <= delta for lift in _lifts(found))


def _first(found: Power, delta: float) -> Row | None:
    return next((row for row in TABLE if row.holds(found, delta)), None)


def _reason(row: Row, found: Power) -> str:
    if row.word == "dominated" and found.beaten:
        return f"{row.meaning}; something else of the same price is better against every build"
    return row.meaning


def _between(found: Power, delta: float) -> str:
    """Say what the estimates of an item are that no row fits."""
    lifts = [
        f"it {_way(lift.estimate, delta)} against {field}"
        for lift, field in zip(_lifts(found), ("all builds alike", "the field"), strict=True)
    ]
    need = "going without costs more than matters" if found.need.estimate > delta else "nobody needs it"
    regret = "its best build falls behind" if found.regret.estimate > delta else "its best build keeps up"
    return "; ".join([*lifts, need, regret])


def _way(lift: float, delta: float) -> str:
    if abs(lift) <= delta:
        return "gains or loses nothing that matters"
    return "gains" if lift > 0.0 else "loses"


def _is_severe(word: str, found: Power, severe: float) -> bool:
    """Tell whether the verdict would stand with the severe gap in place of the one that matters."""
    if word in OVER:
        return found.need.low > severe
    if word == "dominated":
        return found.regret.low > severe
    return word == "underpowered" and max(lift.high for lift in _lifts(found)) < -severe


def _with_more(found: Power) -> Iterator[tuple[float, Power]]:
    """Imagine more trials: bounds come nearer to the estimates as one over the root of their number."""
    factor = STEP
    while factor <= MOST:
        nearer = 1.0 / math.sqrt(factor)
        low, high = (found.usage_field + (end - found.usage_field) * nearer for end in found.usage)
        yield (
            factor,
            replace(
                found,
                lift_uniform=_nearer(found.lift_uniform, nearer),
                lift_field=_nearer(found.lift_field, nearer),
                need=_nearer(found.need, nearer),
                regret=_nearer(found.regret, nearer),
                usage=(low, high),
            ),
        )
        factor *= STEP


def _nearer(value: Estimate, by: float) -> Estimate:
    low = value.estimate - (value.estimate - value.low) * by
    return replace(value, low=low, high=value.estimate + (value.high - value.estimate) * by)


def _rough(number: int) -> int:
    """Round up to two significant digits: it is a guess."""
    step: int = 10 ** max(0, len(str(number)) - 2)
    return -(-number // step) * step
