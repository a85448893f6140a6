"""``make notebooks``: write the .ipynb files beside their .py sources, without outputs.

The sources are what is edited; the notebooks are made from them and committed so that they open with one click.
"""

from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"


def sources() -> list[Path]:
    """Return the notebook sources."""
    return sorted(FOLDER.glob("[0-9]*.py"))


def built(source: Path) -> Any:
    """Return the notebook that a source makes; cell ids are their numbers, so that nothing changes by itself."""
    import jupytext

    notebook = jupytext.read(source)
    for i, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{i}"
    notebook.metadata.pop("jupytext", None)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def text(source: Path) -> str:
    """Return the notebook file that belongs beside a source."""
    import nbformat

    return nbformat.writes(built(source)) + "\n"


if __name__ == "__main__":
    for path in sources():
        path.with_suffix(".ipynb").write_text(text(path), encoding="utf-8")
        print(f"wrote {path.with_suffix('.ipynb').name}")
