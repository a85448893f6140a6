"""What a plan will take: time, disk, and the precision to expect."""

from dataclasses import asdict, dataclass
from typing import Any

from simkit import stats
from simkit.core.trials import BATCHES
from simkit.lab.plan import Plan

CELL_OVERHEAD = 0.004
"""Seconds that a cell costs beside its trials: estimates, files, its share of the report."""


@dataclass(frozen=True)
class Foresight:
    """What to expect of a plan before it is played."""

    cells: int
    trials: int
    """Trials (games) a cell, or the most there may be."""
    total: int
    threads: int
    seconds: float
    megabytes: float
    half_width: float | None
    """Half-width of a share near one half, at the plan's level."""
    level: float
    precision: float | None
    needed: int | None
    """Trials a cell that the wanted precision takes at most."""
    games: int = 1
    """Games on the same dice, which make a unit."""

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain data; games in pairs have ``pairs``, the units of a cell."""
        found = asdict(self)
        games = found.pop("games")
        return found if games == 1 else found | {"pairs": self.trials // games}

    def words(self) -> str:
        """Say it in a sentence or two."""
        cells = f"{self.cells:,} cell{'' if self.cells == 1 else 's'}"
        upto = "up to " if self.precision is not None else ""
        text = f"{cells} x {upto}{self.trials:,} trials = {upto}{self.total:,}; {spoken(self.seconds)} on "
        text += f"{self.threads} thread{'' if self.threads == 1 else 's'}, {self.megabytes:.1f} MB of disk."
        if self.games > 1:
            pairs = f"{upto}{self.trials // self.games:,} pairs of games"
            text += f"\nEach cell plays {pairs}, the second on the same dice with the seats swapped."
        if self.half_width is not None:
            width = f"±{100 * self.half_width:.2g} points at {100 * self.level:.4g} %"
            alike = "" if self.games == 1 else " where both games of a pair end alike"
            text += f"\nEach share to about {width} (widest near 50 %{alike})."
        if self.precision is not None and self.needed is not None:
            too_many = f"more than the {self.trials:,} there may be (max_trials)"
            enough = "enough" if self.needed <= self.trials else too_many
            text += f"\nA precision of {self.precision:g} takes at most about {self.needed:,} trials a cell: {enough}."
        elif self.precision is not None:
            text += f"\nWhen the mean is known to ±{self.precision:g} shows only as it is played."
        return text


def foresee(plan: Plan, threads: int) -> Foresight:
    """Estimate what a plan takes on so many threads."""
    share = next(metric.kind for metric in plan.game.OUTCOMES if metric.name == plan.metric) == "share"
    precision = plan.experiment.run.precision
    half = float(stats.half_width_for(plan.units, 0.5, plan.level)) if share else None
    needed = None
    if precision is not None and share and precision < 0.5:
        # a confidence sequence is about 1.6 times as wide as a fixed-n interval where it stops
        needed = plan.game.GAMES_A_UNIT * int(2.6 * float(stats.units_for_half_width(0.5, precision, plan.level)))
    columns = len(plan.game.OUTCOMES)
    looks = 1 if precision is None else len(stats.looks(last=plan.units))
    # of each count about half a byte once compressed, at every look; what the report says of the cell is as much as two
    blocks = len(plan.cells) * BATCHES * columns * 4 * (2 + 0.6 * looks)
    return Foresight(
        len(plan.cells),
        plan.trials,
        len(plan.cells) * plan.trials,
        threads,
        plan.seconds(threads) + CELL_OVERHEAD * len(plan.cells),
        (blocks + 300_000) / 1e6,
        half,
        plan.level,
        precision,
        needed,
        plan.game.GAMES_A_UNIT,
    )


def spoken(seconds: float) -> str:
    """Say a length of time."""
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"about {seconds / size:.1f} {unit}"
    return f"about {seconds:.0f} s" if seconds >= 1 else "less than a second"
