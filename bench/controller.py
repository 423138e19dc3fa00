"""Time from a membership request to its answer, on real Open vSwitch bridges.

    .venv-python/bin/python bench/controller.py --lightloom target/release/lightloom

The answer comes after the barrier and the read-back of every switch concerned. All bridges, their
daemon, the controller and this program share the machine. Each row is the median of `--times`
requests, with the fastest and the slowest.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python/tests"))

from bridges import Bridges, ovs
from controllers import Controller

DESIGNS = {
    "4,2-Shufflecast": ["--p", "4", "--k", "2"],
    "kautz 4,64": ["--family", "kautz", "--p", "4", "--tors", "64"],
}


def groups_file(others: int) -> str:
    """Two servers a ToR, a group of all, and other groups with members everywhere."""
    text = 'version = 1\n[servers]\nper_tor = 2\n[[group]]\nname = "all"\nmembers = ["all"]\n'
    return text + "".join(
        f'[[group]]\nname = "g{number}"\nmembers = ["all"]\n'
        for number in range(others)
    )


def timed(times, change, undo):
    """Milliseconds of changes, each undone after it."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        change()
        found.append((time.perf_counter() - start) * 1e3)
        undo()
    return found


def measure(binary: Path, name: str, words: list[str], others: int, times: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "groups.toml").write_text(groups_file(others))
        ovs.run(str(binary), "plan", *words, "--out", str(root / "plan"))
        more = ["--dialect", "openflow", "--groups", str(root / "groups.toml")]
        ovs.run(
            str(binary),
            "configs",
            str(root / "plan"),
            *more,
            "--out",
            str(root / "configs"),
        )
        daemon = ovs.Daemon(root / "ovs")
        try:
            bridges = Bridges(daemon, root / "configs", root / "plan")
            tors = len(bridges.tors)
            controller = Controller(root / "configs", root / "state.sqlite")
            try:
                start = time.perf_counter()
                bridges.point(controller.port)
                controller.ready(tors)
                loaded = time.perf_counter() - start
                every = [f"tor:{tor}/1" for tor in bridges.tors]
                ask = controller.ask
                new = {"name": "new", "members": every}
                rows = [
                    (
                        f"a group with a member on each of {tors} ToRs",
                        timed(
                            times,
                            lambda: ask("POST", "/groups", new),
                            lambda: ask("DELETE", "/groups/new"),
                        ),
                    )
                ]
                ask("POST", "/groups", new)
                rows.append(
                    (
                        f"its removal on {tors} ToRs",
                        timed(
                            times,
                            lambda: ask("DELETE", "/groups/new"),
                            lambda: ask("POST", "/groups", new),
                        ),
                    )
                )
                rows.append(
                    (
                        "one server joins a group (1 ToR)",
                        timed(
                            times,
                            lambda: controller.join("new", "tor:0/2"),
                            lambda: controller.leave("new", "tor:0/2"),
                        ),
                    )
                )
                print(
                    f"{name}, {others + 1} groups: {tors} switches loaded in {loaded:.1f} s"
                )
                for what, found in rows:
                    median = statistics.median(found)
                    print(
                        f"  {what}: {median:.0f} ms ({min(found):.0f} to {max(found):.0f})"
                    )
            finally:
                controller.stop()
        finally:
            daemon.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lightloom", type=Path, required=True)
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--groups", type=int, nargs="*", default=[0, 100])
    arguments = parser.parse_args()
    for name, words in DESIGNS.items():
        for others in arguments.groups:
            measure(arguments.lightloom.resolve(), name, words, others, arguments.times)


if __name__ == "__main__":
    main()
