//! What reflects light on its way, and whether the link class has a limit for it.
//!
//! Link classes of NRZ limit each single reflectance. Those of PAM4 limit them together, by tables of how many
//! there are and how strong. The tables treat links of two ends. Light that comes back out of a splitter meets
//! the light of other ways, so they say nothing about a link with one.

use lightloom_units::{Db, named_enum};

use crate::optics::{Optics, What};
use crate::parts::Modulation;

/// Limit of each reflectance on a link of NRZ: what TIA-568.3-D asks of single-mode connectors, in dB.
pub const NRZ_LIMIT_DB: f64 = -26.0;

/// A kind of part that reflects, and how often light meets it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reflector {
    /// Kind of the part.
    pub what: What,
    /// Its name in the catalogue.
    pub name: String,
    /// Number on the way from transmitter to receiver.
    pub count: u32,
    /// Its greatest reflectance. `None`: unknown.
    pub reflectance: Option<Db>,
}

named_enum! {
    /// Whether reflections stay within the limits of the link class.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Reflections {
        /// Each reflectance is within the single limit.
        Within = "within the limit",
        /// A reflectance is above the single limit.
        Above = "above the limit",
        /// A reflectance is unknown.
        Unknown = "unknown",
        /// The link class has no limits for such a link.
        NotCovered = "not covered",
    }
}

impl Optics {
    /// The parts that reflect, without those at the transceivers, which belong to launch power and sensitivity.
    pub fn reflectors(&self) -> Vec<Reflector> {
        let (feed, branch) = (&self.feed, &self.branch);
        let splitter = Reflector {
            what: What::Splitter,
            name: self.splitter.name.clone(),
            count: 1,
            reflectance: self.splitter.reflectance,
        };
        let joints = [
            (What::Connector, &self.connector, feed.mated.lc + branch.mated.lc),
            (What::Mpo, &self.mpo, feed.mated.mpo + branch.mated.mpo),
            (What::Panel, &self.panel, feed.panels + branch.panels),
        ];
        let joints = joints.into_iter().filter_map(|(what, joint, count)| {
            let joint = joint.as_ref().filter(|_| count > 0)?;
            let (name, reflectance) = (joint.name.clone(), joint.reflectance);
            Some(Reflector { what, name, count, reflectance })
        });
        std::iter::once(splitter).chain(joints).collect()
    }

    /// Whether the reflections are within the limits of the link class.
    pub fn reflections(&self) -> Reflections {
        let reflectors = self.reflectors();
        let limit = Db::new(NRZ_LIMIT_DB).unwrap_or(Db::ZERO);
        match self.transceiver.modulation {
            Modulation::Pam4 | Modulation::Coherent => Reflections::NotCovered,
            Modulation::Nrz if reflectors.iter().any(|one| one.reflectance > Some(limit)) => {
                Reflections::Above
            }
            Modulation::Nrz if reflectors.iter().any(|one| one.reflectance.is_none()) => {
                Reflections::Unknown
            }
            Modulation::Nrz => Reflections::Within,
        }
    }

    /// What is unknown about reflections, and what no limit covers.
    pub(crate) fn reflection_gaps(&self) -> Vec<String> {
        let reflectors = self.reflectors();
        let unknown = reflectors.iter().filter(|one| one.reflectance.is_none());
        let mut gaps: Vec<String> = unknown
            .map(|one| {
                format!("{}: the reflectance of this {} is unknown", one.name, one.what.name())
            })
            .collect();
        let name = &self.transceiver.name;
        match (self.reflections(), self.transceiver.modulation) {
            (Reflections::Above, _) => gaps.push(format!(
                "a part reflects more than {NRZ_LIMIT_DB} dB, the limit of each reflectance on a link of NRZ"
            )),
            (Reflections::NotCovered, Modulation::Pam4) => gaps.push(format!(
                "{name}: reflections are not covered; the tables of limits for PAM4 do not treat links with splitters"
            )),
            (Reflections::NotCovered, _) => gaps.push(format!(
                "{name}: reflections are not covered; no limit for coherent light was found"
            )),
            (Reflections::Within | Reflections::Unknown, _) => {}
        }
        gaps
    }
}
