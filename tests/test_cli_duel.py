"""The command that lets one side fight another."""

import json
import re
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from simkit.balance import duel as fight
from simkit.cli import call, duel_tables
from simkit.games.jugger import game
from simkit.games.jugger.scenario import FARTHEST, POLICIES
from simkit.lab import plan as planning
from simkit.lab.runner import Silent
from simkit.stats import Estimate
from tests.commandline import fits, process, ran, said, settle
from tests.test_startup import HEAVY, loaded

PAIR = ("walker", "windrammer", "--trials", "2000")


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    settle(tmp_path, monkeypatch)


@pytest.fixture(scope="module", autouse=True)
def _ready():
    game.ready()


def experiment(**more):
    sides = {"a": {"design": "walker"}, "b": {"design": "windrammer"}}
    base = {"schema": 1, "name": "duel", "game": "jugger", "run": {"trials": 2000}, "sides": sides}
    return base | {"report": {"metric": "score_a", "target": 0.5}} | more


@pytest.fixture(scope="module")
def played():
    return fight.play(planning.make(experiment()), Silent(), jobs=2)


# What is said


def test_the_answer_comes_first_and_the_next_command_last(capsys):
    out, err = ran(capsys, "duel", *PAIR, "-q")
    lines = out.splitlines()
    assert re.fullmatch(
        r"Walker beats Windrammer in 7\d\.\d % of duels \(99 % interval \d\d\.\d to \d\d\.\d %, "
        r"n = 1,000 pairs of duels with seats swapped\)\.",
        lines[0],
    )
    assert lines[-1].startswith("next: simkit duel walker windrammer --trials 2000 --replay ")
    assert err == ""
    assert "\x1b" not in out
    assert list(Path().iterdir()) == []


def test_the_tables_tell_what_happened(capsys):
    out = ran(capsys, "duel", *PAIR, "-q").out
    for label in (
        "Walker wins",
        "Windrammer wins",
        "draw",
        "  as turns are used up",
        "score of Walker",
        "  from the west",
        "  from the east",
        "decided for the western seat",
        "decided for the first to move",
    ):
        assert re.search(rf"^{label}  +(< )?[\d.]+  +[\d.]+ to [\d.]+", out, re.M), label
    assert re.search(r"^destroyed +Windrammer +7\d\.\d  \d\d\.\d to \d\d\.\d$", out, re.M)
    assert re.search(r"^turns on average: 7\.\d+ \(7\.\d+ to \d\.\d+\)$", out, re.M)
    assert re.search(r"^  rams +never +6\d\.\d +[\d.]+ to [\d.]+$", out, re.M)
    assert re.search(r"^  weapons +5\d\.\d +[\d.]+ to [\d.]+ +never$", out, re.M)
    assert "equal" not in out


@pytest.mark.parametrize("columns", [50, 60, 80, 120])
@pytest.mark.parametrize("sides", [["walker", "windrammer"], ["walker", "3xwarbuggy fire pump+horny toad"]], ids=len)
@pytest.mark.thorough
def test_it_fits_a_window(capsys, monkeypatch, columns, sides):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = ran(capsys, "duel", *sides, "--trials", "200", "-q").out
    assert fits("\n".join(line for line in out.splitlines() if not line.startswith("next: ")), columns)


@pytest.mark.thorough
def test_a_terminal_without_the_signs_gets_ascii(monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = process("duel", *PAIR, "-q")
    assert done.returncode == 0
    assert b"?" not in done.stdout and b"\x1b" not in done.stdout
    assert b"# Walker  = Windrammer" in done.stdout


def test_progress_goes_to_stderr(capsys):
    out, err = ran(capsys, "duel", *PAIR)
    assert err.splitlines()[-1] == "Walker against Windrammer: 100 %, 2,000 of 2,000 trials"
    assert out == ran(capsys, "duel", *PAIR, "-q").out
    assert ran(capsys, "duel", *PAIR, "--json").err == ""


def test_threads_change_nothing_and_seeds_do(capsys):
    out = ran(capsys, "duel", *PAIR, "-q", "--jobs", "1").out
    assert out == ran(capsys, "duel", *PAIR, "-q", "--jobs", "3").out
    assert out != ran(capsys, "duel", *PAIR, "-q", "--seed", "2").out


def test_a_side_against_itself_is_never_resolved(capsys):
    out = ran(capsys, "duel", "axer", "axer", "--trials", "1000", "-q").out
    assert out.startswith("Not resolved: Axer A scores 50.0 % against Axer B (99 % interval 4")
    assert "which reaches over 50 %" in out.splitlines()[0]
    assert "equal" not in out
    out = ran(capsys, "duel", "axer", "axer", "--policy-b", "hold", "--trials", "200", "-q").out
    assert out.startswith("Axer (greedy) beats Axer (hold) in ")


def test_several_on_a_side(capsys):
    out = ran(capsys, "duel", "2xarcher", "axer+lobber", "--trials", "100", "-q").out
    assert "2 x Archer" in out.splitlines()[0] and "battles" in out.splitlines()[0]
    told = ran(capsys, "duel", "2xarcher", "axer+lobber", "--replay", "0").out.splitlines()
    assert told[1] == "battle 0, seed 1"
    assert told[-1].startswith(("victory for 2 x Archer in", "victory for Axer, Lobber in", "a draw in"))
    assert "A: 2 x Archer. B: Axer, Lobber." not in out  # short names stand in the tables themselves
    assert re.search(r"^Axer, Lobber wins? ", out, re.M)
    for sides in (["archer*2", "axer + lobber"], ["2 * Archer", "1xaxer+lobber"]):
        again = ran(capsys, "duel", *sides, "--trials", "100", "-q").out
        assert again.splitlines()[:-1] == out.splitlines()[:-1]


def test_long_names_are_letters_in_tables_and_tales(capsys):
    sides = ["2xwarbuggy fire pump+archer", "walker"]
    out = ran(capsys, "duel", *sides, "--trials", "100", "-q").out
    assert "\nA: 2 x Warbuggy (fire pump), Archer. B: Walker.\n" in out
    assert re.search(r"^A wins ", out, re.M) and re.search(r"^score of A ", out, re.M)
    end = ran(capsys, "duel", *sides, "--replay", "0").out.splitlines()[-1]
    assert end.startswith(("victory for A in", "victory for B in", "a draw in"))


def test_what_is_changed_is_said(capsys):
    plain = ran(capsys, "duel", *PAIR, "-q").out
    out = ran(capsys, "duel", *PAIR, "-q", "--house", "capped-rams", "--set", "weapons.flail.to_hit=5").out
    assert "House rule: Capped rams." in out
    assert "  weapons.flail.to_hit = 5 (rules of record: 2)" in out
    assert out.splitlines()[0] != plain.splitlines()[0]
    Path("house").mkdir()
    text = 'schema = 1\nfor = "jugger"\ntitle = "Sure flails"\nwhy = "For a test."\n[set]\n"weapons.flail.to_hit" = 5\n'
    Path("house/sure-flails.toml").write_text(text)
    mine = ran(capsys, "duel", *PAIR, "-q", "--house", "house/sure-flails.toml", "--house", "capped-rams").out
    assert mine.splitlines()[0] == out.splitlines()[0]
    assert "House rule: Sure flails." in mine


def test_the_place_is_as_asked_for(capsys):
    out = ran(capsys, "duel", *PAIR, "-q", "--map", "ruins", "--policy", "random").out
    assert 'on the map "Ruins", from its opposite ends' in out
    assert "does anything legal by lot" in out
    assert ", beginning 6 hexes apart," in ran(capsys, "duel", *PAIR, "-q", "--distance", "6").out


# The numbers


def test_it_counts_what_a_run_counts(capsys):
    import simkit

    document = json.loads(ran(capsys, "duel", *PAIR, "--json").out)
    run = simkit.run(experiment(), out="results")
    assert document["cells"][0]["metrics"] == run.document["cells"][0]["metrics"]
    assert document["cells"][0]["trials"] == 2000 and document["cells"][0]["n"] == 1000
    for key in ("schema", "name", "game", "edition", "seed", "metric", "level", "metrics", "fight"):
        assert document[key] == run.document[key], key
    assert {*document["verdict"]} == {*run.document["verdict"]}
    assert document["verdict"]["word"] == "raises" and document["verdict"]["answer"].startswith("Walker beats")
    told = {replay["kind"]: replay["trial"] for replay in document["replays"]}
    assert document["duel"]["told"] == told


def test_seats_ends_and_turns_add_up(played):
    score = played.score.estimate
    west, east = (seat.metrics["score_a"] for seat in played.seats)
    assert (west.estimate + east.estimate) / 2 == pytest.approx(score)
    assert west.n == east.n == played.both.n == 1000
    assert played.seats[0].metrics["win_a"].method == "clopper-pearson"
    assert sum(end.share.estimate for end in played.ends()) == pytest.approx(1)
    lost = sum(end.share.estimate for end in played.ends() if end.result == "b")
    assert lost == pytest.approx(played.both.metrics["win_b"].estimate)
    assert played.turns.mean() == pytest.approx(played.both.metrics["turns"].estimate)
    bins = played.bins(fight.MOST_BINS)
    assert len(bins) <= fight.MOST_BINS
    assert sum(one.share.estimate for one in bins) == pytest.approx(1)
    assert np.sum([one.results for one in bins], axis=0)[0] == played.both.metrics["win_a"].estimate * 2000
    sources = [f"{name}_b" for name in ("ram", "kick", "weapons", "spells", "fire", "hold")]
    total = sum(played.both.metrics[name].estimate for name in sources)
    assert played.both.metrics["damage_b"].estimate == pytest.approx(total)
    assert total > 50


def test_long_games_go_into_the_last_bin(played):
    turns = np.array([[3, 4]] * 500 + [[5, 60]] * 2, np.int32)
    results = np.zeros((502, 2), np.int8)
    bins = fight.Duel(played.plan, played.fight, played.both, played.seats, turns, results, {}).bins(4)
    assert [(one.first, one.last) for one in bins] == [(3, 3), (4, 60)]
    assert [one.results for one in bins] == [(500, 0, 0), (504, 0, 0)]


def test_bins_are_of_round_widths(played):
    turns = np.arange(1, 201, dtype=np.int32).reshape(100, 2)
    spread = fight.Duel(
        played.plan, played.fight, played.both, played.seats, turns, np.zeros((100, 2), np.int8), {}
    ).bins(12)
    assert [(one.first, one.last) for one in spread][:3] == [(1, 19), (20, 39), (40, 59)]
    assert spread[-1].last == 200 and len(spread) <= 12


def test_bars_are_as_long_as_their_shares():
    bins = [SimpleNamespace(results=counts) for counts in ((6, 3, 1), (0, 0, 5), (0, 0, 0))]
    assert duel_tables._bars(bins, 20, "ab.") == ["a" * 12 + "b" * 6 + "..", "." * 10, ""]


def test_only_games_of_two_sides_can_fight(pigtickler):
    plan = planning.make(Path(__file__).parents[1] / "experiments" / "fences_or_bogs.toml")
    with pytest.raises(ValueError, match="Pig Tickler has no two sides"):
        fight.play(plan, Silent(), jobs=1)


# The sentence


def share(value, half=0.01):
    value = round(value, 9)
    return Estimate(value, round(max(0.0, value - half), 9), round(min(1.0, value + half), 9), 0.99, 1000, "batch-t")


def answered(won, lost, drawn, **more):
    score = share(won + drawn / 2)
    metrics = {"win_a": share(won), "win_b": share(lost), "draw": share(drawn), "score_a": score}
    better = "a" if score.low > 0.5 else "b" if score.high < 0.5 else None
    both = SimpleNamespace(metrics=metrics, n=1000, trials=2000)
    plan = SimpleNamespace(level=0.99)
    found = SimpleNamespace(plan=plan, fight=game.FIGHT, both=both, score=score, better=better)
    return fight.answer(found, "Ram", "Saws", **more)


@pytest.mark.parametrize(
    ("shares", "begins", "ends"),
    [
        ((0.7, 0.3, 0), "Ram beats Saws in 70.0 % of duels (99 % interval 69.0 to 71.0 %,", "seats swapped)."),
        ((0.3, 0.7, 0), "Saws beats Ram in 70.0 % of duels", "seats swapped)."),
        ((1, 0, 0), "Ram beats Saws in all 2,000 duels (99 % interval 99.00 to 100.00 %,", "seats swapped)."),
        (
            (0.4, 0.2, 0.4),
            "Ram beats Saws in 40.0 % of duels",
            "and loses 20.0 % (19.0 to 21.0 %); with a draw as half a win, the score is 60.0 % (59.0 to 61.0 %).",
        ),
        ((0, 0.2, 0.8), "Saws beats Ram in 20.0 %", "and loses none of them (0.00 to 1.00 %); with a draw as "
         "half a win, the score is 60.0 % (59.0 to 61.0 %)."),
        ((0.5, 0.495, 0.005), "Not resolved: Ram scores 50.2 % against Saws", "seats swapped)."),
        ((0, 0, 1), "Not resolved: Ram scores 50.0 %", "and every one of the 2,000 duels was a draw."),
    ],
    ids=str,
)  # fmt: skip
def test_the_sentence(shares, begins, ends):
    said = answered(*shares)
    assert said.startswith(begins) and said.endswith(ends)
    assert "equal" not in said


def test_the_sentence_in_the_plural():
    assert answered(0.3, 0.7, 0, noun="battles", several=(False, True)).startswith("Saws beat Ram in 70.0 % of battles")
    assert answered(0.5, 0.5, 0, several=(True, False)).startswith("Not resolved: Ram score 50.0 %")
    assert " and lose 20.0 %" in answered(0.2, 0.4, 0.4, several=(False, True))


# One duel again


def test_the_next_command_retells_a_typical_duel(capsys):
    last = ran(capsys, "duel", *PAIR, "-q", "--distance", "4", "--set", "scenario.max_turns=30").out.splitlines()[-1]
    again = shlex.split(last.removeprefix("next: simkit "))
    assert "--distance" in again and "scenario.max_turns=30" in again
    out = ran(capsys, *again).out
    lines = out.splitlines()
    assert lines[0] == "Jugger: Walker against Windrammer, 4 hexes apart"
    assert lines[1] == f"duel {again[-1].removesuffix('b')}{'b (seats swapped)' * again[-1].endswith('b')}, seed 1"
    assert lines[-1].startswith(("victory for Walker in turn ", "victory for Windrammer in turn ", "a draw in turn "))


def test_a_duel_that_was_not_among_those_played_is_told_and_said_to_be_none(capsys):
    err = ran(capsys, "duel", *PAIR, "--replay", "1000b").err
    assert err == "duel 1000b is none of those played (duels 0 to 999b): told as it would have gone\n"
    assert ran(capsys, "duel", *PAIR, "--replay", "999b").err == ""


def test_luck_is_of_the_side_that_is_named(capsys):
    out = ran(capsys, "duel", *PAIR, "-q").out
    found = re.search(r"(\d+b?) \(the luckiest for Walker\), (\d+b?) \(its unluckiest\)", out)
    for trial, winner in zip(found.groups(), ("Walker", "Windrammer"), strict=True):
        told = ran(capsys, "duel", *PAIR, "--replay", trial).out.splitlines()
        assert told[-1].startswith(f"victory for {winner} in turn ")


def test_a_duel_can_be_drawn_and_stepped_through(capsys, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    again = ["duel", "walker", "windrammer", "--replay", "3b"]
    out = ran(capsys, *again, "--svg", "d.svg", "--html", "d.html", "--open").out
    assert out == ran(capsys, *again).out + "\nwrote d.svg\nwrote d.html\n"
    assert ET.fromstring(Path("d.svg").read_text(encoding="utf-8")).tag.endswith("svg")
    page = Path("d.html").read_text(encoding="utf-8")
    assert "duel 3b (seats swapped), seed 1: simkit duel walker windrammer --replay 3b" in page
    assert opened == [Path("d.html").resolve().as_uri()]
    told = json.loads(ran(capsys, *again, "--json").out)
    assert told["trial"] == "3b" and told["lines"][-1]["kind"] == "end"


# What is refused


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["wlaker", "windramer"], "1 error: no design is called 'wlaker'"),
        (["wlaker", "windramer"], "help: did you mean 'windrammer'?"),
        (["walker"], "Missing argument 'B'"),
        (["walker", ""], "'' is no side: such as walker, 2xwalker or 2xarcher+axer"),
        (["walker", "axer+"], "'axer+' is no side"),
        (["walker", "2xaxer*2"], "'2xaxer*2' is no side"),
        (["13xaxer", "walker"], "Invalid value for 'A': '13xaxer' is 13 jugs; a side has 1 to 12."),
        (["walker", "7xaxer+6xarcher"], "Invalid value for 'B': '7xaxer+6xarcher' is 13 jugs; a side has 1 to 12."),
        (["walker", "0xaxer+archer"], "'0xaxer+archer' is 0 jugs; a side has 1 to 12."),
        (["walker", "axer", "--policy", "gredy"], "There is no policy 'gredy'. Did you mean 'greedy'?"),
        (["walker", "axer", "--policy-b", "xyz"], f"There are: {', '.join(POLICIES)}."),
        (["walker", "axer", "--map", "opne"], "no map is called 'opne'"),
        (["walker", "axer", "--distance", "51"], "'51' is not a whole number from 1 to 50"),
        (["walker", "axer", "--distance", "40", "--map", "open"], "at distance 40 a jug would begin on [-20, 0]"),
        (["walker", "axer", "--trials", "3"], "'3' is not a whole number from 4 to 10,000,000"),
        (["walker", "axer", "--set", "weapons.flial.to_hit=3"], "did you mean 'weapons.flail.to_hit' (now 2)?"),
        (["walker", "axer", "--set", "sides.a.design=axer"], "who fights is said by A and B"),
        (["walker", "axer", "--set", "policy=hold"], "who decides by --policy and --policy-b"),
        (["walker", "axer", "--house", "heavy-leg"], "did you mean 'heavy-legs'?"),
        (["walker", "axer", "--house", "no/such.toml"], "'no/such.toml' is no house rule: neither a file nor an id"),
        (["walker", "axer", "--house", ""], "'' is no house rule: neither a file nor an id such as capped-rams."),
        (["walker", "axer", "--house", "soft-bogs"], "is for pigtickler, not for jugger"),
        (["walker", "axer", "--svg", "d.svg"], "--svg shows one duel: say which, such as --replay 12b"),
        (["walker", "axer", "--html", "d.html"], "--html shows one duel"),
        (["walker", "axer", "--open"], "--open opens the page: say with --html FILE where it shall be"),
        (["walker", "axer", "--replay", "3c"], "'3c' is not a whole number"),
        (["walker", "axer", "--replay", "3", "--svg", "x", "--html", "x"], "--svg and --html would both write x"),
        (["walker", "axer", "--replay", "3", "--svg", "no/such/d.svg"], "Cannot write no/such/d.svg"),
        (["a\x1bb", "walker"], "1 error: the character U+001B (escape) is not allowed"),
    ],
    ids=lambda value: " ".join(value).replace("\x1b", "ESC") if isinstance(value, list) else "",
)
def test_what_is_refused(capsys, arguments, says):
    err = said(capsys, "duel", *arguments)
    assert says in " ".join(err.split())
    assert "\x1b" not in err and "--> duel" not in err
    assert list(Path().iterdir()) == []


def test_ctrl_c_ends_it(capsys, monkeypatch):
    def interrupted(*arguments, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr("simkit.core.trials.run", interrupted)
    assert ran(capsys, "duel", *PAIR, code=130).err.splitlines()[-1] == "interrupted"


def test_the_farthest_is_that_of_the_game():
    from simkit.cli import duel

    assert duel.FARTHEST == FARTHEST


def test_help_loads_nothing_and_a_wrong_name_no_kernels(capsys):
    assert loaded("duel", "--help") & (HEAVY | {"numpy", "scipy", "pydantic", "simkit.lab"}) == set()
    code = "import sys; from simkit.cli import call; print(call(['duel', 'wlaker', 'axer']), 'numba' in sys.modules)"
    from subprocess import run
    from sys import executable

    done = run([executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[1], check=True)
    assert done.stdout == "2 False\n"


def test_every_example_of_the_help_can_be_planned(capsys):
    lines = re.findall(r"^ +simkit (duel .+)$", ran(capsys, "duel", "-h").out, re.M)
    assert len(lines) == 5
    for line in lines:
        parts = shlex.split(line)
        quick = parts if "--replay" in parts else [*parts, "--trials", "8", "-q"]
        assert call([part for part in quick if part != "--open"]) == 0, line
