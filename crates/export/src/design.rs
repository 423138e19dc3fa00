//! A commented design file, made from the declarations of the settings.

use std::fmt::Write as _;
use std::path::Path;

use lightloom_plan::project::Project;
use lightloom_request::key::{Default, Key};
use lightloom_request::{InputError, Settings, Takes, Value, setting};

/// Longest line of a comment, in characters.
const WIDTH: usize = 100;

/// The text of a design file for a project, with its given settings. Other settings are comments, with their
/// defaults.
///
/// # Errors
/// [`InputError`] if a setting has a value of another kind.
pub fn design_text(
    project: &Project,
    settings: &Settings,
    out: &Path,
) -> Result<String, InputError> {
    let said = said(project, settings, out)?;
    let mut text =
        String::from("# A lightloom design. Lengths carry their unit: \"2.7 m\".\nversion = 1\n");
    for (section, about) in setting::sections() {
        let _ = writeln!(text, "\n[{section}]");
        comment(&mut text, about.trim());
        if section == "fabric" {
            comment(&mut text, project.design().fabric.comment());
        }
        for key in setting::all().iter().filter(|key| key.section() == section) {
            let value = said.iter().find(|(known, _)| known == key).map(|(_, value)| value);
            comment(&mut text, &help(key));
            let _ = match value {
                Some(value) => writeln!(text, "{} = {}", key.field(), written(value)),
                None => writeln!(text, "# {} = {}", key.field(), written(&example(key))),
            };
        }
    }
    Ok(text)
}

/// The settings of the design file: the chosen fabric, router and splitters, and all given settings.
fn said(
    project: &Project,
    settings: &Settings,
    out: &Path,
) -> Result<Vec<(Key, Value)>, InputError> {
    let design = project.design();
    let mut said = design.fabric.settings();
    said.push((*setting::routing::ROUTER, Value::from(design.router.name().name())));
    if design.router.extra_hops() > 0 {
        let hops = Value::Integer(design.router.extra_hops().into());
        said.push((*setting::routing::EXTRA_HOPS, hops));
    }
    said.push((*setting::splitters::HOUSING, Value::from(design.scheme.housing.name())));
    let spares = Value::Integer(design.spares_percent.into());
    said.push((*setting::order::SPARES_PERCENT, spares));
    for (section, _) in setting::sections() {
        for (name, value) in settings.said_in(section) {
            let known = said.iter().any(|(key, _)| key.name == name);
            let key = setting::all().into_iter().find(|key| key.name == name);
            let Some(key) = key.filter(|_| !known) else { continue };
            // The number of ToRs follows from p and k, so the file omits it.
            if key == *setting::fabric::TORS {
                continue;
            }
            let value = match key.takes {
                Takes::Path => Value::Text(path_from(out, &settings.path_of(&key)?)),
                _ => value.clone(),
            };
            said.push((key, value));
        }
    }
    Ok(said)
}

/// The help of a setting, with its choices and default.
fn help(key: &Key) -> String {
    let mut help = key.help.to_owned();
    if let Takes::Choice(_) = key.takes {
        let _ = write!(help, " One of {}.", key.takes.words().join(", "));
    }
    let default = match key.default {
        Default::Value(value) => written(&value.into()),
        Default::Depends(words, _) => words.to_owned(),
    };
    let _ = write!(help, " Default: {default}.");
    help
}

/// An example value of a setting.
fn example(key: &Key) -> Value {
    match key.default {
        Default::Value(value) | Default::Depends(_, value) => value.into(),
    }
}

/// Writes a comment in lines of at most [`WIDTH`] characters.
fn comment(text: &mut String, comment: &str) {
    let mut line = String::from("#");
    for word in comment.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(text, "{line}");
            line = String::from("#");
        }
        line.push(' ');
        line.push_str(word);
    }
    let _ = writeln!(text, "{line}");
}

/// A value as TOML. Texts are quoted, so that a text cannot be read as anything else.
fn written(value: &Value) -> String {
    let quote = |text: &String| toml::Value::String(text.clone()).to_string();
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => quote(text),
        Value::List(list) => {
            format!("[{}]", list.iter().map(quote).collect::<Vec<_>>().join(", "))
        }
    }
}

/// A path as the design file must write it: unchanged if both are in one folder, otherwise absolute.
fn path_from(out: &Path, path: &Path) -> String {
    let beside = out.parent().is_none_or(|parent| parent.as_os_str().is_empty());
    let path = if beside {
        path.to_path_buf()
    } else {
        std::path::absolute(path).unwrap_or(path.to_path_buf())
    };
    path.to_string_lossy().into_owned()
}
