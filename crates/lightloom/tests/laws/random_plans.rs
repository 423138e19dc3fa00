//! A plan with random damage is found wrong or refused; it is never taken for good, and never
//! brings the check down.

use std::fs;
use std::sync::LazyLock;

use lightloom::Watch;
use lightloom::plan::{PLAN_FILES, plan};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::place::{Place, flags, verified};

const DAMAGE: [&str; 14] =
    ["", "9", "0", "-", "\"", ",", "\n", "{", "}", "]", "99999999999", "e9", "\u{0}", "é"];

/// The files of one plan; making it anew for each case would only wait for the disk.
static FILES: LazyLock<Vec<(&str, Vec<u8>)>> = LazyLock::new(|| {
    let place = Place::new();
    let request = flags(&[("fabric.family", "kautz")], &[("fabric.p", 2), ("fabric.tors", 7)]);
    let project = lightloom::open(&request).expect("a good request");
    plan(&project, &place.path("plan"), Watch::quiet()).expect("a plan");
    let read = |name| (name, fs::read(place.path("plan").join(name)).expect("a file"));
    PLAN_FILES.into_iter().map(read).collect()
});

fn planned() -> Place {
    let place = Place::new();
    fs::create_dir(place.path("plan")).expect("a folder");
    for (name, bytes) in FILES.iter() {
        place.write(&format!("plan/{name}"), bytes);
    }
    place
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn damage_anywhere_is_survived(
        file in select(&PLAN_FILES[..]),
        wounds in prop::collection::vec((any::<Index>(), select(&DAMAGE[..])), 1..4),
    ) {
        let place = planned();
        let path = place.path("plan").join(file);
        let mut bytes = fs::read(&path).expect("a file");
        for (at, damage) in wounds {
            let at = at.index(bytes.len());
            bytes.splice(at..=at, damage.bytes());
        }
        fs::write(&path, bytes).expect("damaged");
        match verified(&place.path("plan")) {
            Ok(report) => prop_assert_eq!(report.good, report.faults == 0),
            Err(error) => prop_assert_eq!(error.exit_code(), 2),
        }
    }

    #[test]
    fn a_digit_changed_in_a_sheet_is_always_found(
        file in select(&["cables.csv", "ports.csv", "bom.csv", "pull-sheet.csv"][..]),
        at in any::<Index>(),
        up in 1_u8..10,
    ) {
        let place = planned();
        let path = place.path("plan").join(file);
        let mut bytes = fs::read(&path).expect("a file");
        let digits: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
        let digit = &mut bytes[digits[at.index(digits.len())]];
        *digit = b'0' + (*digit - b'0' + up) % 10;
        fs::write(&path, bytes).expect("damaged");
        let report = verified(&place.path("plan"));
        prop_assert!(!report.is_ok_and(|report| report.good));
    }
}
