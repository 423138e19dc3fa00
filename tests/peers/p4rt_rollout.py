"""What switches hold while P4Runtime requests change it, by the rules of P4Runtime, from the text alone.

An INSERT of what is there, and a MODIFY or DELETE of what is missing, are errors. So is an entry whose multicast group
is missing, a group that goes while an entry uses it, and a table that holds more than the `p4info` says.
"""

import json
import random
from pathlib import Path

from finsy.proto import p4r
from p4rt import Fabric, number, request

INSERT, MODIFY, DELETE = p4r.Update.INSERT, p4r.Update.MODIFY, p4r.Update.DELETE


def key_of(entity):
    """What tells an entity from others."""
    if entity.HasField("table_entry"):
        entry = entity.table_entry
        matches = frozenset(match.SerializeToString(deterministic=True) for match in entry.match)
        assert len(matches) == len(entry.match)
        return ("entry", entry.table_id, matches, entry.priority)
    return ("group", entity.packet_replication_engine_entry.multicast_group_entry.multicast_group_id)


class Held:
    """What one switch holds."""

    def __init__(self, info, requests=()):
        self.sizes = {table.preamble.id: table.size for table in info.tables}
        # The parameters that name multicast groups.
        self.groups_in = {
            (action.preamble.id, param.id)
            for action in info.actions
            for param in action.params
            if param.name in ("multicast_group", "multicast_group_id")
        }
        self.entities = {}
        for one in requests:
            for update in one.updates:
                self.apply(update)

    def copy(self):
        other = Held.__new__(Held)
        other.sizes, other.groups_in, other.entities = self.sizes, self.groups_in, dict(self.entities)
        return other

    def apply(self, update):
        key, kind = key_of(update.entity), update.type
        assert kind in (INSERT, MODIFY, DELETE)
        assert (key in self.entities) == (kind != INSERT), f"{p4r.Update.Type.Name(kind)} of {update.entity}"
        if kind == DELETE:
            if key[0] == "group":
                assert key[1] not in self.used_groups(), f"group {key[1]} is in use"
            del self.entities[key]
            return
        entity = p4r.Entity()
        entity.CopyFrom(update.entity)
        if key[0] == "entry":
            assert entity.table_entry.HasField("action")
            for group in self.groups_of(entity):
                assert ("group", group) in self.entities, f"there is no group {group}"
        self.entities[key] = entity
        held = sum(other[:2] == key[:2] for other in self.entities)
        assert key[0] == "group" or held <= self.sizes[key[1]], "the table is full"

    def groups_of(self, entity):
        action = entity.table_entry.action.action
        return {number(p.value) for p in action.params if (action.action_id, p.param_id) in self.groups_in}

    def used_groups(self):
        entries = (entity for entity in self.entities.values() if entity.HasField("table_entry"))
        return set().union(*map(self.groups_of, entries))

    def requests(self):
        """What is held, as a request that inserts it."""
        one = p4r.WriteRequest()
        for entity in self.entities.values():
            one.updates.add(type=INSERT).entity.CopyFrom(entity)
        return [one]


class Rollout:
    """A folder of a rollout."""

    def __init__(self, folder, file="rollout.json"):
        self.folder = Path(folder)
        self.manifest = json.loads((self.folder / file).read_text())
        self.phases = self.manifest["phases"]

    def requests(self, phase, tor):
        """The requests for a switch, in order."""
        files = phase["switches"][str(tor)]
        assert files == sorted(files, key=lambda name: int(name.split(".")[1]))
        return [request((self.folder / name).read_text()) for name in files]


class Moving(Fabric):
    """A fabric whose switches change. `configs` are those with all ports, `held` what each switch holds."""

    def __init__(self, kind, info, configs, lit, held):
        self.kind, self.info = kind, info
        super().__init__(kind, info, configs, lit)
        self.known = dict(self.homes)
        for tor, one in enumerate(held):
            self.set(tor, one)
        self.homes = self.known

    def set(self, tor, held):
        self.switches[tor] = self.switch(held)

    def switch(self, held):
        return self.kind(self.info, held.requests())


def shuffled(one, seed):
    """A switch may carry out the updates of one request in any order."""
    updates = list(one.updates)
    random.Random(seed).shuffle(updates)
    return updates
