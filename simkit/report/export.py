"""Single plots as files: SVG, the same bytes every time, or PNG."""

import io
import warnings
from pathlib import Path

from matplotlib.figure import Figure

from simkit.lab.store import write_atomic

FORMS = (".svg", ".png")

SHARPNESS = 144
"""Dots an inch of a PNG: two for every CSS pixel."""


def form_of(path: Path) -> str:
    """Return the form that a file's name asks for.

    Raises
    ------
    ValueError
        It ends in neither ``.svg`` nor ``.png``.
    """
    form = path.suffix.lower()
    if form not in FORMS:
        found = f"'{path.suffix}'" if path.suffix else "a name without an ending"
        raise ValueError(f"a plot is {' or '.join(FORMS)}, not {found}")
    return form


def save(figure: Figure, path: Path) -> None:
    """Write a figure that was drawn inside :func:`simkit.report.style.settings`, still inside it.

    Raises
    ------
    ValueError
        The name ends in neither ``.svg`` nor ``.png``.
    OSError
        The file cannot be written.
    """
    form, buffer = form_of(path), io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r".*missing from font\(s\)")  # names may be in any script
        if form == ".svg":
            figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
        else:
            figure.savefig(buffer, format="png", dpi=SHARPNESS, metadata={"Software": None})
    write_atomic(path, buffer.getvalue())
