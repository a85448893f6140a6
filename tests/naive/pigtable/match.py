"""A match: seats in turn, the pig, harm to others, substitutes, the end (P-GAM-12, P-GAM-14 to P-GAM-18)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.core.rng import Key
from tests.naive.pigtable import notes as n
from tests.naive.pigtable.dice import Dice
from tests.naive.pigtable.lines import Ground, lancer_solid, pig_solid
from tests.naive.pigtable.pig import move_pig
from tests.naive.pigtable.policies import POLICIES
from tests.naive.pigtable.ride import Man, Ride, lose
from tests.naive.pigtable.shapes import Point
from tests.naive.pigtable.table import Table


class MatchRide(Ride):
    """A turn in a match: others are hurt for good, and somebody steers."""

    def __init__(self, match: "Match", man: Man) -> None:
        others = match.others_of(man.seat)
        super().__init__(match.table, match.rules, man, match.pig, others, match.planner(man.seat), match.book)
        self.match = match

    def neighbour(self) -> int:
        """Return the next seat still in play, with teams of the other team (P-GAM-12)."""
        return self.match.left_of(self.man.seat)

    def struck(self, other: int, wound: bool, damage: bool) -> None:
        """Hurt the other lancer (P-GAM-14)."""
        self.match.hurt(other, wound, damage)
        self.others = self.match.others_of(self.man.seat)


class Match:
    """Everything that is known during one game of a match."""

    def __init__(
        self,
        table: Table,
        rules: dict[str, Any],
        policies: Sequence[str],
        key: Key,
        unit: int,
        game: int = 0,
        teams: Sequence[int] | None = None,
    ) -> None:
        self.table, self.rules, self.policies = table, rules, policies
        count = len(policies)
        self.sides = list(teams) if teams else [seat + 1 for seat in range(count)]
        self.starts: list[Point] = [table.starts[(seat + game) % count] for seat in range(count)]
        self.men = [Man(seat=seat, place=start) for seat, start in enumerate(self.starts)]
        self.gone: set[int] = set()  # seats without a man on the table
        self.former: list[list[Man]] = [[] for _ in range(count)]
        self.counts = [Counter[str]() for _ in range(count)]
        self.pig = table.pig
        self.dice: Any = Dice(key, unit)
        self.book = n.Notebook()
        self.turn = self.round = 0
        self.over = False
        self.winner = self.cause = 0

    # Who is where

    def planner(self, seat: int) -> Any:
        """Return the policy of a seat."""
        return POLICIES[self.policies[seat]]

    def others_of(self, seat: int) -> dict[int, Man]:
        """Return the other lancers on the table."""
        return {man.seat: man for man in self.men if man.seat != seat and man.seat not in self.gone}

    def left_of(self, seat: int) -> int:
        """Return the next seat in play, with teams of another team, or -1."""
        count = len(self.men)
        for step in range(1, count):
            other = (seat + step) % count
            if other not in self.gone and self.sides[other] != self.sides[seat]:
                return other
        return -1

    def total(self, seat: int, name: str) -> int:
        """Return what all men of a seat have counted."""
        return sum(int(getattr(man, name)) for man in (*self.former[seat], self.men[seat]))

    def rumps_of_side(self, side: int) -> int:
        """Return the rumps of a side."""
        return sum(self.total(seat, "rumps") for seat, own in enumerate(self.sides) if own == side)

    # Harm

    def hurt(self, seat: int, wound: bool, damage: bool) -> None:
        """Wound and damage a lancer who isn't moving (P-GAM-14)."""
        man = self.men[seat]
        if wound:
            man.wounds += 1
            lose(man, self.rules)
        man.damage += damage
        self.settle(man)

    def settle(self, man: Man, piece: int = -1) -> None:
        """Take a lancer off the table who is killed, wrecked or retired."""
        limit = self.rules["wounds_to_retire"]
        man.wrecked = not man.killed and man.damage >= self.rules["wreck_at"]
        if man.killed:
            why = n.KILLED
        elif man.wrecked:
            why = n.WRECKED
        elif limit and man.wounds >= limit:
            why = n.RETIRED
        else:
            return
        self.counts[man.seat]["retired"] += why == n.RETIRED
        self.book.write("OUT", man.seat, piece=piece, value=why)
        self.gone.add(man.seat)
        if self.rules["substitute"]:
            self.substitute(man.seat)

    def substitute(self, seat: int) -> None:
        """Put a fresh man on his start, if it is free."""
        figures = [pig_solid(self.pig, self.rules)]
        figures += [lancer_solid(other, man.place, self.rules) for other, man in self.others_of(seat).items()]
        start = self.starts[seat]
        if not Ground(self.table, self.rules["base_lancer"], figures).free(start):
            return
        self.former[seat].append(self.men[seat])
        self.men[seat] = Man(seat=seat, place=start)
        self.gone.discard(seat)
        self.book.write("FRESH", seat, value=start[0], extra=start[1])

    # The game

    def play(self) -> None:
        """Play the game to its end."""
        x, y = self.pig
        self.book.write("START", -1, value=x, extra=y)
        for man in self.men:
            self.book.write("START", man.seat, value=man.place[0], extra=man.place[1])
        while not self.over and self.round < self.rules["max_rounds"]:
            self.round += 1
            order = self.order()
            digits = int("".join(str(seat + 1) for seat in order))
            self.book.turn = self.turn + 1
            self.book.write("ROUND", -1, value=self.round, extra=digits)
            for seat in order:
                if not self.over and (seat not in self.gone or self.rules["substitute"]):
                    self.play_seat(seat)
        self.book.turn = self.turn
        if not self.over:
            self.end(self.most_rumps(), n.ROUNDS_UP)

    def order(self) -> list[int]:
        """Return the order of seats in this round (P-GAM-15)."""
        count = len(self.men)
        if self.rules["initiative"] == "cards":
            self.dice.begin(self.turn + 1, 0)
            return list(self.dice.shuffled(count))
        first = self.round - 1 if self.rules["initiative"] == "rotate" else 0
        return [(first + k) % count for k in range(count)]

    def play_seat(self, seat: int) -> None:
        """Play the turn of a seat, then move the pig."""
        self.turn += 1
        self.book.turn = self.turn
        self.dice.begin(self.turn, seat)
        if seat in self.gone:
            self.substitute(seat)
        man = self.men[seat]
        if seat in self.gone:
            self.book.write("WAITS", seat)
        elif man.lost > 0:
            man.lost -= 1
            self.counts[seat]["lost_turns"] += 1
            self.book.write("LOST", seat, value=man.lost)
        else:
            self.ride(man)
        if self.rumps_of_side(self.sides[seat]) >= self.rules["rumps_to_win"]:
            self.end(self.sides[seat], n.BY_RUMPS)
        self.look_at_sides()
        if not self.over:
            self.move_pig(seat)
            self.look_at_sides()

    def ride(self, man: Man) -> None:
        """Let a lancer have his turn."""
        x, y = man.place
        self.book.write("TURN", man.seat, value=x, extra=y)
        dice = {"manoeuvre": self.rules["dice"], "fence": "1d6"}
        ride = MatchRide(self, man)
        throws = ride.ride()
        purpose = next(throws, None)
        while purpose is not None:
            total = self.dice.roll(dice.get(purpose, "2d6"), purpose)
            try:
                purpose = throws.send(total)
            except StopIteration:
                purpose = None
        self.settle(man, ride.doing[1] if man.killed else -1)

    def move_pig(self, seat: int) -> None:
        """Move the pig (P-GAM-16)."""
        direction = self.dice.roll("1d8", "pig direction") - 1
        inches = self.dice.roll(self.rules["pig_dice"], "pig distance")
        standing = self.others_of(-1)
        lancers = [lancer_solid(other, man.place, self.rules) for other, man in sorted(standing.items())]
        move = move_pig(self.table, self.rules, self.pig, lancers, direction, inches)
        self.pig = move.place
        self.book.write(
            "PIG",
            seat,
            other=move.lancer,
            piece=move.piece,
            roll=100 * direction + inches,
            value=self.pig[0],
            extra=self.pig[1],
        )
        if move.lancer < 0:
            return
        self.men[move.lancer].pig_contacts += 1
        if self.rules["pig_meets"] == "tramples":
            total = self.dice.roll("2d6", "other")
            wound, damage = harm(self.rules, total)
            self.book.write("TRAMPLED", move.lancer, roll=total, value=n.injury(wound, damage, total))
            self.hurt(move.lancer, wound, damage)

    # The end

    def look_at_sides(self) -> None:
        """End the game if one side is left, or none (P-GAM-17)."""
        if self.over or self.rules["substitute"]:
            return
        left = {self.sides[man.seat] for man in self.others_of(-1).values()}
        if not left:
            self.end(self.most_rumps(), n.NOBODY)
        elif len(left) == 1 and self.rules["last_side_wins"]:
            self.end(left.pop(), n.LAST_SIDE)

    def most_rumps(self) -> int:
        """Return the side with most rumps, 0 if two have as many."""
        rumps = {side: self.rumps_of_side(side) for side in self.sides}
        best = [side for side, count in rumps.items() if count == max(rumps.values())]
        return best[0] if len(best) == 1 else 0

    def end(self, side: int, cause: int) -> None:
        """End the game."""
        self.over, self.winner, self.cause = True, side, cause
        self.book.write("OVER", -1, roll=self.round, value=side, extra=cause)

    def outcome(self) -> dict[str, int]:
        """Return what a game counts (P-GAM-23)."""
        values = {"winner": self.winner, "rounds": self.round, "turns": self.turn}
        for seat, counts in enumerate(self.counts):
            own = {name: self.total(seat, name) for name in COUNTED}
            own |= {name: counts[name] for name in ("lost_turns", "retired")}
            values |= {f"{name}_{seat + 1}": value for name, value in own.items()}
        return values


COUNTED = (
    "rumps", "attempts", "wounds", "damage", "runaways", "killed", "wrecked", "distance", "pig_contacts",
)  # fmt: skip


def harm(rules: Mapping[str, Any], total: int) -> tuple[bool, bool]:
    """Return wound and damage of a lancer that the pig has ridden over, by the collision table (P-COL-1, P-COL-2)."""
    ride = object.__new__(Ride)
    ride.rules = dict(rules)
    return ride.harm(total)


def play(table: Table, rules: dict[str, Any], policies: Sequence[str], *args: Any, **more: Any) -> Match:
    """Play one game and return it, over; arguments as for `Match`."""
    match = Match(table, rules, policies, *args, **more)
    match.play()
    return match
