//! The library that the command line and Python use, and that other programs may depend on.
//!
//! A request (a design file, settings, or both) opens as a [`Project`]: fabric, hall and placement. Every
//! question is a method of it or a function of a subject here, and returns a report. Every error about input is an
//! [`InputError`] with its place.
//!
//! | subject | what it answers |
//! |---|---|
//! | [`designs`] | which designs fit, and what they cost beside electrical switches |
//! | [`plan`] | the plan of a design: made, proved, written, verified |
//! | [`light`] | whether light arrives |
//! | [`failures`] | what broken parts do, and how rules go around them |
//! | [`growth`] | how a plan grows and shrinks |
//! | [`configs`] | what every switch must be told |
//! | [`as_built`], [`report`], [`netbox`] | what was built, and what others read |
//! | [`scenario`] | what a run is of: networks, traffic, groups, failures |
//! | [`twin`] | runs of packets over the fabric |
//! | [`shown`] | tables that people read, one declaration for the command and the window |
//! | [`qap`] | assignments that are given as matrices |
//! | [`edit`] | texts that a user edits |
//!
//! The names here are those of all subjects: what is asked, refused and watched. No flags or windows are here:
//! those belong to the front ends.

mod answer;
pub mod as_built;
pub mod configs;
pub mod designs;
pub mod edit;
pub mod failures;
#[cfg(feature = "system")]
mod folders;
pub mod growth;
mod in_memory;
pub mod light;
pub mod netbox;
pub mod plan;
pub mod qap;
pub mod report;
pub mod scenario;
mod schema;
pub mod shown;
pub mod twin;

pub use answer::{FORMAT, from_json, to_json};
#[cfg(feature = "system")]
pub use folders::opening::open_design_or_plan;
pub use lightloom_design::design;
pub use lightloom_export::reference::page as reference_page;
pub use lightloom_export::schema::{design as design_schema, scenario as scenario_schema};
pub use lightloom_input::kind::FileKind;
/// # Examples
/// ```
/// use std::collections::BTreeMap;
///
/// use lightloom::{Request, Texts, open, setting};
///
/// // From settings alone.
/// let request = Request::default().say(&setting::fabric::P, 4_u32).say(&setting::fabric::TORS, 64_u32);
/// assert_eq!(open(&request)?.fabric().tors(), 64);
///
/// // From a design file, here in memory. A setting of the request overrides the file's.
/// let design = "version = 1\n[fabric]\np = 2\ntors = 12\n".to_owned();
/// let texts = Texts::keeping(BTreeMap::from([("design.toml".into(), design)]));
/// let request = Request { design: Some("design.toml".into()), texts, ..Request::default() };
/// assert_eq!(open(&request)?.fabric().tors(), 12);
/// let larger = request.say(&setting::fabric::TORS, 14_u32);
/// assert_eq!(open(&larger)?.fabric().tors(), 14);
///
/// // A refusal names its place.
/// let refused = open(&larger.say(&setting::fabric::P, "two")).expect_err("it is no number");
/// assert!(refused.to_string().starts_with("--p: "));
/// # Ok::<(), lightloom::InputError>(())
/// ```
pub use lightloom_input::open::project as open;
#[doc = include_str!("project.md")]
pub use lightloom_plan::project::Project;
pub use lightloom_request::choices::{CatalogueName, Criterion, Family, RouterName, RowsFrom};
pub use lightloom_request::given::{Contents, Given};
pub use lightloom_request::unknown::unknown_key;
pub use lightloom_request::{
    Error, Field, Files, Flags, FolderError, InputError, Key, MOST_THREADS, Memory, Message,
    Request, Setting, SettingValue, Settings, Stopped, Takes, Texts, Value, Words, key,
    read_option, setting,
};
pub use lightloom_topology::{CassetteId, TorId};
pub use lightloom_units as units;
pub use lightloom_watch::{OnProgress, Wants, Watch};
pub use schema::{schema, schemas};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
