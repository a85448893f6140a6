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
# # Overpowered? Legs, sails and the rest
#
# *Everybody takes it, so it must be too strong. It wins only half of its games, so it must be fair.* Both are said at
# the table, and neither follows. This notebook shows what to ask instead: what an item gains over what else its price
# buys, what a player loses who may not take it, and what one loses who must. First with toys, whose answer is known;
# then with the smallest war machines of Jugger, with published designs, and with a search for the strongest. In the
# end, what such a verdict rests on.

# %%
import os
import tempfile
import textwrap
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap

import simkit
from simkit.balance.equilibrium import maximum_entropy
from simkit.balance.items.item import Item
from simkit.balance.items.overpowered import judge_item
from simkit.balance.items.power import measure_exact, measure_split
from simkit.games.jugger.tuned import shipped

TRIALS = int(os.environ.get("SIMKIT_NOTEBOOK_TRIALS", "200000"))
THOROUGH = TRIALS >= 100_000
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#888888"
SCORES = LinearSegmentedColormap.from_list("scores", [ORANGE, "white", BLUE])
out = Path(tempfile.mkdtemp())
pd.set_option("display.max_colwidth", 110)


def spread(numbers):
    """Return values and error bars of estimates, in points."""
    value, low, high = (100 * np.array([number[part] for number in numbers]) for part in ("estimate", "low", "high"))
    return value, [value - low, high - value]


def points(number, sign="+"):
    """Return an estimate in points, with its interval; what cannot be below 0 needs no sign."""
    value, low, high = (f"{round(100 * number[part], 1) + 0.0:{sign}.1f}" for part in ("estimate", "low", "high"))
    return f"{value} ({low} to {high})"


# %% [markdown]
# ## 1. Why a win rate cannot tell
#
# Rock, paper, scissors, each winning three games in four against the one that it beats; and somebody brings a *well*,
# which wins six in ten against all three. Players see it and copy what wins.

# %%
NAMES = ["rock", "paper", "scissors"]
CYCLE = np.array([[0.5, 0.25, 0.75], [0.75, 0.5, 0.25], [0.25, 0.75, 0.5]])


def with_one_more(scores, row):
    """Return scores with a build more, which scores `row` against the others."""
    row = np.array([row])
    return np.block([[scores, 1 - row.T], [row, np.full((1, 1), 0.5)]])


well = with_one_more(CYCLE, [0.6, 0.6, 0.6])
crowd = np.array([0.33, 0.33, 0.33, 0.01])
history = []
for _ in range(101):
    history.append((crowd[3], well[3] @ crowd, well[:3].mean(axis=0) @ crowd))
    crowd = crowd * np.exp(well @ crowd)
    crowd = crowd / crowd.sum()
taken, winning, others = 100 * np.array(history).T

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
left.plot(taken, color=ORANGE)
left.set(xlabel="round", ylabel="players who take the well, %", ylim=(0, 102), title="Everybody takes it")
right.axhline(50, color=GREY, lw=1)
right.plot(winning, color=ORANGE, label="the well")
right.plot(others, color=BLUE, label="rock, paper or scissors")
right.set(xlabel="round", ylabel="games won, %", yticks=range(40, 61, 5), title="What it wins, and what the others win")
right.legend(frameon=False)
plt.show()

# %% [markdown]
# The better known it is, the more often a well meets a well, and of those games half are won by wells. In the end it
# shows the win rate of a fair thing. What did not change is the gap between the curves: what a well gains over what
# else one could have brought. And where everybody takes it, nobody notices what it costs to go without:

# %%
field = maximum_entropy(well)
print(f"what nobody can do better than: {field[3]:.0%} wells, which win {well[3] @ field:.1%} of their games")
print(f"the gap: {winning[0] - others[0]:.1f} points at first, {winning[-1] - others[-1]:.1f} in the last round")

# %% [markdown]
# ## 2. Four questions instead
#
# - **Lift**: what does having the item gain over *what else its price buys*? Against all builds alike, and against the
#   *field*, a mixture that nobody can do better than.
# - **Need**: what does a player lose who alone may not take it?
# - **Regret**: what does a player lose who must take it?
# - **Usage**: how large a part of such mixtures has it, at least and at most?
#
# No one of them is enough. Five toys, in which the last build has the item:

# %%
champion = np.array([[0.5, 0.8, 0.8], [0.2, 0.5, 0.5], [0.2, 0.5, 0.5]])
TOYS = {
    "well": (well, ["rock", "paper", "scissors", "well"]),
    "scissors": (CYCLE, NAMES),
    "twig": (with_one_more(CYCLE, [0.4, 0.4, 0.4]), [*NAMES, "twig"]),
    "mule": (with_one_more(champion, [0.45, 0.8, 0.8]), ["horse", "goat", "hen", "mule"]),
    "red hat": (np.full((3, 3), 0.5), ["blue hat", "green hat", "red hat"]),
}


def item_of(name):
    """Return the item of a toy."""
    builds = TOYS[name][1]
    return Item(name, [build == name for build in builds])


powers = {name: measure_exact(scores, [item_of(name)]).powers[0] for name, (scores, _) in TOYS.items()}
words = {name: judge_item(power, 0) for name, power in powers.items()}
fig, axes = plt.subplots(1, 5, figsize=(12, 3.2), layout="constrained")
for axis, (name, (scores, builds)) in zip(axes, TOYS.items(), strict=True):
    shown = axis.imshow(100 * scores, cmap=SCORES, vmin=0, vmax=100)
    for i, row in enumerate(scores):
        for j, score in enumerate(row):
            axis.text(j, i, f"{100 * score:.0f}", ha="center", va="center", fontsize=9)
    axis.set_xticks(range(len(builds)), builds, rotation=60, ha="right", rotation_mode="anchor")
    axis.set_yticks(range(len(builds)), builds)
    axis.set_title(f"{name}:\n{words[name].word}", fontsize=10)
fig.suptitle("Games that the row wins against the column, %")
plt.show()

# %%
pd.DataFrame(
    {
        name: {
            "lift, all alike": f"{round(100 * power.lift_uniform.estimate, 1) + 0.0:+.1f}",
            "lift, field": f"{round(100 * power.lift_field.estimate, 1) + 0.0:+.1f}",
            "need": f"{100 * power.need.estimate:.1f}",
            "regret": f"{100 * power.regret.estimate:.1f}",
            "usage": f"{power.usage[0]:.0%} to {power.usage[1]:.0%}",
            "word": words[name].word,
            "because": words[name].reason,
        }
        for name, power in powers.items()
    }
).T

# %% [markdown]
# Points of a hundred. The well and the scissors are both missed by whoever may not take them, and should not be treated
# alike: without scissors nothing holds paper in check. The mule is better than most of what one could buy, and a horse
# is better still. The twig is what nobody should buy, and the hats are what a fair choice looks like.
#
# ### With dice
#
# Scores of a real game are played, not known. Then each of the numbers has an interval, and the verdict waits until
# they are clear of the lines; *undecided* says what it would become if the estimates stayed, and how many games that
# takes. With few games that is no more than a guess. Here are the scissors, played:

# %%
rng = np.random.default_rng(1)
above = np.triu_indices(3, 1)
played = {}
for games in (640, 6_400, 64_000):
    batches = np.full((3, 3, 32), 0.5)
    batches[above] = rng.binomial(games // 32, CYCLE[above][:, np.newaxis], (3, 32)) / (games // 32)
    batches[above[::-1]] = 1 - batches[above]
    power = measure_split(batches, games, [item_of("scissors")]).powers[0]
    judged = judge_item(power, games)
    played[f"{games:,} games a pair"] = {
        "lift, all alike": points(power.lift_uniform.to_json()),
        "need": points(power.need.to_json(), ""),
        "word": judged.word,
        "with more": f"{judged.becomes}? with about {judged.units:,} games" if judged.becomes else "",
    }
pd.DataFrame(played).T

# %% [markdown]
# ## 3. Legs and sails
#
# The smallest jugs of Jugger have one size class, and so room for one improvement. That makes few enough of them to let
# all meet all. Legs turn, brake and kick but cannot ram; sails speed up and brake. Is one of them too good for its
# space? The question, as a file would have it in a table `[balance]`:

# %%
RUNGS = ["random", "greedy", "tuned", *(["lookahead"] if THOROUGH else [])]  # lookahead takes ten times as long
SMALL = {
    "schema": 1,
    "name": "small-jugs",
    "question": "Are legs or sails overpowered on a jug of one size class?",
    "game": "jugger",
    "sides": {"a": {"design": "warbuggy"}, "b": {"design": "warbuggy"}},
    "scenario": {"distance": 16},
}
BATTLES = max(66_000, 2 * TRIALS)
question = {
    **SMALL,
    "balance": {
        "items": ["legs", "sails"],
        "budgets": [1],
        "trials": {"lookahead": max(66_000, TRIALS // 2), "others": BATTLES},
        "conditions": {"policy": RUNGS},
    },
}
jugs = simkit.balance(question, out=out)
print(jugs.answer)

# %% [markdown]
# Look at two kinds of player first: one who moves at random, and a *greedy* one, who takes the move that looks best at
# once. All of these intervals hold together with 99 %.

# %%
cases = {case["conditions"]["policy"]: case for case in jugs.document["cases"]}
STYLE = dict(zip(RUNGS, zip((ORANGE, BLUE, GREEN, "black"), "osDv", strict=True), strict=False))


def found(item, rung):
    """Return what was found of an item in the hands of such players."""
    return next(one for one in cases[rung]["items"] if one["item"] == item)


def verdicts(rungs):
    """Return a table of the items in the hands of some players."""
    rows = {}
    for item in question["balance"]["items"]:
        for rung in rungs:
            one = found(item, rung)
            rows[item, rung] = {
                "lift, everybody": points(one["lift_uniform"]),
                "lift, field": points(one["lift_field"]),
                "need": points(one["need"], ""),
                "regret": points(one["regret"], ""),
                "word": one["word"] + (", severe" if one["severe"] else ""),
            }
    return pd.DataFrame(rows).T


print(*cases["greedy"]["frame"], f"{len(cases['greedy']['builds'])} builds met", sep="; ")
verdicts(RUNGS[:2])

# %% [markdown]
# What would one rather have? Each row is one exchange: how many points a jug gains by having legs (or sails) and not
# that, against everybody. In the grey band it does not matter. Intervals of one colour in one picture hold together.

# %%
delta = 100 * jugs.document["delta"]
fig, axes = plt.subplots(1, 2, figsize=(10, 7.6), layout="constrained")
for axis, item in zip(axes, question["balance"]["items"], strict=True):
    axis.axvspan(-delta, delta, color=GREY, alpha=0.2, lw=0)
    axis.axvline(0, color=GREY, lw=1)
    swaps = {rung: {one["instead"]: one["lift"] for one in found(item, rung)["exchanges"]} for rung in RUNGS[:2]}
    order = sorted(swaps["greedy"], key=lambda instead: swaps["greedy"][instead]["estimate"])
    for rung, shift in zip(swaps, (0.15, -0.15), strict=True):
        value, error = spread([swaps[rung][instead] for instead in order])
        colour, marker = STYLE[rung]
        at = np.arange(len(order)) + shift
        axis.errorbar(value, at, xerr=error, fmt=marker, ms=4, color=colour, capsize=2, lw=1, label=rung)
    axis.set_yticks(range(len(order)), order, fontsize=8)
    axis.set_ylim(-0.7, len(order) - 0.3)
    axis.set(xlabel="points gained", title=f"{item.capitalize()} instead of ...")
axes[0].legend(frameon=False, title="who plays", loc="lower right")
plt.show()

# %% [markdown]
# The mean over all exchanges is the lift. It matters against whom: against everybody alike, or against the field, in
# which nobody plays what is bad.

# %%
rows = [(item, rung) for item in question["balance"]["items"] for rung in RUNGS[:2]]
fig, (lift, both, usage) = plt.subplots(1, 3, figsize=(13, 3.8), layout="constrained")
lift.axvspan(-delta, delta, color=GREY, alpha=0.2, lw=0)
lift.axvline(0, color=GREY, lw=1)
for name, shift, fill in (("lift_uniform", 0.13, None), ("lift_field", -0.13, "white")):
    for y, (item, rung) in enumerate(rows):
        value, error = spread([found(item, rung)[name]])
        colour, marker = STYLE[rung]
        lift.errorbar(value, y + shift, xerr=error, fmt=marker, ms=6, color=colour, mfc=fill, capsize=3)
lift.set(xlabel="points gained", title="Lift: filled against everybody,\nhollow against the field")
for y, (item, rung) in enumerate(rows):
    one, (colour, marker) = found(item, rung), STYLE[rung]
    (need,), need_error = spread([one["need"]])
    (regret,), regret_error = spread([one["regret"]])
    both.errorbar(regret, need, xerr=regret_error, yerr=need_error, fmt=marker, ms=6, color=colour, capsize=3)
    up = 18 if rung == "random" else 5
    both.annotate(item, (regret, need), xytext=(5, up), textcoords="offset points", fontsize=9, color=colour)
    low, high, middle = (100 * one[part] for part in ("usage_low", "usage_high", "usage_field"))
    usage.plot([low, high], [y, y], lw=7, color=colour, alpha=0.4, solid_capstyle="butt")
    usage.plot(middle, y, marker, ms=6, color=colour)
both.axhline(delta, color=GREY, lw=1, ls=":")
both.axvline(delta, color=GREY, lw=1, ls=":")
both.set(xlabel="regret: who must take it loses, points", ylabel="need: who may not\ntake it loses, points")
both.set_ylim(-0.12 * both.get_ylim()[1], None)
both.set_title("Need against regret\n(dotted: from here on it matters)")
usage.set(xlim=(-2, 102), xlabel="builds that have it, %", title="Usage where nobody can\ndo better (marker: field)")
for axis in (lift, usage):
    axis.set_yticks(range(len(rows)), [f"{item}, {rung}" for item, rung in rows])
    axis.invert_yaxis()
plt.show()

# %% [markdown]
# In the middle, who lies high up is missed by those who may not take it, and who lies far to the right is carried by
# nobody who has the choice. Near the corner both is well: one may take it or leave it. A high lift alone makes no item
# overpowered: if need stays below the line, the best jugs do as well without.
#
# ## 4. Who plays decides
#
# Random and greedy players need not agree, and neither is you. So ask for every *rung* of skill. A *tuned* player is a
# greedy one with weights for his design: how much is a hit worth, how much being rammed? Plain weights play some
# designs badly, and whoever is played badly looks weak. Weights for the published designs are shipped with the game,
# and `simkit tune` finds others; whatever else is built is played by those of its family. These are their gains over
# plain weights, against all published designs and on fresh dice. Whoever is not listed gained nothing sure.

# %%
gained = [tuning for tuning in shipped().values() if tuning.gain is not None]
gained.sort(key=lambda tuning: tuning.gain.estimate)
value, error = spread([tuning.gain.model_dump() for tuning in gained])
fig, axis = plt.subplots(figsize=(7, 0.8 + 0.2 * len(gained)), layout="constrained")
families = np.array([tuning.family is not None for tuning in gained])
for kind, colour, marker, label in ((~families, BLUE, "o", "a design"), (families, ORANGE, "s", "a family of designs")):
    at, bars = np.flatnonzero(kind), np.array(error)[:, kind]
    axis.errorbar(value[kind], at, xerr=bars, fmt=marker, ms=4, color=colour, capsize=2, label=label)
axis.axvline(0, color=GREY, lw=1)
axis.set_yticks(range(len(gained)), [tuning.title for tuning in gained], fontsize=8)
published = sum(tuning.family is None for tuning in shipped().values())
who = f"{(~families).sum()} of {published} published designs, {families.sum()} families"
axis.set(xlabel="points gained by tuned weights", title=f"Who gains: {who}")
axis.legend(frameon=False, loc="lower right")
plt.show()

# %% [markdown]
# Now legs and sails again, in every hand:

# %%
fig, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
for axis, item in zip(axes, question["balance"]["items"], strict=True):
    axis.axhspan(-delta, delta, color=GREY, alpha=0.2, lw=0)
    axis.axhline(0, color=GREY, lw=1)
    for x, rung in enumerate(RUNGS):
        colour, marker = STYLE[rung]
        for name, shift, fill in (("lift_uniform", -0.08, None), ("lift_field", 0.08, "white")):
            value, error = spread([found(item, rung)[name]])
            axis.errorbar(x + shift, value, yerr=error, fmt=marker, ms=6, color=colour, mfc=fill, capsize=3)
    labels = [f"{rung}\n{textwrap.fill(found(item, rung)['word'], 12)}" for rung in RUNGS]
    axis.set_xticks(range(len(RUNGS)), labels, fontsize=8)
    axis.set_xlim(-0.5, len(RUNGS) - 0.5)
    axis.set_title(item.capitalize())
axes[0].set_ylabel("lift, points")
fig.suptitle("Filled: against everybody. Hollow: against the field", fontsize=10)
plt.show()
for item in jugs.document["items"]:
    print(f"{item['item']}, all in all: {item['word']}")

# %% [markdown]
# Over several rungs a thing is called overpowered if it is so in *any* hand, since that table's evening is spoilt;
# underpowered only if it is so in *all*, since it may be waiting for better players. *Depends* is an answer too: no one
# word is right for every player.
#
# ## 5. Everybody against everybody
#
# An item at a time is one view. Published designs are whole packages, and of different size; let some meet each other,
# from both seats and two distances.

# %%
pairs = {
    "schema": 1,
    "name": "eight-designs",
    "question": "Which of eight published designs is strong?",
    "game": "jugger",
    "run": {"policy": "tuned"},
    "sides": {"a": {"design": "archer"}, "b": {"design": "cutter"}},
    "sweep": {"axes": {"scenario.distance": [8, 16]}},
    "matrix": {
        "designs": ["archer", "desert-rat", "cutter", "backbiter", "warbah", "horny-toad", "tug", "windrammer"],
        "fair_within": 0.02,
        "least_trials": max(512, TRIALS // 40),
        "max_trials": max(1_024, TRIALS // 10),
    },
}
met = simkit.matrix(pairs, out=out)
print(met.answer)

# %%
group = met.document["groups"][0]
order = [row["side"] for row in group["rows"]]
sides = {side["id"]: side for side in met.document["sides"]}
names = [f"{sides[one]['title']} ({sides[one]['budget']['amount']})" for one in order]
fig, (heat, ladder) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained", width_ratios=(1.25, 1))
table, open_ = np.full((len(order), len(order)), np.nan), []
for pair in met.document["pairs"]:
    i, j = order.index(pair["a"]), order.index(pair["b"])
    table[i, j], table[j, i] = 100 * pair["score"]["estimate"], 100 - 100 * pair["score"]["estimate"]
    open_ += [(i, j), (j, i)] if pair["word"] == "undecided" else []
heat.imshow(table, cmap=SCORES, vmin=0, vmax=100)
for (i, j), score in np.ndenumerate(table):
    if i != j:
        dark = abs(score - 50) > 35
        heat.text(j, i, f"{score:.0f}", ha="center", va="center", color="white" if dark else "black")
for i, j in open_:
    heat.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, hatch="///", ec=GREY, lw=0))
heat.set_xticks(range(len(order)), names, rotation=45, ha="right", rotation_mode="anchor")
heat.set_yticks(range(len(order)), names)
heat.set_title("Score of the row against the column, %\n(hatched: not resolved who is better)")
rating = [row["rating"] for row in group["rows"]]
value = np.array([one["estimate"] for one in rating])
error = np.array([[one["estimate"] - one["low"], one["high"] - one["estimate"]] for one in rating]).T
ladder.errorbar(value, range(len(order)), xerr=error, fmt="o", ms=5, color=BLUE, capsize=3)
ladder.axvline(0, color=GREY, lw=1)
ladder.set_yticks(range(len(order)), names)
ladder.invert_yaxis()
ladder.set(xlabel="Elo points, mean 0", title="Ratings (size classes in brackets)")
plt.show()

# %% [markdown]
# A rating is one number for each, and so it cannot hold a circle: a beats b, b beats c, c beats a. Are there any, and
# how much of it does no rating explain?

# %%
for circle in group["cycles"]:
    print(" beats ".join([*(sides[one]["title"] for one in circle), sides[circle[0]]["title"]]))
print(f"circles that are sure: {len(group['cycles'])}; that may be: {group['cycles_undecided']}")
if (share := group["unexplained"]) is not None:
    left_over = "{estimate:.0%} ({low:.0%} to {high:.0%})".format(**share)
    print(f"of how far scores lie from 50 %, no rating explains {left_over}")

# %% [markdown]
# Whoever knows this table and may bring any of the eight draws from a mixture on which nobody gains more than the two
# points that count as even. Which mixture is often not settled: what is sure is how much of it a design has *at least*
# and *at most*. And who is not strong may still get much for its size.

# %%
pd.DataFrame(
    {
        name: {
            "beats": row["beats"],
            "loses to": row["loses"],
            "even": row["even"],
            "not resolved": row["open"],
            "picked": f"{row['share']:.0%} (from {row['least']:.0%} to {row['most']:.0%})",
            "behind the mixture, points": points(row["regret"]),
            "points for each size class": "{estimate:.1f} ({low:.1f} to {high:.1f})".format(**row["per_budget"]),
        }
        for name, row in zip(names, group["rows"], strict=True)
    }
).T

# %% [markdown]
# ## 6. The strongest jug that nobody has published
#
# Most legal designs were never published. The search begins with the published ones of a size, finds what does best
# against their mixture, adds it, mixes anew, and goes on until nothing is found that surely gains two points, or its
# rounds have run out.

# %%
strongest = {
    **SMALL,
    "name": "strongest-of-two",
    "question": "Which jug of two size classes is strongest?",
    "run": {"policy": "tuned"},
    "sides": {"a": {"design": "sniper"}, "b": {"design": "miner"}},
    "scenario": {},
    "search": {"budget": 2, "finalists": 12 if THOROUGH else 6, "last": max(1_024, TRIALS // 20)},
}
if not THOROUGH:
    strongest["search"] |= {"tried": 48, "rounds": 3}
hunt = simkit.search(strongest, out=out)
print(hunt.answer)

# %%
rounds = hunt.document["rounds"]
fig, (gains, fresh) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
value, error = spread([one["gain"] for one in rounds])
gains.axhspan(-100, 100 * hunt.document["delta"], color=GREY, alpha=0.2, lw=0)
for one, y, down, up in zip(rounds, value, *error, strict=True):
    colour = ORANGE if one["joined"] else BLUE
    gains.errorbar(one["number"], y, yerr=[[down], [up]], fmt="o", ms=5, color=colour, capsize=3)
    gains.annotate(one["answer"], (one["number"], y), xytext=(7, 4), textcoords="offset points", fontsize=8)
gains.set(xlim=(0.6, len(rounds) + 1.6), ylim=(min(-5, (value - error[0]).min() - 2), value.max() + 6))
gains.set(xlabel="round", ylabel="points gained on the mixture so far", xticks=range(1, len(rounds) + 1))
gains.set_title("The best answer of each round, on fresh dice\n(shaded: too little to join)")
seen = [one for part in rounds for one in part["finalists"]]
value, error = spread([one["fresh"] for one in seen])
chosen = 100 * np.array([one["looked"] for one in seen])
fresh.axline((50, 50), slope=1, color=GREY, lw=1)
fresh.errorbar(chosen, value, yerr=error, fmt="o", ms=4, lw=0.7, color=BLUE)
fresh.set(xlabel="score on the dice that chose it, %", ylabel="score on fresh dice, %")
fresh.set_title("Finalists: what they promised, and what they kept")
plt.show()
best = [max(part["finalists"], key=lambda one: one["looked"]) for part in rounds]
promised = np.mean([one["looked"] for one in best])
print(f"who looked best of a round promised {promised:.1%} on average", end=" ")
print(f"and kept {np.mean([one['fresh']['estimate'] for one in best]):.1%} on fresh dice")

# %% [markdown]
# Whoever is picked as the best of hundreds was also lucky, and on the dice that chose him he looks better than he is.
# So these dice only say who comes to the race; what is *told*, on the left and in the answer, comes from dice that had
# no part in choosing. The mixture in the end:

# %%
pd.DataFrame(hunt.document["pool"])[["name", "share", "round"]].query("share >= 0.005").round(3)

# %% [markdown]
# Round 0 are those that were published. *Strongest* means: that this search found, of so many legal builds, for this
# kind of player. With `counter = "thrasher"` it looks for the best answer to one design; with `without = ["sails"]`,
# for the best without.
#
# ## 7. What a verdict rests on
#
# The intervals hold the dice, and only the dice. Who plays was one assumption, and it could turn the verdict. Others
# are how far apart the jugs begin, and *rulings*, where the rules can be read in more than one way: who has a ram in a
# head-on ram, every jug without legs or only one with a reinforced ram? Both are conditions like any other.

# %%
readings = {
    **SMALL,
    "name": "other-readings",
    "question": "Do legs and sails hang on the ram and the distance?",
    "run": {"policy": "greedy"},
    "balance": {
        **question["balance"],
        "trials": BATTLES,
        "conditions": {
            "ram_owner": ["all_but_legs", "reinforced_only"],
            "scenario.distance": [8, 16] if THOROUGH else [16],
        },
    },
}
other = simkit.balance(readings, out=out)
print(other.answer)

# %%
marks = {"all_but_legs": (BLUE, "o", "all but legs"), "reinforced_only": (ORANGE, "s", "reinforced rams only")}
fig, axes = plt.subplots(1, 2, figsize=(10, 3.2), sharex=True, sharey=True, layout="constrained")
axes[0].margins(x=0.2)
for axis, item in zip(axes, question["balance"]["items"], strict=True):
    axis.axvspan(-delta, delta, color=GREY, alpha=0.2, lw=0)
    axis.axvline(0, color=GREY, lw=1)
    labels = []
    for y, case in enumerate(other.document["cases"]):
        one = next(row for row in case["items"] if row["item"] == item)
        value, error = spread([one["lift_uniform"]])
        colour, marker, who = marks[case["conditions"]["ram_owner"]]
        axis.errorbar(value, y, xerr=error, fmt=marker, ms=6, color=colour, capsize=3)
        axis.annotate(one["word"], (value[0], y), xytext=(0, 8), textcoords="offset points", fontsize=8, ha="center")
        labels.append(f"{who}, {case['conditions']['scenario.distance']}")
    axis.set_yticks(range(len(labels)), labels)
    axis.set_ylim(len(labels) - 0.6, -0.6)
    axis.set(xlabel="lift against everybody, points", title=f"{item.capitalize()}: who has a ram?")
plt.show()

# %% [markdown]
# What a designer may take home. Do not ask how often a thing wins; ask what it gains over what else its price buys, who
# misses it, and who is sorry to have it. Name the gap that matters beforehand: two points here, `delta` in the file.
# Say for which builds, players, distances and rulings the verdict is meant, and try the others. Believe the fresh dice.
# And read *undecided* as what it is: a request for more games, not a discharge.
#
# Without Python the same is `simkit balance FILE`, `simkit matrix FILE`, `simkit search FILE` and `simkit tune FILE`;
# the shipped `legs_or_sails.toml`, `published_designs.toml` and `strongest_jug.toml` ask it of larger jugs.
