"""The rules in force beside any experiment: those of record, house rules over them, then single values."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from simkit.games import protocol
from simkit.lab import house, toml
from simkit.lab.experiment import flatten
from simkit.lab.house import Change, Origin
from simkit.lab.problems import Problem, ProblemError
from simkit.lab.toml import Document

HOUSE_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class Named(NamedTuple):
    """A house rule that is named somewhere."""

    reference: str
    """Its id, or its file."""
    near: Path
    """The folder from which it is looked for."""
    origin: Origin


def named_by(document: Document) -> list[Named]:
    """List the house rules that a file names."""
    near = Path(document.path).parent
    references = document.data.get("house_rules", [])
    return [Named(one, near, Origin(document, ("house_rules", i))) for i, one in enumerate(references)]


def named_outside(wanted: Sequence[str]) -> list[Named]:
    """List house rules that are named on the command line, by id or by file.

    Raises
    ------
    ProblemError
        A file is not there, or cannot be read.
    """
    document = toml.parse(f"house = {house.toml_text(list(wanted))}", "--house")
    found, problems, sources = [], list[Problem](), dict[str, str]()
    for i, text in enumerate(wanted):
        path, by_id = Path(text), HOUSE_ID.fullmatch(text) is not None
        try:
            if not by_id:
                toml.read(path)
        except ProblemError as error:
            problems += error.problems
            sources |= error.sources
        near = Path() if by_id else path.parent
        found.append(Named(text if by_id else path.name, near, Origin(document, ("house", i))))
    if problems:
        raise ProblemError(problems, sources)
    return found


def settle(
    game: protocol.Game,
    named: Iterable[Named] = (),
    document: Document | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Any:
    """Return the rules in force: of record, house rules, ``[set]`` of a file, ``--set``; the later the stronger.

    Parameters
    ----------
    game
        Whose rules.
    named
        House rules in their order.
    document
        A file with a ``[set]`` table, if there is one.
    overrides
        Values by dotted path that win over everything else.

    Raises
    ------
    ProblemError
        With every problem there is.
    """
    change, problems, sources = Change.of(game), list[Problem](), dict[str, str]()
    loaded: dict[str, house.Loaded] = {}
    for one in named:
        try:
            chain = house.load(one.reference, one.near, game.NAME, one.origin)
        except ProblemError as error:
            problems += error.problems
            sources |= error.sources | one.origin.document.sources
        else:
            loaded |= {each.id: each for each in chain}
    for each in loaded.values():
        change.apply(each)
    if document is not None:
        for path, value in flatten(document.data.get("set", {})):
            keys = house.document_path(document.data["set"], path, ("set",))
            change.put(path, value, Origin(document, keys))
    if overrides:
        text = "\n".join(f"{house.toml_text(path)} = {house.toml_text(value)}" for path, value in overrides.items())
        settings = toml.parse(text, "--set")
        for path, value in flatten(settings.data):
            change.put(path, value, Origin(settings, house.document_path(settings.data, path, ())))
    try:
        rules = change.rules()
    except ProblemError as error:
        raise ProblemError([*problems, *error.problems], sources | error.sources) from error
    if problems:
        raise ProblemError(problems, sources)
    return rules


class Changed(NamedTuple):
    """A rule that is not that of record, in one rule set at least."""

    path: str
    record: Any
    values: tuple[Any, ...]
    id: str


def changed(every: Iterable[Any]) -> list[Changed]:
    """List the rules that are not those of record, with the values that they have in some rule sets.

    Examples
    --------
    >>> game = protocol.load("pigtickler")
    >>> changed([settle(game), settle(game, overrides={"bogs.swamp": -4})])[0][:3]
    ('bogs.swamp', -3, (-4,))
    """
    found: dict[str, Changed] = {}
    for rules in {id(one): one for one in every}.values():
        for row in protocol.rule_fields(rules):
            if row.value != row.default:
                known = found.setdefault(row.path, Changed(row.path, row.default, (), row.id))
                if row.value not in known.values:
                    found[row.path] = known._replace(values=(*known.values, row.value))
    return list(found.values())


def plain(changes: Iterable[Changed]) -> list[dict[str, Any]]:
    """Return changed rules as plain data."""
    return [{"path": one.path, "id": one.id, "record": one.record, "values": list(one.values)} for one in changes]
