"""Places where a game that is built upon the battle has its say; in the battle itself nothing happens there."""

from tests.naive.jugger.board import Hex
from tests.naive.jugger.design import Jug


class Hooks:
    """What a battle asks on its way."""

    over: bool

    def chosen(self, jug: Jug) -> None:
        """Look at what a newly chosen velocity leaves behind."""

    def event_over(self, jug: Jug | None) -> None:
        """Look at what a step, a turn or a moment leaves behind, in the move of a jug or in nobody's."""

    def actions(self, jug: Jug, options: list[str]) -> list[str]:
        """Return what a jug may do next in its move, given what it may do here."""
        return options

    def acts(self, jug: Jug, action: str) -> bool:
        """Do an action that is neither hex nor turn; tell whether it was one."""
        return False

    def clears_way(self, jug: Jug) -> bool:
        """Do what comes before a step forward; tell whether the step is made."""
        return True

    def turned(self, jug: Jug, turn: int) -> None:
        """Do what follows from a turn at once."""

    def fights(self) -> bool:
        """Tell whether an attack moment follows the step or turn that was made."""
        return not self.over

    def forced_step(self, jug: Jug, direction: int, hexes: int) -> None:
        """Do what comes before a pushed or bounced jug, with so many hexes to go, is moved by one."""

    def soft(self, place: Hex) -> bool:
        """Tell whether a jug that is forced into what is in a hex takes no damage in any case."""
        return False
