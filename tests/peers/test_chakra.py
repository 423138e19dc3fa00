"""Execution traces of Chakra as Google's protobuf writes them: what `lightloom trace` says of them, and a run of them.

The schema is built here from the fields of `et_def.proto`. Times of computations are those of a model that knows no
network: each rank computes in one stream, and a collective operation ends when all its ranks have begun it.
"""

import json
import random
import subprocess
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

ROOT = Path(__file__).parents[2]
COMPUTE, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7
KINDS = {
    0: "allreduce", 1: "reduce", 2: "allgather", 3: "gather", 4: "scatter", 5: "broadcast", 6: "all-to-all",
    7: "reduce-scatter", 9: "barrier",
}  # fmt: skip
SCHEDULES = {
    "allreduce": "ring", "allgather": "bruck", "broadcast": "binomial", "all-to-all": "pairwise",
    "reduce-scatter": "ring", "barrier": "dissemination", "reduce": "binomial", "gather": "binomial",
    "scatter": "concurrent",
}  # fmt: skip


def schema():
    """The messages of Chakra, by their names."""
    field = descriptor_pb2.FieldDescriptorProto
    types = {
        "u64": field.TYPE_UINT64, "i64": field.TYPE_INT64, "i32": field.TYPE_INT32, "u32": field.TYPE_UINT32,
        "bool": field.TYPE_BOOL, "text": field.TYPE_STRING, "enum": field.TYPE_INT32,
    }  # fmt: skip
    file = descriptor_pb2.FileDescriptorProto(name="et_def.proto", package="Chakra", syntax="proto3")

    def message(name, fields):
        made = file.message_type.add(name=name)
        for number, called, kind, *repeated in fields:
            one = made.field.add(name=called, number=number)
            one.label = field.LABEL_REPEATED if repeated else field.LABEL_OPTIONAL
            if kind in types:
                one.type = types[kind]
            else:
                one.type, one.type_name = field.TYPE_MESSAGE, f".Chakra.{kind}"
        return made

    message("BoolList", [(1, "values", "bool", True)])
    attribute = message(
        "Attribute",
        [
            (1, "name", "text"), (7, "int32_val", "i32"), (9, "int64_val", "i64"), (11, "uint32_val", "u32"),
            (13, "uint64_val", "u64"), (27, "bool_val", "bool"), (28, "bool_list", "BoolList"),
            (29, "string_val", "text"),
        ],
    )  # fmt: skip
    attribute.oneof_decl.add(name="value")
    for one in attribute.field[1:]:
        one.oneof_index = 0
    message("Metadata", [(1, "version", "text"), (2, "attr", "Attribute", True)])
    message("Io", [(1, "values", "text"), (2, "shapes", "text"), (3, "types", "text")])
    message(
        "Node",
        [
            (1, "id", "u64"), (2, "name", "text"), (3, "type", "enum"), (4, "ctrl_deps", "u64", True),
            (5, "data_deps", "u64", True), (6, "start_time_micros", "u64"), (7, "duration_micros", "u64"),
            (8, "inputs", "Io"), (9, "outputs", "Io"), (10, "attr", "Attribute", True),
        ],
    )  # fmt: skip
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = pool.FindFileByName("et_def.proto").message_types_by_name
    return {name: message_factory.GetMessageClass(found[name]) for name in found}


MESSAGES = schema()


def node(number, kind, deps=(), micros=0, **attributes):
    made = MESSAGES["Node"](id=number, name=f"node {number}", type=kind, duration_micros=micros)
    made.start_time_micros = 17 * number
    for before in deps:
        (made.ctrl_deps if before % 2 else made.data_deps).append(before)
    for place, (name, value) in enumerate(attributes.items()):
        one = made.attr.add(name=name)
        if isinstance(value, bool):
            one.bool_val = value
        elif isinstance(value, str):
            one.string_val = value
        elif value < 1 << 31:
            setattr(one, ["int64_val", "int32_val", "uint64_val", "uint32_val"][(number + place) % 4], value)
        else:
            one.int64_val = value
    return made


def varint(number):
    written = bytearray()
    while number >= 0x80:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*written, number])


def written(nodes):
    metadata = MESSAGES["Metadata"](version="1.0.0")
    metadata.attr.add(name="input_file", string_val="a model")
    records = [one.SerializeToString() for one in [metadata, *nodes]]
    return b"".join(varint(len(record)) + record for record in records)


def read(bytes_):
    """The nodes of a file."""
    records, at = [], 0
    while at < len(bytes_):
        length = shift = 0
        while True:
            byte = bytes_[at]
            at += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        records.append(bytes_[at : at + length])
        at += length
    return [MESSAGES["Node"].FromString(record) for record in records[1:]]


def ask(lightloom, folder, *arguments, code=0):
    line = [lightloom, *map(str, arguments), "--json"]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == code, f"{line}: {done.returncode}: {done.stderr}"
    return json.loads(done.stdout) if code == 0 else done.stderr


class Program:
    """A random trace, and what it has."""

    def __init__(self, seed):
        chance = random.Random(seed)
        self.ranks = chance.randint(2, 6)
        size = chance.randint(2, self.ranks)
        members = [chance.sample(range(self.ranks), size), list(range(self.ranks))]
        self.groups = {"7": members[0]}
        names = ["7", "0"]
        self.nodes = [[] for _ in range(self.ranks)]
        self.sums = {}
        self.micros = [0] * self.ranks
        self.messages = []
        for _ in range(chance.randint(3, 25)):
            what = chance.choice(["compute", "collective", "collective", "message"])
            if what == "compute":
                rank, micros = chance.randrange(self.ranks), chance.randint(0, 500)
                self.add(chance, rank, COMPUTE, micros, is_cpu_op=chance.random() < 0.5, tid=chance.randint(0, 1))
                self.micros[rank] += micros
            elif what == "message":
                a, b = chance.sample(range(self.ranks), 2)
                bytes_, tag = chance.randint(1, 20_000), chance.randint(0, 2)
                self.add(chance, a, SEND, comm_dst=b, comm_size=bytes_, comm_tag=tag, comm_src=a)
                self.add(chance, b, RECEIVE, comm_src=a, comm_size=bytes_, comm_tag=tag)
                self.messages.append(bytes_)
            else:
                group, kind = chance.randrange(2), chance.choice(list(KINDS))
                bytes_ = chance.randint(1, 30_000)
                root = {"root": chance.choice(members[group])} if kind in (1, 3, 4, 5) else {}
                for rank in members[group]:
                    said = {"comm_type": kind, "pg_name": names[group], **root}
                    said |= {"comm_size": bytes_} if kind != 9 else {}
                    self.add(chance, rank, COLLECTIVE, **said)
                whole = 0 if kind == 9 else bytes_ * len(members[group]) if kind in (2, 3) else bytes_
                count, sum_ = self.sums.get((names[group], KINDS[kind]), (0, 0))
                self.sums[names[group], KINDS[kind]] = (count + 1, sum_ + whole)

    def add(self, chance, rank, kind, micros=0, **attributes):
        nodes = self.nodes[rank]
        deps = chance.sample(range(len(nodes)), min(len(nodes), chance.randint(0, 2)))
        nodes.append(node(len(nodes), kind, deps, micros, **attributes))

    def write(self, folder):
        for rank, nodes in enumerate(self.nodes):
            (folder / f"t.{rank}.et").write_bytes(written(nodes))
        (folder / "groups.json").write_text(json.dumps(self.groups))


@pytest.mark.parametrize("seed", range(40))
def test_random_traces(lightloom, tmp_path, seed):
    """What a trace has is what was written, and a run of it ends with all that is in it."""
    program = Program(seed)
    program.write(tmp_path)
    told = ask(lightloom, tmp_path, "trace", "t.0.et", "--process-groups", "groups.json")
    assert told["ranks"] == program.ranks
    assert told["operations"] == sum(map(len, program.nodes))
    assert told["messages"] == len(program.messages)
    assert told["bytes"] == sum(program.messages)
    assert told["computing_ps"] == sum(program.micros) * 10**6
    calls = {(one["group"], one["operation"]): (one["calls"], one["bytes"]) for one in told.get("collectives", [])}
    assert calls == program.sums
    kinds = {kind for _, kind in program.sums}
    schedules = [f'{kind.replace("-", "_")} = "{SCHEDULES[kind]}"' for kind in sorted(kinds)]
    scenario = [
        "version = 1", 'until = "1 s"', "[network]", 'kind = "leaf-spine"', "leaves = 2", "spines = 2",
        "hosts_per_leaf = 3", 'rate = "100 Gb/s"', 'delay = "1 us"', "[[trace]]", 'file = "t.0.et"',
        'process_groups = "groups.json"', *schedules,
    ]  # fmt: skip
    (tmp_path / "s.toml").write_text("\n".join(scenario))
    ran = ask(lightloom, tmp_path, "simulate", "s.toml", "--check")["traces"][0]
    assert ran["completed"] == program.ranks
    assert ran["ended"] == told["operations"]
    assert ran["last_ps"] >= told["path"]["length_ps"]
    done = {(one["group"], one["operation"]): (one["completed"], one["bytes"]) for one in ran.get("collectives", [])}
    assert done == program.sums
    assert {one["operation"]: one["schedule"] for one in ran.get("collectives", [])} == {
        kind: SCHEDULES[kind] for kind in kinds
    }


def test_the_example_is_what_its_program_says(lightloom, tmp_path):
    """The files beside `step.py` are those that it writes, and protobuf reads them."""
    place = ROOT / "examples/chakra"
    copy = tmp_path / "step.py"
    copy.write_text((place / "step.py").read_text())
    subprocess.run(["python3", copy], check=True, timeout=60)
    files = sorted(place.glob("step.*.et"))
    assert len(files) == 8
    for file in files:
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()
        nodes = read(file.read_bytes())
        assert [one.id for one in nodes] == list(range(18))
        assert sum(one.duration_micros for one in nodes) == 1_080
    assert (tmp_path / "groups.json").read_text() == (place / "groups.json").read_text()
    told = ask(lightloom, place, "trace", "step.0.et", "--process-groups", "groups.json")
    assert (told["ranks"], told["operations"], told["computing_ps"]) == (8, 144, 8 * 1_080 * 10**6)


@pytest.mark.parametrize("seed", range(10))
def test_what_is_cut_off_is_refused(lightloom, tmp_path, seed):
    """A file that ends within a record is refused with rank and record, and no report is given."""
    program = Program(seed)
    program.write(tmp_path)
    chance = random.Random(seed)
    rank = chance.randrange(program.ranks)
    file = tmp_path / f"t.{rank}.et"
    if len(program.nodes[rank]) > 0:
        file.write_bytes(file.read_bytes()[:-1])
        said = ask(lightloom, tmp_path, "trace", "t.0.et", "--process-groups", "groups.json", code=2)
        assert f"t.{rank}.et: rank {rank}: record {len(program.nodes[rank]) + 1}: " in said
        assert "truncated" in said
