//! Catalogues: those that come with lightloom, and the user's own file over them.

mod parts;

use std::collections::BTreeMap;
use std::path::Path;

use lightloom_catalogue::Shipped;
use lightloom_plan::catalogue::Catalogue;
use lightloom_plan::catalogue::DEFAULT;
use lightloom_power_cost::Accounting;
use lightloom_power_cost::Catalogue as Parts;
use lightloom_request::{InputError, Settings};

use crate::rows::Document;
use crate::text;

/// Stock lengths and fibre, and switch models: part of every catalogue.
const COMMON: [Shipped; 2] = [lightloom_catalogue::FIBRE, lightloom_catalogue::SWITCHES];

/// The catalogues that come with lightloom, by name.
const SHIPPED: [(&str, Shipped); 2] = [
    (DEFAULT, lightloom_catalogue::SHUFFLECAST_2022),
    ("datasheets-2026", lightloom_catalogue::DATASHEETS_2026),
];

/// The catalogue that settings name, with the user's file over it.
///
/// # Errors
/// [`InputError`] at the first row that is wrong.
pub fn read(settings: &Settings) -> Result<Catalogue, InputError> {
    let name = settings.text("optics.catalogue")?.unwrap_or(DEFAULT);
    let (_, Shipped { path, text }) = SHIPPED.iter().find(|(shipped, _)| *shipped == name).ok_or_else(|| {
        let known = SHIPPED.map(|(name, _)| name).join(", ");
        let message = format!(
            "found {name:?}; expected one of {known} (a file of your own goes into parts, --parts)"
        );
        settings.refuse("optics.catalogue", message)
    })?;
    let mut catalogue = common(name)?;
    add(&mut catalogue, Path::new(path), text)?;
    if let Some(path) = settings.path("optics.parts")? {
        add(&mut catalogue, &path, &text::read_up_to(settings.texts(), &path, 16 << 20)?)?;
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        let own = own.replace(char::is_control, "?");
        catalogue.name = format!("{name} + {own}");
    }
    let accounting = "cost.fibre_accounting";
    if let Some(said) = settings.text(accounting)? {
        let price = catalogue.price.as_mut().expect("catalogue/fibre.toml has a price");
        price.accounting = Accounting::named(said).ok_or_else(|| {
            let message = format!("found {said:?}; expected half or whole");
            settings.refuse(accounting, message)
        })?;
    }
    Ok(catalogue)
}

fn common(name: &str) -> Result<Catalogue, InputError> {
    let mut catalogue = Catalogue {
        name: name.into(),
        stock: None,
        price: None,
        price_of: None,
        parts: Parts::default(),
        prices: BTreeMap::new(),
    };
    for Shipped { path, text } in COMMON {
        add(&mut catalogue, Path::new(path), text)?;
    }
    Ok(catalogue)
}

/// Puts the rows of a file over those that are there.
fn add(to: &mut Catalogue, file: &Path, text: &str) -> Result<(), InputError> {
    let document = Document::parse(file, text)?;
    for row in document.rows(|section| parts::SINGLE.contains(&section))? {
        parts::put(&row, to)?;
        to.prices.insert(row.path(), row.refuse("price", ""));
    }
    Ok(())
}
