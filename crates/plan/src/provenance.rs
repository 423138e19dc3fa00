//! Sources of the values in a report.

use lightloom_design::catalogue::Catalogue;
use lightloom_design::optics::DesignOptics;
use lightloom_power_cost::Accounting;
use lightloom_power_cost::parts::{PlantPart, Provenance};
use lightloom_power_cost::price::{Price, PriceRank};
use lightloom_units::Money;
use lightloom_units::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bom::BomLine;

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
        /// A part of the plant: a shelf, a frame, a module, a cord or a trunk.
        Part = "part",
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
    pub price: Option<PriceReport>,
}

/// Price of a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PriceReport {
    /// The lowest.
    pub low: Money,
    /// The usual one.
    pub typical: Money,
    /// The highest.
    pub high: Money,
    /// How well it is founded.
    pub rank: PriceRank,
    /// Its source, or the rule by which it is assumed. Null: the source of the row.
    pub source: Option<String>,
}

impl From<&Price> for PriceReport {
    fn from(price: &Price) -> Self {
        let range = price.range;
        Self {
            low: range.low(),
            typical: range.typical(),
            high: range.high(),
            rank: price.rank,
            source: price.source.clone(),
        }
    }
}

impl CatalogueReport {
    /// The catalogue rows that a design's optics use.
    pub fn new(chosen: &DesignOptics, catalogue: &Catalogue) -> Self {
        let price = catalogue.price();
        let optics = &chosen.optics;
        let row = row_report;
        let (transceiver, splitter) = (&optics.transceiver, &optics.splitter);
        let mut rows = vec![
            row(
                RowKind::Transceiver,
                &transceiver.name,
                &transceiver.provenance,
                transceiver.price.as_ref(),
            ),
            row(RowKind::Splitter, &splitter.name, &splitter.provenance, splitter.price.as_ref()),
        ];
        let port = chosen.switch_port.as_ref();
        rows.extend(port.map(|port| {
            row(RowKind::SwitchPort, &port.name, &port.provenance, port.price.as_ref())
        }));
        let shelves = chosen.shelves.iter();
        rows.extend(shelves.map(|shelf| {
            row(RowKind::Shelf, &shelf.name, &shelf.provenance, shelf.price.as_ref())
        }));
        let fibre = optics.fibre.as_ref();
        rows.extend(fibre.map(|fibre| row(RowKind::Fibre, &fibre.name, &fibre.provenance, None)));
        let of_fibre = chosen.fibre_price_of.as_ref();
        rows.extend(of_fibre.map(|of| row(RowKind::FibrePrice, "", of, price.price.as_ref())));
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
            rows.extend(
                joint.map(|joint| row(kind, &joint.name, &joint.provenance, joint.price.as_ref())),
            );
        }
        let pad = optics.pad.iter().map(|fitted| &fitted.pad);
        rows.extend(
            pad.map(|pad| row(RowKind::Pad, &pad.name, &pad.provenance, pad.price.as_ref())),
        );
        for part in optics.feed.inline.iter().chain(&optics.branch.inline) {
            rows.push(row(RowKind::Inline, &part.name, &part.provenance, part.price.as_ref()));
        }
        Self { rows, ..Self::without_rows(&chosen.catalogue, catalogue) }
    }

    /// The same catalogue with the rows of the parts of a plant that lines of a bill use.
    #[must_use]
    pub fn with_parts(mut self, catalogue: &Catalogue, lines: &[BomLine]) -> Self {
        let used = |name: &str| lines.iter().any(|line| line.part == name);
        let parts = catalogue.parts.plant.values().filter(|part| used(&part.name));
        let row = |part: &PlantPart| {
            row_report(RowKind::Part, &part.name, &part.provenance, part.price.as_ref())
        };
        self.rows.extend(parts.map(row));
        self
    }

    /// A catalogue in which only fibre is in use.
    pub fn without_rows(name: &str, catalogue: &Catalogue) -> Self {
        Self {
            name: name.into(),
            currency: catalogue.currency.to_string(),
            fibre_accounting: catalogue.price().accounting,
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

fn row_report(
    kind: RowKind,
    name: &str,
    provenance: &Provenance,
    price: Option<&Price>,
) -> RowReport {
    RowReport {
        kind,
        name: name.into(),
        source: provenance.source.clone(),
        date: provenance.date.clone(),
        price: price.map(PriceReport::from),
    }
}
