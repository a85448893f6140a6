"""How messages name settings, values and what is allowed: our words for places and for pydantic's error types."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from simkit.lab.modelpath import KeyPath, allowed_values, item_types, member_types

_LONGEST = 60  # characters of a stranger's text inside a message
_LISTED = 12  # names in a list of what is allowed

_WANTED = {
    "int": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "fraction": "a number",
    "string": "text in quotes",
    "bool": "true or false",
    "list": "a list in [ ]",
    "tuple": "a list in [ ]",
    "set": "a list in [ ]",
    "frozen": "a list in [ ]",
    "iterable": "a list in [ ]",
    "dict": "a table",
    "mapping": "a table",
    "model": "a table",
    "dataclass": "a table",
    "none": "left out",
    "finite": "a finite number",
}
_FORMS: dict[type, str] = {
    int: "a whole number",
    float: "a number",
    str: "text in quotes",
    bool: "true or false",
    list: "a list in [ ]",
    tuple: "a list in [ ]",
    dict: "a table",
}
_BOUNDS = {
    "greater_than_equal": ("ge", "at least"),
    "greater_than": ("gt", "more than"),
    "less_than_equal": ("le", "at most"),
    "less_than": ("lt", "less than"),
}


def place_of(data: object, path: KeyPath) -> str:
    """Name a setting or item, such as ``'trials' in [run]`` or ``value 3 of 'bogs.swamp' in [sweep.axes]``.

    Parameters
    ----------
    data : object
        The data of the document.
    path : tuple of str and int
        Key path; items of lists are counted from 0 here and from 1 in the words.

    Returns
    -------
    str

    Examples
    --------
    >>> place_of({"course": {"steps": [{"down": 3}]}}, ("course", "steps", 0, "down"))
    "'down' in step 1 of [course]"
    """
    if not path:
        return "the file"
    last, parent = path[-1], path[:-1]
    if isinstance(last, str):
        return quoted(last) + (f" in {table_of(data, parent)}" if parent else "")
    if not isinstance(get(data, path), dict):
        return f"value {last + 1} of {place_of(data, parent)}"
    name = parent[-1] if parent else 0
    if isinstance(name, str) and re.fullmatch(r"[a-z_]*[a-rt-z]s", name) and len(name) < _LONGEST:
        outer = f" of {table_of(data, parent[:-1])}" if len(parent) > 1 else ""
        return f"{name[:-1].replace('_', ' ')} {last + 1}{outer}"
    return f"entry {last + 1} of {place_of(data, parent)}"


def table_of(data: object, path: KeyPath) -> str:
    """Name a table, such as ``[run]``, ``step 2 of [course]`` or ``the top level``."""
    if not path:
        return "the top level"
    if all(isinstance(part, str) for part in path):
        parts = (str(part) if re.fullmatch(r"[A-Za-z0-9_-]+", str(part)) else f'"{part}"' for part in path)
        return f"[{_cut('.'.join(parts))}]"
    return place_of(data, path)


def get(data: Any, path: KeyPath) -> Any:
    """Look up what stands at a key path; None if nothing does."""
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def quoted(text: object) -> str:
    """Text in single quotes, cut when it is long."""
    return f"'{_cut(str(text))}'"


def found(value: object) -> str:
    """Describe a value, for the end of a sentence."""
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return _number(value)
        case str():
            return f"the text {quoted(value)}" if value else "an empty text"
        case list():
            return f"a list of {len(value):,}" if value else "an empty list"
        case dict():
            return "a table" if value else "an empty table"
    return "something else"


def listed(names: Iterable[object]) -> str:
    """Names with commas, the rest counted."""
    words = [_cut(str(name)) for name in names]
    rest = len(words) - _LISTED
    return ", ".join(words[:_LISTED]) + (f" and {rest} more" if rest > 0 else "")


def wanted_type(error_type: str) -> str | None:
    """Name the type that an error of the wrong type asks for; None for an error of another sort."""
    base, _, rest = error_type.partition("_")
    if rest.startswith(("type", "parsing", "from_float", "number", "required", "attributes", "set_type", "exact")):
        return _WANTED.get(base)
    return "text in quotes" if error_type in ("string_unicode", "string_sub_type") else None


def forms(annotation: object) -> str:
    """Name the types of a union, to follow "must be"; empty if they are unknown."""
    kinds = member_types(annotation)
    names = [_FORMS.get(kind, "a table" if hasattr(kind, "model_fields") else "") for kind in kinds]
    return either(filter(None, names))


def either(choices: Iterable[str]) -> str:
    """Join choices with commas and "or"; a whole number is a number."""
    names = dict.fromkeys(choices)
    if "a number" in names:
        names.pop("a whole number", None)
    *first, last = names or [""]
    return f"{', '.join(first)} or {last}" if first else last


def one_of(values: Sequence[object]) -> str:
    """Name the values that are allowed, to follow "must be".

    Examples
    --------
    >>> one_of(["hold", "greedy"])
    'one of "hold", "greedy"'
    """
    return f"one of {listed(map(_plain, values))}" if len(values) > 1 else _plain(values[0])


def demand(error_type: str, context: Mapping[str, Any], annotation: object, metadata: Iterable[object]) -> str:
    """Say what a value must be, to follow "must be".

    Parameters
    ----------
    error_type : str
        pydantic's type of the error.
    context : mapping
        Its ``ctx``.
    annotation, metadata
        What the model says of the value; they add what the error itself does not tell (the other end of a range, the
        values of an enumeration).

    Returns
    -------
    str
        Empty if there is nothing to say.
    """
    if error_type in _BOUNDS:
        return _range(error_type, context, metadata)
    allowed = allowed_values(annotation)
    if allowed:
        return one_of(allowed)
    wanted = wanted_type(error_type)
    if wanted:
        return wanted
    if error_type == "is_instance_of":
        return forms(annotation)
    match error_type:
        case "literal_error" | "enum":
            return f"one of {context.get('expected', 'the allowed values')}".replace(" or ", ", ").replace("'", "")
        case "multiple_of":
            return f"a multiple of {_number(context.get('multiple_of', 1))}"
        case "too_short":
            return f"at least {_count(context.get('min_length', 1), 'value')} long"
        case "too_long":
            return f"at most {_count(context.get('max_length', 0), 'value')} long"
        case "string_too_short":
            return f"at least {_count(context.get('min_length', 1), 'character')} long"
        case "string_too_long":
            return f"at most {_count(context.get('max_length', 0), 'character')} long"
    return ""


def advice(error_type: str, value: object, annotation: object) -> str | None:
    """Say what to write instead, where the value itself tells what was meant."""
    wanted = wanted_type(error_type)
    if wanted in ("a whole number", "a number") and isinstance(value, str) and re.fullmatch(r"[+-]?\d+(\.\d+)?", value):
        return f"write {_cut(value)} without quotes"
    if wanted == "a whole number" and isinstance(value, float) and value.is_integer():
        return f"write {int(value)}"
    if wanted == "true or false" and isinstance(value, str) and value.lower() in ("true", "false"):
        return f"write {value.lower()} without quotes"
    if wanted == "text in quotes" and type(value) is int:
        return f'write "{value}"'
    if error_type in ("too_short", "too_long"):
        return None
    if type(value) in item_types(annotation):
        return f"put it in brackets: [{_plain(value)}]"
    if type(value) is int and str in item_types(annotation):
        return f'put it in brackets and quotes: ["{value}"]'
    return None


def _range(error_type: str, context: Mapping[str, Any], metadata: Iterable[object]) -> str:
    key, _ = _BOUNDS[error_type]
    bounds: dict[str, Any] = {}
    for item in metadata:
        for name in ("ge", "gt", "le", "lt"):
            if getattr(item, name, None) is not None:
                bounds[name] = getattr(item, name)
    bounds[key] = context.get(key, bounds.get(key))
    if bounds.keys() == {"ge", "le"}:
        return f"from {_number(bounds['ge'])} to {_number(bounds['le'])}"
    return " and ".join(f"{words} {_number(bounds[name])}" for name, words in _BOUNDS.values() if name in bounds)


def _plain(value: object) -> str:
    """Spell a value as TOML does."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{_cut(value)}"' if isinstance(value, str) else _cut(str(value))


def _number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}" if value.is_integer() and abs(value) < 1e6 else repr(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
