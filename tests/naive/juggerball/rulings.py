"""Where the rules of the ball leave two readings, or events could be written in another order: the reading taken."""

RULINGS: dict[str, str] = {
    # What the rules mean
    "B-1 J-BALL-13": "The holder is looked at once an event is over: a chosen velocity, a step with its contact and "
    "its criticals, an attack moment, the end phase, each after the question whether the match is over. A velocity "
    "lower than at the last look lets the ball roll, wherever force has put the holder; otherwise a holder that is "
    "out, or that the ball is no longer in front of, just loses it.",
    "B-2 J-BALL-8": "A ball that rolls at the start of a segment, in nobody's move, rolls with the dice of its holder.",
    "B-3 J-BALL-13": "A held ball is no ball to push: a jug that was still hits it, too. `steal = true` lets it be "
    "pushed and taken like a free one, but head-on goes before.",
    "B-4 J-BALL-15": "Head-on goes before every other contact with the ball, for legs and for jugs that were still, "
    "too. The pusher is who holds the ball, the mover is the last toucher, and it cannot catch that ball.",
    "B-5 J-BALL-9": "A ball that is in the hex ahead after its flight stops the jug, whoever holds it then: also the "
    "jug itself by `caught_by`, whose velocity has then fallen, so that the ball rolls.",
    "B-6 J-BALL-10": "The 64th bounce is rolled, and the ball lies where it is then.",
    "B-7 J-BALL-17": '`catch = "hits"` asks only the jug that the ball would bounce off, if it lies in its facing hex.',
    "B-8 J-BALL-14": '`deflector = "both"`: the owner chooses left or right, it counts as a bounce, and it may be the'
    " one that set the ball off. A catch goes before.",
    "B-9 J-BALL-16": 'A jug that stands in a goal (`goal_hex = "open"`) is an object before the goal is one.',
    "B-10 J-BALL-8": "`forced_hits_ball`: only pushes and bounces; nobody dodges or is dragged into the ball's hex. "
    "What is pushed is the last toucher. The contact is played to its end even if a goal decides the match. The ball "
    "itself does no damage to a jug that is pushed at it, `push_collides` or not.",
    "B-11 J-BALL-9": '`ball_blocks = "collision"`: as with an obstacle.',
    "B-12 J-BALL-23": "Before each move the order is measured among the jugs that have not moved in the segment and "
    "that can move now.",
    "B-13 J-HLD-1": "`hold` takes velocity 0 near its own goal, too.",
    "B-14 J-BALL-19": "`end_of_move`: a path minds neither ball nor terrain; it goes all hexes of its velocity, or "
    "ends before the first hex that is not free. If no path ends far enough, all is allowed that is allowed elsewhere; "
    "so it is after each action that has closed the last path.",
    "B-15 J-BALL-18": "A ball on its start hex is not stuck; every run, push, swing or hold is a move, even if the "
    "ball ends where it was.",
    "B-16 J-BALL-21": "Damaged = hits missing or a piece lost; more lost pieces go first. Holds end at the line-up; "
    "fires burn on, but not on a fresh jug.",
    "B-17 J-BALL-13": "`catcher_brakes_with_ball` is for chosen velocities and living catchers.",
    "B-18 J-BALL-11": "With six headings the coin of a right angle says 60 or 120 degrees to its hand.",
    "B-19 J-BALL-22": "`one_of_three`: one of legs, deflector and catcher. `nothing`: that space stays empty.",
    "B-20 J-BALL-19": "A removed jug faces the other goal.",
    "B-21 J-BALL-21": "A fresh jug, copied or rolled, has the captain of the one that it replaces, if there was one.",
    # How events are written
    "B-22 trace": "A step into a goal is a BALL_STEP, BALL_AHEAD or SWING to its hex, then GOAL.",
    "B-23 trace": "PART is written only if the ball stays where it is.",
    "B-24 trace": "HIT, KICK and BALL_BOUNCE carry the heading before the coin of six headings; SPINE tells the side.",
    "B-25 trace": "With mirrored teams only the first list has ITEM events.",
}
