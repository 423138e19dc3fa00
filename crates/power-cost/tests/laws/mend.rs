//! Every proposed change makes the branch close, and no change that helps is left out.

use lightloom_power_cost::mend::{Alternatives, Mend};
use lightloom_power_cost::parts::{Pad, PadPlace, Splitter, Transceiver, TransceiverRow};
use lightloom_power_cost::{Assessment, Case, Judge, Optics, Verdict};
use lightloom_units::{Db, Length};

use crate::given::{
    any_length, any_levels, any_optics, bare, db, er, fibre, inline, levels, lr, m, optics, pad,
    plc, seeded, splitter,
};

const BOTH: [Case; 2] = [Case::Worst, Case::Typical];

/// A failing branch, and parts that could replace the present ones.
struct Broken {
    optics: Optics,
    others: Vec<Transceiver>,
    smaller: Vec<Splitter>,
    pads: Vec<Pad>,
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
        Self { optics, others: others.into(), smaller, pads: Vec::new(), feed, branch }
    }

    fn mends(&self, case: Case) -> Vec<Mend> {
        let (others, smaller) = (self.others.clone(), self.smaller.clone());
        let pads = (self.pads.clone(), PadPlace::Receiver);
        let alternatives = Alternatives::new(&self.optics, others, smaller, pads);
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

    fn attenuated(&self, (least, most): (f64, f64), case: Case) -> Assessment {
        let mut optics = self.optics.clone();
        optics.branch.inline.push(inline(least, None, most).try_into().unwrap());
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
    matches!(found.verdict, Verdict::Pass | Verdict::Warn | Verdict::Marginal)
}

/// Whether a branch closes with a margin and a headroom above 0.
fn helps(found: Assessment) -> bool {
    let above = |ratio: Option<Db>| ratio.is_none_or(|ratio| ratio > Db::ZERO);
    closes(found) && above(found.margin) && above(found.headroom)
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
            let headroom = with.headroom;
            helps(with).then_some(Mend::Optic { name, pad: None, margin, headroom })
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
        let close = broken.smaller.iter().filter(|row| helps(broken.with_splitter(row, case)));
        let largest = close.max_by_key(|row| row.fan_out).map(|row| {
            let margin = broken.with_splitter(row, case).margin;
            Mend::Splitter { fan_out: row.fan_out, pad: None, margin }
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

/// Pads of 1 to 10 dB, each with its tolerance.
fn pads() -> Vec<Pad> {
    (1..=10).map(|decibels| pad(f64::from(decibels), 0.3)).collect()
}

#[test]
fn a_proposed_pad_closes_it_on_both_sides_and_none_is_missed() {
    let (mut seen, mut missed) = (0, 0);
    for (mut broken, case) in all_broken() {
        broken.pads = pads();
        let padded = |pad: &Pad| {
            let loss = match case {
                Case::Typical => (pad.attenuation.get(), pad.attenuation.get()),
                _ => (pad.loss().least.get(), pad.loss().most.get()),
            };
            broken.attenuated(loss, case)
        };
        let proposed = broken.mends(case).into_iter().find_map(|mend| match mend {
            Mend::Pad { name, at, margin, headroom } => Some((name, at, margin, headroom)),
            _ => None,
        });
        let overloaded = |found: Assessment| found.headroom.is_some_and(|ratio| ratio < Db::ZERO);
        if let Some((name, at, margin, headroom)) = proposed {
            seen += 1;
            let pad = broken.pads.iter().find(|pad| pad.name == name).unwrap();
            let with = padded(pad);
            assert!(helps(with) && at == PadPlace::Receiver, "{with:?}");
            let near = |a: Option<Db>, b: Option<Db>| (a.unwrap() - b.unwrap()).get().abs() < 1e-8;
            assert!(near(margin, with.margin) && near(headroom, with.headroom));
        } else if overloaded(broken.now(case)) {
            missed += 1;
            assert!(!broken.pads.iter().any(|pad| helps(padded(pad))), "some pad would do");
        }
    }
    assert!(seen > 50 && missed > 50, "{seen} {missed}");
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
            let with = broken.shorter(by, case);
            let policy = broken.optics.least_margin.get().max(0.1);
            let arrives = with.margin.unwrap().get() > policy - 1e-9 && helps(with);
            assert!(arrives, "{case:?}, {by} of {whole}: {with:?}");
            let less = by.checked_sub(Length::from_mm(1)).unwrap_or_default();
            let enough = broken.shorter(less, case).margin.unwrap().get() >= policy;
            assert!(!enough, "{less} would do, {by} proposed");
        } else {
            // Not even the shortest valid way helps.
            let shortest = whole.checked_sub(Length::from_mm(1)).unwrap_or_default();
            let with = broken.shorter(shortest, case);
            let policy =
                |margin: Db| margin.get() > broken.optics.least_margin.get().max(0.1) + 1e-6;
            let enough = with.margin.is_some_and(policy);
            assert!(!(helps(with) && enough), "{case:?} {shortest} would do: {with:?}");
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
        let broken = Broken {
            optics,
            others: Vec::new(),
            smaller: Vec::new(),
            pads: Vec::new(),
            feed,
            branch,
        };
        let mends = broken.mends(Case::Worst);
        let [Mend::Shorter { by }] = mends[..] else { panic!("{mends:?}") };
        let with = broken.shorter(by, Case::Worst);
        assert!(helps(with), "{launch}, {sensitivity}, {per_km}: by {by}, {with:?}");
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
    let broken =
        Broken { optics, others: Vec::new(), smaller: Vec::new(), pads: Vec::new(), feed, branch };
    assert_eq!(broken.mends(Case::Typical), []);
}

#[test]
fn a_blinded_er_receiver_by_hand() {
    // With 1:2 at most 1.4897 dBm arrive, -1 dBm are allowed, and 4.9 dB remain at 500 m of fibre.
    let (feed, branch) = (m(50), m(450));
    let others = vec![lr().try_into().unwrap()];
    let broken = Broken {
        optics: optics(er(), plc(2)),
        others,
        smaller: Vec::new(),
        pads: Vec::new(),
        feed,
        branch,
    };
    let broken = Broken { pads: pads(), ..broken };
    // 10GBASE-LR: -6 - 6.2 = -12.2 dBm, 1.8 dB above -14 dBm. A pad of 3 dB leaves 2.7 dB at least, and at
    // most 1.4897 - 2.7 dBm; with 4 dB, margin and headroom are more alike: 0.6 and 1.2103 dB.
    match &broken.mends(Case::Worst)[..] {
        [
            Mend::Pad { name, margin: Some(margin), headroom: Some(headroom), .. },
            Mend::Optic { name: other, pad: None, margin: Some(of_other), .. },
        ] => {
            assert_eq!((name.as_str(), other.as_str()), ("pad-3", "10gbase-lr"));
            assert!((of_other.get() - 1.8).abs() < 1e-9);
            assert!((margin.get() - 1.6).abs() < 1e-9, "{margin}");
            assert!((headroom.get() - 0.210_299_957).abs() < 1e-6, "{headroom}");
        }
        mends => panic!("{mends:?}"),
    }
}

#[test]
fn fibre_that_takes_nothing_mends_nothing() {
    let optics = bare(levels("weak", [-6.0, 0.0, -8.0, 4.0]), splitter(4, 7.0));
    let (others, smaller) = (Vec::new(), vec![splitter(2, 3.5).try_into().unwrap()]);
    let broken =
        Broken { optics, others, smaller, pads: Vec::new(), feed: m(5_000), branch: m(5_000) };
    assert_eq!(broken.mends(Case::Worst), []);
    let optics = Optics { least_margin: db(0.0), fibre: None, ..broken.optics.clone() };
    assert_eq!(Broken { optics, ..broken }.mends(Case::Worst), []);
}
