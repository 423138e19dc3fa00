//! Names of ToRs and racks in user input. Every flag, list and Python argument with such a name is read here.
//!
//! | text | meaning |
//! |---|---|
//! | `tor:12` | ToR 12 |
//! | `rack:12` | the ToR in the rack named 12 |
//! | `12` | ToR 12; refused if a rack is named 12 and ToR 12 is not in it |
//! | `R7` | the ToR in the rack named R7 |
//!
//! A prefix is always read as a prefix: a rack named `tor:3` is written `rack:tor:3`.

use lightloom_request::InputError;
use lightloom_topology::{RackId, TorId};

use crate::project::Project;

/// Prefix of a ToR's number.
const TOR: &str = "tor:";
/// Prefix of a rack's name.
const RACK: &str = "rack:";

/// Why a text does not name exactly one ToR.
#[derive(Debug, Clone)]
pub enum Misnamed {
    /// No ToR and no rack has this name.
    Nothing(InputError),
    /// The text names two ToRs, or a rack without a ToR.
    NotOne(InputError),
}

impl Misnamed {
    /// The error for the user.
    pub fn into_error(self) -> InputError {
        match self {
            Self::Nothing(error) | Self::NotOne(error) => error,
        }
    }
}

/// The text around a ToR's name, so that a message can print a complete correction.
#[derive(Debug, Clone, Copy, Default)]
pub struct Around<'a> {
    /// Text before the name.
    pub before: &'a str,
    /// Text after the name.
    pub after: &'a str,
}

impl Around<'_> {
    fn write(self, tor: &str) -> String {
        format!("{}{tor}{}", self.before, self.after)
    }
}

/// A text without its prefix.
enum Written<'a> {
    Number(&'a str),
    Rack(&'a str),
    Plain(&'a str),
}

impl<'a> Written<'a> {
    fn new(text: &'a str) -> Self {
        let text = text.trim();
        match (text.strip_prefix(TOR), text.strip_prefix(RACK)) {
            (Some(number), _) => Self::Number(number.trim()),
            (_, Some(name)) => Self::Rack(name.trim()),
            _ => Self::Plain(text),
        }
    }
}

impl Project {
    /// Name of a ToR: the name of its rack.
    pub fn tor_name(&self, tor: TorId) -> &str {
        self.hall.rack(self.placement.rack(tor)).name.as_str()
    }

    /// A name that no other ToR has: that of its rack, with the ToR's number where several ToRs are one switch.
    pub fn own_tor_name(&self, tor: TorId) -> String {
        match self.is_logical() {
            true => format!("{} ToR {tor}", self.tor_name(tor)),
            false => self.tor_name(tor).to_owned(),
        }
    }

    /// Finds the ToR that a user names: `12` or `tor:12` by its number, `R7` or `rack:R7` by its rack.
    ///
    /// # Errors
    /// [`InputError`] if there is no such ToR. Also if a number is also the name of a rack that does not hold
    /// this ToR; the message then shows both readings.
    pub fn tor(&self, text: &str) -> Result<TorId, InputError> {
        self.tor_within(text, Around::default()).map_err(Misnamed::into_error)
    }

    /// Finds the ToRs of a list that is separated by commas.
    ///
    /// # Errors
    /// As [`Project::tor`]. Also if commas in names of racks make the list ambiguous.
    pub fn tors(&self, list: &str) -> Result<Vec<TorId>, InputError> {
        self.listed(list, |item| self.tor_within(item, Around::default()))
    }

    /// Like [`Project::tor`]. `around` is the text before and after the name.
    pub fn tor_within(&self, text: &str, around: Around<'_>) -> Result<TorId, Misnamed> {
        match Written::new(text) {
            Written::Number(number) => {
                self.tor_numbered(number).ok_or_else(|| self.nothing(number, text))
            }
            Written::Rack(name) => match self.rack_named(name) {
                Some(rack) => self.tor_in(rack),
                None => Err(self.nothing(name, text)),
            },
            Written::Plain(name) => match (self.tor_numbered(name), self.rack_named(name)) {
                (Some(tor), Some(rack)) if self.placement.rack(tor) != rack => {
                    Err(self.two(name, tor, rack, around))
                }
                (Some(tor), _) => Ok(tor),
                (None, Some(rack)) => self.tor_in(rack),
                (None, None) => Err(self.nothing(name, text)),
            },
        }
    }

    /// Finds the rack that a user names: `R7` or `rack:R7` by its name, `tor:12` by its ToR. A number without
    /// a prefix is a rack's name here.
    pub fn rack(&self, text: &str) -> Result<RackId, InputError> {
        let rack = match Written::new(text) {
            Written::Number(number) => {
                self.tor_numbered(number).map(|tor| self.placement.rack(tor))
            }
            Written::Rack(name) | Written::Plain(name) => self.rack_named(name),
        };
        rack.ok_or_else(|| {
            let example = self.tor_name(TorId(0));
            InputError::new(format!(
                "found {text:?}; name a rack of the design, such as {example:?}{}",
                self.hint(text)
            ))
        })
    }

    /// Reads the items of a list that is separated by commas. Names of racks may contain commas.
    pub fn listed<T>(
        &self,
        list: &str,
        read: impl Fn(&str) -> Result<T, Misnamed>,
    ) -> Result<Vec<T>, InputError> {
        let commas = |name: &str| name.bytes().filter(|&b| b == b',').count();
        let most = self.hall.racks().iter().map(|rack| commas(rack.name.as_str())).max();
        let ends: Vec<usize> =
            list.match_indices(',').map(|(at, _)| at).chain([list.len()]).collect();
        let begins: Vec<usize> = [0].into_iter().chain(ends.iter().map(|end| end + 1)).collect();
        let item = |from: usize, to: usize| list[begins[from]..ends[to]].trim();
        let one_by_one = || {
            let read = |i| read(item(i, i)).map_err(Misnamed::into_error);
            (0..ends.len()).map(read).collect::<Result<Vec<T>, InputError>>()
        };
        let Some(most @ 1..) = most else { return one_by_one() };

        // An item names at most two racks. From the last item backwards: the number of readings of the rest
        // (2 stands for more), and the end of the first item in such a reading.
        let mut ways = vec![(0_u8, 0_usize); ends.len() + 1];
        ways[ends.len()].0 = 1;
        for from in (0..ends.len()).rev() {
            for to in from..ends.len().min(from + 2 * most + 1) {
                let (after, _) = ways[to + 1];
                if after > 0 && !matches!(read(item(from, to)), Err(Misnamed::Nothing(_))) {
                    ways[from] = ((ways[from].0 + after).min(2), to);
                }
            }
        }
        match ways[0].0 {
            0 => one_by_one(),
            1 => {
                let mut items = Vec::new();
                let mut from = 0;
                while from < ends.len() {
                    let to = ways[from].1;
                    items.push(read(item(from, to)).map_err(Misnamed::into_error)?);
                    from = to + 1;
                }
                Ok(items)
            }
            _ => Err(InputError::new(format!(
                "found {list:?}, which can be read in more than one way, because names of racks have \
                 commas in them; write each ToR by its number, such as tor:0"
            ))),
        }
    }

    /// The ToR with a number. The text must have only digits.
    pub fn tor_numbered(&self, digits: &str) -> Option<TorId> {
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let number = digits.parse().ok().filter(|_| plain).map(TorId);
        number.filter(|tor| tor.index() < self.fabric.tors())
    }

    /// The rack with a name.
    fn rack_named(&self, name: &str) -> Option<RackId> {
        let racks = self.hall.racks().iter();
        let named = (0..).map(RackId).zip(racks).find(|(_, rack)| rack.name.as_str() == name);
        named.map(|(id, _)| id)
    }

    /// The ToR in a rack. Its switch may be several logical ToRs, of which the name of a rack names none.
    fn tor_in(&self, rack: RackId) -> Result<TorId, Misnamed> {
        let (name, tors) = (self.hall.rack(rack).name.as_str(), self.held_in(rack));
        match &self.placement.tors_in(rack).collect::<Vec<_>>()[..] {
            &[tor] => Ok(tor),
            several => {
                let which =
                    if several.is_empty() { "; " } else { ", logical ToRs of one switch; " };
                let message =
                    format!("found rack {name:?}, which holds {tors}{which}{}", self.expected());
                Err(Misnamed::NotOne(InputError::new(message)))
            }
        }
    }

    /// The ToRs in a rack, in words.
    fn held_in(&self, rack: RackId) -> String {
        let tors: Vec<String> = self.placement.tors_in(rack).map(|tor| tor.to_string()).collect();
        match &tors[..] {
            [] => "no ToR".into(),
            [tor] => format!("ToR {tor}"),
            [first @ .., last] => format!("ToRs {} and {last}", first.join(", ")),
        }
    }

    fn two(&self, name: &str, tor: TorId, rack: RackId, around: Around<'_>) -> Misnamed {
        let held = self.held_in(rack);
        let [by_number, by_rack] = [format!("{TOR}{name}"), format!("{RACK}{name}")];
        Misnamed::NotOne(InputError::new(format!(
            "{name} is ToR {tor}, in rack {}, and rack {name}, which holds {held}; write {} or {}",
            self.tor_name(tor),
            around.write(&by_number),
            around.write(&by_rack)
        )))
    }

    fn nothing(&self, found: &str, text: &str) -> Misnamed {
        let message = format!("found {found:?}; {}{}", self.expected(), self.hint(text));
        Misnamed::Nothing(InputError::new(message))
    }

    fn expected(&self) -> String {
        let (last, name) = (self.fabric.tors() - 1, self.tor_name(TorId(0)));
        if self.is_logical() {
            return format!("name a ToR by its number, 0 to {last}");
        }
        let needs_prefix =
            !matches!(Written::new(name), Written::Plain(_)) || self.tor_numbered(name).is_some();
        let example = if needs_prefix { format!("{RACK}{name}") } else { name.to_owned() };
        format!("name a ToR by its number, 0 to {last}, or its rack, such as {example:?}")
    }

    /// How to write the name of a rack that begins with a prefix.
    fn hint(&self, text: &str) -> String {
        let text = text.trim();
        match (Written::new(text), self.rack_named(text)) {
            (Written::Plain(_), _) | (_, None) => String::new(),
            _ => format!("; the rack of that name is written {RACK}{text}"),
        }
    }
}
