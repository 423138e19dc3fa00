//! Where the values of an answer come from.

use lightloom_export::FibrePrice;
use lightloom_power_cost::parts::Provenance;
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
}

impl CatalogueReport {
    pub(crate) fn new(chosen: &DesignOptics, price: &FibrePrice) -> Self {
        let optics = &chosen.optics;
        let row = |kind, name: &str, Provenance { source, date }: &Provenance| RowReport {
            kind,
            name: name.into(),
            source: source.clone(),
            date: date.clone(),
        };
        let mut rows = vec![
            row("transceiver", &optics.transceiver.name, &optics.transceiver.provenance),
            row("splitter", &optics.splitter.name, &optics.splitter.provenance),
        ];
        let port = chosen.switch_port.as_ref();
        rows.extend(port.map(|port| row("switch_port", &port.name, &port.provenance)));
        let fibre = optics.fibre.as_ref();
        rows.extend(fibre.map(|fibre| row("fibre", &fibre.name, &fibre.provenance)));
        let splices = optics.feed.splices + optics.branch.splices;
        let panels = optics.feed.panels + optics.branch.panels;
        for (kind, joint, used) in [
            ("connector", &optics.connector, true),
            ("splice", &optics.splice, splices > 0),
            ("panel", &optics.panel, panels > 0),
        ] {
            let joint = joint.as_ref().filter(|_| used);
            rows.extend(joint.map(|joint| row(kind, &joint.name, &joint.provenance)));
        }
        for part in optics.feed.inline.iter().chain(&optics.branch.inline) {
            rows.push(row("inline", &part.name, &part.provenance));
        }
        Self { rows, ..Self::without_rows(&chosen.catalogue, price) }
    }

    /// A catalogue of which nothing is in use but fibre.
    pub(crate) fn without_rows(name: &str, price: &FibrePrice) -> Self {
        Self {
            name: name.into(),
            currency: price.price.currency().to_string(),
            fibre_accounting: price.accounting.name(),
            rows: Vec::new(),
        }
    }

    /// The catalogue as a line of text says it.
    pub fn line(&self) -> String {
        let mut dates: Vec<&str> = self.rows.iter().map(|row| row.date.as_str()).collect();
        dates.sort_unstable();
        dates.dedup();
        format!("{} ({}), {}", self.name, dates.join(", "), self.currency)
    }
}
