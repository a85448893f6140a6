"""The engine of Battlesystem: against its exact chain, and against itself seen in other ways."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit import stats
from simkit.core import jit
from simkit.core.key import Key
from simkit.core.rng import make_key
from simkit.core.trials import BATCHES
from simkit.games.battlesystem import compile as room
from simkit.games.battlesystem import lane
from simkit.games.battlesystem.exact import exchange, solve
from simkit.games.battlesystem.legality import complaints
from simkit.games.battlesystem.records import HURDLES, STRETCHES, Outcome, Setup, State
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario

CASES = json.loads((Path(__file__).parent / "cases/battlesystem.json").read_text(encoding="utf-8"))["cases"]
SMALLEST = next(case for case in CASES if case["id"] == "bs-15")
NAMES = {"left_a": "figures_a", "left_b": "figures_b"}
COLUMNS = Outcome._fields
SHARES = ("win_a", "win_b", "mutual", "cap", "dead_a", "dead_b", "rout_a", "rout_b")
MEANS = ("rounds", "figures_a", "figures_b")
KEY = make_key(20_261_130)


def smallest() -> Scenario:
    """Return the public fight of two figures against two, in contact from the first round (B-LAN-20, B-LAN-25)."""
    sides = {}
    for side in "ab":
        given = SMALLEST["given"][side]
        design = {key: given[key] for key in ("ar", "ac", "hd", "mv", "ml", "damage", "base", "ratio")}
        sides[side] = {"design": design} | {key: given[key] for key in ("figures", "files", "formation", "policy")}
    return Scenario.model_validate({"sides": sides, "scenario": {"in_contact": True}})


def side(design: str, figures: int, files: int, formation: str = "closed", policy: str = "advance") -> dict[str, Any]:
    """Return a side of one unit."""
    return {"design": design, "figures": figures, "files": files, "formation": formation, "policy": policy}


def fight(a: Any, b: Any, **scenario: Any) -> Scenario:
    """Return a fight of two sides."""
    return Scenario.model_validate({"sides": {"a": a, "b": b}, "scenario": scenario})


def close(a: Any, b: Any, **scenario: Any) -> Scenario:
    """Return a fight that begins in contact."""
    return fight(a, b, in_contact=True, **scenario)


def block(
    scenarios: list[Scenario], first: int, end: int, rules: Rules | None = None, key: Key = KEY, rows: int = 0
) -> tuple[Any, Any]:
    """Play battles; return the counts by setup, batch and column, and the first so many battles as rows."""
    from simkit.games.battlesystem.play import play_units

    jit.ready("simkit.games.battlesystem")
    setups = Setup.array(len(scenarios))
    for i, scenario in enumerate(scenarios):
        setups[i] = room.compile(scenario, rules or Rules())
    out = np.zeros((len(scenarios), BATCHES, len(COLUMNS), 4), np.int64)
    table = np.zeros((rows, len(COLUMNS)), np.int64)
    play_units(setups, State.scratch(), key.stream, key.tweak, first, end, out, table)
    return out, table


def counted(scenario: Scenario, rules: Rules, trials: int) -> dict[str, tuple[int, int]]:
    """Play battles; return sum and sum of squares of every column."""
    out, _ = block([scenario], 0, trials, rules)
    return {name: (int(s), int(q)) for name, (s, q) in zip(COLUMNS, out[0].sum(axis=0)[:, :2], strict=True)}


PAIRINGS: dict[str, tuple[Scenario, dict[str, Any]]] = {
    "smallest": (smallest(), {}),
    "men and orcs": (close(side("men-at-arms", 4, 2), side("orcs", 4, 2)), {}),
    "on set pikes": (
        close(side("pikemen", 6, 2), side("heavy-cavalry", 3, 3), start={"a": "set", "b": "charge"}), {},
    ),
    "a check between": (
        close(side("spearmen", 8, 4), side("medium-cavalry", 4, 2, "open"), start={"a": "set", "b": "charge"}),
        {"first_strike_morale": "between", "checks": "each"},
    ),
    "first strike by the letter": (
        close(side("orcs", 6, 3), side("spearmen", 6, 3), start={"b": "set"}), {"set_first_strike": "always"},
    ),
    "a flank": (close(side("goblins", 8, 4), side("ogres", 4, 4), contact="flank"), {"turn_to_face": True}),
    "the rear": (close(side("gnolls", 4, 4, "mob"), side("dwarves", 6, 2), contact="rear"), {"checks": "each"}),
    "no wounds": (
        close(side("hobgoblins", 12, 6), side("light-cavalry", 12, 6), start={"b": "charge"}), {"carry_wounds": False},
    ),
    "by figures": (
        close(side("kobolds", 12, 6), side("two-horse-chariots", 2, 2), start={"b": "charge"}),
        {"frontage": "figures", "chariot_damage": "average"},
    ),
    "in a swamp, to the last": (
        close(side("lizard-men", 3, 3), side("militia", 8, 4, "skirmish"), max_rounds=4,
              lane={"ground": [{"from": 0, "to": 12, "kind": "swamp"}]}),
        {"morale_half": 0, "morale_three_quarters": 0},
    ),
}  # fmt: skip
FEW = dict.fromkeys(PAIRINGS, 100_000) | {"smallest": 1_000_000, "on set pikes": 1_000_000}


def test_the_exact_chain_has_the_public_values() -> None:
    """B-LAN-19 to B-LAN-25 on figures, wounds and formations, to 1e-9 (bs-15)."""
    scenario = smallest()
    assert complaints(scenario, Rules()) == []
    found = solve(scenario, Rules())
    assert found.why == ""
    for name, value in SMALLEST["want"].items():
        assert float(found.metrics[NAMES.get(name, name)] or 0) == pytest.approx(value, abs=1e-9), name


@pytest.mark.parametrize(
    "trials",
    [None, pytest.param(10**6, marks=pytest.mark.thorough), pytest.param(10**7, marks=pytest.mark.slow)],
    ids=["few", "a million", "ten million"],
)
@pytest.mark.parametrize("name", PAIRINGS)
def test_battles_agree_with_the_chain(name: str, trials: int | None) -> None:
    """No share or mean is off with p below 1e-6 for all of a pairing together.

    A bias of a share would show (nine times in ten) from 1.1 points on in 10^5 battles, 0.35 points in 10^6 and 0.11 in
    10^7; of a mean, from 7 of its standard errors on.
    """
    scenario, changes = PAIRINGS[name]
    rules = Rules(**changes)
    trials = trials or FEW[name]
    found = solve(scenario, rules)
    assert found.why == ""
    played = counted(scenario, rules, trials)
    together = len(SHARES) + len(MEANS)
    for one in SHARES:
        exact = min(max(float(found.metrics[one] or 0), 0.0), 1.0)
        if exact < found.error:
            assert played[one][0] <= 3, one
        else:
            assert stats.binomial_tail(played[one][0], trials, min(exact, 1.0)) > 1e-6 / together, one
    for one in MEANS:
        total, squares = played[one]
        mean = total / trials
        error = np.sqrt(max(squares / trials - mean**2, 0) / trials)
        assert abs(mean - float(found.metrics[one] or 0)) <= 5.5 * error + 1e-9, one


def test_an_exchange_agrees_with_the_battles() -> None:
    """B-LAN-21: hit dice and figures lost in the first exchange, set pikes striking first, in full distribution."""
    scenario, _ = PAIRINGS["on set pikes"]
    once = Scenario.model_validate(scenario.model_dump(by_alias=True, exclude_none=True) | {
        "scenario": {"in_contact": True, "start": {"a": "set", "b": "charge"}, "max_rounds": 1}})  # fmt: skip
    trials = 20_000
    _, rows = block([once], 0, trials, rows=trials)
    for losses, killed in zip(exchange(once, Rules()), ("killed_b", "killed_a"), strict=True):
        values, counts = np.unique(rows[:, COLUMNS.index(killed)], return_counts=True)
        seen = dict(zip(values.tolist(), counts.tolist(), strict=True))
        assert set(seen) <= set(losses.hit_dice)
        assert sum(losses.hit_dice.values()) == sum(losses.figures.values()) == 1
        for value, chance in losses.hit_dice.items():
            assert stats.binomial_tail(seen.get(value, 0), trials, float(chance)) > 1e-9, (killed, value)


@pytest.mark.parametrize("change", [{"in_contact": False}, {"policy": "best"}])
def test_what_is_not_solved_says_why(change: dict[str, Any]) -> None:
    data = smallest().model_dump(by_alias=True, exclude_none=True)
    if "policy" in change:
        data["sides"]["a"]["policy"] = change["policy"]
    else:
        data["scenario"] |= change
    scenario = Scenario.model_validate(data)
    found = solve(scenario, Rules())
    assert found.metrics == {}
    assert "solved exactly" in found.why
    with pytest.raises(ValueError, match="solved exactly"):
        exchange(scenario, Rules())


# Seen in other ways

WOODS = [{"from": 4, "to": 9, "kind": "woods"}, {"from": 14, "to": 18, "kind": "rough", "height": 20}]
HERE = fight(
    side("gnolls", 12, 6), side("archers", 8, 8, policy="skirmish"), contact="flank",
    lane={"ground": WOODS, "points": [{"at": 11, "kind": "ditch"}]},
)  # fmt: skip
THERE = fight(
    side("archers", 8, 8, policy="skirmish"), side("gnolls", 12, 6), contact_b="flank",
    lane={
        "ground": [{"from": 6, "to": 10, "kind": "rough", "height": 20}, {"from": 15, "to": 20, "kind": "woods"}],
        "points": [{"at": 13, "kind": "ditch"}],
    },
)  # fmt: skip


def test_a_mirror_match_is_fair() -> None:
    """Two equal sides win equally often: in 5 x 10^4 battles a bias of 1.5 points would show."""
    alike = [{"design": "heavy-cavalry", "policy": "charge"}, {"design": "men-at-arms", "policy": "wall_advance"}]
    out, _ = block([fight({"units": alike}, {"units": alike})], 0, 50_000)
    a, b = out[0].sum(axis=0)[:2, 0].tolist()
    assert a + b > 40_000
    assert stats.binomial_tail(a, a + b, 0.5) > 1e-6


def test_sides_can_be_swapped() -> None:
    """The same fight told from the other end of the lane: every column of a side is that of the other.

    Two runs of 5 x 10^4 battles; a difference of 1.5 points in the shares of wins would show.
    """
    trials = 50_000
    here, there = (block([one], 0, trials, key=make_key(k))[0][0].sum(axis=0) for k, one in ((1, HERE), (2, THERE)))
    for i, name in enumerate(COLUMNS):
        j = COLUMNS.index({"_a": f"{name[:-2]}_b", "_b": f"{name[:-2]}_a"}.get(name[-2:], name))
        means = here[i, 0] / trials, there[j, 0] / trials
        spread = (here[i, 1] + there[j, 1]) / trials - means[0] ** 2 - means[1] ** 2
        assert abs(means[0] - means[1]) <= 5.5 * np.sqrt(max(spread, 0) / trials), name
    assert 1_000 < here[0, 0] < trials - 1_000


def test_what_a_battle_does_not_depend_on() -> None:
    """Blocks, other setups beside it, slots moved sideways, ground cut into pieces: the same battles to the last."""
    whole, rows = block([HERE, smallest()], 0, 400, rows=800)
    parts = block([HERE, smallest()], 0, 137)[0] + block([HERE, smallest()], 137, 400)[0]
    assert np.array_equal(whole, parts)
    alone, _ = block([HERE], 0, 400)
    assert np.array_equal(whole[0], alone[0])
    units = [{"design": "orcs"}, {"design": "goblins", "reserve": True}, {"design": "ogres", "figures": 5}]
    pieces = [{"from": 0, "to": 7, "kind": "clear"}, {"from": 7, "to": 20, "kind": "clear"}]
    crowds = [
        fight({"units": [{**one, "slot": first + slot} for one, slot in zip(units, (0, 0, 2), strict=True)]},
              side("heavy-cavalry", 12, 6, policy="charge") if not first else
              {"units": [{**side("heavy-cavalry", 12, 6, policy="charge"), "slot": first}]},
              lane={"ground": ground})
        for first, ground in ((0, []), (1, []), (3, pieces))
    ]  # fmt: skip
    _, rows = block(crowds, 0, 300, rows=900)
    assert np.array_equal(rows[0::3], rows[1::3])
    assert np.array_equal(rows[0::3], rows[2::3])
    assert len({tuple(row) for row in rows.tolist()}) > 100


def test_there_is_room_for_every_legal_lane() -> None:
    """B-LAN-8: the steepest lane with the most pieces and obstacles is packed, and crossed."""
    pieces = lane.MOST_PIECES
    ground = [
        {"from": 3 * i + 1, "to": 3 * i + 2, "kind": "road", "height": lane.HIGHEST} for i in range(pieces)
    ]  # fmt: skip
    points = [{"at": 3 * i + 1, "kind": "barrier"} for i in range(pieces)]
    scenario = fight(
        side("militia", 4, 4, "open"), side("orcs", 4, 4, policy="hold"), max_rounds=200,
        lane={"length": 100, "ground": ground, "points": points},
    )  # fmt: skip
    assert complaints(scenario, Rules()) == []
    setup = room.compile(scenario, Rules())
    assert setup.lanes[0].count == 51 * pieces <= HURDLES
    assert setup.lanes[0].grounds == 2 * pieces + 1 <= STRETCHES
    out, _ = block([scenario], 0, 10, Rules(rise_cost="0", obstacle_cost="0"))
    assert out[0, :, COLUMNS.index("killed_a"), 0].sum() > 0
