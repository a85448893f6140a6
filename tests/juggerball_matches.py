"""Random matches for kernel and twin: the same fields, teams, rules and dice for both."""

from typing import Any

from simkit.core.rng import make_key
from simkit.games.juggerball import game
from simkit.games.juggerball.records import Outcome, State
from simkit.games.juggerball.rules import Rules
from simkit.games.juggerball.scenario import Scenario
from tests.jugger_battles import as_twin, table
from tests.naive.jugger import Design
from tests.naive.jugger.tables import LOSE
from tests.naive.juggerball import Field, play
from tests.naive.juggerball import tables as b
from tests.naive.juggerball.matches import CLEVER, CLUMSY, random_match, regulation_match
from tests.naive.juggerball.teams import A_WEAPON, ILLEGAL, IMPROVEMENTS, STANDARD, TEAM, Team, design_of

KEY = make_key(2**61 + 6)
Event = tuple[int, ...]


def random_meeting(seed: int, *, clever: bool) -> "Meeting":
    """Return a match under random house rules."""
    return Meeting(random_match(seed, CLEVER if clever else CLUMSY))


def regulation_meeting(seed: int) -> "Meeting":
    """Return a match of random teams on a field of the rules, as they are."""
    return Meeting(regulation_match(seed))


def field_table(field: Field) -> dict[str, Any]:
    """Return a twin's field as a file spells it."""
    lists = {"obstacles": field.all_of("obstacle"), "walls": field.walls, "forests": field.all_of("forest")}
    return {
        "half_length": field.half_length,
        "half_rows": field.half_rows,
        "goal": field.g,
        "ball_start": [*field.ball_start],
        "starts": [[*place] for place in field.starts],
        **{name: [[*place] for place in places] for name, places in lists.items()},
    }


class Meeting:
    """One match for both."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        self.arguments = arguments
        self.swap: bool = arguments["swap"]
        self.mirror: bool = arguments["mirror"]
        self.teams: list[Team] = arguments["teams"]
        self.certain = arguments["certain"]
        sides: dict[str, Any] = {}
        for number, side in enumerate("ab"):
            team, (items, jugs) = self.teams[number], self.certain[number]
            sides[side] = {"policy": arguments["policies"][number]}
            if number and self.mirror:
                sides[side]["team"] = "mirror"
                continue
            sides[side]["jugs"] = ["random" if jug is None else table(jug) for jug in team]
            if None in team and items:
                sides[side]["fixed"] = {"items": [*items], "jugs": jugs}
        self.scenario = Scenario.model_validate(
            {
                "sides": sides,
                "scenario": {"field": field_table(arguments["field"]), "max_turns": arguments["max_turns"]},
            }
        )
        self.rules = Rules.model_validate(arguments["changes"])
        self.setup = game.compile(self.scenario, self.rules)

    def kernel(self, state: Any) -> tuple[dict[str, int], list[Event]]:
        """Play it by the kernel: outcome and events, its pieces numbered as the twin does."""
        address = (KEY, self.arguments["trial"], int(self.swap))
        outcome = game.play_one(self.setup, state, *address)
        told = game.trace(self.setup, *address)
        assert len(told.rows) == told.noted
        events = [tuple(row) for row in told.rows]
        return dict(zip(Outcome._fields, (int(x) for x in outcome), strict=True)), self.as_twin(events)

    def twin(self, trace: list[Event] | None) -> tuple[dict[str, int], list[Event]]:
        """Play it by the twin, on its own or following a trace."""
        given = {name: value for name, value in self.arguments.items() if name != "changes"}
        outcome, events = play(**{**given, "key": KEY}, trace=trace)  # type: ignore[arg-type]
        return outcome, list(events)

    def as_twin(self, events: list[Event]) -> list[Event]:
        """Return a kernel's events with pieces numbered as the twin does, who counts armor too."""
        kinds = self.kinds_by_slot()
        rolled: set[int] = set()
        translated: list[Event] = []
        for event in events:
            what, slot = event[0], event[2]
            if what == b.REPLACE:
                rolled.discard(slot)
            elif what == b.ITEM:
                self.note_item(kinds, rolled, event)
            elif what == LOSE:
                designs = [design_of(items) for items in kinds]
                event = as_twin([event], designs)[0]
            translated.append(event)
        return translated

    def kinds_by_slot(self) -> list[list[str]]:
        """Return the items of every jug before any is rolled."""
        teams = [self.teams[0], self.teams[0] if self.mirror else self.teams[1]]
        by_seat = teams[::-1] if self.swap else teams
        return [[] if jug is None else kinds_of(jug) for team in by_seat for jug in team]

    def note_item(self, kinds: list[list[str]], rolled: set[int], event: Event) -> None:
        """Note an improvement that was rolled; with a mirrored team at the set-up for both sides."""
        slot, value, extra = event[2], event[6], event[7]
        slots = [slot]
        number = slot // TEAM ^ self.swap
        if self.mirror:
            number = 0
            slots += [(slot + TEAM) % (2 * TEAM)] if event[1] == 0 else []
        items, jugs = self.certain[number]
        certain = [*items] if slot % TEAM < jugs and self.teams[number][slot % TEAM] is None else []
        for one in slots:
            if one not in rolled:
                kinds[one] = [*certain]
                rolled.add(one)
            if extra < ILLEGAL:
                kinds[one].append(STANDARD[extra - 1] if value == A_WEAPON else IMPROVEMENTS[value - 1])
            elif self.rules.illegal == "reroll_jug":
                kinds[one] = [*certain]


def kinds_of(design: Design) -> list[str]:
    """Return the kinds of a design's items."""
    return [kind for kind, _ in design.items]


def fresh() -> Any:
    """Return a state."""
    return State.scratch()
