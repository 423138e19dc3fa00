//! From all that was said to the scenario.

use lightloom_request::InputError;
use lightloom_twin::Service;

use crate::build::context::Context;
use crate::build::groups::Groups;
use crate::build::nodes::Nodes;
use crate::build::{
    PlanInUse, ScenarioBuilder, accelerators, circuits, epochs, members, planned, probes, recovery,
    waits,
};
use crate::said::Place;
use crate::scenario::{Ends, Rows, Scenario, TraceRun};
use crate::{headroom, spraying, timeouts};

impl ScenarioBuilder {
    /// The scenario. Also returns the plan whose splitters it uses.
    ///
    /// # Errors
    /// [`InputError`] at the field if parts of the scenario do not fit each other.
    pub fn build(mut self) -> Result<(Scenario, Option<PlanInUse>), InputError> {
        self.end_of_collectives();
        let computes = !self.computations.all.is_empty();
        if self.traffic.flows.is_empty() && self.casts.casts.is_empty() && !computes {
            let message = "is missing; give at least one [[flow]], [[traffic]], [[multicast]], [[collective]] or \
                           [[trace]]";
            return Err(Place::ROOT.refuse("flow", message));
        }
        if let Some(admission) = &self.admission {
            admission.check_recovery(self.recovery.is_some())?;
        }
        self.collectives.check(&self.groups)?;
        let rows = self.rows();
        let Context { nodes, run, .. } = self.context;
        let until = run.until;
        let admission = self.admission.as_ref();
        let epochs = epochs::split(&mut self.groups, &mut self.casts, &nodes.network)?;
        let mut groups = Groups::new(self.groups, &mut self.casts, &nodes, admission)?;
        if let Some(setup) = &self.setup {
            groups.multicast.opens = setup.opens(&epochs, &groups.multicast.rules);
        }
        let awaited = [self.collectives.awaited.as_slice(), &self.traces.awaited].concat();
        let messages = (&mut self.traffic, awaited.as_slice(), &mut self.computations);
        let computations =
            waits::enter(messages, &self.casts, &mut groups.multicast, &nodes.network)?;
        let flows = self.traffic.flows;
        let recorded = (flows.len(), &groups.multicast);
        let hosts = nodes.network.hosts();
        let probes = probes::probes(&self.probes, (until, hosts), recorded)?;
        let losses = self.losses.enter(&mut groups.multicast.splitters);
        let mut troubles = self.troubles;
        let recovery = match &self.recovery {
            None => None,
            Some(row) => {
                let (plant, sent) = ((&nodes, &self.parameters), (&*flows, &mut groups));
                Some(recovery::rollout(row, plant, sent, &mut troubles, until)?)
            }
        };
        let (network, params) = (&nodes.network, &self.parameters.params);
        let circuits = self.circuits.schedule(&nodes, params, run.patience)?;
        let is_reliable = groups
            .multicast
            .groups
            .iter()
            .any(|group| matches!(group.service, Service::Reliable(_)));
        let accelerators = accelerators::entered(&self.accelerators, &nodes, params, is_reliable)?;
        let mut warnings = self.warnings;
        warnings.extend(self.traces.warnings);
        warnings.extend(groups.warnings);
        warnings.extend(nodes.planned.iter().flat_map(|planned| planned.warnings.iter().cloned()));
        warnings.extend(headroom::too_small(network, params, &flows));
        warnings.extend(timeouts::too_short(network, params, &flows));
        warnings.extend(spraying::reorders(network, params, &flows));
        warnings.extend(circuits::warnings(circuits.as_ref(), params));
        let Nodes { network, kind, planned, .. } = nodes;
        let (glass, plan) = planned.map(planned::Planned::into_parts).unzip();
        let scenario = Scenario {
            kind,
            network,
            seed: run.seed,
            until,
            patience: run.patience,
            probes,
            parameters: self.parameters,
            flows,
            multicast: groups.multicast,
            groups: groups.reported,
            collectives: self.collectives.all,
            jobs: self.collectives.jobs,
            traces: self.traces.all,
            computations,
            glass,
            losses,
            failures: troubles.failures,
            circuits,
            accelerators,
            recovery,
            warnings,
            files: self.files,
            rows,
        };
        Ok((scenario, plan))
    }

    fn rows(&self) -> Rows {
        let of_group = |group: &members::Grouped| group.first as usize + group.members.len();
        let of_trace = |trace: &TraceRun| (trace.flows.clone(), trace.casts.clone());
        Rows {
            flows: self.traffic.listed,
            casts: self.casts.of_row.iter().map(|casts| casts.end).collect(),
            groups: self.groups.rows.iter().map(of_group).collect(),
            changes: self.groups.changes.iter().map(|(of, _)| *of).collect(),
            losses: self.losses.rows,
            failures: self.troubles.rows,
            collectives: Ends {
                begin: self.collectives.begin(self.traffic.flows.len()),
                flows: self.collectives.flow_ends.clone(),
                casts: self.casts.of_collectives.clone(),
            },
            traces: self.traces.all.iter().map(of_trace).collect(),
        }
    }
}
