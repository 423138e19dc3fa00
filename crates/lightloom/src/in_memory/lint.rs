//! What would go wrong on real switches, before anything is loaded.

use std::path::{Path, PathBuf};

use lightloom_audit::read_class;
use lightloom_dialects::dialect::Dialect;
use lightloom_dialects::not_expressed::NotExpressed;
use lightloom_input::groups;
use lightloom_plan::project::Project;
use lightloom_request::{Error, InputError};
use lightloom_switching::capacity::{self, Needs, OfSwitch};
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::encoding::Encoding;
use lightloom_switching::fabric::Configs;
use lightloom_switching::lint::class::class_findings;
use lightloom_switching::lint::{Finding, Rule, Severity, findings, sort};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::configs::ConfigsOptions;

/// Number of stages where no dialect says it.
const STAGES: u32 = 2;

/// What would go wrong on real switches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LintReport {
    /// The switch model. `None`: the design names none.
    pub model: Option<String>,
    /// The dialect. `None`: what holds for all of them.
    pub dialect: Option<Dialect>,
    /// The folder whose files were compared. Not there if none was.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub files: Option<PathBuf>,
    /// How entries match sources.
    pub encoding: Encoding,
    /// Number of switches.
    pub switches: usize,
    /// Number of stages that the tables are counted for.
    pub stages: u32,
    /// What a switch needs at most of each table.
    pub needs: Needs,
    /// Number of errors.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
    /// What was found, errors first.
    pub findings: Vec<Finding>,
}

/// Looks for what would go wrong on real switches.
///
/// # Examples
/// ```
/// # use lightloom::{Request, open, setting};
/// # use lightloom::configs::{ConfigsOptions, Rule, lint};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// let report = lint(&open(&request)?, &ConfigsOptions::default())?;
/// assert_eq!(report.errors, 0);
/// // The design names no switch model.
/// assert!(report.findings.iter().any(|finding| finding.rule == Rule::FaultSignallingUnknown));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the groups are wrong, or if the fabric is too large to list rules.
pub fn lint(project: &Project, options: &ConfigsOptions) -> Result<LintReport, Error> {
    let encoding = options.encoding();
    let file = options.groups.as_deref();
    let (addresses, servers, lossless) = groups::read(project, encoding, file, &options.texts)?;
    let configs = Configs::new(project, encoding, addresses, servers)?.with_lossless(lossless);
    let switches = configs.switches();
    let read = match &options.files {
        Some(folder) => class_of_files(&configs, &switches, options, folder)?,
        None => Vec::new(),
    };
    let dialect = options.dialect.map_or(STAGES, Dialect::stages);
    let mut found = findings(&configs, &switches, dialect)?;
    // What is not known of the plan is not known of the files either.
    found.extend(read.into_iter().filter(|one| one.rule != Rule::LosslessUnknown));
    sort(&mut found);
    if let Some(dialect) = options.dialect {
        found.extend(dialect.not_expressed(&configs, &switches).iter().map(lacking));
        sort(&mut found);
    }
    let model = project.platform().model();
    let pipeline = model.map(|model| model.pipeline).unwrap_or_default();
    let stages = capacity::stages(&pipeline, dialect);
    let needs = OfSwitch::all(project, &switches, stages).into_iter().map(|of| of.needs);
    let errors = found.iter().filter(|one| one.severity == Severity::Error).count();
    Ok(LintReport {
        model: model.map(|model| model.name.clone()),
        dialect: options.dialect,
        files: options.files.clone(),
        encoding,
        switches: project.placement().switches().len(),
        stages,
        needs: needs.fold(Needs::default(), Needs::most),
        errors,
        warnings: found.len() - errors,
        findings: found,
    })
}

/// What is wrong with the lossless class in the files that switches have.
fn class_of_files(
    configs: &Configs<'_>,
    switches: &[SwitchConfig],
    options: &ConfigsOptions,
    folder: &Path,
) -> Result<Vec<Finding>, Error> {
    let refuse = |message: &str| InputError::new(message).in_option("files");
    if options.dialect != Some(Dialect::Sonic) {
        return Err(refuse("can be read with the dialect sonic only; ask for it").into());
    }
    let Some(lossless) = &configs.lossless else {
        let message = "are compared with the lossless class, and no file of groups has [lossless]; \
                       give one that has it";
        return Err(refuse(message).into());
    };
    let read = read_class(configs, lossless, switches, folder, &options.texts)?;
    Ok(class_findings(lossless.buffer.size, lossless.marking, &read))
}

/// What a dialect cannot express, as a finding.
fn lacking(lacks: &NotExpressed) -> Finding {
    let severity = if lacks.loses_packets { Severity::Error } else { Severity::Warning };
    let NotExpressed { what, why, instead, switches, .. } = lacks;
    let text = format!("{what} ({switches} switches): {why}");
    Finding::of_all(severity, Rule::NotExpressed, text, instead)
}
