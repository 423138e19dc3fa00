//! A catalogue: rows by kind and name.

use std::collections::BTreeMap;

use lightloom_units::BitRate;

use crate::parts::{
    Fibre, Inline, Joint, RowError, Shelf, Splitter, SplitterFormula, SwitchModel, SwitchPort,
    Transceiver,
};

/// What a splitter costs that has no row of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnlistedPrice {
    /// It is not known.
    #[default]
    Unknown,
    /// As much as the next larger one that is listed; beyond the largest it is not known.
    NextLarger,
}

/// Components by kind and name. Rows put in later replace those of the same name.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    /// Transceivers.
    pub transceivers: BTreeMap<String, Transceiver>,
    /// Splitters.
    pub splitters: BTreeMap<String, Splitter>,
    /// The loss of splitters that have no row.
    pub splitter_formula: Option<SplitterFormula>,
    /// The price of splitters that have no row.
    pub unlisted_splitter_price: UnlistedPrice,
    /// Kinds of fibre.
    pub fibres: BTreeMap<String, Fibre>,
    /// Pairs of connectors.
    pub connectors: BTreeMap<String, Joint>,
    /// Splices.
    pub splices: BTreeMap<String, Joint>,
    /// Patch panels.
    pub panels: BTreeMap<String, Joint>,
    /// Attenuators, filters, amplifiers.
    pub inline: BTreeMap<String, Inline>,
    /// What splitters sit in, by where: `sender` or `receiver`.
    pub shelves: BTreeMap<String, Shelf>,
    /// Switch ports.
    pub switch_ports: BTreeMap<String, SwitchPort>,
    /// Switch models.
    pub switches: BTreeMap<String, SwitchModel>,
}

/// Why a catalogue has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Lookup {
    /// No row of this kind and name.
    #[error("found {found:?}; the catalogue has no such {kind}: {}", list_of(.known))]
    Unknown {
        /// The kind of row.
        kind: &'static str,
        /// The name that was asked for.
        found: String,
        /// Names that are there.
        known: Vec<String>,
    },
    /// Several rows answer, and no name chooses among them.
    #[error("{asked} could be any of {}; name one", .names.join(", "))]
    Several {
        /// What was asked for.
        asked: String,
        /// The rows that answer.
        names: Vec<String>,
    },
    /// No row answers.
    #[error("the catalogue has no {asked}; it has: {}", list_of(.known))]
    None {
        /// What was asked for.
        asked: String,
        /// What is there of the kind.
        known: Vec<String>,
    },
    /// The row that a rule makes cannot be.
    #[error(transparent)]
    Row(#[from] RowError),
}

fn list_of(names: &[String]) -> String {
    if names.is_empty() { "none at all".into() } else { names.join(", ") }
}

/// The row of a name, or the only row, or the row that is called `usual`.
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

impl Catalogue {
    /// The splitter of a fan-out: a row, or what the formula says.
    ///
    /// # Errors
    /// [`Lookup`] when there is neither, or several rows and no name.
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

    /// A splitter without a row, with the price that the catalogue's rule gives it.
    fn priced(&self, splitter: Splitter) -> Result<Splitter, Lookup> {
        let Some(next) = self.price_stand_in(splitter.fan_out) else { return Ok(splitter) };
        let mut row = crate::parts::SplitterRow::from(splitter);
        row.price = next.price;
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

    fn splitter_names(&self) -> Vec<String> {
        self.splitters.keys().cloned().collect()
    }

    /// The transceiver of a name, or the only one at a rate.
    ///
    /// # Errors
    /// [`Lookup`] when there is none, or several and no name.
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

    /// All transceivers of a rate, by name.
    pub fn transceivers_at(&self, rate: BitRate) -> impl Iterator<Item = &Transceiver> {
        self.transceivers.values().filter(move |row| row.rate == rate)
    }

    /// The switch port of a rate; the first by name where there are several.
    pub fn switch_port(&self, rate: BitRate) -> Option<&SwitchPort> {
        self.switch_ports.values().find(|row| row.rate == rate)
    }
}
