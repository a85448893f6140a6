"""Everybody against everybody, played: the same bytes however it is played, kept, resumed, and told."""

import csv
import io
import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

import simkit
from simkit.api.matrices import WORDS, conduct
from simkit.balance.documents.matrix import MatrixDocument
from simkit.balance.matrix import said as matrix_said
from simkit.lab import lists
from simkit.lab import plan as planning
from simkit.lab.problems import ProblemError
from simkit.lab.runner import Interrupted, Silent

DUELS = {
    "schema": 1,
    "name": "standoff",
    "question": "Who shoots best?",
    "game": "jugger",
    "seed": 5,
    "run": {"policy": "hold"},
    "scenario": {"distance": 3},
    "matrix": {
        "designs": ["archer", "axer", "boarder", "sniper", "lobber", "gekko-spitter"],
        "fair_within": 0.03,
        "least_trials": 512,
        "max_trials": 3_000,
    },
}
UNITS = {
    "schema": 1,
    "name": "units",
    "question": "Which foot is best, figure by figure?",
    "game": "battlesystem",
    "sides": {"a": {"design": "orcs", "figures": 8}, "b": {"design": "orcs", "figures": 8}},
    "scenario": {"in_contact": True},
    "matrix": {
        "designs": ["men-at-arms", "pikemen", "orcs", "elves"],
        "fair_within": 0.05,
        "least_trials": 1_024,
        "max_trials": 4_000,
    },
}


@pytest.fixture(scope="module", autouse=True)
def few_resamplings():
    """Look at the layers of few resamplings: how many there are changes nothing that is looked at here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simkit.balance.matrix.standing.RESAMPLED", 20)
        yield


@pytest.fixture(scope="module")
def duels(tmp_path_factory):
    return simkit.matrix(DUELS, out=tmp_path_factory.mktemp("duels"), jobs=1)


@pytest.fixture(scope="module")
def units(tmp_path_factory):
    return simkit.matrix(UNITS, out=tmp_path_factory.mktemp("units"), jobs=2)


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("runs.jsonl", ".lock")
    }


def test_the_same_bytes_on_any_number_of_threads(duels, tmp_path):
    assert files(simkit.matrix(DUELS, out=tmp_path, jobs=2).folder) == files(duels.folder)


@pytest.mark.thorough
def test_killed_at_any_moment_the_same_call_goes_on(duels, tmp_path):
    class Stops(Silent):
        """Presses Ctrl-C after so many parcels."""

        left = 3

        def advance(self, trials, cells_done, widest):
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt

    times = 0
    while True:
        try:
            again = simkit.matrix(DUELS, out=tmp_path, jobs=2, progress=Stops())
            break
        except Interrupted:
            times += 1
            Stops.left += 2
    assert times >= 2
    assert files(again.folder) == files(duels.folder)


@pytest.mark.thorough
def test_what_is_spelt_out_plays_the_same(duels, tmp_path):
    again = simkit.matrix(duels.folder / "experiment.resolved.toml", out=tmp_path)
    assert files(again.folder) == files(duels.folder)
    spelt = tomllib.loads((duels.folder / "experiment.resolved.toml").read_text())
    assert spelt["matrix"] == {**DUELS["matrix"], "classes": "all"}


@pytest.mark.parametrize("name", ["duels", "units"])
def test_the_document_keeps_to_its_schema(name, request):
    document = request.getfixturevalue(name).document
    MatrixDocument.model_validate(json.loads(json.dumps(document)))
    assert document["verdict"]["word"] in WORDS
    assert document["verdict"]["answer"] in (request.getfixturevalue(name).folder / "report.html").read_text()


def test_scores_are_those_of_duels(duels):
    played = planning.make(
        {
            **{key: DUELS[key] for key in ("schema", "name", "game", "seed", "run", "scenario")},
            "sides": {"a": {"design": "archer"}, "b": {"design": "axer"}},
        }
    )
    pair = next(pair for pair in duels.document["pairs"] if (pair["a"], pair["b"]) == ("archer", "axer"))
    units = pair["games"] // 2
    counts = np.zeros((1, 256, len(played.game.OUTCOMES), 4), np.int64)
    game = played.game
    game.play_block(game.pack([played.cells[0].setup]), game.new_state(), played.key, 0, units, counts)
    total = dict(zip([metric.name for metric in game.OUTCOMES], counts[0, :, :, 0].sum(axis=0), strict=True))
    assert pair["score"]["estimate"] == pytest.approx(total["score_a"] / (4 * units))
    for name, column in (("won", "win_a"), ("lost", "win_b"), ("drawn", "draw"), ("capped", "draw_cap")):
        assert pair[name]["estimate"] == pytest.approx(total[column] / (2 * units))
    edge = duels.document["edges"][0]
    assert edge["name"] == "win_seat_0" and abs(edge["value"]["estimate"]) < 0.05


def test_pairs_end_when_they_are_resolved(duels):
    pairs, cost = duels.document["pairs"], duels.document["cost"]
    assert len(pairs) == 15
    for pair in pairs:
        low, high = pair["score"]["low"], pair["score"]["high"]
        known = {"first": low > 0.5, "second": high < 0.5, "fair": low >= 0.47 and high <= 0.53}
        assert known.get(pair["word"], not any(known.values()))
        assert (pair["further"] > 0) == (pair["word"] == "undecided")
        winner = {"first": "won", "second": "lost"}.get(pair["word"])
        assert pair["on_draws"] == (winner is not None and pair[winner]["estimate"] < 0.5)
        assert pair["games"] == 3_072 if pair["word"] == "undecided" else 512 <= pair["games"] <= 3_072
        assert pair["won"]["estimate"] + pair["lost"]["estimate"] + pair["drawn"]["estimate"] == pytest.approx(1.0)
    assert cost["games"] == sum(pair["games"] for pair in pairs)
    assert cost["uniform"] == 15 * max(pair["games"] for pair in pairs)
    assert cost["times"] > 2
    assert duels.document["both_orders"] is False and duels.document["uneven"] == []
    open_ = [pair for pair in pairs if pair["word"] == "undecided"]
    assert len(duels.verdict["not_resolved"]) == len(open_)
    assert all("games more" in sentence for sentence in duels.verdict["not_resolved"])


def test_how_each_stands(duels):
    whole, *classes = duels.document["groups"]
    assert whole["name"] == "all" and len(whole["rows"]) == 6
    ratings = [row["rating"]["estimate"] for row in whole["rows"]]
    assert ratings == sorted(ratings, reverse=True)
    assert sum(ratings) == pytest.approx(0.0, abs=1e-6)
    assert sum(row["share"] for row in whole["rows"]) == pytest.approx(1.0)
    for row in whole["rows"]:
        assert row["beats"] + row["loses"] + row["even"] + row["open"] == 5
        assert row["least"] <= row["share"] <= row["most"]
        assert row["regret"]["low"] <= row["regret"]["estimate"] <= row["regret"]["high"]
        assert row["layer_first"] <= row["layer"] <= row["layer_last"]
    sizes = {side["id"]: side["budget"]["amount"] for side in duels.document["sides"]}
    for row in whole["rows"]:
        points = 100 * row["mean"]["estimate"] / sizes[row["side"]]
        assert row["per_budget"]["estimate"] == pytest.approx(points)
    assert [group["name"] for group in classes] == ["2 size classes"]
    assert {row["side"] for row in classes[0]["rows"]} == {"sniper", "lobber", "gekko-spitter"}


def test_units_meet_in_both_orders(units):
    document = units.document
    assert document["both_orders"] is True and document["games_a_unit"] == 2
    assert [edge["name"] for edge in document["edges"]] == ["side_a"]
    assert all(side["budget"] == {"amount": 8, "unit": "figures"} for side in document["sides"])
    assert [group["budget"] for group in document["groups"]] == [{"amount": 8, "unit": "figures"}]
    pair = document["pairs"][0]
    plan = lists.read(UNITS).meetings([(0, 1), (1, 0)])
    game = plan.game
    out = np.zeros((2, 256, len(game.OUTCOMES), 4), np.int64)
    setups = game.pack([cell.setup for cell in plan.cells])
    game.play_block(setups, game.new_state(), plan.key, 0, pair["games"] // 2, out)
    names = [metric.name for metric in game.OUTCOMES]
    a, b = (out[:, :, names.index(name), 0].sum(axis=1) for name in ("win_a", "win_b"))
    assert pair["won"]["estimate"] == pytest.approx((a[0] + b[1]) / pair["games"])
    assert pair["lost"]["estimate"] == pytest.approx((b[0] + a[1]) / pair["games"])
    assert "in both orders" in (units.folder / "report.md").read_text()


def test_sides_that_are_not_alike_are_found_by_their_mirrors(tmp_path):
    sides = {"a": {"design": "axer", "policy": "greedy"}, "b": {"design": "axer", "policy": "random"}}
    asked = {"designs": ["swordsman", "axer", "warbah"], "least_trials": 1024, "max_trials": 1024}
    told = {**DUELS, "name": "unlike", "scenario": {"distance": 3}, "sides": sides, "matrix": asked}
    found = simkit.matrix(told, out=tmp_path)
    document = found.document
    assert document["both_orders"] is True and document["games_a_unit"] == 4
    assert document["uneven"] == ["swordsman", "axer", "warbah"]
    edge = document["edges"][0]
    assert edge["name"] == "side_a" and edge["value"]["low"] > 0.1  # whoever knows how to play
    assert "Against themselves these do not score 50 %" in (found.folder / "report.md").read_text()
    assert [edge["name"] for edge in document["edges"]] == ["side_a", "win_seat_0", "win_first"]


def test_classes_and_groups_part_who_meets(tmp_path):
    asked = {**DUELS["matrix"], "designs": ["archer", "sniper", "lobber", "backbiter"], "classes": "equal"}
    found = simkit.matrix({**DUELS, "name": "classes", "matrix": asked}, out=tmp_path)
    assert [(pair["a"], pair["b"]) for pair in found.document["pairs"]] == [
        ("archer", "backbiter"),
        ("sniper", "lobber"),
    ]
    assert [group["name"] for group in found.document["groups"]] == ["2 size classes", "3 size classes"]
    assert [len(group["rows"]) for group in found.document["groups"]] == [2, 2]
    assert all(group["cyclic"] is None for group in found.document["groups"])
    assert "of as many size classes" in found.answer


@pytest.mark.thorough
def test_a_precision_goes_on_where_it_is_clear_who_is_better(tmp_path):
    asked = {"designs": ["archer", "sniper", "lobber"], "least_trials": 512, "max_trials": 40_000, "precision": 0.03}
    found = simkit.matrix({**DUELS, "name": "precise", "matrix": asked}, out=tmp_path)
    for pair in found.document["pairs"]:
        score = pair["score"]
        assert max(score["high"] - score["estimate"], score["estimate"] - score["low"]) <= 0.03
        assert pair["games"] > 512


def test_pairs_as_a_table(duels):
    rows = list(csv.DictReader(io.StringIO((duels.folder / "pairs.csv").read_text())))
    assert len(rows) == 15
    pair = duels.document["pairs"][3]
    assert (rows[3]["a"], rows[3]["word"]) == (pair["a"], pair["word"])
    assert float(rows[3]["score_low"]) == pair["score"]["low"]


@pytest.mark.thorough
def test_other_dice_give_other_scores(duels, tmp_path):
    other = simkit.matrix(DUELS, seed=6, trials=512, out=tmp_path)
    assert other.document["seed"] == 6
    assert all(pair["games"] == 512 for pair in other.document["pairs"])
    assert [pair["score"] for pair in other.document["pairs"]] != [pair["score"] for pair in duels.document["pairs"]]


def test_one_writer_at_a_time(tmp_path):
    class Twice(Silent):
        def start(self, trials, kept, cells):
            conduct(lists.read(DUELS), out=tmp_path)

    with pytest.raises(ProblemError, match="another simkit is playing"):
        simkit.matrix(DUELS, out=tmp_path, progress=Twice())


# Words


def toy(words, shares, best=None, beatable=()):
    """Return a document of three sides with so many known pairs."""
    number = {"estimate": 0.6, "low": 0.55, "high": 0.65, "level": 0.99, "n": 100, "method": "asymptotic"}
    pairs = [
        {"a": a, "b": b, "word": word, "score": number, "further": 2_000 if word == "undecided" else 0}
        for (a, b), word in zip([("x", "y"), ("x", "z"), ("y", "z")], words, strict=True)
    ]
    rating = {"estimate": 100.0, "low": 90.0, "high": 110.0}
    rows = [
        {"side": side, "rating": rating, "share": share, "least": 0.0, "most": 1.0, "per_budget": None}
        for side, share in zip("xyz", shares, strict=True)
    ]
    return {
        "sides": [{"id": side, "title": side.upper(), "table": {"design": side}} for side in "xyz"],
        "pairs": pairs,
        "groups": [{"name": "all", "rows": rows, "best": best, "beatable": list(beatable), "budget": None}],
        "counts": {word: list(words).count(word) for word in ("first", "second", "fair", "undecided")},
        "cost": {"games": 1_000},
        "draws": {"capped": 0, "on_draws": 0},
        "fair_within": 0.01,
    }


@pytest.mark.parametrize(
    ("told", "word", "said"),
    [
        (toy(["first", "first", "first"], [1, 0, 0], best="x"), "one-best", "X is best: it beats all 2 others"),
        (toy(["first", "first", "first"], [0.6, 0.2, 0.2], best="x"), "one-best", "whoever mixes in Y and Z"),
        (toy(["first", "second", "first"], [0.4, 0.3, 0.3], beatable="xyz"), "none-best", "but Z beats it"),
        (toy(["first", "fair", "first"], [0.5, 0, 0.5], beatable="xyz"), "none-best", "is even with Z within 1 pp"),
        (toy(["first", "undecided", "first"], [0.5, 0, 0.5], beatable="y"), "undecided", "whether it beats Z is not"),
        (toy(["first", "first", "first"], [0, 1, 0], best="y"), "one-best", "X is rated highest, +100 Elo"),
    ],
)
def test_the_answer_says_who_is_best_or_why_nobody_is(told, word, said):
    verdict = matrix_said.verdict(told, 0.99)
    assert verdict["word"] == word
    assert verdict["rule"] == matrix_said.RULES[word]
    assert said in verdict["answer"]
    assert "99 % for all 3 together, confidence sequences, 1,000 games from both seats" in verdict["answer"]
    assert len(verdict["not_resolved"]) == told["counts"]["undecided"]


def test_games_that_nobody_wins_are_told():
    told = toy(["first", "fair", "fair"], [0.4, 0.3, 0.3], beatable="xyz") | {"draws": {"capped": 2, "on_draws": 0}}
    said = (
        "1 has a better side and 2 are even within 1 pp; in 2 of them most games ended because the turns were used up"
    )
    assert said in matrix_said.verdict(told, 0.99)["answer"]


def test_groups_may_differ():
    one, two = (toy(["first"] * 3, [1, 0, 0], best=best, beatable="xyz")["groups"][0] for best in ("x", None))
    told = toy(["first"] * 3, [1, 0, 0]) | {"groups": [one | {"name": "small"}, two | {"name": "large"}]}
    verdict = matrix_said.verdict(told, 0.99)
    assert verdict["word"] == "depends"
    assert "of a group: X (small); nobody of large (X is rated highest)." in verdict["answer"]
    for group, amount in zip(told["groups"], (2, 5), strict=True):
        group["budget"] = {"amount": amount, "unit": "size classes"}
    assert "of a group: X (small);" in matrix_said.verdict(told, 0.99)["answer"]
    for group, amount in zip(told["groups"], (2, 5), strict=True):
        group["name"] = f"{amount} size classes"
    said = "Who beats all others of as many size classes: X (2); nobody of 5 (X is rated highest)."
    assert said in matrix_said.verdict(told, 0.99)["answer"]


def test_who_gets_most_for_its_price():
    told = toy(["first"] * 3, [1, 0, 0], best="x")
    assert "Most for its" not in matrix_said.verdict(told, 0.99)["answer"]
    for k, (side, row) in enumerate(zip(told["sides"], told["groups"][0]["rows"], strict=True), start=1):
        side["budget"] = {"amount": k, "unit": "figures"}
        row["per_budget"] = {"estimate": 5.0 * k, "low": 5.0 * k - 1, "high": 5.0 * k + 1, "level": 0.99} | {
            "n": 100,
            "method": "max-t",
        }
    assert (
        "Most for its figures gets Z: 15.0 (14.0 to 16.0) points for each" in matrix_said.verdict(told, 0.99)["answer"]
    )


def test_many_open_pairs_are_counted():
    told = toy(["undecided"] * 3, [0.4, 0.3, 0.3])
    told["pairs"] *= 5
    sentences = matrix_said.verdict(told, 0.99)["not_resolved"]
    assert len(sentences) == matrix_said.MOST_UNRESOLVED + 1
    assert sentences[-1] == "3 more pairs, together about 6,000 games more"


def test_a_file_that_is_shipped_is_read():
    shipped = lists.read(Path(__file__).parents[1] / "experiments" / "published_designs.toml")
    assert shipped.asked.precision == shipped.asked.fair_within == 0.01
