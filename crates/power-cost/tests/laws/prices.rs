//! Ranges of prices: sums, and comparisons at one price for each row, against all corners of the ranges.

use std::cmp::Ordering;

use lightloom_power_cost::price::{Price, PriceCase, PriceRange, PriceRank, Term, UnitPrice};
use lightloom_power_cost::{Basket, Draw, Line, Tally};
use proptest::prelude::*;

use crate::given::usd;

fn price(low: i64, typical: i64, high: i64, rank: PriceRank) -> Price {
    let range = PriceRange::new(usd(low), usd(typical), usd(high)).expect("it ascends");
    Price { range, rank, case: PriceCase::Typical, source: None }
}

/// Rows of a catalogue: prices in millionths, at least 1.
fn any_rows() -> impl Strategy<Value = Vec<Price>> {
    let one = (1..1_000_i64, 0..1_000_i64, 0..5_000_i64, any::<bool>());
    let row = |(low, more, most, assumed): (i64, i64, i64, bool)| {
        let rank = if assumed { PriceRank::Assumed } else { PriceRank::Sourced };
        price(low, low + more, low + more + most, rank)
    };
    prop::collection::vec(one.prop_map(row), 1..5)
}

fn lines(rows: &[Price], quantities: &[u64]) -> Vec<Line> {
    let line = |(number, (price, &quantity)): (usize, (&Price, &u64))| Line {
        part: format!("part {number}"),
        quantity,
        price: Some(UnitPrice::of_row(format!("row.{number}"), price)),
        power: Draw::Passive,
    };
    rows.iter().zip(quantities).enumerate().map(line).collect()
}

/// All choices of the lowest or highest price of each row.
fn corners(rows: &[Price]) -> Vec<Vec<i128>> {
    let of = |mask: u32| {
        let end = |(bit, price): (usize, &Price)| {
            let range = price.range;
            let end = if mask >> bit & 1 == 0 { range.low() } else { range.high() };
            i128::from(end.as_micros())
        };
        rows.iter().enumerate().map(end).collect()
    };
    (0..1_u32 << rows.len()).map(of).collect()
}

fn sum(prices: &[i128], quantities: &[u64]) -> i128 {
    prices.iter().zip(quantities).map(|(price, &quantity)| price * i128::from(quantity)).sum()
}

proptest! {
    #[test]
    fn sums_are_those_of_the_lowest_the_usual_and_the_highest_prices(
        rows in any_rows(), quantities in prop::collection::vec(0..50_u64, 5),
    ) {
        let tally = Tally::of(&lines(&rows, &quantities)).expect("it is small");
        let by = |of: fn(&PriceRange) -> i64| -> i128 {
            sum(&rows.iter().map(|row| of(&row.range).into()).collect::<Vec<_>>(), &quantities)
        };
        let assumed: i128 = rows.iter().zip(&quantities)
            .filter(|(row, _)| row.rank == PriceRank::Assumed)
            .map(|(row, &quantity)| i128::from(row.range.typical().as_micros()) * i128::from(quantity))
            .sum();
        match tally.cost {
            None => prop_assert!(quantities.iter().take(rows.len()).all(|&quantity| quantity == 0)),
            Some(cost) => {
                prop_assert_eq!(i128::from(cost.range.low().as_micros()), by(|range| range.low().as_micros()));
                prop_assert_eq!(i128::from(cost.range.typical().as_micros()), by(|range| range.typical().as_micros()));
                prop_assert_eq!(i128::from(cost.range.high().as_micros()), by(|range| range.high().as_micros()));
                prop_assert_eq!(i128::from(cost.assumed.as_micros()), assumed);
                let share = cost.assumed_share().unwrap_or(0.0);
                prop_assert!((0.0..=1.0).contains(&share));
            }
        }
    }

    #[test]
    fn a_difference_and_a_ratio_lie_between_those_of_all_corners(
        rows in any_rows(),
        here in prop::collection::vec(0..50_u64, 5), there in prop::collection::vec(1..50_u64, 5),
    ) {
        let [one, other] = [&here, &there].map(|quantities| Basket::of(&lines(&rows, quantities)));
        let difference = one.minus(&other).expect("one currency");
        let corners = corners(&rows);
        let differences: Vec<i128> =
            corners.iter().map(|prices| sum(prices, &here) - sum(prices, &there)).collect();
        prop_assert_eq!(difference.low, differences.iter().min().copied());
        prop_assert_eq!(difference.high, differences.iter().max().copied());
        // It is decided exactly where no choice of prices changes its sign.
        let signs: Vec<Ordering> = differences.iter().map(|sum| sum.cmp(&0)).collect();
        let same = signs.iter().all(|sign| sign == &signs[0]);
        prop_assert_eq!(difference.decided(), same.then(|| signs[0]));
        let ratio = one.over(&other).expect("all is priced");
        let ratios = corners.iter().map(|prices| sum(prices, &here) as f64 / sum(prices, &there) as f64);
        let (least, most) = ratios.fold((f64::INFINITY, 0.0_f64), |(low, high), one| (low.min(one), high.max(one)));
        prop_assert!((ratio.low - least).abs() < 1e-9, "{ratio:?}, not from {least}");
        prop_assert!((ratio.high - most).abs() < 1e-9, "{ratio:?}, not to {most}");
        prop_assert!(ratio.low <= ratio.amount + 1e-12 && ratio.amount <= ratio.high + 1e-12);
    }
}

#[test]
fn what_both_lists_have_has_one_price() {
    let rows = [price(100, 1_000, 90_000, PriceRank::Assumed), price(5, 5, 5, PriceRank::Sourced)];
    let [one, other] = [[7, 3], [7, 2]].map(|quantities| Basket::of(&lines(&rows, &quantities)));
    // The wide price of the first row cancels.
    assert_eq!(one.minus(&other).unwrap().decided(), Some(Ordering::Greater));
    assert_eq!(other.minus(&one).unwrap().decided(), Some(Ordering::Less));
    assert_eq!(one.minus(&one).unwrap().decided(), Some(Ordering::Equal));
}

#[test]
fn a_part_without_a_price_leaves_one_end_open_unless_both_lists_have_it() {
    let unknown =
        |quantity| Line { part: "rare".into(), quantity, price: None, power: Draw::Passive };
    let rows = [price(10, 20, 30, PriceRank::Assumed)];
    let with = |quantity, rare| {
        let mut lines = lines(&rows, &[quantity]);
        lines.push(unknown(rare));
        Basket::of(&lines)
    };
    let more = with(2, 5).minus(&with(1, 3)).unwrap();
    assert_eq!((more.low, more.high, more.decided()), (Some(10), None, Some(Ordering::Greater)));
    let open = with(1, 5).minus(&with(2, 3)).unwrap();
    assert_eq!((open.low, open.high, open.decided()), (Some(-30), None, None));
    let same = with(2, 5).minus(&with(1, 5)).unwrap();
    assert_eq!((same.low, same.high), (Some(10), Some(30)));
    assert_eq!(with(2, 5).over(&with(1, 5)), None);
}

#[test]
fn a_price_of_several_rows_adds_their_ends() {
    let (base, metre) = (
        price(3_000_000, 5_000_000, 12_000_000, PriceRank::Assumed),
        price(300_000, 400_000, 600_000, PriceRank::Sourced),
    );
    let terms =
        vec![Term::once("cord", &base), Term::times("metre", &metre, 13_000_000, 1_000_000)];
    let cord = UnitPrice::of(terms).unwrap().unwrap();
    let range = cord.range();
    let ends = [range.low(), range.typical(), range.high()];
    assert_eq!(ends, [6_900_000, 10_200_000, 19_800_000].map(usd));
    assert_eq!((cord.assumed(), cord.rank()), (usd(5_000_000), PriceRank::Assumed));
}

#[test]
fn a_range_ascends_in_one_currency() {
    assert!(PriceRange::new(usd(2), usd(1), usd(3)).is_none());
    assert!(PriceRange::new(usd(1), usd(3), usd(2)).is_none());
    assert!(PriceRange::new(usd(1), usd(1), "1 EUR".parse().unwrap()).is_none());
    assert!(PriceRange::new(usd(1), usd(1), usd(1)).is_some_and(|range| range.is_exact()));
}
