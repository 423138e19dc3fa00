//! Projects of random designs, opened without files, and packets that are followed copy by copy.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use lightloom_design::catalogue::Catalogue;
use lightloom_design::design::Design;
use lightloom_plan::laid::Laid;
use lightloom_plan::open::{Found, Unplaced};
use lightloom_plan::project::Project;
use lightloom_power_cost::{Accounting, FibrePrice, StockLengths};
use lightloom_request::{InputError, Key, Settings, Texts, Value, setting};
use lightloom_topology::TorId;
use lightloom_topology::hall::Housing;
use lightloom_units::Length;
use proptest::prelude::*;

/// Stock lengths of 5 m, 10 m and 30 m, and then every 10 m.
pub fn stock() -> StockLengths {
    let lengths = [5, 10, 30].map(Length::from_m).to_vec();
    StockLengths::new(lengths, Length::from_m(10)).unwrap()
}

/// The project of some settings, with stock lengths of fibre and no other part.
pub fn opened(said: &[(&Key, Value)]) -> Result<Project, InputError> {
    let mut settings = Settings::new(None, Texts::default());
    for (key, value) in said {
        settings.say(key, value.clone());
    }
    let no_edges = |_: &Path, _| unreachable!("no design here has an edge list");
    let unplaced = Unplaced::new(Design::new(settings, None, None, &no_edges)?)?;
    let price = FibrePrice { price: None, per: Length::from_m(1), accounting: Accounting::Half };
    let catalogue = Catalogue::of_fibre(stock(), price, "USD".parse().unwrap());
    unplaced.open(&Found { racks: None, kept: None, catalogue: catalogue.into(), devices: None })
}

/// A Kautz fabric in a generated hall.
pub fn kautz(p: u32, tors: u32, housing: Housing) -> Laid {
    let housing: Value = housing.name().into();
    let said: [(&Key, Value); 4] = [
        (&setting::fabric::FAMILY, "kautz".into()),
        (&setting::fabric::P, p.into()),
        (&setting::fabric::TORS, tors.into()),
        (&setting::splitters::HOUSING, housing),
    ];
    opened(&said).unwrap().laid().unwrap()
}

/// A Shufflecast in a generated hall.
pub fn shufflecast(p: u32, k: u32) -> Project {
    opened(&[(&setting::fabric::P, p.into()), (&setting::fabric::K, k.into())]).unwrap()
}

/// Fan-outs, numbers of ToRs and housings of designs that take no time.
pub fn small() -> impl Strategy<Value = (u32, u32, Housing)> {
    let housings = prop::sample::select(Housing::ALL.to_vec());
    (2..=5_u32, 4..=40_u32, housings)
        .prop_filter("a splitter has receivers", |(p, tors, _)| p < tors)
}

/// Hops after which each other ToR has a packet of a source, by rules that list the sources of each relay. A copy that
/// arrives is sent on by a relay of its source, if `passes` lets it over the branch.
pub fn spread(
    project: &Project,
    rules: &[Vec<TorId>],
    source: TorId,
    passes: impl Fn(TorId, TorId) -> bool,
) -> BTreeMap<TorId, u32> {
    let fabric = project.fabric();
    let (mut hops, mut sends) = (BTreeMap::new(), VecDeque::from([(source, 0_u32)]));
    let mut has_sent = vec![source];
    while let Some((sender, before)) = sends.pop_front() {
        for &tor in fabric.receivers(fabric.transmits_into(sender)) {
            if !passes(sender, tor) || tor == source || hops.contains_key(&tor) {
                continue;
            }
            hops.insert(tor, before + 1);
            if rules[tor.index()].contains(&source) && !has_sent.contains(&tor) {
                has_sent.push(tor);
                sends.push_back((tor, before + 1));
            }
        }
    }
    hops
}
