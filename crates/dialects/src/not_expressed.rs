//! What a dialect cannot express.

use lightloom_switching::config::{Outcome, Reason, SwitchConfig};
use lightloom_switching::fabric::Configs;
use lightloom_switching::ports::MTU;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that a switch must be told and that a dialect cannot express.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotExpressed {
    /// What it is, in one or two words.
    pub what: String,
    /// Why the files lack it.
    pub why: String,
    /// What to do in its place.
    pub instead: String,
    /// Number of switches that it concerns.
    pub switches: usize,
    /// Whether receivers lose packets unless something is done.
    pub loses_packets: bool,
}

/// What a dialect lacks, without loss of packets.
pub(super) fn lacking(what: &str, why: &str, instead: &str, switches: usize) -> NotExpressed {
    let (what, why, instead) = (what.into(), why.into(), instead.into());
    NotExpressed { what, why, instead, switches, loses_packets: false }
}

/// What SONiC's published pipeline does otherwise.
pub(super) fn pipeline(all: usize) -> Vec<NotExpressed> {
    vec![
        lacking(
            "hops of deliveries",
            "every copy loses one hop, also to a server",
            "servers send with one hop more: see time_to_live",
            all,
        ),
        lacking(
            "senders that are members",
            "the program does not spare the port that a packet came in on",
            "servers disregard what they sent themselves",
            all,
        ),
        lacking(
            "drops",
            "packets that are not redirected follow the routes",
            "keep ipv4_multicast_table without entries for the groups",
            all,
        ),
        lacking(
            "source MAC address",
            "multicast copies get the address of the ToR",
            "nothing: the IPv4 source address stays",
            all,
        ),
    ]
}

/// What `config_db.json` cannot express.
pub(super) fn sonic(configs: &Configs<'_>, all: usize) -> Vec<NotExpressed> {
    let mut found = vec![
        lacking(
            "relay by source",
            "config_db.json has no table that says where multicast of a source goes",
            "load the relay over P4Runtime, with the masked destination",
            all,
        ),
        lacking(
            "lanes",
            "PORT demands lanes, which only the platform knows",
            "load the file over the configuration that the platform came with (config load), and not in its place",
            all,
        ),
        lacking(
            "unidirectional ports",
            "PORT has no such field",
            "use what the vendor of the platform offers",
            all,
        ),
        lacking(
            "pause off",
            "PORT has no field for pause frames, and loading a file removes no row",
            "remove the rows of the fabric ports in PORT_QOS_MAP and PFC_WD",
            all,
        ),
        lacking(
            "no bridging",
            "ports that are in no VLAN do not learn, flood, snoop or take part in spanning tree, and loading a file \
             removes no row; two fabric ports in one VLAN bridge multicast from fibre to fibre, past every gate",
            "remove the rows of the fabric ports in VLAN_MEMBER and PORTCHANNEL_MEMBER before fibres are connected",
            all,
        ),
    ];
    if !configs.project.platform.cascades() {
        found.push(lacking(
            "link fault signalling off",
            "PORT has no such field",
            "use what the vendor of the platform offers; lightloom lint says which ToRs it would silence",
            all,
        ));
    }
    found
}

/// What EOS cannot express.
pub(super) fn eos(configs: &Configs<'_>, switches: &[SwitchConfig]) -> Vec<NotExpressed> {
    let model = configs.project.platform.model();
    let all = switches.len();
    let mut found = vec![
        lacking(
            "time to live",
            "a flow of DirectFlow forwards without routing, so relays do not lower it",
            "keep the drops of own copies at the highest priority: without them a packet circulates for ever",
            all,
        ),
        lacking(
            "VLAN of servers",
            "DirectFlow respects which VLAN a port is in, and the design does not say in which VLAN servers are",
            "put the server ports in the VLAN of the fabric ports, or give these the VLAN of the servers",
            all,
        ),
        lacking(
            "DirectFlow that stops",
            "a switch bridges multicast between the ports of a VLAN if DirectFlow stops while its gate is open",
            "watch show directflow, and load the file of the switch again, which closes its gate; save no start-up \
             configuration with an open gate, because ports come up before DirectFlow",
            all,
        ),
        lacking(
            "lists of server ports",
            "a port has one list of IPv4 addresses on the way in, and a closed gate needs it",
            "add the lines of your own list to lightloom-no-groups",
            all,
        ),
        lacking(
            "other ports",
            "entries for any port also fit ports that these files do not name",
            "keep multicast of the groups off all other ports with an access list",
            all,
        ),
        lacking(
            "masks",
            "the published examples of flows have whole addresses; ADDRESS/LENGTH and ADDRESS MASK are guesses",
            "try one flow with a mask first; with --encoding literal all masks are prefixes",
            all,
        ),
        lacking(
            "largest frame",
            &format!(
                "the platform sets the largest frame of switched ports; {MTU} bytes are needed"
            ),
            "look it up in show interfaces",
            all,
        ),
    ];
    if model.is_none_or(|model| model.unidirectional_command.is_none()) {
        found.push(lacking(
            "unidirectional ports",
            "no published command was found",
            "say unidirectional_command in a catalogue row of your own",
            all,
        ));
    }
    let has_command = model.is_some_and(|model| model.fault_signalling_command.is_some());
    if !configs.project.platform.cascades() && !has_command {
        found.push(lacking(
            "link fault signalling off",
            "no published command was found",
            "say fault_signalling_command in a catalogue row of your own",
            all,
        ));
    }
    let turning = switches.iter().filter(|config| config.names(Outcome::Hairpin)).count();
    if turning > 0 && !turns(configs) {
        let why = "nothing published says that a flow may leave by the port that it came in on; such copies go to the \
                   members of their group only";
        let instead = "try it and say hairpin = true in a catalogue row of your own, or give the transmit fibre a port \
                       of its own";
        found.push(NotExpressed {
            loses_packets: true,
            ..lacking("hairpin", why, instead, turning)
        });
    }
    let tunnels = |config: &&SwitchConfig| {
        let unwraps = |reason| matches!(reason, Reason::StandIn);
        config.stand_in.is_some() || config.first.iter().any(|entry| unwraps(entry.reason))
    };
    let tunnels = switches.iter().filter(tunnels).count();
    if tunnels > 0 {
        found.push(NotExpressed {
            loses_packets: true,
            ..lacking(
                "stand-in",
                "a flow of DirectFlow does not put packets into a tunnel to the ToR that stands in",
                "let the servers of that ToR send through another one until it is repaired",
                tunnels,
            )
        });
    }
    found
}

/// Whether copies may leave by the port that they came in on.
pub(super) fn turns(configs: &Configs<'_>) -> bool {
    let model = configs.project.platform.model();
    model.and_then(|model| model.pipeline.hairpin) == Some(true)
}
