"""Compiled functions: with `whole`, the only place that knows numba.

``@rule`` is for small pure functions (a rule of the game, a hash) and ``@step`` for procedures
that run at every throw of dice: both are inlined where they are called. ``@kernel`` is for all other
procedures, ``@entry`` for those that Python calls. Signatures come from the annotations; nothing is
compiled at import. ``ready(package)`` compiles a game once per machine and keeps the result in a cache
folder whose name is a hash of the sources, so that an edited rule can never be answered by old
machine code. Where no such folder can be had, every process compiles for itself.

Environment
-----------
``NUMBA_DISABLE_JIT=1`` runs every function as plain Python (same results, a thousand times slower).
``SIMKIT_BOUNDSCHECK=1`` compiles with index checks, into a cache of its own.
``SIMKIT_CACHE_DIR`` moves the cache. What lies in it is run as code: nobody else should be able to write there.
"""

import functools
import gc
import hashlib
import importlib
import inspect
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

import llvmlite.binding
import numba
import numpy as np
from numba import types

from simkit.core.layout import is_record
from simkit.core.lock import file_lock
from simkit.core.whole import Part, Program

F = TypeVar("F", bound=Callable[..., Any])

COMPILED: bool = not numba.config.DISABLE_JIT
"""False when ``NUMBA_DISABLE_JIT`` turned compilation off."""

CHECKED: bool = os.environ.get("SIMKIT_BOUNDSCHECK", "0") not in ("", "0")
"""True when ``SIMKIT_BOUNDSCHECK`` asked for index checks."""

ELSEWHERE = re.compile(rb"^from simkit\.games\.([a-z]+)\.\S+ import", re.MULTILINE)
"""How a module imports from a game."""

KEPT_CACHES = 4
"""Cache folders kept for each room, the last used ones; others are deleted."""


class Room:
    """The functions of one game (or of core), and where their machine code is kept."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.pending: list[tuple[Any, bool]] = []
        self.folder = _cache_folder(name) if COMPILED else None
        self.is_ready = False


_rooms: dict[str, Room] = {}


def rule(fn: F) -> F:
    """Compile a small pure function; it is inlined into its callers."""
    return _register(fn, inline=True, entry=False)


def step(fn: F) -> F:
    """Compile a procedure that runs at every throw of dice; inlined, which is worth a quarter of the time."""
    return _register(fn, inline=True, entry=False)


def kernel(fn: F) -> F:
    """Compile a procedure that other kernels call."""
    return _register(fn, inline=False, entry=False)


def entry(fn: F) -> F:
    """Compile a procedure that Python calls."""
    return _register(fn, inline=False, entry=True)


def _register(fn: F, *, inline: bool, entry: bool) -> F:
    if not COMPILED:
        return np.errstate(over="ignore")(fn)
    room = _room(fn.__module__)
    options = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": CHECKED, "forceinline": inline}

    def declared() -> tuple[Any, ...]:
        return cast(tuple[Any, ...], signature(fn).args)

    def program() -> Program:
        made = Program(fn, options)
        if room.folder is not None:
            elsewhere = numba.config.CACHE_DIR
            try:
                numba.config.CACHE_DIR = str(room.folder)
                made.enable_caching()
            finally:
                numba.config.CACHE_DIR = elsewhere
        return made

    made = program() if entry else Part(fn, options, declared, program)
    room.pending.append((made, entry))
    return cast(F, made)


def _room(module: str) -> Room:
    parts = module.split(".")
    name = ".".join(parts[:3]) if parts[1:2] == ["games"] else ".".join(parts[:2])
    if name not in _rooms:
        _rooms[name] = Room(name)
    return _rooms[name]


def dispatchers(room: str) -> list[Any]:
    """Return the compiled functions of a room, in the order of their definition."""
    return [made for made, _ in _rooms[room].pending] if room in _rooms else []


def ready(package: str, progress: Callable[[int, int], None] | None = None) -> None:
    """Compile every function of a game package, or load it from the cache.

    Parameters
    ----------
    package
        Dotted name of the game's package, such as ``"simkit.games.pigtickler"``. Its ``play``
        module must have been imported.
    progress
        Called with (done, total) while something is being compiled; not called when the machine code
        was found in the cache.
    """
    importlib.import_module(f"{package}.play")
    if not COMPILED:
        return
    room = _rooms[package]
    if room.is_ready:
        return
    with _locked(room.folder), _no_collecting():
        marker = None if room.folder is None else room.folder / "ready"
        warm = marker is not None and marker.exists()
        work = [made for made, is_entry in room.pending if is_entry or not warm]
        if not warm:
            work = dispatchers("simkit.core") + work
        for done, made in enumerate(work):
            if progress is not None and not warm:
                progress(done, len(work))
            declared = signature(made.py_func).args
            if declared not in made.signatures:
                made.compile(declared)  # as a call does, so that the disk cache knows both by one name
            made.disable_compile()
        if progress is not None and not warm:
            progress(len(work), len(work))
        if marker is not None:
            with suppress(OSError):  # the folder went away or is full: compiling again is only slower
                marker.touch()
                for used in (_rooms[name].folder for name in ("simkit.core", package) if name in _rooms):
                    if used is not None:
                        _prune(used)
    room.is_ready = True


def signature(fn: Callable[..., Any]) -> Any:
    """Return the numba signature that a function's annotations spell.

    Raises
    ------
    TypeError
        Naming a parameter without an annotation, or one that `numba_type` cannot translate.
    """
    hints = get_type_hints(fn, include_extras=True)
    for name in [*inspect.signature(fn).parameters, "return"]:
        if name not in hints:
            raise TypeError(f"{fn.__qualname__} has no annotation for {name!r}")
    result = hints.pop("return")
    return numba_type(result)(*map(numba_type, hints.values()))


_SCALARS: dict[Any, Any] = {
    int: types.int64,
    bool: types.boolean,
    np.uint64: types.uint64,
    type(None): types.none,
}


@functools.cache
def numba_type(hint: Any) -> Any:
    """Translate one annotation: int, bool, np.uint64, a record, a NamedTuple of scalars, an array.

    ``Annotated[Sequence[Setup], 1]`` is a contiguous array of records with one dimension,
    ``Annotated[NDArray[np.int64], 4]`` one of integers with four.

    Raises
    ------
    TypeError
        The annotation is none of these.
    """
    if hint in _SCALARS:
        return _SCALARS[hint]
    if is_record(hint):
        return numba.from_dtype(hint.dtype())
    if get_origin(hint) is Annotated and len(get_args(hint)) == 2:
        many, dims = get_args(hint)
        if get_origin(many) is np.ndarray:
            return types.Array(numba.from_dtype(np.dtype(get_args(get_args(many)[1])[0])), dims, "C")
        if get_args(many) and is_record(get_args(many)[0]):
            return types.Array(numba.from_dtype(get_args(many)[0].dtype()), dims, "C")
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return types.BaseTuple.from_types([numba_type(t) for t in get_type_hints(hint).values()], hint)
    raise TypeError(f"{hint!r} cannot enter a kernel; use int, bool, np.uint64, a Record, a NamedTuple or an array")


def cache_root() -> Path:
    """Return the folder that holds all compiled code of simkit."""
    if "SIMKIT_CACHE_DIR" in os.environ:
        return Path(os.environ["SIMKIT_CACHE_DIR"])
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "simkit"


def _sources(name: str) -> list[Path]:
    """Return the source files that the machine code of a room depends on, sorted.

    They are those of core, of the room itself, and of every game that one of these files imports from.
    """
    package = Path(__file__).resolve().parents[1]
    waiting = [package / "core", package.joinpath(*name.split(".")[1:])]
    found: dict[Path, list[Path]] = {}
    while waiting:
        folder = waiting.pop()
        if folder in found:
            continue
        found[folder] = list(folder.rglob("*.py"))
        for path in found[folder]:
            games = set(ELSEWHERE.findall(path.read_bytes()))
            waiting += [package / "games" / game.decode() for game in games]
    return sorted(path for paths in found.values() for path in paths)


def _cache_folder(name: str) -> Path | None:
    """Return a private, writable folder for a room's machine code, or None when there is none to be had."""
    digest = hashlib.sha256()
    versions = (numba.__version__, llvmlite.__version__, np.__version__, sys.version, platform.machine(), CHECKED)
    processor = llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten()
    digest.update(repr((versions, processor)).encode())
    for path in _sources(name):  # with their places, because numba files by place
        digest.update(f"{path}\0".encode() + path.read_bytes())
    room = cache_root() / name.rpartition(".")[2]
    folder = room / digest.hexdigest()[:16]
    try:
        for place in (cache_root(), room, folder):
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            pass
        return folder if _is_private(room) and _is_private(folder) else None
    except OSError:
        return None


def _is_private(folder: Path) -> bool:
    """Tell whether only this user can write there: numba's files are pickles, and loading one runs what it says."""
    if sys.platform == "win32":
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def _prune(used: Path) -> None:
    """Note that a cache folder is in use, and delete all but the last used ones of its room."""
    os.utime(used)
    last_used = {}
    for folder in used.parent.iterdir():
        with suppress(OSError):  # another process deletes too
            last_used[folder] = folder.stat().st_mtime_ns
    for folder in sorted(last_used, key=last_used.__getitem__, reverse=True)[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Do without Python's search for dead cycles, which would look at the millions of objects that compiling makes."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@contextmanager
def _locked(folder: Path | None) -> Iterator[None]:
    """Let one process compile while others wait; the lock dies with its process."""
    with ExitStack() as stack:
        if folder is not None:
            with suppress(OSError):  # a file system without locks: compiling twice is only slower
                stack.enter_context(file_lock(folder / "lock", wait=True))
        yield
