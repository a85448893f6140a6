"""Leagues, held: the same bytes however they are played, kept, resumed, and told."""

import csv
import html
import io
import json
import tomllib

import numpy as np
import pytest

import simkit
from simkit import stats
from simkit.api.leagues import WORDS
from simkit.balance.documents.league import LeagueDocument
from simkit.balance.league.lots import TIES, lots
from simkit.games import protocol
from simkit.lab import leagues
from simkit.lab.runner import Interrupted, Silent
from tests.league_toys import DUELS, UNITS, changed, files, played, standing


@pytest.fixture(scope="module")
def duels(tmp_path_factory):
    return simkit.league(DUELS, out=tmp_path_factory.mktemp("duels"), jobs=1)


@pytest.fixture(scope="module")
def units(tmp_path_factory):
    return simkit.league(UNITS, out=tmp_path_factory.mktemp("units"), jobs=2)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    asked = changed(DUELS, method="matrix", games=2_560, seasons=25_600)
    return simkit.league(asked, out=tmp_path_factory.mktemp("drawn"), jobs=1)


# The same, however it is played


def test_the_same_bytes_on_any_number_of_threads(duels, tmp_path):
    assert files(simkit.league(DUELS, out=tmp_path, jobs=2).folder) == files(duels.folder)


def test_killed_at_any_moment_the_same_call_goes_on(duels, tmp_path, monkeypatch):
    monkeypatch.setattr("simkit.lab.ledger.TOGETHER", 2)

    class Stops(Silent):
        """Presses Ctrl-C after so many parcels."""

        left = 2

        def advance(self, trials, cells_done, widest):
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt

    whole = simkit.league(DUELS, out=tmp_path / "whole", jobs=1)
    times = 0
    while True:
        try:
            again = simkit.league(DUELS, out=tmp_path / "killed", jobs=2, progress=Stops())
            break
        except Interrupted:
            times += 1
            Stops.left += 2
    assert times >= 2
    assert files(again.folder) == files(whole.folder)
    assert again.document["rows"] == duels.document["rows"]


def test_what_is_spelt_out_plays_the_same(duels, units, tmp_path):
    for found in (duels, units):
        again = simkit.league(found.folder / "experiment.resolved.toml", out=tmp_path)
        assert files(again.folder) == files(found.folder)
    spelt = tomllib.loads((duels.folder / "experiment.resolved.toml").read_text())["league"]
    assert spelt["points"] == [3, 1, 0] and spelt["tie_break"] == ["direct", "difference", "roll"]
    assert (spelt["rounds"], spelt["method"], spelt["difference"]) == ("double", "played", "hits")


def test_more_seasons_go_on_from_those_there_are(tmp_path):
    class Hears(Silent):
        games = 0

        def start(self, trials, kept, cells):
            Hears.games = 0

        def advance(self, trials, cells_done, widest):
            Hears.games += trials

    simkit.league(DUELS, out=tmp_path, jobs=1)
    simkit.league(changed(DUELS, points=[2, 1, 0]), out=tmp_path, jobs=1, progress=Hears())
    line = [*(tmp_path / "standoff").glob("league-*/runs.jsonl")]
    assert len(line) == 2 and Hears.games == 12 * 1_024
    kept = sorted(json.loads(path.read_text())["kept"] for path in line)
    assert kept == [0, 12 * 1_024]  # other points are counted from the same matches


def test_matches_are_those_of_the_game_by_season_and_match(tmp_path):
    """J-LEA-2, J-LEA-6: home is seat A; the dice of a match hang on season and match alone."""
    league, matches, cells, found = played(DUELS, tmp_path, 512)
    game = league.plan.game
    state, names = game.new_state(), [metric.name for metric in game.OUTCOMES]
    for k, match in enumerate(matches):
        for season in range(0, 512, 37):
            setup = cells[match.home, match.away].setup
            unit = match.first_unit + season
            row = dict(zip(names, game.play_one(setup, state, league.plan.key, unit, 0), strict=True))
            result = 2 if row["win_a"] else 0 if row["win_b"] else 1
            assert found.results[season, k] == result
            assert found.differences[season, k] == row["hits_a"] - row["hits_b"]
            assert found.capped[season, k] == row["draw_cap"]
    assert set(np.unique(found.results)) == {0, 1, 2}


def test_a_document_is_what_a_plain_reading_of_its_matches_is(duels, tmp_path):
    """J-LEA-4, J-LEA-5, J-LEA-8: titles, places, points, differences, upsets and homes, season by season."""
    seasons, size, worth = 1_024, 4, {2: (3, 0), 1: (1, 1), 0: (0, 3)}
    _, matches, _, found = played(DUELS, tmp_path, seasons)
    bits = lots(5, TIES, 0, seasons, size)
    places, points, gaps = np.zeros((size, size)), np.zeros((size, seasons)), np.zeros(size)
    score = np.zeros((size, size))
    for season in range(seasons):
        rows = []
        for k, match in enumerate(matches):
            result, gap = int(found.results[season, k]), int(found.differences[season, k])
            rows.append((match.home, match.away, *worth[result], gap))
            points[match.home, season] += worth[result][0]
            points[match.away, season] += worth[result][1]
            gaps[match.home] += gap
            gaps[match.away] -= gap
            score[match.home, match.away] += result / 2
            score[match.away, match.home] += 1 - result / 2
        order = standing(size, rows, ("direct", "difference", "roll"), bits[season].tolist())
        for place, (one,) in enumerate(order):
            places[one, place] += 1
    document = duels.document
    ids = [one["id"] for one in document["entrants"]]
    for row in document["rows"]:
        i = ids.index(row["entrant"])
        assert [value["estimate"] for value in row["places"]] == pytest.approx(places[i] / seasons)
        assert row["title"]["estimate"] == places[i, 0] / seasons == row["places"][0]["estimate"]
        assert row["points"]["estimate"] == pytest.approx(points[i].mean())
        assert row["spread"]["estimate"] == pytest.approx(points[i].std())
        assert row["difference"]["estimate"] == pytest.approx(gaps[i] / seasons)
        assert row["spread"]["low"] < row["spread"]["estimate"] < row["spread"]["high"]
    home, decided, upsets = 0.0, 0, 0
    for k, match in enumerate(matches):
        results = found.results[:, k]
        home += results.sum() / 2
        decided += (results != 1).sum()
        behind = score[match.home, match.away] < score[match.away, match.home]
        upsets += (results == (2 if behind else 0)).sum()
    assert document["home"]["estimate"] == pytest.approx(home / (seasons * len(matches)))
    assert document["upsets"]["estimate"] == pytest.approx(upsets / decided)
    assert document["capped"]["estimate"] == pytest.approx(found.capped.mean())
    assert document["drawn"]["estimate"] == pytest.approx((found.results == 1).mean())
    best = max(document["rows"], key=lambda row: row["points"]["estimate"])
    assert document["best"] == best["entrant"]
    assert document["proves"]["estimate"] == best["title"]["estimate"]


def test_the_game_of_the_seats_as_they_are_can_be_played_alone(duels, tmp_path, monkeypatch):
    """A game that plays one seat alone leaves the same results."""
    game = protocol.load("jugger")

    def play_seat(setup, state, key, first, end, seat, out):
        for k, unit in enumerate(range(first, end)):
            out[k] = game.play_one(setup, state, key, unit, seat)

    monkeypatch.setattr(game, "play_seat", play_seat, raising=False)
    again = simkit.league(changed(DUELS, seasons=512), out=tmp_path, jobs=1)
    monkeypatch.delattr(game, "play_seat")
    assert again.document["rows"] == simkit.league(changed(DUELS, seasons=512), out=tmp_path / "b").document["rows"]


# Documents


@pytest.mark.parametrize("name", ["duels", "units", "drawn"])
def test_the_document_keeps_to_its_schema(name, request):
    """J-LEA-8: and the places are doubly stochastic."""
    found = request.getfixturevalue(name)
    document = found.document
    LeagueDocument.model_validate(json.loads(json.dumps(document)))
    assert document["verdict"]["word"] in WORDS
    assert html.escape(found.answer).replace("&#x27;", "&#39;") in (found.folder / "report.html").read_text()
    places = np.array([[value["estimate"] for value in row["places"]] for row in document["rows"]])
    assert places.sum(axis=0) == pytest.approx(1.0) and places.sum(axis=1) == pytest.approx(1.0)
    assert sum(one["title"]["estimate"] for one in document["settled"]) == pytest.approx(1.0)
    matches = sum(row["won"]["estimate"] + row["drawn"]["estimate"] / 2 for row in document["rows"])
    inside = 12 if not document["divisions"] else 4
    assert matches == pytest.approx(inside) and document["matches"] == 12
    for row in document["rows"]:
        for value in (row["title"], row["points"], row["won"], *row["places"]):
            assert value["low"] <= value["estimate"] <= value["high"] and value["level"] == 0.99
    table = list(csv.DictReader(io.StringIO((found.folder / "table.csv").read_text())))
    assert [row["entrant"] for row in table] == [row["entrant"] for row in document["rows"]]
    assert float(table[0]["title"]) == document["rows"][0]["title"]["estimate"]


def test_intervals_are_those_that_are_promised(duels, units, drawn):
    """J-LEA-8: Clopper-Pearson over seasons for all entrants together; J-LEA-6, J-LEA-7: else from 256 batches."""
    row = duels.document["rows"][0]
    low, high = stats.clopper_pearson(round(row["title"]["estimate"] * 1_024), 1_024, stats.bonferroni_level(4, 0.99))
    assert (row["title"]["low"], row["title"]["high"]) == (float(low), float(high))
    assert (row["title"]["n"], row["title"]["method"]) == (1_024, "clopper-pearson")
    assert {row["title"]["method"] for row in drawn.document["rows"]} <= {"max-t", "sidak", "rare-bound"}
    assert {row["title"]["n"] for row in drawn.document["rows"]} == {2_560}
    assert drawn.document["trials"] == 12 * 2_560 and duels.document["trials"] == 12 * 1_024
    assert {row["title"]["method"] for row in units.document["rows"]} <= {"max-t", "sidak", "rare-bound"}
    assert {row["title"]["n"] for row in units.document["rows"]} == {256}  # histories are independent, not seasons


def test_played_and_drawn_agree(duels, drawn):
    """J-LEA-6: the same league twice; intervals at 99 % for all entrants together, whose sum of widths is not left."""
    one = {row["entrant"]: row for row in duels.document["rows"]}
    for row in drawn.document["rows"]:
        for name in ("title", "points", "difference", "won", "drawn"):
            a, b = one[row["entrant"]][name], row[name]
            assert a["low"] <= b["high"] and b["low"] <= a["high"], (row["entrant"], name)


def test_the_first_line_says_who_wins_with_interval_n_and_method(duels, drawn):
    for found, words in ((duels, "n = 1,024 seasons played"), (drawn, "25,600 seasons drawn from 2,560 games of each")):
        assert found.answer.startswith("The title goes ") and words in found.answer
        assert "99 % for all 4 together" in found.answer
    assert "Clopper-Pearson" in duels.answer


def test_divisions(units):
    """J-LEA-7: shares of seasons in each division, and how often each rises and falls."""
    document = units.document
    one, two = document["divisions"]
    assert one["start"] == ["elves", "orcs"] and two["start"] == ["pikemen", "men-at-arms"]
    for k in range(4):
        assert one["shares"][k]["estimate"] + two["shares"][k]["estimate"] == pytest.approx(1.0)
    assert sum(share["estimate"] for share in one["shares"]) == pytest.approx(2.0)
    up, down = (sum(row[way]["estimate"] for row in document["moving"]) for way in ("up", "down"))
    assert up == pytest.approx(1.0) and down == pytest.approx(1.0)
    assert document["seasons"] == 1_024 and document["trials"] == 12 * (1_024 + 2 * 256)
    assert "The title of the first division goes " in units.answer
    assert "Divisions" in (units.folder / "report.md").read_text()


# Other ways


def test_points_instead(units):
    """J-LEA-9: 2-1-0 instead of 3-1-0 on the same seasons."""
    instead = units.document["instead"]
    assert units.answer.startswith("With 2-1-0 instead of 3-1-0 none of 1,024 seasons has another champion (0.0 to ")
    titles = {row["entrant"]: row["title"]["estimate"] for row in units.document["rows"]}
    for row in instead["rows"]:
        moved = row["title"]["estimate"] - titles[row["entrant"]]
        assert row["moves"]["estimate"] == pytest.approx(moved)
    assert units.verdict["word"] in ("moves", "holds", "unmoved")


def test_rules_instead_share_their_luck(tmp_path):
    """J-LEA-6: two house rules share the dice of season and match; one that changes nothing here changes nothing."""
    same = {"set": {"legs_top_velocity": 4}}
    found = simkit.league(changed(DUELS, seasons=512, instead=same), out=tmp_path)
    instead = found.document["instead"]
    assert instead["changed"]["estimate"] == 0 and found.verdict["word"] in ("holds", "unmoved")
    assert all(row["moves"]["estimate"] == 0 for row in instead["rows"])
    assert found.document["trials"] == 2 * 12 * 512
    harder = {"set": {"weapons.trebuchet.to_hit": 5}, "points": [2, 1, 0]}
    other = simkit.league(changed(DUELS, seasons=512, instead=harder), out=tmp_path)
    assert other.document["instead"]["changed"]["estimate"] > 0.05 and other.verdict["word"] == "moves"
    assert "weapons.trebuchet.to_hit = 5" in other.answer and "2-1-0" in other.answer
    alone = simkit.league({**changed(DUELS, seasons=512), "set": harder["set"]}, out=tmp_path / "alone")
    third = {row["entrant"]: row["won"]["estimate"] for row in alone.document["rows"]}
    first = {row["entrant"]: row["won"]["estimate"] for row in found.document["rows"]}
    assert third != first


def test_a_house_rule_instead_is_kept_with_its_results(tmp_path):
    asked = changed(DUELS, seasons=512, instead={"house_rules": ["heavy-legs"]})
    found = simkit.league(asked, out=tmp_path / "a")
    assert found.answer.startswith("With the house rule heavy-legs ")
    assert (found.folder / "house" / "heavy-legs.toml").is_file()
    again = simkit.league(found.folder / "experiment.resolved.toml", out=tmp_path / "b")
    assert files(again.folder) == files(found.folder)


def test_home_is_a_map_of_ones_own(tmp_path):
    """J-LEA-2: home_field = "map"."""
    home = {"archer": {"distance": 2}, "sniper": {"distance": 9}}
    asked = changed(DUELS, designs=["archer", "sniper"], seasons=512, home_field="map", home=home)
    league = leagues.read(asked)
    cells = league.meetings([(0, 1), (1, 0)])
    assert [cell.scenario.scenario.distance for cell in cells.values()] == [2, 9]
    found = simkit.league(asked, out=tmp_path).document
    assert {(one["home"], one["away"]) for one in found["meetings"]} == {("archer", "sniper"), ("sniper", "archer")}
