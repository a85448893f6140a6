"""Scenes for tests: a table and figures put down by hand, dice that fall as written, plans as a test wishes them."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.core.rng import make_key
from tests.naive.pigtable.fields import rules_of
from tests.naive.pigtable.match import Match
from tests.naive.pigtable.notes import KINDS, NAMES, Note
from tests.naive.pigtable.ride import Man, Plan, Ride
from tests.naive.pigtable.shapes import Point
from tests.naive.pigtable.table import Table, TableError, read_table

KEY = make_key(7)
Falls = Sequence[tuple[str, int]]


def file_of(*pieces: Mapping[str, Any], shape: str = "square", **more: Any) -> dict[str, Any]:
    """Return what the file of a table says."""
    named = [{"name": f"{piece['kind']} {k}", **piece} for k, piece in enumerate(pieces)]
    return {"schema": 1, "shape": shape, "size": 24, "pig": [0, 0], "starts": [], **more, "piece": named}


def table_of(
    *pieces: Mapping[str, Any], shape: str = "square", rules: Mapping[str, Any] | None = None, **more: Any
) -> Table:
    """Return a table, positions in inches."""
    return read_table(file_of(*pieces, shape=shape, **more), rules_of(rules or {}))


def errors_of(*pieces: Mapping[str, Any], **more: Any) -> list[tuple[str, str]]:
    """Return the codes of what is wrong with a table, each with the piece."""
    try:
        read_table(file_of(*pieces, **more), rules_of({}))
    except TableError as error:
        return [(wrong.code, wrong.where) for wrong in error.errors]
    return []


def at_pig(*via: Point) -> Plan:
    """Plan to ride by some points, then at the pig."""
    return Plan((*via, (None, None)), "pig")  # type: ignore[arg-type]


def stop_at(*via: Point) -> Plan:
    """Plan to stop at the last point."""
    return Plan(via, "stop")


class Planned:
    """Plans that come one after another."""

    def __init__(self, *plans: Plan) -> None:
        self.plans = list(plans)

    def __call__(self, ride: Ride) -> Plan:
        """Return the next plan, its last point the pig where it is now."""
        plan = self.plans.pop(0)
        return Plan((*plan.points[:-1], ride.pig), "pig") if plan.target == "pig" else plan


class Scripted(Match):
    """A match whose dice fall as written, and whose plans a test makes."""

    def __init__(
        self,
        table: Table,
        places: Sequence[Point],
        *plans: Plan,
        falls: Falls = (),
        pig: Point | None = None,
        teams: Sequence[int] | None = None,
        **rules: Any,
    ) -> None:
        standing = Table(table.half, table.is_round, table.pieces, pig or table.pig, tuple(places))
        super().__init__(standing, rules_of(rules), ["straight"] * len(places), KEY, 0, teams=teams)
        self.planned = Planned(*plans)
        self.falls = list(falls)
        self.dice = self

    def planner(self, seat: int) -> Any:
        """Return who plans."""
        return self.planned

    def begin(self, time: int, seat: int) -> None:
        """Begin a turn."""

    def roll(self, dice: str, purpose: str) -> int:
        """Return the next throw, which must be of this purpose."""
        wanted, total = self.falls.pop(0) if self.falls else ("nothing", 0)
        assert purpose == wanted
        return total

    def take_turn(self, seat: int = 0) -> Man:
        """Let a lancer have his turn, the pig staying where it is."""
        self.turn += 1
        self.book.turn = self.turn
        self.ride(self.men[seat])
        assert not self.falls
        assert not self.planned.plans
        return (self.former[seat] + [self.men[seat]])[-1]

    def told(self, *names: str) -> list[Note]:
        """Return the events of these names, or all."""
        return [note for note in self.book.notes if not names or NAMES[note.what] in names]

    def names(self) -> str:
        """Return the names of what happened, without plans."""
        left_out = ("TURN", "PLAN", "VIA")
        return " ".join(NAMES[note.what] for note in self.book.notes if NAMES[note.what] not in left_out)


def turn(
    table: Table, start: Point, *plans: Plan, falls: Falls = (), others: Sequence[Point] = (), **more: Any
) -> Scripted:
    """Play one turn of seat 0 and return the match after it."""
    match = Scripted(table, [start, *others], *plans, falls=falls, **more)
    match.take_turn()
    return match


def rolls(match: Scripted) -> list[tuple[str, int, int, int]]:
    """Return kind, modifier, throw and whether it passed, of all manoeuvre rolls."""
    kinds = {number: kind for kind, number in KINDS.items()}
    return [(kinds[e.extra // 2], e.value, e.roll, e.extra % 2) for e in match.told("MANOEUVRE")]
