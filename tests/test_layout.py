"""Records: layout, packing and its complaints, padding, and rows that are references."""

import doctest
from collections.abc import MutableSequence, Sequence
from typing import Annotated

import numpy as np
import pytest

from simkit.core import layout
from simkit.core.layout import Record, fields, is_record, split


class Gun(Record):
    loaded: bool
    reach: int
    mark: np.uint64


class Crew(Record):
    steady: bool
    guns: Annotated[Sequence[Gun], 3]
    scores: Annotated[MutableSequence[int], 4]
    grid: Annotated[Sequence[bool], 2, 2]
    flag: bool
    best: Gun


class Captain(Crew):
    rank: int


GUN = {"loaded": True, "reach": 12, "mark": 2**64 - 1}
CREW = {
    "steady": True,
    "guns": [GUN, {"loaded": False, "reach": -1, "mark": 0}],
    "scores": [1, 2],
    "grid": [[True, False], [False]],
    "flag": False,
    "best": GUN,
}


def changed(**values):
    return CREW | values


def test_layout():
    dtype = Gun.dtype()
    assert dtype.names == ("loaded", "reach", "mark")
    assert [dtype[name] for name in dtype.names] == [np.bool_, np.int64, np.uint64]
    assert [dtype.fields[name][1] for name in dtype.names] == [0, 8, 16]
    assert dtype.isalignedstruct
    assert Gun.dtype() is dtype
    assert Crew.dtype()["guns"].shape == (3,)
    assert Crew.dtype()["grid"].shape == (2, 2)
    assert Crew.dtype()["best"] == dtype


def test_fields_and_their_parts():
    assert list(fields(Crew)) == list(CREW)
    assert list(fields(Captain)) == [*CREW, "rank"]
    assert split(fields(Crew)["grid"]) == (bool, (2, 2))
    assert split(int) == (int, ())
    assert is_record(Gun)
    assert not is_record(int)
    assert not is_record(Annotated[Sequence[Gun], 3])


def test_pack():
    crew = Crew.pack(CREW)
    assert crew.steady
    assert not crew.flag
    assert [int(gun.reach) for gun in crew.guns] == [12, -1, 0]
    assert crew.scores.tolist() == [1, 2, 0, 0]
    assert crew.grid.tolist() == [[True, False], [False, False]]
    assert crew.best.mark == 2**64 - 1


def test_nested_rows_may_be_records():
    gun = Gun.pack(GUN)
    by_records = Crew.pack(changed(guns=[gun, CREW["guns"][1]], best=gun))
    assert by_records.tobytes() == Crew.pack(CREW).tobytes()
    gun.reach = 99
    assert by_records.guns[0].reach == by_records.best.reach == 12


def test_rows_may_be_arrays():
    rows = np.array([1, 2], np.int32)
    assert Crew.pack(changed(scores=rows)).tobytes() == Crew.pack(changed(scores=(1, 2))).tobytes()
    guns = Gun.array(2)
    guns[0] = Gun.pack(GUN)
    guns[1].reach = -1
    assert Crew.pack(changed(guns=guns)).tobytes() == Crew.pack(CREW).tobytes()


def test_numpy_numbers_are_fine():
    gun = Gun.pack({"loaded": np.bool_(True), "reach": np.int8(-7), "mark": np.uint16(7)})
    assert (bool(gun.loaded), int(gun.reach), int(gun.mark)) == (True, -7, 7)
    assert Gun.pack({"loaded": False, "reach": np.uint64(2**63 - 1), "mark": np.int64(5)}).reach == 2**63 - 1


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({k: v for k, v in CREW.items() if k != "flag"}, "Crew: field 'flag' is missing; the fields are steady, guns,"),
        (changed(gun=[]), "Crew: field 'gun' is unknown; the fields are steady, guns,"),
        (changed(best={"loaded": True}), "Crew.best: field 'reach' is missing"),
        (changed(guns=[GUN, GUN | {"range": 1}]), "Crew.guns[1]: field 'range' is unknown"),
        (changed(guns=[GUN] * 4), "Crew.guns: 4 rows, room for 3"),
        (changed(scores=range(5)), "Crew.scores: 5 rows, room for 4"),
        (changed(grid=[[], [], []]), "Crew.grid: 3 rows, room for 2"),
        (changed(grid=[[True], [True] * 3]), "Crew.grid[1]: 3 rows, room for 2"),
        (changed(grid=[True]), "Crew.grid[0]: True is not a sequence of rows"),
        (changed(scores=5), "Crew.scores: 5 is not a sequence of rows"),
        (changed(scores="12"), "Crew.scores: '12' is not a sequence of rows"),
        (changed(scores={1, 2}), "Crew.scores: {1, 2} is not a sequence of rows"),
        (changed(scores=[1, True]), "Crew.scores[1]: True is not of type int"),
        (changed(scores=[1, np.True_]), "Crew.scores[1]: np.True_ is not of type int"),
        (changed(scores=[1.0]), "Crew.scores[0]: 1.0 is not of type int"),
        (changed(scores=[None]), "Crew.scores[0]: None is not of type int"),
        (changed(scores=["1"]), "Crew.scores[0]: '1' is not of type int"),
        (changed(steady=1), "Crew.steady: 1 is not of type bool"),
        (changed(grid=[[True, 0]]), "Crew.grid[0][1]: 0 is not of type bool"),
        (changed(scores=[2**63]), "Crew.scores[0]: 9223372036854775808 is out of range"),
        (changed(scores=[np.uint64(2**63)]), "Crew.scores[0]: 9223372036854775808 is out of range"),
        (changed(best=GUN | {"mark": -1}), "Crew.best.mark: -1 is out of range, 0 to 18446744073709551615"),
        (changed(best=GUN | {"mark": np.int64(-1)}), "Crew.best.mark: -1 is out of range"),
        (changed(best=GUN | {"mark": 2**64}), "Crew.best.mark: 18446744073709551616 is out of range"),
        (changed(best=GUN | {"mark": False}), "Crew.best.mark: False is not of type uint64"),
        (changed(best=12), "Crew.best: 12 is not a Gun"),
        (changed(guns=[12]), "Crew.guns[0]: 12 is not a Gun"),
        (changed(best=Gun.array(2)), "is not a Gun"),
    ],
)
def test_pack_names_what_is_wrong(values, complaint):
    with pytest.raises(ValueError) as raised:
        Crew.pack(values)
    assert complaint in str(raised.value)


def test_a_record_of_another_class_is_refused():
    with pytest.raises(ValueError, match=r"Crew\.best: .* is not a Gun"):
        Crew.pack(changed(best=Crew.new()))


def test_other_field_types_are_refused():
    class Wrong(Record):
        right: int
        weight: float

    with pytest.raises(TypeError, match=r"Wrong\.weight: <class 'float'> is not int, bool, np\.uint64 or a record"):
        Wrong.dtype()


def padding(dtype):
    """List the bytes of a layout that belong to no field."""
    used = np.zeros(dtype.itemsize, bool)
    for name in dtype.names:
        inner, offset = dtype.fields[name][:2]
        element, shape = inner.subdtype or (inner, ())
        for row in range(int(np.prod(shape))):
            start = offset + row * element.itemsize
            used[start : start + element.itemsize] = True
            if element.names:
                used[start : start + element.itemsize] = ~padding(element)
    return ~used


def test_padding_is_zero_and_bytes_are_a_fingerprint():
    holes = padding(Crew.dtype())
    assert holes.sum() == 7 * 4 + 7 + 3  # behind loaded in four guns, behind steady, behind grid and flag
    crew = Crew.pack(CREW)
    assert not np.frombuffer(crew.tobytes(), np.uint8)[holes].any()
    other = Crew.pack(dict(reversed(CREW.items())))
    assert other.tobytes() == crew.tobytes()
    assert Crew.pack(changed(flag=True)).tobytes() != crew.tobytes()

    row = Crew.array(2)[1]
    row.steady, row.flag = True, False
    row.best = Gun.pack(GUN)
    row.scores[:2] = [1, 2]
    row.grid[0, 0] = True
    row.guns[1].reach = -1
    row.guns[0] = row.best
    assert row.tobytes() == crew.tobytes()


def test_new_is_zero():
    assert Crew.new().tobytes() == bytes(Crew.dtype().itemsize)
    assert Crew.array(3).tobytes() == bytes(3 * Crew.dtype().itemsize)


def test_rows_are_references():
    crew = Crew.pack(CREW)
    named = crew.guns[0]
    named.reach = 5
    assert crew.guns[0].reach == 5
    crew.guns[1] = named
    named.reach = 6
    assert [int(gun.reach) for gun in crew.guns] == [6, 5, 0]
    crew.best = crew.guns[0]
    crew.guns[0].reach = 7
    assert crew.best.reach == 6


def test_copies_are_not():
    crew = Crew.pack(CREW)
    copy = crew.copy()
    crew.best.reach = 1
    crew.scores[0] = 100
    assert (int(copy.best.reach), int(copy.scores[0])) == (12, 1)
    assert copy.tobytes() == Crew.pack(CREW).tobytes()


def test_examples():
    assert doctest.testmod(layout).failed == 0
