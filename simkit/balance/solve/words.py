"""The findings of ``simkit solve`` in sentences."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from simkit import stats
from simkit.balance.solve.door import changes_of
from simkit.balance.solve.exact import Known
from simkit.balance.solve.ladder import percent
from simkit.balance.solve.question import Asked
from simkit.balance.solve.search import Root
from simkit.balance.solve.solving import Case, Kind
from simkit.balance.wording import listed, number, spelt
from simkit.lab.house import toml_text
from simkit.stats import Estimate
from simkit.stats.estimate import Unit

WORDS = ("found", "several", "none", "not confirmed", "not resolved", "depends")
"""Words of the verdict."""

MOST_FURTHER = 10**12
FULL = 6
"""Most cases in the answer."""

FITS = ("mixing", "curve")
"""Methods that give an interval of their own."""

RULE = (
    "An answer is where the metric crosses the target between two values that are surely on different sides of it, all "
    "values tried together at the level; what lies between two values is a mixture, so many games at either. Its "
    "interval holds at the level for itself. It is then played on fresh dice."
)

RULE_EXACT = (
    "An answer is where the exact metric crosses the target; what lies between two values is a mixture, so many games "
    "at either, whose metric is exactly on the line between theirs. It is then played, as a check."
)


class Teller:
    """Says what was found."""

    def __init__(self, asked: Asked) -> None:
        self.asked, self.ladder, self.metric = asked, asked.ladder, asked.metric
        changes = changes_of(asked.plan, asked.like)
        self.like = listed([self._setting(path, value) for path, value in changes.items()])

    def _setting(self, path: str, value: Any) -> str:
        try:
            word = self.asked.plan.game.label(path, value)
        except (ValueError, TypeError):
            word = None
        return f"{path} = {word or plainly(value)}"

    def where(self, labels: Mapping[str, str]) -> str:
        """Say for which combination."""
        title = self.asked.plan.game.axis_title
        words = (f"{title(path)} {label}" if _is_bare(label) else label for path, label in labels.items())
        return ", ".join(words)

    def name(self, place: float) -> str:
        """Name a value."""
        return f"{place:.6g}" if self.ladder.continuous else self.ladder.name(place)

    def value(self, root: Root) -> str:
        """Say an answer with its interval."""
        if root.place is None or root.low is None or root.high is None:
            return f"between {self.name(root.below)} and {self.name(root.above)}"
        if root.method in ("exact", "fair"):
            if root.high > root.low:
                return f"{self.name(root.low)} to {self.name(root.high)}"
            return self.ladder.spelt(root.place)
        if self.ladder.words:
            return self._share(root.place, root.low, root.high)
        text = self.ladder.spelt(root.place, root.low, root.high)
        low, high = (self.ladder.spelt(end, root.low, root.high) for end in (root.low, root.high))
        return f"{text} ({low} to {high})"

    def _share(self, place: float, low: float, high: float) -> str:
        """Say in which share of the games which of two words holds, with the interval of the share."""
        below, above = self.ladder.around(place)
        text = self.ladder.spelt(place)
        if low < below or high > above or below == above:
            first, last = self.ladder.around(low)[0], self.ladder.around(high)[1]
            return f"{text} (surely between {self.name(first)} and {self.name(last)})"
        ends = [percent((end - below) / (above - below)).removesuffix(" %") for end in (low, high)]
        return f"{text} ({ends[0]} to {ends[1]} %)"

    def nearest(self, case: Case, root: Root) -> str:
        """Name the value next to an answer whose metric is nearer to the target."""
        if root.place is None or self.ladder.continuous:
            return ""
        seen = {check.place: check.estimate.estimate for check in root.checks}
        seen |= {place: float(known.value) for place, known in case.exact.items()}
        ends = [end for end in self.ladder.around(root.place) if end in seen]
        return self.name(min(ends, key=lambda end: abs(seen[end] - case.target))) if ends else ""

    def word(self, case: Case, root: Root) -> tuple[str, int | None]:
        """Say whether fresh dice confirm an answer, and about how many more games it takes."""
        if not root.checks:
            return "not played", None
        last = root.checks[-1]
        if self.asked.within is None:
            agrees = last.estimate.low <= case.target <= last.estimate.high
            return ("confirmed" if agrees else "not confirmed"), None
        if last.fair is None:
            return "not resolved", self._games(last.estimate, case)
        return ("confirmed" if last.fair else "not confirmed"), None

    def _games(self, found: Estimate, case: Case) -> int | None:
        """Return about how many more games bring an estimate off both ends of the band."""
        within = self.asked.within or 0.0
        ends = [case.target - within, case.target + within]
        needed = stats.units_to_decide(found.estimate, found.low, found.high, found.n, ends).max()
        games = float(needed) * self.asked.games
        if not math.isfinite(games) or games > MOST_FURTHER:
            return None
        step = int(10 ** max(0, math.floor(math.log10(max(games, 1.0))) - 1))
        return math.ceil(games / step) * step

    def further(self, case: Case) -> int | None:
        """Return about how many more games an unresolved question takes: those of the values that are open."""
        if case.found.status != "unresolved":
            return None
        needed = [self._games(look.estimate, case) for look in case.found.looks if not look.side and look.fair is None]
        return None if not needed or None in needed else sum(one for one in needed if one)

    def metric_at(self, case: Case, estimate: Estimate) -> str:
        """Write the metric at a value."""
        return spelt(estimate, case.kind, difference=case.kind == "points")

    def says(self, case: Case) -> str:
        """Return a case in a sentence or two, without its place."""
        if case.found.status == "beyond":
            return f"none: {self._never(case)}"
        if case.found.status == "unresolved":
            return self._open(case)
        parts = self._roots(case)
        return parts[0] if len(parts) == 1 else f"{len(parts)} answers: {'; '.join(parts)}"

    def _roots(self, case: Case) -> list[str]:
        return [self._root(case, root) for root in case.found.roots]

    def _never(self, case: Case) -> str:
        looks = case.found.looks
        best = min(looks, key=lambda look: abs(look.estimate.estimate - case.target))
        ends = [f"{self.metric_at(case, look.estimate)} at {self.name(look.place)}" for look in (looks[0], looks[-1])]
        near = f"; it comes nearest at {self.name(best.place)} with {self.metric_at(case, best.estimate)}"
        near = "" if best in (looks[0], looks[-1]) else near
        return f"'{self.metric.name}' is {_side(case)} the target at every value tried, {listed(ends)}{near}"

    def _open(self, case: Case) -> str:
        names = [self.name(look.place) for look in case.found.looks if not look.side]
        further = self.further(case)
        more = "no number of games can be named" if further is None else f"it takes about {further:,} more games"
        return f"not resolved: at {listed(names) or 'the values tried'} nothing is sure; {more}"

    def _band(self, case: Case) -> str:
        within = self.asked.within or 0.0
        return number(within, "count" if case.kind == "count" else "points")

    def _root(self, case: Case, root: Root) -> str:
        """Say one answer: the value, what the values around it give, and what fresh dice say."""
        text = f"{self.value(root)} (exact)" if root.method == "exact" else self.value(root)
        around = self._around(case, root)
        if root.method == "fair":
            around = f"'{self.metric.name}' is surely within {self._band(case)} there, and not seen to cross the target"
        word, further = self.word(case, root)
        if not root.checks:
            return f"{text}; {around}" if around else text
        last = root.checks[-1].estimate
        said = {
            "confirmed": f"confirmed within {self._band(case)}" if self.asked.within else "confirmed",
            "not confirmed": "not confirmed",
            "not resolved": "not resolved" + (f", about {further:,} more games would" if further else ""),
        }[word]
        fresh = f"{said} on fresh dice: {self.metric_at(case, last)}"
        return "; ".join(part for part in (text, around, fresh) if part)

    def _around(self, case: Case, root: Root) -> str:
        """Say what the two values next to an answer give."""
        if root.place is None or self.ladder.continuous:
            return ""
        seen: dict[float, Estimate] = {check.place: check.estimate for check in root.checks}
        seen |= {place: _known(known) for place, known in case.exact.items()}
        ends = [end for end in dict.fromkeys(self.ladder.around(root.place)) if end in seen]
        if len(ends) < 2:
            return ""
        return ", ".join(f"{self.name(end)} gives {self.metric_at(case, seen[end])}" for end in ends)

    def aim(self, case: Case) -> str:
        """Say what the metric is to be."""
        if case.kind == "points" or (self.like and case.like is None):
            off = f" {number(case.target, case.kind)} above" if case.target else ""
            return f"what it is{off} with {self.like}"
        value = spelt(Estimate.exact(case.target), _unit(case.kind), difference=False)
        plus = f" and {number(self.asked.targets[0], 'points')} more" if self.like and self.asked.targets[0] else ""
        return f"{value}, as with {self.like}{plus}" if self.like else number(case.target, _unit(case.kind))

    def verdict(self, cases: Sequence[Case], made: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return what it comes to."""
        return {
            "answer": self._answer(cases, made),
            "word": _word(made),
            "rule": RULE_EXACT if all(case.exact for case in cases) else RULE,
            "not_resolved": self._unresolved(made),
        }

    def _answer(self, cases: Sequence[Case], made: Sequence[Mapping[str, Any]]) -> str:
        aims = [self.aim(case) for case in cases]
        same = len(set(aims)) == 1
        aim = aims[0] if same else f"what it is with {self.like}" if self.like else "each target"
        end, vary = f"'{self.metric.name}'{self._over()} to {aim}", self.asked.vary
        basis = f"{self._confirmations(cases, made)}{self._basis(cases)}" if len(cases) > 1 else self._basis(cases)
        if len(cases) == 1:
            (case,) = cases
            end += f" at {made[0]['where']}" if made[0]["where"] else ""
            if case.found.roots:
                return f"To bring {end}, {vary} must be {'; or '.join(self._roots(case))}. {basis}"
            if case.found.status == "beyond":
                return f"No {vary} that was tried brings {end}: {self._never(case)}. {basis}"
            return f"Which {vary} brings {end} is {self._open(case)}. {basis}"
        places = [
            " ".join([f"at {one['where']}"] * bool(one["where"]) + [f"for {own}"] * (not same and not self.like))
            for one, own in zip(made, aims, strict=True)
        ]
        parts = [
            f"{' or '.join(map(self.value, case.found.roots))} {place}"
            for case, place in zip(cases, places, strict=True)
            if case.found.roots
        ]
        more = [f"and {len(parts) - FULL:,} more"] if len(parts) > FULL else []
        head = f"To bring {end}, {vary} must be " if parts else f"No {vary} is known to bring {end}: "
        return f"{head}{'; '.join([*parts[:FULL], *more, *self._nowhere(cases, places)])}. {basis}"

    def _nowhere(self, cases: Sequence[Case], places: Sequence[str]) -> list[str]:
        """Say once where no value is the answer, and where none is known."""
        found: dict[str, list[str]] = {}
        for case, place in zip(cases, places, strict=True):
            if not case.found.roots:
                open_ = case.found.status == "unresolved"
                found.setdefault("" if open_ else f": always {_side(case)} the target", []).append(place)
        return [f"{'none' if why else 'not resolved'} {_places(some)}{why}" for why, some in found.items()]

    def _over(self) -> str:
        """Say what the metric is averaged over."""
        title = self.asked.plan.game.axis_title
        names = listed([title(path) for path in self.asked.table.over or ()])
        return f", averaged over {len(self.asked.questions[0].points):,} settings of {names}," if names else ""

    def _confirmations(self, cases: Sequence[Case], made: Sequence[Mapping[str, Any]]) -> str:
        """Say how many answers fresh dice confirm."""
        words = [answer["word"] for one in made for answer in one["answers"]]
        if not words:
            return ""
        within = f" within {self._band(cases[0])}" if self.asked.within else ""
        sure = words.count("confirmed")
        if len(words) == 1:
            return f"{words[0].capitalize()}{within} on fresh dice. "
        count = "All of these" if sure == len(words) else f"{sure} of {len(words)} answers"
        return f"{count} confirmed{within} on fresh dice. "

    def _basis(self, cases: Sequence[Case]) -> str:
        """Say what the numbers rest on."""
        level = _percent(self.asked.plan.level)
        units = sum(case.found.units for case in cases)
        games = "pairs of games" if self.asked.plan.game.GAMES_A_UNIT > 1 else "games"
        if self.asked.table.over:
            games += " of every setting"
        if all(case.exact for case in cases):
            return f"Solved exactly, and played {units:,} {games} to confirm; intervals {level}."
        methods = listed(sorted({root.method for case in cases for root in case.found.roots if root.method in FITS}))
        return f"Intervals {level}{f' by {methods}' if methods else ''}, n = {units:,} {games}."

    def _unresolved(self, made: Sequence[Mapping[str, Any]]) -> list[str]:
        found = []
        for one in made:
            place = f"{one['where']}: " if one["where"] else ""
            if one["status"] == "unresolved":
                found.append(f"{place}{one['says']}")
            for answer in one["answers"]:
                if answer["word"] == "not resolved":
                    more = (
                        f"about {answer['further']:,} more games"
                        if answer["further"]
                        else "more games than it is worth"
                    )
                    found.append(f"{place}that {answer['says']} is within the band takes {more}")
        return found


def plainly(value: Any) -> str:
    """Say a value of a file without its brackets.

    Examples
    --------
    >>> plainly({"cross": "fence"}), plainly([{"down": 1}, {"pig": True}]), plainly(-3)
    ('cross fence', 'down 1, pig', '-3')
    """
    if isinstance(value, Mapping):
        return ", ".join(key if inner is True else f"{key} {plainly(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(plainly, value))
    return value if isinstance(value, str) else toml_text(value)


def _side(case: Case) -> str:
    """Say on which side of the target everything lies that was tried."""
    return "below" if case.found.looks[0].side < 0 else "above"


def _places(places: Sequence[str]) -> str:
    """Join places, each of which may be a list itself: ``at this, that and the other``."""
    if len(places) > FULL:
        return f"in {len(places):,} other cases"
    words = {place.partition(" ")[0] for place in places}
    rest = [place.partition(" ")[2] for place in places] if len(words) == 1 else list(places)
    joined = " and ".join(rest) if any("," in place for place in rest) else listed(rest)
    return f"{words.pop()} {joined}" if len(words) == 1 else joined


def _known(known: Known) -> Estimate:
    return Estimate.exact(float(known.value))


def _unit(kind: Kind) -> Unit:
    return kind


def _percent(level: float) -> str:
    """Print a confidence level."""
    return f"{100 * level:g} %"


def _is_bare(label: str) -> bool:
    return not any(char.isalpha() for char in label) or label in ("true", "false", "none")


def _word(made: Sequence[Mapping[str, Any]]) -> str:
    """Return the word of the whole answer."""
    if any(answer["word"] == "not confirmed" for one in made for answer in one["answers"]):
        return "not confirmed"
    words = {"found": "found", "fair": "found", "several": "several", "beyond": "none", "unresolved": "not resolved"}
    found = {words[one["status"]] for one in made}
    return found.pop() if len(found) == 1 else "depends"
