"""Designs whose plan folders are replayed, with the inventories and parts that they name."""

import random
from pathlib import Path

TRUNKED = {"housing": "zone", "cabling": "trunked"}
MODULES = TRUNKED | {"shuffle": "modules"}
ZONE = {"housing": "zone"}
ER = {"transceiver": "10gbase-er"}
ZR = {"transceiver": "10g-zr", "parts": "own.toml", "accept": "typical", "feed_panels": 1, "branch_splices": 2}
ZR |= {"branch_panels": 1, "feed_inline": ["filter"]}
OWN = '[inline.filter]\nsource = "test"\ndate = "2026-11"\nloss_min = "0.5 dB"\nloss_max = "1.5 dB"\n'
# Gaps between racks, units in the middle and at the bottom, racks of several heights, and names that labels escape.
RACKS = """name,row,position,unit,u_height
A-1,A,1,U40,42
A-2,A,2,,48
A:5,A,5,U20,42
=A9,A,9,,
B-1,B,1,,
B-3,B,3,,
B-4,B,4,U2,
B-30,B,30,,
F/1,C,1,,47
F-2,C,2,,47
C-7,C,7,,
C-8,C,8,,
D 1,D; d,1,,
D-2,D; d,2,,
"""
GAPS = {"hall": {"inventory": "racks.csv"}}
EXAMPLES = Path(__file__).parents[2] / "examples"
INTERFACES = {name: str(EXAMPLES / f"netbox-{name}.csv") for name in ("devices", "interfaces")}
INTERFACES |= {"inventory": str(EXAMPLES / "netbox-racks.csv"), "site": ["Harbor Hall"], "location": ["Row *"]}
BUILDING = {"inventory": str(EXAMPLES / "building-racks.csv"), "building": str(EXAMPLES / "building.toml")}
NAMED = GAPS | {"splitters": TRUNKED | {"frames": ["F/1", "F-2"]}}


def kautz(p, tors, splitters=None, **tables):
    return {"fabric": {"family": "kautz", "p": p, "tors": tors}, "splitters": splitters or {}} | tables


def shufflecast(p, k, splitters=None, **tables):
    return {"fabric": {"family": "shufflecast", "p": p, "k": k}, "splitters": splitters or {}} | tables


DESIGNS = {
    "sender": shufflecast(2, 3),
    "receiver": shufflecast(3, 2, {"housing": "receiver"}),
    "grows": shufflecast(2, 2, {"housing": "receiver"}),
    "grows-sender": shufflecast(2, 2),
    "grows-zone": shufflecast(2, 2, ZONE),
    "grows-trunked": shufflecast(2, 2, TRUNKED),
    "zone": shufflecast(4, 2, ZONE),
    "trunked": shufflecast(4, 2, TRUNKED),
    "modules": shufflecast(4, 2, MODULES),
    "crews": shufflecast(4, 3, TRUNKED, work={"crews": 5, "modules_per_shift": 9, "cords_within_row_per_shift": 31}),
    "wide": shufflecast(8, 1, TRUNKED),
    "empty-seats": kautz(4, 30, TRUNKED),
    "empty-seats-modules": kautz(4, 30, MODULES),
    "empty-seats-receiver": kautz(4, 29, {"housing": "receiver"}),
    "large-trunks": kautz(3, 100, MODULES),
    "eight": kautz(8, 121, TRUNKED),
    "eight-modules": kautz(8, 50, MODULES),
    "apc": kautz(4, 30, TRUNKED | {"polish": "apc"}, optics=ER),
    "apc-modules": kautz(4, 30, MODULES | {"polish": "apc"}, optics=ER),
    "apc-sender": kautz(4, 30, {"polish": "apc"}, optics=ER),
    "light": shufflecast(2, 2, TRUNKED, optics=ZR),
    "light-receiver": shufflecast(2, 3, {"housing": "receiver"}, optics=ZR | {"pad": "lc-1db", "pad_at": "receiver"}),
    "paper": shufflecast(4, 2, optics={"catalogue": "shufflecast-2022", "transceiver": "10g-10km", "accept": "best"}),
    "gaps": kautz(2, 12, **GAPS),
    "gaps-receiver": kautz(2, 14, {"housing": "receiver"}, **GAPS),
    "named-frames": kautz(2, 12, **NAMED),
    "named-frames-modules": kautz(2, 12, **NAMED | {"splitters": NAMED["splitters"] | {"shuffle": "modules"}}),
    "interfaces": kautz(4, 24, hall=INTERFACES),
    "interfaces-zone": kautz(4, 24, TRUNKED, hall=INTERFACES),
    "occupied": kautz(4, 24, hall=INTERFACES | {"devices": "devices.csv"}),
    "building": kautz(4, 1024, hall=BUILDING),
    "interfaces-of-a-model": kautz(4, 30, ZONE, tor={"model": "juniper-qfx5110-48s-4c"}),
    "logical": shufflecast(2, 3, tor={"logical": 4}),
    "logical-receiver": kautz(4, 30, {"housing": "receiver"}, tor={"logical": 7}),
    "logical-trunked": kautz(4, 30, TRUNKED, tor={"logical": 3, "model": "juniper-qfx5110-48s-4c"}),
    "thousand": shufflecast(4, 4, TRUNKED),
    "frames-apart": kautz(2, 12, ZONE | {"frames": ["D 1", "B-4"]}, **GAPS),
}


def drawn(seed):
    """A random design: fabric, cabling, hall, spares."""
    random_ = random.Random(f"plant {seed}")
    p = random_.choice([2, 3, 4, 8])
    splitters = random_.choice([{"housing": "sender"}, {"housing": "receiver"}, ZONE, TRUNKED, TRUNKED, MODULES])
    splitters = splitters | {"polish": random_.choice(["upc", "apc"])}
    if splitters["housing"] == "zone":
        spare = random_.choice([0, 10, 35, 100])
        splitters |= {"spare_positions_percent": spare} if "cabling" in splitters else {}
    hall = {"rack_pitch": f"{random_.choice([0.6, 0.75, 0.8])} m", "row_pitch": f"{random_.choice([2.4, 3])} m"}
    hall |= {"slack": f"{random_.choice([0, 2.5])} m", "rack_entry": f"{random_.choice([0.2, 0.45])} m"}
    hall |= {"tray_height": f"{random_.choice([1.5, 2.35, 3])} m", "fibre_diameter": "3 mm", "tray_width": "0.45 m"}
    hall |= {"racks_per_row": random_.randint(4, 20)}
    optics = {"optics": random_.choice([ER, ZR])} if random_.random() < 0.5 else {}
    tors = random_.randint(p * p, 40 + 10 * p)
    return kautz(p, tors, splitters, hall=hall, order={"spares_percent": random_.choice([0, 5, 33])}, **optics)


DESIGNS |= {f"drawn-{seed}": drawn(seed) for seed in range(12)}
