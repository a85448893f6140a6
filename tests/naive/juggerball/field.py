"""The playing field of the twin: rim, goals with their arcs, places to start from (J-BALL-7, J-BALL-16, J-BALL-19)."""

from collections.abc import Iterable

from tests.naive.jugger.board import Board, Hex, distance, step


class Field(Board):
    """A field that is the same seen from either end, with what changes on it; side 0 defends the west goal."""

    def __init__(
        self,
        half_length: int,
        half_rows: int,
        g: int,
        starts: Iterable[Hex],
        *,
        obstacles: Iterable[Hex] = (),
        walls: Iterable[Hex] = (),
        forests: Iterable[Hex] = (),
        ball_start: Hex = (0, 0),
    ) -> None:
        self.half_length, self.half_rows, self.g = half_length, half_rows, g
        self.starts = tuple(starts)
        self.ball_start = ball_start
        kinds = {"obstacle": tuple(obstacles), "wall": tuple(walls), "forest": tuple(forests)}
        inside = [
            (q, r)
            for r in range(-half_rows, half_rows + 1)
            for q in range(-2 * half_length, 2 * half_length + 1)
            if abs(2 * q + r) <= 2 * half_length
        ]
        super().__init__(inside, {place: kind for kind, places in kinds.items() for place in places})
        self.goals: tuple[Hex, Hex] = ((-g, 0), (g, 0))
        self.goals_are_solid = True

    def fresh(self) -> "Field":
        """Return the field as it is before a match."""
        return Field(
            self.half_length, self.half_rows, self.g, self.starts, obstacles=self.all_of("obstacle"), walls=self.walls,
            forests=self.all_of("forest"), ball_start=self.ball_start,
        )  # fmt: skip

    def all_of(self, kind: str) -> list[Hex]:
        """Return the hexes of a kind of terrain, in the order of the map."""
        return [place for place, one in self.terrain.items() if one == kind]

    def solid(self, place: Hex) -> bool:
        """Tell whether no jug can be in a hex: a goal's hex, too (J-BALL-16)."""
        return super().solid(place) or (self.goals_are_solid and place in self.goals)

    def goal_of(self, place: Hex) -> int | None:
        """Return the side that defends the goal in a hex."""
        return self.goals.index(place) if place in self.goals else None

    def open_arcs(self, side: int) -> list[int]:
        """Return the arcs of a side's goal whose neighbours are no farther from the other goal (J-BALL-7)."""
        own, other = self.goals[side], self.goals[1 - side]
        return [arc for arc in range(6) if distance(step(own, arc), other) <= distance(own, other)]

    def lets_in(self, place: Hex, side: int) -> bool:
        """Tell whether a ball that steps through a side into a goal's hex comes through an open arc."""
        goal = self.goal_of(place)
        assert goal is not None
        return (side + 3) % 6 in self.open_arcs(goal)

    def starts_of(self, side: int) -> list[tuple[int, int, int, int]]:
        """Return the X's of a side with the facing of its jugs and velocity 0 (J-BALL-7, J-BALL-23)."""
        return [(q, r, 0, 0) if side == 0 else (-q, -r, 3, 0) for q, r in self.starts]

    def near_goal(self, place: Hex, side: int, hexes: int) -> bool:
        """Tell whether a hex is within a distance of a side's own goal (J-BALL-19)."""
        return distance(place, self.goals[side]) <= hexes


PITCH_STARTS = ((-5, 0), (-3, -4), (-7, 4), (-7, 0), (-7, -3), (-10, 3), (-9, 0))
PILLARS = (
    (2, -4), (-2, 4), (-2, -2), (-4, 2), (4, -2), (2, 2), (-8, -1), (-9, 1), (9, -1), (8, 1), (-4, -6), (-10, 6),
    (10, -6), (4, 6),
)  # fmt: skip
GATES_STARTS = ((-4, 0), (-2, -4), (-6, 4), (-6, 0), (-4, -2), (-6, 2), (-8, 4))
GATES = ((1, -2), (2, -3), (2, -4), (-1, 2), (-2, 3), (-2, 4), (-7, -1), (-8, 1), (8, -1), (7, 1))

FIELDS = {
    "pitch": Field(15, 7, 13, PITCH_STARTS),
    "pillars": Field(15, 7, 13, PITCH_STARTS, obstacles=PILLARS),
    "gates": Field(12, 6, 10, GATES_STARTS, walls=GATES),
}
"""The three fields of the rules (J-BALL-7)."""
