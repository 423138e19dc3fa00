//! The hall from above: what is drawn is what is planned.

use lightloom::Value;
use lightloom::failures::FailureSet;
use lightloom::plan::{self, Fibre, StretchArrays, plan};
use lightloom::{Project, Request, TorId, Watch};

use crate::place::{Place, flags, key};

const RACKS: &str = "name,row,x_m,y_m\nA1,A,1,2\nA2,A,3,2\nB1,B,1,5\nB2,B,3,5\nB3,B,8,5\n";

/// Four ToRs on four of five racks: 0 and 1 in row A, 2 and 3 in row B; trays across at 0 and 8.2 m.
fn small(place: &Place) -> Project {
    let racks = place.write("racks.csv", RACKS);
    let edges =
        place.write("edges.csv", "tor,from_cassette,to_cassette\n0,0,1\n1,1,0\n2,0,0\n3,1,1\n");
    let path = |path: std::path::PathBuf| Value::Text(path.to_string_lossy().into_owned());
    let flags = vec![
        (key("fabric.family"), Value::Text("custom".into())),
        (key("fabric.p"), Value::Integer(2)),
        (key("fabric.edges"), path(edges)),
        (key("hall.inventory"), path(racks)),
        (key("hall.cross_aisles"), Value::List(vec!["0 m".into(), "8.2 m".into()])),
    ];
    lightloom::open(&Request { flags, ..Request::default() }).expect("it is a design")
}

fn kautz(tors: i64, housing: &str) -> Project {
    let texts = [("fabric.family", "kautz"), ("splitters.housing", housing)];
    lightloom::open(&flags(&texts, &[("fabric.p", 3), ("fabric.tors", tors)]))
        .expect("it is a fabric")
}

/// Metres of fibre in the trays.
fn metres(stretches: &StretchArrays) -> f64 {
    (0..stretches.fibres.len())
        .map(|i| {
            let along = (stretches.to_x_m[i] - stretches.from_x_m[i])
                + (stretches.to_y_m[i] - stretches.from_y_m[i]);
            along * f64::from(stretches.fibres[i])
        })
        .sum()
}

#[test]
fn a_fibre_lies_where_a_hand_would_lay_it() {
    let project = small(&Place::new());
    let floor = plan::floor(&project);
    assert_eq!(floor.cross_aisles_m, [0.0, 8.2]);
    let rows: Vec<_> = floor.rows.iter().map(|row| (row.name.as_str(), row.y_m)).collect();
    assert_eq!(rows, [("A", 2.0), ("B", 5.0)]);
    let racks: Vec<_> = floor.racks.iter().map(|rack| (rack.name.as_str(), rack.x_m)).collect();
    assert_eq!(racks, [("A1", 1.0), ("A2", 3.0), ("B1", 1.0), ("B2", 3.0), ("B3", 8.0)]);
    let with: Vec<_> = floor.racks.iter().filter_map(|rack| rack.tor).collect();
    assert_eq!(with.len(), 4, "{floor:?}");
    for rack in floor.racks.iter().filter(|rack| rack.tor.is_some()) {
        let tor = rack.tor.expect("it was asked");
        assert_eq!(project.tor_name(TorId(tor)), rack.name);
    }
    // Splitters at the senders: from A1 at x = 1 by the tray across at 0 to B2 at x = 3.
    let at = |name: &str| project.tor(name).expect("a rack with a ToR");
    let (from, to) = [("A1", "B2"), ("A2", "B1"), ("A1", "B1"), ("A2", "B2")]
        .into_iter()
        .map(|(from, to)| (at(from), at(to)))
        .find(|&(from, to)| {
            project.fabric().receivers(project.fabric().transmits_into(from)).contains(&to)
        })
        .expect("somebody in row A is heard in row B");
    let laid = plan::tray_stretches(&project, Some(&[(from, Some(to))])).expect("it is a branch");
    let rack = |tor: TorId| floor.racks.iter().find(|rack| rack.tor == Some(tor.0)).expect("it");
    let (a, b) = (rack(from), rack(to));
    assert_eq!(laid.from_x_m, [0.0, 0.0, 0.0], "{laid:?}");
    assert_eq!(laid.from_y_m, [2.0, 5.0, 2.0]);
    assert_eq!(laid.to_x_m, [a.x_m, b.x_m, 0.0]);
    assert_eq!(laid.to_y_m, [2.0, 5.0, 5.0]);
    assert_eq!(laid.fibres, [1, 1, 1]);
}

#[test]
fn what_is_wanted_adds_up_to_all_that_is_planned() {
    for housing in ["sender", "receiver"] {
        let place = Place::new();
        let project = kautz(60, housing);
        let all = plan::tray_stretches(&project, None).expect("they are few");
        let fibres = |from: TorId| -> Vec<Fibre> {
            let heard = project.fabric().receivers(project.fabric().transmits_into(from));
            std::iter::once(None)
                .chain(heard.iter().copied().map(Some))
                .map(|to| (from, to))
                .collect()
        };
        let each = project.fabric().tor_ids().map(|from| {
            metres(&plan::tray_stretches(&project, Some(&fibres(from))).expect("they are there"))
        });
        let sum: f64 = each.sum();
        assert!((sum - metres(&all)).abs() < 1e-6, "{sum} m and {} m", metres(&all));
        // The fullest place of the fullest tray is the plan's.
        let planned = plan(&project, &place.path("plan"), Watch::quiet()).expect("it is written");
        let most = planned.report.trays.iter().map(|tray| tray.fibres).max();
        assert_eq!(all.fibres.iter().copied().max().map(u64::from), most);
        assert_eq!(
            metres(&plan::tray_stretches(&project, Some(&[])).expect("nothing is there")),
            0.0
        );
    }
}

#[test]
fn a_fibre_that_is_not_there_is_refused() {
    let project = kautz(12, "sender");
    let deaf = project.fabric().tor_ids().find(|tor| {
        !project.fabric().receivers(project.fabric().transmits_into(TorId(0))).contains(tor)
    });
    let error =
        plan::tray_stretches(&project, Some(&[(TorId(0), deaf)])).expect_err("no such branch");
    assert!(error.to_string().contains("has no branch to"), "{error}");
    let error =
        plan::tray_stretches(&project, Some(&[(TorId(12), None)])).expect_err("no such ToR");
    assert!(error.to_string().contains("there is no ToR 12"), "{error}");
}

#[test]
fn whom_a_source_loses_is_as_many_as_the_impact_says() {
    let project = kautz(60, "sender");
    for failed in ["relay:8", "tx:3", "tor:5", "cassette:2,relay:7", "splitter:11"] {
        let failed = FailureSet::parse(&project, failed).expect("it is a failure");
        let impact = project.impact(&failed).expect("it is small");
        for source in project.fabric().tor_ids() {
            let lost = project.lost(&failed, source).expect("it is small").len();
            let said = impact.sources.get(&source).copied();
            assert_eq!(lost, said.unwrap_or(project.fabric().tors() - 1), "{source}");
        }
    }
}
