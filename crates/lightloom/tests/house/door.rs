//! Every type that an answer of the door is made of has a name at the door. All is read from the sources.
//!
//! Such a type can be serialised. It is what a public function of the door returns, or a public method of a type that
//! the door names, or it is in a public field of one of these.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{Fields, ImplItem, Item, ReturnType, Type, UseTree, Visibility};

use crate::sources::{Crate, crates};

/// They stand above the door.
const FACES: [&str; 4] = ["cli", "gui", "python", "window"];

/// What the public items of all crates say: by name, because no two public types share one.
#[derive(Default)]
struct Public {
    /// Types that a function returns, by its crate and name.
    returned: BTreeMap<(String, String), BTreeSet<String>>,
    /// Types that the public methods of a type return.
    methods: BTreeMap<String, BTreeSet<String>>,
    /// Types of the public fields of a structure that can be serialised, or of the variants of such an enumeration.
    within: BTreeMap<String, BTreeSet<String>>,
}

/// The names of the types in a piece of syntax.
#[derive(Default)]
struct Names(BTreeSet<String>);

impl<'ast> Visit<'ast> for Names {
    fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
        self.0.extend(path.path.segments.last().map(|last| last.ident.to_string()));
        visit::visit_type_path(self, path);
    }
}

fn of_type(of: &Type) -> BTreeSet<String> {
    let mut names = Names::default();
    names.visit_type(of);
    names.0
}

fn of_return(of: &ReturnType) -> BTreeSet<String> {
    match of {
        ReturnType::Default => BTreeSet::new(),
        ReturnType::Type(_, of) => of_type(of),
    }
}

fn public(of: &Visibility) -> bool {
    matches!(of, Visibility::Public(_))
}

/// Types of the fields that a user of the crate sees. All fields of a variant are such.
fn of_fields(of: &Fields, all: bool) -> BTreeSet<String> {
    of.iter()
        .filter(|field| all || public(&field.vis))
        .flat_map(|field| of_type(&field.ty))
        .collect()
}

/// Whether a type can be serialised.
fn serialised(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|each| {
        let syn::Meta::List(list) = &each.meta else { return false };
        list.path.is_ident("derive") && list.tokens.to_string().contains("Serialize")
    })
}

impl Public {
    fn read(&mut self, of: &Crate, item: &Item) {
        match item {
            Item::Fn(item) if public(&item.vis) => {
                let name = (of.name.clone(), item.sig.ident.to_string());
                self.returned.entry(name).or_default().extend(of_return(&item.sig.output));
            }
            Item::Struct(item) if public(&item.vis) && serialised(&item.attrs) => {
                let name = item.ident.to_string();
                self.within.entry(name).or_default().extend(of_fields(&item.fields, false));
            }
            Item::Enum(item) if public(&item.vis) && serialised(&item.attrs) => {
                let types = item.variants.iter().flat_map(|each| of_fields(&each.fields, true));
                self.within.entry(item.ident.to_string()).or_default().extend(types);
            }
            Item::Impl(item) if item.trait_.is_none() => {
                let Type::Path(of) = &*item.self_ty else { return };
                let Some(of) = of.path.segments.last() else { return };
                let methods = item.items.iter().filter_map(|each| match each {
                    ImplItem::Fn(each) if public(&each.vis) => Some(of_return(&each.sig.output)),
                    _ => None,
                });
                self.methods.entry(of.ident.to_string()).or_default().extend(methods.flatten());
            }
            _ => {}
        }
    }
}

/// The leaves of a `use`: the name at its source, and the name that it gets.
fn leaves(tree: &UseTree, into: &mut Vec<(String, String)>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, into),
        UseTree::Name(name) => into.push((name.ident.to_string(), name.ident.to_string())),
        UseTree::Rename(name) => into.push((name.ident.to_string(), name.rename.to_string())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, into)),
        UseTree::Glob(_) => panic!("the door names what it has"),
    }
}

/// The crate that a `use` names, by its short name.
fn source_of(tree: &UseTree) -> String {
    let UseTree::Path(path) = tree else { return String::new() };
    let first = path.ident.to_string();
    let first = if first == "crate" { "lightloom".to_owned() } else { first };
    first.strip_prefix("lightloom_").unwrap_or(&first).replace('_', "-")
}

#[test]
fn every_type_of_an_answer_has_a_name_at_the_door() {
    let crates = crates();
    let mut all = Public::default();
    let mut named = BTreeSet::new();
    let mut asked: Vec<(String, String)> = Vec::new();
    for each in crates.iter().filter(|each| !FACES.contains(&each.name.as_str())) {
        for source in &each.sources {
            let file = syn::parse_file(&source.text).expect("it compiles");
            file.items.iter().for_each(|item| all.read(each, item));
            // The root of the door and the subjects.
            if each.name != "lightloom" || source.module.len() > 1 {
                continue;
            }
            for item in &file.items {
                let Item::Use(item) = item else { continue };
                if public(&item.vis) {
                    let mut found = Vec::new();
                    leaves(&item.tree, &mut found);
                    asked.extend(found.iter().map(|(at, _)| (source_of(&item.tree), at.clone())));
                    // A name may differ from the type's own.
                    named.extend(found.into_iter().flat_map(|(at, name)| [at, name]));
                }
            }
        }
    }
    // The whole crate of quantities stands at the door.
    let units = crates.iter().find(|each| each.name == "units").expect("it is there");
    for source in &units.sources {
        let file = syn::parse_file(&source.text).expect("it compiles");
        let mut of_units = Public::default();
        file.items.iter().for_each(|item| of_units.read(units, item));
        named.extend(of_units.within.into_keys());
    }
    let mut open: Vec<String> =
        asked.iter().filter_map(|name| all.returned.get(name)).flatten().cloned().collect();
    open.extend(asked.iter().map(|(_, name)| name.clone()));
    let mut seen = BTreeSet::new();
    let methods = named.iter().filter_map(|name| all.methods.get(name));
    open.extend(methods.flatten().cloned());
    while let Some(name) = open.pop() {
        let Some(within) = all.within.get(&name) else { continue };
        if seen.insert(name) {
            open.extend(within.iter().cloned());
        }
    }
    assert!(seen.len() > 200, "{} types: the sources were not understood", seen.len());
    let missing: Vec<_> = seen.difference(&named).collect();
    assert!(missing.is_empty(), "types of answers without a name at the door: {missing:?}");
}
