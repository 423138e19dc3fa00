"""What an accelerator beside a switch knows, and what it does: `copies.csv`, `groups.csv` and `servers.csv` of a folder of
configurations. What is relayed it does not know: such packets come in the VLAN of the place that they go to beside the
members, and one copy goes back in it.

It uses the standard library only, and no code of the planner.
"""

import csv
from ipaddress import IPv4Address


class Accelerators:
    """The accelerators of all switches."""

    def __init__(self, configs):
        with open(configs.folder / "copies.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.configs = configs
        # The VLANs of each ToR: by server, and by place.
        self.vlans = {tor: {} for tor in configs.tors}
        for row in rows:
            self.vlans[int(row["tor"])][row["server"] or row["to"]] = int(row["vlan"])
        self.server_at = {int(IPv4Address(configs.address(name))): name for name in configs.servers}
        self.group_at = {int(IPv4Address(address)): members for address, members in configs.groups.values()}

    def copies(self, tor, vlan, source, to):
        """The VLANs of the copies that the accelerator of a ToR makes of a packet, whose addresses are numbers. `vlan`:
        that in which the packet came, or `None`.
        """
        sender = self.server_at[source]
        members = self.group_at[to - int(self.configs.servers[sender]["added_to_group"])]
        here = [name for name in sorted(members) if self.configs.tor_of(name) == tor and name != sender]
        assert vlan in (None, 2001, 2002)
        return [self.vlans[tor][name] for name in here] + ([] if vlan is None else [vlan])
