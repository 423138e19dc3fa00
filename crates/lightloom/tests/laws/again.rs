//! Projects as one text, texts from memory, and work that is stopped.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use lightloom::Value;
use lightloom::designs::{ExploreOptions, explore};
use lightloom::failures::{self, repairs};
use lightloom::light::BudgetOptions;
use lightloom::plan::{self, plan};
use lightloom::twin::{read_columns, read_scenario};
use lightloom::{Error, Request, Texts, Watch};

use crate::place::{Place, flags, key};

const RACKS: &str = "name,row,position\nA1,A,1\nA2,A,2\nA3,A,3\nB1,B,1\nB2,B,2\nB3,B,3\n";
const DESIGN: &str = "version = 1\n[fabric]\np = 2\n[hall]\ninventory = \"racks.csv\"\n";

fn kautz(tors: i64) -> Request {
    flags(&[("fabric.family", "kautz")], &[("fabric.p", 4), ("fabric.tors", tors)])
}

#[test]
fn a_document_restores_the_same_project_without_its_files() {
    let place = Place::new();
    let racks = place.write("racks.csv", RACKS);
    let design = place.write("design.toml", DESIGN);
    let texts = Texts::keeping(BTreeMap::new());
    let flags = vec![(key("splitters.housing"), Value::Text("receiver".into()))];
    let request = Request { design: Some(design.clone()), flags, texts };
    let project = lightloom::open(&request).expect("it is a design");
    let document = plan::document(&project).expect("names are UTF-8");
    for file in [racks, design] {
        std::fs::remove_file(file).expect("it was there");
    }
    let again = plan::restore(&document).expect("all is in the document");
    assert!(again.same_as(&project));
    assert_eq!(plan::document(&again).expect("as before"), document);
    assert!(!again.same_as(&lightloom::open(&kautz(6)).expect("it is a fabric")));
}

#[test]
fn a_plan_restores_its_project() {
    let place = Place::new();
    let project = lightloom::open(&kautz(9)).expect("it is a fabric");
    plan(&project, &place.path("plan"), Watch::quiet()).expect("it is written");
    let (again, text) = plan::open_plan(&place.path("plan")).expect("it is a plan");
    assert!(again.same_as(&project));
    let third = plan::restore(&text).expect("a plan.json is a document");
    assert!(third.same_as(&project));
    let fourth = plan::restore(&plan::document(&third).expect("as before")).expect("so is this");
    assert!(fourth.same_as(&project));
}

#[test]
fn what_is_no_document_is_refused() {
    let good =
        lightloom::open(&kautz(9)).and_then(|project| plan::document(&project)).expect("it is one");
    for text in ["", "[]", "{}", "{\"format\":\"other\"}", &good.replace("fabric.p", "fabric.q")] {
        let error = plan::restore(text).expect_err(text);
        assert_eq!(error.file.as_deref(), Some("<document>".as_ref()), "{error}");
    }
}

#[test]
fn texts_in_memory_are_checked_like_files() {
    let open = |racks: &str| {
        let files = BTreeMap::from([("<racks>".into(), racks.to_owned())]);
        let flags = vec![
            (key("hall.inventory"), Value::Text("<racks>".into())),
            (key("fabric.p"), Value::Integer(2)),
        ];
        lightloom::open(&Request { flags, design: None, texts: Texts::keeping(files) })
    };
    assert_eq!(open(RACKS).expect("six racks").fabric().tors(), 6);
    assert_eq!(open(&format!("\u{feff}{RACKS}")).expect("a mark").fabric().tors(), 6);
    let nul = open(&RACKS.replace("A2", "A\0")).expect_err("a NUL");
    assert_eq!((nul.file.as_deref(), nul.line), (Some("<racks>".as_ref()), Some(3)));
    let twice = open(&RACKS.replace("B2", "A2")).expect_err("a name twice");
    assert_eq!((twice.file.as_deref(), twice.line), (Some("<racks>".as_ref()), Some(6)));
}

#[test]
fn scenarios_are_read_from_memory() {
    let links = "a,b,rate,delay\nx,s,1 Gb/s,1 us\ny,s,1 Gb/s,1 us\n";
    let scenario = "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"edge-list\"\n\
                    file = \"links\"\n[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n";
    let given = [("s".into(), scenario.to_owned()), ("links".into(), links.to_owned())];
    let texts = Texts::keeping(BTreeMap::from(given));
    let report = read_scenario("s".as_ref(), &texts).expect("it is a scenario");
    assert_eq!((report.network.hosts, report.network.links, report.flows), (2, 2, 1));
    assert_eq!(texts.kept().len(), 2);
}

/// Stops work at each of its first tellings in turn: every stop is obeyed, and nothing is written.
fn stopped_everywhere<T: std::fmt::Debug>(
    work: impl Fn(Watch<'_>) -> Result<T, Error>,
    untouched: impl Fn(),
) {
    for most in 0..40 {
        let (told, stop) = (AtomicU32::new(0), AtomicBool::new(false));
        let hear = |_, _| {
            if told.fetch_add(1, Ordering::Relaxed) >= most {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let ended = work(Watch::quiet().stopped_by(&stop).on_progress(&hear));
        let told = told.into_inner();
        match ended {
            Err(Error::Stopped(_)) => assert_eq!(told, most + 1, "work went on after a stop"),
            Ok(_) => {
                assert!(told <= most && most > 0, "nobody was asked whether to go on");
                return;
            }
            Err(other) => panic!("{other}"),
        }
        untouched();
    }
}

#[test]
fn plans_and_repairs_obey_a_stop_and_write_nothing() {
    let place = Place::new();
    let project = lightloom::open(&kautz(70)).expect("it is a fabric");
    let out = place.path("out");
    let nothing = || assert!(!out.exists());
    stopped_everywhere(|watch| plan(&project, &out, watch), nothing);
    std::fs::remove_dir_all(&out).expect("the last one was written");
    let small = lightloom::open(&kautz(6)).expect("it is a fabric");
    let method = failures::recovery_method(None, None).expect("the usual one");
    stopped_everywhere(|watch| repairs(&small, &out, method, watch), nothing);
}

#[test]
fn questions_obey_a_stop() {
    let project = lightloom::open(&kautz(70)).expect("it is a fabric");
    stopped_everywhere(|watch| project.info(watch), || ());
    stopped_everywhere(|watch| plan::relay_sets(&project, watch), || ());
    stopped_everywhere(|watch| failures::risk(&project, None, watch), || ());
    let small = lightloom::open(&kautz(6)).expect("it is a fabric");
    let tors: Vec<lightloom::TorId> = small.fabric().tor_ids().take(2).collect();
    stopped_everywhere(|watch| plan::parallel(&small, &tors, watch.step()), || ());
    stopped_everywhere(|watch| plan::most_parallel(&small, watch.step()), || ());
    let drawn = BudgetOptions { case: Some(lightloom::light::Case::MonteCarlo), threads: None };
    stopped_everywhere(|watch| project.budget(&drawn, watch), || ());
}

#[test]
fn an_exploration_tells_what_it_has_found_so_far() {
    let request = flags(&[], &[("fabric.tors", 64)]);
    let all = explore(&request, &ExploreOptions::default(), Watch::quiet()).expect("designs");
    assert_eq!(all.unexplored, 0);
    let (told, stop, last) = (AtomicU32::new(0), AtomicBool::new(false), Mutex::new(None));
    let hear = |_, _| {
        if told.fetch_add(1, Ordering::Relaxed) >= 3 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let keep = |report| *last.lock().expect("one thread") = Some(report);
    let watch = Watch::quiet().stopped_by(&stop).on_progress(&hear).on_part(&keep);
    let ended = explore(&request, &ExploreOptions::default(), watch);
    assert!(matches!(ended, Err(Error::Stopped(_))));
    let some = last.into_inner().expect("one thread").expect("it was told");
    assert!(some.unexplored > 0 && (1..all.designs.len()).contains(&some.designs.len()));
}

#[test]
fn columns_of_anything_but_results_are_refused() {
    for bytes in [&b""[..], b"ARROW1", &[0xff; 300]] {
        read_columns("flows.arrow", bytes).expect_err("it is no Arrow file");
    }
}

#[test]
fn arrays_say_what_reports_say() {
    for tors in [7, 70] {
        let project = lightloom::open(&kautz(tors)).expect("it is a fabric");
        let sets = plan::relay_sets(&project, Watch::quiet()).expect("they are few");
        for source in project.fabric().tor_ids() {
            let (tree, arrays) = (project.tree(source), plan::tree_arrays(&project, source));
            let (tree, arrays) = (tree.expect("a tree"), arrays.expect("a tree"));
            let relays: Vec<u32> = tree.relays.iter().map(|tor| tor.0).collect();
            let at = |i: usize| usize::try_from(sets.offsets[i]).expect("it is an index");
            assert_eq!(sets.relays[at(source.index())..at(source.index() + 1)], relays);
            assert_eq!(arrays.hops.iter().max(), Some(&tree.max_hops));
            for (tor, path) in &tree.paths {
                assert_eq!(arrays.hops[tor.index()] as usize, path.len() - 1);
            }
        }
    }
}
