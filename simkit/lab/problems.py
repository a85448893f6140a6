"""Problems of a file as values, and pydantic's errors in our own words.

All problems of a file are collected and shown at once, each with its place, what was found and what is allowed.
"""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import core_schema

from simkit.lab import modelpath, words
from simkit.lab.modelpath import KeyPath, Place
from simkit.lab.snippets import coloured, render

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from simkit.lab.toml import Document

__all__ = ["KINDS", "Problem", "ProblemError", "Span", "coloured", "did_you_mean", "from_pydantic", "render"]

KINDS = ("syntax", "typo", "value", "dice", "override", "meaning", "shape", "file", "limit", "rule")
_BUILT_IN = frozenset(get_args(core_schema.ErrorType))
TRANSLATED = 1000
"""Errors of one validation that are looked at; a hostile file can hold a hundred thousand."""

_SHOWN = 50


class Span(NamedTuple):
    """A stretch of one line: counted from 1, in code points, ``end_column`` is one behind the last."""

    line: int
    column: int
    end_column: int


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, with its place.

    Attributes
    ----------
    kind : str
        One of ``KINDS``: syntax (no TOML), typo (unknown setting), value, dice (a dice expression), override (a rule
        path that does not exist), meaning (settings that contradict each other), shape (of a sweep), file, limit, rule
        (breaks a rule of the game, whose id the message cites).
    message : str
        What is wrong, in one sentence.
    path : str or None
        The file.
    span : Span or None
        The place in the file.
    help : str or None
        What to do.  Stands behind the carets if there is no `note`, else on a line of its own.
    note : str or None
        What to say at the place itself.
    severity : {"error", "warning"}
        A warning does not stop anything.
    also : tuple of (Span, str)
        Further places of the same file, each with a label.

    Raises
    ------
    ValueError
        If the kind or severity is not one of those above.
    """

    kind: str
    message: str
    path: str | None = None
    span: Span | None = None
    help: str | None = None
    note: str | None = None
    severity: Literal["error", "warning"] = "error"
    also: tuple[tuple[Span, str], ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind {self.kind!r} is not one of {', '.join(KINDS)}")
        if self.severity not in ("error", "warning"):
            raise ValueError(f"severity {self.severity!r} is not one of error, warning")


class ProblemError(Exception):
    """All problems of one or more files.

    Parameters
    ----------
    problems : iterable of Problem
        At least one.
    sources : mapping of str to str, optional
        Text of each file by path, for :func:`render`.
    """

    def __init__(self, problems: Iterable[Problem], sources: Mapping[str, str] | None = None) -> None:
        self.problems = list(problems)
        self.sources = dict(sources or {})
        super().__init__(self.problems, self.sources)

    def __str__(self) -> str:
        return render(self.problems, self.sources).rstrip("\n")


def did_you_mean(word: str, choices: Iterable[str]) -> str | None:
    """Find the choice that is spelled most like a word, if any is like it.

    Parameters
    ----------
    word : str
        What was found.
    choices : iterable of str
        What is allowed.

    Returns
    -------
    str or None

    Examples
    --------
    >>> did_you_mean("gmaes", ["games", "seed"])
    'games'
    """
    if len(word) > 100:  # the comparison takes time in the square of the length
        return None
    folded = {choice.lower().replace("-", "_"): choice for choice in choices if len(choice) <= 100}
    close = difflib.get_close_matches(word.lower().replace("-", "_"), folded, n=1)
    return folded[close[0]] if close else None


def from_pydantic(
    exc: "ValidationError | list[ErrorDetails]",
    document: "Document",
    *,
    at: KeyPath = (),
    model: type[BaseModel] | None = None,
) -> list[Problem]:
    """Translate the errors of a validation into problems.

    Parameters
    ----------
    exc : ValidationError or list
        What ``model.model_validate(document.data)`` raised, or some of its errors.
    document : Document
        The file.
    at : tuple of str and int
        Key path of the table that was validated, if it was not the whole document.
    model : type or None
        The model.  Without it there are no suggestions and no lists of allowed settings.

    Returns
    -------
    list of Problem
        In the order of the file; at most 50 and one that counts the rest.

    Notes
    -----
    A validator may raise ``PydanticCustomError(kind, message, context)`` with one of ``KINDS``.  Of the context are
    honoured ``column`` (a character inside the text value, counted from 1), ``help``, ``note`` and ``at`` (a key path
    below the value that was validated).  The error of a ``ValueError`` may carry the same as attributes, and ``kind``.
    """
    data = words.get(document.data, at)
    every = exc if isinstance(exc, list) else exc.errors(include_url=False)
    errors = []
    for details in every[:TRANSLATED]:
        place = modelpath.follow(details["loc"], data, model, missing=details["type"] == "missing")
        errors.append(_Error(details, place))
    errors = _one_of_each_union(errors, 0)
    errors = _without_the_missing_that_are_misspelled(errors)
    problems = [_problem(error, document, tuple(at), model) for error in errors[:_SHOWN]]
    problems.sort(key=lambda problem: problem.span or Span(0, 0, 0))
    more = max(0, len(errors) - _SHOWN) + max(0, len(every) - TRANSLATED)
    if more:
        problems.append(Problem("limit", f"{more:,} more problems are not shown", document.path))
    return problems


class _Error(NamedTuple):
    """An error of pydantic and what its location stands for; ``wanted`` is what the members of a union want."""

    details: "ErrorDetails"
    place: Place
    wanted: tuple[str, ...] = ()


def _one_of_each_union(errors: list[_Error], level: int) -> list[_Error]:
    """Keep the errors of one member of each union: a value has one mistake, not one for each form it might have had."""
    groups: dict[KeyPath | int, list[_Error]] = {}
    for number, error in enumerate(errors):
        unions = error.place.unions
        groups.setdefault(unions[level][0] if len(unions) > level else number, []).append(error)
    kept: list[_Error] = []
    for key, group in groups.items():
        if isinstance(key, int):
            kept += group
            continue
        members: dict[str, list[_Error]] = {}
        for error in group:
            members.setdefault(error.place.unions[level][1], []).append(error)
        fitting = {label: own for label, own in members.items() if not all(_is_of_another_type(e, key) for e in own)}
        if len(members) > 1 and not fitting:
            demands = dict.fromkeys(_demand(error) for error in group)
            kept.append(group[0]._replace(wanted=tuple(demands)))
            continue
        # The member meant is the one that was read furthest before it failed.
        best = max((fitting or members).values(), key=lambda own: (max(len(e.place.path) for e in own), -len(own)))
        kept += _one_of_each_union(best, level + 1)
    return kept


def _is_of_another_type(error: _Error, path: KeyPath) -> bool:
    kind = error.details["type"]
    unlisted = kind in ("literal_error", "enum", "is_instance_of") and not isinstance(error.details["input"], str)
    return error.place.path == path and (unlisted or words.wanted_type(kind) is not None)


def _demand(error: _Error) -> str:
    details, place = error.details, error.place
    return words.demand(details["type"], details.get("ctx", {}), place.annotation, place.metadata)


def _without_the_missing_that_are_misspelled(errors: list[_Error]) -> list[_Error]:
    meant = set()
    for details, place, _ in errors:
        if details["type"] == "extra_forbidden":
            name = did_you_mean(str(place.path[-1]), modelpath.field_names(place.owner))
            meant.add((*place.path[:-1], name))
    return [error for error in errors if error.details["type"] != "missing" or error.place.path not in meant]


def _problem(error: _Error, document: "Document", at: KeyPath, model: type[BaseModel] | None) -> Problem:
    details, place = error.details, error.place
    kind, value, path = details["type"], details["input"], (*at, *place.path)
    description = next((text for item in place.metadata if (text := getattr(item, "description", None))), None)
    if kind == "extra_forbidden":
        return _unknown_setting(place, document, at, model)
    if kind == "missing":
        return _missing(document, path, description)
    if kind.startswith("union_tag"):
        return _no_form(details, document, path, place)
    if kind not in _BUILT_IN or kind in ("value_error", "assertion_error"):
        return _said_by_validator(details, document, path)
    subject = words.place_of(document.data, path)
    span = document.where(path, "key" if place.is_key else "value") if path else None
    demand = words.either(error.wanted) or _demand(error)
    help_text = _nearest(value, modelpath.allowed_values(place.annotation))
    help_text = help_text or words.advice(kind, value, place.annotation)
    if kind == "string_pattern_mismatch":
        help_text = description or f"the form is {details['ctx']['pattern']}"
    if place.is_key:
        message = f"the name {subject} is not allowed"
        help_text = f"it must be {demand}" if demand else help_text
    else:
        message = f"{subject} {_verdict(demand, value)}"
    return Problem("value", message, document.path, span, help=help_text)


def _verdict(demand: str, value: object) -> str:
    found = words.found(value)
    return f"must be {demand}, found {found}" if demand else f"cannot be {found}"


def _missing(document: "Document", path: KeyPath, description: str | None) -> Problem:
    table = words.table_of(document.data, path[:-1]) if path[:-1] else "the file"
    span = document.where(path[:-1]) if path[:-1] else None
    return Problem("value", f"{table} needs {words.quoted(path[-1])}", document.path, span, help=description)


def _unknown_setting(place: Place, document: "Document", at: KeyPath, model: type[BaseModel] | None) -> Problem:
    path = (*at, *place.path)
    name, table = str(path[-1]), words.table_of(document.data, path[:-1])
    value = words.get(document.data, path)
    first = value[0] if isinstance(value, list) and value else value
    noun = "table" if isinstance(first, dict) else "setting"
    names = modelpath.field_names(place.owner)
    has = f"{table} has: {words.listed(names)}" if names else None
    close = did_you_mean(name, names)
    home = next(modelpath.tables_with(model, name), None)
    help_text = has
    if home is not None:
        place_words = words.table_of(document.data, (*at, *home))
        help_text = f"{words.quoted(name)} belongs {'in ' if (*at, *home) else 'at '}{place_words}"
    elif close is not None:
        help_text = f"did you mean '{close}'?   ({has})"
    message = f"unknown {noun} {words.quoted(name)} {'in' if path[:-1] else 'at'} {table}"
    return Problem("typo", message, document.path, document.where(path), help=help_text)


def _no_form(details: "ErrorDetails", document: "Document", path: KeyPath, place: Place) -> Problem:
    """No member of a union was chosen: the setting that chooses is missing or wrong, or the type of the value is."""
    context, value = details.get("ctx", {}), details["input"]
    chooser = str(context.get("discriminator", "")).strip("'")
    tags = re.findall(r"'([^']*)'", str(context.get("expected_tags", "")))
    if chooser.endswith("()") or not isinstance(value, dict):
        message = f"{words.place_of(document.data, path)} {_verdict(words.forms(place.annotation), value)}"
        help_text = words.advice(details["type"], value, place.annotation)
        span = document.where(path, "value")
        return Problem("value", message, document.path, span, help=help_text)
    if chooser not in value:
        return _missing(document, (*path, chooser), None)
    setting = words.place_of(document.data, (*path, chooser))
    message = f"{setting} {_verdict(f'one of {words.listed(tags)}', value[chooser])}"
    span = document.where((*path, chooser), "value")
    return Problem("value", message, document.path, span, help=_nearest(value[chooser], tags))


def _said_by_validator(details: "ErrorDetails", document: "Document", path: KeyPath) -> Problem:
    kind, context, message = details["type"], details.get("ctx", {}), details["msg"]
    if kind in _BUILT_IN:
        error = context["error"]
        context = vars(error)
        subject = f"{words.place_of(document.data, path)}: " if path else ""
        kind, message = str(context.get("kind", "value")), f"{subject}{error}"
    path = (*path, *context.get("at", ()))
    column = context.get("column")
    span = document.where(path, "value") if path else None
    if isinstance(column, int):
        span = document.inside(path, column)
    kind = kind if kind in KINDS else "value"
    return Problem(kind, message, document.path, span, help=context.get("help"), note=context.get("note"))


def _nearest(value: object, allowed: list[Any]) -> str | None:
    close = did_you_mean(value, [str(item) for item in allowed]) if isinstance(value, str) else None
    return f"did you mean '{close}'?" if close is not None else None
