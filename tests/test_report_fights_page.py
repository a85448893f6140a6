"""The page of a report on battles: its order, its sentences, no text that could act, and a real run."""

import copy
import functools
import re
import shutil
from pathlib import Path

import pytest

from simkit.report import edges, page, plots, words
from tests.test_report import Page
from tests.test_report_browser import NAMES, look
from tests.test_report_fights import EVERY, SHAPES, drawn, table_of, told

PAGES = ("designs", "one battle", "never decided", "skill", "against a rung")


@functools.cache
def page_of(name: str) -> str:
    return page.html(SHAPES[name], figures=drawn(name))


@pytest.mark.parametrize("name", PAGES)
def test_the_page_tells_battles_in_order(name: str) -> None:
    text = page_of(name)
    found = Page(text)
    assert not found.open
    ids = [attributes["id"] for tag, attributes in found.elements if tag == "section"]
    figures = [f"plot-{plot.name}" for plot in drawn(name)]
    assert ids == [*figures, "cells", "rules", "assumptions", "trials", "appendix", "again"]
    for plot in told(name).values():
        section = text[text.index(f'id="plot-{plot.name}"') :]
        section = section[: section.index("</section>")]
        seen = Page(section).seen
        assert seen.startswith(f'id="plot-{plot.name}"> {plot.section} {plot.says[0]}')
        assert section.count("<tr>") == 1 + len(table_of(plot).rows)
        assert table_of(plot).note in seen
    used = [attributes["xlink:href"][1:] for _, attributes in found.elements if attributes.get("xlink:href")]
    known = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    assert len(known) == len(set(known)) and set(used) <= set(known)
    assert not re.search(r"\bequal\b", found.seen)


@pytest.mark.parametrize("name", PAGES)
def test_no_value_on_the_page_stands_without_its_interval(name: str) -> None:
    text = page_of(name)
    values = re.findall(
        r"<b>([^<]*)</b>(?: <span class=\"interval\">([^<]*)</span>)?(?=</span>| <span class=\"mark)", text
    )
    assert values
    for value, interval in values:
        assert interval or value in ("baseline", "no battle was decided"), value


def test_the_short_form_tells_battles_too() -> None:
    text = page.markdown(SHAPES["skill"])
    for section, says in plots.told(SHAPES["skill"]):
        assert f"**{section}** {' '.join(page._in_markdown(said) for said in says)}\n" in text
    assert "**How battles end**" in text


@pytest.mark.parametrize("hostile", ["</script><script>alert(1)</script>", '"><img src=$x^>', "a\u202eb" + "x" * 200])
@pytest.mark.thorough
def test_text_of_battles_stays_text(hostile: str) -> None:
    document = copy.deepcopy(SHAPES["skill"])
    fight, verdict = document["fight"], document["verdict"]["skill"]
    fight["ends"] = dict.fromkeys(fight["ends"], hostile)
    fight["damage"] = {hostile: fight["damage"]["rams"]}
    fight["mishaps"] = {f"{hostile} too": fight["mishaps"]["own collisions"]}
    for edge in fight["edges"]:
        edge["who"] = edge["answer"] = hostile
    verdict["answer"] = hostile
    for rung in verdict["rungs"]:
        rung["rung"] = hostile
    usual = {tag for tag, _ in Page(page_of("skill")).elements}
    found = Page(page.html(document))
    assert {tag for tag, _ in found.elements} <= usual
    assert words.printable(hostile) in found.seen
    assert page.markdown(document).count("<") <= page.markdown(document).count("\\<")


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 768, 1200])
@pytest.mark.parametrize("name", ["skill", "many sources", "one battle"])
def test_the_page_is_no_wider_than_its_window(tmp_path: Path, name: str, width: int) -> None:
    browser = next(filter(None, map(shutil.which, NAMES)))
    text = page_of(name).replace("<details>", "<details open>")
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    frame = tmp_path / "frame.html"
    frame.write_text(
        f"""<!doctype html><iframe id=f src=report.html style="border:0;width:{width}px;height:900px"></iframe>
        <script>f.onload = () => {{
          document.body.dataset.width = f.contentDocument.documentElement.scrollWidth;
        }}</script>"""
    )
    dom, _ = look(browser, frame, "--dump-dom", "--allow-file-access-from-files", "--virtual-time-budget=5000")
    assert re.findall(r'data-width="(\d+)"', dom) == [str(width)]


# A real one


def test_a_real_run_tells_of_its_battles(tmp_path: Path) -> None:
    import simkit

    source = {
        "schema": 1,
        "name": "real",
        "question": "Who is better?",
        "game": "jugger",
        "run": {"trials": 600},
        "sides": {"a": {"design": "thrasher"}, "b": {"design": "archer"}},
        "scenario": {"distance": 5, "max_turns": 20},
        "sweep": {"axes": {"sides.a.design": ["thrasher", "lumberjack"], "policy": ["hold", "greedy"]}},
        "compare": {"baseline": {"sides.a.design": "thrasher"}},
    }
    real = simkit.run(source, out=tmp_path, jobs=1)
    document = real.document
    made_up = SHAPES["skill"]
    assert set(document["fight"]) == set(made_up["fight"])
    assert set(document["fight"]["edges"][0]) == set(made_up["fight"]["edges"][0])
    assert set(document["fight"]["edges"][0]["rows"][0]) == set(made_up["fight"]["edges"][0]["rows"][0])
    assert set(document["verdict"]["skill"]) == set(made_up["verdict"]["skill"])
    assert set(document["verdict"]["skill"]["changes"][0]) == set(made_up["verdict"]["skill"]["changes"][0])
    assert re.search(r" is, for each rung of skill: at hold, .*; at greedy, .* \(99 % for both together", real.answer)
    fight = document["fight"]
    for cell in document["cells"]:
        values = {name: entry["estimate"] for name, entry in cell["metrics"].items()}
        assert sum(values[name] for name in fight["ends"]) == pytest.approx(1)
        assert sum(values[name] for name in (*fight["wins"], fight["draw"])) == pytest.approx(1)
        assert values[fight["score"]] == pytest.approx(values[fight["wins"][0]] + values[fight["draw"]] / 2)
        decided = 1 - values[fight["draw"]]
        for edge in fight["edges"]:
            row = next((row for row in edge["rows"] if row["cell"] == cell["cell"]), None)
            assert (row is None) == (decided == 0)
            assert row is None or row["estimate"] == pytest.approx(values[edge["metric"]] / decided)
    folder = real.folder
    sections = re.findall(r'<section id="plot-([a-z]+)"', (folder / "report.html").read_text(encoding="utf-8"))
    assert sections[-6:] == ["skill", "winrates", *EVERY]
    assert {f"{name}.svg" for name in sections} == {path.name for path in (folder / "plots").iterdir()}
    assert {row["word"] for edge in fight["edges"] for row in edge["rows"]} <= set(edges.WORDS)
