"""Trials of Pig Tickler retold: exact texts, and what must hold of every text."""

import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from simkit.core.rng import make_key
from simkit.games.pigtickler import game
from simkit.games.pigtickler.course import Scenario
from simkit.games.pigtickler.narrate import tell
from simkit.games.pigtickler.records import EVENTS, Ahead, Fate, Kind, Outcome, Purpose, What
from simkit.games.pigtickler.rules import Rules
from simkit.games.protocol import Line, rulebook
from tests.pigtickler_luck import some_course, some_rules

STORIES = tomllib.loads((Path(__file__).parent / "cases" / "pig_stories.toml").read_text(encoding="utf-8"))["story"]
KEY = make_key(1)
ROLLS = re.compile(r"rolls (\d+)[:,]")
NEEDS = re.compile(r"needs (-?\d+) or more on [^:,;]*(?:: (-?\d+)((?:, (?:and|less) \d+ for [^,;]*)*))?")
CHANGES = re.compile(r", (and|less) (\d+) for")
OTHER = "the other lancer"
TOTALS = {
    "wounds": re.compile(r"(\d+) wounds?(?! to)"),
    "damage": re.compile(r"(\d+) points? of damage(?! to)"),
    "rumps": re.compile(r"(\d+) rump"),
    "other_wounds": re.compile(r"(\d+) wounds? to another lancer"),
    "other_damages": re.compile(r"(\d+) points? of damage to another lancer"),
    "rolls": re.compile(r"with (\d+) throw"),
}


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    game.ready()


def written(line: Line) -> str:
    """Write a line as the story file has it."""
    return f"{line.text} ({', '.join(line.ids)})" if line.ids else line.text


def played(course: dict[str, Any], rules: Rules, trial: int) -> tuple[Scenario, Any, Any]:
    """Play one trial of a course: the scenario, its setup and its events."""
    scenario = Scenario.model_validate({"course": course})
    assert game.complaints(scenario, rules) == []
    setup = game.compile(scenario, rules)
    return scenario, setup, game.trace(setup, KEY, trial)


# Exact texts


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story["name"])
def test_story(story: dict[str, Any]) -> None:
    rules = Rules.model_validate(story.get("rules", {}))
    scenario, _, events = played(story["course"], rules, story["trial"])
    assert [written(line) for line in tell(scenario, rules, events)] == story["told"].splitlines()


def test_stories_tell_of_everything() -> None:
    seen: dict[type, set[int]] = {enum: set() for enum in (What, Purpose, Kind, Ahead, Fate)}
    for story in STORIES:
        rules = Rules.model_validate(story.get("rules", {}))
        _, setup, (rows, _) = played(story["course"], rules, story["trial"])
        for row in rows:
            seen[What].add(int(row.what))
            if row.what in (What.THROW, What.DESCENDS, What.STOPS):
                seen[Kind].add(int(setup.tasks[row.task].kind))
            if row.what == What.THROW:
                seen[Purpose].add(int(row.purpose))
            if row.what == What.STEERED:
                seen[Ahead].add(int(setup.tasks[row.task].ahead))
            if row.what == What.OVER:
                seen[Fate].add(int(row.fate))
    assert {enum.__name__: set(enum) - met for enum, met in seen.items()} == {enum.__name__: set() for enum in seen}


def test_altered_odds_are_mentioned_once() -> None:
    scenario, _, events = played({"steps": [{"turn": 9}], "turns": 9}, Rules(altered_odds=True), 0)
    throws = [line.text for line in tell(scenario, Rules(altered_odds=True), events) if line.kind == "throw"]
    assert len(throws) > 1
    assert throws[0].startswith("to turn he needs 5 or more on 2d6 (altered odds), rolls ")
    assert all(text.startswith("to turn he needs 5 or more on 2d6, rolls ") for text in throws[1:])


def test_full_trace_says_that_it_breaks_off() -> None:
    rules = Rules(standard_target=13, bog_edge_reroll=True)
    scenario, _, events = played({"steps": [{"bog": "ford"}], "turns": 300}, rules, 0)
    rows, noted = events
    assert (len(rows), noted) == (EVENTS, 601)
    lines = tell(scenario, rules, events)
    assert len(lines) == EVENTS + 1
    assert lines[-1] == Line("the story breaks off: the trace ran out of room and 89 more events are not told", "end")
    assert lines[-2].text.endswith(": he fails")


@pytest.mark.parametrize("name", ["enter", "leave", "cross", "beside", "i_i_x"])
def test_names_of_house_bogs_stay_as_they_are(name: str) -> None:
    rules = Rules(bogs={name: -1}, standard_target=13)
    course = {"steps": [{"down": 1}, {"stop": True, "ahead": name}]}
    scenario, _, events = played(course, rules, 0)
    lines = tell(scenario, rules, events)
    plain = name.replace("_", " ")
    assert lines[3].text == f"straight ahead is the {plain}: in he goes"
    entry = f"to enter the {plain} he needs 13 or more on 2d6: 13, and 1 for the {plain}, less 1 for "
    assert lines[4].text.startswith(entry)


# What holds of every text


def check_throw(line: Line, row: Any) -> None:
    """Compare the line of one throw with its event: the roll, what was needed, and the sum behind it."""
    assert line.kind == "throw"
    assert ROLLS.findall(line.text) == [str(row.roll)]
    assert line.text.startswith(OTHER) == (row.purpose == Purpose.OTHER)
    needs = NEEDS.search(line.text)
    assert (needs is not None) == (row.purpose in (Purpose.MANOEUVRE, Purpose.HIT))
    if needs is not None:
        need, target, changes = needs.groups()
        assert (row.roll >= int(need)) == (int(row.result) % 2 == 1)
        if target is not None:
            total = sum(int(by) if sign == "and" else -int(by) for sign, by in CHANGES.findall(changes))
            assert int(target) + total == int(need)
        else:
            assert row.modifier == 0


def check_end(line: Line, outcome: Outcome) -> None:
    """Compare the last line with the outcome that the kernel counted."""
    assert line.kind == "end"
    for name, pattern in TOTALS.items():
        found = pattern.findall(line.text)
        assert found == ([str(getattr(outcome, name))] if getattr(outcome, name) or name == "rolls" else [])
    assert ("finished" in line.text) == bool(outcome.finished)
    assert ("stopped" in line.text) == bool(outcome.stopped)
    assert ("last terrain is behind him" in line.text) == bool(outcome.reached and not outcome.finished)
    assert ("ran away" in line.text) == bool(outcome.runaway)
    assert ("killed" in line.text) == bool(outcome.killed)
    assert ("wrecked" in line.text) == bool(outcome.wrecked)
    assert f"turn {outcome.turns_used} " in line.text


def test_every_throw_is_told_once_and_the_totals_agree() -> None:
    luck = random.Random(7)
    known = set(re.findall(r"P-[A-Z]+-\d+", rulebook("pigtickler")))
    for trial in range(500):
        rules = some_rules(luck)
        scenario, setup, events = played(some_course(luck), rules, trial)
        rows, noted = events
        assert noted == len(rows)
        outcome = game.play_one(setup, game.new_state(), KEY, trial)
        lines = tell(scenario, rules, events)
        throws = [line for line in lines if line.kind == "throw"]
        for line, row in zip(throws, [row for row in rows if row.what == What.THROW], strict=True):
            check_throw(line, row)
        assert sum(not line.text.startswith(OTHER) for line in throws) == outcome.rolls
        assert sum(line.kind == "turn" for line in lines) == outcome.turns_used
        assert [line.kind for line in lines].count("end") == 1
        check_end(lines[-1], outcome)
        assert all(set(line.ids) <= known for line in lines)
        assert all(line.ids for line in lines if line.kind != "turn" or "lost" in line.text)
