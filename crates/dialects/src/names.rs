//! Names of a design in configurations. None of them can put a line or a word of its own into one.

use std::fmt::Write as _;

use lightloom_design::devices::name::InterfaceName;
use lightloom_request::InputError;
use lightloom_switching::config::{PortUse, SwitchPort};
use lightloom_switching::fabric::Configs;
use lightloom_switching::unicast::UnicastPort;
use lightloom_topology::TorId;

/// Longest text of a description, in bytes. EOS takes 240, SONiC 255.
const LONGEST_TEXT: usize = 200;
/// Longest name of an interface, in bytes.
const LONGEST_NAME: usize = 64;

/// The name of a port's interface, for a language in which it is a word of a command or a key.
///
/// # Errors
/// [`InputError`] if the design names no interface, or if the name has other characters than letters, digits and
/// `/ . : - _`, or does not start with a letter.
pub fn interface<'a>(
    dialect: &str,
    tor: TorId,
    port: &'a SwitchPort,
) -> Result<&'a str, InputError> {
    let Some(name) = &port.interface else {
        return Err(without_name(dialect, tor, &format!("port {}", port.number)));
    };
    as_word(dialect, tor, name)
}

/// The same for a unicast port.
///
/// # Errors
/// As for [`interface`].
pub fn unicast_interface<'a>(dialect: &str, port: &UnicastPort<'a>) -> Result<&'a str, InputError> {
    let name = port.interface.ok_or_else(|| without_name(dialect, port.tor, "a server"))?;
    as_word(dialect, port.tor, name)
}

fn without_name(dialect: &str, tor: TorId, what: &str) -> InputError {
    InputError::new(format!(
        "the design names no interface for {what} of ToR {tor}, and {dialect} sets ports by name; name a switch model \
         whose row lists interfaces, or an inventory of interfaces"
    ))
}

fn as_word<'a>(dialect: &str, tor: TorId, name: &'a InterfaceName) -> Result<&'a str, InputError> {
    if is_plain(name.as_str()) {
        return Ok(name.as_str());
    }
    let name = name.as_str();
    Err(InputError::new(format!(
        "interface {name:?} of ToR {tor} cannot stand in a configuration of {dialect}; rename it with letters, digits, \
         /, ., :, - and _, a letter first"
    )))
}

/// Whether a name is one word in every dialect.
pub fn is_plain(name: &str) -> bool {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "/.:-_".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.len() <= LONGEST_NAME
        && name.chars().all(is_safe)
}

/// A text for a description or a comment. Letters, digits, spaces within, and `/ . : - _ ( ) ,` stay; other bytes are
/// written as `%` and two digits, as in addresses of web pages. A text that is too long is cut.
pub fn escaped(text: &str) -> String {
    let mut written = String::new();
    for byte in text.trim().bytes() {
        let before = written.len();
        if byte.is_ascii_alphanumeric() || b" /.:-_(),".contains(&byte) {
            written.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(written, "%{byte:02X}");
        }
        if written.len() > LONGEST_TEXT {
            written.truncate(before);
            break;
        }
    }
    written.trim_end().to_owned()
}

/// What a port is for, as a description.
pub fn about(configs: &Configs<'_>, port: &SwitchPort) -> String {
    escaped(&match port.used_for {
        PortUse::Fabric { hears, transmits, .. } => {
            let heard =
                hears.map(|tor| format!("hears ToR {tor} ({})", configs.project.tor_name(tor)));
            let does = transmits.then(|| "transmits".to_owned());
            does.into_iter().chain(heard).collect::<Vec<_>>().join(", ")
        }
        PortUse::Server(id) => format!("server {}", configs.servers.all()[id.0].name),
        PortUse::Unicast | PortUse::Uplink => "unicast network".to_owned(),
        PortUse::Accelerator(port) => format!("accelerator, port {port}"),
    })
}

/// A command of a catalogue row, as one line.
///
/// # Errors
/// [`InputError`] if it has other characters than printable ASCII, or one that starts a comment or another command.
pub fn command<'a>(field: &str, text: &'a str) -> Result<&'a str, InputError> {
    let is_safe = |c: char| (c == ' ' || c.is_ascii_graphic()) && !"!;|\"'`?".contains(c);
    let command = text.trim_matches(' ');
    if !command.is_empty() && command.len() <= LONGEST_TEXT && command.chars().all(is_safe) {
        return Ok(command);
    }
    Err(InputError::new(format!(
        "found {text:?} as {field} of the switch model; expected one command of printable ASCII without ! ; | ? and \
            quotes"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hostile_names_are_no_words() {
        for name in [
            "",
            "1",
            "Ethernet1 shutdown",
            "Ethernet1\nshutdown",
            "Ethernet1!",
            "Ethernet1;reload",
            "Ethernet1\"",
            "Ethernet1|x",
            "Ethernet1\r",
            "Ethernét1",
            "Ethernet1,2",
            "Ethernet1\u{2028}x",
        ] {
            assert!(!is_plain(name), "{name:?}");
        }
        for name in ["Ethernet1", "Ethernet49/1", "et-0/0/0:3", "Ethernet1.10"] {
            assert!(is_plain(name), "{name:?}");
        }
    }

    #[test]
    fn commands_are_one_line() {
        let good = "link-fault-signal rx off tx off";
        assert_eq!(command("x", good).expect("it is one"), good);
        for bad in ["", " ", "a\nb", "a\rb", "a ! b", "a; b", "a\"b", "ä", "a\tb", "a?"] {
            assert!(command("x", bad).is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn escaped_texts_are_one_plain_line_and_can_be_read_back(text in ".{0,60}") {
            let written = escaped(&text);
            prop_assert!(written.bytes().all(|b| b.is_ascii_alphanumeric() || b" /.:-_(),%".contains(&b)));
            prop_assert!(written.len() <= LONGEST_TEXT);
            prop_assert_eq!(written.trim(), &written);
            if written.len() + 3 < LONGEST_TEXT {
                let mut bytes = Vec::new();
                let mut rest = written.as_bytes();
                while let Some((&first, after)) = rest.split_first() {
                    if first == b'%' {
                        let digits = std::str::from_utf8(&after[..2]).expect("ASCII");
                        bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
                        rest = &after[2..];
                    } else {
                        bytes.push(first);
                        rest = after;
                    }
                }
                prop_assert_eq!(String::from_utf8(bytes).expect("UTF-8"), text.trim());
            }
        }
    }
}
