//! Pages of HTML: reports and drawings.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A page begins with these bytes. A file that begins otherwise is not replaced.
#[cfg(feature = "folders")]
pub(crate) const MARK: &str = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"generator\" \
    content=\"lightloom\">";

/// A page.
pub(crate) fn page(title: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content="lightloom";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}
