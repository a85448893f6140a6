"""Decisions of `best`, read from the events of another engine and checked to be legal."""

from typing import TYPE_CHECKING

from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.unit import Unit

if TYPE_CHECKING:
    from tests.naive.battlesystem.battle import Battle


class IllegalDecisionError(AssertionError):
    """The trace shows a decision that the rules forbid."""


class TraceDivergedError(AssertionError):
    """The twin derives another event than the trace shows."""

    def __init__(self, index: int, derived: t.Event | None, told: t.Event | None) -> None:
        self.index, self.derived, self.told = index, derived, told
        super().__init__(f"event {index}: the twin derives {describe(derived)}, the trace shows {describe(told)}")


def describe(event: t.Event | None) -> str:
    """Write an event for a reader."""
    if event is None:
        return "nothing"
    names = ("round", "unit", "foe", "roll", "value", "extra")
    return f"{t.EVENTS[event[0]]} " + " ".join(f"{n}={v}" for n, v in zip(names, event[1:], strict=True) if v != -1)


def chosen(battle: "Battle", unit: Unit, allowed: list[str]) -> str:
    """Return what the trace shows as a unit's choice; none if it shows no choice here (B-LAN-26)."""
    told = battle.next_told()
    if told is None or told[0] != t.CHOOSE or told[2] != unit.seat:
        return "none"
    choice = t.CHOICES.get(told[5])
    if choice not in allowed:
        raise IllegalDecisionError(
            f"event {len(battle.events)}, {describe(told)}: unit {unit.seat} may choose {allowed} (B-LAN-13, B-LAN-16)"
        )
    battle.write(t.CHOOSE, unit, value=told[5])
    return choice
