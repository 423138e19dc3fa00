//! Whether the files of a plan folder that a run depends on agree with its `plan.json`.
//!
//! A run is made from `plan.json` alone. Somebody who edits `rules.json` expects that the run follows the file. This is
//! compared with much less work than `verify` does: nothing is proved and nothing is replayed.

use lightloom_export::rules::Rules;
use lightloom_export::{cables, ports, rules};
use lightloom_input::plan_folder::{self, WrittenPlan};
use lightloom_input::scenario::PlanUsed;
use lightloom_input::text;
use lightloom_plan::bill;
use lightloom_plan::document::PlanDocument;
use lightloom_request::{InputError, Texts};
use lightloom_routing::verify::{Accept, Via};

use crate::faults::Faults;
use crate::folder::{MAX_BYTES, compare_sheets, key_of};
use crate::rules::RulesFile;

/// What a user can do about a file that disagrees.
const REMEDY: &str = "a run is made from plan.json. `lightloom verify` lists all differences; write the plan again, or \
                      name plan.json itself in the scenario to run what it says";

/// Compares `cables.csv`, `ports.csv` and `rules.json` of a plan folder with what its `plan.json` says.
///
/// # Errors
/// [`InputError`] at the first file that is missing, that has the wrong format or that says something else.
pub fn check_agreement(plan: &PlanUsed, texts: &Texts) -> Result<(), InputError> {
    let project = &plan.project;
    let written = WrittenPlan { folder: &plan.folder, memory: project.design().memory };
    plan_folder::check_sizes(written, &[rules::FILE, cables::FILE, ports::FILE])?;
    let laid = project.laid()?;
    let wires = laid.plant();
    let on_fibres = bill::on_fibres(project.optics());
    let expected = [
        (rules::FILE, rules_of(plan)?),
        (cables::FILE, cables::csv(wires, &on_fibres)),
        (ports::FILE, ports::csv(wires)),
    ];
    for (name, bytes) in expected {
        let path = plan.folder.join(name);
        let refuse = |why: &str| InputError::new(format!("{why}; {REMEDY}")).in_file(&path);
        let found = text::read_up_to(texts, &path, MAX_BYTES)
            .map_err(|error| refuse(&error.message.to_string()))?;
        if found.as_bytes() == bytes.as_slice() {
            continue;
        }
        let made = String::from_utf8_lossy(&bytes);
        let mut faults = Faults::default();
        match key_of(name) {
            Some(key) => compare_sheets(&path, &found, &made, key, &mut faults)?,
            None => {
                let made = RulesFile::parse(&path, &made)?;
                RulesFile::parse(&path, &found)?.compare(&made, &mut faults);
            }
        }
        if let Some(first) = faults.first.first() {
            let others = match faults.count - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let document = PlanDocument::FILE;
            return Err(refuse(&format!("does not agree with {document}: {first}{others}")));
        }
    }
    Ok(())
}

/// The content of `rules.json`.
fn rules_of(plan: &PlanUsed) -> Result<Vec<u8>, InputError> {
    let project = &plan.project;
    if let Some(recovered) = &plan.recovered {
        let (relays, accept, via) = (&recovered.lists, &recovered.accept, &recovered.via);
        return Ok(rules::json(Rules { relays, accept, via }));
    }
    let rows = project.relay_rows()?;
    Ok(match rows.tables() {
        Some(tables) => {
            let relays = tables.sources_by_relay(project.fabric());
            rules::json(Rules { relays: &relays, accept: &Accept::new(), via: &Via::new() })
        }
        None => rules::router_json(project.design().router.name()),
    })
}
