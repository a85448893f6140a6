"""What all tests share: reproducible random examples, and the kernels of each game made ready once."""

import gc
import os
from typing import Any

import pytest
from hypothesis import settings

# Products of small arrays take three times as long on several threads, and the tests run side by side.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

gc.disable()  # until all is collected: importing makes many objects that stay

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")


def pytest_collection_finish() -> None:
    """Leave all that was collected out of the search for dead cycles, which would look at it again and again."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def pigtickler() -> Any:
    """Return the Pig Tickler game with its kernels compiled or loaded."""
    from simkit.games.pigtickler import game

    game.ready()
    return game
