"""Where the rules of the table leave two readings, or part from the source, and the reading taken."""

RULINGS: dict[str, str] = {
    # Geometry
    "T-1 P-TAB-2": "A ray is the same row of lattice points carried on: where exactly it ends off the table changes no"
    " point of it.",
    "T-2 P-TAB-5": "The first level lies in the outline of its hill, too. A point of an outline that is no true corner"
    " makes it not convex; corners may go round in either sense. An end of a line on another line touches it, a line "
    "that lies upon another for some length overlaps it.",
    "T-3 P-TAB-6": "A passable line without room on a leg has the place of a wall among the contacts at one index, a "
    "ramp that of a chasm. On the ray that says what a change of direction turns away from, lines keep their own "
    "places; on a runaway's ray only a ramp without room is something else, a chasm.",
    "T-4 P-TAB-6": "An area that begins and ends between p(j) and p(k) of a line that is crossed: both events happen "
    "at k, in the order of one index: it is left before it is entered, and a level descended before it is climbed.",
    "T-5 P-GAM-10": "With `uphill_reroll` or `bog_edge_reroll` he stands one point before the event, where he will "
    "meet it again; if that point is blocked by a line just crossed he stands at the event and doesn't meet it again.",
    "T-6 P-TAB-6": "What holds the first point of a leg he is in already; what he leaves there happens later.",
    # Turns
    "T-7 P-GAM-7": "`avoid_within` itself is within. A pig or an edge that is met at the same index as something else "
    "goes by the order of contacts: the pig first, the edge last.",
    "T-8 P-GAM-7": "A point equal to the one before it makes no leg and no change of direction.",
    "T-9 P-GAM-11": "After an 11-12 that has no next leg, or in a runaway, the new first direction is another one: leg"
    " = 0. The limit of legs is looked at before the roll to turn into a leg that is one too many.",
    "T-10 P-LIN-4": '`downhill_cross = "forbidden"`, 11-12: as on a course the same fence is met again, a collision '
    "without a try, and he does not plan anew.",
    "T-11 P-GAM-13": "Who is left where he is, as the pig is ahead, has run away all the same, and his turn is over.",
    "T-12 P-GAM-13": "Steered to a bog or a ramp: the roll is made. Into the bog he comes either way; areas between the"
    " near and the far side of the ramp are passed without a roll.",
    "T-13 P-GAM-13": "He may have come by a bog in which the descent was spent: P-CRS-3 goes on in a runaway as it is.",
    "T-14 P-TAB-7": "Arrived is who stops at the last point as he wished; a failed level, enter or leave at this very "
    'point is a failure. With `failed_stop = "stops"` the failed stop arrives.',
    "T-15 P-GAM-8": "A solid that he meets without changing direction collides at L > 0 also where a bog lies at his "
    "feet; only stops and bends are milder in a bog.",
    # Match
    "T-16 P-GAM-12": "Nobody left to steer (the last man in play): -1, and the rules of steering hold all the same.",
    "T-17 P-GAM-14": "Who is hurt by another leaves at once, before the mover's own collision roll, and a fresh man "
    "may come at once. Harm of a fresh man begins at nothing, rumps are the seat's.",
    "T-18 P-GAM-14": '`lost_turns = "one"`: one turn is lost however many wounds came before it.',
    "T-19 P-GAM-17": "Most rumps: of all sides, also of those that are out of play.",
    "T-20 P-GAM-16": "A lancer who is trampled is looked at like one hit by another lancer.",
    # Policies
    "T-21 P-GAM-20": "The rump of a score is the product of the route alone; what a runaway may score by luck is no "
    "reason to ride there, what it may suffer is counted as harm.",
    "T-22 P-GAM-22": "A fence after a descent is tried as long as 11-12s last: across s / (1 - (1 - s) 3/36), wounded "
    "(1 - s) w / (1 - (1 - s) 3/36), w being the chance of a wound on the collision table.",
    "T-23 P-GAM-19": "The corner is reached without any contact, a fence that could be crossed counted as one.",
    "T-24 P-GAM-20": "Who has no chance counts the candidates as places to go to also where `router_legs` is 1.",
    "T-25 P-GAM-23": "The first-player edge of teams: the share of wins of the side that moves first, less the equal "
    "share of a side; 1/N would show an edge where there is none.",
    "T-26 P-GAM-20": "The router looks at routes of two legs also where `max_legs` is 1, and meets the limit when it "
    "rides. A map, which says what can be had, knows the limit.",
}
