"""Who plays in a league and by which rules: its table read, checked against the game, and its meetings planned.

What a game cannot do is refused here, at its place in the file, before anything is played.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from simkit.games.hooks import settling_of
from simkit.games.protocol import Game
from simkit.lab import lists, resolve, weights
from simkit.lab import plan as planning
from simkit.lab.asked.league import LEAST_SEASONS, MOST_ENTRANTS, MOST_EXACT, MOST_SEASONS, League
from simkit.lab.asked.matrix import Matrix
from simkit.lab.asks import refuse_sides
from simkit.lab.entrants import Entrant, gathered, refused
from simkit.lab.experiment import Experiment
from simkit.lab.modelpath import KeyPath
from simkit.lab.musters import Pool, mustered
from simkit.lab.placed import Placed
from simkit.lab.plan import Cell, Plan
from simkit.lab.problems import Problem, ProblemError, did_you_mean
from simkit.lab.toml import Document

TABLE = "league"
TEAM = "team"
"""What a side has whose members are rolled."""
STEMS = ("goals", "hits", "figures")
"""What a difference is counted in, the first of these that a game counts for both sides."""

MOST_RESULTS = 20_000_000
"""Most matches of all seasons together: their results are in memory at once."""


@dataclass(frozen=True)
class Leagues:
    """A league that was read and checked.

    Attributes
    ----------
    plan
        The experiment itself, with the first two for its sides.
    asked
        What is asked, with everything spelt out.
    entrants
        In the order of the file.
    difference
        Columns of the two sides of which the difference of a match is made; none where the game counts nothing.
    other
        The experiment under the rules that hold instead; None where the rules are the same.
    pools
        What the armies are drawn from that are drawn anew for every season, by entrant.
    """

    plan: Plan
    asked: League
    entrants: list[Entrant]
    difference: tuple[str, str] | None
    other: Plan | None = None
    pools: Mapping[str, Pool] = field(default_factory=dict)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the table ``[league]`` with everything spelt out."""
        given = self.asked.model_dump(exclude_none=True)
        if self.asked.divisions is None:
            del given["promoted"], given["burn_in"]
        if self.asked.instead is not None:
            given["instead"] = {key: value for key, value in given["instead"].items() if value not in ([], {})}
            if self.asked.instead.house_rules:
                named = [resolve.reference_id(reference) for reference in self.asked.instead.house_rules]
                given["instead"]["house_rules"] = named
        return {name: value for name, value in given.items() if value not in ([], {})}

    def meetings(self, pairs: Sequence[tuple[int, int]], *, instead: bool = False) -> dict[tuple[int, int], Cell]:
        """Plan matches by (home, away).

        Parameters
        ----------
        pairs
            Who is at home to whom.
        instead
            True for the rules that hold instead.

        Raises
        ------
        ProblemError
            Two of them cannot meet.
        """
        plan = self.other if instead and self.other is not None else self.plan
        further: dict[str, list[Any]] = {}
        written: dict[KeyPath, KeyPath] = {}
        for name in dict.fromkeys(name for table in self.asked.home.values() for name in table):
            path, ids = f"scenario.{name}", [self.entrants[home].id for home, _ in pairs]
            further[path] = [self.asked.home[id][name] for id in ids]
            written |= {(path, k): (TABLE, "home", id, name) for k, id in enumerate(ids)}
        made = lists.met(plan, self.entrants, pairs, further, written)
        return dict(zip(pairs, made.cells, strict=True))


def read(
    source: str | Path | Mapping[str, Any] | Document,
    *,
    seasons: int | None = None,
    seed: int | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Leagues:
    """Read who plays in a league, and by which rules.

    Parameters
    ----------
    source
        A TOML file, a document that was read, or the same tables as a dictionary.
    seasons
        In place of the file's.
    seed, overrides
        As :func:`simkit.lab.plan.make` takes them.

    Raises
    ------
    ProblemError
        With what is wrong with the file, those who take part, their homes, or what the game cannot do.
    ValueError
        So many seasons are not allowed.

    Examples
    --------
    >>> toy = {"schema": 1, "name": "toy", "game": "jugger", "league": {"designs": ["archer", "axer"]}}
    >>> found = read(toy)
    >>> [one.title for one in found.entrants], found.difference
    (['Archer', 'Axer'], ('hits_a', 'hits_b'))
    """
    document = weights.gathered(planning.document_of(source))
    given = dict(overrides or {})
    refuse_sides(document, TABLE, given)
    experiment, game = lists.asked_of(document)
    asked = _with(experiment.league or League(), seasons)
    _refuse_homes(document, asked, given)
    _refuse_what_no_game_does(document, asked, game)
    number = experiment.seed if seed is None else seed
    entrants, pools = _entrants(document, experiment, game, asked, number)
    plan, entrants = lists.planned(document, game, entrants, seed, given)
    settled = _settled(plan, entrants)
    if settled is not None:
        plan, entrants = lists.planned(document, game, settled, seed, given)
    _check_ids(document, asked, entrants)
    _check_budgets(document, asked, entrants, game)
    difference = _difference(document, asked, game)
    kept = pools if asked.reroll == "season" else {}
    spelt: dict[str, Any] = {
        "designs": [one.a["design"] for one in entrants if not one.whole],
        "sides": {one.id: dict(one.a) for one in entrants if one.whole and one.id not in kept},
        "armies": {id: army for id, army in asked.armies.items() if id in kept},
        "difference": None if difference is None else difference[0].removesuffix("_a"),
    }
    asked = asked.model_copy(update=spelt)
    other = _otherwise(document, asked, game, entrants, seed, given)
    if other is not None:  # house rules that it names are part of the question, and kept with its results
        plan = replace(plan, house_rules={**plan.house_rules, **other.house_rules})
    found = Leagues(plan, asked, entrants, difference, other, kept)
    if asked.home:  # everybody is at home once, so that a home that is none is told before anything is played
        found.meetings([(i, i - 1) for i in range(len(entrants))])
    return found


def _settled(plan: Plan, entrants: Sequence[Entrant]) -> list[Entrant] | None:
    """Roll teams that are random once for all matches (J-LEA-3); None where nobody's team is.

    Each is rolled on dice of its own, by its place among the entrants.
    """
    game = settling_of(plan.game)
    if game is None or not any(TEAM in one.a for one in entrants):
        return None
    found = []
    for k, one in enumerate(entrants):
        if TEAM not in one.a:
            found.append(one)
            continue
        changes = {"sides.a": one.a, "sides.b": one.b}
        scenario = plan.game.Scenario.model_validate(plan.game.vary(plan.scenario_data, changes))
        jugs = game.settled(scenario, plan.cells[0].rules, plan.key, k)["a"]
        rest = {key: value for key, value in one.a.items() if key not in (TEAM, "fixed")}
        found.append(one._replace(a={**rest, "jugs": jugs}, b={**rest, "jugs": jugs}))
    return found


def _with(asked: League, seasons: int | None) -> League:
    """Put the number of seasons that the caller gave in place of the file's, and make batches of one size."""
    if seasons is not None and not LEAST_SEASONS <= seasons <= MOST_SEASONS:
        raise ValueError(f"seasons is {seasons}; allowed are {LEAST_SEASONS} to {MOST_SEASONS:,}")
    update: dict[str, Any] = {"seasons": _whole(seasons or asked.seasons), "games": _whole(asked.games)}
    return asked.model_copy(update=update)


def _whole(number: int) -> int:
    return -(-number // 256) * 256


def _refuse_homes(document: Document, asked: League, overrides: Mapping[str, Any]) -> None:
    """Refuse values given outside the file for what every home says itself."""
    for name in dict.fromkeys(name for table in asked.home.values() for name in table):
        if any(f"{path}.".startswith(f"scenario.{name}.") for path in overrides):
            said = f"--set scenario.{name}: where they meet is said by [league.home]"
            raise refused(document, "override", said, (TABLE, "home"), "change it there")


def _refuse_what_no_game_does(document: Document, asked: League, game: Game) -> None:
    """Refuse alternatives of the rules for which a game has no means (J-LEA-3)."""
    if asked.carry_damage:
        said = f"matches of {game.TITLE} begin undamaged, so that no damage can be carried over (J-LEA-3)"
        raise refused(document, "meaning", said, (TABLE, "carry_damage"), "carry_damage = false", "value")
    random = any(army.race is not None for army in asked.armies.values())
    if asked.reroll != "never" and not random:
        said = f"reroll = '{asked.reroll}' is for armies of a race, and none takes part (J-LEA-3)"
        help = 'reroll = "never", or armies with a race and a budget'
        raise refused(document, "meaning", said, (TABLE, "reroll"), help, "value")
    if asked.reroll != "never" and asked.method != "played":
        said = f"reroll = '{asked.reroll}' goes with method = 'played': an army stays for all matches of its season"
        raise refused(document, "meaning", said, (TABLE, "method"), 'method = "played"', "value")


def _entrants(
    document: Document, experiment: Experiment, game: Game, asked: League, seed: int
) -> tuple[list[Entrant], dict[str, Pool]]:
    """List those who take part: designs, whole sides, then armies; and tell what armies are drawn from."""
    armies, pools, problems = mustered(document, game, asked.armies, asked.budget, seed, TABLE)
    if problems:
        raise ProblemError(problems, document.sources)
    twice = [name for name in armies if name in asked.sides]
    if twice:
        at = (TABLE, "armies", twice[0])
        raise refused(document, "shape", f"'{twice[0]}' stands there twice", at, "leave one of them out")
    if asked.designs or asked.sides or armies:
        stated = Matrix().model_copy(update={"designs": asked.designs, "sides": {**asked.sides, **armies}})
        found = [_at_home(one, asked) for one in gathered(document, experiment, game, stated, TABLE)]
    else:
        found = gathered(document, experiment, game, experiment.matrix or Matrix(), "matrix")
    if not 2 <= len(found) <= MOST_ENTRANTS:
        who = f"{len(found)} sides" if len(found) > 2 else (found[0].title if found else "nobody")
        help = 'designs = ["one", "another"], [league.sides.NAME] or [league.armies.NAME]'
        said = f"a league has 2 to {MOST_ENTRANTS} entrants, this file has {who} (J-LEA-1)"
        raise refused(document, "limit" if len(found) > 2 else "meaning", said, (TABLE,), help)
    return found, pools


def _at_home(one: Entrant, asked: League) -> Entrant:
    """Return an entrant with the place in the file at which an army stands."""
    return one._replace(at=(TABLE, "armies", one.id)) if one.whole and one.id in asked.armies else one


def _check_ids(document: Document, asked: League, entrants: Sequence[Entrant]) -> None:
    """Refuse divisions, homes and odds that speak of others than those who take part, or not of all."""
    known = [one.id for one in entrants]
    problems: list[Problem] = []

    def unknown(id: str, at: KeyPath, part: Any = "value") -> None:
        close = did_you_mean(id, known)
        hint = f"did you mean '{close}'? " if close and close != id else ""
        said, span = f"'{id}' does not take part", document.where((TABLE, *at), part)
        problems.append(Problem("value", said, document.path, span, f"{hint}there are: {', '.join(known)}"))

    def wrong(said: str, at: KeyPath, help: str) -> None:
        problems.append(Problem("meaning", said, document.path, document.where((TABLE, *at), "value"), help))

    if asked.divisions is not None:
        _check_divisions(asked, known, unknown, wrong)
    for id in asked.home:
        if id not in known:
            unknown(id, ("home", id), "key")
    if asked.home:
        fields = dict.fromkeys(name for table in asked.home.values() for name in table)
        for id in known:
            missing = [name for name in fields if name not in asked.home.get(id, {})]
            if missing:
                at = ("home", id) if id in asked.home else ("home",)
                wrong(f"the home of '{id}' lacks {', '.join(missing)}", at, f"[league.home.{id}] with all of them")
    for home, row in asked.odds.items():
        places: list[tuple[str, KeyPath]] = [(home, ("odds", home)), *((away, ("odds", home, away)) for away in row)]
        for id, place in places:
            if id not in known:
                unknown(id, place, "key")
    if asked.method == "exact" and len(known) > MOST_EXACT:
        said = f"method = 'exact' solves at most {MOST_EXACT} entrants, this file has {len(known)} (J-LEA-6)"
        wrong(said, ("method",), 'method = "matrix" or "played"')
    if problems:
        raise ProblemError(problems, document.sources)


def _check_divisions(asked: League, known: Sequence[str], unknown: Any, wrong: Any) -> None:
    divisions = asked.divisions or []
    placed: list[str] = []
    for d, names in enumerate(divisions):
        for k, id in enumerate(names):
            if id not in known:
                unknown(id, ("divisions", d, k))
            elif id in placed:
                wrong(f"'{id}' stands there twice", ("divisions", d, k), "leave one of them out")
            placed.append(id)
        leaving = asked.promoted * (1 if d in (0, len(divisions) - 1) else 2)
        if len(names) < leaving:
            said = f"a division of {len(names)} has too few for the {leaving} who leave it (J-LEA-7)"
            wrong(said, ("divisions", d), "a lower promoted, or more entrants")
    missing = [id for id in known if id not in placed]
    if missing:
        wrong(f"{', '.join(missing)} is in no division", ("divisions",), "each entrant is in one division")


def _check_budgets(document: Document, asked: League, entrants: Iterable[Entrant], game: Game) -> None:
    """Refuse entrants that cost more than is allowed (J-LEA-3, J-ARM-1)."""
    problems = []
    for one in entrants:
        army = asked.armies.get(one.id)
        own = None if army is None else army.budget
        most = asked.budget if own is None else own
        if most is None:
            continue
        if one.budget is None:
            said = f"{game.TITLE} does not tell what a side costs"
            raise refused(document, "meaning", said, (TABLE, "budget"), "leave budget out", "value")
        if one.budget.amount > most:
            said = f"'{one.id}' has {one.budget.amount} {one.budget.unit}, at most {most} are allowed (J-ARM-1)"
            span = document.where(one.at, "value")
            problems.append(Problem("rule", said, document.path, span, "fewer or smaller ones, or a larger budget"))
    if problems:
        raise ProblemError(problems, document.sources)


def _difference(document: Document, asked: League, game: Game) -> tuple[str, str] | None:
    """Return the columns of which a difference is made."""
    names = [metric.name for metric in game.OUTCOMES]
    stems = [name.removesuffix("_a") for name in names if name.endswith("_a") and f"{name[:-2]}_b" in names]
    wanted = asked.difference or next((stem for stem in STEMS if stem in stems), None)
    if wanted is None and asked.difference is None:
        return None
    if wanted not in stems:
        close = did_you_mean(wanted or "", stems)
        hint = f"did you mean '{close}'? " if close else ""
        said = f"{game.TITLE} does not count '{wanted}' for both sides"
        help = f"{hint}there are: {', '.join(stems)}"
        raise refused(document, "value", said, (TABLE, "difference"), help, "value")
    return f"{wanted}_a", f"{wanted}_b"


def _otherwise(
    document: Document,
    asked: League,
    game: Game,
    entrants: list[Entrant],
    seed: int | None,
    overrides: Mapping[str, Any],
) -> Plan | None:
    """Plan the league under the rules that hold instead."""
    instead = asked.instead
    if instead is None or not (instead.set or instead.house_rules):
        return None
    data = document.data
    had = len(data.get("house_rules", []))
    table = (TABLE, "instead")
    places: dict[KeyPath, KeyPath] = {("set", key): (*table, "set", key) for key in instead.set}
    places |= {("house_rules", had + k): (*table, "house_rules", k) for k in range(len(instead.house_rules))}
    changed = {
        **data,
        "set": {**data.get("set", {}), **instead.set},
        "house_rules": [*data.get("house_rules", []), *instead.house_rules],
    }
    placed = Placed(changed, document.path, document.text, places)
    return lists.planned(placed, game, entrants, seed, overrides)[0]
