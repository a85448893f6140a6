"""What an experiment's file may ask beside its own question: a table for every kind of study, a file for each."""

from simkit.lab.asked.balance import Balance as Balance
from simkit.lab.asked.league import League as League
from simkit.lab.asked.matrix import Matrix as Matrix
from simkit.lab.asked.search import Search as Search
from simkit.lab.asked.sensitivity import Sensitivity as Sensitivity
from simkit.lab.asked.solve import Solve as Solve
from simkit.lab.asked.tune import Tune as Tune
