"""Rule sets side by side: what is laid over what, what is found on known questions, what is refused and written."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit
from simkit.api import drives
from simkit.balance.compare import words
from simkit.balance.compare.comparing import conditions, differences, limit, word
from simkit.balance.compare.ladder import beside
from simkit.balance.compare.measures import measures
from simkit.balance.documents.compare import CompareDocument
from simkit.balance.documents.house import HouseDocument
from simkit.lab import toml
from simkit.lab.estimates import Value
from simkit.lab.problems import ProblemError
from simkit.lab.rulesets import RuleSet, changes, field_of, fitting, laid, read
from simkit.lab.variants import Variant
from simkit.stats import Estimate
from tests.commandline import FENCES, QUESTIONS, SOFT, ran, said, settle

pytestmark = pytest.mark.usefixtures("pigtickler")

BOGS = [[{"bog": "ford"}], [{"bog": "shallow"}], [{"bog": "swamp"}]]
HOUSE = QUESTIONS / "house"


def question(**tables: Any) -> dict[str, Any]:
    """Return an experiment on three bogs."""
    return {
        "schema": 1,
        "name": "bogs",
        "question": "Which bog is worst?",
        "game": "pigtickler",
        "course": {"steps": [{"bog": "ford"}], "turns": 1},
        "sweep": {"axes": {"course.steps": BOGS}},
        "report": {"metric": "finished", "target": 0.6, "fair_within": 0.02},
    } | tables


def against(*rules: str, trials: int = 20_000, on: Any = None, **more: Any) -> Any:
    return simkit.compare(*rules, on=question() if on is None else on, trials=trials, **more)


def exact(swamp: int, shallow: int, **tables: Any) -> list[float]:
    """Return the exact shares of the three bogs under some modifiers."""
    made = simkit.exact(question(set={"bogs.swamp": swamp, "bogs.shallow": shallow}, **tables))
    return [cell["metrics"]["finished"]["estimate"] for cell in made["cells"]]


def rule(folder: Path, name: str, **tables: Any) -> str:
    """Write a house rule and return its file."""
    path = folder / f"{name}.toml"
    lines = [f"{json.dumps(key)} = {json.dumps(value)}" for key, value in tables.items()]
    head = f'schema = 1\nfor = "pigtickler"\ntitle = "{name.title()}"\nwhy = "To see."\n[set]\n'
    path.write_text(head + "\n".join(lines) + "\n")
    return str(path)


def test_changes_are_those_of_the_exact_solutions(tmp_path):
    document = against("none", "soft-bogs", out=tmp_path, trials=100_000).document
    CompareDocument.model_validate(json.loads(json.dumps(document)))
    before, after = exact(-3, -1), exact(-2, 0)
    for cell, was, now in zip(document["cells"], before, after, strict=True):
        assert cell["values"][0]["low"] <= was <= cell["values"][0]["high"]
        assert cell["values"][1]["low"] <= now <= cell["values"][1]["high"]
        assert cell["changes"][0]["low"] <= now - was <= cell["changes"][0]["high"]
    row = words.measure(document, "finished")
    assert row is not None
    assert row["changes"][0]["low"] <= np.mean(after) - np.mean(before) <= row["changes"][0]["high"]
    assert [cell["changes"][0]["word"] for cell in document["cells"]] == ["keeps", "rises", "rises"]


def test_the_distance_from_what_would_be_fair_is_known(tmp_path):
    document = against("none", "soft-bogs", out=tmp_path, trials=100_000).document
    row = words.measure(document, "distance")
    assert row is not None
    for value, known in zip(row["values"], (exact(-3, -1), exact(-2, 0)), strict=True):
        assert value["low"] <= np.mean(np.abs(np.array(known) - 0.6)) <= value["high"]
    assert document["judged"]["against"] == "target"
    assert document["verdict"]["word"] in ("fairer", "unfairer")


@pytest.mark.thorough
def test_the_house_rule_report_says_which_number_would_be_right(tmp_path):
    file = rule(tmp_path, "firm-swamp", **{"bogs.swamp": -1})
    one = question(sweep={"axes": {"course.steps": [[{"bog": "swamp"}]]}})
    found = simkit.house(file, on=one, trials=100_000, out=tmp_path / "r")
    HouseDocument.model_validate(json.loads(json.dumps(found.document)))
    (ladder,) = found.document["ladders"]
    assert [row["label"] for row in ladder["rows"]] == ["-4", "-3", "-2", "-1", "0", "1"]
    assert [row["is_was"] for row in ladder["rows"]].index(True) == 1
    assert [row["is_now"] for row in ladder["rows"]].index(True) == 3
    solved = [
        simkit.exact(one | {"set": {"bogs.swamp": value}})["cells"][0]["metrics"]["finished"]["estimate"]
        for value in (-4, -3, -2, -1, 0, 1)
    ]
    best = int(np.argmin(np.abs(np.array(solved) - 0.6)))
    assert [row["near"] for row in ladder["rows"]] == [k == best for k in range(6)]
    text = (found.folder / "report.md").read_text(encoding="utf-8")
    assert "Which number would be right?" in text
    assert words.right(found.document)[0].split(" leaves")[0] in text.replace("\\", "")


def test_a_house_rule_of_many_numbers_is_tried_at_other_strengths(tmp_path):
    found = simkit.house("soft-bogs", on=question(), trials=4_000, out=tmp_path)
    (ladder,) = found.document["ladders"]
    assert (ladder["path"], ladder["title"]) == ("", "strength")
    by = {row["label"].partition(":")[0]: row for row in ladder["rows"]}
    house = words.measure(found.document, "finished")
    assert house is not None
    assert by["0"]["is_was"]
    assert by["1"]["is_now"]
    assert by["1"]["average"]["low"] <= house["values"][1]["estimate"] <= by["1"]["average"]["high"]


def test_several_rule_sets_and_joint_ones(tmp_path):
    document = against("record", "soft-bogs", "soft-bogs+steady-nerves", out=tmp_path).document
    assert [one["id"] for one in document["sets"]] == ["record", "soft-bogs", "soft-bogs+steady-nerves"]
    assert document["sets"][2]["title"] == "'Soft bogs' + 'Steady nerves'"
    assert all(len(row["values"]) == 3 and len(row["changes"]) == 2 for row in document["measures"])
    assert document["question"] == (
        "What do 'Soft bogs' and 'Soft bogs' + 'Steady nerves' change against the rules of record?"
    )


def test_house_rules_are_compared_with_each_other(tmp_path):
    document = against("soft-bogs", "altered-odds", out=tmp_path).document
    assert document["sets"][0]["id"] == "soft-bogs"
    assert "Under 'Altered odds' instead of 'Soft bogs'" in document["verdict"]["answer"]


def test_the_experiments_own_house_rules_are_left_aside():
    document = toml.read(QUESTIONS / "downhill_charge.toml")
    stripped = field_of(document)
    assert list(stripped.data["sweep"]["axes"]) == ["course.steps.1.down"]
    assert "compare" not in stripped.data
    zipped = toml.parse(
        'house_rules = ["soft-bogs"]\n[sweep]\nmode = "zip"\n[sweep.axes]\nhouse_rules = [[], ["x"], []]\n'
        '"course.turns" = [1, 1, 2]\n',
        "zip.toml",
    )
    assert field_of(zipped).data == {"sweep": {"mode": "zip", "axes": {"course.turns": [1, 2]}}}
    alone = toml.parse(
        '[sweep.axes]\nhouse_rules = [[], ["x"]]\n[compare]\nbaseline = { house_rules = [] }\n', "one.toml"
    )
    assert field_of(alone).data == {}


def test_what_the_experiment_sets_itself_is_said(tmp_path):
    on = question(set={"bogs.swamp": -3})
    document = against("none", "soft-bogs", on=on, out=tmp_path).document
    assert document["on"]["overruled"] == ["bogs.swamp"]
    assert document["cells"][2]["changes"][0]["method"] == "exact"
    with pytest.raises(ProblemError, match="the experiment sets 'altered_odds' itself"):
        against("none", "altered-odds", on=question(set={"altered_odds": False}), out=tmp_path)


def test_a_fitting_question_is_found():
    sets = read(["none", str(SOFT)])
    assert fitting(sets, "pigtickler").name == "downhill_charge.toml"


def test_who_gains_is_told_by_axis(tmp_path):
    on = question(sweep={"axes": {"course.steps": BOGS, "altered_odds": [False, True]}})
    document = against("none", "soft-bogs", on=on, out=tmp_path).document
    by = {(row["axis"], row["label"]): row for row in document["gains"]}
    assert len(by) == 5
    swamp = by["course.steps", "swamp"]
    cells = [row for row in document["cells"] if row["labels"]["course.steps"] == "swamp"]
    assert swamp["changes"][0]["estimate"] == pytest.approx(np.mean([row["changes"][0]["estimate"] for row in cells]))
    assert by["course.steps", "ford"]["changes"][0]["word"] == "keeps"
    assert words.gainers(document)[0]["label"] == "shallow"


def test_a_comparison_is_held_against_its_baseline(tmp_path):
    on = question(
        compare={"baseline": {"course.steps": [{"bog": "ford"}]}}, report={"metric": "finished", "fair_within": 0.02}
    )
    document = against("none", "soft-bogs", on=on, out=tmp_path).document
    assert document["judged"]["against"] == "baseline"
    assert document["judged"]["cells"] == [2, 3]
    assert document["judged"]["words"] == [["lower", "lower"], ["fair", "lower"]]
    assert words.tallied(document)[1] == "Under 'Soft bogs', of 2 comparisons 1 fair and 1 lower than the baseline."


def test_where_nothing_says_what_is_fair_nothing_is_called_fairer(tmp_path):
    compare = {"baseline": {"course.steps": [{"bog": "ford"}]}}
    on = question(compare=compare, report={"metric": "finished"})
    found = simkit.house("soft-bogs", on=on, trials=2_000, out=tmp_path)
    assert words.measure(found.document, "distance") is None
    assert words.fairness(found.document) == ""
    assert found.verdict["word"] == "moves"
    assert "Nothing says what would be fair here" in (found.folder / "report.md").read_text(encoding="utf-8")
    assert found.document["judged"]["tally"][0]["lower"] == 2


@pytest.fixture(scope="module")
def duel() -> Any:
    """Return fields of cells with two sides, not to be played."""

    def field(*sides: tuple[str, str]) -> Any:
        on = {
            "schema": 1,
            "name": "duels",
            "game": "jugger",
            "sides": {"a": {"design": "archer"}, "b": {"design": "axer"}},
            "scenario": {"distance": 5},
            "sweep": {"axes": {"sides": [{"a": {"design": a}, "b": {"design": b}} for a, b in sides]}},
            "report": {"target": 0.5},
        }
        return drives.field_for(["none", "capped-rams"], on=on)

    return field


def test_edges_upsets_and_factions_of_planted_battles(duel):
    field = duel(("archer", "axer"), ("archer", "archer"))
    names = [metric.name for metric in field.plan.game.OUTCOMES]
    sums = np.zeros((2, 2, 256, len(names)), np.int64)
    # ten pairs a batch: A wins 16 of 20 games under record and 12 under the house rule, no draws; the mirror is even
    for k, wins in enumerate((16, 12)):
        sums[k, 0, :, names.index("win_a")] = wins
        sums[k, 0, :, names.index("win_b")] = 20 - wins
        sums[k, 1, :, names.index("win_a")] = sums[k, 1, :, names.index("win_b")] = 10
        sums[k, :, :, names.index("win_seat_0")] = 12
        sums[k, 0, :, names.index("score_a")] = 2 * wins
        sums[k, 1, :, names.index("score_a")] = 20
    found = {row.name: row for row in measures(field, sums, 2560)}
    means = {name: row.sums.sum(axis=1) / 2560 / row.value.parts for name, row in found.items()}
    assert means["faction_edge"].tolist() == pytest.approx([0.3, 0.1])
    assert means["upset"].tolist() == pytest.approx([0.2, 0.4])
    assert means["edge_win_seat_0"].tolist() == pytest.approx([0.6, 0.6])
    assert means["distance"].tolist() == pytest.approx([0.15, 0.05])
    assert found["upset"].cells == 1
    assert "draw" not in found


def test_edges_are_shares_of_the_decided_battles_with_their_error(duel):
    field = duel(("archer", "axer"))
    names = [metric.name for metric in field.plan.game.OUTCOMES]
    rng = np.random.default_rng(4)
    sums = np.zeros((2, 1, 256, len(names)), np.int64)
    draws = rng.binomial(20, 0.3, (2, 1, 256))
    sums[..., names.index("draw")] = draws
    sums[..., names.index("win_seat_0")] = rng.binomial(20 - draws, 0.55)
    row = next(one for one in measures(field, sums, 2560) if one.name == "edge_win_seat_0")
    decided = 20 * 256 - draws.sum(axis=(1, 2))
    share = sums[:, 0, :, names.index("win_seat_0")].sum(axis=1) / decided
    assert (row.sums.sum(axis=1) / 2560).tolist() == pytest.approx(share.tolist())
    spread = row.sums.std(axis=1) / 10 / 16  # of means of 10 units, 256 of them
    assert spread.tolist() == pytest.approx(np.sqrt(share * (1 - share) / decided).tolist(), rel=0.2)


def test_cells_that_cannot_be_are_left_out_and_named():
    on = {
        "schema": 1,
        "name": "legs",
        "game": "jugger",
        "sides": {"a": {"design": "swordsman"}, "b": {"design": "archer"}},
        "scenario": {"distance": 5},
        "sweep": {"axes": {"sides.a.design": ["swordsman", "archer"]}},
    }
    with pytest.raises(ProblemError, match="may be built is a question for simkit balance") as error:
        drives.field_for(["none", "heavy-legs"], on=on)
    assert "1 of 2 cells cannot be" in error.value.problems[0].message


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (["none", "record"], "rules of record alone"),
        (["none", "sof-bogs"], "no house rule is called 'sof-bogs'"),
        (["none", "nowhere.toml"], "nowhere.toml"),
        (["soft-bogs", "capped-rams"], "no house rule is called 'capped-rams'|is for jugger"),
        (["none", str(FENCES)], "this is an experiment, not a house rule"),
    ],
    ids=["record", "typo", "file", "games", "experiment"],
)
def test_wrong_rule_sets_are_refused(rules, message):
    with pytest.raises(ProblemError, match=message):
        drives.field_for(rules)


def test_one_rule_set_is_not_compared():
    with pytest.raises(ValueError, match="allowed are two or more"):
        simkit.compare("soft-bogs")


def test_words_of_changes():
    def changed(low: float, high: float) -> Estimate:
        return Estimate((low + high) / 2, low, high, 0.99, 100, "max-t")

    assert [word(changed(*ends), 0.02) for ends in ((0.03, 0.05), (-0.05, -0.03), (-0.01, 0.02), (0.01, 0.03))] == [
        "rises",
        "falls",
        "keeps",
        "undecided",
    ]
    assert limit("share", [0.5], 0.02) == 0.02
    assert limit("count", [5.0, 8.0], 0.02) == pytest.approx(0.8)


def test_the_same_bytes_for_any_jobs_and_no_game_twice(tmp_path):
    one, two = (simkit.house("soft-bogs", on=question(), trials=4_000, out=tmp_path / str(k), jobs=k) for k in (1, 2))
    files = [
        {
            path.relative_to(each.folder).as_posix(): path.read_bytes()
            for path in each.folder.rglob("*")
            if path.is_file() and path.name not in ("runs.jsonl", ".lock")
        }
        for each in (one, two)
    ]
    assert files[0] == files[1]
    assert {"house/soft-bogs.toml", "plots/shares.svg", "plots/cells.svg", "report.md"} <= set(files[0])
    again = simkit.house("soft-bogs", on=question(), trials=4_000, out=tmp_path / "1")
    log = [json.loads(line) for line in (again.folder / "runs.jsonl").read_text().splitlines()]
    assert (again.folder, log[-1]["played"]) == (one.folder, 0)


@pytest.mark.thorough
def test_what_it_wrote_plays_it_again(tmp_path, monkeypatch, capsys):
    settle(tmp_path, monkeypatch)
    first = simkit.compare("none", "soft-bogs", on=question(), trials=2_000, out=tmp_path / "r")
    monkeypatch.chdir(first.folder)
    verb, *arguments = first.document["again"].split()[1:]
    assert ran(capsys, verb, *arguments, "--out", tmp_path / "r", "-q").out.splitlines()[1] == first.answer


@pytest.mark.thorough
def test_the_commands_answer_and_hold_conditions(tmp_path, monkeypatch, capsys):
    settle(tmp_path, monkeypatch)
    usual = ("--on", FENCES, "--trials", "2000", "-q")
    out = ran(capsys, "compare", "none", SOFT, *usual).out
    assert "What does 'Soft bogs' change against the rules of record?" in out
    assert "measure" in out
    out = ran(capsys, "house", "soft-bogs", *usual).out
    assert "The house rule 'Soft bogs': what does it change" in out
    document = json.loads(ran(capsys, "compare", "none", SOFT, *usual, "--json").out)
    assert document["command"] == "compare"
    holds = "finished_minus_baseline.low > 1 %"
    assert "this holds under soft-bogs" in ran(capsys, "compare", "none", SOFT, *usual, "--fail-if", holds, code=3).err
    ran(capsys, "compare", "none", SOFT, *usual, "--fail-if", "finished_minus_baseline.high < 0")
    assert ran(capsys, "compare", "none", SOFT, *usual, "--fail-if", "fairer", code=3).err
    assert "nothing is called 'finishd'" in said(capsys, "compare", "none", SOFT, *usual, "--fail-if", "finishd > 1")
    assert "a word of the verdict" in said(capsys, "house", SOFT, *usual, "--fail-if", "fair")
    assert "Two rule sets are compared at least" in said(capsys, "compare", SOFT)


def test_conditions_know_every_rule_set(tmp_path):
    document = against("none", "soft-bogs", "steady-nerves", out=tmp_path, trials=2_000).document
    found = conditions(document)
    assert [one["cell"] for one in found] == [1, 2]
    row = words.measure(document, "finished")
    assert row is not None
    assert found[1]["metrics"]["finished"] == row["values"][2]
    assert found[1]["metrics"]["finished_minus_baseline"] == row["changes"][1]


def test_reports_say_what_their_documents_say(tmp_path):
    found = simkit.house("soft-bogs", on=question(), trials=4_000, out=tmp_path)
    text = (found.folder / "report.md").read_text(encoding="utf-8").replace("\\", "")
    assert found.answer in text
    for row in found.document["measures"]:
        assert row["says"] in text
    for title in ("What changes", "Who gains", "Is it fairer?", "What else moves", "Cell by cell"):
        assert f"## {title}" in text
    for line in words.tallied(found.document):
        assert line in text


@pytest.mark.parametrize(
    ("was", "now", "tried"),
    [
        (20, 40, [10, 20, 25, 30, 35, 40, 50, 60]),
        (40, 20, [0, 10, 20, 25, 30, 35, 40, 50]),
        (-3, -1, [-4, -3, -2, -1, 0, 1]),
        (0, 1, [-1, 0, 1, 2]),
        (1000, 4, [2, 3, 4, 5, 6, 8, 16, 1000]),
        (1.0, 0.6, [0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2]),
    ],
)
def test_values_are_tried_in_proportion_to_the_change(was, now, tried):
    from types import SimpleNamespace

    rungs = beside(SimpleNamespace(path="x", was=was, now=now))  # type: ignore[arg-type]
    assert [rung.changed["x"] for rung in rungs] == tried
    assert [rung.changed["x"] for rung in rungs if rung.is_was] == [was]
    assert [rung.changed["x"] for rung in rungs if rung.is_now] == [now]
    assert all(isinstance(rung.changed["x"], type(was)) for rung in rungs)


def test_values_that_are_not_told_apart_are_said_not_to_be(tmp_path):
    file = rule(tmp_path, "firm-swamp", **{"bogs.swamp": -2})
    on = question(sweep={"axes": {"course.steps": BOGS}}, report={"metric": "finished", "target": 0.3})
    few = simkit.house(file, on=on, trials=40, out=tmp_path)
    (ladder,) = few.document["ladders"]
    assert {words.nearness(ladder, row) for row in ladder["rows"]} == {"not told apart"}
    assert "they are not told apart by how far they leave 'finished'" in words.right(few.document)[0]
    many = simkit.house(file, on=on, trials=50_000, out=tmp_path)
    (ladder,) = many.document["ladders"]
    told = [words.nearness(ladder, row) for row in ladder["rows"]]
    assert told.count("nearest") == 1
    assert "not told apart" not in told
    text = (few.folder / "report.md").read_text(encoding="utf-8")
    assert "| not told apart |" in text


def printed_solve(document: dict[str, Any]) -> list[str]:
    """Return the command that the report prints for the fair value."""
    from simkit.report.compare import sheet

    (section,) = (one for one in sheet(document).sections if one.title.startswith("Which number"))
    (line,) = (line for line in section.says if line.startswith("simkit "))
    return shlex.split(line)


def test_the_printed_command_finds_the_fair_value(tmp_path, monkeypatch, capsys):
    settle(tmp_path, monkeypatch)
    file = rule(tmp_path, "firm-swamp", **{"bogs.swamp": -1})
    on = question(sweep={"axes": {"course.steps": BOGS, "altered_odds": [False, True]}})
    found = simkit.house(file, on=on, trials=2_000, out=tmp_path / "r")
    _, verb, *arguments = printed_solve(found.document)
    assert verb == "solve"
    assert arguments[-4:] == ["--over", "course.steps", "--over", "altered_odds"]
    monkeypatch.chdir(found.folder)
    document = json.loads(ran(capsys, verb, *arguments, "--out", tmp_path / "r", "--json", "-q").out)
    assert len(document["cases"]) == 1
    assert document["cases"][0]["answers"]


def test_no_command_is_printed_where_nothing_is_aimed_at(tmp_path):
    file = rule(tmp_path, "firm-swamp", **{"bogs.swamp": -1})
    compare = {"baseline": {"course.steps": [{"bog": "ford"}]}}
    found = simkit.house(
        file, on=question(compare=compare, report={"metric": "finished"}), trials=2_000, out=tmp_path / "r"
    )
    assert found.document["ladders"]
    assert "simkit solve" not in (found.folder / "report.md").read_text(encoding="utf-8")


def test_what_differs_to_one_side_alone_is_no_doubt_about_the_other():
    sums = np.zeros((3, 256))
    sums[0, :25] = -1  # the report of 25 of 400 games, all of them lost by the change
    sums[1, :3] = 1
    value = Value(1, -1.0, 1.0)
    lost, won, same = differences(list(sums), 400, 0.99, [value] * 3, [1.0] * 3, binary=True)
    assert (lost.method, word(lost, 0.02)) == ("tango", "falls")
    assert won.low > -0.03
    assert won.high > 0.03
    assert (same.low, same.high) == pytest.approx((-same.high, same.high))
    pairs = differences(list(2 * sums), 400, 0.99, [Value(2, -1.0, 1.0)] * 3, [2.0] * 3)
    assert [one.method for one in pairs] == ["rare-bound"] * 3
    assert pairs[0].high == pytest.approx(same.high)
    assert pairs[0].low < -0.0625 < pairs[0].high


@pytest.mark.thorough
@pytest.mark.parametrize("binary", [False, True])
def test_rare_differences_are_covered_together(binary):
    rng = np.random.default_rng(8)
    wrong = 0
    for _ in range(300):
        units = rng.choice([-1, 0, 1], p=[0.015, 0.98, 0.005], size=(4, 512))
        sums = units.reshape(4, 2, 256).sum(axis=1)
        made = differences(list(sums), 512, 0.95, [Value(1, -1.0, 1.0)] * 4, [1.0] * 4, binary=binary)
        wrong += not all(one.low <= -0.01 <= one.high for one in made)
    assert wrong <= 31  # the 99.99 % quantile of the binomial of 300 and 0.05


def entry(low: float, high: float, **more: Any) -> dict[str, Any]:
    return {"estimate": (low + high) / 2, "low": low, "high": high, "level": 0.99, "n": 200, "method": "max-t"} | more


def row(name: str, group: str, change: dict[str, Any], *values: dict[str, Any], says: str = "") -> dict[str, Any]:
    more = {"says": says or name, "kind": "share", "unit": "of the games", "matters": 0.02}
    return {"name": name, "group": group, "values": list(values), "changes": [change]} | more


def test_one_fact_is_one_row():
    falls = entry(-0.2, -0.1, word="falls")
    far, near = entry(0.3, 0.4), entry(0.15, 0.25)
    distance = row("distance", "fairness", falls, far, near, says="how far 'score_a' lies from its target")
    ahead = row("faction_edge", "fairness", dict(falls), dict(far), dict(near))
    document = {"measures": [distance, ahead]}
    assert words.shown(document) == [distance]
    assert words.says(document, distance).endswith("; the better side is ahead by as much")
    ahead["values"][1] = entry(0.1, 0.2)
    assert words.shown(document) == [distance, ahead]
    assert words.says(document, distance) == distance["says"]
    assert words.shown({"measures": [ahead]}) == [ahead]


def test_what_moves_is_counted_once_and_says_what_is_left_out():
    from simkit.games import protocol

    game = protocol.load("battlesystem")
    up = entry(0.1, 0.2, word="rises")
    names = ["win_a", "win_b", "mutual", "distance", "upset", "dead_a"]
    rows = [row(name, "fairness" if name in ("distance", "upset") else "outcome", dict(up)) for name in names]
    rows[-1]["changes"][0]["word"] = "keeps"
    document = {"measures": rows}
    assert [one["name"] for one in words.besides(document, game, "win_a")] == ["mutual", "upset"]
    assert words.uncounted(document, game, "win_a") == "'win_b', which goes with it"
    assert words.uncounted(document, game, "mutual") == ""
    assert len(words.besides(document, game, "mutual")) == 3


@pytest.fixture(scope="module")
def pikes(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the report on a house rule of pikes, of few battles."""
    pikemen = {"design": "pikemen", "figures": 24, "ranks": 2, "policy": "set"}
    on = {
        "schema": 1,
        "name": "pikes",
        "game": "battlesystem",
        "sides": {"a": pikemen, "b": {"design": "heavy-cavalry", "figures": 12, "policy": "charge"}},
        "scenario": {"distance": 24},
        "sweep": {"axes": {"sides.a.policy": ["set", "hold"], "sides.b.formation": ["closed", "open"]}},
        "report": {"metric": "win_a", "target": 0.5, "fair_within": 0.02},
    }
    return simkit.house("no-double-set", on=on, trials=200, out=tmp_path_factory.mktemp("pikes"))


def test_answer_and_page_count_the_same_measures(pikes):
    text = (pikes.folder / "report.md").read_text(encoding="utf-8").replace("\\", "")
    said = r"besides it moves (\d+) other measures? \(not counting 'win_b', which goes with it\)"
    count = re.search(said, pikes.answer)
    assert count is not None
    assert f"moves {count[1]} other measure" in text.split("## What else moves")[1]
    assert "(not counting 'win_a', and 'win_b', which goes with it)" in text
    html = (pikes.folder / "report.html").read_text(encoding="utf-8")
    assert f"<dt>measures that move besides &#39;win_a&#39;</dt><dd>{count[1]}</dd>" in html


def test_cells_in_which_next_to_nothing_differs_say_why_they_are_wide(pikes):
    cells = {one["title"]: one["changes"][0] for one in pikes.document["cells"]}
    assert cells["hold, B closed"]["word"] == "undecided"
    text = (pikes.folder / "report.md").read_text(encoding="utf-8")
    assert "not resolved | too few" not in text
    (line,) = (line for line in text.splitlines() if line.startswith("| hold, B closed |"))
    assert line.endswith("| not resolved: too few of 200 games differed to tell |")
    assert "Where too few games differ, an interval reaches as far as what so few may have missed" in text


def test_a_count_that_grows_to_several_times_itself_is_seen(monkeypatch):
    from simkit.report import dumbbell

    seen: list[tuple[float, float]] = []
    made = dumbbell.Lanes

    def lanes(*rest: Any, **more: Any) -> Any:
        seen.append(rest[3])
        return made(*rest, **more)

    monkeypatch.setattr(dumbbell, "Lanes", lanes)
    known = [
        row("collision_b", "outcome", entry(-0.1, 0.4, word="rises"), entry(0.02, 0.04)),
        row("turns", "outcome", entry(1.9, 2.1, word="rises"), entry(3.9, 4.1)),
    ]
    measured = [one | {"kind": "count", "unit": "turns"} for one in known]
    document = {"measures": measured, "level": 0.99, "n": 200}
    document["sets"] = [{"title": "the rules of record"}, {"title": "'Capped rams'"}]
    assert "<svg" in dumbbell.draw_counts(document, narrow=True)
    assert seen[0][0] <= 0
    assert seen[0][1] >= 5  # collisions grow by five times themselves


def test_cells_are_named_as_in_the_report_of_a_run(tmp_path):
    on = question(sweep={"axes": {"course.steps": BOGS, "course.turns": [1, 2]}})
    document = against("none", "soft-bogs", on=on, out=tmp_path, trials=1_000).document
    plan = drives.field_for(["none", "soft-bogs"], on=on).plan
    assert document["cells"][0]["title"] == f"ford, {plan.title('course.turns')} 1"


def test_words_of_changes_stand_in_a_column_of_their_own(tmp_path):
    from simkit.report.compare import sheet

    for rules in (("none", "soft-bogs"), ("none", "soft-bogs", "steady-nerves")):
        document = against(*rules, out=tmp_path, trials=1_000).document
        for section in sheet(document).sections:
            for table in section.tables:
                assert all(len(one) == len(table.columns) for one in table.rows)
                fields = [(k, field) for one in table.rows for k, field in enumerate(one) if not isinstance(field, str)]
                assert all((k in table.numbers) == (field.mark is None) for k, field in fields)


@pytest.mark.parametrize("file", sorted(path.name for path in HOUSE.glob("*.toml")))
def test_every_shipped_house_rule_says_what_it_changes(file):
    from simkit.games import protocol

    (made,) = read([str(HOUSE / file)])
    assert isinstance(made, RuleSet)
    found = changes(protocol.load(made.loaded[-1].rule.for_), made)
    assert found
    assert all(one.was != one.now and one.was_label != one.now_label and one.says for one in found)


def test_cells_under_the_rules_of_record_are_those_of_the_plan():
    from simkit.lab import plan as planning

    plan = planning.make(question())
    field = laid(plan, read(["none", "soft-bogs"]))
    assert all(isinstance(one, Variant) for row in field.variants for one in row)
    assert [one.setup.tobytes() for one in field.variants[0]] == [cell.setup.tobytes() for cell in plan.cells]
    assert field.moved(1) == [False, True, True]


def missed(folder: Path, seeds: range, *, trials: int = 1_024) -> int:
    """Count the seeds with which the change of some measure lies outside its interval, though all hold together."""
    from simkit.balance.compare.comparing import compared
    from simkit.lab.runner import Silent
    from simkit.lab.study import Study

    on = question(run={"level": 0.95})
    known = {}
    for name in ("finished", "stopped", "turns_used", "rolls"):
        rows = [
            [cell["metrics"][name]["estimate"] for cell in simkit.exact(on | {"set": values})["cells"]]
            for values in ({}, {"bogs.swamp": -2, "bogs.shallow": 0})
        ]
        known[name] = float(np.mean(rows[1]) - np.mean(rows[0]))
        if name == "finished":
            far = [np.mean(np.abs(np.array(row) - 0.6)) for row in rows]
            known["distance"] = float(far[1] - far[0])
    count = 0
    for seed in seeds:
        field = drives.field_for(["none", "soft-bogs"], on=on, seed=seed)
        with Study.opened("compare", field.plan, {}, out=folder, jobs=1, progress=Silent(), trials=1) as study:
            document = compared(field, study, units=trials)
        rows = {row["name"]: row["changes"][0] for row in document["measures"]}
        count += not all(
            rows[name]["low"] <= value <= rows[name]["high"] for name, value in known.items() if name in rows
        )
    return count


@pytest.mark.thorough
def test_changes_of_a_real_game_are_covered_together(tmp_path):
    assert missed(tmp_path, range(1, 21)) <= 6  # the 99.99 % quantile of the binomial of 20 and 0.05


@pytest.mark.slow
def test_changes_of_a_real_game_are_covered_together_over_many_seeds(tmp_path):
    assert missed(tmp_path, range(1_000, 2_000)) <= 77  # the same of 1,000
