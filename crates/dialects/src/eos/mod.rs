//! Arista EOS: settings of ports, and the relay as flows of DirectFlow.

mod block;
mod changes;
mod class;
mod files;
mod gate;
mod lacks;

use lightloom_request::InputError;
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::fabric::Configs;
use lightloom_switching::rollout::PhaseName;

use crate::language::{ByEnding, Changing, Instead, Language, PhaseFiles, Written};
use crate::not_expressed::NotExpressed;

/// Arista EOS.
pub(super) struct Eos;

impl Language for Eos {
    fn stages(&self) -> u32 {
        1
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
        PhaseFiles::Numbered("eos")
    }

    fn phase_proof(&self) -> &'static str {
        changes::PROOF
    }

    fn changes(&self, switch: Changing<'_>) -> Result<Vec<String>, InputError> {
        changes::changes(switch.plans, switch.delta)
    }

    fn silence(&self, phase: PhaseName) -> Option<Instead> {
        if phase == PhaseName::Ports {
            return Some(Instead {
                why: "headroom and marks of the lossless class are not written, and nothing else changes there",
                instead: "see headroom and marks",
            });
        }
        Some(Instead {
            why: "the lines of these switches stay as they are: what changes is a tunnel, or a hairpin that is not \
                  written",
            instead: "see stand-in and hairpin",
        })
    }

    fn no_redirect(&self) -> Option<&'static str> {
        Some(
            "nothing published says that a flow of DirectFlow takes off the VLAN by which a copy names its port",
        )
    }

    fn lacks(&self, configs: &Configs<'_>, switches: &[SwitchConfig]) -> Vec<NotExpressed> {
        lacks::lacks(configs, switches)
    }
}
