// relay.p4: what a ToR of a fabric of passive splitters does with multicast packets (P4_16, v1model).
//
// A packet goes through a gate and two stages. The gate lets UDP to groups through while its entry is there. The first
// stage says by receive port, source and destination what becomes of a packet: its outcome. The second stage says by
// outcome and destination which multicast group it gets. A replica's instance says what happens to it on its way out.
//
// This file was never compiled and never ran on a switch.

#include <core.p4>
#include <v1model.p4>

const bit<16> TYPE_IPV4 = 0x0800;
const bit<16> TYPE_LLDP = 0x88cc;
const bit<16> TYPE_VLAN = 0x8100;
const bit<8> PROTOCOL_UDP = 17;
const bit<16> PORT_VXLAN = 4789;
// The port to the controller.
const bit<9> CPU_PORT = 510;

// The outcome of a packet that is dropped.
const bit<8> OUTCOME_NONE = 0;

// What happens to a replica on its way out.
const bit<16> REPLICA_MEMBER = 1;    // It goes to a member as it is, but never back to the member that sent it.
const bit<16> REPLICA_SPLITTER = 2;  // It loses one hop. With no hop left it is dropped.
const bit<16> REPLICA_STAND_IN = 3;  // It is wrapped for the ToR that stands in.
// It goes to an accelerator, in the VLAN of a place that the accelerator sends a copy to beside the members.
const bit<16> REPLICA_FOR_SPLITTER = 4;
const bit<16> REPLICA_FOR_STAND_IN = 5;
const bit<12> VLAN_SPLITTER = 2001;
const bit<12> VLAN_STAND_IN = 2002;

header ethernet_t {
    bit<48> dst_addr;
    bit<48> src_addr;
    bit<16> ether_type;
}

// Copies that come back from an accelerator have one. It names where they go, and is taken off. Packets that go there
// have one if they are to be relayed.
header vlan_t {
    bit<3> priority;
    bit<1> drop_eligible;
    bit<12> id;
    bit<16> ether_type;
}

header ipv4_t {
    bit<4> version;
    bit<4> ihl;
    bit<8> tos;
    bit<16> total_len;
    bit<16> identification;
    bit<3> flags;
    bit<13> frag_offset;
    bit<8> ttl;
    bit<8> protocol;
    bit<16> hdr_checksum;
    bit<32> src_addr;
    bit<32> dst_addr;
}

header udp_t {
    bit<16> src_port;
    bit<16> dst_port;
    bit<16> udp_len;
    bit<16> checksum;
}

header vxlan_t {
    bit<8> flags;
    bit<24> reserved;
    bit<24> vni;
    bit<8> reserved2;
}

@controller_header("packet_in")
header packet_in_t {
    bit<9> ingress_port;
    bit<7> padding;
}

struct headers_t {
    packet_in_t to_controller;
    ethernet_t ethernet;
    vlan_t vlan;
    ipv4_t ipv4;
    // The rest is valid in wrapped packets only.
    udp_t udp;
    vxlan_t vxlan;
    ethernet_t inner_ethernet;
    ipv4_t inner_ipv4;
}

struct metadata_t {
    // The stamp of the rules. Nothing reads it: it stands in the gate's entry.
    bit<64> stamp;
    bit<8> outcome;
    // What happens to a copy from an accelerator on its way out. 0: the packet is none.
    bit<16> copy;
    // The address that wrapped packets must be for.
    bit<32> address;
}

parser packet_parser(packet_in packet, out headers_t headers, inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(headers.ethernet);
        transition select(headers.ethernet.ether_type) {
            TYPE_IPV4: parse_ipv4;
            TYPE_VLAN: parse_vlan;
            default: accept;
        }
    }
    state parse_vlan {
        packet.extract(headers.vlan);
        transition select(headers.vlan.ether_type) {
            TYPE_IPV4: parse_ipv4;
            default: accept;
        }
    }
    state parse_ipv4 {
        packet.extract(headers.ipv4);
        // Packets to groups are not unwrapped, so what servers send in them does not matter.
        transition select(headers.ipv4.dst_addr[31:28], headers.ipv4.ihl, headers.ipv4.frag_offset,
                          headers.ipv4.protocol) {
            (0xe, _, _, _): accept;
            (_, 5, 0, PROTOCOL_UDP): parse_udp;
            default: accept;
        }
    }
    state parse_udp {
        packet.extract(headers.udp);
        transition select(headers.udp.dst_port) {
            PORT_VXLAN: parse_vxlan;
            default: accept;
        }
    }
    state parse_vxlan {
        packet.extract(headers.vxlan);
        packet.extract(headers.inner_ethernet);
        transition select(headers.inner_ethernet.ether_type) {
            TYPE_IPV4: parse_inner_ipv4;
            default: accept;
        }
    }
    state parse_inner_ipv4 {
        packet.extract(headers.inner_ipv4);
        transition accept;
    }
}

control verify_checksums(inout headers_t headers, inout metadata_t meta) {
    apply {
        verify_checksum(headers.ipv4.isValid() && headers.ipv4.ihl == 5,
            { headers.ipv4.version, headers.ipv4.ihl, headers.ipv4.tos, headers.ipv4.total_len,
              headers.ipv4.identification, headers.ipv4.flags, headers.ipv4.frag_offset,
              headers.ipv4.ttl, headers.ipv4.protocol, headers.ipv4.src_addr, headers.ipv4.dst_addr },
            headers.ipv4.hdr_checksum, HashAlgorithm.csum16);
    }
}

control ingress(inout headers_t headers, inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @id(0x13000001)
    direct_counter(CounterType.packets_and_bytes) first_stage_counter;

    @id(0x01000001)
    action expect_wrapped(@id(1) bit<32> address) {
        meta.address = address;
    }

    // The port to the unicast network: it takes wrapped packets for this ToR only.
    @id(0x02000001)
    table unwrap {
        key = {
            standard_metadata.ingress_port : exact @id(1) @name("ingress_port");
        }
        actions = {
            expect_wrapped;
            @defaultonly NoAction;
        }
        const default_action = NoAction;
        size = 32;
    }

    @id(0x01000002)
    action open(@id(1) bit<64> stamp) {
        meta.stamp = stamp;
    }

    @id(0x02000002)
    table gate {
        key = {
            headers.ipv4.dst_addr : ternary @id(1) @name("dst_addr");
            // Logical ToRs of one switch have gates of their own, by port.
            standard_metadata.ingress_port : ternary @id(2) @name("ingress_port");
        }
        actions = {
            open;
            @defaultonly NoAction;
        }
        const default_action = NoAction;
        size = 512;
    }

    @id(0x01000003)
    action decide(@id(1) bit<8> outcome) {
        meta.outcome = outcome;
        first_stage_counter.count();
    }

    @id(0x01000004)
    action refuse() {
        meta.outcome = OUTCOME_NONE;
        first_stage_counter.count();
    }

    @id(0x02000003)
    table first_stage {
        key = {
            standard_metadata.ingress_port : ternary @id(1) @name("ingress_port");
            headers.ipv4.src_addr : ternary @id(2) @name("src_addr");
            headers.ipv4.dst_addr : ternary @id(3) @name("dst_addr");
        }
        actions = {
            decide;
            refuse;
        }
        const default_action = refuse();
        counters = first_stage_counter;
        size = 8192;
    }

    @id(0x01000005)
    action replicate(@id(1) bit<16> multicast_group) {
        standard_metadata.mcast_grp = multicast_group;
    }

    @id(0x02000004)
    table second_stage {
        key = {
            meta.outcome : exact @id(1) @name("outcome");
            headers.ipv4.dst_addr : ternary @id(2) @name("dst_addr");
        }
        actions = {
            replicate;
            @defaultonly NoAction;
        }
        const default_action = NoAction;
        size = 16384;
    }

    @id(0x01000007)
    action copy_to(@id(1) bit<9> port, @id(2) bit<16> replica) {
        standard_metadata.egress_spec = port;
        meta.copy = replica;
    }

    // Copies that come back from an accelerator. They meet no other stage, so none goes back to it.
    @id(0x02000006)
    table copies {
        key = {
            standard_metadata.ingress_port : exact @id(1) @name("ingress_port");
            headers.vlan.id : exact @id(2) @name("vlan_id");
        }
        actions = {
            copy_to;
            @defaultonly NoAction;
        }
        const default_action = NoAction;
        size = 32768;
    }

    apply {
        // Without a multicast group a packet is dropped.
        mark_to_drop(standard_metadata);
        if (headers.ethernet.ether_type == TYPE_LLDP) {
            headers.to_controller.setValid();
            headers.to_controller.ingress_port = standard_metadata.ingress_port;
            headers.to_controller.padding = 0;
            standard_metadata.egress_spec = CPU_PORT;
            return;
        }
        if (standard_metadata.checksum_error != 0) {
            return;
        }
        if (unwrap.apply().hit) {
            if (!headers.inner_ipv4.isValid() || headers.ipv4.dst_addr != meta.address) {
                return;
            }
            headers.ethernet = headers.inner_ethernet;
            headers.ipv4 = headers.inner_ipv4;
            headers.udp.setInvalid();
            headers.vxlan.setInvalid();
            headers.inner_ethernet.setInvalid();
            headers.inner_ipv4.setInvalid();
        }
        // IPv4 without options: the checksum is made anew when the time to live changes.
        if (!headers.ipv4.isValid() || headers.ipv4.ihl != 5 || headers.ipv4.protocol != PROTOCOL_UDP) {
            return;
        }
        if (gate.apply().hit) {
            if (headers.vlan.isValid()) {
                if (copies.apply().hit) {
                    headers.ethernet.ether_type = headers.vlan.ether_type;
                    headers.vlan.setInvalid();
                }
                return;
            }
            first_stage.apply();
            if (meta.outcome != OUTCOME_NONE) {
                second_stage.apply();
            }
        }
    }
}

control egress(inout headers_t headers, inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    action put_in_vlan(bit<12> id) {
        headers.vlan.setValid();
        headers.vlan.priority = 0;
        headers.vlan.drop_eligible = 0;
        headers.vlan.id = id;
        headers.vlan.ether_type = headers.ethernet.ether_type;
        headers.ethernet.ether_type = TYPE_VLAN;
    }

    // VXLAN with network identifier 0: outer Ethernet, IPv4, UDP, VXLAN, and then the packet as it came in.
    @id(0x01000006)
    action wrap_in_vxlan(@id(1) bit<48> src_mac, @id(2) bit<48> dst_mac, @id(3) bit<32> src_addr,
                         @id(4) bit<32> dst_addr) {
        headers.inner_ethernet = headers.ethernet;
        headers.inner_ipv4 = headers.ipv4;
        headers.ethernet.dst_addr = dst_mac;
        headers.ethernet.src_addr = src_mac;
        headers.ethernet.ether_type = TYPE_IPV4;
        headers.ipv4.version = 4;
        headers.ipv4.ihl = 5;
        headers.ipv4.tos = headers.inner_ipv4.tos;
        // IPv4 20, UDP 8, VXLAN 8, Ethernet 14.
        headers.ipv4.total_len = headers.inner_ipv4.total_len + 50;
        headers.ipv4.identification = 0;
        headers.ipv4.flags = 2;
        headers.ipv4.frag_offset = 0;
        headers.ipv4.ttl = 64;
        headers.ipv4.protocol = PROTOCOL_UDP;
        headers.ipv4.src_addr = src_addr;
        headers.ipv4.dst_addr = dst_addr;
        headers.udp.setValid();
        headers.udp.src_port = 49152;
        headers.udp.dst_port = PORT_VXLAN;
        headers.udp.udp_len = headers.inner_ipv4.total_len + 30;
        headers.udp.checksum = 0;
        headers.vxlan.setValid();
        headers.vxlan.flags = 8;
        headers.vxlan.reserved = 0;
        headers.vxlan.vni = 0;
        headers.vxlan.reserved2 = 0;
    }

    @id(0x02000005)
    table wrap {
        key = {
            standard_metadata.egress_port : exact @id(1) @name("egress_port");
        }
        actions = {
            wrap_in_vxlan;
            @defaultonly NoAction;
        }
        const default_action = NoAction;
        size = 32;
    }

    apply {
        bit<16> replica = standard_metadata.egress_rid;
        if (meta.copy != 0) {
            replica = meta.copy;
        }
        if (replica == REPLICA_MEMBER) {
            if (standard_metadata.egress_port == standard_metadata.ingress_port) {
                mark_to_drop(standard_metadata);
            }
        } else if (replica == REPLICA_SPLITTER) {
            // v1model does not drop a replica for the port that the packet came in on, so the transmit port can be it.
            if (headers.ipv4.ttl <= 1) {
                mark_to_drop(standard_metadata);
            } else {
                headers.ipv4.ttl = headers.ipv4.ttl - 1;
            }
        } else if (replica == REPLICA_STAND_IN) {
            if (!wrap.apply().hit) {
                mark_to_drop(standard_metadata);
            }
        } else if (replica == REPLICA_FOR_SPLITTER) {
            put_in_vlan(VLAN_SPLITTER);
        } else if (replica == REPLICA_FOR_STAND_IN) {
            put_in_vlan(VLAN_STAND_IN);
        }
    }
}

control compute_checksums(inout headers_t headers, inout metadata_t meta) {
    apply {
        update_checksum(headers.ipv4.isValid() && headers.ipv4.ihl == 5,
            { headers.ipv4.version, headers.ipv4.ihl, headers.ipv4.tos, headers.ipv4.total_len,
              headers.ipv4.identification, headers.ipv4.flags, headers.ipv4.frag_offset,
              headers.ipv4.ttl, headers.ipv4.protocol, headers.ipv4.src_addr, headers.ipv4.dst_addr },
            headers.ipv4.hdr_checksum, HashAlgorithm.csum16);
    }
}

control packet_deparser(packet_out packet, in headers_t headers) {
    apply {
        packet.emit(headers.to_controller);
        packet.emit(headers.ethernet);
        packet.emit(headers.vlan);
        packet.emit(headers.ipv4);
        packet.emit(headers.udp);
        packet.emit(headers.vxlan);
        packet.emit(headers.inner_ethernet);
        packet.emit(headers.inner_ipv4);
    }
}

@pkginfo(name = "relay.p4", version = "1.2.0")
V1Switch(packet_parser(), verify_checksums(), ingress(), egress(), compute_checksums(),
         packet_deparser()) main;
