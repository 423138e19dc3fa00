//! What would go wrong on real switches: findings, worst first. Nothing is refused here.

pub mod class;
pub mod lossless;
mod ports;
mod reach;
mod tables;

use lightloom_request::InputError;
use lightloom_topology::TorId;
use lightloom_units::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::SwitchConfig;
use crate::fabric::Configs;

named_enum! {
    /// How bad a finding is.
    #[derive(JsonSchema)]
    pub enum Severity {
        /// Packets are lost or copied twice, or the switch refuses what it is told.
        Error = "error",
        /// Something that has to be known or looked up.
        Warning = "warning",
    }
}

named_enum! {
    /// What is checked.
    #[derive(JsonSchema)]
    pub enum Rule {
        /// A port that hears nothing signals remote fault to ToRs that it does not hear.
        RemoteFault = "remote-fault",
        /// A port that only listens goes down when the ToR that it hears signals a fault.
        LinkDown = "link-down",
        /// Nothing says whether link fault signalling can be switched off.
        FaultSignallingUnknown = "fault-signalling-unknown",
        /// The model has fewer ports than the fabric and the servers need.
        TooFewPorts = "too-few-ports",
        /// A table of the model is too small.
        TableTooSmall = "table-too-small",
        /// Nothing says how much a table of the model holds.
        TableUnknown = "table-unknown",
        /// Copies must leave by the port that they came in on.
        Hairpin = "hairpin",
        /// No packet reaches an entry: those above it fit all that it fits.
        UnreachableEntry = "unreachable-entry",
        /// An entry is for a port that the switch does not have.
        NoSuchPort = "no-such-port",
        /// An entry is for a source whose copies do not arrive.
        NothingArrives = "nothing-arrives",
        /// The time to live that servers must send with.
        TimeToLive = "time-to-live",
        /// Nothing says which headroom a unicast port needs.
        LosslessUnknown = "lossless-unknown",
        /// A port that the plan does not know has priority flow control.
        LosslessUnplanned = "lossless-unplanned",
        /// A unicast port has no priority flow control.
        NoPause = "no-pause",
        /// A port with priority flow control has no watchdog.
        NoWatchdog = "no-watchdog",
        /// A fibre of a splitter has priority flow control.
        PauseOnFibre = "pause-on-fibre",
        /// The headroom of a port is smaller than its link needs.
        HeadroomTooSmall = "headroom-too-small",
        /// Ports have more of the buffer than there is.
        HeadroomOverBuffer = "headroom-over-buffer",
        /// A port marks no packets, or at other thresholds than planned.
        MarkingDiffers = "marking-differs",
        /// A port pauses its senders before it marks their packets.
        MarkingAbovePause = "marking-above-pause",
        /// A port takes larger frames than its headroom is planned for.
        FrameOverPlan = "frame-over-plan",
        /// A dialect cannot express something.
        NotExpressed = "not-expressed",
    }
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What was checked.
    pub rule: Rule,
    /// The ToR. `None`: all of them.
    pub tor: Option<TorId>,
    /// Number of the port in configurations. `None`: no port, or several.
    pub port: Option<u32>,
    /// What was found.
    pub text: String,
    /// What to do.
    pub remedy: String,
}

impl Finding {
    /// A finding about all ToRs.
    pub fn of_all(severity: Severity, rule: Rule, text: String, remedy: impl ToString) -> Self {
        Self { severity, rule, tor: None, port: None, text, remedy: remedy.to_string() }
    }

    /// The same finding about one ToR.
    #[must_use]
    pub fn at(self, tor: TorId, port: Option<u32>) -> Self {
        Self { tor: Some(tor), port, ..self }
    }
}

/// What would go wrong with these switches in a dialect with this number of stages. Errors come first.
///
/// # Errors
/// [`InputError`] if a failure of the plan names a part that the fabric does not have.
pub fn findings(
    configs: &Configs<'_>,
    switches: &[SwitchConfig],
    dialect: u32,
) -> Result<Vec<Finding>, InputError> {
    let mut found = ports::signalling(configs.project, switches);
    found.extend(ports::too_few(configs.project, switches));
    found.extend(tables::sizes(configs.project, switches, dialect));
    found.extend(tables::hairpins(configs.project, switches));
    found.extend(reach::unreachable(configs, switches));
    found.extend(reach::missing_ports(switches));
    found.extend(reach::silent_sources(configs, switches)?);
    found.extend(tables::time_to_live(configs));
    found.extend(lossless::planned(configs));
    sort(&mut found);
    Ok(found)
}

/// Puts errors first. The order is otherwise kept.
pub fn sort(found: &mut [Finding]) {
    found.sort_by_key(|finding| finding.severity != Severity::Error);
}
