//! Numbers on the screen are those of the answers.

use lightloom::designs;
use lightloom::light::BudgetOptions;
use lightloom::{Request, TorId, Watch};
use lightloom_window::command::{Command, Selection};
use lightloom_window::panel::Panel;

use crate::drive::{Driven, example, shown};

#[test]
fn every_panel_has_the_numbers_of_the_command() {
    let file = example("hall-1024.toml");
    let project = lightloom::open(&Request { design: Some(file.clone()), ..Request::default() })
        .expect("it is a design");
    let mut window = Driven::new();
    window.open(&file);

    let info = project.info(Watch::quiet()).expect("it is small enough").fabric;
    let text = shown(&window);
    for number in [
        format!("{} ToRs", info.tors),
        format!("{} cassettes", info.cassettes),
        format!("at most {} hops ({:.2} on average)", info.max_hops, info.mean_hops),
        format!("{} fibres", info.fibres),
    ] {
        assert!(text.contains(&number), "{number}");
    }

    let light = project.budget(&BudgetOptions::default(), Watch::quiet()).expect("it has light");
    window.apply(Command::Only(Some(Panel::Light)));
    let text = shown(&window);
    let count = &light.count;
    let counts = format!(
        "{} pass, {} warn, {} marginal, {} unknown, {} fail",
        count.pass, count.warn, count.marginal, count.unknown, count.fail
    );
    assert!(text.contains(&counts), "{counts}");
    assert!(text.contains(&format!("{} of {0} rows", light.branches.len())));
    for branch in light.branches.iter().take(3) {
        assert!(text.contains(&format!("{:.2}", branch.loss_db)), "{branch:?}");
    }
    let margin = light.worst_margin_db.expect("it is known");
    assert!(text.contains(&format!("smallest margin {margin:.2} dB")));

    let money =
        designs::compare(&project, &designs::CompareOptions::default()).expect("it is a plan");
    window.apply(Command::Only(Some(Panel::Money)));
    let text = shown(&window);
    for number in [
        format!("power {:.1} W", money.bill.power_w.expect("it is known")),
        format!("cost {:.2} USD", money.bill.cost_usd.expect("it is known")),
        money.ip_multicast.ports.to_string(),
        money.peer_to_peer.transceivers.to_string(),
    ] {
        assert!(text.contains(&number), "{number}");
    }

    window.apply(Command::Only(Some(Panel::Failures)));
    window.apply(Command::Break("relay:8".into()));
    window.apply(Command::Recover);
    let failed = lightloom::failures::FailureSet::parse(&project, "relay:8").expect("it is there");
    let impact = project.impact(&failed).expect("it is small enough");
    let method = lightloom::failures::Method::Replan(lightloom::failures::Objective::FewestChanges);
    let repair = project.recover(&failed, method).expect("it is recovered");
    let lose = impact.sources.len() + impact.failed_sources.len()
        - impact.distribution.get(&0).copied().unwrap_or(0);
    let figures = repair.figures();
    let text = shown(&window);
    for number in [
        format!("{lose} of 1024 sources lose receivers"),
        format!("{} rules to add, {} to delete", figures.rules_to_add, figures.rules_to_delete),
    ] {
        assert!(text.contains(&number), "{number}");
    }

    window.apply(Command::Only(Some(Panel::Fabric)));
    window.apply(Command::Unrecover);
    window.apply(Command::Select(Selection::Tor(TorId(0))));
    let lost = project.lost(&failed, TorId(0)).expect("it is small enough").len();
    let text = shown(&window);
    assert!(text.contains(&format!("source 0: {} ToRs reached", 1023 - lost)));
}
