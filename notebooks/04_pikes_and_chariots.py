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
# # Pikes and chariots
#
# Battlesystem lets whole units fight: a figure stands for up to ten creatures, and a unit has up to forty-eight
# figures. Two of its rules make designers frown. *Set pikes* strike a charger first and do double damage; do they
# stop a charge, and how deep must they stand? And a *chariot* adds up the damage of all its horses and crew, while its
# hit dice are averages: is it too strong? Step by step: what a figure is, what one blow does, how far a unit gets,
# what a charge does to pikes, what chariots are worth, and what all of it rests on.

# %%
import os
import tempfile
from fractions import Fraction
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import SVG, display

import simkit
from simkit import stats
from simkit.games import protocol
from simkit.games.battlesystem.crt import blow_pmf
from simkit.games.battlesystem.exact import exchange
from simkit.games.battlesystem.ratings import rate
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.units import find
from simkit.lab import views
from simkit.lab.trial import Trial
from simkit.report import marches, plots, swings

FIGHTS = max(2_000, int(os.environ.get("SIMKIT_NOTEBOOK_TRIALS", "200000")) // 5)
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#888888"
root = next(path for path in [Path.cwd(), *Path.cwd().parents] if (path / "experiments").is_dir())
out = Path(tempfile.mkdtemp())
pd.set_option("display.max_colwidth", 80)
plt.rcParams["lines.markersize"] = 4.5

# %% [markdown]
# ## What a figure is
#
# AR is the attack rating and AC the armour class; of both the lower is the better. HD are the hit dice of one creature,
# and a figure *takes* so many hit dice before it falls. MV is in inches a round, and ML is morale.

# %%
units = pd.DataFrame(protocol.load("battlesystem").presets()).set_index("design")
units[["kind", "stands for", "AR", "AC", "HD", "takes", "MV", "ML", "damage"]]

# %% [markdown]
# A rider with his horse, and a chariot with its team, are made into one figure. These are the steps, each with its
# rule, and the last list has the house rule *averaged chariots*, which changes one line.

# %%
mounted = simkit.rate("battlesystem", "heavy-cavalry", "two-horse-chariots")["designs"]
averaged = simkit.rate("battlesystem", "two-horse-chariots", house=["averaged-chariots"])["designs"]
for design, under in [*((design, "") for design in mounted), (averaged[0], ", averaged")]:
    print(design["title"] + under, *design["steps"], sep="\n    ")

# %% [markdown]
# ## What one blow kills
#
# A figure strikes with one roll of 2d6. The lower *AR - AC + roll*, the more hit dice die. A chariot looks up that one
# roll for every hoof, every bite and every man, and adds up the results. All of it is exact. The printed table of the
# 1985 book is not public, so that the results are those of a straight line through its three known values; whoever has
# the book may paste its table instead (rule B-MEL-1).

# %%
target = rate(find("men-at-arms"), Rules())


def blow(name, charging, rules):
    """Return a figure's rating, and the exact chances of the hit dice that it kills of men-at-arms with one blow."""
    design = find(name)
    rating, mounted = rate(design, rules), design.kind_of_figure != "foot"
    index = rating.ar - target.ac - (rules.charge_bonus if charging and mounted else 0)
    return rating, blow_pmf(index, rating.parts, rating.ratio, rules, charging=charging)


def mean(chances):
    """Return the exact mean of chances."""
    return float(sum(value * chance for value, chance in chances.items()))


attackers = [
    ("Men-at-arms", "men-at-arms", Rules()),
    ("Heavy cavalry", "heavy-cavalry", Rules()),
    ("Two-horse chariots", "two-horse-chariots", Rules()),
    ("Two-horse chariots, averaged", "two-horse-chariots", Rules(chariot_damage="average")),
    ("Four-horse chariots", "four-horse-chariots", Rules()),
    ("Four-horse chariots, averaged", "four-horse-chariots", Rules(chariot_damage="average")),
]
rows = []
for title, name, rules in attackers:
    rating, standing = blow(name, False, rules)
    _, charging = blow(name, True, rules)
    stands = rating.pool / mean(blow_pmf(target.ar - rating.ac, target.parts, target.ratio, rules))
    price = stands * mean(standing) / rating.pool
    rows.append((title, rating.pool, stands, mean(standing), mean(charging), price))
columns = ["figure", "takes", "stands, blows", "kills standing", "kills charging", "kills for each hit die of its own"]
pd.DataFrame(rows, columns=columns).set_index("figure").round(2)

# %% [markdown]
# All in hit dice, but for the second column: so many blows of men-at-arms, on average, a figure stands before it has
# taken what it takes. In the last one it trades blow for blow with them, without a charge, until then, and what it has
# killed is held against its own hit dice. Men-at-arms get back what they are; whatever has more is cheap at its hit
# dice. That is the quarrel over chariots in a number, but it is not yet a fight: a charge, fronts of unlike length, and
# morale come on top.

# %%
figure, axes = plt.subplots(4, 1, figsize=(8, 6.4), sharex=True, sharey=True)
for axis, (title, name, rules) in zip(axes, attackers[:4], strict=True):
    _, chances = blow(name, True, rules)
    colour = GREEN if "averaged" in title else ORANGE if "chariots" in title else BLUE
    axis.bar(list(chances), [100 * float(chance) for chance in chances.values()], width=0.9, color=colour)
    axis.axvline(mean(chances), color="black", linewidth=1, linestyle=":")
    axis.set_title(f"{title}: {mean(chances):.2f} on average (dotted)", fontsize=10, loc="left")
    axis.set_ylabel("chance (%)")
axes[-1].set_xlabel("hit dice killed by one blow in a charge at men-at-arms, of whom a figure takes 10 (exact)")
figure.tight_layout()

# %% [markdown]
# ## How far a unit gets
#
# Inches in one round, all of it on that ground, or across that obstacle or rise on the way. `barred` is ground that
# nobody enters who cannot swim. Penalties add up, and so three steps of ten feet stop everybody.

# %%
marched = simkit.march(units=["men-at-arms", "elves", "dwarves", "lizard-men", "heavy-cavalry", "two-horse-chariots"])
inches = {
    unit["title"]: {
        ground: "barred" if way is None else f"{float(Fraction(way)):g}" for ground, way in unit["terrain"].items()
    }
    for unit in marched["units"]
}
ground = pd.DataFrame(inches)
kinds = pd.DataFrame(marched["terrain"]).set_index("name")
ground.join(kinds[["closed", "charge"]].rename(columns={"closed": "may a unit be closed?", "charge": "may it charge?"}))

# %% [markdown]
# The shipped march crosses much of it in a row, and the chart shows each front after each round. Many points lie just
# on a border: there a unit had to stop, as it could no longer pay in that round for what comes next.

# %%
crossing = simkit.march(root / "experiments" / "marches" / "woods_and_hill.toml")
marches.draw(crossing, out / "march.svg")
display(SVG(filename=str(out / "march.svg")))

# %% [markdown]
# ## Pikes: the first exchange, without dice
#
# Twenty-four figures of pikes meet twelve figures of heavy cavalry that charge six abreast. Set pikes strike first,
# each result doubled, and only the survivors strike back. What that one exchange kills is known exactly, in full
# distribution.

# %%
DEPTHS = [1, 2, 3, 4, 5, 6]


def first_exchange(ranks, formation, start):
    """Return the exact chances of the figures that fall in the exchange after a charge: of pikes, of cavalry."""
    cell = simkit.check(
        {
            "schema": 1,
            "name": "first-exchange",
            "question": "What does the first exchange kill?",
            "game": "battlesystem",
            "sides": {
                "a": {"design": "pikemen", "figures": 24, "ranks": ranks, "policy": "hold"},
                "b": {"design": "heavy-cavalry", "figures": 12, "formation": formation, "policy": "charge"},
            },
            "scenario": {"in_contact": True, "start": {"a": start, "b": "charge"}},
        }
    ).cells[0]
    return [losses.figures for losses in exchange(cell.scenario, cell.rules)]


def middle(chances, share=0.9):
    """Return the ends of the middle share of some chances."""
    values, cumulated = list(chances), np.cumsum([float(chance) for chance in chances.values()])
    tail = (1 - share) / 2
    return values[int(np.searchsorted(cumulated, tail))], values[int(np.searchsorted(cumulated, 1 - tail))]


figure, axes = plt.subplots(2, 2, figsize=(9, 6), sharex=True, sharey="row")
for column, formation in enumerate(["closed", "open"]):
    for start, colour, marker, shift in (("set", BLUE, "o", -0.1), ("none", ORANGE, "s", 0.1)):
        fallen = [first_exchange(ranks, formation, start) for ranks in DEPTHS]
        for row in (0, 1):
            chances = [pair[1 - row] for pair in fallen]
            means = np.array([mean(one) for one in chances])
            ends = np.array([middle(one) for one in chances]).T
            bars = np.maximum(0, [means - ends[0], ends[1] - means])
            label = "pikes set" if start == "set" else "pikes not set"
            at = np.array(DEPTHS) + shift
            axes[row][column].errorbar(at, means, yerr=bars, fmt=marker, color=colour, capsize=3, label=label)
    axes[0][column].set_title(f"{formation} charger")
    axes[1][column].set_xlabel("ranks of the 24 pikes")
axes[0][0].set_ylabel("cavalry fallen (of 12 figures)")
axes[1][0].set_ylabel("pikes fallen (of 24 figures)")
axes[0][1].legend(fontsize=8)
figure.suptitle("First exchange after a charge: exact mean, and the middle 90 % of all exchanges", fontsize=11)
figure.tight_layout()

# %% [markdown]
# Three ranks of pikes fight at once, and so three ranks bite hardest: with fewer, many points stand where no enemy is;
# with more, they stand behind the third rank, where they reach nobody. And there is the difference that matters. An
# open charger has lost the front figures that would have struck back. A closed one fills the gaps from its second rank
# and strikes with as many as before; besides its dead it has lost no more than the bonus of its charge.

# %% [markdown]
# ## Do they stop the charge?
#
# One exchange is not a fight. The shipped experiment plays the whole of it, to the rout of one side, with pikes set
# or just standing, and a charger in closed or in open formation. The cavalry begins 24 inches away, out of reach,
# for a reason that comes next. A fight that nobody wins is no win of the pikes.

# %%
question = root / "experiments" / "pikes_vs_cavalry.toml"
pikes = simkit.run(question, set={"scenario.distance": 24}, trials=FIGHTS, out=out)
print(pikes.answer)

# %%
STANCES = {"set": ("pikes set", BLUE, "o"), "hold": ("pikes just stand", ORANGE, "s")}
figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True)
for axis, formation in zip(axes, ["closed", "open"], strict=True):
    axis.axhspan(48, 52, color="#dddddd")
    axis.axhline(50, color=GREY, linewidth=1)
    for policy, (label, colour, marker) in STANCES.items():
        cells = pikes.cells
        part = cells[(cells["sides.a.policy"] == policy) & (cells["sides.b.formation"] == formation)]
        bars = 100 * np.array([part["win_a"] - part["win_a_low"], part["win_a_high"] - part["win_a"]])
        axis.errorbar(
            part["sides.a.ranks"], 100 * part["win_a"], yerr=bars, color=colour, marker=marker, capsize=3, label=label
        )
    axis.set_title(f"{formation} charger")
    axis.set_xlabel("ranks of the 24 pikes")
axes[0].set_ylabel("fights won by the pikes (%)")
axes[1].legend(fontsize=8)
figure.suptitle("Grey: within 2 points of even. Bars: 99 % for each point", fontsize=10)
figure.tight_layout()

# %% [markdown]
# From which depth on? Here all twenty-four intervals hold together with 99 %. *Not resolved* says only that these
# fights do not tell; more of them might.

# %%
SAID = {
    "higher": "win more than half",
    "lower": "win less than half",
    "undecided": "not resolved",
    "fair": "even within 2 points",
}
judged = pd.DataFrame(pikes.verdict["rows"]).merge(pikes.cells, on="cell", suffixes=("", "_cell"))
judged["pikes"] = [f"{SAID[row.word]}, {100 * row.low:.1f} to {100 * row.high:.1f} %" for row in judged.itertuples()]
judged["fight"] = [
    f"{STANCES[stance][0]}, {formation} charger"
    for stance, formation in judged[["sides.a.policy", "sides.b.formation"]].itertuples(index=False)
]
judged.pivot_table(index="sides.a.ranks", columns="fight", values="pikes", aggfunc="first", sort=False)

# %% [markdown]
# ### Too late
#
# Pikes are set in their own movement. Whoever charges from within his reach, and wins the first initiative, is among
# them before. Heavy cavalry charges 15 + 7 1/2 inches. Here are three ranks against the open charger, from nearer and
# farther.

# %%
near = []
for distance in (14, 18, 22, 23):
    duel = simkit.duel(
        {"title": "Pikes", "design": "pikemen", "figures": 24, "ranks": 3, "policy": "set"},
        {"title": "Cavalry", "design": "heavy-cavalry", "figures": 12, "formation": "open", "policy": "charge"},
        game="battlesystem",
        distance=distance,
        trials=FIGHTS,
    )
    near.append(duel.cells.assign(distance=distance))
near = pd.concat(near, ignore_index=True)
figure, axis = plt.subplots(figsize=(7, 3.6))
axis.axvline(22.5, color=GREY, linewidth=1, linestyle="--")
axis.text(22.4, 12, "reach of the charge", ha="right", color="#555555", fontsize=9)
for metric, label, colour, marker, shift in (
    ("first_strikes_a", "pikes were set in time and struck first", GREEN, "D", -0.1),
    ("win_a", "pikes won", BLUE, "o", 0.1),
):
    bars = 100 * np.array([near[metric] - near[f"{metric}_low"], near[f"{metric}_high"] - near[metric]])
    bars = np.minimum(bars, [100 * near[metric], 100 - 100 * near[metric]])  # a share ends at 0 and 100 %
    at = near["distance"] + shift
    axis.errorbar(at, 100 * near[metric], yerr=bars, fmt=marker, color=colour, capsize=3, label=label)
axis.set_ylim(0, 104)
axis.set_xlabel("distance at the start (inches)")
axis.set_ylabel("share of fights (%)")
axis.legend(fontsize=8, loc="lower left", bbox_to_anchor=(0, 0.12))
axis.set_title("Three ranks of pikes, open charger; bars: 99 % for each point", fontsize=10)
figure.tight_layout()

# %% [markdown]
# ## One fight
#
# A typical one of three ranks, set in time against the open charger, in words and as a picture.

# %%
pike_fight = {
    "schema": 1,
    "name": "three-ranks",
    "question": "Do three ranks of set pikes stop an open charge?",
    "game": "battlesystem",
    "run": {"swings": FIGHTS},
    "sides": {
        "a": {"title": "Pikes", "design": "pikemen", "figures": 24, "ranks": 3, "policy": "set"},
        "b": {
            "title": "Cavalry",
            "design": "heavy-cavalry",
            "figures": 12,
            "formation": "open",
            "policy": "charge",
        },
    },
    "scenario": {"distance": 24},
    "report": {"metric": "win_a", "target": 0.5, "fair_within": 0.02},
}
stopped = simkit.run(pike_fight, trials=FIGHTS, out=out)
typical = stopped.document["replays"][0]
print(f"Fight {typical['trial']:,}: {typical['why']}.\n")
print(stopped.replay(cell=typical["cell"], trial=typical["trial"]))

# %%
fight = stopped.plan.cells[typical["cell"] - 1]
display(SVG(views.picture(stopped.plan, fight, Trial(typical["trial"], 0))))

# %% [markdown]
# ## Chariots: how many are a match?
#
# At a fair price, the same price is an even fight. These rules have no point costs, and the only price at hand is hit
# dice: a figure of two-horse chariots takes 30, of heavy cavalry 20, of men-at-arms 10. So let chariots, up to six
# abreast, charge 360 hit dice of either, and count how many it takes. At 100 % both sides have the same hit dice.

# %%
CHARIOTS = [2, 3, 4, 6, 8, 10, 12]
FOES = {
    "36 men-at-arms": {"title": "36 men-at-arms", "design": "men-at-arms", "figures": 36, "files": 12},
    "18 heavy cavalry": {
        "title": "18 heavy cavalry",
        "design": "heavy-cavalry",
        "figures": 18,
        "files": 9,
        "policy": "charge",
    },
}
teams = [
    {
        "title": str(number),
        "design": "two-horse-chariots",
        "figures": number,
        "files": min(number, 6),
        "policy": "charge",
    }
    for number in CHARIOTS
]
chariots = {
    "schema": 1,
    "name": "chariots-for-hit-dice",
    "question": "What does averaging their damage do to chariots?",
    "game": "battlesystem",
    "run": {"swings": 0},
    "sides": {"a": teams[0], "b": FOES["36 men-at-arms"]},
    "scenario": {"distance": 18},
    "sweep": {"axes": {"sides.b": list(FOES.values()), "sides.a": teams, "house_rules": [[], ["averaged-chariots"]]}},
    "compare": {"baseline": {"house_rules": []}},
    "report": {"metric": "win_a"},
}
matched = simkit.run(chariots, trials=FIGHTS, out=out)
print(matched.answer)

# %% [markdown]
# That sentence compares the two rules; first, though, the numbers. Both sides want to win here, and so we look at the
# fights that one of them wins: whoever wins more than half of those is the better side. Fights that leave nothing on
# either side are in neither count.

# %%
cells = matched.cells.assign(number=matched.cells["sides.a"].astype(int))
cells["price"] = 100 * 30 * cells["number"] / 360
wins, losses = ((cells[side] * cells["n"]).round().astype(int) for side in ("win_a", "win_b"))
cells["share"] = wins / (wins + losses)
cells["share_low"], cells["share_high"] = stats.clopper_pearson(wins, wins + losses, 0.99)
RULES = {"none": ("damage summed (the rules)", ORANGE, "s"), "averaged-chariots": ("averaged (house rule)", GREEN, "D")}
figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.8), sharey=True)
for axis, foe in zip(axes, FOES, strict=True):
    axis.axhline(50, color=GREY, linewidth=1)
    axis.axvline(100, color=GREY, linewidth=1, linestyle="--")
    for house, (label, colour, marker) in RULES.items():
        part = cells[(cells["sides.b"] == foe) & (cells["house_rules"] == house)]
        bars = 100 * np.array([part["share"] - part["share_low"], part["share_high"] - part["share"]])
        axis.errorbar(
            part["price"], 100 * part["share"], yerr=bars, color=colour, marker=marker, capsize=3, label=label
        )
    axis.set_title(f"against {foe}")
    axis.set_xlabel("hit dice of the chariots (% of the enemy's)")
axes[0].set_ylabel("won by the chariots\n(% of the fights that anybody wins)")
axes[0].legend(fontsize=8, loc="lower right")
figure.suptitle("Dashed: the same hit dice. Bars: 99 % for each point", fontsize=10)
figure.tight_layout()

# %% [markdown]
# Where a line crosses one half, so many chariots are a match. The two numbers around it are the last one that is shown
# to win less than half and the first that is shown to win more, with all intervals together at 99 %; what lies between
# is not resolved.

# %%
together = stats.sidak_level(len(cells), 0.99)
cells["low"], cells["high"] = stats.clopper_pearson(wins, wins + losses, together)


def hit_dice(number):
    """Say how many chariots, and what part of the enemy's hit dice they have."""
    return f"{number} chariots ({100 * 30 * number / 360:.0f} % of the enemy's hit dice)"


for foe in FOES:
    for house, (label, *_) in RULES.items():
        part = cells[(cells["sides.b"] == foe) & (cells["house_rules"] == house)]
        fewer, more = part.loc[part["high"] < 0.5, "number"], part.loc[part["low"] > 0.5, "number"]
        lose = f"up to {hit_dice(fewer.max())}" if len(fewer) else "with no number tried"
        win = f"from {hit_dice(more.min())}" if len(more) else "with no number tried"
        print(f"against {foe}, {label}:\n    less than half {lose}; more than half {win}")

# %% [markdown]
# ### What the house rule takes away
#
# Both rules play on the same dice, pair by pair, so that the difference is sharper than either value. These intervals
# hold together with 99 %. Where chariots win or lose nearly always anyway there is little left to take away.

# %%
changed = pd.DataFrame(matched.verdict["rows"]).merge(cells[["cell", "sides.b", "number", "price"]], on="cell")
figure, axis = plt.subplots(figsize=(7, 3.6))
axis.axhline(0, color=GREY, linewidth=1)
for foe, colour, marker, shift in zip(FOES, (BLUE, ORANGE), ("o", "s"), (-0.6, 0.6), strict=True):
    part = changed[changed["sides.b"] == foe]
    bars = 100 * np.array([part["estimate"] - part["low"], part["high"] - part["estimate"]])
    at = part["price"] + shift
    axis.errorbar(at, 100 * part["estimate"], yerr=bars, fmt=marker, color=colour, capsize=3, label=f"against {foe}")
axis.set_xlabel("hit dice of the chariots (% of the enemy's)")
axis.set_ylabel("averaged less summed (points)")
axis.set_title("What averaging changes in the share of fights won; bars: 99 % for all together", fontsize=10)
axis.legend(fontsize=8)
figure.tight_layout()

# %% [markdown]
# ## Is the simulation right?
#
# Two units that begin in contact, and do nothing but fight, are few enough situations to follow all of them, round by
# round, with their exact chances. The simulation must agree within its intervals; of a hundred such intervals one may
# miss.

# %%
contact = {
    "schema": 1,
    "name": "in-contact",
    "question": "Does the simulation agree with the exact solution?",
    "game": "battlesystem",
    "run": {"swings": 0},
    "sides": {
        "a": {"design": "men-at-arms", "figures": 6, "files": 3},
        "b": {"design": "orcs", "figures": 5, "files": 3},
    },
    "scenario": {"in_contact": True},
    "sweep": {"axes": {"sides.a.figures": [3, 4, 5, 6, 7]}},
    "report": {"metric": "win_a"},
}
played = simkit.run(contact, trials=FIGHTS, out=out).cells
solved = [cell["metrics"] for cell in simkit.exact(contact)["cells"]]
agreement = []
for metric in ("win_a", "win_b", "mutual", "rounds"):
    for row, cell in zip(played.to_dict("records"), solved, strict=True):
        low, high = row[f"{metric}_low"], row[f"{metric}_high"]
        exactly = cell[metric]["estimate"]
        inside = "yes" if low <= exactly <= high else "no"
        agreement.append((metric, row["sides.a.figures"], exactly, row[metric], low, high, inside))
agreement = pd.DataFrame(
    agreement, columns=["metric", "men-at-arms", "exact", "simulated", "low", "high", "exact inside"]
)
agreement.round(4)

# %%
figure, axis = plt.subplots(figsize=(7, 3.4))
names = {
    "win_a": ("men-at-arms win", BLUE, "o"),
    "win_b": ("orcs win", ORANGE, "s"),
    "mutual": ("both gone", GREEN, "D"),
}
for metric, (label, colour, marker) in names.items():
    part = agreement[agreement["metric"] == metric]
    bars = 100 * np.array([part["simulated"] - part["low"], part["high"] - part["simulated"]])
    axis.plot(part["men-at-arms"], 100 * part["exact"], color=colour, linewidth=1)
    axis.errorbar(
        part["men-at-arms"], 100 * part["simulated"], yerr=bars, fmt=marker, color=colour, capsize=3, label=label
    )
axis.set_xticks(sorted(set(agreement["men-at-arms"])))
axis.set_xlabel("figures of men-at-arms against 5 figures of orcs, both three abreast")
axis.set_ylabel("share of fights (%)")
axis.set_title("Lines: exact. Points: simulated, with 99 % for each", fontsize=10)
axis.legend(fontsize=8)
figure.tight_layout()

# %% [markdown]
# ## What the verdicts rest on
#
# Much of a fight is not in the rules: what they leave open is *ruled*, and what nobody has published is *assumed*. Each
# of these is a number or a switch, and each was changed alone, on the same dice. The table that a plot speaks of is in
# the report of its run. First the pikes, three deep and set in time, against the open charger. Look for what makes them
# too late: where a charge adds 3/4 to a move it reaches over 26 inches, and where set pikes lapse with the round,
# whoever moves first in the next one finds them unset.

# %%
print(*swings.summary(stopped.document), sep="\n")
display(SVG(plots.tornado(stopped.document)))

# %% [markdown]
# And chariots against cavalry of the same hit dice, where nobody knows how wide the base of a chariot was meant to be.

# %%
chariot_fight = {
    **{key: chariots[key] for key in ("schema", "game", "scenario")},
    "name": "chariots-against-cavalry",
    "question": "Do chariots beat cavalry of the same hit dice?",
    "run": {"swings": FIGHTS},
    "sides": {"a": teams[-1] | {"title": "Chariots"}, "b": FOES["18 heavy cavalry"]},
    "report": {"metric": "win_a", "target": 0.5, "fair_within": 0.02},
}
charged = simkit.run(chariot_fight, trials=FIGHTS, out=out)
print(charged.answer, *swings.summary(charged.document), sep="\n")
display(SVG(plots.tornado(charged.document)))

# %% [markdown]
# ## The verdict
#
# From these fights alone, with intervals that hold together with 99 % for the pikes and for the chariots. Of the
# chariots' fights again those count that anybody wins.

# %%
for fought, part in judged.groupby("fight", sort=False):
    depths = {word: list(part.loc[part["word"] == word, "sides.a.ranks"]) for word in SAID}
    told = "; ".join(f"{SAID[word]} at {', '.join(map(str, some))}" for word, some in depths.items() if some)
    print(f"{fought}, by ranks: {told}")
print()
for row in cells[cells["price"] == 100].to_dict("records"):
    said = "win more than half" if row["low"] > 0.5 else "win less than half" if row["high"] < 0.5 else "not resolved"
    found = f"{100 * row['share']:.1f} %, {100 * row['low']:.1f} to {100 * row['high']:.1f} %"
    print(f"chariots against {row['sides.b']} of the same hit dice, {RULES[row['house_rules']][0]}: {said} ({found})")

# %% [markdown]
# What a designer may take home, for these units and these readings of the rules: set pikes stop a charge if they are
# set in time and the charger is open, from two ranks on and best with three. A closed charge they blunt, but do not
# stop. Summing all damage makes chariots cheap at their hit dice, against foot and against cavalry. Averaging it brings
# them near their price against cavalry, if a little below it; against foot they stay cheap. And before a verdict goes
# to the table, look at the widest bars above: how long pikes stay set, how far a charge goes and how wide the base of a
# chariot is move these numbers further than most of the rest.
