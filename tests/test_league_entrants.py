"""Who plays in a league: designs, sides, armies, of every game; leagues in fractions; what is refused at the door."""

import json
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

import simkit
from simkit import stats
from simkit.balance.documents.league import LeagueDocument
from simkit.balance.league.fixtures import Match
from simkit.balance.league.rerolls import armies
from simkit.games import protocol
from simkit.games.protocol import Solution
from simkit.lab import leagues
from simkit.lab.musters import MOST_JUGS, Pool, Unit, muster
from simkit.lab.problems import ProblemError
from simkit.lab.rulebook import ID, ids
from simkit.lab.shipped import shipped_folder
from tests.league_toys import DUELS, UNITS, changed, files, played
from tests.test_league_table import CASES

# Entrants


def test_mirror_entrants_are_level(tmp_path):
    """Four of one design win as many titles: 5,120 seasons, G-test, p < 1e-6 fails; nobody is called a favourite."""
    sides = {f"copy-{k}": {"design": "archer"} for k in range(4)}
    document = simkit.league(changed(DUELS, designs=None, sides=sides, seasons=5_120), out=tmp_path).document
    titles = [round(row["title"]["estimate"] * 5_120) for row in document["rows"]]
    assert stats.g_test(titles, [0.25] * 4).p_value > 1e-6
    assert document["verdict"]["word"] == "undecided"
    assert all(row["title"]["low"] < 0.25 < row["title"]["high"] for row in document["rows"])
    assert document["home"]["low"] < 0.5 < document["home"]["high"]


def test_armies_of_a_race_are_filled_up_to_their_budget():
    """J-LEA-3, J-ARM-1: at random by stream, never above the budget, until nothing fits."""
    data = changed(
        DUELS, designs=None, budget=20, armies={"d": {"race": "dwarf"}, "g": {"race": "goblin", "budget": 9}}
    )
    league = leagues.read({**data, "scenario": {}})
    assert [one.budget.amount for one in league.entrants] in ([20, 8], [20, 9])
    again = leagues.read({**data, "scenario": {}})
    assert [one.a for one in again.entrants] == [one.a for one in league.entrants]
    others = [
        leagues.read(
            {**changed(data, armies={**data["league"]["armies"], "d": {"race": "dwarf", "draw": k}}), "scenario": {}}
        )
        for k in range(1, 6)
    ]
    assert len({json.dumps(one.entrants[0].a["units"]) for one in [league, *others]}) > 2
    pool = Pool("toy", (Unit("big", 6), Unit("small", 4)), 21)
    for seed in range(50):
        army = muster(pool, seed)
        assert 18 <= sum({"big": 6, "small": 4}[name] for name in army) <= 21
    assert len(muster(Pool("toy", (Unit("tiny", 1),), 100), 1)) == MOST_JUGS


@pytest.mark.thorough
def test_armies_drawn_anew_for_every_season(tmp_path):
    """J-LEA-3: reroll = "season"; an army stays for the season, under other rules too."""
    pools = {"d": {"race": "dwarf"}, "g": {"race": "goblin"}}
    asked = changed(DUELS, designs=None, budget=8, armies=pools, reroll="season", seasons=512)
    asked = {**asked, "scenario": {}, "run": {"policy": "greedy"}}
    found = simkit.league(asked, out=tmp_path / "a", jobs=1)
    assert files(simkit.league(asked, out=tmp_path / "b", jobs=2).folder) == files(found.folder)
    again = simkit.league(found.folder / "experiment.resolved.toml", out=tmp_path / "c")
    assert files(again.folder) == files(found.folder)
    assert found.document["rerolled"] == ["d", "g"] and "armies drawn anew" in found.answer
    assert "drawn at random for every season" in (found.folder / "report.md").read_text()
    league = leagues.read(asked)
    drawn_ = armies(league.pools["d"], 5, 512)
    assert len(set(drawn_)) > 3 and drawn_[:256] == armies(league.pools["d"], 5, 256)
    costs = {unit.design: unit.cost for unit in league.pools["d"].units}
    assert all(sum(costs[name] for name in army) in (7, 8) for army in drawn_)


def test_a_league_of_what_the_file_has_elsewhere():
    sweep = {"axes": {"sides.a.design": ["archer", "axer", "sniper"]}}
    data = {key: value for key, value in DUELS.items() if key != "league"}
    assert [one.id for one in leagues.read({**data, "sweep": sweep}).entrants] == ["archer", "axer", "sniper"]
    with_matrix = {**data, "matrix": {"designs": ["archer", "axer"]}}
    assert [one.id for one in leagues.read(with_matrix).entrants] == ["archer", "axer"]


# In fractions


def of_case(case):
    designs = dict(zip(case["teams"], ("archer", "axer", "sniper"), strict=True))
    odds = {designs[home]: {designs[away]: row for away, row in rows.items()} for home, rows in case["odds"].items()}
    own = {"designs": [*designs.values()], "method": "exact", "odds": odds, "seasons": None}
    return designs, changed(DUELS, points=case["points"], rounds=case["rounds"], **own)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_given_odds_are_solved(case, tmp_path):
    """J-LEA-6, K10."""
    designs, data = of_case(case)
    found = simkit.league(changed(data, instead={"points": [2, 1, 0]}), out=tmp_path)
    rows = {row["entrant"]: row for row in found.document["rows"]}
    for team, title in case["title"].items():
        row = rows[designs[team]]
        assert Fraction(row["fraction"]) == Fraction(title) and row["title"]["method"] == "exact"
        assert row["points"]["estimate"] == pytest.approx(float(Fraction(case["mean_points"][team])))
    LeagueDocument.model_validate(json.loads(json.dumps(found.document)))
    assert "3107/6000" in found.answer and found.document["trials"] == 0
    assert found.document["instead"]["changed"] is None
    assert "exact" in (found.folder / "report.md").read_text().casefold()


def test_a_league_of_exact_solutions_of_its_game(tmp_path, monkeypatch):
    """J-LEA-6: odds that the file does not give are those of the game, where it has them in fractions."""
    asked = changed(UNITS, divisions=None, burn_in=None, instead=None, seasons=None, method="exact")
    asked["league"] |= {"designs": ["orcs", "elves"], "odds": {"elves": {"orcs": ["1/2", 0, "1/2"]}}}
    with pytest.raises(ProblemError) as error:
        simkit.league(asked, out=tmp_path)
    assert "has no exact odds: its solution is not worked out in fractions (J-LEA-6)" in str(error.value)
    game = protocol.load("battlesystem")
    found = Solution({"win_a": Fraction(2, 3), "win_b": Fraction(1, 6)}, 3)
    monkeypatch.setattr(game, "exact", lambda scenario, rules: found)
    rows = {row["entrant"]: row for row in simkit.league(asked, out=tmp_path).document["rows"]}
    # Orcs at home 2/3, 1/6, 1/6, Elves at home even: who wins both, or one and draws one, is ahead; 1-1 is a lot
    assert (
        Fraction(rows["orcs"]["fraction"]) == Fraction(1, 3) + Fraction(1, 12) + (Fraction(1, 3) + Fraction(1, 12)) / 2
    )
    monkeypatch.undo()


# At the door


@pytest.mark.parametrize(
    ("league", "said"),
    [
        ({"carry_damage": True}, "matches of Jugger begin undamaged, so that no damage can be carried over (J-LEA-3)"),
        ({"reroll": "season"}, "is for armies of a race, and none takes part"),
        ({"designs": ["archer"]}, "a league has 2 to 32 entrants, this file has Archer"),
        ({"designs": "all"}, "a league has 2 to 32 entrants, this file has 54 sides"),
        ({"designs": ["archer", "archer"]}, "'archer' stands there twice"),
        ({"designs": ["archer", "snipr"]}, "did you mean 'sniper'?"),
        ({"rounds": 9}, "'rounds' in [league]"),
        ({"rounds": "tripple"}, "'rounds' in [league]"),
        ({"points": [1, 2, 0]}, "points 1-2-0 do not fall from win to loss"),
        ({"tie_break": ["direct"]}, "a tie ends with 'roll'"),
        ({"tie_break": ["direct", "direct", "roll"]}, "each criterion stands there once"),
        ({"seasons": 511}, "512"),
        ({"promoted": 1}, "promoted goes with divisions"),
        ({"divisions": [["archer", "sniper"], ["lobber", "gekko-spiter"]]}, "did you mean 'gekko-spitter'?"),
        ({"divisions": [["archer", "sniper"], ["lobber", "archer"]]}, "'archer' stands there twice"),
        (
            {"divisions": [["archer", "sniper"], ["lobber", "gekko-spitter"]], "promoted": 3},
            "too few for the 3 who leave",
        ),
        ({"home_field": "map"}, "go together"),
        ({"home_field": "map", "home": {"archer": {"map": "woods"}}}, "the home of 'sniper' lacks map"),
        ({"odds": {"archer": {"sniper": ["1", "0", "0"]}}}, "odds go with method = 'exact'"),
        ({"method": "exact", "odds": {"archer": {"sniper": [0.5, "0", "1/2"]}}}, "odds"),
        ({"method": "exact", "odds": {"archer": {"sniper": ["1/2", "0", "1/0"]}}}, "'1/0' is not a chance"),
        ({"method": "exact", "odds": {"archr": {"sniper": ["1", "0", "0"]}}}, "'archr' does not take part"),
        ({"difference": "goals"}, "Jugger does not count 'goals' for both sides"),
        ({"budget": 2}, "'archer' has 3 size classes, at most 2 are allowed (J-ARM-1)"),
        ({"armies": {"x": {"race": "dwarff"}}, "budget": 20}, "did you mean 'dwarf'?"),
        ({"armies": {"x": {"race": "dwarf"}}}, "the random army 'x' has no budget"),
        ({"armies": {"x": {"race": "orc", "budget": 2}}}, "no design of race 'orc' fits into a budget of 2"),
        ({"armies": {"x": {}}}, "an army is units or a race; this one has neither"),
        ({"instead": {}}, "nothing is otherwise in [league.instead]"),
        ({"instead": {"set": {"weapons.balista.to_hit": 3}}}, "weapons.balista.to_hit"),
        ({"seasns": 512}, "did you mean 'seasons'?"),
        ({"reroll": "season", "armies": {"x": {"race": "orc", "budget": 9}}, "method": "matrix"}, "goes with method"),
    ],
)
def test_what_is_refused(league, said):
    with pytest.raises(ProblemError) as error:
        leagues.read(changed(DUELS, **league))
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("league", "said"),
    [
        ({"method": "exact", "seasons": None}, "has no exact odds"),
        ({"method": "matrix", "games": 512, "rounds": 3}, "too few for 3 rounds"),
        ({"seasons": 10**8}, "at most 20,000,000 fit"),
    ],
)
def test_what_would_be_too_much(league, said, tmp_path):
    with pytest.raises(ProblemError) as error:
        simkit.league(changed(DUELS, **league), out=tmp_path)
    assert said in str(error.value)


def test_a_game_of_one_and_a_game_without_races():
    with pytest.raises(ProblemError) as error:
        leagues.read({**DUELS, "game": "pigtickler"})
    assert "Pig Tickler has no two sides that could meet" in str(error.value)
    with pytest.raises(ProblemError) as error:
        leagues.read({**UNITS, "league": {"armies": {"x": {"race": "orc"}}, "budget": 9}})
    assert "have no race" in str(error.value)
    with pytest.raises(ValueError, match="seasons is 5"):
        leagues.read(DUELS, seasons=5)
    with pytest.raises(ProblemError) as error:
        leagues.read(DUELS, overrides={"sides.a.policy": "hold"})
    assert "who fights is said by [league]" in str(error.value)


def two_sided():
    return [name for name in protocol.find() if protocol.fight_of(protocol.load(name)) is not None]


@pytest.mark.parametrize("name", two_sided())
def test_every_game_with_two_sides_holds_a_league(name, tmp_path):
    """J-ARM-3, J-LEA-1: no game has a line of its own."""
    shipped = (tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(shipped_folder().glob("*.toml")))
    data = next(one for one in shipped if one["game"] == name and "a" in one.get("sides", {}))
    kept = {key: data[key] for key in ("schema", "name", "game", "designs", "scenario", "run") if key in data}
    sides = {name: data["sides"]["a"] | {"title": name} for name in ("one", "two")}
    league, matches, cells, found = played({**kept, "league": {"sides": sides}}, tmp_path, 256)
    game, names = league.plan.game, [metric.name for metric in league.plan.game.OUTCOMES]
    state, fight = game.new_state(), protocol.fight_of(game)
    for k, match in enumerate(matches):
        for season in (0, 100, 255):
            setup = cells[match.home, match.away].setup
            outcome = game.play_one(setup, state, league.plan.key, match.first_unit + season, 0)
            row = dict(zip(names, map(int, outcome), strict=True))
            assert found.results[season, k] == 1 + row[fight.wins[0]] - row[fight.wins[1]]
            assert found.differences[season, k] == row[league.difference[0]] - row[league.difference[1]]


def test_every_game_with_two_sides_has_a_difference():
    """J-LEA-5: goals, or what a side has left."""
    for name in two_sided():
        columns = [metric.name for metric in protocol.load(name).OUTCOMES]
        assert any(f"{stem}_a" in columns and f"{stem}_b" in columns for stem in leagues.STEMS), name
    assert leagues.read(UNITS).difference == ("figures_a", "figures_b")
    assert leagues.read(changed(DUELS, difference="lost")).difference == ("lost_a", "lost_b")
    assert Match(3, 1).first_unit == (3 * 32 + 1) << 32


def test_every_rule_of_leagues_has_a_test():
    """No id of leagues is left out."""
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_league*.py"))
    wanted = {id for id in ids("jugger") if id.startswith("J-LEA-")} | {"J-ARM-3"}
    assert len(wanted) == 10
    cited = set(ID.findall(text.replace('"J-ARM-3"', "")))
    assert wanted <= cited


def test_a_random_team_is_rolled_once_for_all_its_matches(tmp_path):
    """J-LEA-3: reroll = "never"; who takes part stands in the resolved file, and plays there as it did."""
    asked = {
        "schema": 1,
        "name": "clubs",
        "game": "juggerball",
        "run": {"policy": "hold"},
        "scenario": {"max_turns": 3},
        "league": {
            "sides": {
                "reds": {"team": "random", "fixed": {"items": ["legs"], "jugs": 2}},
                "blues": {"team": "random"},
                "greens": {"jugs": ["archer"] * 7},
            },
            "seasons": 512,
        },
    }
    found = leagues.read(asked)
    teams = {one.id: one.a for one in found.entrants}
    assert all(len(team["jugs"]) == 7 and "team" not in team and "fixed" not in team for team in teams.values())
    assert [jug["equipment"].count("legs") > 0 for jug in teams["reds"]["jugs"]][:2] == [True, True]
    assert teams["reds"]["jugs"] != teams["blues"]["jugs"]
    assert {one.id: one.a for one in leagues.read(asked).entrants} == teams
    assert {one.id: one.a for one in leagues.read(asked, seed=7).entrants} != teams
    played = simkit.league(asked, out=tmp_path / "a", jobs=1)
    again = simkit.league(played.folder / "experiment.resolved.toml", out=tmp_path / "b")
    assert files(again.folder) == files(played.folder)
