//! Assigns jobs to machines as evenly as their restrictions allow.
//!
//! This is the optimal semi-matching problem (Harvey, Ladner, Lovász and Tamir, J. Algorithms 59(1), 2006).
//! An assignment is most even, in its maximum and in every convex cost, iff no chain of moves leads from a
//! machine to one with at least two jobs fewer. Jobs with equal restrictions move together.

use std::collections::VecDeque;

/// Jobs that are allowed on the same machines.
#[derive(Debug)]
pub(crate) struct Class {
    machines: Vec<usize>,
    jobs: usize,
    /// Number of jobs on each of `machines`.
    on: Vec<usize>,
}

impl Class {
    pub(crate) fn new(machines: Vec<usize>, jobs: usize) -> Self {
        let on = vec![0; machines.len()];
        Self { machines, jobs, on }
    }

    /// The machines of the class, each with its number of jobs.
    pub(crate) fn dealt(&self) -> impl Iterator<Item = (usize, usize)> {
        self.machines.iter().copied().zip(self.on.iter().copied())
    }

    fn jobs_on(&mut self, machine: usize) -> Option<&mut usize> {
        let i = self.machines.iter().position(|&m| m == machine)?;
        Some(&mut self.on[i])
    }
}

/// Assigns all jobs of all classes to `machines` idle machines. No other assignment is more even.
pub(crate) fn level(machines: usize, classes: &mut [Class]) {
    level_from(vec![0; machines], classes);
}

/// Like [`level`], for machines that already carry a load.
pub(crate) fn level_from(mut load: Vec<usize>, classes: &mut [Class]) {
    // Starting point: most restricted classes first, each job to its least loaded machine.
    let mut order: Vec<usize> = (0..classes.len()).collect();
    order.sort_by_key(|&c| classes[c].machines.len());
    for c in order {
        let class = &mut classes[c];
        for _ in 0..class.jobs {
            let least = (0..class.machines.len()).min_by_key(|&i| load[class.machines[i]]);
            let Some(i) = least else { break };
            class.on[i] += 1;
            load[class.machines[i]] += 1;
        }
    }
    while let Some(chain) = improving_chain(&load, classes) {
        let (Some(first), Some(last)) = (chain.first(), chain.last()) else { break };
        let (from, to) = (first.from, last.to);
        let available = chain.iter().filter_map(|m| classes[m.class].jobs_on(m.from).map(|n| *n));
        let count = available.min().unwrap_or(0).min((load[from] - load[to]) / 2);
        for step in &chain {
            if let Some(n) = classes[step.class].jobs_on(step.from) {
                *n -= count;
            }
            if let Some(n) = classes[step.class].jobs_on(step.to) {
                *n += count;
            }
        }
        load[from] -= count;
        load[to] += count;
    }
}

/// A possible move of jobs of a class from one machine to another.
#[derive(Debug, Clone, Copy)]
struct Move {
    class: usize,
    from: usize,
    to: usize,
}

/// A chain of moves from a machine to one with at least two jobs fewer.
fn improving_chain(load: &[usize], classes: &[Class]) -> Option<Vec<Move>> {
    let mut starts: Vec<usize> = (0..load.len()).collect();
    starts.sort_by_key(|&m| (std::cmp::Reverse(load[m]), m));
    // A failed search from one start covers everything that less loaded starts would see.
    let mut arrived: Vec<Option<Move>> = vec![None; load.len()];
    let mut seen = vec![false; load.len()];
    for start in starts {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut queue = VecDeque::from([start]);
        while let Some(from) = queue.pop_front() {
            for (class, c) in classes.iter().enumerate() {
                if !c.dealt().any(|(machine, jobs)| machine == from && jobs > 0) {
                    continue;
                }
                for &to in &c.machines {
                    if std::mem::replace(&mut seen[to], true) {
                        continue;
                    }
                    arrived[to] = Some(Move { class, from, to });
                    if load[to] + 2 <= load[start] {
                        return Some(trace(&arrived, start, to));
                    }
                    queue.push_back(to);
                }
            }
        }
    }
    None
}

fn trace(arrived: &[Option<Move>], start: usize, end: usize) -> Vec<Move> {
    let mut chain = Vec::new();
    let mut at = end;
    while at != start {
        let Some(step) = arrived[at] else { break };
        chain.push(step);
        at = step.from;
    }
    chain.reverse();
    chain
}
