//! Rollouts: what changes on each switch, one file a phase and switch, and `rollout.json` with their order.

use std::collections::BTreeMap;

use lightloom_plan::recover::drain;
use lightloom_request::InputError;
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::encoding::Encoding;
use lightloom_switching::fabric::Configs;
use lightloom_switching::rollout::{Loss, Phase, PhaseName, Rollout};
use lightloom_switching::stamp::Stamp;
use lightloom_topology::TorId;
use lightloom_units::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dialect::Dialect;
use crate::folder::{ConfigFiles, switch_name};
use crate::language::{Changing, Instead, is_number};
use crate::not_expressed::{NotExpressed, lacking};

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
    let Some((number, rest)) = name.split_once('-') else { return false };
    let Some((_, rest)) = rest.rsplit_once("-tor-") else { return false };
    let Some((tor, kind)) = rest.split_once('.') else { return false };
    let languages = Dialect::ALL.into_iter().map(Dialect::language);
    let is_ending = languages.map(|language| language.phase_files()).any(|files| files.has(kind));
    is_number(number) && is_number(tor) && is_ending
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
    /// What stands behind the files.
    pub proof: String,
    /// What the waits after deletions rest on. Empty if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub drain: Vec<String>,
    /// What the dialect cannot express, phases among it. Their names begin with "phase".
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub not_expressed: Vec<NotExpressed>,
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
    /// The files for each switch that changes, in the order in which they are loaded.
    pub switches: BTreeMap<TorId, Vec<String>>,
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
/// [`InputError`] if a switch model cannot hold or do what its switches are told, or if the dialect cannot write a
/// name.
pub fn files(
    old: &Configs<'_>,
    new: &Configs<'_>,
    dialect: Dialect,
    there: &Rollout,
    back: &Rollout,
) -> Result<(RolloutManifest, ConfigFiles), InputError> {
    let told = [(old, old.switches()), (new, new.switches())];
    for (configs, switches) in &told {
        dialect.fits(configs, switches)?;
    }
    let [(_, before), (_, after)] = &told;
    let mut files = Vec::new();
    let manifest = written([old, new], after, dialect, there, "", &mut files)?;
    let rollback = written([new, old], before, dialect, back, "back-", &mut files)?;
    for (name, manifest) in [(ROLLOUT, &manifest), (ROLLBACK, &rollback)] {
        let text = serde_json::to_string_pretty(manifest).expect("a rollout has text keys") + "\n";
        files.push((name.to_owned(), text.into_bytes()));
    }
    Ok((manifest, files))
}

fn written(
    configs: [&Configs<'_>; 2],
    switches: &[SwitchConfig],
    dialect: Dialect,
    rollout: &Rollout,
    prefix: &str,
    files: &mut ConfigFiles,
) -> Result<RolloutManifest, InputError> {
    let language = dialect.language();
    // The names of both ways have as many digits.
    let tors = configs.map(|of| of.project.fabric().tors()).into_iter().max().unwrap_or(0);
    let (mut phases, mut not_expressed) = (Vec::new(), dialect.not_expressed(configs[1], switches));
    for (number, phase) in (1..).zip(&rollout.phases) {
        let mut switches = BTreeMap::new();
        let mut silent = 0;
        for (&tor, delta) in &phase.switches {
            let start = format!("{prefix}{number:02}-{}-{}", phase.name, switch_name(tor, tors));
            let plans = told_by(phase.name, configs);
            let written = language.changes(Changing { plans, phase: phase.name, delta })?;
            if written.is_empty() {
                // The phase changes entries of accelerators only. `groups of accelerators` already says that the
                // dialect has none.
                let is_beside = language.no_redirect().is_some()
                    && !delta.is_nothing()
                    && delta.without_accelerator().is_nothing();
                silent += usize::from(!is_beside);
                continue;
            }
            let ending = |number| language.phase_files().ending(number);
            let names =
                (1..).take(written.len()).map(|number| format!("{start}.{}", ending(number)));
            let names: Vec<String> = names.collect();
            let texts = written.into_iter().map(String::into_bytes);
            files.extend(names.iter().cloned().zip(texts));
            switches.insert(tor, names);
        }
        if silent > 0 {
            not_expressed.extend(language.silence(phase.name).map(|Instead { why, instead }| {
                lacking(&format!("phase {}", phase.name), why, instead, silent)
            }));
        }
        if !switches.is_empty() {
            phases.push(phase_manifest(phase, switches));
        }
    }
    let text = |stamp: &Option<Stamp>| stamp.as_ref().map(ToString::to_string);
    let stamps = rollout.stamps.iter();
    let stamps =
        stamps.map(|(&tor, (from, to))| (tor, StampsReport { from: text(from), to: text(to) }));
    Ok(RolloutManifest {
        kind: "lightloom rollout".into(),
        version: 1,
        dialect,
        encoding: configs[1].encoding,
        proof: language.phase_proof().into(),
        drain: if phases.iter().any(|phase| phase.drain_ps > 0) {
            drain_rests_on(configs[0])?
        } else {
            Vec::new()
        },
        not_expressed,
        stamps: stamps.collect(),
        phases,
    })
}

/// What the wait for packets under the rules of a plan rests on.
fn drain_rests_on(old: &Configs<'_>) -> Result<Vec<String>, InputError> {
    let drain = drain(&old.project.laid()?, old.rules.max_hops);
    let assumed = drain.assumed.into_iter().map(|what| format!("assumed: {what}"));
    let stands_in = (!old.rules.installed.via.is_empty()).then(|| {
        "packets to stand-ins go over links; where these may be paused or carry other traffic, no wait is long \
         enough for certain"
            .to_owned()
    });
    Ok(assumed.chain(stands_in).collect())
}

/// The plans that the configurations before and after a phase belong to.
fn told_by<'a>(phase: PhaseName, [old, new]: [&'a Configs<'a>; 2]) -> [&'a Configs<'a>; 2] {
    match phase {
        PhaseName::Close => [old, old],
        PhaseName::Ports | PhaseName::Members | PhaseName::Replace => [old, new],
        _ => [new, new],
    }
}

fn phase_manifest(phase: &Phase, switches: BTreeMap<TorId, Vec<String>>) -> PhaseManifest {
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
