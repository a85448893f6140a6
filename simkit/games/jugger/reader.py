"""Reading a trace event by event, with the battle as it stands at each."""

from collections.abc import Sequence
from typing import NamedTuple

from simkit.games.jugger.cast import Cast
from simkit.games.jugger.happenings import Happening
from simkit.games.jugger.phrases import die, titled
from simkit.games.jugger.track import NOBODY, Scene, track


class Told(NamedTuple):
    """One line of a retold battle and the events it tells: those from `first` up to, not including, `end`."""

    text: str
    kind: str
    ids: tuple[str, ...]
    first: int
    end: int


class Reader:
    """A trace being read; ``i`` is the event that comes next, `mover` the jug that moves."""

    def __init__(self, cast: Cast, rows: Sequence[Happening]) -> None:
        self.cast = cast
        self.rows = rows
        self.scenes = track(cast, rows)
        self.terrain = cast.map.kinds()
        self.i = 0
        self.mover = NOBODY

    @property
    def over(self) -> bool:
        """Tell whether no event is left."""
        return self.i >= len(self.rows)

    @property
    def scene(self) -> Scene:
        """The battle after every event that was taken."""
        return self.scenes[self.i]

    def peek(self, *whats: int) -> Happening | None:
        """Return the next event if it is one of these."""
        return None if self.over or self.rows[self.i].what not in whats else self.rows[self.i]

    def take(self) -> Happening:
        """Return the next event and go on to the one after it."""
        row = self.rows[self.i]
        self.i += 1
        return row

    def name(self, slot: int) -> str:
        """Name a jug."""
        return self.cast.name(slot)

    def die(self, purpose: int, roll: int) -> str:
        """Write a roll with the dice of its purpose."""
        return die(self.cast.dice.get(purpose, ""), roll)

    def dice(self, purpose: int) -> str:
        """Name the dice of a purpose."""
        return titled(self.cast.dice.get(purpose, ""))

    def side(self, side: int) -> str:
        """Name a side."""
        return self.cast.sides[side]
