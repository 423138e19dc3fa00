//! Unused ports of racks, compared with filling the racks port by port.

use lightloom_power_cost::parts::{PortGroup, SwitchModel};
use lightloom_power_cost::unused::{Rack, Ratio, Unused, best_switch};
use lightloom_units::BitRate;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::given::{seeded, switch_row};

fn ports(count: u32, gbps: u64) -> PortGroup {
    PortGroup { count, rate: BitRate::from_gbps(gbps) }
}

fn model(groups: &[PortGroup], height: u32) -> SwitchModel {
    switch_row(groups.to_vec(), height).try_into().unwrap()
}

fn rack(units: u32, (over, under): (u32, u32), server: PortGroup) -> Rack {
    Rack { units, oversubscription: Ratio::new(over, under).unwrap(), server }
}

/// The unused ports, slowest first. Every server port takes the slowest suitable port; a port of four times
/// its rate is used four times. Then uplinks take the fastest free ports until they suffice.
fn port_by_port(model: &SwitchModel, rack: &Rack, (over, under): (u64, u64)) -> Option<Vec<u64>> {
    let gbps = |rate: BitRate| rate.as_bps() / 1_000_000_000;
    let mut free: Vec<u64> = Vec::new();
    for group in &model.ports {
        free.extend((0..group.count).map(|_| gbps(group.rate)));
    }
    free.sort_unstable();
    let server = gbps(rack.server.rate);
    let servers = u64::from(rack.units).checked_sub(model.height.into()).filter(|&n| n > 0)?;
    let mut lanes = 0;
    for _ in 0..servers * u64::from(rack.server.count) {
        if lanes == 0 {
            let slowest = free.iter().position(|&rate| rate >= server)?;
            lanes = if free.remove(slowest) == 4 * server { 4 } else { 1 };
        }
        lanes -= 1;
    }
    let demand = servers * u64::from(rack.server.count) * server;
    let mut uplinks = 0;
    while uplinks * over < demand * under {
        uplinks += free.pop()?;
    }
    Some(free)
}

/// Every port left, slowest first.
fn one_by_one(unused: &Unused) -> Vec<u64> {
    let each = |group: &PortGroup| {
        vec![group.rate.as_bps() / 1_000_000_000; usize::try_from(group.count).unwrap()]
    };
    let mut ports: Vec<u64> = unused.ports.iter().flat_map(each).collect();
    ports.sort_unstable();
    ports
}

const RATES: [u64; 6] = [1, 4, 10, 25, 40, 100];

fn any_ports(draws: &mut ChaCha8Rng, most: u32) -> PortGroup {
    ports(draws.random_range(1..=most), RATES[draws.random_range(0..RATES.len())])
}

fn any_model(draws: &mut ChaCha8Rng) -> SwitchModel {
    let groups: Vec<_> = (0..draws.random_range(1..4)).map(|_| any_ports(draws, 12)).collect();
    model(&groups, draws.random_range(1..3))
}

/// Racks, with the oversubscription as two numbers.
fn any_rack(draws: &mut ChaCha8Rng) -> (Rack, (u64, u64)) {
    let ratio = (draws.random_range(1..6_u32), draws.random_range(1..3_u32));
    let rack = rack(draws.random_range(1..9), ratio, any_ports(draws, 3));
    (rack, (ratio.0.into(), ratio.1.into()))
}

#[test]
fn a_rack_by_hand() {
    // 41 servers of 10 Gb/s leave 7 of 48 ports; 410/4 Gb/s of uplinks are three ports of 40 Gb/s.
    let switch = model(&[ports(4, 40), ports(48, 10)], 1);
    let left = best_switch(&[switch], &rack(42, (4, 1), ports(1, 10))).unwrap();
    assert_eq!(left.ports, [ports(1, 40), ports(7, 10)]);
    assert_eq!((left.count(), left.bandwidth()), (8, BitRate::from_gbps(110)));
    let at = |gbps| left.count_at(BitRate::from_gbps(gbps));
    assert_eq!([at(1), at(10), at(11), at(40), at(100)], [8, 8, 1, 1, 0]);
    // 100 Gb/s: broken out four times 25, and for one server only at 10.
    let switch = model(&[ports(8, 100)], 2);
    let left =
        |server| best_switch(std::slice::from_ref(&switch), &rack(7, (5, 1), server)).unwrap();
    assert_eq!(left(ports(1, 25)).ports, [ports(5, 100)]);
    assert_eq!(left(ports(1, 10)).ports, [ports(2, 100)]);
}

/// shufflecast:B
#[test]
fn what_is_left_is_what_filling_port_by_port_leaves() {
    let draws = &mut seeded(1);
    let mut fits = [0; 2];
    for _ in 0..20_000 {
        let (model, (rack, ratio)) = (any_model(draws), any_rack(draws));
        let expected = port_by_port(&model, &rack, ratio);
        let found = best_switch(std::slice::from_ref(&model), &rack);
        assert_eq!(found.as_ref().map(one_by_one), expected, "{model:?} {rack:?}");
        fits[usize::from(found.is_some())] += 1;
    }
    assert!(fits.iter().all(|&seen| seen > 2_000), "{fits:?}");
}

#[test]
fn ports_and_bandwidth_are_neither_made_nor_lost() {
    let draws = &mut seeded(2);
    let mut tried = 0;
    for _ in 0..20_000 {
        let (model, (rack, (over, under))) = (any_model(draws), any_rack(draws));
        let Some(left) = best_switch(std::slice::from_ref(&model), &rack) else { continue };
        tried += 1;
        let of = |groups: &[PortGroup], rate| -> u32 {
            groups.iter().filter(|group| group.rate == rate).map(|group| group.count).sum()
        };
        let rates = model.ports.iter().map(|group| group.rate);
        assert!(rates.clone().all(|rate| of(&left.ports, rate) <= of(&model.ports, rate)));
        assert!(left.ports.iter().all(|group| group.count > 0 && of(&model.ports, group.rate) > 0));
        assert!(left.ports.is_sorted_by(|one, next| one.rate >= next.rate));
        let bps = |groups: &[PortGroup]| -> u64 {
            groups.iter().map(|group| u64::from(group.count) * group.rate.as_bps()).sum()
        };
        assert_eq!(left.bandwidth().as_bps(), bps(&left.ports));
        let servers = u64::from(rack.units - model.height) * u64::from(rack.server.count);
        let demand = servers * rack.server.rate.as_bps();
        // The used ports carry servers and uplinks and no more, so at least this much is left.
        let gone = bps(&model.ports) - left.bandwidth().as_bps();
        assert!(gone * over >= demand * (over + under), "{model:?} {rack:?} {left:?}");
    }
    assert!(tried > 2_000, "{tried}");
}

#[test]
fn the_switch_that_leaves_least() {
    let draws = &mut seeded(3);
    let mut tried = 0;
    for _ in 0..2_000 {
        let (rack, ratio) = any_rack(draws);
        let models: Vec<SwitchModel> = (0..6).map(|_| any_model(draws)).collect();
        let all = models.iter().enumerate().filter_map(|(i, model)| {
            let left = port_by_port(model, &rack, ratio)?;
            Some((left.iter().sum::<u64>(), left.len(), i))
        });
        let expected = all.min().map(|(_, _, model)| model);
        let found = best_switch(&models, &rack);
        assert_eq!(found.as_ref().map(|left| left.model), expected);
        tried += u32::from(found.is_some());
    }
    assert!(tried > 500, "{tried}");
    assert_eq!(best_switch(&[], &rack(42, (4, 1), ports(1, 10))), None);
}

#[test]
fn equals_go_by_ports_and_then_by_order() {
    let one = rack(2, (1, 1), ports(1, 10));
    let (many, few) = (model(&[ports(6, 10)], 1), model(&[ports(2, 10), ports(1, 40)], 1));
    // Both leave 40 Gb/s: in four ports, and (after a 40 Gb/s uplink) in another number of ports.
    let left = |models: &[SwitchModel]| best_switch(models, &one).unwrap();
    assert_eq!(left(std::slice::from_ref(&many)).count(), 4);
    assert_eq!(left(&[many.clone(), few]).model, 1);
    assert_eq!(left(&[many.clone(), many]).model, 0);
}

#[test]
fn a_ratio_has_no_zero() {
    assert!(Ratio::new(0, 1).is_none() && Ratio::new(1, 0).is_none());
    assert_eq!(Ratio::new(4, 1).unwrap().to_string(), "4:1");
}

#[test]
fn the_fastest_ports_that_can_be_written() {
    let fastest = PortGroup { count: 4, rate: BitRate::from_bps(u64::MAX) };
    let rack = rack(2, (1, 1), PortGroup { count: 1, ..fastest });
    let left = best_switch(&[model(&[fastest], 1)], &rack).unwrap();
    assert_eq!(left.ports, [PortGroup { count: 2, ..fastest }]);
}
