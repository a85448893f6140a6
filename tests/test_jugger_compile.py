"""From battles to numbers: weapons, pieces, hits, dice, aims and the map, and that equal physics gives equal bytes."""

from typing import Any

import numpy as np
import pytest

from simkit.core.dice import parse
from simkit.core.dicetable import dice_table
from simkit.games.jugger import game
from simkit.games.jugger.aliases import WEAPONS
from simkit.games.jugger.compile import DICE, SAME_NAME, TABLES
from simkit.games.jugger.designs import load
from simkit.games.jugger.happenings import BOLT, FIREBALL, KICK
from simkit.games.jugger.maps import find
from simkit.games.jugger.records import (
    ACROSS,
    EDGE,
    FIRST_WALL,
    OUTSIDE,
    Ability,
    Arc,
    DiceRow,
    Numbers,
    PieceKind,
    Policy,
    Special,
)  # fmt: skip
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario
from simkit.games.jugger.weights import WEIGHTS

RULES = Rules()


def setup(a: Any, b: Any = "archer", *, rules: Rules = RULES, policy: str = "greedy", **battle: Any) -> Any:
    """Compile a battle."""
    data = {"sides": {"a": {"design": a}, "b": {"design": b}}, "scenario": battle, "policy": policy}
    scenario = Scenario.model_validate(data)
    assert game.complaints(scenario, rules) == []
    return game.compile(scenario, rules)


def kinds(jug: Any) -> list[int]:
    """List the pieces of a jug by kind."""
    return [int(piece.kind) for piece in jug.pieces[: jug.piece_count]]


def test_weapons_read_like_their_tables() -> None:
    jug = setup("archer").jugs[0]
    assert (jug.size_class, jug.hits, jug.weapon_count, jug.piece_count, jug.longest) == (3, 60, 1, 2, 5)
    ballista = jug.weapons[0]
    assert (ballista.kind, ballista.piece, ballista.winch) == (WEAPONS.index("ballista"), 0, 1)
    assert (ballista.reach, ballista.to_hit, ballista.times, ballista.spaces) == (5, 4, 2, 2)
    assert (ballista.arc, ballista.special, ballista.expected) == (Arc.ALL, Special.NONE, 84)
    assert ballista.missile and ballista.points == 0
    assert kinds(jug) == [PieceKind.WEAPON, PieceKind.WINCH]
    assert [int(piece.weapon) for piece in jug.pieces[:2]] == [0, -1]


@pytest.mark.parametrize(
    ("weapon", "size", "special", "times", "mean", "points"),
    [
        ("flail", 2, Special.NONE, 2, 252, 0),
        ("jaws", 1, Special.GRAB, 1, 84, 0),
        ("fire pump", 4, Special.FIRE, 4, 48, 4),
        ("cauldron", 2, Special.CAULDRON, 2, 84, 0),
        ("scythe", 3, Special.SCYTHE, 3, 90, 0),
        ("lever", 1, Special.TOPPLE, 1, 0, 0),
        ("demon eye", 2, Special.CREW, 2, 0, 0),
        ("wheel spikes", 1, Special.SPIKES, 1, 42, 0),
    ],
)
def test_what_a_weapon_is_worth(weapon: str, size: int, special: int, times: int, mean: int, points: int) -> None:
    """Expected damage in twelfths; of a scythe without the cut, of a fire its points (J-DMG-9)."""
    found = setup({"size": 5, "equipment": [f"size {size} {weapon}"]}).jugs[0].weapons[0]
    assert (found.special, found.times, found.expected, found.points) == (special, times, mean, points)


def test_more_dice_for_an_oversize_weapon() -> None:
    """One roll of so many dice, no factor; a scythe keeps its one die and a fire its points (J-SC-2, J-WPN-17)."""
    rules = Rules(oversize="more_dice")
    made = setup({"size": 9, "equipment": ["size 2 flail", "size 3 scythe", "size 4 fire pump"]}, rules=rules)
    flail, scythe, pump = made.jugs[0].weapons[:3]
    assert (flail.times, flail.expected, scythe.times, scythe.expected, pump.points) == (1, 252, 3, 90, 4)
    assert made.dice[flail.dice].lowest == 6 and made.dice[scythe.dice].lowest == 1


def test_winches_serve_ballistas_in_order() -> None:
    """The n-th winch serves the n-th ballista (J-WPN-6)."""
    design = {"size": 6, "equipment": ["flail", "ballista", "winch", "2 ballistas", "winch"]}
    jug = setup(design).jugs[0]
    assert [int(weapon.winch) for weapon in jug.weapons[:4]] == [-1, 2, 5, -1]
    assert [int(weapon.piece) for weapon in jug.weapons[:4]] == [0, 1, 3, 4]


def test_pieces_are_what_a_critical_can_destroy() -> None:
    """Every single item but armor, in the order of the list; a wizard by ruling (J-DMG-7)."""
    design = {"size": 9, "equipment": ["2x armor", "+2 gears", "brakes", "steering", "main ram +1", "flail", "wizard"]}
    wanted = [
        PieceKind.GEARS, PieceKind.GEARS, PieceKind.BRAKES, PieceKind.STEERING, PieceKind.RAM, PieceKind.WEAPON,
        PieceKind.WIZARD,
    ]  # fmt: skip
    assert kinds(setup(design).jugs[0]) == wanted
    assert kinds(setup(design, rules=Rules(wizard_is_piece=False)).jugs[0]) == wanted[:-1]
    assert setup(design).jugs[0].wizard == 1 == setup(design, rules=Rules(wizard_is_piece=False)).jugs[0].wizard


@pytest.mark.parametrize("id", load())
def test_every_published_design_compiles(id: str) -> None:
    design, jug = load()[id], setup(id).jugs[0]
    assert (jug.size_class, jug.weapon_count) == (design.size, len(design.weapons))
    assert jug.piece_count == sum(item.kind != "armor" for item in design.items)
    assert jug.legged == bool(design.count("legs")) == (not jug.rams)
    armed = {k for k in range(64) if jug.armed >> k & 1}
    extra = {KICK} if jug.legged else set()
    assert armed == set(range(len(design.weapons))) | extra | ({FIREBALL, BOLT} if jug.wizard else set())


def test_hits_and_rams_follow_the_rules() -> None:
    assert setup("battlemaster").jugs[0].hits == 200
    assert setup("battlemaster", rules=Rules(printed_hits=True)).jugs[0].hits == 220
    owner = Rules(ram_owner="reinforced_only")
    assert [bool(setup(name, rules=owner).jugs[0].rams) for name in ("gorger", "archer", "cutter")] == [1, 0, 0]


def test_captains_are_bits() -> None:
    design = {"size": 2, "equipment": ["flail"], "captain": "Ballard Trevon"}
    bits = {Ability.BALANCE, Ability.LUCK, Ability.ARTILLERIST, Ability.TACTICS}
    assert setup(design).jugs[0].captain == sum(1 << ability for ability in bits)
    single = {"size": 1, "captain": "damage control"}
    assert setup(single).jugs[0].captain == 1 << Ability.CONTROL


def test_every_number_of_the_rules_arrives() -> None:
    """Each field that the kernels read changes the setup when the rule does."""
    plain = setup("archer")
    for name in SAME_NAME:
        value = getattr(RULES, name)
        changed = not value if isinstance(value, bool) else value - 1 or 2
        other = setup("archer", rules=Rules.model_validate({**RULES.model_dump(), name: changed}))
        assert getattr(other.rules, name) == changed != getattr(plain.rules, name), name
    for name, value in {
        "map_edge": "wrap", "forward_cone_deg": 180, "to_hit": "at_least", "declare": "rounds", "initiative": "jug",
        "critical_counts": "missing", "collision_sc": "none", "ram_owner": "reinforced_only", "break_roll": "weapon",
        "grab_damage": "attack", "evasion": "declared", "captains": "random", "kick_dice": "1d12", "ram_dice": "1d8",
        "fire_turns_dice": "1d4",
    }.items():  # fmt: skip
        other = setup("archer", rules=Rules.model_validate({**RULES.model_dump(), name: value}))
        assert other.rules.tobytes() != plain.rules.tobytes(), name
    assert set(SAME_NAME) < set(Numbers.__annotations__)


def test_dice_stand_in_their_rows() -> None:
    made = setup("axer", "thrasher")
    assert sorted([*DICE, *TABLES]) == [row for row in DiceRow if row != DiceRow.FIRST_WEAPON]
    for row, field in DICE.items():
        assert made.dice[row].tobytes() == dice_table(RULES.rolled(field)).tobytes(), field
    for jug, names in zip(made.jugs[:2], (("2d6", "2d6", "0", "1d6", "1d6"), ("3d6", "3d6")), strict=True):
        for weapon, dice in zip(jug.weapons, names, strict=False):
            assert made.dice[weapon.dice].tobytes() == dice_table(parse(dice)).tobytes()


def test_the_map_arrives() -> None:
    made = setup("archer", map="ruins")
    ruins = find("ruins")
    grid = np.asarray(made.grid).reshape(ACROSS, ACROSS)
    assert (made.half_length, made.half_rows) == (12, 7) and made.wall_count == len(ruins.places("wall"))
    for k, (q, r) in enumerate(ruins.places("wall")):
        assert made.walls[k] == (q + EDGE) * ACROSS + r + EDGE and grid[q + EDGE, r + EDGE] == FIRST_WALL - k
    assert grid[EDGE + 13, EDGE] == OUTSIDE and grid[EDGE, EDGE] != OUTSIDE
    heavy = setup("archer", map="woods", rules=Rules(forest_loss=3))
    assert heavy.tobytes() != setup("archer", map="woods").tobytes()


def test_aims_arrive() -> None:
    aims = {
        "rout_below": 40, "occupy": [2, -1], "within": 1, "turns": 3, "break_through": 1, "far_end": 2, "target_a": 1,
        "delay": 20, "defender": "b",
    }  # fmt: skip
    victory = setup("archer", victory=aims).victory
    assert (victory.max_turns, victory.rout_below, victory.delay_side) == (20, 40, 1)
    assert (victory.occupy_q, victory.occupy_r, victory.occupy_within, victory.occupy_turns) == (2, -1, 1, 3)
    assert (victory.target_a, victory.target_b) == (0, -1)
    assert (victory.breakthrough, victory.breakthrough_column) == (1, 2 * 12 - 3)
    plain = setup("archer", rules=Rules(rout_below=30)).victory
    assert (plain.max_turns, plain.rout_below, plain.occupy_turns, plain.breakthrough) == (60, 30, 0, 0)
    assert (plain.target_a, plain.target_b, plain.delay_side) == (-1, -1, -1)
    assert setup("archer", victory={"occupy": [0, 0]}).victory.occupy_turns == 1


def test_policies_bring_their_weights() -> None:
    for policy, weights in WEIGHTS.items():
        if policy == "tuned":
            continue  # which looks them up: test_jugger_weights.py
        made = setup("archer", policy=policy)
        assert made.policies.tolist() == [Policy[policy.upper()]] * 2
        assert [{name: int(made.weights[k][name]) for name in weights} for k in (0, 1)] == [weights, weights]


def test_equal_physics_gives_equal_bytes() -> None:
    """Titles, ways to write a list and names of maps are no physics."""
    written = {"size": 5, "equipment": [{"weapon": "flail", "size": 2, "count": 2}, "armour"], "title": "Whirl"}
    assert setup("thrasher").tobytes() == setup(written).tobytes() == setup("Thrasher", map="open").tobytes()
    names = [setup("thrasher", distance=5), setup("thrasher", distance=6), setup("thrasher", distance=5, velocity=1)]
    assert len({made.tobytes() for made in names}) == 3
    assert setup("thrasher").tobytes() != setup("archer", "thrasher").tobytes()


def test_nanoseconds_grow_with_jugs_and_skill() -> None:
    duels = [game.nanoseconds(setup("archer", policy=policy)) for policy in ("hold", "greedy", "lookahead")]
    assert duels == sorted(duels) and duels[0] > 100
    data = {"a": {"design": "archer", "count": 12}, "b": {"design": "archer", "count": 12}}
    squads = Scenario.model_validate({"sides": data})
    assert game.nanoseconds(game.compile(squads, RULES)) > 10 * duels[1]
