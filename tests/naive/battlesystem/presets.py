"""The presets of the rules of record, rated by the twin's own ratings."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tests.naive.battlesystem.ratings import Creature, Design, rate_cavalry, rate_chariot, rate_foot
from tests.naive.battlesystem.tables import mean_of

FOOT: dict[str, tuple[int, int, str, int, str, int]] = {
    "men-at-arms": (20, 4, "1", 9, "d8", 12),
    "militia": (20, 8, "1", 12, "d6", 10),
    "spearmen": (20, 6, "1", 9, "d6", 11),
    "pikemen": (20, 6, "1", 9, "d6", 12),
    "archers": (20, 8, "1", 12, "d6", 11),
    "orcs": (19, 6, "1", 9, "d8", 11),
    "goblins": (20, 6, "1-1", 6, "d6", 10),
    "kobolds": (20, 7, "½", 6, "d4", 9),
    "hobgoblins": (18, 5, "1+1", 9, "d8", 12),
    "gnolls": (16, 5, "2", 9, "2d4", 11),
    "ogres": (15, 5, "4+1", 9, "d10", 12),
    "dwarves": (19, 4, "1", 6, "d8", 14),
    "elves": (18, 5, "1+1", 12, "d8", 14),
    "halflings": (20, 7, "1-1", 9, "d6", 11),
    "lizard-men": (16, 5, "2+1", 6, "d8", 12),
}
"""AR, AC, HD, MV, damage, ML."""

MORE: dict[str, dict[str, Any]] = {
    "men-at-arms": {"large_shields": True},
    "spearmen": {"arm": "spear"},
    "pikemen": {"arm": "pike"},
    "archers": {"bow": "short", "bow_damage": mean_of("d6")},
    "goblins": {"base": "small"},
    "kobolds": {"base": "small"},
    "ogres": {"base": "large"},
    "dwarves": {"exempt": frozenset({"rough"})},
    "elves": {"exempt": frozenset({"woods"}), "bow": "long", "bow_damage": mean_of("d6")},
    "halflings": {"base": "small", "exempt": frozenset({"woods"})},
    "lizard-men": {"exempt": frozenset({"swamp"}), "swim": Fraction(12)},
}
MOUNTS: dict[str, Creature] = {
    "heavy-warhorse": Creature(16, 7, "3+3", 15, ("d8", "d8", "d3")),
    "medium": Creature(16, 7, "2+2", 18, ("d6", "d6", "d3")),
    "light": Creature(16, 7, "2", 24, ("d4", "d4")),
    "worg": Creature(15, 6, "4+4", 18, ("2d4",)),
}
RIDERS: dict[str, tuple[Creature, str, int]] = {
    "heavy-cavalry": (Creature(20, 4, "1", 9, ("2d4+1",), doubles=True), "heavy-warhorse", 13),
    "medium-cavalry": (Creature(20, 5, "1", 9, ("d8",)), "medium", 12),
    "light-cavalry": (Creature(20, 8, "1", 12, ("d6",)), "light", 11),
    "worg-riders": (Creature(20, 6, "1-1", 6, ("d6",)), "worg", 11),
}
CREW = Creature(20, 5, "1", 12, ("d6",))


def presets(rules: Any) -> Mapping[str, Design]:
    """Rate all presets under some rules."""
    rated = {}
    for name, (ar, ac, hd, mv, damage, ml) in FOOT.items():
        rated[name] = rate_foot(Creature(ar, ac, hd, mv, (damage,)), ml, rules, **MORE.get(name, {}))
    for name, (rider, mount, ml) in RIDERS.items():
        rated[name] = rate_cavalry(rider, MOUNTS[mount], ml, rules)
    for horses in (2, 3, 4):
        rated[f"chariot-{horses}"] = rate_chariot([CREW] * 2, [MOUNTS["medium"]] * horses, 12, rules)
    return rated
