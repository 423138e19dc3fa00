//! Cells and lists that several tables share.

use lightloom::Family;

use crate::width::Sheet;

/// Rows that a table shows before it says how many more there are.
pub(crate) const SHOWN: usize = 40;

pub(crate) fn table(header: &[impl ToString]) -> Sheet {
    Sheet::new(header)
}

pub(crate) fn fabric_name(family: Family, p: u32, k: Option<u32>) -> String {
    match k {
        Some(k) => format!("{p},{k}-Shufflecast"),
        None => format!("{family}, 1:{p}"),
    }
}

pub(crate) fn hops(max: u32, mean: f64) -> String {
    format!("{max} / {mean:.2}")
}

pub(crate) fn known(value: Option<impl ToString>) -> String {
    value.map_or("not computed at this size".into(), |value| value.to_string())
}

pub(crate) fn list<T: ToString>(items: &[T]) -> String {
    let shown: Vec<String> = items.iter().take(SHOWN).map(ToString::to_string).collect();
    format!("{}{}", shown.join(", "), if items.len() > SHOWN { ", …" } else { "" })
}

pub(crate) fn more(rows: usize) -> String {
    if rows > SHOWN {
        format!("\n… and {} more; --json lists all", rows - SHOWN)
    } else {
        String::new()
    }
}
