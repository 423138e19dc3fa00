//! Commands that a page prints: in shell blocks, in code within a line, in comments of examples.

use std::path::Path;

/// A command and where it stands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Printed {
    pub(crate) line: usize,
    pub(crate) command: String,
}

impl Printed {
    /// Whether this may be no more than the name of a command: `lightloom verify`.
    pub(crate) fn is_a_name(&self) -> bool {
        self.command.split_whitespace().count() == 2
    }
}

/// The lines of all blocks that are marked as `sh`, with their numbers from 1.
pub(crate) fn fenced_shell(page: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut block: Option<bool> = None;
    for (number, line) in (1..).zip(page.lines()) {
        match (line.trim_start().strip_prefix("```"), block) {
            (Some(mark), None) => block = Some(matches!(mark.trim(), "sh" | "bash" | "console")),
            (Some(_), Some(_)) => block = None,
            (None, Some(true)) => found.push((number, line.trim_start_matches("$ "))),
            (None, _) => {}
        }
    }
    found
}

/// All commands of a page in its order. A page of Markdown has shell blocks and code in backticks, a
/// source has code in backticks in its comments and texts, and an example has comments.
pub(crate) fn printed_commands(page: &Path, text: &str) -> Vec<Printed> {
    let ending = page.extension().unwrap_or_default();
    let mut found =
        if ending == "toml" { commented(text) } else { in_backticks(text, ending == "md") };
    if ending == "md" {
        for (line, printed) in fenced_shell(text) {
            let command = printed.split(" #").next().unwrap_or_default().trim();
            if command.starts_with("lightloom ") {
                found.push(Printed { line, command: command.into() });
            }
        }
    }
    found.sort_by_key(|printed| printed.line);
    found
}

/// `#   lightloom …` on a line of its own.
fn commented(text: &str) -> Vec<Printed> {
    let lines = (1..).zip(text.lines());
    let command = |line: &str| {
        let said = line.trim().strip_prefix('#')?.trim();
        said.starts_with("lightloom ").then(|| said.to_owned())
    };
    lines.filter_map(|(line, said)| Some(Printed { line, command: command(said)? })).collect()
}

/// Code in backticks that begins with the command's name; it may run over the end of a line, but not
/// over an empty one. Blocks are left out.
fn in_backticks(text: &str, markdown: bool) -> Vec<Printed> {
    let mut found = Vec::new();
    let mut paragraph: Vec<(usize, &str)> = Vec::new();
    let mut in_block = false;
    let ends = (1..).zip(text.lines()).chain([(0, "")]);
    for (number, line) in ends {
        let said = line.trim();
        let said = if markdown { said } else { uncommented(said) };
        let fence = said.starts_with("```");
        if fence || in_block || said.is_empty() || said.starts_with('|') {
            of_paragraph(&paragraph, &mut found);
            paragraph.clear();
        }
        in_block ^= fence;
        match said {
            _ if fence || in_block => {}
            row if row.starts_with('|') => of_paragraph(&[(number, row)], &mut found),
            said => paragraph.push((number, said)),
        }
    }
    found
}

fn uncommented(line: &str) -> &str {
    let marks = ["//!", "///", "//", "#"];
    marks.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line).trim()
}

fn of_paragraph(lines: &[(usize, &str)], found: &mut Vec<Printed>) {
    let text = lines.iter().map(|(_, line)| *line).collect::<Vec<_>>().join("\n");
    let first = lines.first().map_or(0, |(number, _)| *number);
    let mut before = 0;
    for (i, part) in text.split('`').enumerate() {
        let command = part.split_whitespace().collect::<Vec<_>>().join(" ");
        if i % 2 == 1 && command.starts_with("lightloom ") {
            found.push(Printed { line: first + before, command });
        }
        before += part.matches('\n').count();
    }
}

#[test]
fn commands_are_found_where_pages_print_them() {
    let page = "Text `lightloom verify` and `other`.\n\n```sh\nmake it\nlightloom new -o a   # a comment\n\
                ```\n\n```toml\n`lightloom not this`\n```\n| `lightloom tree a --source 'x y'` | b |\n\
                It goes (`lightloom budget --family\nkautz`, on).\n";
    let found = printed_commands(Path::new("a.md"), page);
    let found: Vec<(usize, &str)> = found.iter().map(|p| (p.line, p.command.as_str())).collect();
    assert_eq!(
        found,
        [
            (1, "lightloom verify"),
            (5, "lightloom new -o a"),
            (11, "lightloom tree a --source 'x y'"),
            (12, "lightloom budget --family kautz"),
        ]
    );
    assert_eq!(fenced_shell(page), [(4, "make it"), (5, "lightloom new -o a   # a comment")]);
    let example = "# Run:\n#   lightloom simulate s.toml\nversion = 1 # lightloom new\n";
    let found = printed_commands(Path::new("a.toml"), example);
    assert_eq!(found, [Printed { line: 2, command: "lightloom simulate s.toml".into() }]);
    let source = "//! `lightloom simulate`: its\n/// `lightloom\n/// fabric`\nfn f() {}\n";
    let found = printed_commands(Path::new("a.rs"), source);
    let found: Vec<&str> = found.iter().map(|p| p.command.as_str()).collect();
    assert_eq!(found, ["lightloom simulate", "lightloom fabric"]);
}
