"""A battle followed event by event: where every unit stands, what is left of it, who is in contact with whom.

No dice are read and nothing is decided here that an event states; the sides on which units strike each other, and what
was set when they met, follow the rules of contacts (B-LAN-6, B-LAN-15, B-LAN-27).
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from simkit.games.battlesystem.happenings import What
from simkit.games.battlesystem.kinds import Declaration, Fate, Formation
from simkit.games.battlesystem.staging import Cast

NOBODY = -1
FRONT, FLANK, REAR = "front", "flank", "rear"
PAID = ("woods", "rough", "swamp", "ford", "barrier", "ditch", "rise")
"""What a PAY event's value stands for, from 1."""


class Happening(NamedTuple):
    """One event in plain numbers; see :class:`~simkit.games.battlesystem.happenings.What`."""

    what: int
    round: int
    unit: int
    foe: int
    roll: int
    value: int
    extra: int


def happened(rows: Iterable[Any]) -> list[Happening]:
    """Return events by their names, from anything that holds their seven numbers."""
    return [row if isinstance(row, Happening) else Happening(*(int(one) for one in row)) for row in rows]


class Standing(NamedTuple):
    """One unit at one moment."""

    figures: int
    wound: int
    formation: int
    declared: int
    place: int
    """Of its front, in 36ths of an inch from side a's start."""
    waiting: bool
    """In reserve."""
    fate: int = 0
    """A :class:`~simkit.games.battlesystem.kinds.Fate`."""
    passed: tuple[tuple[int, str], ...] = ()
    """Obstacles and rises that it has paid for: place and kind, one entry each."""
    rear: bool = False
    """It was struck in the rear this round."""

    @property
    def in_play(self) -> bool:
        """Neither destroyed nor routed."""
        return not self.fate

    @property
    def closed(self) -> bool:
        """In closed formation."""
        return self.formation == Formation.CLOSED

    @property
    def all_round(self) -> bool:
        """A wall, or spears, to every side."""
        return self.declared in (Declaration.WALL_ROUND, Declaration.SET_ROUND)


class Contact(NamedTuple):
    """Two units in contact; pairs belong to side a and side b."""

    units: tuple[int, int]
    """Seats."""
    round: int
    how: tuple[str, str]
    """Where each side strikes the other."""
    charged: tuple[bool, bool]
    met_set: tuple[bool, bool]
    """Whether each side's unit stood with spears set on the side struck when contact was made."""
    bogged: tuple[bool, bool]
    """Whether each side's unit fights out of a ditch, swamp or ford (B-TER-10)."""

    def charging(self, side: int, now: int) -> bool:
        """Tell whether a side's unit is charging in a round (B-LAN-22)."""
        return self.charged[side] and self.round == now


class Scene(NamedTuple):
    """The whole battle at one moment."""

    round: int
    units: tuple[Standing, ...]
    """In the order of ``Cast.members``."""
    contacts: tuple[Contact, ...] = ()
    """All that were made; those of units out of play are over."""


def covers(declared: int, front: int, all_round: int, struck: str) -> bool:
    """Tell whether a wall or set spears cover the side that is struck (B-LAN-22)."""
    return declared == all_round or (declared == front and struck == FRONT)


def walled(unit: Standing, struck: str) -> bool:
    """Tell whether a shield wall covers the side that is struck."""
    return covers(unit.declared, Declaration.WALL, Declaration.WALL_ROUND, struck)


def spears_set(unit: Standing, struck: str) -> bool:
    """Tell whether set spears cover the side that is struck."""
    return covers(unit.declared, Declaration.SET, Declaration.SET_ROUND, struck)


class View:
    """Questions about one scene."""

    def __init__(self, cast: Cast, scene: Scene) -> None:
        self.cast = cast
        self.scene = scene

    def unit(self, seat: int) -> Standing:
        """Return how a unit stands."""
        return self.scene.units[self.cast.index[seat]]

    def contacts(self, seat: int) -> list[Contact]:
        """Return the contacts of a unit that last."""
        mine = [one for one in self.scene.contacts if seat in one.units]
        return [one for one in mine if all(self.unit(unit).in_play for unit in one.units)]

    def between(self, seat: int, foe: int) -> Contact | None:
        """Return the latest contact of two units, also where one of them has just fallen."""
        pair = (min(seat, foe), max(seat, foe))
        return next((one for one in reversed(self.scene.contacts) if one.units == pair), None)

    def strikes(self, seat: int, foe: int) -> str:
        """Return the side on which a unit would strike an enemy (B-LAN-6, B-LAN-27)."""
        mine, other = self.cast.member(seat), self.cast.member(foe)
        return FLANK if mine.slot != other.slot and self.contacts(foe) else self.cast.contact[mine.side]

    def struck_on(self, contact: Contact, side: int) -> str:
        """Return where a side strikes; who stands to every side shows its front (B-SHW-3)."""
        return FRONT if self.unit(contact.units[1 - side]).all_round else contact.how[side]

    def foe_of(self, seat: int) -> int:
        """Return whom a unit meets: the enemy of its slot, else of the nearest one occupied (B-LAN-27)."""
        own = self.cast.member(seat)
        foes = [one for one in self.cast.members if one.side != own.side and self.unit(one.seat).in_play]
        front = [one for one in foes if not self.unit(one.seat).waiting]
        held = {one.slot for one in front}
        foes = front + [one for one in foes if self.unit(one.seat).waiting and one.slot not in held]
        nearest = min(foes, key=lambda one: (abs(one.slot - own.slot), one.slot), default=None)
        return NOBODY if nearest is None else nearest.seat

    def gap(self, seat: int, foe: int) -> int:
        """Return the distance between two fronts in 36ths; an enemy whose front lies behind is at none."""
        return max(0, self.cast.member(seat).way * (self.unit(foe).place - self.unit(seat).place))

    def past(self, seat: int, foe: int) -> bool:
        """Tell whether two units have gone past each other, so that no distance is left between them (B-LAN-27)."""
        return self.cast.member(seat).way * (self.unit(foe).place - self.unit(seat).place) < 0

    def ditch(self, seat: int) -> bool:
        """Tell whether an obstacle lies right at a unit's front that it has not passed (B-MIS-2)."""
        unit = self.unit(seat)
        there = [point.kind for point in self.cast.lane.points if point.at == unit.place]
        paid = [kind for place, kind in unit.passed if place == unit.place]
        return len(there) > sum(kind in there for kind in paid)


def opening(cast: Cast) -> Scene:
    """Return the battle as it is set up."""
    units = tuple(
        Standing(one.figures, 0, one.formation, one.declared, cast.fronts[one.side], one.reserve)
        for one in cast.members
    )
    tracker = Tracker(cast, Scene(1, units))
    if cast.in_contact:
        for mine in cast.members:
            for foe in cast.members:
                if (mine.side, foe.side) == (0, 1) and mine.slot == foe.slot and not (mine.reserve or foe.reserve):
                    charged = tuple(one.declared == Declaration.CHARGE for one in (mine, foe))
                    tracker.join((mine.seat, foe.seat), (charged[0], charged[1]))
    return tracker.scene._replace(round=0)


def track(cast: Cast, rows: Iterable[Any]) -> list[Scene]:
    """Return the battle before the first event, and after each.

    Parameters
    ----------
    cast
        Who fights where.
    rows
        Events in their order.

    Returns
    -------
    list of Scene
        One more than there are events; scenes share what does not change.
    """
    tracker = Tracker(cast, opening(cast))
    scenes = [tracker.scene]
    for row in happened(rows):
        tracker.follow(row)
        scenes.append(tracker.scene)
    return scenes


class Tracker:
    """Follows a battle event by event; ``scene`` is how it stands."""

    def __init__(self, cast: Cast, scene: Scene) -> None:
        self.cast = cast
        self.scene = scene
        self.first = 0
        self.faced = False
        self.steps: dict[int, Callable[[Happening], None]] = {
            What.ROUND: self._round,
            What.INITIATIVE: self._initiative,
            What.LAPSE: lambda row: self._set(row.unit, declared=Declaration.NONE),
            What.DECLARE: self._declare,
            What.MOVE: lambda row: self._set(row.unit, place=row.value),
            What.PAY: self._pay,
            What.OPEN: lambda row: self._set(row.unit, formation=Formation.OPEN),
            What.CLOSE: lambda row: self._set(row.unit, formation=Formation.CLOSED),
            What.CONTACT: self._contact,
            What.STRIKE: self._strike,
            What.DAMAGE: lambda row: self._set(row.unit, wound=row.extra),
            What.LOSE: lambda row: self._set(row.unit, figures=row.extra),
            What.DESTROYED: lambda row: self._set(row.unit, fate=Fate.DESTROYED, declared=Declaration.NONE),
            What.ROUT: lambda row: self._set(row.unit, fate=Fate.ROUTED, declared=Declaration.NONE),
            What.ADVANCE: lambda row: self._set(row.unit, waiting=False),
        }

    @property
    def view(self) -> View:
        """The scene, to be asked."""
        return View(self.cast, self.scene)

    def follow(self, row: Happening) -> None:
        """Take one more event in."""
        step = self.steps.get(row.what)
        if step is not None:
            step(row)

    def _set(self, seat: int, **changes: object) -> None:
        units = list(self.scene.units)
        i = self.cast.index[seat]
        units[i] = units[i]._replace(**changes)  # type: ignore[arg-type]
        self.scene = self.scene._replace(units=tuple(units))

    def _round(self, row: Happening) -> None:
        if row.value > 1:
            for member in self.cast.members:
                if self.view.unit(member.seat).declared == Declaration.CHARGE:  # it ends with the round
                    self._set(member.seat, declared=Declaration.NONE)
        for member in self.cast.members:
            self._set(member.seat, rear=False)
        self.faced = False
        self.scene = self.scene._replace(round=row.value)

    def _initiative(self, row: Happening) -> None:
        if row.foe == 0:
            self.first = row.roll
        elif row.roll != self.first:
            self.first = int(row.roll > self.first)

    def _declare(self, row: Happening) -> None:
        if row.value != Declaration.REFORM:
            self._set(row.unit, declared=row.value)

    def _pay(self, row: Happening) -> None:
        kind = PAID[row.value - 1]
        if kind in ("barrier", "ditch", "rise"):
            self._set(row.unit, passed=(*self.view.unit(row.unit).passed, (row.extra, kind)))

    # Contacts

    def _contact(self, row: Happening) -> None:
        side = self.cast.member(row.unit).side
        charged = (bool(row.extra) and side == 0, bool(row.extra) and side == 1)
        pair = (row.unit, row.foe) if side == 0 else (row.foe, row.unit)
        self.join(pair, charged, row.unit)

    def join(self, pair: tuple[int, int], charged: tuple[bool, bool], maker: int = NOBODY) -> None:
        """Put two units into contact and note what counts at this moment (B-TER-10, B-LAN-15)."""
        view = self.view
        how = [
            view.strikes(pair[side], pair[1 - side]) if maker == pair[side] else self.cast.contact[side]
            for side in (0, 1)
        ]
        how = [FRONT if view.unit(pair[1 - side]).all_round else how[side] for side in (0, 1)]
        met = [spears_set(view.unit(pair[side]), how[1 - side]) for side in (0, 1)]
        places = [view.unit(seat).place for seat in pair]
        kinds = [self.cast.stands(places[side], side).kind for side in (0, 1)]
        bogged = []
        for side in (0, 1):
            at = places[side]
            ditch = any(point.at == at and point.kind == "ditch" for point in self.cast.lane.points)
            swamp = kinds[side] in ("swamp", "ford") and kinds[1 - side] != kinds[side]
            bogged.append((maker == pair[side] and ditch) or swamp)
        made = Contact(
            pair, self.scene.round, (how[0], how[1]), charged, (met[0], met[1]), (bogged[0], bogged[1])
        )  # fmt: skip
        self.scene = self.scene._replace(contacts=(*self.scene.contacts, made))

    def _strike(self, row: Happening) -> None:
        if self.cast.rules.turn_to_face and not self.faced:
            self._face()
        contact, side = self.view.between(row.unit, row.foe), self.cast.member(row.unit).side
        if contact is not None and self.view.struck_on(contact, side) == REAR:
            self._set(row.foe, rear=True)

    def _face(self) -> None:
        """Turn units that were in one contact only, an older one, as their movement phase began (``turn_to_face``)."""
        self.faced = True
        now = self.scene.round
        turned = list(self.scene.contacts)
        for i, contact in enumerate(self.scene.contacts):
            for side in (0, 1):
                there = [
                    one
                    for one in self.scene.contacts
                    if contact.units[side] in one.units and self._stood(one, now, side != self.first)
                ]
                if contact.round < now and there == [contact]:
                    how = turned[i].how
                    turned[i] = turned[i]._replace(how=(how[0], FRONT) if side == 0 else (FRONT, how[1]))
        self.scene = self.scene._replace(contacts=tuple(turned))

    def _stood(self, contact: Contact, now: int, second: bool) -> bool:
        """Tell whether a contact was there when a unit's own movement phase began."""
        both = all(self.view.unit(seat).in_play for seat in contact.units)
        return both and (contact.round < now or (contact.round == now and second))
