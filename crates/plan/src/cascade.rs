//! Failures where link fault signalling is on: the ToRs that it silences, and the figures without it.

use std::borrow::Cow;

use lightloom_request::InputError;
use lightloom_routing::failure::{Damage, Failure, NoSuchPart};
use lightloom_routing::fault_signalling::{Cause, silenced, with_silenced};
use lightloom_topology::TorId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failure_set::{FailureSet, refuse};
use crate::project::Project;

/// Effect of link fault signalling on an answer about failures. The answer itself counts the silenced ToRs as
/// ToRs whose transmitter has failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CascadeReport<T> {
    /// The ToRs whose transmitter works but sends no frames, ascending.
    pub silenced: Vec<SilencedReport>,
    /// The same figures with link fault signalling off.
    pub without: T,
}

/// A ToR that link fault signalling keeps from sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SilencedReport {
    /// The ToR.
    pub tor: TorId,
    /// Why it sends no frames.
    pub cause: Cause,
    /// The ToR that its transmit port, port 0, should hear.
    pub hears: TorId,
}

impl<T> CascadeReport<T> {
    /// The silenced ToRs by cause, with each cause in words. Causes without a ToR are left out.
    pub fn by_cause(&self) -> Vec<(&'static str, Vec<TorId>)> {
        let of = |(cause, why)| {
            let tors = self.silenced.iter().filter(|one| one.cause == cause).map(|one| one.tor);
            (why, tors.collect::<Vec<_>>())
        };
        let causes = [
            (Cause::LocalFault, "no light arrives at port 0"),
            (Cause::RemoteFault, "port 0 hears remote fault"),
        ];
        causes.into_iter().map(of).filter(|(_, tors)| !tors.is_empty()).collect()
    }
}

impl Project {
    /// The damage of failures. With link fault signalling, silenced ToRs count as ToRs whose transmitter has
    /// failed.
    ///
    /// # Errors
    /// [`InputError`] for a failure of a part that the fabric does not have.
    pub fn damage(&self, failed: &FailureSet) -> Result<Damage<'_>, InputError> {
        let damage =
            self.failures(&failed.failures).and_then(|all| Damage::new(&self.fabric, &all));
        damage.map_err(|error| refuse(&error.to_string()))
    }

    /// The failures, and those that link fault signalling adds.
    ///
    /// # Errors
    /// [`NoSuchPart`] for the first failure of a part that the fabric does not have.
    pub fn failures<'f>(&self, failures: &'f [Failure]) -> Result<Cow<'f, [Failure]>, NoSuchPart> {
        if self.platform.cascades() {
            with_silenced(&self.fabric, failures).map(Cow::Owned)
        } else {
            Ok(Cow::Borrowed(failures))
        }
    }

    /// The ToRs that link fault signalling silences after failures, ascending.
    ///
    /// # Errors
    /// [`InputError`] for a failure of a part that the fabric does not have.
    pub fn silenced(&self, failed: &FailureSet) -> Result<Vec<SilencedReport>, InputError> {
        let silenced = silenced(&failed.damage_of(&self.fabric)?);
        let report = |(tor, cause)| {
            let hears = self.fabric.heard_at_transmit_port(tor)?;
            Some(SilencedReport { tor, cause, hears })
        };
        Ok(silenced.into_iter().filter_map(report).collect())
    }

    /// The silenced ToRs beside the figures of `without`, which gets the damage of the failures alone.
    /// `None` if link fault signalling is off.
    ///
    /// # Errors
    /// As [`Self::silenced`] and `without`.
    pub fn compared<T, E: From<InputError>>(
        &self,
        failed: &FailureSet,
        without: impl FnOnce() -> Result<T, E>,
    ) -> Result<Option<CascadeReport<T>>, E> {
        if !self.platform.cascades() {
            return Ok(None);
        }
        Ok(Some(CascadeReport { silenced: self.silenced(failed)?, without: without()? }))
    }
}
