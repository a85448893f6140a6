"""The words of a report: what a player reads, one word for one thing, signs, units and exact differences."""

import copy
import re
from fractions import Fraction
from typing import Any

import pytest

from simkit import stats
from simkit.report import page, story, tables, verdicts, words
from tests.report_documents import made, shapes
from tests.test_report import Page, cells_of, page_of

SHAPES = shapes()
UP, DOWN, IN = ("higher", 0.1, 0.2), ("lower", -0.2, -0.1), ("fair", -0.005, 0.005)
OVER, NEARLY, BELOW = ("undecided", -0.1, 0.1), ("undecided", 0.001, 0.1), ("undecided", -0.1, -0.001)
Span = tuple[str, float, float]


def judged(document: dict[str, Any], *spans: Span) -> dict[str, Any]:
    """Return a document whose judged cells have these words and bounds."""
    rows = [
        row | {"word": word, "estimate": (low + high) / 2, "low": low, "high": high}
        for row, (word, low, high) in zip(document["verdict"]["rows"], spans, strict=True)
    ]
    resolved = {word for word, _, _ in spans} - {"undecided"}
    whole = {"higher": "raises", "lower": "lowers", "fair": "fair", "": "undecided"}.get("".join(resolved), "depends")
    unresolved = [row["cell"] for row in rows if row["word"] == "undecided"]
    return document | {"verdict": document["verdict"] | {"rows": rows, "word": whole, "not_resolved": unresolved}}


@pytest.mark.parametrize(
    ("value", "says", "seen"),
    [
        (False, "After failing he must climb again.", "Off: after failing he must climb again."),
        (True, "A wound ends the turn.", "On: a wound ends the turn."),
        ("lose_next_turn", "What a wound costs.", "lose next turn: what a wound costs."),
        (7, "PIG is hit on this.", "7: PIG is hit on this."),
        ("varies", "Dice of a roll.", "Varies: dice of a roll."),
        ([1, 2], "", "[1, 2]:"),
    ],
)
def test_assumptions_begin_with_what_they_are_set_to(value: Any, says: str, seen: str) -> None:
    entry = {"path": "some.rule", "value": value, "default": value, "id": "P-X-1", "source": "B", "says": says}
    assert seen in Page(page.html(made(assumptions=[entry]))).seen


def test_what_every_scenario_takes_for_granted_is_a_group_of_its_own() -> None:
    seen = Page(page_of("target")).seen
    assert "Taken for granted" in seen
    assert "A failed last roll costs one more turn. P-CRS-4" in seen
    bare = Page(page.html(made(model=[], assumptions=[]))).seen
    assert "Taken for granted" not in bare
    assert "Nothing but what the rules state." in bare
    assert "Nothing but" not in Page(page.html(made(assumptions=[]))).seen


def test_setting_is_told_below_the_answer_with_what_varies() -> None:
    text = page_of("baseline")
    assert text.index('class="answer"') < text.index("What is played") < text.index('class="facts"')
    told = re.sub("<[^>]*>", "", text[text.index('<p class="played">') :].split("</p>")[0])
    said = "The sweep varies: down 0, 1, 2 or 3; bog ford, shallow, deep sand or swamp; odds standard or altered. "
    assert told == f"{SHAPES['baseline']['setting']} {said}That makes 32 cells (combinations of what varies)."
    assert "The sweep varies" not in page_of("one cell")
    assert said in page.markdown(SHAPES["baseline"])


@pytest.mark.parametrize(
    ("values", "numbers", "said"),
    [
        (["no unicycle", "unicycle"], None, "off or on"),
        (["1", "2"], [1, 2], "1 or 2"),
        ([str(i) for i in range(11)], list(range(11)), "11 values from 0 to 10"),
        (["cross", "down 1, cross"], None, "'cross' or 'down 1, cross'"),
        (["heavy unicycle", "no unicycle", "light unicycle"], None, "heavy, no or light"),
        (list("abcdefghijk"), None, "a, b, c, d, e, f, g, h or 3 others"),
    ],
)
def test_values_of_an_axis_read_as_a_choice(values: list[str], numbers: Any, said: str) -> None:
    axis = {"path": "x", "title": "unicycle", "values": values, "numbers": numbers}
    cells = [{"factors": {"x": value}} for value in values]
    assert story.varies({"axes": [axis], "cells": cells}) == [("unicycle", said)]


def test_how_sure_the_answer_is_stands_smaller() -> None:
    text = page_of("baseline")
    assert '<span class="family">(99 % for all 16 together, max-T, n = 4,000 each).</span></p>' in text
    for plain in ("no parenthesis", "one (inside) it.", "ends (so)", "a (b (c) d)."):
        assert story.answer({"verdict": {"answer": plain}}) == (plain, "")
    assert story.answer({"verdict": {"answer": "1 (0 to 2) (so)."}}) == ("1 (0 to 2) ", "(so).")


@pytest.mark.parametrize(
    ("spans", "badge", "meaning"),
    [
        ([UP, UP, UP], "raises", "higher in every comparison"),
        ([DOWN, DOWN], "lowers", "lower in both comparisons"),
        ([DOWN, IN, DOWN], "it depends", "2 lower, 1 within 1 pp"),
        ([UP, OVER, UP], "raises", "2 higher, 1 not resolved"),
        ([UP, NEARLY], "raises", "1 higher; 1 higher, but not surely by 1 pp"),
        ([BELOW, BELOW], "not resolved", "lower, but not surely by 1 pp, in both comparisons"),
        ([OVER, OVER, OVER], "not resolved", "in none of the 3 comparisons can these trials tell"),
        ([UP], "raises", "by more than 1 pp"),
        ([IN], "fair", "within 1 pp"),
        ([NEARLY], "not resolved", "higher, but not surely by 1 pp"),
        ([OVER], "not resolved", "these trials cannot tell: the interval reaches over the line"),
    ],
)
def test_badge_counts_the_comparisons(spans: list[Span], badge: str, meaning: str) -> None:
    axis = {"x": list(range(len(spans) + 1))}
    document = judged(made(axis, baseline={"x": 0}, within=0.01), *spans)
    assert f"{badge} {meaning} " in Page(page.html(document)).seen
    assert f"{badge}** ({meaning})" in page.markdown(document)


def test_against_a_target_the_words_are_above_and_below() -> None:
    bounds = [("higher", 0.6, 0.7), ("lower", 0.3, 0.4), ("undecided", 0.51, 0.57), ("fair", 0.49, 0.51)]
    document = judged(made({"x": [1, 2, 3, 4]}, target=0.5, within=0.05), *bounds)
    text = page.html(document)
    leaning = "above, but not surely by 5 pp"
    assert [row[-1] for row in cells_of(text)[1:]] == ["▲ above", "▼ below", f"△ {leaning}", "◆ fair"]
    seen = Page(text).seen
    assert f"it depends 1 above; 1 {leaning}; 1 below; 1 within 5 pp" in seen
    assert re.search(rf"x 3 \(cell 3\): 54\S* % \(\S+ to \S+ %\); {leaning}; about", seen)
    assert f"| △ {leaning} |" in page.markdown(document)
    assert not re.search(r"\b(raises|lowers|higher|lower)\b", seen)
    under = Page(page.html(judged(document, *bounds[1:2] * 4))).seen
    assert "below below in every combination" in under
    alone = Page(page.html(judged(made(target=0.5), ("higher", 0.6, 0.7)))).seen
    assert "above in the only combination" in alone


def test_without_a_fair_band_nothing_leans() -> None:
    document = judged(made({"x": [1, 2]}, baseline={"x": 1}), ("undecided", 0.0, 0.1))
    assert verdicts.shades(document) == {"undecided": 1}
    inside = judged(made({"x": [1, 2]}, baseline={"x": 1}, within=0.05), ("undecided", 0.0, 0.1))
    assert verdicts.shades(inside) == {"undecided": 1}  # a bound on the line is not beyond it


def test_rule_of_the_verdict_says_what_pp_is() -> None:
    rule = "a difference counts when wholly beyond ±1 pp, fair when within 1 pp, else undecided"
    document = SHAPES["baseline"]
    said = "a difference counts when wholly beyond ±1 pp (percentage points), fair when within 1 pp, else not resolved"
    assert verdicts.rule(document | {"verdict": document["verdict"] | {"rule": rule}}) == said
    assert verdicts.rule(SHAPES["two cells"]).endswith("else not resolved; pp: percentage points")
    assert verdicts.rule(SHAPES["count"]).endswith("else not resolved")


def test_differences_stand_beside_their_exact_values() -> None:
    document = SHAPES["baseline"]
    header, *rows = cells_of(page_of("baseline"))
    column = header.index("exact difference")
    assert header[column - 1] == "difference from standard odds"
    for row, cell in zip(rows, document["cells"], strict=True):
        if cell["baseline"] is None:
            assert row[column] == ""
            continue
        base = document["cells"][cell["baseline"] - 1]
        gain = cell["exact"]["finished"]["value"] - base["exact"]["finished"]["value"]
        assert row[column] == f"{100 * gain:+.4f} pp"
    assert "exact difference" not in page_of("no baseline")
    assert "exact difference" not in page.html(made({"odds": [1, 2]}, baseline={"odds": 1}, exact=False))
    assert "| exact difference |" in page.markdown(document)


@pytest.mark.parametrize(
    ("ours", "theirs", "kind", "said"),
    [
        ("2/3", "1/3", "points", "+33.3333 pp"),
        ("1/3", "2/3", "points", "-33.3333 pp"),
        ("1/2", "1/2", "points", "0 pp"),
        ("50000001/100000000", "1/2", "points", "+1e-06 pp"),
        ("3/2", "1", "count", "+0.5"),
        ("1", "5/3", "count", "-0.666667"),
        ("2", "2", "count", "0"),
        ("infinite", "2", "count", ""),
        ("2", "infinite", "count", ""),
    ],
)
def test_exact_differences_lose_no_digit(ours: str, theirs: str, kind: Any, said: str) -> None:
    def cell(text: str) -> dict[str, Any]:
        return {"exact": {"m": {"fraction": text, "value": None if text == "infinite" else float(Fraction(text))}}}

    assert words.exact_difference(cell(ours), cell(theirs), "m", kind) == said
    assert words.exact_difference(cell(ours), cell(theirs), "other", kind) == ""
    assert words.exact_difference(cell(ours), None, "m", kind) == ""


@pytest.mark.parametrize(
    ("numbers", "kind", "difference", "said"),
    [
        ((0.0, 0.0, 0.0), "count", False, ("never in 4,000 trials", "")),
        ((0.0, 0.0, 0.0), "count", True, ("never different in 4,000 trials", "")),
        ((2.0, 2.0, 2.0), "count", False, ("2 in all 4,000 trials", "")),
        ((2.0, 2.0, 2.0), "count", True, ("+2 in all 4,000 trials", "")),
        ((-2.0, -2.0, -2.0), "count", True, ("-2 in all 4,000 trials", "")),
        ((0.15, 0.05, 0.25), "count", True, ("+0.15", "+0.05 to +0.25")),
        ((0.05, -0.15, 0.25), "count", True, ("+0.05", "-0.15 to +0.25")),
        ((0.15, 0.0, 0.25), "count", True, ("+0.15", "0.00 to +0.25")),
        ((0.15, 0.05, 0.25), "count", False, ("0.15", "0.05 to 0.25")),
        ((0.15, 0.05, 0.25), "points", True, ("+15 pp", "+5 to +25 pp")),
    ],
)
def test_signs_and_units_of_what_is_printed(
    numbers: tuple[float, float, float], kind: Any, difference: bool, said: tuple[str, str]
) -> None:
    entry = dict(zip(("estimate", "low", "high"), numbers, strict=True)) | {"level": 0.99, "n": 4000, "method": "t"}
    value, interval = words.value_and_interval(entry, kind, difference=difference)
    assert (value, re.sub(r"\b0\.0+\b(?= to)", "0.00", interval)) == said
    assert words.spelt(value, interval) == (f"{value} ({interval})" if interval else value)
    if not interval:
        units = words.value_and_interval(entry, kind, difference=difference, units="units")
        assert units == (said[0].replace("trials", "units"), "")


def test_units_are_trials_unless_trials_share_their_dice() -> None:
    document = copy.deepcopy(made(share=lambda point: 0.5))
    assert "pairs a cell" not in page.html(document)
    still = {"estimate": 0.0, "low": 0.0, "high": 0.0, "level": 0.99, "n": 4000, "method": "batch-t"}
    document["cells"][0]["metrics"]["turns_used"] = still
    assert "(turns used): never in 4,000 trials of any cell" in Page(page.html(document)).seen
    document["cells"][0]["trials"] = 8000
    seen = Page(page.html(document)).seen
    assert "(turns used): never in 4,000 pairs of games of any cell" in seen
    assert "trials a cell 8,000 pairs a cell (the second game on the dice of the first) 4,000" in seen
    assert "For a mean: the pairs of games are dealt into 256 batches" in seen


@pytest.mark.parametrize(
    ("corrected", "said"),
    [
        (0.4, "(wounded of cell 17) is nothing unusual."),
        (0.05, "(wounded of cell 17) is nothing unusual."),
        (0.03, "is one that pure luck produces about once in 33 such reports: nothing to worry about."),
        (3e-8, "about once in 33,000,000 such reports. That does not fit: do not trust this run"),
        (0.0, "is one that pure luck produces practically never. That does not fit: do not trust this run"),
    ],
)
def test_check_is_said_in_reports(corrected: float, said: str) -> None:
    found = {"compared": 1352, "smallest": corrected / 1352, "where": "wounded of cell 17", "corrected": corrected}
    text = story.check(made(check=found))
    assert text.startswith("All 1,352 simulated shares were compared with their exact values")
    assert said in text
    assert story.check(made(check=found | {"where": ""})).endswith("None disagrees.")


def test_tiles_are_six_at_most_and_leave_out_what_saves_nothing() -> None:
    assert all(3 <= len(tables.facts(document)) <= 6 for document in SHAPES.values())
    document = SHAPES["baseline"]
    facts = dict(tables.facts(document))
    assert len(facts) == 6
    assert facts["comparisons"] == "16 among 32 cells"
    assert facts["checked against the exact solution"] == "agrees"
    assert facts["shared dice are worth"] == "3.2 times the trials"
    bad = document["check"] | {"corrected": 1e-9}
    assert dict(tables.facts(document | {"check": bad}))["checked against the exact solution"] == "does not agree"
    little = document | {"pairing": {"comparisons": 16, "variance_ratio": 1.04}}
    assert "shared dice are worth" not in dict(tables.facts(little))
    assert "as good as 1.04 times the trials" in page.html(little)
    assert "as good as 3.2 times the trials" in page_of("baseline")


def test_replays_say_how_common_and_why_there() -> None:
    document = SHAPES["baseline"]
    low, high = stats.clopper_pearson(535, 2000, 0.99)
    said = story.commonness(document, "the commonest outcome: 535 of 2,000 trials")
    pattern = r"the commonest outcome: (\S+) % \((\S+) to (\S+) %\) of all trials, going by the first 2,000"
    found = re.fullmatch(pattern, said)
    assert found is not None
    assert [float(text) for text in found.groups()] == pytest.approx([26.75, 100 * low, 100 * high], abs=0.1)
    assert story.commonness(document, "the worst of the first 2,000 trials") == "the worst of the first 2,000 trials"
    where = (
        "All three were played in cell 1 (down 0, ford, standard odds), the combination with the greatest difference."
    )
    assert where in Page(page_of("baseline")).seen
    assert story.chosen_cell(SHAPES["target"], SHAPES["target"]["cells"][0]).endswith("the greatest 'finished'.")
    assert story.chosen_cell(SHAPES["one cell"], SHAPES["one cell"]["cells"][0]) == ""


def test_trials_beyond_reason_are_not_counted() -> None:
    row = {"estimate": 0.5 + 1e-8, "low": 0.4, "high": 0.6, "n": 1000}
    assert words.further_trials(made(target=0.5), row, {"trials": 1000}) == "more trials than it is worth"


def test_level_of_a_family_is_said_in_reports() -> None:
    several = (
        "In 99 % of such reports every one of the 16 judged intervals contains its true value; in 1 % at least one"
    )
    assert several in page_of("baseline")
    assert "There is only one judged interval. In 99 % of such reports it contains its true value." in page_of(
        "one cell"
    )
