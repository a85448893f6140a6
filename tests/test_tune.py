"""Tuning from its file to its report: the door, the files, the same bytes for any jobs, and a gain that is there."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import simkit
from simkit.balance.documents.tune import TuneDocument
from simkit.cli import call
from simkit.games.protocol import load
from simkit.lab import plan as planning
from simkit.lab.problems import ProblemError
from simkit.lab.tuning import read

pytestmark = pytest.mark.thorough

TOY: dict[str, Any] = {
    "schema": 1,
    "name": "toy",
    "question": "Who is played badly?",
    "game": "jugger",
    "tune": {
        "designs": ["backbiter", {"size": 1, "equipment": ["flail"], "title": "Toy"}],
        "families": ["legs-near"],
        "budgets": [2],
        "opponents": ["archer", "cutter", "thrasher", "lobber"],
        "generations": 4,
        "population": 16,
        "games": 64,
        "confirm": 1024,
    },
}


def toy(**changes: Any) -> dict[str, Any]:
    return {**TOY, "tune": {**TOY["tune"], **changes}}


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("runs.jsonl", ".lock")
    }


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return simkit.tune(TOY, jobs=2, out=tmp_path_factory.mktemp("tuned"))


def test_a_design_that_is_played_badly_gains_on_fresh_dice(found: Any) -> None:
    """Backbiter, who bites ahead alone, wins much more often by weights of its own."""
    best = found.document["tuned"][0]
    assert best["name"] == "backbiter"
    assert best["gain"]["low"] > 0.02
    assert best["kept"]
    assert found.verdict["word"] == "unfair"
    assert "Plain weights are unfair to Backbiter" in found.answer
    gain = best["after"]["estimate"] - best["before"]["estimate"]
    assert gain == pytest.approx(best["gain"]["estimate"])


def test_the_document_has_its_schema_and_the_page_says_the_same(found: Any) -> None:
    TuneDocument.model_validate(found.document)
    page = (found.folder / "report.html").read_text(encoding="utf-8")
    assert "What tuned weights score above plain ones" in page
    assert found.answer in (found.folder / "report.md").read_text(encoding="utf-8").replace("\\", "")
    assert {path.name for path in (found.folder / "plots").iterdir()} == {"gains.svg", "searches.svg"}


def test_the_weights_are_a_file_that_an_experiment_can_name(found: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes((found.folder / "tuned.toml").read_bytes())
    duel = {"a": {"design": "backbiter", "policy": "tuned"}, "b": {"design": "cutter", "policy": "tuned"}}
    text = f'schema = 1\nname = "x"\ngame = "jugger"\ntuned = ["mine.toml"]\n[sides]\na = {_inline(duel["a"])}\n'
    (tmp_path / "x.toml").write_text(f"{text}b = {_inline(duel['b'])}\n")
    plan = planning.make(tmp_path / "x.toml")
    weights = plan.cells[0].setup.weights
    values = found.document["tuned"][0]["values"]
    assert {name: int(weights[0][name]) for name in values} == values
    game = load("jugger")
    assert game.weighed_by(plan.cells[0].scenario, "a") == "weights tuned for Backbiter"  # type: ignore[attr-defined]
    assert plan.experiment.weights is not None
    again = planning.make({**plan.experiment.model_dump(by_alias=True, exclude_none=True, exclude_unset=True)})
    assert again.cells[0].fingerprint == plan.cells[0].fingerprint


def _inline(table: dict[str, str]) -> str:
    return "{" + ", ".join(f'{key} = "{value}"' for key, value in table.items()) + "}"


def test_any_jobs_and_an_interruption_leave_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = toy(families=[], generations=2, population=8, confirm=512)
    one = simkit.tune(small, jobs=1, out=tmp_path / "1")

    from simkit.lab.bouts import Bouts
    from simkit.lab.runner import Interrupted

    whole, count = Bouts._fought, 0

    def stops(self: Bouts, *args: Any, **more: Any) -> Any:
        nonlocal count
        count += 1
        if count == 3:
            raise KeyboardInterrupt
        return whole(self, *args, **more)

    monkeypatch.setattr(Bouts, "_fought", stops)
    with pytest.raises((KeyboardInterrupt, Interrupted)):
        simkit.tune(small, jobs=2, out=tmp_path / "2")
    monkeypatch.undo()
    two = simkit.tune(small, jobs=2, out=tmp_path / "2")
    assert files(one.folder) == files(two.folder)
    logged = [json.loads(line) for line in (two.folder / "runs.jsonl").read_text().splitlines()]
    assert logged[-1]["kept"] > 0
    again = simkit.tune(small, jobs=1, out=tmp_path / "1")
    logged = [json.loads(line) for line in (again.folder / "runs.jsonl").read_text().splitlines()]
    assert logged[-1]["played"] == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"designs": ["archr"]}, "no design is called 'archr'"),
        ({"designs": ["archer", "archer"]}, "'archer' stands there twice"),
        ({"designs": [], "families": []}, "nobody is to be tuned"),
        ({"families": ["legs"]}, "no family of designs is called 'legs'"),
        ({"budgets": []}, "families need budgets"),
        ({"budgets": [21]}, "size class 21; there are 1 to 20"),
        ({"population": 17}, "population is 17; it is an even number"),
        ({"opponents": ["archer", "nobody"]}, "no design is called 'nobody'"),
        ({"games": "many"}, "'games' in [tune] must be a whole number"),
        ({"gamse": 3}, "unknown setting 'gamse'"),
    ],
)
def test_mistakes_stop_at_the_door(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read(toy(**changes))
    assert message in str(caught.value.problems[0].message)


def test_a_family_without_a_build_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="no build of these budgets is of the family legs-far"):
        simkit.tune(toy(families=["legs-far"], budgets=[1]), out=tmp_path)
    assert not [*tmp_path.rglob("*.npz")]


def test_sides_are_said_by_the_table() -> None:
    with pytest.raises(ProblemError, match=r"who fights is said by \[tune\]"):
        read(TOY, overrides={"sides.a.policy": "hold"})


def test_a_design_of_the_file_is_written_out(tmp_path: Path) -> None:
    """What another experiment calls differently, or not at all, is told apart by what it is."""
    mine = toy(designs=["mine"], families=[], budgets=[], generations=1, population=8, games=16, confirm=512)
    found = simkit.tune({**mine, "designs": {"mine": {"size": 1, "equipment": ["flail"]}}}, jobs=1, out=tmp_path)
    tables = tomllib.loads((found.folder / "tuned.toml").read_text())["weights"]
    assert tables["mine"]["design"] == {"size": 1, "equipment": ["flail"]}


def test_a_game_whose_players_weigh_nothing_is_refused() -> None:
    with pytest.raises(ProblemError, match="have no weights"):
        read({"schema": 1, "name": "x", "game": "battlesystem", "tune": {"designs": ["orcs"]}})
    with pytest.raises(ProblemError, match="there is no table"):
        read({"schema": 1, "name": "x", "game": "jugger"})


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "toy.toml"
    file.write_text(
        'schema = 1\nname = "toy"\ngame = "jugger"\n[tune]\ndesigns = ["archer"]\nopponents = ["axer"]\n'
        "generations = 1\npopulation = 8\ngames = 16\nconfirm = 512\n"
    )
    out, target = str(tmp_path / "results"), tmp_path / "mine.toml"
    assert call(["tune", str(file), "--out", out, "-q", "--json", "--write", str(target)]) == 0
    document = json.loads(capsys.readouterr().out)
    TuneDocument.model_validate(document)
    assert target.read_text().startswith("schema = 1\ntuned = ")
    assert call(["tune", str(file), "--out", out, "-q", "--fail-if", document["verdict"]["word"]]) == 3
    assert call(["tune", str(file), "--out", out, "--fail-if", "unfare"]) == 2
    assert call(["tune", str(file), "--out", out, "--write", str(tmp_path / "x.txt")]) == 2
    assert "ends in .toml" in capsys.readouterr().err


def test_the_resolved_experiment_is_the_same_question(tmp_path: Path) -> None:
    small = toy(families=[], budgets=[], generations=1, population=8, games=16, confirm=512)
    found = simkit.tune(small, jobs=1, out=tmp_path)
    assert simkit.tune(found.folder / "experiment.resolved.toml", out=tmp_path).folder == found.folder
