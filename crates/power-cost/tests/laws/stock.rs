//! Stock lengths and the price of fibre.

use lightloom_power_cost::{Accounting, FibrePrice, StockLengths};
use lightloom_units::{Length, Money};

fn metres(lengths: &[u64]) -> Vec<Length> {
    lengths.iter().map(|&m| Length::from_m(m)).collect()
}

fn stock() -> StockLengths {
    // In no order, and one length twice.
    StockLengths::new(metres(&[10, 1, 5, 2, 5]), Length::from_m(4))
        .expect("a test's own input holds")
}

/// Lengths equal to, just below and just above every stock length, and far beyond the longest.
fn lengths() -> impl Iterator<Item = Length> {
    let near = |m: u64| {
        let um = m * 1_000_000;
        [um.saturating_sub(1), um, um + 1].map(Length::from_um)
    };
    (0..40).flat_map(near).chain([Length::from_m(100_000_001)])
}

#[test]
fn a_piece_is_long_enough_and_of_a_length_that_is_sold() {
    let stock = stock();
    for length in lengths() {
        let piece = stock.round_up(length);
        assert!(piece >= length);
        let cut = piece > Length::from_m(10) && piece.as_um().is_multiple_of(stock.step().as_um());
        assert!(stock.lengths().contains(&piece) || cut, "{length} became {piece}");
    }
}

#[test]
fn no_shorter_piece_would_do() {
    let stock = stock();
    for length in lengths() {
        let piece = stock.round_up(length);
        assert!(stock.lengths().iter().all(|&other| other < length || other >= piece));
        let cut = !stock.lengths().contains(&piece);
        assert!(!cut || piece.as_um() - length.as_um() < stock.step().as_um());
    }
}

#[test]
fn rounding_keeps_order_and_rounds_only_once() {
    let stock = stock();
    let mut sorted: Vec<Length> = lengths().collect();
    sorted.sort_unstable();
    let pieces: Vec<Length> = sorted.iter().map(|&length| stock.round_up(length)).collect();
    assert!(pieces.is_sorted());
    assert!(pieces.iter().all(|&piece| stock.round_up(piece) == piece));
}

#[test]
fn the_longest_length_of_all_does_not_overflow() {
    let most = Length::from_um(u64::MAX);
    assert_eq!(stock().round_up(most), most);
}

#[test]
fn stock_without_lengths_or_with_none_at_all_is_no_stock() {
    let step = Length::from_m(1);
    assert_eq!(StockLengths::new(Vec::new(), step), None);
    assert_eq!(StockLengths::new(metres(&[0, 5]), step), None);
    assert_eq!(StockLengths::new(metres(&[5]), Length::ZERO), None);
}

#[test]
fn lengths_are_told_ascending_and_once() {
    assert_eq!(stock().lengths(), metres(&[1, 2, 5, 10]));
}

/// In millionths; sums are rounded to it.
const CENT: u64 = 10_000;

fn price(accounting: Accounting) -> FibrePrice {
    let price: Money = "37.37 USD".parse().expect("a test's own input holds");
    FibrePrice { price: Some(price.into()), per: Length::from_m(100), accounting }
}

fn micros(accounting: Accounting, length: Length) -> i64 {
    let piece = price(accounting).of_piece(length).expect("a test's own input holds");
    piece.expect("it has a price").amount().as_micros()
}

#[test]
fn a_hundred_metres_of_a_pair_cost_what_the_table_says_to_the_cent() {
    let hundred = Length::from_m(100);
    assert_eq!(micros(Accounting::Whole, hundred), 37_370_000);
    assert_eq!(micros(Accounting::Half, hundred), 18_685_000);
    assert_eq!(micros(Accounting::Half, Length::ZERO), 0);
}

#[test]
fn twice_the_fibre_costs_twice_and_two_halves_a_whole() {
    for m in [1, 7, 100, 12_345] {
        let whole = micros(Accounting::Whole, Length::from_m(m));
        let twice = micros(Accounting::Half, Length::from_m(2 * m));
        assert!(whole.abs_diff(twice) <= CENT, "{m} m: {whole} and {twice}");
        let double = micros(Accounting::Whole, Length::from_m(2 * m));
        assert!(double.abs_diff(2 * whole) <= CENT);
    }
}

#[test]
fn a_sum_beyond_all_money_is_an_error() {
    let price = FibrePrice { per: Length::from_um(1), ..price(Accounting::Whole) };
    assert!(price.of_piece(Length::from_um(u64::MAX)).is_err());
}
