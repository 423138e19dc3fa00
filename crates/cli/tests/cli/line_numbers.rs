//! The line that a refusal names is the line that an editor shows, whatever ends the lines and
//! whatever stands between them.

use proptest::prelude::*;
use proptest::sample::select;

use crate::bench::Bench;

/// A file of these lines, in this form; and, for each line that is not empty, its number.
#[derive(Debug, Clone)]
struct Laid {
    bytes: Vec<u8>,
    numbers: Vec<usize>,
}

/// Lays lines out with line ends, empty lines before each and a mark at the start. A line may itself
/// hold line ends, written as `\n`.
fn laid(lines: Vec<String>, ends: &[&str], blanks: &[usize], mark: bool) -> Laid {
    let end = |i: usize| ends[i % ends.len()];
    let mut text = String::from(if mark { "\u{feff}" } else { "" });
    let (mut written, mut numbers) = (0, Vec::new());
    for (i, line) in lines.into_iter().enumerate() {
        for _ in 0..blanks[i % blanks.len()] {
            text += end(written);
            written += 1;
        }
        numbers.push(written + 1);
        written += 1 + line.matches('\n').count();
        text += &line.replace('\n', end(i));
        text += end(written);
    }
    Laid { bytes: text.into_bytes(), numbers }
}

fn form() -> impl Strategy<Value = (Vec<&'static str>, Vec<usize>, bool)> {
    (
        prop::collection::vec(select(&["\n", "\r\n"][..]), 1..4),
        prop::collection::vec(0_usize..3, 1..4),
        any::<bool>(),
    )
}

/// Whether a run is refused at this line of this file.
fn refused_at(bench: &Bench, args: &[&str], file: &str, line: usize) {
    bench.refuses(args, &[&format!("{file}:{line}: ")]);
}

/// Lines with one of them spoilt.
fn spoilt(
    header: &str,
    rows: usize,
    row: impl Fn(usize) -> String,
    bad: (usize, &str),
) -> Vec<String> {
    let rows = (0..rows).map(|i| if i == bad.0 { bad.1.to_owned() } else { row(i) });
    std::iter::once(header.to_owned()).chain(rows).collect()
}

const RACKS: [&str; 8] =
    ["plan", "--out", "plan", "--inventory", "racks.csv", "--family", "kautz", "--p=2"];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn of_inventories((ends, blanks, mark) in form(), bad in 0_usize..9, quoted in any::<bool>()) {
        let bench = Bench::new();
        // A line break in quotes is one row on two lines.
        let note = if quoted { "\"two\nlines\"" } else { "one" };
        let row = |i: usize| format!("R{i},Row 1,{},{note}", i + 1);
        for spoil in [format!("Bad,Row 1,x,{note}"), "Bad,Row 1".to_owned(), format!("R{bad},,3,{note}")] {
            let file = laid(
                spoilt("name,row,position,note", 9, row, (bad, &spoil)),
                &ends, &blanks, mark,
            );
            bench.write("racks.csv", &file.bytes);
            refused_at(&bench, &RACKS, "racks.csv", file.numbers[bad + 1]);
        }
    }

    #[test]
    fn of_placements((ends, blanks, mark) in form(), bad in 0_usize..5) {
        let bench = Bench::new();
        bench.write("racks.csv", crate::bench::inventory(1));
        let row = |i: usize| format!("{i},R{i}");
        let file = laid(spoilt("tor,rack", 5, row, (bad, "7,Nowhere")), &ends, &blanks, mark);
        bench.write("place.csv", &file.bytes);
        let args = [&RACKS[..], &["--placement", "place.csv"]].concat();
        refused_at(&bench, &args, "place.csv", file.numbers[bad + 1]);
    }

    #[test]
    fn of_edge_lists((ends, blanks, mark) in form(), bad in 0_usize..3) {
        let bench = Bench::new();
        let rows = ["0,0,1", "1,1,0", "2,0,0"];
        let args = ["fabric", "--family", "custom", "--p", "2", "--edges", "edges.csv"];
        // The second is found only when the fabric is built of all lines.
        for spoil in ["0,x,1".to_owned(), format!("{},0,1", (bad + 1) % 3)] {
            let header = "tor,from_cassette,to_cassette";
            let lines = spoilt(header, 3, |i| rows[i].to_owned(), (bad, &spoil));
            let file = laid(lines, &ends, &blanks, mark);
            bench.write("edges.csv", &file.bytes);
            let twice = if spoil.contains('x') { bad } else { bad.max((bad + 1) % 3) };
            refused_at(&bench, &args, "edges.csv", file.numbers[twice + 1]);
        }
    }

    #[test]
    fn of_lists_of_links_nodes_and_sizes((ends, blanks, mark) in form(), bad in 0_usize..3) {
        let bench = Bench::new();
        let scenario = |more: &str, size: &str| format!(
            "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"edge-list\"\nfile = \"links.csv\"\n{more}\
             [[traffic]]\npattern = \"poisson\"\nload = 0.1\n{size}\n"
        );
        let links = ["h1,s,1 Gb/s,1 m", "h2,s,1 Gb/s,1 m", "h3,s,1 Gb/s,1 m"];
        let nodes = ["h1,host", "h2,host", "h3,host"];
        let sizes = ["100 0", "200 50", "300 100"];
        let whole = |header: &str, rows: [&str; 3]| format!("{header}\n{}\n", rows.join("\n"));
        bench.write("links.csv", whole("a,b,rate,length", links));
        let run = ["simulate", "s.toml"];

        let of = |header: &str, rows: [&'static str; 3], bad_row: &str| {
            laid(spoilt(header, 3, |i| rows[i].to_owned(), (bad, bad_row)), &ends, &blanks, mark)
        };
        let fixed = "size = \"1 kB\"";
        bench.write("s.toml", scenario("", fixed));
        let file = of("a,b,rate,length", links, "h9,s,fast,1 m");
        bench.write("links.csv", &file.bytes);
        refused_at(&bench, &run, "links.csv", file.numbers[bad + 1]);

        bench.write("links.csv", whole("a,b,rate,length", links));
        bench.write("s.toml", scenario("nodes = \"nodes.csv\"\n", fixed));
        let file = of("name,kind", nodes, "h9,router");
        bench.write("nodes.csv", &file.bytes);
        refused_at(&bench, &run, "nodes.csv", file.numbers[bad + 1]);

        bench.write("s.toml", scenario("", "sizes = \"sizes.txt\""));
        let file = of("# bytes and share", sizes, "100 x");
        bench.write("sizes.txt", &file.bytes);
        refused_at(&bench, &run, "sizes.txt", file.numbers[bad + 1]);
    }

    #[test]
    fn of_designs((ends, blanks, mark) in form(), bad in 0_usize..3) {
        let bench = Bench::new();
        let row = |i: usize| ["p = 2", "tors = 8", "# a comment"][i].to_owned();
        let header = "version = 1\n[fabric]\nfamily = \"kautz\"";
        for spoil in ["colour = 1", "k = = 1"] {
            let file = laid(spoilt(header, 3, row, (bad, spoil)), &ends, &blanks, mark);
            bench.write("d.toml", &file.bytes);
            refused_at(&bench, &["fabric", "d.toml"], "d.toml", file.numbers[bad + 1]);
        }
    }
}

#[test]
fn of_the_sheets_of_a_plan() {
    let bench = Bench::new();
    bench.plan("plan", &crate::bench::SMALL);
    let text = std::fs::read_to_string(bench.path("plan/cables.csv")).expect("a sheet");
    for end in ["\n", "\r\n", "\r\n\r\n"] {
        let mut lines: Vec<&str> = text.lines().collect();
        let spoilt = lines[4].replacen("branch", "brunch", 1).replacen("feed", "food", 1);
        assert_ne!(spoilt, lines[4]);
        lines[4] = &spoilt;
        bench.write("plan/cables.csv", lines.join(end) + end);
        let line = if end.len() == 4 { 9 } else { 5 };
        let ran = bench.verify("plan");
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.stdout.contains(&format!("cables.csv:{line}: ")), "{end:?}: {ran:?}");
    }
}

#[test]
fn a_quote_that_is_never_closed_is_refused_where_it_opens() {
    // Without that, the rows below would be part of the comment.
    let bench = Bench::new();
    let rows: String = (2..9).map(|i| format!("R{i},Row 1,{i},\n")).collect();
    bench.write(
        "racks.csv",
        format!("name,row,position,note\nR1,Row 1,1,\"two\r\nlines\"\n\nR9,Row 1,9,\"open\n{rows}"),
    );
    bench.refuses(&RACKS, &["racks.csv:5: ", "quote", "never closed"]);
}

#[test]
fn lines_that_end_with_a_carriage_return_alone_are_counted() {
    let bench = Bench::new();
    bench.write("racks.csv", "name,row,position\rA,1,1\rB,1,x\rC,1,3\r");
    bench.refuses(&RACKS, &["racks.csv:3: position: "]);
}
