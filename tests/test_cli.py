"""The command line before it does anything: help, hints, bugs, interrupts, pipes, terminals, narrow windows."""

import os
import pty
import re
import signal
import subprocess
import sys
import time

import click
import pytest

from simkit.cli import COMMANDS, group
from simkit.cli.common import Narrow, Whole
from simkit.cli.layout import side_by_side, table, wrapped
from tests.commandline import BAD, FENCES, ONE, QUESTIONS, SOFT, fits, process, ran, said, settle


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    settle(tmp_path, monkeypatch)


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
        (["new", "x", "--game", "chess"], "There are: battlesystem, jugger, juggerball, pigt"),
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


@pytest.mark.thorough
def test_colours_are_for_terminals_that_want_them():
    code, shown = on_a_terminal("check", BAD)
    assert code == 2
    assert "\x1b[" in shown
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        code, shown = on_a_terminal("check", BAD, **environment)
        assert (code, "\x1b" in shown) == (2, False)
        assert "did you mean 'finished'?" in shown


@pytest.mark.thorough
def test_a_bar_moves_on_a_terminal(tmp_path):
    (tmp_path / "one.toml").write_text(ONE)
    code, shown = on_a_terminal("run", "one.toml", "--trials", "2000", "--out", "out")
    assert code == 0
    assert "━" in shown
    assert "one" in shown


def test_lines_come_on_a_dumb_terminal(capsys, monkeypatch, tmp_path):
    (tmp_path / "one.toml").write_text(ONE)
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    err = ran(capsys, "run", "one.toml", "--trials", "2000").err
    assert re.fullmatch(r"one: 100 %, 2,000 of 2,000 trials, widest ±[\d.]+ points\n", err)


@pytest.mark.thorough
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


# Layout


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
