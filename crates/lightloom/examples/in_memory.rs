//! A plan for 64 ToRs without a file system: the files stay in memory, and are verified there. It needs no
//! feature:
//!
//!     cargo run -p lightloom --no-default-features --example in_memory
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::path::Path;

use lightloom::plan::{plan_files, verify_texts};
use lightloom::{Request, Texts, Watch, open, setting};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let request = Request::default()
        .say(&setting::fabric::FAMILY, "kautz")
        .say(&setting::fabric::P, 4_u32)
        .say(&setting::fabric::TORS, 64_u32);
    let made = plan_files(&open(&request)?, Watch::quiet())?;
    let folder = Path::new("plan");
    let mut texts = std::collections::BTreeMap::new();
    for (name, bytes) in made.files {
        println!("{name}: {} bytes", bytes.len());
        texts.insert(folder.join(name), String::from_utf8(bytes)?);
    }
    let checked = verify_texts(folder, &Texts::keeping(texts), Watch::quiet())?;
    println!("the plan is good: {}", checked.good);
    if checked.good { Ok(()) } else { Err("the plan is wrong".into()) }
}
