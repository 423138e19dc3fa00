"""Exported OpenFlow files on real Open vSwitch bridges: whole fabrics, every source, every group, one copy each."""

import pytest

from ovs_fabric import NO_SOURCE, ORIGIN, OWN_COPY, SPOOFED
from ovs_plans import ENCODINGS, Plans, all_pairs, expected


# All encodings of all fabrics take an option.
FEWER = {"3,3": ("masked", "masked-destination"), "kautz 4,100": ("masked", "roots")}


@pytest.mark.parametrize("fabric", ["2,2", "2,3", "4,2", "3,3", "kautz 4,100"])
def test_each_member_gets_one_copy(lightloom, scratch, switch, request, fabric):
    """The encodings of a fabric, one loaded over the other. Nobody else gets anything, the sender least of all, and
    each packet comes back to its ToR once and is dropped there.
    """
    plans = Plans(lightloom, scratch, fabric)
    encodings = ENCODINGS if request.config.getoption("--ovs-all") else FEWER.get(fabric, ENCODINGS)
    built = None
    for encoding in encodings:
        configs = plans.configs(encoding)
        if built is None:
            built = plans.fabric(switch, configs, in_bundles=len(configs.tors) > 50)
        else:
            assert built.load(configs) == len(configs.tors), "each encoding has files of its own"
        pairs = all_pairs(configs)
        assert built.send(pairs) == expected(configs, pairs), encoding
        of_tor = len(pairs) // len(configs.tors)
        for tor, counted in built.counted().items():
            found = [counted[cookie] for cookie in (ORIGIN, OWN_COPY, SPOOFED, NO_SOURCE)]
            assert found == [of_tor, of_tor, 0, 0], (encoding, tor)


def test_sources_send_to_addresses_of_their_own(lightloom, scratch, switch):
    """With the code in the destination, a member joins one address a ToR, and no two ToRs send to the same one."""
    plans = Plans(lightloom, scratch, "2,2")
    configs = plans.configs("masked-destination")
    to = {configs.tor_of(server): configs.sends_to(server, "all") for server in configs.servers}
    assert len(set(to.values())) == len(configs.tors)
    plain = plans.configs("masked")
    assert {plain.sends_to(server, "all") for server in plain.servers} == {plain.groups["all"][0]}
