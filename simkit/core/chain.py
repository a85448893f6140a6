"""Absorbing Markov chains in exact fractions.

A chain is given by its start and by a function that lists what may follow a state. States that lead
nowhere absorb. Expected visits solve ``v = start + P^T v`` (Kemeny and Snell, *Finite Markov Chains*, 1960,
chapter 3); they are found component by component, so that a chain that only moves on costs one pass
and each loop one small linear system.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True)
class Absorbed(Generic[State]):
    """Where a chain ends, and how often it passes through each state."""

    visits: Mapping[State, Fraction]
    """Expected visits of every state that can be left, and the chance to end in each that absorbs."""
    trapped: Mapping[State, Fraction]
    """Chance to enter a loop that has no way out, by one state of the loop."""


def absorb(start: Mapping[State, Fraction], follow: Callable[[State], Mapping[State, Fraction]]) -> Absorbed[State]:
    """Solve an absorbing chain exactly.

    Parameters
    ----------
    start
        Chance of each first state.
    follow
        Chances of the states that follow a state, adding up to 1; empty for one that absorbs. Called
        once a state.

    Raises
    ------
    ValueError
        The chances after a state do not add up to 1.

    Examples
    --------
    A coin is thrown until it shows heads: two throws on average.

    >>> half = Fraction(1, 2)
    >>> absorb({"throw": Fraction(1)}, lambda s: {"throw": half, "heads": half} if s == "throw" else {}).visits["throw"]
    Fraction(2, 1)
    """
    edges: dict[State, Mapping[State, Fraction]] = {}
    pending = list(start)
    while pending:
        state = pending.pop()
        if state not in edges:
            after = {successor: chance for successor, chance in follow(state).items() if chance}
            if after and sum(after.values()) != 1:
                raise ValueError(f"the chances after {state!r} add up to {sum(after.values())}, not to 1")
            edges[state] = after
            pending.extend(after)
    inflow = dict.fromkeys(edges, Fraction(0)) | dict(start)
    visits: dict[State, Fraction] = {}
    trapped: dict[State, Fraction] = {}
    for component in _components(edges):
        solved = _solve(component, edges, inflow)
        if solved is None:
            trapped[component[0]] = sum((inflow[state] for state in component), Fraction(0))
            continue
        visits |= solved
        inside = set(component)
        for state, times in solved.items():
            for successor, chance in edges[state].items():
                if successor not in inside:
                    inflow[successor] += times * chance
    return Absorbed(visits, {state: chance for state, chance in trapped.items() if chance})


def _solve(
    component: list[State], edges: Mapping[State, Mapping[State, Fraction]], inflow: Mapping[State, Fraction]
) -> dict[State, Fraction] | None:
    """Return expected visits inside one strongly connected component, or None when nothing leaves it."""
    first = component[0]
    if len(component) == 1:
        again = edges[first].get(first, Fraction(0))
        return None if again == 1 else {first: inflow[first] / (1 - again)}
    inside = set(component)
    if all(after in inside for state in component for after in edges[state]):
        return None
    size = len(component)
    rows = [
        [Fraction(int(i == j)) - edges[component[j]].get(component[i], Fraction(0)) for j in range(size)]
        + [inflow[component[i]]]
        for i in range(size)
    ]
    for i in range(size):
        pivot = next(r for r in range(i, size) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(size):
            if r != i and rows[r][i]:
                factor = rows[r][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    return {state: rows[i][size] for i, state in enumerate(component)}


def _components(edges: Mapping[State, Mapping[State, Fraction]]) -> list[list[State]]:
    """Return the strongly connected components, sources first (Tarjan 1972, without recursion)."""
    index: dict[State, int] = {}
    low: dict[State, int] = {}
    stack: list[State] = []
    on_stack: set[State] = set()
    found: list[list[State]] = []
    for root in edges:
        if root in index:
            continue
        work = [(root, iter(edges[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            state, after = work[-1]
            for successor in after:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    stack.append(successor)
                    on_stack.add(successor)
                    work.append((successor, iter(edges[successor])))
                    break
                if successor in on_stack:
                    low[state] = min(low[state], index[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[state])
                if low[state] == index[state]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.append(member)
                        if member == state:
                            break
                    found.append(component)
    return found[::-1]
