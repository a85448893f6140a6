"""Blocks of trials over a pool of threads.

Kernels release the interpreter lock, so plain threads use every core. A bounded window of blocks is
in flight; results are handled one by one in the calling thread. Whatever ends the run early (Ctrl-C,
a full disk, a bug), blocks that had finished are still handed over before the error goes on.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")

BATCHES = 256
"""Units are counted into this many batches (unit number modulo 256)."""


def cpus() -> int:
    """Return the number of processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
        Called in this thread, in the order in which jobs finish.
    threads
        Size of the pool.
    tick
        Called in this thread at least every tenth of a second while waiting.

    Raises
    ------
    BaseException
        Whatever ended the run early, after finished jobs were handed over.
    """
    stop = threading.Event()

    def guarded(job: Job) -> Result | None:
        return None if stop.is_set() else play(job)

    live: dict[Future[Result | None], Job] = {}
    pool = ThreadPoolExecutor(threads, thread_name_prefix="simkit")
    try:
        for job in jobs:
            live[pool.submit(guarded, job)] = job
            while len(live) >= 2 * threads:
                _collect(live, done, tick)
        while live:
            _collect(live, done, tick)
    except BaseException:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
        for future in [f for f in live if f.done() and not f.cancelled() and f.exception() is None]:
            result = future.result()
            if result is not None:
                done(live[future], result)
        raise
    finally:
        pool.shutdown(wait=True)


def _collect(
    live: dict[Future[Result | None], Job],
    done: Callable[[Job, Result], None],
    tick: Callable[[], None] | None,
) -> None:
    ready, _ = wait(live, timeout=0.1, return_when=FIRST_COMPLETED)
    for future in ready:
        result = future.result()
        job = live.pop(future)
        if result is not None:
            done(job, result)
    if tick is not None:
        tick()
