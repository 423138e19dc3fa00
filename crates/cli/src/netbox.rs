//! `netbox`: a plan as files that NetBox imports.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use lightloom::netbox::{NetboxOptions, NetboxReport, Origin, netbox};
use lightloom::plan::open_written;
use lightloom::units::text::shown_path;
use lightloom::{Error, Watch};

use crate::answer::{Answer, say};
use crate::design_args::{Json, MemoryArgs};

#[derive(Debug, Args)]
pub(crate) struct NetboxArgs {
    /// The plan's folder; it is only read.
    #[arg(value_name = "PLAN")]
    folder: PathBuf,
    /// The folder to write; import files in it are replaced in one step.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// The site in NetBox that the racks belong to (default: the sites of the plan's rooms).
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// The location in NetBox that the racks belong to. Without it racks are found by site and name.
    #[arg(long, value_name = "NAME")]
    location: Option<String>,
    /// Write files for the site, the location and the racks too.
    #[arg(long)]
    with_racks: bool,
    /// Write a file for the switches too.
    #[arg(long)]
    with_switches: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    json: Json,
}

impl NetboxArgs {
    /// The folder that the command writes.
    pub(crate) fn output(&self) -> &PathBuf {
        &self.out
    }
}

pub(crate) fn run(args: &NetboxArgs) -> Result<Answer, Error> {
    let project = open_written(args.memory.of(&args.folder)?, Watch::quiet())?;
    let origin = |imported| if imported { Origin::Imported } else { Origin::InNetbox };
    let options = NetboxOptions {
        site: args.site.clone(),
        location: args.location.clone(),
        racks: origin(args.with_racks),
        switches: origin(args.with_switches),
    };
    say(args.json.json, &netbox(&project, &args.out, &options)?, text)
}

fn text(report: &NetboxReport) -> String {
    let mut text = format!("Wrote files for NetBox to {}:\n", shown_path(&report.out));
    for file in &report.files {
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {file}");
    }
    text
}
