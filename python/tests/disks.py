"""A disk that is full for a controller, until there is room again."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess


class Limit:
    """No file of a process may grow or change: what every user can do to a process of one's own."""

    def __init__(self, folder):
        self.folder = folder

    @contextlib.contextmanager
    def full(self, controller):
        number = controller.process.pid
        # The hard limit stays, so that the soft one may rise again.
        before = resource.prlimit(number, resource.RLIMIT_FSIZE)
        resource.prlimit(number, resource.RLIMIT_FSIZE, (0, before[1]))
        try:
            yield
        finally:
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(number, resource.RLIMIT_FSIZE, before)


class Disk:
    """A small disk in memory. Needs root."""

    def __init__(self, folder):
        self.folder = folder
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder],
            check=True,
            capture_output=True,
        )

    @contextlib.contextmanager
    def full(self, controller):
        filler = self.folder / "filler"
        with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        try:
            yield
        finally:
            filler.unlink()

    def unmount(self):
        subprocess.run(["umount", "-l", self.folder], check=True)


@contextlib.contextmanager
def disk(kind, folder):
    """A disk of a kind: ``limit`` or ``tmpfs``. None: it is not possible here."""
    folder.mkdir()
    if kind == "limit":
        yield Limit(folder)
        return
    try:
        found = Disk(folder) if os.geteuid() == 0 else None
    except (OSError, subprocess.CalledProcessError):
        found = None
    try:
        yield found
    finally:
        if found is not None:
            found.unmount()
