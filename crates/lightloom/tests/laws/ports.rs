//! Fabric ports: whatever is cabled, reserved or of another kind, a plan gives every port a free interface of its
//! own, and refuses only where there are too few.

use std::collections::{BTreeMap, BTreeSet};

use lightloom::plan::plan_files;
use lightloom::{Request, Value, Watch};
use proptest::prelude::*;
use proptest::sample::select;

use crate::place::{Place, flags, key, verified};

/// One interface of a drawn switch.
#[derive(Debug, Clone)]
struct Drawn {
    number: u32,
    kind: &'static str,
    cabled: bool,
    marked: bool,
    reserved: bool,
}

impl Drawn {
    fn name(&self) -> String {
        format!("Ethernet1/{}", self.number)
    }

    /// Whether a fabric of 25 Gb/s may use it. This knows the types below, and nothing of the reader.
    fn is_fit(&self) -> bool {
        let fits = ["25gbase-x-sfp28", "SFP28 (25GE)", "25gbase-lr"].contains(&self.kind);
        fits && !self.cabled && !self.marked && !self.reserved
    }
}

const KINDS: [&str; 7] = [
    "25gbase-x-sfp28",
    "SFP28 (25GE)",
    "25gbase-lr",
    "25gbase-cr",
    "100gbase-x-qsfp28",
    "10gbase-x-sfpp",
    "virtual",
];

fn switch() -> impl Strategy<Value = Vec<Drawn>> {
    let flag = || prop::bool::weighted(0.15);
    let drawn = (1..200_u32, select(&KINDS[..]), flag(), flag(), flag());
    let drawn = drawn.prop_map(|(number, kind, cabled, marked, reserved)| Drawn {
        number,
        kind,
        cabled,
        marked,
        reserved,
    });
    prop::collection::vec(drawn, 6..24).prop_map(|drawn| {
        let by_number: BTreeMap<u32, Drawn> = drawn.into_iter().map(|d| (d.number, d)).collect();
        by_number.into_values().collect()
    })
}

fn files(place: &Place, switches: &[Vec<Drawn>]) -> Vec<(&'static str, String)> {
    let mut racks = String::from("name,row,position\n");
    let mut devices = String::from("Name,Rack,Position,Role\n");
    let mut interfaces = String::from("Device,Name,Type,Cable,Mark Connected,Tags\n");
    for (i, switch) in switches.iter().enumerate() {
        racks += &format!("R{i},A,{}\n", i + 1);
        devices += &format!("s{i},R{i},{},Leaf\n", 1 + i % 40);
        // In reverse, so that the order of the file is not the natural one.
        for drawn in switch.iter().rev() {
            let cable = if drawn.cabled { "#1" } else { "" };
            let tag = if drawn.reserved { "keep" } else { "" };
            let (name, kind, marked) = (drawn.name(), drawn.kind, drawn.marked);
            interfaces += &format!("s{i},{name},{kind},{cable},{marked},{tag}\n");
        }
    }
    let path = |name: &str, text: String| {
        place.write(name, text).to_str().expect("a UTF-8 path").to_owned()
    };
    vec![
        ("hall.inventory", path("racks.csv", racks)),
        ("hall.devices", path("devices.csv", devices)),
        ("hall.interfaces", path("interfaces.csv", interfaces)),
    ]
}

fn request(files: &[(&'static str, String)]) -> Request {
    let texts =
        [("fabric.family", "kautz"), ("tor.role", "leaf"), ("optics.transceiver", "25gbase-er")];
    let mut request = flags(&texts, &[("fabric.p", 2)]);
    for (name, path) in files {
        request.flags.push((key(name), Value::Text(path.clone())));
    }
    request.flags.push((key("tor.reserved"), Value::List(vec!["keep".into()])));
    request
}

/// The interface of each port in `ports.csv`, by ToR and port.
fn assigned(sheet: &[u8]) -> BTreeMap<(usize, usize), String> {
    let mut reader = csv::Reader::from_reader(sheet);
    let rows = reader.deserialize::<BTreeMap<String, String>>().map(|row| row.expect("a row"));
    let number = |cell: &str| cell.parse::<usize>().expect("a number");
    rows.map(|row| ((number(&row["tor"]), number(&row["port"])), row["interface"].clone()))
        .collect()
}

fn ports_of(request: &Request) -> Result<BTreeMap<(usize, usize), String>, lightloom::Error> {
    let made = plan_files(&lightloom::open(request)?, Watch::quiet())?;
    let sheet = made.files.iter().find(|(name, _)| *name == "ports.csv").expect("it is there");
    Ok(assigned(&sheet.1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn an_occupied_port_is_never_assigned(
        switches in prop::collection::vec(switch(), 4..8),
    ) {
        let place = Place::new();
        let request = request(&files(&place, &switches));
        let fit: Vec<Vec<String>> = switches
            .iter()
            .map(|switch| switch.iter().filter(|d| d.is_fit()).map(Drawn::name).collect())
            .collect();
        match ports_of(&request) {
            Err(refused) => {
                let enough = fit.iter().all(|names| names.len() >= 2);
                prop_assert!(!enough, "refused, though every switch has two: {refused}");
            }
            Ok(found) => {
                for (tor, names) in fit.iter().enumerate() {
                    let ports: Vec<&String> = (0..2).filter_map(|j| found.get(&(tor, j))).collect();
                    // The first ones in natural order, which is that of the numbers.
                    prop_assert_eq!(&ports, &names.iter().take(ports.len()).collect::<Vec<_>>());
                    prop_assert!(!ports.is_empty());
                }
            }
        }
    }

    #[test]
    fn a_kept_port_stays_while_it_is_free(
        switches in prop::collection::vec(switch(), 4..7),
        taken in prop::collection::btree_set((0..7_usize, 1..200_u32), 0..60),
    ) {
        let place = Place::new();
        let before = request(&files(&place, &switches));
        let Ok(project) = lightloom::open(&before) else { return Ok(()) };
        let old = place.path("old");
        lightloom::plan::plan(&project, &old, Watch::quiet()).expect("a plan");
        prop_assert!(verified(&old).expect("a plan").good);
        let was = ports_of(&before).expect("a plan");
        let mut later = switches;
        for (i, number) in taken {
            let switch = later.get_mut(i);
            if let Some(drawn) = switch.and_then(|s| s.iter_mut().find(|d| d.number == number)) {
                drawn.cabled = true;
            }
        }
        let after = request(&files(&place, &later));
        let after = after.say(&key("hall.keep"), old.to_str().expect("a UTF-8 path"));
        let Ok(now) = ports_of(&after) else { return Ok(()) };
        let mut used = BTreeSet::new();
        for ((tor, port), name) in &now {
            let fit = later[*tor].iter().any(|d| d.is_fit() && d.name() == *name);
            prop_assert!(fit, "{} of ToR {} is not free", name, tor);
            prop_assert!(used.insert((tor, name)));
            let old = &was[&(*tor, *port)];
            if later[*tor].iter().any(|d| d.is_fit() && d.name() == *old) {
                prop_assert_eq!(name, old);
            }
        }
    }
}
