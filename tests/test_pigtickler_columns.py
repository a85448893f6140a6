"""The columns of an outcome stand in one order everywhere, though the sums spell them out."""

from simkit.games.pigtickler import tally
from simkit.games.pigtickler.course import Scenario
from simkit.games.pigtickler.game import OUTCOMES, exact
from simkit.games.pigtickler.records import Outcome
from simkit.games.pigtickler.rules import Rules

FIRST = Outcome(*range(2, 2 + len(Outcome._fields)))
SECOND = Outcome(*(value * value for value in FIRST))


def test_record_list_and_exact_solution_name_the_same_columns() -> None:
    names = tuple(metric.name for metric in OUTCOMES)
    assert Outcome._fields == names
    assert tuple(exact(Scenario.model_validate({"course": {"steps": [{"turn": 1}]}}), Rules()).metrics) == names


def test_shares_come_first() -> None:
    """Their sums of squares are their sums, so the counts alone are squared."""
    kinds = [metric.kind for metric in OUTCOMES]
    assert kinds == ["share"] * tally.SHARES + ["count"] * (len(kinds) - tally.SHARES)
    assert tally.Squares._fields == Outcome._fields[tally.SHARES :]


def test_every_column_is_summed_into_its_own() -> None:
    """All columns differ here, so that one that was forgotten or taken for another shows."""
    assert tuple(tally.plus(FIRST, SECOND)) == tuple(a + b for a, b in zip(FIRST, SECOND, strict=True))
    assert tuple(tally.minus(SECOND, FIRST)) == tuple(b - a for a, b in zip(FIRST, SECOND, strict=True))
    assert tuple(tally.squared(FIRST)) == SECOND
    counts = SECOND[tally.SHARES :]
    assert tuple(tally.plus_squares(tally.NO_SQUARES, FIRST)) == counts
