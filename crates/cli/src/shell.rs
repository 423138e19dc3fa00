//! Shells that complete commands.

use clap::ValueEnum;

/// A shell that completes commands.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Shell {
    /// GNU Bash with bash-completion.
    Bash,
    /// Z shell.
    Zsh,
    /// Friendly interactive shell.
    Fish,
}
