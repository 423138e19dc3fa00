"""Scenarios from files, texts, mappings and NetworkX graphs; results in memory and in folders."""

from __future__ import annotations

import json
import pickle

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLES, with_keywords
from twins import TRAFFIC, leaf_spine

import lightloom
from lightloom import Result, Scenario, SimulationError


def test_a_scenario_says_what_it_asks_for():
    scenario = Scenario.open(EXAMPLES / "incast.toml")
    assert (scenario.hosts, scenario.switches, scenario.until_s) == (32, 8, 0.02)
    assert scenario.flows > 16 and scenario.warnings == []
    assert "leaf-spine of 32 hosts" in repr(scenario)


def test_files_texts_and_mappings_are_one():
    file = EXAMPLES / "stride.toml"
    text = file.read_text().replace("10 MB", "100 kB")
    mapping = {
        "version": 1,
        "seed": 1,
        "until": "100 ms",
        "network": {"kind": "fat-tree", "ports": 8, "rate": "100 Gb/s", "delay": "1 us"},
        "traffic": [{"pattern": "stride", "size": "100 kB"}],
    }
    one, other = Scenario(text).run(), Scenario(mapping).run()
    assert np.array_equal(one.fct_s, other.fct_s)
    assert one.report["flows"] == other.report["flows"]
    assert Scenario(mapping) == Scenario(mapping) != Scenario(text)


def test_results():
    result = Scenario(TRAFFIC, network=leaf_spine()).run()
    assert result.end == "done" and result.finished and not result.several
    assert result.fct_s.shape == (3,) == result.slowdown.shape
    assert result.fct_s.dtype == result.goodput_bps.dtype == np.float64
    assert (result.slowdown >= 1).all()
    flows = result.flows()
    assert np.allclose(flows["completion_ps"].to_numpy(float) / 1e12, result.fct_s)
    assert flows["from"].dtype == np.uint32 and flows["size_bytes"].tolist() == [100_000] * 3
    throughput = result.throughput()
    assert throughput["bytes"].sum() == 300_000
    assert np.array_equal(throughput["goodput_bps"], result.goodput_bps)
    assert len(result.time_s) == len(result.goodput_bps)
    links = result.links()
    assert len(links) == 2 * 8 and set(links["from_name"]) == set(leaf_spine())
    assert result.arrow("flows").to_pandas()["slowdown"].tolist() == result.slowdown.tolist()
    assert {file["name"] for file in result.manifest["files"]} >= {"<scenario>", "<graph links>"}
    with pytest.raises(SimulationError, match="one run"):
        result.replicas()
    with pytest.raises(SimulationError, match="expected one of flows, throughput"):
        result.arrow("links")


def test_several_runs(tmp_path):
    scenario = Scenario.open(EXAMPLES / "incast.toml")
    result = scenario.run(seeds=3, threads=2, out=tmp_path / "runs")
    assert result.several and result.finished and result.end == "done"
    assert result.replicas()["seed"].tolist() == [1, 2, 3]
    assert Result.open(tmp_path / "runs") == result
    with pytest.raises(SimulationError, match="several runs"):
        result.flows()
    assert "3 runs" in repr(result)


GROUP = {
    "version": 1,
    "until": "10 ms",
    "probes": {"copies": True},
    "group": [{"name": "all", "members": "all"}],
    "multicast": [{"group": "all", "from": 0, "size": "100 kB"}],
}


def test_goodput_and_endings_of_groups(tmp_path):
    probes = {"interval": "10 us", "groups": True, "receivers": True}
    result = Scenario(GROUP | {"probes": probes}, network=leaf_spine()).run(out=tmp_path / "one")
    goodput, groups = result.report["goodput"], result.report["to_groups"]
    assert goodput["flows"] is None and goodput["groups"] == goodput["all"]
    message = result.multicasts[0]
    assert goodput["all"]["bytes"] == message["bytes"] * message["receivers"]
    assert f"{groups['completed']} of 1 messages to groups completed" in repr(result)
    series = result.group_throughput()
    assert series["bytes"].sum() == goodput["all"]["bytes"]
    by_receiver = result.group_throughput(receivers=True)
    assert by_receiver.groupby("to")["bytes"].sum().eq(message["bytes"]).all()
    opened = Result.open(tmp_path / "one")
    assert opened.group_throughput().equals(series)
    assert opened.group_throughput(receivers=True).equals(by_receiver)
    refused = Scenario(GROUP | {"parameters": {"groups": {"fan_out": 1}}}, network=leaf_spine())
    result = refused.run()
    assert result.end == "failed" and not result.finished
    assert result.report["end"]["failures"][0]["cause"] == "fan-out"
    assert repr(result).endswith("no goodput>")


def test_groups_by_link_and_over_seeds(tmp_path):
    scenario = Scenario(GROUP, network=leaf_spine())
    result = scenario.run(out=tmp_path / "one")
    (message,) = result.multicasts
    copies = result.copies()
    assert copies["copies"].sum() == message["copies"]["links"] and copies["splitter"].isna().all()
    # 25 packets over four links of hosts and two to and from a spine.
    assert copies["copies"].tolist() == [25] * 6 and message["copies"]["unicasts"] == 25 * (2 + 8)
    assert message["copies"]["saved"] == pytest.approx(1 - 6 / 10)
    assert result.arrow("copies").to_pandas()["copies"].tolist() == copies["copies"].tolist()
    receivers = result.receivers()
    assert result.arrow("receivers").num_rows == len(receivers) == 3
    assert receivers["delivered"].tolist() == [25] * 3 and receivers["completion_ps"].min() > 0
    assert Result.open(tmp_path / "one") == result
    with pytest.raises(SimulationError, match="one run"):
        result.messages()
    several = scenario.run(seeds=2)
    messages = several.messages()
    assert messages["seed"].tolist() == [1, 2] and messages["completed"].tolist() == [3, 3]
    assert several.arrow("messages").to_pandas()["last_ps"].tolist() == messages["last_ps"].tolist()
    (over,) = several.multicasts
    assert over["last_ps"]["mean"] == messages["last_ps"].mean() and over["completed"] == 2


def test_flows_that_do_not_complete_are_nan():
    scenario = Scenario({**TRAFFIC, "until": "10 us"}, network=leaf_spine())
    result = scenario.run()
    assert result.end == "time" and np.isnan(result.fct_s).all() and np.isnan(result.slowdown).all()
    assert result.flows()["completion_ps"].isna().all()


def test_a_deadlock_beside_a_region_that_gets_on_is_no_good_end():
    graph = nx.Graph()
    flows = [{"from": "x0", "to": "x1", "size": "1 GB"}]
    for i in range(5):
        graph.add_edge(f"s{i}", f"s{(i + 1) % 5}", rate_bps=100e9, delay_s=1e-6)
        for host in "gh":
            graph.add_edge(f"{host}{i}", f"s{i}", rate_bps=100e9, delay_s=1e-6)
            flows.append({"from": f"{host}{i}", "to": f"{host}{(i + 2) % 5}", "size": "4 MB"})
    for node in ("s0", "x0", "x1"):
        graph.add_edge("s5", node, rate_bps=100e9, delay_s=1e-6)
    for node in graph:
        graph.nodes[node]["kind"] = "switch" if node.startswith("s") else "host"
    off = {"enabled": False}
    parameters = {"switch": {"buffer_per_port": "20 kB"}, "ecn": off, "dcqcn": off}
    asked = {"version": 1, "until": "1 ms", "parameters": parameters, "flow": flows}
    result = Scenario(asked, network=graph).run()
    assert result.end == "deadlock" and not result.finished
    (ring,) = result.report["end"]["rings"]
    assert [port["node"] for port in ring["ports"]] == [f"s{i}" for i in range(5)]


def test_saved_results_pickles_and_equality(tmp_path):
    scenario = Scenario(TRAFFIC, network=leaf_spine())
    result = scenario.run(out=tmp_path / "first")
    result.save(tmp_path / "second")
    opened = Result.open(tmp_path / "second")
    assert opened == result == Result.open(tmp_path / "first")
    assert opened.flows().equals(result.flows())
    assert pickle.loads(pickle.dumps(result)) == result
    again = pickle.loads(pickle.dumps(scenario))
    assert again == scenario and again.run() == result
    assert scenario.run(threads=2) == result
    assert scenario.run(seed=5) != result


def test_a_scenario_of_files_travels(tmp_path):
    (tmp_path / "links.csv").write_text("a,b,rate,delay\nx,s,1 Gb/s,1 us\ny,s,1 Gb/s,1 us\n")
    text = '[[flow]]\nfrom = 0\nto = 1\nsize = "1 MB"\n'
    head = 'version = 1\nuntil = "1 s"\n[network]\nkind = "edge-list"\nfile = "links.csv"\n'
    (tmp_path / "s.toml").write_text(head + text)
    scenario = Scenario.open(tmp_path / "s.toml")
    pickled, result = pickle.dumps(scenario), scenario.run()
    for file in tmp_path.iterdir():
        file.unlink()
    assert pickle.loads(pickled).run() == result == scenario.run()


def test_a_trace(tmp_path):
    result = Scenario(TRAFFIC, network=leaf_spine()).run(trace=tmp_path / "trace")
    trace = pd.read_csv(tmp_path / "trace")
    assert list(trace) == ["time_ps", "node", "port", "kind", "flow", "psn", "bytes", "ecn", "fate"]
    assert isinstance(trace.index, pd.RangeIndex) and trace.node.dtype == trace.time_ps.dtype == int
    assert set(trace.kind) <= {"data", "ack", "nack", "cnp", "pause"}
    data = trace[(trace.kind == "data") & (trace.node == 0)]
    assert set(data.flow) == {0, 1, 2} and data.bytes.sum() > 300_000
    # The bytes that a link sent equal the bytes that its end received in the trace.
    sent = result.links().groupby("to").sent_bytes.sum()
    assert sent[sent > 0].to_dict() == trace.groupby("node").bytes.sum().to_dict()


def test_a_capture(tmp_path):
    scenario = Scenario(TRAFFIC, network=leaf_spine())
    link = "h00<>leaf 0"
    result = scenario.run(trace=tmp_path / "trace", pcap={tmp_path / "host:0.pcapng": link})
    content = (tmp_path / "host:0.pcapng").read_bytes()
    assert content[:4] == bytes([0x0A, 0x0D, 0x0D, 0x0A])
    links = result.links()
    of_host = links[(links["from"] == 0) | (links["to"] == 0)]
    assert len(content) > of_host.sent_bytes.sum() > 300_000
    assert link.replace("<", "").encode() in content


def test_tables_are_read_by_pandas_as_they_are(tmp_path):
    asked = {**TRAFFIC, "probes": {"flows": True}}
    scenario = Scenario(asked, network=leaf_spine())
    result = scenario.run(out=tmp_path / "one")
    scenario.run(seeds=2, out=tmp_path / "several")
    tables = {path.name: pd.read_csv(path) for path in tmp_path.glob("*/*.csv")}
    assert len(tables) == 5
    for name, table in tables.items():
        assert isinstance(table.index, pd.RangeIndex) and len(table) > 0, name
        assert all(column.replace("_", "").isalnum() for column in table), name
        assert not table.columns.str.startswith("Unnamed").any(), name
    flows, links = result.flows(), result.links()
    for ours, read in [(flows, tables["flows.csv"]), (links, tables["links.csv"])]:
        assert list(ours) == list(read)
        for column in ours:
            assert ours[column].astype(str).tolist() == read[column].astype(str).tolist() or (
                column == "slowdown"
            )
    names = dict(zip(links["from"], links.from_name, strict=True))
    for end in ("from", "to"):
        assert flows[f"{end}_name"].tolist() == [names[host] for host in flows[end]]


def test_a_missing_file_is_told_at_the_field_that_names_it(tmp_path, cli):
    text = (EXAMPLES / "stride.toml").read_text().replace('size = "10 MB"', 'sizes = "none"')
    (tmp_path / "s.toml").write_text(text)
    printed = cli("simulate", tmp_path / "s.toml", refused=True)
    with pytest.raises(SimulationError) as caught:
        Scenario.open(tmp_path / "s.toml")
    assert str(caught.value) == printed
    line = text.splitlines().index('sizes = "none"') + 1
    assert (caught.value.line, caught.value.field) == (line, "traffic.sizes")
    with pytest.raises(SimulationError, match=r"did you mean \[\[flow\]\]\?"):
        Scenario({**TRAFFIC, "flows": []}, network=leaf_spine())


def test_wrong_scenarios(tmp_path, cli):
    wrong = [
        "",
        "version = 1",
        "version = 2",
        "nonsense",
        "version = 1\nuntil = 3",
        'version = 1\nuntil = "1 s"\n[network]\nkind = "fat-tree"\nports = 10000000000\n',
        'version = 1\nuntil = "1 s"\n[network]\nkind = "fat-tree"\nports = 4\nrate = "-1 Gb/s"\n',
        'version = 1\nuntil = "1 s"\nwhat = 1\n',
    ]
    for text in wrong:
        file = tmp_path / "s.toml"
        file.write_text(text)
        printed = cli("simulate", file, refused=True)
        with pytest.raises(SimulationError) as caught:
            Scenario.open(file)
        assert str(caught.value) == printed and caught.value.file == str(file)
        with pytest.raises(SimulationError) as caught:
            Scenario(text)
        assert str(caught.value) == printed.replace(str(file), "<scenario>")
    for value in (3, None, b"version = 1", ["version"]):
        with pytest.raises(SimulationError, match="expected the text of a scenario"):
            Scenario(value)
    for value in ({1: 2}, {"a": object()}, {"a": {2, 3}}):
        with pytest.raises(SimulationError):
            Scenario({**TRAFFIC, **value}, network=leaf_spine())
    with pytest.raises(SimulationError, match="given together"):
        Scenario({**TRAFFIC, "network": {}}, network=leaf_spine())
    with pytest.raises(SimulationError, match="expected a NetworkX graph"):
        Scenario(TRAFFIC, network={"a": "b"})


def test_a_wrong_mapping_is_refused_at_its_place():
    flow = {"from": 0, "to": 1, "size": "100 kB"}
    places = [
        ({"flow": [flow, flow | {"to": 99}]}, "flow[1].to", "found 99; name a host by its number"),
        ({"flow": [flow | {"size": 3}]}, "flow[0].size", "found 3 without a unit"),
        ({"flow": [flow | {"what": 3}]}, "flow[0].what", "unknown field"),
        ({"flow": {}}, "flow", "found a table; expected a list of tables"),
        ({"until": 3}, "until", "found 3 without a unit"),
        ({"parameters": {"ecn": {"pmax": np.float32(2)}}}, "parameters.ecn.pmax", "found 2; "),
        ({"probes": {"flows": 1}}, "probes.flows", "found an integer; expected true or false"),
    ]
    for said, field, message in places:
        with pytest.raises(SimulationError) as caught:
            Scenario({**TRAFFIC, **said}, network=leaf_spine())
        error = caught.value
        assert str(error).startswith(f"<scenario>: {field}: {message}"), error
        assert (error.file, error.line, error.field) == ("<scenario>", None, field)
    for text in ("lone \ud800", {"a": "lone \ud800"}):
        with pytest.raises(SimulationError, match="not Unicode"):
            Scenario({**TRAFFIC, "network": text})


def test_a_mapping_is_read_once():
    mapping = {**TRAFFIC, "traffic": [dict(row) for row in TRAFFIC["traffic"]], "seed": None}
    scenario = Scenario(mapping, network=leaf_spine())
    mapping["traffic"].clear()
    again = pickle.loads(pickle.dumps(scenario))
    assert scenario.flows == again.flows == 3 and hash(again) == hash(scenario)
    assert again.run() == scenario.run()
    numbers = {**TRAFFIC, "seed": np.int64(1), "traffic": tuple(TRAFFIC["traffic"])}
    result = Scenario(numbers, network=leaf_spine()).run()
    assert result.fct_s.tolist() == scenario.run().fct_s.tolist()


def test_wrong_options(tmp_path, cli):
    scenario = Scenario(TRAFFIC, network=leaf_spine())
    file = EXAMPLES / "incast.toml"
    for name, value in [("threads", 1000), ("seeds", 0), ("seeds", 100_000)]:
        printed = cli("simulate", file, f"--{name}", value, refused=True)
        with pytest.raises(SimulationError) as caught:
            scenario.run(**{name: value})
        assert str(caught.value) == with_keywords(printed) and caught.value.field == name
    printed = cli("simulate", file, "--seeds", 2, "--trace", tmp_path / "t", refused=True)
    with pytest.raises(SimulationError) as caught:
        scenario.run(seeds=2, trace=tmp_path / "t")
    assert str(caught.value) == with_keywords(printed)
    printed = cli("simulate", file, "--pcap", f"{tmp_path / 'p'}:0>leaf 3", refused=True)
    with pytest.raises(SimulationError) as caught:
        Scenario.open(file).run(pcap={tmp_path / "p": "0>leaf 3"})
    assert str(caught.value) == with_keywords(printed)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    for out in (tmp_path / "full", "/proc/nothing/here", file):
        printed = cli("simulate", file, "--out", out, refused=True)
        with pytest.raises(SimulationError) as caught:
            scenario.run(out=out)
        assert str(caught.value) == with_keywords(printed)
    with pytest.raises(SimulationError):
        Result.open(tmp_path)
    for junk in (b"", b"ARROW1", b"ARROW1\0\0" + bytes(range(256)) * 9 + b"ARROW1"):
        (tmp_path / "r").mkdir(exist_ok=True)
        for name in ("flows.csv", "throughput.csv", "links.csv", "throughput.arrow"):
            (tmp_path / "r" / name).write_bytes(b"")
        (tmp_path / "r" / "report.json").write_text("{}")
        (tmp_path / "r" / "flows.arrow").write_bytes(junk)
        with pytest.raises(SimulationError):
            _ = Result.open(tmp_path / "r").fct_s


def test_flows_are_recorded_over_time(tmp_path):
    asked = {**TRAFFIC, "probes": {"interval": "1 us", "flows": True}}
    result = Scenario(asked, network=leaf_spine()).run(out=tmp_path / "out")
    assert result.records_flows and Result.open(tmp_path / "out") == result
    series = result.throughput(flows=True)
    assert series.groupby("flow").bytes.sum().tolist() == [100_000] * 3
    by_time = series.groupby("start_ps").bytes.sum()
    whole = result.throughput().set_index("start_ps").bytes
    assert by_time.to_dict() == whole[whole > 0].to_dict()
    silent = Scenario(TRAFFIC, network=leaf_spine()).run()
    assert not silent.records_flows
    with pytest.raises(SimulationError, match=r"flow-throughput\.arrow"):
        silent.throughput(flows=True)


def test_a_scenario_over_a_fabric_is_that_over_its_design_file(tmp_path):
    design = 'version = 1\n[fabric]\nfamily = "kautz"\np = 2\ntors = 12\n'
    (tmp_path / "design.toml").write_text(design)
    network = {"hosts_per_tor": 2, "spines": 2, "rate": "100 Gb/s", "length": "3 m"}
    said = {
        "version": 1,
        "seed": 3,
        "until": "1 ms",
        "traffic": [{"pattern": "permutation", "size": "64 kB"}],
    }
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in network.items())
    text = (
        'version = 1\nseed = 3\nuntil = "1 ms"\n[network]\nkind = "design"\nfile = "design.toml"\n'
        f'{lines}[[traffic]]\npattern = "permutation"\nsize = "64 kB"\n'
    )
    (tmp_path / "run.toml").write_text(text)
    from_file = Scenario.open(tmp_path / "run.toml").run()
    fabric = lightloom.Fabric(family="kautz", p=2, tors=12)
    over = Scenario({**said, "network": network}, network=fabric)
    result = over.run()
    for table in ("flows", "throughput"):
        assert result._files[f"{table}.csv"] == from_file._files[f"{table}.csv"]
    assert result.report["flows"] == from_file.report["flows"]
    assert pickle.loads(pickle.dumps(over)) == over
    assert over.hosts == 24
    # The fabric of a plan that was read back serves as well.
    plan = fabric.plan(tmp_path / "plan")
    again = Scenario({**said, "network": network}, network=lightloom.Plan.open(plan.folder).fabric)
    assert again.run().report["flows"] == result.report["flows"]


def test_a_fabric_and_a_file_are_one_too_many():
    fabric = lightloom.Fabric(p=2, k=2)
    for said in ({"kind": "leaf-spine"}, {"file": "design.toml"}):
        with pytest.raises(SimulationError, match="is given together with network") as refused:
            Scenario({"version": 1, "until": "1 ms", "network": said}, network=fabric)
        assert refused.value.field is None or "network" in refused.value.field
