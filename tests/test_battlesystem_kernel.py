"""What must hold of the compiled Battlesystem kernels whatever the rules say: types, bounds, memory, plain Python."""

import ast
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.core import jit
from simkit.games.battlesystem.hitdice import MOST_DICE
from simkit.games.battlesystem.records import (
    BLOWS_AT_ONCE,
    CONTACTS,
    HURDLES,
    SIDE,
    SLOTS,
    STRETCHES,
    SUMS,
    UNITS,
    Setup,
    State,
)
from simkit.games.battlesystem.scenario import MOST_FIGURES, MOST_UNITS
from simkit.games.battlesystem.scenario import SLOTS as MOST_SLOTS
from tests.battlesystem_battles import Case, fresh
from tests.jugger_duels import in_child

ROOM = "simkit.games.battlesystem"
ROOT = Path(__file__).resolve().parents[1]
POISON = -(10**9)
MARKS = {"rule", "step", "kernel", "entry"}


def played(seeds: range) -> list[Any]:
    """Play battles, some of whose units think, and return columns and events."""
    jit.ready(ROOM)
    state = fresh()
    found = [Case(seed, best=0.3, most=2).kernel(state) for seed in seeds]
    return [[list(one.outcome.values()), [list(event) for event in one.events]] for one in found]


def checked() -> dict[str, Any]:
    """Compile everything with index checks and play (in a child process)."""
    from numba import types

    told = played(range(300))
    made = jit.dispatchers(ROOM)
    kinds = [
        (kernel.py_func.__name__, name, kind)
        for kernel in made
        for overload in kernel.overloads.values()
        for name, kind in overload.type_annotation.typemap.items()
    ]
    return {
        "checked": jit.CHECKED,
        "played": told,
        "typed": len(kinds),
        "floats": [kind[:2] for kind in kinds if isinstance(kind[2], types.Float | types.Complex)],
        "most": max(len(kernel.overloads) for kernel in made),
    }


@pytest.mark.slow
def test_compiled_afresh_with_index_checks(tmp_path: Path) -> None:
    """Every function is compiled once, without a fraction, no index is out of bounds, and the same comes out."""
    found = in_child(__name__, "checked", SIMKIT_BOUNDSCHECK="1", SIMKIT_CACHE_DIR=str(tmp_path))
    assert found["checked"]
    assert found["typed"] > 2000
    assert found["floats"] == []
    assert found["most"] == 1
    assert found["played"] == played(range(300))


def plain() -> dict[str, Any]:
    """Play without compiling (in a child process)."""
    return {"compiled": jit.COMPILED, "played": played(range(60))}


@pytest.mark.slow
def test_plain_python_gives_the_same_bits() -> None:
    """Without the compiler, warnings as errors, a key above 2**62: columns and events are the same."""
    without = in_child(__name__, "plain", "-W", "error", NUMBA_DISABLE_JIT="1")
    compiled = plain()
    assert (without["compiled"], compiled["compiled"]) == (False, True)
    assert without["played"] == json.loads(json.dumps(compiled["played"]))


def test_sources_of_kernels_know_whole_numbers_alone() -> None:
    """No kernel divides but by floor, or writes a fraction (B-LAN-1: all arithmetic is exact)."""
    kernels = 0
    for path in sorted((ROOT / "simkit/games/battlesystem").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not {getattr(mark, "id", "") for mark in getattr(node, "decorator_list", [])} & MARKS:
                continue
            kernels += 1
            for part in ast.walk(node):
                assert not isinstance(part, ast.Div), (path.name, node.name)
                assert not (isinstance(part, ast.Constant) and isinstance(part.value, float)), (path.name, node.name)
    assert kernels > 100


def names_of(layout: Any) -> set[str]:
    """List the names of all fields of a record, those of its rows included."""
    names = set(layout.names)
    for name in layout.names:
        inner = layout[name].base
        names |= names_of(inner) if inner.names else set()
    return names


def test_no_field_is_called_as_something_that_every_record_has() -> None:
    """Plain Python would read that instead."""
    fields = names_of(Setup.dtype()) | names_of(State.dtype())
    assert len(fields) > 140
    assert fields & set(dir(np.record)) == set()


def test_room_is_what_the_rules_need() -> None:
    """B-LAN-27, B-UNI-1: units, slots, contacts and blows of a legal scenario fit."""
    assert (SIDE, UNITS, SLOTS) == (MOST_UNITS, 2 * MOST_UNITS, MOST_SLOTS)
    assert 2 * UNITS <= CONTACTS  # whoever makes one is in no other: one a unit, and one more for a breakthrough
    assert MOST_FIGURES < BLOWS_AT_ONCE
    assert MOST_FIGURES * 20 * 2 * (MOST_DICE + 1) < SUMS  # a chariot adds up two means


def poison(rows: Any) -> None:
    """Write numbers into every field that any index, range or flag would stumble over."""
    for name in rows.dtype.names:
        field = rows[name]
        if field.dtype.names:
            poison(field)
        elif field.dtype == np.uint64:
            field[...] = 2**64 + POISON
        else:
            field[...] = True if field.dtype == np.bool_ else POISON


def test_memory_beyond_what_a_battle_uses_is_never_read() -> None:
    """Units, stretches and hurdles that a battle does not have, and all that earlier battles left, may be anything."""
    jit.ready(ROOM)
    wild = fresh()
    poison(np.atleast_1d(wild))
    for seed in range(7):
        clean, dirty = Case(seed, best=0.3, most=2), Case(seed, best=0.3, most=2)
        setup = dirty.setup[0]
        poison(setup["units"][int(setup["count"]) :])
        for lane in setup["lanes"]:
            poison(lane["stretches"][int(lane["grounds"]) :])
            poison(lane["hurdles"][int(lane["count"]) :])
            assert lane["grounds"] < STRETCHES and lane["count"] < HURDLES
        assert dirty.setup.tobytes() != clean.setup.tobytes()
        assert dirty.kernel(wild) == clean.kernel(fresh())
