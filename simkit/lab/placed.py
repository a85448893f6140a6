"""Documents made of parts of a file: what is wrong with a part is told where the file has it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from simkit.lab.modelpath import KeyPath
from simkit.lab.problems import Span
from simkit.lab.toml import Document


@dataclass(frozen=True)
class Placed(Document):
    """A document in which some parts of the data stand elsewhere in the text."""

    places: Mapping[KeyPath, KeyPath] = field(default_factory=dict)

    def where(self, key_path: KeyPath, part: Literal["key", "value"] = "key") -> Span:
        """Return the place of a key or value where it is written."""
        return super().where(self._written_at(key_path), part)

    def inside(self, key_path: KeyPath, column: int) -> Span:
        """Return the place of one character of a text where it is written."""
        return super().inside(self._written_at(key_path), column)

    def _written_at(self, path: KeyPath) -> KeyPath:
        for length in range(len(path), 0, -1):
            there = self.places.get(tuple(path[:length]))
            if there is not None:
                return (*there, *path[length:])
        return path
