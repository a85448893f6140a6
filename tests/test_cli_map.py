"""The command that shows maps."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from simkit.games.jugger.maps import load
from tests.commandline import fits, process, ran, said, settle
from tests.test_startup import HEAVY, loaded


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    settle(tmp_path, monkeypatch)


def test_the_maps_are_listed(capsys):
    out = ran(capsys, "map").out
    assert [line.split()[0] for line in out.splitlines()[2:7]] == list(load())
    assert "25 x 15" in out
    assert "next: simkit map" in out
    assert [one["name"] for one in json.loads(ran(capsys, "map", "--json").out)["maps"]] == list(load())


def test_the_list_fits_a_narrow_window(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert fits(ran(capsys, "map").out, 60)


@pytest.mark.parametrize("name", load())
def test_a_map_is_drawn(capsys, name):
    out = ran(capsys, "map", name).out
    assert out.startswith(load()[name].title)
    assert fits(out, 120)
    assert out.count("►") == out.count("◄") == 2  # where it starts, and in the legend
    assert "side A" in out


def test_as_many_as_are_asked_for_are_shown(capsys):
    assert ran(capsys, "map", "open", "--jugs", "12").out.count("►") == 13
    assert "►" not in ran(capsys, "map", "open", "--jugs", "0").out


def test_a_field_shows_its_goals_and_the_ball(capsys):
    out = ran(capsys, "map", "pitch").out
    assert "a goal at either end" in out and "★ ball" in out and out.count("★") == 2 and "◎ goal (2)" in out
    assert next(line.split()[5] for line in ran(capsys, "map").out.splitlines() if line.startswith("pitch ")) == "0"
    ran(capsys, "map", "pitch", "--svg", "pitch.svg")
    assert "the ball at the start, [0, 0]" in Path("pitch.svg").read_text(encoding="utf-8")


def test_a_map_as_json(capsys):
    document = json.loads(ran(capsys, "map", "arena", "--json").out)
    assert document["hexes"] == 367
    assert document["half_length"] == 12
    assert len(document["walls"]) == 24 and [-2, -5] in document["walls"] and [2, 5] in document["walls"]
    assert document["forests"] == []


def test_a_map_as_svg(capsys):
    assert ran(capsys, "map", "maze", "--svg", "maze.svg").out.endswith("wrote maze.svg\n")
    root = ET.fromstring(Path("maze.svg").read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    json.loads(ran(capsys, "map", "maze", "--svg", "maze.svg", "--json").out)


def test_a_forest_can_be_sown(capsys):
    assert "forest (72)" in ran(capsys, "map", "woods").out
    thick = ran(capsys, "map", "woods", "--density", "0.5").out
    assert "forest (184)" in thick or "forest (183)" in thick
    assert ran(capsys, "map", "woods", "--map-seed", "2").out != ran(capsys, "map", "woods").out
    assert "forest (72)" in ran(capsys, "map", "open", "--density", "0.2", "--map-seed", "5").out


def test_what_is_refused(capsys):
    assert "There is no map 'wods'. Did you mean 'woods'?" in said(capsys, "map", "wods")
    assert "There are: open, arena, woods, ruins, maze, pitch, pillars, gates." in said(capsys, "map", "xyz")
    assert "'1.5' is not a number from 0 to 1" in said(capsys, "map", "woods", "--density", "1.5")
    assert "'nan' is not a number from 0 to 1" in said(capsys, "map", "woods", "--density", "nan")
    assert "not a whole number from 0 to 12" in said(capsys, "map", "woods", "--jugs", "13")
    assert "Which map?" in said(capsys, "map", "--svg", "all.svg")
    assert "needs --density" in said(capsys, "map", "open", "--map-seed", "3")
    assert "density 1 is 367 hexes of forest, and 343 are free" in said(capsys, "map", "arena", "--density", "1")
    assert "Cannot write" in said(capsys, "map", "open", "--svg", "no/such/folder.svg")


def test_a_terminal_without_the_signs_gets_letters(monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = process("map", "ruins")
    assert done.returncode == 0
    assert b"?" not in done.stdout
    assert b"h house (16)" in done.stdout


@pytest.mark.parametrize("arguments", [["map"], ["map", "ruins"], ["map", "woods", "--json"]], ids=" ".join)
def test_maps_load_neither_numpy_nor_kernels(arguments):
    assert loaded(*arguments) & (HEAVY | {"numpy", "scipy", "simkit.core.jit"}) == set()


@pytest.mark.parametrize("name", ["pitch", "pillars", "gates"])
def test_fields_of_juggerball_are_drawn_with_goals_and_line_ups(capsys, name):
    out = ran(capsys, "map", name).out
    assert out.count("►") == out.count("◄") == 8  # seven X's a side (J-BALL-7), and in the legend
    assert out.count("◎") == 3 and "goal (2)" in out
    assert name in [one["name"] for one in json.loads(ran(capsys, "map", "--json").out)["fields"]]
    assert "no forest is sown" in said(capsys, "map", name, "--density", "0.2")
