"""Draw problems: heading, place, source line, carets, help.

The text of strangers' files is shown here, so nothing of it reaches the terminal as a command: control, bidi and
invisible characters are spelled out, and colours are styles of ``rich.text.Text``, never markup.
"""

import itertools
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

    from simkit.lab.problems import Problem, Span

Piece = tuple[str, str]  # text and style

_KIND_COLUMN = 67
_WIDTH = 100  # terminal cells of a source line
_TAB = "    "
_INVISIBLE = ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp")


def render(problems: "Sequence[Problem]", sources: Mapping[str, str], *, closing: str = "nothing was run") -> str:
    """Problems as plain text, numbered, with a summary line at the end.

    Parameters
    ----------
    problems : sequence of Problem
        Shown in the given order; warnings have no number.
    sources : mapping of str to str
        Text of each file by path, with LF line ends; without it a problem shows its place alone.
    closing : str
        What the summary says of the consequence if there are errors; empty for none.

    Returns
    -------
    str
        Lines that end in LF; empty if there are no problems.
    """
    return "".join(text for text, _ in _pieces(problems, sources, closing))


def coloured(problems: "Sequence[Problem]", sources: Mapping[str, str], *, closing: str = "nothing was run") -> "Text":
    """Colour the text of :func:`render` for a rich console.

    Parameters
    ----------
    problems, sources, closing
        As for :func:`render`.

    Returns
    -------
    rich.text.Text
    """
    from rich.text import Text  # a plain message needs no rich

    return Text.assemble(*_pieces(problems, sources, closing))


def visible(text: str) -> str:
    """Text in which control, bidi and invisible characters are spelled ``<U+001B>``."""
    return "".join(f"<U+{ord(c):04X}>" if unicodedata.category(c) in _INVISIBLE else c for c in text)


def _pieces(problems: "Sequence[Problem]", sources: Mapping[str, str], closing: str) -> list[Piece]:
    pieces: list[Piece] = []
    number = 0
    for problem in problems:
        number += problem.severity == "error"
        pieces += _problem(problem, f"{number} error" if problem.severity == "error" else "  warning", sources)
    if problems:
        pieces.append((_summary(problems, closing) + "\n", "bold"))
    return pieces


def _problem(problem: "Problem", title: str, sources: Mapping[str, str]) -> Iterator[Piece]:
    style = "bold red" if problem.severity == "error" else "bold yellow"
    message = visible(problem.message)
    gap = max(2, _KIND_COLUMN - _cells(f"{title}: {message}"))
    yield title, style
    yield f": {message}{' ' * gap}", "bold"
    yield f"[{problem.kind}]\n", "dim"
    places = [(problem.span, problem.note), *problem.also]
    help_text = problem.help
    if problem.note is None and problem.span is not None and problem.path in sources and not problem.also:
        places[0] = (problem.span, f"help: {help_text}" if help_text else None)
        help_text = None
    # The gutter is as wide as the largest line number, at least four.
    gutter = max([4, *(len(str(span.line)) for span, _ in places if span is not None)])
    if problem.path is not None:
        place = f":{problem.span.line}:{problem.span.column}" if problem.span is not None else ""
        yield f"{' ' * (gutter - 1)}--> {visible(problem.path)}{place}\n", "blue"
    shown = None
    for span, label in places:
        if span is not None and problem.path is not None and problem.path in sources:
            source, carets = _excerpt(sources[problem.path], span)
            if (span.line, source) != shown:
                yield f"{span.line:>{gutter}} |", "blue"
                yield f" {source}".rstrip() + "\n", ""
            shown = span.line, source
            yield f"{' ' * gutter} | ", "blue"
            yield f"{carets} {visible(label or '')}".rstrip() + "\n", style
        elif label:
            yield f"{' ' * gutter} = {visible(label)}\n", ""
    if help_text:
        yield f"{' ' * gutter} = ", "blue"
        yield f"help: {visible(help_text)}\n", "green"


def _excerpt(source: str, span: "Span") -> tuple[str, str]:
    """Return a source line and the carets under the span, both cut to a window when the line is long."""
    lines = source.split("\n", span.line)
    line = lines[span.line - 1] if span.line <= len(lines) else ""
    start, end = span.column - 1, max(span.column, span.end_column - 1)
    before = _fitting(reversed(line[:start][-_WIDTH:]), _WIDTH // 2)[::-1]
    under = _fitting(line[start:end], _WIDTH // 2)
    is_cut = len(under) < len(line[start:end])
    after = [] if is_cut else _fitting(line[end : end + _WIDTH], _WIDTH - _cells("".join([*before, *under])))
    left = "…" * (len(before) < len(line[:start])) + "".join(before)
    right = "".join(after) + "…" * (is_cut or len(after) < len(line[end:]))
    middle = "".join(under)
    return left + middle + right, " " * _cells(left) + "^" * max(1, _cells(middle))


def _fitting(characters: Iterable[str], room: int) -> list[str]:
    """Draw as many characters as fit into the room (and at most _WIDTH, for those that need none)."""
    drawn = []
    for character in itertools.islice(characters, _WIDTH):
        drawn.append(_TAB if character == "\t" else visible(character))
        room -= _cells(drawn[-1])
        if room < 0:
            return drawn[:-1]
    return drawn


def _cells(text: str) -> int:
    """Terminal cells: two for wide characters, none for marks that combine with the one before."""
    cells = 0
    for c in text:
        if unicodedata.category(c) not in ("Mn", "Me"):
            cells += 2 if unicodedata.east_asian_width(c) in "WF" else 1
    return cells


def _summary(problems: "Sequence[Problem]", closing: str) -> str:
    errors = sum(problem.severity == "error" for problem in problems)
    counts = [_number(errors, "error")] * (errors > 0)
    counts += [_number(len(problems) - errors, "warning")] * (len(problems) > errors)
    paths = {problem.path for problem in problems if problem.path is not None}
    place = f" in {visible(paths.pop())}" if len(paths) == 1 else f" in {len(paths)} files" * bool(paths)
    return " and ".join(counts) + place + f"; {closing}" * bool(errors and closing)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"
