"""The rules of a game as people read them: fields with a house rule laid over, and passages of the rulebook."""

import re
from pathlib import Path

from simkit.games import protocol
from simkit.games.protocol import RuleField
from simkit.lab import house, toml
from simkit.lab.house import Change, Origin

ID = re.compile(r"\b[A-Z]-[A-Z]{2,4}-\d+\b")


def rows_with(game: str, file: Path | None) -> tuple[list[RuleField], str]:
    """Return every field of a game, under a house rule if one is given, and the house rule's title.

    Raises
    ------
    ProblemError
        The house rule is wrong.
    """
    module = protocol.load(game)
    if file is None:
        return protocol.rule_fields(module.Rules()), ""
    if file.suffix == ".toml":
        toml.read(file)  # a file that is not there, or cannot be read, is said so
    document = toml.parse(f"file = {house.toml_text(file.name)}", str(file))
    loaded = house.load(file.name, file.parent, game, Origin(document, ("file",)))
    change = Change.of(module)
    for one in loaded:
        change.apply(one)
    return protocol.rule_fields(change.rules()), loaded[-1].rule.title


def passages(game: str, which: str) -> list[str]:
    """Return the lines of the rulebook that state a rule id.

    Examples
    --------
    >>> passages("pigtickler", "P-LIN-3")[0]
    "P-LIN-3 R  An impassable one can't be crossed."
    """
    if not ID.fullmatch(which):
        return []
    lines = [line.strip() for line in protocol.rulebook(game).splitlines()]
    found: list[str] = []
    for i, line in enumerate(lines):
        if line.startswith(f"- {which} "):
            passage = [line[2:]]
            for more in lines[i + 1 :]:
                if not more or more.startswith(("-", "#", "|")):
                    break
                passage.append(more)
            found.append(" ".join(passage).replace("**", "").replace("`", ""))
    return found


def sections(game: str) -> dict[str, str]:
    """Return the heading of the rulebook under which each rule id is stated.

    Examples
    --------
    >>> sections("pigtickler")["P-LIN-3"]
    'Linear obstacles'
    """
    heading = ""
    found: dict[str, str] = {}
    for line in protocol.rulebook(game).splitlines():
        if line.startswith("## "):
            heading = line[3:].strip()
        stated = re.match(rf"- ({ID.pattern}) ", line)
        if stated is not None:
            found.setdefault(stated[1], heading)
    return found


def ids(game: str) -> list[str]:
    """List the rule ids of a game's rulebook in their order."""
    return list(dict.fromkeys(ID.findall(protocol.rulebook(game))))
