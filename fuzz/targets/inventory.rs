#![no_main]

#[path = "../../crates/lightloom/tests/replay/readers.rs"]
#[allow(dead_code, reason = "each target calls one reader")]
mod readers;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| readers::run("inventory", bytes));
