"""Morale (B-MOR-1, B-LAN-23, B-LAN-24): when a unit checks, what it needs, and what a failure does."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.happenings import Opens, Purpose, What
from simkit.games.battlesystem.kinds import Fate, Formation
from simkit.games.battlesystem.records import Numbers, Setup, Stand, State, Unit
from simkit.games.battlesystem.throw import note, throw

HUNDRED = 100


@rule
def reached(lost: int, start: int, percent: int) -> bool:
    """Tell whether losses have reached a share of the figures that began (B-LAN-23)."""
    return lost * HUNDRED >= start * percent


@kernel
def checks_due(rules: Numbers, start: int, before: int, now: int) -> int:
    """Return how many checks a phase calls for (B-MOR-1, B-LAN-23).

    One if losses reached a threshold in this phase or grew beyond the second; by the letter one for every threshold
    and one for every figure beyond the second.
    """
    if now >= before or now <= 0:
        return 0
    was, lost = start - before, start - now
    first = reached(lost, start, rules.check_first) and not reached(was, start, rules.check_first)
    second = reached(lost, start, rules.check_second) and not reached(was, start, rules.check_second)
    beyond = 0
    for figures in range(was + 1, lost + 1):
        beyond += int(figures * HUNDRED > start * rules.check_second)
    if rules.check_each:
        return int(first) + int(second) + beyond
    return int(first or second or beyond > 0)


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
    """Let one unit check as often as it must: a closed unit that fails opens, any other routs (B-MOR-1)."""
    unit, stand = setup.units[k], state.units[k]
    due = checks_due(setup.rules, unit.figures, stand.before, stand.figures)
    for _ in range(due):
        if stand.fate != 0:
            return
        number = needed(setup.rules, unit, stand)
        roll = throw(setup.check, state, unit.seat, Purpose.MORALE + 0, stand.checks)
        stand.checks += 1
        state.tally[unit.side, 5] += 1
        passed = roll <= number
        note(state, What.CHECK + 0, unit.seat, -1, roll, number, int(passed))
        if passed:
            continue
        state.tally[unit.side, 6] += 1
        if stand.formation == Formation.CLOSED:
            stand.formation = Formation.OPEN + 0
            stand.fresh = True
            note(state, What.OPEN + 0, unit.seat, -1, 0, Opens.FAILED + 0, 0)
        else:
            stand.fate = Fate.ROUTED + 0
            note(state, What.ROUT + 0, unit.seat, -1, 0, 0, 0)


@kernel
def checks(setup: Setup, state: State) -> None:
    """Let all units check at the end of a phase; what was destroyed makes no check."""
    for k in range(setup.count):
        stand = state.units[k]
        if stand.fate == 0 and stand.figures < stand.before:
            check(setup, state, k)
        stand.before = stand.figures
