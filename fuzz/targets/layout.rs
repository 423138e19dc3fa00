#![no_main]

#[path = "../../crates/window/tests/replay/layout.rs"]
mod layout;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| layout::read(bytes));
