"""The findings of ``simkit solve`` as plain data."""

from collections.abc import Sequence
from typing import Any

from simkit.balance.solve.question import Asked
from simkit.balance.solve.search import Check, Look, Root
from simkit.balance.solve.solving import Case
from simkit.balance.solve.words import Teller
from simkit.core.written import written
from simkit.games.protocol import rule_fields
from simkit.lab.house import toml_text


def document_of(asked: Asked, cases: Sequence[Case]) -> dict[str, Any]:
    """Return what a document says beside its head.

    Parameters
    ----------
    asked
        What was asked.
    cases
        What was found.
    """
    told = Teller(asked)
    made = [_case(told, case) for case in cases]
    return {
        "metric": asked.metric.name,
        "target": cases[0].target if len({case.target for case in cases}) == 1 else None,
        "parameter": _parameter(asked),
        "like": told.like,
        "within": asked.within,
        "cases": made,
        "verdict": told.verdict(cases, made),
    }


def _parameter(asked: Asked) -> dict[str, Any]:
    """Return what is varied."""
    path, plan = asked.vary, asked.plan
    row = next((one for one in rule_fields(plan.cells[0].rules) if one.path == path), None)
    return {
        "path": path,
        "title": plan.game.axis_title(path),
        "says": "" if row is None else row.says,
        "id": "" if row is None else row.id,
        "now": "" if row is None else row.value if isinstance(row.value, str) else toml_text(row.value),
        "words": asked.ladder.words,
        "continuous": asked.ladder.continuous,
    }


def _case(told: Teller, case: Case) -> dict[str, Any]:
    """Return a case as plain data."""
    return {
        "factors": dict(case.question.labels),
        "where": told.where(case.question.labels),
        "target": case.target,
        "kind": case.kind,
        "status": case.found.status,
        "exact": bool(case.exact),
        "why": case.why,
        "error": max((one.error for one in case.exact.values()), default=0.0),
        "says": told.says(case),
        "answers": [_answer(told, case, root) for root in case.found.roots],
        "tried": [_tried(told, case, look) for look in case.found.looks],
        "further": told.further(case),
    }


def _tried(told: Teller, case: Case, look: Look) -> dict[str, Any]:
    """Return what was seen at one value."""
    side = {-1: "below", 0: "open", 1: "above"}[look.side]
    known = case.exact.get(look.place)
    return {
        "value": told.ladder.name(look.place) if not told.ladder.continuous else f"{look.place:.6g}",
        "place": look.place,
        "estimate": look.estimate.to_json(),
        "fraction": "" if known is None or known.error else written(known.value),
        "side": side,
        "fair": look.fair,
    }


def _answer(told: Teller, case: Case, root: Root) -> dict[str, Any]:
    """Return an answer as plain data."""
    ladder, place, share = told.ladder, root.place, None
    if place is not None and not ladder.continuous:
        below, above = ladder.around(place)
        share = (place - below) / (above - below) if above > below else None
    word, further = told.word(case, root)
    return {
        "says": told.value(root),
        "place": place,
        "low": root.low,
        "high": root.high,
        "level": 1.0 if root.method == "exact" else told.asked.plan.level,
        "method": root.method,
        "below": told.name(root.below),
        "above": told.name(root.above),
        "rising": root.rising,
        "share": share,
        "nearest": told.nearest(case, root),
        "behind": [_check(told, root, check) for check in root.behind],
        "checks": [_check(told, root, check) for check in root.checks],
        "word": word,
        "further": further,
    }


def _check(told: Teller, root: Root, check: Check) -> dict[str, Any]:
    mixed = not told.ladder.continuous and check.place not in told.ladder.places
    name = told.ladder.spelt(check.place, root.low, root.high) if mixed else told.name(check.place)
    return {
        "value": name,
        "place": check.place,
        "mixed": mixed,
        "estimate": check.estimate.to_json(),
        "fair": check.fair,
    }
