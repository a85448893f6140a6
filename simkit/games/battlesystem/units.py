"""Designs of figures: what a file says of a foot, cavalry or chariot figure, and the presets (B-UNI-1, B-UNI-4).

A design is written as the lists print it::

    [designs.guards]
    ar = 20
    ac = 4
    hd = 1
    mv = 9
    damage = ["1d8"]
    large_shields = true

    [designs.knights]
    rider = { ar = 20, ac = 4, hd = 1, damage = ["2d4+1"], doubles = true }
    mount = "heavy-warhorse"

Who rides, and what is ridden or pulls, is a table or the name of a preset.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from simkit.games.battlesystem.hitdice import HitDiceText
from simkit.games.battlesystem.rule_types import DamageText
from simkit.games.battlesystem.tables import Label, Table, plain, suggestion, together

DATA = Path(__file__).parent / "data"
MOST_CREW = 6
MOST_TEAM = 6
MOST_PARTS = 24
"""Most damage dice of one figure: what six animals with three attacks and six passengers have."""

Kind = Literal["foot", "cavalry", "chariot"]
Base = Literal["small", "man", "cavalry", "large", "chariot"]
Arm = Literal["pike", "spear", "pole", "halberd", "other"]
Bow = Literal["none", "short", "long", "crossbow"]
Exempt = Literal["woods", "rough", "swamp", "water", "ford"]

Ar = Annotated[int, Field(ge=-20, le=40)]
Ac = Annotated[int, Field(ge=-30, le=30)]
Inch = Annotated[int, Field(ge=1, le=99)]


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Damage = Annotated[list[DamageText], Field(max_length=8), BeforeValidator(_listed)]
Names = Annotated[list[Label], Field(max_length=32), BeforeValidator(_listed)]
Ground = Annotated[list[Exempt], Field(max_length=5), BeforeValidator(_listed)]


class Rider(Table):
    """A rider, or a passenger of a chariot."""

    ar: Ar = Field(description="attack rating: the lower the better (B-UNI-2)")
    ac: Ac = Field(description="armour class: the lower the better")
    hd: HitDiceText = Field(description='hit dice, such as 1 or "1-1"')
    damage: Damage = Field(description='damage dice, such as ["1d8"]')
    doubles: bool = Field(False, description="his weapon does double damage in a charge (B-CHG-2)")
    mv: Inch | None = Field(None, description="movement on foot; it does not count while he rides")
    attacks: Names = Field([], description="special attacks by name; all may be used (B-CAV-2)")
    defences: Names = Field([], description="special defences by name; they count if all share them (B-CAV-2)")


class Mount(Table):
    """A creature that is ridden, or that pulls a chariot."""

    ac: Ac = Field(description="armour class: the lower the better")
    hd: HitDiceText = Field(description='hit dice, such as 2 or "3+3"')
    mv: Inch = Field(description="movement in inches a round")
    damage: Damage = Field(description='damage dice of all its attacks, such as ["1d6", "1d6", "1d3"]')
    ar: Ar | None = Field(None, description="attack rating; default: that of a monster of its hit dice (B-UNI-2)")
    exempt: Ground = Field([], description="ground whose cost it ignores: woods, rough, swamp, water, ford")
    swim: Inch | None = Field(None, description="movement in water, which it then may enter; default: mv")
    attacks: Names = Field([], description="special attacks by name; all may be used (B-CAV-2)")
    defences: Names = Field([], description="special defences by name; they count if all share them (B-CAV-2)")
    title: Label | None = Field(None, description="what it is called")


ON_FOOT = ("ar", "ac", "hd", "mv", "damage")
PARTS: dict[Kind, tuple[str, ...]] = {"foot": ON_FOOT, "cavalry": ("rider", "mount"), "chariot": ("crew", "team")}
"""What a design of each kind is made of."""

FORM = {
    "foot": "foot has ar, ac, hd, mv and damage",
    "cavalry": "cavalry has rider = {..} and mount = {..}",
    "chariot": "a chariot has crew = [..] and team = [..]",
}


class Design(Table):
    """A figure as its list describes it: on foot, mounted, or a chariot.

    Raises
    ------
    pydantic.ValidationError
        A field is missing, unknown, of a wrong type or out of its range, or fields contradict each other. Names of
        presets are looked up later: see :func:`rider_of` and :func:`mount_of`.

    Examples
    --------
    >>> Design(ar=20, ac=4, hd=1, mv=9, damage="1d8").kind_of_figure
    'foot'
    """

    title: Label | None = Field(None, description="what it is called")
    kind: Kind | None = Field(None, description="foot, cavalry or chariot; default: what its tables say")
    base: Base | None = Field(None, description="size of its base; default: man, cavalry or chariot (B-LAN-3)")
    ar: Ar | None = Field(None, description="on foot: attack rating, the lower the better (B-UNI-2)")
    ac: Ac | None = Field(None, description="on foot: armour class, the lower the better")
    hd: HitDiceText | None = Field(None, description='on foot: hit dice, such as 1 or "4+1"')
    mv: Inch | None = Field(None, description="on foot: movement in inches a round")
    damage: Damage | None = Field(None, description='on foot: damage dice, such as ["1d8"]')
    doubles: bool | None = Field(None, description="on foot: its weapon does double damage in a charge (B-CHG-2)")
    rider: Label | Rider | None = Field(None, description="cavalry: who rides, or the name of a preset on foot")
    mount: Label | Mount | None = Field(None, description="cavalry: what is ridden, or the name of a preset mount")
    crew: Annotated[list[Label | Rider], Field(min_length=1, max_length=MOST_CREW)] | None = Field(
        None, description="chariot: its passengers, tables or names of presets on foot"
    )
    team: Annotated[list[Label | Mount], Field(min_length=1, max_length=MOST_TEAM)] | None = Field(
        None, description="chariot: what pulls it, tables or names of preset mounts"
    )
    ml: Annotated[int, Field(ge=0, le=40)] = Field(12, description="morale level (B-MOR-1)")
    ratio: Annotated[int, Field(ge=1, le=20)] | None = Field(
        None, description="creatures that a figure stands for; default: by hit dice (B-UNI-1)"
    )
    single: bool = Field(False, description="a figure is a single creature; it may charge in woods (B-TER-3)")
    arm: Arm = Field("other", description="what it fights with: pikes and spears strike in ranks and can be set")
    large_shields: bool = Field(False, description="it can form a shield wall (B-SHW-1)")
    bow: Bow = Field("none", description="what it shoots with (B-LAN-18)")
    bow_damage: DamageText | None = Field(None, description="damage dice of its missiles")
    exempt: Ground | None = Field(None, description="ground whose cost it ignores; default: that of mount or team")
    swim: Inch | None = Field(None, description="movement in water, which it then may enter; default: of mount or team")
    attacks: Names = Field([], description="on foot: special attacks by name")
    defences: Names = Field([], description="on foot: special defences by name")
    in_command: bool = Field(True, description="its units are in command: needed for wall and set spears")
    commander_killed: bool = Field(False, description="the commander of its units was killed (B-MOR-1)")

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        kind = self.kind_of_figure
        wanted = PARTS[kind]
        mounted = () if kind == "foot" else ("doubles", "attacks", "defences")
        others = [key for keys in PARTS.values() if keys != wanted for key in keys]
        found = [(f"{key} is missing", FORM[kind], key) for key in wanted if getattr(self, key) is None]
        found += [
            (f"{key} does not go with {kind}", FORM[kind], key)
            for key in (*others, *mounted)
            if getattr(self, key) not in (None, [])
        ]
        if self.single and self.ratio not in (None, 1):
            found.append((f"a single creature is a figure of one, not of {self.ratio}", "leave ratio out", "ratio"))
        if (self.bow == "none") != (self.bow_damage is None):
            missing = "bow_damage" if self.bow_damage is None else "bow"
            found.append((f"bow and bow_damage go together; {missing} is missing", 'bow_damage = "1d6"', missing))
        return together(self, found)

    @property
    def kind_of_figure(self) -> Kind:
        """Whether it walks, rides or is a chariot: as it says, or as its tables say."""
        if self.kind is not None:
            return self.kind
        if self.crew is not None or self.team is not None:
            return "chariot"
        return "foot" if self.rider is None and self.mount is None else "cavalry"

    @property
    def base_of_figure(self) -> Base:
        """Its base: as it says, or that of its kind."""
        standard: dict[Kind, Base] = {"foot": "man", "cavalry": "cavalry", "chariot": "chariot"}
        return self.base or standard[self.kind_of_figure]


# Presets


class UnknownUnitError(LookupError):
    """No preset has that name."""


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads((DATA / "units.toml").read_text(encoding="utf-8"))


@cache
def load() -> dict[str, Design]:
    """Return the preset designs by id, in the order of the rulebook.

    Examples
    --------
    >>> load()["pikemen"].arm, load()["worg-riders"].mount
    ('pike', 'worg')
    """
    return {id: Design(**fields) for id, fields in _tables()["units"].items()}


@cache
def load_mounts() -> dict[str, Mount]:
    """Return the preset mounts by id.

    Examples
    --------
    >>> load_mounts()["worg"].hd
    '4+4'
    """
    return {id: Mount(**fields) for id, fields in _tables()["mounts"].items()}


def find(name: str) -> Design:
    """Return a preset by its id or its title; case, spaces and hyphens do not matter.

    Raises
    ------
    UnknownUnitError
        Naming the preset that is spelled most like it, and those there are.

    Examples
    --------
    >>> find("Lizard men").swim
    12
    """
    for id, design in load().items():
        if plain(name) in (id, plain(design.title or id)):
            return design
    raise UnknownUnitError(f"no unit is called '{name[:64]}'; {suggestion(name, load())}")


def find_mount(name: str) -> Mount:
    """Return a preset mount by its id or its title; case, spaces and hyphens do not matter.

    Raises
    ------
    UnknownUnitError
        Naming the mount that is spelled most like it, and those there are.

    Examples
    --------
    >>> find_mount("light warhorse").mv
    24
    """
    for id, mount in load_mounts().items():
        if plain(name) in (id, plain(mount.title or id)):
            return mount
    raise UnknownUnitError(f"no mount is called '{name[:64]}'; {suggestion(name, load_mounts())}")


def on_foot() -> dict[str, Design]:
    """Return the presets on foot by id: those who can ride, or stand on a chariot."""
    return {id: design for id, design in load().items() if design.kind_of_figure == "foot"}


def rider_of(rider: str | Rider) -> Rider:
    """Return who rides: the table itself, or the preset of that name taken off its feet.

    Raises
    ------
    UnknownUnitError
        No preset on foot has that name.

    Examples
    --------
    >>> rider_of("goblins").hd
    '1-1'
    """
    if isinstance(rider, Rider):
        return rider
    design = find(rider) if plain(rider) in load() else None
    if design is None or design.kind_of_figure != "foot":
        raise UnknownUnitError(f"nobody who could ride is called '{rider[:64]}'; {suggestion(rider, on_foot())}")
    keys = (*ON_FOOT, "attacks", "defences")
    return Rider(**{key: getattr(design, key) for key in keys}, doubles=bool(design.doubles))


def mount_of(mount: str | Mount) -> Mount:
    """Return what is ridden or pulls: the table itself, or the preset of that name.

    Raises
    ------
    UnknownUnitError
        No preset mount has that name.
    """
    return mount if isinstance(mount, Mount) else find_mount(mount)


def riders(design: Design) -> list[Rider]:
    """Return all who ride on a figure, in the order of the file; nobody on foot."""
    listed = [design.rider] if design.rider is not None else design.crew or []
    return [rider_of(one) for one in listed]


def mounts(design: Design) -> list[Mount]:
    """Return all that carry or pull a figure, in the order of the file; nothing on foot."""
    listed = [design.mount] if design.mount is not None else design.team or []
    return [mount_of(one) for one in listed]
