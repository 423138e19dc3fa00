//! Figures of a report. Each is looked up in an answer, and carries the place where it was found, so that a reader of
//! the report can check it.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde_json::Value;

/// Shown for a value that is not known.
const UNKNOWN: &str = "–";

/// Answers by name, as `--json` prints them.
pub(super) struct Answers(BTreeMap<&'static str, Value>);

/// How a figure is shown.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    /// A whole number with separators of thousands, or a text as it is.
    Plain,
    /// A number with this many decimals.
    Real(usize),
    /// An amount with its currency, to hundredths.
    Money,
}

impl Answers {
    pub fn new(answers: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        Self(answers.into_iter().collect())
    }

    /// The value at a place (RFC 6901). `None` if it is absent or null.
    pub fn value(&self, answer: &str, at: &str) -> Option<&Value> {
        self.0.get(answer)?.pointer(at).filter(|value| !value.is_null())
    }

    /// A figure.
    pub fn figure(&self, answer: &str, at: &str, form: Form) -> Markup {
        let text =
            self.value(answer, at).map_or_else(|| UNKNOWN.to_owned(), |value| shown(value, form));
        html! { span data-of=(answer) data-at=(at) { (text) } }
    }

    /// A whole number, or a text.
    pub fn plain(&self, answer: &str, at: &str) -> Markup {
        self.figure(answer, at, Form::Plain)
    }

    /// A number with decimals.
    pub fn real(&self, answer: &str, at: &str, decimals: usize) -> Markup {
        self.figure(answer, at, Form::Real(decimals))
    }

    /// An amount of money.
    pub fn money(&self, answer: &str, at: &str) -> Markup {
        self.figure(answer, at, Form::Money)
    }

    /// How much more one figure is than another, with its sign. Nothing if one of them is not known.
    pub fn more(&self, answer: &str, at: &str, than: &str, decimals: usize) -> Markup {
        let number = |at| self.value(answer, at).and_then(Value::as_f64);
        let Some((one, other)) = number(at).zip(number(than)) else { return Markup::default() };
        let text = signed(one - other, decimals);
        html! { span.more data-of=(answer) data-at=(at) data-minus=(than) { (text) } }
    }
}

fn shown(value: &Value, form: Form) -> String {
    match (value, form) {
        (Value::String(text), Form::Money) => money(text),
        (Value::String(text), _) => text.clone(),
        (Value::Bool(yes), _) => if *yes { "yes" } else { "no" }.to_owned(),
        (Value::Number(number), Form::Real(decimals)) => {
            number.as_f64().map_or_else(|| number.to_string(), |value| real(value, decimals))
        }
        (Value::Number(number), _) => grouped(&number.to_string()),
        (other, _) => other.to_string(),
    }
}

/// A number with decimals and separators of thousands.
pub(super) fn real(value: f64, decimals: usize) -> String {
    let text = grouped(&format!("{value:.decimals$}"));
    // No minus before a zero.
    let is_zero = text.starts_with('-') && !text.contains(|c: char| c.is_ascii_digit() && c != '0');
    if is_zero { text[1..].to_owned() } else { text }
}

fn signed(value: f64, decimals: usize) -> String {
    let text = real(value, decimals);
    if text.starts_with('-') || !text.contains(|c: char| c.is_ascii_digit() && c != '0') {
        text
    } else {
        format!("+{text}")
    }
}

/// An amount to hundredths: `1234.5 USD` is `1,234.50 USD`.
pub(super) fn money(text: &str) -> String {
    let Some((amount, currency)) = text.split_once(' ') else { return text.to_owned() };
    match amount.parse::<f64>() {
        Ok(amount) => format!("{} {currency}", real(amount, 2)),
        Err(_) => text.to_owned(),
    }
}

/// A decimal number with a comma after each thousand.
fn grouped(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, rest) = digits.find('.').map_or((digits, ""), |dot| digits.split_at(dot));
    let mut text = sign.to_owned();
    for (at, digit) in whole.char_indices() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_separators_and_signs() {
        assert_eq!(grouped("1024"), "1,024");
        assert_eq!(grouped("-123456.75"), "-123,456.75");
        assert_eq!(grouped("999"), "999");
        assert_eq!(real(-0.001, 2), "0.00");
        assert_eq!(signed(1200.0, 0), "+1,200");
        assert_eq!(signed(-1.5, 1), "-1.5");
        assert_eq!(money("1234.5 USD"), "1,234.50 USD");
    }
}
