"""Outages by failure rates against a search of our own over every one and every two parts.

A pair of ToRs is out if no way over live parts leads from the source to the other ToR. A source whose transmitter is
dead hands its packets to the ToR that reaches most others. The fabric is made from the paper's formula; what is said
comes from `lightloom risk --json`.
"""

import itertools
import json
import math
import subprocess

import pytest

HOURS = 8766.0
RATES = {
    "tor": (3000.0, 4.0),
    "transceiver": (500.0, 2.0),
    "splitter": (20.0, 6.0),
    "fibre": (50.0, 8.0),
}


class Fabric:
    """A p,k-Shufflecast: ToR (c, r) feeds ((c+1) mod k, [r_{k-2} ... r_0 m])."""

    def __init__(self, p, k):
        self.p, self.rows = p, p**k
        self.tors = range(k * self.rows)
        self.feeds = {
            tor: [
                (tor // self.rows + 1) % k * self.rows + tor % self.rows * p % self.rows + m
                for m in range(p)
            ]
            for tor in self.tors
        }

    def parts(self):
        """Kind, dead transmitters, ToRs without power and dead branches of every part."""
        for tor in self.tors:
            yield "tor", {tor}, {tor}, set()
            for port in range(self.p):
                # A port hears the relay with this highest digit; port 0 transmits too.
                heard = [
                    other
                    for other in self.tors
                    if tor in self.feeds[other]
                    and other % self.rows // (self.rows // self.p) == port
                ]
                assert len(heard) == 1
                yield "transceiver", {tor} if port == 0 else set(), set(), {(heard[0], tor)}
            yield "splitter", {tor}, set(), set()
            yield "fibre", {tor}, set(), set()
            for to in self.feeds[tor]:
                yield "fibre", set(), set(), {(tor, to)}

    def out(self, mute, dark, cut):
        """Pairs without a way."""
        lit = {}
        for source in self.tors:
            if source in mute:
                continue
            reached, open_ = set(), [source]
            while open_:
                tor = open_.pop()
                for to in self.feeds[tor]:
                    if to in dark or (tor, to) in cut or to in reached:
                        continue
                    reached.add(to)
                    if to not in mute and to != source:
                        open_.append(to)
            lit[source] = reached
        count = 0
        for source in self.tors:
            others = {tor for tor in self.tors if tor != source}
            if source in dark:
                count += len(others)
                continue
            if source in lit:
                got = lit[source]
            else:
                stand_ins = (reached | {tor} for tor, reached in lit.items() if tor not in dark)
                got = max(stand_ins, key=lambda reached: len(reached - {source}), default=set())
            count += len(others - got)
        return count


@pytest.mark.parametrize(("p", "k"), [(2, 2), (3, 2)])
def test_every_one_and_every_two_parts(lightloom, p, k, tmp_path):
    rows = [
        f'[{kind}]\nrate = "{rate} FIT"\nrepair = "{repair} h"\nsource = "test"\ndate = "2026-11"\n'
        for kind, (rate, repair) in RATES.items()
    ]
    file = tmp_path / "rates.toml"
    file.write_text("".join(rows))
    command = [lightloom, "risk", "--p", str(p), "--k", str(k), "--rates", file, "--json"]
    said = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["outages"]
    fabric = Fabric(p, k)
    parts = list(fabric.parts())
    rate = {kind: fit * 1e-9 / (1 + fit * 1e-9 * hours) for kind, (fit, hours) in RATES.items()}
    down = {kind: rate[kind] * hours for kind, (_, hours) in RATES.items()}
    alone = [fabric.out(*part[1:]) for part in parts]
    single = said["known"]["single"]

    def close(found, expected):
        assert math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12), (found, expected)

    close(single["failures_per_year"], HOURS * sum(rate[part[0]] for part in parts))
    after = zip(parts, alone, strict=True)
    close(single["after_recovery_per_year"], HOURS * sum(rate[p[0]] * out for p, out in after))
    after = zip(parts, alone, strict=True)
    hours = HOURS * sum(down[part[0]] * out for part, out in after)
    close(single["pair_hours_per_year"], hours)
    double = said["known"]["double"]
    assert double["exhaustive"] and double["pairs"] == math.comb(len(parts), 2)
    outages = more = 0.0
    for (a, out_a), (b, out_b) in itertools.combinations(zip(parts, alone, strict=True), 2):
        both = fabric.out(a[1] | b[1], a[2] | b[2], a[3] | b[3]) - out_a - out_b
        outages += (rate[a[0]] * down[b[0]] + rate[b[0]] * down[a[0]]) * both
        more += down[a[0]] * down[b[0]] * both
    close(double["outages_per_year"]["value"], HOURS * outages)
    close(double["pair_hours_per_year"]["value"], HOURS * more)
    pairs = len(fabric.tors) * (len(fabric.tors) - 1)
    close(said["known"]["unavailability"], (hours + HOURS * more) / HOURS / pairs)
    # Of a relay: its ToR, its transmitting transceiver, its splitter and its feed.
    relay = 1 - math.prod(1 - down[kind] for kind in RATES)
    sets = k * p ** (k - 1)
    close(said["mirrors"]["at_a_time"], -math.expm1(sets * math.log1p(-(relay**p))))
