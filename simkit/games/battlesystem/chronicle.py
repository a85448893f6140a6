"""What every round of a battle came to: who moved, shot, charged, fell, checked and went, and a headline of it."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from simkit.games.battlesystem import phrases as say
from simkit.games.battlesystem.happenings import Over, What
from simkit.games.battlesystem.kinds import Declaration
from simkit.games.battlesystem.staging import Cast
from simkit.games.battlesystem.track import Happening, Scene

QUIET = (What.ROUND, What.INITIATIVE, What.OVER)
"""Events that a round has in which nobody does anything."""


NOTHING = "nobody moves or strikes"
MOST_NAMED = 4
"""Units up to which a headline names every one."""


class Round(NamedTuple):
    """One round."""

    number: int
    first: int
    """Its first event, and the one after its last."""
    end: int
    before: Scene
    after: Scene
    """At its end, before what lapses with it."""
    rows: Sequence[Happening]

    @property
    def quiet(self) -> bool:
        """Whether nothing was done but to roll for initiative."""
        return all(row.what in QUIET for row in self.rows)

    def of(self, *whats: int) -> list[Happening]:
        """Return the events of some kinds."""
        return [row for row in self.rows if row.what in whats]

    def lost(self, seat: int) -> int:
        """Return the figures that a unit lost."""
        return sum(row.value for row in self.of(What.LOSE) if row.unit == seat)


def rounds(rows: Sequence[Happening], scenes: Sequence[Scene]) -> list[Round]:
    """Return the rounds of a battle in order."""
    begins = [i for i, row in enumerate(rows) if row.what == What.ROUND]
    found = []
    for first, end in zip(begins, [*begins[1:], len(rows)], strict=True):
        last = end
        while last > first and rows[last - 1].what in (What.LAPSE, What.OVER):
            last -= 1
        found.append(Round(rows[first].value, first, end, scenes[first], scenes[last], rows[first:end]))
    return found


def headline(cast: Cast, one: Round) -> str:
    """Say in a line what a round came to: charges, losses, checks, and who went; of many units by side."""
    told = [*_contacts(cast, one), *_in_vain(cast, one), *_losses(cast, one), *_checks(cast, one)]
    gone = {What.DESTROYED: "are destroyed", What.ROUT: "rout"}
    told += [f"{cast.name(row.unit)} {gone[What(row.what)]}" for row in one.of(What.DESTROYED, What.ROUT)]
    movers = dict.fromkeys(cast.name(row.unit) for row in one.of(What.MOVE))
    if told or not movers:
        return "; ".join(told) if told else NOTHING
    return f"{say.listed([*movers]) if len(movers) <= MOST_NAMED else say.counted(len(movers), 'unit')} move"


def _contacts(cast: Cast, one: Round) -> list[str]:
    made = one.of(What.CONTACT)
    if len(made) > MOST_NAMED:
        charges = sum(row.extra for row in made)
        return [f"{say.counted(len(made), 'contact')}, {charges or 'none'} by a charge"]
    return [f"{cast.name(row.unit)} {'charge' if row.extra else 'walk'} into {cast.name(row.foe)}" for row in made]


def _in_vain(cast: Cast, one: Round) -> list[str]:
    """Tell who shot and killed nothing."""
    shot, killed = Counter[int](), Counter[int]()
    shooter = -1
    for row in one.rows:
        if row.what in (What.SHOOT, What.STRIKE):
            shooter = row.unit if row.what == What.SHOOT else -1
            shot[shooter] += 1
        elif row.what == What.ROLL:
            killed[shooter] += row.value
    return [f"{cast.name(seat)} shoot in vain" for seat in shot if seat >= 0 and not killed[seat]]


def _losses(cast: Cast, one: Round) -> list[str]:
    killed = Counter[int]()
    for row in one.of(What.DAMAGE):
        killed[row.unit] += row.value
    hurt = [member for member in cast.members if killed[member.seat]]
    groups = [(member.name, [member]) for member in hurt]
    if len(hurt) > MOST_NAMED:
        groups = [(title, [one for one in hurt if one.side == side]) for side, title in enumerate(cast.sides)]
    told = []
    for name, members in groups:
        fallen, verb = sum(one.lost(member.seat) for member in members), "lose" if len(groups) == len(hurt) else "loses"
        figures = say.counted(fallen, "figure") if fallen else "no figure"
        dice = say.counted(sum(killed[member.seat] for member in members), "hit die", "hit dice")
        told.append(f"{name} {verb} {figures} ({dice})")
    return told


def _checks(cast: Cast, one: Round) -> list[str]:
    made = one.of(What.CHECK)
    if len(made) > MOST_NAMED:
        failed = sum(not row.extra for row in made)
        return [f"{failed} of {say.counted(len(made), 'check')} fail"]
    done = ("fail", "pass")
    return [f"{cast.name(row.unit)} {done[row.extra]} a check ({row.roll} against {row.value})" for row in made]


def matchup(cast: Cast) -> str:
    """Name the two sides by their units, side a first."""
    names = []
    for side, label in enumerate(cast.sides):
        titles = Counter(member.title for member in cast.members if member.side == side)
        named = say.listed([title if n == 1 else f"{title} x{n}" for title, n in titles.items()])
        if len(titles) > 3:
            named = say.counted(titles.total(), "unit")
        names.append(named if label in ("A", "B") else label)
    return " against ".join(names)


def ending(cast: Cast, rows: Sequence[Happening]) -> str:
    """Say how a battle ended, by its last event."""
    last = rows[-1] if rows else None
    if last is None or last.what != What.OVER:
        return "the end is not in the trace"
    if last.value == Over.WON:
        return f"victory for {cast.sides[last.foe]} in round {last.round}"
    if last.value == Over.MUTUAL:
        return f"neither side has a unit left after round {last.round}"
    return f"no side has won in {say.counted(last.round, 'round')}"


def stood(cast: Cast, one: Round, seat: int) -> int:
    """Return the declaration that a unit stood in this round: spears that met somebody, or what is in force at its end.

    Spears may be set as a charge comes in, and end as the unit's own movement begins (B-LAN-13, B-LAN-15).
    """
    for contact in one.after.contacts:
        if contact.round == one.number and seat in contact.units and contact.met_set[cast.member(seat).side]:
            return Declaration.SET
    return one.after.units[cast.index[seat]].declared
