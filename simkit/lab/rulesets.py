"""Rule sets to be compared: the rules of record, house rules, or several of them together, and what to play them on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simkit.core.trials import BATCHES
from simkit.games import protocol
from simkit.games.protocol import rule_fields
from simkit.lab import house, toml
from simkit.lab import plan as planning
from simkit.lab.axes import HOUSE_RULES
from simkit.lab.experiment import Range, flatten
from simkit.lab.house import Change, Loaded
from simkit.lab.inforce import HOUSE_ID, Named, named_outside
from simkit.lab.plan import Cell, Plan
from simkit.lab.problems import Problem, ProblemError, did_you_mean
from simkit.lab.shipped import shipped_folder
from simkit.lab.toml import Document
from simkit.lab.variants import CannotBeError, Changed, Variant, Variants

RECORD = ("none", "record")
"""What the rules of record are called."""

JOINT = "+"
"""Joins house rules that hold together."""

RULE_SETS = "rule sets"
"""What is named in the place of a file where the rule sets themselves are wrong."""


FEWEST, GLANCE = 16, 100
"""Units of a cell by which it is seen whether a rule set changes anything in it."""

ENOUGH = 12
"""More cells than these, in which something happens, make no experiment the better one."""

GLANCE_SECONDS = 0.5
"""About how long one experiment is looked at."""

GLANCED = 16
"""Most cells of an experiment that are looked at."""


@dataclass(frozen=True)
class RuleSet:
    """Some house rules over the rules of record.

    Attributes
    ----------
    id
        ``record``, or the ids of the house rules joined by a plus.
    title
        Its name at the table.
    loaded
        The house rules, each after those that it builds on.
    named
        How many of them were named; the others are those that they build on.
    """

    id: str
    title: str
    loaded: tuple[Loaded, ...]
    named: int = 1

    @property
    def why(self) -> str:
        """Why anybody would play it."""
        return " ".join(one.rule.why for one in self.loaded[-1:]) if self.named == 1 else ""

    def __str__(self) -> str:
        return self.title


class RuleChange:
    """One rule that a rule set changes."""

    def __init__(self, game: protocol.Game, row: protocol.RuleField) -> None:
        self.path, self.was, self.now = row.path, row.default, row.value
        self.id, self.source, self.says = row.id, row.source, row.says
        self.title = game.axis_title(row.path)
        self.was_label, self.now_label = (spelt(game, row.path, value) for value in (row.default, row.value))

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return dict(vars(self))


def spelt(game: protocol.Game, path: str, value: Any) -> str:
    """Write the value of a rule as a player would."""
    if value is None:
        return "not there"
    word = game.label(path, value)
    if word is not None:
        return word
    if isinstance(value, bool):
        return "on" if value else "off"
    return value.replace("_", " ") if isinstance(value, str) else house.toml_text(value)


def read(references: Sequence[str], game: str | None = None) -> list[RuleSet]:
    """Read rule sets by what they are called on the command line.

    Parameters
    ----------
    references
        Each ``none`` or ``record`` (the rules of record), a house rule by id or by file, or several joined by ``+``.
    game
        The game that they are for; found from the files where it is None.

    Raises
    ------
    ProblemError
        A house rule is not there, is for another game than the first, is wrong, or is named twice; all of it at once.
    """
    _check_names(references)
    known = game or game_of(references)
    found, problems, sources = list[RuleSet](), list[Problem](), dict[str, str]()
    named = iter(named_outside([part for text in references for part in _parts(text)]))
    for text in references:
        try:
            found.append(_made([next(named) for _ in _parts(text)], known))
        except ProblemError as error:
            problems += error.problems
            sources |= error.sources
    if problems:
        raise ProblemError(problems, sources)
    _check_apart(found)
    return found


def _parts(text: str) -> list[str]:
    if text in RECORD:
        return []
    return [part.strip() for part in text.split(JOINT)]


def _check_names(references: Sequence[str]) -> None:
    """Refuse a rule set without a name, and one that is joined to itself."""
    problems = []
    for text in references:
        parts = _parts(text)
        twice = next((part for k, part in enumerate(parts) if part in parts[:k]), None)
        if "" in parts:
            message = f"'{text[:80]}' lacks the name of a house rule"
            help = "an id, a file, or none; a+b for two that hold together"
        elif twice is not None:
            message, help = f"'{twice[:80]}' is joined to itself", "name it once"
        else:
            continue
        problems.append(Problem("value", message, RULE_SETS, help=help))
    if problems:
        raise ProblemError(problems)


def _check_apart(sets: Sequence[RuleSet]) -> None:
    """Refuse rule sets that are the same, and two files that go by the same id."""
    files: dict[str, Path] = {}
    problems, seen = [], list[tuple[Path, ...]]()
    for one in sets:
        for each in one.loaded:
            path = Path(each.document.path).resolve()
            if files.setdefault(each.id, path) != path:
                message = f"two house rules go by the id '{each.id}': {files[each.id]} and {path}"
                problems.append(Problem("meaning", message, RULE_SETS, help="rename one of the files"))
        own = tuple(Path(each.document.path).resolve() for each in one.loaded)
        if own in seen:
            message = f"a rule set stands there twice: {one.title}"
            problems.append(Problem("shape", message, RULE_SETS, help="leave one of them out"))
        seen.append(own)
    if problems:
        raise ProblemError(problems)


def game_of(references: Sequence[str]) -> str:
    """Return the game of the first house rule among rule sets.

    Parameters
    ----------
    references
        As :func:`read` takes them.

    Raises
    ------
    ProblemError
        There is no house rule among them, or it is not there.
    """
    named = [part for text in references for part in _parts(text)]
    if not named:
        message = "these are the rules of record alone: there is nothing to compare"
        raise ProblemError([Problem("meaning", message, RULE_SETS, help="name a house rule, by id or by file")])
    there = {one: name for name in reversed(protocol.find()) for one in house.available(Path(), name)}
    first = next((one for one in named if one in there or not HOUSE_ID.fullmatch(one)), None)
    if first is None:
        problems = []
        for one in dict.fromkeys(named):
            close = did_you_mean(one, there)
            hint = f"did you mean '{close}'? " if close else ""
            message = f"no house rule is called '{one[:80]}'"
            problems.append(Problem("file", message, RULE_SETS, help=f"{hint}there are: {', '.join(sorted(there))}"))
        raise ProblemError(problems)
    if first in there:
        return there[first]
    data = toml.read(Path(first)).data
    found = data.get("for")
    if not isinstance(found, str) or found not in protocol.find():
        if "game" in data:
            message, help = "this is an experiment, not a house rule", "play it with simkit run, or give it to --on"
        else:
            message, help = "this is no house rule of a known game", f"for = one of {', '.join(protocol.find())}"
        raise ProblemError([Problem("file", message, first, help=help)])
    return found


def _made(named: Sequence[Named], game: str) -> RuleSet:
    if not named:
        return RuleSet("record", "the rules of record", ())
    loaded: dict[str, Loaded] = {}
    titles, ids = [], []
    for one in named:
        chain = house.load(one.reference, one.near, game, one.origin)
        loaded |= {each.id: each for each in chain}
        titles.append(chain[-1].rule.title)
        ids.append(chain[-1].id)
    made = RuleSet(JOINT.join(ids), " + ".join(f"'{title}'" for title in titles), tuple(loaded.values()), len(ids))
    change = Change.of(protocol.load(game))
    for each in made.loaded:
        change.apply(each)
    change.rules()
    return made


def changes(game: protocol.Game, one: RuleSet) -> list[RuleChange]:
    """List what a rule set changes in the rules of record."""
    change = Change.of(game)
    for each in one.loaded:
        change.apply(each)
    return [RuleChange(game, row) for row in rule_fields(change.rules()) if row.value != row.default]


def field_of(document: Document) -> Document:
    """Return an experiment as a field for rule sets: without house rules of its own, in its list or on an axis.

    An axis of house rules is dropped; a comparison along it with it. What it sets otherwise stays.
    """
    data = {key: value for key, value in document.data.items() if key != HOUSE_RULES}
    sweep = data.get("sweep")
    if isinstance(sweep, dict) and HOUSE_RULES in sweep.get("axes", {}):
        own = {name: axis for name, axis in sweep["axes"].items() if name != HOUSE_RULES}
        own = _once(own) if sweep.get("mode") == "zip" else own
        data["sweep"] = {**sweep, "axes": own}
        if not own:
            del data["sweep"]
        if HOUSE_RULES in data.get("compare", {}).get("baseline", {}):
            del data["compare"]
    return Document(data, document.path, document.text)


def _once(own: Mapping[str, Any]) -> dict[str, Any]:
    """Return zip axes with every combination once."""
    lists = {
        name: Range.model_validate(axis).values() if isinstance(axis, dict) else axis for name, axis in own.items()
    }
    if not lists:
        return {}
    rows = [list(row) for row in zip(*lists.values(), strict=False)]
    kept = [row for i, row in enumerate(rows) if row not in rows[:i]]
    return {name: [row[k] for row in kept] for k, name in enumerate(lists)}


class LeftOut(NamedTuple):
    """A cell that cannot be played under all rule sets."""

    cell: int
    title: str
    under: str
    why: str


@dataclass(frozen=True)
class Field:
    """Cells of an experiment under several rule sets.

    Attributes
    ----------
    plan
        The experiment without house rules of its own.
    sets
        The rule sets; the others are compared with the first.
    cells
        The cells that can be played under all of them.
    variants
        For each rule set these cells under it.
    left_out
        The other cells.
    overruled
        Rules that the experiment sets itself, so that a rule set cannot change them there.
    """

    plan: Plan
    sets: Sequence[RuleSet]
    cells: Sequence[Cell]
    variants: Sequence[Sequence[Variant]]
    left_out: Sequence[LeftOut]
    overruled: Sequence[str]

    def moved(self, which: int) -> list[bool]:
        """Tell for every cell whether a rule set may change anything in it: its setup differs."""
        return [a.fingerprint != b.fingerprint for a, b in zip(self.variants[0], self.variants[which], strict=True)]


def laid(plan: Plan, sets: Sequence[RuleSet]) -> Field:
    """Put every cell of a plan under every rule set.

    A cell that is illegal under one of them is left out, and so is one whose baseline is.
    """
    rooms = [Variants(plan, instead=one.loaded) for one in sets]
    rows: dict[int, list[Variant]] = {}
    left_out: dict[int, LeftOut] = {}
    for i, cell in enumerate(plan.cells):
        made = []
        for one, room in zip(sets, rooms, strict=True):
            try:
                made.append(room.make(cell, Changed()))
            except CannotBeError as error:
                left_out[i] = LeftOut(cell.number, cell.title, one.title, str(error))
                break
        else:
            rows[i] = made
    for i, cell in enumerate(plan.cells):
        if i in rows and cell.baseline in left_out:
            theirs = left_out[cell.baseline]
            left_out[i] = LeftOut(cell.number, cell.title, theirs.under, f"its baseline cannot be: {theirs.why}")
            del rows[i]
    kept = sorted(rows)
    own = (path for path, _ in flatten(plan.experiment.set))
    taken = {*own, *plan.experiment.sweep.axes, *plan.rule_overrides}
    paths = {change.path for one in sets for change in changes(plan.game, one)}
    variants = tuple(tuple(rows[i][k] for i in kept) for k in range(len(sets)))
    out = tuple(left_out[i] for i in sorted(left_out))
    return Field(plan, tuple(sets), tuple(plan.cells[i] for i in kept), variants, out, sorted(paths & taken))


def check_moving(field: Field) -> None:
    """Refuse to compare where there is nothing to be seen: nothing can be played, or nothing differs.

    Raises
    ------
    ProblemError
        Naming the rule set and why.
    """
    path, help = field.plan.document.path, "compare on another experiment: --on FILE"
    out = field.left_out[0] if field.left_out else None
    illegal = "" if out is None else f"cell {out.cell} ({out.title}) cannot be played under {out.under}: {out.why}"
    if not field.cells:
        raise ProblemError([Problem("rule", f"no cell can be played under all rule sets: {illegal}", path, help=help)])
    for k, one in enumerate(field.sets[1:], start=1):
        if not any(field.moved(k)):
            why = "it sets up the same in every cell"
            if field.overruled:
                why = f"the experiment sets '{field.overruled[0]}' itself"
            elif out is not None:
                count = f"{len(field.left_out):,} of {len(field.plan.cells):,} cells"
                why = f"where it can be played it changes nothing, and {count} cannot be: {illegal}"
                help = "what may be built is a question for simkit balance; or compare on another experiment: --on FILE"
            message = f"{one.title} cannot be told from {field.sets[0].title} here: {why}"
            raise ProblemError([Problem("meaning", message, path, help=help)], field.plan.document.sources)


def fitting(sets: Sequence[RuleSet], game: str) -> Path:
    """Return the shipped question that tells most of some rule sets.

    That is one that names one of them itself; else one in which they change what happens in many cells, as far as a
    few units of some of them show; of several the quickest.

    Raises
    ------
    ProblemError
        They change nothing in any of them.
    """
    protocol.load(game).ready()
    ids = {one.id for each in sets for one in each.loaded}
    documents = {path: toml.read(path) for path in sorted(shipped_folder().glob("*.toml"))}
    asked = [path for path, document in documents.items() if document.data.get("game") == game]
    named = [path for path in asked if _names(documents[path].data, ids)]
    for some in (named, [path for path in asked if path not in named]):
        found = [rank for path in some if (rank := _rank(documents[path], sets)) is not None]
        if found:
            return Path(min(found)[-1])
    names = ", ".join(one.title for one in sets[1:])
    message = f"no shipped question of {game} is changed by {names}"
    help = "name an experiment with --on FILE; what may be built is a question for simkit balance"
    raise ProblemError([Problem("meaning", message, RULE_SETS, help=help)])


def _rank(document: Document, sets: Sequence[RuleSet]) -> tuple[float, float, str] | None:
    """Return how well an experiment shows what rule sets do, the least the best; None where it shows nothing."""
    try:
        plan = planning.make(field_of(document))
    except ProblemError:  # not one to be played as it stands: designs that another command puts on the sides
        return None
    field = laid(plan, sets)
    cells = min(_stirred(field) * len(field.cells), ENOUGH)
    return (-cells, plan.seconds(1), document.path) if cells > 0 else None


def _stirred(field: Field) -> float:
    """Return in what share of some cells every rule set changes what happens, as a few units show."""
    game, columns = field.plan.game, len(field.plan.game.OUTCOMES)
    order = sorted(range(len(field.cells)), key=lambda i: field.variants[0][i].fingerprint + field.cells[i].fingerprint)
    some = order[:GLANCED]  # by their hashes: every so many of a grid would all lie on one value of an axis
    cost = game.GAMES_A_UNIT * sum(game.nanoseconds(row[i].setup) for row in field.variants for i in some)
    units = int(min(GLANCE, max(FEWEST, GLANCE_SECONDS * 1e9 / max(cost, 1.0))))
    state, seen = game.new_state(), 0
    for i in some:
        setups = game.pack([row[i].setup for row in field.variants])
        out = np.zeros((len(field.sets), BATCHES, columns, 4), np.int64)
        game.play_block(setups, state, field.plan.key, 0, units, out)
        seen += all((out[k, :, :, 0] != out[0, :, :, 0]).any() for k in range(1, len(field.sets)))
    return seen / max(1, len(some))


def _names(data: Mapping[str, Any], ids: set[str]) -> bool:
    """Tell whether an experiment names one of these house rules."""
    axis = data.get("sweep", {}).get("axes", {}).get(HOUSE_RULES, [])
    named = [*data.get(HOUSE_RULES, []), *(one for some in axis for one in some)]
    return bool(ids & {Path(one).stem for one in named})
