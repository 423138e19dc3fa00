//! The JSON Schemas of answers, against the files that hold them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use lightloom::plan::Declared;

/// The variable that rewrites the files.
const UPDATE: &str = "UPDATE_SCHEMAS";

/// The schemas in the folder, by command.
fn held(folder: &Path) -> BTreeMap<String, String> {
    let files = fs::read_dir(folder).expect("the folder of the schemas");
    let paths = files.map(|file| file.expect("a file").path());
    let named = |path: std::path::PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(&path).expect("a text"))
    };
    paths.map(named).collect()
}

/// An answer is an interface: who changes a type sees here what that changes for its readers.
#[test]
fn the_files_are_made_from_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let text = |schema| serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    let made: BTreeMap<String, String> = lightloom::schemas()
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), text(schema)))
        .collect();
    if std::env::var_os(UPDATE).is_some() {
        for name in held(&folder).keys().filter(|name| !made.contains_key(*name)) {
            fs::remove_file(folder.join(format!("{name}.json"))).expect("it was there");
        }
        for (name, schema) in &made {
            fs::write(folder.join(format!("{name}.json")), schema).expect("it is written");
        }
    }
    let held = held(&folder);
    assert!(held.keys().eq(made.keys()), "{:?} and {:?}", held.keys(), made.keys());
    for (name, schema) in made {
        assert_eq!(
            held[&name], schema,
            "schemas/{name}.json: a type of this answer has changed. A key that goes away or changes its \
             meaning needs a new lightloom::FORMAT. Rewrite the files with {UPDATE}=1"
        );
    }
}

/// The columns of sheets in the documents are those that are declared where they are written.
#[test]
fn the_documents_list_the_declared_columns() {
    lists("plan-folder.md", &lightloom::plan::declared_sheets());
    lists("configs.md", &lightloom::configs::declared_sheets());
}

/// Checks that a document lists the columns of these sheets, or rewrites it.
fn lists(document: &str, sheets: &[Declared]) {
    const END: &str = "<!-- end of columns -->";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(document);
    let mut made = fs::read_to_string(&path).expect("the document");
    for sheet in sheets {
        let start = format!("<!-- columns of {} -->\n", sheet.file);
        let (before, rest) = made.split_once(&start).unwrap_or_else(|| panic!("no {start}"));
        let (_, after) = rest.split_once(END).expect("the end of the columns");
        let columns = sheet.markdown();
        made = format!("{before}{start}A row for {}.\n\n{columns}{END}{after}", sheet.about);
    }
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, &made).expect("it is written");
    }
    let held = fs::read_to_string(&path).expect("the document");
    let said = "the columns of a sheet have changed. Rewrite it with";
    assert!(held == made, "docs/{document}: {said} {UPDATE}=1");
}

#[test]
fn a_schema_is_found_by_the_name_of_its_command() {
    let tree = lightloom::schema("tree").expect("a command");
    assert_eq!(lightloom::schemas()["tree"], tree);
    assert_eq!(lightloom::schema("trees"), None);
    for (name, schema) in lightloom::schemas() {
        assert_eq!(schema["properties"]["format"]["const"], lightloom::FORMAT, "{name}");
        assert_eq!(schema["required"][0], "format", "{name}");
    }
}
