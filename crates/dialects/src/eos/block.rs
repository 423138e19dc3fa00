//! Arista EOS: blocks of a configuration.

/// The block of an interface.
pub(super) fn interface_text(name: &str, lines: &[String]) -> String {
    let lines: String = lines.iter().map(|line| format!("   {line}\n")).collect();
    format!("!\ninterface {name}\n{lines}")
}
