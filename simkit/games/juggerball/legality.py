"""What is wrong with a match under the rules: designs, random jugs, the field (J-DES-1, J-BALL-7, J-BALL-22)."""

from collections.abc import Iterator

from simkit.games.jugger import aliases, designs
from simkit.games.jugger.designs import IMPROVEMENTS, Design, UnknownDesignError
from simkit.games.jugger.items import KeyPath
from simkit.games.jugger.legality import dice_of, different_dice
from simkit.games.juggerball import fields
from simkit.games.juggerball.fields import PlayField
from simkit.games.juggerball.roster import design_of, number_of
from simkit.games.juggerball.rules import Rules
from simkit.games.juggerball.scenario import RANDOM, SIDES, Scenario, SideName
from simkit.games.protocol import Complaint

FIELD: KeyPath = ("scenario", "field")


def complaints(scenario: Scenario, rules: Rules) -> list[Complaint]:
    """Return every reason why a match is illegal under these rules; empty when it is legal.

    Examples
    --------
    >>> wrong = {"scenario": {"field": "pich"}, "sides": {"a": {"fixed": {"items": ["lever"]}}}}
    >>> [one.message for one in complaints(Scenario.model_validate(wrong), Rules())]
    ["no improvement is called 'lever'", "no field is called 'pich'"]
    """
    found = [*_designs(scenario, rules), *_fixed(scenario, rules), *_legs(scenario, rules), *_values(scenario)]
    field = scenario.scenario.field
    if isinstance(field, PlayField):
        return found + fields.complaints(field, FIELD)
    if field not in fields.load():
        hint = aliases.suggestion(field, fields.load())
        found.append(Complaint(FIELD, f"no field is called '{field}'", "J-BALL-7", hint))
    return found


def _designs(scenario: Scenario, rules: Rules) -> Iterator[Complaint]:
    for name, design in scenario.designs.items():
        yield from designs.complaints(design, rules, ("designs", name))
        yield from dice_of(design, rules, ("designs", name, "equipment"))
    known: list[Design] = []
    for side in SIDES:
        for k, jug in enumerate(scenario.side(side).jugs or []):
            path: KeyPath = ("sides", side, "jugs", k)
            try:
                found = design_of(scenario, jug)
            except UnknownDesignError:
                yield Complaint(path, f"no design is called '{jug}'", "J-ARM-1", _hint(scenario, str(jug)))
                continue
            if found is None or (isinstance(jug, str) and jug in scenario.designs):
                continue
            known.append(found)
            wrong = [*designs.complaints(found, rules, path), *dice_of(found, rules, (*path, "equipment"))]
            if isinstance(jug, Design):
                yield from wrong
            elif wrong:
                yield wrong[0]._replace(path=path, message=f"'{jug}' is not legal: {wrong[0].message}")
    yield from different_dice([*known, *scenario.designs.values()], rules)


def _hint(scenario: Scenario, name: str) -> str:
    return aliases.suggestion(name, [RANDOM, *scenario.designs, *designs.load()])


def _fixed(scenario: Scenario, rules: Rules) -> Iterator[Complaint]:
    """Complain about improvements that random jugs cannot have together (J-BALL-22)."""
    for side in SIDES:
        fixed = scenario.side(side).fixed
        if fixed is None:
            continue
        path: KeyPath = ("sides", side, "fixed", "items")
        numbers = [number_of(name) for name in fixed.items]
        for i, (name, number) in enumerate(zip(fixed.items, numbers, strict=True)):
            if number is None:
                hint = aliases.suggestion(name, [*IMPROVEMENTS, *aliases.STANDARD])
                yield Complaint((*path, i), f"no improvement is called '{name}'", "J-BALL-22", hint)
        special = [IMPROVEMENTS[n - 1] for n in numbers if n and IMPROVEMENTS[min(n, 8) - 1] in designs.ONCE and n <= 8]
        together = len(special) > 1 and (
            len(set(special)) < len(special) or "legs" in special or rules.special_limit == "one_of_three"
        )
        if together:
            names = " and ".join(special)
            yield Complaint(path, f"a jug cannot have {names} together", "J-BALL-22", "keep one of them")


def _values(scenario: Scenario) -> Iterator[Complaint]:
    for side in SIDES:
        policy = scenario.policy_of(side)
        if scenario.side(side).values is not None and policy in ("hold", "random"):
            message = f"side {side} has values, and a player who values nothing: '{policy}'"
            yield Complaint(_path(side), message, "J-BALL-25", 'policy = "chase" or "greedy"')


def _path(side: SideName) -> KeyPath:
    return ("sides", side, "values")


def _legs(scenario: Scenario, rules: Rules) -> Iterator[Complaint]:
    """Complain about more jugs on legs than a team may have (J-BALL-22)."""
    for side in SIDES:
        fixed, jugs = scenario.side(side).fixed, scenario.side(side).every_jug
        count = 0
        for k, jug in enumerate(jugs):
            try:
                design = design_of(scenario, jug)
                count += design is not None and design.count("legs") > 0
            except (UnknownDesignError, ValueError):
                continue  # complained of elsewhere
            if design is None and fixed is not None and k < fixed.jugs:
                count += any(aliases.equipment(name) == "legs" for name in fixed.items)
        if count > rules.legs_per_team:
            message = f"side {side} has {count} jugs on legs; a team may have {rules.legs_per_team}"
            yield Complaint(("sides", side), message, "J-BALL-22", "fewer of them, or a higher legs_per_team")
