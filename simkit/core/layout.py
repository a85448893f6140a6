"""Records: annotated classes whose instances are one block of memory.

A record class lists its fields with plain annotations; the numpy layout, the packing and (in
:mod:`simkit.core.jit`) the compiled type are derived from them, so that a kernel reads
``setup.tasks[k].kind`` and a newcomer reads the same line as a table.

``int`` is a 64-bit integer, ``bool`` one byte, ``np.uint64`` an unsigned word; a nested record
is stored in place; ``Annotated[Sequence[Task], 128]`` is room for 128 of them,
``Annotated[Table[int], 2, 8]`` a table of numbers.

Rows are references: ``task = setup.tasks[0]`` names the row, ``state.a = state.b`` copies it.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Generic, Self, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np

T = TypeVar("T")


class Table(Generic[T]):
    """Rows of more than one dimension, ``state.damage[side, source]``: numpy's array, for the type checker."""

    def __getitem__(self, place: tuple[int, ...]) -> T:
        """Return one entry."""
        raise AssertionError("records are made by new() or pack()")

    def __setitem__(self, place: tuple[int, ...], value: T) -> None:
        """Change one entry."""
        raise AssertionError("records are made by new() or pack()")


_SCALARS: dict[Any, Any] = {int: np.int64, bool: np.bool_, np.uint64: np.uint64}
_hints: dict[Any, dict[str, Any]] = {}
_layouts: dict[Any, Any] = {}
CACHE_LINE = 64
"""Bytes that a processor fetches at once."""

SCRATCH_OFFSET = 16
"""Where in a cache line a worker's record begins: the fastest of the four places measured."""

_LIMITS = {int: (-(2**63), 2**63 - 1), np.uint64: (0, 2**64 - 1)}


class Record:
    """Base of all records; subclasses only annotate fields."""

    @classmethod
    def dtype(cls) -> "np.dtype[Any]":
        """Return the aligned numpy layout of the record.

        Raises
        ------
        TypeError
            Naming a field whose annotation is none of those above.
        """
        if cls not in _layouts:
            _layouts[cls] = _dtype(cls)
        return cast("np.dtype[Any]", _layouts[cls])

    @classmethod
    def new(cls) -> Self:
        """Return one record, every byte zero (padding too, so that ``tobytes`` is a fingerprint)."""
        return cast(Self, cls.array(1)[0])

    @classmethod
    def array(cls, rows: int) -> Any:
        """Return `rows` zeroed records as a numpy record array."""
        return np.zeros(rows, cls.dtype()).view(np.recarray)

    @classmethod
    def scratch(cls) -> Self:
        """Return one zeroed record for a worker, always at the same place in a line of the processor's cache.

        A kernel that reads and writes one record a million times a second is up to a tenth slower where
        the record begins at an unlucky address; memory from the heap begins anywhere.
        """
        size = cls.dtype().itemsize
        room = np.zeros(size + 2 * CACHE_LINE, np.uint8)
        begin = (SCRATCH_OFFSET - room.ctypes.data) % CACHE_LINE
        return cast(Self, room[begin : begin + size].view(cls.dtype()).view(np.recarray)[0])

    @classmethod
    def pack(cls, values: Mapping[str, Any]) -> Self:
        """Return a record filled from `values`; every field must be given, rows may be fewer than the room.

        Raises
        ------
        ValueError
            Naming the path of a field that is missing, unknown, of another type, too great or too long.

        Examples
        --------
        >>> class Pair(Record):
        ...     left: int
        ...     right: bool
        >>> Pair.pack({"right": True, "left": 3}).left
        np.int64(3)
        """
        out = cls.new()
        _fill(out, cls, values, cls.__name__)
        return out

    def tobytes(self) -> bytes:
        """Return the record's memory (provided by numpy; listed here for the type checker)."""
        raise AssertionError("records are made by new() or pack()")

    def copy(self) -> Self:
        """Return an independent copy (provided by numpy; listed here for the type checker)."""
        raise AssertionError("records are made by new() or pack()")


def is_record(hint: Any) -> bool:
    """Tell whether an annotation is a record class."""
    return isinstance(hint, type) and issubclass(hint, Record)


@cache
def split(hint: Any) -> tuple[Any, tuple[int, ...]]:
    """Split ``Annotated[Sequence[X], n, ...]`` into ``X`` and its shape; a scalar has shape ``()``."""
    if get_origin(hint) is Annotated:
        inner, *dims = get_args(hint)
        return get_args(inner)[0], tuple(dims)
    return hint, ()


def fields(cls: type[Record]) -> dict[str, Any]:
    """Return the record's field annotations in order."""
    if cls not in _hints:
        _hints[cls] = get_type_hints(cls, include_extras=True)
    return _hints[cls]


def _dtype(cls: type[Record]) -> "np.dtype[Any]":
    columns: list[Any] = []
    for name, hint in fields(cls).items():
        inner, shape = split(hint)
        if not is_record(inner) and inner not in _SCALARS:
            raise TypeError(f"{cls.__name__}.{name}: {inner!r} is not int, bool, np.uint64 or a record")
        kind = inner.dtype() if is_record(inner) else _SCALARS[inner]
        columns.append((name, kind, shape) if shape else (name, kind))
    return np.dtype(columns, align=True)


def _fill(out: Any, cls: type[Record], values: Mapping[str, Any], path: str) -> None:
    hints = fields(cls)
    for name in [*hints, *values]:
        if name not in values or name not in hints:
            what = "missing" if name in hints else "unknown"
            raise ValueError(f"{path}: field {name!r} is {what}; the fields are {', '.join(hints)}")
    for name, value in values.items():
        inner, shape = split(hints[name])
        where = f"{path}.{name}"
        if shape:
            _fill_rows(out[name], inner, shape, value, where)
        elif is_record(inner):
            _put(out, name, inner, value, where)
        else:
            out[name] = _scalar(inner, value, where)  # by attribute it takes three times as long


def _fill_rows(rows: Any, inner: Any, shape: tuple[int, ...], value: Any, where: str) -> None:
    if not isinstance(value, Sequence | np.ndarray) or isinstance(value, str):
        raise ValueError(f"{where}: {value!r} is not a sequence of rows")
    if len(value) > shape[0]:
        raise ValueError(f"{where}: {len(value)} rows, room for {shape[0]}")
    for i, item in enumerate(value):
        if len(shape) > 1:
            _fill_rows(rows[i], inner, shape[1:], item, f"{where}[{i}]")
        elif is_record(inner):
            _put(rows, i, inner, item, f"{where}[{i}]")
        else:
            rows[i] = _scalar(inner, item, f"{where}[{i}]")


def _put(out: Any, place: str | int, inner: type[Record], value: Any, where: str) -> None:
    if isinstance(value, Mapping):
        _fill(out[place], inner, value, where)
    elif isinstance(value, np.void) and value.dtype == inner.dtype():
        out[place] = value
    else:
        raise ValueError(f"{where}: {value!r} is not a {inner.__name__}")


def _scalar(inner: Any, value: Any, where: str) -> Any:
    flag = isinstance(value, bool | np.bool_)
    if inner is bool and flag:
        return value
    if inner is bool or flag or not isinstance(value, int | np.integer):
        raise ValueError(f"{where}: {value!r} is not of type {inner.__name__}")
    low, high = _LIMITS[inner]
    if not low <= int(value) <= high:
        raise ValueError(f"{where}: {value} is out of range, {low} to {high}")
    return inner(value)
