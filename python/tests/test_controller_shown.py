"""Text from outside in messages and in the log of the controller."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lightloom.controller.shown import LogFormatter, shown

HOSTILE = "\x1b[2J\x9b1m\u202e\u2066\u200f\u2028\x7f\x08\ufffe\r\tx"


def test_what_a_terminal_obeys_is_escaped() -> None:
    text = shown(HOSTILE)
    assert text.isascii() and text.isprintable() and text.startswith(r"\x1b[2J\x9b1m\u202e")
    assert shown("a\nb") == r"a\nb" and shown("a\nb", "\n") == "a\nb"
    assert shown(os.fsdecode(b"\xff")) == r"\udcff"
    for plain in ["Zürich 東京 🦀", 'a "b"', "R1.01-42"]:
        assert shown(plain) == plain


def test_a_record_of_the_log_is_one_line_and_its_traceback() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LogFormatter("%(levelname)s %(message)s"))
    log = logging.Logger("test")
    log.addHandler(handler)
    log.warning("drift: %s\nINFO forged", HOSTILE)
    try:
        raise ValueError(HOSTILE)
    except ValueError:
        log.exception("failed")
    lines = stream.getvalue().splitlines()
    assert lines[0].endswith(r"\nINFO forged") and lines[1] == "ERROR failed"
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("argument", [HOSTILE, "--" + HOSTILE, "--listen=" + HOSTILE])
def test_arguments_are_quoted_without_escapes(argument: str, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("0123456789abcdef")
    token.chmod(0o600)
    command = [sys.executable, "-m", "lightloom.controller", argument]
    more = ["--token-file", str(token), "--state", str(tmp_path / "state")]
    ran = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert all(line.isprintable() for line in (ran.stdout + ran.stderr).split("\n")), ran
