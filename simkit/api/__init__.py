"""simkit from Python: everything the command line does.

>>> import simkit
>>> str(simkit.odds("2d6 >= 8").fraction)
'5/12'
"""

from simkit.api.balancing import balance as balance
from simkit.api.bouts import duel as duel
from simkit.api.drives import compare as compare
from simkit.api.drives import house as house
from simkit.api.drives import sensitivity as sensitivity
from simkit.api.fair import ask as ask
from simkit.api.fair import solve as solve
from simkit.api.leagues import league as league
from simkit.api.matrices import matrix as matrix
from simkit.api.runs import Run as Run
from simkit.api.runs import check as check
from simkit.api.runs import exact as exact
from simkit.api.runs import load as load
from simkit.api.runs import refuse_unlimited as refuse_unlimited
from simkit.api.runs import replay as replay
from simkit.api.runs import run as run
from simkit.api.searches import search as search
from simkit.api.searches import searching as searching
from simkit.api.searches import tune as tune
from simkit.api.searches import tuning as tuning
from simkit.api.sheets import march as march
from simkit.api.sheets import rate as rate
from simkit.api.sheets import rules as rules
from simkit.core.odds import odds as odds
from simkit.lab.experiment import Experiment as Experiment
