"""What changes nothing in a battle: mirror matches, names of sides, maps that are turned or in a mirror.

Players break ties between equal moves: forward before left before right. So a mirrored map gives the mirrored battle
only where nobody moves, or where the order of ties is mirrored too, which is done here by exchanging left and right in
plain Python. Who evades a ram goes to the first free hex in absolute directions: captains who evade stay at home where
maps are turned under jugs that move.
"""

from typing import Any

import pytest

from simkit.core.hexgrid import arc_of, distance, in_front, in_half
from simkit.games.jugger import game, maps
from simkit.games.jugger.aliases import WEAPONS
from simkit.games.jugger.happenings import What
from simkit.games.jugger.ramming import approach
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import POLICIES, Scenario
from simkit.games.jugger.weapons import ahead, beside, reaches
from tests.jugger_duels import in_child
from tests.jugger_frays import (
    AT_EXTRA,
    AT_VALUE,
    KEY,
    RADIUS,
    Fray,
    Turn,
    fought,
    fray,
    hexagon,
    mirrored,
    played,
    units,
)


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    game.ready()


# Mirror matches


def same_on_both_sides(seed: int) -> Fray:
    """Return a battle of equals on a field that looks the same from both sides."""
    battle, half = fray(seed), Turn(3)
    terrain = {hex: kind for hex, kind in battle.terrain.items() if hex >= (0, 0) or distance(*hex) > RADIUS}
    starts = [start for start in battle.starts[0] if tuple(start[:2]) > (0, 0)] or [[1, 0, 3, 2]]
    for hex in [(q, r) for q, r, _, _ in starts]:
        terrain.pop(hex, None)
    terrain |= {half.hex(*hex): kind for hex, kind in terrain.items()}
    across = [[*half.hex(q, r), half.facing(facing), velocity] for q, r, facing, velocity in starts]
    designs = (battle.designs[0] * len(starts))[: len(starts)]
    return battle._replace(designs=(designs, designs), starts=(starts, across), terrain=terrain, turns=25)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_mirror_match_is_even_in_every_unit(policy: str) -> None:
    """Equal designs, players and places: over both seats each side scores exactly half, and has all the other has."""
    seen: set[int] = set()
    for seed in range(40):
        battle = same_on_both_sides(seed)
        for straight, swapped in units(game.compile(battle.scenario(policy), battle.rules), 5):
            assert straight["score_a"] + swapped["score_a"] == 2
            assert swapped == mirrored(straight)
            seen.add(straight["score_a"])
    assert seen == {0, 1, 2}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("id", ["battlemaster", "fire-avatar", "dragon-face", "axer"])
def test_a_published_design_is_even_with_itself(policy: str, id: str) -> None:
    """So it is of the published designs, on every map, however the sides are set up, whatever both aim at."""
    for k, scene in enumerate(
        [
            *({"map": name, "deployment": "close"} for name in maps.load()),
            {"distance": 2, "a_arc": 4, "b_arc": 4, "velocity": 3},
            {"distance": 1, "victory": {"occupy": [0, 0], "within": 2, "turns": 2}},
            {"victory": {"break_through": 1, "far_end": 6}, "velocity": 5},
            {"distance": 3, "victory": {"target_a": 2, "target_b": 2, "rout_below": 60}},
        ]
    ):
        sides = {side: {"design": id, "count": 2, "policy": policy} for side in "ab"}
        scenario = Scenario.model_validate({"sides": sides, "scenario": {"max_turns": 12, **scene}})
        rules = Rules(captains="random" if k % 2 else "none")
        assert game.complaints(scenario, rules) == []
        for straight, swapped in units(game.compile(scenario, rules), 3):
            assert swapped == mirrored(straight)


# Names of sides


PAIRS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "ends": ({"map": "ruins", "max_turns": 20}, {"map": "ruins", "max_turns": 20}),
    "close": ({"map": "woods", "deployment": "close"}, {"map": "woods", "deployment": "close"}),
    "arcs": ({"distance": 3, "a_arc": 1, "b_arc": 5}, {"distance": 3, "a_arc": 5, "b_arc": 1}),
    "target": ({"distance": 2, "victory": {"target_a": 1}}, {"distance": 2, "victory": {"target_b": 1}}),
    "rout": ({"distance": 1, "victory": {"rout_below": 70}}, {"distance": 1, "victory": {"rout_below": 70}}),
    "delay": ({"victory": {"delay": 9, "defender": "a"}}, {"victory": {"delay": 9, "defender": "b"}}),
    "occupy": (
        {"map": "arena", "victory": {"occupy": [2, 0], "within": 3}},
        {"map": "arena", "victory": {"occupy": [-2, 0], "within": 3}},
    ),
    "break_through": ({"victory": {"break_through": 1, "far_end": 9}}, {"victory": {"break_through": 1, "far_end": 9}}),
}
"""A scene, and the same with its sides exchanged: side a of the second begins where side b of the first does."""


@pytest.mark.parametrize("name", PAIRS)
def test_what_a_side_is_called_does_not_matter(name: str) -> None:
    """Written down the other way round and played from the other seat, it is the same battle, event by event."""
    for trial, policy in enumerate(POLICIES * 2):
        a = {"units": [{"design": "gorger"}, {"design": "windrammer"}], "policy": policy}
        b = {"units": [{"design": "axer"}, {"design": "archer", "count": 2}], "policy": "greedy"}
        setups = []
        for sides, scene in zip(({"a": a, "b": b}, {"a": b, "b": a}), PAIRS[name], strict=True):
            scenario, rules = Scenario.model_validate({"sides": sides, "scenario": scene}), Rules(captains="random")
            assert game.complaints(scenario, rules) == []
            setups.append(game.compile(scenario, rules))
        for seat in (0, 1):
            outcome, events = fought(setups[0], trial, seat)
            assert fought(setups[1], trial, 1 - seat) == (mirrored(outcome), events)


# Turned and mirrored maps


def test_a_turned_map_is_the_same_map() -> None:
    """Turned by any sixth of a circle, the same battle is fought, event by event, on turned places."""
    seen: set[int] = set()
    for seed in range(90):
        battle, policy, seat = fray(seed, absent=["evasion"]), POLICIES[seed % 4], seed % 2
        outcome, events = played(battle, policy, seed, seat)
        turn = Turn(1 + seed % 5)
        turned = played(battle, policy, seed, seat, turn=turn)
        assert turned == (outcome, [turn.event(event) for event in events]), seed
        seen |= {event[0] for event in events}
    assert seen >= AT_VALUE | AT_EXTRA | {What.TURN_TO, What.RAM, What.COLLIDE, What.WALL_DOWN, What.DRIVE_THROUGH}


def test_half_a_circle_and_the_other_seat_change_names_alone() -> None:
    """Turned by half a circle, sides exchanged and played from the other seat: the outcome with a and b exchanged."""
    turn = Turn(3)
    for seed in range(60):
        battle, policy = fray(100 + seed, absent=["evasion"]), POLICIES[seed % 4]
        for seat in (0, 1):
            outcome, events = played(battle, policy, seed, seat)
            told, turned = played(battle, policy, seed, 1 - seat, turn=turn, exchange=True)
            assert told == mirrored(outcome), seed
            assert turned == [turn.event(event) for event in events], seed


def test_a_mirrored_map_is_the_same_map_where_nobody_moves() -> None:
    """Under ``hold`` any mirror gives the same battle, captains who evade included."""
    seen: set[int] = set()
    for seed in range(60):
        battle, turn = fray(200 + seed, density=0.3), Turn(seed % 6, flipped=True)
        outcome, events = played(battle, "hold", seed)
        assert played(battle, "hold", seed, turn=turn) == (outcome, [turn.event(event) for event in events]), seed
        seen |= {event[0] for event in events}
    assert seen >= {What.GRAB, What.DODGE, What.CRITICAL, What.LOSE, What.BURN, What.SQUEEZE, What.ROPE, What.REPAIR}


def reflected() -> dict[str, Any]:
    """Fight battles that move in plain Python, as they are and in the mirror with the order of ties mirrored too."""
    from simkit.games.jugger import move, thinking

    game.ready()
    other, moved = [], 0
    for seed in range(12):
        policy = ("random", "random", "greedy")[seed % 3]
        battle = fray(300 + seed, absent=["evasion"], most=2, slow=policy == "greedy")._replace(turns=4)
        turn = Turn(seed % 6, flipped=True)
        outcome, events = played(battle, policy, seed)
        for module in (move, thinking):
            module.LEFT, module.RIGHT = 1, -1
        told = played(battle, policy, seed, turn=turn)
        for module in (move, thinking):
            module.LEFT, module.RIGHT = -1, 1
        other += [] if told == (outcome, [turn.event(event) for event in events]) else [seed]
        moved += any(event[0] == What.TURN_TO for event in events)
    return {"other": other, "moved": moved}


@pytest.mark.thorough
def test_a_mirrored_map_is_the_same_map_when_ties_are_mirrored_too() -> None:
    """Left for right wherever players choose between them, and they fight the battle in the mirror."""
    found = in_child(__name__, "reflected", NUMBA_DISABLE_JIT="1")
    assert found["other"] == [] and found["moved"] > 8


def test_the_best_move_is_worth_the_same_in_a_mirror() -> None:
    """Which of equal moves is made depends on the hand, what the best one is worth does not."""
    worth = set()
    for seed in range(80):
        battle = fray(400 + seed, absent=["evasion"], most=1)._replace(turns=1)
        found, policy = [], ("greedy", "lookahead")[seed % 2]
        for turn in (Turn(0), Turn(seed % 6, flipped=True)):
            scenario = battle.scenario("hold", turn)
            sides = scenario.sides.model_copy(update={"a": scenario.sides.a.model_copy(update={"policy": policy})})
            state = game.new_state()
            setup = game.compile(scenario.model_copy(update={"sides": sides}), battle.rules)
            game.play_one(setup, state, KEY, seed)
            found.append(int(state.candidates[0].score))
        assert found[0] == found[1], seed
        worth.add(found[0])
    assert len(worth) > 50


def armed(kind: str) -> Any:
    """Return the numbers of a weapon."""
    design = {"size": 1, "equipment": [kind.replace("_", " ")]}
    sides = {"a": {"design": design}, "b": {"design": "archer"}}
    return game.compile(Scenario.model_validate({"sides": sides}), Rules()).jugs[0].weapons[0]


def test_rules_of_the_board_know_no_hand() -> None:
    """Arcs, cones, reaches and approaches of a turned or mirrored offset are the turned or mirrored ones."""
    weapons = [armed(kind) for kind in WEAPONS]
    for q, r in hexagon():
        for facing in range(6):
            arc = arc_of(facing, q, r)
            for turn in (Turn(sixths, flipped) for sixths in range(6) for flipped in (False, True)):
                hex, other = turn.hex(q, r), turn.facing(facing)
                assert distance(*hex) == distance(q, r)
                assert arc_of(other, *hex) == (arc if arc < 0 or not turn.flipped else -arc % 6)
                assert in_front(other, *hex) == in_front(facing, q, r)
                assert in_half(other, *hex) == in_half(facing, q, r)
                assert beside(other, *hex) == beside(facing, q, r)
            turn = Turn((q + facing) % 6, flipped=True)
            hex, other = turn.hex(q, r), turn.facing(facing)
            for half in (False, True):
                assert ahead(other, *hex, half) == ahead(facing, q, r, half)
                for weapon in weapons:
                    assert reaches(weapon, other, *hex, half) == reaches(weapon, facing, q, r, half)
    assert [approach(arc) for arc in range(6)] == [approach(-arc % 6) for arc in range(6)]
