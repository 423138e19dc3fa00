//! A kept layout that is damaged: put aside, told, and not taken.

use std::fs;

use lightloom_window::command::Command;
use lightloom_window::panel::Panel;
use serde_json::{Value, json};

use crate::drive::Driven;

/// Damaged layouts, each with what is told of it.
fn damaged(kept: &str) -> Vec<(String, &'static str)> {
    let good: Value = serde_json::from_str(kept).expect("JSON");
    let root = good["panels"]["root"].clone();
    let within = format!("/panels/tiles/tiles/{root}/Container/Linear/children/0");
    let with = |place: &str, value: Value| {
        let mut layout = good.clone();
        *layout.pointer_mut(place).expect("a place") = value;
        layout.to_string()
    };
    vec![
        (with(&within, root.clone()), "two parents, or is its own"),
        (with("/panels/root", Value::Null), "no root"),
        (with("/panels/root", json!(999)), "root is not there"),
        (with("/looks/scale", json!(0)), "scale is 0 %"),
        (with("/looks/scale", json!(4_000_000_000_u32)), "scale is 4000000000 %"),
        (kept[..=kept.find(':').expect("it has fields")].to_owned(), "EOF"),
        ("\u{1b}[2J".to_owned(), "expected value"),
    ]
}

#[test]
fn a_damaged_layout_is_put_aside_and_told_and_the_window_starts() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = Driven::new();
    first.apply(Command::Scale(120));
    let kept = first.window().kept();
    for (number, (text, words)) in (1..).zip(damaged(&kept)) {
        let mut window = Driven::new();
        // A second start with the same text keeps it once.
        for _ in 0..2 {
            window.window().restore(&text, Some(folder.path()));
        }
        window.settle();
        let told = window.window().state.log.iter().find(|line| line.contains(words)).cloned();
        let told = told.unwrap_or_else(|| panic!("{words}: {:?}", window.window().state.log));
        let aside = folder.path().join(format!("layout.{number}.unreadable"));
        assert!(told.contains(&aside.display().to_string()), "{told:?}");
        assert_eq!(fs::read_to_string(&aside).expect("it is there"), text);
        assert_eq!(window.window().state.looks.scale, 100);
        // The layout is the one of a first start, and can be kept.
        window.apply(Command::Show(Panel::Money));
        let next = window.window().kept();
        window.window().restore(&next, Some(folder.path()));
        window.settle();
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), damaged(&kept).len());
}
