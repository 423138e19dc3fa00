"""An event model of failures, returns and rollouts over light. It shares no code with the twin.

It reads `cables.csv` and `rules.json` of a plan folder and the answers of `recover`. It sends every copy of every packet
of lossy datagrams through queues, fibres and tables of switches, picosecond by picosecond, and lists what the controller
does and when (`rollout_course`). The rules of the model are those of docs/model.md.
"""

import heapq
import itertools
import math
from collections import deque
from dataclasses import dataclass

from rollout_course import GAP, HEADER, MTU, NEVER, PREAMBLE, RETH, on_wire, tables


@dataclass
class Message:
    source: int
    start: int
    size: int

    def packets(self):
        left = self.size
        while left > 0:
            yield min(left, MTU) + HEADER
            left -= MTU


@dataclass
class Setting:
    """One host a ToR, and `spines` switches between ToRs."""

    link_rate: int
    light_rate: int
    link_delay: int
    per_port: int
    drop_share: float = 1.0

    def ports(self, plan, tor, spines):
        heard = sum(tor in of for of in plan.branches.values())
        return 1 + spines + max(1, heard)

    def bound(self, plan, spines, sizes):
        """The drain that is long enough: of a hop, and of the way to a stand-in."""
        shortest = min((size - 1) % MTU + 1 for size in sizes) + HEADER
        longest = MTU + HEADER + RETH

        def wait(ports, rate):
            shared = self.per_port * ports
            queued = min(math.ceil(shared * self.drop_share / (1 + self.drop_share)), shared) + longest
            frames = queued // shortest + 2
            end = on_wire(longest + PREAMBLE, min(self.link_rate, self.light_rate))
            return on_wire(queued + 2 * longest + frames * (PREAMBLE + GAP), rate) + end

        hop = max(
            wait(self.ports(plan, tor, spines), self.light_rate) + max(plan.branches[tor].values())
            for tor in plan.tors
        )
        ports = [self.ports(plan, tor, spines) for tor in plan.tors] + [len(plan.tors)]
        way = 2 * max(wait(each, self.link_rate) + self.link_delay for each in ports)
        return hop, way


class Port:
    def __init__(self, rate, send):
        self.rate, self.send = rate, send
        self.queue, self.bytes, self.busy = deque(), 0, 0


class Switch:
    def __init__(self, size, share):
        self.size, self.share, self.used, self.ports = size, share, 0, {}


class World:
    """Runs messages over the tables of a course."""

    def __init__(self, plan, setting, done, members, incidents, spines=2):
        self.plan, self.setting, self.members = plan, setting, members
        self.limit = done.hops
        self.events, self.order = [], itertools.count()
        self.dark, self.unplugged = {}, {}
        spans = [(one.part, one.start, one.end, True) for one in incidents]
        spans += [(part, start, end, False) for part, start, end in done.latches]
        for part, start, end, is_physical in spans:
            dark, off = plan.dead(part)
            for place in dark:
                self.dark.setdefault(place, []).append((start, end))
            if off is not None and is_physical:
                self.unplugged.setdefault(off, []).append((start, end))
                if end < NEVER:
                    self.at(end, 2, self.restart, off)
        self.switches = {}
        for tor in plan.tors:
            size = setting.per_port * setting.ports(plan, tor, spines)
            switch = self.switches[tor] = Switch(size, setting.drop_share)
            switch.ports["host"] = Port(setting.link_rate, self.to_host(tor))
            switch.ports["light"] = Port(setting.light_rate, self.to_light(tor))
            switch.ports["up"] = Port(setting.link_rate, self.to_spine(tor))
        spine = self.switches["spine"] = Switch(setting.per_port * len(plan.tors), setting.drop_share)
        for tor in plan.tors:
            spine.ports[tor] = Port(setting.link_rate, self.from_spine(tor))
        self.now, self.spine_to = {}, {}
        self.got, self.twice, self.expired, self.dropped = {}, {}, 0, 0
        self.arrived = []
        self.waits = {}

    def at(self, time, rank, what, *said):
        heapq.heappush(self.events, (time, rank, next(self.order), what, said))

    def is_dark(self, a, b, now):
        spans = self.dark.get((a, None), []) + self.dark.get((a, b), [])
        return any(start <= now < end for start, end in spans)

    def is_unplugged(self, tor, now):
        return any(start <= now < end for start, end in self.unplugged.get(tor, []))

    # Ways out of switches: each is called when a frame starts.

    def to_host(self, tor):
        def send(now, packet):
            there = now + on_wire(PREAMBLE + packet[2], self.setting.link_rate) + self.setting.link_delay
            if not self.is_unplugged(tor, now):
                self.at(there, 0, self.deliver, tor, packet)

        return send

    def to_light(self, tor):
        def send(now, packet):
            sent = now + on_wire(PREAMBLE + packet[2], self.setting.light_rate)
            for to, delay in self.plan.branches[tor].items():
                if not self.is_dark(tor, to, now):
                    self.at(sent + delay, 0, self.arrive, to, tor, packet)

        return send

    def to_spine(self, tor):
        def send(now, packet):
            there = now + on_wire(PREAMBLE + packet[2], self.setting.link_rate) + self.setting.link_delay
            if not self.is_unplugged(tor, now):
                self.at(there, 0, self.arrive_at_spine, tor, packet)

        return send

    def from_spine(self, tor):
        def send(now, packet):
            there = now + on_wire(PREAMBLE + packet[2], self.setting.link_rate) + self.setting.link_delay
            if not self.is_unplugged(tor, now):
                self.at(there, 0, self.arrive, tor, "link", packet)

        return send

    # What happens.

    def submit(self, now, source, number, size):
        if not self.is_unplugged(source, now):
            there = now + on_wire(PREAMBLE + size, self.setting.link_rate) + self.setting.link_delay
            self.at(there, 0, self.arrive, source, "host", (source, number, size, 0))

    def deliver(self, now, tor, packet):
        if self.is_unplugged(tor, now):
            return
        key = (packet[0], tor)
        seen = self.got.setdefault(key, set())
        if packet[1] in seen:
            self.twice[key] = self.twice.get(key, 0) + 1
        seen.add(packet[1])

    def arrive_at_spine(self, now, tor, packet):
        if self.is_unplugged(tor, now):
            return
        to = self.spine_to.get(packet[0])
        if to is not None:
            self.hand_out(now, "spine", packet, [to])

    def arrive(self, now, tor, came_from, packet):
        source = packet[0]
        if came_from in ("link", "host"):
            if self.is_unplugged(tor, now):
                return
        elif self.is_dark(came_from, tor, now):
            return
        self.arrived.append((now, tor, came_from, packet[0], packet[1]))
        table = self.now[source]
        if tor == source:
            if came_from != "host":
                return
        elif tor in table.taking:
            if came_from != "link":
                return
        elif came_from != table.accept.get(tor, came_from):
            return
        ways = ["host"] if tor in self.members and tor != source else []
        if tor in table.relays:
            if packet[3] >= self.limit:
                self.expired += 1
            else:
                ways.append("light")
        if tor == source and table.feed is not None:
            ways.append("up")
        self.hand_out(now, tor, packet, ways)

    def hand_out(self, now, at, packet, ways):
        switch = self.switches[at]
        wait = []
        for way in ways:
            port = switch.ports[way]
            if port.busy <= now and not port.queue:
                self.start(now, at, way, self.passed(packet, way))
            else:
                wait.append(way)
        if not wait:
            return
        size = packet[2]
        fits = switch.used + size <= switch.size
        # Of several copies the body is in the buffer when the queues are judged.
        counted = switch.used + (size if len(ways) > 1 else 0)
        free = int(switch.share * max(switch.size - counted, 0))
        kept = [way for way in wait if fits and switch.ports[way].bytes <= free]
        self.dropped += len(wait) - len(kept)
        body = [len(kept)]
        switch.used += size if kept else 0
        for way in kept:
            port = switch.ports[way]
            port.queue.append((self.passed(packet, way), body))
            port.bytes += size
            if len(port.queue) == 1:
                self.at(max(port.busy, now), 1, self.serve, at, way)

    @staticmethod
    def passed(packet, way):
        return (*packet[:3], packet[3] + (way == "light"))

    def start(self, now, at, way, packet):
        port = self.switches[at].ports[way]
        port.busy = now + on_wire(PREAMBLE + packet[2] + GAP, port.rate)
        port.send(now, packet)

    def serve(self, now, at, way):
        switch = self.switches[at]
        port = switch.ports[way]
        if not port.queue or port.busy > now:
            return
        packet = self.leave(switch, port)
        self.start(now, at, way, packet)
        if port.queue:
            self.at(port.busy, 1, self.serve, at, way)

    @staticmethod
    def leave(switch, port):
        packet, body = port.queue.popleft()
        port.bytes -= packet[2]
        body[0] -= 1
        if not body[0]:
            switch.used -= packet[2]
        return packet

    def restart(self, now, tor):
        switch = self.switches[tor]
        for port in switch.ports.values():
            while port.queue:
                self.leave(switch, port)

    def change(self, now, source, table, kind):
        self.now[source] = table
        if table.feed is not None:
            self.spine_to[source] = table.feed
        if kind == "deleted":
            # The time that a packet waits in a queue of a relay when rules are deleted.
            for tor in self.plan.tors:
                port = self.switches[tor].ports["light"]
                size = port.bytes + len(port.queue) * (PREAMBLE + GAP)
                self.waits[now] = max(self.waits.get(now, 0), on_wire(size, port.rate))

    def run(self, messages, course_of, until):
        for message in messages:
            time = message.start
            for number, size in enumerate(message.packets()):
                self.at(time, 1, self.submit, message.source, number, size)
                time += on_wire(PREAMBLE + size + GAP, self.setting.link_rate)
            stages = tables(self.plan, message.source, self.members, course_of.stages)
            (_, self.now[message.source]), *later = stages
            feed = self.now[message.source].feed
            if feed is not None:
                self.spine_to[message.source] = feed
            for (at, table), stage in zip(later, course_of.stages[1:], strict=True):
                self.at(at, 2, self.change, message.source, table, stage.kind)
        while self.events and self.events[0][0] < until:
            now, _, _, what, said = heapq.heappop(self.events)
            what(now, *said)
        return self
