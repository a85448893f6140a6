"""What is judged of battles besides the question: seats and first moves, and whether an answer depends on skill."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from simkit import stats
from simkit.balance import edges as edging
from simkit.balance.document import build
from simkit.balance.edges import EVERYWHERE, edges
from simkit.balance.skill import is_skill
from simkit.balance.verdict import Verdict, judge
from simkit.core.trials import BATCHES
from simkit.games.protocol import Fight, fight_of
from simkit.lab.plan import MOST_KEPT, Plan
from simkit.lab.runner import Played
from tests import duels, laboratory
from tests.duels import made, units_of
from tests.laboratory import play

FIGHT = Fight(
    score="score_a",
    wins=("win_a", "win_b"),
    draw="draw",
    capped="never",
    length="turns",
    ends={"win_a": "won", "win_b": "lost", "draw": "drawn"},
    edges={"win_a": "side A", "win_b": "side B"},
    damage={},
    mishaps={},
)
SIZES = {"scenario.hill": [0, 4]}
SKILLS = {"sides.a.design": ["plain", "grand"], "policy": ["greedy", "hold"], **SIZES}
SWAP = {"baseline": {"sides.a.design": "plain"}}


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(duels.GAME, "FIGHT", FIGHT, raising=False)
    with duels.known():
        yield


def played(tmp_path: Path, **tables: Any) -> tuple[Plan, Played]:
    tables.setdefault("run", {"trials": 20_000})
    plan = made(**tables)
    return plan, play(plan, tmp_path, jobs=1)


def judged(tmp_path: Path, **tables: Any) -> Verdict:
    plan, found = played(tmp_path, **tables)
    return judge(plan, found.results)


# Which game tells of battles


def test_a_game_tells_of_battles_only_if_it_says_how() -> None:
    from simkit.games.pigtickler import game as course

    assert fight_of(course) is None  # type: ignore[arg-type]
    assert laboratory.made().kept == ()
    assert made().kept == ("win_a", "win_b", "draw")
    axes = {"scenario.hill": list(range(MOST_KEPT + 1))}
    assert made(sweep={"axes": axes}).kept == ()


def test_every_column_that_jugger_tells_of_is_one_of_its_outcomes() -> None:
    from simkit.games.jugger import game

    fight = game.FIGHT
    names = {metric.name for metric in game.OUTCOMES}
    pairs = [column for both in (*fight.damage.values(), *fight.mishaps.values()) for column in both]
    single = [fight.score, *fight.wins, fight.draw, fight.capped, fight.length, *fight.ends, *fight.edges]
    assert set(single) | set(pairs) <= names and len(set(pairs)) == len(pairs)
    assert set(fight.ends) == {name for name in names if name.startswith("cause_")}
    assert {name[:-2] for name in pairs} == set(game_sources())


def game_sources() -> Sequence[str]:
    from simkit.games.jugger.outcomes import SOURCES

    return tuple(SOURCES)


# Seats


def test_the_share_of_the_decided_is_counted_over_whole_units(tmp_path: Path) -> None:
    plan, found = played(tmp_path, set={"draw_within": 30}, sweep={"axes": SIZES})
    won, lost = edges(plan, found.results)
    for i in range(2):
        totals = dict(zip(duels.NAMES, units_of(plan, i).sum(axis=0).tolist(), strict=True))
        row = next(row for row in won.rows if row.cell == i + 1)
        assert row.value.estimate == pytest.approx(totals["win_a"] / (totals["win_a"] + totals["win_b"]))
        other = next(row for row in lost.rows if row.cell == i + 1)
        assert row.value.estimate + other.value.estimate == pytest.approx(1)
        assert row.value.low == pytest.approx(1 - other.value.high, abs=2e-3)
    sums = [units_of(plan, i).sum(axis=0) for i in range(2)]
    whole = won.rows[0]
    assert whole.cell == EVERYWHERE
    assert whole.value.estimate == pytest.approx(sum(s[0] for s in sums) / sum(s[0] + s[1] for s in sums))


def test_an_advantage_is_said_with_where_and_what_helps(tmp_path: Path) -> None:
    plan, found = played(tmp_path, sweep={"axes": {"scenario.hill": [0, 10]}})
    won, lost = edges(plan, found.results)
    assert (won.word, lost.word) == ("higher", "lower")
    assert re.fullmatch(
        r"Of all decided battles side A has won [\d.]+ % \([\d. to]+ %\), surely more than half; more than half in 2 "
        r"of 2 cells, most for hill 10: [\d.]+ % \([\d. to]+ %\); an advantage of more than 2 pp calls for a remedy, "
        r"such as an initiative that alternates \(99 % for all 3 together, (max-T|Sidak)\)\.",
        won.answer,
    )
    assert "surely less than half; less than half in 2 of 2 cells" in lost.answer


def test_what_is_not_resolved_is_bounded_and_never_called_equal(tmp_path: Path) -> None:
    plan, found = played(tmp_path, run={"trials": 2000}, sides={"a": {"design": "plain"}, "b": {"design": "plain"}})
    (won, _) = edges(plan, found.results)
    assert won.word in ("undecided", "fair") and len(won.rows) == 1
    limit = max(abs(won.rows[0].value.low - 0.5), abs(won.rows[0].value.high - 0.5))
    said = re.search(
        r": no advantage is resolved, and none larger than ([\d.]+) pp is left unresolved \(99 %", won.answer
    )
    assert said is not None
    assert limit <= float(said[1]) / 100 <= limit + 0.01
    assert not re.search(r"\bequal|\bfair\b", won.answer)


def test_a_share_that_is_fair_everywhere_is_said_to_be_within_the_band() -> None:
    rng = np.random.default_rng(1)
    wins = 50_000 + rng.integers(0, 400, BATCHES)
    rows = edging._values(made(run={"trials": 4}), [(wins, np.full(BATCHES, 100_000), 12_800_000)], False)
    assert 0.5 < rows[0].low < rows[0].high < 0.52
    assert edging._answer(made(), "side A", [edging.Row(1, "fair", rows[0])], False).startswith(
        "Of all decided battles side A has won 50.2"
    )
    said = edging._answer(made(), "side A", [edging.Row(1, "fair", rows[0])], False)
    assert "surely more than half; everywhere the advantage is less than 2 pp (99 % confidence, " in said


def test_where_nobody_wins_there_is_nothing_to_say(tmp_path: Path) -> None:
    plan, found = played(tmp_path, run={"trials": 400}, set={"draw_within": 99}, sides={"a": {}, "b": {}})
    for edge in edges(plan, found.results):
        assert (edge.rows, edge.word) == ([], "") and edge.answer.startswith("No battle was decided")


def test_where_next_to_all_units_are_alike_the_share_gets_a_bound_not_a_point() -> None:
    """One side wins both games of every unit, so that each seat wins one of them: nothing varies."""
    plan, units = made(run={"trials": 5120}), 2560
    decided, wins = np.full(BATCHES, 2 * units // BATCHES), np.full(BATCHES, units // BATCHES)
    (same,) = edging._values(plan, [(wins, decided, units)], False)
    upper = float(stats.clopper_pearson(0, units, 0.99)[1])
    assert (same.estimate, same.method) == (0.5, "rare-bound")
    assert (same.low, same.high) == pytest.approx((0.5 - upper, 0.5 + upper))
    (never,) = edging._values(plan, [(0 * wins, decided, units)], False)
    assert (never.low, never.estimate, never.high) == (0.0, 0.0, pytest.approx(upper))
    few = wins.copy()
    few[:5] += 1
    (some,) = edging._values(plan, [(few, decided, units)], False)
    assert some.low < 0.5 < some.estimate < some.high == pytest.approx(0.5 + stats.clopper_pearson(5, units, 0.99)[1])
    (look,) = edging._values(plan, [(0 * wins, decided, units)], True)
    assert look.high == pytest.approx(stats.beta_binomial(0, units, 0.99)[1]) and look.high > never.high


def test_bounds_and_bands_share_the_level() -> None:
    """A cell in which hardly anything varies and one in which much does: each has the level of one of two."""
    plan, rng, units = made(run={"trials": 5120}), np.random.default_rng(5), 2560
    decided = rng.integers(8, 20, BATCHES)
    wins = rng.binomial(decided, 0.6)
    alike = np.full(BATCHES, 2 * units // BATCHES)
    usual, rare = edging._values(plan, [(wins, decided, units), (0 * alike, alike, units)], False)
    assert (usual.low, usual.high) == pytest.approx(tuple(map(float, stats.batch_mean(wins, decided, 0.99**0.5))))
    assert rare.high == pytest.approx(float(stats.clopper_pearson(0, units, 0.99**0.5)[1]))
    assert usual.level == rare.level == 0.99


def test_shares_of_a_run_that_looked_are_confidence_sequences(tmp_path: Path) -> None:
    run = {"precision": 0.01, "max_trials": 60_000}
    plan, found = played(tmp_path, run=run, sweep={"axes": SIZES})
    won = edges(plan, found.results)[0]
    assert {row.value.method for row in won.rows} == {"asymptotic"}
    assert won.answer.endswith("asymptotic confidence sequences).")
    fixed = edging._values(
        plan, [(r.kept["win_a"], 2 * (r.sums * 0 + r.n // BATCHES), r.n) for r in found.results], False
    )
    assert all(
        row.value.high - row.value.low > one.high - one.low for row, one in zip(won.rows[1:], fixed, strict=True)
    )


# Skill


def test_axes_of_skill() -> None:
    assert [is_skill(path) for path in ("policy", "sides.b.policy", "policy.x", "sides.a.design", "house_rules")] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_a_comparison_is_answered_for_each_rung_from_the_simplest(tmp_path: Path) -> None:
    found = judged(tmp_path, sweep={"axes": SKILLS}, compare=SWAP)
    number = r"\+[\d.]+ pp \(\+[\d.]+ to \+[\d.]+ pp\)"
    assert re.fullmatch(
        rf"With grand instead of plain, averaged over these 2 values of hill, 'score_a' \(what side A scored\) is, for "
        rf"each rung of skill: at hold, higher, {number}; at greedy, higher, {number}; single comparisons run from "
        rf"{number} for hold, hill 4 to {number} for greedy, hill 0 \(99 % for both averages together, .*; single "
        r"comparisons: 99 % for all 4 together, .*, n = 10,000 pairs each\)\.",
        found.answer,
    )
    assert found.skill is not None
    assert [rung for rung, _ in found.skill.ladder.rungs] == ["hold", "greedy"]
    assert found.skill.word == "size"
    assert re.match(
        r"The answer is the same at every rung, but how much of it depends on skill: from hold to greedy for hill \d "
        r"the difference changes by \+[\d.]+ pp \(\+[\d.]+ to \+[\d.]+ pp\); 2 of 2 changes are resolved \(99 % for "
        r"both changes together, .*, on the same dice\)\.$",
        found.skill.answer,
    )


def test_several_variants_are_told_apart_at_every_rung(tmp_path: Path) -> None:
    axes = {"sides.a.design": ["plain", "grand", {"skill": -30}, {"skill": 0}], "policy": ["greedy", "hold"], **SIZES}
    found = judged(tmp_path, sweep={"axes": axes}, compare=SWAP, report={"fair_within": 0.01})
    said = re.fullmatch(
        r"Compared with plain, averaged over these 2 values of hill, 'score_a' \(what side A scored\) is, for each "
        r"rung of skill: at hold, (.*); at greedy, (.*); single comparisons run from -[\d.]+ pp \(.*\) for .* to "
        r"\+[\d.]+ pp \(.*\) for .* \(99 % for all 6 averages together, .*; single comparisons: 99 % for all 12 "
        r"together, .*\)\.",
        found.answer,
    )
    assert said is not None
    for part in said.groups():
        assert re.sub(r" [-+]?[\d.]+ pp \(.*?\)", "", part) == (
            "higher with grand, lower with skill -30, within 1 pp with skill 0"
        )


def test_a_lone_comparison_of_a_variant_is_its_word(tmp_path: Path) -> None:
    axes = {"sides.a.design": ["plain", "grand", {"skill": 0}], "policy": ["hold", "greedy"]}
    found = judged(tmp_path, sweep={"axes": axes}, compare=SWAP)
    assert " at hold, with grand higher, with skill 0 not resolved; at greedy, with grand higher, with" in found.answer


def test_of_very_many_variants_all_are_counted_together(tmp_path: Path) -> None:
    axes = {"sides.a.design": ["plain", *({"skill": 20 + i} for i in range(13))], "policy": ["hold", "greedy"]}
    found = judged(tmp_path, sweep={"axes": axes}, compare=SWAP, run={"trials": 4000})
    assert re.search(r" is, for each rung of skill: at hold, higher in (all )?\d+ ", found.answer)


def test_without_an_axis_of_skill_an_answer_is_what_it_was(tmp_path: Path) -> None:
    axes = {key: value for key, value in SKILLS.items() if key != "policy"}
    found = judged(tmp_path, sweep={"axes": axes}, compare=SWAP)
    assert "is higher in both comparisons: from" in found.answer and found.skill is None
    assert "skill" not in found.to_json()


def test_changes_are_those_of_the_same_dice(tmp_path: Path) -> None:
    plan, left = played(tmp_path, sweep={"axes": SKILLS}, compare=SWAP)
    skill = judge(plan, left.results).skill
    assert skill is not None
    column = duels.NAMES.index("score_a")
    for change in skill.changes:
        low, top = plan.cells[change.cell - 1], plan.cells[change.top - 1]
        assert (low.factors["policy"], top.factors["policy"]) == ("hold", "greedy")
        assert low.factors["scenario.hill"] == top.factors["scenario.hill"]

        def gain(cell: Any) -> Any:
            return units_of(plan, cell.number - 1)[:, column] - units_of(plan, cell.baseline)[:, column]

        difference = (gain(top) - gain(low)) / 4
        assert change.value.estimate == pytest.approx(difference.mean())
        error = difference.std(ddof=1) / np.sqrt(len(difference))
        assert (change.value.high - change.value.low) / 2 == pytest.approx(2.8 * error, rel=0.2)


def test_opposite_answers_at_two_rungs_make_the_answer_depend_on_skill(tmp_path: Path) -> None:
    """With half its skill a side scores less than is asked for, with all of it more."""
    sides = {"a": {"design": "plain"}, "b": {"design": "plain", "policy": "greedy"}}
    axes = {"sides.a.policy": ["hold", "greedy"], "scenario.hill": [0], "sides.a.design": ["plain", {"skill": 12}]}
    report = {"target": 0.585}
    found = judged(tmp_path, sides=sides, sweep={"axes": axes}, report=report)
    assert found.skill is not None and found.skill.word == "turns"
    assert re.match(
        r"The answer depends on skill \(policy\), in 1 of 2 combinations: 'score_a' for skill 12 is below 58.5 % at "
        r"hold and above 58.5 % at greedy \(99 % for all 4 together, ",
        found.skill.answer,
    )
    assert found.answer.startswith("'score_a' (what side A scored) is above 58.5 % in 1 of 4 cells")


@pytest.mark.parametrize(
    ("within", "trials", "word", "says"),
    [
        (0.2, 20_000, "steady", "The answer does not hang on skill: no change up to greedy is larger than 20 pp (99 %"),
        (None, 400, "undecided", "Whether the answer depends on skill is not resolved: a change of up to "),
    ],
)
def test_small_changes_are_bounded(tmp_path: Path, within: float | None, trials: int, word: str, says: str) -> None:
    axes = {"sides.a.design": ["plain", {"skill": 2}], "policy": ["hold", "greedy"]}
    report = {} if within is None else {"fair_within": within}
    found = judged(tmp_path, sweep={"axes": axes}, compare=SWAP, report=report, run={"trials": trials})
    assert found.skill is not None and found.skill.word == word
    assert found.skill.answer.startswith(says)


def test_values_without_a_target_change_with_skill(tmp_path: Path) -> None:
    found = judged(tmp_path, sweep={"axes": {"policy": ["greedy", "hold"]}}, sides=GRAND)
    assert found.word == "measured" and found.skill is not None and found.skill.word == "size"
    assert re.match(r"'score_a' depends on skill: from hold to greedy it changes by \+\d", found.skill.answer)


GRAND = {"a": {"design": "grand"}, "b": {"design": "plain"}}


def test_one_rung_as_the_baseline_of_the_others(tmp_path: Path) -> None:
    compare = {"baseline": {"policy": "greedy"}}
    found = judged(tmp_path, sweep={"axes": {"policy": ["greedy", "hold", "random"]}}, compare=compare, sides=GRAND)
    assert " is, for each rung of skill: at hold, lower, -" in found.answer
    assert found.skill is not None and (found.skill.word, found.skill.changes) == ("turns", [])
    assert re.match(r"Skill matters: 'score_a' for \w+ differs from that at greedy by -\d", found.skill.answer)
    for within, word in ((0.5, "steady"), (None, "undecided")):
        report = {} if within is None else {"fair_within": within}
        even = {"a": {"design": "plain"}, "b": {"design": "plain"}}
        axes = {"policy": ["greedy", "hold", "random"]}
        same = judged(tmp_path, sweep={"axes": axes}, compare=compare, sides=even, report=report)
        assert same.skill is not None and same.skill.word == word


def test_cells_that_were_not_played_equally_long_get_what_their_intervals_leave(tmp_path: Path) -> None:
    run = {"precision": 0.004, "max_trials": 200_000}
    plan, left = played(tmp_path, sweep={"axes": {"policy": ["hold", "greedy"]}}, run=run, sides=GRAND)
    assert len({result.n for result in left.results}) == 2
    found = judge(plan, left.results)
    low, top = (row.value for row in found.rows)
    assert found.skill is not None
    (change,) = found.skill.changes
    assert (change.value.low, change.value.high) == pytest.approx((top.low - low.high, top.high - low.low))
    assert found.skill.answer.endswith(f"({found.family}).")


def test_a_zip_that_never_meets_itself_is_not_compared(tmp_path: Path) -> None:
    sweep = {"mode": "zip", "axes": {"policy": ["hold", "greedy"], "scenario.hill": [0, 4]}}
    found = judged(tmp_path, sweep=sweep)
    assert found.skill is not None and found.skill.word == "undecided"
    assert found.skill.answer == "No combination was played at the highest rung and at a lower one."


def test_changes_of_which_nothing_varies_get_a_bound(tmp_path: Path) -> None:
    found = judged(tmp_path, sweep={"axes": {"policy": ["hold", "random"]}}, sides=GRAND)
    assert found.skill is not None
    (change,) = found.skill.changes
    assert (change.value.method, change.value.estimate) == ("rare-bound", 0.0)
    assert change.value.low < 0 < change.value.high and found.skill.word == "undecided"


# The document


def test_the_document_has_what_a_report_of_battles_needs(tmp_path: Path) -> None:
    plan, left = played(tmp_path, sweep={"axes": SKILLS}, compare=SWAP)
    document = build(plan, left.results, judge(plan, left.results))
    assert document["fight"]["wins"] == ["win_a", "win_b"]
    assert [edge["metric"] for edge in document["fight"]["edges"]] == ["win_a", "win_b"]
    skill = document["verdict"]["skill"]
    assert skill["axis"] == "policy"
    assert [rung["rung"] for rung in skill["rungs"]] == ["hold", "greedy"]
    assert sorted(number for rung in skill["rungs"] for number in rung["cells"]) == [
        row["cell"] for row in document["verdict"]["rows"]
    ]
    assert SimpleNamespace(**skill["changes"][0]).method in stats.METHODS
