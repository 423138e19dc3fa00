//! Tables of switches, and every state on the way from one plan to another.

use std::collections::{BTreeMap, BTreeSet};

use lightloom::configs::Encoding;
use lightloom::failures::{FailureSet, recovery_method};
use lightloom::{Project, Request, Texts, TorId, open, setting};
use lightloom_input::groups;
use lightloom_switching::config::{FirstStage, Ingress, Outcome, SwitchConfig};
use lightloom_switching::fabric::Configs;
use lightloom_switching::rollout::{Loss, PhaseName, Rollout};
use proptest::prelude::*;

use crate::packets::{Received, send};

const GROUPS: &str = "version = 1
[servers]
per_tor = 2
[[group]]
name = \"everyone\"
members = [\"all\"]
";

fn project(settings: &[(&str, &str)]) -> Project {
    let mut request = Request::default();
    for &(name, value) in settings {
        let number = || value.parse::<u32>().expect("a number");
        request = match name {
            "p" => request.say(&setting::fabric::P, number()),
            "k" => request.say(&setting::fabric::K, number()),
            "tors" => request.say(&setting::fabric::TORS, number()),
            _ => request.say(&setting::fabric::FAMILY, value),
        };
    }
    open(&request).expect("the design is right")
}

fn configs(project: &Project, encoding: Encoding) -> Configs<'_> {
    let file = std::path::PathBuf::from("groups.toml");
    let texts = Texts::keeping(BTreeMap::from([(file.clone(), GROUPS.to_owned())]));
    let (addresses, servers, _) =
        groups::read(project, encoding, Some(&file), &texts).expect("the groups are right");
    Configs::new(project, encoding, addresses, servers).expect("the rules can be listed")
}

fn recovered(project: &Project, failed: &str) -> Project {
    let set = FailureSet::parse(project, failed).expect("there are such parts");
    let method = recovery_method(None, None).expect("it is the default");
    project.clone().recovered_by(set, method)
}

/// Each server but the sender gets one copy.
fn check_all(project: &Project, encoding: Encoding) {
    let configs = configs(project, encoding);
    let switches = configs.switches();
    for source in project.fabric().tor_ids() {
        let received = send(&configs, &switches, source, |_, _| true);
        assert_eq!(received.len(), 2 * project.fabric().tors() - 1, "{encoding}: ToR {source}");
        assert!(received.values().all(|&copies| copies == 1), "{encoding}: ToR {source}");
    }
}

#[test]
fn every_server_gets_one_copy_from_every_source_in_every_encoding() {
    let designs: [&[(&str, &str)]; 7] = [
        &[("p", "2"), ("k", "2")],
        &[("p", "2"), ("k", "3")],
        &[("p", "4"), ("k", "2")],
        &[("p", "3"), ("k", "3")],
        &[("family", "kautz"), ("p", "4"), ("tors", "100")],
        &[("family", "kautz"), ("p", "3"), ("tors", "50")],
        &[("family", "kautz"), ("p", "2"), ("tors", "7")],
    ];
    for design in designs {
        let project = project(design);
        for encoding in Encoding::ALL {
            check_all(&project, encoding);
        }
    }
}

/// The parts of a failure that keep light from arriving.
fn arrives<'a>(project: &'a Project, failed: &'a str) -> impl Fn(TorId, TorId) -> bool + 'a {
    let set = FailureSet::parse(project, failed).expect("there are such parts");
    let damage = project.damage(&set).expect("there are such parts");
    move |from, to| damage.sends(from) && damage.arrives(from, to)
}

/// The ToRs whose servers get nothing. A ToR without power does not count: it has no servers to ask.
fn missed(project: &Project, received: &Received, source: TorId) -> BTreeSet<TorId> {
    let tors = project.fabric().tor_ids();
    let got: BTreeSet<TorId> = received.keys().map(|(tor, _)| *tor).collect();
    tors.filter(|tor| *tor != source && !got.contains(tor)).collect()
}

/// Goes through a rollout. No server gets two copies in any state, not even when only some switches have made a phase.
/// After each phase the missed ToRs are exactly those that the phase names.
fn walk(old: &Configs<'_>, new: &Configs<'_>, failed: &str, some: &[bool]) {
    let project = new.project;
    let rollout = Rollout::new(old, new).expect("every state is safe");
    let light = arrives(project, failed);
    let mut now: Vec<SwitchConfig> = old.switches();
    let mut pick = some.iter().copied().cycle();
    for phase in &rollout.phases {
        let mut partial = now.clone();
        for (tor, delta) in &phase.switches {
            if pick.next().unwrap_or(false) {
                partial[tor.index()] = delta.after.clone();
            }
        }
        for source in project.fabric().tor_ids() {
            let received = send(new, &partial, source, &light);
            assert!(received.values().all(|&copies| copies == 1), "{failed}, {:?}", phase.name);
        }
        for (tor, delta) in &phase.switches {
            now[tor.index()] = delta.after.clone();
        }
        let Loss::Of(loses) = &phase.loses else { panic!("a repair names what is lost") };
        for source in project.fabric().tor_ids() {
            let received = send(new, &now, source, &light);
            let missed = missed(project, &received, source);
            let named: BTreeSet<TorId> =
                loses.get(&source).into_iter().flatten().copied().collect();
            assert_eq!(missed, named, "{failed}, {:?}, ToR {source}", phase.name);
        }
    }
    assert_eq!(now, new.switches());
    let stamped: BTreeSet<TorId> = rollout.stamps.keys().copied().collect();
    let changed = old.switches().into_iter().zip(new.switches());
    let changed: BTreeSet<TorId> =
        changed.filter(|(old, new)| old.first != new.first).map(|(old, _)| old.tor).collect();
    assert_eq!(stamped, changed);
}

/// A rollout touches only the ToRs that the recovery names.
fn touches_what_recovery_names(sound: &Project, failed: &str, rollout: &Rollout) {
    let set = FailureSet::parse(sound, failed).expect("there are such parts");
    let method = recovery_method(None, None).expect("it is the default");
    let report = sound.recover(&set, method).expect("it can be recovered");
    let stand_ins = report.via.iter().flat_map(|(source, root)| [*source, *root]);
    let named = report.changes.keys().chain(report.accept.keys()).copied().chain(stand_ins);
    let named: BTreeSet<TorId> = named.collect();
    for tor in rollout.stamps.keys() {
        assert!(named.contains(tor), "{failed}: ToR {tor} is not in {named:?}");
    }
}

/// A failure of a fabric of this many ToRs with 1:p splitters.
fn failure(
    project: &Project,
    kind: u8,
    at: prop::sample::Index,
    to: prop::sample::Index,
) -> String {
    let fabric = project.fabric();
    let tor = TorId::at(at.index(fabric.tors()));
    let receivers = fabric.receivers(fabric.transmits_into(tor));
    let to = receivers[to.index(receivers.len())];
    match kind {
        0 => format!("relay:{tor}"),
        1 => format!("tx:{tor}"),
        2 => format!("branch:{tor}->{to}"),
        3 => format!("rx:{tor}/{}", to.index() % fabric.transceivers(tor)),
        _ => format!("cassette:{}", at.index(fabric.cassettes())),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_state_of_a_rollout_brings_second_copies(
        design in 0_usize..3,
        encoding in 0_usize..4,
        kinds in prop::collection::vec((0_u8..5, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..3),
        some in prop::collection::vec(any::<bool>(), 7),
    ) {
        let designs: [&[(&str, &str)]; 3] = [
            &[("p", "2"), ("k", "3")],
            &[("p", "4"), ("k", "2")],
            &[("family", "kautz"), ("p", "3"), ("tors", "21")],
        ];
        let sound = project(designs[design]);
        let failed: Vec<String> = kinds.into_iter().map(|(kind, at, to)| failure(&sound, kind, at, to)).collect();
        // A part that fails twice fails once.
        let failed: BTreeSet<String> = failed.into_iter().collect();
        let failed = failed.into_iter().collect::<Vec<_>>().join(",");
        let repaired = recovered(&sound, &failed);
        let encoding = Encoding::ALL[encoding];
        let (before, after) = (configs(&sound, encoding), configs(&repaired, encoding));
        // Trees by root are others than those of the plan, and so are their repairs.
        if encoding != Encoding::Roots {
            let rollout = Rollout::new(&before, &after).expect("every state is safe");
            touches_what_recovery_names(&sound, &failed, &rollout);
        }
        walk(&before, &after, &failed, &some);
        walk(&after, &before, &failed, &some);
    }
}

/// Above the size where tables of all sources are listed, masks say what each row of the router says.
#[test]
fn masks_tell_switches_of_a_fabric_whose_tables_are_not_listed() {
    let large = project(&[("p", "4"), ("k", "5")]);
    let fabric = large.fabric();
    assert_eq!(fabric.tors(), 5_120);
    let configs = configs(&large, Encoding::Masked);
    // shufflecast:lemma1: at most 2k - 1 hops, and one to arrive.
    assert_eq!(configs.time_to_live(), 10);
    let to_group = configs.servers.groups()[0].address;
    for tor in [0, 1_279, 1_280, 3_333, 5_119].map(TorId) {
        let switch = configs.switch(tor, &configs.rules.installed, &BTreeSet::new());
        let entries = switch.first.iter().filter(|entry| entry.ingress == Ingress::Any);
        let entries: Vec<_> = entries.collect();
        assert!(entries.len() < 16, "{}", entries.len());
        let mut relayed = 0;
        for source in fabric.tor_ids() {
            let row = large.relay_row(source).expect("it has a router");
            let relays = row[fabric.transmits_into(tor).index()] == tor;
            let expected = match () {
                () if source == tor => Outcome::Drop,
                () if relays => Outcome::Relay,
                () => Outcome::Deliver,
            };
            let address = configs.addresses.server(source, 2);
            let fits = |one: &&&FirstStage| {
                one.source.matches(address) && one.destination.matches(to_group)
            };
            let found = entries.iter().find(fits).expect("the last entry fits all");
            assert_eq!(found.outcome, expected, "ToR {tor}, source {source}");
            relayed += usize::from(expected == Outcome::Relay);
        }
        assert!(relayed > 0, "ToR {tor} relays nothing");
    }
}

/// Another fabric: all gates close before any table changes, and open when all have changed.
#[test]
fn another_fabric_closes_all_switches_first() {
    let (old, new) =
        (project(&[("p", "2"), ("tors", "12")]), project(&[("p", "2"), ("tors", "14")]));
    let (before, after) = (configs(&old, Encoding::Masked), configs(&new, Encoding::Masked));
    let rollout = Rollout::new(&before, &after).expect("it closes everything");
    let names: Vec<PhaseName> = rollout.phases.iter().map(|phase| phase.name).collect();
    assert_eq!(names, [PhaseName::Close, PhaseName::Replace, PhaseName::Canary, PhaseName::Open]);
    assert_eq!(rollout.phases[0].switches.len(), 12);
    assert_eq!(rollout.phases[1].switches.len(), 14);
    assert_eq!(rollout.phases[2].switches.len() + rollout.phases[3].switches.len(), 14);
    assert!(
        rollout.phases[0]
            .switches
            .values()
            .all(|delta| delta.gate.after.is_none() && delta.gate.changes())
    );
    assert_eq!(rollout.stamps[&TorId(13)].0, None);
}
