"""Every number and every ruling of the Pig Tickler terrain rules, once.

Each field carries a sentence, the id of its rule and its source: R is stated by the rules, Q is a
ruling, B is assumed from the base game. A house rule changes values here and nothing else.
"""

from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from simkit.core.dice import Dice, DiceError, parse, thresholds
from simkit.games.protocol import RuleSet, number

EDITION = "terrain rules, first reading"
MODIFIER = {"ge": -20, "le": 20}
THROW = {"ge": -1000, "le": 1000}

BOGS = {
    "ford": (0, "R", "a ford through a stream"),
    "shallow": (-1, "R", "a shallow stream"),
    "grass": (-1, "B", "tall grass"),
    "rocks": (-1, "B", "a field of rocks"),
    "deep_sand": (-2, "R", "deep sand"),
    "snow": (-2, "R", "deep snow"),
    "dunes": (-2, "B", "sand dunes"),
    "swamp": (-3, "R", "a swamp"),
}


@lru_cache(maxsize=1024)
def _shown(text: str) -> tuple[str, int]:
    """Return dice in their canonical form, and the lowest they show; rule sets by the thousand name the same few."""
    dice = parse(text)
    return str(dice), thresholds(dice)[0]


def _dice(text: str) -> str:
    """Accept a dice expression that a kernel can roll; keep its canonical form."""
    try:
        return _shown(text)[0]
    except DiceError as error:
        raise PydanticCustomError(
            "dice", "{reason}", {"reason": error.message, "column": error.column + 1, "help": error.help}
        ) from error


def _bog_names(bogs: dict[str, int]) -> dict[str, int]:
    for name in bogs:
        if not (name.isascii() and name.isidentifier() and len(name) <= 32):
            raise PydanticCustomError(
                "value", "a kind of bog needs a plain name such as deep_sand, not {name}", {"name": repr(name)}
            )
        if name in ("edge", "obstacle", "lancer", "chasm", "pig"):
            raise PydanticCustomError(
                "value", "a kind of bog cannot be called {name}: that is what may lie ahead", {"name": repr(name)}
            )
    return bogs


DiceText = Annotated[str, AfterValidator(_dice)]
Modifier = Annotated[int, Field(**MODIFIER)]


def _bogs() -> Any:
    info = number(
        {name: modifier for name, (modifier, _, _) in BOGS.items()},
        "Modifier of every roll to enter, leave or turn inside this kind of bog.",
        id="P-BOG-1",
        source="R",
        max_length=64,
    )
    info.json_schema_extra |= {
        "entries": {
            name: f"Modifier of every roll to enter, leave or turn inside {words}."
            for name, (_, _, words) in BOGS.items()
        },
        "sources": {name: source for name, (_, source, _) in BOGS.items()},
    }
    return info


class Rules(RuleSet):
    """The Pig Tickler terrain rules as values."""

    # Manoeuvre rolls
    altered_odds: bool = number(False, "Play with the altered odds: the lower target number.", id="P-MAN-1", source="R")
    standard_target: int = number(
        6, "A manoeuvre succeeds on this total or more under the standard odds.", id="P-MAN-1", source="R", **THROW
    )
    altered_target: int = number(
        5, "A manoeuvre succeeds on this total or more under the altered odds.", id="P-MAN-1", source="R", **THROW
    )
    dice: DiceText = number("2d6", "Dice of a manoeuvre roll.", id="P-MAN-2", source="Q")
    free_facing: bool = number(
        True,
        "He faces anywhere when his turn begins, so that a change of direction that failed is done for nothing.",
        id="P-GAM-5",
        source="B",
    )

    # Hills
    uphill_reroll: bool = number(
        False, "After failing to climb a level he must climb the same level again next turn.", id="P-UP-2", source="Q"
    )
    level_every: int = number(
        2, "On a rounded hill a new level begins every so many inches.", id="P-UP-3", source="R", ge=1, le=24
    )
    downhill_modifier: int = number(
        -1, "Modifier of manoeuvre rolls for each level descended this turn.", id="P-DN-1", source="R", **MODIFIER
    )
    downhill_lasts: Literal["turn", "straight_leg"] = number(
        "turn",
        "How long a descent weighs on later rolls: for the whole turn, or only until he changes direction or climbs.",
        id="P-DN-1",
        source="Q",
    )
    neighbour_policy: Literal["worst", "straight_on"] = number(
        "worst",
        "What the player to the left does with a lancer he steers: his worst, or ride on to whatever comes first.",
        id="P-DN-4",
        source="Q",
    )
    steered_lancer_rolls: bool = number(
        True, "A lancer hit by one who is steered rolls on the collision table too.", id="P-DN-4", source="Q"
    )
    pig_bonus: Literal["any_descent", "straight_leg"] = number(
        "any_descent",
        "Which descent gives the bonus on the pig: any one of this turn, or only one straight into it.",
        id="P-DN-5",
        source="Q",
    )
    downhill_hit_bonus: int = number(
        1,
        "Added to the roll to hit the pig after a descent, whatever the number of levels.",
        id="P-DN-5",
        source="R",
        **MODIFIER,
    )
    steered_hit_bonus: bool = number(
        True, "The bonus on the pig also counts when another player steers him into it.", id="P-DN-5", source="Q"
    )
    failed_stop: Literal["opponent_control", "runs_on", "stops"] = number(
        "opponent_control",
        "Failing to stop after a descent: another player steers him, he runs on to the first contact, or he stops.",
        id="P-DN-7",
        source="Q",
    )

    # Bogs
    bogs: Annotated[dict[str, Modifier], AfterValidator(_bog_names)] = _bogs()
    bog_edge_reroll: bool = number(
        False,
        "After failing at the edge of a bog he must roll for the same edge again next turn.",
        id="P-BOG-2",
        source="Q",
    )
    downhill_bog_modifier: int = number(
        1,
        "Modifier of the entry roll for each level descended straight into a bog.",
        id="P-BOG-3",
        source="R",
        **MODIFIER,
    )
    crooked_bog_entry: Literal["minus", "nothing"] = number(
        "minus",
        "A first bog roll that is not on the straight line takes the downhill modifier as a minus, or nothing.",
        id="P-BOG-4",
        source="Q",
    )

    # Linear obstacles and special terrain
    fence_dice: DiceText = number(
        "1d6", "Dice after failing to cross a fence: odd is the near side, even the far side.", id="P-LIN-2", source="R"
    )
    downhill_cross: Literal["collision", "d6", "forbidden"] = number(
        "collision",
        "Failing to cross a fence after a descent: a collision, the 1d6 as on the flat, or no try (contact collides).",
        id="P-LIN-4",
        source="Q",
    )
    failed_chasm_turn: Literal["killed", "collision"] = number(
        "killed",
        "Failing to turn away at the brink of a chasm after a descent: killed, or a collision as at a wall.",
        id="P-SPC-1",
        source="Q",
    )
    ramp_downhill: bool = number(True, "The roll at a ramp takes the downhill modifier.", id="P-SPC-2", source="Q")

    # Collisions
    collision_dice: DiceText = number("2d6", "Dice of the collision table.", id="P-COL-1", source="R")
    collision_both: int = number(
        3,
        "Collision table: on this total or less he is wounded and the unicycle damaged.",
        id="P-COL-1",
        source="R",
        **THROW,
    )
    collision_wound: int = number(
        6,
        "Collision table: on a total above collision_both, up to this one, he is wounded.",
        id="P-COL-1",
        source="R",
        **THROW,
    )
    collision_damage: int = number(
        7,
        "Collision table: on a total above collision_wound, up to this one, the unicycle is damaged.",
        id="P-COL-1",
        source="R",
        **THROW,
    )
    collision_nothing: int = number(
        10,
        "Collision table: on a total above collision_damage, up to this one, his turn ends; above it he goes on.",
        id="P-COL-1",
        source="R",
        **THROW,
    )
    unicycle_damage: bool = number(
        False, "Play with unicycle damage; without it every damage reads as a wound.", id="P-COL-2", source="R"
    )
    damage_ends_turn: bool = number(
        True, "Damage to the unicycle ends the turn; if not, he goes on as if he had evaded.", id="P-COL-3", source="Q"
    )

    # The base game
    hit_dice: DiceText = number("2d6", "Dice of the roll to hit the pig.", id="P-GAM-2", source="B")
    hit_target: int = number(7, "The pig is hit on this total or more: one rump.", id="P-GAM-2", source="B", **THROW)
    hit_fumble: int = number(
        3, "On this total or less at the pig the lancer wounds himself.", id="P-GAM-2", source="B", **THROW
    )
    wound_effect: Literal["lose_next_turn", "count"] = number(
        "lose_next_turn",
        "What a wound costs: the next turn, or nothing (it is only counted).",
        id="P-GAM-3",
        source="B",
    )
    damage_modifier: int = number(
        -1, "Modifier of manoeuvre rolls for each point of unicycle damage.", id="P-GAM-3", source="B", **MODIFIER
    )
    wreck_at: int = number(
        3, "At so many points of damage the unicycle is wrecked.", id="P-GAM-3", source="B", ge=1, le=1000
    )

    @model_validator(mode="after")
    def _collisions_end(self) -> "Rules":
        top = max(self.collision_both, self.collision_wound, self.collision_damage, self.collision_nothing)
        if _shown(self.collision_dice)[1] > top:
            raise PydanticCustomError(
                "value",
                "collision_nothing = {top}: the collision table would let every lancer go on for ever",
                {"top": self.collision_nothing, "help": "it must reach at least the lowest total of collision_dice"},
            )
        return self

    @property
    def target(self) -> int:
        """The total a manoeuvre needs: 6 or more, 5 or more under altered odds (P-MAN-1)."""
        return self.altered_target if self.altered_odds else self.standard_target

    def rolled(self, field: str) -> Dice:
        """Return the parsed dice of a field such as ``"dice"``."""
        return parse(getattr(self, field))
