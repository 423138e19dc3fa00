//! Checks a written plan from its files alone.
//!
//! Two independent proofs. First, the plan is made again from the inputs in `plan.json`, and every file is
//! compared with it, row by row. Second, packets are replayed over the fibres in `cables.csv` with the rules
//! in `rules.json`. A change that affects no fibre, port, order or rule is not an error. An example is a
//! spare rack that moved.

use std::collections::BTreeMap;
use std::path::Path;

#[cfg(feature = "folders")]
use lightloom_export::output::MARK;
use lightloom_export::papers::{cords, labels, maps, modules, strands, trunks, work};
use lightloom_export::pictures::{elevations, floor_plan};
use lightloom_export::rules::FILE as RULES;
use lightloom_export::{acceptance, as_built, bom, cables, growth, plan, ports, pull_sheet};
use lightloom_input::plan_folder::{self, WrittenPlan};
use lightloom_input::text::{self, Table};
use lightloom_plan::document::PlanDocument;
use lightloom_plan::memory::Work;
use lightloom_plan::project::Project;
use lightloom_plan::prove;
use lightloom_plan::prove::Proved;
use lightloom_plan::standing::WithoutFailures;
use lightloom_plan::verify::Verification;
use lightloom_request::{Error, InputError, Texts};
use lightloom_routing::failure::Damage;
use lightloom_routing::verify::{Demand, InstalledRules, LightMap, Unproved, verify_all};
use lightloom_topology::TorId;
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::faults::Faults;
use crate::labels as cable_labels;
use crate::rules::RulesFile;

/// Largest plan file, in bytes.
pub(crate) const MAX_BYTES: u64 = 8 << 30;

/// The sheets of a plan, and the columns that identify a row.
const SHEETS: [(&str, &[&str]); 14] = [
    (cables::FILE, &["label"]),
    (ports::FILE, &["tor", "port"]),
    (bom::FILE, &["item", "variant", "stock_m", "part"]),
    (pull_sheet::FILE, &["label"]),
    (acceptance::FILE, &["label"]),
    (growth::CORDS, &["label"]),
    (as_built::FILE, &["label"]),
    (cords::FILE, &["label"]),
    (trunks::FILE, &["label"]),
    (modules::FILE, &["module", "kind"]),
    (strands::FILE, &["trunk", "strand"]),
    (
        maps::FILE,
        &["map", "from_side", "from_port", "from_position", "to_side", "to_port", "to_position"],
    ),
    (labels::FILE, &["item", "end", "identifier"]),
    (work::FILE, &["package"]),
];

/// The columns that identify a row of a sheet. `None`: the file is no sheet.
pub(crate) fn key_of(name: &str) -> Option<&'static [&'static str]> {
    SHEETS.iter().find(|(sheet, _)| *sheet == name).map(|(_, key)| *key)
}

/// Result of checking a plan folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VerifyReport {
    /// Whether all files and all packets are correct, and every source reaches every other ToR. Sources that are given
    /// up do not count.
    pub good: bool,
    /// Number of errors. A plan without errors that is not good goes around failures that cut ToRs off: see `cut_off`
    /// in `verification`.
    pub faults: usize,
    /// The first errors.
    pub first_faults: Vec<String>,
    /// Proved properties of a plan without errors, with the failures that it goes around.
    pub verification: Option<Verification>,
    /// The failures that the plan goes around. Empty: none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub failed: Vec<String>,
    /// The sources that the method of the recovery gives up. Only Algorithm 2 has such sources.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub given_up: Vec<TorId>,
    /// The same figures without these failures. `None`: the plan has no failures, or errors.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub without_failures: Option<WithoutFailures>,
}

/// Checks the plan in a folder.
///
/// # Errors
/// [`Error::Input`] if a file is missing or has the wrong format.
#[cfg(feature = "folders")]
pub fn verify_folder<'a>(
    plan: impl Into<WrittenPlan<'a>>,
    watch: Watch<'_>,
) -> Result<VerifyReport, Error> {
    Ok(examine_folder(plan, watch)?.report)
}

/// A checked plan: the project of its folder, and the plan that was made again from it.
#[derive(Debug)]
pub struct Examined {
    /// The project.
    pub project: Project,
    /// The plan that was made again.
    pub proved: Proved,
    /// The files as they are, by name.
    pub found: BTreeMap<&'static str, String>,
    /// The result of the check.
    pub report: VerifyReport,
    /// Number of errors of the plan itself, which are the first ones. All others are of the files.
    pub of_plan: usize,
}

/// Checks the plan in a folder, and hands on what it was checked with.
///
/// # Errors
/// [`Error::Input`] if a file is missing or has the wrong format, or if the plan needs more memory than it may take.
#[cfg(feature = "folders")]
pub fn examine_folder<'a>(
    plan: impl Into<WrittenPlan<'a>>,
    watch: Watch<'_>,
) -> Result<Examined, Error> {
    let plan = plan.into();
    plan_folder::check_sizes(plan, &plan::PLAN_FILES)?;
    examine(plan, &Texts::default(), foreign_files, watch)
}

/// Checks a plan whose texts are in memory, and hands on what it was checked with.
///
/// # Errors
/// As [`verify_texts`].
pub fn examine_texts(folder: &Path, texts: &Texts, watch: Watch<'_>) -> Result<Examined, Error> {
    examine(folder.into(), texts, |_| Ok(Vec::new()), watch)
}

/// Checks a plan whose texts are in memory, under the paths that they would have in `folder`.
///
/// # Errors
/// [`Error::Input`] if a text is missing or has the wrong format.
pub fn verify_texts(folder: &Path, texts: &Texts, watch: Watch<'_>) -> Result<VerifyReport, Error> {
    Ok(examine_texts(folder, texts, watch)?.report)
}

/// Checks a plan. `foreign` lists files of the folder, among them all that are not files of a plan.
fn examine(
    written: WrittenPlan<'_>,
    texts: &Texts,
    foreign: impl Fn(&Path) -> Result<Vec<String>, InputError>,
    watch: Watch<'_>,
) -> Result<Examined, Error> {
    let folder = written.folder;
    let document = plan_folder::read(written, texts)?;
    let file = folder.join(PlanDocument::FILE);
    let project = plan_folder::opened(&document, &file, written.memory)?;
    project.check_memory(Work::Verified)?;
    let mut found = BTreeMap::new();
    for name in plan::files_of(&project) {
        found.insert(name, text::read_up_to(texts, &folder.join(name), MAX_BYTES)?);
    }
    let rules = RulesFile::parse(&folder.join(RULES), &found[RULES])?;
    let proved = prove::prove(&project.laid()?, watch)?;
    let expected = plan::files(&proved);
    let report = &proved.report;
    let mut faults = Faults::default();
    for tray in report.trays.iter().filter(|tray| tray.overflows()) {
        faults.add(|| tray.fault());
    }
    if let Some(trouble) = report.optical.trouble() {
        faults.add(|| format!("{trouble} (optical is {:?})", report.optical.name()));
    }
    let of_plan = faults.count;
    let own = plan::files_of(&project);
    for name in foreign(folder)?.into_iter().filter(|name| !own.contains(&name.as_str())) {
        faults.add(|| format!("{name:?} is no file of a plan"));
    }
    // Each file that was made is freed once it is compared. The replay below needs memory of its own.
    for (name, bytes) in expected {
        let (path, found) = (folder.join(name), &found[name]);
        if found.as_bytes() == bytes.as_slice() {
            continue;
        }
        let made = String::from_utf8_lossy(&bytes);
        match key_of(name) {
            Some(key) => compare_sheets(&path, found, &made, key, &mut faults)?,
            None if [floor_plan::FILE, elevations::FILE].contains(&name) => {
                compare_pictures(&path, found, &made, &mut faults)?;
            }
            None if name == RULES => rules.compare(&RulesFile::parse(&path, &made)?, &mut faults),
            None => {
                let made = parse_json(&path, &made)?;
                compare_values(name, &parse_json(&path, found)?, &made, &mut faults);
            }
        }
    }
    let cables = folder.join(cables::FILE);
    cable_labels::check(&cables, &Table::parse(&cables, &found[cables::FILE])?, |fault| {
        faults.add(|| fault)
    });
    // If the file only names the router, the plan that was made again has already proved a sample.
    if let Some(installed) = rules.installed(project.fabric().tors()) {
        replay(&project, folder, &found[cables::FILE], &installed, watch, &mut faults)?;
    }
    let is_sound = faults.count == 0;
    let verification = is_sound.then(|| report.verification.clone());
    let report = VerifyReport {
        good: is_sound && report.restored(),
        verification,
        failed: report.recovery.as_ref().map_or_else(Vec::new, |recovery| recovery.failed.clone()),
        given_up: report.given_up().to_vec(),
        without_failures: report.without_failures.clone().filter(|_| is_sound),
        faults: faults.count,
        first_faults: faults.first,
    };
    Ok(Examined { project, proved, found, report, of_plan })
}

/// Compares two pictures, of which the first line that differs is told.
fn compare_pictures(
    path: &Path,
    found: &str,
    made: &str,
    faults: &mut Faults,
) -> Result<(), InputError> {
    if !found.starts_with("<?xml") {
        return Err(InputError::new("is no SVG picture").in_file(path));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let same = found.lines().zip(made.lines()).take_while(|(found, made)| found == made).count();
    faults.add(|| format!("{name}:{}: is not the picture of the plan", same + 1));
    Ok(())
}

/// Files in the folder that not every plan has, in order.
#[cfg(feature = "folders")]
fn foreign_files(folder: &Path) -> Result<Vec<String>, InputError> {
    let refuse = |error| InputError::new(format!("cannot be read: {error}")).in_file(folder);
    let mut foreign = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(refuse)? {
        let name = entry.map_err(refuse)?.file_name().to_string_lossy().into_owned();
        if !plan::PLAN_FILES.contains(&name.as_str()) && name != MARK {
            foreign.push(name);
        }
    }
    foreign.sort_unstable();
    Ok(foreign)
}

/// Rows by key, with their lines. A repeated key is an error.
fn rows_by_key<'a>(
    table: &'a Table,
    path: &'a Path,
    name: &str,
    key: &[&str],
    faults: &mut Faults,
) -> BTreeMap<Vec<&'a str>, (u64, Vec<&'a str>)> {
    let mut rows = BTreeMap::new();
    for record in table.records(path) {
        let of_key = key.iter().map(|column| record.raw(column)).collect::<Vec<_>>();
        let cells = table.header().iter().map(|column| record.raw(column)).collect();
        let line = record.line();
        if rows.insert(of_key.clone(), (line, cells)).is_some() {
            faults.add(|| format!("{name}:{line}: {} is there twice", of_key.join(" ")));
        }
    }
    rows
}

pub(crate) fn compare_sheets(
    path: &Path,
    found: &str,
    made: &str,
    key: &[&str],
    faults: &mut Faults,
) -> Result<(), InputError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (found, made) = (Table::parse(path, found)?, Table::parse(path, made)?);
    found.require(path, &made.header().iter().map(String::as_str).collect::<Vec<_>>())?;
    if found.header() != made.header() {
        faults.add(|| format!("{name}:1: the columns are not those of a plan"));
        return Ok(());
    }
    let found_rows = rows_by_key(&found, path, &name, key, faults);
    let made_rows = rows_by_key(&made, path, &name, key, faults);
    for (row, (_, cells)) in &made_rows {
        match found_rows.get(row) {
            None => faults.add(|| format!("{name}: {} is missing", row.join(" "))),
            Some((line, there)) => {
                for ((column, found), expected) in made.header().iter().zip(there).zip(cells) {
                    if found != expected {
                        faults.add(|| {
                            format!(
                                "{name}:{line}: {column} of {} is {found:?}; the plan says \
                                {expected:?}",
                                row.join(" ")
                            )
                        });
                    }
                }
            }
        }
    }
    for (row, (line, _)) in found_rows.iter().filter(|(row, _)| !made_rows.contains_key(*row)) {
        faults.add(|| format!("{name}:{line}: {} is not in the plan", row.join(" ")));
    }
    Ok(())
}

fn parse_json(path: &Path, text: &str) -> Result<Value, InputError> {
    serde_json::from_str(text).map_err(|error| {
        InputError::new(format!("is not JSON: {error}")).in_file(path).at_line(error.line() as u64)
    })
}

/// Compares two JSON values, leaf by leaf.
fn compare_values(at: &str, found: &Value, made: &Value, faults: &mut Faults) {
    match (found, made) {
        (Value::Object(found), Value::Object(made)) => {
            for key in found.keys().filter(|key| !made.contains_key(*key)) {
                faults.add(|| format!("{at}.{key}: is not in the plan"));
            }
            for (key, made) in made {
                let found = found.get(key).unwrap_or(&Value::Null);
                compare_values(&format!("{at}.{key}"), found, made, faults);
            }
        }
        (Value::Array(found), Value::Array(made)) if found.len() == made.len() => {
            for (i, (found, made)) in found.iter().zip(made).enumerate() {
                compare_values(&format!("{at}[{i}]"), found, made, faults);
            }
        }
        // 156 and 156.0 are the same number.
        (Value::Number(found), Value::Number(made)) if found.as_f64() == made.as_f64() => {}
        (found, made) if found != made => {
            faults.add(|| format!("{at}: found {found}; the plan says {made}"));
        }
        _ => {}
    }
}

/// Replays packets over the listed fibres with the listed rules, filters and stand-ins. Damage comes from
/// `plan.json`. The ToRs that must be reached follow from fibres and damage.
fn replay(
    project: &Project,
    folder: &Path,
    cables: &str,
    installed: &InstalledRules,
    watch: Watch<'_>,
    faults: &mut Faults,
) -> Result<(), Error> {
    let tors = project.fabric().tors();
    let path = folder.join(cables::FILE);
    let table = Table::parse(&path, cables)?;
    let mut fibres = Vec::new();
    for record in table.records(&path).filter(|record| record.cell("kind") == "branch") {
        let tor =
            |column: &str| record.cell(column).parse().ok().filter(|&t: &u32| (t as usize) < tors);
        match (tor("from_tor"), tor("to_tor")) {
            (Some(from), Some(to)) => fibres.push((TorId(from), TorId(to))),
            _ => faults.add(|| {
                format!("{}:{}: an end is no ToR of the plan", cables::FILE, record.line())
            }),
        }
    }
    let (damage, bound, gives_up) = match project.recovery() {
        Some((failed, method)) => (project.damage(failed)?, None, method.gives_up()),
        None => {
            let sound = Damage::new(project.fabric(), &[]).map_err(InputError::new)?;
            (sound, Some(prove::promised_hops(project, project.fabric().tor_ids())), false)
        }
    };
    let light = LightMap::new(tors, fibres);
    let demand = Demand { damage: &damage, bound, gives_up };
    match verify_all(&light, project.fabric().fan_out(), installed, &demand, watch) {
        Err(Unproved::Stopped(stopped)) => return Err(stopped.into()),
        Err(Unproved::Violation(violation)) => faults.add(|| format!("replay: {violation}")),
        Ok(_) => {}
    }
    Ok(())
}
