"""Folders that the controller reads: forms of lines, edited folders, and its start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from controllers import TOKEN, Controller

import lightloom

pytest.importorskip("os_ken")

from lightloom.controller import text
from lightloom.controller.entries import Address
from lightloom.controller.errors import BadFile


def copy(folder, to, **changed):
    """A copy of a folder with other contents of some files."""
    to.mkdir()
    for path in folder.iterdir():
        (to / path.name).write_bytes(path.read_bytes())
    for name, edit in changed.items():
        path = to / name.replace("__", "-").replace("_", ".")
        path.write_text(edit(path.read_text()))
    return to


def start_refused(folder, tmp_path, *more, token=TOKEN, mode=0o600):
    """The message of a controller that refuses to start."""
    file = tmp_path / "token"
    file.write_text(token)
    file.chmod(mode)
    command = [sys.executable, "-m", "lightloom.controller", str(folder)]
    command += ["--listen", "127.0.0.1:0", "--api", "127.0.0.1:0"]
    command += ["--state", str(tmp_path / "state.sqlite"), "--token-file", str(file), *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2, done.stderr
    return done.stderr.strip()


@pytest.mark.parametrize(
    "line",
    [
        "table=1,priority=1,actions=output:1",
        "table=1,priority=1,actions=NORMAL",
        "table=1,priority=1,actions=write_metadata:9,goto_table:2",
        "table=1,priority=1,actions=goto_table:2",
        "table=3,priority=1,actions=drop",
        "table=1,priority=65536,actions=drop",
        "table=1,priority=01,actions=drop",
        "table=1, priority=1,actions=drop",
        "priority=1,table=1,actions=drop",
        "table=1,priority=1,tcp,actions=drop",
        "table=1,priority=1,nw_src=10.0.0.0/8,actions=drop",
        "table=1,priority=1,udp,nw_src=10.0.0.1/8,actions=drop",
        "table=1,priority=1,udp,nw_src=10.0.0.0/33,actions=drop",
        "table=1,priority=1,udp,nw_src=10.0.0.0/255.0.0.0,actions=drop",
        "table=1,priority=1,udp,nw_src=10.0.0.256/32,actions=drop",
        "table=1,priority=1,idle_timeout=5,actions=drop",
        "table=1,priority=1,in_port=4294967040,actions=drop,actions=drop",
        "table=1,priority=1,in_port=4294967290,actions=drop",
        "table=2,priority=1,actions=group:4294967295",
        "cookie=0x10000000000000000,table=1,priority=1,actions=drop",
        "table=1,priority=1,actions=drop\r",
        "table=\u0661,priority=1,actions=drop",
        "group_id=0,type=all",
        "group_id=1,type=select,bucket=actions=output:1",
        "group_id=1,type=all,bucket=actions=flood",
        "group_id=1,type=all,bucket=actions=output:0",
        "group_id=1,type=all,bucket=actions=output:1,output:2",
        "group_id=1,type=all,bucket=weight:1,actions=output:1",
        "group_id=1,type=all,bucket=actions=set_field:1.2.3.400->tun_dst,output:1",
        " table=1,priority=1,actions=drop",
    ],
)
def test_other_lines_are_refused_with_file_and_line(line):
    with pytest.raises(BadFile, match=r"^tor-0\.flows, line 2: "):
        text.read("# a comment\n" + line + "\n", "tor-0.flows")


@pytest.mark.parametrize("verb", ["flow modify", "flow delete", "group add", "group modify", "x"])
def test_other_verbs_are_refused(verb):
    with pytest.raises(BadFile, match="line 1: found"):
        text.read_operations(f"{verb} table=1,priority=1,actions=drop\n", "x.bundle")


def test_what_is_read_is_written_again(folders):
    for path in folders.glob("*/tor-*.*"):
        lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        assert text.write(text.read(path.read_text(), path.name)).splitlines() == lines, path


def test_addresses_have_one_form():
    for good in ("10.0.0.0/8", "10.128.0.0/255.160.0.0", "239.0.0.1/32", "0.0.0.0/0"):
        assert str(Address.parse(good)) == good
    for bad in ("10.0.0.0", "10.0.0.0/08", "10.0.0.0/", "/8", "10.1.0.0/8", "10.0.0.0/255.0.0.0"):
        with pytest.raises(ValueError):
            Address.parse(bad)


@pytest.mark.parametrize("encoding", ["literal", "roots", "masked-destination"])
def test_all_encodings_are_taken(folders, tmp_path, encoding):
    one = Controller(folders / encoding, tmp_path / "state.sqlite")
    try:
        address = one.ask("GET", "/groups/first")["address"]
        status, message = one.refused(
            "POST", "/groups", {"name": "second", "members": ["gpu-2"], "address": "239.0.0.2"}
        )
        if encoding == "masked-destination":
            assert address.endswith("/29")
            assert (status, message) == (
                400,
                "address: found 239.0.0.2; its low bits are for the sending ToR",
            )
        else:
            assert (address, status) == ("239.0.0.1", 503)
        # A group without members needs no switch.
        made = one.ask("POST", "/groups", {"name": "second"})
        after = {"masked-destination": "239.0.0.16/29"}.get(encoding, "239.0.0.2")
        assert made["group"]["address"] == after
    finally:
        one.stop()


def test_folders_that_were_edited_are_refused(folders, tmp_path):
    masked = folders / "masked"
    for number, (changed, message) in enumerate(
        [
            ({"groups_csv": lambda t: t.replace("gpu-1", "gpu-2")}, "does not fit groups.csv"),
            ({"groups_csv": lambda t: t + "first,239.0.0.1,gpu-9\n"}, "there is no server 'gpu-9'"),
            ({"groups_csv": lambda t: t.replace("first", "a b")}, "take 1 to 64 letters"),
            ({"groups_csv": lambda t: t + "x\n"}, "groups.csv, row 3: expected 3 cells"),
            ({"servers_csv": lambda t: t.replace("gpu-2", "gpu-3")}, "has no port"),
            ({"configs_json": lambda t: t.replace('"0x', '"0y')}, "expected a stamp"),
            ({"configs_json": lambda t: t[:-3]}, "configs.json: "),
            ({"tor__1_gate": lambda t: t.replace("cookie=0x", "cookie=0xf")}, "tor-1.gate"),
            ({"tor__1_flows": lambda t: t + "table=0,priority=9,actions=NORMAL\n"}, "line"),
            ({"tor__0_groups": lambda t: t.replace("output:3,", "output:4,")}, "tor-0"),
        ]
    ):
        folder = copy(masked, tmp_path / f"copy-{number}", **changed)
        assert message in start_refused(folder, tmp_path)


def test_starts_that_are_refused(folders, tmp_path):
    masked = folders / "masked"
    for more, message in [
        (["--listen", "0.0.0.0:6653"], "if you mean it, add --remote-switches"),
        (["--api", "0.0.0.0:8080"], "if you mean it, add --remote-api"),
        (["--api", "[::]:8080"], "if you mean it, add --remote-api"),
        (["--api", "localhost:8080"], "expected 127.0.0.1:PORT"),
        (["--api", "127.0.0.1"], "expected 127.0.0.1:PORT"),
        (["--api", "127.0.0.1:70000"], "expected 127.0.0.1:PORT"),
        (["--switches", str(masked / "groups.csv")], "expected the columns tor, datapath_id"),
    ]:
        assert message in start_refused(masked, tmp_path, *more)
    assert "expected at least 16 letters" in start_refused(masked, tmp_path, token="short")
    assert "chmod 600" in start_refused(masked, tmp_path, mode=0o644)
    assert "No such file" in start_refused(tmp_path / "none", tmp_path)


def test_switches_with_accelerators_are_refused(tmp_path):
    """A join would take the accelerator out of the way of its group."""
    groups = tmp_path / "groups.toml"
    groups.write_text(
        'version = 1\n[servers]\nper_tor = 2\n[[group]]\nname = "all"\ntransport = "rc"\n'
        'members = ["all"]\n'
    )
    fabric = lightloom.Fabric(p=2, k=2, accelerator="cepheus-board")
    plan = fabric.plan(tmp_path / "plan")
    plan.configs("openflow", tmp_path / "configs", groups=groups)
    said = start_refused(tmp_path / "configs", tmp_path)
    assert "switch-ports.csv: use" in said and "without accelerators" in said


def test_switches_may_have_ids_of_their_own(folders, tmp_path):
    rows = "".join(f"{tor},{0xAB00 + tor:016x}\n" for tor in range(8))
    file = tmp_path / "switches.csv"
    file.write_text("tor,datapath_id\n" + rows)
    one = Controller(folders / "masked", tmp_path / "state.sqlite", "--switches", file)
    try:
        assert one.ask("GET", "/switches/3")["datapath_id"] == "000000000000ab03"
    finally:
        one.stop()
    for wrong, message in [
        (rows.replace("7,", "6,"), "a second time"),
        (rows[:-19], "ToR 7 has no row"),
        (rows + "8,1\n", "expected a ToR from 0 to 7"),
        (rows + "x,1\n", "expected a ToR and a hexadecimal datapath id"),
    ]:
        file.write_text("tor,datapath_id\n" + wrong)
        said = start_refused(folders / "masked", tmp_path, "--switches", str(file))
        assert message in said


def test_a_token_may_come_from_the_environment(folders, tmp_path):
    command = [sys.executable, "-m", "lightloom.controller", str(folders / "masked")]
    command += ["--state", str(tmp_path / "state.sqlite")]
    done = subprocess.run(command, capture_output=True, text=True, env={}, timeout=60)
    assert done.returncode == 2
    assert "name a token: --token-file FILE" in done.stderr


def test_without_os_ken_one_line_says_what_to_install(folders, tmp_path):
    (tmp_path / "os_ken.py").write_text("raise ImportError('not installed')\n")
    command = [sys.executable, "-m", "lightloom.controller", str(folders / "masked")]
    command += ["--state", str(tmp_path / "state.sqlite")]
    done = subprocess.run(
        command, capture_output=True, text=True, env={"PYTHONPATH": str(tmp_path)}, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr == 'the controller needs os-ken: pip install "./python[controller]"\n'
    assert not Path(tmp_path / "state.sqlite").exists()
