"""What is wrong with a battle under the rules: designs, map, places, objectives (J-DES-1, J-DEP-1, J-ARM-2)."""

from collections.abc import Iterator

from simkit.core.dice import DiceError, thresholds
from simkit.games.jugger import aliases, designs, maps, tuned
from simkit.games.jugger.deployment import Post, field, is_alike, posts
from simkit.games.jugger.designs import Design, UnknownDesignError
from simkit.games.jugger.items import KeyPath
from simkit.games.jugger.maps import HexMap
from simkit.games.jugger.roster import design_of, likely, roster
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import SIDES, Deployment, Scenario, SideName
from simkit.games.protocol import Complaint

MOST_DICE = 40
"""Most different damage dice in a battle."""

MAP: KeyPath = ("scenario", "map")
VICTORY: KeyPath = ("scenario", "victory")


def complaints(scenario: Scenario, rules: Rules) -> list[Complaint]:
    """Return every reason why a battle is illegal under these rules; empty when it is legal.

    Examples
    --------
    >>> duel = {"sides": {"a": {"design": "thrashr"}, "b": {"design": "archer", "count": 3}}}
    >>> complaints(Scenario.model_validate(duel), Rules())[0][1:]
    ("no design is called 'thrashr'", 'J-ARM-1', "did you mean 'thrasher'? published ones: simkit designs jugger")
    """
    found = [*_designs(scenario, rules), *tuned.complaints(scenario)]
    try:
        map = field(scenario)
    except KeyError:
        return [*found, _no_map(str(scenario.scenario.map))]
    wrong = maps.complaints(map, MAP)
    found += wrong or [*_forest(scenario, map), *_places(scenario, map), *_objectives(scenario, map)]
    if not found:
        found += _velocities(scenario, rules)
    return found


# Designs


def _designs(scenario: Scenario, rules: Rules) -> Iterator[Complaint]:
    for name, design in scenario.designs.items():
        yield from designs.complaints(design, rules, ("designs", name))
        yield from dice_of(design, rules, ("designs", name, "equipment"))
    known = []
    for side in SIDES:
        for i, unit in enumerate(scenario.side(side).every_unit):
            path = _path(scenario, side, i)
            try:
                design = design_of(scenario, unit)
            except UnknownDesignError:
                name = str(unit.design)
                yield Complaint(path, f"no design is called '{name}'", "J-ARM-1", likely(scenario, name))
                continue
            known.append(design)
            if isinstance(unit.design, str) and unit.design in scenario.designs:
                continue  # its own table was looked at above
            inner = designs.complaints(design, rules, path)
            inner += dice_of(design, rules, (*path, "equipment"))
            if isinstance(unit.design, Design):
                yield from inner
            elif inner:
                reason = inner[0]
                yield Complaint(path, f"'{unit.design}' is not legal: {reason.message}", reason.id, reason.help)
    yield from different_dice(known, rules)


def _path(scenario: Scenario, side: SideName, unit: int) -> KeyPath:
    """Return where the design of a unit stands in the file."""
    if scenario.side(side).units is None:
        return ("sides", side, "design")
    return ("sides", side, "units", unit, "design")


def dice_of(design: Design, rules: Rules, path: KeyPath) -> Iterator[Complaint]:
    """Complain about oversize weapons that throw more dice than can be read from a table."""
    if rules.oversize == "multiply":
        return
    for item in dict.fromkeys(_weapons(design)):
        try:
            thresholds(rules.damage(item.kind, item.size)[0])
        except DiceError as error:
            name = item.kind.replace("_", " ")
            yield Complaint(
                path, f"the damage of a size {item.size} {name}: {error.message}", "J-SC-2", 'oversize = "multiply"'
            )


def _weapons(design: Design) -> tuple[designs.Item, ...]:
    try:
        return design.weapons
    except ValueError:
        return ()  # an entry that cannot be read has a complaint of its own


def different_dice(known: list[Design], rules: Rules) -> Iterator[Complaint]:
    """Complain about more kinds of damage dice than there is room for."""
    used = {(item.kind, item.size if rules.oversize == "more_dice" else 1) for one in known for item in _weapons(one)}
    if len(used) > MOST_DICE:
        message = f"the weapons of this battle throw {len(used)} kinds of damage dice"
        yield Complaint(("sides",), message, "J-SC-2", f"at most {MOST_DICE}: fewer sizes of weapons")


def _velocities(scenario: Scenario, rules: Rules) -> Iterator[Complaint]:
    """Complain about jugs with legs that would begin above their limit (J-EQ-3)."""
    battle = scenario.scenario
    jugs = [*roster(scenario, "a"), *roster(scenario, "b")]
    for i, (design, post) in enumerate(zip(jugs, posts(scenario, field(scenario), False), strict=True)):
        if design.count("legs") and post.velocity > rules.legs_top_velocity:
            listed = isinstance(battle.deployment, Deployment)
            path = _post_path(scenario, i) if listed else ("scenario", "velocity")
            message = f"a jug with legs begins at velocity {post.velocity}; legs allow {rules.legs_top_velocity}"
            yield Complaint(path, message, "J-EQ-3", f"a velocity of 0 to {rules.legs_top_velocity}")
            if not listed:
                return


# Map and places


def _no_map(name: str) -> Complaint:
    known = maps.load()
    close = aliases.closest(name, known)
    hint = f"did you mean '{close}'? " if close else ""
    return Complaint(MAP, f"no map is called '{name}'", "J-MAP-1", f"{hint}there are: {', '.join(known)}")


def _forest(scenario: Scenario, map: HexMap) -> Iterator[Complaint]:
    if scenario.scenario.map_seed is not None and map.density is None:
        message = "map_seed sows a forest, and this map has none to be sown"
        yield Complaint(("scenario", "map_seed"), message, help="give a density too, or leave map_seed out")


def _places(scenario: Scenario, map: HexMap) -> Iterator[Complaint]:
    battle = scenario.scenario
    counts = {side: scenario.side(side).count_of_jugs for side in SIDES}
    if isinstance(battle.deployment, Deployment):
        lists = {"a": battle.deployment.a, "b": battle.deployment.b}
        uneven = [side for side in SIDES if len(lists[side]) != counts[side]]
        for side in uneven:
            message = f"{_many(len(lists[side]), 'place')} for {_jugs(counts[side])}"
            yield Complaint(("scenario", "deployment", side), message, "J-DEP-1", "every jug needs one place")
        if uneven:
            return
    elif battle.distance is None:
        room = min(maps.room(map, 0), maps.room(map, 1))
        crowded = [side for side in SIDES if counts[side] > room]
        for side in crowded:
            path = ("sides", side, "design" if scenario.side(side).units is None else "units")
            message = f"{_jugs(counts[side])} on side {side}; the map has room for {room} a side"
            yield Complaint(path, message, "J-DEP-1", "fewer jugs, or more free hexes in both halves of the map")
        if crowded:
            return
    solid = {place: kind for kind in maps.SOLID for place in map.places(kind)}
    for swapped in (False, True):
        taken: dict[tuple[int, int], Post] = {}
        for i, post in enumerate(posts(scenario, map, swapped)):
            place = (post.q, post.r)
            wrong = ""
            if not map.covers(*place):
                wrong = "beyond the rim"
            elif place in solid:
                wrong = f"on {'an' if solid[place] == 'obstacle' else 'a'} {solid[place]}"
            elif place in taken:
                wrong = "where another jug stands"
            taken[place] = post
            if wrong:
                yield _misplaced(scenario, map, i, post, wrong)
                if not isinstance(battle.deployment, Deployment):
                    return
        if isinstance(battle.deployment, Deployment):
            return  # the same field, turned or as it is


def _misplaced(scenario: Scenario, map: HexMap, i: int, post: Post, wrong: str) -> Complaint:
    if isinstance(scenario.scenario.deployment, Deployment):
        message = f"a jug would begin on [{post.q}, {post.r}], {wrong}"
        free = "one jug a hex, and none on an obstacle or a wall"
        help = free if map.covers(post.q, post.r) else _limits(map)
        return Complaint(_post_path(scenario, i), message, "J-MAP-5", help)
    message = f"at distance {scenario.scenario.distance} a jug would begin on [{post.q}, {post.r}], {wrong}"
    return Complaint(("scenario", "distance"), message, "J-MAP-5", "without map there is room for any distance")


def _post_path(scenario: Scenario, i: int) -> KeyPath:
    first = scenario.sides.a.count_of_jugs
    side, place = ("a", i) if i < first else ("b", i - first)
    return ("scenario", "deployment", side, place)


def _limits(map: HexMap) -> str:
    return f"on this map abs(r) <= {map.half_rows} and abs(2 q + r) <= {2 * map.half_length}"


def _jugs(count: int) -> str:
    return _many(count, "jug")


def _many(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{count} {what}s"


# Objectives


def _objectives(scenario: Scenario, map: HexMap) -> Iterator[Complaint]:
    victory = scenario.scenario.victory
    counts = {side: scenario.side(side).count_of_jugs for side in SIDES}
    for side, target in zip(SIDES, (victory.target_a, victory.target_b), strict=True):
        if target is not None and target > counts[side]:
            path = (*VICTORY, f"target_{side}")
            yield Complaint(path, f"side {side} has {_jugs(counts[side])}; there is no number {target}", "J-ARM-2")
    if victory.occupy is not None:
        q, r = victory.occupy
        solid = {place for kind in maps.SOLID for place in map.places(kind)}
        if not map.covers(q, r):
            yield Complaint((*VICTORY, "occupy"), f"[{q}, {r}] lies beyond the rim", "J-ARM-2", _limits(map))
        elif (q, r) in solid and not victory.within:
            yield Complaint((*VICTORY, "occupy"), f"nobody can stand on [{q}, {r}]", "J-ARM-2", "give within too")
        elif (q, r) != (0, 0) and not is_alike(map):
            yield _lopsided((*VICTORY, "occupy"), "a place to be occupied beside the middle")
    if victory.break_through is not None:
        path = (*VICTORY, "break_through")
        most = max(counts.values())
        if victory.break_through > most:
            yield Complaint(path, f"no side has {_jugs(victory.break_through)}", "J-ARM-2", f"at most {most}")
        if victory.far_end is not None and victory.far_end > map.half_length:
            message = f"{victory.far_end} hexes are more than half of the map"
            yield Complaint((*VICTORY, "far_end"), message, "J-ARM-2", f"at most {map.half_length}")
        if isinstance(scenario.scenario.deployment, Deployment) and not is_alike(map):
            yield _lopsided(path, "break_through with listed places")


def _lopsided(path: KeyPath, what: str) -> Complaint:
    """Complain about an aim that moves to the other end of the map with the seats, where the map is another."""
    message = f"{what} needs a map that looks the same turned by half a circle"
    return Complaint(path, message, "J-ARM-2", "symmetric = true makes one")
