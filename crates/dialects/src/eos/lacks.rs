//! Arista EOS: what its settings and flows cannot express.

use lightloom_switching::config::{MTU, Outcome, Reason, SwitchConfig};
use lightloom_switching::fabric::Configs;

use super::class;
use crate::not_expressed::{NotExpressed, lacking};

/// What EOS cannot express.
pub(super) fn lacks(configs: &Configs<'_>, switches: &[SwitchConfig]) -> Vec<NotExpressed> {
    let model = configs.project.platform().model();
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
    if !configs.project.platform().cascades() && !has_command {
        found.push(lacking(
            "link fault signalling off",
            "no published command was found",
            "say fault_signalling_command in a catalogue row of your own",
            all,
        ));
    }
    if configs.lossless.is_some() {
        found.extend(class::lacks(all));
    }
    if configs.project.is_logical() {
        // Their entries all name a port.
        found.retain(|lack| lack.what != "other ports");
        found.push(lacking(
            "gates of logical ToRs",
            "DirectFlow is one for the whole switch, so the lists of its ports alone close the gate of a logical ToR",
            "load the files of all logical ToRs of a switch before the first gate is opened",
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
    let model = configs.project.platform().model();
    model.and_then(|model| model.pipeline.hairpin) == Some(true)
}
