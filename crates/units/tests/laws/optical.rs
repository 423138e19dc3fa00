//! Decibels: an affine line of levels over a vector space of ratios, and always finite.

use std::collections::HashSet;

use lightloom_units::{Db, Dbm};
use proptest::prelude::*;

/// The range of any real optical budget, with a wide margin.
fn decibels() -> impl Strategy<Value = f64> {
    -200.0..200.0
}

fn any_finite() -> impl Strategy<Value = f64> {
    any::<f64>().prop_filter("finite", |value| value.is_finite())
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

proptest! {
    #[test]
    fn a_ratio_shifts_a_level(level in decibels(), a in decibels(), b in decibels()) {
        let level = Dbm::new(level).unwrap();
        let (a, b) = (Db::new(a).unwrap(), Db::new(b).unwrap());
        prop_assert_eq!(level + Db::ZERO, level);
        prop_assert_eq!(level - a, level + -a);
        prop_assert_eq!(level - level, Db::ZERO);
        prop_assert!(close(((level + a) - level).get(), a.get()));
        prop_assert!(close(((level + a) + b).get(), (level + (a + b)).get()));
    }

    #[test]
    fn ratios_form_a_vector_space(a in decibels(), b in decibels(), factor in -100.0..100.0) {
        let (a, b) = (Db::new(a).unwrap(), Db::new(b).unwrap());
        prop_assert_eq!(a + b, b + a);
        prop_assert_eq!(a - b, -(b - a));
        prop_assert_eq!(-(-a), a);
        prop_assert_eq!(a - a, Db::ZERO);
        prop_assert_eq!([a, b].into_iter().sum::<Db>(), a + b);
        prop_assert!(close(((a + b) * factor).get(), (a * factor + b * factor).get()));
    }

    #[test]
    fn ten_decibels_are_a_factor_of_ten(level in decibels()) {
        let level = Dbm::new(level).unwrap();
        let milliwatts = level.to_milliwatts();
        prop_assert!(close(Dbm::from_milliwatts(milliwatts).unwrap().get(), level.get()));
        let tenfold = (level + Db::new(10.0).unwrap()).to_milliwatts();
        prop_assert!((tenfold / milliwatts - 10.0).abs() < 1e-9);
    }

    #[test]
    fn arithmetic_stays_finite_and_has_one_zero(a in any_finite(), b in any_finite()) {
        let (x, y) = (Db::new(a).unwrap(), Db::new(b).unwrap());
        let (p, q) = (Dbm::new(a).unwrap(), Dbm::new(b).unwrap());
        let ratios = [x + y, x - y, -x, x * b, p - q, [x, y, x].into_iter().sum()];
        let levels = [(p + y).get(), (p - y).get()];
        for value in ratios.into_iter().map(Db::get).chain(levels) {
            prop_assert!(value.is_finite());
            prop_assert!(value != 0.0 || value.is_sign_positive());
        }
    }

    #[test]
    fn order_is_that_of_the_numbers(a in any_finite(), b in any_finite()) {
        let (x, y) = (Db::new(a).unwrap(), Db::new(b).unwrap());
        prop_assert_eq!(Some(x.cmp(&y)), a.partial_cmp(&b));
        prop_assert_eq!(x == y, a == b);
        prop_assert_eq!(HashSet::from([x, y]).len(), if a == b { 1 } else { 2 });
    }
}

#[test]
fn known_levels() {
    assert_eq!(Dbm::new(0.0).unwrap().to_milliwatts(), 1.0);
    assert_eq!(Dbm::from_milliwatts(100.0).unwrap().get(), 20.0);
    assert_eq!("-8.4 dBm".parse::<Dbm>().unwrap().get(), -8.4);
    assert_eq!("+3.4dB".parse::<Db>().unwrap().get(), 3.4);
    assert_eq!("-0.0 dB".parse::<Db>().unwrap().to_string(), "0 dB");
    assert_eq!(Dbm::new(-8.4).unwrap().to_string(), "-8.4 dBm");
    assert_eq!(format!("{:+.1}", Db::new(2.96).unwrap()), "+3.0 dB");
    assert_eq!(format!("{:>10.2}", Db::new(-2.5).unwrap()), "  -2.50 dB");
}

#[test]
fn what_is_not_finite_is_refused() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(Db::new(value).is_err());
        assert!(Dbm::new(value).is_err());
        assert!(Dbm::from_milliwatts(value).is_err());
    }
    assert!(Dbm::from_milliwatts(0.0).is_err());
    assert!(Dbm::from_milliwatts(-1.0).is_err());
    let said = Db::new(f64::INFINITY).unwrap_err().to_string();
    assert_eq!(said, "an optical level must be a finite number, not inf");
}
