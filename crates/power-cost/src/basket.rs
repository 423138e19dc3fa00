//! Two lists of parts against each other, at prices that both share.
//!
//! The price of a row is not known, but it is one price: what costs 300 here costs 300 there. So what both lists
//! have cancels, and only the rows of which one list has more decide which list is dearer.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use lightloom_units::Currency;

use crate::price::{PriceCase, PriceRange};
use crate::tally::Line;

/// Parts of a piece in which quantities are counted: lengths are whole millionths of a metre.
const PARTS: i128 = 1_000_000;

/// A row with its price. Rows of two catalogues that have one name and two prices are two rows.
type Key = (String, [i64; 3]);

/// Quantities of rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Basket {
    priced: BTreeMap<Key, i128>,
    unpriced: BTreeMap<String, i128>,
    currency: Option<Currency>,
    case: PriceCase,
}

/// How much more one list costs than another, in millionths of the currency's unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// At least. `None`: a part without a price, of which the other list has more, leaves it open.
    pub low: Option<i128>,
    /// At the prices that count, over the parts with a price.
    pub amount: i128,
    /// At most. `None`: a part without a price, of which this list has more, leaves it open.
    pub high: Option<i128>,
}

/// How many times as much one list costs as another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatioRange {
    /// At least.
    pub low: f64,
    /// At the prices that count.
    pub amount: f64,
    /// At most.
    pub high: f64,
}

impl Difference {
    /// Whether this list is cheaper, as dear, or dearer at all prices of the ranges. `None`: prices decide.
    pub fn decided(&self) -> Option<Ordering> {
        match (self.low, self.high) {
            (Some(0), Some(0)) => Some(Ordering::Equal),
            (Some(low), _) if low > 0 => Some(Ordering::Greater),
            (_, Some(high)) if high < 0 => Some(Ordering::Less),
            _ => None,
        }
    }

    /// Whether this list can cost less than the other at some prices.
    pub fn can_be_less(&self) -> bool {
        self.low.is_none_or(|low| low < 0)
    }
}

impl Basket {
    /// The rows of lines. Lines without a price are kept by their part.
    pub fn of(lines: &[Line]) -> Self {
        let mut basket = Self::default();
        for line in lines {
            let quantity = i128::from(line.quantity) * PARTS;
            let Some(price) = &line.price else {
                *basket.unpriced.entry(line.part.clone()).or_default() += quantity;
                continue;
            };
            basket.currency = basket.currency.or(Some(price.range().currency()));
            basket.case = price.case();
            for term in price.terms() {
                let times =
                    quantity * i128::from(term.numerator) / i128::from(term.denominator.max(1));
                *basket.priced.entry((term.row.clone(), micros(&term.price.range))).or_default() +=
                    times;
            }
        }
        basket.unpriced.retain(|_, quantity| *quantity != 0);
        basket
    }

    /// How much more this list costs than the other. `None`: their prices have two currencies.
    pub fn minus(&self, other: &Self) -> Option<Difference> {
        if self.currency.zip(other.currency).is_some_and(|(one, other)| one != other) {
            return None;
        }
        let (mut low, mut amount, mut high) = (0, 0, 0);
        for ((_, [least, usual, most]), [one, other]) in beside(&self.priced, &other.priced) {
            let more = one - other;
            let (at_least, at_most) = if more > 0 { (least, most) } else { (most, least) };
            low += more * i128::from(*at_least);
            high += more * i128::from(*at_most);
            amount += more * i128::from([*least, *usual, *most][self.case as usize]);
        }
        // A price without bounds is 0 at least.
        let open = beside(&self.unpriced, &other.unpriced);
        let (more, less) = open.fold((false, false), |(more, less), (_, [one, other])| {
            (more || one > other, less || one < other)
        });
        let whole = |sum: i128| sum / PARTS;
        Some(Difference {
            low: (!less).then_some(whole(low)),
            amount: whole(amount),
            high: (!more).then_some(whole(high)),
        })
    }

    /// How many times as much this list costs as the other. `None`: a part of one of them has no price, their prices
    /// have two currencies, or the other can cost nothing.
    pub fn over(&self, other: &Self) -> Option<RatioRange> {
        let is_open = !self.unpriced.is_empty() || !other.unpriced.is_empty();
        if is_open || self.currency != other.currency {
            return None;
        }
        let rows: Vec<([f64; 3], [f64; 2])> = beside(&self.priced, &other.priced)
            .map(|((_, prices), quantities)| {
                (prices.map(|price| price as f64), quantities.map(|quantity| quantity as f64))
            })
            .collect();
        let ratio = |price: &dyn Fn(usize) -> f64| {
            let sums = rows.iter().enumerate().fold([0.0; 2], |[one, other], (row, (_, of))| {
                [one + of[0] * price(row), other + of[1] * price(row)]
            });
            (sums[1] > 0.0).then(|| sums[0] / sums[1])
        };
        let amount = ratio(&|row| rows[row].0[self.case as usize])?;
        // A ratio of two sums over a box of prices is greatest where the rows of which this list has relatively most
        // are dear and the others cheap, and least the other way round.
        let mut order: Vec<usize> = (0..rows.len()).collect();
        let share = |row: &usize| {
            let [one, other] = rows[*row].1;
            if other > 0.0 { one / other } else { f64::INFINITY }
        };
        order.sort_by(|a, b| share(a).total_cmp(&share(b)));
        let mut place = vec![0; rows.len()];
        order.iter().enumerate().for_each(|(at, &row)| place[row] = at);
        let mut bounds = (amount, amount);
        for split in 0..=rows.len() {
            let dear_above = ratio(&|row| rows[row].0[if place[row] >= split { 2 } else { 0 }])?;
            let dear_below = ratio(&|row| rows[row].0[if place[row] >= split { 0 } else { 2 }])?;
            bounds = (bounds.0.min(dear_below), bounds.1.max(dear_above));
        }
        Some(RatioRange { low: bounds.0, amount, high: bounds.1 })
    }
}

fn micros(range: &PriceRange) -> [i64; 3] {
    [range.low(), range.typical(), range.high()].map(lightloom_units::Money::as_micros)
}

/// The entries of two maps, with the quantities of both.
fn beside<'a, K: Ord>(
    one: &'a BTreeMap<K, i128>,
    other: &'a BTreeMap<K, i128>,
) -> impl Iterator<Item = (&'a K, [i128; 2])> {
    let here =
        one.iter().map(|(key, &quantity)| (key, [quantity, other.get(key).copied().unwrap_or(0)]));
    let only_there = other.iter().filter(|(key, _)| !one.contains_key(*key));
    here.chain(only_there.map(|(key, &quantity)| (key, [0, quantity])))
}
