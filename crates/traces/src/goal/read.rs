//! Reads GOAL.

use std::collections::BTreeMap;

use lightloom_units::{DataSize, Span};
use logos::{Lexer, Logos as _};

use crate::error::TraceError;
use crate::goal::tokens::Token;
use crate::program::{Need, Op, OpId, Program, Rank, Stage, Trace, What};

/// The most ranks of a trace.
const MOST_RANKS: u32 = 1 << 24;
/// The most operations of a trace.
const MOST_OPERATIONS: usize = 1 << 28;
/// The longest computation, in nanoseconds: more than a week.
const LONGEST: u64 = 1_000_000_000_000_000;

/// Reads a trace from its text.
///
/// # Errors
/// [`TraceError`] with line and rank: what is no GOAL, belongs to its other dialect, is there twice, is missing, or
/// names what there is not.
pub fn read(text: &str) -> Result<Trace, TraceError> {
    let mut reader = Reader { lexer: Token::lexer(text), line: 1, peeked: None, operations: 0 };
    reader.lexer.extras = 0;
    reader.trace()
}

struct Reader<'s> {
    lexer: Lexer<'s, Token<'s>>,
    /// The line of the next word, without the lines of comments.
    line: u32,
    peeked: Option<Token<'s>>,
    operations: usize,
}

/// The program of a rank in the making.
#[derive(Default)]
struct Block<'s> {
    ops: Vec<Op>,
    needs: Vec<(OpId, Need)>,
    labels: BTreeMap<&'s str, OpId>,
}

/// What stands behind a message or a computation.
#[derive(Default)]
struct Behind {
    tag: Option<i64>,
    cpu: Option<i64>,
    nic: Option<i64>,
}

impl<'s> Reader<'s> {
    fn trace(&mut self) -> Result<Trace, TraceError> {
        self.lines()?;
        self.word("num_ranks")?;
        let line = self.at();
        let ranks = self.number("the number of ranks")?;
        let ranks = u32::try_from(ranks).ok().filter(|ranks| (1..=MOST_RANKS).contains(ranks));
        let Some(ranks) = ranks else {
            let message = format!("num_ranks is out of range; expected 1 to {MOST_RANKS}");
            return Err(TraceError::new(message).at_line(line));
        };
        self.end_of_line()?;
        let mut programs: Vec<Option<Program>> = vec![None; ranks as usize];
        loop {
            self.lines()?;
            if self.peek()?.is_none() {
                break;
            }
            let line = self.at();
            self.word("rank")?;
            let rank = self.rank(ranks)?;
            if programs[rank.index()].is_some() {
                let message = "has a second block; give each rank one";
                return Err(TraceError::new(message).of_rank(rank).at_line(line));
            }
            let program = self.block(ranks).map_err(|error| error.of_rank(rank))?;
            programs[rank.index()] = Some(program);
        }
        let missing = programs.iter().position(Option::is_none);
        if let Some(missing) = missing {
            let message = format!(
                "rank {missing} of {ranks} has no block; is the file truncated? An idle rank has an empty one"
            );
            return Err(TraceError::new(message).at_line(self.at()));
        }
        Ok(Trace { ranks: programs.into_iter().flatten().collect(), ..Trace::default() })
    }

    /// The block of a rank.
    fn block(&mut self, ranks: u32) -> Result<Program, TraceError> {
        self.lines()?;
        match self.next()? {
            Some(Token::Open) => {}
            other => return Err(self.unexpected(other, "\"{\"")),
        }
        let mut block = Block::default();
        loop {
            self.lines()?;
            let line = self.at();
            match self.next()? {
                Some(Token::Close) => return Ok(Program::new(block.ops, block.needs)),
                Some(Token::Word(word)) => self.statement(word, line, &mut block, ranks)?,
                None => {
                    let message =
                        "the file ends within the block; is it truncated? A block ends with \"}\"";
                    return Err(TraceError::new(message).at_line(line));
                }
                other => return Err(self.unexpected(other, "an operation, a label, or \"}\"")),
            }
        }
    }

    /// An operation or a need, which begins with a word.
    fn statement(
        &mut self,
        word: &'s str,
        line: u32,
        block: &mut Block<'s>,
        ranks: u32,
    ) -> Result<(), TraceError> {
        match self.peek()? {
            Some(Token::Colon) => {
                self.next()?;
                let id = OpId(u32::try_from(block.ops.len()).unwrap_or(u32::MAX));
                if block.labels.insert(word, id).is_some() {
                    let message =
                        format!("label {word:?} is there twice; give each operation its own");
                    return Err(TraceError::new(message).at_line(line));
                }
                match self.next()? {
                    Some(Token::Word(word)) => self.operation(word, line, block, ranks)?,
                    other => return Err(self.unexpected(other, "send, recv or calc")),
                }
            }
            Some(Token::Word(how @ ("requires" | "irequires"))) => {
                self.next()?;
                let on = match self.next()? {
                    Some(Token::Word(on)) => on,
                    other => return Err(self.unexpected(other, "a label")),
                };
                let known = |label: &str| {
                    block.labels.get(label).copied().ok_or_else(|| {
                        let message = format!(
                            "label {label:?} is not known; labels come before what names them"
                        );
                        TraceError::new(message).at_line(line)
                    })
                };
                let how = if how == "requires" { Stage::Ended } else { Stage::Begun };
                let (waits, on) = (known(word)?, known(on)?);
                if waits == on {
                    let message = format!("{word:?} needs itself; leave the line out");
                    return Err(TraceError::new(message).at_line(line));
                }
                block.needs.push((waits, Need { on, how }));
            }
            _ => self.operation(word, line, block, ranks)?,
        }
        self.end_of_line()
    }

    fn operation(
        &mut self,
        word: &str,
        line: u32,
        block: &mut Block<'s>,
        ranks: u32,
    ) -> Result<(), TraceError> {
        self.operations += 1;
        if self.operations > MOST_OPERATIONS {
            let message = format!("there are more than {MOST_OPERATIONS} operations");
            return Err(TraceError::new(message).at_line(line));
        }
        let op = match word {
            "send" => {
                let size = self.bytes()?;
                self.word("to")?;
                let to = self.rank(ranks)?;
                let behind = self.behind(true)?;
                let tag = self.small("tag", behind.tag)?;
                let what = What::Send { to, size, tag };
                self.op(what, &behind, line)?
            }
            "recv" => {
                let size = self.bytes()?;
                self.word("from")?;
                let from = match self.peek()? {
                    Some(Token::Number("-1")) => self.next()?.and(None),
                    _ => Some(self.rank(ranks)?),
                };
                let behind = self.behind(true)?;
                let tag = match behind.tag {
                    Some(-1) => None,
                    tag => Some(self.small("tag", tag)?),
                };
                self.op(What::Receive { from, size, tag }, &behind, line)?
            }
            "calc" => {
                let at = self.at();
                let ns = self.number("a time in nanoseconds")?;
                let ns = u64::try_from(ns).ok().filter(|ns| *ns <= LONGEST).ok_or_else(|| {
                    let message = format!("calc is out of range; expected 0 to {LONGEST} ns");
                    TraceError::new(message).at_line(at)
                })?;
                let behind = self.behind(false)?;
                self.op(What::Compute { takes: Span::from_ns(ns) }, &behind, line)?
            }
            "append" | "put" | "get" | "tput" | "tget" | "test" => {
                let message = format!(
                    "found {word:?}, an operation of the other dialect of GOAL (LogGOPSim2); this reads send, recv and \
                     calc"
                );
                return Err(TraceError::new(message).at_line(line));
            }
            other => {
                let shown = Token::Word(other).shown();
                let message =
                    format!("found {shown}; expected send, recv or calc, or a label with a colon");
                return Err(TraceError::new(message).at_line(line));
            }
        };
        block.ops.push(op);
        Ok(())
    }

    fn op(&self, what: What, behind: &Behind, line: u32) -> Result<Op, TraceError> {
        let (stream, nic) = (self.small("cpu", behind.cpu)?, self.small("nic", behind.nic)?);
        Ok(Op { what, stream, nic, at: line })
    }

    /// What stands behind an operation: tag, cpu and nic, each once at most.
    fn behind(&mut self, is_message: bool) -> Result<Behind, TraceError> {
        let mut behind = Behind::default();
        loop {
            let line = self.at();
            let Some(Token::Word(word)) = self.peek()? else { return Ok(behind) };
            let place = match word {
                "tag" if is_message => &mut behind.tag,
                "cpu" => &mut behind.cpu,
                "nic" if is_message => &mut behind.nic,
                other => {
                    let known = if is_message { "tag, cpu or nic" } else { "cpu" };
                    let message = format!("found {}; expected {known}", Token::Word(other).shown());
                    return Err(TraceError::new(message).at_line(line));
                }
            };
            if place.is_some() {
                return Err(TraceError::new(format!("{word} is there twice")).at_line(line));
            }
            self.next()?;
            let number = self.number("a whole number")?;
            let place = match word {
                "tag" => &mut behind.tag,
                "cpu" => &mut behind.cpu,
                _ => &mut behind.nic,
            };
            *place = Some(number);
        }
    }

    /// A number of 32 bits; 0 where none is said.
    fn small(&self, name: &str, said: Option<i64>) -> Result<u32, TraceError> {
        u32::try_from(said.unwrap_or(0)).map_err(|_| {
            let message = format!("{name} is out of range; expected 0 to {}", u32::MAX);
            TraceError::new(message).at_line(self.at())
        })
    }

    fn rank(&mut self, ranks: u32) -> Result<Rank, TraceError> {
        let line = self.at();
        let found = self.number("a rank")?;
        u32::try_from(found).ok().filter(|rank| *rank < ranks).map(Rank).ok_or_else(|| {
            let message = format!("found rank {found}; there are {ranks}, numbered from 0");
            TraceError::new(message).at_line(line)
        })
    }

    fn bytes(&mut self) -> Result<DataSize, TraceError> {
        let line = self.at();
        match self.next()? {
            Some(Token::Bytes(text)) => text.parse().map(DataSize::from_bytes).map_err(|_| {
                let shown = Token::Bytes(text).shown();
                TraceError::new(format!("found {shown}, a size of more than 64 bits")).at_line(line)
            }),
            other => Err(self.unexpected(other, "a size in bytes such as 4096b")),
        }
    }

    fn number(&mut self, what: &str) -> Result<i64, TraceError> {
        let line = self.at();
        match self.next()? {
            Some(Token::Number(text)) => text.parse().map_err(|_| {
                let shown = Token::Number(text).shown();
                TraceError::new(format!("found {shown}, a number of more than 63 bits"))
                    .at_line(line)
            }),
            other => Err(self.unexpected(other, what)),
        }
    }

    fn word(&mut self, expected: &'static str) -> Result<(), TraceError> {
        match self.next()? {
            Some(Token::Word(word)) if word == expected => Ok(()),
            other => Err(self.unexpected(other, &format!("{expected:?}"))),
        }
    }

    /// The end of an operation: the line ends, or the block does.
    fn end_of_line(&mut self) -> Result<(), TraceError> {
        match self.peek()? {
            None | Some(Token::Newline | Token::Close) => Ok(()),
            other => Err(self.unexpected(other, "the end of the line")),
        }
    }

    /// Goes past empty lines.
    fn lines(&mut self) -> Result<(), TraceError> {
        while self.peek()? == Some(Token::Newline) {
            self.next()?;
        }
        Ok(())
    }

    fn peek(&mut self) -> Result<Option<Token<'s>>, TraceError> {
        if self.peeked.is_none() {
            self.peeked = match self.lexer.next() {
                None => None,
                Some(Ok(token)) => Some(token),
                Some(Err(())) => return Err(self.no_word()),
            };
        }
        Ok(self.peeked)
    }

    fn next(&mut self) -> Result<Option<Token<'s>>, TraceError> {
        let token = self.peek()?;
        self.peeked = None;
        if token == Some(Token::Newline) {
            self.line += 1;
        }
        Ok(token)
    }

    /// The line of the word that was looked at last.
    fn at(&self) -> u32 {
        self.line.saturating_add(self.lexer.extras)
    }

    fn unexpected(&self, found: Option<Token<'s>>, expected: &str) -> TraceError {
        let found = found.map_or_else(|| "the end of the file".to_owned(), Token::shown);
        TraceError::new(format!("found {found}; expected {expected}")).at_line(self.at())
    }

    /// What begins no word.
    fn no_word(&self) -> TraceError {
        let rest = self.lexer.slice();
        let message = match rest.starts_with("/*") {
            true => "a comment has no end; close it with */".to_owned(),
            false => {
                let found: String = rest.chars().take(20).collect();
                format!("found {found:?}, which is no word of GOAL")
            }
        };
        TraceError::new(message).at_line(self.at())
    }
}
