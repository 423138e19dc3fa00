//! What a dialect is: everything that folders of configurations and rollouts ask of it.

use lightloom_request::InputError;
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::delta::Delta;
use lightloom_switching::fabric::Configs;
use lightloom_switching::rollout::PhaseName;

use crate::not_expressed::NotExpressed;

/// The names of the files of a phase, behind the name of the switch.
#[derive(Debug, Clone, Copy)]
pub(super) enum PhaseFiles {
    /// At most one file, with this ending.
    One(&'static str),
    /// Files that are loaded one after another: a number from 1 on, and this ending.
    Numbered(&'static str),
}

impl PhaseFiles {
    /// The ending of the file with a number, which counts from 1.
    pub(super) fn ending(self, number: usize) -> String {
        match self {
            Self::One(ending) => ending.to_owned(),
            Self::Numbered(ending) => format!("{number}.{ending}"),
        }
    }

    /// Whether a file has such an ending.
    pub(super) fn has(self, ending: &str) -> bool {
        match self {
            Self::One(own) => own == ending,
            Self::Numbered(own) => {
                let number = ending.strip_suffix(own).and_then(|rest| rest.strip_suffix('.'));
                number.is_some_and(is_number)
            }
        }
    }
}

/// Whether a part of a name is digits.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Why a switch has no file in a phase, and what to do in its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Instead {
    pub why: &'static str,
    pub instead: &'static str,
}

/// A switch that is written.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    /// The configurations of the fabric.
    pub configs: &'a Configs<'a>,
    /// What the switch is told.
    pub config: &'a SwitchConfig,
    /// What the dialect cannot express of the fabric.
    pub lacks: &'a [NotExpressed],
}

/// A switch that changes in a phase of a rollout.
#[derive(Clone, Copy)]
pub(super) struct Changing<'a> {
    /// The plans that the configurations before and after the phase belong to.
    pub plans: [&'a Configs<'a>; 2],
    /// The phase.
    pub phase: PhaseName,
    /// What changes.
    pub delta: &'a Delta,
}

/// Files by their endings.
pub(super) type ByEnding = Vec<(&'static str, String)>;

/// A language of switches.
pub(super) trait Language: Sync {
    /// Number of tables in a row that decide about a packet.
    fn stages(&self) -> u32;

    /// Whether it sets ports, and not relays alone.
    fn sets_ports(&self) -> bool {
        false
    }

    /// Endings of the files of a switch, behind `tor-` and its number.
    fn endings(&self) -> &'static [&'static str];

    /// The files of a switch, each with its ending.
    ///
    /// # Errors
    /// [`InputError`] if the dialect cannot write a name, or if the switch cannot hold what it is told.
    fn files(&self, switch: Written<'_>) -> Result<ByEnding, InputError>;

    /// Endings of the files of a phase.
    fn phase_files(&self) -> PhaseFiles;

    /// What stands behind the files of a rollout.
    fn phase_proof(&self) -> &'static str;

    /// The files of a phase on a switch, in the order in which they are loaded. Empty if nothing is written there.
    ///
    /// # Errors
    /// [`InputError`] as for [`Language::files`].
    fn changes(&self, switch: Changing<'_>) -> Result<Vec<String>, InputError>;

    /// Why a switch that changes in a phase may have no file. `None`: nothing is to be done there. Dialects of relays
    /// have no settings of ports, and lines that stay lead to the same state.
    fn silence(&self, phase: PhaseName) -> Option<Instead> {
        (phase != PhaseName::Replace).then_some(Instead {
            why: "the dialect has no settings of ports",
            instead: "set the ports by configs diff --dialect sonic or eos, or by hand, before the next phase",
        })
    }

    /// What the dialect cannot express of these switches.
    fn lacks(&self, _configs: &Configs<'_>, _switches: &[SwitchConfig]) -> Vec<NotExpressed> {
        Vec::new()
    }

    /// Refuses what the dialect cannot tell any switch.
    ///
    /// # Errors
    /// [`InputError`] names the option or the ToR.
    fn check(&self, _configs: &Configs<'_>, _switches: &[SwitchConfig]) -> Result<(), InputError> {
        Ok(())
    }

    /// Why it cannot lead packets through an accelerator and the copies to their ports. `None`: it can.
    fn no_redirect(&self) -> Option<&'static str> {
        None
    }

    /// The number of a port in this dialect.
    fn port_number(&self, number: u32) -> u32 {
        number
    }

    /// Hops that packets need beside those of the plan.
    fn more_hops(&self) -> u32 {
        0
    }

    /// The files that all switches share: name and content.
    fn shared(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
}
