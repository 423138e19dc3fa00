//! Runs that several threads share.

use std::sync::atomic::{AtomicUsize, Ordering};

/// What `one` makes of the numbers below `count`, each with its number, in order. Up to `threads` are at work at a
/// time; a number whose turn has come is left out where `begins` says so.
pub fn shared<T: Send>(
    (count, threads): (usize, usize),
    begins: impl Fn(usize) -> bool + Sync,
    one: impl Fn(usize) -> T + Sync,
) -> Vec<(usize, T)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count || !begins(number) {
                return done;
            }
            done.push((number, one(number)));
        }
    };
    let threads = if cfg!(feature = "threads") { threads.min(count) } else { 1 };
    if threads <= 1 {
        return work();
    }
    let mut all = std::thread::scope(|scope| {
        let hands: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined = hands
            .into_iter()
            .map(|hand| hand.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.flatten().collect::<Vec<_>>()
    });
    all.sort_unstable_by_key(|(number, _)| *number);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_is_made_once_and_in_order() {
        for threads in [0, 1, 2, 7] {
            let squares = shared((20, threads), |_| true, |number| number * number);
            assert_eq!(
                squares,
                (0..20).map(|number| (number, number * number)).collect::<Vec<_>>()
            );
            assert_eq!(shared((0, threads), |_| true, |number| number), []);
            // After a stop nothing begins.
            let some = shared((20, threads), |number| number < 3, |number| number);
            assert_eq!(some, [(0, 0), (1, 1), (2, 2)]);
        }
    }
}
