//! What a build without folders answers is what folders would hold.

use std::collections::BTreeMap;
use std::path::Path;

use lightloom::designs::{new_design, new_design_text};
use lightloom::failures::{Method, Objective, repair_files, repairs};
use lightloom::plan::{plan, plan_files, verify_texts};
use lightloom::{Files, Request, Texts, Watch, open};

use crate::place::{Place, flags};

fn small() -> Request {
    flags(&[("fabric.family", "kautz")], &[("fabric.p", 2), ("fabric.tors", 12)])
}

fn texts(folder: &Path, files: Files) -> BTreeMap<std::path::PathBuf, String> {
    let text = |bytes| String::from_utf8(bytes).expect("files of a plan are texts");
    files.into_iter().map(|(name, bytes)| (folder.join(name), text(bytes))).collect()
}

/// The folder holds exactly these files and their list.
fn assert_holds(folder: &Path, files: &Files) {
    let entries = std::fs::read_dir(folder).expect("it was written");
    assert_eq!(entries.count(), files.len() + 1);
    for (name, bytes) in files {
        let found = std::fs::read(folder.join(name)).expect("it was written");
        assert!(found == *bytes, "{name}");
    }
}

#[test]
fn plans_repairs_and_designs_in_memory_are_what_is_written() {
    let place = Place::new();
    let project = open(&small()).expect("it is a fabric");
    let method = Method::Replan(Objective::FewestChanges);
    let quiet = Watch::quiet();

    let out = place.path("plan");
    let written = plan(&project, &out, quiet).expect("it is written");
    let made = plan_files(&project, quiet).expect("it is made");
    assert_eq!(made.report.verification, written.report.verification);
    assert_holds(&out, &made.files);

    let out = place.path("repairs");
    let written = repairs(&project, &out, method, quiet).expect("they are written");
    let made = repair_files(&project, method, quiet).expect("they are made");
    assert_eq!((made.repairs, &made.not_restored), (written.repairs, &written.not_restored));
    assert_holds(&out, &made.files);

    let out = place.path("design.toml");
    let made = new_design_text(&small(), &out, quiet).expect("it is made");
    new_design(&small(), &out, quiet).expect("it is written");
    assert_eq!(std::fs::read_to_string(&out).expect("it was written"), made.text);
}

#[test]
fn a_plan_in_memory_is_verified_as_one_on_disk() {
    let project = open(&small()).expect("it is a fabric");
    let folder = Path::new("plan");
    let files = plan_files(&project, Watch::quiet()).expect("it is made").files;
    let good = texts(folder, files);
    let verify = |texts| verify_texts(folder, &Texts::keeping(texts), Watch::quiet());
    assert!(verify(good.clone()).expect("all is there").good);

    // A pull sheet without its last line.
    let mut short = good;
    let sheet = short.get_mut(&folder.join("pull-sheet.csv")).expect("it is a file of a plan");
    let last = sheet.trim_end().rfind('\n').expect("it has lines");
    sheet.truncate(last + 1);
    let report = verify(short).expect("all is there");
    assert_eq!((report.good, report.faults), (false, 1));
    assert!(report.first_faults[0].contains("is missing"), "{:?}", report.first_faults);
}
