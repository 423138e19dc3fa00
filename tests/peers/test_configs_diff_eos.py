"""Rollouts for Arista EOS: an interpreter of lines loads each phase over the old files, and finds the new ones."""

import pytest
from diff_designs import Designs, files_of, manifests, tors_of
from eos_session import Session


@pytest.fixture
def designs(lightloom, tmp_path):
    return Designs(lightloom, tmp_path, "eos")


def configured(designs, plan):
    """The state of each switch with its gate open."""
    folder = designs.configs(plan)
    states = {}
    gates = [tors_of(folder, kind) for kind in ("1.gate", "2.gate")]
    for tor, text in tors_of(folder, "eos").items():
        states[tor] = Session()
        for told in (text, *(gate[tor] for gate in gates)):
            states[tor].load(told)
    return states


def settled(state, new):
    """A state without ports that are set back and shut down, when the new one does not name them."""
    out_of_use = {"shutdown": "shutdown"}
    is_out = lambda name, lines: name.startswith("interface ") and lines == out_of_use  # noqa: E731
    return {name: lines for name, lines in state.items() if name in new or not is_out(name, lines)}


def walk(folder, manifest, states):
    for tor in {int(tor) for phase in manifest["phases"] for tor in phase["switches"]}:
        state = states.setdefault(tor, Session())
        for name, texts in files_of(folder, manifest, tor):
            for text in texts:
                head = text.splitlines()[:6]
                assert any("never run" in line for line in head)
                assert any("does not say in which order" in line for line in head)
                state.load(text)
            flows = state.state.get("directflow")
            assert name not in ("close", "replace") or flows is None or flows["shutdown"] == "shutdown"


def there_and_back(designs, old, new):
    folder, said = designs.rollout(old, new)
    there, back = manifests(folder)
    one, other = configured(designs, old), configured(designs, new)
    now = configured(designs, old)
    for manifest, wanted in ((there, other), (back, one)):
        walk(folder, manifest, now)
        for tor, state in now.items():
            if tor in wanted:
                assert settled(state.state, wanted[tor].state) == wanted[tor].state, f"ToR {tor}"
            else:
                left = settled(state.state, {})
                assert left.pop("directflow") == {"shutdown": "shutdown"}
                assert not [line for line in left if line.startswith(("vlan", "interface", "mac", "ip access"))]
                del now[tor].state["directflow"]
    return folder, there, back, said


def phases(manifest):
    return [phase["name"] for phase in manifest["phases"]]


@pytest.mark.parametrize(
    ("p", "k", "failed"),
    [(2, 3, "relay:8"), (2, 3, "tx:8"), (2, 3, "branch:8->16"), (2, 3, "rx:12/1"), (4, 2, "relay:17"), (4, 2, "tx:3")],
)
def test_a_repair_leads_to_the_new_lines_and_back(designs, p, k, failed):
    old = designs.design(p, k)
    folder, there, back, _ = there_and_back(designs, old, designs.repaired(old, failed))
    assert phases(there)[-1] == phases(back)[-1] == "stamps" and "add" in phases(there)
    lacks = {one["what"] for one in there["not_expressed"]}
    assert "time to live" in lacks and ("stand-in" in lacks) == failed.startswith(("tx", "relay"))
    # Ports are not touched, and only flows that change are written.
    texts = [path.read_text() for path in folder.glob("*.eos")]
    assert texts and not any("interface Ethernet" in line for t in texts for line in t.splitlines() if line[:1] != " ")
    assert any("\n   no flow lightloom-" in text for text in texts)


@pytest.mark.parametrize(("one", "other"), [((2, 2), (2, 3)), ((2, 3), (4, 2)), ((4, 2), (2, 2))])
def test_another_fabric_is_exchanged_behind_closed_gates(designs, one, other):
    _, there, back, _ = there_and_back(designs, designs.design(*one), designs.design(*other))
    assert phases(there) == phases(back) == ["close", "replace", "canary", "open"]


def test_another_transceiver_sets_ports_back_first(designs):
    old, new = designs.design(2, 2), designs.design(2, 2, "plain")
    folder, there, _, _ = there_and_back(designs, old, new)
    assert phases(there) == ["ports"] and there["phases"][0]["loses"] is None
    text = next(folder.glob("01-ports-*.eos")).read_text()
    assert "\ndefault interface Ethernet1\n" in text and "flow lightloom" not in text


def test_names_of_flows_stay_when_others_come_and_go(designs):
    old = designs.design(2, 3)
    one, other = (configured(designs, plan) for plan in (old, designs.repaired(old, "branch:8->16")))
    same = changed = 0
    for tor in one:
        had, has = (states[tor].state["directflow"] for states in (one, other))
        same += sum(has.get(name) == flow for name, flow in had.items())
        changed += sum(name not in had for name in has)
    assert 0 < changed < same / 4
