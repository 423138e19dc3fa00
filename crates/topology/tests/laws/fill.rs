//! The fill of trays, compared with a count of fibres point by point.

use lightloom_topology::RowId;
use lightloom_topology::hall::{Peak, TrayFill, TrayId, TrayRun};
use lightloom_units::Length;
use proptest::collection::vec;
use proptest::prelude::*;

const POINTS: u64 = 12;

fn tray(number: u32) -> TrayId {
    if number == 0 { TrayId::Cross(3) } else { TrayId::Row(RowId(number)) }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn the_fullest_stretch_is_the_first_with_the_most_fibres(
        runs in vec((0..3_u32, 0..POINTS, 1..=POINTS), 1..20),
    ) {
        let runs: Vec<(u32, u64, u64)> =
            runs.into_iter().map(|(tray, from, length)| (tray, from, (from + length).min(POINTS))).collect();
        let mut fill = TrayFill::default();
        for &(number, from, to) in &runs {
            let (from, to) = (Length::from_m(from), Length::from_m(to));
            fill.lay(&[TrayRun { tray: tray(number), from, to }], Length::from_mm(2));
        }
        let fullest = fill.fullest();
        for number in 0..3 {
            // Fibres above the metre that starts at each point.
            let above = |at: u64| {
                runs.iter().filter(|&&(t, from, to)| t == number && from <= at && at < to).count() as u64
            };
            let peak = (0..POINTS).map(above).max().unwrap_or(0);
            let Some(&Peak { run, cables, squares }) = fullest.get(&tray(number)) else {
                prop_assert_eq!(peak, 0);
                continue;
            };
            prop_assert_eq!((cables, squares), (peak, 4_000_000 * peak));
            let start = (0..POINTS).find(|&at| above(at) == peak).expect("the peak");
            let end = (start..POINTS).find(|&at| above(at) != peak).unwrap_or(POINTS);
            prop_assert_eq!(run.tray, tray(number));
            prop_assert_eq!((run.from, run.to), (Length::from_m(start), Length::from_m(end)));
        }
    }
    #[test]
    fn thick_cables_count_by_their_cross_section(
        cables in vec((0..POINTS, 1..=POINTS, 1..20_u64), 1..20),
    ) {
        let cables: Vec<(u64, u64, u64)> =
            cables.into_iter().map(|(from, length, mm)| (from, (from + length).min(POINTS), mm)).collect();
        let mut fill = TrayFill::default();
        for &(from, to, mm) in &cables {
            let run = TrayRun { tray: tray(0), from: Length::from_m(from), to: Length::from_m(to) };
            fill.lay(&[run], Length::from_mm(mm));
        }
        let room = |at: u64| -> u64 {
            cables.iter().filter(|&&(from, to, _)| from <= at && at < to).map(|(.., mm)| mm * mm).sum()
        };
        let most = (0..POINTS).map(room).max().unwrap_or(0);
        prop_assert_eq!(fill.fullest()[&tray(0)].squares, most * 1_000_000);
    }
}
