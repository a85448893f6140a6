"""A policy whose decisions are read from the events of a kernel, each checked to be legal."""

from typing import TYPE_CHECKING, NoReturn

from tests.naive.jugger import tables as t
from tests.naive.jugger.board import Hex, pack
from tests.naive.jugger.design import Jug
from tests.naive.jugger.policies import Hold

if TYPE_CHECKING:
    from tests.naive.jugger.battle import Battle

Event = tuple[int, int, int, int, int, int, int, int]


class IllegalDecisionError(AssertionError):
    """The trace shows a decision that the rules forbid."""


class TraceDivergedError(AssertionError):
    """The twin derives another event than the trace shows."""

    def __init__(self, index: int, derived: Event | None, told: Event | None) -> None:
        self.index, self.derived, self.told = index, derived, told
        shown = ["nothing" if event is None else f"{t.NAMES[event[0]]}{event[1:]}" for event in (derived, told)]
        super().__init__(f"event {index}: the twin derives {shown[0]}, the trace shows {shown[1]}")


class Follow(Hold):
    """Do what the trace shows."""

    steps: tuple[int, ...] = (t.ENTER, t.COLLIDE, t.RAM, t.STOP, t.EXIT)
    """What a jug's own step forward can begin with."""

    def __init__(self, battle: "Battle") -> None:
        super().__init__(battle)

    def refuse(self, why: str) -> NoReturn:
        """Refuse the next event of the trace."""
        told = self.battle.next_told()
        shown = "the end" if told is None else f"{t.NAMES[told[0]]}{told[1:]}"
        raise IllegalDecisionError(f"event {len(self.battle.events)}, {shown}: {why}")

    def told(self, what: int, jug: Jug, foe: Jug | None = None, item: int | None = None) -> Event | None:
        """Return the next event of the trace if it is this one of this jug."""
        event = self.battle.next_told()
        if event is None or event[0] != what or event[2] != jug.slot:
            return None
        if (foe is not None and event[3] != foe.slot) or (item is not None and event[4] != item):
            return None
        return event

    def let_go(self, jug: Jug, item: int) -> bool:
        """See LET_GO."""
        return self.told(t.LET_GO, jug, jug.holds[item].target, item) is not None

    def haste(self, jug: Jug) -> bool:
        """See CAST_HASTE."""
        return self.told(t.CAST_HASTE, jug) is not None

    def restore(self, jug: Jug) -> bool:
        """See CAST_RESTORE."""
        return self.told(t.CAST_RESTORE, jug) is not None

    def velocity(self, jug: Jug, low: int, high: int) -> int:
        """See MOVE."""
        event = self.told(t.MOVE, jug)
        if event is None:
            self.refuse(f"the move of jug {jug.slot} is due, which may take a velocity of {low} to {high}")
        if not low <= event[6] <= high:
            self.refuse(f"jug {jug.slot} may take a velocity of {low} to {high} (J-ACC-2, J-ACC-5, J-WPN-13)")
        return event[6]

    def action(self, jug: Jug, options: list[str]) -> str:
        """See what the jug does next."""
        event = self.battle.next_told()
        action = "stop" if "stop" in options else "F"
        if event is not None and event[0] == t.TURN_TO and event[2] == jug.slot:
            action = "R" if event[5] > 0 else "L"
        elif event is not None and (
            (event[0] in self.steps and event[2] == jug.slot)
            or (event[0] == t.DODGE and event[3] == jug.slot and event[4] == -1)
            or event[0] == t.MOVE_TO
        ):
            action = "F"
        if action not in options:
            self.refuse(
                f"jug {jug.slot} has moved {jug.moved} of {jug.velocity} hexes and turned {jug.turned} times; "
                f"allowed: {options} (J-ACC-1, J-ACC-3, J-WPN-13)"
            )
        return action

    def target(self, jug: Jug, item: int, targets: list[Jug]) -> Jug | None:
        """See DECLARE."""
        event = self.told(t.DECLARE, jug, item=item)
        if event is None:
            return None
        if event[3] not in [target.slot for target in targets]:
            self.refuse(f"item {item} of jug {jug.slot} bears on {[target.slot for target in targets]} only (J-ATK-3)")
        return self.battle.jugs[event[3]]

    def spikes(self, jug: Jug, item: int) -> bool:
        """See DECLARE."""
        return self.told(t.DECLARE, jug, item=item) is not None

    def spell(self, jug: Jug, options: list[tuple[int, Jug]]) -> tuple[int, Jug] | None:
        """See DECLARE."""
        event = self.told(t.DECLARE, jug)
        if event is None or event[4] not in (t.FIREBALL, t.BOLT):
            return None
        if (event[4], event[3]) not in [(item, target.slot) for item, target in options]:
            self.refuse(f"jug {jug.slot} has the choice of {[(item, foe.slot) for item, foe in options]} (J-WIZ-2)")
        return event[4], self.battle.jugs[event[3]]

    def reroll(self, jug: Jug, foe: Jug, item: int, ways: list[int]) -> int | None:
        """See REROLL."""
        event = self.told(t.REROLL, jug)
        if event is None:
            return None
        if event[7] not in ways:
            self.refuse(f"jug {jug.slot} has luck (0) or fate (1) left: {ways} (J-CAP-6)")
        return event[7]

    def shield(self, jug: Jug, foe: Jug, item: int) -> bool:
        """See SHIELD."""
        return self.told(t.SHIELD, jug, foe, item) is not None

    def evade(self, jug: Jug, places: list[Hex]) -> Hex:
        """See MOVE_TO."""
        event = self.told(t.MOVE_TO, jug)
        packed = [pack(place) for place in places]
        if event is None or event[6] not in packed:
            self.refuse(f"jug {jug.slot} may dodge to {packed} only (J-CAP-3)")
        return places[packed.index(event[6])]

    def lose(self, jug: Jug, pieces: list[int], *, attacker: bool) -> int:
        """See LOSE."""
        event = self.told(t.LOSE, jug)
        if event is None or event[4] not in pieces:
            self.refuse(f"jug {jug.slot} has to lose one of the pieces {pieces} (J-DMG-2, J-DMG-7)")
        return event[4]
