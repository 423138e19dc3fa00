//! Random sites.

use std::sync::Arc;

use lightloom_plant::{Hardware, Scheme, Site, TrunkSize};
use lightloom_power_cost::StockLengths;
use lightloom_power_cost::parts::Polish;
use lightloom_topology::family::kautz;
use lightloom_topology::hall::{
    CableSpace, Cabling, Hall, HallRules, Housing, Name, Placement, Rack, RackRole, Row, Shuffle,
};
use lightloom_topology::{Fabric, RackId, RoomId, RowId};
use lightloom_units::Length;
use proptest::prelude::*;

/// A fabric, a hall and a placement.
#[derive(Debug)]
pub struct Given {
    pub fabric: Arc<Fabric>,
    pub hall: Arc<Hall>,
    pub placement: Arc<Placement>,
}

impl Given {
    pub fn site(&self) -> Site {
        Site {
            fabric: self.fabric.clone(),
            hall: self.hall.clone(),
            placement: self.placement.clone(),
            accelerator_ports: 0,
            ports: None,
            taken: None,
        }
    }
}

pub fn stock() -> StockLengths {
    let lengths = [1, 2, 3, 5, 10, 20, 50].map(Length::from_m).to_vec();
    StockLengths::new(lengths, Length::from_m(10)).unwrap()
}

pub fn hardware() -> Hardware {
    let trunk = |fibres, mm| TrunkSize { fibres, diameter: Length::from_mm(mm) };
    Hardware { trunks: vec![trunk(12, 3), trunk(24, 4), trunk(144, 14)], ..Hardware::default() }
}

/// A hall of rows with this many racks each, and frames in a row of their own.
pub fn given(p: u32, tors: u32, racks_per_row: u32, frames: u32) -> Given {
    let fabric = kautz(p, tors).unwrap();
    let rows = tors.div_ceil(racks_per_row);
    let name = |text: String| Name::new(&text).unwrap();
    let y = |row: u32| Length::from_mm(u64::from(row) * 2_400 + 1_200);
    let x = |place: u32| Length::from_mm(u64::from(place) * 600 + 300);
    let mut all_rows: Vec<Row> = (0..rows)
        .map(|row| Row { name: name(format!("R{row}")), y: y(row), room: RoomId(0) })
        .collect();
    let mut racks: Vec<Rack> = (0..tors)
        .map(|i| Rack {
            name: name(format!("R{}.{}", i / racks_per_row, i % racks_per_row)),
            row: RowId(i / racks_per_row),
            x: x(i % racks_per_row),
            units: 42,
            tor_unit: Some(42 - u16::try_from(i % 3).unwrap()),
            role: RackRole::Tor,
        })
        .collect();
    all_rows.push(Row { name: name("Z".into()), y: y(rows), room: RoomId(0) });
    racks.extend((0..frames).map(|i| Rack {
        name: name(format!("Z.{i}")),
        row: RowId(rows),
        x: x(i),
        units: 42,
        tor_unit: None,
        role: RackRole::Frame,
    }));
    let width = x(racks_per_row.max(frames));
    let rules = HallRules {
        width,
        depth: y(rows + 1),
        cross_aisles: vec![Length::ZERO, width],
        tray_height: Length::from_mm(2_700),
        rack_entry: Length::from_mm(300),
        slack: Length::from_m(2),
        space: CableSpace {
            fibre_diameter: Length::from_mm(2),
            tray_width: Length::from_mm(300),
            tray_depth: Length::from_mm(100),
        },
    };
    let hall = Hall::new(rules, all_rows, racks).unwrap();
    // The last rack holds ToR 0, so that places and numbers differ.
    let fixed: Vec<Option<RackId>> = (0..tors).map(|tor| Some(RackId(tors - 1 - tor))).collect();
    let placement = Placement::new(tors as usize, &hall.racks_for_tors(), &fixed).unwrap();
    Given { fabric: fabric.into(), hall: hall.into(), placement: placement.into() }
}

/// Every housing and cabling.
pub fn any_scheme() -> impl Strategy<Value = Scheme> {
    let polish = prop_oneof![Just(Polish::Upc), Just(Polish::Apc)];
    let kind = prop_oneof![
        Just((Housing::Sender, Cabling::PointToPoint, Shuffle::Jumpers)),
        Just((Housing::Receiver, Cabling::PointToPoint, Shuffle::Jumpers)),
        Just((Housing::Zone, Cabling::PointToPoint, Shuffle::Jumpers)),
        Just((Housing::Zone, Cabling::Trunked, Shuffle::Jumpers)),
        Just((Housing::Zone, Cabling::Trunked, Shuffle::Modules)),
    ];
    (kind, polish, 0..40_u32).prop_map(|((housing, cabling, shuffle), splitter_polish, spare)| {
        let spare_percent = if cabling == Cabling::Trunked { spare } else { 0 };
        Scheme { housing, cabling, shuffle, splitter_polish, spare_percent }
    })
}

/// A fan-out, a number of ToRs that a Kautz fabric has, racks in a row, and frames that are enough.
pub fn any_given() -> impl Strategy<Value = Given> {
    let sizes = prop_oneof![
        (Just(2_u32), 8..60_u32),
        (Just(3_u32), 12..80_u32),
        (Just(4_u32), 16..120_u32),
        (Just(8_u32), 32..100_u32),
    ];
    (sizes, 3..20_u32).prop_map(|((p, tors), racks)| given(p, tors, racks, 8))
}
