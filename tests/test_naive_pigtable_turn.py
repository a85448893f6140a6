"""The plain twin's turn on a table, in scenes made by hand (P-GAM-1 to P-GAM-14)."""

from typing import Any

import pytest

from tests.naive.pigtable.scenes import Scripted, at_pig, rolls, stop_at, table_of, turn

BOX = [[-8, -3], [-4, -3], [-4, 3], [-8, 3]]
HILL = {"kind": "hill", "polygon": BOX, "levels": [{"polygon": BOX}]}
"""A level from x = -512 to -256: he who starts on it at (-400, 0) is off it at -255."""
ON = (-400, 0)
M, C, O, H = "manoeuvre", "collision", "other", "hit"  # noqa: E741
AWAY = (0, 640)
"""A pig out of the way."""


def block(kind: str, x: float = 0) -> dict[str, Any]:
    """Return a line across the way east."""
    return {"kind": kind, "line": [[x, -3], [x, 3]]}


def rock(x: float = 0) -> dict[str, Any]:
    """Return a rock in the way east."""
    return {"kind": "obstacle", "disc": [x, 0, 1]}


def swamp(x: float = 0, bog: str = "swamp") -> dict[str, Any]:
    """Return a bog in the way east, 2 inches deep."""
    return {"kind": "bog", "bog": bog, "polygon": [[x, -3], [x + 2, -3], [x + 2, 3], [x, 3]]}


# Without a descent


def test_reaching_the_pig_is_an_attempt_and_ends_the_turn() -> None:
    """P-GAM-1, P-GAM-2, P-GAM-17: a hit scores, he stands where he touched it."""
    match = turn(table_of(pig=[1, 0]), (-300, 0), at_pig(), falls=[(H, 7)])
    man = match.men[0]
    assert (man.place, man.rumps, man.attempts, man.distance) == ((0, 0), 1, 1, 300)
    assert match.names() == "RIDES HIT"
    assert turn(table_of(pig=[1, 0]), (-300, 0), at_pig(), falls=[(H, 6)]).men[0].rumps == 0
    fumbled = turn(table_of(pig=[1, 0]), (-300, 0), at_pig(), falls=[(H, 3)]).men[0]
    assert (fumbled.wounds, fumbled.lost) == (1, 1)


def test_a_lancer_in_contact_lances_without_moving() -> None:
    """P-GAM-16: contact at the first point of the leg."""
    match = turn(table_of(), (-64, 0), at_pig(), falls=[(H, 9)])
    assert (match.men[0].place, match.men[0].distance, match.men[0].rumps) == ((-64, 0), 0, 1)
    assert match.told("RIDES")[0].roll == 0


def test_the_first_direction_is_free() -> None:
    """P-GAM-5, P-GAM-7: the second one is rolled for, a point on the way is no turn."""
    match = turn(table_of(pig=[8, 8]), ON, stop_at((-300, 0), (-200, 0)))
    assert rolls(match) == []
    match = turn(table_of(pig=[8, 8]), ON, stop_at((-300, 0), (-300, 100)), falls=[(M, 6)])
    assert rolls(match) == [("turn", 0, 6, 1)]
    assert match.men[0].place == (-300, 100)
    # Back the way he came is a change of direction, too.
    match = turn(table_of(pig=[8, 8]), ON, stop_at((-300, 0), (-350, 0)), falls=[(M, 5)])
    assert match.men[0].place == (-300, 0)  # P-GAM-10: a failed turn leaves him at the turning point
    # A point equal to the one before is left out (T-8).
    match = turn(table_of(pig=[8, 8]), ON, stop_at(ON, (-300, 0), (-300, 0), (-200, 0)))
    assert match.told("PLAN")[0].value == 2


@pytest.mark.parametrize(
    ("thing", "far", "kind"),
    [
        (rock(0), -96, "obstacle"),
        (block("wall"), -32, "beside"),
        (block("fence"), -32, "beside"),
        (block("hedge"), -32, "beside"),
        (block("chasm"), -32, "chasm"),
    ],
)
def test_what_a_turn_turns_away_from(thing: dict[str, Any], far: int, kind: str) -> None:
    """P-GAM-7: the first contact of the ray within 64 units, the limit counted (T-7)."""
    table = table_of(thing, pig=[8, 8])
    for start, expected in ((far - 64, kind), (far - 65, "turn"), (far, kind)):
        match = turn(table, ON, stop_at((start, 0), (start, 50)), falls=[(M, 6)])
        assert rolls(match)[0][0] == expected


def test_turning_before_lancers_pig_ramp_and_edge() -> None:
    """P-GAM-7: a lancer is avoided; pig and edge are nothing to avoid; at a ramp the brink is a chasm's."""
    table = table_of(pig=[8, 8])
    near = turn(table, ON, stop_at((-100, 0), (-100, 50)), falls=[(M, 6)], others=[(0, 0)])
    assert rolls(near)[0][0] == "lancer"
    assert near.told("MANOEUVRE")[0].other == 1
    for pig, others in (((0, 0), []), ((0, 0), [(0, 20)])):
        match = turn(table, ON, stop_at((-100, 0), (-100, 50)), falls=[(M, 6)], pig=pig, others=others)
        assert rolls(match)[0][0] == "turn"  # at one index the pig comes before the lancer
    assert rolls(turn(table, ON, stop_at((-730, 0), (-700, 90)), falls=[(M, 6)]))[0][0] == "turn"
    ends = [{"kind": "chasm", "line": [[0, y], [0, 3 * y]]} for y in (-1, 1)]
    bridge = table_of(*ends, {"kind": "ramp", "line": [[0, -1], [0, 1]]}, pig=[8, 8])
    match = turn(bridge, ON, stop_at((-80, 0), (-80, 50)), falls=[(M, 6)])
    assert rolls(match)[0][0] == "chasm"
    assert match.told("MANOEUVRE")[0].piece == 2


def test_contact_on_the_flat_stops_him() -> None:
    """P-GAM-8: without a roll, whatever it is; P-GAM-1: he rides through nobody."""
    for thing, far in ((rock(), -96), (block("wall"), -32), (block("chasm"), -32)):
        match = turn(table_of(thing, pig=[8, 8]), ON, stop_at((300, 0)))
        assert (match.men[0].place, match.names()) == ((far, 0), "RIDES")
    match = turn(table_of(pig=[8, 8]), ON, stop_at((300, 0)), others=[(0, 0)])
    assert match.men[0].place == (-64, 0)
    assert turn(table_of(pig=[8, 8]), ON, stop_at((-900, 0))).men[0].place == (-736, 0)


def test_tasks_of_terrain() -> None:
    """P-GAM-6: level, enter, leave; a bog may be only left, or only entered."""
    table = table_of(HILL, swamp(0, "ford"), pig=[8, 8])
    match = turn(table, (-600, 0), stop_at((-300, 0)), falls=[(M, 6)])
    assert rolls(match) == [("level", 0, 6, 1)]
    failed = turn(table, (-600, 0), stop_at((-300, 0)), falls=[(M, 5)])
    assert failed.men[0].place == (-512, 0)  # P-GAM-10
    again = turn(table, (-600, 0), stop_at((-300, 0)), falls=[(M, 5)], uphill_reroll=True)
    assert again.men[0].place == (-513, 0)  # T-5
    inside = turn(table, (-100, 0), stop_at((60, 0)), falls=[(M, 6)])
    assert (inside.men[0].place, rolls(inside)) == ((60, 0), [("enter", 0, 6, 1)])
    out = turn(table, (60, 0), stop_at((200, 0)), falls=[(M, 5)])
    assert (out.men[0].place, rolls(out)) == ((128, 0), [("leave", 0, 5, 0)])
    edge = turn(table, (-100, 0), stop_at((60, 0)), falls=[(M, 5)])
    assert edge.men[0].place == (1, 0)
    back = turn(table, (-100, 0), stop_at((60, 0)), falls=[(M, 5)], bog_edge_reroll=True)
    assert back.men[0].place == (0, 0)
    bend = turn(table, (-100, 0), stop_at((60, 0), (60, 50)), falls=[(M, 6), (M, 5)])
    assert (bend.men[0].place, rolls(bend)[1]) == ((60, 0), ("bend", 0, 5, 0))
    assert bend.told("MANOEUVRE")[1].piece == 1


def test_crossing_a_fence() -> None:
    """P-GAM-6, P-GAM-10, P-LIN-2: across and on, or stopped near or far by the die."""
    table = table_of(block("fence"), swamp(0), pig=[8, 8])
    over = turn(table, ON, stop_at((300, 0)), falls=[(M, 6), (M, 9), (M, 9)])
    assert (over.men[0].place, [kind for kind, *_ in rolls(over)]) == ((300, 0), ["fence", "enter", "leave"])
    near = turn(table, ON, stop_at((300, 0)), falls=[(M, 5), ("fence", 1)])
    assert (near.men[0].place, near.names()) == ((-32, 0), "MANOEUVRE FENCE RIDES")
    far = turn(table, ON, stop_at((300, 0)), falls=[(M, 5), ("fence", 2)])
    assert far.men[0].place == (32, 0)  # in the swamp, without a roll
    # The event that waited for the crossing cannot be left behind (T-5).
    stuck = turn(table, ON, stop_at((300, 0)), falls=[(M, 6), (M, 2)], bog_edge_reroll=True)
    assert stuck.men[0].place == (32, 0)


def test_a_ramp_is_crossed_or_deadly() -> None:
    """P-GAM-6, P-SPC-2."""
    ends = [{"kind": "chasm", "line": [[0, y], [0, 3 * y]]} for y in (-1, 1)]
    table = table_of(*ends, {"kind": "ramp", "line": [[0, -1], [0, 1]]}, pig=[8, 8])
    assert turn(table, ON, stop_at((300, 0)), falls=[(M, 6)]).men[0].place == (300, 0)
    dead = turn(table, ON, stop_at((300, 0)), falls=[(M, 5)])
    assert dead.names() == "MANOEUVRE RIDES OUT"
    assert (dead.told("OUT")[0].value, dead.told("OUT")[0].piece, dead.told("RIDES")[0].value) == (1, 2, -32)


# After a descent


def test_contacts_after_a_descent_are_collisions() -> None:
    """P-GAM-8: no roll before it; a lancer rolls too; a chasm kills; the edge stops him."""
    assert turn(table_of(HILL, rock(), pig=[8, 8]), ON, stop_at((300, 0)), falls=[(C, 8)]).names() == (
        "DOWN RIDES COLLISION"
    )
    wall = turn(table_of(HILL, block("wall"), pig=[8, 8]), ON, stop_at((300, 0)), falls=[(C, 7)])
    assert (wall.men[0].place, wall.men[0].wounds, wall.told("COLLISION")[0].piece) == ((-32, 0), 1, 1)
    both = turn(table_of(HILL, pig=[8, 8]), ON, stop_at((300, 0)), falls=[(O, 4), (C, 9)], others=[(0, 0)])
    assert (both.men[0].wounds, both.men[1].wounds, both.men[1].lost, both.men[1].place) == (0, 1, 1, (0, 0))
    dead = turn(table_of(HILL, block("chasm"), pig=[8, 8]), ON, stop_at((300, 0)))
    assert dead.names() == "DOWN RIDES OUT"
    edge = turn(table_of(HILL, pig=[8, 8]), ON, stop_at((900, 0)))
    assert (edge.men[0].place, edge.names()) == ((736, 0), "DOWN RIDES")
    hard = turn(table_of(HILL, pig=[8, 8]), ON, stop_at((900, 0)), falls=[(C, 5)], edge="collision")
    assert (hard.men[0].wounds, hard.told("COLLISION")[0].piece) == (1, -2)


def test_contact_with_no_room_to_cross_is_a_collision() -> None:
    """P-GAM-8, P-TAB-6: a fence without room is a wall, a ramp without room a chasm."""
    tight = turn(table_of(HILL, block("fence"), rock(1.5), pig=[8, 8]), ON, stop_at((300, 0)), falls=[(C, 8)])
    assert (tight.names(), tight.told("COLLISION")[0].piece) == ("DOWN RIDES COLLISION", 1)
    ends = [{"kind": "chasm", "line": [[0, y], [0, 3 * y]]} for y in (-1, 1)]
    bridge = [*ends, {"kind": "ramp", "line": [[0, -1], [0, 1]]}]
    assert turn(table_of(HILL, *bridge, rock(1.5), pig=[8, 8]), ON, stop_at((300, 0))).told("OUT")[0].value == 1


def test_a_fence_after_a_descent() -> None:
    """P-LIN-4, P-CRS-7: a collision instead of the die, and another try after an 11-12."""
    table = table_of(HILL, block("fence"), pig=[8, 8])
    missed = turn(table, ON, stop_at((300, 0)), falls=[(M, 6), (C, 9)])
    assert (missed.men[0].place, missed.names()) == ((-32, 0), "DOWN MANOEUVRE COLLISION RIDES")
    again = turn(table, ON, stop_at((100, 0)), falls=[(M, 6), (C, 11), (M, 7), (M, 7)])
    assert (again.men[0].place, rolls(again)[-1]) == ((100, 0), ("stop", -1, 7, 1))
    die = turn(table, ON, stop_at((100, 0)), falls=[(M, 6), ("fence", 4)], downhill_cross="d6")
    assert die.men[0].place == (32, 0)
    never = turn(table, ON, stop_at((100, 0)), falls=[(C, 12), (C, 8)], downhill_cross="forbidden")
    assert (never.men[0].place, never.names()) == ((-32, 0), "DOWN RIDES COLLISION COLLISION")  # T-10


def test_stopping_after_a_descent() -> None:
    """P-GAM-9: a roll, but not in a bog; a miss is a runaway."""
    table = table_of(HILL, swamp(0, "ford"), pig=[8, 8])
    assert rolls(turn(table, ON, stop_at((-100, 0)), falls=[(M, 7)])) == [("stop", -1, 7, 1)]
    assert rolls(turn(table, ON, stop_at((60, 0)), falls=[(M, 5)])) == [("enter", 1, 5, 1)]
    away = turn(table_of(HILL, pig=[8, 8]), ON, stop_at((-100, 0)), falls=[(M, 6)])
    assert (away.names(), away.men[0].place) == ("DOWN RIDES MANOEUVRE STEERED RIDES", (736, 0))
    stops = turn(table_of(HILL, pig=[8, 8]), ON, stop_at((-100, 0)), falls=[(M, 6)], failed_stop="stops")
    assert stops.men[0].place == (-100, 0)


def test_a_missed_change_of_direction_rides_on_into_it() -> None:
    """P-GAM-10: the collision leaves him at the contact point; P-GAM-11: an 11-12 lets him ride his next leg."""
    table = table_of(HILL, block("wall"), pig=[8, 8])
    plan = stop_at((-80, 0), (-80, 100))
    hit = turn(table, ON, plan, falls=[(M, 6), (C, 9)])
    assert hit.names() == "DOWN RIDES MANOEUVRE COLLISION RIDES"
    assert (hit.men[0].place, hit.men[0].distance) == ((-32, 0), 368)
    whee = turn(table, ON, plan, falls=[(M, 6), (C, 11), (M, 7)])
    assert (whee.men[0].place, rolls(whee)[1]) == ((-80, 100), ("stop", -1, 7, 1))
    at_it = turn(table, ON, stop_at((-32, 0), (-32, 100)), falls=[(M, 6), (C, 9)])
    assert at_it.names() == "DOWN RIDES MANOEUVRE COLLISION"
    brink = turn(table_of(HILL, block("chasm"), pig=[8, 8]), ON, plan, falls=[(M, 6)])
    assert (brink.names(), brink.told("RIDES")[0].value) == ("DOWN RIDES MANOEUVRE OUT", -80)
    both = turn(
        table_of(HILL, pig=[8, 8]), ON, stop_at((-80, 0), (-80, 100)), falls=[(M, 6), (O, 2), (C, 2)], others=[(0, 0)]
    )
    assert both.names() == "DOWN RIDES MANOEUVRE OTHER COLLISION RIDES"
    assert (both.men[0].place, both.men[0].wounds, both.men[1].wounds) == ((-64, 0), 1, 1)


def test_levels_are_kept_as_on_a_course() -> None:
    """P-GAM-6, P-CRS-2, P-CRS-3: straight into a bog the levels help, after a turn they weigh."""
    table = table_of(HILL, swamp(0), pig=[8, 8])
    straight = turn(table, ON, stop_at((300, 0)), falls=[(M, 8), (M, 9), (M, 7)])
    assert rolls(straight) == [("enter", -2, 8, 1), ("leave", -3, 9, 1), ("stop", -1, 7, 1)]
    turned = turn(table, ON, stop_at((-100, 0), (300, 50)), falls=[(M, 7), (M, 10), (M, 8)])
    assert rolls(turned) == [("turn", -1, 7, 1), ("enter", -4, 10, 1), ("leave", -3, 8, 0)]


# Planning anew (P-GAM-11)


def test_planning_anew_after_regained_control() -> None:
    """L and spent stay, leg is 0, the first direction is free."""
    table = table_of(HILL, block("wall"), swamp(-3, "ford"), pig=[8, 8])
    plans = [stop_at((300, 0)), stop_at((-32, 200), (-100, 200))]
    match = turn(table, ON, *plans, falls=[(M, 6), (M, 6), (C, 12), (M, 7), (M, 7)])
    assert [kind for kind, *_ in rolls(match)] == ["enter", "leave", "turn", "stop"]
    assert [modifier for _, modifier, *_ in rolls(match)] == [1, 0, -1, -1]
    assert match.men[0].place == (-100, 200)
    staying = turn(table_of(HILL, block("wall"), pig=[8, 8]), ON, stop_at((300, 0)), stop_at(), falls=[(C, 12)])
    assert (staying.men[0].place, staying.told("PLAN")[1].extra) == ((-32, 0), 0)


def test_limit_of_legs() -> None:
    """At most so many legs a turn, then he stops without a roll, also after a descent (T-9)."""
    plan = stop_at((-100, 0), (-100, 100), (-100, 200))
    match = turn(table_of(HILL, pig=[8, 8]), ON, plan, falls=[(M, 7)], max_legs=2)
    assert (match.men[0].place, match.names()) == ((-100, 100), "DOWN RIDES MANOEUVRE RIDES LIMIT")
    table = table_of(HILL, block("wall"), pig=[8, 8])
    match = turn(table, ON, stop_at((300, 0)), stop_at((-32, 200)), falls=[(C, 12)], max_legs=1)
    assert match.names() == "DOWN RIDES COLLISION LIMIT"


# Runaways (P-GAM-13)

TURN = stop_at((-150, 0), (-150, 100))


@pytest.mark.parametrize(
    ("things", "pig", "falls", "place", "names"),
    [
        ([rock(1)], AWAY, [(C, 8)], (-32, 0), "RIDES COLLISION"),
        ([block("wall")], AWAY, [(C, 8)], (-32, 0), "RIDES COLLISION"),
        ([block("fence")], AWAY, [(C, 8)], (-32, 0), "RIDES COLLISION"),
        ([block("chasm")], AWAY, [], (-32, 0), "RIDES OUT"),
        ([], AWAY, [], (736, 0), "RIDES"),
        ([], (300, 0), [], (-150, 0), ""),
        ([swamp()], AWAY, [(M, 12)], (1, 0), "MANOEUVRE RIDES"),
        ([swamp()], (300, 0), [(M, 2)], (1, 0), "MANOEUVRE RIDES"),
        ([swamp(), rock(5)], AWAY, [(M, 12), (M, 12), (C, 8)], (224, 0), "MANOEUVRE MANOEUVRE RIDES COLLISION"),
        ([swamp(), rock(5)], AWAY, [(M, 12), (M, 8)], (128, 0), "MANOEUVRE MANOEUVRE RIDES"),
        ([swamp(), rock(5)], AWAY, [(M, 2)], (1, 0), "MANOEUVRE RIDES"),
    ],
)
def test_the_worst_that_a_neighbour_can_do(
    things: list[dict[str, Any]], pig: tuple[int, int], falls: Any, place: tuple[int, int], names: str
) -> None:
    """Harm is ridden into, a bog entered, else the edge; the pig never."""
    match = turn(table_of(HILL, *things, pig=[8, 8]), ON, TURN, falls=[(M, 6), *falls], pig=pig)
    assert match.men[0].place == place
    assert match.names() == f"DOWN RIDES MANOEUVRE STEERED {names}".strip()
    assert match.men[0].runaways == 1


def test_runaway_over_a_ramp_and_up_a_hill() -> None:
    """The first ramp is ridden over; a failed level before it ends it; only ramps are crossed."""
    ends = [{"kind": "chasm", "line": [[3, y], [3, 3 * y]]} for y in (-1, 1)]
    bridge = [*ends, {"kind": "ramp", "line": [[3, -1], [3, 1]]}]
    high = [[-1, -3], [1, -3], [1, 3], [-1, 3]]
    hill = {"kind": "hill", "polygon": high, "levels": [{"polygon": high}]}
    table = table_of(HILL, *bridge)
    over = turn(table, ON, TURN, falls=[(M, 6), (M, 7)], pig=AWAY)
    assert (over.men[0].place, rolls(over)[1]) == ((224, 0), ("ramp", -1, 7, 1))
    dead = turn(table, ON, TURN, falls=[(M, 6), (M, 6)], pig=AWAY)
    assert dead.names().endswith("STEERED MANOEUVRE RIDES OUT")
    both = table_of(HILL, *bridge, hill)
    failed = turn(both, ON, TURN, falls=[(M, 6), (M, 6)], pig=AWAY)
    assert (failed.men[0].place, rolls(failed)[1]) == ((-64, 0), ("level", -1, 6, 0))
    passed = turn(both, ON, TURN, falls=[(M, 6), (M, 7), (M, 8)], pig=AWAY)
    assert (passed.men[0].place, rolls(passed)[2]) == ((224, 0), ("ramp", -2, 8, 1))


def test_straight_on_comes_to_the_contact() -> None:
    """`neighbour_policy` "straight_on", `failed_stop` "runs_on": the pig with a hit roll and its +1 (P-DN-5)."""
    table = table_of(HILL)
    match = turn(table, ON, TURN, falls=[(M, 6), (H, 6)], pig=(300, 0), neighbour_policy="straight_on")
    assert (match.men[0].rumps, match.men[0].place, match.told("HIT")[0].value) == (1, (236, 0), 1)
    match = turn(table, ON, stop_at((-150, 0)), falls=[(M, 6), (H, 5)], pig=(300, 0), failed_stop="runs_on")
    assert (match.men[0].attempts, match.told("STEERED")[0].other) == (1, -1)
    bog = table_of(HILL, swamp())
    match = turn(bog, ON, TURN, falls=[(M, 6), (M, 12), (M, 12)], pig=AWAY, neighbour_policy="straight_on")
    assert match.men[0].place == (736, 0)


def test_regained_control_in_a_runaway_plans_anew() -> None:
    """P-GAM-11, P-DN-4: also from an opponent; with a lancer both roll."""
    match = turn(
        table_of(HILL, pig=[8, 8]),
        ON,
        TURN,
        stop_at((-64, 300)),
        falls=[(M, 6), (O, 12), (C, 12), (M, 7)],
        others=[(0, 0)],
    )
    assert (match.men[0].place, rolls(match)[1]) == ((-64, 300), ("stop", -1, 7, 1))
    assert match.told("STEERED")[0].other == 1  # P-GAM-12


def test_left_neighbour() -> None:
    """P-GAM-12: the next seat in play, with teams the next one of the other team."""
    table = table_of()
    places = [(0, 100 + 100 * k) for k in range(4)]
    match = Scripted(table, places)
    assert [match.left_of(seat) for seat in range(4)] == [1, 2, 3, 0]
    match.gone.add(1)
    assert [match.left_of(seat) for seat in (0, 2, 3)] == [2, 3, 0]
    teams = Scripted(table, places, teams=[1, 1, 2, 2])
    assert [teams.left_of(seat) for seat in range(4)] == [2, 2, 0, 0]
    teams.gone |= {2, 3}
    assert teams.left_of(0) == -1
