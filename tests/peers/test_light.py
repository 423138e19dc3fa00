"""Computes budgets, errors, bills, comparisons and explorations again from plans and catalogues
alone.
"""

import csv
import itertools
import json
import math
import random
import re
import subprocess
from collections import Counter
from decimal import Decimal
from functools import cache
from statistics import quantiles
from types import SimpleNamespace

import pytest
from light import (
    CASES,
    CATALOGUE,
    OWN,
    PAPER,
    SHEETS,
    VERDICTS,
    Light,
    number,
    padded,
    read_catalogue,
    splitter_of,
    toml,
)

pytestmark = pytest.mark.filterwarnings("error")


def ask(lightloom, command, *arguments, codes=(0,)):
    line = [lightloom, command, *map(str, arguments), "--json"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode in codes, f"{line}: exit {done.returncode}: {done.stderr}"
    return json.loads(done.stdout, parse_float=Decimal) | {"code": done.returncode}


def close(found, expected, **tolerance):
    return found is expected is None or float(found) == pytest.approx(expected, **tolerance)


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
        answer=answer, written=written, rows=rows, light=padded(rows, p, transceiver, optics, ways), cables=cables, bom=bom,
        ways=ways, count=(len(feeds), len(ways)), p=p, transceiver=transceiver, optics=optics,
        pad_at=optics.get("pad_at", "transmitter"), ask=lambda command, *more: ask(lightloom, command, path, *more),
    )  # fmt: skip


@pytest.mark.parametrize("case", ["worst", "typical", "best"])
def test_budget(planned, case):
    light, budget, verdicts = planned.light, planned.ask("budget", "--case", case), VERDICTS
    far = any(sum(way) / 1000 > light.reach for way in planned.ways.values())
    assert (budget["splitter"], bool(budget["gaps"])) == (light.name, light.gap or far)
    assert budget.get("pad") == (f"{light.pad} at the {planned.pad_at}" if light.pad else None)
    dim = any(b["rx_dbm"] is not None and b["rx_dbm"] < (light.detect or -math.inf) for b in budget["branches"])
    bright = any(b["rx_max_dbm"] is not None and b["rx_max_dbm"] > (light.damage or math.inf) for b in budget["branches"])
    assert len(budget.get("hazards", [])) == light.hazards + dim + bright
    only_class = light.pairs and "sensitivity" not in light.row and light.amplitude == math.inf
    margin_from = "channel loss of the class" if only_class else "launch power"
    assert budget["margin_from"] == ("best-case budget" if light.best_case and not light.pairs else margin_from)
    branches = {(b["from_tor"], b["to_tor"]): b for b in budget["branches"]}
    assert set(branches) == set(planned.ways) and len(branches) == len(budget["branches"])
    expected, rates_at = {pair: light.expected(*way, case) for pair, way in planned.ways.items()}, cache(light.errors)
    for pair, (levels, verdict) in expected.items():
        blinded = (levels["headroom_db"] or 0) < 0
        found, rates = branches[pair], rates_at(None if blinded else levels["margin_db"])
        assert all(close(found[f], x, rel=0, abs=1e-5) for f, x in levels.items()), (found, levels)
        found_rates = [found[f] for f in ["q", "pre_fec_ber", "frame_loss"]]
        assert all(close(a, b, rel=1e-6, abs=1e-300) for a, b in zip(found_rates, rates[:3], strict=True)), (found, rates)
        bounds = tuple(found.get(f"{f}_is_bound", False) for f in ["pre_fec_ber", "frame_loss"])
        assert bounds == rates[3:], (found, rates)
        assert found["verdict"] == verdict, (found, levels)
        check_mends(planned, found, *planned.ways[pair], case)
    count = Counter(verdict for _, verdict in expected.values())
    assert budget["count"] == {verdict: count[verdict] for verdict in verdicts}
    assert budget["verdict"] == max(count, key=verdicts.index)
    for field in ["margin_db", "headroom_db"]:
        known = [branch[field] for branch in budget["branches"] if branch[field] is not None]
        assert budget[f"worst_{field}"] == min(known, default=None)
    totals = {f: budget[f] for f in ["verdict", "worst_margin_db", "worst_headroom_db"]} | {"branches": budget["count"]}
    assessed = planned.written["light"]
    decided = {"worst": assessed["worst"], planned.optics.get("accept"): assessed.get("accepted", totals)}
    assert decided.get(case, totals) == totals and assessed == planned.answer["light"]
    assert planned.answer["code"] == (assessed.get("accepted", assessed["worst"])["verdict"] in verdicts[3:])


def check_mends(planned, found, feed, branch, case):
    """Every pad and every other transceiver that a branch is offered closes it, as it says."""
    assert not found.get("mend") or found["verdict"] in VERDICTS[3:]
    for mend in found.get("mend", []):
        assert mend.get("margin_db", 1) > 0 and (mend.get("headroom_db") is None or mend["headroom_db"] > 0)
        if mend["change"] in ("pad", "transceiver"):
            parts = planned.transceiver, mend["name"]
            if mend["change"] == "transceiver":
                parts = mend["name"], mend.get("pad")
            light = Light(planned.rows, planned.p, parts[0], planned.optics, parts[1])
            levels, verdict = light.expected(feed, branch, case)
            assert verdict in VERDICTS[:3], (mend, levels)
            for field in ["margin_db", "headroom_db"]:
                assert close(mend.get(field), levels[field], rel=0, abs=1e-5), (mend, levels)


def test_bill(planned):
    light, rows = planned.light, planned.rows
    passive = ("splitter", "housing", "cord", "pad", "splitter module")
    known = {"transceiver": light.row, "splitter": light.splitter}
    known |= {"switch port": row for row in rows["switch_port"].values() if row["rate"] == light.row["rate"]}
    sums, missing, built = {"price": [], "power": []}, Counter(), Counter()
    for line in planned.bom:
        item, quantity, name = line["item"], int(line["quantity"]), line["part"] or line["variant"]
        each = {kind: number(line[f"unit_{kind}"]) for kind in sums}
        built[item, line["stock_m"]] += quantity
        assert item not in known or each == {kind: number(known[item].get(kind)) for kind in sums}
        if item == "cord":
            cord = rows["part"]["cord"]
            beyond = max(Decimal(0), Decimal(line["stock_m"]) - number(cord["length_included"]))
            assert abs(each["price"] - number(cord["price"]) - beyond * number(cord["price_per_m"])) <= Decimal("5e-7")
        for kind, amount in each.items():
            sums[kind] += [] if amount is None else [quantity * amount]
            missing[kind, f"{item} {name}"] += quantity * (amount is None and (kind == "price" or item not in passive))
    feeds, branches = planned.count
    expected = {"transceiver": branches, "splitter": feeds, "switch port": branches}
    columns = {"splice": "splices", "coupler": "panels", "inline part": "inline", "pad": "pad"}
    for item, column in columns.items():
        expected[item] = feeds * light.fitted["feed"][item] + branches * light.fitted["branch"][item]
        named = column in ("inline", "pad")
        passed = [len([*filter(None, c[column].split("; "))]) if named else int(c[column]) for c in planned.cables]
        assert sum(passed) == expected[item]
    assert all(built.pop((item, ""), 0) == count for item, count in expected.items()) and built.pop(("housing", ""))
    assert built.pop(("splitter module", "")) > 0
    assert built == Counter(("cord", c["stock_m"]) for c in planned.cables)
    bill = planned.written["bill"]
    if light.pad:
        known["pad"] = rows["pad"][light.pad]
        assert {c["pad"] for c in planned.cables} == {"", f"{light.pad} at the {planned.pad_at}"}
    assert bill["cost_usd"] == number(bill["cost"]) == sum(sums["price"])
    assert bill["power_w"] == (sum(sums["power"]) if sums["power"] else None)
    assert {(m["value"], m["part"]): m["quantity"] for m in bill["missing"]} == +missing
    assert bill == planned.answer["bill"] == planned.ask("compare")["bill"]


@pytest.mark.parametrize(("rate", "m"), [(10, 16), (25, 32), (100, 3)])
def test_compare(lightloom, rate, m):
    rows, is_rate = read_catalogue(PAPER), lambda row: row["rate"] == f"{rate} Gb/s"
    parts = [next(filter(is_rate, rows[kind].values())) for kind in ["switch_port", "transceiver"]]
    port_price, port_power = (sum(number(part[kind]) for part in parts) for kind in ["price", "power"])
    for p, k in [(p, k) for p in range(3, 9) for k in range(1, 7) if 50 <= k * p**k <= 1024]:
        tors, n, splitter = k * p**k, k * p ** (k - 1), number(splitter_of(rows, p)[1]["price"])
        size = ["--family", "shufflecast", "--p", p, "--k", k, "--catalogue", PAPER]
        more = ["--rate", f"{rate} Gb/s", "--core-ports", m]
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


def at(quantile, low, mode, high):
    """The value of a triangular distribution at a quantile: the area below it is the quantile."""
    if high <= low:
        return mode
    if quantile <= (mode - low) / (high - low):
        return low + math.sqrt(quantile * (high - low) * (mode - low))
    return high - math.sqrt((1 - quantile) * (high - low) * (high - mode))


@pytest.mark.parametrize("planned", ["drawn", "lots"], indirect=True)
def test_monte_carlo(planned):
    """Launch powers, sensitivities and splitters come from a lot each: half of the values take its
    quantile in a draw. All other losses are drawn alone.
    """
    budget, light, draws = planned.ask("budget", "--case", "monte-carlo"), planned.light, 40_000
    random_, sent, closing = random.Random(1), {}, 1 - budget["monte_carlo"]["percentile"] / 100
    lots = {of: [random_.random() for _ in range(draws)] for of in ["launch", "sensitivity", "splitter"]}
    opened_by = {}

    def drawn(part, of=None):
        if of is None:
            return [at(random_.random(), *part) for _ in range(draws)]
        return [at(lot if random_.random() < 0.5 else random_.random(), *part) for lot in lots[of]]

    def added(lists):
        return list(map(sum, zip(*lists, strict=True)))

    least = light.average + light.own_reserve
    sensitivity = least - 2 * light.spare, least - light.spare, least
    for branch in sorted(budget["branches"], key=lambda b: (b["from_tor"], b["to_tor"])):
        source, (feed, length) = branch["from_tor"], planned.ways[branch["from_tor"], branch["to_tor"]]
        if source not in sent:
            splitter, *others = light.way("feed", feed)
            feeds = added([drawn(splitter, "splitter"), *map(drawn, others)])
            sent[source] = drawn((light.low, light.usual, light.high), "launch"), feeds
        losses = added([sent[source][1], *map(drawn, light.way("branch", length))])
        levels = [launch - loss for launch, loss in zip(sent[source][0], losses, strict=True)]
        limit, needed = light.amplitude - light.own_reserve, drawn(sensitivity, "sensitivity")
        margins = [min(a - need, limit - b) for a, b, need in zip(levels, losses, needed, strict=True)]
        opened = [a < 0 or b > light.most_light for a, b in zip(margins, levels, strict=True)]
        opened_by[source] = [a or b for a, b in zip(opened_by.get(source, opened), opened, strict=True)]
        assert close(branch["failing_share"], sum(opened) / draws, abs=0.02)
        # Both designs ask for the tenth percentile.
        (*_, loss), (weak, *_, strong), (margin, *_) = (quantiles(x, n=10) for x in (losses, levels, margins))
        levels = {"loss_db": loss, "rx_dbm": weak, "rx_max_dbm": strong, "margin_db": margin}
        levels["headroom_db"] = light.most_light - strong
        assert all(close(branch[f], x, rel=0, abs=0.1) for f, x in levels.items()), (branch, levels)
    shares = sum(not any(opened) for opened in zip(*opened_by.values(), strict=True)) / draws
    swaps = sum(map(sum, opened_by.values())) / draws
    assert close(budget["monte_carlo"]["all_close_share"], shares, abs=0.02)
    assert close(budget["monte_carlo"]["expected_swaps"], swaps, rel=0.03, abs=0.01)
    failing = [b["verdict"] == "fail" for b in budget["branches"]]
    assert abs(shares - float(closing)) > 0.03, "the test decides clearly"
    assert (budget["verdict"] == "fail") == (shares < closing or any(failing))
    # In one case most branches fail alone; in the other only the whole fabric does.
    assert any(failing) == (planned.transceiver == "own") and (shares < closing)


# A row of the table of parts in docs/validation.md, and one of its cells.
MATRIX = re.compile(r"^\| (\d+ Gb/s) \| [^|]*\(`([^`]+)`\) \| (.+) \|$", re.MULTILINE)
CELL = re.compile(r"(?:\*\*)?(\w+)(?:\*\*)? (-?[\d.]+|unknown) / (-?[\d.]+|unknown)(?:, pad (\d+) dB)?")


def test_matrix():
    """The table of parts; the longest way of that hall has some 80 m of fibre."""
    rows, seen = read_catalogue(SHEETS), set()
    for rate, name, cells in MATRIX.findall((CATALOGUE.parent / "docs" / "validation.md").read_text()):
        assert rows["transceiver"][name]["rate"] == rate
        for p, cell in zip([2, 4, 8], cells.split(" | "), strict=True):
            verdict, margin, headroom, pad = CELL.fullmatch(cell).groups()
            light = padded(rows, p, name, {}, {(0, 1): (0.0, 80.0)})
            levels, expected = light.expected(0.0, 80.0, "worst")
            assert (verdict, f"lc-{pad}db" if pad else None) == (expected, light.pad), (name, p, levels)
            known = None if margin == "unknown" else float(margin)
            assert close(known, levels["margin_db"], rel=0, abs=0.01), (name, p, levels)
            known = None if headroom == "unknown" else float(headroom)
            assert close(known, levels["headroom_db"], rel=0, abs=0.00501), (name, p, levels)
        seen.add(name)
    assert seen == {name for name, row in rows["transceiver"].items() if row.get("fibres", 1) == 1}


@pytest.mark.parametrize("tors", [24, 64, 100])
@pytest.mark.parametrize("more", [f"{PAPER} --case=best", f"{SHEETS} --case=typical", f"{SHEETS} --rank-by=margin"])
def test_explore(lightloom, tors, more):
    signs = {"cost": 1, "fibre_m": 1, "power_w": 1, "max_hops": 1, "parallel_sources": -1, "worst_margin_db": -1}
    signs |= {"cables_beyond_rows": 1, "fullest_tray_percent": 1}
    first = list(signs).index("worst_margin_db" if "margin" in more else "cost")
    found, rows = ask(lightloom, "explore", "--tors", tors, "--catalogue", *more.split()), []
    for design in found["designs"]:
        levels = design | {"cost": number(design["cost"]) if design["cost_compares"] else None}
        rows.append([math.inf if levels[f] is None else sign * levels[f] for f, sign in signs.items()])
    for row, design in zip(rows, found["designs"], strict=True):
        beaten = any(other != row and all(a <= b for a, b in zip(other, row, strict=True)) for other in rows)
        assert design["pareto"] is not beaten, design
        assert design["verdict"] in VERDICTS[:3], design
        assert all(design[side] is None or design[side] >= 0 for side in ["worst_margin_db", "worst_headroom_db"])
    assert rows and rows == sorted(rows, key=lambda row: (row[first], row))
