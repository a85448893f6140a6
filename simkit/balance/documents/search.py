"""The document of ``simkit search``."""

from typing import Any

import numpy as np
from pydantic import Field

from simkit.balance.documents.head import Head, Number, Part
from simkit.balance.equilibrium import effective_number
from simkit.balance.search.searching import Candidate, Found, Hunted
from simkit.lab.searching import Asked
from simkit.stats import Estimate, format_estimate, format_interval
from simkit.stats.estimate import Unit

WORDS = ("settled", "open", "countered", "safe", "undecided")
"""What it can come to: nothing found gains more than delta, the rounds ran out, or, of somebody to be countered, there
is an answer that surely beats him, there is none that was found, or nobody can tell."""

PICKED = 0.005
"""Share of the equilibrium from which a build is named."""


class Pooled(Part):
    """A build of the pool."""

    name: str
    side: dict[str, Any]
    share: float = Field(description="its share of the equilibrium")
    round: int = Field(description="round in which it joined; 0 for those to begin with")


class Raced(Part):
    """A build that came to the race of a round."""

    name: str
    side: dict[str, Any]
    looked: float = Field(description="its score on the dice that chose it: not to be taken for its strength")
    fresh: Number = Field(description="its score on fresh dice; those of all finalists hold together")
    alive: bool = Field(description="whether it was still in at the end of the race")


class Round(Part):
    """A round: the equilibrium of the pool, and the best answer to it."""

    number: int
    pool: list[str]
    shares: list[float]
    answer: str | None = Field(description="best answer that was found; null where nothing was left to look at")
    gain: Number | None = Field(description="how much more than one half it scores on fresh dice")
    joined: bool
    looked_at: int = Field(description="builds that were looked at")
    decided: bool = Field(description="whether the race was decided before its games were used up")
    finalists: list[Raced]


class SearchDocument(Head):
    """What ``simkit search --json`` prints."""

    budget: int
    budget_is: str
    counter: str | None = Field(description="who was to be countered")
    builds: int = Field(description="legal builds of the budget, all limits of the question aside")
    frame: list[str] = Field(description="which of them were looked at, in sentences")
    delta: float
    pool: list[Pooled] = Field(description="builds of the equilibrium, those with the largest share first")
    matrix: list[list[float]] = Field(description="their scores against each other on fresh dice, in this order")
    effective: float = Field(description="how many builds the equilibrium has, where rare ones count for little")
    rounds: list[Round]


def found(asked: Asked, of: Found) -> dict[str, Any]:
    """Return what a search adds to the head of its document."""
    turns = of.rounds.turns
    pool, shares = of.rounds.pool, of.rounds.mixture
    order = [int(k) for k in np.argsort(-shares, kind="stable")]
    names = [one.name for one in pool]
    rounds = []
    for k, turn in enumerate(turns):
        hunt = of.hunts[k] if k < len(of.hunts) and turn.answer is not None else None
        rounds.append(
            {
                "number": k + 1,
                "pool": [one.name for one in turn.pool],
                "shares": [round(float(share), 6) for share in turn.mixture],
                "answer": None if turn.answer is None else turn.answer.build.name,
                "gain": None if turn.answer is None else turn.answer.gain.to_json(),
                "joined": turn.joined,
                **_hunt(hunt),
            }
        )
    return {
        "setting": f"For example: {asked.plan.game.story(asked.plan.cells[0].scenario)}",
        "budget": asked.budget,
        "budget_is": asked.builder.BUDGET_IS,
        "counter": asked.field[0].name if asked.is_counter else None,
        "builds": asked.count,
        "frame": list(of.frame),
        "delta": asked.table.delta,
        "pool": [
            {
                "name": names[k],
                "side": dict(pool[k].side),
                "share": round(float(shares[k]), 6),
                "round": max(0, k - of.starters + 1),
            }
            for k in order
        ],
        "matrix": [[round(float(of.matrix[i, j]), 6) for j in order] for i in order],
        "effective": effective_number(shares),
        "rounds": rounds,
        "verdict": (_countered if asked.is_counter else _settled)(asked, of),
    }


def _hunt(hunt: Hunted | None) -> dict[str, Any]:
    if hunt is None:
        return {"looked_at": 0, "decided": True, "finalists": []}
    return {
        "looked_at": hunt.looked_at,
        "decided": hunt.decided,
        "finalists": [_raced(one) for one in hunt.finalists],
    }


def _raced(one: Candidate) -> dict[str, Any]:
    return {
        "name": one.entrant.name,
        "side": dict(one.entrant.side),
        "looked": one.looked,
        "fresh": one.fresh.to_json(),
        "alive": one.alive,
    }


def _settled(asked: Asked, of: Found) -> dict[str, Any]:
    """Say which builds are strongest, and how sure that is."""
    pool, shares, last = of.rounds.pool, of.rounds.mixture, of.rounds.turns[-1]
    best = [int(k) for k in np.argsort(-shares, kind="stable") if shares[k] >= PICKED]
    budget = f"{asked.builder.BUDGET_IS} {asked.budget}"
    named = _listed([f"{pool[k].name} ({100 * shares[k]:.0f} %)" for k in best[:4]], len(best) - 4)
    only = len(best) == 1
    answer = f"Of {budget} the strongest build that was found is {pool[best[0]].name}"
    if not only:
        answer = f"Of {budget} no build is best against all: the equilibrium of those found is {named}"
    delta, looked = f"{100 * asked.table.delta:g} points", of.hunts[-1].looked_at if of.hunts else 0
    rest: list[str] = []
    if last.answer is None:
        answer += "; there is nothing else to look at."
        return {"answer": answer, "word": "settled", "rule": "settled: every build is in the pool", "not_resolved": []}
    gain = _said(last.answer.gain, "points")
    how = f"{100 * last.answer.gain.level:.5g} % batch-t on fresh dice, n = {last.answer.gain.n:,} {_units(asked)}"
    if of.rounds.settled:
        most = max(last.answer.gain.high, 0.0)
        score = _said(_score(last.answer.gain), "share")
        answer += (
            f"; among {looked:,} builds nothing was found that surely gains more than {delta} on it: the best answer, "
            f"{last.answer.build.name}, scores {score} ({how}), so that what this search finds exploits it by "
            f"{100 * most:.2g} points at most."
        )
        word, rule = "settled", f"settled: the best answer that was found gains not surely more than {delta}"
        if last.answer.gain.high > asked.table.delta:
            rest.append(f"whether {last.answer.build.name} gains more than {delta}: {gain}")
    else:
        answer += (
            f"; the rounds ran out while {last.answer.build.name} still gains {gain} on it ({how}): more rounds are "
            "needed."
        )
        word, rule = "open", f"open: after {len(of.rounds.turns)} rounds the best answer still gains more than {delta}"
        rest.append("who else would join in further rounds")
    if of.hunts and not of.hunts[-1].decided:
        alive = sum(one.alive for one in of.hunts[-1].finalists)
        rest.append(f"who of {alive} finalists of the last round is best: the race used up its games")
    return {"answer": answer, "word": word, "rule": rule, "not_resolved": rest}


def _countered(asked: Asked, of: Found) -> dict[str, Any]:
    """Say what beats somebody."""
    target, answer = of.rounds.pool[0].name, of.rounds.turns[0].answer
    budget, delta = f"{asked.builder.BUDGET_IS} {asked.budget}", f"{100 * asked.table.delta:g} points"
    if answer is None:
        said = f"There is no build of {budget} but {target}."
        return {"answer": said, "word": "safe", "rule": "safe: nothing else to look at", "not_resolved": []}
    gain, hunt = answer.gain, of.hunts[0]
    score = _score(gain)
    how = f"{100 * gain.level:.5g} % batch-t on fresh dice, n = {gain.n:,} {_units(asked)}"
    if gain.low > asked.table.delta:
        word, rule = "countered", f"countered: the answer surely gains more than {delta}"
        begins = f"The best counter to {target} that was found among {hunt.looked_at:,} builds of {budget} is "
    elif gain.high < asked.table.delta:
        word, rule = "safe", f"safe: the best answer that was found gains surely less than {delta}"
        begins = f"No build of {budget} was found that beats {target} by {delta}; the best of {hunt.looked_at:,} is "
    else:
        word, rule = "undecided", f"undecided: the best answer that was found may gain more than {delta}, or less"
        begins = f"It is not clear whether anything of {budget} beats {target}; the best of {hunt.looked_at:,} is "
    rest = [] if word != "undecided" else [f"whether {answer.build.name} gains more than {delta}"]
    alive = [one.entrant.name for one in hunt.finalists if one.alive]
    if not hunt.decided:
        rest.append(f"who is best of {_listed(alive[:4], len(alive) - 4)}: the race used up its games")
    return {
        "answer": f"{begins}{answer.build.name}, which scores {_said(score, 'share')} ({how}).",
        "word": word,
        "rule": rule,
        "not_resolved": rest,
    }


def _score(gain: Estimate) -> Estimate:
    """Return the score that a gain above one half is."""
    low, high = max(0.5 + gain.low, 0.0), min(0.5 + gain.high, 1.0)
    return Estimate(0.5 + gain.estimate, low, high, gain.level, gain.n, gain.method)


def _units(asked: Asked) -> str:
    return "pairs of games" if asked.plan.game.GAMES_A_UNIT == 2 else "games"


def _said(value: Estimate, unit: Unit) -> str:
    text = format_estimate(value, unit)
    return text if value.low == value.high else f"{text} ({format_interval(value, unit)})"


def _listed(names: list[str], more: int) -> str:
    shown = [*names, f"{more} more"] if more > 0 else names
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
