"""Plain text that keeps to the width of the reader: tables, and sentences that wrap."""

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence

READABLE = 100
"""Width of wrapped text where nothing says how wide the reader's window is, and the most elsewhere."""

GAP = "  "


def room() -> int | None:
    """Return the columns there are: of ``COLUMNS``, else of the terminal; None for a file or a pipe."""
    told = os.environ.get("COLUMNS", "")
    if told.isascii() and told.isdigit() and 0 < int(told[:6]) < 100_000:
        return max(30, int(told))
    return max(30, shutil.get_terminal_size().columns) if sys.stdout.isatty() else None


def wrapped(text: str, *, first: str = "", further: str = "", always: bool = False) -> str:
    """Break a text into lines.

    Parameters
    ----------
    text
        One paragraph.
    first, further
        What its first line and its other lines begin with.
    always
        Break it in a file or a pipe too, at ``READABLE`` columns; else it stays one line there.
    """
    columns = room()
    if columns is None and not always:
        return first + text
    width = min(columns or READABLE, READABLE)
    lines = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines) or first.rstrip()


def named(title: str, label: str) -> str:
    """Name the value of an axis: a word as it is, a bare number or switch with its axis."""
    bare = not any(char.isalpha() for char in label) or label in ("true", "false", "none")
    return f"{title} {label}" if bare else label


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> str:
    r"""Lay out a table: two blanks between columns, numbers to the right.

    Where it is wider than the reader's window, every row becomes a block of lines instead.

    Parameters
    ----------
    headers
        One a column; ``\n`` parts the lines of one.
    rows
        As many texts in each as there are headers.
    right
        Columns that stand to the right.
    """
    heads = [header.split("\n") for header in headers]
    widths = _widths(headers, rows)
    if not fits(headers, rows):
        return _blocks(headers, rows)
    tall = max(map(len, heads))
    lines = [[([""] * (tall - len(head)) + head)[k] for head in heads] for k in range(tall)]
    lines += [["-" * width for width in widths], *map(list, rows)]
    return "\n".join(
        GAP.join(
            text.rjust(width) if i in right else text.ljust(width)
            for i, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def fits(headers: Sequence[str], rows: Sequence[Sequence[str]], *, most: int | None = None) -> bool:
    """Tell whether a table is narrow enough for the reader's window; a file or a pipe takes `most`, or any width."""
    columns, widths = room() or most, _widths(headers, rows)
    return columns is None or sum(widths) + len(GAP) * (len(widths) - 1) <= columns


def _widths(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max([*map(len, header.split("\n")), *(len(row[i]) for row in rows)]) for i, header in enumerate(headers)]


def _blocks(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    titles = [header.replace("\n", " ") for header in headers]
    blocks = []
    for row in rows:
        parts = [f"{title} {' '.join(text.split())}" for title, text in zip(titles, row, strict=True) if text.strip()]
        blocks.append(wrapped("; ".join(parts), further="    "))
    return "\n".join(blocks)


def side_by_side(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Join two columns into one, both to the right: a number and its interval."""
    widths = [max(map(len, column), default=0) for column in (first, second)]
    return [f"{a.rjust(widths[0])}{GAP}{b.rjust(widths[1])}".rstrip() for a, b in zip(first, second, strict=True)]
