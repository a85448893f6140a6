"""Morale (B-MOR-1, B-LAN-23, B-LAN-24): when a unit checks, what it needs, and what a failure does."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.contact import in_play, leave
from simkit.games.battlesystem.happenings import Opens, Purpose, What
from simkit.games.battlesystem.kinds import Fate, Formation, Tally
from simkit.games.battlesystem.movement import open_ranks
from simkit.games.battlesystem.records import Numbers, Setup, Stand, State, Unit
from simkit.games.battlesystem.throw import note, throw

HUNDRED = 100


@rule
def reached(lost: int, start: int, percent: int) -> bool:
    """Tell whether losses have reached a share of the figures that began (B-LAN-23)."""
    return lost * HUNDRED >= start * percent


@kernel
def checks_due(rules: Numbers, start: int, before: int, now: int) -> int:
    """Return how many checks losses call for (B-MOR-1, B-LAN-23).

    One if they reached the first or the second threshold, or grew beyond the second; by the letter one for every
    threshold and one for every figure beyond the one that reached the second.
    """
    was, lost = start - before, start - now
    first = reached(lost, start, rules.check_first) and not reached(was, start, rules.check_first)
    second = reached(lost, start, rules.check_second) and not reached(was, start, rules.check_second)
    beyond = 0
    for figures in range(was, lost):
        beyond += int(reached(figures, start, rules.check_second))
    due = int(first) + int(second) + beyond
    return due if rules.check_each else min(due, 1)


@rule
def needed(rules: Numbers, unit: Unit, stand: Stand) -> int:
    """Return the greatest roll with which a unit passes (B-LAN-24)."""
    lost = unit.figures - stand.figures
    number = unit.morale
    if stand.formation == Formation.CLOSED:
        number += rules.morale_closed
    if lost * 4 >= 3 * unit.figures:
        number -= rules.morale_three_quarters
    elif lost * 2 >= unit.figures:
        number -= rules.morale_half
    if stand.rear:
        number -= rules.morale_rear
    if not unit.in_command:
        number -= rules.morale_command
    if unit.commander_killed:
        number -= rules.morale_commander
    return number


@kernel
def check(setup: Setup, state: State, k: int) -> None:
    """Let a unit make one check: a closed unit that fails opens, any other routs (B-MOR-1, B-LAN-24)."""
    unit, stand = setup.units[k], state.units[k]
    number = needed(setup.rules, unit, stand)
    roll = throw(setup.check, state, unit.seat, Purpose.MORALE + 0, stand.checks)
    stand.checks += 1
    state.tally[unit.side, Tally.CHECKS] += 1
    passed = roll <= number
    note(state, What.CHECK + 0, unit.seat, -1, roll, number, int(passed))
    if passed:
        return
    state.tally[unit.side, Tally.FAILED] += 1
    if stand.formation == Formation.CLOSED:
        open_ranks(setup, state, k, Opens.FAILED + 0)
    else:
        leave(setup, state, k, Fate.ROUTED + 0)


@kernel
def look_at(setup: Setup, state: State, k: int) -> None:
    """Let a unit make the checks that its losses since the last look call for."""
    stand = state.units[k]
    if stand.figures == stand.marked:
        return
    due = checks_due(setup.rules, setup.units[k].figures, stand.marked, stand.figures)
    stand.marked = stand.figures
    for _ in range(due):
        if in_play(state, k):
            check(setup, state, k)


@kernel
def check_all(setup: Setup, state: State) -> None:
    """Look at the morale of all units in play, at the end of a phase (B-LAN-12)."""
    for k in range(setup.count):
        if in_play(state, k):
            look_at(setup, state, k)
