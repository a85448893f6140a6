"""Who plays where: names, improvements and places of a match, as a retelling needs them."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from simkit.games.jugger.aliases import STANDARD
from simkit.games.jugger.cast import Cast, Member, Start, captain_titles
from simkit.games.jugger.compile import Aboard
from simkit.games.jugger.designs import IMPROVEMENTS, REGULATION_SIZE, Design, captains, hits
from simkit.games.jugger.happenings import BOLT, FIREBALL, KICK, Happening, happened
from simkit.games.jugger.happenings import Purpose as BattlePurpose
from simkit.games.jugger.items import Item
from simkit.games.jugger.records import Jug
from simkit.games.jugger.scenario import SideName
from simkit.games.jugger.staging import DICE, pieces_of
from simkit.games.juggerball.fields import TEAM
from simkit.games.juggerball.follow import PLACING, STEPPING, TOUCHING, Follower
from simkit.games.juggerball.happenings import Purpose, What
from simkit.games.juggerball.kinds import FIRST_WEAPON, ILLEGAL, Improvement
from simkit.games.juggerball.roster import field_of, given, roster, title
from simkit.games.juggerball.rules import Rules
from simkit.games.juggerball.scenario import RANDOM, SIDES, Scenario
from simkit.games.juggerball.story import house
from simkit.games.juggerball.teller import Announcer


def cast(scenario: Scenario, rules: Rules, seat: int, rows: Any) -> Cast:
    """Return who plays where in a match; what random jugs have is read from its events.

    Parameters
    ----------
    scenario, rules
        What was set up.
    seat
        Seat of side a, as in ``game.play_one``: 1 when the seats are swapped.
    rows
        The events of the match.
    """
    order = SIDES[::-1] if seat else SIDES
    field = field_of(scenario)
    rolled = rolled_items(happened(rows), anew=rules.illegal == "reroll_jug")
    called = [_called(scenario, name, k) for name in order for k in range(TEAM)]
    designs = [_design(scenario, order, at, k, rolled) for at in range(len(order)) for k in range(TEAM)]
    members = []
    for slot, design in enumerate(designs):
        side, k = divmod(slot, TEAM)
        q, r = field.posts(side)[k]
        abilities = tuple(
            word
            for word, known in zip(captain_titles(), captains()["abilities"], strict=True)
            if known in design.abilities
        )
        members.append(
            Member(
                *called[slot],
                side,
                design.size,
                hits(design, rules),
                Start(q, r, 3 * side),
                pieces_of(design, rules, Jug.pack(Aboard(rules).jug(design))),
                abilities,
            )
        )
    labels = {name: scenario.side(name).title or name.upper() for name in SIDES}
    return Cast(
        jugs=tuple(members),
        sides=tuple(labels[name] for name in order),
        map=field.map(goals=True),
        swapped=seat == 1,
        dice={
            BattlePurpose.CAPTAIN: "1d10",
            **{purpose: str(getattr(rules, name)) for purpose, name in DICE.items()},
            Purpose.KICK: rules.ball_kick_dice,
            Purpose.ROLL: rules.ball_roll_dice,
            **dict.fromkeys((Purpose.SPINE, Purpose.BOUNCE, Purpose.HEAD_ON), "1d6"),
        },
        bare_dice={KICK: rules.kick_dice, FIREBALL: rules.fireball_damage, BOLT: rules.bolt_damage},
        ram_bonus=rules.ram_bonus,
        at_least=rules.to_hit == "at_least",
        fires_stack=rules.fire_stacks,
        multiplies=rules.oversize == "multiply",
        cauldron_reroll=rules.cauldron_reroll,
        cauldron_every=rules.cauldron_every,
        grab_stops=rules.grab_stops,
        drag_top_velocity=rules.drag_top_velocity,
        drive_through_loss=rules.drive_through_loss,
        strategic_roll=False,
        follower=partial(Follower, ball=field.ball),
        teller=partial(
            Announcer,
            policies=[scenario.policy_of(name) for name in order],
            house=house(rules),
            six=rules.ball_headings == 6,
        ),
        placing=PLACING,
        stepping=STEPPING,
        scoring=int(What.GOAL),
        touching=TOUCHING,
    )


def _called(scenario: Scenario, side: SideName, number: int) -> tuple[str, str]:
    """Return what a jug is called, which begins with its code, and its design: random ones have none of their own."""
    code = f"{side.upper()}{number + 1}"
    jug, named = scenario.side(side).every_jug[number], title(scenario, side, number)
    own = jug != RANDOM and named != f"Jug {number + 1}"
    return (f"{code} {named}", named) if own else (code, code)


def rolled_items(rows: Any, *, anew: bool = False) -> dict[int, list[Item]]:
    """Return the improvements that jugs rolled at the set-up, by slot, from the events (J-BALL-22).

    `anew`: an illegal roll is the end of all rolls before it, too.
    """
    found: dict[int, list[Item]] = {}
    for row in rows:
        if row.what != What.ITEM or row.turn > 0:
            continue
        items = found.setdefault(row.jug, [])
        if row.extra < ILLEGAL:
            items.append(item_of(row))
        elif anew:
            items.clear()
    return found


def item_of(row: Happening) -> Item:
    """Return the improvement of an event."""
    if row.value == Improvement.WEAPON:
        return Item(STANDARD[row.extra % ILLEGAL - 1])
    return Item(IMPROVEMENTS[row.value - 1])


def _design(scenario: Scenario, order: Sequence[SideName], at: int, k: int, rolled: dict[int, list[Item]]) -> Design:
    """Return what jug k of a seat is built as: by its list, or by what it, or the one it mirrors, has rolled."""
    name = "a" if scenario.side(order[at]).team == "mirror" else order[at]
    design = roster(scenario, name)[k]
    if design is not None:
        return design
    fixed = [_fixed(number) for number in given(scenario, name)[k] if number]
    items = rolled.get(order.index(name) * TEAM + k, [])
    return Design.of(REGULATION_SIZE, [*fixed, *items], regulation=True)


def _fixed(number: int) -> Item:
    """Return the improvement of a number (see :func:`~simkit.games.juggerball.roster.number_of`)."""
    return Item(IMPROVEMENTS[number - 1] if number <= FIRST_WEAPON else STANDARD[number - FIRST_WEAPON - 1])


def settled(scenario: Scenario, rules: Rules, key: Any, trial: int) -> dict[str, list[dict[str, Any]]]:
    """Return the jugs of both sides as they are in one unit of trials, each as the table of a design in a file.

    What is random is rolled at the addresses of that trial, so that a team can be rolled once and stay as it is
    (J-BALL-22).

    Parameters
    ----------
    scenario, rules
        A legal match.
    key, trial
        As in ``game.play_one``.
    """
    from simkit.games.juggerball import game

    brief = scenario.scenario.model_copy(update={"max_turns": 1})
    short = scenario.model_copy(update={"policy": "hold", "scenario": brief})
    rolled = rolled_items(game.trace(game.compile(short, rules), key, trial).rows, anew=rules.illegal == "reroll_jug")
    return {
        side: [_design(scenario, SIDES, at, k, rolled).model_dump(exclude_defaults=True) for k in range(TEAM)]
        for at, side in enumerate(SIDES)
    }
