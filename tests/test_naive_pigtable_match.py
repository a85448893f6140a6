"""The plain twin's match on a table: harm, order, dice, the pig, the end (P-GAM-3, P-GAM-4, P-GAM-14 to P-GAM-18)."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from simkit.core.rng import draw, make_key, stream
from tests.naive.pigtable.dice import PURPOSES, Dice, read
from tests.naive.pigtable.exact import values_of_route
from tests.naive.pigtable.fields import DEFAULTS, rules_of
from tests.naive.pigtable.lines import lancer_solid
from tests.naive.pigtable.match import Match, play
from tests.naive.pigtable.notes import NAMES
from tests.naive.pigtable.pig import move_pig
from tests.naive.pigtable.scenes import KEY, Scripted, at_pig, rolls, stop_at, table_of, turn

BOX = [[-8, -3], [-4, -3], [-4, 3], [-8, 3]]
HILL = {"kind": "hill", "polygon": BOX, "levels": [{"polygon": BOX}]}
ON = (-400, 0)
M, C, O, H = "manoeuvre", "collision", "other", "hit"  # noqa: E741
RULES = rules_of({})
WALL = {"kind": "wall", "line": [[0, -3], [0, 3]]}
FENCE = {"kind": "fence", "line": [[0, -3], [0, 3]]}


# The other lancer (P-GAM-14)


def test_harm_to_the_other_lancer() -> None:
    """A wound costs his next turn, two of them one or both; damage counts; he may be taken off the table."""

    def crash(*others: int, **rules: Any) -> Scripted:
        match = Scripted(table_of(HILL, pig=[8, 8]), [ON, (0, 0)], **rules)
        for total in others:
            match.men[0].place = ON
            match.planned.plans = [stop_at((300, 0))]
            match.falls = [(O, total), (C, 9)]
            match.take_turn()
        return match

    assert crash(6, 6).men[1].lost == 1
    assert crash(6, 6, lost_turns="add").men[1].lost == 2
    assert crash(6, wound_effect="count").men[1].lost == 0
    assert crash(6, 6, wounds_to_retire=3).gone == set()
    retired = crash(6, 6, wounds_to_retire=2)
    assert (retired.gone, retired.told("OUT")[0].value) == ({1}, 3)
    assert retired.names().endswith("OTHER OUT COLLISION")
    wrecked = crash(7, 7, unicycle_damage=True, wreck_at=2)
    assert (wrecked.men[1].damage, wrecked.men[1].wounds, wrecked.told("OUT")[0].value) == (2, 0, 2)
    assert crash(3, unicycle_damage=True, wreck_at=1, wounds_to_retire=1).told("OUT")[0].value == 2
    fresh = crash(6, 6, wounds_to_retire=2, substitute=True)
    assert (fresh.men[1].wounds, fresh.total(1, "wounds"), fresh.gone) == (0, 2, set())
    assert fresh.told("FRESH")[0][2:] == (1, -1, -1, 0, 0, 0)


def test_own_harm_takes_him_off_the_table() -> None:
    """P-GAM-3, P-GAM-14: damage weighs on later rolls; killed comes before wrecked, wrecked before retired."""
    match = Scripted(table_of(HILL, WALL, pig=[8, 8]), [ON], stop_at((300, 0)), falls=[(C, 2)], unicycle_damage=True)
    man = match.take_turn()
    assert (man.wounds, man.damage, man.lost) == (1, 1, 1)
    match.planned.plans, match.falls = [stop_at((-100, 0), (-100, 100))], [(M, 6)]
    match.take_turn()
    assert rolls(match)[-1] == ("turn", -1, 6, 0)
    gone = turn(table_of(HILL, WALL, pig=[8, 8]), ON, stop_at((300, 0)), falls=[(C, 2)], wounds_to_retire=1)
    assert gone.told("OUT")[0].value == 3


# Exact values (P-TAB-7)


def test_exact_values_of_stops_and_runaways() -> None:
    """What is arrived, and what a runaway may do."""
    table = table_of(HILL, WALL, pig=[8, 8])
    s, w = Fraction(21, 36), Fraction(21, 36)
    stop = values_of_route(table, {}, (512, 512), [], [ON, (-150, 0)], "stop")
    assert (stop["arrived"], stop["runaway"], stop["wounded"]) == (s, 1 - s, (1 - s) * w)
    free = values_of_route(table, {"failed_stop": "stops"}, (512, 512), [], [ON, (-150, 0)], "stop")
    assert (free["arrived"], free["runaway"]) == (1, 0)  # T-14
    up = values_of_route(table, {}, (512, 512), [], [(-600, 0), (-512, 0)], "stop")
    assert up["arrived"] == Fraction(26, 36)  # T-14
    open_hill = table_of(HILL)
    by_chance = values_of_route(open_hill, {"neighbour_policy": "straight_on"}, (300, 0), [], [ON, (-150, 0)], "stop")
    assert (by_chance["attempt"], by_chance["rump"]) == (1 - s, (1 - s) * Fraction(26, 36))
    left = values_of_route(open_hill, {}, (300, 0), [], [ON, (-150, 0)], "stop")
    assert (left["attempt"], left["runaway"]) == (0, 1 - s)  # T-11


# Order, dice, the pig


def still(*places: tuple[int, int], falls: Any = (), **rules: Any) -> Scripted:
    """Return a match in which everybody stays where he is."""
    plans = [stop_at()] * 40
    return Scripted(table_of(pig=[0, 0]), places, *plans, falls=falls, **rules)


def pig_falls(*moves: tuple[int, int]) -> list[tuple[str, int]]:
    """Return throws of the pig: the die of the direction, inches."""
    return [throw for way, inches in moves for throw in (("pig direction", way), ("pig distance", inches))]


PLACES = [(600, -600), (600, 0), (600, 600)]


@pytest.mark.parametrize(("initiative", "orders"), [("fixed", [123, 123, 123]), ("rotate", [123, 231, 312])])
def test_order_of_seats(initiative: str, orders: list[int]) -> None:
    """P-GAM-15: round after round; after every turn the pig moves (P-GAM-4)."""
    match = still(*PLACES, falls=pig_falls(*[(5, 2), (1, 2)] * 4, (5, 2)), initiative=initiative, max_rounds=3)
    match.play()
    assert [note.extra for note in match.told("ROUND")] == orders
    seats = [note.seat + 1 for note in match.told("TURN")]
    assert seats == [int(seat) for order in orders for seat in str(order)]
    assert [note.seat for note in match.told("PIG")] == [note.seat for note in match.told("TURN")]
    assert [note.turn for note in match.told("ROUND")] == [1, 4, 7]


def test_cards_shuffle_the_seats() -> None:
    """P-GAM-15, P-GAM-18: the order is drawn at the address of the turn to come, seat 0."""
    key, seen = make_key(3), set()
    dice = Dice(key, 5)
    for time in range(200):
        dice.begin(time, 0)
        order = dice.shuffled(3)
        seen.add(tuple(order))
        words = [int(draw(np.uint64(stream(key.stream, 5)), key.tweak, time, 0, 7, i)) for i in (0, 1)]
        expected = [0, 1, 2]
        for k, word in zip((2, 1), words, strict=True):
            j = (word >> 32) * (k + 1) >> 32
            expected[k], expected[j] = expected[j], expected[k]
        assert order == expected
    assert len(seen) == 6


def test_dice_have_addresses() -> None:
    """P-GAM-18: time = turn, the seat, the purpose, and how many of it came before in this turn."""
    key = make_key(11)
    dice = Dice(key, 2)
    dice.begin(9, 3)
    thrown = [dice.roll("2d6", "hit"), dice.roll("2d6", "hit"), dice.roll("1d8", "pig direction")]
    row = np.uint64(stream(key.stream, 2))
    words = [int(draw(row, key.tweak, 9, 3, purpose, i)) for purpose, i in ((4, 0), (4, 1), (5, 0))]
    assert thrown == [read(d, word) for d, word in zip(("2d6", "2d6", "1d8"), words, strict=True)]
    assert [read("2d6", word) for word in (0, 2**64 // 36, 2**64 // 36 + 1, 2**64 - 1)] == [2, 2, 3, 12]
    assert PURPOSES.index("other") == 3


def test_a_lost_turn_is_used_up() -> None:
    """P-GAM-3, P-GAM-15: the pig moves after it, too."""
    match = still(*PLACES[:2], falls=pig_falls((5, 2), (1, 2)), max_rounds=1)
    match.men[0].lost = 2
    match.play()
    assert match.names() == "START START START ROUND LOST PIG PIG OVER"
    assert (match.men[0].lost, match.outcome()["lost_turns_1"]) == (1, 1)


@pytest.mark.parametrize(
    ("direction", "place"), [(0, (192, 0)), (1, (136, 136)), (2, (0, 192)), (5, (-136, -136)), (7, (136, -136))]
)
def test_eight_directions_of_the_pig(direction: int, place: tuple[int, int]) -> None:
    """P-GAM-16: east first, anticlockwise; a diagonal of 3 inches is 136 units each way."""
    assert move_pig(table_of(), RULES, (0, 0), [], direction, 3).place == place


def test_what_stops_the_pig() -> None:
    """P-GAM-4, P-GAM-16: the edge, solids and lancers; bogs and hills do not; with `pig_crosses` no fence with room."""
    bog, fence = {"kind": "bog", "bog": "swamp", "disc": [-10, 0, 1]}, {"kind": "fence", "line": [[5, -3], [5, 3]]}
    table = table_of(HILL, bog, WALL, fence, pig=[3, 0])
    assert move_pig(table, RULES, (-100, 0), [], 4, 12) == ((-736, 0), -1, -2)
    assert move_pig(table, RULES, (192, 0), [], 4, 12) == ((32, 0), -1, 2)
    assert move_pig(table, RULES, (192, 0), [], 0, 12) == ((288, 0), -1, 3)
    crossing = rules_of({"pig_crosses": True})
    assert move_pig(table, crossing, (192, 0), [], 0, 12) == ((736, 0), -1, -2)
    assert move_pig(table, crossing, (192, 0), [], 0, 2) == ((288, 0), -1, 3)  # no room within its move
    assert move_pig(table, RULES, (192, 0), [lancer_solid(1, (192, 300), RULES)], 2, 12) == ((192, 236), 1, -1)
    assert move_pig(table, RULES, (192, 0), [], 2, 0).place == (192, 0)


def test_the_pig_meets_a_lancer() -> None:
    """P-GAM-16: it stops in contact, or he rolls on the collision table, on which 8 and more are nothing."""
    falls = pig_falls((1, 12))
    match = still((300, 0), (600, 600), falls=falls)
    match.play_seat(1)
    assert (match.pig, match.men[0].pig_contacts, match.men[0].wounds) == ((236, 0), 1, 0)
    for total, wounds in ((7, 1), (8, 0), (12, 0)):
        match = still((300, 0), (600, 600), falls=[*falls, (O, total)], pig_meets="tramples")
        match.play_seat(1)
        assert (match.men[0].wounds, match.men[0].lost) == (wounds, wounds)
        assert match.told("TRAMPLED")[0].seat == 0
    match = still((300, 0), (600, 600), falls=[*falls, (O, 2)], pig_meets="tramples", wounds_to_retire=1)
    match.play_seat(1)
    assert match.names() == "PIG TRAMPLED OUT OVER"
    assert (match.winner, match.cause) == (2, 2)


# The end (P-GAM-17)


def test_enough_rumps_win_at_once() -> None:
    """P-GAM-1, P-GAM-17: five by default, with teams the team's sum; the pig moves no more."""
    match = Scripted(table_of(), [(-64, 0), (600, 600)], at_pig(), falls=[(H, 7)])
    match.men[0].rumps = 4
    match.play()
    assert (match.winner, match.cause, match.round, match.turn) == (1, 1, 1, 1)
    assert match.told()[-1].roll == 1
    team = Scripted(table_of(), [(-64, 0), *PLACES], at_pig(), falls=[(H, 7)], teams=[2, 1, 1, 2])
    team.men[3].rumps = 4
    team.play()
    assert (team.winner, team.cause) == (2, 1)
    assert DEFAULTS["rumps_to_win"] == 5


def test_two_rumps_downhill() -> None:
    """`downhill_rumps`: a hit that has the bonus of a descent."""
    assert turn(table_of(HILL), ON, at_pig(), falls=[(H, 6)], downhill_rumps=2).men[0].rumps == 2
    assert turn(table_of(), ON, at_pig(), falls=[(H, 7)], downhill_rumps=2).men[0].rumps == 1


def test_last_side_and_nobody() -> None:
    """P-GAM-17: the last side in play wins, or goes on alone; nobody in play: most rumps."""
    match = still(*PLACES)
    match.gone |= {0, 2}
    match.look_at_sides()
    assert (match.winner, match.cause) == (2, 2)
    alone = still(*PLACES, last_side_wins=False)
    alone.gone |= {0, 2}
    alone.look_at_sides()
    assert not alone.over
    alone.men[0].rumps = 2
    alone.gone.add(1)
    alone.look_at_sides()
    assert (alone.winner, alone.cause) == (1, 3)
    pairs = Scripted(table_of(), [*PLACES, (-600, 0)], teams=[1, 2, 1, 2])
    pairs.gone |= {1}
    pairs.look_at_sides()
    assert not pairs.over
    pairs.gone |= {3}
    pairs.look_at_sides()
    assert pairs.winner == 1


def test_rounds_up() -> None:
    """P-GAM-17: most rumps after the last round, equal = draw; those out of play count (T-19)."""
    match = still(*PLACES[:2], falls=pig_falls((5, 2), (1, 2)), max_rounds=1)
    match.play()
    assert (match.winner, match.cause, match.told()[-1].turn) == (0, 4, 2)
    match = still(*PLACES, falls=pig_falls((5, 2), (1, 2)), max_rounds=1)
    match.gone.add(2)
    match.men[2].rumps = 1
    match.play()
    assert (match.winner, match.turn) == (3, 2)


def test_substitutes() -> None:
    """P-GAM-14: at once if the start is free, else when his turn comes; he has no harm, the seat keeps its rumps."""
    match = still((300, 0), (600, 600), falls=pig_falls((5, 2)), substitute=True)
    match.men[0].rumps, match.men[0].killed = 3, True
    match.pig = (250, 0)
    match.settle(match.men[0])
    assert match.gone == {0}
    match.look_at_sides()
    assert not match.over
    match.play_seat(0)
    assert match.names() == "OUT WAITS PIG"
    match.pig, match.falls = (0, 0), pig_falls((5, 2))
    match.play_seat(0)
    assert match.names() == "OUT WAITS PIG FRESH PIG"
    assert (match.men[0].place, match.men[0].killed, match.outcome()["rumps_1"]) == ((300, 0), False, 3)


def test_seats_turn_round_the_starts() -> None:
    """P-GAM-18: in game g seat k begins at start k + g."""
    table = table_of(starts=[[9, 0], [0, 9], [-9, 0]])
    begun = [[man.place for man in Match(table, RULES, ["straight"] * 3, KEY, 0, game).men] for game in range(3)]
    east, north, west = (576, 0), (0, 576), (-576, 0)
    assert begun == [[east, north, west], [north, west, east], [west, east, north]]


def test_outcomes_count_what_events_tell() -> None:
    """P-GAM-23: distances, attempts, lost turns and the rest agree with the events."""
    table = table_of(HILL, WALL, starts=[[-9, 0], [9, 0], [0, 9]], pig=[3, 0])
    for unit in range(4):
        match = play(table, rules_of({"unicycle_damage": True}), ["straight", "router", "cautious"], KEY, unit)
        told, outcome = match.book.notes, match.outcome()
        for seat in range(3):
            mine = [note for note in told if note.seat == seat]
            of = {name: [note for note in mine if NAMES[note.what] == name] for name in NAMES}
            assert outcome[f"distance_{seat + 1}"] == sum(note.roll for note in of["RIDES"])
            assert outcome[f"attempts_{seat + 1}"] == len(of["HIT"])
            assert outcome[f"rumps_{seat + 1}"] == sum(note.extra % 2 for note in of["HIT"])
            assert outcome[f"runaways_{seat + 1}"] == len(of["STEERED"])
            assert outcome[f"lost_turns_{seat + 1}"] == len(of["LOST"])
        assert outcome["turns"] == max(note.turn for note in told)
        assert NAMES[told[-1].what] == "OVER"
