"""The light of a branch, computed from catalogues and lengths alone: kinds of power, margins, verdicts,
pads, error rates. Written from docs/model.md and the meaning of data sheets, without lightloom.
"""

import json
import math
import tomllib
from collections import Counter
from decimal import Decimal, localcontext
from functools import cache
from pathlib import Path
from statistics import NormalDist

CATALOGUE = Path(__file__).parents[2] / "catalogue"
SHEETS, PAPER = "datasheets-2026", "shufflecast-2022"


def cell(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {cell(inner)}" for key, inner in value.items()) + " }"
    return json.dumps(value)


def toml(tables):
    said = {name: "".join(f"{k} = {cell(v)}\n" for k, v in table.items()) for name, table in tables.items()}
    return "".join(f"[{name}]\n{lines}" for name, lines in said.items())


SHIPPED = tomllib.loads((CATALOGUE / f"{SHEETS}.toml").read_text())
OPTIC = SHIPPED["transceiver"]["100gbase-dr"] | {"penalty": "0.4 dB", "power": "3271 mW", "price": "412.123457 USD"}
OPTIC |= {"launch_min": "-1.25 dBm", "launch_typ": "0.5 dBm", "launch_max": "3.1 dBm", "overload": "2.5 dBm"}
OPTIC |= {"oma_minus_tdecq_min": "-1.9 dBm", "sensitivity_oma_minus_secq": "-17.6 dBm", "sensitivity": "-13.5 dBm"}
AMPLIFIER = {"loss_min": "-9 dB", "loss_typ": "-8 dB", "loss_max": "-6.5 dB", "power": "1.35 W"}
NRZ = {"rate": "25 Gb/s", "modulation": "nrz", "launch_min": "-2 dBm", "launch_max": "3 dBm", "overload": "2 dBm"}
PARTS = {"transceiver.own": OPTIC, "inline.amplifier": AMPLIFIER}
# Kinds that nothing relates: an average launch power, and a sensitivity in OMA.
PARTS["transceiver.kinds"] = NRZ | {"sensitivity_oma": "-17 dBm", "stressed_sensitivity_oma": "-15 dBm", "ber": 1e-12}
# The same with the extinction ratio, which relates them; the light may be too weak for the signal detector.
PARTS["transceiver.extinct"] = PARTS["transceiver.kinds"] | {"extinction_ratio_min": "6 dB", "signal_detect": "-10.5 dBm"}
# Pairs of average power and of amplitude, a floor, and a typical sensitivity.
PARTS["transceiver.floor"] = NRZ | {"sensitivity": "-17 dBm", "sensitivity_typ": "-18.5 dBm", "ber": 5e-5, "fec": "rs528"}
PARTS["transceiver.floor"] |= {"ber_floor": 1e-9, "oma_minus_tdp_min": "-1 dBm", "sensitivity_oma": "-15.5 dBm"}
PARTS["transceiver.floor"] |= {"receive_min": "-12 dBm", "receiver": "apd", "damage": "2.5 dBm", "penalty": "0.7 dB"}
# Only average powers, so that the draws of launch power and sensitivity decide.
PARTS["transceiver.drawn"] = NRZ | {"sensitivity": "-17 dBm", "sensitivity_typ": "-18.5 dBm", "ber": 1e-12}
# Its lanes differ by more than the receiver accepts, as soon as the splitter adds to the difference.
PARTS["transceiver.lanes"] = PARTS["transceiver.floor"] | {"lanes": 4, "lane_difference_launch": "3.9 dB"}
PARTS["transceiver.lanes"] |= {"lane_difference_receive": "4.1 dB"}
PARTS["transceiver.even-lanes"] = PARTS["transceiver.lanes"] | {"lane_difference_launch": "3.8 dB"}
PARTS["splitter.plc-1x4"] = SHIPPED["splitter"]["plc-1x4"] | {"loss_typ": "6.9 dB", "price": "17.333333 USD"}
PARTS["splitter.plc-1x4"] |= {"excess_min": "0.2 dB", "pdl_included": True, "wavelength_dependence": "0.3 dB"}
# So uneven that a lot of them shows.
PARTS["splitter.plc-1x2"] = SHIPPED["splitter"]["plc-1x2"] | {"loss_typ": "4.5 dB", "loss_max": "8.5 dB"}
PARTS["inline.filter"] = {"loss_min": "0.5 dB", "loss_max": "1.5 dB", "price": "7.700001 USD"}
PARTS["pad.coarse"] = {"attenuation": "4.2 dB", "tolerance": "0.8 dB", "price": "3.210001 USD"}
OWN = toml({name: {"source": "test", "date": "2026-11"} | row for name, row in PARTS.items()})
OURS = {"parts": "own.toml"}
LOSSY = {"feed_panels": 1, "branch_panels": 2, "branch_splices": 3, "connector": "lc-premium", "penalty": "2.3 dB"}
LOSSY |= OURS | {"feed_inline": ["filter", "amplifier"], "branch_inline": ["filter"], "ageing": "0.3 dB", "pad": "none"}
DRAWN = {"percentile": "10", "samples": 100_000, "seed": 7, "penalty": "12 dB"}
LOTS = OURS | {"percentile": "10", "samples": 100_000, "seed": 3, "penalty": "9.2 dB", "pad": "lc-1db"}
# Family, p, k or ToRs, housing, catalogue, transceiver, other keys of [optics], metres between
# racks.
CASES = {
    "mixed": ("kautz", 8, 40, "sender", SHEETS, "10g-er-cwdm", {"margin": "1.95 dB"}, 300),
    "10g-strong": ("kautz", 2, 9, "receiver", SHEETS, "10gbase-er", {"accept": "typical"}, 60),
    "10g-padded": ("kautz", 4, 12, "sender", SHEETS, "10gbase-er", {}, 0.6),
    "10g-penalty": ("kautz", 2, 12, "sender", SHEETS, "10g-l40", {"headroom": "3.5 dB"}, 0.6),
    "10g-class": ("kautz", 2, 12, "sender", SHEETS, "10gbase-lr-802-3", {"margin": "0 dB", "headroom": "0 dB"}, 0.6),
    "far": ("kautz", 2, 12, "receiver", SHEETS, "10g-zr", {"pad_at": "feed"}, 9000),
    "apd": ("kautz", 4, 12, "receiver", SHEETS, "25gbase-er", {"pad_at": "receiver"}, 60),
    "multiplex": ("shufflecast", 4, 1, "sender", SHEETS, "4wdm-40", {}, 0.6),
    "formula": ("shufflecast", 3, 2, "sender", SHEETS, "100gbase-lr4", {}, 0.6),
    "pam4": ("kautz", 2, 21, "receiver", SHEETS, "400gbase-fr4", {"connector": "lc-premium"}, 60),
    "pam4-gap": ("kautz", 2, 12, "sender", SHEETS, "100gbase-dr", {"connector": "lc-premium"}, 0.6),
    "pam4-open": ("kautz", 2, 12, "sender", SHEETS, "400g-lr4-10", {}, 0.6),
    "coherent": ("kautz", 4, 10, "sender", SHEETS, "400zr", {}, 0.6),
    "unknown": ("kautz", 4, 10, "sender", SHEETS, "kinds", OURS, 0.6),
    "extinct": ("kautz", 4, 10, "receiver", SHEETS, "extinct", OURS | {"margin": "0.1 dB"}, 60),
    "floor": ("kautz", 4, 10, "receiver", SHEETS, "floor", OURS | {"pad": "coarse", "pad_at": "receiver"}, 60),
    "lanes": ("kautz", 4, 10, "sender", SHEETS, "lanes", OURS, 0.6),
    "even-lanes": ("kautz", 4, 10, "sender", SHEETS, "even-lanes", OURS, 0.6),
    "paper": ("shufflecast", 3, 3, "receiver", PAPER, "25g-10km", {}, 0.6),
    "paper-best": ("shufflecast", 4, 1, "sender", PAPER, "10g-10km", {"accept": "best"}, 0.6),
    "own": ("shufflecast", 4, 2, "receiver", SHEETS, "own", LOSSY | {"accept": "typical"}, 60),
    "drawn": ("kautz", 4, 4, "sender", SHEETS, "own", LOSSY | DRAWN, 60),
    "lots": ("kautz", 2, 12, "sender", SHEETS, "drawn", LOTS, 60),
}
VERDICTS = ["pass", "warn", "marginal", "unknown", "fail"]


def number(text):
    """The number of a quantity. Of a price with a range, the usual one."""
    if isinstance(text, dict):
        text = text["typical"]
    value, _, unit = (text or "").partition(" ")
    return Decimal(value) / (1000 if unit == "mW" else 1) if value else None


def value(row, field, absent=None):
    return absent if row.get(field) is None else float(number(row[field]))


def spread(row):
    return value(row, "loss_min", 0.0), value(row, "loss_typ", value(row, "loss_max")), value(row, "loss_max")


@cache
def read_catalogue(name, own=False):
    files = [CATALOGUE / f"{file}.toml" for file in ("fibre", name)]
    rows = {}
    for file in files:
        rows |= tomllib.loads(file.read_text())
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
ITEMS = {"splice": "splice", "panel": "coupler", "inline": "inline part", "pad": "pad"}


def comparable(row):
    """Launch powers and sensitivities of one kind: least launch, sensitivity, penalty that is not
    yet in them, and whether they are averages. Also whether the launch power is only a lower bound.
    """
    average, amplitude, penalty = (value(row, f) for f in ["launch_min", "launch_oma_min", "penalty"])
    # A sensitivity of a sheet that does not say its kind is read as an amplitude.
    plain = value(row, "sensitivity_oma", value(row, "sensitivity_unprinted"))
    tdecq = row["modulation"] == "pam4"
    less_penalty = "oma_minus_tdecq_min" if tdecq else "oma_minus_tdp_min"
    found = [(average, value(row, "sensitivity"), penalty, True), (amplitude, plain, penalty, False)]
    found.append((value(row, less_penalty), value(row, "sensitivity_oma_minus_secq") if tdecq else plain, 0.0, False))
    found = [pair for pair in found if None not in pair[:2]]
    # The least launch power minus the channel loss of the class: only where nothing better is known.
    of_class = average, value(row, "receive_min"), 0.0, True
    found = found or [of_class] * (None not in of_class)
    if found or None in (average, row.get("extinction_ratio_min"), plain):
        return found, False
    ratio = 10 ** (value(row, "extinction_ratio_min") / 10)
    # The average is half of the sum of the two levels, the amplitude is their difference.
    amplitude = average + 10 * math.log10((ratio - 1) / ((ratio + 1) / 2))
    return [(amplitude, plain, penalty, False)], True


class Light:
    def __init__(self, rows, p, transceiver, optics, pad=None):
        self.row = row = rows["transceiver"][transceiver]
        self.name, self.splitter = splitter_of(rows, p)
        _, typical, most = spread(self.splitter)
        even = 10 * math.log10(p)
        uneven = min(even, value(self.splitter, "uniformity", 0.0))
        polarised = 0.0 if self.splitter.get("pdl_included") else value(self.splitter, "pdl", 0.0)
        feed = [(min(even + value(self.splitter, "excess_min", 0.0), typical), typical, most)]
        output = [(-uneven, 0.0, 0.0), (0.0, 0.0, polarised)]
        self.least_split = feed[0][0] - uneven
        self.parts, self.fitted, self.pad = {"feed": feed, "branch": output}, {}, pad
        connector = rows.get("connector", {}).get(optics.get("connector", "lc"))
        for side, way in self.parts.items():
            named = [("inline", name) for name in optics.get(f"{side}_inline", [])]
            for kind, name in [("splice", "fusion"), ("panel", "lc")]:
                named += [(kind, name)] * optics.get(f"{side}_{kind}s", 0)
            way += map(spread, [rows[kind][name] for kind, name in named] + [connector] * bool(connector))
            self.fitted[side] = Counter(ITEMS[kind] for kind, _ in named)
        if pad:
            side = "branch" if optics.get("pad_at") == "receiver" else "feed"
            nominal, tolerance = (value(rows["pad"][pad], field) for field in ["attenuation", "tolerance"])
            self.parts[side].append((nominal - tolerance, nominal, nominal + tolerance))
            self.fitted[side]["pad"] += 1
        fibre = rows["fibre"].get("g652d") or rows["fibre"]["smf"]
        most = value(fibre, "attenuation_max")
        self.per_km = 0.0, value(fibre, "attenuation_typ", most), most
        self.reach = value(row, "reach", math.inf) * (1 if str(row.get("reach")).endswith("km") else 0.001)
        self.own_reserve = value(optics, "penalty", 0.0) + value(optics, "ageing", 0.0)
        self.policy = value(optics, "margin", 1.0), value(optics, "headroom", 1.0)
        fields = ["launch_min", "launch_max", "damage", "best_case_budget", "signal_detect"]
        self.low, self.high, self.damage, self.best_case, self.detect = (value(row, f) for f in fields)
        self.most_light = value(row, "overload", self.damage)
        pairs, self.bound = comparable(row)
        self.pairs = [(a, b, c or 0.0, d) for a, b, c, d in pairs]
        self.by_formula = self.name.endswith("-by-formula")
        self.usual = self.low
        if self.high is not None:
            self.usual = value(row, "launch_typ", (self.low + self.high) / 2)
        # The amplitudes are compared without the average, so a loss alone decides.
        self.amplitude = min((a - b - c for a, b, c, is_average in self.pairs if not is_average), default=math.inf)
        averages = [(b, c) for _, b, c, is_average in self.pairs if is_average]
        self.average = sum(averages[0]) if averages else None
        usual = value(row, "sensitivity_typ") if "sensitivity" in row else None
        self.spare = self.average - usual - averages[0][1] if averages and usual is not None else 0.0
        lanes = [value(row, f"lane_difference_{side}") for side in ["launch", "receive"]]
        added, one = value(self.splitter, "wavelength_dependence"), row.get("lanes", 1) == 1
        apart = lanes[0] + (added or 0.0) - lanes[1] > 1e-9 if None not in lanes else False
        self.lanes_fail = not one and apart
        only_class = bool(self.pairs) and "sensitivity" not in row and self.amplitude == math.inf
        of_pam4 = {"oma_minus_tdecq_min", "sensitivity_oma_minus_secq"}
        self.gaps = {
            "level": not self.pairs or only_class or self.high is None or self.most_light is None,
            "overload": "overload" not in row and self.damage is not None,
            "amplitude": row["modulation"] == "pam4" and not of_pam4 <= row.keys(),
            "connector": not connector,
            "kind of power": "sensitivity_unprinted" in row and self.amplitude < math.inf,
            "kind": "receiver" not in row and row["modulation"] != "coherent",
            "damage": row.get("receiver") == "apd" and self.damage is None,
            # NRZ has one limit for each reflectance; PAM4 and coherent light have none over splitters.
            "reflections": row["modulation"] != "nrz" or self.reflects(rows, connector, optics),
            "formula": self.by_formula,
            "bound": self.bound,
            "lanes": not one and not apart and None in (*lanes, added),
        }
        self.gap = any(self.gaps.values())
        bypassed = None not in (self.high, self.damage) and self.high > self.damage
        unpadded = bool(bypassed and pad and self.high - self.least_split > self.damage)
        self.hazards = self.lanes_fail + bypassed + unpadded

    def reflects(self, rows, connector, optics):
        """Whether a part on the way reflects more than -26 dB, or nobody knows how much."""
        panel = [rows["panel"]["lc"]] if any(optics.get(f"{side}_panels") for side in self.parts) else []
        on_way = [self.splitter, *panel, *([connector] if connector else [])]
        return any(value(part, "reflectance", 0.0) > -26 for part in on_way)

    def way(self, side, metres):
        return [*self.parts[side], tuple(each * metres / 1000 for each in self.per_km)]

    def expected(self, feed, branch, case):
        least, typical, most = map(sum, zip(*self.way("feed", feed), *self.way("branch", branch), strict=True))
        low, high, reserve = self.low, self.high, self.own_reserve
        if case == "typical":
            least, most, low, high = typical, typical, self.usual, None if high is None else self.usual
        elif case == "best" and high is not None:
            low = high
        received = margin = strongest = headroom = None
        if self.pairs:
            received = None if low is None else low - most
            strongest = None if high is None else high - least
            if None not in (strongest, self.most_light):
                headroom = self.most_light - strongest
            limits = [self.amplitude - most]
            limits += [] if self.average is None else [low - most - self.average]
            margin = min(limits) - reserve
        elif self.best_case is not None:
            margin = self.best_case - most - value(self.row, "penalty", 0.0) - reserve
        levels = {"loss_db": most, "rx_dbm": received, "margin_db": margin, "rx_max_dbm": strongest}
        return levels | {"headroom_db": headroom}, self.verdict(levels, headroom, case, feed + branch)

    def verdict(self, levels, headroom, case, metres):
        margin, noise = levels["margin_db"], 1e-9
        if self.lanes_fail or (headroom is not None and headroom < -noise):
            return "fail"
        if margin is None:
            return "unknown"
        if margin < -noise:
            # A lower bound of the launch power refutes nothing.
            return "unknown" if self.bound else "fail"
        # The greatest launch power proves nothing about the least one, and usual losses nothing about the worst.
        if (not self.pairs and case != "best") or (self.by_formula and case in ("worst", "monte-carlo")):
            return "unknown"
        sides = zip((margin, headroom), self.policy, strict=True)
        if any(side is not None and side < policy - noise for side, policy in sides):
            return "marginal"
        dark = None not in (levels["rx_dbm"], self.detect) and levels["rx_dbm"] < self.detect
        return "warn" if self.gap or dark or metres / 1000 > self.reach else "pass"

    def errors(self, margin):
        """Q, bit errors, lost frames, and which of the last two are only bounds. A codeword has 514 symbols, and a
        frame needs one codeword more than it fills.
        """
        ber, share = self.row.get("ber"), 0.75 if self.row["modulation"] == "pam4" else 1.0
        if None in (ber, margin):
            return None, None, None, False, False
        kind = self.row.get("receiver", "coherent" if self.row["modulation"] == "coherent" else None)
        # Thermal noise: Q grows with the power. Shot noise: with its square root.
        shot = kind in ("apd", "coherent") and margin > 0
        q = -NormalDist().inv_cdf(ber / share) * 10 ** (margin / (20 if shot else 10))
        # Where a kind of part has a floor and its sheet does not print it, the part keeps its word, no more. So does
        # a part of unknown kind. Nothing is told below 1e-15.
        own = self.row.get("ber_floor") if kind else None
        floor = own or (ber if shot or self.row["modulation"] != "nrz" or not kind else 0.0)
        bound = floor < 1e-15 or own is None
        floor = max(floor, 1e-15)
        ber = share / 2 * math.erfc(q / math.sqrt(2))
        if ber <= floor:
            q, ber = -NormalDist().inv_cdf(floor / share), floor
        else:
            bound = False
        lost = float(self.lost(Decimal(ber)))
        return q, ber, max(lost, 1e-15), bound, bound or lost <= 1e-15

    def lost(self, ber):
        """The share of frames that is lost."""
        with localcontext() as context:
            context.prec = 400  # 1 - p needs up to 300 of these digits.
            right, bits = 1 - ber, Decimal(1518 * 8)
            fec = self.row.get("fec", "none")
            if fec in ("cfec", "ofec"):
                residue = Decimal("1e-15") if ber <= {"cfec": 1.25e-2, "ofec": 2e-2}[fec] else ber
                return 1 - (1 - residue) ** bits
            if fec == "none":
                return 1 - right**bits
            n, corrected = {"rs528": (528, 7), "rs544": (544, 15)}[fec]
            wrong, lost, i = 1 - right**10, Decimal(0), corrected + 1
            term = math.comb(n, i) * wrong**i * (1 - wrong) ** (n - i)
            while i <= n and (i <= n * wrong or term > lost * Decimal("1e-20")):
                lost, term, i = lost + term, term * (n - i) * wrong / (i + 1) / (1 - wrong), i + 1
            # From 200 Gb/s on two codewords alternate on the line.
            more = 2 if value(self.row, "rate") >= 200 else 1
            return 1 - (1 - min(lost, 1)) ** (bits / 5140 + more)


def padded(rows, p, transceiver, optics, ways):
    """The light with the pad that its design must have: none if all branches have the headroom of the
    policy, else the pad of the best verdict; of several that pass, the weakest; else that with the largest of
    the smallest margin and headroom. The worst case decides; where it does not close, the accepted case.
    """
    if (name := optics.get("pad", "auto")) != "auto":
        return Light(rows, p, transceiver, optics, None if name == "none" else name)
    accepted = optics.get("accept", "worst")
    verdict, light = best_pad(rows, p, transceiver, optics, ways, "worst")
    if accepted == "worst" or VERDICTS[verdict] in ("pass", "warn", "marginal"):
        return light
    return best_pad(rows, p, transceiver, optics, ways, "worst" if accepted == "monte-carlo" else accepted)[1]


def best_pad(rows, p, transceiver, optics, ways, case):
    """The verdict and the light of the best pad in a case."""
    found = []
    for pad in [None, *sorted(rows.get("pad", {}), key=lambda pad: value(rows["pad"][pad], "attenuation"))]:
        light = Light(rows, p, transceiver, optics, pad)
        expected = [light.expected(*way, case) for way in ways.values()]
        sides = [[levels[f] for levels, _ in expected if levels[f] is not None] for f in ["margin_db", "headroom_db"]]
        if pad is None and (not sides[0] or not sides[1] or min(sides[1]) >= light.policy[1] - 1e-9):
            return max(VERDICTS.index(verdict) for _, verdict in expected), light
        verdict = max(VERDICTS.index(verdict) for _, verdict in expected)
        smallest = 0.0 if verdict < VERDICTS.index("marginal") else -min(map(min, filter(None, sides)))
        found.append((verdict, round(smallest, 8), len(found), light))
    best = min(found, key=lambda one: one[:3])
    return best[0], best[3]
