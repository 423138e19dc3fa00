//! Printed text reads back to the same value, written text has its exact value, all other text is
//! refused.

use std::{
    fmt::{Debug, Display},
    str::FromStr,
};

use lightloom_units::{
    BitRate, Currency, DataSize, Db, Dbm, Instant, Length, Money, ParseError, Power, Span,
};
use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};

use crate::any_u64;

/// Text and JSON both give the value back.
fn reads_back<T>(value: T) -> Result<(), TestCaseError>
where
    T: Display + FromStr<Err = ParseError> + Serialize + DeserializeOwned + PartialEq + Debug,
{
    let text = value.to_string();
    prop_assert_eq!(&text.parse::<T>().unwrap(), &value);
    let json = serde_json::to_string(&value).unwrap();
    prop_assert_eq!(&json, &format!("\"{text}\""));
    prop_assert_eq!(serde_json::from_str::<T>(&json).unwrap(), value);
    Ok(())
}

/// A text is refused, or its value can be printed and read again.
fn refused_or_understood<T>(text: &str) -> Result<(), TestCaseError>
where
    T: Display + FromStr<Err = ParseError> + PartialEq + Debug,
{
    match text.parse::<T>() {
        Ok(value) => prop_assert_eq!(value.to_string().parse::<T>(), Ok(value)),
        Err(error) => prop_assert!(!error.to_string().contains(char::is_control)),
    }
    Ok(())
}

fn refused_or_understood_by_all(text: &str) -> Result<(), TestCaseError> {
    refused_or_understood::<Instant>(text)?;
    refused_or_understood::<Span>(text)?;
    refused_or_understood::<BitRate>(text)?;
    refused_or_understood::<DataSize>(text)?;
    refused_or_understood::<Length>(text)?;
    refused_or_understood::<Power>(text)?;
    refused_or_understood::<Db>(text)?;
    refused_or_understood::<Dbm>(text)?;
    refused_or_understood::<Money>(text)?;
    refused_or_understood::<Currency>(text)?;
    if let Ok(length) = Length::parse_metres(text) {
        prop_assert_eq!(Length::parse_metres(&length.to_metres_string()), Ok(length));
    }
    Ok(())
}

proptest! {
    #[test]
    fn every_integer_quantity_reads_back(value in any_u64()) {
        reads_back(Instant::from_ps(value))?;
        reads_back(Span::from_ps(value))?;
        reads_back(BitRate::from_bps(value))?;
        reads_back(DataSize::from_bytes(value))?;
        reads_back(Length::from_um(value))?;
        reads_back(Power::from_microwatts(value))?;
        let metres = Length::from_um(value).to_metres_string();
        prop_assert_eq!(Length::parse_metres(&metres), Ok(Length::from_um(value)));
    }

    #[test]
    fn every_amount_reads_back(micros in any::<i64>(), shift in 0_u32..64, code in "[A-Z]{3}") {
        let currency: Currency = code.parse().unwrap();
        reads_back(currency)?;
        reads_back(Money::from_micros(micros >> shift, currency))?;
        reads_back(Money::from_micros(i64::MAX, currency))?;
        reads_back(Money::from_micros(i64::MIN, currency))?;
    }

    #[test]
    fn every_level_reads_back(
        value in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO
    ) {
        reads_back(Db::new(value).unwrap())?;
        reads_back(Dbm::new(value).unwrap())?;
    }

    #[test]
    fn a_decimal_is_its_digits(whole in 0_u64..1_000_000, micros in 0_u64..1_000_000) {
        let digits = format!("{whole}.{micros:06}");
        let value = whole * 1_000_000 + micros;
        prop_assert_eq!(format!("{digits}us").parse(), Ok(Span::from_ps(value)));
        prop_assert_eq!(format!("{digits} Mbps").parse(), Ok(BitRate::from_bps(value)));
        prop_assert_eq!(format!("{digits}\tMB").parse(), Ok(DataSize::from_bytes(value)));
        prop_assert_eq!(format!(" {digits}  m ").parse(), Ok(Length::from_um(value)));
        prop_assert_eq!(format!("{digits} W").parse(), Ok(Power::from_microwatts(value)));
        prop_assert_eq!(Length::parse_metres(&digits), Ok(Length::from_um(value)));
    }

    #[test]
    fn any_text_is_safe(text in any::<String>()) {
        refused_or_understood_by_all(&text)?;
    }

    #[test]
    fn nearly_right_text_is_safe(
        text in "[-+]{0,2}[0-9]{0,25}[.,_e]?[0-9]{0,25}[ \u{a0}\n]?[kKMGTmuµμn]?i?(ps|s|bps|b/s|B|m|W|dB|dBm|USD|usd)?"
    ) {
        refused_or_understood_by_all(&text)?;
    }
}

fn refusal<T: FromStr<Err = ParseError> + Debug>(text: &str) -> String {
    text.parse::<T>().unwrap_err().to_string()
}

#[test]
fn units_mean_what_they_say() {
    for text in ["1500000 ps", "1500ns", "1.5 us", "1.5\u{b5}s", "1.5 \u{3bc}s", "0.0015 ms"] {
        assert_eq!(text.parse(), Ok(Span::from_ps(1_500_000)), "{text}");
    }
    for text in
        ["400 Gbps", "400 Gb/s", "400 Gbit/s", "0.4 Tbps", "400000 Mb/s", "400000000 kbit/s"]
    {
        assert_eq!(text.parse(), Ok(BitRate::from_gbps(400)), "{text}");
    }
    for text in ["1536 B", "1.536 kB", "0.001536 MB", "1.5 KiB", "0.00146484375 MiB"] {
        assert_eq!(text.parse(), Ok(DataSize::from_bytes(1536)), "{text}");
    }
    for text in ["12500000 um", "12500 mm", "1250 cm", "12.5 m", "0.0125 km"] {
        assert_eq!(text.parse(), Ok(Length::from_mm(12_500)), "{text}");
    }
    for text in ["3500000 uW", "3500 mW", "3.5 W", "0.0035 kW", "0.0000035 MW"] {
        assert_eq!(text.parse(), Ok(Power::from_milliwatts(3_500)), "{text}");
    }
}

#[test]
fn text_is_printed_as_people_write_it() {
    assert_eq!(Span::from_ns(1_500).to_string(), "1.5 us");
    assert_eq!(Span::ZERO.to_string(), "0 ps");
    assert_eq!(Instant::from_ms(2_001).to_string(), "2.001 s");
    assert_eq!(BitRate::from_gbps(800).to_string(), "800 Gbps");
    assert_eq!(DataSize::from_bytes(1_500_000).to_string(), "1.5 MB");
    assert_eq!(Length::from_mm(500).to_string(), "0.5 m");
    assert_eq!(Length::from_m(1_850).to_string(), "1850 m");
    assert_eq!(Power::from_milliwatts(3_500).to_string(), "3.5 W");
    assert_eq!(format!("{:>8}|{:<8}|", Length::from_m(3), Length::from_m(3)), "     3 m|3 m     |");
}

#[test]
fn a_refusal_says_what_would_do() {
    let cases = [
        (
            refusal::<Length>("12 parsecs"),
            "found \"12 parsecs\"; expected a length such as \"12.5 m\"",
        ),
        (
            refusal::<Length>("0.0000001 m"),
            "found \"0.0000001 m\"; expected a length in whole micrometres",
        ),
        (refusal::<Span>("1.5 ps"), "found \"1.5 ps\"; expected a time in whole picoseconds"),
        (
            refusal::<Span>("18446744.073709551616 s"),
            "found \"18446744.073709551616 s\"; expected a time of at most 18446744.073709551615 s",
        ),
        (
            refusal::<Money>("1.0000001 USD"),
            "found \"1.0000001 USD\"; expected an amount with at most 6 decimals",
        ),
        (refusal::<Dbm>("3 dB"), "found \"3 dB\"; expected an optical level such as \"-8.4 dBm\""),
        (
            Length::parse_metres("12.5 m").unwrap_err().to_string(),
            "found \"12.5 m\"; expected a number of metres such as \"12.5\", without a unit",
        ),
        (
            serde_json::from_str::<Length>("12.5").unwrap_err().to_string(),
            "invalid type: floating point `12.5`, expected a string with a length such as \"12.5 m\" at line 1 column \
                4",
        ),
    ];
    for (said, expected) in cases {
        assert_eq!(said, expected);
    }
}

#[test]
fn what_is_not_a_plain_decimal_with_its_unit_is_refused() {
    for number in
        ["", "NaN", "inf", "-1", "+1", "1e3", "1_000", "1,5", ".5", "5.", "1.2.3", "0x1", "1 000"]
    {
        assert!(Length::parse_metres(number).is_err(), "{number}");
        refusal::<Span>(&format!("{number} s"));
        refusal::<BitRate>(&format!("{number} Gbps"));
        refusal::<DataSize>(&format!("{number} MB"));
        refusal::<Length>(&format!("{number} m"));
        refusal::<Power>(&format!("{number} W"));
    }
    // The unit is part of the text and is case-sensitive.
    refusal::<Span>("5");
    refusal::<BitRate>("5 mbps");
    refusal::<BitRate>("5 GB/s");
    refusal::<DataSize>("5 Mb");
    refusal::<Length>("5 M");
    refusal::<Power>("5 w");
    for text in ["NaN dB", "inf dB", "1e3 dB", "--1 dB", "- 1 dB", "1 db", "1", "dB"] {
        refusal::<Db>(text);
    }
    refusal::<Db>(&format!("1{} dB", "0".repeat(309)));
}
