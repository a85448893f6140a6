"""Blows, missiles, ground, rounds and morale of Battlesystem, rule by rule, read off the events of fights."""

from fractions import Fraction

import pytest

from simkit.games.battlesystem import game
from simkit.games.battlesystem.crt import blow
from simkit.games.battlesystem.happenings import What
from simkit.games.battlesystem.ratings import Part
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.units import find
from tests.battlesystem_scenes import INCH, A, B, Fields, first, index, of, rounds, setup, several, side, told


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    game.ready()


# Blows


@pytest.mark.parametrize(
    ("mine", "theirs", "wanted"),
    [
        (side("men-at-arms", 6), side("men-at-arms", 6), 6),
        (side("men-at-arms", 6), side("men-at-arms", 4, 4), 6),  # four in contact, and one beyond either end
        (side("pikemen", 18), side("men-at-arms", 6), 18),  # three ranks
        (side("spearmen", 18), side("men-at-arms", 6), 12),  # two ranks
        (side("pikemen", 18, formation="open"), side("men-at-arms", 6), 4),  # 4.5 inches of front, 1.25 inches a file
        (side("medium-cavalry", 6), side("men-at-arms", 4, 4), 4),  # nobody mounted strikes beyond a front
    ],
)
def test_who_strikes(mine: Fields, theirs: Fields, wanted: int) -> None:
    """B-UNI-3, B-LAN-5: who is in contact, who beyond its ends, and from which rank."""
    assert first(told(mine, theirs, in_contact=True), What.STRIKE, A).value == wanted


def test_a_blow_is_exact() -> None:
    """B-LAN-1: a lance (mean 6) of ten at N = 25 kills 10 x 3 x 6 / 90 = 2 hit dice, which floats may make 1."""
    lance = Part("2d4+1", True, Fraction(6))
    assert (blow(25, [lance], 10, Rules()), blow(25, [lance], 10, Rules(), charging=True)) == (2, 4)


def test_blows_are_struck_at_once() -> None:
    """B-MEL-2: both sides roll all their blows before either takes its losses off."""
    kinds = (What.STRIKE, What.DAMAGE)
    for rows in rounds(told(side("ogres"), side("orcs"), in_contact=True, max_rounds=3)):
        assert [(row.what, row.unit) for row in of(rows, *kinds)] == [
            (What.STRIKE, A), (What.STRIKE, B), (What.DAMAGE, A), (What.DAMAGE, B),
        ]  # fmt: skip


@pytest.mark.parametrize(("contact", "bonus"), [("front", 0), ("flank", 1), ("rear", 2)])
def test_flank_and_rear(contact: str, bonus: int) -> None:
    """B-MEL-4: AR 20 against AC 6 is 14; a flank gives 1, the rear 2."""
    assert index(told(side("men-at-arms"), side("pikemen"), in_contact=True, contact=contact)) == 14 - bonus


def test_a_flank_shows_ranks_as_files() -> None:
    """B-LAN-6: twelve figures in six files show two on their flank, without overlap: 1.5 inches, and two strike."""
    rows = told(side("men-at-arms"), side("pikemen"), in_contact=True, contact="flank")
    assert first(rows, What.STRIKE, B).value == 2
    assert first(rows, What.STRIKE, A).value == 4  # two in contact, and one beyond either end


def test_losses_are_pooled_and_the_rest_is_a_wound() -> None:
    """B-LAN-7: kills are floor((wound + damage) / pool), and the rest stays through the rounds."""
    pool = 20  # of heavy cavalry and of gnolls, which have two hit dice
    for rows in several(setup(side("heavy-cavalry"), side("gnolls", 24, 12), in_contact=True), 3):
        wounds, gone = {A: 0, B: 0}, {row.unit for row in of(rows, What.DESTROYED)}
        for round in rounds(rows):
            killed = {row.unit: row.value for row in of(round, What.LOSE)}
            for row in of(round, What.DAMAGE):
                if row.unit not in gone:
                    assert wounds[row.unit] + row.value == killed.get(row.unit, 0) * pool + row.extra
                    wounds[row.unit] = row.extra
    closed = told(side("heavy-cavalry"), side("orcs"), {"carry_wounds": False}, in_contact=True)
    taken = of(closed, What.DAMAGE, unit=B)
    assert len(taken) > 1 and taken[1].extra <= taken[1].value


# Missiles


@pytest.mark.parametrize(("place", "penalty"), [(0, 0), (1, 2), (2, 5)])
def test_ranges(place: int, penalty: int) -> None:
    """B-MIS-1: short range, medium range +2, long range +5; two ranks shoot, before the target moves."""
    away = Rules().ranges(find("archers").bow)[place]
    rows = told(side("archers", 24, policy="hold"), side("militia"), distance=away, max_rounds=1)
    assert index(rows, What.SHOOT) == 20 + penalty - 8
    assert first(rows, What.SHOOT).value == 12
    assert rows.index(first(rows, What.SHOOT)) < rows.index(first(rows, What.MOVE, B))
    beyond = told(side("archers", policy="hold"), side("militia", policy="hold"), distance=22, max_rounds=1)
    assert of(beyond, What.SHOOT) == []


@pytest.mark.parametrize(
    ("bow", "moves", "volleys"), [("long", False, 2), ("crossbow", False, 1), ("crossbow", True, 0)]
)
def test_how_often_a_bow_shoots(bow: str, moves: bool, volleys: int) -> None:
    """B-LAN-18: a bow in both phases, a crossbow in one of them, and not after moving; nobody at units in contact."""
    shooters = {"ar": 20, "ac": 8, "hd": 1, "mv": 2, "damage": "1d6", "bow": bow, "bow_damage": "1d6"}
    a = side(shooters, policy="advance" if moves else "hold")
    assert len(of(told(a, side("orcs", policy="hold"), distance=6, max_rounds=1), What.SHOOT)) == volleys
    assert of(told(side("archers", policy="hold"), side("orcs"), in_contact=True, max_rounds=3), What.SHOOT) == []


@pytest.mark.parametrize(
    ("lane", "formation", "cover"),
    [
        ({"ground": [{"from": 16, "to": 24, "kind": "woods"}]}, "open", 2),
        ({"points": [{"at": 12, "kind": "barrier"}]}, "closed", 4),
    ],
    ids=["edge of woods", "behind a wall"],
)
def test_cover(lane: Fields, formation: str, cover: int) -> None:
    """B-MIS-2: +2 at the edge of woods, +4 behind an obstacle that was not passed; militia of MV 12 come up to it."""
    rows = told(side("archers", policy="hold"), side("militia", formation=formation), lane=lane, max_rounds=1)
    away = 24 * INCH - first(rows, What.MOVE, B).extra
    short, medium, _ = Rules().ranges(find("archers").bow)
    penalty = 0 if away <= short * INCH else 2 if away <= medium * INCH else 5
    assert of(rows, What.SHOOT)[-1].extra == 20 + penalty + cover - 8


def test_nobody_shoots_in_woods() -> None:
    """B-TER-9: neither out of the depth of woods nor at a unit in it."""
    lane = {"length": 12, "ground": [{"from": 6, "to": 12, "kind": "woods"}]}
    inside = side("archers", formation="open", policy="hold")
    for a, b in ((side("archers", policy="hold"), inside), (side("orcs", policy="hold"), inside)):
        assert of(told(a, b, lane=lane, max_rounds=2), What.SHOOT) == []


# Ground


def test_an_obstacle_costs_a_third_and_opens_ranks() -> None:
    """B-TER-4: men of MV 9 go 6 inches over a fence, and are open from there on."""
    lane = {"points": [{"at": 3, "kind": "barrier"}]}
    rows = told(side("men-at-arms"), side("orcs", policy="hold"), lane=lane, max_rounds=1)
    assert first(rows, What.MOVE, A).extra == 6 * INCH
    assert first(rows, What.OPEN, A).value == 2


def test_a_ford_costs_a_third() -> None:
    """B-TER-8, B-LAN-9: water that a scenario makes fordable; men of MV 9 go 6 inches into it, and stay closed."""
    lane = {"ground": [{"from": 3, "to": 9, "kind": "ford"}]}
    rows = told(side("men-at-arms"), side("orcs", policy="hold"), lane=lane, max_rounds=1)
    assert first(rows, What.MOVE, A).extra == 6 * INCH
    assert of(rows, What.OPEN) == []


def test_out_of_a_ditch() -> None:
    """B-TER-10: +4 AR for whoever made the contact at a ditch; a wall gives none."""
    found = []
    for kind in ("ditch", "barrier"):
        lane = {"length": 6, "points": [{"at": 6, "kind": kind}]}
        found.append(index(told(side("men-at-arms"), side("pikemen", policy="hold"), lane=lane, max_rounds=4)))
    assert found == [18, 14]


# Rounds and morale


def test_the_order_of_a_round() -> None:
    """B-RND-1, B-LAN-12: initiative, ties again, then missiles, movement, missiles, melee; the first side first."""
    kinds = (What.INITIATIVE, What.SHOOT, What.MOVE, What.STRIKE)
    ties = 0
    for rows in several(setup(side("archers", policy="hold"), side("orcs"), distance=9, max_rounds=3), 20):
        for round in rounds(rows):
            order = [row.what for row in of(round, *kinds)]
            dice = of(round, What.INITIATIVE)
            assert order[: len(dice)] == [What.INITIATIVE] * len(dice)
            assert all(a.roll == b.roll for a, b in zip(dice[:-2:2], dice[1:-2:2], strict=True))
            assert dice[-2].roll != dice[-1].roll
            ties += len(dice) > 2
            rest = [kind for kind in order if kind != What.INITIATIVE]
            if What.MOVE in rest:
                assert What.STRIKE not in rest[: rest.index(What.MOVE)]
            if What.STRIKE in rest:
                assert set(rest[rest.index(What.STRIKE) :]) == {What.STRIKE}
    assert ties


def test_when_and_how_units_check() -> None:
    """B-MOR-1, B-LAN-23, B-LAN-24: at 25 % and 50 % lost and beyond, once a phase, and with which modifiers."""
    start, ml, checks = 12, {A: find("orcs").ml, B: find("militia").ml}, 0
    for rows in several(setup(side("orcs"), side("militia"), in_contact=True), 20):
        left, closed, at_check = {A: start, B: start}, {A: True, B: True}, {A: start, B: start}
        for row in rows:
            if row.what == What.LOSE:
                left[row.unit] = row.extra
            elif row.what == What.OPEN:
                closed[row.unit] = False
            elif row.what == What.CHECK:
                lost = start - left[row.unit]
                assert left[row.unit] < at_check[row.unit]
                at_check[row.unit] = left[row.unit]
                assert lost * 4 >= start
                assert row.value == ml[row.unit] + closed[row.unit] - (4 if lost >= 9 else 2 if lost >= 6 else 0)
                assert (row.extra == 1) == (row.roll <= row.value)
                checks += 1
    assert checks > 20


def test_a_rout_ends_a_duel() -> None:
    """B-MOR-2: a side whose only unit routs has lost; undecided after the last round is an end of its own."""
    fight = setup(side("orcs", formation="open"), side("militia", formation="open"), in_contact=True)
    routs = 0
    for rows in several(fight, 20):
        gone = {row.unit // 12 for row in of(rows, What.ROUT, What.DESTROYED)}
        routs += len(of(rows, What.ROUT))
        over = rows[-1]
        assert over.what == What.OVER
        assert (over.value, over.foe) == ((2, -1) if len(gone) == 2 else (1, 1 - gone.pop()))
    assert routs
    capped = told(side("orcs", policy="hold"), side("militia", policy="hold"), distance=12, max_rounds=3)
    assert (capped[-1].value, capped[-1].foe, capped[-1].round) == (3, -1, 3)
