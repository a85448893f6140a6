"""Other readings of the rules: which there are, how far they move an answer, and what is said of it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import simkit
from simkit.balance import swings as moving
from simkit.balance.swings import swung
from simkit.balance.verdict import judge
from simkit.cli import call
from simkit.games import protocol
from simkit.games.battlesystem import swings as battlesystem
from simkit.games.battlesystem.assumptions import rulings
from simkit.games.battlesystem.rules import Rules as BattleRules
from simkit.games.jugger import swings as jugger
from simkit.games.juggerball import swings as juggerball
from simkit.games.pigtable import swings as pigtable
from simkit.games.pigtickler import swings as pigtickler_swings
from simkit.games.pigtickler.rules import Rules
from simkit.games.protocol import rule_fields
from simkit.games.readings import Step, Swing, readings, swings_of
from simkit.lab import house
from simkit.lab import swings as room
from simkit.lab.plan import Plan
from simkit.lab.resolve import resolved
from simkit.report import page, swings, tornado
from tests.commandline import document_alone
from tests.laboratory import COMPARED, made, messages, play, question
from tests.report_documents import made as document
from tests.report_documents import swung as told

pytestmark = pytest.mark.usefixtures("pigtickler")

COURSE = {"steps": [{"down": 2}, {"turn": 1}, {"bog": "grass"}, {"pig": True}], "turns": 2}
STATED: Mapping[str, Any] = {
    "battlesystem": battlesystem.NUMBERS,
    "jugger": jugger.NUMBERS,
    "juggerball": juggerball.NUMBERS,
    "pigtable": pigtable.NUMBERS,
    "pigtickler": pigtickler_swings.NUMBERS,
}


def asked(trials: int = 4000, /, **tables: Any) -> Plan:
    """Plan a course on which many readings matter."""
    return made(course=COURSE, run={"trials": trials} | tables.pop("run", {}), **tables)


def played(plan: Plan, tmp_path: Path, *, jobs: int = 1) -> dict[str, Any]:
    """Play a plan and its other readings."""
    results = play(plan, tmp_path, jobs=jobs).results
    found = swung(plan, results, judge(plan, results), jobs=jobs)
    assert found is not None
    return found


def over_levels(down: Sequence[int]) -> dict[str, Any]:
    """Return a sweep over levels down."""
    return {"axes": {"course.steps.1.down": list(down)}}


def exact_value(plan: Plan, cell: int, path: str, value: Any) -> float:
    """Solve the report metric of a cell with one rule changed."""
    data = plan.cells[cell].rules.model_dump()
    house.place(data, path, value)
    found = plan.game.exact(plan.cells[cell].scenario, plan.game.Rules.model_validate(data)).metrics[plan.metric]
    assert found is not None
    return float(found)


# Which readings there are


def test_switches_have_their_other_values_and_numbers_those_that_are_stated() -> None:
    paths = ["failed_stop", "free_facing", "hit_target", "wreck_at", "bogs.grass", "hit_dice", "pig_bonus"]
    numbers = {"hit_target": Step(2), "wreck_at": Step(3), "bogs.grass": (-2, -1, 0), "pig_bonus": ("nothing",)}
    found = readings(Rules(), paths, numbers, pinned=["dice", "wreck_at"])
    assert [tuple(swing) for swing in found] == [
        ("wreck_at", 6, "a step higher", True),  # a step lower is not allowed; of the dice nothing is stated
        ("failed_stop", "runs_on", "another reading", False),
        ("failed_stop", "stops", "another reading", False),
        ("free_facing", False, "the other reading", False),
        ("hit_target", 5, "a step lower", False),
        ("hit_target", 9, "a step higher", False),
        ("bogs.grass", -2, "another value", False),
        ("bogs.grass", 0, "another value", False),
        ("pig_bonus", "straight_leg", "the other reading", False),
    ]


def test_readings_are_other_than_the_value_in_force() -> None:
    changed = Rules(failed_stop="stops", hit_target=8)
    found = readings(changed, ["failed_stop", "hit_target"], {"hit_target": Step(1)})
    assert [swing.value for swing in found] == ["opponent_control", "runs_on", 7, 9]


def test_every_game_states_readings() -> None:
    assert [name for name in protocol.find() if swings_of(protocol.load(name)) is None] == []
    assert set(STATED) == set(protocol.find())


@pytest.mark.parametrize("name", STATED)
def test_every_stated_number_is_a_ruling_whose_values_are_legal(name: str) -> None:
    game = protocol.load(name)
    rows = {row.path: row for row in rule_fields(game.Rules())}
    for path in STATED[name]:
        assert rows[path].source in "QB"
        found = readings(game.Rules(), [path], STATED[name])
        assert found and len({repr(swing.value) for swing in found}) == len(found)
        for swing in found:
            data = game.Rules().model_dump()
            house.place(data, path, swing.value)
            assert game.Rules.model_validate(data) != game.Rules()


def test_every_ruling_of_battlesystem_has_another_reading_and_the_widest_are_always_there() -> None:
    found = readings(BattleRules(), rulings(), battlesystem.NUMBERS, battlesystem.PINNED)
    assert {swing.path for swing in found} == set(rulings())
    assert {swing.path for swing in found if swing.pinned} == set(battlesystem.PINNED) <= set(rulings())
    game = protocol.load("battlesystem")
    fight = {"sides": {"a": {"design": "orcs"}, "b": {"design": "orcs"}}}
    hook = swings_of(game)
    assert hook is not None
    listed = hook(game.Scenario.model_validate(fight), game.Rules())
    assert set(battlesystem.PINNED) <= {swing.path for swing in listed}
    assert ("crt", "table") not in [swing[:2] for swing in listed]


# How far they move an answer


@pytest.mark.parametrize(("metric", "compared"), [("finished", True), ("wounded", False), ("turns_used", True)])
def test_the_exact_movement_of_every_reading_lies_in_its_interval(metric: str, compared: bool, tmp_path: Path) -> None:
    plan = asked(20_000, report={"metric": metric}, **(COMPARED if compared else {}))
    found = played(plan, tmp_path)
    assert (found["trials"], found["n"], found["not_played"], found["left_out"]) == (20_000, 20_000, "", [])
    assert (found["cell"], found["baseline"]) == ((2, 1) if compared else (1, None))
    assert len(found["rows"]) == 11
    cells = [1, 0] if compared else [0]
    old = [exact_value(plan, i, "dice", "2d6") for i in cells]
    for row in found["rows"]:
        new = [exact_value(plan, i, row["path"], row["value"]) for i in cells]
        move = (new[0] - old[0]) - ((new[1] - old[1]) if compared else 0.0)
        assert row["low"] <= move <= row["high"], row["path"]
        assert row["high"] - row["low"] < 0.06
    widest = [abs(row["estimate"]) for row in found["rows"]]
    assert max(widest) == max(widest[:2]) and ("for all 11 together" in found["family"])


def test_a_reading_that_sets_up_the_same_moves_nothing_for_sure(
    pigtickler: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pigtickler, "swings", lambda scenario, rules: [Swing("bogs.dunes", 0, "another value")])
    plan = asked(report={"target": 0.2})
    found = played(plan, tmp_path)
    (row,) = found["rows"]
    assert (row["estimate"], row["method"], row["word"], found["family"]) == (0.0, "exact", "holds", "")
    assert tornado.chosen({"swings": found}) == []


def test_what_cannot_be_played_and_what_the_question_is_about(
    pigtickler: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = [Swing("level_every", 0, "no level"), Swing("altered_odds", True, "asked"), Swing("no", 1, "none")]
    monkeypatch.setattr(pigtickler, "swings", lambda scenario, rules: odd)
    found = played(asked(**COMPARED), tmp_path)
    (left,) = found["left_out"]
    assert (left["path"], found["rows"]) == ("level_every", [])
    assert left["why_not"] == "'level_every' must be from 1 to 24, found 0"
    shown = {"swings": found}
    assert swings.summary(shown) == ["None of the 1 other reading can be played here."]
    assert swings.line(shown) == ""
    monkeypatch.delattr(pigtickler, "swings")
    plan = asked()
    assert swung(plan, [], judge(plan, play(plan, tmp_path / "b").results), jobs=1) is None


def test_of_several_comparisons_the_one_in_the_middle_is_played_again(tmp_path: Path) -> None:
    axes = {"altered_odds": [False, True], "course.steps.1.down": [0, 1, 2]}
    plan = asked(2000, sweep={"axes": axes}, compare={"baseline": {"altered_odds": False}})
    results = play(plan, tmp_path).results
    verdict = judge(plan, results)
    found = swung(plan, results, verdict, jobs=1)
    assert found is not None
    middle = sorted(verdict.rows, key=lambda row: row.value.estimate)[1]
    assert found["cell"] == middle.cell and {row.word for row in verdict.rows} == {"higher"}
    down = plan.cells[middle.cell - 1].labels["course.steps.1.down"]
    names = f"altered odds against standard odds for levels down {down}"
    assert found["where"] == f"cell {middle.cell}: {names}, in the middle of all 3 comparisons"
    said = swings.fate({"swings": found})
    assert said.startswith(f"The verdict on cell {middle.cell} ")


def test_of_different_verdicts_the_commonest_is_played_again(tmp_path: Path) -> None:
    plan = asked(2000, sweep=over_levels([0, 1, 2, 3]), report={"target": 0.4})
    results = play(plan, tmp_path).results
    verdict = judge(plan, results)
    assert [row.word for row in verdict.rows] == ["higher", "higher", "lower", "lower"]
    found = swung(plan, results, verdict, jobs=1)
    assert found is not None
    assert found["where"] == "cell 2: levels down 1, in the middle of the 2 cells with its verdict"
    alone = made(course=COURSE, run={"trials": 2000}, sweep=over_levels([0, 3]), report={"target": 0.4})
    results = play(alone, tmp_path).results
    found = swung(alone, results, judge(alone, results), jobs=1)
    assert found is not None
    assert found["where"] == "cell 1: levels down 0, the only one of 2 cells with its verdict"


# What becomes of the verdict


def test_the_verdict_flips_holds_or_is_not_resolved(tmp_path: Path) -> None:
    plan = asked(20_000, report={"target": 0.22})
    found = played(plan, tmp_path)
    words = {(row["path"], row["value"]): row["word"] for row in found["rows"]}
    after = {(row["path"], row["value"]): row["becomes"]["word"] for row in found["rows"]}
    assert found["held"]["word"] == "higher"  # 29.1 % exactly
    assert (words["dice", "1d10"], after["dice", "1d10"]) == ("flips", "lower")  # 15.6 %
    assert words["bogs.grass", 0] == "holds"  # 34.9 %
    assert (words["bogs.grass", -2], after["bogs.grass", -2]) == ("undecided", "undecided")  # 21.4 %
    for row in found["rows"]:
        move, held = row["becomes"], found["held"]
        assert move["low"] == pytest.approx(held["low"] + row["low"])
        assert move["high"] == pytest.approx(held["high"] + row["high"])


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        ("higher", "higher", "holds"),
        ("higher", "lower", "flips"),
        ("fair", "higher", "flips"),
        ("lower", "undecided", "undecided"),
        ("undecided", "undecided", "undecided"),
        ("undecided", "lower", "decides"),
        ("measured", "measured", "measured"),
    ],
)
def test_what_becomes_of_a_verdict(before: str, after: str, word: str) -> None:
    assert moving._outcome(before, after) == word


# When nothing is played


def test_a_short_run_plays_none_and_says_so(tmp_path: Path) -> None:
    found = played(asked(1999), tmp_path)
    assert (found["rows"], found["n"]) == ([], 0)
    assert found["not_played"] == "the run has fewer than 2,000 trials a cell"
    said = "What other readings of these rules would change was not played: the run has fewer than 2,000 trials a cell."
    assert swings.summary({"swings": found}) == [said]


def test_an_experiment_says_how_many_trials_or_none(tmp_path: Path) -> None:
    assert played(asked(1000, run={"swings": 300}), tmp_path)["n"] == 300
    assert played(asked(1000, run={"swings": 10**6}), tmp_path)["n"] == 1000
    assert played(asked(21_000), tmp_path)["n"] == moving.MOST_TRIALS
    off = played(asked(4000, run={"swings": False}), tmp_path)
    assert (off["rows"], off["not_played"]) == ([], "the experiment switches it off (swings = 0)")
    (message,) = messages(question(run={"swings": True}))
    assert message == "'swings' in [run] must be a whole number, found true"


def test_readings_that_take_longer_than_the_run_are_not_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "SHORTEST", 1.0)
    found = played(asked(2000), tmp_path)
    assert found["rows"] == []
    assert found["not_played"] == (
        "11 other readings of 500 trials each would take less than a second of one processor, longer than the run "
        "itself; [run] swings = 2000 plays them all the same"
    )
    assert played(asked(2000, run={"swings": 2000}), tmp_path)["n"] == 2000
    monkeypatch.setattr(moving, "NOTED", 1.0)
    plan = asked(20_000)
    heard: list[str] = []
    results = play(plan, tmp_path).results
    budgeted = swung(plan, results, judge(plan, results), jobs=1, note=heard.append)
    assert budgeted is not None and budgeted["n"] == 1600  # as long as 20,000 trials, of 12 cells, in two digits
    assert heard == ["11 other readings of the rules, 1,600 trials each"]


# The folder of results


def test_what_is_played_stands_in_the_folder_and_in_the_report(tmp_path: Path) -> None:
    one = simkit.run(question(course=COURSE, run={"trials": 3000}, **COMPARED), out=tmp_path / "one", jobs=1, block=512)
    assert one.document["swings"] == played(one.plan, tmp_path / "two", jobs=3)  # threads change nothing
    written = json.loads((one.folder / "swings.json").read_text(encoding="utf-8"))
    assert {key: written[key] for key in one.document["swings"]} == one.document["swings"]
    assert (written["schema"], written["run"], written["metric"]) == (1, one.folder.name, "finished")
    assert {"swings.json", "plots/tornado.svg"} <= set(json.loads((one.folder / "manifest.json").read_text())["files"])
    text = (one.folder / "report.html").read_text(encoding="utf-8")
    assert text == page.html(one.document)
    section = text[text.index('<section id="assumptions">') : text.index('<section id="trials">')]
    assert section.count("<svg") == 2 and "other readings of these rules were played" in section
    for row in one.document["swings"]["rows"]:
        assert row["path"] in section
    off = asked(3000, run={"swings": False}, **COMPARED)
    assert (off.fingerprint == one.folder.name, resolved(off)["run"]["swings"]) == (False, 0)
    assert "swings" not in resolved(one.plan)["run"]


def test_setups_that_are_alike_are_played_once() -> None:
    plan = asked(**COMPARED)
    cells = [plan.cells[1], plan.cells[0]]
    found = [room.set_up(plan, cells, reading) for reading in room.readings(plan, cells)]
    setups = room.distinct([setup for one in found for setup in one.setups] * 2)
    sums = room.play(plan, setups, 700, jobs=2)
    assert len(setups) == 22 and all(batch.shape == (256,) for batch in sums.values())
    again = room.play(plan, dict(reversed(setups.items())), 700, jobs=1)
    assert all((sums[name] == again[name]).all() for name in setups)


def test_the_screen_ends_with_what_the_answer_rests_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simkit.report.files.write_report", document_alone)
    file = tmp_path / "question.toml"
    file.write_text(
        'schema = 1\nname = "one"\ngame = "pigtickler"\n[report]\ntarget = 0.22\n'
        "[course]\nsteps = [{ down = 2 }, { turn = 1 }, { bog = 'grass' }, { pig = true }]\nturns = 2\n"
    )
    assert call(["run", str(file), "--trials", "5000", "--out", str(tmp_path), "-q"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Rulings: 'finished' moves most with 'dice' 1d10 instead of 2d6: by -1" in said
    assert "The verdict would flip with 'dice' 1d10 instead of 2d6" in said


# Words


def shown(moves: Sequence[tuple[str, float, str]], **more: Any) -> dict[str, Any]:
    """Return a document with made-up movements."""
    return document({"odds": [False, True]}, baseline={"odds": False}, swings=told(moves=moves, **more))


def test_how_a_flip_and_what_is_not_resolved_are_said() -> None:
    flips = shown([("dice", -0.2, "flips"), ("hit_target", 0.08, "undecided"), ("pig_bonus", 0.02, "holds")])
    most = "the difference in 'finished' moves most with 'dice' the other instead of the one: by -20.0 pp "
    most += "(-21.1 to -19.0 pp)."
    assert swings.summary(flips) == [
        "3 other readings of these rules were played on the dice of the run, one change at a time, 4,000 trials each.",
        f"T{most[1:]}",
        "The verdict does not always stand: it would flip with 'dice' the other instead of the one; it would not be "
        "resolved with 'hit target' the other instead of the one; it holds with the other 1.",
    ]
    assert swings.line(flips) == f"Rulings: {most} The verdict would flip with 'dice' the other instead of the one."
    lines = swings.table(flips)
    assert [line["verdict"] for line in lines] == ["would flip: lower", "not resolved", "holds"]
    assert [line["value"] for line in lines] == ["-20.0 pp", "+8.0 pp", "+2.0 pp"]
    assert swings.left_out(flips) == ["'wreck at' the other instead of the one: so it cannot be"]
    text = page.html(flips)
    assert "would flip: lower" in text and "undecided" not in text[: text.index('id="document"')]


def test_how_a_verdict_that_holds_is_said() -> None:
    holds = shown([("dice", -0.2, "holds"), ("hit_target", 0.005, "holds")])
    assert swings.summary(holds)[-1] == "The verdict holds with each of them."
    assert swings.line(holds).endswith("None of 2 other readings flips the verdict.")
    unsure = shown([("dice", -0.2, "undecided"), ("hit_target", 0.005, "holds")])
    assert swings.line(unsure).endswith("flips the verdict, but with 1 it would not be resolved.")
    still = shown([("dice", 0.005, "undecided"), ("hit_target", 0.0, "undecided")], held="undecided")
    assert swings.line(still) == (
        "Rulings: none of them is shown to move the difference in 'finished'. The verdict is not resolved as the rules "
        "stand, and no other reading decides it."
    )
    decided = shown([("dice", 0.2, "decides"), ("hit_target", 0.005, "undecided")], held="undecided")
    assert "it would be decided with 'dice' the other instead of the one; with the other 1 it" in swings.line(decided)
    measured = shown([("dice", 0.2, "measured")], held="measured")
    assert "verdict" not in swings.line(measured) and len(swings.summary(measured)) == 2


def test_the_tornado_shows_the_widest_rules_and_those_of_every_report() -> None:
    moves = [(f"rule_{k:02d}", 0.3 - 0.01 * k, "holds") for k in range(20)] + [("pig_bonus", 0.0, "holds")]
    wide = shown(moves)
    names = [rows[0]["path"] for rows in tornado.chosen(wide["swings"] and wide)]
    assert names == [f"rule_{k:02d}" for k in range(tornado.MOST_RULES)] + ["pig_bonus"]
    assert len(swings.table(wide)) == 21
    with pytest.raises(ValueError, match="this document has none"):
        tornado.draw(document(), False)
