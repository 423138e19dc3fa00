//! The names of the files of results.

/// The files of a run.
pub const OF_ONE: [&str; 6] =
    ["flows.csv", "throughput.csv", "links.csv", "flows.arrow", "throughput.arrow", REPORT];
/// Those that it has where every flow is recorded.
pub const BY_FLOW: [&str; 2] = ["flow-throughput.csv", "flow-throughput.arrow"];
/// The table of several runs.
pub const REPLICAS: &str = "replicas.csv";
/// The report of a run, or of several.
pub const REPORT: &str = "report.json";
/// All files that a folder of results may hold, of one run or of several.
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
