"""Rulings that do not touch what stands for the answer: played where they count, shown beside the others."""

from pathlib import Path
from typing import Any

from simkit.balance.elsewhere import elsewhere, swung_everywhere
from simkit.balance.verdict import judge
from simkit.games.readings import swings_of
from simkit.lab.plan import Plan
from simkit.report import page, swings, tables
from tests.laboratory import made, play
from tests.report_documents import made as document
from tests.report_documents import swung

STEPS = [[{"turn": 1}], [{"down": 2}], [{"bog": "swamp"}], [{"cross": "fence"}], [{"pig": True}], [{"down": 1}]]
ODDS = {"sweep": {"axes": {"course.steps": STEPS, "altered_odds": [False, True]}}}


def asked(**tables: Any) -> Plan:
    run = {"trials": 3000}
    return made(course={"steps": STEPS[0], "turns": 2}, run=run, report={"metric": "wounded"}, **tables)


def found_in(plan: Plan, folder: Path) -> dict[str, Any]:
    results = play(plan, folder).results
    found = swung_everywhere(plan, results, judge(plan, results), jobs=1)
    assert found is not None
    return found


def test_every_ruling_of_some_cell_has_a_line(tmp_path: Path) -> None:
    plan = asked(**ODDS, compare={"baseline": {"altered_odds": False}})
    found = found_in(plan, tmp_path)
    hook = swings_of(plan.game)
    assert hook is not None
    wanted = {swing.path for cell in plan.cells for swing in hook(cell.scenario, cell.rules)} - {"altered_odds"}
    here = {row["path"] for row in found["rows"]}
    there = [{row["path"] for row in place["rows"]} for place in found["elsewhere"]]
    assert here and there and here | set().union(*there) == wanted
    assert sum(map(len, there)) + len(here) == len(wanted)  # each rule in one place alone
    for place in found["elsewhere"]:
        cell = plan.cells[place["cell"] - 1]
        own = {
            swing.path for one in (cell, plan.cells[place["baseline"] - 1]) for swing in hook(one.scenario, one.rules)
        }
        assert {row["path"] for row in place["rows"]} <= own
        assert place["n"] == found["n"] == 3000
        assert place["where"].startswith(f"cell {place['cell']}: ")
    shown = {"assumptions": [{"path": path} for path in wanted], "swings": found}
    assert tables.assumptions(shown) == []


def test_a_movement_elsewhere_is_the_difference_of_two_runs(tmp_path: Path) -> None:
    plan = asked(sweep={"axes": {"course.steps": STEPS}})
    place = next(one for one in found_in(plan, tmp_path)["elsewhere"] if one["rows"])
    row = place["rows"][0]
    cell = plan.cells[place["cell"] - 1]
    shares = []
    for rules in ({}, {row["path"]: row["value"]}):
        one = made(course={"steps": cell.factors["course.steps"], "turns": 2}, run={"trials": 3000}, set=rules)
        shares.append(play(one, tmp_path / repr(len(rules))).results[0].metrics["wounded"].estimate)
    assert abs(row["estimate"] - (shares[1] - shares[0])) < 1e-12
    assert row["low"] <= row["estimate"] <= row["high"]


def test_nothing_is_played_elsewhere_where_all_cells_rest_on_the_same(tmp_path: Path) -> None:
    plan = asked(sweep={"axes": {"altered_odds": [False, True]}})
    assert found_in(plan, tmp_path)["elsewhere"] == []


def test_without_a_verdict_there_is_nowhere_to_play() -> None:
    plan = asked(sweep={"axes": {"altered_odds": [False, True]}})
    assert elsewhere(plan, [], set(), 100, lambda setups: {}) == []


def test_what_was_played_elsewhere_stands_below_the_others() -> None:
    place = {**swung(moves=[("hit_target", 0.08, "flips")]), "cell": 2, "where": "cell 2: odds altered, the only one"}
    told = {**swung(moves=[("dice", -0.2, "holds")]), "elsewhere": [place]}
    shown = document({"odds": [False, True]}, baseline={"odds": False}, swings=told)
    said = swings.summary(shown)[-1]
    assert said == (
        "1 reading of rules that this does not rest on was played in cell 2: odds altered, the only one: the "
        "difference in 'finished' moves most with 'hit target' the other instead of the one: by +8.0 pp (+7.0 to "
        "+9.0 pp). The verdict on cell 2 does not always stand: it would flip with 'hit target' the other instead of "
        "the one."
    )
    text = page.html(shown)
    assert text.count("Rulings that other cells rest on") == 1
    assert "Played in cell 2: odds altered, the only one" in text
    assert said.split(": ")[0] in text
    assert swings.covered(shown) == {"dice", "hit_target"}
    assert len(swings.left_out(shown)) == 2
