"""Commands that show something: exact, replay, report, results, rules, games, designs, schema, doctor."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from simkit.cli import call, look
from tests.commandline import DAMAGE, FENCES, ODDS, ONE, QUESTIONS, SOFT, fits, ran, said, settle


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    settle(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return a folder of results: two shipped experiments, and one without a sweep."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "one.toml").write_text(ONE)
    for file in (ODDS, DAMAGE, folder / "one.toml"):
        assert call(["run", str(file), "--trials", "2000", "--out", str(folder / "results"), "-q"]) == 0
    return folder / "results"


# Exact, replay, report, results


def test_exact_shows_the_fraction_and_how_far_it_is_from_the_baseline(capsys):
    lines = ran(capsys, "exact", FENCES).out.splitlines()
    row = next(re.split(r"\s{2,}", line.strip()) for line in lines if line.strip().startswith("5  swamp"))
    assert row == ["5", "swamp", "155/324", "47.8395 %", "-48.3025 pp"]
    cell = ran(capsys, "exact", FENCES, "--cell", "course=swamp").out
    assert "cell 5: swamp" in cell
    assert re.search(r"finished +155/324 +47\.8395 %  every task done", cell)
    assert "exactly 0: " in cell


def test_exact_without_a_limit_of_turns(capsys):
    cell = ran(capsys, "exact", FENCES, "--unlimited", "--cell", "5").out
    assert re.search(r"finished +1 +100\.0000 %", cell)


def test_exact_describes_a_fraction_that_is_too_long(capsys):
    out = ran(capsys, "exact", DAMAGE, "--set", "dice=3d10kh2+1d4", "--cell", "2").out
    assert re.search(r"finished +\d+ characters \(--json\)", out)
    assert fits(out, 100)


def test_a_long_sweep_and_a_count_are_told_apart(capsys):
    out = ran(capsys, "exact", DAMAGE).out
    assert "wounds: wounds taken" in out
    assert re.search(r"2\s+1  unicycle damage +\d+/\d+  0\.\d{5}  -0\.\d{5}\n", out)


def test_a_trial_is_retold(capsys, played):
    out = ran(capsys, "replay", ODDS, "--cell", "levels down=0,bog=deep_sand,odds=altered odds", "--trial", "192").out
    assert out == ran(capsys, "replay", ODDS, "--cell", "6", "--trial", "192").out
    lines = out.splitlines()
    assert lines[1] == "cell 6: levels down 0, deep sand, altered odds; trial 192, seed 1"
    assert "Turn 1." in lines
    assert "(P-MAN-3, P-MAN-1)" in out
    assert ran(capsys, "replay", played / "altered-odds", "--cell", "6", "--trial", "192").out == out
    assert ran(capsys, "replay", played, "--json").out


def test_a_trial_beyond_the_run_is_told_and_said_to_be_so(capsys, played):
    folder = played / "altered-odds"
    assert ran(capsys, "replay", folder, "--trial", "1,999").err == ""
    out, err = ran(capsys, "replay", folder, "--trial", "2,000")
    assert err == "trial 2000 was not played (this run played trials 0 to 1,999): told as it would have gone\n"
    assert out == ran(capsys, "replay", ODDS, "--trial", "2000").out
    err = ran(capsys, "replay", ODDS, "--trial", "1000000", "--json").err
    assert err.startswith("trial 1000000 was not played (a run of this file plays trials 0 to 999,999)")
    Path("one.toml").write_text(ONE + "[run]\ntrials = 1\n")
    assert "(a run of this file plays trial 0 alone)" in ran(capsys, "replay", "one.toml", "--trial", "1").err


def test_a_course_without_limit_is_solved_and_not_played(capsys):
    for command in ("run", "replay"):
        Path("one.toml").write_text(ONE.replace("turns = 3", 'turns = "unlimited"'))
        assert "simkit exact solves it" in said(capsys, command, "one.toml")


def test_a_report_is_shown_again(capsys, played, monkeypatch):
    (page,) = played.glob("one/*/report.html")
    lines = ran(capsys, "report", played / "one").out.splitlines()
    assert lines[0].startswith("'finished' (every task done while he may still move)")
    assert lines[1] == str(page)
    before = page.read_bytes()
    page.unlink()
    ran(capsys, "report", page.parent)
    assert page.read_bytes() == before
    assert ran(capsys, "report", played / "one", "--format", "md").out.startswith("# How often does he finish?")
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or False)
    assert ran(capsys, "report", played / "one", "--open").err == "no browser was found; open the page by hand\n"
    assert opened == [page.resolve().as_uri()]


def test_no_run_no_report(capsys):
    assert "there is no finished run in this folder" in said(capsys, "report")
    assert "there is no finished run in this folder" in said(capsys, "replay", ".")


def test_results_are_listed_and_pruned(capsys):
    assert ran(capsys, "results").out == "no runs in results; simkit run makes one\n"
    for trials in ("100", "200", "300"):
        ran(capsys, "run", FENCES, "--trials", trials)
        time.sleep(0.02)
    out = ran(capsys, "results").out
    assert len(re.findall(r"^fences-or-bogs  [0-9a-f]{16} .* finished", out, re.M)) == 3
    assert out.endswith(" MB in all\n")
    out, err = ran(capsys, "results", "--prune", "1")
    assert re.findall(r"  10 +300  finished", out) and len(out.splitlines()) == 6
    assert len(err.splitlines()) == 2
    assert [one["trials"] for one in json.loads(ran(capsys, "results", "--json").out)["runs"]] == [300]
    ran(capsys, "results", "--prune", "0")
    assert list(Path("results").iterdir()) == []


def test_runs_and_the_studies_of_every_command_are_pruned_apart(tmp_path):
    runs = [
        {"name": "q", "run": run, "state": "finished", "when": when}
        for when, run in enumerate(["aa", "bb", "matrix-aa", "balance-aa", "balance-bb"])
    ]
    assert [one["run"] for one in sorted(look._spare(runs, 1), key=lambda one: one["when"])] == ["aa", "balance-aa"]


def test_a_run_that_is_being_played_is_not_pruned(capsys):
    from simkit.core.lock import file_lock

    ran(capsys, "run", FENCES, "--trials", "100")
    (folder,) = Path("results/fences-or-bogs").iterdir()
    with file_lock(folder / ".lock", wait=False):
        assert ran(capsys, "results", "--prune", "0").err == f"kept {folder}: it is being played\n"
    assert folder.is_dir()


def test_an_unfinished_run_is_called_so(capsys):
    (Path("results/x/0123456789abcdef/blocks") / "cell").mkdir(parents=True)
    assert "unfinished" in ran(capsys, "results").out


# Rules, games, designs, schema, doctor


def test_rules_stand_under_the_headings_of_the_rulebook(capsys):
    out = ran(capsys, "rules", "pigtickler").out
    headings = re.findall(r"^(.+)\n-+$", out, re.M)
    assert headings[:4] == ["Manoeuvre rolls", "Hills", "Bogs", "Linear obstacles"]
    assert out.count("Q  a ruling: the rules are silent or can be read two ways") == 1
    assert '  failed_stop = "opponent_control"   [Q P-DN-7]\n' in out
    assert 'Allowed: "opponent_control", "runs_on" or "stops".' in " ".join(out.split())
    assert "a value" not in out
    assert fits(out, 100)
    fields = json.loads(ran(capsys, "rules", "pigtickler", "--json").out)["rules"]
    assert sorted(re.findall(r"^  ([a-z_.]+) = ", out, re.M)) == sorted(field["path"] for field in fields)


def test_one_rule_with_its_passage(capsys):
    out = ran(capsys, "rules", "pigtickler", "P-DN-4").out
    assert out == ran(capsys, "rules", "pigtickler", "p-dn-4").out
    assert "\nP-DN-4 R  Failing a turn: the player to the left" in out
    assert re.findall(r"^  ([a-z_.]+) = ", out, re.M) == ["neighbour_policy", "steered_lancer_rolls"]
    assert re.findall(r"^  ([a-z_.]+) = ", ran(capsys, "rules", "pigtickler", "bogs.swamp").out, re.M) == ["bogs.swamp"]
    assert len(re.findall(r"^  bogs\.", ran(capsys, "rules", "pigtickler", "bogs").out, re.M)) == 8
    assert "P-LIN-3 R  An impassable one" in ran(capsys, "rules", "pigtickler", "P-LIN-3").out


def test_a_house_rule_is_marked_and_its_changes_stand_alone(capsys):
    whole = ran(capsys, "rules", "pigtickler", "--house", SOFT).out
    assert whole.startswith("Pig Tickler: terrain rules, first reading, with the house rule 'Soft bogs'\n")
    assert "* bogs.swamp = -2   (rules of record: -3)   [R P-BOG-1]\n" in whole
    changed = re.findall(r"^\* (\S+) = ", whole, re.M)
    alone = ran(capsys, "rules", "pigtickler", "--diff", SOFT).out
    assert re.findall(r"^. (\S+) = ", alone, re.M) == changed
    assert len(changed) == 7
    fields = json.loads(ran(capsys, "rules", "pigtickler", "--diff", SOFT, "--json").out)["rules"]
    assert [field["path"] for field in fields] == changed
    Path("idle.toml").write_text('schema = 1\nfor = "pigtickler"\ntitle = "Idle"\nwhy = "Nothing."\n')
    assert "this house rule changes nothing" in ran(capsys, "rules", "pigtickler", "--diff", "idle.toml").out


def test_entries_added_and_taken_out_by_a_house_rule(capsys):
    Path("mud.toml").write_text(
        'schema = 1\nfor = "pigtickler"\ntitle = "Mud"\nwhy = "Mud."\n[add.bogs]\nmud = -5\n[remove]\nbogs = ["ford"]\n'
    )
    out = ran(capsys, "rules", "pigtickler", "--diff", "mud.toml").out
    assert "* bogs.mud = -5   (rules of record: not there)" in out
    assert "* bogs.ford = not there   (rules of record: 0)" in out


def test_a_house_rule_file_that_is_not_there(capsys):
    assert said(capsys, "rules", "pigtickler", "--house", "nope.toml").startswith("1 error: there is no such file")


def test_games_and_designs(capsys):
    assert "pigtickler Pig Tickler unicycle lancers" in " ".join(ran(capsys, "games").out.split())
    out = ran(capsys, "designs", "pigtickler").out
    assert out == ran(capsys, "designs").out
    assert 'bog = "swamp"' in out
    assert 'metric = "finished"' in out


def test_the_shipped_schemas_are_those_of_this_version(capsys):
    out = ran(capsys, "schema", "made").out
    assert out.splitlines() == [f"wrote made/{kind}.schema.json" for kind in ("experiment", "house-rule", "march")]
    for made in Path("made").iterdir():
        assert made.read_bytes() == (QUESTIONS / "schema" / made.name).read_bytes()
    assert json.loads(ran(capsys, "schema").out) == json.loads(Path("made/experiment.schema.json").read_text())


def test_the_doctor_finds_nothing_here_and_says_what_is_wrong_elsewhere(capsys, monkeypatch):
    out = ran(capsys, "doctor").out
    assert out.count("\nfine ") == 3
    assert "numba" in out
    monkeypatch.setattr("simkit.lab.doctor.KNOWN_ANSWER", 1)
    assert "\nWRONG  the dice give their known answer" in ran(capsys, "doctor", code=1).out


# Narrow windows


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize(
    "arguments",
    [
        ["rules", "pigtickler", "P-DN-4"],
        ["replay", ODDS, "--cell", "6"],
        ["plan", ODDS],
        ["exact", FENCES],
        ["designs"],
        ["results", "--out", None],
        ["run", ODDS, "--trials", "2000", "-q", "--out", None],
    ],
    ids=lambda arguments: arguments[0],
)
@pytest.mark.thorough
def test_a_narrow_window(arguments, columns, capsys, monkeypatch, played):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = ran(capsys, *(played if argument is None else argument for argument in arguments)).out
    kept = [line for line in out.splitlines() if str(played) not in line and "experiments/" not in line]
    assert fits("\n".join(kept), columns)


def test_pruning_keeps_finished_work_and_what_is_being_played(tmp_path: Path) -> None:
    """The newest finished runs stay, an older unfinished one goes, and a newer unfinished one is somebody's work."""
    from simkit.cli.look import _spare

    def one(run: str, state: str, when: float, name: str = "a") -> dict[str, Any]:
        return {"name": name, "run": run, "state": state, "when": when}

    runs = [
        one("1", "finished", 1.0),
        one("2", "unfinished", 2.0),
        one("3", "finished", 3.0),
        one("4", "unfinished", 4.0),
        one("5", "finished", 5.0, "b"),
    ]
    assert sorted(run["run"] for run in _spare(runs, 1)) == ["1", "2"]
    assert [run["run"] for run in _spare(runs, 2)] == ["2"]
    assert sorted(run["run"] for run in _spare(runs, 0)) == ["1", "2", "3", "4", "5"]
