//! The optics of a design: one transceiver type, one splitter type, and everything between them.

use lightloom_units::{Db, Length};
use serde::{Deserialize, Serialize};

use crate::parts::{Fibre, FittedPad, Inline, Joint, PadPlace, Pair, Splitter, Transceiver};
use crate::spread::Spread;

/// An element that light passes. An amplifier is an element with a negative loss. A new kind of part is a new
/// variant of [`What`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Element {
    /// Kind of the element.
    pub what: What,
    /// Loss of the element.
    pub loss: Spread,
}

/// The kinds of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// A length of fibre.
    Fibre,
    /// A mated pair of connectors of one fibre.
    Connector,
    /// A mated pair of connectors of many fibres.
    Mpo,
    /// A splice.
    Splice,
    /// A patch panel.
    Panel,
    /// The splitter, including the even division of the light.
    Splitter,
    /// Deviation of one output from its even share.
    Output,
    /// Additional loss by the splitter's polarisation dependence.
    Polarisation,
    /// A fixed attenuator that adapts the light to the receiver.
    Pad,
    /// Another attenuator, a filter or an amplifier.
    Inline,
}

impl What {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fibre => "fibre",
            Self::Connector => "connector pair",
            Self::Mpo => "MPO pair",
            Self::Splice => "splice",
            Self::Panel => "patch panel",
            Self::Splitter => "splitter",
            Self::Output => "uneven output",
            Self::Polarisation => "polarisation",
            Self::Pad => "pad",
            Self::Inline => "inline part",
        }
    }
}

/// Mated connector pairs on the way of a fibre. The pairs at transceivers are not among them: they are part of
/// launch power and sensitivity, as IEEE 802.3 defines TP2 and TP3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mated {
    /// Pairs of connectors of one fibre.
    pub lc: u32,
    /// Pairs of connectors of many fibres.
    pub mpo: u32,
}

impl Mated {
    /// The pair at the splitter, and no other.
    pub const AT_SPLITTER: Self = Self { lc: 1, mpo: 0 };

    fn is_at_splitter(&self) -> bool {
        *self == Self::AT_SPLITTER
    }

    fn at_splitter() -> Self {
        Self::AT_SPLITTER
    }
}

/// Parts along one fibre.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fittings {
    /// Connector pairs.
    #[serde(default = "Mated::at_splitter", skip_serializing_if = "Mated::is_at_splitter")]
    pub mated: Mated,
    /// Number of splices.
    pub splices: u32,
    /// Number of patch panels.
    pub panels: u32,
    /// Other parts.
    pub inline: Vec<Inline>,
}

impl Default for Fittings {
    fn default() -> Self {
        Self { mated: Mated::AT_SPLITTER, splices: 0, panels: 0, inline: Vec::new() }
    }
}

/// The optics of a design. A part is `None` if the catalogue lacks it. Its losses are then not counted, and
/// [`Optics::gaps`] reports that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Optics {
    /// The transceiver at both ends.
    pub transceiver: Transceiver,
    /// The splitter.
    pub splitter: Splitter,
    /// The fibre.
    pub fibre: Option<Fibre>,
    /// A mated pair of connectors of one fibre.
    pub connector: Option<Joint>,
    /// A mated pair of connectors of many fibres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mpo: Option<Joint>,
    /// A splice.
    pub splice: Option<Joint>,
    /// A patch panel, including its connectors.
    pub panel: Option<Joint>,
    /// Parts between transmitter and splitter.
    pub feed: Fittings,
    /// Parts between splitter and receiver.
    pub branch: Fittings,
    /// The fixed attenuators, if the light would be too strong without them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pad: Option<FittedPad>,
    /// Margin for dispersion, reflections and the like, beyond the transceiver's own penalty.
    pub penalty: Db,
    /// Margin for ageing and repairs.
    pub ageing: Db,
    /// Policy: a branch that closes with a smaller margin above the sensitivity is marginal.
    #[serde(alias = "comfortable")]
    pub least_margin: Db,
    /// Policy: a branch that closes with a smaller headroom below the overload is marginal.
    #[serde(default)]
    pub least_headroom: Db,
}

impl Optics {
    /// The elements from a transmitter to the outputs of its splitter.
    pub fn feed(&self, length: Length) -> Vec<Element> {
        let mut way = Vec::with_capacity(8);
        self.fittings(&self.feed, length, &mut way);
        way.extend(self.pad_at(&[PadPlace::Transmitter, PadPlace::Feed]));
        way.push(Element { what: What::Splitter, loss: self.splitter.even_loss() });
        way
    }

    /// The elements from a splitter output to a receiver.
    pub fn branch(&self, length: Length) -> Vec<Element> {
        let mut way = Vec::with_capacity(8);
        // The difference between the outputs of one splitter is drawn per output.
        if let Some(loss) = self.splitter.unevenness() {
            way.push(Element { what: What::Output, loss });
        }
        if let Some(pdl) = self.splitter.further_pdl() {
            let loss = Spread { least: Db::ZERO, typical: Db::ZERO, most: pdl };
            way.push(Element { what: What::Polarisation, loss });
        }
        self.fittings(&self.branch, length, &mut way);
        way.extend(self.pad_at(&[PadPlace::Receiver]));
        way
    }

    fn pad_at(&self, places: &[PadPlace]) -> Option<Element> {
        let fitted = self.pad.as_ref().filter(|fitted| places.contains(&fitted.at))?;
        Some(Element { what: What::Pad, loss: fitted.pad.loss() })
    }

    fn fittings(&self, fittings: &Fittings, length: Length, way: &mut Vec<Element>) {
        if let Some(fibre) = &self.fibre {
            let most = fibre.attenuation_max.over(length);
            let typical = fibre.attenuation_typ.map_or(most, |typical| typical.over(length));
            way.push(Element {
                what: What::Fibre,
                loss: Spread { least: Db::ZERO, typical, most },
            });
        }
        let joints = [
            (What::Connector, &self.connector, fittings.mated.lc),
            (What::Mpo, &self.mpo, fittings.mated.mpo),
            (What::Splice, &self.splice, fittings.splices),
            (What::Panel, &self.panel, fittings.panels),
        ];
        for (what, joint, count) in joints {
            let element = joint.as_ref().map(|joint| Element { what, loss: joint.loss() });
            way.extend(element.into_iter().flat_map(|e| std::iter::repeat_n(e, count as usize)));
        }
        let inline = |part: &Inline| Element { what: What::Inline, loss: part.loss() };
        way.extend(fittings.inline.iter().map(inline));
    }

    /// Margin that is not a loss of any part: penalties and ageing.
    pub fn reserve(&self) -> Db {
        self.transceiver.penalty.unwrap_or(Db::ZERO) + self.own_reserve()
    }

    /// The same without the transceiver's penalty.
    fn own_reserve(&self) -> Db {
        self.penalty + self.ageing
    }

    /// The margin that counts with a pair: without a penalty that the pair includes.
    pub fn reserve_of(&self, pair: &Pair) -> Db {
        if pair.includes_penalty() { self.own_reserve() } else { self.reserve() }
    }

    /// Whether the lanes of a multiplex stay alike enough for the receiver. Their levels are per lane, so
    /// each lane has the budget of the branch; their difference has a limit of its own.
    pub fn lanes(&self) -> Lanes {
        let (transceiver, splitter) = (&self.transceiver, &self.splitter);
        if transceiver.lanes == 1 {
            return Lanes::One;
        }
        let Some(launch) = transceiver.lane_difference_launch else {
            return Lanes::Unknown("lane_difference_launch is unknown, so lanes are not compared");
        };
        let Some(limit) = transceiver.lane_difference_receive else {
            return Lanes::Unknown("lane_difference_receive is unknown, so lanes are not compared");
        };
        let Some(splitter) = splitter.wavelength_dependence else {
            return match launch > limit {
                true => Lanes::TooDifferent { difference: launch, limit },
                false => Lanes::Unknown(
                    "the splitter's wavelength_dependence is unknown, so lanes are not compared",
                ),
            };
        };
        let difference = launch + splitter;
        if difference > limit { Lanes::TooDifferent { difference, limit } } else { Lanes::Alike }
    }

    /// What may happen to a receiver, although no branch is designed so.
    pub fn hazards(&self) -> Vec<String> {
        let transceiver = &self.transceiver;
        let (name, mut hazards) = (&transceiver.name, Vec::new());
        if let Lanes::TooDifferent { difference, limit } = self.lanes() {
            hazards.push(format!(
                "lanes of {name} may differ by {:.2} dB at the receiver, which accepts {limit}",
                difference.get()
            ));
        }
        if let (Some(launch), Some(damage)) = (transceiver.launch_max, transceiver.damage)
            && launch > damage
        {
            hazards.push(format!(
                "a cord that bypasses the splitter puts up to {launch} on a receiver that {damage} \
                 damages: {name}"
            ));
        }
        if let (Some(launch), Some(damage), Some(fitted)) =
            (transceiver.launch_max, transceiver.damage, &self.pad)
        {
            let strongest = launch - self.splitter.loss().least;
            if strongest > damage {
                hazards.push(format!(
                    "without its pad {} a branch puts up to {:.2} dBm on a receiver that {damage} damages: \
                     {name}",
                    fitted.pad.name,
                    strongest.get()
                ));
            }
        }
        hazards
    }
}

/// Result of the comparison of lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lanes {
    /// The transceiver has one lane.
    One,
    /// The lanes differ by no more than the receiver accepts.
    Alike,
    /// A value is missing.
    Unknown(&'static str),
    /// The lanes may differ by more than the receiver accepts.
    TooDifferent {
        /// Largest difference at the receiver.
        difference: Db,
        /// The receiver's limit.
        limit: Db,
    },
}
