"""A duel as Python has it: asked for, played, and answered."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simkit.balance import duel
from simkit.balance.retelling import lines
from simkit.lab.matchup import Matchup
from simkit.lab.plan import Plan
from simkit.lab.runner import Progress
from simkit.lab.trial import Trial

if TYPE_CHECKING:
    import pandas as pd


class Bout:
    """A duel that was played: its document, and what can be asked of it.

    Attributes
    ----------
    plan
        The plan that was played, of one cell.
    document
        What ``simkit duel --json`` prints: the document of a run, and under ``duel`` what only a duel tells.
    """

    def __init__(self, plan: Plan, document: Mapping[str, Any]) -> None:
        self.plan = plan
        self.document = document

    def __repr__(self) -> str:
        return f"<simkit.Bout: {self.answer}>"

    @property
    def answer(self) -> str:
        """Who beats whom in one sentence, with its interval."""
        return str(self.document["verdict"]["answer"])

    @cached_property
    def cells(self) -> "pd.DataFrame":
        """Everything that was counted, as a tidy table of one row (see :func:`simkit.lab.frame.frame`)."""
        from simkit.lab.frame import frame

        return frame(self.document)

    def replay(self, trial: int | str | None = None) -> str:
        """Retell one game in words.

        Parameters
        ----------
        trial
            Number of its pair, from 0; ``"12b"`` is the game of pair 12 with the seats swapped. A typical one when left
            out.
        """
        wanted = self.document["duel"]["told"]["typical"] if trial is None else trial
        told = lines(self.plan, self.plan.cells[0], Trial.read(wanted, self.plan.game))
        return "\n".join(line["text"] for line in told)


def fought(matchup: Matchup, progress: Progress, *, jobs: int) -> Bout:
    """Plan a duel and play it in memory.

    Parameters
    ----------
    matchup
        Who is to fight whom.
    progress
        Hears how it goes.
    jobs
        Threads.

    Raises
    ------
    ProblemError, ValueError
        As :meth:`simkit.lab.matchup.Matchup.plan`.

    Examples
    --------
    >>> fought(matchup, Silent(), jobs=2).answer  # doctest: +SKIP
    'Walker beats Windrammer in ...'
    """
    plan, names = matchup.plan(), matchup.names()
    played = duel.play(plan, progress, jobs=jobs)
    answer = duel.answer(played, names.a, names.b, noun=names.noun, several=names.several)
    return Bout(plan, duel.document(played, answer))
