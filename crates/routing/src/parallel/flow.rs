//! Unit-capacity flow from a set of roots to one cassette, over the free ToRs.

use lightloom_topology::{CassetteId, Fabric, TorId};

/// The cassette graph without some ToRs, and with a supply at some cassettes.
#[derive(Debug, Clone)]
pub(super) struct FlowGraph<'a> {
    fabric: &'a Fabric,
    free: Vec<bool>,
    supply: Vec<u32>,
    // State of the current flow. All entries are zero between calls.
    carries: Vec<bool>,
    drawn: Vec<u32>,
    touched: Vec<TorId>,
    drawn_at: Vec<CassetteId>,
    // State of the current search. A cassette was seen if its mark equals the current one.
    mark: Vec<u32>,
    current: u32,
    step: Vec<Step>,
    queue: Vec<CassetteId>,
}

/// How a search against the light reached a cassette.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// The cassette is the target.
    Target,
    /// This free ToR leads from here to a cassette nearer to the target.
    Forward(TorId),
    /// This carrying ToR leads from a nearer cassette to here. Using the step frees it.
    Cancel(TorId),
}

impl<'a> FlowGraph<'a> {
    /// All transmitting ToRs are free, except self-loops, which carry light nowhere. No supply.
    pub(super) fn new(fabric: &'a Fabric, transmits: impl Fn(TorId) -> bool) -> Self {
        let n = fabric.cassettes();
        let free = |t: TorId| transmits(t) && fabric.receives_from(t) != fabric.transmits_into(t);
        Self {
            fabric,
            free: fabric.tor_ids().map(free).collect(),
            supply: vec![0; n],
            carries: vec![false; fabric.tors()],
            drawn: vec![0; n],
            touched: Vec::new(),
            drawn_at: Vec::new(),
            mark: vec![0; n],
            current: 0,
            step: vec![Step::Target; n],
            queue: Vec::with_capacity(n),
        }
    }

    pub(super) fn is_free(&self, tor: TorId) -> bool {
        self.free[tor.index()]
    }

    pub(super) fn take(&mut self, tor: TorId) {
        self.free[tor.index()] = false;
    }

    pub(super) fn give_back(&mut self, tor: TorId) {
        self.free[tor.index()] = true;
    }

    pub(super) fn supply(&mut self, cassette: CassetteId) -> &mut u32 {
        &mut self.supply[cassette.index()]
    }

    /// The flow into `target`, at most `limit`.
    pub(super) fn flow(&mut self, target: CassetteId, limit: u32) -> u32 {
        self.run(target, limit).0
    }

    /// The flow into `target`, and the smallest set around it that this flow saturates. The supply inside the
    /// set plus the free ToRs that enter it equals the flow.
    pub(super) fn cut(&mut self, target: CassetteId) -> (u32, Vec<CassetteId>) {
        let (flow, mut around) = self.run(target, u32::MAX);
        around.sort_unstable();
        (flow, around)
    }

    fn run(&mut self, target: CassetteId, limit: u32) -> (u32, Vec<CassetteId>) {
        let mut flow = 0;
        let mut around = Vec::new();
        while flow < limit {
            if !self.augment(target) {
                around = self.queue.clone();
                break;
            }
            flow += 1;
        }
        for tor in self.touched.drain(..) {
            self.carries[tor.index()] = false;
        }
        for cassette in self.drawn_at.drain(..) {
            self.drawn[cassette.index()] = 0;
        }
        (flow, around)
    }

    /// Adds one unit from a supply to the target. Searches from the target against the light.
    fn augment(&mut self, target: CassetteId) -> bool {
        self.current = self.current.wrapping_add(1);
        if self.current == 0 {
            self.mark.fill(0);
            self.current = 1;
        }
        self.queue.clear();
        self.see(target, Step::Target);
        let mut next = 0;
        while let Some(&at) = self.queue.get(next) {
            next += 1;
            if self.drawn[at.index()] < self.supply[at.index()] {
                self.drawn[at.index()] += 1;
                self.drawn_at.push(at);
                self.push_unit(at);
                return true;
            }
            let fabric = self.fabric;
            for &tor in fabric.transmitters(at) {
                if self.free[tor.index()] && !self.carries[tor.index()] {
                    self.see(fabric.receives_from(tor), Step::Forward(tor));
                }
            }
            // Without a flow there is nothing to cancel.
            if !self.touched.is_empty() {
                for &tor in fabric.receivers(at) {
                    if self.carries[tor.index()] {
                        self.see(fabric.transmits_into(tor), Step::Cancel(tor));
                    }
                }
            }
        }
        false
    }

    fn see(&mut self, cassette: CassetteId, step: Step) {
        let mark = &mut self.mark[cassette.index()];
        if *mark != self.current {
            *mark = self.current;
            self.step[cassette.index()] = step;
            self.queue.push(cassette);
        }
    }

    fn push_unit(&mut self, from: CassetteId) {
        let mut at = from;
        loop {
            match self.step[at.index()] {
                Step::Target => return,
                Step::Forward(tor) => {
                    self.carries[tor.index()] = true;
                    self.touched.push(tor);
                    at = self.fabric.transmits_into(tor);
                }
                Step::Cancel(tor) => {
                    self.carries[tor.index()] = false;
                    at = self.fabric.receives_from(tor);
                }
            }
        }
    }
}
