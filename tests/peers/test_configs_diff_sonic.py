"""Rollouts for SONiC: the library jsonpatch applies each patch to the old config_db.json, and finds the new one."""

import json
from copy import deepcopy

import jsonpatch
import pytest
from diff_designs import Designs, files_of, manifests, tors_of

# What the platform came with.
PLATFORM = {"PORT": {f"Ethernet{n}": {"lanes": str(n), "alias": f"eth{n}", "index": str(n)} for n in range(1, 33)}}
# What only the platform knows, and what stays of a port that is not used any more.
KEPT = {"lanes", "alias", "index", "mtu", "speed"}


@pytest.fixture
def designs(lightloom, tmp_path):
    return Designs(lightloom, tmp_path, "sonic")


def loaded(text):
    """A configuration after `config load`: fields of rows are added, none is removed."""
    base = deepcopy(PLATFORM)
    for table, rows in json.loads(text).items():
        for key, fields in rows.items():
            base.setdefault(table, {}).setdefault(key, {}).update(fields)
    return base


def is_new(now, wanted, text):
    """Whether a switch has what a configuration says. Other ports are down, with what the platform has."""
    used = json.loads(text)["PORT"]
    for name in set(wanted["PORT"]) - set(used):
        row = now["PORT"][name]
        assert row.get("admin_status", "down") == "down" and set(row) - {"admin_status"} <= KEPT, name
    keep = lambda tables: tables | {"PORT": {name: tables["PORT"][name] for name in used}}  # noqa: E731
    assert keep(now) == keep(wanted)


def there_and_back(designs, old, new):
    folder, said = designs.rollout(old, new)
    one, other = (tors_of(designs.configs(plan), "config_db.json") for plan in (old, new))
    there, back = manifests(folder)
    patched = 0
    for tor in set(one) & set(other):
        now = loaded(one[tor])
        for manifest, text in ((there, other[tor]), (back, one[tor])):
            for _, texts in files_of(folder, manifest, tor):
                for patch in texts:
                    operations = json.loads(patch)
                    assert operations
                    # No whole row of the platform.
                    assert not any(o["path"].startswith("/PORT/") and o["path"].count("/") < 3 for o in operations)
                    now = jsonpatch.JsonPatch(operations).apply(now)
                    patched += 1
            is_new(now, loaded(text), text)
    return there, back, said, patched


def phases(manifest):
    return [phase["name"] for phase in manifest["phases"]]


def lacking(manifest):
    return {lacks["what"] for lacks in manifest["not_expressed"]}


def test_another_transceiver_is_a_phase_of_its_own(designs):
    old, new = designs.design(2, 3), designs.design(2, 3, "plain")
    there, back, said, patched = there_and_back(designs, old, new)
    assert phases(there) == phases(back) == ["ports"] and "ports" in said
    assert patched == 2 * 24 and len(there["phases"][0]["switches"]) == 24
    # Links go down meanwhile.
    assert there["phases"][0]["loses"] is None
    assert "relay by source" in lacking(there)


@pytest.mark.parametrize("failed", ["relay:8", "tx:8", "branch:8->16"])
def test_a_repair_changes_no_port(designs, failed):
    old = designs.design(2, 3)
    there, back, said, patched = there_and_back(designs, old, designs.repaired(old, failed))
    assert patched == 0 and phases(there) == phases(back) == []
    assert not list(designs.folder.glob("from-*/*.patch.json"))
    assert {"relay by source", "phase add", "phase stamps"} <= lacking(there)
    assert "Nothing changes that this dialect can express" in said and "phase add" in said


def test_a_repair_with_another_transceiver(designs):
    old = designs.design(4, 2)
    new = designs.repaired(designs.design(4, 2, "plain"), "relay:17")
    there, _, _, patched = there_and_back(designs, old, new)
    assert phases(there) == ["ports"] and patched == 2 * 32
    assert "phase add" in lacking(there)


@pytest.mark.parametrize(("one", "other"), [((2, 2), (2, 3)), ((2, 3), (4, 2)), ((4, 2), (2, 2))])
def test_another_fabric_is_exchanged(designs, one, other):
    there, back, _, patched = there_and_back(designs, designs.design(*one), designs.design(*other))
    assert phases(there) == phases(back) == ["replace"] and patched
    assert {"phase close", "phase canary"} <= lacking(there)
    tors = {(2, 2): 8, (2, 3): 24, (4, 2): 32}
    for manifest, old, new in ((there, one, other), (back, other, one)):
        # A new switch needs its whole configuration.
        without = [lacks for lacks in manifest["not_expressed"] if lacks["what"] == "phase replace"]
        new_ones = max(0, tors[new] - tors[old])
        assert sum(lacks["switches"] for lacks in without) == new_ones
        assert len(manifest["phases"][0]["switches"]) == tors[old]


def test_names_of_racks_are_patched(designs):
    racks = "name,row,position\n" + "".join(f"R{n},A,{n + 1}\n" for n in range(8))
    (designs.folder / "racks.csv").write_text(racks)
    old = designs.design(2, 2)
    new = designs.design(2, 2, more='[hall]\ninventory = "racks.csv"\n')
    there, _, _, patched = there_and_back(designs, old, new)
    assert phases(there) == ["ports"] and patched == 2 * 8
    # Descriptions are no settings: nothing is lost.
    assert there["phases"][0]["loses"] == {}
