//! Housings and cablings that are tried.

use lightloom_plan::project::Project;
use lightloom_plant::Scheme;
use lightloom_request::{InputError, setting};
use lightloom_topology::hall::{Cabling, Housing};

/// What is tried: each housing, and both ways to lay fibres to frames, unless the settings say which.
pub(super) fn schemes(project: &Project) -> Result<Vec<Scheme>, InputError> {
    use setting::splitters::{CABLING, HOUSING, SPARE_POSITIONS};
    let (settings, said) = (&project.design().settings, project.design().scheme);
    let housings = match settings.get(&HOUSING)? {
        Some(housing) => vec![housing],
        None => Housing::ALL.to_vec(),
    };
    let spare_percent = settings.value(&SPARE_POSITIONS)?;
    let mut schemes = Vec::new();
    for housing in housings {
        let one =
            Scheme { splitter_polish: said.splitter_polish, ..Scheme::point_to_point(housing) };
        match settings.get(&CABLING)? {
            Some(_) => schemes.push(Scheme { housing, ..said }),
            None => schemes.push(one),
        }
        if housing == Housing::Zone && !settings.has(&CABLING) {
            schemes.push(Scheme { cabling: Cabling::Trunked, spare_percent, ..one });
        }
    }
    // Trunks need frames.
    schemes.retain(|scheme| !scheme.is_trunked() || scheme.housing == Housing::Zone);
    Ok(schemes)
}
