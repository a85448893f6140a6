"""Which builds a search looks at: all there are, or a uniform draw of them and what exchanges make of the best."""

from collections.abc import Sequence

import numpy as np

from simkit.balance.items.frames import Drawer, below
from simkit.games.protocol import Build
from simkit.lab.asks import refused
from simkit.lab.searching import TABLE, Asked

PARENTS, OFFSPRING = 4, 256
"""Of how many builds exchanges are tried, and how many of them at most."""


class Stock:
    """The builds of a search.

    Parameters
    ----------
    asked
        What is searched for: budget, limits, and how many builds are looked at.

    Attributes
    ----------
    builds
        All of them, in an order that says nothing.
    complete
        Whether they are all that there are.
    says
        Which they are, in a sentence.

    Raises
    ------
    ProblemError
        There is none.
    """

    def __init__(self, asked: Asked) -> None:
        self.asked, self.rules = asked, asked.plan.cells[0].rules
        self.seed = asked.plan.experiment.seed
        self.complete = asked.count <= asked.table.tried
        self.builds = self._every() if self.complete else self._drawn()
        budget = f"{asked.builder.BUDGET_IS} {asked.budget}{self._limits()}"
        if not self.builds:
            message = f"no legal build of {budget} was found"
            raise refused(asked.plan.document, "value", message, (TABLE,), "fewer limits, or another budget")
        if self.complete:
            self.says = f"all {len(self.builds):,} legal builds of {budget} were looked at"
        else:
            whole = f"the {asked.count:,} legal builds of {budget}"
            if self._limits():
                whole = f"the legal builds of {budget} (there are {asked.count:,} without this limit)"
            self.says = (
                f"{len(self.builds):,} builds drawn uniformly from {whole} were looked at, and the best of them "
                "improved by exchanges of items"
            )

    def _every(self) -> list[Build]:
        at, asked = self.asked.builder.build_at, self.asked
        every = (at(asked.budget, self.rules, k) for k in range(asked.count))
        builds = [build for build in every if asked.allows(build)]
        order = np.random.Generator(np.random.PCG64(self.seed)).permutation(len(builds))
        return [builds[int(k)] for k in order]

    def _drawn(self) -> list[Build]:
        drawer = Drawer(self.asked.builder, self.asked.budget, self.rules, (), self.seed)
        return drawer.some(self.asked.table.tried, self.asked.allows)

    def _limits(self) -> str:
        table = self.asked.table
        parts = [f"without {_and(table.without)}"] if table.without else []
        parts += [f"with {_and(table.needs)}"] if table.needs else []
        parts += [f"made of {_and(table.only)} alone"] if table.only else []
        return f" {', '.join(parts)}" if parts else ""

    def offspring(self, parents: Sequence[Build], tried: set[str], turn: int) -> list[Build]:
        """Return builds in which an item of a parent is exchanged: all of them, or some drawn.

        Parameters
        ----------
        parents
            The best come first; of more than ``PARENTS`` the others have none.
        tried
            Names of builds that are known already.
        turn
            Chooses the draws.
        """
        rng = np.random.Generator(np.random.PCG64([self.seed, turn]))
        found: dict[str, Build] = {}
        builder, chosen = self.asked.builder, parents[:PARENTS]
        for parent in chosen:
            each = max(1, OFFSPRING // (len(chosen) * max(1, len(parent.items))))
            for item in parent.items:
                count = builder.swap_count(parent, item, self.rules)
                numbers = range(count) if count <= each else sorted({below(rng, count) for _ in range(each)})
                for number in numbers:
                    made = builder.swap_at(parent, item, self.rules, number).build
                    if made.name not in tried and self.asked.allows(made):
                        found[made.name] = made
        return list(found.values())


def _and(names: Sequence[str]) -> str:
    return " and ".join(names)
