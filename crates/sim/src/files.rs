//! Names of the files of results.

/// Files of one run.
pub const OF_ONE: [&str; 6] =
    ["flows.csv", "throughput.csv", "links.csv", "flows.arrow", "throughput.arrow", REPORT];
/// Additional files if every flow is recorded.
pub const BY_FLOW: [&str; 2] = ["flow-throughput.csv", "flow-throughput.arrow"];
/// Table of several runs.
pub const REPLICAS: &str = "replicas.csv";
/// Report of one run or of several.
pub const REPORT: &str = "report.json";
/// All files that a folder of results may hold.
pub const RESULT_FILES: [&str; 9] = {
    let [flows, throughput, links, flows_arrow, throughput_arrow, report] = OF_ONE;
    let [by_flow, by_flow_arrow] = BY_FLOW;
    [
        flows,
        throughput,
        links,
        flows_arrow,
        throughput_arrow,
        by_flow,
        by_flow_arrow,
        REPLICAS,
        report,
    ]
};
