"""Courses: what one lancer attempts, as a player writes it down (P-CRS-1, P-CRS-12)."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from simkit.games.pigtickler.rules import Rules
from simkit.games.protocol import Complaint

MOST_TURNS = 1000
MOST_STEPS = 64
MOST_TASKS = 128
UNLIMITED = "unlimited"
AHEAD = ("edge", "obstacle", "lancer", "chasm", "pig")

KEYS = ("down", "up", "turn", "bog", "avoid", "beside", "cross", "ramp", "chasm", "stop", "pig")
"""The eleven kinds of step; every step has exactly one of them."""

STEERABLE = ("turn", "stop")
"""Steps after which another player may steer him; only they may name what lies ahead."""

WORDS = {
    "down": "down {n}",
    "up": "up {n}",
    "turn": "turn {n}",
    "ramp": "ramp",
    "chasm": "chasm",
    "stop": "stop",
    "pig": "pig",
}

Count = Annotated[int, Field(ge=1, le=99)]


def _no_wall(value: Any) -> Any:
    if value == "wall":
        raise PydanticCustomError(
            "rule",
            "a wall cannot be crossed (P-LIN-3)",
            {"help": 'only "fence" and "hedge" can; {beside="wall"} turns at one'},
        )
    return value


def _flag(value: Any) -> Any:
    if value is not True:
        raise PydanticCustomError(
            "rule",
            "a flag is true or left out (P-CRS-12), not {value}",
            {"value": "false" if value is False else repr(value), "help": "write true, or leave the step out"},
        )
    return value


Flag = Annotated[Literal[True], BeforeValidator(_flag)]


class Step(BaseModel):
    """One step of a course: exactly one of the eleven kinds."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    down: Count | None = Field(None, description="ride down so many levels; no roll (P-DN-1)")
    up: Count | None = Field(None, description="climb so many levels, a roll for each (P-UP-1)")
    turn: Count | None = Field(None, description="so many turns, a roll for each (P-MAN-3)")
    bog: str | None = Field(None, description="ride through a bog of this kind (P-BOG-1)", max_length=32)
    bends: Annotated[int, Field(ge=0, le=99)] | None = Field(None, description="turns inside that bog")
    avoid: Literal["obstacle", "lancer"] | None = Field(None, description="go round it (P-DN-2, P-DN-3)")
    beside: Literal["wall", "fence", "hedge"] | None = Field(None, description="turn at it (P-LIN-1)")
    cross: Annotated[Literal["fence", "hedge"], BeforeValidator(_no_wall)] | None = Field(
        None, description="cross it (P-LIN-2)"
    )
    ramp: Flag | None = Field(None, description="ride over a chasm on a ramp (P-SPC-2)")
    chasm: Flag | None = Field(None, description="turn away at its brink (P-SPC-1)")
    stop: Flag | None = Field(None, description="stop here (P-MAN-4, P-DN-7)")
    pig: Flag | None = Field(None, description="reach the pig (P-DN-5)")
    ahead: str | None = Field(
        None, description="what lies straight ahead if another player steers him here (P-CRS-6)", max_length=32
    )

    @model_validator(mode="after")
    def _one_kind(self) -> "Step":
        given = [key for key in KEYS if getattr(self, key) is not None]
        if len(given) != 1:
            found = " and ".join(given) or "none"
            raise PydanticCustomError(
                "rule",
                "a step has exactly one kind (P-CRS-12); this one has {found}",
                {"found": found, "help": f"the kinds are {', '.join(KEYS)}"},
            )
        if self.bends is not None and self.bog is None:
            raise PydanticCustomError("rule", "bends belong to a bog (P-CRS-12)", {"help": '{bog="swamp", bends=1}'})
        if self.ahead is not None and self.kind not in STEERABLE:
            raise PydanticCustomError(
                "rule",
                "ahead stands only beside turn and stop (P-CRS-12)",
                {"help": "elsewhere nobody steers him; put ahead into [course] to say it for all steps"},
            )
        return self

    @property
    def kind(self) -> str:
        """The one kind that this step has."""
        return next(key for key in KEYS if getattr(self, key) is not None)

    def words(self) -> str:
        """Say the step in a word or two."""
        value = getattr(self, self.kind)
        if self.kind in WORDS:
            text = WORDS[self.kind].format(n=value)
        elif self.kind == "bog":
            bends = f" with {self.bends} bend{'' if self.bends == 1 else 's'}" if self.bends else ""
            text = value.replace("_", " ") + bends
        else:
            text = f"{self.kind} {value}"
        return text + (f" ({self.ahead.replace('_', ' ')} ahead)" if self.ahead else "")


class Course(BaseModel):
    """What one lancer attempts: steps in order, what lies ahead of him, and his turns."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    steps: Annotated[list[Step], Field(min_length=1, max_length=MOST_STEPS)] = Field(description="the steps, in order")
    ahead: str = Field("edge", description="what lies straight ahead of a lancer who is steered", max_length=32)
    turns: Annotated[int, Field(ge=1, le=MOST_TURNS)] | Literal["unlimited"] = Field(
        1, description='most turns he may use, or "unlimited" (exact solution only)'
    )


class Scenario(BaseModel):
    """What an experiment sets up for Pig Tickler: one course."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    course: Course


def expand(step: Step) -> Iterator[str]:
    """List the tasks of a step by name (P-CRS-1)."""
    kind = step.kind
    if kind == "up":
        yield from ["level"] * (step.up or 0)
    elif kind == "turn":
        yield from ["turn"] * (step.turn or 0)
    elif kind == "bog":
        yield from ["enter", *["bend"] * (step.bends or 0), "leave"]
    elif kind == "avoid":
        yield str(step.avoid)
    else:
        yield kind


def complaints(scenario: Scenario, rules: Rules) -> list[Complaint]:
    """Return why a course is illegal under these rules: unknown bogs and things ahead, too many tasks."""
    course = scenario.course
    found: list[Complaint] = []
    kinds = ", ".join(rules.bogs)
    for i, step in enumerate(course.steps):
        if step.bog is not None and step.bog not in rules.bogs:
            found.append(
                Complaint(("course", "steps", i, "bog"), f"no kind of bog is called '{step.bog}'", "P-BOG-1", kinds)
            )
        if step.ahead is not None:
            found += _ahead(("course", "steps", i, "ahead"), step.ahead, rules)
    found += _ahead(("course", "ahead"), course.ahead, rules)
    tasks = sum(1 for step in course.steps for _ in expand(step))
    if tasks > MOST_TASKS:
        found.append(
            Complaint(("course", "steps"), f"the course has {tasks} tasks; at most {MOST_TASKS} are played", "P-CRS-1")
        )
    return found


def _ahead(path: tuple[str | int, ...], value: str, rules: Rules) -> list[Complaint]:
    if value in AHEAD or value in rules.bogs:
        return []
    choices = ", ".join([*AHEAD, *rules.bogs])
    return [Complaint(path, f"nothing called '{value}' can lie ahead", "P-CRS-6", choices)]
