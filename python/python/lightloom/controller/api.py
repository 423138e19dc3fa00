"""The HTTP API: JSON, a token for every request, limits on everything.

It runs on ``http.server`` of the standard library, in threads of its own. Each request is handed to
the loop that owns the switches.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import hmac
import http.server
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn
from urllib.parse import parse_qs, unquote

from lightloom.controller.control import Control
from lightloom.controller.errors import Conflict, ControllerError, NotFound
from lightloom.controller.runner import Runner

LOG = logging.getLogger("lightloom.controller")

_MOST_BYTES = 1 << 20
_MOST_CONNECTIONS = 32
_MOST_MEMBERS = 100_000
_LONGEST_PATH = 1024
#: Seconds that a client may be silent.
_SILENCE = 10
#: Seconds until a request is answered even if its work goes on.
_DEADLINE = 120
#: Seconds, for what a client still sends after its answer.
_LINGERING = 5

_KINDS = {"str": "a text", "list": "a list", "bool": "true or false"}

Answer = Coroutine[Any, Any, object]


class _Status(ControllerError):
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
                    "POST": lambda: self._create(_need(body), later),
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
                    "POST": lambda: self._start(_need(body)),
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
            raise _Status(405, f"this path takes {', '.join(found)}")
        if body is not None and method != "POST":
            raise ControllerError("this request takes no body")
        return found[method]()

    def _status(self) -> object:
        control = self._control
        switches = control.fleet.switches
        stamp = control.stamp
        return {
            "stamp": None if stamp is None else f"{stamp:#018x}",
            "switches": len(switches),
            "connected": sum(switch.is_connected for switch in switches),
            "ready": sum(switch.is_ready for switch in switches),
            "groups": len(control.members.groups),
            "unknown_datapath_ids": [f"{one:016x}" for one in control.fleet.strangers],
            "rollout": next((one for one in self._runner.all() if one["state"] == "running"), None),
        }

    def _servers(self) -> object:
        servers = self._control.members.servers.values()
        return [
            {"name": one.name, "tor": one.tor, "port": one.port, "address": one.address}
            for one in servers
        ]

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


def _need(body: dict[str, Any] | None) -> dict[str, Any]:
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
    """A table of JSON. No key twice, no number that is none, no depth without end."""

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


class _Handler(http.server.BaseHTTPRequestHandler):
    """One connection of a client."""

    protocol_version = "HTTP/1.1"
    server_version = "lightloom-controller"
    sys_version = ""
    timeout = _SILENCE
    server: Api

    def _handle(self) -> None:
        try:
            # Before anything else, so that strangers learn nothing.
            self._check_token()
            body = self._body()
            path, _, query = self.path.partition("?")
            if len(self.path) > _LONGEST_PATH or not self.path.startswith("/"):
                raise _Status(414, "the path is too long, or no path")
            answer = self.server.work(self.command, path, query, body)
        except ControllerError as error:
            # Some of the body may be unread.
            self.close_connection = True
            self._answer(error.status, {"error": str(error)})
        except Exception:
            LOG.exception("a request failed")
            self.close_connection = True
            self._answer(500, {"error": "the controller failed; its log says why"})
        else:
            self._answer(200, answer)

    do_GET = do_PUT = do_POST = do_DELETE = _handle

    def _check_token(self) -> None:
        said = self.headers.get_all("Authorization") or []
        wanted = f"Bearer {self.server.token}".encode()
        if len(said) != 1 or not hmac.compare_digest(said[0].encode("utf-8", "replace"), wanted):
            raise _Status(401, "the token is missing or wrong: Authorization: Bearer TOKEN")

    def _body(self) -> dict[str, Any] | None:
        if self.headers.get_all("Transfer-Encoding"):
            raise _Status(411, "send the body with Content-Length")
        lengths = self.headers.get_all("Content-Length") or []
        if not lengths:
            return None
        text = lengths[0]
        if len(lengths) > 1 or not (text.isascii() and text.isdecimal()) or len(text) > 12:
            raise ControllerError("Content-Length: expected one number")
        if int(text) > _MOST_BYTES:
            raise _Status(413, f"the body has more than {_MOST_BYTES} bytes")
        if int(text) == 0:
            return None
        data = self.rfile.read(int(text))
        if len(data) != int(text):
            raise ControllerError("the body is shorter than Content-Length")
        return parse_body(data)

    def _answer(self, status: int, content: object) -> None:
        data = json.dumps(content).encode() + b"\n"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        if status == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Malformed requests are answered with JSON too."""
        self.close_connection = True
        self._answer(code, {"error": message or "the request is malformed"})

    def finish(self) -> None:
        """Reads what the client still sends before the connection is closed.

        Closing with unread bytes resets the connection, and a reset takes the answer with it.
        """
        super().finish()
        ends = time.monotonic() + _LINGERING
        left = _MOST_BYTES
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            while left > 0 and (patience := ends - time.monotonic()) > 0:
                self.connection.settimeout(patience)
                if not (data := self.connection.recv(65_536)):
                    break
                left -= len(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are logged without what clients may write into lines."""
        LOG.debug("a request from %s", self.client_address[0])


class Api(http.server.ThreadingHTTPServer):
    """The server of the API."""

    daemon_threads = True
    block_on_close = False

    def __init__(
        self,
        host: str,
        port: int,
        token: str,
        routes: Routes,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.token, self._routes, self._loop = token, routes, loop
        self._room = threading.BoundedSemaphore(_MOST_CONNECTIONS)
        super().__init__((host, port), _Handler)

    def start(self) -> None:
        """Answers requests in threads of its own."""
        threading.Thread(target=self.serve_forever, name="api", daemon=True).start()

    def work(self, method: str, path: str, query: str, body: dict[str, Any] | None) -> object:
        """Has the loop do the work of a request, and waits for it."""

        async def run() -> object:
            return await self._routes.find(method, path, query, body)

        future = asyncio.run_coroutine_threadsafe(run(), self._loop)
        try:
            return future.result(_DEADLINE)
        except concurrent.futures.TimeoutError:
            raise _Status(504, "no answer yet; the work goes on, so ask for its state") from None
        except concurrent.futures.CancelledError:
            raise Conflict("the controller stops") from None

    def process_request(self, request: Any, client_address: Any) -> None:
        """Takes a connection if there is room for it."""
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._room.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serves a connection, and gives its room back."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are no errors."""
        LOG.debug("a connection of %s ended early", client_address[0])
