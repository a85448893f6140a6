"""Names for the numbers of a Setup: who is who in a battle, for those who retell it."""

from simkit.games.jugger import aliases
from simkit.games.jugger.aliases import WEAPONS
from simkit.games.jugger.cast import Cast, Member, Piece, Start, captain_titles, told_apart
from simkit.games.jugger.compile import breakable
from simkit.games.jugger.deployment import field, posts
from simkit.games.jugger.designs import Design, hits
from simkit.games.jugger.happenings import BOLT, FIREBALL, KICK, Purpose
from simkit.games.jugger.items import Entry
from simkit.games.jugger.records import Jug as Numbers
from simkit.games.jugger.records import PieceKind, Setup
from simkit.games.jugger.roster import roster, titles
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import SIDES, Scenario

DICE = {
    Purpose.INITIATIVE: "initiative_dice",
    Purpose.DEPLOY: "deploy_dice",
    Purpose.FIRE_TURNS: "fire_turns_dice",
    Purpose.ROPE: "rope_dice",
    Purpose.REPAIR: "repair_dice",
    Purpose.WALL: "wall_hits",
    Purpose.SPELL_COUNT: "spell_count_dice",
    Purpose.HASTE_TURNS: "haste_turns_dice",
    Purpose.RESTORE: "restoration_dice",
    Purpose.RAM: "ram_dice",
    Purpose.BOUNCE: "bounce_dice",
    Purpose.COLLISION: "collision_dice",
}
"""Which field of the rules holds the dice of a purpose."""

NUMBERS = ("boarder", "ballistae")
"""Names of weapons that differ from those of the tables by their number alone."""


def cast(scenario: Scenario, rules: Rules, setup: Setup, seat: int) -> Cast:
    """Return who fights where in a battle.

    Parameters
    ----------
    scenario, rules
        What was set up.
    setup
        Both compiled.
    seat
        Seat of side a, as in ``game.play_one``: 1 when the seats are swapped.

    Examples
    --------
    >>> from simkit.games.jugger.compile import compile
    >>> duel = {"sides": {"a": {"design": "archer"}, "b": {"design": "thrasher"}}, "scenario": {"distance": 5}}
    >>> battle = Scenario.model_validate(duel)
    >>> people = cast(battle, Rules(), compile(battle, Rules()), 1)
    >>> [(jug.name, jug.start.q) for jug in people.jugs], people.sides
    ([('Thrasher', -2), ('Archer', 3)], ('B', 'A'))
    """
    order = SIDES[::-1] if seat else SIDES
    labels = {name: scenario.side(name).title or name.upper() for name in SIDES}
    called = [(title, name) for name in order for title in titles(scenario, name)]
    names = told_apart([title for title, _ in called], [name.upper() for _, name in called])
    counts = {"a": int(setup.count_a), "b": int(setup.count_b)}
    map = field(scenario)
    places = posts(scenario, map, swapped=seat == 1)
    members: list[Member] = []
    for side, name in enumerate(order):
        for k, design in enumerate(roster(scenario, name)):
            row = k if name == "a" else counts["a"] + k
            jug, start = setup.jugs[row], Start(*places[row])
            total = hits(design, rules)
            title = titles(scenario, name)[k]
            pieces = pieces_of(design, rules, jug)
            abilities = tuple(title for i, title in enumerate(captain_titles()) if jug.captain >> i & 1)
            members.append(Member(names[len(members)], title, side, design.size, total, start, pieces, abilities))
    return Cast(
        jugs=tuple(members),
        sides=tuple(labels[name] for name in order),
        map=map,
        swapped=seat == 1,
        dice={Purpose.CAPTAIN: "1d10", **{purpose: str(getattr(rules, name)) for purpose, name in DICE.items()}},
        bare_dice={KICK: rules.kick_dice, FIREBALL: rules.fireball_damage, BOLT: rules.bolt_damage},
        ram_bonus=rules.ram_bonus,
        at_least=rules.to_hit == "at_least",
        fires_stack=rules.fire_stacks,
        multiplies=rules.oversize == "multiply",
        cauldron_reroll=rules.cauldron_reroll,
        cauldron_every=rules.cauldron_every,
        grab_stops=rules.grab_stops,
        drag_top_velocity=rules.drag_top_velocity,
        drive_through_loss=rules.drive_through_loss,
        strategic_roll=rules.strategic_roll,
    )


def pieces_of(design: Design, rules: Rules, jug: Numbers) -> tuple[Piece, ...]:
    """Name the pieces of a jug."""
    pieces = []
    kinds = {item.kind for item in breakable(design.items, rules)}
    called = [(item, name) for item, name in zip(design.items, _called(design), strict=True) if item.kind in kinds]
    for (item, own), numbers in zip(called, jug.pieces[: jug.piece_count], strict=True):
        title = item.kind.replace("_", " ")
        if numbers.kind != PieceKind.WEAPON:
            pieces.append(Piece(title, int(numbers.kind)))
            continue
        weapon = jug.weapons[numbers.weapon]
        special = int(weapon.special)
        kind = WEAPONS[weapon.kind]
        scythe = rules.weapons[kind].special == "scythe"
        dice = rules.weapons[kind].damage if scythe else str(rules.damage(kind, item.size)[0])
        table = "" if own == title else title
        pieces.append(Piece(own, PieceKind.WEAPON, item.size, special, dice, int(weapon.winch), table))
    return tuple(pieces)


def _called(design: Design) -> list[str]:
    """List what a design calls each of its items."""
    names: list[str] = []
    for entry in design.equipment:
        items = design.model_copy(update={"equipment": [entry]}).items
        names += [_own(entry, item.kind) for item in items]
    return names


def _own(entry: str | Entry, kind: str) -> str:
    """Return what an entry of an equipment list calls a thing, as one of it: a dropper, and no flail."""
    read = aliases.read(entry) if isinstance(entry, str) else None
    name = read.name if read else "" if isinstance(entry, str) else str(entry.weapon or entry.item)
    spelled = aliases.plain(name)
    for known in (kind, *aliases.ALSO.get(kind, "").split()):
        if spelled in (known, f"{known}s", f"{known}es") and known not in NUMBERS:
            return known.replace("_", " ")
    return kind.replace("_", " ")
