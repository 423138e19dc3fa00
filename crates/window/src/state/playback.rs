//! A recorded run that is played: the time that is shown, and what is followed.

use std::sync::Arc;

use lightloom::twin::{Event, EventOf, MOST_SEEDS, RecordingReport, SimulateOptions};
use lightloom::units::{Instant, Span};

use crate::draw::twin_places::TwinPlaces;
use crate::twin::{Step, Twin, TwinView};

/// The most arrivals, and the most drops, that are recorded of a run.
const MOST_RECORDED: usize = 1_000_000;
/// Seconds that a whole recording takes at the first speed.
const WHOLE: u64 = 20;
/// Steps over a whole recording at the first length of a step.
const STEPS: u64 = 1_000;

/// How the last recording is looked at.
#[derive(Debug, Clone)]
pub struct Playback {
    /// The part of the panel that is shown.
    pub view: TwinView,
    /// Whether the next run is recorded.
    pub records: bool,
    /// Whether the next run holds answers of reliable groups against what their receivers had.
    pub checks: bool,
    /// Number of runs with consecutive seeds. 1: one run.
    pub seeds: u32,
    /// The time that is shown.
    pub at: Instant,
    /// Whether time goes on.
    pub plays: bool,
    /// Simulated time that is played in a second.
    pub speed: Span,
    /// Length of a step by time.
    pub step: Span,
    /// The events that steps go to.
    pub follow: EventOf,
    /// The packet whose history is shown.
    pub packet: Option<u32>,
    /// The history of that packet.
    pub history: Vec<Event>,
    /// Where the network is drawn.
    pub places: Arc<TwinPlaces>,
    /// The number of the run that this is about.
    run: u64,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            view: TwinView::default(),
            records: true,
            checks: false,
            seeds: 1,
            at: Instant::ZERO,
            plays: false,
            speed: Span::from_us(1),
            step: Span::from_us(1),
            follow: EventOf::All,
            packet: None,
            history: Vec::new(),
            places: Arc::default(),
            run: 0,
        }
    }
}

impl Playback {
    /// Starts anew where the run of this number is another one.
    pub fn follow_run(&mut self, run: u64, recording: Option<&RecordingReport>) {
        if self.run == run {
            return;
        }
        let Self { view, records, checks, seeds, .. } = *self;
        *self = Self { view, records, checks, seeds, run, ..Self::default() };
        let Some(recording) = recording else { return };
        self.places = Arc::new(TwinPlaces::new(&recording.network));
        let of = |parts: u64| Span::from_ps((recording.until_ps / parts).max(1));
        (self.speed, self.step) = (of(WHOLE), of(STEPS));
    }

    /// How the next run is made. Its texts are not among it.
    pub(super) fn options(&self) -> SimulateOptions {
        let seeds = (self.seeds > 1).then_some(self.seeds);
        // Packets are recorded of one run.
        let record = (self.records && seeds.is_none()).then_some(MOST_RECORDED);
        let check = self.checks;
        SimulateOptions { record, check, seeds, keep_files: true, ..SimulateOptions::default() }
    }

    /// Carries out a command about a recorded run.
    pub fn apply(&mut self, command: Twin, recording: Option<&RecordingReport>) {
        match command {
            Twin::Show(view) => self.view = view,
            Twin::Record(records) => self.records = records,
            Twin::Check(checks) => self.checks = checks,
            Twin::Seeds(seeds) => self.seeds = seeds.clamp(1, MOST_SEEDS),
            Twin::Speed(speed) => self.speed = speed,
            Twin::StepLength(step) => self.step = step.max(Span::from_ps(1)),
            Twin::Follow(follow) => self.follow = follow,
            Twin::Pause => self.plays = false,
            played => {
                if let Some(recording) = recording {
                    self.play(played, recording);
                }
            }
        }
    }

    fn play(&mut self, command: Twin, recording: &RecordingReport) {
        let until = Instant::from_ps(recording.until_ps);
        let now = self.at.as_ps();
        match command {
            Twin::Play => {
                // From the end it starts again.
                self.at = if self.at >= until { Instant::ZERO } else { self.at };
                self.plays = self.at < until;
            }
            Twin::Tick(passed) if self.plays => {
                let ps = u128::from(self.speed.as_ps()) * passed.as_nanos() / 1_000_000_000;
                let ps = u64::try_from(ps).unwrap_or(u64::MAX);
                self.at = Instant::from_ps(now.saturating_add(ps)).min(until);
                self.plays = self.at < until;
            }
            Twin::To(at) => self.stand_at(at, until),
            Twin::StepTime(step) => {
                let by = self.step.as_ps();
                let to = match step {
                    Step::Onward => now.saturating_add(by),
                    Step::Back => now.saturating_sub(by),
                };
                self.stand_at(Instant::from_ps(to), until);
            }
            Twin::StepEvent(Step::Onward) => self.go_until(self.follow, recording),
            Twin::StepEvent(Step::Back) => {
                let event = recording.before(now, self.follow);
                let to = event.map_or(0, |event| recording.time_of(event));
                self.stand_at(Instant::from_ps(to), until);
            }
            Twin::Until(of) => self.go_until(of, recording),
            Twin::Packet(packet) => {
                let count = recording.packets.len();
                let is_there = |packet: &u32| usize::try_from(*packet).is_ok_and(|at| at < count);
                self.packet = packet.filter(is_there);
                self.history =
                    self.packet.map_or_else(Vec::new, |packet| recording.history(packet));
            }
            _ => {}
        }
    }

    /// Goes to the next event of these. If there is none, to the end.
    fn go_until(&mut self, of: EventOf, recording: &RecordingReport) {
        let event = recording.next(self.at.as_ps(), of);
        let to = event.map_or(recording.until_ps, |event| recording.time_of(event));
        self.stand_at(Instant::from_ps(to), Instant::from_ps(recording.until_ps));
    }

    fn stand_at(&mut self, at: Instant, until: Instant) {
        self.plays = false;
        self.at = at.min(until);
    }
}
