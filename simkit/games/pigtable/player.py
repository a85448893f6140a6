"""A match to step through: one self-contained HTML page with a picture and the story of every turn.

The page loads nothing and runs nothing: links lead from turn to turn. Its policy allows its own style sheet, by its
hash, and no other; text that comes from files is escaped.
"""

import base64
import functools
import hashlib
import re
from html import escape
from pathlib import Path

from simkit.games.pigtable.narrate import Teller
from simkit.games.pigtable.picture import Drawing
from simkit.games.pigtable.retrace import Trace
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.scenario import Scenario
from simkit.games.pigtable.story import describe
from simkit.games.protocol import Line

PLACEHOLDER = re.compile(r"\{\{ (\w+) \}\}")


def player(scenario: Scenario, rules: Rules, events: Trace, says: str = "") -> str:
    """Return a page that steps through one match, turn by turn.

    Parameters
    ----------
    scenario, rules, events
        As for :func:`~simkit.games.pigtable.narrate.tell`.
    says
        A line below the heading, such as which trial of which experiment this is.

    Returns
    -------
    str
        The same text for the same match, on every machine.
    """
    teller, drawing = Teller(scenario, rules, events), Drawing(scenario, rules, events)
    told: dict[int, list[Line]] = {}
    for i, row in enumerate(events.rows):
        line = teller.line(i)
        if line is not None and line.kind != "end":
            told.setdefault(row.turn, []).append(line)
    last, style = teller.lines()[-1], _file("player.css")
    sections = []
    for k, turn in enumerate(drawing.turns):
        lines = told.get(turn.number, [])
        heading = lines[0].text if lines and lines[0].kind == "turn" else "Set-up"
        listed = "\n".join(_item(line) for line in lines if line.kind != "turn")
        back = f'<a href="#part-{k - 1}" rel="prev">Back</a>' if k else "<span></span>"
        on = f'<a href="#part-{k + 1}" rel="next">On</a>' if k + 1 < len(drawing.turns) else "<span></span>"
        sections.append(
            f'<section id="part-{k}" aria-labelledby="title-{k}">\n<h2 id="title-{k}">{escape(heading)}</h2>\n'
            f'{drawing.one(turn)}<ol>\n{listed}\n</ol>\n<p class="step">{back}{on}</p>\n</section>'
        )
    shell = {
        "policy": escape(policy(style)),
        "title": escape(describe(scenario)),
        "ending": escape(f"{last.text[:1].upper()}{last.text[1:]}."),
        "says": f"<p>{escape(says)}</p>" if says else "",
        "style": style,
        "rounds": "".join(f'<a href="#part-{k}">{turn.number or "Start"}</a>' for k, turn in enumerate(drawing.turns)),
        "sections": "\n".join(sections),
    }
    return PLACEHOLDER.sub(lambda found: shell[found[1]], _file("player.html"))


def _item(line: Line) -> str:
    ids = ", ".join(f"<span>{escape(id)}</span>" for id in line.ids)
    cited = f' <span class="ids">({ids})</span>' if ids else ""
    return f'<li class="{line.kind}">{escape(f"{line.text[:1].upper()}{line.text[1:]}.")}{cited}</li>'


def policy(style: str) -> str:
    """Return what the page may load: this style sheet."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


@functools.cache
def _file(name: str) -> str:
    return Path(__file__).parent.joinpath("templates", name).read_text(encoding="utf-8")
