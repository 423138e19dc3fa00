//! Money: exact within a currency; two currencies do not mix.

use lightloom_units::{Currency, Money, MoneyError};
use proptest::prelude::*;

fn currency(code: &str) -> Currency {
    code.parse().unwrap()
}

fn usd(micros: i64) -> Money {
    Money::from_micros(micros, currency("USD"))
}

/// Any `i64`; every order of magnitude is equally likely.
fn any_micros() -> impl Strategy<Value = i64> {
    prop_oneof![
        8 => (any::<i64>(), 0_u32..64).prop_map(|(value, shift)| value >> shift),
        1 => Just(i64::MIN),
        1 => Just(i64::MAX),
    ]
}

proptest! {
    #[test]
    fn amounts_add_like_their_micros(a in any_micros(), b in any_micros()) {
        let sum = usd(a).checked_add(usd(b));
        prop_assert_eq!(sum, usd(b).checked_add(usd(a)));
        prop_assert_eq!(sum.ok().map(Money::as_micros), a.checked_add(b));
        prop_assert_eq!(usd(a).checked_add(Money::zero(currency("USD"))), Ok(usd(a)));
        prop_assert_eq!(usd(a).partial_cmp(&usd(b)), Some(a.cmp(&b)));
    }

    #[test]
    fn a_multiple_is_exact_or_an_error(micros in any_micros(), count in crate::any_u64()) {
        let product = i64::try_from(i128::from(micros) * i128::from(count)).ok();
        prop_assert_eq!(usd(micros).checked_mul(count).ok().map(Money::as_micros), product);
    }

    #[test]
    fn a_scaled_amount_is_the_nearest_with_halves_up(
        micros in any_micros(),
        numerator in crate::any_u64(),
        denominator in crate::any_u64(),
    ) {
        match usd(micros).scale(numerator, denominator) {
            Ok(scaled) => {
                // Nearest: off by at most half a micro-unit; exactly half rounds up.
                let denominator = i128::from(denominator);
                let exact = i128::from(micros) * i128::from(numerator);
                let error = exact - i128::from(scaled.as_micros()) * denominator;
                prop_assert!(-denominator <= 2 * error && 2 * error < denominator);
            }
            Err(MoneyError::ZeroDenominator) => prop_assert_eq!(denominator, 0),
            Err(error) => {
                prop_assert_eq!(error, MoneyError::Overflow(currency("USD")));
                let exact = i128::from(micros) * i128::from(numerator) / i128::from(denominator);
                prop_assert!(exact >= i128::from(i64::MAX) || exact <= i128::from(i64::MIN));
            }
        }
    }

    #[test]
    fn scaling_by_one_changes_nothing(micros in any_micros(), by in 1_u64..) {
        prop_assert_eq!(usd(micros).scale(by, by), Ok(usd(micros)));
    }
}

#[test]
fn halves_go_up() {
    let halved = |micros| usd(micros).scale(1, 2).unwrap().as_micros();
    assert_eq!([3, 1, -1, -3].map(halved), [2, 1, 0, -1]);
}

#[test]
fn amounts_are_printed_with_two_to_six_decimals() {
    for text in ["37.37 USD", "37.00 USD", "0.00 EUR", "-0.50 USD", "0.000001 JPY", "1.234 CHF"] {
        assert_eq!(text.parse::<Money>().unwrap().to_string(), text);
    }
    assert_eq!("37USD".parse::<Money>().unwrap().to_string(), "37.00 USD");
    for text in
        ["37.37", "USD", "37.37 usd", "37.37 US", "37.37 USDT", "$37.37", "37,37 USD", "1 ÄB"]
    {
        assert!(text.parse::<Money>().is_err(), "{text}");
    }
    assert!("9223372036854.775808 USD".parse::<Money>().is_err());
    assert!("-9223372036854.775809 USD".parse::<Money>().is_err());
}

#[test]
fn currencies_do_not_mix() {
    let (dollars, euros) = (usd(1), Money::from_micros(1, currency("EUR")));
    let error = dollars.checked_add(euros).unwrap_err();
    assert_eq!(error, MoneyError::MixedCurrencies(currency("USD"), currency("EUR")));
    assert_eq!(error.to_string(), "USD and EUR do not add: state every price in one currency");
    assert_eq!(dollars.partial_cmp(&euros), None);
    assert_ne!(dollars, euros);
}

proptest! {
    #[test]
    fn hundredths_are_whole_and_at_most_half_a_hundredth_away(micros in any_micros()) {
        let rounded = usd(micros).to_hundredths().as_micros();
        prop_assert_eq!(rounded % 10_000, 0);
        if micros.checked_add(micros.signum() * 5_000).is_some() {
            prop_assert!((i128::from(rounded) - i128::from(micros)).abs() <= 5_000);
        }
        prop_assert_eq!(usd(micros).to_hundredths().to_hundredths(), usd(micros).to_hundredths());
    }
}
