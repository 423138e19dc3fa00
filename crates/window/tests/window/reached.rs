//! The list of commands reaches all that a user can do.

use lightloom::TorId;
use lightloom::configs::{Dialect, Encoding};
use lightloom::failures::Method;
use lightloom::light::Case;
use lightloom::netbox::Origin;
use lightloom_window::command::{
    CablingTable, Command, Export, ExportOption, FabricLayout, GrowthField, HallColour, Selection,
    Sorted, Way,
};
use lightloom_window::layers::{Layer, Shown};
use lightloom_window::panel::Panel;
use lightloom_window::place::Place;
use lightloom_window::placing::PlacingField;
use lightloom_window::twin::Twin;
use lightloom_window::views::{Does, found};

use crate::drive::Driven;

/// How a user reaches a command without a pointer.
#[derive(Debug, PartialEq)]
enum Reached {
    /// In the list of commands, with this typed.
    Listed(&'static str),
    /// By the keyboard, in a question, in a field or in a drawing that has the focus.
    Elsewhere,
}

/// Whoever adds a command says here how it is reached.
fn reached(command: &Command) -> Reached {
    use Reached::{Elsewhere, Listed};
    match command {
        // Buttons of questions.
        Command::SaveFirst
        | Command::SaveTo(_)
        | Command::Overwrite
        | Command::Reload
        | Command::TakeUnsaved
        | Command::Browse
        | Command::Dismiss
        | Command::Discard
        | Command::RenameView { .. }
        | Command::ExportTo(..)
        | Command::Replace => Elsewhere,
        // The field of a text; a drawing that has the focus; the list itself; what the window does by itself.
        Command::Write(_) | Command::Look(..) | Command::Palette(_) | Command::LookAgain => {
            Elsewhere
        }
        // Texts of tables are made when they are wanted.
        Command::CopyRows(..) | Command::ExportRows(..) => Elsewhere,
        Command::OpenFile(_) => Listed("open a.toml"),
        Command::Change { .. } => Listed("set fabric.tors 60"),
        Command::Find(_) => Listed("7"),
        Command::GoTo(_) => Listed("go to the setting"),
        Command::Break(_) => Listed("break relay:8"),
        Command::Phases(_) => Listed("phase 1"),
        Command::Hop(_) => Listed("hop 1"),
        Command::Filter(..) => Listed("filter light pass"),
        Command::SaveView(_) => Listed("keep view A"),
        Command::TakeDesign(_) => Listed("design 1"),
        Command::ScenarioFile(_) => Listed("open scenario a.toml"),
        Command::ReturnedFile(_) => Listed("open returned a.csv"),
        Command::GrowthField(..) => Listed("growth tors 72"),
        Command::PlacingField(..) => Listed("placing time 60s"),
        Command::SearchField(..) => Listed("search hops 3"),
        Command::New
        | Command::Open
        | Command::Save
        | Command::SaveAs
        | Command::Quit
        | Command::Undo
        | Command::Redo
        | Command::Select(_)
        | Command::Centre
        | Command::BreakPart(_)
        | Command::Mend(_)
        | Command::MendAll
        | Command::Recover
        | Command::RecoverBy(_)
        | Command::Unrecover
        | Command::Show(_)
        | Command::Only(_)
        | Command::Fit(_)
        | Command::LayOut(_)
        | Command::AllFibres(_)
        | Command::SetLayer(..)
        | Command::Isolate(_)
        | Command::Collapse(_)
        | Command::Expand(_)
        | Command::ExpandAll
        | Command::Animate(_)
        | Command::ColourBy(_)
        | Command::Sort(..)
        | Command::LightCase(_)
        | Command::Theme(_)
        | Command::Scale(_)
        | Command::ResetLayout
        | Command::NextPanel(_)
        | Command::NextTab(_)
        | Command::AskViewName(_)
        | Command::GoToView(_)
        | Command::DeleteView(_)
        | Command::Explore
        | Command::OpenScenario
        | Command::Run
        | Command::Twin(_)
        | Command::ReadAgain
        | Command::KeepRun
        | Command::ForgetRun
        | Command::Stop(_)
        | Command::Grow
        | Command::Shrink
        | Command::SearchRacks
        | Command::CablingTable(_)
        | Command::OpenReturned
        | Command::ShowDialect(_)
        | Command::ShowEncoding(_)
        | Command::Export(_)
        | Command::ExportWith(_) => Listed(""),
    }
}

#[test]
fn the_list_reaches_every_command_that_is_no_answer() {
    let mut window = Driven::new();
    for command in [
        Command::Show(Panel::Explore),
        Command::Explore,
        Command::Select(Selection::Tor(TorId(3))),
        Command::Break("relay:8".into()),
        Command::Recover,
        Command::SaveView("A".into()),
        Command::Show(Panel::Failures),
    ] {
        window.apply(command);
    }
    let state = &window.window().state;
    let listed = |typed: &str| -> Vec<Command> {
        let command = |(_, does)| match does {
            Does::Command(command) => Some(command),
            _ => None,
        };
        found(state, typed).into_iter().filter_map(command).collect()
    };
    let all = listed("");
    for (name, does) in found(state, "") {
        if let Does::Command(command) = does {
            assert_ne!(reached(&command), Reached::Elsewhere, "{name}: {command:?}");
        }
    }
    // The list names each command, or its begin. With one of each kind nothing is left out.
    let examples = [
        Command::OpenFile("a.toml".into()),
        Command::Change { setting: "fabric.tors", value: Some("60".into()) },
        Command::Find("7".into()),
        Command::Break("relay:8".into()),
        Command::Phases(1),
        Command::Hop(Some(1)),
        Command::Filter(Panel::Light, "pass".into()),
        Command::SaveView("A".into()),
        Command::TakeDesign(0),
        Command::ScenarioFile("a.toml".into()),
        Command::ReturnedFile("a.csv".into()),
        Command::GrowthField(GrowthField::Tors, "72".into()),
        Command::PlacingField(PlacingField::Time, "60s".into()),
    ];
    for example in examples {
        let Reached::Listed(typed) = reached(&example) else { panic!("{example:?}") };
        assert!(listed(typed).contains(&example), "{typed}");
    }
    let kinds: std::collections::HashSet<_> = all.iter().map(std::mem::discriminant).collect();
    let plain = [
        Command::New,
        Command::Open,
        Command::Save,
        Command::SaveAs,
        Command::Quit,
        Command::Undo,
        Command::Redo,
        Command::Select(Selection::Nothing),
        Command::GoTo(Place::Panel(Panel::Log)),
        Command::Centre,
        Command::Mend(String::new()),
        Command::MendAll,
        Command::Recover,
        Command::RecoverBy(Method::Algorithm2),
        Command::Unrecover,
        Command::Show(Panel::Log),
        Command::Only(None),
        Command::Fit(Panel::Hall),
        Command::LayOut(FabricLayout::Columns),
        Command::AllFibres(true),
        Command::SetLayer(Layer::Fibres, Shown::Shown),
        Command::Isolate(None),
        Command::ExpandAll,
        Command::Animate(true),
        Command::ColourBy(HallColour::Fill),
        Command::Sort(Panel::Light, Sorted { column: 0, descending: false }),
        Command::LightCase(Case::Worst),
        Command::Theme(egui::ThemePreference::Dark),
        Command::Scale(100),
        Command::ResetLayout,
        Command::NextPanel(Way::Forward),
        Command::NextTab(Way::Forward),
        Command::AskViewName(None),
        Command::GoToView(String::new()),
        Command::DeleteView(String::new()),
        Command::Explore,
        Command::OpenScenario,
        Command::Run,
        Command::Twin(Twin::Play),
        Command::ReadAgain,
        Command::KeepRun,
        Command::ForgetRun,
        Command::Stop(Panel::Twin),
        Command::Grow,
        Command::Shrink,
        Command::CablingTable(CablingTable::Pulls),
        Command::OpenReturned,
        Command::ShowDialect(Dialect::Openflow),
        Command::ShowEncoding(Encoding::Masked),
        Command::Export(Export::Plan),
        Command::ExportWith(ExportOption::Racks(Origin::Imported)),
    ];
    for command in plain {
        assert!(kinds.contains(&std::mem::discriminant(&command)), "{command:?}");
    }
}
