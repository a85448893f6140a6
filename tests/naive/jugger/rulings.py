"""Where the rules of record leave two readings, or events could be written in another order: the reading taken."""

RULINGS: dict[str, str] = {
    # What the rules mean
    "T-1 J-END-1": "Whether the battle is over is asked once in the end phase, in part 5: a jug toppled by its rope in "
    "part 1 and one burnt in part 3 are both out, a draw if they were the last.",
    "T-2 J-DMG-9": "Wheel spikes are worth their expected hits on all enemies that they bear on, added up.",
    "T-3 J-DMG-8": "In the end phase, too, the attacker is the side whose hold or fire did most: a jug captured by the "
    "side whose fire still burns on it has that side as its attacker. A fire belongs to the side that lit it, even if "
    "its firer is captured later.",
    "T-4 J-CAP-5": "`to_hit_max` limits what a bonus makes of a number, not a number that is higher by itself.",
    "T-5 J-RAM-10": "The drive-through's -1 stands for the wreckage only: a forest in that hex costs its own loss.",
    "T-6 J-RAM-4": "`reinforced_only`: damage goes both ways only if both have a ram; else it is as a side ram.",
    "T-7 J-RAM-9": "`side_kill_drives_through` is for side and rear rams and head-on ones treated as such: velocity at "
    "the contact less 1, then as J-RAM-10.",
    "T-8 J-RAM-6": "`push_collides`: (dice + the pushed jug's SC) x the hexes of the forced move not gone, dice of the "
    "purpose collision at the rammer's seat and contact number; done by the rammer, counted as ram damage; a third jug "
    "takes none.",
    "T-9 J-RAM-11": "A jug pushed over the rim (`exit`) has gone one hex more, and the rammer follows as many.",
    "T-10 J-MAP-2": "`wrap`: distances, arcs, holds and forced moves don't cross the rim. A dragged jug comes into the "
    "hex that its dragger left, and the hold ends. A hex that is not in the map is not free.",
    "T-11 J-MAP-4": "A line is blocked by a forest, house or standing wall strictly between the two hexes; at a step "
    "along a border only if both hexes block.",
    "T-12 J-WPN-13": "`grab_stops = false`: if the mover may drag the other (it alone, more SC), it goes on at a "
    "velocity of 2 at most, the other has 0; else, and if neither is moving, both stop.",
    "T-13 J-WPN-8": '`grab_damage = "attack"`: it is still no attack: no declaration, evasion, shield, damage control, '
    "and it can't be declined; it stands in the order of declarations and counts with the moment.",
    "T-14 J-WPN-9": "A shield against the ballista's hit voids its rope, too: not out, winch not lost. A lost winch or "
    "ballista ends the rope. A rope rolled in the moment in which one of the two goes out never gets out.",
    "T-15 J-WPN-16": "Ropes between jugs of one side end like holds. Haste that was cast stays on a captured jug. "
    "Criticals of a captured jug: the defender is its new side.",
    "T-16 J-WPN-16": "Who moves in a segment is fixed when it starts; a captured jug moves in the next segment of its "
    "new side, even if it has moved this turn. With initiative by jug it keeps its own segment, if still to come.",
    "T-17 J-WPN-4": "`cauldron_reroll`: the fire that damage control picks is judged by expected damage left.",
    "T-18 J-CAP-3": '`evasion = "declared"`: tried against the first attack rolled at the jug, before its roll to hit; '
    "a dodged attack is not rolled, so boarders are not lost.",
    "T-19 J-ATK-5": "`rounds`: declarations go round, before any die, until a whole round adds none.",
    "T-20 J-WIZ-4": "`haste_stacks`: every cast adds to the gain for its own number of turns.",
    "T-21 J-HLD-1": "Under hold a jug takes velocity 0 whatever it had, and has a move without hexes or turns.",
    "T-22 J-ARM-2": "Rout counts the SC that a side controls now, captured jugs included; both at once: a draw.",
    "T-23 J-ARM-4": "The cause is how the jug went that the loser lost last; of a draw: that anybody lost last.",
    "T-24 J-DEP-3": "`strategic_roll`: initiative is rolled in turn 1 as ever, but the higher deployer moves first.",
    "T-25 J-WPN-2": "A dragged jug in front that is pushed over the rim (`exit`) is out by the mover's side.",
    "T-26 J-DMG-7": "Deflector and catcher fill a space and are pieces.",
    "T-27 J-WPN-17": "A scythe under `more_dice` throws its one die, too.",
    "T-28 J-DMG-10": "A dragger that comes free in its move keeps its velocity and may turn again.",
    "T-29 J-RAM-1": "A ram that is dodged, or whose damage is 0 or stopped, is a contact like others; only dodged ones "
    "are not counted among the rams.",
    # How events are written
    "T-30 trace": "What an event does not speak of is -1 for jug, foe and item, 0 for roll, value and extra.",
    "T-31 trace": "TOPPLE, CUT, CREW, CAPTURE are written when the effect stands: after shield and balance. A rope's "
    "topple has a TOPPLE as well. A scythe's 6 has a DAMAGE of value 0 before its CUT.",
    "T-32 trace": "A fire or cauldron has a FIRE and no DAMAGE; with `cauldron_reroll` its value is the multiplier.",
    "T-33 trace": "HURT tells the hits left as they are, below 0 too. No HURT for damage 0.",
    "T-34 trace": "OUT names the side with most damage of the moment, for an own collision the enemy side, for an own "
    "exit -1. After OUT(5) the holds that end, then NEW_SIDE. An exit has EXIT, then OUT(6).",
    "T-35 trace": "A snapped rope has no ROPE_ENDS and a lost winch no LOSE; BREAK and LET_GO have no FREED.",
    "T-36 trace": "LOSE: item = place in the list of all single items, armor included; value = place in KINDS.",
    "T-37 trace": "CRITICAL tells the side that would choose, even if no piece is left.",
    "T-38 trace": "A contact: DODGE, MOVE_TO, ENTER; or RAM, RAM_BACK, shield and control of the target, then of the "
    "rammer, HURT, OUT, then PUSH or BOUNCE, FOLLOW, DRIVE_THROUGH, ENTER, then holds that part, then CRITICAL.",
    "T-39 trace": "RAM's extra is the arc of contact also for a head-on ram that counts as a side ram. PUSH is written "
    "if a push is due, with 0 hexes too; FOLLOW if the rammer moves. DRIVE_THROUGH also for a target that survives.",
    "T-40 trace": "COLLIDE, WALL_DOWN, HURT; extra -3 is a third jug. A dragger that pushes: MOVE_TO, ENTER; one that "
    "pulls: ENTER, MOVE_TO. Holds and ropes part after each change of place.",
    "T-41 trace": "Holds and ropes that end together: by the slot of the holder, then by item, ropes among holds.",
    "T-42 dice": "The n-th spell that a jug casts in a turn, counted from 0, has i = item + 64 n.",
}
