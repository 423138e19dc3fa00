//! Arista EOS: settings of ports, and the relay as flows of DirectFlow.

mod block;
mod changes;
mod files;
mod gate;
mod lacks;

use lightloom_request::InputError;
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::delta::Delta;
use lightloom_switching::fabric::Configs;
use lightloom_switching::rollout::PhaseName;

use crate::language::{Instead, Language, PhaseFiles};
use crate::not_expressed::NotExpressed;

/// Arista EOS.
pub(super) struct Eos;

impl Language for Eos {
    fn stages(&self) -> u32 {
        1
    }

    fn endings(&self) -> &'static [&'static str] {
        &files::FILES
    }

    fn files(
        &self,
        configs: &Configs<'_>,
        config: &SwitchConfig,
        lacks: &[NotExpressed],
    ) -> Result<Vec<(&'static str, String)>, InputError> {
        files::files(configs, config, lacks)
    }

    fn phase_files(&self) -> PhaseFiles {
        PhaseFiles::Numbered("eos")
    }

    fn phase_proof(&self) -> &'static str {
        changes::PROOF
    }

    fn changes(
        &self,
        configs: [&Configs<'_>; 2],
        _phase: PhaseName,
        delta: &Delta,
    ) -> Result<Vec<String>, InputError> {
        changes::changes(configs, delta)
    }

    fn silence(&self, _phase: PhaseName) -> Option<Instead> {
        Some(Instead {
            why: "the lines of these switches stay as they are: what changes is a tunnel, or a hairpin that is not \
                  written",
            instead: "see stand-in and hairpin",
        })
    }

    fn lacks(&self, configs: &Configs<'_>, switches: &[SwitchConfig]) -> Vec<NotExpressed> {
        lacks::lacks(configs, switches)
    }
}
