"""A lock between processes that the operating system drops when its holder dies."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class LockedError(OSError):
    """Somebody else holds the lock."""


@contextmanager
def file_lock(path: Path, *, wait: bool) -> Iterator[None]:
    """Hold the lock file at `path` for the length of a ``with`` block.

    Parameters
    ----------
    path
        The lock file; made when missing and left behind (deleting it would race).
    wait
        True waits for the present holder, False raises at once.

    Raises
    ------
    LockedError
        The lock is held elsewhere and `wait` is False.
    OSError
        The file cannot be made or locked at all.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _acquire(handle, wait=wait)
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _acquire(handle: int, *, wait: bool) -> None:
        while True:
            try:
                msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError as error:
                if not wait:
                    raise LockedError("the lock is held by another process") from error
            else:
                return
else:
    import fcntl

    def _acquire(handle: int, *, wait: bool) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LockedError("the lock is held by another process") from error
