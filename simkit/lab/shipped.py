"""Where the experiments and house rules that ship with simkit are."""

from pathlib import Path


def shipped_folder() -> Path:
    """Return the folder of the shipped experiments: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "shipped"
    return installed if installed.is_dir() else package.parent / "experiments"
