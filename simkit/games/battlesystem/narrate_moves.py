"""Orders and moves retold: what is declared and lapses, what a move pays, why it stops, contacts, breakthroughs."""

import math
from fractions import Fraction

from simkit.games.battlesystem import phrases as say
from simkit.games.battlesystem.happenings import Opens, What
from simkit.games.battlesystem.kinds import Declaration
from simkit.games.battlesystem.reader import Reader
from simkit.games.battlesystem.reckoning import Change, cost, share, spent
from simkit.games.battlesystem.staging import STANDS, allowance
from simkit.games.battlesystem.tables import GRID
from simkit.games.battlesystem.track import FRONT, NOBODY, PAID, Contact, Happening

Sentence = tuple[str, list[str]]
ON_A_MOVE = (What.PAY, What.OPEN, What.LAPSE, What.MOVE)
COST_IDS = {
    "woods": "B-TER-3",
    "rough": "B-TER-6",
    "swamp": "B-TER-7",
    "ford": "B-LAN-9",
    "barrier": "B-TER-4",
    "ditch": "B-TER-4",
    "rise": "B-TER-5",
}


def declared(reader: Reader, seat: int, declaration: int) -> str:
    """Name a declaration in force."""
    return say.DECLARED[Declaration(declaration)].format(arm=reader.spears(seat))


def lapse(reader: Reader) -> Sentence:
    """Tell a declaration that ends without the unit's ranks opening."""
    row = reader.take()
    name, ended = reader.name(row.unit), declared(reader, row.unit, row.value)
    at_end = reader.cast.rules.declaration_lasts == "round_end"
    when = "at the end of the round" if at_end else "as their own movement begins"
    wall = row.value in (Declaration.WALL, Declaration.WALL_ROUND)
    told, ids = f"{name}: the {ended} {say.ends(row.value)} {when}", ["B-SHW-5" if wall else "B-LAN-13"]
    if not wall and _charged_while_set(reader, row.unit):
        return f"{told}, but they count against the charge that has come in", [*ids, "B-LAN-15"]
    return told, ids


def _charged_while_set(reader: Reader, seat: int) -> bool:
    """Tell whether an enemy charged into set spears this round: what counts is the moment of contact (B-LAN-15)."""
    view, side = reader.view, reader.cast.member(seat).side
    made = [one for one in view.contacts(seat) if one.charging(1 - side, view.scene.round)]
    return any(one.met_set[side] for one in made)


def choose(reader: Reader) -> Sentence:
    """Tell what ``best`` picks."""
    row = reader.take()
    picked = say.CHOICES[row.value].format(arm=reader.spears(row.unit))
    why = "of all they may do it promises most in this round's melee"
    if not row.value:
        why = "no declaration or move promises more in this round's melee"
    return f"{reader.name(row.unit)} choose {picked}: {why}", ["B-LAN-26"]


def declare(reader: Reader) -> Sentence:
    """Tell a declaration, what it costs, and what it is for."""
    held = bool(reader.view.contacts(reader.rows[reader.i].unit))
    row = reader.take()
    rules, name, arm = reader.cast.rules, reader.name(row.unit), reader.spears(row.unit)
    seat, value = row.unit, Declaration(row.value)
    if value == Declaration.CHARGE:
        return _charge(reader, row)
    if value == Declaration.REFORM:
        if reader.mine(seat, What.CLOSE):
            reader.take()
        _change(reader, seat, -rules.fraction("reform_move"), "re-forming")
        return f"{name} re-form: their ranks are closed again, for {rules.reform_move} of their move", ["B-LAN-11"]
    if value in (Declaration.WALL, Declaration.WALL_ROUND):
        better = f"AC better by {rules.wall_missile} against missiles and by {rules.wall_melee} in melee"
        if value == Declaration.WALL_ROUND:
            return f"{name} form a shield wall to all sides and stand: {better}", ["B-SHW-1", "B-SHW-2", "B-SHW-3"]
        reader.changes[seat] = [Change(-rules.fraction("wall_move"), "shield wall")]
        costs = "" if held else f"; it costs {rules.wall_move} of their move"
        return f"{name} form a shield wall to the front: {better}{costs}", ["B-SHW-1", "B-SHW-2", "B-SHW-4"]
    _change(reader, seat, -rules.fraction("set_move"), f"setting {arm}")
    sides = "to the front" if value == Declaration.SET else "to all sides"
    gain = ": double damage to whoever charges them" if rules.set_doubles else ""
    costs = "" if held else f"; it costs {rules.set_move} of their move"
    return f"{name} set their {arm} {sides}{gain}{costs}", ["B-SET-1", *(["B-SET-2"] if gain else [])]


def closes(reader: Reader) -> Sentence:
    """Tell a unit that closes its ranks, where no declaration tells it."""
    return f"{reader.name(reader.take().unit)} close their ranks again", ["B-LAN-11"]


def _change(reader: Reader, seat: int, by: Fraction, why: str) -> None:
    reader.fresh(seat).append(Change(by, why))


def _charge(reader: Reader, row: Happening) -> Sentence:
    meeting = reader.before_contact(row.unit)
    foe = meeting.foe if meeting else reader.view.foe_of(row.unit)
    rules, member = reader.cast.rules, reader.cast.member(row.unit)
    reader.changes[row.unit] = [Change(rules.fraction("charge_move"), "charge")]
    told = f"{member.name} declare a charge"
    if foe != NOBODY:
        told += f" at {reader.name(foe)}, {say.inches(reader.view.gap(row.unit, foe))} away"
    return f"{told}: a charge adds {rules.charge_move} to MV {say.mixed(member.rating.move)}", ["B-CHG-3", "B-LAN-16"]


# Moves


def march(reader: Reader) -> Sentence:
    """Tell a move: what was paid and opened on the way, how far it went, and why it ends there."""
    seat = reader.rows[reader.i].unit
    start, member, rules = reader.view.unit(seat).place, reader.cast.member(seat), reader.cast.rules
    changes, barred = reader.fresh(seat), _barred(reader, seat)
    began = len(changes)
    way, ids, moved = [], ["B-LAN-9"], None
    while moved is None and (row := reader.mine(seat, *ON_A_MOVE)):
        if row.what == What.OPEN and row.value == Opens.FAILED:
            break
        reader.take()
        if row.what == What.MOVE:
            moved = row
        elif row.what == What.PAY:
            kind = PAID[row.value - 1]
            again = 1
            while (more := reader.mine(seat, What.PAY)) and (more.value, more.extra) == (row.value, row.extra):
                reader.take()
                again += 1
            changes += [Change(-cost(kind, reader.cast), kind)] * again
            way.append(_paid(reader, kind, row.extra, again))
            ids.append(COST_IDS[kind])
        elif row.what == What.OPEN:
            cause = "at the obstacle" if row.value == Opens.OBSTACLE else "on that ground"
            way.append(f"their closed ranks open {cause}")
            ids.append("B-TER-4" if row.value == Opens.OBSTACLE else "B-LAN-11")
        else:
            way.append(f"the {declared(reader, seat, row.value)} {say.ends(row.value)} with them")
            ids.append("B-LAN-13")
    been = reader.went.setdefault(seat, start)
    used = spent(reader.cast, member, been, start) if been != start else Fraction(0)
    if moved is None:
        why = "" if used else _why(reader, seat, used, barred)
        told = f"{member.name} stay at {say.decimal(start)}"
        return f"{told}: {', '.join(way)}" + (f"; {why}" if why else ""), ids
    used += spent(reader.cast, member, start, moved.value)
    if _by_road(reader, seat, start, moved.value, used):
        changes.insert(began, Change(rules.fraction("road_move"), "road"))
        ids.append("B-TER-2")
    told = f"{member.name} move {say.inches(moved.extra)}, from {say.decimal(start)} to {say.decimal(moved.value)}"
    told += f" ({_allowed(reader, seat)}{_swum(reader, seat, start, moved.value)})"
    why = _why(reader, seat, used, barred)
    return ", ".join([told, *way]) + (f"; {why}" if why else ""), ids


def _swum(reader: Reader, seat: int, start: int, end: int) -> str:
    """Say how fast a unit is in the water that its move led through (B-LAN-10)."""
    low, high = sorted((start, end))
    wet = any(one.kind == "water" and one.start < high and one.end > low for one in reader.cast.lane.segments)
    swim = reader.cast.member(seat).rating.swim
    return f", in water {say.mixed(Fraction(swim))}" if wet and swim else ""


def _paid(reader: Reader, kind: str, place: int, times: int) -> str:
    """Write what a kind of ground, obstacle or rise costs at a place."""
    verb, often = "cost" if kind == "woods" else "costs", f" ({say.times(times)})" if times > 1 else ""
    return f"{say.THINGS[kind]} at {say.decimal(place)} {verb} {say.mixed(cost(kind, reader.cast))} of the move{often}"


def _allowed(reader: Reader, seat: int) -> str:
    """Write how far a unit may go this round."""
    member, changes = reader.cast.member(seat), reader.fresh(seat)
    told = f"of MV {say.mixed(member.rating.move)}"
    if not changes:
        return told
    multiply = reader.cast.rules.terrain_stack == "multiply"
    most = allowance(member, share(changes, reader.cast))
    return f"{told} {say.part(changes, multiply=multiply)} = {say.decimal(most)}"


def _by_road(reader: Reader, seat: int, start: int, end: int, used: Fraction) -> bool:
    """Tell whether a move went farther than it could without the bonus of a road (B-LAN-10)."""
    cast, member = reader.cast, reader.cast.member(seat)
    low, high = sorted((start, end))
    roads = all(one.kind == "road" for one in cast.lane.segments if one.start < high and one.end > low)
    roads = roads and cast.stands(start, member.side).kind == "road"
    return roads and used > allowance(member, share(reader.fresh(seat), cast))


def _why(reader: Reader, seat: int, used: Fraction, barred: bool) -> str:
    """Say why a move ends where it does; empty where the next event tells it, or nothing does.

    Parameters
    ----------
    used
        What it took of the allowance, in 36ths.
    barred
        Whether something lay between the fronts as it began that lets no charge through.
    """
    cast, member, unit = reader.cast, reader.cast.member(seat), reader.view.unit(seat)
    if reader.before_contact(seat):
        return ""
    left = allowance(member, share(reader.fresh(seat), cast)) - used
    stands, ahead = cast.stands(unit.place, member.side), cast.ahead(unit.place, member.side)
    wet = ahead.kind == "water" and member.rating.swim
    if left * ((member.rating.swim or 0) / member.rating.move if wet else 1) < 1:
        return "that is all they may"
    foe, thing = reader.view.foe_of(seat), _ahead(reader, seat)
    gap = reader.view.gap(seat, foe) if foe != NOBODY else -1
    held = not cast.rules.walk_in or unit.declared in STANDS or (member.policy == "charge" and not barred)
    if held and gap == cast.rules.charge_least * GRID and member.policy != "skirmish":
        return f"they stop {say.inches(gap)} short of {reader.name(foe)}, as far as a charge needs"
    if member.policy == "skirmish" and member.ranges and gap == member.ranges[2] * GRID:
        return f"they stop just inside long range of {reader.name(foe)}"
    if thing == "water":
        return "they stop at the water, which they cannot enter"
    if (thing and ahead != stands) or thing in ("barrier", "ditch", "rise"):
        begun = thing == "rise" and (unit.place, "rise") in unit.passed
        what, it = "its next ten feet" if begun else say.THINGS[thing], "them" if begun or thing == "woods" else "it"
        return f"they stop before {what}: what is left of the move does not pay for {it}"
    if thing:
        return f"what is left does not pay for {say.THINGS[thing]}"
    return ""


def _barred(reader: Reader, seat: int) -> bool:
    """Tell whether something between a front and its enemy's, both ends included, lets no charge through (B-LAN-16)."""
    cast, view, member = reader.cast, reader.view, reader.cast.member(seat)
    foe = view.foe_of(seat)
    if foe == NOBODY:
        return False
    place, passed = view.unit(seat).place, view.unit(seat).passed
    low, high = sorted((place, place + member.way * view.gap(seat, foe)))
    end = high if member.way > 0 else low
    kinds: set[str] = {cast.stands(place, member.side).kind, cast.ahead(end, member.side).kind}
    kinds |= {one.kind for one in cast.lane.segments if one.start < high and one.end > low}
    points = [point for point in cast.lane.points if low <= point.at <= high and (point.at, point.kind) not in passed]
    edges = {one.start for one in cast.lane.segments if low <= one.start <= high}
    rises = any(cast.rises(at, member.side) > passed.count((at, "rise")) for at in edges)
    woods = "woods" in kinds and member.rating.ratio != 1
    return woods or bool(kinds & {"water", "ford"}) or bool(points) or rises


def _ahead(reader: Reader, seat: int) -> str:
    """Name what lies just before a front and must be paid for, or cannot be entered; empty if nothing does."""
    cast, member, view = reader.cast, reader.cast.member(seat), reader.view
    unit = view.unit(seat)
    paid = [kind for place, kind in unit.passed if place == unit.place]
    if view.ditch(seat):
        return next(point.kind for point in cast.lane.points if point.at == unit.place)
    if cast.rises(unit.place, member.side) > paid.count("rise"):
        return "rise"
    kind = cast.ahead(unit.place, member.side).kind
    if kind == "water":
        return "" if member.rating.swim else "water"
    free = member.rating.exempt | {change.why for change in reader.fresh(seat)}
    return kind if kind in ("woods", "rough", "swamp", "ford") and kind not in free else ""


# Contacts


def advance(reader: Reader) -> Sentence:
    """Tell a reserve that comes up."""
    row = reader.take()
    return f"{reader.name(row.unit)} come up from the reserve into slot {row.value}", ["B-LAN-27"]


def break_through(reader: Reader) -> Sentence:
    """Tell a breakthrough."""
    row = reader.take()
    member = reader.cast.member(row.unit)
    been, now = reader.went.get(row.unit, reader.view.unit(row.unit).place), reader.view.unit(row.unit).place
    most = allowance(member, share(reader.fresh(row.unit), reader.cast))
    left = math.floor(most - spent(reader.cast, member, been, now))
    gap = reader.view.gap(row.unit, row.foe)
    told = f"{member.name} break through to {reader.name(row.foe)}, {say.inches(gap)} away"
    return f"{told}: {say.inches(left)} of their charge are left", ["B-CHG-3", "B-LAN-28"]


def contact(reader: Reader) -> Sentence:
    """Tell a contact: where they strike each other, and what set spears do about it."""
    row = reader.take()
    member, foe = reader.cast.member(row.unit), reader.cast.member(row.foe)
    made = reader.view.between(row.unit, row.foe)
    past = reader.view.past(row.unit, row.foe)
    told = f"{member.name} {'charge' if row.extra else 'walk'} into {foe.name} at {say.decimal(row.value)}"
    told += ", as their fronts are past each other" if past else ""
    ids = ["B-LAN-17"]
    if made is None:
        return told, ids
    side = member.side
    if made.how != (FRONT, FRONT):
        told += f", striking the {made.how[side]} and struck on the {made.how[1 - side]}"
        ids.append("B-LAN-6")
    if made.met_set[1 - side]:
        effects = _set_effects(reader, made, side, charged=bool(row.extra))
        told += f"; {foe.name} have their {reader.spears(row.foe)} set: {effects}"
        ids.append("B-LAN-15")
    if made.bogged[side] or made.bogged[1 - side]:
        low = [one.name for one in (member, foe) if made.bogged[one.side]]
        told += f"; {say.listed(low)} fight out of low ground"
        ids.append("B-TER-10")
    return told, ids


def _set_effects(reader: Reader, made: Contact, side: int, *, charged: bool) -> str:
    """Say what set spears do to whoever comes into them (B-CHG-1, B-SET-2, B-SET-3)."""
    rules, member = reader.cast.rules, reader.cast.member(made.units[side])
    effects = []
    if rules.set_first_strike == "always" or (charged and rules.set_first_strike == "vs_charge"):
        both = made.met_set[side] and rules.set_first_strike == "always"
        effects.append("both sides strike together" if both else "they strike first")
    if charged and rules.set_doubles:
        effects.append("with double damage" if effects else "they do double damage")
    if charged and member.mounted:
        effects.append(f"the charge gets no -{rules.charge_bonus}")
    return ", ".join(effects) if effects else "it is no charge, so they gain nothing"
