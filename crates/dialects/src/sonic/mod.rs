//! SONiC: settings of ports.

mod class;
mod files;
mod patch;

use lightloom_request::InputError;
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::fabric::Configs;
use lightloom_switching::rollout::PhaseName;

use crate::language::{ByEnding, Changing, Instead, Language, PhaseFiles, Written};
use crate::not_expressed::{NotExpressed, lacking};

/// SONiC's `config_db.json`.
pub(super) struct Sonic;

impl Language for Sonic {
    fn stages(&self) -> u32 {
        2
    }

    fn sets_ports(&self) -> bool {
        true
    }

    fn endings(&self) -> &'static [&'static str] {
        &files::FILES
    }

    fn files(&self, switch: Written<'_>) -> Result<ByEnding, InputError> {
        files::files(switch.configs, switch.config, switch.lacks)
    }

    fn phase_files(&self) -> PhaseFiles {
        PhaseFiles::One("patch.json")
    }

    fn phase_proof(&self) -> &'static str {
        patch::PROOF
    }

    fn changes(&self, switch: Changing<'_>) -> Result<Vec<String>, InputError> {
        Ok(patch::changes(switch.plans, switch.delta)?.into_iter().collect())
    }

    fn silence(&self, phase: PhaseName) -> Option<Instead> {
        Some(match phase {
            PhaseName::Replace => Instead {
                why: "no port is set otherwise, or the switch is new",
                instead: "exchange the relays over P4Runtime; load the whole config_db.json on a new switch",
            },
            _ => Instead {
                why: "config_db.json has no relays",
                instead: "carry the phase out over P4Runtime: configs diff --dialect p4runtime-sonic",
            },
        })
    }

    fn no_redirect(&self) -> Option<&'static str> {
        Some(
            "config_db.json has no relays, and with them nothing that leads packets through an accelerator",
        )
    }

    fn lacks(&self, configs: &Configs<'_>, switches: &[SwitchConfig]) -> Vec<NotExpressed> {
        lacks(configs, switches.len())
    }
}

/// What `config_db.json` cannot express.
fn lacks(configs: &Configs<'_>, all: usize) -> Vec<NotExpressed> {
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
    if !configs.project.platform().cascades() {
        found.push(lacking(
            "link fault signalling off",
            "PORT has no such field",
            "use what the vendor of the platform offers; lightloom lint says which ToRs it would silence",
            all,
        ));
    }
    if configs.lossless.is_some() {
        found.extend(class::lacks(all));
    }
    found
}
