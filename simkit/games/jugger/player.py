"""A battle to step through: one self-contained HTML page with the map, the jugs' records and the story.

The page loads nothing. Its policy allows its own script and its own style sheet, each by its hash, and no other; text
that comes from files is text: the shell escapes it, and the script writes it as text content.
"""

import base64
import functools
import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from simkit.games.jugger import phrases as say
from simkit.games.jugger.cast import Cast, Piece
from simkit.games.jugger.happenings import Cause, Happening, What, happened
from simkit.games.jugger.mapdraw import JUG, LOOKS, closed
from simkit.games.jugger.maps import Place
from simkit.games.jugger.narrate import paragraphs, retell
from simkit.games.jugger.picture import ending, matchup
from simkit.games.jugger.reader import Told
from simkit.games.jugger.record import notes
from simkit.games.jugger.track import Scene, Standing, track

SIZE = 20.0
"""Distance from the centre of a hex to a corner, in units of the drawing."""

AROUND = 2.5
"""Hexes shown around everything that happens, when the page shows a part of the map."""

FLATTEST = 0.45
"""Least height of what is shown, as a share of its width."""

STEPPING = (What.ENTER, What.TURN_TO)
"""Events that are steps of their own within a line."""

SHOWN = (What.TO_HIT, What.RAM, What.COLLIDE, What.BURN, What.SQUEEZE)

TOUCHES = """<div class="buttons ball">
<button type="button" id="next-touch" title="To the next touch of the ball (t)">Next touch</button>
<button type="button" id="next-goal" title="To the next goal (g)">Next goal</button>
</div>
"""
"""Buttons of a game with a ball."""

KEYS = ", t for the next touch of the ball, g for the next goal"

PLACEHOLDER = re.compile(r"\{\{ (\w+) \}\}")


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
    lines = retell(cast, (rows, events[1]))
    outcome = ending(cast, rows[-1] if rows else None)
    heading = title or matchup(cast)
    style, script = _file("player.css"), _file("player.js")
    shell = {
        "policy": escape(policy(style, script)),
        "title": escape(heading),
        "ending": escape(f"{outcome[:1].upper()}{outcome[1:]}."),
        "says": f"<p>{escape(says)}</p>" if says else "",
        "style": style,
        "script": script,
        "map": _map(cast),
        "touches": "" if cast.follower is None else TOUCHES,
        "keys": "" if cast.follower is None else KEYS,
        "story": "\n".join(f"<p>{escape(text)}</p>" for text in paragraphs(lines)),
        "battle": _json(battle(cast, rows, lines)),
    }
    return PLACEHOLDER.sub(lambda found: shell[found[1]], _file("player.html"))


def policy(style: str, script: str) -> str:
    """Return what the page may load and run: this style sheet and this script."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )


def battle(cast: Cast, events: Any, lines: Sequence[Told]) -> dict[str, Any]:
    """Return what the script of the page reads: the jugs, the lines, and what every step changes."""
    rows = happened(events)
    scenes = track(cast, rows)
    shown, steps = _shown(cast, scenes[0]), []
    start = shown
    for line, first, end in _steps(rows, lines, (*STEPPING, *cast.stepping)):
        after = _shown(cast, scenes[end])
        step: dict[str, Any] = {"line": line, "turn": scenes[end].turn, "jugs": _changes(shown["jugs"], after["jugs"])}
        for key in ("walls", "wrecks", "ball", "score"):
            if key in after and after[key] != shown[key]:
                step[key] = after[key]
        marks = [mark for i in range(first, end) if (mark := _mark(cast, rows[i], scenes[i])) is not None]
        if marks:
            step["mark"] = marks[-1]  # of a roll that was thrown again, the last
        whats = {row.what for row in rows[first:end]}
        for key, events in (("jump", cast.placing), ("goal", (cast.scoring,)), ("touch", cast.touching)):
            if whats.intersection(events):
                step[key] = 1
        steps.append(step)
        shown = after
    return {
        "sides": [{"name": title, "mark": cast.mark(side)} for side, title in enumerate(cast.sides)],
        "jugs": [
            {
                "name": jug.name,
                "bare": cast.bare_name(slot),
                "code": cast.codes[slot],
                "design": "" if jug.design in (jug.name, cast.bare_name(slot)) else jug.design,
                "size": jug.size,
                "hits": jug.hits,
                "pieces": _grouped(jug.pieces),
            }
            for slot, jug in enumerate(cast.jugs)
        ],
        "start": start,
        "lines": [[line.text, line.kind, list(line.ids)] for line in lines],
        "opening": sum(line.end == 0 for line in lines) if rows else len(lines),
        "steps": steps,
        "views": [_view(_all(cast)), _view(_used(cast, scenes))],
        "compass": list(say.COMPASS),
        "jug": JUG,
        "size": SIZE,
    }


def _steps(rows: Sequence[Happening], lines: Sequence[Told], stepping: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield the steps of the page: number of the line, first event and the one after the last.

    A line that no event tells, such as the end of a haste, is a step in which nothing changes.
    """
    for number, line in enumerate(lines):
        first = line.first
        for i in range(line.first + 1, line.end):
            if rows[i].what in stepping:
                yield number, first, i
                first = i
        if line.end > 0:
            yield number, first, line.end


def _shown(cast: Cast, scene: Scene) -> dict[str, Any]:
    """Return what the page shows of a scene."""
    jugs = [_record(cast, scene, slot, jug) for slot, jug in enumerate(scene.jugs)]
    wrecks = [[wreck.slot, *wreck.place] for wreck in scene.wrecks]
    shown: dict[str, Any] = {"jugs": jugs, "walls": list(scene.walls), "wrecks": wrecks}
    if cast.follower is not None:
        shown["ball"] = None if scene.ball is None else list(scene.ball)
        shown["score"] = list(scene.score)
    return shown


def _record(cast: Cast, scene: Scene, slot: int, jug: Standing) -> dict[str, Any]:
    fate = say.FATES[Cause(jug.fate)] if jug.fate else ""
    return {
        "q": jug.q,
        "r": jug.r,
        "facing": jug.facing,
        "velocity": jug.velocity,
        "hits": jug.hits,
        "side": jug.side,
        "fate": fate,
        "lost": list(jug.lost),
        "notes": notes(cast, scene, slot),
    }


def _grouped(pieces: Sequence[Piece]) -> list[tuple[str, list[int]]]:
    """Return what a jug carries, and which pieces it is: equal ones together."""
    groups: dict[str, list[int]] = {}
    for i, piece in enumerate(pieces):
        title = f"{piece.title} (size {piece.size})" if piece.size > 1 else piece.title
        groups.setdefault(title, []).append(i)
    return list(groups.items())


def _changes(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """Return the fields of the jugs' records that differ, by slot."""
    found = {}
    for slot, (old, new) in enumerate(zip(before, after, strict=True)):
        changed = {key: value for key, value in new.items() if value != old[key]}
        if changed:
            found[slot] = changed
    return found


def _mark(cast: Cast, row: Happening, scene: Scene) -> dict[str, Any] | None:
    """Return what is drawn on the map for an event: kind, from where, whereto, whose and whether it hits."""
    if row.what == cast.scoring and scene.ball is not None:
        return {"kind": "goal", "from": list(scene.ball), "to": list(scene.ball), "side": row.foe, "hit": 1}
    if row.what not in SHOWN:
        return None
    by, at = (row.foe, row.jug) if row.what == What.BURN else (row.jug, row.foe)
    jug = scene.jugs[by]
    target = list(scene.jugs[at].place) if at >= 0 else _ahead(jug)
    kind = {What.RAM: "ram", What.COLLIDE: "ram", What.BURN: "fire"}.get(What(row.what), "shot")
    hit = row.extra if row.what == What.TO_HIT else 1
    return {"kind": kind, "from": list(jug.place), "to": target, "side": jug.side, "hit": hit}


def _ahead(jug: Standing) -> list[float]:
    """Return where a jug would come next: what it collides with."""
    steps = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    dq, dr = steps[jug.facing]
    return [jug.q + dq, jug.r + dr]


# The map


def _xy(place: Place) -> tuple[float, float]:
    return SIZE * math.sqrt(3) * (place[0] + place[1] / 2), SIZE * 1.5 * place[1]


def _map(cast: Cast) -> str:
    """Draw the hexes; their colours are the style sheet's."""
    kinds = cast.map.kinds()
    angles = [math.pi * (2 * k + 1) / 6 for k in range(6)]
    corners = " ".join(f"{SIZE * math.cos(a):.2f},{SIZE * math.sin(a):.2f}" for a in angles)
    parts: list[str] = []
    behind: list[str] = []
    for q, r in cast.map.hexes():
        kind = str(kinds.get((q, r), "plain"))
        x, y = _xy((q, r))
        wall = f' data-wall="{cast.walls.index((q, r))}"' if kind == "wall" else ""
        drawn = "".join(
            f'<path class="sign {name}" d="{LOOKS[name].mark}" transform="scale({SIZE:g})"/>'
            for name in ((kind, "rubble") if kind == "wall" else (kind,))
            if LOOKS[name].mark
        )
        parts.append(
            f'<g class="hex {kind}{_owner(cast, kind, q)}"{wall} transform="translate({x:.2f},{y:.2f})">'
            f'<title>{LOOKS[kind].title} [{q}, {r}]</title><polygon points="{corners}"/>{drawn}</g>'
        )
        if kind == "goal":
            parts[-1] = parts[-1].removesuffix("</g>") + f'<path class="closed" d="{closed(SIZE, q < 0)}"/></g>'
            behind.append(parts.pop())
    return "\n".join([*parts, *behind])


def _owner(cast: Cast, kind: str, q: int) -> str:
    """Return the class of a goal: whose it is; seat 0 has that in the west (J-BALL-7)."""
    return f" {'ab'[cast.mark(int(q > 0))]}" if kind == "goal" else ""


def _all(cast: Cast) -> list[Place]:
    return cast.map.hexes()


def _used(cast: Cast, scenes: Sequence[Scene]) -> list[Place]:
    """List the hexes in which a jug ever stood or the ball ever lay, and the goals."""
    goals = {place for place, kind in cast.map.kinds().items() if str(kind) == "goal"}
    balls = {scene.ball for scene in scenes if scene.ball is not None}
    return sorted({jug.place for scene in scenes for jug in scene.jugs} | goals | balls)


def _view(places: Sequence[Place]) -> list[float]:
    """Return the part of the drawing that shows some hexes with a margin: left, top, width, height."""
    xs, ys = zip(*(_xy(place) for place in places), strict=True)
    width, height = (max(ends) - min(ends) + 2 * AROUND * SIZE for ends in (xs, ys))
    width, height = max(width, height), max(height, width * FLATTEST)
    left, top = ((min(ends) + max(ends) - size) / 2 for ends, size in ((xs, width), (ys, height)))
    return [round(number, 1) for number in (left, top, width, height)]


# Files and escaping


@functools.cache
def _file(name: str) -> str:
    return (Path(__file__).parent / "templates" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _json(data: Mapping[str, Any]) -> str:
    """Write data so that it can stand in a script element: no character of it can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
