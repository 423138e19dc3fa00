"""The text of relay.p4 against its p4info, which was written by hand: no compiler is at hand."""

import re
from itertools import chain
from pathlib import Path

from finsy.proto import p4i
from p4rt import Relay, p4info

HERE = Path(__file__).parents[2] / "crates/dialects/src"

# The types of v1model's metadata that relay.p4 matches.
STANDARD = {"ingress_port": 9, "egress_port": 9}


def test_the_p4info_says_what_the_program_says():
    program = re.sub(r"//.*", "", (HERE / "relay.p4").read_text())
    offered = p4info((HERE / "relay.p4info.txt").read_text())
    fields = dict(chain(STANDARD.items(), ((n, int(w)) for w, n in re.findall(r"bit<(\d+)> (\w+);", program))))
    actions = {}
    for ident, name, said in re.findall(r"@id\((\w+)\)\s+action (\w+)\((.*?)\) \{", program, re.S):
        params = re.findall(r"@id\((\d+)\) bit<(\d+)> (\w+)", said)
        actions[name] = (int(ident, 16), [(int(i), n, int(w)) for i, w, n in params])
    told = {
        a.preamble.alias: (a.preamble.id, [(p.id, p.name, p.bitwidth) for p in a.params]) for a in offered.actions
    }
    assert told.pop("NoAction") == (21257015, [])
    assert told == actions and len(actions) == 7
    names = {a.preamble.id: a.preamble.alias for a in offered.actions}
    tables = {}
    for ident, name, body in re.findall(r"@id\((\w+)\)\s+table (\w+) \{(.*?)\n    \}", program, re.S):
        keys = re.findall(r"([\w.]+) : (\w+) @id\((\d+)\) @name\(\"(\w+)\"\)", body)
        # The actions, those for the default only marked.
        listed = re.search(r"actions = \{(.*?)\}", body, re.S)[1]
        tables[name] = (
            int(ident, 16),
            [(int(i), said, fields[path.split(".")[-1]], kind.upper()) for path, kind, i, said in keys],
            [("@defaultonly" in part, part.split()[-1]) for part in listed.split(";") if part.strip()],
            re.search(r"const default_action = (\w+)", body)[1],
            int(re.search(r"size = (\d+)", body)[1]),
        )
    kind = p4i.MatchField.MatchType.Name
    only = p4i.ActionRef.DEFAULT_ONLY
    assert tables == {
        t.preamble.alias: (
            t.preamble.id,
            [(m.id, m.name, m.bitwidth, kind(m.match_type)) for m in t.match_fields],
            [(ref.scope == only, names[ref.id]) for ref in t.action_refs],
            names[t.const_default_action_id],
            t.size,
        )
        for t in offered.tables
    }
    assert len(tables) == 6
    header = re.search(r"header packet_in_t \{(.*?)\}", program, re.S)[1]
    (said,) = offered.controller_packet_metadata
    wanted = [(name, int(width)) for width, name in re.findall(r"bit<(\d+)> (\w+);", header)]
    assert [(part.name, part.bitwidth) for part in said.metadata] == wanted
    # The interpreter's replicas are those of the program.
    constants = {n: int(v) for n, v in re.findall(r"REPLICA_(\w+) = (\d+);", program)}
    assert constants == {name: getattr(Relay, name) for name in constants} and len(constants) == 5
    vlans = {int(constants[f"FOR_{n}"]): int(v) for n, v in re.findall(r"VLAN_(\w+) = (\d+);", program)}
    assert vlans == Relay.VLANS
