"""ToRs by number and by rack name, if a rack's name is also a number."""

from __future__ import annotations

import json

import numpy as np
import pytest
from conftest import with_keywords

from lightloom import DesignError, Fabric


@pytest.fixture
def racks(tmp_path):
    """Rack 7 - i holds ToR i."""
    file = tmp_path / "racks.csv"
    rows = "".join(f"{7 - i},Row,{i + 1}\n" for i in range(8))
    file.write_text("name,row,position\n" + rows)
    return file


@pytest.fixture
def fabric(racks):
    return Fabric(p=2, k=2, inventory=racks)


def test_an_int_is_a_number_and_a_text_that_is_both_is_refused(fabric, racks, cli):
    for tor in (2, np.int64(2), "tor:2", "rack:5"):
        assert fabric.tor(tor) == 2
        assert fabric.tree(tor).source == 2
        assert list(fabric.parallel([tor]).sources) == [2]
    assert list(fabric.rules("rack:5")) == list(fabric.rules(2))
    printed = cli("tree", "--p=2", "--k=2", f"--inventory={racks}", "--source=2", refused=True)
    with pytest.raises(DesignError) as caught:
        fabric.tree("2")
    assert str(caught.value) == with_keywords(printed)
    assert "ToR 2, in rack 5, and rack 2, which holds ToR 5" in printed


def test_failures_take_the_same_spellings(fabric, racks, cli):
    assert fabric.impact(2).failed == ["relay:2"]
    assert fabric.impact([2, "tor:rack:0"]).failed == ["relay:2", "tor:7"]
    assert fabric.recover("relay:rack:5").report == fabric.recover(2).report
    printed = cli(
        "impact", "--p=2", "--k=2", f"--inventory={racks}", "--failed=relay:2", refused=True
    )
    with pytest.raises(DesignError) as caught:
        fabric.impact("relay:2")
    assert str(caught.value) == with_keywords(printed) and "relay:tor:2 or relay:rack:2" in printed
    assert fabric.svg(failed=2) == fabric.svg(failed="relay:rack:5")


def test_lists_in_one_text(fabric):
    assert list(fabric.parallel("tor:0,rack:4").sources) == [0, 3]
    with pytest.raises(DesignError, match="write tor:3 or rack:3"):
        fabric.parallel("tor:0,3")


def test_a_recovered_plan_is_read_again(fabric, tmp_path):
    plan = fabric.recover(1).apply(tmp_path / "plan")
    assert plan.verify()
    document = json.loads((tmp_path / "plan" / "plan.json").read_text())
    assert "relay:1" in json.dumps(document)


def test_a_comparison_says_the_whole_and_each_source():
    compared = Fabric(p=4, k=4, catalogue="shufflecast-2022").compare()
    assert compared.at_line_rate == compared.report["at_line_rate"]
    assert compared.at_line_rate["splitter_fabric"]["sources"] == 4
    assert compared.at_line_rate["ip_multicast"]["sources"] == 1
    assert "1.98 times" in compared.summary[1]
