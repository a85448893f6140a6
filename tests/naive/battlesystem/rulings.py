"""Where the rules of record leave two readings, or the events could be written in another order: the reading taken."""

RULINGS: dict[str, str] = {
    # Ratings and damage
    "T-1 B-MEL-1": "The divisor of the expected table stays 90 when `crt_clamp_top` or `crt_zero_at` are changed. A "
    "pasted table is not known to the twin.",
    "T-2 B-CHG-2": "All damage parts of a rider (or of passengers, or of foot) with a doubling weapon are doubled, "
    "none of a mount or team; under averaged chariots nothing is.",
    "T-3 B-CHA-1": "HD of a chariot: the sum of the two means is rounded up, not each mean.",
    "T-4 B-LAN-18": "Missiles use the unit's AR and ratio and one part of damage; no charge, flank or rear counts "
    "for them. Crossbow ranges are 6/12/18 (nothing is known).",
    "T-5 presets": "Goblins, kobolds and halflings are small, ogres large, everybody else man-sized; archers have "
    "short bows, elves long ones; only men-at-arms have large shields; mounts have the AR of their hit dice.",
    # The lane and moving
    "T-6 B-LAN-9": "Under `multiply` the declarations and the road multiply, too: a front wall in woods has 1/2 x 2/3.",
    "T-7 B-LAN-9": "An allowance is rounded down to 1/36 inch under every rule; by default it always is whole.",
    "T-8 B-LAN-9": "What lies at the place where a front stops by its own will, without contact, is not paid yet. A "
    "front that can't pay for what lies at the place of contact stands there without contact, and pays next round.",
    "T-9 B-LAN-8": "What an obstacle or rise is to one who stands just there: passed if paid, else still before "
    "him. Whoever makes contact pays for an obstacle at that place even if the enemy has passed it.",
    "T-10 B-LAN-8": "Beyond the ends of the lane the ground goes on as it is inside, unless ground is listed there.",
    "T-11 B-LAN-10": "A swimmer in water pays MV/swim inches of its allowance for an inch; who has a swim rate or "
    "is exempt in water is aquatic. Distances in water are rounded down to 1/36 inch.",
    "T-12 B-LAN-10": "A move with the road's bonus is made only if it leads further than one without (or into "
    "contact where that one does not).",
    "T-13 B-LAN-11": "A closed unit whose start stands on woods, rough, swamp or water is open from the start, "
    "without an event. A ford does not open ranks.",
    "T-14 B-LAN-11": "Closing again is no choice: it comes with any order but a charge, under every policy. It does "
    "not go on while the unit waits in contact or shot in phase 3.",
    "T-15 B-LAN-17": "`walk_in = false`: an ordinary move stops as far before the enemy as a charge needs.",
    "T-16 B-LAN-16": "The grounds of both ends count for water and ford as for woods.",
    "T-17 B-LAN-14": "No policy turns; the cost of four sides is a function that no policy uses. Declarations to "
    "all sides are in force at the start only.",
    "T-18 B-LAN-6": "`turn_to_face`: in its own movement phase of a later round a unit in contact with one enemy "
    "only turns its front to it, at no cost. It has no event.",
    # Declarations
    "T-19 B-LAN-13": "A charge and re-forming don't lapse: they end with the round, without an event. A charge in "
    "force at the start counts only for units in contact then, and has no way left to break through.",
    "T-20 B-LAN-13": "A declaration in force at the start of a unit in contact lapses in its first movement phase, "
    "before the first melee: set spears still count (B-LAN-15), a wall does not.",
    "T-21 B-LAN-13": "`round_end`: while a declaration of the start is still in force no other can be made; a "
    "charge is not legal out of it. Walls lasting so slow the move, set spears don't.",
    "T-22 B-LAN-15": "Sides are judged once, at contact: who then stood to all sides is struck in front to the end. "
    "At a blow, who stands to all sides is struck in front.",
    "T-23 B-LAN-17": "`always`: set spears that were set at contact strike first in that round, and in later ones "
    "while they are set anew without a break. Both set: simultaneous.",
    "T-24 B-SET-2": '`set_first_strike = "never"`: chargers still lose their -2 and suffer double.',
    # Missiles
    "T-25 B-LAN-26": "Under every policy who has missiles shoots in phase 5 if it may.",
    "T-26 B-MIS-2": "Cover by an obstacle: one just at the target's front that it has not passed. Both covers add up.",
    "T-27 B-LAN-18": "Woods between two units that stand outside don't hinder. A wall counts if the scenario lets "
    "the shooter strike the front (or it is to all sides).",
    "T-28 B-LAN-26": "skirmish without a bow stays; in range it stays, too, if it can't shoot. wall_advance without "
    "a wall advances.",
    # Melee
    "T-29 B-LAN-5": "Cavalry and chariots have no overlaps, closed or not.",
    "T-30 B-LAN-6": "Struck on the flank or rear, a unit strikes with what it shows there. In contact with several, "
    "it fights each pair with all that it shows to that enemy.",
    "T-31 B-LAN-21": "A charger that set spears strike on a flank loses files of that flank, if it can't refill. "
    "With `between` it has the formation after its check.",
    "T-32 B-LAN-19": "Who was in contact from the start stands in no ditch; swamp and ford are judged at contact.",
    "T-33 B-CHG-1": "-2 and doubling are for the blows at the unit that was charged.",
    # Morale
    "T-34 B-LAN-23": "`each`: 25 %, 50 % and every figure after the one that reached 50 % ask for one each, until "
    "it routs.",
    "T-35 B-LAN-23": "Losses count from the last look at morale: with `between` and after breakthroughs a unit may "
    "check twice in a phase.",
    "T-36 B-LAN-24": "-2 for the rear: attacked there in this phase.",
    # Several units
    "T-37 B-LAN-27": "The way across slots is free. Of two slots equally near the lower one is met. An enemy whose "
    "front lies behind the own one is at distance 0 and met where the unit stands.",
    "T-38 B-LAN-27": "A unit of the own slot is met as the scenario says, in contact or not; one of another slot on "
    "its flank if it is in contact, else as the scenario says. The one who was met strikes back as the scenario "
    "says.",
    "T-39 B-LAN-27": "A reserve waits at its side's starting place. It comes up in its own movement phase after the "
    "units in slots if its slot is empty, then acts; or when an enemy meets it, which can be as soon as its slot is "
    "empty. It does not shoot while it waits. Start declarations are for units in slots.",
    "T-40 B-LAN-28": "Breakthroughs come twice: after the pairs for those whose target was destroyed, and after the "
    "checks for those whose target routed, with checks of whom these hurt. A unit breaks through once a round, and "
    "only if it is in contact with nobody else. All that holds for charges holds for it: doubling, set spears.",
    "T-41 B-LAN-28": "What is left: the fraction after all payments less what was spent; a ground kind paid for by "
    "the charge is not paid again. A road's bonus stays.",
    # Dice, events and columns
    "T-42 dice": "Attacks of a unit count on through all its pairs of the melee phase (i = 0..), and apart from it "
    "through its breakthrough exchanges, as attacker or as target (i = 256..).",
    "T-43 trace": "What an event does not speak of is -1. A contact in force at the start has no event.",
    "T-44 trace": "A move: PAY and OPEN (LAPSE after it) as they come, then one MOVE if it moved at all, then "
    "ADVANCE of a reserve met, CONTACT. DECLARE comes first, before it CHOOSE, before it LAPSE. Re-forming: DECLARE "
    "6, CLOSE.",
    "T-45 trace": "CHOOSE: 0 none, 1 wall, 3 set, 5 charge, 7 advance. Where the trace shows none the unit chose none.",
    "T-46 trace": "STRIKE and DAMAGE are written with 0, too; LOSE only if figures fall, at most those left; "
    "DESTROYED right after the LOSE of its unit. The wound of DAMAGE is what is left over, also of a unit destroyed "
    "by it.",
    "T-47 trace": "Breakthrough: BREAKTHROUGH, PAY.., MOVE, ADVANCE, CONTACT (1), the exchange.",
    "T-48 columns": "killed: hit dice of all DAMAGE events done, without a cap. missiles: volleys. charges: "
    "declared ones, without breakthroughs and those of the start. first_strikes: exchanges opened by own spears. "
    "dead, rout: units.",
}
