"""What all tests share: reproducible random examples, and the kernels of each game made ready once."""

from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def pigtickler() -> Any:
    """Return the Pig Tickler game with its kernels compiled or loaded."""
    from simkit.games.pigtickler import game

    game.ready()
    return game
