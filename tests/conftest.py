"""What all tests share: reproducible random examples, and the kernels of each game made ready once."""

import gc
import os
import signal
from typing import Any

import pytest
from hypothesis import settings

# Products of small arrays take three times as long on several threads, and the tests run side by side.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that starts the tests in the background has them ignore Ctrl-C, and all that they start as well.
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.fsync = lambda file: None  # waiting for the disk, a thousand times over, shows nothing

gc.disable()  # until all is collected: importing makes many objects that stay

FIRST = ("tests/test_jugger_kernel.py", "tests/test_juggerball_kernel.py", "tests/test_pigtable_match.py")
"""Each makes the kernels of a game that take long to compile: no two workers shall wait for the same."""

PLAIN = ("tests/test_naive_", "tests/test_stats_", "tests/test_toml", "tests/test_hostile", "tests/test_dice")
"""Tests that need no kernels."""

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the workers compile the largest games, each another one, before they run what needs no game, and the rest."""

    def turn(item: pytest.Item) -> tuple[int, bool]:
        first = [k for k, file in enumerate(FIRST) if item.nodeid.startswith(file)]
        return (first or [len(FIRST)])[0], not item.nodeid.startswith(PLAIN)

    items.sort(key=turn)


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
