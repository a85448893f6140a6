"""What every document of a study begins with, and the parts that many of them have."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from simkit.balance.document import assumed_of, assumptions_of, header, rules_of
from simkit.lab import resolve
from simkit.lab.study import Study


class Part(BaseModel):
    """A table of a document: closed, and as strict as JSON is."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Number(Part):
    """An estimate: never a bare number."""

    estimate: float | None = Field(description="best guess; null where it is infinite")
    low: float | None = Field(description="lower end of its interval; null where it has none")
    high: float | None = Field(description="upper end of its interval; null where it has none")
    level: float = Field(description="confidence level of the interval; 1 where it is exact")
    n: int = Field(description="independent units behind it; 0 where it is exact")
    method: str = Field(description="kind of interval, or exact")


class Verdict(Part):
    """What it comes to."""

    answer: str = Field(description="the answer in a sentence, with interval, level, n and method")
    word: str = Field(description="the answer in a word")
    rule: str = Field(description="by which rule the word was chosen")
    not_resolved: list[str] = Field(default_factory=list, description="what these trials cannot tell, a sentence each")


class Head(BaseModel):
    """What every document of a study begins with: what was asked, of which rules, and the verdict."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_: Literal[1] = Field(alias="schema")
    command: str = Field(description="the verb that asked")
    name: str
    run: str = Field(description="name of the folder of results, below that of the experiment")
    question: str
    game: str
    title: str
    edition: str
    setting: str = Field(description="the scenario in words")
    model: list[dict[str, Any]] = Field(description="what every scenario takes for granted")
    version: dict[str, int]
    seed: int
    replication: int
    level: float
    precision: float | None
    trials: int = Field(description="games behind all numbers")
    metric: str
    target: float | None
    fair_within: float | None
    metrics: list[dict[str, Any]] = Field(description="the outcomes of the game")
    axes: list[dict[str, Any]]
    baseline: dict[str, str] | None
    changes: list[dict[str, Any]] = Field(description="rules that differ from the rules of record")
    house_rules: list[dict[str, Any]]
    rules: list[dict[str, Any]] = Field(description="every rule with the values it takes")
    assumptions: list[dict[str, Any]] = Field(description="rulings and base-game values that it rests on")
    file: str
    experiment: str = Field(description="the experiment with everything spelt out, as TOML")
    settings: dict[str, Any] = Field(description="what was asked, everything spelt out")
    verdict: Verdict


def head(study: Study) -> dict[str, Any]:
    """Return what is known of a study beside its own findings.

    Parameters
    ----------
    study
        Asked when everything is played: it counts the trials.
    """
    plan = study.plan
    return {
        **header(plan),
        "command": study.command,
        "run": study.store.folder.name,
        "trials": study.trials,
        "rules": rules_of(plan),
        "assumptions": assumptions_of(plan, assumed_of(plan)),
        "file": resolve.FILE,
        "experiment": study.resolved,
        "settings": dict(study.settings),
    }
