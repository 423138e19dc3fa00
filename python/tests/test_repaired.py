"""Plans that go around failures: what their objects say is what their files bring."""

import json
from pathlib import Path

import numpy as np
import pytest

from lightloom import DesignError, Fabric, Plan

FABRIC = Fabric(family="shufflecast", p=3, k=2)
PAIRS = 48


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repaired") / "plan"
    made = FABRIC.recover("cassette:2").apply(folder)
    return made, Plan.open(folder)


def test_a_plan_that_cuts_pairs_off_is_not_good(plans):
    for plan in plans:
        checked = plan.verify()
        assert not checked and not checked.good and checked.faults == []
        assert checked.failed == ["cassette:2"]
        assert checked.cut_off == plan.cut_off
        assert sum(map(len, checked.cut_off.values())) == PAIRS
        assert repr(checked) == "<Verification: no fault, 48 pairs cut off by failures>"
        assert plan.report["verification"]["copies"] == 270
        assert plan.without_failures["verification"]["copies"] == 324


def test_the_fabric_of_a_plan_is_the_one_that_stands(plans):
    rules = json.loads((Path(plans[0].folder) / "rules.json").read_text())["relays"]
    for plan in plans:
        info = plan.fabric.info()
        assert info.report["pairs_cut_off"] == PAIRS
        assert info.parallel_sources == 0
        assert info.without_failures["parallel_sources"] == 3
        assert "without_failures" not in info.fabric
        assert info.report["relay_load"]["max"] == max(map(len, rules.values())) == 8
        for tor in range(18):
            assert plan.fabric.rules(tor).tolist() == rules[str(tor)]
        sets = plan.fabric.relay_sets()
        for source in range(18):
            of_source = [int(tor) for tor, sources in rules.items() if source in sources]
            assert np.array_equal(sets[source], of_source)


@pytest.mark.parametrize(
    "ask",
    [
        lambda fabric, _: fabric.tree(0),
        lambda fabric, _: fabric.impact("relay:1"),
        lambda fabric, _: fabric.impact("relay:1").lost,
        lambda fabric, _: fabric.recover("relay:1"),
        lambda fabric, _: fabric.risk(),
        lambda fabric, _: fabric.parallel(),
        lambda fabric, out: fabric.repairs(out),
    ],
)
def test_what_is_asked_of_an_undamaged_fabric_is_refused(plans, ask, tmp_path):
    for plan in plans:
        with pytest.raises(DesignError, match=r"a plan around failures \(cassette:2\)"):
            ask(plan.fabric, tmp_path / "out")


def test_a_folder_that_was_edited_exports_nothing(tmp_path):
    plan = FABRIC.plan(tmp_path / "plan")
    plan.netbox(site="Hall"), plan.drawings(), plan.as_built_form()
    file = tmp_path / "plan" / "plan.json"
    document = json.loads(file.read_text())
    document["tors"][:2] = document["tors"][1::-1]
    file.write_text(json.dumps(document))
    for ask in (lambda: plan.netbox(site="Hall"), plan.drawings, plan.as_built_form):
        with pytest.raises(DesignError, match=r"is not what its plan\.json says"):
            ask()


def test_light_that_closes_with_little_margin_arrives():
    plan = object.__new__(Plan)
    for optical, lit in [("pass", True), ("warn", True), ("marginal", True), ("unknown", False)]:
        plan._report = {"optical": optical}
        assert plan.lit is lit
