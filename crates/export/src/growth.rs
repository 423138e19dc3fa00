//! `growth.csv` and `stages.json`: the cords that move, and the rules that change, of a plan that grew or shrank.

use lightloom_plan::growth::cords::CordRow;
use lightloom_plan::growth::staging::Staging;
use lightloom_tables::sheet::Sheet;
use lightloom_units::Length;
use serde::Serialize;

/// The file of cords in a plan folder.
pub const CORDS: &str = "growth.csv";
/// The file of stages in a plan folder.
pub const STAGES: &str = "stages.json";
/// Value of `format` in the file of stages.
pub const FORMAT: &str = "lightloom-stages";
/// Version of that format.
pub const VERSION: u32 = 1;

/// The content of `growth.csv`: one row a cord or trunk that is built, moved, plugged or taken out, in the order of
/// work. Those that keep both ends are not listed. `lay_m` is the stock length of a new cord; with a moved cord it says
/// that the old one is too short.
pub fn csv(cords: &[CordRow]) -> Vec<u8> {
    let mut sheet = Sheet::new([
        "stage",
        "order",
        "action",
        "label",
        "kind",
        "tor",
        "old_near",
        "old_far",
        "new_near",
        "new_far",
        "needed_m",
        "there_m",
        "long_enough",
        "lay_m",
    ]);
    let length = |of: Option<Length>| of.map(Length::to_metres_string).unwrap_or_default();
    let (mut stage, mut order) = (usize::MAX, 0);
    for cord in cords {
        order = if cord.stage == stage { order + 1 } else { 1 };
        stage = cord.stage;
        let ends = |of: &Option<(String, String)>| of.clone().unwrap_or_default();
        let ((old_near, old_far), (new_near, new_far)) =
            (ends(&cord.old_ends), ends(&cord.new_ends));
        let long_enough = match (cord.there, cord.needed) {
            (Some(_), Some(_)) if cord.lay.is_some() => "no",
            (Some(_), Some(_)) => "yes",
            _ => "",
        };
        sheet.row([
            cord.stage.to_string().into(),
            order.to_string().into(),
            cord.action.name().into(),
            cord.label.as_str().into(),
            cord.kind.name().into(),
            cord.tor.map(|tor| tor.to_string()).unwrap_or_default().into(),
            old_near.into(),
            old_far.into(),
            new_near.into(),
            new_far.into(),
            length(cord.needed).into(),
            length(cord.there).into(),
            long_enough.into(),
            length(cord.lay).into(),
        ]);
    }
    sheet.into_bytes()
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'a str,
    version: u32,
    #[serde(flatten)]
    staging: &'a Staging,
}

/// The content of `stages.json`.
pub fn json(staging: &Staging) -> Vec<u8> {
    let document = Document { format: FORMAT, version: VERSION, staging };
    let mut bytes = serde_json::to_vec(&document).expect("stages have text keys and numbers");
    bytes.push(b'\n');
    bytes
}
