"""A battle told in a sentence or two, in a few words, and what every battle takes for granted."""

from simkit.games.jugger import designs, tuned
from simkit.games.jugger.deployment import field
from simkit.games.jugger.maps import HexMap
from simkit.games.jugger.roster import design_of, title
from simkit.games.jugger.scenario import SIDES, Deployment, Scenario, SideName, Victory

MODEL = (
    ("J-ACC-4", "A jug moves its full velocity unless something stops it."),
    ("J-ATK-3", "A weapon reaches from the next hex to its range, and hits as well at any of them."),
    ("J-ATK-4", "Attacks are declared when a segment begins and after every hex or turn of a move."),
    ("J-ATK-6", "Every attack that was declared counts, also that of a jug which is lost at the same moment."),
    ("J-ATK-7", "A ram is resolved alone and at once, and ends the move."),
    ("J-DMG-6", "All damage of one moment takes effect together; what is lost then undoes no attack of that moment."),
    ("J-RAM-5", "Rams count the velocity of the move being made, or that of its last move for a jug yet to move."),
    ("J-WPN-5", "A jug whose crew is killed is out; one that is boarded fights for the boarders from then on."),
    ("J-WPN-11", "At one moment, destroyed beats captured, and captured beats crew killed."),
    ("J-ARM-4", "A side without a jug has lost; if neither has one left, or the turns are used up, it is a draw."),
)
"""Rulings that hold in every battle and are no numbers: rule id and sentence."""

PLAYED = {
    "hold": "stands still and attacks whatever comes within reach",
    "random": "does anything legal by lot",
    "greedy": "takes the move that looks best at once",
    "tuned": "takes the move that looks best at once to one who knows its design",
    "lookahead": "weighs the best reply to its moves",
}
"""What each policy does."""


def describe(scenario: Scenario) -> str:
    """Say a battle in a few words.

    Examples
    --------
    >>> duel = {"sides": {"a": {"design": "archer", "count": 2}, "b": {"design": "axer"}}, "scenario": {"distance": 5}}
    >>> describe(Scenario.model_validate(duel))
    '2 x Archer against Axer, 5 hexes apart'
    """
    battle = scenario.scenario
    text = f"{_force(scenario, 'a')} against {_force(scenario, 'b')}"
    if battle.distance is not None:
        text += f", {_hexes(battle.distance)} apart"
    if battle.map is not None or battle.density is not None:
        text += f", {_map(scenario)}"
    weights = [tuned.weighed_by(scenario, side) or "plain weights" for side in SIDES]
    return text if weights == ["plain weights"] * 2 else f"{text}; {' against '.join(dict.fromkeys(weights))}"


def story(scenario: Scenario) -> str:
    """Tell a legal battle in a few sentences.

    Examples
    --------
    >>> duel = {"sides": {"a": {"design": "archer"}, "b": {"design": "axer"}}, "policy": "hold"}
    >>> print(story(Scenario.model_validate(duel)))  # doctest: +NORMALIZE_WHITESPACE
    Archer (3 SC: size 2 ballista, winch) fights Axer (8 SC: legs, 2 size 2 mace arms, lever, 2 ballistas) on the map
    "Open field", from its opposite ends, for at most 60 turns. Each side stands still and attacks whatever comes within
    reach.
    """
    first, second = (_force(scenario, side, at_length=True) for side in SIDES)
    several = scenario.sides.a.count_of_jugs > 1
    told = f"{first} {'fight' if several else 'fights'} {second} {_where(scenario)}"
    told += f", for at most {_turns(scenario.scenario.limit)}."
    return f"{told}{_aims(scenario.scenario.victory)} {_players(scenario)}"


def _force(scenario: Scenario, side: SideName, *, at_length: bool = False) -> str:
    parts = []
    for unit in scenario.side(side).every_unit:
        name = title(scenario, unit)
        text = name if unit.count == 1 else f"{unit.count} x {name}"
        words = designs.words(design_of(scenario, unit))
        parts.append(f"{text} ({'each ' if unit.count > 1 else ''}{words})" if at_length else text)
    return _listed(parts)


def _where(scenario: Scenario) -> str:
    battle = scenario.scenario
    text = f"on {_map(scenario)}"
    if battle.distance is not None:
        text += f", beginning {_hexes(battle.distance)} apart"
        arcs = [f"{side} has {enemy} in its arc {arc}" for side, enemy, arc in _arcs(scenario) if arc]
        return f"{text} ({' and '.join(arcs)})" if arcs else text
    if isinstance(battle.deployment, Deployment):
        return f"{text}, from places of their own"
    return text + (", from near its middle" if battle.deployment == "close" else ", from its opposite ends")


def _arcs(scenario: Scenario) -> list[tuple[str, str, int]]:
    battle = scenario.scenario
    return [("A", "B", battle.a_arc or 0), ("B", "A", battle.b_arc or 0)]


def _map(scenario: Scenario) -> str:
    battle, map = scenario.scenario, field(scenario)
    name = f'the map "{map.title}"' if map.title else f"a map of {2 * map.half_length + 1} by {2 * map.half_rows + 1}"
    if battle.density is not None:
        name += f" with forest on {battle.density:.0%} of it"
    return name


def _aims(victory: Victory) -> str:
    aims = []
    if victory.rout_below:
        aims.append(f"A side below {victory.rout_below} % of its size classes is routed.")
    if victory.occupy is not None:
        place = f"[{victory.occupy[0]}, {victory.occupy[1]}]"
        near = f", or {_hexes(victory.within)} round it," if victory.within else ""
        aims.append(f"Who alone holds {place}{near} at the ends of {_turns(victory.turns or 1)} in a row has won.")
    if victory.break_through is not None:
        jugs = "a jug" if victory.break_through == 1 else f"{victory.break_through} jugs"
        aims.append(f"Who brings {jugs} to the enemy's end of the map has won.")
    for side, target in zip("AB", (victory.target_a, victory.target_b), strict=True):
        if target is not None:
            aims.append(f"{side} has lost without its jug number {target}.")
    if victory.defender is not None:
        aims.append(f"{victory.defender.upper()} has won if it is not beaten by then.")
    return "".join(f" {aim}" for aim in aims)


def _players(scenario: Scenario) -> str:
    a, b = (scenario.policy_of(side) for side in SIDES)
    told = f"Each side {PLAYED[a]}." if a == b else f"A {PLAYED[a]}; B {PLAYED[b]}."
    return f"{told}{_weights(scenario)}"


def _weights(scenario: Scenario) -> str:
    """Say by which weights the sides play, where they are not the plain ones of their player."""
    first, second = (tuned.weighed_by(scenario, side) for side in SIDES)
    if first and first == second:
        return f" Each side plays by {first}."
    told = [f"{name} plays by {words}" for name, words in (("A", first), ("B", second)) if words]
    return f" {'; '.join(told)}." if told else ""


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _hexes(count: int) -> str:
    return "1 hex" if count == 1 else f"{count} hexes"


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"


def map_words(map: HexMap) -> str:
    """Say a map that a file describes in a few words.

    Examples
    --------
    >>> map_words(HexMap(half_length=8, half_rows=4))
    '17 by 9 hexes'
    """
    return map.title or f"{2 * map.half_length + 1} by {2 * map.half_rows + 1} hexes"
