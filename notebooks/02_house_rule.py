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
# # Write your own house rule
#
# A house rule is a small file of changed numbers. Here: *a good horseman throws three dice and keeps the best two*, and
# the question whether that makes the charge at the pig too easy.

# %%
import os
import tempfile
from pathlib import Path

import simkit

TRIALS = int(os.environ.get("SIMKIT_NOTEBOOK_TRIALS", "200000"))
folder = Path(tempfile.mkdtemp())

# %% [markdown]
# ## Which numbers are there?
#
# Every number and every ruling of the rules, with its sentence. R is stated by the rules, Q is a ruling, B is assumed
# from the base game.

# %%
for row in simkit.rules("pigtickler")[:8]:
    print(f"{row.path} = {row.value!r}   [{row.source} {row.id}]\n    {row.says}")

# %% [markdown]
# ## The house rule
#
# `{ was, now }` is a guard: should the rules of record ever change, the file says so instead of quietly doing something
# else.

# %%
house = folder / "house"
house.mkdir()
_ = (house / "horseman.toml").write_text(
    """
schema = 1
for = "pigtickler"
title = "The good horseman"
why = "Skill should show: three dice, keep the best two."

[set]
dice = { was = "2d6", now = "3d6kh2" }
"""
)

# %% [markdown]
# ## The question

# %%
question = folder / "horseman.toml"
_ = question.write_text(
    """
schema = 1
name = "horseman"
question = "Does the good horseman make the charge at the pig too easy?"
game = "pigtickler"

[course]
steps = [{ down = 1 }, { turn = 1 }, { pig = true }]
ahead = "obstacle"
turns = 2

[sweep.axes]
"course.steps.1.down" = [0, 1, 2, 3]
house_rules = [[], ["horseman"]]

[compare]
baseline = { house_rules = [] }

[report]
metric = "rump"
fair_within = 0.02
"""
)

# %%
run = simkit.run(question, trials=TRIALS, out=folder / "results")
print(run.answer)

# %% [markdown]
# ## Look at the numbers

# %%
columns = ["course.steps.1.down", "house_rules", "rump", "rump_low", "rump_high"]
run.cells[columns + [f"rump_minus_baseline{part}" for part in ("", "_low", "_high")]]

# %% [markdown]
# ## Which number would do instead?
#
# The same file with other values, without editing it: `set` changes a rule for one run, whatever the file says.

# %%
for target in (5, 6, 7):
    again = simkit.run(question, trials=TRIALS, out=folder / "results", set={"standard_target": target})
    row = again.cells.iloc[2]
    print(f"target {target}: rump {row['rump']:.4f}  ({row['rump_low']:.4f} to {row['rump_high']:.4f})")

# %% [markdown]
# ## And one attempt, told

# %%
print(run.replay(cell="course.steps.1.down=2,house_rules=horseman", trial=4))
