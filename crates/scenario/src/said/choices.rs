//! The words of fields that take one of several.

use lightloom_request::Said;
use lightloom_routing::recovery::Objective;
use lightloom_schedules::{Operation, Schedule};
use lightloom_twin::params::{
    Alpha, Buffering, Clamp, Forwarding, Marks, Multipath, Notices, Overflows, Pausing, Reserves,
    Scope, Stages,
};
use lightloom_twin::{CircuitHops, Class, Dialect, GroupVerb, Policy, Repair, Verb};
use lightloom_units::named_enum;

use crate::glass::Light;
use crate::glass::rollout::Returns;
use crate::said::declared::Kind;
use crate::said::value::{FieldValue, Shown};
use crate::scenario::GroupTransport;
use crate::scenario::{NetworkKind, TreeChoice};

named_enum! {
    /// Patterns of messages.
    pub enum Pattern {
        /// Host i sends to host i + offset.
        Stride = "stride",
        /// Every host sends to one other, and receives from one other.
        Permutation = "permutation",
        /// Several hosts send to one.
        Incast = "incast",
        /// Every host sends to every other.
        AllToAll = "all-to-all",
        /// What a file lists.
        Listed = "listed",
        /// What a matrix says that each host or rack sends to each other.
        Matrix = "matrix",
        /// Hosts send at random times to random others.
        Poisson = "poisson",
    }
}

named_enum! {
    /// Published distributions of flow sizes.
    pub enum Distribution {
        /// A web search cluster (DCTCP 2010): 1.71 MB on average.
        WebSearch = "web-search",
        /// A data mining cluster (VL2 2009): 5.04 MB on average, half below 1 kB.
        DataMining = "data-mining",
        /// Hadoop servers (Roy et al. 2015): 120 kB on average.
        Hadoop = "hadoop",
        /// A distributed storage system (Alibaba 2019): 40.9 kB on average.
        AliStorage = "ali-storage",
    }
}

named_enum! {
    /// Orders of the members of a collective operation.
    pub enum Order {
        /// As they are listed; of all hosts, by their numbers.
        Listed = "listed",
        /// Those at the same switch one after the other.
        Racks = "racks",
        /// By chance.
        Random = "random",
    }
}

named_enum! {
    /// What becomes of a design whose light does not close.
    pub enum DarkBranches {
        /// It is refused.
        Refuse = "refuse",
        /// It runs, with what its branches lose.
        Run = "run",
    }
}

named_enum! {
    /// What the data of a group go over.
    pub enum Way {
        /// The splitters of the design.
        Light = "light",
        /// Links between switches.
        Links = "links",
    }
}

named_enum! {
    /// Shipped sets of parameters.
    pub enum ParameterSet {
        /// What serves best, in our view: what the papers leave open, and where we depart from them.
        Lightloom = "lightloom",
        /// As the papers describe: Cepheus (or Gleam, by its dialect) for groups, Zhu et al. for DCQCN.
        Paper = "paper",
        /// Hosts and switches as in the RDMA forks of ns-3.
        RdmaNs3 = "rdma-ns3",
    }
}

named_enum! {
    /// How queue pairs repair losses.
    pub enum LossRepair {
        /// Everything from the gap on is sent again.
        GoBackN = "go-back-n",
        /// Only missing packets are sent again.
        SelectiveRepeat = "selective-repeat",
    }
}

/// Types of other crates, with their words in scenario files.
macro_rules! words {
    ($($type:ty: $($word:literal => $value:expr),+;)+) => {$(
        impl FieldValue for $type {
            const KIND: Kind = Kind::Word(&[$($word),+]);

            fn read(said: &Said<'_>, _: Kind) -> Result<Self, String> {
                said.choice(&[$(($word, $value)),+])
            }
        }

        impl Shown for $type {
            fn shown(&self, _: Kind) -> String {
                let words = [$(($word, $value)),+];
                let word = words.iter().find(|(_, value)| value == self);
                word.map_or_else(String::new, |(word, _)| (*word).to_owned())
            }
        }
    )+};
}

words! {
    Class: "lossless" => Self::LOSSLESS, "lossy" => Self::LOSSY;
    Verb: "write" => Self::Write, "send" => Self::Send;
    GroupVerb: "write" => Self::Write, "send" => Self::Send,
        "write-same-address" => Self::WriteSameAddress;
    GroupTransport: "rc" => Self::Reliable, "datagram" => Self::Datagram;
    Repair: "links" => Self::Electrons, "light" => Self::Light;
    Dialect: "cepheus" => Self::Cepheus, "gleam" => Self::Gleam;
    Policy: "turns" => Self::Turns, "share" => Self::Share;
    CircuitHops: "direct" => Self::Direct, "two" => Self::Two;
    Forwarding: "store-and-forward" => Self::StoreAndForward, "cut-through" => Self::CutThrough;
    Multipath: "flow" => Self::Flow, "packet" => Self::Packet;
    Reserves: "beside" => Self::Beside, "within" => Self::Within;
    Overflows: "fault" => Self::End, "drop" => Self::Drop;
    Marks: "joining" => Self::Joining, "leaving" => Self::Leaving;
    Option<Scope>: "off" => None, "all" => Some(Scope::All), "behind" => Some(Scope::Behind);
    Pausing: "port" => Self::Port, "group" => Self::Group;
    Buffering: "shared" => Self::Shared, "copies" => Self::Copies;
    Alpha: "notified" => Self::Notified, "periodic" => Self::Periodic;
    Clamp: "always" => Self::Always, "after-increase" => Self::AfterIncrease;
    Stages: "both" => Self::Both, "ahead" => Self::Ahead;
    Notices: "packets" => Self::Packets, "answers" => Self::Answers;
}

/// Enumerations that have their words already.
macro_rules! named {
    ($($type:ty),+) => {$(
        impl FieldValue for $type {
            const KIND: Kind = {
                const WORDS: [&str; <$type>::ALL.len()] = {
                    let mut words = [""; <$type>::ALL.len()];
                    let mut i = 0;
                    while i < words.len() {
                        words[i] = <$type>::ALL[i].name();
                        i += 1;
                    }
                    words
                };
                Kind::Word(&WORDS)
            };

            fn read(said: &Said<'_>, _: Kind) -> Result<Self, String> {
                said.choice(&Self::ALL.map(|one| (one.name(), one)))
            }
        }

        impl Shown for $type {
            fn shown(&self, _: Kind) -> String {
                self.name().to_owned()
            }
        }
    )+};
}

named!(
    Operation,
    Schedule,
    Distribution,
    Order,
    Pattern,
    DarkBranches,
    Way,
    ParameterSet,
    LossRepair,
    NetworkKind,
    Light,
    TreeChoice,
    Returns,
    Objective
);
