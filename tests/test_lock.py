"""The lock between processes: one holder, others refused or waiting, freed whatever ends the holder."""

import os
import stat
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from simkit.core.lock import LockedError, file_lock

HOLDER = """
import sys, time
from pathlib import Path
from simkit.core.lock import file_lock
with file_lock(Path(sys.argv[1]), wait=True):
    print("held", flush=True)
    sys.stdin.readline()
"""


@contextmanager
def holder(path):
    """Hold the lock in another process, until told to let go, ended or killed."""
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def free(path):
    """Tell whether the lock can be had at once."""
    try:
        with file_lock(path, wait=False):
            return True
    except LockedError:
        return False


def test_second_taker_is_refused(tmp_path):
    path = tmp_path / "lock"
    with holder(path), pytest.raises(LockedError, match="held by another process"), file_lock(path, wait=False):
        pass


def test_second_taker_in_this_process_is_refused(tmp_path):
    path = tmp_path / "lock"
    with file_lock(path, wait=False):
        assert not free(path)
    assert free(path)


def test_let_go_after_an_error(tmp_path):
    path = tmp_path / "lock"
    with pytest.raises(RuntimeError), file_lock(path, wait=True):
        raise RuntimeError
    assert free(path)


def test_a_waiting_taker_gets_it_when_the_holder_is_done(tmp_path):
    path = tmp_path / "lock"
    taken = threading.Event()

    def take():
        with file_lock(path, wait=True):
            taken.set()

    with holder(path) as process:
        taker = threading.Thread(target=take)
        taker.start()
        assert not taken.wait(0.3)
        process.stdin.write("\n")
        process.stdin.flush()
        assert taken.wait(30)
        taker.join()
    assert free(path)


@pytest.mark.parametrize("end", [subprocess.Popen.kill, subprocess.Popen.terminate])
def test_freed_when_the_holder_is_killed(tmp_path, end):
    path = tmp_path / "lock"
    with holder(path) as process:
        assert not free(path)
        end(process)
        assert process.wait(30) != 0
        assert free(path)


def test_a_waiting_taker_gets_it_when_the_holder_is_killed(tmp_path):
    path = tmp_path / "lock"
    with holder(path) as process:
        threading.Timer(0.3, process.kill).start()
        begun = time.monotonic()
        with file_lock(path, wait=True):
            assert time.monotonic() - begun > 0.2
        assert process.wait(30) != 0


def test_the_file_stays_and_is_private(tmp_path):
    path = tmp_path / "lock"
    with file_lock(path, wait=True):
        pass
    assert path.exists()
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_children_do_not_inherit_it(tmp_path):
    path = tmp_path / "lock"
    with file_lock(path, wait=True):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False)
    late = time.monotonic() + 10
    try:
        while not free(path) and time.monotonic() < late:  # the child drops its copy as it starts its program
            time.sleep(0.01)
        assert child.poll() is None
        assert free(path)
    finally:
        child.communicate(b"\n")


def test_no_folder_no_lock(tmp_path):
    with pytest.raises(FileNotFoundError), file_lock(tmp_path / "none" / "lock", wait=True):
        pass
