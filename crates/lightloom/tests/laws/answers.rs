//! Answers as texts: what is written is read back, to the last bit.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lightloom::as_built::{take_as_built, write_as_built_form};
use lightloom::configs::{
    ConfigsOptions, Dialect, Encoding, ReadBackOptions, configs, configs_diff, lint,
    verify_switches,
};
use lightloom::designs::{self, ExploreOptions, UnusedOptions, explore, new_design, unused_ports};
use lightloom::failures::{self, FailureSet, Method, recovery_method, repairs};
use lightloom::growth::{GrowOptions, ShrinkOptions, grow, shrink};
use lightloom::light::{self, BudgetOptions, Case};
use lightloom::netbox::{NetboxOptions, Origin, netbox};
use lightloom::plan::{self, RulesReport, plan, verify_folder};
use lightloom::report::{ReportOptions, write_drawings, write_report};
use lightloom::twin::{
    CollectiveOptions, IntervalReport, Operation, SimulateOptions, Simulated, TraceOptions,
    collective, read_scenario, simulate, trace,
};
use lightloom::units::{BitRate, DataSize, Span};
use lightloom::{Project, Texts, TorId, Watch, from_json, to_json};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::place::{Place, flags};

/// The names of the answers that were written and read back.
#[derive(Default)]
struct Checked(BTreeSet<&'static str>);

impl Checked {
    /// Writes an answer, reads it as its type, and writes it again.
    fn reads_back<T: Serialize + DeserializeOwned>(&mut self, name: &'static str, answer: &T) {
        let text = to_json(answer).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(text.starts_with("{\"format\":1,\""), "{name}: {text:.80}");
        let again: T = from_json(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(to_json(&again).expect("as before"), text, "{name}");
        self.0.insert(name);
    }
}

fn project(texts: &[(&'static str, &str)], numbers: &[(&'static str, i64)]) -> Project {
    lightloom::open(&flags(texts, numbers)).expect("it is a design")
}

/// A p,k-Shufflecast.
fn shufflecast(p: i64, k: i64) -> Project {
    project(&[("fabric.family", "shufflecast")], &[("fabric.p", p), ("fabric.k", k)])
}

/// A design of the data sheets with this transceiver.
fn lit(transceiver: &str, p: i64, tors: i64) -> Project {
    let texts = [
        ("fabric.family", "kautz"),
        ("optics.catalogue", "datasheets-2026"),
        ("optics.transceiver", transceiver),
    ];
    project(&texts, &[("fabric.p", p), ("fabric.tors", tors)])
}

fn failed(project: &Project, names: &str) -> FailureSet {
    FailureSet::parse(project, names).expect("they are of this fabric")
}

fn replan() -> Method {
    recovery_method(None, None).expect("it is the usual one")
}

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(name)
}

fn questions(checked: &mut Checked) {
    let small = shufflecast(2, 3);
    checked.reads_back("fabric", &small.fabric_report());
    checked.reads_back("cabling", &small.cabling().expect("it is small"));
    checked.reads_back("floor", &plan::floor(&small));
    checked.reads_back("tree", &small.tree(TorId(5)).expect("it is listed"));
    checked.reads_back("rules", &small.rules(TorId(7)).expect("it is listed"));
    checked.reads_back("info", &small.info(Watch::quiet()).expect("it is small"));
    let odd = project(&[("fabric.family", "kautz")], &[("fabric.p", 4), ("fabric.tors", 65)]);
    checked.reads_back("info", &odd.info(Watch::quiet()).expect("it is small"));
    for sources in [&[0, 7][..], &[0, 1, 2], &[0, 2, 4, 6, 8, 10]] {
        let sources: Vec<TorId> = sources.iter().copied().map(TorId).collect();
        checked.reads_back(
            "parallel",
            &plan::parallel(&small, &sources, Watch::quiet()).expect("they are ToRs"),
        );
    }
    for most in [&small, &odd, &shufflecast(2, 1)] {
        checked.reads_back(
            "parallel",
            &plan::most_parallel(most, Watch::quiet()).expect("it is small"),
        );
    }
}

fn failures(checked: &mut Checked, place: &Place) {
    let small = shufflecast(2, 3);
    for names in ["relay:8", "branch:8->16,tor:2", "tx:1,tor:4", "cassette:3", "rx:3/1"] {
        let failed = failed(&small, names);
        checked.reads_back("impact", &small.impact(&failed).expect("it is small"));
        checked.reads_back("dark", &failures::dark(&small, &failed).expect("it is of this fabric"));
        let recovered = small.recover_with_throughput(&failed, replan()).expect("it is small");
        checked.reads_back("recover", &recovered);
    }
    let relay = failed(&small, "relay:8");
    let paper = recovery_method(Some("algorithm2"), None).expect("a method");
    checked.reads_back("recover", &small.recover(&relay, paper).expect("it is small"));
    checked.reads_back("risk", &failures::risk(&small, None, Watch::quiet()).expect("it is small"));
    let written = repairs(&shufflecast(2, 2), &place.path("repairs"), replan(), Watch::quiet());
    checked.reads_back("repairs", &written.expect("it is small"));
    let folder = place.path("reported");
    plan(&small, &folder, Watch::quiet()).expect("it is small");
    let (page, options) = (place.path("page.html"), ReportOptions::default());
    let report = write_report(&folder, &options, &page, Watch::quiet());
    checked.reads_back("report", &report.expect("it is small"));
    checked
        .reads_back("draw", &write_drawings(&folder, &page, Watch::quiet()).expect("it is small"));
    let options = NetboxOptions {
        site: Some("Harbor Hall".into()),
        location: None,
        racks: Origin::Imported,
        switches: Origin::Imported,
    };
    let written = netbox(&small, &place.path("netbox"), &options);
    checked.reads_back("netbox", &written.expect("its names are short"));
    // Rules by ToR, within an answer that holds another one.
    let around = shufflecast(2, 3).recovered_by(failed(&small, "tx:1,tor:4"), replan());
    let planned = plan(&around, &place.path("around"), Watch::quiet()).expect("it is small");
    assert!(planned.report.recovery.is_some());
    checked.reads_back("plan", &planned);
}

fn light(checked: &mut Checked, place: &Place) {
    let (mut kinds, mut pads, mut hazards) = (BTreeSet::new(), 0, 0);
    for (transceiver, p, tors) in [
        ("10gbase-lr", 4, 32),
        ("10gbase-er", 4, 32),
        ("10gbase-lr", 16, 40),
        ("10g-l40", 2, 12),
        ("25gbase-er", 4, 32),
    ] {
        let project = lit(transceiver, p, tors);
        checked.reads_back("spec", &project.spec().expect("it is lit"));
        for case in Case::ALL {
            let options = BudgetOptions { case: Some(case), threads: None };
            let budget = project.budget(&options, Watch::quiet()).expect("it is lit");
            kinds.insert(budget.verdict.name());
            pads += usize::from(budget.pad.is_some());
            hazards += budget.hazards.len();
            checked.reads_back("budget", &budget);
            let branches = light::branches_named(&project, "F3").expect("it is a feed");
            let trace =
                light::trace(&project, &branches, &options, Watch::quiet()).expect("it is lit");
            checked.reads_back("trace", &trace);
        }
        checked.reads_back("spec", &project.spec().expect("it has branches"));
        checked.reads_back(
            "compare",
            &designs::compare(&project, &designs::CompareOptions::default())
                .expect("it has prices"),
        );
    }
    assert!(kinds.is_superset(&BTreeSet::from(["pass", "marginal", "fail"])), "{kinds:?}");
    assert!(pads > 0 && hazards > 0, "{pads} with pads, {hazards} hazards");
    let planned = plan(&lit("10gbase-lr", 4, 32), &place.path("lit"), Watch::quiet());
    checked.reads_back("plan", &planned.expect("it is a plan"));
    let dear = [("cost.energy_price", "0.12 USD"), ("fabric.family", "kautz")];
    let dear = project(&dear, &[("cost.years", 5), ("fabric.p", 4), ("fabric.tors", 12)]);
    let of_16 = designs::CompareOptions { core_ports: Some(16), ..Default::default() };
    let compared = designs::compare(&dear, &of_16).expect("it has prices");
    assert!(compared.splitter_fabric.over_years.is_some());
    checked.reads_back("compare", &compared);
}

fn plans(checked: &mut Checked, place: &Place) {
    let racks = "name,row,position,colour\nA1,A,1,red\nA2,A,2,blue\nB1,B,1,red\nB2,B,2,red\n";
    let racks = place.write("racks.csv", racks);
    let texts = [
        ("hall.inventory", racks.to_str().expect("UTF-8")),
        ("hall.tray_width", "8 mm"),
        ("hall.tray_depth", "4 mm"),
    ];
    let crowded = project(&texts, &[("fabric.p", 2)]);
    let out = place.path("crowded");
    let planned = plan(&crowded, &out, Watch::quiet()).expect("the fibres fit");
    assert!(!planned.report.warnings.is_empty(), "{:?}", planned.report.trays);
    checked.reads_back("plan", &planned);
    checked.reads_back("verify", &verify_folder(&out, Watch::quiet()).expect("it is a plan"));
    let html = place.path("report.html");
    let reported = write_report(&out, &ReportOptions::default(), &html, Watch::quiet());
    checked.reads_back("report", &reported.expect("it is a plan"));
    let drawn = write_drawings(&out, &place.path("drawings.html"), Watch::quiet());
    checked.reads_back("draw", &drawn.expect("it is a plan"));
    std::fs::write(out.join("stray.txt"), "stray").expect("it is written");
    let wrong = verify_folder(&out, Watch::quiet()).expect("it is a plan");
    assert!(!wrong.good);
    checked.reads_back("verify", &wrong);
    let design =
        new_design(&flags(&[], &[("fabric.tors", 33)]), &place.path("d.toml"), Watch::quiet());
    checked.reads_back("new", &design.expect("it is a design"));
}

fn growths(checked: &mut Checked, place: &Place) {
    let texts = [("fabric.family", "shufflecast"), ("splitters.housing", "receiver")];
    let small = project(&texts, &[("fabric.p", 2), ("fabric.k", 3)]);
    let (old, new) = (place.path("old"), place.path("grown"));
    plan(&small, &old, Watch::quiet()).expect("it is small");
    let options = GrowOptions { phases: vec![30, 40], ..GrowOptions::default() };
    let grown = grow(&old, &options, None, Some(&new), Watch::quiet()).expect("it grows");
    assert!(grown.paper.is_some() && grown.later.len() == 1);
    checked.reads_back("grow", &grown);
    let options = ShrinkOptions { tors: Some(24), ..ShrinkOptions::default() };
    checked
        .reads_back("shrink", &shrink(&new, &options, None, Watch::quiet()).expect("it shrinks"));
}

fn returns(checked: &mut Checked, place: &Place) {
    let (old, new) = (place.path("planned"), place.path("as-built"));
    plan(&lit("10gbase-er", 2, 12), &old, Watch::quiet()).expect("it is small");
    let form = write_as_built_form(&old, &place.path("form.csv"), Watch::quiet());
    checked.reads_back("as-built-form", &form.expect("it is a plan"));
    for text in [
        "label,length_m,measured_db,note\nB3.1,25.5,7.25,round the pillar\nB3.0,,no light,\n",
        "label,far_at\nF1,F4\nF4,F1\n",
    ] {
        let sheet = place.write("returned.csv", text);
        let taken = take_as_built(&old, &sheet, Some(&new), Watch::quiet());
        checked.reads_back("as-built", &taken.expect("it is a sheet of the plan"));
    }
}

fn switches(checked: &mut Checked, place: &Place) {
    let model = [("fabric.family", "shufflecast"), ("tor.model", "arista-7050sx-64")];
    let small = project(&model, &[("fabric.p", 2), ("fabric.k", 2)]);
    for dialect in Dialect::ALL {
        // SONiC's pipeline matches masks on the destination only.
        let encoding = Encoding::MaskedDestination;
        let encoding = (dialect == Dialect::P4runtimeSonic).then_some(encoding);
        let options =
            ConfigsOptions { dialect: Some(dialect), encoding, ..ConfigsOptions::default() };
        let written = configs(&small, &options, &place.path(dialect.name()));
        checked.reads_back("configs", &written.expect("it has names of interfaces"));
        checked.reads_back("lint", &lint(&small, &options).expect("it is small"));
    }
    let around = small.clone().recovered_by(failed(&small, "relay:3"), replan());
    let out = place.path("steps");
    let steps = configs_diff(&small, &around, &ConfigsOptions::default(), &out);
    checked.reads_back("configs-diff", &steps.expect("it is small"));
    let given = place.path(Dialect::Openflow.name());
    let nothing =
        verify_switches(&given, &place.path("back"), ReadBackOptions::default(), &Texts::default());
    checked.reads_back("configs-verify", &nothing.expect("no switch was read back"));
}

fn designs(checked: &mut Checked) {
    let of = |tors| flags(&[], &[("fabric.tors", tors)]);
    let limits = ExploreOptions { max_hops: Some(4), ..ExploreOptions::default() };
    let explored = explore(&of(24), &limits, Watch::quiet()).expect("there are some");
    assert!(!explored.designs.is_empty() && !explored.rejected.is_empty());
    checked.reads_back("explore", &explored);
    let options = UnusedOptions { rack_units: vec![42, 48], ..UnusedOptions::default() };
    checked.reads_back("unused-ports", &unused_ports(&of(24), &options).expect("there are some"));
}

fn runs(checked: &mut Checked) {
    for (operation, size) in [(Operation::Broadcast, "8kB..1MB"), (Operation::AllToAll, "8kB")] {
        let simulate_up_to = DataSize::from_bytes(64_000);
        let size = size.to_owned();
        let options =
            CollectiveOptions { size, simulate_up_to, ..CollectiveOptions::new(operation) };
        let advice = collective(&lit("10gbase-er", 4, 16), &options, Watch::quiet());
        checked.reads_back("collective", &advice.expect("it is small"));
    }
    let goal = Path::new("a.goal");
    let text = "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n";
    let texts = Texts::default().with(goal, text.to_owned());
    let rate = Some(BitRate::from_gbps(100));
    let asked = TraceOptions { latency: Some(Span::from_us(1)), rate, ..TraceOptions::default() };
    checked.reads_back("application-trace", &trace(goal, &texts, asked).expect("a trace"));
    for (file, seeds) in [("losses.toml", None), ("links.toml", None), ("losses.toml", Some(2))] {
        let record = seeds.is_none().then_some(1_000);
        let options = SimulateOptions { seeds, record, ..SimulateOptions::default() };
        let answer = simulate(&corpus(file), &options, Watch::quiet()).expect("it is a scenario");
        assert_eq!(matches!(answer, Simulated::Many(_)), seeds.is_some());
        checked.reads_back("simulate", &answer);
        let look = read_scenario(&corpus(file), &Texts::default()).expect("it is a scenario");
        checked.reads_back("look", &look);
    }
}

#[test]
fn every_answer_is_read_back_as_it_was_written() {
    let (mut checked, place) = (Checked::default(), Place::new());
    questions(&mut checked);
    failures(&mut checked, &place);
    light(&mut checked, &place);
    plans(&mut checked, &place);
    growths(&mut checked, &place);
    returns(&mut checked, &place);
    switches(&mut checked, &place);
    designs(&mut checked);
    runs(&mut checked);
    assert!(lightloom::schemas().into_keys().eq(checked.0), "an answer is not tried");
}

#[test]
fn an_answer_of_another_format_is_refused() {
    let read = |text: &str| from_json::<RulesReport>(text).expect_err(text).to_string();
    let rules = "\"tor\":3,\"sources\":[0,3]}";
    let other = read(&format!("{{\"format\":2,{rules}"));
    assert!(
        other.contains("format") && other.contains("found 2") && other.contains("reads 1"),
        "{other}"
    );
    assert!(read(&format!("{{\"format\":\"1\",{rules}")).contains("found \"1\""));
    assert!(read(&format!("{{{rules}")).contains("format: is missing"));
    assert!(read("{\"format\":1,\"tor\":3}").contains("sources"));
    assert!(read("{\"format\":1,").contains("is no such answer"));
    assert!(to_json(&[1, 2]).is_err(), "a list has no place for a version");
    assert_eq!(to_json(&serde_json::json!({})).expect("an object"), "{\"format\":1}");
}

proptest! {
    #[test]
    fn numbers_are_read_back_to_the_last_bit(
        mean in proptest::num::f64::ANY.prop_filter("numbers", |number| number.is_finite()),
        runs in any::<usize>(),
    ) {
        let interval = IntervalReport { runs, mean, half_width_95: Some(mean / 3.0) };
        let text = to_json(&interval).expect("an object");
        let again: IntervalReport = from_json(&text).expect("it is one");
        prop_assert_eq!(again.mean.to_bits(), mean.to_bits());
        prop_assert_eq!(to_json(&again).expect("an object"), text);
    }
}
