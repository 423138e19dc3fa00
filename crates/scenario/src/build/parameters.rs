//! The parameters in force: every field of every section, with the source of its value.

use lightloom_request::{At, InputError};
use lightloom_twin::params::{
    Dcqcn, EcnParams, GroupParams, Judge, Params, Recovery, Safeguard, Stack, SwitchParams,
    Transport, Wire,
};
use lightloom_units::{DataSize, Percent};

use crate::said::{
    DcqcnRow, EcnRow, FibreRow, GroupParametersRow, LossRepair, Place, Row, Source, StackRow,
    SwitchRow, TransportRow, WireRow,
};
use crate::scenario::{ParameterReport, Parameters};

/// The source of what a scenario says itself, as reports name it.
pub const SCENARIO: &str = "the scenario";

/// The sections of parameters. All fields must be said: those of the shipped catalogue are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParameterRows {
    /// Fibre.
    pub fibre: FibreRow,
    /// Sizes on the wire.
    pub wire: WireRow,
    /// Switches.
    pub switch: SwitchRow,
    /// Marking.
    pub ecn: EcnRow,
    /// Transport.
    pub transport: TransportRow,
    /// Congestion control.
    pub dcqcn: DcqcnRow,
    /// Reliable groups.
    pub groups: GroupParametersRow,
    /// Time in the hosts.
    pub stack: StackRow,
}

impl ParameterRows {
    /// Reads all sections. `source` has the values of a section, by its name such as `parameters.wire`.
    ///
    /// # Errors
    /// [`InputError`] at the first field whose value has another type.
    pub fn read<S: Source>(source: impl Fn(&'static str) -> S) -> Result<Self, InputError> {
        fn row<R: Row, S: Source>(source: &impl Fn(&'static str) -> S) -> Result<R, InputError> {
            R::read(&source(R::SECTION.name))
        }
        Ok(Self {
            fibre: row(&source)?,
            wire: row(&source)?,
            switch: row(&source)?,
            ecn: row(&source)?,
            transport: row(&source)?,
            dcqcn: row(&source)?,
            groups: row(&source)?,
            stack: row(&source)?,
        })
    }

    /// The parameters of the rows. `source` tells where the value of a field is from.
    ///
    /// # Errors
    /// [`InputError`] at the field if a value is missing or out of range.
    pub fn parameters(&self, source: impl Fn(At) -> String) -> Result<Parameters, InputError> {
        self.check()?;
        let params = Params {
            wire: wire(&self.wire)?,
            switch: switch(&self.switch, &self.ecn)?,
            transport: transport(&self.transport)?,
            dcqcn: dcqcn(&self.dcqcn)?,
            groups: groups(&self.groups)?,
            stack: stack(&self.stack)?,
        };
        let delay_per_m = needed(FibreRow::place(), "delay_per_m", self.fibre.delay_per_m)?;
        let in_force = self.in_force(source);
        Ok(Parameters { params, delay_per_m, in_force, files: Vec::new() })
    }

    fn check(&self) -> Result<(), InputError> {
        self.fibre.check(FibreRow::place())?;
        self.wire.check(WireRow::place())?;
        self.switch.check(SwitchRow::place())?;
        self.ecn.check(EcnRow::place())?;
        self.transport.check(TransportRow::place())?;
        self.dcqcn.check(DcqcnRow::place())?;
        self.groups.check(GroupParametersRow::place())?;
        self.stack.check(StackRow::place())
    }

    /// Every parameter with its value and source.
    fn in_force(&self, source: impl Fn(At) -> String) -> Vec<ParameterReport> {
        let (before_ecn, after_ecn): (Vec<_>, Vec<_>) =
            self.switch.shown().into_iter().partition(|(field, _)| !AFTER_ECN.contains(field));
        let sections = [
            (FibreRow::SECTION.name, self.fibre.shown()),
            (WireRow::SECTION.name, self.wire.shown()),
            (SwitchRow::SECTION.name, before_ecn),
            (EcnRow::SECTION.name, self.ecn.shown()),
            (SwitchRow::SECTION.name, after_ecn),
            (TransportRow::SECTION.name, self.transport.shown()),
            (DcqcnRow::SECTION.name, self.dcqcn.shown()),
            (GroupParametersRow::SECTION.name, self.groups.shown()),
            (StackRow::SECTION.name, self.stack.shown()),
        ];
        let mut in_force = Vec::new();
        for (section, shown) in sections {
            let short = section.strip_prefix("parameters.").unwrap_or(section);
            for (field, value) in shown {
                let source = source(At { section, number: None, field });
                in_force.push(ParameterReport { name: format!("{short}.{field}"), value, source });
            }
        }
        in_force
    }
}

/// Fields of switches that reports list after those of marking.
const AFTER_ECN: [&str; 3] = ["forwarding", "multipath", "latency"];

fn needed<T>(place: Place, field: &'static str, said: Option<T>) -> Result<T, InputError> {
    said.ok_or_else(|| place.refuse(field, "is missing; the catalogue has a value"))
}

/// Binds the values of a row to the names of their fields. All are needed.
macro_rules! take {
    ($row:expr, $type:ident { $($field:ident),+ }) => {
        $(let $field = needed($type::place(), stringify!($field), $row.$field)?;)+
    };
}

fn wire(row: &WireRow) -> Result<Wire, InputError> {
    take!(row, WireRow { mtu, header, control, pause, preamble, gap });
    // Their ranges fit 16 bits. So do payload, headers and RETH of the largest packet.
    let bytes = |size: DataSize| u16::try_from(size.as_bytes()).unwrap_or(u16::MAX);
    Ok(Wire {
        mtu: bytes(mtu),
        header: bytes(header),
        control: bytes(control),
        pause: bytes(pause),
        preamble: bytes(preamble),
        gap: bytes(gap),
    })
}

fn switch(row: &SwitchRow, ecn_row: &EcnRow) -> Result<SwitchParams, InputError> {
    take!(
        row,
        SwitchRow {
            buffer,
            buffer_per_port,
            reserves,
            headroom_per_port,
            headroom_delays,
            minimum_per_port,
            overflow,
            pause_share,
            drop_share,
            resume_offset,
            pfc,
            pause_response,
            forwarding,
            multipath,
            latency
        }
    );
    let ecn = ecn(ecn_row)?;
    Ok(SwitchParams {
        buffer,
        buffer_per_port,
        reserves,
        headroom_per_port,
        headroom_delays,
        minimum_per_port,
        overflow,
        pause_share,
        drop_share,
        resume_offset,
        pfc,
        pause_response,
        ecn,
        forwarding,
        multipath,
        latency,
    })
}

fn ecn(row: &EcnRow) -> Result<Option<EcnParams>, InputError> {
    take!(row, EcnRow { enabled, at, kmin, kmax, pmax, when });
    if kmin > kmax {
        let message = format!("found {kmin}, above kmax of {kmax}; kmin is at most kmax");
        return Err(EcnRow::place().refuse("kmin", message));
    }
    Ok(enabled.then_some(EcnParams { at, kmin, kmax, pmax, when }))
}

fn transport(row: &TransportRow) -> Result<Transport, InputError> {
    take!(
        row,
        TransportRow {
            recovery,
            ack_every,
            timeout,
            retries,
            first_psn,
            window,
            short_timeout,
            few,
            reorder
        }
    );
    let selective = recovery == LossRepair::SelectiveRepeat;
    if selective && ack_every > window {
        let message = format!(
            "found {ack_every}, above the window of {window} packets, so that nothing would be \
             acknowledged; give at most the window"
        );
        return Err(TransportRow::place().refuse("ack_every", message));
    }
    let recovery = if selective {
        Recovery::SelectiveRepeat { window, short_timeout, few, reorder }
    } else {
        Recovery::GoBackN
    };
    Ok(Transport { recovery, ack_every, timeout, retries: retries.value(), first_psn })
}

fn groups(row: &GroupParametersRow) -> Result<GroupParams, InputError> {
    take!(
        row,
        GroupParametersRow {
            fan_out,
            repeat_interval,
            notification_window,
            register_timeout,
            register_tries,
            synchronisation,
            memory,
            buffering,
            pause,
            safeguard,
            safeguard_window,
            safeguard_least,
            safeguard_share
        }
    );
    let safeguard = safeguard.map(|scope| Safeguard {
        window: safeguard_window,
        judge: match safeguard_share {
            Percent::ZERO => Judge::Rate(safeguard_least),
            share => Judge::Share(share),
        },
        scope,
    });
    Ok(GroupParams {
        repeat_interval,
        notification_window,
        register_timeout,
        register_tries,
        synchronisation,
        fan_out: u16::try_from(fan_out).ok().filter(|&ports| ports > 0),
        memory,
        buffering,
        pausing: pause,
        safeguard,
    })
}

fn stack(row: &StackRow) -> Result<Stack, InputError> {
    take!(row, StackRow { send, receive, forward, packet, copy_rate });
    Ok(Stack { send, receive, forward, packet, copy: copy_rate.value() })
}

fn dcqcn(row: &DcqcnRow) -> Result<Option<Dcqcn>, InputError> {
    take!(
        row,
        DcqcnRow {
            enabled,
            g,
            alpha,
            first_share,
            cut_interval,
            clamp,
            alpha_timer,
            increase_timer,
            byte_counter,
            fast_steps,
            stages,
            additive,
            hyper,
            at,
            least,
            cnp_interval,
            notices
        }
    );
    let (byte_counter, at) = (byte_counter.value(), at.value());
    Ok(enabled.then_some(Dcqcn {
        g,
        alpha,
        first_share,
        cut_interval,
        clamp,
        alpha_timer,
        increase_timer,
        byte_counter,
        fast_steps,
        stages,
        additive,
        hyper,
        at,
        least,
        cnp_interval,
        notices,
    }))
}
