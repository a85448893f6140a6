"""House rules: small files of changed values that anybody can share.

A house rule says which game it is for, why, and which values change. It never holds code.
``[set]`` changes what exists (with a guard ``{was = 1, now = 2}`` it fails when the rules of record
have moved), ``[add.TABLE]`` adds an entry to a table of the rules, ``[remove]`` takes entries out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from simkit.games import protocol
from simkit.lab import toml
from simkit.lab.experiment import DEVICES, NAME, Schema, Text, flatten
from simkit.lab.problems import Problem, ProblemError, did_you_mean, from_pydantic
from simkit.lab.shipped import shipped_folder
from simkit.lab.strict import STRICT
from simkit.lab.toml import Document

MOST_HOUSE_RULES = 64
"""Most house rules that one experiment or house rule may gather."""


class HouseRule(BaseModel):
    """A file of changed rule values."""

    model_config = STRICT

    schema_: Schema = Field(1, alias="schema", description="version of the file format: 1")
    for_: Annotated[str, Field(max_length=64)] = Field(alias="for", description="the game whose rules it changes")
    title: Text = Field(description="its name at the table")
    why: Text = Field(description="why anybody would play it")
    house_rules: Annotated[list[Text], Field(max_length=MOST_HOUSE_RULES)] = Field(
        default_factory=list, description="house rules this one builds on"
    )
    set: dict[str, Any] = Field(default_factory=dict, description="changed values by dotted path")
    add: dict[str, dict[str, Any]] = Field(default_factory=dict, description="new entries of a table of the rules")
    remove: dict[str, list[Text]] = Field(default_factory=dict, description="entries taken out of a table")


@dataclass(frozen=True)
class Loaded:
    """A house rule with its file."""

    id: str
    rule: HouseRule
    document: Document


@dataclass(frozen=True)
class Origin:
    """Which file set a rule, and where: what an error points at."""

    document: Document
    key_path: tuple[str | int, ...]


@dataclass
class Change:
    """The rules of a game as data while changes are laid over them."""

    game: protocol.Game
    data: dict[str, Any]
    origins: dict[str, Origin] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, game: protocol.Game) -> "Change":
        """Start from the rules of record."""
        return cls(game, game.Rules().model_dump())

    def paths(self) -> list[str]:
        """List the dotted paths there are."""
        return [path for path, _ in flatten(self.data)]

    def put(self, path: str, value: Any, origin: Origin) -> None:
        """Change one existing value."""
        self.sources |= origin.document.sources
        if isinstance(value, dict) and set(value) == {"was", "now"}:
            found = get(self.data, path)
            if path in self.paths() and (type(found) is not type(value["was"]) or found != value["was"]):
                self.complain(
                    origin, "override", f"'{path}' is {toml_text(found)} now, not {toml_text(value['was'])}",
                    help="the rules have moved since this was written; look again, then mend the guard",
                )  # fmt: skip
                return
            value = value["now"]
        if path not in self.paths():
            close = did_you_mean(path, self.paths())
            hint = f"did you mean '{close}' (now {toml_text(get(self.data, close))})? " if close else ""
            self.complain(
                origin,
                "override",
                f"the rules of {self.game.NAME} have no value called '{path}'",
                help=f"{hint}all names: simkit rules {self.game.NAME}",
            )
            return
        place(self.data, path, value)
        self.origins[path] = origin

    def complain(self, origin: Origin, kind: str, message: str, help: str | None = None) -> None:
        """Note a problem at the place that caused it."""
        document = origin.document
        self.problems.append(Problem(kind, message, document.path, document.where(origin.key_path), help))

    def apply(self, loaded: Loaded) -> None:
        """Lay a house rule over the rules."""
        document, rule = loaded.document, loaded.rule
        for path, value in flatten(rule.set):
            self.put(path, value, Origin(document, document_path(document.data["set"], path, ("set",))))
        self.sources |= document.sources
        for table, entries in rule.add.items():
            for name, value in sorted(entries.items()):
                origin = Origin(document, ("add", table, name))
                if not isinstance(self.data.get(table), dict):
                    tables = ", ".join(key for key, content in self.data.items() if isinstance(content, dict))
                    self.complain(origin, "override", f"nothing can be added to '{table}'", f"tables: {tables}")
                elif name in self.data[table]:
                    self.complain(origin, "override", f"'{table}.{name}' is there already", "change it under [set]")
                else:
                    self.data[table][name] = value
                    self.origins[f"{table}.{name}"] = origin
        for table, names in rule.remove.items():
            there = self.data.get(table)
            for i, name in enumerate(names):
                origin = Origin(document, ("remove", table, i))
                if not isinstance(there, dict) or name not in there:
                    self.complain(origin, "override", f"'{table}.{name}' is not there to be removed")
                else:
                    del there[name]
                    self.origins[f"{table}.{name}"] = origin

    def rules(self) -> Any:
        """Return the changed rules, checked.

        Raises
        ------
        ProblemError
            With every problem that the changes have.
        """
        try:
            made = self.game.Rules.model_validate(self.data)
        except ValidationError as error:
            self.problems += self._translated(error)
            made = None
        if self.problems:
            raise ProblemError(self.problems, self.sources)
        return made

    def _translated(self, error: ValidationError) -> Iterator[Problem]:
        """Translate the errors of the merged rules, each at the place in the file that set the value."""
        for details in error.errors(include_url=False):
            path = ".".join(str(part) for part in details["loc"] if part != "[key]")
            near = [
                origin
                for set_, origin in self.origins.items()
                if f"{set_}.".startswith(f"{path}.") or f"{path}.".startswith(f"{set_}.")
            ]
            origin = near[0] if near else list(self.origins.values())[-1]
            document = origin.document
            merged = Document(self.data, document.path, document.text)
            for problem in from_pydantic([details], merged, model=self.game.Rules):
                column = details.get("ctx", {}).get("column")
                span = document.where(origin.key_path, "value")
                if isinstance(column, int):
                    span = document.inside(origin.key_path, column)
                yield replace(problem, span=span)


def get(data: dict[str, Any], path: str) -> Any:
    """Return the value at a dotted path, or None."""
    found: Any = data
    for part in path.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def place(data: dict[str, Any], path: str, value: Any) -> None:
    """Put a value at a dotted path that exists."""
    *tables, last = path.split(".")
    for part in tables:
        data = data[part]
    data[last] = value


def document_path(table: dict[str, Any], path: str, prefix: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Find the keys under which a dotted path was written: ``"a.b"`` in quotes is one key, ``a.b`` is two."""
    if path in table:
        return (*prefix, path)
    for key, value in table.items():
        if isinstance(value, dict) and path.startswith(f"{key}."):
            return document_path(value, path[len(key) + 1 :], (*prefix, key))
    return prefix


def toml_text(value: Any) -> str:
    """Write a value as TOML would."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{_TO_ESCAPE.sub(_escaped, value)}"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_text(item) for item in value) + "]"
    if isinstance(value, dict):
        keys = {key: key if _BARE_KEY.fullmatch(key) else toml_text(key) for key in value}
        return "{" + ", ".join(f"{keys[key]} = {toml_text(item)}" for key, item in value.items()) + "}"
    return "nothing" if value is None else str(value)


_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_TO_ESCAPE = re.compile(r'[\x00-\x1f\x7f"\\]')


def _escaped(match: re.Match[str]) -> str:
    return f"\\{match[0]}" if match[0] in '"\\' else f"\\u{ord(match[0]):04X}"


def load(
    reference: str,
    near: Path,
    game: str,
    origin: Origin,
    seen: tuple[Path, ...] = (),
    have: set[Path] | None = None,
) -> list[Loaded]:
    """Load a house rule by id or by file, after those it builds on; each of them once.

    Parameters
    ----------
    reference
        An id such as ``"soft-bogs"``, or a path ending in ``.toml``.
    near
        Folder of the file that refers to it; a path may not lead out of it.
    game
        The game it must be for.
    origin
        Where the reference stands, for errors.
    seen
        Files already on the way, to find a cycle.
    have
        Files already loaded, which are not loaded again; added to.

    Raises
    ------
    ProblemError
        Unknown, unreadable, for another game, outside the folder or in a cycle.
    """

    def refuse(message: str, help: str | None = None, kind: str = "file") -> ProblemError:
        document = origin.document
        span = document.where(origin.key_path, "value")
        return ProblemError([Problem(kind, message, document.path, span, help)], document.sources)

    have = set() if have is None else have
    path = _find(reference, near)
    if path is None:
        known = sorted(available(near, game))
        close = did_you_mean(reference, known)
        hint = f"did you mean '{close}'? " if close else ""
        raise refuse(f"no house rule is called '{reference[:80]}'", f"{hint}there are: {', '.join(known)}")
    file = path.resolve()
    if file in seen:
        chain = " -> ".join([p.stem for p in seen[seen.index(file) :]] + [path.stem])
        raise refuse(f"these house rules go in a circle: {chain}", kind="meaning")
    if file in have:
        return []
    if not NAME.fullmatch(path.stem) or path.stem in DEVICES:
        hint = "name the file with small letters, digits, - and _"
        raise refuse(f"'{path.stem[:80]}' cannot be the id of a house rule", hint, kind="value")
    if len(seen) >= MOST_HOUSE_RULES:
        raise refuse(f"house rules build on one another more than {MOST_HOUSE_RULES} deep", kind="limit")
    document = toml.read(path)
    try:
        rule = HouseRule.model_validate(document.data)
    except ValidationError as error:
        raise ProblemError(from_pydantic(error, document, model=HouseRule), document.sources) from error
    if rule.for_ != game:
        raise refuse(f"the house rule '{path.stem}' is for {rule.for_}, not for {game}", kind="meaning")
    found: list[Loaded] = []
    for i, base in enumerate(rule.house_rules):
        inner = Origin(document, ("house_rules", i))
        found += load(base, path.parent, game, inner, (*seen, file), have)
    have.add(file)
    return [*found, Loaded(path.stem, rule, document)]


def _find(reference: str, near: Path) -> Path | None:
    """Return the file of a house rule, or None."""
    if NAME.fullmatch(reference):
        return next((path for folder in _folders(near) if (path := folder / f"{reference}.toml").is_file()), None)
    path = near / reference
    try:
        inside = not Path(reference).is_absolute() and path.resolve().is_relative_to(near.resolve())
        return path if inside and path.suffix == ".toml" and path.is_file() else None
    except (OSError, RuntimeError):  # a name too long, links in a circle
        return None


def _folders(near: Path) -> list[Path]:
    """List where a house rule is named by its id alone: beside another, in house/, among the shipped ones."""
    beside = [near] if near.resolve().name == "house" else []
    return [*beside, near / "house", shipped_folder() / "house"]


def available(near: Path, game: str) -> list[str]:
    """List the ids of the house rules for a game that a file in this folder can name."""
    files = [path for folder in _folders(near) if folder.is_dir() for path in folder.glob("*.toml")]
    return list(dict.fromkeys(path.stem for path in files if _is_for(path, game)))


def _is_for(path: Path, game: str) -> bool:
    """Tell whether a file says that it is for a game; one that cannot be read is for none."""
    try:
        return toml.read(path).data.get("for") == game
    except ProblemError:
        return False
