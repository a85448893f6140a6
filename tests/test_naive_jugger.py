"""The plain twin of Jugger by itself: worked examples, single events exactly, hold duels, and following a trace."""

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from scipy.stats import binomtest

from simkit.core.rng import make_key
from tests.naive.jugger import Battle, Board, Design, Hold, play
from tests.naive.jugger import tables as t
from tests.naive.jugger.board import distance
from tests.naive.jugger.design import Fire, Grip, Jug
from tests.naive.jugger.endphase import burn, end_phase
from tests.naive.jugger.moment import moment
from tests.naive.jugger.motion import can_move, enter, play_move
from tests.naive.jugger.policies import worth
from tests.naive.jugger.ram import collide, ram
from tests.naive.jugger.settle import Effects, land, settle

KEY = make_key(20)
FIELD = Board([(q, r) for q in range(-12, 21) for r in range(-6, 7)], {})
CALM: dict[str, Any] = {"critical_every": 10_000}
FACING = {"side": 1, "rear": 0, "head-on": 3}
"""Facing of a target that is rammed from the west."""


def design(sc: int, *items: str | tuple[str, int], **more: Any) -> Design:
    """Write a design shortly."""
    return Design(sc, tuple((item, 1) if isinstance(item, str) else item for item in items), **more)


def battle_of(a: Design, b: Design, b_start: tuple[int, int, int, int] = (1, 0, 3, 0), **changes: Any) -> Battle:
    """Set up a duel in its first turn; jug a stands at (0, 0) and faces east."""
    board = changes.pop("board", FIELD)
    starts = [[(0, 0, 0, 0)], [b_start]]
    battle = Battle([[a], [b]], t.rules_of(**changes), board, starts, ("hold", "hold"), 60, 0, KEY, 0, False, None)
    battle.turn = 1
    return battle


# Dice that fall in every way


class MoreDiceError(Exception):
    """The script has no more dice."""


class Script:
    """Dice that fall as written."""

    def __init__(self, falls: tuple[tuple[int, Fraction], ...]) -> None:
        self.falls = list(falls)

    def roll(self, expression: str, purpose: str, time: int, seat: int, i: int) -> int:
        if not self.falls:
            raise MoreDiceError(expression)
        return self.falls.pop(0)[0]


def chances(make: Callable[[], Battle], event: Callable[[Battle], Any], most: int = 99) -> dict[Any, Fraction]:
    """Return the exact chances of what an event gives; what needs more than `most` throws counts as "open"."""
    found: dict[Any, Fraction] = defaultdict(Fraction)
    waiting: list[tuple[tuple[int, Fraction], ...]] = [()]
    while waiting:
        falls = waiting.pop()
        chance = Fraction(1)
        for _, p in falls:
            chance *= p
        battle = make()
        battle.dice = Script(falls)  # type: ignore[assignment]
        try:
            found[event(battle)] += chance
        except MoreDiceError as error:
            if len(falls) == most:
                found["open"] += chance
            else:
                waiting += [(*falls, fall) for fall in t.faces(str(error)).items()]
    return dict(found)


def sixths(*values: Any) -> dict[Any, Fraction]:
    """Write values that share the chances evenly."""
    return {value: Fraction(1, len(values)) for value in values}


# Rams and collisions


def ram_event(
    kind: str, a: Design, b: Design, velocities: tuple[int, int], moved: int, what: str
) -> dict[Any, Fraction]:
    """Return the chances of one result of a ram."""

    def event(battle: Battle) -> int:
        jug, met = battle.jugs
        jug.velocity, jug.moved = velocities[0], moved
        battle.mover, battle.running = jug, True
        ram(battle, jug, met, 0, enter)
        return {
            "damage": met.full - met.hits,
            "back": jug.full - jug.hits,
            "out": 2 * met.in_play + jug.in_play,
            "moved": distance(met.place, (1, 0)),
            "gap": distance(met.place, jug.place),
            "velocity": jug.velocity,
            "target velocity": met.velocity,
            "left": max(0, jug.velocity - jug.moved) if battle.running else 0,
        }[what]

    return chances(lambda: battle_of(a, b, (1, 0, FACING[kind], velocities[1]), **CALM), event)


@pytest.mark.parametrize(
    ("kind", "a", "b", "velocities", "moved", "values"),
    [
        pytest.param(
            "side", design(5, "reinforced_ram", "reinforced_ram"), design(5), (4, 0), 2,
            {"damage": sixths(32, 36, 40, 44, 48, 52), "back": {0: 1}, "out": {3: 1}, "moved": {0: 1},
             "velocity": {0: 1}, "target velocity": {0: 1}, "left": {0: 1}},
            id="E01, worked example 1",
        ),
        pytest.param(
            "rear", design(3), design(3), (6, 4), 5,
            {"damage": sixths(8, 10, 12, 14, 16, 18), "back": {0: 1}, "out": {3: 1}, "moved": sixths(1, 2, 3),
             "velocity": {5: 1}, "target velocity": {4: 1}, "left": {0: 1}},
            id="E04, worked example 2",
        ),
        pytest.param(
            "head-on", design(6, "reinforced_ram", "reinforced_ram", "armor", "armor"),
            design(3, "legs", "armor", "armor", "armor"), (6, 3), 2,
            {"damage": sixths(54, 60, 66, 72, 78, 84), "back": {0: 1}, "out": {3: 1}, "moved": {1: 1}, "gap": {1: 1},
             "velocity": {0: 1}, "target velocity": {0: 1}, "left": {0: 1}},
            id="E07",
        ),
        pytest.param(
            "head-on", design(3), design(2), (3, 2), 1,
            {"damage": sixths(12, 15, 18, 21, 24, 27), "back": sixths(6, 8, 10, 12, 14, 16), "out": {3: 1},
             "moved": {0: 1}, "velocity": {0: 1}, "target velocity": {0: 1}},
            id="both with rams: no push",
        ),
        pytest.param(
            "head-on", design(4, "reinforced_ram"), design(1), (5, 0), 2,
            {"out": {1: 1}, "gap": {0: 1}, "velocity": {4: 1}, "left": {1: 1}},
            id="drive-through (J-RAM-10)",
        ),
        pytest.param(
            "side", design(4), design(1), (5, 2), 1,
            {"out": {1: 1}, "gap": {1: 1}, "velocity": {0: 1}, "moved": {0: 1}},
            id="a side kill stops the rammer (J-RAM-9)",
        ),
    ],
)  # fmt: skip
def test_rams(
    kind: str, a: Design, b: Design, velocities: tuple[int, int], moved: int, values: dict[str, dict[Any, Fraction]]
) -> None:
    """J-RAM-2 to J-RAM-4, J-RAM-9 to J-RAM-13."""
    for what, right in values.items():
        assert ram_event(kind, a, b, velocities, moved, what) == right, what


def test_collision() -> None:
    """E08: SC 4 at velocity 3; a stone wall takes the same (J-COL-1 to J-COL-4)."""
    board = Board(FIELD.inside, {(1, 0): "wall"})

    def event(battle: Battle) -> tuple[int, int]:
        jug = battle.jugs[0]
        jug.velocity = 3
        battle.board.wall_hits[0] = 24
        collide(battle, jug, 0)
        assert jug.velocity == 0
        assert (battle.board.kind((1, 0)) == "rubble") == (battle.board.wall_hits[0] <= 0)
        return jug.full - jug.hits, battle.board.wall_hits[0]

    found = chances(lambda: battle_of(design(4), design(1), (5, 0, 0, 0), board=board, **CALM), event)
    assert found == sixths((15, 9), (18, 6), (21, 3), (24, 0), (27, -3), (30, -6))


class Straight(Hold):
    """The highest velocity, straight on."""

    def velocity(self, jug: Jug, low: int, high: int) -> int:
        return high


def test_terrain_shortens_the_move() -> None:
    """J-TER-2: velocity 4, forest first, is 3 hexes in all."""
    battle = battle_of(design(5), design(1), (9, 3, 0, 0), board=Board(FIELD.inside, {(1, 0): "forest"}))
    battle.policies[0] = Straight(battle)
    jug = battle.jugs[0]
    jug.velocity = 3
    play_move(battle, jug)
    assert (jug.place, jug.velocity, jug.moved) == ((3, 0), 3, 3)


# Damage, attacks


def test_critical_rolls() -> None:
    """E11, E13, worked example 7 (J-DMG-2, J-DMG-6)."""

    def lost(battle: Battle) -> int:
        effects = Effects()
        effects.hurt(battle.jugs[1], 0, 45)
        settle(battle, effects)
        assert effects.rolls == {1: 2}
        return 2 - len(battle.jugs[1].losable(battle.rules))

    found = chances(lambda: battle_of(design(1), design(3, "flail", "gears")), lost)
    assert found == {0: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)}

    pairs = ((0, 19), (0, 20), (19, 1), (15, 4), (15, 5), (15, 25), (20, 19), (20, 20), (39, 1), (39, 41))
    rolls = []
    for before, damage in pairs:
        battle = battle_of(design(1), design(9))
        battle.jugs[1].taken = before
        effects = Effects()
        effects.hurt(battle.jugs[1], 0, damage)
        land(battle, effects)
        rolls.append(effects.rolls[1])
    assert rolls == [0, 1, 1, 0, 1, 2, 0, 1, 1, 3]


def attack_event(a: Design, b: Design, **changes: Any) -> dict[Any, Fraction]:
    """Return the chances of the damage of one attack moment and the fires it lights, or of how it puts b out."""

    def event(battle: Battle) -> Any:
        target = battle.jugs[1]
        moment(battle, at_start=True)
        while target.fires:
            effects = Effects()
            burn(battle, effects)
            land(battle, effects)
        happened = Counter(event[0] for event in battle.events)
        words = {t.CUT: "cut", t.TOPPLE: "toppled", t.CREW: "crew", t.CAPTURE: "captured"}
        word = next((word for what, word in words.items() if happened[what]), None)
        if word is None and happened[t.BALANCE]:
            return "avoided"
        return word or ("miss" if not (happened[t.DAMAGE] or happened[t.FIRE]) else target.full - target.hits)

    return chances(lambda: battle_of(a, b, **CALM, **changes), event)


def parts(whole: int, **ways: int) -> dict[str, Fraction]:
    """Write chances out of a whole."""
    return {name: Fraction(number, whole) for name, number in ways.items()}


def test_single_attacks() -> None:
    """E14, E15, E17, E20, E22, worked examples 3 to 5 (J-ATK-2, J-SC-2, J-WPN-1, J-WPN-3, J-WPN-17)."""
    big = design(9)
    two: dict[Any, Fraction] = {face: chance / 3 for face, chance in t.faces("2d6").items()}
    assert attack_event(design(1, "catapult"), big) == {**two, "miss": Fraction(2, 3)}
    three: dict[Any, Fraction] = {2 * face: chance / 3 for face, chance in t.faces("3d6").items()}
    assert attack_event(design(2, ("flail", 2)), big) == {**three, "miss": Fraction(2, 3)}
    assert sum(value * chance for value, chance in three.items()) == 7
    cut: dict[Any, Fraction] = {**dict.fromkeys((2, 4, 6, 8, 10, "cut"), Fraction(1, 12)), "miss": Fraction(1, 2)}
    assert attack_event(design(2, ("scythe", 2)), big) == cut
    assert attack_event(design(1, "lever"), big) == parts(6, miss=5, toppled=1)
    balance = design(9, captain=("balance",))
    assert attack_event(design(1, "lever"), balance) == parts(12, miss=10, toppled=1, avoided=1)
    pump: dict[Any, Fraction] = {**dict.fromkeys((4, 8, 12, 16, 20, 24), Fraction(1, 12)), "miss": Fraction(1, 2)}
    assert attack_event(design(4, ("fire_pump", 4)), big) == pump
    assert attack_event(design(1, "boarders", captain=("meleer",)), big) == parts(6, miss=4, captured=2)
    assert attack_event(design(1, "fang"), design(9, captain=("evasion",))) == parts(18, miss=16, crew=2)
    kick = {face + 3: Fraction(1, 10) for face in range(1, 11)}
    assert attack_event(design(3, "legs"), big) == kick
    assert attack_event(design(1, "trebuchet"), big, to_hit="at_least")[10] == t.faces("3d6")[10]
    flails = attack_event(design(2, ("flail", 2)), big, oversize="more_dice")
    assert flails[7] == Fraction(6, 3 * 6**6)


def test_traits() -> None:
    """Worked examples 6 and 8."""
    rules = t.rules_of()
    windrammer = design(5, "sails", "sails", "reinforced_ram", "reinforced_ram", "wizard")
    jug = battle_of(windrammer, design(1)).jugs[0]
    assert (jug.acceleration(rules), jug.deceleration(rules), jug.full, jug.bonus(rules)) == (3, 3, 100, 2)
    cutter = battle_of(design(3, "legs", "mace_arm", "mace_arm"), design(1)).jugs[0]
    assert (cutter.has_ram(rules), cutter.turn_rate(rules), cutter.deceleration(rules)) == (False, 2, 2)


def test_tactics_goes_first() -> None:
    """J-INI-3: P(Tactics first) = 55/91, ties rolled again."""
    found = chances(
        lambda: battle_of(design(1, captain=("tactics",)), design(1)), lambda b: b.sides_by_initiative()[0], most=2
    )
    assert found == {0: Fraction(55, 100), 1: Fraction(36, 100), "open": Fraction(9, 100)}


def test_worth_of_pieces() -> None:
    """J-DMG-9: expected hits a turn; a kill counts as the enemy's full hits, what does not bear as nothing."""
    kinds = ("legs", "flail", "cauldron", "lever", "scythe", "fire_pump", "gears", "wheel_spikes", "trebuchet")
    battle = battle_of(design(9, *kinds), design(2))
    worths = [worth(battle, battle.jugs[0], index) for index in range(len(kinds))]
    right = ["29/2", "7/2", "49/6", "20/3", "55/12", "7/4", "0", "0", "7/4"]
    assert worths == [Fraction(value) for value in right]
    hold = battle.policies[0]
    assert hold.lose(battle.jugs[0], list(range(9)), attacker=True) == 0
    assert hold.lose(battle.jugs[0], list(range(9)), attacker=False) == 7


# Scripted scenes


def falls(battle: Battle, *values: int) -> Script:
    """Give a battle dice that fall as written; the script shows what is left over."""
    script = Script(tuple((value, Fraction(1)) for value in values))
    battle.dice = script  # type: ignore[assignment]
    return script


@pytest.mark.parametrize(("behind", "places"), [(False, ((2, 0), (3, 0))), (True, ((2, 0), (1, 0)))])
def test_drag(behind: bool, places: tuple[Any, Any]) -> None:
    """J-WPN-13: the bigger jug pushes what it holds in front and pulls what it holds behind, at velocity 2 at most."""
    a = design(4, "claw_arm", "gears", "gears", "steering")
    battle = battle_of(a, design(1), (-1 if behind else 1, 0, 2, 0))
    jug, other = battle.jugs
    battle.policies[0] = Straight(battle)
    jug.holds[0] = Grip(other, 0)
    assert can_move(battle, jug) and not can_move(battle, other)
    play_move(battle, jug)
    assert (jug.place, other.place, jug.velocity, other.facing, list(jug.holds)) == (*places, 2, 2, [0])


def test_dodged_ram() -> None:
    """J-CAP-3: the target goes to the first free hex and the rammer drives on; the second ram of the turn hits."""
    battle = battle_of(design(3), design(3, captain=("evasion",)), (1, 0, 1, 0), **CALM)
    jug, met = battle.jugs
    battle.policies[0] = Straight(battle)
    jug.velocity = 2
    script = falls(battle, 2, 5)
    play_move(battle, jug)
    assert not script.falls
    assert (jug.place, met.place, met.full - met.hits, jug.velocity) == ((1, 0), (2, 0), 24, 0)


def test_both_captured_in_a_duel() -> None:
    """J-WPN-11: a draw."""
    battle = battle_of(design(1, "boarders"), design(1, "boarders"))
    falls(battle, 1, 1)
    moment(battle, at_start=True)
    assert (battle.over, battle.winner, battle.cause) == (True, -1, t.CAPTURED)


def test_both_out_in_one_end_phase() -> None:
    """J-END-1: b is toppled by its rope in part 1, a burns down in part 3, and the battle is over in part 5."""
    battle = battle_of(design(2, "ballista", "winch"), design(1, "fire_pump"), (5, 0, 3, 0))
    a, b = battle.jugs
    a.ropes[0] = Grip(b, 0)
    a.fires = [Fire(b, 0, 1, points=1, turns=2)]
    a.hits = 1
    script = falls(battle, 1)
    end_phase(battle)
    assert not script.falls
    assert (battle.winner, battle.cause, battle.last_out) == (-1, t.DESTROYED, [t.DESTROYED, t.TOPPLED])


def test_spikes_attack_friends_too() -> None:
    """J-WPN-12, J-DMG-8: a roll for each jug in the side hexes, friends too; the front is spared."""
    starts = [[(0, 0, 0, 0), (0, 1, 0, 0)], [(-1, 1, 0, 0), (1, 0, 0, 0)]]
    lists = [[design(1, "wheel_spikes"), design(1)], [design(1), design(1)]]
    battle = Battle(lists, t.rules_of(), FIELD, starts, ("hold", "hold"), 60, 0, KEY, 0, False, None)
    script = falls(battle, 4, 3, 4, 5)
    moment(battle, at_start=True)
    assert not script.falls
    assert [jug.full - jug.hits for jug in battle.jugs] == [0, 3, 5, 0]
    assert battle.damage[0] == {"weapons": 8}


# Hold duels


@pytest.mark.parametrize("duels", [600, pytest.param(3000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("a", "b", "far", "values"),
    [
        pytest.param(
            design(1, "claw_arm"), design(1, "saw_arm"), 1,
            {"win_a": 0.3974224327755608, "win_b": 0.5649742623062282}, id="H13, grabs",
        ),
        pytest.param(
            design(2, ("slingshot", 2)), design(2, ("trebuchet", 2)), 10,
            {"win_a": 0.5037619388798906, "win_b": 0.4681622584791882}, id="H18, criticals",
        ),
        pytest.param(
            design(2, ("slingshot", 2)), design(2, ("acid_spitter", 2)), 10,
            {"win_a": 0.8662371768216418, "win_b": 0.11645282745792514}, id="H24, fire and criticals",
        ),
    ],
)  # fmt: skip
@pytest.mark.thorough
def test_hold_duels(a: Design, b: Design, far: int, values: dict[str, float], duels: int) -> None:
    """Many duels each against exact values: six tests at p < 1e-7, a false alarm in fewer than one run in 10**6."""
    won = Counter[str]()
    for trial in range(duels):
        outcome, _ = play([[a], [b]], FIELD, [[(0, 0, 0, 0)], [(far, 0, 3, 0)]], KEY, trial, max_turns=60)
        won.update(outcome)
    for name, exact in values.items():
        assert binomtest(won[name], duels, exact).pvalue > 1e-7, (name, won[name] / duels, exact)
