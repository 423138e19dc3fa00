//! Rollouts: what changes on each switch, one file a phase and switch, and `rollout.json` with their order.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_switching::fabric::Configs;
use lightloom_switching::rollout::{Loss, Phase, PhaseName, Rollout};
use lightloom_switching::rules::Encoding;
use lightloom_switching::stamp::Stamp;
use lightloom_topology::TorId;
use lightloom_units::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::configs::{ConfigFiles, Dialect, openflow, switch_name};

/// The order of a rollout.
pub const ROLLOUT: &str = "rollout.json";
/// The order of the way back.
pub const ROLLBACK: &str = "rollback.json";

/// Whether a file of this name is one of a folder of a rollout.
pub fn is_rollout_file(name: &str) -> bool {
    if [ROLLOUT, ROLLBACK].contains(&name) {
        return true;
    }
    let name = name.strip_prefix("back-").unwrap_or(name);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((number, rest)) = name.split_once('-') else { return false };
    let tor = rest.rsplit_once("-tor-").and_then(|(_, tor)| tor.strip_suffix(".bundle"));
    digits(number) && tor.is_some_and(digits)
}

/// The order of a rollout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RolloutManifest {
    /// What the file is: always "lightloom rollout".
    pub kind: String,
    /// Version of this file.
    pub version: u32,
    /// The dialect.
    pub dialect: Dialect,
    /// How entries match sources.
    pub encoding: Encoding,
    /// For each switch that changes, the stamp that it must carry, and the one that it carries at the end. A switch
    /// that carries another one is not touched.
    pub stamps: BTreeMap<TorId, StampsReport>,
    /// The phases, in order. Each begins when all switches have confirmed the one before.
    pub phases: Vec<PhaseManifest>,
}

/// The stamps of a switch before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StampsReport {
    /// `None`: the switch has no rules.
    pub from: Option<String>,
    /// `None`: the switch has no rules.
    pub to: Option<String>,
}

/// A phase of a rollout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseManifest {
    /// What it does.
    pub name: PhaseName,
    /// The file for each switch that changes.
    pub switches: BTreeMap<TorId, String>,
    /// Time to wait after all switches have confirmed it, in picoseconds.
    pub drain_ps: u64,
    /// For each source that misses ToRs until the next phase, those ToRs. `None`: all sources miss all ToRs.
    pub loses: Option<BTreeMap<TorId, Vec<TorId>>>,
    /// A source whose probe must reach every ToR before the next phase begins, one copy each.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub probe: Option<TorId>,
}

/// The files of a rollout and of the way back.
///
/// # Errors
/// [`InputError`] if the dialect has no changes in place.
pub fn files(
    new: &Configs<'_>,
    dialect: Dialect,
    there: &Rollout,
    back: &Rollout,
) -> Result<(RolloutManifest, ConfigFiles), InputError> {
    let mut files = Vec::new();
    let manifest = written(new, dialect, there, "", &mut files)?;
    let rollback = written(new, dialect, back, "back-", &mut files)?;
    for (name, manifest) in [(ROLLOUT, &manifest), (ROLLBACK, &rollback)] {
        let text = serde_json::to_string_pretty(manifest).expect("a rollout has text keys") + "\n";
        files.push((name.to_owned(), text.into_bytes()));
    }
    Ok((manifest, files))
}

fn written(
    configs: &Configs<'_>,
    dialect: Dialect,
    rollout: &Rollout,
    prefix: &str,
    files: &mut ConfigFiles,
) -> Result<RolloutManifest, InputError> {
    let tors = configs.project.fabric.tors();
    let mut phases = Vec::new();
    for (number, phase) in (1..).zip(&rollout.phases) {
        let mut switches = BTreeMap::new();
        for (&tor, delta) in &phase.switches {
            let name =
                format!("{prefix}{number:02}-{}-{}.bundle", phase.name, switch_name(tor, tors));
            let text = match dialect {
                Dialect::Openflow => openflow::changes(configs, delta),
                _ => return Err(without_rollout(dialect)),
            };
            switches.insert(tor, name.clone());
            files.push((name, text.into_bytes()));
        }
        phases.push(phase_manifest(phase, switches));
    }
    let text = |stamp: &Option<Stamp>| stamp.as_ref().map(ToString::to_string);
    let stamps = rollout.stamps.iter();
    let stamps =
        stamps.map(|(&tor, (from, to))| (tor, StampsReport { from: text(from), to: text(to) }));
    Ok(RolloutManifest {
        kind: "lightloom rollout".into(),
        version: 1,
        dialect,
        encoding: configs.encoding,
        stamps: stamps.collect(),
        phases,
    })
}

/// The refusal of a dialect without rollouts.
fn without_rollout(dialect: Dialect) -> InputError {
    InputError::new(format!(
        "{dialect} has no rollouts: its relay was never run, or is loaded in another dialect; take openflow, or load whole \
         configurations while the fabric is drained"
    ))
    .in_option("dialect")
}

fn phase_manifest(phase: &Phase, switches: BTreeMap<TorId, String>) -> PhaseManifest {
    PhaseManifest {
        name: phase.name,
        switches,
        drain_ps: Span::as_ps(phase.wait),
        loses: match &phase.loses {
            Loss::Of(lost) => Some(lost.clone()),
            Loss::Everything => None,
        },
        probe: phase.probe,
    }
}
