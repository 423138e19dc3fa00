"""The tasks of a sweep: what each point asks, as a text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from lightloom import _given, _inputs
from lightloom._sweep.points import Point
from lightloom._sweep.task import key_of, text_of
from lightloom.errors import DesignError
from lightloom.fabric import Fabric


def tasks_of(
    base: Fabric | Mapping[str, Any],
    points: Iterable[Mapping[str, Any]],
    ask: tuple[str, ...],
    threads: int,
) -> dict[str, tuple[Point, str]]:
    """The points by key, each with its parameters and its task. Threads are no part of a key."""
    scenario = _given.plain(base, "<scenario>") if isinstance(base, Mapping) else None
    if scenario is None and not isinstance(base, Fabric):
        raise _inputs.wrong_type("base", base, "a Fabric, or a scenario as a mapping")
    document = json.loads(base.document()) if isinstance(base, Fabric) else {}
    tasks: dict[str, tuple[Point, str]] = {}
    for at, each in enumerate(points):
        if not isinstance(each, Mapping):
            raise _inputs.wrong_type(f"points[{at}]", each, "a mapping of parameters to values")
        point = dict(each)
        task = (
            _of_design(document, point, ask) if scenario is None else _of_scenario(scenario, point)
        )
        tasks[key_of(text_of(task))] = (point, text_of({**task, "threads": threads}))
    return tasks


def _of_design(document: dict[str, Any], point: Point, ask: tuple[str, ...]) -> dict[str, Any]:
    said, files = _inputs.settings(point)
    if "flags" not in document:
        message = "base: is the fabric of a plan that was read back; give its design"
        raise DesignError(message, field="base")
    flags = document["flags"] + [[key, value] for key, value in said]
    changed = {**document, "flags": flags, "files": {**document["files"], **files}}
    return {"kind": "design", "document": json.dumps(changed, sort_keys=True), "ask": list(ask)}


def _of_scenario(scenario: dict[str, Any], point: Point) -> dict[str, Any]:
    changed: Any = json.loads(json.dumps(scenario))
    seed = point.get("seed")
    for name, value in point.items():
        if name != "seed":
            _replace(changed, name, value)
    return {"kind": "scenario", "scenario": changed, "seed": seed}


def _replace(table: Any, name: str, value: Any) -> None:
    """Replaces a field of a scenario by its dotted name."""
    *path, last = name.split(".")
    for part in path:
        table = table[_part(table, part, name)]
    table[_part(table, last, name, is_last=True)] = value


def _part(table: Any, part: str, name: str, is_last: bool = False) -> Any:
    if isinstance(table, list) and part.isdigit() and int(part) < len(table):
        return int(part)
    if isinstance(table, dict) and (part in table or is_last):
        return part
    message = f"{name}: the scenario has no {part!r} there"
    raise DesignError(message, field=name)
