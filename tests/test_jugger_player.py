"""The picture of a battle and the page that steps through it: what they hold, and in a real browser how they behave."""

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from simkit.games.jugger.cast import Cast, Start
from simkit.games.jugger.happenings import What
from simkit.games.jugger.mapdraw import SIDES
from simkit.games.jugger.narrate import paragraphs, retell, tell
from simkit.games.jugger.picture import headline, matchup, picture
from simkit.games.jugger.player import battle, player
from simkit.games.jugger.track import track
from tests.jugger_told import DUEL, EVENTS, FIELD, GORGER, LANDSHIP, Row, rows

STORY = (EVENTS, len(EVENTS))
HOSTILE = (
    "<script>document.title='canary'</script>",
    "</script><script>document.title='canary'</script>",
    "<img src=x onerror=\"document.title='canary'\">",
    "<!--<script>",
    "]]>&amp;\"'`${document.title='canary'}",
    "{{ battle }}{{ script }}",
    "\u2028\u2029\\u003c\\",
    "‮Gorger‬ 🐗",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

W = What


def named(name: str) -> Cast:
    """Return the duel with a name that a file might bring."""
    field = FIELD.model_copy(update={"title": name})
    jugs = (replace(GORGER, name=name, design=name, abilities=(name,)), LANDSHIP)
    return replace(DUEL, jugs=jugs, sides=(name, "B"), map=field)


def part(page: str, tag: str) -> str:
    """Return what stands in the first element of a kind."""
    found = re.search(rf"<{tag}>(.*?)</{tag.split()[0]}>", page, re.S)
    assert found is not None
    return found[1]


def data(page: str) -> dict[str, Any]:
    """Return what the script of a page reads."""
    found: dict[str, Any] = json.loads(part(page, 'script type="application/json" id="battle"'))
    return found


def army() -> tuple[Cast, tuple[list[Row], int]]:
    """Return a battle of twelve against twelve, in which the first of each fight the duel."""
    jugs = [
        replace(jug, name=f"{jug.name} {k}", start=Start(-8 + side * 12 + k % 4, k // 4, 3 * side))
        for side, jug in enumerate((GORGER, LANDSHIP))
        for k in range(12)
    ]
    slots = {W.INITIATIVE: (), W.SEGMENT: (), W.DEPLOY: (), W.OVER: ()}
    story = [
        row._replace(**{name: 12 for name in slots.get(W(row.what), ("jug", "foe")) if getattr(row, name) == 1})
        for row in EVENTS
    ]
    return replace(DUEL, jugs=tuple(jugs)), (story, len(story))


# The picture


def marks(svg: str) -> list[str]:
    """Return what the marks of a picture say when they are pointed at."""
    return [title.text or "" for title in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}title")]


def test_the_picture_shows_everything_that_happened() -> None:
    svg = picture(DUEL, STORY)
    says = marks(svg)
    assert says[0] == headline(DUEL, EVENTS) == "Gorger against Landship: victory for A in turn 4"
    assert "turn 2: Gorger rams Landship head-on, 60 damage" in says
    assert "turn 4: Landship destroyed at [3, -1]" in says
    assert "1 attack that hit, [5, 0] to [-5, 0]" in says
    assert "1 attack that missed, [5, 0] to [-5, 0]" in says
    assert "2 attacks that missed, [3, -1] to [2, -1]" in says
    assert "3 attacks that hit, [2, -1] to [3, -1]" in says
    assert "Gorger at the end of turn 1" in says
    assert "Gorger at the end of turn 2-4" in says
    assert "Landship at the end of turn 2-3" in says
    assert "start of Landship, [5, 0]" in says
    assert "Gorger, 96 of 140 hits" in says
    assert not any(text.startswith("Landship, ") for text in says)


def test_the_picture_has_a_legend_of_what_it_shows() -> None:
    words = " ".join(text for text in ET.fromstring(picture(DUEL, STORY)).itertext())
    for shown in ("track, A", "track, B", "attack that hit", "attack that missed", "ram", "wreck", "start"):
        assert shown in words
    assert "moved by force" not in words
    assert "collision" not in words
    assert "a velocity of 1 is one hex a turn" in words
    pushed = rows(
        [
            (W.COLLIDE, {"jug": 0, "roll": 1, "value": 14, "extra": -1}),
            (W.PUSH, {"jug": 1, "value": 1, "extra": (6, 0)}),
        ]
    )
    words = " ".join(ET.fromstring(picture(DUEL, (pushed, 2))).itertext())
    assert "moved by force" in words
    assert "turn 0: collision of Gorger, 14 damage" in words


def test_the_picture_is_plain_svg_and_always_the_same() -> None:
    svg = picture(DUEL, STORY)
    assert svg == picture(DUEL, STORY)
    tree = ET.fromstring(svg)
    assert not [node for node in tree.iter() if node.tag.endswith(("script", "style", "image", "a"))]
    assert not [
        key for node in tree.iter() for key in node.attrib if key == "id" or key.startswith("on") or "href" in key
    ]
    assert tree.get("role") == "img"


def test_sides_differ_in_dashes_as_well_as_in_colour() -> None:
    for cast in (DUEL, replace(DUEL, swapped=True, sides=("B", "A"))):
        svg = picture(cast, STORY)
        for side, colour in enumerate(SIDES):
            tracks = re.findall(rf'<path d="M[^"]*" stroke="{colour}" stroke-width="3" fill="none"([^/]*)/>', svg)
            assert len(tracks) > 3
            assert {"dash" in style for style in tracks} == {side == 1}


def test_a_picture_says_that_the_end_is_missing() -> None:
    says = " ".join(ET.fromstring(picture(DUEL, (EVENTS[:30], len(EVENTS)))).itertext())
    assert "The trace ran out of room: the end is missing." in says.replace("\n", "")
    assert headline(DUEL, EVENTS[:30]) == "Gorger against Landship: the end is not in the trace"
    assert picture(DUEL, ([], 0)).startswith("<svg")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_the_picture_takes_any_text(hostile: str) -> None:
    says = marks(picture(named(hostile), STORY))
    assert f"start of {hostile}, [-5, 0]" in says


def test_a_draw_and_armies_have_headlines() -> None:
    cast, _ = army()
    over = rows([(W.TURN, {"value": 7}), (W.OVER, {"foe": -1, "value": 9})])
    assert headline(cast, over) == "Gorger x12 against Landship x12: a draw in turn 7"
    svg = picture(cast, (over, 2))
    assert len(marks(svg)) > 24 + len(FIELD.hexes())
    words = list(ET.fromstring(svg).itertext())
    assert {"A1", "B12", "A1 Gorger 0", "B12 Landship 11"} <= set(words)
    assert not any("end of turn" in text for text in words)


def test_sides_are_named_after_their_designs_or_titles() -> None:
    assert matchup(replace(DUEL, swapped=True)) == "Landship against Gorger"
    assert matchup(replace(DUEL, sides=("Orcs", "B"))) == "Orcs against Landship"
    jugs = [replace(GORGER, name=str(k), design=str(k % 3)) for k in range(4)]
    assert matchup(replace(DUEL, jugs=(*jugs, LANDSHIP))) == "4 jugs against Landship"


def test_stays_that_return_to_a_hex_are_listed() -> None:
    events = [(W.TURN, {"value": 1})]
    for turn in range(2, 12):
        events += [(W.ENTER, {"jug": 0, "value": (turn % 2, 0), "extra": 1}), (W.TURN, {"value": turn})]
    svg = picture(DUEL, (rows(events), len(events)))
    assert "Gorger at the end of turn 1, 3, 5, 7, 9" in marks(svg)
    assert ">1,3,5…</text>" in svg


# The page


def test_the_page_allows_only_its_own_script_and_style() -> None:
    page = player(DUEL, STORY)
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    assert found is not None
    rules = dict(rule.strip().split(" ", 1) for rule in html.unescape(found[1]).split(";"))
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        digest = base64.b64encode(hashlib.sha256(part(page, tag).encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert "unsafe" not in found[1]


def test_the_page_is_self_contained() -> None:
    page = player(DUEL, STORY)
    assert not re.search(
        r"\b(?:src|href|action|srcset|style|on[a-z]+)\s*=\s*[\"']", page.replace(part(page, "script"), "")
    )
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", page)
    assert "innerHTML" not in page
    assert page.startswith('<!doctype html>\n<html lang="en">')
    assert page == player(DUEL, STORY)


def test_every_button_has_a_name() -> None:
    buttons = re.findall(r"<button([^>]*)>(.*?)</button>", player(DUEL, STORY), re.S)
    assert len(buttons) == 8
    for attributes, content in buttons:
        assert 'type="button"' in attributes
        assert "aria-label=" in attributes or content == "Whole map"


def test_the_page_tells_the_whole_story_without_its_script() -> None:
    page = html.unescape(player(DUEL, STORY))
    for text in paragraphs(tell(DUEL, STORY)):
        assert f"<p>{text}</p>" in page
    assert "<noscript>" in page


def test_the_page_has_a_title_and_says_where_the_battle_comes_from() -> None:
    page = player(DUEL, STORY)
    assert part(page, "h1") == part(page, "title") == "Gorger against Landship"
    assert '<p class="ending">Victory for A in turn 4.</p>' in page
    page = player(DUEL, STORY, title="The last <stand>", says="Trial 3 & 4")
    assert part(page, "h1") == "The last &lt;stand&gt;"
    assert "<p>Trial 3 &amp; 4</p>" in page


@pytest.mark.parametrize("hostile", HOSTILE)
def test_any_text_stays_text(hostile: str) -> None:
    cast = named(hostile)
    page = player(cast, STORY, title=hostile, says=hostile)
    assert html.unescape(part(page, "h1")) == hostile
    assert data(page)["jugs"][0]["name"] == hostile
    assert len(re.findall("<script", page)) == 2
    assert "\u2028" not in part(page, 'script type="application/json" id="battle"')
    assert part(page, "script") == part(player(DUEL, STORY), "script")


def replayed(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Do what the page's script does: apply the changes of every step."""
    scenes = [found["start"]]
    for step in found["steps"]:
        before = scenes[-1]
        jugs = [{**jug, **step["jugs"].get(str(slot), {})} for slot, jug in enumerate(before["jugs"])]
        scenes.append({"jugs": jugs, **{key: step.get(key, before[key]) for key in ("walls", "wrecks")}})
    return scenes


def test_the_steps_lead_through_the_battle() -> None:
    found = data(player(DUEL, STORY))
    scenes, wanted = replayed(found), track(DUEL, EVENTS)
    last = scenes[-1]["jugs"]
    for shown, jug in zip(last, wanted[-1].jugs, strict=True):
        assert (shown["q"], shown["r"], shown["facing"]) == (jug.q, jug.r, jug.facing)
        assert (shown["hits"], shown["velocity"]) == (jug.hits, jug.velocity)
    assert last[1]["fate"] == "destroyed"
    assert scenes[-1]["wrecks"] == [[1, 3, -1]]
    assert [scene["walls"] for scene in (scenes[0], scenes[-1])] == [[None], [54]]
    places = [(scene["jugs"][0]["q"], scene["jugs"][0]["r"]) for scene in scenes]
    assert list(dict.fromkeys(places)) == [(-5, 0), (-4, 0), (-3, 0), (-2, -1), (-1, -1), (0, -1), (1, -1), (2, -1)]
    assert [step["turn"] for step in found["steps"]] == sorted(step["turn"] for step in found["steps"])
    assert [step["line"] for step in found["steps"]] == sorted(step["line"] for step in found["steps"])
    assert {step["line"] for step in found["steps"]} == set(range(found["opening"], len(found["lines"])))


def test_what_takes_effect_together_is_one_step() -> None:
    found = data(player(DUEL, STORY))
    ram = next(step for step in found["steps"] if step.get("mark", {}).get("kind") == "ram")
    assert {slot: change["hits"] for slot, change in ram["jugs"].items()} == {"0": 100, "1": 100}
    assert ram["mark"] == {"kind": "ram", "from": [2, -1], "to": [3, -1], "side": 0, "hit": 1}


def test_marks_show_shots_fires_and_collisions() -> None:
    found = data(player(DUEL, STORY))
    shots = [step["mark"] for step in found["steps"] if "mark" in step]
    assert [mark["kind"] for mark in shots] == ["shot"] * 2 + ["ram"] + ["shot"] * 4 + ["fire", "shot", "fire", "shot"]
    assert [mark["hit"] for mark in shots[:2]] == [1, 0]
    assert shots[7] == {"kind": "fire", "from": [3, -1], "to": [2, -1], "side": 1, "hit": 1}
    again = rows(
        [
            (W.COLLIDE, {"jug": 0, "roll": 1, "value": 14, "extra": -2}),
            (W.TO_HIT, {"jug": 1, "foe": 0, "item": 0, "roll": 1, "value": 2, "extra": 1}),
            (W.REROLL, {"jug": 0, "foe": 0, "item": 0, "extra": 1}),
            (W.TO_HIT, {"jug": 1, "foe": 0, "item": 0, "roll": 6, "value": 2}),
        ]
    )
    steps = battle(DUEL, again, retell(DUEL, (again, 4)))["steps"]
    assert steps[0]["mark"] == {"kind": "ram", "from": [-5, 0], "to": [-4, 0], "side": 0, "hit": 1}
    assert steps[1]["mark"]["hit"] == 0


def test_equal_pieces_stand_together_in_a_record() -> None:
    jugs = data(player(DUEL, STORY))["jugs"]
    assert jugs[0]["pieces"] == [["gears", [0]], ["reinforced ram", [1, 2]], ["jaws (size 2)", [3]]]
    assert jugs[1]["pieces"][:2] == [["catapult (size 2)", [0]], ["catapult", [1]]]
    assert [jug["code"] for jug in jugs] == ["A", "B"]


def test_the_views_hold_the_map_and_what_happens() -> None:
    (left, top, width, height), (x, y, w, h) = data(player(DUEL, STORY))["views"]
    assert left < x < x + w < left + width
    assert top < y < y + h < top + height
    assert h >= 0.45 * w - 0.1


def test_a_page_without_events_still_says_who_fights() -> None:
    found = data(player(DUEL, ([], 0)))
    assert found["steps"] == []
    assert found["opening"] == len(found["lines"]) == 3
    assert "The end is not in the trace." in player(DUEL, ([], 0))


def test_colours_are_those_of_the_maps_and_reports() -> None:
    from simkit.report.style import DARK, LIGHT

    style = part(player(DUEL, STORY), "style")
    light, dark = re.findall(r":root \{([^}]*)\}", style)
    for palette, text in ((LIGHT, light), (DARK, dark)):
        for ours, theirs in (("a", "blue"), ("b", "vermillion"), ("ram", "purple"), ("paper", "paper"), ("ink", "ink")):
            assert f"--{ours}: {palette[f'--{theirs}']};" in text
    assert (LIGHT["--blue"], LIGHT["--vermillion"]) == SIDES


# In a browser


@pytest.fixture(scope="module")
def browser() -> str:
    """Return the Chromium of this machine; without one these tests cannot say anything, and fail."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found is not None, f"no browser found; looked for {', '.join(NAMES)}"
    return found


def look(browser: str, file: Path, *options: str, hash: str = "") -> tuple[str, str]:
    """Open a file and return what the browser prints and what it complains about."""
    command = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--enable-logging=stderr",
        f"--user-data-dir={file.parent / 'profile'}",
        *options,
        file.as_uri() + hash,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


def ask(
    browser: str, folder: Path, script: str, *options: str, page: str = "", width: int = 380, height: int = 800
) -> dict[str, Any]:
    """Open the page in a frame, run a script on its document ``d`` and window ``w``, and return what it returns."""
    (folder / "battle.html").write_text(page or player(DUEL, STORY), encoding="utf-8")
    frame = folder / "frame.html"
    frame.write_text(
        f"""<!doctype html><iframe id=f src=battle.html style="border:0;width:{width}px;height:{height}px"></iframe>
        <script>
        const wait = (ms) => new Promise((done) => setTimeout(done, ms));
        f.onload = async () => {{
          const w = f.contentWindow, d = f.contentDocument;
          const press = (key, on = d.body) =>
            on.dispatchEvent(new w.KeyboardEvent('keydown', {{ key, bubbles: true, cancelable: true }}));
          const at = () => Number(d.getElementById('slider').value);
          const click = (id) => d.getElementById(id).click();
          const text = (id) => d.getElementById(id).textContent;
          const found = await (async () => {{ {script} }})();
          document.body.dataset.found = JSON.stringify(found);
        }};</script>""",
        encoding="utf-8",
    )
    options = ("--dump-dom", "--allow-file-access-from-files", "--virtual-time-budget=20000", *options)
    dom, complaints = look(browser, frame, *options)
    assert complaints == ""
    found = re.search(r'data-found="([^"]*)"', dom)
    assert found is not None
    answer: dict[str, Any] = json.loads(html.unescape(found[1]))
    return answer


@pytest.mark.browser
def test_keys_step_through_the_battle(browser: str, tmp_path: Path) -> None:
    found = ask(
        browser,
        tmp_path,
        """
        const seen = [at()];
        for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'End',
                           'ArrowRight', 'Home', 'ArrowLeft']) { press(key); seen.push(at()); }
        const where = [];
        for (const key of ['ArrowDown', 'ArrowDown']) { press(key); where.push(text('where').split(',')[0]); }
        press('End');
        return { seen, where, last: text('caption'), hash: w.location.hash };
        """,
    )
    steps = data(player(DUEL, STORY))["steps"]
    first, second = (next(i for i, step in enumerate(steps, 1) if step["turn"] == turn) for turn in (1, 2))
    assert found["seen"] == [0, 1, 2, 1, first, second, first, len(steps), len(steps), 0, 0]
    assert found["where"] == ["Turn 1 of 4", "Turn 2 of 4"]
    assert found["last"].startswith("victory for A in turn 4")
    assert found["hash"] == f"#{len(steps)}"


@pytest.mark.browser
def test_space_plays_and_pauses_and_any_step_pauses(browser: str, tmp_path: Path) -> None:
    found = ask(
        browser,
        tmp_path,
        """
        const label = () => d.getElementById('play').getAttribute('aria-label');
        press(' ');
        await wait(2000);
        const live = () => d.getElementById('caption').getAttribute('aria-live');
        const moving = [at(), label(), live()];
        press(' ');
        const paused = at();
        await wait(2000);
        const still = [at() === paused, label(), live()];
        click('play');
        press('ArrowRight');
        const stepped = at();
        await wait(2000);
        return { moving, still, stopped: at() === stepped };
        """,
    )
    assert found["moving"] == [3, "Pause", "off"]
    assert found["still"] == [True, "Play", "polite"]
    assert found["stopped"] is True


@pytest.mark.browser
def test_buttons_slider_and_lines_do_the_same(browser: str, tmp_path: Path) -> None:
    found = ask(
        browser,
        tmp_path,
        """
        const seen = [];
        for (const id of ['on', 'turn-on', 'turn-on', 'back', 'turn-back', 'last', 'first']) {
          click(id);
          seen.push(at());
        }
        const slider = d.getElementById('slider');
        slider.value = 20;
        slider.dispatchEvent(new w.Event('input'));
        seen.push(at());
        const line = [...d.querySelectorAll('#lines button')].at(-1);
        const words = line.firstChild.textContent;
        line.focus();
        line.click();
        const kept = d.activeElement.classList.length === 0 && d.activeElement.closest('.now') !== null;
        const same = text('caption') === words;
        press('ArrowRight', slider);
        const off = ['first', 'turn-back', 'back'].map((id) => d.getElementById(id).disabled);
        click('first');
        return { seen, same, kept, off,
                 disabled: ['first', 'turn-back', 'back', 'on'].map((id) => d.getElementById(id).disabled) };
        """,
    )
    steps = data(player(DUEL, STORY))["steps"]
    first, second = (next(i for i, step in enumerate(steps, 1) if step["turn"] == turn) for turn in (1, 2))
    assert found["seen"] == [1, first, second, second - 1, first, len(steps), 0, 20]
    assert found["same"] is True
    assert found["kept"] is True
    assert found["off"] == [False, False, False]
    assert found["disabled"] == [True, True, True, False]


@pytest.mark.browser
def test_the_map_and_the_records_follow(browser: str, tmp_path: Path) -> None:
    found = ask(
        browser,
        tmp_path,
        """
        press('End');
        const records = [...d.querySelectorAll('.record')].map((card) => card.innerText.replace(/\\s+/g, ' '));
        const shown = [...d.querySelectorAll('#jugs > g')].map((jug) => w.getComputedStyle(jug).display !== 'none');
        const wrecks = d.querySelectorAll('#wrecks > g').length;
        click('first');
        const start = [...d.querySelectorAll('#jugs > g')].map((jug) => jug.style.transform);
        press('ArrowDown'); press('ArrowDown'); press('ArrowLeft');
        const trails = d.querySelectorAll('#trails polyline').length;
        const whole = d.getElementById('map').getAttribute('viewBox');
        click('view');
        return { records, shown, wrecks, start, trails,
                 views: [whole, d.getElementById('map').getAttribute('viewBox')],
                 pressed: d.getElementById('view').getAttribute('aria-pressed') };
        """,
    )
    assert found["shown"] == [True, False]
    assert found["wrecks"] == 1
    assert "hits 96 of 140" in found["records"][0]
    assert "gears (lost)" in found["records"][0]
    assert "destroyed" in found["records"][1]
    assert "catapult (size 2) (lost)" in found["records"][1]
    assert len(set(found["start"])) == 2
    assert found["trails"] == 2
    views = [" ".join(f"{number:g}" for number in view) for view in data(player(DUEL, STORY))["views"]]
    assert found["views"] == views[::-1]
    assert found["pressed"] == "true"


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 380, 768, 1200])
@pytest.mark.parametrize(("cast", "story"), [(DUEL, STORY), army()], ids=["duel", "army"])
def test_the_page_is_no_wider_than_its_window_and_fit_for_fingers(
    browser: str, tmp_path: Path, cast: Cast, story: Any, width: int
) -> None:
    found = ask(
        browser,
        tmp_path,
        """
        press('ArrowDown');
        const sizes = [...d.querySelectorAll('.buttons button')].map((b) => b.getBoundingClientRect());
        const map = d.getElementById('map').getBoundingClientRect();
        const controls = d.getElementById('controls').getBoundingClientRect();
        return { wide: d.documentElement.scrollWidth, map: map.width, below: controls.bottom,
                 least: Math.min(...sizes.map((b) => Math.min(b.width, b.height))) };
        """,
        page=player(cast, story),
        width=width,
    )
    assert found["wide"] == width
    assert found["least"] >= (44 if width >= 380 else 36)
    assert found["map"] > 0.5 * width
    assert found["below"] <= 800


@pytest.mark.browser
def test_on_a_low_screen_the_controls_do_not_cover_the_map(browser: str, tmp_path: Path) -> None:
    script = """
        const [map, controls] = ['map', 'controls'].map((id) => d.getElementById(id).getBoundingClientRect());
        return { apart: controls.top - map.bottom };
        """
    for width, height in ((740, 360), (800, 600), (360, 640)):
        assert ask(browser, tmp_path, script, width=width, height=height)["apart"] >= 0


@pytest.mark.browser
def test_no_jug_hides_the_sign_of_another(browser: str, tmp_path: Path) -> None:
    found = ask(
        browser,
        tmp_path,
        """
        const layers = [...d.querySelectorAll('#map > g')].map((layer) => layer.id);
        const signs = () => [...d.querySelectorAll('#labels > g')].map((sign) =>
          [sign.textContent, sign.style.transform, w.getComputedStyle(sign).display !== 'none']);
        const jugs = () => [...d.querySelectorAll('#jugs > g')].map((jug) => jug.style.transform);
        const start = signs(), there = jugs();
        press('End');
        return { layers, start, there, end: signs() };
        """,
    )
    assert found["layers"].index("labels") > found["layers"].index("jugs")
    assert [sign[0] for sign in found["start"]] == ["A", "B"]
    assert [sign[1] for sign in found["start"]] == found["there"]
    assert [sign[2] for sign in found["end"]] == [True, False]


@pytest.mark.browser
def test_a_button_that_leads_nowhere_any_more_hands_the_keyboard_to_play(browser: str, tmp_path: Path) -> None:
    found = ask(
        browser,
        tmp_path,
        """
        const after = [];
        for (const id of ['last', 'first', 'on']) {
          d.getElementById(id).focus();
          click(id);
          after.push(d.activeElement.id, text('caption').split(' ')[0]);
        }
        return { after };
        """,
    )
    assert found["after"][:4] == ["play", "victory", "play", "Set-up"]
    assert found["after"][4] == "on"


@pytest.mark.browser
@pytest.mark.parametrize("still", [False, True])
def test_jugs_glide_unless_motion_is_unwelcome(browser: str, tmp_path: Path, still: bool) -> None:
    script = "return { glide: w.getComputedStyle(d.querySelector('.jug')).transitionDuration };"
    options = ["--force-prefers-reduced-motion"] if still else []
    assert ask(browser, tmp_path, script, *options)["glide"] == ("0s" if still else "0.18s")


@pytest.mark.browser
@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_is_only_looked_at(browser: str, tmp_path: Path, hostile: str) -> None:
    file = tmp_path / "battle.html"
    file.write_text(player(named(hostile), STORY, title=hostile, says=hostile), encoding="utf-8")
    dom, complaints = look(browser, file, "--dump-dom", hash="#45")
    assert complaints == ""
    assert html.unescape(part(dom, "title")) == hostile
    assert html.unescape(part(dom, "h1")) == hostile
    assert len(re.findall(r"<script\b", dom)) == 2
    assert not re.search(r"<(img|iframe|object|embed|link|form|a)\b", dom)
    assert f"step 45 of {len(data(player(DUEL, STORY))['steps'])}" in dom


@pytest.mark.browser
def test_the_policy_stops_what_would_slip_through(browser: str, tmp_path: Path) -> None:
    file = tmp_path / "battle.html"
    file.write_text(player(DUEL, STORY).replace("</main>", f"{HOSTILE[0]}{HOSTILE[2]}</main>"), encoding="utf-8")
    dom, complaints = look(browser, file, "--dump-dom")
    assert "<title>Gorger against Landship</title>" in dom
    assert "Content Security Policy" in complaints


@pytest.mark.browser
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_follows_light_and_dark(browser: str, tmp_path: Path, dark: bool) -> None:
    from matplotlib.image import imread

    file = tmp_path / "battle.html"
    file.write_text(player(DUEL, STORY), encoding="utf-8")
    shot = tmp_path / "page.png"
    options = ["--force-dark-mode"] if dark else []
    look(browser, file, f"--screenshot={shot}", "--window-size=1200,900", *options, hash="#30")
    pixels = imread(shot)[..., :3]
    assert (pixels[:8].mean() < 0.2) == dark
    assert pixels.std() > 0.02
