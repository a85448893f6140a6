"""The command line as users meet it: every command, exit codes, streams, JSON, narrow windows, help and hints."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from simkit.cli import COMMANDS, call, group
from simkit.cli.common import Narrow, Whole
from simkit.cli.layout import side_by_side, table, wrapped

ROOT = Path(__file__).parents[1]
QUESTIONS = ROOT / "experiments"
ODDS = QUESTIONS / "altered_odds.toml"
DAMAGE = QUESTIONS / "unicycle_damage.toml"
FENCES = QUESTIONS / "fences_or_bogs.toml"
SOFT = QUESTIONS / "house" / "soft-bogs.toml"
BAD = Path(__file__).parent / "hostile" / "report_typo.toml"
ONE = """
schema = 1
name = "one"
question = "How often does he finish?"
game = "pigtickler"
[course]
steps = [{ down = 2 }, { bog = "swamp" }, { pig = true }]
turns = 3
"""


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """Work in an empty folder, without a window whose width would matter."""
    monkeypatch.chdir(tmp_path)
    for name in ("COLUMNS", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return a folder of results: two shipped experiments, and one without a sweep."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "one.toml").write_text(ONE)
    for file in (ODDS, DAMAGE, folder / "one.toml"):
        assert call(["run", str(file), "--trials", "2000", "--out", str(folder / "results"), "-q"]) == 0
    return folder / "results"


def ran(capsys, *arguments, code=0):
    """Call a command, hold its exit code against the expected one, and return what it printed."""
    assert call([str(argument) for argument in arguments]) == code
    return capsys.readouterr()


def said(capsys, *arguments, code=2):
    """Return what a command that fails says on stderr; on stdout it says nothing."""
    out, err = ran(capsys, *arguments, code=code)
    assert out == ""
    assert "Traceback" not in err
    return err


def fits(text, columns):
    return [line for line in text.splitlines() if len(line) > columns] == []


def process(*arguments, **more):
    """Run simkit in a process of its own."""
    return subprocess.run([sys.executable, "-m", "simkit", *map(str, arguments)], capture_output=True, **more)


# Help


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example_that_it_understands(command, capsys):
    out = ran(capsys, command, "-h").out
    assert out == ran(capsys, command, "--help").out
    assert fits(out, 100)
    assert "RANGE" not in out
    examples = re.findall(r"^    simkit (.*)$", out[out.index("Example") :], re.M)
    assert examples
    for example in examples:
        words = [word for word in re.findall(r'"[^"]*"|\S+', example) if word != "--open"]
        assert words[0] == command
        with group.get_command(click.Context(group), command).make_context(command, [w.strip('"') for w in words[1:]]):
            pass  # its options and arguments are what the command takes


def test_the_first_page_lists_every_command(capsys):
    out = ran(capsys).out
    assert out == ran(capsys, "--help").out == ran(capsys, "-h").out
    assert re.findall(r"^  (\w+)  +[A-Z]", out, re.M) == list(COMMANDS)
    assert "simkit new my-first" in out


def test_the_version_names_the_distribution(capsys):
    assert re.fullmatch(r"wargame-simkit \d+\.\d+\.\d+\S*\n", ran(capsys, "--version").out)


def test_a_shell_can_ask_for_completion():
    environment = os.environ | {"_SIMKIT_COMPLETE": "bash_complete", "COMP_WORDS": "simkit re", "COMP_CWORD": "1"}
    done = process(env=environment, text=True)
    assert done.stdout.split() == ["plain,report", "plain,replay", "plain,results"]


# Mistakes on the command line


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["rnu"], "Did you mean 'run'?"),
        (["run", "--tirals", "5", FENCES], "Did you mean '--trials'?"),
        (["rules", "pigtikler"], "Did you mean 'pigtickler'?"),
        (["designs", "pigtikler"], "Did you mean 'pigtickler'?"),
        (["new", "x", "--game", "chess"], "There are: pigtickler."),
        (["rules", "pigtickler", "bogs.swmp"], "Did you mean 'bogs.swamp'?"),
        (["rules", "pigtickler", "P-DN-44"], "Did you mean 'P-DN-4'?"),
        (["rules", "pigtickler", "--house", "soft-bogz"], "did you mean 'soft-bogs'?"),
        (["run", FENCES, "--fail-if", "rises"], "Did you mean 'raises'?"),
        (["run", FENCES, "--set", "bogs.swmp=1"], "did you mean 'bogs.swamp' (now -3)?"),
        (["check", BAD], "did you mean 'finished'?"),
        (["check", QUESTIONS / "altered_ods.toml"], "altered_odds.toml'?"),
    ],
    ids=lambda value: " ".join(map(str, value))[:40] if isinstance(value, list) else None,
)
def test_a_slip_is_answered_with_what_was_meant(arguments, hint, capsys):
    assert hint in said(capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        (["run"], "error: Missing argument 'FILE'."),
        (["run", "a", "b"], "error: Got unexpected extra argument (b)"),
        (["odds"], "error: Missing argument 'EXPRESSION...'."),
        (["report", "--format", "pdf"], "error: Invalid value for '--format': 'pdf' is not one of 'html', 'md'."),
        (["--nope"], "error: No such option '--nope'."),
    ],
)
def test_wrong_usage_names_the_mistake_then_the_usage_then_the_help(arguments, first, capsys):
    lines = said(capsys, *arguments).splitlines()
    assert lines[0] == first
    assert lines[1].startswith("usage: simkit")
    assert re.fullmatch(r"help:  simkit( \w+)? -h", lines[2])


def test_house_and_diff_exclude_each_other(capsys):
    assert "exclude each other" in said(capsys, "rules", "pigtickler", "--house", SOFT, "--diff", SOFT)


@pytest.mark.parametrize("text", ["1000", "1,000", "1_000"])
def test_thousands_may_be_parted(text):
    assert Whole(1, 1000).convert(text, None, None) == 1000


@pytest.mark.parametrize("text", ["0", "1001", "-1", "1e3", "1.0", "", "٣", "x", "9" * 5000])
def test_a_whole_number_in_its_range_and_nothing_else(text):
    with pytest.raises(click.BadParameter, match="is not a whole number from 1 to 1,000"):
        Whole(1, 1000).convert(text, None, None)


def test_a_half_width_is_a_number_above_0():
    assert Narrow().convert("0.001", None, None) == 0.001
    for text in ("0", "-1", "nan", "inf", "", "x"):
        with pytest.raises(click.BadParameter, match="is not a number above 0"):
            Narrow().convert(text, None, None)


# Bugs, interrupts, pipes, terminals


def broken():
    raise KeyError("a\n\x1b[31mb")


@pytest.mark.parametrize("arguments", [["games"], ["--debug", "games"], ["games", "--debug"]])
def test_a_bug_is_one_line_and_how_to_report_it(arguments, capsys, monkeypatch):
    monkeypatch.setattr("simkit.games.protocol.find", broken)
    out, err = ran(capsys, *arguments, code=1)
    lines = err.splitlines()
    assert out == ""
    assert lines[-2] == "this is a bug in simkit: KeyError: 'a\\n\\x1b[31mb'"
    assert lines[-1].startswith("please report it")
    assert ("Traceback" in err) == ("--debug" in arguments)
    assert len(lines) == 2 or "--debug" in arguments


def test_an_interrupted_run_says_what_is_kept(capsys, monkeypatch):
    from simkit.lab.runner import Interrupted

    def interrupted(*_, **__):
        raise Interrupted(500, 1000, 10_000)

    monkeypatch.setattr("simkit.api.run", interrupted)
    err = said(capsys, "run", FENCES, "--trials", "1000", code=130)
    assert err.splitlines()[-1] == (
        "interrupted: 1,500 of 10,000 trials are kept (15 %); the same command goes on from there"
    )
    monkeypatch.setattr("simkit.games.protocol.find", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
    assert said(capsys, "games", code=130) == "interrupted\n"


def test_ctrl_c_in_a_run_leaves_blocks_and_130(tmp_path):
    command = [sys.executable, "-m", "simkit", "run", str(FENCES), "--trials", "200000000", "--out", "out"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        until = time.monotonic() + 60
        while not list(tmp_path.glob("out/*/*/blocks/*/*.npz")) and time.monotonic() < until:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert out == ""
    assert re.search(r"^interrupted: [\d,]+ of 2,000,000,000 trials are kept \(\d+ %\)", err, re.M)


@pytest.mark.parametrize("arguments", [["odds", "d%"], ["rules", "pigtickler"], ["schema"]], ids=lambda a: a[0])
def test_nobody_reads_on(arguments):
    with subprocess.Popen(
        [sys.executable, "-m", "simkit", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(60) == 0


def test_a_refusal_stays_one_when_nobody_reads_it():
    with subprocess.Popen([sys.executable, "-m", "simkit", "check", str(BAD)], stderr=subprocess.PIPE) as running:
        running.stderr.close()
        assert running.wait(60) == 2


def on_a_terminal(*arguments, **environment):
    """Run simkit on a terminal of 80 columns and return its exit code and everything it showed."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update({"TERM": "xterm-256color"} | environment)
        os.execv(sys.executable, [sys.executable, "-m", "simkit", *map(str, arguments)])
    shown = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), shown.decode()


def test_colours_are_for_terminals_that_want_them():
    code, shown = on_a_terminal("check", BAD)
    assert code == 2
    assert "\x1b[" in shown
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        code, shown = on_a_terminal("check", BAD, **environment)
        assert (code, "\x1b" in shown) == (2, False)
        assert "did you mean 'finished'?" in shown


def test_a_bar_moves_on_a_terminal_and_lines_come_on_a_dumb_one(tmp_path):
    code, shown = on_a_terminal("run", FENCES, "--trials", "2000", "--out", tmp_path / "a")
    assert code == 0
    assert "━" in shown
    code, shown = on_a_terminal("run", FENCES, "--trials", "2000", "--out", tmp_path / "b", TERM="dumb")
    assert code == 0
    assert "\x1b" not in shown
    assert "fences-or-bogs: 100 %, 20,000 of 20,000 trials" in shown


def test_a_terminal_that_lacks_a_sign_gets_another(tmp_path):
    (tmp_path / "one.toml").write_text(ONE.replace("How", "→ How"), encoding="utf-8")
    for encoding, shown in (
        ("latin-1", b"? How often"),
        ("ascii", "→ How often".encode()),
        ("utf-8", "→ How often".encode()),
    ):
        done = process("plan", "one.toml", env=os.environ | {"PYTHONIOENCODING": encoding})
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.startswith(shown)


# run


def test_a_run_ends_with_question_answer_table_folder_and_what_is_next(capsys):
    out, err = ran(capsys, "run", ODDS, "--trials", "1000")
    lines = out.splitlines()
    assert lines[0] == "Standard or altered odds: what do they change on hills, bogs and walls?"
    assert "99 % for all 16 together" in lines[1]
    assert len(lines) == 3 + 3 + 12 + 4
    assert lines[-4] == "... and 20 more cells in cells.csv"
    (folder,) = Path("results/altered-odds").iterdir()
    assert lines[-2:] == [str(folder), f"next: simkit report {folder} --open"]
    assert fits("\n".join(lines[2:]), 100)
    told = err.splitlines()
    assert 1 <= len(told) <= 11
    assert told[-1].startswith("altered-odds: 100 %, 32,000 of 32,000 trials, widest ±")


def test_a_run_that_is_there_already_plays_nothing(capsys):
    first = ran(capsys, "run", FENCES, "--trials", "500")
    again = ran(capsys, "run", FENCES, "--trials", "500")
    assert again.out == first.out
    assert again.err == "fences-or-bogs: 5,000 of 5,000 trials are there already\n"


def test_quiet_means_quiet(capsys):
    out, err = ran(capsys, "run", FENCES, "--trials", "500", "--quiet")
    assert err == ""
    assert out.startswith("Which holds a rider up")


@pytest.mark.parametrize("file", sorted(QUESTIONS.glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_questions_fit_a_readable_width(file, capsys):
    out = ran(capsys, "run", file, "--trials", "300", "-q").out
    assert fits("\n".join(out.splitlines()[2:]), 100)
    assert fits(ran(capsys, "exact", file).out, 100)
    assert fits(ran(capsys, "plan", file).out, 100)


def test_the_table_shows_what_the_verdict_judged(capsys):
    out = ran(capsys, "run", DAMAGE, "--trials", "2000", "-q").out.splitlines()
    rows = [re.split(r"\s{2,}", line.strip()) for line in out[6:12]]
    assert [row[-1] for row in rows] == ["baseline", "lower"] * 3
    document = json.loads(ran(capsys, "run", DAMAGE, "--trials", "2000", "--json").out)
    for row in document["verdict"]["rows"]:
        shown = rows[row["cell"] - 1][-2]
        low, high = map(float, shown.split(" to "))
        assert low <= row["low"] <= row["estimate"] <= row["high"] <= high
        assert (low, high) == pytest.approx((row["low"], row["high"]), abs=0.0011)


def test_one_cell_shows_all_its_outcomes(capsys):
    Path("one.toml").write_text(ONE)
    lines = ran(capsys, "run", "one.toml", "--trials", "2000", "-q").out.splitlines()
    names = [line.split()[0] for line in lines[5 : lines.index("", 5)]]
    assert names[0] == "finished"
    assert {"rump", "wounds", "turns_used"} < set(names)
    assert "killed" not in names


def test_what_is_new_alone_is_played(capsys):
    ran(capsys, "run", FENCES, "--trials", "500")
    err = ran(capsys, "run", FENCES, "--trials", "800").err
    assert err.splitlines()[0] == "fences-or-bogs: 5,000 of 8,000 trials are there already"


@pytest.mark.parametrize(("word", "code"), [("lowers", 3), ("raises", 0), ("undecided", 0)])
def test_fail_if(word, code, capsys):
    out, err = ran(capsys, "run", DAMAGE, "--trials", "2000", "-q", "--fail-if", word, code=code)
    assert out.startswith("What do the unicycle-damage rules do")
    assert err == ("--fail-if lowers: this is the verdict\n" if code else "")


def test_a_plan_that_takes_long_needs_yes(capsys, monkeypatch):
    monkeypatch.setattr("simkit.lab.plan.TOO_LONG", 1e-6)
    err = said(capsys, "run", FENCES, "--trials", "1000")
    assert re.match(r"error: This plan is 10 cells x 1,000 trials and takes .* Go on with --yes", err)
    assert not Path("results").exists()
    assert ran(capsys, "run", FENCES, "--trials", "1000", "--yes").out.startswith("Which holds")


@pytest.mark.parametrize("command", ["run", "plan", "exact", "check", "replay"])
def test_very_many_cells_need_yes(command, capsys, monkeypatch):
    monkeypatch.setattr("simkit.lab.check.PATIENCE", 9)
    assert "this sweep has 10 cells: only to plan them takes" in said(capsys, command, FENCES)
    assert not Path("results").exists()
    more = ["--trials", "100"] if command == "run" else []
    assert ran(capsys, command, FENCES, "--yes", *more).out


def test_results_go_where_they_are_sent(capsys, tmp_path):
    ran(capsys, "run", FENCES, "--trials", "300", "--out", "elsewhere/there", "--raw")
    assert [path.name for path in tmp_path.iterdir()] == ["elsewhere"]
    assert len(list(tmp_path.glob("elsewhere/there/fences-or-bogs/*/raw/*.parquet"))) == 10


def test_trials_seed_precision_and_settings_win_over_the_file(capsys):
    options = ["--seed", "7", "--set", "dice=1d12", "--set", "course.turns=3", "--precision", "0.05"]
    document = json.loads(ran(capsys, "run", FENCES, "--trials", "20,000", *options, "--json").out)
    assert (document["seed"], document["trials"], document["precision"]) == (7, 20_000, 0.05)
    assert {cell["scenario"].partition("; ")[2] for cell in document["cells"]} == {"3 turns"}
    assert {change["path"]: change["value"] for change in document["changes"]} == {"dice": "1d12"}


# JSON


def shaped(value, shape):
    """Hold a value against a shape: types, lists of one shape, dictionaries that have at least these keys."""
    if isinstance(shape, dict):
        assert isinstance(value, dict)
        assert set(shape) <= set(value)
        for key, inner in shape.items():
            shaped(value[key], inner)
    elif isinstance(shape, list):
        assert isinstance(value, list)
        for item in value:
            shaped(item, shape[0])
    elif isinstance(shape, type | tuple):
        assert isinstance(value, shape)
        assert shape is not int or not isinstance(value, bool)
    else:
        assert value == shape


ESTIMATE = {"estimate": float, "low": float, "high": float, "level": float, "n": int, "method": str}
CELL = {"cell": int, "factors": dict, "trials": int, "metrics": {"finished": ESTIMATE}, "assumed": [str]}
DOCUMENT = {"schema": 1, "name": str, "run": str, "cells": [CELL]}
VERDICT = {"answer": str, "word": str, "rule": str, "metric": str, "not_resolved": [int]}
NUMBER = (int, float, type(None))


@pytest.mark.parametrize(
    ("arguments", "shape"),
    [
        (["run", FENCES, "--trials", "300"], DOCUMENT | {"verdict": VERDICT}),
        (["exact", FENCES], DOCUMENT),
        (["exact", FENCES, "--unlimited", "--cell", "2"], DOCUMENT),
        (["plan", FENCES], {"schema": 1, "cells": [{"cell": int, "hash": str}], "seconds": float, "megabytes": float}),
        (["check", FENCES, SOFT], {"schema": 1, "files": [{"file": str, "ok": True, "says": str, "problems": list}]}),
        (["replay", FENCES], {"schema": 1, "cell": 1, "trial": 0, "lines": [{"text": str, "kind": str, "ids": [str]}]}),
        (["results"], {"schema": 1, "runs": list}),
        (
            ["odds", "2d6 > 2d6"],
            {"schema": 1, "expr": "2d6 > 2d6", "fraction": "575/1296", "decimal": float, "exact": True},
        ),
        (["games"], {"schema": 1, "games": [{"name": str, "title": str}]}),
        (["designs"], {"schema": 1, "game": "pigtickler", "designs": [dict]}),
        (["rules", "pigtickler"], {"schema": 1, "rules": [{"path": str, "id": str, "source": str, "sentence": str}]}),
    ],
    ids=lambda value: " ".join(map(str, value))[:24] if isinstance(value, list) else None,
)
def test_json_is_one_document_and_nothing_else(arguments, shape, capsys):
    out, err = ran(capsys, *arguments, "--json")
    assert err == ""
    assert out.count("\n") == 1
    shaped(json.loads(out, parse_constant=lambda word: pytest.fail(word)), shape)


def test_exact_json_has_fractions_without_error(capsys):
    for cell in json.loads(ran(capsys, "exact", FENCES, "--json").out)["cells"]:
        assert cell["trials"] == 0
        for value in cell["metrics"].values():
            assert value["low"] == value["estimate"] == value["high"]
            assert (value["n"], value["method"]) == (0, "exact")
            numerator, _, denominator = value["fraction"].partition("/")
            assert int(numerator) / int(denominator or 1) == pytest.approx(value["estimate"], rel=1e-15)


@pytest.mark.parametrize("command", ["run", "plan", "exact", "replay"])
def test_json_with_an_error_prints_the_error_alone(command, capsys):
    err = said(capsys, command, BAD, "--json")
    assert err.startswith("1 error: pigtickler counts nothing called 'finishd'")


def test_check_tells_every_problem_as_json_too(capsys):
    out, err = ran(capsys, "check", FENCES, BAD, "--json", code=2)
    fine, bad = json.loads(out)["files"]
    assert (fine["ok"], bad["ok"]) == (True, False)
    (problem,) = bad["problems"]
    assert (problem["severity"], problem["kind"], problem["line"], problem["column"]) == ("error", "value", 8, 10)
    assert "did you mean 'finished'?" in problem["help"]
    assert err.startswith("1 error: ")


# Before a run


def test_new_writes_what_runs(capsys):
    out = ran(capsys, "new", "my-first", "--game", "pigtickler").out
    assert out.splitlines() == [
        "wrote experiments/my-first.toml",
        "wrote experiments/house/my-first-rule.toml",
        "next: simkit run experiments/my-first.toml",
    ]
    assert "fine: " in ran(capsys, "check", "experiments/my-first.toml", "experiments/house/my-first-rule.toml").out
    assert ran(capsys, "run", "experiments/my-first.toml", "--trials", "1000", "-q").out
    before = Path("experiments/my-first.toml").read_bytes()
    assert "is there already; nothing was written" in said(capsys, "new", "my-first")
    assert Path("experiments/my-first.toml").read_bytes() == before


@pytest.mark.parametrize("name", ["../x", "/x", "con", "X", "", "$x^", "a" * 60, "a" * 65, "-"])
def test_new_takes_only_names(name, capsys):
    assert call(["new", "--", name]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert not Path("experiments").exists()


def test_new_where_nothing_can_be_written(capsys):
    Path("file").touch()
    assert said(capsys, "new", "x", "--folder", "file/x") == "error: Cannot write file/x/x.toml: Not a directory.\n"


def test_check_says_what_each_file_is(capsys):
    files = [*sorted(QUESTIONS.glob("*.toml")), *sorted(QUESTIONS.glob("house/*.toml"))]
    lines = ran(capsys, "check", *files).out.splitlines()
    assert len(lines) == len(files)
    assert lines[0] == f"{ODDS}: fine: 32 cells of Pig Tickler, 1,000,000 trials each"
    assert "fine: the house rule 'Soft bogs' changes 7 values of Pig Tickler" in lines[-2]


def test_check_goes_on_after_a_bad_file(capsys):
    out, err = ran(capsys, "check", BAD, FENCES, code=2)
    assert out == f"{FENCES}: fine: 10 cells of Pig Tickler, 1,000,000 trials each\n"
    assert err.endswith("nothing was changed\n")


def test_plan_foresees(capsys):
    out = ran(capsys, "plan", ODDS, "--precision", "0.001").out
    assert "32 cells x up to 1,000,000 trials" in out
    assert "... and 20 more cells" in out
    assert out.endswith(f"next: simkit run {ODDS}\n")


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
    assert "pigtickler  Pig Tickler  unicycle lancers" in ran(capsys, "games").out
    out = ran(capsys, "designs", "pigtickler").out
    assert out == ran(capsys, "designs").out
    assert 'bog = "swamp"' in out
    assert out.endswith("R  stated by the rules\nB  assumed from the base game\n")


def test_the_shipped_schemas_are_those_of_this_version(capsys):
    out = ran(capsys, "schema", "made").out
    assert out.splitlines() == ["wrote made/experiment.schema.json", "wrote made/house-rule.schema.json"]
    for made in Path("made").iterdir():
        assert made.read_bytes() == (QUESTIONS / "schema" / made.name).read_bytes()
    assert json.loads(ran(capsys, "schema").out) == json.loads(Path("made/experiment.schema.json").read_text())


def test_the_doctor_finds_nothing_here_and_says_what_is_wrong_elsewhere(capsys, monkeypatch):
    out = ran(capsys, "doctor").out
    assert out.count("\nfine ") == 3
    assert "numba" in out
    monkeypatch.setattr("simkit.lab.doctor.KNOWN_ANSWER", 1)
    assert "\nWRONG  the dice give their known answer" in ran(capsys, "doctor", code=1).out


# Layout


@pytest.mark.parametrize("columns", [40, 60, 80])
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
def test_a_narrow_window(arguments, columns, capsys, monkeypatch, played):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = ran(capsys, *(played if argument is None else argument for argument in arguments)).out
    kept = [line for line in out.splitlines() if str(played) not in line and "experiments/" not in line]
    assert fits("\n".join(kept), columns)


def test_a_table_becomes_blocks_where_it_does_not_fit(monkeypatch):
    rows = [["1", "a fence"], ["22", "a bog"]]
    wide = "cell  what\n        is\n----  -------\n   1  a fence\n  22  a bog"
    assert table(["cell", "what\nis"], rows, right=(0,)) == wide.replace(
        "cell  what\n        is", "      what\ncell  is"
    )
    monkeypatch.setenv("COLUMNS", "30")
    blocks = table(["cell", "what\nis", "more"], [[*row, "x" * 20] for row in rows])
    more = "more\n    xxxxxxxxxxxxxxxxxxxx"
    assert blocks == f"cell 1; what is a fence; {more}\ncell 22; what is a bog; {more}"


def test_numbers_stand_beside_their_intervals():
    assert side_by_side(["1.5", "", "10.25"], ["1 to 2", "baseline", "10 to 11"]) == [
        "  1.5    1 to 2",
        "       baseline",
        "10.25  10 to 11",
    ]


def test_sentences_wrap_in_windows_and_not_in_files(monkeypatch):
    text = "word " * 50
    assert wrapped(text.strip()) == text.strip()
    assert fits(wrapped(text, always=True), 100)
    monkeypatch.setenv("COLUMNS", "45")
    assert fits(wrapped(text, further="  "), 45)
    for nonsense in ("", "x", "-5", "0", "9" * 9):
        monkeypatch.setenv("COLUMNS", nonsense)
        assert wrapped(text.strip()) == text.strip()
