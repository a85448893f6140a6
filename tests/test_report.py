"""The page of a report: its order, its numbers, its silence towards the network, and text that stays text."""

import copy
import functools
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jinja2
import pytest

from simkit import stats
from simkit.balance.document import estimate_of
from simkit.report import page, plots, tables, verdicts, words
from simkit.report.words import printable
from tests.report_documents import made, shapes
from tests.test_plots import drawn

SHAPES = shapes()
HOSTILE = (
    "$x^",
    "$x^$",
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "{{7*7}}{% raw %}",
    "=cmd('calc')",
    '"><img src=x onerror=alert(3)>',
    "]]></svg><svg onload=alert(4)>",
    "javascript:alert(5)",
    "&lt;b&gt; &#60;i&#62;",
    "--></style><style>*{display:none}",
    'id="a" url(#b) #1b1f24',
    "_[*`~|\\",
    "豚 🐷 ﷽",
    "a" * 300,
)
STRUCTURE = ("kind", "word", "method", "path", "metric", "source", "hash", "run", "name", "game", "stopped")
"""Keys whose values are names of the program's own."""


@functools.cache
def page_of(name: str) -> str:
    """Return the page of a shape."""
    return page.html(SHAPES[name], figures=drawn(name))


class Page(HTMLParser):
    """What a page holds: every element with its attributes, and the text that is seen."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "path", "use"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("meta", "path", "use"):
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    @property
    def seen(self) -> str:
        """The text a reader sees."""
        return " ".join(
            " ".join(text.split()) for tag, text in self.texts if tag not in ("style", "script") and text.strip()
        )


def cells_of(text: str) -> list[list[str]]:
    """Return the rows of the table of cells, every field as its text."""
    table = re.search(r'<section id="cells">.*?<table class="cells">(.*?)</table>', text, re.S)
    assert table is not None
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", table.group(1), re.S)
    return [[Page(field).seen for field in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)] for row in rows]


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def poisoned(value: Any, text: str, key: str = "") -> Any:
    """Return a document in which every free text is this one."""
    if isinstance(value, str):
        return value if key in STRUCTURE or key in ("id", "fraction") else text
    if isinstance(value, Mapping):
        inner = {"labels": "label", "baseline": "label", "meaning": ""}
        return {k: poisoned(v, text, k if key not in inner else "label") for k, v in value.items()}
    if isinstance(value, list):
        return [poisoned(item, text, key) for item in value]
    return value


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_has_a_page_in_the_promised_order(name: str) -> None:
    document = SHAPES[name]
    text = page_of(name)
    found = Page(text)
    assert not found.open
    ids = [attributes["id"] for tag, attributes in found.elements if tag == "section"]
    house = ["house-rules"] if document["house_rules"] else []
    plotted = [f"plot-{plot.name}" for plot in plots.available(document) if plot.name != "tornado"]
    assert ids == [*plotted, "cells", "rules", *house, "assumptions", "trials", "appendix", "again"]
    assert [tag for tag, _ in found.elements].count("h1") == 1
    after = text[text.index("</h1>") + 5 :].lstrip()
    assert after.startswith('<p class="answer">')
    assert document["verdict"]["answer"] in found.seen
    assert verdicts.said(document, document["verdict"]["word"]) in found.seen
    assert "undecided" not in found.seen


@pytest.mark.parametrize("name", SHAPES)
def test_numbers_of_the_page_are_those_of_the_document(name: str) -> None:
    document = SHAPES[name]
    header, *rows = cells_of(page_of(name))
    judged = {row["cell"]: row for row in document["verdict"]["rows"]}
    by_number = {cell["cell"]: cell for cell in document["cells"]}
    metric = document["metric"]
    column = header.index(metric)
    assert len(rows) == min(len(by_number), tables.MOST_CELLS)
    for row in rows:
        cell = by_number[int(row[0])]
        estimate = estimate_of(cell["metrics"][metric])
        unit = words.unit(document, metric)
        printed, interval = stats.format_estimate(estimate, unit), stats.format_interval(estimate, unit)
        assert row[column] == f"{printed} {interval}"
        verdict = judged.get(cell["cell"])
        last = row[-1]
        if document["verdict"]["word"] == "measured":
            continue
        if verdict is None:
            assert last == "baseline"
            continue
        assert last.endswith(verdicts.said(document, verdicts.shade(document, verdict)))
        if len(judged) > 1 or document["baseline"] is not None:
            value = estimate_of(verdict)
            kind = words.judged_unit(document)
            title = f"difference from {words.baseline(document)}" if document["baseline"] else "all together"
            said = row[header.index(title)]
            unsigned = said.replace("+", "")
            assert unsigned.startswith(stats.format_estimate(value, kind).replace("+", ""))
            assert unsigned.endswith(stats.format_interval(value, kind).replace("+", ""))
            if document["baseline"]:
                signs = [(value.estimate, said.split()[0])]
                signs += zip((value.low, value.high), re.sub(" pp", "", said).split()[-3::2], strict=True)
                assert all(text[0] == ("+" if number > 0 else "-") for number, text in signs)


@pytest.mark.parametrize("name", SHAPES)
def test_nothing_is_nought_or_all_without_a_bound(name: str) -> None:
    text = page_of(name)
    values = re.findall(r"<b>([^<]*)</b> <span class=\"interval\">([^<]*)</span>", text)
    assert values
    for value, interval in values:
        assert interval
        assert not re.fullmatch(r"(0|100)(\.0+)? %", value)


@pytest.mark.parametrize("name", SHAPES)
def test_page_needs_nothing_from_outside(name: str) -> None:
    text = page_of(name)
    found = Page(text)
    policies = [
        a["content"] for tag, a in found.elements if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policies == [
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    ]
    for tag, attributes in found.elements:
        assert not {"src", "srcset", "href", "action", "data", "background"} & set(attributes)
        assert not [name for name in attributes if name.startswith("on")]
        link = attributes.get("xlink:href")
        assert link is None or link.startswith("#")
        if tag == "script":
            assert attributes == {"type": "application/json", "id": "document"}
    plain = text.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", "")
    assert "http:" not in plain
    assert "https:" not in plain
    assert "@import" not in plain
    assert not re.search(r"url\((?!#)", plain)


def test_ids_of_a_page_are_unique_and_references_lead_somewhere() -> None:
    found = Page(page_of("two axes of words"))
    ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    uses = [attributes["xlink:href"][1:] for _, attributes in found.elements if attributes.get("xlink:href")]
    assert uses
    assert set(uses) <= set(ids)


def test_embedded_document_reads_back_whole() -> None:
    document = poisoned(SHAPES["baseline"], "</script><!--<script>")
    text = page.html(document)
    body = text[text.index('id="document">') + len('id="document">') : text.rindex("</script>")]
    assert not set(body) & set("<>&")
    assert json.loads(body) == document


def test_a_very_large_document_leaves_its_cells_to_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "MOST_EMBEDDED", 1000)
    text = page.html(SHAPES["target"])
    body = json.loads(text[text.index('id="document">') + len('id="document">') : text.rindex("</script>")])
    assert body["cells"] == []
    assert body["cells_left_to"] == "report.json"
    assert body["verdict"] == SHAPES["target"]["verdict"]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_text_from_files_stays_text(hostile: str) -> None:
    document = poisoned(SHAPES["house rules"], hostile)
    text = page.html(document)
    found = Page(text)
    usual = Page(page_of("house rules"))
    assert {tag for tag, _ in found.elements} <= {tag for tag, _ in usual.elements} | {"h4"}
    assert [tag for tag, _ in found.elements].count("script") == 1
    assert [tag for tag, _ in found.elements].count("style") == 1
    assert " ".join(hostile.split()) in found.seen


@pytest.mark.parametrize("hostile", HOSTILE)
def test_markdown_keeps_text_as_text(hostile: str) -> None:
    document = poisoned(SHAPES["house rules"], hostile)
    text = page.markdown(document)
    outside = re.sub(r"^(`{3,})\n.*?\n\1$", "", text, flags=re.S | re.M)
    assert not re.search(r"(?<!\\)[<>`~$&@\[\]]", outside)
    rows = [line for line in outside.splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
    assert re.sub(r"\\(.)", r"\1", outside.splitlines()[0]) == f"# {hostile}"


def test_markdown_says_question_answer_table_and_command() -> None:
    document = SHAPES["baseline"]
    lines = page.markdown(document).splitlines()
    assert lines[0] == f"# {document['question']}"
    assert lines[2] == document["verdict"]["answer"]
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == 2 + len(document["cells"])
    for line, cell in zip(rows[2:], document["cells"], strict=True):
        assert stats.format_estimate(estimate_of(cell["metrics"]["finished"])) in line
    assert "simkit run made_up.toml" in lines
    assert 'name = "made-up"' in lines


@pytest.mark.parametrize("name", SHAPES)
def test_markdown_of_every_shape_is_one_table(name: str) -> None:
    document = SHAPES[name]
    rows = [line for line in page.markdown(document).splitlines() if line.startswith("|")]
    assert len(rows) == 2 + min(len(document["cells"]), page.MOST_MARKDOWN)
    assert len({line.count("|") for line in rows}) == 1


def test_what_steers_is_spelt_out() -> None:
    nasty = "a\u202eb\u0000c\u200bd\ud800e\x1b[31mf\u2028g\r\nh\ti\ufffe"
    document = poisoned(SHAPES["baseline"], nasty)
    for text in (page.html(document), page.markdown(document), plots.forest(document)):
        text.encode("utf-8")
        assert "a[U+202E]b[U+0000]c[U+200B]d[U+D800]e[U+001B]" in text.replace("\\", "")
        assert not re.search("[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2028\ud800-\udfff]", text.replace("\n", ""))
    assert printable("plain, äöü 豚 €") == "plain, äöü 豚 €"


def test_footer_is_all_that_one_run_adds() -> None:
    document = SHAPES["target"]
    bare = page.html(document)
    assert "<footer" not in bare
    footed = page.html(document, {"when": "2026-01-02T03:04:05+0000", "jobs": 2, "seconds": 1.5, "host": "<b>&"})
    footer = re.search(r"<!-- Below this line.*?</footer>\n", footed, re.S)
    assert footer is not None
    assert footed.replace(footer.group(), "") == bare
    assert "2026-01-02T03:04:05+0000" in footer.group()
    assert "&lt;b&gt;&amp;" in footer.group()


def test_documents_are_left_as_they_were() -> None:
    document = copy.deepcopy(SHAPES["house rules"])
    page.html(document)
    page.markdown(document)
    assert document == SHAPES["house rules"]


def test_drawn_plots_are_used() -> None:
    document = SHAPES["target"]
    assert page.html(document, figures=plots.available(document)) == page.html(document)


def test_missing_part_of_a_document_is_an_error() -> None:
    document = dict(SHAPES["target"])
    del document["edition"]
    with pytest.raises((KeyError, jinja2.UndefinedError)):
        page.html(document)


@pytest.mark.thorough
def test_same_document_gives_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    code = (
        "import sys, json, hashlib; sys.path.insert(0, sys.argv[1]);"
        "from tests.report_documents import shapes; from simkit.report import page, plots;"
        "d = [v for k, v in shapes().items() if k in ('house rules', 'scattered')];"
        "t = ''.join(page.html(x) + page.markdown(x) + ''.join(p.svg + p.alt for p in plots.available(x)) for x in d);"
        "assert 'matplotlib.pyplot' not in sys.modules;"
        "print(hashlib.sha256(t.encode()).hexdigest())"
    )
    found = set()
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "MPLCONFIGDIR": str(tmp_path / seed), "TZ": f"UTC-{seed}"}
        command = [sys.executable, "-c", code, str(Path(__file__).parents[1])]
        found.add(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(found) == 1


def test_what_is_not_resolved_is_listed_with_its_price() -> None:
    shares = {0: 0.5, 1: 0.502, 2: 0.6}
    document = made({"down": [0, 1, 2]}, target=0.5, share=lambda point: shares[point["down"]], n=10_000)
    assert document["verdict"]["not_resolved"] == [1, 2]
    seen = Page(page.html(document)).seen
    assert "no number of trials can be named: the estimate lies on the line" in seen
    row = document["verdict"]["rows"][1]
    need = float(stats.units_to_decide(row["estimate"], row["low"], row["high"], row["n"], 0.5))
    said = re.search(r"about ([\d,]+) more trials", seen)
    assert said is not None
    assert need <= int(said.group(1).replace(",", "")) <= 1.1 * need
    assert not re.search(r"\bequal\b", seen)
    assert "not resolved" in seen.lower()


def test_further_trials_reach_out_of_the_fair_band_or_into_it() -> None:
    document = made(target=0.5, within=0.05)
    cell = document["cells"][0] | {"trials": 2000}
    row = {"estimate": 0.52, "low": 0.48, "high": 0.56, "n": 1000}
    # to lie inside, the upper bound must come from .04 to .03 above the estimate: (4/3)^2 of the units, two trials each
    assert words.further_trials(document, row, cell) == "about 1,600 more trials"
    assert words.further_trials(made(), row, cell) == ""


def test_changed_rules_stand_out() -> None:
    text = page_of("house rules")
    rules = text[text.index('<section id="rules">') : text.index('<section id="house-rules">')]
    seen = Page(rules).seen
    assert "altered_odds = false , true varies from cell to cell; the rules of record say false" in seen
    assert "<mark>2d6</mark>" in rules
    house = text[text.index('<section id="house-rules">') : text.index('<section id="assumptions">')]
    for part in ("Every bog is one easier.", "taken out", "-2", "3d6kh2"):
        assert part in house
    plain = made(rules=[row | {"values": [row["default"]]} for row in SHAPES["target"]["rules"]])
    assert "nothing is changed" in page.html(plain)


def test_assumptions_carry_value_rule_and_source() -> None:
    text = page_of("target")
    seen = Page(text[text.index('<section id="assumptions">') : text.index('<section id="trials">')]).seen
    for part in ("2d6: dice of a roll.", "P-MAN-2", "dice = 2d6", "a ruling: the rules are silent"):
        assert part in seen


def test_three_trials_are_told_line_by_line() -> None:
    text = page_of("target")
    trials = text[text.index('<section id="trials">') : text.index('<section id="appendix">')]
    assert [kind for kind in ("typical", "worst", "luckiest") if f"<h3>{kind}</h3>" in trials] == [
        "typical",
        "worst",
        "luckiest",
    ]
    assert trials.count("to turn he needs 7 or more on 2d6, rolls 9: he turns") == 3
    assert trials.count('<span class="id">P-MAN-3</span> <span class="id">P-DN-1</span>') == 3
    assert "--cell 1 --trial 0" in trials


def test_a_simulation_that_does_not_fit_is_shouted_out() -> None:
    bad = {"compared": 30, "smallest": 1e-9, "where": "wounded of cell 1", "corrected": 3e-8}
    text = page.html(made(check=bad))
    assert "does not fit" in text
    assert 'class="warning"' in text
    assert 'class="warning"' not in page.html(made())
    assert "No exact solution: nobody knows how." in page_of("not solved")
    some = made({"a": [0, 1, 2, 3]}) | {"unsolved": [{"why": "it takes long", "cells": [1, 2, 4]}]}
    assert "None disagrees" in (whole := page.html(some)) or "disagreement" in whole
    assert "No exact solution of cells 1 to 2 and 4: it takes long." in whole


def test_every_kind_of_interval_has_its_words() -> None:
    assert set(words.METHODS) == set(stats.METHODS)
    seen = Page(page_of("precision")).seen
    for method in ("beta-binomial", "asymptotic", "exact"):
        assert words.METHODS[method] in seen
    assert words.METHODS["tango"] not in seen


def test_precision_runs_show_how_long_each_cell_was_played() -> None:
    text = page_of("precision")
    header, *rows = cells_of(text)
    assert [row[header.index("trials")] for row in rows] == ["10,240", "16,384", "40,000"]


def test_outcomes_that_never_came_have_a_bound() -> None:
    text = page_of("target")
    entry = SHAPES["target"]["cells"][0]["metrics"]["killed"]
    assert f"{stats.format_estimate(estimate_of(entry))} in every cell" in Page(text).seen
    assert "<summary><b>wounded</b>" in text
    assert "<summary><b>killed</b>" not in text


def test_long_sweeps_show_the_most_extreme_cells() -> None:
    document = SHAPES["many measured"]
    shown = {cell["cell"] for cell in tables.shown_cells(document)}
    values = {row["cell"]: row["estimate"] for row in document["verdict"]["rows"]}
    middle = sum(values.values()) / len(values)
    distances = {cell: abs(value - middle) for cell, value in values.items()}
    assert len(shown) == tables.MOST_CELLS
    assert min(distances[cell] for cell in shown) >= max(distances[cell] for cell in distances if cell not in shown)
    assert "200 most extreme of 300 cells" in Page(page.html(document)).seen
    assert not tables.further(document)


def test_names_are_short_and_whole_where_they_fit() -> None:
    assert words.short("deep sand", 9) == "deep sand"
    assert words.short("a house rule with a long name", 11) == "a hou…name"
    assert all(len(words.short("x" * 50, most)) == most for most in range(2, 50))
    cell = {"labels": {"x": "0.14285714285714285", "y": "none"}, "factors": {"x": 1 / 7, "y": "none"}}
    document = {"axes": [{"path": "x", "title": "speed"}, {"path": "y", "title": "house rules"}]}
    assert words.place(document, cell, ["x", "y"]) == "speed 0.142857, no house rules"


def test_made_up_documents_look_like_real_ones(pigtickler: Any, tmp_path: Path) -> None:
    import simkit

    source = {
        "schema": 1,
        "name": "real",
        "question": "Does it matter?",
        "game": "pigtickler",
        "house_rules": ["soft-bogs"],
        "run": {"trials": 1024},
        "course": {"steps": [{"down": 1}, {"turn": 1}, {"bog": "swamp"}]},
        "sweep": {"axes": {"altered_odds": [False, True], "course.steps.1.down": [1, 2]}},
        "compare": {"baseline": {"altered_odds": False}},
    }
    real = simkit.run(source, out=tmp_path, jobs=1).document
    false = SHAPES["house rules"]
    assert set(real) == set(false)
    for key in ("verdict", "check", "pairing", "version"):
        assert set(real[key]) == set(false[key])
    for key in ("cells", "metrics", "axes", "rules", "assumptions", "house_rules", "replays"):
        assert set(real[key][0]) == set(false[key][0])
    assert set(real["verdict"]["rows"][0]) == set(false["verdict"]["rows"][0])
    assert set(real["replays"][0]["lines"][0]) == set(false["replays"][0]["lines"][0])
    text = page.html(real)
    assert real["verdict"]["answer"] in Page(text).seen
    assert json.loads(text[text.index('id="document">') + len('id="document">') : text.rindex("</script>")]) == real
    assert Page(text).seen.count("Soft bogs") >= 1
