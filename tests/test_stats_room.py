"""The room as a whole: its examples run, and it brings in nothing heavy."""

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import simkit.stats

MODULES = [f"simkit.stats.{info.name}" for info in pkgutil.iter_modules(simkit.stats.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_say_what_happens(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_public_functions_have_examples():
    functions = [getattr(simkit.stats, name) for name in simkit.stats.__all__ if name[0].islower()]
    assert [f.__name__ for f in functions if ">>>" not in f.__doc__] == []


def test_imports_numpy_and_special_functions_only():
    code = (
        "import sys, simkit.stats; "
        "print(sorted({m for m in sys.modules if m.split('.')[0] in {'pandas', 'numba', 'matplotlib', 'statsmodels'} "
        "or m in {'scipy.stats', 'scipy.optimize', 'scipy.integrate'}}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
