"""Scenarios whose flows a file lists."""

from __future__ import annotations

import pickle

import pandas as pd
import pytest
from conftest import EXAMPLES

from lightloom import Scenario, SimulationError


def test_flows_of_a_file_are_kept_with_the_scenario(tmp_path):
    first = Scenario.open(EXAMPLES / "flows.toml")
    assert first.flows == 5
    again = pickle.loads(pickle.dumps(first))
    assert again == first
    flows = first.run().flows()
    pd.testing.assert_frame_equal(again.run().flows(), flows)
    assert flows["size_bytes"].tolist()[:2] == [4_000_000, 4_000_000]
    for name in ("flows.toml", "flows.csv"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    with (tmp_path / "flows.csv").open("a") as file:
        file.write("2,99,1 kB,0 us,\n")
    with pytest.raises(SimulationError, match=r"flows\.csv:7: to: found 99"):
        Scenario.open(tmp_path / "flows.toml")
    pd.testing.assert_frame_equal(again.run().flows(), flows)


def test_the_matrix_of_a_file_is_what_racks_send(tmp_path):
    first = Scenario.open(EXAMPLES / "matrix.toml")
    assert pickle.loads(pickle.dumps(first)) == first
    flows = first.run().flows()
    racks = flows["size_bytes"].groupby([flows["from"] // 4, flows["to"] // 4]).sum()
    sent = {
        (0, 0): 4_000_000,
        (0, 1): 1_000_000,
        (1, 2): 2_000_000,
        (3, 0): 800_000,
        (3, 2): 500_000,
    }
    assert racks.to_dict() == sent
    for name in ("matrix.toml", "matrix.csv"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    with (tmp_path / "matrix.csv").open("a") as file:
        file.write("leaf 2,1,2,3,4\nleaf 9,1,2,3,4\n")
    with pytest.raises(SimulationError, match=r"matrix\.csv:6: from: found \"leaf 9\""):
        Scenario.open(tmp_path / "matrix.toml")
