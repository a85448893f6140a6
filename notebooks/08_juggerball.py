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
# # Juggerball and leagues
#
# Seven war machines a side, a very large ball, two goals; three goals win. *Legs can kick and catch: who does not have
# them has lost. Whoever moves first has half a goal. We won the league, so we are the best.* This notebook asks each
# of these: with a ball that is worked out exactly, with matches, and with seasons. All intervals hold with 99 %, those
# of one table or picture together where it says so.

# %%
import os
import re
import tempfile
from collections import Counter
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import SVG, display
from matplotlib.colors import LinearSegmentedColormap

import simkit
from simkit import stats
from simkit.games.jugger.mapdraw import draw_svg
from simkit.games.juggerball import fields
from simkit.games.juggerball.exact import Pitch
from simkit.games.juggerball.rules import Rules
from simkit.lab import views
from simkit.lab.trial import Trial

TRIALS = int(os.environ.get("SIMKIT_NOTEBOOK_TRIALS", "200000"))
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#888888"
BLUES = LinearSegmentedColormap.from_list("chances", ["white", BLUE])
root = next(path for path in [Path.cwd(), *Path.cwd().parents] if (path / "experiments").is_dir())
questions, out = root / "experiments", Path(tempfile.mkdtemp())
pd.set_option("display.max_colwidth", 80)


def picture(found, name):
    """Show a picture that simkit has drawn for a report."""
    display(SVG(filename=str(found.folder / "plots" / f"{name}.svg")))


def told(number, unit="%", sign=""):
    """Return an estimate with its interval, shares in per cent."""
    factor, digits = (100, 1) if unit == "%" else (1, 2)
    value, low, high = (
        f"{round(factor * number[part], digits) + 0.0:{sign}.{digits}f}" for part in ("estimate", "low", "high")
    )
    return f"{value} ({low} to {high})"


# %% [markdown]
# ## 1. The field, and one match
#
# Three fields come with simkit; this one has walls that can be rammed down (J-BALL-7). The jugs line up on the marked
# hexes, the ball lies in the middle, and it goes into a goal only from the three sides that face the other one
# (J-BALL-16).

# %%
display(SVG(draw_svg(fields.find("gates").map(goals=True), jugs=fields.TEAM)))

# %% [markdown]
# Both teams are rolled for every match: seven jugs of three size classes with three improvements each (J-BALL-22). Who
# plays matters, as ever: a *random* player does anything legal, with *chase* everybody runs after the ball and nobody
# fights, and a *greedy* player has two chasers and a keeper and sends the rest hunting (J-BALL-25).

# %%
match = {
    "schema": 1,
    "name": "a-match",
    "question": "How does a match end?",
    "game": "juggerball",
    "sweep": {"axes": {"policy": ["random", "chase", "greedy"]}},
    "report": {"metric": "score_a", "target": 0.5},
}
matches = simkit.run(match, trials=max(256, TRIALS // 50), out=out)
picture(matches, "ends")

# %% [markdown]
# So a match of greedy players is a battle with a ball in it: most end because a side has no jug left, which loses
# (J-BALL-24). Where nobody fights it is goals that decide, or nothing does for 200 turns. Numbers with their
# intervals:

# %%
counted = matches.cells.set_index("policy")
columns = {
    "win by goals, %": ("cause_goals", 100),
    "no jug left, %": ("cause_no_jugs", 100),
    "200 turns, %": ("cause_cap", 100),
    "goals of A": ("goals_a", 1),
    "jugs lost by A": ("lost_a", 1),
    "turns": ("turns", 1),
}
pd.DataFrame(
    {
        title: {
            rung: f"{scale * row[name]:.1f} ({scale * row[name + '_low']:.1f} to {scale * row[name + '_high']:.1f})"
            for rung, row in counted.iterrows()
        }
        for title, (name, scale) in columns.items()
    }
)

# %% [markdown]
# One of them, retold: how it begins, every goal with what led to it, and how it ends. Any match can be had again by its
# number, from here or with `simkit replay`; `--html` makes a page to step through.

# %%
CELL, TRIAL = 3, 14
lines = matches.replay(cell=CELL, trial=TRIAL).splitlines()
start = lines.index("Turn 1")
print(*lines[start - 15 : start], "...", sep="\n")
for i, line in enumerate(lines):
    if line.startswith("Goal "):
        turn = next(line for line in lines[i::-1] if line.startswith("Turn "))
        print(turn, *lines[i - 1 : i + 1], "...", sep="\n")
print(lines[-1])

# %% [markdown]
# From above, the way of the ball and the track of every jug; numbers are turns. Of a whole match that is too much for a
# picture. But dice belong to what they are thrown for: where one goal wins, the same match is played, and ends with its
# first goal.

# %%
golden = simkit.check(match, overrides={"goals_to_win": 1})
display(SVG(views.picture(golden, golden.cells[CELL - 1], Trial(TRIAL, 0))))

# %% [markdown]
# ## 2. A free kick, exactly
#
# A ball runs straight until it meets something, and there a die throws it anywhere (J-BALL-12). That is little enough
# to weigh every die. A striker on legs comes at velocity 3 and kicks: 3 + D6 hexes (J-BALL-14). Four hexes ahead stands
# a keeper. Where does the ball end, by the exact chances, and in play?
#
# On a field of one's own the striker stands where we want him, he moves first, and a turn is all there is. Side B has
# all that A has at the opposite hexes; it holds still.

# %%
STRIKER = {"title": "striker", "size": 3, "equipment": ["legs", "gears", "gears"]}
POST = {"title": "post", "size": 3, "equipment": ["armor", "armor", "armor"]}
AWAY = [[-12, 1], [-12, 2], [-9, -2], [-9, -3], [-11, 3]]  # the others, where they cannot meddle
KEEPER, NOBODY = [-5, 0], [-11, 0]  # A's second jug; B's is opposite


def free_kick(second, goal):
    """Return a match of one turn: a free kick at a goal so far off, with A's second jug on this hex."""
    field = {"half_length": 14, "half_rows": 6, "goal": goal, "starts": [[-3, 1], second, *AWAY]}
    return {
        "schema": 1,
        "name": "free-kick",
        "question": "Does a free kick go in?",
        "game": "juggerball",
        "run": {"policy": "hold"},
        "set": {"first_initiative": "a", "goals_to_win": 1},
        "sides": {"a": {"policy": "greedy", "jugs": [STRIKER] + [POST] * 6}, "b": {"jugs": [STRIKER] + [POST] * 6}},
        "scenario": {"max_turns": 1, "field": field},
        "report": {"metric": "goals_a", "target": 0.5},
    }


def chances(second, goal):
    """Return what becomes of the kick, exactly: the striker is behind the ball, side B where it lined up."""
    table = free_kick(second, goal)["scenario"]["field"]
    field = fields.PlayField.model_validate(table)
    return Pitch(field, Rules(), [(-1, 0), *field.posts(1)]).hit((0, 0), facing=0, velocity=3, kick=True)


exact = chances(KEEPER, goal=8)
kicks = simkit.run(free_kick(KEEPER, goal=8), trials=256, out=out)
for line in kicks.replay(trial=2).splitlines():
    if line.startswith("striker A"):
        print(line)

# %% [markdown]
# Every retold kick says where its ball came to rest, so that they can be counted.

# %%
rested = Counter()
KICKS = max(400, TRIALS // 100)
for trial in range(KICKS):
    kicked = next(line for line in kicks.replay(trial=trial).splitlines() if " kicks the ball" in line)
    rested[tuple(map(int, re.findall(r"\[(-?\d+), (-?\d+)\]", kicked)[-1]))] += 1
played = {place: count / KICKS for place, count in rested.items()}

fig, axes = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
for axis, (title, share) in zip(axes, (("Exact chances", exact.end), (f"{KICKS:,} kicks played", played)), strict=True):
    places = sorted({*exact.end, *played})
    x, y = np.array([(q + r / 2, -r * 3**0.5 / 2) for q, r in places]).T
    value = np.array([100 * float(share.get(place, 0)) for place in places])
    marks = axis.scatter(x, y, c=np.sqrt(value), cmap=BLUES, vmin=0, vmax=6, marker="h", s=560, ec=GREY, lw=0.4)
    for at, up, number in zip(x, y, value, strict=True):
        if number >= 0.5:
            colour = "white" if number > 12 else "black"
            axis.text(at, up, f"{number:.0f}", ha="center", va="center", fontsize=8, color=colour)
    axis.plot(5, 0, "s", ms=11, color=ORANGE, label="keeper")
    axis.plot(-1, 0, ">", ms=11, color=GREEN, label="striker")
    axis.plot(0, 0, "o", ms=11, color="black", mfc="none", label="ball before the kick")
    axis.set(title=f"{title}: % of kicks", aspect="equal", xticks=[], yticks=[], xlim=(-2.2, 6.6))
axes[0].legend(frameon=False, fontsize=8, loc="lower left")
plt.show()

# %%
level = stats.sidak_level(len(exact.end), 0.99)
missed = 0
for place, chance in exact.end.items():
    low, high = stats.clopper_pearson(rested[place], KICKS, level)
    missed += not low <= float(chance) <= high
place = (4, 0)
low, high = stats.clopper_pearson(rested[place], KICKS, level)
print(f"before the keeper: exactly {exact.end[place]} = {100 * float(exact.end[place]):.2f} %", end="; ")
print(f"played {100 * played[place]:.1f} % ({100 * low:.1f} to {100 * high:.1f} %)")
print(f"{missed} of {len(exact.end)} hexes have their exact chance outside intervals that hold together")

# %% [markdown]
# No such kick gets past him: nearly a third end at his feet, half come back, the rest go aside. And without him? From
# how far does a kick go in?

# %%
DISTANCES = range(4, 11)
rows = []
for second, who in ((NOBODY, "open goal"), (KEEPER, "keeper at 5")):
    asked = free_kick(second, goal=8)
    asked["sweep"] = {"axes": {"scenario.field.goal": [goal for goal in DISTANCES if [-goal, 0] != second]}}
    for _, row in simkit.run(asked, trials=max(512, TRIALS // 50), out=out).cells.iterrows():
        goal = int(row["scenario.field.goal"])
        exactly = float(chances(second, goal).score_a)
        rows.append((who, goal, exactly, row["goals_a"], row["goals_a_low"], row["goals_a_high"]))
shots = pd.DataFrame(rows, columns=["who", "hexes", "exact", "played", "low", "high"])

fig, axis = plt.subplots(figsize=(7, 3.6), layout="constrained")
for (who, part), colour, mark in zip(shots.groupby("who", sort=False), (BLUE, ORANGE), "os", strict=True):
    error = 100 * np.array([part["played"] - part["low"], part["high"] - part["played"]])
    known = part.set_index("hexes")["exact"].reindex(DISTANCES)
    axis.plot(known.index, 100 * known, color=colour, lw=1)
    axis.errorbar(part["hexes"], 100 * part["played"], yerr=error, fmt=mark, ms=5, color=colour, capsize=3, label=who)
axis.set(xlabel="hexes from the ball to the goal", ylabel="kicks that go in, %", ylim=(-3, 103))
axis.set_title("How many kicks go in (lines: exact; marks: played, 99 % each)")
axis.legend(frameon=False)
plt.show()

# %% [markdown]
# ## 3. What are legs worth with a ball?
#
# Legs turn, brake, kick and catch, and cannot ram (J-EQ-3, J-BALL-4). The shipped question gives one to seven jugs of a
# team legs for certain, on the same dice as a team without, and takes kick and catch away one by one.

# %%
legs = simkit.run(questions / "juggerball_legs.toml", trials=max(128, TRIALS // 200), out=out)
print(legs.answer)

# %%
picture(legs, "averages")

# %% [markdown]
# Two kinds of players, two answers. And is it the kick, or the catch? The same by what legs may do:

# %%
judged = pd.DataFrame(legs.document["verdict"]["rows"]).merge(legs.cells, on="cell", suffixes=("", "_cell"))
MARKS = {
    (True, True): ("kick and catch", BLUE, "o"),
    (True, False): ("kick", GREEN, "^"),
    (False, True): ("catch", ORANGE, "s"),
    (False, False): ("neither", GREY, "D"),
}
fig, axes = plt.subplots(1, 2, figsize=(11, 3.8), sharey=True, layout="constrained")
for axis, (policy, half) in zip(axes, judged.groupby("policy", sort=False), strict=True):
    axis.axhspan(-2, 2, color=GREY, alpha=0.2, lw=0)
    axis.axhline(0, color=GREY, lw=1)
    for shift, (able, (label, colour, mark)) in enumerate(MARKS.items()):
        part = half[(half["legs_kick"] == able[0]) & (half["legs_catch"] == able[1])]
        error = 100 * np.array([part["estimate"] - part["low"], part["high"] - part["estimate"]])
        at = part["sides.a.fixed.jugs"] + 0.14 * (shift - 1.5)
        axis.errorbar(
            at, 100 * part["estimate"], yerr=error, fmt=mark, ms=5, color=colour, capsize=2, lw=1, label=label
        )
    axis.set(title=f"{policy} players", xlabel="jugs with legs for certain", xticks=[1, 2, 3, 5, 7])
axes[0].set_ylabel("score gained, points")
axes[0].legend(frameon=False, fontsize=8, title="legs may", loc="lower left", ncol=2)
fig.suptitle("What legs gain over none for certain (99 % for all together)")
plt.show()

# %% [markdown]
# A bar that reaches across the picture says that these are too few matches for the usual interval. Where everybody only
# chases, legs that may kick and catch help, and no gain is seen for those that may do neither. Greedy players fight,
# and a jug on legs has no ram: the more legs, the worse. A house rule for legs has to say for which of the two it is
# meant; `one-leg-per-team` is there to try.
#
# ## 4. Is the first move worth a goal?
#
# The same random team on both sides, and nothing tells them apart but who moves first in turn 1 (J-BALL-23).

# %%
first = simkit.run(questions / "first_move_worth_a_goal.toml", trials=max(128, TRIALS // 200), out=out, raw=True)
print(first.answer)

# %% [markdown]
# No goal, and nothing near one. There is a reason that no dice are needed for: the nearest jug stands five hexes from
# the ball (four on the smallest field), and hardly any jug can be that fast in its first turn. When the ball is
# reached, in turn 2 or 3, initiative has been rolled again. What a turn's first move is worth *then* the goals tell:
# how many more than half of them fall to the side that had it?

# %%
level = stats.sidak_level(6, 0.99)
more = {}
for cell in first.plan.cells[::2]:
    raw = pd.read_parquet(first.folder / "raw" / f"cell-{cell.number:06d}.parquet")
    scored = raw["goals_a"] + raw["goals_b"]
    surplus = (raw["goals_by_first"] - scored / 2).groupby(raw["trial"]).mean().to_numpy()
    low, high = stats.paired_mean(surplus, np.ones(len(surplus), int), level)
    more[cell.labels["policy"], cell.labels["scenario.field"]] = surplus.mean(), float(low), float(high)

fig, axis = plt.subplots(figsize=(7, 3), layout="constrained")
value, low, high = np.array([*more.values()]).T
axis.axvline(0, color=GREY, lw=1)
axis.errorbar(value, range(len(more)), xerr=[value - low, high - value], fmt="o", ms=5, color=BLUE, capsize=3)
axis.set_yticks(range(len(more)), [f"{policy}, {field}" for policy, field in more])
axis.invert_yaxis()
axis.set(xlabel="goals a match beyond half of all", title="Goals of who moves first in a turn (99 % for all together)")
plt.show()

# %% [markdown]
# Where the interval lies above 0, moving first in a turn does matter; it only does not stay with anybody.
#
# ## 5. A season, and what it proves
#
# Whoever is a little better wins a match a little more often. What is left of it after a season? Eight published jugs
# of five size classes, one of a race each, everybody against everybody at home and away (J-LEA-1), 3 points for a win.
# A season is a unit, and it is held again and again.

# %%
league = simkit.league(questions / "points_3_1_0.toml", seasons=max(1_024, TRIALS // 20), out=out)
picture(league, "places")

# %% [markdown]
# Every row and every column adds up to 100. On the right are the odds of the title, with intervals that hold together
# (J-LEA-8): entrants whose intervals overlap are not told apart by these seasons. Points and their spread over seasons:

# %%
picture(league, "points")

# %% [markdown]
# *We won the league, so we are the best.* Let the best be who has most points on average. How often does he win the
# title, and how often is a match won by who loses more often to that enemy?

# %%
document = league.document
title = next(one["title"] for one in document["entrants"] if one["id"] == document["best"])
print(f"{title} is best on average and wins the title in", told(document["proves"]), "% of seasons")
print("decided matches that are upsets:", told(document["upsets"]), "%")
print("what the home side scores:", told(document["home"]), "%")

# %% [markdown]
# So a title is a hint, not a proof. A longer season says more. For that one need not play all of it: `method =
# "matrix"` plays every pair often, and draws seasons from these games (J-LEA-6). What counts is how many double rounds
# it takes until the best wins nine titles of ten:

# %%
longer = {
    "schema": 1,
    "name": "longer-seasons",
    "question": "How many rounds until the best wins?",
    "game": "jugger",
    "run": {"policy": "greedy"},
    "scenario": {"map": "open"},
    "league": {
        "designs": document["settings"]["designs"],
        "method": "matrix",
        "games": max(1_024, TRIALS // 20 // 256 * 256),
        "seasons": 10_240,
    },
}
seasons = simkit.league(longer, out=out).document
fig, axis = plt.subplots(figsize=(6, 3.4), layout="constrained")
rounds = [one["rounds"] for one in seasons["longer"]]
value, low, high = (
    100 * np.array([one["proves"][part] for one in seasons["longer"]]) for part in ("estimate", "low", "high")
)
axis.axhline(90, color=GREY, lw=1, ls=":")
axis.errorbar(rounds, value, yerr=[value - low, high - value], fmt="o-", ms=5, lw=1, color=BLUE, capsize=3)
axis.set(xlabel="double rounds in a season", ylabel="seasons in which the best\nwins the title, %", ylim=(0, 102))
axis.set(xticks=rounds, title="What a longer season proves (99 % each)")
plt.show()

# %% [markdown]
# ## 6. Three points for a win, or two?
#
# The league above was held twice on the same dice, with 3-1-0 and with 2-1-0 (J-LEA-4). What did it change?

# %%
print(document["instead"]["words"] + ", another champion in", told(document["instead"]["changed"]), "% of seasons")
print("drawn matches:", told(document["drawn"]), "%")

# %% [markdown]
# No more than its draws allow: where every match is decided, both tables are the same. So try it where matches are
# drawn. Four clubs of juggerball, alike but for one improvement of all their jugs, and a whistle after 20 turns:

# %%
CLUBS = {"armor": "Shields", "reinforced_ram": "Rams", "catcher": "Catchers", "legs": "Walkers"}
clubs = {
    "schema": 1,
    "name": "four-clubs",
    "question": "Which club wins the title, and does it hang on what a win is worth?",
    "game": "juggerball",
    "run": {"policy": "greedy"},
    "scenario": {"max_turns": 20},
    "league": {
        "sides": {
            club.lower(): {
                "title": club,
                "jugs": [{"title": club[:-1], "size": 3, "equipment": ["gears", "ballista", item]}] * fields.TEAM,
            }
            for item, club in CLUBS.items()
        },
        "points": [3, 1, 0],
        "seasons": max(512, TRIALS // 100),
        "instead": {"points": [2, 1, 0]},
    },
}
cup = simkit.league(clubs, out=out)
print(cup.answer)

# %%
picture(cup, "places")

# %%
print("drawn matches:", told(cup.document["drawn"]), "%")
moves = {row["entrant"]: row for row in cup.document["instead"]["rows"]}
pd.DataFrame(
    {
        row["entrant"]: {
            "titles with 3-1-0, %": told(row["title"]),
            "titles with 2-1-0, %": told(moves[row["entrant"]]["title"]),
            "moves by, points": told(moves[row["entrant"]]["moves"], sign="+"),
            "won a season": told(row["won"], unit=""),
            "drawn": told(row["drawn"], unit=""),
        }
        for row in cup.document["rows"]
    }
).T

# %% [markdown]
# Read the third column, and read it with its interval: both tables come from the same matches, so that it is far
# narrower than the first two would suggest. An interval with 0 in it says that these seasons cannot tell, not that it
# does not matter.
#
# What one may take home. Work out exactly what is small, and let it watch over what is played. Say who plays: legs win
# for chasers and lose for fighters. Before asking what a rule is worth, ask whether it can matter at all: nobody
# reaches the ball in turn 1, and next to nobody draws in Jugger. And before calling the champion the best, ask how
# often the best is champion.
#
# Without Python the same is `simkit map gates`, `simkit run FILE`, `simkit replay FOLDER` and `simkit league FILE`; the
# shipped `which_improvement_wins.toml`, `keeper_or_hunter.toml` and `league_of_races.toml` ask for more.
