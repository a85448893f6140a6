"""A slow, plain twin of juggerball, built upon the twin of the battle, to be read next to the rules of record.

`play` plays one match of two teams of seven and returns its outcome and its events. `hold` and `random` decide by
themselves; any other policy follows the events of a kernel, each decision of which is checked to be legal.

RULINGS lists where the rules of record leave two readings, or where the order of events could be another one, and the
reading taken.
"""

from tests.naive.juggerball.exact import Flights as Flights
from tests.naive.juggerball.field import FIELDS as FIELDS
from tests.naive.juggerball.field import Field as Field
from tests.naive.juggerball.match import Match as Match
from tests.naive.juggerball.match import play as play
from tests.naive.juggerball.rulings import RULINGS as RULINGS
