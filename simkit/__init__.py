"""simkit: the balance lab for tabletop war games.

Ask a question in TOML, play millions of fights, get an answer worth trusting.

>>> import simkit
>>> simkit.odds("2d6 >= 8").decimal  # doctest: +ELLIPSIS
0.4166...
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simkit.api import (
        Experiment,
        Run,
        balance,
        check,
        compare,
        duel,
        exact,
        house,
        league,
        load,
        march,
        matrix,
        odds,
        rate,
        replay,
        rules,
        run,
        search,
        sensitivity,
        solve,
        tune,
    )

__all__ = [
    "Experiment",
    "Run",
    "balance",
    "check",
    "compare",
    "duel",
    "exact",
    "house",
    "league",
    "load",
    "march",
    "matrix",
    "odds",
    "rate",
    "replay",
    "rules",
    "run",
    "search",
    "sensitivity",
    "solve",
    "tune",
]


class _Callable(ModuleType):
    """A package that can be called as well: the room ``simkit.balance`` and the question have one name."""

    def __call__(self, *arguments: Any, **more: Any) -> Any:
        """Ask; see :func:`simkit.api.balance`."""
        from simkit import api

        return api.balance(*arguments, **more)


import_module("simkit.balance").__class__ = _Callable


def __getattr__(name: str) -> Any:
    """Load the public names on first use, so that ``import simkit`` costs nothing."""
    if name in __all__:
        from simkit import api

        return getattr(api, name)
    raise AttributeError(f"module 'simkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
