"""simkit: the balance lab for tabletop war games.

Ask a question in TOML, play millions of fights, get an answer worth trusting.

>>> import simkit
>>> simkit.odds("2d6 >= 8").decimal  # doctest: +ELLIPSIS
0.4166...
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simkit.api import Experiment, Run, check, duel, exact, load, march, odds, rate, replay, rules, run

__all__ = ["Experiment", "Run", "check", "duel", "exact", "load", "march", "odds", "rate", "replay", "rules", "run"]


def __getattr__(name: str) -> Any:
    """Load the public names on first use, so that ``import simkit`` costs nothing."""
    if name in __all__:
        from simkit import api

        return getattr(api, name)
    raise AttributeError(f"module 'simkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
