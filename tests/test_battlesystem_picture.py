"""Pictures and pages of a battle: what is drawn agrees with the events, and the files are sound."""

import base64
import hashlib
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from simkit.games.battlesystem import draw
from simkit.games.battlesystem.chronicle import headline, rounds
from simkit.games.battlesystem.happenings import Over, What
from simkit.games.battlesystem.kinds import Formation
from simkit.games.battlesystem.picture import MOST_ROUNDS, Picture, picture
from simkit.games.battlesystem.player import player, stretches
from simkit.games.battlesystem.track import happened, track
from tests.battlesystem_told import BREAKTHROUGH, PIKES_AGAINST_CAVALRY, WALL_UNDER_ARROWS, seen, told_with
from tests.naive.battlesystem import Troop
from tests.naive.battlesystem.scenes import ALL

SVG = "{http://www.w3.org/2000/svg}"
TOLD = [PIKES_AGAINST_CAVALRY, WALL_UNDER_ARROWS, BREAKTHROUGH]


def drawn(battle):
    """Parse the picture of a battle."""
    return ET.fromstring(picture(battle.cast, battle.events))


def marks(root):
    """Return every mark that tells what it is: its words and its group."""
    groups = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    return [(group.find(f"{SVG}title").text, group) for group in groups]


def texts(root):
    """Return all lines of text."""
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def standing(group, side):
    """Count the figures of a side that a block shows on their feet."""
    shapes = [shape for shape in group.iter() if shape.tag in (f"{SVG}rect", f"{SVG}circle")]
    return sum(draw.SIDES[side] in (shape.get("fill"), shape.get("stroke")) for shape in shapes)


@pytest.mark.parametrize("battle", [*TOLD, *(seen(seed) for seed in (4, 7, 32))])
def test_a_picture_is_one_sound_element(battle):
    text = picture(battle.cast, battle.events)
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg" and root.get("role") == "img" and root.get("width") == "720"
    assert text == picture(battle.cast, battle.events)
    assert not re.search(r"\bid=|<script|href|url\(|<style|nan|inf\b", text)
    first = [child.tag.removeprefix(SVG) for child in root][:2]
    assert first == ["title", "desc"]
    assert set(re.findall(r"#[0-9a-f]{6}\b", text)) <= {
        draw.PAPER, draw.INK, draw.MUTED, draw.GRID, *draw.SIDES,
        *(colour for look in draw.GROUND.values() for colour in look if colour),
    }  # fmt: skip
    height = float(root.get("height"))
    for line in root.iter(f"{SVG}text"):
        assert 0 <= float(line.get("x")) <= 720
        assert 0 <= float(line.get("y")) <= height


def test_the_title_and_the_description_tell_the_battle():
    root = drawn(PIKES_AGAINST_CAVALRY)
    assert root.find(f"{SVG}title").text == "Heavy cavalry against Pikemen: victory for A in round 3"
    told = root.find(f"{SVG}desc").text
    assert told.startswith(
        "Lane of 24 inches: clear and level. Heavy cavalry (A): 12 figures. Pikemen (B): 18 figures."
    )
    assert told.endswith("Pikemen (B) fail a check (9 against 8); Pikemen (B) rout.")


@pytest.mark.parametrize("battle", TOLD)
def test_blocks_show_as_many_figures_as_are_left(battle):
    scenes = track(battle.cast, battle.rows)
    wanted = [
        (member.name, scenes[0].units[i].figures) for i, member in enumerate(battle.cast.members) if not member.reserve
    ]
    for one in rounds(happened(battle.rows), scenes):
        for i, member in enumerate(battle.cast.members):
            if one.before.units[i].in_play and not one.after.units[i].waiting:
                wanted.append((member.name, one.after.units[i].figures))
    found = []
    for words, group in marks(drawn(battle)):
        if match := re.match(r"(.* \((.)\)): (\d+) of \d+ figures?,", words):
            assert standing(group, "AB".index(match[2])) == int(match[3])
            found.append((match[1], int(match[3])))
    assert sorted(found) == sorted(wanted)


def test_fronts_stand_to_scale_and_touch():
    battle = PIKES_AGAINST_CAVALRY
    sheet = Picture(battle.cast, happened(battle.rows))
    assert sheet.x(24 * 36) - sheet.x(0) == pytest.approx(2 * (sheet.x(12 * 36) - sheet.x(0)))
    blocks = [group for words, group in marks(drawn(battle)) if ", front at 24" in words and "B" in words]
    left = min(float(shape.get("x")) for shape in blocks[0].iter(f"{SVG}rect"))
    assert sheet.x(24 * 36) <= left < sheet.x(24 * 36) + 4


def test_what_was_declared_and_done_is_marked():
    words = [words for words, _ in marks(drawn(PIKES_AGAINST_CAVALRY))]
    assert words.count("Pikemen (B): pikes set") == 2  # as it stood, and as the charge came in
    assert "Heavy cavalry (A) charge 9 inches" in words and "Heavy cavalry (A) move 15 inches" in words
    assert "Pikemen (B) rout" in words
    words = [words for words, _ in marks(drawn(WALL_UNDER_ARROWS))]
    assert "Men-at-arms (A): shield wall" in words
    assert "Archers (B) shoot at Men-at-arms (A): 16 hit dice" in words
    assert "ditch at 7" in words and "clear from 0 to 9 inches" in words
    words = [words for words, _ in marks(drawn(BREAKTHROUGH))]
    assert "Heavy cavalry (A) in contact with Goblins (B)" in words
    assert "Slot 1" in texts(drawn(BREAKTHROUGH))
    assert "Goblins (B) 12 of 12; Spearmen (B) in reserve" in texts(drawn(BREAKTHROUGH))


def test_the_legend_has_what_was_drawn_and_nothing_else():
    legend = texts(drawn(PIKES_AGAINST_CAVALRY))[-10:]
    assert legend == ["figure, A", "figure, B", "lost this round", "lost before", "closed", "open order",
                      "set spears or pikes", "move", "charge", "rout"]  # fmt: skip
    assert "missiles" in texts(drawn(WALL_UNDER_ARROWS)) and "ditch" in texts(drawn(WALL_UNDER_ARROWS))


@pytest.mark.parametrize("formation", list(Formation))
def test_formations_look_different(formation):
    battle = told_with([Troop(ALL["orcs"], 12, 4, formation.name.lower(), "hold")], [Troop(ALL["orcs"], 12, 4)])
    root = drawn(battle)
    block = next(group for words, group in marks(root) if words.startswith("Orcs (A): 12 of 12"))
    round_ = formation in (Formation.SKIRMISH, Formation.MOB)
    shapes = list(block.iter(f"{SVG}circle" if round_ else f"{SVG}rect"))
    assert len(shapes) == 12
    height = sorted({float(shape.get("cy" if round_ else "y")) for shape in shapes})
    assert len(height) == (8 if formation == Formation.MOB else 4)
    assert (height[-1] - height[0] > 40) == (formation in (Formation.OPEN, Formation.SKIRMISH))


def test_rounds_in_which_nothing_is_done_share_a_line():
    battle = told_with([Troop(ALL["orcs"], 4, 4, policy="hold")], [Troop(ALL["orcs"], 4, 4, policy="hold")])
    lines = texts(drawn(battle))
    assert "Rounds 1 to 30: nobody moves or strikes" in lines
    assert lines[0] == "Orcs against Orcs: no side has won in 30 rounds"
    assert [one.mark for one in stretches(battle.cast, battle.events)] == ["Start", "1-30", "End"]


def test_of_very_many_rounds_the_last_are_written_only():
    rows = []
    for n in range(1, MOST_ROUNDS + 3):
        rows += [(What.ROUND, n, -1, -1, -1, n, -1), (What.DAMAGE, n, 0, -1, -1, 1, n % 20)]
    cast = PIKES_AGAINST_CAVALRY.cast
    root = ET.fromstring(picture(cast, (rows, len(rows))))
    blocks = [words for words, _ in marks(root) if words.startswith("Heavy cavalry (A): ")]
    assert len(blocks) == MOST_ROUNDS + 1
    assert f"Round {MOST_ROUNDS + 2}: Heavy cavalry (A) lose no figure (1 hit die)" in texts(root)
    assert "the end is not in the trace" in texts(root)[0]


def test_a_trace_without_room_says_so():
    battle = PIKES_AGAINST_CAVALRY
    assert "The trace ran out of room: the end is missing." in picture(battle.cast, (battle.rows[:30], 99))


def test_headlines_of_many_units_count_by_side():
    battle = seen(7)
    found = [headline(battle.cast, one) for one in rounds(happened(battle.rows), track(battle.cast, battle.rows))]
    assert "8 units move" in found
    assert "5 contacts, none by a charge; A loses 2 figures (52 hit dice); B loses 1 figure (44 hit dice)" in found


def test_a_side_with_a_title_is_called_by_it():
    cast = replace(PIKES_AGAINST_CAVALRY.cast, sides=("Normans & co", "B"))
    rows = [(What.ROUND, 1, -1, -1, -1, 1, -1), (What.OVER, 1, -1, 0, -1, Over.WON, -1)]
    assert "Normans &amp; co against Pikemen: victory for Normans &amp; co in round 1" in picture(cast, (rows, 2))


def test_the_page_steps_from_round_to_round_and_loads_nothing():
    battle = PIKES_AGAINST_CAVALRY
    page = player(battle.cast, battle.events, says="trial 5 <b>")
    assert page == player(battle.cast, battle.events, says="trial 5 <b>")
    assert page.startswith("<!doctype html>")
    assert "<p>trial 5 &lt;b&gt;</p>" in page and "<h1>Heavy cavalry against Pikemen</h1>" in page
    style = re.search(r"<style>(.*?)</style>", page, re.S)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src &#x27;none&#x27;; style-src &#x27;sha256-{digest}&#x27;" in page
    assert "<script" not in page and "{{" not in page
    assert re.findall(r'<section id="part-(\d)"', page) == list("01234")
    assert re.findall(r'href="#part-(\d)"', page)[:5] == list("01234")
    assert page.count("<svg") == 5
    assert page.count("Heavy cavalry (A): 12 figures of 20 hit dice") == 1
    assert "18 times 7 (N 20) kills 2 x 3 = 6 each = 108 hit dice." in page
    assert '<p class="ending">Victory for A in round 3.</p>' in page
