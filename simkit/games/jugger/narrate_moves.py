"""Moves retold: velocity, hexes and turns, and what a jug runs into."""

from simkit.games.jugger import phrases as say
from simkit.games.jugger.happenings import Happening, Purpose, What, where
from simkit.games.jugger.narrate_attacks import IDS, reaction
from simkit.games.jugger.narrate_harm import harm
from simkit.games.jugger.reader import Reader
from simkit.games.jugger.records import OBSTACLE, OUTSIDE, PieceKind
from simkit.games.jugger.track import Scene

RAM = -1
"""What a dodge, shield or damage control names instead of a weapon where a ram is meant."""

WALKING = (What.TURN_TO, What.ENTER, What.MOVE_TO)


def move(reader: Reader) -> tuple[str, list[str]]:
    """Tell the beginning of a move: the velocity, and the way up to what interrupts it."""
    row = reader.take()
    reader.mover = row.jug
    told, ids = say.pace(reader.name(row.jug), row.extra, row.value), ["J-ACC-2"]
    if reader.peek(*WALKING):
        way, more = _way(reader, row.jug)
        told, ids = f"{told}: {way}", ids + more
    return told, ids


def onward(reader: Reader) -> tuple[str, list[str]]:
    """Tell how a move goes on after an interruption."""
    slot = reader.mover if reader.peek(What.MOVE_TO) else reader.rows[reader.i].jug
    way, ids = _way(reader, slot)
    return f"{reader.name(slot)} goes on: {way}", ids or ["J-ACC-4"]


def _way(reader: Reader, slot: int) -> tuple[str, list[str]]:
    """Tell hexes and turns of one jug up to the next event that is neither, and where it ends."""
    parts: list[str] = []
    ids: list[str] = []
    ahead = turns = 0

    def settle() -> None:
        nonlocal ahead, turns
        parts.extend([f"{say.hexes(ahead)} ahead"] if ahead else [say.turned(turns)] if turns else [])
        ahead = turns = 0

    while (row := reader.peek(*WALKING)) and (row.jug == slot or row.what == What.MOVE_TO):
        before = reader.scene
        reader.take()
        if row.what == What.ENTER:
            if turns:
                settle()
            ahead += 1
            if row.extra < before.jugs[slot].velocity:
                settle()
                parts[-1] += f" into {ground(reader, before, where(row.value))} (velocity {row.extra})"
                ids.append("J-TER-1")
        elif row.what == What.TURN_TO:
            if ahead or turns * row.roll < 0:
                settle()
            turns += row.roll
        else:
            settle()
            parts.append(f"{reader.name(row.jug)} taken along to {say.at(where(row.value))}")
            ids.append("J-WPN-13")
    settle()
    jug = reader.scene.jugs[slot]
    return f"{', '.join(parts)}, now at {say.at(jug.place)} facing {say.COMPASS[jug.facing]}", ids


def ground(reader: Reader, scene: Scene, place: tuple[int, int]) -> str:
    """Name what slows a jug down in a hex."""
    kind = reader.terrain.get(place)
    names: list[str] = ["rubble" if kind == "wall" else kind] if kind else []
    if any(wreck.place == place for wreck in scene.wrecks):
        names.append("wreckage")
    return say.listed(names) if names else "rough ground"


def stop(reader: Reader) -> tuple[str, list[str]]:
    """Tell a stop without harm."""
    before = reader.scene
    row = reader.take()
    name = reader.name(row.jug)
    if row.foe < 0:
        return f"{name} cannot drag on and stops at {say.at(where(row.value))}", ["J-WPN-13"]
    friend = before.jugs[row.foe].side == before.jugs[row.jug].side
    other = f"its {'friend' if friend else 'enemy'} {reader.name(row.foe)}"
    told = f"{name} stops in front of {other} at {say.at(where(row.value))}, velocity 0"
    return told, ["J-RAM-8" if friend else "J-RAM-7"]


def leave(reader: Reader) -> tuple[str, list[str]]:
    """Tell that a jug leaves the map."""
    row = reader.take()
    more, ids = harm(reader)
    return "; ".join([f"{reader.name(row.jug)} leaves the map", *more]), ["J-MAP-2", *ids]


def collide(reader: Reader) -> tuple[str, list[str]]:
    """Tell a collision and what came of it."""
    before = reader.scene
    row = reader.take()
    jug, name = before.jugs[row.jug], reader.name(row.jug)
    ids = ["J-COL-1"]
    thing = {OBSTACLE: "an obstacle", OUTSIDE: "the rim"}.get(row.extra, "")
    if row.extra >= 0:
        thing = f"the wall at {say.at(reader.cast.walls[row.extra])}"
        ids.append("J-COL-2")
    elif row.extra == OUTSIDE:
        ids.append("J-MAP-2")
    die, size = reader.die(Purpose.COLLISION, row.roll), reader.cast.jugs[row.jug].size
    told = f"{name} hits {thing}: {say.crash(die, row.roll, size, jug.velocity, row.value)}"
    return _with_reactions(reader, told, ids, before)


def ram(reader: Reader) -> tuple[str, list[str]]:
    """Tell a ram and everything that came of it."""
    before = reader.scene
    row = reader.take()
    told = f"{reader.name(row.jug)} rams {reader.name(row.foe)} {say.RAMS[row.extra]}: {_sum(reader, before, row)}"
    return _with_reactions(reader, told, [say.RAM_IDS[row.extra]], before)


def dodge(reader: Reader) -> tuple[str, list[str]]:
    """Tell a try to dodge a ram, or an attack before it is rolled."""
    row = reader.take()
    name = reader.name(row.jug)
    thing = f"the ram of {reader.name(row.foe)}"
    if row.item != RAM:
        thing = f"{reader.name(row.foe)}'s {reader.cast.item(row.foe, row.item)}"
    told = f"{name} {'dodges' if row.value else 'fails to dodge'} {thing} on {row.roll}"
    if (moved := reader.peek(What.MOVE_TO)) and moved.jug == row.jug:
        reader.take()
        told += f" and slips to {say.at(where(moved.value))}"
    return told, ["J-CAP-1"]


def _with_reactions(reader: Reader, told: str, ids: list[str], before: Scene) -> tuple[str, list[str]]:
    """Add to a contact what follows it: shields, damage control, the rammed jug's own ram, and what came of all."""
    parts = [told]
    while reader.peek(What.SHIELD, What.CONTROL, What.RAM_BACK):
        if reader.peek(What.RAM_BACK):
            back = reader.take()
            parts.append(f"{reader.name(back.jug)} rams back: {_sum(reader, before, back)}")
            continue
        following = reader.rows[reader.i]
        ids.append(IDS[What(following.what)])
        parts.append(reaction(reader))
    more, why = harm(reader)
    return "; ".join([*parts, *more]), [*ids, *why]


def _sum(reader: Reader, before: Scene, row: Happening) -> str:
    """Take the damage of a ram apart."""
    rammer, target = before.jugs[row.jug], before.jugs[row.foe]
    member = reader.cast.jugs[row.jug]
    rams = sum(piece.kind == PieceKind.RAM and i not in rammer.lost for i, piece in enumerate(member.pieces))
    bonus = rams * reader.cast.ram_bonus
    lead = rammer.velocity - target.velocity if row.what == What.RAM and row.extra == 2 else rammer.velocity
    return say.ram(reader.die(Purpose.RAM, row.roll), row.roll, bonus, member.size, rammer.velocity, lead, row.value)
