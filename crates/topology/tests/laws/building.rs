//! Routes in random buildings, compared with Dijkstra's algorithm over a graph of every metre of every tray.

use std::collections::BTreeMap;

use lightloom_topology::hall::{
    Address, Building, BuildingFault, CableSpace, CrossSection, Entrance, Existing, Hall,
    HallError, HallRules, Name, Pathway, PathwayKind, Place, Rack, RackRole, Room, Row, TrayLevel,
    Way, WayEnd,
};
use lightloom_topology::{EntranceId, JunctionId, RackId, RoomId, RowId};
use lightloom_units::{Length, Percent};
use proptest::prelude::*;

/// A stream of random numbers (SplitMix64).
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % most
    }
}

fn name(text: String) -> Name {
    Name::new(&text).expect("a name")
}

/// The parts of a hall in whole metres.
#[derive(Debug, Clone)]
struct Parts {
    building: Building,
    rows: Vec<Row>,
    racks: Vec<Rack>,
}

const WIDE: u64 = 9;
const DEEP: u64 = 7;

fn random(seed: u64, leads: bool) -> Parts {
    let mut draw = Draw(seed);
    let rooms = 2 + draw.below(3);
    let mut parts = Parts {
        building: Building {
            rooms: Vec::new(),
            entrances: Vec::new(),
            junctions: (0..draw.below(3)).map(|i| name(format!("J{i}"))).collect(),
            ways: Vec::new(),
        },
        rows: Vec::new(),
        racks: Vec::new(),
    };
    for number in 0..rooms {
        let id = RoomId(u32::try_from(number).expect("few"));
        let aisles: Vec<u64> = (0..=draw.below(2)).map(|_| draw.below(WIDE + 1)).collect();
        let mut cross_aisles: Vec<Length> = aisles.iter().map(|&x| Length::from_m(x)).collect();
        cross_aisles.sort_unstable();
        cross_aisles.dedup();
        let rules = HallRules {
            width: Length::from_m(WIDE),
            depth: Length::from_m(DEEP),
            cross_aisles,
            tray_height: Length::from_m(3),
            rack_entry: Length::from_mm(300),
            slack: Length::from_m(2),
            space: CableSpace {
                fibre_diameter: Length::from_mm(2),
                tray_width: Length::from_mm(300),
                tray_depth: Length::from_mm(100),
            },
        };
        let trays = if draw.below(2) == 0 { TrayLevel::Overhead } else { TrayLevel::Floor };
        let (address, existing) = (Address::default(), Existing::Nothing);
        let name_ = Some(name(format!("Room {number}")));
        parts.building.rooms.push(Room { name: name_, address, rules, trays, existing });
        let mut ys: Vec<u64> = (0..draw.below(4)).map(|_| draw.below(DEEP + 1)).collect();
        ys.sort_unstable();
        ys.dedup();
        for y in ys {
            let row = RowId::at(parts.rows.len());
            let row_name = name(format!("Row {y}"));
            parts.rows.push(Row { name: row_name, y: Length::from_m(y), room: id });
            let mut xs: Vec<u64> = (0..=draw.below(2)).map(|_| draw.below(WIDE + 1)).collect();
            xs.sort_unstable();
            xs.dedup();
            for x in xs {
                let name = name(format!("N{}", parts.racks.len()));
                let x = Length::from_m(x);
                parts.racks.push(Rack {
                    name,
                    row,
                    x,
                    units: 42,
                    tor_unit: None,
                    role: RackRole::Tor,
                });
            }
        }
        for entrance in 0..=draw.below(3) {
            let chosen = usize::try_from(draw.below(aisles.len() as u64)).expect("few");
            let x = aisles[chosen];
            let lead = (leads && draw.below(2) == 0).then(|| Length::from_m(3));
            // With a lead, the place may be a metre beside the aisle.
            let beside = u64::from(lead.is_some() && x < WIDE);
            parts.building.entrances.push(Entrance {
                room: id,
                name: name(format!("E{entrance}")),
                x: Length::from_m(x + beside),
                y: Length::from_m(draw.below(DEEP + 1)),
                lead,
            });
        }
    }
    let entrances = parts.building.entrances.len() as u64;
    let nodes = entrances + parts.building.junctions.len() as u64;
    for number in 0..draw.below(9) {
        let end = |node: u64| match usize::try_from(node).expect("few") {
            at if node < entrances => WayEnd::Entrance(EntranceId::at(at)),
            at => WayEnd::Junction(JunctionId::at(at - usize::try_from(entrances).expect("few"))),
        };
        let ends = [draw.below(nodes), draw.below(nodes)].map(end);
        let place = |end: WayEnd| match end {
            WayEnd::Entrance(id) => Ok(parts.building.entrance(id).room),
            WayEnd::Junction(id) => Err(id),
        };
        if place(ends[0]) == place(ends[1]) {
            continue;
        }
        let existing = match draw.below(4) {
            0 => Existing::Share { fill: Percent::new(50) },
            1 if draw.below(2) == 0 => Existing::Share { fill: Percent::ALL },
            _ => Existing::Nothing,
        };
        let section = CrossSection::Round { diameter: Length::from_mm(110) };
        parts.building.ways.push(Way {
            name: name(format!("W{number}")),
            kind: PathwayKind::Duct,
            ends,
            length: Length::from_m(1 + draw.below(20)),
            pathway: Pathway { section, existing, planned: Percent::new(40) },
        });
    }
    parts
}

impl Parts {
    fn hall(&self) -> Result<Hall, HallError> {
        let Self { building, rows, racks } = self.clone();
        Hall::of_building(building, rows, racks)
    }
}

/// A point of the fine graph: a metre of a tray, an entrance or a junction.
type Point = (u8, u64, u64, u64);

fn metre(room: RoomId, x: u64, y: u64) -> Point {
    (0, room.0.into(), x, y)
}

fn metres(length: Length) -> u64 {
    length.as_um() / 1_000_000
}

/// Edges with their lengths in metres, over the ways that pass. `inside`: only the trays of that room.
fn edges(
    parts: &Parts,
    inside: Option<RoomId>,
    passes: impl Fn(&Way) -> bool,
) -> BTreeMap<Point, Vec<(Point, u64)>> {
    let mut edges: BTreeMap<Point, Vec<(Point, u64)>> = BTreeMap::new();
    let mut join = |a: Point, b: Point, length: u64| {
        edges.entry(a).or_default().push((b, length));
        edges.entry(b).or_default().push((a, length));
    };
    let Parts { building, rows, .. } = parts;
    let rooms = (0..).map(RoomId).zip(&building.rooms);
    for (id, room) in rooms.filter(|(id, _)| inside.is_none_or(|inside| inside == *id)) {
        for row in rows.iter().filter(|row| row.room == id) {
            for x in 0..WIDE {
                join(metre(id, x, metres(row.y)), metre(id, x + 1, metres(row.y)), 1);
            }
        }
        for &x in &room.rules.cross_aisles {
            for y in 0..DEEP {
                join(metre(id, metres(x), y), metre(id, metres(x), y + 1), 1);
            }
        }
    }
    if inside.is_some() {
        return edges;
    }
    for (id, entrance) in (0..).zip(&building.entrances) {
        let trays = building.room(entrance.room).rules.cross_aisles.iter().map(|&x| {
            (metres(x.abs_diff(entrance.x)), 0, metre(entrance.room, metres(x), metres(entrance.y)))
        });
        let along = rows.iter().filter(|row| row.room == entrance.room).map(|row| {
            let at = metre(entrance.room, metres(entrance.x), metres(row.y));
            (metres(row.y.abs_diff(entrance.y)), 1, at)
        });
        // The nearest tray; a cross-aisle before a row.
        let (_, _, tray) =
            trays.chain(along).min_by_key(|&(far, kind, _)| (far, kind)).expect("a tray");
        join((1, id, 0, 0), tray, metres(entrance.lead.unwrap_or_default()));
    }
    let end = |end: WayEnd| match end {
        WayEnd::Entrance(id) => (1, u64::from(id.0), 0, 0),
        WayEnd::Junction(id) => (2, u64::from(id.0), 0, 0),
    };
    for way in building.ways.iter().filter(|way| passes(way)) {
        join(end(way.ends[0]), end(way.ends[1]), metres(way.length));
    }
    edges
}

/// Distances from a point, by relaxing every edge until nothing changes.
fn distances(edges: &BTreeMap<Point, Vec<(Point, u64)>>, from: Point) -> BTreeMap<Point, u64> {
    let mut found = BTreeMap::from([(from, 0)]);
    loop {
        let mut changed = false;
        for (point, next) in edges {
            let Some(&here) = found.get(point) else { continue };
            for &(to, length) in next {
                let best = found.entry(to).or_insert(u64::MAX);
                if here + length < *best {
                    *best = here + length;
                    changed = true;
                }
            }
        }
        if !changed {
            return found;
        }
    }
}

fn has_room(way: &Way) -> bool {
    way.pathway.existing == Existing::Nothing
}

fn is_not_full(way: &Way) -> bool {
    way.pathway.existing != Existing::Share { fill: Percent::ALL }
}

/// Metres of trays, leads and ways between two racks. `None`: nothing joins them.
fn walk(parts: &Parts, a: RackId, b: RackId) -> Option<u64> {
    let at = |rack: RackId| {
        let rack = &parts.racks[rack.index()];
        let row = &parts.rows[rack.row.index()];
        metre(row.room, metres(rack.x), metres(row.y))
    };
    let room = |rack: RackId| parts.rows[parts.racks[rack.index()].row.index()].room;
    if room(a) == room(b) {
        return distances(&edges(parts, Some(room(a)), |_| false), at(a)).get(&at(b)).copied();
    }
    let preferred = distances(&edges(parts, None, has_room), at(a)).get(&at(b)).copied();
    preferred.or_else(|| distances(&edges(parts, None, is_not_full), at(a)).get(&at(b)).copied())
}

/// The route's length without drops, entries and slack.
fn along(hall: &Hall, a: RackId, b: RackId) -> u64 {
    let place = |rack| Place { rack, height: Length::from_m(1) };
    let drop = |rack: RackId| match hall.building().room(hall.room_of(rack)).trays {
        TrayLevel::Overhead => 2,
        TrayLevel::Floor => 4,
    };
    let length = hall.route(place(a), place(b)).length;
    let rest = Length::from_m(2 + drop(a) + drop(b)) + Length::from_mm(600);
    metres(length.checked_sub(rest).expect("a route has its drops"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(250) })]

    #[test]
    fn a_route_is_the_shortest_walk_over_allowed_ways(seed in any::<u64>(), leads in any::<bool>()) {
        let parts = random(seed, leads);
        let racks: Vec<RackId> = (0..parts.racks.len()).map(RackId::at).collect();
        let joined = racks.iter().all(|&rack| rack == racks[0] || walk(&parts, racks[0], rack).is_some());
        let hall = match parts.hall() {
            Ok(hall) => hall,
            Err(HallError::Building { fault, .. }) => {
                prop_assert!(!joined, "{fault}");
                let mut open = parts.clone();
                open.building.ways.iter_mut().for_each(|way| way.pathway.existing = Existing::Nothing);
                let full = racks.iter().all(|&rack| walk(&open, racks[0], rack).is_some());
                let is_full = matches!(fault, BuildingFault::Full { .. });
                let is_apart = matches!(fault, BuildingFault::Apart { .. });
                // Where some rooms are apart and others behind full ways, either is true.
                prop_assert!(if full { is_full } else { is_full || is_apart }, "{fault}");
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        prop_assert!(joined);
        for &a in &racks {
            for &b in racks.iter().filter(|&&b| b != a) {
                prop_assert_eq!(Some(along(&hall, a, b)), walk(&parts, a, b), "{} to {}", a, b);
                let place = |rack| Place { rack, height: Length::from_m(1) };
                let (there, back) = (hall.route(place(a), place(b)), hall.route(place(b), place(a)));
                prop_assert_eq!(there.length, back.length);
                let mut reversed = back.runs;
                reversed.reverse();
                prop_assert_eq!(&there.runs, &reversed);
                if !leads {
                    let laid: u64 = there.runs.iter().map(|run| metres(run.to.abs_diff(run.from))).sum();
                    prop_assert_eq!(laid, along(&hall, a, b));
                }
            }
        }
    }

    #[test]
    fn the_order_of_rooms_and_ways_changes_no_length(seed in any::<u64>()) {
        let parts = random(seed, true);
        let Ok(hall) = parts.hall() else { return Ok(()) };
        let mut turned = parts.clone();
        let last = u32::try_from(parts.building.rooms.len()).expect("few") - 1;
        let other = |room: RoomId| RoomId(last - room.0);
        turned.building.rooms.reverse();
        turned.building.ways.reverse();
        turned.building.ways.iter_mut().for_each(|way| way.ends.reverse());
        turned.building.entrances.iter_mut().for_each(|one| one.room = other(one.room));
        turned.rows.iter_mut().for_each(|row| row.room = other(row.room));
        let turned = turned.hall().expect("the same building");
        for a in (0..parts.racks.len()).map(RackId::at) {
            for b in (0..a.index()).map(RackId::at) {
                prop_assert_eq!(along(&hall, a, b), along(&turned, a, b));
            }
        }
    }
}

#[test]
fn many_random_buildings_stand_and_some_need_ways_over_their_planned_fill() {
    let halls =
        (0..400).filter_map(|seed| Some((random(seed, true), random(seed, true).hall().ok()?)));
    let mut over = 0;
    let mut stand = 0;
    for (parts, hall) in halls {
        let racks: Vec<RackId> = (0..parts.racks.len()).map(RackId::at).collect();
        stand +=
            usize::from(racks.iter().any(|&rack| hall.room_of(rack) != hall.room_of(racks[0])));
        let mut strict = parts;
        strict.building.ways.retain(has_room);
        over += usize::from(strict.hall().is_err());
    }
    assert!(stand > 60 && over > 10, "{stand} halls of several rooms, {over} over a crowded way");
}
