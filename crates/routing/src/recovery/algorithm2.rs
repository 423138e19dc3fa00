//! Algorithm 2 of Shufflecast: recovery from one failed relay, line by line.

use lightloom_topology::TorId;
use lightloom_topology::family::Shufflecast;

use crate::recovery::rollout::Changes;

/// Changes that Algorithm 2 makes to installed tables for one failed relay (shufflecast:alg2:1). The failed relay
/// can no longer be a source (shufflecast:III-C1.sources), so the rest of its own entry is deleted, not moved.
pub fn algorithm2(shape: Shufflecast, sources_by_relay: &[Vec<TorId>], failed: TorId) -> Changes {
    let (p, k) = (shape.p(), shape.k());
    let top = p.pow(k - 1);
    let (column, row) = (shape.column(failed), shape.row(failed));
    // shufflecast:alg2:2-3: the next mirrored relay.
    let y = (shape.partition(failed) + 1) % p;
    let low = row % top;
    let mirror = shape.tor(column, y * top + low);
    // shufflecast:alg2:6-8: the ToR that feeds the mirror, and the mirror of that ToR.
    let before = (column + k - 1) % k;
    let shifted = (y * top + low) / p;
    let r0 = shape.digit(failed, 0);
    let precedent = shape.tor(before, r0 * top + shifted);
    let mirror_precedent = shape.tor(before, (r0 + 1) % p * top + shifted);
    let mut changes = Changes::default();
    // shufflecast:alg2:4-5
    for &source in &sources_by_relay[failed.index()] {
        changes.delete(failed, source);
        if source != failed {
            changes.add(mirror, source);
        }
    }
    // shufflecast:alg2:9-13: the sources for which the mirror gets its packets from the failed relay.
    let mut rotated = row;
    for i in 1..k {
        rotated = rotated / p + rotated % p * top;
        let source = shape.tor((column + k - i) % k, rotated);
        changes.delete(precedent, source);
        changes.add(mirror_precedent, source);
    }
    changes
}
