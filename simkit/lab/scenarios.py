"""The scenario of every cell, and the place in a file to blame for what is wrong with one.

A scenario is what the file says, with values of the axes and values given outside laid over it. A game may leave out
what an axis sets to nothing, so that numbers of items no longer are those of the file: places are counted back.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from simkit.games.protocol import put_at
from simkit.lab import axes, modelpath
from simkit.lab.experiment import POLICY
from simkit.lab.house import Origin
from simkit.lab.problems import TRANSLATED, Problem, from_pydantic

if TYPE_CHECKING:
    from simkit.lab.planner import Planner

KeyPath = tuple[str | int, ...]


class Scenarios:
    """Makes the scenarios of one experiment, each combination of values once."""

    def __init__(self, planner: "Planner") -> None:
        self.planner = planner
        self.game = planner.game
        self.overrides = planner.scenario_overrides
        self.data = planner.experiment.for_game(planner.game)
        self.made: dict[str, Any] = {}
        self.missing = False
        """A table is missing without which there is no scenario."""
        self.file_is_wrong = False

    def check_file(self) -> None:
        """Check what the file and the values given outside say, where no axis replaces it."""
        varied = None if self.missing else self._varied(self.overrides)
        if varied is not None:
            self.file_is_wrong = self._validated(varied, self.overrides, None) is None

    def make(self, point: axes.Point) -> Any:
        """Return the scenario of a cell, or None when something is wrong with it."""
        swept = {name: point[name] for name in self.planner.scenario_axes if name in point}
        mark = json.dumps(swept, sort_keys=True)
        if mark not in self.made:
            self.made[mark] = None if self.missing else self._made(swept, point)
        return self.made[mark]

    def _made(self, swept: dict[str, Any], point: axes.Point) -> Any:
        changes = swept | dict(self.overrides)
        varied = self._varied(changes)
        if varied is None or not self._fit_together(swept, varied):
            return None
        return self._validated(varied, changes, point)

    def complain(self, scenario: Any, rules: Any, point: axes.Point) -> None:
        """Note why a scenario is illegal under the rules of its cell."""
        for complaint in self.game.complaints(scenario, rules):
            changes = {name: point[name] for name in self.planner.scenario_axes if name in point} | dict(self.overrides)
            path = _in_file(complaint.path, list(_left_out(self._whole(changes), self.game.vary(self.data, changes))))
            origin = self._origin(path, point)
            message = complaint.message + (f" ({complaint.id})" if complaint.id else "")
            span = origin.document.where(origin.key_path, "value")
            kind = "rule" if complaint.id else "meaning"
            self.planner.gather(Problem(kind, message, origin.document.path, span, complaint.help or None))

    def _varied(self, changes: Mapping[str, Any]) -> dict[str, Any] | None:
        """Lay values over the file's, or say which of them lead nowhere."""
        try:
            return self.game.vary(self.data, changes)
        except KeyError as error:
            reason = str(error.args[0])
        data, found = dict(self.data), False
        for path, value in changes.items():
            try:
                data = self._put(data, path, value)
            except KeyError as error:
                found = True
                self._nowhere(path, str(error.args[0]))
        if not found:
            self._nowhere(next(iter(changes)), reason)
        return None

    def _put(self, data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
        """Put one value at its path and leave nothing out; a game may make tables that the file does without."""
        try:
            return put_at(data, path.split("."), value)
        except KeyError:
            return self.game.vary(data, {path: value})

    def _nowhere(self, path: str, reason: str) -> None:
        origin = self._given(path)
        message = f"'{path}' leads nowhere: {reason}"
        span = origin.document.where(origin.key_path)
        self.planner.gather(Problem("override", message, origin.document.path, span))

    def _given(self, path: str) -> Origin:
        """Return where a value of the scenario is given: outside the file, or as an axis."""
        if path in self.overrides:
            return Origin(self.planner.settings, (path,))
        return Origin(self.planner.document, ("sweep", "axes", path))

    def _fit_together(self, swept: Mapping[str, Any], varied: dict[str, Any]) -> bool:
        """Tell whether the values given outside could as well stand in the file, as they do once it is resolved."""

        def both(outside: Mapping[str, Any], axis: Mapping[str, Any], whole: dict[str, Any]) -> bool:
            try:
                return self.game.vary(self.game.vary(self.data, outside), axis) == whole
            except KeyError:
                return False

        if not (self.overrides and swept) or both(self.overrides, swept, varied):
            return True
        for name, value in swept.items():
            for path, given in self.overrides.items():
                if not both({path: given}, {name: value}, self.game.vary(self.data, {name: value, path: given})):
                    self.planner.complain(
                        "meaning",
                        f"--set {path} and the axis '{name}' do not go together",
                        ("sweep", "axes", name),
                        "one replaces, or leaves out, what the other counts on: change the file instead",
                    )
        return False

    def _validated(self, varied: dict[str, Any], changes: Mapping[str, Any], point: axes.Point | None) -> Any:
        """Return the scenario; without a point only the file is checked, and what an axis replaces is left alone."""
        planner = self.planner
        try:
            return self.game.Scenario.model_validate(varied)
        except ValidationError as error:
            found = error.errors(include_url=False)
        whole = self._whole(changes)
        document = replace(planner.document, data=whole)
        places: dict[tuple[str, KeyPath] | None, tuple[Origin, list[Any]]] = {}
        left_out = list(_left_out(whole, varied))
        for details in found[:TRANSLATED]:
            location = _in_file(details["loc"], left_out)
            place = modelpath.follow(location, whole, self.game.Scenario, missing=details["type"] == "missing")
            origin = self._origin(place.path, point)
            own = origin.document is planner.document and origin.key_path == place.path
            mark = None if own else (origin.document.path, origin.key_path)
            places.setdefault(mark, (origin, []))[1].append(details | {"loc": location})
        if len(found) > TRANSLATED:  # a hostile file can hold a hundred thousand: those are only counted
            places.setdefault(None, (Origin(planner.document, ()), []))[1].extend(found[TRANSLATED:])
        for mark, (origin, errors) in places.items():
            if mark is None and point is not None and self.file_is_wrong:
                continue
            if mark is not None and point is None and origin.document is planner.document:
                continue  # every cell replaces it
            for problem in from_pydantic(errors, document, model=self.game.Scenario):
                planner.gather(problem if mark is None else _at(problem, origin))
        return None

    def _whole(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Lay values over the file's and leave nothing out."""
        data = dict(self.data)
        for path, value in changes.items():
            data = self._put(data, path, value)
        return data

    def _origin(self, path: KeyPath, point: axes.Point | None) -> Origin:
        """Find what set a field of the scenario: a value given outside, an axis, or the file itself."""
        planner = self.planner
        said = ".".join(str(part + 1) if isinstance(part, int) else part for part in path)

        def concerns(name: str) -> bool:
            return said == name or said.startswith(f"{name}.") or name.startswith(f"{said}.")

        for name in self.overrides:
            if concerns(name):
                return Origin(planner.settings, (name,))
        for name in planner.scenario_axes:
            if concerns(name) and point is None:
                return Origin(planner.document, ("sweep", "axes", name))
            if concerns(name) and point is not None and name in point:
                sweep = planner.experiment.sweep
                return Origin(planner.document, axes.value_place(planner.document, sweep, name, point[name]))
        return Origin(planner.document, ("run", POLICY) if path == (POLICY,) else path)


def _at(problem: Problem, origin: Origin) -> Problem:
    """Move a problem to the value that caused it."""
    span = origin.document.where(origin.key_path, "value")
    return Problem(problem.kind, problem.message, origin.document.path, span, problem.help, problem.note)


def _in_file(path: KeyPath, left_out: list[tuple[KeyPath, list[int]]]) -> KeyPath:
    """Count an item of a list as the file does, with those that were left out."""
    for prefix, missing in left_out:
        at = len(prefix)
        number = path[at] if len(path) > at and path[:at] == prefix else None
        if isinstance(number, int):
            for index in missing:
                number += index <= number
            path = (*prefix, number, *path[at + 1 :])
    return path


def _left_out(whole: Any, varied: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, list[int]]]:
    """List the lists from which items were left out, with the places of these items."""
    if isinstance(whole, dict) and isinstance(varied, dict):
        for key in whole:
            if key in varied:
                yield from _left_out(whole[key], varied[key], (*path, key))
    elif isinstance(whole, list) and isinstance(varied, list) and len(varied) < len(whole):
        kept = 0
        missing = []
        for i, item in enumerate(whole):
            if kept < len(varied) and varied[kept] == item:
                kept += 1
            else:
                missing.append(i)
        yield path, missing
