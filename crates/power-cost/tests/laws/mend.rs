//! Every proposed change makes the branch close, and no change that helps is left out.

use lightloom_power_cost::mend::{Alternatives, Mend};
use lightloom_power_cost::parts::{Splitter, Transceiver, TransceiverRow};
use lightloom_power_cost::{Assessment, Case, Judge, Optics, Verdict};
use lightloom_units::{Db, Length};

use crate::given::{
    any_length, any_levels, any_optics, bare, db, er, fibre, inline, levels, lr, m, optics, plc,
    seeded, splitter,
};

const BOTH: [Case; 2] = [Case::Worst, Case::Typical];

/// A failing branch, and parts that could replace the present ones.
struct Broken {
    optics: Optics,
    others: Vec<Transceiver>,
    smaller: Vec<Splitter>,
    feed: Length,
    branch: Length,
}

impl Broken {
    fn any(seed: u64) -> Self {
        let draws = &mut seeded(seed);
        let optics = any_optics(draws);
        let others = ["a", "b", "c"].map(|name| {
            let row = TransceiverRow { name: name.into(), ..any_levels(draws) };
            row.try_into().unwrap()
        });
        let fan_outs = 2..optics.splitter.fan_out;
        let smaller = fan_outs.map(|p| {
            let loss = 10.0 * f64::from(p).log10() + 0.5;
            splitter(p, loss).try_into().unwrap()
        });
        let smaller = smaller.collect();
        let (feed, branch) = (any_length(draws), any_length(draws));
        Self { optics, others: others.into(), smaller, feed, branch }
    }

    fn mends(&self, case: Case) -> Vec<Mend> {
        let (others, smaller) = (self.others.clone(), self.smaller.clone());
        let alternatives = Alternatives::new(&self.optics, others, smaller);
        alternatives.mends(&self.optics, self.feed, self.branch, case)
    }

    fn now(&self, case: Case) -> Assessment {
        self.with(&self.optics, case)
    }

    fn with(&self, optics: &Optics, case: Case) -> Assessment {
        Judge::new(optics).branch(self.feed, self.branch, case)
    }

    fn with_transceiver(&self, other: &Transceiver, case: Case) -> Assessment {
        self.with(&Optics { transceiver: other.clone(), ..self.optics.clone() }, case)
    }

    fn with_splitter(&self, smaller: &Splitter, case: Case) -> Assessment {
        self.with(&Optics { splitter: smaller.clone(), ..self.optics.clone() }, case)
    }

    fn attenuated(&self, loss: f64, case: Case) -> Assessment {
        let mut optics = self.optics.clone();
        optics.branch.inline.push(inline(loss, None, loss).try_into().unwrap());
        self.with(&optics, case)
    }

    /// The lengths after a cut: from the branch first, and from the feed for the rest.
    fn shorter(&self, by: Length, case: Case) -> Assessment {
        let of_branch = by.min(self.branch);
        let branch = self.branch.checked_sub(of_branch).unwrap();
        let rest = by.checked_sub(of_branch).unwrap();
        let feed = self.feed.checked_sub(rest).unwrap();
        Judge::new(&self.optics).branch(feed, branch, case)
    }
}

fn closes(found: Assessment) -> bool {
    matches!(found.verdict, Verdict::Pass | Verdict::Warn)
}

fn overloaded(found: Assessment) -> bool {
    found.headroom.is_some_and(|headroom| headroom < Db::ZERO)
}

/// Random branches that do not close.
fn all_broken() -> impl Iterator<Item = (Broken, Case)> {
    let both = (0..3_000).flat_map(|seed| BOTH.map(|case| (Broken::any(seed), case)));
    both.filter(|(broken, case)| !closes(broken.now(*case)))
}

#[test]
fn nothing_is_proposed_where_the_light_arrives() {
    let mut seen = 0;
    for broken in (0..3_000).map(Broken::any) {
        for case in BOTH.into_iter().filter(|&case| closes(broken.now(case))) {
            assert_eq!(broken.mends(case), [], "{case:?}");
            seen += 1;
        }
    }
    assert!(seen > 500, "{seen}");
}

#[test]
fn exactly_the_transceivers_that_close_it_are_proposed() {
    let mut seen = 0;
    for (broken, case) in all_broken() {
        let close = broken.others.iter().filter_map(|other| {
            let with = broken.with_transceiver(other, case);
            let (name, margin) = (other.name.clone(), with.margin);
            closes(with).then_some(Mend::Optic { name, margin })
        });
        let proposed = broken.mends(case);
        let proposed = proposed.into_iter().filter(|mend| matches!(mend, Mend::Optic { .. }));
        let proposed: Vec<Mend> = proposed.collect();
        seen += proposed.len();
        assert_eq!(proposed, close.collect::<Vec<_>>());
    }
    assert!(seen > 500, "{seen}");
}

#[test]
fn the_largest_smaller_splitter_that_closes_it_is_proposed() {
    let mut seen = 0;
    for (broken, case) in all_broken() {
        let close = broken.smaller.iter().filter(|row| closes(broken.with_splitter(row, case)));
        let largest = close.max_by_key(|row| row.fan_out).map(|row| {
            let margin = broken.with_splitter(row, case).margin;
            Mend::Splitter { fan_out: row.fan_out, margin }
        });
        let proposed = broken.mends(case);
        let mut proposed =
            proposed.into_iter().filter(|mend| matches!(mend, Mend::Splitter { .. }));
        assert_eq!(proposed.next(), largest);
        assert_eq!(proposed.next(), None);
        seen += u32::from(largest.is_some());
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn an_attenuator_within_its_bounds_closes_it_and_one_outside_does_not() {
    let mut seen = 0;
    for (broken, case) in all_broken() {
        let proposed = broken.mends(case).into_iter().find_map(|mend| match mend {
            Mend::Attenuator { least, most } => Some((least.get(), most.get())),
            _ => None,
        });
        if let Some((least, most)) = proposed {
            seen += 1;
            assert!(0.0 < least && least <= most);
            let inner = [0.001, 0.5, 0.999].map(|share| least + share * (most - least));
            let wide = most - least > 1e-6;
            assert!(!wide || inner.iter().all(|&loss| closes(broken.attenuated(loss, case))));
            for outside in [least - 0.001, most + 0.001] {
                assert!(!closes(broken.attenuated(outside, case)), "{outside}");
            }
        } else {
            let tried = (1..400).map(|tenths| f64::from(tenths) / 10.0);
            for loss in tried.filter(|_| overloaded(broken.now(case))) {
                assert!(!closes(broken.attenuated(loss, case)), "{loss} dB would do");
            }
        }
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn a_way_that_is_shorter_by_so_much_closes_and_by_less_does_not() {
    let mut seen = 0;
    for (broken, case) in all_broken() {
        let proposed = broken.mends(case).into_iter().find_map(|mend| match mend {
            Mend::Shorter { by } => Some(by),
            _ => None,
        });
        let whole = broken.feed + broken.branch;
        if let Some(by) = proposed {
            seen += 1;
            assert!(Length::ZERO < by && by < whole);
            // Floating-point sums near zero are tested below.
            let with = broken.shorter(by, case);
            let enough = |ratio: Option<Db>| ratio.is_none_or(|ratio| ratio.get() > -1e-9);
            let arrives = enough(with.margin) && enough(with.headroom);
            assert!(arrives, "{case:?}, {by} of {whole}: {with:?}");
            let less = by.checked_sub(Length::from_mm(1)).unwrap_or_default();
            assert!(!closes(broken.shorter(less, case)), "{less} would do, {by} proposed");
        } else {
            // Not even the shortest valid way helps.
            let shortest = whole.checked_sub(Length::from_mm(1)).unwrap_or_default();
            assert!(!closes(broken.shorter(shortest, case)), "{shortest} would do");
        }
    }
    assert!(seen > 100, "{seen}");
}

/// Whole metres, levels in tenths of a decibel and fibre of 0.1 to 0.5 dB/km. A round length then closes the
/// margin exactly, and floating-point rounding could decide either way.
#[test]
fn a_round_way_that_is_shorter_by_so_much_closes() {
    for tenths in 0..20_000_u32 {
        let [short, per_km, reserve] = [tenths % 40 + 1, tenths / 40 % 5 + 1, tenths / 200];
        let sensitivity = -13.0 + f64::from(reserve) / 10.0;
        let launch = sensitivity + 3.1 + 0.1 * f64::from(per_km) * 100.0 - f64::from(short) / 10.0;
        if launch.abs() > 50.0 {
            continue;
        }
        let row = levels("round", [launch, launch, sensitivity, 60.0]);
        let mut optics = bare(row, splitter(2, 3.1));
        optics.fibre = Some(fibre(None, 0.1 * f64::from(per_km)).try_into().unwrap());
        let (feed, branch) = (m(40_000), m(60_000));
        let broken = Broken { optics, others: Vec::new(), smaller: Vec::new(), feed, branch };
        let mends = broken.mends(Case::Worst);
        let [Mend::Shorter { by }] = mends[..] else { panic!("{mends:?}") };
        let with = broken.shorter(by, Case::Worst);
        assert!(closes(with), "{launch}, {sensitivity}, {per_km}: by {by}, {with:?}");
    }
}

/// 0 - 3 - 5.5 - 20 × 0.5 = -18.5 dBm arrive. At least -20 + 3 dBm are needed, and -18 dBm overload the
/// receiver.
#[test]
fn a_shorter_way_that_blinds_the_receiver_is_not_proposed() {
    let mut optics = bare(levels("narrow", [0.0, 0.0, -20.0, -18.0]), splitter(2, 3.0));
    optics.fibre = Some(fibre(None, 0.5).try_into().unwrap());
    optics.branch.inline.push(inline(5.5, None, 5.5).try_into().unwrap());
    optics.ageing = db(3.0);
    let (feed, branch) = (m(10_000), m(10_000));
    let broken = Broken { optics, others: Vec::new(), smaller: Vec::new(), feed, branch };
    assert_eq!(broken.mends(Case::Typical), []);
}

#[test]
fn a_blinded_er_receiver_by_hand() {
    // With 1:2 at most 1.4897 dBm arrive, -1 dBm are allowed, and 4.9 dB remain at 500 m of fibre.
    let (feed, branch) = (m(50), m(450));
    let others = vec![lr().try_into().unwrap()];
    let broken = Broken { optics: optics(er(), plc(2)), others, smaller: Vec::new(), feed, branch };
    // 10GBASE-LR: -6 - 6.2 = -12.2 dBm, 1.8 dB above -14 dBm.
    match &broken.mends(Case::Worst)[..] {
        [Mend::Optic { name, margin: Some(margin) }, Mend::Attenuator { least, most }] => {
            assert_eq!(name, "10gbase-lr");
            assert!((margin.get() - 1.8).abs() < 1e-9);
            assert!((least.get() - 2.489_700_043).abs() < 1e-6, "{least}");
            assert!((most.get() - 4.9).abs() < 1e-9, "{most}");
        }
        mends => panic!("{mends:?}"),
    }
}

#[test]
fn fibre_that_takes_nothing_mends_nothing() {
    let optics = bare(levels("weak", [-6.0, 0.0, -8.0, 4.0]), splitter(4, 7.0));
    let (others, smaller) = (Vec::new(), vec![splitter(2, 3.5).try_into().unwrap()]);
    let broken = Broken { optics, others, smaller, feed: m(5_000), branch: m(5_000) };
    assert_eq!(broken.mends(Case::Worst), []);
    let optics = Optics { comfortable: db(0.0), fibre: None, ..broken.optics.clone() };
    assert_eq!(Broken { optics, ..broken }.mends(Case::Worst), []);
}
