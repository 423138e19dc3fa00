"""Computes budgets, errors, bills, comparisons and explorations again from plans and catalogues
alone.
"""

import csv
import itertools
import json
import math
import random
import subprocess
import tomllib
from collections import Counter
from decimal import Decimal, localcontext
from functools import cache
from pathlib import Path
from statistics import NormalDist, quantiles
from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.filterwarnings("error")
CATALOGUE = Path(__file__).parents[2] / "catalogue"
SHEETS, PAPER = "datasheets-2026", "shufflecast-2022"


def toml(tables):
    said = {name: "".join(f"{k} = {json.dumps(v)}\n" for k, v in table.items()) for name, table in tables.items()}
    return "".join(f"[{name}]\n{lines}" for name, lines in said.items())


SHIPPED = tomllib.loads((CATALOGUE / f"{SHEETS}.toml").read_text())
OPTIC = SHIPPED["transceiver"]["100gbase-dr"] | {"penalty": "0.4 dB", "power": "3271 mW", "price": "412.123457 USD"}
OPTIC |= {"launch_min": "-1.25 dBm", "launch_typ": "0.5 dBm", "launch_max": "3.1 dBm", "overload": "2.5 dBm"}
OPTIC |= {"oma_minus_tdecq_min": "-1.9 dBm", "sensitivity_oma_minus_secq": "-17.6 dBm", "sensitivity": "-13.5 dBm"}
AMPLIFIER = {"loss_min": "-9 dB", "loss_typ": "-8 dB", "loss_max": "-6.5 dB", "power": "1.35 W"}
PARTS = {"transceiver.own": OPTIC, "inline.amplifier": AMPLIFIER}
PARTS["splitter.plc-1x4"] = SHIPPED["splitter"]["plc-1x4"] | {"loss_typ": "6.9 dB", "price": "17.333333 USD"}
PARTS["inline.filter"] = {"loss_min": "0.5 dB", "loss_max": "1.5 dB", "price": "7.700001 USD"}
OWN = toml({name: {"source": "test", "date": "2026-11"} | row for name, row in PARTS.items()})
LOSSY = {"feed_panels": 1, "branch_panels": 2, "branch_splices": 3, "connector": "lc-premium", "penalty": "2.3 dB"}
LOSSY |= {"parts": "own.toml", "feed_inline": ["filter", "amplifier"], "branch_inline": ["filter"], "ageing": "0.3 dB"}
DRAWN = {"percentile": "10", "samples": 100_000, "seed": 7, "penalty": "12 dB"}
# Family, p, k or ToRs, housing, catalogue, transceiver, other keys of [optics], metres between
# racks.
CASES = {
    "mixed": ("kautz", 2, 40, "sender", SHEETS, "25gbase-lr", {"comfortable_margin": "0.2 dB"}, 300),
    "10g-strong": ("kautz", 2, 9, "receiver", SHEETS, "10gbase-er", {"accept": "typical"}, 60),
    "formula": ("shufflecast", 3, 2, "sender", SHEETS, "100gbase-lr4", {}, 0.6),
    "pam4": ("kautz", 2, 21, "receiver", SHEETS, "400gbase-fr4", {"connector": "lc-premium"}, 60),
    "pam4-gap": ("kautz", 2, 12, "sender", SHEETS, "100gbase-dr", {"connector": "lc-premium"}, 0.6),
    "unknown": ("kautz", 4, 10, "sender", SHEETS, "25gbase-er", {}, 0.6),
    "paper": ("shufflecast", 3, 3, "receiver", PAPER, "25g-10km", {}, 0.6),
    "own": ("shufflecast", 4, 2, "receiver", SHEETS, "own", LOSSY | {"accept": "typical"}, 60),
    "drawn": ("kautz", 4, 4, "sender", SHEETS, "own", LOSSY | DRAWN, 60),
}


def ask(lightloom, command, *arguments, codes=(0,)):
    line = [lightloom, command, *map(str, arguments), "--json"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode in codes, f"{line}: exit {done.returncode}: {done.stderr}"
    return json.loads(done.stdout, parse_float=Decimal) | {"code": done.returncode}


def number(text):
    value, _, unit = (text or "").partition(" ")
    return Decimal(value) / (1000 if unit == "mW" else 1) if value else None


def value(row, field, absent=None):
    return absent if row.get(field) is None else float(number(row[field]))


def spread(row):
    return value(row, "loss_min", 0.0), value(row, "loss_typ", value(row, "loss_max")), value(row, "loss_max")


def close(found, expected, **tolerance):
    return found is expected is None or float(found) == pytest.approx(expected, **tolerance)


@cache
def read_catalogue(name, own=False):
    rows = tomllib.loads((CATALOGUE / "fibre.toml").read_text() + (CATALOGUE / f"{name}.toml").read_text())
    own = tomllib.loads(OWN if own else "")
    return rows | {section: rows.get(section, {}) | of_kind for section, of_kind in own.items()}


def splitter_of(rows, p):
    if listed := [(name, row) for name, row in rows["splitter"].items() if row["fan_out"] == p]:
        return listed[0]
    base, slope = (value(rows["splitter_formula"], field) for field in ["base", "per_doubling"])
    row = {"loss_max": f"{base + slope * math.log2(p)} dB"}
    larger = [other for other in rows["splitter"].values() if other["fan_out"] > p]
    if rows.get("rules", {}).get("unlisted_splitter_price") == "next-larger" and larger:
        row["price"] = min(larger, key=lambda other: other["fan_out"])["price"]
    return f"1x{p}-by-formula", row


# The names of the parts on fibres in the bill.
ITEMS = {"splice": "splice", "panel": "coupler", "inline": "inline part"}


class Light:
    def __init__(self, rows, p, transceiver, optics):
        self.row = row = rows["transceiver"][transceiver]
        self.name, self.splitter = splitter_of(rows, p)
        _, typical, most = spread(self.splitter)
        even = 10 * math.log10(p)
        uneven = min(even, value(self.splitter, "uniformity", 0.0))
        feed = [(min(even, typical), typical, most)]
        output = [(-uneven, 0.0, 0.0), (0.0, 0.0, value(self.splitter, "pdl", 0.0))]
        self.parts, self.fitted = {"feed": feed, "branch": output}, {}
        connector = rows.get("connector", {}).get(optics.get("connector", "lc"))
        for side, way in self.parts.items():
            named = [("inline", name) for name in optics.get(f"{side}_inline", [])]
            for kind, name in [("splice", "fusion"), ("panel", "lc")]:
                named += [(kind, name)] * optics.get(f"{side}_{kind}s", 0)
            way += map(spread, [rows[kind][name] for kind, name in named] + [connector] * bool(connector))
            self.fitted[side] = Counter(ITEMS[kind] for kind, _ in named)
        fibre = rows["fibre"].get("g652d") or rows["fibre"]["smf"]
        most = value(fibre, "attenuation_max")
        self.per_km = 0.0, value(fibre, "attenuation_typ", most), most
        self.reserve = sum(value(said, "penalty", 0.0) for said in (row, optics)) + value(optics, "ageing", 0.0)
        self.comfortable = value(optics, "comfortable_margin", 1.0)
        fields = ["launch_min", "launch_max", "sensitivity", "overload", "best_case_budget"]
        self.low, self.high, self.sensitivity, self.overload, self.best_case = (value(row, f) for f in fields)
        self.levels = None not in (self.low, self.high, self.sensitivity, self.overload)
        self.usual = value(row, "launch_typ", (self.low + self.high) / 2) if self.levels else None
        amplitude = [value(row, f) for f in ["oma_minus_tdecq_min", "sensitivity_oma_minus_secq"]]
        pam4 = row["modulation"] == "pam4"
        self.amplitude = amplitude[0] - amplitude[1] if pam4 and None not in amplitude else math.inf
        self.gap = not self.levels or not connector or (pam4 and None in amplitude)

    def way(self, side, metres):
        return [*self.parts[side], tuple(each * metres / 1000 for each in self.per_km)]

    def expected(self, feed, branch, case):
        least, typical, most = map(sum, zip(*self.way("feed", feed), *self.way("branch", branch), strict=True))
        low, high, limit = self.low, self.high, self.amplitude
        if case == "typical":
            least, most, low, high = typical, typical, self.usual, self.usual
        received = margin = strongest = headroom = None
        if self.levels:
            received, strongest, headroom = low - most, high - least, self.overload - high + least
            margin = min(low - self.sensitivity, limit) - most - self.reserve
        elif self.best_case is not None:
            margin = self.best_case - most - self.reserve
        fails = margin is not None and (margin < 0 or (headroom or 0) < 0)
        good = "unknown" if margin is None else "warn" if margin < self.comfortable or self.gap else "pass"
        levels = {"loss_db": most, "rx_dbm": received, "margin_db": margin, "rx_max_dbm": strongest}
        return levels | {"headroom_db": headroom}, "fail" if fails else good

    def errors(self, margin):
        """Q, bit errors, and lost frames. A codeword has 514 symbols, and a frame needs one
        codeword more than it fills.
        """
        ber, share = self.row.get("ber"), 0.75 if self.row["modulation"] == "pam4" else 1.0
        if None in (ber, margin):
            return None, None, None
        q = -NormalDist().inv_cdf(ber / share) * 10 ** (margin / 10)
        ber = share / 2 * math.erfc(q / math.sqrt(2))
        with localcontext() as context:
            context.prec = 400  # 1 - p needs up to 300 of these digits.
            right, bits = 1 - Decimal(ber), Decimal(1518 * 8)
            if "fec" not in self.row:
                return q, ber, float(1 - right**bits)
            n, corrected = {"rs528": (528, 7), "rs544": (544, 15)}[self.row["fec"]]
            wrong, lost, i = 1 - right**10, Decimal(0), corrected + 1
            term = math.comb(n, i) * wrong**i * (1 - wrong) ** (n - i)
            while i <= n and (i <= n * wrong or term > lost * Decimal("1e-20")):
                lost, term, i = lost + term, term * (n - i) * wrong / (i + 1) / (1 - wrong), i + 1
            return q, ber, float(1 - (1 - min(lost, 1)) ** (bits / 5140 + 1))


@pytest.fixture(scope="module", params=CASES)
def planned(request, lightloom, tmp_path_factory):
    family, p, size, housing, catalogue, transceiver, optics, pitch = CASES[request.param]
    folder, rows = tmp_path_factory.mktemp(request.param), read_catalogue(catalogue, "parts" in optics)
    fabric = {"family": family, "p": p, "k" if family == "shufflecast" else "tors": size}
    tables = {"fabric": fabric, "splitters": {"housing": housing}, "hall": {"rack_pitch": f"{pitch} m"}}
    tables["optics"] = {"catalogue": catalogue, "transceiver": transceiver} | optics
    (path := folder / "design.toml").write_text("version = 1\n" + toml(tables))
    (folder / "own.toml").write_text(OWN)
    answer = ask(lightloom, "plan", path, "--out", out := folder / "plan", codes=(0, 1))
    cables, bom = (list(csv.DictReader((out / f).read_text().splitlines())) for f in ["cables.csv", "bom.csv"])
    feeds = {c["from_tor"]: float(c["length_m"]) for c in cables if c["kind"] == "feed"}
    metres = {(c["from_tor"], c["to_tor"]): float(c["length_m"]) for c in cables if c["kind"] == "branch"}
    ways = {(int(source), int(to)): (feeds[source], metres[source, to]) for source, to in metres}
    assert len(cables) == len(feeds) + len(ways)
    written = json.loads((out / "plan.json").read_text(), parse_float=Decimal)["report"]
    return SimpleNamespace(
        answer=answer, written=written, rows=rows, light=Light(rows, p, transceiver, optics), cables=cables, bom=bom,
        ways=ways, count=(len(feeds), len(ways)), ask=lambda command, *more: ask(lightloom, command, path, *more),
    )  # fmt: skip


@pytest.mark.parametrize("case", ["worst", "typical"])
def test_budget(planned, case):
    light, budget, verdicts = planned.light, planned.ask("budget", "--case", case), ["pass", "warn", "unknown", "fail"]
    assert (budget["splitter"], bool(budget["gaps"])) == (light.name, light.gap)
    branches = {(b["from_tor"], b["to_tor"]): b for b in budget["branches"]}
    assert set(branches) == set(planned.ways) and len(branches) == len(budget["branches"])
    expected, rates_at = {pair: light.expected(*way, case) for pair, way in planned.ways.items()}, cache(light.errors)
    for pair, (levels, verdict) in expected.items():
        blinded = (levels["headroom_db"] or 0) < 0
        found, rates = branches[pair], rates_at(None if blinded else levels["margin_db"])
        assert all(close(found[f], x, rel=0, abs=1e-5) for f, x in levels.items()), (found, levels)
        found_rates = [found[f] for f in ["q", "pre_fec_ber", "frame_loss"]]
        assert all(close(a, b, rel=1e-6, abs=1e-300) for a, b in zip(found_rates, rates, strict=True)), (found, rates)
        assert found["verdict"] == verdict, (found, levels)
    count = Counter(verdict for _, verdict in expected.values())
    assert budget["count"] == {verdict: count[verdict] for verdict in verdicts}
    assert budget["verdict"] == max(count, key=verdicts.index)
    for field in ["margin_db", "headroom_db"]:
        known = [branch[field] for branch in budget["branches"] if branch[field] is not None]
        assert budget[f"worst_{field}"] == min(known, default=None)
    totals = {f: budget[f] for f in ["verdict", "worst_margin_db", "worst_headroom_db"]} | {"branches": budget["count"]}
    assessed = planned.written["light"]
    assert assessed.get("worst" if case == "worst" else "accepted", totals) == totals and assessed == planned.answer["light"]
    assert planned.answer["code"] == (assessed.get("accepted", assessed["worst"])["verdict"] in verdicts[2:])


def test_bill(planned):
    light, rows, passive = planned.light, planned.rows, ("splitter", "housing", "fibre")
    known = {"transceiver": light.row, "splitter": light.splitter}
    known |= {"switch port": row for row in rows["switch_port"].values() if row["rate"] == light.row["rate"]}
    sums, missing, built = {"price": [], "power": []}, Counter(), Counter()
    for line in planned.bom:
        item, quantity, name = line["item"], int(line["quantity"]), line["part"] or line["variant"]
        each = {kind: number(line[f"unit_{kind}"]) for kind in sums}
        built[line["variant"].partition(",")[0] if item == "fibre" else item, line["stock_m"]] += quantity
        assert item not in known or each == {kind: number(known[item].get(kind)) for kind in sums}
        if item == "fibre":
            half = number(rows["fibre_price"]["price"]) * Decimal(line["stock_m"]) / 100 / 2
            assert abs(each["price"] - half) <= Decimal("5e-7")
        for kind, amount in each.items():
            sums[kind] += [] if amount is None else [quantity * amount]
            missing[kind, f"{item} {name}"] += quantity * (amount is None and (kind == "price" or item not in passive))
    feeds, branches = planned.count
    expected = {"transceiver": branches, "splitter": feeds, "switch port": branches}
    for item, column in {"splice": "splices", "coupler": "panels", "inline part": "inline"}.items():
        expected[item] = feeds * light.fitted["feed"][item] + branches * light.fitted["branch"][item]
        passed = [len(list(filter(None, c[column].split("; ")))) if column == "inline" else int(c[column]) for c in planned.cables]
        assert sum(passed) == expected[item]
    assert all(built.pop((item, ""), 0) == count for item, count in expected.items()) and built.pop(("housing", ""))
    assert built == Counter((c["kind"], c["stock_m"]) for c in planned.cables)
    bill = planned.written["bill"]
    assert bill["cost_usd"] == number(bill["cost"]) == sum(sums["price"]) and bill["power_w"] == sum(sums["power"])
    assert {(m["value"], m["part"]): m["quantity"] for m in bill["missing"]} == +missing
    assert bill == planned.answer["bill"] == planned.ask("compare")["bill"]


@pytest.mark.parametrize(("rate", "m"), [(10, 16), (25, 32), (100, 3)])
def test_compare(lightloom, rate, m):
    rows, is_rate = read_catalogue(PAPER), lambda row: row["rate"] == f"{rate} Gb/s"
    parts = [next(filter(is_rate, rows[kind].values())) for kind in ["switch_port", "transceiver"]]
    port_price, port_power = (sum(number(part[kind]) for part in parts) for kind in ["price", "power"])
    for p, k in [(p, k) for p in range(3, 9) for k in range(1, 7) if 50 <= k * p**k <= 1024]:
        tors, n, splitter = k * p**k, k * p ** (k - 1), number(splitter_of(rows, p)[1]["price"])
        size, more = ["--family", "shufflecast", "--p", p, "--k", k], ["--rate", f"{rate} Gb/s", "--core-ports", m]
        found, levels = ask(lightloom, "compare", *size, *more, "--fibre-length", "70 m"), [tors]
        while levels[-1] > m:
            levels.append(-(-levels[-1] // (m - 1)))
        links, sides, pair = sum(levels), {}, number(rows["fibre_price"]["price"]) * 70 / 100
        counts = {"ip_multicast": (2 * links, 0, links, "pair"), "splitter_fabric": (tors + n, n, tors, "strand")}
        counts["peer_to_peer"] = 2 * tors, 0, 2 * tors, "pair"
        for name, (ports, splitters, fibres, kind) in counts.items():
            side, power = found[name], ports * port_power
            cost = ports * port_price + splitters * splitter + fibres * (pair if kind == "pair" else pair / 2)
            fields = [side[f] for f in ["ports", "transceivers", "splitters", "fibres", "fibre", "power_w", "missing"]]
            assert fields == [ports, ports, splitters, fibres, kind, power, []] and number(side["cost"]) == cost
            sides[name] = {"ports": ports, "power": power, "cost": cost}
        for other, what in itertools.product(["ip_multicast", "peer_to_peer"], ["ports", "power", "cost"]):
            ratio = sides[other][what] / sides["splitter_fabric"][what]
            assert close(found["ratios"][f"{what}_{other}"], float(ratio), rel=1e-12)
        assert close(found["excess_resource_percent"], 100 * (2 * links - tors) / tors, rel=1e-12)


@pytest.mark.parametrize("planned", ["drawn"], indirect=True)
def test_monte_carlo(planned):
    budget, light, draws = planned.ask("budget", "--case", "monte-carlo"), planned.light, 40_000
    random_, all_open, least, sent = random.Random(1), [False] * draws, light.sensitivity + light.reserve, {}

    def drawn(parts):
        return [sum(random_.triangular(low, high, mode) for low, mode, high in parts) for _ in range(draws)]

    for branch in sorted(budget["branches"], key=lambda b: (b["from_tor"], b["to_tor"])):
        source, (feed, length) = branch["from_tor"], planned.ways[branch["from_tor"], branch["to_tor"]]
        if source not in sent:
            sent[source] = drawn([(light.low, light.usual, light.high)]), drawn(light.way("feed", feed))
        losses = [sum(pair) for pair in zip(sent[source][1], drawn(light.way("branch", length)), strict=True)]
        levels = [launch - loss for launch, loss in zip(sent[source][0], losses, strict=True)]
        limit = light.amplitude - light.reserve
        margins = [min(a - least, limit - b) for a, b in zip(levels, losses, strict=True)]
        opened = [a < 0 or b > light.overload for a, b in zip(margins, levels, strict=True)]
        all_open = [a or b for a, b in zip(all_open, opened, strict=True)]
        assert close(branch["failing_share"], sum(opened) / draws, abs=0.02) and 0.1 < sum(opened) / draws < 0.9
        (*_, loss), (weak, *_, strong), (margin, *_) = (quantiles(x, n=10) for x in (losses, levels, margins))
        levels = {"loss_db": loss, "rx_dbm": weak, "rx_max_dbm": strong, "margin_db": margin}
        levels["headroom_db"] = light.overload - strong
        assert all(close(branch[f], x, rel=0, abs=0.05) for f, x in levels.items()), (branch, levels)
    assert close(budget["monte_carlo"]["all_close_share"], 1 - sum(all_open) / draws, abs=0.02)


@pytest.mark.parametrize("tors", [24, 64, 100])
@pytest.mark.parametrize("more", [f"{PAPER} --case=worst", f"{SHEETS} --case=typical", f"{SHEETS} --rank-by=margin"])
def test_explore(lightloom, tors, more):
    signs = {"cost": 1, "fibre_m": 1, "power_w": 1, "max_hops": 1, "parallel_sources": -1, "worst_margin_db": -1}
    found, rows = ask(lightloom, "explore", "--tors", tors, "--catalogue", *more.split()), []
    for design in found["designs"]:
        levels = design | {"cost": number(design["cost"]) if design["cost_compares"] else None}
        rows.append([math.inf if levels[f] is None else sign * levels[f] for f, sign in signs.items()])
    for row, design in zip(rows, found["designs"], strict=True):
        beaten = any(other != row and all(a <= b for a, b in zip(other, row, strict=True)) for other in rows)
        assert design["pareto"] is not beaten, design
    assert rows and rows == sorted(rows, key=lambda row: (row[-1 if "margin" in more else 0], row))
