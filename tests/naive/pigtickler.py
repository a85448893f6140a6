"""A slow, plain twin of one Pig Tickler course (P-CRS-1..12), to be read next to the rules of record.

`Trial` holds the only turn logic. `play` drives it with thrown dice, `enumerate_exact` with every total that can fall.

Where the rules of record leave two readings, or part from the source, and the reading taken ("->") here:

 1. P-CRS-4 and the metric "reached" differ for a row whose end is no terrain ("fence, turn"; "up, stop"; "up, down").
    -> Reached = finished, or stopped with no task left. With a turn, `down` or `stop` still undone: not reached.
 2. P-CRS-4 with `uphill_reroll` or `bog_edge_reroll`: he is on the level (outside the bog) but must roll there again.
    -> Not reached: the task is undone, and he doesn't finish next turn without a roll.
 3. P-LIN-4 `downhill_cross = "forbidden"`, collision 11-12: P-CRS-7 "tries to cross again" is what is forbidden.
    -> The fence is met again: another collision without a try, as often as it takes (never crossed at L > 0).
 4. P-BOG-3 adds "the levels descended", P-CRS-3 adds leg (they differ after "down, turn, down"). -> Leg.
 5. P-BOG-4: does the descent spent in a bog still weigh on rolls outside? -> Yes, -L there (P-DN-1, P-CRS-3).
 6. P-CRS-5 after a wound: "when his next turn begins". -> The next turn that he really has, not the lost one.
 7. P-CRS-9 in the last turn: there is no next turn to lose. -> turns_used stays the limit.
 8. P-COL-3 with `wound_effect = "count"`. -> The wound still ends the present turn and loses no other.
 9. P-DN-3 "both roll". -> The other lancer rolls also if the rider's throw is 11-12 or wrecks him; the order is free.
10. P-CRS-8 with `hit_target` <= `hit_fumble`: one total can be both. -> It is both, a rump and a wound.
11. P-CRS-6 "+1 as in the table". -> In a runaway, too, `pig_bonus = "straight_leg"` asks for leg > 0.
12. P-CRS-6 bog ahead. -> P-CRS-3 with L, leg and spent as they are (d = 0 if a bog of this turn took the descent).
13. The source lets the neighbour ride him into the pig (hit at +1), P-DN-4 not. -> P-CRS-6: no roll under "worst".
14. The source and P-SPC-1 kill who cannot stop before a chasm; `failed_stop = "stops"` lets him stop. -> He lives.
15. The source names three purposes of a missed downhill roll, none is a new level. -> P-CRS table: the turn ends.
16. The source lets the turn go on after an 11-12, also with an opponent in control. -> P-CRS-6: the course is over.
17. P-CRS-10 gives a state that cannot be left infinite turns_used and says nothing of rolls. -> Infinite, too, as he
    throws every turn; stopped, with the harm that he has by then.
18. P-CRS-1 "each task asks for one roll, except ...". -> A fence is an exception under "forbidden" at L > 0.
19. P-CRS-9 `wreck_at` reached by a throw that also wounds, or in a runaway. -> Everything counts (P-CRS-11).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Mapping
from dataclasses import astuple, dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import inf
from typing import Any, NamedTuple

DEFAULTS: dict[str, Any] = {
    "altered_odds": False,
    "dice": "2d6",
    "unicycle_damage": False,
    "uphill_reroll": False,
    "bog_edge_reroll": False,
    "failed_stop": "opponent_control",
    "downhill_cross": "collision",
    "free_facing": True,
    "neighbour_policy": "worst",
    "wound_effect": "lose_next_turn",
    "damage_modifier": -1,
    "wreck_at": 3,
    "pig_bonus": "any_descent",
    "hit_target": 7,
    "hit_fumble": 3,
    "bogs": {
        "ford": 0, "shallow": -1, "grass": -1, "rocks": -1, "deep_sand": -2, "snow": -2, "dunes": -2, "swamp": -3,
    },
}  # fmt: skip
CHOICES = {
    "failed_stop": ("opponent_control", "runs_on", "stops"),
    "downhill_cross": ("collision", "d6", "forbidden"),
    "neighbour_policy": ("worst", "straight_on"),
    "wound_effect": ("lose_next_turn", "count"),
    "pig_bonus": ("any_descent", "straight_leg"),
}
# P-CRS-12: steps that take a number, steps that take a word (bogs aside), what may lie ahead.
COUNTS = ("up", "down", "turn")
WORDS: dict[str, tuple[Any, ...]] = {
    "avoid": ("obstacle", "lancer"), "beside": ("wall", "fence", "hedge"), "cross": ("fence", "hedge"),
    "ramp": (True,), "chasm": (True,), "stop": (True,), "pig": (True,),
}  # fmt: skip
AHEAD = ("edge", "obstacle", "lancer", "chasm", "pig")
METRICS = (
    "finished", "reached", "stopped", "runaway", "killed", "wrecked", "wounded", "damaged", "rump", "other_wounded",
    "other_damaged", "turns_used", "wounds", "damage", "rumps", "other_wounds", "other_damages", "rolls",
)  # fmt: skip

# What one task leaves behind it.
GOES_ON, TURN_OVER, COURSE_OVER = "goes on", "turn over", "course over"

Throws = Generator[str, int, Any]  # yields the purpose of a throw, is sent the total


class Task(NamedTuple):
    """A task of the row of P-CRS-1: its kind, a number of levels or a bog kind, and what lies straight ahead."""

    kind: str
    detail: Any
    ahead: str


def need(right: bool, message: str) -> None:
    """Refuse bad input with the message."""
    if not right:
        raise ValueError(message)


def rules_of(overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Lay the overrides over the defaults (bog modifiers one by one)."""
    unknown = sorted(set(overrides) - set(DEFAULTS))
    need(not unknown, f"unknown rule fields {unknown}; allowed: {sorted(DEFAULTS)}")
    rules = {**DEFAULTS, **overrides, "bogs": {**DEFAULTS["bogs"], **overrides.get("bogs", {})}}
    for field, allowed in CHOICES.items():
        need(rules[field] in allowed, f"{field} = {rules[field]!r}; allowed: {allowed}")
    return rules


def tasks_of(course: Mapping[str, Any], rules: Mapping[str, Any]) -> list[Task]:
    """Write the steps of a course as the single row of tasks of P-CRS-1, checked by P-CRS-12."""
    need(not set(course) - {"steps", "ahead", "turns"}, f"course fields {sorted(course)}; allowed: steps, ahead, turns")
    need(bool(course["steps"]), "steps = []; allowed: at least one step (P-CRS-12)")
    limit = course.get("turns", 1)
    need(limit is None or limit >= 1, f"turns = {limit!r}; allowed: 1 or more, or None for no limit (P-CRS-10)")
    bogs = tuple(rules["bogs"])
    allowed: dict[str, tuple[Any, ...]] = {**WORDS, "bog": bogs}
    tasks: list[Task] = []
    for step in course["steps"]:
        keys = [key for key in step if key not in ("ahead", "bends")]
        need(len(keys) == 1 and (keys[0] in allowed or keys[0] in COUNTS), f"step {step!r}; allowed: one of 11 keys")
        key, value, bends = keys[0], step[keys[0]], step.get("bends", 0)
        need("ahead" not in step or key in ("turn", "stop"), f"step {step!r}: ahead only beside turn and stop")
        need("bends" not in step or key == "bog", f"step {step!r}: bends only beside bog")
        need(type(bends) is int and bends >= 0, f"bends = {bends!r}; allowed: 0 or more")
        ahead = step.get("ahead", course.get("ahead", "edge"))  # P-CRS-6: the step's own, else the course's
        need(ahead in AHEAD + bogs, f"ahead = {ahead!r}; allowed: {AHEAD + bogs}")
        need((key, value) != ("cross", "wall"), "cross = 'wall': an impassable obstacle cannot be crossed (P-LIN-3)")
        if key in COUNTS:
            need(type(value) is int and value >= 1, f"{key} = {value!r}; allowed: 1 or more")
            kind = {"up": "level"}.get(key, key)
            tasks += [Task(kind, value, ahead)] if key == "down" else [Task(kind, None, ahead)] * value
            continue
        need(type(value) in (str, bool) and value in allowed[key], f"{key} = {value!r}; allowed: {allowed[key]}")
        if key == "bog":
            tasks += [Task(kind, value, ahead) for kind in ("enter", *["bend"] * bends, "leave")]
        else:
            tasks.append(Task({"avoid": value, "cross": "fence"}.get(key, key), None, ahead))
    return tasks


@dataclass
class Rider:
    """All that is known of the rider, save the number of his turn and of his throws (P-CRS-2)."""

    task: int = 0  # kept from turn to turn
    damage: int = 0
    wounds: int = 0
    rumps: int = 0
    other_wounds: int = 0
    other_damages: int = 0
    levels: int = 0  # within a turn: L, levels descended this turn
    leg: int = 0  # within a turn: levels descended on the present straight leg
    spent: bool = False  # within a turn: a bog roll has taken the downhill modifier
    excused: bool = False  # P-CRS-5: the failed change of direction is done when his next turn begins
    loses_a_turn: bool = False  # P-CRS-9
    finished: bool = False
    runaway: bool = False
    killed: bool = False
    wrecked: bool = False


class Trial:
    """One attempt at a course. `ride` yields the purpose of each throw and is sent the total that fell."""

    def __init__(self, course: Mapping[str, Any], rules: Mapping[str, Any]) -> None:
        self.rules = rules_of(rules)
        self.tasks = tasks_of(course, self.rules)
        self.limit: int | None = course.get("turns", 1)
        self.rider = Rider()
        self.turn = 1
        self.rolls = 0

    def ride(self) -> Throws:
        """Ride turn after turn until the course is over or the turns are used up."""
        r = self.rider
        while self.limit is None or self.turn <= self.limit:
            r.levels, r.leg, r.spent = 0, 0, False  # P-CRS-2
            if r.excused:
                r.excused, r.task = False, r.task + 1
            fate = GOES_ON
            while fate == GOES_ON and r.task < len(self.tasks):
                fate = yield from self.attempt(self.tasks[r.task])
            if r.damage >= self.rules["wreck_at"]:  # P-CRS-9
                r.wrecked, fate = True, COURSE_OVER
            ends_by_itself = self.tasks[-1].kind in ("stop", "pig")
            if r.task == len(self.tasks) and (fate == GOES_ON or (fate == TURN_OVER and ends_by_itself)):  # P-CRS-4
                r.finished, fate = True, COURSE_OVER
            if fate == COURSE_OVER:
                return
            self.turn += 2 if r.loses_a_turn else 1  # P-CRS-9: the lost turn counts as used
            r.loses_a_turn = False

    def throw(self, purpose: str) -> Throws:
        """Ask for dice; all but the other lancer's throw are the rider's own (P-CRS-11)."""
        total = yield purpose
        self.rolls += purpose != "other"
        return total

    def manoeuvre(self, modifier: int) -> Throws:
        """Roll 6+ (5+ under altered odds) after the modifier and the unicycle's damage (P-MAN-1, P-CRS-3, P-CRS-9)."""
        total = yield from self.throw("manoeuvre")
        damage = self.rules["damage_modifier"] * self.rider.damage
        return total + modifier + damage >= (5 if self.rules["altered_odds"] else 6)

    def bog_roll(self, kind: str) -> Throws:
        """Roll in a bog: the first one after a descent carries it, with plus if the line is straight (P-CRS-3)."""
        r = self.rider
        d = 0
        if r.levels > 0 and not r.spent:
            d = r.leg if r.leg > 0 else -r.levels
            r.spent = True
        return (yield from self.manoeuvre(self.rules["bogs"][kind] + d))

    def collision(self) -> Throws:
        """Roll on the collision table, unmodified; true if he regains control (P-COL-1..3, P-CRS-7)."""
        total = yield from self.throw("collision")
        wound, damage = self.harm(total)
        if wound:
            self.wound()
        self.rider.damage += damage
        return total >= 11

    def other_collision(self) -> Throws:
        """Roll for the lancer who was hit: only his harm is counted (P-DN-3)."""
        wound, damage = self.harm((yield from self.throw("other")))
        self.rider.other_wounds += wound
        self.rider.other_damages += damage

    def harm(self, total: int) -> tuple[bool, bool]:
        """Wound and unicycle damage by the collision table (P-COL-1, P-COL-2)."""
        if not self.rules["unicycle_damage"]:
            return total <= 7, False
        return total <= 6, total <= 3 or total == 7

    def wound(self) -> None:
        """Count a wound of the rider, which loses his next turn (P-CRS-9)."""
        self.rider.wounds += 1
        self.rider.loses_a_turn = self.rules["wound_effect"] == "lose_next_turn"

    def hit(self) -> Throws:
        """Roll for a hit on the pig, +1 after a descent before the table is read (P-DN-5, P-CRS-8)."""
        r = self.rider
        total = yield from self.throw("hit")
        total += (r.leg if self.rules["pig_bonus"] == "straight_leg" else r.levels) > 0
        r.rumps += total >= self.rules["hit_target"]
        if total <= self.rules["hit_fumble"]:
            self.wound()

    def run_away(self, ahead: str, *, to_contact: bool) -> Throws:
        """Somebody else steers him straight on, and the course is over (P-CRS-6)."""
        self.rider.runaway = True
        if ahead == "obstacle":
            yield from self.collision()
        elif ahead == "lancer":
            yield from self.other_collision()
            yield from self.collision()
        elif ahead == "chasm":
            self.rider.killed = True  # P-SPC-1
        elif ahead == "pig":
            if to_contact:
                yield from self.hit()
        elif ahead != "edge":
            yield from self.bog_roll(ahead)  # P-BOG-5
        return COURSE_OVER

    def kill(self) -> str:
        """He is dead, and the course is over (P-SPC-1, P-SPC-2)."""
        self.rider.killed = True
        return COURSE_OVER

    def miss_facing(self) -> str:
        """End the turn after a failed change of direction, done for nothing next turn if facing is free (P-CRS-5)."""
        self.rider.excused = self.rules["free_facing"]
        return TURN_OVER

    def attempt(self, task: Task) -> Throws:
        """Do one task: a row of the step table of P-CRS."""
        r, rules, kind = self.rider, self.rules, task.kind
        after_descent = r.levels > 0  # P-CRS-2

        if kind == "down":  # P-DN-1
            r.levels += task.detail
            r.leg += task.detail
            r.task += 1
            return GOES_ON

        if kind in ("enter", "bend", "leave"):  # P-BOG-1..5
            if (yield from self.bog_roll(task.detail)):
                r.task += 1
                if kind == "bend":
                    r.leg = 0
                return GOES_ON
            if kind == "bend":
                return self.miss_facing()  # the bog rule beats P-DN-4
            if not rules["bog_edge_reroll"]:
                r.task += 1  # P-BOG-2: he stands just past the edge
            return TURN_OVER

        if kind == "pig":  # P-DN-5: contact ends the turn, hit or not
            yield from self.hit()
            r.task += 1
            return TURN_OVER

        if kind == "stop" and not after_descent:  # P-MAN-4
            r.task += 1
            return TURN_OVER

        no_try = kind == "fence" and after_descent and rules["downhill_cross"] == "forbidden"  # P-LIN-4
        if not no_try and (yield from self.manoeuvre(-r.levels)):
            r.task += 1
            if kind not in ("fence", "ramp", "stop"):
                r.leg = 0  # P-CRS-2: a change of direction or a level climbed
            return TURN_OVER if kind == "stop" else GOES_ON

        # From here on the roll has failed.
        if kind == "level":  # P-UP-2, also after a descent
            if not rules["uphill_reroll"]:
                r.task += 1
            return TURN_OVER

        if kind == "ramp":  # P-SPC-2
            return self.kill()

        if kind == "fence":
            if after_descent and rules["downhill_cross"] != "d6":  # P-LIN-4
                whee = yield from self.collision()
                return GOES_ON if whee else TURN_OVER  # P-CRS-7: 11-12 = the same fence again at once
            if (yield from self.throw("fence")) % 2 == 0:  # P-LIN-2: even = the far side
                r.task += 1
            return TURN_OVER

        if kind == "stop":  # P-DN-7
            if rules["failed_stop"] == "stops":
                r.task += 1
                return TURN_OVER
            to_contact = rules["failed_stop"] == "runs_on" or rules["neighbour_policy"] == "straight_on"
            return (yield from self.run_away(task.ahead, to_contact=to_contact))

        # A change of direction: turn, obstacle, lancer, beside, chasm.
        if not after_descent:
            return self.miss_facing()
        if kind == "turn":  # P-DN-4
            return (yield from self.run_away(task.ahead, to_contact=rules["neighbour_policy"] == "straight_on"))
        if kind == "chasm":  # P-SPC-1
            return self.kill()
        if kind == "lancer":  # P-DN-3: both roll
            yield from self.other_collision()
        if (yield from self.collision()):  # P-DN-2, P-LIN-1; P-CRS-7: evaded
            r.task += 1
            r.leg = 0
            return GOES_ON
        return self.miss_facing()

    def outcome(self) -> dict[str, int]:
        """Return the metrics of P-CRS-11."""
        r = self.rider
        stopped = not (r.finished or r.runaway or r.killed or r.wrecked)
        values = {
            "finished": r.finished,
            "reached": r.finished or (stopped and r.task == len(self.tasks)),  # P-CRS-4
            "stopped": stopped,
            "runaway": r.runaway,
            "killed": r.killed,
            "wrecked": r.wrecked,
            "wounded": r.wounds >= 1,
            "damaged": r.damage >= 1,
            "rump": r.rumps >= 1,
            "other_wounded": r.other_wounds >= 1,
            "other_damaged": r.other_damages >= 1,
            "turns_used": self.turn if self.limit is None else min(self.turn, self.limit),  # P-CRS-10
            "wounds": r.wounds,
            "damage": r.damage,
            "rumps": r.rumps,
            "other_wounds": r.other_wounds,
            "other_damages": r.other_damages,
            "rolls": self.rolls,
        }
        return {name: int(values[name]) for name in METRICS}


def play(course: Mapping[str, Any], rules: Mapping[str, Any], throw: Callable[[str, int, int], int]) -> dict[str, int]:
    """Play one trial with `throw(purpose, task, attempt)` as the dice (``turns = None``: no limit of turns)."""
    trial = Trial(course, rules)
    ride = trial.ride()
    made: Counter[tuple[str, int]] = Counter()
    purpose = next(ride, None)
    while purpose is not None:
        at = (purpose, trial.rider.task)
        total = throw(*at, made[at])
        made[at] += 1
        try:
            purpose = ride.send(total)
        except StopIteration:
            purpose = None
    return trial.outcome()


def chances(dice: str) -> dict[int, Fraction]:
    """Return the chance of each total of ``"2d6"``-like dice."""
    number, sides = map(int, dice.split("d"))
    totals = Counter(sum(faces) for faces in product(range(1, sides + 1), repeat=number))
    return {total: Fraction(count, sides**number) for total, count in totals.items()}


def enumerate_exact(
    course: Mapping[str, Any], rules: Mapping[str, Any], begin: Callable[[], Trial] | None = None
) -> dict[str, Fraction | float]:
    """All metrics exactly (infinite only as P-CRS-10 says), by trying every total of every throw.

    Two throws are the same node when purpose, turn and rider are equal (without a limit of turns the turn doesn't
    matter); one row of totals that leads to a node stands for all. The nodes are then taken out one after the other:
    whoever led to one is led on to where it leads, with a node that may come back to itself (an 11-12 at a fence, a
    fence failed turn after turn) divided by its chance of being left. What remains leads from the start to the ends.
    Another kind of trial than that of the course is made by `begin`.
    """
    new = begin or partial(Trial, course, rules)
    dice = {"manoeuvre": chances(new().rules["dice"]), "fence": chances("1d6")}
    start: Any = "start"
    ways: dict[Any, dict[Any, Fraction]] = {}  # node -> node or end -> chance
    gains: dict[Any, list[Fraction | float]] = {}  # node -> mean rolls and turns until the next node or end
    trials: dict[Any, Trial] = {}

    def replay(totals: tuple[int, ...]) -> tuple[Trial, Any]:
        trial = new()
        ride = trial.ride()
        try:
            purpose = next(ride)
            for total in totals:
                purpose = ride.send(total)
        except StopIteration:
            trial.turn = trial.outcome()["turns_used"]
            return trial, ("end", trial.rider.task, astuple(trial.rider))
        return trial, (purpose, trial.turn if trial.limit is not None else None, astuple(trial.rider))

    trial, first = replay(())
    ways[start], gains[start], trials[first] = {first: Fraction(1)}, [Fraction(0), Fraction(trial.turn)], trial
    waiting: list[tuple[tuple[int, ...], Any]] = [((), first)] if first[0] != "end" else []
    while waiting:
        totals, node = waiting.pop()
        ways[node], gains[node] = defaultdict(Fraction), [Fraction(0), Fraction(0)]
        before = replay(totals)[0]
        for total, chance in dice.get(node[0], chances("2d6")).items():
            trial, after = replay((*totals, total))
            ways[node][after] += chance
            gains[node][0] += chance * (trial.rolls - before.rolls)
            gains[node][1] += chance * (trial.turn - before.turn)
            if after not in trials:
                trials[after] = trial
                if after[0] != "end":
                    waiting.append(((*totals, total), after))

    for node in [node for node in ways if node != start][::-1]:
        onward, gain = ways.pop(node), gains.pop(node)
        leaving = 1 - onward.pop(node, Fraction(0))
        if leaving == 0:  # P-CRS-10: this state cannot be left
            onward, gain, leaving = {node: Fraction(1)}, [inf, inf], Fraction(1)
        for other, way in ways.items():
            chance = way.pop(node, Fraction(0)) / leaving
            if chance:
                for after, further in onward.items():
                    way[after] = way.get(after, Fraction(0)) + chance * further
                gains[other] = [mine + chance * more for mine, more in zip(gains[other], gain, strict=True)]

    means: dict[str, Fraction | float] = dict.fromkeys(new().outcome(), Fraction(0))
    for end, chance in ways[start].items():
        for name, value in trials[end].outcome().items():
            means[name] += chance * value
    means["rolls"], means["turns_used"] = gains[start]
    return means
