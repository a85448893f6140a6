"""``tomllib``'s complaints in our own words, with the place that helps most."""

import re
import tomllib
from typing import NamedTuple

from simkit.lab import positions
from simkit.lab.problems import Problem
from simkit.lab.words import place_of, quoted, table_of

_PLACE = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)
_AGAIN = ("Cannot declare", "Cannot overwrite", "Cannot mutate", "Cannot redefine", "Duplicate inline table key")
_UNCLOSED = ("Unterminated string", "Illegal character '\\n'", "Found invalid character '\\n'", "Expected \"'")
_MEANT = {"true": "true", "false": "false", "yes": "true", "no": "false", "on": "true", "off": "false"}
_EMPTY = ("none", "null", "nil", "~")


class _Fault(NamedTuple):
    """What is said at a place, the place as offsets, and where an opening bracket or quote stands."""

    note: str
    start: int
    end: int
    opened: int | None = None


def explain(error: tomllib.TOMLDecodeError, text: str, path: str) -> Problem:
    """Translate a complaint of ``tomllib``.

    Parameters
    ----------
    error : tomllib.TOMLDecodeError
        What ``tomllib.loads(text)`` raised.  Its place is read from the message: attributes came with Python 3.14.
    text : str
        The text, with LF line ends.
    path : str
        The file, for the message.

    Returns
    -------
    Problem
        Of kind "syntax".
    """
    lines = positions.Lines(text)
    match = _PLACE.fullmatch(str(error))
    what = match["what"] if match else ""
    at = lines.offset(int(match["line"]), int(match["column"])) if match and match["line"] else len(text)
    if what.startswith(_AGAIN):
        return _set_twice(text[:at], path, lines)
    fault = _fault(what, text, at)
    also = ((lines.span(fault.opened, fault.opened + 1), "opened here"),) if fault.opened is not None else ()
    span = lines.span(fault.start, fault.end)
    return Problem("syntax", "this is not valid TOML", path, span, note=fault.note, also=also)


def _set_twice(before: str, path: str, lines: positions.Lines) -> Problem:
    """Something is named again; what had been read until then shows where it was named first."""
    index = positions.Index(before)
    first = index.last
    while first and (first not in index.entries or index.entries[first].key == index.last_key):
        first = first[:-1]
    span = lines.span(*index.last_key)
    also = ((lines.span(*index.entries[first].key), "first here"),) if first else ()
    name = index.last[:-1] if isinstance(index.last[-1], int) else index.last
    if first and len(first) < len(name):
        message = f"{place_of({}, first)} is complete already, so {quoted(name[-1])} cannot be added"
        return Problem("syntax", message, path, span, also=also)
    is_header = before[before.rfind("\n") + 1 :].lstrip().startswith("[")
    message = f"{table_of({}, name) if is_header else place_of({}, name)} is set twice"
    return Problem("syntax", message, path, span, note="again here", also=also)


def _fault(what: str, text: str, at: int) -> _Fault:
    rest = text[at : at + 200].split("\n")[0]
    if what.startswith(_UNCLOSED):
        return _unclosed_text(text)
    if what.startswith("Invalid value"):
        return _no_value(rest, at)
    if what.startswith(("Expected newline", "Unclosed array", "Unclosed inline table")):
        return _left_over(what, rest, text, at)
    if what.startswith("Unescaped"):
        start = text.rfind("\\", 0, at)
        return _Fault("in double quotes a backslash is written \\\\ (or use single quotes)", start, start + 2)
    if what.startswith(("Invalid hex", "Escaped character")):
        start = text.rfind("\\", 0, at)
        return _Fault("\\u takes 4 and \\U 8 hexadecimal digits of a Unicode character", start, max(at, start + 2))
    note = "TOML cannot be read on from here"
    if what.startswith("Expected '='"):
        note = _no_equals_sign(rest)
    elif what.startswith("Invalid statement"):
        note = _no_statement(rest)
    elif what.startswith("Invalid initial character"):
        note = _no_name(rest, text, at)
    elif what.startswith("Expected ']]'"):
        note = "the header of a list of tables needs ]] here"
    elif what.startswith("Expected ']'"):
        note = "the table header needs ] here (a name with spaces or other signs needs quotes)"
    elif what.startswith("Invalid date"):
        return _Fault("there is no such date", at, at + len(re.split(r"[\s,\]}]", rest)[0]))
    return _Fault(note, at, at + 1)


def _unclosed_text(text: str) -> _Fault:
    *_, last = positions.tokens(text)
    triple = text[last.start : last.start + 3]
    if triple in ('"""', "'''"):
        return _Fault(f"nothing closes this {triple}", last.start, last.start + 3)
    line_end = text.find("\n", last.start)
    end = line_end if line_end >= 0 else len(text)
    return _Fault("the text needs a closing quote on the same line", end, end + 1)


def _no_value(rest: str, at: int) -> _Fault:
    word = re.split(r"[,\]}#]", rest)[0].strip()
    lower = word.lower()
    if not word:
        note = "a value is missing here"
    elif lower in _MEANT:
        note = f"write {_MEANT[lower]}"
    elif lower in _EMPTY:
        note = "TOML has no empty value: leave the setting out"
    elif re.match(r"[+-]?\.\d", word):
        note = "a number needs a digit before the point"
    elif word.startswith("="):
        note = "one = is enough"
    elif re.match(r"[+-]?\d", word):
        note = "this is not a number"
    elif word[0].isalpha():
        note = "text needs quotes"
    else:
        note = "this is not a value (a number, text in quotes, true, false, a list or a table)"
    return _Fault(note, at, at + max(len(word), 1))


def _left_over(what: str, rest: str, text: str, at: int) -> _Fault:
    """Something stands behind a complete value or header."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    word = re.match(r"[^\s,\]}#]*", rest)
    length = max(1, len(word[0]) if word else 1)
    number = re.search(r"(?:^|[\s=,\[{])(?P<digits>[+-]?\d[\d_.]*)$", line)
    if number and re.match(r"d\d", rest):
        start = at - len(number["digits"])
        return _Fault(f'dice need quotes: "{text[start : at + length]}"', start, at + length)
    if number and number["digits"].lstrip("+-") == "0" and rest[:1].isdigit():
        return _Fault("a number may not begin with 0", at - 1, at + length)
    if number and rest.startswith("."):
        return _Fault("a number needs a digit behind the point", at, at + 1)
    if number and rest.startswith("_"):
        return _Fault("_ in a number needs a digit on both sides", at, at + 1)
    if number and rest[:1].isalpha():
        return _Fault("text needs quotes", at - len(number["digits"]), at + length)
    if what.startswith("Expected newline"):
        if re.match(r"\s*\[", line):
            return _Fault("nothing may follow a table header on its line", at, at + length)
        if number and re.match(r",\d{3}", rest):
            return _Fault("write a large number without commas, or with _ between the digits", at, at + 1)
        if rest.startswith(","):
            return _Fault("several values are a list and need [ ]", at, at + 1)
        return _Fault("nothing may follow the value on its line", at, at + length)
    closing = "]" if what.startswith("Unclosed array") else "}"
    if closing == "}" and (not rest or rest.startswith("#")):
        return _Fault("a table in { } must end on the line where it begins", at, at + 1, _opening(text, at))
    return _Fault(f"a comma or {closing} is missing here", at, at + 1, _opening(text, at))


def _opening(text: str, at: int) -> int | None:
    """Offset of the innermost bracket that is open."""
    opened = []
    for token in positions.tokens(text[:at]):
        if token.kind in ("[", "{"):
            opened.append(token.start)
        elif token.kind in ("]", "}") and opened:
            opened.pop()
    return opened[-1] if opened else None


def _no_equals_sign(rest: str) -> str:
    if rest.startswith(":"):
        return "write = instead of :"
    if not rest or rest.startswith("#"):
        return "a name needs = and a value"
    if re.match(r"[\w.-]+.*=", rest):
        return "a name may not hold spaces or other signs, unless it stands in quotes"
    return "= is missing here"


def _no_statement(rest: str) -> str:
    if rest.startswith(("//", ";", "--", "/*", "%")):
        return "a comment begins with #"
    if rest[:1].isalpha():
        return "a name with such letters needs quotes"
    return "a line begins with a name, a [table] or a # comment"


def _no_name(rest: str, text: str, at: int) -> str:
    before = text[:at].rstrip(" \t")[-1:]
    if rest.startswith("}") and before == ",":
        return "no comma may stand before }"
    if (not rest or rest.startswith("#")) and before in "{,":
        return "a table in { } must end on the line where it begins"
    if rest[:1].isalpha():
        return "a name with such letters needs quotes"
    return "a name is missing here"
