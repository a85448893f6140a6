"""A slow, plain twin of the Jugger battle engine, to be read next to the rules of record.

`play` fights one battle of two sides of up to 12 jugs each and returns its outcome and its events. `hold` and `random`
decide by themselves; any other policy follows the events of a kernel, each decision of which is checked to be legal.

RULINGS lists where the rules of record leave two readings, or where the order of events could be another one, and the
reading taken.
"""

from tests.naive.jugger.battle import Battle as Battle
from tests.naive.jugger.battle import play as play
from tests.naive.jugger.board import Board as Board
from tests.naive.jugger.design import Design as Design
from tests.naive.jugger.follow import IllegalDecisionError as IllegalDecisionError
from tests.naive.jugger.follow import TraceDivergedError as TraceDivergedError
from tests.naive.jugger.policies import Hold as Hold
from tests.naive.jugger.policies import Random as Random
from tests.naive.jugger.rulings import RULINGS as RULINGS
