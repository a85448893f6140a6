"""``make rules``: every rule id of every game with the functions, fields and tests that cite it."""

import re
from pathlib import Path

from simkit.games import protocol
from simkit.lab.rulebook import ID, ids

ROOT = Path(__file__).resolve().parents[1]
LATER = re.compile(r"B-TER-1[1-4]")
"""Ids of what lies beside a lane, which is not built yet."""


def cited(folder: Path, suffixes: tuple[str, ...]) -> dict[str, list[str]]:
    """Return which files below a folder cite each rule id."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix in suffixes and path.name != Path(__file__).name:
            for id in set(ID.findall(path.read_text(encoding="utf-8"))):
                found.setdefault(id, []).append(path.relative_to(ROOT).as_posix())
    return found


def wanted(game: str) -> list[str]:
    """Return the ids of a game that are built."""
    return [id for id in ids(game) if not LATER.fullmatch(id)]


def main() -> None:
    """Print the index."""
    code, tests = cited(ROOT / "simkit", (".py",)), cited(ROOT / "tests", (".py", ".toml"))
    for game in protocol.find():
        rows = wanted(game)
        print(f"{game}: {len(rows)} rule ids; without a test: {sum(id not in tests for id in rows)}")
        for id in rows:
            print(f"  {id:<10} {', '.join(tests.get(id, ['-']))}")
            print(f"  {'':<10} in {', '.join(code.get(id, ['-']))}")


if __name__ == "__main__":
    main()
