//! Sources of the values in a report.

use lightloom_power_cost::parts::Provenance;
use lightloom_power_cost::{Accounting, FibrePrice};
use lightloom_units::Money;
use lightloom_units::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::optics::DesignOptics;

/// The catalogue of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CatalogueReport {
    /// Name of the catalogue.
    pub name: String,
    /// Currency of its prices.
    pub currency: String,
    /// Whether a strand costs half of a duplex pair or as much as the pair.
    pub fibre_accounting: Accounting,
    /// The rows in use.
    pub rows: Vec<RowReport>,
}

named_enum! {
    /// Kinds of rows of a catalogue.
    #[derive(JsonSchema)]
    pub enum RowKind {
        /// A transceiver.
        Transceiver = "transceiver",
        /// A splitter.
        Splitter = "splitter",
        /// A switch port.
        SwitchPort = "switch_port",
        /// A shelf for splitters.
        Shelf = "shelf",
        /// Attenuation of a fibre.
        Fibre = "fibre",
        /// Price of a fibre.
        FibrePrice = "fibre_price",
        /// A mated connector pair.
        Connector = "connector",
        /// A pair of MPO connectors.
        Mpo = "mpo",
        /// A splice.
        Splice = "splice",
        /// A patch panel.
        Panel = "panel",
        /// A fixed attenuator.
        Pad = "pad",
        /// Another part on a fibre.
        Inline = "inline",
    }
}

/// One row in use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RowReport {
    /// Kind of the part.
    pub kind: RowKind,
    /// Name of the part.
    pub name: String,
    /// Source of its values.
    pub source: String,
    /// Date of the source.
    pub date: String,
    /// Price per piece, if the row has one.
    pub price: Option<Money>,
}

impl CatalogueReport {
    /// The catalogue rows that a design's optics use.
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
            row(
                RowKind::Transceiver,
                &transceiver.name,
                &transceiver.provenance,
                transceiver.price,
            ),
            row(RowKind::Splitter, &splitter.name, &splitter.provenance, splitter.price),
        ];
        let port = chosen.switch_port.as_ref();
        rows.extend(
            port.map(|port| row(RowKind::SwitchPort, &port.name, &port.provenance, port.price)),
        );
        let shelves = chosen.shelves.iter();
        rows.extend(
            shelves.map(|shelf| row(RowKind::Shelf, &shelf.name, &shelf.provenance, shelf.price)),
        );
        let fibre = optics.fibre.as_ref();
        rows.extend(fibre.map(|fibre| row(RowKind::Fibre, &fibre.name, &fibre.provenance, None)));
        let of_fibre = chosen.fibre_price_of.as_ref();
        rows.extend(of_fibre.map(|of| row(RowKind::FibrePrice, "", of, Some(price.price))));
        let mpo = optics.feed.mated.mpo + optics.branch.mated.mpo;
        let splices = optics.feed.splices + optics.branch.splices;
        let panels = optics.feed.panels + optics.branch.panels;
        for (kind, joint, used) in [
            (RowKind::Connector, &optics.connector, true),
            (RowKind::Mpo, &optics.mpo, mpo > 0),
            (RowKind::Splice, &optics.splice, splices > 0),
            (RowKind::Panel, &optics.panel, panels > 0),
        ] {
            let joint = joint.as_ref().filter(|_| used);
            rows.extend(joint.map(|joint| row(kind, &joint.name, &joint.provenance, joint.price)));
        }
        let pad = optics.pad.iter().map(|fitted| &fitted.pad);
        rows.extend(pad.map(|pad| row(RowKind::Pad, &pad.name, &pad.provenance, pad.price)));
        for part in optics.feed.inline.iter().chain(&optics.branch.inline) {
            rows.push(row(RowKind::Inline, &part.name, &part.provenance, part.price));
        }
        Self { rows, ..Self::without_rows(&chosen.catalogue, price) }
    }

    /// A catalogue in which only fibre is in use.
    pub fn without_rows(name: &str, price: &FibrePrice) -> Self {
        Self {
            name: name.into(),
            currency: price.price.currency().to_string(),
            fibre_accounting: price.accounting,
            rows: Vec::new(),
        }
    }

    /// The catalogue as a line of text, with the dates of its prices.
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
