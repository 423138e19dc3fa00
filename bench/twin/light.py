#!/usr/bin/env python3
"""Reliable broadcasts over splitters, beside a fat tree, unicasts and a chain: the table of docs/validation.md.

    bench/twin/light.py [--lightloom PATH] [--megabytes N] [--quick]

Each row is one simulation of a message to a group: completion, share of what the line rate allows (payload of
4,096 bytes in 4,178 on the wire), packets repeated, copies that arrived twice. Healthy rows reach 0.97. Unicasts and
chains carry the message to 63 receivers only. The script needs only Python's standard library.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FABRICS = {
    "4,4-Shufflecast": '[fabric]\nfamily = "shufflecast"\np = 4\nk = 4\n',
    "kautz 4, 1,024 ToRs": '[fabric]\nfamily = "kautz"\np = 4\ntors = 1024\n',
}
HOSTS = 2048
COMMON = """version = 1
seed = 1
until = "20 s"

[parameters.transport]
ack_every = 4

[parameters.dcqcn]
enabled = false
"""
DESIGN = '[network]\nkind = "design"\nfile = "{name}"\nhosts_per_tor = 2\nspines = 8\nrate = "100 Gb/s"\nlength = "20 m"\n'
TREE = '[network]\nkind = "fat-tree"\nports = 32\nhosts_per_edge = 4\nrate = "100 Gb/s"\ndelay = "1 us"\n'
LOSS = "[[loss]]\nlayer = 1\nrate = {rate}\n"
FAILURE = """[[failure]]
relay = "tor:28"
at = "1 ms"

[recovery]
detection = "100 us"
computation = "100 us"
installation = "1 ms"
"""


def group(receivers, megabytes, **said):
    """A group whose receivers are spread over the hosts, and a message from its first member."""
    step = (HOSTS - 1) // receivers
    members = [0] + [1 + i * step for i in range(receivers)]
    fields = "".join(f"{name} = {json.dumps(value)}\n" for name, value in said.items())
    return (
        f'[[group]]\nname = "all"\nmembers = {members}\n{fields}'
        f'[[multicast]]\ngroup = "all"\nfrom = 0\nsize = "{megabytes} MB"\n'
    )


def flows(receivers, megabytes, chain):
    """A message to each receiver, from the sender or from the receiver before."""
    text = ""
    for i in range(receivers):
        after = f"after = {i - 1}\n" if chain and i else ""
        start = i if chain else 0
        text += f'[[flow]]\nfrom = {start}\nto = {i + 1}\nsize = "{megabytes} MB"\n{after}'
    return text


def cases(megabytes, quick):
    """Name, receivers, scenario, and whether nothing goes wrong."""
    for name in FABRICS:
        file = DESIGN.format(name=f"{list(FABRICS).index(name)}.toml")
        for receivers in (1, 63, 2047):
            yield f"{name}, over light", receivers, file + group(receivers, megabytes), True
        if quick:
            continue
        for rate in ("1e-6", "1e-5", "1e-4"):
            for repair in ("links", "light"):
                text = file + LOSS.format(rate=rate) + group(2047, megabytes, repair=repair)
                yield f"{name}, loss {rate}, repair over {repair}", 2047, text, False
        for repair in ("links", "light"):
            text = file + FAILURE + group(2047, megabytes, repair=repair)
            yield f"{name}, a relay dies at 1 ms, repair over {repair}", 2047, text, False
    for receivers in (1, 63, 2047):
        yield "fat tree", receivers, TREE + group(receivers, megabytes), True
    yield "fat tree, unicasts", 63, TREE + flows(63, megabytes, chain=False), False
    yield "fat tree, chain of whole messages", 63, TREE + flows(63, megabytes, chain=True), False


def measured(report):
    """Completion in seconds, members that have all, packets repeated, copies that arrived twice."""
    if report["flows"]["completion"]:
        flows = report["flows"]
        # All begin at 0, and the run ends when the last application has its message.
        last = report["end"]["reached_ps"] / 1e12
        return last, flows["completed"], flows["repeated"], flows["spurious"]
    message = report["multicasts"][0]
    last = (message["last_ps"] or 0) / 1e12
    return last, message["completed"], message["repeated"], message["twice"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lightloom", default=ROOT / "target/release/lightloom", type=Path)
    parser.add_argument("--megabytes", default=64, type=int)
    parser.add_argument("--quick", action="store_true", help="healthy fabrics alone")
    said = parser.parse_args()
    ideal = said.megabytes * 8e6 / 100e9 * 4178 / 4096
    print("| case | receivers | completion | of line rate | repeated | twice |")
    print("|---|---|---|---|---|---|")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(FABRICS.values()):
            (Path(folder) / f"{number}.toml").write_text("version = 1\n" + text)
        for name, receivers, text, healthy in cases(said.megabytes, said.quick):
            scenario = Path(folder) / "scenario.toml"
            scenario.write_text(COMMON + text)
            ran = subprocess.run(
                [said.lightloom, "simulate", scenario, "--json"], capture_output=True, text=True, check=False
            )
            if not ran.stdout:
                sys.exit(f"{name}: {ran.stderr}")
            last, completed, repeated, twice = measured(json.loads(ran.stdout))
            share = ideal / last if last else 0.0
            print(f"| {name} | {receivers} | {last * 1e3:.3f} ms | {share:.3f} | {repeated} | {twice} |", flush=True)
            failed |= completed < receivers or (healthy and share < 0.97)
    sys.exit("not all complete, or too slow" if failed else 0)


if __name__ == "__main__":
    main()
