//! Reads the fabric from the settings.

use std::path::Path;

use lightloom_request::choices::Family;
use lightloom_request::{InputError, Key, Settings, Value, setting};
use lightloom_topology::family::Shufflecast;
use lightloom_topology::{CassetteId, FabricError, TorId};

use crate::choose;
use crate::fabric_spec::FabricSpec;
use crate::inventory::Inventory;

/// The edges of a fabric: (ToR, cassette that feeds it, cassette that it transmits into).
pub type Edges = Vec<(TorId, CassetteId, CassetteId)>;

/// Reads the edge list of a fabric with a fan-out.
pub type ReadEdges<'a> = &'a dyn Fn(&Path, u32) -> Result<Edges, InputError>;

/// The fabric of the settings. Values that are not given are chosen.
pub fn read_spec(
    settings: &Settings,
    inventory: Option<&Inventory>,
    read_edges: ReadEdges<'_>,
) -> Result<FabricSpec, InputError> {
    let p: Option<u32> = settings.get(&setting::fabric::P)?;
    let k: Option<u32> = settings.get(&setting::fabric::K)?;
    let said_tors: Option<u32> = settings.get(&setting::fabric::TORS)?;
    let racks = inventory.map(|inventory| {
        let frames =
            settings.get(&setting::splitters::FRAMES).ok().flatten().map_or(0, |named| named.len());
        u32::try_from(inventory.racks.len().saturating_sub(frames)).unwrap_or(u32::MAX)
    });
    let tors = said_tors.or(racks);
    let family = settings.get(&setting::fabric::FAMILY)?;
    let unused: &[&Key] = match family {
        Some(Family::Shufflecast) | None => &[&setting::fabric::EDGES],
        Some(Family::Kautz) => &[&setting::fabric::K, &setting::fabric::EDGES],
        Some(Family::Custom) => &[&setting::fabric::K, &setting::fabric::TORS],
    };
    if let Some(key) = unused.iter().find(|key| settings.has(key)) {
        let family = family.map_or("open", Family::name);
        return Err(settings.refuse(key, format!("has no meaning when the family is {family}")));
    }
    let need_p = || {
        p.ok_or_else(|| {
            settings
                .refuse(&setting::fabric::P, "is missing; give the splitter's fan-out, such as 4")
        })
    };
    let need_tors = || {
        tors.ok_or_else(|| {
            settings.refuse(
                &setting::fabric::TORS,
                "is missing; give the number of ToRs, or an inventory",
            )
        })
    };
    match family {
        Some(Family::Custom) => {
            let p = need_p()?;
            let path = settings.path(&setting::fabric::EDGES)?.ok_or_else(|| {
                settings.refuse(
                    &setting::fabric::EDGES,
                    "is missing; name a CSV file with columns tor,from_cassette,to_cassette",
                )
            })?;
            read_edges(&path, p).map(|edges| FabricSpec::Custom { p, edges, seats: Vec::new() })
        }
        Some(Family::Kautz) => {
            let tors = need_tors()?;
            let p = p.unwrap_or_else(|| choose::fan_out_for(tors));
            Ok(FabricSpec::Kautz { p, tors })
        }
        Some(Family::Shufflecast) => shufflecast(settings, p, k, tors, said_tors),
        None if k.is_some() => shufflecast(settings, p, k, tors, said_tors),
        None => Ok(choose::fabric_for(need_tors()?, p)),
    }
}

/// The setting that a shape's error is about.
fn blame(error: &FabricError) -> &'static Key {
    match error {
        FabricError::FanOut(_) => &setting::fabric::P,
        FabricError::Tors(_) => &setting::fabric::TORS,
        _ => &setting::fabric::K,
    }
}

fn shufflecast(
    settings: &Settings,
    p: Option<u32>,
    k: Option<u32>,
    tors: Option<u32>,
    said_tors: Option<u32>,
) -> Result<FabricSpec, InputError> {
    if let (Some(p), Some(k)) = (p, k) {
        let shape = Shufflecast::new(p, k).map_err(|e| settings.refuse(blame(&e), e))?;
        if let Some(said) = said_tors.filter(|&said| said != shape.tors()) {
            let message =
                format!("found {said}, but a {p},{k}-Shufflecast has {} ToRs", shape.tors());
            return Err(settings.refuse(&setting::fabric::TORS, message));
        }
        return Ok(FabricSpec::Shufflecast(shape));
    }
    let Some(tors) = tors else {
        let missing = if p.is_none() { &setting::fabric::P } else { &setting::fabric::K };
        return Err(
            settings.refuse(missing, "is missing; a Shufflecast needs p and k, such as 4 and 4")
        );
    };
    let shape = match (p, k) {
        (Some(p), _) => Shufflecast::with_tors(p, tors),
        (None, Some(k)) => {
            (2..=1024).filter_map(|p| Shufflecast::new(p, k).ok()).find(|s| s.tors() == tors)
        }
        (None, None) => match choose::fabric_for(tors, None) {
            FabricSpec::Shufflecast(shape) => Some(shape),
            // One column if nothing better fits.
            _ => Shufflecast::new(tors, 1).ok(),
        },
    };
    shape.map(FabricSpec::Shufflecast).ok_or_else(|| {
        let message = format!(
            "{tors} ToRs fit no such Shufflecast (k p^k); take the kautz family, which fits any \
            number"
        );
        settings.refuse(&setting::fabric::FAMILY, message)
    })
}

/// The settings that define a fabric, with their values.
pub fn fabric_settings(spec: &FabricSpec) -> Vec<(Key, Value)> {
    use setting::fabric::{FAMILY, K, P, TORS};
    let number = |n: u32| Value::Integer(n.into());
    let mut said = vec![(*FAMILY, Value::from(spec.family().name())), (*P, number(spec.p()))];
    match spec {
        FabricSpec::Shufflecast(shape) => said.push((*K, number(shape.k()))),
        FabricSpec::Kautz { tors, .. } => said.push((*TORS, number(*tors))),
        FabricSpec::Custom { .. } => {}
    }
    said
}
