"""Read a stranger's TOML file: small, shallow, plain text, and with the place of everything in it.

Whatever is wrong ends in a :class:`~simkit.lab.problems.ProblemError`; no other exception leaves this room.
"""

import codecs
import datetime
import itertools
import math
import os
import re
import stat
import sys
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from simkit.lab import positions, syntax
from simkit.lab.modelpath import KeyPath
from simkit.lab.problems import Problem, ProblemError, Span, did_you_mean
from simkit.lab.words import place_of

SIZE_LIMIT = 1_000_000
DEPTH_LIMIT = 32
_SHOWN = 20  # problems of one sort; a hostile file can hold a hundred thousand

# C0 and C1 control characters, the marks and overrides that reorder text on screen (Unicode TR36 and TR9), the line and
# paragraph separators, the byte order mark, and halves of surrogate pairs.  Line feed and tab have their own rules.
_REFUSED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_REFUSED_IN_KEYS = re.compile(_REFUSED.pattern[:-1] + "\t\n]")
_DIGITS = re.compile(rf"{positions.STRING}|#[^\n]*|(?<![0-9_.])(?P<digits>[0-9][0-9_]+)", re.DOTALL)
_INTEGERS = range(-(2**63), 2**63)
_NAMES = {0: "NUL", 7: "bell", 8: "backspace", 9: "tab", 10: "line feed", 13: "carriage return", 27: "escape"}


@dataclass(frozen=True)
class Document:
    """A TOML file that was read: its data, and where each part of it stands.

    Attributes
    ----------
    data : dict
        Tables, lists, text, whole numbers of 64 bits, finite numbers, true and false; nothing else.
    path : str
        The file as it was named, or the name given to :func:`parse`.
    text : str
        The text with LF line ends and without a byte order mark.
    """

    data: dict[str, Any]
    path: str
    text: str

    @cached_property
    def _lines(self) -> positions.Lines:
        return positions.Lines(self.text)

    @cached_property
    def _entries(self) -> dict[KeyPath, positions.Entry]:
        return positions.Index(self.text).entries

    @property
    def sources(self) -> dict[str, str]:
        """The text by path, as :func:`simkit.lab.problems.render` wants it."""
        return {self.path: self.text}

    def where(self, key_path: KeyPath, part: Literal["key", "value"] = "key") -> Span:
        r"""Place of a key or of its value.

        Parameters
        ----------
        key_path : tuple of str and int
            Such as ``("run", "trials")`` or ``("course", "steps", 0, "down")``; items of lists are counted from 0.
        part : {"key", "value"}
            The value of a table with a header is the header; an item of a list has no key and gives its value.

        Returns
        -------
        Span
            What spans several lines is cut at the end of its first.  A path that the file does not have gives the
            place of the nearest table or list around it, at worst the start of the file.

        Examples
        --------
        >>> parse('[run]\ntrials = 100').where(("run", "trials"), "value")
        Span(line=2, column=10, end_column=13)
        """
        path = self._written(key_path)
        while path and path not in self._entries:
            path = path[:-1]
        if not path:
            return Span(1, 1, 2)
        return self._lines.span(*getattr(self._entries[path], part))

    def _written(self, key_path: KeyPath) -> KeyPath:
        """Return a key path as the file has it: a dotted name may stand there without quotes, as tables."""
        path = tuple(key_path)
        if path in self._entries:
            return path
        apart = tuple(piece for part in path for piece in (part.split(".") if isinstance(part, str) else (part,)))
        return apart if apart in self._entries else path

    def inside(self, key_path: KeyPath, column: int) -> Span:
        r"""Place of one character of a text value.

        Parameters
        ----------
        key_path : tuple of str and int
            Key path of a text value; anything else gives the place of the whole value.
        column : int
            The character, counted from 1 in what the text stands for (an escape such as ``\u00e9`` counts as one);
            one behind the last is the closing quote.

        Returns
        -------
        Span
        """
        path = self._written(key_path)
        entry = self._entries.get(path)
        raw = self.text[slice(*entry.value)] if entry else ""
        if entry is None or not raw.startswith(('"', "'")):
            return self.where(path, "value")
        offsets = positions.character_offsets(raw)
        index = min(max(column, 1), len(offsets)) - 1
        after = offsets[index + 1] if index + 1 < len(offsets) else offsets[index] + 1
        return self._lines.span(entry.value[0] + offsets[index], entry.value[0] + after)


def read(path: str | os.PathLike[str]) -> Document:
    """Read a TOML file.

    Parameters
    ----------
    path : path-like
        A regular file of UTF-8 text, at most 1 MB; a byte order mark and CRLF line ends are accepted.

    Returns
    -------
    Document

    Raises
    ------
    ProblemError
        If the file cannot be read, is too large, is no UTF-8 or is refused by :func:`parse`.
    """
    name = os.fspath(path)
    return parse(_decode(_load(Path(path), name), name), name)


def parse(text: str, name: str = "<text>") -> Document:
    """Read TOML from a string.

    Parameters
    ----------
    text : str
        At most 1 MB in UTF-8 and 32 levels deep.
    name : str
        Stands for the file in messages.

    Returns
    -------
    Document

    Raises
    ------
    ProblemError
        If the text is not TOML, too large or too deep, or holds a control or bidi character, a date or time, a whole
        number beyond 64 bits, inf or nan.
    """
    # Four bytes a character is the most that UTF-8 needs: only a text near the limit is encoded to be counted.
    if len(text) > SIZE_LIMIT or (4 * len(text) > SIZE_LIMIT and len(text.encode(errors="replace")) > SIZE_LIMIT):
        raise ProblemError([_too_large(name)])
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    sources = {name: text}
    lines = positions.Lines(text)
    refused = list(_REFUSED.finditer(text))
    if refused:
        place = lines.span(refused[0].start(), refused[0].end())
        note = f"the first of {len(refused):,} such characters" if len(refused) > 1 else None
        raise ProblemError([Problem("syntax", _refusal(refused[0][0]), name, place, note=note)], sources)
    deep = _first_too_deep(text)
    if deep is not None:
        raise ProblemError([_too_deep(name, lines.span(deep.start, deep.end))], sources)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProblemError([syntax.explain(error, text, name)], sources) from None
    except RecursionError:
        raise ProblemError([_too_deep(name, None)], sources) from None
    except ValueError:  # int() refuses thousands of digits with a bare ValueError that names no place
        raise ProblemError([_too_long_number(text, name, lines)], sources) from None
    document = Document(data, name, text)
    objections = list(itertools.islice(_objections(document, (), data), _SHOWN))
    if objections:
        raise ProblemError(objections, sources)
    return document


def _load(path: Path, name: str) -> bytes:
    """At most SIZE_LIMIT bytes of a regular file; a pipe or device would never end."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise ProblemError([Problem("file", "this is a folder, not a TOML file", name)])
        if not stat.S_ISREG(status.st_mode):
            raise ProblemError([Problem("file", "this is not a regular file", name)])
        if status.st_size > SIZE_LIMIT:
            raise ProblemError([_too_large(name, status.st_size)])
        with path.open("rb") as file:
            content = file.read(SIZE_LIMIT + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise ProblemError([Problem("file", "there is no such file", name, help=_similar_file(path))]) from None
    except PermissionError:
        raise ProblemError([Problem("file", "this file may not be read by you", name)]) from None
    except (OSError, ValueError) as error:  # a NUL in the name is a ValueError
        reason = getattr(error, "strerror", None) or "its name is not allowed here"
        raise ProblemError([Problem("file", f"this file cannot be read: {reason}", name)]) from None
    if len(content) > SIZE_LIMIT:
        raise ProblemError([_too_large(name)])
    return content


def _similar_file(path: Path) -> str | None:
    try:
        names = [entry.name for entry in itertools.islice(path.parent.iterdir(), 1000) if entry.suffix == ".toml"]
    except (OSError, ValueError):
        return None
    close = did_you_mean(path.name, names) or did_you_mean(f"{path.name}.toml", names)
    return f"did you mean '{path.parent / close}'?" if close else None


def _decode(content: bytes, name: str) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise ProblemError([Problem("file", "this file is UTF-16 text", name, help="save it as UTF-8")])
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
        message = f"this file is not UTF-8 text: byte {content[error.start]:#04x} cannot stand here"
        problem = Problem("file", message, name, Span(line, column, column + 1), help="save it as UTF-8")
        raise ProblemError([problem]) from None


def _too_large(name: str, size: int | None = None) -> Problem:
    found = f"{size:,} bytes" if size is not None else "more"
    return Problem("limit", f"a TOML file may have {SIZE_LIMIT:,} bytes, this one has {found}", name)


def _too_deep(name: str, span: Span | None) -> Problem:
    return Problem("limit", f"this is nested more than {DEPTH_LIMIT} levels deep", name, span)


def _first_too_deep(text: str) -> positions.Token | None:
    """First bracket or dot beyond the limit.

    Runs before ``tomllib``, which is recursive in brackets and needs time in the square of the dots of a key.
    """
    depth = dots = 0
    for token in positions.tokens(text):
        if token.kind == ".":
            dots += 1
        elif token.kind not in ("string", "comment"):
            dots = 0
            depth += (token.kind in "[{") - (token.kind in "]}" and depth > 0)
        if max(depth, dots) > DEPTH_LIMIT:
            return token
    return None


def _too_long_number(text: str, name: str, lines: positions.Lines) -> Problem:
    limit = sys.get_int_max_str_digits()
    for match in _DIGITS.finditer(text):
        digits = len((match["digits"] or "").replace("_", ""))
        if digits > limit:
            span = lines.span(*match.span("digits"))
            return Problem("limit", f"a number of {digits:,} digits is too long", name, span)
    return Problem("limit", "a number in this file is too long", name)


def _objections(document: Document, path: KeyPath, value: object) -> Iterator[Problem]:
    """Yield what is valid TOML and still refused, in the order of the file."""
    if isinstance(value, dict | list):
        if len(path) > DEPTH_LIMIT:
            yield _too_deep(document.path, document.where(path))
            return
        items: Iterator[tuple[Any, Any]] = iter(value.items()) if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            bad = _REFUSED_IN_KEYS.search(key) if isinstance(key, str) else None
            if bad:
                yield Problem("value", f"{_refusal(bad[0])} in a name", document.path, document.where((*path, key)))
            yield from _objections(document, (*path, key), item)
        return
    span = None
    message = ""
    if isinstance(value, str):
        bad = _REFUSED.search(value)
        if bad:
            span, message = document.inside(path, bad.start() + 1), f"{_refusal(bad[0])} in a text"
    elif isinstance(value, datetime.date | datetime.time):
        message = f"{place_of(document.data, path)} is a date or time; these are not used here"
    elif isinstance(value, float) and not math.isfinite(value):
        message = f"{place_of(document.data, path)} is not a finite number"
    elif isinstance(value, int) and value not in _INTEGERS:
        message = f"{place_of(document.data, path)} is a whole number beyond 64 bits"
    if message:
        yield Problem("value", message, document.path, span or document.where(path, "value"))


def _refusal(character: str) -> str:
    name = _NAMES.get(ord(character)) or unicodedata.name(character, "control character").lower()
    return f"the character U+{ord(character):04X} ({name}) is not allowed"
