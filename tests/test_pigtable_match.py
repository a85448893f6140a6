"""Whole matches: what is counted, who moves when, units, the pig, the players (P-GAM-11 to P-GAM-23)."""

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from simkit.core import jit
from simkit.core.rng import make_key
from simkit.games.pigtable import game
from simkit.games.pigtable.kinds import Aim, Cause, Gone, What
from simkit.games.pigtable.outcomes import BY_SEAT, FIELDS, SCALE
from simkit.games.pigtable.records import State
from simkit.games.pigtable.retrace import Row, retrace
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.scenario import Scenario
from simkit.games.pigtable.tables import read_table, shipped
from simkit.games.pigtickler.records import Hit

KEY = make_key(11)
TABLES = sorted(shipped())


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    jit.ready("simkit.games.pigtable")


def match(table: Any = "desert", policy: str = "straight", **more: Any) -> Scenario:
    """Return a match."""
    return Scenario.model_validate({"scenario": {"table": table, **more}, "policy": policy})


def rows_of(scenario: Scenario, unit: int = 0, number: int = 0, **rules: Any) -> list[Row]:
    """Return the events of one match of a unit."""
    return retrace(game.compile(scenario, Rules(**rules)), KEY, unit, number).rows


def units(scenario: Scenario, count: int, **rules: Any) -> dict[str, Any]:
    """Return the columns of some units."""
    found = np.zeros((count, len(FIELDS)), np.int64)
    game.play_rows(game.compile(scenario, Rules(**rules)), game.new_state(), KEY, 0, count, found)
    return dict(zip(FIELDS, found.T, strict=True))


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("policy", game.POLICIES)
def test_what_is_counted_is_what_happened(table: str, policy: str) -> None:
    """P-GAM-18, P-GAM-23: a unit is the mean of its matches, which count their events."""
    scenario = match(table, policy)
    counted = units(scenario, 2)
    for unit in range(2):
        total: Counter[str] = Counter()
        for number in range(4):
            events = rows_of(scenario, unit, number)
            over = events[-1]
            total["turns"] += max(row.turn for row in events)
            total["rounds"] += over.roll
            total["draw"] += over.value == 0
            total[f"cause_{Cause(over.extra).name.lower()}"] += 1
            for row in events:
                name = f"_{row.seat + 1}"
                total["attempts" + name] += row.what == What.HIT
                total["rumps" + name] += row.what == What.HIT and bool(row.extra & Hit.RUMP)
                total["lost_turns" + name] += row.what == What.LOST
                total["runaways" + name] += row.what == What.STEERED
                total["killed" + name] += row.what == What.OUT and row.value == Gone.KILLED
                total["distance" + name] += row.roll if row.what == What.RIDES else 0
                total[f"pig_contacts_{row.other + 1}"] += row.what == What.PIG and row.other >= 0
            if over.value:
                total[f"win_{over.value}"] += 1
                total[f"win_start_{(over.value - 1 + number) % 4 + 1}"] += 1
                total["win_first"] += over.value == 1
        for name, value in total.items():
            if name not in ("pig_contacts_0", "distance_0", "attempts_0", "rumps_0", "lost_turns_0", "runaways_0",
                            "killed_0"):  # fmt: skip
                assert counted[name][unit] == value * SCALE // 4, name


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_is_lost(seats: int) -> None:
    """P-GAM-17, P-GAM-23: every match has one end, somebody wins or nobody; seats add up to all."""
    counted = units(match("hill-and-swamp", "straight", seats=seats), 20, wounds_to_retire=3, unicycle_damage=True)
    assert (sum(counted[f"cause_{cause.name.lower()}"] for cause in Cause) == SCALE).all()
    assert (sum(counted[f"win_{k}"] for k in range(1, 7)) + counted["draw"] == SCALE).all()
    assert (sum(counted[f"win_start_{k}"] for k in range(1, 7)) + counted["draw"] == SCALE).all()
    assert (counted["first_edge"] == counted["win_first"] - SCALE // seats).all()
    for name, _, _ in BY_SEAT:
        assert (sum(counted[f"{name}_{k}"] for k in range(1, 7)) == counted[name]).all()
    assert all((counted[f"distance_{k}"] == 0).all() for k in range(seats + 1, 7))


def test_seats_are_turned_round_the_starts() -> None:
    """P-GAM-18: in match g of a unit seat k begins at start k + g, on the same dice."""
    starts = read_table(shipped()["paddock"], Rules())[0].starts
    rolls = set()
    for number in range(4):
        events = rows_of(match("paddock"), 5, number)
        at = [(row.value, row.extra) for row in events if row.what == What.START][1:]
        assert at == [starts[(seat + number) % 4] for seat in range(4)]
        rolls.add(next(row.roll for row in events if row.what == What.PIG))
    assert len(rolls) == 1


def test_blocks_and_baselines() -> None:
    """P-GAM-18: variants are played on the same dice as their baseline."""
    setups = [game.compile(match("chasm"), Rules()), game.compile(match("chasm"), Rules(altered_odds=True))]
    out = np.zeros((2, 256, len(FIELDS), 4), np.int64)
    game.play_block(game.pack(setups), game.new_state(), KEY, 0, 10, out)
    first = units(match("chasm"), 10)["rumps"]
    second = units(match("chasm"), 10, altered_odds=True)["rumps"]
    column = FIELDS.index("rumps")
    assert (out[0, :10, column, 0] == first).all() and (out[1, :10, column, 0] == second).all()
    assert (out[1, :10, column, 2] == second - first).all() and (out[1, :10, column, 3] == (second - first) ** 2).all()


def test_order_of_a_round() -> None:
    """P-GAM-15: by seats, one seat later each round, or shuffled."""

    def orders(initiative: str) -> list[str]:
        scenario = match("paddock", seats=3)
        events = rows_of(scenario, 2, initiative=initiative, rumps_to_win=50, max_rounds=20)
        for row, after in itertools.pairwise(events):
            if row.what == What.ROUND:
                assert after.seat == int(str(row.extra)[0]) - 1
        return [str(row.extra) for row in events if row.what == What.ROUND]

    assert set(orders("fixed")) == {"123"}
    assert orders("rotate")[:4] == ["123", "231", "312", "123"]
    assert len(set(orders("cards"))) > 3 and all(sorted(order) == ["1", "2", "3"] for order in orders("cards"))


def test_the_pig_moves_after_every_turn() -> None:
    """P-GAM-4, P-GAM-16: also after a lost one; not after the last."""
    events = rows_of(match("desert"), 3)
    turns = [row.turn for row in events if row.what in (What.TURN, What.LOST)]
    moves = [row.turn for row in events if row.what == What.PIG]
    assert turns == list(range(1, turns[-1] + 1)) and moves == turns[:-1]
    ways = Counter(
        row.roll // 100 for seed in range(12) for row in rows_of(match("desert"), seed) if row.what == What.PIG
    )
    assert set(ways) == set(range(8))


def test_teams() -> None:
    """P-GAM-12, P-GAM-17: rumps of a team count together, the neighbour is of the other team."""
    scenario = match("hill-and-swamp", teams=[1, 1, 2, 2])
    steered = []
    for unit in range(30):
        events = rows_of(scenario, unit)
        over = events[-1]
        rumps = Counter(row.seat // 2 + 1 for row in events if row.what == What.HIT and row.extra & Hit.RUMP)
        assert over.extra == Cause.RUMPS and rumps[over.value] == 5 and max(rumps.values()) == 5
        steered += [(row.seat, row.other) for row in events if row.what == What.STEERED]
    assert steered and all(seat // 2 != other // 2 for seat, other in steered)
    assert {(seat, other) for seat, other in steered} <= {(0, 2), (1, 2), (2, 0), (3, 0)}


def test_wounds_cost_turns_and_men() -> None:
    """P-GAM-3, P-GAM-14, P-GAM-17: lost turns, retirement, the last side in play, fresh men."""
    plain = units(match("desert"), 30)
    free = units(match("desert"), 30, wound_effect="count")
    assert plain["lost_turns"].sum() > 0 == free["lost_turns"].sum()
    assert (plain["lost_turns"] <= plain["wounds"]).all()
    frail = units(match("desert"), 30, wounds_to_retire=1, rumps_to_win=50)
    assert (frail["retired"] >= frail["wounds"]).all() and frail["cause_last_side"].sum() > 0
    fresh = units(match("desert"), 30, wounds_to_retire=1, substitute=True)
    assert fresh["cause_last_side"].sum() == 0 and (fresh["retired"] == fresh["wounds"]).all()


def test_two_rumps_downhill() -> None:
    """P-DN-5, P-GAM-17: the house rule counts a hit with the bonus twice."""
    plain, double = units(match("hill-and-swamp"), 20), units(match("hill-and-swamp"), 20, downhill_rumps=2)
    assert double["rounds"].sum() < plain["rounds"].sum()
    assert (units(match("paddock"), 10)["rumps"] == units(match("paddock"), 10, downhill_rumps=2)["rumps"]).all()


def test_a_limit_of_rounds_and_of_legs() -> None:
    """P-GAM-11, P-GAM-17: most rumps win when the rounds are used up, equal rumps are a draw."""
    for unit in range(20):
        over = rows_of(match("paddock"), unit, max_rounds=1)[-1]
        rumps = Counter(row.seat + 1 for row in rows_of(match("paddock"), unit, max_rounds=1)
                        if row.what == What.HIT and row.extra & Hit.RUMP)  # fmt: skip
        leaders = [seat for seat in range(1, 5) if rumps[seat] == max(rumps.values(), default=0)]
        assert (over.extra, over.value) == (Cause.ROUNDS, leaders[0] if len(leaders) == 1 else 0)
    limited = [row for unit in range(10) for row in rows_of(match("paddock"), unit, max_legs=1)]
    assert any(row.what == What.LIMIT for row in limited)


def test_the_clever_win() -> None:
    """P-GAM-19 to P-GAM-21: against riders who go straight ahead a router wins more than his share."""
    policies = ["straight", "router", "straight", "straight"]
    counted = units(match("paddock", policies=policies), 300)
    assert counted["win_2"].sum() > 1.2 * 300 * SCALE / 4
    harm = {policy: units(match("chasm", policy), 150)["killed"].sum() for policy in game.POLICIES}
    assert harm["cautious"] == 0 < harm["router"]


def test_plans_lead_where_they_say() -> None:
    """P-GAM-7, P-GAM-19: a plan at the pig ends at its middle, legs have a length."""
    for table in TABLES:
        for policy in game.POLICIES:
            pig = at = (0, 0)
            events = rows_of(match(table, policy), 1)
            for i, row in enumerate(events):
                point = (row.value, row.extra)
                if row.what == What.PIG or (row.what == What.START and row.seat < 0):
                    pig = point
                elif row.what in (What.TURN, What.RIDES):
                    at = point
                elif row.what == What.PLAN and row.value:
                    via = [(one.value, one.extra) for one in events[i + 1 : i + 1 + row.value]]
                    assert all(a != b for a, b in itertools.pairwise([at, *via]))
                    assert row.extra != Aim.PIG or via[-1] == pig


def test_long_matches_are_traced_in_pieces() -> None:
    """The trace of a match is whole, however long it is."""
    scenario = match("paddock", "cautious", seats=4)
    trace = retrace(game.compile(scenario, Rules(rumps_to_win=400, max_rounds=400)), KEY, 0)
    assert trace.noted == len(trace.rows) > 4096 and trace.rows[-1].what == What.OVER
    assert [row.turn for row in trace.rows if row.what == What.TURN] == sorted(
        row.turn for row in trace.rows if row.what == What.TURN
    )


def test_a_used_state_plays_as_a_new_one() -> None:
    """Nothing of one match is left in the next."""
    state = State.scratch()
    setups = [game.compile(match(table, policy), Rules()) for table in TABLES for policy in game.POLICIES]
    for setup in setups:
        out = np.zeros((1, len(FIELDS)), np.int64)
        game.play_rows(setup, state, KEY, 7, 8, out)
        assert tuple(out[0].tolist()) == game.play_one(setup, State.scratch(), KEY, 7)


def test_who_is_in_contact_with_the_pig_need_not_move() -> None:
    """P-GAM-16, P-GAM-17: he lances it from where he stands; nobody rides through others (P-GAM-1)."""
    stood = 0
    for unit in range(10):
        at, pig = {}, (0, 0)
        for row in rows_of(match("paddock"), unit):
            point = (row.value, row.extra)
            if row.what == What.PIG or (row.what == What.START and row.seat < 0):
                pig = point
            elif row.what in (What.START, What.TURN, What.RIDES):
                stood += row.what == What.RIDES and row.roll == 0 and at[row.seat] == point
                at[row.seat] = point
            everybody = [*at.values(), pig]
            for one, other in itertools.combinations(everybody, 2):
                assert (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 >= 64**2
    assert stood > 0
