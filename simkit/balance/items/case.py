"""One case: the builds of a budget under one condition, from the search for strong ones to the measures of an item.

Three kinds of dice, none of which does the work of another. A few units try many builds and find strong ones. The
pilot meets all builds of the frame and chooses: the field, and against whom and by whom an item is missed most. Fresh
dice judge what was chosen; matchups that the measures hang on get more of them, by what the pilot said. Nothing that
judges has chosen, so that the intervals are honest however the rest was found.

Where that leaves something undecided and trials are left, all that was played is a better pilot for a second look, on
dice that nobody has seen. Whether there may be one is settled before the first dice judge, and each of the two has
half of the error probability: it does not matter then what made anybody look again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from simkit import stats
from simkit.balance.equilibrium import EVEN, MARGIN, maximum_entropy, solve
from simkit.balance.items.contest import GAMES, Contest
from simkit.balance.items.frames import Frame, joined
from simkit.balance.items.item import Item
from simkit.balance.items.power import Measured, Power, measure
from simkit.games.protocol import Build
from simkit.stats.checks import BoolArray, FloatArray, IntArray

TRIED_UNITS = 8
"""Units of a matchup with which builds are tried, and the better quarter once more."""
TRIED_RIVALS = 6
"""Builds of the crowd against which all are tried; the better quarter meets the whole crowd and each other."""
PILOT_BATCHES = 16
JUDGE_BATCHES = 64
PILOT, AGAIN, JUDGE = 0.15, 0.1, 0.2
"""Shares of the units for the pilot, for what it should know better, and for all matchups once more on fresh dice.

What is left goes to the matchups that matter.
"""
MOST_ALIKE = 256
"""Units that a matchup gets at most because all get as many."""
REACH = 6.0
"""Standard errors to either side of an interval, about: it holds together with hundreds of others."""
SAFETY = 0.7
"""How near a bound should come to the edge that it must not cross, as a share of the way there."""
STEPS = np.sort(np.concatenate([2 ** np.arange(24), 3 * 2 ** np.arange(22)]))
"""Numbers of batches that matchups may be played up to: few, so that many are played together."""
SHARES = tuple(0.95**step for step in range(150))
"""Shares of what is wished for that are tried, where there is no room for all."""
FRESH, FRESHER = 1, 2
"""Replications whose dice judge, and judge at the second look."""
FARTHER = tuple(2.0 ** (step / 8.0) for step in range(96, 0, -1))
"""Multiples of what is wished for that are tried, where there is room for more."""


@dataclass(frozen=True, eq=False)
class Measurement:
    """What one case has shown.

    Attributes
    ----------
    frame
        The builds that met, the strong ones included.
    measured
        Lift, need, regret and usage of its items; of an item that the first look decided, by what it saw.
    scores
        float64, shape ``(builds, builds)``: mean scores on the dice that judged, last if twice.
    batches
        float64, shape ``(builds, builds, batches)``: the same by batch.
    units
        int64, shape ``(builds, builds)``: units behind each.
    pilot
        float64, shape ``(builds, builds)``: mean scores on the dice that chose.
    epsilon
        How near an equilibrium the field is by the pilot.
    games
        Games that were played for it, those that chose included.
    may_look
        How many looks there might have been: 1 or 2. Each has so great a part of the error probability.
    looks
        How many there were.
    """

    frame: Frame
    measured: Measured
    scores: FloatArray
    batches: FloatArray
    units: IntArray
    pilot: FloatArray
    epsilon: float
    games: int
    may_look: int = 1
    looks: int = 1


class TooFewTrialsError(ValueError):
    """The trials do not reach for a frame."""

    def __init__(self, needed: int) -> None:
        super().__init__(f"at least {needed:,} trials are needed")
        self.needed = needed


class Table:
    """Scores of builds against each other as they come, by batch."""

    def __init__(self, contest: Contest, builds: Sequence[Build], batches: int, replication: int) -> None:
        self.contest, self.builds, self.replication = contest, builds, replication
        self.values = np.full((len(builds), len(builds), batches), EVEN)
        self.units = np.zeros((len(builds), len(builds)), dtype=np.int64)
        self.spent = 0

    def play_to(self, wanted: IntArray) -> None:
        """Play every matchup up to so many units; those that have and want as many are played together."""
        steps: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for i, j in np.argwhere(np.triu(wanted > self.units, 1)):
            steps.setdefault((int(self.units[i, j]), int(wanted[i, j])), []).append((int(i), int(j)))
        for (had, end), pairs in sorted(steps.items()):
            met = [(self.builds[i], self.builds[j]) for i, j in pairs]
            fresh = self.contest.scores(met, had, end, self.values.shape[2], replication=self.replication)
            for (i, j), scores in zip(pairs, fresh, strict=True):
                self.values[i, j] = (self.values[i, j] * had + scores * (end - had)) / end
                self.values[j, i] = 1.0 - self.values[i, j]
                self.units[i, j] = self.units[j, i] = end
            self.spent += len(pairs) * (end - had)

    def all_to(self, units: int) -> None:
        """Play all matchups up to so many units."""
        self.play_to(np.full_like(self.units, units))

    def fitting(self, wishes: Sequence[FloatArray], room: int) -> IntArray:
        """Return up to how many units every matchup may be played so that all take no more than there is room for.

        Parameters
        ----------
        wishes
            Each of shape ``(builds, builds)``: units that would be enough for something. Those that ask for least are
            met first; of what is left the others get the same share of what they ask for.
        room
            Units of all matchups together, beside those played.
        """
        steps = self.values.shape[2] * STEPS
        ordered = sorted((np.maximum(wish, wish.T) for wish in wishes), key=lambda wish: float(wish.sum()))
        met = np.zeros(self.units.shape)

        def stepped(wish: FloatArray) -> IntArray:
            places = np.minimum(np.searchsorted(steps, wish), STEPS.size - 1)
            return np.maximum(self.units, np.where(wish > 0.0, steps[places], 0))

        def fits(wish: FloatArray) -> bool:
            return self.takes(stepped(wish)) <= room

        while ordered and fits(np.maximum(met, ordered[0])):
            met = np.maximum(met, ordered.pop(0))
        rest = np.max(ordered, axis=0) if ordered else met
        shares = (share for share in SHARES if fits(np.maximum(met, share * rest)))
        return stepped(np.maximum(met, next(shares, 0.0) * rest))

    def filling(self, wishes: Sequence[FloatArray], room: int) -> IntArray:
        """Return the same with the largest multiple of all that is wished for, if there is room for more than that."""
        farther = np.max(wishes, axis=0)
        for times in FARTHER:
            wanted = self.fitting([times * farther], np.iinfo(np.int64).max)
            if self.takes(wanted) <= room:
                return wanted
        return self.fitting(wishes, room)

    def takes(self, wanted: IntArray) -> int:
        """Count the units that it takes to play every matchup up to so many."""
        return int(np.triu(np.maximum(wanted - self.units, 0), 1).sum())

    @property
    def means(self) -> FloatArray:
        """Mean scores so far."""
        return np.asarray(self.values.mean(axis=2))

    @property
    def spread(self) -> float:
        """Standard deviation of a score in a unit, over all matchups."""
        above = np.triu_indices(len(self.builds), 1)
        variance = self.values[above].var(axis=1, ddof=1) * self.units[above] / self.values.shape[2]
        return float(np.sqrt(variance.mean()))

    def against(self, mixture: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what every build scores against a mixture, and the standard errors."""
        faced = np.tensordot(mixture, self.values, axes=(0, 1))
        return faced.mean(axis=1), faced.std(axis=1, ddof=1) / np.sqrt(faced.shape[1])


def least_trials(frame: Frame, strongest: int, tried: int) -> int:
    """Return the fewest games with which a frame can be judged."""
    builds = len(frame.builds) + strongest
    tries = 0 if not strongest else _tries(int(np.count_nonzero(frame.crowd)), tried)
    return GAMES * (builds * (builds - 1) // 2 * (PILOT_BATCHES + JUDGE_BATCHES) + tries)


def measured(
    contest: Contest,
    frame: Frame,
    pool: Sequence[Build],
    *,
    strongest: int,
    trials: int,
    level: float,
    delta: float,
    says: Callable[[int], str],
    undecided: Callable[[Power, int], bool] = lambda power, games: False,
) -> Measurement:
    """Play a case and measure its items.

    Parameters
    ----------
    contest
        Plays the matchups.
    frame
        Builds that were drawn.
    pool
        Builds to be tried; the strongest of them join the frame.
    strongest
        How many of them; 0 to try none.
    trials
        Games to play at most; fewer are played where they are enough, or more would not help.
    level
        Confidence level of all intervals of the case together.
    delta
        Gap of score that matters.
    says
        Makes of the number of builds that were tried the sentence about the strongest.
    undecided
        Tells of an item, as it was measured with so many games, whether it is undecided and more games would help.
        Left out, nothing is looked at twice.

    Raises
    ------
    TooFewTrialsError
        The trials do not reach.
    """
    if trials < (needed := least_trials(frame, strongest if pool else 0, len(pool))):
        raise TooFewTrialsError(needed)
    room, spent = trials // GAMES, 0
    if strongest and pool:
        strong, spent = _strongest(contest, frame, pool, strongest)
        frame = joined(frame, strong, says(len(pool)))
    pairs = len(frame.builds) * (len(frame.builds) - 1) // 2

    pilot = Table(contest, frame.builds, PILOT_BATCHES, 0)
    room -= spent
    spare = room - pairs * JUDGE_BATCHES
    pilot.all_to(_portion(min(PILOT * room, spare), pairs, PILOT_BATCHES))
    wishes, _ = _wishes(pilot, frame, frame.crowd, delta)
    pilot.play_to(pilot.fitting(wishes, min(int(AGAIN * room), spare - pilot.spent)))
    wishes, epsilon = _wishes(pilot, frame, _field(pilot, frame.crowd)[0], delta)

    room -= pilot.spent
    judge = Table(contest, frame.builds, JUDGE_BATCHES, FRESH)
    judge.all_to(_portion(min(JUDGE * (room + pilot.spent), room), pairs, JUDGE_BATCHES))
    wanted = judge.fitting(wishes, room - judge.spent)
    first = judge.spent + judge.takes(wanted)
    # a second look with fewer dice than the first would see less: better all of them at once
    may_look = 2 if room - first >= max(first, pairs * JUDGE_BATCHES) else 1
    judge.play_to(wanted if may_look == 2 else judge.filling(wishes, room - judge.spent))
    share = stats.bonferroni_level(may_look, level)
    found = measure(pilot.means, judge.values, judge.units, frame.items, share, crowd=frame.crowd, epsilon=epsilon)
    spent += pilot.spent + judge.spent
    games = GAMES * spent
    again = [undecided(power, games) for power in found.powers]
    if may_look == 1 or not any(again):
        chose = pilot.means, epsilon
        return Measurement(frame, _at(found, level), judge.means, judge.values, judge.units, *chose, games, may_look)

    better = _together(pilot, judge)
    wishes, epsilon = _wishes(better, frame, _field(better, frame.crowd)[0], delta, again)
    judge = Table(contest, frame.builds, JUDGE_BATCHES, FRESHER)
    room -= first
    judge.all_to(_portion(JUDGE * room, pairs, JUDGE_BATCHES))
    judge.play_to(judge.filling(wishes, room - judge.spent))
    last = measure(better.means, judge.values, judge.units, frame.items, share, crowd=frame.crowd, epsilon=epsilon)
    powers = [new if open_ else old for old, new, open_ in zip(found.powers, last.powers, again, strict=True)]
    last = replace(last, powers=tuple(powers))
    games += GAMES * judge.spent
    chose = better.means, epsilon
    return Measurement(frame, _at(last, level), judge.means, judge.values, judge.units, *chose, games, may_look, 2)


def _at(found: Measured, level: float) -> Measured:
    """Return the same with the level at which the intervals of all looks hold together."""
    named = ("lift_uniform", "lift_field", "need", "regret")
    powers = [
        replace(power, **{name: replace(getattr(power, name), level=level) for name in named}) for power in found.powers
    ]
    return replace(found, powers=tuple(powers))


def _together(pilot: Table, judge: Table) -> Table:
    """Return a pilot that knows what judged as well."""
    made = Table(pilot.contest, pilot.builds, PILOT_BATCHES, pilot.replication)
    made.units = pilot.units + judge.units
    folded = judge.values.reshape(*judge.units.shape, -1, PILOT_BATCHES).mean(axis=2)
    share = (judge.units / np.maximum(made.units, 1))[:, :, np.newaxis]
    made.values = (1.0 - share) * pilot.values + share * folded
    return made


def _portion(units: float, pairs: int, batches: int) -> int:
    """Return how many units each of some pairs gets of so many: a power of two times the batches, once at least.

    Never more than is worth giving to matchups of which nobody knows whether they matter.
    """
    return min(batches << max(0, int(units / pairs / batches).bit_length() - 1), max(batches, MOST_ALIKE))


def _tries(opponents: int, tried: int) -> int:
    better = max(2, tried // 4)
    return (tried * TRIED_RIVALS + better * (opponents + better // 4)) * TRIED_UNITS


def _strongest(contest: Contest, frame: Frame, pool: Sequence[Build], wanted: int) -> tuple[list[Build], int]:
    """Return the strongest of a pool against the crowd, then against the crowd and the strongest; and what it took.

    Of every item as many with it and without it are kept as a quarter of what is wanted, as far as there are any: a
    need is what the best build without it lacks, a regret what the best with it does.
    """
    crowd = [build for build, share in zip(frame.builds, frame.crowd, strict=True) if share > 0.0]
    first = _means(contest, pool, crowd[:TRIED_RIVALS])
    better = _best(pool, first, max(wanted, len(pool) // 4), frame.items)
    rivals = _best(better, [first[pool.index(build)] for build in better], max(2, len(better) // 4), ())
    among_rivals = _means(contest, better, rivals)
    among_crowd = _means(contest, better, crowd)
    both = [(a + b) / 2.0 for a, b in zip(among_rivals, among_crowd, strict=True)]
    met = len(pool) * len(crowd[:TRIED_RIVALS]) + len(better) * (len(rivals) + len(crowd))
    return _best(better, both, wanted, frame.items), met * TRIED_UNITS


def _means(contest: Contest, builds: Sequence[Build], rivals: Sequence[Build]) -> list[float]:
    met = [(build, rival) for build in builds for rival in rivals]
    scores = contest.scores(met, 0, TRIED_UNITS, TRIED_UNITS)
    return [float(mean) for mean in scores.mean(axis=1).reshape(len(builds), len(rivals)).mean(axis=1)]


def _best(builds: Sequence[Build], scores: Sequence[float], wanted: int, items: Sequence[Item]) -> list[Build]:
    """Return the best of some builds, a quarter of them at least with and without every item, as far as there are."""
    order = [builds[i] for i in sorted(range(len(builds)), key=lambda i: (-scores[i], i))]
    kept: list[Build] = []
    for item in items:
        for has in (True, False):
            fits = [build for build in order if (item.name in build.items) is has][: max(1, wanted // 4)]
            kept += [build for build in fits if build not in kept]
    kept += [build for build in order if build not in kept]
    chosen = set(map(id, kept[: max(wanted, 1)]))
    return [build for build in order if id(build) in chosen]


def _field(pilot: Table, near: FloatArray) -> tuple[FloatArray, float]:
    """Return the field of the pilot, and the standard error of a score against one like it.

    What differs by less than that is mixed rather than picked by luck.
    """
    errors = pilot.against(near)[1]
    epsilon = max(MARGIN, float(np.sqrt(np.mean(errors**2))))
    return maximum_entropy(pilot.means, epsilon), epsilon


def _wishes(
    pilot: Table, frame: Frame, near: FloatArray, delta: float, judged: Sequence[bool] | None = None
) -> tuple[list[FloatArray], float]:
    """Return how many units matchups should have, for every bound on its own, and how near an equilibrium the field is.

    The verdict table asks on which side of the gap that matters a number lies. As many units are asked for as bring a
    bound away from there, by what the pilot says: what is far off need not be known well. No bound is asked to be
    nearer than half the gap. A build meets a mixture in proportion to its shares, which is best for the sum. With
    ``judged`` only the items of which it is true are asked about.
    """
    field, epsilon = _field(pilot, near)
    builds = len(frame.builds)
    found, every = list[FloatArray](), np.ones(builds, dtype=bool)
    reach = REACH * pilot.spread

    def within(distance: FloatArray, error: FloatArray) -> FloatArray:
        return np.maximum(SAFETY * (np.abs(distance) - error), delta / 2.0)

    def below(mixture: FloatArray, rows: BoolArray, limit: float) -> None:
        mean, error = pilot.against(mixture)
        units = (reach / within(mean - limit, error)) ** 2
        for row in np.flatnonzero(rows):
            wish = np.zeros((builds, builds))
            wish[row] = units[row] * mixture
            wish[row, row] = 0.0
            found.append(wish)

    below(field, every, EVEN + delta)
    for item in (one for k, one in enumerate(frame.items) if judged is None or judged[k]):
        solved = solve(pilot.means, ~item.holders)
        below(solved.mixture, every, EVEN + delta)
        if EVEN - solved.value > delta:
            below(solved.answer, ~item.holders, EVEN - delta)
        below(field, item.holders, EVEN - delta)
        weights = item.weights()
        for mixture in (frame.crowd, field):
            gain = np.tensordot(mixture, np.tensordot(weights, pilot.values, axes=1), axes=1)
            lift, error = gain.mean(), gain.std(ddof=1) / np.sqrt(gain.size)
            wish = 2.0 * np.outer(np.abs(weights), mixture) * (reach / float(within(np.abs(lift) - delta, error))) ** 2
            np.fill_diagonal(wish, 0.0)
            found.append(wish)
    return found, epsilon
