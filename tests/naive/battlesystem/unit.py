"""Units: what a side is asked to bring, and what is known of a unit in a fight (B-LAN-4, B-LAN-7)."""

from dataclasses import dataclass, field
from fractions import Fraction

from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.lane import Lane, way
from tests.naive.battlesystem.ratings import Design

MOST_SLOTS = 6


@dataclass(frozen=True)
class Troop:
    """A unit as it starts."""

    design: Design
    figures: int
    files: int
    formation: str = "closed"
    policy: str = "advance"
    slot: int = 0
    reserve: bool = False

    def check(self) -> None:
        """Refuse what is no unit."""
        if self.figures < 1 or not 1 <= self.files <= self.figures:
            raise ValueError(f"{self.figures} figures in {self.files} files; allowed: 1 figure or more, files up to it")
        if self.formation not in t.FORMATIONS or self.policy not in t.POLICIES:
            raise ValueError(f"{self.formation}, {self.policy}; allowed: {t.FORMATIONS}, {t.POLICIES}")
        if not 0 <= self.slot < MOST_SLOTS:
            raise ValueError(f"slot {self.slot}; allowed: 0 to {MOST_SLOTS - 1}")


class Unit:
    """A unit in a fight."""

    def __init__(self, side: int, index: int, troop: Troop, lane: Lane) -> None:
        troop.check()
        self.side = side
        self.seat = 12 * side + index
        self.design = troop.design
        self.files = troop.files
        self.start = troop.figures
        self.figures = troop.figures
        self.formation = troop.formation
        self.policy = troop.policy
        self.slot = troop.slot
        self.waiting = troop.reserve
        self.place = lane.length if side else 0
        self.passed = sum(way(side) * feature.at < way(side) * self.place for feature in lane.features(side))
        self.wound = 0
        self.declaration = t.NONE
        self.opened = False  # was closed, and is open for the time being
        self.routed = False
        self.shot_early = False  # in phase 3 of this round
        self.moved = False  # in this round
        self.charge: tuple[Fraction, Fraction, frozenset[str]] | None = None  # what is left of this round's charge
        self.broke = False  # through, this round
        self.struck_rear = False  # in this phase
        self.marked = troop.figures  # figures when morale was last looked at
        self.checks = 0  # of this round
        self.blows = [0, 0]  # of this round, in the melee and in its breakthroughs

    @property
    def in_play(self) -> bool:
        """Neither destroyed nor routed."""
        return self.figures > 0 and not self.routed

    @property
    def lost(self) -> int:
        """Figures lost since the start."""
        return self.start - self.figures

    @property
    def closed(self) -> bool:
        """In closed formation."""
        return self.formation == "closed"

    @property
    def all_round(self) -> bool:
        """A wall or spears to every side."""
        return self.declaration in (t.WALL_ROUND, t.SET_ROUND)

    def gap(self, foe: "Unit") -> int:
        """Return the distance between the fronts; an enemy whose front lies behind is at no distance."""
        return max(0, way(self.side) * (foe.place - self.place))

    def new_round(self) -> None:
        """Forget what counts in one round only."""
        self.shot_early = self.moved = self.broke = False
        self.charge = None
        self.checks = 0
        self.blows = [0, 0]

    def wounded(self, damage: int) -> int:
        """Take damage and return the figures that it kills, none of which is removed yet (B-LAN-7)."""
        kills, self.wound = divmod(self.wound + damage, self.design.pool)
        return kills


@dataclass
class Contact:
    """Two units, of side 0 and side 1, in contact. Pairs belong to the sides.

    `how[s]` is the side of the enemy that side s strikes, `charged[s]` whether its unit charged, `met_set[s]` whether
    it stood with set spears on the side struck when contact was made, `dropped[s]` whether it stood without set spears
    after a later movement phase of its own, `bogged[s]` whether it pays B-TER-10.
    """

    units: tuple[Unit, Unit]
    round: int
    how: tuple[str, str]
    charged: tuple[bool, bool]
    met_set: tuple[bool, bool]
    bogged: tuple[bool, bool] = field(default=(False, False))
    dropped: list[bool] = field(default_factory=lambda: [False, False])

    @property
    def on(self) -> bool:
        """Both are still in play."""
        return all(unit.in_play for unit in self.units)

    def charging(self, side: int, now: int) -> bool:
        """Tell whether a side's unit is charging in a round (B-LAN-22)."""
        return self.charged[side] and self.round == now


def covers(declaration: int, kinds: tuple[int, int], struck: str) -> bool:
    """Tell whether a wall or set spears (`kinds`: front only, all round) cover the side that is struck (B-LAN-22)."""
    return declaration == kinds[1] or (declaration == kinds[0] and struck == "front")
