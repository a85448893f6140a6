"""Searching from its file to its report: what is found, the winner's curse, the door, the same bytes for any jobs."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit
from simkit.balance.documents.search import SearchDocument
from simkit.cli import call
from simkit.lab.problems import ProblemError
from simkit.lab.searching import read

pytestmark = pytest.mark.thorough

TOY: dict[str, Any] = {
    "schema": 1,
    "name": "toy",
    "question": "What is strongest?",
    "game": "jugger",
    "scenario": {"max_turns": 20},
    "search": {"budget": 1, "field": ["warbuggy"], "finalists": 4, "last": 2048, "rounds": 6},
}


def toy(**changes: Any) -> dict[str, Any]:
    table = {**TOY["search"], **changes}
    return {**TOY, "search": {key: value for key, value in table.items() if value is not None}}


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("runs.jsonl", ".lock")
    }


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return simkit.search(TOY, jobs=2, out=tmp_path_factory.mktemp("searched"))


def test_rounds_end_when_nothing_gains_more_than_delta(found: Any) -> None:
    document = found.document
    assert found.verdict["word"] == "settled"
    *joined, last = document["rounds"]
    assert joined
    assert all(row["joined"] and row["gain"]["low"] > 0.02 for row in joined)
    assert not last["joined"]
    assert last["gain"]["low"] <= 0.02
    assert sum(one["share"] for one in document["pool"]) == pytest.approx(1.0, abs=1e-5)
    assert "sails" in found.answer or document["pool"][0]["name"] in found.answer
    assert document["frame"] == ["all 29 legal builds of size class 1 were looked at"]


def test_nobody_beats_the_equilibrium_when_all_are_played_against_it(found: Any, tmp_path: Path) -> None:
    """All 29 builds are played on other dice against the mixture: none gains more than delta and an error."""
    pool = [one for one in found.document["pool"] if one["share"] > 0.01]
    from simkit.lab.bouts import Arena, Bout, Bouts
    from simkit.lab.runner import Silent
    from simkit.lab.study import Study

    asked = read(TOY)
    arena = Arena(asked.plan)
    sides = [asked.builder.build_at(1, arena.rules, k).side for k in range(asked.count)]
    shares = np.array([one["share"] for one in pool])
    with Study.opened("x", asked.plan, {}, out=tmp_path, jobs=2, progress=Silent(), trials=1) as study:
        bouts = [Bout(side, one["side"], 0, 400) for one in pool for side in sides]
        scores = Bouts(study, arena, "score_a").scores(bouts, replication=7).reshape(len(pool), len(sides))
    against = shares @ scores / shares.sum()
    assert against.max() < 0.5 + 0.02 + 0.06


def test_the_document_has_its_schema_and_the_page_says_the_same(found: Any) -> None:
    SearchDocument.model_validate(found.document)
    page = (found.folder / "report.html").read_text(encoding="utf-8")
    assert "The strongest builds" in page
    assert found.answer in (found.folder / "report.md").read_text(encoding="utf-8").replace("\\", "")
    assert {path.name for path in (found.folder / "plots").iterdir()} == {"rounds.svg", "race.svg"}


def test_what_is_told_of_a_winner_is_not_what_chose_him(tmp_path: Path) -> None:
    """The winner's curse: over seeds the looks overstate their winner, the fresh dice agree with a long run."""
    asked = toy(field=None, counter="warbuggy", first=2, last=1024, finalists=2, only=None)
    overstated, fresh = [], []
    for seed in range(4):
        document = simkit.search({**asked, "seed": seed}, jobs=2, out=tmp_path / str(seed)).document
        best = document["rounds"][0]["finalists"][0]
        overstated.append(best["looked"] - best["fresh"]["estimate"])
        fresh.append(best["fresh"]["estimate"] - _long(document, best, tmp_path / f"long-{seed}"))
    assert np.mean(overstated) > -0.01
    assert abs(np.mean(fresh)) < 0.03


def _long(document: dict[str, Any], best: dict[str, Any], out: Path) -> float:
    duel = {"schema": 1, "name": "long", "game": "jugger", "seed": 99, "scenario": {"max_turns": 20}}
    sides = {"a": best["side"], "b": {"design": "warbuggy"}}
    run = simkit.run({**duel, "sides": sides, "run": {"trials": 4_000, "swings": 0}}, out=out, jobs=2)
    return float(run.document["cells"][0]["metrics"]["score_a"]["estimate"])


def test_limits_are_kept(tmp_path: Path) -> None:
    found = simkit.search(toy(without=["sails"], only=["gears", "flail", "armor"], field=None), jobs=2, out=tmp_path)
    names = {one["name"] for one in found.document["pool"]}
    assert names <= {"gears", "flail", "armor"}
    assert found.document["frame"] == [
        "all 3 legal builds of size class 1 without sails, made of gears and flail and armor alone were looked at"
    ]


@pytest.mark.thorough
def test_of_too_many_builds_some_are_drawn_and_improved(tmp_path: Path) -> None:
    found = simkit.search(toy(budget=2, tried=32, field=["miner"], rounds=1), jobs=2, out=tmp_path)
    row = found.document["rounds"][0]
    assert (
        "32 builds drawn uniformly from the 456 legal builds of size class 2 were looked at"
        in found.document["frame"][0]
    )
    assert row["looked_at"] > 32


@pytest.mark.thorough
def test_finalists_may_get_weights_of_their_own(tmp_path: Path) -> None:
    found = simkit.search(toy(counter="warbuggy", field=None, tune=2, last=1024, finalists=3), jobs=2, out=tmp_path)
    own = [row for row in found.document["rounds"][0]["finalists"] if row["name"].endswith(" (own weights)")]
    assert len(own) == 3
    assert all(row["side"]["policy"] == "greedy" and row["side"]["weights"]["dealt"] == 100 for row in own)
    with pytest.raises(ProblemError, match="weights are tuned for the players greedy and tuned, not for random"):
        read({**toy(tune=2), "run": {"policy": "random"}})


def test_any_jobs_leave_the_same_bytes(tmp_path: Path) -> None:
    small = toy(rounds=1, last=1024)
    one, two = (simkit.search(small, jobs=jobs, out=tmp_path / str(jobs)) for jobs in (1, 2))
    assert files(one.folder) == files(two.folder)
    again = simkit.search(small, jobs=2, out=tmp_path / "1")
    logged = [json.loads(line) for line in (again.folder / "runs.jsonl").read_text().splitlines()]
    assert logged[-1]["played"] == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"budget": 21}, "size class 21; there are 1 to 20"),
        ({"budget": None, "field": []}, "nothing is asked"),
        ({"counter": "warbuggy"}, "counter and field exclude each other"),
        ({"counter": "warbugy", "field": []}, "no design is called 'warbugy'"),
        ({"without": ["sials"]}, "no build has an item called 'sials'"),
        ({"without": ["legs"], "needs": ["legs"]}, "'legs' is both needed and forbidden"),
        ({"only": ["gears"], "needs": ["legs"]}, "'legs' is needed, and not among the only items"),
        ({"field": ["nobody"]}, "no design is called 'nobody'"),
        ({"delta": 0}, "'delta' in [search] must be"),
        ({"round": 3}, "unknown setting 'round'"),
    ],
)
def test_mistakes_stop_at_the_door(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read(toy(**changes))
    assert message in caught.value.problems[0].message


def test_limits_that_leave_nothing_are_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="no legal build of size class 1 with legs and gears was found"):
        simkit.search(toy(needs=["legs", "gears"], field=None), out=tmp_path)
    assert not [*tmp_path.rglob("*.npz")]


def test_a_game_without_builds_is_refused() -> None:
    with pytest.raises(ProblemError, match="no designs that are built to a budget"):
        read({"schema": 1, "name": "x", "game": "pigtickler", "search": {"budget": 3}})


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "toy.toml"
    file.write_text(
        'schema = 1\nname = "toy"\ngame = "jugger"\n[scenario]\nmax_turns = 20\n[search]\ncounter = "warbuggy"\n'
        "finalists = 3\nlast = 1024\n"
    )
    out = str(tmp_path / "results")
    assert call(["search", str(file), "--out", out, "-q", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    SearchDocument.model_validate(document)
    assert document["counter"] == "Warbuggy"
    assert call(["search", str(file), "--out", out, "-q", "--fail-if", document["verdict"]["word"]]) == 3
    assert "The best counter to Warbuggy" in capsys.readouterr().out


def test_the_resolved_experiment_is_the_same_question(tmp_path: Path) -> None:
    found = simkit.search(toy(rounds=1, last=1024), jobs=2, out=tmp_path)
    assert simkit.search(found.folder / "experiment.resolved.toml", out=tmp_path).folder == found.folder
