"""Blocks of trials over a pool of threads.

Kernels release the interpreter lock, so plain threads use every core. A bounded window of blocks is
in flight; results are handled one by one in the calling thread. Whatever ends the run early (Ctrl-C,
a full disk, a bug), blocks that finish all the same are still handed over before the error goes on.
"""

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")

TICK_SECONDS = 0.1
"""Longest between two ticks."""

SIGNALS_WAKE = os.name == "posix"
"""Whether Ctrl-C ends a wait that has no time limit."""

BLOCK_SECONDS = 0.25
"""About how long a block should take."""

BATCHES = 256
"""Units are counted into this many batches (unit number modulo 256)."""


def cpus() -> int:
    """Return the number of processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def block_size(nanoseconds: float) -> int:
    """Return how many units make a block when one takes so long: a power of two, about a quarter of a second.

    Shorter blocks cost more for the handing over (two threads are woken each time), longer ones keep
    whoever presses Ctrl-C waiting. Results do not depend on it.

    Examples
    --------
    >>> block_size(40), block_size(10_000), block_size(1e9)
    (8388608, 32768, 256)
    """
    return max(BATCHES, 1 << round(math.log2(max(BLOCK_SECONDS * 1e9 / nanoseconds, 1))))


def blocks(first: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut the units ``first <= unit < end`` at the multiples of `size`.

    Examples
    --------
    >>> list(blocks(0, 10, 4))
    [(0, 4), (4, 8), (8, 10)]
    """
    while first < end:
        cut = min((first // size + 1) * size, end)
        yield first, cut
        first = cut


def run(
    jobs: Iterable[Job],
    play: Callable[[Job], Result],
    done: Callable[[Job, Result], None],
    *,
    threads: int,
    tick: Callable[[], None] | None = None,
) -> None:
    """Play every job on a pool of threads and hand each result to `done` in this thread.

    Parameters
    ----------
    jobs
        What to play, taken lazily; at most two a thread are in flight.
    play
        Called in a worker thread.
    done
        Called in this thread, in the order in which jobs finish; once a job at most.
    threads
        Size of the pool.
    tick
        Called in this thread at least every tenth of a second while waiting.

    Raises
    ------
    BaseException
        Whatever ended the run early, after jobs that finished were handed over and all threads have
        ended. Errors of `done` in that last round do not hide it; they become notes on it.
    """
    live: dict[Future[Result], Job] = {}
    pool = ThreadPoolExecutor(threads, thread_name_prefix="simkit")
    try:
        for job in jobs:
            live[pool.submit(play, job)] = job
            while len(live) >= 2 * threads:
                _collect(live, done, tick)
        while live:
            _collect(live, done, tick)
    except BaseException as error:
        pool.shutdown(wait=True, cancel_futures=True)
        _hand_over(live, done, error)
        raise
    finally:
        pool.shutdown(wait=True)


def _collect(
    live: dict[Future[Result], Job],
    done: Callable[[Job, Result], None],
    tick: Callable[[], None] | None,
) -> None:
    limit = None if tick is None and SIGNALS_WAKE else TICK_SECONDS
    ready, _ = wait(live, timeout=limit, return_when=FIRST_COMPLETED)
    for future in ready:
        result = future.result()
        done(live.pop(future), result)
    if tick is not None:
        tick()


def _hand_over(live: Mapping[Future[Result], Job], done: Callable[[Job, Result], None], error: BaseException) -> None:
    for future, job in live.items():
        if future.cancelled() or future.exception() is not None:
            continue
        try:
            done(job, future.result())
        except Exception as another:
            error.add_note(f"a finished job could not be handed over either: {another!r}")
