"""Volleys, blows and their harm retold, with the sums behind every number."""

from collections import Counter
from collections.abc import Sequence

from simkit.games.battlesystem import phrases as say
from simkit.games.battlesystem import reckoning
from simkit.games.battlesystem.frontage import Shown, Strikers, shown, strikers
from simkit.games.battlesystem.happenings import Opens, What
from simkit.games.battlesystem.narrate_moves import Sentence, declared
from simkit.games.battlesystem.ratings import Part
from simkit.games.battlesystem.reader import Attack, Reader, Struck
from simkit.games.battlesystem.reckoning import Term
from simkit.games.battlesystem.staging import Member
from simkit.games.battlesystem.track import Contact, Happening, View


def shoot(reader: Reader) -> Sentence:
    """Tell who shoots at whom, how far, and on which index."""
    cast, view = reader.cast, reader.view
    row = reader.take()
    distance, _, band = reckoning.in_range(cast, view, row.unit, row.foe)
    terms = reckoning.missile_index(cast, view, row.unit, row.foe)
    reader.attack = Attack(True, row.extra, charging=False, twice=False)
    told = f"{cast.name(row.unit)} shoot at {cast.name(row.foe)} with {say.counted(row.value, 'figure')}"
    told += f", {say.inches(distance)} away ({band} range)" if distance else f", {_near(reader, row)}"
    return f"{told}: index {say.total(terms, row.extra)}", ["B-LAN-18", *_ids(terms, row.extra)]


def _near(reader: Reader, row: Happening) -> str:
    """Say how it is that there is no distance between two units that are not in contact (B-LAN-27)."""
    past = reader.view.past(row.unit, row.foe)
    return "their fronts past each other (short range)" if past else "right before them (short range)"


def _ids(terms: Sequence[Term], stated: int) -> list[str]:
    """Return the rules behind a sum, where its parts are told."""
    return [term.id for term in terms if term.id and term.value] if sum(term.value for term in terms) == stated else []


def rolls(reader: Reader) -> Sentence:
    """Tell the rolls of one unit's attacks, equal ones together, and the hit dice they kill."""
    cast, first = reader.cast, reader.rows[reader.i]
    member, attack = cast.member(first.unit), reader.attack
    thrown: Counter[tuple[int, int]] = Counter()
    while (row := reader.peek(What.ROLL)) and (row.unit, row.foe) == (first.unit, first.foe):
        reader.take()
        thrown[row.roll, row.value] += 1
    parts: tuple[Part, ...] = ()
    count, told = thrown.total(), []
    if attack is not None:
        parts = (member.missile,) if attack.missile and member.missile else member.rating.parts
    for (roll, hit_dice), n in sorted(thrown.items()):
        index = "" if attack is None else f" (N {attack.difference + roll})"
        hits = (
            []
            if attack is None
            else reckoning.hits(
                parts, member.rating.ratio, attack.difference + roll, cast, charging=attack.charging, twice=attack.twice
            )
        )
        often = "" if n == 1 else f"{say.times(n)} "
        told.append(f"{often}{roll}{index} kills {say.killed(hits, hit_dice)}{' each' if n > 1 and hit_dice else ''}")
    total = sum(hit_dice * n for (_, hit_dice), n in thrown.items())
    dice = " and ".join(dict.fromkeys(say.dice(part.dice) for part in parts))
    done = f" for {dice}" if dice else ""
    opening = f"{member.name} roll {cast.rules.attack_dice} {say.times(count)}{done}"
    summed = f" = {say.counted(total, 'hit die', 'hit dice')}" if count > 1 else ""
    return f"{opening}: {'; '.join(told)}{summed}", ["B-MEL-1", *(["B-MEL-3"] if len(parts) > 1 else [])]


# Blows


def strike(reader: Reader) -> Sentence:
    """Tell who strikes at whom with how many figures and why, and on which index."""
    cast, view, i = reader.cast, reader.at(reader.i + 1), reader.i
    row = reader.take()
    made = view.between(row.unit, row.foe)
    member, foe = cast.member(row.unit), cast.member(row.foe)
    answer = reader.struck if reader.struck and reader.struck[:2] == (row.foe, row.unit) else None
    first = answer is None and _strikes_first(reader.rows, i)
    reader.struck = None
    if made is None:
        reader.attack = Attack(False, row.extra, charging=False, twice=False)
        return f"{member.name} strike at {foe.name} with {say.counted(row.value, 'figure')}: index {row.extra}", [
            "B-LAN-19"
        ]
    side = member.side
    theirs = shown(foe, view.unit(row.foe), view.struck_on(made, side), cast.rules)
    mine = _front(reader, view, made, member, answer)
    if first:
        reader.struck = Struck(row.unit, row.foe, theirs.files)
    charging, twice = reckoning.doubled(cast, view, made, side)
    reader.attack = Attack(False, row.extra, charging, twice)
    terms = reckoning.melee_index(cast, view, made, side)
    told = f"{member.name} strike{' first' if first else ' back' if answer else ''} at {foe.name}"
    told += f" with {say.counted(row.value, 'figure') if row.value else 'no figure'}"
    told += _who(reader, mine, theirs, row.value)
    if answer and mine.files < answer.files:
        are = "is" if mine.files == 1 else "are"
        told += f"; of {say.counted(answer.files, 'file')} in front {mine.files or 'none'} {are} left"
    told += f": index {say.total(terms, row.extra)}"
    ids = ["B-LAN-5", *_ids(terms, row.extra), "B-LAN-21" if first or answer else "B-LAN-20"]
    if twice:
        told += f"; {reader.spears(row.unit)} set against a charge do double damage"
        ids.append("B-SET-2")
    elif row.value and charging and any(part.doubles for part in member.rating.parts):
        told += "; their weapons do double damage in the charge"
        ids.append("B-CHG-2")
    return told, ids


def _strikes_first(rows: Sequence[Happening], i: int) -> bool:
    """Tell whether the strike at `i` takes effect before the enemy's (B-LAN-21)."""
    before = i - 1
    while before >= 0 and rows[before].what == What.ROLL:
        before -= 1
    if before >= 0 and rows[before].what == What.STRIKE and rows[before].unit == rows[i].foe:
        return False
    after = i + 1
    while after < len(rows) and rows[after].what == What.ROLL:
        after += 1
    return after < len(rows) and rows[after].what == What.DAMAGE


def _front(reader: Reader, view: View, made: Contact, member: Member, answer: Struck | None) -> Shown:
    """Return what a unit strikes with; after a first strike what that has left (B-LAN-21)."""
    left = None if answer is None else max(0, answer.files - answer.fell)
    return shown(member, view.unit(member.seat), view.struck_on(made, 1 - member.side), reader.cast.rules, left)


def _who(reader: Reader, mine: Shown, theirs: Shown, stated: int) -> str:
    """Say who strikes, where the parts lead to the number of attacks (B-LAN-5)."""
    found: Strikers = strikers(mine, theirs, reader.cast.rules)
    if found.total != stated or not stated:
        return ""
    inches = reader.cast.rules.frontage == "inches"
    against = f"a front of {say.long(theirs.length)}" if inches else say.counted(theirs.files, "file")
    parts = [f"{found.contact} of {say.counted(mine.files, 'file')} against {against}"]
    if found.overlap:
        parts.append(f"{found.overlap} beside it")
    parts += [f"{figures} of rank {r}" for r, figures in enumerate(found.ranks, 2) if figures]
    return f" ({', '.join(parts)})"


# Harm


def damage(reader: Reader) -> Sentence:
    """Tell what damage does: figures that fall, the wound that is left, and who is destroyed."""
    hurt: list[Happening] = []
    while reader.peek(What.DAMAGE) and (not hurt or reader.rows[reader.i].unit != hurt[-1].unit):
        hurt.append(reader.take())
    lost: dict[int, Happening] = {}
    gone: set[int] = set()
    while row := reader.peek(What.LOSE, What.DESTROYED):
        if row.unit not in {one.unit for one in hurt}:
            break
        reader.take()
        if row.what == What.LOSE:
            lost[row.unit] = row
        else:
            gone.add(row.unit)
    told = [_hurt(reader, row, lost.get(row.unit), row.unit in gone) for row in hurt]
    if reader.struck and reader.struck.charger == hurt[0].unit:
        reader.struck = reader.struck._replace(fell=_fell(reader, hurt[0]))
    return "; ".join(told), ["B-LAN-7", *(["B-MEL-2"] if len(hurt) > 1 else [])]


def _wound(reader: Reader, row: Happening) -> int:
    """Return the wound that a unit had before damage: what is left over tells it (B-LAN-7)."""
    return (row.extra - row.value) % reader.cast.member(row.unit).rating.pool


def _fell(reader: Reader, row: Happening) -> int:
    """Return the figures for which damage is enough."""
    return (_wound(reader, row) + row.value) // reader.cast.member(row.unit).rating.pool


def _hurt(reader: Reader, row: Happening, lost: Happening | None, gone: bool) -> str:
    member = reader.cast.member(row.unit)
    wound, pool = _wound(reader, row), member.rating.pool
    told = f"{member.name} take {say.counted(row.value, 'hit die', 'hit dice')}"
    if not row.value:
        return f"{told.replace(' 0 ', ' no ')}{f', the wound stays {wound}' if wound else ''}"
    told += f" on a wound of {wound}" if wound else ""
    size = say.counted(pool, "hit die", "hit dice")
    if lost is None:
        return f"{told}: too few for a figure of {size}, a wound of {row.extra}"
    enough = _fell(reader, row)
    fall = say.counted(lost.value, "figure falls", "figures fall")
    if enough > lost.value:
        last = "the last one falls" if lost.value == 1 else f"all {lost.value} fall"
        fall = f"enough for {enough} figures, {last}"
    told += f", {size} a figure: {fall}, {lost.extra} of {member.figures} left"
    if gone:
        return f"{told}, they are destroyed"
    return told + (f" with a wound of {row.extra}" if row.extra else "")


def alone(reader: Reader) -> Sentence:
    """Tell figures that fall, or a unit that is destroyed, where no damage comes just before."""
    row = reader.take()
    name = reader.name(row.unit)
    if row.what == What.DESTROYED:
        return f"{name} are destroyed", ["B-LAN-7"]
    return f"{name} lose {say.counted(row.value, 'figure')}, {row.extra} left", ["B-LAN-7"]


# Morale


def check(reader: Reader) -> Sentence:
    """Tell a morale check with its sum, and what a failure does."""
    cast, view = reader.cast, reader.view
    row = reader.take()
    member, unit = cast.member(row.unit), view.unit(row.unit)
    terms = reckoning.morale(cast, row.unit, unit)
    told = f"{member.name}, {member.figures - unit.figures} of {say.counted(member.figures, 'figure')} lost, check"
    told += f" their morale: {say.total(terms, row.value)} or less on {cast.rules.morale_dice}; {row.roll},"
    ids = ["B-LAN-23", "B-LAN-24"]
    if row.extra:
        return f"{told} passed", ids
    if (opened := reader.mine(row.unit, What.OPEN)) and opened.value == Opens.FAILED:
        reader.take()
        told += " failed: their closed ranks open"
        if ended := reader.mine(row.unit, What.LAPSE):
            reader.take()
            told += f", the {declared(reader, row.unit, ended.value)} {say.ends(ended.value)}"
        return told, ids
    if reader.mine(row.unit, What.ROUT):
        reader.take()
        return f"{told} failed: they rout", [*ids, "B-MOR-1"]
    return f"{told} failed", ids


def routs(reader: Reader) -> Sentence:
    """Tell a rout, where no check comes just before."""
    return f"{reader.name(reader.take().unit)} rout", ["B-MOR-1"]


def opens(reader: Reader) -> Sentence:
    """Tell ranks that a failed check opens, where that check does not come just before."""
    return f"{reader.name(reader.take().unit)}: their closed ranks open", ["B-LAN-24"]
