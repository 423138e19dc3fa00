//! What the RDMA forks of ns-3 do otherwise than the papers: each difference alone, and all of them together.

use lightloom_topology::electrical::NodeId;
use lightloom_twin::params::{Alpha, Clamp, Dcqcn, Marks, Notices, Params, Reserves, Stages};
use lightloom_twin::{Class, Ecn, Flow, Kind, Outcome, Setup, buffer_sizes};
use lightloom_units::{BitRate, DataSize, Span};

use crate::dcqcn::{PACKET, bottleneck, gentle, history};
use crate::given::*;

const LINE: f64 = 40e9;
const FRAME: u64 = MTU + HEADER;

/// A reaction point that runs every timer, whether or not anything comes of it.
struct Point {
    params: Dcqcn,
    alpha: f64,
    target: f64,
    current: f64,
    /// When α changes, the rate steps up, and notifications are looked for, in picoseconds.
    at: [u64; 3],
    is_first: bool,
    /// Whether a notification has come that α, and that the rate, has yet to follow.
    seen: [bool; 2],
    steps: [u32; 2],
    bytes: u64,
    /// When the rate was cut, and the target rate after it.
    cuts: Vec<(u64, f64)>,
    /// The target rate after each step up.
    ups: Vec<f64>,
}

impl Point {
    fn new(params: Dcqcn) -> Self {
        Self {
            params,
            alpha: 1.0,
            target: LINE,
            current: LINE,
            at: [u64::MAX; 3],
            is_first: true,
            seen: [false; 2],
            steps: [0; 2],
            bytes: 0,
            cuts: Vec::new(),
            ups: Vec::new(),
        }
    }

    fn advance(&mut self, now: u64) {
        let timers = [
            self.params.alpha_timer.as_ps(),
            self.params.increase_timer.as_ps(),
            self.params.cut_interval.as_ps(),
        ];
        loop {
            // Of those at the same time the first.
            let next = (0..3).min_by_key(|&timer| self.at[timer]).unwrap();
            let at = self.at[next];
            if at > now {
                return;
            }
            self.at[next] += timers[next];
            match next {
                0 => {
                    let seen = std::mem::take(&mut self.seen[0]);
                    let observed = if seen { self.params.g } else { 0.0 };
                    self.alpha = (1.0 - self.params.g) * self.alpha + observed;
                }
                1 => self.up(0),
                _ => {
                    if std::mem::take(&mut self.seen[1]) {
                        self.cut(at);
                    }
                }
            }
        }
    }

    fn up(&mut self, counter: usize) {
        let Dcqcn { fast_steps: f, stages, additive, hyper, .. } = self.params;
        self.steps[counter] += 1;
        let [a, b] = self.steps;
        let scale = self.params.at.map_or(1.0, |at| LINE / at.as_bps() as f64);
        let [add, jump] = [additive, hyper].map(|rate| rate.as_bps() as f64 * scale);
        self.target += match stages {
            Stages::Both if a.min(b) > f => f64::from(a.min(b) - f) * jump,
            Stages::Ahead if a.max(b) >= f + 2 => jump,
            _ if a.max(b) > f => add,
            _ => 0.0,
        };
        self.target = self.target.min(LINE);
        self.ups.push(self.target);
        self.current = f64::midpoint(self.target, self.current);
    }

    fn cut(&mut self, at: u64) {
        if self.params.clamp == Clamp::Always || self.steps != [0; 2] {
            self.target = self.current;
        }
        let least = self.params.least.as_bps() as f64;
        self.current = (self.current * (1.0 - self.alpha / 2.0)).max(least);
        self.at[1] = at + self.params.increase_timer.as_ps();
        (self.steps, self.bytes) = ([0; 2], 0);
        self.cuts.push((at, self.target));
    }

    fn notified(&mut self, now: u64) {
        self.advance(now);
        let looks = self.params.cut_interval.as_ps();
        if self.is_first {
            self.current *= self.params.first_share;
            (self.target, self.bytes) = (self.current, 0);
            self.at[0] = now + self.params.alpha_timer.as_ps();
            if looks > 0 {
                self.at[2] = now + looks;
            }
        }
        if looks == 0 {
            self.cut(now);
        }
        self.seen[1] = looks > 0;
        match self.params.alpha {
            Alpha::Notified => {
                self.alpha = self.alpha * (1.0 - self.params.g) + self.params.g;
                self.at[0] = now + self.params.alpha_timer.as_ps();
            }
            Alpha::Periodic => self.seen[0] = !self.is_first,
        }
        self.is_first = false;
    }

    /// The gap after a packet.
    fn sent(&mut self, now: u64) -> f64 {
        self.advance(now);
        self.bytes += PACKET as u64;
        let every = self.params.byte_counter.map_or(u64::MAX, DataSize::as_bytes);
        if !self.is_first && self.bytes >= every {
            self.bytes -= every;
            self.up(1);
        }
        PACKET * 8e12 / self.current
    }
}

/// Runs four flows into one link for a time in milliseconds; each reaction point, played again packet by packet.
fn played(params: &Params, until_ms: u64) -> (Vec<Point>, Outcome) {
    let dcqcn = params.dcqcn.unwrap();
    let outcome = bottleneck(*params, &[0; 4], until_ms);
    let points = (0..4).map(|host| {
        let mut point = Point::new(dcqcn);
        let mut next: Option<f64> = None;
        for (at, told) in history(&outcome, host, 5) {
            if told {
                point.notified(at);
                continue;
            }
            if let Some(next) = next {
                assert!((at as f64 - next).abs() <= 3.0, "sent at {at} and not {next}: {dcqcn:?}");
            }
            next = Some(at as f64 + point.sent(at));
        }
        assert!(point.cuts.len() > 1, "{dcqcn:?}");
        point
    });
    (points.collect(), outcome)
}

/// DCQCN as in those simulators, at the rates of the test.
fn forked(change: impl FnOnce(&mut Dcqcn)) -> Params {
    let mut params = gentle();
    params.switch.ecn.as_mut().unwrap().when = Marks::Leaving;
    let mut dcqcn = Dcqcn { increase_timer: Span::from_us(60), ..rdma_ns3() };
    change(&mut dcqcn);
    params.dcqcn = Some(dcqcn);
    params
}

/// Every packet goes out at the picosecond that its rate allows, whatever the rules.
#[test]
fn reaction_points_follow_each_of_the_rules() {
    for rules in 0..64 {
        let is = |bit: u32| rules >> bit & 1 == 1;
        let params = forked(|dcqcn| {
            if is(0) {
                dcqcn.alpha = Alpha::Notified;
            }
            if is(1) {
                dcqcn.cut_interval = Span::ZERO;
            }
            if is(2) {
                dcqcn.clamp = Clamp::Always;
            }
            if is(3) {
                dcqcn.byte_counter = Some(DataSize::from_bytes(300_000));
            }
            if is(4) {
                dcqcn.stages = Stages::Both;
            }
            if is(5) {
                (dcqcn.first_share, dcqcn.notices) = (0.6, Notices::Packets);
                dcqcn.cnp_interval = Span::from_us(7);
            }
        });
        played(&params, 2);
    }
}

/// A second cut in a row leaves the target rate where it was, or lowers it.
#[test]
fn the_target_rate_is_clamped_or_not() {
    let fall = |clamp| {
        let params = forked(|dcqcn| {
            dcqcn.clamp = clamp;
            dcqcn.increase_timer = Span::from_s(1);
        });
        played(&params, 1).0.iter().map(|point| point.cuts.last().unwrap().1).fold(LINE, f64::min)
    };
    // Nothing has ever stepped up, so the target rate is still that of the line.
    assert!((fall(Clamp::AfterIncrease) - LINE).abs() < 1.0);
    assert!(fall(Clamp::Always) < LINE / 2.0);
}

/// Cuts are whole intervals apart, and the first is one after the first notification.
#[test]
fn cuts_keep_their_interval() {
    for us in [4, 50, 170] {
        let every = Span::from_us(us).as_ps();
        let params = forked(|dcqcn| dcqcn.cut_interval = Span::from_us(us));
        let (points, outcome) = played(&params, 3);
        for (host, point) in points.iter().enumerate() {
            let first = history(&outcome, host, 5).iter().find(|event| event.1).unwrap().0;
            for (at, _) in &point.cuts {
                assert!((at - first) % every == 0 && *at > first, "{at} after {first}");
            }
            assert_eq!(point.cuts[0].0, first + every);
        }
    }
}

/// α that is 1 stays 1 while every interval has a notification: each cut halves the rate.
#[test]
fn alpha_follows_intervals_and_not_notifications() {
    let told = [1_000_000, 1_300_000, 1_900_000, 2_500_000, 3_700_000, 4_100_000];
    let mut point = Point::new(rdma_ns3());
    told.iter().for_each(|&at| point.notified(at));
    point.advance(5_000_000);
    // Looked at at 2, 3, 4 and 5 us: one came in each.
    assert!((point.alpha - 1.0).abs() < 1e-12);
    assert_eq!((point.cuts.len(), point.current), (1, LINE / 2.0));
    point.advance(9_000_000);
    // The notification at 4.1 us was told of at 5 us, so that four decays are left.
    let alpha = (255.0_f64 / 256.0).powi(4);
    assert!((point.alpha - alpha).abs() < 1e-12, "{}", point.alpha);
}

/// Without a byte counter and with one counter deciding, the target rate grows by the additive step once and by the
/// hyper step from then on, both in proportion to the line rate; with two deciding it never grows by the hyper step.
#[test]
fn hyper_increase_needs_no_byte_counter() {
    for (stages, expected) in
        [(Stages::Ahead, [0.0, 8e6, 80e6, 80e6]), (Stages::Both, [0.0, 8e6, 8e6, 8e6])]
    {
        let params = forked(|dcqcn| dcqcn.stages = stages);
        let (points, _) = played(&params, 8);
        let grown = points.iter().flat_map(|point| point.ups.windows(4));
        let grown = grown.filter(|ups| ups[3] < LINE);
        let steps = grown.map(|ups| [ups[1] - ups[0], ups[2] - ups[1], ups[3] - ups[2]]);
        let like = |steps: [f64; 3], expected: &[f64]| {
            steps.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1.0)
        };
        let mut steps: Vec<[f64; 3]> = steps.collect();
        steps.retain(|steps| steps.iter().all(|step| *step >= 0.0));
        assert!(steps.iter().any(|&steps| like(steps, &expected[1..])), "{stages:?}: {steps:?}");
        let has_hyper = steps.iter().flatten().any(|step| (step - 80e6).abs() < 1.0);
        assert_eq!(has_hyper, stages == Stages::Ahead);
    }
}

/// Notifications on answers: no packet beyond one answer for each packet, as many marks back as there.
#[test]
fn answers_carry_marks() {
    let (_, outcome) = played(&forked(|_| {}), 2);
    let of = |kind| outcome.trace.iter().filter(move |hop| hop.packet.kind == kind);
    assert_eq!(of(Kind::Cnp).count(), 0);
    let marked_at = |host: usize, kind| {
        arrivals(&outcome, host, kind).filter(|hop| hop.packet.ecn == Ecn::Marked).count()
    };
    let (there, back) =
        (marked_at(4, Kind::Data), (0..4).map(|host| marked_at(host, Kind::Ack)).sum::<usize>());
    assert!(there > 100 && back <= there && back + 50 > there, "{there} and {back}");
    assert_eq!(outcome.notifications, there as u64);
}

/// One host at 100 Gb/s sends a burst to one at 25 Gb/s, over a switch that marks every packet above a queue.
fn burst(packets: u64, above: u64, when: Marks) -> Vec<bool> {
    let slow = BitRate::from_gbps(25);
    let network = wired(2, 1, &[(0, 2, G100, US), (1, 2, slow, US)]);
    let mut params = with_dcqcn();
    params.dcqcn = None;
    let ecn = params.switch.ecn.as_mut().unwrap();
    let k = DataSize::from_bytes(above);
    (ecn.at, ecn.kmin, ecn.kmax, ecn.when) = (slow, k, k, when);
    let setup = simulation(&network, params, vec![flow(0, 1, packets * MTU)]);
    let outcome = run(&Setup { traced: true, ..setup });
    arrivals(&outcome, 1, Kind::Data).map(|hop| hop.packet.ecn == Ecn::Marked).collect()
}

/// A packet leaves when four times as many have come, all of the burst at the end. Before packet i leaves 4 i or
/// 4 i + 1 have come, and i + 1 of these are gone with it.
#[test]
fn marks_at_departure_are_by_what_is_behind() {
    let packets = 60;
    for j in [2, 5, 9] {
        let above = (3 * j + 1) * FRAME + FRAME / 2;
        let marks = burst(packets, above, Marks::Leaving);
        let expected = (0..packets).map(|i| {
            let behind = (3 * i).min(packets - 1 - i);
            behind * FRAME > above
        });
        assert_eq!(marks, expected.collect::<Vec<_>>(), "{j}");
        // By what is before them the last would be the first to be marked.
        let joining = burst(packets, above, Marks::Joining);
        assert!(joining[59] && !marks[59]);
    }
}

/// A packet that finds its way out free is never marked, nor is one with nothing behind it.
#[test]
fn packets_that_do_not_wait_are_not_marked() {
    let marks = burst(40, 0, Marks::Leaving);
    assert!(!marks[0] && !marks[39] && marks[1..39].iter().all(|&marked| marked));
}

/// How often switches have stopped their senders.
fn pauses(outcome: &Outcome) -> u64 {
    outcome.links.iter().map(|link| link.pauses).sum()
}

/// Headroom and minimum within the buffer are the same as beside one that is smaller by them, to packets that may
/// use neither.
#[test]
fn reserves_are_within_or_beside() {
    let network = star(9);
    let flows = || {
        (0..8)
            .map(|host| Flow { class: Class::LOSSY, ..flow(host, 8, 200 * MTU) })
            .collect::<Vec<_>>()
    };
    let mut within = params();
    within.switch.buffer_per_port = DataSize::ZERO;
    within.switch.buffer = DataSize::from_bytes(900_000);
    within.switch.reserves = Reserves::Within;
    within.switch.headroom_per_port = DataSize::from_bytes(20_000);
    within.switch.headroom_delays = 3.0;
    within.switch.minimum_per_port = DataSize::from_bytes(4_096);
    // 12,500 bytes in 1 us.
    assert_eq!(within.switch.headroom(G100, US), DataSize::from_bytes(57_500));
    let reserved = 9 * (57_500 + 4_096);
    let sizes = buffer_sizes(&network, &within.switch, NodeId(9), 9);
    assert_eq!(sizes.shared, DataSize::from_bytes(900_000 - reserved));
    assert_eq!(
        (sizes.reserved, sizes.all),
        (DataSize::from_bytes(reserved), DataSize::from_bytes(900_000))
    );
    let mut beside = within;
    beside.switch.reserves = Reserves::Beside;
    beside.switch.buffer = sizes.shared;
    let of = |params| run(&Setup { traced: true, ..simulation(&network, params, flows()) });
    let (within, beside) = (of(within), of(beside));
    assert!(within.trace == beside.trace && !within.drops.is_empty());
}

/// A port stops its sender only for what is beyond its minimum: a burst that fits needs nothing of a buffer of which
/// others take all.
#[test]
fn a_minimum_is_a_ports_own() {
    let slow = BitRate::from_gbps(25);
    let network = wired(2, 1, &[(0, 2, G100, US), (1, 2, slow, US)]);
    let stops = |minimum: u64| {
        let mut params = params();
        params.switch.buffer_per_port = DataSize::ZERO;
        params.switch.minimum_per_port = DataSize::from_bytes(minimum);
        let setup = simulation(&network, params, vec![flow(0, 1, 20 * MTU)]);
        pauses(&lossless(&setup))
    };
    // Of 20 packets at most 15 wait.
    assert_eq!(stops(15 * FRAME), 0);
    assert!(stops(14 * FRAME) > 0);
}
