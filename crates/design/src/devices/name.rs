//! Names of interfaces.

use std::fmt;

use lightloom_power_cost::parts::interface_name_fault;
use serde::{Deserialize, Serialize};

/// Name of an interface, as its switch writes it: `Ethernet1/1`, `et-0/0/0:3`. It has no control characters, no
/// space at either end, and not the text " / " that separates the ends of a label.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct InterfaceName(String);

impl InterfaceName {
    /// Checks a text.
    ///
    /// # Errors
    /// What was found, and what is expected.
    pub fn new(text: &str) -> Result<Self, String> {
        interface_name_fault(text).map_or_else(|| Ok(Self(text.to_owned())), Err)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for InterfaceName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::new(&text)
    }
}

impl From<InterfaceName> for String {
    fn from(name: InterfaceName) -> Self {
        name.0
    }
}

impl fmt::Display for InterfaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
