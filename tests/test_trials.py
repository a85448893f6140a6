"""Blocks and the pool: what is played, where results arrive, and what happens when a run ends early."""

import _thread
import doctest
import threading
import time
from collections import Counter
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.core import trials
from simkit.core.trials import blocks, cpus, run


def workers():
    """Return the pool's threads that are still alive."""
    return [thread for thread in threading.enumerate() if thread.name.startswith("simkit")]


# Blocks


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(1, 300))
def test_blocks_cut_at_multiples(first, length, size):
    cuts = list(blocks(first, first + length, size))
    assert [unit for start, end in cuts for unit in range(start, end)] == list(range(first, first + length))
    assert all(end % size == 0 for _, end in cuts[:-1])
    assert all(0 < end - start <= size for start, end in cuts)


def test_blocks_of_a_longer_run_go_on_where_a_shorter_one_ended():
    assert set(blocks(0, 4096, 64)) < set(blocks(0, 10_000, 64))


def test_no_blocks():
    assert list(blocks(5, 5, 4)) == list(blocks(7, 5, 4)) == []


def test_cpus():
    assert cpus() >= 1


def test_examples():
    assert doctest.testmod(trials).failed == 0


# Runs that end well


def play_sum(job):
    start, end = job
    return sum(unit * unit % 97 for unit in range(start, end))


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_sums_do_not_depend_on_threads_or_sizes(threads, size):
    total = 0

    def done(job, result):
        nonlocal total
        total += result

    run(blocks(3, 500, size), play_sum, done, threads=threads)
    assert total == play_sum((3, 500))


def test_results_arrive_in_the_calling_thread_and_jobs_are_played_elsewhere():
    played, handled = set(), set()

    def play(job):
        played.add(threading.get_ident())

    def done(job, result):
        handled.add(threading.get_ident())

    run(range(20), play, done, threads=2)
    assert handled == {threading.get_ident()}
    assert played.isdisjoint(handled)
    assert workers() == []


def test_every_job_is_handed_over_once_whatever_its_result():
    found = []
    run(range(50), lambda job: None if job % 2 else job, lambda job, result: found.append((job, result)), threads=3)
    assert sorted(found, key=lambda row: row[0]) == [(job, None if job % 2 else job) for job in range(50)]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_window_is_bounded(threads):
    """Jobs are taken lazily: never more than two a thread are under way, and all threads are used."""
    under_way, most, meet = 0, 0, threading.Barrier(threads)

    def jobs():
        nonlocal under_way, most
        for job in range(12 * threads):
            under_way += 1
            most = max(most, under_way)
            yield job

    def done(job, result):
        nonlocal under_way
        under_way -= 1

    run(jobs(), lambda job: meet.wait(10), done, threads=threads)
    assert most == 2 * threads
    assert under_way == 0


def test_results_arrive_as_they_finish():
    release = threading.Event()
    order = []

    def done(job, _):
        order.append(job)
        release.set()

    run(["slow", "quick"], lambda job: job == "quick" or release.wait(10), done, threads=2)
    assert order == ["quick", "slow"]


def test_ticks_while_waiting():
    ticks = count()
    enough = threading.Event()

    def tick():
        if next(ticks) == 3:
            enough.set()

    run([1], lambda job: enough.wait(10), lambda job, result: None, threads=1, tick=tick)
    assert enough.is_set()


def test_no_jobs():
    run([], lambda job: 1 / 0, lambda job, result: 1 / 0, threads=2)
    assert workers() == []


# Runs that end early


class SpoiledError(Exception):
    """What a test raises."""


class Ledger:
    """Plays jobs in short naps and notes what was played to its end and what was handed over."""

    def __init__(self, *, play_fails=(), done_fails=(), error=SpoiledError):
        self.play_fails, self.done_fails, self.error = play_fails, done_fails, error
        self.played, self.handed = [], []

    def play(self, job):
        time.sleep(0.002)
        if job in self.play_fails:
            raise self.error(f"play {job}")
        self.played.append(job)
        return job

    def done(self, job, result):
        assert result == job
        self.handed.append(job)
        if job in self.done_fails:
            raise self.error(f"done {job}")

    def check(self, jobs):
        """All that was played to its end was handed over, once; no thread is left; not all was played."""
        assert Counter(self.handed) == Counter(self.played)
        assert set(Counter(self.handed).values()) <= {1}
        assert workers() == []
        assert len(self.handed) < jobs


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("error", [SpoiledError, KeyboardInterrupt, SystemExit])
def test_error_in_play(threads, error):
    ledger = Ledger(play_fails={20}, error=error)
    with pytest.raises(error, match="play 20"):
        run(range(500), ledger.play, ledger.done, threads=threads)
    ledger.check(500)
    assert set(range(20)) <= set(ledger.handed)


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("error", [SpoiledError, KeyboardInterrupt])
def test_error_in_done(threads, error):
    ledger = Ledger(done_fails={20}, error=error)
    with pytest.raises(error, match="done 20"):
        run(range(500), ledger.play, ledger.done, threads=threads)
    ledger.check(500)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_done_that_goes_on_failing_does_not_hide_the_first_error(threads):
    """As on a full disk: each finished job is tried once, and the later errors are notes."""
    ledger = Ledger(done_fails=set(range(20, 500)))
    with pytest.raises(SpoiledError, match="done") as raised:
        run(range(500), ledger.play, ledger.done, threads=threads)
    ledger.check(500)
    failed = [job for job in ledger.handed if job >= 20]
    assert str(raised.value) == f"done {failed[0]}"
    notes = [f"a finished job could not be handed over either: SpoiledError('done {job}')" for job in failed[1:]]
    assert getattr(raised.value, "__notes__", []) == notes


def test_done_does_not_hide_an_error_of_play():
    both = threading.Barrier(2)

    def play(job):
        both.wait(10)
        if job == "bad":
            raise SpoiledError("play")
        late = time.monotonic() + 10
        while len(workers()) == 2 and time.monotonic() < late:  # until the pool shuts down and the other thread ends
            time.sleep(0.002)
        return job

    def done(job, result):
        raise SpoiledError(f"done {job}")

    with pytest.raises(SpoiledError) as raised:
        run(["good", "bad"], play, done, threads=2)
    assert raised.value.args == ("play",)
    assert raised.value.__notes__ == ["a finished job could not be handed over either: SpoiledError('done good')"]
    assert workers() == []


def test_error_in_jobs():
    ledger = Ledger()

    def jobs():
        yield from range(30)
        raise SpoiledError("jobs")

    with pytest.raises(SpoiledError, match="jobs"):
        run(jobs(), ledger.play, ledger.done, threads=2)
    ledger.check(31)


def test_error_in_tick():
    ledger = Ledger()

    def tick():
        raise SpoiledError("tick")

    with pytest.raises(SpoiledError, match="tick"):
        run(range(500), ledger.play, ledger.done, threads=2, tick=tick)
    ledger.check(500)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_ctrl_c(threads):
    """A real interrupt of the main thread, at whatever it does then."""
    ledger, over = Ledger(), threading.Event()

    def interrupt():
        if not over.wait(0.1):
            _thread.interrupt_main()
        while not over.wait(5):  # the first may hit Python where it lets no error through, as while it collects garbage
            _thread.interrupt_main()

    presses = threading.Thread(target=interrupt)
    presses.start()
    with pytest.raises(KeyboardInterrupt):
        run(count(), ledger.play, ledger.done, threads=threads)
    over.set()
    presses.join()
    assert set(Counter(ledger.handed).values()) == {1}
    assert set(ledger.handed) <= set(ledger.played)
    assert len(ledger.played) - len(ledger.handed) <= 1  # the interrupt may hit just before `done` is called
    assert workers() == []
