"""Playing the cases of a question about balance, and what they come to, as a document."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simkit import stats
from simkit.balance.items import case as playing
from simkit.balance.items import options, otherwise_options
from simkit.balance.items.case import Measurement
from simkit.balance.items.cases import Asked, Case
from simkit.balance.items.contest import Contest
from simkit.balance.items.item import Item
from simkit.balance.items.options import UNDECIDED, Changed
from simkit.balance.items.otherwise import Otherwise, read_otherwise, standing_case
from simkit.balance.items.otherwise_options import standing_change
from simkit.balance.items.overpowered import Judgement, judge_item, over_conditions, possible_words
from simkit.balance.items.power import Power, standings
from simkit.balance.items.prices import fair_price
from simkit.balance.items.sayings import answer, item_says, option_says, price_says, readings_say, unresolved
from simkit.balance.swings import about
from simkit.games import protocol
from simkit.lab.ledger import Ledger
from simkit.lab.study import Study
from simkit.stats import Estimate

MOST_EXCHANGES = 40
"""Exchanges of an item that a document lists."""

RULE = (
    "rows of the verdict table are tried from the top, the first that holds is the verdict; an item is overpowered if "
    "it is so in any case, underpowered only if it is so in all; it depends where it is sure that no one word fits all"
)


def work(asked: Asked, study: Study) -> dict[str, Any]:
    """Play what a question about balance needs, and return its part of the document.

    Parameters
    ----------
    asked
        The question.
    study
        The folder that it is played in.
    """
    level = asked.plan.level
    family = stats.bonferroni_level(2, level) if asked.cases and asked.pairs else level
    cases: list[dict[str, Any]] = []
    found: list[tuple[Case, Measurement]] = []
    if asked.cases:
        fight = protocol.fight_of(asked.game)
        assert fight is not None
        share = stats.bonferroni_level(len(asked.cases), family)
        ledger = study.ledger(fight.wins)
        for case in asked.cases:
            found.append((case, _played(asked, case, ledger, share)))
    for case, made in found:
        cases.append(_case(asked, case, made))
    metric = next(one for one in asked.game.OUTCOMES if one.name == asked.plan.metric)
    changes: list[Changed] = []
    if asked.pairs:
        changes = options.judged(study.ledger(), asked.pairs, metric, asked.option_delta, family)
    plain = [one for one in cases if one["price"] is None]
    overall = [_overall(asked, item, plain) for item in asked.items]
    prices = [one for item in asked.asked.prices for one in _prices(asked, item, cases)]
    changed = [_option(asked, one, metric) for one in changes]
    read = [_read(asked, one) for one in _otherwise(asked, study, found, overall, cases, changes)]
    return {
        "delta": asked.asked.delta,
        "severe": asked.asked.severe,
        "items": overall,
        "cases": cases,
        "prices": prices,
        "options": changed,
        "readings": read,
        "verdict": {
            "answer": answer(overall, cases, prices, changed, metric.name, level, study.trials),
            "word": _word([*(one["word"] for one in overall), *(one["word"] for one in changed)]),
            "rule": RULE
            if overall
            else "an option is fair if the interval of its change lies within the gap that matters",
            "not_resolved": unresolved(cases, changed),
        },
    }


def _played(asked: Asked, case: Case, ledger: Ledger, share: float) -> Measurement:
    contest = Contest(ledger, asked.game, case.condition)
    strongest = asked.asked.frame.strongest

    def says(tried: int) -> str:
        return f"the {strongest} strongest of {tried} that were tried, drawn uniformly, join them"

    return playing.measured(
        contest,
        case.frame,
        case.pool,
        strongest=strongest if case.pool else 0,
        trials=case.trials,
        level=share,
        delta=asked.asked.delta,
        says=says,
        undecided=lambda power, games: judge_item(power, games, asked.asked.delta, asked.asked.severe).factor > 0.0,
    )


def _case(asked: Asked, case: Case, made: Measurement) -> dict[str, Any]:
    frame, measured = made.frame, made.measured
    against_field = made.scores @ measured.field
    units = made.units[np.triu_indices(len(frame.builds), 1)]
    level = asked.plan.level
    share = stats.bonferroni_level(made.may_look, level)
    crowd, field = standings([frame.crowd, measured.field], made.batches, made.units, share)
    return {
        "case": case.number,
        "title": asked.title(case),
        "budget": case.budget,
        "conditions": dict(case.labels),
        "policy": case.policy if protocol.is_ladder(asked.game) else "",
        "price": None if case.price is None else {"item": case.price[0], "price": case.price[1]},
        "frame": list(frame.says),
        "games": made.games,
        "looks": made.looks,
        "units": [int(units.min()), int(units.max())],
        "effective_number": measured.effective_number,
        "exploitability": measured.exploitability,
        "items": [
            _item(asked, made, item, power, got, against_field, level)
            for item, power, got in zip(frame.items, measured.powers, frame.instead, strict=True)
        ],
        "builds": [
            {
                "build": build.name,
                "items": [item.name for item in frame.items if item.name in build.items],
                "crowd": float(frame.crowd[i]),
                "field": float(measured.field[i]),
                "against_crowd": _number(crowd[i], level),
                "against_field": _number(field[i], level),
            }
            for i, build in enumerate(frame.builds)
        ],
    }


def _item(
    asked: Asked, made: Measurement, item: Item, power: Power, got: Sequence[str], against: Any, level: float
) -> dict[str, Any]:
    judged: Judgement = judge_item(power, made.games, asked.asked.delta, asked.asked.severe)
    best = max(np.flatnonzero(item.holders), key=lambda i: float(against[i]))
    return {
        "item": item.name,
        "word": judged.word,
        "reason": judged.reason.partition(": if the estimates stay")[0],
        "severe": judged.severe,
        "becomes": judged.becomes,
        "possible": sorted(possible_words(power, asked.asked.delta)) if judged.word == UNDECIDED else [],
        "trials": judged.units,
        "lift_uniform": _number(power.lift_uniform, level),
        "lift_field": _number(power.lift_field, level),
        "need": _number(power.need, level),
        "regret": _number(power.regret, level),
        "usage_low": power.usage[0],
        "usage_high": power.usage[1],
        "usage_field": power.usage_field,
        "beaten": power.beaten,
        "holders": int(item.holders.sum()),
        "best": made.frame.builds[int(best)].name,
        "exchanges": _exchanges(made, item, got, level),
    }


def _otherwise(
    asked: Asked,
    study: Study,
    found: Sequence[tuple[Case, Measurement]],
    overall: Sequence[Mapping[str, Any]],
    cases: Sequence[Mapping[str, Any]],
    changes: Sequence[Changed],
) -> list[Otherwise]:
    """Play the cases that stand for the verdicts under other readings; items of one case share the dice."""
    plain = [(case, made, told) for (case, made), told in zip(found, cases, strict=True) if case.price is None]
    words: dict[int, dict[str, str]] = {}
    for item in overall if plain else ():
        rows = [next(row for row in told["items"] if row["item"] == item["item"]) for _, _, told in plain]
        k = standing_case(item["word"], rows)
        words.setdefault(k, {})[item["item"]] = rows[k]["word"]
    read = list[Otherwise]()
    if words:
        fight = protocol.fight_of(asked.game)
        assert fight is not None
        ledger = study.ledger(fight.wins)
        if asked.asked.readings != 0:
            study.progress.note("the cases that stand for the verdicts are played under other readings of the rules")
        for k, held in words.items():
            read += read_otherwise(asked, ledger, *plain[k][:2], held)
    by: dict[str, list[Changed]] = {}
    for one in changes:
        by.setdefault(one.pair.option, []).append(one)
    metric = next(one for one in asked.game.OUTCOMES if one.name == asked.plan.metric)
    for group in by.values():
        read.append(otherwise_options.read_otherwise(asked, study.ledger(), standing_change(group), metric))
    return read


def _read(asked: Asked, one: Otherwise) -> dict[str, Any]:
    """Return what a document tells of a verdict under other readings."""
    shown = ("path", "title", "value", "label", "now_label", "named")
    rows = [
        {
            **about(asked.plan, row.reading),
            "word": row.word,
            "becomes": row.becomes,
            "likely": row.likely,
            "moves": row.moves.to_json(),
            "numbers": {name: _number(value, asked.plan.level) for name, value in row.numbers.items()},
        }
        for row in one.rows
    ]
    left_out = []
    for reading, why in one.left_out:
        told = about(asked.plan, reading)
        left_out.append({**{name: told[name] for name in shown}, "why_not": why})
    made = {
        "subject": one.subject,
        "title": one.title,
        "held": one.held,
        "n": one.n,
        "not_played": one.not_played,
        "rows": rows,
        "left_out": left_out,
    }
    return {**made, "says": readings_say(made)}


def _number(value: Estimate, level: float) -> dict[str, Any]:
    """Return an estimate for the document; all of all cases hold together at the level of the question."""
    return {**value.to_json(), "level": level if value.method != "exact" else 1.0}


def _exchanges(made: Measurement, item: Item, got: Sequence[str], level: float) -> list[dict[str, Any]]:
    """Return what single exchanges gain against everybody; their intervals hold together for the item and case."""
    swaps = [(int(a), int(b)) for a, b in item.swaps][:MOST_EXCHANGES]
    faced = np.tensordot(made.frame.crowd, made.batches, axes=(0, 1))
    rows = np.stack([faced[a] - faced[b] for a, b in swaps])
    share = stats.bonferroni_level(made.may_look, level)
    bands = stats.simultaneous_bands(rows, np.ones(rows.shape[1], dtype=np.int64), share)
    n = int(made.units[np.triu_indices(len(made.units), 1)].min())
    found = []
    for k, (a, _) in enumerate(swaps):
        lift = Estimate(float(rows[k].mean()), bands.low[k], bands.high[k], level, n, bands.critical.method)
        found.append({"build": made.frame.builds[a].name, "instead": got[k], "lift": lift.to_json()})
    return sorted(found, key=lambda one: -float(one["lift"]["estimate"]))


def _overall(asked: Asked, item: str, cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what an item is called over all cases, and over those of one budget or condition."""
    rows = {one["title"]: next(row for row in one["items"] if row["item"] == item) for one in cases}
    open_ = {title: row["possible"] for title, row in rows.items() if row["word"] == UNDECIDED}
    alone: dict[str, dict[str, str]] = {}
    for one in cases:
        for label in (asked.budget_title(one["budget"]), *one["conditions"].values()):
            alone.setdefault(label, {})[one["title"]] = rows[one["title"]]["word"]
    word, where = over_conditions({title: row["word"] for title, row in rows.items()}, open_)
    counts = Counter(row["word"] for row in rows.values())
    return {
        "item": item,
        "word": word,
        "cases": where,
        "counts": dict(counts.most_common()),
        "by": {label: over_conditions(words, open_)[0] for label, words in alone.items() if label},
        "says": item_says(item, word, where, rows) + _by_player(item, cases, open_),
    }


def _by_player(item: str, cases: Sequence[Mapping[str, Any]], possible: Mapping[str, Sequence[str]]) -> str:
    """Say what an item is called in the hands of each player, where several played."""
    words: dict[str, dict[str, str]] = {}
    for one in cases:
        word = next(row["word"] for row in one["items"] if row["item"] == item)
        words.setdefault(one["policy"], {})[one["title"]] = word
    if len(words) < 2:
        return ""
    told = [f"{policy} {over_conditions(some, possible)[0]}" for policy, some in words.items()]
    return f"; by who plays: {', '.join(told)}"


def _prices(asked: Asked, item: str, cases: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the fair price of an item in every case that was played at several prices."""
    price = asked.asked.prices[item]
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for one in cases:
        if one["price"] is not None and one["price"]["item"] == item:
            groups.setdefault(one["title"], []).append(one)
    found = []
    for title, group in groups.items():
        rows = [next(row for row in one["items"] if row["item"] == item) for one in group]
        paid = [int(one["price"]["price"]) for one in group]
        crossing = fair_price(paid, [Estimate(**row["lift_uniform"]) for row in rows])
        fair, unfair = _band(paid, rows, asked.asked.delta)
        made = {
            "item": item,
            "path": price.path,
            "title": title,
            "budget": group[0]["budget"],
            "conditions": group[0]["conditions"],
            "word": crossing.word,
            "price": None if crossing.estimate is None else crossing.estimate.to_json(),
            "fair": fair,
            "unfair": unfair,
            "tried": [
                {"price": at, "word": row["word"], **{name: row[name] for name in ("lift_uniform", "need", "regret")}}
                for at, row in zip(paid, rows, strict=True)
            ],
        }
        found.append({**made, "says": price_says(made)})
    return found


def _band(paid: Sequence[int], rows: Sequence[Mapping[str, Any]], delta: float) -> tuple[list[int], list[int]]:
    """Return the prices at which need and regret are nothing that matters, and those at which one of them is."""
    fair = [at for at, row in zip(paid, rows, strict=True) if max(row[k]["high"] for k in ("need", "regret")) <= delta]
    unfair = [at for at, row in zip(paid, rows, strict=True) if max(row[k]["low"] for k in ("need", "regret")) > delta]
    return fair, unfair


def _option(asked: Asked, found: Changed, metric: protocol.Metric) -> dict[str, Any]:
    made = {
        "option": found.pair.option,
        "title": ", ".join(found.pair.labels.values()) or "as the file has it",
        "conditions": dict(found.pair.labels),
        "word": found.word,
        "change": _number(found.change, asked.plan.level),
        "without": found.plain,
        "trials": found.units * asked.game.GAMES_A_UNIT * 2,
    }
    return {**made, "says": option_says(made, metric)}


DEPENDS = "depends"
STRENGTH = ("must-pick", "overpowered", "dominated", "underpowered", "raises", "lowers", "pillar of a counter-cycle")


def _word(words: Sequence[str]) -> str:
    """Return the word of the whole answer: the strongest claim, else what all have, else undecided or depends."""
    for word in STRENGTH:
        if word in words:
            return word
    kinds = set(words)
    if len(kinds) == 1:
        return kinds.pop()
    return UNDECIDED if UNDECIDED in kinds and DEPENDS not in kinds else DEPENDS
