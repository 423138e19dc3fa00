//! The words of GOAL.

use logos::{Lexer, Logos, Skip};

/// What a text of GOAL is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Logos)]
#[logos(extras = u32)]
#[logos(skip r"[ \t\r\f]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip(r"/\*([^*]|\*+[^*/])*\*+/", lines))]
pub(super) enum Token<'s> {
    /// The end of a line.
    #[token("\n")]
    Newline,
    /// A word or a label.
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Word(&'s str),
    /// A number of bytes.
    #[regex("[0-9]+b", |lexer| { let text = lexer.slice(); &text[..text.len() - 1] })]
    Bytes(&'s str),
    /// A whole number.
    #[regex("-?[0-9]+")]
    Number(&'s str),
    /// Between a label and its operation.
    #[token(":")]
    Colon,
    /// The begin of the operations of a rank.
    #[token("{")]
    Open,
    /// Their end.
    #[token("}")]
    Close,
}

/// Counts the lines of a comment.
fn lines<'s>(lexer: &mut Lexer<'s, Token<'s>>) -> Skip {
    let lines = lexer.slice().bytes().filter(|byte| *byte == b'\n').count();
    lexer.extras += u32::try_from(lines).unwrap_or(u32::MAX);
    Skip
}

impl Token<'_> {
    /// The word as messages quote it.
    pub(super) fn shown(self) -> String {
        let text = match self {
            Self::Newline => return "the end of the line".to_owned(),
            Self::Word(text) | Self::Number(text) => text.to_owned(),
            Self::Bytes(text) => format!("{text}b"),
            Self::Colon => ":".to_owned(),
            Self::Open => "{".to_owned(),
            Self::Close => "}".to_owned(),
        };
        format!("{:?}", text.chars().take(60).collect::<String>())
    }
}
