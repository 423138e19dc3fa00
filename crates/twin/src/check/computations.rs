//! What hosts compute.

use lightloom_setup::Setup;

use super::{LATEST, LONGEST, MOST_OF_A_KIND, SetupError, host};

pub(super) fn check(setup: &Setup<'_>) -> Result<(), SetupError> {
    const WHAT: &str = "computation";
    if setup.computations.len() > MOST_OF_A_KIND {
        return Err(SetupError::TooMany { what: "computations", most: MOST_OF_A_KIND });
    }
    for (number, computation) in setup.computations.iter().enumerate() {
        let refuse =
            |field, expected| Err(SetupError::Value { what: WHAT, number, field, expected });
        host(setup, WHAT, number, computation.host)?;
        let first = setup.first_computation();
        if computation.begun.iter().any(|before| before.index() < first) {
            return refuse("begun", "computations");
        }
        if computation.takes > LONGEST {
            return refuse("takes", "at most 2^60 ps");
        }
        if computation.start > LATEST {
            return refuse("start", "at most 2^63 ps");
        }
    }
    Ok(())
}
