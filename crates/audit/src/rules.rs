//! `rules.json` as it is read back. Repeated entries are kept, so that they can be reported.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use lightloom_export::rules::FILE;
use lightloom_request::{InputError, Message};
use lightloom_routing::verify::{Accept, InstalledRules, Via};
use lightloom_topology::TorId;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};

use crate::faults::Faults;

/// A JSON object whose keys are ids, in file order.
struct Pairs<V>(Vec<(u32, V)>);

/// The rules of all switches.
enum Relays {
    /// The sources of each ToR.
    Listed(Pairs<Vec<u32>>),
    /// Name of the router, if its tables are too long to list.
    Router(String),
}

/// The content of the file.
pub(crate) struct RulesFile {
    relays: Relays,
    accept: Pairs<Pairs<u32>>,
    via: Pairs<u32>,
}

impl RulesFile {
    /// Parses the text of the file. `path` is for error messages.
    ///
    /// # Errors
    /// [`InputError`] if the text is not a list of rules, or if an old version without filters wrote it.
    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, InputError> {
        let RawRules { relays, accept, via } = serde_json::from_str(text).map_err(|error| {
            InputError::new(format!("is no list of rules: {error}"))
                .in_file(path)
                .at_line(error.line() as u64)
        })?;
        let (Some(accept), Some(via)) = (accept, via) else {
            let message = Message::new(
                "lacks `accept` or `via`; an older lightloom wrote it. Write the plan again with the \
                 command that made it: `lightloom plan`, or `lightloom recover` with ",
            )
            .option("apply", None)
            .text(" for a recovered plan");
            return Err(InputError::mentioning(message).in_file(path).at_line(1));
        };
        Ok(Self { relays, accept, via })
    }

    /// The rules as switches install them, without ids that are not in the plan. `None` if the file only
    /// names the router.
    pub(crate) fn installed(&self, tors: usize) -> Option<InstalledRules> {
        let Relays::Listed(lists) = &self.relays else { return None };
        let known = |&id: &u32| ((id as usize) < tors).then_some(TorId(id));
        let lists: Vec<(TorId, Vec<TorId>)> = lists
            .0
            .iter()
            .filter_map(|(tor, sources)| {
                Some((known(tor)?, sources.iter().filter_map(known).collect()))
            })
            .collect();
        let known_pair = |(key, value): &(u32, u32)| Some((known(key)?, known(value)?));
        let mut accept = Accept::new();
        for (tor, only) in self.accept.0.iter().filter_map(|(tor, only)| Some((known(tor)?, only)))
        {
            accept.entry(tor).or_default().extend(only.0.iter().filter_map(known_pair));
        }
        let via: Via = self.via.0.iter().filter_map(known_pair).collect();
        let by_relay = lists.iter().map(|(tor, sources)| (*tor, sources.as_slice()));
        Some(InstalledRules::new(tors, by_relay).with(accept, via))
    }

    /// Compares the file, entry by entry, with the file that the plan makes.
    pub(crate) fn compare(&self, made: &Self, faults: &mut Faults) {
        match (&self.relays, &made.relays) {
            (Relays::Listed(found), Relays::Listed(made)) => compare_relays(found, made, faults),
            (Relays::Router(found), Relays::Router(made)) if found == made => {}
            (Relays::Router(found), Relays::Router(made)) => {
                faults.add(|| format!("{FILE}: router is {found:?}; the plan says {made:?}"));
            }
            _ => faults.add(|| {
                format!("{FILE}: one of the two names a router where the other lists rules")
            }),
        }
        compare_accept(&self.accept, &made.accept, faults);
        compare_via(&self.via, &made.via, faults);
    }
}

/// Pairs by id. A repeated id is an error, and its last entry applies.
fn by_id<'a, V>(
    pairs: &'a Pairs<V>,
    place: impl Fn(u32) -> String,
    faults: &mut Faults,
) -> BTreeMap<u32, &'a V> {
    let mut by_id = BTreeMap::new();
    for (id, value) in &pairs.0 {
        if by_id.insert(*id, value).is_some() {
            faults.add(|| format!("{FILE}: {} is listed twice", place(*id)));
        }
    }
    by_id
}

fn compare_relays(found: &Pairs<Vec<u32>>, made: &Pairs<Vec<u32>>, faults: &mut Faults) {
    let mut by_tor = by_id(found, |tor| format!("ToR {tor}"), faults);
    for (tor, expected) in &made.0 {
        let sources = by_tor.remove(tor).map_or(&[][..], Vec::as_slice);
        for source in expected.iter().filter(|source| !sources.contains(source)) {
            let own = if source == tor { " (its own entry)" } else { "" };
            faults.add(|| format!("{FILE}: ToR {tor} lacks the rule for source {source}{own}"));
        }
        for source in sources.iter().filter(|source| !expected.contains(source)) {
            faults.add(|| format!("{FILE}: ToR {tor} has a rule too many, for source {source}"));
        }
        if sources.windows(2).any(|pair| pair[0] >= pair[1]) {
            faults.add(|| format!("{FILE}: the sources of ToR {tor} are not ascending"));
        }
    }
    for tor in by_tor.keys() {
        faults.add(|| format!("{FILE}: ToR {tor} is not in the plan"));
    }
}

/// Port filters by ToR and source.
fn filters(accept: &Pairs<Pairs<u32>>, faults: &mut Faults) -> BTreeMap<(u32, u32), u32> {
    let mut filters = BTreeMap::new();
    for (tor, only) in by_id(accept, |tor| format!("accept: ToR {tor}"), faults) {
        if only.0.is_empty() {
            faults.add(|| format!("{FILE}: accept: ToR {tor} is listed without a source"));
        }
        let place = |source| format!("accept: ToR {tor}: source {source}");
        let sources = by_id(only, place, faults).into_iter();
        filters.extend(sources.map(|(source, from)| ((tor, source), *from)));
    }
    filters
}

fn compare_accept(found: &Pairs<Pairs<u32>>, made: &Pairs<Pairs<u32>>, faults: &mut Faults) {
    let (mut found, made) = (filters(found, faults), filters(made, &mut Faults::default()));
    for ((tor, source), expected) in made {
        match found.remove(&(tor, source)) {
            Some(from) if from == expected => {}
            Some(from) => faults.add(|| {
                format!(
                    "{FILE}: accept: ToR {tor} takes source {source} from the splitter of ToR {from} \
                     only; the plan says ToR {expected}"
                )
            }),
            None => faults.add(|| {
                format!(
                    "{FILE}: accept: ToR {tor} lacks the filter that takes source {source} from the \
                     splitter of ToR {expected} only"
                )
            }),
        }
    }
    for ((tor, source), from) in found {
        faults.add(|| {
            format!(
                "{FILE}: accept: ToR {tor} has a filter too many, which takes source {source} from the \
                 splitter of ToR {from} only"
            )
        });
    }
}

fn compare_via(found: &Pairs<u32>, made: &Pairs<u32>, faults: &mut Faults) {
    let mut by_source = by_id(found, |source| format!("via: source {source}"), faults);
    for (source, expected) in &made.0 {
        match by_source.remove(source) {
            Some(root) if root == expected => {}
            Some(root) => faults.add(|| {
                format!(
                    "{FILE}: via: the stand-in of source {source} is ToR {root}; the plan says ToR \
                     {expected}"
                )
            }),
            None => faults
                .add(|| format!("{FILE}: via: source {source} lacks its stand-in, ToR {expected}")),
        }
    }
    for (source, root) in by_source {
        faults.add(|| format!("{FILE}: via: source {source} has a stand-in too many, ToR {root}"));
    }
}

/// The keys of the file, from any version.
struct RawRules {
    relays: Relays,
    accept: Option<Pairs<Pairs<u32>>>,
    via: Option<Pairs<u32>>,
}

impl<'de> Deserialize<'de> for RawRules {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = RawRules;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with relays (or router), accept and via")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawRules, A::Error> {
                let (mut relays, mut accept, mut via) = (None, None, None);
                while let Some(key) = map.next_key::<String>()? {
                    let is_twice = match key.as_str() {
                        "relays" | "router" => relays.is_some(),
                        "accept" => accept.is_some(),
                        _ => via.is_some() && key == "via",
                    };
                    if is_twice {
                        let message = match key.as_str() {
                            "relays" | "router" => "relays and router, or one of them twice".into(),
                            _ => format!("{key} twice"),
                        };
                        return Err(A::Error::custom(format!("found {message}")));
                    }
                    match key.as_str() {
                        "relays" => relays = Some(Relays::Listed(map.next_value()?)),
                        "router" => relays = Some(Relays::Router(map.next_value()?)),
                        "accept" => accept = Some(map.next_value()?),
                        "via" => via = Some(map.next_value()?),
                        _ => {
                            let message = format!(
                                "found the key {key:?}; expected relays (or router), accept and via"
                            );
                            return Err(A::Error::custom(message));
                        }
                    }
                }
                let relays = relays.ok_or_else(|| A::Error::custom("lacks relays (or router)"))?;
                Ok(RawRules { relays, accept, via })
            }
        }
        from.deserialize_map(Keys)
    }
}

/// Keeps all entries. A map would keep only the last entry of a repeated id.
impl<'de, V: Deserialize<'de>> Deserialize<'de> for Pairs<V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct AsListed<V>(std::marker::PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for AsListed<V> {
            type Value = Pairs<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object whose keys are ids")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        from.deserialize_map(AsListed(std::marker::PhantomData))
    }
}
