"""What a repaired plan says of itself: its `plan.json`, `verify` and the page that is signed, against a replay of its files.

The replay reads `cables.csv` and `rules.json` and knows which parts are broken. It shares no code with the program.
"""

import itertools
import json
import math
import random
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from replay import Broken, figures
from test_repairs import FABRICS, KINDS, Bench, text

# Whole numbers as the page prints them.
SHOWN = re.compile(r'<span data-of="plan" data-at="([^"]*)">([^<]*)</span>')
SETS = 50


@pytest.fixture(scope="module")
def bench(lightloom, tmp_path_factory):
    return lambda flags: Bench(lightloom, flags, tmp_path_factory.mktemp("repaired"))


def said_of(report):
    """The figures of a report in `plan.json`, as the replay counts them."""
    proved, load = report["verification"], report["relay_load"]
    return {
        "copies": proved["copies"],
        "sources": proved["sources_checked"],
        "max_hops": report["max_hops"],
        "mean_hops": report["mean_hops"],
        "loads": (load["min"], load["mean"], load["max"]),
        "cut_off": {int(source): tors for source, tors in proved.get("cut_off", {}).items()},
    }


def close(found, replayed):
    """Whether two sets of figures are equal. Means are real numbers."""
    flat = [(found[key], replayed[key]) for key in ("mean_hops",)]
    flat.append((found["loads"][1], replayed["loads"][1]))
    same = all(math.isclose(a, b, rel_tol=1e-12) for a, b in flat)
    rest = [{**one, "mean_hops": 0, "loads": one["loads"][::2]} for one in (found, replayed)]
    return same and rest[0] == rest[1]


def wrong(bench, case):
    number, failures, more = case
    name = f"out{number}"
    folder, answer = bench.repaired(failures, name, *more)
    replayed, found = figures(folder, bench.broken(failures)), []
    pairs = sum(map(len, replayed["cut_off"].values()))
    report = json.loads((bench.folder / name / "plan.json").read_text())["report"]
    if not close(said_of(report), replayed):
        found.append(f"plan.json says {said_of(report)}, the files {replayed}")
    if said_of({**report, **report["without_failures"]}) != bench.sound:
        found.append("the figures without failures are not those of the plan without failures")
    if answer["max_hops"] != replayed["max_hops"] or answer["restored"] != (not replayed["cut_off"]):
        found.append(f"recover says {answer['max_hops']} hops, restored {answer['restored']}")

    ran = bench.ask("verify", name)
    checked = json.loads(ran.stdout)
    if checked["verification"] != report["verification"] or checked["faults"]:
        found.append(f"verify says {checked}")
    if (ran.returncode, checked["good"]) != (int(pairs > 0), pairs == 0):
        found.append(f"{pairs} pairs are cut off, and verify exits with {ran.returncode}")
    if checked["failed"] != [text(failure) for failure in failures]:
        found.append(f"verify says that {checked['failed']} failed")

    ran = bench.ask("report", name, "--out", f"{name}.html")
    page = (bench.folder / f"{name}.html").read_text(encoding="utf-8")
    if ran.returncode != int(pairs > 0):
        found.append(f"{pairs} pairs are cut off, and report exits with {ran.returncode}")
    shown = dict(SHOWN.findall(page))
    expected = {
        "/max_hops": replayed["max_hops"],
        "/verification/max_hops": replayed["max_hops"],
        "/verification/copies": replayed["copies"],
        "/relay_load/min": replayed["loads"][0],
        "/relay_load/max": replayed["loads"][2],
        "/recovery/parallel_sources": answer["parallel_sources"],
        "/without_failures/max_hops": bench.sound["max_hops"],
        "/without_failures/verification/copies": bench.sound["copies"],
        "/without_failures/relay_load/max": bench.sound["loads"][2],
        **({"/verification/pairs_cut_off": pairs} if pairs else {}),
    }
    for at, value in expected.items():
        if shown.get(at, "").replace(",", "").replace("\u202f", "") != str(value):
            found.append(f"the page says {shown.get(at)} at {at}, the files {value}")
    if ("are proved" in verdict(page)) == bool(pairs) or ("cut off" in verdict(page)) != bool(pairs):
        found.append(f"{pairs} pairs are cut off, and the page says {verdict(page)}")
    missing = [text(failure) for failure in failures if text(failure).replace(">", "&gt;") not in page]
    if missing:
        found.append(f"the page does not name {missing}")
    return [(*map(text, failures), *found)] if found else []


def verdict(page):
    """The verdict on the first page, without marks."""
    return re.sub("<[^>]*>", "", re.search(r'<p class="verdict[^>]*>(.*?)</p>', page, re.DOTALL).group(1))


def all_wrong(bench, cases):
    bench.sound = figures(bench.plan, Broken())
    with ThreadPoolExecutor(2) as threads:
        return list(itertools.chain.from_iterable(threads.map(lambda case: wrong(bench, case), cases)))


@pytest.mark.parametrize(("p", "k"), [(2, 2), (2, 3), (3, 2)])
def test_plans_around_single_failures_say_what_their_files_bring(bench, p, k):
    bench = bench(["--family", "shufflecast", "--p", str(p), "--k", str(k)])
    parts = bench.parts()
    cases = [(number, [part], ()) for number, part in enumerate(itertools.chain(*parts.values()))]
    tors = k * p**k
    assert len(cases) == 4 * tors + 2 * p * tors + k * p ** (k - 1)
    assert all_wrong(bench, cases) == []


@pytest.mark.parametrize("name", ["2,2", "2,3", "3,2", *FABRICS])
def test_plans_around_random_failures_say_what_their_files_bring(bench, name):
    p, _, k = name.partition(",")
    flags = FABRICS.get(name, ["--family", "shufflecast", "--p", p, "--k", k])
    bench = bench(flags)
    parts, random_ = bench.parts(), random.Random(name)
    cases = []
    for number in range(SETS):
        kinds = random_.choices(KINDS, k=random_.randint(2, 5))
        drawn = list(dict.fromkeys(random_.choice(parts[kind]) for kind in kinds))
        objective = random_.choice(["fewest-changes", "fewest-hops"])
        cases.append((number, drawn, ["--objective", objective]))
    assert all_wrong(bench, cases) == []
    # Among them are plans that cut pairs off, and plans that do not.
    cut = {bench.ask("verify", f"out{number}").returncode for number in range(SETS)}
    assert cut == {0, 1}


def test_sources_that_algorithm_2_gives_up_are_cut_off(bench):
    bench = bench(["--family", "shufflecast", "--p", "2", "--k", "3"])
    ran = bench.run("recover", "--failed", "relay:8", "--method", "algorithm2", "--apply", "out")
    replayed = figures(bench.read("out"), bench.broken([("relay", 8)]))
    assert replayed["cut_off"] == {8: [tor for tor in range(24) if tor != 8]}
    report = json.loads((bench.folder / "out" / "plan.json").read_text())["report"]
    assert close(said_of(report), replayed)
    # As for `recover`, such sources do not count. They are named.
    checked = bench.ask("verify", "out")
    assert (ran.returncode, checked.returncode) == (0, 0)
    assert json.loads(checked.stdout)["given_up"] == [8]
    assert bench.ask("report", "out", "--out", "out.html").returncode == 0
    page = (bench.folder / "out.html").read_text(encoding="utf-8")
    assert "given up: 23 pairs" in verdict(page)


def test_damage_to_the_folder_is_told_apart_from_pairs_that_are_cut_off(bench):
    bench = bench(["--family", "shufflecast", "--p", "3", "--k", "2"])
    folder, _ = bench.repaired([("cassette", 2)], "out")
    cut = json.loads(bench.ask("verify", "out").stdout)
    assert (cut["good"], cut["faults"], cut["verification"]["copies"]) == (False, 0, 270)
    assert figures(folder, bench.broken([("cassette", 2)]))["copies"] == 270
    rules = bench.folder / "out" / "rules.json"
    rules.write_text(rules.read_text().replace('"9":[', '"9":[17,', 1))
    ran = bench.ask("verify", "out")
    hurt = json.loads(ran.stdout)
    assert (ran.returncode, hurt["good"], hurt["verification"]) == (1, False, None)
    assert hurt["faults"] > 0
