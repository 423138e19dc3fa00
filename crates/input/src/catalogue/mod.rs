//! Reads catalogues: the built-in ones, and the user's file, whose rows override theirs.

mod checked;
mod parts;
mod price;
mod switch;
mod transceiver;

use std::path::Path;

use lightloom_catalogue::Shipped;
use lightloom_design::catalogue::Catalogue;
use lightloom_plant::Hardware;
use lightloom_power_cost::PartLists;
use lightloom_request::choices::CatalogueName;
use lightloom_request::{InputError, Settings, Value, setting};
use lightloom_units::text::shown_path;

use crate::catalogue::price::{OwnPrices, settle};
use crate::rows::{Document, Row};
use crate::text;

/// Stock lengths, fibre prices and switch models. Every catalogue has them.
const COMMON: [Shipped; 2] = [lightloom_catalogue::FIBRE, lightloom_catalogue::SWITCHES];

/// The text of a built-in catalogue.
fn shipped(name: CatalogueName) -> Shipped {
    match name {
        CatalogueName::Shufflecast2022 => lightloom_catalogue::SHUFFLECAST_2022,
        CatalogueName::Datasheets2026 => lightloom_catalogue::DATASHEETS_2026,
    }
}

/// Reads the catalogue that the settings name. Rows of the user's file override it.
///
/// # Errors
/// [`InputError`] at the first wrong row.
pub fn read(settings: &Settings) -> Result<Catalogue, InputError> {
    let key = &setting::optics::CATALOGUE;
    let mut given = settings.said_in(key.section());
    let is_text = given.any(|(name, value)| name == key.name && matches!(value, Value::Text(_)));
    let said = settings.get(key).map_err(|refused| {
        if !is_text {
            return refused;
        }
        // The message lists the catalogues. An unknown name may be meant as a file, which is another setting.
        let message = refused.message.clone().text(" (a file of your own goes into parts, ");
        let message = message.setting(&setting::optics::PARTS, None).text(")");
        InputError { message, ..refused }
    })?;
    let name = said.unwrap_or_else(|| setting::optics::CATALOGUE.default_value());
    let Shipped { path, text } = shipped(name);
    let name = name.name();
    let mut catalogue = common(name)?;
    add(&mut catalogue, Path::new(path), text)?;
    let mut own = OwnPrices::default();
    if let Some(path) = settings.path(&setting::optics::PARTS)? {
        let text = text::read_up_to(settings.texts(), &path, 16 << 20)?;
        add_noting(&mut catalogue, &path, &text, &mut |row| own.note(row))?;
        let own = shown_path(Path::new(path.file_name().unwrap_or_default()));
        catalogue.name = format!("{name} + {own}");
    }
    if let Some(accounting) = settings.get(&setting::cost::FIBRE_ACCOUNTING)? {
        let price = catalogue.price.as_mut().expect("catalogue/fibre.toml has a price");
        price.accounting = accounting;
    }
    settle(&mut catalogue, settings, &own)?;
    Ok(catalogue)
}

/// The parts of the built-in catalogue that a plan was made with, or of the usual one. A plan that was read back keeps
/// only the rows that it uses, and its report offers others.
///
/// # Errors
/// [`InputError`] if the built-in catalogue is wrong.
pub fn shipped_parts(named: Option<&str>) -> Result<(String, PartLists), InputError> {
    let is_named = |name: &CatalogueName| named.is_some_and(|named| named.starts_with(name.name()));
    let name = CatalogueName::ALL.into_iter().find(is_named);
    let name = name.unwrap_or_else(|| setting::optics::CATALOGUE.default_value());
    let Shipped { path, text } = shipped(name);
    let mut catalogue = common(name.name())?;
    add(&mut catalogue, Path::new(path), text)?;
    Ok((catalogue.name, catalogue.parts))
}

fn common(name: &str) -> Result<Catalogue, InputError> {
    let mut catalogue = Catalogue {
        name: name.into(),
        stock: None,
        trunk_stock: None,
        hardware: Hardware::default(),
        price: None,
        price_of: None,
        parts: PartLists::default(),
        currency: "USD".parse().expect("three capital letters"),
    };
    for Shipped { path, text } in COMMON {
        add(&mut catalogue, Path::new(path), text)?;
    }
    Ok(catalogue)
}

/// Adds the rows of a file. They override earlier rows of the same name.
fn add(to: &mut Catalogue, file: &Path, text: &str) -> Result<(), InputError> {
    add_noting(to, file, text, &mut |_| Ok(()))
}

/// Adds the rows of a file, and notes each.
fn add_noting(
    to: &mut Catalogue,
    file: &Path,
    text: &str,
    note: &mut dyn FnMut(&Row<'_>) -> Result<(), InputError>,
) -> Result<(), InputError> {
    let document = Document::parse(file, text)?;
    for row in document.rows(|section| parts::SINGLE.contains(&section))? {
        parts::put(&row, to)?;
        note(&row)?;
    }
    Ok(())
}
