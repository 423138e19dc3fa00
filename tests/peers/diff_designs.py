"""Designs with names of interfaces, their repairs, and the rollouts between them."""

import json
import subprocess

GROUPS = """version = 1
[servers]
per_tor = 2
[[group]]
name = "all"
members = ["all"]
[[group]]
name = "some"
members = ["tor:1/1", "tor:5"]
"""
PARTS = """[switch.own]
ports = ["32 x 100 Gb/s"]
interfaces = [{ names = "Ethernet{1-32}", rate = "100 Gb/s", connector = "lc" }]
hairpin = true
source = "a test"
date = "2026-11"

[transceiver.coded]
rate = "100 Gb/s"
modulation = "nrz"
reach = "40 km"
wavelength = "1310 nm"
launch_min = "-2.5 dBm"
launch_max = "6.5 dBm"
sensitivity = "-18.5 dBm"
overload = "-3.5 dBm"
fec = "rs528"
ber = 5e-5
power = "4.5 W"
source = "a test"
date = "2026-11"

# The same, but for its code.
[transceiver.plain]
rate = "100 Gb/s"
modulation = "nrz"
reach = "40 km"
wavelength = "1310 nm"
launch_min = "-2.5 dBm"
launch_max = "6.5 dBm"
sensitivity = "-18.5 dBm"
overload = "-3.5 dBm"
fec = "none"
ber = 1e-12
power = "4.5 W"
source = "a test"
date = "2026-11"
"""
DESIGN = """version = 1
[fabric]
family = "shufflecast"
p = {p}
k = {k}
[optics]
parts = "own.toml"
transceiver = "{transceiver}"
[tor]
model = "own"
"""


class Designs:
    """A folder with designs, configurations and rollouts in one dialect."""

    def __init__(self, binary, folder, dialect):
        self.binary, self.folder, self.dialect = str(binary), folder, dialect
        (folder / "own.toml").write_text(PARTS)
        (folder / "groups.toml").write_text(GROUPS)

    def run(self, *command, codes=(0,)):
        line = [self.binary, *map(str, command)]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert done.returncode in codes, done.stderr
        return done.stdout

    def design(self, p, k, transceiver="coded", more=""):
        name = f"{p}-{k}-{transceiver}{'-more' if more else ''}"
        path = self.folder / f"{name}.toml"
        path.write_text(DESIGN.format(p=p, k=k, transceiver=transceiver) + more)
        return path

    def repaired(self, design, failed):
        out = self.folder / f"{design.stem}-{failed}".replace(":", "").replace(">", "")
        self.run("recover", design, "--failed", failed, "--apply", out, codes=(0, 1))
        return out

    def told(self, out):
        return ["--dialect", self.dialect, "--groups", self.folder / "groups.toml", "--out", out]

    def configs(self, plan):
        out = self.folder / f"configs-{plan.name}"
        self.run("configs", plan, *self.told(out))
        return out

    def rollout(self, old, new):
        """The folder, and what the command said."""
        out = self.folder / f"from-{old.name}-to-{new.name}"
        said = self.run("configs", "diff", old, new, *self.told(out))
        return out, said


def manifests(folder):
    """The way there and the way back."""
    return [json.loads((folder / name).read_text()) for name in ("rollout.json", "rollback.json")]


def files_of(folder, manifest, tor):
    """The texts for a switch, in order, by phase."""
    return [
        (phase["name"], [(folder / name).read_text() for name in phase["switches"].get(str(tor), [])])
        for phase in manifest["phases"]
    ]


def tors_of(folder, kind):
    """The switches of a folder of configurations, by their files of a kind."""
    files = folder.glob(f"tor-*.{kind}")
    return {int(path.name.removeprefix("tor-").split(".")[0]): path.read_text() for path in files}
