"""A controller of the installed package, as a process, and folders of rollouts for it."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

TOKEN = "a-token-of-the-tests"


def until(condition, what, seconds=120):
    """Waits until a condition holds, and returns what it returned."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.02)


class Refused(Exception):
    """An answer that is no 200."""

    def __init__(self, status, content):
        super().__init__(f"{status}: {content}")
        self.status, self.content = status, content


class Controller:
    """A process of the controller."""

    def __init__(self, folder, state, *more, listen="127.0.0.1:0"):
        self.folder = Path(state).parent
        token = self.folder / "token"
        token.touch(mode=0o600)
        token.write_text(TOKEN + "\n")
        self.log = open(f"{state}.log", "ab")  # noqa: SIM115
        command = [sys.executable, "-m", "lightloom.controller", str(folder)]
        command += ["--listen", listen, "--api", "127.0.0.1:0", "--state", str(state)]
        command += ["--token-file", str(token), "--check-every", "0", *map(str, more)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log, text=True, cwd=self.folder
        )
        line = self.process.stdout.readline()
        assert line.startswith("switches at "), Path(f"{state}.log").read_text()
        switches, api = line.split(", API at http://")
        self.port = int(switches.rpartition(":")[2])
        self.api = int(api.rpartition(":")[2])

    def request(self, method, path, body=None, token=TOKEN, headers=None):
        """Status and content of an answer. A body of bytes is sent as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.api, timeout=130)
        try:
            said = {} if token is None else {"Authorization": f"Bearer {token}"}
            data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, path, data, said | (headers or {}))
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def ask(self, method, path, body=None):
        """The content of an answer."""
        status, content = self.request(method, path, body)
        if status != 200:
            raise Refused(status, content)
        return content

    def refused(self, method, path, body=None):
        """Status and message of a refusal."""
        status, content = self.request(method, path, body)
        assert status != 200, content
        return status, content["error"]

    def join(self, group, server):
        return self.ask("PUT", f"/groups/{group}/members/{quote(server, safe='')}")

    def leave(self, group, server):
        return self.ask("DELETE", f"/groups/{group}/members/{quote(server, safe='')}")

    def ready(self, count):
        """Waits until this number of switches is ready."""
        until(lambda: self.ask("GET", "/status")["ready"] == count, f"{count} switches ready")

    def kill(self):
        """Ends the process at once, as a power failure does."""
        self.process.kill()
        self._gone()

    def stop(self):
        """Ends the process as an operator does."""
        if self.process.poll() is None:
            self.process.terminate()
        self._gone()
        return self.process.returncode

    def _gone(self):
        self.process.wait(timeout=120)
        self.process.stdout.close()
        self.log.close()


def make_rollout(old, new, out, **extra):
    """A folder that leads from one folder of configurations to another: close, replace, open.

    It compares lines and shares no code with the controller or the planner.
    """
    old, new, out = Path(old), Path(new), Path(out)
    out.mkdir(parents=True)
    manifests = [json.loads((one / "configs.json").read_text()) for one in (old, new)]
    tors = len(manifests[0]["switches"])
    width = len(str(tors - 1))
    phases = [
        {"name": name, "drain_ps": 0, "switches": {}, **extra.get(name, {})}
        for name in ("close", "replace", "open")
    ]
    for tor in range(tors):

        def lines(folder, kind, tor=tor):
            text = (folder / f"tor-{tor:0{width}}.{kind}").read_text()
            return [line for line in text.splitlines() if not line.startswith("#")]

        def strict(line):
            words = line.partition(",actions=")[0].split(",")
            return ",".join(word for word in words if not word.startswith("cookie="))

        had, has = lines(old, "flows"), lines(new, "flows")
        replaced = [f"flow delete_strict {strict(line)}" for line in had if line not in has]
        replaced += [f"flow add {line}" for line in has if line not in had]
        one = {group.split(",")[0]: group for group in lines(old, "groups")}
        other = {group.split(",")[0]: group for group in lines(new, "groups")}
        before = [f"group add_or_mod {g}" for k, g in other.items() if one.get(k) != g]
        replaced = before + replaced + [f"group delete {key}" for key in one if key not in other]
        contents = (
            [f"flow delete_strict {strict(line)}" for line in lines(old, "gate")],
            replaced,
            [f"flow add {line}" for line in lines(new, "gate")],
        )
        for phase, content in zip(phases, contents, strict=True):
            name = f"{phase['name']}-{tor}.bundle"
            (out / name).write_text("".join(line + "\n" for line in content))
            phase["switches"][str(tor)] = [name]
    stamps = [[one["stamp"] for one in manifest["switches"]] for manifest in manifests]
    manifest = {
        "kind": "lightloom rollout",
        "version": 1,
        "dialect": "openflow",
        "stamps": {str(tor): {"from": stamps[0][tor], "to": stamps[1][tor]} for tor in range(tors)},
        "phases": phases,
    }
    (out / "rollout.json").write_text(json.dumps(manifest))
    return out


class Delivery:
    """Sends packets with payloads of their own."""

    number = 0

    def __init__(self, bridges):
        self.bridges = bridges

    def check(self, address, members, sources=("tor:0/1", "tor:3/2", "tor:6/1")):
        """Each member gets one copy. A second packet says when the first has arrived."""
        for source in sources:
            expected = sorted(set(members) - {source})
            if not expected:
                assert self.bridges.outputs(source, address) == "drop"
                continue
            Delivery.number += 1
            first, second = (f"{word} {Delivery.number}".encode() for word in ("first", "second"))
            self.bridges.send(source, address, first)
            self.bridges.send(source, address, second)
            arrived = lambda: len(self.bridges.receivers(second)) >= len(expected)  # noqa: E731, B023
            until(arrived, f"a packet of {source} to {address} arrives", 20)
            assert self.bridges.receivers(first) == expected


def state_of(controller, number, **wanted):
    """Waits until a rollout is in a state, and returns it."""

    def found():
        one = controller.ask("GET", f"/rollouts/{number}")
        return one if all(one[key] == value for key, value in wanted.items()) else None

    return until(found, f"rollout {number}: {wanted}")


def command(configs, state, token, *more):
    """Runs a controller that should refuse to start."""
    line = [sys.executable, "-m", "lightloom.controller", str(configs), "--state", str(state)]
    line += ["--listen", "127.0.0.1:0", "--api", "127.0.0.1:0", "--token-file", str(token), *more]
    return subprocess.run(line, capture_output=True, text=True, timeout=60)


GPU_GROUPS = """version = 1
[[server]]
name = "gpu-1"
tor = "tor:0"
[[server]]
name = "gpu-2"
tor = "tor:3"
[[group]]
name = "first"
members = ["gpu-1"]
"""


def told_folders(binary, root):
    """Configurations of 2,2 for two servers, in all encodings."""
    (root / "groups.toml").write_text(GPU_GROUPS)
    for encoding in ("masked", "literal", "roots", "masked-destination"):
        words = ["configs", "--p", "2", "--k", "2", "--dialect", "openflow"]
        words += ["--groups", root / "groups.toml", "--encoding", encoding]
        done = subprocess.run([binary, *words, "--out", root / encoding], capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
    return root


class Starter:
    """Starts controllers for bridges, and ends them."""

    def __init__(self, folders, bridges, tmp_path):
        self.folders, self.bridges, self.tmp_path = folders, bridges, tmp_path
        self.started = []

    def __call__(self, *more, configs="masked", state="state.sqlite", ready=True, **others):
        rollouts = ["--rollouts", self.folders / "rollouts"]
        folder = self.folders / configs
        one = Controller(folder, self.tmp_path / state, *rollouts, *more, **others)
        self.started.append(one)
        if ready:
            self.bridges.point(one.port)
            one.ready(len(self.bridges.tors))
        return one

    def stop(self):
        self.bridges.point(None)
        for one in self.started:
            one.stop()
