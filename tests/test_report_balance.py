"""The report of what is overpowered: its sentences, tables and plots say what the document says."""

import re
import tomllib
import xml.etree.ElementTree as ElementTree

import pytest

import simkit
from simkit.balance.items.findings import _word
from simkit.balance.items.sayings import item_says, option_says, unresolved
from simkit.report import balance, needplot, rangeplot
from simkit.report.rangeplot import Row, Rows, Span
from simkit.report.sheet import markdown
from simkit.report.style import SERIES, settings
from simkit.report.words import cleaned

pytestmark = pytest.mark.thorough

QUESTION = """
schema = 1
name = "smallest"
question = "What is worth its space?"
game = "jugger"
[sides]
a = { design = "warbuggy" }
b = { design = "warbuggy" }
[scenario]
distance = 3
max_turns = 20
[balance]
items = ["legs", "catapult"]
budgets = [1, 2]
trials = 40_000
frame = { sample = 5, holders = 2, strongest = 2, tried = 4 }
[balance.conditions]
policy = ["hold", "greedy"]
[balance.prices.legs]
path = "legs_spaces"
values = [0, 1]
budgets = [2]
conditions = { policy = ["greedy"] }
[balance.options]
"greater jugs" = { set = { hits_per_size = 30 } }
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return simkit.balance(tomllib.loads(QUESTION), out=tmp_path_factory.mktemp("out"))


def test_every_section_is_there_and_every_number_has_its_interval(found):
    text = markdown(found.document, balance.sheet(cleaned(found.document)))
    assert text.splitlines()[0].startswith("#")
    assert found.answer.split(" (")[0] in text
    for title in ("Item by item", "Fair prices", "Rule options", "Which builds met", "What the words mean"):
        assert title in text
    for one in found.document["cases"]:
        for row in one["items"]:
            assert one["price"] is not None or row["word"] in text
    assert re.search(r"[+-]\d+\.\d+ pp \([+-][\d.]+ to [+-][\d.]+ pp\)", text)
    assert "played by" in str(balance.sheet(cleaned(found.document)).facts)


def test_the_same_word_in_the_summary_as_over_its_cases(found):
    item = found.document["items"][0]
    assert set(item["by"]) == {"size class 1", "size class 2", "hold", "greedy"}
    plain = [one for one in found.document["cases"] if one["price"] is None]
    assert sum(item["counts"].values()) == len(plain) == 4


def test_fair_prices_come_from_the_lifts_at_the_prices(found):
    (price,) = found.document["prices"]
    assert (price["item"], price["path"], price["title"]) == ("legs", "legs_spaces", "size class 2, greedy")
    assert [one["price"] for one in price["tried"]] == [0, 1]
    assert price["word"] in ("found", "below", "above", "unclear")
    assert not set(price["fair"]) & set(price["unfair"])


def test_plots_are_drawn_in_both_forms(found):
    document = cleaned(found.document)
    sections = balance.sheet(document).sections
    figures = [figure for section in sections for figure in section.figures]
    names = [figure.wide.name for figure in figures]
    assert names[:3] == ["lifts", "need", "usage"] and "options" in names
    for figure in figures:
        for plot, width in ((figure.wide, 720), (figure.narrow, 328)):
            root = ElementTree.fromstring(plot.svg)
            assert root.get("width", "").startswith(str(width))
            assert plot.alt
    assert (found.folder / "plots" / "lifts.svg").is_file()


def test_more_items_than_marks_keep_apart():
    marks = [needplot.mark_of(place) for place in range(8)]
    assert len({(mark.shape, mark.colour) for mark in marks}) == 8


def test_a_plot_of_ranges_shows_what_it_is_asked_to():
    rows = [Row("legs", f"case {k}", [Span(0.1 * k, 0.1 * k + 0.02, 0.1 * k + 0.04, 0)]) for k in range(3)]
    plot = Rows("Title", ["note"], rows, "share", "label", [(SERIES[0], "word")], line=None, thick=True, reach=(0, 1))
    with settings():
        svg = rangeplot.draw(plot, False)
    for word in ("Title", "note", "case 2", "label", "word", ">100<"):
        assert word in svg


NUMBER = {"estimate": 0.08, "low": 0.06, "high": 0.1, "level": 0.99, "n": 64, "method": "sidak"}


def row(word, **more):
    return {"word": word, **dict.fromkeys(("need", "regret", "lift_uniform"), NUMBER), **more}


@pytest.mark.parametrize(
    ("word", "words", "says"),
    [
        ("overpowered", ["overpowered"], "x: overpowered; who goes without loses 8.0 pp (6.0 to 10.0 pp)"),
        ("must-pick", ["must-pick", "fair"], "x: must-pick in 1 of 2 cases (case 0); who goes without loses 8.0 pp"),
        ("dominated", ["dominated"] * 2, "x: dominated in both cases; who must take it loses 8.0 pp"),
        ("fair", ["fair"] * 3, "x: fair in all 3 cases; having it gains +8.0 pp (+6.0 to +10.0 pp) in case 0"),
        ("depends", ["fair", "niche", "fair"], "x: depends (fair in 2, niche in 1 of 3 cases); having it gains"),
    ],
)
def test_what_is_said_of_an_item(word, words, says):
    rows = {f"case {k}": row(one) for k, one in enumerate(words)}
    where = [title for title, one in rows.items() if one["word"] == word] or list(rows)
    assert item_says("x", word, where, rows).startswith(says)


def test_a_firm_split_is_no_indecision():
    up, down = ({**NUMBER, "estimate": at, "low": at - 0.02, "high": at + 0.02} for at in (0.2, -0.2))
    rows = {
        "greedy 3": row("dominated", possible=[]) | {"lift_uniform": down},
        "random 3": row("undecided", possible=["must-pick", "strong on average"]) | {"lift_uniform": up},
        "random 4": row("undecided", possible=["dominated", "fair"]),
    }
    said = item_says("x", "depends", list(rows), rows)
    assert said.startswith("x: depends (undecided in 2, dominated in 1 of 3 cases, in 1 of those undecided surely not ")
    assert "-20.0 pp" in said and "in greedy 3 to +20.0 pp" in said and said.endswith("in random 3")
    assert _word(["depends", "undecided"]) == _word(["depends", "fair"]) == "depends"
    assert (_word(["fair", "undecided"]), _word(["depends", "overpowered"])) == ("undecided", "overpowered")


@pytest.mark.parametrize(
    ("becomes", "trials", "cell", "sentence"),
    [
        ("fair", 9_000, "fair, with 9,000 trials?", "if the estimates stay, fair with about 9,000 trials"),
        ("", 90_000, "with 90,000 trials?", "if the estimates stay, decided with about 90,000 trials"),
        ("", 0, "", "no forecast: too little was played"),
    ],
)
def test_forecasts_are_told_as_far_as_they_go(becomes, trials, cell, sentence):
    reason = "not resolved; no forecast: too little was played"
    made = row("undecided", becomes=becomes, trials=trials, severe=False, item="x", reason=reason)
    assert balance._word(made).interval == cell
    told = unresolved([{"items": [made], "title": "here", "price": None}], [])
    assert told == [f"x in here: {sentence}"]


def test_what_is_said_of_an_option(found):
    (metric,) = (one for one in simkit.check(tomllib.loads(QUESTION)).game.OUTCOMES if one.name == "score_a")
    said = option_says({"change": NUMBER, "title": "hold", "conditions": {"policy": "hold"}}, metric)
    assert said == "+8.0 pp (+6.0 to +10.0 pp) in hold"
