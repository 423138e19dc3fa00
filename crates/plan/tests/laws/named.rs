//! Names that users write.

use lightloom_topology::TorId;
use lightloom_topology::hall::Housing;
use proptest::prelude::*;

use crate::given::{kautz, small};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn a_tor_is_found_by_its_number_and_by_its_rack((p, tors, housing) in small()) {
        let laid = kautz(p, tors, housing);
        let project = laid.project();
        for tor in project.fabric().tor_ids() {
            let name = project.tor_name(tor).to_owned();
            let rack = project.placement().rack(tor);
            for text in [tor.to_string(), format!(" tor:{tor} "), format!("rack:{name}"), name.clone()] {
                prop_assert_eq!(project.tor(&text).unwrap(), tor, "{}", text);
            }
            for text in [format!("tor:{tor}"), format!("rack:{name}"), name] {
                prop_assert_eq!(project.rack(&text).unwrap(), rack, "{}", text);
            }
        }
    }
}

#[test]
fn what_names_no_tor_is_refused_with_an_example() {
    let laid = kautz(2, 12, Housing::Sender);
    let project = laid.project();
    let example = project.tor_name(TorId(0));
    for found in ["12", "tor:12", "rack:nowhere", "nowhere"] {
        let refused = project.tor(found).unwrap_err().to_string();
        let name = found.strip_prefix("tor:").or(found.strip_prefix("rack:")).unwrap_or(found);
        let expected = format!(
            "found {name:?}; name a ToR by its number, 0 to 11, or its rack, such as {example:?}"
        );
        assert_eq!(refused, expected);
    }
    assert_eq!(project.tors("3, 1").unwrap(), [TorId(3), TorId(1)]);
    let refused = project.rack("nowhere").unwrap_err().to_string();
    assert!(refused.contains(&format!("such as {example:?}")), "{refused}");
}
