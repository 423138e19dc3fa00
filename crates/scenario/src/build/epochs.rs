//! Groups of datagrams whose members change. In the twin each membership is a group of its own, with its own rules: a
//! message goes to those who are members when it is asked for.

use std::collections::BTreeSet;

use lightloom_request::InputError;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{Change, GroupId};
use lightloom_units::Instant;

use crate::build::casts::{Casts, Sender};
use crate::build::members::{GroupRows, Grouped};
use crate::said::limits::MOST_GROUPS;
use crate::said::{ChangeRow, Place, Row as _};
use crate::scenario::GroupTransport;

/// A membership of a group of datagrams.
#[derive(Debug, Clone, Copy)]
pub(super) struct Epoch {
    pub(super) group: GroupId,
    /// The membership before it; none of the first.
    pub(super) before: Option<GroupId>,
    /// When a host asks for it.
    pub(super) asked: Instant,
}

/// Gives each membership of a group of datagrams a group of its own, and its messages to it.
pub(super) fn split(
    rows: &mut GroupRows,
    casts: &mut Casts,
    network: &Network,
) -> Result<Vec<Epoch>, InputError> {
    rows.sort_changes();
    let mut epochs = Vec::new();
    for of in 0..rows.rows.len() {
        if rows.rows[of].transport != GroupTransport::Datagram {
            continue;
        }
        let first = &rows.rows[of];
        epochs.extend(ids(first).map(|group| Epoch { group, before: None, asked: first.start }));
        let changes = std::mem::take(&mut rows.rows[of].changes);
        if changes.is_empty() {
            continue;
        }
        let mut versions = vec![of];
        for at_once in changes.chunk_by(|a, b| a.at == b.at) {
            let last = versions[versions.len() - 1];
            let (from, next) =
                (rows.rows[last].first as usize, changed(rows, (of, last), at_once, network)?);
            epochs.extend(ids(&next).zip(ids(&rows.rows[last])).map(|(group, before)| Epoch {
                group,
                before: Some(before),
                asked: next.start,
            }));
            let names = rows.names[from..from + next.members.len()].to_vec();
            rows.names.extend(names);
            versions.push(rows.rows.len());
            rows.rows.push(next);
        }
        readdress(rows, casts, &versions, network)?;
    }
    Ok(epochs)
}

fn ids(row: &Grouped) -> impl Iterator<Item = GroupId> + use<> {
    let first = row.first;
    (first..).take(row.members.len()).map(GroupId)
}

/// The groups of a row after changes of one time. `of` is the row as it is said, `last` its membership before.
fn changed(
    rows: &GroupRows,
    (of, last): (usize, usize),
    changes: &[Change],
    network: &Network,
) -> Result<Grouped, InputError> {
    let at = changes[0].at;
    let number = rows.changes.iter().position(|&change| change == (of, at)).unwrap_or(0);
    let refuse = |field, message| Err(ChangeRow::place_of(number).refuse(field, message));
    let mut members = rows.rows[last].members.clone();
    for group in &mut members {
        for change in changes {
            let place = group.iter().position(|&member| member == change.host);
            let name = network.name(change.host);
            match (change.joins, place) {
                (true, None) => group.push(change.host),
                (false, Some(place)) => {
                    group.remove(place);
                }
                (true, Some(_)) => {
                    return refuse("joins", format!("found {name:?}, which is a member already"));
                }
                (false, None) => {
                    return refuse("leaves", format!("found {name:?}, which is no member then"));
                }
            }
        }
        if group.len() < 2 {
            let message = format!("leaves {} host; a group has at least two", group.len());
            return refuse("leaves", message);
        }
    }
    if (rows.names.len() + members.len()) as u64 > MOST_GROUPS {
        let message = format!(
            "is one change too many: a scenario has at most {MOST_GROUPS} groups, and each membership of a group of \
             datagrams counts as one"
        );
        return refuse("at", message);
    }
    let first = u32::try_from(rows.names.len()).unwrap_or(u32::MAX);
    Ok(Grouped { first, members, start: at, ..rows.rows[last].clone() })
}

/// Sends each message to those who are members when it is asked for. `versions` are the rows of the memberships.
fn readdress(
    rows: &GroupRows,
    casts: &mut Casts,
    versions: &[usize],
    network: &Network,
) -> Result<(), InputError> {
    let (of, first) = (versions[0], rows.rows[versions[0]].first);
    let groups = first..first + u32::try_from(rows.rows[of].members.len()).unwrap_or(u32::MAX);
    casts.senders.retain(|sender| sender.group != of);
    let mut sent = BTreeSet::new();
    for cast in 0..casts.casts.len() {
        let message = &casts.casts[cast];
        if !groups.contains(&message.to.0) {
            continue;
        }
        // The first holds from the begin of the run, whenever it is asked for.
        let later = versions[1..].iter().rev().copied();
        let mut begun = later.filter(|&version| rows.rows[version].start <= message.start);
        let version = begun.next().unwrap_or(of);
        let place = (message.to.0 - first) as usize;
        let id = GroupId(rows.rows[version].first + (message.to.0 - first));
        let (from, said) = (message.from, casts.place_of(cast));
        refuse_foreign(&rows.rows[version].members[place], from, said, network)?;
        casts.casts[cast].to = id;
        if sent.insert((id, from)) {
            casts.senders.push(Sender { said, group: version, place, id, from });
        }
    }
    Ok(())
}

/// Refuses a message from a host that is no member when it is asked for.
fn refuse_foreign(
    members: &[NodeId],
    from: NodeId,
    said: Place,
    network: &Network,
) -> Result<(), InputError> {
    if members.contains(&from) {
        return Ok(());
    }
    let message = format!(
        "found {:?}, which has left the group or has not joined it yet when the message starts; name a member",
        network.name(from)
    );
    Err(said.refuse("from", message))
}
