//! Lists of parts, by kind and name.

use std::collections::BTreeMap;

use lightloom_units::BitRate;

use crate::parts::{
    Accelerator, CircuitPort, Fibre, Inline, Joint, Pad, PlantPart, RowError, Shelf, Splitter,
    SplitterFormula, SwitchModel, SwitchPort, Transceiver,
};
use crate::price::{Price, PriceRank};

/// Price of a splitter that has no row of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnlistedPrice {
    /// The price is unknown.
    #[default]
    Unknown,
    /// The price of the next larger listed splitter. Beyond the largest one, the price is unknown.
    NextLarger,
}

/// Lists of parts, by kind and name. A row that is inserted later replaces an earlier row of the same name.
#[derive(Debug, Clone, Default)]
pub struct PartLists {
    /// Transceivers.
    pub transceivers: BTreeMap<String, Transceiver>,
    /// Splitters.
    pub splitters: BTreeMap<String, Splitter>,
    /// Formula for the loss of splitters without a row.
    pub splitter_formula: Option<SplitterFormula>,
    /// Rule for the price of splitters without a row.
    pub unlisted_splitter_price: UnlistedPrice,
    /// Kinds of fibre.
    pub fibres: BTreeMap<String, Fibre>,
    /// Connector pairs.
    pub connectors: BTreeMap<String, Joint>,
    /// Pairs of connectors of many fibres.
    pub mpo: BTreeMap<String, Joint>,
    /// Splices.
    pub splices: BTreeMap<String, Joint>,
    /// Patch panels.
    pub panels: BTreeMap<String, Joint>,
    /// Fixed attenuators.
    pub pads: BTreeMap<String, Pad>,
    /// Other attenuators, filters, amplifiers.
    pub inline: BTreeMap<String, Inline>,
    /// Shelves for splitters, by their place: `sender` or `receiver`.
    pub shelves: BTreeMap<String, Shelf>,
    /// Parts of the plant: shelves, modules, frames, cords and trunks.
    pub plant: BTreeMap<String, PlantPart>,
    /// Switch ports.
    pub switch_ports: BTreeMap<String, SwitchPort>,
    /// Ports of optical circuit switches.
    pub circuit_ports: BTreeMap<String, CircuitPort>,
    /// Accelerators that stand beside switches.
    pub accelerators: BTreeMap<String, Accelerator>,
    /// Switch models.
    pub switches: BTreeMap<String, SwitchModel>,
}

/// Why a lookup in the lists fails.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Lookup {
    /// No row has this kind and name.
    #[error("found {found:?}; the catalogue has no such {kind}: {}", list_of(.known))]
    Unknown {
        /// The kind of row.
        kind: &'static str,
        /// The requested name.
        found: String,
        /// All names of this kind.
        known: Vec<String>,
    },
    /// Several rows match, and no name selects one.
    #[error("{asked} could be any of {}; name one", .names.join(", "))]
    Several {
        /// The request.
        asked: String,
        /// Names of the matching rows.
        names: Vec<String>,
    },
    /// No row matches.
    #[error("the catalogue has no {asked}; it has: {}", list_of(.known))]
    None {
        /// The request.
        asked: String,
        /// All rows of this kind.
        known: Vec<String>,
    },
    /// A row made by a rule has impossible values.
    #[error(transparent)]
    Row(#[from] RowError),
}

fn list_of(names: &[String]) -> String {
    if names.is_empty() { "none at all".into() } else { names.join(", ") }
}

/// The row with this name; without a name, the only row, or the row named `usual`.
pub fn named<'a, T>(
    rows: &'a BTreeMap<String, T>,
    kind: &'static str,
    name: Option<&str>,
    usual: &str,
) -> Result<Option<&'a T>, Lookup> {
    let names = || rows.keys().cloned().collect();
    match name {
        Some(name) => rows.get(name).map(Some).ok_or_else(|| Lookup::Unknown {
            kind,
            found: name.into(),
            known: names(),
        }),
        None if rows.len() <= 1 => Ok(rows.values().next()),
        None => rows
            .get(usual)
            .map(Some)
            .ok_or_else(|| Lookup::Several { asked: format!("the {kind}"), names: names() }),
    }
}

impl PartLists {
    /// The splitter with a fan-out: a row, or one made by the formula.
    ///
    /// # Errors
    /// [`Lookup`] if there is neither, or if several rows match and no name is given.
    pub fn splitter(&self, fan_out: u32, name: Option<&str>) -> Result<Splitter, Lookup> {
        if let Some(name) = name {
            let found = named(&self.splitters, "splitter", Some(name), "")?;
            let asked = format!("splitter 1:{fan_out} of the name {name:?}");
            return found
                .filter(|row| row.fan_out == fan_out)
                .cloned()
                .ok_or_else(|| Lookup::None { asked, known: self.splitter_names() });
        }
        let asked = || format!("splitter 1:{fan_out}");
        let mut rows = self.splitters.values().filter(|row| row.fan_out == fan_out);
        match (rows.next(), rows.next(), &self.splitter_formula) {
            (Some(row), None, _) => Ok(row.clone()),
            (Some(_), Some(_), _) => {
                let rows = self.splitters.values().filter(|row| row.fan_out == fan_out);
                let names = rows.map(|row| row.name.clone()).collect();
                Err(Lookup::Several { asked: asked(), names })
            }
            (None, _, Some(formula)) => self.priced(formula.splitter(fan_out)?),
            (None, _, None) => Err(Lookup::None { asked: asked(), known: self.splitter_names() }),
        }
    }

    /// Sets the price of a splitter without a row, by the rule of the lists.
    fn priced(&self, splitter: Splitter) -> Result<Splitter, Lookup> {
        let Some(next) = self.price_stand_in(splitter.fan_out) else { return Ok(splitter) };
        let mut row = crate::parts::SplitterRow::from(splitter);
        // Whatever the rank of the next one's price, it is an assumption for this one.
        row.price = next.price.as_ref().map(|price| Price {
            rank: PriceRank::Assumed,
            source: Some(format!("rule: as {}, the next larger one of the list", next.name)),
            ..price.clone()
        });
        Ok(Splitter::try_from(row)?)
    }

    /// The row whose price a splitter without a row takes.
    pub fn price_stand_in(&self, fan_out: u32) -> Option<&Splitter> {
        let listed = self.splitters.values().any(|row| row.fan_out == fan_out);
        if listed || self.unlisted_splitter_price == UnlistedPrice::Unknown {
            return None;
        }
        let larger = self.splitters.values().filter(|row| row.fan_out > fan_out);
        larger.min_by_key(|row| row.fan_out)
    }

    /// Changes the price of every row, given with its path such as `transceiver.10gbase-lr`.
    pub fn reprice(&mut self, change: &mut dyn FnMut(&str, &mut Option<Price>)) {
        use crate::parts as p;
        rows(
            &mut self.transceivers,
            "transceiver",
            |row: &mut p::TransceiverRow| &mut row.price,
            change,
        );
        rows(&mut self.splitters, "splitter", |row: &mut p::SplitterRow| &mut row.price, change);
        rows(&mut self.splices, "splice", |row: &mut p::JointRow| &mut row.price, change);
        rows(&mut self.panels, "panel", |row: &mut p::JointRow| &mut row.price, change);
        rows(&mut self.pads, "pad", |row: &mut p::PadRow| &mut row.price, change);
        rows(&mut self.inline, "inline", |row: &mut p::InlineRow| &mut row.price, change);
        rows(&mut self.shelves, "shelf", |row: &mut p::ShelfRow| &mut row.price, change);
        rows(&mut self.plant, "part", |row: &mut p::PlantPartRow| &mut row.price, change);
        rows(&mut self.plant, "part", |row: &mut p::PlantPartRow| &mut row.price_per_m, change);
        rows(
            &mut self.switch_ports,
            "switch_port",
            |row: &mut p::SwitchPortRow| &mut row.price,
            change,
        );
        rows(
            &mut self.circuit_ports,
            "circuit_port",
            |row: &mut p::CircuitPortRow| &mut row.price,
            change,
        );
        rows(
            &mut self.accelerators,
            "accelerator",
            |row: &mut p::AcceleratorRow| &mut row.price,
            change,
        );
    }

    fn splitter_names(&self) -> Vec<String> {
        self.splitters.keys().cloned().collect()
    }

    /// The transceiver with a name, or the only one at a rate.
    ///
    /// # Errors
    /// [`Lookup`] if there is none, or if several match and no name is given.
    pub fn transceiver(&self, name: Option<&str>, rate: BitRate) -> Result<&Transceiver, Lookup> {
        if let Some(name) = name {
            return self.transceivers.get(name).ok_or_else(|| Lookup::Unknown {
                kind: "transceiver",
                found: name.into(),
                known: self.transceivers.keys().cloned().collect(),
            });
        }
        let asked = format!("transceiver at {rate}");
        let mut rows = self.transceivers_at(rate);
        match (rows.next(), rows.next()) {
            (Some(row), None) => Ok(row),
            (None, _) => {
                Err(Lookup::None { asked, known: self.transceivers.keys().cloned().collect() })
            }
            (Some(_), Some(_)) => {
                let names = self.transceivers_at(rate).map(|row| row.name.clone()).collect();
                Err(Lookup::Several { asked, names })
            }
        }
    }

    /// All transceivers at a rate, by name.
    pub fn transceivers_at(&self, rate: BitRate) -> impl Iterator<Item = &Transceiver> {
        self.transceivers.values().filter(move |row| row.rate == rate)
    }

    /// The port of an optical circuit switch with a name, or the only one. `None`: there is none.
    ///
    /// # Errors
    /// [`Lookup`] if none has the name, or if there are several and no name is given.
    pub fn circuit_port(&self, name: Option<&str>) -> Result<Option<&CircuitPort>, Lookup> {
        let known = || self.circuit_ports.keys().cloned().collect();
        if let Some(name) = name {
            let found = self.circuit_ports.get(name);
            let kind = "circuit_port";
            return found.map(Some).ok_or_else(|| Lookup::Unknown {
                kind,
                found: name.into(),
                known: known(),
            });
        }
        if self.circuit_ports.len() > 1 {
            return Err(Lookup::Several { asked: "circuit_port".to_owned(), names: known() });
        }
        Ok(self.circuit_ports.values().next())
    }

    /// The switch port at a rate. If several match, the first by name.
    pub fn switch_port(&self, rate: BitRate) -> Option<&SwitchPort> {
        self.switch_ports.values().find(|row| row.rate == rate)
    }
}

/// Changes a price of each row of one kind.
fn rows<T, R>(
    list: &mut BTreeMap<String, T>,
    kind: &str,
    price: fn(&mut R) -> &mut Option<Price>,
    change: &mut dyn FnMut(&str, &mut Option<Price>),
) where
    T: Clone + TryFrom<R>,
    R: From<T>,
{
    for (name, checked) in list {
        let mut row = R::from(checked.clone());
        change(&format!("{kind}.{name}"), price(&mut row));
        // A change that makes a price impossible is not taken.
        if let Ok(changed) = T::try_from(row) {
            *checked = changed;
        }
    }
}
