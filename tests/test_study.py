"""Ledgers and studies: what is played on the way to an answer, kept, read again, and shown."""

import json
from pathlib import Path

import numpy as np
import pytest

from simkit import stats
from simkit.api.studies import Findings, conducted, load_study
from simkit.balance.documents import schemas
from simkit.balance.documents.head import Head
from simkit.cli import call
from simkit.lab import plan as planning
from simkit.lab.ledger import FOLDER
from simkit.lab.problems import ProblemError
from simkit.lab.runner import Interrupted, Silent
from simkit.lab.study import Study
from simkit.report.sheet import Section, Sheet, Table, Value
from simkit.report.style import MARKS
from simkit.stats import Estimate

QUESTION = {
    "schema": 1,
    "name": "which-bog",
    "question": "Which <bog> is worst?",
    "game": "pigtickler",
    "seed": 7,
    "course": {"steps": [{"bog": "ford"}], "turns": 2},
    "sweep": {"axes": {"course.steps": [[{"bog": "ford"}], [{"bog": "swamp"}], [{"cross": "fence"}]]}},
    "report": {"metric": "finished"},
}
DUEL = {
    "schema": 1,
    "name": "who-wins",
    "game": "jugger",
    "sides": {"a": {"design": "archer"}, "b": {"design": "axer"}},
    "scenario": {"distance": 3},
    "run": {"policy": "hold"},
}


def opened(plan, out, *, jobs=1, settings=None, progress=None):
    return Study.opened("toy", plan, settings or {}, out=out, jobs=jobs, progress=progress or Silent(), trials=1)


@pytest.fixture(scope="module")
def plan():
    return planning.make(QUESTION)


def test_a_ledger_counts_what_a_run_counts(plan, tmp_path):
    game = plan.game
    game.ready()
    with opened(plan, tmp_path) as study:
        sums = study.ledger(["finished", "rolls"]).play(plan.cells, 100, 1_100)
    counts = np.zeros((3, 256, len(game.OUTCOMES), 4), np.int64)
    game.play_block(game.pack([cell.setup for cell in plan.cells]), game.new_state(), plan.key, 100, 1_100, counts)
    places = [[metric.name for metric in game.OUTCOMES].index(name) for name in ("finished", "rolls")]
    assert (sums == counts[:, :, places, 0]).all()
    assert sums[:, :, 0].sum() > 0


def test_means_are_those_of_games(tmp_path):
    plan = planning.make(DUEL)
    with opened(plan, tmp_path) as study:
        ledger = study.ledger(["score_a"])
        sums = ledger.play(plan.cells, 0, 300)
        means = ledger.means(sums, 0, 300, "score_a")
        first = ledger.means(ledger.play(plan.cells, 0, 100), 0, 100, "score_a")
    scale = next(metric.scale for metric in plan.game.OUTCOMES if metric.name == "score_a")
    units = np.array([2] * 44 + [1] * 212)
    assert means.shape == (1, 256)
    assert first.shape == (1, 100)  # batches without a unit are left out
    assert (means * units).sum() / 300 == pytest.approx(sums.sum() / (300 * 2 * scale))
    assert 0 < means.mean() < 1
    assert study.trials == 800


def test_what_is_there_is_read_and_the_rest_is_played(plan, tmp_path):
    with opened(plan, tmp_path) as study:
        ledger = study.ledger()
        all_at_once = ledger.play(plan.cells, 0, 1_000)
        assert (ledger.played, ledger.kept) == (3_000, 0)
    with opened(plan, tmp_path) as study:
        ledger = study.ledger()
        assert (ledger.play(plan.cells, 0, 1_000) == all_at_once).all()
        assert (ledger.played, ledger.kept) == (0, 3_000)
        in_parts = ledger.play(plan.cells, 0, 300) + ledger.play(plan.cells, 300, 1_000)
        assert (in_parts == all_at_once).all()
        assert (ledger.play(plan.cells, 0, 1_000, replication=1) != all_at_once).any()
    with opened(plan, tmp_path, settings={"another": "question"}) as other:
        assert (other.ledger().play(plan.cells, 0, 1_000) == all_at_once).all()
        assert other.ledgers[0].kept == 3_000


def test_a_damaged_parcel_is_played_again(plan, tmp_path):
    said = []

    class Hears(Silent):
        def say(self, message):
            said.append(message)

    with opened(plan, tmp_path) as study:
        once = study.ledger().play(plan.cells, 0, 500)
    (path,) = (study.store.folder / FOLDER).iterdir()
    content = path.read_bytes()
    path.write_bytes(content[:100] + bytes([content[100] ^ 1]) + content[101:])
    with opened(plan, tmp_path, progress=Hears()) as study:
        again = study.ledger().play(plan.cells, 0, 500)
    assert (again == once).all()
    assert said == [f"parcel {path.name} is damaged: its units are played again"]
    assert path.read_bytes() == content


def test_an_interrupted_ledger_keeps_what_was_finished(plan, tmp_path, monkeypatch):
    monkeypatch.setattr("simkit.lab.ledger.TOGETHER", 1)

    class Stops(Silent):
        def advance(self, trials, cells_done, widest):
            raise KeyboardInterrupt

    with opened(plan, tmp_path, progress=Stops()) as study, pytest.raises(Interrupted):
        study.ledger().play(plan.cells, 0, 500)
    left = sum(1 for _ in (study.store.folder / FOLDER).iterdir())
    assert 1 <= left <= 3
    with opened(plan, tmp_path) as study:
        ledger = study.ledger()
        ledger.play(plan.cells, 0, 500)
    assert ledger.kept == 500 * left
    assert ledger.played == 1_500 - ledger.kept


def test_units_go_upwards(plan, tmp_path):
    with (
        opened(plan, tmp_path) as study,
        pytest.raises(ValueError, match="units 5 to 3; allowed are 0 <= first <= end"),
    ):
        study.ledger().play(plan.cells, 5, 3)


def work(study):
    ledger = study.ledger(["finished"])
    sums = ledger.play(study.plan.cells, 0, 4_000)
    shares = sums[:, :, 0].sum(axis=1)
    found = []
    for count in shares:
        low, high = stats.clopper_pearson(count, 4_000, 0.99)
        found.append(Estimate(count / 4_000, float(low), float(high), 0.99, 4_000, "clopper-pearson").to_json())
    worst = study.plan.cells[int(shares.argmin())].title
    answer = f"The worst is {worst}."
    verdict = {"answer": answer, "word": "found", "rule": "the least share", "not_resolved": []}
    return {"verdict": verdict, "shares": found}


def sheet(document):
    rows = [
        ["a\u202eb", Value(f"{one['estimate']:.3f}", f"{one['low']:.3f} to {one['high']:.3f}")]
        for one in document["shares"]
    ]
    table = Table(["what", "finished"], rows, numbers=[1], title="All <three>", note="99 % each")
    section = Section("Shares", ["Said & done."], (), [table])
    return Sheet(MARKS["measured"], "found", "it is so", [("trials", "4,000")], [section], ["clopper-pearson"])


def conduct(plan, out, **more):
    return conducted("toy", plan, {"wanted": 3}, work, sheet, trials=12_000, out=out, **more)


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("runs.jsonl", ".lock")
    }


def test_a_study_leaves_the_same_bytes_for_any_number_of_jobs(plan, tmp_path):
    one, two = (conduct(plan, tmp_path / str(jobs), jobs=jobs) for jobs in (1, 2))
    assert files(one.folder) == files(two.folder)
    again = conduct(plan, tmp_path / "1")
    assert files(again.folder) == files(two.folder)
    log = [json.loads(line) for line in (again.folder / "runs.jsonl").read_text().splitlines()]
    assert [(line["played"], line["kept"]) for line in log] == [(12_000, 0), (0, 12_000)]
    manifest = json.loads((one.folder / "manifest.json").read_text())
    assert set(manifest["files"]) == set(files(one.folder)) - {"manifest.json"}
    assert manifest["trials"] == one.document["trials"] == 12_000


def test_a_study_shows_its_answer_and_escapes_what_files_say(plan, tmp_path):
    found = conduct(plan, tmp_path)
    page = (found.folder / "report.html").read_text(encoding="utf-8")
    assert "Which &lt;bog&gt; is worst?" in page
    assert "All &lt;three&gt;" in page
    assert found.answer in page
    assert "<h2>Rules in force</h2>" in page
    assert "[toy]\nwanted = 3" in (found.folder / "experiment.resolved.toml").read_text()
    text = (found.folder / "report.md").read_text(encoding="utf-8")
    assert "Which \\<bog\\> is worst?" in text
    assert f"({found.document['shares'][0]['low']:.3f} to" in text
    Head.model_validate({key: value for key, value in found.document.items() if key != "shares"})
    loaded = load_study(found.folder.parent)
    assert isinstance(loaded, Findings)
    assert loaded.document == json.loads(json.dumps(found.document))
    assert repr(loaded).startswith("<simkit.Findings which-bog toy-")


def test_a_study_beside_runs(plan, tmp_path, capsys):
    found = conduct(plan, tmp_path / "results")
    assert call(["report", str(found.folder.parent)]) == 0
    assert found.answer in capsys.readouterr().out
    assert call(["report", str(found.folder), "--format", "md"]) == 0
    assert capsys.readouterr().out == (found.folder / "report.md").read_text(encoding="utf-8")
    assert call(["results", "--out", str(tmp_path / "results")]) == 0
    assert found.folder.name in capsys.readouterr().out
    (found.folder / "report.md").unlink()
    assert call(["report", str(found.folder)]) == 2
    assert "the report of this study is missing or damaged" in capsys.readouterr().err
    assert call(["results", "--out", str(tmp_path / "results"), "--prune", "0"]) == 0
    assert not found.folder.exists()


def test_a_folder_without_a_study(tmp_path):
    with pytest.raises(ProblemError, match="there is no finished study"):
        load_study(Path(tmp_path))


def test_one_writer_at_a_time(plan, tmp_path):
    with opened(plan, tmp_path), pytest.raises(ProblemError, match="another simkit is playing"), opened(plan, tmp_path):
        pass


def test_tables_of_studies_leave_a_run_alone():
    plain, asked = (planning.make({**QUESTION, **more}) for more in ({}, {"matrix": {}}))
    assert plain.fingerprint == asked.fingerprint


def test_documents_have_schemas(capsys):
    found = schemas.commands()
    assert {"balance", "matrix", "sensitivity", "solve", "tune"} <= set(found)
    for command in found:
        assert call(["schema", "--document", command]) == 0
        schema = json.loads(capsys.readouterr().out)
        assert schema["title"] == f"simkit {command} --json"
        assert set(Head.model_json_schema(by_alias=True)["properties"]) < set(schema["properties"])
        assert schema["additionalProperties"] is False
    assert call(["schema", "--document", "matrx"]) == 2
    assert "Did you mean 'matrix'?" in capsys.readouterr().err
    assert call(["schema", "somewhere", "--document", "matrix"]) == 2
    assert "takes no FOLDER" in capsys.readouterr().err
    with pytest.raises(LookupError, match="no document is called 'run'; there are: balance"):
        schemas.document_schema("run")
