//! What the door answers about the design. Each answer is asked when a visible panel needs it, and is computed on a
//! thread of its own.

use std::path::PathBuf;
use std::sync::Arc;

use lightloom::{
    BudgetOptions, BudgetReport, Case, CompareReport, ConfigFiles, ConfigsOptions, Dialect,
    Encoding, Error, ExploreOptions, ExploreReport, FailureSet, Fibre, FloorReport, ImpactReport,
    InfoReport, Installed, LintReport, Method, Objective, Project, RecoverReport, Request,
    SimulateOptions, Simulated, SpreadReport, StretchArrays, Texts, TorId,
};

use crate::command::{Export, FabricLayout, Selection};
use crate::draw::fabric_places::FabricPlaces;
use crate::panel::Panel;
use crate::slot::{HowFar, Slot, Wake};
use crate::state::file::DesignFile;
use crate::state::looks::Looks;
use crate::state::work::Work;

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

/// Broken parts, with how far their repair is rolled out.
pub type Broken = (Vec<String>, Option<usize>);

/// All answers.
pub struct Answers {
    wake: Wake,
    /// The project of the text.
    pub opened: Slot<(PathBuf, Arc<str>), Project>,
    /// Facts about the fabric.
    pub info: Slot<Of, InfoReport>,
    /// Where ToRs and cassettes are drawn.
    pub places: Slot<(Of, FabricLayout), FabricPlaces>,
    /// The copies of a packet of the selected source.
    pub spread: Slot<(Of, TorId, Broken), SpreadReport>,
    /// Who is cut off.
    pub impact: Slot<(Of, Vec<String>), ImpactReport>,
    /// The repair.
    pub recover: Slot<(Of, Vec<String>), RecoverReport>,
    /// The hall from above.
    pub floor: Slot<Of, Floor>,
    /// The trays of the selected fibres.
    pub way: Slot<(Of, Selection), StretchArrays>,
    /// The light of every branch.
    pub light: Slot<(Of, Option<Case>), BudgetReport>,
    /// Power and cost, beside a packet core.
    pub compare: Slot<Of, CompareReport>,
    /// What would go wrong on the switches.
    pub lint: Slot<Of, LintReport>,
    /// The configurations of all switches.
    pub configs: Slot<(Of, Option<Dialect>, Option<Encoding>), ConfigFiles>,
    /// All designs for the ToRs.
    pub explored: Slot<Of, ExploreReport>,
    /// Whether the designs were asked for.
    pub explores: bool,
    /// The scenario of the twin.
    pub scenario: Option<PathBuf>,
    /// The run of the scenario, by its number.
    pub run: Slot<(PathBuf, u64), Simulated>,
    runs: u64,
    /// A run that later ones are compared with.
    pub kept: Option<Arc<Simulated>>,
    /// What is being written.
    pub written: Slot<u64, String>,
    exports: u64,
}

impl Answers {
    /// No answers yet.
    pub fn new(wake: Wake) -> Self {
        Self {
            wake,
            opened: Slot::default(),
            info: Slot::default(),
            places: Slot::default(),
            spread: Slot::default(),
            impact: Slot::default(),
            recover: Slot::default(),
            floor: Slot::default(),
            way: Slot::default(),
            light: Slot::default(),
            compare: Slot::default(),
            lint: Slot::default(),
            configs: Slot::default(),
            explored: Slot::default(),
            explores: false,
            scenario: None,
            run: Slot::default(),
            runs: 0,
            kept: None,
            written: Slot::default(),
            exports: 0,
        }
    }

    /// Takes what has arrived. Returns what there is to tell.
    pub fn poll(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        self.opened.poll();
        self.info.poll();
        self.places.poll();
        self.spread.poll();
        self.impact.poll();
        self.recover.poll();
        self.floor.poll();
        self.way.poll();
        self.light.poll();
        self.compare.poll();
        self.lint.poll();
        self.configs.poll();
        self.explored.poll();
        if self.run.poll() {
            told.push(match self.run.refused() {
                Some(error) => format!("the run ended: {error}"),
                None => "the run is done".to_owned(),
            });
        }
        if self.written.poll() {
            told.push(match (self.written.refused(), self.written.last()) {
                (Some(error), _) => format!("export: {error}"),
                (None, Some(what)) => what.to_string(),
                (None, None) => return told,
            });
        }
        told
    }

    /// Asks what the visible panels need.
    pub fn ask(
        &mut self,
        work: &Work,
        file: &DesignFile,
        selection: Selection,
        looks: &Looks,
        visible: &[Panel],
    ) {
        let wake = self.wake.clone();
        if !file.is_plan() {
            let key = (file.shown(), work.text.clone());
            let (path, text) = key.clone();
            self.opened.ask(key, &wake, move |_| Ok(lightloom::open(&request(path, &text))?));
        }
        let Some(project) = self.opened.last().cloned() else { return };
        let of = Of(project.clone());
        for panel in visible {
            match panel {
                Panel::Design | Panel::Text | Panel::Log => {}
                Panel::Fabric => self.ask_fabric(&of, work, selection, looks),
                Panel::Failures => self.ask_failures(&of, work),
                Panel::Hall => self.ask_hall(&of, selection),
                Panel::Light => {
                    let (project, case) = (project.clone(), looks.case);
                    self.light.ask((of.clone(), case), &wake, move |watch| {
                        project.budget(&BudgetOptions { case, threads: None }, watch)
                    });
                }
                Panel::Money => {
                    let project = project.clone();
                    self.compare.ask(of.clone(), &wake, move |_| project.compare(None));
                }
                Panel::Problems => {
                    let project = project.clone();
                    self.lint.ask(of.clone(), &wake, move |_| {
                        lightloom::lint(&project, &ConfigsOptions::default())
                    });
                }
                Panel::Rules => {
                    let (dialect, encoding) = looks.dialect;
                    let project = project.clone();
                    self.configs.ask((of.clone(), dialect, encoding), &wake, move |_| {
                        let options = ConfigsOptions { dialect, encoding, ..Default::default() };
                        lightloom::config_files(&project, &options).map(|(_, files)| files)
                    });
                }
                Panel::Explore => self.ask_explore(&of),
                Panel::Twin => {}
            }
        }
        self.ask_info(&of);
    }

    fn ask_info(&mut self, of: &Of) {
        let project = of.0.clone();
        self.info.ask(of.clone(), &self.wake, move |watch| project.info(watch));
    }

    fn ask_fabric(&mut self, of: &Of, work: &Work, selection: Selection, looks: &Looks) {
        let wake = self.wake.clone();
        let (project, layout) = (of.0.clone(), looks.fabric.layout);
        self.places
            .ask((of.clone(), layout), &wake, move |_| Ok(FabricPlaces::new(&project, layout)));
        let tors = of.0.fabric().tors();
        let Some(source) = selection.source().filter(|tor| tor.index() < tors) else { return };
        let repair = work.repair.map(|phases| (self.recover.last().cloned(), phases));
        let repair = match repair {
            // The repair is still at work, so its phases are unknown.
            Some((None, _)) => return,
            Some((Some(repair), phases)) if repair.failed == work.broken => Some((repair, phases)),
            _ => None,
        };
        let key = (of.clone(), source, (work.broken.clone(), repair.as_ref().map(|(_, n)| *n)));
        let (project, broken) = (of.0.clone(), work.broken.clone());
        self.spread.ask(key, &wake, move |_| {
            let failed = failures(&project, &broken)?;
            let installed =
                repair.as_ref().map(|(repair, phases)| Installed { repair, phases: *phases });
            project.spread(source, &failed, installed)
        });
    }

    fn ask_hall(&mut self, of: &Of, selection: Selection) {
        let project = of.0.clone();
        self.floor.ask(of.clone(), &self.wake, move |_| {
            let stretches = project.tray_stretches(None)?;
            Ok(Floor { report: project.floor(), stretches })
        });
        let tors = of.0.fabric().tors();
        let fibres: Vec<Fibre> = match selection {
            Selection::Tor(tor) if tor.index() < tors => {
                let fabric = of.0.fabric();
                let receivers = fabric.receivers(fabric.transmits_into(tor));
                let branches = receivers.iter().map(|&to| (tor, Some(to)));
                branches.chain([(tor, None)]).collect()
            }
            Selection::Fibre(from, to) if from.index().max(to.index()) < tors => {
                vec![(from, Some(to)), (from, None)]
            }
            _ => return,
        };
        let project = of.0.clone();
        self.way.ask((of.clone(), selection), &self.wake, move |_| {
            Ok(project.tray_stretches(Some(&fibres))?)
        });
    }

    fn ask_failures(&mut self, of: &Of, work: &Work) {
        if work.broken.is_empty() {
            return;
        }
        let wake = self.wake.clone();
        let (project, broken) = (of.0.clone(), work.broken.clone());
        self.impact.ask((of.clone(), broken.clone()), &wake, move |_| {
            project.impact(&failures(&project, &broken)?)
        });
        if work.repair.is_some() {
            let (project, broken) = (of.0.clone(), work.broken.clone());
            self.recover.ask((of.clone(), broken.clone()), &wake, move |_| {
                let method = Method::Replan(Objective::FewestChanges);
                project.recover(&failures(&project, &broken)?, method)
            });
        }
    }

    fn ask_explore(&mut self, of: &Of) {
        if !self.explores {
            return;
        }
        self.explores = false;
        let project = of.0.clone();
        self.explored.ask(of.clone(), &self.wake, move |watch| {
            let Some(request) = &project.request else {
                let message = "a plan was read back without its request; open its design file";
                return Err(lightloom::InputError::new(message).into());
            };
            lightloom::explore(request, &ExploreOptions::default(), watch.step())
        });
    }

    /// Runs the scenario, also if it was run before.
    pub fn run_again(&mut self) {
        let Some(path) = self.scenario.clone() else { return };
        self.runs += 1;
        self.run.ask((path.clone(), self.runs), &self.wake, move |watch| {
            lightloom::simulate(&path, &SimulateOptions::default(), watch)
        });
    }

    /// Shows a plan that was read back.
    pub fn show_plan(&mut self, project: Project) {
        self.opened.clear();
        let key = (PathBuf::new(), Arc::from(""));
        self.opened.ask(key, &self.wake, move |_| Ok(project));
    }

    /// Writes files.
    pub fn export(
        &mut self,
        export: Export,
        path: PathBuf,
        project: Arc<Project>,
        (dialect, encoding): (Option<Dialect>, Option<Encoding>),
    ) {
        self.exports += 1;
        self.written.ask(self.exports, &self.wake, move |watch| {
            match export {
                Export::Plan => {
                    lightloom::plan(&project, &path, watch)?;
                }
                Export::Configs => {
                    let options = ConfigsOptions { dialect, encoding, ..Default::default() };
                    lightloom::configs(&project, &options, &path)?;
                }
                Export::Picture(_) => {}
            }
            Ok(format!("wrote {}", path.display()))
        });
    }

    /// Stops the work of a panel.
    pub fn stop(&mut self, panel: Panel) {
        match panel {
            Panel::Twin => self.run.stop(),
            Panel::Explore => self.explored.stop(),
            Panel::Light => self.light.stop(),
            _ => {}
        }
    }

    /// How far the work of a panel is. `None`: nothing is at work.
    pub fn how_far(&self, panel: Panel) -> Option<HowFar> {
        match panel {
            Panel::Design | Panel::Text => self.opened.how_far().or(self.info.how_far()),
            Panel::Fabric => self.spread.how_far().or(self.places.how_far()),
            Panel::Failures => self.impact.how_far().or(self.recover.how_far()),
            Panel::Hall => self.floor.how_far(),
            Panel::Light => self.light.how_far(),
            Panel::Money => self.compare.how_far(),
            Panel::Problems => self.lint.how_far(),
            Panel::Rules => self.configs.how_far(),
            Panel::Explore => self.explored.how_far(),
            Panel::Twin => self.run.how_far(),
            Panel::Log => self.written.how_far(),
        }
    }

    /// Whether anything is at work.
    pub fn is_busy(&self) -> bool {
        Panel::ALL.iter().any(|&panel| self.how_far(panel).is_some())
            || self.info.how_far().is_some()
    }

    /// Stops all long work and waits for it.
    pub fn close(&mut self) {
        self.run.close();
        self.explored.close();
        self.light.close();
        self.written.close();
    }
}

/// A request for a design whose text is in memory. The files that it names are read from disk.
fn request(path: PathBuf, text: &str) -> Request {
    let texts = Texts::keeping([(path.clone(), text.to_owned())].into());
    Request { design: Some(path), texts, ..Request::default() }
}

/// The broken parts.
fn failures(project: &Project, broken: &[String]) -> Result<FailureSet, Error> {
    if broken.is_empty() {
        return Ok(FailureSet { failures: Vec::new() });
    }
    Ok(FailureSet::parse(project, &broken.join(","))?)
}
