"""Totals computed again from bom.csv and the TOML files of the catalogue, at the lowest, the usual and the highest prices.

No code of the program is used: prices of lines come from rows of the catalogue, and sums from the lines.
"""

import csv
import itertools
import json
import subprocess
import tomllib
from decimal import ROUND_FLOOR, Decimal
from pathlib import Path

import pytest
from light import number

CATALOGUE = Path(__file__).resolve().parents[2] / "catalogue"
ENDS = ("low", "typical", "high")
PAPER, SHEETS = "shufflecast-2022", "datasheets-2026"
MICRO = Decimal("0.000001")
SHAPES = ["shufflecast 2 2", "shufflecast 2 3", "kautz 4 50", "kautz 8 30", "kautz 3 41", "kautz 16 40"]


def rows_of(name):
    """The rows of the common files and of one catalogue. A later row goes over an earlier one, field by field."""
    rows = {}
    for file in ("fibre", "switches", name):
        for section, found in tomllib.loads((CATALOGUE / f"{file}.toml").read_text()).items():
            if all(isinstance(value, dict) for value in found.values()):
                for row, fields in found.items():
                    rows.setdefault(section, {}).setdefault(row, {}).update(fields)
            else:
                rows[section] = found
    return rows


def ends(price):
    """The three amounts of a price, and whether it is assumed. None if there is none."""
    if price is None:
        return None
    if isinstance(price, str):
        return [number(price)] * 3, False
    return [number(price[end]) for end in ENDS], "assumed" in price


def times(price, factor):
    """A price times a factor, each amount to the millionth, halves up."""
    if price is None:
        return None
    amounts, assumed = price
    return [(amount * factor / MICRO + Decimal("0.5")).to_integral_value(ROUND_FLOOR) * MICRO for amount in amounts], assumed


def cord_or_trunk(rows, part, stock):
    row = rows["part"][part]
    beyond = max(Decimal(0), stock - number(row["length_included"]))
    return [ends(row["price"]), times(ends(row["price_per_m"]), beyond)]


def terms_of(rows, line):
    """The prices of which that of a line is the sum. None: unknown."""
    item, part = line["item"], line["part"]
    section = {"transceiver": "transceiver", "switch port": "switch_port", "pad": "pad", "coupler": "panel"}.get(item)
    if section:
        price = rows[section].get(part, {}).get("price")
        return None if price is None else [ends(price)]
    if item == "splitter":
        fan_out = int(line["variant"].split(",")[0].removeprefix("1:"))
        listed = {row["fan_out"]: row for row in rows["splitter"].values()}
        if fan_out in listed:
            return [ends(listed[fan_out]["price"])]
        larger = [size for size in listed if size > fan_out]
        return [(ends(listed[min(larger)]["price"])[0], True)] if larger else None
    if item in ("cord", "trunk"):
        return cord_or_trunk(rows, "cord" if item == "cord" else part, Decimal(line["stock_m"]))
    if item in ("housing", "frame", "splitter module", "panel module"):
        return [ends(rows["part"][part]["price"])]
    assert item == "splice", line
    return None


def totals(rows, bom, count):
    """The three sums over lines, how much of the usual one is assumed, and which lines have no price."""
    sums, assumed, unknown = [Decimal(0)] * 3, Decimal(0), set()
    for line in bom:
        quantity, terms = int(count(line)), terms_of(rows, line)
        if quantity == 0:
            continue
        if terms is None:
            unknown.add(line["part"])
            continue
        for at in range(3):
            each = sum(amounts[at] for amounts, _ in terms)
            sums[at] += quantity * each
        assumed += quantity * sum(amounts[1] for amounts, is_assumed in terms if is_assumed)
    return sums, assumed, unknown


def run(lightloom, *args):
    ran = subprocess.run([lightloom, *args, "--json"], capture_output=True, text=True, check=False)
    assert ran.returncode in (0, 1), (args, ran.stderr)
    return json.loads(ran.stdout)


def fabric(shape):
    family, p, size = shape.split()
    return ["--family", family, "--p", p, "--k" if family == "shufflecast" else "--tors", size]


def check(total, sums, assumed, unknown, what):
    assert [number(total["range"]["low"]), number(total["range"]["typical"])] == sums[:2], what
    assert total["range"]["high"] is None if unknown else number(total["range"]["high"]) == sums[2], what
    assert number(total["cost"]) == sums[1], what
    share = float(100 * assumed / sums[1])
    assert total["range"]["assumed_percent"] == pytest.approx(share, rel=1e-9, abs=1e-9), what
    assert {m["part"].split()[-1] for m in total["missing"] if m["value"] == "price"} == unknown, what


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("housing", ["sender", "receiver", "zone", "zone trunked"])
@pytest.mark.parametrize("optic", ["10gbase-lr", "25gbase-er", "100gbase-lr4", "400zr"])
def test_totals_of_plans(lightloom, tmp_path, shape, housing, optic):
    rows, plan = rows_of(SHEETS), tmp_path / "plan"
    place, *cabling = housing.split()
    args = ["plan", *fabric(shape), "--housing", place, "--transceiver", optic, "--out", str(plan)]
    planned = run(lightloom, *args, *(["--cabling", cabling[0]] if cabling else []))
    bom = list(csv.DictReader((plan / "bom.csv").open()))
    for line in bom:
        terms = terms_of(rows, line)
        found = [number(line[column]) for column in ("unit_low", "unit_price", "unit_high")]
        expected = [sum(amounts[at] for amounts, _ in terms) for at in range(3)] if terms else [None] * 3
        assert found == expected, line
        rank = "assumed" if any(assumed for _, assumed in terms or []) else "sourced"
        assert line["price_rank"] == (rank if terms else ""), line
    check(planned["bill"], *totals(rows, bom, lambda line: line["quantity"]), "bill")
    check(planned["to_order"], *totals(rows, bom, lambda line: line["order"]), "order")
    # The modules are those of modules.csv.
    modules = list(csv.DictReader((plan / "modules.csv").open()))
    for item, kind in [("splitter module", "splitter module"), ("housing", "shelf")]:
        ordered = sum(int(line["quantity"]) for line in bom if line["item"] == item)
        assert ordered == sum(row["kind"] == kind for row in modules), (item, housing)
    # Each assumed row that is used is told.
    told = {one["value"].split(":")[0] for one in planned["assumed"] if one["what"] == "price"}
    for line in bom:
        for _, assumed in terms_of(rows, line) or []:
            name = line["part"]
            assert not assumed or any(name in row for row in told), (line, told)


@pytest.mark.parametrize("name", [PAPER, SHEETS])
def test_ratios_over_all_corners(lightloom, name):
    """The bounds of ratios, over all choices of the lowest and the highest prices of the rows that both ways share."""
    rows = rows_of(name)
    for shape in SHAPES[:5]:
        rate = ["--rate", "100 Gb/s"] if name == PAPER else ["--transceiver", "100gbase-lr4"]
        found = run(lightloom, "compare", *fabric(shape), "--catalogue", name, *rate)
        optic, port = (found["catalogue"]["rows"][at]["name"] for at in (0, 2))
        splitter = {"item": "splitter", "variant": f"1:{found['p']}", "part": ""}
        prices = [rows["switch_port"][port]["price"], rows["transceiver"][optic]["price"]]
        prices = [ends(price)[0] for price in prices] + [(terms_of(rows, splitter) or [[None]])[0][0]]
        if prices[2] is None:
            continue
        prices.append(ends(rows["fibre_price"]["price"])[0])
        for sides in (found, found["whole_fabric"]):
            ways = {}
            for way in ("splitter_fabric", "ip_multicast", "peer_to_peer"):
                side = sides[way]
                half = 2 if side["fibre"] == "strand" else 1
                ways[way] = [side["ports"], side["transceivers"], side["splitters"], Decimal(side["fibres"]) / half]
            for way in ("ip_multicast", "peer_to_peer"):
                ratios, signs = [], set()
                for corner in itertools.product((0, 2), repeat=4):
                    chosen = [price[at] for price, at in zip(prices, corner, strict=True)]
                    one, other = (sum(n * c for n, c in zip(ways[w], chosen, strict=True)) for w in (way, "splitter_fabric"))
                    ratios.append(float(one / other))
                    signs.add((one > other) - (one < other))
                bounds = sides["ratios"][f"cost_range_{way}"]
                assert bounds["low"] == pytest.approx(min(ratios), rel=1e-9), (shape, way)
                assert bounds["high"] == pytest.approx(max(ratios), rel=1e-9), (shape, way)
                expected = {1: "this", -1: "other", 0: "neither"}[signs.pop()] if len(signs) == 1 else "open"
                assert bounds["dearer"] == expected, (shape, way)


@pytest.mark.parametrize("tors", [64, 512, 1024])
@pytest.mark.parametrize("gbps", [10, 25, 100, 400])
def test_searches_have_closed_ranges(lightloom, tors, gbps):
    """Every design of a search has a range that is closed, but those with parts of ZR."""
    found = run(lightloom, "explore", "--tors", str(tors), "--rate", f"{gbps} Gb/s")
    assert found["designs"] or gbps == 400
    for design in found["designs"]:
        unknown = {m["part"] for m in design["missing"] if m["value"] == "price"}
        assert all("zr" in part for part in unknown) and (gbps == 400 or not unknown), design
        low, typical = (number(design["cost_range"][end]) for end in ("low", "typical"))
        high = design["cost_range"]["high"]
        assert 0 < low <= typical and (high is None if unknown else typical <= number(high)), design


@pytest.mark.parametrize("design", ["hall-1024", "building-1024", "netbox-24"])
@pytest.mark.parametrize("optic", ["10gbase-er", "100gbase-lr4"])
def test_shipped_designs_have_closed_ranges(lightloom, tmp_path, design, optic):
    file = CATALOGUE.parent / "examples" / f"{design}.toml"
    more = [] if design == "netbox-24" else ["--transceiver", optic]
    planned = run(lightloom, "plan", str(file), *more, "--out", str(tmp_path / "plan"))
    for total in (planned["bill"], planned["to_order"]):
        assert not [m for m in total["missing"] if m["value"] == "price"], total["missing"]
        low, typical, high = (number(total["range"][end]) for end in ENDS)
        assert 0 < low <= typical <= high
