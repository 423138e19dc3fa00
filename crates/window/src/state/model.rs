//! Everything that the window knows, and how commands change it.

use std::path::PathBuf;
use std::sync::Arc;

use lightloom::units::Instant;
use lightloom::{Error, InputError, Project};

use crate::command::{Command, Selection, Way};
use crate::export::Export;
use crate::panel::Panel;
use crate::place::{Line, Place};
use crate::slot::{Slot, Wake};
use crate::state::answers::{Answers, Of};
use crate::state::asks::AsksOf;
use crate::state::built::Built;
use crate::state::cables::Cables;
use crate::state::difference::Difference;
use crate::state::draft::Drafts;
use crate::state::exporting::Exporting;
use crate::state::file::DesignFile;
use crate::state::given::Given;
use crate::state::growth::Growth;
use crate::state::history::History;
use crate::state::looks::Looks;
use crate::state::named::NamedViews;
use crate::state::placing::Placing;
use crate::state::playback::Playback;
use crate::state::questions::{PathFor, Question};
use crate::state::search::Search;
use crate::state::unsaved::{NotSaved, Unsaved, UnsavedText};
use crate::state::work::{EXAMPLE, Work};
use crate::twin::{Build, Twin};
use crate::words;

/// Everything that the window knows.
pub struct State {
    /// The design and the broken parts, with undo and redo.
    pub work: History<Work>,
    /// The file of the design.
    pub file: DesignFile,
    /// What a save changes in it.
    pub difference: Difference,
    /// The settings that its text gives.
    pub given: Given,
    /// What the door answers.
    pub answers: Answers,
    /// Why questions of panels have no answers, each with the panel that leads further, while they are in sight.
    pub refusals: Vec<(Arc<Error>, Panel)>,
    /// What each panel asks.
    pub(super) asks: AsksOf,
    /// What is selected.
    pub selection: Selection,
    /// The project that the selection is of. `None`: the one that is being opened.
    pub(super) followed: Option<Arc<Project>>,
    /// How panels look at it.
    pub looks: Looks,
    /// How the recorded run is looked at.
    pub playback: Playback,
    /// The files of scenarios, and the rows of the present one.
    pub drafts: Drafts,
    /// What waits for the user's answer.
    pub question: Option<Question>,
    /// What a successful save is followed by.
    pub(super) after_save: Option<Box<Command>>,
    /// What happened, oldest first.
    pub log: Vec<Line>,
    /// The panel that wants to be in front.
    pub to_front: Option<Panel>,
    /// Pictures that were asked for, and where to.
    pub pictures: Vec<(Export, PathBuf)>,
    /// What is being written.
    pub exporting: Exporting,
    /// Growth and shrinking.
    pub growth: Growth,
    /// The search for racks.
    pub placing: Placing,
    /// The limits of the search for designs.
    pub search: Search,
    /// What crews tell of the plan.
    pub built: Built,
    /// The cables of the plan.
    pub cables: Cables,
    /// Named views.
    pub named: NamedViews,
    /// Where the focus is to go: to the next panel or the one before, among those in sight or among all.
    pub moves: Option<(Way, Among)>,
    /// A text for the clipboard.
    pub copied: Option<String>,
    /// Whether the window closes.
    pub quits: bool,
    /// Keeps unsaved text for a later session.
    pub unsaved: Unsaved,
    /// Asks for a path by the dialog of the desktop, where there is one.
    pub browse: Option<Browse>,
    /// What that dialog answered.
    pub browsed: Slot<PathFor, Option<PathBuf>>,
}

/// Asks for a path, on a thread of its own. `None`: the user gave none. An error: the desktop has no dialog.
pub type Browse = fn(PathFor) -> Result<Option<PathBuf>, InputError>;

/// Among which panels the focus moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Among {
    /// Those in sight.
    InSight,
    /// All of the layout.
    All,
}

impl State {
    /// A window with the shipped example. `wake` redraws the window when an answer is there. `unsaved` is the place
    /// for unsaved text. `asks` finds the panels.
    pub fn new(wake: Wake, unsaved: Unsaved, asks: AsksOf) -> Self {
        let work = Work::new(EXAMPLE.into());
        let mut state = Self {
            work: History::new(work),
            file: DesignFile::default(),
            difference: Difference::default(),
            given: Given::default(),
            answers: Answers::new(wake),
            refusals: Vec::new(),
            asks,
            selection: Selection::FIRST,
            followed: None,
            looks: Looks::default(),
            playback: Playback::default(),
            drafts: Drafts::default(),
            question: None,
            after_save: None,
            log: Vec::new(),
            to_front: None,
            pictures: Vec::new(),
            exporting: Exporting::default(),
            growth: Growth::default(),
            placing: Placing::default(),
            search: Search::default(),
            built: Built::default(),
            cables: Cables::default(),
            named: NamedViews::default(),
            moves: None,
            copied: None,
            quits: false,
            unsaved,
            browse: None,
            browsed: Slot::default(),
        };
        state.ask_about_found();
        state
    }

    /// The project of the text, or of the last text that could be opened.
    pub fn project(&self) -> Option<&Arc<Project>> {
        self.answers.opened.last()
    }

    /// The project of the text.
    ///
    /// # Errors
    /// Why the text has none, or has none yet.
    pub fn current(&self) -> Result<&Arc<Project>, InputError> {
        let opened = &self.answers.opened;
        let reading = self.answers.reading(&self.file, &self.work.now().text);
        if let Some(project) = opened.answer(&reading) {
            return Ok(project);
        }
        let refused = opened.refused().filter(|_| opened.asked_key() == Some(&reading));
        Err(InputError::new(match refused {
            Some(error) => format!("the design cannot be opened: {}", words::text_of(error)),
            None => "the design is still being opened; try again in a moment".to_owned(),
        }))
    }

    /// Whether this is the project of the text.
    pub fn is_current(&self, of: &Of) -> bool {
        self.current().is_ok_and(|project| Arc::ptr_eq(project, &of.0))
    }

    /// Whether the text differs from the file.
    pub fn is_changed(&self) -> bool {
        self.file.differs(&self.work.now().text)
    }

    /// Tells the user something.
    pub fn tell(&mut self, line: impl Into<Line>) {
        self.log.push(line.into());
    }

    /// Takes answers that have arrived, and asks what the visible panels need.
    pub fn refresh(&mut self, visible: &[Panel]) {
        let told = self.answers.poll();
        self.follow_design();
        let Self { answers, work, file, given, difference, selection, looks, drafts, asks, .. } =
            self;
        given.follow(file, &work.now().text);
        difference.follow(file, &work.now().text);
        answers.ask(work.now(), file, *selection, looks, (visible, *asks));
        let scenario = work.now().scenario.as_ref();
        drafts.follow(scenario);
        answers.follow_scenario(scenario.map(|draft| draft.number));
        if visible.contains(&Panel::Twin)
            && let Some(texts) = self.run_texts()
        {
            self.answers.check_scenario(texts);
            self.answers.ask_waits();
        }
        self.log.extend(told.into_iter().map(|line| Line::at(line, Place::Panel(Panel::Twin))));
        self.playback.follow_run(self.answers.run.number(), self.answers.recording());
        self.poll_exports();
        self.poll_browsed();
        self.poll_growth();
        self.poll_placing();
        self.refresh_built(visible);
        self.refresh_cables(visible);
    }

    /// Carries out a command.
    pub fn apply(&mut self, command: Command) {
        // Playing and looking change no text.
        let is_look = matches!(command, Command::Twin(Twin::Tick(_)) | Command::Look(..));
        match command {
            Command::New
            | Command::Open
            | Command::OpenFile(_)
            | Command::Save
            | Command::SaveFirst
            | Command::SaveAs
            | Command::SaveTo(_)
            | Command::Overwrite
            | Command::Reload
            | Command::TakeUnsaved
            | Command::Browse
            | Command::Dismiss
            | Command::Discard
            | Command::OpenScenario
            | Command::ScenarioFile(_)
            | Command::Twin(Twin::Build(Build::OfDesign | Build::Electrical))
            | Command::Quit => self.apply_to_file(command),
            Command::ReadAgain => self.read_again(),
            Command::LookAgain => self.look_again(),
            Command::Change { setting, value } => self.change(setting, value.as_deref()),
            Command::Write(text) => self.work.change(|work| work.text = text.into()),
            Command::Undo => {
                self.work.undo();
            }
            Command::Redo => {
                self.work.redo();
            }
            Command::Select(selection) => {
                self.selection = selection;
                self.looks.fabric.hop = None;
            }
            Command::Find(name) => self.find(&name),
            Command::Centre => self.looks.centre = true,
            Command::GoTo(place) => self.go_to(place),
            Command::NextPanel(way) => self.moves = Some((way, Among::InSight)),
            Command::NextTab(way) => self.moves = Some((way, Among::All)),
            Command::AskViewName(_)
            | Command::SaveView(_)
            | Command::GoToView(_)
            | Command::RenameView { .. }
            | Command::DeleteView(_) => self.apply_to_views(command),
            Command::GrowthField(..) | Command::Grow | Command::Shrink => {
                self.apply_to_growth(command);
            }
            Command::PlacingField(..) | Command::SearchRacks | Command::Stop(Panel::Placement) => {
                self.apply_to_placing(command)
            }
            Command::OpenReturned => self.question = Some(Question::Path(PathFor::Returned)),
            Command::ReturnedFile(path) => self.take_returned(path),
            Command::Break(_)
            | Command::BreakPart(_)
            | Command::Mend(_)
            | Command::MendAll
            | Command::Recover
            | Command::RecoverBy(_)
            | Command::Unrecover
            | Command::Phases(_) => self.apply_to_failures(command),
            Command::Show(panel) => {
                self.to_front = Some(panel);
                self.looks.only = self.looks.only.and(Some(panel));
            }
            Command::SearchField(field, text) => self.search.set(field, text),
            Command::Explore => self.search(),
            Command::TakeDesign(number) => self.take_design(number),
            Command::Run => self.run_scenario(None),
            Command::Twin(Twin::RunTo(at)) => self.run_scenario(Some(at)),
            Command::Twin(Twin::Build(build)) => self.build(build),
            Command::Twin(Twin::Hold) => self.answers.live.hold(),
            Command::Twin(Twin::GoOn) => self.answers.live.go_on(),
            Command::Twin(Twin::HoldAt(at)) => self.answers.live.hold_at(at),
            Command::Twin(twin) => {
                let Self { playback, answers, .. } = self;
                let until = answers.recording().map(|all| Instant::from_ps(all.until_ps));
                let beyond = until.filter(|until| matches!(twin, Twin::To(at) if at > *until));
                playback.apply(twin, answers.recording());
                if let Some(until) = beyond {
                    self.tell(format!("The recording ends at {until}, which is shown."));
                }
            }
            Command::KeepRun => self.answers.keep_run(),
            Command::ForgetRun => self.answers.kept = None,
            Command::Stop(Panel::Growth) => self.growth.grown.stop(),
            Command::Export(_)
            | Command::ExportTo(..)
            | Command::Replace
            | Command::Stop(Panel::Exports) => self.apply_to_exports(command),
            Command::Stop(panel) => (self.asks)(panel).stop(&mut self.answers),
            Command::CopyRows(..) | Command::ExportRows(..) => self.take_rows(command),
            look => {
                if matches!(look, Command::LightCase(_)) {
                    self.answers.light_again();
                }
                self.looks.apply(look);
            }
        }
        if !is_look {
            self.keep_unsaved();
        }
        self.forget_after_save();
        self.ask_about_found();
        for line in self.unsaved.take_notices() {
            self.tell(line);
        }
    }

    /// Keeps what is not saved for a later session.
    fn keep_unsaved(&mut self) {
        let text = &self.work.now().text;
        let DesignFile { path, on_disk, .. } = &self.file;
        let differs = self.file.differs(text);
        let (file, on_disk) = (path.clone(), on_disk.clone());
        let design = differs.then(|| UnsavedText { file, on_disk, text: text.clone() });
        let draft = self.work.now().scenario.as_ref();
        let scenario = draft.and_then(|draft| self.drafts.unsaved(draft));
        self.unsaved.keep(NotSaved { design, scenario });
    }

    /// Asks about the unsaved text of an earlier session until it is taken or given up.
    fn ask_about_found(&mut self) {
        if let (None, Some(found)) = (&self.question, self.unsaved.found()) {
            self.question = Some(Question::Found(found.clone()));
        }
    }

    /// Gives a setting a value.
    fn change(&mut self, setting: &'static str, value: Option<&str>) {
        let Some(key) = lightloom::setting::named(setting) else { return };
        let value = value.map(|typed| key.typed(typed));
        let text = &self.work.now().text;
        match lightloom::edit::change_setting(text, &self.file.shown(), &key, value.as_ref()) {
            Ok(text) => self.work.change(|work| work.text = text.into()),
            Err(error) => {
                let place = Place::of_input(&error);
                self.tell(Line { text: words::text_of_input(&error), place });
            }
        }
    }

    /// Whether anything is at work.
    pub fn is_busy(&self) -> bool {
        let work = [
            self.exporting.how_far(),
            self.growth.grown.how_far(),
            self.placing.placed.how_far(),
            self.built.taken.how_far(),
            self.built.there.how_far(),
        ];
        let waits = !self.pictures.is_empty();
        waits || self.answers.is_busy() || self.cables.is_busy() || work.iter().any(Option::is_some)
    }

    /// Stops all work and waits for it.
    pub fn close(&mut self) {
        self.answers.close();
        self.exporting.close();
        self.growth.grown.close();
        self.placing.placed.close();
        self.built.taken.close();
    }
}
