"""The store: blocks that cover ranges of units, damage that is found, and disks that fail."""

import errno
import io
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.core.trials import BATCHES
from simkit.lab import store as room
from simkit.lab.problems import ProblemError
from simkit.lab.store import Block, Cellar, Counts, DamagedError, Store, cell_name, units_per_batch, write_atomic

COLUMNS = 3
CELL = "0123456789abcdef"


def counts_of(first: int, end: int) -> Counts:
    """Return counts that tell which units they hold: each unit adds itself."""
    counts = np.zeros((BATCHES, COLUMNS, 4), np.int64)
    units = np.arange(first, end)
    np.add.at(counts[:, 0, 0], units % BATCHES, units)
    np.add.at(counts[:, 1, 1], units % BATCHES, 1)
    return counts


def block(first: int, end: int) -> Block:
    return Block(first, end, counts_of(first, end))


@pytest.fixture
def cellar(tmp_path: Path) -> Cellar:
    return Cellar(tmp_path / "blocks" / CELL, COLUMNS)


def filled(cellar: Cellar, *ranges: tuple[int, int]) -> Cellar:
    for first, end in ranges:
        cellar.write(block(first, end))
    return cellar


def rescanned(cellar: Cellar) -> tuple[Cellar, list[str]]:
    """Open a cellar again, as the next run does; return it with the damaged files it named."""
    again, damaged = Cellar(cellar.folder, cellar.columns), []
    again.scan(lambda path: damaged.append(path.name))
    return again, damaged


def names(cellar: Cellar) -> list[str]:
    return sorted(path.name for path in cellar.folder.iterdir())


# Covering the units


def test_what_is_written_is_read_again(cellar: Cellar) -> None:
    filled(cellar, (0, 1000), (1000, 1500))
    again, damaged = rescanned(cellar)
    assert again.blocks == [(0, 1000), (1000, 1500)] and damaged == []
    assert (again.total(1500) == counts_of(0, 1500)).all()
    assert (again.total(1499) == counts_of(0, 1000)).all()
    assert names(cellar) == ["000000000000000-000000000001000.npz", "000000000001000-000000000001500.npz"]


def test_gaps_are_what_no_whole_block_covers(cellar: Cellar) -> None:
    assert cellar.cover(10) == ([], [(0, 10)])
    filled(cellar, (100, 200), (300, 400))
    assert cellar.cover(500) == ([(100, 200), (300, 400)], [(0, 100), (200, 300), (400, 500)])
    assert cellar.cover(350) == ([(100, 200)], [(0, 100), (200, 350)])
    assert cellar.cover(500, [(0, 100), (400, 500)])[1] == [(200, 300)]


def test_of_blocks_in_one_another_the_longest_that_fits_is_taken(cellar: Cellar) -> None:
    filled(cellar, (0, 100), (0, 300), (100, 200), (200, 400), (300, 400))
    assert cellar.cover(300) == ([(0, 300)], [])
    assert cellar.cover(400) == ([(0, 300), (300, 400)], [])
    assert cellar.cover(200) == ([(0, 100), (100, 200)], [])


RANGES = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 40)).map(lambda r: (r[0], r[0] + r[1])), max_size=12)


@given(RANGES, RANGES, st.integers(1, 100))
def test_used_blocks_and_gaps_part_the_units(
    ranges: list[tuple[int, int]], more: list[tuple[int, int]], end: int
) -> None:
    cellar = Cellar(Path("nowhere"), COLUMNS)
    cellar.blocks = sorted(set(ranges))
    used, gaps = cellar.cover(end, more)
    units = [unit for first, last in [*used, *gaps] for unit in range(first, last)]
    assert sorted(units) == list(range(end))
    assert all(one in cellar.blocks or one in more for one in used)
    assert all(first < last for first, last in gaps)


def test_neighbours_are_joined_but_not_across_an_edge(cellar: Cellar) -> None:
    filled(cellar, (0, 100), (100, 200), (200, 300), (300, 350), (400, 500))
    cellar.join((0, 200, 1000))
    assert rescanned(cellar)[0].blocks == cellar.blocks == [(0, 200), (200, 350), (400, 500)]
    assert (cellar.total(1000) == counts_of(0, 350) + counts_of(400, 500)).all()


def test_dropped_blocks_are_gone(cellar: Cellar) -> None:
    filled(cellar, (0, 100), (100, 200))
    cellar.drop([(0, 100)])
    assert rescanned(cellar)[0].blocks == cellar.blocks == [(100, 200)]


def test_the_same_counts_are_the_same_bytes(cellar: Cellar, tmp_path: Path) -> None:
    filled(cellar, (0, 1000))
    other = filled(Cellar(tmp_path / "other" / CELL, COLUMNS), (0, 400), (400, 1000))
    other.join((0, 1000))
    (path,), (twin,) = cellar.folder.iterdir(), other.folder.iterdir()
    assert path.name == twin.name and path.read_bytes() == twin.read_bytes()


# Damage


def damage(path: Path, how: str) -> None:
    content = bytearray(path.read_bytes())
    if how == "flipped":
        content[len(content) // 2] ^= 0xFF
    elif how == "truncated":
        del content[len(content) // 2 :]
    elif how == "empty":
        content.clear()
    elif how == "text":
        content[:] = b"not a block"
    else:
        about, cell = np.array([room.FORMAT, 0, 1000]), np.frombuffer(CELL.encode(), np.uint8)
        members: dict[str, dict[str, Any]] = {
            "shape": {"counts": np.zeros((3, 3, 4), np.int64), "about": about, "cell": cell},
            "type": {"counts": counts_of(0, 1000).astype(np.float64), "about": about, "cell": cell},
            "object": {"counts": np.array([{}]), "about": about, "cell": cell},
            "format": {"counts": counts_of(0, 1000), "about": about + np.array([1, 0, 0]), "cell": cell},
            "member": {"counts": counts_of(0, 1000)},
        }
        archive = io.BytesIO()
        np.savez_compressed(archive, **members[how])
        content[:] = room.sealed(archive)
    path.write_bytes(content)


@pytest.mark.parametrize(
    "how", ["flipped", "truncated", "empty", "text", "shape", "type", "object", "format", "member"]
)
def test_a_damaged_block_is_named_removed_and_played_again(cellar: Cellar, how: str) -> None:
    filled(cellar, (0, 1000), (1000, 1500))
    path = cellar.folder / names(cellar)[0]
    damage(path, how)
    with pytest.raises(DamagedError, match="this block of results is damaged"):
        cellar.total(1500)
    again, damaged = rescanned(cellar)
    assert damaged == [path.name] and not path.exists()
    assert again.cover(1500)[1] == [(0, 1000)]
    assert again.cover(2000)[0] == [(1000, 1500)]


def test_a_renamed_block_is_damaged(cellar: Cellar, tmp_path: Path) -> None:
    filled(cellar, (0, 1000))
    path = cellar.folder / names(cellar)[0]
    shutil.copy(path, cellar.folder / "000000000001000-000000000002000.npz")
    other = Cellar(tmp_path / "blocks" / "fedcba9876543210", COLUMNS)
    other.folder.mkdir()
    shutil.copy(path, other.folder)
    again, damaged = rescanned(cellar)
    assert again.blocks == [(0, 1000)] and damaged == ["000000000001000-000000000002000.npz"]
    assert rescanned(other)[1] == [path.name]


def test_a_block_of_another_count_of_columns_is_damaged(cellar: Cellar) -> None:
    filled(cellar, (0, 1000))
    assert len(rescanned(Cellar(cellar.folder, COLUMNS + 1))[1]) == 1


def test_every_flipped_bit_is_found(cellar: Cellar) -> None:
    filled(cellar, (0, 40))
    (path,) = cellar.folder.iterdir()
    whole = path.read_bytes()
    for i in range(len(whole)):
        content = bytearray(whole)
        content[i] ^= 1 << i % 8
        path.write_bytes(content)
        with pytest.raises(DamagedError):
            cellar.read(path, (0, 40))
    path.write_bytes(whole)
    assert (cellar.read(path, (0, 40)) == counts_of(0, 40)).all()


def test_a_block_can_be_opened_by_numpy_alone(cellar: Cellar) -> None:
    filled(cellar, (0, 40))
    (path,) = cellar.folder.iterdir()
    with np.load(path) as file:
        assert (file["counts"] == counts_of(0, 40)).all() and file["about"].tolist() == [room.FORMAT, 0, 40]


def test_every_cut_is_found(cellar: Cellar) -> None:
    filled(cellar, (0, 40))
    (path,) = cellar.folder.iterdir()
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(DamagedError):
            cellar.read(path, (0, 40))


def test_other_files_beside_blocks_are_left_alone(cellar: Cellar) -> None:
    filled(cellar, (0, 1000))
    for name in ("notes.txt", "000000000000500-000000000000100.npz", "1-2.npz"):
        (cellar.folder / name).write_text("mine")
    (cellar.folder / "000000000003000-000000000004000.npz").mkdir()
    again, damaged = rescanned(cellar)
    assert again.blocks == [(0, 1000)] and damaged == []
    assert len(names(cellar)) == 5


# Borrowing


def test_blocks_are_borrowed_where_they_fit(tmp_path: Path) -> None:
    lender = filled(Cellar(tmp_path / "one" / CELL, COLUMNS), (0, 100), (100, 200), (200, 300))
    mine = filled(Cellar(tmp_path / "two" / CELL, COLUMNS), (0, 100))
    mine.borrow(lender.folder, lambda one: one[1] <= 200)
    assert mine.blocks == [(0, 100), (100, 200)]
    assert (mine.total(200) == counts_of(0, 200)).all()
    mine.borrow(tmp_path / "nowhere", lambda one: True)
    mine.drop([(100, 200)])
    assert len(names(lender)) == 3


def test_a_damaged_block_is_not_borrowed(tmp_path: Path) -> None:
    lender = filled(Cellar(tmp_path / "one" / CELL, COLUMNS), (0, 100), (100, 200))
    damage(lender.folder / names(lender)[0], "flipped")
    mine = Cellar(tmp_path / "two" / CELL, COLUMNS)
    mine.borrow(lender.folder, lambda one: True)
    assert mine.blocks == [(100, 200)] and len(names(lender)) == 2


@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOENT, errno.EXDEV, errno.EMLINK])
def test_what_cannot_be_linked_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def no_links(*_: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "link", no_links)
    lender = filled(Cellar(tmp_path / "one" / CELL, COLUMNS), (0, 100))
    mine = Cellar(tmp_path / "two" / CELL, COLUMNS)
    mine.borrow(lender.folder, lambda one: True)
    assert (mine.total(100) == counts_of(0, 100)).all() and names(mine) == names(lender)


# Writing


def failing(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def fail(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"old")
    failing(monkeypatch, number)
    with pytest.raises(OSError, match=os.strerror(number)):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_store_explains_that_it_cannot_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path, "small", "0123")
    failing(monkeypatch, errno.ENOSPC)
    with pytest.raises(ProblemError) as refusal, store.opened():
        store.write("report.json", "{}")
    assert str(refusal.value) == (
        "1 error: cannot write results: No space left on device             [file]\n"
        f"   --> {store.folder}\n"
        "     = help: what was played before is kept; make room or choose another --out, and the same command goes on\n"
        f"1 error in {store.folder}; nothing was run"
    )


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "small").write_text("a file stands here")
    with (
        pytest.raises(ProblemError, match="cannot write results: Not a directory") as refusal,
        Store(tmp_path, "small", "0123").opened(),
    ):
        pass
    assert refusal.value.problems[0].path == str(tmp_path / "small" / "0123" / "blocks")


def test_a_read_only_folder_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *_: Any, **__: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with (
        pytest.raises(ProblemError, match="cannot write results: Permission denied"),
        Store(tmp_path, "small", "0123").opened(),
    ):
        pass


def test_one_writer_a_plan(tmp_path: Path) -> None:
    with Store(tmp_path, "small", "0123").opened():
        with (
            pytest.raises(ProblemError, match="another simkit is playing this plan right now"),
            Store(tmp_path, "small", "0123").opened(),
        ):
            pass
        with Store(tmp_path, "small", "4567").opened():
            pass
    with Store(tmp_path, "small", "0123").opened():
        pass


def test_tidy_removes_what_was_left_half_written_and_nothing_of_others(tmp_path: Path) -> None:
    store = Store(tmp_path, "small", "0123")
    known, strange = "a" * 16, "b" * 16 + "-" + "c" * 16
    keep = ["notes.txt", "blocks/notes.txt", "blocks/mine/notes.txt", f"blocks/{known}/notes.txt", "plots/a.svg"]
    gone = [
        ".tmp-1-x",
        "plots/.tmp-2-a.svg",
        f"blocks/{known}/.tmp-3-y.npz",
        f"blocks/{strange}/z.npz",
        "raw/.tmp-r.parquet",
    ]
    for name in [*keep, *gone]:
        (store.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (store.folder / name).write_text("x")
    store.tidy({known})
    assert sorted(str(path.relative_to(store.folder)) for path in store.folder.rglob("*") if path.is_file()) == sorted(
        keep
    )


def test_listed_are_blocks_and_what_was_written(tmp_path: Path) -> None:
    store = Store(tmp_path, "small", "0123")
    filled(store.cellar(CELL, COLUMNS), (0, 10))
    store.write("plots/a.svg", "x")
    store.write("report.json", b"{}")
    store.append_run("{}")
    for stranger in ("notes.txt", "blocks/notes.txt", f"blocks/{CELL}/notes.txt"):
        (store.folder / stranger).write_text("mine")
    (store.folder / "blocks" / "mine").mkdir()
    assert store.listed() == [f"blocks/{CELL}/000000000000000-000000000000010.npz", "plots/a.svg", "report.json"]


def test_siblings_are_the_other_plans_of_a_name(tmp_path: Path) -> None:
    for plan in ("1", "2", "3"):
        (tmp_path / "small" / plan).mkdir(parents=True)
    (tmp_path / "small" / "notes.txt").write_text("mine")
    found = list(Store(tmp_path, "small", "2").siblings(CELL))
    assert [path.parts[-3] for path in found] == ["1", "3", "notes.txt"]
    Cellar(tmp_path / CELL, COLUMNS).borrow(found[-1], lambda one: True)


# Small parts


def test_names_of_cells() -> None:
    assert cell_name("a", None) == "a" and cell_name("a", "b") == "a-b"
    assert room.CELL_NAME.fullmatch(CELL) and room.CELL_NAME.fullmatch(f"{CELL}-{CELL}")
    assert not room.CELL_NAME.fullmatch("house")


@given(st.integers(0, 100_000))
def test_units_of_a_batch(units: int) -> None:
    assert (units_per_batch(units) == np.bincount(np.arange(units) % BATCHES, minlength=BATCHES)).all()
