//! Names of the files of results.

/// Files of one run.
pub const OF_ONE: [&str; 6] =
    ["flows.csv", "throughput.csv", "links.csv", "flows.arrow", "throughput.arrow", REPORT];
/// Additional files if every flow is recorded.
pub const BY_FLOW: [&str; 2] = ["flow-throughput.csv", "flow-throughput.arrow"];
/// Additional files if every message to a group is recorded.
pub const BY_GROUP: [&str; 2] = ["group-throughput.csv", "group-throughput.arrow"];
/// Additional files if every receiver of messages to groups is recorded.
pub const BY_RECEIVER: [&str; 2] = ["receiver-throughput.csv", "receiver-throughput.arrow"];
/// Additional files if there are messages to groups. The last one only if there are splitters.
pub const OF_GROUPS: [&str; 3] = ["receivers.csv", "receivers.arrow", "branches.csv"];
/// Additional files if the copies of messages to groups are counted.
pub const OF_COPIES: [&str; 2] = ["copies.csv", "copies.arrow"];
/// Additional file if there are collective operations.
pub const OF_COLLECTIVES: &str = "collectives.csv";
/// Additional file if there are traces.
pub const OF_TRACES: &str = "traces.csv";
/// Table of several runs.
pub const REPLICAS: &str = "replicas.csv";
/// Additional files of several runs if there are messages to groups.
pub const MESSAGES: [&str; 2] = ["messages.csv", "messages.arrow"];
/// Report of one run or of several.
pub const REPORT: &str = "report.json";
/// All files that a folder of results may hold.
pub const RESULT_FILES: [&str; 22] = {
    let [flows, throughput, links, flows_arrow, throughput_arrow, report] = OF_ONE;
    let [by_flow, by_flow_arrow] = BY_FLOW;
    let [by_group, by_group_arrow] = BY_GROUP;
    let [by_receiver, by_receiver_arrow] = BY_RECEIVER;
    let [receivers, receivers_arrow, branches] = OF_GROUPS;
    let [copies, copies_arrow] = OF_COPIES;
    let [messages, messages_arrow] = MESSAGES;
    [
        flows,
        throughput,
        links,
        flows_arrow,
        throughput_arrow,
        by_flow,
        by_flow_arrow,
        by_group,
        by_group_arrow,
        by_receiver,
        by_receiver_arrow,
        receivers,
        receivers_arrow,
        branches,
        copies,
        copies_arrow,
        OF_COLLECTIVES,
        OF_TRACES,
        REPLICAS,
        messages,
        messages_arrow,
        report,
    ]
};
