"""What must hold of the compiled Jugger kernels whatever the rules say: types, bounds, blocks, seats, states."""

import ast
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.core import jit
from simkit.core.key import Key
from simkit.core.trials import BATCHES, run
from simkit.games.jugger import game
from simkit.games.jugger.records import EVENTS, JUGS, PIECES, WALLS, WEAPONS, DiceRow, Setup, State
from simkit.games.jugger.scenario import POLICIES
from tests.jugger_battles import Case
from tests.jugger_duels import DUELS, HIGH_KEY, NAMES, counted, crowd, in_child, setup_of, setups_of, traced
from tests.jugger_frays import mirrored

ROOM = "simkit.games.jugger"
ROOT = Path(__file__).resolve().parents[1]
POISON = -(10**9)
DIFFERENCES = slice(2, 4)


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    game.ready()


def as_json(value: Any) -> Any:
    """Write tuples as lists, as a child prints them."""
    return json.loads(json.dumps(value))


# One signature, whole numbers, bounds


def everything() -> list[Any]:
    """Use the kernels in every way that the package does, and return what came out."""
    setups = setups_of(*POLICIES)
    found = [traced(setup, trial, seat) for setup in setups for trial in (0, 10**12) for seat in (0, 1)]
    found += [traced(crowd(policy), 1, seat) for policy in ("hold", "random", "greedy") for seat in (0, 1)]
    found += [traced(Case(seed, (policy,)).setup, seed, 1) for policy in POLICIES for seed in range(15)]
    game.trace(setups[0], HIGH_KEY, 0)
    rows = np.zeros((20, len(NAMES)), np.int64)
    game.play_rows(setups[1], game.new_state(), HIGH_KEY, 0, 10, rows)
    return [*found, rows.tolist(), int(counted(setups, [(0, 40)]).sum())]


def test_one_signature_for_all_setups() -> None:
    """Whatever is played, no kernel is compiled a second time for other types."""
    everything()
    signatures = {made.py_func.__name__: len(made.signatures) for made in jit.dispatchers(ROOM)}
    assert signatures["play_units"] == max(signatures.values()) == 1


def test_sources_of_kernels_know_whole_numbers_alone() -> None:
    """No kernel divides but by floor, writes a fraction or calls for one (J-DMG-9: worth is in twelfths)."""
    kernels = 0
    for path in sorted((ROOT / "simkit/games/jugger").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            marks = {getattr(mark, "id", "") for mark in getattr(node, "decorator_list", [])}
            if not marks & {"rule", "step", "kernel", "entry"}:
                continue
            kernels += 1
            for part in ast.walk(node):
                assert not isinstance(part, ast.Div), (path.name, node.name)
                assert not (isinstance(part, ast.Constant) and isinstance(part.value, float)), (path.name, node.name)
                called = getattr(part, "attr", getattr(part, "id", ""))
                assert called not in ("float", "float64", "sqrt", "random"), (path.name, node.name)
    assert kernels > 150


def fresh() -> dict[str, Any]:
    """Compile everything with index checks, use it, and report (in a child process)."""
    from numba import types

    shown: list[tuple[int, int]] = []
    game.ready(lambda done, total: shown.append((done, total)))
    made = jit.dispatchers(ROOM)
    after_ready = {kernel.py_func.__name__: len(kernel.signatures) for kernel in made}
    typed = [
        (kernel.py_func.__name__, name, kind)
        for kernel in made
        for overload in kernel.overloads.values()
        for name, kind in overload.type_annotation.typemap.items()
    ]
    played = everything()
    try:
        out = np.zeros((1, 100, len(NAMES), 4), np.int64)
        game.play_block(game.pack(setups_of("hold")[:1]), game.new_state(), HIGH_KEY, 0, BATCHES, out)
        caught = ""
    except IndexError as error:
        caught = str(error)
    return {
        "checked": jit.CHECKED,
        "caught": caught,
        "shown": shown,
        "after_ready": after_ready,
        "after_use": {kernel.py_func.__name__: len(kernel.signatures) for kernel in made},
        "typed": len(typed),
        "floats": [found[:2] for found in typed if isinstance(found[2], types.Float | types.Complex)],
        "played": played,
    }


@pytest.mark.slow
def test_compiled_afresh_with_index_checks(tmp_path: Path) -> None:
    """Every function is compiled once, without a fraction, no index is out of bounds, and the same comes out.

    A block whose counts are too short shows that the checks are on.
    """
    found = in_child(__name__, "fresh", SIMKIT_BOUNDSCHECK="1", SIMKIT_CACHE_DIR=str(tmp_path))
    assert set(found["after_ready"].values()) == {1}
    assert found["after_use"] == found["after_ready"]
    shown = found["shown"]
    assert shown[0][0] == 0
    assert shown[-1][0] == shown[-1][1] >= len(found["after_ready"])
    assert all(after[0] == before[0] + 1 for before, after in pairwise(shown))
    assert found["typed"] > 5000
    assert found["floats"] == []
    assert found["checked"]
    assert "out of bounds" in found["caught"]
    assert found["played"] == as_json(everything())


def plain() -> dict[str, Any]:
    """Replay without compiling (in a child process)."""
    game.ready()
    replay = [traced(setup, 10**12, trial % 2) for trial, setup in enumerate(setups_of("hold", "random", "greedy"))]
    replay += [traced(Case(seed, ("hold", "random"), most=2).setup, seed, seed % 2) for seed in range(12)]
    short = setup_of(DUELS[0], "lookahead")
    short.victory.max_turns = 2
    replay.append(traced(short, 7, 1))
    out = counted(setups_of("hold")[:2], [(BATCHES - 1, BATCHES + 1)])
    return {"compiled": jit.COMPILED, "replay": replay, "counts": out[out != 0].tolist()}


def plain_and_long() -> dict[str, Any]:
    """Replay more battles without compiling, with every player (in a child process)."""
    game.ready()
    cases = [Case(seed, (policy,), most=2) for policy in POLICIES for seed in range(15)]
    cases = [case for case in cases if "lookahead" not in case.policies or not case.fast]
    for case in cases:
        case.setup.victory.max_turns = 5
    return {"compiled": jit.COMPILED, "replay": [traced(case.setup, case.seed, int(case.swap)) for case in cases]}


@pytest.mark.slow
def test_plain_python_gives_the_same_bits_for_longer() -> None:
    """The same of many more battles, under many more rules."""
    without = in_child(__name__, "plain_and_long", "-W", "error", NUMBA_DISABLE_JIT="1")
    assert not without.pop("compiled")
    compiled = plain_and_long()
    assert compiled.pop("compiled") and len(compiled["replay"]) > 40
    assert without == as_json(compiled)


def test_plain_python_gives_the_same_bits() -> None:
    """Without the compiler, warnings as errors, keys above 2**63: outcomes, events and counts are the same."""
    without = in_child(__name__, "plain", "-W", "error", NUMBA_DISABLE_JIT="1")
    assert not without.pop("compiled")
    compiled = plain()
    assert compiled.pop("compiled")
    assert without == as_json(compiled)


def names_of(layout: Any) -> set[str]:
    """List the names of all fields of a record, those of its rows included."""
    names = set(layout.names)
    for name in layout.names:
        inner = layout[name].base
        names |= names_of(inner) if inner.names else set()
    return names


def test_no_field_is_called_as_something_that_every_record_has() -> None:
    """Plain Python would read that instead; ``item`` of events alone, which kernels only write."""
    fields = names_of(Setup.dtype()) | names_of(State.dtype())
    assert len(fields) > 200
    assert fields & set(dir(np.record)) == {"item"}
    assert names_of(Setup.dtype()) & set(dir(np.record)) == set()


# Memory beyond what a battle uses


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


def test_rows_beyond_the_last_are_never_read() -> None:
    """Jugs, weapons, pieces, dice, places and walls that a battle does not have may hold anything."""
    for policy in POLICIES:
        for seed in range(25):
            clean = Case(seed, (policy,)).setup
            dirty = clean.copy()
            count = int(clean.count_a + clean.count_b)
            weapons = [weapon for jug in clean.jugs[:count] for weapon in jug.weapons[: jug.weapon_count]]
            used = max([int(DiceRow.FIRST_WEAPON) - 1, *(int(weapon.dice) for weapon in weapons)]) + 1
            for jug in dirty["jugs"][:count]:
                poison(jug["weapons"][int(jug["weapon_count"]) :])
                poison(jug["pieces"][int(jug["piece_count"]) :])
                assert jug["weapon_count"] < WEAPONS and jug["piece_count"] < PIECES
            poison(dirty["jugs"][count:])
            poison(dirty["dice"][used:])
            dirty["places"][:, count:] = POISON
            dirty["walls"][int(clean.wall_count) :] = POISON
            assert count < JUGS and clean.wall_count < WALLS
            assert dirty.tobytes() != clean.tobytes()
            assert traced(dirty, seed, 1) == traced(clean, seed, 1)


def test_a_state_keeps_nothing_of_an_earlier_battle() -> None:
    """A battle after another, or in memory full of nonsense, is the battle in fresh memory."""
    state, wild = game.new_state(), game.new_state()
    cases = [Case(seed, (policy,)) for seed in range(20) for policy in POLICIES]
    alone = [traced(case.setup, case.seed, int(case.swap)) for case in cases]
    for case, expected in [*zip(cases, alone, strict=True), *zip(cases[::-1], alone[::-1], strict=True)]:
        assert traced(case.setup, case.seed, int(case.swap), state=state) == expected
        poison(np.asarray(wild).reshape(1))
        assert traced(case.setup, case.seed, int(case.swap), state=wild) == expected


# Blocks


def test_blocks_of_any_size_on_any_number_of_threads() -> None:
    """How units are cut into blocks, and who plays each when, changes no count."""
    setups, units = setups_of("hold", "random")[:4], 777
    rows, whole = game.pack(setups), counted(setups, [(0, units)])
    for size in (1, 7, 777):
        for threads in (1, 2):
            total = np.zeros_like(whole)

            def play(span: tuple[int, int]) -> Any:
                out = np.zeros_like(whole)
                game.play_block(rows, game.new_state(), HIGH_KEY, *span, out)
                return out

            def done(span: tuple[int, int], out: Any, total: Any = total) -> None:
                total += out

            pieces = range(0, units if size > 1 else 64, size)
            spans = [(first, first + size) for first in pieces]
            run(spans, play, done, threads=threads)
            assert np.array_equal(total, whole if size > 1 else counted(setups, [(0, 64)]))
    assert not np.array_equal(counted(setups, [(0, units - 1)]), whole)


def test_an_empty_block_counts_nothing() -> None:
    """No units, no counts."""
    assert not counted(setups_of("hold"), [(7, 7)]).any()


def test_number_of_setups_in_a_call() -> None:
    """Played alone, in pairs or all together, a battle gives the same sums; equal to the baseline, no differences."""
    setups = setups_of("hold", "greedy")
    together = counted(setups, [(0, 40)])
    for i, setup in enumerate(setups):
        alone = counted([setup], [(0, 40)])
        assert np.array_equal(alone[0, ..., :2], together[i, ..., :2])
        assert not alone[..., DIFFERENCES].any()
        assert np.array_equal(counted([setups[0], setup], [(0, 40)])[1], together[i])
    same = counted([setups[1], setups[1], setups[0]], [(0, 40)])
    assert np.array_equal(same[0, ..., :2], same[1, ..., :2])
    assert not same[1, ..., DIFFERENCES].any() and same[2, ..., DIFFERENCES].any()


def test_sums_are_those_of_single_battles() -> None:
    """Sums, squares and differences of a block, batch by batch, from battles played one by one: two make a unit."""
    first, end = 200, 300
    setups, state = setups_of("random", "greedy"), game.new_state()
    block = counted(setups, [(first, end)])
    expected = np.zeros_like(block)
    for unit in range(first, end):
        base = np.zeros(len(NAMES), np.int64)
        for s, setup in enumerate(setups):
            total = sum(np.array(game.play_one(setup, state, HIGH_KEY, unit, seat)) for seat in (0, 1))
            base = base if s else total
            expected[s, unit % BATCHES] += np.stack([total, total**2, total - base, (total - base) ** 2], axis=1)
    assert np.array_equal(block, expected)
    assert block[1:, ..., DIFFERENCES].any(axis=(0, 1)).any(axis=1).sum() > 20


def test_keys_and_units_are_distinct_dice() -> None:
    """Another word of the key, or another unit, gives other battles."""
    setup, state = setup_of(DUELS[0], "random"), game.new_state()
    one, stream, tweak = np.uint64(1), HIGH_KEY.stream, HIGH_KEY.tweak
    keys = [HIGH_KEY, Key(tweak, stream), Key(stream, one), Key(one, tweak)]
    rows = {tuple(game.play_one(setup, state, key, unit) for unit in range(20)) for key in keys}
    assert len(rows) == len(keys)
    assert len({game.play_one(setup, state, HIGH_KEY, unit) for unit in range(100)}) > 50


# Seats


def exchanged(setup: Any) -> Any:
    """Return the same battle with its sides named the other way round."""
    other, a, b = setup.copy(), int(setup.count_a), int(setup.count_b)
    order = [*range(a, a + b), *range(a)]
    other.count_a, other.count_b = b, a
    other["jugs"][: a + b] = setup["jugs"][order]
    other["places"][:, : a + b] = setup["places"][::-1, order]
    other["policies"][:] = setup["policies"][::-1]
    other["weights"][:] = setup["weights"][::-1]
    victory, was = other["victory"], setup["victory"]
    victory["target_a"], victory["target_b"] = was["target_b"], was["target_a"]
    victory["occupy_q"], victory["occupy_r"] = -was["occupy_q"], -was["occupy_r"]
    victory["delay_side"] = 1 - was["delay_side"] if was["delay_side"] >= 0 else -1
    return other


AIMS: tuple[dict[str, int], ...] = (
    {},
    {"target_a": 0, "rout_below": 60},
    {"target_b": 0, "occupy_q": 1, "occupy_r": -1, "occupy_within": 1, "occupy_turns": 2},
    {"delay_side": 0, "max_turns": 4},
    {"delay_side": 1, "max_turns": 4, "breakthrough": 1, "breakthrough_column": 4},
)


@pytest.mark.parametrize("policy", POLICIES)
def test_sides_are_names_alone(policy: str) -> None:
    """Who is called a and who b changes no event, and of the outcome nothing but the names."""
    ends: set[str] = set()
    for seed in range(60):
        setup = Case(seed, (policy, "greedy")).setup
        for name, value in AIMS[seed % len(AIMS)].items():
            setup["victory"][name] = value
        for seat in (0, 1):
            outcome, events, noted = traced(setup, seed, seat)
            assert traced(exchanged(setup), seed, 1 - seat) == (mirrored(outcome), events, noted), (seed, seat)
            ends |= {name for name, value in outcome.items() if value and name.startswith("cause")}
    assert {"cause_objective", "cause_rout", "cause_cap"} < ends


def test_a_pair_is_both_battles() -> None:
    """A unit is the battle with the seats as given, then with seats swapped; the setup is only read."""
    told = set()
    for seed in range(40):
        setup = Case(seed, POLICIES).setup
        before, rows = setup.tobytes(), np.zeros((2, len(NAMES)), np.int64)
        game.play_rows(setup, game.new_state(), HIGH_KEY, seed, seed + 1, rows)
        for seat in (0, 1):
            outcome, events, _ = traced(setup, seed, seat)
            assert rows[seat].tolist() == [*outcome.values()]
            assert outcome["win_seat_0"] == outcome["win_b" if seat else "win_a"]
            told.add(tuple(map(tuple, events)))
        assert setup.tobytes() == before
    assert len(told) == 80


# Traces


def test_tracing_changes_no_outcome() -> None:
    """A trace is kept beside the battle, not in its way; one that is full goes on counting."""
    for seed in range(30):
        case = Case(seed, POLICIES)
        outcome, events, noted = traced(case.setup, seed, 0)
        assert len(events) == noted > 10
        for room in (0, 1, 17, EVENTS + 1):
            kept = min(room, noted)
            assert traced(case.setup, seed, 0, room) == (outcome, events[:kept], noted if room else 0)
        silent = game.new_state()
        game.play_one(case.setup, silent, HIGH_KEY, seed)
        assert not silent.events.view(np.uint8).any()


def test_more_events_than_there_is_room_for() -> None:
    """A long battle of many overflows its trace: the first events are kept, all are counted."""
    long = crowd("hold")
    long.victory.max_turns = 60
    outcome, events, noted = traced(long, 3, 0)
    assert len(events) == EVENTS < noted
    assert traced(long, 3, 0, room=0)[0] == outcome
    shown = game.trace(long, HIGH_KEY, 3)
    assert (len(shown.rows), shown.noted) == (EVENTS, noted)
