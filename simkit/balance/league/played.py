"""A league, as it is played, drawn or solved."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from simkit.balance.league import exact
from simkit.balance.league.divisions import Ladder
from simkit.balance.league.exact import Odds, Solved
from simkit.balance.league.fixtures import Match, fixtures
from simkit.balance.league.matches import Matches
from simkit.balance.league.rerolls import Rerolled
from simkit.balance.league.sources import Source, Stock, drawn, played
from simkit.balance.league.tally import Counted, Tally, Way, count
from simkit.core.trials import BATCHES
from simkit.games.hooks import seat_alone_of
from simkit.games.protocol import Game, fight_of
from simkit.lab.asked.league import Instead
from simkit.lab.entrants import refused
from simkit.lab.leagues import MOST_RESULTS, TABLE, Leagues
from simkit.lab.plan import Cell
from simkit.lab.problems import Problem, ProblemError
from simkit.lab.study import Study

LONGER = (1, 2, 4, 8)
"""Double rounds of which seasons are drawn, to see how many it takes until the best wins."""

LONGER_SEASONS = 25_600


@dataclass(frozen=True)
class Held:
    """Seasons that were held.

    Attributes
    ----------
    league
        What was asked.
    matches
        The fixtures of a season.
    counted
        Seasons by batch; None where they were solved.
    solved
        The league in fractions, and, with other points or tie-breaks, a second time; empty where it was played.
    games
        Games behind it, those that hold instead included.
    longer
        Where seasons are drawn: seasons of more rounds, by how many double rounds they have.
    """

    league: Leagues
    matches: list[Match]
    counted: Counted | None
    solved: tuple[Solved, ...]
    games: int
    longer: Mapping[int, Tally] = field(default_factory=dict)


def check(league: Leagues) -> list[Match]:
    """Return the fixtures of a season, or refuse what would be too much.

    Raises
    ------
    ProblemError
        Too many results, too few games for so many rounds, or odds that are none.
    """
    asked, document = league.asked, league.plan.document
    matches = fixtures(len(league.entrants), asked.rounds)
    legs = 1 + max(match.leg for match in matches)
    if asked.method == "played":
        results = len(matches) * (asked.seasons + burn_in(league) * BATCHES)
        if results > MOST_RESULTS:
            said = f"{len(matches)} matches in so many seasons are {results:,} results, at most {MOST_RESULTS:,} fit"
            raise refused(document, "limit", said, (TABLE, "seasons"), 'fewer seasons, or method = "matrix"', "value")
    if league.pools:
        for plan in (league.plan, *(() if league.other is None else (league.other,))):
            Rerolled(league, plan, 0).check()
    if asked.method == "matrix":
        results = asked.games * len({(match.home, match.away) for match in matches})
        if asked.games < legs * BATCHES:
            said = f"{asked.games} games of a pair at each home are too few for {legs} rounds"
            raise refused(document, "limit", said, (TABLE, "games"), f"at least {legs * BATCHES}", "value")
        if results > MOST_RESULTS:
            said = f"so many games of every pair at each home are {results:,} results, at most {MOST_RESULTS:,} fit"
            raise refused(document, "limit", said, (TABLE, "games"), "fewer games", "value")
    _check_odds(league)
    return matches


def _check_odds(league: Leagues) -> None:
    """Refuse odds of somebody against itself, and those that do not add up to 1."""
    document, problems = league.plan.document, []
    for home, row in league.asked.odds.items():
        for away, chances in row.items():
            at, whole = (TABLE, "odds", home, away), sum(map(Fraction, chances))
            if home == away:
                said = f"'{home}' does not play against itself"
                problems.append(Problem("meaning", said, document.path, document.where(at), "leave these odds out"))
            elif whole != 1:
                said = f"the odds of '{home}' at home to '{away}' add up to {whole}, not to 1"
                problems.append(Problem("value", said, document.path, document.where(at, "value"), "[win, draw, loss]"))
    if problems:
        raise ProblemError(problems, document.sources)


def burn_in(league: Leagues) -> int:
    """Return the seasons at the beginning of a history that do not count."""
    return 0 if league.asked.divisions is None else league.asked.burn_in


def games_of(league: Leagues) -> int:
    """Return about how many games a league takes."""
    asked, matches = league.asked, fixtures(len(league.entrants), league.asked.rounds)
    if asked.method == "exact":
        return 0
    each = asked.games if asked.method == "matrix" else asked.seasons + burn_in(league) * BATCHES
    different = len({(match.home, match.away) for match in matches}) if asked.method == "matrix" else len(matches)
    return each * different * (1 if league.other is None else 2)


def ordering(league: Leagues) -> float:
    """Return about how many seconds it takes to put all seasons in order, measured with eight and with 32 entrants."""
    if league.asked.method == "exact":
        return 0.0
    ways = 1 if league.asked.instead is None else 2
    return 2.5e-7 * league.asked.seasons * len(league.entrants) ** 2 * ways


def hold(study: Study, league: Leagues) -> Held:
    """Hold the seasons of a league.

    Parameters
    ----------
    study
        Where matches are played and kept.
    league
        What is asked.

    Raises
    ------
    ProblemError
        The odds of a match are not to be had exactly, or something is too much.
    """
    asked, matches = league.asked, check(league)
    if asked.method == "exact":
        return Held(league, matches, None, _solved(league, matches), 0)
    size, seed = len(league.entrants), league.plan.experiment.seed
    instead = asked.instead
    ladder = None
    if asked.divisions is not None:
        division = {id: d for d, names in enumerate(asked.divisions) for id in names}
        ladder = Ladder([division[one.id] for one in league.entrants], asked.promoted)
    ways = [Way(matches, size, asked.points, asked.tie_break, seed, ladder)]
    games, source, stock = _source(study, league, matches, instead=False)
    sources = [source]
    if instead is not None:
        points, tie_break = otherwise(league, instead)
        ways.append(Way(matches, size, points, tie_break, seed, ladder))
        if league.other is not None:
            more, source, _ = _source(study, league, matches, instead=True)
            games += more
        sources.append(source)
    counted = count(ways, sources, asked.seasons, burn_in(league))
    return Held(league, matches, counted, (), games, {} if stock is None else _longer(league, stock))


def _longer(league: Leagues, stock: Stock) -> dict[int, Tally]:
    """Draw seasons of more and more double rounds, to see how many it takes until the best wins (J-LEA-9)."""
    asked, size, seed = league.asked, len(league.entrants), league.plan.experiment.seed
    if asked.divisions is not None or asked.rounds == "single":
        return {}
    found = {}
    for rounds in LONGER:
        matches = fixtures(size, rounds)
        if rounds * BATCHES <= asked.games and len(matches) * LONGER_SEASONS <= MOST_RESULTS:
            way = Way(matches, size, asked.points, asked.tie_break, seed)
            found[rounds] = count([way], [drawn(stock, matches, seed)], LONGER_SEASONS).tallies[0]
    return found


def otherwise(league: Leagues, instead: Instead) -> tuple[list[int], list[str]]:
    """Return points and tie-breaks that hold instead: those that are not said stay."""
    return list(instead.points or league.asked.points), [*(instead.tie_break or league.asked.tie_break)]


def _source(study: Study, league: Leagues, matches: list[Match], *, instead: bool) -> tuple[int, Source, Stock | None]:
    """Play what seasons are made of; return how many games that were, where results are to be had, and the stock."""
    asked = league.asked
    ledger = Matches(study, league.difference or fight_wins(league))
    if league.pools:
        plan = league.other if instead and league.other is not None else league.plan
        seasons = asked.seasons + burn_in(league) * BATCHES
        fixed = ledger.rerolled(matches, plan.cells[0].setup, Rerolled(league, plan, seasons))
        source = played(ledger.results(fixed, seasons))
        return ledger.counted, source, None
    pairs = sorted({(match.home, match.away) for match in matches})
    cells = league.meetings(pairs, instead=instead)
    stock = None
    if asked.method == "played":
        fixed = ledger.fixtures(matches, cells)
        source = played(ledger.results(fixed, asked.seasons + burn_in(league) * BATCHES))
    else:
        fixed = ledger.fixtures([Match(*pair) for pair in pairs], cells)
        stock = Stock(ledger.results(fixed, asked.games), {pair: k for k, pair in enumerate(pairs)})
        source = drawn(stock, matches, league.plan.experiment.seed)
    return ledger.counted, source, stock


def fight_wins(league: Leagues) -> tuple[str, str]:
    """Return the columns of wins: of a game that counts nothing else the difference of a match is that of its wins."""
    fight = fight_of(league.plan.game)
    if fight is None:
        raise ValueError(f"{league.plan.game.TITLE} has no two sides that could meet")
    return fight.wins


def _solved(league: Leagues, matches: list[Match]) -> tuple[Solved, ...]:
    """Solve a league, and a second time with other points or tie-breaks."""
    asked, size = league.asked, len(league.entrants)
    odds = _odds(league, matches)
    ways: list[tuple[list[int], list[str]]] = [(list(asked.points), [*asked.tie_break])]
    if asked.instead is not None:
        ways.append(otherwise(league, asked.instead))
    try:
        return tuple(exact.solve(size, matches, odds, points, tie_break) for points, tie_break in ways)
    except exact.TooManyError as error:
        document = league.plan.document
        help = 'fewer rounds, or method = "matrix"'
        raise refused(document, "limit", str(error), (TABLE, "rounds"), help, "value") from error


def _odds(league: Leagues, matches: list[Match]) -> dict[tuple[int, int], Odds]:
    """Return the odds of every match: those of the file, or else the exact solution of the game."""
    pairs = sorted({(match.home, match.away) for match in matches})
    given = league.asked.odds
    found = {}
    missing = []
    for home, away in pairs:
        row = given.get(league.entrants[home].id, {}).get(league.entrants[away].id)
        if row is None:
            missing.append((home, away))
        else:
            win, draw, loss = map(Fraction, row)
            found[home, away] = win, draw, loss
    if missing:
        league.plan.game.ready()
        for pair, cell in league.meetings(missing).items():
            found[pair] = _own(league, cell, *pair)
    return found


def _own(league: Leagues, cell: Cell, home: int, away: int) -> Odds:
    """Return the exact odds of a match, from the solution of its game."""
    game = league.plan.game
    wins = fight_wins(league)
    solution = game.exact(cell.scenario, cell.rules)
    values: Mapping[str, Any] = solution.metrics
    if values.get(wins[0]) is None or values.get(wins[1]) is None or solution.error:
        titles = league.entrants[home].title, league.entrants[away].title
        why = f": {solution.why}" if solution.why else ""
        why = ": its solution is not worked out in fractions" if solution.error else why
        said = f"{titles[0]} at home to {titles[1]} has no exact odds{why} (J-LEA-6)"
        help = 'give them in [league.odds], or method = "matrix" or "played"'
        raise refused(league.plan.document, "meaning", said, (TABLE, "method"), help, "value")
    win, loss = Fraction(values[wins[0]]), Fraction(values[wins[1]])
    return win, 1 - win - loss, loss


def seats_played(game: Game) -> int:
    """Return how many games are played for one match: both of a unit where a game cannot play one alone."""
    return game.GAMES_A_UNIT if seat_alone_of(game) is None else 1
