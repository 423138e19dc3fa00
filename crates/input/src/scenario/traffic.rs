//! `[[flow]]` and `[[traffic]]`: listed messages, and patterns of messages.

use std::path::{Path, PathBuf};

use lightloom_request::scenario::section;
use lightloom_request::{InputError, Memory};
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Class, Flow, Verb};
use lightloom_units::{DataSize, Instant, Span};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use toml::de::DeValue;

use crate::rows::{Document, Row};
use crate::scenario::connection::{Connections, after};
use crate::scenario::limits::{LARGEST_FLOW, check_flows, within};
use crate::scenario::network::Nodes;
use crate::scenario::sizes::{Cdf, Sizes, unit};
use crate::text;

/// Purposes of random numbers. Each purpose of each pattern has its own stream.
const PERMUTATION: u64 = 1;
const SENDERS: u64 = 2;
const SIZES: u64 = 3;
const ARRIVALS: u64 = 4;
/// Members of random groups.
pub(super) const MEMBERS: u64 = 5;

/// The traffic of a scenario.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    /// Listed flows first, then the flows of each pattern.
    pub(super) flows: Vec<Flow>,
    /// Distribution files, with their texts.
    pub(super) files: Vec<(PathBuf, String)>,
    pub(super) warnings: Vec<String>,
    connections: Connections,
}

/// What readers of traffic need to know about the rest of the scenario.
pub(super) struct TrafficContext<'a> {
    pub(super) nodes: &'a Nodes,
    /// Folder that paths are relative to.
    pub(super) base: &'a Path,
    pub(super) seed: u64,
    pub(super) until: Instant,
    /// The memory that the run may take.
    pub(super) memory: Memory,
}

/// Kinds of patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pattern {
    Stride,
    Permutation,
    Incast,
    Poisson,
}

/// Values that all flows of one pattern share.
pub(super) struct Common<'a> {
    pub(super) start: Instant,
    pub(super) class: Class,
    verb: Verb,
    connection: Option<&'a str>,
}

impl Traffic {
    /// Reads all flows of a scenario.
    pub(super) fn read(
        document: &Document<'_>,
        context: &TrafficContext<'_>,
    ) -> Result<Self, InputError> {
        let root = document.root();
        let mut traffic = Self::default();
        let listed = root.tables("flow")?;
        check_flows(&root, "flow", (0, context.memory), listed.len() as f64)?;
        for row in &listed {
            row.only_these(&section("flow").names())?;
            let mut common = context.common(row)?;
            let (from, to) = (context.nodes.host(row, "from")?, context.nodes.host(row, "to")?);
            if from == to {
                let name = context.nodes.network.name(from);
                let message = format!("found {name:?}, the same host as from; name another host");
                return Err(row.refuse("to", message));
            }
            let after = after(row, from, &traffic.flows, context.nodes)?;
            common.connection =
                traffic.connections.name(row, common.class, Some((from, to)), context.nodes)?;
            traffic.push(from, to, size(row)?, common.start, &common).after = after;
        }
        for (number, row) in (0..).zip(root.tables("traffic")?) {
            traffic.pattern(&row, number, context)?;
        }
        if traffic.flows.is_empty() && !root.has("multicast") {
            let message =
                "is missing; a scenario has at least one [[flow]], [[traffic]] or [[multicast]]";
            return Err(root.refuse("flow", message));
        }
        Ok(traffic)
    }

    fn push(
        &mut self,
        from: NodeId,
        to: NodeId,
        size: DataSize,
        start: Instant,
        common: &Common<'_>,
    ) -> &mut Flow {
        let Common { class, verb, connection, .. } = *common;
        let connection = connection.map(|name| self.connections.number(name, from, to));
        let after = Vec::new();
        self.flows.push_mut(Flow { from, to, size, start, after, class, verb, connection })
    }

    fn pattern(
        &mut self,
        row: &Row<'_>,
        number: u64,
        context: &TrafficContext<'_>,
    ) -> Result<(), InputError> {
        let patterns = [
            ("stride", Pattern::Stride),
            ("permutation", Pattern::Permutation),
            ("incast", Pattern::Incast),
            ("poisson", Pattern::Poisson),
        ];
        let pattern = row.choice("pattern", &patterns)?;
        let pattern = pattern.ok_or_else(|| row.missing("pattern", "\"stride\""))?;
        let name =
            patterns.iter().find(|(_, known)| *known == pattern).map_or("", |(name, _)| name);
        row.only_these(&section("traffic").names_of(name))?;
        let mut common = context.common(row)?;
        common.connection = self.connections.name(row, common.class, None, context.nodes)?;
        let sizes = self.sizes(row, context)?;
        let pairs = match pattern {
            Pattern::Stride => self.stride(row, context)?,
            Pattern::Permutation => self.permutation(row, number, context)?,
            Pattern::Incast => self.incast(row, number, context)?,
            Pattern::Poisson => return self.poisson(row, number, context, &sizes, &common),
        };
        let mut random = stream(context.seed, SIZES, number, 0);
        for (from, to) in pairs {
            self.push(from, to, sizes.next(&mut random), common.start, &common);
        }
        Ok(())
    }

    /// `size`, or the distribution in the file that `sizes` names.
    fn sizes(&mut self, row: &Row<'_>, context: &TrafficContext<'_>) -> Result<Sizes, InputError> {
        match row.text("sizes")? {
            None => size(row).map(Sizes::Fixed),
            Some(_) if row.has("size") => {
                Err(row.refuse("sizes", "is given together with size; give one of the two"))
            }
            Some(file) => {
                let path = context.base.join(file);
                let text = text::read_up_to(row.texts(), &path, 16 << 20);
                let text = text.map_err(|error| row.of_file("sizes", &path, error))?;
                let (cdf, warning) = Cdf::parse(&path, &text)?;
                self.warnings.extend(warning);
                self.files.push((path, text));
                Ok(Sizes::Drawn(cdf))
            }
        }
    }

    /// Stride: host i sends to host i + `offset` (default: half of the hosts).
    fn stride(
        &self,
        row: &Row<'_>,
        context: &TrafficContext<'_>,
    ) -> Result<Vec<(NodeId, NodeId)>, InputError> {
        let hosts = context.nodes.network.hosts();
        check_flows(row, "pattern", (self.flows.len(), context.memory), hosts as f64)?;
        let offset = match row.count("offset")? {
            None => hosts / 2,
            Some(said) => usize::try_from(said % hosts as u64).unwrap_or(0),
        };
        if offset == 0 {
            let message = format!(
                "found a multiple of the {hosts} hosts, so that each would send to itself; give 1 to {}",
                hosts - 1
            );
            return Err(row.refuse("offset", message));
        }
        Ok((0..hosts).map(|i| (NodeId::at(i), NodeId::at((i + offset) % hosts))).collect())
    }

    /// Permutation: all hosts form one random cycle (Sattolo's algorithm), so no host sends to itself.
    fn permutation(
        &self,
        row: &Row<'_>,
        number: u64,
        context: &TrafficContext<'_>,
    ) -> Result<Vec<(NodeId, NodeId)>, InputError> {
        let hosts = context.nodes.network.hosts();
        check_flows(row, "pattern", (self.flows.len(), context.memory), hosts as f64)?;
        let mut random = stream(context.seed, PERMUTATION, number, 0);
        let mut to: Vec<usize> = (0..hosts).collect();
        for i in (1..hosts).rev() {
            to.swap(i, below(&mut random, i));
        }
        Ok(to.into_iter().enumerate().map(|(i, to)| (NodeId::at(i), NodeId::at(to))).collect())
    }

    /// Incast: `senders` send to one host. `senders` is a number of random hosts, or a list.
    fn incast(
        &self,
        row: &Row<'_>,
        number: u64,
        context: &TrafficContext<'_>,
    ) -> Result<Vec<(NodeId, NodeId)>, InputError> {
        let to = context.nodes.host(row, "to")?;
        let hosts = context.nodes.network.hosts();
        let senders = match row.value("senders") {
            None => return Err(row.missing("senders", "16, or a list of hosts")),
            Some(DeValue::Array(items)) => {
                check_flows(
                    row,
                    "senders",
                    (self.flows.len(), context.memory),
                    items.len() as f64,
                )?;
                let host = |item: &toml::Spanned<DeValue<'_>>| {
                    context.nodes.host_of(row, "senders", item.get_ref())
                };
                items.iter().map(host).collect::<Result<Vec<_>, _>>()?
            }
            Some(_) => {
                let wanted = row.count("senders")?.unwrap_or(0);
                let wanted = within(row, "senders", wanted, (1, hosts as u64 - 1))?;
                check_flows(row, "senders", (self.flows.len(), context.memory), wanted as f64)?;
                let wanted = usize::try_from(wanted).unwrap_or(hosts - 1);
                let mut random = stream(context.seed, SENDERS, number, 0);
                let mut others: Vec<NodeId> =
                    (0..hosts).map(NodeId::at).filter(|&host| host != to).collect();
                for i in 0..wanted {
                    let other = i + below(&mut random, others.len() - i);
                    others.swap(i, other);
                }
                others.truncate(wanted);
                others.sort_unstable();
                others
            }
        };
        if senders.contains(&to) {
            return Err(row.refuse("senders", "found the host of to in the list; remove it"));
        }
        if senders.is_empty() {
            return Err(row.refuse("senders", "found an empty list; name at least one host"));
        }
        Ok(senders.into_iter().map(|from| (from, to)).collect())
    }

    /// Poisson: each host sends messages at random times to random other hosts. Their payload is `load` of
    /// the host's line rate.
    fn poisson(
        &mut self,
        row: &Row<'_>,
        number: u64,
        context: &TrafficContext<'_>,
        sizes: &Sizes,
        common: &Common<'_>,
    ) -> Result<(), InputError> {
        let network = &context.nodes.network;
        let load = row.ratio("load")?.ok_or_else(|| row.missing("load", "0.5"))?;
        let load = within(row, "load", load, (1e-9, 10.0))?;
        let longest = (context.until - common.start).as_ps();
        let duration = row.quantity::<Span>("duration")?.map_or(longest, Span::as_ps);
        if duration == 0 || duration > longest {
            let message = format!(
                "found {}; expected more than 0 s and at most {}: arrivals begin at {}, and the run ends \
                 at {}",
                Span::from_ps(duration),
                Span::from_ps(longest),
                common.start,
                context.until
            );
            return Err(row.refuse("duration", message));
        }
        let duration = duration as f64;
        let mean_gap = |host: NodeId| {
            let bytes_per_ps = network.ports(host)[0].rate.as_bps() as f64 / 8e12;
            sizes.mean() / (load * bytes_per_ps)
        };
        let hosts = || (0..network.hosts()).map(NodeId::at);
        let expected: f64 = hosts().map(|host| duration / mean_gap(host)).sum();
        check_flows(row, "load", (self.flows.len(), context.memory), expected)?;
        let first = self.flows.len();
        for from in hosts() {
            let host = from.index() as u64;
            let mut arrivals = stream(context.seed, ARRIVALS, number, host);
            let mut random = stream(context.seed, SIZES, number, host);
            let gap = mean_gap(from);
            let mut at = 0.0;
            loop {
                at -= gap * libm::log(1.0 - unit(&mut arrivals));
                if at >= duration {
                    break;
                }
                check_flows(row, "load", (self.flows.len(), context.memory), 1.0)?;
                let to = below(&mut arrivals, network.hosts() - 1);
                let to = NodeId::at(to + usize::from(to >= from.index()));
                // The value is below the duration, which is a valid time.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let start = common.start + Span::from_ps(at as u64);
                self.push(from, to, sizes.next(&mut random), start, common);
            }
        }
        if self.flows.len() == first {
            let message =
                format!("found {load}, at which no message arrives; raise it, or duration");
            return Err(row.refuse("load", message));
        }
        self.flows[first..].sort_by_key(|flow| (flow.start, flow.from));
        Ok(())
    }
}

impl TrafficContext<'_> {
    /// All but the connection.
    pub(super) fn common(&self, row: &Row<'_>) -> Result<Common<'static>, InputError> {
        let start = row.quantity("start")?.unwrap_or(Instant::ZERO);
        if start >= self.until {
            let message = format!("found {start}; the run ends at {}", self.until);
            return Err(row.refuse("start", message));
        }
        let classes = [("lossless", Class::LOSSLESS), ("lossy", Class::LOSSY)];
        let verbs = [("write", Verb::Write), ("send", Verb::Send)];
        Ok(Common {
            start,
            class: row.choice("class", &classes)?.unwrap_or(Class::LOSSLESS),
            verb: row.choice("verb", &verbs)?.unwrap_or(Verb::Write),
            connection: None,
        })
    }
}

pub(super) fn size(row: &Row<'_>) -> Result<DataSize, InputError> {
    let size = row.required("size", "\"10 MB\"")?;
    within(row, "size", size, (DataSize::from_bytes(1), LARGEST_FLOW))
}

/// The random stream of a purpose, a pattern and a host. No draw depends on how many patterns or hosts there
/// are.
pub(super) fn stream(seed: u64, purpose: u64, pattern: u64, host: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    // A file has fewer than 2^24 patterns, and a network fewer than 2^32 hosts.
    random.set_stream(purpose << 56 | pattern << 32 | host);
    random
}

/// A uniform whole number below `end`.
pub(super) fn below(random: &mut ChaCha8Rng, end: usize) -> usize {
    let end = end.max(1) as u64;
    // Draws again for the highest values, which would make some remainders likelier.
    let fair = u64::MAX - u64::MAX % end;
    loop {
        let drawn = random.next_u64();
        if drawn < fair {
            return usize::try_from(drawn % end).unwrap_or(0);
        }
    }
}
