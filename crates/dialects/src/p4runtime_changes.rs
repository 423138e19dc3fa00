//! What leads a switch from some P4Runtime entries to others: requests, one after another.
//!
//! A switch may carry out the updates of one request in any order, and packets meet every state between. So an update
//! that must come first is in an earlier request. While the gate is open, the order is such that each packet is decided
//! as before the changes or as after them, and never in a third way:
//!
//! 1. entries go whose packets a drop below them takes, and no new entry, so that nothing is accepted twice;
//! 2. entries are inserted and modified, after what they use, and the higher of two that overlap first;
//! 3. entries go, before what they use, and the lower of two that overlap first.
//!
//! While the gate is closed no packet is decided, and old entries go first: so the tables never hold more than before
//! or after.

use std::collections::BTreeMap;

use crate::p4runtime_entry::{Entry, Key, Refused};
use crate::p4runtime_pipeline::Engine;
use crate::p4runtime_write::{Group, Update, fits, groups_fit, request};

/// Turn of multicast groups. Tables have turns of their own.
const GROUPS: u8 = 1;

/// What a switch holds.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub groups: Vec<Group>,
    pub entries: Vec<Entry>,
}

/// Place of a request among those of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// Removed first: the step among them.
    Early(usize),
    /// Inserted or modified: turn of the table, and step.
    Filled(u8, usize),
    /// Removed last: turn of the table, from the last one down, and step.
    Emptied(u8, usize),
}

/// The requests that lead from what a switch holds to what it shall hold, each under the head with its number. Empty if
/// nothing changes.
///
/// # Errors
/// [`Refused`] if the pipeline has no room, also for what it holds between.
pub(super) fn requests(
    head: &str,
    engine: &Engine,
    [before, after]: [&Held; 2],
    is_closed: bool,
) -> Result<Vec<String>, Refused> {
    groups_fit(engine, &after.groups)?;
    fits(&after.entries)?;
    let mut updates: BTreeMap<Place, Vec<String>> = BTreeMap::new();
    let mut update = |place, kind: Update, entity: String| {
        updates.entry(place).or_default().push(kind.text(&entity));
    };
    // What goes first while the gate is closed goes last while it is open.
    let emptied = |turn: u8, step| match is_closed {
        true => Place::Early(usize::from(u8::MAX - turn)),
        false => Place::Emptied(u8::MAX - turn, step),
    };
    let filled = |turn, step| Place::Filled(turn, if is_closed { 0 } else { step });

    let had: BTreeMap<u64, &Group> = before.groups.iter().map(|group| (group.id, group)).collect();
    let has: BTreeMap<u64, &Group> = after.groups.iter().map(|group| (group.id, group)).collect();
    for (id, group) in &has {
        match had.get(id) {
            None => update(filled(GROUPS, 0), Update::Insert, group.text()),
            Some(old) if old.replicas != group.replicas => {
                update(filled(GROUPS, 0), Update::Modify, group.text());
            }
            Some(_) => {}
        }
    }
    for (_, group) in had.iter().filter(|(id, _)| !has.contains_key(id)) {
        update(emptied(GROUPS, 0), Update::Delete, group.key_text());
    }

    let by_key = |held: &'_ Held| -> BTreeMap<Key, usize> {
        (0..).zip(&held.entries).map(|(at, entry)| (entry.key(), at)).collect()
    };
    let (had, has) = (by_key(before), by_key(after));
    let old = |key: &Key| had.get(key).map(|&at| &before.entries[at]);
    let mut fill: Vec<&Entry> = Vec::new();
    let mut gone: Vec<&Entry> = Vec::new();
    let mut kept: Vec<&Entry> = Vec::new();
    for (key, &at) in &has {
        let entry = &after.entries[at];
        let list = if old(key) == Some(entry) { &mut kept } else { &mut fill };
        list.push(entry);
    }
    gone.extend(
        had.iter().filter(|(key, _)| !has.contains_key(key)).map(|(_, &at)| &before.entries[at]),
    );
    fill.sort_by_key(|entry| std::cmp::Reverse(entry.priority));
    gone.sort_by_key(|entry| entry.priority);
    let new: Vec<&Entry> =
        fill.iter().copied().filter(|entry| !had.contains_key(&entry.key())).collect();
    let early = if is_closed { Vec::new() } else { early(&gone, &kept, &fill, &new) };
    let late: Vec<&Entry> =
        gone.into_iter().filter(|entry| !early.iter().any(|one| one == entry)).collect();
    for (entry, step) in steps(&early) {
        update(Place::Early(step), Update::Delete, entry.key_text());
    }
    for (entry, step) in steps(&fill) {
        let kind = if had.contains_key(&entry.key()) { Update::Modify } else { Update::Insert };
        update(filled(entry.turn, step), kind, entry.text());
    }
    for (entry, step) in steps(&late) {
        update(emptied(entry.turn, step), Update::Delete, entry.key_text());
    }

    if !is_closed {
        let gone = |entry: &&Entry| !early.contains(entry);
        let held = before.entries.iter().filter(gone).chain(new);
        fits(&held.cloned().collect::<Vec<Entry>>())?;
        let mut groups: BTreeMap<u64, &Group> = BTreeMap::new();
        groups.extend(before.groups.iter().chain(&after.groups).map(|group| (group.id, group)));
        groups_fit(engine, &groups.into_values().cloned().collect::<Vec<Group>>())?;
    }
    let most = updates.len();
    let requests = (1..).zip(updates.into_values()).map(|(number, updates): (usize, _)| {
        request(
            &format!("{head}# Request {number} of {most} of this switch in this phase.\n"),
            updates,
        )
    });
    Ok(requests.collect())
}

/// Those of the entries that go, by rising priority, whose packets an entry that stays drops at once. No new entry
/// takes over any of these packets: they would be lost until it comes.
fn early<'a>(
    gone: &[&'a Entry],
    kept: &[&Entry],
    fill: &[&Entry],
    new: &[&Entry],
) -> Vec<&'a Entry> {
    let mut early: Vec<&Entry> = Vec::new();
    let takes_over = |new: &Entry, entry: &Entry| {
        !new.stops && new.priority >= entry.priority && new.overlaps(entry)
    };
    for entry in gone.iter().filter(|entry| !entry.stops) {
        if new.iter().any(|new| takes_over(new, entry)) {
            continue;
        }
        let is_between = |drop: &Entry, other: &Entry| {
            (drop.priority..entry.priority).contains(&other.priority) && other != drop
        };
        let takes = |drop: &&&Entry| {
            let decides = |other: &&&Entry| is_between(drop, other) && other.overlaps(entry);
            let removed = |other: &&&Entry| other.stops || early.contains(*other);
            drop.stops
                && drop.priority < entry.priority
                && drop.covers(entry)
                && !kept.iter().chain(fill).any(|other| decides(&other))
                && gone.iter().filter(decides).all(|other| removed(&other))
        };
        if kept.iter().any(|drop| takes(&drop)) {
            early.push(entry);
        }
    }
    early
}

/// Each entry of a list with its step: one more than those of entries before it that it overlaps.
fn steps<'a>(entries: &[&'a Entry]) -> Vec<(&'a Entry, usize)> {
    let mut steps: Vec<(&Entry, usize)> = Vec::new();
    for &entry in entries {
        let earlier = steps.iter().filter(|(other, _)| other.overlaps(entry));
        let step = earlier.map(|(_, step)| step + 1).max().unwrap_or(0);
        steps.push((entry, step));
    }
    steps
}

#[cfg(test)]
mod tests;
