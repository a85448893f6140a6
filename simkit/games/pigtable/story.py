"""A match told in a sentence or two, in a few words, and what every match takes for granted."""

from simkit.games.pigtable.scenario import Match, Route, Scenario
from simkit.games.pigtable.tables import shipped

MODEL = (
    ("P-TAB-1", "Everything on the table is at whole 1/64 inches; no rounding decides anything."),
    ("P-TAB-2", "A ride is a row of points; what happens on it happens at these points, in a fixed order."),
    ("P-GAM-1", "There is no referee on the table."),
    ("P-GAM-7", "The first direction of a turn is free; every other change of direction is a roll."),
    ("P-GAM-11", "After a lucky escape (11-12) he plans anew from where he is, if he has no next leg."),
    ("P-GAM-12", "Who is steered is steered by the next seat in play, of another team."),
    ("P-GAM-17", "Reaching the pig is one roll at it and ends the turn."),
    ("P-GAM-18", "A unit is as many matches as lancers, the seats turned round the starts, on the same dice."),
)
"""Rulings that hold in every match and are no numbers: rule id and sentence."""

PLAYED = {
    "straight": "ride straight at the pig, round what is in the way",
    "router": "weigh routes with one turn",
    "cautious": "weigh routes and shun harm",
}
"""What each policy does (P-GAM-19 to P-GAM-21)."""


def table_words(place: Match | Route) -> str:
    """Name the table of a match or a route."""
    if isinstance(place.table, str):
        name = str(shipped()[place.table].get("title", place.table)) if place.table in shipped() else place.table
    else:
        name = str(place.table.get("title") or place.table.get("name") or "a table of its own")
    return name + (f" without {' and '.join(place.without)}" if place.without else "")


def _point(point: list[int | float]) -> str:
    return f"({point[0]:g}, {point[1]:g})"


def describe(scenario: Scenario) -> str:
    """Say a scenario in a few words.

    Examples
    --------
    >>> describe(Scenario.model_validate({"scenario": {"table": "chasm", "seats": 2}}))
    '2 lancers on Chasm'
    >>> describe(Scenario.model_validate({"route": {"table": "desert", "from": [-10, 0]}}))
    'from (-10, 0) to the pig on Desert'
    """
    route = scenario.route
    if route is None:
        match = scenario.match
        teams = f" in {max(match.teams)} teams" if match.teams else ""
        return f"{match.seats} lancers{teams} on {table_words(match)}"
    stops = [*map(_point, route.via)]
    end = "to the pig" if route.target == "pig" else f"to {stops.pop()}" if stops else "nowhere"
    way = f" by {' and '.join(stops)}" if stops else ""
    return f"from {_point(route.from_)}{way} {end} on {table_words(route)}"


def story(scenario: Scenario) -> str:
    """Tell a scenario in a sentence or two.

    Examples
    --------
    >>> story(Scenario.model_validate({"scenario": {"table": "desert"}, "policy": "router"}))
    '4 lancers are after the pig on Desert. All of them weigh routes with one turn.'
    """
    if scenario.route is not None:
        return f"One turn of a lancer: {describe(scenario)}."
    policies = scenario.policies
    if len(set(policies)) == 1:
        players = f"All of them {PLAYED[policies[0]]}."
    else:
        players = "; ".join(f"seat {k + 1}: {PLAYED[policy]}" for k, policy in enumerate(policies)) + "."
    teams = scenario.match.teams
    told = f"{describe(scenario).replace(' on ', ' are after the pig on ', 1)}. {players}"
    return told if teams is None else f"{told} Teams by seat: {', '.join(map(str, teams))}."
