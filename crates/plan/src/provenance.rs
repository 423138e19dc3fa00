//! Where the values of an answer come from.

use lightloom_power_cost::FibrePrice;
use lightloom_power_cost::parts::Provenance;
use lightloom_units::{Choice as _, Money};
use serde::Serialize;

use crate::optics::DesignOptics;

/// The catalogue that an answer was made from.
#[derive(Debug, Clone, Serialize)]
pub struct CatalogueReport {
    /// Its name.
    pub name: String,
    /// The currency of its prices.
    pub currency: String,
    /// Whether a strand is charged half of a duplex pair or the whole.
    pub fibre_accounting: &'static str,
    /// The rows in use.
    pub rows: Vec<RowReport>,
}

/// One row in use.
#[derive(Debug, Clone, Serialize)]
pub struct RowReport {
    /// The kind of part.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Where its values come from.
    pub source: String,
    /// When that said so.
    pub date: String,
    /// What one costs, of a row that says so.
    pub price: Option<Money>,
}

impl CatalogueReport {
    pub fn new(chosen: &DesignOptics, price: &FibrePrice) -> Self {
        let optics = &chosen.optics;
        let row = |kind, name: &str, provenance: &Provenance, price| RowReport {
            kind,
            name: name.into(),
            source: provenance.source.clone(),
            date: provenance.date.clone(),
            price,
        };
        let (transceiver, splitter) = (&optics.transceiver, &optics.splitter);
        let mut rows = vec![
            row("transceiver", &transceiver.name, &transceiver.provenance, transceiver.price),
            row("splitter", &splitter.name, &splitter.provenance, splitter.price),
        ];
        let port = chosen.switch_port.as_ref();
        rows.extend(port.map(|port| row("switch_port", &port.name, &port.provenance, port.price)));
        let shelves = chosen.shelves.iter();
        rows.extend(shelves.map(|shelf| row("shelf", &shelf.name, &shelf.provenance, shelf.price)));
        let fibre = optics.fibre.as_ref();
        rows.extend(fibre.map(|fibre| row("fibre", &fibre.name, &fibre.provenance, None)));
        let of_fibre = chosen.fibre_price_of.as_ref();
        rows.extend(of_fibre.map(|of| row("fibre_price", "", of, Some(price.price))));
        let splices = optics.feed.splices + optics.branch.splices;
        let panels = optics.feed.panels + optics.branch.panels;
        for (kind, joint, used) in [
            ("connector", &optics.connector, true),
            ("splice", &optics.splice, splices > 0),
            ("panel", &optics.panel, panels > 0),
        ] {
            let joint = joint.as_ref().filter(|_| used);
            rows.extend(joint.map(|joint| row(kind, &joint.name, &joint.provenance, joint.price)));
        }
        for part in optics.feed.inline.iter().chain(&optics.branch.inline) {
            rows.push(row("inline", &part.name, &part.provenance, part.price));
        }
        Self { rows, ..Self::without_rows(&chosen.catalogue, price) }
    }

    /// A catalogue of which nothing is in use but fibre.
    pub fn without_rows(name: &str, price: &FibrePrice) -> Self {
        Self {
            name: name.into(),
            currency: price.price.currency().to_string(),
            fibre_accounting: price.accounting.name(),
            rows: Vec::new(),
        }
    }

    /// The catalogue as a line of text says it: with the dates of its prices.
    pub fn line(&self) -> String {
        let priced = self.rows.iter().filter(|row| row.price.is_some());
        let mut dates: Vec<&str> = priced.map(|row| row.date.as_str()).collect();
        dates.sort_unstable();
        dates.dedup();
        if dates.is_empty() {
            return format!("{}, {}", self.name, self.currency);
        }
        format!("{}, prices of {} in {}", self.name, dates.join(", "), self.currency)
    }
}
