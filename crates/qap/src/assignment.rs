//! Sparse flows between facilities, over a table of costs between locations.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::layout::Layout;

/// At a location where no facility is.
const NOBODY: u32 = u32::MAX;

/// Something that one facility sends to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    /// The sending facility.
    pub from: u32,
    /// The receiving facility. It may be the same one.
    pub to: u32,
    /// How often the cost counts.
    pub weight: u32,
}

/// Costs between locations, by the location that sends and the one that receives. Equal costs share an entry, so that
/// the table of pairs takes two bytes a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Costs {
    locations: usize,
    /// The entry of each pair, by sender.
    by_sender: Vec<u16>,
    /// The same by receiver. Empty: costs are the same in both directions.
    by_receiver: Vec<u16>,
    entries: Vec<i64>,
}

impl Costs {
    /// The costs of all pairs, by sender and then by receiver. `None`: there are more than 65,536 different costs, or
    /// the table does not have a cost for each pair of locations.
    pub fn new(locations: usize, costs: &[i64]) -> Option<Self> {
        let mut numbers: BTreeMap<i64, u16> = costs.iter().map(|&cost| (cost, 0)).collect();
        let mut entries = Vec::with_capacity(numbers.len());
        for (&cost, number) in &mut numbers {
            *number = u16::try_from(entries.len()).ok()?;
            entries.push(cost);
        }
        let by_sender: Vec<u16> = costs.iter().map(|cost| numbers[cost]).collect();
        Self::of_entries(locations, by_sender, entries)
    }

    /// The costs of all pairs as entries of a list, by sender and then by receiver. `None`: a
    /// pair of locations has no cost, or an entry is not in the list.
    pub fn of_entries(locations: usize, by_sender: Vec<u16>, entries: Vec<i64>) -> Option<Self> {
        let is_whole = by_sender.len() == locations * locations;
        if !is_whole || by_sender.iter().any(|&entry| usize::from(entry) >= entries.len()) {
            return None;
        }
        let at = |from: usize, to: usize| by_sender[from * locations + to];
        let same = (0..locations).all(|from| (0..from).all(|to| at(from, to) == at(to, from)));
        let by_receiver = if same {
            Vec::new()
        } else {
            (0..locations).flat_map(|to| (0..locations).map(move |from| at(from, to))).collect()
        };
        Some(Self { locations, by_sender, by_receiver, entries })
    }

    /// Number of locations.
    pub fn locations(&self) -> usize {
        self.locations
    }

    /// The cost of one flow between two locations.
    pub fn cost(&self, from: u32, to: u32) -> i64 {
        self.row(from).cost(to)
    }

    /// The costs of what a location sends.
    fn row(&self, from: u32) -> Row<'_> {
        Row { entries: &self.entries, pairs: self.part(&self.by_sender, from) }
    }

    /// The costs of what a location receives.
    fn column(&self, to: u32) -> Row<'_> {
        let pairs = if self.by_receiver.is_empty() { &self.by_sender } else { &self.by_receiver };
        Row { entries: &self.entries, pairs: self.part(pairs, to) }
    }

    fn part<'a>(&self, pairs: &'a [u16], of: u32) -> &'a [u16] {
        &pairs[of as usize * self.locations..][..self.locations]
    }
}

/// The costs between one location and all others.
#[derive(Clone, Copy)]
struct Row<'a> {
    entries: &'a [i64],
    pairs: &'a [u16],
}

impl Row<'_> {
    fn cost(self, other: u32) -> i64 {
        self.entries[usize::from(self.pairs[other as usize])]
    }
}

/// The flows of each facility: those that it sends, and those that it receives from others.
#[derive(Debug, Clone)]
struct Flows {
    sent: Lists,
    received: Lists,
}

/// For each facility, the other ends of its flows and their weights.
#[derive(Debug, Clone)]
struct Lists {
    starts: Vec<u32>,
    ends: Vec<(u32, u32)>,
}

impl Lists {
    fn new(facilities: usize, mut flows: Vec<(u32, u32, u32)>) -> Self {
        flows.sort_unstable();
        let mut starts = vec![0; facilities + 1];
        for &(of, _, _) in &flows {
            starts[of as usize + 1] += 1;
        }
        for at in 0..facilities {
            starts[at + 1] += starts[at];
        }
        Self { starts, ends: flows.into_iter().map(|(_, other, weight)| (other, weight)).collect() }
    }

    fn of(&self, facility: u32) -> &[(u32, u32)] {
        let at = facility as usize;
        &self.ends[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// A layout of sparse flows. A swap takes time for the flows of two facilities.
#[derive(Debug, Clone)]
pub struct Assignment {
    costs: Arc<Costs>,
    flows: Arc<Flows>,
    /// The cost of each location, if any facility is at it.
    taken: Arc<[i64]>,
    location_of: Vec<u32>,
    facility_at: Vec<u32>,
}

impl Assignment {
    /// A layout of flows between facilities, which are at these different locations. `taken` has the cost of each
    /// location, if any facility is at it.
    ///
    /// # Panics
    /// Panics if a flow has a facility that is nowhere, or if a location is not in the table.
    pub fn new(
        costs: Arc<Costs>,
        taken: Arc<[i64]>,
        flows: &[Flow],
        location_of: Vec<u32>,
    ) -> Self {
        let facilities = location_of.len();
        let sent = flows.iter().map(|flow| (flow.from, flow.to, flow.weight)).collect();
        let others = flows.iter().filter(|flow| flow.from != flow.to);
        let received = others.map(|flow| (flow.to, flow.from, flow.weight)).collect();
        let flows = Flows {
            sent: Lists::new(facilities, sent),
            received: Lists::new(facilities, received),
        };
        let mut facility_at = vec![NOBODY; costs.locations()];
        for (facility, &location) in (0..).zip(&location_of) {
            facility_at[location as usize] = facility;
        }
        Self { costs, flows: Arc::new(flows), taken, location_of, facility_at }
    }

    /// The location of each facility.
    pub fn locations(&self) -> &[u32] {
        &self.location_of
    }

    /// The change of the cost for what one facility sends and receives, if it goes `from` one location `to` the other
    /// and `other` goes the other way. What `other` sends to it is left out: it counts with the sender.
    fn moved(&self, facility: u32, (from, to): (u32, u32), other: u32) -> i64 {
        let after = |end: u32| match end {
            end if end == facility => to,
            end if end == other => from,
            end => self.location_of[end as usize],
        };
        let mut delta = 0;
        let (old, new) = (self.costs.row(from), self.costs.row(to));
        for &(end, weight) in self.flows.sent.of(facility) {
            let change = new.cost(after(end)) - old.cost(self.location_of[end as usize]);
            delta += i64::from(weight) * change;
        }
        let (old, new) = (self.costs.column(from), self.costs.column(to));
        for &(end, weight) in self.flows.received.of(facility) {
            if end == other {
                continue;
            }
            let change = new.cost(after(end)) - old.cost(self.location_of[end as usize]);
            delta += i64::from(weight) * change;
        }
        delta
    }
}

impl Layout for Assignment {
    fn cost(&self) -> i64 {
        let at = |facility: u32| self.location_of[facility as usize];
        let facilities = 0..u32::try_from(self.location_of.len()).unwrap_or(u32::MAX);
        let of = |facility: u32| -> i64 {
            let sent = self.flows.sent.of(facility).iter();
            let sent =
                sent.map(|&(to, weight)| i64::from(weight) * self.costs.cost(at(facility), at(to)));
            self.taken[at(facility) as usize] + sent.sum::<i64>()
        };
        facilities.map(of).sum()
    }

    fn delta(&mut self, one: u32, other: u32) -> i64 {
        let (a, b) = (self.facility_at[one as usize], self.facility_at[other as usize]);
        let step = self.taken[other as usize] - self.taken[one as usize];
        match (a, b) {
            (NOBODY, NOBODY) => 0,
            (a, NOBODY) => step + self.moved(a, (one, other), NOBODY),
            (NOBODY, b) => self.moved(b, (other, one), NOBODY) - step,
            (a, b) => self.moved(a, (one, other), b) + self.moved(b, (other, one), a),
        }
    }

    fn swap(&mut self, one: u32, other: u32) {
        self.facility_at.swap(one as usize, other as usize);
        for location in [one, other] {
            let facility = self.facility_at[location as usize];
            if facility != NOBODY {
                self.location_of[facility as usize] = location;
            }
        }
    }
}
