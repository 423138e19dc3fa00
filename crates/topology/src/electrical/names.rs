//! The names of nodes in messages and results.

/// The names of all nodes, hosts first.
#[derive(Debug, Clone)]
pub(super) enum Names {
    /// The user's names.
    Given(Vec<String>),
    /// Generated layer by layer from the hosts up. No name is stored.
    Layers(Vec<Layer>),
}

/// Nodes of one kind, numbered from 0.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    /// The name of the kind.
    label: String,
    nodes: usize,
    /// Nodes of a pod, if the layer has pods.
    pod: Option<usize>,
}

impl Layer {
    /// Nodes called `label 0`, `label 1`, …
    pub(super) fn plain(label: impl Into<String>, nodes: usize) -> Self {
        Self { label: label.into(), nodes, pod: None }
    }

    /// Nodes called `label 0.0`, `label 0.1`, …: the pod, then the index in the pod.
    pub(super) fn pods(label: impl Into<String>, pods: usize, pod: usize) -> Self {
        Self { label: label.into(), nodes: pods * pod, pod: Some(pod) }
    }
}

impl Names {
    /// The number of nodes.
    pub(super) fn nodes(&self) -> usize {
        match self {
            Self::Given(names) => names.len(),
            Self::Layers(layers) => layers.iter().map(|layer| layer.nodes).sum(),
        }
    }

    /// The name of a node; without a name, its number.
    pub(super) fn of(&self, node: usize) -> String {
        match self {
            Self::Given(names) => names.get(node).cloned(),
            Self::Layers(layers) => in_layers(layers, node),
        }
        .unwrap_or_else(|| format!("node {node}"))
    }
}

fn in_layers(layers: &[Layer], node: usize) -> Option<String> {
    let mut place = node;
    for Layer { label, nodes, pod } in layers {
        if place < *nodes {
            return Some(match pod {
                None => format!("{label} {place}"),
                Some(pod) => format!("{label} {}.{}", place / pod, place % pod),
            });
        }
        place -= nodes;
    }
    None
}
