"""Duels from Python: two sides and no file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.api.runs import threads_of

if TYPE_CHECKING:
    from simkit.balance.bout import Bout
    from simkit.lab.runner import Progress


def duel(
    a: str | Mapping[str, Any],
    b: str | Mapping[str, Any],
    *,
    policy: str | None = None,
    policy_b: str | None = None,
    trials: int = 20_000,
    map: str | None = None,
    distance: int | None = None,
    seed: int = 1,
    house: Sequence[str | Path] = (),
    set: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    progress: "Progress | None" = None,
    game: str = "jugger",
) -> "Bout":
    """Let one side fight another; in memory, with the figures of ``simkit duel``.

    Parameters
    ----------
    a, b
        The sides: designs as on the command line, such as ``"walker"``, ``"2xwalker"`` or ``"2xarcher+axer"``, or
        the table of a side as in an experiment, such as ``{"design": {"size": 2, "equipment": ["2 flails"]}}``.
    policy, policy_b
        Who decides for both sides, and for B if another; what the game takes for granted when left out.
    trials
        Games to play; where seats are swapped, every pair has the same dice.
    map, distance
        Where: a map by name, and how many hexes, or inches, apart they begin.
    seed
        Seed of all dice.
    house
        House rules, by id or by file.
    set
        Values by dotted path that win over everything else: rules, or fields of the scenario.
    jobs
        Threads; the processors this process may use when left out.
    progress
        Hears how it goes.
    game
        Whose rules.

    Returns
    -------
    Bout
        Its ``answer``, ``document`` and ``cells``, and ``replay`` of any of its games.

    Raises
    ------
    ProblemError
        With everything that is wrong with the sides, the rules or the scenario.
    ValueError
        A side cannot be read, a house rule is no file, or `jobs` is out of range.

    Examples
    --------
    >>> simkit.duel("walker", "windrammer", trials=2000).answer  # doctest: +SKIP
    'Walker beats Windrammer in 7... % of duels ...'
    """
    from simkit.balance.bout import fought
    from simkit.lab.matchup import Matchup, as_force
    from simkit.lab.runner import Silent

    files = tuple(str(one) for one in house)
    forces = as_force(a, game), as_force(b, game)
    matchup = Matchup(*forces, policy, policy_b, trials, seed, map, distance, files, set or {}, game)
    return fought(matchup, progress or Silent(), jobs=threads_of(jobs))
