//! `budget` lists the worst branch first: no row is better than one after it.

use serde_json::Value;

use crate::bench::{Bench, SMALL};
use crate::light_budget::FIFTY;

const VERDICTS: [&str; 5] = ["fail", "unknown", "marginal", "warn", "pass"];

/// A row as the order sees it: its verdict, margin and headroom, and whose branch it is.
struct Row {
    verdict: usize,
    margin: Option<f64>,
    headroom: Option<f64>,
    ends: (u64, u64),
}

impl Row {
    fn read(branch: &Value) -> Self {
        let verdict = VERDICTS.iter().position(|verdict| branch["verdict"] == *verdict);
        let end = |field: &str| branch[field].as_u64().expect("a ToR");
        Self {
            verdict: verdict.unwrap_or_else(|| panic!("{branch}")),
            margin: branch["margin_db"].as_f64(),
            headroom: branch["headroom_db"].as_f64(),
            ends: (end("from_tor"), end("to_tor")),
        }
    }

    /// Whether this row is better than another: nowhere worse, and somewhere better.
    fn is_better_than(&self, other: &Self) -> bool {
        let mine = [self.margin, self.headroom];
        let theirs = [other.margin, other.headroom];
        let both = || mine.into_iter().zip(theirs).filter_map(|(a, b)| a.zip(b));
        let even = self.verdict == other.verdict;
        self.verdict > other.verdict
            || even && both().all(|(a, b)| a >= b) && both().any(|(a, b)| a > b)
    }

    /// The smaller of margin and headroom.
    fn closest(&self) -> Option<f64> {
        self.margin.into_iter().chain(self.headroom).min_by(f64::total_cmp)
    }
}

#[test]
fn no_earlier_row_is_better_than_a_later_one() {
    let kautz = ["--family", "kautz", "--p", "2", "--tors", "60"];
    let mut ties = 0;
    for design in [&FIFTY[..], &SMALL[..], &kautz] {
        for optic in ["10gbase-er", "10gbase-lr", "10g-l40", "25gbase-lr", "400gbase-fr4"] {
            for housing in ["sender", "receiver"] {
                for case in ["worst", "typical", "monte-carlo"] {
                    let bench = Bench::new();
                    let args = ["budget", "--catalogue", "datasheets-2026", "--transceiver", optic];
                    let more = ["--housing", housing, "--case", case, "--samples", "200"];
                    let budget = bench.ask(&[&args[..], &more, design].concat());
                    let rows = budget["branches"].as_array().expect("branches");
                    let rows: Vec<Row> = rows.iter().map(Row::read).collect();
                    let what = format!("{design:?} {optic} {housing} {case}");
                    for (i, row) in rows.iter().enumerate() {
                        for later in &rows[i + 1..] {
                            let (a, b) = (row.ends, later.ends);
                            assert!(!row.is_better_than(later), "{what}: {a:?} before {b:?}");
                            if row.verdict == later.verdict {
                                assert!(row.closest() <= later.closest(), "{what}: {a:?}, {b:?}");
                            }
                        }
                    }
                    let by_ends = |pair: &&[Row]| pair[0].closest() == pair[1].closest();
                    ties += rows.windows(2).filter(by_ends).count();
                    let worst = &budget["worst"];
                    assert_eq!(worst["from_tor"], rows[0].ends.0, "{what}");
                    assert_eq!(worst["to_tor"], rows[0].ends.1, "{what}");
                }
            }
        }
    }
    assert!(ties > 100, "the smaller of the two ties: {ties}");
}
