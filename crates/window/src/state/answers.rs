//! What the door answers about the design. Each answer is asked when a visible panel needs it, and is computed on a
//! thread of its own.

use std::path::PathBuf;
use std::sync::Arc;

use lightloom::configs::{ConfigFiles, Dialect, Encoding, LintReport};
use lightloom::designs::{CompareReport, ExploreOptions, ExploreReport};
use lightloom::failures::{ImpactReport, Method, RecoverReport, SpreadReport};
use lightloom::light::{BudgetReport, Case, OverTrays, TraceReport};
use lightloom::plan::{FloorReport, InfoReport, StretchArrays};
use lightloom::twin::{RecordingReport, ScenarioReport, SimulateOptions, Simulated, Waits};
use lightloom::{Project, Texts, TorId};

use crate::command::{FabricLayout, Selection};
use crate::draw::fabric_places::FabricPlaces;
use crate::layers::Collapsed;
use crate::live::Live;
use crate::slot::{AnySlot, Slot, Wake};
use crate::state::file::DesignFile;
use crate::words;

/// Failures, and the method of the repair that goes around them.
pub type Around = (Vec<String>, Method);

/// A project, equal only to itself: the key of all answers about it.
#[derive(Clone)]
pub struct Of(pub Arc<Project>);

impl PartialEq for Of {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::fmt::Debug for Of {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Of(project)")
    }
}

/// The hall from above.
pub struct Floor {
    /// Racks, rows, rooms and ways.
    pub report: FloorReport,
    /// Stretches of trays with fibres.
    pub stretches: StretchArrays,
}

/// Broken parts, with the method of their repair and how far it is rolled out.
pub type Broken = (Vec<String>, Option<(Method, usize)>);

/// What is opened: a text at a path, and how often the files were read that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    pub(super) path: PathBuf,
    pub(super) text: Arc<str>,
    number: u64,
}

/// What a run is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOf {
    /// The number of the scenario.
    pub scenario: usize,
    /// The number of the run: the same texts can be run again.
    number: u64,
    /// The texts in memory.
    pub texts: RunTexts,
}

/// The texts in memory that a run reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunTexts {
    /// The scenario.
    pub scenario: (PathBuf, Arc<str>),
    /// The open design. `None`: the scenario names another one, or none.
    pub design: Option<OpenDesign>,
}

/// The open design, for a scenario that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDesign {
    /// The path by which the scenario names it.
    pub path: PathBuf,
    /// The text as it is edited. `None`: it is a plan, which is read from its folder.
    pub text: Option<Arc<str>>,
    /// How often its files were read before. Files that were read since may be others.
    pub(super) readings: u64,
}

impl RunOf {
    /// The name of the scenario's file.
    pub fn name(&self) -> String {
        let path = &self.texts.scenario.0;
        path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
    }
}

/// A run that was kept, with what it is of.
#[derive(Debug, Clone)]
pub struct KeptRun {
    /// What it is of.
    pub of: RunOf,
    /// The run.
    pub run: Arc<Simulated>,
}

impl RunTexts {
    pub(super) fn texts(&self) -> Texts {
        let design =
            self.design.as_ref().and_then(|design| Some((&design.path, design.text.as_ref()?)));
        let texts = std::iter::once((&self.scenario.0, &self.scenario.1)).chain(design);
        Texts::keeping(texts.map(|(path, text)| (path.clone(), text.to_string())).collect())
    }
}

/// All answers.
pub struct Answers {
    /// Wakes the window.
    pub wake: Wake,
    /// The project of the text.
    pub opened: Slot<Reading, Project>,
    /// How often the files of designs were read.
    pub readings: u64,
    /// Facts about the fabric.
    pub info: Slot<(Of, Option<Around>), InfoReport>,
    /// Where ToRs and cassettes are drawn.
    pub places: Slot<(Of, FabricLayout, Collapsed), FabricPlaces>,
    /// The copies of a packet of the selected source.
    pub spread: Slot<(Of, TorId, Broken), SpreadReport>,
    /// Who is cut off.
    pub impact: Slot<(Of, Vec<String>), ImpactReport>,
    /// The repair.
    pub recover: Slot<(Of, Vec<String>, Method), RecoverReport>,
    /// The hall from above.
    pub floor: Slot<Of, Floor>,
    /// The trays of the selected fibres.
    pub way: Slot<(Of, Selection), StretchArrays>,
    /// The light of every branch.
    pub light: Slot<(Of, Option<Case>), BudgetReport>,
    /// The way of the selected fibre's light.
    pub trace: Slot<(Of, Selection, Option<Case>), TraceReport>,
    /// All fibres, and what lies over each stretch of a tray.
    pub over: Slot<(Of, Option<Case>), OverTrays>,
    /// Power and cost, beside a packet core.
    pub compare: Slot<Of, CompareReport>,
    /// What would go wrong on the switches.
    pub lint: Slot<Of, LintReport>,
    /// The configurations of all switches.
    pub configs: Slot<(Of, Option<Dialect>, Option<Encoding>), ConfigFiles>,
    /// All designs for the ToRs.
    pub explored: Slot<(Of, ExploreOptions), ExploreReport>,
    /// The limits of the search that was asked for and has not begun.
    pub explores: Option<ExploreOptions>,
    /// The run of a scenario.
    pub run: Slot<RunOf, Simulated>,
    /// The run that is at work.
    pub live: Arc<Live>,
    /// The packets that wait in switches, in the recording of the run of this number.
    pub waits: Slot<u64, Waits>,
    /// What the scenario amounts to.
    pub checked: Slot<(RunTexts, u64), ScenarioReport>,
    runs: u64,
    /// A run that later ones are compared with, also those of other scenarios.
    pub kept: Option<KeptRun>,
}

/// All slots of some answers, without that of the run.
macro_rules! slots {
    ($answers:ident, $($borrowed:tt)+) => {
        [
            $($borrowed)+ $answers.opened as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.info as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.places as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.spread as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.impact as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.recover as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.floor as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.way as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.light as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.trace as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.over as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.compare as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.lint as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.configs as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.explored as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.checked as $($borrowed)+ dyn AnySlot,
            $($borrowed)+ $answers.waits as $($borrowed)+ dyn AnySlot,
        ]
    };
}

impl Answers {
    /// No answers yet.
    pub fn new(wake: Wake) -> Self {
        Self {
            wake,
            opened: Slot::default(),
            readings: 0,
            info: Slot::default(),
            places: Slot::default(),
            spread: Slot::default(),
            impact: Slot::default(),
            recover: Slot::default(),
            floor: Slot::default(),
            way: Slot::default(),
            light: Slot::default(),
            trace: Slot::default(),
            over: Slot::default(),
            compare: Slot::default(),
            lint: Slot::default(),
            configs: Slot::default(),
            explored: Slot::default(),
            explores: None,
            run: Slot::default(),
            live: Arc::default(),
            waits: Slot::default(),
            checked: Slot::default(),
            runs: 0,
            kept: None,
        }
    }

    /// Takes what has arrived. Returns what there is to tell.
    pub fn poll(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        slots!(self, &mut).into_iter().for_each(AnySlot::take);
        if self.run.poll() {
            told.push(match self.run.refused() {
                Some(error) => format!("the run ended: {}", words::text_of(error)),
                None => self.run.last().map_or_else(String::new, |run| match &**run {
                    Simulated::One(run) => format!("the run ended: {}", run.report.end.how.name()),
                    Simulated::Many(_) => "the runs ended".to_owned(),
                }),
            });
        }
        told
    }

    /// The copies of a packet of the selected source, over the fabric that is drawn.
    pub fn tree(&self, source: TorId) -> Option<&Arc<SpreadReport>> {
        let (of, drawn) = (&self.spread.last_key()?.0, &self.places.last_key()?.0);
        let is_refused = self.spread.refused().is_some();
        let is_of_it = |spread: &&Arc<SpreadReport>| of == drawn && spread.source == source;
        self.spread.last().filter(is_of_it).filter(|_| !is_refused)
    }

    /// The trays of the selected fibres, in the hall that is drawn.
    pub fn way_of(&self, selection: Selection) -> Option<&Arc<StretchArrays>> {
        let (of, wanted) = self.way.last_key()?;
        let drawn = self.floor.last_key()?;
        self.way.last().filter(|_| of == drawn && *wanted == selection)
    }

    /// Runs the scenario of this number as what is `live` now, also if it was run before.
    pub(super) fn run_again(&mut self, scenario: usize, texts: RunTexts, options: SimulateOptions) {
        self.runs += 1;
        let path = texts.scenario.0.clone();
        let options = SimulateOptions { texts: texts.texts(), ..options };
        let of = RunOf { scenario, number: self.runs, texts };
        let (live, wake) = (self.live.clone(), self.wake.clone());
        self.run.ask(of, &self.wake, move |watch| {
            live.run(watch, &wake, |watch| lightloom::twin::simulate(&path, &options, watch))
        });
    }

    /// Keeps the last run. Several runs are not kept: nothing compares them.
    pub(super) fn keep_run(&mut self) {
        if let (Some(of), Some(run)) = (self.run.last_key(), self.run.last())
            && matches!(**run, Simulated::One(_))
        {
            self.kept = Some(KeptRun { of: of.clone(), run: run.clone() });
        }
    }

    /// Forgets runs of other scenarios than that of this number.
    pub(super) fn follow_scenario(&mut self, number: Option<usize>) {
        if self.run.asked_key().is_some_and(|of| Some(of.scenario) != number) {
            self.run.clear();
            self.live.go_on();
        }
    }

    /// Checks a scenario.
    pub(super) fn check_scenario(&mut self, texts: RunTexts) {
        let key = (texts.clone(), self.readings);
        self.checked.ask(key, &self.wake, move |_| {
            lightloom::twin::read_scenario(&texts.scenario.0, &texts.texts())
        });
    }

    /// The key of what this text is opened to.
    pub(super) fn reading(&self, file: &DesignFile, text: &Arc<str>) -> Reading {
        Reading { path: file.shown(), text: text.clone(), number: self.readings }
    }

    /// The recording of the last run.
    pub fn recording(&self) -> Option<&RecordingReport> {
        recording_of(self.run.last()?)
    }

    /// Finds the packets of the last recording that wait in switches.
    pub(super) fn ask_waits(&mut self) {
        let Some(run) = self.run.last().cloned() else { return self.waits.clear() };
        self.waits.ask(self.run.number(), &self.wake, move |_| {
            Ok(recording_of(&run).map_or_else(Waits::default, Waits::of))
        });
    }

    /// The packets of the last recording that wait in switches. `None`: they are not found yet.
    pub fn waiting(&self) -> Option<&Arc<Waits>> {
        self.waits.answer(&self.run.number())
    }

    /// Shows a plan that was read back.
    pub(super) fn show_plan(&mut self, of: Reading, project: Project) {
        self.opened.ask(of, &self.wake, move |_| Ok(project));
    }

    /// Whether anything is at work.
    pub fn is_busy(&self) -> bool {
        self.run.how_far().is_some() || slots!(self, &).into_iter().any(AnySlot::is_at_work)
    }

    /// Stops all long work and waits for it.
    pub fn close(&mut self) {
        self.run.close();
        self.explored.close();
        self.light.close();
        self.trace.close();
        self.over.close();
    }
}

/// The recording of a run.
fn recording_of(run: &Simulated) -> Option<&RecordingReport> {
    match run {
        Simulated::One(run) => run.recording.as_ref(),
        Simulated::Many(_) => None,
    }
}
