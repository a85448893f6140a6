"""The battle rebuilt from its events: what stood where, and how, after each of them.

Only what the events say is carried over. The few velocities that no event states (what a contact does to them)
follow the rules of rams.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from simkit.games.jugger.cast import Cast, Member, captain_titles
from simkit.games.jugger.happenings import BOLT, FIREBALL, Cause, Happening, What, happened, where
from simkit.games.jugger.maps import Place
from simkit.games.jugger.records import PieceKind, Special, Spell

NOBODY = -1

OF_A_RAM = (What.RAM, What.RAM_BACK, What.SHIELD, What.CONTROL, What.HURT, What.OUT, What.FREED, What.ROPE_ENDS)
"""Events between a ram and the fall of whom it destroys."""


class Burning(NamedTuple):
    """A fire on a jug: who lit it with which weapon, its damage a turn and its turns left."""

    firer: int
    item: int
    points: int
    left: int


class Grip(NamedTuple):
    """A weapon's hold, or its rope, on a foe."""

    item: int
    foe: int


class Standing(NamedTuple):
    """The record of one jug (J-REC-1)."""

    side: int
    q: int
    r: int
    facing: int
    velocity: int
    hits: int
    fate: int = 0
    """0 in play, otherwise a :class:`~simkit.games.jugger.happenings.Cause`."""
    lost: tuple[int, ...] = ()
    """Pieces that are gone, in the order of their loss."""
    holds: tuple[Grip, ...] = ()
    ropes: tuple[Grip, ...] = ()
    fires: tuple[Burning, ...] = ()
    spent: tuple[int, ...] = ()
    """Weapons whose boarders are lost."""
    ready: tuple[tuple[int, int], ...] = ()
    """Cauldrons that were used: weapon, and first turn in which it may be used again."""
    spells: tuple[int, ...] = ()
    """Spells left, by their number on the D6, sorted."""
    haste: int = 0
    abilities: tuple[str, ...] = ()

    @property
    def place(self) -> Place:
        """Where it is, or lies."""
        return self.q, self.r


class Wreck(NamedTuple):
    """Where a jug fell."""

    slot: int
    place: Place


class Scene(NamedTuple):
    """The whole battle at one moment."""

    turn: int
    jugs: tuple[Standing, ...]
    walls: tuple[int | None, ...]
    """Hits of each stone wall; None as long as no event has told them, 0 or less for rubble."""
    wrecks: tuple[Wreck, ...] = ()
    ball: Place | None = None
    """Where the ball lies; None where there is none (J-BALL-8)."""
    holder: int = NOBODY
    """Slot of the jug that holds the ball."""
    score: tuple[int, int] = (0, 0)
    """Goals of each seat (J-BALL-16)."""


class Contact(NamedTuple):
    """The ram that was last: what is needed for the velocities after it."""

    rammer: int
    target: int
    velocity: int
    """The target's, before."""
    both: bool
    """Both rammed: head-on, and the target has a ram."""


def opening(cast: Cast) -> Scene:
    """Return the battle as it is set up."""
    jugs = tuple(
        Standing(
            side=jug.side,
            q=jug.start.q,
            r=jug.start.r,
            facing=jug.start.facing,
            velocity=jug.start.velocity,
            hits=jug.hits,
            spells=tuple(sorted(jug.spells)),
            abilities=tuple(jug.abilities),
        )
        for jug in cast.jugs
    )
    return Scene(0, jugs, (None,) * len(cast.walls))


def track(cast: Cast, rows: Any) -> list[Scene]:
    """Return the battle before the first event, and after each.

    Parameters
    ----------
    cast
        Who fights where.
    rows
        Events in their order; what ``game.trace`` returns first.

    Returns
    -------
    list of Scene
        ``len(rows) + 1`` of them; scenes share what does not change.
    """
    tracker = (cast.follower or Tracker)(cast)
    scenes = [tracker.scene]
    for row in happened(rows):
        tracker.follow(row)
        scenes.append(tracker.scene)
    return scenes


class Tracker:
    """Follows a battle event by event; ``scene`` is how it stands."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.scene = opening(cast)
        self.entered = [0] * len(cast.jugs)
        self.mover = NOBODY
        self.contact: Contact | None = None
        self.pulled: Happening | None = None
        self.thrown: list[Happening] = []
        """Ropes thrown at the present moment: they hold only if both jugs are still there when it is over."""
        self.steps: dict[int, Callable[[Happening], None]] = {
            What.TURN: self._turn,
            What.SEGMENT: self._move,
            What.MOVE: self._move,
            What.TURN_TO: lambda row: self._set(row.jug, facing=row.value),
            What.ENTER: self._enter,
            What.STOP: lambda row: self._set(row.jug, velocity=0),
            What.COLLIDE: self._collide,
            What.WALL_DOWN: lambda row: self._wall(row.extra, 0),
            What.WALL_HITS: lambda row: self._wall(row.extra, row.value),
            What.DECLARE: self._declare,
            What.REROLL: lambda row: self._spend(row.jug, Spell.FATE) if row.extra else None,
            What.BOARDERS_LOST: lambda row: self._add(row.jug, "spent", row.item),
            What.FIRE: self._fire,
            What.ROPE: self._rope,
            What.SHIELD: self._shield,
            What.BREAK: self._break,
            What.BALANCE: self._balance,
            What.GRAB: self._grab,
            **dict.fromkeys(
                (What.LET_GO, What.FREED), lambda row: self._drop(row.jug, "holds", Grip(row.item, row.foe))
            ),
            What.ROPE_ENDS: self._untie,
            What.HURT: lambda row: self._set(row.jug, hits=row.extra),
            What.OUT: self._out,
            What.NEW_SIDE: self._new_side,
            What.LOSE: self._lose,
            What.RAM: self._ram,
            What.RAM_BACK: self._ram_back,
            **dict.fromkeys((What.PUSH, What.BOUNCE, What.FOLLOW), lambda row: self._put(row.jug, row.extra)),
            What.MOVE_TO: lambda row: self._put(row.jug, row.value),
            What.DRIVE_THROUGH: lambda row: self._set(row.jug, velocity=row.value),
            What.BURN: self._burn,
            What.PUT_OUT: self._put_out,
            What.REPAIR: self._heal,
            What.CAST_RESTORE: self._heal,
            What.CAST_HASTE: self._haste,
            What.SPELL: self._spell,
            What.CAPTAIN: lambda row: self._set(row.jug, abilities=(captain_titles()[row.roll - 1],)),
        }

    def follow(self, row: Happening) -> None:
        """Take one more event in."""
        if row.what not in OF_A_RAM:
            self.contact = None
        if row.what == What.DECLARE:
            self.thrown = []
        step = self.steps.get(row.what)
        if step is not None:
            step(row)

    # Small changes

    def _jug(self, slot: int) -> Standing:
        return self.scene.jugs[slot]

    def _member(self, slot: int) -> Member:
        return self.cast.jugs[slot]

    def _set(self, slot: int, **changes: object) -> None:
        jugs = list(self.scene.jugs)
        jugs[slot] = jugs[slot]._replace(**changes)  # type: ignore[arg-type]
        self.scene = self.scene._replace(jugs=tuple(jugs))

    def _put(self, slot: int, packed: int) -> None:
        q, r = where(int(packed))
        self._set(slot, q=q, r=r)

    def _add(self, slot: int, name: str, thing: object) -> None:
        there = getattr(self._jug(slot), name)
        if thing not in there:
            self._set(slot, **{name: (*there, thing)})

    def _drop(self, slot: int, name: str, thing: object) -> None:
        self._set(slot, **{name: tuple(one for one in getattr(self._jug(slot), name) if one != thing)})

    def _spend(self, slot: int, spell: int) -> None:
        spells = list(self._jug(slot).spells)
        if spell in spells:
            spells.remove(spell)
            self._set(slot, spells=tuple(spells))

    def _wall(self, index: int, hits: int) -> None:
        walls = list(self.scene.walls)
        walls[index] = int(hits)
        self.scene = self.scene._replace(walls=tuple(walls))

    # Turns and moves

    def _turn(self, row: Happening) -> None:
        if self.scene.turn:
            for slot, jug in enumerate(self.scene.jugs):
                if jug.haste:
                    self._set(slot, haste=jug.haste - 1)
        self.entered = [0] * len(self.cast.jugs)
        self.scene = self.scene._replace(turn=row.value)

    def _move(self, row: Happening) -> None:
        self.mover = row.jug if row.what == What.MOVE else NOBODY
        if row.what == What.MOVE:
            self._set(row.jug, velocity=row.value)

    def _enter(self, row: Happening) -> None:
        self.entered[row.jug] += 1
        self._put(row.jug, row.value)
        self._set(row.jug, velocity=row.extra)

    def _collide(self, row: Happening) -> None:
        self._set(row.jug, velocity=0)
        if row.extra >= 0:
            hits = self.scene.walls[row.extra]
            self._wall(row.extra, (hits or 0) - row.value)

    # Contacts

    def _ram(self, row: Happening) -> None:
        target = self._jug(row.foe)
        self.contact = Contact(row.jug, row.foe, target.velocity, both=False)
        if row.extra == 2:
            self._set(row.jug, velocity=self.entered[row.jug])  # J-RAM-3
        else:
            self._set(row.jug, velocity=0)
            self._set(row.foe, velocity=0)

    def _ram_back(self, row: Happening) -> None:
        if self.contact is not None:
            self.contact = self.contact._replace(both=True)

    # Attacks

    def _declare(self, row: Happening) -> None:
        if row.item in (FIREBALL, BOLT):
            self._spend(row.jug, Spell.FIREBALL if row.item == FIREBALL else Spell.BOLT)
        weapon = self._member(row.jug).weapon(row.item)
        if weapon is not None and weapon.special == Special.CAULDRON:
            others = tuple(one for one in self._jug(row.jug).ready if one[0] != row.item)
            self._set(row.jug, ready=(*others, (row.item, self.scene.turn + self.cast.cauldron_every)))

    def _fire(self, row: Happening) -> None:
        if not row.extra:
            return
        there = self._jug(row.foe).fires
        if not self.cast.fires_stack:
            there = tuple(fire for fire in there if (fire.firer, fire.item) != (row.jug, row.item))
        self._set(row.foe, fires=(*there, Burning(row.jug, row.item, row.value, row.roll)))

    def _shield(self, row: Happening) -> None:
        """A shield against the ballista's hit voids its rope, too (J-WIZ-3)."""
        self._spend(row.jug, Spell.SHIELD)
        for rope in self.thrown:
            if (rope.jug, rope.foe, rope.item) == (row.foe, row.jug, row.item):
                self._untie(rope)
                weapon = self._member(rope.jug).weapon(rope.item)
                if rope.value == 2 and weapon is not None:
                    self._drop(rope.jug, "lost", weapon.winch)

    def _untie(self, rope: Happening) -> None:
        self._drop(rope.jug, "ropes", Grip(rope.item, rope.foe))

    def _rope(self, row: Happening) -> None:
        grip = Grip(row.item, row.foe)
        if not row.extra:
            self.thrown.append(row)
        self.pulled = row if row.value == 0 else None
        if row.value == 1:
            self._add(row.jug, "ropes", grip)
        elif row.value == 2:
            self._drop(row.jug, "ropes", grip)
            weapon = self._member(row.jug).weapon(row.item)
            if weapon is not None and weapon.winch >= 0:
                self._add(row.jug, "lost", weapon.winch)

    def _balance(self, row: Happening) -> None:
        rope = self.pulled
        if row.value and rope is not None and (rope.jug, rope.foe, rope.item) == (row.foe, row.jug, row.item):
            self._add(rope.jug, "ropes", Grip(rope.item, rope.foe))

    def _break(self, row: Happening) -> None:
        for grip in self._jug(row.foe).holds if row.value else ():
            if grip.foe == row.jug and row.item in (NOBODY, grip.item):
                self._drop(row.foe, "holds", grip)

    def _grab(self, row: Happening) -> None:
        self._add(row.jug, "holds", Grip(row.item, row.foe))
        for slot, other in ((row.jug, row.foe), (row.foe, row.jug)):
            bigger = self._member(slot).size > self._member(other).size
            drags = slot == self.mover and bigger and not self.cast.grab_stops
            self._set(slot, velocity=min(self._jug(slot).velocity, self.cast.drag_top_velocity) if drags else 0)

    # Harm

    def _out(self, row: Happening) -> None:
        self._set(row.jug, fate=row.value)
        for rope in self.thrown:
            if row.jug in (rope.jug, rope.foe):
                self._untie(rope)
        if row.value == Cause.CAPTURED:
            return
        self._set(row.jug, velocity=0, fires=(), haste=0)
        self._put(row.jug, row.extra)
        if row.value != Cause.EXIT:
            self.scene = self.scene._replace(wrecks=(*self.scene.wrecks, Wreck(row.jug, where(row.extra))))
        contact = self.contact
        if contact and contact.both and row.jug == contact.rammer and not self._jug(contact.target).fate:
            self._set(contact.target, velocity=max(0, contact.velocity - self.cast.drive_through_loss))  # J-RAM-10

    def _new_side(self, row: Happening) -> None:
        """Captain and wizards die with a capture, the rest stays (J-WPN-16)."""
        self._set(row.jug, side=row.value, fate=0, spells=(), abilities=())
        for i, piece in enumerate(self._member(row.jug).pieces):
            if piece.kind == PieceKind.WIZARD:
                self._add(row.jug, "lost", i)

    def _lose(self, row: Happening) -> None:
        self._add(row.jug, "lost", row.item)
        left = set(range(len(self._member(row.jug).pieces))) - set(self._jug(row.jug).lost)
        if row.value == PieceKind.WIZARD and not any(
            self._member(row.jug).pieces[piece].kind == PieceKind.WIZARD for piece in left
        ):
            self._set(row.jug, spells=())

    # Fires, repairs, spells

    def _burn(self, row: Happening) -> None:
        fires = list(self._jug(row.jug).fires)
        mine = [i for i, fire in enumerate(fires) if (fire.firer, fire.item) == (row.foe, row.item)]
        if not mine:
            return
        which = next((i for i in mine if fires[i].left == row.extra + 1), mine[0])
        fires[which] = fires[which]._replace(left=row.extra)
        self._set(row.jug, fires=tuple(fire for fire in fires if fire.left > 0))

    def _put_out(self, row: Happening) -> None:
        fires = list(self._jug(row.jug).fires)
        mine = [fire for fire in fires if row.value and (fire.firer, fire.item) == (row.foe, row.item)]
        if mine:  # of several, where fires stack, that with most damage left (J-CAP-4)
            fires.remove(max(mine, key=lambda fire: fire.points * fire.left))
            self._set(row.jug, fires=tuple(fires))

    def _heal(self, row: Happening) -> None:
        if row.what == What.CAST_RESTORE:
            self._spend(row.jug, Spell.RESTORATION)
        self._set(row.jug, hits=self._jug(row.jug).hits + row.value)

    def _haste(self, row: Happening) -> None:
        self._spend(row.jug, Spell.HASTE)
        self._set(row.jug, haste=max(self._jug(row.jug).haste, row.roll))

    def _spell(self, row: Happening) -> None:
        self._set(row.jug, spells=tuple(sorted((*self._jug(row.jug).spells, row.roll))))
