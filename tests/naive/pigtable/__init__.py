"""A slow, plain twin of a match of Pig Tickler on a table, built upon the twin of a course.

`play` plays one game and returns it with its events; `values_of_route` says what one route is worth, exactly.
RULINGS lists where the rules of record leave two readings, and the reading taken.
"""

from tests.naive.pigtable.exact import values_of_route as values_of_route
from tests.naive.pigtable.fields import rules_of as rules_of
from tests.naive.pigtable.match import Match as Match
from tests.naive.pigtable.match import play as play
from tests.naive.pigtable.rulings import RULINGS as RULINGS
from tests.naive.pigtable.table import TableError as TableError
from tests.naive.pigtable.table import read_table as read_table
