//! What reflects on the way of the light, and which links have a limit for it.

use lightloom_power_cost::parts::{JointRow, Modulation, Splitter, SplitterRow, TransceiverRow};
use lightloom_power_cost::{Mated, Optics, Reflections, Verdict, What};

use crate::engineer::worst;
use crate::given::{db, dbm, joint, levels, m, optics, plc};

fn roomy() -> TransceiverRow {
    levels("roomy", [-1.0, 0.0, -40.0, 20.0])
}

fn with_connector(reflectance: Option<f64>) -> Optics {
    let row = JointRow { reflectance: reflectance.map(db), ..joint("lc", None, 0.5) };
    Optics { connector: Some(row.try_into().unwrap()), ..optics(roomy(), plc(2)) }
}

#[test]
fn a_link_of_nrz_has_a_single_limit() {
    // The limit itself is within.
    for (reflectance, found, verdict) in [
        (Some(-50.0), Reflections::Within, Verdict::Pass),
        (Some(-26.0), Reflections::Within, Verdict::Pass),
        (Some(-25.9), Reflections::Above, Verdict::Warn),
        (None, Reflections::Unknown, Verdict::Warn),
    ] {
        let optics = with_connector(reflectance);
        assert_eq!(optics.reflections(), found, "{reflectance:?}");
        assert_eq!(worst(&optics, m(100)).verdict, verdict, "{reflectance:?}");
    }
    let gaps = with_connector(None).gaps();
    assert!(matches!(&gaps[..], [gap] if gap.contains("reflectance of this connector pair")));
    assert!(with_connector(Some(-20.0)).gaps().iter().any(|gap| gap.contains("-26 dB")));
}

#[test]
fn a_link_of_pam4_with_a_splitter_is_not_covered() {
    let row = TransceiverRow {
        modulation: Modulation::Pam4,
        oma_minus_tdecq_min: Some(dbm(-1.0)),
        sensitivity_oma_minus_secq: Some(dbm(-40.0)),
        ..roomy()
    };
    let optics = optics(row, plc(2));
    assert_eq!(optics.reflections(), Reflections::NotCovered);
    assert!(matches!(&optics.gaps()[..], [gap] if gap.contains("not covered")));
    assert_eq!(worst(&optics, m(100)).verdict, Verdict::Warn, "never a pass");
}

#[test]
fn every_part_on_the_way_is_counted() {
    let mut optics = optics(roomy(), plc(4));
    optics.mpo = optics.connector.clone();
    optics.panel = optics.connector.clone();
    (optics.feed.mated, optics.branch.mated) = (Mated { lc: 3, mpo: 2 }, Mated { lc: 1, mpo: 2 });
    (optics.feed.panels, optics.branch.panels) = (1, 2);
    let counted: Vec<_> =
        optics.reflectors().into_iter().map(|part| (part.what, part.count)).collect();
    let expected = [(What::Splitter, 1), (What::Connector, 4), (What::Mpo, 4), (What::Panel, 3)];
    assert_eq!(counted, expected);
    // A splitter by a formula has none that is known.
    let row = SplitterRow { reflectance: None, ..plc(4) };
    optics.splitter = Splitter::try_from(row).unwrap();
    assert_eq!(optics.reflections(), Reflections::Unknown);
    // A part that is not on the way does not count.
    (optics.feed.panels, optics.branch.panels) = (0, 0);
    assert!(!optics.reflectors().iter().any(|part| part.what == What::Panel));
}
