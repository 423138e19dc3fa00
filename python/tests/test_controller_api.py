"""The controller's API without switches: tokens, hostile requests, names, files, and its start."""

from __future__ import annotations

import json
import socket
from urllib.parse import quote

import pytest
from controllers import TOKEN, Controller, make_rollout, until

pytest.importorskip("os_ken")


@pytest.fixture(scope="module")
def controller(folders, tmp_path_factory):
    (folders / "rollouts").mkdir()
    state = tmp_path_factory.mktemp("state") / "state.sqlite"
    one = Controller(folders / "masked", state, "--rollouts", folders / "rollouts")
    yield one
    assert one.stop() == 0


@pytest.mark.parametrize("token", [None, "", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "\xe9"])
@pytest.mark.parametrize("path", ["/status", "/groups", "/nothing"])
def test_without_the_token_nothing_is_said(controller, token, path):
    status, content = controller.request("GET", path, token=token)
    assert status == 401
    assert content == {"error": "the token is missing or wrong: Authorization: Bearer TOKEN"}


def test_the_token_is_needed_to_change(controller):
    for method, path in [
        ("POST", "/groups"),
        ("DELETE", "/groups/first"),
        ("PUT", "/groups/first/members/gpu-2"),
        ("POST", "/rollouts"),
    ]:
        assert controller.request(method, path, {}, token="wrong")[0] == 401
    assert [group["name"] for group in controller.ask("GET", "/groups")] == ["first"]


@pytest.mark.parametrize(
    "name",
    ["", "a b", "a/b", "a\nb", "a'b", 'a"b', "a;b", "a!b", "ü", "\u0661", "x" * 65, "a,b", "a=b"],
)
def test_bad_names_are_refused(controller, name):
    status, message = controller.refused("POST", "/groups", {"name": name})
    assert status == 400
    assert "take 1 to 64 letters, digits, -, _ and . of ASCII" in message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "this request needs a body of JSON"),
        (b"{", "the body is no JSON"),
        (b"\xff", "the body is no JSON"),
        (b"[]", "the body: expected a table"),
        (b'"name"', "the body: expected a table"),
        (b"[" * 100_000, "the body is nested too deeply"),
        (b'{"name": ' * 50_000, "the body is nested too deeply"),
        (b'{"name": NaN}', "NaN is no number of JSON"),
        (b'{"name": Infinity}', "Infinity is no number of JSON"),
        (b'{"name": ' + b"9" * 10_000 + b"}", "the body is no JSON"),
        (b'{"name": "a", "name": "b"}', "a key stands twice"),
        (b"{}", "name: is missing"),
        (b'{"name": 1}', "name: expected a text"),
        (b'{"name": null}', "name: expected a text"),
        (b'{"name": "a", "members": "gpu-1"}', "members: expected a list"),
        (b'{"name": "a", "members": [1]}', "members: expected a list of names"),
        (b'{"name": "a", "members": ["gpu-1", "gpu-1"]}', "members: a server is named twice"),
        (b'{"name": "a", "members": ["\\ud800"]}', "there is no server"),
        (b'{"name": "a", "port": 1}', "'port': unknown; expected name, address, members"),
        (b'{"name": "a", "address": "10.0.0.1"}', "the groups have 239.0.0.0/8"),
        (b'{"name": "a", "address": "239.0.0.01"}', "expected an address"),
        (b'{"name": "a", "address": "239.0.0.1"}', "is also that of group 'first'"),
        (b'{"name": "first"}', "there is already a group 'first'"),
    ],
)
def test_hostile_bodies_are_refused(controller, body, message):
    status, said = controller.refused("POST", "/groups", body)
    assert 400 <= status < 500
    assert message in said
    assert [group["name"] for group in controller.ask("GET", "/groups")] == ["first"]


def test_sizes_are_limited(controller):
    status, message = controller.refused("POST", "/groups", b" " * ((1 << 20) + 1))
    assert (status, message) == (413, "the body has more than 1048576 bytes")
    assert controller.refused("GET", "/" + "x" * 2000)[0] == 414
    assert controller.request("GET", "/status", headers={"X": "y" * 70_000})[0] == 431


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/nothing", 404),
        ("GET", "/groups/none", 404),
        ("DELETE", "/groups/none", 404),
        ("GET", "/groups/..%2f..", 400),
        ("GET", "/groups/%ff", 400),
        ("PUT", "/groups", 405),
        ("POST", "/status", 405),
        ("PATCH", "/status", 501),
        ("PUT", "/groups/first/members/none", 404),
        ("DELETE", "/groups/first/members/gpu-2", 404),
        ("PUT", "/groups/first/members/gpu-2?absent=now", 400),
        ("PUT", "/groups/first/members/gpu-2", 503),
        ("GET", "/switches/99999999999999999999", 404),
        ("GET", "/switches/-1", 404),
        ("GET", "/switches/%D9%A1", 404),
        ("POST", "/switches/0/check", 503),
        ("GET", "/rollouts/1", 404),
        ("POST", "/rollouts/1/rollback", 404),
    ],
)
def test_other_requests_are_refused(controller, method, path, status):
    assert controller.refused(method, path)[0] == status


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (b"\r\n\r\n", b""),
        (b"GET\r\n\r\n", b"Bad request syntax"),
        (b"GET /status HTTP/9.9\r\n\r\n", b"Invalid HTTP version"),
        (b"GET /status HTTP/1.1\r\n" + b"Authorization: Bearer x\r\n" * 2 + b"\r\n", b" 401 "),
        (b"\x16\x03\x01\x02\x00\x01\x00", b"Bad request syntax"),
        # A line of a request that is too long is answered before it was read to its end.
        (b"A" * 100_000 + b"\r\n\r\n", b" 414 "),
    ],
)
def test_what_is_no_request_does_no_harm(controller, text, answer):
    with socket.create_connection(("127.0.0.1", controller.api), timeout=60) as client:
        client.sendall(text)
        client.shutdown(socket.SHUT_WR)
        said = client.makefile("rb").read()
    assert answer in said
    assert controller.ask("GET", "/status")["switches"] == 8


def raw(controller, head, body=b""):
    """The status of an answer to a request that is written by hand."""
    with socket.create_connection(("127.0.0.1", controller.api), timeout=60) as client:
        lines = ["POST /groups HTTP/1.1", f"Authorization: Bearer {TOKEN}", *head]
        client.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        client.shutdown(socket.SHUT_WR)
        return int(client.makefile("rb").readline().split()[1])


def test_lengths_of_bodies_are_checked(controller):
    assert raw(controller, ["Content-Length: 2", "Content-Length: 3"], b"{}") == 400
    assert raw(controller, ["Content-Length: -1"]) == 400
    assert raw(controller, ["Content-Length: 1_0"]) == 400
    assert raw(controller, ["Content-Length: 10"], b"{}") == 400
    assert raw(controller, ["Transfer-Encoding: chunked"], b"2\r\n{}\r\n0\r\n\r\n") == 411


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        # A greeting without a length, one of OpenFlow 1.0, and features that break off.
        bytes([4, 0, 0, 0, 0, 0, 0, 1]),
        bytes([1, 0, 0, 8, 0, 0, 0, 1]),
        bytes([4, 0, 0, 8, 0, 0, 0, 1]) + bytes([4, 6, 0, 9, 0, 0, 0, 2, 0]),
    ],
)
def test_what_is_no_switch_does_no_harm(controller, data):
    with socket.create_connection(("127.0.0.1", controller.port), timeout=60) as client:
        try:
            client.sendall(data)
            client.shutdown(socket.SHUT_WR)
            while client.recv(65536):
                pass
        except TimeoutError:
            raise
        except OSError:
            # The controller may hang up before everything was sent.
            pass
    assert controller.ask("GET", "/status")["connected"] == 0


def test_a_switch_that_falls_silent_is_given_up(folders, tmp_path):
    one = Controller(folders / "masked", tmp_path / "state.sqlite", "--patience", "0.3")
    try:
        with socket.create_connection(("127.0.0.1", one.port), timeout=60) as client:
            hello = bytes([4, 0, 0, 8, 0, 0, 0, 1])
            # Features of datapath 1, at once, and then nothing more.
            features = bytes([4, 6, 0, 32, 0, 0, 0, 2]) + (1).to_bytes(8, "big") + bytes(16)
            client.sendall(hello + features)
            while client.recv(65536):
                pass
        switch = until(
            lambda: (lambda s: s if s["problem"] else None)(one.ask("GET", "/switches/0")),
            "the switch is given up",
        )
        assert switch["problem"] == "the switch did not answer within 0.3 s"
        assert not switch["connected"]
    finally:
        one.stop()


def test_folders_of_rollouts_stay_in_their_folder(controller, folders):
    rollouts = folders / "rollouts"
    for name in ("..", ".", "", "/etc", "../masked", "a/b"):
        assert controller.refused("POST", "/rollouts", {"folder": name})[0] in (400, 404)
    bad = rollouts / "bad"
    make_rollout(folders / "masked", folders / "literal", bad)
    manifest = json.loads((bad / "rollout.json").read_text())
    for name in ("../../masked/tor-0.flows", "/etc/passwd", "..", "", 7):
        manifest["phases"][0]["switches"] = {"0": [name]}
        (bad / "rollout.json").write_text(json.dumps(manifest))
        status, message = controller.refused("POST", "/rollouts", {"folder": "bad"})
        assert (status, "expected the name of a file" in message) == (400, True)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda m: m.update(kind="x"), "kind: expected 'lightloom rollout'"),
        (lambda m: m.update(version=2), "version: found 2; expected 1"),
        (lambda m: m.update(dialect="eos"), "dialect: expected 'openflow'"),
        (lambda m: m.update(phases=3), "phases: expected a list"),
        (lambda m: m["phases"][0].update(drain_ps=-1), "phase 1: drain_ps: found -1"),
        (lambda m: m["phases"][0].update(drain_ps=True), "phase 1: drain_ps: found True"),
        (lambda m: m["phases"][0].update(drain_ps=10**18), "at most a day"),
        (lambda m: m["phases"][0].update(probe=8), "phase 1: probe: found 8"),
        (lambda m: m["phases"][0]["switches"].update({"8": ["x"]}), "found '8'; expected 0 to 7"),
        (lambda m: m["phases"][0]["switches"].update({"01": ["x"]}), "found '01'"),
        (lambda m: m["phases"][0]["switches"].update({"0": "x"}), "expected a list of one file"),
        (lambda m: m["stamps"].pop("3"), "do not lead ToR 3 from"),
        (lambda m: m["stamps"]["3"].update(to="0x1"), "expected a stamp such as"),
        (lambda m: m["stamps"]["3"].update(to=None), "ToR 3 comes or goes"),
        (lambda m: m["phases"].pop(0), "the switch has"),
        (lambda m: m["phases"].pop(2), "do not lead ToR 0 from"),
    ],
)
def test_rollouts_that_do_not_fit_are_refused(controller, folders, request, edit, message):
    out = folders / "rollouts" / f"r{abs(hash(request.node.name))}"
    make_rollout(folders / "masked", folders / "literal", out)
    manifest = json.loads((out / "rollout.json").read_text())
    edit(manifest)
    (out / "rollout.json").write_text(json.dumps(manifest))
    if message == "the switch has":
        # Without its first phase it closes nothing, and still leads there. Its switches are absent.
        message = "not ready: ToR 0"
    status, said = controller.refused("POST", "/rollouts", {"folder": out.name})
    assert 400 <= status <= 503
    assert message in said
    assert controller.ask("GET", "/rollouts") == []


def test_names_are_quoted_in_paths(controller):
    assert quote("tor:0/1", safe="") == "tor%3A0%2F1"
    status, _ = controller.refused("PUT", "/groups/first/members/tor:0/1")
    assert status == 404
    assert TOKEN not in str(controller.ask("GET", "/status"))
