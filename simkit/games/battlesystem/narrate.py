"""One battle retold: who declared and moved what, what was thrown, and what came of it.

Only what the events hold is put into words. Sums are taken apart where their parts lead to what the event states, and
no rule is decided here a second time.
"""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from simkit.games.battlesystem import narrate_blows as blows
from simkit.games.battlesystem import narrate_moves as moves
from simkit.games.battlesystem import phrases as say
from simkit.games.battlesystem.happenings import Opens, Over, What
from simkit.games.battlesystem.kinds import Declaration, Fate
from simkit.games.battlesystem.narrate_moves import Sentence
from simkit.games.battlesystem.reader import Reader, Told
from simkit.games.battlesystem.staging import Cast, Member
from simkit.games.battlesystem.track import FRONT, Happening, happened
from simkit.games.protocol import Line

__all__ = ["paragraphs", "retell", "tell"]


def tell(cast: Cast, events: tuple[Any, int]) -> list[Line]:
    """Retell one battle in words.

    Parameters
    ----------
    cast
        Who fights where.
    events
        What ``game.trace`` returns: the rows kept, seven numbers each, and how many events there were.

    Returns
    -------
    list of Line
        A line of kind ``"turn"`` opens the set-up and every round; those of kind ``"throw"`` tell dice, of kind
        ``"ride"`` something without dice; the last line is of kind ``"end"``. It tells the outcome; or, when there were
        more events than the trace had room for, that the story breaks off.
    """
    return [Line(told.text, told.kind, told.ids) for told in retell(cast, events)]


def paragraphs(lines: Sequence[Line | Told]) -> list[str]:
    """Join the lines of a retold battle into one paragraph a round, and one for the end.

    Examples
    --------
    >>> paragraphs([Line("Round 1", "turn"), Line("Orcs (A) move", "ride"), Line("victory for A", "end")])
    ['Round 1. Orcs (A) move.', 'Victory for A.']
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
    teller = Teller(Reader(cast, rows))
    lines = teller.opening()
    while not teller.reader.over:
        lines.append(teller.line())
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
        throws: dict[int, Callable[[Reader], Sentence]] = {
            What.INITIATIVE: self.initiative,
            What.SHOOT: blows.shoot,
            What.STRIKE: blows.strike,
            What.ROLL: blows.rolls,
            What.CHECK: blows.check,
        }
        rides: dict[int, Callable[[Reader], Sentence]] = {
            What.LAPSE: moves.lapse,
            What.DECLARE: moves.declare,
            What.MOVE: moves.march,
            What.PAY: moves.march,
            What.OPEN: self.opens,
            What.CLOSE: moves.closes,
            What.CONTACT: moves.contact,
            What.DAMAGE: blows.damage,
            What.LOSE: blows.alone,
            What.DESTROYED: blows.alone,
            What.ROUT: blows.routs,
            What.BREAKTHROUGH: moves.break_through,
            What.ADVANCE: moves.advance,
            What.CHOOSE: moves.choose,
        }
        self.kinds: dict[int, tuple[str, Callable[[Reader], Sentence]]] = {
            **{what: ("throw", teller) for what, teller in throws.items()},
            **{what: ("ride", teller) for what, teller in rides.items()},
            What.ROUND: ("turn", self.round),
            What.OVER: ("end", self.over),
        }

    def line(self) -> Told:
        """Tell the next event, with those that belong to it."""
        first = self.reader.i
        kind, teller = self.kinds[self.reader.rows[first].what]
        text, ids = teller(self.reader)
        return Told(text, kind, tuple(dict.fromkeys(ids)), first, self.reader.i)

    # Set-up

    def opening(self) -> list[Told]:
        """Tell who fights where."""
        told: list[tuple[str, str, tuple[str, ...]]] = [("Set-up", "turn", ())]
        told += [(self._unit(member), "ride", ("B-LAN-4",)) for member in self.cast.members]
        told.append((self._lane(), "ride", ("B-LAN-8",)))
        if self.cast.contact != (FRONT, FRONT):
            (a, b), (on_b, on_a) = self.cast.sides, self.cast.contact
            told.append((f"{a} strikes {b} on the {on_b}, {b} strikes {a} on the {on_a}", "ride", ("B-LAN-6",)))
        return [Told(text, kind, ids, 0, 0) for text, kind, ids in told]

    def _unit(self, member: Member) -> str:
        rating = member.rating
        where = f" in slot {member.slot}" if len(self.cast.members) > 2 else ""
        where = f" in reserve behind slot {member.slot}" if member.reserve else where
        damage = "+".join(say.dice(part.dice) for part in rating.parts)
        told = f"{member.name}{where}: {say.counted(member.figures, 'figure')} of"
        told += f" {say.counted(rating.pool, 'hit die', 'hit dice')} in {say.counted(member.files, 'file')},"
        told += f" {say.FORMATIONS[member.formation]}; AR {rating.ar}, AC {rating.ac}, MV {say.mixed(rating.move)},"
        told += f" damage {damage}, morale {member.design.ml}; policy {member.policy.replace('_', ' ')}"
        if member.declared != Declaration.NONE:
            told += f"; {moves.declared(self.reader, member.seat, member.declared)} in force"
        return told

    def _lane(self) -> str:
        lane = self.cast.lane
        told = f"The lane is {say.inches(lane.length)} long"
        parts = []
        for one in lane.segments:
            high = f", {one.height} feet up" if one.height else ""
            if one.kind != "clear" or high:
                parts.append(f"{one.kind} from {say.decimal(one.start)} to {say.decimal(one.end)}{high}")
        parts += [f"a {point.kind} at {say.decimal(point.at)}" for point in lane.points]
        told += f": {'; '.join(parts)}" if parts else ", clear and level"
        return f"{told}; the fronts touch from the start" if self.cast.in_contact else told

    # The round

    def round(self, reader: Reader) -> Sentence:
        """Open a round."""
        reader.changes, reader.went, reader.struck = {}, {}, None
        return f"Round {reader.take().value}", []

    def initiative(self, reader: Reader) -> Sentence:
        """Tell the dice for the initiative, and who is first."""
        rows: list[Happening] = []
        while reader.peek(What.INITIATIVE):
            rows.append(reader.take())
        throws = []
        for again, group in groupby(rows, key=lambda row: row.extra):
            dice = ", ".join(f"{self.cast.sides[row.foe]} {row.roll}" for row in group)
            throws.append(f"again {dice}" if again else dice)
        told = f"Initiative, {self.cast.rules.initiative_dice} each: {'; '.join(throws)}"
        last = rows[-2:]
        if len(last) == 2 and last[0].roll != last[1].roll:
            first = max(last, key=lambda row: row.roll).foe
            told += f"; {self.cast.sides[first]} is first in every phase"
        return told, ["B-RND-1", "B-LAN-12"]

    def opens(self, reader: Reader) -> Sentence:
        """Tell ranks that open."""
        return blows.opens(reader) if reader.rows[reader.i].value == Opens.FAILED else moves.march(reader)

    # The end

    def over(self, reader: Reader) -> Sentence:
        """Tell the outcome, and what is left of every unit."""
        row = reader.take()
        now = reader.view.scene.round
        if row.value == Over.WON:
            told = f"victory for {self.cast.sides[row.foe]} in round {now}: {self._gone(reader, 1 - row.foe)}"
            ids = ["B-LAN-25"]
        elif row.value == Over.MUTUAL:
            told, ids = f"mutual in round {now}: neither side has a unit left", ["B-LAN-25"]
        else:
            told, ids = f"cap: no side has won in {say.counted(now, 'round')}", ["B-LAN-25", "B-MOR-2"]
        return f"{told}. {'; '.join(self._left(reader, member) for member in self.cast.members)}", ids

    def _gone(self, reader: Reader, side: int) -> str:
        mine = [member for member in self.cast.members if member.side == side]
        if len(mine) > 1:
            return f"{self.cast.sides[side]} has no unit left"
        fate = reader.view.unit(mine[0].seat).fate
        return f"{mine[0].name} {'routed' if fate == Fate.ROUTED else 'are destroyed'}"

    def _left(self, reader: Reader, member: Member) -> str:
        unit = reader.view.unit(member.seat)
        if unit.fate == Fate.DESTROYED:
            return f"{member.name} destroyed"
        if unit.fate == Fate.ROUTED:
            return f"{member.name} routed with {unit.figures} of {say.counted(member.figures, 'figure')}"
        return f"{member.name} have {unit.figures} of {say.counted(member.figures, 'figure')}"
