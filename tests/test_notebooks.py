"""The notebooks are what their sources make, carry no outputs, and run."""

from pathlib import Path

import pytest

from tests.notebooks import built, sources, text


def test_there_are_notebooks() -> None:
    assert [path.stem for path in sources()] == [
        "01_first_look",
        "02_house_rule",
        "03_legs_or_sails",
        "04_pikes_and_chariots",
        "05_overpowered",
        "06_a_fair_number",
        "07_reading_intervals",
        "08_juggerball",
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("source", sources(), ids=lambda path: path.stem)
def test_a_notebook_equals_its_source_and_has_no_outputs(source: Path) -> None:
    import nbformat

    written = source.with_suffix(".ipynb").read_text(encoding="utf-8")
    assert written == text(source), "make notebooks writes it again"
    cells = nbformat.reads(written, as_version=4).cells
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)


@pytest.mark.thorough
@pytest.mark.parametrize("source", sources(), ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")  # the notebook server's own libraries warn on start
def test_a_notebook_runs(source: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from nbclient import NotebookClient

    monkeypatch.setenv("SIMKIT_NOTEBOOK_TRIALS", "2000")
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = built(source)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(source.parent)}}).execute()
    printed = [out for cell in notebook.cells for out in cell.get("outputs", ())]
    assert printed
    assert not [out for out in printed if out["output_type"] == "error"]
