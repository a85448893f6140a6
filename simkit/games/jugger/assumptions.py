"""Which rulings a battle rests on.

A field of the rule set is listed when changing it alone could change an outcome of this battle. The conditions below
look at designs, map, places, policies and the other fields, never at chances: a field may be listed for something that
hardly ever comes about, but none that matters is left out.
"""

from collections.abc import Callable
from typing import NamedTuple

from simkit.games.jugger.designs import hits
from simkit.games.jugger.fray import CLOSE, Fray
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario


class Reason(NamedTuple):
    """When a field matters: in words, and as a test."""

    words: str
    holds: Callable[[Fray], bool]


def _terrain(kind: str, words: str) -> Reason:
    return Reason(
        f"there is {words} on the map, and jugs move or need to see",
        lambda f: f.lies(kind) and (f.moves or f.rules.line_of_sight),
    )


def _printed(fray: Fray) -> bool:
    plain, printed = (fray.rules.model_copy(update={"printed_hits": flag}) for flag in (False, True))
    return any(hits(jug.design, plain) != hits(jug.design, printed) for jug in fray.jugs)


def _repairs(fray: Fray) -> bool:
    return fray.has("mechanic") or any(jug.casts for jug in fray.jugs)


def _holds_twice(fray: Fray) -> bool:
    grabbing = [jug.row for jug, attack in fray.attacks if attack.special == "grab"]
    return len(grabbing) > len(set(grabbing))


def _helped(fray: Fray) -> bool:
    """Tell whether a captain may help a weapon to hit (J-CAP-5)."""
    helpers = {"artillerist", "meleer"}
    return any(jug.abilities & helpers and attack.kind not in ("kick", "spell") for jug, attack in fray.attacks)


def _routable(fray: Fray) -> bool:
    sides = (fray.scenario.sides.a, fray.scenario.sides.b)
    return fray.scenario.scenario.victory.rout_below is None and any(side.count_of_jugs > 1 for side in sides)


ATTACKED = Reason("an attack may bear", lambda f: bool(f.attacks))
MOVING = Reason("jugs move", lambda f: f.moves)
WRECKS = Reason("a jug may be lost, and others move on", lambda f: f.moves and f.several)
CAST = Reason("a wizard may cast spells", lambda f: any(jug.casts for jug in f.jugs))
PLANNED = Reason(
    "a wizard may cast spells by the defaults of the rules", lambda f: any(j.casts and j.clever for j in f.jugs)
)
REASONS = {
    "map_edge": MOVING,
    "forward_cone_deg": Reason("an attack ahead may bear by one reading alone", lambda f: f.cone_matters),
    "line_of_sight": Reason(
        "an attack may bear from afar on a map that is not plain",
        lambda f: bool(f.map.kinds()) and any(attack.reach > CLOSE for _, attack in f.attacks),
    ),
    "wizard_spaces": Reason("a wizard is aboard", lambda f: f.carries("wizard")),
    "oversize": Reason(
        "an oversize weapon that rolls for its damage may attack",
        lambda f: any(a.size > 1 and a.special in ("none", "grab", "spikes", "cauldron") for _, a in f.attacks),
    ),
    "printed_hits": Reason("a design is printed with other hits than its list gives", _printed),
    "turn_in_place": MOVING,
    "kick_to_hit": Reason("a kick may bear", lambda f: any(attack.kind == "kick" for _, attack in f.attacks)),
    "shield_arm_hits": Reason("a shield arm is aboard", lambda f: f.carries("shield_arm")),
    "declare": Reason("a side may keep an attack back", lambda f: f.chosen),
    "to_hit": ATTACKED,
    "to_hit_dice": ATTACKED,
    "to_hit_max": Reason(
        "the attack of an artillerist or meleer may bear, and hits by low rolls",
        lambda f: f.rules.to_hit == "at_most" and _helped(f),
    ),
    "critical_counts": Reason("damage may be repaired", _repairs),
    "wizard_is_piece": Reason(
        "a wizard is aboard, and jugs may be damaged", lambda f: f.carries("wizard") and f.decided
    ),
    "wreckage": WRECKS,
    "forest_loss": _terrain("forest", "forest"),
    "rubble_loss": Reason(
        "there is rubble on the map, or a wall that may fall, and jugs move or need to see",
        lambda f: f.lies("rubble", "wall") and (f.moves or f.rules.line_of_sight),
    ),
    "house_loss": _terrain("house", "a house"),
    "wreckage_loss": Reason(WRECKS.words, lambda f: f.rules.wreckage and WRECKS.holds(f)),
    "collision_sc": MOVING,
    "walls_targetable": Reason(
        "there are stone walls, and a side chooses its targets", lambda f: f.lies("wall") and f.chosen
    ),
    "ram_owner": Reason("a jug without legs may be rammed head-on", lambda f: f.meets_rams),
    "damage_velocity_cap": MOVING,
    "push_collides": Reason("a jug may be rammed", lambda f: f.rams),
    "side_kill_drives_through": Reason("a jug may be lost to a ram, and others go on", lambda f: f.rams and f.several),
    "break_roll": Reason("a jug may be held by two weapons of another", _holds_twice),
    "grab_damage": Reason("a jug may be grabbed", lambda f: f.uses("grab")),
    "grab_stops": Reason("a jug may be grabbed while jugs move", lambda f: f.moves and f.uses("grab")),
    "weapons.trebuchet.damage": Reason(
        "a trebuchet may attack", lambda f: any(attack.kind == "trebuchet" for _, attack in f.attacks)
    ),
    "fire_stacks": Reason("a jug may be set on fire", lambda f: f.uses("fire", "cauldron")),
    "cauldron_reroll": Reason("a cauldron may attack", lambda f: f.uses("cauldron")),
    "captains": Reason("a jug has no captain", lambda f: any(not jug.design.captain for jug in f.jugs)),
    "missile_from": Reason("the attack of an artillerist or meleer may bear", _helped),
    "evasion": Reason("an attack may be evaded", lambda f: f.has("evasion") and bool(f.attacks)),
    "spells_per_turn": CAST,
    "haste_stacks": CAST,
    "shield_from": PLANNED,
    "restoration_from": PLANNED,
    "strategic_roll": Reason("somebody may win, and it is counted whether he began", lambda f: f.decided),
    "rout_below": Reason("a side of several jugs has no share of its own below which it is routed", _routable),
}
"""Every ruling, and when a battle rests on it."""


def relevant(scenario: Scenario, rules: Rules) -> list[str]:
    """List the rulings (Q) that can influence a battle.

    Parameters
    ----------
    scenario
        A legal battle.
    rules
        The rule set it is fought under.

    Returns
    -------
    list of str
        Dotted paths of fields of `rules`, in the order of the rule set. Changing any other Q field alone changes no
        chance of an outcome.

    Examples
    --------
    >>> toys = {"designs": {"toy": {"size": 1, "equipment": ["ballista"]}}, "policy": "hold"}
    >>> duel = {"sides": {"a": {"design": "toy"}, "b": {"design": "toy"}}, "scenario": {"distance": 5}}
    >>> relevant(Scenario.model_validate(toys | duel), Rules())
    ['to_hit', 'to_hit_dice', 'captains', 'strategic_roll']
    """
    fray = Fray(scenario, rules)
    return [path for path, reason in REASONS.items() if reason.holds(fray)]
