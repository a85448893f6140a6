"""What is done after a goal: one jug a side replaced, all back on their X's, the ball at its start (J-BALL-21)."""

from typing import TYPE_CHECKING

from tests.naive.jugger.board import pack
from tests.naive.jugger.design import Design, Jug, Piece
from tests.naive.juggerball import tables as b
from tests.naive.juggerball.teams import design_of, random_items

if TYPE_CHECKING:
    from tests.naive.juggerball.match import Match


def restart(match: "Match") -> None:
    """Replace, line up, put down the ball."""
    rules = match.rules
    for side in (0, 1):
        jug = worst(match, side)
        if jug is not None and (rules.replace == "both" or (rules.replace == "conceder" and side == match.conceder)):
            replace(match, jug)
    if rules.line_up == "policy":
        match.roll_deployment()
    match.board.wrecks.clear()
    for jug in match.jugs:
        jug.holds.clear()
        jug.ropes.clear()
        jug.velocity = 0
        if jug.in_play:
            q, r, jug.facing, _ = match.start_of(jug)
            jug.place = (q, r)
            match.write(b.LINE_UP, jug, value=pack(jug.place))
    match.put_ball(b.AT_LINE_UP)
    match.still = {jug.slot for jug in match.jugs}


def worst(match: "Match", side: int) -> Jug | None:
    """Return the jug that is replaced by default: the first destroyed one, else the most damaged one."""
    team = [jug for jug in match.jugs if jug.seat // 12 == side]
    destroyed = [jug for jug in team if not jug.in_play]
    if destroyed:
        return destroyed[0]
    lost = {jug.slot: sum(not piece.alive for piece in jug.pieces) for jug in team}
    damaged = [jug for jug in team if jug.hits < jug.full or lost[jug.slot]]
    return max(damaged, key=lambda jug: (jug.full - jug.hits, lost[jug.slot], -jug.slot), default=None)


def replace(match: "Match", jug: Jug) -> None:
    """Put an undamaged copy, or a new random jug, in the place of a jug."""
    side = jug.seat // 12
    match.replaced[side] += 1
    match.write(b.REPLACE, jug)
    design = Design(jug.sc, tuple((piece.kind, piece.size) for piece in jug.pieces))
    if match.rules.fresh == "rolled":
        throw = match.thrower(match.dice, match.turn, jug.seat)
        items, results = random_items(throw, match.rules, match.certain[jug.slot])
        for result in results:
            match.write(b.ITEM, jug, **result._asdict())
        design = design_of(items)
    jug.pieces = [Piece(kind, size) for kind, size in design.items]
    jug.full = design.hits(match.rules)
    jug.side, jug.in_play, jug.taken = side, True, 0
    jug.fires, jug.lost_boarders, jug.ready = [], set(), {}
    jug.__post_init__()
