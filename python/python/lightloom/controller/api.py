"""What the HTTP API answers: paths, their fields and bodies. It decides nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from dataclasses import asdict
from typing import Any, NoReturn
from urllib.parse import parse_qs, unquote

from lightloom.controller.control import Control
from lightloom.controller.entries import stamp_text
from lightloom.controller.errors import ControllerError, NotFound
from lightloom.controller.runner import Runner

_MOST_MEMBERS = 100_000

_KINDS = {"str": "a text", "list": "a list", "bool": "true or false"}

Answer = Coroutine[Any, Any, object]


class Status(ControllerError):
    """A refusal with a status of HTTP."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Routes:
    """What can be asked."""

    def __init__(self, control: Control, runner: Runner) -> None:
        self._control, self._runner = control, runner

    def find(self, method: str, path: str, query: str, body: dict[str, Any] | None) -> Answer:
        """The work of a request."""
        parts = _segments(path)
        later = _later(query)
        control, runner = self._control, self._runner
        found: dict[str, Callable[[], Answer]]
        match parts:
            case ["status"]:
                found = {"GET": lambda: _now(self._status)}
            case ["switches"]:
                tors = range(len(control.base))
                found = {"GET": lambda: _now(lambda: [control.switch(str(tor)) for tor in tors])}
            case ["switches", tor]:
                found = {"GET": lambda: _now(lambda: control.switch(tor))}
            case ["switches", tor, "check"]:
                found = {"POST": lambda: control.check(tor)}
            case ["servers"]:
                found = {"GET": lambda: _now(self._servers)}
            case ["groups"]:
                found = {
                    "GET": lambda: _now(self._groups),
                    "POST": lambda: self._create(_required(body), later),
                }
            case ["groups", name]:
                found = {
                    "GET": lambda: _now(lambda: control.describe(control.members.group(name))),
                    "DELETE": lambda: control.delete(name, later),
                }
            case ["groups", name, "members", server]:
                found = {
                    "PUT": lambda: control.join(name, server, later),
                    "DELETE": lambda: control.leave(name, server, later),
                }
            case ["rollouts"]:
                found = {
                    "GET": lambda: _now(runner.all),
                    "POST": lambda: self._start(_required(body)),
                }
            case ["rollouts", number]:
                found = {"GET": lambda: _now(lambda: runner.describe(runner.get(number)))}
            case ["rollouts", number, "rollback"]:
                found = {"POST": lambda: runner.roll_back(number)}
            case ["rollouts", number, "continue"]:
                found = {"POST": lambda: runner.confirm(number)}
            case _:
                raise NotFound("there is nothing at this path")
        if method not in found:
            raise Status(405, f"this path takes {', '.join(found)}")
        if body is not None and method != "POST":
            raise ControllerError("this request takes no body")
        return found[method]()

    def _status(self) -> object:
        control = self._control
        switches = control.fleet.switches
        return {
            "stamp": stamp_text(control.stamp),
            "switches": len(switches),
            "connected": sum(switch.is_connected for switch in switches),
            "ready": sum(switch.is_ready for switch in switches),
            "groups": len(control.members.groups),
            "unknown_datapath_ids": [f"{one:016x}" for one in control.fleet.strangers],
            "rollout": next((one for one in self._runner.all() if one["state"] == "running"), None),
        }

    def _servers(self) -> object:
        return [asdict(server) for server in self._control.members.servers.values()]

    def _groups(self) -> object:
        groups = sorted(self._control.members.groups.values(), key=lambda group: group.place)
        return [self._control.describe(group) for group in groups]

    async def _start(self, body: dict[str, Any]) -> object:
        found = _fields(body, {"folder": str}, {"back": bool})
        return await self._runner.start(found["folder"], found.get("back", False))

    async def _create(self, body: dict[str, Any], later: bool) -> object:
        found = _fields(body, {"name": str}, {"address": str, "members": list})
        members = found.get("members", [])
        if len(members) > _MOST_MEMBERS or not all(isinstance(one, str) for one in members):
            raise ControllerError("members: expected a list of names of servers")
        if len(set(members)) != len(members):
            raise ControllerError("members: a server is named twice")
        return await self._control.create(found["name"], found.get("address"), members, later)


async def _now(work: Callable[[], object]) -> object:
    return work()


def _segments(path: str) -> list[str]:
    try:
        return [unquote(part, errors="strict") for part in path.removeprefix("/").split("/")]
    except UnicodeDecodeError:
        raise ControllerError("the path is not UTF-8") from None


def _later(query: str) -> bool:
    if not query:
        return False
    if parse_qs(query, keep_blank_values=True) != {"absent": ["later"]}:
        raise ControllerError("query: expected nothing or absent=later")
    return True


def _required(body: dict[str, Any] | None) -> dict[str, Any]:
    if body is None:
        raise ControllerError("this request needs a body of JSON")
    return body


def _fields(
    body: dict[str, Any], needed: dict[str, type], optional: dict[str, type] | None = None
) -> dict[str, Any]:
    known = needed | (optional or {})
    for name, value in body.items():
        if name not in known:
            raise ControllerError(f"{name[:40]!r}: unknown; expected {', '.join(known)}")
        if not isinstance(value, known[name]):
            kind = _KINDS[known[name].__name__]
            raise ControllerError(f"{name}: expected {kind}")
    for name in needed:
        if name not in body:
            raise ControllerError(f"{name}: is missing")
    return body


def parse_body(data: bytes) -> dict[str, Any]:
    """A table of JSON. Refuses keys that stand twice, NaN and infinity, and endless nesting."""

    def table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("a key stands twice")
        return found

    def refuse(text: str) -> NoReturn:
        raise ValueError(f"{text} is no number of JSON")

    try:
        found = json.loads(data.decode("utf-8"), object_pairs_hook=table, parse_constant=refuse)
    except RecursionError:
        raise ControllerError("the body is nested too deeply") from None
    except ValueError as error:
        raise ControllerError(f"the body is no JSON: {str(error)[:200]}") from None
    if not isinstance(found, dict):
        raise ControllerError("the body: expected a table")
    return found
