//! Every reader of what a stranger may send, as a function of bytes. The fuzz targets in `fuzz/` and the test that
//! replays saved inputs call these functions, so that what one finds the other keeps.
//!
//! All texts are in memory. What follows the reading (proofs, files) is left out where it would take most of the time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use lightloom::as_built::read_returned;
use lightloom::configs::{
    ConfigsOptions, Encoding, ReadBackOptions, config_files, verify_switches,
};
use lightloom::plan::{plan_files, verify_texts};
use lightloom::twin::{read_columns, read_scenario};
use lightloom::{Files, Project, Request, Texts, Value, Watch, setting};
use lightloom_input::{devices, groups, open, plan_folder, settings};
use lightloom_plan::open::written::from_document;

/// A reader: what it is called, and what it does with any bytes.
pub(crate) type Reader = (&'static str, fn(&[u8]));

/// All readers.
pub(crate) const READERS: [Reader; 10] = [
    ("design", design),
    ("scenario", scenario),
    ("inventory", inventory),
    ("devices", devices),
    ("groups", groups),
    ("plan_folder", plan_folder),
    ("plan_files", plan_files_of),
    ("as_built", as_built),
    ("arrow", arrow),
    ("read_back", read_back),
];

/// Gives bytes to a reader.
///
/// # Panics
/// Panics if there is no such reader, or if the reader does.
#[allow(dead_code, reason = "the fuzz targets call it")]
pub(crate) fn run(name: &str, bytes: &[u8]) {
    let (_, read) = READERS.into_iter().find(|(named, _)| *named == name).expect("a reader");
    read(bytes);
}

/// Fabrics with more ToRs are read and not opened.
const MOST_TORS: usize = 64;
/// Separates the two files of one input.
const BETWEEN: &str = "\n---\n";
/// Every so many designs one is opened, which reads the catalogue.
const OPENED: usize = 16;
/// Numbers of these many digits are counts that fill the memory; larger ones are refused, smaller ones are small.
const HUNGRY: std::ops::RangeInclusive<usize> = 4..=10;
/// Until when a scenario may run. Traffic is drawn until then.
const LATEST: lightloom::units::Instant = lightloom::units::Instant::from_ps(20_000_000);

/// Racks that designs, devices and placements name.
const RACKS: &str = "name,row,position,site,location,status\nr1,A,1,S,Row 1,active\nr2,A,2,S,Row 1,active\n\
                     r3,A,3,S,Row 1,planned\nr4,B,1,S,Row 2,active\nr5,B,2,S,Row 2,active\nr6,B,3,S,Row 2,active\n";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn memory<const N: usize>(texts: [(&str, String); N]) -> Texts {
    Texts::keeping(texts.into_iter().map(|(name, text)| (name.into(), text)).collect())
}

/// A small plan.
fn project() -> &'static Project {
    static PROJECT: OnceLock<Project> = OnceLock::new();
    PROJECT.get_or_init(|| {
        let request = Request::default()
            .say(&setting::fabric::FAMILY, "kautz")
            .say(&setting::fabric::P, 2_u32)
            .say(&setting::fabric::TORS, 6_u32);
        lightloom::open(&request).expect("it is a fabric")
    })
}

fn texts_of(folder: &str, files: Files) -> BTreeMap<PathBuf, String> {
    let text = |bytes| String::from_utf8(bytes).expect("files of a plan are texts");
    files.into_iter().map(|(name, bytes)| (Path::new(folder).join(name), text(bytes))).collect()
}

fn design(bytes: &[u8]) {
    let text = text(bytes);
    let is_opened = text.len().is_multiple_of(OPENED);
    let texts = memory([
        ("design.toml", text),
        ("racks.csv", RACKS.into()),
        ("edges.csv", "tor,from_cassette,to_cassette\n0,0,1\n1,1,0\n".into()),
        ("placement.csv", "tor,rack\n0,r1\n1,r2\n".into()),
    ]);
    let request = Request { design: Some("design.toml".into()), texts, ..Request::default() };
    let Ok(design) = settings::read(&request).and_then(open::design) else { return };
    let tors = design.fabric.tors().map_or(MOST_TORS, |tors| tors as usize);
    if is_opened && tors <= MOST_TORS {
        let _ = lightloom::open(&request);
    }
}

fn scenario(bytes: &[u8]) {
    let text = text(bytes);
    if !is_frugal(&text) {
        return;
    }
    let texts = memory([
        ("scenario.toml", text),
        ("links.csv", "from,to,rate,delay\nhost 0,switch 0,100 Gb/s,1 us\n".into()),
        ("sizes.txt", "0 0\n1000 0.5\n10000 1\n".into()),
    ]);
    let _ = read_scenario(Path::new("scenario.toml"), &texts);
}

/// Whether a scenario cannot ask for millions of hosts or flows, which would be made while it is read.
fn is_frugal(text: &str) -> bool {
    let runs = text.split(|c: char| !c.is_ascii_digit() && c != '_');
    if runs.map(str::len).any(|length| HUNGRY.contains(&length)) {
        return false;
    }
    let is_early = |line: &str| {
        let value = line.split_once('=').map_or("", |(_, value)| value.trim().trim_matches('"'));
        value.parse::<lightloom::units::Instant>().is_ok_and(|until| until <= LATEST)
    };
    text.lines().filter(|line| line.contains("until")).all(is_early)
}

fn inventory(bytes: &[u8]) {
    let text = text(bytes);
    let request = Request::default().say(&setting::hall::INVENTORY, "racks.csv");
    let request = match text.len() % 3 {
        0 => request,
        1 => request.say(&setting::hall::LOCATION, Value::List(vec!["row*".into()])),
        _ => request.say(&setting::hall::ROWS_FROM, "location"),
    };
    let _ = open::inventory(&Request { texts: memory([("racks.csv", text)]), ..request });
}

fn devices(bytes: &[u8]) {
    let text = text(bytes);
    let (devices, interfaces) = match text.split_once(BETWEEN) {
        Some((devices, interfaces)) => (devices.to_owned(), Some(interfaces.to_owned())),
        None => (text, None),
    };
    let mut request = Request::default()
        .say(&setting::fabric::FAMILY, "kautz")
        .say(&setting::fabric::P, 2_u32)
        .say(&setting::hall::INVENTORY, "racks.csv")
        .say(&setting::hall::DEVICES, "devices.csv");
    if interfaces.is_some() {
        request = request.say(&setting::hall::INTERFACES, "interfaces.csv");
    }
    let texts = memory([
        ("racks.csv", RACKS.into()),
        ("devices.csv", devices),
        ("interfaces.csv", interfaces.unwrap_or_default()),
    ]);
    let design = settings::read(&Request { texts, ..request }).and_then(open::design);
    let _ = devices::read(&mut design.expect("the racks are right"));
}

fn groups(bytes: &[u8]) {
    let encodings = [Encoding::Literal, Encoding::Masked, Encoding::MaskedDestination];
    let encoding = encodings[bytes.len() % encodings.len()];
    let texts = memory([("groups.toml", text(bytes))]);
    let _ = groups::read(project(), encoding, Some(Path::new("groups.toml")), &texts);
}

fn plan_folder(bytes: &[u8]) {
    let file = Path::new("plan/plan.json");
    if let Ok(document) = plan_folder::parse(file, &text(bytes)) {
        let _ = from_document(&document, file);
    }
}

/// The first byte chooses a file of a small plan; the others take its place.
fn plan_files_of(bytes: &[u8]) {
    static FILES: OnceLock<BTreeMap<PathBuf, String>> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        texts_of("plan", plan_files(project(), Watch::quiet()).expect("it is made").files)
    });
    let Some((chosen, bytes)) = bytes.split_first() else { return };
    let mut files = files.clone();
    let at = usize::from(*chosen) % files.len();
    if let Some(file) = files.values_mut().nth(at) {
        *file = text(bytes);
    }
    let _ = verify_texts(Path::new("plan"), &Texts::keeping(files), Watch::quiet());
}

fn as_built(bytes: &[u8]) {
    let texts = memory([("returned.csv", text(bytes))]);
    let Ok(returned) = read_returned(Path::new("returned.csv"), &texts) else { return };
    let project = project();
    let laid = project.laid().expect("it can be laid");
    let plant = laid.plant();
    if returned.is_of(plant, project.optics()).is_ok() {
        let _ = project.taking(&returned.told, &|fault| returned.place(fault));
    }
}

fn arrow(bytes: &[u8]) {
    let _ = read_columns("flows.arrow", bytes);
}

/// What the first switch says of its flows, and behind the separator of its groups.
fn read_back(bytes: &[u8]) {
    static GIVEN: OnceLock<BTreeMap<PathBuf, String>> = OnceLock::new();
    let given = GIVEN.get_or_init(|| {
        let (_, files) = config_files(project(), &ConfigsOptions::default()).expect("it is made");
        texts_of(
            "configs",
            files.into_iter().map(|(name, bytes)| (name.leak() as &str, bytes)).collect(),
        )
    });
    let text = text(bytes);
    let (flows, groups) = text.split_once(BETWEEN).unwrap_or((&text, ""));
    let mut texts = given.clone();
    texts.insert("back/tor-0.dump-flows".into(), flows.to_owned());
    texts.insert("back/tor-0.dump-groups".into(), groups.to_owned());
    let (configs, back) = (Path::new("configs"), Path::new("back"));
    let _ = verify_switches(configs, back, ReadBackOptions::default(), &Texts::keeping(texts));
}
