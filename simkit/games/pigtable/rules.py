"""Every number and every ruling of a match on a table: the terrain rules of Pig Tickler, and those of the table.

Each field carries a sentence, the id of its rule and its source: R is stated by the rules, Q is a ruling, B is assumed
from the base game. A house rule changes values here and nothing else; every field of the terrain rules is here too.
"""

from typing import Literal

from simkit.games.pigtickler.rules import DiceText
from simkit.games.pigtickler.rules import Rules as TerrainRules
from simkit.games.protocol import number

__all__ = ["EDITION", "Rules"]

EDITION = "terrain rules, first reading, on a table"


class Rules(TerrainRules):
    """The rules of a match on a table as values."""

    # Bases and distances, in 1/64 inch
    base_lancer: int = number(
        32, "Radius of a lancer's base, in 1/64 inch.", id="P-TAB-3", source="B", ge=8, le=96
    )  # fmt: skip
    base_pig: int = number(32, "Radius of the pig's base, in 1/64 inch.", id="P-TAB-3", source="B", ge=8, le=96)
    avoid_within: int = number(
        64, "A change of direction so near before something goes round it, in 1/64 inch.",
        id="P-GAM-7", source="Q", ge=0, le=640,
    )  # fmt: skip

    # Turns
    edge: Literal["stops", "collision"] = number(
        "stops", "A lancer who rides at the edge after a descent stops there, or it is a collision.",
        id="P-GAM-8", source="Q",
    )  # fmt: skip
    max_legs: int = number(
        16, "After so many straight legs of one turn he stops without a roll.", id="P-GAM-11", source="Q", ge=1, le=100
    )
    lost_turns: Literal["one", "add"] = number(
        "one", "Several wounds before a lancer's next turn lose that one turn, or as many turns.",
        id="P-GAM-14", source="Q",
    )  # fmt: skip
    wounds_to_retire: int = number(
        0, "After so many wounds a lancer leaves the table; 0 for never.", id="P-GAM-3", source="B", ge=0, le=100
    )
    substitute: bool = number(
        False, "A fresh man takes the place of a lancer who has left the table.", id="P-GAM-14", source="Q"
    )

    # The pig
    pig_dice: DiceText = number("2d6", "Inches that the pig moves after every turn.", id="P-GAM-4", source="B")
    pig_crosses: bool = number(
        False, "The pig crosses fences, hedges and ramps instead of stopping there.", id="P-GAM-16", source="Q"
    )
    pig_meets: Literal["stops", "tramples"] = number(
        "stops", "What the pig does at a lancer: it stops, or tramples him and he rolls on the collision table.",
        id="P-GAM-16", source="Q",
    )  # fmt: skip

    # The match
    initiative: Literal["fixed", "cards", "rotate"] = number(
        "fixed", "Order of a round: by seats, shuffled anew each round, or beginning one seat later each round.",
        id="P-GAM-15", source="Q",
    )  # fmt: skip
    rumps_to_win: int = number(
        5, "A side with so many rumps has won at once.", id="P-GAM-17", source="B", ge=1, le=1000
    )
    downhill_rumps: int = number(
        1, "Rumps of a hit that has the bonus of a descent.", id="P-GAM-17", source="Q", ge=0, le=100
    )
    last_side_wins: bool = number(
        True, "The last side with a lancer in play has won.", id="P-GAM-17", source="Q"
    )  # fmt: skip
    max_rounds: int = number(
        60,
        "After so many rounds the most rumps win; equal rumps are a draw.",
        id="P-GAM-17",
        source="Q",
        ge=1,
        le=10000,
    )

    # Players
    router_legs: int = number(
        2, "Most straight legs of the routes that a router weighs.", id="P-GAM-20", source="Q", ge=1, le=2
    )
    harm: int = number(
        25, "What a wound counts for a router, where a rump counts 100; a death counts four wounds.",
        id="P-GAM-20", source="Q", ge=0, le=10000,
    )  # fmt: skip
    cautious_harm: int = number(
        100, "What a wound counts for a cautious router, where a rump counts 100.",
        id="P-GAM-21", source="Q", ge=0, le=10000,
    )  # fmt: skip
