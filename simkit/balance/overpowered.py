"""What to call an item: the verdict table over lift, need, regret and usage.

The rows of :data:`TABLE` are tried from the top, and the first that holds is the verdict. Every bound is one of
intervals that hold together, so that what a verdict claims is wrong no more often than their level says. Only that a
niche item has a place in some equilibrium cannot be shown, since a regret of nothing cannot: more trials may find a
small one, and the item underpowered.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from simkit.balance.power import Power
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
is asked before keeping up.
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
        For "undecided": what it will probably be called with more trials, if the estimates stay; empty if no row
        fits the estimates as they stand.
    units
        For "undecided" with ``becomes``: units a matchup that this takes, roughly, those played included; else 0.
    """

    word: str
    reason: str
    severe: bool = False
    becomes: str = ""
    units: int = 0


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
    >>> from simkit.balance.item import Item
    >>> from simkit.balance.power import measure_exact
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
            needs = math.ceil(units * factor)
            reason = f"not resolved: if the estimates stay, {then.word} with about {_rough(needs):,} units a matchup"
            return Judgement("undecided", reason, becomes=then.word, units=_rough(needs))
    return Judgement(
        "undecided", "no row of the table fits the estimates as they stand, however narrow their intervals"
    )


def over_conditions(words: Mapping[str, str]) -> tuple[str, list[str]]:
    """Call an item one thing over several conditions, such as rungs of skill or maps.

    Overpowered if it is so under any of them, underpowered only if it is so under all: what dominates for some
    players spoils their game, what is weak may be waiting for better ones.

    Parameters
    ----------
    words
        The verdict under each condition, by its name.

    Returns
    -------
    word : str
        The strongest of ``must-pick`` and ``overpowered`` that was found anywhere; else the common word; else
        ``underpowered`` where all are dominated or underpowered; else ``undecided`` where any is; else ``depends``.
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
    return ("undecided", unsure) if unsure else ("depends", list(words))


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
