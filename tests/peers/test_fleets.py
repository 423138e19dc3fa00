"""Weights for fleets, tokens of experts, and jobs: what should go from whom to whom, counted here from the tables alone,
against what the flows of a run say that went.
"""

import csv
import json
import random
import subprocess
from collections import Counter, defaultdict

import pytest

HOSTS = 12
NETWORK = """version = 1
until = "1 s"
[network]
kind = "leaf-spine"
leaves = 3
spines = 2
hosts_per_leaf = 4
rate = "100 Gb/s"
delay = "1 us"
"""
NUMBERS = ["from", "to", "size_bytes", "received_ps", "acknowledged_ps", "completion_ps"]


def run(lightloom, folder, text):
    """The report and the flows of a scenario. Each flow knows when it was asked for."""
    (folder / "s.toml").write_text(NETWORK + text)
    done = subprocess.run(
        [lightloom, "simulate", "s.toml", "--check", "--out", "out", "--json"],
        cwd=folder, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with (folder / "out/flows.csv").open() as file:
        flows = [{name: int(row[name]) for name in NUMBERS} for row in csv.DictReader(file)]
    for flow in flows:
        flow["asked_ps"] = flow["received_ps"] - flow["completion_ps"]
    return json.loads(done.stdout), flows


def pairs(flows):
    """Bytes from each host to each other, of messages that have some."""
    sums = Counter()
    for flow in flows:
        sums[flow["from"], flow["to"]] += flow["size_bytes"]
    return {pair: size for pair, size in sums.items() if size > 0}


@pytest.mark.parametrize("seed", range(20))
def test_tokens_go_where_the_router_sends_them(lightloom, tmp_path, seed):
    """Bytes between hosts from the table alone; what comes back goes the other way."""
    chance = random.Random(seed)
    members = chance.sample(range(HOSTS), chance.randrange(2, HOSTS))
    token = chance.randrange(1, 9_000)
    rows = []
    for number in range(chance.randrange(1, 60)):
        home = chance.choice(members)
        experts = chance.sample(members, chance.randrange(1, min(4, len(members)) + 1))
        rows += [(f"t{number}", home, expert) for expert in experts]
    # One token at least goes to another host.
    rows.append(("last", members[0], members[1]))
    lines = ["token,from,to", *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "tokens.csv").write_text("\n".join(lines) + "\n")
    away = [(name, home, expert) for name, home, expert in rows if home != expert]
    expected = {pair: count * token for pair, count in Counter((a, b) for _, a, b in away).items()}
    back = {(b, a): size for (a, b), size in expected.items()}
    said = f'size = "{token} B"\nroutes = "tokens.csv"\n'
    for operation in ["dispatch", "combine"]:
        schedule = chance.choice(["concurrent", "pairwise"])
        what = f'[[collective]]\noperation = "{operation}"\nschedule = "{schedule}"\nmembers = {members}\n'
        report, flows = run(lightloom, tmp_path, what + said)
        assert pairs(flows) == (expected if operation == "dispatch" else back)
        one = report["collectives"][0]
        assert one["sent_bytes"] == sum(expected.values())
        assert one["bytes"] == len({name for name, _, _ in rows}) * token
    group = f'[[group]]\nname = "g"\nmembers = {members}\n'
    what = '[[collective]]\noperation = "dispatch"\nschedule = "multicast"\ngroup = "g"\n'
    report, flows = run(lightloom, tmp_path, group + what + said)
    one, remote = report["collectives"][0], len({name for name, _, _ in away})
    assert flows == []
    assert one["sent_bytes"] == remote * token
    assert one.get("filtered_bytes", 0) == (remote * (len(members) - 1) - len(away)) * token


@pytest.mark.parametrize("seed", range(10))
def test_servers_pull_their_shards(lightloom, tmp_path, seed):
    """Each server gets its shard from the source that its replica and shard say, after it has asked."""
    chance = random.Random(seed)
    sources, shards, layers = chance.randrange(1, 4), chance.randrange(1, 4), chance.randrange(1, 5)
    hosts = chance.sample(range(HOSTS), chance.randrange(sources + shards, HOSTS + 1))
    each = chance.randrange(1, 50_000)
    said = (
        f'size = "{each * shards * layers} B"\nsources = {hosts[:sources]}\nshards = {shards}\nlayers = {layers}\n'
        f"members = {hosts}\n"
    )
    report, flows = run(lightloom, tmp_path, f'[[collective]]\noperation = "refresh"\nschedule = "pull"\n{said}')
    expected = {}
    for number, server in enumerate(hosts[sources:]):
        source = hosts[(number // shards + number % shards) % sources]
        expected[source, server] = each * layers
    assert pairs(flows) == expected
    came = {(flow["to"], flow["from"]): flow["received_ps"] for flow in flows if flow["size_bytes"] == 0}
    sent = [flow for flow in flows if flow["size_bytes"] > 0]
    of_server = defaultdict(list)
    for flow in sent:
        assert flow["asked_ps"] >= came[flow["from"], flow["to"]]
        of_server[flow["to"]].append(flow["received_ps"])
    assert all(len(layers_of) == layers for layers_of in of_server.values())
    one = report["collectives"][0]
    assert one["first_layer"]["max_ps"] == max(min(received) for received in of_server.values())
    assert one["times"][0]["last_ps"] == max(flow["received_ps"] for flow in sent)
    assert one["times"][0]["receivers"] == len(hosts) - sources


@pytest.mark.parametrize("seed", range(20))
def test_no_host_of_a_job_runs_ahead(lightloom, tmp_path, seed):
    """Operations with random members: nothing is asked for before all is over that its host had in those before."""
    chance = random.Random(seed)
    kinds = {"broadcast": "binomial", "allreduce": "ring", "gather": "concurrent", "scatter": "binomial"}
    repeat = chance.randrange(1, 4)
    text, counts = "", []
    for _ in range(chance.randrange(2, 6)):
        operation = chance.choice(list(kinds))
        members = chance.sample(range(HOSTS), chance.randrange(2, 7))
        text += (
            f'[[collective]]\njob = "j"\noperation = "{operation}"\nschedule = "{kinds[operation]}"\n'
            f'members = {members}\nsize = "{chance.randrange(1_000, 90_000)} B"\nrepeat = {repeat}\n'
        )
        others = len(members) - 1
        counts.append(2 * others * len(members) if operation == "allreduce" else others)
    report, flows = run(lightloom, tmp_path, text)
    turns = [turn for turn, count in enumerate(counts * repeat) for _ in range(count)]
    assert len(flows) == len(turns)
    # When each host is done with the turns before.
    done, now, turn_before = Counter(), Counter(), 0
    for turn, flow in zip(turns, flows, strict=True):
        if turn > turn_before:
            done, turn_before = now.copy(), turn
        assert flow["asked_ps"] >= done[flow["from"]], (turn, flow)
        now[flow["to"]] = max(now[flow["to"]], flow["received_ps"])
        now[flow["from"]] = max(now[flow["from"]], flow["acknowledged_ps"])
    taken = []
    for number in range(repeat):
        own = [flow for turn, flow in zip(turns, flows, strict=True) if turn // len(counts) == number]
        taken.append(max(flow["received_ps"] for flow in own) - min(flow["asked_ps"] for flow in own))
    job = report["jobs"][0]
    assert (job["rounds"], job["completed"]) == (repeat, repeat)
    assert job["completion"]["max_ps"] == max(taken)
    assert job["total_ps"] == max(flow["received_ps"] for flow in flows) - min(flow["asked_ps"] for flow in flows)
