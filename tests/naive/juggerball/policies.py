"""What the policies of the battle twin decide about the ball: `hold`, `random`, and one that follows a trace."""

from typing import TYPE_CHECKING

from tests.naive.jugger.design import Jug
from tests.naive.jugger.follow import Follow
from tests.naive.jugger.policies import Hold, Random
from tests.naive.juggerball import tables as b
from tests.naive.juggerball.pushes import ANGLES
from tests.naive.juggerball.zones import legal_velocities

if TYPE_CHECKING:
    from tests.naive.juggerball.match import Match


class BallHold(Hold):
    """Never moves; catches what an enemy touched last."""

    battle: "Match"

    def contact(self, jug: Jug, options: list[str]) -> str:
        """Return what to do to the ball ahead."""
        return options[0]

    def catch(self, jug: Jug) -> bool:
        """Whether to catch the ball that runs into the hex ahead."""
        last = self.battle.last
        return last is not None and last.side != jug.side

    def deflect(self, jug: Jug) -> int:
        """Return -1 or +1: to which side a ball leaves that hits the front arc."""
        return -1

    def next_jug(self, jugs: list[Jug]) -> Jug | None:
        """Return which jug moves next where the policy is asked, or None for the usual order."""
        return None


class BallRandom(BallHold, Random):
    """Every choice is uniform among what is legal."""

    def velocity(self, jug: Jug, low: int, high: int) -> int:
        """Any legal velocity (J-BALL-19)."""
        options = legal_velocities(self.battle, jug, low, high)
        return options[self.battle.choose(jug, len(options))]

    def contact(self, jug: Jug, options: list[str]) -> str:
        """Any of the options."""
        return options[self.battle.choose(jug, len(options))]

    def catch(self, jug: Jug) -> bool:
        """Catch it, or let it pass."""
        return self.battle.choose(jug, 2) == 0

    def deflect(self, jug: Jug) -> int:
        """Left or right."""
        return (-1, 1)[self.battle.choose(jug, 2)]

    def next_jug(self, jugs: list[Jug]) -> Jug | None:
        """Any jug that is still to move."""
        return jugs[self.battle.choose(jugs[0], len(jugs))]


class BallFollow(BallHold, Follow):
    """Do what the trace shows."""

    steps = (*Follow.steps, b.HIT, b.KICK_BALL, b.HOLD_BALL, b.BALL_AHEAD, b.HEAD_ON, b.BALL_BOUNCE)

    def velocity(self, jug: Jug, low: int, high: int) -> int:
        """See MOVE (J-BALL-19)."""
        chosen = Follow.velocity(self, jug, low, high)
        options = legal_velocities(self.battle, jug, low, high)
        if chosen not in options:
            self.refuse(f"jug {jug.slot} may take a velocity of {options} (J-BALL-19)")
        return chosen

    def action(self, jug: Jug, options: list[str]) -> str:
        """See what the jug does next; it may kick the ball that it holds."""
        angle = self.angle_of(b.KICK_BALL, jug) if self.battle.holder is jug else None
        if angle is None:
            return Follow.action(self, jug, options)
        if f"kick{angle}" not in options:
            self.refuse(f"jug {jug.slot} may not kick the ball now; allowed: {options} (J-BALL-14)")
        return f"kick{angle}"

    def angle_of(self, what: int, jug: Jug) -> str | None:
        """Return the angle of a hit or kick of a jug, if that comes next."""
        event = self.told(what, jug)
        if event is None:
            return None
        angles = {(2 * jug.facing + more) % 12: angle for angle, more in ANGLES.items()}
        if event[6] not in angles:
            self.refuse(f"jug {jug.slot} faces {jug.facing}: straight or 30 degrees aside (J-BALL-14)")
        return angles[event[6]]

    def contact(self, jug: Jug, options: list[str]) -> str:
        """See HIT, KICK, HOLD_BALL."""
        option = ""
        for word, what in (("hit", b.HIT), ("kick", b.KICK_BALL)):
            angle = self.angle_of(what, jug)
            option = option if angle is None else f"{word}{angle}"
        event = self.told(b.HOLD_BALL, jug)
        if event is not None:
            option = {b.BY_PUSH: "push", b.BY_TAKE: "take"}.get(event[7], "")
        if option not in options:
            self.refuse(f"jug {jug.slot} steps at the ball; allowed: {options} (J-BALL-9, J-BALL-13, J-BALL-14)")
        return option

    def catch(self, jug: Jug) -> bool:
        """See HOLD_BALL."""
        event = self.told(b.HOLD_BALL, jug)
        return event is not None and event[7] == b.BY_CATCH

    def deflect(self, jug: Jug) -> int:
        """See BALL_BOUNCE."""
        event = self.battle.next_told()
        angles = [(2 * jug.facing + more) % 12 for more in (-1, 1)]
        if event is None or event[0] != b.BALL_BOUNCE or event[6] not in angles:
            self.refuse(f"the ball leaves the deflector of jug {jug.slot} by one of {angles} (J-BALL-14)")
        return (-1, 1)[angles.index(event[6])]
