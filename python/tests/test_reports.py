"""Reports and drawings of plans, as texts."""

from pathlib import Path

import pytest

from lightloom import DesignError, Fabric, Plan


def test_a_plan_tells_its_assumptions_only_if_it_knows_them(tmp_path: Path) -> None:
    plan = Fabric(family="kautz", p=2, tors=12, spares_percent=7).plan(tmp_path / "plan")
    text = plan.as_html(date="2026-03-31")
    assert text == plan.as_html("2026-03-31") and text.startswith("<!DOCTYPE html>")
    assert "2026-03-31" in text and "Nothing gave these values" in text
    assert 'data-assumed="slack"' in text and 'data-assumed="spares, percent"' not in text
    read = Plan.open(tmp_path / "plan").as_html()
    assert "The plan rests on these values" in read and 'data-assumed="spares, percent"' in read
    # The floor plan, and the elevations of two rows.
    assert plan.drawings().count("<section") == 3


def test_a_report_of_a_broken_folder_is_refused(tmp_path: Path) -> None:
    plan = Fabric(family="kautz", p=2, tors=12).plan(tmp_path / "plan")
    with pytest.raises(DesignError, match="expected year, month and day"):
        plan.as_html("soon")
    (tmp_path / "plan" / "ports.csv").unlink()
    with pytest.raises(DesignError, match=r"ports.csv"):
        plan.as_html()
