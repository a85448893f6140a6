"""Real battles of Jugger retold: the battle rebuilt from the events is the one that was fought, and sums add up."""

import random
import re
from typing import Any

import pytest

from simkit.core.rng import make_key
from simkit.games.jugger import designs, game
from simkit.games.jugger.happenings import Cause, What
from simkit.games.jugger.legality import complaints
from simkit.games.jugger.narrate import paragraphs, retell, tell
from simkit.games.jugger.picture import picture
from simkit.games.jugger.player import battle
from simkit.games.jugger.records import EVENTS
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario
from simkit.games.jugger.staging import cast
from simkit.games.jugger.track import track
from simkit.games.protocol import rulebook

KEY = make_key(7)
IDS = set(re.findall(r"J-[A-Z]+-\d+", rulebook("jugger")))
ALTERNATIVES = {
    "map_edge": ("wall", "exit", "wrap"),
    "captains": ("none", "random"),
    "initiative": ("side", "jug"),
    "declare": ("once", "rounds"),
    "to_hit": ("at_most", "at_least"),
    "evasion": ("after_hit", "declared"),
    "oversize": ("multiply", "more_dice"),
    "critical_counts": ("taken", "missing"),
    "break_roll": ("jug", "weapon"),
    "grab_damage": ("end", "attack"),
    "grab_stops": (True, False),
    "fire_stacks": (False, True),
    "cauldron_reroll": (False, True),
    "wizard_is_piece": (True, False),
    "haste_stacks": (False, True),
    "push_collides": (False, True),
    "side_kill_drives_through": (False, True),
}
RAM = re.compile(r"D6 (\d+)(?: \+ (\d+) \(reinforced ram\))? \+ (\d+) \(size\) = (\d+), times velocity (\d+)")
LESS = re.compile(r" less (\d+)")
DAMAGE = re.compile(r" = (\d+) damage")
SIZED = re.compile(r"\d*D\d+ (\d+) x (\d+) \(size\) = (\d+) damage")
LOST = re.compile(r"(-?\d+) -> (-?\d+) hits")


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    game.ready()


def some_battle(luck: random.Random) -> tuple[Scenario, Rules]:
    """Return a legal battle of up to three a side under altered rules."""
    names = list(designs.load())
    jugs = luck.choice((1, 1, 2, 3))
    changes = {key: luck.choice(values) for key, values in ALTERNATIVES.items() if luck.random() < 0.25}
    scene: dict[str, Any] = {"max_turns": luck.choice((5, 20, 40))}
    if luck.random() < 0.6:
        scene |= {"distance": luck.choice((1, 2, 3, 5)), "velocity": luck.choice((0, 2, 4))}
    elif luck.random() < 0.5:
        around = [[0, 0], [1, -2], [-1, 2], [3, 0], [-3, 0]]
        luck.shuffle(around)
        scene["map"] = {"half_length": 5, "half_rows": 3, "walls": around[:3], "forests": around[3:]}
        scene["velocity"] = 3
    sides = {side: {"units": [{"design": luck.choice(names)} for _ in range(jugs)]} for side in "ab"}
    policy = luck.choice(("random", "random", "greedy", "hold", "lookahead"))
    return Scenario.model_validate({"sides": sides, "scenario": scene, "policy": policy}), Rules(**changes)


def fought(luck: random.Random, trial: int) -> tuple[Any, Any, Any]:
    """Fight a battle: its cast, its state at the end, and its rules."""
    while complaints(*(made := some_battle(luck))):
        pass
    setup, state, seat = game.compile(*made), game.new_state(), luck.choice((0, 1))
    state.room = EVENTS
    game.play_one(setup, state, KEY, trial, seat)
    return cast(*made, setup, seat), state, made[1]


def told(state: Any) -> tuple[Any, int]:
    """Return the events of a battle as a retelling takes them."""
    return state.events[: min(state.noted, EVENTS)], int(state.noted)


def bits(mask: int, count: int) -> list[int]:
    """List the bits that are set."""
    return [k for k in range(count) if mask >> k & 1]


def grips(list: Any, count: int, holder: str, held: str, slot: int) -> list[tuple[int, int]]:
    """List the holds or ropes of a jug: weapon and foe."""
    return sorted((int(row["attack"]), int(row[held])) for row in list[:count] if row[holder] == slot)


def check_state(people: Any, state: Any) -> None:
    """Compare the battle rebuilt from its events with the one that the kernel has left."""
    scene = track(people, told(state)[0])[-1]
    assert list(scene.walls) == [max(0, int(state.wall_hits[k])) for k in range(len(people.walls))]
    for slot, (member, jug) in enumerate(zip(people.jugs, scene.jugs, strict=True)):
        fighter = state.jugs[slot]
        for name in ("q", "r", "facing", "hits", "side", "fate"):
            assert getattr(jug, name) == fighter[name], (member.name, name)
        if fighter["fate"]:
            continue
        assert jug.velocity == fighter["velocity"], member.name
        assert sorted(jug.lost) == bits(fighter["lost"], len(member.pieces)), member.name
        assert sorted(jug.spent) == bits(fighter["spent"], len(member.weapons)), member.name
        assert list(jug.spells) == [spell for spell in range(1, 7) for _ in range(fighter["spells"][spell])]
        assert sorted(jug.holds) == grips(state.holds, state.hold_count, "holder", "held", slot), member.name
        assert sorted(jug.ropes) == grips(state.ropes, state.rope_count, "jug", "foe", slot), member.name
        fires = [fire for fire in state.fires[: state.fire_count] if fire["victim"] == slot and fire["left"] > 0]
        kept = sorted(tuple(int(fire[key]) for key in ("firer", "attack", "points", "left")) for fire in fires)
        assert sorted(tuple(fire) for fire in jug.fires) == kept, member.name


def check_sums(text: str) -> None:
    """See that every sum in a line adds up."""
    for found in RAM.finditer(text):
        roll, bonus, size, total, velocity = (int(part or 0) for part in found.groups())
        less = LESS.match(text, found.end())
        damage = DAMAGE.match(text, less.end() if less else found.end())
        assert damage is not None, text
        assert roll + bonus + size == total, text
        assert int(damage[1]) == total * (velocity - int(less[1] if less else 0)), text
    for roll, size, damage in SIZED.findall(text):
        assert int(roll) * int(size) == int(damage), text


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.thorough
def test_the_battle_that_is_told_is_the_one_that_was_fought(seed: int) -> None:
    luck = random.Random(seed)
    seen: set[int] = set()
    for trial in range(60):
        people, state, _ = fought(luck, trial)
        rows, noted = told(state)
        lines = retell(people, (rows, noted))
        seen |= {int(what) for what in rows["what"]}
        assert [line.first for line in lines[1:]] == [line.end for line in lines[:-1]]
        assert {id for line in lines for id in line.ids} <= IDS
        for line in lines:
            check_sums(line.text)
        if noted > len(rows):
            assert "ran out of room" in lines[-1].text
            continue
        check_state(people, state)
        assert len(paragraphs(lines)) == 1 + state.turn + 1
        last = rows[-1]
        assert last["what"] == What.OVER
        winner = f"victory for {people.sides[last['foe']]}" if last["foe"] >= 0 else "a draw"
        assert lines[-1].text.startswith(f"{winner} in turn {state.turn}: ")
    assert len(seen) > 35


def test_hits_go_on_from_where_they_were() -> None:
    luck = random.Random(9)
    for trial in range(40):
        people, state, _ = fought(luck, trial)
        hits = {jug.name: jug.hits for jug in people.jugs}
        for line in retell(people, told(state)):
            for clause in line.text.split("; "):
                for name in sorted(hits, key=len, reverse=True):
                    change = LOST.search(clause)
                    if change and clause.startswith((f"{name} ", f"{name}'s mechanic")):
                        assert int(change[1]) == hits[name], line.text
                        hits[name] = int(change[2])
                        break


def test_under_the_rules_of_record_every_ram_is_taken_apart() -> None:
    luck = random.Random(3)
    rams = 0
    for trial in range(120):
        people, state, rules = fought(luck, trial)
        if rules != Rules():
            continue
        for line in tell(people, told(state)):
            if " rams " in line.text:
                rams += 1
                assert RAM.search(line.text), line.text
    assert rams > 5


def test_the_page_shows_the_end_that_was_fought() -> None:
    luck = random.Random(5)
    for trial in range(30):
        people, state, _ = fought(luck, trial)
        rows, noted = told(state)
        found = battle(people, rows, retell(people, (rows, noted)))
        jugs = found["start"]["jugs"]
        for step in found["steps"]:
            jugs = [{**jug, **step["jugs"].get(slot, {})} for slot, jug in enumerate(jugs)]
        if noted == len(rows):
            assert [jug["hits"] for jug in jugs] == [int(state.jugs[slot]["hits"]) for slot in range(len(jugs))]
            assert [bool(jug["fate"]) for jug in jugs] == [
                int(state.jugs[slot]["fate"]) not in (0, Cause.CAPTURED) for slot in range(len(jugs))
            ]
        assert picture(people, (rows, noted)).endswith("</svg>\n")


def test_a_swapped_battle_names_its_sides_by_their_seats() -> None:
    scenario = Scenario.model_validate(
        {"sides": {"a": {"design": "lobber"}, "b": {"design": "archer", "title": "Bows"}}}
    )
    for seat, first in ((0, "A: Lobber"), (1, "Bows: Archer")):
        setup = game.compile(scenario, Rules())
        lines = game.narrate(scenario, Rules(), game.trace(setup, KEY, 0, seat))
        assert lines[1].text.startswith(f"{first} (size ")
        assert "at [-11, 0], facing east, velocity 0" in lines[1].text
