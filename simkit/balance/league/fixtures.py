"""Who meets whom in a season, and at whose home (J-ARM-3, J-LEA-1, J-LEA-2)."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from simkit.lab.asked.league import MOST_ENTRANTS

SEASONS_BITS = 32
"""A match has the units from its number times 2**32 on: one for every season."""

Rounds = Literal["single", "double"] | int


class Match(NamedTuple):
    """One fixture of a season: it is played again, on other dice, in every season."""

    home: int
    """Position of the entrant that has seat A."""
    away: int
    leg: int = 0
    """How often the two have met at this home before in the season."""

    @property
    def number(self) -> int:
        """The number of the match, which hangs neither on how many rounds there are nor on how many take part."""
        return (self.leg * MOST_ENTRANTS + self.home) * MOST_ENTRANTS + self.away

    @property
    def first_unit(self) -> int:
        """The unit whose dice the match has in season 0; every later season has the next (J-LEA-6).

        Examples
        --------
        >>> Match(0, 1).first_unit, Match(0, 1, 1).number
        (4294967296, 1025)
        """
        return self.number << SEASONS_BITS


def fixtures(entrants: int, rounds: Rounds) -> list[Match]:
    """List the matches of a season.

    Parameters
    ----------
    entrants
        How many take part, at least 2.
    rounds
        ``"double"``: everybody meets everybody at home and away; a number: so many double rounds; ``"single"``: once,
        the earlier of the two at home if the sum of their positions is odd (J-LEA-2).

    Returns
    -------
    list of Match
        By leg, home and away.

    Examples
    --------
    >>> [(match.home, match.away) for match in fixtures(3, "single")]
    [(0, 1), (1, 2), (2, 0)]
    >>> len(fixtures(4, "double")), len(fixtures(4, 2))
    (12, 24)
    """
    legs = rounds if isinstance(rounds, int) else 1
    pairs = sorted(_once(entrants) if rounds == "single" else _both(entrants))
    return [Match(home, away, leg) for leg in range(legs) for home, away in pairs]


def _both(entrants: int) -> Iterator[tuple[int, int]]:
    return ((i, j) for i in range(entrants) for j in range(entrants) if i != j)


def _once(entrants: int) -> Iterator[tuple[int, int]]:
    return ((i, j) if (i + j) % 2 else (j, i) for i in range(entrants) for j in range(i + 1, entrants))
