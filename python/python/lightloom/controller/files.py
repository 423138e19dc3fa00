"""Files that are read whole: regular ones, with a limit."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from lightloom.controller.errors import BadFile

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}


def check_regular(path: Path, mode: int) -> None:
    """Raises if a file's mode is not that of a regular file. Others may have no end, or wait."""
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "no file")
        raise BadFile(f"{path}: is {kind}; name a regular file")


def read(path: Path, most: int) -> bytes:
    """The content of a regular file. A file with more bytes than the limit is refused."""
    return read_with_mode(path, most)[0]


def read_with_mode(path: Path, most: int) -> tuple[bytes, int]:
    """The content of a regular file and its mode. Too many bytes are refused."""
    try:
        # Opening a device may do something, and opening a pipe waits.
        check_regular(path, os.stat(path).st_mode)
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            check_regular(path, mode)
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise BadFile(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > most:
        size = f"{most >> 20} MiB" if most >= 1 << 20 else f"{most} bytes"
        raise BadFile(f"{path}: has more than {size}")
    return data, mode
