"""Tasks of a sweep: texts that any process with lightloom can run."""

from __future__ import annotations

import hashlib
import json
import time
from typing import Any

from lightloom._lightloom import __version__
from lightloom._report import flat
from lightloom.errors import LightloomError
from lightloom.fabric import Fabric
from lightloom.twin import Scenario


def text_of(task: dict[str, Any]) -> str:
    """A task as text, the same for equal tasks."""
    return json.dumps(task, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def key_of(text: str) -> str:
    """The key of a task: SHA-256 of its text and of the version of lightloom."""
    return hashlib.sha256(f"{__version__}\n{text}".encode()).hexdigest()


def run(text: str) -> str:
    """Runs a task. Returns its outcome as JSON: ``answer`` or ``refused``, and ``seconds``.

    A point that is refused is an outcome, not an error of the sweep.
    """
    task = json.loads(text)
    began = time.perf_counter()
    outcome: dict[str, Any] = {}
    try:
        outcome["answer"] = _scenario(task) if task["kind"] == "scenario" else _design(task)
    except LightloomError as error:
        outcome["refused"] = str(error)
    return json.dumps({**outcome, "seconds": time.perf_counter() - began})


def _design(task: dict[str, Any]) -> dict[str, Any]:
    fabric = Fabric.from_document(task["document"])
    answer: dict[str, Any] = {}
    for question in task["ask"]:
        options = {"threads": task["threads"]} if question == "budget" else {}
        found = getattr(fabric, question)(**options)
        answer.update(flat(question, found.report if hasattr(found, "report") else found))
    return answer


def _scenario(task: dict[str, Any]) -> dict[str, Any]:
    result = Scenario(task["scenario"]).run(threads=task["threads"], seed=task["seed"])
    report = {key: value for key, value in result.report.items() if key != "timing"}
    return dict(flat("", report))
