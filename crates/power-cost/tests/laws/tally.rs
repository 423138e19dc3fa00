//! Sums of power and money, against naive sums and the paper's costs.

use lightloom_power_cost::price::UnitPrice;
use lightloom_power_cost::{Cost, Draw, Line, Missing, MissingValue, Tally};
use lightloom_units::{Currency, Money, MoneyError, Power};
use rand::RngExt;

use crate::given::{seeded, usd};

fn line(part: &str, quantity: u64, price: Option<Money>, power: Draw) -> Line {
    let price = price.map(|price| UnitPrice::of_row(part, &price.into()));
    Line { part: part.into(), quantity, price, power }
}

fn milliwatts(power: u64) -> Draw {
    Draw::Known(Power::from_milliwatts(power))
}

fn euro(micros: i64) -> Money {
    Money::from_micros(micros, "EUR".parse::<Currency>().unwrap())
}

fn any_lines(seed: u64) -> Vec<Line> {
    let draws = &mut seeded(seed);
    let any = |i| {
        let price = draws.random_bool(0.7).then(|| usd(draws.random_range(0..10_000_000_000)));
        let power = match draws.random_range(0..3) {
            0 => Draw::Passive,
            1 => Draw::Unknown,
            _ => Draw::Known(Power::from_microwatts(draws.random_range(0..1_000_000_000))),
        };
        line(&format!("part {i}"), draws.random_range(0..5_000), price, power)
    };
    (0..seed % 12).map(any).collect()
}

#[test]
fn sums_are_those_of_every_single_part() {
    for seed in 0..2_000 {
        let lines = any_lines(seed);
        let there = || lines.iter().filter(|line| line.quantity > 0);
        let costs: Vec<i128> = there()
            .filter_map(|line| {
                Some(
                    i128::from(line.quantity)
                        * i128::from(line.price.as_ref()?.amount().as_micros()),
                )
            })
            .collect();
        let powers: Vec<u128> = there()
            .filter_map(|line| match line.power {
                Draw::Known(power) => {
                    Some(u128::from(line.quantity) * u128::from(power.as_microwatts()))
                }
                Draw::Passive | Draw::Unknown => None,
            })
            .collect();
        let tally = Tally::of(&lines).unwrap();
        assert_eq!(tally.cost.is_some(), !costs.is_empty());
        assert_eq!(
            tally.cost.map_or(0, |cost| cost.amount().as_micros().into()),
            costs.iter().sum::<i128>()
        );
        assert_eq!(tally.power.is_some(), !powers.is_empty());
        assert_eq!(
            tally.power.map_or(0, |power| power.as_microwatts().into()),
            powers.iter().sum::<u128>()
        );
        let missing = there().flat_map(|line| {
            let lacks = |value, lacking: bool| {
                let (part, quantity) = (line.part.clone(), line.quantity);
                lacking.then_some(Missing { value, part, quantity })
            };
            let price = lacks(MissingValue::Price, line.price.is_none());
            price.into_iter().chain(lacks(MissingValue::Power, line.power == Draw::Unknown))
        });
        assert_eq!(tally.missing, missing.collect::<Vec<_>>());
    }
}

#[test]
fn what_costs_nothing_is_not_what_has_no_price() {
    let free = Tally::of(&[line("free", 3, Some(usd(0)), milliwatts(0))]).unwrap();
    assert_eq!(
        (free.cost.map(|cost| cost.amount()), free.power),
        (Some(usd(0)), Some(Power::ZERO))
    );
    assert!(free.missing.is_empty());
    let unknown = Tally::of(&[line("unknown", 3, None, Draw::Unknown)]).unwrap();
    assert_eq!((unknown.cost, unknown.power), (None, None));
    assert_eq!(unknown.missing.len(), 2);
    // Zero pieces of a part lack nothing.
    assert_eq!(Tally::of(&[line("none", 0, None, Draw::Unknown)]).unwrap(), Tally::default());
}

#[test]
fn two_currencies_do_not_add() {
    let mixed = |quantity| {
        let lines = [
            line("here", 1, Some(usd(1)), Draw::Passive),
            line("there", quantity, Some(euro(1)), Draw::Passive),
        ];
        Tally::of(&lines)
    };
    assert!(matches!(mixed(1), Err(MoneyError::MixedCurrencies(..))));
    assert_eq!(mixed(0).unwrap().cost.map(|cost| cost.amount()), Some(usd(1)));
    let dear = line("dear", 2, Some(usd(i64::MAX)), Draw::Passive);
    assert!(matches!(Tally::of(&[dear]), Err(MoneyError::Overflow(_))));
}

/// The largest row of a catalogue, in the largest quantity of a line.
#[test]
fn the_largest_sums_of_power_that_lines_allow() {
    let lines = [0, 1, 2, 3].map(|_| line("most", 1 << 32, None, milliwatts(1_000_000)));
    let watts = Tally::of(&lines).unwrap().power.unwrap().as_watts();
    assert!((watts / (4.0 * 4_294_967_296_000.0) - 1.0).abs() < 1e-12);
}

/// Four ports, four transceivers, four 100 m fibres and a 1:4 splitter a ToR of 4,4-Shufflecast. The printed
/// 487 to 1867 USD (shufflecast:VI-A.cost) take the splitters of 1:2 and 1:8 at the ends; with that of 1:4:
#[test]
fn a_tor_of_4_4_costs_what_table_1_makes_it() {
    for (transceiver, port, watts, expected) in [
        ((27_000_000, 1_000), (55_500_000, 2_640), 14.56, 488_780_000),
        ((59_000_000, 1_000), (86_200_000, 3_750), 19.0, 739_580_000),
        ((189_000_000, 3_500), (237_500_000, 14_060), 70.24, 1_864_780_000),
    ] {
        let lines = [
            line("transceiver", 4, Some(usd(transceiver.0)), milliwatts(transceiver.1)),
            line("port", 4, Some(usd(port.0)), milliwatts(port.1)),
            line("fibre", 4, Some(usd(37_370_000)), Draw::Passive),
            line("splitter", 1, Some(usd(9_300_000)), Draw::Passive),
        ];
        let tally = Tally::of(&lines).unwrap();
        assert_eq!(
            (tally.cost.as_ref().map(Cost::amount), tally.missing.len()),
            (Some(usd(expected)), 0)
        );
        assert!(crate::given::near(tally.power.unwrap().as_watts(), watts));
    }
}
