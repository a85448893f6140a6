"""One battle retold: who moved where, what was thrown, and what came of it.

Only what the events hold is put into words. Sums are taken apart where their parts lead to what the event states, and
no rule is decided here a second time.
"""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from simkit.games.jugger import narrate_attacks as attacks
from simkit.games.jugger import narrate_harm as harms
from simkit.games.jugger import narrate_moves as moves
from simkit.games.jugger import phrases as say
from simkit.games.jugger.cast import Cast, captain_titles
from simkit.games.jugger.happenings import Cause, Happening, Purpose, What, happened
from simkit.games.jugger.reader import Reader, Told
from simkit.games.jugger.records import Special
from simkit.games.protocol import Line

MOST_NAMED = 4
"""Jugs up to which the last line names every one; above, it counts them a side."""


def tell(cast: Cast, events: tuple[Any, int]) -> list[Line]:
    """Retell one battle in words.

    Parameters
    ----------
    cast
        Who fights where.
    events
        What ``game.trace`` returns: the rows kept, and how many events there were.

    Returns
    -------
    list of Line
        A line of kind ``"turn"`` opens the set-up and every turn; those of kind ``"throw"`` tell dice, of kind
        ``"ride"`` something without dice; the last line is of kind ``"end"``. It tells the outcome; or, when there were
        more events than the trace had room for, that the story breaks off.
    """
    return [Line(told.text, told.kind, told.ids) for told in retell(cast, events)]


def paragraphs(lines: Sequence[Line | Told]) -> list[str]:
    """Join the lines of a retold battle into one paragraph a turn, and one for the end.

    Examples
    --------
    >>> paragraphs([Line("Turn 1", "turn"), Line("Ram keeps velocity 2", "ride"), Line("a draw", "end")])
    ['Turn 1. Ram keeps velocity 2.', 'A draw.']
    """
    texts: list[list[str]] = []
    for line in lines:
        if line.kind in ("turn", "end") or not texts:
            texts.append([])
        texts[-1].append(f"{line.text[:1].upper()}{line.text[1:]}.")
    return [" ".join(sentences) for sentences in texts]


def retell(cast: Cast, events: tuple[Any, int]) -> list[Told]:
    """Retell one battle as :func:`tell` does, with the events that each line tells."""
    rows, noted = happened(events[0]), events[1]
    teller = (cast.teller or Teller)(Reader(cast, rows))
    lines = teller.opening()
    while not teller.reader.over:
        lines += [*teller.faded(), teller.line()]
    if noted > len(rows):
        untold = say.counted(noted - len(rows), "more event is", "more events are")
        text = f"the story breaks off: the trace ran out of room and {untold} not told"
        lines.append(Told(text, "end", (), len(rows), len(rows)))
    return lines


class Teller:
    """Puts the events of one battle into words."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.cast = reader.cast
        throws: dict[int, Callable[[Reader], tuple[str, list[str]]]] = {
            What.INITIATIVE: self.initiative,
            What.BREAK: self.breaks,
            What.CAST_HASTE: self.haste,
            What.CAST_RESTORE: self.restores,
            What.COLLIDE: moves.collide,
            What.DODGE: moves.dodge,
            What.RAM: moves.ram,
            What.TO_HIT: attacks.attack,
            What.CRITICAL: harms.criticals,
            What.BURN: self.burns,
            What.SQUEEZE: self.squeezes,
            What.PUT_OUT: self.puts_out,
            What.REPAIR: self.repairs,
            What.DEPLOY: self.deploys,
            What.SPELLS: self.spells,
            What.CAPTAIN: self.captain,
            What.WALL_HITS: self.walls,
        }
        rides: dict[int, Callable[[Reader], tuple[str, list[str]]]] = {
            What.SEGMENT: self.segment,
            What.LET_GO: self.lets_go,
            What.MOVE: moves.move,
            What.TURN_TO: moves.onward,
            What.ENTER: moves.onward,
            What.MOVE_TO: moves.onward,
            What.STOP: moves.stop,
            What.EXIT: moves.leave,
            What.DECLARE: self.declares,
            What.LOSE: self.loses,
        }
        self.kinds: dict[int, tuple[str, Callable[[Reader], tuple[str, list[str]]]]] = {
            **{what: ("throw", teller) for what, teller in throws.items()},
            **{what: ("ride", teller) for what, teller in rides.items()},
            **dict.fromkeys(harms.OF_HARM, ("ride", self.effects)),
            **dict.fromkeys((*attacks.OF_AN_ATTACK, What.RAM_BACK, What.SPELL), ("throw", self.stray)),
            What.DODGE: ("throw", moves.dodge),
            What.ROPE: ("throw", self.rope),
            What.TURN: ("turn", self.turn),
            What.OVER: ("end", self.over),
        }

    def opening(self) -> list[Told]:
        """Tell who fights where."""
        lines = [Told("Set-up", "turn", (), 0, 0)]
        for side, title in enumerate(self.cast.sides):
            jugs = [
                f"{jug.name} (size {jug.size}, {jug.hits} hits) at {say.at((jug.start.q, jug.start.r))},"
                f" facing {say.COMPASS[jug.start.facing]}, velocity {jug.start.velocity}"
                for jug in self.cast.jugs
                if jug.side == side
            ]
            lines.append(Told(f"{title}: {'; '.join(jugs)}", "ride", ("J-DEP-1",), 0, 0))
        own: dict[str, dict[str, None]] = {}
        for piece in (piece for jug in self.cast.jugs for piece in jug.pieces):
            if not piece.table.startswith(piece.title):
                own.setdefault(piece.table, {})[piece.title] = None
        if own := {table: names for table, names in own.items() if table}:
            named = [f"{say.listed([*names])} as {table}" for table, names in own.items()]
            lines.append(Told(f"In the weapon tables: {', '.join(named)}", "ride", ("J-WPN-1",), 0, 0))
        return lines

    def faded(self) -> list[Told]:
        """Tell whose haste ends with a turn: no event does (J-WIZ-4)."""
        i = self.reader.i
        if not self.reader.peek(What.TURN):
            return []
        scenes = zip(self.cast.jugs, self.reader.scenes[i].jugs, self.reader.scenes[i + 1].jugs, strict=True)
        names = [member.name for member, before, after in scenes if before.haste and not after.haste]
        return [Told(f"Haste of {say.listed(names)} is over", "ride", ("J-WIZ-4",), i, i)] if names else []

    def line(self) -> Told:
        """Tell the next event, with those that belong to it."""
        first = self.reader.i
        kind, teller = self.kinds[self.reader.rows[first].what]
        text, ids = teller(self.reader)
        return Told(text, kind, tuple(dict.fromkeys(ids)), first, self.reader.i)

    # Set-up and the beginning of a turn

    def turn(self, reader: Reader) -> tuple[str, list[str]]:
        """Open a turn."""
        return f"Turn {reader.take().value}", []

    def deploys(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell the dice of the deployment, and what they decide."""
        told, ids = f"Deployment: {self._rounds(reader, What.DEPLOY)[0]}", ["J-DEP-1"]
        again = reader.rows[reader.i - 1].extra
        last = [row for row in reader.rows[: reader.i] if row.what == What.DEPLOY and row.extra == again]
        low, high = (choose(last, key=lambda row: row.roll) for choose in (min, max))
        if low.roll < high.roll:
            told += f"; first to set up: {self._mover(low)}"
            if self.cast.strategic_roll:
                told += f"; first to move in turn 1: {self._mover(high)}"
                ids.append("J-DEP-3")
        return told, ids

    def initiative(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell the dice for the initiative, and whose segment is the first."""
        told, modified = self._rounds(reader, What.INITIATIVE)
        if reader.peek(What.SEGMENT):
            row = reader.take()
            told += f"; first to move: {self._mover(row)}"
        return f"Initiative: {told}", ["J-INI-1", *(["J-INI-2"] if modified else [])]

    def segment(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell whose segment begins."""
        return f"Next to move: {self._mover(reader.take())}", ["J-SEG-1"]

    def _mover(self, row: Happening) -> str:
        return self.reader.name(row.jug) if row.jug >= 0 else self.reader.side(row.foe)

    def _rounds(self, reader: Reader, what: What) -> tuple[str, bool]:
        """Tell dice that are thrown again where they are equal; and whether any was modified."""
        rows = []
        while reader.peek(what):
            rows.append(reader.take())
        purpose = Purpose.INITIATIVE if what == What.INITIATIVE else Purpose.DEPLOY
        rounds, modified = [], False
        for again, group in groupby(rows, key=lambda row: row.extra):
            dice = []
            for row in group:
                bonus = row.value - row.roll if what == What.INITIATIVE else 0
                modified = modified or bonus > 0
                tactics = f" + {bonus} (tactics) = {row.value}" if bonus else ""
                dice.append(f"{self._mover(row)} {reader.die(purpose, row.roll)}{tactics}")
            rounds.append(f"{'again ' if again else ''}{', '.join(dice)}")
        return "; ".join(rounds), modified

    def spells(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell which spells a wizard has."""
        row = reader.take()
        numbers = []
        while (spell := reader.peek(What.SPELL)) and spell.jug == row.jug:
            numbers.append(reader.take().roll)
        count = f"{say.counted(row.roll, 'spell')} ({reader.dice(Purpose.SPELL_COUNT)})"
        return f"{reader.name(row.jug)} has {count}: {say.spells(numbers)}", ["J-WIZ-1"]

    def captain(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell which captain a jug has drawn."""
        row = reader.take()
        roll = reader.die(Purpose.CAPTAIN, row.roll)
        return f"{reader.name(row.jug)}'s captain, {roll}: {captain_titles()[row.roll - 1]}", ["J-CAP-1"]

    def walls(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell the hits of the stone walls."""
        hits = []
        while reader.peek(What.WALL_HITS):
            row = reader.take()
            hits.append(f"{row.value} at {say.at(self.cast.walls[row.extra])}")
        return f"Hits of the stone walls, {reader.dice(Purpose.WALL)} each: {', '.join(hits)}", ["J-COL-2", "J-COL-4"]

    # In a segment

    def breaks(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell a try to break free."""
        row = reader.take()
        held = reader.name(row.foe) if row.item < 0 else f"{reader.name(row.foe)}'s {self.cast.item(row.foe, row.item)}"
        done = "breaks free" if row.value else "fails to break free"
        return f"{reader.name(row.jug)} {done} of {held} on {row.roll}", ["J-WPN-7"]

    def lets_go(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell that a jug is let go."""
        row = reader.take()
        told = f"{reader.name(row.foe)} is let go by {reader.name(row.jug)}'s {self.cast.item(row.jug, row.item)}"
        return told, ["J-WPN-2", "J-WPN-14"]

    def haste(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell a spell of haste."""
        row = reader.take()
        turns = f"{say.counted(row.roll, 'turn')} ({reader.dice(Purpose.HASTE_TURNS)})"
        return f"{reader.name(row.jug)} casts haste for {turns}", ["J-WIZ-1", "J-WIZ-2"]

    def restores(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell a spell of restoration."""
        row = reader.take()
        roll = reader.die(Purpose.RESTORE, row.roll)
        return f"{reader.name(row.jug)} casts restoration, {roll}: {self._healed(row)}", ["J-WIZ-1", "J-WIZ-2"]

    def declares(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell how many attacks are declared together."""
        rows = []
        while reader.peek(What.DECLARE):
            rows.append(reader.take())
        if len(rows) == 1 and reader.peek(What.TO_HIT):
            return attacks.attack(reader)
        names = [
            f"{reader.name(slot)}'s {say.listed([self.cast.item(slot, row.item) for row in group])}"
            for slot, group in groupby(rows, key=lambda row: row.jug)
        ]
        together = "Declared together" if len(rows) > 1 else "Declared"
        return f"{together}: {'; '.join(names)}", ["J-ATK-1", "J-ATK-5"]

    def effects(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell what takes effect together after attacks or fires."""
        parts, ids = harms.harm(reader)
        return "; ".join(parts), ids

    def loses(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell a piece lost without a critical roll, as a winch is."""
        row = reader.take()
        return f"{reader.name(row.jug)} loses {harms.piece(reader, row)}", ["J-WPN-9"]

    def stray(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell a part of an attack whose roll to hit is not there."""
        row = reader.rows[reader.i]
        if row.what in attacks.OF_AN_ATTACK:
            name, told = reader.name(row.jug), attacks.reaction(reader)
            return told if told.startswith(name) else f"{name}: {told}", ["J-ATK-1"]
        reader.take()
        return f"{reader.name(row.jug)}: {row.roll}", []

    # The end phase

    def rope(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell the roll of a rope that was out before, and what it leads to."""
        row = reader.rows[reader.i]
        rope = f"Rope of {reader.name(row.jug)}'s {self.cast.item(row.jug, row.item)} on {reader.name(row.foe)}"
        told: list[str] = []
        while reader.peek(What.ROPE, What.TOPPLE, What.BALANCE) and (not told or not reader.peek(What.ROPE)):
            told.append(attacks.reaction(reader).removeprefix("rope "))
        return f"{rope}: {'; '.join(told)}", ["J-WPN-9"]

    def puts_out(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell damage control of a fire."""
        row = reader.take()
        burning = self.cast.burning(row.foe, row.item)
        fire = f"the {burning} of {reader.name(row.foe)}'s {self.cast.item(row.foe, row.item)}"
        does, do = ("washes off", "wash off") if burning == "acid" else ("puts out", "put out")
        done = does if row.value else f"fails to {do}"
        return f"{reader.name(row.jug)} {done} {fire} on {row.roll}", ["J-CAP-1", "J-END-1"]

    def burns(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell a fire's damage of a turn."""
        row = reader.take()
        fire = f"{reader.name(row.foe)}'s {self.cast.item(row.foe, row.item)}"
        left = f"{say.counted(row.extra, 'turn')} left" if row.extra else "the last turn"
        burning, weapon = self.cast.burning(row.foe, row.item).capitalize(), self.cast.jugs[row.foe].weapon(row.item)
        done = f"{row.value} damage"
        if weapon and weapon.special == Special.CAULDRON and self.cast.cauldron_reroll:
            size = weapon.size if self.cast.multiplies else 1
            done = say.damage(weapon.dice, row.value // size, size, row.value, row.item, 0)
        return f"{burning} of {fire} on {reader.name(row.jug)}: {done}, {left}", ["J-WPN-3"]

    def squeezes(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell the damage of a hold."""
        row = reader.take()
        weapon, name = self.cast.jugs[row.jug].weapon(row.item), self.cast.item(row.jug, row.item)
        dice, size = (weapon.dice, weapon.size) if weapon else ("", 1)
        done = say.damage(dice, row.roll, size, row.value, row.item, self.cast.jugs[row.jug].size)
        return f"Hold of {reader.name(row.jug)}'s {name} on {reader.name(row.foe)}: {done}", ["J-WPN-8"]

    def repairs(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell a mechanic's repair."""
        row = reader.take()
        return f"{reader.name(row.jug)}'s mechanic, {reader.die(Purpose.REPAIR, row.roll)}: {self._healed(row)}", [
            "J-CAP-2"
        ]

    def _healed(self, row: Happening) -> str:
        hits = self.reader.scene.jugs[row.jug].hits
        return f"{hits - row.value} -> {hits} hits"

    def over(self, reader: Reader) -> tuple[str, list[str]]:
        """Tell the outcome."""
        row = reader.take()
        cause, turn = Cause(row.value), reader.scene.turn
        if row.foe >= 0:
            loser = reader.side(1 - row.foe)
            told = f"victory for {reader.side(row.foe)} in turn {turn}: {say.ENDINGS[cause].format(loser=loser)}"
        else:
            told = f"a draw in turn {turn}: {say.DRAWN.get(cause, 'no side has a jug left')}"
        return f"{told}. {self._left()}", [say.ENDING_IDS.get(cause, "J-ARM-4")]

    def _left(self) -> str:
        """Say what is left of every jug, or of every side where there are many."""
        jugs = self.reader.scene.jugs
        parts = []
        if len(jugs) <= MOST_NAMED:
            for member, jug in zip(self.cast.jugs, jugs, strict=True):
                changed = f"was captured by {self.cast.sides[jug.side]} and " if jug.side != member.side else ""
                stands = f"{changed}has {jug.hits} of {member.hits} hits"
                fate = f"is {say.FATES[Cause(jug.fate)]}" if jug.fate else stands
                parts.append(f"{member.name} ({self.cast.sides[member.side]}) {fate}")
            return "; ".join(parts)
        for side, title in enumerate(self.cast.sides):
            there = [jug.hits for jug in jugs if jug.side == side and not jug.fate]
            hits = f" with {sum(there)} hits" if there else ""
            parts.append(f"{title} has {say.counted(len(there), 'jug')} left{hits}")
        return "; ".join(parts)
