"""A slow, plain twin of the fights of Battlesystem units on a lane, to be read next to the rules of record.

`play` fights one fight and returns its outcome and its events. RULINGS lists where the rules of record leave two
readings, or where the events could be written in another order, and the reading taken.
"""

from tests.naive.battlesystem.battle import Battle as Battle
from tests.naive.battlesystem.battle import Played as Played
from tests.naive.battlesystem.battle import play as play
from tests.naive.battlesystem.follow import IllegalDecisionError as IllegalDecisionError
from tests.naive.battlesystem.follow import TraceDivergedError as TraceDivergedError
from tests.naive.battlesystem.lane import Lane as Lane
from tests.naive.battlesystem.lane import lane_of as lane_of
from tests.naive.battlesystem.ratings import Design as Design
from tests.naive.battlesystem.rulings import RULINGS as RULINGS
from tests.naive.battlesystem.tables import rules_of as rules_of
from tests.naive.battlesystem.unit import Troop as Troop
