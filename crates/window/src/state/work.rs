//! The design and the scenario as they are edited.

use std::sync::Arc;

use lightloom::failures::{Method, Objective};

use crate::state::draft::Draft;

/// The example that a first start shows.
pub const EXAMPLE: &str = include_str!("example.toml");

/// What can be undone.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// The text of the design.
    pub text: Arc<str>,
    /// The broken parts, in standard form, in the order in which they broke.
    pub broken: Vec<String>,
    /// How far the repair is rolled out, in phases. `None`: no repair was asked for.
    pub repair: Option<usize>,
    /// The method of the repair.
    pub method: Method,
    /// The parts that were mended under the rules of their repair, and the warning about that.
    pub put_back: Option<(Vec<String>, &'static str)>,
    /// The scenario of the twin. `None`: none was opened or made.
    pub scenario: Option<Draft>,
}

impl Work {
    /// A design without broken parts.
    pub fn new(text: Arc<str>) -> Self {
        let method = Method::Replan(Objective::FewestChanges);
        Self { text, broken: Vec::new(), repair: None, method, put_back: None, scenario: None }
    }

    /// Shows the parts as broken and repaired that the rules of a recovered plan go around.
    pub(super) fn take_repair(&mut self, broken: Vec<String>, method: Method) {
        (self.broken, self.method, self.repair) = (broken, method, Some(usize::MAX));
        self.put_back = None;
    }
}
