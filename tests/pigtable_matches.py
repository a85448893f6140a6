"""One match for kernel and twin, the same table, rules and dice for both, and what may be seen in it."""

from collections import Counter
from typing import Any

import numpy as np

from simkit.core.rng import make_key
from simkit.games.pigtable import compile as compiler
from simkit.games.pigtable.play import play_match
from simkit.games.pigtable.records import EVENTS, State
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.scenario import Scenario
from tests.naive.pigtable.fields import rules_of
from tests.naive.pigtable.match import Match, play
from tests.naive.pigtable.matches import random_match
from tests.naive.pigtable.notes import KINDS, NAMES, Note
from tests.naive.pigtable.table import UNITS, read_table

KEY = make_key(2**61 + 7)
COUNTED = (
    "rumps", "attempts", "wounds", "damage", "lost_turns", "runaways", "killed", "wrecked", "retired", "distance",
    "pig_contacts",
)  # fmt: skip

CAUSES = ("rumps", "last_side", "nobody", "rounds")


def house_of(rules: dict[str, Any]) -> Rules:
    """Return the package's rules: bogs one by one, levels every so many inches."""
    given = dict(rules)
    if "bogs" in given:
        given["bogs"] = rules_of(rules)["bogs"]
    if "level_every" in given:
        given["level_every"] //= UNITS
    return Rules.model_validate(given)


class Meeting:
    """One match for both."""

    def __init__(
        self, seed: int, policies: tuple[str, ...] = ("straight",), told: dict[str, Any] | None = None
    ) -> None:
        self.seed = seed
        self.told = told = told or random_match(seed, policies)
        match = {"table": told["table"], "seats": len(told["policies"]), "policies": told["policies"]}
        if told["teams"]:
            match["teams"] = told["teams"]
        self.scenario = Scenario.model_validate({"scenario": match})
        self.rules = house_of(told["rules"])
        self.setup = compiler.compile(self.scenario, self.rules)

    def twin(self, game: int | None = None) -> Match:
        """Play it by the twin, or another game of the same unit."""
        told, rules = self.told, rules_of(self.told["rules"])
        table = read_table(told["table"], rules)
        number = told["game"] if game is None else game
        return play(table, rules, told["policies"], KEY, self.seed, number, told["teams"])

    def unit(self) -> dict[str, int]:
        """Play all games of the unit by the twin and count them as one match, in sixtieths (P-GAM-18, P-GAM-23)."""
        seats = len(self.told["policies"])
        share = 60 // seats
        counts: Counter[str] = Counter()
        for game in range(seats):
            match = self.twin(game)
            first = next(note for note in match.book.notes if NAMES[note.what] == "ROUND").extra // 10 ** (seats - 1)
            won = [int(match.winner == side) for side in match.sides]
            counts["draw"] += share * (match.winner == 0)
            counts[f"cause_{CAUSES[match.cause - 1]}"] += share
            counts["rounds"] += share * match.round
            counts["turns"] += share * match.turn
            counts["win_first"] += share * won[first - 1]
            own = match.outcome()
            for seat in range(seats):
                counts[f"win_{seat + 1}"] += share * won[seat]
                counts[f"win_start_{(seat + game) % seats + 1}"] += share * won[seat]
                for name in COUNTED:
                    counts[f"{name}_{seat + 1}"] += share * own[f"{name}_{seat + 1}"]
                    counts[name] += share * own[f"{name}_{seat + 1}"]
        counts["first_edge"] = counts["win_first"] - 60 // len({*match.sides})
        return dict(counts)

    def kernel(self, state: Any) -> tuple[dict[str, int], list[Note]]:
        """Play it by the kernel: what each seat counted, and the events."""
        state.room, state.since = EVENTS, 0
        play_match(self.setup, state, KEY.stream, KEY.tweak, self.seed, self.told["game"])
        noted = int(state.noted)
        assert noted <= EVENTS
        rows = np.array(state.events[:noted].tolist(), np.int64).reshape(-1, 8)
        state.room = 0
        counts = {"winner": int(state.winner), "rounds": int(state["round"]), "turns": int(state.turn)}
        for seat in range(len(self.told["policies"])):
            figure = state.figures[seat]
            counts |= {f"{name}_{seat + 1}": int(figure[name]) for name in COUNTED}
        return counts, [Note(*(int(x) for x in row)) for row in rows]


def fresh() -> Any:
    """Return a state."""
    return State.scratch()


def features(notes: list[Note]) -> set[str]:
    """Return what is seen in a match: events, rolls passed and failed, injuries, ends, plans made anew."""
    kinds = {number: kind for kind, number in KINDS.items()}
    told = {"OUT": "value", "OVER": "extra", "COLLISION": "value", "PLAN": "extra"}
    found: set[str] = set()
    before, planned = "", 0
    for note in notes:
        name = NAMES[note.what]
        found.add(name)
        if name == "MANOEUVRE":
            found.add(f"{kinds[note.extra // 2]} {note.extra % 2}")
        elif name == "HIT":
            found.add(f"HIT {note.value} {note.extra}")
        elif name in told:
            found.add(f"{name} {getattr(note, told[name])}")
        if name == "PLAN":
            found |= {"anew"} if planned == note.turn else set()
            planned = note.turn
        if name == "RIDES" and before == "COLLISION":
            found.add("rides on")
        before = name
    return found


ROLLS = {f"{kind} {passed}" for kind in KINDS for passed in (0, 1)}
RARE = {"WAITS", "HIT 1 3", "HIT 0 3", "stop 0", "stop 1", "OVER 3", "COLLISION 0", "COLLISION 2", "OUT 2"}
"""What is not in every hundred matches."""

USUAL = (
    {*NAMES, *ROLLS, "anew", "rides on", *(f"PLAN {k}" for k in range(3)), *(f"OUT {k}" for k in (1, 3))}
    | {f"OVER {k}" for k in (1, 2, 4)} | {f"COLLISION {k}" for k in (1, 3, 4)}
    | {f"HIT {bonus} {what}" for bonus in (0, 1) for what in (0, 1, 2)}
) - RARE  # fmt: skip
