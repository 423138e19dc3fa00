//! What is unknown about the optics of a design, in sentences.

use crate::optics::{Lanes, Optics};
use crate::parts::{LightLevels, Modulation, ReceiverKind, SensitivityKind};

impl Optics {
    /// Unknown values. A budget that closes without them may still fail.
    pub fn gaps(&self) -> Vec<String> {
        let transceiver = &self.transceiver;
        let name = &transceiver.name;
        let mut gaps = Vec::new();
        match transceiver.levels() {
            Ok(LightLevels::BestCase(_)) => gaps.push(format!(
                "{name}: only the best-case budget is known (greatest launch power minus sensitivity), \
                 neither the least launch power nor the overload"
            )),
            Ok(LightLevels::Pairs { pairs, .. }) => {
                if pairs.iter().all(|pair| pair.receive == SensitivityKind::AverageMinimum) {
                    gaps.push(format!(
                        "{name}: only the average minimum of its link class is known; the margin is what \
                         remains of the channel loss of the class"
                    ));
                }
                for (field, known) in [
                    ("launch_max", transceiver.launch_max.is_some()),
                    ("overload", transceiver.ceiling().is_some()),
                ] {
                    if !known {
                        gaps.push(format!(
                            "{name}: {field} is unknown, so overload is not assessed"
                        ));
                    }
                }
            }
            Err(reason) => gaps.push(format!("{name}: {reason}")),
        }
        if transceiver.overload.is_none() && transceiver.damage.is_some() {
            gaps.push(format!(
                "{name}: overload is unknown; the damage threshold stands in for it"
            ));
        }
        let by_amplitude = transceiver.oma_minus_tdecq_min.is_some()
            && transceiver.sensitivity_oma_minus_secq.is_some();
        if transceiver.modulation == Modulation::Pam4 && !by_amplitude {
            gaps.push(format!(
                "{name}: average power is informative for PAM4; the normative pair, outer OMA minus \
                 TDECQ and the sensitivity in OMA minus SECQ, is unknown"
            ));
        }
        if let Ok(LightLevels::Pairs { pairs, .. }) = transceiver.levels()
            && pairs.iter().all(|pair| pair.is_derived)
        {
            gaps.push(format!(
                "{name}: its launch power in OMA follows from the least average power and the least \
                 extinction ratio; this lower bound proves no failure"
            ));
        }
        if let Ok(LightLevels::Pairs { pairs, .. }) = transceiver.levels()
            && pairs.iter().any(|pair| pair.receive == SensitivityKind::Unprinted)
        {
            gaps.push(format!(
                "{name}: its source does not print which kind of power its sensitivity is; it is read as OMA"
            ));
        }
        gaps.extend(self.receiver_gaps());
        gaps.extend(self.reflection_gaps());
        if self.splitter.by_formula {
            gaps.push(format!(
                "{}: its loss is by a formula; no data sheet gives its worst case",
                self.splitter.name
            ));
        }
        if let Lanes::Unknown(why) = self.lanes() {
            gaps.push(format!("{name}: {why}"));
        }
        if self.fibre.is_none() {
            gaps.push("fibre: no attenuation in the catalogue; its loss is not counted".into());
        }
        if self.connector.is_none() {
            gaps.push("connectors: none in the catalogue; their loss is not counted".into());
        }
        if self.mpo.is_none() && self.feed.mated.mpo + self.branch.mated.mpo > 0 {
            gaps.push("MPO connectors: none in the catalogue; their loss is not counted".into());
        }
        gaps
    }

    /// What is unknown about the receiver itself. The kind and the damage threshold are two facts.
    fn receiver_gaps(&self) -> Option<String> {
        let transceiver = &self.transceiver;
        let name = &transceiver.name;
        match transceiver.receiver_kind() {
            None => Some(format!(
                "{name}: the kind of its receiver is unknown (pin or apd), so no error ratio is better than the \
                 one at its sensitivity"
            )),
            Some(ReceiverKind::Apd) if transceiver.damage.is_none() => Some(format!(
                "{name}: its damage threshold is unknown, and strong light destroys an avalanche photodiode; \
                 a cord that bypasses the splitter is not assessed"
            )),
            Some(_) => None,
        }
    }
}
