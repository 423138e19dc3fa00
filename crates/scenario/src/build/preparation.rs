//! `[setup]`: when groups of datagrams are set up (shufflecast:III-B2.request, shufflecast:VI-B.update).
//!
//! A host asks the controller. The controller finds the rules and tells all switches in parallel. Each switch installs
//! `at_once` rules at a time, and acknowledges. Then the host hears that its group is there.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{GroupId, Rule};
use lightloom_units::{Instant, Span};

use crate::build::epochs::Epoch;
use crate::said::{Row as _, SetupRow};

/// What a set-up takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Preparation {
    rule: Span,
    at_once: u32,
    computation: Span,
    to_host: Span,
    to_switch: Span,
}

/// The rules of a group, by switch and sender.
type Rules<'a> = BTreeMap<(NodeId, Option<NodeId>), &'a Rule>;

impl Preparation {
    pub(super) fn new(row: &SetupRow) -> Result<Self, InputError> {
        row.check(SetupRow::place())?;
        let none = Span::ZERO;
        Ok(Self {
            rule: row.rule.unwrap_or(Span::from_us(600)),
            at_once: row.at_once.unwrap_or(1).max(1),
            computation: row.computation.unwrap_or(none),
            to_host: row.to_host.unwrap_or(none),
            to_switch: row.to_switch.unwrap_or(none),
        })
    }

    /// From when each membership may be sent to. One that follows another opens no earlier.
    pub(super) fn opens(&self, epochs: &[Epoch], rules: &[Rule]) -> BTreeMap<GroupId, Instant> {
        let mut by_group: BTreeMap<GroupId, Rules<'_>> = BTreeMap::new();
        for rule in rules {
            by_group.entry(rule.group).or_default().insert((rule.at, rule.source), rule);
        }
        let none = Rules::new();
        let rules =
            |group: Option<GroupId>| group.and_then(|group| by_group.get(&group)).unwrap_or(&none);
        let mut opens: BTreeMap<GroupId, Instant> = BTreeMap::new();
        for epoch in epochs {
            let most = most_changes(rules(epoch.before), rules(Some(epoch.group)));
            let ready = epoch.asked + self.takes(most);
            let before = epoch.before.and_then(|before| opens.get(&before).copied());
            opens.insert(epoch.group, before.map_or(ready, |before| ready.max(before)));
        }
        opens
    }

    /// The time of a set-up. `most` is the number of rules that change at the busiest switch.
    fn takes(&self, most: u64) -> Span {
        let rounds = most.div_ceil(self.at_once.into());
        let installs = Span::from_ps(self.rule.as_ps().saturating_mul(rounds));
        let asks = self.to_host + self.computation + self.to_host;
        if most == 0 { asks } else { asks + self.to_switch + installs + self.to_switch }
    }
}

/// The most rules that change at one switch.
fn most_changes(before: &Rules<'_>, after: &Rules<'_>) -> u64 {
    let is_same = |a: &Rule, b: &Rule| a.accept == b.accept && a.ways == b.ways;
    let differs = |key: &(NodeId, Option<NodeId>)| match (before.get(key), after.get(key)) {
        (Some(a), Some(b)) => !is_same(a, b),
        (None, None) => false,
        _ => true,
    };
    let mut by_switch: BTreeMap<NodeId, u64> = BTreeMap::new();
    let gone = before.keys().filter(|key| !after.contains_key(key));
    for key in after.keys().chain(gone).filter(|key| differs(key)) {
        *by_switch.entry(key.0).or_default() += 1;
    }
    by_switch.into_values().max().unwrap_or(0)
}
