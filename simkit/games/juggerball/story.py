"""A match told in a sentence or two, in a few words, and what every match takes for granted."""

from collections import Counter

from simkit.games.jugger.story import MODEL as BATTLES
from simkit.games.juggerball.fields import TEAM
from simkit.games.juggerball.roster import field_of, title
from simkit.games.juggerball.rules import Rules
from simkit.games.juggerball.scenario import RANDOM, Scenario, Side, SideName
from simkit.games.rulefields import rule_fields

MODEL = (
    *(line for line in BATTLES if line[0] not in ("J-ARM-4", "J-WPN-11")),
    ("J-BALL-8", "The ball is in one hex, which it shares with nothing; it moves only because of jugs."),
    ("J-BALL-9", "A hit sends the ball as far as the jug's velocity, not as far as its move goes on."),
    ("J-BALL-10", "A bounce costs the ball no hex, and may be followed by another at once."),
    ("J-BALL-16", "A ball that steps into an open goal scores, whoever touched it last."),
    ("J-BALL-20", "Rams, weapons, kicks and criticals are those of battles."),
    ("J-BALL-25", "Players look one move ahead, and think of the ball as running straight."),
)
"""Rulings that hold in every match and are no numbers: rule id and sentence."""

PLAYED = {
    "hold": "stands still, attacks what comes near and catches what the enemy has touched",
    "random": "does anything legal by lot",
    "chase": "sends every jug after the ball and fights nobody",
    "greedy": "chases with some jugs, guards its goal with one and hunts with the others",
}
"""What each policy does (J-BALL-25)."""


def describe(scenario: Scenario) -> str:
    """Say a match in a few words.

    Examples
    --------
    >>> describe(Scenario.model_validate({"sides": {"a": {"fixed": {"items": ["legs"], "jugs": 3}}}}))
    'a random team, 3 with legs against a random team on the pitch'
    """
    first, second = (_team(scenario, side) for side in ("a", "b"))
    return f"{first} against {second} on {_field(scenario)}"


def story(scenario: Scenario) -> str:
    """Tell a legal match in a few sentences.

    Examples
    --------
    >>> print(story(Scenario.model_validate({"policy": "chase"})))  # doctest: +NORMALIZE_WHITESPACE
    A random team plays a random team on the pitch, for at most 200 turns. Each side sends every jug after the ball and
    fights nobody.
    """
    first, second = (_team(scenario, side) for side in ("a", "b"))
    told = f"{first[:1].upper()}{first[1:]} plays {second} on {_field(scenario)}"
    a, b = (scenario.policy_of(side) for side in ("a", "b"))
    players = f"Each side {PLAYED[a]}." if a == b else f"A {PLAYED[a]}; B {PLAYED[b]}."
    own = [side.upper() for side in ("a", "b") if scenario.side(side).values is not None]
    values = (
        f" {' and '.join(own)} {'have' if len(own) > 1 else 'has'} values of {'their' if len(own) > 1 else 'its'} own."
    )
    return f"{told}, for at most {scenario.scenario.max_turns} turns. {players}{values if own else ''}"


def house(rules: Rules) -> tuple[str, tuple[str, ...]]:
    """Say which rules differ from those of record, and give their ids; nothing where none does.

    Examples
    --------
    >>> house(Rules(goals_to_win=1)), house(Rules())
    (('goals to win = 1 (3)', ('J-BALL-24',)), ('', ()))
    """
    changed = [row for row in rule_fields(rules) if row.value != row.default]
    said = [f"{_path(row.path)} = {_value(row.value)} ({_value(row.default)})" for row in changed]
    return ", ".join(said), tuple(dict.fromkeys(row.id for row in changed))


def _path(path: str) -> str:
    return path.replace(".", " ").replace("_", " ")


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")


def _team(scenario: Scenario, name: SideName) -> str:
    side = scenario.side(name)
    if side.title:
        return side.title
    if side.team == "mirror":
        return "its mirror"
    return team_words(side, [title(scenario, name, k) for k in range(TEAM)])


def team_words(side: Side, titles: list[str]) -> str:
    """Say a team in a few words; `titles` are what its jugs are called."""
    jugs = side.every_jug
    named = Counter(title for jug, title in zip(jugs, titles, strict=True) if jug != RANDOM)
    rolled = sum(jug == RANDOM for jug in jugs)
    parts = [name if n == 1 else f"{n} x {name}" for name, n in named.items()]
    if rolled == TEAM:
        parts.append("a random team")
    elif rolled:
        parts.append("a random jug" if rolled == 1 else f"{rolled} random jugs")
    text = ", ".join(parts)
    if side.fixed is not None and side.fixed.jugs:
        many = "" if side.fixed.jugs == TEAM else f"{side.fixed.jugs} "
        text += f", {many}with {' and '.join(side.fixed.items)}" if many else f" with {' and '.join(side.fixed.items)}"
    return text


def _field(scenario: Scenario) -> str:
    field = field_of(scenario)
    if field.title:
        return f"the {field.title.lower()}"
    return f"a field of {2 * field.half_length + 1} by {2 * field.half_rows + 1}"
