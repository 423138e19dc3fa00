//! The time of one source's tree as arrays, for `bench/python.py` to compare with: the least of many runs,
//! in seconds.
//!
//!     cargo run --release -p lightloom --example one_tree -- TORS RUNS

use std::hint::black_box;
use std::time::Instant;

use lightloom::Value;
use lightloom::plan;
use lightloom::{Request, TorId, setting};

#[allow(clippy::print_stdout, reason = "it is a program")]
fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().expect("a whole number"));
    let tors: u32 = numbers.next().unwrap_or(163_840);
    let runs = numbers.next().unwrap_or(200);
    let flags = vec![
        (*setting::fabric::FAMILY, Value::Text("kautz".into())),
        (*setting::fabric::P, Value::Integer(4)),
        (*setting::fabric::TORS, Value::Integer(tors.into())),
    ];
    let project =
        lightloom::open(&Request { flags, ..Request::default() }).expect("it is a fabric");
    let run = |source| {
        let start = Instant::now();
        black_box(plan::tree_arrays(&project, TorId(source % tors)).expect("it has a tree"));
        start.elapsed().as_secs_f64()
    };
    println!("{:e}", (0..runs).map(run).fold(f64::INFINITY, f64::min));
}
