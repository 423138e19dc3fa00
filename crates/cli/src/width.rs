//! Tables and sentences that fit the columns of a terminal.

use std::fmt;

use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, Row, Table, Width, presets,
};
use lightloom::units::text::shown_lines;
use unicode_width::UnicodeWidthStr;

/// Columns that help, tables and sentences fill at most.
pub(crate) const LIMIT: u16 = 100;

/// The same as a count.
pub(crate) const COLUMNS: usize = LIMIT as usize;

/// What begins a line that stays whole: lines of tables, and a command to copy.
const WHOLE: [&str; 6] = ["┌", "│", "├", "╞", "└", "Next: "];

/// A table that wraps its cells at spaces where it would be too wide.
pub(crate) struct Sheet(Table);

impl Sheet {
    /// An empty table; all columns but the first are aligned to the right.
    pub(crate) fn new(header: &[impl ToString]) -> Self {
        let mut table = Table::new();
        table.load_style(presets::UTF8_FULL_CONDENSED);
        table.set_header(header.iter().map(ToString::to_string));
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        Self(table)
    }

    /// Adds a row, which has a cell for each column: with one less, values would stand under names of others.
    pub(crate) fn add_row(&mut self, row: impl Into<Row>) {
        let row: Row = row.into();
        debug_assert_eq!(row.cell_iter().count(), self.0.column_count(), "cells of a row");
        // Widths are those of what is shown.
        self.0.add_row(row.cell_iter().map(|cell| shown_lines(&cell.content()).to_string()));
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.0.column_max_content_widths();
        // A space on each side of a cell, a rule beside each column, and one more at the end.
        let room = COLUMNS.saturating_sub(3 * whole.len() + 1);
        if total(&whole, u16::MAX) <= room {
            return self.0.fmt(f);
        }
        let mut table = self.0.clone();
        let words: Vec<u16> = (0..whole.len()).map(|column| longest_word(&table, column)).collect();
        let widths = widths(&whole, &words, room);
        table.set_content_arrangement(ContentArrangement::Dynamic);
        for (column, width) in table.column_iter_mut().zip(widths) {
            // comfy-table counts the spaces on both sides.
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width + 2)));
        }
        table.fmt(f)
    }
}

/// The widths of columns that together take no more than `room`, given the widths of their longest
/// lines and words. The widest columns give way first. Words are cut only where not all fit, the
/// longest first: names, since no number is that long.
fn widths(whole: &[u16], words: &[u16], room: usize) -> Vec<u16> {
    let most = |fits: &dyn Fn(u16) -> usize| {
        (1..=LIMIT).take_while(|&limit| fits(limit) <= room).last().unwrap_or(1)
    };
    let longest = most(&|limit| total(words, limit));
    let width = |limit: u16, i: usize| whole[i].min(limit).max(words[i].min(longest));
    let limit = most(&|limit| (0..whole.len()).map(|i| usize::from(width(limit, i))).sum());
    (0..whole.len()).map(|i| width(limit, i)).collect()
}

/// The sum of widths, none above a limit.
fn total(widths: &[u16], limit: u16) -> usize {
    widths.iter().map(|width| usize::from(*width.min(&limit))).sum()
}

/// The width of the longest word of a column, its header included.
fn longest_word(table: &Table, column: usize) -> u16 {
    let cells = table.column_cells_with_header_iter(column).flatten();
    let texts = cells.map(Cell::content);
    let widths = texts.map(|text| text.split_whitespace().map(UnicodeWidthStr::width).max());
    let longest = widths.flatten().max().unwrap_or(0);
    u16::try_from(longest).unwrap_or(u16::MAX)
}

/// A text whose sentences are wrapped at spaces. What goes on is indented by two more columns. A word
/// that is longer than a line stays whole.
pub(crate) fn wrapped(text: &str) -> String {
    text.split_inclusive('\n').map(wrapped_line).collect()
}

fn wrapped_line(line: &str) -> String {
    if line.width() <= COLUMNS || WHOLE.iter().any(|start| line.starts_with(start)) {
        return line.to_owned();
    }
    let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
    let indent = body.len() - body.trim_start_matches(' ').len();
    let mut wrapped = " ".repeat(indent);
    let mut used = indent;
    for (i, word) in body[indent..].split(' ').enumerate() {
        if i > 0 && used + 1 + word.width() > COLUMNS {
            wrapped += "\n";
            wrapped += &" ".repeat(indent + 2);
            used = indent + 2;
        } else if i > 0 {
            wrapped += " ";
            used += 1;
        }
        wrapped += word;
        used += word.width();
    }
    wrapped + end
}

#[test]
fn lines_break_at_spaces_and_keep_their_words() {
    let long = "  relay:12 and 345 more, ".repeat(9);
    let wrapped_text = wrapped(&format!("{long}\nshort\n"));
    assert!(wrapped_text.lines().all(|line| line.width() <= COLUMNS), "{wrapped_text}");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&wrapped_text), words(&format!("{long} short")));
    assert!(wrapped_text.lines().nth(1).is_some_and(|line| line.starts_with("    ")));
    assert!(wrapped_text.ends_with("\nshort\n"));
    let word = "x".repeat(120);
    assert_eq!(wrapped(&word), word);
    let command = format!("Next: lightloom plan {} {}", "a b ".repeat(30), word);
    assert_eq!(wrapped(&command), command);
}

#[test]
fn a_wide_table_fits_and_keeps_its_numbers() {
    let mut sheet = Sheet::new(&["what", "a / b / c", "n"]);
    let numbers: Vec<String> = (0..20).map(|i| format!("{}", 1_234_567 + i * 111)).collect();
    sheet.add_row([
        "some words that are long enough".into(),
        numbers.join(" / "),
        "12345678".to_owned(),
    ]);
    let shown = sheet.to_string();
    assert!(shown.lines().all(|line| line.width() <= COLUMNS), "{shown}");
    for number in numbers.iter().map(String::as_str).chain(["12345678"]) {
        assert!(shown.contains(number), "{number} is not whole in\n{shown}");
    }
    let mut named = Sheet::new(&["name", "n"]);
    named.add_row(["N".repeat(128), "12345678".to_owned()]);
    let shown = named.to_string();
    assert!(shown.lines().all(|line| line.width() <= COLUMNS), "{shown}");
    assert!(shown.contains("12345678"), "{shown}");
}
