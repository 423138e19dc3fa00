//! A commented design file to start from.

use std::fmt::Write as _;
use std::path::Path;

use lightloom_plan::design::RouterChoice;
use lightloom_plan::fabric_spec::{FabricSpec, fabric_settings};
use lightloom_plan::project::Project;
use lightloom_request::{InputError, Settings, Value};

/// The text of a design file for a project, with what its settings say.
///
/// # Errors
/// [`InputError`] when a setting has a value of another kind.
pub fn design_text(
    project: &Project,
    settings: &Settings,
    out: &Path,
) -> Result<String, InputError> {
    let design = &project.design;
    let mut text =
        String::from("# A lightloom design. Lengths carry their unit: \"2.7 m\".\nversion = 1\n");
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    line("\n[fabric]".into());
    line(fabric_comment(&design.fabric));
    for (name, value) in fabric_settings(&design.fabric) {
        line(setting(name, &value));
    }
    {
        let name = "fabric.edges";
        if let Some(path) = settings.path(name)? {
            line(setting(name, &Value::Text(path_from(out, &path))));
        }
    }
    line("\n[routing]".into());
    line("# algorithm1: the paper's, for a shufflecast. arborescence: fewest hops, even load, any fabric.".into());
    line(setting("routing.router", &Value::Text(design.router.name().to_string())));
    line("# 1 lets every ToR be one hop farther, for a more even load (arborescence only).".into());
    match design.router {
        RouterChoice::OneMoreHop => line("extra_hops = 1".into()),
        RouterChoice::Algorithm1 | RouterChoice::Arborescence => line("# extra_hops = 1".into()),
    }
    line("\n[splitters]".into());
    line(
        "# sender: each splitter in its ToR's rack (p long fibres a ToR, as in the paper).".into(),
    );
    line("# receiver: a cassette's splitters among its receivers (one long fibre a ToR).".into());
    line(setting("splitters.housing", &Value::Text(design.housing.name().into())));
    line("\n[hall]".into());
    hall_lines(settings, out, &mut line)?;
    light_lines(settings, out, &mut line)?;
    line("\n[order]".into());
    line("# Spares, in percent of each quantity, rounded up.".into());
    line(setting("order.spares_percent", &Value::Integer(design.spares_percent.into())));
    Ok(text)
}

fn fabric_comment(fabric: &FabricSpec) -> String {
    match fabric {
        FabricSpec::Shufflecast(shape) => {
            format!("# A p,k-Shufflecast has k p^k ToRs: {}.", shape.tors())
        }
        FabricSpec::Kautz { p, tors } => format!(
            "# Any number of ToRs at the best possible depth; {tors} ToRs on {} cassettes.",
            tors.div_ceil(*p)
        ),
        FabricSpec::Custom { edges, .. } => format!("# {} ToRs from an edge list.", edges.len()),
    }
}

fn hall_lines(
    settings: &Settings,
    out: &Path,
    line: &mut impl FnMut(String),
) -> Result<(), InputError> {
    match settings.path("hall.inventory")? {
        Some(path) => {
            line(
                "# Racks: name with row and position, or x_m and y_m; or a NetBox rack export."
                    .into(),
            );
            line(setting("hall.inventory", &Value::Text(path_from(out, &path))));
        }
        None => {
            line("# Without an inventory, a default hall is generated. To use yours:".into());
            line("# inventory = \"racks.csv\"".into());
        }
    }
    for name in ["hall.site", "hall.location", "hall.status"] {
        if let Some(list) = settings.list(name)? {
            line(setting(name, &Value::List(list.to_vec())));
        }
    }
    if let Some(column) = settings.text("hall.rows_from")? {
        line(setting("hall.rows_from", &Value::Text(column.to_owned())));
    }
    for name in ["hall.placement", "hall.keep"] {
        if let Some(path) = settings.path(name)? {
            line(setting(name, &Value::Text(path_from(out, &path))));
        }
    }
    line("# What follows are the defaults; take the # away to change one.".into());
    for default in [
        "rack_pitch = \"0.6 m\"        # between racks of a row",
        "row_pitch = \"2.4 m\"         # between rows",
        "tray_height = \"2.7 m\"       # above the floor",
        "cross_aisles = [\"0 m\"]      # x of the trays that join the rows; default: every 12 m or less",
        "slack = \"2 m\"               # service loop of a fibre that leaves its rack",
        "rack_entry = \"0.3 m\"        # port to riser, each end",
        "tray_width = \"0.3 m\"",
        "tray_depth = \"0.1 m\"",
        "fibre_diameter = \"2 mm\"",
    ] {
        line(format!("# {default}"));
    }
    Ok(())
}

/// What was said of optics and cost, and what could be.
fn light_lines(
    settings: &Settings,
    out: &Path,
    line: &mut impl FnMut(String),
) -> Result<(), InputError> {
    line("\n[optics]".into());
    line("# Without a transceiver (or a rate) here the light is not assessed.".into());
    for (name, value) in settings.said_in("optics") {
        if name == "optics.parts" {
            let path = settings.path(name)?.unwrap_or_default();
            line(setting(name, &Value::Text(path_from(out, &path))));
        } else {
            line(setting(name, value));
        }
    }
    for example in [
        "catalogue = \"datasheets-2026\"  # or shufflecast-2022",
        "parts = \"parts.toml\"            # rows of your own, over those of the catalogue",
        "transceiver = \"10gbase-er\"",
        "feed_panels = 0                 # patch panels on the way to the splitter, and after it",
        "branch_panels = 0",
        "ageing = \"0 dB\"                # margin to keep for ageing and repairs",
        "comfortable_margin = \"1 dB\"    # below it, a branch that closes is a warning",
        "accept = \"typical\"             # or monte-carlo: what counts where the worst case fails",
    ] {
        line(format!("# {example}"));
    }
    line("\n[cost]".into());
    for (name, value) in settings.said_in("cost") {
        line(setting(name, value));
    }
    for example in [
        "fibre_accounting = \"half\"      # a one-way strand is charged half of a pair, or the whole",
        "years = 5                       # of energy to add to the cost,",
        "energy_price = \"0.12 USD\"      # at this price of a kilowatt-hour",
    ] {
        line(format!("# {example}"));
    }
    Ok(())
}

/// `key = value`, quoted so that no text can become anything else.
fn setting(name: &str, value: &Value) -> String {
    let key = name.split_once('.').map_or(name, |(_, key)| key);
    let quote = |text: &String| toml::Value::String(text.clone()).to_string();
    let mut line = String::new();
    let _ = match value {
        Value::Integer(number) => write!(line, "{key} = {number}"),
        Value::Text(text) => write!(line, "{key} = {}", quote(text)),
        Value::List(list) => {
            write!(line, "{key} = [{}]", list.iter().map(quote).collect::<Vec<_>>().join(", "))
        }
    };
    line
}

/// A path as the design file must name it: as it stands when both are in one folder, otherwise
/// absolute.
fn path_from(out: &Path, path: &Path) -> String {
    let beside = out.parent().is_none_or(|parent| parent.as_os_str().is_empty());
    let path = if beside {
        path.to_path_buf()
    } else {
        std::path::absolute(path).unwrap_or(path.to_path_buf())
    };
    path.to_string_lossy().into_owned()
}
