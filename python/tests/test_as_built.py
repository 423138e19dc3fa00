"""Plans as they were built: what crews return, and what follows from it."""

import pytest

import lightloom
from lightloom import DesignError


@pytest.fixture
def plan(tmp_path):
    return lightloom.Fabric(p=2, k=2, transceiver="10gbase-er").plan(tmp_path / "plan")


def returned(tmp_path, text):
    sheet = tmp_path / "returned.csv"
    sheet.write_text(text)
    return sheet


def test_a_form_has_a_row_for_each_cord(plan):
    lines = plan.as_built_form().splitlines()
    assert lines[0].startswith("label,near_label,far_label")
    assert [line.split(",")[0] for line in lines[1:]] == list(plan.cables()["label"])


def test_exchanged_ports_are_followed(plan, tmp_path):
    """A failed receiver is the one behind the port where the cord really is."""
    told = plan.as_built(
        returned(tmp_path, "label,far_at\nB0.0,B2.0\nB2.0,B0.0\n"), tmp_path / "new"
    )
    assert told.good and told.astray == [] and "2 moved plugs" in repr(told)
    built = told.plan
    assert built.verify()
    heard = built.ports().set_index(["tor", "port"])["rx_from_tor"]
    assert (heard[4, 0], heard[4, 1]) == (2, 0)
    planned = plan.fabric.impact("rx:4/1").report
    as_built = built.fabric.impact("rx:4/0").report
    assert {key: found for key, found in planned.items() if key != "failed"} == {
        key: found for key, found in as_built.items() if key != "failed"
    }


def test_light_that_goes_astray_is_told(plan, tmp_path):
    told = plan.as_built(
        returned(tmp_path, "label,far_at\nB1.0,B2.1\nB2.1,B1.0\n"), tmp_path / "new"
    )
    assert not told
    assert [found["lacking"] for found in told.astray] == [["R2.02"], ["R2.01"]]
    assert told.move_back == ["B1.0 far", "B2.1 far"]
    assert not (tmp_path / "new").exists()
    with pytest.raises(DesignError, match="needs a written plan"):
        _ = told.plan


def test_measured_losses_are_judged(plan, tmp_path):
    told = plan.as_built(returned(tmp_path, "label,measured_db\nB1.0,40\nB1.1,9\n"))
    assert [branch["label"] for branch in told.failed] == ["B1.0"]
    assert told.failed[0]["verdict"] == "too much loss"
    with pytest.raises(DesignError, match="far_at"):
        plan.as_built(returned(tmp_path, "label,far_at\nB1.0,B9.9\n"))
