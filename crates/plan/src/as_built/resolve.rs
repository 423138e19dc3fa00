//! From marks to plugs, lengths and measurements of a plant, and back.

use std::collections::BTreeMap;

use lightloom_design::catalogue::LONGEST_STOCK;
use lightloom_plant::{Built, CableEnd, FibreId, Plant, Plug};
use lightloom_units::Length;

use crate::as_built::index::{Index, end_name, plug_label};
use crate::as_built::marks::{AsBuilt, Mark, Measured};
use lightloom_plant::end_labels::{cable_label, fibre_label};

/// Marks by the numbers of a plant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resolved {
    /// Plugs and lengths.
    pub built: Built,
    /// Measurements of branches.
    pub measured: BTreeMap<FibreId, Measured>,
    /// Remarks, by label of the plan before anything was built otherwise.
    pub notes: BTreeMap<String, String>,
}

/// A mark that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkFault {
    /// Position of the mark.
    pub mark: usize,
    /// The column: the name of a field of [`Mark`].
    pub column: &'static str,
    /// What is wrong.
    pub message: String,
}

/// Resolves marks by the labels of a plant. `planned` is the same plant before anything was built otherwise: its
/// labels name the remarks.
///
/// # Errors
/// [`MarkFault`] with the first mark that is wrong.
pub fn resolve(marks: &AsBuilt, plant: &Plant, planned: &Plant) -> Result<Resolved, MarkFault> {
    let index = Index::new(plant);
    let mut resolved = Resolved::default();
    for (at, mark) in marks.marks.iter().enumerate() {
        let told = add(&mut resolved, mark, &index, planned);
        told.map_err(|(column, message)| MarkFault { mark: at, column, message })?;
    }
    Ok(resolved)
}

/// A column, and what is wrong there.
type Fault = (&'static str, String);

fn add(
    resolved: &mut Resolved,
    mark: &Mark,
    index: &Index<'_>,
    planned: &Plant,
) -> Result<(), Fault> {
    let label = mark.label.as_str();
    let cable = index.cable(label);
    if index.plugs(label, CableEnd::Near).is_none() {
        let message = format!(
            "found {label:?}, which is no label of a cable; cords.csv and trunks.csv list them, and a connector of a \
             trunk is named as in T3.2"
        );
        return Err(("label", message));
    }
    for (end, at, column) in
        [(CableEnd::Near, &mark.near_at, "near_at"), (CableEnd::Far, &mark.far_at, "far_at")]
    {
        let Some(at) = at else { continue };
        let moves = moves(label, end, at, index).map_err(|message| (column, message))?;
        for (plug, of) in moves {
            if resolved.built.moves.insert(plug, of).is_some() {
                return Err((
                    column,
                    format!("the {} end of {label} is told twice", end_name(end)),
                ));
            }
        }
    }
    if let Some(length) = mark.length {
        let cable = cable.ok_or_else(|| {
            ("length", format!("{label} is a connector; give the length of its trunk"))
        })?;
        if length == Length::ZERO || length > LONGEST_STOCK {
            let message =
                format!("found {length}; a cable is longer than 0 m and at most {LONGEST_STOCK}");
            return Err(("length", message));
        }
        if resolved.built.lengths.insert(cable, length).is_some() {
            return Err(("length", format!("the length of {label} is told twice")));
        }
    }
    if let Some(measured) = mark.measured {
        let branch = index.branch(label).ok_or_else(|| {
            (
                "measured",
                format!("{label} is no branch; acceptance.csv lists the branches to measure"),
            )
        })?;
        if !measured.is_possible() {
            return Err(("measured", format!("found {measured}, which no meter shows")));
        }
        if resolved.measured.insert(branch, measured).is_some() {
            return Err(("measured", format!("{label} was measured twice; give one result")));
        }
    }
    if let Some(note) = &mark.note {
        let of =
            cable.map_or_else(|| label.to_owned(), |id| cable_label(planned, planned.cable(id)));
        if resolved.notes.insert(of, note.clone()).is_some() {
            return Err(("note", format!("{label} has two remarks; give one")));
        }
    }
    Ok(())
}

/// The plugs at one end of a cable or connector, each with the plug in whose socket it sits.
fn moves(
    label: &str,
    end: CableEnd,
    at: &str,
    index: &Index<'_>,
) -> Result<Vec<(Plug, Plug)>, String> {
    let (of, of_end) = match at.rsplit_once(' ') {
        Some((of, "near")) => (of.trim_end(), CableEnd::Near),
        Some((of, "far")) => (of.trim_end(), CableEnd::Far),
        _ => (at, end),
    };
    let plugs = index.plugs(label, end).unwrap_or_default();
    let Some(sockets) = index.plugs(of, of_end) else {
        return Err(format!(
            "found {at:?}; name the cable whose planned socket it is in, as in F7, with \"near\" or \"far\" behind it \
             for the other end of that cable"
        ));
    };
    if plugs.len() != sockets.len() {
        return Err(format!(
            "{label} has {} connectors plugged in and {of} has {}; tell each connector, as in T3.2",
            plugs.len(),
            sockets.len()
        ));
    }
    Ok(plugs.into_iter().zip(sockets).collect())
}

impl Resolved {
    /// These marks after earlier ones. Both are of the same plant: what these call the socket of a plug is where the
    /// earlier ones have put it.
    #[must_use]
    pub fn after(self, mut earlier: Self) -> Self {
        let before = earlier.built.moves.clone();
        for (plug, of) in self.built.moves {
            earlier.built.moves.insert(plug, before.get(&of).copied().unwrap_or(of));
        }
        earlier.built.lengths.extend(self.built.lengths);
        earlier.measured.extend(self.measured);
        earlier.notes.extend(self.notes);
        earlier
    }

    /// The marks, by the labels of the plant before anything was built otherwise: sorted by label.
    pub fn marks(mut self, planned: &Plant) -> AsBuilt {
        self.built.moves.retain(|plug, of| plug != of);
        let mut marks = Marks::new();
        for (&plug, &socket) in &self.built.moves {
            let mark = mark_of(&mut marks, plug_label(planned, plug));
            let at = plug_label(planned, socket);
            let at =
                if plug.end == socket.end { at } else { format!("{at} {}", end_name(socket.end)) };
            match plug.end {
                CableEnd::Near => mark.near_at = Some(at),
                CableEnd::Far => mark.far_at = Some(at),
            }
        }
        for (&id, &length) in &self.built.lengths {
            mark_of(&mut marks, cable_label(planned, planned.cable(id))).length = Some(length);
        }
        for (&id, &measured) in &self.measured {
            let fibre = &planned.fibres()[id.index()];
            mark_of(&mut marks, fibre_label(&planned.site().fabric, fibre)).measured =
                Some(measured);
        }
        for (label, note) in self.notes {
            mark_of(&mut marks, label).note = Some(note);
        }
        AsBuilt { marks: marks.into_values().collect() }
    }
}

/// Marks by label.
type Marks = BTreeMap<String, Mark>;

fn mark_of(marks: &mut Marks, label: String) -> &mut Mark {
    marks.entry(label.clone()).or_insert_with(|| Mark { label, ..Mark::default() })
}
