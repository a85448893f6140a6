"""Which rulings and assumed values a fight rests on.

Listed are fields of the rule set that are rulings (Q), or defaults for which nothing public was found (B, "assumed"),
when changing one alone could change an outcome of this fight. The conditions below look at designs, lane, contact,
policies and declarations, never at chances: a field may be listed for something that hardly ever comes about, but none
that matters is left out.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from simkit.games.battlesystem.lane import GroundKind
from simkit.games.battlesystem.ratings import Rating, rate
from simkit.games.battlesystem.roster import Post, roster
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import SIDES, Policy, Scenario


class Facts:
    """What is known of a fight before it is fought."""

    def __init__(self, scenario: Scenario, rules: Rules) -> None:
        self.scenario, self.rules, self.battle = scenario, rules, scenario.scenario
        self.sides: list[list[Post]] = [roster(scenario, side) for side in SIDES]
        self.posts = [post for posts in self.sides for post in posts]
        self.lane = self.battle.ground
        self.contacts = (self.battle.contact_b, self.battle.contact)
        """Where side a, and side b, is struck."""

    @property
    def several(self) -> bool:
        """Whether a side has more than one unit."""
        return len(self.posts) > 2

    @property
    def stuck(self) -> bool:
        """Whether nobody can move: two units that begin in contact."""
        return self.battle.in_contact and not self.several

    def decided(self, *policies: Policy) -> bool:
        """Tell whether some unit acts by one of these policies, or chooses."""
        return any(post.policy in (*policies, "best") for post in self.posts)

    def rides(self, *kinds: str) -> bool:
        """Tell whether some unit is of these kinds."""
        return any(post.design.kind_of_figure in kinds for post in self.posts)

    def flanked(self, kind: str) -> bool:
        """Tell whether some unit of a kind may be struck on a flank."""
        return any(
            (self.contacts[k] == "flank" or self.several) and post.design.kind_of_figure == kind
            for k, posts in enumerate(self.sides)
            for post in posts
        )

    def struck(self, *where: str) -> bool:
        """Tell whether some unit may be struck there."""
        return any(contact in where for contact in self.contacts) or ("flank" in where and self.several)

    def formed(self, *formations: str) -> bool:
        """Tell whether some unit begins in one of these formations."""
        return any(post.unit.formation in formations for post in self.posts)

    def starts(self, *declarations: str) -> bool:
        """Tell whether one of these declarations is in force at the start."""
        return any(start in declarations for start in (self.battle.start.a, self.battle.start.b))

    @property
    def charging(self) -> bool:
        """Whether a charge may be declared."""
        return not self.stuck and self.decided("charge")

    @property
    def sets(self) -> bool:
        """Whether spears may be set."""
        spears = ("spear", "pike")
        by_policy = any(post.policy in ("set", "best") and post.design.arm in spears for post in self.posts)
        return by_policy or self.starts("set")

    @property
    def declares(self) -> bool:
        """Whether walls or set spears may be declared."""
        return self.decided("set", "wall", "wall_advance") or self.starts("wall", "wall_round", "set")

    @property
    def shoots(self) -> bool:
        """Whether somebody may shoot."""
        return not self.stuck and any(post.design.bow != "none" for post in self.posts)

    def bow(self, kind: str) -> bool:
        """Tell whether somebody may shoot with such a bow."""
        return self.shoots and any(post.design.bow == kind for post in self.posts)

    def lies(self, *kinds: GroundKind) -> bool:
        """Tell whether some ground of the lane is of these kinds."""
        return any(segment.kind in kinds for segment in self.lane.segments)

    @property
    def slowed(self) -> bool:
        """Whether anything on the lane changes moves."""
        uneven = len({segment.height for segment in self.lane.segments}) > 1
        return bool(self.lane.points) or uneven or any(segment.kind != "clear" for segment in self.lane.segments)

    def rated_otherwise(self, **changed: str) -> bool:
        """Tell whether a figure is rated otherwise under changed rules."""
        other = self.rules.model_copy(update=changed)

        def numbers(rating: Rating) -> Rating:
            return rating._replace(steps=())

        return any(numbers(rate(p.design, self.rules)) != numbers(rate(p.design, other)) for p in self.posts)


class Reason(NamedTuple):
    """When a field matters: in words, and as a test."""

    words: str
    holds: Callable[[Facts], bool]


def _pluses(facts: Facts) -> bool:
    return any(facts.rated_otherwise(hd_plus=value) for value in ("plus4_next_die", "drop"))


ALWAYS = Reason("blows may be struck", lambda f: True)
BY_INCHES = "figures in contact are counted by inches"
SETS = Reason("spears or pikes may be set", lambda f: f.sets)
CHARGES = Reason("a charge may be declared", lambda f: f.charging)
CLOSED = Reason("a closed unit may be opened, and is not held in contact", lambda f: not f.stuck and f.formed("closed"))
REASONS = {
    "hd_plus": Reason("a creature has a plus to its hit dice that counts", _pluses),
    "chariot_width": Reason(
        f"a chariot fights, and {BY_INCHES}",
        lambda f: f.rules.frontage == "inches" and any(p.design.base_of_figure == "chariot" for p in f.posts),
    ),
    "cavalry_depth": Reason(
        f"cavalry may be struck on a flank, and {BY_INCHES}",
        lambda f: f.rules.frontage == "inches" and f.flanked("cavalry"),
    ),
    "chariot_depth": Reason(
        f"a chariot may be struck on a flank, and {BY_INCHES}",
        lambda f: f.rules.frontage == "inches" and f.flanked("chariot"),
    ),
    "spacing_open": Reason(
        f"a unit is open, or closed and may be opened, and {BY_INCHES}",
        lambda f: f.rules.frontage == "inches" and f.formed("open", "closed"),
    ),
    "spacing_skirmish": Reason(
        f"a unit skirmishes, and {BY_INCHES}", lambda f: f.rules.frontage == "inches" and f.formed("skirmish")
    ),
    "frontage": ALWAYS,
    "turn_to_face": Reason("a unit may be struck on a flank or in the rear", lambda f: f.struck("flank", "rear")),
    "crt": ALWAYS,
    "crt_zero_at": ALWAYS,
    "crt_clamp_top": Reason("results are read off a straight line", lambda f: f.rules.crt == "expected_linear"),
    "flank_bonus": Reason("a unit may be struck on a flank", lambda f: f.struck("flank")),
    "rear_bonus": Reason("a unit may be struck in the rear", lambda f: f.struck("rear")),
    "carry_wounds": ALWAYS,
    "charge_move": CHARGES,
    "charge_least": Reason(
        "a charge may be declared, or is the only way into contact",
        lambda f: f.charging or (not f.stuck and not f.rules.walk_in),
    ),
    "walk_in": Reason(
        "units may move into contact", lambda f: not f.stuck and f.decided("advance", "charge", "wall_advance")
    ),
    "short_bow": Reason("somebody may shoot with a short bow", lambda f: f.bow("short")),
    "long_bow": Reason("somebody may shoot with a long bow", lambda f: f.bow("long")),
    "crossbow": Reason("somebody may shoot with a crossbow", lambda f: f.bow("crossbow")),
    "cover_woods": Reason("somebody may shoot, and there are woods", lambda f: f.shoots and f.lies("woods")),
    "cover_obstacle": Reason("somebody may shoot, and there are obstacles", lambda f: f.shoots and bool(f.lane.points)),
    "set_first_strike": SETS,
    "first_strike_morale": SETS,
    "declaration_lasts": Reason("walls or set spears may be declared", lambda f: f.declares),
    "terrain_stack": Reason("units move where ground changes their moves", lambda f: not f.stuck and f.slowed),
    "turn_move": Reason("no policy turns, so it never matters", lambda f: False),
    "reform_move": CLOSED,
    "reform": CLOSED,
    "ford_cost": Reason("units move where there is a ford", lambda f: not f.stuck and f.lies("ford")),
    "initiative_dice": Reason("it matters who moves or shoots first", lambda f: not f.stuck or f.decided()),
    "morale_dice": ALWAYS,
    "checks": ALWAYS,
    "max_rounds": Reason("the scenario sets no limit of rounds", lambda f: f.battle.max_rounds is None),
}
"""Every ruling and assumed value, and when a fight rests on it; in the order of the rule set."""


def relevant(scenario: Scenario, rules: Rules) -> list[str]:
    """List the rulings (Q) and assumed values (B) that can influence a fight.

    Parameters
    ----------
    scenario
        A legal fight.
    rules
        The rule set it is fought under.

    Returns
    -------
    list of str
        Dotted paths of fields of `rules`, in the order of the rule set. Changing any other ruling or assumed value
        alone changes no chance of an outcome.

    Examples
    --------
    >>> fight = {"sides": {"a": {"design": "orcs"}, "b": {"design": "orcs"}}, "scenario": {"in_contact": True}}
    >>> relevant(Scenario.model_validate(fight), Rules())  # doctest: +NORMALIZE_WHITESPACE
    ['spacing_open', 'frontage', 'crt', 'crt_zero_at', 'crt_clamp_top', 'carry_wounds', 'morale_dice', 'checks',
    'max_rounds']
    """
    facts = Facts(scenario, rules)
    return [path for path, reason in REASONS.items() if reason.holds(facts)]


def rulings(rules: type[Rules] = Rules) -> Iterable[str]:
    """List the fields that are rulings, or assumed values of the base game.

    Examples
    --------
    >>> list(rulings())[:3]
    ['hd_plus', 'chariot_width', 'cavalry_depth']
    """
    for name, info in rules.model_fields.items():
        extra = info.json_schema_extra
        source = extra.get("source") if isinstance(extra, dict) else None
        if source == "Q" or (source == "B" and "(assumed)" in (info.description or "")):
            yield name
