//! Each rule of aggregation by itself.

use lightloom_units::{Instant, Span};

use super::super::paths::{Feedback, Paths};
use crate::params::Recovery;
use crate::psn::Psn;

const ALL: u32 = 1 << 24;
const INTERVAL: Span = Span::from_us(100);

fn psn(number: u32) -> Psn {
    Psn::new(number)
}

fn at(us: u64) -> Instant {
    Instant::from_us(us)
}

fn ack(number: u32) -> Feedback {
    Feedback { ack: Some(psn(number)), ..Feedback::NOTHING }
}

fn nack(missing: u32, seen: u32) -> Feedback {
    Feedback { nack: Some((psn(missing), psn(seen))), ..Feedback::NOTHING }
}

/// With go-back-N.
fn lost(missing: u32) -> Feedback {
    nack(missing, missing + 1)
}

/// A group of ports that may lack `first`, whose source is at port 9.
fn group(recovery: Recovery, first: u32, ports: &[u16]) -> Paths {
    let mut paths = Paths::new(psn(first), recovery, INTERVAL);
    for &port in ports {
        assert_eq!(paths.add(port, 0, psn(first), at(0)), Feedback::NOTHING);
    }
    assert_eq!(paths.add(9, 0, psn(first), at(0)), Feedback::NOTHING);
    assert_eq!(paths.set_up(Some(9), at(0)), Feedback::NOTHING);
    paths
}

fn go_back(first: u32, ports: &[u16]) -> Paths {
    group(Recovery::GoBackN, first, ports)
}

fn selective(ports: &[u16]) -> Paths {
    let short_timeout = Span::from_ms(1);
    group(Recovery::SelectiveRepeat { window: 100, short_timeout, few: 3, reorder: 0 }, 0, ports)
}

trait Says {
    fn ack(&mut self, port: u16, number: u32) -> Feedback;
    fn nack(&mut self, port: u16, missing: u32, seen: u32) -> Feedback;
    fn lost(&mut self, port: u16, missing: u32) -> Feedback {
        self.nack(port, missing, missing + 1)
    }
}

impl Says for Paths {
    fn ack(&mut self, port: u16, number: u32) -> Feedback {
        self.acked(port, psn(number), 0, at(1))
    }

    fn nack(&mut self, port: u16, missing: u32, seen: u32) -> Feedback {
        self.missed(port, (psn(missing), psn(seen)), 0, at(1))
    }
}

/// cepheus:III-D.ack, cepheus:III-D.trigger; gleam:alg2:4-11, gleam:alg3:1-12, gleam:alg3:18
#[test]
fn the_minimum_goes_up_when_it_rises() {
    for first in [0, ALL - 3] {
        let place = |ahead: u32| (first + ahead) % ALL;
        let mut paths = go_back(first, &[1, 2, 3]);
        assert_eq!(paths.ack(1, place(4)), Feedback::NOTHING);
        assert_eq!(paths.ack(2, place(2)), Feedback::NOTHING);
        assert_eq!(paths.ack(3, place(8)), ack(place(2)));
        assert_eq!(paths.ack(3, place(9)), Feedback::NOTHING, "port 2 has the minimum");
        assert_eq!(paths.ack(2, place(6)), ack(place(4)));
        assert_eq!(paths.floor(), psn(place(4)));
    }
}

#[test]
fn the_first_packet_is_not_taken_as_received() {
    let mut paths = go_back(7, &[1, 2]);
    assert_eq!(paths.ack(1, 9), Feedback::NOTHING, "port 2 may lack 7 and 8");
    assert_eq!(paths.lost(2, 7), lost(7));
}

/// cepheus:III-D.nack; gleam:3.4.rules, gleam:fig7; gleam:alg2:12-18, gleam:alg3:13-17
#[test]
fn a_loss_never_covers_an_earlier_one() {
    let mut paths = go_back(0, &[1, 2]);
    assert_eq!(paths.lost(2, 5), Feedback::NOTHING);
    assert_eq!(paths.lost(1, 3), lost(3));
    // Port 1 has what was repeated, and the loss at port 2 comes up by itself.
    assert_eq!(paths.ack(1, 6), lost(5));
    assert_eq!(paths.ack(2, 6), ack(6));
}

#[test]
fn a_loss_is_told_where_the_minimum_already_stands() {
    let mut paths = go_back(0, &[1, 2]);
    assert_eq!(paths.ack(1, 5), Feedback::NOTHING);
    assert_eq!(paths.ack(2, 5), ack(5));
    assert_eq!(paths.lost(2, 5), lost(5));
}

#[test]
fn a_void_loss_masks_nothing() {
    let mut paths = go_back(0, &[1, 2, 3]);
    assert_eq!(paths.lost(1, 3), Feedback::NOTHING);
    // It has come by itself, and acknowledgements jump past it.
    assert_eq!(paths.ack(1, 20), Feedback::NOTHING);
    assert_eq!(paths.ack(2, 20), Feedback::NOTHING);
    assert_eq!(paths.ack(3, 15), ack(15));
    assert_eq!(paths.lost(1, 3), Feedback::NOTHING, "long acknowledged");
    assert_eq!(paths.lost(3, 17), lost(17));
}

/// One number for the group (gleam:alg2:15-17) would forget the loss at port 2 here, and its receiver does not report
/// again.
#[test]
fn a_void_loss_hides_no_other() {
    let mut paths = go_back(0, &[1, 2, 3]);
    assert_eq!(paths.lost(1, 3), Feedback::NOTHING);
    assert_eq!(paths.lost(2, 6), Feedback::NOTHING);
    assert_eq!(paths.ack(1, 20), Feedback::NOTHING);
    assert_eq!(paths.ack(3, 20), lost(6));
}

#[test]
fn the_sender_goes_back_once_for_equal_losses() {
    let mut paths = go_back(0, &[1, 2, 3]);
    assert_eq!(paths.lost(1, 4), Feedback::NOTHING);
    assert_eq!(paths.lost(2, 4), Feedback::NOTHING);
    assert_eq!(paths.lost(3, 4), lost(4));
    // What is repeated arrives; a loss after it is another.
    assert_eq!(paths.ack(1, 9), Feedback::NOTHING);
    assert_eq!(paths.ack(3, 9), Feedback::NOTHING);
    assert_eq!(paths.lost(2, 4), lost(4), "port 2 has said so before");
    assert_eq!(paths.ack(2, 9), ack(9));
    assert_eq!(paths.lost(2, 9), lost(9));
    assert_eq!(paths.lost(1, 9), Feedback::NOTHING, "told for port 2");
    assert_eq!(paths.lost(1, 9), lost(9), "lost again");
}

/// cepheus:III-D.filter
#[test]
fn repeats_pass_where_they_are_needed() {
    let mut paths = go_back(0, &[1, 2]);
    assert_eq!(paths.ack(1, 5), Feedback::NOTHING);
    assert_eq!(paths.ack(2, 3), ack(3));
    let ways = |paths: &Paths, number| [1, 2, 9, 4].map(|port| paths.passes(port, psn(number)));
    assert_eq!(ways(&paths, 2), [false; 4]);
    assert_eq!(ways(&paths, 3), [false, true, false, false]);
    assert_eq!(ways(&paths, 5), [true, true, false, false]);
}

#[test]
fn what_is_filtered_everywhere_is_answered_once_a_run() {
    let mut paths = go_back(ALL - 2, &[1]);
    assert_eq!(paths.ack(1, 3), ack(3));
    let said = [ALL - 2, ALL - 1, 0, 1, 2].map(|number| paths.filtered(psn(number), at(2)));
    assert_eq!(said[..4], [Feedback::NOTHING; 4]);
    assert_eq!(said[4], ack(3));
}

#[test]
fn a_repeated_acknowledgement_passes_once_an_interval() {
    let mut paths = go_back(0, &[1, 2]);
    assert_eq!(paths.acked(1, psn(8), 0, at(1)), Feedback::NOTHING);
    assert_eq!(paths.acked(2, psn(8), 0, at(1)), ack(8));
    assert_eq!(paths.acked(2, psn(8), 0, at(50)), Feedback::NOTHING);
    assert_eq!(paths.acked(2, psn(8), 0, at(101)), ack(8));
    assert_eq!(paths.acked(1, psn(8), 0, at(102)), Feedback::NOTHING);
    assert_eq!(paths.acked(1, psn(8), 0, at(201)), ack(8));
    assert_eq!(paths.acked(1, psn(7), 0, at(400)), Feedback::NOTHING, "it is old");
    assert_eq!(paths.acked(1, psn(9), 0, at(401)), Feedback::NOTHING);
    assert_eq!(paths.acked(1, psn(9), 0, at(600)), Feedback::NOTHING, "port 2 lacks 8");
}

#[test]
fn the_minimum_is_looked_at_when_a_port_goes() {
    let mut paths = go_back(0, &[1, 2, 3]);
    assert_eq!(paths.lost(1, 6), Feedback::NOTHING);
    assert_eq!(paths.ack(2, 9), Feedback::NOTHING);
    assert_eq!(paths.remove(3, 0, at(2)), lost(6));
    assert_eq!(paths.remove(1, 0, at(2)), ack(9));
    assert_eq!(paths.remove(2, 0, at(2)), Feedback::NOTHING, "nobody is left");
    assert_eq!(paths.ports().count(), 0);
}

#[test]
fn new_receivers_have_nothing_and_old_feedback_is_void() {
    let mut paths = go_back(0, &[1, 2]);
    assert_eq!(paths.ack(1, 30), Feedback::NOTHING);
    assert_eq!(paths.ack(2, 20), ack(20));
    // A receiver that has everything before 12 moves behind port 1.
    assert_eq!(paths.add(1, 1, psn(12), at(2)), Feedback::NOTHING);
    assert_eq!(paths.floor(), psn(12));
    assert!(paths.passes(1, psn(12)) && !paths.passes(2, psn(12)));
    assert_eq!(paths.acked(1, psn(40), 0, at(3)), Feedback::NOTHING, "from the old tree");
    assert_eq!(paths.missed(1, (psn(40), psn(41)), 0, at(3)), Feedback::NOTHING);
    assert_eq!(paths.remove(1, 0, at(3)), Feedback::NOTHING, "from the old tree");
    assert_eq!(paths.acked(1, psn(15), 1, at(3)), ack(15));
    assert_eq!(paths.acked(2, psn(35), 0, at(3)), Feedback::NOTHING, "port 2 is as it was");
    assert_eq!(paths.acked(1, psn(40), 1, at(3)), ack(35));
}

#[test]
fn a_new_port_stands_no_higher_than_the_others() {
    let mut paths = go_back(0, &[1]);
    assert_eq!(paths.ack(1, 20), ack(20));
    assert_eq!(paths.add(2, 1, psn(25), at(2)), Feedback::NOTHING);
    assert!(paths.passes(2, psn(20)));
    assert_eq!(paths.ack(1, 30), Feedback::NOTHING);
    assert_eq!(paths.acked(2, psn(30), 1, at(3)), ack(30));
}

#[test]
fn epochs_wrap() {
    let mut paths = go_back(0, &[1]);
    assert_eq!(paths.add(1, u16::MAX, psn(0), at(0)), Feedback::NOTHING);
    assert_eq!(paths.add(1, 0, psn(0), at(0)), Feedback::NOTHING);
    assert_eq!(paths.acked(1, psn(1), u16::MAX, at(0)), Feedback::NOTHING);
    assert_eq!(paths.acked(1, psn(1), 0, at(0)), ack(1));
}

/// The port toward the source (gleam:alg3:3) counts for nothing, for longer than half of the sequence numbers; then it
/// comes back.
#[test]
fn an_idle_port_comes_back() {
    let mut paths = go_back(0, &[1, 2]);
    let step = 1 << 20;
    for round in 1..=12_u32 {
        let number = round * step % ALL;
        assert_eq!(paths.ack(9, number), Feedback::NOTHING, "nothing comes from the source");
        assert_eq!(paths.ack(1, number), Feedback::NOTHING);
        assert_eq!(paths.ack(2, number), ack(number));
    }
    let number = 12 * step;
    assert_eq!(paths.set_up(Some(1), at(5)), Feedback::NOTHING);
    assert!(paths.ports().eq([2, 9]));
    assert!(!paths.passes(9, psn(number - 1)) && paths.passes(9, psn(number)));
    assert_eq!(paths.ack(2, number + 4), Feedback::NOTHING);
    assert_eq!(paths.ack(9, number + 3), ack(number + 3));
}

#[test]
fn selective_repeat_tells_what_everybody_has() {
    let mut paths = selective(&[1, 2]);
    // Port 1 loses 5, port 2 loses 6, both have 7.
    assert_eq!(paths.nack(1, 5, 6), Feedback::NOTHING);
    assert_eq!(paths.nack(1, 5, 7), Feedback::NOTHING);
    assert_eq!(paths.nack(2, 6, 7), nack(5, 7));
    let ways = |paths: &Paths, number| [1, 2].map(|port| paths.passes(port, psn(number)));
    assert_eq!(ways(&paths, 5), [true, false]);
    assert_eq!(ways(&paths, 6), [false, true]);
    assert_eq!(ways(&paths, 7), [false, false]);
    assert_eq!(paths.ack(1, 8), nack(6, 7), "told again, should the first be lost");
    assert_eq!(paths.ack(2, 8), ack(8));
}

/// The sender takes what is not told to have arrived, and that something later has overtaken, as lost.
#[test]
fn selective_repeat_leaves_nothing_out() {
    let mut paths = selective(&[1, 2]);
    for seen in [1, 2, 4, 5] {
        assert_eq!(paths.nack(1, 0, seen), Feedback::NOTHING);
    }
    // One acknowledgement for many: all of them are told, in order, and not 3.
    let mut told = vec![paths.ack(2, 8)];
    while told.last().is_some_and(|last| last.more) {
        told.push(paths.more(at(2)));
    }
    let told: Vec<_> = told.iter().map(|feedback| feedback.nack).collect();
    assert_eq!(told, [1, 2, 4, 5].map(|seen| Some((psn(0), psn(seen)))));
    assert_eq!(paths.more(at(2)), Feedback::NOTHING);
}

#[test]
fn selective_repeat_answers_what_is_filtered() {
    let mut paths = selective(&[1, 2]);
    assert_eq!(paths.nack(1, 5, 7), Feedback::NOTHING);
    assert_eq!(paths.nack(2, 5, 7), nack(5, 7));
    assert_eq!(paths.filtered(psn(3), at(2)), nack(5, 7));
    assert_eq!(paths.filtered(psn(7), at(2)), nack(5, 7));
    // A switch that sees no data passes on what another repeats, not too often.
    assert_eq!(paths.missed(1, (psn(5), psn(7)), 0, at(3)), Feedback::NOTHING);
    assert_eq!(paths.missed(1, (psn(5), psn(7)), 0, at(200)), nack(5, 7));
}

/// What was told last may lie more than half of the sequence numbers back.
#[test]
fn selective_repeat_after_a_long_calm() {
    let mut paths = selective(&[1]);
    assert_eq!(paths.nack(1, 0, 1), nack(0, 1));
    let step = 1 << 20;
    for round in 1..=9 {
        assert_eq!(paths.ack(1, round * step), ack(round * step));
    }
    assert_eq!(paths.nack(1, 9 * step, 9 * step + 1), nack(9 * step, 9 * step + 1));
}

/// The sender went back to 3 for another switch before it sent 6 at all; the report of 3 from this one is late. Were
/// other losses forgotten when one goes up, nobody would hear of 6.
#[test]
fn a_loss_after_the_sender_went_back_is_told() {
    let (mut above, mut below) = (go_back(0, &[1, 2]), go_back(0, &[1, 2]));
    assert_eq!(above.ack(1, 3), Feedback::NOTHING);
    assert_eq!(above.lost(2, 3), lost(3));
    assert_eq!(below.lost(1, 6), Feedback::NOTHING);
    assert_eq!(below.lost(2, 3), lost(3));
    assert_eq!(above.lost(1, 3), Feedback::NOTHING, "the sender has gone back for port 2");
    assert_eq!(below.ack(2, 9), lost(6));
    assert_eq!(above.lost(1, 6), Feedback::NOTHING);
    assert_eq!(above.ack(2, 9), lost(6));
}

/// Over light a packet can be of no use to the members at a switch while those behind other ports, which it reaches
/// another way, lack it: then nothing says that all have it.
#[test]
fn a_packet_of_no_use_here_may_be_missing_elsewhere() {
    let mut paths = selective(&[1, 2]);
    assert_eq!(paths.nack(1, 0, 4), Feedback::NOTHING);
    assert_eq!(paths.filtered(psn(4), at(1)), Feedback::NOTHING);
    assert_eq!(paths.nack(2, 0, 4), nack(0, 4));
    assert_eq!(paths.filtered(psn(4), at(2)), nack(0, 4));
}
