"""Follow pydantic's error locations through the models and the data at once.

A location mixes keys of the data with labels of its own: the member of a union that was tried, ``[key]`` for the key of
a table.  Only the models tell them apart, and only the models know the settings beside the wrong one and the allowed
values.
"""

import types
from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import AliasChoices, BaseModel, Tag
from pydantic.fields import FieldInfo

KeyPath = tuple[str | int, ...]


class Place(NamedTuple):
    """What a location stands for.

    Attributes
    ----------
    path : tuple of str and int
        Key path in the data.
    owner : type or None
        Model of the table that holds the last key, if it is known.
    annotation : type
        What the model says of the value; ``Any`` if unknown.
    metadata : tuple
        Limits, descriptions and the like that belong to the annotation.
    unions : tuple of (path, label)
        The unions on the way, each with the member that pydantic tried.
    is_key : bool
        The key itself is meant and not its value.
    """

    path: KeyPath
    owner: type[BaseModel] | None
    annotation: Any
    metadata: tuple[Any, ...]
    unions: tuple[tuple[KeyPath, str], ...]
    is_key: bool


def follow(
    location: tuple[str | int, ...], data: object, model: type[BaseModel] | None, *, missing: bool = False
) -> Place:
    """Translate a location of a pydantic error.

    Parameters
    ----------
    location : tuple
        ``loc`` of one error.
    data : object
        What was validated.
    model : type or None
        The model; without it labels are told from keys by what the data has.
    missing : bool
        The last step is a key that the data should have and does not.

    Returns
    -------
    Place
        ``path`` is relative to `data`.
    """
    annotation, metadata = _bare(model if model is not None else Any)
    path: KeyPath = ()
    owner: type[BaseModel] | None = None
    unions: list[tuple[KeyPath, str]] = []
    is_key = False
    container: Any = Any
    for number, step in enumerate(location, start=1):
        members = _members(annotation)
        if step == "[key]" and not _has(data, step):
            is_key = True
            annotation, metadata = _bare((get_args(container) or (Any,))[0])
            continue
        if len(members) > 1:
            unions.append((path, str(step)))
            annotation, metadata = _bare(_member(members, str(step)))
            continue
        if annotation is Any and _is_label(location[number - 1 :], data, missing=missing):
            unions.append((path, str(step)))
            continue
        owner, container = _model_of(annotation), annotation
        annotation, metadata = _bare(_child(annotation, step))
        path += (step,)
        data = _item(data, step)
    return Place(path, owner, annotation, metadata, tuple(unions), is_key)


def field_names(model: type[BaseModel] | None) -> list[str]:
    """Names of the settings of a model as a file spells them, in the order of the model."""
    return [_spelling(name, field) for name, field in model.model_fields.items()] if model is not None else []


def field_named(model: type[BaseModel] | None, name: str | int) -> FieldInfo | None:
    """Find the field that a file spells so."""
    if model is None:
        return None
    return next((field for key, field in model.model_fields.items() if _spelling(key, field) == name), None)


def tables_with(model: type[BaseModel] | None, name: str, *, levels: int = 3) -> Iterator[KeyPath]:
    """Key paths of the tables in which a setting of that name is known (tables by name only, not lists of tables)."""
    if model is None or levels == 0:
        return
    names = field_names(model)
    if name in names:
        yield ()
    for child in names:
        inner = _model_of(_bare(_child(model, child))[0])
        for path in tables_with(inner, name, levels=levels - 1):
            yield (child, *path)


def allowed_values(annotation: object) -> list[Any]:
    """Values of a ``Literal`` or an enumeration (also in a union), else nothing."""
    bare, _ = _bare(annotation)
    values: list[Any] = []
    for member in _members(bare):
        if get_origin(member) is Literal:
            values += get_args(member)
        elif isinstance(member, type) and issubclass(member, Enum):
            values += [item.value for item in member]
    return values


def member_types(annotation: object) -> list[type]:
    """Plain types of the members of a union, without duplicates; nothing if it is unknown."""
    members = (_bare(member)[0] for member in _members(_bare(annotation)[0]))
    kinds = dict.fromkeys(get_origin(member) or member for member in members)
    return [kind for kind in kinds if isinstance(kind, type) and kind is not Any]


def item_types(annotation: object) -> list[type]:
    """Plain types that the items of a list may have; for a union, of all lists in it."""
    members = (_bare(member)[0] for member in _members(_bare(annotation)[0]))
    lists = [member for member in members if get_origin(member) in (list, tuple, set, frozenset)]
    return [kind for member in lists for kind in member_types(_child(member, 0))]


def _spelling(name: str, field: FieldInfo) -> str:
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        alias = next((choice for choice in alias.choices if isinstance(choice, str)), None)
    return alias if isinstance(alias, str) else name


def _bare(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Strip Annotated, None, type aliases and root models from an annotation; return it and the metadata."""
    metadata: tuple[Any, ...] = ()
    while True:
        if isinstance(annotation, FieldInfo):
            metadata += (annotation, *annotation.metadata)
            annotation = annotation.annotation
        elif get_origin(annotation) is Annotated:
            for item in annotation.__metadata__:
                metadata += (item, *getattr(item, "metadata", ()))
            annotation = annotation.__origin__
        elif hasattr(annotation, "__value__"):
            annotation = annotation.__value__
        elif _is_root_model(annotation):
            annotation = annotation.model_fields["root"]
        elif _is_union(annotation) and len(_members(annotation)) == 1:
            annotation = _members(annotation)[0]
        else:
            return annotation, metadata


def _is_union(annotation: object) -> bool:
    return get_origin(annotation) in (Union, types.UnionType)


def _is_root_model(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel) and annotation.__pydantic_root_model__


def _members(annotation: Any) -> list[Any]:
    if not _is_union(annotation):
        return [annotation]
    return [member for member in get_args(annotation) if member is not type(None)]


def _model_of(annotation: object) -> type[BaseModel] | None:
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None


def _member(members: list[Any], label: str) -> Any:
    """Find the member of a union that pydantic names so: by tag, by class, by the value of its discriminator."""
    for member in members:
        bare, metadata = _bare(member)
        tags = [item.tag for item in metadata if isinstance(item, Tag)]
        origin = get_origin(bare)
        names = ["literal" if origin is Literal else getattr(each, "__name__", "") for each in (bare, origin)]
        if label in tags or label in names or label.partition("[")[0].removeprefix("constrained-") in names:
            return member
    for member in members:
        model = _model_of(_bare(member)[0])
        if model is not None and any(label in allowed_values(field) for field in model.model_fields.values()):
            return member
    return Any


def _child(annotation: Any, step: str | int) -> Any:
    """Look up what the annotation of a container says of one of its items."""
    model = _model_of(annotation)
    if model is not None:
        return field_named(model, step) or Any
    arguments = get_args(annotation)
    origin = get_origin(annotation)
    if not arguments or not isinstance(origin, type):
        return Any
    if issubclass(origin, tuple) and isinstance(step, int) and arguments[-1] is not Ellipsis:
        return arguments[step] if step < len(arguments) else Any
    return arguments[1] if isinstance(step, str) and len(arguments) > 1 else arguments[0]


def _is_label(rest: tuple[str | int, ...], data: object, *, missing: bool) -> bool:
    """Guess from the data alone whether the first step is a label and no key."""
    step, *after = rest
    if not _has(data, step):
        return bool(after) or not missing
    return bool(after) and not _has(_item(data, step), after[0]) and _has(data, after[0])


def _has(data: object, step: str | int) -> bool:
    if isinstance(data, dict):
        return step in data
    return isinstance(data, list) and isinstance(step, int) and 0 <= step < len(data)


def _item(data: Any, step: str | int) -> Any:
    return data[step] if _has(data, step) else None
