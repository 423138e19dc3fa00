//! The parameters in force. A named set overrides the built-in file, the user's file overrides both, and values
//! in the scenario override all.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use lightloom_catalogue::Shipped;
use lightloom_request::InputError;
use lightloom_sim::scenario::ParameterReport;
use lightloom_sim::scenario::Parameters;
use lightloom_twin::params::{
    Alpha, Buffering, Clamp, Dcqcn, EcnParams, Forwarding, GroupParams, Marks, Notices, Overflows,
    Params, Recovery, Reserves, Safeguard, Scope, Stack, Stages, SwitchParams, Transport, Wire,
};
use lightloom_units::{BitRate, DataSize, ParseError, Span};
use toml::de::DeValue;

use crate::rows::{Document, Row};
use crate::scenario::layers::{Layers, SHIPPED, sections};
use crate::scenario::limits::{self, LEAST_RATE, LONGEST_SPAN, MOST_RATE};
use crate::text;

/// The named sets. The values of a set replace those of the shipped file.
const SETS: [(&str, Option<Shipped>); 2] =
    [("paper", None), ("rdma-ns3", Some(lightloom_catalogue::TWIN_RDMA_NS3))];

/// Reads the parameters in force. `said` is the section `[parameters]` of the scenario.
pub(super) fn read(base: &Path, said: Option<Row<'_>>) -> Result<Parameters, InputError> {
    let shipped = Document::parse(Path::new(SHIPPED.path), SHIPPED.text)?;
    let mut files = vec![(PathBuf::from(SHIPPED.path), SHIPPED.text.to_owned())];
    if let Some(said) = said {
        let known = ["set", "file"].into_iter().chain(sections().map(|(name, _)| name));
        said.only_these(&known.collect::<Vec<_>>())?;
        if let Some(set) = said.choice("set", &SETS)?.flatten() {
            files.push((PathBuf::from(set.path), set.text.to_owned()));
        }
        if let Some(file) = said.text("file")? {
            let path = base.join(file);
            let text = text::read_up_to(said.texts(), &path, 16 << 20);
            let text = text.map_err(|error| said.of_file("file", &path, error))?;
            files.push((path, text));
        }
    }
    let over = files.iter().skip(1).map(|(path, text)| Document::parse(path, text));
    let over = over.collect::<Result<Vec<Document>, InputError>>()?;
    let mut layers = Layers { files: vec![shipped.rows(|_| true)?], said: Vec::new() };
    for document in &over {
        layers.files.push(document.rows(|_| true)?);
    }
    if let Some(said) = said {
        for (name, section) in sections() {
            layers.said.extend(said.table(name, section.name)?);
        }
    }
    layers.check()?;
    let mut reading = Reading { layers: &layers, in_force: Vec::new() };
    let (params, delay_per_m) = reading.all()?;
    let in_force = reading.in_force;
    Ok(Parameters { params, delay_per_m, in_force, files })
}

/// Reads every field once and records its value and source.
struct Reading<'a> {
    layers: &'a Layers<'a>,
    in_force: Vec<ParameterReport>,
}

impl<'a> Reading<'a> {
    fn note(&mut self, section: &str, field: &str, value: &dyn Display, source: String) {
        let (name, value) = (format!("{section}.{field}"), value.to_string());
        self.in_force.push(ParameterReport { name, value, source });
    }

    /// Reads a value from its row with `read`, and checks that it is from `least` to `most`.
    fn value<T: PartialOrd + Display + Copy>(
        &mut self,
        (section, field): (&str, &str),
        (least, most): (T, T),
        read: impl Fn(&Row<'a>, &str) -> Result<T, InputError>,
    ) -> Result<T, InputError> {
        let (row, source) = self.layers.saying(section, field)?;
        let value = read(&row, field)?;
        limits::within(&row, field, value, (least, most))?;
        self.note(section, field, &value, source);
        Ok(value)
    }

    fn quantity<T>(&mut self, at: (&str, &str), range: (T, T)) -> Result<T, InputError>
    where
        T: PartialOrd + Display + Copy + FromStr<Err = ParseError>,
    {
        self.value(at, range, |row, field| row.required(field, &format!("\"{}\"", range.0)))
    }

    /// A quantity, or none where the word stands in its place.
    fn quantity_or<T>(
        &mut self,
        (section, field): (&str, &str),
        range: (T, T),
        word: &str,
    ) -> Result<Option<T>, InputError>
    where
        T: PartialOrd + Display + Copy + FromStr<Err = ParseError>,
    {
        let (row, source) = self.layers.saying(section, field)?;
        if row.text(field)? == Some(word) {
            self.note(section, field, &word, source);
            return Ok(None);
        }
        self.quantity((section, field), range).map(Some)
    }

    fn number(&mut self, at: (&str, &str), range: (u32, u32)) -> Result<u32, InputError> {
        self.value(at, range, |row, field| row.required_number(field, &range.0.to_string()))
    }

    /// A whole number, or none where the word stands in its place.
    fn number_or(
        &mut self,
        (section, field): (&str, &str),
        range: (u32, u32),
        word: &str,
    ) -> Result<Option<u32>, InputError> {
        let (row, source) = self.layers.saying(section, field)?;
        match row.value(field) {
            Some(DeValue::String(text)) if text.as_ref() == word => {
                self.note(section, field, &word, source);
                Ok(None)
            }
            Some(DeValue::String(text)) => {
                let message = format!("found {text:?}; expected a whole number, or {word:?}");
                Err(row.refuse(field, message))
            }
            _ => self.number((section, field), range).map(Some),
        }
    }

    fn ratio(&mut self, at: (&str, &str), range: (f64, f64)) -> Result<f64, InputError> {
        self.value(at, range, |row, field| {
            row.ratio(field)?.ok_or_else(|| row.missing(field, "0.1"))
        })
    }

    fn flag(&mut self, section: &str, field: &str) -> Result<bool, InputError> {
        self.value((section, field), (false, true), |row, field| {
            row.flag(field)?.ok_or_else(|| row.missing(field, "true"))
        })
    }

    fn word<T: Copy>(
        &mut self,
        (section, field): (&str, &str),
        choices: &[(&str, T)],
    ) -> Result<T, InputError> {
        let (row, source) = self.layers.saying(section, field)?;
        let choice = row.choice(field, choices)?;
        let choice = choice.ok_or_else(|| row.missing(field, choices[0].0))?;
        let said = row.text(field)?.unwrap_or_default();
        self.note(section, field, &said, source);
        Ok(choice)
    }

    /// Reads a number of bytes that fits 16 bits.
    fn bytes(&mut self, at: (&str, &str), least: u16, most: u16) -> Result<u16, InputError> {
        let size = |bytes: u16| DataSize::from_bytes(bytes.into());
        let found = self.quantity(at, (size(least), size(most)))?;
        // The range check above makes this conversion exact.
        Ok(u16::try_from(found.as_bytes()).unwrap_or(most))
    }

    fn all(&mut self) -> Result<(Params, Span), InputError> {
        let delay_per_m = self.span(("fibre", "delay_per_m"), Span::from_ps(1))?;
        let params = Params {
            wire: self.wire()?,
            switch: self.switch()?,
            transport: self.transport()?,
            dcqcn: self.dcqcn()?,
            groups: self.groups()?,
            stack: Stack {
                send: self.span(("stack", "send"), Span::ZERO)?,
                receive: self.span(("stack", "receive"), Span::ZERO)?,
                forward: self.span(("stack", "forward"), Span::ZERO)?,
            },
        };
        Ok((params, delay_per_m))
    }

    fn span(&mut self, at: (&str, &str), least: Span) -> Result<Span, InputError> {
        self.quantity(at, (least, LONGEST_SPAN))
    }

    fn wire(&mut self) -> Result<Wire, InputError> {
        // Payload, headers and RETH of the largest packet fit 16 bits.
        Ok(Wire {
            mtu: self.bytes(("wire", "mtu"), 64, 64_000)?,
            header: self.bytes(("wire", "header"), 14, 1_000)?,
            control: self.bytes(("wire", "control"), 1, 1_500)?,
            pause: self.bytes(("wire", "pause"), 1, 1_500)?,
            preamble: self.bytes(("wire", "preamble"), 0, 1_000)?,
            gap: self.bytes(("wire", "gap"), 0, 1_000)?,
        })
    }

    fn switch(&mut self) -> Result<SwitchParams, InputError> {
        const MOST: DataSize = DataSize::from_bytes(1 << 32);
        let forwardings = [
            ("store-and-forward", Forwarding::StoreAndForward),
            ("cut-through", Forwarding::CutThrough),
        ];
        let reserves = [("beside", Reserves::Beside), ("within", Reserves::Within)];
        let overflows = [("fault", Overflows::End), ("drop", Overflows::Drop)];
        Ok(SwitchParams {
            buffer: self.quantity(("switch", "buffer"), (DataSize::ZERO, MOST))?,
            buffer_per_port: self
                .quantity(("switch", "buffer_per_port"), (DataSize::ZERO, MOST))?,
            reserves: self.word(("switch", "reserves"), &reserves)?,
            headroom_per_port: self
                .quantity(("switch", "headroom_per_port"), (DataSize::ZERO, MOST))?,
            headroom_delays: self.ratio(("switch", "headroom_delays"), (0.0, 1000.0))?,
            minimum_per_port: self
                .quantity(("switch", "minimum_per_port"), (DataSize::ZERO, MOST))?,
            overflow: self.word(("switch", "overflow"), &overflows)?,
            pause_share: self.ratio(("switch", "pause_share"), (0.0, 1000.0))?,
            drop_share: self.ratio(("switch", "drop_share"), (0.0, 1000.0))?,
            resume_offset: self.quantity(("switch", "resume_offset"), (DataSize::ZERO, MOST))?,
            pfc: self.flag("switch", "pfc")?,
            ecn: self.ecn()?,
            forwarding: self.word(("switch", "forwarding"), &forwardings)?,
            latency: self.span(("switch", "latency"), Span::ZERO)?,
        })
    }

    fn ecn(&mut self) -> Result<Option<EcnParams>, InputError> {
        const MOST: DataSize = DataSize::from_bytes(1 << 32);
        let enabled = self.flag("ecn", "enabled")?;
        let ecn = EcnParams {
            at: self.quantity(("ecn", "at"), (LEAST_RATE, MOST_RATE))?,
            kmin: self.quantity(("ecn", "kmin"), (DataSize::ZERO, MOST))?,
            kmax: self.quantity(("ecn", "kmax"), (DataSize::ZERO, MOST))?,
            pmax: self.ratio(("ecn", "pmax"), (0.0, 1.0))?,
            when: self.word(
                ("ecn", "when"),
                &[("joining", Marks::Joining), ("leaving", Marks::Leaving)],
            )?,
        };
        if ecn.kmin > ecn.kmax {
            let (row, _) = self.layers.saying("ecn", "kmin")?;
            let message =
                format!("found {}, above kmax of {}; kmin is at most kmax", ecn.kmin, ecn.kmax);
            return Err(row.refuse("kmin", message));
        }
        Ok(enabled.then_some(ecn))
    }

    fn transport(&mut self) -> Result<Transport, InputError> {
        const WINDOW: u32 = 1 << 22;
        const MOST_RETRIES: u32 = 1_000_000;
        let selective = self
            .word(("transport", "recovery"), &[("go-back-n", false), ("selective-repeat", true)])?;
        let ack_every = self.number(("transport", "ack_every"), (1, WINDOW))?;
        let timeout = self.span(("transport", "timeout"), Span::from_ns(1))?;
        let retries = self.number_or(("transport", "retries"), (0, MOST_RETRIES), "none")?;
        let first_psn = self.number(("transport", "first_psn"), (0, (1 << 24) - 1))?;
        let window = self.number(("transport", "window"), (1, WINDOW))?;
        let short_timeout = self.span(("transport", "short_timeout"), Span::from_ns(1))?;
        let few = self.number(("transport", "few"), (0, WINDOW))?;
        if selective && ack_every > window {
            let (row, _) = self.layers.saying("transport", "ack_every")?;
            let message = format!(
                "found {ack_every}, above the window of {window} packets, so that nothing would be \
                 acknowledged; give at most the window"
            );
            return Err(row.refuse("ack_every", message));
        }
        let recovery = if selective {
            Recovery::SelectiveRepeat { window, short_timeout, few }
        } else {
            Recovery::GoBackN
        };
        Ok(Transport { recovery, ack_every, timeout, retries, first_psn })
    }

    fn safeguard(&mut self) -> Result<Option<Safeguard>, InputError> {
        let scopes = [("off", None), ("all", Some(Scope::All)), ("behind", Some(Scope::Behind))];
        let scope = self.word(("groups", "safeguard"), &scopes)?;
        let window = self.span(("groups", "safeguard_window"), Span::from_ns(1))?;
        let least =
            self.quantity(("groups", "safeguard_least"), (BitRate::from_bps(1), MOST_RATE))?;
        Ok(scope.map(|scope| Safeguard { window, least, scope }))
    }

    fn groups(&mut self) -> Result<GroupParams, InputError> {
        const MOST: DataSize = DataSize::from_bytes(1 << 32);
        const MOST_PORTS: u32 = 65_534;
        let buffering = [("shared", Buffering::Shared), ("copies", Buffering::Copies)];
        let fan_out = self.number(("groups", "fan_out"), (0, MOST_PORTS))?;
        Ok(GroupParams {
            repeat_interval: self.span(("groups", "repeat_interval"), Span::ZERO)?,
            notification_window: self.span(("groups", "notification_window"), Span::from_ns(1))?,
            register_timeout: self.span(("groups", "register_timeout"), Span::from_ns(1))?,
            register_tries: self.number(("groups", "register_tries"), (1, 1_000))?,
            synchronisation: self.span(("groups", "synchronisation"), Span::ZERO)?,
            fan_out: u16::try_from(fan_out).ok().filter(|&ports| ports > 0),
            memory: self.quantity(("groups", "memory"), (DataSize::ZERO, MOST))?,
            buffering: self.word(("groups", "buffering"), &buffering)?,
            safeguard: self.safeguard()?,
        })
    }

    fn dcqcn(&mut self) -> Result<Option<Dcqcn>, InputError> {
        const NANOSECOND: Span = Span::from_ns(1);
        let rates = (BitRate::from_bps(1), MOST_RATE);
        let bytes = (DataSize::from_bytes(1), limits::LARGEST_FLOW);
        let enabled = self.flag("dcqcn", "enabled")?;
        let dcqcn = Dcqcn {
            g: self.ratio(("dcqcn", "g"), (0.0, 1.0))?,
            alpha: self.word(
                ("dcqcn", "alpha"),
                &[("notified", Alpha::Notified), ("periodic", Alpha::Periodic)],
            )?,
            first_share: self.ratio(("dcqcn", "first_share"), (0.0, 1.0))?,
            cut_interval: self.span(("dcqcn", "cut_interval"), Span::ZERO)?,
            clamp: self.word(
                ("dcqcn", "clamp"),
                &[("always", Clamp::Always), ("after-increase", Clamp::AfterIncrease)],
            )?,
            alpha_timer: self.span(("dcqcn", "alpha_timer"), NANOSECOND)?,
            increase_timer: self.span(("dcqcn", "increase_timer"), NANOSECOND)?,
            byte_counter: self.quantity_or(("dcqcn", "byte_counter"), bytes, "none")?,
            fast_steps: self.number(("dcqcn", "fast_steps"), (0, 1_000_000))?,
            stages: self
                .word(("dcqcn", "stages"), &[("both", Stages::Both), ("ahead", Stages::Ahead)])?,
            additive: self.quantity(("dcqcn", "additive"), rates)?,
            hyper: self.quantity(("dcqcn", "hyper"), rates)?,
            at: self.quantity_or(("dcqcn", "at"), (LEAST_RATE, MOST_RATE), "any")?,
            least: self.quantity(("dcqcn", "least"), (LEAST_RATE, MOST_RATE))?,
            cnp_interval: self.span(("dcqcn", "cnp_interval"), Span::ZERO)?,
            notices: self.word(
                ("dcqcn", "notices"),
                &[("packets", Notices::Packets), ("answers", Notices::Answers)],
            )?,
        };
        Ok(enabled.then_some(dcqcn))
    }
}
