"""The weapon tables as values: 22 weapons with range, to-hit number, damage, arc and special effect."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BeforeValidator, model_validator
from pydantic_core import PydanticCustomError

from simkit.core.dice import DiceError, parse, thresholds
from simkit.games.jugger.aliases import WEAPONS
from simkit.games.protocol import RuleSet, number

LONGEST = 15
"""Greatest range a weapon or spell may have: that of the trebuchet."""


class Shown(NamedTuple):
    """What dice can show."""

    canonical: str
    """The dice as they are written."""
    lowest: int
    values: int


@lru_cache(maxsize=1024)
def _shown(text: str) -> Shown:
    """Work out what dice can show; rule sets by the thousand name the same few."""
    dice = parse(text)
    lowest, bounds = thresholds(dice)
    return Shown(str(dice), lowest, len(bounds) + 1)


def rollable(text: str) -> str:
    """Accept a dice expression that a kernel can roll; return its canonical form.

    Raises
    ------
    PydanticCustomError
        It cannot be read, or shows too many different values.

    Examples
    --------
    >>> rollable("2D6 + 1")
    '2d6+1'
    """
    try:
        return _shown(text).canonical
    except DiceError as error:
        raise PydanticCustomError(
            "dice", "{reason}", {"reason": error.message, "column": error.column + 1, "help": error.help}
        ) from error


def _not_negative(text: str) -> str:
    lowest = _shown(text).lowest
    if lowest < 0:
        raise PydanticCustomError(
            "dice", "{reason}", {"reason": f"{text} can show {lowest}, but an amount is never below 0"}
        )
    return text


def _can_differ(text: str) -> str:
    shown = _shown(text)
    if shown.values == 1:
        raise PydanticCustomError(
            "dice", "{reason}", {"reason": f"{text} always shows {shown.lowest}: a tie would be rolled again for ever"}
        )
    return text


DiceText = Annotated[str, AfterValidator(rollable)]
"""Dice that are read against a number."""

AmountText = Annotated[DiceText, AfterValidator(_not_negative)]
"""Dice that tell how much, how many or how long: never below 0."""

TieText = Annotated[DiceText, AfterValidator(_can_differ)]
"""Dice whose ties are rolled again."""


class Weapon(RuleSet):
    """One row of the weapon tables (J-WPN-1); ``{}`` in a sentence stands for the weapon."""

    range: int = number(..., "Range of {} in hexes; adjacent is 1.", id="J-WPN-1", source="R", ge=1, le=LONGEST)
    to_hit: int = number(..., "Number to roll for a hit with {}.", id="J-WPN-1", source="R", ge=0, le=100)
    damage: AmountText = number(..., "Damage of a hit with {}; of a fire, its points a turn.", id="J-WPN-1", source="R")
    arc: Literal["all", "forward", "side"] = number(
        ..., "Where a target of {} must lie: anywhere, ahead, or in a side hex.", id="J-WPN-1", source="R"
    )
    special: Literal["none", "grab", "spikes", "boarders", "fire", "cauldron", "scythe", "topple", "crew"] = number(
        ..., "What a hit with {} does beside its damage.", id="J-WPN-1", source="R"
    )

    @model_validator(mode="after")
    def _fits(self) -> "Weapon":
        if (self.arc == "side" or self.special == "grab") and self.range != 1:
            what = "a weapon that grabs" if self.special == "grab" else "a weapon for the side hexes"
            raise PydanticCustomError("value", "{what} needs range 1, not {range}", {"what": what, "range": self.range})
        if (self.special == "spikes") != (self.arc == "side"):
            raise PydanticCustomError(
                "value",
                'special "spikes" and arc "side" go together: spikes attack every unit in the side hexes',
                {"help": "change both"},
            )
        if self.special == "fire" and parse(self.damage).terms:
            raise PydanticCustomError(
                "value",
                "a fire burns for a fixed number of points a turn, not {damage}",
                {"damage": self.damage, "help": 'special = "cauldron" rolls for its points'},
            )
        return self


ROWS: dict[str, tuple[str, int, int, str, str, str]] = {
    "catapult": ("the catapult", 10, 2, "2d6", "all", "none"),
    "ballista": ("the ballista", 5, 4, "1d6", "all", "none"),
    "jaws": ("the jaws", 1, 3, "2d6", "forward", "grab"),
    "wheel_spikes": ("the wheel spikes", 1, 4, "1d6", "side", "spikes"),
    "battering_ram": ("the battering ram", 1, 4, "2d6", "forward", "none"),
    "claw_arm": ("the claw arm", 1, 3, "1d6", "all", "grab"),
    "saw_arm": ("the saw arm", 1, 4, "1d6", "all", "none"),
    "flail": ("the flail", 1, 2, "3d6", "all", "none"),
    "mace_arm": ("the mace arm", 1, 3, "2d6", "all", "none"),
    "shield_arm": ("the shield arm", 1, 3, "1d6", "all", "none"),
    "trebuchet": ("the trebuchet", 15, 1, "3d6", "all", "none"),
    "boarders": ("boarders", 1, 1, "0", "all", "boarders"),
    "fire_pump": ("the fire pump", 1, 3, "1", "all", "fire"),
    "cauldron": ("the cauldron", 1, 4, "1d6", "all", "cauldron"),
    "scythe": ("the scythe", 1, 3, "1d6", "forward", "scythe"),
    "lever": ("the lever", 1, 1, "0", "forward", "topple"),
    "mirror": ("the mirror", 10, 4, "1", "all", "fire"),
    "demon_eye": ("the demon eye", 5, 1, "0", "forward", "crew"),
    "acid_spitter": ("the acid spitter", 10, 3, "1", "forward", "fire"),
    "tongue": ("the tongue", 2, 3, "1d6", "forward", "none"),
    "slingshot": ("the slingshot", 10, 3, "1d6", "all", "none"),
    "fang": ("the fang", 1, 1, "0", "forward", "crew"),
}
"""The weapon tables: what the weapon is called in a sentence, range, to hit, damage, arc, special (J-WPN-1)."""


def _every_weapon(table: Any) -> Any:
    """Keep the table at the weapons there are, in their order: their places are their kinds in the kernels."""
    if not isinstance(table, Mapping):
        return table
    for name in WEAPONS:
        if name not in table:
            raise PydanticCustomError(
                "value",
                "the weapon table needs {name}: published designs carry it",
                {"name": repr(name), "help": "a to_hit of 0 never hits"},
            )
    for name in table:
        if name not in WEAPONS:
            raise PydanticCustomError(
                "value",
                "the weapon table has no place for {name}",
                {"name": repr(name), "help": "change one of its 22 weapons instead"},
            )
    return {name: table[name] for name in WEAPONS}


WeaponTable = Annotated[dict[str, Weapon], BeforeValidator(_every_weapon)]
"""The 22 weapons by name."""


def weapon_table() -> Any:
    """Declare the weapon table as a field of a rule set."""
    columns = tuple(Weapon.model_fields)
    info = number(
        {name: dict(zip(columns, row[1:], strict=True)) for name, row in ROWS.items()},
        "Range, to-hit number, damage, arc and special effect of every weapon.",
        id="J-WPN-1",
        source="R",
    )
    info.json_schema_extra |= {
        "entries": {name: row[0] for name, row in ROWS.items()},
        "ids": {"trebuchet.damage": "J-SC-2"},
        "sources": {"trebuchet.damage": "Q"},
    }
    return info
