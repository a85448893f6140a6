"""The rules of a game as a model: every number, switch and choice a field with a sentence, a rule id and a source."""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

SOURCES = {
    "R": "stated by the rules",
    "Q": "a ruling: the rules are silent or can be read two ways",
    "B": "assumed from the base game",
}
"""What the letter before a rule's number means."""


class RuleSet(BaseModel):
    """Base of every game's ``Rules``: strict, closed and immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, validate_default=True)


def number(default: Any, says: str, *, id: str, source: str, **limits: Any) -> Any:
    """Declare one number, switch or choice of a rule set: its default, a sentence, its rule id and its source.

    Parameters
    ----------
    default
        The value of the rules of record.
    says
        One sentence that a player understands.
    id
        Rule id such as ``"P-DN-1"``.
    source
        ``"R"``, ``"Q"`` or ``"B"`` (see ``SOURCES``).
    limits
        Passed to pydantic: ``ge``, ``le``, ``max_length``.
    """
    if source not in SOURCES:
        raise ValueError(f"source {source!r} is not one of {', '.join(SOURCES)}")
    return Field(default, description=says, json_schema_extra={"id": id, "source": source}, **limits)


class RuleField(NamedTuple):
    """One addressable number of a rule set, as ``simkit rules`` shows it."""

    path: str
    value: Any
    default: Any
    id: str
    source: str
    says: str
    allowed: str


def rule_fields(rules: RuleSet) -> list[RuleField]:
    """List every field of a rule set by dotted path, entries of tables included.

    A table is a field that holds a mapping. Its entries are values, each a row of its own, or rule sets themselves,
    each of whose fields is a row (``weapons.catapult.range``). What the table says of its entries stands in the
    ``json_schema_extra`` of the field, by the path below it: ``entries`` (sentences of values; for a rule set the
    words that take the place of ``{}`` in the sentences of its fields), ``ids`` and ``sources``.
    """
    defaults = type(rules)()
    rows = []
    for name, info in type(rules).model_fields.items():
        value, default = getattr(rules, name), getattr(defaults, name)
        if isinstance(value, Mapping):
            for key in dict.fromkeys([*default, *value]):
                rows += _entry(name, key, info, value.get(key), default.get(key))
        else:
            rows.append(_row(name, info, value, default))
    return rows


def _row(path: str, info: FieldInfo, value: Any, default: Any, **other: str) -> RuleField:
    extra = cast(dict[str, Any], info.json_schema_extra)
    about = {"id": extra["id"], "source": extra["source"], "says": info.description or ""} | other
    return RuleField(path, value, default, allowed=allowed(info), **about)


def _entry(table: str, key: str, info: FieldInfo, value: Any, default: Any) -> list[RuleField]:
    """List the rows of one entry of a table."""
    extra = cast(dict[str, Any], info.json_schema_extra)
    words = extra.get("entries", {}).get(key)

    def other(place: str, says: str | None) -> dict[str, str]:
        found = {"id": extra.get("ids", {}).get(place), "source": extra.get("sources", {}).get(place), "says": says}
        return {name: text for name, text in found.items() if text is not None}

    entry = default if value is None else value
    if not isinstance(entry, RuleSet):
        return [_row(f"{table}.{key}", info, value, default, **other(key, words))]
    return [
        _row(
            f"{table}.{key}.{name}",
            field,
            getattr(value, name, None),
            getattr(default, name, None),
            **other(f"{key}.{name}", (field.description or "").replace("{}", words or key)),
        )
        for name, field in type(entry).model_fields.items()
    ]


def allowed(info: FieldInfo) -> str:
    """Say in words which values a field takes."""
    from typing import Literal, get_args, get_origin

    hint, limits = info.annotation, list(info.metadata)
    if get_origin(hint) is dict:  # what each entry may be
        entry = FieldInfo.from_annotation(get_args(hint)[1])
        hint, limits = entry.annotation, list(entry.metadata)
    if get_origin(hint) is Literal:
        return " | ".join(f'"{choice}"' if isinstance(choice, str) else str(choice) for choice in get_args(hint))
    if hint is bool:
        return "true | false"
    low = next((limit.ge for limit in limits if hasattr(limit, "ge")), None)
    high = next((limit.le for limit in limits if hasattr(limit, "le")), None)
    if low is not None and high is not None:
        return f"{low} to {high}"
    return {str: "dice such as 2d6", int: "a whole number"}.get(cast(Any, hint), "a value")
