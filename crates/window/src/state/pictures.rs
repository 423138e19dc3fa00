//! Pictures of panels that were asked for. A picture shows what its panel shows when it is in front, so it waits until
//! the panel has its answers.

use std::path::PathBuf;

use crate::export::Export;
use crate::panel::Panel;
use crate::state::model::State;
use crate::words::Fields;

/// What becomes of a picture now.
enum Turn {
    Draw,
    Wait,
    /// It would show another design than the present one.
    Refuse(String),
}

impl State {
    /// The panels whose pictures were asked for. They need answers as panels in front do.
    pub fn pictured(&self) -> Vec<Panel> {
        self.pictures.iter().filter_map(|(export, _)| export.pictured()).collect()
    }

    /// Takes the pictures that can be drawn now. Those of a design that cannot be opened are refused.
    pub fn take_ready_pictures(&mut self) -> Vec<(Export, PathBuf)> {
        let mut ready = Vec::new();
        for (export, path) in std::mem::take(&mut self.pictures) {
            match export.pictured().map_or(Turn::Draw, |panel| self.turn(panel)) {
                Turn::Draw => ready.push((export, path)),
                Turn::Wait => self.pictures.push((export, path)),
                Turn::Refuse(why) => self.refuse("Export", &why),
            }
        }
        ready
    }

    fn turn(&self, panel: Panel) -> Turn {
        let is_of_design =
            !matches!(panel, Panel::Text | Panel::Twin | Panel::Log | Panel::Exports);
        match self.current() {
            Err(_) if is_of_design && self.answers.opened.how_far().is_some() => Turn::Wait,
            // This panel says why the design cannot be opened.
            Err(error) if is_of_design && panel != Panel::Problems => {
                Turn::Refuse(error.message.in_words(&Fields))
            }
            _ if self.is_at_work(panel) => Turn::Wait,
            _ => Turn::Draw,
        }
    }

    /// Whether an answer that a panel shows is not there yet.
    fn is_at_work(&self, panel: Panel) -> bool {
        let Self { answers, growth, built, cables, .. } = self;
        let others = match panel {
            // A run at work is drawn as far as it is.
            Panel::Twin => return answers.checked.how_far().or(answers.waits.how_far()).is_some(),
            Panel::Fabric => answers.recover.how_far(),
            Panel::Hall => answers.way.how_far().or(answers.spread.how_far()),
            Panel::Rules => answers.recover.how_far().or(cables.checks.repaired.how_far()),
            Panel::Problems => cables.checks.concerns.how_far(),
            Panel::Growth => growth.grown.how_far(),
            Panel::Cabling => cables.cabling.how_far(),
            Panel::AsBuilt => built.taken.how_far().or(built.there.how_far()),
            _ => None,
        };
        answers.how_far(panel).or(others).is_some()
    }
}
