"""JSON Schemas of the documents of studies, found by their place: a module for every command."""

import importlib
import inspect
from pathlib import Path
from typing import Any

from simkit.balance.documents.head import Head
from simkit.lab.schema import DIALECT

_NOT_COMMANDS = frozenset(["__init__", "head", "schemas"])


def commands() -> list[str]:
    """List the commands whose documents have a schema, sorted."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in _NOT_COMMANDS)


def document_schema(command: str) -> dict[str, Any]:
    """Return the schema of what a command prints with ``--json`` and writes to ``report.json``.

    Parameters
    ----------
    command
        One of :func:`commands`.

    Raises
    ------
    LookupError
        There is no such command; the text says which there are.
    """
    if command not in commands():
        raise LookupError(f"no document is called {command!r}; there are: {', '.join(commands())}")
    module = importlib.import_module(f"simkit.balance.documents.{command}")
    (model,) = (
        found
        for _, found in inspect.getmembers(module, inspect.isclass)
        if issubclass(found, Head) and found is not Head and found.__module__ == module.__name__
    )
    schema = model.model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": DIALECT, **schema, "title": f"simkit {command} --json"}
