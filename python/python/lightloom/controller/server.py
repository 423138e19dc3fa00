"""The HTTP API's connections: JSON, a token for every request, limits on everything.

It runs on ``http.server`` of the standard library, in threads of its own. Each request is handed to
the loop that owns the switches. A head and a body have a deadline as a whole. If there is no room
the client that has been waited for longest gives way to a new one, because slow ones come back.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import hmac
import http.client
import http.server
import io
import json
import logging
import socket
import threading
import time
from typing import Any

from lightloom.controller.api import Routes, Status, parse_body
from lightloom.controller.errors import Conflict, ControllerError

LOG = logging.getLogger("lightloom.controller")

_MOST_BYTES = 1 << 20
_MOST_HEAD = 128 << 10
_MOST_CONNECTIONS = 32
#: Threads, with those of clients that gave way and have not ended yet.
_MOST_THREADS = 4 * _MOST_CONNECTIONS
_LONGEST_PATH = 1024
#: Seconds for the whole head of a request, from the end of the one before it.
_HEAD_SECONDS = 10
#: Seconds for the whole body.
_BODY_SECONDS = 30
#: Seconds for a client to take its answer.
_ANSWER_SECONDS = 10
#: Seconds until a request is answered even if its work goes on.
_DEADLINE = 120
#: Seconds, for what a client still sends after its answer.
_LINGERING = 5
#: Bodies are parsed one after the other: their values take many times their bytes.
_PARSING = threading.Lock()


class _Incoming(io.RawIOBase):
    """What a client sends: with a deadline and a number of bytes for each part of a request."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self.expect(_HEAD_SECONDS, _MOST_HEAD)

    def expect(self, seconds: float, most: int) -> None:
        """Sets the deadline and the most bytes of the next part of a request."""
        self._ends = time.monotonic() + seconds
        self._left = most

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next bytes. Raises if they are too late or too many."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self._connection.settimeout(left)
        number = self._connection.recv_into(buffer)
        self._left -= number
        if self._left < 0:
            # http.server answers it with 431.
            raise http.client.LineTooLong("head")
        return number


class _Gone(Exception):
    """The client is gone, or has given way to another one."""


class _Handler(http.server.BaseHTTPRequestHandler):
    """One connection of a client."""

    protocol_version = "HTTP/1.1"
    server_version = "lightloom-controller"
    sys_version = ""
    server: Api

    def setup(self) -> None:
        """Reads with deadlines."""
        super().setup()
        self.rfile.close()
        self._incoming = _Incoming(self.connection)
        self.rfile = io.BufferedReader(self._incoming)

    def handle_one_request(self) -> None:
        """One request, from its first byte to its answer."""
        self.server.waits_for(self.connection)
        self._incoming.expect(_HEAD_SECONDS, _MOST_HEAD)
        super().handle_one_request()

    def _handle(self) -> None:
        try:
            # Before anything else, so that strangers learn nothing.
            self._check_token()
            body = self._body()
            path, _, query = self.path.partition("?")
            if len(self.path) > _LONGEST_PATH or not self.path.startswith("/"):
                raise Status(414, "the path is too long, or no path")
            self.server.works_for(self.connection)
            try:
                answer = self.server.work(self.command, path, query, body)
            finally:
                self.server.waits_for(self.connection)
        except _Gone:
            self.close_connection = True
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
            raise Status(401, "the token is missing or wrong: Authorization: Bearer TOKEN")

    def _body(self) -> dict[str, Any] | None:
        if self.headers.get_all("Transfer-Encoding"):
            raise Status(411, "send the body with Content-Length")
        lengths = self.headers.get_all("Content-Length") or []
        if not lengths:
            return None
        text = lengths[0]
        if len(lengths) > 1 or not (text.isascii() and text.isdecimal()) or len(text) > 12:
            raise ControllerError("Content-Length: expected one number")
        if int(text) > _MOST_BYTES:
            raise Status(413, f"the body has more than {_MOST_BYTES} bytes")
        if int(text) == 0:
            return None
        # What came with the head is read already.
        self._incoming.expect(_BODY_SECONDS, int(text))
        try:
            data = self.rfile.read(int(text))
        except TimeoutError:
            raise Status(408, f"the body did not arrive within {_BODY_SECONDS} s") from None
        except http.client.LineTooLong:
            raise ControllerError("the body is longer than Content-Length") from None
        except OSError:
            raise _Gone from None
        if len(data) != int(text):
            raise ControllerError("the body is shorter than Content-Length")
        with _PARSING:
            return parse_body(data)

    def _answer(self, status: int, content: object) -> None:
        data = json.dumps(content).encode() + b"\n"
        self.connection.settimeout(_ANSWER_SECONDS)
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
    #: Connections that the kernel takes while others are being accepted.
    request_queue_size = 128

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
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        #: Clients that have to send something or to take their answer, the slowest first.
        self._slow: dict[socket.socket, None] = {}
        self._number = 0
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
            raise Status(504, "no answer yet; the work goes on, so ask for its state") from None
        except concurrent.futures.CancelledError:
            raise Conflict("the controller stops") from None

    def waits_for(self, client: socket.socket) -> None:
        """Notes that the controller waits for this client, which may have to give way."""
        with self._lock:
            self._slow.pop(client, None)
            if client in self._open:
                self._slow[client] = None

    def works_for(self, client: socket.socket) -> None:
        """Notes that the controller works on this client's request, so that it keeps its place."""
        with self._lock:
            self._slow.pop(client, None)
            if client not in self._open:
                raise _Gone

    def _is_room(self) -> bool:
        """Whether there is room for a connection, if need be by closing another one."""
        if self._number >= _MOST_THREADS:
            return False
        if len(self._open) < _MOST_CONNECTIONS:
            return True
        slowest = next(iter(self._slow), None)
        if slowest is None:
            return False
        del self._slow[slowest]
        self._open.discard(slowest)
        # Its thread sees the end of what the client sends, and closes the connection.
        with contextlib.suppress(OSError):
            slowest.shutdown(socket.SHUT_RDWR)
        return True

    def process_request(self, request: Any, client_address: Any) -> None:
        """Takes a connection if there is room for it."""
        with self._lock:
            is_room = self._is_room()
            if is_room:
                self._open.add(request)
                self._slow[request] = None
                self._number += 1
        if not is_room:
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._forget(request)
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serves a connection, and then makes room for others."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._forget(request)

    def _forget(self, client: socket.socket) -> None:
        with self._lock:
            self._open.discard(client)
            self._slow.pop(client, None)
            self._number -= 1

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are no errors."""
        LOG.debug("a connection of %s ended early", client_address[0])
