"""simkit from Python: everything the command line does.

>>> import simkit
>>> str(simkit.odds("2d6 >= 8").fraction)
'5/12'
"""

from simkit.api.bouts import duel as duel
from simkit.api.runs import Run as Run
from simkit.api.runs import check as check
from simkit.api.runs import exact as exact
from simkit.api.runs import load as load
from simkit.api.runs import refuse_unlimited as refuse_unlimited
from simkit.api.runs import replay as replay
from simkit.api.runs import run as run
from simkit.api.sheets import march as march
from simkit.api.sheets import rate as rate
from simkit.api.sheets import rules as rules
from simkit.core.odds import odds as odds
from simkit.lab.experiment import Experiment as Experiment
