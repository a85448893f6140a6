"""Retelling a trial as a picture, and as a page to step through."""

import inspect
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from simkit.games import protocol
from simkit.games.protocol import Views
from simkit.lab import views
from simkit.lab.problems import ProblemError
from tests.commandline import ODDS, ran, said, settle

DUEL = """
schema = 1
name = "a-duel"
game = "jugger"
[run]
trials = 200
[sides.a]
design = "archer"
[sides.b]
design = "thrasher"
[scenario]
distance = 6
[sweep.axes]
"sides.a.count" = [1, 2]
"""
DRAWN = [name for name in protocol.find() if protocol.views(protocol.load(name)) is not None]


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    settle(tmp_path, monkeypatch)
    Path("duel.toml").write_text(DUEL)


def test_a_file_is_told_drawn_and_stepped_through(capsys):
    plain = ran(capsys, "replay", "duel.toml", "--cell", "2", "--trial", "7b").out
    assert plain.splitlines()[1].endswith("; trial 7b (seats swapped), seed 1")
    out = ran(capsys, "replay", "duel.toml", "--cell", "2", "--trial", "7b", "--svg", "d.svg", "--html", "d.html").out
    assert out == f"{plain}\nwrote d.svg\nwrote d.html\n"
    picture = Path("d.svg").read_text(encoding="utf-8")
    assert ET.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
    page = Path("d.html").read_text(encoding="utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "trial 7b (seats swapped), seed 1: simkit replay duel.toml --cell 2 --trial 7b" in page
    end = re.search(r"^(victory for \w|a draw) in turn \d+", plain, re.M)
    assert end is not None
    assert end[0] in picture and f"{end[0][:1].upper()}{end[0][1:]}." in page


def test_both_seats_are_drawn_and_always_alike(capsys):
    def drawn(trial):
        ran(capsys, "replay", "duel.toml", "--trial", trial, "--svg", "d.svg")
        return Path("d.svg").read_bytes()

    assert drawn("3") == drawn("3") != drawn("3b")


def test_a_run_is_drawn_as_its_file_is(capsys):
    ran(capsys, "run", "duel.toml", "-q")
    assert ran(capsys, "replay", "results/a-duel", "--trial", "5", "--svg", "run.svg", "--html", "run.html").err == ""
    ran(capsys, "replay", "duel.toml", "--trial", "5", "--svg", "file.svg")
    assert Path("run.svg").read_bytes() == Path("file.svg").read_bytes()
    assert "simkit replay results/a-duel --cell 1 --trial 5" in Path("run.html").read_text(encoding="utf-8")


def test_json_stays_alone_on_stdout(capsys):
    out, err = ran(capsys, "replay", "duel.toml", "--trial", "5b", "--svg", "d.svg", "--json")
    assert json.loads(out)["trial"] == "5b"
    assert err == "wrote d.svg\n"


def test_the_page_is_opened(capsys, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or len(opened) == 1)
    assert ran(capsys, "replay", "duel.toml", "--html", "d.html", "--open").err == ""
    assert ran(capsys, "replay", "duel.toml", "--html", "d.html", "--open").err.startswith("no browser was found")
    assert opened == [Path("d.html").resolve().as_uri()] * 2


@pytest.mark.parametrize("option", ["--svg", "--html"])
def test_a_game_without_pictures_says_so(capsys, option):
    err = said(capsys, "replay", ODDS, "--trial", "2000000", option, "trial.file")
    assert err.startswith("1 error: Pig Tickler has no pictures of a trial, only words")
    assert "help: pictures there are of: Battlesystem, Jugger" in err
    assert not Path("trial.file").exists()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--open"], "--open opens the page: say with --html FILE where it shall be"),
        (["--svg", "x", "--html", "x"], "--svg and --html would both write x"),
        (["--svg", ""], "an empty name names nothing"),
        (["--svg", "no/such/d.svg"], "Cannot write no/such/d.svg"),
        (["--html", "."], "Cannot write ."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_refused(capsys, options, says):
    assert says in said(capsys, "replay", "duel.toml", *options)


@pytest.mark.parametrize("name", DRAWN)
def test_what_a_game_offers_has_the_form_of_the_protocol(name):
    game = protocol.load(name)
    for function in (Views.picture, Views.player):
        wanted = list(inspect.signature(function).parameters.values())[1:]
        offered = list(inspect.signature(getattr(game, function.__name__)).parameters.values())
        assert [(one.name, one.default) for one in offered] == [(one.name, one.default) for one in wanted]


def test_some_games_offer_views_and_others_do_not():
    assert "jugger" in DRAWN
    assert protocol.views(protocol.load("pigtickler")) is None
    with pytest.raises(ProblemError, match="Pig Tickler has no pictures of a trial"):
        views.offered(protocol.load("pigtickler"))
    assert views.offered(protocol.load("jugger")) is protocol.load("jugger")
