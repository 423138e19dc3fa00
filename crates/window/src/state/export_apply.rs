//! What each export writes, and how commands about exports are carried out.

use std::path::PathBuf;
use std::sync::Arc;

use lightloom::configs::{ConfigsOptions, Dialect, Encoding};
use lightloom::edit::Bundle;
use lightloom::failures::Method;
use lightloom::netbox::NetboxOptions;
use lightloom::report::ReportOptions;
use lightloom::twin::{Capture, SimulateOptions, Simulated};
use lightloom::{Error, Project, Request, Watch};

use crate::command::Command;
use crate::export::{Export, ExportOptions};
use crate::panel::Panel;
use crate::state::answers::RunTexts;
use crate::state::asked::{Asked, needs};
use crate::state::asking::failures;
use crate::state::asks::{AnswerOf, AsksOf};
use crate::state::exporting::Came;
use crate::state::model::State;
use crate::state::placing::Placed;
use crate::state::questions::{PathFor, Question};
use crate::words::Fields;

impl State {
    /// Carries out a command about exports.
    pub(super) fn apply_to_exports(&mut self, command: Command) {
        match command {
            Command::Export(export) => {
                // The user wants another path for the export that the question is about.
                if let Some(Question::Replace { export: of, .. }) = self.question
                    && of == export
                {
                    self.exporting.give_up();
                }
                self.question = Some(Question::Path(PathFor::Export(export)));
            }
            Command::ExportTo(export, path) => {
                self.question = None;
                self.export(export, path);
            }
            Command::Replace => {
                if let Some(Question::Replace { .. }) = self.question.take() {
                    self.exporting.write(&self.answers.wake);
                }
            }
            Command::Stop(Panel::Exports) => {
                let _ = self.question.take_if(|it| matches!(it, Question::Replace { .. }));
                for name in self.unwritten() {
                    self.tell(format!("stopped, and not written: {name}"));
                }
                self.pictures.clear();
                self.exporting.stop();
            }
            _ => {}
        }
    }

    /// The names of exports that are not written yet.
    pub fn unwritten(&self) -> Vec<String> {
        let pictures = self.pictures.iter().map(|(export, _)| export.name());
        self.exporting.unwritten().into_iter().chain(pictures).collect()
    }

    /// Takes what came of exports, and starts with the next one.
    pub(super) fn poll_exports(&mut self) {
        match self.exporting.poll() {
            Came::Nothing => {}
            Came::Told(line) => self.tell(line),
            Came::There(export, path, line) => {
                self.tell(line);
                if export == Export::UsedPlacement {
                    self.use_placement(&path);
                }
            }
            Came::Write => self.exporting.write(&self.answers.wake),
        }
        // A question that is open stays until it is answered.
        if self.question.is_none() {
            self.question = self.exporting.question();
        }
        self.exporting.start(&self.answers.wake);
    }

    /// Makes files on a thread, and writes them there unless something would be lost.
    fn export(&mut self, export: Export, path: PathBuf) {
        let path = std::path::absolute(&path).unwrap_or(path);
        match export {
            // The window draws pictures, and offers their bytes.
            Export::Picture(_) | Export::Svg(_) => self.pictures.push((export, path)),
            Export::Rows(panel) => self.export_rows(panel, path),
            _ => self.export_work(export, path),
        }
    }

    /// Writes these bytes to a file, after asking if something there would be lost.
    pub fn offer(&mut self, export: Export, path: PathBuf, bytes: Vec<u8>) {
        self.ask_export(export, path, move |_| Ok(Bundle::file(bytes)));
    }

    /// Exports are written one after the other.
    fn ask_export(
        &mut self,
        export: Export,
        path: PathBuf,
        work: impl FnOnce(Watch<'_>) -> Result<Bundle, Error> + Send + 'static,
    ) {
        if let Some(first) = self.exporting.ask(export, path, Box::new(work)) {
            self.tell(format!("{}: written after {}", export.name(), first.name()));
        }
        self.exporting.start(&self.answers.wake);
    }

    fn export_work(&mut self, export: Export, path: PathBuf) {
        // Files that changed meanwhile are read again first.
        self.read_changed();
        let project = match self.current() {
            Ok(project) => project.clone(),
            Err(error) => return self.refuse("Export", &error.message.in_words(&Fields)),
        };
        if matches!(export, Export::Arrivals | Export::Capture)
            && let Err(why) = self.read_scenario_again()
        {
            return self.refuse("Export", &why);
        }
        let work = self.work.now();
        let job = Job {
            project,
            broken: work.broken.clone(),
            options: self.looks.exports.clone(),
            dialect: self.looks.dialect,
            run: self.current_run().cloned(),
            runs: self.run_texts(),
            path: path.clone(),
            grown: self.current_growth().cloned(),
            taken: self.current_taken().cloned(),
            method: work.method,
            asked: self.asked(),
            asks: self.asks,
        };
        self.ask_export(export, path, move |watch| job.bundle(export, watch));
    }
}

/// What an export is made from.
struct Job {
    project: Arc<Project>,
    broken: Vec<String>,
    options: ExportOptions,
    dialect: (Option<Dialect>, Option<Encoding>),
    run: Option<Arc<Simulated>>,
    /// What a run of the scenario reads.
    runs: Option<RunTexts>,
    /// Where it goes.
    path: PathBuf,
    grown: Option<Arc<lightloom::growth::GrownFiles>>,
    taken: Option<Arc<lightloom::as_built::TakenFiles>>,
    method: Method,
    asked: Asked,
    asks: AsksOf,
}

impl Job {
    fn bundle(self, export: Export, watch: Watch<'_>) -> Result<Bundle, Error> {
        let project = &*self.project;
        Ok(match export {
            Export::Plan => Bundle::plan(lightloom::plan::plan_files(project, watch)?.files),
            Export::Recovered => {
                if self.broken.is_empty() {
                    return Err(needs("nothing is broken; break a part and recover first"));
                }
                let repaired =
                    project.clone().recovered_by(failures(project, &self.broken)?, self.method);
                Bundle::plan(lightloom::plan::plan_files(&repaired, watch)?.files)
            }
            Export::Grown => {
                let grown =
                    self.grown.ok_or_else(|| needs("compute a growth of this design first"))?;
                Bundle::plan(grown.files.clone())
            }
            Export::Placed => {
                Bundle::plan(lightloom::plan::plan_files(&self.found()?.project, watch)?.files)
            }
            Export::UsedPlacement if self.found()?.keeps_plan() => {
                return Err(needs(
                    "the design keeps an old plan; export the plan with the racks that were found",
                ));
            }
            Export::Placement | Export::UsedPlacement => {
                Bundle::file(lightloom::plan::placement_csv(&self.found()?.project))
            }
            Export::AsBuilt => {
                let message = "take a returned sheet of this design first; if light arrives elsewhere, no plan is \
                    written";
                let taken = self.taken.filter(|taken| !taken.files.is_empty());
                Bundle::plan(taken.ok_or_else(|| needs(message))?.files.clone())
            }
            Export::AsBuiltForm => Bundle::form(lightloom::as_built::blank_form(project)?),
            Export::Report => {
                Bundle::page(lightloom::report::report_of(project, &self.of_report(), watch)?.0)
            }
            Export::Drawings => Bundle::page(lightloom::report::drawings_of(project)?),
            Export::Netbox => {
                Bundle::netbox(lightloom::netbox::netbox_files(project, &self.of_netbox())?)
            }
            Export::Repairs => Bundle::repairs(
                lightloom::failures::repair_files(project, self.method, watch)?.files,
            ),
            Export::Configs => {
                let options = self.of_configs(self.dialect.0);
                Bundle::configs(lightloom::configs::config_files(project, &options)?.1)
            }
            Export::ConfigsIn(dialect) => {
                let options = self.of_configs(Some(dialect));
                Bundle::configs(lightloom::configs::config_files(project, &options)?.1)
            }
            Export::Rollout => {
                let message = "name the older plan or design in the panel Exports first";
                let old = self.options.old.clone().ok_or_else(|| needs(message))?;
                let request = Request { design: Some(old), ..Request::default() };
                let old = lightloom::open_design_or_plan(&request, watch)?;
                let options = self.of_configs(self.dialect.0);
                Bundle::rollout(lightloom::configs::rollout_files(&old, project, &options)?.1)
            }
            Export::Results => match self.run.as_deref() {
                Some(run) if !run.files().is_empty() => Bundle::results(run.files()),
                _ => return Err(needs("run the scenario as it is in the panel Twin first")),
            },
            Export::Arrivals => {
                let trace = Some(self.path.clone());
                self.recorded(SimulateOptions { trace, ..SimulateOptions::default() }, watch)?
            }
            Export::Capture => {
                let link = said(&self.options.link).ok_or_else(|| {
                    needs("name the link in the panel Exports first, such as \"host 0>leaf 0\"")
                })?;
                let pcap = vec![Capture { file: self.path.clone(), link }];
                self.recorded(SimulateOptions { pcap, ..SimulateOptions::default() }, watch)?
            }
            Export::Trace => {
                Bundle::file(lightloom::light::trace_csv(&self.asked.trace(project, watch)?))
            }
            Export::Answer(panel) => {
                let of = AnswerOf { project, asked: &self.asked, watch };
                let answer = (self.asks)(panel).answer(&of)?;
                Bundle::file((answer + "\n").into_bytes())
            }
            Export::Rows(_) | Export::Picture(_) | Export::Svg(_) => {
                return Err(needs("there is nothing to write"));
            }
        })
    }

    /// What the search for racks has found.
    fn found(&self) -> Result<&Placed, Error> {
        let placed = self.asked.placed.as_deref();
        placed.ok_or_else(|| needs("search the racks of this design first"))
    }

    /// What a run of the scenario records, as a file.
    fn recorded(&self, options: SimulateOptions, watch: Watch<'_>) -> Result<Bundle, Error> {
        let message = "open or make a scenario in the panel Twin first";
        let runs = self.runs.as_ref().ok_or_else(|| needs(message))?;
        let options = SimulateOptions { texts: runs.texts(), ..options };
        let files = lightloom::twin::arrival_files(&runs.scenario.0, &options, watch)?;
        // One file was named.
        let bytes = files.into_iter().next().map(|(_, bytes)| bytes);
        Ok(Bundle::file(bytes.unwrap_or_default()))
    }

    fn of_configs(&self, dialect: Option<Dialect>) -> ConfigsOptions {
        let groups = self.options.groups.clone();
        ConfigsOptions { dialect, encoding: self.dialect.1, groups, ..Default::default() }
    }

    fn of_report(&self) -> ReportOptions {
        let date = said(&self.options.date);
        // A plan that was read back has no request, and so no assumptions of its design.
        let design = self.project.request().is_some().then(|| (*self.project).clone());
        ReportOptions { date, design }
    }

    fn of_netbox(&self) -> NetboxOptions {
        let ExportOptions { site, location, racks, switches, .. } = &self.options;
        NetboxOptions {
            site: said(site),
            location: said(location),
            racks: *racks,
            switches: *switches,
        }
    }
}

/// A typed text. `None`: nothing was typed.
fn said(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
