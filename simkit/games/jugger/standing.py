"""A jug that stands still in a duel: what it is, what of it bears on the enemy, and what it has left.

What is left of a jug is kept as small as the rules allow: pieces that no rule can tell apart are lost in a fixed order.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from simkit.games.jugger.aboard import refresh
from simkit.games.jugger.battle import set_up
from simkit.games.jugger.chances import Chances, Gun
from simkit.games.jugger.designs import Design
from simkit.games.jugger.happenings import KICK
from simkit.games.jugger.moment import is_beside
from simkit.games.jugger.policy import bears, choose_piece, worth_of_piece
from simkit.games.jugger.records import Ability, Setup, Special, State

STILL = (Special.NONE, Special.SPIKES, Special.SCYTHE, Special.TOPPLE, Special.CREW, Special.BOARDERS)
"""Specials of weapons that remember nothing from turn to turn, as long as they work."""

MISSILE, CLOSE = 1, 2
"""Bits of ``Arms.helped``."""


class Blaze(NamedTuple):
    """Continuing damage on the enemy."""

    item: int
    points: int
    left: int


class Arms(NamedTuple):
    """What a jug has left to fight with; numbers are bits by weapon, ``lost`` by piece."""

    lost: int = 0
    spent: int = 0
    """Boarders lost."""
    holding: int = 0
    roped: int = 0
    fresh: int = 0
    """Weapons that took hold or threw a rope this turn."""
    used: int = 0
    helped: int = 0
    """Whether the artillerist, the meleer have had their attack of this turn."""
    waits: tuple[int, ...] = ()
    """Turns until each cauldron is ready."""
    fires: tuple[Blaze, ...] = ()
    """Fires that it has lit, in the order in which they burn."""


class Stage:
    """The battle field with both jugs in their places: it answers what the kernels' procedures say of them."""

    def __init__(self, setup: Setup, swapped: bool) -> None:
        self.setup = setup
        self.state: Any = State.scratch()
        set_up(setup, self.state, swapped)
        self.slots = (1, 0) if swapped else (0, 1)

    def bears(self, side: int, gun: Gun) -> bool:
        """Tell whether an attack of a side's jug bears on the other (J-ATK-3, J-MAP-4)."""
        own, foe = self.slots[side], self.slots[1 - side]
        jug = self.setup.jugs[side]
        if gun.item < KICK and jug.weapons[gun.item].special == Special.SPIKES:
            return bool(is_beside(self.state, own, foe))
        return bool(bears(self.setup, self.state, own, foe, gun.item))

    def left(self, side: int, lost: int, spent: int) -> int:
        """Take pieces away from a side's jug; return its slot."""
        slot = self.slots[side]
        self.state.jugs[slot].lost = lost
        self.state.jugs[slot].spent = spent
        refresh(self.setup, self.state, slot)
        return slot

    def worth(self, side: int, piece: int) -> int:
        """Return what a piece of an undamaged jug is worth (J-DMG-9)."""
        return int(worth_of_piece(self.setup, self.state, self.left(side, 0, 0), piece))

    def chosen(self, side: int, lost: int, spent: int, *, attacker: bool) -> int:
        """Return the piece that is given up next, or -1 (J-DMG-9)."""
        slot = self.left(side, lost, spent)
        chooses = self.slots[1 - side] if attacker else slot
        return int(choose_piece(self.setup, self.state, slot, self.state.jugs[chooses].side, attacker))


class Standing:
    """One jug of a duel in its place.

    Parameters
    ----------
    stage
        The field.
    side
        0 or 1: a or b of the scenario, which is its row of the setup.
    design
        What it is built as.
    chances
        The rule set.
    captain
        Abilities of its captain, as bits.
    """

    def __init__(self, stage: Stage, side: int, design: Design, chances: Chances, captain: int) -> None:
        self.stage, self.side, self.chances, self.captain = stage, side, chances, captain
        self.jug = stage.setup.jugs[side]
        self.hits, self.size = int(self.jug.hits), int(self.jug.size_class)
        self.guns = [gun for gun in chances.guns(design) if stage.bears(side, gun)]
        self.by_item = {gun.item: gun for gun in self.guns}
        self.cauldrons = [gun.item for gun in self.guns if gun.special == Special.CAULDRON]
        self._losses: dict[tuple[Arms, int], list[tuple[float, Arms]]] = {}
        self._chosen: dict[tuple[int, int, bool], int] = {}

    def has(self, ability: Ability) -> bool:
        """Tell whether its captain has an ability (J-CAP-1)."""
        return bool(self.captain >> ability & 1)

    @cached_property
    def fresh(self) -> Arms:
        """Everything that it begins with."""
        return self.tidied(Arms(waits=(0,) * len(self.cauldrons)))

    @cached_property
    def grabs(self) -> bool:
        """Whether anything aboard could take hold of the enemy."""
        return any(gun.special == Special.GRAB for gun in self.guns)

    @cached_property
    def ropes(self) -> bool:
        """Whether anything aboard could throw a rope."""
        return any(gun.winch >= 0 for gun in self.guns)

    @cached_property
    def all_lost(self) -> int:
        """Every piece, as bits."""
        return (1 << int(self.jug.piece_count)) - 1

    @cached_property
    def worths(self) -> list[int]:
        """What each piece is worth while nothing is lost."""
        return [self.stage.worth(self.side, piece) for piece in range(int(self.jug.piece_count))]

    # What is lost

    def losses(self, arms: Arms, rolls: int) -> list[tuple[float, Arms]]:
        """Return what so many critical rolls leave, with chances (J-DMG-2, J-DMG-9)."""
        if (arms, rolls) not in self._losses:
            found = {arms: Fraction(1)}
            attacker, defender = self.chances.critical
            for _ in range(rolls):
                after = dict[Arms, Fraction]()
                for left, chance in found.items():
                    for next, likely in (
                        (self.without(left, self.chosen(left, attacker=True)), attacker),
                        (self.without(left, self.chosen(left, attacker=False)), defender),
                        (left, 1 - attacker - defender),
                    ):
                        if likely:
                            after[next] = after.get(next, Fraction(0)) + chance * likely
                found = after
            self._losses[arms, rolls] = [(float(chance), left) for left, chance in found.items()]
        return self._losses[arms, rolls]

    def chosen(self, arms: Arms, *, attacker: bool) -> int:
        """Return the piece that is given up next, or -1 if none is left."""
        if arms.lost == self.all_lost:
            return -1
        key = arms.lost, arms.spent, attacker
        if key not in self._chosen:
            self._chosen[key] = self.stage.chosen(self.side, arms.lost, arms.spent, attacker=attacker)
        return self._chosen[key]

    def without(self, arms: Arms, piece: int) -> Arms:
        """Return what is left without a piece: a weapon's hold or rope ends with it, its fire burns on (J-DMG-3)."""
        if piece < 0:
            return arms
        gone = sum(1 << gun.item for gun in self.guns if piece == gun.piece)
        slack = gone | sum(1 << gun.item for gun in self.guns if piece == gun.winch)
        return self.tidied(
            arms._replace(
                lost=arms.lost | 1 << piece,
                holding=arms.holding & ~gone,
                roped=arms.roped & ~slack,
                fresh=arms.fresh & ~(slack & ~(arms.holding & ~gone)),
            )
        )

    # What no rule can tell apart

    def tidied(self, arms: Arms) -> Arms:
        """Return the first of all that is as good to every rule."""
        working = [gun for gun in self.guns if self.works(arms, gun)]
        if not working:
            return Arms(self.all_lost, waits=(0,) * len(self.cauldrons), fires=arms.fires)
        lost, spent = arms.lost, arms.spent
        for run in self.runs:
            pieces, items = [gun.piece for gun in run], [gun.item for gun in run]
            spent = _last_first(spent | sum(1 << gun.item for gun in run if lost >> gun.piece & 1), items)
            lost = _last_first(lost, pieces)
            if run[0].special != Special.BOARDERS:
                spent &= ~sum(1 << item for item in items)
        for gun in self.boarders:
            spent |= (lost >> gun.piece & 1) << gun.item
        arms = arms._replace(lost=lost, spent=spent)
        working = [gun for gun in self.guns if self.works(arms, gun)]
        useful = {gun.piece for gun in self.guns if not gun.is_weapon or not spent >> gun.item & 1}
        useful |= {gun.winch for gun in working if gun.winch >= 0}
        if all(self.worths[piece] > 0 for piece in useful if not lost >> piece & 1):
            lost = _last_first(lost, [piece for piece in range(len(self.worths)) if piece not in useful])
        return arms._replace(lost=lost)

    def works(self, arms: Arms, gun: Gun) -> bool:
        """Tell whether a weapon is still there, with boarders left to send (J-WPN-16)."""
        return not arms.lost >> gun.piece & 1 and not (gun.is_weapon and arms.spent >> gun.item & 1)

    @cached_property
    def boarders(self) -> list[Gun]:
        """The boarding parties."""
        return [gun for gun in self.guns if gun.special == Special.BOARDERS]

    @cached_property
    def runs(self) -> list[list[Gun]]:
        """Equal weapons that stand side by side among all that matters and remember nothing."""
        return list(self._runs())

    def _runs(self) -> Iterator[list[Gun]]:
        winches = {gun.winch: gun for gun in self.guns if gun.winch >= 0}
        by_piece = {gun.piece: gun for gun in self.guns}
        run: list[Gun] = []
        for piece in range(int(self.jug.piece_count)):
            gun = by_piece.get(piece)
            if gun is None and piece not in winches:
                continue
            plain = gun is not None and gun.is_weapon and gun.winch < 0 and gun.special in STILL
            if run and (gun is None or not plain or _kind(gun) != _kind(run[-1])):
                if len(run) > 1:
                    yield run
                run = []
            if gun is not None and plain:
                run.append(gun)
        if len(run) > 1:
            yield run


def _kind(gun: Gun) -> Gun:
    """Return what rules can tell of a weapon."""
    return gun._replace(item=0, piece=0)


def _last_first(lost: int, pieces: list[int]) -> int:
    """Return as many pieces lost, the last ones of these."""
    gone = sum(lost >> piece & 1 for piece in pieces)
    for k, piece in enumerate(reversed(pieces)):
        lost = lost | 1 << piece if k < gone else lost & ~(1 << piece)
    return lost
