"""A battle written by hand, event by event, for the tests of what is told and shown of a battle."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from simkit.games.jugger.cast import Cast, Member, Piece, Start
from simkit.games.jugger.happenings import What, place
from simkit.games.jugger.maps import HexMap
from simkit.games.jugger.records import PieceKind, Special


class Row(NamedTuple):
    """One event."""

    what: int
    turn: int
    jug: int = -1
    foe: int = -1
    item: int = -1
    roll: int = 0
    value: int = 0
    extra: int = 0


def rows(events: Sequence[tuple[What, dict[str, Any]]]) -> list[Row]:
    """Number the turns of events that are written as a kind and its fields; places are written as hexes."""

    def numbered() -> Iterator[Row]:
        turn = 0
        for what, fields in events:
            if what == What.TURN:
                turn = fields["value"]
            packed = {key: place(*value) if isinstance(value, tuple) else value for key, value in fields.items()}
            yield Row(what, turn, **packed)

    return list(numbered())


GORGER = Member(
    "Gorger",
    "Gorger",
    0,
    6,
    140,
    Start(-5, 0, 0, 2),
    (
        Piece("gears", PieceKind.GEARS),
        Piece("reinforced ram", PieceKind.RAM),
        Piece("reinforced ram", PieceKind.RAM),
        Piece("jaws", size=2, special=Special.GRAB, dice="2d6"),
    ),
    ("evasion",),
)
LANDSHIP = Member(
    "Landship",
    "Landship",
    1,
    6,
    160,
    Start(5, 0, 3),
    (
        Piece("catapult", size=2, dice="2d6"),
        Piece("catapult", dice="2d6"),
        Piece("fire pump", special=Special.FIRE, size=2),
        Piece("cauldron", special=Special.CAULDRON, dice="1d6"),
        Piece("boarders", special=Special.BOARDERS),
        Piece("wizard", PieceKind.WIZARD),
    ),
    (),
    (3, 4, 5),
)
FIELD = HexMap(
    title="A round field",
    half_length=8,
    half_rows=4,
    forests=[[0, -2], [1, -2]],
    houses=[[-2, 3]],
    rubble=[[-5, 3]],
    obstacles=[[4, -4]],
    walls=[[0, 3]],
)
DUEL = Cast((GORGER, LANDSHIP), ("A", "B"), FIELD)

W = What
EVENTS = rows(
    [
        (W.WALL_HITS, {"extra": 0, "value": 54}),
        (W.DEPLOY, {"foe": 0, "roll": 4}),
        (W.DEPLOY, {"foe": 1, "roll": 9}),
        (W.TURN, {"value": 1}),
        (W.INITIATIVE, {"foe": 0, "roll": 5, "value": 5}),
        (W.INITIATIVE, {"foe": 1, "roll": 5, "value": 5}),
        (W.INITIATIVE, {"foe": 0, "roll": 7, "value": 7, "extra": 1}),
        (W.INITIATIVE, {"foe": 1, "roll": 3, "value": 3, "extra": 1}),
        (W.SEGMENT, {"foe": 0}),
        (W.DECLARE, {"jug": 1, "foe": 0, "item": 0}),
        (W.DECLARE, {"jug": 1, "foe": 0, "item": 1}),
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 0, "roll": 2, "value": 2, "extra": 1}),
        (W.DODGE, {"jug": 0, "foe": 1, "item": 0, "roll": 4}),
        (W.DAMAGE, {"jug": 1, "foe": 0, "item": 0, "roll": 11, "value": 22}),
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 1, "roll": 6, "value": 2}),
        (W.HURT, {"jug": 0, "value": 22, "extra": 118}),
        (W.CRITICAL, {"jug": 0, "roll": 2, "extra": 0}),
        (W.LOSE, {"jug": 0, "item": 0, "value": int(PieceKind.GEARS), "extra": 0}),
        (W.MOVE, {"jug": 0, "value": 4, "extra": 2}),
        (W.ENTER, {"jug": 0, "value": (-4, 0), "extra": 4}),
        (W.ENTER, {"jug": 0, "value": (-3, 0), "extra": 4}),
        (W.TURN_TO, {"jug": 0, "roll": -1, "value": 5}),
        (W.ENTER, {"jug": 0, "value": (-2, -1), "extra": 4}),
        (W.TURN_TO, {"jug": 0, "roll": 1, "value": 0}),
        (W.ENTER, {"jug": 0, "value": (-1, -1), "extra": 4}),
        (W.SEGMENT, {"foe": 1}),
        (W.CAST_HASTE, {"jug": 1, "roll": 2}),
        (W.MOVE, {"jug": 1, "value": 1, "extra": 0}),
        (W.TURN_TO, {"jug": 1, "roll": 1, "value": 4}),
        (W.ENTER, {"jug": 1, "value": (5, -1), "extra": 1}),
        (W.TURN, {"value": 2}),
        (W.INITIATIVE, {"foe": 0, "roll": 2, "value": 2}),
        (W.INITIATIVE, {"foe": 1, "roll": 8, "value": 9}),
        (W.SEGMENT, {"foe": 1}),
        (W.MOVE, {"jug": 1, "value": 2, "extra": 1}),
        (W.TURN_TO, {"jug": 1, "roll": -1, "value": 3}),
        (W.ENTER, {"jug": 1, "value": (4, -1), "extra": 2}),
        (W.ENTER, {"jug": 1, "value": (3, -1), "extra": 2}),
        (W.SEGMENT, {"foe": 0}),
        (W.MOVE, {"jug": 0, "value": 5, "extra": 4}),
        (W.ENTER, {"jug": 0, "value": (0, -1), "extra": 5}),
        (W.ENTER, {"jug": 0, "value": (1, -1), "extra": 5}),
        (W.ENTER, {"jug": 0, "value": (2, -1), "extra": 5}),
        (W.RAM, {"jug": 0, "foe": 1, "roll": 4, "value": 60, "extra": 0}),
        (W.RAM_BACK, {"jug": 1, "foe": 0, "roll": 3, "value": 18}),
        (W.HURT, {"jug": 0, "value": 18, "extra": 100}),
        (W.HURT, {"jug": 1, "value": 60, "extra": 100}),
        (W.CRITICAL, {"jug": 0, "roll": 5, "extra": -1}),
        (W.CRITICAL, {"jug": 1, "roll": 1, "extra": 0}),
        (W.LOSE, {"jug": 1, "item": 0, "value": 0, "extra": 0}),
        (W.CRITICAL, {"jug": 1, "roll": 4, "extra": -1}),
        (W.CRITICAL, {"jug": 1, "roll": 6, "extra": -1}),
        (W.DECLARE, {"jug": 0, "foe": 1, "item": 0}),
        (W.DECLARE, {"jug": 1, "foe": 0, "item": 2}),
        (W.DECLARE, {"jug": 1, "foe": 0, "item": 3}),
        (W.DECLARE, {"jug": 1, "foe": 0, "item": 4}),
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 0, "roll": 3, "value": 3, "extra": 1}),
        (W.DAMAGE, {"jug": 0, "foe": 1, "item": 0, "roll": 6, "value": 12}),
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 2, "roll": 1, "value": 3, "extra": 1}),
        (W.FIRE, {"jug": 1, "foe": 0, "item": 2, "roll": 3, "value": 2, "extra": 1}),
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 3, "roll": 5, "value": 4}),
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 4, "roll": 6, "value": 1}),
        (W.BOARDERS_LOST, {"jug": 1, "item": 4}),
        (W.HURT, {"jug": 1, "value": 12, "extra": 88}),
        (W.GRAB, {"jug": 0, "foe": 1, "item": 0}),
        (W.BURN, {"jug": 0, "foe": 1, "item": 2, "value": 2, "extra": 2}),
        (W.HURT, {"jug": 0, "value": 2, "extra": 98}),
        (W.TURN, {"value": 3}),
        (W.INITIATIVE, {"foe": 0, "roll": 9, "value": 9}),
        (W.INITIATIVE, {"foe": 1, "roll": 1, "value": 1}),
        (W.SEGMENT, {"foe": 0}),
        (W.SEGMENT, {"foe": 1}),
        (W.BREAK, {"jug": 1, "foe": 0, "roll": 2, "value": 1}),
        (W.CAST_RESTORE, {"jug": 1, "roll": 14, "value": 14}),
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 40, "roll": 4, "value": 6, "extra": 1}),
        (W.DAMAGE, {"jug": 0, "foe": 1, "item": 40, "roll": 6, "value": 12}),
        (W.SHIELD, {"jug": 1, "foe": 0, "item": 40}),
        (W.BURN, {"jug": 0, "foe": 1, "item": 2, "value": 2, "extra": 1}),
        (W.HURT, {"jug": 0, "value": 2, "extra": 96}),
        (W.TURN, {"value": 4}),
        (W.INITIATIVE, {"foe": 0, "roll": 9, "value": 9}),
        (W.INITIATIVE, {"foe": 1, "roll": 1, "value": 1}),
        (W.SEGMENT, {"foe": 0}),
        (W.DECLARE, {"jug": 0, "foe": 1, "item": 0}),
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 0, "roll": 2, "value": 3, "extra": 1}),
        (W.DAMAGE, {"jug": 0, "foe": 1, "item": 0, "roll": 55, "value": 110}),
        (W.HURT, {"jug": 1, "value": 110, "extra": -8}),
        (W.OUT, {"jug": 1, "value": 1, "foe": 0, "extra": (3, -1)}),
        (W.OVER, {"foe": 0, "value": 1}),
    ]
)
