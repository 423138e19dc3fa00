"""Crews exchange plugs. Light is followed over the sheets with those plugs exchanged, by code that knows none of
lightloom, and what `as-built` answers and writes must agree with it.
"""

import csv
import json
import random
import subprocess
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from light import toml
from plant_designs import DESIGNS
from plant_replay import replay

LONGEST = 32
FABRICS = ["sender", "receiver", "trunked", "modules", "zone", "apc", "apc-modules", "empty-seats-modules"]


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class World:
    """The plugs of a plan: each end of a cord, and of a connector of a trunk, with the port that it is in."""

    def __init__(self, folder):
        folder = Path(folder)
        self.kinds = {row["module"]: row for row in rows(folder / "modules.csv")}
        self.rack_of = {row["module"]: row["rack"] for row in self.kinds.values()}
        self.joints = defaultdict(list)
        for row in rows(folder / "maps.csv"):
            start = row["map"], row["from_side"], row["from_port"], row["from_position"]
            end = row["map"], row["to_side"], row["to_port"], row["to_position"]
            self.joints[start].append(end[1:])
            if row["through"] == "fibre":
                self.joints[end].append(start[1:])
        self.ports, self.positions = {}, defaultdict(set)
        for row in rows(folder / "cords.csv"):
            for end in ("near", "far"):
                self.add(row["label"], end, row)
            self.positions[row["label"]] = {"1"}
        for row in rows(folder / "strands.csv"):
            label = f"{row['trunk']}.{(int(row['strand']) - 1) // 12 + 1}"
            for end in ("near", "far"):
                self.add(label, end, row)
            self.positions[label].add(row["near_position"])

    def add(self, label, end, row):
        module = row[f"{end}_module"]
        is_switch = self.kinds[module]["kind"] == "switch"
        way = row[f"{end}_direction"] if is_switch else ""
        fit = row.get(f"{end}_polish", "mpo")
        self.ports[label, end] = module, row[f"{end}_side"], row[f"{end}_port"], way, fit

    def moved(self, moves):
        """The ports of all plugs, where each of `moves` sits in the planned port of another one."""
        return {plug: self.ports[moves.get(plug, plug)] for plug in self.ports}

    def lit(self, ports):
        """How often each transmitter's light arrives at each receiver: racks of ToRs, with the cables passed."""
        there = {}
        for (label, end), port in ports.items():
            other = ports[label, "far" if end == "near" else "near"]
            for position in self.positions[label]:
                there[port[:4] + (position,)] = other[:4] + (position,)
        found = defaultdict(Counter)
        for start in [point for point in there if point[3] == "Tx"]:
            self.spread(start, there, found[self.rack_of[start[0]]], LONGEST)
        return found

    def spread(self, point, there, found, left):
        if point not in there or not left:
            return
        module, side, port, way, position = there[point]
        if self.kinds[module]["kind"] == "switch":
            found.update([self.rack_of[module]] if way == "Rx" else [])
            return
        for then in self.joints[self.kinds[module]["map"], side, port, position]:
            self.spread((module, then[0], then[1], "", then[2]), there, found, left - 1)


@pytest.fixture(scope="module")
def planned(lightloom, tmp_path_factory):
    root, done = tmp_path_factory.mktemp("planned"), {}

    def plan(name):
        if name not in done:
            (root / f"{name}.toml").write_text("version = 1\n" + toml(DESIGNS[name]))
            line = [lightloom, "plan", f"{name}.toml", "--out", name]
            subprocess.run(line, capture_output=True, check=False, timeout=60, cwd=root)
            done[name] = root / name
        return done[name]

    return plan


def exchanges(world, rng):
    """Pairs of plugs that fit each other's ports: at one module, at one switch, or anywhere."""
    groups = defaultdict(list)
    for plug, (module, side, _, way, fit) in sorted(world.ports.items()):
        kind = world.kinds[module]["kind"]
        groups["anywhere", kind, side, way, fit].append(plug)
        groups[module, side, way, fit].append(plug)
    near = [group for key, group in sorted(groups.items()) if key[0] != "anywhere" and len(group) > 1]
    far = [group for key, group in sorted(groups.items()) if key[0] == "anywhere" and len(group) > 1]
    moves = {}
    for _ in range(rng.choice([1, 1, 2, 3])):
        one, other = rng.sample(rng.choice(near if rng.random() < 0.8 else far), 2)
        if one not in moves and other not in moves:
            moves |= {one: other, other: one}
    return moves


def write(path, moves):
    marks = defaultdict(dict)
    for (label, end), (other, at) in moves.items():
        marks[label][f"{end}_at"] = other if end == at else f"{other} {at}"
    with open(path, "w", newline="", encoding="utf-8") as file:
        sheet = csv.DictWriter(file, ["label", "near_at", "far_at"], restval="")
        sheet.writeheader()
        sheet.writerows({"label": label} | found for label, found in marks.items())


def answer(lightloom, *line):
    done = subprocess.run([lightloom, *map(str, line)], capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


@pytest.mark.parametrize("name", FABRICS)
def test_light_is_followed_over_exchanged_plugs(planned, lightloom, tmp_path, name):
    """The answer lists the transmitters whose light arrives elsewhere. If there is none, the new plan has the real plugs."""
    world, ends = World(planned(name)), Counter()
    before = world.lit(world.ports)
    for seed in range(24):
        moves = exchanges(world, random.Random(f"{name} {seed}"))
        after = world.lit(world.moved(moves))
        write(tmp_path / "returned.csv", moves)
        line = "as-built", planned(name), "--returned", tmp_path / "returned.csv", "--out", tmp_path / "new", "--json"
        code, told = answer(lightloom, *line)
        if code == 2:
            # A cord may be too short, and a way may have another number of cables. Neither is light gone astray.
            assert "long and its way" in told or "another number of cables" in told, told
            assert after == before
            ends["refused"] += 1
            continue
        astray = {
            rack: (sorted((before[rack] - after[rack]).elements()), sorted((after[rack] - before[rack]).elements()))
            for rack in before
            if after[rack] != before[rack]
        }
        assert {row["from"]: (sorted(row["lacking"]), sorted(row["lit"])) for row in told["astray"]} == astray, moves
        assert bool(told["out"]) == (not astray)
        ends["astray" if astray else "taken"] += 1
        if astray:
            # To undo what is named is enough.
            back = {tuple(plug.split(" ")) for plug in told["move_back"]}
            assert back <= moves.keys()
            rest = {plug: at for plug, at in moves.items() if plug not in back}
            if set(rest.values()) == set(rest):
                assert world.lit(world.moved(rest)) == before
            continue
        assert replay(tmp_path / "new") == []
        now = {row["planned"]: row["now"] for row in told["as_built"]["relabelled"]}
        found = World(tmp_path / "new")
        assert found.ports == {(now.get(label, label), end): port for (label, end), port in world.moved(moves).items()}
        _, verified = answer(lightloom, "verify", tmp_path / "new", "--json")
        # The light of two of these designs fails as planned.
        assert [fault for fault in verified["first_faults"] if "the light does not arrive" not in fault] == []
    assert ends["taken"] >= 3 and ends["astray"] >= 3, ends


def test_a_second_return_follows_the_first(planned, lightloom, tmp_path):
    """Each return names cables by the labels that they have then. Both together are what was done."""
    world = World(planned("trunked"))
    before = world.lit(world.ports)
    rng, rounds = random.Random(7), 0
    while rounds < 6:
        folder, moves, taken = planned("trunked"), {}, 0
        for step in range(2):
            told_moves = exchanges(World(folder), rng)
            write(tmp_path / "returned.csv", told_moves)
            out = tmp_path / f"new-{step}"
            code, told = answer(lightloom, "as-built", folder, "--returned", tmp_path / "returned.csv", "--out", out, "--json")
            if code == 2 or told["astray"]:
                break
            folder, taken = out, taken + 1
        if taken == 2:
            rounds += 1
            assert replay(folder) == []
            found = World(folder)
            assert found.lit(found.ports) == before
    assert not moves
