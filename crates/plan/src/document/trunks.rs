//! Panels and trunks that were there before a plan grew or shrank, in `plan.json`.

use lightloom_topology::RowId;
use lightloom_topology::hall::{
    GivenFibre, GivenPanel, GivenSocket, GivenTrunk, GivenTrunks, Hall,
};
use serde::{Deserialize, Serialize};

use crate::document::origin::{named, racks_named};

/// Panels and trunks that are there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GivenTrunksPart {
    panels: Vec<PanelPart>,
    /// The trunks, in the order of their labels.
    trunks: Vec<TrunkPart>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PanelPart {
    /// A rack of the row whose trunks end at it.
    row_of: String,
    in_frame: bool,
    rack: String,
    unit: u16,
    slot: u16,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrunkPart {
    fibres: u16,
    /// For each connector that is plugged in: panel and port at the row, panel and port in the frame. Panels are
    /// counted from 0.
    legs: Vec<[u32; 4]>,
    /// The labels of the fibres that lie in these connectors, leg by leg. `null`: a free one.
    strands: Vec<Option<String>>,
}

impl GivenTrunksPart {
    pub(super) fn is_empty(&self) -> bool {
        self.panels.is_empty() && self.trunks.is_empty()
    }

    pub(super) fn of(hall: &Hall, given: &GivenTrunks) -> Self {
        let rack = |id| named(hall, &[id]).concat();
        let panel = |panel: &GivenPanel| PanelPart {
            row_of: hall.racks_of_row(panel.row).first().map(|&id| rack(id)).unwrap_or_default(),
            in_frame: panel.in_frame,
            rack: rack(panel.rack),
            unit: panel.unit,
            slot: panel.slot,
        };
        let trunk = |trunk: &GivenTrunk| TrunkPart {
            fibres: trunk.fibres,
            legs: trunk
                .legs
                .iter()
                .map(|[near, far]| {
                    [near.panel, u32::from(near.port), far.panel, u32::from(far.port)]
                })
                .collect(),
            strands: trunk.strands.iter().map(|fibre| fibre.map(label)).collect(),
        };
        Self {
            panels: given.panels.iter().map(panel).collect(),
            trunks: given.trunks.iter().map(trunk).collect(),
        }
    }

    /// Restores the panels and trunks. Whether they fit is checked when the plan is laid.
    pub(super) fn restore(&self, hall: &Hall) -> Result<GivenTrunks, String> {
        let of = |name: fn(&PanelPart) -> &String| {
            let names: Vec<String> = self.panels.iter().map(|part| name(part).clone()).collect();
            racks_named(hall, &names)
        };
        let rows: Vec<RowId> =
            of(|part| &part.row_of)?.into_iter().map(|id| hall.rack(id).row).collect();
        let panels = self.panels.iter().zip(of(|part| &part.rack)?).zip(rows);
        let panels = panels.map(|((part, rack), row)| GivenPanel {
            row,
            in_frame: part.in_frame,
            rack,
            unit: part.unit,
            slot: part.slot,
        });
        let trunk = |part: &TrunkPart| {
            let socket = |panel: u32, port: u32| {
                let port = u16::try_from(port).map_err(|_| format!("found port {port}"))?;
                Ok::<_, String>(GivenSocket { panel, port })
            };
            let leg = |&[row, near, frame, far]: &[u32; 4]| {
                Ok::<_, String>([socket(row, near)?, socket(frame, far)?])
            };
            let fibre = |text: &Option<String>| text.as_deref().map(fibre).transpose();
            Ok::<_, String>(GivenTrunk {
                fibres: part.fibres,
                legs: part.legs.iter().map(leg).collect::<Result<_, _>>()?,
                strands: part.strands.iter().map(fibre).collect::<Result<_, _>>()?,
            })
        };
        let trunks = self.trunks.iter().map(trunk).collect::<Result<_, _>>()?;
        Ok(GivenTrunks { panels: panels.collect(), trunks })
    }
}

fn label(fibre: GivenFibre) -> String {
    match fibre {
        GivenFibre::Feed(tor) => format!("F{tor}"),
        GivenFibre::Branch(splitter, output) => format!("B{splitter}.{output}"),
    }
}

fn fibre(text: &str) -> Result<GivenFibre, String> {
    let number = |text: &str| text.parse::<u32>().ok();
    let feed = || Some(GivenFibre::Feed(number(text.strip_prefix('F')?)?));
    let branch = || {
        let (splitter, output) = text.strip_prefix('B')?.split_once('.')?;
        Some(GivenFibre::Branch(number(splitter)?, number(output)?))
    };
    feed().or_else(branch).ok_or_else(|| format!("found {text:?}, which is no label of a fibre"))
}
