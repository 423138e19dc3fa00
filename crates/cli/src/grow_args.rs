//! Arguments of `grow` and `shrink`.

use std::path::PathBuf;

use clap::Args;
use lightloom::growth::{GrowOptions, ShrinkOptions};

use crate::design_args::{Json, MemoryArgs};
use crate::numbers::whole;

/// What `grow` is asked.
#[derive(Debug, Args)]
pub(crate) struct GrowArgs {
    /// The plan's folder.
    #[arg(value_name = "PLAN")]
    pub(crate) folder: PathBuf,
    /// Number of ToRs afterwards.
    #[arg(long, required_unless_present = "phases")]
    #[arg(allow_negative_numbers = true, value_parser = whole::<usize>)]
    tors: Option<usize>,
    /// Numbers of ToRs of this phase and of later ones, ascending, separated by commas. The plan of the first is
    /// written; the later ones are reported.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    #[arg(allow_negative_numbers = true, value_parser = whole::<usize>)]
    phases: Vec<usize>,
    /// ToRs and ports whose cords must not move, separated by commas: numbers or rack names (tor:12, rack:12), and
    /// ports after a colon (R7:tx, R7:rx2, or R7:2 for both).
    #[arg(long, value_name = "LIST")]
    pin: Option<String>,
    /// Largest number of ToRs whose cords may move (default: half of them).
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>)]
    most_moves: Option<usize>,
    /// Inventory with all racks of the plan and more. Without it, new ToRs take spare racks of the hall.
    #[arg(long, value_name = "FILE")]
    pub(crate) inventory: Option<PathBuf>,
    /// The folder to write the new plan to; a plan in it is replaced in one step. Without it, only the answer is
    /// printed.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    #[command(flatten)]
    pub(crate) json: Json,
}

impl GrowArgs {
    pub(crate) fn options(&self) -> GrowOptions {
        GrowOptions {
            tors: self.tors,
            phases: self.phases.clone(),
            pin: self.pin.clone().unwrap_or_default(),
            most_moves: self.most_moves,
        }
    }
}

/// What `shrink` is asked.
#[derive(Debug, Args)]
pub(crate) struct ShrinkArgs {
    /// The plan's folder.
    #[arg(value_name = "PLAN")]
    pub(crate) folder: PathBuf,
    /// Number of ToRs afterwards; those that the last cassettes feed leave.
    #[arg(long, required_unless_present = "racks", conflicts_with = "racks")]
    #[arg(allow_negative_numbers = true, value_parser = whole::<usize>)]
    tors: Option<usize>,
    /// The ToRs that leave: rack names or numbers (rack:12, tor:12), separated by commas.
    #[arg(long, value_name = "LIST")]
    racks: Option<String>,
    /// The folder to write the new plan to; a plan in it is replaced in one step. Without it, only the answer is
    /// printed.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    #[command(flatten)]
    pub(crate) json: Json,
}

impl ShrinkArgs {
    pub(crate) fn options(&self) -> ShrinkOptions {
        ShrinkOptions { tors: self.tors, racks: self.racks.clone() }
    }
}
