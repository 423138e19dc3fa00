//! `explore` of 1,024 ToRs within 5 hops at each rate: every design's light computed again by hand.

use serde_json::Value;

use crate::bench::Bench;

/// Data sheets, per lane: the greatest launch power, the least difference between launch power and
/// sensitivity of one kind less the penalty, and the overload. In dBm and dB.
struct Sheet {
    name: &'static str,
    launch_max: f64,
    budget: f64,
    overload: Option<f64>,
}

const fn sheet(name: &'static str, launch_max: f64, budget: f64, overload: f64) -> Sheet {
    Sheet { name, launch_max, budget, overload: Some(overload) }
}

/// OMA of an average power of 0 dBm at an extinction ratio of 3.5 dB, 2.2387: 2 x 1.2387 / 3.2387.
const OMA_OF_3_5: f64 = -1.163_5;

/// The decibels of the policies, and what the fibre of a hall loses at most here.
const POLICY: f64 = 1.0;
const FIBRE: f64 = 0.1;
const PADS: [u32; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15];

/// Fan-outs of the SH-PLC sheet.
const OF_THE_SHEET: [u64; 5] = [2, 4, 8, 16, 32];

/// Loss of a splitter: the least and the greatest, with its polarisation. Those between the rows of the SH-PLC
/// sheet follow Shufflecast's formula.
fn splitter(p: f64) -> (f64, f64) {
    let rows = [(2, 4.3, 0.5, 0.2), (4, 7.4, 0.8, 0.3), (8, 10.7, 1.0, 0.3), (16, 13.9, 1.4, 0.3)];
    let rows = rows.into_iter().chain([(32, 17.2, 1.6, 0.3)]);
    let row = rows.into_iter().find(|&(outputs, ..)| f64::from(outputs) == p);
    let (most, uniformity, pdl) = row
        .map_or((0.8 + 3.4 * p.log2(), 0.0, 0.0), |(_, most, uniformity, pdl)| {
            (most, uniformity, pdl)
        });
    (10.0 * p.log10() - uniformity, most + pdl)
}

impl Sheet {
    /// Margin without fibre, and headroom, with a pad of this number of decibels, ± 0.5 dB.
    fn light(&self, p: f64, pad: Option<u32>) -> (f64, f64) {
        let (least, most) = splitter(p);
        let (pad_least, pad_most) =
            pad.map_or((0.0, 0.0), |pad| (f64::from(pad) - 0.5, f64::from(pad) + 0.5));
        let margin = self.budget - most - 2.0 * 0.75 - pad_most;
        let strongest = self.launch_max - least - pad_least;
        (margin, self.overload.map_or(f64::INFINITY, |overload| overload - strongest))
    }

    /// Light without a pad, and with each.
    fn choices(&self, p: f64) -> impl Iterator<Item = (Option<u32>, f64, f64)> + '_ {
        let pads = std::iter::once(None).chain(PADS.map(Some));
        pads.map(move |pad| {
            let (margin, headroom) = self.light(p, pad);
            (pad, margin, headroom)
        })
    }
}

/// Decibels of `lc-7db at the transmitter`.
fn decibels(pad: &Value) -> Option<u32> {
    let text = pad.as_str()?;
    let number =
        text.strip_prefix("lc-").and_then(|text| text.strip_suffix("db at the transmitter"));
    Some(number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{text}")))
}

/// Explores a rate, and computes each design again. Returns the fan-outs that close.
fn explored(rate: &str, sheets: &[Sheet]) -> Vec<(String, u64)> {
    let asked = ["explore", "--tors", "1024", "--max-hops", "5", "--rate", rate];
    let report = Bench::new().ask(&asked);
    let list = |key: &str| report[key].as_array().expect("a list").clone();
    let of = |design: &Value| sheets.iter().find(|sheet| design["transceiver"] == sheet.name);
    let mut closing = Vec::new();
    // Frames are far away, and trunks have more connectors: both are computed elsewhere.
    let beside_tors = |design: &Value| design["housing"] != "zone";
    for design in list("designs").into_iter().filter(beside_tors) {
        let sheet = of(&design).unwrap_or_else(|| panic!("{design}"));
        let p = design["p"].as_u64().expect("a fan-out");
        assert!(design["max_hops"].as_u64() <= Some(5), "{design}");
        assert!(OF_THE_SHEET.contains(&p), "a formula proves no worst case: {design}");
        let pad = decibels(&design["pad"]);
        let (margin, headroom) = sheet.light(p as f64, pad);
        let found = design["worst_margin_db"].as_f64().expect("a margin");
        assert!(found <= margin + 1e-3 && found > margin - FIBRE, "{margin} by hand: {design}");
        match design["worst_headroom_db"].as_f64() {
            Some(found) => assert!((found - headroom).abs() < 1e-3, "{headroom}: {design}"),
            None => assert!(sheet.overload.is_none(), "{design}"),
        }
        let here = f64::min(found, headroom);
        let kept = here >= POLICY;
        assert_eq!(design["verdict"] == "marginal", !kept, "{design}");
        // The pad is the best one: none where the light is not too strong, else the weakest that keeps the
        // policies, else the one with the most on the smaller side.
        let bare = sheet.light(p as f64, None);
        assert!(pad.is_none() || bare.1 < POLICY, "a pad that nothing asks for: {design}");
        for (other, margin, headroom) in sheet.choices(p as f64).filter(|_| bare.1 < POLICY) {
            let keeps = margin - FIBRE >= POLICY && headroom >= POLICY;
            if kept {
                assert!(!keeps || other >= pad, "a weaker pad, {other:?}, is enough: {design}");
            } else {
                let smaller = f64::min(margin - FIBRE, headroom);
                assert!(!keeps && smaller <= here + 1e-3, "{other:?}: {design}");
            }
        }
        closing.push((sheet.name.to_owned(), p));
    }
    let mut kautz = closing.len();
    for rejected in list("rejected").into_iter().filter(beside_tors) {
        let reasons = rejected["reasons"].as_array().expect("reasons");
        let said = |reason: &Value| reason.as_str().is_some_and(|reason| !reason.is_empty());
        assert!(!reasons.is_empty() && reasons.iter().all(said), "{rejected}");
        let Some(sheet) = of(&rejected).filter(|_| rejected["family"] == "kautz") else { continue };
        kautz += 1;
        let fan_out = rejected["p"].as_u64().expect("a fan-out");
        let p = fan_out as f64;
        let text = rejected["reasons"].to_string();
        if text.contains("too weak") || text.contains("too strong") {
            for (pad, margin, headroom) in sheet.choices(p) {
                assert!(margin < FIBRE || headroom < 0.0, "{pad:?} closes it: {rejected}");
            }
        } else {
            // A splitter without a row, a part whose launch power is a lower bound, or one with powers of two kinds.
            let unproven = ["by a formula", "proves no failure", "extinction ratio that relates"];
            let unproven = unproven.iter().any(|reason| text.contains(reason));
            assert!(unproven || text.contains("hops, more than 5"), "{rejected}");
            assert!(!text.contains("by a formula") || !OF_THE_SHEET.contains(&fan_out));
        }
    }
    assert_eq!(kautz, 2 * 31 * sheets.len(), "each fan-out and housing once");
    closing.sort();
    closing.dedup();
    closing
}

/// The fan-outs with which a part closes.
fn fan_outs(closing: &[(String, u64)], name: &str) -> Vec<u64> {
    closing.iter().filter(|(found, _)| found == name).map(|&(_, p)| p).collect()
}

#[test]
fn at_10_gbps() {
    let found = explored(
        "10 Gb/s",
        &[
            sheet("10gbase-lr", 0.0, -6.0 + 14.0 - 3.2, 0.5),
            sheet("10gbase-lr-802-3", 0.5, -8.2 + 14.4, 0.5),
            // Of -4.7 and -15.8, -1.7 and -14.1, -2.1 and -14.1 dBm the first pair has the least.
            sheet("10gbase-er", 4.0, -4.7 + 15.8, -1.0),
            sheet("10g-l40", 4.0, 1.0 + 17.0 - 3.2, 0.5),
            sheet("10g-er-cwdm", 4.0, -1.0 + 16.0, -1.0),
            sheet("10g-zr", 4.0, 0.0 + 24.0, -7.0),
        ],
    );
    assert_eq!(fan_outs(&found, "10gbase-er"), [4]);
    assert_eq!(fan_outs(&found, "10g-l40"), [4, 8]);
    assert_eq!(fan_outs(&found, "10g-er-cwdm"), [4, 8]);
    assert_eq!(fan_outs(&found, "10g-zr"), [4, 8, 16, 32]);
    assert!(!found.iter().any(|(name, _)| name.starts_with("10gbase-lr")), "{found:?}");
}

#[test]
fn at_25_gbps() {
    let found = explored(
        "25 Gb/s",
        &[
            // The channel loss of the class: its launch power in OMA is not stated.
            sheet("25gbase-lr", 2.0, -7.0 + 13.3, 2.0),
            sheet("25gbase-lr-whandar", 2.0, -5.0 + OMA_OF_3_5 + 12.0 - 3.0, 2.0),
            // A sensitivity of unprinted kind, read as amplitude.
            sheet("25gbase-er", 6.0, 0.0 + OMA_OF_3_5 + 19.0 - 1.0, -4.0),
        ],
    );
    assert_eq!(fan_outs(&found, "25gbase-er"), [4, 8, 16]);
    assert!(found.iter().all(|(name, _)| name == "25gbase-er"), "{found:?}");
}

#[test]
fn at_100_gbps() {
    let found = explored(
        "100 Gb/s",
        &[
            // Amplitudes less their penalty, and unstressed sensitivities in OMA.
            sheet("100gbase-lr4", 4.5, -2.3 + 8.6, 4.5),
            sheet("4wdm-10", 2.5, -5.0 + 11.5, 2.5),
            // The channel loss of the class.
            sheet("100gbase-dr", 4.0, -2.9 + 5.9, 4.0),
            sheet("100gbase-lr1", 4.5, -1.4 + 7.7, 4.5),
        ],
    );
    // Nothing closes within 5 hops. 4wdm-40 has an average launch power and a sensitivity that is read as amplitude.
    assert_eq!(found, []);
}

#[test]
fn at_400_gbps() {
    let lr4 = Sheet { name: "400g-lr4-10", launch_max: 5.1, budget: 0.3 + 6.8, overload: None };
    let found = explored(
        "400 Gb/s",
        &[
            // OMA less TDECQ, and less SECQ; the other pair, -0.3 and -4.6 dBm, has the same difference.
            sheet("400gbase-fr4", 3.5, -1.7 + 6.0, 3.5),
            lr4,
            sheet("400zr", -6.0, -10.0 + 20.0, 0.0),
        ],
    );
    assert_eq!(found, [("400zr".to_owned(), 4)]);
}
