//! Pictures of panels that were asked for. A picture shows what its panel shows when it is in front, so it waits until
//! the panel has its answers.

use std::path::PathBuf;

use crate::export::Export;
use crate::panel::{About, Panel};
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

    /// Takes the pictures that can be drawn now: their panels are not at work. Those of a design that cannot be opened
    /// are refused.
    pub fn take_ready_pictures(
        &mut self,
        is_at_work: fn(Panel, &Self) -> bool,
    ) -> Vec<(Export, PathBuf)> {
        let mut ready = Vec::new();
        for (export, path) in std::mem::take(&mut self.pictures) {
            match export.pictured().map_or(Turn::Draw, |panel| self.turn(panel, is_at_work)) {
                Turn::Draw => ready.push((export, path)),
                Turn::Wait => self.pictures.push((export, path)),
                Turn::Refuse(why) => self.refuse("Export", &why),
            }
        }
        ready
    }

    fn turn(&self, panel: Panel, is_at_work: fn(Panel, &Self) -> bool) -> Turn {
        let is_of_design = matches!(panel.about(), About::Settings | About::Design);
        match self.current() {
            Err(_) if is_of_design && self.answers.opened.how_far().is_some() => Turn::Wait,
            // This panel says why the design cannot be opened.
            Err(error) if is_of_design && panel != Panel::Problems => {
                Turn::Refuse(error.message.in_words(&Fields))
            }
            _ if is_at_work(panel, self) => Turn::Wait,
            _ => Turn::Draw,
        }
    }
}
