"""A battle to step through: one self-contained HTML page with a picture and the story of every round.

The page loads nothing and runs nothing: links lead from round to round. Its policy allows its own style sheet, by its
hash, and no other; text that comes from files is escaped.
"""

import base64
import functools
import hashlib
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from simkit.games.battlesystem.chronicle import NOTHING, Round, ending, headline, matchup
from simkit.games.battlesystem.draw import Sheet
from simkit.games.battlesystem.legend import legend
from simkit.games.battlesystem.narrate import retell
from simkit.games.battlesystem.picture import Picture
from simkit.games.battlesystem.reader import Told
from simkit.games.battlesystem.staging import Cast
from simkit.games.battlesystem.track import happened

PLACEHOLDER = re.compile(r"\{\{ (\w+) \}\}")


class Stretch(NamedTuple):
    """What one section of the page tells: the set-up, a round, several quiet ones, or the end."""

    mark: str
    """In the row of links."""
    title: str
    words: str
    picture: str
    lines: Sequence[Told]


def player(cast: Cast, events: tuple[Any, int], title: str = "", says: str = "") -> str:
    """Return a page that steps through a battle.

    Parameters
    ----------
    cast
        Who fights where.
    events
        What ``game.trace`` returns: the rows kept, and how many events there were.
    title
        Heading; who fights whom when left out.
    says
        A line below it, such as which trial of which experiment this is.

    Returns
    -------
    str
        The same text for the same battle, on every machine.

    Examples
    --------
    >>> Path("battle.html").write_text(player(cast, events), encoding="utf-8")  # doctest: +SKIP
    """
    rows = happened(events[0])
    outcome, style = ending(cast, rows), _file("player.css")
    parts = stretches(cast, (rows, events[1]))
    links = "".join(f'<a href="#part-{i}">{escape(one.mark)}</a>' for i, one in enumerate(parts))
    shell = {
        "policy": escape(policy(style)),
        "title": escape(title or matchup(cast)),
        "ending": escape(f"{outcome[:1].upper()}{outcome[1:]}."),
        "says": f"<p>{escape(says)}</p>" if says else "",
        "style": style,
        "rounds": links,
        "sections": "\n".join(_section(i, parts) for i in range(len(parts))),
    }
    return PLACEHOLDER.sub(lambda found: shell[found[1]], _file("player.html"))


def policy(style: str) -> str:
    """Return what the page may load: this style sheet."""
    return f"default-src 'none'; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"


def stretches(cast: Cast, events: tuple[Any, int]) -> list[Stretch]:
    """Return the sections of the page in order."""
    rows, lines = happened(events[0]), retell(cast, events)
    drawn = Picture(cast, rows, events[1] > len(rows))
    opening = [line for line in lines if not line.end]
    found = [Stretch("Start", "Set-up", "", _panel(drawn, "Set-up", None), opening)]
    quiet: list[Round] = []
    for one in [*drawn.rounds, None]:
        if one is not None and one.quiet:
            quiet.append(one)
            continue
        if quiet:
            found.append(_still(quiet, lines))
            quiet = []
        if one is not None:
            words = headline(cast, one)
            told = _lines(lines, one.first, one.end)
            picture = _panel(drawn, f"Round {one.number}: {words}", one)
            found.append(Stretch(str(one.number), f"Round {one.number}", words, picture, told))
    signs = Sheet("What the marks mean", "What the marks mean")
    legend(signs, cast, drawn.drawn)
    last = [line for line in lines if line.kind == "end"]
    return [*found, Stretch("End", "The end", "", signs.svg(), last)]


def _still(quiet: Sequence[Round], lines: Sequence[Told]) -> Stretch:
    """Tell rounds in which nobody does anything together."""
    first, last = quiet[0], quiet[-1]
    several = f"-{last.number}" if last is not first else ""
    title = f"Rounds {first.number} to {last.number}" if several else f"Round {first.number}"
    return Stretch(f"{first.number}{several}", title, NOTHING, "", _lines(lines, first.first, last.end))


def _lines(lines: Sequence[Told], first: int, end: int) -> list[Told]:
    """Return the lines of some events, without headings and the outcome."""
    return [line for line in lines if line.end and first <= line.first < end and line.kind in ("throw", "ride")]


def _panel(drawn: Picture, title: str, one: Round | None) -> str:
    sheet = Sheet(title, title)
    drawn.panel(sheet, drawn.scenes[0] if one is None else one.after, one)
    return sheet.svg()


def _section(i: int, parts: Sequence[Stretch]) -> str:
    one = parts[i]
    listed = "\n".join(
        f'<li class="{line.kind}">{escape(f"{line.text[:1].upper()}{line.text[1:]}.")}{_ids(line)}</li>'
        for line in one.lines
        if line.kind != "turn"
    )
    words = f'\n<p class="words">{escape(f"{one.words[:1].upper()}{one.words[1:]}.")}</p>' if one.words else ""
    back = f'<a href="#part-{i - 1}" rel="prev">Back</a>' if i else "<span></span>"
    on = f'<a href="#part-{i + 1}" rel="next">On</a>' if i + 1 < len(parts) else "<span></span>"
    return (
        f'<section id="part-{i}" aria-labelledby="title-{i}">\n<h2 id="title-{i}">{escape(one.title)}</h2>{words}\n'
        f'{one.picture}<ol>\n{listed}\n</ol>\n<p class="step">{back}{on}</p>\n</section>'
    )


def _ids(line: Told) -> str:
    ids = ", ".join(f"<span>{escape(id)}</span>" for id in line.ids)
    return f' <span class="ids">({ids})</span>' if ids else ""


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@functools.cache
def _file(name: str) -> str:
    return Path(__file__).parent.joinpath("templates", name).read_text(encoding="utf-8")
