//! Outages as lines of text.

use super::{Estimate, OutageReport};

impl OutageReport {
    /// What the report says in sentences, without its tables.
    pub fn lines(&self) -> Vec<String> {
        let mirrors = &self.mirrors;
        let mut lines = vec![format!(
            "If {} relays have failed, all relays into one cassette are down with probability {:.2e} ({} sets).",
            mirrors.relays, mirrors.if_as_many_failed, mirrors.sets
        )];
        if let Some(at_a_time) = mirrors.at_a_time {
            lines.push(format!("At a time they are with probability {at_a_time:.2e}."));
        }
        let unknown: Vec<&str> = self
            .kinds
            .iter()
            .filter(|kind| kind.rate.is_none())
            .map(|kind| kind.kind.name())
            .collect();
        if !unknown.is_empty() {
            lines.push(format!(
                "Failure rates are unknown of: {}. What these parts take is not counted; give --rates.",
                unknown.join(", ")
            ));
        }
        let Some(known) = &self.known else {
            lines.push("Outages a year are unknown.".into());
            return lines;
        };
        let single = &known.single;
        lines.push(format!(
            "Single failures: {:.3} a year. They cut pairs of ToRs {:.1} times a year until new rules are in \
             force, and {:.1} times until they are repaired.",
            single.failures_per_year, single.before_recovery_per_year, single.after_recovery_per_year
        ));
        if let Some(hours) = known.recovering_pair_hours_per_year {
            lines.push(format!("Until new rules are in force: {hours:.3e} pair hours a year."));
        }
        let double = &known.double;
        let tried = match double.exhaustive {
            true => "all tried".to_owned(),
            false => format!("{} tried, drawn with a fixed seed", double.tried),
        };
        lines.push(format!(
            "Two failures at a time ({} pairs of parts, {tried}): {} more pair hours a year, {} more outages.",
            double.pairs,
            double.pair_hours_per_year.in_words(),
            double.outages_per_year.in_words()
        ));
        lines.push(format!(
            "A pair is out for {:.2e} of the time in the mean of {} pairs, or {:.3} minutes a year.",
            known.unavailability,
            known.pairs,
            known.unavailability * super::HOURS_A_YEAR * 60.0
        ));
        lines
    }
}

impl Estimate {
    fn in_words(&self) -> String {
        let Self { value, low, high } = self;
        if low == high {
            format!("{value:.3e}")
        } else {
            format!("{value:.3e} ({low:.1e} to {high:.1e})")
        }
    }
}
