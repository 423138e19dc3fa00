"""Commands that write, cut off at a system call: by a kill, or by an error of the system.

Afterwards each output must be what it was before or what a run that nobody disturbs makes, never something between; and
after the command was run again nothing else may be left. `strace` counts the calls and injects what happens to one of them, so
that each case is the same in every run.
"""

import hashlib
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass

SCENARIO = """version = 1
until = "1 ms"
[network]
kind = "leaf-spine"
leaves = 1
spines = 0
hosts_per_leaf = 2
rate = "100 Gb/s"
length = "10 m"
[[flow]]
from = 0
to = 1
size = "64 kB"
"""
FABRIC = ["--family", "shufflecast", "--p", "2", "--k", "2"]
OTHER = ["--family", "kautz", "--p", "2", "--tors", "6"]
# Calls that change something on a disk, or that an output is opened by.
CALLS = ["openat", "write", "fsync", "fdatasync", "syncfs", "mkdir", "rename", "renameat2", "unlink", "rmdir", "flock", "linkat"]
CALLS += ["fchmod", "getdents64"]
ERRORS = ["EIO", "ENOSPC", "EACCES", "EROFS", "EINTR", "EDQUOT"]


@dataclass(frozen=True)
class Writer:
    """A command that writes, with what it replaces."""

    name: str
    command: list[str]
    """The command."""
    outputs: list[str]
    before: list[list[str]]
    """Commands that make what is there before."""


def writers():
    """All commands that write."""
    old = ["plan", "--out", "out", *OTHER]
    trace = ["simulate", "s.toml", "--trace", "t.csv", "--pcap", "p.pcapng:host 0>leaf 0", "--out", "out"]
    configs = ["--dialect", "openflow", "--out", "out"]
    return [
        Writer("plan", ["plan", "--out", "out", *FABRIC], ["out"], [old]),
        Writer("plan anew", ["plan", "--out", "out", *FABRIC], ["out"], []),
        Writer("recover", ["recover", "in", "--failed", "relay:1", "--apply", "out"], ["out"], [old]),
        Writer("grow", ["grow", "kautz", "--tors", "8", "--out", "out"], ["out"], [old]),
        Writer("shrink", ["shrink", "kautz", "--tors", "5", "--out", "out"], ["out"], [old]),
        Writer("repairs", ["repairs", "--out", "out", *FABRIC], ["out"], [["repairs", "--out", "out", *OTHER]]),
        Writer("netbox", ["netbox", "in", "--site", "S", "--out", "out"], ["out"], [["netbox", "kautz", "--site", "S", "--out", "out"]]),
        Writer("configs", ["configs", "in", *configs], ["out"], [["configs", "kautz", *configs]]),
        Writer("rollout", ["configs", "diff", "in", "repaired", *configs], ["out"], []),
        Writer("as-built", ["as-built", "in", "--returned", "sheet.csv", "--out", "out"], ["out"], [old]),
        Writer("form", ["as-built", "in", "--form", "form.csv"], ["form.csv"], []),
        Writer("new", ["new", "--tors", "8", "--out", "design.toml"], ["design.toml"], []),
        Writer("report", ["report", "in", "--date", "2026-03-31", "--out", "r.html"], ["r.html"], [["draw", "kautz", "--out", "r.html"]]),
        Writer("draw", ["draw", "in", "--out", "r.html"], ["r.html"], [["draw", "kautz", "--out", "r.html"]]),
        Writer("man", ["man", "pages"], ["pages"], []),
        Writer("simulate", trace, ["out", "t.csv", "p.pcapng"], [[*trace, "--seed", "7"]]),
    ]


def state(folder):
    """All files of a folder, hidden ones too, with their hashes."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def is_temporary(name):
    """Whether a file is one that the next run removes."""
    return re.search(r"\.lightloom-[0-9a-f]{16}(/|$)", name) is not None


def part(state, output):
    """What a state has of an output, without temporaries in it."""
    named = {name: digest for name, digest in state.items() if name == output or name.startswith(f"{output}/")}
    return {name: digest for name, digest in named.items() if not is_temporary(name)}


class Bench:
    """The place of one command, as it is before each of its runs."""

    def __init__(self, lightloom, writer, place):
        self.lightloom, self.writer, self.place = lightloom, writer, place
        self.place.mkdir()
        (place / "s.toml").write_text(SCENARIO)
        (place / "sheet.csv").write_text("label,length_m,note\nB3.1,25,round the pillar\n")
        plans = [["plan", "--out", out, *fabric] for out, fabric in (("in", FABRIC), ("kautz", OTHER))]
        repaired = ["recover", "in", "--failed", "relay:1", "--apply", "repaired"]
        for command in (*plans, repaired, *writer.before):
            done = self.run(command)
            assert done.returncode == 0, f"{command}: {done.stderr}"
        self.reached = 0
        self.kept = place.parent / f"{place.name}-kept"
        shutil.copytree(place, self.kept)
        self.before = state(place)
        self.calls = self.counted()
        self.after = state(place)
        assert self.after != self.before, writer.name
        assert not [name for name in self.after if is_temporary(name)], writer.name

    def run(self, command, before=()):
        """Runs a command; `before` is what runs it."""
        return subprocess.run(
            [*before, self.lightloom, *command], cwd=self.place, capture_output=True, text=True, timeout=120
        )

    def counted(self):
        """The most calls of each kind by one thread, in a run that nobody disturbs. strace counts them by thread."""
        log = self.place.parent / f"{self.place.name}.calls"
        traced = ["strace", "-f", "-o", str(log), "-e", "trace=" + ",".join(CALLS)]
        done = self.run(self.writer.command, traced)
        assert done.returncode == 0, f"{self.writer.name}: {done.stderr}"
        made = re.findall(r"^(\d+) +(\w+)\(", log.read_text(), re.M)
        calls = Counter((thread, call) for thread, call in made)
        return {call: max(count for (_, of), count in calls.items() if of == call) for _, call in calls}

    def restore(self):
        """Puts back what was there before."""
        shutil.rmtree(self.place)
        shutil.copytree(self.kept, self.place)

    def disturbed(self, call, number, what):
        """One run with one call that is cut off. Returns what is wrong."""
        assert self.calls[call] >= number
        self.restore()
        log = self.place.parent / f"{self.place.name}.log"
        inject = f"inject={call}:{what}:when={number}"
        self.run(self.writer.command, ["strace", "-f", "-o", str(log), "-e", f"trace={call}", "-e", inject])
        text = log.read_text()
        # Another order of threads may make fewer calls by one thread. Then nothing was cut off.
        self.reached += "(INJECTED)" in text or "killed by SIGKILL" in text
        found = state(self.place)
        case = f"{self.writer.name}: {call} {number} {what}"
        for output in self.writer.outputs:
            kept, made, there = (part(each, output) for each in (self.before, self.after, found))
            # Pages of a manual are files each for itself.
            whole = all(there.get(name) in (kept.get(name), made.get(name)) for name in {*kept, *made, *there})
            if there not in (kept, made) and not (self.writer.name == "man" and whole):
                return f"{case}: {output} is neither old nor new"
        # Files that are never replaced are there now, or are made by the rerun.
        self.run(self.writer.command)
        left = state(self.place)
        if left != self.after:
            names = {name for name in {*left, *self.after} if left.get(name) != self.after.get(name)}
            return f"{case}: after a rerun {sorted(names)} differ"
        return None

    def cases(self, whats):
        """Places to cut off, with what happens there."""
        for call, count in sorted(self.calls.items()):
            for number in range(1, count + 1):
                for what in whats:
                    yield call, number, what
