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
# # Finding a fair number
#
# *How hard must a swamp be? How many hits must armor give? How many pikes make a close fight?* A designer asks for a
# number. `simkit.solve` looks for the value of any number of the rules, or of a scenario, that brings an outcome to its
# target, says how sure it is of it, and plays it again on fresh dice. `simkit.house` then says what else the new number
# moves. Six steps: a number that is solved exactly, one that has to be played, several answers or none, targets other
# than one half, the number as a house rule, and what it all rests on.

# %%
import os
import tempfile
import tomllib
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import simkit

TRIALS = int(os.environ.get("SIMKIT_NOTEBOOK_TRIALS", "200000"))
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#888888"
root = next(path for path in [Path.cwd(), *Path.cwd().parents] if (path / "experiments").is_dir())
questions, out = root / "experiments", Path(tempfile.mkdtemp())
pd.set_option("display.max_colwidth", 80)


def read(name):
    """Return a shipped question as tables, to be changed and asked again."""
    return tomllib.loads((questions / name).read_text(encoding="utf-8"))


def bars(entries):
    """Return places, values and error bars of estimates, in per cent."""
    at = np.array([entry["place"] for entry in entries])
    parts = ([entry["estimate"][part] for entry in entries] for part in ("estimate", "low", "high"))
    value, low, high = (100 * np.array(part) for part in parts)
    return at, value, [value - low, high - value]


def draw(axis, case, within):
    """Draw one case: what was tried, the target with the band that counts as met, the answers, and the fresh dice."""
    goal = 100 * case["target"]
    axis.axhspan(goal - 100 * within, goal + 100 * within, color=GREY, alpha=0.2, lw=0)
    axis.axhline(goal, color=GREY, lw=1)
    at, value, error = bars(case["tried"])
    if case["exact"]:
        axis.plot(at, value, "o-", ms=4, lw=1, color=BLUE, label="solved exactly")
    else:
        axis.errorbar(at, value, yerr=error, fmt="o-", ms=4, lw=1, color=BLUE, capsize=2, label="tried")
    for answer in case["answers"]:
        mark(axis, answer, goal)
        at, value, error = bars(answer["checks"][-1:])
        axis.errorbar(at, value, yerr=error, fmt="s", ms=3.5, color=GREEN, capsize=3, zorder=5, label="fresh dice")


def mark(axis, answer, y, color=ORANGE):
    """Mark where an answer lies, with its interval, at a height."""
    ends = [[answer["place"] - answer["low"]], [answer["high"] - answer["place"]]]
    style = {"fmt": "D", "ms": 9, "mfc": "none", "mew": 1.8, "capsize": 3, "zorder": 4}
    axis.errorbar(answer["place"], y, xerr=ends if any(map(max, ends)) else None, color=color, label="answer", **style)


def key(axis, **where):
    """Name every mark once."""
    marks, names = axis.get_legend_handles_labels()
    named = dict(zip(names, marks, strict=True))
    axis.legend(named.values(), named.keys(), frameon=False, fontsize=8, **where)


# %% [markdown]
# ## 1. A number that is solved exactly
#
# In Pig Tickler a swamp has a modifier for every roll. Which modifier makes it as hard as a fence? A rider comes down
# none, one, two or three levels and has two turns to be through it. The target is no number but another setting, *the
# same ride with a fence*. In the file this is all that is asked:

# %%
print((questions / "solve_bogs.toml").read_text(encoding="utf-8").partition("[solve]")[2].partition("[compare]")[0])

# %%
swamp = simkit.solve(questions / "solve_bogs.toml", trials=max(33_000, TRIALS), out=out)
print(swamp.answer)

# %% [markdown]
# This game is small enough to be solved, so that the curves have no error bars. The diamond is where a curve crosses
# its target; the square is the same place *played*, and must agree.

# %%
within = swamp.document["within"]
fig, axes = plt.subplots(2, 2, figsize=(8, 6), sharex=True, sharey=True, layout="constrained")
for axis, case in zip(axes.flat, swamp.document["cases"], strict=True):
    draw(axis, case, within)
    axis.axvline(float(swamp.document["parameter"]["now"]), color=GREY, lw=1, ls=":")
    axis.set_title(f"{case['where']}: {case['answers'][0]['place']:+.2f}", fontsize=10)
for axis in axes[1]:
    axis.set_xlabel("modifier of a swamp")
for axis in axes[:, 0]:
    axis.set_ylabel("riders that are through, %")
key(axes[0, 0], loc="lower right")
fig.suptitle("Line: as many as with a fence. Dotted: the rules today")
plt.show()

# %% [markdown]
# ### What is a fraction of a modifier?
#
# Nobody can play it. It is a *mixture*: two modifiers that can be played, each in so many of the rides. Counted over
# all rides, just as many riders are through as with a fence:

# %%
mixtures = []
for case in swamp.document["cases"]:
    answer = case["answers"][0]
    values = {entry["value"]: entry["estimate"]["estimate"] for entry in case["tried"]}
    below, above, share = answer["below"], answer["above"], answer["share"]
    mixtures.append(
        {
            "hill": case["where"],
            "answer": answer["says"],
            "is a mixture of": f"{1 - share:.0%} of {below} and {share:.0%} of {above}",
            "through": f"{(1 - share) * values[below] + share * values[above]:.2%}",
            "with a fence": f"{case['target']:.2%}",
            "nearest playable": answer["nearest"],
            "through with it": f"{values[answer['nearest']]:.2%}",
        }
    )
pd.DataFrame(mixtures).set_index("hill")

# %% [markdown]
# At a real table somebody has to choose one of the two. *Nearest playable* is the one that misses the target by less,
# and the last column says by how much. And one modifier for all hills there is not: the speed that carries a rider into
# the bog is the speed that throws him at the fence, so that every hill has an answer of its own.
#
# ## 2. A number that has to be played
#
# Two jugs of the same size, with the same catapult. One of them has *armor* where the other has a third mace arm. How
# many hits must armor give, so that the two are even? Who has more speed when they meet hangs on how far apart they
# began, and so the question averages three distances.

# %%
armor_trials = max(99_000, TRIALS)
armor = simkit.solve(questions / "solve_armor.toml", trials=armor_trials, out=out)
print(armor.answer)

# %%
case = armor.document["cases"][0]
answer, now = case["answers"][0], float(armor.document["parameter"]["now"])
goal, band = 100 * case["target"], 100 * armor.document["within"]
fig, (far, near) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
draw(far, case, armor.document["within"])
draw(near, case, armor.document["within"])
far.axvline(now, color=GREY, lw=1, ls=":")
far.text(now + 1, far.get_ylim()[1] - 1, "the rules today", va="top", color="#555555", fontsize=9)
far.set(ylabel="score of the armored jug, %", title=f"Even at {answer['says']} hits")
near.set_xlim(answer["low"] - 4, answer["high"] + 4)
near.set_ylim(goal - 2 * band, goal + 2 * band)
near.set_title("The same, near the answer")
for axis in (far, near):
    axis.set_xlabel("hits that armor gives")
key(far, loc="lower right")
plt.show()

# %% [markdown]
# How it goes about it: a few games at values far apart, to see where the curve may cross; then nearly all at three
# values around the crossing, and a gentle curve through these three says where. That is why some bars are
# wide and others narrow, and why the answer may lie off the thin line, which only joins all that was tried. The
# interval of the diamond lies *along* the target: so many hits, not so many per cent. The square was played after the
# answer was known, on dice that had no part in finding it, so that it flatters nobody. So were the two whole numbers
# around the answer, of which one will be printed:

# %%
for check in answer["checks"]:
    value, low, high = (100 * check["estimate"][part] for part in ("estimate", "low", "high"))
    print(f"{check['value']} hits, fresh dice: {value:.2f} %  ({low:.2f} to {high:.2f} %)")
print(f"met means {goal - band:g} to {goal + band:g} %: {answer['word']}")

# %% [markdown]
# *Confirmed* is said only if the whole interval lies inside that band. *Not resolved* asks for more games, and says
# about how many; it never means *equal*.
#
# ## 3. No number, or more than one
#
# Twenty-four figures of set pikes wait for a cavalry charge. How deep must they stand, to win half of the fights? Only
# three ranks of pikes strike, and a deep unit is a narrow one: deeper is not always better. A charger in closed order
# fills the gaps that pikes tear, one in open order cannot.

# %%
pikes = simkit.solve(questions / "solve_pikes.toml", trials=max(33_000, TRIALS), out=out)
print(pikes.answer)

# %%
fig, axes = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True, layout="constrained")
for axis, case in zip(axes, pikes.document["cases"], strict=True):
    draw(axis, case, pikes.document["within"])
    found = len(case["answers"])
    title = f"{case['where']}: {found or 'no'} answer{'s' if found > 1 else ''}"
    axis.set(xlabel="ranks in which 24 pikes stand", title=title, xticks=[1, 2, 3, 4, 6, 8, 12, 16, 20, 24])
axes[0].set_ylabel("fights that the pikes win, %")
key(axes[1], loc="upper right")
plt.show()

# %% [markdown]
# *None* is an answer, and the report says on which side of the target all values lie and which of them comes nearest.
# Where there are several, all are told: a program that had followed the curve from one end would have stopped at the
# first. `rising` tells them apart. Where it falls, more ranks make it *worse*:

# %%
for case in pikes.document["cases"]:
    print(f"{case['where']}: {case['says'] if not case['answers'] else ''}")
    for answer in case["answers"]:
        way = "rises" if answer["rising"] else "falls"
        print(f"    {answer['says']} ranks, where the curve {way}; nearest of the depths tried: {answer['nearest']}")

# %% [markdown]
# ## 4. A target other than one half
#
# An even fight is not always wanted. A campaign begins with an easy battle and ends with a hard one; a good player gets
# a handicap. Draw the win rates that you want, and ask for all of them at once. Here: how many figures of pikes, three
# deep, against the open charger?

# %%
wanted = [0.8, 0.65, 0.5, 0.35, 0.2]
campaign = read("solve_pikes_figures.toml")
del campaign["sweep"]
campaign["sides"]["b"]["formation"] = "open"
campaign["solve"] |= {"min": 8, "max": 24, "step": 1, "target": wanted}
battles = simkit.solve(campaign, trials=max(33_000, TRIALS), out=out)
print(battles.answer)

# %%
order = sorted(battles.document["cases"], key=lambda case: -case["target"])
seen = {}  # every number of figures once, where it was played most
for entry in sorted((entry for case in order for entry in case["tried"]), key=lambda entry: entry["estimate"]["n"]):
    seen[entry["place"]] = entry
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True, layout="constrained")
at, value, error = bars([seen[place] for place in sorted(seen)])
left.errorbar(at, value, yerr=error, fmt="o-", ms=4, lw=1, color=BLUE, capsize=2, label="tried")
for number, case in enumerate(order, start=1):
    answer, goal = case["answers"][0], 100 * case["target"]
    left.axhline(goal, color=GREY, lw=0.7)
    mark(left, answer, goal)
    right.plot(number, goal, "_", ms=26, mew=1.5, color=GREY, label="wanted")
    _, value, error = bars([check for check in answer["checks"] if check["value"] == answer["nearest"]])
    right.errorbar(number, value, yerr=error, fmt="s", ms=4, color=GREEN, capsize=3, label="nearest, fresh dice")
    right.annotate(f"{answer['nearest']} pikes", (number + 0.3, goal), fontsize=9, va="center")
left.set(xlabel="figures of pikes", ylabel="fights that the pikes win, %", title="Where the numbers are")
right.set(xlabel="battle of the campaign", xlim=(0.5, len(order) + 1.1), title="The campaign, in whole figures")
right.set_xticks(range(1, len(order) + 1))
key(left, loc="upper left")
key(right, loc="upper right")
plt.show()

# %% [markdown]
# On the left the numbers that were asked for, each a mixture of two neighbours. On the right what the campaign would
# print: whole figures, each with what it really gave on fresh dice. Where a square lies off its line, one figure more
# or less is a big step, and something finer than figures has to make up for it.
#
# ## 5. From the number to a house rule
#
# Back to armor. The nearest whole number becomes a file of a few lines. `{ was, now }` guards it: should the rules of
# record ever change, the file says so.

# %%
answer = armor.document["cases"][0]["answers"][0]
house = out / "thick-armor.toml"
_ = house.write_text(
    f"""
schema = 1
for = "jugger"
title = "Thick armor"
why = "Armor is to be worth the mace arm that it takes the place of."

[set]
armor_hits = {{ was = {now:g}, now = {answer["nearest"]} }}
""",
    encoding="utf-8",
)
print(house.read_text(encoding="utf-8"))

# %% [markdown]
# The number was made for one duel. What does it do elsewhere? The armored jug now also meets two published designs: the
# Warbah of its own size, and the larger Thrasher, which has armor itself.

# %%
elsewhere = {key: part for key, part in read("solve_armor.toml").items() if key != "solve"}
elsewhere |= {"name": "thick-armor", "question": "What does thick armor change?"}
elsewhere["sweep"] = {
    "axes": {
        "sides.b.design": [elsewhere["sides"]["b"]["design"], "warbah", "thrasher"],
        "scenario.distance": [12, 16, 21],
    }
}
report = simkit.house(house, on=elsewhere, trials=max(400, TRIALS // 50), out=out)
print(report.answer)

# %% [markdown]
# The whole report is a page, to be opened in a browser or sent to the club; its folder holds

# %%
print(*sorted(path.name for path in report.folder.iterdir() if path.suffix in (".html", ".md", ".json")), sep="\n")

# %% [markdown]
# Here are its parts. Who gains, in points of the score:

# %%
gains = pd.DataFrame(
    {"by": gain["title"], "at": gain["label"], "before": 100 * gain["before"], **gain["changes"][0]}
    for gain in report.document["gains"]
)
gains[["estimate", "low", "high"]] *= 100
gains[["by", "at", "before", "estimate", "low", "high", "word"]].round(1)

# %% [markdown]
# Is it fairer, that is, do the nine fights lie nearer to one half than they did? And what else moves? A share matters
# from two points on and a count from a tenth of itself; what surely moves by more is orange here, what surely keeps is
# green, and what is not resolved is grey. All of these intervals hold together. What happens too seldom for such an
# interval is left out here, but not in the report.

# %%
WORDS = {"rises": ORANGE, "falls": ORANGE, "keeps": GREEN, "undecided": GREY}
measures = [measure for measure in report.document["measures"] if measure["changes"][0]["method"] == "max-t"]
shares = [measure for measure in measures if measure["kind"] != "count"]
fig, ax = plt.subplots(figsize=(8, 0.8 + 0.27 * len(shares)), layout="constrained")
for row, measure in enumerate(reversed(shares)):
    change = measure["changes"][0]
    value, low, high = (100 * change[part] for part in ("estimate", "low", "high"))
    ax.errorbar(value, row, xerr=[[value - low], [high - value]], fmt="o", ms=4, color=WORDS[change["word"]], capsize=2)
ax.axvspan(*(100 * report.document["matters"]["share"] * np.array([-1, 1])), color=GREY, alpha=0.2, lw=0)
ax.axvline(0, color=GREY, lw=1)
ax.set_yticks(range(len(shares)), [measure["says"] for measure in reversed(shares)], fontsize=8)
ax.set(xlabel="thick armor less the rules of record, points", title="What moves (shaded: too little to matter)")
plt.show()
for measure in measures:
    change = measure["changes"][0]
    if measure["kind"] == "count" and change["word"] in ("rises", "falls"):
        print(f"{measure['says']}: {change['estimate']:+.2f} ({change['low']:+.2f} to {change['high']:+.2f})")

# %% [markdown]
# Last, the report turns the number itself: the same nine fights with its neighbours. *Distance* is how far they lie
# from one half on average, to either side, and `near` marks what cannot be told from the best of these values.

# %%
ladder = report.document["ladders"][0]
rungs = pd.DataFrame(
    {
        ladder["title"]: rung["label"] + (" (record)" if rung["is_was"] else " (house rule)" if rung["is_now"] else ""),
        "score, %": 100 * rung["average"]["estimate"],
        "distance": 100 * rung["distance"]["estimate"],
        "low": 100 * rung["distance"]["low"],
        "high": 100 * rung["distance"]["high"],
        "near": "yes" if rung["near"] else "",
    }
    for rung in ladder["rows"]
)
rungs.round(1)

# %% [markdown]
# ## 6. What the number rests on
#
# A fair number is fair *for the question*. So ask it again: for every distance by itself, and with another reading of
# the rules. Who has a ram when two jugs meet head-on is a *ruling*, because the rules can be read both ways: every jug
# without legs, or only one with a reinforced ram.

# %%
told = {"the answer above": (armor, 0)}
each = simkit.solve(questions / "solve_armor.toml", over=[], trials=max(33_000, TRIALS // 2), out=out)
told |= {f"{case['where']} alone": (each, i) for i, case in enumerate(each.document["cases"])}
other = {"ram_owner": "reinforced_only"}
told["only reinforced rams"] = simkit.solve(questions / "solve_armor.toml", set=other, trials=armor_trials, out=out), 0
fig, ax = plt.subplots(figsize=(7, 2.8), layout="constrained")
for row, (found, i) in enumerate(reversed(told.values())):
    for answer in found.document["cases"][i]["answers"]:
        mark(ax, answer, row, ORANGE if found is armor else BLUE)
        ax.annotate(answer["says"], (answer["high"], row), (10, -3), textcoords="offset points", fontsize=8)
ax.axvline(now, color=GREY, lw=1, ls=":")
ax.set_yticks(range(len(told)), reversed(told))
ax.set(xlabel="hits that armor must give to be worth a mace arm", title="Dotted: the rules today. Bars: 99 % each")
ax.set_xlim(0, 1.35 * ax.get_xlim()[1])
ax.set_ylim(-0.6, len(told) - 0.4)
plt.show()
places = [answer for found, i in told.values() for answer in found.document["cases"][i]["answers"]]
apart = [answer["place"] for answer in places]
print(f"the answers: {min(apart):.0f} to {max(apart):.0f} hits")
print(f"the widest interval: {max(answer['high'] - answer['low'] for answer in places):.1f} hits")

# %% [markdown]
# Hold the two against each other. *The interval holds the dice, and nothing but the dice.* More trials make it narrower
# and the question no better. Whoever prints the number should say for which duel, which distances and which rulings it
# is meant.
#
# For the swamp, where everything is exact, it costs a second to ask under every reading that could matter:

# %%
READINGS = {
    "as ruled": {},
    "the edge again next turn": {"bog_edge_reroll": True},
    "a failed fence is a 1d6, hill or not": {"downhill_cross": "d6"},
    "the hill weighs on straight legs only": {"downhill_lasts": "straight_leg"},
    "altered odds": {"altered_odds": True},
}
numbers = {}
for name, change in READINGS.items():
    found = simkit.solve(questions / "solve_bogs.toml", trials=33_000, out=out, set=change) if change else swamp
    numbers[name] = {case["where"]: case["answers"][0]["place"] for case in found.document["cases"]}
pd.DataFrame(numbers).T.round(2)

# %%
fig, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
styles = zip(numbers.items(), (ORANGE, BLUE, GREEN, "black", GREY), "Dos^v", (9, 5, 5, 5, 5), strict=True)
for (name, row), colour, marker, size in styles:
    ax.plot(range(len(row)), list(row.values()), marker=marker, ms=size, color=colour, lw=1, label=name)
ax.axhline(float(swamp.document["parameter"]["now"]), color=GREY, lw=1, ls=":")
ax.set_xticks(range(len(row)), row)
ax.set(ylabel="modifier as hard as a fence", title="One swamp, five readings of the rules (dotted: the rules today)")
ax.legend(frameon=False, fontsize=8)
plt.show()

# %% [markdown]
# What a designer may take home. Name the target, and the band that is near enough, before looking. Read a fraction as a
# mixture, and check the whole number that you will print. Believe the fresh dice. Expect none or several answers where
# more is not always better. And before a number goes to the printer, ask for it again in another fight and under
# another ruling: that, and not the dice, is where most of the doubt is.
#
# Without Python the same is `simkit solve FILE` and `simkit house RULE --on FILE`, which write the same pages.
