//! The languages of switches.

use lightloom_request::InputError;
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::fabric::Configs;
use lightloom_switching::lint::{Severity, lossless};
use lightloom_units::named_enum;
use schemars::JsonSchema;

use crate::language::Language;
use crate::not_expressed::{NotExpressed, lacking};
use crate::{eos, openflow, p4runtime, p4runtime_sonic, sonic};

/// Makes [`Dialect`] from the list of languages: the meaning, the name, the word in files, and what implements it.
macro_rules! languages {
    ($($(#[doc = $about:literal])+ $variant:ident = $word:literal: $language:expr,)+) => {
        named_enum! {
            /// A language of switches.
            #[derive(JsonSchema)]
            pub enum Dialect {
                $($(#[doc = $about])+ $variant = $word,)+
            }
        }

        impl Dialect {
            /// What the dialect is.
            pub(super) fn language(self) -> &'static dyn Language {
                match self {
                    $(Self::$variant => &$language,)+
                }
            }
        }
    };
}

languages! {
    /// OpenFlow 1.3 in the text form of `ovs-ofctl`. Proved on Open vSwitch.
    Openflow = "openflow": openflow::OpenFlow,
    /// P4Runtime entries for a P4 program of our own. Never run on a switch.
    P4runtime = "p4runtime": p4runtime::OwnProgram,
    /// P4Runtime entries for SONiC's published pipeline. Never run on a switch.
    P4runtimeSonic = "p4runtime-sonic": p4runtime_sonic::SonicPipeline,
    /// SONiC's config_db.json: settings of ports. Written from its YANG models and never run.
    Sonic = "sonic": sonic::Sonic,
    /// Arista EOS: settings of ports, and the relay as flows of DirectFlow. Written from documents and never run.
    Eos = "eos": eos::Eos,
}

impl Dialect {
    /// Number of tables in a row that decide about a packet.
    pub fn stages(self) -> u32 {
        self.language().stages()
    }

    /// What the dialect cannot express of these switches.
    pub fn not_expressed(
        self,
        configs: &Configs<'_>,
        switches: &[SwitchConfig],
    ) -> Vec<NotExpressed> {
        let mut found = self.language().lacks(configs, switches);
        if configs.lossless.is_some() && !self.language().sets_ports() {
            found.push(lacking(
                "lossless class",
                "the dialect has no settings of ports",
                "write them by --dialect sonic or eos, or by hand from lossless.csv",
                switches.len(),
            ));
        }
        let reliable = configs.servers.groups().iter().any(|group| group.is_reliable);
        if let Some(why) = self.language().no_redirect().filter(|_| reliable) {
            found.push(NotExpressed {
                loses_packets: true,
                ..lacking(
                    "groups of accelerators",
                    why,
                    "lead packets of groups with transport rc through the accelerators by what the vendor offers",
                    switches.len(),
                )
            });
        }
        if configs.project.is_logical() {
            let all = configs.project.placement().switches().len();
            for lack in found.iter_mut().filter(|lack| lack.switches == switches.len()) {
                lack.switches = all;
            }
        }
        found
    }

    /// Checks whether the switches can be told what they must be.
    ///
    /// # Errors
    /// [`InputError`] if the dialect cannot say it, or if the model of the switches cannot hold it.
    pub(super) fn fits(
        self,
        configs: &Configs<'_>,
        switches: &[SwitchConfig],
    ) -> Result<(), InputError> {
        self.language().check(configs, switches)?;
        let mut planned = lossless::planned(configs).into_iter();
        if let Some(wrong) = planned.find(|found| found.severity == Severity::Error) {
            return Err(InputError::new(format!("{}; {}", wrong.text, wrong.remedy)));
        }
        lightloom_switching::capacity::check(configs, switches, self.stages())
    }
}
