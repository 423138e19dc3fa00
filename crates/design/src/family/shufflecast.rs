//! The family of the Shufflecast paper.

use lightloom_request::setting::fabric::{EDGES, FAMILY, K, P, TORS};
use lightloom_request::{InputError, Key, Value};
use lightloom_topology::family::{CustomError, Shufflecast};
use lightloom_topology::{Fabric, FabricError};

use super::asked::Asked;
use super::of::{FabricFamily, FamilyFabric};
use crate::choose;

impl FamilyFabric for Shufflecast {
    fn p(&self) -> u32 {
        Self::p(*self)
    }

    fn tors(&self) -> Option<u32> {
        Some(Self::tors(*self))
    }

    fn shape(&self) -> Option<Shufflecast> {
        Some(*self)
    }

    fn size(&self) -> &'static Key {
        &K
    }

    fn settings(&self) -> Vec<(Key, Value)> {
        vec![(*K, Value::Integer(self.k().into()))]
    }

    fn comment(&self) -> &'static str {
        "A p,k-Shufflecast has k p^k ToRs."
    }

    fn build(&self) -> Result<Fabric, CustomError> {
        Ok(self.fabric()?)
    }
}

impl FabricFamily for Shufflecast {
    fn unused() -> Vec<&'static Key> {
        vec![&EDGES]
    }

    fn read(asked: &Asked<'_>) -> Result<Self, InputError> {
        let Asked { settings, p, k, tors, said_tors, .. } = *asked;
        if let (Some(p), Some(k)) = (p, k) {
            let shape = Self::new(p, k).map_err(|error| settings.refuse(blame(&error), error))?;
            if let Some(said) = said_tors.filter(|&said| said != shape.tors()) {
                let message =
                    format!("found {said}, but a {p},{k}-Shufflecast has {} ToRs", shape.tors());
                return Err(settings.refuse(&TORS, message));
            }
            return Ok(shape);
        }
        let Some(tors) = tors else {
            let missing = if p.is_none() { &P } else { &K };
            let message = "is missing; a Shufflecast needs p and k, such as 4 and 4";
            return Err(settings.refuse(missing, message));
        };
        let shape = match (p, k) {
            (Some(p), _) => Self::with_tors(p, tors),
            (None, Some(k)) => (2..=1024)
                .filter_map(|p| Self::new(p, k).ok())
                .find(|shape| Self::tors(*shape) == tors),
            // One column if nothing better fits.
            (None, None) => choose::shape_for(tors, None).or_else(|| Self::new(tors, 1).ok()),
        };
        shape.ok_or_else(|| {
            let message = format!(
                "{tors} ToRs fit no such Shufflecast (k p^k); take the kautz family, which fits any number"
            );
            settings.refuse(&FAMILY, message)
        })
    }

    fn with_tors(p: u32, tors: u32) -> Option<Result<Self, String>> {
        let none = || format!("no number of columns k gives k p^k = {tors} ToRs");
        Some(Self::with_tors(p, tors).ok_or_else(none))
    }
}

/// The setting that a shape's error is about.
fn blame(error: &FabricError) -> &'static Key {
    match error {
        FabricError::FanOut(_) => &P,
        FabricError::Tors(_) => &TORS,
        _ => &K,
    }
}
