"""The events of a match as rows of numbers: what happened, when, to whom, and how (P-GAM-18)."""

from typing import NamedTuple

NAMES = (
    "START", "ROUND", "TURN", "LOST", "WAITS", "PLAN", "VIA", "RIDES", "DOWN", "MANOEUVRE", "FENCE", "COLLISION",
    "OTHER", "HIT", "STEERED", "LIMIT", "OUT", "FRESH", "PIG", "TRAMPLED", "OVER",
)  # fmt: skip
KINDS = {
    "level": 1, "turn": 2, "enter": 3, "bend": 4, "leave": 5, "obstacle": 6, "lancer": 7, "beside": 8, "fence": 9,
    "ramp": 10, "chasm": 11, "stop": 12,
}  # fmt: skip
"""Kinds of manoeuvre rolls."""
KILLED, WRECKED, RETIRED = 1, 2, 3
BY_RUMPS, LAST_SIDE, NOBODY, ROUNDS_UP = 1, 2, 3, 4
STAYS, AT_PIG, STOPS = 0, 1, 2


class Note(NamedTuple):
    """An event of a match."""

    what: int
    turn: int
    seat: int
    other: int = -1
    piece: int = -1
    roll: int = 0
    value: int = 0
    extra: int = 0


class Notebook:
    """Writes down what happens."""

    def __init__(self) -> None:
        self.turn = 0
        self.notes: list[Note] = []

    def write(self, name: str, seat: int, **fields: int) -> None:
        """Write an event down."""
        self.notes.append(Note(NAMES.index(name), self.turn, seat, **fields))


def injury(wound: bool, damage: bool, total: int) -> int:
    """Return the row of the collision table that counts."""
    if wound:
        return 0 if damage else 1
    if damage:
        return 2
    return 4 if total >= 11 else 3
