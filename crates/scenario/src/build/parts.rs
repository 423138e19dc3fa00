//! The parts of a collective operation: how often it runs, and in how many shares.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use lightloom_request::InputError;
use lightloom_schedules::{Graph, MessageId};
use lightloom_units::{DataSize, Span};

use crate::build::context::Context;
use crate::said::Place;

/// The graph of a part, and the messages after which each member is done with it.
pub(super) type Part = (Graph, Vec<Vec<MessageId>>);

/// How often an operation runs, and in how many shares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts {
    /// Number of times.
    pub(super) repeat: u32,
    /// Number of times that are under way at once.
    pub(super) depth: u32,
    /// Number of shares each time.
    pub(super) buckets: u32,
    /// Time that each member computes each time.
    pub(super) compute: Span,
    /// Size of the data each time.
    pub(super) size: DataSize,
}

impl Parts {
    /// Number of all shares of all times.
    pub(super) fn number(&self) -> f64 {
        f64::from(self.repeat) * f64::from(self.buckets)
    }

    /// Refuses more shares than bytes, and too many messages. There are `before` already, and a share has at most
    /// `most`.
    pub(super) fn check(
        &self,
        (place, context): (Place, &Context),
        (before, most): (usize, f64),
    ) -> Result<(), InputError> {
        let Self { repeat, depth, buckets, size, .. } = *self;
        if depth > repeat {
            let message = format!(
                "found {depth} at once, and the operation runs {repeat} times; repeat it at least as often"
            );
            return Err(place.refuse("depth", message));
        }
        if u64::from(buckets) > size.as_bytes().max(1) {
            let message = format!("found {buckets} parts of {size}; each has at least 1 B");
            return Err(place.refuse("buckets", message));
        }
        context.check_flows(place, "schedule", before, most * self.number())
    }

    /// The bytes of a share.
    pub(super) fn bytes(&self, bucket: u32) -> u64 {
        self.share(self.size.as_bytes(), bucket)
    }

    /// The time of the computation before a share.
    pub(super) fn takes(&self, bucket: u32) -> Span {
        Span::from_ps(self.share(self.compute.as_ps(), bucket))
    }

    /// The graphs of all shares, by their bytes. Shares differ by a byte, so there are two at most.
    pub(super) fn graphs(
        &self,
        make: impl Fn(u64) -> Result<Part, InputError>,
    ) -> Result<BTreeMap<u64, Part>, InputError> {
        let mut graphs = BTreeMap::new();
        for bucket in 0..self.buckets {
            let bytes = self.bytes(bucket);
            if let Entry::Vacant(none) = graphs.entry(bytes) {
                none.insert(make(bytes)?);
            }
        }
        Ok(graphs)
    }

    /// A share of a number, rounded so that all shares together are the number.
    fn share(&self, of: u64, bucket: u32) -> u64 {
        let until = |buckets: u32| {
            let share = u128::from(of) * u128::from(buckets) / u128::from(self.buckets);
            u64::try_from(share).unwrap_or(u64::MAX)
        };
        until(bucket + 1) - until(bucket)
    }
}
