//! A plan for 64 ToRs: opened from settings, written, and verified from its files alone.
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use lightloom::plan::{plan, verify_folder};
use lightloom::{Request, TorId, Watch, open, setting};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let request = Request::default()
        .say(&setting::fabric::FAMILY, "kautz")
        .say(&setting::fabric::P, 4_u32)
        .say(&setting::fabric::TORS, 64_u32);
    let project = open(&request)?;
    let tree = project.tree(TorId(0))?;
    println!("ToR 0 reaches all in {} hops, by {} relays", tree.max_hops, tree.relays.len());

    let folder = std::env::temp_dir().join(format!("lightloom-plan-64-{}", std::process::id()));
    let planned = plan(&project, &folder, Watch::quiet())?;
    println!("{} sources are proved", planned.report.verification.sources_checked);
    for assumption in planned.assumed.iter().take(3) {
        println!("assumed: {} = {}", assumption.said_by.join(", "), assumption.value);
    }
    let checked = verify_folder(&folder, Watch::quiet())?;
    println!("the folder is good: {}", checked.good);
    std::fs::remove_dir_all(&folder)?;
    if checked.good { Ok(()) } else { Err("the written plan is wrong".into()) }
}
