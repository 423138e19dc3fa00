//! A scenario is the same value whoever says it: a file, values in place of a file, or calls of the builder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lightloom_input::scenario::{read, shipped_parameters};
use lightloom_request::given::{Contents, Fields, Given, record};
use lightloom_request::{InputError, Memory, Texts};
use lightloom_scenario::build::{Nodes, Overrides, Run, ScenarioBuilder, Supplied};
use lightloom_scenario::said::{
    Awaited, ChangeRow, FailureRow, FlowRow, GroupRow, LossRow, Members, MulticastRow, NetworkRow,
    Node, Pattern, ProbesRow, RecoveryRow, RunRow, TrafficRow,
};
use lightloom_scenario::scenario::{NetworkKind, Scenario};
use lightloom_twin::{Class, Dialect};
use lightloom_units::{BitRate, DataSize, Instant, Span};

const FILE: &str = r#"
version = 1
seed = 9
until = "2 ms"

[network]
kind = "leaf-spine"
leaves = 2
spines = 2
hosts_per_leaf = 4
rate = "100 Gb/s"
host_rate = "25 Gb/s"
delay = "1 us"

[[flow]]
from = 0
to = "host 5"
size = "10 kB"
connection = "a"

[[flow]]
from = 5
to = 1
size = "1 MB"
class = "lossy"
after = [0, "greeting"]

[[traffic]]
pattern = "poisson"
load = 0.1
size = "2 kB"
duration = "100 us"

[[group]]
name = "some"
members = [0, 1, "host 5"]
dialect = "gleam"

[[group]]
name = "drawn"
random = 3
count = 2
transport = "datagram"

[[change]]
group = "some"
at = "10 us"
joins = [7]

[[multicast]]
name = "greeting"
group = "some"
size = "4 kB"

[[multicast]]
group = "drawn"
size = "5 kB"
start = "100 us"

[[multicast]]
group = "some"
from = 1
size = "4 kB"
start = "1 ms"

[[loss]]
link = ["leaf 0", "spine 1"]
rate = 1e-4
one_way = true

[[failure]]
node = "spine 0"
at = "20 us"
until = "30 us"

[[failure]]
storm = 3
at = "40 us"
until = "50 us"

[recovery]
detection = "1 us"
computation = "2 us"
installation = "3 us"

[probes]
interval = "10 us"
receivers = true
"#;

fn us(number: u64) -> Option<Instant> {
    Some(Instant::ZERO + Span::from_us(number))
}

fn kb(number: u64) -> Option<DataSize> {
    Some(DataSize::from_bytes(1_000 * number))
}

fn named(name: &str) -> Option<String> {
    Some(name.to_owned())
}

/// What the file says, as calls of the builder.
fn calls() -> Result<Scenario, InputError> {
    let run = RunRow { seed: Some(9), until: us(2000), ..RunRow::default() };
    let network = NetworkRow {
        kind: Some(NetworkKind::LeafSpine),
        leaves: Some(2),
        spines: Some(2),
        hosts_per_leaf: Some(4),
        rate: Some(BitRate::from_gbps(100)),
        host_rate: Some(BitRate::from_gbps(25)),
        delay: Some(Span::from_us(1)),
        ..NetworkRow::default()
    };
    let (run, parameters) = (Run::new(&run, None)?, shipped_parameters()?);
    let nodes = Nodes::build(&network, Supplied::Nothing, &parameters, Overrides::default())?;
    let mut builder = ScenarioBuilder::new(run, parameters, nodes, Memory::Unknown);
    builder.flow(&FlowRow {
        from: Some(Node::Host(0)),
        to: Some("host 5".into()),
        size: kb(10),
        connection: named("a"),
        ..FlowRow::default()
    })?;
    builder.flow(&FlowRow {
        from: Some(Node::Host(5)),
        to: Some(Node::Host(1)),
        size: kb(1000),
        class: Some(Class::LOSSY),
        after: Some(vec![Awaited::Flow(0), Awaited::Multicast("greeting".to_owned())]),
        ..FlowRow::default()
    })?;
    let poisson = TrafficRow {
        pattern: Some(Pattern::Poisson),
        load: Some(0.1),
        size: kb(2),
        duration: Some(Span::from_us(100)),
        ..TrafficRow::default()
    };
    builder.traffic(&poisson, None)?;
    groups(&mut builder)?;
    troubles(&mut builder)?;
    Ok(builder.build()?.0)
}

fn groups(builder: &mut ScenarioBuilder) -> Result<(), InputError> {
    let hosts = vec![Node::Host(0), Node::Host(1), "host 5".into()];
    builder.group(&GroupRow {
        name: named("some"),
        members: Some(Members::Listed(hosts)),
        dialect: Some(Dialect::Gleam),
        ..GroupRow::default()
    })?;
    builder.group(&GroupRow {
        name: named("drawn"),
        random: Some(3),
        count: Some(2),
        transport: Some(lightloom_scenario::scenario::GroupTransport::Datagram),
        ..GroupRow::default()
    })?;
    builder.change(&ChangeRow {
        group: named("some"),
        at: us(10),
        joins: Some(vec![Node::Host(7)]),
        ..ChangeRow::default()
    })?;
    let to = |group| MulticastRow { group: named(group), size: kb(4), ..MulticastRow::default() };
    builder.multicast(&MulticastRow { name: named("greeting"), ..to("some") })?;
    builder.multicast(&MulticastRow { size: kb(5), start: us(100), ..to("drawn") })?;
    builder.multicast(&MulticastRow { from: Some(Node::Host(1)), start: us(1000), ..to("some") })
}

fn troubles(builder: &mut ScenarioBuilder) -> Result<(), InputError> {
    builder.loss(&LossRow {
        link: Some(vec!["leaf 0".into(), "spine 1".into()]),
        rate: Some(1e-4),
        one_way: Some(true),
        ..LossRow::default()
    })?;
    builder.failure(&FailureRow {
        node: Some("spine 0".into()),
        at: us(20),
        until: us(30),
        ..FailureRow::default()
    })?;
    builder.failure(&FailureRow {
        storm: Some(Node::Host(3)),
        at: us(40),
        until: us(50),
        ..FailureRow::default()
    })?;
    builder.recovery(RecoveryRow {
        detection: Some(Span::from_us(1)),
        computation: Some(Span::from_us(2)),
        installation: Some(Span::from_us(3)),
        ..RecoveryRow::default()
    });
    builder.probes(ProbesRow {
        interval: Some(Span::from_us(10)),
        receivers: Some(true),
        ..ProbesRow::default()
    });
    Ok(())
}

/// All of a scenario but the texts of its files.
fn shown(mut scenario: Scenario) -> String {
    scenario.files.clear();
    format!("{scenario:#?}")
}

fn from_text(path: &Path, texts: &Texts) -> Result<Scenario, InputError> {
    read(path, texts, Overrides::default()).map(|(scenario, _)| scenario)
}

#[test]
fn calls_of_the_builder_make_what_a_file_makes() {
    let path = PathBuf::from("s.toml");
    let texts = Texts::keeping(BTreeMap::from([(path.clone(), FILE.to_owned())]));
    let (read, called) = (from_text(&path, &texts).unwrap(), calls().unwrap());
    assert_eq!(shown(read), shown(called));
}

/// A text in TOML as the values of a program.
fn given(table: &toml::Table) -> Fields {
    let one = |value: &toml::Value| -> Given { one(value) };
    table.iter().map(|(name, value)| (name.clone(), one(value))).collect()
}

fn one(value: &toml::Value) -> Given {
    match value {
        toml::Value::String(text) => Given::Text(text.clone()),
        toml::Value::Integer(number) => Given::Whole(number.to_string()),
        toml::Value::Float(number) => Given::Number(format!("{number:?}")),
        toml::Value::Boolean(said) => Given::Flag(*said),
        toml::Value::Array(items) => Given::List(items.iter().map(one).collect()),
        toml::Value::Table(table) => Given::Table(given(table)),
        toml::Value::Datetime(_) => panic!("no field takes a date"),
    }
}

/// Scenarios of the examples and of the corpus, with their paths.
fn scenarios() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = [
        "examples/all-to-all.toml",
        "examples/flows.toml",
        "examples/incast.toml",
        "examples/stride.toml",
        "examples/racks-with-spines.toml",
        "tests/corpus/links.toml",
        "tests/corpus/losses.toml",
        "tests/corpus/poisson.toml",
    ];
    let text = |path: &Path| std::fs::read_to_string(path).expect("it is there");
    let files = files.map(|file| root.join(file)).map(|path| (path.clone(), text(&path)));
    files.into_iter().chain([(PathBuf::from("s.toml"), FILE.to_owned())]).collect()
}

#[test]
fn values_in_place_of_a_file_make_what_the_file_makes() {
    for (path, text) in scenarios() {
        let texts = Texts::keeping(BTreeMap::from([(path.clone(), text.clone())]));
        let read = from_text(&path, &texts).unwrap();
        let fields = given(&text.parse().unwrap());
        let values = BTreeMap::from([(path.clone(), Contents::Fields(fields.clone()))]);
        let texts = Texts::keeping(BTreeMap::new()).giving(values);
        let from_values = from_text(&path, &texts).unwrap();
        let recorded = record(&fields);
        assert_eq!(from_values.files[0], (path.clone(), recorded.clone().into_bytes()));
        let texts = Texts::keeping(BTreeMap::from([(path.clone(), recorded)]));
        let from_record = from_text(&path, &texts).unwrap();
        let expected = shown(read);
        assert_eq!(shown(from_values), expected, "{}", path.display());
        assert_eq!(shown(from_record), expected, "{}", path.display());
    }
}

#[test]
fn cells_in_place_of_a_file_make_what_the_file_makes() {
    let head = "version = 1\nuntil = \"1 ms\"\n[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n\
                [network]\nkind = \"edge-list\"\nfile = \"links\"\nnodes = \"nodes\"\n";
    let links = "a,b,rate,delay,length\nx,\"s, t\",1 Gb/s,1 us,\ny,\"s, t\",1 Gb/s,,5 m\n";
    let nodes = "name,kind\nx,host\ny,host\n\"s, t\",switch\n";
    let own = |name: &str, text: &str| (PathBuf::from(name), text.to_owned());
    let all = BTreeMap::from([own("s.toml", head), own("links", links), own("nodes", nodes)]);
    let read = from_text(Path::new("s.toml"), &Texts::keeping(all)).unwrap();
    let cells = |rows: &[&[&str]]| -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(|&cell| cell.to_owned()).collect()).collect()
    };
    let sheet = |rows: &[&[&str]]| {
        let mut rows = cells(rows);
        let columns = rows.remove(0);
        Contents::Sheet { columns, rows }
    };
    let given = BTreeMap::from([
        (
            PathBuf::from("links"),
            sheet(&[
                &["a", "b", "rate", "delay", "length"],
                &["x", "s, t", "1 Gb/s", "1 us", ""],
                &["y", "s, t", "1 Gb/s", "", "5 m"],
            ]),
        ),
        (
            PathBuf::from("nodes"),
            sheet(&[&["name", "kind"], &["x", "host"], &["y", "host"], &["s, t", "switch"]]),
        ),
    ]);
    let texts = Texts::keeping(BTreeMap::from([own("s.toml", head)])).giving(given);
    let from_cells = from_text(Path::new("s.toml"), &texts).unwrap();
    assert_eq!(from_cells.files, read.files, "the record of the cells is the file");
    assert_eq!(shown(from_cells), shown(read));
}

#[test]
fn errors_of_values_name_their_place_without_a_line() {
    let path = PathBuf::from("<scenario>");
    let with = |field: &str, value: Given| {
        let mut fields = given(&FILE.parse().unwrap());
        let flows = fields.iter_mut().find(|(name, _)| name == "flow");
        let Some((_, Given::List(flows))) = flows else { panic!("it has flows") };
        let Given::Table(second) = &mut flows[1] else { panic!("they are tables") };
        second.retain(|(name, _)| name != field);
        second.push((field.to_owned(), value));
        let values = BTreeMap::from([(path.clone(), Contents::Fields(fields))]);
        let texts = Texts::keeping(BTreeMap::new()).giving(values);
        let error = from_text(&path, &texts).unwrap_err();
        assert_eq!(error.line, None);
        error.to_string()
    };
    assert_eq!(
        with("to", Given::Whole("99".to_owned())),
        "<scenario>: flow[1].to: found 99; name a host by its number, 0 to 7, or a node by its name, \
         such as \"host 7\""
    );
    let size = with("size", Given::Whole("99".to_owned()));
    assert!(
        size.starts_with("<scenario>: flow[1].size: found 99 without a unit; expected a data size")
    );
    assert!(with("what", Given::Flag(true)).starts_with("<scenario>: flow[1].what: unknown field"));
}

#[test]
fn a_record_escapes_what_toml_does_not_take() {
    let text = "a\"b\\c\nd\re\tf\u{8}g\u{c}h\u{1}i\u{7f}é";
    let fields = vec![
        ("a b".to_owned(), Given::Text(text.to_owned())),
        ("list".to_owned(), Given::List(vec![Given::Flag(true), Given::Whole("3".to_owned())])),
        ("table".to_owned(), Given::Table(vec![("inner".to_owned(), Given::Table(Vec::new()))])),
        (
            "tables".to_owned(),
            Given::List(vec![Given::Table(Vec::new()), Given::Table(Vec::new())]),
        ),
    ];
    let read: toml::Table = record(&fields).parse().unwrap();
    assert_eq!(given(&read), {
        let mut sorted = fields;
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        sorted
    });
}
