//! The catalogues and parameters of lightloom, as texts. They are a crate because a source
//! distribution includes only the files of crates.

/// A file of this folder.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// Its path from the root of the repository, for messages.
    pub path: &'static str,
    /// What it holds: TOML, or lines of a distribution of sizes.
    pub text: &'static str,
}

macro_rules! shipped {
    ($name:literal) => {
        Shipped { path: concat!("catalogue/", $name), text: include_str!($name) }
    };
}

/// Stock lengths and fibre: part of every catalogue.
pub const FIBRE: Shipped = shipped!("fibre.toml");
/// Switch models: part of every catalogue. Their ports are those of shufflecast:B.
pub const SWITCHES: Shipped = shipped!("switches.toml");
/// The components of the Shufflecast paper of 2022 (shufflecast:table1, shufflecast:IV-B.attenuation).
pub const SHUFFLECAST_2022: Shipped = shipped!("shufflecast-2022.toml");
/// Components by their data sheets of 2026.
pub const DATASHEETS_2026: Shipped = shipped!("datasheets-2026.toml");
/// The constants of the twin.
pub const TWIN: Shipped = shipped!("twin.toml");
/// Where the papers do otherwise than [`TWIN`].
pub const TWIN_PAPER: Shipped = shipped!("twin-paper.toml");
/// The constants of the RDMA forks of ns-3, over those of [`TWIN`].
pub const TWIN_RDMA_NS3: Shipped = shipped!("twin-rdma-ns3.toml");
/// The delays of a recovery that the twin's constants do not have.
pub const RECOVERY: Shipped = shipped!("recovery.toml");

/// Flow sizes of a web search cluster.
pub const SIZES_WEB_SEARCH: Shipped = shipped!("sizes-web-search.txt");
/// Flow sizes of a data mining cluster.
pub const SIZES_DATA_MINING: Shipped = shipped!("sizes-data-mining.txt");
/// Flow sizes of Hadoop servers.
pub const SIZES_HADOOP: Shipped = shipped!("sizes-hadoop.txt");
/// Flow sizes of a distributed storage system.
pub const SIZES_ALI_STORAGE: Shipped = shipped!("sizes-ali-storage.txt");

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
