"""A match rebuilt from its events: where the ball is, and who is put where after a goal."""

from collections.abc import Callable, Mapping

from simkit.games.jugger.cast import Cast
from simkit.games.jugger.happenings import Happening, where
from simkit.games.jugger.maps import Place
from simkit.games.jugger.track import NOBODY, Tracker
from simkit.games.juggerball.happenings import What

PLACING = (int(What.LINE_UP), int(What.REMOVED), int(What.BALL))
"""Events that put a jug or the ball elsewhere, and not by a way."""

TOUCHING = (int(What.HIT), int(What.KICK), int(What.ROLL), int(What.HEAD_ON), int(What.HOLD_BALL))
"""Events in which a jug touches the ball."""

STEPPING = (int(What.BALL_STEP), int(What.BALL_AHEAD), int(What.SWING), int(What.BALL_BOUNCE))
"""Events of the ball that are steps of their own for whoever watches."""


class Follower(Tracker):
    """Follows a match event by event; ``scene`` is how it stands, `ball` where the ball lies at the kick-off."""

    def __init__(self, cast: Cast, ball: Place | None = None) -> None:
        super().__init__(cast)
        self.scene = self.scene._replace(ball=ball)
        more: Mapping[int, Callable[[Happening], None]] = {
            What.BALL: lambda row: self._lay(row.value),
            What.HOLD_BALL: self._hold,
            What.BALL_AHEAD: lambda row: self._lay(row.value, row.jug),
            What.SWING: lambda row: self._lay(row.value, row.jug),
            What.BALL_STEP: lambda row: self._lay(row.value),
            What.HIT: self._free,
            What.KICK: self._free,
            What.ROLL: self._free,
            What.HEAD_ON: self._free,
            What.BALL_BOUNCE: self._free,
            What.PART: self._free,
            What.GOAL: self._score,
            What.REPLACE: self._replace,
            What.LINE_UP: self._line_up,
            What.REMOVED: self._line_up,
        }
        self.steps.update(more)

    def _lay(self, packed: int, holder: int = NOBODY) -> None:
        self.scene = self.scene._replace(ball=where(int(packed)), holder=holder)

    def _hold(self, row: Happening) -> None:
        self._lay(row.value, row.jug)

    def _free(self, row: Happening) -> None:
        self.scene = self.scene._replace(holder=NOBODY)

    def _score(self, row: Happening) -> None:
        west, east = self.scene.score
        score = (west + 1, east) if row.foe == 0 else (west, east + 1)
        self.scene = self.scene._replace(ball=None, holder=NOBODY, score=score)

    def _replace(self, row: Happening) -> None:
        """Put a fresh jug in the place of another (J-BALL-21)."""
        fresh = self.cast.jugs[row.jug]
        self._set(
            row.jug, side=fresh.side, hits=fresh.hits, fate=0, lost=(), fires=(), spent=(), ready=(), spells=(), haste=0
        )

    def _line_up(self, row: Happening) -> None:
        """Put a jug on its place, facing the other goal; after a goal wrecks go and holds end (J-BALL-21)."""
        self._put(row.jug, row.value)
        self._set(row.jug, velocity=0, facing=self.cast.jugs[row.jug].start.facing)
        if row.what == What.LINE_UP:
            self._set(row.jug, holds=(), ropes=())
            self.scene = self.scene._replace(wrecks=())
