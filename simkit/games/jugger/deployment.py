"""Where a battle is fought and where every jug begins (J-DEP-1, J-MAP-1).

A side that changes seats takes the other's places, so that over both games of a pair no side stands better than the
other. Places that a file lists belong to their side: with the seats swapped the whole field is turned by half a circle
round its middle. On a field that looks otherwise then they stay where they are, and the seats swap their dice alone.
"""

from collections.abc import Iterator
from typing import NamedTuple

from simkit.games.jugger import maps
from simkit.games.jugger.maps import HexMap
from simkit.games.jugger.scenario import SIDES, Deployment, Scenario, SideName, Start

BEHIND = 4
"""Hexes behind each side on a map that is made for a distance."""

WEST, EAST = 0, 1
NEAR: dict[str, maps.Deployment] = {"ends": "ends", "close": "half"}
"""Deployments by their names in a file and in :func:`~simkit.games.jugger.maps.starts`."""


class Post(NamedTuple):
    """Where one jug begins, and how fast."""

    q: int
    r: int
    facing: int
    velocity: int

    def turned(self) -> "Post":
        """Return the same post on the field turned by half a circle."""
        return Post(-self.q, -self.r, (self.facing + 3) % 6, self.velocity)


def field(scenario: Scenario) -> HexMap:
    """Return the map of a battle, with the forest that the scenario sows on it.

    Raises
    ------
    KeyError
        No map has that name.

    Examples
    --------
    >>> duel = {"a": {"design": "archer"}, "b": {"design": "axer"}}
    >>> [field(Scenario(sides=duel, scenario={"distance": n})).half_length for n in (5, 40)]
    [12, 24]
    """
    battle = scenario.scenario
    found = battle.map if isinstance(battle.map, HexMap) else maps.find(battle.map or "open")
    if battle.map is None and battle.distance is not None:
        room = (battle.distance + 1) // 2 + BEHIND
        found = found.model_copy(update={"half_length": max(found.half_length, room)})
    if battle.density is not None:
        return maps.sown(found, battle.density, found.map_seed if battle.map_seed is None else battle.map_seed)
    return found if battle.map_seed is None else found.model_copy(update={"map_seed": battle.map_seed})


def posts(scenario: Scenario, map: HexMap, swapped: bool) -> list[Post]:
    """Return where every jug begins, side a's before side b's.

    Parameters
    ----------
    scenario
        A battle; only what is legal is promised to fit.
    map
        Its :func:`field`.
    swapped
        The seats are swapped: side a has seat 1.

    Raises
    ------
    ValueError
        The map has no room for so many.
    """
    battle = scenario.scenario
    if isinstance(battle.deployment, Deployment):
        listed = list(_listed(scenario, battle.deployment))
        return [post.turned() for post in listed] if swapped and is_alike(map) else listed
    found: list[Post] = []
    for seat, side in enumerate(SIDES):
        at = EAST - seat if swapped else WEST + seat
        count = scenario.side(side).count_of_jugs
        if battle.distance is not None:
            found += _in_rows(map, at, count, battle.distance, _arc(scenario, side), battle.velocity)
        else:
            starts = maps.starts(map, at, count, NEAR[battle.deployment or "ends"])
            found += [Post(*start, battle.velocity) for start in starts]
    return found


def is_alike(map: HexMap) -> bool:
    """Tell whether a map looks the same turned by half a circle."""
    return all({(-q, -r) for q, r in map.places(kind)} == set(map.places(kind)) for kind in maps.LISTS)


def _listed(scenario: Scenario, deployment: Deployment) -> Iterator[Post]:
    for start in deployment.a:
        yield _post(start, 0, scenario.scenario.velocity)
    for start in deployment.b:
        yield _post(start, 3, scenario.scenario.velocity)


def _post(start: Start, facing: int, velocity: int) -> Post:
    return Post(
        start.q,
        start.r,
        facing if start.facing is None else start.facing,
        velocity if start.velocity is None else start.velocity,
    )


def _arc(scenario: Scenario, side: SideName) -> int:
    battle = scenario.scenario
    return (battle.a_arc if side == "a" else battle.b_arc) or 0


def _in_rows(map: HexMap, at: int, count: int, distance: int, arc: int, velocity: int) -> Iterator[Post]:
    """Yield posts abreast, a row each, so many hexes from the other side's and with it in an arc (J-MAP-1)."""
    gap = 2 if count - 1 <= map.half_rows else 1
    first = -((count - 1) * gap // 2)
    for row in range(first, first + count * gap, gap):
        west = -(distance // 2) - row // 2
        if at == WEST:
            yield Post(west, row, (0 - arc) % 6, velocity)
        else:
            yield Post(west + distance, row, (3 - arc) % 6, velocity)
