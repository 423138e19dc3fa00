//! Cells that a spreadsheet would evaluate.

use lightloom_export::neutralised;

const RUN: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

#[test]
fn no_cell_starts_as_a_formula_does() {
    for start in RUN {
        for rest in ["", "1+1", "SUM(A1)", "=", "'"] {
            let cell = format!("{start}{rest}");
            let safe = neutralised(&cell);
            assert!(!safe.starts_with(RUN), "{safe:?}");
            assert!(safe.ends_with(&cell), "the text itself stays: {safe:?}");
        }
    }
}

#[test]
fn every_other_cell_stays_as_it_is() {
    for cell in ["", "R101", "a=b", "1-2", " =x", "'=x", "Zürich", "ein @ zwei", "\"", "0.5"] {
        assert_eq!(neutralised(cell), cell);
    }
}

#[test]
fn a_cell_is_neutralised_once() {
    for cell in ["=x", "+1", "R1"] {
        let once = neutralised(cell);
        assert_eq!(neutralised(&once), once);
    }
}
