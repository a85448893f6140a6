"""Plots, page and words of a league, from documents made by hand."""

import re
import xml.etree.ElementTree as ET

import pytest

from simkit.balance.league import said
from simkit.report import ladderplot, leagueplot
from simkit.report.leaguesheet import BADGE, sheet
from simkit.report.sheet import html, markdown
from simkit.report.words import cleaned


def number(estimate, low=None, high=None, method="clopper-pearson", n=10_240):
    low, high = (estimate if end is None else end for end in (low, high))
    exact = method == "exact"
    return {
        "estimate": estimate,
        "low": low,
        "high": high,
        "level": 1.0 if exact else 0.99,
        "n": 0 if exact else n,
        "method": method,
    }


def made(count, title="Name{}", gap=0.05, **more):
    """Return a document in which each wins fewer titles than the one before, less by the gap."""
    shares = [1 / count + gap * ((count - 1) / 2 - k) / count for k in range(count)]
    rows = [
        {
            "entrant": f"id-{k}",
            "title": number(share, share - 0.01, share + 0.01),
            "fraction": None,
            "points": number(40.0 - k, 39.5 - k, 40.5 - k, "max-t"),
            "spread": number(4.0, 3.9, 4.1, "batch-t"),
            "difference": number(3.0 - k, 2.0 - k, 4.0 - k, "max-t"),
            "won": number(10.0, 9.0, 11.0, "max-t"),
            "drawn": number(1.0, 0.9, 1.1, "max-t"),
            "lost": number(10.0, 9.0, 11.0, "max-t"),
            "places": [number(share if p == 0 else (1 - share) / (count - 1), 0.0, 1.0) for p in range(count)],
        }
        for k, share in enumerate(shares)
    ]
    share = number(0.4, 0.39, 0.41, "batch-t")
    document = {
        "command": "league",
        "name": "toy",
        "run": "league-0",
        "question": "Who?",
        "level": 0.99,
        "file": "toy.toml",
        "settings": {"promoted": 1},
        "entrants": [{"id": f"id-{k}", "title": title.format(k), "budget": None, "table": {}} for k in range(count)],
        "how": "played",
        "rounds": "double",
        "points": [3, 1, 0],
        "tie_break": ["direct", "difference", "roll"],
        "counted": "hits",
        "seasons": 10_240,
        "burn_in": 0,
        "trials": 1_000,
        "matches": count * (count - 1),
        "rerolled": [],
        "pair_games": 0,
        "tables": 0,
        "rows": rows,
        "best": "id-0",
        "proves": rows[0]["title"],
        "home": number(0.52, 0.51, 0.53, "batch-t"),
        "upsets": share,
        "drawn": share,
        "capped": share,
        "settled": [{"by": by, "title": share, "any": share} for by in ("points", "direct", "difference", "roll")],
        "meetings": [],
        "divisions": [],
        "moving": [],
        "instead": None,
        "longer": [],
        **more,
    }
    return cleaned({**document, "verdict": said.verdict(document, 0.99, 0.01)})


def moved(*moves, count=3):
    """Return what the other way does to title odds."""
    rows = [
        {"entrant": f"id-{k}", "title": number(0.3, 0.29, 0.31), "moves": number(*moves[k % len(moves)], "tango")}
        for k in range(count)
    ]
    return {
        "points": [2, 1, 0],
        "tie_break": ["direct", "difference", "roll"],
        "set": {},
        "house_rules": [],
        "words": "With 2-1-0 instead of 3-1-0",
        "changed": number(0.04, 0.03, 0.05),
        "rows": rows,
    }


def texts(svg):
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("count", [2, 8, 32])
def test_every_place_has_its_field(count, narrow):
    document = made(count)
    plot = leagueplot.places(document, narrow=narrow)
    ET.fromstring(plot.svg)
    told = texts(plot.svg)
    assert [text for text in told if text.startswith("Name")] == [f"Name{k}" for k in range(count)]
    assert f"{100 * document['rows'][0]['title']['estimate']:.1f}" in told
    fields = sum(f"{100 * row['places'][1]['estimate']:.0f}" in told for row in document["rows"])
    assert fields == count or count == 32 or narrow
    assert "Name0 wins" in plot.alt and ("and so on" in plot.alt) == (count > 8)
    assert ("title, %" in told) is True


@pytest.mark.parametrize("narrow", [False, True])
def test_points_stand_by_their_mean(narrow):
    plot = leagueplot.points(made(5), narrow=narrow)
    ET.fromstring(plot.svg)
    assert [text for text in texts(plot.svg) if text.startswith("Name")] == [f"Name{k}" for k in range(5)]
    assert "40.0, sd 4.0" in texts(plot.svg) and "Name0 40.0, sd 4.0" in plot.alt


def test_next_to_nothing_is_not_nothing():
    document = made(3)
    document["rows"][2]["places"] = [number(0.001, 0.0, 0.01), number(0.0, 0.0, 0.01), number(0.999, 0.99, 1.0)]
    told = texts(leagueplot.places(document).svg)
    assert "<1" in [text.replace("&lt;", "<") for text in told] and "0" in told
    assert ">99" in [text.replace("&gt;", ">") for text in told]


@pytest.mark.parametrize(
    ("document", "word", "words"),
    [
        (made(3, gap=0.3), "favourite", "The title goes to Name0 in 43.3 % (42.3 to 44.4 %) of seasons, to Name1 in"),
        (made(3, gap=0.01), "undecided", "whether more often than to Name1 and Name2 is not resolved"),
        (made(3, gap=0.3, how="matrix", pair_games=512), "favourite", "drawn from 512 games of each pair at each home"),
        (made(3, gap=0.3, rerolled=["id-0"]), "favourite", "seasons played with armies drawn anew"),
        (made(3, gap=0.3, best="id-1"), "favourite", "Most points on average go to Name1, but only 43.3 %"),
        (made(3, instead=moved((0.05, 0.02, 0.08))), "moves", "another champion in 4.0 % (3.0 to 5.0 %) of 10,240"),
        (made(3, instead=moved((0.001, -0.002, 0.004))), "holds", "nobody's title odds move by 1 pp"),
        (made(3, instead=moved((0.01, -0.02, 0.04))), "unmoved", "whether title odds move is not resolved"),
    ],
)
def test_the_answer_and_its_word(document, word, words):
    verdict = document["verdict"]
    assert verdict["word"] == word and words in verdict["answer"], verdict["answer"]
    assert verdict["rule"] == said.RULES[word]
    assert ("not resolved" in verdict["answer"]) == bool(verdict["not_resolved"]) or word == "holds"
    assert sheet(document).word == BADGE[word][1]


def test_those_who_are_level():
    document = made(2)
    for row in document["rows"]:
        row |= {"title": number(0.5, method="exact"), "fraction": "1/2"}
    document |= {"how": "exact", "tables": 9, "upsets": None, "capped": None}
    verdict = said.verdict(document, 0.99, 0.01)
    assert verdict["word"] == "level" and verdict["not_resolved"] == []
    assert verdict["answer"].startswith("The title goes to Name0 and Name1 alike, in 50 % (1/2) of seasons each (exact")


def test_every_word_has_a_badge():
    assert set(BADGE) == set(said.RULES)


def page(document):
    """Return the page of a document as HTML and as Markdown."""
    head = {"title": "Toy", "game": "toy", "edition": "first", "seed": 1, "version": {"game": 1, "dice": 1}}
    rest = {
        "rules": [],
        "house_rules": [],
        "assumptions": [],
        "model": [],
        "changes": [],
        "setting": "S.",
        "metrics": [],
    }
    rest |= {"axes": [], "baseline": None, "experiment": "", "metric": "score", "target": None, "fair_within": None}
    whole = {**document, **head, **rest}
    return html(whole, sheet(whole)), markdown(whole, sheet(whole))


def test_titles_of_strangers_do_no_harm():
    document = made(3, title="<script>{}</script>")
    shown, text = page(document)
    assert "<script>0" not in shown and "&lt;script&gt;0" in shown
    assert document["verdict"]["answer"][:20] in text or "script" in text


def test_sections_come_with_what_was_asked():
    plain = [section.title for section in sheet(made(3)).sections]
    assert plain == ["Who wins the title", "Points", "Home and luck", "Ties"]
    share = number(0.5, 0.4, 0.6, "batch-t")
    divisions = [{"name": f"division {d + 1}", "start": ["id-0"], "shares": [share] * 3} for d in range(2)]
    document = made(
        3,
        instead=moved((0.05, 0.02, 0.08)),
        divisions=divisions,
        moving=[{"entrant": f"id-{k}", "up": share, "down": share} for k in range(3)],
        longer=[{"rounds": k, "matches": 6 * k, "proves": number(0.3 * k, 0.29 * k, 0.31 * k)} for k in (1, 2, 3)],
        meetings=[{"home": "id-0", "away": "id-1", "won": share, "drawn": share, "lost": share}],
    )
    titles = [section.title for section in sheet(document).sections]
    assert titles == [
        "In the other way",
        "Divisions",
        "Who wins the title",
        "Points",
        "Home and luck",
        "Ties",
        "How many rounds until the best wins",
        "All matches",
    ]
    for narrow in (False, True):
        plot = ladderplot.divisions(document, narrow=narrow)
        ET.fromstring(plot.svg)
        assert texts(plot.svg).count("50") >= 6 and "Name0 50 % in division 1" in plot.alt
    text = page(document)[1]
    assert "Surely 90 % of the titles go to Name0 after more rounds than these." in text
    assert "the last of a division and the first of the next change places" in text
    longer = [{"rounds": 4, "matches": 24, "proves": number(0.95, 0.93, 0.97)}]
    assert "after 4 double rounds." in page(made(3, longer=longer))[1]


@pytest.mark.parametrize(
    ("home", "says"),
    [
        ((0.52, 0.51, 0.53), "The home seat is worth 2 pp of the score."),
        ((0.48, 0.47, 0.49), "The home seat is a burden of 2 pp of the score."),
        ((0.5, 0.49, 0.51), "Whether the home seat is worth anything is not resolved."),
    ],
)
def test_what_the_home_seat_is_worth(home, says):
    """J-LEA-9."""
    assert says in page(made(3, home=number(*home, "batch-t")))[1]
