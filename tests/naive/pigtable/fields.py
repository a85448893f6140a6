"""The rules that a match on a table goes by: the fields of a course and those of the table (P-TAB, P-GAM)."""

from collections.abc import Mapping
from typing import Any

from tests.naive import pigtickler as course

DEFAULTS: dict[str, Any] = {
    **course.DEFAULTS,
    "base_lancer": 32,
    "base_pig": 32,
    "level_every": 128,
    "avoid_within": 64,
    "edge": "stops",
    "max_legs": 16,
    "lost_turns": "one",
    "wounds_to_retire": 0,
    "substitute": False,
    "initiative": "fixed",
    "pig_dice": "2d6",
    "pig_crosses": False,
    "pig_meets": "stops",
    "rumps_to_win": 5,
    "downhill_rumps": 1,
    "last_side_wins": True,
    "max_rounds": 60,
    "router_legs": 2,
    "harm": 25,
    "cautious_harm": 100,
}
CHOICES: dict[str, tuple[Any, ...]] = {
    **course.CHOICES,
    "edge": ("stops", "collision"),
    "lost_turns": ("one", "add"),
    "initiative": ("fixed", "cards", "rotate"),
    "pig_meets": ("stops", "tramples"),
}
MOST_PIECES, MOST_LEVELS, MOST_LANCERS = 16, 4, 6


def rules_of(overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Lay overrides over the defaults, bog modifiers one by one."""
    unknown = sorted(set(overrides) - set(DEFAULTS))
    course.need(not unknown, f"unknown rule fields {unknown}; allowed: {sorted(DEFAULTS)}")
    rules = {**DEFAULTS, **overrides, "bogs": {**DEFAULTS["bogs"], **overrides.get("bogs", {})}}
    for field, allowed in CHOICES.items():
        course.need(rules[field] in allowed, f"{field} = {rules[field]!r}; allowed: {allowed}")
    return rules
