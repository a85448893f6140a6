"""Plots and page of everybody against everybody."""

import re

import pytest

from simkit.report import matrixplot
from simkit.report.matrixsheet import sheet
from simkit.report.words import cleaned


def number(estimate, low, high, method="asymptotic"):
    return {"estimate": estimate, "low": low, "high": high, "level": 0.99, "n": 2_560, "method": method}


def made(names, word="first", groups=1, title="{}"):
    """Return a document in which each side beats those behind it, from one group or from several of the same size."""
    ids = [f"side-{k}" for k in range(len(names))]
    size = len(ids) // groups
    parts = [ids[k * size : (k + 1) * size] for k in range(groups)]
    pairs = [
        {
            "a": a,
            "b": b,
            "word": word,
            "score": number(0.7, 0.65, 0.75),
            "won": number(0.7, 0.6, 0.8, "beta-binomial"),
            "lost": number(0.3, 0.2, 0.4, "beta-binomial"),
            "drawn": number(0.0, 0.0, 0.01, "beta-binomial"),
            "capped": number(0.0, 0.0, 0.01, "beta-binomial"),
            "seat": number(0.0, -0.01, 0.01, "batch-t"),
            "on_draws": False,
            "games": 5_120,
            "further": 4_000 if word == "undecided" else 0,
        }
        for part in parts
        for k, a in enumerate(part)
        for b in part[k + 1 :]
    ]
    rows = {
        id: {
            "side": id,
            "rating": number(300.0 - 40 * k, 290.0 - 40 * k, 310.0 - 40 * k, "max-t"),
            "mean": number(0.6, 0.59, 0.61, "max-t"),
            "per_budget": number(20.0 + k, 19.0 + k, 21.0 + k, "max-t"),
            "seat": number(0.03, 0.01, 0.05, "max-t") if k % 2 else number(-0.0001, -0.02, 0.02, "max-t"),
            "beats": 1,
            "loses": 1,
            "even": 0,
            "open": 0,
            "share": 1.0 if k == 0 else 0.0,
            "least": 0.0,
            "most": 1.0,
            "regret": number(0.01 * k, 0.0, 0.01 * k + 0.02),
            "layer": k + 1,
            "layer_first": 1,
            "layer_last": k + 1,
            "layer_often": 0.9,
        }
        for k, id in enumerate(ids)
    }
    made_groups = [
        {
            "name": "all" if groups == 1 else f"group {g}",
            "budget": None,
            "rows": [rows[id] for id in part],
            "best": part[0],
            "beatable": part[1:],
            "effective": number(1.0, 1.0, 1.5),
            "seat": number(1.0, -1.0, 3.0),
            "prior": 0.0,
            "cycles": [part[:3]] if len(part) > 2 else [],
            "cycles_undecided": 2,
            "unexplained": number(0.2, 0.15, 0.25),
            "cyclic": number(0.1, 0.05, 0.2) if len(part) > 2 else None,
        }
        for g, part in enumerate(parts)
    ]
    counts = {key: len(pairs) if key == word else 0 for key in ("first", "second", "fair", "undecided")}
    return cleaned(
        {
            "name": "toy",
            "question": "Who?",
            "command": "matrix",
            "level": 0.99,
            "fair_within": 0.01,
            "sides": [
                {
                    "id": id,
                    "title": title.format(name),
                    "budget": {"amount": k + 1, "unit": "size classes"},
                    "table": {"design": id},
                }
                for k, (id, name) in enumerate(zip(ids, names, strict=True))
            ],
            "pairs": pairs,
            "groups": made_groups,
            "counts": counts,
            "draws": {"capped": 0, "on_draws": 1},
            "cost": {"games": 10_000, "uniform": 80_000, "times": 8.0, "longest": 9_000, "looks": 3},
            "edges": [{"name": "seat", "who": "the western seat", "value": number(0.03, 0.025, 0.035, "max-t")}],
            "both_orders": False,
            "uneven": [],
            "games_a_unit": 2,
            "least_trials": 5_120,
            "notes": ["Crusher met nobody"],
            "verdict": {"answer": "A.", "word": "one-best", "rule": "R.", "not_resolved": []},
        }
    )


def texts(svg):
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def names(count):
    return [f"Name{k}" for k in range(count)]


def lines(svg, colour):
    return svg.count(f"stroke: {colour}")


@pytest.mark.parametrize("narrow", [False, True])
def test_rows_and_columns_stand_by_rating(narrow):
    document = made(names(5))
    plot = matrixplot.heat(document, document["groups"], narrow=narrow)
    told = texts(plot.svg)
    rows = [text for text in told if text.startswith("Name")]
    assert rows == [f"Name{k} ({k + 1})" for k in range(5)]
    assert told.count("70") == told.count("30") == 10
    assert "Of 10 pairs 10 have a better side" in plot.alt
    assert ("+3.0" in told) is not narrow


def test_what_is_open_is_hatched_and_what_is_even_framed():
    plain, open_, even = (made(names(4), word) for word in ("first", "undecided", "fair"))
    svgs = [matrixplot.heat(document, document["groups"]).svg for document in (plain, open_, even)]
    hatched = [lines(svg, matrixplot.HATCH) for svg in svgs]
    assert hatched[0] == hatched[2] == 0 and hatched[1] > 0
    assert [lines(svg, "#009e73") > 0 for svg in svgs] == [False, False, True]
    assert any("Hatched: not resolved" in text for text in texts(svgs[1]))


def test_many_sides_have_colours_alone_on_a_phone():
    document = made(names(40))
    narrow, wide = (matrixplot.heat(document, document["groups"], narrow=narrow).svg for narrow in (True, False))
    assert "70" not in texts(narrow)
    assert sum(text.startswith("Name") for text in texts(narrow)) == 40
    assert sum(text.startswith("Name") for text in texts(wide)) == 40


def test_groups_stand_below_each_other_with_nothing_between():
    document = made(names(6), groups=2)
    told = texts(matrixplot.heat(document, document["groups"]).svg)
    assert told.count("70") == told.count("30") == 6


@pytest.mark.parametrize("draw", [matrixplot.ratings, matrixplot.bargains, matrixplot.picks])
@pytest.mark.parametrize("narrow", [False, True])
def test_plots_of_intervals(draw, narrow):
    document = made(names(20))
    plot = draw(document, document["groups"][0], narrow=narrow)
    rows = [text for text in texts(plot.svg) if text.startswith("Name")]
    assert len(rows) == (matrixplot.MOST_PICKS if draw is matrixplot.picks else 20)
    assert plot.svg == draw(document, document["groups"][0], narrow=narrow).svg
    assert plot.alt.startswith("Plot of intervals.")


def test_the_best_bargain_stands_on_top():
    document = made(names(3))
    rows = [text for text in texts(matrixplot.bargains(document, document["groups"][0]).svg) if text.startswith("Name")]
    assert rows == ["Name2 (3)", "Name1 (2)", "Name0 (1)"]


def test_nothing_is_said_to_be_0_or_100_for_sure():
    document = made(names(3))
    for pair in document["pairs"]:
        pair["score"]["estimate"] = 1.0
    told = texts(matrixplot.heat(document, document["groups"]).svg)
    assert "&gt;99" in told and "&lt;1" in told and told.count("100") == 1  # on the scale of colours


def test_a_page_says_everything_once():
    document = made(names(4), "undecided")
    shown = sheet(document)
    titles = [section.title for section in shown.sections]
    assert titles == [
        "Who beats whom",
        "How strong",
        "Points for the size classes",
        "What players would pick",
        "Rock, paper, scissors",
        "The seat and the first move",
        "All pairs",
    ]
    says = {section.title: " ".join(section.says) for section in shown.sections}
    assert "8.0 times as many" in says["Who beats whom"] and "Crusher met nobody." in says["Who beats whom"]
    assert "less than half of all games" in says["Who beats whom"]
    assert "10.0 % (5.0 to 20.0 %, 99 %) goes round in circles" in says["Rock, paper, scissors"]
    assert "20.0 % (15.0 to 25.0 %, 99 %) of how far scores lie" in says["Rock, paper, scissors"]
    assert "1 three beats each other in a circle, and 2 more may" in says["Rock, paper, scissors"]
    assert "the rules need a remedy" in says["The seat and the first move"]
    pairs = shown.sections[-1].tables[0]
    assert len(pairs.rows) == 6 and pairs.rows[0][-1] == "4,000"


def test_groups_have_sections_of_their_own():
    document = made(names(6), groups=2)
    titles = [section.title for section in sheet(document).sections]
    assert titles[:4] == ["Who beats whom", "How strong: group 0", "How strong: group 1", "The groups"]


def test_text_of_files_stays_text():
    document = made(names(3), title="<b>{}</b>")
    shown = sheet(document)
    for section in shown.sections:
        for figure in section.figures:
            assert "<b>" not in figure.wide.svg


def test_a_small_seat_is_said_to_be_small():
    document = made(names(3))
    document["edges"][0]["value"] |= {"estimate": 0.001, "low": -0.004, "high": 0.006}
    says = " ".join(next(one for one in sheet(document).sections if one.title.startswith("The seat")).says)
    assert "surely less than 2 pp" in says
