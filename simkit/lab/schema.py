"""JSON Schemas of the files people write, so that an editor completes names and marks mistakes."""

import json
from collections.abc import Sequence
from typing import Any

from simkit.games import protocol
from simkit.games.protocol import Game
from simkit.lab import marches
from simkit.lab.experiment import POLICY, SCENARIO_TABLES, Experiment
from simkit.lab.house import HouseRule, toml_text
from simkit.lab.marches import MarchHead

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DEFINED = "#/$defs/"


def experiment_schema() -> dict[str, Any]:
    """Return the schema of experiments: with the scenario tables and rule paths of every game there is."""
    schema = Experiment.model_json_schema(by_alias=True)
    definitions = schema.setdefault("$defs", {})
    games = [protocol.load(name) for name in protocol.find()]
    tables: dict[str, list[dict[str, Any]]] = {}
    for game in games:
        scenario = _own_names(game, game.Scenario.model_json_schema())
        definitions |= scenario.pop("$defs", {})
        for table in SCENARIO_TABLES:
            if table in scenario["properties"]:
                tables.setdefault(table, []).append({**scenario["properties"][table], "title": game.TITLE})
    for table, found in tables.items():
        schema["properties"][table] = _either(found)
    policies = list(dict.fromkeys(policy for game in games for policy in game.POLICIES))
    says = definitions["RunSettings"]["properties"][POLICY]["description"]
    definitions["RunSettings"]["properties"][POLICY] = {"type": "string", "enum": policies, "description": says}
    schema["properties"]["game"]["enum"] = protocol.find()
    paths = {"house_rules": {"description": "lists of house rules to play without and with"}} | _rule_paths(games)
    schema["properties"]["set"] |= {"properties": paths, "additionalProperties": True}
    axes = definitions["Sweep"]["properties"]["axes"]
    axes["properties"] = {path: {**about, "type": ["array", "object"]} for path, about in paths.items()}
    return {"$schema": DIALECT, **schema, "title": "simkit experiment"}


def house_rule_schema() -> dict[str, Any]:
    """Return the schema of house rules."""
    schema = HouseRule.model_json_schema(by_alias=True)
    schema["properties"]["for"]["enum"] = protocol.find()
    paths = _rule_paths([protocol.load(name) for name in protocol.find()])
    schema["properties"]["set"] |= {"properties": paths, "additionalProperties": True}
    return {"$schema": DIALECT, **schema, "title": "simkit house rule"}


def march_schema() -> dict[str, Any]:
    """Return the schema of marches: with the units, the lanes and the rule paths of every game in which units march."""
    schema = MarchHead.model_json_schema(by_alias=True)
    games = [protocol.load(name) for name in marches.games()]
    found: dict[str, list[dict[str, Any]]] = {}
    for game in games:
        tables = _own_names(game, marches.marcher(game).MarchTables.model_json_schema())
        schema.setdefault("$defs", {}).update(tables.pop("$defs", {}))
        for name, about in tables["properties"].items():
            found.setdefault(name, []).append({**about, "title": game.TITLE})
    schema["properties"] |= {name: _either(several) for name, several in found.items()}
    schema["properties"]["game"]["enum"] = [game.NAME for game in games]
    schema["properties"]["set"] |= {"properties": _rule_paths(games), "additionalProperties": True}
    return {"$schema": DIALECT, **schema, "title": "simkit march"}


def _own_names(game: Game, schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema whose definitions carry the name of their game: other games have a Side and a Unit, too."""
    own = f"{game.NAME}_"

    def renamed(node: Any) -> Any:
        if isinstance(node, dict):
            return {
                key: f"{_DEFINED}{own}{value.removeprefix(_DEFINED)}"
                if key == "$ref"
                else {f"{own}{name}": renamed(one) for name, one in value.items()}
                if key == "$defs"
                else renamed(value)
                for key, value in node.items()
            }
        return [renamed(one) for one in node] if isinstance(node, list) else node

    return json.loads(json.dumps(renamed(schema)))  # type: ignore[no-any-return]


def _either(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return a table as one game has it, or as any of several has it."""
    if len(found) == 1:
        return {key: value for key, value in found[0].items() if key != "title"}
    return {"anyOf": list(found)}


def _rule_paths(games: Sequence[Game]) -> dict[str, Any]:
    """Return every rule path with what it means, in each of the games that have it."""
    said: dict[str, list[tuple[str, str]]] = {}
    for game in games:
        for row in protocol.rule_fields(game.Rules()):
            says = f"{row.says} ({row.id}; {row.allowed}; now {toml_text(row.value)})"
            said.setdefault(row.path, []).append((game.TITLE, says))
    return {path: {"description": _told(found)} for path, found in said.items()}


def _told(found: Sequence[tuple[str, str]]) -> str:
    return found[0][1] if len(found) == 1 else " ".join(f"{title}: {says}" for title, says in found)


SCHEMAS = {
    "experiment.schema.json": experiment_schema,
    "house-rule.schema.json": house_rule_schema,
    "march.schema.json": march_schema,
}
"""File name to the function that makes it."""
