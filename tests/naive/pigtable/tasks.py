"""The row of tasks that a route asks for, as the published cases write it (P-GAM-6, P-GAM-7)."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from tests.naive.pigtable.lines import Event, Ground
from tests.naive.pigtable.ride import Plan, change_at, same_direction
from tests.naive.pigtable.shapes import Point, minus


def told(event: Event) -> Any:
    """Return the task of an event."""
    if event.what in ("up", "down", "ramp"):
        return event.what
    return {event.what: event.kind}


def tasks_of(ground: Ground, rules: Mapping[str, Any], start: Point, plan: Plan) -> list[Any]:
    """Return the tasks of a plan; what the neighbour would meet goes with a turn or a stop."""
    tasks: list[Any] = []
    legs = list(pairwise([start, *plan.legs(start)]))
    for k, (a, b) in enumerate(legs):
        if k > 0 and not same_direction(minus(a, legs[k - 1][0]), minus(b, a)):
            kind, contact = change_at(ground, rules, legs[k - 1][0], a)
            if kind == "turn":
                tasks.append({"turn": [told(event) for event in ground.runaway(legs[k - 1][0], a)]})
            elif kind == "bend":
                tasks.append({"bend": ground.table.bog_at(*a)})
            else:
                assert contact is not None
                tasks.append({"beside": contact.kind} if kind == "beside" else {"avoid": kind})
        events = ground.events(a, b)
        tasks += [told(event) for event in events]
        if events and events[-1].what == "contact":
            return tasks
    if plan.target == "stop":
        a, b = legs[-1]
        tasks.append({"stop": [told(event) for event in ground.runaway(a, b)]})
    return tasks
