//! What the builder refuses: what is said, and the field and message of the error.

mod groups;
mod network;
mod traffic;
mod troubles;

use lightloom_request::{Field, InputError};
use lightloom_scenario::build::ScenarioBuilder;
use lightloom_scenario::said::SECTIONS;
use lightloom_units::Instant;

use crate::given::{builder, leaves};

/// A refusal and what it must be.
pub(super) type Case = (Result<(), InputError>, &'static str);

/// Checks the texts of refusals, and that the field of each is declared.
pub(super) fn check(cases: impl IntoIterator<Item = Case>) {
    let mut wrong = Vec::new();
    for (said, expected) in cases {
        let error = said.expect_err(expected);
        if error.to_string() != expected {
            wrong.push(format!("found    {error}\nexpected {expected}"));
        }
        let Some(Field::At(at)) = error.field else { panic!("{expected}: it has no place") };
        let section = SECTIONS.iter().find(|section| section.name == at.section).unwrap();
        let is_field = section.fields.iter().any(|field| field.name == at.field);
        let is_section = SECTIONS.iter().any(|section| section.name == at.field);
        assert!(is_field || is_section, "{expected}: {} is no field", at.field);
        assert_eq!(section.is_list, at.number.is_some(), "{expected}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a builder on two leaves of four hosts answers.
pub(super) fn on(
    step: impl FnOnce(&mut ScenarioBuilder) -> Result<(), InputError>,
) -> Result<(), InputError> {
    step(&mut builder(1, &leaves(2)))
}

/// What it answers when it is built.
pub(super) fn building(
    step: impl FnOnce(&mut ScenarioBuilder) -> Result<(), InputError>,
) -> Result<(), InputError> {
    let mut builder = builder(1, &leaves(2));
    step(&mut builder)?;
    builder.build().map(drop)
}

pub(super) fn ms(number: u64) -> Instant {
    Instant::from_ps(1_000_000_000 * number)
}
