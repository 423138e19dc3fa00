"""Hosts and switches of HPCC's RDMA simulator (a fork of ns-3), packet by packet and event by event.

Written from the source of that simulator (github.com/alibaba-edu/High-Precision-Congestion-Control, simulation/):
src/point-to-point/model/{rdma-hw,qbb-net-device,switch-node,switch-mmu}.cc, scratch/third.cc and run.py, of which the
comments name the functions. It shares nothing with lightloom's twin. Lossless flows over single shortest ways with
`--cc dcqcn` only: no window, no INT, acknowledgements with priority.
"""

import heapq
import itertools
import random
from collections import deque
from dataclasses import dataclass, field

PS = 10**12
DATA, ACK, PFC = range(3)
# Queues: 0 goes before all others; flows are in priority group 3.
HIGH, FLOWS = 0, 3


@dataclass
class Config:
    """run.py --bw 100 --cc dcqcn; microseconds, bits a second and bytes."""

    payload: int = 1000
    header: int = 48
    ack: int = 60
    pfc: int = 43
    alpha_interval: float = 1.0
    decrease_interval: float = 4.0
    rp_timer: float = 300.0
    gain: float = 0.00390625
    fast_recovery_times: int = 1
    clamp_target_rate: bool = False
    rate_on_first_cnp: float = 1.0
    rate_ai: float = 20e6
    rate_hai: float = 200e6
    min_rate: float = 1e9
    kmin: dict = field(default_factory=lambda: {10: 40_000, 25: 100_000, 100: 400_000, 400: 1_600_000})
    kmax: dict = field(default_factory=lambda: {10: 160_000, 25: 400_000, 100: 1_600_000, 400: 6_400_000})
    pmax: float = 0.2
    buffer: int = 32 * 1024 * 1024
    reserve: int = 4 * 1024
    resume_offset: int = 3 * 1024
    shift: int = 3
    # One nanosecond, so that a decrease comes after the update of alpha.
    after_alpha_ps: int = 1000
    # Times of transmission are cut to a multiple of this: ns-3 counts nanoseconds.
    tick_ps: int = 1


class Simulator:
    def __init__(self):
        self.now = 0
        self.events = []
        self.numbers = itertools.count()

    def schedule(self, delay, call, *arguments):
        """An event, as a list; its fourth entry becomes None when it is cancelled."""
        event = [self.now + delay, next(self.numbers), arguments, call]
        heapq.heappush(self.events, event)
        return event

    def run(self):
        while self.events:
            self.now, _, arguments, call = heapq.heappop(self.events)
            if call is not None:
                call(*arguments)


def cancel(event):
    if event is not None:
        event[3] = None


class Packet:
    __slots__ = ("bytes", "ce", "flow", "in_port", "kind", "pauses", "seq")

    def __init__(self, kind, size, flow=None, seq=0, pauses=False):
        self.kind, self.bytes, self.flow, self.seq, self.pauses = kind, size, flow, seq, pauses
        self.ce = False
        self.in_port = None


class Device:
    """QbbNetDevice: one end of a link."""

    def __init__(self, sim, config, node, rate, delay):
        self.sim, self.config, self.node = sim, config, node
        self.rate, self.delay, self.delay_ps = rate, delay, round(delay * PS)
        self.peer = None
        self.busy = False
        self.paused = False

    def tx_time(self, size, rate=None):
        exact = int(size * 8 * PS / (rate or self.rate))
        return exact // self.config.tick_ps * self.config.tick_ps

    def transmit_start(self, packet):
        self.busy = True
        takes = self.tx_time(packet.bytes)
        self.sim.schedule(takes, self.transmit_complete)
        self.sim.schedule(takes + self.delay_ps, self.peer.receive, packet)

    def transmit_complete(self):
        self.busy = False
        self.dequeue_and_transmit()

    def receive(self, packet):
        if packet.kind == PFC:
            self.paused = packet.pauses
            if not self.paused:
                self.dequeue_and_transmit()
        else:
            self.node.receive(self, packet)


class HostDevice(Device):
    """The NIC: RdmaEgressQueue and RdmaHw."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.acks = deque()
        self.flows = []
        self.last = 0
        self.next_send = None

    def dequeue_and_transmit(self):
        if self.busy:
            return
        if self.acks:
            self.transmit_start(self.acks.popleft())
            return
        now, count = self.sim.now, len(self.flows)
        for step in range(1, count + 1):
            at = (step + self.last) % count
            flow = self.flows[at]
            if not self.paused and flow.snd_nxt < flow.size and flow.next_avail <= now:
                self.last = at
                packet = flow.next_packet()
                self.transmit_start(packet)
                # UpdateNextAvail: by the rate of now.
                flow.next_avail = now + self.tx_time(packet.bytes, flow.rate)
                return
        times = [flow.next_avail for flow in self.flows if flow.snd_nxt < flow.size]
        waits = self.next_send is None or self.next_send[3] is None or self.next_send[0] <= now
        if times and waits and min(times) > now:
            self.next_send = self.sim.schedule(min(times) - now, self.dequeue_and_transmit)


class Host:
    def __init__(self, sim, config):
        self.sim, self.config = sim, config
        self.devices = []

    def receive(self, device, packet):
        flow = packet.flow
        if packet.kind == DATA:
            # ReceiveUdp: in order on a lossless way; an answer to each packet, with its mark.
            assert packet.seq == flow.expected, "lossless and in order"
            flow.expected += min(self.config.payload, flow.size - packet.seq)
            if flow.expected == flow.size:
                flow.received_at = self.sim.now
            ack = Packet(ACK, self.config.ack, flow, flow.expected)
            ack.ce = packet.ce
            device.acks.append(ack)
        else:
            # ReceiveAck
            flow.snd_una = max(flow.snd_una, packet.seq)
            if flow.snd_una >= flow.size:
                flow.complete()
            elif packet.ce:
                flow.cnp_received()
        device.dequeue_and_transmit()


class Flow:
    """RdmaQueuePair with Mellanox's version of DCQCN, as rdma-hw.cc calls it."""

    def __init__(self, sim, config, device, to, size, start):
        self.sim, self.config, self.device, self.to, self.size, self.start = sim, config, device, to, size, start
        self.snd_nxt = self.snd_una = self.expected = 0
        self.next_avail = 0
        self.received_at = self.done_at = None
        self.rate = self.target = device.rate
        self.alpha = 1.0
        self.first_cnp = True
        self.alpha_cnp = self.decrease_cnp = False
        self.stage = 0
        self.rp_timer = None

    def begin(self):
        self.next_avail = self.sim.now
        self.device.flows.append(self)
        self.device.dequeue_and_transmit()

    def next_packet(self):
        payload = min(self.config.payload, self.size - self.snd_nxt)
        packet = Packet(DATA, payload + self.config.header, self, self.snd_nxt)
        self.snd_nxt += payload
        return packet

    def complete(self):
        if self.done_at is None:
            self.done_at = self.sim.now
            cancel(self.rp_timer)

    def us(self, time):
        return round(time * 10**6)

    def cnp_received(self):
        # cnp_received_mlx
        self.alpha_cnp = self.decrease_cnp = True
        if self.first_cnp:
            self.alpha, self.alpha_cnp = 1.0, False
            self.sim.schedule(self.us(self.config.alpha_interval), self.update_alpha)
            self.sim.schedule(self.us(self.config.decrease_interval) + self.config.after_alpha_ps, self.check_rate_decrease)
            self.target = self.rate = self.config.rate_on_first_cnp * self.rate
            self.first_cnp = False

    def update_alpha(self):
        if self.done_at is not None:
            return
        g = self.config.gain
        self.alpha = (1 - g) * self.alpha + (g if self.alpha_cnp else 0)
        self.alpha_cnp = False
        self.sim.schedule(self.us(self.config.alpha_interval), self.update_alpha)

    def check_rate_decrease(self):
        if self.done_at is not None:
            return
        self.sim.schedule(self.us(self.config.decrease_interval), self.check_rate_decrease)
        if self.decrease_cnp:
            if self.config.clamp_target_rate or self.stage > 0:
                self.target = self.rate
            self.rate = max(self.config.min_rate, self.rate * (1 - self.alpha / 2))
            self.stage = 0
            self.decrease_cnp = False
            cancel(self.rp_timer)
            self.rp_timer = self.sim.schedule(self.us(self.config.rp_timer), self.rate_inc_event_timer)

    def rate_inc_event_timer(self):
        self.rp_timer = self.sim.schedule(self.us(self.config.rp_timer), self.rate_inc_event_timer)
        # Fast recovery, then one active increase, then hyper increase.
        if self.stage == self.config.fast_recovery_times:
            self.target += self.config.rate_ai
        elif self.stage > self.config.fast_recovery_times:
            self.target += self.config.rate_hai
        self.target = min(self.target, self.device.rate)
        self.rate = self.rate / 2 + self.target / 2
        self.stage += 1


class SwitchDevice(Device):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.queues = {HIGH: deque(), FLOWS: deque()}
        gbps = round(self.rate / 1e9)
        self.kmin, self.kmax = self.config.kmin[gbps], self.config.kmax[gbps]
        # SwitchMmu, by port: what came in and what goes out.
        self.headroom = int(self.rate * self.delay / 8 * 3)
        self.ingress = self.hdrm = self.egress = 0
        self.has_paused = False

    def send(self, packet, queue):
        self.queues[queue].append(packet)
        self.dequeue_and_transmit()

    def dequeue_and_transmit(self):
        if self.busy:
            return
        if self.queues[HIGH]:
            self.transmit_start(self.queues[HIGH].popleft())
        elif self.queues[FLOWS] and not self.paused:
            packet = self.queues[FLOWS].popleft()
            self.node.leaves(self, packet)
            self.transmit_start(packet)


class Switch:
    """SwitchNode and SwitchMmu."""

    def __init__(self, sim, config, rng):
        self.sim, self.config, self.random = sim, config, rng
        self.devices = []
        self.ways = {}
        self.shared_used = 0
        self.reserved = 0
        self.pauses = 0

    def threshold(self):
        return (self.config.buffer - self.reserved - self.shared_used) >> self.config.shift

    def shared_of(self, port):
        return max(0, port.ingress - self.config.reserve)

    def receive(self, port, packet):
        """SendToDev."""
        if packet.kind == ACK:
            self.ways[packet.flow.device.node].send(packet, HIGH)
            return
        out, size = self.ways[packet.flow.to], packet.bytes
        is_full = size + port.hdrm > port.headroom
        assert not (is_full and size + self.shared_of(port) > self.threshold()), "headroom full"
        # UpdateIngressAdmission
        new = port.ingress + size
        if new <= self.config.reserve:
            port.ingress = new
        elif new - self.config.reserve > self.threshold():
            port.hdrm += size
        else:
            port.ingress = new
            self.shared_used += min(size, new - self.config.reserve)
        out.egress += size
        # CheckAndSendPfc
        if not port.has_paused and (port.hdrm > 0 or self.shared_of(port) >= self.threshold()):
            port.has_paused = True
            self.pauses += 1
            port.send(Packet(PFC, self.config.pfc, pauses=True), HIGH)
        packet.in_port = port
        out.send(packet, FLOWS)

    def leaves(self, out, packet):
        """SwitchNotifyDequeue."""
        port, size = packet.in_port, packet.bytes
        from_hdrm = min(port.hdrm, size)
        from_shared = min(size - from_hdrm, self.shared_of(port))
        port.hdrm -= from_hdrm
        port.ingress -= size - from_hdrm
        self.shared_used -= from_shared
        out.egress -= size
        # ShouldSendCN: by what is left.
        config, length = self.config, out.egress
        if length > out.kmax:
            packet.ce = True
        elif length > out.kmin:
            p = config.pmax * (length - out.kmin) / (out.kmax - out.kmin)
            packet.ce |= self.random.random() < p
        # CheckAndSendResume
        if port.has_paused and port.hdrm == 0:
            used = self.shared_of(port)
            if used == 0 or used + config.resume_offset <= self.threshold():
                port.has_paused = False
                port.send(Packet(PFC, config.pfc), HIGH)


def simulate(hosts, links, flows, config, seed):
    """Flows (from, to, bytes, start in seconds) over links (a, b, bits a second, seconds) between numbered nodes, the
    hosts first: for each flow when the receiver has all of it, in seconds after its start, and how often a switch has
    stopped a sender.
    """
    sim = Simulator()
    count = 1 + max(max(a, b) for a, b, *_ in links)
    rng = random.Random(seed)
    nodes = [Host(sim, config) if n < hosts else Switch(sim, config, rng) for n in range(count)]
    neighbours = {n: [] for n in range(count)}
    for a, b, rate, delay in links:
        ends = []
        for n in (a, b):
            kind = HostDevice if n < hosts else SwitchDevice
            ends.append(kind(sim, config, nodes[n], rate, delay))
            nodes[n].devices.append(ends[-1])
        ends[0].peer, ends[1].peer = ends[1], ends[0]
        neighbours[a].append((b, ends[0]))
        neighbours[b].append((a, ends[1]))
    for to in range(hosts):
        # From the destination back: the way of each switch.
        found, queue = {to}, deque([to])
        while queue:
            node = queue.popleft()
            for other, device in neighbours[node]:
                if other >= hosts and other not in found:
                    found.add(other)
                    queue.append(other)
                    nodes[other].ways[nodes[to]] = device.peer
    for node in nodes[hosts:]:
        node.reserved = sum(device.headroom + config.reserve for device in node.devices)
    done = []
    for source, to, size, start in flows:
        flow = Flow(sim, config, nodes[source].devices[0], nodes[to], size, start)
        sim.schedule(round(start * PS), flow.begin)
        done.append(flow)
    sim.run()
    times = [flow.received_at / PS - flow.start for flow in done]
    return times, sum(node.pauses for node in nodes[hosts:])
