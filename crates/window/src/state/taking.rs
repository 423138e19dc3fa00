//! Makes a design of the search the design.

use lightloom::setting;

use crate::state::model::State;
use crate::words;

impl State {
    /// Makes a design of the search the design. The search must have been for a text of the present file.
    pub(super) fn take_design(&mut self, number: usize) {
        let explored = &self.answers.explored;
        let (Some((of, _)), Some(found)) = (explored.last_key(), explored.last().cloned()) else {
            return;
        };
        let searched = of.0.request().as_ref().and_then(|request| request.design.as_ref());
        if searched != Some(&self.file.shown()) {
            let message = "these designs were found for another file; search again";
            return self.refuse("Take a design", message);
        }
        let Some(design) = found.designs.get(number) else { return };
        // A splitter of another fan-out is left to the catalogue, as the search does.
        let keeps_splitter = of.0.fabric().fan_out() == design.p;
        let chosen = [
            ("fabric.family", Some(design.family.name().to_owned())),
            ("fabric.p", Some(design.p.to_string())),
            ("fabric.k", design.k.map(|k| k.to_string())),
            ("fabric.tors", design.k.is_none().then(|| found.tors.to_string())),
            ("splitters.housing", Some(design.housing.name().to_owned())),
            ("splitters.cabling", Some(design.cabling.name().to_owned())),
            ("optics.transceiver", Some(design.transceiver.clone())),
        ];
        let file = self.file.shown();
        let mut text = self.work.now().text.to_string();
        for key in setting::all() {
            let value = match chosen.iter().find(|(name, _)| *name == key.name) {
                Some((_, value)) => value.as_ref().map(|typed| key.typed(typed)),
                // The search takes the usual router, and no other setting of the fabric.
                None if matches!(key.section(), "fabric" | "routing") => None,
                None if key.name == "optics.splitter" && !keeps_splitter => None,
                None => continue,
            };
            match lightloom::edit::change_setting(&text, &file, &key, value.as_ref()) {
                Ok(changed) => text = changed,
                Err(error) => return self.refuse("Take a design", &words::text_of_input(&error)),
            }
        }
        self.work.change(|work| work.text = text.into());
    }
}
