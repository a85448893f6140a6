"""The averages of a verdict on the page: a plot at either width, a table, and an answer with a line for each rung."""

import html
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import simkit
from simkit.report import averages, page, plots, story
from simkit.report.canvas import NARROW, WIDE, text_width
from simkit.report.words import axis_label
from tests.commandline import document_alone

SVG = "{http://www.w3.org/2000/svg}"

QUESTION = {
    "schema": 1,
    "name": "field",
    "question": "What is a captain worth?",
    "game": "jugger",
    "run": {"trials": 600},
    "sides": {
        "a": {"design": {"title": "Jug", "size": 2, "equipment": ["catapult", "mace arm"]}},
        "b": {"design": "axer"},
    },
    "sweep": {
        "axes": {
            "sides.b.design": ["axer", "tug"],
            "scenario.distance": [3, 7, 11, 15],
            "policy": ["hold", "random"],
            "sides.a.design.captain": [[], ["meleer"], ["artillerist"]],
        }
    },
    "compare": {"baseline": {"sides.a.design.captain": []}},
    "report": {"metric": "score_a", "fair_within": 0.02},
}


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simkit.report.files.write_report", document_alone)
        return dict(simkit.run(QUESTION, out=tmp_path_factory.mktemp("out")).document)


@pytest.fixture(scope="module")
def crowd(document: dict[str, Any]) -> dict[str, plots.Plot]:
    return {plot.name: plot for plot in plots.available(document)}


def texts(svg: str) -> list[str]:
    """Return every piece of text of a plot."""
    return ["".join(node.itertext()) for node in ET.fromstring(svg).iter(f"{SVG}text")]


def test_averages_come_first_and_panels_that_have_no_room_do_not_come(crowd: dict[str, plots.Plot]) -> None:
    assert list(crowd)[:2] == ["averages", "forest"]
    assert "curves" in crowd  # two designs and two players fit


def test_a_field_too_large_for_panels_has_no_curves(document: dict[str, Any]) -> None:
    cells = [
        {**cell, "factors": {**cell["factors"], "more": f"x{k}"}, "labels": {**cell["labels"], "more": f"x{k}"}}
        for cell in document["cells"]
        for k in range(9)
    ]
    axis = {"path": "more", "title": "more", "values": [f"x{k}" for k in range(9)], "numbers": None}
    large = {**document, "cells": cells, "axes": [*document["axes"], axis]}
    from simkit.report import curves

    assert not curves.fits(large)
    verdict = {key: value for key, value in large["verdict"].items() if key != "averages"}
    assert curves.fits({**large, "verdict": verdict})


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.thorough
def test_the_plot_names_every_variant_and_rung_on_the_sheet(document: dict[str, Any], narrow: bool) -> None:
    (plot,) = (one for one in plots.available(document, narrow=narrow) if one.name == "averages")
    said = texts(plot.svg)
    for word in ("Meleer", "Artillerist"):
        assert said.count(word) == 1
    for rung in ("hold", "random"):
        assert said.count(rung) == 2
    width = NARROW if narrow else WIDE
    for node in ET.fromstring(plot.svg).iter(f"{SVG}text"):
        css = dict(part.split(": ", 1) for part in node.attrib["style"].split("; "))
        long = text_width("".join(node.itertext()), float(css["font-size"].removesuffix("px"))) * 0.9
        at = float(node.attrib["x"])
        start = {"start": at, "middle": at - long / 2, "end": at - long}[css["text-anchor"]]
        assert start > -6, node.text
        assert start + long < width + 6, node.text


def test_the_table_has_the_numbers_of_the_verdict(document: dict[str, Any]) -> None:
    rows = document["verdict"]["averages"]["rows"]
    made = averages.table(document)
    assert [what for _, what, _ in made.rows] == [f"{row['variant']} at {row['rung']}" for row in rows]
    for (_, _, (field,)), row in zip(made.rows, rows, strict=True):
        assert float(re.sub(r"[ p+]", "", field.text)) == pytest.approx(100 * row["estimate"], abs=0.06)
    assert made.note == document["verdict"]["averages"]["how"]


@pytest.mark.thorough
def test_the_answer_has_a_line_for_every_rung(document: dict[str, Any]) -> None:
    text, family = story.answer(document)
    lead, lines = story.parts(document, text)
    assert lead.endswith("is, for each rung of skill:")
    assert [line.partition(",")[0] for line in lines[:-1]] == ["at hold", "at random"]
    assert lines[-1].startswith("single comparisons run from ")
    shown = html.unescape(page.html(document))
    assert all(f"<li>{line}" in shown for line in lines)
    assert shown.count(family) >= 1
    plain = {**document, "verdict": {k: v for k, v in document["verdict"].items() if k != "averages"}}
    assert story.parts(plain, text) == (text, [])


def test_points_of_points_are_percentage_points(document: dict[str, Any]) -> None:
    assert axis_label(document, "score_a_minus_baseline") == "change of 'score_a', percentage points"
    assert axis_label(document, "score_a") == "'score_a', % of the points"


def test_without_averages_there_is_nothing_to_draw(document: dict[str, Any]) -> None:
    plain = {**document, "verdict": {k: v for k, v in document["verdict"].items() if k != "averages"}}
    assert not averages.fits(plain)
    with pytest.raises(ValueError, match="needs a verdict with averages"):
        averages.draw(plain, narrow=False)
