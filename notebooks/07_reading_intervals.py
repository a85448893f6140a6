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
# # Reading intervals honestly
#
# Every number of simkit comes with an interval. This notebook shows, with games whose true odds are known, what an
# interval promises, and the five ways in which people fool themselves with one: too few trials, an outcome never seen,
# looking until it fits, many comparisons, and the best of many. And it shows what helps: the same dice for both sides.

# %%
import os
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import simkit
from simkit import stats

TRIALS = int(os.environ.get("SIMKIT_NOTEBOOK_TRIALS", "200000"))
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#888888"
out = Path(tempfile.mkdtemp())
rng = np.random.default_rng(1)

COURSE = {
    "schema": 1,
    "name": "down-and-turn",
    "question": "Does a rider who charges down a slope make the turn?",
    "game": "pigtickler",
    "course": {"steps": [{"down": 2}, {"turn": 1}], "turns": 1},
    "report": {"metric": "finished"},
}

# %% [markdown]
# ## What an interval promises
#
# A rider charges down two levels and makes a turn. The rules are simple enough to be solved, so that the truth is
# known:

# %%
truth = simkit.exact(COURSE)["cells"][0]["metrics"]["finished"]
print(f"{truth['fraction']} = {100 * truth['estimate']:.4f} %")

# %% [markdown]
# Forty people play it with dice of their own, 500 rides each. Each of them gets an interval of 80 %. Four in five
# should hold the truth, and nobody can know from his own dice alone whether he is the fifth.

# %%
people = [simkit.run({**COURSE, "seed": seed, "run": {"trials": 500, "level": 0.8}}, out=out) for seed in range(40, 80)]
shares = [run.document["cells"][0]["metrics"]["finished"] for run in people]
miss = [not one["low"] <= truth["estimate"] <= one["high"] for one in shares]
fig, ax = plt.subplots(figsize=(7, 4.2))
for i, (one, wrong) in enumerate(zip(shares, miss, strict=True)):
    ax.plot([100 * one["low"], 100 * one["high"]], [i, i], color=ORANGE if wrong else BLUE, lw=2.5 if wrong else 1.5)
    ax.plot(100 * one["estimate"], i, "o", ms=3, color=ORANGE if wrong else BLUE)
ax.axvline(100 * truth["estimate"], color=GREY, lw=1)
ax.set(xlabel="rides that made the turn, %", ylabel="person")
ax.set_title(f"{sum(miss)} of 40 intervals of 80 % miss the truth")
plt.show()

# %% [markdown]
# That is all an interval says: *whoever reads intervals made in this way is misled so often and no more.* simkit's own
# level is 99 % unless you ask for another. To see that the promise is kept, no dice are needed: for every possible
# count the interval is known, and so is the chance of the count.

# %%
n, p = 500, truth["estimate"]
k = np.arange(n + 1)
weights = np.exp(np.cumsum(np.r_[n * np.log1p(-p), np.log(np.arange(n, 0, -1) / np.arange(1, n + 1) * p / (1 - p))]))
kept = {}
for name, interval in (("Clopper-Pearson", stats.clopper_pearson), ("Wilson", stats.wilson)):
    low, high = interval(k, n, 0.8)
    kept[name] = float(weights[(low <= p) & (p <= high)].sum())
pd.Series(kept, name="holds the truth").map("{:.2%}".format).to_frame()

# %% [markdown]
# Clopper-Pearson, which reports use, never promises more than it keeps. Wilson is narrower and right on average only.
#
# ## Mistake 1: too few trials
#
# How many does it take? Before a run, not after it: here for a share near one half, at 99 %.

# %%
wanted = [0.05, 0.02, 0.01, 0.005, 0.001]
pd.DataFrame(
    {
        "half-width, points": [100 * width for width in wanted],
        "trials for it": [f"{int(stats.units_for_half_width(0.5, width, 0.99)):,}" for width in wanted],
        "trials to tell such a gap from none": [
            f"{int(stats.units_to_detect(width, 0.5, 0.01, 0.9)):,}" for width in wanted
        ],
    }
)

# %% [markdown]
# Half the width costs four times the trials. `simkit plan FILE --precision 0.001` says it for a question, with the
# time.
#
# ## Mistake 2: what was never seen is impossible
#
# Nobody was killed in 1,000 rides. That does not make it impossible: the interval says how often it may still happen.

# %%
for rides in (100, 1_000, 10_000):
    low, high = stats.clopper_pearson(0, rides, 0.99)
    print(f"never in {rides:>6,} rides: at most {100 * float(high):.3f} %  (99 %)")

# %% [markdown]
# ## Mistake 3: looking until it fits
#
# A fair coin is thrown ten thousand times. Somebody looks at the interval after every hundred throws, and stops as soon
# as it excludes one half. Each look may be wrong in one case of twenty, and there are a hundred looks.

# %%
looks, games = np.arange(100, 10_001, 100), max(200, TRIALS // 200)
heads = rng.binomial(100, 0.5, (games, len(looks))).cumsum(axis=1)


def excluded(interval):
    """Tell for every game and look whether an interval excludes one half."""
    low, high = interval(heads, looks, 0.95)
    return (low > 0.5) | (high < 0.5)


by_interval, by_sequence = excluded(stats.wilson), excluded(stats.beta_binomial)
pd.Series(
    {
        "look once, at the end": by_interval[:, -1].mean(),
        "look a hundred times, stop when it fits": by_interval.any(axis=1).mean(),
        "a confidence sequence, looked at a hundred times": by_sequence.any(axis=1).mean(),
    },
    name="a fair coin is called unfair",
).map("{:.1%}".format).to_frame()

# %% [markdown]
# A *confidence sequence* is an interval that holds at every look together. It is wider, and in exchange you may look
# whenever you like. simkit uses it wherever it stops by itself: `precision = ...` in a file, and every question that
# drops a comparison as soon as it is decided.

# %%
one = heads[np.flatnonzero(by_interval[:, 10:].any(axis=1) & ~by_sequence.any(axis=1))[0]]
fig, ax = plt.subplots(figsize=(7, 3.6))
for interval, colour, name in ((stats.wilson, ORANGE, "interval of one look"), (stats.beta_binomial, BLUE, "sequence")):
    low, high = interval(one, looks, 0.95)
    ax.plot(looks, 100 * low, color=colour, label=name)
    ax.plot(looks, 100 * high, color=colour)
ax.plot(looks, 100 * one / looks, color="black", lw=1)
ax.axhline(50, color=GREY, lw=1)
ax.set(xlabel="throws", ylabel="heads, %", ylim=(40, 60), title="A fair coin on an unlucky day")
ax.legend(frameon=False)
plt.show()

# %% [markdown]
# ## Mistake 4: many comparisons
#
# Twenty house rules that change nothing are each held against the rules of record at 95 %. How often does at least one
# of them look like a discovery?

# %%
tries = max(200, TRIALS // 500)
differences = rng.normal(size=(tries, 20))
z = {"each by itself": float(stats.sidak_z(1, 0.95)), "all twenty together": float(stats.sidak_z(20, 0.95))}
pd.DataFrame(
    {
        "interval reaches, standard errors": z,
        "one false discovery or more": {
            name: f"{(np.abs(differences) > reach).any(axis=1).mean():.0%}" for name, reach in z.items()
        },
    }
)

# %% [markdown]
# In a report the judged intervals hold *together*: it says for how many. Values beside them, which nothing is decided
# by, stand above intervals of their own, and it says that too.
#
# ## Mistake 5: the best of many
#
# A hundred builds are equally good. Each plays a hundred games, and the best of them is proudly shown.

# %%
wins = rng.binomial(100, 0.5, (max(200, TRIALS // 500), 100))
fresh = rng.binomial(100, 0.5, len(wins))
print(f"the winner's own games:   {wins.max(axis=1).mean():.1f} % won")
print(f"the winner on fresh dice: {fresh.mean():.1f} % won")

# %% [markdown]
# That is the winner's curse. Whatever simkit searches for is played again on fresh dice, and only that is told.
#
# ## What helps: the same dice for both
#
# Standard or altered odds? Both are played on the same dice: when a die falls well, it falls well for both, and the
# difference is left. That is worth as much as playing many more trials.

# %%
paired = simkit.run(
    {
        **COURSE,
        "name": "odds",
        "run": {"trials": TRIALS},
        "sweep": {"axes": {"altered_odds": [False, True]}},
        "compare": {"baseline": {"altered_odds": False}},
        "report": {"metric": "finished", "fair_within": 0.01},
    },
    out=out,
)
print(paired.answer)
cells = [cell["metrics"] for cell in paired.document["cells"]]
difference = cells[1]["finished_minus_baseline"]
apart = np.hypot(*((cell["finished"]["high"] - cell["finished"]["low"]) / 2 for cell in cells))
half = (difference["high"] - difference["low"]) / 2
print(f"half-width of the difference: {100 * half:.3f} points on the same dice, {100 * apart:.3f} on independent ones")
print(f"so the same dice are worth about {(apart / half) ** 2:.1f} times the trials")

# %% [markdown]
# ## Not resolved is not the same as equal
#
# Last: when an interval reaches over the line, the honest word is *not resolved*. To say *fair*, an interval must lie
# wholly inside a band that was named beforehand, because a difference of nothing can never be shown.

# %%
coin = {**COURSE, "name": "line", "report": {"metric": "finished", "target": round(p, 2), "fair_within": 0.02}}
for trials in (200, 2_000, max(20_000, TRIALS)):
    run = simkit.run(coin, trials=trials, out=out)
    value = run.document["cells"][0]["metrics"]["finished"]
    print(f"{trials:>7,} trials: {100 * value['low']:.2f} to {100 * value['high']:.2f} %  ->  {run.verdict['word']}")
