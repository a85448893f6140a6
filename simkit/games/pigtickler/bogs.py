"""Bogs: a roll to enter, a roll to leave, and a hill that for once helps."""

from simkit.core.jit import rule
from simkit.games.pigtickler.records import Numbers


@rule
def downhill_counts(descended: int, spent: bool) -> bool:
    """A descent serves one bog roll of the turn; later bog rolls ignore it (P-BOG-4)."""
    return descended > 0 and not spent


@rule
def downhill_bog_modifier(rules: Numbers, descended: int, leg: int, spent: bool) -> int:
    """Straight downhill into a bog the levels are added, not subtracted (P-BOG-3).

    That holds too when another player steers him straight in (P-BOG-5). A first bog roll off the
    straight line takes the descent as a minus; any later bog roll of the turn ignores it (P-BOG-4, P-CRS-3).
    """
    if not downhill_counts(descended, spent):
        return 0
    if leg > 0:
        return rules.downhill_bog_modifier * leg
    if rules.crooked_bog_minus:
        return rules.downhill_modifier * descended
    return 0


@rule
def edge_counts_as_passed(rules: Numbers) -> bool:
    """A failed bog roll ends the movement just past the edge, which is not rolled for again (P-BOG-2)."""
    return not rules.bog_edge_reroll
