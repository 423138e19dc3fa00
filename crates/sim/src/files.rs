//! Names of the files of results.

/// Files of one run.
pub const OF_ONE: [&str; 6] =
    ["flows.csv", "throughput.csv", "links.csv", "flows.arrow", "throughput.arrow", REPORT];
/// Additional files if every flow is recorded.
pub const BY_FLOW: [&str; 2] = ["flow-throughput.csv", "flow-throughput.arrow"];
/// Additional files if there are messages to groups. The last one only if there are splitters.
pub const OF_GROUPS: [&str; 3] = ["receivers.csv", "receivers.arrow", "branches.csv"];
/// Table of several runs.
pub const REPLICAS: &str = "replicas.csv";
/// Report of one run or of several.
pub const REPORT: &str = "report.json";
/// All files that a folder of results may hold.
pub const RESULT_FILES: [&str; 12] = {
    let [flows, throughput, links, flows_arrow, throughput_arrow, report] = OF_ONE;
    let [by_flow, by_flow_arrow] = BY_FLOW;
    let [receivers, receivers_arrow, branches] = OF_GROUPS;
    [
        flows,
        throughput,
        links,
        flows_arrow,
        throughput_arrow,
        by_flow,
        by_flow_arrow,
        receivers,
        receivers_arrow,
        branches,
        REPLICAS,
        report,
    ]
};
