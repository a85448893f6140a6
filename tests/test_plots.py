"""The plots: every shape of document gives repeatable SVG that says what the document says, and leaves no trace."""

import functools
import re
import xml.etree.ElementTree as ET
from typing import Any

import matplotlib as mpl
import pytest

from simkit import stats
from simkit.balance.document import estimate_of
from simkit.report import curves, facets, forest, plots, style, words
from simkit.report.canvas import NARROW, WIDE, Box, scale, text_width
from tests.report_documents import made, shapes

SHAPES = shapes()
SVG = "{http://www.w3.org/2000/svg}"
EXPECTED = {
    "one cell": ["outcomes"],
    "one cell against a target": ["forest", "outcomes"],
    "one cell never": ["outcomes"],
    "two cells": ["forest", "curves", "outcomes"],
    "two axes of words": ["forest", "heatmap"],
    "two axes of words, compared": ["forest", "heatmap"],
    "house rules": ["forest", "heatmap"],
    "other readings": ["forest", "curves", "outcomes", "tornado"],
}
"""Plots of a shape, where they are not a forest with curves."""


@functools.cache
def drawn(name: str, narrow: bool = False) -> list[plots.Plot]:
    """Return the plots of a shape."""
    return plots.available(SHAPES[name], narrow=narrow)


def texts(svg: str) -> list[str]:
    """Return every piece of text of a plot."""
    return ["".join(node.itertext()) for node in ET.fromstring(svg).iter(f"{SVG}text")]


def colours(svg: str, key: str) -> set[str]:
    """Return the colours that a plot fills or strokes with."""
    return set(re.findall(rf"\b{key}: (#[0-9a-f]{{6}})", svg))


@pytest.mark.parametrize("narrow", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_has_its_plots(name: str, narrow: bool) -> None:
    found = drawn(name, narrow)
    assert [plot.name for plot in found] == EXPECTED.get(name, ["forest", "curves"])
    for plot in found:
        root = ET.fromstring(plot.svg)
        left, top, width, height = (float(x) for x in root.attrib["viewBox"].split())
        assert (left, top, width) == (0, 0, NARROW if narrow else WIDE)
        assert 40 < height < 2500
        assert plot.alt
        assert " ".join(texts(plot.svg)[: 1 + plot.title.count(" ")]).startswith(plot.title[:20])
        assert not re.search(r"\b(nan|inf)\b", plot.svg, re.IGNORECASE)


@pytest.mark.parametrize("narrow", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", SHAPES)
def test_text_stays_on_the_sheet(name: str, narrow: bool) -> None:
    width = NARROW if narrow else WIDE
    for plot in drawn(name, narrow):
        for node in ET.fromstring(plot.svg).iter(f"{SVG}text"):
            css = dict(part.split(": ", 1) for part in node.attrib["style"].split("; "))
            long = text_width("".join(node.itertext()), float(css["font-size"].removesuffix("px"))) * 0.9
            at = float(node.attrib["x"])
            start = {"start": at, "middle": at - long / 2, "end": at - long}[css["text-anchor"]]
            assert start > -6, (plot.name, node.text)
            assert start + long < width + 6, (plot.name, node.text)


@pytest.mark.parametrize("name", ["baseline", "scattered", "two axes of words", "one cell"])
def test_plots_repeat_to_the_byte(name: str) -> None:
    assert plots.available(SHAPES[name]) == drawn(name)


def test_the_readers_settings_neither_matter_nor_change() -> None:
    usual = drawn("baseline")
    theirs = {
        "axes.facecolor": "red",
        "svg.fonttype": "path",
        "font.size": 30,
        "text.color": "white",
        "lines.linewidth": 9,
    }
    with mpl.rc_context(theirs):
        before = dict(mpl.rcParams)
        assert plots.available(SHAPES["baseline"]) == usual
        assert dict(mpl.rcParams) == before


def test_files_say_nothing_of_when_and_with_what_they_were_made() -> None:
    svg = plots.forest(SHAPES["target"])
    assert "Matplotlib" not in svg
    assert "<metadata" not in svg
    assert not re.search(r"\b20\d\d-\d\d", svg)


def test_forest_prints_the_verdicts_numbers() -> None:
    document = SHAPES["baseline"]
    for narrow in (False, True):
        said = " ".join(texts(plots.forest(document, narrow=narrow)))
        for row in document["verdict"]["rows"]:
            estimate = estimate_of(row)
            assert stats.format_estimate(estimate, "points") in said
            assert stats.format_interval(estimate, "points") in said
        assert document["verdict"]["family"] in said
        assert "percentage points of attempts" in said
        assert "within 1 pp" in said


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("many measured", "the 20 highest and the 20 lowest of 300 cells"),
        ("long line", "the 40 most extreme of 120 cells"),
    ],
)
def test_forest_of_many_cells_shows_the_most_extreme_and_says_so(name: str, note: str) -> None:
    document = SHAPES[name]
    rows, said = forest.chosen(document)
    everything = document["verdict"]["rows"]
    assert said == note
    assert note in " ".join(texts(plots.forest(document)))
    assert len(rows) == forest.SHOWN
    line = words.target(document)
    if line is not None:
        left = {row["cell"] for row in everything} - {row["cell"] for row in rows}
        values = {row["cell"]: abs(row["estimate"] - line) for row in everything}
        assert max(values[cell] for cell in left) <= min(values[row["cell"]] for row in rows)
    assert [row["estimate"] for row in rows] == sorted((row["estimate"] for row in rows), reverse=True)


def test_forest_of_fewer_cells_shows_them_all_in_their_order() -> None:
    document = SHAPES["many"]
    assert len(document["verdict"]["rows"]) == 48
    assert forest.chosen(document) == (document["verdict"]["rows"], "")


def test_forest_without_a_line_has_none() -> None:
    measured, held = plots.forest(SHAPES["no baseline"]), plots.forest(SHAPES["target"])
    assert style.BAND not in colours(measured, "fill")
    assert style.BAND in colours(held, "fill")
    assert "target" not in " ".join(texts(measured))


def test_marks_differ_in_shape_and_not_only_in_colour() -> None:
    for marks in (style.MARKS.values(), (style.BASELINE, *style.SERIES)):
        looks = {(mark.shape, mark.filled) for mark in marks}
        assert len(looks) == len(marks)
    assert len({mark.glyph for mark in style.BADGES.values()}) == len(style.BADGES)
    assert not style.MARKS["undecided"].filled


def test_what_is_not_resolved_is_hollow() -> None:
    shares = {0: 0.5, 1: 0.9}
    document = made({"down": [0, 1]}, target=0.5, share=lambda point: shares[point["down"]])
    assert [row["word"] for row in document["verdict"]["rows"]] == ["undecided", "higher"]
    svg = plots.forest(document)
    definitions = {d.attrib["id"]: d.attrib["style"] for d in ET.fromstring(svg).iter(f"{SVG}path") if "id" in d.attrib}
    uses = [use.attrib for use in ET.fromstring(svg).iter(f"{SVG}use")]
    fills = [re.search(r"fill: (#\w+)", use["style"]) for use in uses]
    assert definitions
    assert {fill.group(1) for fill in fills if fill} >= {style.PAPER, style.BLUE}


@pytest.mark.parametrize(
    "text",
    ["$x^", "$x^$", "a $b$ c", r"\frac{1}{2}$", "a_b^{c}", "<b>&amp;", "x" * 200, "豚 🐷", "%s {} %(x)s", "_hidden"],
)
def test_names_are_not_read_as_anything(text: str) -> None:
    axes: dict[str, Any] = {"bog": ["ford", "other"], "down": [1, 2]}
    document = made(axes, labels={"other": text}, question=text)
    for narrow in (False, True):
        for plot in plots.available(document, narrow=narrow):
            assert any(words.short(text, 8)[:4] in piece for piece in texts(plot.svg)), plot.name


def test_curves_draw_exact_lines_and_direct_labels() -> None:
    svg = plots.curves(SHAPES["baseline"])
    said = texts(svg)
    assert "line: exact" in said
    assert said.count("standard odds") == 2  # in the key and at the line
    assert said.count("altered odds") == 2
    assert "stroke-dasharray" in svg
    assert {f"bog: {name}" for name in ("ford", "shallow", "deep sand", "swamp")} <= set(said)
    assert "'finished', % of attempts" in said
    assert said.count("down") == 4
    assert "line: joins the points" in texts(plots.curves(SHAPES["not solved"]))


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize(("gap", "named"), [(0.3, 2), (0.02, 1)])
def test_two_lines_are_named_only_where_they_run_apart(gap: float, named: int, narrow: bool) -> None:
    document = made(
        {"x": list(range(5)), "odds": ["low", "high"]},
        baseline={"odds": "low"},
        share=lambda point: 0.4 + 0.02 * point["x"] + gap * (point["odds"] == "high"),
    )
    said = texts(plots.curves(document, narrow=narrow))
    assert [said.count(name) for name in ("low", "high")] == [named, named]


def test_three_lines_have_the_legend_alone() -> None:
    document = made({"x": [1, 2, 3], "odds": ["low", "high", "odd"]}, baseline={"odds": "low"})
    assert [texts(plots.curves(document)).count(name) for name in ("low", "high", "odd")] == [1, 1, 1]


def test_names_of_lines_keep_clear() -> None:
    room = Box(0, 0, 300, 200)
    flat = [(float(x), 80.0, 90.0) for x in range(20, 300, 40)]
    under = [(x, 150.0, 155.0) for x, _, _ in flat]
    free = curves._name_places(flat, under, 40, room, [])
    assert free
    assert all(box.top + box.height < 80 for _, box in free)
    assert all(away == 60 for away, _ in free)
    assert not curves._name_places(flat, under, 40, room, [((0, 65), (300, 65))])
    assert not curves._name_places(flat, [(x, 100.0, 110.0) for x, _, _ in flat], 40, room, [])
    assert not curves._name_places(flat, under, 400, room, [])


@pytest.mark.parametrize(
    ("start", "end", "meets"),
    [
        ((0, 0), (30, 30), True),
        ((15, 0), (15, 100), True),
        ((0, 15), (100, 15), True),
        ((12, 12), (13, 13), True),
        ((0, 0), (9, 9), False),
        ((25, 0), (25, 100), False),
        ((0, 25), (100, 25), False),
        ((0, 24), (40, 4), True),
        ((18, 0), (40, 30), False),
    ],
)
def test_lines_and_boxes_meet(start: tuple[float, float], end: tuple[float, float], meets: bool) -> None:
    assert curves._crosses(Box(10, 10, 10, 10), start, end) == meets
    assert curves._crosses(Box(10, 10, 10, 10), end, start) == meets


def test_target_of_curves_is_named_where_no_line_runs() -> None:
    said = " ".join(texts(plots.curves(SHAPES["target"])))
    assert "level line: target 50 %, shaded: within 5 pp" in said
    assert "level line: target 50 %" in " ".join(texts(plots.curves(SHAPES["long line"])))
    assert "level line" not in " ".join(texts(plots.curves(SHAPES["baseline"])))


def test_what_leans_has_a_mark_and_a_legend_of_its_own() -> None:
    spans = (("higher", 0.6, 0.7), ("undecided", 0.51, 0.57), ("undecided", 0.4, 0.49), ("undecided", 0.4, 0.6))
    document = made({"x": [1, 2, 3, 4]}, target=0.5, within=0.05)
    for row, (word, low, high) in zip(document["verdict"]["rows"], spans, strict=True):
        row.update(word=word, estimate=(low + high) / 2, low=low, high=high)
    said = texts(plots.forest(document))
    for word in ("above", "above, but not surely by 5 pp", "below, but not surely by 5 pp", "not resolved"):
        assert said.count(word) == 1
    alt = next(plot.alt for plot in plots.available(document) if plot.name == "forest")
    assert "of 4 cells: 1 above; 1 above, but not surely by 5 pp; 1 below, but not surely by 5 pp; 1 not" in alt


def test_curves_mark_the_baseline_on_a_single_line() -> None:
    assert "target 6" in texts(plots.curves(SHAPES["numbers"]))
    assert "target 6" not in texts(plots.curves(SHAPES["not solved"]))


def test_heatmap_hatches_what_is_not_resolved() -> None:
    undecided = made({"a": ["x", "y"], "b": ["u", "v"]}, target=0.5, share=lambda point: 0.5)
    decided = made({"a": ["x", "y"], "b": ["u", "v"]}, target=0.5, share=lambda point: 0.9)
    assert "hatched: not resolved" in " ".join(texts(plots.heatmap(undecided)))
    leaning = made({"a": ["x", "y"], "b": ["u", "v"]}, target=0.5, within=0.08, share=lambda point: 0.56)
    assert "hatched: above, but not surely by 8 pp" in " ".join(texts(plots.heatmap(leaning)))
    assert "<pattern" in plots.heatmap(leaning)
    assert "<pattern" in plots.heatmap(undecided)
    assert "hatched" not in " ".join(texts(plots.heatmap(decided)))
    assert "<pattern" not in plots.heatmap(decided)


def test_plots_that_do_not_fit_say_so() -> None:
    for draw, name in ((plots.curves, "one cell"), (plots.heatmap, "baseline"), (plots.outcomes, "baseline")):
        with pytest.raises(ValueError, match="document"):
            draw(SHAPES[name])


def test_axes_of_a_sweep_find_their_place() -> None:
    found = facets.arrange(SHAPES["baseline"])
    assert found is not None
    assert [(line.label, line.baseline) for line in found.series] == [("standard odds", True), ("altered odds", False)]
    assert [panel.title for panel in found.panels] == ["bog: ford", "bog: shallow", "bog: deep sand", "bog: swamp"]
    assert found.joined
    assert [x for x, _ in found.panels[0].points[0]] == [0, 1, 2, 3]
    assert all(cell["baseline"] is None for panel in found.panels for _, cell in panel.points[0])

    single = facets.arrange(SHAPES["numbers"])
    assert single is not None
    assert [line.label for line in single.series] == [""]
    assert len(single.panels) == 1

    three = facets.arrange(SHAPES["three axes"])
    assert three is not None
    assert [line.label for line in three.series] == ["x", "y"]
    assert three.by == ["c"]

    crowd = facets.arrange(SHAPES["many measured"])
    assert crowd is not None
    assert len(crowd.panels) == 10

    loose = facets.arrange(SHAPES["scattered"])
    assert loose is not None
    assert (loose.grid, loose.joined, [panel.x["path"] for panel in loose.panels]) == (False, False, ["x", "y", "z"])
    assert all(len(panel.points[0]) == 16 for panel in loose.panels)
    assert facets.arrange(SHAPES["one cell"]) is None


def test_panels_without_room_are_counted() -> None:
    document = made({"x": [1, 2, 3, 4], "a": list("abcde"), "b": list("uvwxy")})
    found = facets.arrange(document)
    assert found is not None
    assert (len(found.panels), found.left_out) == (12, 13)
    assert "13 further panels not shown" in texts(plots.curves(document))


@pytest.mark.parametrize("kind", ["share", "points", "count"])
def test_scales_cover_what_they_show(kind: Any) -> None:
    for low, high in ((0.0, 1.0), (0.2, 0.2), (0.4999, 0.5001), (0.0, 1e-6), (0.99, 1.0), (-0.3, 0.7)):
        if kind == "share" and low < 0:
            continue
        found = scale(low, high, kind, 5)
        assert found.low <= low <= high <= found.high
        assert len(found.ticks) == len(found.labels) == len(set(found.labels))
        assert all(found.low <= tick <= found.high for tick in found.ticks)
        if kind == "share":
            assert all(0 <= tick <= 1 for tick in found.ticks)


def test_a_plot_in_a_page_keeps_its_text_and_takes_the_pages_colours() -> None:
    text = 'id="x" url(#y) #1b1f24'
    document = made({"bog": ["ford", text], "down": [1, 2]})
    plot = next(plot for plot in plots.available(document) if plot.name == "curves")
    body = style.inline(plot.svg, "here")
    root = ET.fromstring(body)
    assert root.tag == f"{SVG}svg"
    assert not {"width", "height"} & set(root.attrib)
    assert texts(body) == texts(plot.svg)
    assert any(text[:6] in piece for piece in texts(body))
    ids = [node.attrib["id"] for node in root.iter() if "id" in node.attrib]
    assert ids
    assert all(one.startswith("here-") for one in ids)
    assert "var(--ink)" in body
    tags = re.findall(r"<[^<>]*>", body)
    assert not [tag for tag in tags if style.INK in tag or style.PAPER in tag]


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", [style.LIGHT, style.DARK], ids=["light", "dark"])
def test_colours_can_be_read(palette: dict[str, str]) -> None:
    assert set(palette) == set(style.VARIABLES.values())
    for name in ("--ink", "--muted"):
        assert _contrast(palette[name], palette["--paper"]) >= 4.5
        assert _contrast(palette[name], palette["--band"]) >= 4.5
    for name in ("--blue", "--vermillion", "--green", "--purple"):
        assert _contrast(palette[name], palette["--paper"]) >= 3.0
