"""Which game is told again: the number of a trial, and of a pair of games the seats."""

import re
from typing import NamedTuple

from simkit.games.protocol import Game
from simkit.lab.problems import Problem, ProblemError

WRITTEN = re.compile(r"([0-9]{1,30})(b?)")
"""A number from 0; ``12b`` is the game of pair 12 with the seats swapped."""

END = 2**63
"""Games are counted in 64 bits."""


class Trial(NamedTuple):
    """A game by the number of its unit and its seats: 0 as they are set up, 1 swapped."""

    unit: int
    seat: int = 0

    @property
    def text(self) -> str:
        """The trial as ``--trial`` takes it.

        Examples
        --------
        >>> Trial(12).text, Trial(12, 1).text
        ('12', '12b')
        """
        return f"{self.unit}{'b' * self.seat}"

    @classmethod
    def read(cls, wanted: "int | str", game: Game) -> "Trial":
        """Read a trial of a game.

        Parameters
        ----------
        wanted
            A number from 0, or its text; where two games make a unit, ``"12b"`` is pair 12 with the seats swapped.
        game
            Whose trial it is.

        Raises
        ------
        ProblemError
            There is no such trial.
        """
        found = WRITTEN.fullmatch(str(wanted))
        games = game.GAMES_A_UNIT
        if found is not None and found[2] and games == 1:
            message = f"there is no trial {wanted}: {game.TITLE} has no seats to swap"
            raise ProblemError([Problem("value", message, help=f"trial {found[1]} is the only one of that number")])
        if found is None or (int(found[1]) + 1) * games > END:
            message = f"trials are counted from 0; there is no trial {str(wanted)[:80]}"
            help = None if games == 1 else "12 is a pair of games with the seats as set up, 12b with the seats swapped"
            raise ProblemError([Problem("value", message, help=help)])
        return cls(int(found[1]), len(found[2]))
