"""One trial retold roll by roll, with the rules behind each roll.

Only what the trace holds is put into words. What a roll led to is read off the event after it, so
that no rule is decided here a second time.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from simkit.games.pigtickler.course import Scenario, Step, expand
from simkit.games.pigtickler.phrases import (
    AGAIN,
    CRASHES,
    DAMAGING,
    DEATHS,
    DOING,
    FATES,
    HITS,
    INJURIES,
    MEETS,
    OTHER_INJURIES,
    WOUNDING,
    changed,
    counted,
    levels,
    lying,
    numeral,
    plain,
    points,
    thing,
)
from simkit.games.pigtickler.records import Event, Fate, Hit, Injury, Purpose, What
from simkit.games.pigtickler.rules import Rules
from simkit.games.protocol import Line

UNFELT = "the descent does not count"


class Part(NamedTuple):
    """One thing that modifies a roll."""

    modifier: int
    why: str
    id: str


def tell(scenario: Scenario, rules: Rules, events: tuple[Sequence[Event], int]) -> list[Line]:
    """Retell one trial in words.

    Parameters
    ----------
    scenario, rules
        The course and the rule set that were played.
    events
        What ``game.trace`` returns: the rows kept, and how many events there were.

    Returns
    -------
    list of Line
        A line of kind ``"turn"`` opens every turn, each throw of dice has one line of kind ``"throw"`` (those of
        another lancer begin with his name), and the last line is of kind ``"end"``. It tells the outcome; or,
        when there were more events than the trace had room for, that the story breaks off.

    Examples
    --------
    >>> from simkit.core.rng import make_key
    >>> from simkit.games.pigtickler import game
    >>> scenario = Scenario.model_validate({"course": {"steps": [{"down": 2}, {"turn": 1}]}})
    >>> events = game.trace(game.compile(scenario, Rules()), make_key(1), 1)
    >>> for line in tell(scenario, Rules(), events)[-2:]:
    ...     print(line.text)
    straight ahead is the table's edge: there he stops
    ran away in turn 1 with 1 throw
    """
    rows, noted = events
    teller = Teller(scenario, rules, rows)
    lines = [line for i in range(len(rows)) if (line := teller.line(i)) is not None]
    if noted > len(rows):
        untold = counted(noted - len(rows), "more event is", "more events are")
        lines.append(Line(f"the story breaks off: the trace ran out of room and {untold} not told", "end"))
    return lines


class Teller:
    """Puts the events of one trial into words."""

    def __init__(self, scenario: Scenario, rules: Rules, rows: Sequence[Event]) -> None:
        self.course = scenario.course
        self.rules = rules
        self.rows = rows
        self.tasks: list[tuple[Step, str]] = [(step, name) for step in self.course.steps for name in expand(step)]
        self.odds_told = not rules.altered_odds

    def line(self, i: int) -> Line | None:
        """Tell event `i`; None where the line before has told it already."""
        tellers: dict[int, Callable[[int], Line | None]] = {
            What.TURN_BEGINS: self.turn_begins,
            What.LOST_TURN: self.lost_turn,
            What.EXCUSED: self.excused,
            What.DESCENDS: self.descends,
            What.STOPS: self.stops,
            What.THROW: self.throw,
            What.STEERED: self.steered,
            What.OVER: self.over,
        }
        return tellers[int(self.rows[i].what)](i)

    # What lies around an event

    def after(self, i: int) -> Event | None:
        """Return the event that follows, if the trace had room for it."""
        return self.rows[i + 1] if i + 1 < len(self.rows) else None

    def turn_end(self, i: int) -> tuple[str, tuple[str, ...]]:
        """Say that the turn, but not the course, ended with event `i`, and whether a wound costs the next one."""
        after = self.after(i)
        if after is None:
            return "", ()
        if after.what == What.LOST_TURN:
            return "; the turn is over and the next one lost", ("P-GAM-3",)
        stopped = after.what == What.OVER and after.fate == Fate.RIDING
        return ("; the turn is over", ()) if stopped or after.what == What.TURN_BEGINS else ("", ())

    def course_ends(self, i: int, fate: Fate) -> bool:
        """Tell whether the course ended that way with event `i`."""
        after = self.after(i)
        return after is not None and after.what == What.OVER and after.fate == fate

    def step(self, i: int) -> tuple[Step, str]:
        """Return the step and the name of the task at which event `i` happened."""
        return self.tasks[self.rows[i].task]

    def ahead(self, i: int) -> str:
        """Return what lies straight ahead of him."""
        return self.step(i)[0].ahead or self.course.ahead

    # Events without dice

    def turn_begins(self, i: int) -> Line:
        """Open a turn."""
        return Line(f"Turn {self.rows[i].turn}.", "turn")

    def lost_turn(self, i: int) -> Line:
        """Open a turn that a wound has cost him."""
        return Line(f"Turn {self.rows[i].turn}: lost to the wound.", "turn", ("P-GAM-3", "P-CRS-9"))

    def excused(self, i: int) -> Line:
        """Tell of a change of direction done for nothing."""
        step, name = self.step(i)
        undone = DOING[name].undone.format(it=thing(step, name))
        return Line(f"facing is free when a turn begins: {undone} is done for nothing", "ride", ("P-GAM-5", "P-CRS-5"))

    def descends(self, i: int) -> Line:
        """Tell of a ride downhill."""
        row = self.rows[i]
        text = f"rides down {levels(row.roll)}, no roll"
        if row.descended > row.roll:
            text += f"; {levels(row.descended)} in all this turn"
        return Line(text, "ride", ("P-DN-1",))

    def stops(self, i: int) -> Line | None:
        """Tell of a stop without a roll; one with a roll is told by the roll."""
        if self.rows[i - 1].what == What.THROW and self.rows[i - 1].task == self.rows[i].task:
            return None
        return Line(f"stops as he likes, no roll{self.turn_end(i)[0]}", "ride", ("P-MAN-4",))

    def steered(self, i: int) -> Line:
        """Tell what lies straight ahead, and that he meets it or not."""
        ahead = self.ahead(i)
        after = self.after(i)
        there = f"straight ahead is {lying(ahead)}"
        if after is None:
            return Line(there, "ride", ("P-CRS-6",))
        if after.what == What.THROW:
            return Line(f"{there}: {MEETS[Purpose(int(after.purpose))]}", "ride", ("P-CRS-6",))
        if after.fate == Fate.KILLED:
            return Line(f"{there}: dead, without a roll", "ride", ("P-SPC-1", "P-CRS-6"))
        if ahead == "pig":
            return Line(f"{there}: he is stopped short of it", "ride", ("P-DN-4", "P-CRS-6"))
        return Line(f"{there}: there he stops", "ride", ("P-CRS-6",))

    def over(self, i: int) -> Line:
        """Tell the outcome, with its totals."""
        row = self.rows[i]
        text, ids = FATES[Fate(int(row.fate))]
        if row.fate == Fate.FINISHED and self.rows[i - 1].what in (What.TURN_BEGINS, What.EXCUSED):
            text = "finished as turn {turn} began"
        text = text.format(turn=row.turn)
        if row.steered and row.fate != Fate.RUNAWAY:
            text, ids = f"ran away, {text}", ("P-CRS-6", "P-CRS-11")
        totals = [row for row in self.rows if row.what == What.THROW]
        own = [throw for throw in totals if throw.purpose != Purpose.OTHER]
        text += f" with {counted(len(own), 'throw')}"
        if row.fate == Fate.RIDING and row.task == len(self.tasks):
            text, ids = f"{text}, but the last terrain is behind him", ("P-CRS-4", "P-CRS-10")
        elif row.fate == Fate.RIDING:
            text += f", {row.task} of {counted(len(self.tasks), 'task')} done"
        harm = self.harm(totals)
        return Line(f"{text}: {', '.join(harm)}" if harm else text, "end", ids)

    def harm(self, throws: Sequence[Event]) -> list[str]:
        """Add up what the throws of a trial did to him, to the pig and to others."""
        crashes = [throw.result for throw in throws if throw.purpose == Purpose.COLLISION]
        others = [throw.result for throw in throws if throw.purpose == Purpose.OTHER]
        hits = [throw.result for throw in throws if throw.purpose == Purpose.HIT]
        tally = (
            (sum(r in WOUNDING for r in crashes) + sum(bool(r & Hit.FUMBLE) for r in hits), "wound", ""),
            (sum(r in DAMAGING for r in crashes), "point", " of damage"),
            (sum(bool(r & Hit.RUMP) for r in hits), "rump", ""),
            (sum(r in WOUNDING for r in others), "wound", " to another lancer"),
            (sum(r in DAMAGING for r in others), "point", " of damage to another lancer"),
        )
        return [counted(n, noun) + tail for n, noun, tail in tally if n]

    # Throws of dice

    def throw(self, i: int) -> Line:
        """Tell of one throw of dice."""
        purpose = int(self.rows[i].purpose)
        if purpose == Purpose.MANOEUVRE:
            return self.manoeuvre(i)
        if purpose == Purpose.FENCE:
            return self.fence(i)
        if purpose == Purpose.COLLISION:
            return self.collision(i)
        if purpose == Purpose.OTHER:
            row = self.rows[i]
            text = f"the other lancer rolls {row.roll}: {OTHER_INJURIES[Injury(int(row.result))]}"
            return Line(text, "throw", ("P-DN-3", *self.damage_unread(row)))
        return self.hit(i)

    def manoeuvre(self, i: int) -> Line:
        """Tell of a manoeuvre roll."""
        row = self.rows[i]
        step, name = self.step(i)
        if row.steered:
            name = "enter"
        doing = DOING[name]
        it = lying(self.ahead(i)) if row.steered else thing(step, name)
        needs, need_ids = self.needed(i)
        ids: tuple[str, ...] = ()
        if row.result:
            became = doing.done + (self.turn_end(i + 1)[0] if name == "stop" else "")
        else:
            became, ids = self.failed(i, name)
        if row.steered and "P-BOG-3" in need_ids:
            need_ids.append("P-BOG-5")
        text = f"to {doing.to.format(it=it)} he needs {needs} rolls {row.roll}: {became}"
        return Line(text, "throw", tuple(dict.fromkeys([doing.id, *need_ids, *ids])))

    def needed(self, i: int) -> tuple[str, list[str]]:
        """Say what a manoeuvre roll must come to, and why."""
        row = self.rows[i]
        parts = self.parts(i)
        ids = [part.id for part in parts]
        target = self.rules.target
        text = f"{target - row.modifier} or more on {self.rules.dice}"
        reasons = [changed(part.modifier, part.why) for part in parts if part.modifier]
        asides = [part.why for part in parts if not part.modifier]
        if not self.odds_told:
            self.odds_told = True
            asides.append("altered odds")
            ids.append("P-MAN-1")
        if reasons:
            text += f": {', '.join([str(target), *reasons])}"
        if asides:
            text += f" ({', '.join(asides)})"
        return text + (";" if reasons else ","), ids

    def parts(self, i: int) -> list[Part]:
        """Take the modifier of a manoeuvre roll apart: the bog, the damage, and what is left is the descent."""
        row = self.rows[i]
        step, name = self.step(i)
        bog = self.ahead(i) if row.steered else step.bog
        kind = self.rules.bogs[bog] if bog else 0
        hurt = self.rules.damage_modifier * row.damage
        rest = row.modifier - kind - hurt
        parts = [
            Part(kind, f"the {plain(bog or '')}", "P-BOG-1"),
            self.descent(row, rest, bog, name),
            Part(hurt, points(row.damage), "P-GAM-3"),
        ]
        return [part for part in parts if part.modifier or part.why == UNFELT]

    def descent(self, row: Event, modifier: int, bog: str | None, name: str) -> Part:
        """Say how a descent of this turn weighs on a manoeuvre roll, or that it does not."""
        if not row.descended:
            return Part(0, "", "")
        if not modifier:
            return Part(0, UNFELT, "P-BOG-4" if bog else "P-SPC-2" if name == "ramp" else "P-DN-1")
        if bog and row.leg:
            return Part(modifier, f"{levels(row.leg)} straight downhill", "P-BOG-3")
        if bog:
            return Part(modifier, f"{levels(row.descended)} down, but not straight", "P-BOG-4")
        down = row.descended if self.rules.downhill_lasts == "turn" else row.leg
        return Part(modifier, f"{levels(down)} down", "P-DN-1")

    def failed(self, i: int, name: str) -> tuple[str, tuple[str, ...]]:
        """Say what a failed manoeuvre roll led to."""
        row, after = self.rows[i], self.after(i)
        doing = DOING[name]
        if row.steered:
            return doing.stuck, (doing.stuck_id,)
        if after is None:
            return "he fails", ()
        if after.what == What.STEERED:
            if name == "stop" and self.rules.failed_stop == "runs_on":
                return "he runs straight on", ("P-DN-7",)
            return "the player to the left takes over and rides him straight on", ("P-DN-4",)
        if after.what == What.STOPS:
            return f"he fails, but stops all the same{self.turn_end(i + 1)[0]}", ("P-DN-7",)
        if after.what == What.THROW and after.purpose == Purpose.FENCE:
            return f"{doing.stuck}, a die says where he ends", (doing.stuck_id,)
        if after.what == What.THROW:
            became, id = CRASHES[name]
            return became, (id,)
        if self.course_ends(i, Fate.KILLED):
            became, id = DEATHS[name]
            return became, (id,)
        stuck = AGAIN[name] if name in AGAIN and after.task == row.task else doing.stuck
        return f"{stuck}; the turn is over", (doing.stuck_id,)

    def fence(self, i: int) -> Line:
        """Tell of the die after failing to cross."""
        row = self.rows[i]
        side = "even, he stops on the far side" if row.result else "odd, he stops on his own side"
        step, name = self.step(i)
        text = f"for the side of {thing(step, name)} he rolls {row.roll}: {side}{self.turn_end(i)[0]}"
        return Line(text, "throw", ("P-LIN-2",))

    def collision(self, i: int) -> Line:
        """Tell of his throw on the collision table."""
        row = self.rows[i]
        injury = Injury(int(row.result))
        step, name = self.step(i)
        before = self.rows[i - 1]
        tried = before.what == What.THROW and before.purpose == Purpose.MANOEUVRE and before.task == row.task
        ids = ["P-COL-1", *self.damage_unread(row)]
        text = "collision"
        if name == "cross" and not tried:
            text = f"contact with {thing(step, name)} is a collision"
            ids.insert(0, "P-LIN-4")
        text += f": rolls {row.roll}, {INJURIES[injury]}"
        if injury in DAMAGING and row.damage:
            text += f" ({numeral(row.damage + 1)} points now)"
        became, more = self.after_collision(i, injury)
        return Line(text + became, "throw", tuple(dict.fromkeys([*ids, *more])))

    def after_collision(self, i: int, injury: Injury) -> tuple[str, tuple[str, ...]]:
        """Say how he goes on after a collision."""
        step, name = self.step(i)
        if self.after(i) is None:
            return "", ()
        if self.course_ends(i, Fate.WRECKED):
            return "; that wrecks it", ("P-GAM-3",)
        if self.rows[i].steered:
            return (", too late for this course", ("P-CRS-6",)) if injury == Injury.GOES_ON else ("", ())
        if self.turn_end(i)[0]:
            return self.turn_end(i)
        ids = ("P-CRS-7",) if injury == Injury.GOES_ON else ("P-COL-3",)
        if name == "cross":
            return f", still before {thing(step, name)}", ids
        return (" and rides on" if injury == Injury.GOES_ON else ", but he rides on"), ids

    def damage_unread(self, row: Event) -> tuple[str, ...]:
        """Cite the rule that turns damage into wounds, where the table names damage."""
        rules = self.rules
        plain_wound = rules.collision_both < row.roll <= rules.collision_wound
        return ("P-COL-2",) if row.result == Injury.WOUND and not rules.unicycle_damage and not plain_wound else ()

    def hit(self, i: int) -> Line:
        """Tell of the roll at the pig."""
        row = self.rows[i]
        target = self.rules.hit_target
        text = f"at the pig he needs {target - row.modifier} or more on {self.rules.hit_dice}"
        ids = ["P-GAM-2"]
        if row.modifier:
            text += f": {target}, {changed(row.modifier, 'coming downhill')};"
            ids.append("P-DN-5")
        else:
            text += ","
        became, more = self.turn_end(i)
        return Line(f"{text} rolls {row.roll}: {HITS[int(row.result)]}{became}", "throw", (*ids, *more))
