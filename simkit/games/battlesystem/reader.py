"""Reading a trace event by event: what comes next, how the battle stands, and what a line needs to remember."""

from typing import NamedTuple

from simkit.games.battlesystem.happenings import What
from simkit.games.battlesystem.kinds import Declaration
from simkit.games.battlesystem.reckoning import Change
from simkit.games.battlesystem.staging import Cast
from simkit.games.battlesystem.track import Happening, View, track


class Told(NamedTuple):
    """One line of a retold battle, and which events it tells: from `first` up to, but without, `end`."""

    text: str
    kind: str
    ids: tuple[str, ...]
    first: int
    end: int


class Struck(NamedTuple):
    """A first strike that awaits its answer (B-LAN-21)."""

    spears: int
    charger: int
    files: int
    """In the charger's front before it."""
    fell: int = 0
    """Figures that it killed."""


class Attack(NamedTuple):
    """Attacks whose rolls follow."""

    missile: bool
    difference: int
    """AR' - AC'."""
    charging: bool
    """Weapons that double in a charge do."""
    twice: bool
    """Set spears double everything."""


class Reader:
    """The events of one battle, read one after the other."""

    def __init__(self, cast: Cast, rows: list[Happening]) -> None:
        self.cast = cast
        self.rows = rows
        self.scenes = track(cast, rows)
        self.i = 0
        self.changes: dict[int, list[Change]] = {}
        """What has changed the move of each unit this round, by seat."""
        self.went: dict[int, int] = {}
        """Where each unit that has moved this round was before, by seat."""
        self.struck: Struck | None = None
        self.attack: Attack | None = None

    @property
    def over(self) -> bool:
        """Whether all events are read."""
        return self.i >= len(self.rows)

    @property
    def view(self) -> View:
        """The battle before the next event."""
        return View(self.cast, self.scenes[self.i])

    def at(self, i: int) -> View:
        """Return the battle before event `i`."""
        return View(self.cast, self.scenes[i])

    def peek(self, *whats: int) -> Happening | None:
        """Return the next event if it is one of these."""
        if self.over or self.rows[self.i].what not in whats:
            return None
        return self.rows[self.i]

    def mine(self, seat: int, *whats: int) -> Happening | None:
        """Return the next event if it is one of these and of this unit."""
        row = self.peek(*whats)
        return row if row is not None and row.unit == seat else None

    def take(self) -> Happening:
        """Read the next event."""
        row = self.rows[self.i]
        self.i += 1
        return row

    def name(self, seat: int) -> str:
        """Return what a unit is called."""
        return self.cast.name(seat)

    def spears(self, seat: int) -> str:
        """Return what a unit can set."""
        return "pikes" if self.cast.member(seat).design.arm == "pike" else "spears"

    def before_contact(self, seat: int) -> Happening | None:
        """Return the contact that a unit's present move leads to, if it does."""
        for row in self.rows[self.i :]:
            if row.what == What.CONTACT and row.unit == seat:
                return row
            if row.what != What.ADVANCE and row.unit != seat:
                return None
        return None

    def fresh(self, seat: int) -> list[Change]:
        """Return what has changed a unit's move this round; a wall that lasts from before does, too."""
        if seat not in self.changes:
            wall = self.view.unit(seat).declared == Declaration.WALL
            slow = [Change(-self.cast.rules.fraction("wall_move"), "shield wall")] if wall else []
            self.changes[seat] = slow
        return self.changes[seat]
