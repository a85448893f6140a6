# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A first look: standard and altered odds
#
# A unicycle lancer rides down a hill, turns at its foot, crosses a bog, climbs a level and turns along a wall,
# in at most four turns. Pig Tickler knows two sets of odds: a manoeuvre succeeds on 6 or more (*standard*) or on
# 5 or more (*altered*). What does that change?

# %%
import os
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

import simkit

TRIALS = int(os.environ.get("SIMKIT_NOTEBOOK_TRIALS", "200000"))
root = next(path for path in [Path.cwd(), *Path.cwd().parents] if (path / "experiments").is_dir())
out = Path(tempfile.mkdtemp())

# %% [markdown]
# ## Dice first
#
# One manoeuvre on 2d6, exactly:

# %%
for target in (6, 5):
    answer = simkit.odds(f"2d6 >= {target}")
    print(f"2d6 >= {target}:  {answer.fraction}  = {answer.decimal:.2%}")

# %% [markdown]
# ## The question as a file
#
# The experiment is a small TOML file: steps of the course, what varies, and what each cell is compared with.

# %%
print((root / "experiments" / "altered_odds.toml").read_text())

# %% [markdown]
# ## Play it
#
# Both rule sets throw the same dice, so that the difference is measured far more sharply than either value.

# %%
run = simkit.run(root / "experiments" / "altered_odds.toml", trials=TRIALS, out=out)
print(run.answer)

# %% [markdown]
# ## The cells as a table
#
# One row a cell. Every metric has its interval; `finished_exact` is the exact solution of the same rules.

# %%
cells = run.cells
columns = [
    "cell",
    "course.steps.1.down",
    "course.steps.3.bog",
    "altered_odds",
    "finished",
    "finished_low",
    "finished_high",
]
cells[[*columns, "finished_exact"]].head(8)

# %% [markdown]
# ## Who gets through, by bog and by hill
#
# Lines are exact, points are simulated, bars are their 99 % intervals.

# %%
figure, axes = plt.subplots(1, 4, figsize=(12, 3.4), sharey=True)
for axis, (levels, part) in zip(axes, cells.groupby("course.steps.1.down"), strict=True):
    for altered, group in part.groupby("altered_odds"):
        colour = "#D55E00" if altered else "#0072B2"
        label = "altered odds" if altered else "standard odds"
        axis.plot(group["course.steps.3.bog"], 100 * group["finished_exact"], color=colour, linewidth=1)
        low = 100 * (group["finished"] - group["finished_low"])
        high = 100 * (group["finished_high"] - group["finished"])
        axis.errorbar(
            group["course.steps.3.bog"], 100 * group["finished"], yerr=[low, high], fmt="o", color=colour, label=label
        )
    axis.set_title(f"{levels} levels down")
    axis.tick_params(axis="x", rotation=45)
axes[0].set_ylabel("finished in four turns (%)")
axes[-1].legend(loc="upper right", fontsize=8)
figure.tight_layout()

# %% [markdown]
# ## One trial, roll by roll

# %%
print(run.replay(cell=14, trial=3))

# %% [markdown]
# ## Without dice at all
#
# A course is small enough to be solved exactly. The simulation is there to be checked against it, and for everything
# that is not.

# %%
solved = simkit.exact(root / "experiments" / "altered_odds.toml")
for cell in solved["cells"][:4]:
    print(cell["labels"], cell["metrics"]["finished"]["fraction"])
