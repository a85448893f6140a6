"""Sides, designs and policies: what an experiment with two sides can set up and vary."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simkit.lab import plan as planning
from simkit.lab import resolve, toml
from simkit.lab.plan import Plan
from tests import duels
from tests.duels import duel, made, written
from tests.laboratory import messages, refused, text

A = "sides.a.design"


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    with duels.known():
        yield


def skills(plan: Plan) -> list[tuple[int, int]]:
    """Return the skill of both sides in every cell, as they are played."""
    return [(int(cell.setup.skill_a), int(cell.setup.skill_b)) for cell in plan.cells]


def test_designs_of_both_sides_are_axes() -> None:
    axes = {A: ["plain", {"skill": 7}, "mine"], "sides.b.design": ["fine", "grand"]}
    plan = made(sweep={"axes": axes}, designs={"mine": {"skill": 4}})
    assert skills(plan) == [(a, b) for a in (0, 7, 4) for b in (10, 30)]
    assert [dict(cell.labels) for cell in plan.cells][2:4] == [
        {A: "skill 7", "sides.b.design": "fine"}, {A: "skill 7", "sides.b.design": "grand"},
    ]  # fmt: skip
    again = planning.make(toml.parse(resolve.dumps(resolve.resolved(plan))))
    assert again.fingerprint == plan.fingerprint and skills(again) == skills(plan)


def test_axes_of_a_file_need_no_quotes() -> None:
    head = 'schema = 1\nname = "duel"\ngame = "duels"\n[sides]\na = { design = "fine" }\nb = { design = "plain" }\n'
    sweep = '[sweep.axes]\nsides.a.design = ["plain", "grand"]\npolicy = ["hold", "greedy"]\nscenario.hill = [0, 5]\n'
    compare = '[compare]\nbaseline = { sides.a.design = "plain" }\n'
    plan = planning.make(text(head + sweep + compare))
    assert list(plan.cells[0].factors) == [A, "policy", "scenario.hill"]
    assert [cell.baseline for cell in plan.cells] == [None] * 4 + [0, 1, 2, 3]
    assert skills(plan)[4:] == [(15, 0), (20, 0), (30, 0), (35, 0)]


def test_tables_that_the_file_leaves_out_are_there_for_an_axis() -> None:
    assert skills(made(sweep={"axes": {"scenario.hill": [0, 8]}})) == [(10, 0), (18, 0)]
    assert skills(planning.make(duel(), overrides={"scenario.hill": 3})) == [(13, 0)]
    (problem,) = refused(duel(sweep={"axes": {"scenario.hill": [0, "steep"]}})).problems
    assert problem.message == "'hill' in [scenario] must be a whole number, found the text 'steep'"
    plan = planning.make(duel(sweep={"axes": {"scenario.map": ["open", "fog"]}}), overrides={"scenario.hill": 3})
    again = planning.make(toml.parse(resolve.dumps(resolve.resolved(plan))))
    assert again.fingerprint == plan.fingerprint


def test_equipment_counts_rules_and_house_rules_are_axes(tmp_path: Path) -> None:
    sides = {"a": {"design": "fine", "equipment": {"legs": 1}}, "b": {"design": "plain", "count": 2}}
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "steep.toml").write_text(
        'for = "duels"\ntitle = "Steep"\nwhy = "Uphill."\n[set]\nedge = 9\n', encoding="utf-8"
    )
    axes = {
        "sides.a.equipment.legs": [0, 3],
        "sides.a.count": [1, 2],
        "draw_within": [0, 4],
        "house_rules": [[], ["steep"]],
    }
    plan = planning.make(written(tmp_path, sides=sides, sweep={"axes": axes}))
    assert [skills(plan)[i] for i in (0, 4, 8, 12)] == [(10, 0), (20, 0), (13, 0), (26, 0)]
    assert [int(cell.setup.edge) for cell in plan.cells] == [0, 9] * 8
    assert [int(cell.setup.draw_within) for cell in plan.cells[:4]] == [0, 0, 4, 4]


def test_a_design_that_is_not_there_is_found_on_its_axis() -> None:
    source = resolve.dumps(duel(sweep={"axes": {A: ["plain", "gand"]}}))
    (problem,) = refused(text(source)).problems
    assert problem.message == "no design is called 'gand' (D-3)"
    line = source.splitlines()[problem.span.line - 1] if problem.span else ""
    assert line[problem.span.column - 1 : problem.span.end_column - 1] == '"gand"'  # type: ignore[union-attr]


def test_a_policy_holds_for_all_sides_that_say_nothing_else() -> None:
    assert skills(made()) == [(10, 0)]
    assert skills(made(run={"policy": "hold"})) == [(5, 0)]
    sides = {"a": {"design": "grand", "policy": "hold"}, "b": {"design": "grand"}}
    assert skills(made(sides=sides)) == [(15, 30)]
    assert skills(made(sides=sides, run={"policy": "random"})) == [(15, 15)]


def test_policies_are_axes() -> None:
    sides = {"a": {"design": "grand"}, "b": {"design": "grand", "policy": "greedy"}}
    plan = made(sides=sides, sweep={"axes": {"policy": ["hold", "greedy"]}}, compare={"baseline": {"policy": "hold"}})
    assert skills(plan) == [(15, 30), (30, 30)] and plan.cells[1].baseline == 0
    plan = made(sides=sides, sweep={"axes": {"sides.a.policy": ["hold", "greedy"], "sides.b.policy": ["hold"]}})
    assert skills(plan) == [(15, 15), (30, 15)]


def test_a_policy_given_outside_becomes_that_of_the_run() -> None:
    plan = planning.make(duel(), overrides={"policy": "hold"})
    assert skills(plan) == [(5, 0)] and resolve.resolved(plan)["run"]["policy"] == "hold"
    assert "policy" not in resolve.resolved(plan)
    assert plan.fingerprint == made(run={"policy": "hold"}).fingerprint
    again = planning.make(toml.parse(resolve.dumps(resolve.resolved(plan))))
    assert again.fingerprint == plan.fingerprint
    assert messages(duel(sweep={"axes": {"policy": ["hold", "greedy"]}}), overrides={"policy": "hold"}) == [
        "--set policy and the axis 'policy' exclude each other"
    ]


ALLOWED = 'must be one of "hold", "random", "greedy", found the text'


@pytest.mark.parametrize(
    ("tables", "overrides", "says"),
    [
        ({"run": {"policy": "greddy"}}, {}, f"'policy' in [run] {ALLOWED} 'greddy'"),
        ({"sides": {"a": {"policy": "greddy"}, "b": {}}}, {}, f"'policy' in [sides.a] {ALLOWED} 'greddy'"),
        (
            {"sweep": {"axes": {"policy": ["hold", "greddy"]}}},
            {},
            f"value 2 of 'policy' in [sweep.axes] {ALLOWED} 'greddy'",
        ),
        (
            {"sweep": {"axes": {"sides.b.policy": ["greddy"]}}},
            {},
            f"value 1 of 'sides.b.policy' in [sweep.axes] {ALLOWED} 'greddy'",
        ),
        ({}, {"policy": "greddy"}, f"'policy' {ALLOWED} 'greddy'"),
        ({}, {"sides.a.policy": "greddy"}, f"'policy' in [sides.a] {ALLOWED} 'greddy'"),
    ],
)
def test_a_policy_that_is_not_there_is_named_with_the_one_that_was_meant(
    tables: dict[str, Any], overrides: dict[str, Any], says: str
) -> None:
    (problem,) = refused(duel(**tables), overrides=overrides).problems
    assert (problem.message, problem.help) == (says, "did you mean 'greedy'?")
    assert problem.path == ("--set" if overrides else "experiment")


def test_a_wrong_type_of_policy_is_named_where_it_stands() -> None:
    (problem,) = refused(duel(sweep={"axes": {"policy": [1]}})).problems
    assert problem.message == "'policy' must be text in quotes, found 1"
    assert messages(duel(run={"policy": 3})) == ["'policy' in [run] must be text in quotes, found 3"]


def test_a_game_without_players_has_no_axis_of_policies() -> None:
    from tests.laboratory import question

    assert messages(question(sweep={"axes": {"policy": ["greedy"]}})) == [
        "rules 'pigtickler' have no parameter 'policy'"
    ]


def test_tables_that_are_not_there_are_named_without_the_policy() -> None:
    assert messages(duel(sides=None)) == ["[sides] is missing"]
    (problem,) = refused(duel(course={"steps": [{"turn": 1}]})).problems
    assert (problem.message, problem.help) == ("[course] is not for duels", "its tables are: sides, designs, scenario")


def test_the_schema_lists_every_policy() -> None:
    from simkit.lab.schema import experiment_schema

    schema = experiment_schema()
    assert set(schema["$defs"]["RunSettings"]["properties"]["policy"]["enum"]) >= {"hold", "random", "greedy"}
    assert "policy" not in schema["properties"]
