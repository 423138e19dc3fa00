"""State files that are damaged, and files that are none."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import sqlite3

import pytest
from controllers import TOKEN, command, state_of
from switches import Fabric, probed_folders

pytest.importorskip("os_ken")

from lightloom.controller import folder
from lightloom.controller.__main__ import read_token
from lightloom.controller.control import Control
from lightloom.controller.errors import ControllerError
from lightloom.controller.fleet import read_switches
from lightloom.controller.runner import Runner
from lightloom.controller.store import Store


@pytest.fixture(scope="module")
def folders(lightloom_binary, tmp_path_factory):
    return probed_folders(lightloom_binary, tmp_path_factory.mktemp("folders"))


def special(kind, path):
    """A path that is no regular file."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(path))
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(kind)
    return path


SPECIAL = {
    "/dev/zero": "is a device",
    "/dev/null": "is a device",
    "pipe": "is a pipe",
    "socket": "is a socket",
    "folder": "is a folder",
}


@pytest.fixture
def token(tmp_path):
    path = tmp_path / "token"
    path.touch(mode=0o600)
    path.write_text(TOKEN)
    return path


@pytest.mark.parametrize("kind", SPECIAL)
def test_files_that_are_none_are_refused_at_start(folders, tmp_path, token, kind):
    state = special(kind, tmp_path / "other.sqlite")
    done = command(folders / "masked", state, token)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line == f"lightloom.controller: {state}: {SPECIAL[kind]}; name a regular file"


@pytest.mark.parametrize("kind", SPECIAL)
def test_all_files_of_a_start_are_regular(folders, tmp_path, kind):
    path = special(kind, tmp_path / "special")
    special(kind, tmp_path / "state.sqlite-wal")
    configs = tmp_path / "configs"
    configs.mkdir()
    for one in (folders / "masked").iterdir():
        (configs / one.name).symlink_to(one)
    (configs / "tor-3.flows").unlink()
    special(kind, configs / "tor-3.flows")
    for start in (
        lambda: Store(tmp_path / "state.sqlite"),
        lambda: read_token(path),
        lambda: read_switches(path, 8),
        lambda: folder.read(configs),
    ):
        with pytest.raises(ControllerError, match=f"{SPECIAL[kind]}; name a regular file"):
            start()


def test_files_have_a_limit(folders, tmp_path, token):
    token.write_text("x" * 5000)
    with pytest.raises(ControllerError, match="token: has more than 4096 bytes"):
        read_token(token)
    # It takes no room, and has no end that matters.
    with open(tmp_path / "state.sqlite", "wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ControllerError, match=r"state\.sqlite: file is not a database"):
        Store(tmp_path / "state.sqlite")
    with pytest.raises(ControllerError, match=r"state\.sqlite: has more than 256 MiB"):
        read_switches(tmp_path / "state.sqlite", 8)


def opened(configs, path):
    """Starts as the command does, in this process."""
    store = Store(path)
    try:
        store.adopt(configs)
        Runner(Control(configs, store), None)
    finally:
        store.close()


@pytest.fixture(scope="module")
def state(folders, tmp_path_factory):
    """A state file with groups and a rollout that waits."""
    path = tmp_path_factory.mktemp("state") / "state.sqlite"
    fabric = Fabric(folders / "masked", folders / "rollouts", path)
    fabric.controller.ask("POST", "/groups", {"name": "second", "members": ["gpu-2"]})
    fabric.controller.ask("POST", "/rollouts", {"folder": "probed"})
    state_of(fabric.controller, 1, stage="probing")
    fabric.stop()
    return path


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE meta SET value = '2' WHERE key = 'version'",
        "DELETE FROM base WHERE tor = 7",
        "DELETE FROM base WHERE tor = 2",
        "DELETE FROM base",
        "UPDATE base SET entries = 'x' WHERE tor = 2",
        "UPDATE base SET entries = 7 WHERE tor = 2",
        "UPDATE base SET entries = x'ff00' WHERE tor = 2",
        "UPDATE groups SET name = 'a b' WHERE name = 'first'",
        "UPDATE groups SET name = '' WHERE name = 'second'",
        "UPDATE groups SET address = '10.0.0.1/32' WHERE name = 'second'",
        "UPDATE groups SET address = 'x' WHERE name = 'second'",
        "UPDATE groups SET place = 'x' WHERE name = 'second'",
        "UPDATE groups SET place = -1 WHERE name = 'second'",
        "UPDATE members SET server = 'nobody'",
        "UPDATE rollouts SET state = 'x'",
        "UPDATE rollouts SET stage = 'x'",
        "UPDATE rollouts SET phase = 3",
        "UPDATE rollouts SET phase = -1",
        "UPDATE rollouts SET phase = 'x'",
        "UPDATE rollouts SET forward = 'x'",
        "UPDATE rollouts SET phases = '{'",
        "UPDATE rollouts SET phases = '7'",
        "UPDATE rollouts SET phases = '[]'",
        "UPDATE rollouts SET phases = '[[]]'",
        "UPDATE rollouts SET phases = '[[1, 2, 3]]'",
        "UPDATE rollouts SET phases = '[[\"a\", -1, 3]]'",
        "UPDATE steps SET before = 'x'",
        "UPDATE steps SET tor = 9 WHERE tor = 7",
        "DROP TABLE steps; CREATE TABLE steps (x)",
        "DROP TABLE base; CREATE TABLE base (x)",
        "DROP TABLE meta; CREATE VIEW meta AS SELECT * FROM meta",
    ],
)
def test_a_state_file_that_somebody_edited_is_refused(folders, state, tmp_path, edit):
    path = tmp_path / "state.sqlite"
    path.write_bytes(state.read_bytes())
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.executescript(edit)
    configs = folder.read(folders / "masked")
    with pytest.raises(ControllerError) as refused:
        opened(configs, path)
    assert len(str(refused.value).splitlines()) == 1


def test_a_damaged_state_file_is_refused_or_is_none(folders, state, tmp_path):
    configs = folder.read(folders / "masked")
    opened(configs, state)
    whole = state.read_bytes()
    choose = random.Random(40)
    refused = 0
    for _ in range(150):
        data = bytearray(whole)
        # Up to four places, a cut, or a page that is another one.
        for _ in range(choose.randrange(1, 5)):
            data[choose.randrange(len(data))] = choose.choice((0, 1, 0x7F, 0xFF))
        kind = choose.randrange(4)
        if kind == 0:
            del data[choose.randrange(len(data)) :]
        elif kind == 1:
            at, other = (choose.randrange(len(data) // 4096) * 4096 for _ in range(2))
            data[at : at + 4096] = whole[other : other + 4096]
        path = tmp_path / "state.sqlite"
        path.write_bytes(data)
        try:
            opened(configs, path)
        except ControllerError as error:
            refused += 1
            assert len(str(error).splitlines()) == 1
        for left in tmp_path.glob("state.sqlite*"):
            left.unlink()
    assert 50 < refused < 150


def test_the_command_says_in_one_line_that_a_state_file_is_damaged(folders, state, token, tmp_path):
    path = tmp_path / "state.sqlite"
    path.write_bytes(state.read_bytes())
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript("DELETE FROM base WHERE tor = 2")
    done = command(folders / "masked", path, token)
    assert done.returncode == 2
    assert done.stderr == (
        f"lightloom.controller: {path}: is damaged: the tables of a ToR are missing; "
        "restore it, or begin a new state file\n"
    )
