"""What came of attacks, rams and fires: hits lost, jugs out, holds, critical rolls."""

from simkit.games.jugger import phrases as say
from simkit.games.jugger.happenings import Cause, Happening, Purpose, What, where
from simkit.games.jugger.ramming import push
from simkit.games.jugger.reader import Reader
from simkit.games.jugger.records import PieceKind

OF_HARM = (
    What.HURT,
    What.GRAB,
    What.OUT,
    What.FREED,
    What.ROPE_ENDS,
    What.NEW_SIDE,
    What.PUSH,
    What.BOUNCE,
    What.FOLLOW,
    What.DRIVE_THROUGH,
    What.WALL_DOWN,
)
"""Events that take effect together after dice were thrown."""

HARM_IDS = {
    What.HURT: "J-DMG-1",
    What.GRAB: "J-WPN-13",
    What.FREED: "J-WPN-14",
    What.ROPE_ENDS: "J-WPN-9",
    What.NEW_SIDE: "J-WPN-16",
    What.PUSH: "J-RAM-12",
    What.BOUNCE: "J-RAM-13",
    What.DRIVE_THROUGH: "J-RAM-10",
    What.WALL_DOWN: "J-COL-4",
}
OUT_IDS = {Cause.CREW: "J-WPN-5", Cause.CAPTURED: "J-WPN-5", Cause.EXIT: "J-MAP-2", Cause.CUT: "J-WPN-17"}


def harm(reader: Reader) -> tuple[list[str], list[str]]:
    """Tell the events that took effect together: their phrases and rules."""
    parts, ids = [], []
    while reader.peek(*OF_HARM):
        row = reader.take()
        parts.append(_effect(reader, row))
        ids.append(
            OUT_IDS.get(Cause(row.value), "J-DMG-1") if row.what == What.OUT else HARM_IDS.get(What(row.what), "")
        )
    return parts, [id for id in ids if id]


def _effect(reader: Reader, row: Happening) -> str:
    """Tell one effect."""
    name = reader.name(row.jug) if row.jug >= 0 else ""
    foe = reader.name(row.foe) if row.foe >= 0 and row.what in (What.GRAB, What.FREED, What.ROPE_ENDS) else ""
    what = row.what
    if what == What.HURT:
        rolls = _due(reader, row.jug)
        due = f", {say.counted(rolls, 'critical roll')}" if rolls else ""
        return f"{name} {row.extra + row.value} -> {row.extra} hits{due}"
    if what == What.OUT:
        return _out(reader, row)
    if what == What.GRAB:
        return f"{foe} is held by {name}'s {reader.cast.item(row.jug, row.item)}"
    if what == What.FREED:
        return f"{foe} is free of {name}'s {reader.cast.item(row.jug, row.item)}"
    if what == What.ROPE_ENDS:
        return f"the rope of {name}'s {reader.cast.item(row.jug, row.item)} is off {foe}"
    if what == What.NEW_SIDE:
        return f"{name} fights for {reader.side(row.value)} now"
    if what == What.DRIVE_THROUGH:
        stays = not reader.peek(What.ENTER)
        return f"{name} {'stays there' if stays else 'drives on'} at velocity {row.value}"
    if what == What.WALL_DOWN:
        return f"the wall at {say.at(reader.cast.walls[row.extra])} falls to rubble"
    if what == What.FOLLOW:
        return f"{name} follows to {say.at(where(row.extra))}"
    return f"{name} {_forced(reader, row)}"


def _forced(reader: Reader, row: Happening) -> str:
    """Tell how far a jug is pushed or bounced, and whether it was meant to go farther."""
    pushes = row.what == What.PUSH
    told = "is pushed" if pushes else f"is bounced ({reader.die(Purpose.BOUNCE, row.roll)})"
    if reader.peek(What.EXIT):
        return f"{told} over the rim"
    if not row.value:
        return f"{told}, but has no room"
    place = say.at(where(row.extra))
    if row.value < (_push(reader, row) if pushes else row.roll):
        return f"{told}, stopped after {say.hexes(row.value)} at {place}"
    return f"{told} {say.hexes(row.value)} to {place}"


def _push(reader: Reader, row: Happening) -> int:
    """Return how many hexes the ram before a push meant to move its target (J-RAM-12)."""
    at = reader.i - 1
    while at >= 0 and reader.rows[at].what != What.RAM:
        at -= 1
    if at < 0:
        return row.value
    rammer, moved = reader.rows[at].jug, 0
    velocity = reader.scenes[at].jugs[rammer].velocity
    while at >= 0 and (reader.rows[at].what, reader.rows[at].jug) != (What.MOVE, rammer):
        moved += (reader.rows[at].what, reader.rows[at].jug) == (What.ENTER, rammer)
        at -= 1
    return int(push(velocity, moved, reader.cast.jugs[row.jug].size))


def _out(reader: Reader, row: Happening) -> str:
    name, place = reader.name(row.jug), say.at(where(row.extra))
    if row.value == Cause.CAPTURED:
        return f"{name} is captured by {reader.side(row.foe)}" if row.foe >= 0 else f"{name} is captured"
    if row.value == Cause.CREW:
        return f"{name} stands without a crew at {place}"
    if row.value == Cause.EXIT:
        return f"{name} is off the map"
    return f"{name} is {say.FATES[Cause(row.value)]} at {place}"


def _due(reader: Reader, slot: int) -> int:
    """Count the critical rolls of a jug that follow."""
    rolls = 0
    for k in range(reader.i, len(reader.rows)):
        row = reader.rows[k]
        if row.what == What.CRITICAL:
            rolls += row.jug == slot
        elif row.what != What.LOSE and row.what not in OF_HARM:
            break
    return rolls


def criticals(reader: Reader) -> tuple[str, list[str]]:
    """Tell the critical rolls of one jug and what they cost it."""
    slot, parts = reader.rows[reader.i].jug, []
    ids = ["J-DMG-2"]
    while (row := reader.peek(What.CRITICAL)) and row.jug == slot:
        reader.take()
        told = f"{row.roll}, nothing"
        if row.extra >= 0:
            told = f"{row.roll}, to be chosen by {reader.side(row.extra)}, but nothing is left"
            if (lost := reader.peek(What.LOSE)) and lost.jug == slot:
                empty = " (killed before)" if _spent(reader, lost) else ""
                reader.take()
                told = f"{row.roll}, chosen by {reader.side(row.extra)}: {piece(reader, lost)}{empty} lost"
                ids += ["J-DMG-7", "J-DMG-9"]
            more, why = harm(reader)
            told = ", ".join([told, *more])
            ids += why
        parts.append(told)
    rolls = "Critical roll" if len(parts) == 1 else "Critical rolls"
    return f"{rolls} of {reader.name(slot)}: {'; '.join(parts)}", ids


def _spent(reader: Reader, row: Happening) -> bool:
    """Tell whether a piece that is lost is a boarding party which was killed before: it is still a piece (J-DMG-7)."""
    weapons = reader.cast.jugs[row.jug].weapons
    return any(weapons[item] == row.item for item in reader.scene.jugs[row.jug].spent)


def piece(reader: Reader, row: Happening) -> str:
    """Name the piece that a LOSE event takes away."""
    titles = reader.cast.jugs[row.jug].titles
    return titles[row.item] if 0 <= row.item < len(titles) else say.KINDS[PieceKind(row.value)]
