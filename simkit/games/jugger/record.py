"""The record of a jug in words (J-REC-1): what burns it, whom it holds, what is left of spells and boarders."""

from simkit.games.jugger import phrases as say
from simkit.games.jugger.cast import Cast
from simkit.games.jugger.records import Special
from simkit.games.jugger.track import Scene


def notes(cast: Cast, scene: Scene, slot: int) -> list[str]:
    """Say what the record of a jug holds besides hits, velocity, place and pieces.

    Parameters
    ----------
    cast
        Who fights where.
    scene
        The battle at one moment.
    slot
        Which jug.

    Returns
    -------
    list of str
        Fires, holds and ropes from either side, haste, cauldrons not ready, boarders lost, spells left, captain; for a
        jug that is out, nothing.
    """
    jug, member = scene.jugs[slot], cast.jugs[slot]
    if jug.fate:
        return []
    told = [
        f"on fire: {fire.points} a turn for {say.counted(fire.left, 'turn')} ({cast.name(fire.firer)})"
        for fire in jug.fires
    ]
    told += [f"holds {cast.name(grip.foe)} ({member.item(grip.item)})" for grip in jug.holds]
    told += [f"rope on {cast.name(grip.foe)} ({member.item(grip.item)})" for grip in jug.ropes]
    for other, enemy in enumerate(scene.jugs):
        for what, grips in (("held by", enemy.holds), ("rope of", enemy.ropes)):
            told += [f"{what} {cast.name(other)} ({cast.item(other, grip.item)})" for grip in grips if grip.foe == slot]
    if jug.haste:
        told.append(f"haste: {say.counted(jug.haste, 'turn')}")
    told += [f"{member.item(item)} ready in turn {turn}" for item, turn in jug.ready if turn > scene.turn]
    parties = [
        item for item in range(len(member.weapons)) if member.pieces[member.weapons[item]].special == Special.BOARDERS
    ]
    if parties:
        there = [item for item in parties if item not in jug.spent and member.weapons[item] not in jug.lost]
        told.append(f"boarders left: {len(there)} of {len(parties)}")
    if jug.spells:
        told.append(f"spells: {say.spells(list(jug.spells))}")
    if jug.abilities:
        told.append(f"captain: {say.listed(list(jug.abilities))}")
    return told
