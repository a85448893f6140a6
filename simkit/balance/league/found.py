"""What a league comes to, as plain data: the part of the document that is its own (J-LEA-8)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from simkit.balance.document import assumed_of, assumptions_of
from simkit.balance.league import figures, said
from simkit.balance.league.figures import Json, Kind
from simkit.balance.league.played import Held, burn_in, otherwise
from simkit.balance.league.tally import Tally
from simkit.core.trials import BATCHES
from simkit.lab.leagues import Leagues

POINTS = "points"


def found(held: Held) -> dict[str, Any]:
    """Return everything that a league has shown, with its verdict.

    Parameters
    ----------
    held
        Seasons that were played, drawn or solved.
    """
    league, asked, plan = held.league, held.league.asked, held.league.plan
    told = {
        "trials": held.games,
        "entrants": [
            {
                "id": one.id,
                "title": one.title,
                "budget": None if one.budget is None else {"amount": one.budget.amount, "unit": one.budget.unit},
                "table": dict(one.a),
            }
            for one in league.entrants
        ],
        "how": asked.method,
        "rounds": asked.rounds,
        "points": list(asked.points),
        "tie_break": [*asked.tie_break],
        "counted": asked.difference,
        "seasons": 0 if held.counted is None else held.counted.tallies[0].seasons,
        "burn_in": burn_in(league),
        "matches": len(held.matches),
        "rerolled": list(league.pools),
        "pair_games": asked.games if asked.method == "matrix" else 0,
        "setting": said.setting(league, len(held.matches)),
        "assumptions": assumptions_of(plan, assumed_of(plan)),
    }
    told |= _of_seasons(held) if held.counted is not None else _of_fractions(held)
    return {**told, "verdict": said.verdict(told, plan.level, asked.fair_within)}


def kind_of(league: Leagues, tally: Tally) -> Kind:
    """Return what seasons are worth: played in one division they are independent; else histories, or games, are."""
    if league.asked.method == "matrix":
        return Kind(False, league.asked.games, league.plan.level)
    if tally.way.ladder is not None:
        return Kind(False, BATCHES, league.plan.level)
    return Kind(True, tally.seasons, league.plan.level)


def _of_seasons(held: Held) -> dict[str, Any]:
    """Tell what counted seasons show."""
    league = held.league
    tally = _counted(held).tallies[0]
    kind, units, ids = kind_of(league, tally), tally.seasons, [one.id for one in league.entrants]
    titles = figures.shares(tally.titles, units, kind, together=True)
    points = figures.means(tally.points, units, kind)
    spreads = figures.spreads(tally, kind)
    gaps = figures.means(tally.differences, units, kind, -np.inf)
    lost, drawn, won = (figures.means(part, units, kind) for part in tally.taken)
    order = sorted(range(len(ids)), key=lambda i: (-titles[i]["estimate"], -points[i]["estimate"], i))
    best = max(range(len(ids)), key=lambda i: (points[i]["estimate"], titles[i]["estimate"]))
    rows = [
        {
            "entrant": ids[i],
            "title": titles[i],
            "fraction": None,
            "points": points[i],
            "spread": spreads[i],
            "difference": gaps[i],
            "won": won[i],
            "drawn": drawn[i],
            "lost": lost[i],
            "places": figures.shares(tally.places[i], units, kind, together=False),
        }
        for i in order
    ]
    score, met = figures.homes(tally)
    draws = tally.met[:, :, 1].sum(axis=(0, 1))
    criteria = [POINTS, *tally.way.tie_break]
    settled = zip(
        criteria,
        figures.shares(tally.settled, units, kind, together=False),
        figures.shares(tally.any, units, kind, together=False),
        strict=True,
    )
    return {
        "tables": 0,
        "rows": rows,
        "best": ids[best],
        "proves": figures.shares(tally.titles[[best]], units, kind, together=False)[0],
        "home": figures.ratio(score, 2 * met, kind),
        "upsets": figures.upsets(tally, kind),
        "drawn": figures.ratio(draws, met, kind),
        "capped": figures.ratio(tally.capped, met, kind),
        "settled": [{"by": by, "title": title, "any": any_} for by, title, any_ in settled],
        "meetings": _meetings(tally, kind, ids),
        "divisions": _divisions(league, tally, kind, order),
        "moving": _moving(tally, kind, ids, order),
        "instead": _instead(held, kind, ids, order),
        "longer": [
            {
                "rounds": rounds,
                "matches": len(other.way.matches),
                "proves": figures.shares(other.titles[[best]], other.seasons, kind, together=False)[0],
            }
            for rounds, other in held.longer.items()
        ],
    }


def _counted(held: Held) -> Any:
    if held.counted is None:
        raise ValueError("this league was solved; nothing of it was counted")
    return held.counted


def _meetings(tally: Tally, kind: Kind, ids: Sequence[str]) -> list[Json]:
    """Tell how every pair fares at each home."""
    made = []
    for i, home in enumerate(ids):
        for j, away in enumerate(ids):
            met = tally.met[i, j]
            parts = [figures.ratio(met[k], met.sum(axis=0), kind) for k in range(3)]
            if None not in parts:
                lost, drawn, won = parts
                made.append({"home": home, "away": away, "won": won, "drawn": drawn, "lost": lost})
    return made


def _divisions(league: Leagues, tally: Tally, kind: Kind, order: Sequence[int]) -> list[Json]:
    """Tell who is where in the long run (J-LEA-7)."""
    return [
        {
            "name": f"division {d + 1}",
            "start": list(names),
            "shares": figures.shares(tally.divided[d][list(order)], tally.seasons, kind, together=True),
        }
        for d, names in enumerate(league.asked.divisions or [])
    ]


def _moving(tally: Tally, kind: Kind, ids: Sequence[str], order: Sequence[int]) -> list[Json]:
    if tally.way.ladder is None:
        return []
    up, down = (figures.shares(part, tally.seasons, kind, together=True) for part in (tally.up, tally.down))
    return [{"entrant": ids[i], "up": up[i], "down": down[i]} for i in order]


def _instead(held: Held, kind: Kind, ids: Sequence[str], order: Sequence[int]) -> Json | None:
    """Tell what the same seasons come to in the other way."""
    instead, counted = held.league.asked.instead, _counted(held)
    if instead is None or counted.joint is None:
        return None
    joint, units = counted.joint, counted.tallies[0].seasons
    titles = figures.shares(counted.tallies[1].titles, units, kind, together=True)
    moves = figures.moves(joint.gained, joint.lost, units, kind)
    changed = figures.shares(joint.changed[None, :], units, kind, together=False)[0]
    rows = [{"entrant": ids[i], "title": titles[i], "moves": moves[i]} for i in order]
    return {**_way(held.league), "changed": changed, "rows": rows}


def _way(league: Leagues) -> Json:
    """Tell what is otherwise."""
    instead = league.asked.instead
    if instead is None:
        raise ValueError("nothing is otherwise")
    points, tie_break = otherwise(league, instead)
    rules = league.settings["instead"].get("house_rules", [])
    return {
        "points": points,
        "tie_break": tie_break,
        "set": dict(instead.set),
        "house_rules": list(rules),
        "words": said.otherwise(league, points, tie_break, rules),
    }


def _of_fractions(held: Held) -> dict[str, Any]:
    """Tell what a solved league shows."""
    league, solved = held.league, held.solved[0]
    ids, exact = [one.id for one in league.entrants], figures.exact
    order = sorted(range(len(ids)), key=lambda i: (-solved.places[i][0], -solved.points[i], i))
    best = max(range(len(ids)), key=lambda i: (solved.points[i], solved.places[i][0]))
    rows = [
        {
            "entrant": ids[i],
            "title": exact(solved.places[i][0]),
            "fraction": str(solved.places[i][0]),
            "points": exact(solved.points[i]),
            "spread": exact(float(solved.variances[i]) ** 0.5),
            "difference": None,
            "won": exact(solved.won[i]),
            "drawn": exact(solved.drawn[i]),
            "lost": exact(solved.lost[i]),
            "places": [exact(part) for part in solved.places[i]],
        }
        for i in order
    ]
    criteria = [POINTS, *league.asked.tie_break]
    settled = zip(criteria, solved.settled, solved.any, strict=True)
    drawn = sum(solved.drawn, Fraction(0)) / (2 * len(held.matches))
    return {
        "tables": solved.tables,
        "rows": rows,
        "best": ids[best],
        "proves": exact(solved.places[best][0]),
        "home": exact(solved.home),
        "upsets": None,
        "drawn": exact(drawn),
        "capped": None,
        "settled": [{"by": by, "title": exact(title), "any": exact(any_)} for by, title, any_ in settled],
        "meetings": [],
        "divisions": [],
        "moving": [],
        "instead": _solved_instead(held, ids, order),
        "longer": [],
    }


def _solved_instead(held: Held, ids: Sequence[str], order: Sequence[int]) -> Json | None:
    if len(held.solved) < 2:
        return None
    one, other = (solved.places for solved in held.solved)
    rows = [
        {
            "entrant": ids[i],
            "title": figures.exact(other[i][0]),
            "moves": figures.exact(other[i][0] - one[i][0]),
        }
        for i in order
    ]
    return {**_way(held.league), "changed": None, "rows": rows}


def table(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the table of the league as rows of a file.

    Parameters
    ----------
    told
        What :func:`found` returned.
    """
    made = []
    for row in told["rows"]:
        line: dict[str, Any] = {"entrant": row["entrant"]}
        for name in ("title", "points", "spread", "difference", "won", "drawn", "lost"):
            value = row[name] or {"estimate": None, "low": None, "high": None}
            line |= {name: value["estimate"], f"{name}_low": value["low"], f"{name}_high": value["high"]}
        line |= {f"place_{k + 1}": value["estimate"] for k, value in enumerate(row["places"])}
        made.append(line)
    return made
