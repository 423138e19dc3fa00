"""The command ``python -m lightloom.controller``."""

from __future__ import annotations

import argparse
import asyncio
import ipaddress
import logging
import os
import resource
import signal
import stat
import sys
from pathlib import Path

from lightloom.controller import files
from lightloom.controller.errors import BadFile, ControllerError
from lightloom.controller.shown import LogFormatter, Parser, shown

_TOKEN = "LIGHTLOOM_CONTROLLER_TOKEN"
_SHORTEST_TOKEN, _LONGEST_TOKEN = 16, 4096


def _arguments() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m lightloom.controller",
        description="Keeps OpenFlow 1.3 switches as a folder of configurations says, "
        "and changes groups of servers and relay rules over an HTTP API.",
    )
    add = parser.add_argument
    add("configs", metavar="DIR", type=Path, help="folder of `lightloom configs`")
    add("--listen", metavar="ADDRESS", default="127.0.0.1:6653", help="address for switches")
    add("--api", metavar="ADDRESS", default="127.0.0.1:8080", help="address of the API")
    add("--state", metavar="FILE", type=Path, required=True, help="the state file (SQLite)")
    add(
        "--token-file",
        metavar="FILE",
        type=Path,
        help=f"file of the API's token; without it the variable {_TOKEN}",
    )
    add(
        "--switches",
        metavar="FILE",
        type=Path,
        help="CSV with tor and datapath_id (default: datapath id = ToR + 1)",
    )
    add("--rollouts", metavar="DIR", type=Path, help="folder with folders of rollouts")
    add("--remote-switches", action="store_true", help="let --listen be no loopback address")
    add("--remote-api", action="store_true", help="let --api be no loopback address")
    add("--patience", metavar="SECONDS", type=float, default=10.0, help="wait for a switch (10)")
    add(
        "--check-every",
        metavar="SECONDS",
        type=float,
        default=60.0,
        help="read the tables of all switches this often; 0: never (60)",
    )
    add("--no-bundles", action="store_true", help="send changes step by step, with barriers")
    add("--verbose", action="store_true", help="log more")
    return parser


def _address(text: str, flag: str, remote: bool) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise ControllerError(f"{flag}: found {text!r}; expected 127.0.0.1:PORT") from None
    if not colon or not (port.isascii() and port.isdecimal()) or int(port) > 65535:
        raise ControllerError(f"{flag}: found {text!r}; expected 127.0.0.1:PORT")
    if not address.is_loopback and not remote:
        more = "--remote-switches" if flag == "--listen" else "--remote-api"
        raise ControllerError(f"{flag}: {host} is no loopback address; if you mean it, add {more}")
    return host, int(port)


def read_token(file: Path | None) -> str:
    """The token, from a file that only its owner and group read, or from the environment."""
    if file is not None:
        where = f"--token-file {file}"
        try:
            data, mode = files.read_with_mode(file, _LONGEST_TOKEN)
        except BadFile as error:
            raise BadFile(f"--token-file {error}") from None
        if os.name == "posix" and stat.S_IMODE(mode) & 0o007:
            raise ControllerError(f"{where}: others may use it; run chmod 600 on it")
        token = data.decode("ascii", "replace").strip()
    else:
        where = _TOKEN
        token = os.environ.get(_TOKEN, "").strip()
        if not token:
            raise ControllerError(f"name a token: --token-file FILE, or the variable {_TOKEN}")
    if len(token) < _SHORTEST_TOKEN or not all("!" <= letter <= "~" for letter in token):
        raise ControllerError(
            f"{where}: expected at least {_SHORTEST_TOKEN} letters of ASCII without spaces"
        )
    return token


def _raise_limit() -> None:
    """Lets the process open as many files as it may: each switch is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def _run(arguments: argparse.Namespace) -> None:
    # Only here, so that the other modules can be imported without os-ken.
    from lightloom.controller import folder
    from lightloom.controller.api import Routes
    from lightloom.controller.control import Control
    from lightloom.controller.fleet import Fleet, read_switches
    from lightloom.controller.runner import Runner
    from lightloom.controller.server import Api
    from lightloom.controller.store import Store

    listen = _address(arguments.listen, "--listen", arguments.remote_switches)
    api_at = _address(arguments.api, "--api", arguments.remote_api)
    if not arguments.patience > 0 or not arguments.check_every >= 0:
        raise ControllerError("--patience and --check-every: expected seconds")
    token = read_token(arguments.token_file)
    _raise_limit()
    configs = folder.read(arguments.configs)
    ids = read_switches(arguments.switches, len(configs.base))
    store = Store(arguments.state)
    try:
        store.adopt(configs)
        control = Control(configs, store)
        control.fleet = Fleet(
            ids,
            control.wanted,
            patience=arguments.patience,
            bundles=not arguments.no_bundles,
        )
        runner = Runner(control, arguments.rollouts)
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()
        for one in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(one, stop.set)
        api = Api(*api_at, token, Routes(control, runner), loop)
        switches = await control.fleet.listen(*listen)
        runner.resume()
        checks = None
        if arguments.check_every:
            checks = asyncio.ensure_future(control.check_all(arguments.check_every))
        api.start()
        host, port = api.server_address[:2]
        print(f"switches at {switches[0]}:{switches[1]}, API at http://{host!s}:{port}", flush=True)
        await stop.wait()
        api.shutdown()
        api.server_close()
        if checks is not None:
            checks.cancel()
        await runner.stop()
        await control.fleet.stop()
    finally:
        store.close()


def main() -> int:
    """Runs the controller until it is told to end."""
    arguments = _arguments().parse_args()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LogFormatter("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(
        level=logging.DEBUG if arguments.verbose else logging.INFO, handlers=[handler]
    )
    try:
        import os_ken  # noqa: F401
    except ImportError:
        print('the controller needs os-ken: pip install "./python[controller]"', file=sys.stderr)
        return 2
    try:
        asyncio.run(_run(arguments))
    except (ControllerError, OSError) as error:
        print(f"lightloom.controller: {shown(str(error))}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
