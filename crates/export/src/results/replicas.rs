//! `replicas.csv`: one line per run.

use lightloom_sim::replicas::{ReplicaReport, ReplicasReport};
use lightloom_sim::summary::TimesReport;

/// `replicas.csv`: one line per run.
pub(super) fn csv(report: &ReplicasReport) -> Vec<u8> {
    let mut csv = String::from(
        "seed,end,reached_ps,completed,unfinished,mean_completion_ps,p99_completion_ps,goodput_bps,\
         repeated,timeouts,dropped,pauses,data_hops\n",
    );
    for replica in &report.replicas {
        let ReplicaReport { seed, end, flows, dropped, pauses, data_hops } = replica;
        let times = flows.completion;
        let ps = |of: fn(TimesReport) -> u64| {
            times.map_or_else(String::new, |times| of(times).to_string())
        };
        csv += &format!(
            "{seed},{},{},{},{},{},{},{:.0},{},{},{dropped},{pauses},{data_hops}\n",
            end.how,
            end.reached_ps,
            flows.completed,
            flows.unfinished,
            ps(|times| times.mean_ps),
            ps(|times| times.p99_ps),
            flows.goodput_bps,
            flows.repeated,
            flows.timeouts,
        );
    }
    csv.into_bytes()
}
