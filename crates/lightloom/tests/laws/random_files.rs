//! Random texts and bytes as design, inventory, edge list and placement.

use std::path::Path;

use lightloom::Request;
use proptest::prelude::*;
use proptest::sample::select;

use crate::place::{Place, answers_or_refuses, flags};

const KEYS: [&str; 26] = [
    "version",
    "family",
    "p",
    "k",
    "tors",
    "edges",
    "router",
    "extra_hops",
    "inventory",
    "site",
    "location",
    "status",
    "placement",
    "keep",
    "racks_per_row",
    "rack_pitch",
    "row_pitch",
    "width",
    "depth",
    "cross_aisles",
    "tray_height",
    "tray_width",
    "slack",
    "housing",
    "spares_percent",
    "x",
];

const VALUES: [&str; 30] = [
    "1",
    "2",
    "3",
    "8",
    "0",
    "-1",
    "1025",
    "1000000000",
    "99999999999999999999",
    "2.5",
    "nan",
    "true",
    "\"\"",
    "\"kautz\"",
    "\"shufflecast\"",
    "\"custom\"",
    "\"receiver\"",
    "\"arborescence\"",
    "\"2 m\"",
    "\"0 m\"",
    "\"18446744073709 m\"",
    "\"NaN m\"",
    "\"racks.csv\"",
    "\"/dev/zero\"",
    "\"..\"",
    "[]",
    "[\"1 m\", \"2 m\"]",
    "[\"*\"]",
    "[\"[\"]",
    "{ a = 1 }",
];

const CELLS: [&str; 24] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "-1",
    "4294967295",
    "18446744073709551616",
    "1.5",
    "NaN",
    "1e9",
    "",
    " ",
    "A",
    "B",
    "Row 1",
    "=1+1",
    "\"x\ny\"",
    "\"a,b\"",
    "\u{202e}",
    "\t",
    "active",
    "100000",
    "A1",
];

const COLUMNS: [&str; 14] = [
    "name",
    "row",
    "position",
    "x_m",
    "y_m",
    "unit",
    "u_height",
    "site",
    "location",
    "status",
    "tor",
    "from_cassette",
    "to_cassette",
    "rack",
];

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (select(&KEYS[..]), select(&VALUES[..])).prop_map(|(key, value)| format!("{key} = {value}")),
        2 => select(&["[fabric]", "[hall]", "[routing]", "[splitters]", "[order]", "[x]"][..])
            .prop_map(str::to_owned),
        1 => "\\PC{0,20}",
    ]
}

/// A design whose sections mostly hold their own keys, so that many get far.
fn design() -> impl Strategy<Value = String> {
    let section = |name: &'static str, keys: std::ops::Range<usize>| {
        let entry = (select(&KEYS[keys]), select(&VALUES[..]));
        prop::collection::vec(entry, 0..3).prop_map(move |entries| {
            let lines: String = entries.iter().map(|(k, v)| format!("{k} = {v}\n")).collect();
            format!("[{name}]\n{lines}")
        })
    };
    let family = select(&["kautz\"\np = 2\ntors = 9", "shufflecast\"\np = 2\nk = 2"][..]);
    (family, section("hall", 8..23), section("routing", 6..8), section("order", 24..25)).prop_map(
        |(family, hall, routing, order)| {
            format!("version = 1\n[fabric]\nfamily = \"{family}\n{hall}{routing}{order}")
        },
    )
}

fn table() -> impl Strategy<Value = Vec<u8>> {
    let header = prop::sample::subsequence(&COLUMNS[..], 1..7).prop_shuffle();
    let sheet = header.prop_flat_map(|header| {
        let row = prop::collection::vec(select(&CELLS[..]), header.len());
        let rows = prop::collection::vec(row, 0..10);
        rows.prop_map(move |rows| {
            let mut text = header.join(",") + "\n";
            for row in rows {
                text += &(row.join(",") + "\n");
            }
            text.into_bytes()
        })
    });
    prop_oneof![4 => sheet, 1 => prop::collection::vec(any::<u8>(), 0..200)]
}

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
const BUILDING: &str = include_str!("../../../../examples/building.toml");
/// Values that fields of a building file may get by mistake.
const MISTAKES: [&str; 16] = [
    "\"0 m\"",
    "\"-1 m\"",
    "\"99999999 km\"",
    "\"18446744073709 m\"",
    "\"1 um\"",
    "[]",
    "[{}]",
    "{}",
    "3",
    "true",
    "\"\"",
    "\"a/b\"",
    "\"Room A/east\"",
    "\"shaft 1\"",
    "\"100 %\"",
    "{ cables = 4294967295, diameter = \"100 km\" }",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_text_as_design_is_answered_or_refused(
        start in select(&["", "version = 1\n", "version = 1\n[fabric]\nfamily = \"kautz\"\ntors = 9\n"][..]),
        lines in prop::collection::vec(line(), 0..8),
    ) {
        let place = Place::new();
        let path = place.write("d.toml", format!("{start}{}", lines.join("\n")));
        let request = Request { design: Some(path), ..Request::default() };
        let _ = answers_or_refuses(&request, &place.path("out"));
    }

    #[test]
    fn any_values_in_their_sections_are_answered_or_refused(text in design(), racks in table()) {
        let place = Place::new();
        place.write("racks.csv", racks);
        let path = place.write("d.toml", text);
        let request = Request { design: Some(path), ..Request::default() };
        let _ = answers_or_refuses(&request, &place.path("out"));
    }

    #[test]
    fn any_bytes_as_inventory_are_answered_or_refused(bytes in table()) {
        let place = Place::new();
        let path = place.write("racks.csv", bytes);
        let inventory = path.to_string_lossy();
        let texts = [("hall.inventory", inventory.as_ref()), ("fabric.family", "kautz")];
        let _ = answers_or_refuses(&flags(&texts, &[("fabric.p", 2)]), &place.path("out"));
    }

    #[test]
    fn any_bytes_as_placement_are_answered_or_refused(bytes in table()) {
        let place = Place::new();
        let path = place.write("place.csv", bytes);
        let placement = path.to_string_lossy();
        let texts = [("hall.placement", placement.as_ref()), ("fabric.family", "kautz")];
        let numbers = [("fabric.p", 2), ("fabric.tors", 5)];
        let _ = answers_or_refuses(&flags(&texts, &numbers), &place.path("out"));
    }

    #[test]
    fn any_edited_building_is_answered_or_refused(
        edits in prop::collection::vec((0_usize..90, 0_usize..MISTAKES.len()), 1..4),
    ) {
        let place = Place::new();
        let mut lines: Vec<String> = BUILDING.lines().map(str::to_owned).collect();
        for (line, value) in edits {
            let line = line % lines.len();
            match lines[line].split_once('=') {
                Some((key, _)) => lines[line] = format!("{key}= {}", MISTAKES[value]),
                None => drop(lines.remove(line)),
            }
        }
        let building = place.write("building.toml", lines.join("\n"));
        let (racks, building) = (Path::new(EXAMPLES).join("building-racks.csv"), building.to_string_lossy());
        let texts = [
            ("hall.building", building.as_ref()),
            ("hall.inventory", racks.to_str().expect("a path in UTF-8")),
            ("fabric.family", "kautz"),
        ];
        let _ = answers_or_refuses(&flags(&texts, &[("fabric.p", 4), ("fabric.tors", 40)]), &place.path("out"));
    }

    #[test]
    fn any_edge_list_is_answered_or_refused(
        edges in prop::collection::vec((0_u32..6, 0_u32..4, 0_u32..4), 0..7),
        numbered in any::<bool>(),
        bytes in table(),
        p in 1_i64..4,
    ) {
        let place = Place::new();
        let mut text = String::from("tor,from_cassette,to_cassette\n");
        for (i, (tor, from, to)) in edges.iter().enumerate() {
            let tor = if numbered { i } else { *tor as usize };
            text += &format!("{tor},{from},{to}\n");
        }
        let whole = place.write("whole.csv", text);
        let random = place.write("random.csv", bytes);
        for path in [whole, random] {
            let edges = path.to_string_lossy();
            let texts = [("fabric.edges", edges.as_ref()), ("fabric.family", "custom")];
            let out = place.path("out");
            let _ = answers_or_refuses(&flags(&texts, &[("fabric.p", p)]), &out);
            let _ = std::fs::remove_dir_all(out);
        }
    }
}
