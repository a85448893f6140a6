"""One contract for every game there is, every shipped question and every data file.

Golden counts are the summed counts of every shipped experiment, kept in ``tests/cases/golden_<game>.toml``: of all its
cells at 10,000 trials, or, where a trial takes hundreds or thousands of times as long, of a few of them at fewer
trials. They say what the dice of this version of a game lead to. They change only together with the game's
VERSION, which gets a line of history: counts that change alone are a bug, or a changed rule that would go unnoticed in
results kept from before. When a version is raised, or a shipped experiment is changed, write them anew with
``python -m tests.test_contract <game> > tests/cases/golden_<game>.toml``.
"""

import functools
import hashlib
import inspect
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w

from simkit.core.trials import BATCHES
from simkit.games import protocol
from simkit.games.protocol import SOURCES, Game, rule_fields
from simkit.lab import plan as planning
from simkit.lab import rulebook
from simkit.lab.check import check_file
from simkit.lab.plan import Plan
from simkit.lab.rulebook import ID
from simkit.lab.schema import SCHEMAS
from simkit.lab.shipped import shipped_folder

GAMES = protocol.find()
EXPERIMENTS = sorted(shipped_folder().glob("*.toml"))
HOUSE_RULES = sorted((shipped_folder() / "house").glob("*.toml"))
CASES = Path(__file__).parent / "cases"
SAMPLE: dict[str, tuple[int, int]] = {
    "pigtickler": (10_000, 10**6),
    "jugger": (100, 12),
    "battlesystem": (1000, 12),
    "juggerball": (20, 4),
    "pigtable": (100, 12),
}
"""Trials of a cell, and most cells of an experiment, that golden counts are made of."""
SPREAD = (5**0.5 - 1) / 2
HEAD = """\
# Counts of every shipped experiment, summed over the cells that were played for it, with digests of all that is set up
# and of these counts. They change only together with the game's version and a line of its history;
# tests/test_contract.py says how.
"""


@functools.cache
def planned(path: Path) -> Plan:
    """Return the plan of a shipped experiment."""
    return planning.make(path)


def shipped(game: str) -> list[Path]:
    """Return the shipped experiments of a game."""
    return [path for path in EXPERIMENTS if tomllib.loads(path.read_text(encoding="utf-8"))["game"] == game]


def named(paths: list[Path]) -> Any:
    return pytest.mark.parametrize("path", paths, ids=[path.stem for path in paths])


each_game = pytest.mark.parametrize("name", GAMES)


# Games


@each_game
def test_a_game_offers_every_name_of_the_protocol(name: str) -> None:
    game = protocol.load(name)
    values = {key for key in Game.__annotations__ if not key.startswith("_")}
    functions = {
        key: value for key, value in vars(Game).items() if inspect.isfunction(value) and not key.startswith("_")
    }
    functions.pop("no_init_or_replace_init", None)
    assert [key for key in [*values, *functions] if not hasattr(game, key)] == []
    for key, wanted in functions.items():
        parameters = [one for one in inspect.signature(wanted).parameters if one != "self"]
        assert list(inspect.signature(getattr(game, key)).parameters) == parameters, key
    assert name == game.NAME and re.fullmatch(r"[a-z]+", name)
    for key in ("TITLE", "SUMMARY", "EDITION", "PRESETS_ARE"):
        assert isinstance(getattr(game, key), str) and getattr(game, key), key


@each_game
def test_every_field_of_the_rules_says_what_it_is_and_where_it_stands(name: str) -> None:
    game = protocol.load(name)
    known = set(rulebook.ids(name))
    rows = rule_fields(game.Rules())
    assert len({row.path for row in rows}) == len(rows) > 0
    for row in rows:
        assert row.id in known, row.path
        assert row.source in SOURCES, row.path
        assert row.says.endswith(".") and row.says[0].isupper() and len(row.says) > 20, row.path
        assert row.value == row.default and row.default is not None, row.path
        assert row.allowed, row.path
    assert game.Rules.model_validate(game.Rules().model_dump()) == game.Rules()


@each_game
def test_every_rule_id_is_of_a_kind_and_can_be_looked_up(name: str) -> None:
    letters = set()
    for id in rulebook.ids(name):
        passages = rulebook.passages(name, id)
        assert passages, id
        kind = re.match(rf"{id} ([RQB])\b", passages[0])
        if kind:
            letters.add(kind[1])
    assert {"R", "Q"} <= letters <= set(SOURCES)
    for row in rule_fields(protocol.load(name).Rules()):
        assert row.id in "".join(rulebook.passages(name, row.id))


@each_game
def test_whatever_the_source_of_a_game_cites_is_in_its_rulebook(name: str) -> None:
    known, folder = set(rulebook.ids(name)), Path(protocol.__file__).parent / name
    for path in folder.glob("*.py"):
        assert set(ID.findall(path.read_text(encoding="utf-8"))) <= known, path.name


@each_game
def test_outcomes_are_told_apart_and_explained(name: str) -> None:
    game = protocol.load(name)
    names = [metric.name for metric in game.OUTCOMES]
    assert len(set(names)) == len(names)
    assert game.HEADLINE in names
    for metric in game.OUTCOMES:
        assert metric.kind in ("share", "count") and metric.scale >= 1, metric.name
        assert metric.unit and metric.says and not metric.says.endswith("."), metric.name
        assert re.fullmatch(r"[a-z][a-z0-9_]*", metric.name) and not metric.name.endswith("_minus_baseline")


@each_game
def test_units_and_policies(name: str) -> None:
    game = protocol.load(name)
    assert game.GAMES_A_UNIT in (1, 2)
    assert protocol.default_policy(game) in game.POLICIES and len(set(game.POLICIES)) == len(game.POLICIES)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", policy) for policy in game.POLICIES)


@each_game
def test_blocks_rows_and_single_games_count_alike(name: str) -> None:
    """What a unit counts is the sum over its games, whoever asks for it."""
    game, units, outcomes = protocol.load(name), 40, len(protocol.load(name).OUTCOMES)
    plan = planned(shipped(name)[0])
    game.ready()
    setup, state, games = plan.cells[0].setup, game.new_state(), game.GAMES_A_UNIT
    rows = np.zeros((units * games, outcomes), np.int64)
    game.play_rows(setup, state, plan.key, 3, 3 + units, rows)
    alone = [game.play_one(setup, state, plan.key, 3 + unit, seat) for unit in range(units) for seat in range(games)]
    assert (rows == np.array([[int(x) for x in outcome] for outcome in alone])).all()
    for metric, column in zip(game.OUTCOMES, rows.T, strict=True):
        most = metric.scale if metric.kind == "share" else metric.highest
        assert metric.lowest is None or column.min() >= metric.lowest, metric.name
        assert most is None or column.max() <= most, metric.name
    out = np.zeros((1, BATCHES, outcomes, 4), np.int64)
    game.play_block(game.pack([setup]), state, plan.key, 3, 3 + units, out)
    sums = rows.reshape(units, games, outcomes).sum(axis=1)
    assert (out[0, 3 : 3 + units, :, 0] == sums).all() and (out[0, 3 : 3 + units, :, 1] == sums**2).all()
    assert out.sum() == sums.sum() + (sums**2).sum()


@each_game
def test_a_version_has_a_history(name: str) -> None:
    version = protocol.load(name).VERSION
    assert sorted(version.history) == list(range(1, version.number + 1))
    assert all(len(line) > 20 and line.endswith(".") for line in version.history.values())


@each_game
def test_presets_are_rows_of_one_table(name: str) -> None:
    presets = protocol.load(name).presets()
    assert presets and len({tuple(row) for row in presets}) == 1


@each_game
def test_what_a_new_experiment_begins_with_is_ready_to_run(name: str, tmp_path: Path) -> None:
    source = Path(protocol.__file__).parent / name / "data" / "new"
    for template, target in (("house.toml", "house/mine-rule.toml"), ("experiment.toml", "mine.toml")):
        path = tmp_path / target
        path.parent.mkdir(exist_ok=True)
        path.write_text((source / template).read_text(encoding="utf-8").replace("NAME", "mine"), encoding="utf-8")
        assert check_file(path)[0].startswith("fine: ")
    plan = planning.make(tmp_path / "mine.toml")
    assert (plan.game.NAME, plan.warnings) == (name, []) and plan.experiment.name == "mine"
    assert plan.experiment.question.endswith("?") and plan.experiment.compare is not None
    assert "mine-rule" in plan.house_rules


@each_game
def test_every_data_file_is_toml(name: str) -> None:
    found = list((Path(protocol.__file__).parent / name / "data").rglob("*.toml"))
    assert found
    for path in found:
        assert tomllib.loads(path.read_text(encoding="utf-8"))


@each_game
def test_a_game_without_limits_can_still_be_solved(name: str) -> None:
    game = protocol.load(name)
    assert shipped(name), f"no experiment of {name} is shipped"
    cell = planning.make(shipped(name)[0], overrides=game.UNLIMITED).cells[0]
    assert bool(game.unplayable(cell.scenario)) is bool(game.UNLIMITED)
    game.ready()
    names, solved = {metric.name for metric in game.OUTCOMES}, set(game.exact(cell.scenario, cell.rules).metrics)
    assert solved == names if game.UNLIMITED else solved <= names


# Shipped questions and house rules


def test_something_is_shipped() -> None:
    assert len(EXPERIMENTS) >= 4 and len(HOUSE_RULES) >= 3


@named(EXPERIMENTS)
def test_a_shipped_experiment_asks_a_question_and_plans_without_a_warning(path: Path) -> None:
    plan = planned(path)
    experiment = plan.experiment
    assert plan.warnings == []
    assert experiment.name == path.stem.replace("_", "-")
    assert experiment.question.endswith("?") and experiment.question[0].isupper()
    assert experiment.report.metric in {metric.name for metric in plan.game.OUTCOMES}
    assert experiment.compare is not None or experiment.report.target is not None
    assert plan.trials * len(plan.cells) >= 100_000
    assert len({cell.fingerprint for cell in plan.cells}) == len(plan.cells)
    assert check_file(path)[0] == (
        f"fine: {len(plan.cells)} cell{'s' * (len(plan.cells) > 1)} of {plan.game.TITLE}, {plan.trials:,} trials each"
    )
    assert path.read_text(encoding="utf-8").startswith("#:schema ./schema/experiment.schema.json\n")


@named(HOUSE_RULES)
def test_a_shipped_house_rule_says_why_and_guards_what_it_changes(path: Path) -> None:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    assert data["title"] and len(data["why"]) > 20 and data["why"].endswith(".")
    assert data["for"] in GAMES
    assert re.match(rf"fine: the house rule '{re.escape(data['title'])}' changes [1-9]", check_file(path)[0])
    assert all(set(value) == {"was", "now"} for value in data["set"].values())
    assert path.read_text(encoding="utf-8").startswith("#:schema ../schema/house-rule.schema.json\n")


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_shipped_schemas_are_those_of_the_code(name: str) -> None:
    """Write them anew with ``simkit schema experiments/schema``."""
    assert json.loads((shipped_folder() / "schema" / name).read_text(encoding="utf-8")) == SCHEMAS[name]()


# Golden counts


def sample(cells: int, most: int) -> list[int]:
    """Choose cells so that they are spread evenly and keep step with no axis; all of them where they are few."""
    return sorted({int(k * SPREAD % 1 * cells) for k in range(most)}) if cells > most else list(range(cells))


def sums(plan: Plan, chosen: list[int], trials: int) -> np.ndarray:
    """Play some cells of a plan, each with its baseline, and return their summed counts: (cells, columns, 4)."""
    game = plan.game
    game.ready()
    counts = np.zeros((len(plan.cells), len(game.OUTCOMES), 4), np.int64)
    for head, *others in plan.groups:
        group = [head, *(i for i in others if i in chosen)]
        if head in chosen or len(group) > 1:
            out = np.zeros((len(group), BATCHES, len(game.OUTCOMES), 4), np.int64)
            setups = game.pack([plan.cells[i].setup for i in group])
            game.play_block(setups, game.new_state(), plan.key, 0, trials // game.GAMES_A_UNIT, out)
            counts[group] = out.sum(axis=1)
    return counts[chosen]


def golden(game: str) -> dict[str, Any]:
    """Return the golden counts of a game as they are now."""
    trials, most = SAMPLE[game]
    found: dict[str, Any] = {"version": protocol.load(game).VERSION.number, "trials": trials}
    for path in shipped(game):
        plan = planned(path)
        chosen = sample(len(plan.cells), most)
        counts = sums(plan, chosen, trials)
        names = [metric.name for metric in plan.game.OUTCOMES]
        setups = hashlib.sha256(b"".join(cell.setup.tobytes() for cell in plan.cells))
        found[path.stem] = {
            "cells": len(plan.cells),
            **({} if len(chosen) == len(plan.cells) else {"played": [plan.cells[i].number for i in chosen]}),
            "setups": setups.hexdigest()[:16],
            "counts": hashlib.sha256(counts.astype("<i8").tobytes()).hexdigest()[:16],
            "totals": dict(zip(names, counts[:, :, 0].sum(axis=0).tolist(), strict=True)),
        }
    return found


@each_game
def test_counts_change_only_together_with_the_version(name: str) -> None:
    file = CASES / f"golden_{name}.toml"
    kept, now = tomllib.loads(file.read_text(encoding="utf-8")), golden(name)
    assert kept["version"] == now["version"], f"the version was raised: python -m tests.test_contract {name} > {file}"
    assert set(kept) == set(now), f"experiments were added or removed: python -m tests.test_contract {name} > {file}"
    for experiment in [key for key in now if isinstance(now[key], dict)]:
        same = kept[experiment]["setups"] == now[experiment]["setups"]
        assert same, f"{experiment} sets up something else: write the golden counts anew if the experiment was changed"
        assert kept[experiment] == now[experiment], (
            f"{experiment}: raise VERSION with a line of history, or mend the bug"
        )


if __name__ == "__main__":
    sys.stdout.write(f"{HEAD}\n{tomli_w.dumps(golden(sys.argv[1]))}")
