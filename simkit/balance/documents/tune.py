"""The document of ``simkit tune``."""

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from simkit.balance.documents.head import Head, Number, Part
from simkit.balance.search.tuning import Tuned
from simkit.lab.study import Study
from simkit.lab.tuning import Asked
from simkit.stats import Estimate, format_estimate, format_interval
from simkit.stats.estimate import Unit

WORDS = ("unfair", "fair", "undecided")
"""What it can come to: plain weights are unfair to somebody, are fair to all, or nobody can tell."""

FILE = "tuned.toml"
"""The weights, as an experiment can name them."""


class Weight(Part):
    """Something that is valued."""

    name: str
    says: str
    default: int = Field(description="its plain value")
    low: int
    high: int


class Generation(Part):
    """A generation of the search, on its own dice: not to be taken for a gain on fresh ones."""

    gain: float = Field(description="what the weights it began with scored above the plain ones")
    best: float = Field(description="the same of the best that were drawn: overstated, as they were chosen for it")
    spread: float = Field(description="mean standard deviation of the logarithms of the weights")


class Tuning(Part):
    """What was found for a design or a family."""

    name: str
    title: str
    family: str
    kind: str = Field(description="design or family")
    design: Any = Field(description="the design, as the file has it; null for a family")
    before: Number = Field(description="score by plain weights")
    after: Number = Field(description="score by those that were found")
    gain: Number = Field(description="the difference on fresh dice; the gains of all hold together")
    kept: bool = Field(description="whether they gain surely: otherwise the plain ones stay")
    values: dict[str, int] = Field(description="weights that were found")
    generations: list[Generation]
    games: int


class TuneDocument(Head):
    """What ``simkit tune --json`` prints."""

    weights: list[Weight]
    opponents: list[str]
    tuned: list[Tuning]
    delta: float
    rules_hash: str = Field(description="stands for the rules and the ground on which it was tuned")
    written: str = Field(description="file of the tuned weights, in the folder of the results")


def found(study: Study, asked: Asked, tuned: Sequence[Tuned]) -> dict[str, Any]:
    """Return what a tuning adds to the head of its document."""
    return {
        "setting": f"For example: {asked.plan.game.story(asked.plan.cells[0].scenario)}",
        "weights": [weight._asdict() for weight in asked.weights],
        "opponents": list(asked.names),
        "tuned": [_tuning(one) for one in tuned],
        "delta": asked.table.delta,
        "rules_hash": asked.rules_hash,
        "written": FILE,
        "verdict": verdict(asked, tuned),
    }


def _tuning(one: Tuned) -> dict[str, Any]:
    return {
        "name": one.whom.name,
        "title": one.whom.title,
        "family": one.whom.family,
        "kind": "family" if one.whom.side is None else "design",
        "design": one.whom.design,
        "before": one.before.to_json(),
        "after": one.after.to_json(),
        "gain": one.gain.to_json(),
        "kept": one.kept,
        "values": dict(one.values),
        "generations": [step._asdict() for step in one.steps],
        "games": one.games,
    }


def verdict(asked: Asked, tuned: Sequence[Tuned]) -> dict[str, Any]:
    """Say what tuning comes to."""
    delta = asked.table.delta
    unfair = [one for one in tuned if one.gain.low > delta]
    open_ = [one for one in tuned if one.gain.low <= delta < one.gain.high]
    most = max(tuned, key=lambda one: one.gain.estimate)
    kept = sum(one.kept for one in tuned)
    points = f"{100 * delta:g} points"
    many = f"{len(tuned)} gains" if len(tuned) > 1 else "the gain"
    together = f"{100 * asked.plan.level:g} % confidence{' for all together' if len(tuned) > 1 else ''}"
    n = f"n = {most.gain.n:,} {'pairs of games' if asked.plan.game.GAMES_A_UNIT == 2 else 'games'}"
    gain = f"{_said(most.gain, 'points')} ({together}, t on fresh dice, {n})"
    if not kept:
        answer = f"No weights were found that surely beat the plain ones; most was gained by {most.whom.title}, {gain}."
    else:
        whom = f" for {kept} of {len(tuned)}" if len(tuned) > 1 else ""
        answer = f"Tuned weights surely score more{whom}; most is gained by {most.whom.title}, {gain}"
        answer += f", from {_said(most.before, 'share')} to {_said(most.after, 'share')}."
    if unfair:
        names = _listed([one.whom.title for one in sorted(unfair, key=lambda one: -one.gain.estimate)])
        answer += f" Plain weights are unfair to {names}: they lose surely more than {points}."
        word, rule = "unfair", f"unfair: the lower end of a gain is above {points}"
    elif open_:
        word, rule = "undecided", f"undecided: no gain is surely above {points}, but {len(open_)} may be"
    else:
        word, rule = "fair", f"fair: the upper ends of {many} are below {points}"
    return {
        "answer": answer,
        "word": word,
        "rule": rule,
        "not_resolved": [
            f"whether {one.whom.title} gains more than {points}: {_said(one.gain, 'points')}" for one in open_
        ],
    }


def _said(value: Estimate, unit: Unit) -> str:
    if value.low == value.high:
        return format_estimate(value, unit)
    return f"{format_estimate(value, unit)} ({format_interval(value, unit)})"


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:6]) + ([f"{len(names) - 6} more"] if len(names) > 6 else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def file_of(study: Study, asked: Asked, tuned: Sequence[Tuned]) -> str:
    """Return the tuned weights as a file that an experiment can name, with where they come from.

    Whoever gains nothing that is sure keeps the plain weights: a design with a table of its own, so that it does not
    fall back on those of its family, a family without one.
    """
    from simkit.lab.weights import written

    plan = asked.plan
    plain = {weight.name: weight.default for weight in asked.weights}
    provenance: dict[str, Any] = {
        "experiment": plan.experiment.name,
        "seed": plan.experiment.seed,
        "games": study.trials,
        "method": f"cross-entropy, {asked.table.generations} generations of {asked.table.population}, "
        f"{asked.table.games} games each; gains on fresh dice",
        "opponents": list(asked.names),
        "version": plan.game.VERSION.number,
        "edition": plan.game.EDITION,
        "rules": asked.rules_hash,
    }
    tables: dict[str, dict[str, Any]] = {}
    for one in tuned:
        if one.whom.side is None and not one.kept:
            continue
        own = (plan.experiment.designs or {}).get(one.whom.name, one.whom.design)
        whom = {"family": one.whom.name} if one.whom.side is None else {"design": own}
        told = one.gain
        gain = {key: round(getattr(told, key), 6) for key in ("estimate", "low", "high", "level")} | {"n": told.n}
        tables[one.whom.name] = {
            **whom,
            "title": one.whom.title,
            "values": dict(one.values) if one.kept else plain,
            **({"gain": gain} if one.kept else {}),
        }
    return written(plan.game.NAME, plan.experiment.question or plan.experiment.name, provenance, tables)
