"""JSON Schemas of the files people write, so that an editor completes names and marks mistakes."""

from typing import Any

from simkit.games import protocol
from simkit.lab.experiment import POLICY, SCENARIO_TABLES, Experiment
from simkit.lab.house import HouseRule, toml_text

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def experiment_schema() -> dict[str, Any]:
    """Return the schema of experiments: with the scenario tables and rule paths of every game there is."""
    schema = Experiment.model_json_schema(by_alias=True)
    definitions = schema.setdefault("$defs", {})
    paths: dict[str, Any] = {"house_rules": {"description": "lists of house rules to play without and with"}}
    policies: list[str] = []
    for name in protocol.find():
        game = protocol.load(name)
        scenario = game.Scenario.model_json_schema()
        definitions |= scenario.pop("$defs", {})
        policies += [policy for policy in game.POLICIES if policy not in policies]
        for table in SCENARIO_TABLES:
            if table in scenario["properties"]:
                schema["properties"][table] = scenario["properties"][table]
        for row in protocol.rule_fields(game.Rules()):
            paths[row.path] = {"description": f"{row.says} ({row.id}; {row.allowed}; now {toml_text(row.value)})"}
    schema["properties"]["game"]["enum"] = protocol.find()
    definitions["RunSettings"]["properties"][POLICY]["enum"] = policies
    schema["properties"]["set"] |= {"properties": paths, "additionalProperties": True}
    axes = definitions["Sweep"]["properties"]["axes"]
    axes["properties"] = {path: {**about, "type": ["array", "object"]} for path, about in paths.items()}
    return {"$schema": DIALECT, **schema, "title": "simkit experiment"}


def house_rule_schema() -> dict[str, Any]:
    """Return the schema of house rules."""
    schema = HouseRule.model_json_schema(by_alias=True)
    paths: dict[str, Any] = {}
    for name in protocol.find():
        for row in protocol.rule_fields(protocol.load(name).Rules()):
            paths[row.path] = {"description": f"{row.says} ({row.id}; {row.allowed}; now {toml_text(row.value)})"}
    schema["properties"]["for"]["enum"] = protocol.find()
    schema["properties"]["set"] |= {"properties": paths, "additionalProperties": True}
    return {"$schema": DIALECT, **schema, "title": "simkit house rule"}


SCHEMAS = {"experiment.schema.json": experiment_schema, "house-rule.schema.json": house_rule_schema}
"""File name to the function that makes it."""
