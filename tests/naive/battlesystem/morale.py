"""Morale (B-MOR-1, B-MOR-2, B-LAN-23, B-LAN-24)."""

from typing import TYPE_CHECKING, Any

from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.unit import Unit

if TYPE_CHECKING:
    from tests.naive.battlesystem.battle import Battle


def checks_due(start: int, before: int, now: int, rules: Any) -> int:
    """Return how many checks the losses of a phase ask for (B-LAN-23)."""
    due = 0
    for lost in range(start - before + 1, start - now + 1):
        first = (lost - 1) * 100 < start * rules.check_first <= lost * 100
        second = (lost - 1) * 100 < start * rules.check_second <= lost * 100
        beyond = (lost - 1) * 100 >= start * rules.check_second
        due += first + second + beyond
    return min(due, 1) if rules.checks == "one_a_phase" else due


def needed(unit: Unit, rules: Any) -> int:
    """Return the most that the dice may show (B-LAN-24)."""
    most = unit.design.ml + rules.morale_closed * unit.closed
    if unit.lost * 4 >= unit.start * 3:
        most -= rules.morale_three_quarters
    elif unit.lost * 2 >= unit.start:
        most -= rules.morale_half
    most -= rules.morale_rear * unit.struck_rear
    most -= rules.morale_command * (not unit.design.in_command)
    return int(most - rules.morale_commander * unit.design.commander_killed)


def look_at(battle: "Battle", unit: Unit) -> None:
    """Make the checks that a unit's losses since the last look ask for."""
    due = checks_due(unit.start, unit.marked, unit.figures, battle.rules)
    unit.marked = unit.figures
    for _ in range(due):
        if not unit.in_play:
            return
        check(battle, unit)


def check(battle: "Battle", unit: Unit) -> None:
    """Make one check: a closed unit that fails opens, any other routs (B-LAN-24)."""
    most = needed(unit, battle.rules)
    roll = battle.dice.roll(battle.rules.morale_dice, "morale", battle.round, unit.seat, unit.checks)
    unit.checks += 1
    battle.checks[unit.side] += 1
    battle.write(t.CHECK, unit, roll=roll, value=most, extra=int(roll <= most))
    if roll <= most:
        return
    battle.failed[unit.side] += 1
    if unit.closed:
        battle.open_ranks(unit, t.BY_CHECK)
    else:
        unit.routed = True
        battle.write(t.ROUT, unit)


def check_all(battle: "Battle") -> None:
    """Look at all units in play, by seat (end of phases 3, 5 and 6)."""
    for unit in battle.units:
        if unit.in_play:
            look_at(battle, unit)
