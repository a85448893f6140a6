"""Small battles in which the dice are loaded and nobody has a choice: scenes that show one rule each.

A scene is a table (see ``cases/jugger_moves.toml`` for its keys). Unless its rules say otherwise, jugs march: they keep
the velocity and the facing that they have, so that a clever player has one move alone, and makes every attack that
bears. Dice are loaded with a constant, or a trial is looked for in which they fall as wanted; the trace is asked for
both.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from simkit.core.dice import parse
from simkit.core.dicetable import dice_table
from simkit.core.jit import entry
from simkit.core.rng import make_key, stream
from simkit.games.jugger import battle, game
from simkit.games.jugger.aliases import WEAPONS
from simkit.games.jugger.board import index
from simkit.games.jugger.ending import end_phase
from simkit.games.jugger.happenings import BOLT, FIREBALL, KICK, Cause, Happening, What, happened, place, where
from simkit.games.jugger.records import ACROSS, DICE, EDGE, EVENTS, DiceRow, PieceKind, Setup, Spell, State
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario

KEY = make_key(2**61 + 77)
TRIALS = 1000
"""Most trials that are looked through for the wanted dice."""

MARCH = dict.fromkeys(
    (
        "base_acceleration", "base_deceleration", "base_turn_rate", "gears_acceleration", "brakes_deceleration",
        "steering_turns", "sails_acceleration", "sails_deceleration", "legs_deceleration", "legs_turns",
        "speed_acceleration", "balance_deceleration", "cornering_turns",
    ),
    0,
)  # fmt: skip
"""House rules under which nobody accelerates, brakes or turns."""

FIELD = {"half_length": 12, "half_rows": 6}
ITEMS = {"kick": KICK, "fireball": FIREBALL, "bolt": BOLT}
KNOWN = {
    "id", "says", "a", "b", "policies", "map", "rules", "march", "dice", "rolls", "order", "turns", "until", "given",
    "after", "events", "never", "outcome", "otherwise", "victory", "seek", "load",
}  # fmt: skip

EXPECTED = ("events", "never", "after", "outcome")


class Shown(NamedTuple):
    """A scene that was played."""

    events: list[Happening]
    state: Any
    outcome: dict[str, int]
    names: list[str]

    def of(self, *kinds: str) -> list[Happening]:
        """Return the events of some kinds."""
        return [row for row in self.events if What(row.what).name in kinds]

    def jug(self, name: str) -> Any:
        """Return a jug as it is in the end."""
        return self.state.jugs[self.names.index(name)]

    def told(self) -> str:
        """Write the events down, for those who look why a scene came out otherwise."""
        return "\n".join(tell(row, self.names) for row in self.events)


def tell(row: Happening, names: list[str]) -> str:
    """Write an event down as a scene lists it."""
    who = [names[slot] if 0 <= slot < len(names) else "-" for slot in (row.jug, row.foe)]
    rest = f"item={row.item} roll={row.roll} value={row.value} extra={row.extra}"
    return f"{row.turn}: {What(row.what).name} {' '.join(who)} {rest}"


def cases(name: str) -> list[dict[str, Any]]:
    """Read the scenes of a file; a variant begins as its scene but for what it says itself."""
    text = (Path(__file__).parent / "cases" / f"jugger_{name}.toml").read_text(encoding="utf-8")
    found = []
    for case in tomllib.loads(text)["case"]:
        assert set(case) <= KNOWN, set(case) - KNOWN
        found.append(case)
        for other in case.get("otherwise", []):
            assert set(other) <= KNOWN, set(other) - KNOWN
            shared = {key: value for key, value in case.items() if key not in ("otherwise", *EXPECTED)}
            found.append({**shared, **other, "rules": {**case.get("rules", {}), **other.get("rules", {})}})
    return found


def titled(scenes: list[dict[str, Any]]) -> list[str]:
    """Return what the tests of scenes are called: the rule and what they show of it."""
    return [f"{scene['id']}: {scene['says']}" for scene in scenes]


def jug(text: str) -> tuple[dict[str, Any], dict[str, int]]:
    """Read ``"3 jaws:2 gears +luck @ 0 0 3 4"``: size, equipment, captain; q, r, facing, velocity.

    Examples
    --------
    >>> jug("3 jaws:2 +luck @ 1 -1 3")[1]
    {'q': 1, 'r': -1, 'facing': 3, 'velocity': 0}
    """
    design, _, start = text.partition("@")
    size, *words = design.split()
    items = [word for word in words if not word.startswith("+")]
    equipment = []
    for item in items:
        kind, _, big = item.partition(":")
        equipment.append({"weapon": kind, "size": int(big or 1)} if kind in WEAPONS else {"item": kind})
    q, r, facing, velocity, *_ = [*map(int, start.split()), 0, 0]
    captain = [word[1:] for word in words if word.startswith("+")]
    return (
        {"size": int(size), "equipment": equipment, "captain": captain},
        {"q": q, "r": r, "facing": facing, "velocity": velocity},
    )


def go_on(setup: Setup, state: State, turns: int, until: int) -> None:
    """Play turns until the battle is over, the last one is played, or a side's segment of it; then count.

    One procedure: each one that Python calls is compiled with all that it calls.
    """
    far = False
    while not state.over and state.turn < turns and not far:
        battle.begin_turn(setup, state)
        battle.roll_initiative(setup, state)
        for k in range(state.segments):
            if not state.over and not far:
                battle.segment(setup, state, state.order[k])
            far = far or (state.turn == turns and state.order[k] == until)
        if not state.over and not far:
            end_phase(setup, state)
    battle.count(setup, state)


go_on.__module__ = battle.__name__  # so that it is kept with the game, and forgotten with it
go_on = entry(go_on)


class Scene:
    """A scene, compiled."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.case = case
        sides = {side: [jug(text) for text in case[side]] for side in "ab"}
        self.names = [f"{side}{k + 1}" for side in "ab" for k in range(len(sides[side]))]
        policies = case.get("policies", "greedy greedy").split()
        field = {**FIELD, **case.get("map", {})}
        data = {
            "sides": {
                side: {"units": [{"design": design} for design, _ in sides[side]], "policy": policy}
                for side, policy in zip("ab", policies, strict=True)
            },
            "scenario": {
                "map": field,
                "deployment": {side: [start for _, start in sides[side]] for side in "ab"},
                "max_turns": case.get("turns", 1),
                "victory": case.get("victory", {}),
            },
        }
        if "delay" in data["scenario"]["victory"]:
            del data["scenario"]["max_turns"]
        self.turns = case.get("turns", 1)
        self.scenario = Scenario.model_validate(data)
        self.rules = house(case.get("rules", {}), march=case.get("march", True))
        wrong = game.complaints(self.scenario, self.rules)
        assert wrong == [], wrong
        self.setup = game.compile(self.scenario, self.rules)
        for name, dice in case.get("dice", {}).items():
            self.load(name, dice)
        for k, (name, dice) in enumerate(case.get("load", {}).items()):
            row = DICE - 1 - k  # a row of its own at the end of the room, which no weapon throws from
            self.setup.dice[row] = dice_table(parse(str(dice)))
            self.setup.jugs[self.names.index(name)].weapons[0].dice = row

    def load(self, name: str, dice: int | str) -> None:
        """Load the dice of a purpose, or the damage dice of a weapon."""
        if name.upper() in DiceRow.__members__:
            rows = [int(DiceRow[name.upper()])]
        else:
            kind, jugs = WEAPONS.index(name), self.setup.jugs[: len(self.names)]
            weapons = [weapon for one in jugs for weapon in one.weapons[: one.weapon_count]]
            rows = [int(weapon.dice) for weapon in weapons if weapon.kind == kind]
        for row in rows:
            self.setup.dice[row] = dice_table(parse(str(dice)))

    def play(self, trial: int) -> Shown:
        """Play one trial, to its end or as far as the scene goes."""
        state = scratch()
        state.room = EVENTS
        if "given" in self.case or "until" in self.case:
            self.step_by_step(state, trial)
        else:
            game.play_one(self.setup, state, KEY, trial)
        assert state.noted <= EVENTS
        columns = [metric.name for metric in game.OUTCOMES]
        outcome = dict(zip(columns, (int(one) for one in state.outcome[: len(columns)]), strict=True))
        return Shown([*happened(state.events[: state.noted])], state, outcome, self.names)

    def step_by_step(self, state: Any, trial: int) -> None:
        """Play as the game does, but from what is given, and no farther than the segment of a side in the last turn."""
        state.stream, state.tweak = stream(KEY.stream, trial), KEY.tweak
        battle.set_up(self.setup, state, False)
        self.give(state)
        until = self.case.get("until", "")
        go_on(self.setup, state, self.turns, "ab".index(until) if until else -1)

    def give(self, state: Any) -> None:
        """Set what a scene begins with beside what the deployment says."""
        for name, fields in self.case.get("given", {}).items():
            if name == "walls":
                state.wall_hits[: len(fields)] = fields
                continue
            if name == "wrecks":
                state.wrecks[: len(fields)] = [index(q, r) for q, r in fields]
                state.wreck_count = len(fields)
                continue
            fighter = state.jugs[self.names.index(name)]
            for field, value in fields.items():
                if field == "spells":
                    fighter.spells[:] = 0
                    for spell, count in value.items():
                        fighter.spells[Spell[spell.upper()]] = count
                else:
                    assert field in fighter.dtype.names, field
                    fighter[field] = value
            battle.refresh(self.setup, state, self.names.index(name))

    def wanted(self, shown: Shown) -> bool:
        """Tell whether the dice fell as wanted: initiative, and what ``rolls`` lists."""
        firsts = [shown.events[k + 1].foe for k in range(len(shown.events) - 1) if is_first(shown.events, k)]
        order = self.case.get("order", "a" * self.turns)
        right = len(firsts) <= len(order) and all(
            wish in ("*", "ab"[first]) for wish, first in zip(order, firsts, strict=False)
        )
        for name, faces in self.case.get("rolls", {}).items():
            fallen = [row.roll for row in shown.of(name.upper())]
            right = right and fallen[: len(faces)] == faces
        return right and all(occurs(text, shown) for text in self.case.get("seek", []))

    def shown(self) -> Shown:
        """Return the first trial in which the dice fall as wanted."""
        for trial in range(TRIALS):
            shown = self.play(trial)
            if self.wanted(shown):
                return shown
        raise AssertionError(f"in {TRIALS} trials the dice never fall as wanted, such as:\n{shown.told()}")


def occurs(text: str, shown: Shown) -> bool:
    """Tell whether an event of a kind occurs in a trial."""
    sought = wish(text, shown.names)
    return any(all(seen(row, key) == value for key, value in sought.items()) for row in shown.events)


def is_first(events: list[Happening], k: int) -> bool:
    """Tell whether the initiative ends with event k: the next one is the first segment of a turn, of a side."""
    return events[k].what == What.INITIATIVE and events[k + 1].what == What.SEGMENT and events[k + 1].jug < 0


def house(changes: Mapping[str, Any], march: bool = False) -> Rules:
    """Return the rules with some changed by dotted path; where jugs march, whatever else is not said."""
    return _house(json.dumps(changes), march)


@cache
def _house(changes: str, march: bool) -> Rules:
    data = _plain() | (MARCH if march else {})
    for path, value in json.loads(changes).items():
        *tables, name = path.split(".")
        table: Any = data
        for key in tables:
            table[key] = dict(table[key])
            table = table[key]
        assert name in table, path
        table[name] = value
    return Rules.model_validate(data)


@cache
def _plain() -> dict[str, Any]:
    return Rules().model_dump()


@cache
def scratch() -> Any:
    """Return the one state that all scenes are played in."""
    game.ready()
    return game.new_state()


def check(case: Mapping[str, Any]) -> None:
    """Play a scene, and compare what came of it with what it says."""
    compare(case, Scene(case).shown())


def compare(case: Mapping[str, Any], shown: Shown) -> None:
    """Compare what came of a scene with what it says."""
    told = shown.told()
    if "events" in case:
        wished = [wish(text, shown.names) for text in case["events"]]
        found = shown.of(*{What(one["what"]).name for one in wished})
        fields = [{key: seen(row, key) for key in one} for row, one in zip(found, wished, strict=False)]
        assert fields == wished[: len(fields)], told
        assert len(found) == len(wished), told
    assert shown.of(*case.get("never", [])) == [], told
    for name, values in case.get("after", {}).items():
        found: Any = {key: measured(shown.jug(name), key) for key in values} if name in shown.names else None
        if name == "walls":
            found = [int(hits) for hits in shown.state.wall_hits[: len(values)]]
        if name == "wrecks":
            lie = [int(one) for one in shown.state.wrecks[: shown.state.wreck_count]]
            found = [[one // ACROSS - EDGE, one % ACROSS - EDGE] for one in lie]
        assert found == values, f"{name}\n{told}"
    for name, value in case.get("outcome", {}).items():
        assert shown.outcome[name] == value, (name, told)


def measured(fighter: Any, key: str) -> Any:
    """Return a field of a jug as a scene writes it."""
    if key == "at":
        return [int(fighter.q), int(fighter.r)]
    if key == "fate":
        return Cause(int(fighter.fate)).name if fighter.fate else ""
    if key == "spells":
        return {spell.name.lower(): int(fighter.spells[spell]) for spell in Spell if fighter.spells[spell]}
    value = fighter[key]
    return bool(value) if value.dtype == bool else int(value)


def wish(text: str, names: list[str]) -> dict[str, int]:
    """Read ``"RAM a1 b1 roll=4 value=24"``: what an event must be.

    ``at=3,-1`` is a place, ``cause=CREW`` and ``kind=GEARS`` are values by name; ``item=kick`` an attack.

    Examples
    --------
    >>> wish("RAM a1 b1 roll=4", ["a1", "b1"])
    {'what': 36, 'jug': 0, 'foe': 1, 'roll': 4}
    """
    kind, *words = text.split()
    found = {"what": int(What[kind])}
    people = [word for word in words if "=" not in word]
    for field, name in zip(("jug", "foe"), people, strict=False):
        found[field] = -1 if name == "-" else names.index(name)
    for word in words[len(people) :]:
        key, _, value = word.partition("=")
        if key == "at":
            q, r = map(int, value.split(","))
            field = "value" if kind in ("ENTER", "MOVE_TO", "STOP") else "extra"
            found[field] = place(q, r)
        elif key in ("cause", "kind"):
            found["value"] = int((Cause if key == "cause" else PieceKind)[value])
        else:
            found[key] = ITEMS.get(value, 0) if value in ITEMS else int(value)
    return found


def seen(row: Happening, key: str) -> int:
    """Return a field of an event."""
    return int(getattr(row, key))


def places(rows: list[Happening]) -> Iterator[tuple[int, int]]:
    """Yield the hexes that events of entering tell."""
    for row in rows:
        yield where(row.value)


def cited_fields(text: str) -> set[str]:
    """Return the fields of the rule set that a text names."""
    words = set(re.findall(r"[a-z_]+", text))
    return words & set(Rules.model_fields)
