//! Copies and exports rows of tables, if they are of the present design.

use std::path::PathBuf;

use lightloom::light::Case;

use crate::command::{Command, Export, Selection};
use crate::panel::Panel;
use crate::state::answers::Of;
use crate::state::model::State;
use crate::state::questions::{PathFor, Question};
use crate::words::Fields;

impl State {
    /// Carries out a command about rows. Rows of another design are not taken.
    pub(super) fn take_rows(&mut self, command: Command) {
        let (Command::CopyRows(panel, _) | Command::ExportRows(panel, _)) = command else { return };
        let of = match self.rows_are_of(panel) {
            Ok(of) => of,
            Err(why) => return self.refuse("Rows", &why),
        };
        match command {
            Command::CopyRows(_, text) => self.copied = Some(text),
            Command::ExportRows(_, text) => {
                self.exporting.rows = Some((panel, of, text));
                self.question = Some(Question::Path(PathFor::Export(Export::Rows(panel))));
            }
            _ => {}
        }
    }

    /// Writes the rows that waited for a path.
    pub(super) fn export_rows(&mut self, panel: Panel, path: PathBuf) {
        let rows = self.exporting.rows.clone().filter(|(of, ..)| *of == panel);
        let Some((_, of, text)) = rows else { return };
        if !self.is_current(&of) {
            let why = "the design was changed meanwhile; export the rows again";
            return self.refuse("Rows", why);
        }
        self.offer(Export::Rows(panel), path, text.into_bytes());
    }

    /// The design that the rows of a panel's table are of, if it is the present one.
    ///
    /// # Errors
    /// What to do first.
    fn rows_are_of(&self, panel: Panel) -> Result<Of, String> {
        if let Err(error) = self.current() {
            return Err(error.message.in_words(&Fields));
        }
        let (of, needed) = match panel {
            Panel::Light => {
                let key = self.answers.light.last_key();
                let of = key.filter(|(_, case)| *case == self.looks.case).map(|(of, _)| of);
                (of, "show the panel Light until its rows are there")
            }
            Panel::Trace => {
                let asked = |(_, of, case): &&(Of, Selection, Option<Case>)| {
                    *of == self.selection && *case == self.looks.case
                };
                let of = self.answers.trace.last_key().filter(asked).map(|(of, ..)| of);
                (of, "show the panel Trace until its rows are there")
            }
            Panel::Explore => {
                let of = self.answers.explored.last_key().map(|(of, _)| of);
                (of, "search all designs for this design first")
            }
            Panel::Growth => {
                let of = self.growth.grown.last_key().map(|(of, ..)| of);
                (of, "compute a growth of this design first")
            }
            Panel::Cabling => {
                let of = self.cables.cabling.last_key();
                (of, "show the panel Cabling until its rows are there")
            }
            _ => (None, "the panel has no rows"),
        };
        let of = of.filter(|of| self.is_current(of)).cloned();
        of.ok_or_else(|| format!("there are no rows of the present design; {needed}"))
    }
}
