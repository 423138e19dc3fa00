"""Accelerators beside Open vSwitch bridges: each reads what its switch hands it, and sends the copies back."""

from collections import Counter

from accelerators import Accelerators
from ovs_fabric import Fabric
from ovs_packets import Capture


def untagged(packet):
    """The VLAN of a frame, or `None`, and the frame without it."""
    if packet[12:14] != b"\x81\x00":
        return None, packet
    return int.from_bytes(packet[14:16], "big") & 0xFFF, packet[:12] + packet[16:]


def tagged(packet, vlan):
    """The same frame in a VLAN."""
    return packet[:12] + b"\x81\x00" + vlan.to_bytes(2, "big") + packet[12:]


class Accelerated(Fabric):
    """A fabric whose switches have accelerators."""

    def __init__(self, daemon, configs, lit, folder, **more):
        # What each accelerator was handed: by ToR and payload.
        self.handed = Counter()
        self.at = {}
        super().__init__(daemon, configs, lit, folder, **more)

    def _build(self):
        super()._build()
        ports = {}
        for port in self.configs.ports:
            if port.used_for in ("accelerator", "uplink"):
                capture = Capture(self.folder / f"{port.name}.pcap")
                self.at.setdefault((port.tor, port.used_for), []).append((port, capture))
                options = {"tx_pcap": str(capture.path)}
                of_bridge = ports.setdefault(self.configs.bridge(port.tor), [])
                of_bridge.append((port.name, port.number, "dummy", options))
        self.daemon.add_ports(ports)

    def load(self, configs):
        self.accelerators = Accelerators(configs)
        return super().load(configs)

    def _copies(self, tor, packet):
        vlan, packet = untagged(packet)
        source, to = (int.from_bytes(packet[at : at + 4], "big") for at in (26, 30))
        return [tagged(packet, copy) for copy in self.accelerators.copies(tor, vlan, source, to)]

    def _serve(self):
        """All accelerators handle what they were handed. Returns how many packets there were."""
        number = 0
        for (tor, used_for), ports in self.at.items():
            for port, capture in ports if used_for == "accelerator" else ():
                packets = capture.read()
                self.handed.update((tor, untagged(packet)[1][42:]) for packet in packets)
                number += len(packets)
                self.daemon.inject(port.name, [copy for one in packets for copy in self._copies(tor, one)])
        return number

    def received(self):
        found = super().received()
        while self._serve():
            for server, packets in super().received().items():
                found[server] += packets
        return found

    def left_by_uplink(self, tor):
        self.daemon.settle()
        return [packet for _, capture in self.at[tor, "uplink"] for packet in capture.read()]
