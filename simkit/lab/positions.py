"""Where each key and value of a TOML text stands.

``tomllib`` forgets positions, and no well-kept library reports line and column for what a *model* dislikes.  This
tokenizer fills the gap.  It runs over text that ``tomllib`` has accepted (or over the part before its complaint), so it
needs no error handling of its own and stays small.
"""

import bisect
import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

from simkit.lab.modelpath import KeyPath
from simkit.lab.problems import Span

# Possessive quantifiers: a megabyte inside one pair of quotes must not leave a megabyte of backtracking points.
STRING = (
    r'"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}'
    r"|'''(?:[^']|'(?!''))*+'{3,5}"
    r'|"(?!"")(?:[^"\\\n]|\\[^\n])*+"'
    r"|'(?!'')[^'\n]*+'"
)
_TOKEN = re.compile(rf"(?P<string>{STRING})|(?P<comment>#[^\n]*)|(?P<quote>[\"'])|(?P<mark>[\[\]{{}}=,.\n])", re.DOTALL)
_QUOTED = re.compile(STRING, re.DOTALL)
_BLANK = re.compile(r"[ \t]*")
_FILLER = re.compile(r"(?:[ \t\n]|#[^\n]*)*+")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ATOM = re.compile(r"[^,\]}#\n]*")
_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|(?P<fold>[ \t]*\n[ \t\n]*)|.)", re.DOTALL)


class Token(NamedTuple):
    """A piece of TOML that matters for nesting; ``kind`` is string, comment, quote (unclosed) or the mark itself."""

    kind: str
    start: int
    end: int


class Entry(NamedTuple):
    """Half-open offsets of a key and of its value; an item of a list has no key and repeats its value."""

    key: tuple[int, int]
    value: tuple[int, int]


class Lines:
    """Turns offsets of a text into lines and columns and back (all counted from 1, columns in code points).

    Parameters
    ----------
    text : str
        Text with LF line ends.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def span(self, start: int, end: int) -> Span:
        """Span of ``text[start:end]``; a longer one is cut at the end of its first line."""
        line = bisect.bisect_right(self._starts, start) - 1
        line_start = self._starts[line]
        line_end = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(self._text)
        end = max(start + 1, min(end, line_end))
        return Span(line + 1, start - line_start + 1, end - line_start + 1)

    def offset(self, line: int, column: int) -> int:
        """Offset of a line and column."""
        return min(self._starts[line - 1] + column - 1, len(self._text))


def tokens(text: str) -> Iterator[Token]:
    """Strings, comments and marks of a TOML text, valid or not; ends after the first quote that nothing closes."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        yield Token(match[0] if kind == "mark" else kind, match.start(), match.end())
        if kind == "quote":
            return


def decode(raw: str) -> str:
    """Text that a quoted TOML string stands for."""
    if "\\" not in raw and not raw.startswith(('"""', "'''")):
        return raw[1:-1]
    return str(tomllib.loads(f"text = {raw}")["text"])


def character_offsets(raw: str) -> list[int]:
    r"""Offset inside a quoted TOML string of each character that it stands for, and of the closing quotes.

    Parameters
    ----------
    raw : str
        A string with its quotes, as it stands in the file.

    Returns
    -------
    list of int
        One more than ``decode(raw)`` has characters.

    Examples
    --------
    >>> character_offsets(r'"a\tb"')
    [1, 2, 4, 5]
    """
    quotes = 3 if raw.startswith(('"""', "'''")) else 1
    position = quotes + (raw[quotes : quotes + 1] == "\n" and quotes == 3)
    offsets = []
    while position < len(raw) - quotes:
        escape = _ESCAPE.match(raw, position) if raw[0] == '"' else None
        if escape is None or escape["fold"] is None:
            offsets.append(position)
        position = escape.end() if escape else position + 1
    return [*offsets, position]


class Index:
    """Offsets of every key path of a TOML text.

    Parameters
    ----------
    text : str
        Text with LF line ends that ``tomllib`` has accepted, or the part of a text that it had read when it
        complained.

    Attributes
    ----------
    entries : dict
        ``Entry`` by key path.  Tables that no header or key names themselves are placed where a longer key names them.
    last : tuple
        Key path that was named last.
    last_key : tuple of int
        Offsets of that key.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._cut = False
        self._counts: dict[KeyPath, int] = {}
        self._declared: set[KeyPath] = set()
        self.entries: dict[KeyPath, Entry] = {}
        self.last: KeyPath = ()
        self.last_key = (0, 0)
        table: KeyPath = ()
        self._skip(_FILLER)
        while self._at < len(text):
            if text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_FILLER)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            return ""
        self._at = match.end()
        return match[0]

    def _take(self, mark: str) -> bool:
        found = self._text.startswith(mark, self._at)
        self._at += len(mark) * found
        return found

    def _key(self) -> list[tuple[str, tuple[int, int]]]:
        parts = []
        while True:
            self._skip(_BLANK)
            start = self._at
            quoted = self._skip(_QUOTED)
            name = decode(quoted) if quoted else self._skip(_BARE_KEY)
            parts.append((name, (start, self._at)))
            self._skip(_BLANK)
            if not self._take("."):
                return parts

    def _name(self, path: KeyPath, key: tuple[int, int], value: tuple[int, int], *, explicit: bool) -> None:
        if explicit and not self._cut:
            self.last, self.last_key = path, key
        if path not in self.entries or (explicit and path not in self._declared):
            self.entries[path] = Entry(key, value)
        if explicit:
            self._declared.add(path)

    def _header(self) -> KeyPath:
        start = self._at
        many = self._take("[[") or not self._take("[")
        parts = self._key()
        self._take("]]" if many else "]")
        path: KeyPath = ()
        for name, key in parts[:-1]:
            path += (name,)
            self._name(path, key, key, explicit=False)
            if path in self._counts:
                path += (self._counts[path] - 1,)
        name, key = parts[-1]
        path += (name,)
        if many:
            self._name(path, key, (start, self._at), explicit=True)
            self._counts[path] = self._counts.get(path, 0) + 1
            path += (self._counts[path] - 1,)
        self._name(path, key, (start, self._at), explicit=True)
        return path

    def _pair(self, table: KeyPath) -> None:
        path = table
        parts = self._key()
        for name, key in parts[:-1]:
            path += (name,)
            self._name(path, key, key, explicit=False)
        name, key = parts[-1]
        path += (name,)
        self._skip(_BLANK)
        self._take("=")
        self._skip(_BLANK)
        value = self._value(path)
        self._name(path, key, value, explicit=True)

    def _value(self, path: KeyPath) -> tuple[int, int]:
        start = self._at
        if self._take("["):
            self._items(path)
        elif self._take("{"):
            self._skip(_FILLER)
            while self._within("}"):
                self._pair(path)
                self._comma()
        elif not self._skip(_QUOTED):
            self._at = start + len(self._skip(_ATOM).rstrip())
            if self._at == start:  # not TOML: nothing behind it can be placed
                self._at, self._cut = len(self._text), True
        return start, self._at

    def _items(self, path: KeyPath) -> None:
        self._skip(_FILLER)
        item = 0
        while self._within("]"):
            place = self._value((*path, item))
            self._name((*path, item), place, place, explicit=False)
            item += 1
            self._comma()

    def _within(self, closing: str) -> bool:
        if self._take(closing):
            return False
        self._cut = self._cut or self._at >= len(self._text)
        return not self._cut

    def _comma(self) -> None:
        self._skip(_FILLER)
        self._take(",")
        self._skip(_FILLER)
