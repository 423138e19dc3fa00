//! Rows whose values are of kinds that contradict each other, receivers and pads that cannot be: each is
//! refused with its file, line and field.

use crate::light_catalogues::{OF, optic, refused};

/// A transceiver row of another modulation.
fn modulated(modulation: &str, lines: &str) -> String {
    optic(lines).replace("\"nrz\"", &format!("\"{modulation}\""))
}

fn pad(lines: &str) -> String {
    format!("[pad.x]\n{lines}\n{OF}")
}

#[test]
fn kinds_that_do_not_belong_to_the_modulation() {
    let tdp = "oma_minus_tdp_min = \"-2 dBm\"";
    refused(modulated("pam4", tdp), 4, &["transceiver.x.oma_minus_tdp_min", "PAM4", "NRZ"]);
    for modulation in ["nrz", "coherent"] {
        for field in ["oma_minus_tdecq_min", "sensitivity_oma_minus_secq"] {
            let row = modulated(modulation, &format!("{field} = \"-2 dBm\""));
            refused(row, 4, &[&format!("transceiver.x.{field}"), "not PAM4"]);
        }
    }
    // Only coherent light has a local oscillator to be received with, and it needs one.
    for (modulation, receiver) in
        [("nrz", "coherent"), ("pam4", "coherent"), ("coherent", "pin"), ("coherent", "apd")]
    {
        let lines = format!("receiver = \"{receiver}\"\ndamage = \"6 dBm\"");
        let row = modulated(modulation, &lines);
        refused(row, 4, &["transceiver.x.receiver", receiver, "modulation"]);
    }
}

#[test]
fn values_of_two_kinds_that_contradict_each_other() {
    for (modulation, first, second, parts) in [
        // A penalty takes from the amplitude.
        (
            "nrz",
            "oma_minus_tdp_min = \"-1 dBm\"",
            "launch_oma_min = \"-1.7 dBm\"",
            ["oma_minus_tdp_min", "-1 dBm", "-1.7 dBm"],
        ),
        (
            "pam4",
            "oma_minus_tdecq_min = \"0 dBm\"",
            "launch_oma_min = \"-0.8 dBm\"",
            ["oma_minus_tdecq_min", "0 dBm", "-0.8 dBm"],
        ),
        // A stressed signal needs no less light than an ideal one.
        (
            "nrz",
            "sensitivity_oma = \"-11 dBm\"",
            "stressed_sensitivity_oma = \"-14 dBm\"",
            ["sensitivity_oma", "-11 dBm", "-14 dBm"],
        ),
        (
            "pam4",
            "sensitivity_oma_minus_secq = \"-1 dBm\"",
            "stressed_sensitivity_oma = \"-2 dBm\"",
            ["sensitivity_oma_minus_secq", "-1 dBm", "-2 dBm"],
        ),
        // No receiver of the class is less sensitive than the class.
        (
            "nrz",
            "sensitivity = \"-12 dBm\"",
            "receive_min = \"-14.4 dBm\"",
            ["sensitivity", "-12 dBm", "-14.4 dBm"],
        ),
        // The typical receiver is no worse than the worst.
        (
            "nrz",
            "sensitivity_typ = \"-12 dBm\"",
            "sensitivity = \"-14 dBm\"",
            ["sensitivity_typ", "-12 dBm", "-14 dBm"],
        ),
        // An amplitude is at most twice the average, 3.01 dB more.
        (
            "nrz",
            "launch_oma_min = \"1.1 dBm\"",
            "launch_max = \"-2 dBm\"",
            ["launch_oma_min", "found 1.1 dBm", "1.01 dBm"],
        ),
    ] {
        let [field, ..] = parts;
        let field = format!("transceiver.x.{field}");
        let parts = [field.as_str(), parts[1], parts[2]];
        refused(modulated(modulation, &format!("{first}\n{second}")), 4, &parts);
        refused(modulated(modulation, &format!("{second}\n{first}")), 5, &parts);
    }
}

#[test]
fn sensitivities_of_every_kind_above_the_overload() {
    // Both are compared with the greatest power that the receiver may get: its overload, or if that is
    // unknown the power that damages it.
    for most in ["overload", "damage"] {
        let most = format!("{most} = \"-15 dBm\"");
        for (field, found) in [
            ("sensitivity", "-14 dBm"),
            ("receive_min", "-14 dBm"),
            ("signal_detect", "-14 dBm"),
            // As an amplitude, -15 dBm of average power is at most -11.99 dBm.
            ("sensitivity_oma", "-11.9 dBm"),
            ("stressed_sensitivity_oma", "-11.9 dBm"),
        ] {
            let row = optic(&format!("{most}\n{field} = \"{found}\""));
            refused(row, 5, &[&format!("transceiver.x.{field}"), found]);
        }
    }
}

#[test]
fn receivers_that_cannot_be() {
    // A sensitivity has one kind.
    for other in ["sensitivity", "sensitivity_oma"] {
        let both = format!("sensitivity_unprinted = \"-19 dBm\"\n{other} = \"-18 dBm\"");
        let parts = ["transceiver.x.sensitivity_unprinted", "printed kind"];
        refused(optic(&both), 4, &parts);
    }
    refused(optic("receiver = \"tube\""), 4, &["transceiver.x.receiver", "tube", "pin, apd"]);
    for floor in ["-1e-15", "0", "-0.0", "1e-9", "nan", "inf", "\"1e-15\""] {
        let row = optic(&format!("ber = 1e-12\nber_floor = {floor}"));
        refused(row, 5, &["transceiver.x.ber_floor", "expected"]);
    }
    for lanes in ["0", "-1", "65"] {
        refused(optic(&format!("lanes = {lanes}")), 4, &["transceiver.x.lanes", lanes]);
    }
    refused(optic("lanes = 1.5"), 4, &["transceiver.x.lanes", "whole number"]);
    for field in ["lane_difference_launch", "lane_difference_receive", "penalty"] {
        let row = optic(&format!("{field} = \"-0.1 dB\""));
        refused(row, 4, &[&format!("transceiver.x.{field}"), "-0.1 dB"]);
    }
    for ratio in ["0 dB", "-3 dB", "41 dB"] {
        let row = optic(&format!("extinction_ratio_min = \"{ratio}\""));
        refused(row, 4, &["transceiver.x.extinction_ratio_min", ratio]);
    }
}

#[test]
fn pads_that_cannot_be() {
    let tolerance = "tolerance = \"0.5 dB\"";
    for attenuation in ["0 dB", "-3 dB", "40.1 dB"] {
        let row = pad(&format!("attenuation = \"{attenuation}\"\n{tolerance}"));
        refused(row, 2, &["pad.x.attenuation", attenuation, "more than 0 dB"]);
    }
    for wrong in ["3", "3 dBm", "nan dB", "three"] {
        let row = pad(&format!("attenuation = \"{wrong}\"\n{tolerance}"));
        refused(row, 2, &["pad.x.attenuation", wrong, "expected"]);
    }
    for wrong in ["0 dB", "-0.5 dB", "3 dB", "4 dB"] {
        let row = pad(&format!("attenuation = \"3 dB\"\ntolerance = \"{wrong}\""));
        refused(row, 3, &["pad.x.tolerance", wrong, "3 dB"]);
    }
    refused(pad("attenuation = \"3 dB\""), 1, &["pad.x.tolerance", "missing", "dB"]);
    refused(pad(tolerance), 1, &["pad.x.attenuation", "missing", "dB"]);
    let loss = format!("attenuation = \"3 dB\"\n{tolerance}\nloss_max = \"4 dB\"");
    refused(pad(&loss), 4, &["pad.x.loss_max", "unknown", "attenuation"]);
}
