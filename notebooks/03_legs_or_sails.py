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
# # Are legged jugs or sails overpowered?
#
# Jugger is a duel of war machines, *jugs*. Each has as many spaces as size classes, and every improvement takes one:
# legs turn, brake and kick but cannot ram; sails speed up and brake. Players have argued about them for years. Let us
# fight it out, step by step, and see whether the answer depends on how well one plays.

# %%
import os
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import SVG, display

import simkit
from simkit import stats
from simkit.games import protocol
from simkit.lab import views
from simkit.lab.trial import Trial

BATTLES = int(os.environ.get("SIMKIT_NOTEBOOK_TRIALS", "200000")) // 100
root = next(path for path in [Path.cwd(), *Path.cwd().parents] if (path / "experiments").is_dir())
out = Path(tempfile.mkdtemp())
pd.set_option("display.max_colwidth", 80)

# %% [markdown]
# ## The published designs
#
# What the lists of the source amount to. `up` and `down` are acceleration and deceleration in hexes a turn; damage is
# what may be expected of all weapons in one turn at that range.

# %%
designs = pd.DataFrame(protocol.load("jugger").presets())
columns = ["design", "race", "SC", "hits", "up", "down", "turns", "damage at 1", "damage at 10", "equipment"]
designs.loc[designs["design"].isin(["archer", "cutter", "horny-toad", "windrammer", "swordsman", "landship"]), columns]

# %% [markdown]
# ## One duel
#
# Two jugs of five size classes, alike but for one space: legs against sails. A duel is played in pairs on the same
# dice, the second time with the seats swapped, so that neither luck nor the place decides.

# %%
WEAPONS = ["2 catapults", "2 mace arms"]
duel = {
    "schema": 1,
    "name": "legs-against-sails",
    "question": "Who wins, legs or sails, and does it depend on the player?",
    "game": "jugger",
    "sides": {
        "a": {"design": {"title": "Legs", "size": 5, "equipment": ["legs", *WEAPONS]}},
        "b": {"design": {"title": "Sails", "size": 5, "equipment": ["sails", *WEAPONS]}},
    },
    "sweep": {"axes": {"policy": ["random", "greedy", "lookahead"]}},
    "report": {"metric": "score_a", "target": 0.5, "fair_within": 0.02},
}
first = simkit.run(duel, trials=10 * BATTLES, out=out)
print(first.answer)

# %% [markdown]
# ### How a battle goes
#
# A picture of one battle between two lookahead players, and how it ended in words. Numbers along a track are turns.

# %%
cell = first.plan.cells[2]
display(SVG(views.picture(first.plan, cell, Trial(3, 0))))
print("...", *first.replay(cell=cell.number, trial=3).splitlines()[-12:], sep="\n")

# %% [markdown]
# ## Win rates with their intervals
#
# A win is 1 and a draw one half. Each interval holds with 99 %; whoever sees it reach over 50 % has not seen a winner.

# %%
columns = ["policy", "score_a", "score_a_low", "score_a_high", "win_a", "draw", "win_b", "turns", "n"]
first.cells[columns].round(3)

# %% [markdown]
# ## What one improvement is worth
#
# A duel of two jugs proves little about all the others. The shipped experiment swaps one improvement after another into
# the same jug, at four sizes, and lets it meet eight published designs from two distances; armor is the measure of all
# else.

# %%
question = root / "experiments" / "legs_or_sails.toml"
print(question.read_text())

# %%
played = simkit.run(question, trials=BATTLES // 2, out=out, raw=True)
print(played.answer)

# %% [markdown]
# That is one number for each battle, player and improvement. What an improvement is worth to a player is the mean over
# the field. All cells have the same dice, so that the mean is taken pair by pair first; its interval comes from the
# pairs, and all eighteen hold together with 99 %.

# %%
ITEM = "sides.a.design.equipment.1"


def score(cell):
    """Return the score of side A in every pair of battles of a cell."""
    raw = pd.read_parquet(played.folder / "raw" / f"cell-{cell.number:06d}.parquet", columns=["trial", "score_a"])
    return raw.groupby("trial")["score_a"].mean().to_numpy()


scores = [score(cell) for cell in played.plan.cells]
gains = {}
for cell, own in zip(played.plan.cells, scores, strict=True):
    if cell.baseline is not None:
        gains.setdefault((cell.labels["policy"], cell.labels[ITEM]), []).append(own - scores[cell.baseline])
rows = []
for (policy, item), found in gains.items():
    pairs = np.mean(found, axis=0)
    low, high = stats.paired_mean(pairs, np.ones(len(pairs), int), stats.sidak_level(len(gains), 0.99))
    rows.append((policy, item, pairs.mean(), float(low), float(high)))
worth = pd.DataFrame(rows, columns=["policy", "item", "gain", "low", "high"])
worth.pivot_table(index="item", columns="policy", values="gain", sort=False).mul(100).round(1)

# %%
figure, axes = plt.subplots(1, 3, figsize=(12, 3.4), sharey=True)
for axis, (policy, part) in zip(axes, worth.groupby("policy", sort=False), strict=True):
    axis.axvspan(-2, 2, color="#dddddd")
    axis.axvline(0, color="#888888", linewidth=1)
    errors = 100 * np.array([part["gain"] - part["low"], part["high"] - part["gain"]])
    axis.errorbar(100 * part["gain"], part["item"], xerr=errors, fmt="o", color="#0072B2")
    axis.set_title(policy)
    axis.set_xlabel("points more than with armor")
axes[0].invert_yaxis()
figure.tight_layout()

# %% [markdown]
# ## From how far off?
#
# Legs never ram, so the ram is what they are up against. How far off must a jug that shoots begin to beat one that
# rams, and what if rams no longer gain by speed beyond four hexes a turn?

# %%
ranges = simkit.run(root / "experiments" / "ram_or_shoot.toml", trials=BATTLES, out=out)
cells = ranges.cells
figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True)
for axis, (policy, part) in zip(axes, cells.groupby("policy"), strict=True):
    part = part[part["sides.b.design"] == "catapults"]
    for rules, group in part.groupby("house_rules", sort=False):
        bars = 100 * np.array([group["score_a"] - group["score_a_low"], group["score_a_high"] - group["score_a"]])
        hexes, rammer, label = group["scenario.distance"], 100 * group["score_a"], f"house rules: {rules}"
        axis.errorbar(hexes, rammer, yerr=bars, marker="o", label=label)
    axis.axhline(50, color="#888888", linewidth=1)
    axis.set_title(policy)
    axis.set_xlabel("hexes apart at the start")
axes[0].set_ylabel("score of the rammer (%)")
axes[1].legend(fontsize=8)
figure.tight_layout()

# %% [markdown]
# ## The verdict
#
# An improvement is stronger than armor where its whole interval is above +2 points, and weaker where it is below -2.
# Whether it is *too* strong also depends on what else the space could hold: the best of the others stands beside it.

# %%
for item in ("legs", "sails"):
    for policy, part in worth.groupby("policy", sort=False):
        mine = part[part["item"] == item].iloc[0]
        others = part[~part["item"].isin(["legs", "sails"])]
        best = others.loc[others["gain"].idxmax()]
        told = "stronger" if mine["low"] > 0.02 else "weaker" if mine["high"] < -0.02 else "not resolved"
        print(f"{item}, {policy} player: {told}, {100 * mine['gain']:+.1f} points against armor", end=" ")
        print(f"({100 * mine['low']:+.1f} to {100 * mine['high']:+.1f});", end=" ")
        print(f"the best of the others, {best['item']}: {100 * best['gain']:+.1f}")
