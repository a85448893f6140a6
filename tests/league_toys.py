"""Leagues that tests hold, and leagues read in plain Python, one season at a time, that they are held against."""

import copy
import itertools
from fractions import Fraction

from simkit.balance.league.fixtures import fixtures
from simkit.balance.league.matches import Matches
from simkit.lab import leagues
from simkit.lab.runner import Silent
from simkit.lab.study import Study

DUELS = {
    "schema": 1,
    "name": "standoff",
    "question": "Who wins a league of shooters?",
    "game": "jugger",
    "seed": 5,
    "run": {"policy": "hold"},
    "scenario": {"distance": 3},
    "league": {"designs": ["archer", "sniper", "lobber", "gekko-spitter"], "seasons": 1_024},
}
UNITS = {
    "schema": 1,
    "name": "units",
    "question": "Which foot wins a league?",
    "game": "battlesystem",
    "sides": {"a": {"design": "orcs", "figures": 8}, "b": {"design": "orcs", "figures": 8}},
    "scenario": {"in_contact": True},
    "league": {
        "designs": ["men-at-arms", "pikemen", "orcs", "elves"],
        "divisions": [["elves", "orcs"], ["pikemen", "men-at-arms"]],
        "burn_in": 2,
        "seasons": 1_024,
        "instead": {"points": [2, 1, 0]},
    },
}


def changed(data, **league):
    """Return an experiment with other settings of its league; None takes one away."""
    made = copy.deepcopy(data)
    made["league"] = {key: value for key, value in {**made["league"], **league}.items() if value is not None}
    return made


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("runs.jsonl", ".lock")
    }


def played(data, out, seasons):
    """Play the matches of a league by its ledger alone."""
    league = leagues.read(data)
    matches = fixtures(len(league.entrants), league.asked.rounds)
    cells = league.meetings(sorted({(match.home, match.away) for match in matches}))
    opened = Study.opened("toy", league.plan, {}, out=out, jobs=1, progress=Silent(), trials=1)
    with opened as study:
        ledger = Matches(study, league.difference)
        return league, matches, cells, ledger.results(ledger.fixtures(matches, cells), seasons)


def standing(size, matches, tie_break, roll=None, begin=None):
    """Put one season in order, by the rules as they are written (J-LEA-4, J-LEA-5).

    Parameters
    ----------
    size
        How many take part.
    matches
        (home, away, points of home, points of away, difference of home).
    tie_break
        Names in order.
    roll
        Lots, the highest first; None leaves those tied who are left.
    begin
        Division of each; None for one.

    Returns
    -------
    list of list of int
        Those who share a place, the best first.
    """
    begin = begin or [0] * size
    matches = [match for match in matches if begin[match[0]] == begin[match[1]]]

    def points(one, among):
        own = sum(match[2] for match in matches if match[0] == one and match[1] in among)
        return own + sum(match[3] for match in matches if match[1] == one and match[0] in among)

    def total(one):
        return points(one, range(size))

    def difference(one):
        return sum(match[4] for match in matches if match[0] == one) - sum(
            match[4] for match in matches if match[1] == one
        )

    def split(part, score):
        return [[one for one in part if score(one) == value] for value in sorted({*map(score, part)}, reverse=True)]

    def parted(part):
        if len(part) == 1:
            return [part]
        for name in tie_break:
            if name == "direct":
                pieces = split(part, lambda one: points(one, part))
            elif name == "difference":
                pieces = split(part, difference)
            else:
                pieces = [part] if roll is None else split(part, lambda one: roll[one])
            if len(pieces) > 1:
                return [end for piece in pieces for end in parted(piece)]
        return [part]

    found = []
    for division in sorted(set(begin)):
        inside = [one for one in range(size) if begin[one] == division]
        found += [end for piece in split(inside, total) for end in parted(piece)]
    return found


def places(parts):
    """Return the place of each by its number; those who share one all have the best."""
    found, before = {}, 0
    for part in parts:
        found |= dict.fromkeys(part, before)
        before += len(part)
    return [found[one] for one in sorted(found)]


def solved(size, matches, odds, points, tie_break):
    """Return the chance of every place of everybody, and the mean points, by writing down all seasons."""
    win, draw, loss = points
    worth = ((win, loss), (draw, draw), (loss, win))
    chances = [[Fraction(0)] * size for _ in range(size)]
    means = [Fraction(0)] * size
    for results in itertools.product(range(3), repeat=len(matches)):
        chance, season = Fraction(1), []
        for result, (home, away) in zip(results, matches, strict=True):
            chance *= odds[home, away][result]
            season.append((home, away, *worth[result], 0))
        for home, away, own, other, _ in season:
            means[home] += chance * own
            means[away] += chance * other
        before = 0
        for part in standing(size, season, tie_break):
            for one, place in itertools.product(part, range(before, before + len(part))):
                chances[one][place] += chance / len(part)
            before += len(part)
    return chances, means
